"""Louvain's and Leiden's methods on arrays: the levels and the steps between them
(``native/moves.cpp``, ``native/refinement.cpp``).

In a small graph the time of a call is that of its statements, and in a road network most levels are
small. So there are no statements between the levels here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.levels import leiden_levels, louvain_levels
from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN
from lagraph_gpu.algorithms.community.louvain_level import Objective
from lagraph_gpu.algorithms.community.moving_phase import Sweeps, random_factor
from lagraph_gpu.algorithms.community.refinement import TURNS
from lagraph_gpu.cpu.loops.local_moving import moving_sweep
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import (
    NO_VALUES,
    Communities,
    CompressedRows,
    Members,
    MergedRows,
    Scores,
    Turns,
)
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.cpu.statements.stores import lengths_of_rows
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from semirings import BINARY
from semirings.types import FP64, INT32, INT64

plus = BINARY["plus"]

turns_of_ranks = Loop("turns_of_ranks")
row_sums, number_labels = Loop("row_sums"), Loop("number_labels")
merge_rows, weight_within = Loop("merge_rows"), Loop("weight_within")
refine, connected_parts = Loop("refine"), Loop("connected_parts")


@dataclass(frozen=True)
class ArrayLevel:
    """The graph of one level of Louvain's method: the weights of its edges in both directions
    without self-loops, the sum of its self-loops, the degrees of each vertex, and its rank. In an
    undirected graph both arrays of degrees are one."""

    rows: CompressedRows
    values: np.ndarray
    self_loops: float
    out_degree: np.ndarray
    in_degree: np.ndarray
    rank: np.ndarray

    @classmethod
    def of(cls, A: Matrix, directed: bool, rank: np.ndarray) -> ArrayLevel:
        rows, values = rows_with_values(A._store, False, FP64)
        out_degree, self_loops = np.empty(rank.size), np.zeros(1)
        loops = row_sums(rows, values, out_degree, self_loops)
        in_degree = out_degree
        if directed:
            weights = np.broadcast_to(values, rows.columns.size)
            in_degree = np.bincount(rows.columns, weights, rank.size).astype(FP64, copy=False)
            both = plus(A | A.T).new()
            rows, values = rows_with_values(both._store, False, FP64)
        else:
            values = values * 2
        if loops:
            begins, columns = rows
            kept = columns != np.repeat(np.arange(rank.size, dtype=INT32), lengths_of_rows(begins))
            before = np.concatenate([[0], np.cumsum(kept)])
            rows = CompressedRows(before[begins], columns[kept])
            values = values[kept] if values.size > 1 else values
        return cls(rows, values, float(self_loops[0]), out_degree, in_degree, rank)

    @property
    def work(self) -> int:
        return self.rank.size + self.rows.columns.size

    @property
    def directed(self) -> bool:
        return self.out_degree is not self.in_degree

    def sums(self, values: np.ndarray, label: np.ndarray) -> np.ndarray:
        """The sum of values at the vertices of each community."""
        return np.bincount(label, values, self.rank.size)


@dataclass(frozen=True)
class ArraySteps:
    """The steps on levels of arrays (``levels.LevelSteps``)."""

    objective: Objective

    def ids(self, level: ArrayLevel) -> np.ndarray:
        return np.arange(level.rank.size, dtype=INT32)

    def quality(self, level: ArrayLevel, label: np.ndarray | None) -> float:
        leaving, entering, inside = level.out_degree, level.in_degree, np.zeros(1)
        if label is not None:
            weight_within(level.rows, level.values, label, inside)
            leaving = entering = level.sums(leaving, label)
            if level.directed:
                entering = level.sums(level.in_degree, label)
        expected = float((leaving * entering).sum())
        return self.objective.quality(level.self_loops + float(inside[0]) / 2, expected)

    def moved(
        self, level: ArrayLevel, label: np.ndarray | None, quality: float
    ) -> tuple[np.ndarray, float]:
        n, scores = level.rank.size, self._scores(level)
        label = self.ids(level) if label is None else label.copy()
        state = Communities(
            label=label,
            margin=np.full(n, -1.0),
            k_sums=level.sums(level.in_degree, label),
            d_sums=level.sums(scores.d, label) if level.directed else NO_VALUES,
        )
        degree, sweeps, work = level.out_degree + level.in_degree, Sweeps(quality), level.work
        gain, turn = np.zeros(n), np.empty(n, np.uint8)
        while True:
            turns = self._turns(level, sweeps.turns, turn)
            given = level.rows, level.values, turns, scores, state, gain
            watched(moving_sweep, *given, work=work)
            gain *= degree
            rise = float(gain.sum()) / self.objective.weight
            if not sweeps.go_on(rise):
                return state.label, sweeps.promised
            gain.fill(0)

    def refined(self, level: ArrayLevel, label: np.ndarray) -> np.ndarray:
        part, turns = (
            np.empty_like(label),
            self._turns(level, TURNS, np.empty(label.size, np.uint8)),
        )
        given = level.rows, level.values, label, turns, self._scores(level), part
        watched(refine, *given, work=TURNS * level.work)
        return part

    def count(self, label: np.ndarray) -> int:
        return numbered(label)[1]

    def merged(self, level: ArrayLevel, label: np.ndarray) -> tuple[ArrayLevel, np.ndarray]:
        number, count = numbered(label)
        members = Members(number=number, k=level.in_degree, rank=level.rank)
        most = level.rows.columns.size
        merged = MergedRows(
            begins=np.empty(count + 1, INT64), columns=np.empty(most, INT32), values=np.empty(most),
            within=np.zeros(1), k=np.zeros(count), rank=np.full(count, INT64.type(RANKS)),
        )  # fmt: skip
        edges = watched(merge_rows, level.rows, level.values, members, merged, work=level.work)
        rows = CompressedRows(merged.begins, merged.columns[:edges].copy())
        out_degree = merged.k
        if level.directed:
            out_degree = np.bincount(number, level.out_degree, count)
        self_loops = level.self_loops + float(merged.within[0]) / 2
        values = merged.values[:edges].copy()
        return ArrayLevel(rows, values, self_loops, out_degree, merged.k, merged.rank), number

    def composed(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return second[first]

    def raised(self, label: np.ndarray, level: ArrayLevel, number: np.ndarray) -> np.ndarray:
        above = np.empty(level.rank.size, INT32)
        above[number] = label  # which is the same for all members
        return smallest_members(above, label.size)

    def named(self, label: np.ndarray) -> np.ndarray:
        return smallest_members(label, label.size)

    def connected(self, level: ArrayLevel, label: np.ndarray) -> np.ndarray:
        parent = np.arange(label.size)
        watched(connected_parts, level.rows, label, parent, work=level.work)
        return parent

    def _scores(self, level: ArrayLevel) -> Scores:
        """The terms of the score for each vertex, as ``moving_phase.terms_of`` has them."""
        objective, degree = self.objective, level.out_degree + level.in_degree
        scale = np.divide(1.0, degree, out=np.zeros(degree.size), where=degree > 0)
        gamma = objective.resolution / objective.weight
        undirected = Scores(scale=scale, k=level.in_degree, gamma=gamma, min_gain=MIN_GAIN)
        if not level.directed:
            return undirected
        share, difference = level.in_degree * scale, level.out_degree - level.in_degree
        return undirected._replace(share=share, d=difference)

    def _turns(self, level: ArrayLevel, count: int, turn: np.ndarray) -> Turns:
        """``moving_phase.random_turns``, written to ``turn``."""
        factor = random_factor(self.objective.rng)
        turns_of_ranks(level.rank, factor, RANKS // count, turn)
        return Turns(turn=turn, turns=count)


def louvain_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector | None:
    """Lowers ``louvain_communities``. None as `base_level` has it."""
    if (base := base_level(A, objective, ranks)) is None:
        return None
    return vector_of(A, louvain_levels(ArraySteps(objective), base, levels).astype(INT64))


def leiden_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector | None:
    """Lowers ``leiden_communities``. None as `base_level` has it."""
    if (base := base_level(A, objective, ranks)) is None:
        return None
    return vector_of(A, leiden_levels(ArraySteps(objective), base, levels))


def base_level(A: Matrix, objective: Objective, ranks: Vector) -> ArrayLevel | None:
    """The graph itself. None if each round is asked for."""
    if trace.asks_for_rounds():
        return None
    return ArrayLevel.of(A, objective.directed, np.array(ranks.to_dense(), INT64))


def numbered(label: np.ndarray) -> tuple[np.ndarray, int]:
    """A number for each vertex, the same for those of one label, and how many there are."""
    number = np.empty_like(label)
    return number, number_labels(label, number)


def smallest_members(label: np.ndarray, width: int) -> np.ndarray:
    """The labels of communities, which are below ``width``, by which each is named by the smallest
    of its members."""
    first = np.empty(width, INT32)
    first[label[::-1]] = np.arange(label.size, dtype=INT32)[::-1]  # of several the last is written
    return first[label]
