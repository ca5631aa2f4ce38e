"""Closures under ``any`` over distributed rows in one launch on all devices of a host, which store
into each other's memory (see resident_levels.cuh).

The host takes part before and after: it agrees with the others that all have the memory, launches
the kernel, and reads its report, a line for each round. A launch ends early where lists need more
room than there is, and after ROUNDS rounds, so that a closure that proves deep can go elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.distributed_search import Rows, Search, begins
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, Result
from lagraph_gpu.gpu.device import DeviceArray, constants
from lagraph_gpu.gpu.device.neighbours import Neighbours
from lagraph_gpu.gpu.device.port import Device, Kernel
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning.trace import explaining
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import LevelReport
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels

KERNEL = "closure/level_synchronous/resident_levels.cuh"

ROUNDS = 64
"""A launch takes so many rounds at most."""

ALIGNED = 4
"""The words of bitmaps that are sent are a multiple of this, so that they are copied in large
pieces."""

HEAD = constants.REPORT_HEAD

FIRST_LINES = 24
"""The lines of a report that are copied to the host together with its head."""


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
    first: DeviceArray
    """The beginning of the report, which is all of it as a rule."""


class Ready(NamedTuple):
    """What searches share that differ in their start alone. It holds arrays and no matrix, which
    keeps it."""

    kernel: Kernel
    grid: int
    block: int
    sent: np.dtype
    each: int
    """The words of the bitmap of a process."""
    own: int
    """The positions of this process that may have entries."""
    most: int
    """The largest number of entries that a push can find for an owner."""
    numbers: tuple[Any, ...]
    """Of positions, of processes, and which rows are known."""
    outgoing: tuple[Any, ...]
    incoming: tuple[Any, ...]
    make: Callable[[Device], Scratch]


def ready_for(search: Search, of: DistributedLevels) -> Ready:
    """What searches over these operands share."""
    backend, device, rows = of.backend, of.device, search.rows
    parts, rank = of.peers.size, of.peers.rank
    each = -(-search.each // ALIGNED) * ALIGNED
    rows_of, pull = PULL["thread"], no_pull(search.ends)
    if rows.incoming is not None:
        rows_of, pull = search.pull_arguments()
    A, known, connected = rows.outgoing, search.known, search.connected
    kernel = backend.kernel(
        KERNEL, search.algebra,
        f"resident_levels<Semiring, {rows_of}, {types.c_name(search.sent)}>",
    )  # fmt: skip
    widest = constants.CLOSURE_WIDE_BLOCK if wide(known) else constants.CLOSURE_BLOCK
    block = min(device.cooperative_block, widest)
    grid = backend.resident_blocks(kernel, block)
    most, own = 32 * each, min(search.own, 32 * each)
    if rows.incoming is not None:
        most = 0 if A is None else min(most, max(0, rows.threshold))
    queued = known.nnz // of.piece + 2 * grid * block // 32 + 1
    columns = 4 + parts

    def make(device: Device) -> Scratch:
        report = device.zeros(HEAD + (ROUNDS + 1) * columns, COUNT)
        return Scratch(
            device.empty(words(connected), WORD), device.empty(words(connected), WORD),
            device.empty(3 * each, WORD), device.empty(queued, ITEM),
            device.zeros(3 * columns + 1, COUNT), report, report[: HEAD + FIRST_LINES * columns],
        )  # fmt: skip

    way = (A is not None) + 2 * (rows.incoming is not None)
    numbers = (
        np.int32(search.own), np.int32(own), np.int32(connected),
        (np.int32(parts), np.int32(rank)), np.int32(way),
    )  # fmt: skip
    outgoing = NO_ROWS if A is None else A.arrays(), np.int32(of.piece)
    return Ready(kernel, grid, block, search.sent, each, own, most, numbers, outgoing, pull, make)


class ResidentLevels:
    """One call."""

    def __init__(
        self, of: DistributedLevels, neighbours: Neighbours, start: DeviceVector, size: int,
        rows: Rows, semiring: Semiring,
    ) -> None:  # fmt: skip
        self.of, self.neighbours, self.peers, self.device = of, neighbours, of.peers, of.device
        self.threshold, self.columns = rows.threshold, 4 + of.peers.size
        kept, stream = rows.known.closures, of.device.stream
        key = (
            "levels", stream, semiring, start.dtype, start.size, size, rows.threshold, of.piece,
            of.backend.products.long_row, ROUNDS,
            *(None if A is None else id(A.indptr) for A in (rows.outgoing, rows.incoming)),
        )  # fmt: skip
        ready = kept.ready.get(key)
        if ready is None:
            search = Search(of, start.size, start.dtype, size, rows, semiring)
            ready = kept.ready[key] = ready_for(search, of)
        self.ready = ready
        fill = DeviceVector.to_fill
        self.x = fill(self.device, start.size, start.dtype)
        self.levels = fill(self.device, start.size, INDEX)
        self.kept = kept.scratch.setdefault(key, [])
        self.scratch: Scratch = self.kept.pop() if self.kept else ready.make(self.device)
        self.begins = begins(start)
        self._open_for_all()

    def _open_for_all(self) -> None:
        """Lists with room for all that a push can find; less if there is no memory for that. A
        launch then ends where it needs more."""
        small, near = self.of.small, self.neighbours
        room = max(small, self.ready.most)
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
        each, sent = self.ready.each, self.ready.sent
        key = each, sent
        if near.opened.get(key, (-1,))[0] < room:
            self.of.agree()
            lists = [
                near.window("places", room, INDEX),
                near.window(f"values, {sent}", room, sent),
            ]
            least = min(one.size for one in lists) // near.size
            near.opened[key] = least, (
                *slots(near.window("counts", 4, COUNT), 4),
                *slots(near.window("bits", each, WORD), each),
                *(of_list for one in lists for of_list in slots(one, least)),
            )  # fmt: skip
        self.room, self.opened = near.opened[key]

    def run(self, max_steps: int, report: LevelReport) -> Result | None:
        """The closure; None if `report` says that it is to end here."""
        end, line, explained, ready = End(), 0, explaining(), self.ready
        launch = partial(self.neighbours.launch, ready.kernel, ready.grid, ready.block)
        while True:
            limit = (end.rounds // ROUNDS + 1) * ROUNDS
            prepare = partial(self._arguments, end, min(max_steps, limit), begins=line == 0)
            downloaded, waited = self.of.launched(launch, prepare, self._downloaded)
            held = downloaded.tolist()
            before, end = end, End(*held[:HEAD])
            self.neighbours.exchange = end.exchange
            done, each = end.rounds - before.rounds + 1, self.columns
            lines = [held[at : at + each] for at in range(HEAD, HEAD + done * each, each)]
            seconds = waited / max(1, end.cycles)  # that one cycle took
            # the first line of a later launch is the last one of the launch before
            known, vertices = line > 0, sum(lines[-1][4:])
            for pulled, sent, cycles, _, *found in lines[known:]:
                self._count_sent(line, bool(pulled), sent)
                if explained and report(line, np.array(found), bool(pulled), cycles * seconds):
                    return None
                line += 1
            if not vertices or end.rounds >= max_steps:
                break
            found = np.array(lines[known:]).reshape(-1, each)[:, 4:].sum(0)
            if not explained and report(line - 1, found, False, 0.0):
                return None
            if end.needed > self.room:
                self._open(min(32 * self.ready.each, 1 << (end.needed - 1).bit_length()))
        self.kept.append(self.scratch)
        self.of.processes.met = True
        return self.x, self.levels, not vertices

    def _downloaded(self) -> np.ndarray:
        """The report: its head, and the lines of at least all rounds of the launch."""
        held = self.device.download(self.scratch.first).view(np.int64)  # synchronize!
        if int(held[0]) < FIRST_LINES:
            return held
        return self.device.download(self.scratch.report).view(np.int64)  # synchronize!

    def _count_sent(self, line: int, pulled: bool, sent: int) -> None:
        """Count what has been sent for a round: two counts to each, and a bitmap or lists with
        their lengths."""
        others = self.peers.size - 1
        of_round = 0
        if line:
            of_round = (
                WORD.itemsize * self.ready.each * others if pulled
                else (INDEX.itemsize + self.ready.sent.itemsize) * sent
                + 2 * COUNT.itemsize * others
            )  # fmt: skip
        self.peers.sent += of_round + 2 * COUNT.itemsize * others

    def _arguments(self, end: End, limit: int, begins: bool) -> tuple[Any, ...]:
        """What the kernel takes for the rounds after `end`."""
        ready, scratch, neighbours = self.ready, self.scratch, self.neighbours
        rounds = (
            scratch.report, np.uint64(neighbours.exchange), np.int64(self.threshold),
            np.uint64(self.room), np.int32(end.rounds), np.int32(limit), np.int32(constants.STAY),
            np.bool_(begins), np.bool_(end.pulled), np.bool_(end.guessed), np.bool_(end.counted),
        )  # fmt: skip
        dated, when = self.levels.parts
        return (
            rounds, *ready.numbers, self.begins, *ready.outgoing, scratch.queue, *ready.incoming,
            self.x.parts, dated, when, scratch.fresh, np.int32(ready.each), scratch.bits,
            scratch.seen, scratch.counters, neighbours.flags, neighbours.own_flags, *self.opened,
        )  # fmt: skip


def no_pull(ends: DeviceArray) -> tuple[Any, ...]:
    """In place of rows that enter positions, if these are not known."""
    return np.int32(0), NO_ROWS, ends, np.int32(0), None, np.int32(0), None


def wide(A: DeviceMatrix) -> bool:
    """Whether its offsets take more registers than those of 32 bits."""
    return A.offset.itemsize > INDEX.itemsize
