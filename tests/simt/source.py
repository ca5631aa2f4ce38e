"""From a kernel's source to what g++ takes: includes inlined, shared memory rewritten.

Two things of CUDA C++ have no counterpart in C++ and are rewritten in the text, line for line, so
that messages still name the file and line of the ``.cuh``:

* ``#include "x.cuh"`` is replaced by the file, once. Standard headers are refused: our kernels are
  header-free (``docs``: design, section 7), so that they compile in milliseconds everywhere.
* ``__shared__ T name[N];`` becomes a reference to memory that each block has of its own.

``edited`` replaces text in a file for as long as it is in force; ``mutants.py`` stands on it.
"""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.simt.declarations import Declaration, cut

CUDA_DIR = Path(__file__).resolve().parents[2] / "lagraph_gpu" / "gpu" / "cuda"


class SourceError(ValueError):
    """A kernel source that the emulator cannot take; the message says which line and what to do."""


@dataclass
class Edit:
    """``old`` becomes ``new`` in ``file``; ``used`` counts how often the edited file was read."""

    file: str
    old: str
    new: str
    used: int = 0

    def apply(self, text: str) -> str:
        if (found := text.count(self.old)) != 1:
            raise SourceError(
                f"{self.file}: the text to replace is there {found} times, not once: {self.old!r}"
            )
        self.used += 1
        return text.replace(self.old, self.new)


_edits: dict[str, Edit] = {}


@contextmanager
def edited(file: str, old: str, new: str) -> Iterator[Edit]:
    """While in force, ``file`` (as an include names it) is read with ``old`` replaced by ``new``.

    ``old`` must be there exactly once, else reading the file raises ``SourceError``.
    """
    if file in _edits:
        raise SourceError(f"{file} is edited already; one edit at a time")
    _edits[file] = Edit(file, old, new)
    try:
        yield _edits[file]
    finally:
        del _edits[file]


def source_edits() -> tuple[tuple[str, str, str], ...]:
    """The edits in force."""
    return tuple((e.file, e.old, e.new) for e in _edits.values())


_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)[^\n]*', re.MULTILINE)
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def _blank_comments(text: str) -> str:
    """The same text without comments, line for line."""

    def blank(match: re.Match[str]) -> str:
        found = match.group(0)
        return found if found[0] == '"' else re.sub(r"[^\n]", " ", found)

    return re.sub(r"[ \t]+$", "", _COMMENT.sub(blank, text), flags=re.MULTILINE)


def inlined(text: str, file: str = "source.cu", folders: tuple[Path, ...] = (CUDA_DIR,)) -> str:
    """``text``, rewritten, with every ``#include "…"`` replaced by that file, each file once."""
    return "".join(
        f'#line {one.line} "{one.file}"\n{one.text}\n' for one in declared(text, file, folders)
    )


def declared(
    text: str,
    file: str = "source.cu",
    folders: tuple[Path, ...] = (CUDA_DIR,),
    *,
    rewritten: bool = True,
    unedited: bool = False,
) -> list[Declaration]:
    """The declarations of ``text`` and of what it includes, each file once: for g++ or, not
    ``rewritten``, as they are but for comments."""
    out: list[Declaration] = []
    edits = {} if unedited else _edits
    parse = functools.partial(_parsed, rewritten=rewritten)
    _inline(out, text, file, tuple(map(str, folders)), edits, parse, set())
    return out


def _inline(
    out: list[Declaration],
    text: str,
    file: str,
    folders: tuple[str, ...],
    edits: Mapping[str, Edit],
    parse: Callable[[str, str], _Parsed],
    seen: set[str],
) -> None:
    if file in edits:
        text = edits[file].apply(text)
    pieces, rest = parse(text, file)
    for before, line, name in pieces:
        out += before
        found = _found(name, folders)
        if found is None:
            where = ", ".join(map(os.path.basename, folders))
            raise SourceError(f"{file}:{line}: no file {name!r} in {where}")
        path, state = found
        if path not in seen:
            seen.add(path)
            here = os.path.dirname(path)
            near = (here, *(f for f in folders if f != here))
            _inline(out, _read(path, state), name, near, edits, parse, seen)
    out += rest


