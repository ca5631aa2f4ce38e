"""Closures under min.+ over rows of several processes, and the parents of shortest paths, in
compiled loops (``native/distributed_levels.cpp``).

In each round the processes exchange for each vertex the least sum that one has found, if it is less
than what the same one has sent before, and with it how many vertices were in the frontier.

The rounds are those of the loop in ``lagraph_gpu.closure`` if they are asked for. Otherwise, where
no length is negative, vertices below a common bound come first, and the others wait until there is
none below it: what changes again and again before it is least is then sent on once. The bound moves
by a width that begins with the mean length over the mean degree (Meyer and Sanders 2003), and that
doubles while few edges are below it, because each round costs an exchange.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import length_type
from lagraph_gpu.cpu.loops.closures import NO_PARENT
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.shared_lengths import lengths_at_once, paths_at_once
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.sums import as_sums, holds, is_min_plus, sums_fit, sums_of
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, OwnRows, Queue
from lagraph_gpu.cpu.statements.containers import entries
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from semirings import Semiring, min_plus
from semirings.types import FP64, INT32, INT64
from semirings.types import highest as highest_of

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport

EDGES_PER_BOUNDED_EDGE = 64
"""The width doubles if fewer than one in so many of all edges were below the bound."""

FRONTIER = np.dtype([("vertices", FP64), ("edges", FP64), ("least_waiting", FP64)])
"""What a process tells of its frontier before a round: how many vertices are in it, how many edges
leave them, and the least value of a vertex that waits."""

sums_to_owners, take_less, tight = map(Loop, ("sums_to_owners", "take_less", "tight_tails"))


def closure_by_sums(
    shared: SharedMemory, start: Any, size: int, outgoing: CpuMatrix, semiring: Semiring,
    max_rounds: int, report: LevelReport, with_rounds: bool,
) -> tuple[Any, Any, bool] | None:  # fmt: skip
    """The closure, the rounds of its entries if ``with_rounds``, and whether it is at rest. None
    for another semiring, if sums could leave the type, or if ``report`` says that it is to end
    here."""
    dtype, given = start.dtype.np_type, outgoing.given.dtype.np_type
    if not is_min_plus(semiring) or not holds(semiring, dtype, given) or dtype.kind not in "if":
        return None
    index, values = start.to_coo()
    edges = rows_with_values(outgoing, dtype=sums_of(dtype))
    value, frontier = np.full(int(start.size), np.inf, sums_of(dtype)), index.astype(INT32)
    value[frontier] = values
    least, longest, begun, edges_of_all = extremes_of_all(shared.processes, outgoing, values)
    if not sums_fit(dtype, least, longest, size, max_rounds, begun):
        return None
    by_value = not with_rounds and least >= 0 and max_rounds >= size
    width = width_of(longest, size, edges_of_all)
    bound = begun + width
    if by_value:
        done = lengths_at_once(
            shared, edges, size, edges_of_all, value, frontier, bound, width, report
        )
        if done is None:
            return None
        if done:
            return entries_of(value, value < np.inf, dtype), None, True
    rounds = _Rounds(shared.processes, edges, size, value, frontier)
    if by_value:
        at_rest = rounds.by_value(bound, width, edges_of_all, report)
    else:
        at_rest = rounds.as_stated(max_rounds, report)
    if at_rest is None:
        return None
    known = rounds.round_of >= 0
    levels = entries(rounds.round_of, known.copy()) if with_rounds else None
    return entries_of(value, known, dtype), levels, at_rest


def extremes_of_all(
    processes: HostProcesses, rows: CpuMatrix, starts: np.ndarray
) -> tuple[float, float, float, int]:
    """The least and the largest length of an edge, the largest magnitude at a start, and the number
    of edges, on all processes together."""
    least, longest = map(float, rows.extremes)
    begun = float(np.abs(starts.astype(FP64)).max(initial=0))
    every = processes.values(np.array([-least, longest, begun, rows.nvals])).reshape(-1, 4)
    below, longest, begun, _ = every.max(0).tolist()
    return -below, longest, begun, int(every[:, 3].sum())


def entries_of(value: np.ndarray, known: np.ndarray, dtype: np.dtype) -> Any:
    """The vector of this type of the values that are known."""
    return entries(np.where(known, value, 0).astype(dtype, copy=False), known)


class _Rounds:
    """Rounds of a closure in which the processes exchange the sums that they have found. They lower
    ``value``, the sums of own vertices, and write to ``round_of`` when each was last lowered."""

    def __init__(
        self, processes: HostProcesses, edges: tuple[CompressedRows, np.ndarray], size: int,
        value: np.ndarray, frontier: np.ndarray,
    ) -> None:  # fmt: skip
        self.processes, self.size = processes, size
        self.rows, self.lengths = edges
        self.own = OwnRows(processes.size, processes.rank)
        self.value, self.frontier = value, frontier
        self.round_of = np.full(value.size, -1, INT32)
        self.round_of[frontier] = 0
        self._sent = np.full(size, np.inf, value.dtype)
        self._found_in = np.zeros(size, INT32)
        self._lists = [np.empty(value.size, INT32) for _ in range(2)]

    def as_stated(self, max_rounds: int, report: LevelReport) -> bool | None:
        """The rounds of the loop in ``lagraph_gpu.closure``. Whether all is at rest; None if the
        report ends it."""
        for done in range(max_rounds + 1):
            frontiers, found = self._exchanged(done + 1, np.inf, follow=done < max_rounds)
            if report(done, vertices_of(frontiers), False, 0.0):
                return None
            if not frontiers["vertices"].any():
                return True
            if done < max_rounds:
                self._take_less(found, done + 1)
        return False

    def by_value(
        self, bound: float, width: float, edges_of_all: int, report: LevelReport
    ) -> bool | None:
        """Rounds in which vertices below a bound come first. True when all is at rest; None if the
        report ends it."""
        waits = _Waiting(self.value, bound)
        done, walked = 0, 0.0
        while True:
            frontiers, found = self._exchanged(done + 1, waits.least)
            least = frontiers["least_waiting"].min()
            if not frontiers["vertices"].any() and least < np.inf:  # all that are left wait
                if walked * EDGES_PER_BOUNDED_EDGE < edges_of_all:
                    width *= 2
                walked = 0.0
                self.frontier = waits.below(max(least + width, np.nextafter(least, np.inf)))
                continue
            if report(done, vertices_of(frontiers), False, 0.0):
                return None
            if not frontiers["vertices"].any():
                return True
            done += 1
            walked += frontiers["edges"].sum()
            self._take_less(found, done)
            self.frontier = waits.left(self.frontier)

    def _exchanged(
        self, number: int, least_waiting: float, follow: bool = True
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Exchange the frontiers of all, as `FRONTIER`, and what round ``number`` finds: for each
        process the bytes of the sums and then of the places of own vertices. Unless the processes
        ``follow`` the edges that leave the frontiers, they find nothing."""
        begins = self.rows.begins
        edges = int((begins[self.frontier + 1] - begins[self.frontier]).sum())
        places, sums, of_each = self._sums_for_owners(number, edges if follow else 0)
        mine = np.array([(self.frontier.size, edges, least_waiting)], FRONTIER).view(np.uint8)
        cuts = pairwise(accumulate(of_each.tolist(), initial=0))
        come = self.processes.all_to_all([
            np.concatenate([mine, sums[a:b].view(np.uint8), places[a:b].view(np.uint8)])
            for a, b in cuts
        ])  # fmt: skip
        frontiers = np.concatenate([one[: mine.size] for one in come]).view(FRONTIER)
        return frontiers, [one[mine.size :] for one in come]

    def _sums_for_owners(
        self, number: int, edges: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The places and the sums of vertices that so many edges from the frontier lower, for one
        process after another, and how many there are for each."""
        room, of_each = min(edges, self.size), np.zeros(self.processes.size, INT64)
        places, sums = np.empty(room, INT32), np.empty(room, self.value.dtype)
        if room:
            sums_to_owners(
                self.rows, self.lengths, self.own, number, self.frontier, self.value, self._sent,
                self._found_in, places, sums, of_each,
            )  # fmt: skip
        return places, sums, of_each

    def _take_less(self, found: list[np.ndarray], number: int) -> None:
        """Lower own vertices by what has come in round ``number``; they are the next frontier."""
        count, changed = 0, self._lists[0]
        for received in found:
            cut = received.size // (self.value.itemsize + INT32.itemsize) * self.value.itemsize
            count = take_less(
                Queue(changed, count), number, received[cut:].copy().view(INT32),
                received[:cut].copy().view(self.value.dtype), self.value, self.round_of,
            )  # fmt: skip
        self._lists.reverse()
        self.frontier = changed[:count]


def vertices_of(frontiers: np.ndarray) -> np.ndarray:
    """How many vertices of each process are in its frontier, as whole numbers."""
    return frontiers["vertices"].astype(INT64)


def paths_from_one(
    shared: SharedMemory, rows: tuple[CpuMatrix, CpuMatrix], source: int, size: int,
    dtype: np.dtype, edges_of_all: int, longest: float, deep: tuple[int, int], asked: bool,
) -> tuple[Any, Any] | None:  # fmt: skip
    """The lengths and the parents of shortest paths from one vertex in one call of a loop, which
    processes of one host have. Sums have the type ``dtype``, no length is negative, and none is
    more than ``longest``. None also as `paths_at_once` has it, and if sums could leave the type."""
    given = rows[0].given.dtype.np_type
    if not holds(min_plus, dtype, given) or not sums_fit(dtype, 0, longest, size):
        return None
    sums = sums_of(dtype)
    narrow = length_type(given)
    width = width_of(longest, size, edges_of_all)

    def made() -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        outgoing, incoming = (rows_with_values(one, dtype=sums) for one in rows)
        return outgoing, incoming

    found = paths_at_once(
        shared, made, size, sums, edges_of_all, source, width, highest_of(narrow), deep, asked
    )
    if found is None:
        return None
    distance, parent, known = found
    return entries(distance.astype(narrow, copy=False), known), entries(parent, known)


def width_of(longest: float, size: int, edges_of_all: int) -> float:
    """The mean length over the mean degree, by which the bound moves first."""
    return longest * size / max(1.0, 2 * edges_of_all)


class _Waiting:
    """Vertices of this process that have changed and wait, because their value is not below the
    bound. Once it falls below, they are in a frontier before the bound moves."""

    def __init__(self, value: np.ndarray, bound: float) -> None:
        self.value, self.bound = value, bound
        self.lists: list[np.ndarray] = []
        self.least = np.inf
        """No value of one that waits is less, whether it waits still or not."""

    def left(self, changed: np.ndarray) -> np.ndarray:
        """Those that need not wait; the others do from now on."""
        held = self.value[changed]
        near = held < self.bound
        self.least = min(self.least, held[~near].min(initial=np.inf))
        self.lists.append(changed[~near])
        return changed[near]

    def below(self, bound: float) -> np.ndarray:
        """Those that wait no longer, after the bound has moved here."""
        marked = np.zeros(self.value.size, bool)
        for changed in self.lists:
            marked[changed] = True
        waiting = np.flatnonzero(marked & (self.value >= self.bound)).astype(INT32)
        self.bound, self.lists, self.least = bound, [], np.inf
        return self.left(waiting)


def tails(processes: HostProcesses, into: CpuMatrix, x: Any, order: Semiring) -> Any | None:
    """For each own vertex the first one that is nearer and has a tight edge to it."""
    if not is_min_plus(order):
        return None
    if (given := as_sums(x, into)) is None:
        return None
    value, known = given
    rows, lengths = rows_with_values(into, dtype=value.dtype)
    own, tail = OwnRows(processes.size, processes.rank), np.full(rows.begins.size - 1, NO_PARENT)
    tight(rows, lengths, own, value, known, tail)
    return entries(tail, tail != NO_PARENT)
