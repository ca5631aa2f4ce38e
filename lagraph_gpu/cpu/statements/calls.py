"""Simple statements, each of them one call of SuiteSparse.

python-graphblas builds an expression for each statement and then looks up the function to call,
which takes ten times as long as SuiteSparse needs for a hundred entries. The function and the
operator follow from the kind of statement and its types, so this module looks them up once. A
statement that writes to a region, converts types, or needs a workaround of ``updates`` or ``lower``
goes through python-graphblas.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import NULL, ffi, lib
from graphblas.core.descriptor import lookup
from graphblas.exceptions import check_status

from lagraph_gpu.cpu.statements import dots, lower
from lagraph_gpu.cpu.statements.objects import (
    copied,
    count,
    empty,
    everywhere,
    is_full,
    is_full_of_one,
    of_type,
)
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.expressions import (
    Apply,
    Diagonal,
    Ewise,
    Expression,
    Extract,
    Fill,
    Kronecker,
    OfVector,
    Product,
    Reduce,
    Select,
)
from lagraph_gpu.notation.indexing import Progression, Region
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import (
    BINARY,
    MONOIDS,
    SEMIRINGS,
    UNARY,
    BinaryOp,
    IndexUnaryOp,
    Semiring,
    UnaryOp,
    types,
)

INDICES = ffi.typeof("GrB_Index[]")
KIND = {1: "Vector", 2: "Matrix"}
HELD = frozenset((gb.Vector, gb.Matrix, gb.Scalar))
IDENTITY = UNARY["identity"]
ONE_EACH = BINARY["pair"][types.INT64]


AS_IS, FIRST_TRANSPOSED, SECOND_TRANSPOSED = (False, False), (True, False), (False, True)
"""Which operands of a call are transposed."""

Call = tuple[Any, tuple[Any, ...], tuple[bool, bool]]
"""A function of SuiteSparse, its arguments between accumulator and descriptor, and which operands
are transposed. An object of a class would take five times as long to make."""


def try_call(update: Update, target: Any, fresh: bool = False) -> bool:
    """Carry out the update of this vector or matrix with one call; it is known to be empty if it is
    ``fresh``. Returns False, and does nothing, if the statement is not simple enough."""
    node, mask, accum = update.expression, update.mask, NULL
    find = KINDS.get(type(node))
    if find is None or types.is_record(node.dtype):
        return False
    if update.accum is not None:
        accum = c_operator(update.accum, update.out.dtype)
        if accum is None:
            return False
    separate = mask is not None and accum is not NULL and not none_full(update, target)
    if update.region is not None:
        if mask is None and accum is NULL and write_element(node, update.region, target):
            return True
        call = placed(node, update.region, update.out.dtype) if mask is None else None
    elif find is ewise and not fresh and accum is NULL and mask is None and is_full_of_one(target):
        return False  # see updates.result_comes_first
    elif find is without_mask and mask is None and accum is NULL:
        return moved(node, target)
    else:
        call = find(node, update)
    if call is None:
        return False
    (put_through if separate else put)(update, target, accum, call)
    return True


def put(update: Update, target: Any, accum: Any, call: Call) -> None:
    """target⟨mask⟩ ⊙= call"""
    mask = update.mask
    if mask is None:
        make(target, call, accum)
    else:
        operand = read_by(mask, update, call)
        make(target, call, accum, operand, (mask.complement, mask.structure, update.replace))


def read_by(mask: Mask, update: Update, call: Call) -> Any:
    """The object that the mask of an update reads. By value it is none of the operands, since
    SuiteSparse 9.4 may read the mask of C⟨A⟩ = A by structure if C stays full or a bitmap."""
    copies = call[0] is lib.GrB_Vector_apply  # what a product has computed
    operand = lower.through(mask, isinstance(update.expression, Product) and not copies)
    among = not mask.structure and any(x is operand for x in call[1])
    return copied(operand) if among else operand


def put_through(update: Update, target: Any, accum: Any, call: Call) -> None:
    """target⟨mask⟩ ⊙= call, by a separate object with what the mask selects. See
    ``updates.result_comes_first``."""
    mask, node, axes = update.mask, update.expression, len(update.out.shape)
    assert mask is not None
    within = read_by(mask, update, call), (mask.complement, mask.structure)
    part = empty(update.out.shape, node.dtype)
    make(part, call, NULL, within[0], (*within[1], False))
    apply = function("apply", axes)
    if update.replace:
        own = c_operator(IDENTITY, update.out.dtype), target
        make(target, (apply, own, AS_IS), NULL, within[0], (*within[1], True))
    make(target, (apply, (c_operator(IDENTITY, node.dtype), part), AS_IS), accum)


def make(
    target: Any, call: Call, accum: Any = NULL, mask: Any = NULL,
    settings: tuple[bool, bool, bool] = (False, False, False),
) -> None:  # fmt: skip
    """Call SuiteSparse, and raise python-graphblas' error if it fails."""
    called, operands, transposed = call
    plain = mask is NULL and transposed is AS_IS
    how = NULL if plain else descriptor(*settings, *transposed)
    within = NULL if mask is NULL else mask.gb_obj[0]
    given = [x.gb_obj[0] if type(x) in HELD else x for x in operands]
    if status := called(target.gb_obj[0], within, accum, *given, how):
        check_status(status, [target])


