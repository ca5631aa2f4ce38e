"""What is read of a graph: its edges, neighbours and degrees.

Arrays on the device are made there by statements: the source of each edge is the matrix of row
numbers on the pattern of A.
"""

from __future__ import annotations

import sys
from inspect import isfunction, signature
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from lagraph_gpu.convert.options import Vertex
from lagraph_gpu.errors import did_you_mean
from lagraph_gpu.graph.facts import rows_are_listed
from lagraph_gpu.memory import guard_methods, light
from lagraph_gpu.names.named import Named
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.operation import operation
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.graph import Graph


HERE = {
    **dict.fromkeys(("number_of_nodes", "order", "vcount"), "G.n"),
    **dict.fromkeys(("number_of_edges", "size", "ecount"), "G.nedges"),
    "nodes": "G.labels, or range(G.n) without labels", "is_directed": "G.directed",
    "add_node": "G.add_edges, in which n=… or new labels make vertices",
    "remove_node": "G.subgraph of the others", "copy": "copy.copy(G), but a graph never changes",
    **dict.fromkeys(("adj", "successors"), "G.neighbors(v)"),
    "predecessors": "G.reverse().neighbors(v)",
}  # fmt: skip
"""What is here that graphs of NetworkX and igraph have under other names."""


@guard_methods
class GraphQueries(Named):
    """The methods that read a graph."""

    ids: Vector | None
    original_n: int

    if TYPE_CHECKING:  # the facts that a graph keeps

        @property
        def n(self) -> int: ...
        @property
        def weighted(self) -> bool: ...
        def vertex(self, v: Any, what: str = "vertex") -> int: ...
        def kept(self, compute: Any) -> Any: ...
        def expect_sound(self) -> None: ...

    if not TYPE_CHECKING:  # which knows all attributes there are

        def __getattr__(self, name: str) -> Any:
            """For names that graphs do not have: an algorithm is a function, not a method."""
            made = getattr(sys.modules["lagraph_gpu"], name, None)
            takes = [*signature(made).parameters] if isfunction(made) else []
            hint = f"; it is a function: lg.{name}(G)" if takes[:1] == ["G"] else ""
            if name in HERE:
                hint = f"; here it is {HERE[name]}"
            hint = hint or did_you_mean(name, (n for n in dir(type(self)) if n[0] != "_"), str)
            raise AttributeError(f"'Graph' object has no attribute {name!r}{hint}")

    @overload
    def edges(
        self, *, device: Literal[False] = False
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    @overload
    def edges(self, *, device: bool) -> tuple[Any, Any, Any]: ...
    def edges(self, *, device: bool = False) -> tuple[Any, Any, Any]:
        """The edges as three arrays: the source, the target and the weight of each.

        Parameters
        ----------
        device : bool, optional
            Whether to return arrays on the device of the graph: CuPy arrays on the GPU. Do not
            write to them. By default NumPy arrays.

        Returns
        -------
        source, target : array of INT64
            The ends of each edge, by increasing source and then target. An undirected edge is
            listed once, with the smaller end as its source; a loop is listed once.
        weight : array
            The weight of each edge, which is 1 in a graph without weights.

        Notes
        -----
        O(m). The call waits for the device. With `device=True` nothing is copied to the host.

        `Graph.from_edges` makes the same graph of them, if it is told `n` and `directed`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([1, 2], [0, 2], [5, 7], directed=False, backend="cpu")
        >>> [array.tolist() for array in G.edges()]
        [[0, 2], [1, 2], [5, 7]]
        """
        self.expect_sound()
        once = self.A if self.directed else self.A.select("triu").new()
        return entries(once, expect_flag(device, "device"))

    @light
    def neighbors(self, v: Vertex) -> Vector:
        """The vertices to which an edge leads from a vertex, with the weights of these edges.

        Parameters
        ----------
        v : int
            The vertex.

        Returns
        -------
        Vector
            The row of the adjacency matrix: at each neighbour the weight of the edge to it. A loop
            over it gives the neighbours by increasing id, and `len(list(...))` or `.nvals` their
            number.

        Raises
        ------
        IndexOutOfBound
            `v` is not a vertex of the graph.

        Notes
        -----
        O(n). It stays on the device of the graph. Those from whom an edge leads to v are
        `G.reverse().neighbors(v)`; `G.neighbours` is the matrix of all neighbours.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 0, 1], [2, 1, 2], [5, 6, 7], backend="cpu")
        >>> list(G.neighbors(0)), G.neighbors(0).to_dict()
        ([1, 2], {1: 6, 2: 5})
        """
        return self.A[self.vertex(v), :].new()

    @overload
    def degree(self, v: None = None) -> Vector: ...
    @overload
    def degree(self, v: Vertex) -> int: ...
    def degree(self, v: Vertex | None = None) -> Vector | int:
        """The number of ends of edges at a vertex, or at each.

        Parameters
        ----------
        v : int, optional
            The vertex. By default all.

        Returns
        -------
        int or Vector of INT64
            The degree of the vertex, or of each. In a directed graph edges in and out both count. A
            loop counts twice, as in NetworkX. Weights do not count.

        Raises
        ------
        IndexOutOfBound
            `v` is not a vertex of the graph.

        Notes
        -----
        O(n + m), once for each graph, which keeps the vector: nobody may write to it. The vector
        stays on the device; the degree of one vertex waits for it.

        `G.out_degree` and `G.in_degree` count one direction, and a loop once.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0, 1, 1], [1, 1, 2], n=4, directed=False, backend="cpu")
        >>> G.degree(1), G.degree().to_dense().tolist()
        (4, [1, 4, 1, 0])
        """
        if v is not None and rows_are_listed(self):  # type: ignore[arg-type]
            return ends_at(self, self.vertex(v))  # type: ignore[arg-type]
        whole: Vector = self.kept(degrees)
        return whole if v is None else int(whole[self.vertex(v)].get())

    @light
    def has_edge(self, u: Vertex, v: Vertex) -> bool:
        """Whether an edge leads from one vertex to another.

        Parameters
        ----------
        u, v : int
            The two vertices.

        Returns
        -------
        bool
            True if the edge is there.

        Raises
        ------
        IndexOutOfBound
            `u` or `v` is not a vertex of the graph.

        Notes
        -----
        A binary search in row u, where the graph is stored, and one wait. For many edges read
        `G.edges()`, or mask `G.A`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> G = lg.Graph.from_edges([0], [1], n=3, backend="cpu")
        >>> G.has_edge(0, 1), G.has_edge(1, 0)
        (True, False)
        """
        return self.A.get(self.vertex(u), self.vertex(v)) is not None


def entries(A: Matrix, device: bool) -> tuple[Any, Any, Any]:
    """The row (INT64), the column (INT64) and the value of each entry, by row and column."""
    if not device:
        return A.to_coo()
    row, column = (A.apply(name).new("INT64") for name in ("rowindex", "colindex"))
    return tuple(part.to_csr(device=True)[2] for part in (row, column, A))  # type: ignore[return-value]


def degrees(G: Graph) -> Vector:
    """The number of ends of edges at each vertex, for a graph to keep."""
    whole = edge_ends(G)
    whole._kept_as = "G.degree()"
    return whole


def ends_at(G: Graph, v: int) -> int:
    """The number of ends of edges at a vertex, without a vector that has an entry everywhere."""
    loops = 0 if G.A.get(v, v) is None else 1
    return int(G.out_degree.get(v, 0) + (G.in_degree.get(v, 0) if G.directed else loops))


@operation
def edge_ends(G: Graph) -> Vector:
    """The number of ends of edges at each vertex (INT64), with an entry everywhere."""
    loops = G.A.select("diag").new().apply("one").new("INT64").diag()
    whole = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    for ends in (G.out_degree, G.in_degree if G.directed else loops):
        whole(BINARY["plus"]) << ends
    return whole
