"""The rounds of PageRank over rows of several processes, in compiled loops.

In a round each process passes over the edges that enter its own vertices, and then over these
vertices. Between the two all exchange one number, the sum of what has arrived; after them what
leaves each vertex, and the change. On one host there is one array of what leaves the vertices, into
which each process writes its part: then they exchange no more than these two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.pagerank_rounds import ITEMS_PER_THREAD
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.watched import threads_for
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.products import CpuMatrix
from semirings.types import FP64

gather_ranks, update_ranks = Loop("gather_ranks"), Loop("update_ranks")


def rounds_of(
    shared: SharedMemory, into: CpuMatrix, size: int, weighted: bool, x: np.ndarray,
    rate: np.ndarray, sink: np.ndarray, anew: np.ndarray, whole: float,
) -> Iterator[float]:  # fmt: skip
    """Rounds that overwrite x, one for each number that is taken: the sum of the changes of all.
    ``size`` is the number of all vertices; x, ``rate`` and ``sink`` are of those of this process,
    and ``anew`` too, or one number for all."""
    begins, columns, values = into.arrays(dtype=FP64 if weighted else None)
    factors = values if weighted else np.ones(1)
    processes = shared.processes
    share, y, of_all = x * rate, np.empty(x.size), shared.array(size, FP64)
    every = np.empty(size) if of_all is None else of_all
    jobs = 1 + (x.size + columns.size) // ITEMS_PER_THREAD
    threads = max(1, threads_for(jobs) // processes.size)  # they may be on one host
    ranges = shares_of(begins, threads)

    def gathered(ends: tuple[int, int]) -> float:
        return summed(gather_ranks, begins, columns, factors, every, y, *ends)

    def ended(ends: tuple[int, int]) -> float:
        return summed(update_ranks, y, left, sink, anew, rate, x, share, *ends)

    def exchanged(change: float) -> float:
        """Tell all what leaves the own vertices, and the change; the change of all."""
        if of_all is not None:
            of_all[processes.rank :: processes.size] = share
            processes.count(share.nbytes * (processes.size - 1), 0, 0.0)
            return float(processes.values(np.array([change])).sum())
        part = np.append(share, change)
        changes = 0.0
        for rank, received in enumerate(processes.all_gather(part.view(np.uint8))):
            there = received.copy().view(FP64)
            every[rank :: processes.size] = there[:-1]
            changes += float(there[-1])
        return changes

    exchanged(0.0)
    with ThreadPoolExecutor(threads) as pool:
        apply: Any = map if threads == 1 else pool.map
        while True:
            arrived = processes.values(np.array([sum(apply(gathered, ranges))]))
            left = max(0.0, whole - float(arrived.sum()))
            yield exchanged(sum(apply(ended, ranges)))


def summed(loop: Loop, *arguments: Any) -> float:
    """The sum that a loop writes to its last argument."""
    total = np.zeros(1)
    loop(*arguments, total)
    return float(total[0])


def shares_of(begins: np.ndarray, threads: int) -> list[tuple[int, int]]:
    """Ranges of rows with about as many entries and rows each."""
    work = begins + np.arange(begins.size)
    cuts = np.searchsorted(work, np.linspace(0, work[-1], threads + 1))
    cuts[0], cuts[-1] = 0, begins.size - 1
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist()))
