"""DIMACS graphs to be coloured, `.col`: undirected and unweighted.

::

    c a comment
    p edge 3 2          vertices, edges; also "p col 3 2"
    e 1 2               each edge once, ids from 1
    e 2 3

Source: Johnson, Trick (editors): Cliques, coloring, and satisfiability: second DIMACS
implementation challenge (1996).
"""

from __future__ import annotations

import re
from typing import IO

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.io.stream import Source, no_header, shown, vertex_count, whole_number
from lagraph_gpu.io.table import Columns, read_rows

EXPECTED = "the problem line 'p edge VERTICES EDGES'"


def claims(head: bytes) -> bool:
    """True if a file that starts with these bytes is such a graph."""
    return re.search(rb"\A(?:[ \t]*(?:c[^\n]*)?\r?\n)*p[ \t]+(?:edge|col)\b", head) is not None


def read(source: Source) -> EdgeList:
    """The graph of a `.col` file: undirected, without weights.

    Raises FormatError, which names the first wrong line.
    """
    line = source.header_line(b"c")
    if line is None:
        raise no_header(source, EXPECTED)
    words = line.split()
    if len(words) != 4 or words[0] != b"p" or words[1] not in (b"edge", b"col"):
        raise source.error(source.line, f"expected {EXPECTED}, came {shown(line)}")
    n = vertex_count(source, words[2])
    m = whole_number(source, words[3], "the number of edges")
    columns = Columns("'e VERTEX VERTEX'", (n, n), tag=b"e", comment=b"c")
    ids = read_rows(source, columns, m).ids
    return EdgeList(ids[:, 0], ids[:, 1], None, n, n, False, str(source.path))


def write(edges: EdgeList, out: IO[bytes]) -> None:
    """Write an undirected graph without weights."""
    if edges.directed or edges.weight is not None:
        raise CannotHold("graphs to be coloured have neither directions nor weights", "dimacs")
    out.write(f"p edge {edges.nrows} {edges.nedges}\n".encode())
    write_rows(out, "e", edges.src + 1, edges.dst + 1)
