"""Sparse arrays of the library `sparse` (PyData), under the names of `graphblas.io`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from lagraph_gpu.backend import Backend, BackendName
from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, WrongType, brief, required
from lagraph_gpu.memory import guarded
from lagraph_gpu.notation import Matrix, Vector


@guarded
def from_pydata_sparse(
    s: Any,
    *,
    dup_op: Any = None,
    backend: BackendName | Backend | None = None,
    name: str | None = None,
) -> Vector | Matrix:
    """Make a vector or a matrix from an array of the library `sparse`.

    Parameters
    ----------
    s : sparse.SparseArray
        The array, of one axis or two: COO, GCXS or DOK.
    dup_op : BinaryOp, Monoid or str, optional
        How to combine the values of a position that is given twice. By default that is an error.
    backend : str or Backend, optional
        Where the result is stored. By default the backend in force.
    name : str, optional
        A name for the result, which is shown where it is printed.

    Returns
    -------
    Vector or Matrix
        The stored entries, explicit zeros among them.

    Raises
    ------
    MissingPackage
        The library cannot be imported.
    WrongType
        `s` is no array of the library.
    DimensionMismatch
        It has more than two axes.
    """
    sparse = required("sparse", "arrays of the library sparse", "sparse")

    if not isinstance(s, sparse.SparseArray):
        raise WrongType(f"expected an array of the library sparse, got {brief(s)}")
    if s.ndim not in (1, 2):
        raise DimensionMismatch(f"expected an array of one axis or two, got shape {s.shape}")
    coo = s.asformat("coo")
    if coo.fill_value:
        raise InvalidValue(
            f"expected an array whose other elements are 0, got fill_value={brief(coo.fill_value)}"
        )
    rest: dict[str, Any] = {"dup_op": dup_op, "backend": backend, "name": name}
    coords, data = np.asarray(coo.coords), np.asarray(coo.data)
    if s.ndim == 1:
        return Vector.from_coo(coords[0], data, size=s.shape[0], **rest)
    rows, columns = coords
    return Matrix.from_coo(rows, columns, data, nrows=s.shape[0], ncols=s.shape[1], **rest)


@guarded
def to_pydata_sparse(A: Any, format: Literal["coo", "gcxs"] = "coo") -> Any:
    """Make an array of the library `sparse` from a vector or a matrix.

    Parameters
    ----------
    A : Vector or Matrix
        The container.
    format : {"coo", "gcxs"}, optional
        The class of the array: COO, or GCXS.

    Returns
    -------
    sparse.COO or sparse.GCXS
        The array, with 0 where there is no entry.

    Raises
    ------
    MissingPackage
        The library cannot be imported.
    InvalidValue
        The format is unknown.
    """
    sparse = required("sparse", "arrays of the library sparse", "sparse")

    if not isinstance(A, (Vector, Matrix)):
        raise WrongType(f"expected a vector or a matrix, got {brief(A)}")
    if not is_one_of(format, ("coo", "gcxs")):
        raise InvalidValue(f"expected format as coo or gcxs, got {brief(format)}")
    *places, values = A.to_coo()
    made = sparse.COO(np.stack(places), values, shape=A.shape, has_duplicates=False, sorted=True)
    return made if format == "coo" else made.asformat("gcxs")
