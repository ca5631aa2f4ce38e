"""The thirteen types of GraphBLAS, and the conversions between them.

A type is a `DataType`: a NumPy dtype under its GraphBLAS name, which NumPy takes wherever it takes
a dtype. This module has the eleven types of real numbers and the two of complex numbers, their C++
names, and the three functions of types on which every operator depends.

- `unify(a, b)`: the common type of two operands. The rule of python-graphblas is the promotion of
  NumPy, so INT64 with UINT64 gives FP64.
- `cast(x, dtype)`: the conversion of the GraphBLAS C API, as SuiteSparse does it. Integers wrap
  around, a floating-point number that does not fit saturates, NaN becomes 0, and everything except
  0 is true, NaN included. Of a complex number only the real part becomes a real number.
  `arithmetic::cast<T>` is the same function on a GPU.
- `RULES`: how the type of an operand or a result follows from the type of the input. The operator
  sqrt computes in FP32 for INT16 and in FP64 for INT32 (`"float"`); eq returns BOOL (`"bool"`).

Reference: GraphBLAS C API 2.1, sections 3.3 (domains) and 3.11 (casting); SuiteSparse
`GB_casting`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import DomainError, InvalidValue, WrongType, brief

OF_NUMPY = (
    "alignment", "base", "byteorder", "char", "descr", "fields", "flags", "hasobject",
    "isnative", "itemsize", "kind", "metadata", "names", "ndim", "newbyteorder", "num", "shape",
    "str", "subdtype", "type",
)  # fmt: skip
"""What a type takes from its NumPy dtype."""

if TYPE_CHECKING:

    class Base(np.dtype[Any]):  # type: ignore[misc]
        """What NumPy takes a type for, as far as the type checker is concerned."""

        name: str
        gb_name: str
        c_type: str | None
        np_type: np.dtype[Any]
else:
    Base = object


C_TYPES = {
    "BOOL": "_Bool", "FP32": "float", "FP64": "double", "FC32": "float _Complex",
    "FC64": "double _Complex",
} | {
    f"{u}INT{bits}": f"{u.lower()}int{bits}_t" for u in ("", "U") for bits in (8, 16, 32, 64)
}  # fmt: skip


class DataType(Base):  # type: ignore[misc]
    """A type of GraphBLAS. It equals its name, its NumPy dtype and every other spelling of itself.

    There is one object for each type; `lookup` finds it.

    Attributes
    ----------
    name, gb_name : str
        The name, such as "FP64", and the name in C, such as "GrB_FP64".
    c_type : str or None
        The type of a value in C, such as "double". None for a record.
    np_type : numpy.dtype
        The same type in NumPy. NumPy reads it as `dtype`, and `kind`, `itemsize`, `type` and `str`
        are taken from it.

    Examples
    --------
    >>> FP64.name, FP64 == "FP64", FP64 == np.float64, np.zeros(2, FP64).dtype
    ('FP64', True, True, dtype('float64'))
    """

    # Every statement hashes and compares types. The methods for that are fields, so that they are
    # C functions without a frame of Python: of NumPy's dtype, and of the set of all spellings.
    __slots__ = ("__eq__", "__hash__", "c_type", "dtype", "gb_name", "name", "np_type", *OF_NUMPY)

    def __new__(cls, name: str, scalar: Any) -> DataType:
        """The type of a name that holds such NumPy numbers."""
        self = object.__new__(cls)
        own = np.dtype(scalar)
        prefix = "GxB" if own.kind == "c" else "GrB"  # complex types are SuiteSparse's
        facts = {"name": name, "gb_name": f"{prefix}_{name}", "np_type": own, "dtype": own}
        facts["c_type"] = C_TYPES.get(name)
        facts |= {fact: getattr(own, fact) for fact in OF_NUMPY}
        facts["__hash__"] = own.__hash__
        for fact, value in facts.items():
            object.__setattr__(self, fact, value)
        spellings = {name, name.lower(), own.name, own.str, own.char, own, scalar, self}
        if own.fields is not None:  # whose other names are those of all records of its size
            facts["gb_name"], spellings = None, {name, own, self}
        of_python = {t for t in (bool, int, float, complex) if np.dtype(t) == own}
        object.__setattr__(
            self,
            "__eq__",
            frozenset(spellings | {t.__name__ for t in of_python} | of_python).__contains__,
        )
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"expected no change of a type, got {name}={brief(value)}")

    def __repr__(self) -> str:
        return self.name

    @property
    def _is_udt(self) -> bool:
        """Whether this is a record type, under the name that libraries on python-graphblas read."""
        return is_record(self)

    def __lt__(self, other: Any) -> bool:
        """Order by kind and size, to sort types for display."""
        other = lookup(other)
        return (self.kind, self.itemsize) < (other.kind, other.itemsize)

    def __reduce__(self) -> tuple[Any, ...]:
        if is_record(self):
            from .records import again

            return again, (self.np_type, self.name)
        return lookup, (self.name,)


BOOL = DataType("BOOL", np.bool_)
INT8, INT16 = DataType("INT8", np.int8), DataType("INT16", np.int16)
INT32, INT64 = DataType("INT32", np.int32), DataType("INT64", np.int64)
UINT8, UINT16 = DataType("UINT8", np.uint8), DataType("UINT16", np.uint16)
UINT32, UINT64 = DataType("UINT32", np.uint32), DataType("UINT64", np.uint64)
FP32, FP64 = DataType("FP32", np.float32), DataType("FP64", np.float64)
FC32, FC64 = DataType("FC32", np.complex64), DataType("FC64", np.complex128)

SIGNED = (INT8, INT16, INT32, INT64)
UNSIGNED = (UINT8, UINT16, UINT32, UINT64)
INTEGERS = SIGNED + UNSIGNED
FLOATS = (FP32, FP64)
NUMBERS = INTEGERS + FLOATS
ALL = (BOOL, *NUMBERS)
"""The types of real numbers, which have an order."""
COMPLEX = (FC32, FC64)
EVERY = (*ALL, *COMPLEX)

_C_NAMES = {
    BOOL: "bool",
    INT8: "signed char",
    INT16: "short",
    INT32: "int",
    INT64: "long long",
    UINT8: "unsigned char",
    UINT16: "unsigned short",
    UINT32: "unsigned int",
    UINT64: "unsigned long long",
    FP32: "float",
    FP64: "double",
    FC32: "arithmetic::Complex<float>",
    FC64: "arithmetic::Complex<double>",
}
BY_NAME = {t.name: t for t in EVERY}
OF_DTYPE: dict[np.dtype[Any], DataType] = {t.np_type: t for t in EVERY}
"""The type for its NumPy dtype, and for itself. Records that users register are added."""
RECORDS: dict[str, DataType] = {}
"""The records of users, by their names (see `semirings.records`)."""
MAKE_RECORD: list[Callable[[Any], DataType]] = []
"""Registers the type of a record that nobody has registered yet."""


def find(spelling: Any) -> DataType | None:
    """The type that a spelling names, or None if there is none."""
    if isinstance(spelling, str) and spelling.upper() in BY_NAME:
        return BY_NAME[spelling.upper()]
    if isinstance(spelling, str) and spelling in RECORDS:
        return RECORDS[spelling]
    if isinstance(spelling, str) and spelling != "float":  # which is FP64 to Python
        for name, c_type in C_TYPES.items():
            if spelling == c_type:
                return BY_NAME[name]
    if spelling is None:  # NumPy takes None for FP64
        return None
    with contextlib.suppress(TypeError, ValueError, RecursionError, AttributeError):
        return OF_DTYPE.get(np.dtype(getattr(spelling, "np_type", spelling)).newbyteorder("="))
    return None


def lookup(spelling: Any) -> DataType:
    """The dtype that a spelling names.

    Parameters
    ----------
    spelling : type or str
        A GraphBLAS name in upper or lower case, anything that NumPy accepts as a dtype, or a
        DataType of python-graphblas.

    Returns
    -------
    DataType
        The type.

    Raises
    ------
    WrongType
        The type is not one of the thirteen.

    Examples
    --------
    >>> lookup("FP32") == lookup("float32") == lookup(np.float32)
    True
    >>> lookup(int)
    INT64
    """
    if type(spelling) is DataType:
        return spelling
    found = OF_DTYPE.get(spelling) if isinstance(spelling, np.dtype) else None
    found = find(spelling) if found is None else found
    if found is None and (getattr(spelling, "fields", None) or isinstance(spelling, Mapping)):
        return MAKE_RECORD[0](spelling)
    if found is None:
        raise WrongType(
            f"expected one of the types {', '.join(BY_NAME)}, got {brief(spelling)}; "
            "convert the values to one of them first"
        )
    return found


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
    return lookup(dtype).name


@functools.cache
def c_name(dtype: Any) -> str:
    """The C++ name of a type: `c_name("INT64")` is `"long long"`."""
    if is_record(found := lookup(dtype)):
        raise DomainError(f"{found} is a record, for which there is no C++")
    return _C_NAMES[found]


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
    left, right = lookup(a), lookup(b)
    if is_record(left) or is_record(right):
        if left != right:
            raise DomainError(f"expected operands of one type beside a record, got {left}, {right}")
        return left
    return lookup(np.promote_types(left.np_type, right.np_type))


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f"


def is_complex(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "c"


def is_record(dtype: np.dtype[Any]) -> bool:
    """True for a type of a user's own (see `semirings.records`)."""
    return dtype.kind == "V"


