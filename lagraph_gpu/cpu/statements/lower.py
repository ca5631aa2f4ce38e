"""Translation of expressions to python-graphblas, node by node.

Operators go by name where GraphBLAS has them. A user's own operator becomes a function of the same
expression, compiled by numba. Each operator is looked up once.
"""

from __future__ import annotations

import functools
import math
import re
from dataclasses import replace
from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import lib

from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.cpu.statements import dots, slices
from lagraph_gpu.cpu.statements.objects import (
    as_list,
    converted,
    copied,
    count,
    is_hypersparse,
    is_list,
    option,
)
from lagraph_gpu.errors import BackendUnavailable, UnsupportedOperation
from lagraph_gpu.notation import expressions
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.computed import Computed
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.selector import Selector, expect_columns
from semirings import types
from semirings.algebra import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.catalogue import SEMIRINGS
from semirings.monoids import MONOIDS
from semirings.operators import BINARY


def _by_path(path: str) -> Any:
    """``"binary.ss.secondi"`` → ``gb.binary.ss.secondi``."""
    return functools.reduce(getattr, path.split("."), gb)


@functools.cache
def operator(op: Any, dtype: np.dtype) -> Any:
    """The python-graphblas operator, monoid or semiring for this one, on operands of a type.

    A user's formula that GraphBLAS has under a name goes by that name; another one is compiled by
    numba, which takes about a second. A typed operator is the same, typed by python-graphblas.
    """
    if op.typed is not None:
        untyped, key = replace(op, typed=None), op.typed
        if key not in op.domain:  # ldexp, named by integers, works in the floats they convert to
            key = next((d for d in op.domain if untyped.operand(d) == op.typed), key)
        return operator(untyped, op.typed)[types.name(key)]
    if _native(op):
        return _by_path(op.graphblas)
    match op:
        case BinaryOp() if known := _known(BINARY, op, dtype):
            return operator(known, dtype)
        case IndexUnaryOp():
            return _own_index(op, dtype, gb.indexunary)
        case UnaryOp() | BinaryOp():
            registry = gb.unary if isinstance(op, UnaryOp) else gb.binary
            return registry.register_anonymous(
                _function(op, dtype),
                _identifier(op.name),
                is_udt=True,  # compiled when first used
            )
        case Monoid():
            known = MONOIDS.get((_known(BINARY, op.op, dtype) or op.op).name)
            if (
                known
                and dtype in known.domain
                and known.identity_of(dtype) == op.identity_of(dtype)
            ):
                return operator(known, dtype)
            own = gb.binary.register_anonymous(_function(op.op, dtype), _identifier(op.name))
            return gb.monoid.register_anonymous(
                own, {types.name(dtype): op.identity_of(dtype).item()}
            )
        case Semiring():
            if (listed := named(op, dtype)) is not op:
                return operator(listed, dtype)
            multiply = _known(BINARY, op.multiply, op.operand(dtype)) or op.multiply
            factor, product = op.operand(dtype), op.product_type(dtype)
            to_truth = product == types.BOOL != multiply.output(factor)
            times = (_as_truth if to_truth else operator)(multiply, factor)
            return gb.semiring.register_anonymous(operator(op.monoid, product), times)
    raise UnsupportedOperation(f"expected an operator that GraphBLAS has, got {op!r}")


@functools.cache
def typed(op: Any, common: np.dtype, *operands: np.dtype) -> Any:
    """The result of ``operator`` on operands of these types, whose common type is ``common``. If
    all have that type, the typed operator is chosen here, once, instead of by python-graphblas at
    each call."""
    result = operator(op, common)
    if op.typed is not None or not _native(op) or set(operands) != {common}:
        return result
    fixed = getattr(getattr(op, "multiply", op), "mixed", None)
    return result[types.name(fixed or common)]


def named(op: Semiring, dtype: np.dtype) -> Semiring:
    """GraphBLAS' own semiring that is equal on this type; the given one if there is none."""
    if op.typed is not None:
        return op
    multiply = _known(BINARY, op.multiply, op.operand(dtype)) or op.multiply
    listed = SEMIRINGS.get(f"{op.monoid.name}_{multiply.name}")
    same = listed and _native(listed) and listed.monoid == op.monoid and dtype in listed.domain
    return listed if listed and same else op


def own(op: Semiring, dtype: np.dtype) -> bool:
    """True if GraphBLAS has this semiring on operands of this type."""
    return op.typed is None and _native(named(op, dtype))


def _native(op: Any) -> bool:
    """True if python-graphblas has the operator by name and all its results are defined.

    Its floordiv, rfloordiv and rpow are numba functions that raise on a zero divisor and leave
    uninitialized memory in the result.
    """
    multiply = op.multiply if isinstance(op, Semiring) else op
    return op.graphblas is not None and multiply.name not in ("floordiv", "rfloordiv", "rpow")


