"""Matrices: nrows × ncols positions, stored by rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, Rows, resolve
from lagraph_gpu.build import compress, coordinates, fold_duplicates, typed_values
from lagraph_gpu.errors import DimensionMismatch, IndexOutOfBound, InvalidValue, WrongType
from lagraph_gpu.expr import Product, Reduce, Shape, Transposed
from lagraph_gpu.handle import Handle, named
from lagraph_gpu.vector import check_size
from semirings import types
from semirings.algebra import Monoid, Semiring
from semirings.monoids import MONOIDS


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
    def __getitem__(self, index: Any) -> MatrixElement:
        if not (isinstance(index, tuple) and len(index) == 2):
            raise WrongType(f"expected a row and a column, A[i, j], got A[{index!r}]")
        row, column = index
        for name, i, n in (("row", row, self.nrows), ("column", column, self.ncols)):
            if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i < n:
                raise IndexOutOfBound(f"expected a {name} from 0 to {n - 1}, got {i!r}")
        return MatrixElement(self, int(row), int(column))

    # --- operations as values ----------------------------------------------------------------
    def mxv(self, u: Any, semiring: Semiring) -> Product:
        """A ⊕.⊗ u, the matrix times the column vector."""
        return Product(self, u, semiring)

    def mxm(self, B: Any, semiring: Semiring) -> Product:
        """A ⊕.⊗ B, the product of two matrices."""
        return Product(self, B, semiring)

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


class MatrixElement:
    """``A[i, j]``: one element to read."""

    def __init__(self, matrix: Matrix, row: int, column: int) -> None:
        self._matrix, self._row, self._column = matrix, row, column

    def get(self, default: Any = None) -> Any:
        """The value, or ``default`` where there is no entry (waits)."""
        indptr, columns, values = self._matrix.to_csr()
        part = slice(indptr[self._row], indptr[self._row + 1])
        at = np.flatnonzero(columns[part] == self._column)
        return values[part][at[0]].item() if at.size else default

    def __bool__(self) -> bool:
        raise WrongType("the truth of A[i, j] is not defined; read it with A[i, j].get(default)")

    def __eq__(self, other: object) -> bool:
        raise WrongType("expected A[i, j].get() == x to compare a value, got A[i, j] == x")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"MatrixElement({self._matrix!r}, {self._row}, {self._column})"
