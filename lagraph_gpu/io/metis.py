"""METIS graphs, `.graph`: line v lists the neighbours of vertex v.

::

    % a comment
    3 2 1               vertices, edges, format [, constraints]
    2 5                 vertex 1: neighbour 2 over weight 5; ids from 1
    1 5 3 7
    2 7                 (an isolated vertex has a blank line)

The digits of the format say, from the right, whether there are edge weights, vertex weights
(`constraints` of them, one by default) and vertex sizes. What belongs to vertices is read and
dropped. Every edge is on both of its lines; a loop, which METIS itself forbids, is there once. Two
dialects are recognised by counting. The 10th DIMACS challenge writes format 100 for "may have loops
or parallel edges", without sizes. GAP writes directed graphs, each arc once (read here without
vertex weights and sizes only).

Source: METIS 5.1 manual, 4.1.1, http://glaros.dtc.umn.edu/gkhome/metis/metis/overview;
10th DIMACS challenge, https://www.cc.gatech.edu/dimacs10/; GAP Benchmark Suite, `reader.h`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.edges import once
from lagraph_gpu.errors import FormatError, UnsupportedOperation
from lagraph_gpu.io import tokens
from lagraph_gpu.io.adjacency import read_lines
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.io.stream import Block, Source, no_header, shown, vertex_count, whole_number
from lagraph_gpu.io.table import without_comments, wrong_id

EXPECTED = "a first line 'VERTICES EDGES [FORMAT [CONSTRAINTS]]'"


@dataclass(frozen=True)
class Header:
    """The first line. `lead` numbers of a vertex come before its neighbours."""

    n: int
    m: int
    sizes: bool
    constraints: int
    weighted: bool

    @property
    def lead(self) -> int:
        return self.sizes + self.constraints


def read(source: Source) -> EdgeList:
    """The graph of a METIS file: undirected, unless the file lists each arc once (see above).

    Weights are int64, or float64 if some are real, or None. Raises FormatError, with the line, for
    a malformed file, for counts that differ from the header, and for an edge that is on one of its
    lines only.
    """
    header = _header(source)
    block = source.rest()
    try:
        return _read(source, header, block)
    except FormatError:
        if header.sizes and not header.constraints and not header.weighted:
            with suppress(FormatError):  # the DIMACS dialect, perhaps
                return _read(source, replace(header, sizes=False), block)
        raise


def _read(source: Source, header: Header, block: Block) -> EdgeList:
    text = without_comments(block.text, b"%", keep_lines=False)
    lines = read_lines(text, header.lead, header.weighted)
    if lines is None:
        raise _first_error(source, block, header)
    per_line, _, neighbours, weight = lines
    if (
        per_line.size < header.n
        or per_line[header.n :].any()
        or (neighbours.size and (neighbours.min() < 1 or neighbours.max() > header.n))
    ):
        raise _first_error(source, block, header)
    degree = np.maximum(per_line[: header.n] - header.lead, 0) // (1 + header.weighted)
    src = np.repeat(np.arange(header.n), degree)
    return _edges(source, header, block, src, neighbours - 1, weight)


def _edges(
    source: Source,
    header: Header,
    block: Block,
    src: NDArray[np.int64],
    dst: NDArray[np.int64],
    weight: NDArray[Any] | None,
) -> EdgeList:
    loops = int((src == dst).sum())
    n, path = header.n, str(source.path)
    if src.size + loops != 2 * header.m:
        if src.size == header.m and header.lead == 0:
            return EdgeList(src, dst, weight, n, n, True, path)
        raise source.error(
            block.first_line - 1,
            f"the header promises {header.m:,} edges, so {2 * header.m:,} neighbours (or "
            f"{header.m:,} if directed); here are {src.size:,}, {loops:,} of them loops; correct "
            "the header, or the lists",
        )
    keep, lonely = once(src, dst, weight)
    if lonely is not None:
        u, v = int(src[lonely]) + 1, int(dst[lonely]) + 1
        what = "" if weight is None else f" with weight {weight[lonely]}"
        raise source.error(
            next(islice(_vertex_lines(block), u - 1, None))[0],
            f"vertex {u} lists {v}{what}, but vertex {v} does not list {u} so; "
            "an undirected edge stands on both lines",
        )
    return EdgeList(
        src[keep], dst[keep], None if weight is None else weight[keep], n, n, False, path
    )


def _vertex_lines(block: Block) -> Iterator[tuple[int, list[bytes]]]:
    """The lines of the vertices: the number of each, and its words."""
    for number, line in enumerate(block.text.split(b"\n")[:-1], block.first_line):
        words = line.split()
        if not words or words[0][:1] != b"%":
            yield number, words


def _header(source: Source) -> Header:
    line = source.header_line(b"%")
    if line is None:
        raise no_header(source, EXPECTED)
    words = line.split()
    if len(words) not in (2, 3, 4):
        raise source.error(source.line, f"expected {EXPECTED}, came {shown(line)}")
    n = vertex_count(source, words[0])
    m = whole_number(source, words[1], "the number of edges")
    code = words[2] if len(words) > 2 else b"0"
    if len(code) > 3 or not set(code) <= set(b"01"):
        raise source.error(
            source.line,
            f"expected a format of up to three digits 0 or 1 (sizes, vertex weights, edge "
            f"weights), came {shown(code)}",
        )
    sizes, vertex_weights, edge_weights = (digit == "1" for digit in code.decode().zfill(3))
    constraints = 1
    if len(words) == 4:
        constraints = whole_number(source, words[3], "the number of vertex weights")
        if constraints > 1000:
            raise source.error(
                source.line, f"{constraints} weights a vertex; expected at most 1000"
            )
    return Header(n, m, sizes, constraints if vertex_weights else 0, edge_weights)


def _first_error(source: Source, block: Block, header: Header) -> FormatError:
    vertex = 0
    wrong_weight = tokens.wrong_number if tokens.looks_real(block.text) else tokens.wrong_integer
    for vertex, (number, words) in enumerate(_vertex_lines(block), 1):
        if vertex > header.n:
            if words:
                return source.error(
                    number, f"the header promises {header.n:,} vertices, here comes one more line"
                )
        elif words and (message := _wrong(words, header, wrong_weight)):
            return source.error(number, f"vertex {vertex}: {message}")
    return source.error(
        source.line,
        f"the header promises {header.n:,} vertices, a line each; the file ends after {vertex:,}: "
        "it was cut short, or its header is wrong",
    )


def _wrong(words: list[bytes], header: Header, wrong_weight: Any) -> str | None:
    lead, rest = words[: header.lead], words[header.lead :]
    for word in lead:
        if reason := tokens.wrong_integer(word):
            return f"its weight or size {shown(word)} {reason}"
    if len(lead) < header.lead:
        return f"expected {header.lead} weights and sizes first, came {len(words)} numbers"
    if header.weighted and len(rest) % 2:
        return f"expected pairs 'NEIGHBOUR WEIGHT', came {len(rest)} numbers"
    for k, word in enumerate(rest):
        if header.weighted and k % 2:
            if reason := wrong_weight(word):
                return f"the edge weight {shown(word)} {reason}"
        elif reason := wrong_id(word, 1, header.n, "correct it, or the header"):
            return reason
    return None


def write(edges: EdgeList, out: IO[bytes]) -> None:
    """Write an undirected graph without loops.

    Weights, real ones included, are written as they are.
    """
    if edges.directed:
        raise CannotHold("METIS graphs are undirected", "dimacs", "edgelist")
    if (edges.src == edges.dst).any():
        raise UnsupportedOperation("METIS graphs have no loops; take them out before writing")
    src, dst, weight = edges.arcs()
    order = np.lexsort((dst, src))
    columns = [(dst[order] + 1).tolist()]
    out.write(f"{edges.nrows} {edges.nedges}{'' if weight is None else ' 1'}\n".encode())
    if weight is not None:
        real = weight.dtype.kind == "f"
        columns.append(
            (weight.astype(np.float64) if real else weight.astype(np.int64))[order].tolist()
        )
    words = list(map(" ".join, zip(*(map(repr, column) for column in columns), strict=True)))
    ends = np.cumsum(np.bincount(src, minlength=edges.nrows)).tolist()
    begin = 0
    for end in ends:
        out.write((" ".join(words[begin:end]) + "\n").encode())
        begin = end
