"""Sweeps of moves between communities on the CPU, and Louvain's and Leiden's methods on arrays
(``native/moves.cpp``, ``native/refinement.cpp``).

In a small graph the time of a call is that of its statements, and in a road network most levels are
small. So there are no statements between the levels here.
"""

from __future__ import annotations

from dataclasses import dataclass

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.leiden import TURNS
from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN, MovingState, ScoreTerms
from lagraph_gpu.algorithms.community.louvain import little
from lagraph_gpu.algorithms.community.louvain_level import Objective
from lagraph_gpu.algorithms.community.moving_phase import FIRST_TURNS, LATER_TURNS, MIN_RISE
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, full, real
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from semirings.types import FP64, INT32, INT64

moving_sweep, turns_of_ranks = Loop("moving_sweep"), Loop("turns_of_ranks")
row_sums, number_labels = Loop("row_sums"), Loop("number_labels")
merge_rows, weight_within = Loop("merge_rows"), Loop("weight_within")
refine, connected_parts = Loop("refine"), Loop("connected_parts")

NO_VALUES = np.empty(0)


def local_moving(
    votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """Lowers ``local_moving``: one turn after another, and one vertex after another within a
    turn."""
    B = votes._store.arrays(dtype=FP64)
    label, turn = state.label.to_dense(dtype="INT32"), turns.to_dense()
    rest, sums, more, scale, k, share, d = (
        NO_VALUES if v is None else real(v._store)
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
    gain, costs = np.zeros(label.size), (scale, k, share, d, terms.gamma, MIN_GAIN)
    work = label.size + B[1].size
    watched(moving_sweep, *B, turn, count, label, rest, *costs, sums, more, gain, work=work)
    moved = np.flatnonzero(gain)
    after = label.astype(INT64), rest, sums, more
    for name, values in zip(vars(state), after, strict=True):
        if values.size:
            setattr(state, name, as_vector(votes, full(values)))
    gains = gb.Vector.from_coo(moved, gain[moved], dtype="FP64", size=label.size)
    return as_vector(votes, gains)


@dataclass(frozen=True)
class ArrayLevel:
    """The undirected graph of one level of Louvain's method: twice the weights of its edges without
    loops, the sum of its loops, the degree of each vertex, and its rank."""

    rows: tuple[np.ndarray, np.ndarray, np.ndarray]
    loops: float
    degree: np.ndarray
    rank: np.ndarray

    @classmethod
    def of(cls, A: Matrix, rank: np.ndarray) -> ArrayLevel:
        begins, columns, values = A._store.arrays(dtype=FP64)
        degree, loops = np.empty(rank.size), np.zeros(1)
        if row_sums(begins, columns, values, degree, loops):
            kept = columns != np.repeat(np.arange(rank.size, dtype=INT32), np.diff(begins))
            before = np.concatenate([[0], np.cumsum(kept)])
            begins, columns = before[begins], columns[kept]
            values = values[kept] if values.size > 1 else values
        return cls((begins, columns, values * 2), float(loops[0]), degree, rank)

    @property
    def work(self) -> int:
        return self.rank.size + self.rows[1].size

    def quality(self, objective: Objective, label: np.ndarray | None = None) -> float:
        """The modularity of the communities with these labels; by default each vertex is one."""
        sums, inside = self.degree, np.zeros(1)
        if label is not None:
            weight_within(*self.rows, label, inside)
            sums = np.bincount(label, self.degree)
        return objective.quality(self.loops + float(inside[0]) / 2, float((sums * sums).sum()))

    def moved(
        self, label: np.ndarray, quality: float, objective: Objective
    ) -> tuple[np.ndarray, float]:
        """``moving_phase.move_vertices``."""
        n, k = label.size, self.degree
        label, margin = label.copy(), np.full(n, -1.0)
        sums = np.bincount(label, k, n)
        costs = (
            self.scale,
            k,
            NO_VALUES,
            NO_VALUES,
            objective.resolution / objective.weight,
            MIN_GAIN,
        )
        promised, count = 0.0, FIRST_TURNS
        while True:
            gain, turn = np.zeros(n), self.turns(count, objective)
            state = turn, count, label, margin, *costs, sums, NO_VALUES, gain
            watched(moving_sweep, *self.rows, *state, work=self.work)
            rise = 2 * float((gain * k).sum()) / objective.weight
            promised, count = promised + rise, LATER_TURNS
            if not rise > MIN_RISE * (max(quality, 0.0) + promised):
                return label, promised

    def improved(self, label: np.ndarray, quality: float, objective: Objective) -> np.ndarray:
        """The communities after moves of single vertices, if these raise the quality."""
        last, _ = self.moved(label, quality, objective)
        return last if self.quality(objective, last) > quality else label

    @property
    def scale(self) -> np.ndarray:
        """What a vote counts for each vertex."""
        k = self.degree
        return np.divide(0.5, k, out=np.zeros(k.size), where=k > 0)

    def turns(self, count: int, objective: Objective) -> np.ndarray:
        """``moving_phase.random_turns``."""
        turn = np.empty(self.rank.size, np.uint8)
        factor = int(objective.rng.integers(RANKS // 4)) * 2 + 1
        turns_of_ranks(self.rank, factor, RANKS // count, turn)
        return turn

    def refined(self, label: np.ndarray, objective: Objective) -> np.ndarray:
        """``leiden.refined``."""
        part, gamma = np.empty_like(label), objective.resolution / objective.weight
        given = self.turns(TURNS, objective), TURNS, self.degree, self.scale, gamma, MIN_GAIN
        watched(refine, *self.rows, label, *given, part, work=TURNS * self.work)
        return part

    def merged(self, number: np.ndarray, count: int) -> ArrayLevel:
        """The graph of the communities with these numbers."""
        begins, columns, values = (np.empty(size, kind) for size, kind in (
            (count + 1, INT64), (self.rows[1].size, INT32), (self.rows[1].size, FP64)
        ))  # fmt: skip
        inside, degree, rank = np.zeros(1), np.zeros(count), np.full(count, INT64.type(RANKS))
        edges = watched(
            merge_rows, *self.rows, number, self.degree, self.rank, begins, columns, values, inside,
            degree, rank, work=self.work,
        )  # fmt: skip
        rows = begins, columns[:edges].copy(), values[:edges].copy()
        return ArrayLevel(rows, self.loops + float(inside[0]) / 2, degree, rank)


def base_level(A: Matrix, objective: Objective, ranks: Vector) -> ArrayLevel | None:
    """The graph itself. None if it is directed, or if each round is asked for."""
    if objective.directed or trace.asks_for_rounds():
        return None
    return ArrayLevel.of(A, np.array(ranks.to_dense(), INT64))


def numbered(label: np.ndarray) -> tuple[np.ndarray, int]:
    """A number for each vertex, the same for those of one label, and how many there are."""
    number = np.empty_like(label)
    return number, number_labels(label, number)


def merged_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector | None:
    """Lowers ``merged_communities``. None as `base_level` has it."""
    if (base := base_level(A, objective, ranks)) is None:
        return None
    level, quality, up = base, base.quality(objective), 0
    label = single = np.arange(A.nrows, dtype=INT32)
    while levels is None or up < levels:
        group, promised = level.moved(single[: level.rank.size], quality, objective)
        if little(promised, quality, objective):
            break
        number, count = numbered(group)
        level = level.merged(number, count)
        higher_quality = level.quality(objective)
        if little(higher_quality - quality, quality, objective):
            break
        label, quality, up = number[label], higher_quality, up + 1
    if up > 1:
        label = base.improved(label, quality, objective)
    return as_vector(A, full(smallest_members(label).astype(INT64)))


def refined_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector | None:
    """Lowers ``refined_communities``. None as `base_level` has it."""
    if (base := base_level(A, objective, ranks)) is None:
        return None
    level, quality, up = base, base.quality(objective), 0
    place = label = np.arange(A.nrows, dtype=INT32)
    while levels is None or up < levels:
        label, promised = level.moved(label, quality, objective)
        quality = level.quality(objective, label)
        number, count = numbered(level.refined(label, objective))
        if count == label.size or (up > 0 and little(promised, quality, objective)):
            break
        above = np.empty(count, INT32)
        above[number] = label  # which is the same for all vertices of a part
        place, label = number[place], smallest_members(above, label.size)
        level, up = level.merged(number, count), up + 1
    label = base.improved(smallest_members(label[place]), quality, objective)
    parent = np.arange(A.nrows)
    watched(connected_parts, *base.rows[:2], label, parent, work=base.work)
    return as_vector(A, full(parent))


def smallest_members(label: np.ndarray, width: int | None = None) -> np.ndarray:
    """The labels of communities by which each is named by the smallest of its members. The labels
    given are below the number of vertices, or below ``width``."""
    first = np.empty(label.size if width is None else width, INT32)
    first[label[::-1]] = np.arange(label.size, dtype=INT32)[::-1]  # of several the last is written
    return first[label]
