"""The refinement of Leiden's method: a division of each community into connected parts.

Traag, Waltman, van Eck: From Louvain to Leiden: guaranteeing well-connected communities, Scientific
Reports 9 (2019). Their refinement draws the part that a vertex joins; ours takes the best one.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import edges_between, edges_within, zero_filled
from lagraph_gpu.algorithms.community.local_moving import MovingState, local_moving
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.moving_phase import random_turns, terms_of
from lagraph_gpu.notation import Matrix, Vector
from semirings import BINARY, any_second, plus_first

minus, plus, times = (BINARY[name] for name in ("minus", "plus", "times"))

TURNS = 4
"""Vertices that join in one turn do not see each other."""


def refined(level: Level, label: Vector, objective: Objective) -> Vector:
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
    turns = random_turns(level.ranks, TURNS, objective.rng)
    zero, one, in_turn = (
        Vector.from_scalar(value, label.size, dtype, backend=label.backend)
        for value, dtype in ((0, "FP64"), (1, "INT64"), (0, "UINT8"))
    )
    whole, state = label.selector(), MovingState.of_singles(zero, terms)
    leaving, same = _sums_at(whole, level.out_degree), level.in_degree is level.out_degree
    entering = leaving if same else _sums_at(whole, level.in_degree)
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
