"""Tables of distances over a contraction on the CPU: an upward and a downward sweep
(``native/contraction.cpp``).

Sixteen searches run together, and the distances of a vertex from their sources lie side by side, so
that an arc is read once for all of them. Threads take such groups in turn. On the way up a vertex
pushes along its arcs if one of the searches has reached it. The way down is a pull, only for those
vertices that the targets need (for pairs, the targets of these sources).
"""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import numpy as np

from lagraph_gpu.algorithms.paths.contraction import Contraction, Factor
from lagraph_gpu.algorithms.paths.path_lengths import Pairs, Targets, answer_shape, record_sweeps
from lagraph_gpu.cpu.loops.watched import shared_out
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, TableSweep
from lagraph_gpu.planning.threads import threads_for
from lagraph_gpu.reporting import StepCallback

LANES = 16

upward_sweep, downward_sweep = Loop("upward_sweep"), Loop("downward_sweep")
core_product, _ancestors = Loop("core_product"), Loop("ancestors")
table_rows, table_pairs = Loop("table_rows"), Loop("table_pairs")


def contracted_lengths(
    A: Any, P: Contraction, sources: np.ndarray, targets: Targets, limit: int | None,
    sums: np.dtype | None, dtype: np.dtype, progress: StepCallback | None = None,
) -> np.ndarray:  # fmt: skip
    """Lowers ``contracted_lengths`` by two sweeps over the levels of the contraction."""
    record_sweeps(P, sources.size)
    never = P.dtype.type(P.never)
    max_distance = never - 1 if limit is None else P.dtype.type(min(limit, P.never - 1))
    sweep = TableSweep(min(LANES, sources.size), int(never), int(max_distance))
    out = np.empty(answer_shape(sources.size, P.n, targets), dtype)
    starts, at, wanted = P.place[sources], P.place, np.arange(P.n - P.core, dtype=np.int32)
    if targets is not None:
        at = at[targets.column if isinstance(targets, Pairs) else targets]
    if isinstance(targets, np.ndarray):
        wanted = ancestors(P, at)
    threads = threads_for(-(-sources.size // LANES))
    spare: SimpleQueue[tuple[np.ndarray, np.ndarray]] = SimpleQueue()
    for _ in range(threads):
        spare.put((np.empty((P.n, sweep.lanes), P.dtype), np.empty(P.n, np.bool_)))

    def some(first: int, watch: np.ndarray) -> int:
        """Compute the answers for the rows from this one on, and return the number of rows that are
        done."""
        x, reached = room = spare.get()
        last = min(first + LANES, sources.size)
        try:
            upward_sweep(*arcs(P.up), starts[first:last], sweep, x, reached)
            if watch[0]:
                return first
            core_product(P.core_lengths, sweep, x, reached)
            if isinstance(targets, Pairs):
                mine = targets.between(first, last)
                here, lane = at[mine], targets.row[mine] - first
                above = ancestors(P, here)
                downward_sweep(*arcs(P.down), above, sweep, x, reached)
                table_pairs(sweep, x, here, lane, targets.place[mine], out)
            else:
                downward_sweep(*arcs(P.down), wanted, sweep, x, reached)
                table_rows(sweep, x, at, out[first:last])
        finally:  # else a thread that waits for an array would wait for ever
            spare.put(room)
        return last

    size = LANES * P.up[1].size * -(-sources.size // LANES)
    for done in shared_out(some, range(0, sources.size, LANES), threads, size):
        if progress is not None:
            progress(done, sources.size)
    return out


def arcs(factor: Factor) -> tuple[CompressedRows, np.ndarray]:
    """The pattern of the arcs, and their lengths."""
    return CompressedRows(factor.indptr, factor.ends), factor.lengths


def ancestors(P: Contraction, at: np.ndarray) -> np.ndarray:
    """The eliminated vertices, in order, from which downward arcs lead to one of these places."""
    down, _ = arcs(P.down)
    found = np.empty(down.begins.size - 1, np.int32)
    return found[: _ancestors(down, at, found)]