@functools.cache
def descriptor(complement: bool, structure: bool, replace: bool, first: bool, second: bool) -> Any:
    found = lookup(
        mask_complement=complement, mask_structure=structure, output_replace=replace,
        transpose_first=first, transpose_second=second,
    )  # fmt: skip
    return NULL if found is None else found.gb_obj


def none_full(update: Update, target: Any) -> bool:
    """True for an operation entry by entry within a mask, where the target, the mask and the
    operands are lists of entries or bitmaps, and none of them is full."""
    node, mask = update.expression, update.mask
    if mask is None or not isinstance(node, (Apply, Ewise, Select)):
        return False
    operands = (node.left, node.right) if isinstance(node, Ewise) else (node.operand,)
    if any(isinstance(operand, Expression) for operand in operands):
        return False  # which would be computed here, and again
    return not any(map(is_full, (target, *map(lower.value, (mask.handle, *operands)))))


@functools.cache
def c_operator(op: Any, *operands: np.dtype) -> Any | None:
    """SuiteSparse's operator on operands of these types. None if it has none, or if the operands
    must be converted first, or are records."""
    common = op.meet(*operands) if len(operands) > 1 else operands[0]
    as_is = isinstance(op, Semiring) or op.operand(common) == common
    fits = op.typed in (None, common) and set(operands) == {common} and as_is
    if not fits or types.is_record(common):
        return None
    found = lower.typed(op, common, *operands)
    if isinstance(op, BinaryOp) and getattr(found, "opclass", "") == "Monoid":
        found = found.binaryop  # the type of a monoid is that of its result
    if isinstance(op, UnaryOp | BinaryOp) and not hasattr(found, "gb_obj"):
        found = found[types.name(common)]  # numba compiles it
    return getattr(found, "gb_obj", None)  # an operator without a type does not have it


@functools.cache
def function(name: str, axes: int, dtype: Any = None) -> Any:
    """SuiteSparse's function of this name, for vectors (1) or matrices (2), and for scalars of a
    type."""
    prefix = "GxB" if dtype and types.is_complex(dtype) else "GrB"
    suffix = f"_{types.name(dtype)}" if dtype else ""
    return getattr(lib, f"{prefix}_{KIND[axes]}_{name}{suffix}")


# --- by kind of statement ------------------------------------------------------------------------
@functools.cache
def in_one_type(
    op: UnaryOp | BinaryOp | Semiring, *operands: np.dtype
) -> tuple[Any, np.dtype] | None:
    """SuiteSparse's operator on operands of these types, and the type to which all are converted
    first, if they differ or the operator is one on fractions: SuiteSparse would convert one entry
    at a time. None if there is no such operator."""
    found, common = c_operator(op, *operands), operands[0]
    if found is None:
        meet = op.meet(*operands) if len(operands) > 1 else common
        wanted = op.operand(meet) if isinstance(op, Semiring) else lower.floating(op, meet)
        if wanted is not None:
            found, common = c_operator(op, wanted), wanted
    return None if found is None else (found, common)


