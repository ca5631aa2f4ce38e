"""Values that a user gives, as arrays of one of our types on the host, which can hold them."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_list
from lagraph_gpu.convert.interchange import as_numpy, on_device, unrounded
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    WrongDimension,
    WrongKind,
    WrongType,
    brief,
)
from semirings import types


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
        if not (held := fits(array, to)).all():
            wrong = np.flatnonzero(~held)
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
    if wanted is None and (fill_value is None or type(fill_value) is int):
        return _filling_with_integer(dtype, fill_value)
    return _filling(dtype, fill_value, wanted)


@functools.lru_cache(maxsize=256)
def _filling_with_integer(dtype: np.dtype, fill_value: int | None) -> tuple[Any, np.dtype]:
    if fill_value is None:  # then there is an entry at each position
        return typed_values(on_host(0), 1, dtype)[0], dtype
    return _filling(dtype, fill_value, None)


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


def one_value(value: np.ndarray) -> bool:
    """True if there are several values, and all have the same bits."""
    if value.size < 2:
        return False
    bits = np.ascontiguousarray(value).view(np.uint8)  # so that 0.0 and -0.0 are two values
    bits = bits.reshape(value.size, -1)
    return bool((bits == bits[0]).all())


def all_alike(values: np.ndarray) -> bool:
    """True if all of these values, of which there is at least one, are equal, or all are NaN."""
    first = values[0]
    if values[-1] != first and first == first:
        return False
    return bool((values == first).all() or (first != first and (values != values).all()))
