"""The functions that an expression may call: what each means in NumPy, and which types it takes.

Every operator sign of an expression is a function too (`x + y` calls the function `+`), so this
table is the whole meaning of the language of `expression.py`. A row says

- to which type the operands are converted (`operand`) and which type comes out (`result`), as rules
  of `types`;
- the NumPy form, a function of arrays of exactly that type, which is the specification;
- the CUDA form, by convention the function of the same name in `arithmetic.cuh`;
- `exact`: the result is one of the operands or decided, not computed, so nothing rounds or wraps.

A third form, for Numba, is in `python_forms.py`.

Where SuiteSparse:GraphBLAS defines a result, the forms give it: integers wrap around; cdiv(x, 0) is
the largest or smallest integer with the sign of x, and 0 for 0; min and max are fmin and fmax of C,
which ignore NaN; integer pow saturates; bshift takes its distance as an INT8. Where the result in
python-graphblas is undefined (x // 0, x % 0 and 0 ** -1 raise inside its Numba functions), the
forms follow cdiv: x // 0 == cdiv(x, 0), 0 ** -1 is the largest integer, and x % 0 is 0.

A function takes real numbers, and complex ones if its row says so. Complex functions take their
principal values, as NumPy does; where an operand or a result is not finite, libraries differ.

Reference: SuiteSparse:GraphBLAS 9.4 `GB_math_macros.h`, `GB_bitshift.c`, `GB_idiv`, `GB_pow`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import types
from .types import ALL, COMPLEX, EVERY, FLOATS, FP64, INT32, INT64, INTEGERS, Rule

Array = Any  # np.ndarray, or the NumPy scalar that stands for one of no dimensions


@dataclass(frozen=True)
class Function:
    name: str
    arity: int
    numpy: Callable[..., Array]
    operand: Rule = "same"
    result: Rule = "same"
    domain: tuple[np.dtype[Any], ...] = ALL
    exact: bool = False
    cuda: str = ""  # a template in {0}, {1}; by default a call of arithmetic::name


FUNCTIONS: dict[str, Function] = {}


def _add(name: str, numpy: Callable[..., Array], arity: int = 2, **facts: Any) -> None:
    call = ", ".join(f"{{{n}}}" for n in range(arity))
    facts.setdefault("cuda", f"arithmetic::{name}({call})")
    FUNCTIONS[name] = Function(name, arity, numpy, **facts)


# --- arithmetic --------------------------------------------------------------------------------


def _is_bool(x: Array) -> bool:
    return np.asarray(x).dtype == types.BOOL


def _cdiv(x: Array, y: Array) -> Array:
    t = np.asarray(x).dtype
    if t == types.BOOL:
        return x
    if types.rounds(t):
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
    if types.is_complex(t):
        return _complex_power(x, y)
    if types.is_float(t):
        nan = np.isnan(x) | np.isnan(y)
        return np.where(nan, t.type(np.nan), np.float_power(x, y)).astype(t)
    return types.cast(np.float_power(x, y), t)


def _complex_power(x: Array, y: Array) -> Array:
    """x ** y by its definition exp(y log x); 1 if y is 0, and 0 if only x is."""
    t = np.asarray(x).dtype
    power = np.exp(y * np.log(np.where(x == 0, t.type(1), x)))
    return np.select([y == 0, x == 0], [t.type(1), t.type(0)], power).astype(t)


def _ipow(x: Array, y: Array) -> Array:
    t = np.asarray(x).dtype
    if types.is_complex(t):
        return _complex_power(x, y)
    if types.is_float(t):
        # np.power takes a square root for the scalar 0.5, which is NaN at -inf
        return np.float_power(x, y).astype(t)
    negative = y < 0
    power = np.power(x, np.where(negative, 0, y).astype(t))
    odd = (y & 1) == 1
    reciprocal = np.select(
        [x == 0, x == 1, x == types.cast(-1, t)],
        [t.type(types.highest(t)), t.type(1), np.where(odd, x, t.type(1))],
        t.type(0),
    )
    return np.where(negative, reciprocal, power).astype(t)


_field: dict[str, Any] = {"domain": EVERY}
_add("+", np.add, **_field, cuda="arithmetic::add({0}, {1})")
_add(
    "-",
    lambda x, y: x ^ y if _is_bool(x) else np.subtract(x, y),
    **_field,
    cuda="arithmetic::subtract({0}, {1})",
)
_add("*", np.multiply, **_field, cuda="arithmetic::multiply({0}, {1})")
_add(
    "neg",
    lambda x: x if _is_bool(x) else np.negative(x),
    1,
    **_field,
    cuda="arithmetic::negate({0})",
)
_add("/", np.divide, operand="double", **_field, cuda="({0} / {1})")
_add("//", _floordiv, operand="number", cuda="arithmetic::floordiv({0}, {1})")
_add("%", np.remainder, operand="number", cuda="arithmetic::modulo({0}, {1})")
_add("**", _ipow, operand="number", **_field, cuda="arithmetic::ipow({0}, {1})")
_add("cdiv", _cdiv, **_field)
_add("pow", _pow, **_field)
_add("min", np.fmin, exact=True)
_add("max", np.fmax, exact=True)
_add("abs", np.abs, 1, **_field, result="real")
_add("double", lambda x: x, 1, **_field, operand="widest", cuda="{0}")

# --- comparison and logic ----------------------------------------------------------------------

_compared: dict[str, Callable[..., Array]] = {
    "==": lambda x, y: x == y,  # of records, too
    "!=": lambda x, y: x != y,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
for _sign, _numpy in _compared.items():
    _add(
        _sign,
        _numpy,
        result="bool",
        exact=True,
        domain=EVERY if _sign in ("==", "!=") else ALL,
        cuda=f"({{0}} {_sign} {{1}})",
    )
_logic: dict[str, Any] = {"operand": "bool", "result": "bool", "exact": True}
_add("and", np.logical_and, **_logic, cuda="({0} && {1})")
_add("or", np.logical_or, **_logic, cuda="({0} || {1})")
_add("not", np.logical_not, 1, **_logic, cuda="(!{0})")

# --- bits --------------------------------------------------------------------------------------

_bits: dict[str, Any] = {"domain": (types.BOOL, *INTEGERS), "exact": True}
_add("&", np.bitwise_and, **_bits, cuda="arithmetic::bit_and({0}, {1})")
_add("|", np.bitwise_or, **_bits, cuda="arithmetic::bit_or({0}, {1})")
_add("^", np.bitwise_xor, **_bits, cuda="arithmetic::bit_xor({0}, {1})")
_add("~", np.invert, 1, **_bits, cuda="arithmetic::bit_not({0})")


def _shift(x: Array, k: Array) -> Array:
    """x shifted left by k bits, or right by -k bits (which keeps the sign), for any k."""
    bits = 8 * x.dtype.itemsize
    left = np.left_shift(x, np.clip(k, 0, bits - 1).astype(x.dtype))
    right = np.right_shift(x, np.clip(-np.clip(k, -bits, bits), 0, bits - 1).astype(x.dtype))
    gone = (k >= bits) | ((k <= -bits) & (x >= 0))
    return np.where(gone, 0, np.where(k >= 0, left, right)).astype(x.dtype)


def _clamped(k: Array) -> Array:
    """A shift distance in INT64. No distance above 127 differs from 127."""
    return np.minimum(k, 127).astype(INT64) if k.dtype.kind == "u" else k.astype(INT64)


_bits = {"domain": INTEGERS}
_add(
    "<<",
    lambda x, y: _shift(x, _clamped(y)),
    **_bits,
    cuda="arithmetic::shift_left({0}, {1})",
)
_add(
    ">>",
    lambda x, y: _shift(x, -np.maximum(_clamped(y), -127)),
    **_bits,
    cuda="arithmetic::shift_right({0}, {1})",
)
_add(
    "bshift",
    lambda x, y: _shift(x, y.astype(types.INT8).astype(INT64)),
    **_bits,
)


def _bit(x: Array, k: Array) -> tuple[Array, Array]:
    """Whether k is the number of a bit of x (1 is the lowest), and a mask of that bit."""
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


_add("bget", _bget, **_bits)
_add("bset", _bset, **_bits)
_add("bclr", _bclr, **_bits)

# --- floating point ----------------------------------------------------------------------------


def _by_element(
    function: Callable[..., float],
    arity: int,
    invalid: Callable[..., float] = lambda *args: math.nan,
) -> Callable[..., Array]:
    """A function of Python floats, element by element.

    `invalid` gives the result outside its domain.
    """

    def one(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return invalid(*args)
        except OverflowError:  # gamma near 0 goes to infinity, with the sign of x
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


def _of_parts(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A function of real numbers that is applied to both parts of a complex number."""

    def apply(x: Array) -> Array:
        if not types.is_complex(x.dtype):
            return function(x)
        parts = np.empty(np.shape(x), x.dtype)
        parts.real, parts.imag = function(x.real), function(x.imag)
        return parts

    return apply