def ewise(node: Ewise, update: Update) -> Call | None:
    if (both := in_one_type(node.op, node.left.dtype, node.right.dtype)) is None:
        return None
    op, common = both
    left = of_type(lower.value(node.left), common)
    right = of_type(lower.value(node.right), common)
    if node.how == "union":
        defaults = (scalar(types.cast(x, common)) for x in (node.left_default, node.right_default))
        (left, x), (right, y) = zip((left, right), defaults)
        union = lib.GxB_Vector_eWiseUnion if len(node.shape) == 1 else lib.GxB_Matrix_eWiseUnion
        return union, (op, left, x, right, y), AS_IS
    name = "eWiseAdd_BinaryOp" if node.how == "add" else "eWiseMult_BinaryOp"
    return function(name, len(node.shape)), (op, left, right), AS_IS


def scalar(value: np.generic) -> gb.Scalar:
    """A number as SuiteSparse has it."""
    return _scalar(value.tobytes(), value.dtype)


@functools.lru_cache(maxsize=64)
def _scalar(bits: bytes, dtype: np.dtype) -> gb.Scalar:
    return gb.Scalar.from_value(np.frombuffer(bits, dtype)[0], types.name(dtype))


def apply(node: Apply, update: Update) -> Call | None:
    dtype, axes = node.operand.dtype, len(node.shape)
    if isinstance(node.op, IndexUnaryOp):
        return indexed(node)
    # the operand of one is not read, so it need not be converted
    one = node.op.graphblas == "unary.one" and dtype.kind in "biuf"
    both = in_one_type(UNARY["one"] if one else node.op, dtype if one else node.input)
    if both is None or types.is_record(dtype):
        return None
    op, common = both
    operand = of_type(lower.value(node.operand), common)
    if node.op == IDENTITY and update.mask is not None and not update.replace:
        # in place where no entry is new, which takes half the time
        return function("assign", axes), (operand, *everywhere(node.shape)), AS_IS
    if node.bound is None:
        return function("apply", axes), (op, operand), AS_IS
    bound = types.cast(types.cast(node.bound, node.input), common).item()
    if node.bound_left:
        return function("apply_BinaryOp1st", axes, common), (op, bound, operand), AS_IS
    return function("apply_BinaryOp2nd", axes, common), (op, operand, bound), AS_IS


def indexed(node: Apply) -> Call | None:
    """The call that replaces each entry by its position. Values are not read, so those of any type
    are left as they are."""
    by_place = node.op.name in ("index", "rowindex", "colindex", "diagindex")
    if not by_place or node.op.typed is not None or types.is_record(node.operand.dtype):
        return None
    place = lower.operator(node.op, types.INT64)["INT64"].gb_obj
    shift = int(number(node.right, node.bound_type))
    apply = function("apply_IndexOp", len(node.shape), types.INT64)
    return apply, (place, lower.value(node.operand), shift), AS_IS


def fill(node: Fill, update: Update) -> Call:
    assign = function("assign", len(node.shape), node.dtype)
    return assign, (node.known.item(), *everywhere(node.shape)), AS_IS


def index_arguments(axes: Any, sizes: Any) -> list[Any] | None:
    """SuiteSparse's arguments for whole axes and arrays of positions, of these sizes. None if there
    is a long slice, or no position."""
    places: list[Any] = []
    for axis, size in zip(axes, sizes):
        if size == 0 or isinstance(axis, Progression):
            return None
        at = lib.GrB_ALL
        if axis is not None:
            at = ffi.from_buffer(INDICES, np.ascontiguousarray(axis, np.int64))
        places += [at, size]
    return places


def extract(node: Extract, update: Update) -> Call | None:
    kept = [axis for axis in node.axes if not isinstance(axis, int)]
    places = index_arguments(kept, node.shape)
    if places is None:
        return None
    operand = lower.value(node.operand)
    if len(node.axes) == 1:
        return lib.GrB_Vector_extract, (operand, *places), AS_IS
    if len(kept) == 2:
        return lib.GrB_Matrix_extract, (operand, *places), AS_IS
    row, column = node.axes
    of_row = isinstance(row, int)
    line = (operand, *places, row if of_row else column)
    return lib.GrB_Col_extract, line, FIRST_TRANSPOSED if of_row else AS_IS


