"""How matrices are made: of arrays, dicts, bytes and other libraries' objects.

On the GPU backend arrays that are on the device already are taken without a way over the host, and
shared where their types fit: a matrix is never written in place, so what shares memory with it
must not be written either.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, named, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.build import (
    check_size,
    checked_rows,
    compress,
    coordinates,
    fold_duplicates,
    pairs_of,
    transposed,
    typed_values,
)
from lagraph_gpu.convert.interchange import on_device, present, torch_rows, with_gaps
from lagraph_gpu.convert.sparse_input import canonical, checked_or_adopted, checked_sparse
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    OutputNotEmpty,
    UnsortedRows,
    WrongType,
)
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.matrix_export import MatrixOut, order_of


class MatrixData(MatrixOut):
    """How a matrix is made."""

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
            store = to.exchange.adopt_matrix(indptr, indices, values, dtype, ncols, copy)
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
        """Build from a two-dimensional array; positions equal to ``missing_value``, and those
        masked in a masked array, stay empty.

        An array on the GPU (of CuPy, PyTorch, …) stays there; it must have less than 2³¹ positions.
        """
        if on_device(values):
            to = resolve(backend)
            store = to.exchange.adopt_dense(values, missing_value, dtype)
            return cls._stored(store, store.shape, store.dtype, to)
        dense, unmasked = with_gaps(values)
        if dense.ndim != 2:
            raise DimensionMismatch(f"expected a two-dimensional array, got shape {dense.shape}")
        flat = typed_values(dense.reshape(-1), dense.size, dtype)
        there = present(flat, missing_value, unmasked)
        row, column = np.nonzero(there.reshape(dense.shape))
        nrows, ncols = map(check_size, dense.shape)
        rows = compress(row, nrows), column, flat[there]
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
        column, held = np.tile(np.arange(ncols), nrows), typed_values(number(value), 1, dtype)
        rows = np.arange(nrows + 1) * ncols, column, held
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
        A = checked_or_adopted(A) if dup_op is None else checked_sparse(A)
        if dup_op is not None:
            coo = A.tocoo()
            shape = dict(zip(("nrows", "ncols"), coo.shape, strict=True))
            return cls.from_coo(coo.row, coo.col, coo.data, **shape, dup_op=dup_op, backend=backend)
        to = resolve(backend)
        if on_device(getattr(A, "data", None)):
            csr = A.tocsr()
            rows, ncols = (csr.indptr, csr.indices, csr.data), csr.shape[1]
            try:
                return cls.from_csr(*rows, ncols=ncols, copy=copy, backend=to)
            except UnsortedRows:  # and all else is as it should be
                pass
        csr = canonical(A)
        return cls.from_csr(csr.indptr, csr.indices, csr.data, ncols=csr.shape[1], backend=to)

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
        store, shape, dtype = cpu.exchange.wrap(matrix)
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
        self._expect_free()
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
