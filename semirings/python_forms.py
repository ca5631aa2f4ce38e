"""The functions of expressions in scalar Python, for Numba.

User-defined operators of python-graphblas are Numba functions, and Numba has a promotion of its
own: INT8 + INT8 is INT64, UINT64 with INT64 is FP64. So a form is made for one type of operands and
converts back to it. In a form, {0} and {1} are the operands. A longer form is a `def` that is
inserted into the function that uses it. The marks $T, $t, $bits, $lo, $hi and $signed stand for the
GraphBLAS name, the NumPy name, the width and the extremes of the type, and for whether it has
negative integers; $real and $complex for the NumPy names of the real and the complex type of its
precision.

Each form gives the result of the NumPy form in `functions.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import types

_DIVIDE = """def $name_$T(a, b):
    if b == 0:
        if a == 0:
            return np.$t(0)
        return np.$t($lo) if a < 0 else np.$t($hi)
    if $signed and b == -1:
        return np.$t(np.$t(0) - a)
    q = np.$t(a // b)
    return np.$t(q + 1) if $rounds_up else q
"""
_MODULO = """def modulo_$T(a, b):
    if b == 0 or ($signed and b == -1):
        return np.$t(0)
    return np.$t(a % b)
"""
_FMOD = """def fmod_$T(a, b):
    if b == 0 or ($signed and b == -1):
        return np.$t(0)
    rest = np.$t(a % b)
    return np.$t(rest - b) if rest != 0 and (a < 0) != (b < 0) else rest
"""
_FLOORDIV_FLOAT = """def floordiv_$T(a, b):
    if b == 0:
        return np.$t(np.divide(a, b))
    rest = np.fmod(a, b)
    whole = np.$t((a - rest) / b)
    if rest != 0 and (rest < 0) != (b < 0):
        whole = np.$t(whole - np.$t(1))
    if whole == 0:
        return np.$t(np.copysign(np.$t(0), np.divide(a, b)))
    down = np.$t(np.floor(whole))
    return np.$t(down + np.$t(1)) if whole - down > 0.5 else down
"""
_MODULO_FLOAT = """def modulo_$T(a, b):
    rest = np.fmod(a, b)
    if rest == 0:
        return np.$t(np.copysign(np.$t(0), b))
    return np.$t(rest + b) if (rest < 0) != (b < 0) else np.$t(rest)
"""
_POW_FLOAT = """def pow_$T(a, b):
    if a != a or b != b:
        return np.$t(np.nan)
    return np.$t(np.power(a, b))
"""
_POW = """def pow_$T(a, b):
    z = np.power(np.float64(a), np.float64(b))
    if z <= np.float64($lo):
        return np.$t($lo)
    if z >= np.float64($hi):
        return np.$t($hi)
    return np.$t(z)
"""
_POW_COMPLEX = """def pow_$T(a, b):
    if b == 0:
        return np.$t(1)
    return a if a == 0 else np.$t(np.exp(b * np.log(a)))
"""
_SIGNUM_COMPLEX = """def signum_$T(a):
    size = abs(a)
    return a if size == 0 else np.$t(complex(a.real / size, a.imag / size))
"""
_ROUND_COMPLEX = """def round_$T(a):
    re, im = np.trunc(a.real), np.trunc(a.imag)
    if np.abs(a.real - re) >= 0.5:
        re = re + np.copysign(1.0, a.real)
    if np.abs(a.imag - im) >= 0.5:
        im = im + np.copysign(1.0, a.imag)
    return np.$t(complex(re, im))
"""
_IPOW = """def ipow_$T(a, b):
    if b < 0:
        if a == 0:
            return np.$t($hi)
        if a == 1:
            return np.$t(1)
        if a == -1:
            return np.$t(a) if (b & np.$t(1)) == 1 else np.$t(1)
        return np.$t(0)
    z = np.$t(1)
    while b > 0:
        if (b & np.$t(1)) == 1:
            z = np.$t(z * a)
        a = np.$t(a * a)
        b = np.$t(b >> np.$t(1))
    return z
"""
_SHIFT = """def $name_$T(a, b):
    k = $distance
    if k >= $bits or (k <= -$bits and a >= 0):
        return np.$t(0)
    if k >= 0:
        return np.$t(a << np.$t(k))
    return np.$t(a >> np.$t(min(-k, $bits - 1)))
"""
_ROUND = """def round_$T(a):
    whole = np.trunc(a)
    if np.abs(a - whole) >= np.$t(0.5):
        whole = np.$t(whole + np.copysign(np.$t(1), a))
    return np.$t(np.copysign(whole, a))
"""
_REMAINDER = """def remainder_$T(a, b):
    size = np.float64(np.abs(b))
    rest = np.fmod(np.float64(np.abs(a)), size if size > 8e307 else size + size)
    if rest + rest > size if size < 1e-300 else rest > 0.5 * size:
        rest -= size
        if rest + rest >= size if size < 1e-300 else rest >= 0.5 * size:
            rest -= size
    return np.$t(-rest if np.signbit(a) else rest)
"""
_LDEXP = """def ldexp_$T(a, b):
    if b != b:
        return a
    return np.$t(np.ldexp(np.float64(a), np.int32(min(max(b, np.$t(-3000)), np.$t(3000)))))
"""
_FREXPE = """def frexpe_$T(a):
    if not np.isfinite(a):
        return np.$t(0)
    return np.$t(math.frexp(np.float64(a))[1])
"""
_BINOM = """def binom_$T(n, k):
    if k > n or k < 0:
        return np.int64(0)
    value = np.int64(1)
    for step in range(min(k, n - k)):
        if value > np.int64(9223372036854775807) // (n - step):
            return np.int64(0)
        value = value * (n - step) // (step + 1)
    return value
"""
_GCD = """def gcd_$T(a, b):
    while b != 0:
        a, b = b, np.$t(a % b)
    return np.$t(-a) if a < 0 else a
"""
_LCM = """def lcm_$T(a, b):
    x, y = np.$t(-a) if a < 0 else a, np.$t(-b) if b < 0 else b
    a, b = x, y
    while b != 0:
        a, b = b, np.$t(a % b)
    a = np.$t(-a) if a < 0 else a
    return np.$t(0) if a == 0 else np.$t(np.$t(x // a) * y)
"""
_CAST = """def to_$R_$T(a):
    if a != a:
        return np.$r(0)
    if a <= np.$t($rlo):
        return np.$r($rlo)
    if a >= np.$t($rhi):
        return np.$r($rhi)
    return np.$r(a)
"""

_clamped = "np.int64(max(min(b, np.$t(127)), np.$t(-127 if $signed else 0)))"
_mask = "(np.$t(1) << np.$t({1} - np.$t(1)))"
_valid = "({1} >= np.$t(1) and {1} <= np.$t($bits))"
_up = "$signed and q * b != a and (a < 0) != (b < 0)"

FORMS: dict[str, str] = {
    **{sign: f"np.$t({{0}} {sign} {{1}})" for sign in ("+", "-", "*", "&", "|", "^")},
    **{sign: f"({{0}} {sign} {{1}})" for sign in ("==", "!=", "<", "<=", ">", ">=")},
    "neg": "np.$t(-{0})",
    "/": "np.$t(np.divide({0}, {1}))",
    "//": _DIVIDE.replace("$name", "floordiv").replace("$rounds_up", "False"),
    "cdiv": _DIVIDE.replace("$name", "cdiv").replace("$rounds_up", _up),
    "%": _MODULO,
    "**": _IPOW,
    "pow": _POW,
    "min": "np.minimum({0}, {1})",
    "max": "np.maximum({0}, {1})",  # numba takes it for complex numbers, which GraphBLAS tries, too
    "abs": "np.$t(abs({0}))",
    "and": "({0} and {1})",
    "or": "({0} or {1})",
    "not": "(not {0})",
    "~": "np.$t(~{0})",
    "<<": _SHIFT.replace("$name", "left").replace("$distance", _clamped),
    ">>": _SHIFT.replace("$name", "right").replace("$distance", f"-{_clamped}"),
    "bshift": _SHIFT.replace("$name", "bshift").replace(
        "$distance", "((np.int64(b & np.$t(127))) - (np.int64(128) if b & np.$t($top) else 0))"
    ),
    "bget": f"(np.$t(1) if {_valid} and ({{0}} & {_mask}) != 0 else np.$t(0))",
    "bset": f"(np.$t({{0}} | {_mask}) if {_valid} else {{0}})",
    "bclr": f"(np.$t({{0}} & ~{_mask}) if {_valid} else {{0}})",
    **{
        name: f"np.$t(np.{name}({{0}}))"
        for name in (
            *("cbrt", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "floor", "log", "log10"),
            *("log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
        )
    },
    **{
        f"a{name}": f"np.$t(np.arc{name}({{0}}))"
        for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh")
    },
    "erf": "np.$t(math.erf({0}))",
    "erfc": "np.$t(math.erfc({0}))",
    "lgamma": "np.$t(math.lgamma({0}))",
    "tgamma": "np.$t(math.gamma({0}))",
    "signum": "({0} if np.isnan({0}) else np.$t(({0} > 0) - np.int8({0} < 0)))",
    "round": _ROUND,
    "hypot": "np.$t(np.hypot({0}, {1}))",
    "atan2": "np.$t(np.arctan2({0}, {1}))",
    "fmod": _FMOD,
    "copysign": "np.$t(np.copysign({0}, {1}))",
    "remainder": _REMAINDER,
    "ldexp": _LDEXP,
    "frexpx": "np.$t(math.frexp(np.float64({0}))[0])",
    "frexpe": _FREXPE,
    **{name: f"np.{name}({{0}})" for name in ("isfinite", "isinf", "isnan")},
    "binom": _BINOM,
    "gcd": _GCD,
    "lcm": _LCM,
    "nextafter": "np.$t(np.nextafter({0}, {1}))",
    "double": "{0}",
    "conj": "np.$t(np.conj({0}))",
    "creal": "np.$real({0}.real)",
    "cimag": "np.$real({0}.imag)",
    "carg": "np.$real(math.atan2({0}.imag, {0}.real))",
    "cmplx": "np.$complex(complex({0}, {1}))",
}

# Forms of their own for a kind of operand ("b" BOOL, "u" unsigned, "f" float, "c" complex).
FORMS_BY_KIND: dict[tuple[str, str], str] = {
    ("+", "b"): "({0} or {1})",
    ("-", "b"): "({0} != {1})",
    ("*", "b"): "({0} and {1})",
    ("neg", "b"): "{0}",
    ("cdiv", "b"): "{0}",
    ("cdiv", "f"): "np.$t(np.divide({0}, {1}))",
    ("//", "f"): _FLOORDIV_FLOAT,
    ("%", "f"): _MODULO_FLOAT,
    ("fmod", "f"): "np.$t(np.fmod({0}, {1}))",
    ("**", "f"): "np.$t(np.power({0}, {1}))",
    ("pow", "b"): "({0} or not {1})",
    ("pow", "f"): _POW_FLOAT,
    ("min", "b"): "({0} and {1})",
    ("max", "b"): "({0} or {1})",
    ("min", "f"): "np.$t(np.fmin({0}, {1}))",
    ("max", "f"): "np.$t(np.fmax({0}, {1}))",
    ("abs", "b"): "{0}",
    ("abs", "u"): "{0}",
    ("~", "b"): "(not {0})",
    ("&", "b"): "({0} and {1})",
    ("|", "b"): "({0} or {1})",
    ("^", "b"): "({0} != {1})",
    ("cdiv", "c"): "np.$t(np.divide({0}, {1}))",
    ("**", "c"): _POW_COMPLEX,
    ("pow", "c"): _POW_COMPLEX,
    ("abs", "c"): "np.$real(abs({0}))",
    ("signum", "c"): _SIGNUM_COMPLEX,
    ("round", "c"): _ROUND_COMPLEX,
    **{
        (name, "c"): f"np.$t(complex(np.{name}({{0}}.real), np.{name}({{0}}.imag)))"
        for name in ("ceil", "floor", "trunc")
    },
}


def call(function: str, dtype: np.dtype[Any]) -> str:
    """The form of a function for one type of operands."""
    return _for_type(FORMS_BY_KIND.get((function, dtype.kind), FORMS[function]), dtype)


def cast(source: np.dtype[Any], to: np.dtype[Any]) -> str:
    """The form of the conversion from one type to another."""
    if to == types.BOOL:
        return "({0} != 0)"
    if types.is_complex(source) and not types.is_complex(to):
        return (
            cast(types.REAL[source], to)
            .replace("(a):\n", "(a):\n    a = a.real\n")
            .replace("{0}", "{0}.real")
        )
    if types.is_float(source) and not types.rounds(to):
        text = _CAST.replace("$rlo", str(types.lowest(to))).replace("$rhi", str(types.highest(to)))
        return _for_type(
            text.replace("$R", types.name(to)).replace("$r", np.dtype(to).name), source
        )
    return f"np.{np.dtype(to).name}({{0}})"


def _for_type(text: str, dtype: np.dtype[Any]) -> str:
    ordered = not types.is_complex(dtype)
    marks = {
        "$top": "-128" if dtype == types.INT8 else "128",  # the bit of a byte's sign
        "$T": types.name(dtype),
        "$bits": str(8 * dtype.itemsize),
        "$lo": str(types.lowest(dtype)) if ordered else "",
        "$hi": str(types.highest(dtype)) if ordered else "",
        "$real": np.dtype(types.apply_rule("real", dtype)).name,
        "$complex": np.dtype(types.apply_rule("complex", dtype)).name,
        "$signed": str(dtype.kind == "i"),
        "$t": np.dtype(dtype).name,
    }
    for mark, value in marks.items():
        text = text.replace(mark, value)
    return text
