"""The operators of GraphBLAS over its types, one row each.

UNARY, BINARY, INDEXUNARY and SELECT hold them by their names in python-graphblas. A row is a name
and a formula; and the domain and the types, unless the operator takes any real type and returns
the same. EXTRA holds what python-graphblas adds to GraphBLAS.

Complex numbers have no order and no bits: the rows that take them say `domain=EVERY`.

Reference: GraphBLAS C API 2.1, sections 3.5.2 to 3.5.4; SuiteSparse:GraphBLAS user guide 9.4,
chapter 6; python-graphblas 2025.2.
"""

from __future__ import annotations

import functools
import math
import sys
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .algebra import BinaryOp, IndexUnaryOp, SelectOp, UnaryOp
from .calls import of_two
from .errors import InvalidValue, brief
from .types import ALL, BOOL, COMPLEX, EVERY, FLOATS, INT64, INTEGERS

UNARY: dict[str, UnaryOp] = {}
BINARY: dict[str, BinaryOp] = {}
INDEXUNARY: dict[str, IndexUnaryOp] = {}

_SUITESPARSE = {
    *("erf", "erfc", "frexpe", "frexpx", "lgamma", "tgamma"),
    *(f"position{p}" for p in ("i", "i1", "j", "j1")),
    *(f"{side}{p}" for side in ("first", "second") for p in ("i", "i1", "j", "j1")),
}


def _path(kind: str, name: str) -> str:
    return f"{kind}.ss.{name}" if name in _SUITESPARSE else f"{kind}.{name}"


def _unary(name: str, expression: str, **facts: Any) -> None:
    UNARY[name] = UnaryOp(name, expression, _path("unary", name), **facts)


def _binary(name: str, expression: str, **facts: Any) -> None:
    BINARY[name] = BinaryOp(name, expression, _path("binary", name), **facts)


def _index(name: str, expression: str, **facts: Any) -> None:
    INDEXUNARY[name] = IndexUnaryOp(name, expression, _path("indexunary", name), **facts)


# --- unary -------------------------------------------------------------------------------------

_unary("identity", "x", domain=EVERY)
_unary("one", "1", domain=EVERY)
_unary("ainv", "-x", domain=EVERY)
_unary("minv", "cdiv(BOOL(True), x)", domain=EVERY)
_unary("abs", "abs(x)", domain=EVERY, result="real")
_unary("conj", "conj(x)", domain=COMPLEX)
for _name in ("creal", "cimag", "carg"):
    _unary(_name, f"{_name}(x)", domain=COMPLEX, result="real")
_unary("lnot", "not x")
_unary("bnot", "~x", domain=INTEGERS)
for _name in [
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "exp2"),
    *("expm1", "floor", "log", "log10", "log1p", "log2", "round", "signum", "sin", "sinh", "sqrt"),
    *("tan", "tanh", "trunc"),
]:
    _unary(_name, f"{_name}(x)", operand_rule="float", domain=EVERY)
for _name in ("cbrt", "erf", "erfc", "lgamma", "tgamma"):
    _unary(_name, f"{_name}(x)", operand_rule="float")
_unary("frexpx", "frexpx(x)", domain=FLOATS)
_unary("frexpe", "frexpe(x)", domain=FLOATS)
_unary("isfinite", "isfinite(x)", domain=(*FLOATS, *COMPLEX), result="bool")
_unary("isinf", "isinf(x)", domain=(*FLOATS, *COMPLEX), result="bool")
_unary("isnan", "isnan(x)", domain=(*FLOATS, *COMPLEX), result="bool")
_unary("positioni", "i", result="index", domain=EVERY)
_unary("positioni1", "i + 1", result="index", domain=EVERY)
_unary("positionj", "j", result="index", domain=EVERY)
_unary("positionj1", "j + 1", result="index", domain=EVERY)

# --- binary ------------------------------------------------------------------------------------

_monoidal: dict[str, Any] = {"commutative": True, "associative": True}

_binary("plus", "x + y", domain=EVERY, **_monoidal)
_binary("times", "x * y", domain=EVERY, **_monoidal)
_binary("min", "min(x, y)", **_monoidal)
_binary("max", "max(x, y)", **_monoidal)
_binary("any", "x", domain=EVERY, **_monoidal)  # either operand is a right answer
_binary("first", "x", associative=True, domain=EVERY)
_binary("second", "y", associative=True, domain=EVERY)
_binary("pair", "1", commutative=True, mixed=INT64, domain=EVERY)
_binary("minus", "x - y", domain=EVERY)
_binary("rminus", "y - x", domain=EVERY)
_binary("cdiv", "cdiv(x, y)", domain=EVERY)
_binary("rdiv", "cdiv(y, x)", domain=EVERY)
_binary("truediv", "x / y", operand_rule="double", domain=EVERY)
_binary("rtruediv", "y / x", operand_rule="double", domain=EVERY)
_binary("floordiv", "x // y", operand_rule="number")
_binary("rfloordiv", "y // x", operand_rule="number")
_binary("pow", "pow(x, y)", domain=EVERY)
_binary("rpow", "y ** x", operand_rule="number", domain=EVERY)
_binary("absfirst", "abs(x)", domain=EVERY, result="real")
_binary("abssecond", "abs(y)", domain=EVERY, result="real")
_binary("cmplx", "cmplx(x, y)", operand_rule="float", result="complex")

_binary("eq", "x == y", result="bool", commutative=True, domain=EVERY)
_binary("ne", "x != y", result="bool", commutative=True, domain=EVERY)
_binary("lt", "x < y", result="bool")
_binary("le", "x <= y", result="bool")
_binary("gt", "x > y", result="bool")
_binary("ge", "x >= y", result="bool")
_binary("iseq", "x == y", commutative=True, domain=EVERY)
_binary("isne", "x != y", commutative=True, domain=EVERY)
_binary("islt", "x < y")
_binary("isle", "x <= y")
_binary("isgt", "x > y")
_binary("isge", "x >= y")

