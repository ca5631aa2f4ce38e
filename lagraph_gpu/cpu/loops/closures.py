"""Closures on the CPU.

``by_levels`` and ``by_heap`` are single searches in compiled loops: breadth-first search for ⊕ =
any, and Dijkstra's algorithm for min.+ with lengths of at least 0. ``by_lengths`` does the rounds
of min.+ in a compiled loop, for lengths of either sign. ``by_rounds`` is the loop of
``lagraph_gpu.closure``, which is the definition, without the checks that each statement of the
notation makes.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.closure import LOOP, Fixpoint
from lagraph_gpu.cpu.loops.distances import (
    UNSEEN,
    Levels,
    by_level_of_rows,
    distances,
    table,
)
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.searches import bellman_ford, inherit_values, tight_parents
from lagraph_gpu.cpu.loops.sums import as_sums, holds, is_min_plus, sums_fit, sums_of
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native.structs import Rounds
from lagraph_gpu.cpu.statements import lower
from lagraph_gpu.cpu.statements.containers import as_matrix, as_vector, entries, vector_of
from lagraph_gpu.cpu.statements.objects import without_cycle
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows, store_of
from lagraph_gpu.cpu.statements.vector_products import VectorProduct
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.closure_order import DEEP_DEGREE
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, Semiring, types
from semirings.types import FP64, INT32

PAIR, FIRST, SECONDI = (BINARY[name].parsed for name in ("pair", "first", "secondi"))

HEAP_ENTRIES = 1 << 20
"""With more entries, the rounds of a graph with short paths are faster than a heap if several
threads share them."""

THREADS_FOR_ROUNDS = 4
"""The number of threads from which that holds. With two threads the rounds of kron17 took 205 ms,
and the heap 75."""

FEW_ROUNDS = 32
"""A graph with more levels takes too many rounds: a clique of 1,500 with a path of 20,000 2,412 ms
with 16 threads, where the heap takes 4."""

NO_PARENT = np.int64(-1)

MEASURED = "each round is to be measured"
HEAP = "lengths of at least 0, in order of value"

ROUNDS_PER_CALL = 1 << 10
"""The number of rounds after which the compiled loop returns, so that an interrupt from the
keyboard is noticed also where one round is little work."""

ROUND_LOOKS = 16
"""So many rounds over all edges are long enough for a thread of their own, if one edge of a search
is."""


def by_levels(
    x0: Any, store: CpuMatrix, transposed: bool, semiring: Semiring, max_rounds: int
) -> tuple[Any, Any, bool] | None:
    """The closure, the round of each entry, and whether it reached the fixpoint within
    ``max_rounds`` rounds. None unless ⊕ is any and ⊗ is pair, first or secondi."""
    kind = semiring.multiply.parsed
    if not _first_comes(semiring):
        return None
    index, values = x0.to_coo()
    sources, dtype = index.astype(np.int64), x0.dtype.np_type
    search = Levels(store, transposed, sources, max_rounds)
    seen = search.level != UNSEEN
    value = np.ones(seen.size, dtype) if kind == PAIR else search.before.astype(dtype)
    value[sources] = values
    if kind == FIRST:
        inherit_values(search.reached[sources.size :], search.before, value)
    return entries(value, seen), entries(search.level, seen), search.at_rest


def rows_by_levels(
    x0: CpuMatrix, store: CpuMatrix, transposed: bool, semiring: Semiring, max_rounds: int
) -> tuple[CpuMatrix, CpuMatrix, bool] | None:
    """The closures of the rows of a matrix by a search for each: their values, the round of each
    entry, and whether all reached the fixpoint within ``max_rounds`` rounds. None unless ⊕ is any
    and ⊗ is pair, first or secondi."""
    kind = semiring.multiply.parsed
    if not (_first_comes(semiring) and x0.nrows):
        return None
    begins, columns, values = x0.arrays()
    sources, values = columns.astype(np.int64), np.broadcast_to(values, columns.shape)
    ends, at, level, who, at_rest = by_level_of_rows(
        store, transposed, begins, sources, max_rounds, kind == FIRST
    )
    if kind == FIRST:
        value = values[who]
    else:
        value = (
            np.ones(at.size, values.dtype) if kind == PAIR else who.astype(values.dtype, copy=False)
        )
        if kind == PAIR or not np.array_equal(values, sources):  # a source is found from itself
            value[level == 0] = values
    x, step = (CpuMatrix(HostRows(ends, at, part, x0.ncols)) for part in (value, level))
    return x, step, at_rest


def by_rounds(
    x0: Any, product: VectorProduct, max_rounds: int, with_rounds: bool
) -> tuple[Any, Any | None, bool]:
    """The closure, the round of each entry if ``with_rounds``, and whether it reached the fixpoint
    within ``max_rounds`` rounds."""
    semiring = product.semiring
    x, frontier = x0.dup(), x0.dup()
    step = gb.Vector(types.name(INT32), x.size)
    step(frontier.S) << 0
    missing, changed, rounds = ~x.S, frontier.S, 0
    while rounds < max_rounds and (count := frontier.nvals):
        rounds += 1
        push = product.few(count)
        if not push:
            push, _, facts = product.plan(frontier)
            trace.record_step("push" if push else "pull", facts.frontier, facts.frontier_edges)
        if semiring.monoid.is_any:
            frontier(missing, replace=True) << product.of(frontier, push)
        else:
            frontier << product.of(frontier, push)
            _keep_improved(frontier, x, semiring)
        x(changed) << frontier
        if with_rounds:
            step(changed) << rounds
    return x, step if with_rounds else None, not frontier.nvals


def _keep_improved(candidate: Any, x: Any, semiring: Semiring) -> None:
    """Replace ``candidate`` by x ⊕ candidate, and keep only the entries that differ from x."""
    fold = lower.operator(semiring.monoid.binary, x.dtype.np_type)
    candidate(gb.binary.second) << fold(x & candidate)
    same = gb.binary.eq(x & candidate).new()
    candidate(~same.V, replace=True) << candidate


def by_heap(
    x0: Any, store: CpuMatrix, transposed: bool, semiring: Semiring, limit: Any = None
) -> Any | None:
    """The closure of zeros under min.+ by Dijkstra's algorithm, up to ``limit``, of a vector or of
    each row of a matrix.

    None for another semiring or other start values, if a length is negative, if sums could leave
    the type or FP64 would round integers, or if rounds are probably as fast.
    """
    many = isinstance(x0, CpuMatrix)
    start, n = (x0.A, x0.A.ncols) if many else (x0, x0.size)
    dtype, given = start.dtype.np_type, store.given.dtype.np_type
    if not is_min_plus(semiring):
        return None
    *row, sources, zeros = start.to_coo()
    if not (many or by_one_thread(store, transposed, sources)):
        return None
    if (
        zeros.any()
        or not holds(semiring, dtype, given)
        or (many and not lengths_of_rows(row[0]).all())
    ):
        return None
    least, largest = store.extremes
    if not (least >= 0 and sums_fit(dtype, least, largest, n)):
        return None
    sums, end = sums_of(dtype), np.inf if limit is None else limit
    sources = sources.astype(np.int64)
    if not many:
        found = distances(store, transposed, sources, end, sums)
        return _finite(found, dtype)
    found = table(store, transposed, sources, None, end, False, sums)
    at = np.isfinite(found).nonzero()
    shape = {"nrows": start.nrows, "ncols": n}
    length = found[at].astype(dtype)
    found = gb.Matrix.from_coo(row[0][at[0]], at[1], length, start.dtype, **shape)
    return CpuMatrix(without_cycle(found))


def by_lengths(
    x0: Any, store: CpuMatrix, transposed: bool, semiring: Semiring, max_rounds: int
) -> tuple[Any, None, bool] | None:
    """The closure under min.+ by rounds in a compiled loop, and whether it reached the fixpoint
    within ``max_rounds`` rounds. A round costs the edges that leave its frontier. None for another
    semiring, if sums could leave the type, or if parallel rounds are probably faster."""
    n, dtype, given = x0.size, x0.dtype.np_type, store.given.dtype.np_type
    if not is_min_plus(semiring) or not holds(semiring, dtype, given):
        return None
    index, values = x0.to_coo()
    if dtype.kind not in "if" or not by_one_thread(store, transposed, index):
        return None
    start = np.abs(values.astype(FP64)).max(initial=0)
    if not sums_fit(dtype, *store.extremes, n, max_rounds, start):
        return None
    distance = np.full(n, np.inf, sums_of(dtype))
    distance[index] = values
    frontier, changed = index.astype(np.int32), np.zeros(n, np.int64)
    rows, rounds = rows_with_values(store, transposed, distance.dtype), 0
    work = ROUND_LOOKS * (n + store.nvals)
    while frontier.size and rounds < max_rounds:
        these = Rounds(first=rounds + 1, last=min(max_rounds, rounds + ROUNDS_PER_CALL))
        frontier = watched(bellman_ford, *rows, these, distance, frontier, changed, work=work)
        rounds = these.last
    return _finite(distance, dtype), None, not frontier.size


def tight_forest(
    distance: Vector, roots: Vector, A: Any, schedule: Schedule | None = None
) -> Vector | None:
    """Lowers ``tight_forest`` by one pass over the edges. Of several parents it takes the nearest,
    and of equally near ones the first: the one that Dijkstra's algorithm meets first. None for
    UINT64, and if an entry has no parent."""
    store, transposed = store_of(A), isinstance(A, Transposed)
    if (given := as_sums(distance._store, store)) is None:
        return None
    value, known = given
    parent = np.full(value.size, NO_PARENT)
    rows, work = rows_with_values(store, transposed, value.dtype), value.size + store.nvals
    watched(tight_parents, *rows, value, known, parent, work=work)
    root, own = roots._store.to_coo()
    parent[root] = own
    if (parent[known] == NO_PARENT).any():
        return None
    return vector_of(roots, parent, known)


def fixpoint(
    x0: Vector | Matrix, A: Any, semiring: Semiring, max_rounds: int,
    schedule: Schedule | None = None, *, with_rounds: bool = False, limit: Any = None,
    with_parents: bool = False,
) -> Fixpoint | None:  # fmt: skip
    """Lowers ``fixpoint`` by a heap, by levels, or by rounds. None if each round is to be
    measured."""
    made = _fixpoint(x0, A, semiring, max_rounds, schedule, with_rounds, limit)
    if made is None:
        return None
    wrap = as_matrix if isinstance(x0, Matrix) else as_vector
    x, rounds, at_rest = made
    return Fixpoint(wrap(x0, x), None if rounds is None else wrap(x0, rounds), at_rest)


def _fixpoint(
    start: Vector | Matrix, A: Any, semiring: Semiring, max_rounds: int, schedule: Schedule | None,
    with_rounds: bool, limit: Any,
) -> tuple[Any, Any, bool] | None:  # fmt: skip
    """The result of ``fixpoint`` as stores: the closure, the rounds, and whether it is the
    fixpoint."""
    x0, many = start._store, isinstance(start, Matrix)
    store, transposed, began = store_of(A), isinstance(A, Transposed), perf_counter()
    ordered = schedule is not None and schedule.order == "delta"
    whole = not with_rounds and max_rounds >= A.shape[0]
    if (schedule is None or ordered) and whole and not trace.tracing():
        lengths = by_heap(x0, store, transposed, semiring, limit)
        if lengths is not None:
            if trace.explaining():
                laws = trace.laws_of(semiring, store.given.dtype.np_type)
                trace.record_choice(f"closure {semiring.name}", "by a heap", HEAP, laws=laws)
                trace.record_time((perf_counter() - began) * 1e6)
            return lengths, None, True
    if trace.explaining() and not many:
        laws = trace.laws_of(semiring, start.dtype)
        trace.record_choice(f"closure {semiring.name}", LOOP, MEASURED, laws=laws)
    if trace.explaining() or ordered:
        return None
    if schedule is None and not trace.recording():
        search = rows_by_levels if many else by_levels
        result = search(x0, store, transposed, semiring, max_rounds)
        if result is not None:
            return result
    if many:
        return None
    if schedule is None and not (trace.recording() or with_rounds):
        sums = by_lengths(x0, store, transposed, semiring, max_rounds)
        if sums is not None:
            return sums
    product = VectorProduct(store, transposed, semiring, start.dtype, True, schedule)
    return by_rounds(x0, product, max_rounds, with_rounds)


def by_one_thread(store: CpuMatrix, transposed: bool, sources: np.ndarray) -> bool:
    """True if one thread is enough for lengths from these sources: few entries, few entries for
    each vertex, few threads, or many rounds."""
    few = store.nvals <= max(HEAP_ENTRIES, DEEP_DEGREE * store.nrows)
    if few or gb.ss.config["nthreads"] < THREADS_FOR_ROUNDS or not sources.size:
        return True
    return takes_many_rounds(store, transposed, sources)


def takes_many_rounds(store: CpuMatrix, transposed: bool, sources: np.ndarray) -> bool:
    """Whether a breadth-first search from the first source has many levels, each of which would be
    a round at least. The first search that reaches half of the vertices answers for all."""
    if store.takes_many_rounds is not None:
        return store.takes_many_rounds
    search = Levels(store, transposed, sources[:1].astype(np.int64), FEW_ROUNDS)
    if not store.shared and (not search.at_rest or 2 * search.reached.size >= store.nrows):
        store.takes_many_rounds = not search.at_rest
    return not search.at_rest


def _first_comes(semiring: Semiring) -> bool:
    """True if ⊕ is any, and ⊗ is pair, first or secondi."""
    return semiring.monoid.is_any and semiring.multiply.parsed in (PAIR, FIRST, SECONDI)


def _finite(found: np.ndarray, dtype: np.dtype) -> Any:
    """A vector of this type with the finite values as entries."""
    known = np.isfinite(found)
    return entries(np.where(known, found, 0).astype(dtype, copy=False), known)
