"""The specification as a program: every operation over plain dicts, obvious and slow.

Written from the GraphBLAS C API 2.1 (chapter 4), not from our code. A ``Sparse`` is a type, a shape
and a dict from positions to NumPy scalars: ``{index: value}`` for a vector, ``{(row, column):
value}`` for a matrix. What is not in the dict is not there; it is not zero.

The monoid ``any`` may answer with any one of its operands, so whatever folds gives a *list* of
results: the first holds one valid value at each position, the second another where there is one,
and so on. A result is right if it has that structure and, at each position, one of those values.

Operators' values come from ``semirings`` (tested by its own laws), casts from ``semirings.types``.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, laws, types
from semirings.types import cast, unify

Entries = dict[Any, Any]


@dataclass(frozen=True, repr=False)
class Sparse:
    """A vector (shape (n,)) or a matrix (shape (m, n))."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    entries: Entries = field(default_factory=dict)

    def __repr__(self) -> str:
        entries = ", ".join(f"{p}: {x}" for p, x in self.entries.items())
        return f"{types.name(self.dtype)}{self.shape} {{{entries}}}"

    def cast(self, dtype: Any) -> Sparse:
        dtype = types.lookup(dtype)
        return Sparse(dtype, self.shape, {p: cast(x, dtype) for p, x in self.entries.items()})

    def positions(self) -> Iterable[Any]:
        if len(self.shape) == 1:
            return range(self.shape[0])
        return ((i, j) for i in range(self.shape[0]) for j in range(self.shape[1]))

    def row_column(self, p: Any) -> tuple[int, int]:
        """Where an entry stands, for operators that read positions: a vector is a column."""
        return p if len(self.shape) == 2 else (p, 0)


Answers = list[Sparse]


@dataclass(frozen=True)
class Mask:
    """By structure: true where there is an entry. By value: where there is one that is not 0."""

    of: Sparse
    structure: bool
    complement: bool = False

    def wants(self, p: Any) -> bool:
        true = p in self.of.entries and (self.structure or bool(self.of.entries[p] != 0))
        return true != self.complement


# --- folding -----------------------------------------------------------------------------------


def fold(monoid: Monoid, values: list[Any], dtype: Any) -> list[Any]:
    """⊕ over one or more values: the possible results (a single one unless the monoid is any)."""
    values = [cast(x, dtype) for x in values]
    if monoid.is_any:
        return values
    answer = values[0]
    for x in values[1:]:
        answer = cast(monoid.op.evaluate(answer, x, dtype=dtype), dtype)
    return [answer]


def answers(dtype: Any, shape: tuple[int, ...], possible: dict[Any, list[Any]]) -> Answers:
    """Position by position, one of several possible values."""
    different = {p: list({repr(z): z for z in few}.values()) for p, few in possible.items()}
    most = max(map(len, different.values()), default=1)
    return [
        Sparse(dtype, shape, {p: few[r % len(few)] for p, few in different.items()})
        for r in range(most)
    ]


# --- products ----------------------------------------------------------------------------------


def products(A: Sparse, B: Sparse, semiring: Semiring) -> dict[tuple[int, int], list[Any]]:
    """A(i,k) ⊗ B(k,j) for each (i, j), in the order of k."""
    meet, out = unify(A.dtype, B.dtype), semiring.output(A.dtype, B.dtype)
    terms: dict[tuple[int, int], list[Any]] = {}
    for (i, k), x in sorted(A.entries.items(), key=lambda e: e[0]):
        for (row, j), y in B.entries.items():
            if row == k:
                z = semiring.multiply.evaluate(x, y, i, k, j, dtype=meet)
                terms.setdefault((i, j), []).append(cast(z, out))
    return terms


def mxm(A: Sparse, B: Sparse, semiring: Semiring) -> Answers:
    """C(i,j) = ⊕ over k of A(i,k) ⊗ B(k,j), where there is at least one such k."""
    out = semiring.output(A.dtype, B.dtype)
    terms = products(A, B, semiring)
    folded = {p: fold(semiring.monoid, few, out) for p, few in terms.items()}
    return answers(out, (A.shape[0], B.shape[1]), folded)


def vxm(u: Sparse, A: Sparse, semiring: Semiring) -> Answers:
    """The vector as a matrix of one row; so ⊗ sees i = 0."""
    row = Sparse(u.dtype, (1, *u.shape), {(0, k): x for k, x in u.entries.items()})
    return [
        Sparse(C.dtype, C.shape[1:], {j: z for (_, j), z in C.entries.items()})
        for C in mxm(row, A, semiring)
    ]


