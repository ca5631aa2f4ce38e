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

from lagraph_gpu.cpu.loops.closures import NO_PARENT
from lagraph_gpu.cpu.loops.shared_lengths import lengths_at_once, paths_at_once
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.loops.sums import as_sums, holds, is_min_plus, sums_fit, sums_of
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import entries
from lagraph_gpu.cpu.statements.products import CpuMatrix
from semirings import Semiring, min_plus
from semirings.types import FP64, INT32, INT64
from semirings.types import highest as highest_of

if TYPE_CHECKING:
    from lagraph_gpu.backend import Rows
    from lagraph_gpu.backend_distributed import HostProcesses, LevelReport

EDGES_PER_BOUNDED_EDGE = 64
"""The width doubles if fewer than one in so many of all edges were below the bound."""

sums_to_owners, take_less, tight = map(Loop, ("sums_to_owners", "take_less", "tight_tails"))


def closure_by_sums(
    shared: SharedMemory, start: Any, size: int, outgoing: CpuMatrix, semiring: Semiring,
    max_rounds: int, report: LevelReport, with_rounds: bool,
) -> tuple[Any, Any, bool] | None:  # fmt: skip
    """The closure, the rounds of its entries if ``with_rounds``, and whether it is at rest. None
    for another semiring, if sums could leave the type, or if ``report`` says that it is to end
    here."""
    processes = shared.processes
    dtype, given = start.dtype.np_type, outgoing.given.dtype.np_type
    if not is_min_plus(semiring) or not holds(semiring, dtype, given) or dtype.kind not in "if":
        return None
    index, values = start.to_coo()
    least, largest = map(float, outgoing.extremes)
    begun = float(np.abs(values.astype(FP64)).max(initial=0))
    begins, columns, lengths = rows = outgoing.arrays(dtype=sums_of(dtype))
    own, parts = int(start.size), processes.size
    value, frontier = np.full(own, np.inf, sums_of(dtype)), index.astype(INT32)
    value[frontier] = values
    every = processes.values(np.array([-least, largest, begun, outgoing.given.nvals]))
    below, largest, begun, _ = every.reshape(-1, 4).max(0).tolist()
    edges_of_all = every[3::4].sum()
    if not sums_fit(dtype, -below, largest, size, max_rounds, begun):
        return None
    by_value = not with_rounds and below <= 0 and max_rounds >= size
    width = width_of(largest, size, edges_of_all) if by_value else np.inf
    if by_value:
        done = lengths_at_once(
            shared, rows, size, int(edges_of_all), value, frontier, begun + width, width, report
        )
        if done is None:
            return None
        if done:
            known = value < np.inf
            return entries(np.where(known, value, 0).astype(dtype, copy=False), known), None, True
    sent, round_of = np.full(size, np.inf, sums_of(dtype)), np.zeros(size, INT32)
    level, spare = np.full(own, -1, INT32), [np.empty(own, INT32) for _ in range(2)]
    level[frontier] = 0
    waits = _Waiting(value, begun + width)
    rounds, walked = 0, 0.0
    while True:
        edges = int((begins[frontier + 1] - begins[frontier]).sum())
        ends_here = rounds >= max_rounds and not by_value
        room, of_each = 0 if ends_here else min(edges, size), np.zeros(parts, INT64)
        places, sums = np.empty(room, INT32), np.empty(room, value.dtype)
        if room:
            sums_to_owners(frontier, begins, columns, lengths, parts, value, sent, round_of,
                           rounds + 1, places, sums, of_each)  # fmt: skip
        mine = np.array([frontier.size, edges, waits.least]).view(np.uint8)
        cuts = pairwise(accumulate(of_each.tolist(), initial=0))
        come = processes.all_to_all([
            np.concatenate([mine, sums[a:b].view(np.uint8), places[a:b].view(np.uint8)])
            for a, b in cuts
        ])  # fmt: skip
        counts = np.stack([one[: mine.size].copy().view(FP64) for one in come])
        vertices, least = counts[:, 0].astype(INT64), counts[:, 2].min()
        if not vertices.any() and least < np.inf:  # all that are left wait
            width, walked = width * (1 + (walked * EDGES_PER_BOUNDED_EDGE < edges_of_all)), 0.0
            frontier = waits.below(max(least + width, np.nextafter(least, np.inf)))
            continue
        if report(rounds, vertices, False, 0.0):
            return None
        if not vertices.any() or ends_here:
            break
        rounds += 1
        walked += counts[:, 1].sum()
        count = 0
        for received in come:
            found = received[mine.size :]
            cut = found.size // (value.itemsize + INT32.itemsize) * value.itemsize
            count = take_less(
                found[cut:].copy().view(INT32), found[:cut].copy().view(value.dtype), rounds,
                value, level, spare[0], count,
            )  # fmt: skip
        spare.reverse()
        frontier = spare[1][:count]
        if by_value:
            frontier = waits.left(frontier)
    known = level >= 0
    x = np.where(known, value, 0).astype(dtype, copy=False)
    levels = entries(level, known.copy()) if with_rounds else None
    return entries(x, known), levels, not vertices.any()


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
    narrow = dtype if given.kind == "b" else given
    width = width_of(longest, size, edges_of_all)

    def arrays() -> tuple[Rows, Rows]:
        outgoing, incoming = (one.arrays(dtype=sums) for one in rows)
        return outgoing, incoming

    found = paths_at_once(
        shared, arrays, size, sums, edges_of_all, source, width, highest_of(narrow), deep, asked
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
    rows = into.arrays(dtype=value.dtype)
    tail = np.full(rows[0].size - 1, NO_PARENT)
    tight(*rows, value, known, processes.size, processes.rank, tail)
    return entries(tail, tail != NO_PARENT)
