"""Docstrings as Sphinx reads them: plain text with little markup becomes reStructuredText.

The docstrings are written to be read in a terminal. What they set apart by indenting, or line up in
columns, is shown as it stands; `a name` is code, and leads to its page if the package exports it;
bars and trailing underscores mean nothing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

import lagraph_gpu

COLUMNS = re.compile(r"^\S.*\S {2,}\S", re.MULTILINE)
CODE = re.compile(r"(``.+?``|(?<![`:])`[^`]+`)", re.DOTALL)


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


def exported() -> dict[str, str]:
    """The package's functions and classes, by the names that docstrings call them."""
    named = [n for n in lagraph_gpu.__all__ if hasattr(getattr(lagraph_gpu, n), "__qualname__")]
    return {f"{prefix}{n}": f"lagraph_gpu.{n}" for n in named for prefix in ("", "lg.")}


def restructured(text: str, links: Mapping[str, str] | None = None) -> str:
    """The same text, block by block.

    >>> print(restructured("Of |x| or `y`:\\n\\n    x = 1\\n\\nend"), end="")
    Of \\|x\\| or ``y``:
    <BLANKLINE>
    ::
    <BLANKLINE>
        x = 1
    <BLANKLINE>
    end
    """
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    made: list[str] = []
    for before, block in zip(["", *blocks], blocks):
        if block.startswith((">>>", "===")):  # examples and tables are reStructuredText's own
            made.append(block)
        elif all(line.startswith("    ") for line in block.split("\n")):
            follows = before.startswith("    ") or before.endswith("::")
            made += [block] if follows else ["::", block]
        elif "\n" in block and COLUMNS.search(block):
            made += ["::", "\n".join("    " + line for line in block.split("\n"))]
        else:
            made.append(inline(block, links or {}))
    return "\n\n".join(made) + "\n"


def inline(paragraph: str, links: Mapping[str, str]) -> str:
    """Backquotes mean code, or a link; what reStructuredText would take for markup is escaped."""

    def code(text: str) -> str:
        return f":py:obj:`{text} <{links[text]}>`" if text in links else f"``{text}``"

    parts = CODE.split(paragraph)
    parts[1::2] = [code(part.strip("`")) for part in parts[1::2]]
    parts[::2] = [re.sub(r"(\||(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
