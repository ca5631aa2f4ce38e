"""Shortest paths from one source: the closure of distance 0 under min-plus.

An edge (u, v) of weight w is *tight* if distance(u) + w = distance(v). The tight edges hold every
shortest path and nothing else, so a breadth-first search over them yields a tree of shortest paths
(with the fewest edges on each), even where weights of zero put whole cycles at one distance.
O(rounds × m) at worst, as Bellman's and Ford's method; on real graphs close to m for each change.

Ford: Network flow theory (1956). Bellman: On a routing problem (1958).
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from lagraph_gpu.closure import closure
from lagraph_gpu.errors import (
    DistanceOverflow,
    InvalidValue,
    NegativeCycle,
    NegativeWeight,
    NoFixpoint,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.vector import Vector
from semirings import any_eq, any_plus, any_secondi, min_plus, types


def sssp(
    G: Graph,
    source: int,
    cutoff: float | None = None,
    schedule: Schedule | None = None,
) -> tuple[Vector, Vector]:
    """Distances (of the weights' type) and parents (INT64) of shortest paths from ``source``.

    Weights are lengths of at least 0. The parents form a tree of shortest paths; the source is its
    own parent. A vertex that is not reached, or is farther than ``cutoff``, has no entry. Raises
    IndexOutOfBound for a source outside the graph, NegativeWeight (use ``bellman_ford`` then), and
    DistanceOverflow where an integer type cannot hold a distance.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 2.0], n=4, backend="cpu")
    >>> distance, parent = lg.sssp(G, 0)
    >>> distance.to_dense(fill_value=float("inf")).tolist(), parent[2].get()
    ([0.0, 1.0, 3.0, inf], 1)
    """
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(
            f"expected weights of at least 0, got {G.lightest}; "
            "lg.bellman_ford(G, source) allows negative weights"
        )
    if cutoff is not None and (
        isinstance(cutoff, bool) or not isinstance(cutoff, Real) or not cutoff >= 0
    ):
        raise InvalidValue(f"expected a cutoff as a number of at least 0, got {cutoff!r}")
    return _shortest_paths(G, source, cutoff, schedule)


def bellman_ford(G: Graph, source: int, schedule: Schedule | None = None) -> tuple[Vector, Vector]:
    """As ``sssp``, for weights of either sign; raises NegativeCycle if one can be reached.

    An undirected edge of negative weight is such a cycle in itself: there and back.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, -5], n=3, backend="cpu")
    >>> lg.bellman_ford(G, 0)[0].to_dense().tolist()
    [0, 4, -1]
    """
    try:
        return _shortest_paths(G, source, None, schedule)
    except NoFixpoint:
        raise NegativeCycle(
            f"expected every cycle that vertex {source} reaches to have a length of at least 0, "
            "but distances still fall after n rounds: a negative cycle is reachable (or one of "
            "length 0 that rounding makes negative), and shortest paths do not exist"
        ) from None


def _shortest_paths(
    G: Graph, source: int, cutoff: Any, schedule: Schedule | None
) -> tuple[Vector, Vector]:
    source = G.vertex(source, "source")
    dtype = path_type(G)
    start = Vector.from_coo([source], 0, dtype, size=G.n, backend=G.backend)
    distance = closure(start, G.A, min_plus, schedule=schedule)
    if cutoff is not None and cutoff < types.highest(distance.dtype):
        limit = cutoff if distance.dtype.kind == "f" else math.floor(cutoff)
        distance = distance.select("<=", types.cast(limit, distance.dtype)).new()
    parent = tree(G, source, distance, schedule)
    return narrowed(distance, G.A.dtype), parent


def tree(G: Graph, source: int, distance: Vector, schedule: Schedule | None = None) -> Vector:
    """Parents (INT64) of a shortest-path tree, by breadth-first search over the tight edges."""
    offer = any_plus(distance.diag() @ G.A).new()  # distance(u) + w, for each edge (u, v)
    tight = any_eq(offer @ distance.diag()).new()  # does it reach distance(v)?
    start = Vector.from_coo([source], np.int64(source), size=G.n, backend=G.backend)
    return closure(start, tight.select("==", True).new(), any_secondi, schedule=schedule)


def path_type(G: Graph) -> np.dtype:
    """The type to add weights up in: wider than the weights' if a path might overflow it."""
    dtype = G.A.dtype
    if dtype.kind == "f" or G.heaviest is None:
        return dtype if dtype.kind != "b" else types.INT64
    longest = max(abs(int(G.heaviest)), abs(int(G.lightest))) * max(G.n, 1)
    if dtype.kind in "iu" and longest <= np.iinfo(dtype).max:
        return dtype
    if longest > np.iinfo(np.int64).max:
        raise DistanceOverflow(
            f"expected a path of n = {G.n} edges to fit 64-bit integers, but weights go up to "
            f"{max(abs(int(G.heaviest)), abs(int(G.lightest)))}; use floating-point weights"
        )
    return types.INT64


def narrowed(distance: Vector, dtype: np.dtype) -> Vector:
    """Back to the weights' own type; an error if some distance does not fit it."""
    if distance.dtype == dtype or dtype.kind == "b":
        return distance
    farthest = distance.reduce("max").new().get(0)
    nearest = distance.reduce("min").new().get(0)
    limits = np.iinfo(dtype)
    if farthest > limits.max or nearest < limits.min:
        raise DistanceOverflow(
            f"expected distances to fit the weights' type {types.name(dtype)}, got "
            f"{nearest} to {farthest}; store the weights in a wider type (dtype='INT64')"
        )
    return distance.dup(dtype)
