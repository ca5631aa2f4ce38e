"""LDBC Graphalytics graphs: vertices in ``NAME.v``, edges in ``NAME.e``; and its adjacency lists.

::

    NAME.v  2           one vertex a line, any whole number
    NAME.e  2 5 0.5     source, target, perhaps a weight

Vertices are numbered 0..n-1 in ascending order of what the file calls them, so that "the smallest
label" means the same in both; ``ids`` leads back. Whether edges have a direction stands in neither
file: they are directed unless ``NAME.properties`` says ``graph.NAME.directed = false``.

The benchmark's validation graphs come as adjacency lists as well (``format="adjacency"``): a
vertex, then its neighbours, on each line.

Source: The LDBC Graphalytics Benchmark, 2.2.2, https://arxiv.org/abs/2011.15028.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.indexing import distinct
from lagraph_gpu.io.adjacency import read_lines
from lagraph_gpu.io.edgelist import LARGEST_N, EdgeList, Ids
from lagraph_gpu.io.stream import Source
from lagraph_gpu.io.table import Columns, Number, Rows, read_rows, without_comments

ANY_ID = 2**62


def read(source: Source) -> EdgeList:
    """The graph of a ``.v`` and ``.e`` pair, of which `source` is either one.

    Raises FormatError for a partner that is missing, a vertex named twice, an edge whose end
    ``.v`` does not name, and malformed lines.
    """
    stem = _stem(source)
    partner = stem + (".e" if source.extension == ".v" else ".v") + _compression(source)
    with Source(partner) as other:
        vertices, lines = (source, other) if source.extension == ".v" else (other, source)
        ids = _vertices(vertices)
        ends, weight = _edges(lines)
        src, dst = (_place(lines, ids, ends[:, k], vertices) for k in (0, 1))
        return EdgeList(
            src,
            dst,
            None if weight is None else weight[:, 0],
            ids.size,
            ids.size,
            _directed(stem),
            str(lines.path),
            ids=ids,
        )


def read_adjacency(source: Source) -> EdgeList:
    """Lines 'VERTEX NEIGHBOUR ...' with any ids; directed, as each line lists what leaves it."""
    text = b"".join(block.text for block in source.blocks())
    lines = read_lines(without_comments(text, b"#"), 1, weighted=False)
    if lines is None or lines[1].size == 0:
        for number, line in enumerate(text.split(b"\n"), 1):
            if not re.fullmatch(rb"(#.*|[\s0-9]*)", line):
                message = "expected whole numbers, 'VERTEX NEIGHBOUR ...'"
                raise source.error(number, message)
        raise source.error(None, "the file is empty; expected lines 'VERTEX NEIGHBOUR ...'")
    per_line, heads, neighbours, _ = lines
    ids = distinct(np.concatenate([heads, neighbours]))
    src = np.repeat(np.searchsorted(ids, heads), per_line[per_line > 0] - 1)
    dst = np.searchsorted(ids, neighbours)
    n = ids.size
    return EdgeList(src, dst, None, n, n, True, str(source.path), ids=ids)


def _compression(source: Source) -> str:
    last = source.path.suffix
    return last if last.lower() in (".gz", ".xz") else ""


def _stem(source: Source) -> str:
    name = str(source.path).removesuffix(_compression(source))
    if source.extension not in (".v", ".e"):
        raise source.error(None, "expected a name in .v or .e, with its partner beside it")
    return name[:-2]


def _vertices(source: Source) -> Ids:
    columns = Columns("one vertex id", (ANY_ID,), base=0, comment=b"#")
    named, _ = read_rows(source, columns, None)
    ids, times = np.unique(named[:, 0], return_counts=True)
    if (times > 1).any():
        raise source.error(None, f"vertex {ids[np.argmax(times > 1)]} is named twice")
    if ids.size > LARGEST_N:
        raise source.error(None, f"{ids.size:,} vertices; at most {LARGEST_N:,} fit")
    return ids


def _edges(source: Source) -> Rows:
    line = source.next_line()
    while line is not None and not line.strip():
        line = source.next_line()
    if line is None:
        return np.empty((0, 2), np.int64), None
    source.keep(line)
    width = len(line.split())
    example = "'SOURCE TARGET'" if width == 2 else "'SOURCE TARGET WEIGHT'"
    kind: Number | None = None if width == 2 else "number"
    columns = Columns(example, (ANY_ID, ANY_ID), kind, base=0, comment=b"#")
    return read_rows(source, columns, None)


def _place(source: Source, ids: Ids, ends: NDArray[np.int64], vertices: Source) -> Ids:
    place = np.searchsorted(ids, ends)
    known = np.zeros(ends.size, bool)
    inside = place < ids.size
    known[inside] = ids[place[inside]] == ends[inside]
    if not known.all():
        missing = int(ends[np.argmin(known)])
        raise source.error(
            None,
            f"an edge names vertex {missing}, but {vertices.path.name} does not; add it",
        )
    return place


def _directed(stem: str) -> bool:
    try:
        with open(stem + ".properties", encoding="utf-8", errors="replace") as properties:
            text = properties.read()
    except OSError:
        return True
    return re.search(r"(?m)^\s*graph\.\S+\.directed\s*=\s*false\s*$", text, re.I) is None
