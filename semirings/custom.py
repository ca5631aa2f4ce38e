"""Operators, monoids and semirings of one's own.

    from semirings import binary, monoid, semiring, check_laws

    reliable = semiring(monoid("max(x, y)", 0, idempotent=True, selective=True), "x * y")

An operator is given as an expression (`semirings.expression` is its language) or as a plain Python
function that consists of one expression; a function's source is read, never run. Its domain is
every type the expression admits and its result type is the expression's own, unless stated.

The facts beside a definition are claims on which schedules rely: a false one gives false answers.
`check_laws` looks for counterexamples.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any, TypeVar

import numpy as np

from . import types
from .algebra import VALUES, BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from .errors import DomainError, InvalidValue
from .expression import ExpressionError, parse
from .operator_records import _Operator
from .types import Rule

Definition = str | Callable[..., Any]
Domain = Iterable[Any] | None
Kind = TypeVar("Kind", bound=_Operator)


def unary(
    definition: Definition, *, name: str = "", domain: Domain = None, result: Any = "inferred"
) -> UnaryOp:
    """The operator z = f(x): `unary("sqrt(abs(x))")`."""
    return _operator(UnaryOp, definition, ("x",), name, domain, result)


def binary(
    definition: Definition,
    *,
    name: str = "",
    domain: Domain = None,
    result: Any = "inferred",
    commutative: bool = False,
    associative: bool = False,
) -> BinaryOp:
    """The operator z = f(x, y): an expression, or a function of two arguments.

    domain  the types of operands; by default all that the expression admits
    result  the type of the answer: a type, or a rule of `types.RULES` such as "same"

    Raises ExpressionError, which says what an expression may contain.

    >>> binary("x + 2 * y").evaluate(np.int32(1), np.int32(5))
    np.int32(11)
    >>> binary("x + 2 * y").output("FP32")
    dtype('float32')
    """
    facts = {"commutative": commutative, "associative": associative}
    return _operator(BinaryOp, definition, ("x", "y"), name, domain, result, **facts)


def indexunary(
    definition: Definition,
    *,
    name: str = "",
    domain: Domain = None,
    result: Any = "inferred",
    thunk: Any = types.INT64,
) -> IndexUnaryOp:
    """The operator z = f(x, i, j, y) of an entry, its position and a thunk."""
    thunk = None if thunk is None else types.lookup(thunk)
    order = ("x", "i", "j", "y")
    return _operator(IndexUnaryOp, definition, order, name, domain, result, thunk=thunk)


def monoid(
    op: Definition | BinaryOp,
    identity: Any,
    *,
    terminal: Any = None,
    idempotent: bool = False,
    selective: bool = False,
    commutative: bool = True,
    name: str = "",
    domain: Domain = None,
) -> Monoid:
    """A monoid from an associative operator and its identity.

    identity, terminal  numbers, or "highest", "lowest", "ones", "zero" of each type
    domain              by default the types in which the operator answers in its operands' type
                        and that can represent the identity

    >>> monoid("max(x, y)", "lowest", terminal="highest").identity("INT8")
    np.int8(-128)
    """
    op = op if isinstance(op, BinaryOp) else binary(op, commutative=commutative, associative=True)
    if isinstance(identity, str) and identity not in VALUES:
        raise InvalidValue(
            f"expected a number or one of {list(VALUES)} as identity, got {identity!r}"
        )

    def admits(dtype: Any) -> bool:
        if op.operand(dtype) != dtype or op.output(dtype) != dtype:
            return False
        return all(isinstance(v, str) or _represents(dtype, v) for v in (identity, terminal))

    types_ = _domain(domain, filter(admits, op.domain))
    if not types_:
        raise InvalidValue(
            f"{op!r} with identity {identity!r} is a monoid over no type: it must answer in its "
            "operands' type, and that type must hold the identity and the terminal"
        )
    facts: dict[str, Any] = {
        "idempotent": idempotent,
        "selective": selective,
        "commutative": commutative,
    }
    return Monoid(name or op.name, op, identity, terminal, types_, **facts)


def semiring(
    monoid: Monoid,
    multiply: Definition | BinaryOp,
    *,
    name: str = "",
    domain: Domain = None,
    distributive: bool = False,
    ordered: str | None = None,
    carrier: str | None = None,
) -> Semiring:
    """A semiring from a monoid and an operator that multiplies.

    ordered  a condition on y under which x ⊗ y is never better than x ("y >= 0", "always")
    carrier  a condition on x: the values the semiring is about
    """
    multiply = multiply if isinstance(multiply, BinaryOp) else binary(multiply)
    if ordered not in (None, "always"):
        parse(str(ordered), ("y",))
    if carrier is not None:
        parse(carrier, ("x",))
    admitted = (
        d
        for d in multiply.domain
        if multiply.output(d) in monoid.domain and monoid.output(multiply.output(d))
    )
    types_ = _domain(domain, admitted)
    if not types_:
        raise InvalidValue(
            f"{multiply!r} and {monoid!r} meet in no type: the operator answers in "
            f"{sorted({types.name(multiply.output(d)) for d in multiply.domain})}, and the monoid "
            f"is defined for {[types.name(d) for d in monoid.domain]}"
        )
    return Semiring(monoid, multiply, types_, distributive, ordered, carrier, own_name=name or None)


def _represents(dtype: np.dtype[Any], value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, int) and dtype.kind in "iu":
        return bool(types.lowest(dtype) <= value <= types.highest(dtype))
    return bool(np.isnan(value) or types.cast(value, dtype) == value)


def _domain(stated: Domain, admitted: Iterable[np.dtype[Any]]) -> tuple[np.dtype[Any], ...]:
    possible = tuple(admitted)
    if stated is None:
        return possible
    asked = tuple(types.lookup(d) for d in stated)
    if missing := [types.name(d) for d in asked if d not in possible]:
        raise DomainError(
            f"not defined for {', '.join(missing)}, only for {[types.name(d) for d in possible]}"
        )
    return asked


def _operator(
    kind: type[Kind],
    definition: Definition,
    order: tuple[str, ...],
    name: str,
    domain: Domain,
    result: Any,
    **facts: Any,
) -> Kind:
    positions = () if kind is UnaryOp else ("i", "k", "j")
    if isinstance(definition, str):
        text = parse(definition, tuple(dict.fromkeys((*order, *positions)))).text
    else:
        name = name or getattr(definition, "__name__", "").replace("<lambda>", "")
        text = formula(definition, order)
    named = isinstance(result, str) and result in ("inferred", *types.RULES)
    rule: Rule = result if named else types.lookup(result)
    op = kind(name or text, text, None, types.ALL, rule, **facts)
    failures: dict[str, str] = {}

    def admits(dtype: np.dtype[Any]) -> bool:
        try:
            op.parsed.dtype(op._types(dtype))
        except ExpressionError as error:
            failures[types.name(dtype)] = str(error)
        return types.name(dtype) not in failures

    types_ = _domain(domain, filter(admits, types.ALL))
    if not types_:
        raise ExpressionError(next(iter(failures.values())))
    return kind(op.name, text, None, types_, rule, **facts)


# --- a Python function's formula -----------------------------------------------------------------


def formula(function: Callable[..., Any], order: tuple[str, ...] = ("x", "y")) -> str:
    """The expression a one-expression Python function computes, its arguments renamed to `order`.

    A number among the function's globals or closed-over variables is put in by its present value.
    Raises ExpressionError if the source cannot be had or holds more than one expression.

    >>> from semirings.custom import formula
    >>> formula(lambda a, b: a + 2 * b)
    'x + 2 * y'
    """
    if not inspect.isfunction(function):
        raise ExpressionError(
            f"expected an expression or a plain Python function, got {function!r}"
        )
    arguments, body = _source(function)
    if len(arguments) != len(order):
        raise ExpressionError(
            f"expected a function of {len(order)} arguments ({', '.join(order)}), got one of "
            f"{len(arguments)}: {', '.join(arguments)}"
        )
    names = dict(zip(arguments, order, strict=True))
    captured = inspect.getclosurevars(function)
    values = {**captured.globals, **captured.nonlocals}

    class Rename(ast.NodeTransformer):
        def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
            if all(map(_decides, node.values)):
                return self.generic_visit(node)  # type: ignore[return-value]
            raise ExpressionError(
                "the function joins numbers by `and` or `or`, which in Python yield one of them "
                "and here True or False; write `a if condition else b`, or compare: `x != 0 and …`"
            )

        def visit_Call(self, node: ast.Call) -> ast.expr:
            if isinstance(node.func, ast.Name) and values.get(node.func.id, round) is round:
                if node.func.id == "round":
                    raise ExpressionError(
                        "the function calls round, which in Python takes halves to the even "
                        "number; give the expression as a string to round halves away from zero"
                    )
            return self.generic_visit(node)  # type: ignore[return-value]

        def visit_Name(self, node: ast.Name) -> ast.expr:
            if node.id in names:
                return ast.Name(names[node.id], ast.Load())
            value = values.get(node.id)
            value = value.item() if isinstance(value, np.generic) else value
            if isinstance(value, bool | int | float):
                return ast.parse(repr(value), mode="eval").body
            if node.id not in values or isinstance(value, ModuleType | BuiltinFunctionType):
                return node  # the language's own name, or for parse to refuse
            raise ExpressionError(
                f"the function uses {node.id}, which is {value!r}; only numbers and the functions "
                "of the expression language can be put into an operator"
            )

    text = ast.unparse(ast.fix_missing_locations(Rename().visit(body)))
    return parse(text, order).text


def _source(function: Any) -> tuple[list[str], ast.expr]:
    """The arguments and the one expression of a function, from its source."""
    code = function.__code__
    why = f"the function {function.__name__} cannot be read as one expression: "
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError) as error:
        raise ExpressionError(f"{why}{error}; give the expression as a string") from None
    found = [node for node in ast.walk(tree) if _is_source_of(node, code)]
    if len(found) != 1:
        raise ExpressionError(
            f"{why}its source has {len(found)} functions at line {code.co_firstlineno} that could "
            "be it; give the expression as a string"
        )
    node: Any = found[0]
    arguments = node.args
    if arguments.defaults or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        raise ExpressionError(f"{why}its arguments may have no defaults and no stars")
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    if isinstance(node, ast.Lambda):
        return names, node.body
    match [s for s in node.body if not _is_docstring(s)]:
        case [ast.Return(value=ast.expr() as value)]:
            return names, value
    raise ExpressionError(f"{why}its body must be a single return statement")


def _is_source_of(node: ast.AST, code: CodeType) -> bool:
    """Whether a function in a file's tree is the one the code was compiled from."""
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
    """Is it True or False by its form?"""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare | ast.BoolOp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, bool)
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
