"""Vectors: n positions, some of which hold an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.build import coordinates, fold_duplicates, typed_values
from lagraph_gpu.checks import expect_kind
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, TooLarge, WrongType
from lagraph_gpu.expr import Kronecker, OfVector, Product, binary_of
from lagraph_gpu.handle import Handle
from lagraph_gpu.indexing import axes_of
from lagraph_gpu.part import Part
from semirings import types
from semirings.algebra import BinaryOp, Monoid, Semiring
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.matrix import Matrix


class Vector(Handle):
    """A sparse vector in python-graphblas' notation, on the backend in force.

    Parameters: ``dtype`` (a NumPy dtype or a name such as "FP32"), ``size`` ≥ 0.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     v = lg.Vector.from_coo([1, 3], [0.5, 2.0], size=5)
    >>> v.nvals, v[3].get(), v[0].get("nothing")
    (2, 2.0, 'nothing')
    """

    def __init__(self, dtype: Any, size: int = 0, *, backend: str | Backend | None = None) -> None:
        self.dtype, self.shape = types.lookup(dtype), (check_size(size),)
        self.backend = resolve(backend)
        self._store = self.backend.empty(self.shape, self.dtype)

    @property
    def size(self) -> int:
        return self.shape[0]

    # --- in and out --------------------------------------------------------------------------
    @classmethod
    def from_coo(
        cls,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        size: int | None = None,
        dup_op: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from indices and as many values (or one value for all).

        ``size`` defaults to the largest index plus one. An index given twice is an error unless
        ``dup_op`` (a binary operator or a monoid) says how to combine. O(m log m).
        """
        index = coordinates(indices, size, "index")
        size = check_size(int(index.max(initial=-1)) + 1 if size is None else size)
        value = typed_values(values, index.size, dtype)
        index, value = fold_duplicates(index, np.broadcast_to(value, index.shape), dup_op)
        return cls._built(size, index, value, resolve(backend))

    @classmethod
    def _built(cls, size: int, index: np.ndarray, value: np.ndarray, backend: Backend) -> Self:
        twin = object.__new__(cls)
        twin.shape, twin.dtype, twin.backend = (size,), value.dtype, backend
        twin._store = backend.build_vector(size, index, value)
        return twin

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from a one-dimensional array; positions equal to ``missing_value`` stay empty."""
        dense = np.asarray(values)
        if dense.ndim != 1:
            raise DimensionMismatch(f"expected a one-dimensional array, got shape {dense.shape}")
        dense = typed_values(dense, dense.size, dtype)
        present = np.ones(dense.size, bool) if missing_value is None else dense != missing_value
        index = np.flatnonzero(present)
        return cls._built(check_size(dense.size), index, dense[index], resolve(backend))

    @classmethod
    def from_scalar(
        cls, value: Any, size: int, dtype: Any = None, *, backend: str | Backend | None = None
    ) -> Self:
        """A full vector of one value."""
        return cls.from_dense(np.full(size, value, dtype and types.lookup(dtype)), backend=backend)

    def to_coo(self) -> tuple[np.ndarray, np.ndarray]:
        """(indices, values) by increasing index, as NumPy arrays (waits)."""
        return self.backend.vector_entries(self._store)

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """All positions as one NumPy array; where there is no entry, ``fill_value`` (waits)."""
        index, value = self.to_coo()
        if fill_value is None and index.size < self.size:
            raise WrongType(
                f"expected fill_value for the {self.size - index.size} positions without an entry"
            )
        dense = np.full(self.size, 0 if fill_value is None else fill_value,
                        types.lookup(dtype) if dtype is not None else self.dtype)  # fmt: skip
        dense[index] = value
        return dense

    def to(self, which: str | Backend) -> Vector:
        """This vector on another backend (itself if it is there already)."""
        target = resolve(which)
        if target is self.backend:
            return self
        return Vector._built(self.size, *self.to_coo(), target)

    # --- elements ----------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Part:
        return Part(self, index)

    def get(self, index: int, default: Any = None) -> Any:
        """The value at an index, or ``default`` where there is no entry (waits)."""
        (position,) = axes_of(index, self.shape)
        expect_kind(position, int, "one integer index to read a value")
        found = self.backend.vector_get(self._store, position)  # type: ignore[arg-type]
        return default if found is None else found

    # --- operations as values ----------------------------------------------------------------
    def vxm(self, A: Any, semiring: Semiring) -> Product:
        """u ⊕.⊗ A, the row vector times the matrix."""
        return Product(self, A, semiring)

    def outer(self, other: Any, op: BinaryOp | Monoid = BINARY["times"]) -> Kronecker:
        """The matrix of op(u(i), v(j))."""
        return Kronecker(OfVector(self, "column"), OfVector(other, "row"), binary_of(op))

    def diag(self, k: int = 0) -> Matrix:
        """The square matrix with this vector on its k-th diagonal, to the right of the main one.

        With k = 0 it is a factor that scales the rows or columns of a matrix.
        """
        return OfVector(self, "diagonal", check_offset(k)).new()

    def __repr__(self) -> str:
        name = types.name(self.dtype)
        return f"Vector({name}, size={self.size}, backend={self.backend.name!r})"


def check_size(size: Any) -> int:
    """A size this library can index: ids are 32-bit integers inside."""
    if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 0:
        raise DimensionMismatch(f"expected a size as an integer of at least 0, got {size!r}")
    if size >= 2**31:
        raise TooLarge(f"expected fewer than 2**31 = 2147483648 positions, got {size}")
    return int(size)


def check_offset(k: Any) -> int:
    """The number of a diagonal."""
    if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or abs(int(k)) >= 2**31:
        raise InvalidValue(f"expected the number of a diagonal as an integer, got {k!r}")
    return int(k)
