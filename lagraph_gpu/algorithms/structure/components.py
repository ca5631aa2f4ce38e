"""Connected components: the vertices that are joined by paths, along edges in either direction.

FastSV is a union-find in rounds. Each vertex has a parent, which at first is itself. In each round,
trees hook onto smaller trees and halve in height: a vertex and its parent take the smallest
grandparent of its neighbours, and then each vertex takes its own grandparent as parent
(shortcutting). Parents only decrease, so the root of a tree is its smallest vertex. When no
neighbour has a smaller grandparent, each component is one tree of height 1. O(log n) rounds in
practice (the best proven bound is O(n)), each O(n + m).

A search from the vertex of highest degree comes first. If it ends within MAX_STEPS rounds, as on
web graphs, it has found a component that is probably by far the largest, and FastSV runs on the
rest of the graph alone. The search looks at each edge at most once.

Zhang, Azad, Buluç: FastSV: a distributed-memory connected component algorithm with fast
convergence, PP 2020. Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via
subgraph sampling, IPDPS 2018, for the giant component first. Shiloach, Vishkin: An O(log n)
parallel connectivity algorithm (1982).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, MONOIDS, any_pair, any_second, any_secondi, min_first, min_second

eq, first, lt, smaller = BINARY["eq"], BINARY["first"], BINARY["lt"], BINARY["min"]
MAX_STEPS = 64
"""The number of rounds after which a search is stopped. On a road network it would take
thousands.
"""


def connected_components(G: Graph) -> Vector:
    """The connected component of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    Vector of INT64
        For each vertex the smallest vertex of its component. A vertex without edges to other
        vertices is a component.

    Notes
    -----
    O(n + m) for each round; O(log n) rounds in practice. The semiring is min_second. For a directed
    graph these are the weakly connected components. Zhang, Azad and Buluç 2020 (FastSV).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([3, 1, 4], [1, 4, 4], n=6, backend="cpu")
    >>> lg.connected_components(G).to_dense().tolist()
    [0, 1, 2, 1, 1, 5]
    """
    return weak_component_labels(G) if G.directed else component_labels(G.A)  # loops join nothing


@operation
def weak_component_labels(G: Graph) -> Vector:
    """What `component_labels` finds if edges are followed in both directions."""
    return component_labels(G.neighbours)


@operation
def component_labels(A: Matrix) -> Vector:
    """For each vertex the smallest vertex of its component (INT64). The matrix A is symmetric."""
    label = identity(A)
    A = A.apply("one").new("INT64")  # weights do not count
    degree = A.reduce_rowwise("plus").new()
    if (busiest := degree.reduce("argmax").new().value) is None:
        return label
    start = Vector.from_coo([busiest], True, size=A.nrows, backend=A.backend)
    giant = closure(start, A, any_pair, max_rounds=MAX_STEPS)
    rest = label.dup(mask=~giant.S)
    if any_pair(rest @ A).new(mask=giant.S).nvals:  # the search stopped before its end
        return fastsv(A, label)
    label(giant.S) << first(label & giant).new().reduce("min")
    rest_labels = closure(rest, A, min_first, max_rounds=MAX_STEPS)
    label(rest_labels.S) << fastsv(A, rest_labels)
    return label


def fastsv(A: Matrix, parent: Vector) -> Vector:
    """The rounds of FastSV, which start from parents that are no larger than their children."""
    parent = parent.dup()
    offer, better = (Vector(t, parent.size, backend=A.backend) for t in ("INT64", "BOOL"))
    while True:
        tree = parent.selector()
        grandparent = any_second(tree @ parent).new()
        offer << min_second(A @ grandparent)
        better << lt(offer & grandparent)
        any_better = better.reduce(MONOIDS["lor"]).new().value
        if not any_better:  # all neighbours have the same grandparent
            return grandparent
        offer(better.V, replace=True) << offer
        parent(smaller) << min_first(offer @ tree)  # the parent hooks onto the smaller tree
        parent(smaller) << offer  # so does the vertex
        parent(smaller) << grandparent


def weakly_connected_components(G: Graph) -> Vector:
    """The weakly connected component of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    Vector of INT64
        What `connected_components` returns, which takes directed graphs, too: for each vertex the
        smallest vertex of its component.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([3, 1, 4], [1, 4, 4], n=6, backend="cpu")
    >>> lg.weakly_connected_components(G).to_dense().tolist()
    [0, 1, 2, 1, 1, 5]
    """
    return connected_components(G)


def number_connected_components(G: Graph) -> int:
    """The number of connected components.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    int
        The number of components that `connected_components` finds. A graph without vertices has
        none.

    Notes
    -----
    The time is that of `connected_components`, and one wait.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], n=5, directed=False, backend="cpu")
    >>> lg.number_connected_components(G)
    3
    """
    return roots(connected_components(G)).nvals


@operation
def roots(label: Vector) -> Vector:
    """The vertices that are their own label, each with its id (INT64). Labels are INT64, one for
    each vertex."""
    own = label.apply("index").new()
    return own.dup(mask=eq(label & own).new().V)


def spanning_forest(G: Graph) -> Vector:
    """A spanning forest: a parent for each vertex, such that each component is a tree of its edges.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    Vector of INT64
        The parent of each vertex. The root of a tree is the smallest vertex of its component, and
        is its own parent.

    Notes
    -----
    O(n + m) after the connected components. The trees are breadth-first trees, so the paths in them
    are shortest paths to the root. Where a vertex has several possible parents, any of them may be
    taken. For the order of a depth-first search see `dfs`.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 4], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> lg.spanning_forest(G).to_dense().tolist()
    [0, 0, 1, 3, 3]
    """
    return breadth_first_trees(roots(connected_components(G)), G.neighbours)


@operation
def breadth_first_trees(roots: Vector, A: Matrix) -> Vector:
    """The parent (INT64) of each vertex in a search from several roots along A. A root has its own
    id, in `roots` as well."""
    return closure(roots, A, any_secondi)
