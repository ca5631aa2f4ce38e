"""From coordinates to what a backend stores: checks, duplicates and sorted rows.

All of it is NumPy on the host, O(m log m) for m entries.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer, is_list
from lagraph_gpu.convert.interchange import as_numpy, on_device, unrounded
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidObject,
    InvalidValue,
    NegativeSize,
    OutsideShape,
    SizeTooLarge,
    UnsortedRows,
    WrongDimension,
    WrongKind,
    WrongType,
    brief,
)
from lagraph_gpu.memory import expect_room
from semirings import types

BLOCK = 1 << 20
"""How many ids are looked at at once where they are looked at in blocks."""

MAX_SIZE = 2**60
"""The largest number of positions, rows or columns, as in GraphBLAS."""

WITH_LABELS = "Graph.from_edges(…, labels=True)"

LARGER_GRAPHS = "take a cluster of two or more processes with CPUs, which has larger graphs"

ROWS_PER_LISTED_ROW = 16
"""Where fewer than one row in so many has an entry, only those rows are listed."""

MOST_KEPT_AS_ARRAYS = 1 << 16
"""A matrix of at most so many coordinates is arrays on a CPU until a statement needs a store of
SuiteSparse: many are read by loops alone. Larger arrays would be copied twice for a statement."""

LISTING_HELPS = "to_coo and to_dcsr list only rows that have entries"
"""What to do where compressed rows would take too much memory."""


def kept_as_arrays(count: int, dtype: np.dtype) -> bool:
    """Whether a matrix of so many coordinates is arrays on a CPU until a statement asks for
    more."""
    return count <= MOST_KEPT_AS_ARRAYS and dtype.kind in "biuf"


def check_size(size: Any) -> int:
    """Check a number of positions of a vector, or of rows or columns of a matrix."""
    if not is_integer(size):
        try:
            number: Any = size if getattr(size, "shape", None) == () else None
            size = operator.index(number)  # a Scalar
        except TypeError:
            raise WrongDimension(
                f"expected a size as an integer of at least 0, got {brief(size)}"
            ) from None
    if size < 0:
        raise NegativeSize(f"expected a size as an integer of at least 0, got {brief(size)}")
    if size > MAX_SIZE:
        raise SizeTooLarge(f"expected at most 2**60 = {MAX_SIZE} positions, got {brief(size)}")
    return int(size)


def on_host(values: Any) -> np.ndarray:
    """Values as a NumPy array. An array on a GPU is refused, so that no copy goes unnoticed."""
    if on_device(values):
        raise WrongType(
            f"expected an array on the host, got {type(values).__name__} on a GPU; copy it with "
            ".get() (CuPy) or .cpu() (PyTorch), or take Matrix.from_csr or Vector.from_dense"
        )
    return as_numpy(values)


def of_integers(array: np.ndarray) -> bool:
    """True for an array of Python integers, some of which may be too large for a type of NumPy."""
    return array.dtype.kind == "O" and all(type(x) is int for x in array.flat)


def coordinates(
    ids: Any, size: int | None, what: str, most: int = MAX_SIZE, copy: bool = True
) -> np.ndarray:
    """Ids as int64, each in [0, size). Without a size there are at most `most` different ones.

    Ids with a fraction, negative or too large ids are refused. The array is one of its own, except
    with `copy=False` if the ids are an array of int64.
    """
    size = None if size is None else check_size(size)
    array = on_host(ids)
    if array.ndim != 1:
        got = f"shape {array.shape}" if array.ndim else f"{brief(ids)}; pass a list, or an array"
        raise DimensionMismatch(f"expected the {what} ids as a 1-D array, got {got}")
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind == "f":
        broken = np.flatnonzero(array != np.floor(array))
        if broken.size or not np.isfinite(array).all():
            at = int(broken[0]) if broken.size else int(np.flatnonzero(~np.isfinite(array))[0])
            raise InvalidValue(f"expected {what} ids as integers, got {array[at]} at position {at}")
    elif array.dtype.kind not in "iu" and not of_integers(array):
        raise InvalidValue(f"expected {what} ids as integers, got values of type {array.dtype}")
    limit = most - 1 if size is None else size - 1
    low, high = array.min(), array.max()
    if low < 0 or high > limit:
        bad = low if low < 0 else high
        at = int(np.flatnonzero(array == bad)[0])
        hint = "ids start at 0" if low < 0 else f"raise the size above {int(high)} if it is meant"
        if size is None and low >= 0:
            hint = "renumber them from 0"
            if most < MAX_SIZE:
                hint += f", take them as labels: {WITH_LABELS}, or {LARGER_GRAPHS}"
        raise IndexOutOfBound(
            f"expected {what} ids from 0 to {limit}, got {int(bad)} at position {at}; {hint}"
        )
    return array.astype(np.int64, copy=copy)


def fits(values: Any, dtype: np.dtype) -> np.ndarray:
    """True where a type can hold a value: no integer wraps or saturates, and no NaN becomes 0.

    BOOL can hold any number, as its truth value. A fraction may be cut off or rounded; an imaginary
    part may not be lost.
    """
    array = np.asarray(values)
    if dtype.kind == "b" or array.dtype.kind == "b":
        return np.ones(array.shape, bool)
    if array.dtype.kind == "c" and dtype.kind != "c":  # an imaginary part would be lost
        return fits(array.real, dtype) & (array.imag == 0)
    if types.rounds(dtype):
        if not types.rounds(array.dtype):
            return np.abs(array) <= float(np.finfo(dtype).max)
        return ~np.isfinite(array) | (np.abs(array) <= np.finfo(dtype).max)
    low, end = types.lowest(dtype), types.highest(dtype) + 1  # powers of two: exact as floats
    if array.dtype.kind == "f":
        whole = np.trunc(array)
        return (whole >= float(low)) & (whole < float(end))
    return np.asarray((array >= low) & (array < end), bool)


def _tuple_of(value: Any, dtype: np.dtype) -> Any:
    """A record that is given by the names of its fields as a tuple."""
    if not isinstance(value, Mapping) or dtype.fields is None or value.keys() != {*dtype.fields}:
        return value
    return tuple(_tuple_of(value[name], field) for name, (field, *_) in dtype.fields.items())


def of_arrays(values: Any, dtype: types.DataType) -> np.ndarray:
    """Values of an array type, as they are held: of numbers with at least as many axes as it has.

    One number is repeated in the whole array.
    """
    base, shape = dtype.base, dtype.shape
    given = of_records(values, types.lookup(base)) if base.fields else on_host(values)
    if given.ndim and given.shape[-len(shape) :] != shape:
        raise DimensionMismatch(
            f"expected values of the array type {dtype}, whose last axes have the shape {shape}, "
            f"got shape {given.shape}"
        )
    flat = typed_values(given.reshape(-1), given.size, base)
    made: np.ndarray = np.empty(given.shape[: -len(shape)] if given.ndim else (), dtype.dtype)
    types.shown(made)[...] = flat.reshape(given.shape)
    return made


def array_type(values: Any, axes: int, dtype: Any) -> Any:
    """The type of values that have more axes than `axes`: an array type, if no other is wanted.

    >>> array_type([[1, 2], [3, 4]], 1, None), array_type([1, 2], 1, None)
    (INT64[2], None)
    """
    if dtype is not None or on_device(values):
        return dtype
    if not isinstance(values, np.ndarray):
        if not isinstance(values, (list, tuple)) or not values or not is_list(values[0]):
            return dtype
        with suppress(ValueError):  # of lists of different lengths
            values = np.asarray(values)
    if isinstance(values, np.ndarray) and values.ndim > axes and values.dtype.kind in "biufcV":
        return types.lookup((values.dtype, values.shape[axes:]))
    return dtype


def dense_values(values: np.ndarray, axes: int, dtype: Any) -> np.ndarray:
    """The values of a full container with so many axes, in one line, as they are held."""
    dtype = array_type(values, axes, dtype)
    in_one = () if dtype is None else types.lookup(dtype).shape
    if values.dtype.names == (types.IN_ARRAY,):
        in_one = ()
    if values.ndim != axes + len(in_one):
        wanted = "one" if axes == 1 else "two"
        beside = f" of values of shape {in_one}" if in_one else ""
        raise WrongDimension(
            f"expected a {wanted}-dimensional array{beside}, got shape {values.shape}"
        )
    count = math.prod(values.shape[:axes])
    return typed_values(values.reshape(count, *values.shape[axes:]), count, dtype)


def of_records(values: Any, dtype: types.DataType) -> np.ndarray:
    """Values, such as tuples or lists, as an array of records, or of arrays as they are held."""
    if isinstance(values, (np.ndarray, np.void)) and values.dtype == dtype:
        return np.asarray(values)
    if dtype.subdtype is not None:
        return of_arrays(values, dtype)
    if isinstance(values, Mapping):
        values = _tuple_of(values, dtype)
    if type(values) is int and values == 0:
        return np.zeros((), dtype)
    try:
        return np.array(values, dtype.dtype)
    except (TypeError, ValueError) as problem:
        raise InvalidValue(
            f"expected values of the record {dtype}, which has the fields "
            f"{', '.join(dtype.names or ())}: {problem}"
        ) from None


def typed_values(values: Any, count: int, dtype: Any) -> np.ndarray:
    """Values as an array of one of our types, of length `count`, or of length 1 for one value."""
    if type(values) is float and dtype is types.FP64:
        return np.array((values,))
    if dtype is not None and types.is_record(types.lookup(dtype)):
        array = of_records(values, types.lookup(dtype))
    else:
        array = on_host(values)
    array = unrounded(values, array, dtype)
    large = of_integers(array)
    if large and dtype is None:
        for at, value in enumerate(array.flat):
            if not -(2**63) <= value < 2**64:
                raise InvalidValue(
                    f"expected values that fit INT64 or UINT64, got {brief(value)} at position "
                    f"{at}; give floats, or change the value"
                )
    beside = dtype is not None and not types.is_record(types.lookup(dtype))
    known = array.dtype.kind in "biufc" or (array.dtype.fields is not None and not beside)
    if not known and not (large and dtype is not None):
        given = values if isinstance(values, (list, tuple)) else array.flat
        numeric = (int, float, complex, np.number, np.bool_)
        found = ((at, x) for at, x in enumerate(given) if not isinstance(x, numeric))
        first = next((f": {brief(x)} at position {at}" for at, x in found), "")
        raise WrongKind(f"expected numbers as values, got the type {array.dtype}{first}")
    to = types.lookup(array.dtype if dtype is None else dtype)
    if array.dtype != to:
        wrong = np.flatnonzero(~fits(array, to))
        if wrong.size:
            got = array.flat[wrong[0]]
            got = brief(got) if large else got
            lost = array.dtype.kind == "c" and to.kind != "c"  # python-graphblas: a TypeError
            raise (WrongKind if lost else InvalidValue)(
                f"expected values that fit {types.name(to)}, got {got} at "
                f"position {wrong[0]}; choose a wider type, or change the value"
            )
        array = np.asarray(types.cast(array, to) if array.dtype.kind == "c" else array.astype(to))
    if array.ndim == 0:
        return array.reshape(1)
    if array.shape != (count,):
        raise DimensionMismatch(f"expected {count} values or a single one, got shape {array.shape}")
    return array


KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
"""The kinds of NumPy's numbers, from the narrowest to the widest."""


