"""Matrices: nrows × ncols positions, stored by rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, Rows, resolve
from lagraph_gpu.build import compress, coordinates, fold_duplicates, typed_values
from lagraph_gpu.checks import expect, expect_kind
from lagraph_gpu.errors import DimensionMismatch, InvalidValue
from lagraph_gpu.expr import (
    Composite,
    Diagonal,
    Kronecker,
    Product,
    Reduce,
    Shape,
    Transposed,
    binary_of,
)
from lagraph_gpu.handle import Handle, named
from lagraph_gpu.indexing import axes_of
from lagraph_gpu.part import Part
from lagraph_gpu.vector import Vector, check_offset, check_size
from semirings import types
from semirings.algebra import BinaryOp, Monoid, Semiring
from semirings.catalogue import SEMIRINGS
from semirings.monoids import MONOIDS
from semirings.operators import BINARY


class Matrix(Handle):
    """A sparse matrix in python-graphblas' notation, on the backend in force.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 0, 2], [1, 2, 0], [5, 6, 7], nrows=3, ncols=3)
    >>> A.shape, A.nvals, A[0, 2].get(), A[1, 1].get("nothing")
    ((3, 3), 3, 6, 'nothing')
    """

    def __init__(
        self, dtype: Any, nrows: int = 0, ncols: int = 0, *, backend: str | Backend | None = None
    ) -> None:
        self.dtype, self.shape = types.lookup(dtype), (check_size(nrows), check_size(ncols))
        self.backend = resolve(backend)
        self._store = self.backend.empty(self.shape, self.dtype)

    @property
    def nrows(self) -> int:
        return self.shape[0]

    @property
    def ncols(self) -> int:
        return self.shape[1]

    @property
    def T(self) -> Transposed:
        """The transpose, as a way of reading; nothing is moved."""
        return Transposed(self)

    # --- in and out --------------------------------------------------------------------------
    @classmethod
    def from_coo(
        cls,
        rows: Any,
        columns: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from row ids, column ids and values (or one value for all entries).

        Sizes default to the largest id plus one. A position given twice is an error unless
        ``dup_op`` combines. O(m log m).
        """
        row, column = coordinates(rows, nrows, "row"), coordinates(columns, ncols, "column")
        if row.size != column.size:
            raise DimensionMismatch(
                f"expected as many rows as columns, got {row.size} and {column.size}"
            )
        nrows = check_size(int(row.max(initial=-1)) + 1 if nrows is None else nrows)
        ncols = check_size(int(column.max(initial=-1)) + 1 if ncols is None else ncols)
        value = typed_values(values, row.size, dtype)
        iso = value.size == 1 and row.size != 1 and np.ndim(values) == 0
        key, value = fold_duplicates(
            row * max(ncols, 1) + column, np.broadcast_to(value, row.shape), dup_op
        )
        row, column = np.divmod(key, max(ncols, 1))
        iso = iso and key.size > 0 and bool((value == value[0]).all())
        rows_ = compress(row, nrows), column, value[:1] if iso else value
        return cls._built((nrows, ncols), rows_, resolve(backend), iso=iso)

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        ncols: int,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from compressed rows; each row's column ids must be increasing. O(m)."""
        indptr, column = np.asarray(indptr, np.int64), coordinates(indices, ncols, "column")
        if indptr.ndim != 1 or indptr.size < 1 or indptr[0] != 0 or indptr[-1] != column.size:
            raise InvalidValue(f"expected indptr to run from 0 to {column.size}")
        if (np.diff(indptr) < 0).any():
            raise InvalidValue("expected indptr to be non-decreasing")
        row = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
        if ((np.diff(row) == 0) & (np.diff(column) <= 0)).any():
            raise InvalidValue(
                "expected increasing column ids in each row; sort them, or use from_coo"
            )
        value = typed_values(values, column.size, dtype)
        shape = check_size(indptr.size - 1), check_size(ncols)
        iso = np.ndim(values) == 0
        return cls._built(shape, (indptr, column, value), resolve(backend), iso=iso)

    @classmethod
    def _built(
        cls,
        shape: Shape,
        rows: Rows,
        backend: Backend,
        *,
        symmetric: bool = False,
        iso: bool = False,
    ) -> Self:
        twin = object.__new__(cls)
        twin.shape, twin.dtype, twin.backend = shape, rows[2].dtype, backend
        twin._store = backend.build_matrix(shape, rows, symmetric=symmetric, iso=iso)
        return twin

    @classmethod
    def from_scipy_sparse(cls, A: Any, *, backend: str | Backend | None = None) -> Self:
        """Build from any SciPy sparse array or matrix; duplicates are summed as SciPy does."""
        csr = A.tocsr(copy=True)
        csr.sum_duplicates()
        return cls.from_csr(csr.indptr, csr.indices, csr.data, ncols=csr.shape[1], backend=backend)

    def to_csr(self) -> Rows:
        """(indptr, indices, values) as NumPy arrays (waits)."""
        return self.backend.matrix_entries(self._store)

    def to_coo(self) -> Rows:
        """(rows, columns, values) by row and column, as NumPy arrays (waits)."""
        indptr, column, value = self.to_csr()
        return np.repeat(np.arange(self.nrows), np.diff(indptr)), column, value

    def to(self, which: str | Backend) -> Matrix:
        """This matrix on another backend (itself if it is there already)."""
        target = resolve(which)
        if target is self.backend:
            return self
        indptr, column, value = self.to_csr()
        bits = value.view(f"u{value.itemsize}")  # so that 0.0 and -0.0 are two values
        iso = value.size > 1 and bool((bits == bits[0]).all())
        rows = indptr, column, value[:1] if iso else value
        return Matrix._built(self.shape, rows, target, iso=iso)

    # --- elements ----------------------------------------------------------------------------
    def __getitem__(self, index: Any) -> Part:
        return Part(self, index)

    def get(self, row: int, column: int, default: Any = None) -> Any:
        """The value at a position, or ``default`` where there is no entry (waits)."""
        i, j = axes_of((row, column), self.shape)
        for axis in (i, j):
            expect_kind(axis, int, "a row and a column as integers to read a value")
        indptr, columns, values = self.to_csr()
        part = slice(indptr[i], indptr[i + 1])  # type: ignore[index, operator]
        at = np.flatnonzero(columns[part] == j)
        return values[part][at[0]].item() if at.size else default

    # --- operations as values ----------------------------------------------------------------
    def mxv(self, u: Any, semiring: Semiring) -> Product:
        """A ⊕.⊗ u, the matrix times the column vector."""
        return Product(self, u, semiring)

    def mxm(self, B: Any, semiring: Semiring) -> Product:
        """A ⊕.⊗ B, the product of two matrices."""
        return Product(self, B, semiring)

    def kronecker(self, other: Any, op: BinaryOp | Monoid = BINARY["times"]) -> Kronecker:
        """Every entry of this matrix op every entry of the other, as blocks."""
        return Kronecker(self, other, binary_of(op))

    def diag(self, k: int = 0) -> Vector:
        """The k-th diagonal, to the right of the main one, as a vector."""
        return Diagonal(self, check_offset(k)).new()

    def power(self, n: int, op: Semiring = SEMIRINGS["plus_times"]) -> Power:
        """A ⊕.⊗ A ⊕.⊗ … of n ≥ 0 factors, in O(log n) products.

        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"):
        ...     A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [2, 3, 5])
        >>> A.power(3).new().to_coo()[2].tolist()
        [30, 30, 30]
        """
        return Power(self, n, op)

    def reduce_rowwise(self, op: Monoid | str = "plus") -> Reduce:
        """⊕ over each row, to a vector; an empty row gives no entry."""
        return Reduce(self, named(MONOIDS, op, "a monoid"), rowwise=True)

    def reduce_columnwise(self, op: Monoid | str = "plus") -> Reduce:
        """⊕ over each column, to a vector; an empty column gives no entry."""
        return Reduce(self.T, named(MONOIDS, op, "a monoid"), rowwise=True)

    def reduce_scalar(self, op: Monoid | str = "plus") -> Reduce:
        """⊕ over all entries, to a scalar."""
        return self.reduce(op)

    def __repr__(self) -> str:
        shape, name = f"nrows={self.nrows}, ncols={self.ncols}", types.name(self.dtype)
        return f"Matrix({name}, {shape}, backend={self.backend.name!r})"


