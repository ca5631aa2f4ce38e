"""Closeness and harmonic centrality: how near a vertex is to the others.

Both are sums over the rows of a matrix of distances, which is the closure of a block of points: the
rounds of a breadth-first search, or shortest paths under min-plus. O(m) for each vertex (times the
rounds of Bellman's and Ford's method with weights).

The sums over all vertices are an operation, ``distance_sums``; its lowering on a GPU searches in
step, with a bit for each source, and keeps the sums alone.

Bavelas: Communication patterns in task-oriented groups (1950). Wasserman, Faust: Social Network
Analysis (1994), for graphs in parts. Boldi, Vigna: Axioms for centrality, Internet Math. 10 (2014).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import finite
from lagraph_gpu.algorithms._shared.power_iteration import full, plus, times
from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.algorithms.centrality.distance_sums import distances, sums
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY

truediv = BINARY["truediv"]


def closeness_centrality(
    G: Graph,
    u: int | Iterable[int] | None = None,
    distance: str | None = None,
    wf_improved: bool = True,
    *,
    batch_size: int | None = None,
) -> Vector:
    """1 / the mean distance to a vertex from those that reach it (FP64), for every vertex or for
    ``u``, one or several.

    ``wf_improved`` multiplies by the share of the other vertices that reach it, so that a vertex of
    a small part does not look central (Wasserman and Faust). Distances count edges, or with
    ``distance="weight"`` add up weights; they lead *to* the vertex, along the edges' direction:
    reverse a directed graph for the other way. A vertex that no other reaches, or all at distance
    0, has 0. Self-loops do not matter. ``batch_size`` searches run at once; by default what a
    quarter of the free memory holds, at most 256. Raises NegativeWeight, DistanceOverflow,
    IndexOutOfBound and WrongType. O(n + m) a vertex.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
    >>> lg.closeness_centrality(G).to_dense().round(3).tolist()
    [0.667, 1.0, 0.667]
    """
    chosen, wf_improved = vertices(G, u, "u"), expect_flag(wf_improved, "wf_improved")
    close = full(G)
    if u is None:
        found = sums(G, chosen, distance, batch_size)
        farness = finite(found.farness, G, G.n)
        close(plus) << closeness(G, found.others, farness, wf_improved)
        return close
    for block, D in distances(G, G.A.T, chosen, distance, batch_size):
        others = D.apply("one").new().reduce_rowwise("plus").new().apply("minus", right=1.0).new()
        farness = finite(D.reduce_rowwise("plus").new(), G, G.n)
        close(plus)[block] << closeness(G, others, farness, wf_improved)
    return restricted(G, close, None if u is None else chosen)


def closeness(G: Graph, others: Vector, farness: Vector, wf_improved: bool) -> Vector:
    """From how many others reach a vertex, and the sum of their distances; no entry for 0."""
    value = truediv(others & farness.select(">", 0.0).new()).new()
    if wf_improved:
        value << times(value & others.apply("truediv", right=G.n - 1 or 1).new())
    return value


def harmonic_centrality(
    G: Graph,
    nbunch: int | Iterable[int] | None = None,
    distance: str | None = None,
    sources: int | Iterable[int] | None = None,
    *,
    batch_size: int | None = None,
) -> Vector:
    """Σ 1 / distance(v, u) over the ``sources`` v ≠ u (all by default), for every vertex u or those
    in ``nbunch`` (FP64). Vertices that do not reach u add nothing; distances of 0 are left out.

    ``distance``, direction, loops, ``batch_size`` and errors are as in ``closeness_centrality``.
    O(n + m) a source.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    >>> lg.harmonic_centrality(G).to_dense().tolist()
    [0.0, 1.0, 1.5]
    """
    chosen = None if nbunch is None else vertices(G, nbunch, "nbunch")
    start = vertices(G, sources, "sources")
    return restricted(G, sums(G, start, distance, batch_size).nearness, chosen)


def vertices(G: Graph, chosen: int | Iterable[int] | None, name: str) -> np.ndarray:
    """The ids of the vertices asked for, each once; None is all."""
    return distinct(
        vertex_ids(G, [chosen] if isinstance(chosen, (int, np.integer)) else chosen, name)
    )


def restricted(G: Graph, value: Vector, chosen: np.ndarray | None) -> Vector:
    """The entries at the vertices asked for."""
    if chosen is None:
        return value
    wanted = Vector.from_coo(chosen, True, size=G.n, backend=G.backend)
    return value.apply("identity").new(mask=wanted.S)
