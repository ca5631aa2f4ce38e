"""The functions an expression may call, each with its three forms.

Every operator sign of an expression is one of these too (`x + y` calls the function `+`), so this
table is the whole meaning of the language of `expression.py`. A row says

- in which type the operands meet (`operand`) and what comes out (`result`), as rules of `types`;
- the NumPy form, a function of arrays of exactly the operand type;
- the CUDA form, by convention the function of the same name in `arithmetic.cuh`;
- the Python form for python-graphblas' user-defined operators, which numba compiles: an expression
  in {0} and {1}, or a `def`, after $T, $lo, $hi, $bits have been replaced for the operand type;
- `exact`: the answer is one of the operands or a whole number that no rounding touched.

Where SuiteSparse:GraphBLAS defines an answer the three forms give it: integers wrap; cdiv(x, 0) is
the largest or smallest integer with the sign of x, and 0 for 0; min and max are C's fmin and fmax,
which ignore NaN; integer pow saturates; bshift takes its distance modulo 256. Where the answer of
python-graphblas is undefined (x // 0, x % 0, and 0 ** -1 raise inside its numba functions) we
follow cdiv: x // 0 == cdiv(x, 0), 0 ** -1 is the largest integer, and x % 0 is 0.

Reference: SuiteSparse:GraphBLAS 9.4 `GB_math_macros.h`, `GB_bitshift.c`, `GB_idiv`, `GB_pow`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import types
from .types import ALL, FLOATS, FP32, FP64, INT32, INT64, INTEGERS, Rule

Array = Any  # np.ndarray, or the NumPy scalar that stands for one of no dimensions


@dataclass(frozen=True)
class Function:
    name: str
    arity: int
    numpy: Callable[..., Array]
    python: str
    operand: Rule = "same"
    result: Rule = "same"
    domain: tuple[np.dtype[Any], ...] = ALL
    exact: bool = False
    cuda: str = ""  # a template in {0}, {1}; by default a call of arithmetic::name


FUNCTIONS: dict[str, Function] = {}


def _add(name: str, numpy: Callable[..., Array], python: str, arity: int = 2, **facts: Any) -> None:
    call = ", ".join(f"{{{n}}}" for n in range(arity))
    facts.setdefault("cuda", f"arithmetic::{name}({call})")
    FUNCTIONS[name] = Function(name, arity, numpy, python, **facts)


# --- arithmetic --------------------------------------------------------------------------------


def _is_bool(x: Array) -> bool:
    return np.asarray(x).dtype == types.BOOL


def _cdiv(x: Array, y: Array) -> Array:
    t = np.asarray(x).dtype
    if t == types.BOOL:
        return x
    if types.is_float(t):
        return np.divide(x, y)
    by_zero = np.select([x == 0, x < 0], [t.type(0), t.type(types.lowest(t))], types.highest(t))
    zero = y == 0
    down = np.floor_divide(x, np.where(zero, 1, y).astype(t))
    inexact = (x != down * np.where(zero, 1, y).astype(t)) & ((x < 0) != (y < 0))
    return np.where(zero, by_zero.astype(t), down + inexact).astype(t)


def _floordiv(x: Array, y: Array) -> Array:
    if types.is_float(np.asarray(x).dtype):
        return np.floor_divide(x, y)
    zero = y == 0
    return np.where(zero, _cdiv(x, y), np.floor_divide(x, np.where(zero, 1, y).astype(x.dtype)))


def _pow(x: Array, y: Array) -> Array:
    t = np.asarray(x).dtype
    if t == types.BOOL:
        return x | ~y
    if types.is_float(t):
        nan = np.isnan(x) | np.isnan(y)
        return np.where(nan, t.type(np.nan), np.power(x, y)).astype(t)
    return types.cast(np.power(x.astype(FP64), y.astype(FP64)), t)


def _ipow(x: Array, y: Array) -> Array:
    t = np.asarray(x).dtype
    if types.is_float(t):
        return np.power(x, y)
    negative = y < 0
    power = np.power(x, np.where(negative, 0, y).astype(t))
    odd = (y & 1) == 1
    reciprocal = np.select(
        [x == 0, x == 1, x == types.cast(-1, t)],
        [t.type(types.highest(t)), t.type(1), np.where(odd, x, t.type(1))],
        t.type(0),
    )
    return np.where(negative, reciprocal, power).astype(t)


_CDIV = """def cdiv_$T(a, b):
    if b == 0:
        if a == 0:
            return np.$t(0)
        return np.$t($lo) if a < 0 else np.$t($hi)
    if $signed and b == -1:
        return np.$t(np.$t(0) - a)
    q = a // b
    if $signed and q * b != a and (a < 0) != (b < 0):
        q += 1
    return np.$t(q)