def rounds(dtype: np.dtype[Any]) -> bool:
    """True if sums of the type are rounded: of floating-point and of complex numbers."""
    return dtype.kind in "fc"


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
    to = lookup(dtype).np_type
    x = np.array(x, to) if is_record(to) and isinstance(x, tuple) else np.asarray(x)
    if x.dtype == to:
        return x[()]
    if is_record(to) or is_record(x.dtype):
        return _record(x, to)
    if to == BOOL:
        return (x != 0)[()]
    if is_complex(x.dtype) and not is_complex(to):
        x = x.real
    if is_float(x.dtype) and to.kind in "iu":
        low, high = x.dtype.type(lowest(to)), x.dtype.type(highest(to))
        inside = (x > low) & (x < high)  # false for NaN
        whole = np.where(inside, x, 0).astype(to)
        return np.select([x <= low, x >= high], [to.type(lowest(to)), to.type(highest(to))], whole)[
            ()
        ]
    with np.errstate(over="ignore"):
        return x.astype(to)[()]


def _record(x: Any, to: np.dtype[Any]) -> Any:
    """A record of zeros from the number 0. There is no other conversion."""
    if is_record(x.dtype) or x.any():
        raise DomainError(
            f"expected a value of type {lookup(to)}, got one of {x.dtype}; records are not "
            "converted, but fields are: an operator such as \"x['field']\" reads one"
        )
    return np.zeros(x.shape, to)[()]


