"""Formulas of whole numbers alone, such as 2**40 - 1, which expressions compute in INT64."""

from __future__ import annotations

import ast


def whole_value(node: ast.expr) -> int | None:
    """The value of a formula of whole numbers alone, or one beyond INT64 if it is beyond that; None
    for others."""
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=of):
            return None if (value := whole_value(of)) is None else -value
        case ast.BinOp(left=left, op=op, right=right):
            a, b = whole_value(left), whole_value(right)
            if a is None or b is None:
                return None
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Pow() if b >= 0:
                    return a ** min(b, 64 + b % 2)
                case ast.LShift() if b >= 0:
                    return a << min(b, 64)
    return None
