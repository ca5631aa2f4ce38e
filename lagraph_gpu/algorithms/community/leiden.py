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

from lagraph_gpu.algorithms._shared.labels import (
    edges_between,
    edges_within,
    identity,
    zero_filled,
)
from lagraph_gpu.algorithms.community.local_moving import MovingState, local_moving
from lagraph_gpu.algorithms.community.louvain import STATEMENTS, Steps, begin, labels_in_use, little
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.moving_phase import random_turns, terms_of
from lagraph_gpu.algorithms.structure.components import component_labels
from lagraph_gpu.closure import rounds_bound
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_second, min_first, plus_first

minus, plus, times = (BINARY[name] for name in ("minus", "plus", "times"))

TURNS = 4
"""Vertices that join in one turn do not see each other."""


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
    return refined_communities(*begun, levels)


@operation
def refined_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector:
    """The connected communities (INT64) of a graph with the adjacency matrix A, after at most so
    many levels. `ranks` has a different number below 2³¹ for each vertex."""
    return refined_over_levels(Level.of(A, objective), objective, ranks, levels, STATEMENTS)


def refined_over_levels(
    base: Level, objective: Objective, ranks: Vector, levels: int | None, steps: Steps
) -> Vector:
    """The connected communities of the graph of the first level, after at most so many levels."""
    level, quality, up, level_ranks = base, base.singleton_quality(objective), 0, ranks
    place = label = identity(base.A)
    whole = False
    while levels is None or up < levels:
        begin_with = label if up else None
        label, promised = steps.move(level, begin_with, quality, level_ranks, objective)
        quality = level.quality(label, objective)
        settled = up > 0 and little(promised, quality, objective)
        if settled and whole:
            break
        whole = settled
        parts = label if whole else refined(level, label, level_ranks, objective)
        used = labels_in_use(parts).nvals
        if used == label.size and not whole:
            whole, parts, used = True, label, labels_in_use(label).nvals
        if used == label.size:
            break
        level, number = steps.merge(level, parts, objective)
        P = number.selector(level.k.size)
        place = any_second(place.selector(label.size) @ number).new() if up else number
        label = _smallest_parts(any_second(P.T @ label).new(), label.size)
        level_ranks, up = min_first(level_ranks @ P).new(), up + 1
    label = any_second(place.selector(label.size) @ label).new()
    label = _smallest_parts(label, label.size)
    last, _ = steps.move(base, label, quality, ranks, objective)
    if base.quality(last, objective) > quality:
        label = last
    return component_labels(symmetric(edges_within(label, base.B)))


def refined(level: Level, label: Vector, ranks: Vector, objective: Objective) -> Vector:
    """The part of each vertex: a division of each community into parts that are connected and
    connected well to the rest of the community. A part is named by one of its vertices.

    A vertex joins once, while it is alone and connected to its community by at least the weight
    that the objective expects; so does the part that it joins, where it raises the modularity most.
    A part has a vertex that stays, and a vertex that joins is a neighbour of one that does, so that
    parts are connected. A turn is a sweep of `local_moving` over the edges from vertices that may
    join to such vertices.
    """
    within, terms = edges_within(label, level.B), terms_of(level, objective)
    inside = zero_filled(within.reduce_rowwise("plus"))
    turns = random_turns(ranks, TURNS, objective.rng)
    zero, one, in_turn = (
        Vector.from_scalar(value, label.size, dtype, backend=label.backend)
        for value, dtype in ((0, "FP64"), (1, "INT64"), (0, "UINT8"))
    )
    whole, state = label.selector(), MovingState.of_singles(zero, terms)
    leaving, same = _sums_at(whole, level.leaving), level.entering is level.leaving
    entering = leaving if same else _sums_at(whole, level.entering)
    into, difference, outside, alone = state.k_sums, state.d_sums, inside, one
    for turn in range(TURNS):
        if turn > 0:  # at first each vertex is a part
            P = state.label.selector()
            into = any_second(P @ state.k_sums).new()
            if state.d_sums is not None:
                difference = any_second(P @ state.d_sums).new()
            own = zero_filled(edges_within(state.label, within).reduce_rowwise("plus"))
            outside = _sums_at(P, minus(inside & own).new())
            alone = _sums_at(P, one).select("==", 1).new()
        out = into if difference is None else plus(into & difference).new()
        expected = times(minus(leaving & out).new() & into).new()
        expected(plus) << times(minus(entering & into).new() & out)
        surplus = minus(outside & expected.apply("times", terms.gamma).new()).new()
        side = one.dup(mask=surplus.select(">=", 0).new().S)
        joins = side.dup(mask=alone.S).dup(mask=turns.select("==", turn).new().S)
        side(joins.S) << 0  # vertices of side 0 may join parts of vertices of side 1
        state.margin = zero.dup()
        state.margin(joins.S) << -1
        local_moving(edges_between(side, within), state, in_turn, 1, terms)
    return state.label


def _sums_at(P: Matrix, values: Vector) -> Vector:
    """At each vertex the sum of the values at the vertices with its label, which is the column of
    its entry in P."""
    return any_second(P @ zero_filled(plus_first(values @ P))).new()


def _smallest_parts(label: Vector, width: int) -> Vector:
    """The labels of groups by which each is named by its smallest position."""
    P = label.selector(width)
    return any_second(P @ min_first(label.apply("index").new() @ P).new()).new()
