"""Closures under min.+ over rows of the processes of one host, in calls of a compiled loop of each
(``native/shared_lengths.cpp``) that lower values in an array that all see. As for searches
(``shared_levels``) a call ends after ROUNDS_PER_CALL rounds, and exchanges take over if a process
gives up.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.cpu.loops.shared_levels import (
    ROUNDS_PER_CALL,
    MadeRows,
    found_at_once,
    new_log,
    report_rounds,
)
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import CompressedRows, Depth, Partition
from semirings.types import INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import LevelReport

window_of_lengths, shared_lengths, shared_paths = map(
    Loop, ("window_of_lengths", "shared_lengths", "shared_paths")
)


def lengths_at_once(
    shared: SharedMemory, edges: tuple[CompressedRows, np.ndarray], size: int, edges_of_all: int,
    value: np.ndarray, frontier: np.ndarray, bound: float, width: float, report: LevelReport,
) -> bool | None:  # fmt: skip
    """Overwrite the start in ``value`` by the least sums. Whether it was done, which it is not if
    the processes share no memory or one of them gives up; None if the report ends it."""
    processes, own = shared.processes, value.size
    parts = processes.size
    memory = shared.windows(window_of_lengths(Partition(size, parts)))
    if memory is None:
        return False
    with shared.meeting(memory):
        begun, count = value.copy(), np.array([frontier.size], INT64)
        listed = np.empty(own, np.int32)
        listed[: frontier.size] = frontier
        waits, state = np.zeros(own, np.uint8), np.array([bound, width, 0.0, np.inf])
        log, at_rest = new_log(parts), np.zeros(1, INT64)
        entries, rounds = edges[0].columns.size, 0
        given = *edges, shared.place(memory, size, entries)
        while True:
            launch = partial(
                watched, shared_lengths, *given, edges_of_all, not rounds, ROUNDS_PER_CALL, begun,
                listed, count, waits, state, log, at_rest, work=entries,
            )  # fmt: skip
            done = processes.in_shared_memory(launch)
            if done == failures().BROKEN:
                return False
            if report_rounds(processes, log[: done + 1], rounds, report):
                return None
            rounds += done
            if at_rest[0]:
                value[:] = begun
                processes.met = True
                return True


def paths_at_once(
    shared: SharedMemory, rows: MadeRows, size: int, sums: np.dtype, edges_of_all: int,
    source: int, width: float, highest: float, deep: tuple[int, int], asked: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:  # fmt: skip
    """The distance and the parent of each own vertex that one vertex reaches, and which vertices
    these are. ``rows`` makes the rows, with lengths of the type ``sums``, of edges that leave own
    vertices and of edges that enter them. None also if a vertex has no nearer one that explains its
    distance, or a distance is above ``highest``."""
    given = edges_of_all, width, highest, Depth(*deep), source
    return found_at_once(shared, window_of_lengths, shared_paths, rows, size, sums, given, asked)