_binary("land", "x and y", **_monoidal)
_binary("lor", "x or y", **_monoidal)
_binary("lxor", "BOOL(x) != BOOL(y)", **_monoidal)
_binary("lxnor", "x == y", operand_rule="bool", **_monoidal)

_binary("band", "x & y", domain=INTEGERS, **_monoidal)
_binary("bor", "x | y", domain=INTEGERS, **_monoidal)
_binary("bxor", "x ^ y", domain=INTEGERS, **_monoidal)
_binary("bxnor", "~(x ^ y)", domain=INTEGERS, **_monoidal)
_binary("bget", "bget(x, y)", domain=INTEGERS)
_binary("bset", "bset(x, y)", domain=INTEGERS)
_binary("bclr", "bclr(x, y)", domain=INTEGERS)
_binary("bshift", "bshift(x, y)", domain=INTEGERS)

_binary("atan2", "atan2(x, y)", operand_rule="float")
_binary("copysign", "copysign(x, y)", operand_rule="float")
_binary("fmod", "fmod(x, y)", operand_rule="float")
_binary("hypot", "hypot(x, y)", operand_rule="float", commutative=True)
_binary("remainder", "remainder(x, y)", operand_rule="float")
_binary("ldexp", "ldexp(x, y)", operand_rule="float", domain=(BOOL, *INTEGERS))
_binary("binom", "binom(x, y)", operand_rule=INT64, domain=INTEGERS)

_binary("firsti", "i", result="index", domain=EVERY)
_binary("firsti1", "i + 1", result="index", domain=EVERY)
_binary("firstj", "k", result="index", domain=EVERY, aligned="j")
_binary("firstj1", "k + 1", result="index", domain=EVERY, aligned="j + 1")
_binary("secondi", "k", result="index", domain=EVERY, aligned="i")
_binary("secondi1", "k + 1", result="index", domain=EVERY, aligned="i + 1")
_binary("secondj", "j", result="index", domain=EVERY)
_binary("secondj1", "j + 1", result="index", domain=EVERY)

# --- index-unary and select --------------------------------------------------------------------

_index("rowindex", "i + y", result="index", domain=EVERY)
_index("colindex", "j + y", result="index", domain=EVERY)
_index("index", "i + y", result="index", domain=EVERY)  # of a vector
_index("diagindex", "j - (i + y)", result="index", domain=EVERY)
for _name, _expression in {
    "tril": "j <= i + y",
    "triu": "j >= i + y",
    "diag": "j == i + y",
    "offdiag": "j != i + y",
    "colle": "j <= y",
    "colgt": "j > y",
    "rowle": "i <= y",
    "rowgt": "i > y",
    "indexle": "i <= y",
    "indexgt": "i > y",
}.items():
    _index(_name, _expression, result="bool", domain=EVERY)
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    _of = EVERY if _name in ("eq", "ne") else ALL
    _index(f"value{_name}", f"x {_sign} y", result="bool", domain=_of, thunk=None)

SELECT = {
    name: SelectOp(name, op.expression, f"select.{name}", op.domain, "bool", thunk=op.thunk)
    for name, op in INDEXUNARY.items()
    if op.result == "bool"
}

# --- python-graphblas' operators outside GraphBLAS ---------------------------------------------


@dataclass(frozen=True, repr=False)
class IsClose(BinaryOp):
    """The test whether |x - y| is at most abs_tol, or rel_tol times the larger of |x| and |y|.

    Called with tolerances only, by name or in this order, it returns the operator with these
    tolerances.

    >>> isclose(rel_tol=0.1).evaluate(1.0, 1.05), isclose.evaluate(1.0, 1.05)
    (np.True_, np.False_)
    """

    def __call__(
        self, left: Any = None, right: Any = None, *, rel_tol: float = 1e-7, abs_tol: float = 0.0,
        left_default: Any = None, right_default: Any = None,
    ) -> Any:  # fmt: skip
        if left is None or (isinstance(left, Real) and (right is None or isinstance(right, Real))):
            tolerances: Any = rel_tol if left is None else left, abs_tol if right is None else right
            return _isclose(*tolerances)
        return of_two(self, left, right, left_default, right_default)


LARGEST = sys.float_info.max


def _isclose(rel_tol: float, abs_tol: float) -> IsClose:
    for name, value in (("rel_tol", rel_tol), ("abs_tol", abs_tol)):
        known = isinstance(value, Real) and not isinstance(value, (bool, np.timedelta64))
        if not known or not (0 <= value <= LARGEST or value == math.inf):
            raise InvalidValue(f"expected {name} as a number of at least 0, got {brief(value)}")
    return _within(float(rel_tol), float(abs_tol))


@functools.lru_cache(maxsize=64)
def _within(rel_tol: float, abs_tol: float) -> IsClose:
    distance, larger = "abs(double(x) - double(y))", "max(abs(double(x)), abs(double(y)))"
    formula = f"x == y or {distance} <= max({rel_tol!r} * {larger}, {abs_tol!r})"
    return IsClose("isclose", formula, domain=EVERY, result="bool", commutative=True)


isclose = _isclose(1e-7, 0.0)
mod = BinaryOp("numpy.mod", "x % y", operand_rule="number")

EXTRA: dict[str, BinaryOp] = {"isclose": isclose, "numpy.mod": mod}
"""Binary operators that python-graphblas defines itself, with Numba; on the CPU we do the same."""
