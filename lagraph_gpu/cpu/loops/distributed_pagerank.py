"""The rounds of PageRank over rows of several processes, in compiled loops.

In a round each process passes over the edges that enter its own vertices, and then over these
vertices. Between the two all exchange one number, the sum of what has arrived; after them what
leaves each vertex, and the change. On one host there is one array of what leaves the vertices, into
which each process writes its part: then they exchange no more than these two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.pagerank_rounds import dense
from lagraph_gpu.cpu.loops.power_iteration import ITEMS_PER_THREAD, MOST_ROUNDS, factors_of
from lagraph_gpu.cpu.loops.shared_levels import note_traffic
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import Partition, Range, StopRule
from lagraph_gpu.cpu.statements.containers import full
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.planning.threads import threads_for
from semirings.types import FP64, INT64

gather_ranks, update_ranks, window_of_ranks, shared_ranks = map(
    Loop, ("gather_ranks", "update_ranks", "window_of_ranks", "shared_ranks")
)


def ranks_at_once(
    shared: SharedMemory, into: CpuMatrix, size: int, weighted: bool, vectors: Sequence[Any],
    whole: float, bound: float, most: int, asked: bool,
) -> tuple[Any, int, float] | None:  # fmt: skip
    """The part of this process after all rounds, how many there were, and the change of the last.
    None if the processes share no memory, if one of them gives up, has processors for more threads,
    or is ``asked`` for each round."""
    processes, dtype = shared.processes, vectors[0].dtype.np_type
    graph = Partition(size, processes.size)
    memory = shared.windows(window_of_ranks(graph, dtype.itemsize))
    if memory is None:
        return None
    with shared.meeting(memory):
        rows, factors = factors_of(into, False, weighted, dtype)
        work = rows.begins.size + rows.columns.size
        if asked or threads_of(work, processes.size) > 1:
            shared.refuse(memory)
            return None
        x, rate, sink, anew = dense(vectors)
        most, change, traffic = min(most, MOST_ROUNDS), np.zeros(1), np.zeros(3, INT64)
        place, rule = shared.place(memory, size, work), StopRule(bound, most)
        launch = partial(
            watched, shared_ranks, rows, factors, place, shared.unread, sink, anew, rate, x, whole,
            rule, change, traffic, work=work * most, total=most,
        )  # fmt: skip
        rounds = processes.in_shared_memory(launch)
    if rounds < 0:
        return None
    note_traffic(processes, traffic)
    return full(x), rounds, float(change[0])


def threads_of(items: int, processes: int) -> int:
    """The threads for so many items, of so many processes, which may be on one host."""
    return max(1, threads_for(1 + items // ITEMS_PER_THREAD) // processes)


def rounds_of(
    shared: SharedMemory, into: CpuMatrix, size: int, weighted: bool, x: np.ndarray,
    rate: np.ndarray, sink: np.ndarray, anew: np.ndarray, whole: float,
) -> Iterator[float]:  # fmt: skip
    """Rounds that overwrite x, one for each number that is taken: the sum of the changes of all.
    ``size`` is the number of all vertices; x, ``rate`` and ``sink`` are of those of this process,
    and ``anew`` too, or one number for all."""
    rows, factors = factors_of(into, False, weighted, x.dtype)
    processes = shared.processes
    share, y, of_all = x * rate, np.empty_like(x), shared.array(size, x.dtype)
    every = np.empty(size, x.dtype) if of_all is None else of_all
    threads = threads_of(rows.begins.size + rows.columns.size, processes.size)
    ranges = shares_of(rows.begins, threads)

    def gathered(vertices: Range) -> float:
        return summed(gather_ranks, rows, factors, every, y, vertices)

    def ended(vertices: Range) -> float:
        return summed(update_ranks, y, left, sink, anew, rate, x, share, vertices)

    def exchanged(change: float) -> float:
        """Tell all what leaves the own vertices, and the change; the change of all."""
        if of_all is not None:
            of_all[processes.rank :: processes.size] = share
            processes.count(share.nbytes * (processes.size - 1), 0, 0.0)
            return float(processes.values(np.array([change])).sum())
        part = np.concatenate((np.array([change]).view(np.uint8), share.view(np.uint8)))
        changes = 0.0
        for rank, received in enumerate(processes.all_gather(part)):
            of_change, there = np.split(received.copy(), [FP64.itemsize])
            every[rank :: processes.size] = there.view(x.dtype)
            changes += float(of_change.view(FP64)[0])
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


def shares_of(begins: np.ndarray, threads: int) -> list[Range]:
    """Ranges of rows with about as many entries and rows each."""
    work = begins + np.arange(begins.size)
    cuts = np.searchsorted(work, np.linspace(0, work[-1], threads + 1))
    cuts[0], cuts[-1] = 0, begins.size - 1
    return [Range(*ends) for ends in pairwise(cuts.tolist())]