def kronecker(node: Kronecker, update: Update) -> Call | None:
    op = c_operator(node.op, node.left.dtype, node.right.dtype)
    operands = op, lower.value(node.left), lower.value(node.right)
    return None if op is None else (lib.GrB_Matrix_kronecker_BinaryOp, operands, AS_IS)


def placed(node: Any, region: Region, dtype: np.dtype) -> Call | None:
    """The call that writes one value, or a container of this type, to listed positions of another
    of this type."""
    axes: list[Any] = list(region)
    places = index_arguments(axes, node.shape)
    if places is None:
        return None
    if isinstance(node, Fill):
        assign = function("assign", len(region), node.dtype)
        return assign, (node.known.item(), *places), AS_IS
    if isinstance(node, OfVector) and node.form != "diagonal" and node.dtype == dtype:
        if node.form == "row":
            places[:2] = [int(axes[0][0])]
            return lib.GrB_Row_assign, (lower.value(node.vector), *places), AS_IS
        places[2:] = [int(axes[1][0])]
        return lib.GrB_Col_assign, (lower.value(node.vector), *places), AS_IS
    if not isinstance(node, Apply) or node.op != IDENTITY or node.operand.dtype != dtype:
        return None
    return function("assign", len(region)), (lower.value(node.operand), *places), AS_IS


def copies_nothing(node: Any) -> bool:
    """True for the copy of a container without entries."""
    copied = isinstance(node, Apply) and node.op == IDENTITY
    return copied and not isinstance(node.operand, Expression) and node.operand.nvals == 0


def write_element(node: Any, region: Region, target: Any) -> bool:
    """Write one value to one position, or remove what is there. Returns False, and does nothing, if
    the statement does something else."""
    place = []
    for axis in region:
        if not isinstance(axis, np.ndarray) or axis.size != 1:
            return False
        place.append(int(axis[0]))
    if isinstance(node, Fill):
        write = function("setElement", len(place), node.dtype)
        status = write(target.gb_obj[0], node.known.item(), *place)
    elif copies_nothing(node):
        status = function("removeElement", len(place))(target.gb_obj[0], *place)
    else:
        return False
    if status:
        check_status(status, [target])
    return True


def without_mask(node: Any, update: Update) -> None:
    """No call: SuiteSparse has functions without a mask; see ``moved``, ``placed``."""


def moved(node: OfVector | Diagonal, target: Any) -> bool:
    """Store a vector as this matrix, or a diagonal as this vector, whatever that held. Returns
    False if their types differ."""
    if node.dtype != target.dtype.np_type:
        return False
    given = target.gb_obj[0]
    vector = lower.value(node.operand if isinstance(node, Diagonal) else node.vector)
    if isinstance(node, Diagonal):
        status = lib.GxB_Vector_diag(given, vector.gb_obj[0], node.k, NULL)
    elif node.form == "diagonal":
        status = lib.GxB_Matrix_diag(given, vector.gb_obj[0], node.k, NULL)
    else:
        row = node.form == "row"
        everywhere = lib.GrB_ALL, node.vector.shape[0]
        line = (0, *everywhere) if row else (*everywhere, 0)
        assign = lib.GrB_Row_assign if row else lib.GrB_Col_assign
        status = assign(given, NULL, NULL, vector.gb_obj[0], *line, NULL)
    if status:
        check_status(status, [target])
    return True


def select(node: Select, update: Update) -> Call | None:
    dtype, thunk = node.operand.dtype, node.thunk_type
    op = chooser(node.op, dtype)
    if op is None or node.input != dtype:
        return None
    operands = op, lower.value(node.operand), types.cast(node.thunk, thunk).item()
    return function("select", len(node.shape), thunk), operands, AS_IS


@functools.cache
def chooser(op: IndexUnaryOp, dtype: np.dtype) -> Any | None:
    """SuiteSparse's operator that selects entries of this type, or None."""
    found = None if op.graphblas is None or types.is_record(dtype) else lower.selector(op)
    if found is not None and not op.reads_x and op.typed is None:
        return found["BOOL"].gb_obj  # by position, whatever the type
    return found[types.name(dtype)].gb_obj if found is not None and dtype in found.types else None


