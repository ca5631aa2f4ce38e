"""`v.ss` and `A.ss`: what python-graphblas' programs ask of SuiteSparse, on every backend.

Here are the parts that say something about a container whatever stores it: its entries one after
another, whether they are all equal, and arrays of them in the formats of SuiteSparse. They read the
entries to the host. How SuiteSparse stores a container, and its settings, is not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.options import Order
from lagraph_gpu.convert.values import all_alike
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, WrongKind, brief
from lagraph_gpu.notation import expressions
from lagraph_gpu.notation.checks import expect_hints, is_integer
from lagraph_gpu.notation.matrix_export import order_of
from semirings import types


class Entries:
    """The entries of a container, as `v.ss` and `A.ss` of python-graphblas give them.

    Parameters
    ----------
    container : Vector or Matrix
        The container. Each call reads its entries to the host.
    """

    def __init__(self, container: Any) -> None:
        self._container = container

    # --- one after another -------------------------------------------------------------------
    def iterkeys(self, seek: int = 0) -> Iterator[Any]:
        """The positions of the entries, one after another.

        Parameters
        ----------
        seek : int, optional
            How many entries to leave out. A negative number counts from the end.

        Returns
        -------
        iterator
            Indices of a vector, pairs (row, column) of a matrix.
        """
        _expect_count(seek)
        *axes, _ = self._container.to_coo(values=False)
        places = [axis[_from(seek, axis.size) :].tolist() for axis in axes]
        return iter(places[0]) if len(places) == 1 else zip(*places)

    def itervalues(self, seek: int = 0) -> Iterator[Any]:
        """The values of the entries, one after another.

        Parameters
        ----------
        seek : int, optional
            How many entries to leave out. A negative number counts from the end.

        Returns
        -------
        iterator
            The values, in the order of `iterkeys`.
        """
        _expect_count(seek)
        values = self._container.to_coo()[-1]
        return iter(values[_from(seek, values.size) :].tolist())

    def iteritems(self, seek: int = 0) -> Iterator[tuple[Any, ...]]:
        """The positions and values of the entries, one after another.

        Parameters
        ----------
        seek : int, optional
            How many entries to leave out. A negative number counts from the end.

        Returns
        -------
        iterator
            Pairs (index, value) of a vector, triples (row, column, value) of a matrix.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3], [10, 30], backend="cpu")
        >>> list(v.ss.iteritems()), list(v.ss.iterkeys(-1))
        ([(1, 10), (3, 30)], [3])
        """
        _expect_count(seek)
        *axes, values = self._container.to_coo()
        skip = _from(seek, values.size)
        return zip(*(axis[skip:].tolist() for axis in axes), values[skip:].tolist())

    # --- one value for all -------------------------------------------------------------------
    @property
    def is_iso(self) -> bool:
        """Whether there are entries and all of them have the same value, which may be NaN."""
        x = self._container
        if x.nvals == 0:
            return False
        known = x.backend.holds_one_value(x._store)
        return all_alike(x.to_coo()[-1]) if known is None else known

    @property
    def iso_value(self) -> Any:
        """The Scalar that all entries hold. Raises InvalidValue if they differ."""
        kind, x = expressions.above()[0][0], self._container
        if not self.is_iso:
            raise InvalidValue("expected entries that all have one value, got several, or none")
        read = x.backend.vector_ends if len(x.shape) == 1 else x.backend.matrix_ends
        return kind.from_value(read(x._store, 1, 0)[-1][0], x.dtype, backend=x.backend)

    @property
    def nbytes(self) -> int:
        """The bytes that the entries take as coordinates and values."""
        x = self._container
        return int(x.nvals * (8 * x.ndim + x.dtype.itemsize))

    def head(self, n: int = 10, dtype: Any = None, *, sort: bool = False) -> tuple[Any, ...]:
        """The first entries.

        Parameters
        ----------
        n : int, optional
            How many at most.
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        sort : bool, optional
            Accepted as in python-graphblas. The result is always sorted.

        Returns
        -------
        tuple of array
            The positions on each axis, and the values.
        """
        _expect_count(n)
        return tuple(part[:n] for part in self._container.to_coo(dtype))

    # --- arrays ------------------------------------------------------------------------------
    def export(self, format: str | None = None, **how: Any) -> dict[str, Any]:
        """The entries as arrays, in one of SuiteSparse's formats.

        Parameters
        ----------
        format : str, optional
            For a vector "sparse", "bitmap" or "full", by default "sparse". For a matrix "csr",
            "csc", "hypercsr", "hypercsc", "coo", "coor", "cooc", "bitmapr", "bitmapc", "fullr",
            "fullc", "rowwise" or "columnwise", by default "csr".
        **how : object
            `sort`, `give_ownership` and `raw` of python-graphblas, and hints such as `nthreads`,
            which change nothing: the arrays are sorted copies.

        Returns
        -------
        dict
            The arrays and sizes, under python-graphblas' names. `is_iso` is always False: there is
            a value for each entry.

        Raises
        ------
        InvalidValue
            There is no such format, or it is a full one and an entry is missing.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_coo([0, 2], [1, 0], [5, 6], backend="cpu")
        >>> rows = A.ss.export("hypercsr")
        >>> rows["rows"].tolist(), rows["indptr"].tolist(), rows["col_indices"].tolist()
        ([0, 2], [0, 1, 2], [1, 0])
        """
        x = self._container
        kinds = MATRIX_FORMATS if len(x.shape) == 2 else VECTOR_FORMATS
        if format is not None and not is_one_of(format, kinds):
            raise InvalidValue(f"expected a format among {list(kinds)}, got {brief(format)}")
        name, arrays = kinds[format or next(iter(kinds))]
        return {**arrays(x, name), "format": name, "is_iso": False}


class VectorEntries(Entries):
    """`v.ss`: the entries of a vector.

    Parameters
    ----------
    container : Vector
        The container. Each call reads its entries to the host.
    """

    def selectk(self, how: WhichEntries, k: int, *, name: str | None = None) -> Any:
        """A vector with at most k of the entries.

        Parameters
        ----------
        how : {"first", "last", "smallest", "largest", "random"}
            Which of them. A random choice is another one with every call.
        k : int
            How many at most.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            These entries, at their positions.

        Raises
        ------
        InvalidValue
            There is no such choice, or k is negative.
        """
        _expect_choice(how, k, VECTOR_CHOICES)
        v = self._container
        index, values = _held(v)
        kept = np.sort(_chosen(np.zeros(values.size, np.int64), values, how, k)[0])
        return _like(v, (index[kept],), values[kept], v.shape, name)

    def compactify(
        self,
        how: WhichEntries = "first",
        size: int | None = None,
        *,
        reverse: bool = False,
        asindex: bool = False,
        name: str | None = None,
    ) -> Any:
        """A vector of the entries without gaps.

        Parameters
        ----------
        how : {"first", "last", "smallest", "largest", "random"}, optional
            In which order, and which of them where there are more than `size`: from the first, from
            the last, by value, or by chance.
        size : int, optional
            The size of the result. By default the number of entries.
        reverse : bool, optional
            Whether the entries that were taken are in the opposite order.
        asindex : bool, optional
            Whether the result holds positions instead of values, as UINT64.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector
            The entries at the positions 0, 1, 2, …

        Raises
        ------
        InvalidValue
            There is no such order, or the size is negative.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([1, 3, 4], [20, 10, 30], backend="cpu")
        >>> v.ss.compactify("largest", 2).to_dict(), v.ss.compactify(asindex=True).to_dict()
        ({0: 30, 1: 20}, {0: 1, 1: 3, 2: 4})
        """
        _expect_choice(how, 0 if size is None else size, VECTOR_CHOICES)
        v = self._container
        index, values = _held(v)
        size = values.size if size is None else size
        kept, _ = _chosen(np.zeros(values.size, np.int64), values, how, size)
        kept = kept[::-1] if reverse else kept
        held = index[kept].astype(np.uint64) if asindex else values[kept]
        return _like(v, (np.arange(kept.size),), held, (size,), name)

    def reshape(
        self,
        nrows: Any,
        ncols: int | None = None,
        order: Order = "rowwise",
        *,
        name: str | None = None,
        **hints: Any,
    ) -> Any:
        """A matrix with the same entries, line after line.

        Parameters
        ----------
        nrows : int or pair of int
            The number of rows, or both sizes. One of the sizes may be -1: what is left.
        ncols : int, optional
            The number of columns.
        order : {"rowwise", "columnwise"}, optional
            Whether the lines are rows or columns.
        name : str, optional
            A name for the result, which is shown where it is printed.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        Matrix
            A matrix with as many positions.

        Raises
        ------
        DimensionMismatch
            It would not have as many positions.
        """
        expect_hints(hints)
        v = self._container
        shape, by_columns = _shape(nrows, ncols, v.size), order_of(order)
        index, values = _held(v)
        place = _places(index, shape, by_columns)
        return _like(v, place, values, shape, name)


class MatrixEntries(Entries):
    """`A.ss`: the entries of a matrix.

    Parameters
    ----------
    container : Matrix
        The container. Each call reads its entries to the host.
    """

    def selectk(
        self, how: MatrixChoice, k: int, order: Order = "rowwise", *, name: str | None = None
    ) -> Any:
        """A matrix with at most k of the entries of each row or column.

        Parameters
        ----------
        how : {"first", "last", "random"}
            Which of them. A random choice is another one with every call.
        k : int
            How many at most.
        order : {"rowwise", "columnwise"}, optional
            Whether of each row or of each column.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            These entries, at their positions.

        Raises
        ------
        InvalidValue
            There is no such choice or order, or k is negative.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_coo([0, 0, 1], [0, 2, 1], [5, 6, 7], backend="cpu")
        >>> A.ss.selectk("last", 1).to_coo()[1].tolist()
        [2, 1]
        """
        _expect_choice(how, k, MATRIX_CHOICES)
        A, by_columns = self._container, order_of(order)
        if how != "random" and not by_columns and _has_offsets(A):
            begins, column, values = A.backend.matrix_entries(A._store)
            ends, place = _shares(begins, k)
            kept = place + np.repeat((begins[1:] if how == "last" else begins[:-1]), np.diff(ends))
            if how == "last":
                kept -= np.repeat(np.diff(ends), np.diff(ends))
            return _of_rows(A, ends, column[kept], values[kept], A.ncols, name)
        row, column, values = _held(A)
        kept = np.sort(_chosen(column if by_columns else row, values, how, k)[0])
        return _like(A, (row[kept], column[kept]), values[kept], A.shape, name)

    def compactify(
        self,
        how: WhichEntries = "first",
        k: int | None = None,
        order: Order = "rowwise",
        *,
        reverse: bool = False,
        asindex: bool = False,
        name: str | None = None,
    ) -> Any:
        """A matrix with the entries of each row, or of each column, without gaps.

        Parameters
        ----------
        how : {"first", "last", "smallest", "largest", "random"}, optional
            In which order, and which of them where there are more than k: from the first, from the
            last, by value, or by chance.
        k : int, optional
            The number of columns of the result (or of rows). By default as many as the longest line
            has entries.
        order : {"rowwise", "columnwise"}, optional
            Whether entries move within rows to the left, or within columns to the top.
        reverse : bool, optional
            Whether the entries that were taken are in the opposite order.
        asindex : bool, optional
            Whether the result holds columns (or rows) instead of values, as UINT64.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Matrix
            The entries of each line at its positions 0, 1, 2, …

        Raises
        ------
        InvalidValue
            There is no such order, or k is negative.
        """
        _expect_choice(how, 0 if k is None else k, VECTOR_CHOICES)
        A, by_columns = self._container, order_of(order)
        if how in ("first", "last") and not by_columns and _has_offsets(A):
            begins, column, values = A.backend.matrix_entries(A._store)
            ends, place = _shares(begins, k)
            count = np.diff(ends)
            width = int(count.max(initial=0)) if k is None else k
            held = column.astype(np.uint64) if asindex else values
            if k is not None or how == "last" or reverse:
                step = place if not reverse else np.repeat(count, count) - 1 - place
                first = how == "first"
                base = np.repeat(begins[:-1] if first else begins[1:] - 1, count)
                held = held[base + step if first else base - step]
            return _of_rows(A, ends, place, held, width, name)
        row, column, values = _held(A)
        lines, along = (column, row) if by_columns else (row, column)
        kept, place = _chosen(lines, values, how, k)
        width = int(place.max(initial=-1)) + 1 if k is None else k
        line = lines[kept]
        if reverse:
            place = (
                np.searchsorted(line, line, side="right") - np.searchsorted(line, line) - 1 - place
            )
        held = along[kept].astype(np.uint64) if asindex else values[kept]
        axes, shape = (
            ((place, line), (width, A.ncols)) if by_columns else ((line, place), (A.nrows, width))
        )
        return _like(A, axes, held, shape, name)

    def flatten(self, order: Order = "rowwise", *, name: str | None = None, **hints: Any) -> Any:
        """A vector with the same entries, line after line.

        Parameters
        ----------
        order : {"rowwise", "columnwise"}, optional
            Whether the lines are rows or columns.
        name : str, optional
            A name for the result, which is shown where it is printed.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        Vector
            A vector with as many positions.
        """
        expect_hints(hints)
        A, by_columns = self._container, order_of(order)
        row, column, values = _held(A)
        return _like(
            A, (_position(row, column, A.shape, by_columns),), values, (A.nrows * A.ncols,), name
        )

    def reshape(
        self,
        nrows: Any,
        ncols: int | None = None,
        order: Order = "rowwise",
        *,
        inplace: bool = False,
        name: str | None = None,
        **hints: Any,
    ) -> Any:
        """A matrix of another shape with the same entries, line after line.

        Parameters
        ----------
        nrows : int or pair of int
            The number of rows, or both sizes. One of the sizes may be -1: what is left.
        ncols : int, optional
            The number of columns.
        order : {"rowwise", "columnwise"}, optional
            Whether the lines are rows or columns.
        inplace : bool, optional
            Whether this matrix takes the shape, instead of a new one.
        name : str, optional
            A name for the result, which is shown where it is printed.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        Matrix, or None
            A matrix with as many positions; None where it is done in place.

        Raises
        ------
        DimensionMismatch
            It would not have as many positions.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> A = lg.Matrix.from_coo([0, 1], [1, 2], [5, 6], nrows=2, ncols=3, backend="cpu")
        >>> A.ss.reshape(3, -1).to_coo()[0].tolist(), A.ss.flatten().to_dict()
        ([0, 2], {1: 5, 5: 6})
        """
        expect_hints(hints)
        A = self._container
        shape, by_columns = _shape(nrows, ncols, A.nrows * A.ncols), order_of(order)
        if inplace:
            A._expect_free()
        row, column, values = _held(A)
        place = _places(_position(row, column, A.shape, by_columns), shape, by_columns)
        made = _like(A, place, values, shape, name)
        if not inplace:
            return made
        A.shape, A._store = made.shape, made._store
        return None


# --- which entries, and where -------------------------------------------------------------------
MatrixChoice = Literal["first", "last", "random"]
WhichEntries = Literal["first", "last", "random", "smallest", "largest"]
MATRIX_CHOICES = get_args(MatrixChoice)
VECTOR_CHOICES = get_args(WhichEntries)


def _expect_choice(how: Any, k: Any, ways: Any) -> None:
    """Raise InvalidValue unless `how` is one of the ways to choose entries, and k a number of them.
    Like all checks of arguments here, before entries are read: processes that read together hear of
    an error in the call (``cluster/failed_calls.py``)."""
    if not is_one_of(how, ways):
        raise InvalidValue(f"expected one of {', '.join(ways)}, got {brief(how)}")
    if not is_integer(k) or k < 0:
        raise InvalidValue(f"expected a number of entries of at least 0, got {brief(k)}")


def _expect_count(n: Any) -> None:
    if not is_integer(n):
        raise InvalidValue(f"expected a whole number of entries, got {brief(n)}")


def _chosen(
    lines: np.ndarray, values: np.ndarray, how: Any, k: Any
) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the entries that are taken of each line, line by line in the order `how`, and
    the number of each within its line. With k = None all are taken."""
    if how == "first":  # a stable sort of lines that are sorted takes one pass
        order = np.argsort(lines, kind="stable")
    elif how == "last":
        order = values.size - 1 - np.argsort(lines[::-1], kind="stable")
    else:
        key = {
            "random": lambda: np.random.default_rng().permutation(values.size),
            "smallest": lambda: np.argsort(np.argsort(values, kind="stable")),
            "largest": lambda: -np.argsort(np.argsort(values, kind="stable")),
        }[how]()
        order = np.lexsort((key, lines))
    rank = _rank(lines[order])
    few = slice(None) if k is None else rank < k
    return order[few], rank[few]


