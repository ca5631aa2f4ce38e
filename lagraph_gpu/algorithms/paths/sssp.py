"""Shortest paths from one source: the closure of distance 0 under min_plus.

An edge (u, v) of weight w is *tight* if distance(u) + w = distance(v). The tight edges contain
every shortest path and nothing else. If each vertex has a tight edge from a closer vertex, any
choice of one such edge for each is a tree of shortest paths. Otherwise edges of weight 0 form
cycles at one distance, and a breadth-first search over the tight edges gives a tree. O(rounds × m)
in the worst case, as for the method of Bellman and Ford (Ford: Network flow theory, 1956; Bellman:
On a routing problem, 1958); on real graphs about m times the average number of changes of a
distance, which is small.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared import distance_types
from lagraph_gpu.algorithms._shared.power_iteration import expect_no_negative
from lagraph_gpu.algorithms.traversal.starts import from_sources, starts
from lagraph_gpu.closure import closure, closure_up_to
from lagraph_gpu.convert.options import Vertex, Vertices
from lagraph_gpu.errors import NegativeCycle, NoFixpoint
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import OfVector
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.tiles import concat
from lagraph_gpu.schedule import Schedule
from semirings import any_eq, any_first, any_plus, any_secondi, min_plus
from semirings.types import INT64


@from_sources
def sssp(
    G: Graph,
    source: Vertex | None = None,
    cutoff: float | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
) -> tuple[Any, Any]:
    """Single-source shortest paths: distances and parents.

    Parameters
    ----------
    G : Graph
        The graph. The weights are the lengths of the edges, at least 0. Edges are followed in their
        direction.
    source : int, optional
        The vertex where the search starts.
    cutoff : float, optional
        Longer paths do not count. By default there is no bound.
    schedule : Schedule, optional
        How to carry it out. It can change the time, never the answer.
    sources : list or array of integers, optional
        Several sources instead of one. The results then are matrices with one row for each source.

    Returns
    -------
    distance : Vector or Matrix
        The length of a shortest path, of the type of the weights. A vertex that is not reached, or
        is farther than `cutoff`, has no entry.
    parent : Vector or Matrix of INT64
        The vertex before each vertex on a shortest path. The parents form a tree, and the source is
        its own parent.

    Raises
    ------
    IndexOutOfBound
        A source is not a vertex of G.
    NegativeWeight
        A weight is below 0. Use `bellman_ford` for such graphs.
    TooLarge
        The search, or the results of the searches from many sources, need more memory than is free.
    DistanceOverflow
        The type of the weights cannot hold a distance; or n times the heaviest of integer weights
        does not fit 64 bits, and a distance is at least 2**53.
    InvalidValue
        Both `source` and `sources` are given, or `cutoff` is not a number of at least 0.

    Notes
    -----
    O(rounds × m) in the worst case; the schedule chooses the order of the search. The semiring is
    min_plus. Bellman 1958; Ford 1956.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], n=4, backend="cpu")
    >>> distance, parent = lg.sssp(G, 0)
    >>> distance.to_dense(fill_value=float("inf")).tolist(), parent[2].get()
    ([0.0, 1.0, 3.0, inf], 1)
    """
    expect_no_negative(G, advice="; lg.bellman_ford(G, source) allows negative weights")
    cutoff = distance_types.check_cutoff(cutoff)
    H = distance_types.summable(G)
    begin = starts(G, source, sources, 0, lambda _: distance_types.path_type(H))
    distance, parent = lengths_and_parents(H, begin, cutoff, schedule)
    return distance if H is G else distance_types.whole(distance, G), parent


def bellman_ford(
    G: Graph, source: Vertex, schedule: Schedule | None = None
) -> tuple[Vector, Vector]:
    """Single-source shortest paths with weights of either sign.

    Parameters
    ----------
    G : Graph
        The graph. Edges are followed in their direction.
    source : int
        The vertex where the search starts.
    schedule : Schedule, optional
        How to carry it out. It can change the time, never the answer.

    Returns
    -------
    distance : Vector
        The length of a shortest path, of the type of the weights. A vertex that is not reached has
        no entry.
    parent : Vector of INT64
        The vertex before each vertex on a shortest path. The source is its own parent.

    Raises
    ------
    IndexOutOfBound
        The source is not a vertex of G.
    NegativeCycle
        The source reaches a cycle of negative length. An undirected edge of negative weight is such
        a cycle.
    TooLarge
        The search needs more memory than is free.
    DistanceOverflow
        The type of the weights cannot hold a distance, or n times the heaviest weight does not fit
        64-bit integers.

    Notes
    -----
    O(n m) in the worst case. The semiring is min_plus. Bellman 1958; Ford 1956.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, -5], n=3, backend="cpu")
    >>> lg.bellman_ford(G, 0)[0].to_dense().tolist()
    [0, 4, -1]
    """
    try:
        return lengths_and_parents(G, G.vertex(source, "source"), None, schedule)
    except NoFixpoint:
        raise NegativeCycle(
            f"expected every cycle that vertex {source!r} reaches to have a length of at least 0, "
            "but distances still fall after n rounds: a negative cycle is reachable (or one of "
            "length 0 that rounding makes negative), and shortest paths do not exist"
        ) from None


@operation
def lengths_and_parents(
    G: Graph, source: Any, cutoff: Any, schedule: Schedule | None = None
) -> tuple[Any, Any]:
    """The distances from `source` of at most `cutoff`, in the type of the weights, and the parents
    (INT64) of a tree of shortest paths: from a vertex, or from the start in each row of a matrix.
    Weights may be negative."""
    many = isinstance(source, Matrix)
    start: Any = source if many else G.point(source, 0, distance_types.path_type(G))
    lengths = closure_up_to(cutoff, start, G.A, min_plus, schedule, with_parents=not many)
    lengths = distance_types.finite(lengths, G)  # may contain lengths beyond the cutoff
    distance = distance_types.within(lengths, cutoff)
    narrowed = distance_types.narrowed(distance, G.A.dtype)
    if many:
        return narrowed, tree_of_each(G, start, distance, schedule)
    parents = tree(G, source, lengths, schedule)
    return narrowed, parents if distance is lengths else parents.dup(mask=distance.S)


def tree_of_each(G: Graph, start: Matrix, distance: Matrix, schedule: Schedule | None) -> Matrix:
    """The parents (INT64) of a tree of shortest paths for each row of `start`, which has one entry:
    a matrix with a row for each tree."""
    trees = [
        [OfVector(tree(G, s, distance[i, :].new(), schedule), "row").new()]
        for i, s, _ in zip(*start.to_coo(), strict=True)
    ]
    return concat(trees) if trees else Matrix(INT64, *start.shape, backend=G.backend)


def tree(G: Graph, source: int, distance: Vector, schedule: Schedule | None = None) -> Vector:
    """The parents (INT64) of a tree of shortest paths from `source`, given the distances."""
    return tight_forest(distance, G.point(source, source), G.A, schedule)


@operation
def tight_forest(
    distance: Vector, roots: Vector, A: Matrix, schedule: Schedule | None = None
) -> Vector:
    """The parents (INT64) of a forest of shortest paths from `roots`, which hold their own ids: a
    breadth-first search over the tight edges.

    If each vertex has a tight edge from a closer vertex, any such edges form a forest, and a
    lowering may take the first. This is so if all weights are greater than 0 and none is lost in
    rounding. If only some vertices have one, a lowering may grow the forest from these.
    """
    return grown_forest(roots, distance, A, schedule)


def grown_forest(
    begun: Vector, distance: Vector, A: Matrix, schedule: Schedule | None = None
) -> Vector:
    """The parents of a forest of shortest paths that holds `begun`, the parents of some vertices
    whose own parents are among them.

    A search over the tight edges into the vertices without a parent, from those others that have
    such an edge.
    """
    forest, left = begun.dup(), distance.dup(mask=~begun.S)
    into = any_first(A @ left.diag()).new()
    offer = any_plus(distance.diag() @ into).new()  # distance(u) + w, for each edge (u, v)
    tight = any_eq(offer @ distance.diag()).new()  # True if that is distance(v)
    edges = tight.select("==", True).new()
    tails = edges.reduce_rowwise("any").new()
    found = closure(begun.dup(mask=tails.S), edges, any_secondi, schedule=schedule)
    forest(found.S) << found
    return forest
