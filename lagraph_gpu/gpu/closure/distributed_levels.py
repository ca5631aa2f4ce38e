"""Closures under ``any`` over rows that are distributed over processes, each with a device.

The rounds are those of the loop in ``lagraph_gpu.closure``. For a round each process launches two
or three kernels (see distributed_level.cuh), and there are two or three exchanges between the
devices. The host reads a few counts after them. No value of the vector is sent: a pull needs a
bitmap of the frontier, and a push sends lists of what it has found.

Every process makes the same decisions, because it makes them from counts of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.closure.distributed_search import DistributedRows, DistributedSearch, begins
from lagraph_gpu.gpu.closure.persistent import COUNT, Result
from lagraph_gpu.gpu.closure.resident_levels import ResidentLevels
from lagraph_gpu.gpu.closure.resident_order import ResidentOrder, has_order
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import expect_numbered
from lagraph_gpu.planning import direction
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

LEVEL = "closure/level_synchronous/distributed_level.cuh"

PIECE = 512
"""A row with more entries is pushed in pieces of so many, each by a warp."""

ROUNDS_TOGETHER = 64
"""For so many rounds counters are allocated at a time."""

LIST_ROOM = 1 << 12
"""Lists for which there is room at first, and which are sent whole: nobody waits for their
lengths."""


class DistributedLevels(BackendPart):
    """Computes closures. ``piece``, ``small`` and ``at_once`` are for tests."""

    piece, small = PIECE, LIST_ROOM
    at_once = True
    """Whether lists in the memory of other processes have the room at first that they may need."""

    def __init__(self, backend: GpuBackend, peers: Peers, processes: HostProcesses) -> None:
        super().__init__(backend)
        self.peers, self.processes, self.exposed = peers, processes, False

    def agree(self) -> None:
        """Wait until all processes have come here without an error, which all of them raise."""
        self.processes.begin()
        self.processes.finish()

    def closure(
        self, start: DeviceVector, size: int, outgoing: DeviceMatrix | None,
        incoming: DeviceMatrix | None, threshold: int, semiring: Semiring, max_rounds: int,
        agree: Callable[[], None], report: LevelReport, with_rounds: bool = True,
    ) -> Result | None:  # fmt: skip
        known = outgoing or incoming
        assert known is not None
        multiply = semiring.multiply
        if not semiring.monoid.is_any:
            return self._by_order(
                start, size, outgoing, incoming, semiring, max_rounds, report, with_rounds
            )
        if (
            semiring.reads_left
            or "j" in multiply.parsed.free
            or semiring.output(start.dtype, known.dtype) != start.dtype
            or any(A is not None and A.stays_packed for A in (outgoing, incoming))
        ):
            return None
        expect_numbered(size + 32 * self.peers.size)
        rows, peer_windows = DistributedRows(outgoing, incoming, threshold), self.peers.peer_windows
        if peer_windows is None:
            return _Levels(self, start, size, rows, semiring, agree).run(max_rounds, report)
        return ResidentLevels(self, peer_windows, start, size, rows, semiring).run(
            max_rounds, report
        )

    def _by_order(
        self, start: DeviceVector, size: int, outgoing: DeviceMatrix | None,
        incoming: DeviceMatrix | None, semiring: Semiring, max_rounds: int, report: LevelReport,
        with_rounds: bool,
    ) -> Result | None:  # fmt: skip
        """The closure by order of value, where devices have opened memory to each other."""
        peer_windows = self.peers.peer_windows
        if (
            peer_windows is None or outgoing is None or outgoing.stays_packed
            or not has_order(semiring, start.dtype)
            or semiring.output(start.dtype, outgoing.dtype) != start.dtype
        ):  # fmt: skip
            return None
        expect_numbered(size + 32 * self.peers.size)
        by_rounds = with_rounds or max_rounds < size
        return ResidentOrder(
            self, peer_windows, outgoing, incoming, start, size, semiring, by_rounds
        ).run(max_rounds, report)


class _Levels(DistributedSearch):
    """One call."""

    def __init__(
        self, of: DistributedLevels, start: DeviceVector, size: int, rows: DistributedRows,
        semiring: Semiring, agree: Callable[[], None],
    ) -> None:  # fmt: skip
        super().__init__(of, start.size, start.dtype, size, rows, semiring)
        self.of, self.agree, self.start, device = of, agree, start, of.device
        self.x, self.levels = self.outputs()
        of_all = words(self.connected)
        self.bits, self.seen = device.empty(of_all, WORD), device.zeros(of_all, WORD)
        self.gathered = device.empty(self.peers.size * self.each, WORD)
        self.rounds = self.levels.parts[1]
        self.room, (self.places, self.values) = 0, self._lists(0)
        self.arrived = self._lists(0)
        self.waited = 0.0
        self._make_room(of.small, 0)

    def _lists(self, count: int) -> tuple[DeviceArray, DeviceArray]:
        return self.device.empty(max(1, count), INDEX), self.device.empty(max(1, count), self.sent)

    def _make_room(self, send: int, arrive: int) -> None:
        """Allocate lists of so many entries for each owner, and for what comes from all. All
        processes decide the same, and agree that each has the memory."""
        self.of.exposed = False
        if send > self.room:
            self.places, self.values = self._lists(self.peers.size * (send + 1))
            self.room = send
        if arrive > self.arrived[0].size:
            self.arrived = self._lists(arrive)
        self.agree()
        self.of.exposed = True

    def _launch(self, name: str, work: int, *args: Any, algebra: str = "") -> None:
        self.backend.launch(LEVEL, algebra, name, work, *args)

    # --- the rounds --------------------------------------------------------------------------
    def run(self, max_rounds: int, report: LevelReport) -> Result | None:
        """The closure; None if `report` says that it is to end here."""
        rows = self.rows
        rounds, pulled, guessed = 0, False, False
        fresh, counts = self._begun()
        while True:
            each = self._gathered_counts(counts[2:4])
            vertices, edges = (int(total) for total in each.sum(0))
            self.of.exposed = False
            waited, self.waited = self.waited, 0.0
            if report(rounds, each[:, 0], pulled, waited):
                return None
            if not vertices or rounds >= max_rounds:
                break
            self.of.exposed = True
            rounds += 1
            pulls = edges > rows.threshold or (pulled and direction.stays(vertices, self.connected))
            if rows.incoming is None or rows.outgoing is None:
                pulls = rows.outgoing is None
            after, counts = self._next(rounds)
            if pulls:
                guessed = self._pull(fresh, after, counts, rounds, guessed and pulled)
            else:
                self._push(fresh, after, counts, rounds, int(each[:, 1].max()))
            fresh, pulled = after, pulls
        self.device.overwrite(self.levels.bits, self.x.bits)
        return Result(self.x, self.levels, not vertices)

    def _next(self, rounds: int) -> tuple[DeviceArray, DeviceArray]:
        """An empty bitmap of the positions of this process, and counters of a round."""
        at = rounds % ROUNDS_TOGETHER
        if at == 0:
            self.counters = self.device.zeros(ROUNDS_TOGETHER * self._slot, COUNT)
        begin = at * self._slot
        return self.device.zeros(self.each, WORD), self.counters[begin : begin + self._slot]

    @property
    def _slot(self) -> int:
        """Four counters of what is found here, and one for each owner."""
        return 4 + self.peers.size

    def _begun(self) -> tuple[DeviceArray, DeviceArray]:
        fresh, counts = self._next(0)
        self._launch(
            f"begin_levels<{types.c_name(self.dtype)}, {types.c_name(self.known.offset)}>",
            self.x.size // 32 + 1, np.int32(self.x.size), begins(self.start), self.x.parts,
            self.rounds, fresh, np.int32(self.each), self.ends, counts,
        )  # fmt: skip
        return fresh, counts

    def _gathered_counts(self, mine: DeviceArray) -> np.ndarray:
        """These counts of all processes, a row for each."""
        parts = self.peers.size
        to = self.device.empty(parts * mine.size, COUNT)
        self.peers.all_gather(mine, [mine.size] * parts, to)
        begin = perf_counter()
        found = self.device.download(to)  # synchronize!
        self.waited += perf_counter() - begin
        return found.reshape(parts, mine.size).astype(np.int64)

    # --- a pull ------------------------------------------------------------------------------
    def _pull(
        self, fresh: DeviceArray, after: DeviceArray, counts: DeviceArray, rounds: int,
        guessed: bool,
    ) -> bool:  # fmt: skip
        """A round in which each position looks for an in-edge from the frontier. True if it has
        guessed for the next one."""
        parts = self.peers.size
        self.peers.all_gather(fresh, [self.each] * parts, self.gathered)
        self._launch(
            "join_bits", words(self.connected), np.int32(self.connected), np.int32(parts),
            np.int32(self.each), self.gathered, self.bits, self.seen,
        )  # fmt: skip
        rows, pull = self.pull_argument()
        self._launch(
            f"pull_level<Semiring, {rows}>", self.x.size, pull, self.bits, np.bool_(guessed),
            np.int32(rounds), self.x.parts, self.rounds, after, counts, algebra=self.algebra,
        )  # fmt: skip
        return not guessed

    # --- a push ------------------------------------------------------------------------------
    def _push(
        self, fresh: DeviceArray, after: DeviceArray, counts: DeviceArray, rounds: int, edges: int
    ) -> None:
        """A round in which the edges of the frontier are walked; `edges` is the largest number of
        them that a process has."""
        A, parts, own = self.rows.outgoing, self.peers.size, min(self.x.size, 32 * self.each)
        assert A is not None
        needed = min(edges, 32 * self.each)
        if needed > self.room:
            self._make_room(min(32 * self.each, 1 << (needed - 1).bit_length()), 0)
        stride, sent = self.room + 1, counts[4:]
        found = np.int32(stride), self.places, self.values, sent
        carried = types.c_name(self.sent)
        self._launch(
            f"push_level<Semiring, {carried}>", own, np.int32(own),
            (np.int32(parts), np.int32(self.peers.rank)), fresh, A.arrays(),
            self.pieces(A, self.of.piece), self.seen, found,
            algebra=self.algebra,
        )  # fmt: skip
        takes = f"<{types.c_name(self.dtype)}, {carried}, {types.c_name(self.known.offset)}>"
        given = (np.int32(rounds), self.x.parts, self.rounds, after, self.ends, counts)
        if needed <= self.of.small:
            self._launch(f"fill_heads<{carried}>", parts, np.int32(parts), found)
            self._exchange(range(0, parts * stride, stride), [needed + 1] * parts)
            self._launch(f"take_lists{takes}", parts * (needed + 1), np.int32(parts),
                         np.int32(needed + 1), *self.arrived, *given)  # fmt: skip
            return
        every = self._gathered_counts(sent)
        begins = range(1, parts * stride, stride)
        if total := self._exchange(begins, every[self.peers.rank].tolist(), every):
            self._launch(f"take_found{takes}", total, np.int64(total), *self.arrived, *given)

    def _exchange(
        self, begins: Sequence[int], counts: Sequence[int], every: np.ndarray | None = None
    ) -> int:
        """Send so many elements of each list, from where it begins; ``every`` has the
        numbers that all processes send to each, if these differ. The result is how many have
        come."""
        come = list(counts) if every is None else every[:, self.peers.rank].tolist()
        largest = sum(come) if every is None else int(every.sum(0).max())
        if not largest:
            return 0
        if largest > self.arrived[0].size:
            self._make_room(0, 1 << (largest - 1).bit_length())
        sends = [
            [array[begin : begin + count] for begin, count in zip(begins, counts)]
            for array in (self.places, self.values)
        ]
        total, most = sum(come), max(counts) if every is None else int(every.max())
        self.peers.all_to_all(sends, come, [array[:total] for array in self.arrived], most)
        return total