def mxv(A: Sparse, u: Sparse, semiring: Semiring) -> Answers:
    """The vector as a matrix of one column; so ⊗ sees j = 0."""
    column = Sparse(u.dtype, (*u.shape, 1), {(k, 0): x for k, x in u.entries.items()})
    return [
        Sparse(C.dtype, C.shape[:1], {i: z for (i, _), z in C.entries.items()})
        for C in mxm(A, column, semiring)
    ]


def transpose(A: Sparse) -> Sparse:
    return Sparse(A.dtype, A.shape[::-1], {(j, i): x for (i, j), x in A.entries.items()})


def diagonal(u: Sparse, k: int = 0) -> Sparse:
    side = u.shape[0] + abs(k)
    entries = {(i - min(k, 0), i + max(k, 0)): x for i, x in u.entries.items()}
    return Sparse(u.dtype, (side, side), entries)


def selector(u: Sparse, ncols: int) -> Sparse:
    """Row i holds one true entry, in column u(i)."""
    entries = {(i, int(x)): np.bool_(True) for i, x in u.entries.items()}
    return Sparse(types.BOOL, (u.shape[0], ncols), entries)


# --- element by element ------------------------------------------------------------------------


def ewise_mult(u: Sparse, v: Sparse, op: BinaryOp) -> Sparse:
    """op where both have an entry."""
    meet, out = unify(u.dtype, v.dtype), op.unified(u.dtype, v.dtype)
    found = {}
    for p in u.entries.keys() & v.entries.keys():
        i, j = u.row_column(p)
        found[p] = op.elementwise.evaluate(u.entries[p], v.entries[p], i=i, j=j, dtype=meet)
    return Sparse(out, u.shape, {p: cast(z, out) for p, z in found.items()})


def ewise_add(u: Sparse, v: Sparse, op: BinaryOp) -> Sparse:
    """op where both have an entry; an entry that stands alone is converted, not operated on."""
    both = ewise_mult(u, v, op)
    alone = u.entries | v.entries  # where both have one, `both` overrides
    return Sparse(
        both.dtype, u.shape, {p: cast(x, both.dtype) for p, x in alone.items()} | both.entries
    )


def ewise_union(u: Sparse, v: Sparse, op: BinaryOp, left: Any, right: Any) -> Sparse:
    """op on the union, with the default of the operand that has no entry."""
    union = u.entries.keys() | v.entries.keys()
    meet = unify(u.dtype, v.dtype)
    x = Sparse(meet, u.shape, dict.fromkeys(union, cast(left, meet)) | u.cast(meet).entries)
    y = Sparse(meet, v.shape, dict.fromkeys(union, cast(right, meet)) | v.cast(meet).entries)
    return ewise_mult(x, y, op)


def apply(u: Sparse, op: UnaryOp) -> Sparse:
    entries = {}
    for p, x in u.entries.items():
        i, j = u.row_column(p)
        entries[p] = op.evaluate(x, i=i, j=j, dtype=u.dtype)
    return Sparse(op.output(u.dtype), u.shape, entries)


def apply_bound(u: Sparse, op: BinaryOp, left: Any = None, right: Any = None) -> Sparse:
    """op(x, right) or op(left, x); the bound number is a NumPy scalar, with its own type."""
    bound = right if left is None else left
    meet = unify(u.dtype, bound.dtype)
    entries = {}
    for p, x in u.entries.items():
        i, j = u.row_column(p)
        pair = (x, bound) if left is None else (bound, x)
        entries[p] = op.elementwise.evaluate(*pair, i=i, j=j, dtype=meet)
    return Sparse(op.output(meet), u.shape, entries)


def apply_index(u: Sparse, op: IndexUnaryOp, thunk: Any) -> Sparse:
    """op(x, i, j, thunk); the thunk has the operator's type, or else that of x."""
    thunk = cast(thunk, op.thunk or u.dtype)
    entries = {}
    for p, x in u.entries.items():
        i, j = u.row_column(p)
        entries[p] = op.evaluate(x, thunk, i=i, j=j, dtype=u.dtype)
    return Sparse(op.output(u.dtype), u.shape, entries)


def select(u: Sparse, op: IndexUnaryOp, thunk: Any) -> Sparse:
    """The entries for which op holds, as they are. x and the thunk are compared where they meet."""
    thunk = np.asarray(thunk)[()]
    entries = {}
    for p, x in u.entries.items():
        i, j = u.row_column(p)
        meet = u.dtype if op.thunk else unify(u.dtype, thunk.dtype)
        y = cast(thunk, op.thunk or meet)
        if bool(op.evaluate(cast(x, meet), y, i=i, j=j, dtype=meet)):
            entries[p] = x
    return Sparse(u.dtype, u.shape, entries)


Region = tuple[list[int] | int | None, ...]
"""For each axis its positions, None for all of them, or one integer, which leaves the axis out."""


