"""The class of an operator, as in `graphblas.core.operator`."""

from __future__ import annotations

from types import BuiltinFunctionType
from typing import Any

from semirings import BinaryOp, IndexUnaryOp, Monoid, Parameterized, Semiring, UnaryOp
from semirings.names import lookup

UNKNOWN_OPCLASS = "UnknownOpClass"
OPERATORS = UnaryOp, BinaryOp, IndexUnaryOp, Monoid, Semiring


def find_opclass(gb_op: Any) -> tuple[Any, str]:
    """An operator and the name of its class.

    Parameters
    ----------
    gb_op : object
        An operator, an operator with parameters, which becomes that of the default values, or a
        built-in function that stands for one, such as `max`.

    Returns
    -------
    operator, class : tuple
        The class is "UnaryOp", "BinaryOp", "IndexUnaryOp", "SelectOp", "Monoid" or "Semiring";
        "UnknownOpClass" if this is an aggregator or no operator, which is then returned as it is.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> find_opclass(lg.monoid.plus)[1], find_opclass(max), find_opclass(7)[1]
    ('Monoid', (BinaryOp('max', 'max(x, y)'), 'BinaryOp'), 'UnknownOpClass')
    """
    if isinstance(gb_op, Parameterized):
        return find_opclass(gb_op())
    if isinstance(gb_op, BuiltinFunctionType):
        gb_op = lookup("unary" if gb_op is abs else "binary", gb_op)
    if isinstance(gb_op, OPERATORS):
        return gb_op, gb_op.opclass
    return gb_op, UNKNOWN_OPCLASS
