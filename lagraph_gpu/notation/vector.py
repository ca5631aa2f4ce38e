"""Vectors: n positions, some of which hold an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.convert.build import check_size
from lagraph_gpu.errors import DomainMismatch, InvalidValue
from lagraph_gpu.notation.checks import expect_kind, is_integer
from lagraph_gpu.notation.expressions import Expression, Kronecker, OfVector, Product, binary_of
from lagraph_gpu.notation.indexed import Part
from lagraph_gpu.notation.indexing import axes_of
from lagraph_gpu.notation.selector import Selector
from lagraph_gpu.notation.vector_data import VectorData
from semirings import types
from semirings.algebra import BinaryOp, Monoid, Semiring
from semirings.names import lookup

if TYPE_CHECKING:
    from lagraph_gpu.notation.matrix import Matrix


class Vector(VectorData):
    """A sparse vector in python-graphblas' notation, on the backend in force.

    Parameters: ``dtype`` (a NumPy dtype or a name such as "FP32"), ``size`` ≥ 0.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([1, 3], [0.5, 2.0], size=5)
    >>> v.nvals, v[3].get(), v[0].get("nothing")
    (2, 2.0, 'nothing')
    """

    def __init__(
        self, dtype: Any = types.FP64, size: int = 0, *, backend: str | Backend | None = None
    ) -> None:
        self.dtype, self.shape = types.lookup(dtype), (check_size(size),)
        self.backend = resolve(backend)
        self._store = self.backend.empty(self.shape, self.dtype)

    def resize(self, size: int) -> None:
        """Change the size in place; entries beyond the new one are lost."""
        self._resize(size)

    # --- elements ----------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Part:
        return Part(self, index)

    def __contains__(self, index: Any) -> bool:
        """Is there an entry at this index (waits)?"""
        expect_kind(index, (int, np.integer), "one integer index to look for")
        return self.get(index) is not None

    def get(self, index: int, default: Any = None) -> Any:
        """The value at an index, or ``default`` where there is no entry (waits)."""
        (position,) = axes_of(index, self.shape)
        expect_kind(position, int, "one integer index to read a value")
        found = self.backend.vector_get(self._store, position)  # type: ignore[arg-type]
        return default if found is None else found

    # --- operations as values ----------------------------------------------------------------
    def vxm(self, other: Any, op: Semiring | str = "plus_times") -> Product:
        """u ⊕.⊗ A, the row vector times the matrix."""
        return Product(self, other, lookup("semiring", op))

    def inner(self, other: Any, op: Semiring | str = "plus_times") -> Expression:
        """⊕ over u(k) ⊗ v(k), a scalar."""
        return lookup("semiring", op)(self @ other)

    def outer(self, other: Any, op: BinaryOp | Monoid | str = "times") -> Kronecker:
        """The matrix of op(u(i), v(j))."""
        return Kronecker(OfVector(self, "column"), OfVector(other, "row"), binary_of(op))

    def reposition(self, offset: int, *, size: int | None = None) -> Expression:
        """Every entry moved from i to i + offset, in a vector of ``size`` (by default this one's);
        what falls outside is lost.

        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2], [5, 6], size=3, backend="cpu")
        >>> v.reposition(1).new().to_dict(), v.reposition(1, size=4).new().to_dict()
        ({1: 5}, {1: 5, 3: 6})
        """
        from lagraph_gpu.notation.composites import Moved

        return Moved(self, (offset,), (check_size(self.size if size is None else size),))

    def diag(self, k: int = 0) -> Matrix:
        """The square matrix with this vector on its k-th diagonal, to the right of the main one.

        With k = 0 it is a factor that scales the rows or columns of a matrix.
        """
        return OfVector(self, "diagonal", check_offset(k)).new()

    def selector(self, ncols: int | None = None) -> Matrix:
        """The matrix S with a true entry at (i, v(i)) for each entry; ``ncols`` is the size unless
        given.

        Products with it move entries to places that are known only as values:
        ``any_second(S @ x)`` reads x(v(i)), and ``min_first(y @ S)`` folds y(i) into position v(i).
        Raises IndexOutOfBound unless all values are integers from 0 to ncols - 1 (waits).

        >>> import lagraph_gpu as lg
        >>> from semirings import any_second, min_first
        >>> with lg.backend("cpu"):
        ...     v, x = lg.Vector.from_dense([1, 1, 0]), lg.Vector.from_dense([5, 6, 7])
        >>> any_second(v.selector() @ x).new().to_dense().tolist()
        [6, 6, 5]
        >>> min_first(x @ v.selector()).new().to_dict()
        {0: 7, 1: 5}
        """
        if self.dtype.kind not in "iu":
            raise DomainMismatch(
                f"expected integers to select columns by, got {types.name(self.dtype)}"
            )
        return Selector(self, check_size(self.size if ncols is None else ncols)).new()

    def __repr__(self) -> str:
        name = types.name(self.dtype)
        return f"Vector({name}, size={self.size}, backend={self.backend.name!r})"


def check_offset(k: Any) -> int:
    """The number of a diagonal."""
    if not is_integer(k) or abs(int(k)) >= 2**31:
        raise InvalidValue(f"expected the number of a diagonal as an integer, got {k!r}")
    return int(k)
