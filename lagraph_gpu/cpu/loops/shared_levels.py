"""Closures under ``any`` over rows of the processes of one host, in one call of a compiled loop of
each (``native/shared_levels.cpp``). They store into memory that all see.

A call ends after ROUNDS_PER_CALL rounds, so that a closure that proves deep can go elsewhere; a
search from one vertex, which nobody wants to have explained, finds that out by itself. If a process
does not come, or comes no further, all others learn it, and go on by exchanges of
``distributed_levels``, which tell them why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import NO_ROWS, Depth, LevelRounds, Partition
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport
    from lagraph_gpu.cpu.loops.distributed_levels import LevelSearch

ROUNDS_PER_CALL = 64
"""The number of rounds after which a call returns."""

NUMBERS_BEFORE_COUNTS = 4
"""The numbers of a line of the log before the entries on each process."""

ENTRIES_PER_ROUND = 64
"""What the meetings of a round take, in entries that are read meanwhile. There may be as many
rounds as vertices."""

MadeRows = Callable[[], tuple[tuple[Any, ...], tuple[Any, ...]]]
"""Makes the rows of edges that leave own vertices, and of edges that enter them: their pattern, and
values if there are some. It may fail on one process alone."""

window_of_levels, shared_levels, shared_search = map(
    Loop, ("window_of_levels", "shared_levels", "shared_search")
)


def new_log(parts: int) -> np.ndarray:
    """An empty log of a call: a line for each round, and one for what comes before the first."""
    return np.zeros((ROUNDS_PER_CALL + 1, NUMBERS_BEFORE_COUNTS + parts), INT64)


def levels_at_once(
    shared: SharedMemory, begun: Callable[[], LevelSearch], n: int, threshold: int, max_rounds: int,
    report: LevelReport,
) -> LevelSearch | None:  # fmt: skip
    """All of a search of a graph with n vertices that has ``begun``; None if the processes share no
    memory or one of them gives up."""
    processes = shared.processes
    parts, rank = processes.size, processes.rank
    memory = shared.windows(window_of_levels(Partition(n, parts)))
    if memory is None:
        return None
    with shared.meeting(memory):
        search = begun()
        own = search.level.size
        out, back = search.out or NO_ROWS, search.back or NO_ROWS
        frontier, other = np.empty(own, INT32), np.empty(own, INT32)
        count, rounds = search.sources.size, 0
        frontier[:count] = search.sources
        sent = np.zeros(parts * -(-n // (64 * parts)), np.uint64)
        log, at_rest = new_log(parts), np.zeros(1, INT64)
        entries = max(out.columns.size, back.columns.size)
        place = shared.place(memory, n, entries)
        while True:
            these = LevelRounds(rounds, min(ROUNDS_PER_CALL, max_rounds - rounds), threshold)
            launch = partial(
                watched, shared_levels, out, back, place, these, search.level, search.before,
                frontier[:count], other, sent, log, at_rest, work=entries,
            )  # fmt: skip
            done = processes.in_shared_memory(launch)
            if done == failures().BROKEN:
                return None
            if report_rounds(processes, log[: done + 1], rounds, report):
                search.at_rest = None
                return search
            rounds += done
            if at_rest[0] or rounds >= max_rounds:
                processes.met, search.at_rest = True, bool(at_rest[0])
                return search
            count = int(log[done, NUMBERS_BEFORE_COUNTS + rank])
            if done % 2:
                frontier, other = other, frontier


def search_at_once(
    shared: SharedMemory, rows: MadeRows, size: int, threshold: int, source: int,
    max_rounds: int, deep: tuple[int, int], asked: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:  # fmt: skip
    """The level and the parent of each own vertex that one vertex reaches, and which vertices these
    are. ``rows`` makes the rows of edges that leave own vertices and of edges that enter them. None
    if the processes share no memory, if one of them gives up, or if the first ``deep`` rounds have
    fewer entries than that."""
    given = LevelRounds(0, max_rounds, threshold), Depth(*deep), source
    return found_at_once(shared, window_of_levels, shared_search, rows, size, INT32, given, asked)


def found_at_once(
    shared: SharedMemory, window: Loop, loop: Loop, rows: MadeRows, size: int, dtype: np.dtype,
    given: Sequence[Any], asked: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:  # fmt: skip
    """A value of this type and the parent of each own vertex, and which of them are reached, by one
    call of ``loop`` in each process. It gets what is ``given`` between the place where all meet, in
    windows of the size that ``window`` tells, and its results. None if the processes share no
    memory, if the loop finds nothing, or if one of them is ``asked`` for more than that: it enters
    no loop, and lets those of others end."""
    processes = shared.processes
    memory = shared.windows(window(Partition(size, processes.size)))
    if memory is None:
        return None
    if asked:
        shared.refuse(memory)
        meet_elsewhere(processes)
        return None
    with shared.meeting(memory):
        outgoing, incoming = rows()
        out, back = outgoing[0], incoming[0]
        own = (out.begins.size or back.begins.size) - 1
        entries = max(out.columns.size, back.columns.size)
        value, parent = np.empty(own, dtype), np.empty(own, INT64)
        known, traffic = np.empty(own, np.bool_), np.zeros(3, INT64)
        place = shared.place(memory, size, entries)
        launch = partial(
            watched, loop, *outgoing, *incoming, place, *given, value, parent, known, traffic,
            work=entries + ENTRIES_PER_ROUND * size,
        )  # fmt: skip
        reached = processes.in_shared_memory(launch)
    if reached < 0:
        meet_elsewhere(processes)
        return None
    note_traffic(processes, traffic)
    return value, parent, known


def meet_elsewhere(processes: HostProcesses) -> None:
    """Let all leave a loop in which they have found nothing, so that they may meet in another."""
    processes.begin()
    processes.finish()


def note_traffic(processes: HostProcesses, traffic: np.ndarray) -> None:
    """Count what a call has sent, in which all have met."""
    sent, meetings, waited = traffic.tolist()
    processes.count(sent, meetings, waited / 1e3)
    processes.met = True


def report_rounds(
    processes: HostProcesses, log: np.ndarray, rounds: int, report: LevelReport
) -> bool:
    """Count and report what a call has done after `rounds` rounds. The log has a line for the state
    that the call began with, which only the first call reports, and a line for each round. Returns
    whether the report ends the closure."""
    for line, row in enumerate(log):
        pulled, sent, meetings, waited = row[:NUMBERS_BEFORE_COUNTS].tolist()
        processes.count(sent, meetings, waited / 1e3)
        reported = line > 0 or rounds == 0
        counts = row[NUMBERS_BEFORE_COUNTS:]
        if reported and report(rounds + line, counts, bool(pulled), waited / 1e9):
            return True
    return False
