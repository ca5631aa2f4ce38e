"""The documentation: its examples run, its links lead somewhere, and nothing is left out of it."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import lagraph_gpu
import semirings
from benchmarks import graph500_page, many_page, story_page
from lagraph_gpu.cli.run import algorithms

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("LAGRAPH_DATA", ROOT.parent / "shared" / "data"))
SECONDS = 10
MADE = {"examples", "reference"}  # folders of docs/
LARGEST_PICTURE = 100_000
TEXT = (".md", ".rst", ".py", ".pyc", ".css", ".html")


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


run_pages = script("run_pages")
make_reference = script("make_reference")
docstrings = script("docstrings")
figures = script("figures")
logo = script("logo")
decision_numbers = script("decision_numbers")

TOP = "CONTRIBUTING", "CHANGELOG", "SECURITY"
WRITTEN = [*run_pages.pages(), *(ROOT / f"{file}.md" for file in TOP)]
RUNNABLE = [page for page in run_pages.pages() if any(run_pages.examples(page))]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """SuiteSparse's threads wait busily for each other; beside other tests that costs minutes."""
    import graphblas as gb

    before, gb.ss.config["nthreads"] = gb.ss.config["nthreads"], 1
    yield
    gb.ss.config["nthreads"] = before


@pytest.mark.parametrize("page", RUNNABLE, ids=name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAGRAPH_DATA", raising=False)
    began = time.process_time()
    run_pages.run(page, tmp_path)
    assert time.process_time() - began < SECONDS, f"{name(page)} takes too long"
    for picture in run_pages.pictures(page):
        assert shape(tmp_path / picture.name) == shape(picture), (
            f"{picture.name} is not what {name(page)} draws; run python docs/run_pages.py --draw"
        )


def test_figures_of_explanation(tmp_path: Path) -> None:
    """They are what the script draws, and the pages name the numbers that it finds."""
    numbers = figures.main(tmp_path)
    pages = [*figures.FOLDER.glob("*.md")]
    for drawn in tmp_path.iterdir():
        assert words(drawn) == words(figures.FOLDER / drawn.name), "run python docs/figures.py"
        caption = re.compile(rf"\]\({re.escape(drawn.name)}\)\n\n\*([^*]+)\*")
        told = [found[1] for page in pages for found in caption.finditer(page.read_text("utf-8"))]
        assert len(told) == 1, f"{drawn.name} has no caption"
        if drawn.name != "frontier.svg":
            said = {int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\d|\d", told[0])}
            assert set(numbers[drawn.name].values()) <= said


WIDEST, COLUMNS = 104, 9
"""Characters of code, and columns of a table, that fit the column of a page 1,280 pixels wide; what
is printed (`text`) is wrapped. `docs/screenshots.py` looks in a browser."""


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_code_and_tables_fit_their_column(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = [block for block in run_pages.BLOCK.finditer(text) if block[1] != "text"]
    wide = [line for block in blocks for line in block[2].splitlines() if len(line) > WIDEST]
    assert not wide, f"break these lines of code: {wide}"
    if page.parent.name == "decisions":  # records, for those who work on the kernels
        return
    tables = re.findall(r"^\|(?: *:?---+:? *\|)+$", text, re.MULTILINE)
    assert all(rule.count("|") - 1 <= COLUMNS for rule in tables), "a table has too many columns"


def test_every_decision_is_listed_by_its_number() -> None:
    listed = decision_numbers.PAGE.read_text(encoding="utf-8")
    assert listed == decision_numbers.written(), "run python docs/decision_numbers.py"


def test_the_logo_is_what_its_script_draws() -> None:
    assert logo.FILE.read_text(encoding="utf-8") == logo.drawn(), "run python docs/logo.py"


def test_a_merge_is_cut_into_even_shares() -> None:
    A = lagraph_gpu.Matrix.from_coo([0, 0, 2], [1, 3, 0], 1, nrows=3, ncols=4, backend="cpu")
    B = lagraph_gpu.Matrix.from_coo([0, 2], [1, 2], 1, nrows=3, ncols=4, backend="cpu")
    items = figures.merged(A, B)
    assert [(i.row, i.side) for i in items[:4]] == [(0, 0), (0, 1), (0, 2), (0, 1)]
    assert len(items) == 4 + A.nvals + B.nvals
    assert figures.shares(items, 3) == [0, 3, 6, 9]
    assert figures.shares(items, 5)[:2] == [0, 3], "entries that meet are not divided"


@pytest.mark.parametrize("page", [graph500_page, many_page, story_page])
def test_pictures_of_records(page: ModuleType, tmp_path: Path) -> None:
    page.draw(tmp_path)
    drawn = sorted(tmp_path.iterdir())
    assert drawn
    for picture in drawn:
        assert shape(picture) == shape(ROOT / page.PAGE.with_name(picture.name)), (
            f"{picture.name} is not what the records say; run python -m {page.__name__}"
        )


def shape(picture: Path) -> set[tuple[str, str | None]]:
    """What a drawing consists of; where ``any`` may choose, coordinates and counts may differ."""
    return {(part.tag, part.get("class")) for part in ET.parse(picture).iter()}


def words(picture: Path) -> list[str]:
    """The texts of a drawing."""
    parts = ET.parse(picture).iter("{http://www.w3.org/2000/svg}text")
    return sorted("".join(part.itertext()).strip() for part in parts)


def test_the_tutorial_with_new_york(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not DATA.is_dir():
        assert os.environ.get("CI", "").lower() != "true", f"CI has no folder {DATA}"
        pytest.skip(f"no folder {DATA}; set LAGRAPH_DATA to where the shared graphs are")
    monkeypatch.setenv("LAGRAPH_DATA", str(DATA))
    page = ROOT / "docs" / "tutorial" / "road-network.md"
    names = run_pages.run(page, tmp_path, compare=False)
    assert names["G"].n == 264_346
    assert int(names["distance"].to_coo()[1].sum()) == 186_686_642_878  # as others published it


@pytest.mark.parametrize("page", RUNNABLE, ids=name)
def test_examples_need_nothing_but_what_is_installed(page: Path) -> None:
    """Pages are read beside an installed wheel, which holds neither benchmarks nor tests."""
    code = "".join(example.code for example in run_pages.examples(page))
    assert not re.findall(r"^\s*(?:from|import) (?:benchmarks|tests)\b", code, re.MULTILINE)


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_links(page: Path) -> None:
    assert not broken_links(page)


def broken_links(page: Path) -> list[str]:
    """The links of a page to files or headings that do not exist.

    What the build of the site makes is looked for there: `tests/test_site.py`.
    """
    broken = []
    for target in re.findall(r"\]\(([^)]+)\)", without_code(page.read_text(encoding="utf-8"))):
        path, _, anchor = target.partition("#")
        other = page.parent / path if path else page
        if MADE & set(Path(path).parts):
            continue
        if not re.match(r"https?://", target) and (
            not other.exists() or (anchor and anchor not in anchors(other))
        ):
            broken.append(target)
    return broken


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def anchors(page: Path) -> set[str]:
    """Headings as the usual Markdown renderers name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def test_every_page_can_be_reached() -> None:
    seen, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        text = without_code(page.read_text(encoding="utf-8"))
        targets = re.findall(r"\]\(([^):#]+\.md)[^)]*\)", text)
        written = [target for target in targets if not MADE & set(Path(target).parts)]
        todo += [(page.parent / target).resolve() for target in written]
    assert set(run_pages.pages()) <= seen


def test_pictures_are_small_text() -> None:
    """The folders that a build of the site makes are left out; one may be going on."""
    written = [path for path in (ROOT / "docs").iterdir() if path.name not in (*MADE, "_build")]
    for file in itertools.chain(written, *(path.rglob("*") for path in written)):
        if file.is_file() and file.suffix not in TEXT:
            assert file.suffix == ".svg", f"{name(file)} is no text picture"
            assert file.stat().st_size < LARGEST_PICTURE, f"{name(file)} is too large"


def test_every_page_of_the_reference_has_its_names() -> None:
    made = make_reference.pages()
    shown = "\n".join(made.values())
    assert len(made) > 50 and "auto" in made["lagraph_gpu.notation.matrix.md"]
    for name, thing in vars(lagraph_gpu).items():
        if name in lagraph_gpu.__all__ and hasattr(thing, "__qualname__"):
            assert re.search(rf"^\.\. auto\w+:: lagraph_gpu::{name}$", shown, re.M), name
    catalogue = made["semirings.catalogue.md"]
    assert all(f"| `{name}` |" in catalogue for name in semirings.SEMIRINGS)


def test_every_algorithm_is_found() -> None:
    page = (ROOT / "docs" / "how-to" / "find-an-algorithm.md").read_text(encoding="utf-8")
    assert set(algorithms()) <= set(re.findall(r"`lg\.(\w+)`", page))


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_names_are_there(page: Path) -> None:
    """What stands in the text as `lg.name` is a public name. Code is tested by running it."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = set(re.findall(r"`lg\.(\w+)", text))
    assert not {word for word in named if not hasattr(lagraph_gpu, word)}


@pytest.mark.parametrize(
    "doc, shown",
    [
        ("a `b` and ``c``", "a ``b`` and ``c``"),
        ("of |N(u)| and m_", "of \\|N(u)\\| and m\\_"),
        ("so:\n\n    x = y\n\nend", "so:\n\n::\n\n    x = y\n\nend"),
        ("so::\n\n    x = y", "so::\n\n    x = y"),
        ("x    one\nyy   two", "::\n\n    x    one\n    yy   two"),
        (">>> 1 | 2\n3", ">>> 1 | 2\n3"),
        ("Notes\n-----\n|x|", "Notes\n-----\n\\|x\\|"),
        (
            "Returns\n-------\nint\n    A `b`.\n\n    More.",
            "Returns\n-------\nint\n    A ``b``.\n\n    More.",
        ),
    ],
)
def test_docstrings_become_restructured_text(doc: str, shown: str) -> None:
    assert docstrings.restructured(doc).strip("\n") == shown


def test_docstrings_lead_to_each_other_but_not_to_parameters() -> None:
    def told(name: str, lines: list[str]) -> str:
        thing = getattr(lagraph_gpu, name)
        docstrings.process(None, "function", f"lagraph_gpu.{name}", thing, None, lines)
        return lines[0]

    assert told("bfs", ["as ``sssp``"]) == "as :py:obj:`sssp <lagraph_gpu.sssp>`"
    assert told("sssp", ["``sssp`` itself"]) == "``sssp`` itself"
    assert told("grid", ["on ``backend``"]) == "on ``backend``"


# --- the judge is judged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n", "the page says:\n3"),
        ("```python\nprint('unannounced')\n```\n", "unannounced"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Got:\n    2"),
        ("```python\nx = 1\n```\n\n```python\n>>> x\n2\n```\n", "Got:\n    1"),
    ],
)
def test_a_wrong_page_is_refused(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_pages, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(run_pages.WrongOutput, match=re.escape(complaint)):
        run_pages.run(page, tmp_path)


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading, or `two`\n", encoding="utf-8")
    page = tmp_path / "page.md"
    good = "[a](other.md) [b](other.md#a-heading-or-two) [c](https://example.org) `[d](e)`\n"
    page.write_text(good + "[f](missing.md) [g](other.md#missing)\n", encoding="utf-8")
    assert broken_links(page) == ["missing.md", "other.md#missing"]