def _found(name: str, folders: tuple[str, ...]) -> tuple[str, tuple[int, int]] | None:
    """Where the file is; when it was last modified, and its size."""
    for folder in folders:
        path = os.path.join(folder, name)
        with suppress(OSError):
            status = os.stat(path)
            if stat.S_ISREG(status.st_mode):
                return path, (status.st_mtime_ns, status.st_size)
    return None


@functools.lru_cache(1024)
def _read(path: str, state: tuple[int, int]) -> str:
    """A file's text. Exercises compile some thousand modules of the same hundred files."""
    return Path(path).read_text()


_Declarations = tuple[Declaration, ...]
_Parsed = tuple[tuple[tuple[_Declarations, int, str], ...], _Declarations]


@functools.lru_cache(1024)
def _parsed(text: str, file: str, rewritten: bool) -> _Parsed:
    """One file's declarations, split at its includes: what stands before each, its line, and the
    name of what is included; and the rest."""
    text = _rewritten(text) if rewritten else _plain(text)
    pieces, position, above = [], 0, 1
    for match in _INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        name = match.group(1)
        if name is None:
            raise SourceError(
                f"{file}:{line}: #include <{match.group(2)}> in a kernel: kernels are header-free; "
                "write what is needed in a .cuh of ours"
            )
        pieces.append((cut(text[position : match.start()], file, above), line, name))
        position, above = match.end(), line
    return tuple(pieces), cut(text[position:], file, above)


def _plain(text: str) -> str:
    return _blank_comments(text).replace("#pragma once", "")


def _rewritten(text: str) -> str:
    text = _plain(text)
    for without in (_PREFETCH, _FENCE):
        text = without.sub(lambda found: "\n" * found[0].count("\n"), text)
    text = _ADD_BELOW.sub(
        r"{ const auto below = __shfl_up_sync(ALL_LANES, \1, \2);"
        r" if (lane_id() % WIDTH >= static_cast<int>(\2)) \1 += below; }",
        text,
    )
    return rewrite_shared(_TIMER.sub(r"\1 = clock64();", text))


_PREFETCH = re.compile(r'asm volatile\("[^"]*prefetch\.[^"]*"\s*::[^;]*\);')
"""It changes no answer."""
_FENCE = re.compile(r'asm volatile\("" : "\+[rlfd]"\(\w+\)\);')
"""It says what the compiler may not know."""
_ADD_BELOW = re.compile(
    r'asm volatile\("[^"]*shfl\.sync\.up[^"]*"\s*: "\+r"\((\w+)\) : "r"\((\w+)\)[^;]*\);'
)
"""A shuffle that adds only where there is a lane below."""
_TIMER = re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;" : "=l"\((\w+)\)\);')
"""There is one clock here."""

_SHARED = re.compile(
    r"(?P<extern>\bextern\s+)?(?:\b(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?"
    r"\b__shared__\b(?P<body>[^;]*);"
)
_ALIGNMENT = re.compile(r"\b(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
_DECLARATOR = re.compile(
    r"^(?P<type>.*?)(?P<name>\w+)\s*(?P<extents>(?:\[[^\[\]]*\]\s*)*)$", re.DOTALL
)


def _split_at_commas(text: str) -> list[str]:
    parts, depth = [""], 0
    for c in text:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def rewrite_shared(text: str) -> str:
    """``__shared__`` declarations as references to the block's own memory.

    >>> rewrite_shared("__shared__ int a[4];")
    'auto &a = simt::static_shared<int[4]>("a", []{});'
    """

    def rewrite(match: re.Match[str]) -> str:
        kind, out = "", []
        for part in _split_at_commas(_ALIGNMENT.sub(" ", match.group("body")).strip()):
            found = _DECLARATOR.match(part.strip())
            if not found or bool(kind) == bool(found.group("type").strip()):
                raise SourceError(f"cannot rewrite this declaration: {match.group(0)!r}")
            kind = kind or found.group("type").strip()
            name, extents = found.group("name"), found.group("extents").strip()
            if match.group("extern"):
                out.append(f"{kind} *{name} = ({kind} *)simt_dynamic_shared();")
            else:
                call = f'simt::static_shared<{kind}{extents}>("{name}", []{{}})'
                out.append(f"auto &{name} = {call};")
        return " ".join(out) + "\n" * match.group(0).count("\n")

    return _SHARED.sub(rewrite, text)