class Power(Composite):
    """A ⊕.⊗ A ⊕.⊗ … ⊕.⊗ A, by repeated squaring; the 0th power holds ⊗'s identity."""

    def __init__(self, A: Any, n: int, semiring: Semiring) -> None:
        expect(A.shape[0] == A.shape[1], f"expected a square matrix, got shape {A.shape}")
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise InvalidValue(f"expected a power of at least 0, got {n!r}")
        product = Product(A, A, semiring)
        self._A, self._n, self._semiring = A, int(n), semiring
        self.shape, self.backend = A.shape, A.backend
        self.dtype = A.dtype if n == 1 else product.dtype
        self._unit = self._identity() if n == 0 else None

    def _identity(self) -> Any:
        multiply = self._semiring.multiply
        for monoid in MONOIDS.values():
            if monoid.op.parsed == multiply.parsed and self.dtype in monoid.domain:
                return monoid.identity(self.dtype)
        raise InvalidValue(
            f"expected a semiring whose ⊗ has an identity for the 0th power, got {self._semiring}"
        )

    def computed(self) -> Any:
        if self._unit is not None:
            ones = Vector.from_scalar(self._unit, self.shape[0], self.dtype, backend=self.backend)
            return ones.diag()
        answer, square, left = None, self._A, self._n
        while True:
            if left & 1:
                answer = square if answer is None else self._semiring(answer @ square).new()
            left >>= 1
            if not left:
                return answer
            square = self._semiring(square @ square).new()
