"""Communities by modularity: move vertices, merge communities, repeat (Louvain's method).

Vertices move to the neighbouring community where they raise modularity most, until little is gained
(``moving``). With P the indicator of the communities, Pᵀ A P is then a graph whose vertices are the
communities, in which they move in turn; and so on, until a level raises nothing. At last single
vertices move once more, from the communities found: those that joined early may now fit better
elsewhere. O(m) a sweep of moves at most, and a dozen sweeps.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks, J. of
Statistical Mechanics (2008). Rotta, Noack: Multilevel local search algorithms for modularity
clustering, ACM J. of Experimental Algorithmics 16 (2011).
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.labels import argsort, identity, random_ranks, scatter
from lagraph_gpu.algorithms._shared.power_iteration import total
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.modularity import scaled
from lagraph_gpu.algorithms.community.moving_phase import move_vertices
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.closure import steps_bound
from lagraph_gpu.errors import NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_at_least_0, random
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.vector import Vector
from semirings import any_pair, any_second, min_first

SLIGHT = 1e-3
"""A level that raises modularity by no more than this part of it is the last."""


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
    more than ``threshold``, and by a thousandth of itself; ``max_level`` of them at most.
    ``seed``: whatever ``numpy.random.default_rng`` takes; the same seed gives the same communities,
    and on every backend if the weights are whole numbers (sums of others round in an order of their
    own). An isolated vertex is a community; so is every vertex if all weights are 0. Raises
    InvalidValue for a ``resolution`` or ``threshold`` that is negative or not finite.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.louvain(G, seed=2)) > 0.41
    True
    """
    levels, rng = steps_bound(max_level, "max_level"), random(seed)
    expect_at_least_0(resolution, "resolution")
    expect_at_least_0(threshold, "threshold")
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0, got {G.lightest}")
    label = identity(G)
    if not G.heaviest:
        return label
    A, place = scaled(G), random_ranks(G, rng)
    if not G.lightest:
        A = A.select(">", 0).new()
    A = A if G.directed else symmetric(A)
    objective = Objective(total(A), resolution, threshold, G.directed, rng)
    base = level = Level.of(A, objective)
    quality, up, tickets = base.singleton_quality(objective), 0, place
    while levels is None or up < levels:
        group, promised = move_vertices(
            level, tickets.apply("index").new(), quality, tickets, objective
        )
        if promised <= max(threshold, SLIGHT * quality):
            break
        used = _numbers(group)
        number = any_second(group.selector() @ used).new()
        P = number.selector(used.nvals)
        A = quotient(A, P) if objective.directed else symmetric(quotient(A, P))
        level = Level.of(A, objective)
        higher_quality = level.singleton_quality(objective)
        if higher_quality - quality <= max(threshold, SLIGHT * quality):
            break
        label = any_second(label.selector(number.size) @ number).new()
        tickets, quality, up = min_first(tickets @ P).new(), higher_quality, up + 1
    if up > 1:
        last, _ = move_vertices(base, label, quality, place, objective)
        if base.quality(last, objective) > quality:
            label = last
    P = label.selector()
    return any_second(P @ min_first(identity(G) @ P).new()).new()


def _numbers(group: Vector) -> Vector:
    """A number for each label that occurs, from 0: these come first in a stable order."""
    used = any_pair(group @ group.selector()).new()
    last = Vector.from_scalar(1, group.size, "INT8", backend=group.backend)
    last(used.S) << 0
    order = argsort(last)
    number = Vector("INT64", group.size, backend=group.backend)
    number(used.S) << scatter(order.apply("index").new(), order)
    return number
