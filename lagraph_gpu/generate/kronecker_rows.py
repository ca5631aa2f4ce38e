"""Kronecker graphs made row by row: vertices are numbered by falling drawn degree, and a backend
need not hold the list of edges.

The drawn degree of a vertex is the number of drawn edges at it that are no loops, duplicates
counted. It is known before any row is, so that the rows can be made in their order, a range at a
time. Vertices of equal degree with short rows are numbered by their least neighbour, so that rows
whose first columns are equal stand together. A lowering of `drawn_rows` does so; the definition
joins the list.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.convert.packed_arrays import LONGEST_SHORT
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.edge_weights import edge_weights
from lagraph_gpu.generate.kronecker_draw import NAMED_BY_RANK, draw_edges, ends
from lagraph_gpu.generate.kronecker_graph import joined
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import types


class PartOfRows(NamedTuple):
    """Of the rows those with the numbers rank, rank + size, rank + 2 · size, …"""

    rank: int
    size: int


WHOLE = PartOfRows(0, 1)


class DrawnRows:
    """A Kronecker graph by falling drawn degree, on a backend.

    Parameters
    ----------
    draw : Draw
        The parameters of the graph.
    backend : Backend
        Where the graph is stored.
    packed : bool, optional
        Whether a GPU is to store it in packed rows.
    weights : {"integer", "uniform"}, optional
        The weights, as for `lg.kronecker`.

    Raises
    ------
    TooLarge
        The scale is above 30.

    Notes
    -----
    On a cluster each process makes its own rows, of all edges, which it draws; nothing is sent.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.generate import Draw
    >>> from lagraph_gpu.generate.kronecker_rows import DrawnRows
    >>> with lg.backend("cpu") as cpu:
    ...     rows = DrawnRows(Draw(scale=4), cpu)
    >>> rows.graph.n, rows.graph.nedges, rows.ends.reduce("plus").new().value  # 2 · 16 · 2⁴
    (16, 58, 512)
    """

    def __init__(
        self, draw: Draw, backend: Backend, packed: bool = False, weights: WeightKind = None
    ) -> None:
        n = draw.n
        if needs_64_bits(n):
            raise TooLarge(
                f"expected a scale of at most {NAMED_BY_RANK} with a layout, which needs a degree "
                f"for each vertex, got {draw.scale}; leave the layout out"
            )
        made = drawn_rows(backend, draw, packed)
        self.made = made
        self.ends = Vector._stored(made.ends, n, types.UINT32, backend)
        """The number of ends of edges at each vertex (UINT32); a loop has two."""
        ids = Vector._stored(made.ids, n, types.INT64, backend)
        A = Matrix._stored(made.store, (n, n), types.INT32, backend)
        known: dict[str, Any] = {}
        if weights is not None:
            A, known = weighed(A, ids, draw, weights)
        self.graph = Graph._checked(
            A, directed=False, ids=ids, weighted=weights is not None
        )._knowing(**known)
        """The graph; its `ids` are those of `lg.kronecker`."""

    def differences(self, sampled: int) -> int:
        """How many of the first `sampled` drawn edges the graph lacks; 0 if it is right."""
        return self.made.differences(sampled)  # type: ignore[no-any-return]


class Weighed(NamedTuple):
    """A matrix with weights, and what was found out about them on the way, as a graph knows it."""

    matrix: Matrix
    known: dict[str, Any]


@operation
def weighed(A: Matrix, ids: Vector, draw: Draw, kind: WeightKind) -> Weighed:
    """The symmetric matrix with the weights that the edges have in `lg.kronecker`, where vertex i
    is ids[i].
    """
    row, column, _ = A.to_coo()
    u, v = (ids.to_dense()[end].astype(np.uint64) for end in (row, column))
    keys = np.minimum(u, v) * np.uint64(draw.n) + np.maximum(u, v)
    values = edge_weights(kind, draw.seed, keys)
    assert values is not None
    rows = compress(row, draw.n), column, values
    return Weighed(Matrix._built(A.shape, rows, A.backend, symmetric=True, iso=False), {})


def by_least_neighbour(
    order: np.ndarray, degree: np.ndarray, u: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """Refine an order by falling degree: vertices of equal degree, up to LONGEST_SHORT, are sorted
    by the least of their neighbours, as `order` numbers them, and else stay as they are. No edge
    (u, v) is a loop.

    >>> u, v = np.array([0, 0, 1]), np.array([1, 4, 2])  # 2 - 1 - 0 - 4
    >>> by_least_neighbour(np.array([1, 0, 2, 4, 3]), np.array([2, 2, 1, 0, 1]), u, v)
    array([0, 1, 2, 4, 3])
    """
    place, least = np.argsort(order), np.full(order.size, order.size)
    for one, other in ((place[u], place[v]), (place[v], place[u])):
        np.minimum.at(least, one, other)
    least[degree[order] > LONGEST_SHORT] = 0
    return order[np.lexsort((least, -degree[order]))]


class HostRows:
    """The rows in the memory of a backend that joins the list of edges. Every lowering has the same
    fields and methods."""

    def __init__(self, backend: Backend, draw: Draw, part: PartOfRows = WHOLE) -> None:
        self.draw, self.backend, self.part, n = draw, backend, part, draw.n
        u, v = ends(draw_edges(draw))
        apart = u != v
        degree, ends_at = (
            np.bincount(a, minlength=n) + np.bincount(b, minlength=n)
            for a, b in ((u[apart], v[apart]), (u, v))
        )
        order = by_least_neighbour(np.argsort(-degree, kind="stable"), degree, u[apart], v[apart])
        edges = joined(draw, draw_edges(draw), None)
        G = Graph.from_edgelist(edges, backend=backend).relabel(order)
        self.place, own = np.argsort(order), np.arange(n)[part.rank :: part.size]
        if part == WHOLE:
            self.store, self.ids = G.A._store, G.ids._store  # type: ignore[union-attr]
        else:
            self.store = G.A[own, :].new()._store
            self.ids = backend.build_vector(own.size, np.arange(own.size), order[own])
        ends_at = ends_at[order[own]].astype(np.uint32)
        self.ends = backend.build_vector(own.size, np.arange(own.size), ends_at)

    def differences(self, sampled: int) -> int:
        """How many of the first `sampled` drawn edges these rows lack; 0 if they are right."""
        u, v = (self.place[end] for end in ends(draw_edges(self.draw)[:sampled]))
        row, column, _ = self.backend.matrix_coordinates(self.store)
        n, (rank, size) = self.draw.n, self.part
        held = (row * size + rank) * n + column
        wanted = (u != v) & (u % size == rank)
        return int((~np.isin(u * n + v, held) & wanted).sum())


@operation
def drawn_rows(backend: Backend, draw: Draw, packed: bool, part: PartOfRows = WHOLE) -> Any:
    """The rows of a Kronecker graph by falling drawn degree, or a part of them. A lowering may
    store them packed.
    """
    return HostRows(backend, draw, part)
