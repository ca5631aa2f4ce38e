"""The graphs that follow from a graph alone: parts of it, its reverse, the undirected graph, and a
copy on one process of a cluster.

Each is a few statements over the adjacency matrix, where that is stored; the given graph stays as
it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.convert.edges import expect_known
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, brief
from lagraph_gpu.graph.export import GraphExport
from lagraph_gpu.graph.joined import joined
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.notation.indexing import repeats
from lagraph_gpu.notation.matrix import symmetric, transposes
from lagraph_gpu.notation.operation import operation
from semirings.types import BOOL

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend
    from lagraph_gpu.graph import Graph


@operation
def principal_submatrix(A: Matrix, chosen: np.ndarray) -> Matrix:
    """The rows and columns of a square matrix at these different ids (INT64), in their order."""
    return A[chosen, chosen].new()  # type: ignore[no-any-return]


@guard_methods
class GraphDerived(GraphExport):
    """The methods that make another graph of a graph."""

    if TYPE_CHECKING:

        @classmethod
        def _checked(
            cls, A: Matrix, directed: bool, ids: Vector | None = None,
            original_n: int | None = None, weighted: bool | None = None,
        ) -> Graph: ...  # fmt: skip

    def _gathered_on(self, root: int, target: Backend) -> Graph | None:
        """This graph of the cluster on a backend of process `root`; None on others."""
        self.expect_sound()
        weighted, data = self.weighted, self.edge_data if self._edge_data else None  # all look
        A = self.A.to(target, root=root)
        ids = None if self.ids is None else self.ids.to(target, root=root)
        if A is None:
            return None
        made = self._checked(A, self.directed, ids, self.original_n, weighted)
        if data:
            made.edge_data.update(data)
        return made._like(self, edges=False)

    def subgraph(self, vertices: Iterable[int] | np.ndarray | Vector) -> Graph:
        """The subgraph of some vertices: all edges between two of them.

        Parameters
        ----------
        vertices : list, array or Vector
            Different vertices. Those of a vector are the positions of its entries. A vector of BOOL
            with a False is refused.

        Returns
        -------
        Graph
            Vertex i of it is the i-th of `vertices`. `ids` of the result holds them, so
            `H.to_original(v)` translates a vector over the subgraph into one over this graph, and
            `H.from_original(v)` the reverse. (Of a relabelled graph `ids` holds the ids before.)

        Raises
        ------
        IndexOutOfBound
            An id is not a vertex of the graph.
        InvalidValue
            A vertex is given twice, or an entry is False.
        WrongType
            The ids are not integers.

        Notes
        -----
        O(n) and the sum of the degrees of the vertices, O(k log k) for k of them on the host. The
        edges stay on the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 6, 7], backend="cpu")
        >>> H = G.subgraph([3, 1, 2])
        >>> [part.tolist() for part in H.edges()], H.ids.to_dense().tolist()
        ([[1, 2], [2, 0], [6, 7]], [3, 1, 2])
        >>> H.to_original(H.out_degree).to_dict()
        {1: 1, 2: 1}
        """
        from lagraph_gpu.algorithms._shared.labels import gather
        from lagraph_gpu.algorithms._shared.source_batches import vertex_ids

        self.expect_sound()
        expect_kind(vertices, Iterable, "the vertices of a subgraph as a list of ids")
        if isinstance(vertices, Vector):
            chosen, entry = vertices.to_coo()
            expect_positions(chosen, self.n)
            if vertices.dtype == BOOL and not entry.all():
                raise InvalidValue(
                    "expected a vector without False, for its entries are the vertices of the "
                    f"subgraph, got it at {brief(self.label(chosen[~entry])[0])}; take those that "
                    'are True: .select("valuene", False).new()'
                )
        else:
            chosen = vertex_ids(self, vertices, "vertices")  # type: ignore[arg-type]
            if repeats(chosen):
                again, count = np.unique(chosen, return_counts=True)
                raise InvalidValue(
                    f"expected different vertices, got {self.label(again[count > 1])[0]!r} more "
                    "than once; take numpy.unique of them"
                )
        A = principal_submatrix(self.A, chosen)
        ids = Vector.from_dense(chosen, backend=self.A.backend)
        ids = ids if self.ids is None else gather(self.ids, ids)
        return self._derived(A, self.directed, ids, self.original_n, order=chosen)

    def reverse(self) -> Graph:
        """The graph with each edge turned round.

        Returns
        -------
        Graph
            A directed graph on the same vertices. An undirected graph is its own reverse.

        Notes
        -----
        O(n + m), where the graph is stored. The two graphs know each other's matrix as their
        transpose, which no search computes again.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend="cpu")
        >>> [part.tolist() for part in G.reverse().edges()]
        [[1, 2], [0, 1], [5, 6]]
        """
        self.expect_sound()
        if not self.directed:
            return self  # type: ignore[return-value]
        _, A = transposes(self.A, self.A.T.new())
        return self._checked(A, True, self.ids, self.original_n)._like(self, turned=True)

    def to_undirected(self, dup: Dup = "error") -> Graph:
        """The undirected graph with the edges of this one.

        Parameters
        ----------
        dup : {"error", "min", "sum", "first", "last"}, optional
            What the weight is where there are edges in both directions: with "error" their weight,
            which must be the same; else the smaller one, the sum, or that of the edge from the
            smaller id to the larger ("first") or of the other one ("last").

        Returns
        -------
        Graph
            An undirected graph on the same vertices, with the data of the edges whose weights it
            has (see `edge_data`). An undirected graph is returned as it is.

        Raises
        ------
        DuplicateEdges
            Two opposite edges have different weights, and `dup` is "error".
        InvalidValue
            `dup` is unknown, or a sum does not fit the type of the weights.

        Notes
        -----
        O(n + m), where the graph is stored. A loop stays one edge, with its weight.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 2], [1, 0, 1], [5, 6, 7], backend="cpu")
        >>> [part.tolist() for part in G.to_undirected("sum").edges()]
        [[0, 1], [1, 2], [11, 7]]
        """
        expect_known(dup)
        self.expect_sound()
        if not self.directed:
            return self  # type: ignore[return-value]
        backward = self.A.select("tril", -1).new()
        half = joined(self.A.select("triu").new(), backward.T.new(), dup, self.label)
        A = half.ewise_add(half.T, "any").new(half.dtype)
        made = self._derived(A, False, self.ids, self.original_n, edges=False)
        if self._edge_data:
            made._fold(self._both_ways(), dup)
        return made

    def _derived(
        self, A: Matrix, directed: bool, ids: Vector | None, original_n: int,
        order: np.ndarray | None = None, edges: bool = True, weighted: bool | None = None,
    ) -> Graph:  # fmt: skip
        """A graph of a matrix, which is known to be symmetric if the graph is undirected.

        It keeps what is known of the vertices (vertex i was vertex `order[i]`), and of the edges if
        `edges` says that each is an edge of this graph. `weighted` says that it has weights in any
        case.
        """
        A = A if directed else symmetric(A)
        made = self._checked(A, directed, ids, original_n, weighted)
        return made._like(self, order, edges=edges)


def expect_positions(chosen: np.ndarray, n: int) -> None:
    """Raises IndexOutOfBound unless increasing positions are below n."""
    if chosen.size and chosen[-1] >= n:
        raise IndexOutOfBound(f"expected positions below n = {n} in a vector, got {chosen[-1]}")
