"""Edge lists with the names of vertices, as `named_edges` reads them back.

A heading names the columns, so that the first edge is not taken for one. Whether the names are
strings or integers is not written: strings that are all whole numbers come back as integers.
"""

from __future__ import annotations

import re
from typing import IO, Any

import numpy as np

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation, brief
from lagraph_gpu.files.atomic import CHUNK, numbers_as_text

POSITIONS = "write positions (labels=False, or --no-labels) and keep the labels beside the file"

NEVER = {",": re.compile(r"^\s|\s$"), "\t": re.compile(r"^\s|\s$|[\t\n\r]"),
         " ": re.compile(r"\s|^[#%]")}  # fmt: skip
"""What a name may not have, by the separator of the columns."""

ADVICE = {",": "strip them", "\t": "write .csv", " ": "write .csv"}
QUOTED = re.compile(r'[",\r\n]')


def write(edges: EdgeList, out: IO[bytes], separator: str) -> None:
    """Write the names of both ends, and the weight if there is one, under a heading.

    Raises InvalidValue for labels that are neither strings nor integers or that the columns cannot
    hold, and UnsupportedOperation if a vertex has no edge.
    """
    names = words(edges, separator)
    expect_ends(edges, "an edge list")
    if not edges.directed:
        out.write(b"# undirected graph\n")
    heading = ["source", "target"] + ["weight"] * (edges.weight is not None)
    out.write(f"{separator.join(heading)}\n".encode())
    for begin in range(0, edges.nedges, CHUNK):
        part = slice(begin, begin + CHUNK)
        columns: list[Any] = [names[edges.src[part]], names[edges.dst[part]]]
        if edges.weight is not None:
            columns.append(numbers_as_text(edges.weight[part]))
        out.write("".join(f"{separator.join(row)}\n" for row in zip(*columns)).encode())


def expect_ends(edges: EdgeList, what: str) -> None:
    """Raise UnsupportedOperation if a vertex has no edge, so that its name would be lost."""
    alone = np.ones(edges.nrows, bool)
    alone[edges.src] = alone[edges.dst] = False
    if alone.any():
        assert edges.ids is not None
        (first,) = edges.ids[alone][:1].tolist()
        raise UnsupportedOperation(
            f"expected an edge at each vertex, because {what} with names lists vertices by their "
            f"edges, but {alone.sum():,} of {edges.nrows:,} have none, {brief(first)} first; "
            f"write .graphml, .gexf or .gml, or {POSITIONS}"
        )


def words(edges: EdgeList, separator: str) -> np.ndarray:
    """The names as text for columns with this separator."""
    names = as_text(edges)
    for name in names:
        if not name or NEVER[separator].search(name):
            raise InvalidValue(
                f"expected names that are not empty, without blanks at their ends"
                f"{OTHERS[separator]}, got "
                f"{brief(name)}; {ADVICE[separator]}, or {POSITIONS}"
            )
    if separator == ",":
        names = [quoted(name) if QUOTED.search(name) else name for name in names]
    return np.fromiter(names, object, len(names))


OTHERS = {",": "", "\t": ", tabs and line ends", " ": " or within, and without # or % in front"}


def as_text(edges: EdgeList) -> list[str]:
    """The names as strings. Raises InvalidValue for labels of another kind."""
    assert edges.ids is not None
    names = edges.ids.tolist()
    for name in names:
        if type(name) not in (str, int):
            raise InvalidValue(
                f"expected labels that are strings or integers in a file, got {brief(name)}; make "
                f"them strings, or {POSITIONS}"
            )
        if type(name) is str and not name.isascii():
            try:
                name.encode()
            except UnicodeEncodeError:
                raise InvalidValue(
                    f"expected labels that UTF-8 can say, got {brief(name)}; {POSITIONS}"
                ) from None
    return [*map(str, names)]


def quoted(name: str) -> str:
    """A name in quotes, for a column of CSV.

    >>> quoted('a "b", c')
    '"a ""b"", c"'
    """
    return '"' + name.replace('"', '""') + '"'