"""
_FLOORDIV = """def floordiv_$T(a, b):
    if b == 0:
        if a == 0:
            return np.$t(0)
        return np.$t($lo) if a < 0 else np.$t($hi)
    if $signed and b == -1:
        return np.$t(np.$t(0) - a)
    return np.$t(a // b)
"""
_FLOORDIV_FLOAT = """def floordiv_$T(a, b):
    return np.$t(np.floor_divide(a, b))
"""
_MODULO = """def mod_$T(a, b):
    if b == 0 or ($signed and b == -1):
        return np.$t(0)
    return np.$t(a % b)
"""
_POW = """def pow_$T(a, b):
    if a != a or b != b:
        return np.$t(np.nan)
    return np.$t(math.pow(a, b))
"""
_POW_INTEGER = """def pow_$T(a, b):
    z = math.pow(np.float64(a), np.float64(b))
    if z <= np.float64($lo):
        return np.$t($lo)
    if z >= np.float64($hi):
        return np.$t($hi)
    return np.$t(z)
"""
_IPOW = """def ipow_$T(a, b):
    if b < 0:
        if a == 0:
            return np.$t($hi)
        if a == 1:
            return np.$t(1)
        if a == -1:
            return np.$t(a if (b & np.$t(1)) == 1 else 1)
        return np.$t(0)
    z = np.$t(1)
    while b > 0:
        if (b & np.$t(1)) == 1:
            z = np.$t(z * a)
        a = np.$t(a * a)
        b = np.$t(b >> np.$t(1))
    return z
"""

# A Python form may depend on the kind of the operand type: "b", "i", "u", "f" of np.dtype.kind.
PYTHON_BY_KIND: dict[tuple[str, str], str] = {
    ("+", "b"): "({0} or {1})",
    ("-", "b"): "({0} != {1})",
    ("*", "b"): "({0} and {1})",
    ("neg", "b"): "{0}",
    ("cdiv", "b"): "{0}",
    ("cdiv", "f"): "np.divide({0}, {1})",
    ("//", "f"): _FLOORDIV_FLOAT,
    ("%", "f"): "np.$t(np.remainder({0}, {1}))",
    ("pow", "b"): "({0} or not {1})",
    ("pow", "i"): _POW_INTEGER,
    ("pow", "u"): _POW_INTEGER,
    ("**", "f"): "np.$t(math.pow({0}, {1}))",
    ("min", "f"): "np.fmin({0}, {1})",
    ("max", "f"): "np.fmax({0}, {1})",
    ("abs", "b"): "{0}",
    ("abs", "u"): "{0}",
    ("~", "b"): "(not {0})",
    ("&", "b"): "({0} and {1})",
    ("|", "b"): "({0} or {1})",
    ("^", "b"): "({0} != {1})",
}

_add("+", np.add, "np.$t({0} + {1})", cuda="arithmetic::add({0}, {1})")
_add(
    "-",
    lambda x, y: x ^ y if _is_bool(x) else np.subtract(x, y),
    "np.$t({0} - {1})",
    cuda="arithmetic::subtract({0}, {1})",
)
_add("*", np.multiply, "np.$t({0} * {1})", cuda="arithmetic::multiply({0}, {1})")
_add(
    "neg",
    lambda x: x if _is_bool(x) else np.negative(x),
    "np.$t(-{0})",
    1,
    cuda="arithmetic::negate({0})",
)
_add("/", np.divide, "np.divide({0}, {1})", operand="double", cuda="({0} / {1})")
_add("//", _floordiv, _FLOORDIV, operand="number", cuda="arithmetic::floordiv({0}, {1})")
_add("%", np.remainder, _MODULO, operand="number", cuda="arithmetic::modulo({0}, {1})")
_add("**", _ipow, _IPOW, operand="number", cuda="arithmetic::ipow({0}, {1})")
_add("cdiv", _cdiv, _CDIV)
_add("pow", _pow, _POW)
_add("min", np.fmin, "min({0}, {1})", exact=True)
_add("max", np.fmax, "max({0}, {1})", exact=True)
_add("abs", np.abs, "np.$t(abs({0}))", 1)

# --- comparison and logic ----------------------------------------------------------------------

for _sign, _numpy in {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}.items():
    _add(
        _sign,
        _numpy,
        f"({{0}} {_sign} {{1}})",
        result="bool",
        exact=True,
        cuda=f"({{0}} {_sign} {{1}})",
    )
_logic: dict[str, Any] = {"operand": "bool", "result": "bool", "exact": True}
_add("and", np.logical_and, "({0} and {1})", **_logic, cuda="({0} && {1})")
_add("or", np.logical_or, "({0} or {1})", **_logic, cuda="({0} || {1})")
_add("not", np.logical_not, "(not {0})", 1, **_logic, cuda="(!{0})")

# --- bits --------------------------------------------------------------------------------------

_bits: dict[str, Any] = {"domain": (types.BOOL, *INTEGERS), "exact": True}
_add("&", np.bitwise_and, "np.$t({0} & {1})", **_bits, cuda="arithmetic::bit_and({0}, {1})")
_add("|", np.bitwise_or, "np.$t({0} | {1})", **_bits, cuda="arithmetic::bit_or({0}, {1})")
_add("^", np.bitwise_xor, "np.$t({0} ^ {1})", **_bits, cuda="arithmetic::bit_xor({0}, {1})")
_add("~", np.invert, "np.$t(~{0})", 1, **_bits, cuda="arithmetic::bit_not({0})")


def _shift(x: Array, k: Array) -> Array:
    """x shifted left by k bits, right by -k (keeping the sign); any k."""
    bits = 8 * x.dtype.itemsize
    left = np.left_shift(x, np.clip(k, 0, bits - 1).astype(x.dtype))
    right = np.right_shift(x, np.clip(-np.clip(k, -bits, bits), 0, bits - 1).astype(x.dtype))
    gone = (k >= bits) | ((k <= -bits) & (x >= 0))
    return np.where(gone, 0, np.where(k >= 0, left, right)).astype(x.dtype)


def _clamped(k: Array) -> Array:
    """A shift distance in INT64: no distance beyond 127 differs from 127."""
    return np.minimum(k, 127).astype(INT64) if k.dtype.kind == "u" else k.astype(INT64)


_SHIFT = """def $name_$T(a, b):
    k = $distance
    if k >= $bits or (k <= -$bits and a >= 0):
        return np.$t(0)
    if k >= 0:
        return np.$t(a << np.$t(k))
    return np.$t(a >> np.$t(min(-k, $bits - 1)))
"""


def _shift_source(name: str, distance: str) -> str:
    return _SHIFT.replace("$name", name).replace("$distance", distance)


_clamp = "np.int64(max(min(b, np.$t(127)), np.$t(-127 if $signed else 0)))"
_bits = {"domain": INTEGERS}
_add(
    "<<",
    lambda x, y: _shift(x, _clamped(y)),
    _shift_source("left", _clamp),
    **_bits,
    cuda="arithmetic::shift_left({0}, {1})",
)
_add(
    ">>",
    lambda x, y: _shift(x, -np.maximum(_clamped(y), -127)),
    _shift_source("right", f"-{_clamp}"),
    **_bits,
    cuda="arithmetic::shift_right({0}, {1})",
)
_add(
    "bshift",
    lambda x, y: _shift(x, y.astype(types.INT8).astype(INT64)),
    _shift_source("bshift", "np.int64(np.int8(b))"),
    **_bits,
)


def _bit(x: Array, k: Array) -> tuple[Array, Array]:
    """Whether k names a bit of x (1 is the lowest), and a mask of that bit."""
    inside = (k >= 1) & (k <= 8 * x.dtype.itemsize)
    return inside, np.left_shift(x.dtype.type(1), np.where(inside, k - 1, 0).astype(x.dtype))


def _bget(x: Array, k: Array) -> Array:
    inside, mask = _bit(x, k)
    return (inside & ((x & mask) != 0)).astype(x.dtype)


def _bset(x: Array, k: Array) -> Array:
    inside, mask = _bit(x, k)
    return np.where(inside, x | mask, x)


def _bclr(x: Array, k: Array) -> Array:
    inside, mask = _bit(x, k)
    return np.where(inside, x & ~mask, x)


_mask = "(np.$t(1) << np.$t({1} - np.$t(1)))"
_valid = "({1} >= 1 and {1} <= $bits)"
_add("bget", _bget, f"np.$t(1 if {_valid} and ({{0}} & {_mask}) != 0 else 0)", **_bits)
_add("bset", _bset, f"np.$t(({{0}} | {_mask}) if {_valid} else {{0}})", **_bits)
_add("bclr", _bclr, f"np.$t(({{0}} & ~{_mask}) if {_valid} else {{0}})", **_bits)

# --- floating point ----------------------------------------------------------------------------


def _by_element(
    function: Callable[..., float],
    arity: int,
    invalid: Callable[..., float] = lambda *args: math.nan,
) -> Callable[..., Array]:
    """A function of Python floats, element by element; `invalid` answers outside its domain."""

    def one(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return invalid(*args)
        except OverflowError:  # of gamma, towards either infinity at 0
            return math.copysign(math.inf, args[0])

    whole = np.frompyfunc(one, arity, 1)

    def apply(*args: Array) -> Array:
        return np.asarray(whole(*(np.asarray(a, dtype=FP64) for a in args))).astype(args[0].dtype)

    return apply


_erf = _by_element(math.erf, 1)
_erfc = _by_element(math.erfc, 1)
_lgamma = _by_element(math.lgamma, 1, lambda x: math.inf)
_tgamma = _by_element(math.gamma, 1, lambda x: math.nan if x else math.copysign(math.inf, x))
_remainder = _by_element(math.remainder, 2)


def _signum(x: Array) -> Array:
    return np.where(np.isnan(x), x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype))


def _round(x: Array) -> Array:
    """The nearest whole number, halves away from zero (np.round takes them to even)."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole)


def _frexpe(x: Array) -> Array:
    return np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(x.dtype)


_float: dict[str, Any] = {"operand": "float"}
_trigonometric = "acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh"
for _name in _trigonometric.split():
    _numpy = getattr(np, _name.replace("a", "arc", 1) if _name.startswith("a") else _name)
    _add(_name, _numpy, f"np.{_numpy.__name__}({{0}})", 1, **_float)
_same_name = "cbrt exp exp2 expm1 log log10 log1p log2 sqrt ceil floor trunc"
for _name in _same_name.split():
    _add(_name, getattr(np, _name), f"np.{_name}({{0}})", 1, **_float)
_add("erf", _erf, "np.$t(math.erf({0}))", 1, **_float)
_add("erfc", _erfc, "np.$t(math.erfc({0}))", 1, **_float)
_add("lgamma", _lgamma, "np.$t(math.lgamma({0}))", 1, **_float)
_add("tgamma", _tgamma, "np.$t(math.gamma({0}))", 1, **_float)
_add("signum", _signum, "np.$t({0} if {0} != {0} else ({0} > 0) - ({0} < 0))", 1, **_float)
_add("round", _round, "np.$t(np.copysign(np.floor(np.abs({0}) + np.$t(0.5)), {0}))", 1, **_float)
_add("hypot", np.hypot, "np.hypot({0}, {1})", **_float)
_add("atan2", np.arctan2, "np.arctan2({0}, {1})", **_float)
_add("fmod", np.fmod, "np.fmod({0}, {1})", **_float)
_add("copysign", np.copysign, "np.copysign({0}, {1})", **_float)
_add(
    "remainder",
    _remainder,
    "np.$t({0} - np.rint(np.float64({0}) / {1}) * {1})",
    **_float,
)
_add(
    "ldexp",
    lambda x, y: np.ldexp(x, types.cast(y, INT32)),
    "np.$t(math.ldexp({0}, np.int32(min(max({1}, -3000), 3000))))",
    **_float,
)
_only_float: dict[str, Any] = {"domain": FLOATS}
_add("frexpx", lambda x: np.frexp(x)[0], "np.$t(math.frexp({0})[0])", 1, **_only_float)
_add("frexpe", _frexpe, "np.$t(math.frexp({0})[1])", 1, **_only_float)
for _name in ("isfinite", "isinf", "isnan"):
    _add(
        _name, getattr(np, _name), f"np.{_name}({{0}})", 1, domain=FLOATS, result="bool", exact=True
    )

# --- combinatorics -----------------------------------------------------------------------------


def _binom(n: Array, k: Array) -> Array:
    def one(n: int, k: int) -> int:
        if k < 0 or k > n:
            return 0
        value = 1
        for step in range(min(k, n - k)):
            if value > types.highest(INT64) // (n - step):
                return 0
            value = value * (n - step) // (step + 1)
        return value

    return np.asarray(np.frompyfunc(lambda n, k: one(int(n), int(k)), 2, 1)(n, k)).astype(INT64)


_BINOM = """def binom_$T(n, k):
    if k > n or k < 0:
        return np.int64(0)
    value = np.int64(1)
    for step in range(min(k, n - k)):
        if value > np.int64(9223372036854775807) // (n - step):
            return np.int64(0)
        value *= n - step
        value //= step + 1
    return value
"""
_add("binom", _binom, _BINOM, operand=INT64, result=INT64)

# --- casts -------------------------------------------------------------------------------------

_CAST = """def to_$R_$T(a):
    if a != a:
        return np.$r(0)
    if a <= np.$t($rlo):
        return np.$r($rlo)
    if a >= np.$t($rhi):
        return np.$r($rhi)
    return np.$r(a)
"""
CASTS = {**types.BY_NAME, "bool": types.BOOL, "int": INT64, "float": FP64}
FP = (FP32, FP64)


def python_form(function: Function, dtype: np.dtype[Any]) -> str:
    """The Python form of a function for one operand type, its $ names replaced."""
    text = PYTHON_BY_KIND.get((function.name, dtype.kind), function.python)
    return substitute(text, dtype)


def cast_form(source: np.dtype[Any], to: np.dtype[Any]) -> str:
    """The Python form of the cast from one type to another."""
    if source == to:
        return "{0}"
    if to == types.BOOL:
        return "({0} != 0)"
    if types.is_float(source) and not types.is_float(to):
        text = _CAST.replace("$rlo", str(types.lowest(to))).replace("$rhi", str(types.highest(to)))
        text = text.replace("$R", types.name(to)).replace("$r", to.name)
        return substitute(text, source)
    return f"np.{to.name}({{0}})"


def substitute(text: str, dtype: np.dtype[Any]) -> str:
    spelled = "bool_" if dtype == types.BOOL else dtype.name
    for mark, value in {
        "$T": types.name(dtype),
        "$bits": str(8 * dtype.itemsize),
        "$lo": str(types.lowest(dtype)),
        "$hi": str(types.highest(dtype)),
        "$signed": str(dtype.kind == "i"),
        "$t": spelled,
    }.items():
        text = text.replace(mark, value)
    return text
