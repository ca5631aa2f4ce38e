"""The eleven types of GraphBLAS, and the conversions between them.

A type is a plain NumPy dtype. This module gives the eleven their GraphBLAS names and their C++
names, and has the three functions of types on which every operator depends.

- `unify(a, b)`: the common type of two operands. The rule of python-graphblas is the promotion of
  NumPy, so INT64 with UINT64 gives FP64.
- `cast(x, dtype)`: the conversion of the GraphBLAS C API, as SuiteSparse does it. Integers wrap
  around, a floating-point number that does not fit saturates, NaN becomes 0, and everything except
  0 is true, NaN included. `arithmetic::cast<T>` is the same function on a GPU.
- `RULES`: how the type of an operand or a result follows from the type of the input. The operator
  sqrt computes in FP32 for INT16 and in FP64 for INT32 (`"float"`); eq returns BOOL (`"bool"`).

Reference: GraphBLAS C API 2.1, sections 3.3 (domains) and 3.11 (casting); SuiteSparse
`GB_casting`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import InvalidValue, WrongType, brief

BOOL = np.dtype(np.bool_)
INT8, INT16, INT32, INT64 = (np.dtype(f"i{n}") for n in (1, 2, 4, 8))
UINT8, UINT16, UINT32, UINT64 = (np.dtype(f"u{n}") for n in (1, 2, 4, 8))
FP32, FP64 = np.dtype(np.float32), np.dtype(np.float64)

SIGNED = (INT8, INT16, INT32, INT64)
UNSIGNED = (UINT8, UINT16, UINT32, UINT64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (FP32, FP64)
NUMBERS = INTEGERS + FLOATS
ALL = (BOOL, *NUMBERS)

# type: its GraphBLAS name, its C++ name
_SPELLED = {
    BOOL: ("BOOL", "bool"),
    INT8: ("INT8", "signed char"),
    INT16: ("INT16", "short"),
    INT32: ("INT32", "int"),
    INT64: ("INT64", "long long"),
    UINT8: ("UINT8", "unsigned char"),
    UINT16: ("UINT16", "unsigned short"),
    UINT32: ("UINT32", "unsigned int"),
    UINT64: ("UINT64", "unsigned long long"),
    FP32: ("FP32", "float"),
    FP64: ("FP64", "double"),
}
BY_NAME = {name: dtype for dtype, (name, _) in _SPELLED.items()}


def lookup(spelling: Any) -> np.dtype[Any]:
    """The dtype that a spelling names.

    Parameters
    ----------
    spelling : type or str
        A GraphBLAS name in upper or lower case, anything that NumPy accepts as a dtype, or a
        DataType of python-graphblas.

    Returns
    -------
    type
        A NumPy dtype.

    Raises
    ------
    WrongType
        The type is not one of the eleven.

    Examples
    --------
    >>> lookup("FP32") == lookup("float32") == lookup(np.float32)
    True
    >>> lookup(int)
    dtype('int64')
    """
    if isinstance(spelling, np.dtype) and spelling in _SPELLED:
        return spelling
    if isinstance(spelling, str) and spelling.upper() in BY_NAME:
        return BY_NAME[spelling.upper()]
    dtype: np.dtype[Any] | None = None
    if spelling is not None:  # NumPy takes None for FP64
        with contextlib.suppress(TypeError, ValueError, RecursionError, AttributeError):
            dtype = np.dtype(getattr(spelling, "np_type", spelling)).newbyteorder("=")
    if dtype is None or dtype not in _SPELLED:
        raise WrongType(
            f"expected one of the types {', '.join(BY_NAME)}, got {brief(spelling)}; "
            "convert the values to one of them first"
        )
    return dtype


def name(dtype: Any) -> str:
    """The GraphBLAS name of a type: `name(np.float32)` is `"FP32"`.

    Parameters
    ----------
    dtype : type or str
        The type.

    Returns
    -------
    str
        The name.
    """
    return _SPELLED[lookup(dtype)][0]


@functools.cache
def c_name(dtype: Any) -> str:
    """The C++ name of a type: `c_name("INT64")` is `"long long"`."""
    return _SPELLED[lookup(dtype)][1]


@functools.cache
def unify(a: Any, b: Any) -> np.dtype[Any]:
    """The type in which operands of two types are computed: the promotion of NumPy.

    Parameters
    ----------
    a, b : type or str
        The types of the operands.

    Returns
    -------
    type
        A NumPy dtype.

    Examples
    --------
    >>> name(unify("INT8", "UINT16")), name(unify("INT32", "FP32"))
    ('INT32', 'FP64')
    """
    return np.promote_types(lookup(a), lookup(b))


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f"


@functools.cache
def highest(dtype: np.dtype[Any]) -> Any:
    """The largest value of a type: inf, True, or the largest integer."""
    if is_float(dtype):
        return np.inf
    return True if dtype == BOOL else int(np.iinfo(dtype).max)


@functools.cache
def lowest(dtype: np.dtype[Any]) -> Any:
    """The smallest value of a type: -inf, False, or the smallest integer."""
    if is_float(dtype):
        return -np.inf
    return False if dtype == BOOL else int(np.iinfo(dtype).min)


def cast(x: Any, dtype: Any) -> Any:
    """A value converted to a type as in SuiteSparse:GraphBLAS. Its shape is kept.

    >>> cast(np.array([np.nan, 1e30, -1.5]), "INT8")
    array([  0, 127,  -1], dtype=int8)
    >>> cast(np.array([300, -1]), "UINT8"), cast(np.nan, "BOOL")
    (array([ 44, 255], dtype=uint8), np.True_)
    """
    if type(x) is float and dtype is FP64:
        return np.float64(x)  # the usual case in loops
    to = lookup(dtype)
    x = np.asarray(x)
    if x.dtype == to:
        return x[()]
    if to == BOOL:
        return (x != 0)[()]
    if is_float(x.dtype) and to.kind in "iu":
        low, high = x.dtype.type(lowest(to)), x.dtype.type(highest(to))
        inside = (x > low) & (x < high)  # false for NaN
        whole = np.where(inside, x, 0).astype(to)
        return np.select([x <= low, x >= high], [to.type(lowest(to)), to.type(highest(to))], whole)[
            ()
        ]
    with np.errstate(over="ignore"):
        return x.astype(to)[()]


def literal(value: Any, dtype: Any) -> str:
    """C++ source of a constant with exactly this type and these bits (also those of a NaN).

    >>> literal(2, "UINT8"), literal(np.inf, "FP32"), literal(0.1, "FP64")
    ('(unsigned char)2', 'arithmetic::infinity<float>()', '0.1')
    """
    to = lookup(dtype)
    if to == BOOL:
        return "true" if value else "false"
    if is_float(to):
        number = to.type(value)
        if np.isnan(number):
            bits = int(number.view(f"u{to.itemsize}"))
            suffix = "u" if to == FP32 else "ull"
            return f"arithmetic::from_bits<{c_name(to)}>({bits:#x}{suffix})"
        if np.isinf(number):
            return f"{'-' if number < 0 else ''}arithmetic::infinity<{c_name(to)}>()"
        return f"{number!s}{'f' if to == FP32 else ''}"
    value = int(value)
    if not lowest(to) <= value <= highest(to):
        raise InvalidValue(f"{value} does not fit in {name(to)}")
    if to == INT64:
        return f"{value}ll" if value > lowest(to) else f"({value + 1}ll - 1)"
    if to == UINT64:
        return f"{value}ull"
    if to == INT32:
        return f"{value}" if value > lowest(to) else f"({value + 1} - 1)"
    return f"{value}u" if to == UINT32 else f"({c_name(to)}){value}"


def _float(t: np.dtype[Any]) -> np.dtype[Any]:
    if is_float(t):
        return t
    return FP32 if t.itemsize <= 2 else FP64


_WIDER_UNSIGNED = {INT8: UINT16, INT16: UINT32, INT32: UINT64, INT64: UINT64}

Rule = str | np.dtype[Any]
RULES: dict[str, Callable[[np.dtype[Any]], np.dtype[Any]]] = {
    "same": lambda t: t,
    "bool": lambda t: BOOL,
    # the smallest float that holds most of the type, as C's sqrt(f) is chosen by python-graphblas
    "float": _float,
    "double": lambda t: FP32 if t == FP32 else FP64,
    # positions have 32 bits only if asked for
    "index": lambda t: INT32 if t == INT32 else INT64,
    # for a division or a power, BOOL becomes INT8
    "number": lambda t: INT8 if t == BOOL else t,
    # for bitwise monoids, which GraphBLAS has over unsigned types only
    "unsigned": lambda t: _WIDER_UNSIGNED.get(t, t),
}


def apply_rule(rule: Rule, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type that a rule (a name in RULES, or a fixed type) gives for an input type."""
    return RULES[rule](dtype) if isinstance(rule, str) else rule
