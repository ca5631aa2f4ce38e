"""Operators under the names of NumPy's functions, as python-graphblas has them: `binary.numpy.add`.

Most are our own operators under another name, in the types of GraphBLAS: `power` of integers
saturates, `logical_and` returns the type of its operands, `rint` rounds halves away from zero.
Those that GraphBLAS does not have, or has otherwise, are formulas here, and mean what NumPy means:
an integer divided by zero is 0, and a shift by a negative number shifts everything out.
A semiring such as `semiring.numpy.add_subtract` is made of a monoid and an operator when it is
first asked for.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from . import custom
from .algebra import Monoid
from .operator_records import BinaryOp, UnaryOp
from .operators import BINARY as OPERATORS
from .types import BOOL, EVERY, FLOATS, INTEGERS


def _unary(name: str, formula: str, **facts: Any) -> UnaryOp:
    return UnaryOp(f"numpy.{name}", formula, **facts)


def _binary(name: str, formula: str, **facts: Any) -> BinaryOp:
    return BinaryOp(f"numpy.{name}", formula, **facts)


def _log_of_sum(base: str, log_of_two: float) -> str:
    """log(b^x + b^y) without an overflow: the larger of the two, and what the other adds to it.

    Equal operands are apart, since their difference is NaN where both are infinite.
    """
    other = f"log1p(exp{base}(-abs(x - y)))" + (f" / {log_of_two!r}" if base else "")
    one = "1.0" if base else repr(log_of_two)
    return f"x + {one} if x == y else ({_or_nan('max(x, y) + ' + other)})"


_BY_ZERO = "0 if y == 0 and fmod(x, y) == 0 else x // y"
"""The quotient, 0 if an integer is divided by zero. The remainder of a float then is NaN."""
_INVERSE = "0 if x == 0 and cdiv(1, x) - cdiv(1, x) == 0 else cdiv(1, x)"
"""1 / x, 0 of the integer 0, for which `cdiv` has a finite number, unlike for floats."""


def _or_nan(formula: str) -> str:
    """A formula that is NaN where an operand is, as NumPy's functions are."""
    return f"x if x != x else (y if y != y else {formula})"


UNARY: dict[str, UnaryOp] = {
    op.name: op
    for op in (
        _unary("deg2rad", f"x * {math.pi / 180!r}", operand_rule="float"),
        _unary("rad2deg", f"x * {180 / math.pi!r}", operand_rule="float"),
        _unary("signbit", "copysign(1.0, x) < 0", operand_rule="float", result="bool"),
        _unary("square", "x * x", operand_rule="number", domain=EVERY),
        _unary("fabs", "abs(x)", operand_rule="float"),
        _unary("sign", "signum(x)", operand_rule="number", domain=EVERY),
        _unary("reciprocal", _INVERSE, operand_rule="number", domain=EVERY),
        _unary(
            "spacing", "(nextafter(abs(x), inf) - abs(x)) * (-1 if x < 0 else 1)",
            operand_rule="float",
        ),
    )
}  # fmt: skip
BINARY: dict[str, BinaryOp] = {
    op.name: op
    for op in (
        _binary("float_power", "pow(x, y)", operand_rule="double", domain=EVERY),
        *(
            _binary(
                name, f"{name}(x, y)", operand_rule="number", domain=(BOOL, *INTEGERS),
                commutative=True, associative=True,
            )
            for name in ("gcd", "lcm")
        ),
        _binary("nextafter", "nextafter(x, y)", operand_rule="float"),
        _binary("fmod", "fmod(x, y)", operand_rule="number"),
        _binary("floor_divide", _BY_ZERO, operand_rule="number"),
        *(
            _binary(name, formula, operand_rule="number", domain=(BOOL, *INTEGERS))
            for name, formula in (
                ("left_shift", "x << y if y >= 0 else 0"),
                ("right_shift", "x >> y if y >= 0 else x >> 127"),
            )
        ),
        _binary("maximum", _or_nan("max(x, y)"), commutative=True, associative=True),
        _binary("minimum", _or_nan("min(x, y)"), commutative=True, associative=True),
        *(
            _binary(
                f"logaddexp{base}", _log_of_sum(base, math.log(2)), operand_rule="float",
                commutative=True, associative=True,
            )
            for base in ("", "2")
        ),
    )
}  # fmt: skip
MONOIDS: dict[str, Monoid] = {
    m.name: m
    for m in (
        custom.monoid(BINARY["numpy.maximum"], "lowest", idempotent=True, selective=True),
        custom.monoid(BINARY["numpy.minimum"], "highest", idempotent=True, selective=True),
        custom.monoid(BINARY["numpy.gcd"], 0, domain=INTEGERS),
        custom.monoid(OPERATORS["hypot"], 0, name="numpy.hypot", domain=FLOATS),
        *(
            custom.monoid(BINARY[name], -math.inf, name=name, domain=FLOATS)
            for name in ("numpy.logaddexp", "numpy.logaddexp2")
        ),
    )
}
"""The monoids that GraphBLAS does not have."""

