"""A sweep of moves between communities on the CPU (``native/moves.cpp``)."""

from __future__ import annotations

from itertools import pairwise

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN, MovingState, ScoreTerms
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64

best_moves, apply_moves = Loop("best_moves"), Loop("apply_moves")


def local_moving(
    votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """Lowers ``local_moving``: one turn after another, and one vertex after another within a
    turn."""
    B = votes._store.arrays(dtype=FP64)
    label, turn = state.label.to_dense().copy(), turns.to_dense()
    rest, sums, more, scale, k, share, d = (
        np.array([] if v is None else v.to_dense(), float)
        for v in (
            state.margin,
            state.k_sums,
            state.d_sums,
            terms.scale,
            terms.k,
            terms.share,
            terms.d,
        )
    )
    unit = terms.gamma
    gain, order = np.zeros(label.size), np.argsort(turn, kind="stable")
    ends = np.searchsorted(turn[order], np.arange(count), side="right")
    held, met, goal = np.zeros(label.size), np.empty_like(label), label.copy()
    for begin, end in pairwise([0, *ends]):
        rows = order[begin:end]
        work = B[1].size if rows.size > label.size // 16 else 16 * rows.size
        watched(
            best_moves, *B, rows, label, rest, scale, unit, k, share, d, sums, more, MIN_GAIN, held,
            met, goal, gain, work=work,
        )  # fmt: skip
        watched(apply_moves, *B, rows, label, rest, k, d, sums, more, goal, work=work)
    moved = np.flatnonzero(gain)
    for name, values in zip(vars(state), (label, rest, sums, more), strict=True):
        if values.size:
            setattr(state, name, as_vector(votes, gb.Vector.from_dense(values)))
    gains = gb.Vector.from_coo(moved, gain[moved], dtype="FP64", size=label.size)
    return as_vector(votes, gains)