def meeting(op: Semiring | BinaryOp, common: np.dtype, *operands: Any) -> tuple[Any, ...]:
    """The operands, converted to their common type where that is needed or faster.

    Numba compiles a function for the types that it gets. And SuiteSparse converts operands of an
    operator on FP64 one entry at a time, so they are converted before; but not if the result is not
    floating, because where one operand has no entry the other's entry is copied as it is.
    """
    if _native(op):
        if isinstance(op, Semiring) or (wide := floating(op, common)) is None:
            return operands
        common = wide
    elif isinstance(op, Semiring) and op.typed is None:
        common = op.operand(common)
    return tuple(
        operand if operand.dtype.np_type == common else operand.dup(types.name(common))
        for operand in operands
    )


def floating(op: UnaryOp | BinaryOp, common: np.dtype) -> np.dtype | None:
    """The floating type in which GraphBLAS' operator works on operands of this common type, if it
    gives such numbers. Otherwise None."""
    if op.typed is not None or not _native(op):
        return None
    if op.operand(common).kind != "f" or op.output(common).kind != "f":
        return None
    # not ldexp, which takes integers alone
    return op.operand(common) if op.operand(common) in op.domain else common


def _known(table: dict[str, Any], op: Any, dtype: np.dtype) -> Any:
    """The row of ``table`` that is the same function on this type, or None."""
    for row in table.values():
        if row.name == "any" or not _native(row) or dtype not in row.domain:
            continue
        if row.parsed == op.parsed:
            if row.operand(dtype) == op.operand(dtype) and row.output(dtype) == op.output(dtype):
                return row
    return None


def _function(op: UnaryOp | BinaryOp, dtype: np.dtype) -> Any:
    """The operator's expression as a Python function that numba can compile."""
    if op.positional:
        raise UnsupportedOperation(
            f"the operator {op.name} reads positions; SuiteSparse takes no such function from a "
            "user, so it runs on the GPU backend only"
        )
    return _defined(op.python(dtype))


def _as_truth(op: BinaryOp, dtype: np.dtype) -> Any:
    """The operator with its results as truth values, which a monoid of BOOL takes alone."""
    function = _function(op, dtype)
    from numba import njit  # only here, because its import takes a second

    inner = njit(function)

    def truth(x, y):  # type: ignore[no-untyped-def]
        return inner(x, y) != 0

    return gb.binary.register_anonymous(truth, _identifier(op.name), is_udt=True)


def _defined(text: str) -> Any:
    """The function `operator` of a text that was generated from a parsed expression. Raises
    BackendUnavailable if numba is not there to compile it."""
    if not gb.core._supports_udfs:
        raise BackendUnavailable(
            "expected numba, which compiles operators that GraphBLAS does not have, but it is not "
            "installed; pip install 'numba>=0.64', and start Python again"
        )
    scope: dict[str, Any] = {"np": np, "math": math}
    exec(text, scope)
    return scope["operator"]


def _own_index(op: IndexUnaryOp, dtype: np.dtype, registry: Any) -> Any:
    """A user's index-unary operator, registered in python-graphblas' registry of those or of
    select."""
    thunk = dtype if op.thunk is None else op.thunk
    types_of = {"x": dtype, "y": thunk, "i": types.INT64, "j": types.INT64}
    text = op.parsed.python(types_of, op.output(dtype), arguments=["x", "row", "column", "y"])
    head, _, body = text.partition("\n")
    function = _defined(f"{head}\n    i, j = np.int64(row), np.int64(column)\n{body}")
    made = registry.register_anonymous(function, _identifier(op.name), is_udt=True)
    return made[types.name(dtype), types.name(thunk)]


_own_select = functools.cache(functools.partial(_own_index, registry=gb.select))


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_") or "operator"


def joined(
    op: BinaryOp | Semiring, node: Any, left: Any, right: Any
) -> tuple[Any, Any, Any, np.dtype]:
    """The operator of a node with these two operands, the operands in the types that it takes, and
    their common type."""
    given = node.left.dtype, node.right.dtype
    common = op.meet(*given)
    return typed(op, common, *given), *meeting(op, common, left, right), common


def _bound(node: expressions.Apply) -> Any:
    """The operator of an Apply, which may be bound to a scalar on one side."""
    return typed(node.op, node.input, node.operand.dtype)


