"""Communities of high modularity that are connected, by Leiden's method.

Louvain's method merges whole communities, so a community may fall apart when the vertex that held
it together has moved away. Leiden's method first divides each community into parts that hold
together, merges the parts, and begins the next level with the communities as they were:

- *Move*: each vertex moves to the community where it raises the modularity most (`move_vertices`).
- *Refine*: within each community, single vertices join parts (`refined`).
- *Merge*: the parts are the vertices of the next level, which starts from the communities. Where
  moves of parts raise the modularity little, or all parts are single vertices, the communities
  are the vertices of the next level, as in Louvain's method.

At the end single vertices move once more, and each community is divided into its connected parts,
which never lowers the modularity. O(m) for each sweep.

Traag, Waltman, van Eck: From Louvain to Leiden: guaranteeing well-connected communities, Scientific
Reports 9 (2019). Their refinement draws the part that a vertex joins; ours takes the best one.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.community.level_statements import VectorSteps
from lagraph_gpu.algorithms.community.levels import leiden_levels
from lagraph_gpu.algorithms.community.louvain import begin
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.closure import rounds_bound
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation


def leiden(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> Vector:
    """Communities of high modularity, each of them connected, by Leiden's method.

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
        its own. If all weights are 0, every vertex is. Without regard to directions, each community
        is connected by edges of a weight above 0.

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    InvalidValue
        `resolution` or `threshold` is negative or not finite.

    Notes
    -----
    O(m) for each sweep of moves, and about two dozen sweeps. The same seed gives the same
    communities, and on every backend if the weights are whole numbers. Source: Traag, Waltman, van
    Eck: From Louvain to Leiden, Scientific Reports 9 (2019).

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.leiden(G, seed=2)) > 0.41
    True
    """
    levels = rounds_bound(max_level, "max_level")
    begun = begin(G, resolution, threshold, seed)
    if begun is None or levels == 0:
        return identity(G)
    return leiden_communities(*begun, levels)


@operation
def leiden_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector:
    """The connected communities (INT64) of a graph with the adjacency matrix A, after at most so
    many levels. `ranks` has a different number below 2³¹ for each vertex."""
    return leiden_levels(VectorSteps(objective), Level.of(A, objective, ranks), levels)
