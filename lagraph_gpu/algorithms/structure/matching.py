"""Maximal matchings: edges no two of which share a vertex, and to which none can be added.

Give the edges a random order. An edge that comes before all those it shares a vertex with is in the
matching; its vertices and their edges go, and the rest goes on. The result is what a sequential
pass in that order would take, after O(log² n) rounds with high probability; the edges left fall
geometrically, so the work is O(m) expected.

The order: an edge's two ends have random numbers that make one of 64 bits, times a random odd
number, modulo 2⁶⁴. Both factors are bijections, so no two edges are equal.

Blelloch, Fineman, Shun: Greedy sequential maximal independent set and matching are parallel on
average, SPAA 2012. Israeli, Itai: A fast and simple randomized parallel algorithm for maximal
matching (1986).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import (
    RANKS,
    edges_among,
    excluding,
    masked,
    random_ranks,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import random
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_eq, any_first, any_second

eq, smaller, larger, plus = (BINARY[name] for name in ("eq", "min", "max", "plus"))


def maximal_matching(G: Graph, seed: int | None = None) -> Vector:
    """A maximal matching: for each matched vertex its mate (INT64), no entry elsewhere.

    The mate of v's mate is v, they are joined by an edge, and every edge has a matched end; so
    there are at least half as many pairs as in any matching. Directions, weights and loops do not
    count. ``seed`` makes the result reproducible, and the same on every backend.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 2], [1, 3], n=5, directed=False, backend="cpu")
    >>> lg.maximal_matching(G).to_dict()
    {0: 1, 1: 0, 2: 3, 3: 2}
    """
    E = _random_edge_order(G, seed)
    mate = Vector("INT64", G.n, backend=G.backend)
    unmatched = random_ranks(G, 0)
    while E.nvals:
        best = E.reduce_rowwise("max").new()
        first = any_eq(best.diag() @ E).new().select("==", True).new()  # one edge of each vertex
        choice = first.apply("colindex").new().reduce_rowwise("any").new()
        back = any_second(choice.selector() @ choice).new()
        pair = masked(choice, eq(back & back.apply("index").new()).new())
        mate(pair.S) << pair
        E = edges_among(excluding(unmatched, mate), E)
    return mate


def _random_edge_order(G: Graph, seed: int | None) -> Matrix:
    """The edges in both directions, each pair with a random number of its own (UINT64)."""
    place = random_ranks(G, seed).dup("UINT64")
    start = any_first(place.diag() @ G.neighbours).new()
    end = any_second(G.neighbours @ place.diag()).new()
    low, high = smaller(start & end).new(), larger(start & end).new()
    low << low.apply("times", RANKS)
    number = plus(low & high).new()
    odd = random(seed).integers(2**63, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    return number.apply("times", odd).new()
