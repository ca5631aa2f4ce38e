"""Closures under ``any`` over rows of several processes, in compiled loops
(``native/distributed_levels.cpp``).

The rounds are those of the loop in ``lagraph_gpu.closure``. In each the processes exchange two
counts, and then bitmaps (a pull) or lists (a push).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops import on_root
from lagraph_gpu.cpu.loops.distributed_components import labels_of_own
from lagraph_gpu.cpu.loops.distributed_lengths import closure_by_sums, paths_from_one, tails
from lagraph_gpu.cpu.loops.distributed_pagerank import ranks_at_once, rounds_of
from lagraph_gpu.cpu.loops.pagerank_rounds import dense
from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.shared_levels import (
    levels_at_once,
    search_at_once,
    window_of_levels,
)
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.native import Loop, library
from lagraph_gpu.cpu.native.structs import NO_ROWS, OwnRows, Partition, Queue
from lagraph_gpu.cpu.statements.containers import entries, full
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings import BINARY, Semiring
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport
    from lagraph_gpu.graph import Graph
    from lagraph_gpu.notation import Matrix, Vector

PAIR, SECONDI = (BINARY[name].parsed for name in ("pair", "secondi"))

push_to_owners, take_found, pull_from_all = map(
    Loop, ("push_to_owners", "take_found", "pull_from_all")
)


class DistributedLoops:
    """Implements ``lagraph_gpu.backend_distributed.DistributedOperations``."""

    exposed = False
    """Every exchange tells of errors."""

    def __init__(self, processes: HostProcesses) -> None:
        self.processes, self.shared = processes, SharedMemory(processes)
        self.of_root = on_root.WrittenByRoot(processes, self.shared)

    @property
    def in_shared_memory(self) -> DistributedLoops:
        """These loops: they implement ``SharedMemoryLoops``, too."""
        return self

    def shared_bytes(self, size: int) -> int:
        if library() is None:
            return 0
        return self.shared.more_bytes(window_of_levels(Partition(size, self.processes.size)))

    def component_labels(
        self, rows: CpuMatrix, own: int, size: int, agree: Callable[[], None]
    ) -> Any | None:
        return None if library() is None else labels_of_own(self.shared, rows, size)

    def pagerank_rounds(
        self, into: CpuMatrix, size: int, weighted: bool, vectors: Sequence[Any], whole: float
    ) -> tuple[Callable[[], Any], Iterator[float]] | None:
        if library() is None:
            return None
        x, rate, sink, anew = dense(vectors)
        operands = size, weighted, x, rate, sink, anew, whole
        return lambda: full(x), rounds_of(self.shared, into, *operands)

    def ranks_at_once(
        self, into: CpuMatrix, size: int, weighted: bool, vectors: Sequence[Any], whole: float,
        bound: float, most: int, asked: bool,
    ) -> tuple[Any, int, float] | None:  # fmt: skip
        if library() is None:
            return None
        return ranks_at_once(self.shared, into, size, weighted, vectors, whole, bound, most, asked)

    def tight_tails(self, into: CpuMatrix, x: Any, order: Semiring) -> Any | None:
        return None if library() is None else tails(self.processes, into, x, order)

    def levels_and_parents(
        self, source: int, size: int, outgoing: CpuMatrix | None, incoming: CpuMatrix | None,
        threshold: int, max_rounds: int, deep: tuple[int, int], asked: bool,
    ) -> tuple[Any, Any] | None:  # fmt: skip
        if library() is None:
            return None

        def rows() -> tuple[Any, Any]:
            both = outgoing, incoming
            out, back = (NO_ROWS if one is None else pattern(one) for one in both)
            return (out,), (back,)

        search = search_at_once(self.shared, rows, size, threshold, source, max_rounds, deep, asked)
        if search is None:
            return None
        level, parent, reached = search
        return entries(level, reached), entries(parent, reached)

    def lengths_and_parents(
        self, source: int, size: int, outgoing: CpuMatrix, incoming: CpuMatrix, dtype: np.dtype,
        edges: int, longest: float, deep: tuple[int, int], asked: bool,
    ) -> tuple[Any, Any] | None:  # fmt: skip
        return None if library() is None else paths_from_one(
            self.shared, (outgoing, incoming), source, size, dtype, edges, longest, deep, asked
        )  # fmt: skip

    def levels_of_root(
        self, whole: Graph | None, size: int, source: int, bound: int | None
    ) -> list[on_root.MakesStore] | None:
        if library() is None:
            return None
        return on_root.levels(self.of_root, whole, size, source, bound)

    def labels_of_root(self, whole: Matrix | None, size: int) -> on_root.MakesStore | None:
        return None if library() is None else on_root.labels(self.of_root, whole, size)

    def ranks_of_root(
        self, find: Callable[[], Vector] | None, size: int, dtype: np.dtype
    ) -> on_root.MakesStore | None:
        return None if library() is None else on_root.ranks(self.of_root, find, size, dtype)

    def lengths_of_root(
        self, whole: Graph | None, size: int, source: int, cutoff: Any, dtype: np.dtype
    ) -> list[on_root.MakesStore] | None:
        if library() is None:
            return None
        return on_root.lengths(self.of_root, whole, size, source, cutoff, dtype)

    def closure(
        self, start: Any, size: int, outgoing: CpuMatrix | None, incoming: CpuMatrix | None,
        threshold: int, semiring: Semiring, max_rounds: int, agree: Callable[[], None],
        report: LevelReport, with_rounds: bool = True,
    ) -> tuple[Any, Any, bool] | None:  # fmt: skip
        """The closure; None also without a library."""
        if library() is None:
            return None
        if not semiring.monoid.is_any:
            return None if outgoing is None else closure_by_sums(
                self.shared, start, size, outgoing, semiring, max_rounds, report, with_rounds
            )  # fmt: skip
        rows, dtype, multiply = outgoing or incoming, start.dtype.np_type, semiring.multiply.parsed
        assert rows is not None
        if multiply not in (PAIR, SECONDI):
            return None
        if semiring.output(dtype, rows.given.dtype.np_type) != dtype:
            return None
        begun = partial(LevelSearch, self.processes, start, size, outgoing, incoming)
        search = levels_at_once(self.shared, begun, size, threshold, max_rounds, report)
        if search is None:
            search = begun()
            search.run(threshold, max_rounds, report)
        if search.at_rest is None:
            return None
        reached = search.level >= 0
        if multiply == PAIR:
            values = np.ones(reached.size, dtype)
        else:
            values = search.before.astype(dtype)
        values[search.sources] = search.start_values
        return entries(values, reached), entries(search.level, reached), search.at_rest


class LevelSearch:
    """One call. ``level`` is -1 where nothing has been reached."""

    at_rest: bool | None
    """Whether the last round changed nothing; None if the report has ended the search."""

    def __init__(
        self, processes: HostProcesses, start: Any, size: int, outgoing: CpuMatrix | None,
        incoming: CpuMatrix | None,
    ) -> None:  # fmt: skip
        self.processes, self.size, own = processes, size, int(start.size)
        sources, self.start_values = start.to_coo()
        self.sources = sources.astype(INT32)
        self.out = None if outgoing is None else pattern(outgoing)
        self.back = None if incoming is None else pattern(incoming)
        self.begins = (self.out or self.back or NO_ROWS).begins
        self.own = OwnRows(processes.size, processes.rank)
        self.level = np.full(own, -1, INT32)
        self.before, self.seen = np.empty(own, INT32), np.zeros(size, np.uint8)
        self.level[self.sources] = 0
        self.frontier, self.spare = self.sources, [np.empty(own, INT32) for _ in range(2)]
        begins = self.begins
        self.edges = np.array([(begins[self.sources + 1] - begins[self.sources]).sum()], INT64)

    def run(self, threshold: int, max_rounds: int, report: LevelReport) -> None:
        """All rounds, with exchanges between them."""
        rounds, pulls = 0, False
        while True:
            own_frontier = np.array([self.frontier.size, self.edges[0]])
            frontiers = self.processes.values(own_frontier).reshape(-1, 2)
            if report(rounds, frontiers[:, 0], pulls, 0.0):
                self.at_rest = None
                return
            vertices, edges = frontiers.sum(0).tolist()
            if not vertices or rounds >= max_rounds:
                self.at_rest = not vertices
                return
            rounds += 1
            pulls = self.out is None or (self.back is not None and edges > threshold)
            self.edges[:] = 0
            found = self._pull(rounds) if pulls else self._push(rounds)
            self.spare.reverse()
            self.frontier = self.spare[1][:found]

    def _pull(self, rounds: int) -> int:
        """A round in which each vertex looks for an edge from the frontier; what it finds is in the
        first of the spare arrays."""
        assert self.back is not None
        in_frontier = np.zeros(-(-self.size // self.processes.size), np.bool_)
        in_frontier[self.frontier] = True
        own_bitmap = np.packbits(in_frontier, bitorder="little")
        bitmaps = np.concatenate(self.processes.all_gather(own_bitmap))
        return pull_from_all(
            self.back, self.own, rounds, bitmaps, self.begins, self.seen, self.level, self.before,
            self.spare[0], self.edges,
        )  # fmt: skip

    def _push(self, rounds: int) -> int:
        """A round along the edges that leave the frontier. What they reach goes to its owners, who
        put it in the first of the spare arrays."""
        assert self.out is not None
        begins = self.begins
        most = min(int((begins[self.frontier + 1] - begins[self.frontier]).sum()), self.size)
        targets_and_tails = np.empty((2, most), INT32)
        of_owners = np.zeros(self.own.parts, INT64)
        push_to_owners(self.out, self.own, self.frontier, self.seen, *targets_and_tails, of_owners)
        ends = pairwise(accumulate(of_owners.tolist(), initial=0))
        sent = [targets_and_tails[:, begin:end].ravel().view(np.uint8) for begin, end in ends]
        found = 0
        for received in self.processes.all_to_all(sent):
            places, tails = np.ascontiguousarray(received).view(INT32).reshape(2, -1)
            found = take_found(
                Queue(self.spare[0], found), rounds, places, tails, begins, self.level,
                self.before, self.edges,
            )  # fmt: skip
        return found
