"""Shortest paths from one source: the closure of distance 0 under min-plus.

An edge (u, v) of weight w is *tight* if distance(u) + w = distance(v). The tight edges hold every
shortest path and nothing else. Where each vertex has one from a nearer vertex, any such edges are a
tree; else, where zeros put cycles at one distance, a breadth-first search over them yields one.
O(rounds × m) at worst, as Bellman's and Ford's method (Ford: Network flow theory, 1956; Bellman: On
a routing problem, 1958); on real graphs close to m for each change.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.distance_types import (
    check_cutoff,
    finite,
    narrowed,
    path_type,
    within,
)
from lagraph_gpu.algorithms._shared.source_batches import Vertices
from lagraph_gpu.algorithms.traversal.starts import from_sources, starts
from lagraph_gpu.closure import closure, closure_up_to
from lagraph_gpu.errors import NegativeCycle, NegativeWeight, NoFixpoint
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.schedule import Schedule
from semirings import any_eq, any_plus, any_secondi, min_plus
from semirings.types import INT64


@from_sources
def sssp(
    G: Graph,
    source: int | None = None,
    cutoff: float | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
) -> tuple[Any, Any]:
    """Distances (of the weights' type) and parents (INT64) of shortest paths from ``source``, or
    from each of ``sources``: then they are matrices with a row for each.

    Weights are lengths of at least 0. The parents form a tree of shortest paths; the source is its
    own parent. A vertex that is not reached, or is farther than ``cutoff``, has no entry. Raises
    IndexOutOfBound for a source outside the graph, NegativeWeight (use ``bellman_ford`` then),
    TooLarge where a search needs, or those of many find, more than fits the free memory, and
    DistanceOverflow where the weights' type cannot hold a distance, or INT64 n of the heaviest
    weight (the longest conceivable path has n - 1 edges, and one more is tried).

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
    cutoff = check_cutoff(cutoff)
    start = starts(G, source, sources, 0, path_type(G))
    return _shortest_paths(G, start, source, cutoff, schedule)


def bellman_ford(G: Graph, source: int, schedule: Schedule | None = None) -> tuple[Vector, Vector]:
    """As ``sssp``, for weights of either sign; raises NegativeCycle if one can be reached.

    An undirected edge of negative weight is such a cycle in itself: there and back.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [4, 1, -5], n=3, backend="cpu")
    >>> lg.bellman_ford(G, 0)[0].to_dense().tolist()
    [0, 4, -1]
    """
    try:
        start = G.point(source, 0, path_type(G))
        return _shortest_paths(G, start, source, None, schedule)
    except NoFixpoint:
        raise NegativeCycle(
            f"expected every cycle that vertex {source} reaches to have a length of at least 0, "
            "but distances still fall after n rounds: a negative cycle is reachable (or one of "
            "length 0 that rounding makes negative), and shortest paths do not exist"
        ) from None


def _shortest_paths(
    G: Graph, start: Any, source: int | None, cutoff: Any, schedule: Schedule | None
) -> tuple[Any, Any]:
    """From one source, or if that is None, from those of the rows of ``start``."""
    found = closure_up_to(cutoff, start, G.A, min_plus, schedule, with_parents=source is not None)
    found = finite(found, G)  # and perhaps some beyond the cutoff
    distance = within(found, cutoff)
    if source is not None:
        made = tree(G, source, found, schedule)
        kept = made if distance is found else made.dup(mask=distance.S)
        return narrowed(distance, G.A.dtype), kept
    parent = Matrix(INT64, *start.shape, backend=G.backend)
    for i, s, _ in zip(*start.to_coo(), strict=True):
        parent[i, :] << tree(G, s, distance[i, :].new(), schedule)
    return narrowed(distance, G.A.dtype), parent


def tree(G: Graph, source: int, distance: Vector, schedule: Schedule | None = None) -> Vector:
    """Parents (INT64) of a tree of shortest paths from ``source``, which have these lengths."""
    return tight_forest(distance, G.point(source, source), G.A, schedule)


@operation
def tight_forest(
    distance: Vector, roots: Vector, A: Matrix, schedule: Schedule | None = None
) -> Vector:
    """Parents (INT64) of a forest of shortest paths from ``roots``, each of which holds its own id:
    a breadth-first search over the tight edges.

    Where each vertex has a tight edge from a nearer one, as it does if all weights are greater than
    0 and none is lost in rounding, any such edges are a forest: a lowering may take the first.
    """
    offer = any_plus(distance.diag() @ A).new()  # distance(u) + w, for each edge (u, v)
    tight = any_eq(offer @ distance.diag()).new()  # does it reach distance(v)?
    edges = tight.select("==", True).new()
    return closure(roots, edges, any_secondi, schedule=schedule)
