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
from lagraph_gpu.algorithms.community.moving_phase import Sweeps, random_factor
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
from lagraph_gpu.cpu.statements.containers import as_vector, real, vector_of
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from semirings import BINARY
from semirings.types import FP64, INT32, INT64

plus = BINARY["plus"]

moving_sweep, turns_of_ranks = Loop("moving_sweep"), Loop("turns_of_ranks")
row_sums, number_labels = Loop("row_sums"), Loop("number_labels")
merge_rows, weight_within = Loop("merge_rows"), Loop("weight_within")
refine, connected_parts = Loop("refine"), Loop("connected_parts")


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


@dataclass(frozen=True)
class ArrayLevel:
    """The graph of one level of Louvain's method: the weights of its edges in both directions
    without self-loops, the sum of its self-loops, the degrees of each vertex, and its rank. In an
    undirected graph both arrays of degrees are one."""

    rows: CompressedRows
    values: np.ndarray
    self_loops: float
    leaving: np.ndarray
    entering: np.ndarray
    rank: np.ndarray

    @classmethod
    def of(cls, A: Matrix, directed: bool, rank: np.ndarray) -> ArrayLevel:
        rows, values = rows_with_values(A._store, False, FP64)
        leaving, self_loops = np.empty(rank.size), np.zeros(1)
        loops = row_sums(rows, values, leaving, self_loops)
        entering = leaving
        if directed:
            weights = np.broadcast_to(values, rows.columns.size)
            entering = np.bincount(rows.columns, weights, rank.size).astype(FP64, copy=False)
            both = plus(A | A.T).new()
            rows, values = rows_with_values(both._store, False, FP64)
        else:
            values = values * 2
        if loops:
            begins, columns = rows
            kept = columns != np.repeat(np.arange(rank.size, dtype=INT32), np.diff(begins))
            before = np.concatenate([[0], np.cumsum(kept)])
            rows = CompressedRows(before[begins], columns[kept])
            values = values[kept] if values.size > 1 else values
        return cls(rows, values, float(self_loops[0]), leaving, entering, rank)

    @property
    def work(self) -> int:
        return self.rank.size + self.rows.columns.size

    @property
    def directed(self) -> bool:
        return self.leaving is not self.entering

    def sums(self, values: np.ndarray, label: np.ndarray) -> np.ndarray:
        """The sum of values at the vertices of each community."""
        return np.bincount(label, values, self.rank.size)

    def quality(self, objective: Objective, label: np.ndarray | None = None) -> float:
        """The modularity of the communities with these labels; by default each vertex is one."""
        leaving, entering, inside = self.leaving, self.entering, np.zeros(1)
        if label is not None:
            weight_within(self.rows, self.values, label, inside)
            leaving = entering = self.sums(leaving, label)
            if self.directed:
                entering = self.sums(self.entering, label)
        expected = float((leaving * entering).sum())
        return objective.quality(self.self_loops + float(inside[0]) / 2, expected)

    def moved(
        self, label: np.ndarray, quality: float, objective: Objective
    ) -> tuple[np.ndarray, float]:
        """``moving_phase.move_vertices``."""
        n, scores = label.size, self.scores(objective)
        state = Communities(
            label=label.copy(),
            margin=np.full(n, -1.0),
            k_sums=self.sums(self.entering, label),
            d_sums=self.sums(scores.d, label) if self.directed else NO_VALUES,
        )
        k, sweeps = self.leaving + self.entering, Sweeps(quality)
        while True:
            gain, turns = np.zeros(n), self.turns(sweeps.turns, objective)
            given = self.rows, self.values, turns, scores, state, gain
            watched(moving_sweep, *given, work=self.work)
            rise = float((gain * k).sum()) / objective.weight
            if not sweeps.go_on(rise):
                return state.label, sweeps.promised

    def improved(self, label: np.ndarray, quality: float, objective: Objective) -> np.ndarray:
        """The communities after moves of single vertices, if these raise the quality."""
        last, _ = self.moved(label, quality, objective)
        return last if self.quality(objective, last) > quality else label

    def scores(self, objective: Objective) -> Scores:
        """The terms of the score for each vertex, as ``moving_phase.terms_of`` has them."""
        k, gamma = self.leaving + self.entering, objective.resolution / objective.weight
        scale = np.divide(1.0, k, out=np.zeros(k.size), where=k > 0)
        undirected = Scores(scale=scale, k=self.entering, gamma=gamma, min_gain=MIN_GAIN)
        if not self.directed:
            return undirected
        share, difference = self.entering * scale, self.leaving - self.entering
        return undirected._replace(share=share, d=difference)

    def turns(self, count: int, objective: Objective) -> Turns:
        """``moving_phase.random_turns``."""
        turn = np.empty(self.rank.size, np.uint8)
        turns_of_ranks(self.rank, random_factor(objective.rng), RANKS // count, turn)
        return Turns(turn=turn, turns=count)

    def refined(self, label: np.ndarray, objective: Objective) -> np.ndarray:
        """``leiden.refined``."""
        part, turns = np.empty_like(label), self.turns(TURNS, objective)
        given = self.rows, self.values, label, turns, self.scores(objective), part
        watched(refine, *given, work=TURNS * self.work)
        return part

    def merged(self, number: np.ndarray, count: int) -> ArrayLevel:
        """The graph of the communities with these numbers."""
        members, most = (
            Members(number=number, k=self.entering, rank=self.rank),
            self.rows.columns.size,
        )
        merged = MergedRows(
            begins=np.empty(count + 1, INT64), columns=np.empty(most, INT32), values=np.empty(most),
            within=np.zeros(1), k=np.zeros(count), rank=np.full(count, INT64.type(RANKS)),
        )  # fmt: skip
        edges = watched(merge_rows, self.rows, self.values, members, merged, work=self.work)
        rows = CompressedRows(merged.begins, merged.columns[:edges].copy())
        leaving = np.bincount(number, self.leaving, count) if self.directed else merged.k
        self_loops = self.self_loops + float(merged.within[0]) / 2
        values = merged.values[:edges].copy()
        return ArrayLevel(rows, values, self_loops, leaving, merged.k, merged.rank)


def base_level(A: Matrix, objective: Objective, ranks: Vector) -> ArrayLevel | None:
    """The graph itself. None if each round is asked for."""
    if trace.asks_for_rounds():
        return None
    return ArrayLevel.of(A, objective.directed, np.array(ranks.to_dense(), INT64))


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
    return vector_of(A, smallest_members(label).astype(INT64))


def refined_communities(
    A: Matrix, objective: Objective, ranks: Vector, levels: int | None
) -> Vector | None:
    """Lowers ``refined_communities``. None as `base_level` has it."""
    if (base := base_level(A, objective, ranks)) is None:
        return None
    level, quality, up = base, base.quality(objective), 0
    place = label = np.arange(A.nrows, dtype=INT32)
    whole = False
    while levels is None or up < levels:
        label, promised = level.moved(label, quality, objective)
        quality = level.quality(objective, label)
        settled = up > 0 and little(promised, quality, objective)
        if settled and whole:
            break
        whole = settled
        number, count = numbered(label if whole else level.refined(label, objective))
        if count == label.size and not whole:
            whole = True
            number, count = numbered(label)
        if count == label.size:
            break
        above = np.empty(count, INT32)
        above[number] = label  # which is the same for all vertices of a part
        place, label = number[place], smallest_members(above, label.size)
        level, up = level.merged(number, count), up + 1
    label = base.improved(smallest_members(label[place]), quality, objective)
    parent = np.arange(A.nrows)
    watched(connected_parts, base.rows, label, parent, work=base.work)
    return vector_of(A, parent)


def smallest_members(label: np.ndarray, width: int | None = None) -> np.ndarray:
    """The labels of communities by which each is named by the smallest of its members. The labels
    given are below the number of vertices, or below ``width``."""
    first = np.empty(label.size if width is None else width, INT32)
    first[label[::-1]] = np.arange(label.size, dtype=INT32)[::-1]  # of several the last is written
    return first[label]
