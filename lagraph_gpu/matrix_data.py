"""How matrices are made and read: arrays, dicts, bytes and other libraries' objects.

On the GPU backend arrays that are on the device already are taken without a way over the host, and
shared where their types fit: a matrix is never written in place, so what shares memory with it
must not be written either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Self

import numpy as np

from lagraph_gpu import serialize
from lagraph_gpu.backend import Backend, Rows, named, resolve
from lagraph_gpu.build import (
    check_size,
    checked_rows,
    compress,
    coordinates,
    filling,
    fold_duplicates,
    one_value,
    pairs_of,
    transposed,
    typed_values,
)
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, OutputNotEmpty, WrongType
from lagraph_gpu.expr import Shape
from lagraph_gpu.handle import Handle
from lagraph_gpu.interchange import (
    as_numpy,
    canonical,
    on_device,
    scipy_array,
    scipy_rows,
    torch_rows,
    torch_tensor,
)
from semirings import types

ORDERS = {"rowwise": False, "columnwise": True}


class MatrixData(Handle):
    """In and out of a matrix."""

    @property
    def nrows(self) -> int:
        return self.shape[0]

    @property
    def ncols(self) -> int:
        return self.shape[1]

    # --- making one --------------------------------------------------------------------------
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
        nrows: int | None = None,
        ncols: int | None = None,
        copy: bool = False,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from compressed rows; each row's column ids must be increasing. O(m).

        Arrays on the GPU (of CuPy, PyTorch, …) stay there, and where they are contiguous, the ids
        INT32 and the offsets INT32 or INT64, their memory is shared: do not write to them any more,
        or pass ``copy=True``. They are checked as host arrays are, which costs one wait.
        """
        to = resolve(backend)
        if on_device(indptr) or on_device(indices) or on_device(values):
            if ncols is None:
                raise InvalidValue("expected ncols= for arrays on the device, got None")
            store = to.adopt_matrix(indptr, indices, values, dtype, ncols, copy)
            made = cls._stored(store, store.shape, store.dtype, to)
        else:
            rows, width, iso = checked_rows(
                indptr, indices, values, dtype, ncols, ("row", "column")
            )
            made = cls._built((check_size(rows[0].size - 1), width), rows, to, iso=iso)
        if nrows is not None and nrows != made.nrows:
            raise DimensionMismatch(f"expected indptr of {nrows + 1} offsets, got {made.nrows + 1}")
        return made

    @classmethod
    def from_csc(
        cls,
        indptr: Any,
        indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from compressed columns on the host; each column's row ids must be increasing."""
        columns, height, iso = checked_rows(
            indptr, indices, values, dtype, nrows, ("column", "row")
        )
        width = check_size(columns[0].size - 1)
        if ncols is not None and ncols != width:
            raise DimensionMismatch(f"expected indptr of {ncols + 1} offsets, got {width + 1}")
        rows = transposed(columns, height)
        return cls._built((height, width), rows, resolve(backend), iso=iso)

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

    @classmethod
    def from_edgelist(
        cls,
        edgelist: Any,
        values: Any = None,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        dup_op: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from (row, column) pairs, as an array of two columns or an iterable, with
        ``values`` beside them (1.0 for each, if none are given), or from an iterable of
        (row, column, value) triples; otherwise as ``from_coo``.

        >>> import lagraph_gpu as lg
        >>> lg.Matrix.from_edgelist([(0, 1, 5), (2, 0, 7)], backend="cpu").to_dicts()
        {0: {1: 5}, 2: {0: 7}}
        """
        if isinstance(edgelist, np.ndarray):
            if edgelist.ndim != 2 or edgelist.shape[1] != 2:
                raise DimensionMismatch(
                    "expected an array of two columns, (row, column), with the values apart; "
                    f"got shape {edgelist.shape}"
                )
            row, column = edgelist.T
        else:
            edges = [tuple(edge) for edge in edgelist]
            width = 3 if edges and len(edges[0]) == 3 else 2
            what = "(row, column) pairs or (row, column, value) triples"
            row, column, *given = pairs_of(edges, width, what)
            if given and values is not None:
                raise WrongType("expected values= or triples with values, got both")
            values = given[0] if given else values
        values = 1.0 if values is None else values
        sizes = {"nrows": nrows, "ncols": ncols}
        return cls.from_coo(row, column, values, dtype, **sizes, dup_op=dup_op, backend=backend)

    @classmethod
    def from_dicts(
        cls,
        nested_dicts: Any,
        dtype: Any = None,
        *,
        order: str = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from ``{row: {column: value}}`` or a list with a dict for each row; with
        ``order="columnwise"`` from ``{column: {row: value}}`` or a dict for each column.

        A size defaults to the length of the list or to the largest id plus one.
        """
        columnwise = order_of(order)
        if not isinstance(nested_dicts, Mapping):
            length = len(nested_dicts)
            said, what = (ncols, "ncols") if columnwise else (nrows, "nrows")
            if said is not None and said != length:
                raise DimensionMismatch(f"expected {what}={length}, as many as dicts, got {said}")
            nrows, ncols = (nrows, length) if columnwise else (length, ncols)
            nested_dicts = dict(enumerate(nested_dicts))
        outer = [i for i, inner in nested_dicts.items() for _ in inner]
        inner = list(chain.from_iterable(nested_dicts.values()))
        values = list(chain.from_iterable(d.values() for d in nested_dicts.values()))
        row, column = (inner, outer) if columnwise else (outer, inner)
        return cls.from_coo(row, column, values, dtype, nrows=nrows, ncols=ncols, backend=backend)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        backend: str | Backend | None = None,
    ) -> Self:
        """Build from a two-dimensional array on the host; positions equal to ``missing_value``
        stay empty."""
        if on_device(values):
            raise WrongType("expected an array on the host, got one on the device; take from_csr")
        dense = as_numpy(values)
        if dense.ndim != 2:
            raise DimensionMismatch(f"expected a two-dimensional array, got shape {dense.shape}")
        flat = typed_values(dense.reshape(-1), dense.size, dtype)
        present = np.ones(flat.size, bool) if missing_value is None else flat != missing_value
        row, column = np.nonzero(present.reshape(dense.shape))
        nrows, ncols = map(check_size, dense.shape)
        rows = compress(row, nrows), column, flat[present]
        return cls._built((nrows, ncols), rows, resolve(backend))

    @classmethod
    def from_scalar(
        cls,
        value: Any,
        nrows: int,
        ncols: int,
        dtype: Any = None,
        *,
        backend: str | Backend | None = None,
    ) -> Self:
        """A full matrix of one value, which is stored once; its ids are stored one by one."""
        nrows, ncols = check_size(nrows), check_size(ncols)
        column = np.tile(np.arange(ncols), nrows)
        rows = np.arange(nrows + 1) * ncols, column, typed_values(value, 1, dtype)
        return cls._built((nrows, ncols), rows, resolve(backend), iso=True)

    @classmethod
    def from_scipy_sparse(
        cls, A: Any, *, dup_op: Any = None, copy: bool = False, backend: str | Backend | None = None
    ) -> Self:
        """Build from any sparse array or matrix of SciPy or, on the GPU, of cupyx.

        Entries given twice are summed as SciPy does, or combined by ``dup_op``. A cupyx matrix in
        the CSR format whose rows are sorted shares its memory with the result: do not write to it
        any more, or pass ``copy=True``.
        """
        if dup_op is not None:
            coo = A.tocoo()
            shape = dict(zip(("nrows", "ncols"), coo.shape, strict=True))
            return cls.from_coo(coo.row, coo.col, coo.data, **shape, dup_op=dup_op, backend=backend)
        indptr, indices, values, ncols = scipy_rows(A)
        to = resolve(backend)
        if on_device(values):
            try:
                return cls.from_csr(indptr, indices, values, ncols=ncols, copy=copy, backend=to)
            except InvalidValue:  # rows out of order, or an entry twice
                pass
        csr = canonical(A)
        return cls.from_csr(csr.indptr, csr.indices, csr.data, ncols=ncols, backend=to)

    @classmethod
    def from_torch(
        cls, tensor: Any, *, copy: bool = False, backend: str | Backend | None = None
    ) -> Self:
        """Build from a two-dimensional PyTorch tensor; one that is not sparse CSR is converted by
        PyTorch first.

        On the GPU the values and the offsets share the tensor's memory, and so do INT32 column ids;
        INT64 ones are narrowed on the device. Do not write to the tensor any more, or pass
        ``copy=True``.
        """
        indptr, indices, values, ncols = torch_rows(tensor)
        return cls.from_csr(indptr, indices, values, ncols=ncols, copy=copy, backend=backend)

    @classmethod
    def from_graphblas(
        cls, matrix: Any, *, copy: bool = False, backend: str | Backend | None = None
    ) -> Self:
        """Take a python-graphblas Matrix.

        On the CPU backend that very object becomes this matrix's store: do not write to it any
        more, or pass ``copy=True``.
        """
        cpu = named("cpu")
        store, shape, dtype = cpu.wrap(matrix)
        if len(shape) != 2:
            raise WrongType("expected a Matrix of python-graphblas, got a Vector")
        store = cpu.copy(store) if copy else store
        return cls._stored(store, shape, dtype, cpu).to(resolve(backend))

    @classmethod
    def deserialize(cls, data: Any, *, backend: str | Backend | None = None) -> Self:
        """The matrix that ``serialize`` made these bytes of; other bytes are refused."""
        shape, rows, iso = serialize.matrix(data)
        return cls._built(shape, rows, resolve(backend), iso=iso)

    def build(
        self,
        rows: Any,
        columns: Any,
        values: Any,
        *,
        dup_op: Any = None,
        clear: bool = False,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> None:
        """Put entries into this matrix, which must be empty unless ``clear`` empties it first.

        The values take this matrix's type; ``nrows`` and ``ncols`` change its shape.
        """
        if not clear and self.nvals:
            raise OutputNotEmpty(
                f"expected a matrix without entries to build, got {self.nvals}; pass clear=True"
            )
        nrows = self.nrows if nrows is None else nrows
        ncols = self.ncols if ncols is None else ncols
        sizes = {"nrows": nrows, "ncols": ncols}
        made = self.from_coo(
            rows, columns, values, self.dtype, **sizes, dup_op=dup_op, backend=self.backend
        )
        self.shape, self._store = made.shape, made._store

    # --- reading it --------------------------------------------------------------------------
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
        return backend.device_rows(self._store) if device else backend.matrix_entries(self._store)

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
        return here.backend.unwrap(here.backend.copy(here._store) if own else here._store)

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
        return self.backend.sparse(self._store)

    def to_torch(self) -> Any:
        """A sparse CSR tensor of PyTorch on this matrix's device.

        On the GPU it shares this matrix's memory (except ids that are narrower than the offsets,
        and a single value for all entries): do not write to it.
        """
        return torch_tensor(self.backend.device_rows(self._store, one_type=True), self.shape)  # type: ignore[arg-type]

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
