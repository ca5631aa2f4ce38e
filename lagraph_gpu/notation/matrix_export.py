"""How matrices are read as arrays, dicts, bytes and objects of other libraries.

An array on the device shares the memory of the matrix where it can. A matrix is never written in
place, and several matrices may share one store, so nobody may write to such an array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, Rows, resolve
from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.arguments import checked_methods, is_one_of
from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.convert.interchange import (
    pandas,
    scipy_array,
    scipy_coordinates,
    scipy_format,
    torch_tensor,
)
from lagraph_gpu.convert.options import Order, SparseFormat
from lagraph_gpu.convert.values import filling, one_value
from lagraph_gpu.errors import InvalidValue, WrongType, brief
from lagraph_gpu.memory import expect_room, guard_methods
from lagraph_gpu.notation.checks import expect_filled, process_alone
from lagraph_gpu.notation.coordinates import transposed
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.handle import Handle
from lagraph_gpu.notation.infix import number
from lagraph_gpu.notation.operation import operation
from semirings import types

if TYPE_CHECKING:
    from pandas import DataFrame
    from scipy.sparse import csr_array

ORDERS = {
    "rowwise": False, "row": False, "rows": False, "r": False,
    "columnwise": True, "colwise": True, "column": True, "columns": True, "col": True,
    "cols": True, "c": True,
}  # fmt: skip


@operation
def all_values(A: Any) -> np.ndarray:
    """The values of a matrix, row by row, as a new array of the host."""
    return A.backend.matrix_entries(A._store)[2]  # type: ignore[no-any-return]


@guard_methods
@checked_methods
class MatrixOut(Handle):
    """The methods that read a matrix."""

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
        adopt: bool = False,
        name: str | None = None,
    ) -> Self:
        store = backend.build_matrix(shape, rows, symmetric=symmetric, iso=iso, adopt=adopt)
        return cls._stored(store, shape, rows[2].dtype, backend, name)

    @classmethod
    def _stored(
        cls, store: Any, shape: Shape, dtype: np.dtype, backend: Backend, name: str | None = None
    ) -> Self:
        twin = object.__new__(cls)
        found = types.OF_DTYPE[dtype]
        vars(twin).update(shape=shape, dtype=found, backend=backend, name=name, _store=store)
        return twin

    @overload
    def to_csr(
        self, dtype: Any = None, *, sort: bool = True, device: Literal[False] = False
    ) -> Rows: ...
    @overload
    def to_csr(self, dtype: Any = None, *, sort: bool = True, device: bool) -> Any: ...
    def to_csr(self, dtype: Any = None, *, sort: bool = True, device: bool = False) -> Any:
        """The entries as compressed rows (CSR).

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.
        device : bool, optional
            Whether to return arrays on the device of the matrix: CuPy arrays on the GPU. They share
            the memory of the matrix, so do not write to them; a single value for all entries is
            repeated in an array of its own. By default NumPy arrays.

        Returns
        -------
        indptr : array
            The offset of each row, and the number of entries at the end.
        indices : array
            The column ids, increasing in each row.
        values : array
            The values.

        Notes
        -----
        The call waits for the device.
        """
        if dtype is not None and types.lookup(dtype) != self.dtype:
            return self.dup(dtype).to_csr(device=device)
        backend = self.backend
        if device:
            return backend.exchange.matrix_rows(self._store)
        indptr, column, value = backend.matrix_entries(self._store)
        return indptr, column, types.shown(value)

    def to_csc(self, dtype: Any = None, *, sort: bool = True) -> Rows:
        """The entries as compressed columns (CSC), in NumPy arrays.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        indptr : array
            The offset of each column, and the number of entries at the end.
        indices : array
            The row ids, increasing in each column.
        values : array
            The values.

        Notes
        -----
        The call waits for the device.
        """
        return transposed(self.backend, self.to_csr(dtype), self.ncols)

    @overload
    def to_coo(self, dtype: Any = None, *, sort: bool = True) -> Rows: ...
    @overload
    def to_coo(
        self,
        dtype: Any = None,
        *,
        rows: bool | None = True,
        columns: bool | None = True,
        values: bool | None = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]: ...
    def to_coo(
        self,
        dtype: Any = None,
        *,
        rows: bool | None = True,
        columns: bool | None = True,
        values: bool | None = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]:
        """The rows, columns and values of the entries, by row and column, in NumPy arrays.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        rows, columns, values : bool, optional
            Whether the caller needs them. What is not needed is returned as None.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        rows, columns : array
            The positions of the entries.
        values : array
            Their values.

        Notes
        -----
        The call waits for the device.
        """
        if dtype is not None and types.lookup(dtype) != self.dtype:
            return self.dup(dtype).to_coo(rows=rows, columns=columns, values=values)
        row, column, value = self.backend.matrix_coordinates(self._store)
        shown = types.shown(value) if values else None
        return row if rows else None, column if columns else None, shown

    def to_edgelist(
        self, dtype: Any = None, *, values: bool = True, sort: bool = True
    ) -> tuple[np.ndarray, Any]:
        """The entries as an array of (row, column) pairs and an array of values.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        values : bool, optional
            Whether the caller needs the values. Otherwise they are returned as None.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        edgelist : array
            A NumPy array of two columns.
        values : array
            The values.

        Notes
        -----
        The call waits for the device.
        """
        row, column, value = self.to_coo(dtype, values=values)
        return np.column_stack((row, column)), value

    def to_dicts(self, order: Order = "rowwise") -> dict[int, dict[int, Any]]:
        """The entries as nested dicts of Python numbers. Empty rows are left out.

        Parameters
        ----------
        order : {"rowwise", "columnwise"}, optional
            Whether the outer keys are rows or columns.

        Returns
        -------
        dict of dicts
            `{row: {column: value}}`, or with `order="columnwise"` `{column: {row: value}}`.

        Notes
        -----
        The call waits for the device.
        """
        columnwise = order_of(order)
        outer, inner, value = self.to_coo()
        if columnwise:
            order_by = np.argsort(inner, kind="stable")
            outer, inner, value = inner[order_by], outer[order_by], value[order_by]
        found: dict[int, dict[int, Any]] = {}
        for i, j, x in zip(outer.tolist(), inner.tolist(), value.tolist(), strict=True):
            found.setdefault(i, {})[j] = x
        return found

    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> np.ndarray:
        """All positions as a two-dimensional NumPy array.

        Parameters
        ----------
        fill_value : number, optional
            The value where there is no entry.
        dtype : type or str, optional
            The type of the array. By default the type of the matrix, or a wider one if
            `fill_value` is of a wider kind (a number beside BOOL, a float beside integers) or does
            not fit.

        Returns
        -------
        array
            An array of the shape of the matrix.

        Raises
        ------
        WrongType
            Some position has no entry, and there is no `fill_value`.

        Notes
        -----
        The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend="cpu").to_dense(0).tolist()
        [[0, 5], [6, 0]]
        """
        fill, to = filling(self.dtype, number(fill_value), dtype)
        expect_filled(self, fill_value)
        expect_room(self.nrows * self.ncols * to.itemsize, f"an array of shape {self.shape}")
        if not types.is_record(self.dtype) and self.nvals == self.nrows * self.ncols > 0:
            return types.cast(all_values(self), to).reshape(self.shape)  # type: ignore[no-any-return]
        row, column, value = self.backend.matrix_coordinates(self._store)
        dense = np.full(self.shape, fill, to)
        dense[row, column] = types.cast(value, to)
        return types.shown(dense)  # type: ignore[no-any-return]

    def to_pandas(self) -> DataFrame:
        """The entries as a DataFrame of pandas, a line for each.

        Returns
        -------
        pandas.DataFrame
            The columns "row", "column" and "value", by row and column.

        Raises
        ------
        MissingPackage
            pandas is not installed.

        Notes
        -----
        The call waits for the device.
        """
        row, column, value = self.to_coo()
        held = value if value.ndim == 1 else list(value)  # arrays of an array type
        return pandas().DataFrame({"row": row, "column": column, "value": held})

    def to_graphblas(self, *, copy: bool = False) -> Any:
        """This matrix as a Matrix of python-graphblas.

        Parameters
        ----------
        copy : bool, optional
            Whether to copy the entries. With False, on the CPU backend, the result is the store of
            this matrix: do not write to it.

        Returns
        -------
        graphblas.Matrix
            The matrix of python-graphblas.
        """
        here = self.to("cpu")
        own = here is self and copy
        return here.backend.exchange.unwrap(here.backend.copy(here._store) if own else here._store)

    @overload
    def to_scipy_sparse(self, format: Literal["csr"] = "csr") -> csr_array: ...
    @overload
    def to_scipy_sparse(self, format: SparseFormat) -> Any: ...
    def to_scipy_sparse(self, format: SparseFormat = "csr") -> Any:
        """This matrix as a SciPy sparse array.

        Parameters
        ----------
        format : str, optional
            The format of SciPy.

        Returns
        -------
        SciPy sparse array
            An array of the same shape.

        Raises
        ------
        WrongType
            The matrix holds records.

        Notes
        -----
        The call waits for the device.
        """
        if types.is_record(self.dtype):
            raise WrongType(f"expected numbers for SciPy, got {self.dtype}; take a field")
        form = scipy_format(format)
        if form == "coo" and self.nrows > ROWS_PER_LISTED_ROW * self.nvals:
            return scipy_coordinates(self.to_coo(), self.shape)  # type: ignore[arg-type]
        return scipy_array(self.to_csr(), self.shape, form)  # type: ignore[arg-type]

    def to_cupyx(self) -> Any:
        """This matrix as a CSR matrix of cupyx that shares its memory: do not write to it.

        Returns
        -------
        cupyx.scipy.sparse.csr_matrix
            A matrix on the GPU.

        Raises
        ------
        WrongType
            The type is not BOOL, FP32, FP64, FC32 or FC64: cupyx has no other sparse matrices.
        """
        if self.dtype.kind not in "bfc":
            raise WrongType(
                "expected values of type BOOL, FP32, FP64, FC32 or FC64, since cupyx has no other "
                f"sparse matrices, got {types.name(self.dtype)}; cast them with .dup('FP64')"
            )
        return self.backend.exchange.matrix_sparse(self._store)

    def to_torch(self) -> Any:
        """This matrix as a sparse CSR tensor of PyTorch, on the same device.

        Returns
        -------
        torch.Tensor
            On the GPU the tensor shares the memory of this matrix: do not write to it. Two arrays
            are copies instead: ids that are narrower than the offsets, and a single value for all
            entries.
        """
        rows = self.backend.exchange.matrix_rows(self._store, one_type=True)
        return torch_tensor(rows, self.shape)  # type: ignore[arg-type]

    def serialize(self) -> bytes:
        """This matrix as bytes, which `Matrix.deserialize` reads on any machine.

        Returns
        -------
        bytes
            The shape, the type and the entries.

        Notes
        -----
        The call waits for the device.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend="cpu")
        >>> lg.Matrix.deserialize(A.serialize(), backend="cpu").isequal(A)
        True
        """
        if self.nrows > ROWS_PER_LISTED_ROW * self.nvals:
            entries = self.backend.matrix_coordinates(self._store)
            return serialize.of_few_rows(self.shape, *entries)
        return serialize.of_matrix(self.shape, self.backend.matrix_entries(self._store))

    @overload
    def to(self, which: BackendName | Backend, *, root: None = None) -> Self: ...
    @overload
    def to(self, which: BackendName | Backend, *, root: int) -> Self | None: ...
    def to(self, which: BackendName | Backend, *, root: int | None = None) -> Self | None:
        """This matrix on another backend.

        Parameters
        ----------
        which : str or Backend
            The backend, such as "cpu" or "gpu".
        root : int, optional
            On a cluster, the number of the process that alone gets the copy. The other processes
            send it what they have, and get None. By default every process gets a copy.

        Returns
        -------
        Matrix
            A copy, or the matrix itself if it is on that backend already. With `root` None on all
            other processes.

        Raises
        ------
        InvalidValue
            There is no process of the number `root`, or the processes name different ones. Without
            a cluster there is one process, of number 0.
        TooLarge
            The process has too little memory for the whole matrix.
        """
        target = resolve(which)
        if (alone := process_alone(self.backend, target, root)) is not None:
            return self._gathered_on(alone, target)
        if target is self.backend:
            return self
        if self.nrows > ROWS_PER_LISTED_ROW * self.nvals:
            row, column, value = self.backend.matrix_coordinates(self._store)
            iso = one_value(value)
            held = value[:1] if iso else value
            store = target.build_coordinates(self.shape, row, column, held, iso=iso)
            return self._stored(store, self.shape, self.dtype, target, self.name)
        indptr, column, value = self.backend.matrix_entries(self._store)
        iso = one_value(value)
        rows = indptr, column, value[:1] if iso else value
        return self._built(self.shape, rows, target, iso=iso, name=self.name)

    # --- as a collection of positions --------------------------------------------------------
    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The positions (row, column) that hold an entry. The call waits for the device."""
        row, column, _ = self.to_coo(values=False)
        return iter(list(zip(row.tolist(), column.tolist())))


def order_of(order: str) -> bool:
    """True if the order is columnwise."""
    if not is_one_of(order, ORDERS):
        raise InvalidValue(f"expected order to be rowwise or columnwise, got {brief(order)}")
    return ORDERS[order]
