"""A kernel's text by declarations, so that a module holds only those that its kernel rests on.

Headers hold many functions, and a kernel calls few. What is left out need not be read by g++, and a
change of it leaves the module as it is, so that what was compiled before still serves.

``cut`` cuts a text at its top level, ``rests_on`` follows the words of declarations to those that
introduce them. That is generous: a word need not mean the declaration of that name, and overloads
and specialisations stay together, so the program's meaning does not change. Where a declaration's
name is not plain (an operator, a namespace, an assertion, enumerators), it is kept.

g++ counts lines from the beginning of each declaration (``numbered``), so that a line more above it
leaves the module as it is, too; ``placed`` gives the header's line in a message.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[A-Za-z_]\w*")
_MARK = re.compile(
    r"""^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*\n?   # a directive, to its last line
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
      | [{}();]""",
    re.MULTILINE | re.VERBOSE,
)
_BEHIND = re.compile(
    r"\s*(?:template\s*<.*>\s*)?(?:typedef\s+)?(?:struct|class|enum|union)\b", re.DOTALL
)
_ATTRIBUTE = re.compile(
    r"\b(?:__launch_bounds__|__align__|alignas)\s*\((?:[^()]|\([^()]*\))*\)|\[\[.*?\]\]", re.DOTALL
)
_ALIAS = re.compile(r"\s*using\s+(\w+)\s*=")
_TYPE = re.compile(r"\s*(?:struct|class|enum\s+class|union)\s+(\w+)")
_FUNCTION = re.compile(r"[^=]*?(\w+)\s*\(")
_VARIABLE = re.compile(r"[^=]*?(\w+)\s*(?:\[[^=]*\]\s*)?(?:=|$)")
_ALWAYS = re.compile(
    r"\s*(?:static_assert|namespace|extern|using\s+namespace|enum(?!\s+class)|template\s+(?!<)|\})"
)
_PLACE = re.compile(r"([\w.-]+(?:\|[\w.-]*)+\|\d+):(\d+)")
IMPLIED = frozenset(("begin", "end"))
"""Words that a loop over a range means."""


@dataclass(frozen=True)
class Declaration:
    """A piece of ``file`` from its line ``line`` on. ``name`` is what it introduces; None: that is
    not plain, so it is kept, as directives are. ``words`` are those by which it may mean others."""

    text: str
    file: str
    line: int
    name: str | None
    words: frozenset[str]


def cut(text: str, file: str, line: int = 1) -> tuple[Declaration, ...]:
    """The declarations and directives of a text without comments, from its line ``line`` on.

    >>> text = "struct A { int a; };\\n\\nA f() {\\n return {1};\\n}\\n#define B 3\\n"
    >>> [(d.name, d.line) for d in cut(text, "a.cuh")]
    [('A', 1), ('f', 3), (None, 6)]
    """
    found: list[Declaration] = []
    begin = depth = 0

    def end(at: int, plain: bool) -> None:
        nonlocal begin, line
        piece = text[begin:at]
        if written := piece.lstrip():
            above = piece.count("\n", 0, len(piece) - len(written))
            name = introduced(written) if plain else None
            words = frozenset(_WORD.findall(written))
            found.append(Declaration(written, file, line + above, name, words))
        line += piece.count("\n")
        begin = at

    for mark in _MARK.finditer(text):
        kind = mark[0].lstrip()[:1]
        if kind in ("{", "("):
            depth += 1
        elif kind in ("}", ")"):
            depth -= 1
            if kind == "}" and depth == 0:
                head = text[begin : text.index("{", begin)]
                of_type = _BEHIND.match(head) and "(" not in _ATTRIBUTE.sub("", head)
                if not of_type and not head.rstrip().endswith("="):  # no ; follows
                    end(mark.end(), plain=True)
        elif kind == ";" and depth == 0:
            end(mark.end(), plain=True)
        elif kind == "#" and depth == 0 and not text[begin : mark.start()].strip():
            end(mark.start(), plain=False)
            end(mark.end(), plain=False)
    end(len(text), plain=False)
    return tuple(found)


def introduced(declaration: str) -> str | None:
    """The name that a declaration introduces, None where that is not plain.

    >>> introduced("template <class T, int N = f(1)> struct Row<T*, N> { int g(); };")
    'Row'
    >>> introduced("template <class T> __global__ void __launch_bounds__(64) k(const T* a) {}")
    'k'
    >>> introduced("constexpr unsigned A[1] = {g(1)};")
    'A'
    >>> introduced("bool operator==(A a, A b) { return true; }")
    """
    head = _ATTRIBUTE.sub("", re.split("[{;]", declaration, maxsplit=1)[0])
    if _ALWAYS.match(head) or "operator" in head:
        return None
    if head.lstrip().startswith("template"):
        depth = at = 0
        while at < len(head) and (depth or ">" not in head[:at]):
            depth += (head[at] == "<") - (head[at] == ">")
            at += 1
        head = head[at:]
        if head.lstrip().startswith("template"):
            return None
    for form in (_ALIAS, _TYPE, _FUNCTION):
        if match := form.match(head):
            return match[1]
    one = _VARIABLE.match(head)
    return one[1] if one and "," not in declaration else None


def rests_on(wanted: str, all_of: Sequence[Declaration]) -> Iterator[Declaration]:
    """Those of the declarations that the names in ``wanted`` rest on, in their order."""
    by_name: dict[str, list[Declaration]] = {}
    for one in all_of:
        if one.name is not None:
            by_name.setdefault(one.name, []).append(one)
    seen: set[str] = set()
    todo = [*IMPLIED, *_WORD.findall(wanted)]
    for one in all_of:
        if one.name is None:
            todo += one.words
    while todo:
        word = todo.pop()
        if word not in seen:
            seen.add(word)
            for one in by_name.get(word, ()):
                todo += one.words
    return (one for one in all_of if one.name is None or one.name in seen)


def numbered(wanted: str, all_of: Sequence[Declaration]) -> str:
    """The text of what ``wanted`` rests on, the lines of each declaration counted from 1."""
    labels = _labels(all_of)
    return "".join(
        one.text + "\n" if one.text[0] == "#" else f'#line 1 "{labels[id(one)]}"\n{one.text}\n'
        for one in rests_on(wanted, all_of)
    )


def placed(message: str, all_of: Sequence[Declaration]) -> str:
    """The message with lines of files where it has those of declarations.

    >>> placed("a race at core|a.cuh|f|0:2", cut("\\n\\nint f() {\\n}", "core/a.cuh"))
    'a race at core/a.cuh:4'
    """
    labels = _labels(all_of)
    known = {labels[id(one)]: one for one in all_of}

    def place(found: re.Match[str]) -> str:
        one = known.get(found[1])
        return f"{one.file}:{one.line + int(found[2]) - 1}" if one else found[0]

    return _PLACE.sub(place, message)


def _labels(all_of: Sequence[Declaration]) -> dict[int, str]:
    """What a message calls each declaration: its file, its name, and which one of that name."""
    before = Counter[str]()
    labels = {}
    for one in all_of:
        label = f"{one.file.replace('/', '|')}|{one.name or ''}"
        labels[id(one)] = f"{label}|{before[label]}"
        before[label] += 1
    return labels
