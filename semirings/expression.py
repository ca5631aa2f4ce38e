"""Expressions: one formula in Python syntax is the whole definition of an operator.

`parse("min(x, y)")` returns an Expression. It is read once with Python's own parser, typed for the
types of its operands, and then written in three languages:

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
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Any

import numpy as np

from . import promotion, python_forms, types
from .errors import DomainError, LagraphError, WrongType, brief
from .functions import CASTS, FUNCTIONS
from .whole_numbers import whole_value

DType = np.dtype[Any]
POSITIONS = ("i", "k", "j")
NAMES = ("x", "y", *POSITIONS)
CONSTANTS = {"inf": math.inf, "nan": math.nan, "pi": math.pi}
DEEPEST = 64
"""How deep an expression may be nested. Python refuses source with 200 brackets in each other, and
a step of the Python form has up to two."""
CALLABLE = tuple(
    name for name in FUNCTIONS if name.isidentifier() and name not in ("neg",)
) + tuple(CASTS)

_SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.Invert: "~", ast.USub: "neg",
}  # fmt: skip


class ExpressionError(LagraphError, ValueError):
    """An expression is outside the language, or does not admit the types of its operands."""


def _refuse(text: str, problem: str, names: Iterable[str] = NAMES) -> ExpressionError:
    return ExpressionError(
        f"in the expression {brief(text)}: {problem}. An expression is one formula over the names "
        f"{', '.join(names)}: numbers, True, False, {', '.join(CONSTANTS)}; "
        "+ - * / // % ** & | ^ ~ << >>, comparisons, and, or, not, `a if c else b`; "
        f"and calls of {', '.join(sorted(CALLABLE))}"
    )


@dataclass(frozen=True)
class Node:
    """A node with a type. Its kind is "name", "number", "cast", "if", or the name of a function.

    The dtype None belongs to a number whose type its partner decides.
    """

    kind: str
    dtype: DType | None
    args: tuple[Node, ...] = ()
    value: Any = None

    def walk(self) -> Iterator[Node]:
        yield self
        for arg in self.args:
            yield from arg.walk()


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
        return _typed(self.text, _key(env, self.free), result, self.wide)

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
        shape = np.broadcast_shapes(*(np.shape(a) for a in env.values()))
        with np.errstate(all="ignore"):
            value = np.asarray(_evaluate(node, arrays))
        return np.broadcast_to(value, shape)[()]

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
        return _cuda(node, {name: name for name in self.free} | dict(names or {}))

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
        body = _python(node, helpers)
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
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _SIGNS:
                children = [a, b]
                if (made := whole_value(node)) is not None and not -(2**63) <= made < 2**63:
                    what = f"{brief(ast.unparse(node))} is beyond INT64, in which it is computed"
                    raise _refuse(text, f"{what}; write the number itself", names)
            case ast.BoolOp(values=values):
                children = values
            case ast.UnaryOp(operand=a):
                children = [a]
            case ast.Compare(left=a, ops=ops, comparators=rest) if all(
                type(op) in _SIGNS for op in ops
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


# --- types -------------------------------------------------------------------------------------


def _key(env: Mapping[str, Any], free: frozenset[str]) -> tuple[tuple[str, DType], ...]:
    """The types of the free names, as a key of the cache."""
    given = {name: types.INT64 if name in POSITIONS else env.get(name) for name in sorted(free)}
    if missing := [name for name, dtype in given.items() if dtype is None]:
        raise WrongType(f"expected the type of {', '.join(missing)}, got those of {list(env)}")
    return tuple((name, types.lookup(dtype)) for name, dtype in given.items())


def _number(value: Any) -> Node:
    return Node("number", types.BOOL if isinstance(value, bool) else None, value=value)


def _coerce(node: Node, dtype: DType) -> Node:
    if node.dtype is not None and node.dtype == dtype:  # None == np.dtype("f8") is true
        return node
    if types.is_record(dtype) or (node.dtype is not None and types.is_record(node.dtype)):
        raise DomainError(f"a record is converted to no type, and no number to {dtype}")
    if node.kind == "number":
        whole = isinstance(node.value, int) and not types.rounds(dtype) and dtype != types.BOOL
        value = node.value if whole else types.cast(node.value, dtype)
        if whole and not -(2**63) <= value < 2**64:
            raise ExpressionError(
                f"expected whole numbers of 64 bits beside {types.name(dtype)}, got "
                f"{brief(value)}; write a number of FP64 with a point or an exponent"
            )
        if whole and not types.lowest(dtype) <= value <= types.highest(dtype):
            value = np.array(value & (256**dtype.itemsize - 1), "u8").astype(dtype)
        return Node("number", dtype, value=dtype.type(value))
    return Node("cast", dtype, (node,))


def _meet(nodes: Iterable[Node]) -> DType:
    """The common type of operands. A number takes the type of its partner if it fits."""
    nodes = tuple(nodes)
    values = [n.value for n in nodes if n.dtype is None]
    fraction = any(isinstance(v, float) for v in values)
    typed = [n.dtype for n in nodes if n.dtype is not None]
    dtype = reduce(types.unify, typed) if typed else None
    if any(isinstance(v, complex) for v in values):
        return types.FC32 if dtype in (types.FP32, types.FC32) else types.FC64
    if dtype is None:
        return types.FP64 if fraction else types.INT64
    if types.rounds(dtype) or not values:
        return dtype
    if fraction:
        return types.FP64
    if dtype != types.BOOL and all(
        types.lowest(dtype) <= v <= types.highest(dtype) for v in values
    ):
        return dtype
    return types.unify(dtype, types.INT64)


def _field(text: str, record: Node, field: str) -> Node:
    """A field of a record."""
    fields = record.dtype.fields if record.dtype is not None else None
    if not fields or field not in fields:
        has = f"has the fields {', '.join(fields)}" if fields else "is no record"
        raise ExpressionError(
            f"in the expression {brief(text)}: {record.value} of type {record.dtype} {has}, and is "
            f"asked for {field!r}"
        )
    return Node("field", types.lookup(fields[field][0]), (record,), field)


_PARTS = {"creal": True, "conj": True, "cimag": False}
_WHOLE = {"floor": True, "ceil": True, "trunc": True, "round": True}
_FINITE = {"isnan": False, "isinf": False, "isfinite": True}


def _of_real(name: str, arg: Node) -> Node | None:
    """What a function of complex or floating-point numbers is on a number that has no such part:
    the number itself, 0, or a truth value; None if it has to be computed."""
    kind = arg.dtype.kind if arg.dtype is not None else ""
    if kind in ("b", "i", "u", "f") and name in _PARTS:
        return arg if _PARTS[name] else Node("number", arg.dtype, value=arg.dtype.type(0))  # type: ignore[union-attr]
    if kind in ("b", "i", "u") and name in _WHOLE:
        return arg
    return _number(_FINITE[name]) if kind in ("b", "i", "u") and name in _FINITE else None


def _power(base: Node, exponent: Any) -> tuple[str, Node, Node] | None:
    """A complex number to the power of 2 as a product, which is exact where logarithms are not."""
    square = base.dtype is not None and types.is_complex(base.dtype) and exponent == 2
    return ("*", base, base) if square else None


@cache
def _typed(
    text: str, env: tuple[tuple[str, DType], ...], result: Any = None, wide: bool = False
) -> Node:
    kinds = dict(env)

    def meet(name: str, nodes: Iterable[Node]) -> DType:
        if not wide:
            return _meet(nodes)
        return promotion.operand_type(name, [(n.dtype, n.value) for n in nodes])

    def apply(name: str, *args: Node) -> Node:
        if wide and len(args) == 1 and (known := _of_real(name, args[0])) is not None:
            return known
        if name == "**" and (product := _power(args[0], args[1].value)) is not None:
            name, *args = product  # type: ignore[assignment]
        function = FUNCTIONS[name]
        if name == "neg" and args[0].dtype is None:
            return _number(-args[0].value)
        operand = types.apply_rule(function.operand, meet(name, args))
        if wide and name == "abs" and operand == types.BOOL:
            operand = types.INT8
        compared = types.is_record(operand) and name in ("==", "!=")
        if operand not in function.domain and not compared:
            raise ExpressionError(
                f"in the expression {brief(text)}: {name!r} does not take {types.name(operand)}; "
                f"it takes {', '.join(map(types.name, function.domain))}"
            )
        made = tuple(_coerce(arg, operand) for arg in args)
        return Node(name, types.apply_rule(function.result, operand), made)

    def whole_or_real(name: str, of: Node) -> Node:
        """The meaning of int(x) and float(x) in Python's types: FP32 is a float."""
        if of.dtype is not None and types.is_complex(of.dtype):
            raise ExpressionError(
                f"in the expression {brief(text)}: {name} does not take {types.name(of.dtype)}"
            )
        stays = name == "float" and of.dtype is not None and types.is_float(of.dtype)
        return of if stays else _coerce(of, CASTS[name])

    def visit(node: ast.expr) -> Node:
        match node:
            case ast.Constant(value=value):
                return _number(value)
            case ast.Name(id=name):
                return (
                    Node("name", kinds[name], value=name)
                    if name in kinds
                    else _number(CONSTANTS[name])
                )
            case ast.Subscript(value=of, slice=ast.Constant(value=str() as field)):
                return _field(text, visit(of), field)
            case ast.BinOp(left=a, op=op, right=b):
                return apply(_SIGNS[type(op)], visit(a), visit(b))
            case ast.BoolOp(op=op, values=values):
                return reduce(lambda a, b: apply(_SIGNS[type(op)], a, b), map(visit, values))
            case ast.UnaryOp(op=ast.UAdd(), operand=a):
                return visit(a)
            case ast.UnaryOp(op=op, operand=a):
                return apply(_SIGNS[type(op)], visit(a))
            case ast.Compare(left=a, ops=ops, comparators=rest):
                sides = [visit(side) for side in (a, *rest)]
                pairs = zip(ops, sides, sides[1:], strict=False)
                return reduce(
                    lambda a, b: apply("and", a, b),
                    [apply(_SIGNS[type(op)], p, q) for op, p, q in pairs],
                )
            case ast.IfExp(test=c, body=a, orelse=b):
                yes, no = visit(a), visit(b)
                dtype = meet("if", (yes, no))
                test = _coerce(visit(c), types.BOOL)
                return Node("if", dtype, (test, _coerce(yes, dtype), _coerce(no, dtype)))
            case ast.Call(func=ast.Name(id=name), args=args):
                if name in CASTS:
                    if wide and name in ("float", "int"):
                        return whole_or_real(name, visit(args[0]))
                    return _coerce(visit(args[0]), CASTS[name])
                return (
                    reduce(lambda a, b: apply(name, a, b), map(visit, args[1:]), visit(args[0]))
                    if len(args) > 1
                    else apply(name, visit(args[0]))
                )
        raise AssertionError(f"parse let {ast.dump(node)} through")

    root = visit(ast.parse(text, mode="eval").body)
    return _coerce(root, types.lookup(result) if result is not None else _meet((root,)))


