"""The formula of a Python function, read from its source; the function is not run.

A lambda is one expression. A `def` may give names to expressions, choose between them by `if`,
`elif` and `else`, which become `a if condition else b`, and repeat statements by `for` over a range
of fixed length; every path through it ends in a `return`. Functions of `math` and NumPy stand for
those of the expression language (see `semirings.meanings`), and a plain function for its formula.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import re
from collections.abc import Callable, Hashable
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

import numpy as np

from .errors import WrongType, brief
from .expression import ExpressionError, parse
from .meanings import MEANINGS
from .tracing import traced


class NotAFunction(ExpressionError, WrongType):
    """What was given as the definition of an operator is no function and no expression."""


AS_STRING = "give the expression as a string, as in semirings.unary('x * x + 1')"


def formula(function: Callable[..., Any], order: tuple[str, ...] = ("x", "y")) -> str:
    """The expression that a Python function computes, with its arguments renamed to `order`.

    A number among the globals or closed-over variables of the function is replaced by its present
    value, and an attribute of an argument by the field of that name, for records. Raises
    ExpressionError if the source is more than a choice between expressions. A function without
    source is called instead (see `semirings.tracing`).

    >>> from semirings.source import formula
    >>> formula(lambda a, b: a + 2 * b)
    'x + 2 * y'
    """
    if not inspect.isfunction(function):
        raise NotAFunction(
            f"expected an expression or a plain Python function, got {brief(function)}"
        )
    arguments = _arguments(function)
    if len(arguments) != len(order):
        raise NotAFunction(
            f"expected a function of {len(order)} arguments ({', '.join(order)}), got one of "
            f"{len(arguments)}: {', '.join(arguments)}"
        )
    if not _has_source(function):
        return parse(traced(function, order), order).text
    _, body = _source(function)
    names: dict[str, ast.expr] = {
        given: ast.Name(name, ast.Load()) for given, name in zip(arguments, order, strict=True)
    }
    text = ast.unparse(ast.fix_missing_locations(_Reader(function, names).read(body)))
    return parse(text, order).text


_FUNCTIONS = ast.FunctionDef, ast.Lambda

LARGEST = 4000
"""How many nodes the formula of a function may have, after its local names are replaced."""


class _Reader(ast.NodeTransformer):
    """Follows the statements of a function with the expression that each name stands for."""

    def __init__(self, function: Any, names: dict[str, ast.expr], within: int = 0) -> None:
        captured = inspect.getclosurevars(function)
        self.names, self.within = names, within
        self.values = {**captured.builtins, **captured.globals, **captured.nonlocals}
        self.why = f"the function {function.__name__} cannot be read as one expression: "

    def read(self, statements: list[ast.stmt]) -> ast.expr:
        """What the statements return."""
        while statements:
            now, *statements = statements
            match now:
                case ast.Return(value=ast.expr() as value):
                    return self.expression(value)
                case ast.If(test=test, body=body, orelse=orelse):
                    condition, before = self.expression(test), dict(self.names)
                    yes = self.read([*body, *statements])
                    self.names = before
                    return ast.IfExp(condition, yes, self.read([*orelse, *statements]))
                case ast.For(target=ast.Name() as count, iter=steps, body=body, orelse=[]):
                    numbers = map(ast.Constant, self.range(steps))
                    turns = [(ast.Assign([count], number), *body) for number in numbers]
                    statements = [*(one for turn in turns for one in turn), *statements]
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    self.assign(now)
        raise ExpressionError(f"{self.why}every way through it must end in a return; {AS_STRING}")

    def assign(self, statement: ast.stmt) -> None:
        """Give names to what a statement assigns."""
        match statement:
            case ast.Assign(targets=[ast.Name() as to], value=value):
                given = [(to, value)]
            case ast.AnnAssign(target=ast.Name() as to, value=ast.expr() as value):
                given = [(to, value)]
            case ast.AugAssign(target=ast.Name(id=name) as to, op=op, value=value):
                given = [(to, ast.BinOp(ast.Name(name, ast.Load()), op, value))]
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(
                names
            ) == len(values) and all(isinstance(name, ast.Name) for name in names):
                given = list(zip(names, values, strict=True))  # type: ignore[arg-type]
            case _:
                raise ExpressionError(
                    f"{self.why}it may give names to expressions, choose by `if`, repeat by `for` "
                    f"over a range and return, and has {brief(ast.unparse(statement))}; {AS_STRING}"
                )
        made = {to.id: self.expression(value) for to, value in given}
        self.names = self.names | made

    def range(self, steps: ast.expr) -> range:
        """The numbers over which a loop goes."""
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            call: Any = steps
            numbers = [ast.literal_eval(self.expression(one)) for one in call.args]
            if call.func.id == "range" and len(found := range(*numbers)) <= 100:
                return found
        raise ExpressionError(
            f"{self.why}a loop must go over a range of at most 100 numbers that are known, not "
            f"{brief(ast.unparse(steps))}; {AS_STRING}"
        )

    def expression(self, node: ast.expr) -> ast.expr:
        """An expression in the language, with names replaced by what they stand for."""
        made: ast.expr = self.visit(copy.deepcopy(node))
        if sum(1 for _ in ast.walk(made)) > LARGEST:
            raise ExpressionError(f"{self.why}its formula has more than {LARGEST} parts")
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        decides = all(map(_decides, node.values))
        self.generic_visit(node)
        if decides:
            return node
        *before, made = node.values  # `a or b` of numbers is one of them
        for value in reversed(before):
            either = isinstance(node.op, ast.Or)
            made = ast.IfExp(value, value if either else made, made if either else value)
        return made

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Tuple(elts=of)]):
                found = [ast.Compare(node.left, [ast.Eq()], [one]) for one in of]
                one_of = ast.BoolOp(ast.Or(), [ast.Constant(False), *found])
                return one_of if isinstance(op, ast.In) else ast.UnaryOp(ast.Not(), one_of)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node.func:
            case ast.Attribute(ast.Name(id=name) as of, "conjugate") if name in self.names:
                return _call("conj({0})", [self.visit(of)])
        function = self.meant(node.func)
        node.args = [self.visit(one) for one in node.args]
        if node.keywords:
            return node  # for parse to refuse
        known = MEANINGS.get(function, "") if isinstance(function, Hashable) else ""
        if known and len(node.args) == len(set(re.findall(r"{\d}", known))):
            return _call(known, node.args)
        function = getattr(function, "py_func", function)  # compiled by Numba
        if inspect.isfunction(function) and not (function.__module__ or "").startswith("numpy"):
            return self.inline(function, node.args)
        node.func = node.func if isinstance(node.func, ast.Name) else self.visit(node.func)
        return node

    def inline(self, function: Any, given: list[ast.expr]) -> ast.expr:
        """The formula of a function that this one calls."""
        arguments, body = _source(function)
        if self.within > 10 or len(arguments) != len(given):
            raise ExpressionError(
                f"{self.why}it calls {function.__name__} with {len(given)} arguments, or deeper "
                f"than ten calls; {AS_STRING}"
            )
        names = dict(zip(arguments, given, strict=True))
        return _Reader(function, names, self.within + 1).read(body)

    def meant(self, node: ast.expr) -> Any:
        """The object outside the function for which a name, or an attribute of a module, stands."""
        match node:
            case ast.Name(id=name) if name not in self.names:
                return self.values.get(name)
            case ast.Attribute(value=ast.Name() | ast.Attribute() as of, attr=name):
                owner = self.meant(of)
                return getattr(owner, name, None) if isinstance(owner, ModuleType) else None
        return None

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = self.names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if owner is not None and node.attr in ("real", "imag"):
            return _call(f"c{node.attr}({{0}})", [owner])
        if isinstance(owner, ast.Name) and not hasattr(np.float64, node.attr):
            return ast.Subscript(owner, ast.Constant(node.attr), ast.Load())  # p.x: a field, p["x"]
        return _known(self.meant(node)) or node  # for parse to refuse

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names:
            return self.names[node.id]
        value = self.values.get(node.id)
        if value is None or isinstance(value, ModuleType | BuiltinFunctionType | type):
            return node  # the language's own name, or for parse to refuse
        known = _known(value)
        if known is None:
            raise ExpressionError(
                f"the function uses {node.id}, which is {brief(value)}; only numbers and the "
                "functions of the expression language can be put into an operator"
            )
        return known


def _call(meaning: str, arguments: list[ast.expr]) -> ast.expr:
    """The expression for a function, with its arguments in place."""
    names = [f"_{n}" for n in range(len(arguments))]

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return arguments[names.index(node.id)] if node.id in names else node

    made: ast.expr = Fill().visit(ast.parse(meaning.format(*names), mode="eval").body)
    return made


def _known(value: Any) -> ast.expr | None:
    """The expression for a number."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool | int | float | complex):
        return ast.parse(repr(value), mode="eval").body
    return None


