"""Kronecker graphs made row by row: vertices are numbered by falling drawn degree, and a backend
need not hold the list of edges.

The drawn degree of a vertex is the number of drawn edges at it that are no loops, duplicates
counted. It is known before any row is, so that the rows can be made in their order, a range at a
time. A lowering of `drawn_rows` does so; the definition joins the list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.generate.generators import Draw, draw_edges, ends, joined
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import types


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

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.generate.generators import Draw
    >>> from lagraph_gpu.generate.kronecker_rows import DrawnRows
    >>> with lg.backend("cpu") as cpu:
    ...     rows = DrawnRows(Draw(scale=4), cpu)
    >>> rows.graph, rows.ends.reduce("plus").new().value    # 2 · 16 · 2⁴
    (Graph: 16 vertices, 58 edges, undirected, no weights, cpu, 512)
    """

    def __init__(self, draw: Draw, backend: Backend, packed: bool = False) -> None:
        made, n = drawn_rows(backend, draw, packed), draw.n
        self.made = made
        self.ends = Vector._stored(made.ends, n, types.UINT32, backend)
        """The number of ends of edges at each vertex (UINT32); a loop has two."""
        ids = Vector._stored(made.ids, n, types.INT64, backend)
        A = Matrix._stored(made.store, (n, n), types.INT32, backend)
        self.graph = Graph._checked(A, directed=False, ids=ids)
        """The graph; its `ids` are those of `lg.kronecker`."""

    def differences(self, sampled: int) -> int:
        """How many of the first `sampled` drawn edges the graph lacks; 0 if it is right."""
        return self.made.differences(sampled)  # type: ignore[no-any-return]


class HostRows:
    """The rows in the memory of a backend that joins the list of edges. Every lowering has the same
    fields and methods."""

    def __init__(self, backend: Backend, draw: Draw) -> None:
        self.draw, self.backend, n = draw, backend, draw.n
        u, v = ends(draw_edges(draw))
        apart = u != v
        degree, ends_at = (
            np.bincount(a, minlength=n) + np.bincount(b, minlength=n)
            for a, b in ((u[apart], v[apart]), (u, v))
        )
        order = np.argsort(-degree, kind="stable")
        edges = joined(draw, draw_edges(draw), None)
        G = Graph.from_edgelist(edges, backend=backend).relabel(order)
        self.store, self.ids = G.A._store, G.ids._store  # type: ignore[union-attr]
        self.place = np.argsort(order)
        self.ends = backend.build_vector(n, np.arange(n), ends_at[order].astype(np.uint32))

    def differences(self, sampled: int) -> int:
        """As `DrawnRows.differences`."""
        u, v = (self.place[end] for end in ends(draw_edges(self.draw)[:sampled]))
        row, column, _ = self.backend.matrix_coordinates(self.store)
        held, n = row * self.draw.n + column, self.draw.n
        return int((~np.isin(u * n + v, held) & (u != v)).sum())


@operation
def drawn_rows(backend: Backend, draw: Draw, packed: bool) -> Any:
    """The rows of a Kronecker graph by falling drawn degree. A lowering may store them packed."""
    return HostRows(backend, draw)
