"""Closeness and harmonic centrality: how close a vertex is to the other vertices.

Both are sums over the rows of a matrix of distances, the closure of a batch of sources: a
breadth-first search, or with weights shortest paths under min_plus. O(m) for each vertex (with
weights times the rounds of the method of Bellman and Ford).

The sums over all vertices are the operation `distance_sums`, those for chosen vertices
`source_totals`. Their lowerings search from many sources together, with one bit for each source,
and store the sums alone.

Bavelas: Communication patterns in task-oriented groups (1950). Wasserman, Faust: Social Network
Analysis (1994), for graphs with several components. Boldi, Vigna: Axioms for centrality, Internet
Math. 10 (2014).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import finite
from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.power_iteration import counts_edges, times
from lagraph_gpu.algorithms._shared.source_batches import is_vertex, vertex_ids
from lagraph_gpu.algorithms.centrality.distance_sums import nearness_of, source_totals, sums
from lagraph_gpu.algorithms.centrality.distance_sums import totals as by_source
from lagraph_gpu.convert.options import Vertex, Weight
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import operation
from semirings import BINARY
from semirings.types import FP64

truediv = BINARY["truediv"]


def closeness_centrality(
    G: Graph,
    u: Vertex | Iterable[Vertex] | None = None,
    distance: Weight | None = None,
    wf_improved: bool = True,
    *,
    batch_size: int | None = None,
) -> Vector:
    """The closeness centrality: 1 / the mean distance to a vertex from the vertices that reach it.

    Parameters
    ----------
    G : Graph
        The graph. Distances are those of paths *to* the vertex, in the direction of the edges; for
        the other direction reverse the graph. Loops do not matter.
    u : int or list of integers, optional
        The vertices to compute it for. By default all vertices.
    distance : {"weight"}, optional
        With "weight" distances are sums of weights. By default they count edges.
    wf_improved : bool, optional
        If True, the default, the value is multiplied by the share of the other vertices that reach
        the vertex, so that a vertex of a small component does not look central (Wasserman and
        Faust).
    batch_size : int, optional
        How many searches run together. By default as many as fit into half of the free memory,
        at most 256; on a CPU, where distances count edges, at most 512 in each thread. It changes
        the answer only by rounding.

    Returns
    -------
    Vector of FP64
        The closeness of each chosen vertex. It is 0 if no other vertex reaches it, or all at
        distance 0.

    Raises
    ------
    NegativeWeight
        Weights count, and one of them is below 0.
    DistanceOverflow
        A sum of weights overflows its floating-point type.
    IndexOutOfBound
        A chosen vertex is not in the graph.
    WrongType
        The chosen vertices are not integers.

    Notes
    -----
    O(n + m) for each vertex. Bavelas 1950; Wasserman and Faust 1994.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
    >>> lg.closeness_centrality(G).to_dense().round(3).tolist()
    [0.667, 1.0, 0.667]
    """
    chosen, wf_improved = vertices(G, u, "u"), expect_flag(wf_improved, "wf_improved")
    if u is None:
        over = sums(G, chosen, distance, batch_size)
        farness = finite(over.farness, G, G.n)
        return closeness(over.others, farness, G.n, wf_improved)
    into = G.A.T if G.directed else G.A
    if batch_size is None and counts_edges(G, distance):
        return closeness_of(into, chosen, wf_improved)
    close = Vector(FP64, G.n, backend=G.backend)
    for block, totals in by_source(G, into, chosen, distance, batch_size):
        farness = finite(totals.farness, G, G.n)
        close[block] << closeness(totals.others, farness, G.n, wf_improved)
    return close


@operation
def closeness_of(A: Matrix | Any, chosen: np.ndarray, wf_improved: bool) -> Vector:
    """The closeness of these vertices, all different, by distances in edges from them along A
    (FP64). Others have no entry."""
    close, found = Vector(FP64, A.shape[0], backend=A.backend), source_totals(A, chosen)
    close[chosen] << closeness(found.others, found.farness, A.shape[0], wf_improved)
    return close


@operation
def closeness(others: Vector, farness: Vector, n: int, wf_improved: bool) -> Vector:
    """The closeness in a graph of n vertices, from the number of other vertices that reach a vertex
    and the sum of their distances (`farness`), both full vectors of FP64. It is 0 where that sum
    is 0.
    """
    value = truediv(others & farness.select(">", 0.0).new()).new()
    if wf_improved:
        value << times(value & others.apply("truediv", right=n - 1 or 1).new())
    return zero_filled(value)


def harmonic_centrality(
    G: Graph,
    nbunch: int | Iterable[int] | None = None,
    distance: Weight | None = None,
    sources: int | Iterable[int] | None = None,
    *,
    batch_size: int | None = None,
) -> Vector:
    """The harmonic centrality: the sum of 1 / the distance to a vertex, over the vertices that
    reach it.

    Parameters
    ----------
    G : Graph
        The graph. Distances are those of paths *to* the vertex, in the direction of the edges.
        Loops do not matter.
    nbunch : int or list of integers, optional
        The vertices to compute it for. By default all vertices.
    distance : {"weight"}, optional
        With "weight" distances are sums of weights. By default they count edges.
    sources : int or list of integers, optional
        The vertices over which the sum runs. By default all vertices.
    batch_size : int, optional
        How many searches run together. By default as many as fit into half of the free memory,
        at most 256; on a CPU, where distances count edges, at most 512 in each thread. It changes
        the answer only by rounding.

    Returns
    -------
    Vector of FP64
        For each chosen vertex u the sum of 1 / distance(v, u) over the sources v ≠ u. Sources that
        do not reach u, and those at distance 0, add nothing.

    Raises
    ------
    NegativeWeight
        Weights count, and one of them is below 0.
    DistanceOverflow
        A sum of weights overflows its floating-point type.
    IndexOutOfBound
        A chosen vertex is not in the graph.
    WrongType
        The chosen vertices are not integers.

    Notes
    -----
    O(n + m) for each source, or for each chosen vertex if these are few. Boldi and Vigna 2014.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    >>> lg.harmonic_centrality(G).to_dense().tolist()
    [0.0, 1.0, 1.5]
    """
    chosen = None if nbunch is None else vertices(G, nbunch, "nbunch")
    start = vertices(G, sources, "sources")
    if chosen is not None:
        near = nearness_of(G, chosen, start, distance, batch_size)
        if near is not None:
            return near
    return restricted(G, sums(G, start, distance, batch_size).nearness, chosen)


def vertices(G: Graph, chosen: Vertex | Iterable[Vertex] | None, name: str) -> np.ndarray:
    """The ids of the chosen vertices, each once; None means all vertices."""
    return distinct(vertex_ids(G, [chosen] if is_vertex(G, chosen) else chosen, name))


def restricted(G: Graph, value: Vector, chosen: np.ndarray | None) -> Vector:
    """The entries at the chosen vertices."""
    if chosen is None:
        return value
    wanted = Vector.from_coo(chosen, True, size=G.n, backend=G.backend)
    return value.dup(mask=wanted.S)
