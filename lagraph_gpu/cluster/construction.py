"""Graphs that are made in parts: each process reads a range of a file or draws a range of edges,
and sends each edge to the process that owns its row, by one exchange of all with all.

An edge of an undirected graph goes to the owners of both its ends. So the owner of a
row has all lines about its edges, in the order of the file, and merges duplicates there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.packing import as_bytes, merged
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.edges import merge, once
from lagraph_gpu.convert.options import Dup, FileFormat
from lagraph_gpu.errors import DuplicateEdges, InvalidValue
from lagraph_gpu.generate.generators import Draw, WeightKind, draw_edges, ends, joined
from lagraph_gpu.generate.kronecker_edges import drawn_edges, unaccounted
from lagraph_gpu.generate.kronecker_rows import WHOLE, PartOfRows, drawn_rows
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.graph import made_with
from lagraph_gpu.io import edge_lines, read_edges
from lagraph_gpu.io.formats import format_of
from lagraph_gpu.io.parts import FilePart
from lagraph_gpu.io.stream import HEAD, Source, as_path
from lagraph_gpu.io.table import read_rows
from lagraph_gpu.names.frames import EdgeColumns
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.expressions import Shape
from semirings import BINARY
from semirings.types import INT64

ONE = np.ones(1, np.int32)
"""The weight of every edge of a graph without weights."""

RANGE = 1 << 19
"""So many edges are sent at a time, of which there are several copies meanwhile."""


# --- from a file ---------------------------------------------------------------------------------
def graph_in(
    backend: Any,
    path: Any,
    directed: bool | None,
    dup: Dup,
    format: FileFormat | None,
    labels: bool,
    columns: EdgeColumns,
) -> Graph:
    """Implements `lagraph_gpu.io.load.graph_in`: a plain edge list in parts, others as a whole."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement():
        path = as_path(path)
        head = None
        with Source(path) as source:
            if path.is_file():
                expect_same_file(distribution.comm, path)
            form = format_of(source, format).read
            in_lines = form in (edge_lines.read, edge_lines.read_rows_below)
            if in_lines and source.plain and path.is_file() and not (labels or columns.given):
                head = edge_lines.read_head(source, top=form is edge_lines.read_rows_below)
        if head is None or (head.shape and head.shape[0] != head.shape[1]):
            edges = read_edges(path, format, labels=labels, **columns._asdict())
            return Graph.from_edgelist(edges, dup, directed=directed, backend=backend)
        edges = part_of_file(distribution, path, head)
        directed = expect_flag(head.directed if directed is None else directed, "directed")
        try:
            return graph_of(backend, edges, directed, dup)
        except DuplicateEdges as twice:
            raise DuplicateEdges(f"{path}, ids counted from 0: {twice}") from None


def expect_same_file(comm: Communicator, path: Path) -> None:
    """Raise InvalidValue if the size or the first bytes of the file differ between processes."""
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(HEAD)).hexdigest()[:16]
    texts = comm.texts(f"one of {os.path.getsize(path):,} bytes (digest {digest})")
    other = next((rank for rank, text in enumerate(texts) if text != texts[0]), None)
    if other is not None:
        raise InvalidValue(
            f"expected the same file {path} on all processes, got {texts[0]} on process 0 and "
            f"{texts[other]} on process {other}; copy it to all hosts, or to where all see it"
        )


def part_of_file(distribution: Distribution, path: Path, head: edge_lines.Head) -> EdgeList:
    """The edges in the range of bytes of this process, with ids and weights that fit all ranges."""
    part = FilePart(path, distribution.rank, distribution.size, head.first)
    ids, table, _ = read_rows(part, head.columns, None)
    weight = None if table is None else table[:, 0]
    real = weight is not None and weight.dtype.kind == "f"
    tops = distribution.comm.values(np.array([ids.max(initial=-1), real], np.int64)).reshape(-1, 2)
    n = head.shape[0] if head.shape else int(tops[:, 0].max()) + 1
    if weight is not None and not real and tops[:, 1].any():
        exact, weight = weight, weight.astype(np.float64)
        if (np.abs(exact) > 2**53).any():
            raise part.error(
                None,
                "holds integers beyond 2^53 beside real weights, which lose digits as FP64; write "
                "all weights as integers, or scale them",
            )
    return EdgeList(ids[:, 0], ids[:, 1], weight, n, n, head.directed, str(path))


