"""LDBC Graphalytics graphs: vertices in `NAME.v`, edges in `NAME.e`; and adjacency lists.

::

    NAME.v  2           one vertex a line, a whole number from 0 to 2^62 - 1
    NAME.e  2 5 0.5     source, target, perhaps a weight

Vertices are numbered 0 to n - 1 in increasing order of their names in the file, so "the smallest
label" means the same in both; `ids` holds the names. Neither file says whether edges have a
direction: they are directed unless `NAME.properties` says `graph.NAME.directed = false`. All three
are written.

The validation graphs of the benchmark exist as adjacency lists too (`format="adjacency"`): each
line lists a vertex and then its neighbours.

Source: The LDBC Graphalytics Benchmark, 2.2.2, https://arxiv.org/abs/2011.15028.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import MAX_VERTICES, EdgeList, Ids
from lagraph_gpu.errors import FormatError, InvalidValue, NoSuchFile
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io.adjacency import read_lines
from lagraph_gpu.io.stream import COMPRESSED, Source
from lagraph_gpu.io.table import (
    Columns,
    Number,
    NumberedRows,
    read_rows,
    repeated,
    without_comments,
    wrong_id,
)
from lagraph_gpu.notation.indexing import distinct

ANY_ID = 2**62


def read(source: Source) -> EdgeList:
    """The graph of a pair of `.v` and `.e` files, of which `source` is one.

    Raises FormatError if the other file is missing, a vertex is listed twice, an end of an edge is
    not listed in `.v`, or a line is malformed.
    """
    stem = _stem(source)
    partner = stem + (".e" if source.extension == ".v" else ".v") + _compression(source.path)
    if not os.path.exists(partner):
        held = "edges" if source.extension == ".v" else "vertices"
        own = f"there is no such file, which holds the {held} of the graph in {source.path.name!r}"
        raise NoSuchFile(own, partner)
    with Source(partner) as other:
        vertices, lines = (source, other) if source.extension == ".v" else (other, source)
        ids = _vertices(vertices)
        ends, weight, at = _edges(lines)
        place, known = _places(ids, ends)
        if not known.all():
            row, k = np.argwhere(~known)[0]
            raise lines.error(
                at.of(row),
                f"an end of this edge is vertex {ends[row, k]}, which {vertices.path.name} does "
                f"not list; add a line {ends[row, k]} there, or take this line out",
            )
        return EdgeList(
            place[:, 0],
            place[:, 1],
            None if weight is None else weight[:, 0],
            ids.size,
            ids.size,
            _directed(stem),
            str(lines.path),
            ids=ids,
        )


def read_adjacency(source: Source) -> EdgeList:
    """The directed graph of lines 'VERTEX NEIGHBOUR ...': each lists edges that leave a vertex.

    Raises FormatError, which names the first wrong line.
    """
    text = without_comments(source.rest().text, b"#")
    lines = read_lines(text, 1, weighted=False)
    if lines is None:
        raise _first_error(source, text)
    per_line, heads, neighbours, _ = lines
    ids = distinct(np.concatenate([heads, neighbours]))
    if ids.size == 0:
        raise source.error(None, "the file is empty; expected lines 'VERTEX NEIGHBOUR ...'")
    if ids[0] < 0 or ids[-1] >= ANY_ID:
        raise _first_error(source, text)
    src = np.repeat(np.searchsorted(ids, heads), per_line[per_line > 0] - 1)
    dst = np.searchsorted(ids, neighbours)
    n = ids.size
    return EdgeList(src, dst, None, n, n, True, str(source.path), ids=ids)


def files(edges: EdgeList, path: Path) -> dict[Path, Callable[[IO[bytes]], object]]:
    """The files that a graph is written to, and what writes each; `path` is the `.v` or the `.e`.

    Raises InvalidValue for another name, and for ids that are no whole numbers.
    """
    vertices, lines_of_edges, properties = places(path)
    ids = np.arange(edges.nrows) if edges.ids is None else edges.ids
    if ids.dtype.kind != "i" or (ids.size and not 0 <= ids.min() <= ids.max() < ANY_ID):
        raise InvalidValue(
            "expected whole numbers from 0 to 2^62 - 1 as ids of a graphalytics graph; write "
            "the positions of the vertices (ids=None) and keep the ids beside them"
        )
    stem = properties.name.removesuffix(".properties")
    ends = [ids[edges.src], ids[edges.dst]]
    columns = ends if edges.weight is None else [*ends, edges.weight]
    about = {
        "vertex-file": vertices.name,
        "edge-file": lines_of_edges.name,
        "meta.vertices": edges.nrows,
        "meta.edges": edges.nedges,
        "directed": str(edges.directed).lower(),
    }
    if edges.weight is not None:
        kind = "real" if edges.weight.dtype.kind == "f" else "int64"
        about |= {"edge-properties.names": "weight", "edge-properties.types": kind}
    key = re.sub(r"\s", "-", stem)
    lines = "".join(f"graph.{key}.{field} = {value}\n" for field, value in about.items())
    return {
        vertices: lambda out: write_rows(out, "", np.sort(ids)),
        lines_of_edges: lambda out: write_rows(out, "", *columns),
        properties: lambda out: out.write(lines.encode()),
    }


def places(path: Path) -> tuple[Path, Path, Path]:
    """The names of the files of vertices, edges and properties; `path` is the `.v` or the `.e`.

    Raises InvalidValue for another name.
    """
    packed = _compression(path)
    name = path.name.removesuffix(packed)
    if name[-2:] not in (".v", ".e"):
        raise InvalidValue(f"expected a name in .v or .e for graphalytics, got {path.name!r}")
    stem = name[:-2]
    return (
        path.with_name(f"{stem}.v{packed}"),
        path.with_name(f"{stem}.e{packed}"),
        path.with_name(f"{stem}.properties"),
    )


def _first_error(source: Source, text: bytes) -> FormatError:
    for number, line in enumerate(text.split(b"\n"), 1):
        for word in line.split():
            if reason := wrong_id(word, 0, ANY_ID, "renumber the vertices"):
                return source.error(number, reason)
    return source.error(None, "expected lines 'VERTEX NEIGHBOUR ...' of whole numbers")


def _compression(path: Path) -> str:
    last = path.suffix
    return last if last.lower() in COMPRESSED else ""


def _stem(source: Source) -> str:
    name = str(source.path).removesuffix(_compression(source.path))
    if source.extension not in (".v", ".e"):
        raise source.error(None, "expected a name in .v or .e, with its partner beside it")
    return name[:-2]


def _vertices(source: Source) -> Ids:
    columns = Columns("one vertex id", (ANY_ID,), base=0, comment=b"#")
    named, _, lines = read_rows(source, columns, None)
    ids = distinct(named)
    if ids.size < named.size:
        row = repeated(named[:, 0])
        raise source.error(
            lines.of(row), f"vertex {named[row, 0]} is named twice; take this line out"
        )
    if ids.size > MAX_VERTICES:
        raise source.error(None, f"{ids.size:,} vertices; at most {MAX_VERTICES:,} fit")
    return ids


def _edges(source: Source) -> NumberedRows:
    line = source.header_line(b"#")
    if line is not None:
        source.keep(line)
    width = 2 if line is None else len(line.split())
    example = "'SOURCE TARGET'" if width == 2 else "'SOURCE TARGET WEIGHT'"
    kind: Number | None = None if width == 2 else "number"
    columns = Columns(example, (ANY_ID, ANY_ID), kind, base=0, comment=b"#")
    return read_rows(source, columns, None)


def _places(ids: Ids, ends: NDArray[np.int64]) -> tuple[Ids, NDArray[np.bool_]]:
    """The position of each end among the increasing ids, and whether it is among them."""
    place = np.searchsorted(ids, ends)
    known = np.zeros(ends.shape, bool)
    inside = place < ids.size
    known[inside] = ids[place[inside]] == ends[inside]
    return place, known


def _directed(stem: str) -> bool:
    path = stem + ".properties"
    if not os.path.isfile(path):
        return True
    with Source(path, "the properties of a graph") as properties:
        while (line := properties.next_line()) is not None:
            key, _, value = map(bytes.strip, line.lower().partition(b"="))
            if re.fullmatch(rb"graph\.\S+\.directed", key) and value == b"false":
                return False
    return True
