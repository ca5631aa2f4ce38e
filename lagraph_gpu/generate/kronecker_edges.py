"""Kronecker graphs in the two steps that Graph500 times separately: draw the edges, then join them.

The drawn edges contain loops and duplicates; the graph does not. The definition draws with NumPy on
the host. A lowering of `drawn_edges` draws in the memory of its backend, by the same formula.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.edge_weights import check_weights
from lagraph_gpu.generate.kronecker_draw import draw_edges, ends
from lagraph_gpu.generate.kronecker_graph import joined
from lagraph_gpu.generate.sizes import check_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import types


class Drawn:
    """The edges of a Kronecker graph as they were drawn, on a backend.

    Parameters
    ----------
    draw : Draw
        The parameters of the graph.
    backend : Backend
        Where the edges are drawn and stored.

    Raises
    ------
    TooLarge
        The scale is above 30, and the backend has no ids of 64 bits: `Backend.large_graphs`.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.generate import Draw
    >>> from lagraph_gpu.generate.kronecker_edges import Drawn
    >>> with lg.backend("cpu") as cpu:
    ...     edges = Drawn(Draw(scale=4), cpu)
    >>> edges.ends.reduce("plus").new().value    # 2 · 16 · 2⁴
    512
    >>> G = edges.graph()
    >>> G.n, G.nedges, edges.differences(G)
    (16, 58, 0)
    """

    def __init__(self, draw: Draw, backend: Backend) -> None:
        check_ids(draw.n, backend.large_graphs)
        self.draw, self.backend = draw, backend
        self._edges = drawn_edges(backend, draw)
        self._weights: WeightKind = None
        self._joined = False

    @property
    def ends(self) -> Vector:
        """The number of ends of edges at each vertex (INT64); a loop has two.

        Read it before `graph`.
        """
        self._expect_edges()
        store = self._edges.ends()
        return Vector._stored(store, self.draw.n, types.INT64, self.backend)

    def graph(self, weights: WeightKind = None) -> Graph:
        """The undirected graph without loops and duplicates.

        Parameters
        ----------
        weights : {"integer", "uniform"}, optional
            The weights, as for `lg.kronecker`.

        Returns
        -------
        Graph
            The graph.

        Raises
        ------
        InvalidValue
            This is the second call. The first one uses the edges up, because they may fill half of
            the memory.
        """
        check_weights(weights)
        self._expect_edges()
        self._joined, self._weights = True, weights
        store = self._edges.matrix(weights)
        n, dtype = self.draw.n, types.INT32 if weights is None else types.FP32
        A = Matrix._stored(store, (n, n), dtype, self.backend)
        return Graph._checked(A, directed=False, weighted=weights is not None)

    def differences(self, G: Graph) -> int:
        """Compare a graph with the edges, which are drawn again.

        Parameters
        ----------
        G : Graph
            A graph that `graph` returned.

        Returns
        -------
        int
            0 if `G.A` is right. Otherwise the number of entries that are missing, wrong or too
            many. On a GPU a wrong entry counts as often as its edge was drawn.
        """
        return self._edges.differences(G.A._store, self._weights)

    def _expect_edges(self) -> None:
        if self._joined:
            raise InvalidValue("expected edges that are still there, but .graph() has used them up")


class HostEdges:
    """The drawn edges in the memory of the host. Every lowering has the same methods."""

    def __init__(self, backend: Backend, draw: Draw) -> None:
        self.drawing, self.backend = draw, backend
        self.pairs = draw_edges(draw)

    def ends(self) -> Any:
        """A store with the number of ends of edges at each vertex (INT64)."""
        n = self.drawing.n
        both = (np.bincount(end, minlength=n) for end in ends(self.pairs))
        counts = np.add(*both).astype(np.int64)
        return self.backend.build_vector(n, np.arange(n), counts)

    def matrix(self, weights: WeightKind) -> Any:
        """A store of the symmetric matrix without loops and duplicates. It uses the edges up."""
        edges = joined(self.drawing, self.pairs, weights)
        del self.pairs
        return Graph.from_edgelist(edges, backend=self.backend).A._store

    def differences(self, store: Any, weights: WeightKind) -> int:
        """The number of entries of the matrix, or of edges, without a partner on the other side."""
        edges = joined(self.drawing, draw_edges(self.drawing), weights)
        n = self.drawing.n
        indptr, column, value = self.backend.matrix_entries(store)
        held = np.repeat(np.arange(n), np.diff(indptr)) * n + column  # increasing
        src, dst, weight = edges.arcs()
        return unaccounted(held, value, src * n + dst, weight)


def unaccounted(
    held: np.ndarray, value: np.ndarray, wanted: np.ndarray, weight: np.ndarray | None
) -> int:
    """How many entries `held`, numbers that increase, and entries `wanted` have no partner with the
    same value on the other side.
    """
    there, at = np.isin(wanted, held), np.searchsorted(held, wanted)
    of_wanted = np.ones(wanted.size, value.dtype) if weight is None else weight
    accounted = int((value[at[there]] == of_wanted[there]).sum())
    return wanted.size + held.size - 2 * accounted


@operation
def drawn_edges(backend: Backend, draw: Draw) -> HostEdges:
    """The edges of a Kronecker graph in the memory of a backend."""
    return HostEdges(backend, draw)