def _select(node: expressions.Select) -> Any:
    """The expression of a Select. python-graphblas gives wrong results if the thunk's type is not
    that of the entries, so the entries are converted first."""
    operand, thunk = value(node.operand), types.cast(node.thunk, node.thunk_type)
    own = node.op.graphblas is None
    chosen = _own_select(node.op, node.input) if own else selector(node.op)
    if chosen is None:  # what it gives is a position, and counts unless it is 0
        places = operand.dup("INT64")
        place = places.apply(getattr(gb.indexunary, node.op.name), int(thunk)).new()
        return _kept(operand, place.V)
    if node.input == node.operand.dtype:
        return operand.select(chosen, thunk)
    converted = operand.dup(types.name(node.thunk_type)).select(chosen, thunk).new()
    return _kept(operand, converted.S)


def selector(op: IndexUnaryOp) -> Any | None:
    """python-graphblas' operator of that name in `select`, or None."""
    found = getattr(gb.select, op.name, None)
    return found if hasattr(found, "types") else None


def _kept(operand: Any, mask: Any) -> Any:
    """The expression of the entries within a mask."""
    kept = operand.dup(clear=True)
    kept(mask=mask) << operand
    return kept.apply(gb.unary.identity)


def as_it_is_stored(A: Any) -> tuple[Any, bool]:
    """A matrix, or the matrix of which A is the transpose where only that is stored, and whether it
    is the latter."""
    transposed = isinstance(A, expressions.Transposed) and not A.matrix._store.has(True)
    return A.matrix._store.A if transposed else value(A), transposed


def without_empty_rows(A: Any) -> Any:
    """A copy of a hypersparse matrix without empty rows; another matrix as it is. SuiteSparse 9.4
    reduces a listed row whose entries have been deleted to uninitialized memory, and a matrix of
    one value without rows or columns to that value, as if it were full."""
    if 0 in A.shape:
        return gb.Matrix(A.dtype, *A.shape)
    if not is_hypersparse(A) or option(A, lib.GxB_FORMAT) != lib.GxB_BY_ROW:
        return A
    shape = {"nrows": A.nrows, "ncols": A.ncols}
    return gb.Matrix.from_coo(*A.to_coo(), A.dtype, **shape) if A.nvals else A.dup(clear=True)


def _matrix_of(node: expressions.OfVector) -> Any:
    if node.form == "diagonal":
        return value(node.vector).diag(node.k)
    column = gb.Matrix(types.name(node.dtype), nrows=node.vector.shape[0], ncols=1)
    column[:, 0] << value(node.vector)
    return column.T if node.form == "row" else column


def through(mask: Mask, of_product: bool = False) -> Any:
    """The vector or matrix that a mask reads.

    SuiteSparse 9.4 does not return from a product under a mask that is stored as a bitmap: it puts
    the whole mask into a hash table sized for the product. So the mask of a product is stored as a
    list. Nor does it return from one under the values of a list with all positions if they differ;
    so the values that are true are all stored as one.
    """
    operand = value(mask.handle)
    if not mask.structure and types.rounds(mask.handle.dtype):
        # SuiteSparse tests the bits, so -0.0 would be true
        operand = converted(operand, types.BOOL)
    if not of_product or mask.complement:
        return operand
    if mask.structure:
        if is_list(operand):
            return operand
        store = mask.handle._store
        kept = isinstance(operand, gb.Matrix) and not store.shared
        return store.listed if kept else as_list(copied(operand))
    if is_list(operand) and count(operand) < math.prod(operand.shape):
        return operand
    return as_list(operand.select("valuene", 0).new().apply(gb.unary.one).new("BOOL"))


def mask_of(mask: Mask, of_product: bool) -> Any:
    """A mask as a python-graphblas object."""
    operand = through(mask, of_product)
    chosen = operand.S if mask.structure else operand.V
    return ~chosen if mask.complement else chosen


def _selector(node: Selector) -> Any:
    vector, nrows = value(node.vector), node.shape[0]
    if nrows > ROWS_PER_LISTED_ROW * vector.nvals:
        index, chosen = vector.to_coo()
        if chosen.size:
            expect_columns(bool(chosen.min() < 0 or chosen.max() >= node.ncols), node.ncols)
        places = index, chosen.astype(np.uint64)
        return gb.Matrix.from_coo(*places, True, "BOOL", nrows=nrows, ncols=node.ncols)
    if vector.nvals == nrows:
        chosen, ends = vector.to_dense(), np.arange(nrows + 1, dtype=np.uint64)
    else:
        index, chosen = vector.to_coo()
        held = np.zeros(nrows + 1, np.uint64)
        held[index.astype(np.int64) + 1] = 1
        ends = held.cumsum(dtype=np.uint64)
    if chosen.size:
        expect_columns(bool(chosen.min() < 0 or chosen.max() >= node.ncols), node.ncols)
    return gb.Matrix.from_csr(ends, chosen.astype(np.uint64), True, "BOOL", ncols=node.ncols)


