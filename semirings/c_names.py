"""The names of operators with a type in the C API of GraphBLAS: `plus[int]` is GrB_PLUS_INT64.

Those of the standard begin with GrB, those of SuiteSparse with GxB. An operator that GraphBLAS does
not have is named by its own name and type, as python-graphblas names it.
"""

from __future__ import annotations

from typing import Any

from . import types

_UNARY = {"identity", "ainv", "minv", "abs", "bnot"}
_BINARY = {
    "band", "bor", "bxnor", "bxor", "first", "second", "min", "max", "plus", "minus", "times",
    "cdiv", "truediv", "eq", "ne", "lt", "le", "gt", "ge",
}  # fmt: skip
_LOGIC = {"land", "lor", "lxor", "lxnor"}
_SEMIRINGS = {
    "land_lor", "lor_land", "lxnor_lor", "lxor_land", "max_first", "max_min", "max_plus",
    "max_second", "max_times", "min_first", "min_max", "min_plus", "min_second", "min_times",
    "plus_min", "plus_times",
}  # fmt: skip
_CALLED = {
    "cdiv": "DIV", "truediv": "DIV", "rdiv": "RDIV", "rtruediv": "RDIV", "index": "ROWINDEX",
    "indexgt": "ROWGT", "indexle": "ROWLE",
}  # fmt: skip
_OF_BOOL = {"max": "lor", "min": "land", "times": "land"}
_NUMBA = {"absfirst", "abssecond", "binom", "floordiv", "rfloordiv", "rpow", "isclose"}
_NUMBA_MULTIPLY = _NUMBA | {"pow", "truediv", "rtruediv"}


def _spelled(name: str) -> str:
    return _CALLED.get(name, name.upper())


def _begins(name: str, standard: set[str], dtype: Any) -> str:
    return "GrB" if name in standard and not types.is_complex(dtype) else "GxB"


def of_operator(op: Any) -> str:
    """The name of a unary, binary or index-unary operator with a type."""
    name, kind = op.name, type(op).__name__
    dtype = op.operand(op.typed)
    if op.graphblas is None or name in _NUMBA or "." in name:
        return f"{name}_{types.name(op.typed)}"
    if kind in ("IndexUnaryOp", "SelectOp"):
        if name.startswith("value"):
            return f"{_begins(name, {name}, dtype)}_{_spelled(name)}_{types.name(dtype)}"
        ends = f"_{types.name(op.output(op.typed))}" if name.endswith("index") else ""
        return f"GrB_{_spelled(name)}{ends}"
    if dtype == types.BOOL and name in (_LOGIC if kind == "BinaryOp" else {"lnot"}):
        return f"GrB_{name.upper()}"
    if op.positional:
        dtype = op.output(op.typed)
    standard = _UNARY if kind == "UnaryOp" else _BINARY
    return f"{_begins(name, standard, dtype)}_{_spelled(name)}_{types.name(dtype)}"


def of_monoid(monoid: Any) -> str:
    """The name of a monoid with a type."""
    dtype = monoid.output(monoid.typed)
    name = _OF_BOOL.get(monoid.name, monoid.name) if dtype == types.BOOL else monoid.name
    if name in _LOGIC:
        return f"GrB_{name.upper()}_MONOID_BOOL"
    if name in ("max", "min", "plus", "times") and not types.is_complex(dtype):
        return f"GrB_{name.upper()}_MONOID_{types.name(dtype)}"
    return f"GxB_{name.upper()}_{types.name(dtype)}_MONOID"


def of_semiring(semiring: Any) -> str:
    """The name of a semiring with a type."""
    add, multiply = semiring.monoid.name, semiring.multiply.name
    dtype = semiring.operand(semiring.typed)
    if semiring.multiply.graphblas is None or multiply in _NUMBA_MULTIPLY:
        return f"{add}_{multiply}_{types.name(semiring.typed)}"
    if semiring.multiply.positional:
        dtype = semiring.multiply.output(semiring.typed)
    elif dtype == types.BOOL:
        add, multiply = _OF_BOOL.get(add, add), "lxor" if multiply == "ne" else multiply
    name = f"{_spelled(add)}_{_spelled(multiply)}"
    if _begins(f"{add}_{multiply}", _SEMIRINGS, dtype) == "GrB":
        return f"GrB_{name}_SEMIRING_{types.name(dtype)}"
    return f"GxB_{name}_{types.name(dtype)}"
