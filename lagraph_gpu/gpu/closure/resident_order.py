"""Closures by order of value over distributed rows in one launch on all devices of a host, which
store into each other's memory (see resident_order.cuh).

The host takes part before and after: it agrees with the others that all have the memory, launches
the kernel, and reads its report. A launch that looks deep ends early once, so that the closure may
go elsewhere; if it cannot, it begins again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import monotone, totally_ordered
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.collective_launch import (
    CollectiveLaunch,
    CollectiveScratch,
    Prepared,
    Report,
    aligned,
    counters,
)
from lagraph_gpu.gpu.closure.distributed_search import begins
from lagraph_gpu.gpu.closure.ordered import FIRST
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, Result, result_bytes
from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.matrix.weight_order import (
    Stored,
    as_stored,
    lightest,
    lightest_first,
    sorted_if_room,
)
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.planning import closure_order, direction
from lagraph_gpu.planning.trace import explaining
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import LevelReport
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
    from lagraph_gpu.gpu.device.peer_windows import PeerWindows

KERNEL = "closure/ordered/resident_order.cuh"

UNKNOWN: tuple[Any, ...] = (None, None, None, np.int32(0)), None
"""In place of sorted rows, if a process has none."""

REPORTED_ROUNDS = 100
"""The rounds that have a line in a report."""

FEW_BELOW_BOUND = 64
"""The width doubles if fewer than one in so many of all edges were below the bound, after it has
been more."""

NARROW = 0.5
"""The width at first, in units of that for one device: a round costs less than edges that are
followed twice. Simulated on a Kronecker graph of scale 17, so 1.01 of its edges are followed, in 57
rounds; at 1 and with doubling from the beginning 1.15 in 42."""

NO_ROUND = 2**31 - 1


class WeightFacts(NamedTuple):
    """What all processes know of the weights of a distributed matrix."""

    lawful: bool
    width: float
    """By how much the bound moves at first."""
    edges: float
    pulls: bool
    """Whether pulls may be faster: the graph is not wide, and rows can be sorted by weight."""


class OrderEnd(NamedTuple):
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


class PreparedOrder(NamedTuple):
    """What closures share that differ in their start alone."""

    common: Prepared
    room: int
    """The entries of a list: two halves, each for all positions of an owner."""
    pulls: tuple[Any, ...]
    """From how many edges on a round pulls: the first time, and after another pull."""


def facts_of(
    of: DistributedLevels, A: DeviceMatrix, dtype: np.dtype, size: int, semiring: Semiring
) -> WeightFacts:
    """What is known of the weights of all. The processes tell each other once for a matrix."""
    key = "distributed", semiring, dtype
    kept = A.closures.chosen
    if key not in kept:
        mean, lawful = 1.0, True
        if semiring.reads_right:
            weights = of.backend.closures.weights.facts(A, semiring, dtype)
            mean, lawful = weights.mean, weights.lawful  # synchronize!
        mine = np.array([lawful, mean * A.nnz, A.nnz], np.float64)
        every = of.processes.values(mine).reshape(-1, 3)
        _, total, edges = every.sum(0).tolist()
        stays = semiring.multiply.parsed == FIRST
        width = closure_order.delta_width(total / max(1.0, edges), size, int(edges), stays=stays)
        pulls = monotone(semiring) and closure_order.fans_out(size, int(edges))
        kept[key] = WeightFacts(bool(every[:, 0].all()), NARROW * width, edges, pulls)
    known: WeightFacts = kept[key]
    return known


def rows_to_pull(
    of: DistributedLevels, into: DeviceMatrix | None, semiring: Semiring, facts: WeightFacts
) -> Stored | None:
    """The edges into the positions of this process, sorted by weight; None if it cannot pull."""
    if not facts.pulls or into is None or into.stays_packed:
        return None
    falling = lower.falls(semiring.monoid)
    sorted_if_room(of.backend, into, falling)
    stored = lightest_first(into, falling)
    if not stored.is_sorted:
        return None
    try:
        lightest(of.backend, into, falling, stored)
    except TooLarge:
        return None
    return stored


def prepared(
    of: DistributedLevels, A: DeviceMatrix, start: DeviceVector, size: int, semiring: Semiring,
    facts: WeightFacts, into: DeviceMatrix | None, stored: Stored | None, by_rounds: bool,
) -> PreparedOrder:  # fmt: skip
    """What closures over these rows share. `stored` are the entries of `into`."""
    device, parts, own, dtype = of.device, of.peers.size, start.size, start.dtype
    leading = A.pattern.leading_columns
    connected = size if leading is None else leading
    half = aligned(-(-max(1, connected) // parts))
    each = words(half)
    algebra = lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True)
    kinds = (stored or as_stored(A)).kind
    kernel = of.backend.kernel(KERNEL, algebra, f"resident_order<Semiring, {kinds}>")
    pulled, shares = UNKNOWN, (constants.NEVER_PULLS,) * 2
    if into is not None and stored is not None:
        falling = lower.falls(semiring.monoid)
        pulled = (into.indptr, *stored.arrays), lightest(of.backend, into, falling, stored)
        shares = direction.ordered_pull_thresholds(int(facts.edges))
    most = constants.ORDER_BLOCK if stored is None else constants.ORDER_PULL_BLOCK
    block = min(device.cooperative_block, most)
    grid = of.backend.resident_blocks(kernel, block)
    queued = A.nnz // of.piece + 2 * grid * block // 32 + 1
    # by rounds each position that changes is pushed, whether or not it has an out-edge
    leaf_degree = A.offset.type(-1 if by_rounds else into is A)
    extent = tuple(map(np.int32, (own, min(own, half), connected, each, parts, of.peers.rank)))
    common = Prepared(
        kernel, grid, block, dtype, extent,
        rows=(A.arrays(), np.int32(of.piece), leaf_degree, *pulled),
        scratch=((2 * each, WORD), (each, WORD), (max(1, connected), dtype),
                 (words(connected), WORD), (queued, ITEM), (constants.ORDER_ENTRIES, COUNT),
                 (counters(parts), COUNT)),
        results=result_bytes(own, dtype) + (result_bytes(own, INDEX) if by_rounds else 0),
        head=constants.ORDER_HEAD, lines=(REPORTED_ROUNDS, REPORTED_ROUNDS),
    )  # fmt: skip
    return PreparedOrder(common, 2 * half, tuple(map(np.uint64, shares)))


class ResidentOrder:
    """One call."""

    def __init__(
        self, of: DistributedLevels, peer_windows: PeerWindows, A: DeviceMatrix,
        into: DeviceMatrix | None, start: DeviceVector, size: int, semiring: Semiring,
        by_rounds: bool,
    ) -> None:  # fmt: skip
        self.device, self.semiring, self.by_rounds = of.device, semiring, by_rounds
        self.size, self.dtype = start.size, start.dtype
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
            ready = kept.ready[key] = prepared(
                of, A, start, size, semiring, self.facts, into, stored, by_rounds
            )
        self.ready: PreparedOrder = ready
        scratch: list[CollectiveScratch] = kept.scratch.setdefault(key, [])
        self.launch = CollectiveLaunch(of, peer_windows, ready.common, scratch)
        self.begins = begins(start)

    def run(self, max_rounds: int, report: LevelReport) -> Result | None:
        """The closure; None if there is no order after all or too little memory for lists, or if
        `report` says that it is to end here."""
        if not self.facts.lawful or not self.launch.opens(self.ready.room):
            return None
        launch, fill = self.launch, DeviceVector.to_fill
        x = fill(self.device, self.size, self.dtype)
        when = fill(self.device, self.size, INDEX) if self.by_rounds else None
        results = x.parts, None if when is None else when.parts[1]
        look, first, explained = closure_order.DEEP_LEVELS, 0, explaining()
        max_rounds = min(max_rounds, NO_ROUND) if self.by_rounds else NO_ROUND
        while True:
            wanted = look
            held = launch.launched(
                lambda to: self._rounds(to, max_rounds, wanted),  # noqa: B023
                self.begins, *results,
            )  # fmt: skip
            end = OrderEnd(*held.head)
            launch.peer_windows.exchange = end.exchange
            if end.unordered:
                return None
            if explained:
                ends = self._reported(end, held, report, first)
            else:
                ends = self._count_sent(end)
            if ends:
                return None
            if end.at_rest or end.rounds >= max_rounds:
                break
            if not explained and report(end.rounds, np.array([end.pushed]), False, 0.0):
                return None
            look, first = NO_ROUND, end.rounds + 1
        launch.end()
        if when is not None:
            self.device.overwrite(when.bits, x.bits)
        return Result(x, when, bool(end.at_rest))

    def _rounds(self, report: DeviceArray, max_rounds: int, look: int) -> tuple[Any, ...]:
        """What the kernel takes about its rounds."""
        facts = self.facts
        width = -facts.width if lower.falls(self.semiring.monoid) else facts.width
        return (
            report, np.int32(REPORTED_ROUNDS), np.int32(max_rounds), np.int32(look),
            np.uint64(closure_order.DEEP_LEVELS * closure_order.DEEP_ENTRIES),
            np.bool_(self.by_rounds),
            np.float64(width), *self.ready.pulls, np.float64(facts.edges / FEW_BELOW_BOUND),
        )  # fmt: skip

    def _count_sent(self, end: OrderEnd) -> bool:
        """Count what a launch has sent."""
        self.launch.count_sent(end.sent, end.exchanges)
        return False

    def _reported(self, end: OrderEnd, held: Report, report: LevelReport, first: int) -> bool:
        """Count what a launch has sent, and report the rounds that have a line, from number `first`
        on. True if the closure is to end here."""
        peers, lines = self.launch.peers, held.lines(min(end.rounds, REPORTED_ROUNDS))
        bytes_before, ends = peers.sent, False
        after = [0] if end.at_rest else [1]
        found = [line.found for line in lines] + ([after] if end.rounds <= REPORTED_ROUNDS else [])
        cycles, pulled = 0, 0
        for rounds, frontier in enumerate(found):
            if rounds >= first and not ends:
                seconds = held.seconds(cycles, end.cycles)
                ends = report(rounds, np.array(frontier), bool(pulled), seconds)
            if rounds < len(lines):
                line = lines[rounds]
                cycles, pulled = line.waited, line.pulled
                self.launch.count_sent(line.sent, 1)
        peers.sent = bytes_before
        return ends or self._count_sent(end)


def has_order(semiring: Semiring, dtype: np.dtype) -> bool:
    """Whether closures under this algebra may go by order of value, if the weights are lawful."""
    return dtype.kind in "iuf" and semiring.ordered is not None and totally_ordered(semiring)
