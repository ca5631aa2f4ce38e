"""Generated graphs that are made in parts: each process draws ranges of edges, a piece at a time,
and sends each edge to the process that owns its row (`own_rows`), or draws all edges and keeps its
own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.cluster.construction import NO_IDS, graph_of, store_of
from lagraph_gpu.cluster.defaults import default_but
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.own_rows import Keys, OwnRows, Piece, Weights, pieces_of
from lagraph_gpu.cluster.packing import place_type
from lagraph_gpu.cluster.placed_rows import PlacedRows
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.edge_weights import edge_weights, weight_keys
from lagraph_gpu.generate.kronecker_draw import (
    NAME_BYTES,
    NAMED_BY_RANK,
    draw_edges,
    draw_pairs,
    ends,
    vertex_names,
)
from lagraph_gpu.generate.kronecker_edges import drawn_edges, unaccounted
from lagraph_gpu.generate.kronecker_rows import WHOLE, PartOfRows, drawn_rows
from lagraph_gpu.generate.sizes import numbers_of_part
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.expressions import Shape
from semirings import BINARY
from semirings.types import INT64


def made_in_parts(backend: Any, make: Callable[..., EdgeList], about: int) -> Graph:
    """Implements `lagraph_gpu.io.load.made_in_parts`: each process makes parts."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement("made_in_parts"):
        count = pieces_of(max(0, about), distribution.size)
        first = make(part=(distribution.rank, count))

        def piece(number: int) -> Piece:
            edges = first if number == distribution.rank else make(part=(number, count))
            return Piece(edges.src, edges.dst, edges.weight)

        n, directed = first.nrows, first.directed
        expect_part(distribution, n, first.src.size * count * (1 if directed else 2))
        made = OwnRows(distribution, count, piece, n, not directed, about)
        rows, iso = made.rows("error")
        return graph_of(backend, n, rows, iso, directed, made.weighted, made.places)


def expect_part(distribution: Distribution, n: int, entries: int, beside: int = 0) -> None:
    """Raises TooLarge if the parts of this host of so many entries between n vertices do not fit
    into its memory by their columns alone, with so many bytes beside each. Nobody takes any before
    all have looked."""
    own = entries // distribution.size
    wanted = place_type(n).itemsize * own + beside
    expect_room(
        wanted, f"a part of about {own:,} entries", "make a smaller graph",
        wanted * distribution.comm.transport.local_size,
    )  # fmt: skip
    distribution.comm.agree()


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
        with self.distribution.comm.statement("DrawnOnDevice"):
            self.edges = drawn_edges(self.distribution.local, draw)

    def ends(self) -> Distributed:
        """A store with the number of ends of edges at each vertex (INT64)."""
        with self.distribution.comm.statement("ends"):
            return self._own(self.edges.ends(), (self.drawing.n,), np.dtype(np.int64))

    def matrix(self, weights: WeightKind) -> Distributed:
        """A store of the symmetric matrix without loops and duplicates. It uses the edges up."""
        with self.distribution.comm.statement("matrix"):
            return self._matrix(self.edges, weights)

    def differences(self, store: Distributed, weights: WeightKind) -> int:
        """The number of entries of the matrix without a partner in one that is made anew."""
        with self.distribution.comm.statement("differences"):
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
        with distribution.comm.statement("DistributedRows"):
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
        with self.distribution.comm.statement("differences"):
            return self.distribution.totals(self.made.differences(sampled))[0]


class DistributedEdges:
    """The edges of a Kronecker graph, which processes draw in pieces whenever they are needed: see
    `HostEdges`."""

    def __init__(self, backend: Any, draw: Draw) -> None:
        self.drawing, self.distribution = draw, backend.distribution
        self.count = pieces_of(draw.count, backend.distribution.size)
        with self.distribution.comm.statement("DistributedEdges"):
            by_rank = draw.scale <= NAMED_BY_RANK
            expect_part(
                self.distribution, draw.n, 2 * draw.count, NAME_BYTES * draw.n if by_rank else 0
            )
            self.names = vertex_names(draw) if by_rank else None

    def _piece(self, number: int) -> Piece:
        """A range of the edges as they were drawn."""
        numbers = numbers_of_part(self.drawing.count, (number, self.count))
        if self.names is None:
            return Piece(*draw_pairs(self.drawing, numbers), None)
        return Piece(*ends(draw_edges(self.drawing, numbers=numbers, name=self.names)), None)

    def _without_loops(self, number: int) -> Piece:
        u, v, _ = self._piece(number)
        proper = u != v
        return Piece(u[proper], v[proper], None)

    def ends(self) -> Distributed:
        """A store with the number of ends of edges at each vertex (INT64)."""
        distribution, n = self.distribution, self.drawing.n
        with distribution.comm.statement("ends"):
            placed = PlacedRows(distribution, 2 * self.drawing.count)
            placed.hold(n)
            for first in range(0, self.count, distribution.size):
                number = first + distribution.rank
                made = self._piece(number) if number < self.count else Piece(NO_IDS, NO_IDS, None)
                placed.count(np.concatenate(made[:2]))
            if placed.listed is not None:
                counts, zero = placed.listed.lengths(), np.zeros(1, np.int64)
                return default_but(distribution, n, placed.listed.places, counts, zero)
            found = placed.ends[2:]
            part = distribution.local.build_vector(found.size, np.arange(found.size), found)
            return Distributed(distribution.handle(part, (found.size,), found.dtype), (n,))

    def matrix(self, weights: WeightKind) -> Distributed:
        """A store of the symmetric matrix without loops and duplicates."""
        with self.distribution.comm.statement("matrix"):
            made = self._own_rows()
            rows, iso = made.rows("first", self._kind(weights))
            return store_of(self.distribution, made.n, rows, iso, True, made.places)[0]

    def differences(self, store: Distributed, weights: WeightKind) -> int:
        """The number of entries of the matrix, or of edges, without a partner on the other side."""
        distribution, n = self.distribution, self.drawing.n
        with distribution.comm.statement("differences"):
            made = self._own_rows()
            (begins, column, weight), iso = made.rows("first", self._kind(weights))
            own = made.placed.rows(0, begins.size - 1)
            place, at, value = distribution.listed(store.part)
            rows = place * distribution.size + distribution.rank, np.repeat(own, np.diff(begins))
            keys = Keys(np.concatenate(rows), np.concatenate((at, column)), n).key
            held, wanted = np.split(keys, [place.size])
            return distribution.totals(unaccounted(held, value, wanted, None if iso else weight))[0]

    def _own_rows(self) -> OwnRows:
        """The rows of this process, which are yet to be made."""
        draw = self.drawing
        return OwnRows(self.distribution, self.count, self._without_loops, draw.n, True, draw.count)

    def _kind(self, weights: WeightKind) -> Weights | None:
        """How weights follow from edges, if there are any."""
        return None if weights is None else partial(weights_of, self.drawing, weights)


def weights_of(draw: Draw, kind: WeightKind, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The weights of the edges from lower to higher ids."""
    weight = edge_weights(kind, draw.seed, weight_keys(low, high, draw.n))
    assert weight is not None
    return weight