def _arguments(function: Any) -> list[str]:
    """The names of the arguments of a function."""
    code = function.__code__
    stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    if stars or function.__defaults__ or code.co_kwonlyargcount:
        raise ExpressionError(
            f"the function {function.__name__} cannot be read as one expression: its arguments "
            "may have no defaults and no stars"
        )
    return [*code.co_varnames[: code.co_argcount]]


def _has_source(function: Any) -> bool:
    """Whether the file or the console that a function comes from can be read."""
    try:
        inspect.findsource(function)
    except (OSError, TypeError):
        return False
    return True


def _source(function: Any) -> tuple[list[str], list[ast.stmt]]:
    """The arguments and the statements of a function, from its source."""
    code = function.__code__
    why = f"the function {function.__name__} cannot be read as one expression: "
    try:
        lines, _ = inspect.findsource(function)
        functions = _functions("".join(lines))
    except (OSError, TypeError, SyntaxError) as error:
        raise ExpressionError(f"{why}{error}; {AS_STRING}") from None
    found = [node for node in functions if _is_source_of(node, code)]
    if len(found) != 1:
        raise ExpressionError(
            f"{why}its source has {len(found)} functions at line {code.co_firstlineno} that could "
            f"be it; {AS_STRING}"
        )
    node: Any = found[0]
    lambda_ = isinstance(node, ast.Lambda)
    return _arguments(function), [ast.Return(node.body)] if lambda_ else node.body


@lru_cache(maxsize=8)
def _functions(text: str) -> list[ast.AST]:
    """The functions in the text of a file. `_Reader` copies what it changes of them."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, _FUNCTIONS)]


def _is_source_of(node: ast.AST, code: CodeType) -> bool:
    """True if a function in the tree of a file is the one that the code was compiled from."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    if not isinstance(node, ast.Lambda) or code.co_name != "<lambda>":
        return False
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    if node.lineno != code.co_firstlineno or [*code.co_varnames[: code.co_argcount]] != names:
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
