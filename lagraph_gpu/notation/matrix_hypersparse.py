"""Matrices from and as compressed rows or columns of which only those with entries are listed."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lagraph_gpu.backend import Backend, BackendName
from lagraph_gpu.convert.ids import coordinates
from lagraph_gpu.convert.values import on_host
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.notation.matrix_import import MatrixData


def lines_of(compressed: Any, indptr: Any, what: str) -> np.ndarray:
    """The row, or column, of every entry."""
    lines, offsets = coordinates(compressed, None, what), on_host(indptr)
    flat = offsets.ndim == 1 and offsets.dtype.kind in "iu"
    length: Any = np.diff(offsets.astype(np.int64)) if flat else None
    if length is None or length.size != lines.size or offsets[0] or (length < 0).any():
        raise InvalidValue(
            f"expected indptr as {lines.size + 1} offsets that begin at 0 and increase, one for "
            f"each {what} and one for the end, got {offsets.size} numbers or others"
        )
    return np.repeat(lines, length)


def compressed(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different values of a sorted array, and the offset of each and of the end."""
    first = np.flatnonzero(np.concatenate(([True], lines[1:] != lines[:-1]))[: lines.size])
    return lines[first], np.append(first, lines.size)


class HypersparseData(MatrixData):
    """The methods for doubly compressed rows (DCSR) and columns (DCSC)."""

    @classmethod
    def from_dcsr(
        cls,
        compressed_rows: Any,
        indptr: Any,
        col_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from compressed rows of which only those with entries are listed (DCSR).

        Parameters
        ----------
        compressed_rows : array of integers
            The rows that have entries.
        indptr : array of integers
            The offset of each of these rows in `col_indices`, and the number of entries at the end.
        col_indices : array of integers
            The column ids.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default the largest ids plus one.
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
            `indptr` does not fit the rows.
        IndexOutOfBound
            An id is negative, or outside the shape.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_dcsr([0, 2], [0, 1, 2], [1, 0], [10, 20], backend="cpu")
        >>> A.to_dense(0).tolist()
        [[0, 10], [0, 0], [20, 0]]
        """
        row = lines_of(compressed_rows, indptr, "row")
        sizes: dict[str, Any] = {"nrows": nrows, "ncols": ncols, "backend": backend, "name": name}
        if nrows is None:
            sizes["nrows"] = int(coordinates(compressed_rows, None, "row").max(initial=-1)) + 1
        if ncols is None and not coordinates(col_indices, None, "column").size:
            sizes["ncols"] = 0
        return cls.from_coo(row, col_indices, values, dtype, **sizes)

    @classmethod
    def from_dcsc(
        cls,
        compressed_cols: Any,
        indptr: Any,
        row_indices: Any,
        values: Any = 1.0,
        dtype: Any = None,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
        backend: BackendName | Backend | None = None,
        name: str | None = None,
    ) -> Self:
        """Make a matrix from compressed columns of which only those with entries are listed (DCSC).

        Parameters
        ----------
        compressed_cols : array of integers
            The columns that have entries.
        indptr : array of integers
            The offset of each of these columns in `row_indices`, and the number of entries at the
            end.
        row_indices : array of integers
            The row ids.
        values : array or number, optional
            As many values, or one value for all entries.
        dtype : type or str, optional
            The type of the values. By default the type of what is given.
        nrows, ncols : int, optional
            The shape. By default the largest ids plus one.
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
            `indptr` does not fit the columns.
        IndexOutOfBound
            An id is negative, or outside the shape.
        """
        column = lines_of(compressed_cols, indptr, "column")
        sizes: dict[str, Any] = {"nrows": nrows, "ncols": ncols, "backend": backend, "name": name}
        if ncols is None:
            sizes["ncols"] = int(coordinates(compressed_cols, None, "column").max(initial=-1)) + 1
        if nrows is None and not coordinates(row_indices, None, "row").size:
            sizes["nrows"] = 0
        return cls.from_coo(row_indices, column, values, dtype, **sizes)

    def to_dcsr(self, dtype: Any = None, *, sort: bool = True) -> tuple[np.ndarray, ...]:
        """The entries as compressed rows of which only those with entries are listed (DCSR).

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        compressed_rows, indptr, col_indices, values : array
            The rows that have entries, the offset of each and of the end, and for each entry its
            column and its value.

        Notes
        -----
        The call waits for the device.
        """
        row, column, value = self.to_coo(dtype)
        return (*compressed(row), column, value)

    def to_dcsc(self, dtype: Any = None, *, sort: bool = True) -> tuple[np.ndarray, ...]:
        """The entries as compressed columns of which only those with entries are listed (DCSC).

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        compressed_cols, indptr, row_indices, values : array
            The columns that have entries, the offset of each and of the end, and for each entry its
            row and its value.

        Notes
        -----
        The call waits for the device.
        """
        row, column, value = self.to_coo(dtype)
        order = np.argsort(column, kind="stable")
        return (*compressed(column[order]), row[order], value[order])
