"""Tables of distances over a contraction on the CPU: an upward and a downward sweep, compiled by
numba.

Sixteen searches run together, and the distances of a vertex from their sources lie side by side, so
that an arc is read once for all of them. Threads take such groups in turn. On the way up a vertex
pushes along its arcs if one of the searches has reached it. The way down is a pull, only for those
vertices that the targets need (for pairs, the targets of these sources).

The code is compiled when it is first called and stored on the disk.
"""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import numpy as np

from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.path_lengths import Pairs, Targets, answer_shape, tell_sweeps
from lagraph_gpu.cpu.loops.compiled import compiled, shared_out, threads_for
from lagraph_gpu.generate.generators import Progress

LANES = 16


def contracted_lengths(
    A: Any, P: Contraction, sources: np.ndarray, targets: Targets, limit: int | None,
    sums: np.dtype | None, dtype: np.dtype, progress: Progress | None = None,
) -> np.ndarray:  # fmt: skip
    """Lowers ``contracted_lengths`` by two sweeps over the levels of the contraction."""
    tell_sweeps(P, sources.size)
    never = P.dtype.type(P.never)
    max_distance = never - 1 if limit is None else P.dtype.type(min(limit, P.never - 1))
    out = np.empty(answer_shape(sources.size, P.n, targets), dtype)
    starts, at, wanted = P.place[sources], P.place, np.arange(P.n - P.core, dtype=np.int32)
    if targets is not None:
        at = at[targets.column if isinstance(targets, Pairs) else targets]
    if isinstance(targets, np.ndarray):
        wanted = ancestors(*P.down[:2], at)
    threads = threads_for(-(-sources.size // LANES))
    spare: SimpleQueue[tuple[np.ndarray, np.ndarray]] = SimpleQueue()
    for _ in range(threads):
        spare.put((np.empty((P.n, min(LANES, sources.size)), P.dtype), np.empty(P.n, np.bool_)))

    def some(first: int, watch: np.ndarray) -> int:
        """Compute the answers for the rows from this one on, and return the number of rows that are
        done."""
        x, reached = room = spare.get()
        last = min(first + LANES, sources.size)
        try:
            rise(*P.up, starts[first:last], never, x, reached)
            if watch[0]:
                return first
            cross(P.core_lengths, never, x, reached)
            if isinstance(targets, Pairs):
                mine = targets.between(first, last)
                fall(*P.down, ancestors(*P.down[:2], at[mine]), never, x, reached)
                pick(x, at[mine], targets.row[mine] - first, max_distance, targets.place[mine], out)
            else:
                fall(*P.down, wanted, never, x, reached)
                lay_out(x, at, max_distance, out[first:last])
        finally:  # else a thread that waits for an array would wait for ever
            spare.put(room)
        return last

    size = LANES * P.up[1].size * -(-sources.size // LANES)
    for done in shared_out(some, range(0, sources.size, LANES), threads, size):
        if progress is not None:
            progress(done, sources.size)
    return out


@compiled
def ancestors(indptr: Any, ends: Any, at: Any) -> Any:
    """The eliminated vertices, in order, from which downward arcs lead to one of these places."""
    count = indptr.size - 1
    needed = np.zeros(count, np.bool_)
    for v in at:
        if v < count:
            needed[v] = True
    for v in range(count):
        if needed[v]:
            for e in range(indptr[v], indptr[v + 1]):
                if ends[e] < count:
                    needed[ends[e]] = True
    return np.flatnonzero(needed).astype(np.int32)


@compiled
def rise(
    indptr: Any, ends: Any, lengths: Any, starts: Any, never: Any, x: Any, reached: Any
) -> None:
    """Write to x the lengths of the shortest upward paths from one start in each lane. ``reached``
    marks the vertices with such a path in any lane."""
    T = x.dtype.type
    reached[:] = False
    for lane in range(starts.size):
        v = starts[lane]
        if not reached[v]:
            reached[v] = True
            x[v] = never
        x[v, lane] = 0
    for v in range(indptr.size - 1):
        if reached[v]:
            for e in range(indptr[v], indptr[v + 1]):
                u, length = ends[e], lengths[e]
                if not reached[u]:
                    reached[u] = True
                    x[u] = never
                from_, to = x[v], x[u]
                for lane in range(to.size):
                    to[lane] = min(to[lane], T(from_[lane] + length))


@compiled
def cross(core: Any, never: Any, x: Any, reached: Any) -> None:
    """Multiply the part of x that belongs to the core by the core's table of distances, under
    min.+."""
    T = x.dtype.type
    count = core.shape[0]
    first = x.shape[0] - count
    made = np.full((count, x.shape[1]), never)
    for i in range(count):
        if reached[first + i]:
            from_ = x[first + i]
            for j in range(count):
                to, length = made[j], core[i, j]
                for lane in range(to.size):
                    to[lane] = min(to[lane], T(from_[lane] + length))
    x[first:] = made


@compiled
def fall(
    indptr: Any, ends: Any, lengths: Any, wanted: Any, never: Any, x: Any, reached: Any
) -> None:
    """Write to x the distances of the wanted vertices, from those of the vertices above them."""
    T = x.dtype.type
    for i in range(wanted.size - 1, -1, -1):
        v = wanted[i]
        to = x[v]
        if not reached[v]:
            to[:] = never
        for e in range(indptr[v], indptr[v + 1]):
            from_, length = x[ends[e]], lengths[e]
            for lane in range(to.size):
                to[lane] = min(to[lane], T(from_[lane] + length))


@compiled
def lay_out(x: Any, at: Any, max_distance: Any, rows: Any) -> None:
    """Write each lane of x as a row of the table, in the order of ``at``, in tiles of 64
    columns."""
    for begin in range(0, at.size, 64):
        for lane in range(rows.shape[0]):
            for t in range(begin, min(begin + 64, at.size)):
                distance = x[at[t], lane]
                rows[lane, t] = distance if distance <= max_distance else np.inf


@compiled
def pick(x: Any, at: Any, lanes: Any, max_distance: Any, place: Any, out: Any) -> None:
    """Write single entries of x to their places in the answer."""
    for k in range(at.size):
        distance = x[at[k], lanes[k]]
        out[place[k]] = distance if distance <= max_distance else np.inf
