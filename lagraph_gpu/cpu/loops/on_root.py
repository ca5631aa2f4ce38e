"""Searches, components and ranks that the root, process 0, finds alone, in a graph that it has
whole (``cluster/root.py``), where all processes are on one host. It writes the results into memory
that all share. So nothing is packed or sent, and all meet once.

Each process takes what belongs to its own vertices from there, but of a small graph not before
somebody reads it: to copy the results takes all of them as long as a search. So there is memory for
the results of several calls, which are written in turn. Before a call in whose turn others are
written, each process takes what somebody still holds, and has not read, of what lies there; the
meeting of that call tells the root that all have done so.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.backend_distributed import HostProcesses
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.single_source import (
    adds_up,
    narrowed,
    wants_rounds,
    write_lengths,
    write_levels,
)
from lagraph_gpu.cpu.loops.sums import sums_of
from lagraph_gpu.cpu.loops.union_find import write_labels
from lagraph_gpu.cpu.native import sharing
from lagraph_gpu.cpu.statements.containers import entries, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT32, INT64

TURNS = 3
"""The results of so many calls stay where they are. A program that searches again and again holds
the last ones while the next are written, and those before them no more."""

SMALL = 1 << 17
"""Of a graph with so many vertices results stay where they are, in no more than 6 MiB for all
processes. Those of a larger one would take memory for longer than it is worth, so each process
takes its part at once."""

Kinds = tuple[np.dtype, np.dtype]
"""The type in which the root writes a result, and that of its values."""

MakesStore = Callable[[], Any]
"""Makes the store of the part of this process of one result."""


def levels(
    written: WrittenByRoot, whole: Graph | None, size: int, source: int, bound: int | None
) -> list[MakesStore] | None:
    """The parts of this process of the levels and the parents of a search of the ``whole`` graph,
    which the root has. None on all if they share no memory or the root is asked for rounds."""

    def search(level: np.ndarray, parent: np.ndarray) -> int | None:
        assert whole is not None
        if wants_rounds(None):
            return None
        return write_levels(whole.A._store, source, bound, level, parent)

    return written.results(size, [(INT32, INT32), (INT64, INT64)], search)


def lengths(
    written: WrittenByRoot, whole: Graph | None, size: int, source: int, cutoff: Any,
    dtype: np.dtype,
) -> list[MakesStore] | None:  # fmt: skip
    """The parts of this process of the lengths of shortest paths, in the type of the edges, and of
    the parents. The root has the ``whole`` graph. None on all if they share no memory, the root
    is asked for rounds, or its loop does not find the lengths."""

    def search(distance: np.ndarray, parent: np.ndarray) -> int | None:
        assert whole is not None
        if wants_rounds(None) or not adds_up(whole, source):
            return None
        reached = write_lengths(whole.A._store, source, cutoff, distance, parent)
        return None if narrowed(whole, distance[parent >= 0]) is None else reached

    return written.results(size, [(sums_of(dtype), dtype), (INT64, INT64)], search)


def labels(written: WrittenByRoot, whole: Matrix | None, size: int) -> MakesStore | None:
    """The part of this process of the labels of components of the ``whole`` symmetric matrix, which
    the root has. None on all if they share no memory."""

    def find(label: np.ndarray) -> int:
        assert whole is not None
        write_labels(whole._store, True, label)
        return size

    made = written.results(size, [(INT64, INT64)], find)
    return None if made is None else made[0]


def ranks(
    written: WrittenByRoot, find: Callable[[], Vector] | None, size: int, dtype: np.dtype
) -> MakesStore | None:
    """The part of this process of the ranks of all vertices, of this type, which the root finds.
    None on all if they share no memory or the root is asked for rounds."""

    def write(rank: np.ndarray) -> int | None:
        assert find is not None
        if wants_rounds(None):
            return None
        rank[:] = find().to_dense()
        return size

    made = written.results(size, [(dtype, dtype)], write)
    return None if made is None else made[0]


class WrittenByRoot:
    """The results of the last calls, in memory that the processes share."""

    def __init__(self, processes: HostProcesses, shared: SharedMemory) -> None:
        self.processes, self.at_once = processes, shared
        self.in_turn = SharedMemory(processes)
        self.calls = 0
        """How many there have been with results that stay where they are."""
        self.held: list[Callable[[], Parts | None]] = [lambda: None] * TURNS
        """What this process has to take from the memory of each turn, if somebody holds it."""

    def results(
        self, size: int, kinds: Sequence[Kinds], write: Callable[..., int | None]
    ) -> list[MakesStore] | None:
        """The parts of this process of vectors of these kinds. `write` gets an array for each,
        which the root fills: where it writes less than 0 into the last one, none has an entry. It
        returns how many entries there are, or None to write nothing.

        None on all if they share no memory, or if nothing is written."""
        processes, line = self.processes, sharing().LINE_BYTES
        small, each = size <= SMALL, INT64.itemsize * size
        needed = line + each * len(kinds)
        memory = self.turn(needed) if small else self.at_once.array(needed, np.dtype(np.uint8))
        if memory is None:
            return None
        count = memory[:line].view(INT64)
        of_all = [
            memory[line + number * each :][: kind.itemsize * size].view(kind)
            for number, (kind, _) in enumerate(kinds)
        ]
        if processes.rank == 0:
            found = write(*of_all)
            count[0] = -1 if found is None else found
            others = size - len(range(0, size, processes.size))
            processes.count(others * sum(kind.itemsize for kind, _ in kinds), 0, 0.0)
        processes.begin()
        processes.finish()  # the root has written everything
        reached = int(count[0])
        own = Parts([array[processes.rank :: processes.size] for array in of_all], reached < size)
        if small:
            self.held[self.calls % TURNS] = weakref.ref(own)
            self.calls += 1
        else:
            own.take()
            self.at_once.note_read()
        if reached < 0:
            return None
        processes.met, processes.settled = True, small  # else all have read it before the next call
        return [own.maker(number, dtype) for number, (_, dtype) in enumerate(kinds)]

    def turn(self, size: int) -> np.ndarray | None:
        """So many bytes for the results of a call, with anything in it. None if the processes share
        no memory."""
        line = sharing().LINE_BYTES
        size = -(-size // line) * line
        memory = self.in_turn.windows(-(-TURNS * size // self.processes.size))
        if memory is None:
            return None
        held = self.held[(self.calls + 1) % TURNS]()
        if held is not None:
            held.take()
        begin = self.calls % TURNS * (memory.size // TURNS // line * line)
        return memory[begin : begin + size]


class Parts:
    """The parts of this process of the results of a call: views of memory that others share, until
    they are taken."""

    def __init__(self, arrays: list[np.ndarray], some: bool) -> None:
        self.arrays, self.some = arrays, some
        """With entries at `some` positions alone: where the last array has no less than 0."""
        self.known: np.ndarray | None = None
        self.taken = False

    def take(self) -> None:
        """Copy them."""
        if not self.taken:
            self.arrays = [array.copy() for array in self.arrays]
            self.known = self.arrays[-1] >= 0 if self.some else None
            self.taken = True

    def maker(self, number: int, dtype: np.dtype) -> MakesStore:
        """Makes the store of one of them, of this type, once."""

        def make() -> Any:
            self.take()
            values, known = self.arrays[number], self.known
            if known is None:
                return full(values.astype(dtype, copy=False))
            if dtype.kind != "f":
                values[~known] = 0  # infinity is no integer
            return entries(values.astype(dtype, copy=False), known)

        return make
