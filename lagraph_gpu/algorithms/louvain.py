"""Communities by modularity: move vertices, merge communities, repeat (Louvain's method).

Vertices move to the neighbouring community where they raise modularity most, until hardly any gains
(``moving``). With P the indicator of the communities, Pᵀ A P is then a graph whose vertices are the
communities, in which they move in turn; and so on, until a level changes nothing. Then all begins
again with single vertices and the communities found, for those that merged early may now fit better
elsewhere: as a rule twice in all. O(m) a round of moves at most, and a few dozen rounds.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks, J. of
Statistical Mechanics (2008). Rotta, Noack: Multilevel local search algorithms for modularity
clustering, ACM J. of Experimental Algorithmics 16 (2011).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms.labels import identity, shuffled
from lagraph_gpu.algorithms.level import Aim, Level
from lagraph_gpu.algorithms.modularity import scaled, total
from lagraph_gpu.algorithms.moving import moved
from lagraph_gpu.algorithms.quotient import quotient
from lagraph_gpu.checks import expect_at_least_0, random
from lagraph_gpu.closure import steps_bound
from lagraph_gpu.errors import NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import symmetric
from lagraph_gpu.relabel import placed
from lagraph_gpu.vector import Vector
from semirings import any_pair, any_second, min_first

AGAIN = 1e-3
"""All begins again while that has raised modularity by more than this part of it."""


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
    isolated vertex is a community; so is every vertex if all weights are 0. Raises InvalidValue for
    a ``resolution`` or ``threshold`` that is negative or not finite.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.louvain(G, seed=1)) > 0.41
    True
    """
    levels, rng = steps_bound(max_level, "max_level"), random(seed)
    expect_at_least_0(resolution, "resolution")
    expect_at_least_0(threshold, "threshold")
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0, got {G.lightest}")
    label, at, left = identity(G), -math.inf, math.inf if levels is None else levels
    if not G.heaviest:
        return label
    A, place = scaled(G), shuffled(G, rng)
    if not G.lightest:
        A = A.select(">", 0).new()
        A = A if G.directed else symmetric(A)
    aim = Aim(total(A), resolution, threshold, G.directed, rng)
    level = Level.of(A, aim)
    while left > 0:
        before = at
        label, at, left = _climbed(level, label, place, aim, left)
        if at - before <= max(threshold, AGAIN * at):
            break
    P = label.selector()
    return any_second(P @ min_first(identity(G) @ P).new()).new()


def _climbed(
    level: Level, label: Vector, place: Vector, aim: Aim, left: float
) -> tuple[Vector, float, float]:
    """Vertices move between these communities, then whole communities, up all levels that are left:
    the labels, their modularity, the levels left then."""
    A = level.A
    label, at = moved(level, label, place, aim)
    group = label
    while left := left - 1:
        number = _numbers(group)
        P = any_second(group.selector() @ number).new().selector(number.nvals)
        label = any_second(label.selector(group.size) @ number).new()
        A = quotient(A, P) if aim.directed else symmetric(quotient(A, P))
        place = min_first(place @ P).new()
        group, higher = moved(Level.of(A, aim), place.apply("index").new(), place, aim)
        if higher - at <= aim.threshold:
            break
        label, at = any_second(label.selector(group.size) @ group).new(), higher
    return label, at, left


def _numbers(group: Vector) -> Vector:
    """A number for each label that occurs, from 0: these come first in a stable order."""
    used = any_pair(group @ group.selector()).new()
    last = Vector.from_scalar(1, group.size, "INT8", backend=group.backend)
    last(used.S) << 0
    order = group._wrap(group.dtype, group.backend, group.backend.layouts.argsort(last._store))
    number = Vector("INT64", group.size, backend=group.backend)
    number(used.S) << placed(order.apply("index").new(), order)
    return number
