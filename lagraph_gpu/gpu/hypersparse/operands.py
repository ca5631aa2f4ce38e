"""Expressions over hypersparse containers as expressions over containers by rank.

Each case brings the operands to common ids where the operation needs it, and says which ids the
axes of the result have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.hypersparse.ids import IdList, IdLists, Ids, no_ids, same
from lagraph_gpu.gpu.hypersparse.stores import (
    MANY_ROWS,
    Hypersparse,
    View,
    assigned,
    container,
    filled_vector,
    ranks,
    remapped,
)
from lagraph_gpu.gpu.storage import INDEX
from lagraph_gpu.gpu.storage.vector_storage import at_least_one
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.expressions import (
    Apply,
    Diagonal,
    Ewise,
    Expression,
    Extract,
    Kronecker,
    OfVector,
    Product,
    Reduce,
    Select,
    Transposed,
)
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.indexing import Progression, distinct
from lagraph_gpu.notation.placed import by_values, evaluated, reads_positions
from lagraph_gpu.notation.selector import Selector, expect_columns


class Made(NamedTuple):
    """An expression by rank: the ids of its axes, and the expression, or a container, under these
    ids or under longer lists. So operands, not results, are brought under the ids of the output,
    and a product has its mask."""

    ids: tuple[Ids, ...]
    at: Callable[[tuple[Ids, ...]], Any]


BY_RANK = {"rowle": 0, "rowgt": 0, "colle": 1, "colgt": 1, "indexle": 0, "indexgt": 0}
"""Selections that compare one position with the thunk, and its axis: ranks compare as ids do."""


DIAGONALS = {"tril": (-1, 0), "triu": (0, 1), "diag": (0,), "offdiag": (0,)}
"""Selections by diagonal, and for which diagonals ranks in one list compare as ids do."""

AXES = {"rowindex": 0, "colindex": 1}


def view(operand: Any) -> View:
    """An operand by rank. An expression is computed first."""
    if isinstance(operand, Transposed):
        of = view(operand.matrix)
        return View(of.inner.T, of.ids[::-1], of.shape[::-1])
    handle = operand if hasattr(operand, "_store") else operand.new()
    store = handle._store
    if isinstance(store, Hypersparse):
        return View(store.inner, store.ids, store.shape)
    axes = len(handle.shape)
    if max(handle.shape) >= MANY_ROWS and (store.known_empty if axes == 2 else store.unwritten):
        nothing = container(handle.backend, handle.dtype, (0,) * axes)
        return View(nothing, (no_ids(),) * axes, handle.shape)
    return View(handle, (None,) * axes, handle.shape)


class Operands(BackendPart):
    """Makes expressions by rank."""

    @property
    def lists(self) -> IdLists:
        return self.backend.hypersparse.ids

    def made(self, node: Any) -> Made:
        """The expression over containers by rank."""
        if reads_positions(node) and self._by_position(node):
            return self.held(node, (None,) * len(node.shape), node.shape)
        match node:
            case Product():
                return self._product(by_values(node) if reads_positions(node) else node)
            case Ewise():
                return self._ewise(node)
            case Apply() | Select():
                return self._each(node)
            case Reduce():
                return self._reduced(node, view(node.operand))
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
        raise AssertionError(f"no hypersparse form of {type(node).__name__}")

    def _by_position(self, node: Any) -> bool:
        """True if no operand of an expression has ids."""
        return all(
            isinstance(x, (Handle, Transposed)) and all(ids is None for ids in view(x).ids)
            for x in vars(node).values()
            if isinstance(x, (Handle, Transposed, Expression))
        )

    def held(self, made: Any, ids: tuple[Ids, ...], shape: Any) -> Made:
        """An expression or a container under these ids."""

        def at(wanted: tuple[Ids, ...]) -> Any:
            if all(map(same, ids, wanted)):
                return made
            inner = made if hasattr(made, "_store") else assigned(self.backend, made)
            return remapped(View(inner, ids, shape), wanted, True)

        return Made(ids, at)

    def _viewed(self, of: View) -> Made:
        return self.held(of.inner, of.ids, of.shape)

    def listed(self, of: View, axis: int) -> View:
        """The view with ids on an axis: those with entries, if it has none yet. Waits."""
        if of.ids[axis] is not None:
            return of
        store = self.backend.matrices.plain(of.inner) if len(of.shape) == 2 else None
        if store is None:
            u = self.backend.vector(of.inner)
            found = self.lists.of_bits(u.bits, u.size, None)
            return View(remapped(of, (found,)), (found,), of.shape)
        found = self.lists.used(store, axis, None)
        ids = tuple(found if number == axis else have for number, have in enumerate(of.ids))
        inner = self.lists.renamed(store, of.ids, ids, of.shape)
        return View(self.backend.as_matrix(inner), ids, of.shape)

    def _product(self, node: Product) -> Made:
        left, right = view(node.left), view(node.right)
        inner = self._both(left.ids[-1], right.ids[0])

        def at(wanted: tuple[Ids, ...]) -> Any:
            rows, columns = wanted[: len(left.ids) - 1], wanted[len(left.ids) - 1 :]
            first = remapped(left, (*rows, inner), True)
            return Product(first, remapped(right, (inner, *columns), True), node.semiring)

        return Made((*left.ids[:-1], *right.ids[1:]), at)

    def _both(self, one: Ids, other: Ids) -> Ids:
        """A list for two operands of whose common positions alone there is a result."""
        if one is None or other is None:
            return one if other is None else other
        return self.lists.union(one, other)

    def _ewise(self, node: Ewise) -> Made:
        if reads_positions(node):
            return self._viewed(view(evaluated(node)))
        left, right = view(node.left), view(node.right)
        joined = self._both if node.how == "mult" else self.lists.union

        def at(wanted: tuple[Ids, ...]) -> Any:
            first, second = remapped(left, wanted, True), remapped(right, wanted, True)
            return replace(node, left=first, right=second)

        return Made(tuple(map(joined, left.ids, right.ids)), at)

    def _each(self, node: Apply | Select) -> Made:
        of = view(node.operand)
        if reads_positions(node):
            made = self._placed(node, of) if node.op.graphblas and all(of.ids) else None
            return self._viewed(view(evaluated(node))) if made is None else made
        return Made(of.ids, lambda wanted: replace(node, operand=remapped(of, wanted, True)))

    def _placed(self, node: Apply | Select, of: View) -> Made | None:
        """A selection by position, or the positions themselves; None for other operators."""
        name = node.op.name
        if isinstance(node, Select) and name in BY_RANK:
            ids = of.ids[BY_RANK[name]]
            assert ids is not None
            last = int(np.searchsorted(ids.host, int(node.thunk), side="right")) - 1
            return self.held(Select(of.inner, node.op, last), of.ids, of.shape)
        if isinstance(node, Select) and name in DIAGONALS:
            return self._beside_a_diagonal(node, of)
        if isinstance(node, Apply) and name in AXES and len(of.shape) == 2:
            A, first = self.backend.matrices.plain(of.inner), number(node.bound, node.bound_type)
            made = self.lists.positions(A, AXES[name], of.ids, first, node.dtype)
            return self.held(self.backend.as_matrix(made), of.ids, of.shape)
        return None

    def _beside_a_diagonal(self, node: Select, of: View) -> Made:
        """The entries on one side of a diagonal, or on it, or off it. Rows and columns come under
        one list, in which they compare as their ids do, moved so that it is the main one."""
        k = min(max(int(node.thunk), -of.shape[0]), of.shape[1])
        axes = of.ids
        if k not in DIAGONALS[node.op.name]:
            rows, columns = (ids.host for ids in of.ids if ids is not None)
            axes, k = (IdList(rows + max(0, k)), IdList(columns + max(0, -k))), 0
        both = (self.lists.union(*axes),) * 2
        under = remapped(View(of.inner, axes, of.shape), both, True)
        part = assigned(self.backend, Select(under, node.op, k))
        return self.held(remapped(View(part, both, of.shape), axes, True), of.ids, of.shape)

    def _reduced(self, node: Reduce, of: View) -> Made:
        def at(wanted: tuple[Ids, ...]) -> Any:
            if not node.rowwise:
                return replace(node, operand=of.inner)
            return replace(node, operand=remapped(of, (*wanted, *of.ids[1:]), True))

        return Made(of.ids[:1] if node.rowwise else (), at)

    # --- parts -------------------------------------------------------------------------------
    def _extract(self, node: Extract) -> Made:
        of = view(node.operand)
        lines: list[int | None] = [None] * len(of.ids)
        parts: list[np.ndarray | None] = []
        ids: list[Ids] = []
        for place, (axis, have) in enumerate(zip(node.axes, of.ids)):
            if isinstance(axis, int):
                lines[place] = axis if have is None else self._rank(have, axis)
                continue
            index, left = self._line(axis, have)
            parts.append(index)
            ids.append(left)
        if -1 in lines:
            sizes = (size if left is None else left.size for size, left in zip(node.shape, ids))
            return self.held(
                container(self.backend, node.dtype, tuple(sizes)), tuple(ids), node.shape
            )
        part = of.inner
        taken = any(index is not None for index in parts)
        if not taken or any(line is not None for line in lines):
            part = Extract(part, tuple(lines))
        if taken:
            part = self._taken(part, parts)
        return self.held(part, tuple(ids), node.shape)

    def _taken(self, part: Any, parts: list[np.ndarray | None]) -> Any:
        """The container of these ranks on each axis, of which negative ones have no entry."""
        held = assigned(self.backend, part) if isinstance(part, Extract) else part
        if len(parts) == 1:
            (index,) = parts
            assert index is not None
            array = self.device.upload(at_least_one(index))
            u = self.backend.vector(held)
            return self.backend.as_vector(self.backend.updates.picked(u, array, index.size))
        A = self.backend.matrices.plain(held)
        for axis, index in enumerate(parts):
            if index is not None:
                array = self.device.upload(at_least_one(index))
                A = self.backend.matrices.parts.gathered(A, axis, array, index.size)
        return self.backend.as_matrix(A)

    def _rank(self, ids: IdList, one: int) -> int:
        """The rank of one id, or -1."""
        there, at = ranks(ids.host, np.array([one]))
        return int(at[0]) if there[0] else -1

    def _line(self, axis: Any, have: Ids) -> tuple[np.ndarray | None, Ids]:
        """For one axis of a part: the ranks to take, or None for all, and the ids of the result."""
        if axis is None:
            return None, have
        if have is None:
            return np.asarray(axis).astype(INDEX), None
        if isinstance(axis, Progression):
            inside, numbers = axis.numbers(have.host)
            turn = slice(None, None, 1 if axis.step > 0 else -1)
            return np.flatnonzero(inside)[turn].astype(INDEX), IdList(numbers[turn].copy())
        there, at = ranks(have.host, axis)
        index = np.full(axis.size, -1, INDEX)
        index[there] = at
        return index, None

    # --- other shapes ------------------------------------------------------------------------
    def _kronecker(self, node: Kronecker) -> Made:
        left, right = view(node.left), view(node.right)
        ids: list[Ids] = []
        for axis, size in enumerate(node.shape):
            listless = left.ids[axis] is right.ids[axis] is None
            if listless and not self.backend.hypersparse.is_long(size):
                ids.append(None)
                continue
            left, right = self.listed(left, axis), self.listed(right, axis)
            outer, inner = left.ids[axis], right.ids[axis]
            assert outer is not None and inner is not None
            ids.append(IdList((outer.host[:, None] * right.shape[axis] + inner.host).ravel()))
        made = replace(node, left=left.inner, right=right.inner)
        return self.held(made, tuple(ids), node.shape)

    def _of_vector(self, node: OfVector) -> Made:
        u = self.listed(view(node.vector), 0)
        ids = u.ids[0]
        assert ids is not None
        made = OfVector(u.inner, node.form)
        if node.form != "diagonal":
            return self.held(made, (None, ids) if node.form == "row" else (ids, None), node.shape)
        moved = IdList(ids.host + abs(node.k)) if node.k else ids
        axes = (ids, moved) if node.k > 0 else (moved, ids)
        return self.held(made, axes, node.shape)

    def _diagonal(self, node: Diagonal) -> Made:
        of, begins = view(node.operand), (max(0, -node.k), max(0, node.k))
        (size,) = node.shape
        on_it: np.ndarray | None = None
        for ids, first in zip(of.ids, begins):
            if ids is not None:
                inside = (ids.host >= first) & (ids.host < first + size)
                there = ids.host[inside] - first
                on_it = there if on_it is None else on_it[ranks(there, on_it)[0]]
        assert on_it is not None
        wanted = tuple(IdList(on_it + first) for first in begins)
        return self.held(Diagonal(remapped(of, wanted)), (IdList(on_it),), node.shape)

    def _selector(self, node: Selector) -> Made:
        u = view(node.vector)
        if not self.backend.hypersparse.is_long(node.ncols):
            return self.held(Selector(u.inner, node.ncols), (u.ids[0], None), node.shape)
        rank, values = u.inner.to_coo()
        outside = values.size > 0 and bool(values.min() < 0 or values.max() >= node.ncols)
        expect_columns(outside, node.ncols)
        columns = distinct(values.astype(np.int64))
        at = np.searchsorted(columns, values.astype(np.int64))
        chosen = filled_vector(self.backend, u.inner.shape[0], rank, at)
        return self.held(Selector(chosen, columns.size), (u.ids[0], IdList(columns)), node.shape)
