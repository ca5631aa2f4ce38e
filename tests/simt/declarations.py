"""A kernel's text by declarations, so that a module holds only those that its kernel rests on.

Headers hold many functions, and a kernel calls few. What is left out need not be read by g++, and a
change of it leaves the module as it is, so that what was compiled before still serves.

``cut`` cuts a text at its top level, ``needed`` follows the words of declarations to those that
introduce them. That is generous: a word need not mean the declaration of that name, and overloads
and specialisations stay together, so the program's meaning does not change. Where a declaration's
name is not plain (an operator, a namespace, an assertion, enumerators), it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
IMPLIED = frozenset(("begin", "end"))
"""Words that a loop over a range means."""


@dataclass(frozen=True)
class Declaration:
    """A piece of the file ``file`` from line ``line`` on. ``name`` is what it introduces; None: not
    known, so it is kept, as directives are. ``words`` are those it may mean others by."""

    text: str
    file: str
    line: int
    name: str | None
    words: frozenset[str]


def cut(text: str, file: str, line: int = 1) -> tuple[Declaration, ...]:
    """The declarations and directives of a text without comments. Together they are the text.

    >>> text = "struct A { int a; };\\nA f() {\\n return {1};\\n}\\n"
    >>> [(d.name, d.line) for d in cut(text, "a.cuh")]
    [('A', 1), ('f', 1), (None, 4)]
    """
    found: list[Declaration] = []
    begin = depth = 0

    def end(at: int, name: str | None) -> None:
        nonlocal begin, line
        if piece := text[begin:at]:
            found.append(Declaration(piece, file, line, name, frozenset(_WORD.findall(piece))))
            line += piece.count("\n")
        begin = at

    for mark in _MARK.finditer(text):
        is_ = mark[0]
        if is_ in "{(":
            depth += 1
        elif is_ in "})":
            depth -= 1
            if is_ == "}" and depth == 0:
                head = text[begin : text.index("{", begin)]
                of_type = _BEHIND.match(head) and "(" not in _ATTRIBUTE.sub("", head)
                if not of_type and not head.rstrip().endswith("="):  # no ; follows
                    end(mark.end(), introduced(text[begin : mark.end()]))
        elif is_ == ";" and depth == 0:
            end(mark.end(), introduced(text[begin : mark.end()]))
        elif is_.lstrip().startswith("#") and depth == 0 and not text[begin : mark.start()].strip():
            end(mark.start(), None)
            end(mark.end(), None)
    end(len(text), None)
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


def needed(all_of: Sequence[Declaration], wanted: str) -> str:
    """The text of the declarations that those named in ``wanted`` rest on, each in its line."""
    by_name: dict[str, list[Declaration]] = {}
    for one in all_of:
        if one.name is not None:
            by_name.setdefault(one.name, []).append(one)
    kept: set[int] = set()
    words: set[str] = set()

    def follow(new: Iterable[str]) -> None:
        todo = list(new)
        while todo:
            word = todo.pop()
            if word in words:
                continue
            words.add(word)
            for one in by_name.get(word, ()):
                if id(one) not in kept:
                    kept.add(id(one))
                    todo += one.words

    follow([*IMPLIED, *_WORD.findall(wanted)])
    for one in all_of:
        if one.name is None:
            follow(one.words)
    out: list[str] = []
    place: tuple[str, int] | None = None  # where g++ would say that it is
    for one in all_of:
        if not one.text.strip() or (one.name is not None and id(one) not in kept):
            continue
        if place != (one.file, one.line):
            out.append(f'\n#line {one.line} "{one.file}"\n')
        out.append(one.text)
        place = one.file, one.line + one.text.count("\n")
    return "".join(out)
