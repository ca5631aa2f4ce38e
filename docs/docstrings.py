"""Docstrings as Sphinx reads them: plain text with little markup becomes reStructuredText.

The docstrings are written to be read in a terminal. What they set apart by indenting, or line up in
columns, is shown as it stands; `a name` is code, and leads to its page if the package exports it;
bars and trailing underscores mean nothing. Sections (Parameters, Returns, ...) stay as they are
written: sphinx.ext.napoleon, which reads a docstring after this module, makes field lists of them.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from typing import Any

import lagraph_gpu

COLUMNS = re.compile(r"^\S.*\S {2,}\S", re.MULTILINE)
CODE = re.compile(r"(``.+?``|(?<![`:])`[^`]+`)", re.DOTALL)
SECTION = re.compile(r"^([A-Z][A-Za-z ]*)\n-{3,}$", re.MULTILINE)
WITH_ITEMS = ("Parameters", "Returns", "Yields", "Raises")
"""Sections that are lists: each item a line, `name : type`, and below it an indented text."""

BEFORE_NAPOLEON = 400
"""The priority of the event; that of sphinx.ext.napoleon is 500, and a smaller number is first."""

EMPTY_COMMENT = ".."
"""Shown as nothing. Napoleon takes the words before a colon in the first line of an attribute for
its type, and our first lines are sentences.
"""


def process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """The event autodoc-process-docstring: exchanges the lines in place.

    A parameter is no link, even where a function has its name; nor is what is being described.
    """
    try:
        own = set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        own = set()
    links = {n: full for n, full in exported().items() if n not in own and full != name}
    lines[:] = restructured("\n".join(lines), links).split("\n")
    if what in ("attribute", "property", "data"):
        lines[:0] = [EMPTY_COMMENT, ""]


def exported() -> dict[str, str]:
    """The package's functions and classes, by the names that docstrings call them."""
    named = [n for n in lagraph_gpu.__all__ if hasattr(getattr(lagraph_gpu, n), "__qualname__")]
    return {f"{prefix}{n}": f"lagraph_gpu.{n}" for n in named for prefix in ("", "lg.")}


def sections(text: str) -> list[tuple[str, str]]:
    """The title and the text of each section; what stands before the first has no title.

    >>> sections("Sum.\\n\\nReturns\\n-------\\nint\\n    It.")
    [('', 'Sum.'), ('Returns', 'int\\n    It.')]
    """
    first, *rest = SECTION.split(text)
    made = [("", first), *zip(rest[::2], rest[1::2])]
    return [(title, body.strip("\n")) for title, body in made]


def restructured(text: str, links: Mapping[str, str] | None = None) -> str:
    """The same text with the same sections.

    >>> print(restructured("Of |x|.\\n\\nReturns\\n-------\\n|x|\\n    Of `y`."), end="")
    Of \\|x\\|.
    <BLANKLINE>
    Returns
    -------
    \\|x\\|
        Of ``y``.
    """
    made = []
    for title, body in sections(text):
        convert = items if title in WITH_ITEMS else blocks
        heading = f"{title}\n{'-' * len(title)}\n" if title else ""
        made.append(heading + convert(body, links or {}))
    return "\n".join(made)


def items(text: str, links: Mapping[str, str]) -> str:
    """A section that is a list. The exported names in a type lead to their pages."""
    made: list[str] = []
    for item in re.split(r"\n(?=\S)", text):
        first, _, description = item.partition("\n")
        name, colon, kind = first.rpartition(" : ")
        made.append(name + colon + typed(kind, links))
        if description.strip():
            made.append(textwrap.indent(blocks(textwrap.dedent(description), links), "    "))
    return "\n".join(part.rstrip("\n") for part in made) + "\n"


def typed(kind: str, links: Mapping[str, str]) -> str:
    """A type as somebody writes it: "Vector of INT32", "int or label, optional"."""
    known = {name for name in links if name[:1].isupper()}
    marked = re.sub(
        r"(?<![`\w.])[A-Z]\w+\b", lambda m: f"`{m[0]}`" if m[0] in known else m[0], kind
    )
    return inline(marked, links)


def blocks(text: str, links: Mapping[str, str]) -> str:
    """A text of paragraphs, block by block.

    >>> print(blocks("Of |x| or `y`:\\n\\n    x = 1\\n\\nend", {}), end="")
    Of \\|x\\| or ``y``:
    <BLANKLINE>
    ::
    <BLANKLINE>
        x = 1
    <BLANKLINE>
    end
    """
    split = re.split(r"\n\s*\n", text.strip("\n"))
    made: list[str] = []
    for before, block in zip(["", *split], split):
        if block.startswith((">>>", "===")):  # examples and tables are reStructuredText's own
            made.append(block)
        elif all(line.startswith("    ") for line in block.split("\n")):
            follows = before.startswith("    ") or before.endswith("::")
            made += [block] if follows else ["::", block]
        elif "\n" in block and COLUMNS.search(block):
            made += ["::", "\n".join("    " + line for line in block.split("\n"))]
        else:
            made.append(inline(block, links))
    return "\n\n".join(made) + "\n"


def inline(paragraph: str, links: Mapping[str, str]) -> str:
    """Backquotes mean code, or a link; what reStructuredText would take for markup is escaped."""

    def code(text: str) -> str:
        return f":py:obj:`{text} <{links[text]}>`" if text in links else f"``{text}``"

    parts = CODE.split(paragraph)
    parts[1::2] = [code(part.strip("`")) for part in parts[1::2]]
    parts[::2] = [re.sub(r"(\||(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
