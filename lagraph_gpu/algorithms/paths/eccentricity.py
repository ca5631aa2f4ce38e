"""Eccentricities: how far the farthest vertex is from each; the largest one is the diameter.

The eccentricity of a vertex is the largest entry of its row in the table of distances, which is
computed in batches of rows and never held. O(k (n + m)) for k vertices in edges.

In an undirected graph the levels d of one search bound all eccentricities: e(u) ≤ d(u) + e(v) and
e(u) ≥ max(d(u), e(v) − d(u)). And of two vertices that are farther apart than x, one has d(u) >
x / 2. So with x as the largest eccentricity that was seen, a vertex needs no search of its own if
its upper bound is at most x, or if it is within x / 2 of the most central vertex that was searched
from. The first searches look for a vertex in the middle of the graph: from one of the most edges,
then twice from the farthest vertex, and then from the middle of the path between these two. For a
tree that is enough. The others go in turn from the vertex of the largest upper bound and from that
of the smallest lower bound. Every fourth goes from the busiest neighbour of the former in place of
it, because a hub brings the upper bounds of all its neighbours within 1 of its own eccentricity.
Those that are left after SEARCHES are searched from in batches, unless the graph has a single
cycle, where no bound helps (`one_cycle.py`).

Along directed edges there is one bound: no vertex is farther than n − 1. On a directed cycle each
vertex has one at this distance, so a first search is enough, if another one against the edges
shows that every vertex reaches the first.

Takes, Kosters: Determining the diameter of small world networks, CIKM 2011. Crescenzi, Grossi,
Habib, Lanzi, Marino: On computing the diameter of real-world undirected graphs, TCS 2013 (iFUB),
for the central vertex and the middle.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import finite, path_type
from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.power_iteration import counts_edges, refuse_negative
from lagraph_gpu.algorithms._shared.source_batches import distances, is_vertex, vertex_ids
from lagraph_gpu.algorithms.paths.one_cycle import diameter_with_one_cycle, has_one_cycle
from lagraph_gpu.algorithms.structure.connected import expect_reached
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.convert.options import Number, Vertex, Vertices, Weight
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_pair
from semirings.types import INT32

first, larger, lt, plus, smaller = (BINARY[name] for name in ("first", "max", "lt", "plus", "min"))
SEARCHES = 64
"""The number of searches after which those that are left go in batches."""

TO_ENDS = 2
"""The number of searches whose farthest vertex is searched from next."""


@overload
def eccentricity(
    G: Graph, v: list[Any] | np.ndarray | range | None = None, weight: Weight | None = None
) -> Vector: ...
@overload
def eccentricity(G: Graph, v: Vertex, weight: Weight | None = None) -> Number: ...
def eccentricity(G: Graph, v: Vertex | Vertices | None = None, weight: Weight | None = None) -> Any:
    """The distance from a vertex to the vertex that is farthest from it.

    Parameters
    ----------
    G : Graph
        The graph, in which every vertex reaches every other. Edges are followed in their direction.
    v : int, or list or array of integers, optional
        A vertex or several. By default all.
    weight : {"weight"} or None, optional
        With "weight" distances are sums of weights, which are at least 0. By default they count
        edges.

    Returns
    -------
    number or Vector
        For one vertex a number of Python; else a vector with an entry at each of the vertices. Its
        type is INT32 for counts of edges, that of the weights if it is floating-point, and that of
        their sums (INT64, if need be) for integers.

    Raises
    ------
    InvalidValue
        A vertex is not reached: the graph is not connected, or not strongly.
    NegativeWeight
        A weight is below 0, and weights count.
    DistanceOverflow
        A sum of weights does not fit its type.
    IndexOutOfBound
        An id is not a vertex of G.
    WrongType
        `v` is neither an integer nor a list of integers.

    Notes
    -----
    O(n + m) for each vertex; with weights as `distance_matrix`. The table is computed in batches of
    rows; on a GPU they stay on the device, with one wait for each. On a CPU searches in edges go in
    step, up to 512 in each thread, and there is no table.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 1, 1], directed=False, backend="cpu")
    >>> lg.eccentricity(G).to_dense().tolist(), lg.eccentricity(G, 1, weight="weight")
    ([3, 2, 2, 3], 5)
    """
    refuse_negative(G, weight, "eccentricities")
    sums = None if counts_edges(G, weight) else path_type(G)
    if is_vertex(G, v):
        vertex = G.vertex(v)
        return _searched(G, [vertex], sums).get(vertex)
    return _searched(G, distinct(vertex_ids(G, v, "v")), sums)


def diameter(G: Graph, weight: Weight | None = None) -> Number:
    """The largest distance from one vertex to another.

    Parameters
    ----------
    G : Graph
        The graph, in which every vertex reaches every other. Edges are followed in their direction.
    weight : {"weight"} or None, optional
        With "weight" distances are sums of weights, which are at least 0. By default they count
        edges.

    Returns
    -------
    number
        The diameter, as a number of Python; 0 for a single vertex.

    Raises
    ------
    InvalidValue
        The graph has no vertices, is not connected, or not strongly; `largest_component` is.
    NegativeWeight
        A weight is below 0, and weights count.
    DistanceOverflow
        A sum of weights does not fit its type.

    Notes
    -----
    In edges, for an undirected graph: O(n + m) for each of a few searches on most networks, and
    O(n (n + m)) at worst (Takes and Kosters 2011). If there is a single cycle it is O(n), also
    along directed edges. Else the time is that of all eccentricities. All vectors stay on the
    device; a few waits for each search.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 1, 1], directed=False, backend="cpu")
    >>> lg.diameter(G), lg.diameter(G, weight="weight")
    (3, 7)
    """
    if G.n == 0:
        raise InvalidValue("expected a graph with vertices, got one without: add some with n=…")
    if not counts_edges(G, weight):
        return eccentricity(G, weight=weight).reduce("max").new().value
    if G.directed:
        own = _searched(G, [0], None).get(0)
        if own < G.n - 1:
            return _searched(G, np.arange(G.n), None).reduce("max").new().value
        _searched(G.reverse(), [0], None)  # a path along which no edge leads back is refused
        return own
    longest, left = bounded(G, SEARCHES)
    if not left.nvals or has_one_cycle(G):
        return diameter_with_one_cycle(G) if left.nvals else longest
    return max(longest, _searched(G, left.to_coo()[0], None).reduce("max").new().value)


@operation
def bounded(G: Graph, searches: int) -> tuple[int, Vector]:
    """The largest eccentricity that so many searches found, and vertices with an upper bound for
    their own (INT32). If two vertices are farther apart, one is among these. The graph is
    undirected.
    """
    longest, radius, planned = 0, G.n, []
    degree = zero_filled(G.out_degree, "INT64")
    v = degree.reduce("argmax").new().value
    upper, lower = (Vector.from_scalar(x, G.n, INT32, backend=G.backend) for x in (G.n, 0))
    for turn in range(searches):
        level = closure_with_rounds(G.point(v, True), G.A, any_pair)[1]
        expect_reached(G, level.nvals, G.n)
        own = level.reduce("max").new().value
        longest = max(longest, own)
        if own < radius:
            radius, central = own, level
        steps = INT32.type(own)
        upper(smaller) << level.apply("plus", steps)
        lower(larger) << level
        lower(larger) << level.apply("ainv").new().apply("plus", steps)
        outside = central.select(">", longest // 2).new()
        left = first(upper.select(">", longest).new() & outside).new()
        if not left.nvals:
            break
        if turn < TO_ENDS:
            planned, end = [level.reduce("argmax").new().value], level
        elif turn == TO_ENDS:
            planned = _middles(end, level)
        if planned:
            v = planned.pop()
        elif turn % 2:
            v = first(lower & left).new().reduce("argmin").new().value
        else:
            v = left.reduce("argmax").new().value
            if turn % 4:
                beside = any_pair(G.point(v, True) @ G.A).new(mask=lt(lower & upper).new().V)
                busiest = degree.dup(mask=beside.S).reduce("argmax").new().value
                v = v if busiest is None else busiest
    return longest, left


def _middles(one: Vector, other: Vector) -> list[int]:
    """A vertex in the middle of a shortest path, or one on each side of it, from the levels of its
    ends.
    """
    around = plus(one & other).new()
    length = around.reduce("min").new().value
    on_path = first(one & around.select("==", length).new()).new()
    halves = sorted({length // 2, length - length // 2})
    return [on_path.select("==", half).new().reduce("argmax").new().value for half in halves]


def _searched(G: Graph, sources: Any, sums: Any) -> Vector:
    """The eccentricities of these vertices: in edges, or in weights added up in the type `sums`."""
    if sums is None:
        depths, reached = farthest_levels(G.A, np.asarray(sources, np.int64))
        expect_reached(G, reached, len(sources) * G.n)
        return depths
    farthest = Vector(sums, G.n, backend=G.backend)
    for block, D in distances(G.A, sources, sums):
        expect_reached(G, D.nvals, block.size * G.n)
        farthest[block] << finite(D, G).reduce_rowwise("max")
    return farthest


@operation
def farthest_levels(A: Matrix, sources: np.ndarray) -> tuple[Vector, int]:
    """For each of these vertices (the others have no entry) the largest distance from it in edges
    along A (INT32), and how many pairs of a source and a vertex that it reaches there are, itself
    included. Once some source does not reach every vertex, few more are searched from: then the
    number is only less than that of all pairs.
    """
    farthest, reached = Vector(INT32, A.nrows, backend=A.backend), 0
    for block, D in distances(A, sources, None):
        reached += D.nvals
        if D.nvals < block.size * A.nrows:
            break
        farthest[block] << D.reduce_rowwise("max")
    return farthest, reached
