"""A formula with the type of every step.

`semirings.expression` describes the language and its types. A number without a partner has no type
yet; whatever meets it decides.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import numpy as np

from . import promotion, types
from .errors import DomainError, ExpressionError, brief
from .functions import CASTS, FUNCTIONS

DType = np.dtype[Any]
CONSTANTS = {"inf": math.inf, "nan": math.nan, "pi": math.pi}

SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.And: "and", ast.Or: "or", ast.Not: "not", ast.Invert: "~", ast.USub: "neg",
}  # fmt: skip
"""The function of each sign."""


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


@cache
def typed(
    text: str, env: tuple[tuple[str, DType], ...], result: Any = None, wide: bool = False
) -> Node:
    """The formula of names of these types, which yields the type `result` if it is given."""
    root = Typing(text, dict(env), wide).visit(ast.parse(text, mode="eval").body)
    return _coerce(root, types.lookup(result) if result is not None else _meet((root,)))


@dataclass(frozen=True)
class Typing:
    """The way from the tree of a formula to its nodes."""

    text: str
    names: dict[str, DType]
    """The types of the names."""
    wide: bool
    """Whether it computes in the types of Python (see `semirings.promotion`)."""

    def visit(self, node: ast.expr) -> Node:
        """The node of a part of the tree."""
        visit, apply = self.visit, self.apply
        match node:
            case ast.Constant(value=value):
                return _number(value)
            case ast.Name(id=name):
                if name in self.names:
                    return Node("name", self.names[name], value=name)
                return _number(CONSTANTS[name])
            case ast.Subscript(value=of, slice=ast.Constant(value=str() as field)):
                return _field(self.text, visit(of), field)
            case ast.BinOp(left=a, op=op, right=b):
                return apply(SIGNS[type(op)], visit(a), visit(b))
            case ast.BoolOp(op=op, values=values):
                return reduce(lambda a, b: apply(SIGNS[type(op)], a, b), map(visit, values))
            case ast.UnaryOp(op=ast.UAdd(), operand=a):
                return visit(a)
            case ast.UnaryOp(op=op, operand=a):
                return apply(SIGNS[type(op)], visit(a))
            case ast.Compare(left=a, ops=ops, comparators=rest):
                sides = [visit(side) for side in (a, *rest)]
                pairs = zip(ops, sides, sides[1:], strict=False)
                compared = [apply(SIGNS[type(op)], p, q) for op, p, q in pairs]
                return reduce(lambda a, b: apply("and", a, b), compared)
            case ast.IfExp(test=c, body=a, orelse=b):
                yes, no = visit(a), visit(b)
                dtype = self.meet("if", (yes, no))
                test = _coerce(visit(c), types.BOOL)
                return Node("if", dtype, (test, _coerce(yes, dtype), _coerce(no, dtype)))
            case ast.Call(func=ast.Name(id=name), args=args) if name in CASTS:
                return self.cast(name, visit(args[0]))
            case ast.Call(func=ast.Name(id=name), args=[of]):
                return apply(name, visit(of))
            case ast.Call(func=ast.Name(id=name), args=args):
                return reduce(lambda a, b: apply(name, a, b), map(visit, args))
        raise AssertionError(f"parse let {ast.dump(node)} through")

    def apply(self, name: str, *args: Node) -> Node:
        """A function of nodes, each converted to the type in which it computes."""
        if self.wide and len(args) == 1 and (known := _of_real(name, args[0])) is not None:
            return known
        if name == "**" and (product := _power(args[0], args[1].value)) is not None:
            name, *args = product  # type: ignore[assignment]
        function = FUNCTIONS[name]
        if name == "neg" and args[0].dtype is None:
            return _number(-args[0].value)
        operand = types.apply_rule(function.operand, self.meet(name, args))
        if self.wide and name == "abs" and operand == types.BOOL:
            operand = types.INT8
        compared = types.is_record(operand) and name in ("==", "!=")
        if operand not in function.domain and not compared:
            raise ExpressionError(
                f"in the expression {brief(self.text)}: {name!r} does not take "
                f"{types.name(operand)}; it takes {', '.join(map(types.name, function.domain))}"
            )
        made = tuple(_coerce(arg, operand) for arg in args)
        return Node(name, types.apply_rule(function.result, operand), made)

    def meet(self, name: str, nodes: Iterable[Node]) -> DType:
        """The common type of the operands of a function."""
        if not self.wide:
            return _meet(nodes)
        return promotion.operand_type(name, [(n.dtype, n.value) for n in nodes])

    def cast(self, name: str, of: Node) -> Node:
        """A node as another type. In Python's types a complex number is no int, and FP32 is a float
        already."""
        if self.wide and name in ("float", "int") and of.dtype is not None:
            if types.is_complex(of.dtype):
                raise ExpressionError(
                    f"in the expression {brief(self.text)}: {name} does not take "
                    f"{types.name(of.dtype)}"
                )
            if name == "float" and types.is_float(of.dtype):
                return of
        return _coerce(of, CASTS[name])


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