_FOLDED = {
    "add": "plus", "multiply": "times", "fmax": "max",
    "fmin": "min", "logical_and": "land", "logical_or": "lor", "logical_xor": "lxor",
    "bitwise_and": "band", "bitwise_or": "bor", "bitwise_xor": "bxor", "equal": "eq",
}  # fmt: skip

OURS: dict[str, dict[str, str]] = {
    "unary": {
        "abs": "abs", "absolute": "abs", "conj": "conj", "conjugate": "conj",
        "degrees": "numpy.rad2deg", "radians": "numpy.deg2rad",
        "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
        "arcsinh": "asinh", "arctan": "atan", "arctanh": "atanh", "bitwise_not": "bnot",
        "invert": "bnot", "logical_not": "lnot", "negative": "ainv",
        "positive": "identity", "rint": "round",
    } | {name: name for name in (
        "cbrt", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "floor", "isfinite", "isinf",
        "isnan", "log", "log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    )},
    "binary": _FOLDED | {
        "arctan2": "atan2", "copysign": "copysign", "divide": "truediv", "greater": "gt",
        "greater_equal": "ge", "hypot": "hypot", "ldexp": "ldexp", "less": "lt",
        "less_equal": "le", "mod": "numpy.mod", "not_equal": "ne", "power": "pow",
        "remainder": "numpy.mod", "subtract": "minus", "true_divide": "truediv",
    },
    "monoid": _FOLDED.copy(),
}  # fmt: skip
"""The operators that NumPy's functions mean, as `binary.numpy.add` means plus."""

for _kind, _table in (("unary", UNARY), ("binary", BINARY), ("monoid", MONOIDS)):
    OURS[_kind] |= {_name.removeprefix("numpy."): _name for _name in _table}


def listed(kind: str) -> list[str]:
    """The names of a kind: unary, binary, monoid, semiring, or op, which has all of them."""
    if kind == "semiring":
        return _semirings()
    kinds = ("unary", "binary", "monoid", "semiring") if kind == "op" else (kind,)
    return sorted({name for one in kinds for name in (OURS.get(one) or _semirings())})


@functools.cache
def _semirings() -> list[str]:
    """The semirings: a monoid and an operator whose results it folds for at least one type."""
    from .names import TABLES

    return sorted(
        f"{add}_{multiply}"
        for add, ours in OURS["monoid"].items()
        for multiply, other in OURS["binary"].items()
        if folds(TABLES["monoid"][ours], TABLES["binary"][other])
    )


def folds(monoid: Monoid, op: BinaryOp) -> bool:
    """Whether the monoid folds results of the operator for at least one type."""
    return any(op.output(dtype) in monoid.domain for dtype in op.domain)


def find(kind: str, name: str) -> Any:
    """The operator of a kind, in the tables of `names`, or None."""
    from .names import TABLES, semiring_of

    if kind in ("unary", "binary", "monoid"):
        return TABLES[kind].get(OURS[kind].get(name, ""))
    if kind not in ("op", "semiring"):
        return None
    if kind == "op":
        for one in ("unary", "binary", "monoid"):
            if name in OURS[one]:
                return find(one, name)
    if name not in _semirings():
        return None
    add = max((n for n in OURS["monoid"] if name.startswith(f"{n}_")), key=len)
    parts = find("monoid", add), find("binary", name.removeprefix(f"{add}_"))
    return semiring_of(*parts)
