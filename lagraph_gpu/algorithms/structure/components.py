"""Components: which vertices are joined by paths, whatever the direction of the edges.

FastSV keeps a parent for each vertex, at first itself. In each round the trees of parents hook onto
smaller ones and halve in height: a vertex' parent, and the vertex itself, take the smallest
grandparent among its neighbours; then each looks at its own grandparent. Parents only fall, so the
root of a tree is its smallest vertex; when no neighbour has a smaller grandparent, a component has
but one, its root. O(log n) rounds as observed (no better bound than O(n) is proven), each O(n + m).

Before that, a search from the vertex with the most edges: where it comes to rest within a few
rounds, as on the web, it has found a component that is likely to be by far the largest, and only
the rest takes part in what follows. It costs at most one look at each edge.

Zhang, Azad, Buluç: FastSV: a distributed-memory connected component algorithm with fast
convergence, PP 2020. Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via
subgraph sampling, IPDPS 2018, for the giant component first. Shiloach, Vishkin: An O(log n)
parallel connectivity algorithm (1982).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import excluding, identity, masked
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, MONOIDS, any_pair, any_second, any_secondi, min_first, min_second

eq, first, lt, smaller = BINARY["eq"], BINARY["first"], BINARY["lt"], BINARY["min"]
MAX_STEPS = 64
"""Rounds within which a search has to come to rest; on a road it would take thousands."""


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
    return component_labels(G.neighbours)


@operation
def component_labels(A: Matrix) -> Vector:
    """For each vertex the smallest vertex of its component (INT64), along a symmetric matrix."""
    label = identity(A)
    degree = A.apply("one").new("INT64").reduce_rowwise("plus").new()
    if (busiest := degree.reduce("argmax").new().value) is None:
        return label
    start = Vector.from_coo([busiest], True, size=A.nrows, backend=A.backend)
    giant = closure(start, A, any_pair, max_steps=MAX_STEPS)
    rest = excluding(label, giant)
    if any_pair(rest @ A).new(mask=giant.S).nvals:  # the search was cut short
        return fastsv(A, label)
    label(giant.S) << first(label & giant).new().reduce("min")
    rest_labels = closure(rest, A, min_first, max_steps=MAX_STEPS)
    label(rest_labels.S) << fastsv(A, rest_labels)
    return label


def fastsv(A: Matrix, parent: Vector) -> Vector:
    """FastSV's rounds, from parents that are no larger than their children."""
    parent = parent.dup()
    offer, better = (Vector(t, parent.size, backend=A.backend) for t in ("INT64", "BOOL"))
    while True:
        tree = parent.selector()
        grandparent = any_second(tree @ parent).new()
        offer << min_second(A @ grandparent)
        better << lt(offer & grandparent)
        if not better.reduce(MONOIDS["lor"]).new().value:  # then all neighbours have the same
            return grandparent
        offer(better.V, replace=True) << offer
        parent(smaller) << min_first(offer @ tree)  # the parent hooks on
        parent(smaller) << offer  # and so does the vertex
        parent(smaller) << grandparent


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
    return masked(own, eq(label & own).new())


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
