"""The types in which a formula of a user's own computes: those of Python, as Numba compiles it.

python-graphblas gives a function to Numba. There an integer has 64 bits as soon as it is computed
with, a number of Python is INT64, FP64 or FC64, and what comes out is converted back to the type of
the operands, if it is of the same kind. So `x * -1` of UINT8 is UINT8, `(x + y) // 2` of INT8
does not wrap before it divides, and `x * 0.1` of FP32 is computed in FP64 and rounded once.

Two things are not Numba's: positions are INT64, so that `i - j` may be negative, and a UINT64 that
is divided by a positive number is not read as INT64 first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np

from . import types

DType = np.dtype[Any]
Operand = tuple[DType | None, Any]
"""The type of an operand, and its value if it is a number of the formula, whose type is None."""

ARITHMETIC = {"+", "-", "*", "//", "%", "**", "neg", "&", "|", "^", "~", "<<", ">>", "/"}
COMPARED = {"==", "!=", "<", "<=", ">", ">="}
_BITS = {"&", "|", "^", "~"}


def _of_number(value: Any) -> DType:
    if isinstance(value, complex):
        return types.FC64
    return types.FP64 if isinstance(value, float) else types.INT64


def _widened(dtype: DType) -> DType:
    if dtype.kind in "bi":
        return types.INT64
    return types.UINT64 if dtype.kind == "u" else dtype


def _common(found: Iterable[DType]) -> DType:
    return reduce(types.unify, found)


def operand_type(function: str, operands: Iterable[Operand]) -> DType:
    """The type in which a function of the language computes on these operands.

    >>> operand_type("+", [(types.UINT8, None), (None, -1)])
    INT64
    >>> operand_type("<", [(types.UINT8, None), (None, 5)])
    UINT8
    """
    operands = tuple(operands)
    found = [_of_number(value) if dtype is None else dtype for dtype, value in operands]
    if any(map(types.is_record, found)):
        return _common(found)
    if function not in ARITHMETIC:
        return _as_one(operands, found)
    if function in _BITS and all(dtype == types.BOOL for dtype in found):
        return types.BOOL
    if function == "**" and found[0] == types.FP32 and isinstance(operands[1][1], int):
        return types.FP32
    wide = [_widened(dtype) for dtype in found]
    if function in ("<<", ">>"):
        return wide[0]
    if {dtype.kind for dtype in wide} != {"i", "u"}:
        return _common(wide)
    divides = function in ("//", "%") and operands[1][0] is None and operands[1][1] > 0
    return types.UINT64 if divides and found[0] == types.UINT64 else types.INT64


def _as_one(operands: tuple[Operand, ...], found: list[DType]) -> DType:
    """The type of a choice or a comparison. A number that an integer type holds takes that type
    beside UINT64, which has no common type with INT64 that holds both."""
    typed = [dtype for dtype, _ in operands if dtype is not None]
    own = _common(typed) if typed else None
    values = [value for dtype, value in operands if dtype is None]
    if own is not None and own.kind in "iu" and all(isinstance(v, int) for v in values):
        if all(types.lowest(own) <= v <= types.highest(own) for v in values):
            return own
    return _common(found)


def narrowed(made: DType, operand: DType, output: Callable[[DType], DType]) -> DType:
    """The type of the result of an operator: that of its operands, if both are of one kind.

    `made` is the type in which the formula is computed and `output` gives the type of the result
    for another type of operands.
    """
    kinds = {"i": "i", "u": "i", "f": "f", "c": "c"}
    if made == operand or types.is_record(operand) or types.is_record(made):
        return made
    if kinds.get(made.kind) == kinds.get(operand.kind, ""):
        return operand
    if operand == types.UINT64 and made == types.FP64 and output(types.INT64) == types.INT64:
        return operand
    if operand == types.BOOL and made == types.INT64 and output(types.INT8) == types.INT8:
        return types.INT8
    return made
