"""Runs the pages: every Python block of a page, in order, in one namespace and a folder of its own.

    python docs/run_pages.py                   run all pages; the tree stays as it is
    python docs/run_pages.py PAGE ...          some of them
    python docs/run_pages.py --draw PAGE ...   and renew the pictures they write

A block that prints is followed by a ``text`` block with what it prints; a block of ``>>>`` lines
holds its own answers. ``...`` stands for anything. The CPU backend is in force. The tests
(`tests/test_docs.py`) do the same.
"""

from __future__ import annotations

import argparse
import contextlib
import contextvars
import doctest
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

MADE = ("_build", "examples", "reference")  # by the build of the site

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+\.svg)\)")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class WrongOutput(AssertionError):
    """A block printed something else than the page says."""


@dataclass(frozen=True)
class Example:
    """A Python block: the line it starts at, its code, and what it prints."""

    line: int
    code: str
    expected: str


def pages() -> list[Path]:
    """All pages that were written, README first."""
    written = (p for p in DOCS.rglob("*.md") if p.relative_to(DOCS).parts[0] not in MADE)
    return [ROOT / "README.md", *sorted(written)]


def examples(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    for block, following in zip(blocks, [*blocks[1:], None]):
        if block[1] != "python":
            continue
        follows = following is not None and not text[block.end() : following.start()].strip()
        expected = following[2] if following and follows and following[1] == "text" else ""
        yield Example(text.count("\n", 0, block.start(2)) + 1, block[2], expected)


def pictures(page: Path) -> list[Path]:
    """The pictures that a page draws: those beside it that it shows, and that its code names."""
    shown = PICTURE.findall(page.read_text(encoding="utf-8"))
    code = "".join(example.code for example in examples(page))
    return [page.parent / name for name in shown if f'"{name}"' in code]


def run(page: Path, folder: Path, compare: bool = True) -> dict[str, Any]:
    """Runs a page's blocks in `folder` and returns their namespace.

    Raises what the blocks raise, and WrongOutput where one prints something else than the page
    says. With `compare=False` they must run, whatever they print: for pages that take other data
    where it is there.
    """
    namespace: dict[str, Any] = {"__name__": page.stem}

    def blocks() -> None:
        import lagraph_gpu as lg

        lg.set_backend("cpu")
        for example in examples(page):
            _run_block(example, page, namespace, compare)

    with contextlib.chdir(folder):
        contextvars.copy_context().run(blocks)
    return namespace


def _run_block(example: Example, page: Path, namespace: dict[str, Any], compare: bool) -> None:
    where = f"{page.relative_to(ROOT)}, line {example.line}"
    if example.code.startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(
            example.code, namespace, where, str(page), example.line - 1
        )
        runner, report = doctest.DocTestRunner(optionflags=FLAGS), io.StringIO()
        result = runner.run(test, out=report.write, clear_globs=False)
        namespace.update(test.globs)  # the parser works on a copy
        if result.failed:
            raise WrongOutput(f"{where}\n{report.getvalue()}")
        return
    code = compile("\n" * (example.line - 1) + example.code, str(page), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    got = printed.getvalue()
    if compare and not doctest.OutputChecker().check_output(example.expected, got, FLAGS):
        raise WrongOutput(f"{where}\nthe page says:\n{example.expected}\nit printed:\n{got}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    os.environ.pop("LAGRAPH_DATA", None)
    for page in [p.resolve() for p in options.pages] or pages():
        with tempfile.TemporaryDirectory() as folder:
            run(page, Path(folder))
            for picture in pictures(page) if options.draw else ():
                shutil.copyfile(Path(folder, picture.name), picture)
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
