"""Independent sets and colourings: vertices no two of which are neighbours.

Luby's method with one random order for all rounds: a vertex that comes before all its neighbours is
in the set, its neighbours are out, and what is left goes on. The result is what a sequential pass
in that order would take, and O(log n) rounds suffice with high probability, each over the edges of
what is left.

A colouring is one such set after another: the vertices of colour 0 are a maximal independent set,
those of colour 1 one of the rest, and so on. That is first-fit colouring in the same order: a
vertex has a neighbour in each smaller colour, hence at most as many colours as its degree plus one.

Luby: A simple parallel algorithm for the maximal independent set problem (1986). Blelloch, Fineman,
Shun: Greedy sequential maximal independent set and matching are parallel on average, SPAA 2012.
Fischer, Noever: Tight analysis of parallel randomized greedy MIS, SODA 2018. Jones, Plassmann: A
parallel graph coloring heuristic (1993).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import RANKS, excluding, masked, random_ranks
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_first, max_first

gt, plus = BINARY["gt"], BINARY["plus"]
STRATEGIES = ("largest_first", "random_sequential")


def maximal_independent_set(G: Graph, seed: int | None = None) -> Vector:
    """A maximal independent set: True (BOOL) at its vertices, no entry elsewhere.

    No edge joins two of its vertices, and every other vertex has a neighbour in it. Directions,
    weights and loops do not count; an isolated vertex is in every such set. ``seed`` makes the
    result reproducible, and the same on every backend. O(m) expected for each of O(log n) rounds;
    a GPU does it in one kernel, and does not wait.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend="cpu")
    >>> chosen = lg.maximal_independent_set(G, seed=1)
    >>> sorted(chosen) in ([0, 2], [0, 3], [1, 3])
    True
    """
    return greedy_independent_set(random_ranks(G, seed), G.neighbours)


def greedy_color(G: Graph, strategy: str = "largest_first", seed: int | None = None) -> Vector:
    """A proper colouring: for each vertex the number of its colour (INT64), from 0.

    Vertices in some order take the smallest colour that no neighbour has, so there are at most as
    many colours as the largest degree plus one. ``strategy`` is the order, in NetworkX' names:
    "largest_first" by falling degree and at random among equals, or "random_sequential". ``seed``
    makes the result reproducible. Directions, weights and loops do not count.
    O(colours × log n) rounds, each over the edges of the vertices still to be coloured; a GPU does
    it in one kernel, in O(n log n + m), and does not wait.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], directed=False, backend="cpu")
    >>> lg.greedy_color(G, "random_sequential", seed=0).to_dense().max() in (1, 2)
    True
    """
    if strategy not in STRATEGIES:
        raise InvalidValue(f"expected a strategy among {', '.join(STRATEGIES)}; got {strategy!r}")
    A, left = G.neighbours, random_ranks(G, seed)
    if strategy == "largest_first":
        degree = A.apply("one").new("INT64").reduce_rowwise("plus").new()
        left(plus) << degree.apply("times", RANKS)
    return greedy_coloring(left, A)


@operation
def greedy_independent_set(rank: Vector, A: Matrix) -> Vector:
    """The set (BOOL) that a pass over the entries of ``rank`` by falling rank would take, where the
    matrix A, symmetric and without loops, says who may not be beside whom. Ranks are INT64, all
    different, and at least 0."""
    return _greedy_set(A, rank).apply("one").new("BOOL")


@operation
def greedy_coloring(rank: Vector, A: Matrix) -> Vector:
    """The colours (INT64, from 0) that such a pass would take."""
    colour = Vector("INT64", rank.size, backend=rank.backend)
    left, number = rank, 0
    while left.nvals:
        chosen = _greedy_set(A, left)
        colour(chosen.S) << number
        left, number = excluding(left, chosen), number + 1
    return colour


def _greedy_set(A: Matrix, rank: Vector) -> Vector:
    """The set that a pass over the vertices by falling rank would take, with the ranks."""
    left, chosen = rank.dup(), Vector(rank.dtype, rank.size, backend=rank.backend)
    rival, beside = chosen.dup(), chosen.dup()
    while left.nvals:
        rival(left.S, replace=True) << max_first(left @ A)
        ahead = left.ewise_union(rival, gt, -1, -1).new()  # of all its neighbours that are left
        winner = masked(left, ahead)
        chosen(winner.S) << winner
        beside << any_first(winner @ A)
        left = excluding(excluding(left, winner), beside)
    return chosen
