"""Closures in one launch on all devices of a host, which store into each other's memory: what they
have in common on the host (see exchanges.cuh).

The host takes part before and after. All processes agree that they have the memory, open lists to
each other for what they send (``CollectiveLaunch.open``), and launch the kernel. Then each reads
its report: how the launch ended, and a line for each round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.persistent import COUNT, acquire
from lagraph_gpu.gpu.device import Device, DeviceArray, constants
from lagraph_gpu.gpu.device.port import Kernel
from lagraph_gpu.gpu.storage import INDEX, WORD

if TYPE_CHECKING:
    from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
    from lagraph_gpu.gpu.device.peer_windows import PeerWindows

ALIGNED = 4
"""Bitmaps, and each half of a list, have a multiple of so many elements, so that they are copied in
large pieces."""


def aligned(count: int) -> int:
    """At least so many elements."""
    return -(-count // ALIGNED) * ALIGNED


def counters(parts: int) -> int:
    """The words of ``OwnCounts``: of three generations, and for the barrier."""
    return 3 * (constants.OWN_COUNTS + parts) + 1


class Line(NamedTuple):
    """What a report says of a round."""

    sent: int
    """To others: in bytes, or in entries of lists."""
    waited: int
    """Cycles in which one thread has waited for other devices."""
    until: int
    """Cycles from the begin of the launch to the end of the round."""
    pulled: int
    found: list[int]
    """The entries found by each process."""


class Report(NamedTuple):
    """What a launch has reported."""

    head: list[int]
    words: np.ndarray
    columns: int
    waited: float
    """The seconds that the host has waited."""

    def lines(self, count: int) -> list[Line]:
        """The lines of the first rounds."""
        rows = self.words[: count * self.columns].reshape(-1, self.columns).tolist()
        at = constants.ROUND_LINE
        return [Line(row[0], row[1], row[2], row[3], row[at:]) for row in rows]

    def seconds(self, cycles: int, of_all: int) -> float:
        """How long so many cycles took, of those of the whole launch."""
        return cycles * (self.waited / max(1, of_all))


@dataclass(frozen=True)
class CollectiveScratch:
    """Memory for one call at a time, kept with the matrix."""

    given: tuple[DeviceArray, ...]
    """The arrays of scratch memory, in the order of the kernel's arguments."""
    report: DeviceArray
    first: DeviceArray
    """The beginning of the report, which is all of it as a rule."""
    room: int = 0
    """All calls that may take it need as much."""


class Prepared(NamedTuple):
    """What calls share that differ in their start alone. It holds arrays and no matrix, which
    keeps it."""

    kernel: Kernel
    grid: int
    block: int
    sent: np.dtype
    """The type of values that are sent."""
    extent: tuple[np.int32, ...]
    """How many positions and words there are, as the kernel takes it."""
    rows: tuple[Any, ...]
    """The arguments of the kernel about the edges."""
    scratch: tuple[tuple[int, np.dtype], ...]
    """The lengths and types of the arrays of the kernel's scratch memory. Counters begin at 0."""
    results: int
    """The bytes of the results."""
    head: int
    """The words of a report before its lines."""
    lines: tuple[int, int]
    """The lines that are read together with the head, and all."""
    bits: int = 0
    """The words of a bitmap that is sent."""

    def make_scratch(self, device: Device, columns: int) -> CollectiveScratch:
        """Memory for a call, with a report of so many columns."""
        first, every = (self.head + columns * lines for lines in self.lines)
        report = device.zeros(every, COUNT)
        arrays = [(device.zeros if t == COUNT else device.empty)(n, t) for n, t in self.scratch]
        return CollectiveScratch(tuple(arrays), report, report[:first])

    def needed(self) -> int:
        """The bytes of scratch memory and of the results."""
        return self.results + sum(n * dtype.itemsize for n, dtype in self.scratch)