# --- the three languages -----------------------------------------------------------------------


def _evaluate(node: Node, arrays: Mapping[str, Any]) -> Any:
    assert node.dtype is not None
    match node.kind:
        case "name":
            return arrays[node.value].astype(node.dtype)
        case "number":
            return np.asarray(node.value, node.dtype)
    args = [_evaluate(arg, arrays) for arg in node.args]
    match node.kind:
        case "cast":
            return np.asarray(types.cast(args[0], node.dtype))
        case "if":
            return np.where(*args)
        case "field":
            return args[0][node.value]
    operands = [np.asarray(a) for a in np.broadcast_arrays(*args)]
    return np.asarray(FUNCTIONS[node.kind].numpy(*operands)).astype(node.dtype)


def _cuda(node: Node, names: Mapping[str, str]) -> str:
    if node.kind == "name":
        return f"(long long)({names[node.value]})" if node.value in POSITIONS else names[node.value]
    if node.kind == "number":
        return types.literal(node.value, node.dtype)
    args = [_cuda(arg, names) for arg in node.args]
    if node.kind == "cast":
        return f"arithmetic::cast<{types.c_name(node.dtype)}>({args[0]})"
    if node.kind == "if":
        return "({} ? {} : {})".format(*args)
    if node.kind == "field":
        raise ExpressionError("an operator on the fields of records has no CUDA; use the CPU")
    return FUNCTIONS[node.kind].cuda.format(*args)


