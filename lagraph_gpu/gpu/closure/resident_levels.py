"""Closures under ``any`` over distributed rows in one launch on all devices of a host, which store
into each other's memory (see resident_levels.cuh).

The host takes part before and after: it agrees with the others that all have the memory, launches
the kernel, and reads its report, a line for each round. A launch ends early where lists need more
room than there is, and after LAUNCH_ROUNDS rounds, so that a closure that proves deep can go
elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure.collective_launch import (
    CollectiveLaunch,
    CollectiveScratch,
    Line,
    Prepared,
    aligned,
    counters,
)
from lagraph_gpu.gpu.closure.distributed_search import DistributedRows, DistributedSearch, begins
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, Result, result_bytes
from lagraph_gpu.gpu.device import DeviceArray, constants
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning.trace import explaining
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import LevelReport
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
    from lagraph_gpu.gpu.device.peer_windows import PeerWindows

KERNEL = "closure/level_synchronous/resident_levels.cuh"

LAUNCH_ROUNDS = 64
"""A launch takes so many rounds at most."""

FIRST_LINES = 24
"""The lines of a report that are copied to the host together with its head."""

STAY = np.int32(constants.STAY)
"""Until when rounds pull after a pull, as the kernel takes it."""

NO_ROWS = None, None, None, np.int32(0)
"""In place of rows, if these are not known."""


class LevelsEnd(NamedTuple):
    """Where a launch has ended: the head of its report."""

    rounds: int = 0
    pulled: int = 0
    guessed: int = 0
    counted: int = 1
    exchange: int = 0
    needed: int = 0
    cycles: int = 0
    """Of the whole launch, on one multiprocessor."""


class PreparedLevels(NamedTuple):
    """What searches share that differ in their start alone."""

    common: Prepared
    own: int
    """The positions of this process that may have entries."""
    most: int
    """The largest number of entries that a push can find for an owner."""
    choice: tuple[Any, ...]
    """The kernel's arguments for the direction of a round: from how many edges on a round pulls,
    and which rows there are, 1 for those that leave positions, 2 for those that enter them, and 3
    for both."""


def prepared(search: DistributedSearch, of: DistributedLevels) -> PreparedLevels:
    """What searches over these operands share."""
    backend, device, rows = of.backend, of.device, search.rows
    parts, rank = of.peers.size, of.peers.rank
    each = aligned(search.each)
    rows_of, pull = PULL["thread"], no_pull(search.ends)
    if rows.incoming is not None:
        rows_of, pull = search.pull_argument()
    A, known, connected = rows.outgoing, search.known, search.connected
    kernel = backend.kernel(
        KERNEL, search.algebra,
        f"resident_levels<Semiring, {rows_of}, {types.c_name(search.sent)}>",
    )  # fmt: skip
    block = min(device.cooperative_block, constants.LEVELS_BLOCK)
    grid = backend.resident_blocks(kernel, block)
    most, own = 32 * each, min(search.own, 32 * each)
    if rows.incoming is not None:
        most = 0 if A is None else min(most, max(0, rows.threshold))
    queued = known.nnz // of.piece + 2 * grid * block // 32 + 1
    way = (A is not None) + 2 * (rows.incoming is not None)
    extent = tuple(map(np.int32, (search.own, own, connected, each, parts, rank)))
    common = Prepared(
        kernel, grid, block, search.sent, extent,
        rows=(NO_ROWS if A is None else A.arrays(), np.int32(of.piece), pull),
        scratch=((aligned(words(connected)), WORD), (3 * each, WORD), (queued, ITEM),
                 (counters(parts), COUNT)),
        results=result_bytes(search.own, search.dtype) + result_bytes(search.own, INDEX),
        head=constants.REPORT_HEAD, lines=(FIRST_LINES, LAUNCH_ROUNDS + 1), bits=each,
    )  # fmt: skip
    return PreparedLevels(common, own, most, (np.int64(rows.threshold), np.int32(way)))


class ResidentLevels:
    """One call."""

    def __init__(
        self, of: DistributedLevels, peer_windows: PeerWindows, start: DeviceVector, size: int,
        rows: DistributedRows, semiring: Semiring,
    ) -> None:  # fmt: skip
        self.device = of.device
        kept, stream = rows.known.closures, of.device.stream
        key = (
            "levels", stream, semiring, start.dtype, start.size, size, rows.threshold, of.piece,
            of.backend.products.long_row, LAUNCH_ROUNDS,
            *(None if A is None else id(A.indptr) for A in (rows.outgoing, rows.incoming)),
        )  # fmt: skip
        ready = kept.ready.get(key)
        if ready is None:
            search = DistributedSearch(of, start.size, start.dtype, size, rows, semiring)
            ready = kept.ready[key] = prepared(search, of)
        self.ready: PreparedLevels = ready
        scratch: list[CollectiveScratch] = kept.scratch.setdefault(key, [])
        self.launch = CollectiveLaunch(of, peer_windows, ready.common, scratch)
        fill = DeviceVector.to_fill
        self.x = fill(self.device, start.size, start.dtype)
        self.levels = fill(self.device, start.size, INDEX)
        self.begins = begins(start)
        # with room for all that a push can find; less if there is no memory for that: then a
        # launch ends where it needs more
        room = max(of.small, ready.most)
        if not (of.at_once and self.launch.opens(room)):
            self.launch.open(of.small)

    def run(self, max_rounds: int, report: LevelReport) -> Result | None:
        """The closure; None if `report` says that it is to end here."""
        end, number, explained, launch = LevelsEnd(), 0, explaining(), self.launch
        while True:
            limit = min(max_rounds, (end.rounds // LAUNCH_ROUNDS + 1) * LAUNCH_ROUNDS)
            before = end
            held = launch.launched(
                lambda to: self._rounds(to, before, limit, begins=number == 0),  # noqa: B023
                self.begins, self.x.parts, *self.levels.parts,
            )  # fmt: skip
            end = LevelsEnd(*held.head)
            launch.peer_windows.exchange = end.exchange
            lines = held.lines(end.rounds - before.rounds + 1)
            vertices = sum(lines[-1].found)
            # the first line of a later launch is the last one of the launch before
            lines = lines[number > 0 :]
            for line in lines:
                self._count_sent(number, line)
                if explained:
                    seconds = held.seconds(line.waited, end.cycles)
                    if report(number, np.array(line.found), bool(line.pulled), seconds):
                        return None
                number += 1
            if not vertices or end.rounds >= max_rounds:
                break
            if not explained:
                found = np.array([line.found for line in lines])
                found = found.reshape(-1, launch.peers.size).sum(0)
                if report(number - 1, found, False, 0.0):
                    return None
            if end.needed > launch.room:
                each = self.ready.common.bits
                launch.open(min(32 * each, 1 << (end.needed - 1).bit_length()))
        launch.end()
        return Result(self.x, self.levels, not vertices)

    def _count_sent(self, number: int, line: Line) -> None:
        """Count what has been sent for a round: a bitmap, or lists with their lengths."""
        if not number:
            self.launch.count_sent(0, 1)
        elif line.pulled:
            bitmap = WORD.itemsize * words(self.ready.own)
            self.launch.count_sent(bitmap * (self.launch.peers.size - 1), 1)
        else:
            each = INDEX.itemsize + self.ready.common.sent.itemsize
            self.launch.count_sent(each * line.sent, 2)

    def _rounds(
        self, report: DeviceArray, end: LevelsEnd, limit: int, begins: bool
    ) -> tuple[Any, ...]:
        """What the kernel takes about the rounds after `end`."""
        return (
            report, *self.ready.choice, np.int32(end.rounds), np.int32(limit), STAY,
            np.bool_(begins), np.bool_(end.pulled), np.bool_(end.guessed), np.bool_(end.counted),
        )  # fmt: skip


def no_pull(ends: DeviceArray) -> tuple[Any, ...]:
    """In place of rows that enter positions, if these are not known."""
    return np.int32(0), *NO_ROWS, ends, np.int32(0), None, np.int32(0), None