def _signum(x: Array) -> Array:
    if types.is_complex(x.dtype):
        size = np.abs(x)
        return np.where(size == 0, x, x / np.where(size == 0, size.dtype.type(1), size))
    return np.where(np.isnan(x), x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype))


def _round(x: Array) -> Array:
    """The nearest integer, halves away from zero (np.round rounds them to even)."""
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(x.dtype.type(1), x), whole)


def _frexpe(x: Array) -> Array:
    return np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(x.dtype)


_float: dict[str, Any] = {"operand": "float"}
_analytic: dict[str, Any] = {"operand": "float", "domain": EVERY}
_trigonometric = "acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh"
for _name in _trigonometric.split():
    _numpy = getattr(np, _name.replace("a", "arc", 1) if _name.startswith("a") else _name)
    _add(_name, _numpy, 1, **_analytic)
for _name in ("exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sqrt"):
    _add(_name, getattr(np, _name), 1, **_analytic)
for _name in ("ceil", "floor", "trunc"):
    _add(_name, _of_parts(getattr(np, _name)), 1, **_analytic)
_add("cbrt", np.cbrt, 1, **_float)
_add("erf", _erf, 1, **_float)
_add("erfc", _erfc, 1, **_float)
_add("lgamma", _lgamma, 1, **_float)
_add("tgamma", _tgamma, 1, **_float)
_add("signum", _signum, 1, operand="number", domain=EVERY)
_add("round", _of_parts(_round), 1, **_analytic)
_add("hypot", np.hypot, **_float)
_add("atan2", np.arctan2, **_float)
_add("fmod", np.fmod, operand="number")
_add("nextafter", np.nextafter, **_float)
_add("copysign", np.copysign, **_float)
_add("remainder", _remainder, **_float)
_add("ldexp", lambda x, y: np.ldexp(x, types.cast(y, INT32)), **_float)
_add("frexpx", lambda x: np.frexp(x)[0], 1, domain=FLOATS)
_add("frexpe", _frexpe, 1, domain=FLOATS)
for _name in ("isfinite", "isinf", "isnan"):
    _add(_name, getattr(np, _name), 1, domain=(*FLOATS, *COMPLEX), result="bool", exact=True)

# --- complex numbers ---------------------------------------------------------------------------


def _cmplx(x: Array, y: Array) -> Array:
    made = np.empty(np.shape(x), types.apply_rule("complex", x.dtype))
    made.real, made.imag = x, y
    return made


_add("conj", np.conj, 1, domain=COMPLEX)
_add("creal", np.real, 1, domain=COMPLEX, result="real", exact=True)
_add("cimag", np.imag, 1, domain=COMPLEX, result="real", exact=True)
_add("carg", np.angle, 1, domain=COMPLEX, result="real")
_add("cmplx", _cmplx, **_float, result="complex", exact=True)

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


_add("binom", _binom, operand=INT64, result=INT64)
_add("gcd", np.gcd, operand="number", domain=(types.BOOL, *INTEGERS))
_add("lcm", np.lcm, operand="number", domain=(types.BOOL, *INTEGERS))

# Casts are called like functions: INT8(x). bool, int, float and complex are Python's names of four.
_PYTHON = {"bool": types.BOOL, "int": INT64, "float": FP64, "complex": types.FC64}
CASTS = {**types.BY_NAME, **_PYTHON}
