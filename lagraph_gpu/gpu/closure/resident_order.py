"""Closures by order of value over distributed rows in one launch on all devices of a host, which
store into each other's memory (see resident_order.cuh).

The host takes part before and after: it agrees with the others that all have the memory, launches
the kernel, and reads its report. A launch that looks deep ends early once, so that the closure may
go elsewhere; if it cannot, it begins again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import monotone, totally_ordered
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.distributed_search import begins
from lagraph_gpu.gpu.closure.ordered import FIRST
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, Result
from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.device.port import Device, Kernel
from lagraph_gpu.gpu.matrix.weight_order import (
    Stored,
    as_stored,
    lightest,
    lightest_first,
    sorted_if_room,
)
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning import direction
from lagraph_gpu.planning.trace import explaining
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import LevelReport
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
    from lagraph_gpu.gpu.device.neighbours import Neighbours

KERNEL = "closure/ordered/resident_order.cuh"

ALIGNED = 4
"""Lists have room for a multiple of so many entries, so that values are copied in large pieces."""

UNKNOWN: tuple[Any, ...] = (None, None, None, np.int32(0)), None
"""In place of sorted rows, if a process has none."""

HEAD, LOGGED = constants.ORDER_HEAD, 100
"""The words of a report before its lines, and the rounds that have a line."""

SHARE = 64
"""The width doubles if fewer than one in so many of all edges were below the bound, after it has
been more."""

NARROW = 0.5
"""The width at first, in units of that for one device: a round costs less than edges that are
followed twice. Simulated on a Kronecker graph of scale 17, so 1.01 of its edges are followed, in 57
rounds; at 1 and with doubling from the beginning 1.15 in 42."""

NEVER = 2**31 - 1


class Facts(NamedTuple):
    """What all processes know of the weights."""

    lawful: bool
    width: float
    """By how much the bound moves at first."""
    edges: float
    pulls: bool
    """Whether pulls may be faster: the graph is not wide, and rows can be sorted by weight."""


class End(NamedTuple):
    """Where a launch has ended: the head of its report."""

    rounds: int
    exchange: int
    unordered: int
    at_rest: int
    exchanges: int
    cycles: int
    sent: int
    pushed: int
    pulls: int


class Scratch(NamedTuple):
    """Memory for one closure at a time, kept with the matrix."""

    near: DeviceArray
    far: DeviceArray
    best: DeviceArray
    listed: DeviceArray
    queue: DeviceArray
    entries: DeviceArray
    counters: DeviceArray
    report: DeviceArray


class Ready(NamedTuple):
    """What closures share that differ in their start alone. It holds arrays and no matrix, which
    keeps it."""

    kernel: Kernel
    grid: int
    block: int
    room: int
    each: int
    numbers: tuple[Any, ...]
    given: tuple[Any, ...]
    pulls: tuple[Any, ...]
    """From how many edges on a round pulls: the first time, and after another pull."""
    make: Callable[[Device], Scratch]


def facts_of(
    of: DistributedLevels, A: DeviceMatrix, dtype: np.dtype, size: int, semiring: Semiring
) -> Facts:
    """What is known of the weights of all. The processes tell each other once for a matrix."""
    key = "distributed", semiring, dtype
    kept = A.closures.deltas
    if key not in kept:
        mean, lawful = 1.0, True
        if semiring.reads_right:
            weights = of.backend.closures.weights(of.backend.as_matrix(A), semiring, dtype)
            mean, lawful = weights.mean, weights.lawful  # synchronize!
        mine = np.array([lawful, mean * A.nnz, A.nnz], np.float64)
        every = of.processes.values(mine).reshape(-1, 3)
        _, total, edges = every.sum(0).tolist()
        stays = semiring.multiply.parsed == FIRST
        width = direction.delta_width(total / max(1.0, edges), size, int(edges), stays=stays)
        pulls = monotone(semiring) and direction.searches_hub_first(size, int(edges))
        kept[key] = Facts(bool(every[:, 0].all()), NARROW * width, edges, pulls)
    known: Facts = kept[key]
    return known


def rows_to_pull(
    of: DistributedLevels, into: DeviceMatrix | None, semiring: Semiring, facts: Facts
) -> Stored | None:
    """The edges into the positions of this process, sorted by weight; None if it cannot pull."""
    if not facts.pulls or into is None or into.stays_packed:
        return None
    falling = lower.falls(semiring.monoid)
    sorted_if_room(of.backend, into, falling)
    stored = lightest_first(into, falling)
    if not stored.in_order:
        return None
    try:
        lightest(of.backend, into, falling, stored)
    except TooLarge:
        return None
    return stored


def ready_for(
    of: DistributedLevels, A: DeviceMatrix, start: DeviceVector, size: int, semiring: Semiring,
    facts: Facts, into: DeviceMatrix | None, stored: Stored | None, leaf: Any,
) -> Ready:  # fmt: skip
    """What closures over these rows share. `stored` are the entries of `into`."""
    device, parts, own, dtype = of.device, of.peers.size, start.size, start.dtype
    leading = A.pattern.leading_columns
    connected = size if leading is None else leading
    room = -(-max(1, connected) // (parts * ALIGNED)) * ALIGNED
    each = words(room)
    algebra = lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True)
    kinds = (stored or as_stored(A)).kind
    kernel = of.backend.kernel(KERNEL, algebra, f"resident_order<Semiring, {kinds}>")
    pulled, shares = UNKNOWN, (constants.NEVER_PULLS,) * 2
    if into is not None and stored is not None:
        falling = lower.falls(semiring.monoid)
        pulled = (into.indptr, *stored.arrays), lightest(of.backend, into, falling, stored)
        shares = direction.ordered_pull_thresholds(int(facts.edges))
    most = constants.DELTA_BLOCK if stored is None else constants.HUB_FIRST_BLOCK
    block = min(device.cooperative_block, most)
    grid = of.backend.resident_blocks(kernel, block)
    queued = A.nnz // of.piece + 2 * grid * block // 32 + 1
    columns = 4 + parts

    def make(device: Device) -> Scratch:
        return Scratch(
            device.empty(2 * each, WORD), device.empty(each, WORD),
            device.empty(max(1, connected), dtype), device.empty(words(connected), WORD),
            device.empty(queued, ITEM),
            device.zeros(constants.ORDER_ENTRIES, COUNT), device.zeros(3 * (4 + parts) + 1, COUNT),
            device.zeros(HEAD + LOGGED * columns, COUNT),
        )  # fmt: skip

    numbers = (
        np.int32(own), np.int32(min(own, room)), np.int32(connected),
        (np.int32(parts), np.int32(of.peers.rank)),
    )  # fmt: skip
    given = A.arrays(), np.int32(of.piece), leaf, *pulled
    pulls = tuple(map(np.uint64, shares))
    return Ready(kernel, grid, block, room, each, numbers, given, pulls, make)


class ResidentOrder:
    """One call."""

    def __init__(
        self, of: DistributedLevels, neighbours: Neighbours, A: DeviceMatrix,
        into: DeviceMatrix | None, start: DeviceVector, size: int, semiring: Semiring,
        by_rounds: bool,
    ) -> None:  # fmt: skip
        self.of, self.neighbours, self.peers, self.device = of, neighbours, of.peers, of.device
        self.semiring, self.dtype, self.by_rounds = semiring, start.dtype, by_rounds
        self.facts = facts_of(of, A, start.dtype, size, semiring)
        kept, stored = A.closures, None
        if not by_rounds and self.facts.lawful:
            stored = rows_to_pull(of, into, semiring, self.facts)
        key = (
            "order", of.device.stream, semiring, start.dtype, start.size, size, of.piece, by_rounds,
            None if stored is None else id(stored.columns), direction.FIRST_PULL,
            direction.LATER_PULLS,
        )  # fmt: skip
        ready = kept.ready.get(key)
        if ready is None:
            leaf = A.offset.type(-1 if by_rounds else into is A)
            ready = kept.ready[key] = ready_for(
                of, A, start, size, semiring, self.facts, into, stored, leaf
            )
        self.ready: Ready = ready
        self.start, self.kept = begins(start), kept.scratch.setdefault(key, [])

    def run(self, max_steps: int, report: LevelReport) -> Result | None:
        """The closure; None if there is no order after all or too little memory for lists, or if
        `report` says that it is to end here."""
        if not self.facts.lawful or not self._open():
            return None
        ready, fill = self.ready, DeviceVector.to_fill
        launch = partial(self.neighbours.launch, ready.kernel, ready.grid, ready.block)
        x = fill(self.device, self.start_size, self.dtype)
        when = fill(self.device, self.start_size, INDEX) if self.by_rounds else None
        scratch = self.kept.pop() if self.kept else ready.make(self.device)
        look, first, explained = np.int32(direction.DEEP_LEVELS), 0, explaining()
        max_steps = min(max_steps, NEVER) if self.by_rounds else NEVER
        while True:
            prepare = partial(self._arguments, scratch, x, when, max_steps, look)
            held, waited = self.of.launched(launch, prepare, lambda: self._downloaded(scratch))
            end = End(*held[:HEAD].tolist())
            self.neighbours.exchange = end.exchange
            if end.unordered:
                return None
            if explained:
                ends = self._reported(end, held, waited, report, first)
            else:
                ends = self._count_sent(end)
            if ends:
                return None
            if end.at_rest or end.rounds >= max_steps:
                break
            if not explained and report(end.rounds, np.array([end.pushed]), False, 0.0):
                return None
            look, first = np.int32(NEVER), end.rounds + 1
        self.kept.append(scratch)
        self.of.processes.met = True
        if when is not None:
            self.device.overwrite(when.bits, x.bits)
        return x, when, bool(end.at_rest)

    def _downloaded(self, scratch: Scratch) -> np.ndarray:
        """The report."""
        return self.device.download(scratch.report).view(np.int64)  # synchronize!

    @property
    def start_size(self) -> int:
        """The positions of this process."""
        return int(self.ready.numbers[0])

    def _open(self) -> bool:
        """Lists that all open to each other, two for each process at each, of as many entries as an
        owner has positions. False if there is no memory for them, in any process."""
        near, room = self.neighbours, self.ready.room
        key = "order", room, self.dtype
        if key in near.opened:
            return True
        if room >= near.refused:
            return False
        self.of.agree()
        try:
            lists = [
                near.window("places", 2 * room, INDEX),
                near.window(f"values, {self.dtype}", 2 * room, self.dtype),
            ]
        except TooLarge:
            near.refused = room
            return False
        near.opened[key] = room, (
            *near.slots(near.window("counts", 4, COUNT), 4),
            *(of_list for one in lists for of_list in near.slots(one, 2 * room)),
        )  # fmt: skip
        return True

    def _arguments(
        self, scratch: Scratch, x: DeviceVector, when: DeviceVector | None, max_steps: int,
        look: np.int32,
    ) -> tuple[Any, ...]:  # fmt: skip
        ready, near, facts = self.ready, self.neighbours, self.facts
        width = -facts.width if lower.falls(self.semiring.monoid) else facts.width
        rounds = (
            scratch.report, np.int32(LOGGED), np.uint64(near.exchange),
            np.int32(max_steps), look,
            np.uint64(direction.DEEP_LEVELS * direction.DEEP_ENTRIES), np.bool_(self.by_rounds),
            np.float64(width), *ready.pulls, np.float64(facts.edges / SHARE),
        )  # fmt: skip
        found = scratch.best, scratch.listed, np.uint64(ready.room)
        _, opened = near.opened["order", ready.room, self.dtype]
        return (
            rounds, *ready.numbers, self.start, *ready.given, scratch.queue, x.parts,
            None if when is None else when.parts[1], scratch.near, scratch.far,
            np.int32(ready.each), found, scratch.entries, scratch.counters, near.flags,
            near.own_flags, *opened,
        )  # fmt: skip

    def _count_sent(self, end: End) -> bool:
        """Count what a launch has sent."""
        self.peers.sent += end.sent + self._of_counts(end.exchanges)
        return False

    def _of_counts(self, exchanges: int) -> int:
        """The bytes of the counts in so many exchanges."""
        return 2 * COUNT.itemsize * (self.peers.size - 1) * exchanges

    def _reported(
        self, end: End, held: np.ndarray, waited: float, report: LevelReport, first: int
    ) -> bool:
        """The same, and report the rounds that have a line, from number `first` on. True if the
        closure is to end here."""
        seconds = waited / max(1, end.cycles)  # that one cycle took
        lines = held[HEAD:].reshape(-1, 4 + self.peers.size)[: end.rounds].tolist()
        bytes_before, ends = self.peers.sent, False
        after = [0] if end.at_rest else [1]
        found = [line[4:] for line in lines] + ([after] if end.rounds <= LOGGED else [])
        cycles, pulled = 0, 0
        for rounds, frontier in enumerate(found):
            if rounds >= first and not ends:
                ends = report(rounds, np.array(frontier), bool(pulled), cycles * seconds)
            if rounds < len(lines):
                sent, cycles, _, pulled = lines[rounds][:4]
                self.peers.sent += sent + self._of_counts(1)
        self.peers.sent = bytes_before + end.sent + self._of_counts(end.exchanges)
        return ends


def has_order(semiring: Semiring, dtype: np.dtype) -> bool:
    """Whether closures under this algebra may go by order of value, if the weights are lawful."""
    return dtype.kind in "iuf" and semiring.ordered is not None and totally_ordered(semiring)