def filling(dtype: np.dtype, fill_value: Any, wanted: Any) -> tuple[Any, np.dtype]:
    """The value for the positions without an entry in a dense array, and the type of the array.

    The type is `wanted` if it is given. Otherwise it is `dtype` if that can hold the value and the
    value is of no wider kind: BOOL, integers, real and complex numbers widen in this order. It is
    a type that can hold both in all other cases, so 0 beside BOOL gives INT64.
    """
    if fill_value is wanted is None:  # then there is an entry at each position
        return _filling_with_0(dtype)
    return _filling(dtype, fill_value, wanted)


@functools.cache
def _filling_with_0(dtype: np.dtype) -> tuple[Any, np.dtype]:
    return typed_values(on_host(0), 1, dtype)[0], dtype


def _filling(dtype: np.dtype, fill_value: Any, wanted: Any) -> tuple[Any, np.dtype]:
    to: np.dtype
    fill = on_host(0 if fill_value is None else fill_value)
    if fill.ndim and not types.is_record(dtype):
        raise WrongType(f"expected one number as fill_value, got {brief(fill_value)}")
    if wanted is not None:
        to = types.lookup(wanted)
    elif (
        types.is_record(dtype)
        or fill.dtype.kind not in "biufc"
        or (types.rounds(dtype) and fill.dtype.kind != "c")
    ):
        to = dtype
    else:
        wider = KINDS[fill.dtype.kind] > KINDS[dtype.kind]
        keeps = not wider and bool(types.cast(fill, dtype) == fill)
        to = dtype if keeps else types.unify(dtype, fill.dtype)
    return typed_values(fill, 1, to)[0], to


