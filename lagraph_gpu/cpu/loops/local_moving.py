"""Sweeps of moves between communities on the CPU (``native/moves.cpp``)."""

from __future__ import annotations

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN, MovingState, ScoreTerms
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import NO_VALUES, Communities, Scores, Turns
from lagraph_gpu.cpu.statements.containers import as_vector, real, vector_of
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64, INT64

moving_sweep = Loop("moving_sweep")


def local_moving(
    votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """Lowers ``local_moving``: one turn after another, and one vertex after another within a
    turn."""
    rows, values = rows_with_values(votes._store, False, FP64)
    communities = Communities(
        label=state.label.to_dense(dtype="INT32"), margin=array_of(state.margin),
        k_sums=array_of(state.k_sums), d_sums=array_of(state.d_sums),
    )  # fmt: skip
    scores = Scores(
        scale=array_of(terms.scale), k=array_of(terms.k), gamma=terms.gamma, min_gain=MIN_GAIN,
        share=array_of(terms.share), d=array_of(terms.d),
    )  # fmt: skip
    gain, moves = np.zeros(votes.nrows), Turns(turn=turns.to_dense(), turns=count)
    work = gain.size + rows.columns.size
    watched(moving_sweep, rows, values, moves, scores, communities, gain, work=work)
    moved = np.flatnonzero(gain)
    after = communities._replace(label=communities.label.astype(INT64))
    for name, new in zip(vars(state), after, strict=True):
        if new.size:
            setattr(state, name, vector_of(votes, new))
    gains = gb.Vector.from_coo(moved, gain[moved], dtype="FP64", size=gain.size)
    return as_vector(votes, gains)


def array_of(v: Vector | None) -> np.ndarray:
    """A new array of FP64 with the values of a full vector; none for no vector."""
    return NO_VALUES if v is None else real(v)
