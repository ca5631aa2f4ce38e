"""Communities by modularity: move vertices, merge communities, repeat (Louvain's method).

Vertices move to the neighbouring community where they raise modularity most, until none gains
(``moving``). With P the indicator of the communities, Pᵀ A P is then a graph whose vertices are the
communities, in which they move in turn; and so on, until a level changes nothing. Then all begins
again with single vertices and the communities found, for those that merged early may now fit better
elsewhere. O(m) a round of moves, and a few dozen rounds.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks, J. of
Statistical Mechanics (2008). Rotta, Noack: Multilevel local search algorithms for modularity
clustering, ACM J. of Experimental Algorithmics 16 (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.indicator import labels_of
from lagraph_gpu.algorithms.modularity import quality, scaled, total
from lagraph_gpu.algorithms.moving import moved
from lagraph_gpu.closure import steps_bound
from lagraph_gpu.errors import NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import any_pair, plus_first, plus_second


def louvain(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> Vector:
    """Communities of high modularity: for each vertex the smallest vertex of its own (INT64).

    Weights of at least 0 count (else NegativeWeight), loops and directions as in ``modularity``.
    ``resolution`` γ: larger gives smaller communities. Levels go on while one raises modularity by
    more than ``threshold``, ``max_level`` of them at most. ``seed``: whatever
    ``numpy.random.default_rng`` takes; the same seed gives the same communities, and on every
    backend if the weights are whole numbers (sums of others round in an order of their own). An
    isolated vertex is a community; so is every vertex if all weights are 0.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.louvain(G, seed=1)) > 0.41
    True
    """
    levels, rng = steps_bound(max_level, "max_level"), np.random.default_rng(seed)
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0, got {G.lightest}")
    P = Vector.from_scalar(True, G.n, "BOOL", backend=G.backend).diag()
    if not G.heaviest or levels == 0:
        return labels_of(P)
    A = scaled(G)
    weight, at = total(A), quality(A, P, total(A), resolution)
    while levels is None or levels > 0:
        before = at
        P, at = _level(A, P, at, weight, resolution, rng)
        if at - before <= threshold:
            break
        levels = None if levels is None else levels - 1
    return labels_of(P)


def _level(
    A: Matrix, P: Matrix, at: float, weight: float, resolution: float, rng: np.random.Generator
) -> tuple[Matrix, float]:
    """Vertices move between the communities P, then whole communities, up all levels."""
    P, at = moved(A, P, at, weight, resolution, rng)
    coarse, group = A, P
    while True:
        coarse = plus_first(plus_second(group.T @ coarse).new() @ group).new()
        own = Vector.from_scalar(True, A.nrows, "BOOL", backend=A.backend).diag()
        group, higher = moved(coarse, own, at, weight, resolution, rng)
        if not higher > at:
            return P, at
        P, at = any_pair(P @ group).new("BOOL"), higher
