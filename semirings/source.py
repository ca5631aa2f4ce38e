"""The formula of a Python function, read from its source. The function is never run.

A lambda is one expression. A `def` may choose between expressions by `if`, `elif` and `else`, which
become `a if condition else b`; every path through it ends in a `return`. Functions of `math` and
NumPy stand for those of the expression language.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Hashable
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

import numpy as np

from .errors import WrongType, brief
from .expression import ExpressionError, parse

_ALIKE = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "copysign", "cos", "cosh",
    "erf", "erfc", "exp", "exp2", "expm1", "fmod", "gcd", "hypot", "isfinite", "isinf", "isnan",
    "lcm", "lgamma", "log", "log10", "log1p", "log2", "nextafter", "sin", "sinh", "sqrt", "tan",
    "tanh",
)  # fmt: skip
_NAMED = {"angle": "carg", "conjugate": "conj", "real": "creal", "imag": "cimag"} | {
    "absolute": "abs",
    "fmax": "max",
    "fmin": "min",
    "gamma": "tgamma",
    "sign": "signum",
}
_THEIRS = {n: n for n in _ALIKE} | {f"arc{n[1:]}": n for n in _ALIKE if n[0] == "a"} | _NAMED
MEANINGS: dict[Any, str] = {
    function: name
    for module in (math, np)
    for theirs, name in _THEIRS.items()
    if (function := getattr(module, theirs, None)) is not None
}
"""The names in the language for functions of `math` or NumPy with the same meaning. Functions that
differ (min and max for NaN, rounding of halves, the type of a floor) are left out."""


class NotAFunction(ExpressionError, WrongType):
    """What was given as the definition of an operator is no function and no expression."""


AS_STRING = "give the expression as a string, as in semirings.unary('x * x + 1')"


def formula(function: Callable[..., Any], order: tuple[str, ...] = ("x", "y")) -> str:
    """The expression that a Python function computes, with its arguments renamed to `order`.

    A number among the globals or closed-over variables of the function is replaced by its present
    value, and an attribute of an argument by the field of that name, for records. Raises
    ExpressionError if the source is not available, or is more than a choice between expressions.

    >>> from semirings.source import formula
    >>> formula(lambda a, b: a + 2 * b)
    'x + 2 * y'
    """
    if not inspect.isfunction(function):
        raise NotAFunction(
            f"expected an expression or a plain Python function, got {brief(function)}"
        )
    arguments, body = _source(function)
    if len(arguments) != len(order):
        raise ExpressionError(
            f"expected a function of {len(order)} arguments ({', '.join(order)}), got one of "
            f"{len(arguments)}: {', '.join(arguments)}"
        )
    captured = inspect.getclosurevars(function)
    names = dict(zip(arguments, order, strict=True))
    rename = _Rename(names, {**captured.globals, **captured.nonlocals})
    text = ast.unparse(ast.fix_missing_locations(rename.visit(body)))
    return parse(text, order).text


class _Rename(ast.NodeTransformer):
    """Replaces arguments by the names of the language, and outside names by what they mean."""

    def __init__(self, names: dict[str, str], values: dict[str, Any]) -> None:
        self.names, self.values = names, values

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if all(map(_decides, node.values)):
            return self.generic_visit(node)  # type: ignore[return-value]
        raise ExpressionError(
            "the function joins numbers by `and` or `or`, which in Python yield one of them "
            "and here True or False; write `a if condition else b`, or compare: `x != 0 and …`"
        )

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and self.values.get(node.func.id, round) is round:
            if node.func.id == "round":
                raise ExpressionError(
                    "the function calls round, which in Python takes halves to the even "
                    "number; round halves away from zero by an expression in a string, such as "
                    "semirings.unary('round(x)')"
                )
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if owner in self.names and not hasattr(np.float64, node.attr):  # p.x for the field p["x"]
            field = ast.Constant(node.attr)
            return ast.Subscript(ast.Name(self.names[owner], ast.Load()), field, ast.Load())
        if owner in self.names or not isinstance(self.values.get(owner), ModuleType):
            return node  # for parse to refuse
        return _known(getattr(self.values[owner], node.attr, None)) or node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names:
            return ast.Name(self.names[node.id], ast.Load())
        value = self.values.get(node.id)
        if node.id not in self.values or isinstance(value, ModuleType):
            return node  # the language's own name, or for parse to refuse
        known = _known(value)
        if known is None and not isinstance(value, BuiltinFunctionType):
            raise ExpressionError(
                f"the function uses {node.id}, which is {brief(value)}; only numbers and the "
                "functions of the expression language can be put into an operator"
            )
        return known or node


def _known(value: Any) -> ast.expr | None:
    """The expression for a number, or for a function that the language has."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool | int | float | complex):
        return ast.parse(repr(value), mode="eval").body
    if isinstance(value, Hashable) and value in MEANINGS:
        return ast.Name(MEANINGS[value], ast.Load())
    return None


def _source(function: Any) -> tuple[list[str], ast.expr]:
    """The arguments and the one expression of a function, from its source."""
    code = function.__code__
    why = f"the function {function.__name__} cannot be read as one expression: "
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError) as error:
        raise ExpressionError(f"{why}{error}; {AS_STRING}") from None
    found = [node for node in ast.walk(tree) if _is_source_of(node, code)]
    if len(found) != 1:
        raise ExpressionError(
            f"{why}its source has {len(found)} functions at line {code.co_firstlineno} that could "
            f"be it; {AS_STRING}"
        )
    node: Any = found[0]
    arguments = node.args
    if arguments.defaults or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        raise ExpressionError(f"{why}its arguments may have no defaults and no stars")
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    if isinstance(node, ast.Lambda):
        return names, node.body
    chosen = _chosen([s for s in node.body if not _is_docstring(s)])
    if chosen is None:
        raise ExpressionError(
            f"{why}its body must hold `if` and `return` alone, and every way through it a return"
        )
    return names, chosen


def _chosen(statements: list[ast.stmt]) -> ast.expr | None:
    """What statements return, as one expression; None if they do more, or may return nothing."""
    match statements:
        case [ast.Return(value=ast.expr() as value), *_]:
            return value
        case [ast.If(test=test, body=body, orelse=orelse), *rest]:
            yes, no = _chosen([*body, *rest]), _chosen([*orelse, *rest])
            return None if yes is None or no is None else ast.IfExp(test, yes, no)
    return None


def _is_source_of(node: ast.AST, code: CodeType) -> bool:
    """True if a function in the tree of a file is the one that the code was compiled from."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    if not isinstance(node, ast.Lambda) or code.co_name != "<lambda>":
        return False
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    if node.lineno != code.co_firstlineno or [*code.co_varnames[: len(names)]] != names:
        return False
    body = node.body
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno or body.lineno, body.end_col_offset or 0)
    # several lambdas may share a line: every instruction has its place in this one's body
    return all(
        start <= (line, column) and (end_line, end_column) <= end
        for line, end_line, column, end_column in code.co_positions()
        if line and end_line and column is not None and end_column  # RESUME has no column
    )


def _decides(node: ast.expr) -> bool:
    """True if the form of the expression shows that its value is True or False."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, bool)
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