@functools.lru_cache(maxsize=16)
def ones(size: int) -> Any:
    """A vector with 1 at each position, which SuiteSparse stores as one value."""
    return gb.Vector.from_scalar(1, size, "INT64")


def counted(node: Reduce) -> Any | None:
    """The container whose entries a reduction counts, or takes one of: it folds ones. Otherwise
    None."""
    entries = node.operand
    counts = node.monoid in (MONOIDS["plus"], MONOIDS["any"])
    if not counts or not isinstance(entries, Apply) or entries.op != ONE_EACH:
        return None
    return None if isinstance(entries.operand, Expression) else entries.operand


def reduce(node: Reduce, update: Update) -> Call | None:
    if node.rowwise and (A := counted(node)) is not None:
        rows, transposed = lower.as_it_is_stored(A)
        count = c_operator(SEMIRINGS[f"{node.monoid.name}_pair"], types.INT64, types.INT64)
        how = FIRST_TRANSPOSED if transposed else AS_IS
        return lib.GrB_mxv, (count, rows, ones(A.shape[1])), how
    A = node.operand
    monoid = c_operator(node.monoid, A.dtype) if node.rowwise else None
    if monoid is None:
        return None
    stored, transposed = lower.as_it_is_stored(A)
    rows = lower.without_empty_rows(stored)
    return lib.GrB_Matrix_reduce_Monoid, (monoid, rows), FIRST_TRANSPOSED if transposed else AS_IS


def product(node: Product, update: Update) -> Call | None:
    """The call for a product of two matrices, or None."""
    if node.kind != "mxm" or not lower.simple(node):
        return None
    both = in_one_type(node.semiring, node.left.dtype, node.right.dtype)
    if both is None:
        return None
    semiring, common = both
    by_columns = dots.transpose(node, update.mask)
    left = lower.value(node.left)
    right = lower.value(node.right) if by_columns is None else by_columns
    left = of_type(left, common) if node.semiring.reads_left else left
    right = of_type(right, common) if node.semiring.reads_right else right
    return lib.GrB_mxm, (semiring, left, right), AS_IS if by_columns is None else SECOND_TRANSPOSED


KINDS: dict[type, Callable[[Any, Update], Call | None]] = {
    Ewise: ewise, Apply: apply, Fill: fill, Select: select, Reduce: reduce, Product: product,
    OfVector: without_mask, Diagonal: without_mask, Extract: extract, Kronecker: kronecker,
}  # fmt: skip


# --- to a number -----------------------------------------------------------------------------
def folded(node: Reduce) -> Any:
    """The result of a reduction to a scalar; None if there are no entries."""
    if (entries := counted(node)) is not None:
        found = count(lower.value(entries))
        found = found if node.monoid == MONOIDS["plus"] else min(found, 1)
        return found if found or node.or_identity else None
    operand, dtype, axes = lower.value(node.operand), node.operand.dtype, len(node.operand.shape)
    if not node.or_identity and count(operand) == 0:
        return None
    if not types.is_record(dtype) and (monoid := c_operator(node.monoid, dtype)) is not None:
        return fold(operand, axes, monoid, dtype)
    reduce = operand.reduce if axes == 1 else operand.reduce_scalar
    if types.is_record(dtype) and count(operand):
        # Records fold by any alone, and that of python-graphblas answers with its own identity.
        return reduce(gb.agg.ss.first).new().value
    return reduce(lower.typed(node.monoid, dtype, dtype), allow_empty=False).new().value


def fold(operand: Any, axes: int, monoid: Any, dtype: np.dtype) -> Any:
    """⊕ over all entries of a vector or a matrix."""
    answer = ffi.new(room(dtype))
    given = answer, NULL, monoid, operand.gb_obj[0], NULL
    status = function("reduce", axes, dtype)(*given)
    if status:
        check_status(status, [operand])
    return answer[0]


@functools.cache
def room(dtype: np.dtype) -> Any:
    """The C type of a pointer to a scalar of this type."""
    return ffi.typeof(f"{gb.dtypes.lookup_dtype(dtype).c_type}*")
