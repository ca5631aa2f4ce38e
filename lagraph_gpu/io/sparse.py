"""Functions for SciPy's sparse arrays, with the names that they have in `graphblas.io`."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.backend import Backend, BackendName
from lagraph_gpu.convert.options import SparseFormat
from lagraph_gpu.memory import guarded
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.notation.computed import Computed


@guarded
def from_scipy_sparse(
    A: Any,
    *,
    dup_op: Any = None,
    backend: BackendName | Backend | None = None,
    name: str | None = None,
) -> Matrix:
    """Make a matrix of a sparse array, by the name that python-graphblas has for it.

    Parameters
    ----------
    A : SciPy or cupyx sparse array
        The entries.
    dup_op : BinaryOp, Monoid or str, optional
        How to combine the values of a position that is given twice. By default they are summed, as
        in SciPy.
    backend : str or Backend, optional
        Where the result is stored. By default the backend in force.
    name : str, optional
        A name for the result, which is shown where it is printed.

    Returns
    -------
    Matrix
        The matrix with these entries.
    """
    return Matrix.from_scipy_sparse(A, dup_op=dup_op, backend=backend, name=name)


@guarded
def to_scipy_sparse(A: Matrix | Vector, format: SparseFormat = "csr") -> Any:
    """Make a sparse array of a matrix or vector, by the name that python-graphblas has for it.

    Parameters
    ----------
    A : Matrix or Vector
        The container.
    format : str, optional
        The format of SciPy.

    Returns
    -------
    SciPy sparse array
        An array of the same entries.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.io.to_scipy_sparse(lg.Vector.from_coo([1], [5], backend="cpu")).toarray().tolist()
    [[0, 5]]
    """
    A = A.new() if isinstance(A, Computed) else A
    expect_kind(A, (Vector, Matrix), "a vector or a matrix")
    return A.to_scipy_sparse(format)