# --- to its owner --------------------------------------------------------------------------------
def graph_of(backend: Any, edges: EdgeList, directed: bool, dup: str) -> Graph:
    """The graph of the edges that all processes have, as `Graph.from_edgelist` makes it of all."""
    distribution, n = backend.distribution, edges.nrows
    weighted = made_with(edges.weight is not None, dup)
    src, dst, weight = edges.arcs() if directed else (edges.src, edges.dst, edges.weight)
    if weight is None and dup == "sum":
        weight = np.ones(src.size, np.int32)
    arrays = [src, dst] if weight is None else [src, dst, weight]
    src, dst, *more = sent_to_owners(
        distribution, arrays, lambda part: (src[part], dst[part]), not directed
    )
    if edges.directed and not directed:
        keep, lonely = once(src, dst, more[0] if more else None)
        if not any(distribution.totals(lonely is not None)):
            src, dst, *more = (array[keep] for array in (src, dst, *more))
    if not directed:
        src, dst = np.minimum(src, dst), np.maximum(src, dst)
    key, value = merge(src * n + dst, more[0] if more else ONE, dup, n, iso=not more)
    src, dst = np.divmod(key, max(n, 1))
    own = EdgeList(src, dst, value if more else None, n, n, directed)
    store, dtype = store_of(distribution, own)
    A = Matrix._stored(store, (n, n), dtype, backend)
    return Graph._checked(A, directed, weighted=weighted)


