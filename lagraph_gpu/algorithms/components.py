"""Components: which vertices are joined by paths, whatever the direction of the edges.

FastSV keeps a parent for each vertex, at first itself. In each round the trees of parents hook onto
smaller ones and halve in height: a vertex' parent, and the vertex itself, take the smallest
grandparent among its neighbours; then each looks at its own grandparent. Parents only fall, so the
root of a tree is its smallest vertex; when no grandparent changes, every tree is a component of
height one. O(log n) rounds as observed (no better bound than O(n) is proven), each O(n + m).

Zhang, Azad, Buluç: FastSV: a distributed-memory connected component algorithm with fast
convergence, PP 2020. Shiloach, Vishkin: An O(log n) parallel connectivity algorithm (1982).
"""

from __future__ import annotations

from lagraph_gpu.algorithms.labels import identity, where
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.vector import Vector
from semirings import BINARY, MONOIDS, any_second, any_secondi, min_first, min_second

eq, ne, lt, smaller = BINARY["eq"], BINARY["ne"], BINARY["lt"], BINARY["min"]


def connected_components(G: Graph) -> Vector:
    """The component of each vertex (INT64): the smallest vertex of it. Every vertex has one.

    The direction of edges does not count: for a directed graph these are its weakly connected
    components (``weakly_connected_components`` is the same function), and a vertex without edges,
    or with none but a loop, is a component. Weights are not looked at.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([3, 1, 4], [1, 4, 4], n=6, backend="cpu")
    >>> lg.connected_components(G).to_dense().tolist()
    [0, 1, 2, 1, 1, 5]
    """
    A, parent = G.neighbours, identity(G)
    grandparent = parent.dup()
    offer = Vector("INT64", G.n, backend=G.backend)
    better, changed = (Vector("BOOL", G.n, backend=G.backend) for _ in range(2))
    moving = G.n > 0
    while moving:
        offer << min_second(A @ grandparent)
        better << lt(offer & grandparent)
        offer(better.V, replace=True) << offer
        parent(smaller) << min_first(offer @ parent.selector())  # the parent hooks on
        parent(smaller) << offer  # and so does the vertex
        parent(smaller) << grandparent
        above = any_second(parent.selector() @ parent).new()
        changed << ne(above & grandparent)
        moving = changed.reduce(MONOIDS["lor"]).new().value
        grandparent = above
    return parent


weakly_connected_components = connected_components


def number_connected_components(G: Graph) -> int:
    """How many components ``connected_components`` finds (waits). An empty graph has none.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], n=5, directed=False, backend="cpu")
    >>> lg.number_connected_components(G)
    3
    """
    return roots(connected_components(G)).nvals


def roots(label: Vector) -> Vector:
    """The vertices that are their own label, each with its id (INT64)."""
    own = label.apply("index").new()
    return where(own, eq(label & own).new())


def spanning_forest(G: Graph) -> Vector:
    """A parent (INT64) for each vertex, such that each component is a tree along its edges.

    The root of a tree is the smallest vertex of its component, and its own parent. The trees are
    breadth-first ones, so paths in them are shortest paths to the root. What is not promised: which
    of several possible parents a vertex takes, or anything about the order in which a depth-first
    search would come by; see ``dfs`` for that. The direction of edges does not count.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 4], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> lg.spanning_forest(G).to_dense().tolist()
    [0, 0, 1, 3, 3]
    """
    return closure(roots(connected_components(G)), G.neighbours, any_secondi)