def literal(value: Any, dtype: Any) -> str:
    """C++ source of a constant with exactly this type and these bits (also those of a NaN).

    >>> literal(2, "UINT8"), literal(np.inf, "FP32"), literal(0.1, "FP64")
    ('(unsigned char)2', 'arithmetic::infinity<float>()', '0.1')
    """
    to = lookup(dtype)
    if is_record(to):
        raise DomainError(f"{to} is a record, for which there is no C++")
    if to == BOOL:
        return "true" if value else "false"
    if is_complex(to):
        parts = (literal(part, REAL[to]) for part in (value.real, value.imag))
        return f"{c_name(to)}({', '.join(parts)})"
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


REAL: dict[np.dtype[Any], DataType] = {FC32: FP32, FC64: FP64}
"""The type of the two parts of a complex number."""


def _float(t: np.dtype[Any]) -> np.dtype[Any]:
    if rounds(t):
        return t
    return FP32 if t.itemsize <= 2 else FP64


_WIDER_UNSIGNED: dict[np.dtype[Any], DataType] = {
    INT8: UINT16, INT16: UINT32, INT32: UINT64, INT64: UINT64,
}  # fmt: skip

Rule = str | np.dtype[Any]
RULES: dict[str, Callable[[np.dtype[Any]], np.dtype[Any]]] = {
    "same": lambda t: t,
    "bool": lambda t: BOOL,
    # the smallest float that holds most of the type, as C's sqrt(f) is chosen by python-graphblas
    "float": _float,
    "double": lambda t: t if t == FP32 or is_complex(t) else FP64,
    "real": lambda t: REAL.get(t, t),
    # a number of entries is counted in their own type, unless that is complex
    "counted": lambda t: INT64 if is_complex(t) else t,
    "widest": lambda t: FC64 if is_complex(t) else FP64,
    "complex": lambda t: FC32 if _float(t) in (FP32, FC32) else FC64,
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
