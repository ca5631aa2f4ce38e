"""Independent sets and colourings: sets of vertices no two of which are neighbours.

Luby's method with one random order for all rounds. A vertex that comes before all its neighbours
joins the set, its neighbours are excluded, and the rounds continue with the remaining vertices. The
result is that of a sequential pass in the same order. O(log n) rounds suffice with high
probability, each over the edges of the remaining vertices.

A colouring takes such sets one after another: the vertices of colour 0 are a maximal independent
set, those of colour 1 are one of the remaining vertices, and so on. This is first-fit colouring in
the same order. A vertex has a neighbour in each smaller colour, so there are at most as many
colours as the largest degree plus one.

Luby: A simple parallel algorithm for the maximal independent set problem (1986). Blelloch, Fineman,
Shun: Greedy sequential maximal independent set and matching are parallel on average, SPAA 2012.
Fischer, Noever: Tight analysis of parallel randomized greedy MIS, SODA 2018. Jones, Plassmann: A
parallel graph coloring heuristic (1993). Alabandi, Powers, Burtscher: Increasing the parallelism of
graph coloring via shortcutting, PPoPP 2020.
"""

from __future__ import annotations

from typing import Literal

from lagraph_gpu.algorithms._shared.labels import RANKS, random_ranks
from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_first, max_first

gt, plus = BINARY["gt"], BINARY["plus"]
STRATEGIES = ("largest_first", "random_sequential")


def maximal_independent_set(G: Graph, seed: int | None = None) -> Vector:
    """A maximal independent set: no two of its vertices are neighbours, and no vertex can be added.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    seed : int, optional
        The seed of the random numbers. The same seed gives the same answer on every backend.

    Returns
    -------
    Vector of BOOL
        True at the vertices of the set, and no entry elsewhere. An isolated vertex is in every such
        set.

    Notes
    -----
    O(log n) rounds with high probability, each expected O(m). On a CPU one pass, in O(n + m); on a
    GPU one kernel, which does not wait. Luby 1986; Blelloch, Fineman and Shun 2012.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend="cpu")
    >>> chosen = lg.maximal_independent_set(G, seed=1)
    >>> sorted(chosen) in ([0, 2], [0, 3], [1, 3])
    True
    """
    return greedy_independent_set(random_ranks(G, seed), G.neighbours)


def greedy_color(
    G: Graph,
    strategy: Literal["largest_first", "random_sequential"] = "largest_first",
    seed: int | None = None,
) -> Vector:
    """A proper colouring: neighbours have different colours.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    strategy : {"largest_first", "random_sequential"}, optional
        The order of the vertices, with the names of NetworkX: by falling degree and at random among
        equal degrees, or at random.
    seed : int, optional
        The seed of the random numbers. The same seed gives the same answer on every backend.

    Returns
    -------
    Vector of INT64
        The colour of each vertex, from 0. There are at most as many colours as the largest degree
        plus one.

    Raises
    ------
    InvalidValue
        The strategy is not one of these.

    Notes
    -----
    Each vertex takes the smallest colour that no earlier neighbour has. O(colours × log n) rounds,
    each over the edges of the vertices without a colour. On a CPU one pass, in O(n + m); on a GPU
    two kernels, in O(m), which do not wait; where a vertex has more than 62 neighbours, these
    vertices are sorted, and in a random order all. Jones and Plassmann 1993; Alabandi, Powers and
    Burtscher 2020.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], directed=False, backend="cpu")
    >>> lg.greedy_color(G, "random_sequential", seed=0).to_dense().max() in (1, 2)
    True
    """
    if not is_one_of(strategy, STRATEGIES):
        raise InvalidValue(
            f"expected a strategy among {', '.join(STRATEGIES)}; got {brief(strategy)}"
        )
    return greedy_coloring(random_ranks(G, seed), G.neighbours, strategy == "largest_first")


@operation
def greedy_independent_set(rank: Vector, A: Matrix) -> Vector:
    """The set (BOOL) that a sequential pass over the entries of `rank`, by falling rank, would
    take.

    Vertices joined by an entry of A cannot both be in the set; A is symmetric and without loops.
    Ranks are INT64, all different, at least 0 and below 2³¹.
    """
    return _greedy_set(A, rank).apply("one").new("BOOL")


@operation
def greedy_coloring(rank: Vector, A: Matrix, by_degree: bool = False) -> Vector:
    """The colours (INT64, from 0) that a sequential first-fit pass over the entries of `rank` would
    give, by falling rank, or by falling degree and among equal degrees by falling rank. The other
    operands are those of `greedy_independent_set`.
    """
    colour = Vector("INT64", rank.size, backend=rank.backend)
    left, number = rank.dup(), 0
    if by_degree:
        degree = A.apply("one").new("INT64").reduce_rowwise("plus").new()
        left(plus) << degree.apply("times", RANKS).new().dup(mask=rank.S)
    while left.nvals:
        chosen = _greedy_set(A, left)
        colour(chosen.S) << number
        left, number = left.dup(mask=~chosen.S), number + 1
    return colour


def _greedy_set(A: Matrix, rank: Vector) -> Vector:
    """The vertices of the greedy set, each with its rank."""
    left, chosen = rank.dup(), Vector(rank.dtype, rank.size, backend=rank.backend)
    rival, neighbours = chosen.dup(), chosen.dup()
    while left.nvals:
        rival(left.S, replace=True) << max_first(left @ A)
        before = left.ewise_union(rival, gt, -1, -1).new()  # True: before all its neighbours
        winner = left.dup(mask=before.V)
        chosen(winner.S) << winner
        neighbours << any_first(winner @ A)
        left = left.dup(mask=~winner.S).dup(mask=~neighbours.S)
    return chosen
