"""What the CPU brings for the cluster: compiled loops over rows of several processes, and over what
process 0 has found alone where processes share memory.

Each method calls the module of its loop, and has nothing where there is no library of loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops import on_root
from lagraph_gpu.cpu.loops.distributed_components import labels_of_own
from lagraph_gpu.cpu.loops.distributed_lengths import closure_by_sums, paths_from_one, tails
from lagraph_gpu.cpu.loops.distributed_levels import LevelSearch
from lagraph_gpu.cpu.loops.distributed_pagerank import ranks_at_once, rounds_of
from lagraph_gpu.cpu.loops.pagerank_rounds import dense
from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.shared_levels import (
    levels_at_once,
    search_at_once,
    window_of_levels,
)
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.native import library
from lagraph_gpu.cpu.native.structs import NO_ROWS, Partition
from lagraph_gpu.cpu.statements.containers import entries, full
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings import BINARY, Semiring

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport
    from lagraph_gpu.graph import Graph
    from lagraph_gpu.notation import Matrix, Vector

PAIR, SECONDI = (BINARY[name].parsed for name in ("pair", "secondi"))


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