def _spelled(number: float) -> str:
    """A number of Python as source that has `np` alone."""
    finite = not isinstance(number, float) or math.isfinite(number)
    return repr(number) if finite else f"np.{number}".replace("np.-inf", "-np.inf")


def _python(node: Node, helpers: dict[str, str]) -> str:
    assert node.dtype is not None
    if node.kind == "name":
        return f"np.int64({node.value})" if node.value in POSITIONS else node.value
    if node.kind == "number":
        if node.dtype == types.BOOL:
            return str(bool(node.value))
        number = node.value.item()
        parts = (number.real, number.imag) if isinstance(number, complex) else (number,)
        spelled = ", ".join(map(_spelled, parts))
        spelled = f"complex({spelled})" if len(parts) > 1 else spelled
        return f"np.{np.dtype(node.dtype).name}({spelled})"
    args = [_python(arg, helpers) for arg in node.args]
    source = node.args[-1].dtype
    assert source is not None
    match node.kind:
        case "if":
            return "({1} if {0} else {2})".format(*args)
        case "field":
            return f"{args[0]}[{node.value!r}]"
        case "cast":
            form = python_forms.cast(source, node.dtype)
        case _:
            form = python_forms.call(node.kind, source)
    if defined := re.match(r"def (\w+)", form):
        helpers[defined[1]] = form
        return f"{defined[1]}({', '.join(args)})"
    return form.format(*args)
