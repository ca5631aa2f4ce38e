"""How matrices are made from arrays, dicts, bytes and objects of other libraries.

On the GPU backend, arrays that are on the device already are used there, without a copy through the
host, and their memory is shared if the types fit. A matrix is never written in place, so nobody may
write to memory that is shared with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, named, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.arguments import checked_methods, is_integer
from lagraph_gpu.convert.compressed_rows import (
    ROWS_PER_LISTED_ROW,
    checked_rows,
    compress,
    within_shape,
)
from lagraph_gpu.convert.ids import check_size, pairs_of, tuples_of
from lagraph_gpu.convert.interchange import on_device, present, unrounded, with_gaps
from lagraph_gpu.convert.options import Order
from lagraph_gpu.convert.sparse_input import (
    canonical,
    checked_or_adopted,
    checked_sparse,
    torch_rows,
)
from lagraph_gpu.convert.values import dense_values, typed_values
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    OutputNotEmpty,
    UnsortedRows,
    WrongType,
    brief,
)
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.notation.coordinates import (
    expect_sizes,
    joined_entries,
    of_one_value,
    transposed,
)
from lagraph_gpu.notation.expressions import Fill
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.matrix_export import MatrixOut, order_of
from lagraph_gpu.notation.update import Update, run


@guard_methods
@checked_methods
class MatrixData(MatrixOut):
    """The methods that make a matrix."""

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
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from row ids, column ids and values.

        Arrays on the GPU (from CuPy, PyTorch, …) are sorted there, for a matrix of the GPU backend.

        Parameters
        ----------
        rows, columns : array of integers
            The positions of the entries, counted from 0.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default the largest ids plus one.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error, or one value for all entries stays as it is.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        InvalidValue
            There are no positions and no shape.
        IndexOutOfBound
            An id is negative, or outside the shape.
        DimensionMismatch
            There are not as many rows as columns.
        DuplicateEdges
            A position is given twice and there is no `dup_op`.

        Notes
        -----
        O(m log m) for m entries.
        """
        to = resolve(backend)
        expect_sizes(rows, (nrows, ncols), "nrows= and ncols=")
        dup_op = of_one_value(values, dup_op)
        store, shape, held = joined_entries(
            to, rows, columns, values, dtype, (nrows, ncols), dup_op
        )
        return cls._stored(store, shape, held, to, name)

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
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from compressed rows (CSR).

        Arrays on the GPU (from CuPy, PyTorch, …) stay there. Their memory is shared if they are
        contiguous, the ids are INT32 and the offsets INT32 or INT64: then do not write to them any
        more.

        Parameters
        ----------
        indptr : array of integers
            The offset of each row in `indices`, and the number of entries at the end: nrows + 1
            numbers.
        indices : array of integers
            The column ids, increasing in each row.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default `indptr` gives the rows, and the largest column id the columns.
            Arrays on the GPU need `ncols`.
        copy : bool, optional
            Whether to copy arrays that are on the GPU.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        InvalidValue
            The arrays do not describe compressed rows.
        IndexOutOfBound
            A column id is outside the shape.
        DimensionMismatch
            `indptr` does not have nrows + 1 numbers.

        Notes
        -----
        O(m) for m entries. Arrays on the GPU are checked there, which takes one wait for the
        device.
        """
        to = resolve(backend)
        if on_device(indptr) or on_device(indices) or on_device(values):
            if ncols is None:
                raise InvalidValue("expected ncols= for arrays on the device, got None")
            store = to.exchange.adopt_matrix(indptr, indices, values, dtype, ncols, copy)
            made = cls._stored(store, store.shape, store.dtype, to, name)
        else:
            with within_shape():
                rows, width, iso = checked_rows(
                    indptr, indices, values, dtype, ncols, ("row", "column"), sort=True
                )
            shape = check_size(rows[0].size - 1), width
            made = cls._built(shape, rows, to, iso=iso, name=name)
        if nrows is not None and check_size(nrows) != made.nrows:
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
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from compressed columns (CSC) on the host.

        Parameters
        ----------
        indptr : array of integers
            The offset of each column in `indices`, and the number of entries at the end: ncols + 1
            numbers.
        indices : array of integers
            The row ids, increasing in each column.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default `indptr` gives the columns, and the largest row id the rows.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        InvalidValue
            The arrays do not describe compressed columns.
        IndexOutOfBound
            A row id is outside the shape.
        DimensionMismatch
            `indptr` does not have ncols + 1 numbers.
        """
        names = "column", "row"
        with within_shape():
            columns, height, iso = checked_rows(
                indptr, indices, values, dtype, nrows, names, sort=True
            )
        width = check_size(columns[0].size - 1)
        if ncols is not None and check_size(ncols) != width:
            raise DimensionMismatch(f"expected indptr of {ncols + 1} offsets, got {width + 1}")
        to = resolve(backend)
        rows = transposed(to, columns, height)
        return cls._built((height, width), rows, to, iso=iso, name=name)

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
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from (row, column) pairs or (row, column, value) triples.

        Parameters
        ----------
        edgelist : array of two columns, or iterable of pairs or triples
            The positions of the entries, or positions and values.
        values : array or number, optional
            The values beside pairs: as many values, or one for all entries. By default 1.0.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default the largest ids plus one.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        DimensionMismatch
            The array does not have two columns.
        WrongType
            There are triples and `values` as well.

        Examples
        --------
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
            what = "(row, column) pairs or (row, column, value) triples"
            edges = tuples_of(edgelist, what)
            width = 3 if edges and len(edges[0]) == 3 else 2
            row, column, *given = pairs_of(edges, width, what)
            if given and values is not None:
                raise WrongType("expected values= or triples with values, got both")
            values = given[0] if given else values
        values = 1.0 if values is None else values
        rest: dict[str, Any] = {
            "nrows": nrows, "ncols": ncols, "dup_op": dup_op, "backend": backend, "name": name,
        }  # fmt: skip
        return cls.from_coo(row, column, values, dtype, **rest)

    @classmethod
    def from_dicts(
        cls,
        nested_dicts: Any,
        dtype: Any = None,
        *,
        order: Order = "rowwise",
        nrows: int | None = None,
        ncols: int | None = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from nested dicts.

        Parameters
        ----------
        nested_dicts : dict of dicts, or list of dicts
            `{row: {column: value}}`, or a list with a dict for each row. With `order="columnwise"`:
            `{column: {row: value}}`, or a list with a dict for each column.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        order : {"rowwise", "columnwise"}, optional
            What the outer keys are.
        nrows, ncols : int, optional
            The shape. By default the length of the list, or the largest ids plus one.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        DimensionMismatch
            The list does not have as many dicts as the shape says.
        InvalidValue
            The order is unknown.
        """
        columnwise = order_of(order)
        listed = isinstance(nested_dicts, (list, tuple))
        by_line = isinstance(nested_dicts, Mapping)
        held = nested_dicts.values() if by_line else nested_dicts
        if not (listed or by_line) or not all(isinstance(inner, Mapping) for inner in held):
            raise WrongType(f"expected a dict or a list of dicts, got {brief(nested_dicts)}")
        if listed:
            length = len(nested_dicts)
            said, what = (ncols, "ncols") if columnwise else (nrows, "nrows")
            if said is not None and said != length:
                raise DimensionMismatch(f"expected {what}={length}, as many as dicts, got {said}")
            nrows, ncols = (nrows, length) if columnwise else (length, ncols)
            nested_dicts = dict(enumerate(nested_dicts))
        elif (nrows, ncols)[columnwise] is None:  # also rows or columns without an entry count
            length = 1 + max((i for i in nested_dicts if is_integer(i)), default=-1)
            nrows, ncols = (nrows, length) if columnwise else (length, ncols)
        outer = [i for i, inner in nested_dicts.items() for _ in inner]
        inner = list(chain.from_iterable(nested_dicts.values()))
        values = list(chain.from_iterable(d.values() for d in nested_dicts.values()))
        row, column = (inner, outer) if columnwise else (outer, inner)
        if not outer:
            nrows, ncols = nrows or 0, ncols or 0
        sizes: dict[str, Any] = {"nrows": nrows, "ncols": ncols}
        with within_shape():
            return cls.from_coo(row, column, values, dtype, **sizes, backend=backend, name=name)

    @classmethod
    def from_dense(
        cls,
        values: Any,
        missing_value: Any = None,
        *,
        dtype: Any = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from a two-dimensional array.

        Parameters
        ----------
        values : array
            The values. Positions that are masked in a NumPy masked array get no entry. An array on
            the GPU (from CuPy, PyTorch, …) stays there.
        missing_value : number, optional
            Positions with this value get no entry; with `nan` those that are NaN.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            A matrix of the shape of the array.

        Raises
        ------
        DimensionMismatch
            The array is not two-dimensional. With more axes it is one of values of an array type,
            such as "INT64[2]", which the CPU backend has.
        """
        if on_device(values):
            to = resolve(backend)
            store = to.exchange.adopt_dense(values, missing_value, dtype)
            return cls._stored(store, store.shape, store.dtype, to, name)
        dense, unmasked = with_gaps(values, missing_value)
        dense = unrounded(values, dense, dtype)
        flat = dense_values(dense, 2, dtype)
        nrows, ncols = map(check_size, dense.shape[:2])
        if (there := present(flat, missing_value, unmasked)) is None:
            rows = np.arange(nrows + 1) * ncols, np.tile(np.arange(ncols), nrows), flat
        else:
            row, column = np.nonzero(there.reshape(dense.shape[:2]))
            rows = compress(row, nrows), column, flat[there]
        return cls._built((nrows, ncols), rows, resolve(backend), name=name)

    @classmethod
    def from_scalar(
        cls,
        value: Any,
        nrows: int,
        ncols: int,
        dtype: Any = None,
        *,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix with the same value at every position.

        Parameters
        ----------
        value : number or Scalar
            The value. It is stored once.
        nrows, ncols : int
            The shape.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            A matrix with an entry at every position.

        Notes
        -----
        Memory: O(1) on a CPU. On a GPU and on a cluster O(nrows · ncols), because every column id
        is stored.
        """
        held = typed_values(number(value), 1, dtype)
        where = {"backend": backend, "name": name}
        made: Any = cls(held.dtype, nrows, ncols, **where)  # type: ignore[call-arg]
        run(Update(made, Fill(held[0], made.shape, made.dtype, made.backend)))
        return made

    @classmethod
    def from_scipy_sparse(
        cls,
        A: Any,
        *,
        dup_op: Any = None,
        copy: bool = False,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from a sparse array or matrix of SciPy or, on the GPU, of cupyx.

        Parameters
        ----------
        A : SciPy or cupyx sparse array
            The entries. A cupyx matrix in CSR format with sorted rows shares its memory with the
            result: do not write to it any more.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default they are summed,
            as in SciPy.
        copy : bool, optional
            Whether to copy a cupyx matrix.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.
        """
        A = checked_or_adopted(A) if dup_op is None else checked_sparse(A)
        if dup_op is None and A.format == "coo" and A.shape[0] > ROWS_PER_LISTED_ROW * A.nnz:
            dup_op = "plus"  # as SciPy does, without an offset for each row
        if dup_op is not None:
            coo = A.tocoo()
            rest: dict[str, Any] = {"nrows": coo.shape[0], "ncols": coo.shape[1], "dup_op": dup_op}
            return cls.from_coo(coo.row, coo.col, coo.data, **rest, backend=backend, name=name)
        to = resolve(backend)
        if on_device(getattr(A, "data", None)):
            csr = A.tocsr()
            rows, ncols = (csr.indptr, csr.indices, csr.data), csr.shape[1]
            try:
                return cls.from_csr(*rows, ncols=ncols, copy=copy, backend=to, name=name)
            except UnsortedRows:  # and all else is as it should be
                pass
        csr = canonical(A)
        parts = csr.indptr, csr.indices, csr.data
        return cls.from_csr(*parts, ncols=csr.shape[1], backend=to, name=name)

    @classmethod
    def from_torch(
        cls,
        tensor: Any,
        *,
        copy: bool = False,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from a two-dimensional PyTorch tensor.

        Parameters
        ----------
        tensor : torch.Tensor
            The entries. A tensor that is not sparse CSR is converted by PyTorch first. On the GPU
            its values, its offsets and INT32 column ids are shared with the result: do not write to
            the tensor any more. INT64 column ids are copied to INT32 on the device.
        copy : bool, optional
            Whether to copy a tensor that is on the GPU.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.

        Raises
        ------
        InvalidValue
            The offsets or ids do not describe a matrix.
        WrongType
            This is no tensor, or one of blocks (BSR, BSC), which PyTorch does not convert.
        DimensionMismatch
            The tensor does not have two dimensions.

        Notes
        -----
        Ids and offsets of COO and CSC tensors are checked on the host before PyTorch converts them,
        wherever the tensor is.
        """
        indptr, indices, values, ncols = torch_rows(tensor)
        rest: dict[str, Any] = {"ncols": ncols, "copy": copy, "backend": backend, "name": name}
        return cls.from_csr(indptr, indices, values, **rest)

    @classmethod
    def from_graphblas(
        cls,
        matrix: Any,
        *,
        copy: bool = False,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from a Matrix of python-graphblas.

        Parameters
        ----------
        matrix : graphblas.Matrix
            The matrix of python-graphblas. On the CPU backend this very object becomes the store of
            the new matrix: do not write to it any more.
        copy : bool, optional
            Whether to copy it.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix with these entries.
        """
        cpu = named("cpu")
        store, shape, dtype = cpu.exchange.wrap(matrix)
        if len(shape) != 2:
            raise WrongType("expected a Matrix of python-graphblas, got a Vector")
        store = cpu.copy(store) if copy else store
        return cls._stored(store, shape, dtype, cpu, name).to(resolve(backend))

    @classmethod
    def deserialize(
        cls, data: Any, *, backend: BackendName | Backend | None = None, name: str | None = None
    ) -> Self:
        """Make a matrix from the bytes that `serialize` returned.

        Parameters
        ----------
        data : bytes
            The bytes. Anything else is refused.
        backend : str or Backend, optional
            Where the result is stored. By default the backend in force.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The matrix.

        Raises
        ------
        InvalidValue
            These are not the bytes of a matrix.
        """
        shape, listed, rows, iso = serialize.matrix(data)
        to = resolve(backend)
        if listed is None:
            return cls._built(shape, rows, to, iso=iso, name=name)
        row, value = np.repeat(listed, np.diff(rows[0])), rows[2]
        store = to.build_coordinates(shape, row, rows[1], value, iso=iso)
        return cls._stored(store, shape, value.dtype, to, name)

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
        """Put entries into this matrix, which must be empty.

        Parameters
        ----------
        rows, columns : array of integers
            The positions of the entries, counted from 0.
        values : array or number
            As many values, or one value for all entries. They are cast to the type of this matrix.
        dup_op : BinaryOp, Monoid or str, optional
            How to combine the values of a position that is given twice. By default that is an
            error.
        clear : bool, optional
            Whether to remove the entries that this matrix holds first.
        nrows, ncols : int, optional
            The new shape. By default the shape stays.

        Raises
        ------
        OutputNotEmpty
            The matrix holds entries, and `clear` is False.
        """
        self._expect_free()
        if not clear and self.nvals:
            raise OutputNotEmpty(
                f"expected a matrix without entries to build, got {self.nvals}; pass clear=True"
            )
        nrows = self.nrows if nrows is None else nrows
        ncols = self.ncols if ncols is None else ncols
        sizes: dict[str, Any] = {"nrows": nrows, "ncols": ncols}
        made = self.from_coo(
            rows, columns, values, self.dtype, **sizes, dup_op=dup_op, backend=self.backend
        )
        self.shape, self._store = made.shape, made._store
