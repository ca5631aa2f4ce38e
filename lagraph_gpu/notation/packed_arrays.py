"""Operations that read packed rows out of a matrix, and make a matrix of them."""

from __future__ import annotations

from lagraph_gpu.backend import Backend
from lagraph_gpu.convert.packed_arrays import PackedArrays, check_packed, rows_of_packed
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation


@operation
def packed_arrays(A: Matrix) -> PackedArrays | None:
    """The arrays of a symmetric matrix that is stored in packed rows, on the host; None if it is
    not stored so, as on every backend without a lowering."""
    return None


@operation
def matrix_of_packed(backend: Backend, arrays: PackedArrays, n: int) -> Matrix:
    """The symmetric matrix of n rows in packed rows, which a lowering may store as they are. Raises
    InvalidValue if the arrays are no such rows."""
    nnz = check_packed(arrays, n)
    expect_room(4 * nnz + 8 * n, "the rows of a packed graph on a backend without packed rows")
    indptr, indices, value = rows_of_packed(arrays, n, nnz)
    iso = arrays.weights is None
    rows = indptr, indices, value[: min(nnz, 1)] if iso else value
    return Matrix._built((n, n), rows, backend, symmetric=True, iso=iso, adopt=True)
