"""Closures under min.+ over rows of several processes, and the parents of shortest paths, in
compiled loops (``native/distributed_levels.cpp``).

The rounds are those of the loop in ``lagraph_gpu.closure``. In each the processes exchange two
counts, and then for each vertex the least sum that one has found, if it is less than what the same
one has sent before.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cpu.loops.closures import MIN, NOBODY, PLUS, _lengths, highest, holds, sums_of
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import entries
from lagraph_gpu.cpu.statements.products import CpuMatrix
from semirings import Semiring, min_plus
from semirings.types import FP64, INT32, INT64, UINT64

if TYPE_CHECKING:
    from lagraph_gpu.backend import HostProcesses, LevelReport

sums_to_owners, take_less, tight = map(Loop, ("sums_to_owners", "take_less", "tight_tails"))


def closure_by_sums(
    processes: HostProcesses, start: Any, size: int, outgoing: CpuMatrix, semiring: Semiring,
    max_steps: int, report: LevelReport,
) -> tuple[Any, Any, bool] | None:  # fmt: skip
    """The closure, the rounds of its entries, and whether it is at rest. None for another semiring,
    if sums could leave the type, or if ``report`` says that it is to end here."""
    dtype, given = start.dtype.np_type, outgoing.given.dtype.np_type
    if not _lengths(semiring) or not holds(semiring, dtype, given) or dtype.kind not in "if":
        return None
    index, values = start.to_coo()
    mine = [sum(abs(float(x)) for x in outgoing.extremes) if outgoing.given.nvals else 0.0,
            float(np.abs(values.astype(FP64)).max(initial=0))]  # fmt: skip
    largest, begun = processes.values(np.array(mine)).reshape(-1, 2).max(0).tolist()
    if not largest * 2 * size + begun < highest(dtype):  # NaN, if there is one
        return None
    begins, columns, lengths = outgoing.arrays(dtype=sums_of(dtype))
    own, parts = int(start.size), processes.size
    value, sent = (np.full(n, np.inf, sums_of(dtype)) for n in (own, size))
    level, round_of = np.full(own, -1, INT32), np.zeros(size, INT32)
    frontier, spare = index.astype(INT32), [np.empty(own, INT32) for _ in range(2)]
    value[frontier], level[frontier] = values, 0
    rounds = 0
    while True:
        edges = int((begins[frontier + 1] - begins[frontier]).sum())
        counts = processes.values(np.array([frontier.size, edges])).reshape(-1, 2)
        if report(rounds, counts[:, 0], False, 0.0):
            return None
        if not counts[:, 0].any() or rounds >= max_steps:
            break
        rounds += 1
        room, of_each = min(edges, size), np.zeros(parts, INT64)
        places, sums = np.empty(room, INT32), np.empty(room, value.dtype)
        sums_to_owners(frontier, begins, columns, lengths, parts, value, sent, round_of, rounds,
                       places, sums, of_each)  # fmt: skip
        cuts = pairwise(accumulate(of_each.tolist(), initial=0))
        given_away = [
            np.concatenate([sums[a:b].view(np.uint8), places[a:b].view(np.uint8)]) for a, b in cuts
        ]
        count = 0
        for received in processes.all_to_all(given_away):
            found = received.size // (value.itemsize + INT32.itemsize)
            cut = found * value.itemsize
            count = take_less(
                received[cut:].copy().view(INT32), received[:cut].copy().view(value.dtype), rounds,
                value, level, spare[0], count,
            )  # fmt: skip
        spare.reverse()
        frontier = spare[1][:count]
    known = level >= 0
    x = np.where(known, value, 0).astype(dtype, copy=False)
    return entries(x, known), entries(level, known.copy()), not counts[:, 0].any()


def tails(processes: HostProcesses, into: CpuMatrix, x: Any, order: Semiring) -> Any | None:
    """For each own vertex the first one that is nearer and has a tight edge to it."""
    if (order.monoid.op.parsed, order.multiply.parsed) != (MIN, PLUS):
        return None
    common = min_plus.meet(x.dtype.np_type, into.given.dtype.np_type)
    if common == UINT64:
        return None
    common = common if common.kind == "f" else INT64
    index, values = x.to_coo()
    value, known = np.zeros(x.size, common), np.zeros(x.size, bool)
    value[index], known[index] = values, True
    rows = into.arrays(dtype=common)
    tail = np.full(rows[0].size - 1, NOBODY)
    tight(*rows, value, known, processes.size, processes.rank, tail)
    return entries(tail, tail != NOBODY)
