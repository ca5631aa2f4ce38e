"""Maximal matchings: edges no two of which share a vertex, and to which no edge can be added.

The edges have a random order. An edge that comes before all edges that share a vertex with it joins
the matching; then its vertices and all their edges are removed, and the rounds continue. The result
is that of a sequential pass in the same order, after O(log² n) rounds with high probability. The
number of remaining edges decreases geometrically, so the expected work is O(m).

The order: the random ranks of the two ends of an edge form one number of 64 bits, which is
multiplied by a random odd number, modulo 2⁶⁴. Both steps are injective, so no two edges have equal
numbers.

Blelloch, Fineman, Shun: Greedy sequential maximal independent set and matching are parallel on
average, SPAA 2012. Israeli, Itai: A fast and simple randomized parallel algorithm for maximal
matching (1986).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared import labels
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import seeded
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_eq, any_first, any_second

eq, smaller, larger, plus = (BINARY[name] for name in ("eq", "min", "max", "plus"))


def maximal_matching(G: Graph, seed: int | None = None) -> Vector:
    """A maximal matching: no two of its edges share a vertex, and no edge can be added.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    seed : int, optional
        The seed of the random numbers. The same seed gives the same answer on every backend.

    Returns
    -------
    Vector of INT64
        For each matched vertex its partner. Unmatched vertices have no entry.

    Notes
    -----
    Expected O(m), in O(log² n) rounds with high probability; on a CPU in one pass. A maximal
    matching has at least half as many edges as a maximum matching. Blelloch, Fineman and Shun 2012.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 2], [1, 3], n=5, directed=False, backend="cpu")
    >>> lg.maximal_matching(G).to_dict()
    {0: 1, 1: 0, 2: 3, 3: 2}
    """
    rank = labels.random_ranks(G, seed)
    factor = seeded(seed, 5)[-1] | 1  # random_ranks takes four
    return greedy_matching(rank, G.neighbours, factor)


@operation
def greedy_matching(rank: Vector, A: Matrix, factor: int) -> Vector:
    """The partner (INT64) of each vertex that a sequential pass over the edges, by falling number,
    would match.

    An edge's number is 2³¹ times the smaller rank of its ends plus the larger one, times the odd
    `factor`, modulo 2⁶⁴. A is symmetric and without loops; ranks are INT64, one for each vertex,
    all different, at least 0 and below 2³¹.
    """
    E = _edge_numbers(rank, A, factor)
    mate = Vector("INT64", rank.size, backend=rank.backend)
    while E.nvals:
        best = E.reduce_rowwise("max").new()
        first = any_eq(best.diag() @ E).new().select("==", True).new()  # one edge of each vertex
        choice = first.apply("colindex").new().reduce_rowwise("any").new()
        back = any_second(choice.selector() @ choice).new()
        mutual = eq(back & back.apply("index").new()).new()
        pair = choice.dup(mask=mutual.V)
        mate(pair.S) << pair
        E = labels.edges_among(rank.dup(mask=~mate.S), E)
    return mate


def _edge_numbers(rank: Vector, A: Matrix, factor: int) -> Matrix:
    """The edges in both directions, each with its number (UINT64)."""
    place = rank.dup("UINT64")
    start = any_first(place.diag() @ A).new()
    end = any_second(A @ place.diag()).new()
    low, high = smaller(start & end).new(), larger(start & end).new()
    low << low.apply("times", labels.RANKS)
    return plus(low & high).new().apply("times", np.uint64(factor)).new()
