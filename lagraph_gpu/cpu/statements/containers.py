"""Vectors and matrices made from the stores of the CPU backend."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import NULL, ffi, lib
from graphblas.exceptions import check_status, check_status_carg
from suitesparse_graphblas.utils import unclaim_buffer  # type: ignore[import-untyped]

from lagraph_gpu.cpu.statements import calls
from lagraph_gpu.cpu.statements.objects import (
    VECTOR,
    count,
    empty_vector,
    expect_entries_fit,
    finish,
    is_full,
    option,
    without_cycle,
    wrapped_vector,
)
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.arrays import Arrays
from semirings import types


def as_vector(of: Any, store: gb.Vector) -> Vector:
    """The store as a Vector, on the same backend as the container ``of``."""
    return Vector._stored(store, store._size, types.lookup(store.dtype.np_type), of.backend)


def as_matrix(of: Any, store: CpuMatrix) -> Matrix:
    """The store as a Matrix, on the same backend as the container ``of``."""
    held = store.given  # python-graphblas would ask SuiteSparse for the size of a matrix
    shape = (held._nrows, held._ncols) if isinstance(held, gb.Matrix) else (held.nrows, held.ncols)
    return Matrix._stored(store, shape, types.lookup(held.dtype.np_type), of.backend)


def vector_of(of: Any, values: np.ndarray, known: np.ndarray | None = None) -> Vector:
    """A Vector with the values at each position, or at those that are ``known``, on the same
    backend as the container ``of``. It takes over both arrays, and has no store before a statement
    needs one."""
    own = values if values.flags.owndata else values.copy()
    return Vector._of_arrays(Arrays(own, known, vector_of_arrays), of.backend)


def vector_of_arrays(values: np.ndarray, known: np.ndarray | None) -> gb.Vector:
    """The store of a vector of these values; see ``full`` and ``entries``."""
    return full(values) if known is None else entries(values, known)


def full(values: np.ndarray) -> gb.Vector:
    """A vector with a value at each position. It takes over the array, which NumPy has made, and
    which nobody else holds: python-graphblas would copy it, and takes ten times as long for a
    short one."""
    if not (values.size and values.flags.owndata):
        return without_cycle(gb.Vector.from_dense(values))
    dtype, handle = gb.dtypes.lookup_dtype(values.dtype), ffi.new(VECTOR)
    held = ffi.new("void**", ffi.from_buffer("void*", values))
    status = lib.GxB_Vector_import_Full(
        handle, dtype._carg, values.size, held, values.nbytes, False, NULL
    )
    check_status_carg(status, "Vector", handle[0])
    unclaim_buffer(values)  # SuiteSparse frees it
    return wrapped_vector(handle, dtype, values.size)


def sparse(index: np.ndarray, values: np.ndarray, size: int) -> gb.Vector:
    """A vector with these values at the positions of ``index``, which rise. It takes over the
    array of the values, as ``full`` does."""
    values = values if values.size and values.flags.owndata else np.array(values, ndmin=1)
    if not values.size:
        return empty_vector(size, values.dtype)
    places = index.astype(np.uint64)
    dtype, handle = gb.dtypes.lookup_dtype(values.dtype), ffi.new(VECTOR)
    at = ffi.new("GrB_Index**", ffi.from_buffer("GrB_Index*", places))
    held = ffi.new("void**", ffi.from_buffer("void*", values))
    sizes = at, held, places.nbytes, values.nbytes
    status = lib.GxB_Vector_import_CSC(
        handle, dtype._carg, size, *sizes, False, values.size, False, NULL
    )
    check_status_carg(status, "Vector", handle[0])
    unclaim_buffer(places)  # SuiteSparse frees both
    unclaim_buffer(values)
    return wrapped_vector(handle, dtype, size)


def built_vector(size: int, index: np.ndarray, values: np.ndarray) -> gb.Vector:
    """A vector with these values at different positions (UINT64)."""
    kind = types.lookup(values.dtype)
    if kind.kind not in "biuf":
        return without_cycle(gb.Vector.from_coo(index, values, kind.name, size=size))
    made = empty_vector(size, kind)
    places = ffi.from_buffer("GrB_Index[]", index)
    given = ffi.from_buffer(f"{kind.c_type}[]", np.ascontiguousarray(values))
    build = getattr(lib, f"GrB_Vector_build_{kind.name}")
    check_status_carg(
        build(made.gb_obj[0], places, given, index.size, NULL), "Vector", made.gb_obj[0]
    )
    return made


def read_element(store: gb.Vector | gb.Matrix, *place: int) -> Any:
    """The value at a position, or None."""
    kind = store.dtype
    if kind.np_type.kind not in "biuf":
        return store.get(*place)
    value = ffi.new(calls.room(kind.np_type))
    extract = calls.function("extractElement", store.ndim, kind.np_type)
    status = extract(value, store.gb_obj[0], *place)
    if status == lib.GrB_NO_VALUE:
        return None
    if status:
        check_status(status, store)
    return value[0]


def real(v: Vector, dtype: np.dtype = types.FP64) -> np.ndarray:
    """A new array of this type with the values of a vector, and 0 where there is no entry."""
    if (arrays := v._unstored()) is not None:
        values = arrays.values.astype(dtype)
        if arrays.known is not None:
            values[~arrays.known] = 0
        return values
    return real_of_store(v._store, dtype)


def real_of_store(store: gb.Vector, dtype: np.dtype) -> np.ndarray:
    """The same of a store."""
    values = all_values(store) if store.dtype.np_type == dtype else None
    return np.array(store.to_dense(fill_value=0.0), dtype) if values is None else values


def all_values(store: gb.Vector) -> np.ndarray | None:
    """A new array with the values of a vector that has an entry at each position; else None.
    python-graphblas would copy the vector first, and ask for its size and its entries."""
    if store.dtype.np_type.kind not in "biuf" or count(store) != store._size:
        return None
    expect_entries_fit(store, store._size)
    return _extracted(store, store._size)


def values_by_row(store: gb.Matrix) -> np.ndarray | None:
    """A new array with the values of a matrix of which SuiteSparse stores the values alone, row by
    row; else None. python-graphblas would list all columns first."""
    n = store._nrows * store._ncols  # with none, a matrix may be stored so, too
    by_row = store._ncols == 1 or option(store, lib.GxB_FORMAT) == lib.GxB_BY_ROW
    if n == 0 or store.dtype.np_type.kind not in "biuf" or not by_row or not is_full(store):
        return None
    expect_entries_fit(store, n, ids=0)
    return _extracted(store, n)


def indices_and_values(store: gb.Vector, n: int) -> tuple[np.ndarray, np.ndarray]:
    """New arrays of the indices (INT64) and the values of a vector with n entries."""
    kind = store.dtype
    if kind.np_type.kind not in "biuf":
        index, values = store.to_coo()
        return index.view(np.int64), values
    finish(store)  # in order
    places = np.empty(n, np.int64)
    return places, _extracted(store, n, ffi.from_buffer(calls.INDICES, places))


def _extracted(store: gb.Vector | gb.Matrix, n: int, *places: Any) -> np.ndarray:
    """A new array with the values of all n entries, as they are stored. Their positions are written
    into the buffers, if there are any."""
    values, taken = np.empty(n, store.dtype.np_type), ffi.new("GrB_Index*", n)
    into = ffi.from_buffer(f"{store.dtype.c_type}[]", values)
    extract = calls.function("extractTuples", store.ndim, store.dtype.np_type)
    status = extract(*(places or (NULL,) * store.ndim), into, taken, store.gb_obj[0])
    if status:
        check_status(status, store)
    return values


def entries(values: np.ndarray, known: np.ndarray) -> gb.Vector:
    """A vector with the values at the positions that are ``known``. It may take over the array of
    the values, as ``full`` does."""
    count = int(np.count_nonzero(known))
    if count == known.size:
        return full(values)
    bitmap = known.copy()
    if not values.flags.owndata:
        made = gb.Vector.ss.import_bitmap(
            bitmap=bitmap, values=values, nvals=count, take_ownership=True
        )
        return without_cycle(made)
    dtype, handle = gb.dtypes.lookup_dtype(values.dtype), ffi.new(VECTOR)
    bits = ffi.new("int8_t**", ffi.from_buffer("int8_t*", bitmap))
    held = ffi.new("void**", ffi.from_buffer("void*", values))
    sizes = values.size, bits, held, bitmap.nbytes, values.nbytes
    status = lib.GxB_Vector_import_Bitmap(handle, dtype._carg, *sizes, False, count, NULL)
    check_status_carg(status, "Vector", handle[0])
    unclaim_buffer(values)  # SuiteSparse frees both
    unclaim_buffer(bitmap)
    return wrapped_vector(handle, dtype, values.size)