def value(operand: Any) -> Any:
    """The python-graphblas object behind an operand."""
    if isinstance(operand, Computed):
        if isinstance(operand, expressions.Transposed):
            return operand.matrix._store.by_rows(True)
        operand = operand.new()
    store = operand._store
    return store if isinstance(store, gb.Vector) else store.A


def _matrix(operand: Any, inner: int) -> Any:
    """An operand of a product of two matrices, whose inner dimension is shape[inner].

    SuiteSparse 9.4 may not return from a masked product over an inner dimension of 0 (seen with 5 ×
    0, made as a transpose, by 0 × 70 under a mask with a full row), so that dimension becomes 1.
    """
    if operand.shape[inner] > 0:
        return value(operand)
    nrows, ncols = (1 if axis == inner else n for axis, n in enumerate(operand.shape))
    return gb.Matrix(types.name(operand.dtype), nrows=nrows, ncols=ncols)


def by_place(A: Any) -> Any:
    """A matrix, or a transposed one, set to store an offset for every row, for positions: on a
    hypersparse matrix SuiteSparse 9.4 returns the rank of a row among those stored."""
    getattr(A, "_matrix", A).ss.config["hyper_switch"] = -1
    return A


def simple(node: expressions.Product) -> bool:
    """True if a product of two matrices is one that GraphBLAS has, without positions and without a
    workaround."""
    plain = _native(node.semiring) and not node.semiring.multiply.positional
    return plain and node.left.shape[1] > 0


def expression(node: expressions.Expression, mask: Mask | None = None) -> Any:
    """The python-graphblas expression of a node, of whose result the mask selects a part. Products
    of a vector are in ``updates``."""
    match node:
        case expressions.Product():
            return _product(node, mask)
        case expressions.Ewise():
            op, left, right, common = joined(node.op, node, value(node.left), value(node.right))
            if node.how == "add":
                return left.ewise_add(right, op)
            if node.how == "mult":
                return left.ewise_mult(right, op)
            defaults = (types.cast(v, common) for v in (node.left_default, node.right_default))
            return left.ewise_union(right, op, *defaults)
        case expressions.Apply(op=IndexUnaryOp()):
            return _by_index(node)
        case expressions.Apply(op=BinaryOp(), left=None):
            right = types.cast(node.right, node.bound_type)
            return value(node.operand).apply(_bound(node), right=right)
        case expressions.Apply(op=BinaryOp()):
            left = types.cast(node.left, node.bound_type)
            return value(node.operand).apply(_bound(node), left=left)
        case expressions.Apply():
            return value(node.operand).apply(_bound(node))
        case expressions.Select():
            return _select(node)
        case expressions.Extract():
            return slices.extracted(value(node.operand), node.axes)
        case expressions.Kronecker():
            op, left, right, _ = joined(node.op, node, value(node.left), value(node.right))
            return left.kronecker(right, op)
        case expressions.Reduce(rowwise=True):
            A = node.operand
            monoid = typed(node.monoid, A.dtype, A.dtype)
            stored, transposed = as_it_is_stored(A)
            rows = without_empty_rows(stored)
            return rows.reduce_columnwise(monoid) if transposed else rows.reduce_rowwise(monoid)
        case expressions.OfVector():
            return _matrix_of(node).apply(gb.unary.identity)
        case Selector():
            return _selector(node).apply(gb.unary.identity)
        case expressions.Diagonal():
            return value(node.operand).diag(node.k).apply(gb.unary.identity)
    raise UnsupportedOperation(f"the CPU backend has no {type(node).__name__}")


def _product(node: expressions.Product, mask: Mask | None) -> Any:
    turned = dots.transpose(node, mask) if simple(node) else None
    if turned is not None:
        semiring, left, right, _ = joined(node.semiring, node, value(node.left), turned.T)
        return left.mxm(right, semiring)
    operands = _matrix(node.left, 1), _matrix(node.right, 0)
    semiring, left, right, _ = joined(node.semiring, node, *operands)
    if node.semiring.multiply.positional:
        left, right = by_place(left), by_place(right)
    return semiring(left @ right)


def _by_index(node: expressions.Apply) -> Any:
    """An operator that reads the positions of the entries."""
    thunk, operand = number(node.right, node.bound_type), value(node.operand)
    dtype = node.input
    if _native(node.op) and not node.op.reads_x and types.rounds(dtype):
        dtype = types.INT64  # python-graphblas has diagindex only for integers
    if types.lookup(operand.dtype) != dtype:
        operand = operand.dup(types.name(dtype))
    return operand.apply(operator(node.op, dtype), thunk)
