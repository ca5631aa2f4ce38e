"""Communities of high modularity by Louvain's method: move vertices, merge communities, repeat.

Each vertex moves to the neighbouring community where it raises the modularity most, until the gains
are small (`move_vertices`). With P the indicator of the communities, Pᵀ A P is a graph whose
vertices are the communities. The method continues on that graph, until a level does not raise the
modularity. At the end single vertices move once more between the final communities, because a
vertex that moved early may now fit better elsewhere. O(m) for each sweep of moves, and about a
dozen sweeps.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks, J. of
Statistical Mechanics (2008). Rotta, Noack: Multilevel local search algorithms for modularity
clustering, ACM J. of Experimental Algorithmics 16 (2011).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lagraph_gpu.algorithms._shared.labels import entry_numbers, identity, random_ranks
from lagraph_gpu.algorithms._shared.power_iteration import expect_no_negative, total
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.modularity import scale, scaled
from lagraph_gpu.algorithms.community.moving_phase import move_vertices
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.closure import rounds_bound
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_at_least_0, random
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import any_pair, any_second, min_first

SLIGHT = 1e-3
"""The last level is the one that raises the modularity by no more than this part of it."""

NEGLIGIBLE = 2.0**-1000
"""A scaled weight below it is no edge. No sum with the others feels it, and the inverse of a degree
that is not much larger would leave the range of FP64."""


def louvain(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> Vector:
    """Communities of high modularity, by Louvain's method.

    Parameters
    ----------
    G : Graph
        The graph. Weights count and must be at least 0; loops and directions count as in
        `modularity`.
    resolution : float, optional
        The parameter γ of `modularity`. A larger value gives smaller communities.
    threshold : float, optional
        The method ends when a level raises the modularity by no more than this, or by no more than
        a thousandth of it.
    max_level : int, optional
        The largest number of levels. By default there is no bound.
    seed : int or numpy.random.Generator, optional
        Anything that `numpy.random.default_rng` accepts.

    Returns
    -------
    Vector of INT64
        For each vertex the smallest vertex of its community. An isolated vertex is a community of
        its own. If all weights are 0, every vertex is.

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    InvalidValue
        `resolution` or `threshold` is negative or not finite.

    Notes
    -----
    O(m) for each sweep of moves, and about a dozen sweeps. The same seed gives the same
    communities, and on every backend if the weights are whole numbers. Sums of other weights are
    rounded in an order that depends on the backend.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.louvain(G, seed=2)) > 0.41
    True
    """
    levels = rounds_bound(max_level, "max_level")
    begun = begin(G, resolution, threshold, seed)
    if begun is None:
        return identity(G)
    A, objective, ranks = begun
    return merged_communities(A, objective, ranks, levels)


@operation
def merged_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector:
    """The communities (INT64) of a graph with the adjacency matrix A, after at most so many levels.
    `ranks` has a different number below 2³¹ for each vertex."""
    return communities_over_levels(Level.of(A, objective), objective, ranks, levels, STATEMENTS)


class Steps(NamedTuple):
    """The two steps of a level. A backend may have its own."""

    move: Callable[[Level, Vector | None, float, Vector, Objective], tuple[Vector, float]]
    """Moves the vertices, as `move_vertices` does."""
    merge: Callable[[Level, Vector, Objective], tuple[Level, Vector]]
    """Merges the vertices that have the same label: the next level, and for each vertex its number
    there."""


def communities_over_levels(
    base: Level, objective: Objective, ranks: Vector, levels: int | None, steps: Steps
) -> Vector:
    """The communities of the graph of the first level, after at most so many levels."""
    level, label = base, identity(base.A)
    quality, up, level_ranks = base.singleton_quality(objective), 0, ranks
    while levels is None or up < levels:
        group, promised = steps.move(level, None, quality, level_ranks, objective)
        if little(promised, quality, objective):
            break
        level, number = steps.merge(level, group, objective)
        higher_quality = level.singleton_quality(objective)
        if little(higher_quality - quality, quality, objective):
            break
        label = any_second(label.selector(number.size) @ number).new() if up else number
        level_ranks = min_first(level_ranks @ number.selector(level.k.size)).new()
        quality, up = higher_quality, up + 1
    if up > 1:
        last, _ = steps.move(base, label, quality, ranks, objective)
        if base.quality(last, objective) > quality:
            label = last
    P = label.selector()
    return any_second(P @ min_first(identity(base.A) @ P).new()).new()


def merged_level(level: Level, group: Vector, objective: Objective) -> tuple[Level, Vector]:
    """The next level, by the quotient of the graph."""
    used = entry_numbers(labels_in_use(group))
    number = any_second(group.selector() @ used).new()
    A = quotient(level.A, number.selector(used.nvals))
    return Level.of(A if objective.directed else symmetric(A), objective), number


STATEMENTS = Steps(move_vertices, merged_level)


def little(rise: float, quality: float, objective: Objective) -> bool:
    """True if the modularity rises too little for another level, or by nothing that is a number."""
    return not rise > max(objective.threshold, SLIGHT * quality)


def begin(
    G: Graph, resolution: float, threshold: float, seed: Any
) -> tuple[Matrix, Objective, Vector] | None:
    """The matrix of the weights that are not negligible, what is to be raised, and a random rank
    for each vertex. None if no weight is above 0.

    Raises NegativeWeight, or InvalidValue for a parameter below 0 or not finite.
    """
    rng = random(seed)
    resolution = expect_at_least_0(resolution, "resolution")
    threshold = expect_at_least_0(threshold, "threshold")
    expect_no_negative(G)
    if not G.heaviest:
        return None
    A, ranks = scaled(G), random_ranks(G, rng)
    if G.lightest * scale(G) < NEGLIGIBLE:
        A = A.select(">=", NEGLIGIBLE).new()
    A = A if G.directed else symmetric(A)
    return A, Objective(total_weight(A), resolution, threshold, G.directed, rng), ranks


@operation
def total_weight(A: Matrix) -> float:
    """The sum of all entries (waits)."""
    return total(A)


def labels_in_use(group: Vector) -> Vector:
    """An entry for each label in use."""
    return any_pair(group @ group.selector()).new()
