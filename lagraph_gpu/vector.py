"""Vectors: n positions, some of which hold an entry."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.build import coordinates, fold_duplicates, typed_values
from lagraph_gpu.errors import DimensionMismatch, TooLarge, WrongType
from lagraph_gpu.expr import Apply, Diagonal, Extract, Product
from lagraph_gpu.handle import Handle, Updater, indices_of, is_all
from lagraph_gpu.scalar import Scalar
from semirings import types
from semirings.algebra import Semiring
from semirings.operators import UNARY


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
    def __getitem__(self, index: Any) -> VectorPart:
        return VectorPart(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        Updater(self)[index] << value

    def __delitem__(self, index: Any) -> None:
        """Remove the entries at an index, a slice or a list of indices."""
        if is_all(index):
            return self.clear()
        gone = indices_of(index, self.size)
        Updater(self)[gone] << Vector(self.dtype, gone.size, backend=self.backend)

    # --- operations as values ----------------------------------------------------------------
    def vxm(self, A: Any, semiring: Semiring) -> Product:
        """u ⊕.⊗ A, the row vector times the matrix."""
        return Product(self, A, semiring)

    def diag(self) -> Diagonal:
        """The square matrix with this vector on its diagonal: a factor that scales a matrix."""
        return Diagonal(self)

    def __repr__(self) -> str:
        name = types.name(self.dtype)
        return f"Vector({name}, size={self.size}, backend={self.backend.name!r})"


class VectorPart:
    """``v[index]``: one element to read, or a part to extract or to assign to."""

    def __init__(self, vector: Vector, index: Any) -> None:
        self._vector, self._index = vector, index

    def get(self, default: Any = None) -> Any:
        """The value at a single index, or ``default`` where there is no entry (waits)."""
        position = self._position()
        found = self._vector.backend.vector_get(self._vector._store, position)
        return default if found is None else found

    @property
    def value(self) -> Any:
        return self.get()

    def new(self, dtype: Any = None) -> Any:
        """A Scalar for a single index, else the Vector v(I)."""
        vector = self._vector
        if isinstance(self._index, (int, np.integer)):
            out = Scalar(dtype or vector.dtype, backend=vector.backend)
            found = self.get()
            out._store = None if found is None else out.dtype.type(found)
            return out
        if is_all(self._index):
            return Apply(vector, UNARY["identity"]).new(dtype)
        index = indices_of(self._index, vector.size, unique=False)
        return Extract(vector, index).new(dtype)

    def __lshift__(self, expression: Any) -> None:
        Updater(self._vector)[self._index] << expression

    def __bool__(self) -> bool:
        raise WrongType("the truth of v[i] is not defined; read the value with v[i].get(default)")

    def __eq__(self, other: object) -> bool:
        raise WrongType("expected v[i].get() == x to compare a value, got v[i] == x")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"VectorPart({self._vector!r}, {self._index!r})"

    def __call__(self, *settings: Any, **named: Any) -> Updater:
        raise WrongType("expected the mask before the index: w(mask)[I] << u")

    def _position(self) -> int:
        index = self._index
        if not isinstance(index, (int, np.integer)) or isinstance(index, bool):
            raise WrongType(f"expected one integer index to read a value, got {index!r}")
        return int(indices_of(index, self._vector.size)[0])


def check_size(size: Any) -> int:
    """A size this library can index: ids are 32-bit integers inside."""
    if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 0:
        raise DimensionMismatch(f"expected a size as an integer of at least 0, got {size!r}")
    if size >= 2**31:
        raise TooLarge(f"expected fewer than 2**31 = 2147483648 positions, got {size}")
    return int(size)