def tuples_of(pairs: Any, what: str) -> list[tuple[Any, ...]]:
    """An iterable of iterables, or the rows of a data frame, as a list of tuples."""
    pairs = as_numpy(pairs) if isinstance(pairs, np.ndarray) else rows_of(pairs)
    if not is_list(pairs):
        raise InvalidValue(f"expected {what}, got {brief(pairs)}")
    rows = []
    for row in pairs:
        if type(row) is not tuple:
            if not is_list(row):
                raise InvalidValue(f"expected {what}, got {brief(row)} among them")
            row = tuple(row)
        rows.append(row)
    return rows


def rows_of(frame: Any) -> Any:
    """The rows of a frame of pandas or Polars or of a table of PyArrow, which would give their
    columns; anything else as it is."""
    if hasattr(frame, "itertuples"):
        return frame.itertuples(index=False, name=None)
    if hasattr(frame, "columns") and hasattr(frame, "rows"):
        return frame.rows()
    if hasattr(frame, "columns") and hasattr(frame, "column_names"):
        return zip(*(column.to_pylist() for column in frame.columns))
    return frame


def pairs_of(pairs: Any, width: int, what: str) -> list[tuple[Any, ...]]:
    """The columns of an iterable of tuples, which must have equal lengths.

    No tuples: empty columns.
    """
    rows = tuples_of(pairs, what)
    lengths = set(map(len, rows))
    if lengths - {width}:
        raise InvalidValue(f"expected {what}, got an item of length {min(lengths - {width})}")
    return list(zip(*rows)) if rows else [()] * width


