"""Searches and components that the root, process 0, finds alone, in a graph that it has whole
(``cluster/root.py``), where all processes are on one host. It writes the results into
memory that all share, and each takes from there what belongs to its own vertices. So nothing is
packed or sent, and all meet once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.single_source import (
    adds_up,
    by_rounds,
    narrowed,
    write_lengths,
    write_levels,
)
from lagraph_gpu.cpu.loops.sums import sums_of
from lagraph_gpu.cpu.loops.union_find import write_labels
from lagraph_gpu.cpu.native import sharing
from lagraph_gpu.cpu.statements.containers import entries, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from semirings.types import INT32, INT64

Stores = tuple[Any, Any]


def levels(
    shared: SharedMemory, whole: Graph | None, size: int, source: int, bound: int | None
) -> Stores | None:
    """The parts of this process of the levels and the parents of a search of the ``whole`` graph,
    which the root has. None on all if they share no memory or the root is asked for rounds."""

    def search(level: np.ndarray, parent: np.ndarray) -> int | None:
        assert whole is not None
        if by_rounds(None):
            return None
        return write_levels(whole.A._store, source, bound, level, parent)

    return written_by_root(shared, size, INT32, INT32, search)


def lengths(
    shared: SharedMemory, whole: Graph | None, size: int, source: int, cutoff: Any, dtype: np.dtype
) -> Stores | None:
    """The parts of this process of the lengths of shortest paths, in the type of the edges, and of
    the parents. The root has the ``whole`` graph. None on all if they share no memory, the root
    is asked for rounds, or its loop does not find the lengths."""

    def search(distance: np.ndarray, parent: np.ndarray) -> int | None:
        assert whole is not None
        if by_rounds(None) or not adds_up(whole):
            return None
        reached = write_lengths(whole.A._store, source, cutoff, distance, parent)
        return None if narrowed(whole, distance[parent >= 0]) is None else reached

    return written_by_root(shared, size, sums_of(dtype), dtype, search)


def labels(shared: SharedMemory, whole: Matrix | None, size: int) -> Any | None:
    """The part of this process of the labels of components of the ``whole`` symmetric matrix, which
    the root has. None on all if they share no memory."""
    processes = shared.processes
    of_all = shared.array(size, INT64)
    if of_all is None:
        return None
    if processes.rank == 0:
        assert whole is not None
        write_labels(whole._store, True, of_all)
        processes.count((size - len(range(0, size, processes.size))) * INT64.itemsize, 0, 0.0)
    processes.begin()
    processes.finish()  # the root has written everything
    own = of_all[processes.rank :: processes.size].copy()
    shared.note_read()
    processes.met = True
    return full(own)


def written_by_root(
    shared: SharedMemory, size: int, written: np.dtype, dtype: np.dtype,
    write: Callable[[np.ndarray, np.ndarray], int | None],
) -> Stores | None:  # fmt: skip
    """The parts of this process of two vectors, of this type and of parents: where the root writes
    a parent that is none, neither has an entry. `write` gets arrays for values of the type
    ``written`` and for parents, and returns how many there are, or None to write nothing.

    None on all if they share no memory, or if nothing is written."""
    processes = shared.processes
    line = sharing().LINE_BYTES
    memory = shared.array(line + 2 * INT64.itemsize * size, np.dtype(np.uint8))
    if memory is None:
        return None
    count, results = memory[:line].view(INT64), memory[line:].view(INT64)
    of_all = results[:size].view(written)[:size], results[size:]
    if processes.rank == 0:
        found = write(*of_all)
        count[0] = -1 if found is None else found
        others = size - len(range(0, size, processes.size))
        processes.count(others * (written.itemsize + INT64.itemsize), 0, 0.0)
    processes.begin()
    processes.finish()  # the root has written everything
    reached = int(count[0])
    values, parent = (array[processes.rank :: processes.size].copy() for array in of_all)
    shared.note_read()
    if reached < 0:
        return None
    processes.met = True
    if reached == size:
        return full(values.astype(dtype, copy=False)), full(parent)
    known = parent >= 0
    if dtype.kind != "f":
        values[~known] = 0  # infinity is no integer
    return entries(values.astype(dtype, copy=False), known), entries(parent, known)
