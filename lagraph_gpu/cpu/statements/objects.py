"""Vectors and matrices of SuiteSparse as python-graphblas holds them: made, copied and asked.

python-graphblas takes several microseconds for each of these, as long as SuiteSparse takes for a
statement of a hundred entries.
"""

from __future__ import annotations

import math
import weakref
from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import NULL, ffi, lib
from graphblas.exceptions import check_status, check_status_carg
from suitesparse_graphblas.utils import unclaim_buffer  # type: ignore[import-untyped]

from lagraph_gpu.memory import expect_room
from semirings import types

VECTOR, MATRIX, COUNT, CHOICE, TRUTH = map(
    ffi.typeof, ("GrB_Vector*", "GrB_Matrix*", "uint64_t*", "int32_t*", "bool*")
)
WORD = 8
"""The bytes of an index of SuiteSparse 9, and of a row offset."""

KINDS: dict[np.dtype, Any] = {dtype: gb.dtypes.lookup_dtype(dtype.name) for dtype in types.EVERY}
"""python-graphblas' types, except those of users, which are registered by name."""


def kind_of(dtype: np.dtype) -> Any:
    """The type of python-graphblas."""
    return KINDS.get(dtype) or gb.dtypes.lookup_dtype(types.name(dtype))


# --- made ------------------------------------------------------------------------------------
class Weakly(weakref.ref[Any]):
    """The `ss` of a container of python-graphblas that does not keep the container alive. It makes
    python-graphblas' own when something is asked of it, which few statements do."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        held: Any = self()
        return getattr(type(held).ss(held), name)


def without_cycle(held: Any) -> Any:
    """The container of python-graphblas, whose `ss` refers to it weakly from now on. Otherwise the
    two refer to each other, and its memory is not freed until the collector of cycles comes."""
    held.ss = Weakly(held)
    return held


def with_cycle(held: Any) -> Any:
    """The container of python-graphblas, which its `ss` keeps alive again, for a user: `A.ss` of
    one without another name must work."""
    held.ss = type(held).ss(held)
    return held


def wrapped_vector(handle: Any, kind: Any, size: int) -> gb.Vector:
    """A new vector of SuiteSparse as a vector of python-graphblas, without a cycle."""
    held = object.__new__(gb.Vector)
    held.gb_obj, held.dtype, held.name, held._parent, held._size = handle, kind, "v", None, size
    return without_cycle(held)


def wrapped_matrix(handle: Any, kind: Any, nrows: int, ncols: int) -> gb.Matrix:
    """A new matrix of SuiteSparse as a matrix of python-graphblas, without a cycle."""
    held = object.__new__(gb.Matrix)
    held.gb_obj, held.dtype, held.name, held._parent = handle, kind, "M", None
    held._nrows, held._ncols = nrows, ncols
    return without_cycle(held)


def empty_vector(size: int, dtype: np.dtype) -> gb.Vector:
    """A vector without entries."""
    handle, kind = ffi.new(VECTOR), kind_of(dtype)
    if status := lib.GrB_Vector_new(handle, kind._carg, size):
        check_status_carg(status, "Vector", handle[0])
    return wrapped_vector(handle, kind, size)


def empty_matrix(shape: tuple[int, ...], dtype: np.dtype) -> gb.Matrix:
    """A matrix without entries."""
    handle, kind = ffi.new(MATRIX), kind_of(dtype)
    if status := lib.GrB_Matrix_new(handle, kind._carg, *shape):
        check_status_carg(status, "Matrix", handle[0])
    return wrapped_matrix(handle, kind, *shape)


def empty(shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """A vector or a matrix without entries."""
    return empty_vector(shape[0], dtype) if len(shape) == 1 else empty_matrix(shape, dtype)


def of_rows(
    begins: np.ndarray, columns: np.ndarray, values: np.ndarray, ncols: int, iso: bool
) -> gb.Matrix:
    """A matrix of compressed rows in which columns rise, with copies of the arrays. Where it is
    ``iso``, all entries have the first value. python-graphblas takes several times as long for
    short ones."""
    held = values[:1] if iso else values
    kept = begins.astype(np.uint64), columns.astype(np.uint64), held.copy()
    return taken_over(lib.GxB_Matrix_import_CSR, (begins.size - 1, ncols), kept, iso, False)


def of_all_values(values: np.ndarray, ncols: int) -> gb.Matrix:
    """A matrix with an entry at each position, with a copy of these values row by row. SuiteSparse
    multiplies it in less time than one whose columns are listed."""
    shape = values.size // ncols, ncols
    return taken_over(lib.GxB_Matrix_import_FullR, shape, (values.flatten(),), False)


def taken_over(
    take: Any, shape: tuple[int, int], arrays: tuple[np.ndarray, ...], *how: bool
) -> gb.Matrix:
    """A matrix of arrays of indices, if any, and of values, which SuiteSparse takes over. NumPy has
    made them, and nobody else holds them."""
    kind, handle = kind_of(arrays[-1].dtype), ffi.new(MATRIX)
    given = [
        ffi.new(f"{c_type}**", ffi.from_buffer(f"{c_type}*", array))
        for c_type, array in zip(("GrB_Index", "GrB_Index", "void")[-len(arrays) :], arrays)
    ]
    sizes = [array.nbytes for array in arrays]
    status = take(handle, kind._carg, *shape, *given, *sizes, *how, NULL)
    check_status_carg(status, "Matrix", handle[0])
    for array in arrays:
        unclaim_buffer(array)  # SuiteSparse frees it
    return wrapped_matrix(handle, kind, *shape)


def copied(held: Any) -> Any:
    """A copy of a vector or a matrix. SuiteSparse first does the work that it has deferred."""
    given = held.gb_obj[0]
    if held.ndim == 1:
        handle = ffi.new(VECTOR)
        check_status(lib.GrB_Vector_dup(handle, given), held)
        return wrapped_vector(handle, held.dtype, held._size)
    handle = ffi.new(MATRIX)
    check_status(lib.GrB_Matrix_dup(handle, given), held)
    return wrapped_matrix(handle, held.dtype, held._nrows, held._ncols)


def converted(held: Any, dtype: np.dtype) -> Any:
    """A copy of a vector or a matrix in another type."""
    made, places = empty(held.shape, dtype), everywhere(held.shape)
    assign = lib.GrB_Vector_assign if held.ndim == 1 else lib.GrB_Matrix_assign
    check_status(assign(made.gb_obj[0], NULL, NULL, held.gb_obj[0], *places, NULL), made)
    return made


def of_type(held: Any, dtype: np.dtype) -> Any:
    """The vector or matrix in this type: as it is, or converted."""
    return held if held.dtype.np_type == dtype else converted(held, dtype)


def everywhere(shape: tuple[int, ...]) -> list[Any]:
    """SuiteSparse's arguments for all positions of a vector or a matrix."""
    return [x for size in shape for x in (lib.GrB_ALL, size)]