def places(region: Region, shape: tuple[int, ...]) -> dict[Any, Any]:
    """Position in the part -> position in the whole, in the order of the part."""
    axes = [
        range(n) if axis is None else [axis] if isinstance(axis, int) else axis
        for axis, n in zip(region, shape, strict=True)
    ]
    kept = [k for k, axis in enumerate(region) if not isinstance(axis, int)]
    found = {}
    for at in itertools.product(*(range(len(axis)) for axis in axes)):
        part, whole = tuple(at[k] for k in kept), tuple(axis[i] for axis, i in zip(axes, at))
        found[part[0] if len(part) == 1 else part] = whole[0] if len(whole) == 1 else whole
    return found


def part_shape(region: Region, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        n if axis is None else len(axis)
        for axis, n in zip(region, shape, strict=True)
        if not isinstance(axis, int)
    )


def extract(u: Sparse, region: Region) -> Sparse:
    """w(k) = u(index[k]) on each axis."""
    found = {k: u.entries[p] for k, p in places(region, u.shape).items() if p in u.entries}
    return Sparse(u.dtype, part_shape(region, u.shape), found)


def kronecker(A: Sparse, B: Sparse, op: BinaryOp) -> Sparse:
    """A block of B for each entry of A."""
    meet, out = unify(A.dtype, B.dtype), op.unified(A.dtype, B.dtype)
    p, q = B.shape
    entries = {
        (i * p + r, j * q + s): cast(op.evaluate(x, y, dtype=meet), out)
        for (i, j), x in A.entries.items()
        for (r, s), y in B.entries.items()
    }
    return Sparse(out, (A.shape[0] * p, A.shape[1] * q), entries)


def diagonal_of(A: Sparse, k: int) -> Sparse:
    """u(p) = A(p - min(k, 0), p + max(k, 0))."""
    rows, columns = A.shape
    size = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    found = {i + min(k, 0): x for (i, j), x in A.entries.items() if j - i == k}
    return Sparse(A.dtype, (size,), found)


def concat(tiles: list[list[Sparse]], dtype: Any) -> Sparse:
    entries, row = {}, 0
    for band in tiles:
        column = 0
        for tile in band:
            entries |= {(row + i, column + j): x for (i, j), x in tile.cast(dtype).entries.items()}
            column += tile.shape[1]
        row += band[0].shape[0]
    return Sparse(types.lookup(dtype), (row, column), entries)


def fill(value: Any, shape: tuple[int, ...]) -> Sparse:
    """One number (a NumPy scalar) everywhere."""
    full = Sparse(value.dtype, shape)
    return Sparse(value.dtype, shape, dict.fromkeys(full.positions(), value))


# --- reductions --------------------------------------------------------------------------------


def reduce_rowwise(A: Sparse, monoid: Monoid) -> Answers:
    """⊕ over each row that has an entry."""
    rows: dict[int, list[Any]] = {}
    for (i, _), x in sorted(A.entries.items(), key=lambda e: e[0]):
        rows.setdefault(i, []).append(x)
    out = monoid.output(A.dtype)
    return answers(out, A.shape[:1], {i: fold(monoid, xs, out) for i, xs in rows.items()})


def reduce(u: Sparse, monoid: Monoid) -> list[Any]:
    """⊕ over all entries: the possible scalars; [None] where there is no entry."""
    if not u.entries:
        return [None]
    out = monoid.output(u.dtype)
    return fold(monoid, [x for _, x in sorted(u.entries.items(), key=lambda e: e[0])], out)


# --- the write-back ----------------------------------------------------------------------------


def accumulate(accum: BinaryOp, w: Any, t: Any) -> Any:
    """w ⊙ t in the type of w: of a polymorphic accumulator python-graphblas takes that version."""
    return cast(accum.evaluate(w, cast(t, w.dtype), dtype=w.dtype), w.dtype)


def write(
    out: Sparse,
    t: Sparse,
    mask: Mask | None = None,
    accum: BinaryOp | None = None,
    replace: bool = False,
    region: Region | None = None,
) -> Sparse:
    """w⟨mask, replace⟩(region) accum= t, as sections 4.3.7 and 4.3.11 of the C API have it.

    1. z is w with t put into the region: with an accumulator w ⊙ t where both are present, t or w
       where one is; without one t alone, so that where t has no entry none remains.
    2. w takes z where the mask is true. Elsewhere it keeps its entry, or with replace loses it.
    """
    touched = set(out.positions())
    if region is not None:
        whole = places(region, out.shape)
        t = Sparse(t.dtype, out.shape, {whole[k]: x for k, x in t.entries.items()})
        touched = set(whole.values())
    z = dict(out.entries)
    for p in touched:
        if accum is not None and p in z and p in t.entries:
            z[p] = accumulate(accum, z[p], t.entries[p])
        elif p in t.entries:
            z[p] = cast(t.entries[p], out.dtype)
        elif accum is None:
            z.pop(p, None)
    w: Entries = {}
    for p in out.positions():
        if mask is None or mask.wants(p):
            if p in z:
                w[p] = z[p]
        elif p in out.entries and not replace:
            w[p] = out.entries[p]
    return Sparse(out.dtype, out.shape, w)


