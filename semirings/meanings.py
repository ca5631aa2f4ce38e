"""What functions of Python, `math` and NumPy mean in the expression language.

A meaning is a text in which {0} and {1} stand for the arguments. Functions of `math` take integers
as FP64, as Python does; those of NumPy take 8 and 16 bits as FP32.
"""

from __future__ import annotations

import builtins
import cmath
import math
from typing import Any

import numpy as np

from . import types

_ALIKE = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc",
    "exp", "exp2", "expm1", "lgamma", "log", "log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan",
    "tanh",
)  # fmt: skip
_TWO = ("atan2", "copysign", "fmod", "hypot", "nextafter")
_SAME = ("isfinite", "isinf", "isnan")
_SIGNS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/",
    "floor_divide": "//", "mod": "%", "remainder": "%", "power": "**", "bitwise_and": "&",
    "bitwise_or": "|", "bitwise_xor": "^", "left_shift": "<<", "right_shift": ">>", "equal": "==",
    "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
    "logical_and": "and", "logical_or": "or",
}  # fmt: skip
_HALVES_TO_EVEN = (
    "(2 * round({0} / 2) if abs({0} - trunc({0})) == 0.5 else round({0}))"  # 2.5 is 2, 3.5 is 4
)
_OF_NUMPY = {
    **{name: f"{name}({{0}})" for name in (*_ALIKE, *_SAME, "ceil", "floor", "trunc")},
    **{f"arc{name[1:]}": f"{name}({{0}})" for name in _ALIKE if name[0] == "a"},
    **{name: f"{name}({{0}}, {{1}})" for name in (*_TWO, "gcd", "lcm")},
    **{name: f"({{0}} {sign} {{1}})" for name, sign in _SIGNS.items()},
    "arctan2": "atan2({0}, {1})", "absolute": "abs({0})", "fabs": "abs({0})", "angle": "carg({0})",
    "conj": "conj({0})", "conjugate": "conj({0})", "real": "creal({0})", "imag": "cimag({0})",
    "sign": "signum({0})", "square": "({0} * {0})", "negative": "(-{0})", "positive": "{0}",
    "invert": "(~{0})", "logical_not": "(not {0})", "logical_xor": "(bool({0}) != bool({1}))",
    "fmax": "max({0}, {1})", "fmin": "min({0}, {1})", "fix": "trunc({0})",
    "maximum": "({0} if {0} >= {1} or {0} != {0} else {1})",
    "minimum": "({0} if {0} <= {1} or {0} != {0} else {1})",
    "where": "({1} if {0} else {2})", "clip": "min(max({0}, {1}), {2})",
    "rint": _HALVES_TO_EVEN, "round": _HALVES_TO_EVEN, "around": _HALVES_TO_EVEN,
    "deg2rad": f"({{0}} * {math.pi / 180!r})", "radians": f"({{0}} * {math.pi / 180!r})",
    "rad2deg": f"({{0}} * {180 / math.pi!r})", "degrees": f"({{0}} * {180 / math.pi!r})",
}  # fmt: skip
_OF_MATH = {
    **{name: f"{name}(float({{0}}))" for name in _ALIKE},
    **{name: f"{name}(float({{0}}), float({{1}}))" for name in (*_TWO, "ldexp")},
    **{name: f"{name}({{0}})" for name in _SAME},
    **{name: f"int({name}({{0}}))" for name in ("ceil", "floor", "trunc")},
    **{name: _OF_NUMPY[name] for name in ("radians", "degrees", "gcd", "lcm")},
    "pow": "(float({0}) ** float({1}))", "fabs": "abs(float({0}))", "gamma": "tgamma(float({0}))",
}  # fmt: skip

MEANINGS: dict[Any, str] = {
    function: meaning
    for module, table in ((np, _OF_NUMPY), (math, _OF_MATH))
    for name, meaning in table.items()
    if (function := getattr(module, name, None)) is not None
}
"""The meaning of each function. Where a number of arguments is not that of the text, the function
has none."""
MEANINGS.update(
    {
        getattr(cmath, name): f"{name}(complex({{0}}))"
        for name in ("cos", "cosh", "exp", "log", "log10", "sin", "sinh", "sqrt", "tan", "tanh")
    }
)
MEANINGS |= {builtins.round: f"int{_HALVES_TO_EVEN}", builtins.pow: "({0} ** {1})"}
MEANINGS |= {dtype.np_type.type: f"{name}({{0}})" for name, dtype in types.BY_NAME.items()}
