"""The moving phases of Louvain's and Leiden's methods: sweeps in which rows choose the best label
(`label_argmax.py`) and move to it.

A phase has its arrays for all of its sweeps. Between two sweeps the host waits once, for what the
last one promises. Before it waits, the device is given what the next sweep begins with: how many
labels are in use, the turns, and the list of the first turn. The lists of rows take 24 bytes a row,
or 48, and the other arrays 58.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.local_moving import MIN_GAIN, MovingState, ScoreTerms
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.moving_phase import (
    LATER_TURNS,
    Sweeps,
    first_state,
    move_vertices,
    random_factor,
    terms_of,
)
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.label_argmax import (
    COARSE_ROWS,
    COUNTED_ROWS,
    MODULARITY_GAIN,
    NARROW,
    NUMBERING,
    ROW_KINDS,
    SUMMED,
    WHOLE_SWEEP,
    RowDivision,
    next_turn,
)
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.notation import Matrix, Vector
from semirings import BINARY, types

times = BINARY["times"]

BLOCKS_A_SWEEP = 4
"""The blocks on a multiprocessor for a kernel that does a whole sweep: more wait longer for each
other."""

Fetched = tuple[DeviceArray, Callable[[], np.ndarray]]


class Used(NamedTuple):
    """The labels in use."""

    ends: DeviceArray
    """For each label how many are in use up to it."""
    size: int


class Numbered(NamedTuple):
    """The labels in use, numbered in their order."""

    ends: DeviceArray
    names: DeviceArray
    """The label of each number."""
    sums: tuple[Any, Any]
    """S and D by number."""


@dataclass
class Moving:
    """The arrays of a phase."""

    votes: Matrix
    gamma: float
    terms: list[Any]
    """a, k, b and d of the score."""
    state: list[Any]
    """The labels, margins, S and D."""
    labels: DeviceArray
    """The labels, or their numbers, as indices."""
    gains: DeviceArray
    singles: bool
    """True if each vertex has a label of its own."""
    movers: Any = None
    """Which vertices move in this sweep."""
    room: Any = None
    """Memory for the lists of two turns, or one."""
    counts: Any = None
    """The lengths of the lists of each turn."""
    listed: bool = False
    """True if the rows of the first turn have been listed."""
    used: Fetched | None = None
    """For each label how many are in use up to it, and what waits for the last of these numbers, if
    labels may have places in the next sweep."""

    def list_of(self, turn: int) -> tuple[DeviceArray, DeviceArray]:
        """The lists of a turn and their lengths. Two turns have the halves of the memory in
        turn."""
        each = ROW_KINDS + 1
        half = self.room[turn % 2 * (self.room.size // 2) :]
        return half, self.counts[turn * each : turn * each + each]


class MovingPhases(BackendPart):
    """Lowers `local_moving` and `turns_of_ranks`, and moves the vertices of levels."""

    def turns_of_ranks(self, ranks: Vector, factor: int, count: int) -> Vector | None:
        """None if there is no vertex."""
        rank: DeviceVector = ranks._store
        if rank.dtype != types.INT64 or rank.size == 0:
            return None
        made = DeviceVector.to_fill(self.device, rank.size, types.UINT8)
        self._draw(rank, factor, count, made.parts)
        made.full = rank.full
        return self.backend.as_vector(made)

    def _draw(self, rank: DeviceVector, factor: int, count: int, turns: tuple[Any, ...]) -> None:
        """Write a turn for each rank."""
        n = rank.size
        self.backend.launch(MODULARITY_GAIN, "", "turns_of_ranks", n, np.int32(n), rank.present,
                            rank.values, np.int64(factor), np.int64(RANKS // count),
                            *turns)  # fmt: skip

    def local_moving(
        self, votes: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
    ) -> Vector | None:
        """None if there are no votes. S and D are the sums of `state`."""
        if not votes._store.nnz:
            return None
        moving = self._begun(votes, state, terms)
        self._prepare(moving, turns._store.values, count)
        self._sweep(moving, turns._store.values, count)
        for name, values in zip(vars(state), moving.state, strict=True):
            if values is not None:
                setattr(state, name, self.backend.full_vector(values))
        return self._gains(moving)

    def move_vertices(
        self, level: Level, label: Vector | None, quality: float, objective: Objective
    ) -> tuple[Vector, float]:
        """What the function of this name does, for ranks in a full vector of INT64. The store of
        the labels knows which are in use, if that was asked for."""
        if not level.B.nvals:
            return move_vertices(level, label, quality, objective)
        ranks, rng = level.ranks, objective.rng
        terms, sweeps = terms_of(level, objective), Sweeps(quality)
        moving = self._begun(level.B, first_state(label, terms), terms)
        turns = DeviceVector.to_fill(self.device, ranks.size, types.UINT8)
        factor, count, margin = random_factor(rng), sweeps.turns, moving.state[1]
        self._draw(ranks._store, factor, count, turns.parts)
        self._prepare(moving, turns.values, count)
        while True:
            self._sweep(moving, turns.values, count)
            rise = times(self._gains(moving) & level.degree).new().reduce("plus").new().send()
            moving.singles = False
            drawn, margins = rng.bit_generator.state, self.device.copy(margin)
            factor, count = random_factor(rng), LATER_TURNS
            self._draw(ranks._store, factor, count, turns.parts)
            self._prepare(moving, turns.values, count)
            if not sweeps.go_on(rise.get(0) / objective.weight):  # synchronize!
                rng.bit_generator.state = drawn
                moved = self.backend.full_vector(moving.state[0], below=ranks.size)
                moved._store.used = moving.used
                return moved, sweeps.promised
            if sweeps.turns != count:
                self.device.overwrite(margin, margins)
                count = sweeps.turns
                self._draw(ranks._store, factor, count, turns.parts)
                self._prepare(moving, turns.values, count)

    def _begun(self, votes: Matrix, state: MovingState, terms: ScoreTerms) -> Moving:
        """The arrays of a phase that begins with this state, which is left as it is."""
        n, device = votes.nrows, self.device
        given = terms.scale, terms.k, terms.share, terms.d
        arrays = [None if x is None else x._store.values for x in given]
        held = [None if x is None else device.copy(x._store.values) for x in vars(state).values()]
        labels, gains = device.empty(n, INDEX), device.empty(n, types.FP64)
        return Moving(votes, terms.gamma, arrays, held, labels, gains, state.singles(terms))

    def _prepare(self, moving: Moving, turn_of: DeviceArray, count: int) -> None:
        """Clear memory for the next sweep, of so many turns, ask how many labels are in use, and
        list the rows of the first turn, if the host has to plan the others: what is listed does not
        depend on it."""
        B, device, choices = moving.votes._store, self.device, self.backend.label_argmax
        n, used = B.shape[0], None
        moving.movers = device.zeros(words(n), WORD)
        moving.counts = device.zeros(count * (ROW_KINDS + 1), WORD)
        few = n * WORD.itemsize <= max(choices.counted_bytes) or not moving.singles
        many = B.nnz // count >= choices.many
        if many and few and choices.kind_of_votes(moving.votes, True) != SUMMED:
            ends = self.used_labels(moving.state[0], moving.terms[0])
            used = ends, device.fetch(ends[n:])
        moving.used, moving.room = used, None
        moving.room, moving.listed = device.empty(min(count, 2) * ROW_KINDS * n, INDEX), many
        if many:
            self._between(moving, turn_of, choices.bounds(moving.votes), 0)

    def used_labels(self, labels: DeviceArray, degree: DeviceArray) -> DeviceArray:
        """For each label how many are in use up to it by vertices with edges, whose degree, or its
        inverse, is above 0. The others have the label n."""
        n = labels.size
        marks = self.device.zeros(n + 1, WORD)
        self.backend.launch(COARSE_ROWS, "", "mark_labels", n, np.int32(n), labels, degree, marks)
        return self.backend.prefix_sums.ends(marks, INDEX)

    def _sweep(self, moving: Moving, turn_of: DeviceArray, count: int) -> None:
        """A whole sweep, which has been prepared."""
        B, choices, used = moving.votes._store, self.backend.label_argmax, None
        n, (scale, k, share, d), labels = B.shape[0], moving.terms, moving.labels
        winner, margin, S, D = moving.state
        if moving.used is not None:
            ends, last = moving.used
            used = Used(ends, int(last()[0]))  # synchronize!
        size = None if used is None else used.size
        plan = choices.plan(moving.votes, True, moving.listed, size)
        numbered = None
        if used is not None and plan.in_places:
            numbered = self._numbered(used, moving)
            by_label, (S, D) = (S, D), numbered.sums
        else:
            self.backend.launch(MODULARITY_GAIN, "", NARROW, n, np.int32(n), winner, labels)
        moves = (scale, np.float64(moving.gamma), S, k, share, D, d, moving.movers, margin,
                 np.float64(MIN_GAIN))  # fmt: skip
        given = labels, moving.gains, winner, moves
        sweep = (np.int32(count), turn_of), (moving.room, moving.counts), (*given, S, D)
        if not self._swept(B, plan, *sweep):
            if not moving.listed:
                self._between(moving, turn_of, plan.most, 0)
            for turn in range(count):
                choices.choose(B, plan, moving.list_of(turn), given)
                self._between(moving, turn_of, plan.most, turn + 1, (S, D))
        if numbered is not None:
            self.backend.launch(COUNTED_ROWS, "", NUMBERING[1], n, np.int32(n), labels, scale,
                                numbered.ends, numbered.names, S, D, winner,
                                *by_label)  # fmt: skip

    def _numbered(self, used: Used, moving: Moving) -> Numbered:
        """Numbers the labels in use, and writes the number of each vertex's label to `labels`."""
        n, device, (winner, _, S, D) = moving.labels.size, self.device, moving.state
        names, made = device.empty(used.size, INDEX), device.empty(used.size, types.FP64)
        other = None if D is None else device.empty(used.size, types.FP64)
        self.backend.launch(COUNTED_ROWS, "", NUMBERING[0], n, np.int32(n), winner,
                            moving.terms[0], used.ends, S, D, moving.labels, names, made,
                            other)  # fmt: skip
        return Numbered(used.ends, names, (made, other))

    def _swept(
        self, B: DeviceMatrix, plan: RowDivision, turns: Any, lists: Any, given: Any
    ) -> bool:
        """A whole sweep in one kernel. False if none can have all rows, or be resident."""
        if plan.whole_sweep is None:
            return False
        return self.backend.launch_resident(
            WHOLE_SWEEP, "", plan.whole_sweep, self.device.block_size, np.int32(B.shape[0]), *turns,
            *map(np.int32, plan.most[:2]), *lists, plan.arrays, B.ends, *given,
            self.device.zeros(1, WORD), each=BLOCKS_A_SWEEP,
        )  # fmt: skip

    def _between(
        self, moving: Moving, turn_of: DeviceArray, most: tuple[int, ...], turn: int,
        sums: tuple[Any, Any] = (None, None),
    ) -> None:  # fmt: skip
        """One kernel lists the rows whose turn it is and whose margin is used up, and lets the rows
        of the turn before move, which changes these sums."""
        B, (winner, margin, _, _), (_, k, _, d) = moving.votes._store, moving.state, moving.terms
        n, count = B.shape[0], moving.counts.size // (ROW_KINDS + 1)
        block, most_blocks = self.device.block_size, self.device.max_blocks
        first, last = turn == 0, turn == count
        listing = 0 if last else min(-(-n // (constants.ROWS_ASKED * block)), most_blocks)
        settling = 0 if first else min(-(-n // (count * block)), most_blocks)
        begun, done = moving.list_of(0 if last else turn), moving.list_of(0 if first else turn - 1)
        lists = self.backend.label_argmax.lists(B, most, begun)
        self.backend.launch(
            MODULARITY_GAIN, "", next_turn(types.c_name(B.offset)), 0, WORD.type(listing), B.indptr,
            B.ends, turn_of, np.int32(turn), margin, lists, *done, moving.movers, winner,
            moving.labels, k, sums[0], d, sums[1],
            blocks=listing + settling,
        )  # fmt: skip

    def _gains(self, moving: Moving) -> Vector:
        """The gains of the vertices that moved in the last sweep."""
        n = moving.gains.size
        return self.backend.as_vector(DeviceVector(n, types.FP64, moving.movers, moving.gains))
