"""How matrices are read: as arrays, dicts, bytes and other libraries' objects.

What is given out on the device shares the matrix's memory where it can. A matrix is never written
in place, and several handles may share a store, so nobody else must write there either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, Rows, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.build import filling, one_value, transposed
from lagraph_gpu.convert.interchange import scipy_array, torch_tensor
from lagraph_gpu.errors import InvalidValue, WrongType
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.handle import Handle
from semirings import types

ORDERS = {"rowwise": False, "columnwise": True}


class MatrixOut(Handle):
    """How a matrix is read."""

    @property
    def nrows(self) -> int:
        return self.shape[0]

    @property
    def ncols(self) -> int:
        return self.shape[1]

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
        store = backend.build_matrix(shape, rows, symmetric=symmetric, iso=iso)
        return cls._stored(store, shape, rows[2].dtype, backend)

    @classmethod
    def _stored(cls, store: Any, shape: Shape, dtype: np.dtype, backend: Backend) -> Self:
        twin = object.__new__(cls)
        twin.shape, twin.dtype, twin.backend, twin._store = shape, dtype, backend, store
        return twin

    def to_csr(self, dtype: Any = None, *, sort: bool = True, device: bool = False) -> Any:
        """(indptr, indices, values) as NumPy arrays (waits).

        ``sort`` is there for python-graphblas' sake: the ids are always sorted. With
        ``device=True`` the arrays are those on the matrix's device (CuPy's on the GPU). They share
        the matrix's memory, except that a single value for all entries is repeated: do not write to
        them.
        """
        if dtype is not None and types.lookup(dtype) != self.dtype:
            return self.dup(dtype).to_csr(device=device)
        backend = self.backend
        return (
            backend.exchange.matrix_rows(self._store)
            if device
            else backend.matrix_entries(self._store)
        )

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> Rows:
        """(indptr, row ids, values) of compressed columns, as NumPy arrays (waits)."""
        return transposed(self.to_csr(dtype), self.ncols)

    def to_coo(
        self,
        dtype: Any = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:
        """(rows, columns, values) by row and column, as NumPy arrays (waits).

        What is not asked for is None; ``sort`` is there for python-graphblas' sake.
        """
        indptr, column, value = self.to_csr(dtype)
        row = np.repeat(np.arange(self.nrows), np.diff(indptr)) if rows else None
        return row, column if columns else None, value if values else None

    def to_edgelist(
        self, dtype: Any = None, *, values: bool = True, sort: bool = True
    ) -> tuple[np.ndarray, Any]:
        """An array of (row, column) pairs, and the values, as NumPy arrays (waits)."""
        row, column, value = self.to_coo(dtype, values=values)
        return np.column_stack((row, column)), value

    def to_dicts(self, order: str = "rowwise") -> dict[int, dict[int, Any]]:
        """``{row: {column: value}}`` in Python's numbers, or with ``order="columnwise"``
        ``{column: {row: value}}`` (waits). Empty rows are left out."""
        indptr, ids, value = self.to_csc() if order_of(order) else self.to_csr()
        begins, inner, held = indptr.tolist(), ids.tolist(), value.tolist()
        return {
            i: dict(zip(inner[begins[i] : begins[i + 1]], held[begins[i] : begins[i + 1]]))
            for i in np.flatnonzero(np.diff(indptr)).tolist()
        }

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """All positions as a two-dimensional NumPy array; where there is no entry, ``fill_value``
        (waits). The type is the matrix's, or a wider one where it cannot hold ``fill_value``.

        >>> import lagraph_gpu as lg
        >>> lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend="cpu").to_dense(0).tolist()
        [[0, 5], [6, 0]]
        """
        row, column, value = self.to_coo()
        missing = self.nrows * self.ncols - value.size
        if fill_value is None and missing:
            raise WrongType(f"expected fill_value for the {missing} positions without an entry")
        fill, to = filling(self.dtype, fill_value, dtype)
        dense = np.full(self.shape, fill, to)
        dense[row, column] = types.cast(value, to)
        return dense

    def to_graphblas(self, *, copy: bool = False) -> Any:
        """This matrix as python-graphblas has it; on the CPU backend this matrix's own store, so do
        not write to it, or pass ``copy=True``."""
        here = self.to("cpu")
        own = here is self and copy
        return here.backend.exchange.unwrap(here.backend.copy(here._store) if own else here._store)

    def to_scipy_sparse(self, format: str = "csr") -> Any:
        """A SciPy sparse array of the given format (waits)."""
        return scipy_array(self.to_csr(), self.shape, format)  # type: ignore[arg-type]

    def to_cupyx(self) -> Any:
        """A CSR matrix of cupyx that shares this matrix's memory: do not write to it.

        For matrices on the GPU whose type is BOOL, FP32 or FP64, since cupyx has no others.
        """
        if self.dtype.kind not in "bf":
            raise WrongType(
                "expected values of type BOOL, FP32 or FP64, since cupyx has no other sparse "
                f"matrices, got {types.name(self.dtype)}; cast them with .dup('FP64')"
            )
        return self.backend.exchange.matrix_sparse(self._store)

    def to_torch(self) -> Any:
        """A sparse CSR tensor of PyTorch on this matrix's device.

        On the GPU it shares this matrix's memory (except ids that are narrower than the offsets,
        and a single value for all entries): do not write to it.
        """
        rows = self.backend.exchange.matrix_rows(self._store, one_type=True)
        return torch_tensor(rows, self.shape)  # type: ignore[arg-type]

    def serialize(self) -> bytes:
        """This matrix as bytes, for ``Matrix.deserialize`` on any machine (waits).

        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend="cpu")
        >>> lg.Matrix.deserialize(A.serialize(), backend="cpu").isequal(A)
        True
        """
        return serialize.of_matrix(self.shape, self.to_csr())

    def to(self, which: str | Backend) -> Self:
        """This matrix on another backend (itself if it is there already)."""
        target = resolve(which)
        if target is self.backend:
            return self
        indptr, column, value = self.to_csr()
        iso = one_value(value)
        rows = indptr, column, value[:1] if iso else value
        return self._built(self.shape, rows, target, iso=iso)

    # --- as a collection of positions --------------------------------------------------------
    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The (row, column) positions that hold an entry, as python-graphblas has it (waits)."""
        row, column, _ = self.to_coo(values=False)
        return iter(list(zip(row.tolist(), column.tolist())))


def order_of(order: str) -> bool:
    """Is it columnwise?"""
    if order not in ORDERS:
        raise InvalidValue(f"expected order to be rowwise or columnwise, got {order!r}")
    return ORDERS[order]
