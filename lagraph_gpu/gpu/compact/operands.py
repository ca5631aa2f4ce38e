"""Expressions over compact containers as expressions over containers by rank.

Each case brings the operands to common ids where the operation needs it, and says which ids the
axes of the result have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.gpu.compact.stores import (
    KEEP,
    MANY_ROWS,
    NO_IDS,
    Compact,
    Ids,
    View,
    container,
    filled_vector,
    intersection,
    ranks,
    remapped,
    union,
)
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.notation.expressions import (
    Apply,
    Diagonal,
    Ewise,
    Extract,
    Kronecker,
    OfVector,
    Product,
    Reduce,
    Select,
    Transposed,
)
from lagraph_gpu.notation.indexing import Progression, distinct
from lagraph_gpu.notation.placed import by_values, evaluated, reads_positions
from lagraph_gpu.notation.selector import Selector, expect_columns
from lagraph_gpu.notation.update import Update

Made = tuple[Any, tuple[Ids, ...]]
"""An expression or a container by rank, and the ids of its axes."""

BY_RANK = {"rowle": 0, "rowgt": 0, "colle": 1, "colgt": 1, "indexle": 0, "indexgt": 0}
"""Selections that compare one position with the thunk, and its axis: ranks compare as ids do."""


def view(operand: Any) -> View:
    """An operand by rank. An expression is computed first."""
    if isinstance(operand, Transposed):
        of = view(operand.matrix)
        return View(of.inner.T, of.ids[::-1], of.shape[::-1])
    handle = operand if hasattr(operand, "_store") else operand.new()
    store = handle._store
    if isinstance(store, Compact):
        return View(store.inner, store.ids, store.shape)
    if len(handle.shape) == 2 and max(handle.shape) >= MANY_ROWS and store.known_empty:
        nothing = container(handle.backend, handle.dtype, (0, 0))
        return View(nothing, (NO_IDS, NO_IDS), handle.shape)
    return View(handle, (None,) * len(handle.shape), handle.shape)


def listed(of: View, axis: int) -> View:
    """The view with ids on an axis: those with entries, if it has none yet. Waits."""
    if of.ids[axis] is not None:
        return of
    found = distinct(of.inner.to_coo()[axis])
    wanted = tuple(found if number == axis else KEEP for number in range(len(of.ids)))
    ids = tuple(found if number == axis else have for number, have in enumerate(of.ids))
    return View(remapped(of, wanted), ids, of.shape)


class Operands(BackendPart):
    """Makes expressions by rank."""

    def made(self, node: Any) -> Made:
        """The expression over containers by rank."""
        match node:
            case Product():
                return self._product(by_values(node) if reads_positions(node) else node)
            case Ewise():
                return self._ewise(node)
            case Apply() | Select():
                return self._each(node)
            case Reduce():
                of = view(node.operand)
                return replace(node, operand=of.inner), of.ids[:1] if node.rowwise else ()
            case Extract():
                return self._extract(node)
            case Kronecker():
                return self._kronecker(node)
            case OfVector():
                return self._of_vector(node)
            case Diagonal():
                return self._diagonal(node)
            case Selector():
                return self._selector(node)
        raise AssertionError(f"no compact form of {type(node).__name__}")

    def _product(self, node: Product) -> Made:
        left, right = view(node.left), view(node.right)
        inner = intersection(left.ids[-1], right.ids[0])
        first = remapped(left, (*([KEEP] * (len(left.ids) - 1)), inner))
        second = remapped(right, (inner, *([KEEP] * (len(right.ids) - 1))))
        made: Any = Product(first, second, node.semiring)
        return made, (*left.ids[:-1], *right.ids[1:])

    def _ewise(self, node: Ewise) -> Made:
        if reads_positions(node):
            of = view(evaluated(node))
            return of.inner, of.ids
        left, right = view(node.left), view(node.right)
        pairs = zip(node.shape, left.ids, right.ids)
        ids = tuple(
            intersection(one, other) if node.how == "mult" else union(size, one, other)
            for size, one, other in pairs
        )
        return replace(node, left=remapped(left, ids), right=remapped(right, ids)), ids

    def _each(self, node: Apply | Select) -> Made:
        of = view(node.operand)
        if reads_positions(node):
            if isinstance(node, Select) and node.op.graphblas and node.op.name in BY_RANK:
                ids = of.ids[BY_RANK[node.op.name]]
                if ids is not None:
                    last = int(np.searchsorted(ids, int(node.thunk), side="right")) - 1
                    return Select(of.inner, node.op, last), of.ids
            of = view(evaluated(node))
            return of.inner, of.ids
        return replace(node, operand=of.inner), of.ids

    # --- parts -------------------------------------------------------------------------------
    def _extract(self, node: Extract) -> Made:
        of = view(node.operand)
        take: list[Any] = []
        put: list[Any] = []
        sizes: list[int] = []
        ids: list[Ids] = []
        for axis, have, held in zip(node.axes, of.ids, of.inner.shape):
            if isinstance(axis, int):
                take.append(axis if have is None else self._rank(have, axis))
                continue
            taken, placed, size, left = self._line(axis, have, held)
            take.append(taken)
            put.append(placed)
            sizes.append(size)
            ids.append(left)
        if any(isinstance(rank, int) and rank < 0 for rank in take):
            return container(self.backend, node.dtype, tuple(sizes)), tuple(ids)
        part = Extract(of.inner, tuple(take))
        if all(place is None for place in put):
            return part, tuple(ids)
        out = container(self.backend, node.dtype, tuple(sizes))
        self.backend.run(Update(out, part, region=tuple(put)))
        return out, tuple(ids)

    def _rank(self, ids: np.ndarray, one: int) -> int:
        """The rank of one id, or -1."""
        there, at = ranks(ids, np.array([one]))
        return int(at[0]) if there[0] else -1

    def _line(self, axis: Any, have: Ids, held: int) -> tuple[Any, Any, int, Ids]:
        """For one axis of a part: the ranks to take, where they go among how many, and the ids of
        the result."""
        if axis is None:
            return None, None, held, have
        if have is None:
            taken = np.asarray(axis)
            return taken, None, taken.size, None
        if isinstance(axis, Progression):
            inside, numbers = axis.numbers(have)
            taken = np.flatnonzero(inside)[:: 1 if axis.step > 0 else -1]
            return taken, None, taken.size, numbers[:: 1 if axis.step > 0 else -1]
        there, at = ranks(have, axis)
        return at, None if there.all() else np.flatnonzero(there), axis.size, None

    # --- other shapes ------------------------------------------------------------------------
    def _kronecker(self, node: Kronecker) -> Made:
        left, right = view(node.left), view(node.right)
        ids: list[Ids] = []
        for axis, size in enumerate(node.shape):
            listless = left.ids[axis] is right.ids[axis] is None
            if listless and not self.backend.compact.is_long(size):
                ids.append(None)
                continue
            left, right = listed(left, axis), listed(right, axis)
            outer, inner = left.ids[axis], right.ids[axis]
            assert outer is not None and inner is not None
            ids.append((outer[:, None] * right.shape[axis] + inner).ravel())
        return replace(node, left=left.inner, right=right.inner), tuple(ids)

    def _of_vector(self, node: OfVector) -> Made:
        u = listed(view(node.vector), 0)
        ids = u.ids[0]
        assert ids is not None
        made = OfVector(u.inner, node.form)
        if node.form != "diagonal":
            return made, (None, ids) if node.form == "row" else (ids, None)
        rows, columns = ids + max(0, -node.k), ids + max(0, node.k)
        return made, (ids if node.k >= 0 else rows, ids if node.k <= 0 else columns)

    def _diagonal(self, node: Diagonal) -> Made:
        of, begins = view(node.operand), (max(0, -node.k), max(0, node.k))
        (size,) = node.shape
        held = [
            None if ids is None else ids[(ids >= first) & (ids < first + size)] - first
            for ids, first in zip(of.ids, begins)
        ]
        on_it = intersection(*held)
        assert on_it is not None
        wanted = tuple(on_it + first for first in begins)
        return Diagonal(remapped(of, wanted)), (on_it,)

    def _selector(self, node: Selector) -> Made:
        u = view(node.vector)
        if not self.backend.compact.is_long(node.ncols):
            return Selector(u.inner, node.ncols), (u.ids[0], None)
        rank, values = u.inner.to_coo()
        outside = values.size > 0 and bool(values.min() < 0 or values.max() >= node.ncols)
        expect_columns(outside, node.ncols)
        columns = distinct(values.astype(np.int64)) if values.size else NO_IDS
        at = np.searchsorted(columns, values.astype(np.int64))
        chosen = filled_vector(self.backend, u.inner.shape[0], rank, at)
        return Selector(chosen, columns.size), (u.ids[0], columns)