def expect_offsets(begins: Any, count: int, names: tuple[str, str]) -> None:
    """Check offsets, on the host or of CuPy: they run from 0 to `count` and never fall.

    They are compared, because differences of numbers that are far apart wrap around.
    """
    line, across = names
    flat = len(begins.shape) == 1 and begins.size > 0
    if not flat or int(begins[0]) != 0 or int(begins[-1]) != count:
        came = f"{begins[0]} to {begins[-1]}" if flat else f"shape {begins.shape}"
        raise InvalidObject(
            f"expected indptr to run from 0 to {count}, the number of {across} ids, got {came}; "
            "correct it, or give as many ids"
        )
    falls = begins[1:] < begins[:-1]
    if falls.any():
        at = int(falls.argmax())
        raise InvalidObject(
            f"expected indptr to be non-decreasing, got {begins[at]} and then {begins[at + 1]} at "
            f"position {at + 1}; it says where each {line} begins"
        )


@contextmanager
def within_shape() -> Iterator[None]:
    """Raise OutsideShape where compressed rows or dicts have an id outside of their shape."""
    try:
        yield
    except IndexOutOfBound as problem:
        raise OutsideShape(str(problem)) from None


def expect_inside(ids: Any, width: int, across: str) -> None:
    """Check that signed ids, on the host or of CuPy, are from 0 to `width` - 1."""
    if ids.size == 0:
        return
    unsigned = ids.view(f"u{ids.dtype.itemsize}")  # where what is negative is too large as well
    if int(unsigned.max()) >= width:
        at = int(unsigned.argmax())
        raise OutsideShape(
            f"expected {across} ids from 0 to {width - 1}, got {int(ids[at])} at position {at}"
        )


def expect_increasing(begins: np.ndarray, ids: np.ndarray, names: tuple[str, str]) -> None:
    """Check that ids increase within each row. The offsets have been checked.

    Ids may fall only where a row begins. It takes a block of memory, however many ids there are.
    """
    line, across = names
    for first in range(1, ids.size, BLOCK):
        part = ids[first - 1 : first + BLOCK]
        falls = first + np.flatnonzero(part[1:] <= part[:-1])
        if (begins[np.searchsorted(begins, falls)] != falls).any():
            raise UnsortedRows(
                f"expected increasing {across} ids in each {line}, each once; sort them, or use "
                "from_coo with dup_op"
            )


def checked_rows(
    indptr: Any,
    indices: Any,
    values: Any,
    dtype: Any,
    width: int | None,
    names: tuple[str, str],
    sort: bool = False,
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], int, bool]:
    """Check compressed rows, or columns, as `names` says. O(m), and O(m log m) if they are sorted.

    The result is the three arrays, the width, and whether one value stands for all entries.
    """
    across = names[1]
    begins, ids = on_host(indptr), coordinates(indices, width, across)
    if begins.dtype.kind not in "iu" and begins.size:
        raise InvalidValue(f"expected indptr as integers, got values of type {begins.dtype}")
    expect_offsets(begins, ids.size, names)
    begins = begins.astype(np.int64)
    value = typed_values(values, ids.size, array_type(values, 1, dtype))
    try:
        expect_increasing(begins, ids, names)
    except UnsortedRows:
        if not sort:
            raise
        order = np.lexsort((ids, np.repeat(np.arange(begins.size - 1), np.diff(begins))))
        ids, value = ids[order], value if value.size != ids.size else value[order]
        expect_increasing(begins, ids, names)
    width = int(ids.max(initial=-1)) + 1 if width is None else width
    return (begins, ids, value), check_size(width), np.ndim(values) == 0


def one_value(value: np.ndarray) -> bool:
    """True if there are several values, and all have the same bits."""
    if value.size < 2:
        return False
    bits = np.ascontiguousarray(value).view(np.uint8)  # so that 0.0 and -0.0 are two values
    bits = bits.reshape(value.size, -1)
    return bool((bits == bits[0]).all())


def compress(row: np.ndarray, nrows: int) -> np.ndarray:
    """The row offsets (int64, nrows + 1 numbers) of sorted row ids."""
    expect_room(16 * (nrows + 1), f"the offsets of {nrows:,} rows", LISTING_HELPS)
    indptr = np.zeros(nrows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=nrows), out=indptr[1:])
    return indptr
