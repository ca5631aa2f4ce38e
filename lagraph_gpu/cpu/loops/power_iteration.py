"""Power iterations on the CPU: all rounds in one loop (``native/power_iteration.cpp``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import MODERATE, FixedPoint
from lagraph_gpu.algorithms.centrality.katz import call_of
from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, StopRule
from lagraph_gpu.cpu.statements.containers import real, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ROUNDS_FOR_TRANSPOSE
from lagraph_gpu.planning.threads import threads_for
from semirings import Semiring
from semirings.types import FP64

ITEMS_PER_THREAD = 1 << 18
"""The number of entries and vertices that is worth another thread."""

ITEMS_PER_LOOK = 32
"""So many entries and vertices, of all rounds that are allowed, count as one of another loop: they
are read in their order, and most calls end after a tenth of the rounds. So a call that needs all of
them has a thread of its own where it would take a tenth of a second."""

MOST_ROUNDS = 2**63 - 1
"""The largest number that a loop can be given."""

iterate_hits, iterate_eigenvector = Loop("iterate_hits"), Loop("iterate_eigenvector")
iterate_katz = Loop("iterate_katz")


def hits_rounds(
    start: Vector, A: Matrix, along: Semiring, bound: float | None, max_rounds: int
) -> tuple[Vector, Vector] | None:
    """Lowers ``hits_rounds``. None if there are ``no_rounds_for_loops``."""
    if no_rounds_for_loops(start, A, max_rounds):
        return None
    weighted = along.reads_right
    out, factors = factors_of(A._store, False, weighted, FP64)
    edges = out, factors, *factors_of(A._store, True, weighted, FP64)
    hub, authority = real(start), np.empty(start.size)
    rounds = FixedPoint("hits", start, A, bound, max_rounds)
    run(rounds, 2 * (start.size + out.columns.size), iterate_hits, *edges, hub, authority)
    return vector_of(start, hub), vector_of(start, authority)


def eigenvector_rounds(
    start: Vector, A: Matrix, along: Semiring, steps: bool, bound: float | None, max_rounds: int
) -> Vector | None:
    """Lowers ``eigenvector_rounds``. None if there are ``no_rounds_for_loops``, or the square of a
    norm is too large or too small for its root."""
    if no_rounds_for_loops(start, A, max_rounds):
        return None
    back, factors = factors_of(A._store, True, along.reads_right, FP64)
    x, items = real(start), start.size + back.columns.size
    rounds = FixedPoint("eigenvector_centrality", start, A, bound, max_rounds)
    done = run(rounds, items, iterate_eigenvector, back, factors, x, *MODERATE[FP64], steps)
    return vector_of(start, x) if done else None


def katz_rounds(
    start: Vector, base: Vector, A: Matrix, along: Semiring, alpha: float, bound: float | None,
    max_rounds: int,
) -> Vector | None:  # fmt: skip
    """Lowers ``katz_rounds``. None if there are ``no_rounds_for_loops``."""
    if no_rounds_for_loops(start, A, max_rounds):
        return None
    back, factors = factors_of(A._store, True, along.reads_right, FP64)
    x, items = real(start), start.size + back.columns.size
    rounds = FixedPoint(call_of(alpha), start, A, bound, max_rounds)
    run(rounds, items, iterate_katz, back, factors, alpha, real(base), x)
    return vector_of(start, x)


def no_rounds_for_loops(start: Vector, A: Matrix, max_rounds: int) -> bool:
    """True if there are no rounds, or each is asked for, or a transpose would be made for a few."""
    few = max_rounds < ROUNDS_FOR_TRANSPOSE and not A._store.has(True)
    return trace.asks_for_rounds() or few or start.size == 0 or max_rounds == 0


def run(rounds: FixedPoint, items: int, loop: Loop, *arguments: Any) -> int:
    """Do the rounds by a loop, and return their number. A round reads so many entries and
    vertices. Raises NotConverged, unless there are none."""
    bound, most = rounds.bound, min(rounds.max_rounds, MOST_ROUNDS)
    threads, change = threads_for(1 + items // ITEMS_PER_THREAD), np.zeros(1)
    ends = StopRule(-1.0 if bound is None else bound, most), threads, change
    done: int = watched(loop, *arguments, *ends, work=items * most // ITEMS_PER_LOOK, total=most)
    rounds.change = float(change[0])
    if done and bound is not None and not rounds.change <= bound:
        raise rounds.failure(done)
    return done


def factors_of(
    A: CpuMatrix, transposed: bool, weighted: bool, dtype: np.dtype
) -> tuple[CompressedRows, np.ndarray]:
    """The pattern of rows, and the factor of each entry, or one for all."""
    if weighted:
        return rows_with_values(A, transposed, dtype)
    return pattern(A, transposed), np.ones(1, dtype)
