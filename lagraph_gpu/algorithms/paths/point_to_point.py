"""One shortest path, between two vertices: a search that looks towards its target.

Let h(v) be a lower bound of the distance from v to the target. A path through v of length d(v) so
far is at least d(v) + h(v) long, its *estimate*; once the target has been reached at some length,
no vertex whose estimate is not below that can better it. So the search extends, in rounds of one
min-plus product, the vertices whose estimate is within ``step`` of the smallest, and ends when the
smallest is no longer below the length found. With h = 0 it is Dijkstra's order, in batches; the
better h, the fewer vertices are touched (A*); on the CPU each vertex has a turn of its own, by a
heap. Neither order nor bounds decide what is found: a
vertex may be extended again, so that any h that never exceeds the true distance gives the exact
answer. Equivalently edges have the reduced weights w + h(v) − h(u).

Hart, Nilsson, Raphael: A formal basis for the heuristic determination of minimum cost paths (1968).
Meyer, Sanders: Δ-stepping, Journal of Algorithms 49 (2003).
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import check_cutoff, finite, path_type
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.paths.sssp import tree
from lagraph_gpu.errors import InvalidValue, NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect, expect_kind
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, min_plus

le, plus = BINARY["le"], BINARY["plus"]


def shortest_path_between(
    G: Graph,
    source: int,
    target: int,
    lower_bound: Vector | None = None,
    cutoff: float | None = None,
    step: float | None = None,
) -> tuple[Any, list[int]] | None:
    """The length of a shortest path from ``source`` to ``target``, and its vertices.

    None if there is no path, or none of at most ``cutoff``. ``lower_bound`` holds for each vertex a
    number that its distance to the target is never below (in the weights' unit, such as the length
    of the straight line; no entry: 0). The answer is exact if that is true, and may be wrong
    otherwise; a bound above 0 at the target is refused. ``step``: how much longer than the smallest
    estimate a round may look (default: the heaviest weight; on the CPU there are no rounds unless
    it is given); it decides the time alone. Weights of at least 0 (else NegativeWeight). Waits a
    few times a round, which takes O(vertices reached + edges of those it extends); the path in the
    end one look at all edges, O(n + m).

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 4, 5, 1], backend="cpu")
    >>> lg.shortest_path_between(G, 0, 3)
    (5, [0, 2, 3])
    """
    source, target = G.vertex(source, "source"), G.vertex(target, "target")
    cutoff = check_cutoff(cutoff)
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0, got {G.lightest}")
    if step is not None and (isinstance(step, bool) or not isinstance(step, Real) or not step >= 0):
        raise InvalidValue(f"expected step as a number of at least 0, got {step!r}")
    h = None if lower_bound is None else _bounds(G, target, lower_bound)
    x = lengths_towards(G, source, target, h, cutoff, step)
    length = x.get(target)
    if length is None or (cutoff is not None and length > cutoff):
        return None
    path = path_to(tree(G, source, finite(x, G)), target)
    assert path is not None  # its edges are tight
    return length, path


@operation
def lengths_towards(
    G: Graph, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
) -> Vector:
    """Of some vertices the length of a path from the source; of the target that of a shortest one,
    if there is one of at most ``cutoff``. ``h`` (full) holds lower bounds of what lies between each
    vertex and the target, up to rounding. A lowering may extend one vertex at a time unless the
    ``step`` is given."""
    x = G.point(source, 0, path_type(G))
    slack = slack_of(x.dtype, h)
    step = step if step is not None else G.heaviest or 1
    waiting, length = x.dup(), x.get(target)  # those not extended yet

    def beyond(limit: Any) -> Any:
        return limit + slack * limit if slack else limit

    while True:
        estimate = waiting if h is None else plus(waiting & h).new()
        lowest = estimate.reduce("min").new().value
        if lowest is None or not (length is None or lowest < beyond(length)):
            break
        if cutoff is not None and lowest > beyond(cutoff):
            break
        near = estimate.select("<=", lowest + step).new()
        frontier, rest, better = (Vector(x.dtype, G.n, backend=G.backend) for _ in range(3))
        frontier(near.S) << waiting
        rest(~near.S) << waiting
        offer = min_plus(frontier @ G.A).new(x.dtype)
        kept = le(x & offer).new()
        better(~kept.V) << offer
        x(better.S) << better
        rest(better.S) << better
        waiting, length = rest, x.get(target)
    return x


def slack_of(dtype: np.dtype, h: Vector | None) -> float:
    """By which part of a length estimates may be too high: sums of floats and bounds are rounded,
    so estimates are trusted to half of their digits."""
    return 0 if h is None or dtype.kind != "f" else math.sqrt(np.finfo(dtype).eps)


def _bounds(G: Graph, target: int, given: Vector) -> Vector:
    """The lower bounds with 0 where none is given."""
    expect_kind(given, Vector, "lower bounds as a Vector")
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
