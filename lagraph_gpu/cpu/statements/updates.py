"""An update as python-graphblas statements: one, or several where SuiteSparse 9.4 needs a
workaround.

The Python part of a statement costs as much as SuiteSparse needs for ten thousand entries. So
lookups by operator and type are cached, and the simple cases come first.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import NULL, lib

from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.cpu.statements import calls, lower, objects, slices
from lagraph_gpu.cpu.statements.in_place import copied_from, copied_output, may_change, unwritten
from lagraph_gpu.cpu.statements.objects import count, without_cycle
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostArrays, store_of
from lagraph_gpu.cpu.statements.vector_products import multiplied, planned, vector_product
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.expressions import (
    Apply,
    Ewise,
    Expression,
    Fill,
    OfVector,
    Product,
    Reduce,
    Transposed,
    computed,
)
from lagraph_gpu.notation.placed import by_values
from lagraph_gpu.notation.update import Update
from semirings import BINARY, UNARY, Semiring, types

OFFSETS_BELOW = 1 << 24
"""In products over fewer positions each row has an offset, where positions are read."""

BYTES_IN_A_RANGE, BYTES_LISTED = 16, 40
"""What one value at each position of a range, or of a slice with a step, takes at its peak, for
each of them: its index and the value, and the list of positions in two forms."""

ADVICE = "give a mask, w(v.S) << 1, so that only its positions are written"


def carry_out(update: Update) -> None:
    """Implements ``Backend.run``."""
    node, out = update.expression, update.out
    instead = INSTEAD.get(type(node))
    if instead is not None and (steps := instead(update, node)) is not None:
        for step in steps:
            carry_out(step)
    elif update.region is not None and any(map(slices.strided, update.region)):
        carry_out(slices.narrowed(update))
    elif update.region is not None and update.mask is None and is_computed(node):
        part = Apply(computed(node), UNARY["identity"])
        carry_out(replace(update, expression=part))  # python-graphblas would compute it first, too
    elif isinstance(out._store, CpuMatrix):
        _write_matrix(update, out)
    else:
        _write(update, out._store)


def is_computed(node: Expression) -> bool:
    """True for what is not written to a part as it is: an operation on a container."""
    return not isinstance(node, Fill | OfVector) and copied_from(node) is node


Steps = Iterable[Update] | None
"""The updates to carry out instead of one; None if that is as it should be."""


def _few_positions(update: Update, node: Fill) -> Steps:
    if max(update.out.shape) > OFFSETS_BELOW:
        expect_few_positions(update, node)
    return None


def _to_number(update: Update, node: Reduce) -> Steps:
    if node.rowwise:
        return None
    found = folded_from_arrays(node)
    update.out.put(calls.folded(node) if found is None else found, update.accum)
    return ()


def _planned_whole(update: Update, node: Product) -> Steps:
    if node.semiring.multiply.positional and mostly_empty(node):
        return (replace(update, expression=by_values(node)),)
    if update.region is None or node.kind == "mxm":
        return None
    # a product of a vector is planned for a whole output; the part is assigned from its result
    return (replace(update, expression=Apply(computed(node), UNARY["identity"])),)


def _as_first_or_in_place(update: Update, node: Ewise) -> Steps:
    if node.left is node.right and node.op.name == "second":
        # second(A | A) is A, and SuiteSparse 9.4 loses entries of it under the mask A.S in types
        # for which it has no compiled operator; first(A | A) is A too
        first = BINARY["first"] if node.op.typed is None else BINARY["first"][node.op.typed]
        return (replace(update, expression=replace(node, op=first)),)
    if type(node.left) is Product or type(node.right) is Product:
        return _in_place(update, node)
    return None


INSTEAD: dict[type, Callable[[Update, Any], Steps]] = {
    Fill: _few_positions, Reduce: _to_number, Product: _planned_whole, Ewise: _as_first_or_in_place,
}  # fmt: skip
"""What is asked first, by kind of statement."""


def _write_matrix(update: Update, out: Any) -> None:
    """Carry out the update of a matrix, in place where that is safe, else on a copy or, if nothing
    of it stays, on a new matrix."""
    node = update.expression
    alone = update.mask is update.accum is update.region is None
    if alone and not isinstance(node, Fill):
        target = unwritten(out)
        if not calls.try_call(update, target, fresh=True):
            target = without_cycle(lower.expression(node).new(types.name(out.dtype)))
    elif update.accum is update.region is None and (update.mask is None or update.replace):
        target = unwritten(out)
        _write(update, target)
    elif may_change(update):
        target = out._store.A
        try:
            _write(update, target)
        finally:  # what else the store knows of the matrix holds no longer
            vars(out)["_store"] = CpuMatrix(target)
        return
    else:
        target = copied_output(out)
        _write(update, target)
        count(target)  # entries that are deferred might find no memory later
    vars(out)["_store"] = CpuMatrix(target)  # no call of __setattr__


def fills(update: Update) -> bool:
    """True if one value is assigned to all positions, without a mask and an accumulator."""
    node = update.expression
    if not isinstance(node, Fill) or update.mask is not None or update.accum is not None:
        return False
    return math.prod(node.shape) == math.prod(update.out.shape)


def folded_from_arrays(node: Reduce) -> Any:
    """The least or the greatest value of a container, or the sum, from its arrays, if an object of
    SuiteSparse would first have to be made of them. Otherwise None, and where there are no entries,
    or the rounding of a sum depends on the order."""
    operand, name, dtype = node.operand, node.monoid.name, node.dtype
    if isinstance(operand, Expression) or operand.dtype.kind not in "iuf" or dtype != operand.dtype:
        return None
    held = held_arrays(operand)
    if held is None:
        return None
    values, count = held
    if values.size == 0:
        return None
    if name in ("min", "max"):
        return (np.fmin if name == "min" else np.fmax).reduce(values).item()
    if name != "plus":
        return None
    if dtype.kind != "f":
        return (values.sum(dtype=dtype) * np.array([count]).astype(dtype)).item()
    small = count * np.abs(values).sum(dtype=types.FP64) < 2.0 ** np.finfo(dtype).nmant
    whole = small and (values == np.rint(values)).all()
    return values.sum().item() * count if whole else None


def held_arrays(operand: Any) -> tuple[np.ndarray, int] | None:
    """The values of the entries of a container that is arrays, and how often they count: one value
    may stand for all. None if it is an object of SuiteSparse."""
    if len(operand.shape) == 1:
        arrays = operand._unstored()
        if arrays is None:
            return None
        return (arrays.values if arrays.known is None else arrays.values[arrays.known]), 1
    store = store_of(operand)
    if not isinstance(store.given, HostArrays) or "A" in vars(store):
        return None
    return store.given.values, store.given.nvals if store.given.iso else 1


def expect_few_positions(update: Update, node: Fill) -> None:
    """Raise TooLarge if one value is to be stored at more positions than there is memory for.
    Without a mask SuiteSparse stores it once for all, of as many as it counts."""
    whole, count = update.mask is None and update.region is None, math.prod(node.shape)
    counted = whole and count <= lib.GrB_INDEX_MAX
    if not counted and (update.mask is None or update.mask.complement):
        listed = any(map(slices.strided, update.region or ()))
        each = BYTES_LISTED if listed else BYTES_IN_A_RANGE
        expect_room(each * count, f"a value at each of {count:,} positions", ADVICE)


def mostly_empty(node: Product) -> bool:
    """True if an operand of a product has so many rows or columns without entries that positions
    are not read from it: SuiteSparse 9.4 would store an offset for each (see lower.by_place)."""
    for operand in (node.left, node.right):
        if max(operand.shape) > OFFSETS_BELOW:
            held = operand.matrix if isinstance(operand, Transposed) else computed(operand)
            if max(operand.shape) > ROWS_PER_LISTED_ROW * held.nvals:
                return True
    return False


def _in_place(update: Update, node: Ewise) -> list[Update] | None:
    """The update w << a ⊕ (u ⊕.⊗ A) as w << a and w ⊕= u ⊕.⊗ A. If a is full, SuiteSparse then
    accumulates the product in place, without a sparse vector in between. None if the update has
    another form."""
    product, a = (node.left, node.right)[:: 1 if isinstance(node.left, Product) else -1]
    if not isinstance(product, Product) or product.kind == "mxm" or node.how != "add":
        return None
    u = product.left if product.kind == "vxm" else product.right
    out, settings = update.out, (update.mask, update.accum, update.region)
    plain = settings == (None, None, None) and u is not out
    stored_ones = not isinstance(a, Expression) and not isinstance(u, Expression)
    alike = {a.dtype, product.dtype, out.dtype} == {node.dtype} and not _mixes_types(product)
    if not (plain and stored_ones and alike and product.semiring.monoid.op == node.op):
        return None
    first = [] if a is out else [replace(update, expression=Apply(a, UNARY["identity"]))]
    return [*first, replace(update, expression=product, accum=node.op)]


def _write(update: Update, target: Any) -> None:
    """Carry out the update on a python-graphblas object."""
    node, mask = update.expression, update.mask
    if fills(update):
        # SuiteSparse 9.4 sorts entries, and takes out those that were removed, when they are read.
        # If one value is written to all positions before that, it takes the full object for one to
        # be sorted, and crashes later, or for one that lacks entries.
        objects.finish(target)
    of_vector = isinstance(node, Product) and node.kind != "mxm"
    if multiplied(update, node, target) if of_vector else calls.try_call(update, target):
        return
    if result_comes_first(update, target):
        _write_result(update, target)
    elif mask is not None:
        operand = lower.mask_of(mask, isinstance(node, Product))
        _put(update, target(mask=operand, replace=update.replace), target)
    elif update.accum is not None:  # without a mask replace has nothing to delete
        accum = lower.typed(update.accum, update.out.dtype, update.out.dtype)
        _put(update, target(accum=accum), target)
    else:
        _put(update, target, target)


def result_comes_first(update: Update, target: Any) -> bool:
    """True if the result has to be computed, within the mask, into an object of its own before it
    is written, because of one of three errors of SuiteSparse 9.4.

    It writes all values of two full operands into a full output that has room for one, as one value
    for all has it, and goes on taking the first for all. It crashes if a masked accumulation meets
    a full mask and a sparse operand, or the reverse; where none is full (`calls.none_full`), 1,200
    drawn statements of each pair of other formats, in vectors and in matrices, were right. And it
    accumulates a product into a full output without converting the operands.
    """
    node = update.expression
    if update.accum is not None:
        return update.mask is not None or _mixes_types(node)
    whole = update.mask is None and update.region is None
    return whole and isinstance(node, Ewise) and objects.is_full_of_one(target)


def _write_result(update: Update, target: Any) -> None:
    """Carry out the update by way of an object for the result alone."""
    out, mask, dtype = update.out, update.mask, update.expression.dtype
    result = objects.empty(out.shape, dtype)
    _write(replace(update, accum=None, replace=False), result)
    if update.replace and mask is not None:
        operand = lower.mask_of(mask, isinstance(update.expression, Product))
        target(mask=operand, replace=True) << target.apply(gb.unary.identity)
    accum = NULL if update.accum is None else calls.c_operator(update.accum, out.dtype)
    identity = calls.c_operator(calls.IDENTITY, dtype)
    if accum is None or identity is None:
        typed = update.accum and lower.typed(update.accum, out.dtype, out.dtype)
        target(accum=typed) << result.apply(gb.unary.identity)
    else:
        apply = calls.function("apply", len(out.shape))
        calls.make(target, (apply, (identity, result), calls.AS_IS), accum)


def _put(update: Update, updater: Any, target: Any) -> None:
    """Write the expression into ``target``, or into its updater, which has the mask, the
    accumulator and the replace flag."""
    node, region = update.expression, update.region
    if region is not None:
        updater[slices.indices(region)] = (
            node.known if isinstance(node, Fill) else lower.expression(node).new()
        )
    elif isinstance(node, Fill):
        updater[...] = node.known  # python-graphblas takes a plain integer of 2⁶³ for INT64
    elif isinstance(node, Product) and node.kind != "mxm":
        product, u = vector_product(update, node)
        push, step = planned(update, product, u)
        updater << product.of(u, push)
        if step is not None:
            step.record(target)
    else:
        updater << lower.expression(node, update.mask)


def _mixes_types(node: Any) -> bool:
    """True for a product whose operands do not have the type in which ⊗ computes."""
    return isinstance(node, Product) and _mixed(node.semiring, node.left.dtype, node.right.dtype)


@functools.cache
def _mixed(semiring: Semiring, left: np.dtype, right: np.dtype) -> bool:
    return {left, right} != {semiring.operand(semiring.meet(left, right))}
