"""DIMACS shortest-path graphs: `.gr`, and their coordinates `.co`.

::

    c a comment
    p sp 3 2            vertices, arcs
    a 1 2 803           tail, head, length; ids from 1

    p aux sp co 3       coordinates
    v 1 -73530767 41085396

Source: 9th DIMACS Implementation Challenge, http://www.diag.uniroma1.it/challenge9/format.shtml.
Lengths may be real numbers here. PACE uses the extension `.gr` too; the problem line distinguishes
the two formats.
"""

from __future__ import annotations

import os
import re
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io import coloring, pace
from lagraph_gpu.io.stream import Source, no_header, shown, vertex_count, whole_number
from lagraph_gpu.io.table import Columns, Head, read_rows, repeated
from lagraph_gpu.memory import guarded

EXPECTED = "the problem line 'p sp VERTICES ARCS'"

OTHERS = (
    ("pace", pace.FORMAT, "a PACE graph"),
    ("coloring", coloring.FORMAT, "a graph to be coloured"),
)
"""Other formats with a problem line."""


def claims(head: bytes) -> bool:
    """True if a file that starts with these bytes is a DIMACS shortest-path graph."""
    return re.search(rb"\A(?:[ \t]*(?:c[^\n]*)?\r?\n)*p[ \t]+sp\b", head) is not None


def read(source: Source) -> EdgeList:
    """The graph of a `.gr` file: directed, weights int64 (float64 if a length is not an integer).

    Raises FormatError, with the line, for anything else than the format above.
    """
    head = read_head(source)
    n = head.columns.limits[0]
    ids, weight, _ = read_rows(source, head.columns, head.promised, "arcs")
    assert weight is not None
    return EdgeList(ids[:, 0], ids[:, 1], weight[:, 0], n, n, True, str(source.path))


def read_head(source: Source) -> Head:
    """What the problem line says."""
    line = source.header_line(b"c")
    if line is None:
        raise no_header(source, EXPECTED)
    words = line.split()
    for name, other, what in OTHERS:
        if words[0] == b"p" and words[1:2] and words[1] in other.kinds:
            this = f"this is {what} ({shown(b' '.join(words[:2]))})"
            raise source.error(source.line, f"{this}: read it with format='{name}'")
    if len(words) != 4 or words[:2] != [b"p", b"sp"]:
        hint = " (or 'p tw VERTICES EDGES' of a PACE graph)" if words[0] == b"p" else ""
        raise source.error(source.line, f"expected {EXPECTED}{hint}, came {shown(line)}")
    n = vertex_count(source, words[2])
    m = whole_number(source, words[3], "the number of arcs")
    columns = Columns("'a TAIL HEAD LENGTH'", (n, n), "number", tag=b"a", comment=b"c")
    return Head(columns, (n, n), True, source.line + 1, m)


def write(edges: EdgeList, out: IO[bytes]) -> None:
    """Write every arc, an undirected edge as two. The length of an unweighted edge is 1."""
    src, dst, weight = edges.arcs()
    out.write(f"p sp {edges.nrows} {src.size}\n".encode())
    write_rows(out, "a", src + 1, dst + 1, np.ones_like(src) if weight is None else weight)


@guarded
def read_coordinates(path: str | os.PathLike[str]) -> NDArray[Any]:
    """Read the coordinates in a DIMACS `.co` file, plain or compressed (`.gz`, `.bz2`, `.xz`).

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    array of shape (n, 2)
        Row v holds the coordinates of vertex v: int64 if all are integers, otherwise float64.

    Raises
    ------
    FormatError
        The file is malformed, or a vertex is listed twice or not at all. The message names the line
        if there is one.

    Notes
    -----
    O(n).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "two.co")
    ...     _ = path.write_text("p aux sp co 2\\nv 2 30 40\\nv 1 10 20\\n")
    ...     read_coordinates(path).tolist()
    [[10, 20], [30, 40]]
    """
    expected = "the problem line 'p aux sp co VERTICES'"
    with Source(path, "a file of coordinates") as source:
        line = source.header_line(b"c")
        if line is None:
            raise no_header(source, expected)
        words = line.split()
        if len(words) != 5 or words[:4] != [b"p", b"aux", b"sp", b"co"]:
            raise source.error(source.line, f"expected {expected}, came {shown(line)}")
        n = vertex_count(source, words[4])
        columns = Columns("'v VERTEX X Y'", (n,), "number", values=2, tag=b"v", comment=b"c")
        ids, values, lines = read_rows(source, columns, n, "vertices")
        assert values is not None
        if (np.bincount(ids[:, 0], minlength=n) > 1).any():  # another vertex is missing then
            row = repeated(ids[:, 0])
            raise source.error(
                lines.of(row),
                f"vertex {ids[row, 0] + 1} has coordinates already; expected one line a vertex",
            )
    placed = np.empty_like(values)
    placed[ids[:, 0]] = values
    return placed
