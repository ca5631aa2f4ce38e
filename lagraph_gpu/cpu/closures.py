"""Closures on the CPU.

``by_rounds`` is the loop of ``lagraph_gpu.closure``, which is the definition, without what a
statement of ours asks each time: a level of a road takes 50 µs, not 180. ``by_heap`` goes in order
of value instead, where ⊕.⊗ adds up lengths and takes the least: SciPy's Dijkstra.
"""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.cpu import lower
from lagraph_gpu.cpu.lengths import by_dijkstra, hops_from, to_nearest
from lagraph_gpu.cpu.products import CpuMatrix, VectorProduct
from lagraph_gpu.plan import DEEP_DEGREE
from lagraph_gpu.trace import record, recording
from semirings import BINARY, types
from semirings.algebra import Semiring
from semirings.types import FP64, INT32, INT64

MIN, PLUS, PAIR, FIRST, SECONDI = (
    BINARY[name].parsed for name in ("min", "plus", "pair", "first", "secondi")
)
HOPS = 64
"""Rounds after which a heap takes over where it can: what goes on for so long has few entries a
round, and statements to pay for each."""

FEW_ENTRIES = 1 << 20
"""With so many entries the rounds of a wide graph pay if there are threads to share them."""

NOBODY = np.int64(-1)

EXACT = 2**53
"""Up to here FP64 counts in whole numbers."""


def by_rounds(
    x0: Any, product: VectorProduct, most: int, counted: bool
) -> tuple[Any, Any | None, bool]:
    """The closure, the round of each entry if they are ``counted``, and whether it came to rest
    within so many rounds."""
    ring = product.ring
    x, frontier = x0.dup(), x0.dup()
    step = gb.Vector(types.name(INT32), x.size)
    step(frontier.S) << 0
    alike = counted and ring.monoid.is_any and ring.multiply.parsed == PAIR
    seen, rounds = step if alike else x, 0  # where all values are 1, their rounds say enough
    new, changed = ~seen.S, frontier.S
    while rounds < most and (count := frontier.nvals):
        if rounds == HOPS and _finished(x, step, seen, frontier, product, most):
            break
        rounds += 1
        push = product.few(count)
        if not push:
            push, _, facts = product.plan(frontier)
            record("push" if push else "pull", facts.frontier, facts.frontier_edges)
        if ring.monoid.is_any:
            frontier(new, replace=True) << product.of(frontier, push)
        else:
            frontier << product.of(frontier, push)
            _keep_improved(frontier, x, ring)
        if not alike:
            x(changed) << frontier
        if counted:
            step(changed) << rounds
    if alike:
        x(~x.S) << step.apply(gb.unary.one)
    return x, step if counted else None, not frontier.nvals


def _finished(
    x: Any, step: Any, seen: Any, frontier: Any, product: VectorProduct, most: int
) -> bool:
    """Do the rounds that are left at once, if ⊕ takes the first comer and ⊗ says who that is; then
    the frontier is empty. What was seen before is no farther from elsewhere."""
    kind, n = product.ring.multiply.parsed, x.size
    known = product.ring.monoid.is_any and kind in (PAIR, FIRST, SECONDI)
    if not known or not _few(product.store, n) or recording():
        return False
    sources, values = frontier.to_coo()
    rows = product.store.by_rows(product.flipped).to_csr()
    hops, before, source = hops_from(rows, sources.astype(np.int64), most - HOPS)
    hops[seen.to_coo()[0]] = np.inf
    (index,) = np.isfinite(hops).nonzero()
    if kind == FIRST:
        held = np.zeros(n, values.dtype)
        held[sources] = values
        came = held[source[index]]
    else:
        came = np.ones(index.size) if kind == PAIR else before[index]
    for vector, entries in (x, came), (step, HOPS + hops[index]):
        entries = entries.astype(vector.dtype.np_type)
        found = gb.Vector.from_coo(index, entries, vector.dtype, size=n)
        vector(found.S) << found
    frontier.clear()
    return True


def _few(store: CpuMatrix, n: int) -> bool:
    """Few enough entries for one thread, or few a vertex?"""
    return store.A.nvals <= max(FEW_ENTRIES, DEEP_DEGREE * n)


def _keep_improved(offer: Any, x: Any, ring: Semiring) -> None:
    """Leave x ⊕ offer, where that is not x already."""
    fold = lower.operator(ring.monoid.binary, x.dtype.np_type)
    offer(gb.binary.second) << fold(x & offer)
    same = gb.binary.eq(x & offer).new()
    offer(~same.V, replace=True) << offer


def by_heap(x0: Any, store: CpuMatrix, transposed: bool, ring: Semiring) -> Any | None:
    """The closure of zeros under min.+ over lengths, in order of value: of a vector, or of the rows
    of a matrix, with one each. None where something else is asked, or FP64 would not add up as the
    type does, or rounds are as good."""
    many = isinstance(x0, CpuMatrix)
    start, n = (x0.A, x0.A.ncols) if many else (x0, x0.size)
    dtype, given = start.dtype.np_type, store.A.dtype.np_type
    if not _lengths(ring) or not _few(store, n):
        return None
    *row, sources, zeros = start.to_coo()
    widens = dtype in (INT64, FP64) and ring.meet(dtype, given) == dtype
    if zeros.any() or not (widens or given == dtype) or (many and not np.diff(row[0]).all()):
        return None
    least, most = store.extremes
    bound = min(EXACT, np.iinfo(dtype).max) if dtype.kind in "iu" else np.inf
    if not 0 <= float(least) <= float(most) * n < bound:
        return None
    rows = store.by_rows(transposed).to_csr()
    if many:
        found = by_dijkstra(rows, sources.astype(np.int64), None, np.inf, False, FP64, None)
    else:
        found = to_nearest(rows, sources)
    if found is None:
        return None
    at = np.isfinite(found).nonzero()
    length = found[at].astype(dtype)
    if many:
        shape = {"nrows": start.nrows, "ncols": n}
        return CpuMatrix(gb.Matrix.from_coo(row[0][at[0]], at[1], length, start.dtype, **shape))
    return gb.Vector.from_coo(at[0], length, start.dtype, size=n)


def parents(x: Any, roots: Any, store: CpuMatrix, transposed: bool, ring: Semiring) -> Any | None:
    """As ``Backend.parents`` says, under min.+: one look at each edge. Of several the best comes,
    and of those the first: whom Dijkstra's method would have met first."""
    if not _lengths(ring):
        return None
    n, common = x.size, ring.meet(x.dtype.np_type, store.A.dtype.np_type)
    indptr, column, length = store.by_rows(transposed).to_csr()
    row = np.repeat(np.arange(n), np.diff(indptr.astype(np.int64)))
    index, values = x.to_coo()
    value, present = np.zeros(n, x.dtype.np_type), np.zeros(n, bool)
    value[index], present[index] = values, True
    tight = value[row].astype(common) + length.astype(common) == value[column]
    tight &= present[row] & present[column] & (value[row] < value[column])
    row, column = row[tight], column[tight]
    least = value.copy()
    np.minimum.at(least, column, value[row])
    first = np.flatnonzero(value[row] == least[column])[::-1]
    best = np.full(n, NOBODY)
    best[column[first]] = row[first]
    root, own = roots.to_coo()
    best[root] = own
    if (best[index] == NOBODY).any():
        return None
    return gb.Vector.from_coo(index, best[index], types.name(INT64), size=n)


def _lengths(ring: Semiring) -> bool:
    """Does it add up, and take the least?"""
    return (ring.monoid.op.parsed, ring.multiply.parsed) == (MIN, PLUS) and ring.typed is None
