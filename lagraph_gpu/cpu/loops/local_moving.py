"""A sweep of moves between communities on the CPU, compiled by numba.

The votes for a vertex are added up in an array with a place for each label, and a list holds the
labels that occur. The sums of the communities change as vertices move. O(entries of the rows that
are examined).

The code is compiled when it is first called and stored on the disk.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN, MovingState, ScoreTerms
from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_vector
from lagraph_gpu.notation import Matrix, Vector


def local_moving(
    votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """Lowers ``local_moving``: one turn after another, and one vertex after another within a
    turn."""
    B = votes._store.arrays()
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
            choose, *B, rows, label, rest, scale, unit, k, share, d, sums, more, MIN_GAIN, held,
            met, goal, gain, work=work,
        )  # fmt: skip
        watched(settle, *B, rows, label, rest, k, d, sums, more, goal, work=work)
    moved = np.flatnonzero(gain)
    for name, values in zip(vars(state), (label, rest, sums, more), strict=True):
        if values.size:
            setattr(state, name, as_vector(votes, gb.Vector.from_dense(values)))
    gains = gb.Vector.from_coo(moved, gain[moved], dtype="FP64", size=label.size)
    return as_vector(votes, gains)


@compiled
def choose(
    indptr: Any, indices: Any, values: Any, rows: Any, label: Any, rest: Any, scale: Any,
    unit: Any, k: Any, share: Any, d: Any, sums: Any, more: Any, min_gain: float,
    votes: Any, met: Any, goal: Any, gain: Any, watch: Any,
) -> None:  # fmt: skip
    """Find for each of these rows whose margin is used up the label with the highest score. Write
    the label to ``goal`` and the gain to ``gain`` if the vertex gains by moving, and the new margin
    to ``rest``."""
    each = np.uint64(1 if values.size > 1 else 0)
    for v in rows:
        if watch[0] != 0:
            break
        if rest[v] >= 0:
            continue
        first, last = indptr[v], indptr[v + 1]
        rest[v] = 0
        if first == last:
            continue
        mine, used = label[v], 0
        for e in range(np.uint64(first), np.uint64(last)):
            c = label[np.uint32(indices[e])]
            if votes[np.uint64(c)] == 0:
                met[used] = c
                used += 1
            votes[np.uint64(c)] += values[e * each]
        stay = votes[mine] * scale[v] - (sums[mine] - k[v]) * unit
        if share.size:
            stay -= share[v] * ((more[mine] - d[v]) * unit)
        best, top, second = -1, -np.inf, 0.0
        for c in met[:used]:
            score = votes[c] * scale[v] - sums[c] * unit
            if share.size:
                score -= share[v] * (more[c] * unit)
            votes[c] = 0
            if c == mine:
                continue
            if score > top or (score == top and c < best):
                best, top, score = c, score, top
            second = max(second, score)
        if top - stay > min_gain:
            goal[v], gain[v] = best, top - stay
        margin = max(top, stay) - max(min(top, stay), second)
        if margin > 0:
            rest[v] = np.floor(margin / scale[v]) if scale[v] > 0 else np.inf


@compiled
def settle(
    indptr: Any, indices: Any, values: Any, rows: Any, label: Any, rest: Any, k: Any, d: Any,
    sums: Any, more: Any, goal: Any, watch: Any,
) -> None:  # fmt: skip
    """Move these vertices to their goals: change the labels and the sums of the communities, and
    reduce the margins of the neighbours."""
    each = np.uint64(1 if values.size > 1 else 0)
    for v in rows:
        old, new = label[v], goal[v]
        if watch[0] != 0:
            break
        if old == new:
            continue
        label[v] = new
        sums[old] -= k[v]
        sums[new] += k[v]
        if d.size:
            more[old] -= d[v]
            more[new] += d[v]
        for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + 1])):
            rest[np.uint32(indices[e])] -= values[e * each]