class CollectiveLaunch:
    """One call. All processes make it together, with the same numbers."""

    def __init__(
        self, of: DistributedLevels, peer_windows: PeerWindows, ready: Prepared,
        kept: list[CollectiveScratch],
    ) -> None:  # fmt: skip
        self.of, self.peer_windows, self.peers, self.device = of, peer_windows, of.peers, of.device
        self.ready, self.kept = ready, kept
        self.scratch: CollectiveScratch | None = None
        self.columns = constants.ROUND_LINE + of.peers.size

    # --- memory ------------------------------------------------------------------------------
    def open(self, room: int) -> None:
        """Lists of at least so many entries, one for each two processes, and bitmaps, which all
        open to each other. TooLarge if one has no memory for them."""
        near, slots, ready = self.peer_windows, self.peer_windows.slots, self.ready
        key = ready.bits, ready.sent
        if near.opened.get(key, (-1,))[0] < room:
            self.of.agree()
            each = -(-room // (2 * ALIGNED)) * 2 * ALIGNED
            try:
                lists = [
                    near.window("places", each, INDEX),
                    near.window(f"values, {ready.sent}", each, ready.sent),
                ]
            except TooLarge:
                near.refused = min(near.refused, room)
                raise
            bits = near.no_slots()
            if ready.bits:
                bits = slots(near.window("bits", ready.bits, WORD), ready.bits)
            least = min(one.size for one in lists) // near.size
            near.opened[key] = least, (
                *near.flags, near.own_flags, *slots(near.window("counts", 4, COUNT), 4), *bits,
                *(of_list for one in lists for of_list in slots(one, least)),
            )  # fmt: skip
        self.room, self.windows = near.opened[key]

    def opens(self, room: int) -> bool:
        """Open windows with so much room in all processes; False if one of them has no memory for
        them."""
        if room >= self.peer_windows.refused:
            return False
        try:
            self.open(room)
        except TooLarge:
            return False
        return True

    # --- the launch --------------------------------------------------------------------------
    def launched(
        self, rounds: Callable[[DeviceArray], tuple[Any, ...]], begins: tuple[Any, ...],
        *results: Any,
    ) -> Report:  # fmt: skip
        """Launch the kernel with what it takes about its `rounds`, which is given where the report
        goes, and about the start and the results. Read the report.

        The launch comes directly after all have agreed, so that no device waits for the others'
        hosts."""
        of, ready, near = self.of, self.ready, self.peer_windows
        if self.scratch is None:
            self.scratch = acquire(
                self.device, self.kept, 0, ready.needed,
                lambda: ready.make_scratch(self.device, self.columns),
            )  # fmt: skip
        scratch = self.scratch
        of.processes.begin()
        of.exposed = True
        windows = (*self.windows, np.uint64(self.room), np.uint64(near.exchange))
        arguments = (
            rounds(scratch.report), ready.extent, begins, *ready.rows, *results, scratch.given,
            windows,
        )  # fmt: skip
        of.exposed = False
        of.processes.finish()
        of.exposed = True
        began = perf_counter()
        near.launch(ready.kernel, ready.grid, ready.block, arguments)
        words = self._downloaded(scratch)  # synchronize!
        waited = perf_counter() - began
        of.exposed = False
        return Report(words[: ready.head].tolist(), words[ready.head :], self.columns, waited)

    def _downloaded(self, scratch: CollectiveScratch) -> np.ndarray:
        """The report: its head, which begins with the number of rounds, and the lines of at least
        all rounds of the launch."""
        held = self.device.download(scratch.first).view(np.int64)  # synchronize!
        if int(held[0]) < self.ready.lines[0] or scratch.first.size == scratch.report.size:
            return held
        return self.device.download(scratch.report).view(np.int64)  # synchronize!

    def count_sent(self, sent: int, exchanges: int) -> None:
        """Count so many bytes, and the two counts of each exchange."""
        self.peers.sent += sent + 2 * COUNT.itemsize * (self.peers.size - 1) * exchanges

    def end(self) -> None:
        """Leave the scratch memory to later calls."""
        assert self.scratch is not None
        self.kept.append(self.scratch)
        self.of.processes.met = True
