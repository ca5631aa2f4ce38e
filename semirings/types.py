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

from .errors import DomainError, InvalidValue, WrongKind, brief

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
        dtype: np.dtype[Any]
else:
    Base = object


C_TYPES = {
    "BOOL": "_Bool", "FP32": "float", "FP64": "double", "FC32": "float _Complex",
    "FC64": "double _Complex",
} | {
    f"{u}INT{bits}": f"{u.lower()}int{bits}_t" for u in ("", "U") for bits in (8, 16, 32, 64)
}  # fmt: skip


IN_ARRAY = "[]"
"""The name of the only field of the record in which an array stands."""


def held(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The NumPy dtype of values in memory: of an array type a record of one field, that array.

    NumPy has no values of an array type: an array of them has more axes instead. In a record, n
    values have one axis of length n, as those of any other type.
    """
    return dtype if dtype.subdtype is None else np.dtype([(IN_ARRAY, dtype)])


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
        are taken from it. Of an array type, NumPy reads `held(np_type)`.

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
        inside = held(own)
        prefix = "GxB" if own.kind == "c" else "GrB"  # complex types are SuiteSparse's
        facts = {"name": name, "gb_name": f"{prefix}_{name}", "np_type": own, "dtype": inside}
        facts["c_type"] = C_TYPES.get(name)
        facts |= {fact: getattr(inside, fact) for fact in OF_NUMPY}
        facts |= {"subdtype": own.subdtype, "shape": own.shape, "base": own.base}
        facts["__hash__"] = inside.__hash__
        if own.kind == "V":
            facts["gb_name"] = None
        for fact, value in facts.items():
            object.__setattr__(self, fact, value)
        if own.kind == "V":
            self._spelled({name, own, inside})  # its other names are those of all of its size
            return self
        spellings = {name, name.lower(), facts["gb_name"], own, scalar, self}
        code, letters = f"{own.kind}{own.itemsize}", "?" + np.typecodes["AllInteger"] + "fdFD"
        spellings |= {own.name, own.str, code, f"={code}"}
        spellings |= {letter for letter in letters if np.dtype(letter) == own}
        spellings |= {word for word, kept in np.sctypeDict.items() if np.dtype(kept) == own}
        spellings |= {facts["c_type"]} - {"float"}  # which is FP64 to Python
        of_python = {t for t in (bool, int, float, complex) if np.dtype(t) == own}
        self._spelled(spellings | {t.__name__ for t in of_python} | of_python)
        return self

    def _spelled(self, spellings: set[Any]) -> None:
        """Let the type equal these spellings of it."""
        object.__setattr__(self, "__eq__", frozenset(spellings | {self}).__contains__)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"expected no change of a type, got {name}={brief(value)}")

    def __repr__(self) -> str:
        return self.name

    def rename(self, name: str) -> None:
        """Give a type of a user's own another name; it is found by the earlier ones as well."""
        if not is_record(self):
            raise InvalidValue(f"expected no other name of {self}, got {brief(name)}")
        names = {other for other, found in RECORDS.items() if found is self}
        object.__setattr__(self, "name", name)
        RECORDS[name] = self
        self._spelled({name, *names, self.np_type, self.dtype})

    @property
    def _is_anonymous(self) -> bool:
        """Whether it is no attribute of `dtypes`, under python-graphblas' name."""
        return self.name not in BY_NAME and self.name not in NAMED

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

            return again, (self.np_type, self.name, not self._is_anonymous)
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
BY_GB_NAME = {t.gb_name: t for t in EVERY}
OF_DTYPE: dict[np.dtype[Any], DataType] = {t.np_type: t for t in EVERY}
"""The type for its NumPy dtype, and for itself. Records that users register are added."""
RECORDS: dict[str, DataType] = {}
"""The records and arrays of users, by their names (see `semirings.records`)."""
NAMED: set[str] = set()
"""Those names under which a type was registered by `register_new`."""
MAKE_RECORD: list[Callable[[Any], DataType]] = []
"""Registers the type of a record or of an array that nobody has registered yet."""


def find(spelling: Any) -> DataType | None:
    """The type that a spelling names, or None if there is none."""
    if isinstance(spelling, str) and spelling.upper() in BY_NAME:
        return BY_NAME[spelling.upper()]
    if isinstance(spelling, str) and spelling in BY_GB_NAME:
        return BY_GB_NAME[spelling]
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


def of_users_own(spelling: Any) -> bool:
    """True for what describes a record or an array, such as "INT64[2]"."""
    if isinstance(spelling, str):
        return "[" in spelling and spelling.endswith("]")
    dtype = getattr(spelling, "np_type", spelling)  # also a type of python-graphblas
    if isinstance(dtype, tuple | list):
        with contextlib.suppress(TypeError, ValueError, RecursionError, AttributeError):
            dtype = np.dtype(dtype)  # type: ignore[arg-type]
    parts = getattr(dtype, "fields", None) or getattr(dtype, "subdtype", None)
    return bool(parts) or isinstance(spelling, Mapping)


def lookup(spelling: Any) -> DataType:
    """The dtype that a spelling names.

    Parameters
    ----------
    spelling : type or str
        A GraphBLAS name in upper or lower case, anything that NumPy accepts as a dtype, a
        DataType of python-graphblas, or the name of an array such as "INT64[2]".

    Returns
    -------
    DataType
        The type.

    Raises
    ------
    WrongKind
        The type is not one of the thirteen, a record or an array.

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
    if found is None and of_users_own(spelling):
        return MAKE_RECORD[0](spelling)
    if found is None:
        values = isinstance(spelling, list | tuple | np.ndarray)
        hint = "from_dense takes values" if values else "convert the values to one of them first"
        raise WrongKind(
            f"expected one of the types {', '.join(BY_NAME)}, got {brief(spelling)}; {hint}"
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


def as_python(value: Any) -> Any:
    """The number of Python for one of NumPy; anything else as it is."""
    return value.item() if isinstance(value, np.bool | np.number) else value


def is_record(dtype: np.dtype[Any]) -> bool:
    """True for a type of a user's own, a record or an array (see `semirings.records`)."""
    return dtype.kind == "V"


def shown(values: Any) -> Any:
    """Values, or one value, as users see them: those of an array type with more axes."""
    is_array = getattr(values, "dtype", None) is not None and values.dtype.names == (IN_ARRAY,)
    return values[IN_ARRAY] if is_array else values


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
    if dtype is FP64 and type(x) in (float, int):
        return np.float64(x)  # the usual case in loops
    to = lookup(dtype).dtype
    if to.names == (IN_ARRAY,):
        return _arrays(x, to)
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
    if x.dtype.kind in "biu":
        return x.astype(to)[()]
    with np.errstate(over="ignore"):
        return x.astype(to)[()]


def _arrays(x: Any, to: np.dtype[Any]) -> Any:
    """Values of an array type, as they are held. One number is repeated in the whole array."""
    x, inner = np.asarray(x), to[IN_ARRAY]
    if x.dtype == to:
        return x[()]
    one = x.dtype.kind == "V" and x.dtype != inner.base
    if one or (x.ndim and x.shape[-inner.ndim :] != inner.shape):
        got = f"{x.dtype}, shape {x.shape}"
        raise DomainError(f"expected a value of type {lookup(to)}, got one of {got}")
    made = np.empty(x.shape[: -inner.ndim] if x.ndim else (), to)
    made[IN_ARRAY] = cast(x, inner.base)
    return made[()]


def _record(x: Any, to: np.dtype[Any]) -> Any:
    """A record of zeros from the number 0. There is no other conversion."""
    if is_record(x.dtype) or x.any():
        raise DomainError(
            f"expected a value of type {lookup(to)}, got one of {lookup(x.dtype)}; records are not "
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
