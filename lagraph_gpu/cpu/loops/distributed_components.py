"""Components of a graph whose rows are distributed over processes, in compiled loops
(``native/union_find.cpp``).

On one host all processes join trees in one array of parents (``native/shared_components.cpp``).
Elsewhere each process joins trees over all vertices along two edges of each of its rows. The
processes then exchange these trees and join them, so that all have the same ones. After that only
the rows outside the largest tree are read to their ends: an edge between that tree and another
vertex is in the row of that vertex, too. These edges join few trees, and the processes exchange the
pairs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import OwnRows, Partition, Range
from lagraph_gpu.cpu.statements.containers import full
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses

join_own_rows, join_pairs = map(Loop, ("join_own_rows", "join_pairs"))
window_of_components, shared_components = map(Loop, ("window_of_components", "shared_components"))

FIRST = 2
"""The number of edges of each vertex that join trees first."""

MEETINGS = 3
"""Of all processes in the loop for one host, beside one if others may read yet."""

SAMPLE = 1024
"""The number of vertices in the sample that finds the largest tree."""


def labels_of_own(shared: SharedMemory, rows: CpuMatrix, size: int) -> Any:
    """The smallest vertex in the component of each own vertex."""
    label = labels_at_once(shared, rows, size)
    return full(labels_by_exchanges(shared.processes, rows, size) if label is None else label)


def labels_at_once(shared: SharedMemory, rows: CpuMatrix, size: int) -> np.ndarray | None:
    """The smallest vertex in the component of each own vertex, with one array of parents that all
    processes of one host see; None if they share no memory, or one of them gives up."""
    processes = shared.processes
    memory = shared.windows(window_of_components(Partition(size, processes.size)))
    if memory is None:
        return None
    with shared.meeting(memory):
        along = pattern(rows)
        entries = along.columns.size
        label = np.empty(along.begins.size - 1, INT64)
        given, work = (along, shared.place(memory, size, entries)), along.begins.size + entries
        launch = partial(watched, shared_components, *given, shared.unread, label, work=work)
        joined = processes.in_shared_memory(launch)
    if joined == failures().BROKEN:
        return None
    processes.count(joined * INT32.itemsize, MEETINGS + (not shared.unread), 0.0)
    processes.met = True
    return label


def labels_by_exchanges(processes: HostProcesses, rows: CpuMatrix, size: int) -> np.ndarray:
    """The smallest vertex in the component of each own vertex, by exchanges of the trees."""
    along, own = pattern(rows), OwnRows(processes.size, processes.rank)
    every = np.arange(size, dtype=INT64)
    label = every.copy()
    join_own_rows(along, own, -1, Range(0, FIRST), label)
    _join_all(processes, every, label)
    before = label.copy()
    if size:
        roots, held = np.unique(label[:: max(1, size // SAMPLE)], return_counts=True)
        largest = int(roots[held.argmax()])
        join_own_rows(along, own, largest, Range(FIRST, size), label)
    _join_all(processes, before, label)
    return label[own.rank :: own.parts].copy()


def _join_all(processes: HostProcesses, before: np.ndarray, label: np.ndarray) -> None:
    """Join the trees of all processes, of which each tells where they differ from those before. The
    root of a tree is its smallest vertex, so all get the same ones."""
    changed = np.flatnonzero(label != before)
    changed = changed[before[changed] == changed]
    pairs = np.concatenate([changed, label[changed]]).astype(INT32)
    for rank, received in enumerate(processes.all_gather(pairs.view(np.uint8))):
        if rank != processes.rank:
            one, other = np.ascontiguousarray(received).view(INT32).reshape(2, -1)
            join_pairs(one, other, label)
