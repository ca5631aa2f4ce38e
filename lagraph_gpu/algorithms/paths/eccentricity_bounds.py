"""Bounds of eccentricities in an undirected graph, by a few searches.

The levels d of one search bound all eccentricities: e(u) ≤ d(u) + e(v) and e(u) ≥ max(d(u), e(v) −
d(u)). And of two vertices that are farther apart than x, one has d(u) > x / 2. So with x as the
largest eccentricity that was seen, a vertex needs no search of its own if its upper bound is at
most x, or if it is within x / 2 of the most central vertex that was searched from. The first
searches look for a vertex in the middle of the graph: from one of the most edges, then twice from
the farthest vertex, and then from the middle of the path between these two. For a tree that is
enough. The others go in turn from the vertex of the largest upper bound and from that of the
smallest lower bound. Every fourth goes from the busiest neighbour of the former in place of it,
because a hub brings the upper bounds of all its neighbours within 1 of its own eccentricity.

Takes, Kosters: Determining the diameter of small world networks, CIKM 2011. Crescenzi, Grossi,
Habib, Lanzi, Marino: On computing the diameter of real-world undirected graphs, TCS 2013 (iFUB),
for the central vertex and the middle.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_pair
from semirings.types import INT32

first, larger, lt, plus, smaller = (BINARY[name] for name in ("first", "max", "lt", "plus", "min"))
TO_ENDS = 2
"""The number of searches whose farthest vertex is searched from next."""


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


def expect_reached(G: Graph, reached: int, wanted: int) -> None:
    """Raises InvalidValue if fewer pairs of vertices than wanted have a path."""
    if reached < wanted:
        kind, part = "a connected", "take a component, such as lg.largest_component(G)"
        if G.directed:
            kind = "a strongly connected"
            part = (
                "take G.to_undirected(), or the subgraph of one of "
                "lg.strongly_connected_components(G)"
            )
        raise InvalidValue(
            f"expected {kind} graph, got one where a vertex does not reach another; {part}"
        )
