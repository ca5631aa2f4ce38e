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

from typing import Any

from lagraph_gpu.algorithms._shared.labels import identity, random_ranks
from lagraph_gpu.algorithms._shared.power_iteration import expect_no_negative, total
from lagraph_gpu.algorithms.community.level_statements import VectorSteps
from lagraph_gpu.algorithms.community.levels import louvain_levels
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.modularity import scale, scaled
from lagraph_gpu.closure import rounds_bound
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_at_least_0, random
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation

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
    return louvain_communities(A, objective, ranks, levels)


@operation
def louvain_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector:
    """The communities (INT64) of a graph with the adjacency matrix A, after at most so many levels.
    `ranks` has a different number below 2³¹ for each vertex."""
    return louvain_levels(VectorSteps(objective), Level.of(A, objective, ranks), levels)


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
