"""Closures under ``any`` over distributed rows in one launch on all devices of a host, which store
into each other's memory (see resident_levels.cuh).

The host takes part before and after: it agrees with the others that all have the memory, launches
the kernel, and reads its report, a line for each round. A launch ends early where lists need more
room than there is, and after ROUNDS rounds, so that a closure that proves deep can go elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.distributed_search import STAY, Rows, Search
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, Result
from lagraph_gpu.gpu.device import DeviceArray, constants
from lagraph_gpu.gpu.device.neighbours import Neighbours
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.backend import LevelReport
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels

KERNEL = "closure/level_synchronous/resident_levels.cuh"

ROUNDS = 64
"""A launch takes so many rounds at most."""

ALIGNED = 4
"""The words of bitmaps that are sent are a multiple of this, so that they are copied in large
pieces."""

HEAD = 7
"""The words of a report before the lines of its rounds."""


NO_ROWS = None, None, None, np.int32(0)
"""In place of rows, if these are not known."""


class End(NamedTuple):
    """Where a launch has ended: the head of its report."""

    rounds: int = 0
    pulled: int = 0
    guessed: int = 0
    counted: int = 1
    exchange: int = 0
    needed: int = 0
    cycles: int = 0
    """Of the whole launch, on one multiprocessor."""


class Scratch(NamedTuple):
    """Memory for one search at a time, kept with the matrix."""

    bits: DeviceArray
    seen: DeviceArray
    fresh: DeviceArray
    queue: DeviceArray
    counters: DeviceArray
    report: DeviceArray


class ResidentLevels(Search):
    """One call."""

    def __init__(
        self, of: DistributedLevels, neighbours: Neighbours, start: DeviceVector, size: int,
        rows: Rows, semiring: Semiring, agree: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__(of, start, size, rows, semiring)
        self.each = -(-self.each // ALIGNED) * ALIGNED
        self.of, self.neighbours, self.agree = of, neighbours, agree
        parts = self.peers.size
        self.columns = 4 + parts
        rows_of, pull = PULL["thread"], no_pull(self.ends)
        if rows.incoming is not None:
            rows_of, pull = self.pull_arguments()
        A = rows.outgoing
        self.kernel = self.backend.kernel(
            KERNEL, self.algebra, f"resident_levels<Semiring, {rows_of}, {types.c_name(self.sent)}>"
        )
        most = constants.CLOSURE_WIDE_BLOCK if wide(self.known) else constants.CLOSURE_BLOCK
        self.block = min(self.device.cooperative_block, most)
        self.grid = self.backend.resident_blocks(self.kernel, self.block)
        self.kept = self.known.closures.scratch.setdefault(
            ("levels", self.device.stream, self.connected), []
        )
        self.scratch = self.kept.pop() if self.kept else self._made(parts)
        self.given = (
            NO_ROWS if A is None else A.arrays(), np.int32(of.piece), self.scratch.queue, *pull,
        )  # fmt: skip
        self._open_for_all()

    def _made(self, parts: int) -> Scratch:
        device, of_all = self.device, words(self.connected)
        queued = self.known.nnz // self.of.piece + 2 * self.grid * self.block // 32 + 1
        return Scratch(
            device.empty(of_all, WORD), device.empty(of_all, WORD),
            device.empty(3 * self.each, WORD), device.empty(queued, ITEM),
            device.zeros(3 * self.columns + 1, COUNT),
            device.zeros(HEAD + (ROUNDS + 1) * self.columns, COUNT),
        )  # fmt: skip

    def _open_for_all(self) -> None:
        """Lists with room for all that a push can find; less if there is no memory for that. A
        launch then ends where it needs more."""
        rows, most = self.rows, 32 * self.each
        if rows.incoming is not None:
            most = 0 if rows.outgoing is None else min(most, max(0, rows.threshold))
        small, near = self.of.small, self.neighbours
        room = max(small, most)
        if not self.of.at_once or room >= near.refused:
            room = small
        try:
            self._open(room)
        except TooLarge:
            if room == small:
                raise
            near.refused = room
            self._open(small)

    def _open(self, room: int) -> None:
        """Memory for bitmaps and for lists of so many entries, which all open to each other."""
        near, slots = self.neighbours, self.neighbours.slots
        key = self.each, self.sent
        if near.opened.get(key, (-1,))[0] < room:
            self.agree()
            near.opened.clear()  # what is too small is freed
            lists = [
                near.window("places", room, INDEX),
                near.window(f"values, {self.sent}", room, self.sent),
            ]
            least = min(one.size for one in lists) // near.size
            near.opened[key] = least, (
                *slots(near.window("counts", 4, COUNT), 4),
                *slots(near.window("bits", self.each, WORD), self.each),
                *(of_list for one in lists for of_list in slots(one, least)),
            )  # fmt: skip
        self.room, self.opened = near.opened[key]

    def run(self, max_steps: int, report: LevelReport) -> Result | None:
        """The closure; None if `report` says that it is to end here."""
        try:
            return self._run(max_steps, report)
        finally:
            self.of.exposed = False

    def _run(self, max_steps: int, report: LevelReport) -> Result | None:
        end, line = End(), 0
        while True:
            launch = self._prepared(end, min(max_steps, end.rounds + ROUNDS), begins=line == 0)
            self.agree()
            self.of.exposed = True
            began = perf_counter()
            launch()
            held = self.device.download(self.scratch.report).view(np.int64)  # synchronize!
            waited = perf_counter() - began
            self.of.exposed = False
            before, end = end, End(*held[:HEAD].tolist())
            self.neighbours.exchange = end.exchange
            lines = held[HEAD:].reshape(-1, self.columns)[: end.rounds - before.rounds + 1]
            seconds = waited / max(1, end.cycles)  # that one cycle took
            # the first line of a later launch is the last one of the launch before
            for pulled, sent, cycles, _, *found in lines.tolist()[line > 0 :]:
                self._count_sent(line, bool(pulled), sent)
                if report(line, np.array(found), bool(pulled), cycles * seconds):
                    return None
                line += 1
            vertices = int(lines[-1, 4:].sum())
            if not vertices or end.rounds >= max_steps:
                break
            if end.needed > self.room:
                self._open(min(32 * self.each, 1 << (end.needed - 1).bit_length()))
        self.kept.append(self.scratch)
        return self.x, self.levels, not vertices

    def _count_sent(self, line: int, pulled: bool, sent: int) -> None:
        """Count what has been sent for a round: two counts to each, and a bitmap or lists with
        their lengths."""
        others = self.peers.size - 1
        of_round = 0
        if line:
            of_round = (
                WORD.itemsize * self.each * others if pulled
                else (INDEX.itemsize + self.sent.itemsize) * sent + 2 * COUNT.itemsize * others
            )  # fmt: skip
        self.peers.sent += of_round + 2 * COUNT.itemsize * others

    def _prepared(self, end: End, limit: int, begins: bool) -> Callable[[], None]:
        """The launch of the rounds after `end`. It comes directly after all have agreed, so that no
        device waits for the others' hosts."""
        rows, scratch, neighbours = self.rows, self.scratch, self.neighbours
        parts, rank = self.peers.size, self.peers.rank
        rounds = (
            scratch.report, np.uint64(neighbours.exchange), np.int64(rows.threshold),
            np.uint64(self.room), np.int32(end.rounds), np.int32(limit), np.int32(STAY),
            np.bool_(begins), np.bool_(end.pulled), np.bool_(end.guessed), np.bool_(end.counted),
        )  # fmt: skip
        way = (rows.outgoing is not None) + 2 * (rows.incoming is not None)
        own = min(self.x.size, 32 * self.each)
        dated, when = self.levels.parts
        return partial(neighbours.launch, self.kernel, self.grid, self.block, (
            rounds, np.int32(self.x.size), np.int32(own), np.int32(self.connected),
            (np.int32(parts), np.int32(rank)), np.int32(way), self.begins, *self.given,
            self.x.parts, dated, when, scratch.fresh, np.int32(self.each), scratch.bits,
            scratch.seen, scratch.counters, neighbours.flags, neighbours.told, *self.opened,
        ))  # fmt: skip


def no_pull(ends: DeviceArray) -> tuple[Any, ...]:
    """In place of rows that enter positions, if these are not known."""
    return np.int32(0), NO_ROWS, ends, np.int32(0), None, np.int32(0), None


def wide(A: DeviceMatrix) -> bool:
    """Whether its offsets take more registers than those of 32 bits."""
    return A.offset.itemsize > INDEX.itemsize