def _has_offsets(A: Any) -> bool:
    """True for numbers, unless so few rows have entries that an offset for each would count."""
    return not types.is_record(A.dtype) and 0 < A.nrows <= ROWS_PER_LISTED_ROW * A.nvals


def _shares(begins: np.ndarray, k: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The row offsets of at most k entries of each row, and the number of each within its row."""
    count = np.diff(begins) if k is None else np.minimum(np.diff(begins), k)
    ends = np.concatenate([[0], np.cumsum(count)])
    return ends, np.arange(ends[-1]) - np.repeat(ends[:-1], count)


def _of_rows(
    x: Any, begins: np.ndarray, column: np.ndarray, values: np.ndarray, ncols: int, name: Any
) -> Any:
    """A matrix of these compressed rows, which are sorted, where `x` is."""
    shape = begins.size - 1, ncols
    kind = expressions.above()[0][2]
    return kind._built(shape, (begins, column, values), x.backend, name=name)  # type: ignore


def _rank(lines: np.ndarray) -> np.ndarray:
    """The number of each entry within its line, where lines are sorted."""
    begins = np.flatnonzero(np.diff(lines, prepend=-1))
    return np.arange(lines.size) - np.repeat(begins, np.diff(begins, append=lines.size))


def _shape(nrows: Any, ncols: Any, positions: int) -> tuple[int, int]:
    """The sizes of a matrix of so many positions."""
    sizes = nrows if ncols is None and isinstance(nrows, (tuple, list)) else (nrows, ncols)
    if len(sizes) != 2 or not all(is_integer(n) or n is None for n in sizes):
        raise WrongKind(f"expected a number of rows and one of columns, got {brief(sizes)}")
    known = [int(n) for n in sizes if n is not None and n >= 0]
    rest = positions // known[0] if len(known) == 1 and known[0] else 0
    rows, columns = (int(n) if n is not None and n >= 0 else rest for n in sizes)
    if not known or rows * columns != positions:
        raise DimensionMismatch(f"expected sizes for {positions} positions, got {brief(sizes)}")
    return check_size(rows), check_size(columns)


def _position(row: Any, column: Any, shape: tuple[int, ...], by_columns: bool) -> np.ndarray:
    """The number of each position, counted line after line. They are Python's integers where a
    matrix has more positions than 64 bits count."""
    exact = np.int64 if shape[0] * shape[1] < 2**63 else object
    row, column = row.astype(exact), column.astype(exact)
    return column * shape[0] + row if by_columns else row * shape[1] + column


def _places(position: Any, shape: tuple[int, int], by_columns: bool) -> tuple[Any, Any]:
    width = max(shape[0] if by_columns else shape[1], 1)
    line, along = (position // width).astype(np.int64), (position % width).astype(np.int64)
    return (along, line) if by_columns else (line, along)


def _held(x: Any) -> Any:
    """The positions and the values of the entries; those of an array type in one line."""
    backend = x.backend
    return (backend.vector_entries if x.ndim == 1 else backend.matrix_coordinates)(x._store)


def _like(x: Any, axes: Any, values: np.ndarray, shape: tuple[int, ...], name: Any) -> Any:
    """A container of these entries, where `x` is."""
    kind = expressions.above()[0][len(shape)]
    sizes = dict(zip(("nrows", "ncols") if len(shape) == 2 else ("size",), shape))
    dtype = x.dtype if values.dtype == x.dtype else values.dtype
    return kind.from_coo(*axes, values, dtype, **sizes, backend=x.backend, name=name)


# --- arrays -------------------------------------------------------------------------------------
def _from(seek: int, count: int) -> int:
    return max(0, seek + count) if seek < 0 else seek


def _compressed(A: Any, name: str) -> dict[str, Any]:
    """Compressed rows or columns, of all lines or of those that have entries."""
    hyper, by_rows = name.startswith("hyper"), name.endswith("csr")
    read = {"csr": A.to_csr, "csc": A.to_csc, "hypercsr": A.to_dcsr, "hypercsc": A.to_dcsc}[name]
    *lines, indptr, along, values = read()
    arrays = {
        "indptr": indptr,
        "col_indices" if by_rows else "row_indices": along,
        "values": values,
    }
    if hyper:
        arrays["rows" if by_rows else "cols"] = lines[0]
    return {**arrays, **_sizes(A), "sorted_cols" if by_rows else "sorted_rows": True}


def _coordinates(A: Any, name: str) -> dict[str, Any]:
    rows, cols, values = A.to_coo()
    if name == "cooc":
        order = np.argsort(cols, kind="stable")
        rows, cols, values = rows[order], cols[order], values[order]
    arrays = {"rows": rows, "cols": cols, "values": values, **_sizes(A)}
    return {**arrays, "sorted_rows": True, "sorted_cols": True}


def _bitmap(x: Any, name: str) -> dict[str, Any]:
    """A truth value and a value for each position; the values of the others are zero."""
    *axes, values = _held(x)
    bitmap, dense = np.zeros(x.shape, bool), np.zeros(x.shape, values.dtype)
    bitmap[tuple(axes)], dense[tuple(axes)] = True, values
    return {"bitmap": bitmap, "values": types.shown(dense), "nvals": values.size}


def _full(x: Any, name: str) -> dict[str, Any]:
    if x.nvals != np.prod(x.shape, dtype=object):
        raise InvalidValue(
            f"expected an entry at every position for the format {name}, got {x.nvals} entries"
        )
    return {"values": x.to_dense()}


def _sparse(v: Any, name: str) -> dict[str, Any]:
    index, values = v.to_coo()
    return {"indices": index, "values": values, "size": v.size, "sorted_index": True}


def _sizes(A: Any) -> dict[str, int]:
    return {"nrows": A.nrows, "ncols": A.ncols}


VECTOR_FORMATS = {"sparse": ("sparse", _sparse), "bitmap": ("bitmap", _bitmap),
                  "full": ("full", _full)}  # fmt: skip
MATRIX_FORMATS = {
    **{name: (name, _compressed) for name in ("csr", "csc", "hypercsr", "hypercsc")},
    **{name: (name, _coordinates) for name in ("coor", "cooc")},
    "coo": ("coor", _coordinates),
    **{name: (name, _bitmap) for name in ("bitmapr", "bitmapc")},
    **{name: (name, _full) for name in ("fullr", "fullc")},
    "rowwise": ("csr", _compressed),
    "columnwise": ("csc", _compressed),
}
"""What each format is called where it is a choice of others, and what makes its arrays."""
