"""SciPy's sparse arrays under the names that ``graphblas.io`` has for them."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.backend import Backend
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector


def from_scipy_sparse(
    A: Any, *, dup_op: Any = None, backend: str | Backend | None = None
) -> Matrix:
    """``Matrix.from_scipy_sparse``, as python-graphblas spells it."""
    return Matrix.from_scipy_sparse(A, dup_op=dup_op, backend=backend)


def to_scipy_sparse(A: Matrix | Vector, format: str = "csr") -> Any:
    """``A.to_scipy_sparse``, as python-graphblas spells it.

    >>> import lagraph_gpu as lg
    >>> lg.io.to_scipy_sparse(lg.Vector.from_coo([1], [5], backend="cpu")).toarray().tolist()
    [[0, 5]]
    """
    return A.to_scipy_sparse(format)