def write_within(out: Sparse, t: Sparse, region: Region, *settings: Any) -> Sparse:
    """w(region)⟨mask, replace⟩ accum= t: the part is written for itself, and nothing else changes
    (GxB_subassign; for a row or a column also GrB_Row_assign)."""
    part = write(extract(out, region), t, *settings)
    return write(out, part, region=region)


def write_scalar(w: Any, t: Any, dtype: Any, accum: BinaryOp | None) -> Any:
    """s accum= t for scalars, either of which may be None (absent)."""
    if t is None:
        return w if accum else None
    if accum is None or w is None:
        return cast(t, dtype)
    return accumulate(accum, w, t)


# --- closures and algorithms -------------------------------------------------------------------


class Diverges(ArithmeticError):
    """Some cycle improves on itself for ever."""


def same(a: Any, b: Any) -> bool:
    if np.iscomplexobj(a):  # a library may round a quotient in its own way
        return bool(laws.same(a, b, 16 * float(np.finfo(np.asarray(a).dtype).eps)))
    return bool(a == b) or bool(a != a and b != b)


def closure(x0: Sparse, A: Sparse, semiring: Semiring, max_rounds: int | None = None) -> Sparse:
    """Jacobi: x ← x₀ ⊕ (x ⊕.⊗ A) over everything until nothing changes. Not for ``any``."""
    assert not semiring.monoid.is_any
    start = x0.cast(semiring.output(x0.dtype, A.dtype))
    x, rounds = start, 0
    while rounds != max_rounds:
        [offer] = vxm(x, A, semiring)
        now = ewise_add(start, offer.cast(start.dtype), semiring.monoid.op)
        if now.entries.keys() == x.entries.keys():
            if all(same(now.entries[p], z) for p, z in x.entries.items()):
                return x
        x, rounds = now, rounds + 1
        if max_rounds is None and rounds > x.shape[0] + 1:
            raise Diverges
    return x


def levels(A: Sparse, sources: Iterable[int], max_level: int | None = None) -> dict[int, int]:
    """Breadth-first search with a queue: the least number of edges from a source."""
    neighbours: dict[int, list[int]] = {}
    for i, j in A.entries:
        neighbours.setdefault(i, []).append(j)
    level = dict.fromkeys(sources, 0)
    queue = list(level)
    for v in queue:  # grows while it is walked
        for w in neighbours.get(v, []):
            if w not in level and level[v] != max_level:
                level[w] = level[v] + 1
                queue.append(w)
    return level


def distances(A: Sparse, source: int) -> dict[int, Any]:
    """Dijkstra with a heap, for weights of at least 0; exact for integers (Python's)."""
    neighbours: dict[int, list[tuple[int, Any]]] = {}
    for (i, j), w in A.entries.items():
        weight = w if A.dtype.kind == "f" else int(w)
        neighbours.setdefault(i, []).append((j, weight))
    settled: dict[int, Any] = {}
    heap = [(A.dtype.type(0) if A.dtype.kind == "f" else 0, source)]
    while heap:
        d, v = heapq.heappop(heap)
        if v in settled:
            continue
        settled[v] = d
        for w, weight in neighbours.get(v, []):
            if w not in settled:
                heapq.heappush(heap, (d + weight, w))
    return settled


def dependencies(n: int, tails: Any, heads: Any, source: int) -> np.ndarray:
    """The share of the shortest paths from a source on which each vertex lies as an inner one, by
    Brandes' two passes in integers, with 4000 binary places behind the point."""
    places, out = 4000, [[] for _ in range(n)]
    for u, v in zip(tails.tolist(), heads.tolist(), strict=True):
        out[u].append(v)
    level, queue, sigma, g = {source: 0}, [source], [0] * n, [0] * n
    sigma[source] = 1
    for u in queue:
        for v in out[u]:
            if v not in level:
                level[v] = level[u] + 1
                queue.append(v)
            if level[v] == level[u] + 1:
                sigma[v] += sigma[u]
    found = np.zeros(n)
    for v in reversed(queue[1:]):
        t = sum(g[w] for w in out[v] if level[w] == level[v] + 1)
        g[v] = (1 << places) // sigma[v] + t
        found[v] = float(Fraction(sigma[v] * t, 1 << places))
    return found
