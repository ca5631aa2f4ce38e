"""One shortest path between two vertices: a goal-directed search (A*).

Let h(v) be a lower bound of the distance from v to the target. A path to v of length d(v) has the
*estimate* d(v) + h(v): no path through v to the target is shorter. Once the target is reached, a
vertex whose estimate is not below the length found cannot improve it. The search extends, in rounds
of one min_plus product, the vertices whose estimate is within `step` of the smallest, and ends when
the smallest is no longer below the length found. With h = 0 it is Dijkstra's order, in batches.
With better bounds h it touches fewer vertices (A*). On the CPU a heap extends one vertex at a time,
and without bounds there are two searches that meet.
Neither the order nor the bounds change the answer: a vertex may be extended again, so every h that
never exceeds the true distance gives the exact answer. An equivalent view: edges have the reduced
weights w + h(v) − h(u).

Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths (1968).
Meyer, Sanders: Δ-stepping, Journal of Algorithms 49 (2003).
Pohl: Bi-directional search, Machine Intelligence 6 (1971).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import (
    check_cutoff,
    expect_exact,
    finite,
    path_type,
    summable,
)
from lagraph_gpu.algorithms._shared.power_iteration import expect_no_negative
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.paths.sssp import tree
from lagraph_gpu.convert.arguments import by_label
from lagraph_gpu.convert.options import Number, Vertex
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import values_by_position
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import as_float, expect, expect_kind, is_integer
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, min_plus, types

le, plus = BINARY["le"], BINARY["plus"]

Found = tuple[Number | None, list[int]]


def shortest_path_between(
    G: Graph,
    source: Vertex,
    target: Vertex,
    lower_bound: Any = None,
    cutoff: float | None = None,
    step: float | None = None,
) -> tuple[Number, list[int]] | None:
    """The length and the vertices of a shortest path between two vertices.

    Parameters
    ----------
    G : Graph
        The graph. The weights are the lengths of the edges, at least 0. Edges are followed in their
        direction.
    source, target : int
        The first and the last vertex of the path.
    lower_bound : dict, Series or Vector, optional
        For each vertex a lower bound of its distance to the target, in the unit of the weights,
        such as the straight-line distance. A vertex without an entry has the bound 0. The answer is
        exact if every bound is true, and may be wrong otherwise.
    cutoff : float, optional
        Longer paths do not count. By default there is no bound.
    step : float, optional
        How much larger than the smallest estimate an estimate may be, for its vertex to be extended
        in the same round. By default the heaviest weight; on the CPU there are no rounds by
        default. It changes the time, not the answer.

    Returns
    -------
    length : int or float
        The length of the path, of the type in which weights are added up.
    path : list of int
        The vertices from the source to the target. Instead of the pair (length, path) the result is
        None if there is no path, or none of at most `cutoff`.

    Raises
    ------
    IndexOutOfBound
        `source` or `target` is not a vertex of G.
    NegativeWeight
        A weight is below 0.
    InvalidValue
        The lower bound at the target is above 0, a bound is NaN, or `step` or `cutoff` is not a
        number of at least 0.
    DimensionMismatch
        `lower_bound` is a Vector of another size than n.
    DistanceOverflow
        The length does not fit its type; or n times the heaviest of integer weights does not fit 64
        bits, and the length is at least 2**53.

    Notes
    -----
    On the CPU it takes O(k log k) for the k vertices and edges near either end that it looks at,
    besides O(m) where the graph does not know its lightest and its heaviest weight yet; along
    directed edges both ends are searched from the second call on. Elsewhere a round takes
    O(vertices reached + edges of the vertices it extends) and waits a few times, and reading the
    path at the end looks at all edges once, O(n + m). The semiring is min_plus. Hart, Nilsson and
    Raphael 1968; Pohl 1971.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 4, 5, 1], backend="cpu")
    >>> lg.shortest_path_between(G, 0, 3)
    (5, [0, 2, 3])
    """
    source, target = G.vertex(source, "source"), G.vertex(target, "target")
    cutoff = check_cutoff(cutoff)
    expect_no_negative(G)
    if step is not None and not as_float(step) >= 0:
        raise InvalidValue(f"expected step as a number of at least 0, got {brief(step)}")
    if step is not None:
        step = int(step) if is_integer(step) else float(step)
    h = None if lower_bound is None else _bounds(G, target, lower_bound)
    H = summable(G)
    length, path = shortest_path(H, source, target, h, cutoff, step)
    if length is None or (cutoff is not None and length > cutoff):
        return None
    if H is not G:
        expect_exact(length, G)
        length = int(length)
    return length, path


@operation
def shortest_path(
    G: Graph, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
) -> Found:
    """The length and the vertices of a shortest path; None and no vertices if there is no path. A
    path that is longer than `cutoff` may be found or not.

    `h` (full) holds lower bounds of the distance from each vertex to the target. A lowering may
    search from both ends, unless `step` is given.
    """
    x = lengths_towards(G, source, target, h, cutoff, step)
    length = x.get(target)
    if length is None or (cutoff is not None and length > cutoff):
        return None, []
    near = finite(x.select("<=", length).new(), G)  # farther sums may have overflowed
    path = path_to(tree(G, source, near), target)
    assert path is not None  # the tight edges reach every vertex that has a distance
    return length, path


@operation
def lengths_towards(
    G: Graph, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
) -> Vector:
    """For some vertices the length of a path from the source, and for the target that of a shortest
    path, if there is one of at most `cutoff`.

    `h` (full) holds lower bounds of the distance from each vertex to the target, up to rounding. A
    lowering may extend one vertex at a time, unless `step` is given.
    """
    x = G.point(source, 0, path_type(G))
    slack = slack_of(x.dtype, h)
    step = step if step is not None else G.heaviest or 1
    waiting, length = x.dup(), x.get(target)  # the vertices that are not extended yet

    def beyond(limit: Any) -> Any:
        if not slack:
            return limit
        return limit + slack * max(limit, float(np.finfo(x.dtype).smallest_normal))

    while True:
        estimate = waiting if h is None else plus(waiting & h).new()
        lowest = estimate.reduce("min").new().value
        if lowest is None or not (length is None or lowest < beyond(length)):
            break
        if cutoff is not None and lowest > beyond(cutoff):
            break
        number = float if types.is_float(estimate.dtype) else int
        within = min(number(lowest) + step, types.highest(estimate.dtype))
        near = estimate.select("<=", within).new()
        frontier, rest = waiting.dup(mask=near.S), waiting.dup(mask=~near.S)
        offer = min_plus(frontier @ G.A).new(x.dtype)
        kept = le(x & offer).new()
        better = offer.dup(mask=~kept.V)
        x(better.S) << better
        rest(better.S) << better
        waiting, length = rest, x.get(target)
    return x


def slack_of(dtype: np.dtype, h: Vector | None) -> float:
    """The relative error that estimates may have, and below the smallest normal number that of this
    number. Sums of floats and bounds are rounded, so half of the digits of an estimate are trusted.
    """
    return 0 if h is None or dtype.kind != "f" else math.sqrt(np.finfo(dtype).eps)


def _bounds(G: Graph, target: int, given: Any) -> Vector:
    """The lower bounds as a full vector, with 0 where there is no entry."""
    if by_label(given):
        found = values_by_position(G, given, "lower_bound")
        given = Vector.from_dict(found, size=G.n, backend=G.backend)
    expect_kind(given, Vector, "lower bounds as a dict, a Series or a Vector")
    expect(given.size == G.n, f"expected {G.n} lower bounds, one a vertex, got {given.size}")
    if not given.get(target, 0) <= 0:
        raise InvalidValue(
            f"expected a lower bound of at most 0 at the target itself, got {given.get(target)}"
        )
    if given.dtype.kind == "f" and given.apply("isnan").new().reduce("lor").new().value:
        raise InvalidValue("expected numbers as lower bounds, got NaN; leave the entry out for 0")
    h = Vector.from_scalar(0, G.n, given.dtype, backend=G.backend)
    h(given.S) << given
    return h
