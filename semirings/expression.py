"""Expressions: one formula in Python syntax is the whole definition of an operator.

`parse("min(x, y)")` returns an Expression. It is read once with Python's own parser, typed for the
types of its operands (`typed_formula.py`), and then written in three languages (`languages.py`):

- `evaluate` computes it with NumPy, and is the specification of the other two;
- `cuda` is C++ source whose functions are those of `lagraph_gpu/gpu/cuda/core/arithmetic.cuh`;
- `python` is a function that Numba compiles, for user-defined operators of python-graphblas.

Names: x and y are the operands (x alone in a unary operator; y is the thunk of a select operator).
i, k and j are positions, of type INT64: in a product z(i,j) = x(i,k) ⊗ y(k,j), elsewhere the row i
and the column j of an entry. Names that do not occur are not read; the facts `reads_x` and
`positional` of an operator are found in this way.

Of an operand that is a record, `x['field']` is a field (see `semirings.records`). Such a formula
has no CUDA.

Types: the operands of a function are converted to their common type (`types.unify`) before it is
applied, and the result has that type unless the row of the function in `functions.py` says
otherwise. A number in the expression takes the type of its partner, if it fits: `x + 2` over UINT8
is UINT8, over BOOL INT64 (True + 2 is 3). A fraction with an integer partner makes FP64, and 2j
makes FC64, or FC32 beside FP32 and FC32. So the promotion of none of the three languages is used:
over INT8, `(x + y) // 2` wraps before it divides. That is the rule of the operators here. A `wide`
expression, of a user's own, follows that of `semirings.promotion` instead.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from . import languages, types
from .errors import DomainError, ExpressionError, WrongType, brief
from .functions import CASTS, FUNCTIONS
from .languages import POSITIONS
from .typed_formula import CONSTANTS, SIGNS, DType, Node, typed
from .whole_numbers import whole_value

NAMES = ("x", "y", *POSITIONS)
DEEPEST = 64
"""How deep an expression may be nested. Python refuses source with 200 brackets in each other, and
a step of the Python form has up to two."""
CALLABLE = tuple(
    name for name in FUNCTIONS if name.isidentifier() and name not in ("neg",)
) + tuple(CASTS)


def _refuse(text: str, problem: str, names: Iterable[str] = NAMES) -> ExpressionError:
    return ExpressionError(
        f"in the expression {brief(text)}: {problem}. An expression is one formula over the names "
        f"{', '.join(names)}: numbers, True, False, {', '.join(CONSTANTS)}; "
        "+ - * / // % ** & | ^ ~ << >>, comparisons, and, or, not, `a if c else b`; "
        f"and calls of {', '.join(sorted(CALLABLE))}"
    )


@dataclass(frozen=True)
class Expression:
    """A formula and its free names. Two expressions are equal if their texts are equal.

    Parameters
    ----------
    text : str
        The formula.
    free : frozenset of str
        The names that it reads.
    wide : bool, optional
        Whether it computes in the types of Python (see `semirings.promotion`).

    Examples
    --------
    >>> e = parse("x + 2 * y")
    >>> e.evaluate({"x": np.int8(100), "y": np.int8(20)})
    np.int8(-116)
    >>> e.cuda({"x": "FP32", "y": "FP32"})
    'arithmetic::add(x, arithmetic::multiply(2.0f, y))'
    """

    text: str
    free: frozenset[str]
    wide: bool = field(default=False, compare=False)

    def _node(self, env: Mapping[str, Any], result: Any = None) -> Node:
        """The formula with the type of every step."""
        return typed(self.text, _key(env, self.free), result, self.wide)

    def dtype(self, env: Mapping[str, Any]) -> DType:
        """The type of the result.

        Parameters
        ----------
        env : dict
            The type of each name.

        Returns
        -------
        type
            A NumPy dtype.

        Raises
        ------
        ExpressionError
            The expression does not admit these types.
        """
        node = self._node(env)
        assert node.dtype is not None
        return node.dtype

    def evaluate(self, env: Mapping[str, Any], result: Any = None) -> Any:
        """The value of the expression.

        Parameters
        ----------
        env : dict
            The value of each name: NumPy scalars or arrays, which are broadcast.
        result : type or str, optional
            The type of the value. By default the type of the expression.

        Returns
        -------
        number or array
            The value.
        """
        arrays = {name: np.asarray(env[name]) for name in self.free}
        node = self._node({n: a.dtype for n, a in arrays.items()}, result)
        shapes = {np.shape(a) for a in env.values()}
        with np.errstate(all="ignore"):
            value = np.asarray(languages.evaluate(node, arrays))
        if shapes != {value.shape}:
            value = np.broadcast_to(value, np.broadcast_shapes(*shapes))
        return value[()]

    def cuda(
        self, env: Mapping[str, Any], names: Mapping[str, str] | None = None, result: Any = None
    ) -> str:
        """The expression as C++ source.

        Parameters
        ----------
        env : dict
            The type of each name.
        names : dict, optional
            How each name is spelled in the source. By default as it is.
        result : type or str, optional
            The type of the value. By default the type of the expression.

        Returns
        -------
        str
            A C++ expression.
        """
        node = self._node(env, result)
        return languages.cuda(node, {name: name for name in self.free} | dict(names or {}))

    def python(
        self,
        env: Mapping[str, Any],
        result: Any = None,
        name: str = "operator",
        arguments: Iterable[str] | None = None,
    ) -> str:
        """The expression as source of a Python function that Numba can compile.

        The globals of the function must hold `np` and `math`. The function is made for exactly
        these types: a conversion after each step undoes the promotion of Numba.

        Parameters
        ----------
        env : dict
            The type of each name.
        result : type or str, optional
            The type of the value. By default the type of the expression.
        name : str, optional
            The name of the function.
        arguments : sequence of str, optional
            The arguments of the function. By default the free names.

        Returns
        -------
        str
            The source.
        """
        node = self._node(env, result)
        helpers: dict[str, str] = {}
        body = languages.python(node, helpers)
        arguments = [n for n in NAMES if n in self.free] if arguments is None else arguments
        inner = "\n".join(helpers.values())
        lines = [f"    {line}" if line else "" for line in inner.splitlines()]
        return "\n".join([f"def {name}({', '.join(arguments)}):", *lines, f"    return {body}", ""])

    def exact(self, env: Mapping[str, Any]) -> bool:
        """Whether the result is selected or decided, not computed. Then nothing rounds.

        Parameters
        ----------
        env : dict
            The type of each name.

        Returns
        -------
        bool
            True if no step computes.
        """
        return all(
            node.kind in ("name", "number", "if") or ((f := FUNCTIONS.get(node.kind)) and f.exact)
            for node in self._node(env).walk()
        )

    @property
    def reads_fields(self) -> bool:
        """Whether it reads fields of records, and is defined for these alone."""
        tree = ast.parse(self.text, mode="eval")
        return any(isinstance(node, ast.Subscript) for node in ast.walk(tree))

    def admits(self, env: Mapping[str, Any], result: Any = None) -> bool:
        """Whether the expression is defined for these types.

        Parameters
        ----------
        env : dict
            The type of each name.
        result : type or str, optional
            The type of the value. By default the type of the expression.

        Returns
        -------
        bool
            True if it is.
        """
        try:
            self._node(env, result)
        except (ExpressionError, DomainError):
            return False
        return True

    def substituted(self, formulas: Mapping[str, str]) -> Expression:
        """The expression with formulas in place of names, all at once.

        The formulas {"x": "y", "y": "x"} swap the two names.

        Parameters
        ----------
        formulas : dict
            The formula for each name.

        Returns
        -------
        Expression
            The new expression.
        """

        class Substitute(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return ast.parse(formulas.get(node.id, node.id), mode="eval").body

        tree = Substitute().visit(ast.parse(self.text, mode="eval"))
        return parse(ast.unparse(tree), wide=self.wide)


@cache
def parse(text: str, names: tuple[str, ...] = NAMES, wide: bool = False) -> Expression:
    """Read an expression.

    Parameters
    ----------
    text : str
        The formula.
    names : tuple of str, optional
        The names that it may use.
    wide : bool, optional
        Whether it computes in the types of Python (see `semirings.promotion`).

    Returns
    -------
    Expression
        The expression.

    Raises
    ------
    ExpressionError
        The text is not an expression of the language. The message says what is not allowed.
    WrongType
        The text is not a string.
    """
    free: set[str] = set()
    too_deep = f"it is nested more than {DEEPEST} deep"

    def check(node: ast.expr, depth: int) -> None:
        if depth > DEEPEST:
            raise _refuse(text, too_deep, names)
        children: list[ast.expr] = []
        match node:
            case ast.Constant(value=bool() | int() | float() | complex() as number):
                if type(number) is int and abs(number) > sys.float_info.max:
                    raise _refuse(text, "a number is beyond what FP64 holds", names)
            case ast.Name(id=name):
                if name in names:
                    free.add(name)
                elif name not in CONSTANTS:
                    raise _refuse(text, f"unknown name {brief(name)}", names)
            case ast.BinOp(left=a, op=op, right=b) if type(op) in SIGNS:
                children = [a, b]
                if (made := whole_value(node)) is not None and not -(2**63) <= made < 2**63:
                    what = f"{brief(ast.unparse(node))} is beyond INT64, in which it is computed"
                    raise _refuse(text, f"{what}; write the number itself", names)
            case ast.BoolOp(values=values):
                children = values
            case ast.UnaryOp(operand=a):
                children = [a]
            case ast.Compare(left=a, ops=ops, comparators=rest) if all(
                type(op) in SIGNS for op in ops
            ):
                children = [a, *rest]
            case ast.IfExp(test=c, body=a, orelse=b):
                children = [c, a, b]
            case ast.Subscript(value=ast.Name() as of, slice=ast.Constant(value=str())):
                children = [of]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                _check_call(text, name, args, names)
                children = args
            case ast.Call(func=func):
                raise _refuse(text, f"{brief(ast.unparse(func))} cannot be called like this", names)
            case ast.Attribute():
                raise _refuse(
                    text, f"the attribute {brief(ast.unparse(node))} is not allowed", names
                )
            case _:
                raise _refuse(text, f"{brief(ast.unparse(node))} is not allowed", names)
        for child in children:
            check(child, depth + max(1, len(children) - 1))

    if not isinstance(text, str):
        raise WrongType(f"expected an expression as a string, got {brief(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", str(error))
        raise _refuse(text, f"this is not one expression ({reason})", names) from None
    except (RecursionError, MemoryError):  # so Python's own parser says it
        raise _refuse(text, too_deep, names) from None
    try:
        check(tree.body, 1)
    except RecursionError:  # in a part that is to be shown
        raise _refuse(text, too_deep, names) from None
    return Expression(text.strip(), frozenset(free), wide)


def _check_call(text: str, name: str, args: list[ast.expr], names: tuple[str, ...]) -> None:
    if name not in CALLABLE:
        raise _refuse(text, f"unknown function {brief(name)}", names)
    arity = 1 if name in CASTS else FUNCTIONS[name].arity
    if len(args) < arity or (len(args) > arity and name not in ("min", "max")):
        raise _refuse(text, f"{name} takes {arity} argument(s), not {len(args)}", names)


def _key(env: Mapping[str, Any], free: frozenset[str]) -> tuple[tuple[str, DType], ...]:
    """The types of the free names, as a key of the cache."""
    given = {name: types.INT64 if name in POSITIONS else env.get(name) for name in sorted(free)}
    if missing := [name for name, dtype in given.items() if dtype is None]:
        raise WrongType(f"expected the type of {', '.join(missing)}, got those of {list(env)}")
    return tuple((name, types.lookup(dtype)) for name, dtype in given.items())