def sent_to_owners(
    distribution: Distribution, arrays: list[np.ndarray],
    ends_of: Callable[[slice], tuple[np.ndarray, np.ndarray]], both: bool,
) -> list[np.ndarray]:  # fmt: skip
    """The edges whose first end, or one of `both`, this process owns, with what these arrays say of
    each: those of process 0 first, in their order. A range of edges is sent at a time."""
    rounds = distribution.comm.values(np.array([-(-arrays[0].size // RANGE)])).max()
    come: list[list[list[np.ndarray]]] = [[] for _ in range(distribution.size)]
    for number in range(max(1, int(rounds))):
        part = slice(number * RANGE, (number + 1) * RANGE)
        (src, dst), held = ends_of(part), [array[part] for array in arrays]
        to = src % distribution.size
        if both:
            to, held = to_both_ends(distribution, src, dst, held)
        for lists, received in zip(come, distribution.sent(to, held), strict=True):
            lists.append(received)
    return merged([received for lists in come for received in lists])


def to_both_ends(
    distribution: Distribution, src: np.ndarray, dst: np.ndarray, arrays: list[np.ndarray]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Where each edge goes, and what of it, if the owners of both ends are to have it."""
    one, other = src % distribution.size, dst % distribution.size
    at = np.repeat(np.arange(src.size), 1 + (one != other))
    second = at == np.append(-1, at[:-1])
    return np.where(second, other[at], one[at]), [array[at] for array in arrays]


def store_of(distribution: Distribution, edges: EdgeList) -> tuple[Distributed, np.dtype]:
    """The store of such a graph, and the type of its weights."""
    row, column, values = own_entries(distribution, edges)
    shape = edges.nrows, edges.ncols
    own = distribution.part_shape(shape)
    held, iso = (ONE, True) if values is None else (values, False)
    part = distribution.local.build_coordinates(own, row // distribution.size, column, held, iso)
    return Distributed(
        distribution.handle(part, own, held.dtype), shape, not edges.directed
    ), held.dtype


def own_entries(
    distribution: Distribution, edges: EdgeList
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The entries of the adjacency matrix in the rows of this process, in order. Without values
    these are numbers that NumPy sorts in place."""
    if edges.weight is None:
        key = own_keys(distribution, edges)
        key.sort()
        return *np.divmod(key, max(1, edges.ncols)), None
    row, column, values = edges.arcs()
    mine = np.flatnonzero(distribution.owns(row))
    mine = mine[np.lexsort((column[mine], row[mine]))]
    return row[mine], column[mine], None if values is None else values[mine]


def own_keys(distribution: Distribution, edges: EdgeList) -> np.ndarray:
    """The entries of the adjacency matrix in the rows of this process, each as row · ncols +
    column. A loop is one entry."""
    src, dst, n = edges.src, edges.dst, edges.ncols
    mine = distribution.owns(src)
    there = src[mine] * n + dst[mine]
    if edges.directed:
        return there
    mine = distribution.owns(dst) & (src != dst)
    return np.append(there, dst[mine] * n + src[mine])


# --- from a generator ----------------------------------------------------------------------------
def made_in_parts(backend: Any, make: Callable[..., EdgeList]) -> Graph:
    """Implements `lagraph_gpu.io.load.made_in_parts`: each process makes a part."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement():
        edges = make(part=(distribution.rank, distribution.size))
        return graph_of(backend, edges, edges.directed, "error")


def drawn(backend: Any, draw: Draw) -> Any:
    """Implements `lagraph_gpu.generate.kronecker_edges.drawn_edges`."""
    device = backend.distribution.vector_exchange is not None
    return DrawnOnDevice(backend, draw) if device else DistributedEdges(backend, draw)


class DrawnOnDevice:
    """The edges as each process draws all of them on its device, where that takes little time; it
    keeps the rows that it owns.
    """

    def __init__(self, backend: Any, draw: Draw) -> None:
        self.drawing, self.distribution = draw, backend.distribution
        with self.distribution.comm.statement():
            self.edges = drawn_edges(self.distribution.local, draw)

    def ends(self) -> Distributed:
        """A store with the number of ends of edges at each vertex (INT64)."""
        with self.distribution.comm.statement():
            return self._own(self.edges.ends(), (self.drawing.n,), np.dtype(np.int64))

    def matrix(self, weights: WeightKind) -> Distributed:
        """A store of the symmetric matrix without loops and duplicates. It uses the edges up."""
        with self.distribution.comm.statement():
            return self._matrix(self.edges, weights)

    def differences(self, store: Distributed, weights: WeightKind) -> int:
        """The number of entries of the matrix without a partner in one that is made anew."""
        with self.distribution.comm.statement():
            again = self._matrix(drawn_edges(self.distribution.local, self.drawing), weights).part
            same = BINARY["eq"](store.part & again).new(INT64).reduce("plus").new().get(0)
            return self.distribution.totals(store.part.nvals + again.nvals - 2 * same)[0]

    def _matrix(self, edges: Any, weights: WeightKind) -> Distributed:
        store, n = edges.matrix(weights), self.drawing.n
        made = self._own(store, (n, n), store.dtype)
        made.symmetric = True
        return made

    def _own(self, store: Any, shape: Shape, dtype: np.dtype) -> Distributed:
        """The rows of this process of what it has made as a whole."""
        return Distributed(
            self.distribution.in_local_shape(self.distribution.handle(store, shape, dtype)), shape
        )


class DistributedRows:
    """The rows of a Kronecker graph that each process owns, made by its local backend of all edges,
    which all of them draw. Nothing is sent."""

    def __init__(self, backend: Any, draw: Draw, packed: bool, part: PartOfRows = WHOLE) -> None:
        distribution: Distribution = backend.distribution
        self.distribution, n = distribution, draw.n
        with distribution.comm.statement():
            own = PartOfRows(distribution.rank, distribution.size)
            self.made = drawn_rows(distribution.local, draw, False, own)
            self.store = self._own(self.made.store, (n, n), np.dtype(np.int32))
            self.store.symmetric = True
            self.ids = self._own(self.made.ids, (n,), np.dtype(np.int64))
            self.ends = self._own(self.made.ends, (n,), np.dtype(np.uint32))

    def _own(self, store: Any, shape: Shape, dtype: np.dtype) -> Distributed:
        part = self.distribution.part_shape(shape)
        return Distributed(self.distribution.handle(store, part, dtype), shape)

    def differences(self, sampled: int) -> int:
        """As `DrawnRows.differences`."""
        with self.distribution.comm.statement():
            return self.distribution.totals(self.made.differences(sampled))[0]


class DistributedEdges:
    """A range of the edges of a Kronecker graph for each process: see `HostEdges`."""

    def __init__(self, backend: Any, draw: Draw) -> None:
        self.drawing, self.backend, self.distribution = draw, backend, backend.distribution
        self.pairs = self._drawn()

    def _drawn(self) -> np.ndarray:
        rank, size, count = self.distribution.rank, self.distribution.size, self.drawing.count
        with self.distribution.comm.statement():
            return draw_edges(self.drawing, numbers=range(count * rank // size,
                                                          count * (rank + 1) // size))  # fmt: skip

    def ends(self) -> Distributed:
        """A store with the number of ends of edges at each vertex (INT64)."""
        distribution, n = self.distribution, self.drawing.n
        with distribution.comm.statement():
            counts = np.add(*(np.bincount(end, minlength=n) for end in ends(self.pairs)))
            sent = [
                as_bytes(counts[rank :: distribution.size]) for rank in range(distribution.size)
            ]
            found = np.sum([part.view(np.int64) for part in distribution.comm.all_to_all(sent)], 0)
            part = distribution.local.build_vector(found.size, np.arange(found.size), found)
            return Distributed(distribution.handle(part, (found.size,), found.dtype), (n,))

    def matrix(self, weights: WeightKind) -> Distributed:
        """A store of the symmetric matrix without loops and duplicates. It uses the edges up."""
        pairs = self.pairs
        del self.pairs
        with self.distribution.comm.statement():
            return store_of(self.distribution, self._joined(pairs, weights))[0]

    def differences(self, store: Distributed, weights: WeightKind) -> int:
        """The number of entries of the matrix, or of edges, without a partner on the other side."""
        distribution, n = self.distribution, self.drawing.n
        with distribution.comm.statement():
            row, column, weight = own_entries(distribution, self._joined(self._drawn(), weights))
            place, at, value = distribution.listed(store.part)
            held = (place * distribution.size + distribution.rank) * n + at
            return distribution.totals(unaccounted(held, value, row * n + column, weight))[0]

    def _joined(self, pairs: np.ndarray, weights: WeightKind) -> EdgeList:
        """The edges of which this process owns an end, each once."""
        (arrived,) = sent_to_owners(
            self.distribution, [pairs], lambda part: ends(pairs[part]), both=True
        )
        return joined(self.drawing, arrived, weights)