def as_list(held: Any) -> Any:
    """The vector or matrix, which stores a list of its entries from now on."""
    vector, given = held.ndim == 1, held.gb_obj[0]
    choose = lib.GxB_Vector_Option_set_INT32 if vector else lib.GxB_Matrix_Option_set_INT32
    check_status(choose(given, lib.GxB_SPARSITY_CONTROL, lib.GxB_SPARSE), held)
    finish(held)
    return held


def finish(held: Any) -> None:
    """Let SuiteSparse do the work that it has deferred."""
    wait = lib.GrB_Vector_wait if held.ndim == 1 else lib.GrB_Matrix_wait
    if status := wait(held.gb_obj[0], lib.GrB_MATERIALIZE):
        check_status(status, held)


# --- asked -----------------------------------------------------------------------------------
def count(held: Any) -> int:
    """The number of entries. SuiteSparse first does the work that it has deferred."""
    answer = ffi.new(COUNT)
    ask = lib.GrB_Vector_nvals if held.ndim == 1 else lib.GrB_Matrix_nvals
    if status := ask(answer, held.gb_obj[0]):
        check_status(status, held)
    return int(answer[0])


def expect_entries_fit(held: Any, n: int, ids: int = 1) -> None:
    """Raise TooLarge if there is no room for arrays of the values of n entries and of so many ids
    of each. A vector or a matrix may hold a single value for all of them."""
    kind = "vector" if held.ndim == 1 else "matrix"
    expect_room((8 * ids + held.dtype.np_type.itemsize) * n, f"the {n:,} entries of a {kind}")


def option(held: Any, name: int) -> int:
    """How SuiteSparse stores a vector or a matrix, in this respect."""
    answer = ffi.new(CHOICE)
    vector = held.ndim == 1
    ask = lib.GxB_Vector_Option_get_INT32 if vector else lib.GxB_Matrix_Option_get_INT32
    ask(held.gb_obj[0], name, answer)
    return int(answer[0])


def is_full(held: Any) -> bool:
    """True if SuiteSparse stores the values alone, once it has done what it has deferred."""
    count(held)
    return option(held, lib.GxB_SPARSITY_STATUS) == lib.GxB_FULL


def is_list(held: Any) -> bool:
    """True if SuiteSparse stores a list of the entries."""
    return option(held, lib.GxB_SPARSITY_STATUS) in (lib.GxB_SPARSE, lib.GxB_HYPERSPARSE)


def is_hypersparse(held: Any) -> bool:
    """True if SuiteSparse lists the rows, or columns, that have entries."""
    return option(held, lib.GxB_SPARSITY_STATUS) == lib.GxB_HYPERSPARSE


def is_iso(held: Any) -> bool:
    """True if SuiteSparse stores one value for all entries."""
    answer = ffi.new(TRUTH)
    (lib.GxB_Vector_iso if held.ndim == 1 else lib.GxB_Matrix_iso)(answer, held.gb_obj[0])
    return bool(answer[0])


def is_full_of_one(held: Any) -> bool:
    """True if there is an entry at each position, and SuiteSparse stores one value for all."""
    return is_iso(held) and count(held) == math.prod(held.shape)
