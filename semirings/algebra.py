"""Operators, monoids and semirings as frozen records.

An operator is one expression and the types it is defined for. A monoid is an associative operator
with an identity; a semiring is a monoid ⊕ and an operator ⊗ that multiplies. Whatever follows from
the expression is derived from it (does ⊗ read its operands? is it positional?). The facts that do
not follow are fields, and `semirings.laws` tests each of them:

- `commutative`, `associative`, `identity`, `terminal` (t ⊕ x = t) are GraphBLAS' notions;
- `idempotent`: x ⊕ x = x, so an entry may be folded twice;
- `selective`: x ⊕ y is x or y, so there is a winner whose origin can be remembered;
- `distributive`: x ⊗ (y ⊕ z) = (x ⊗ y) ⊕ (x ⊗ z) and the same from the right;
- `ordered`: x ⊕ (x ⊗ y) = x, that is, ⊗ never improves on its left operand.

The laws of arithmetic (associativity and distributivity of plus and times, the order of min-plus)
are those of numbers: floats obey them up to rounding, and integers in the laws of order as long as
nothing wraps. NaN has no place in an order, and `ordered` does not speak of it.

Types: `operand(dtype)` is the type in which an operator computes for inputs of a type, and
`output(dtype)` the type of its answer; both agree with python-graphblas' `op.types`.

Records are hashable, compared by value and picklable. Called with an operation of lagraph_gpu
(`min_plus(u @ A)`), they name the operator of that operation; called with operands (`plus(v, 1)`,
`sqrt(v)`) they make one. With a type in brackets (`plus["FP32"]`) an operator converts its operands
to that type, whatever they are, before it computes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from . import types
from .calls import KEPT_BY_NUMBA, admits, around, bracket, given_type, of_one, of_two
from .errors import DomainError
from .expression import POSITIONS, Expression, ExpressionError, parse
from .types import ALL, INT64, Rule

DType = np.dtype[Any]

# What a monoid's identity or terminal may be called instead of a number.
VALUES: Mapping[str, Any] = {
    "highest": types.highest,
    "lowest": types.lowest,
    "ones": lambda t: types.highest(t) if t.kind in "bu" else -1,
    "zero": lambda t: 0,
    # 0 · x = 0 holds for integers; for floats 0 · inf is NaN
    "exact zero": lambda t: None if types.is_float(t) else 0,
}


@dataclass(frozen=True, repr=False)
class _Operator:
    """What the three kinds of operator share.

    expression  the formula, in the language of `semirings.expression`
    graphblas   python-graphblas' path, such as "binary.plus"; None for a user's own operator
    domain      the types of input it is defined for
    operand     rule for the type in which it computes, see `types.RULES`
    result      rule for the type of the answer, applied to the operand type; "inferred" is the
                type of the expression itself
    typed       the type that operands are converted to first, as in plus["FP32"]; None if they
                meet in a type of their own
    """

    name: str
    expression: str
    graphblas: str | None = None
    domain: tuple[DType, ...] = ALL
    result: Rule = "same"
    operand_rule: Rule = "same"
    typed: DType | None = None

    def __post_init__(self) -> None:
        names = ("x", "i", "j") if isinstance(self, UnaryOp) else ("x", "y", *POSITIONS)
        parse(self.expression, names)

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self.name}{bracket(self)}', {self.expression!r})"

    def __getitem__(self, dtype: Any) -> Self:
        """The operator on operands that are converted to ``dtype`` first.

        >>> plus = BinaryOp("plus", "x + y")
        >>> plus["INT8"].evaluate(2.75, 3.5), plus.evaluate(2.75, 3.5)
        (np.int8(5), np.float64(6.25))
        """
        return replace(self, typed=given_type(self, dtype))

    def __contains__(self, dtype: Any) -> bool:
        """Is the operator defined for this type?"""
        return admits(self, dtype)

    @cached_property
    def parsed(self) -> Expression:
        return parse(self.expression)

    @property
    def reads_x(self) -> bool:
        return "x" in self.parsed.free

    @property
    def reads_y(self) -> bool:
        return "y" in self.parsed.free

    @property
    def positional(self) -> bool:
        return not self.parsed.free.isdisjoint(POSITIONS)

    def operand(self, dtype: Any) -> DType:
        """The type in which the operator computes for inputs of type dtype; DomainError."""
        dtype = types.lookup(dtype)
        if self.typed is not None:
            return types.apply_rule(self.operand_rule, self.typed)
        if dtype not in self.domain:
            allowed = ", ".join(map(types.name, self.domain))
            raise DomainError(
                f"{self.name} is not defined for {types.name(dtype)}, only for {allowed}; "
                "convert the operands first, for example with .dup(dtype=...)"
            )
        return types.apply_rule(self.operand_rule, dtype)

    def meet(self, left: Any, right: Any) -> DType:
        """The type to which operands of two types are converted: their common one, or `typed`."""
        return types.unify(left, right) if self.typed is None else self.typed

    def output(self, dtype: Any) -> DType:
        """The type of the answer for inputs of type dtype (let them meet first)."""
        operand = self.operand(dtype)
        if self.result == "inferred":
            return self.parsed.dtype(self._types(dtype))
        return types.apply_rule(self.result, operand)

    def _types(self, dtype: Any) -> dict[str, DType]:
        """The types of x and y as the expression sees them."""
        operand = self.operand(dtype)
        thunk = getattr(self, "thunk", None)
        return {"x": operand, "y": operand if thunk is None else thunk}

    def _conversions(self, dtype: Any) -> list[DType]:
        """The types through which an input of type dtype comes to the type that is computed in."""
        path, now = [], types.lookup(dtype)
        for to in (self.typed, self.operand(dtype)):
            if to is not None and to != now:
                path.append(to)
                now = to
        return path

    def evaluate(
        self, x: Any = 0, y: Any = 0, i: Any = 0, k: Any = 0, j: Any = 0, dtype: Any = None
    ) -> Any:
        """The answer for NumPy scalars or arrays, exactly GraphBLAS' answer.

        dtype is the type the inputs are given in, by default that in which x and y meet.
        """
        thunk = getattr(self, "thunk", None)
        if dtype is None:
            given = np.asarray(x).dtype
            alone = thunk is not None
            dtype = given if alone else types.unify(given, np.asarray(y).dtype)
        dtype = dtype if self.typed is None else self.typed
        operand = self.operand(dtype)
        env = {"i": i, "k": k, "j": j, "x": types.cast(types.cast(x, dtype), operand)}
        env["y"] = (
            types.cast(y, thunk) if thunk is not None else types.cast(types.cast(y, dtype), operand)
        )
        return self.parsed.evaluate(env, self.output(dtype))

    def cuda(self, dtype: Any, names: Mapping[str, str] | None = None, result: Any = None) -> str:
        """C++ source for inputs of type dtype, spelled as `names` says.

        The value has the type of `output(dtype)`, or `result` if it is given.

        >>> BinaryOp("truediv", "x / y", operand_rule="double").cuda("INT8", {"x": "a", "y": "b"})
        '(arithmetic::cast<double>(a) / arithmetic::cast<double>(b))'
        """
        spelled = {n: n for n in self.parsed.free} | dict(names or {})
        for to in self._conversions(dtype):
            for n in ("x", "y") if getattr(self, "thunk", None) is None else ("x",):
                if n in spelled:
                    spelled[n] = f"arithmetic::cast<{types.c_name(to)}>({spelled[n]})"
        answer = self.output(dtype)
        text = self.parsed.cuda(self._types(dtype), spelled, answer)
        if result is not None and types.lookup(result) != answer:
            text = f"arithmetic::cast<{types.c_name(result)}>({text})"
        return text

    def python(self, dtype: Any) -> str:
        """Source of a Python function named `operator` that numba compiles for this type.

        Its arguments are x, y in a binary operator and x in a unary one; its globals must hold
        `np` and `math`. Positional operators are refused: a numba function sees no positions.
        """
        if self.positional:
            raise ExpressionError(f"{self.name} reads positions, which a Python operator cannot")
        dtype = types.lookup(dtype)
        arguments = ["x"] if isinstance(self, UnaryOp) else ["x", "y"]
        expression = self.parsed
        for to in reversed(self._conversions(dtype)):
            names = {n: f"{types.name(to)}({n})" for n in arguments}
            expression = expression.substituted(names)
        env = {"x": dtype, "y": dtype}
        return expression.python(env, self.output(dtype), arguments=arguments)


@dataclass(frozen=True, repr=False)
class UnaryOp(_Operator):
    """z = f(x), or a function of the position (i, j)."""

    def __call__(self, x: Any) -> Any:
        """The operator applied to every entry: `sqrt(v)`."""
        return of_one(self, x, "apply")


@dataclass(frozen=True, repr=False)
class BinaryOp(_Operator):
    """z = f(x, y), or a function of the positions i, k, j of a product.

    mixed    the type of the answer whenever two operand types are unified, where that is not
             `output` of the common type: python-graphblas gives INT64 for pair
    aligned  the formula for operands that stand at one place (i, j), where it is another: the k of
             firstj, a column of x in a product, is j then, and that of secondi is i
    """

    commutative: bool = False
    associative: bool = False
    mixed: DType | None = None
    aligned: str | None = None

    @property
    def elementwise(self) -> BinaryOp:
        """The operator for operands that stand at one place; DomainError if that has no sense."""
        if self.aligned is not None:
            return replace(self, expression=self.aligned, aligned=None)
        if "k" in self.parsed.free:
            raise DomainError(
                f"expected an operator of i and j element by element, but {self.name} reads k, the "
                "inner index of a product; write i (the row) or j (the column) in its place"
            )
        return self

    def __call__(
        self, x: Any, y: Any = None, *, left_default: Any = None, right_default: Any = None
    ) -> Any:
        """`plus(u | v)`, `plus(u & v)`; `plus(v, 1)` or `plus(1, v)` binds a number."""
        return of_two(self, x, y, left_default, right_default)

    @property
    def flipped(self) -> BinaryOp:
        """The operator with x and y swapped: f(y, x). Positions keep their meaning."""
        if self.commutative or not (self.reads_x or self.reads_y):
            return self
        swapped = self.parsed.substituted({"x": "y", "y": "x"})
        name = self.name.removeprefix("flip_")
        name = name if name != self.name else f"flip_{name}"
        return replace(self, name=name, expression=swapped.text, graphblas=None)

    def unified(self, left: Any, right: Any) -> DType:
        """The type of the answer for operands of two types."""
        answer = self.output(self.meet(left, right))
        return answer if self.mixed is None or self.typed is not None else self.mixed


@dataclass(frozen=True, repr=False)
class IndexUnaryOp(_Operator):
    """z = f(x, i, j, y) with a thunk y, for apply and (if the answer is BOOL) select.

    thunk  the type of y; None where it has the type of x
    """

    thunk: DType | None = INT64

    def __call__(self, x: Any, thunk: Any = 0) -> Any:
        """The operator applied to every entry: `rowindex(A)`."""
        return of_one(self, x, "apply", thunk)


@dataclass(frozen=True, repr=False)
class SelectOp(IndexUnaryOp):
    """An index-unary operator that answers BOOL, for choosing entries."""

    def __call__(self, x: Any, thunk: Any = 0) -> Any:
        """The entries for which the operator holds: `tril(A)`."""
        return of_one(self, x, "select", thunk)


@dataclass(frozen=True, repr=False)
class Monoid:
    """An associative operator with an identity.

    unit, zero     the identity and the terminal: a number, or a name in VALUES; zero None if none
    operand_rule   for logical monoids: they fold any type as BOOL
    is_any         any operand is a valid answer: a fold may stop at its first
    """

    name: str
    op: BinaryOp
    unit: Any
    zero: Any = None
    domain: tuple[DType, ...] = ALL
    operand_rule: Rule = "same"
    idempotent: bool = False
    selective: bool = False
    commutative: bool = True
    is_any: bool = False
    graphblas: str | None = None
    typed: DType | None = None

    def __repr__(self) -> str:
        return f"Monoid('{self.name}{bracket(self)}', {self.op.expression!r})"

    def __call__(
        self, x: Any, y: Any = None, *, left_default: Any = None, right_default: Any = None
    ) -> Any:
        return of_two(self, x, y, left_default, right_default)

    def __getitem__(self, dtype: Any) -> Self:
        """The monoid on values that are converted to ``dtype`` first."""
        return replace(self, typed=given_type(self, dtype))

    def __contains__(self, dtype: Any) -> bool:
        return admits(self, dtype)

    def meet(self, left: Any, right: Any) -> DType:
        return types.unify(left, right) if self.typed is None else self.typed

    @property
    def binary(self) -> BinaryOp:
        """⊕ of two operands, in the type in which the monoid folds them."""
        if self.typed is not None:
            return self.op[self.typed]
        if self.operand_rule == "same" or self.op.typed is not None:
            return self.op
        facts = {"domain": self.domain, "operand_rule": self.operand_rule}
        return replace(self.op, graphblas=self.graphblas, **facts)  # type: ignore[arg-type]

    def operand(self, dtype: Any) -> DType:
        """The type in which values of type dtype are folded; DomainError."""
        dtype = types.lookup(dtype)
        if self.typed is not None:
            return self.typed
        if dtype not in self.domain:
            raise DomainError(
                f"the monoid {self.name} is not defined for {types.name(dtype)}, only for "
                f"{', '.join(map(types.name, self.domain))}"
            )
        return types.apply_rule(self.operand_rule, dtype)

    def folded(self, dtype: DType) -> DType:
        """`operand`, for a type of which it is known that the monoid takes it."""
        return types.apply_rule(self.operand_rule, dtype) if self.typed is None else self.typed

    def output(self, dtype: Any) -> DType:
        """The type of a fold of values of type dtype."""
        return self.operand(dtype)

    def _value(self, rule: Any, dtype: Any) -> Any:
        dtype = self.operand(dtype)
        value = VALUES[rule](dtype) if isinstance(rule, str) else rule
        return None if value is None else dtype.type(value)

    def identity(self, dtype: Any) -> Any:
        """e with e ⊕ x = x, as GraphBLAS declares it, of type operand(dtype)."""
        return self._value(self.unit, dtype)

    def terminal(self, dtype: Any) -> Any:
        """t with t ⊕ x = t, at which a fold may stop; None if there is none.

        For `any` it is None too, although every value ends the fold: ask `is_any`.
        """
        return self._value(self.zero, dtype)

    def start(self, dtype: Any) -> Any:
        """What an accumulator may start from so that a fold of one or more values is exact.

        The identity, except for min and max over floats. These ignore NaN, so +inf, the declared
        identity of min, would hide a fold of NaNs alone: +inf min NaN is +inf. There a NaN is the
        true identity. Its bits are those that an atomic minimum (0x7fff…) or maximum (0xffff…) on
        the bits read as integers loses to.
        """
        operand = self.operand(dtype)
        ignores_nan = re.fullmatch(r"(min|max)\((x, *y|y, *x)\)", self.op.parsed.text)
        if not types.is_float(operand) or ignores_nan is None:
            return self.identity(dtype)
        bits = np.dtype(f"u{operand.itemsize}")
        ones = bits.type(types.highest(bits))
        return (ones >> bits.type(1) if ignores_nan[1] == "min" else ones).view(operand)

    def fold(self, values: Any) -> Any:
        """x₀ ⊕ x₁ ⊕ …, left to right, of a non-empty array."""
        values = np.asarray(values)
        dtype = self.operand(values.dtype)
        answer = types.cast(values.flat[0], dtype)
        for value in values.flat[1:]:
            answer = self.op.evaluate(answer, types.cast(value, dtype), dtype=dtype)
        return answer


@dataclass(frozen=True, repr=False)
class Semiring:
    """A monoid ⊕ and an operator ⊗: z(i,j) = ⊕ₖ x(i,k) ⊗ y(k,j).

    domain        the types of the operands
    distributive  stated for the carrier; None where the question has no sense (positions)
    ordered       None, "always", or a condition on y under which x ⊗ y is never better than x
    carrier       a condition on x: the values this semiring is about, closed under ⊕ and ⊗
    """

    monoid: Monoid
    multiply: BinaryOp
    domain: tuple[DType, ...] = ALL
    distributive: bool | None = False
    ordered: str | None = None
    carrier: str | None = None
    graphblas: str | None = None
    own_name: str | None = None
    typed: DType | None = None

    @property
    def name(self) -> str:
        return self.own_name or f"{self.monoid.name}_{self.multiply.name}"

    def __repr__(self) -> str:
        return f"Semiring('{self.name}{bracket(self)}')"

    def __call__(self, product: Any) -> Any:
        """The lagraph_gpu product with this semiring: `min_plus(u @ A)`."""
        return around(self, product)

    def __getitem__(self, dtype: Any) -> Self:
        """The semiring on operands that are converted to ``dtype`` first."""
        return replace(self, typed=given_type(self, dtype))

    def __contains__(self, dtype: Any) -> bool:
        return admits(self, dtype)

    def meet(self, left: Any, right: Any) -> DType:
        """The type to which operands of two types are converted."""
        return types.unify(left, right) if self.typed is None else self.typed

    @property
    def idempotent(self) -> bool:
        return self.monoid.idempotent

    @property
    def selective(self) -> bool:
        return self.monoid.selective

    @property
    def reads_left(self) -> bool:
        return self.multiply.reads_x

    @property
    def reads_right(self) -> bool:
        return self.multiply.reads_y

    @property
    def positional(self) -> bool:
        return self.multiply.positional

    def operand(self, dtype: Any) -> DType:
        """The type the operands are converted to before ⊗: BOOL in lor_first, whatever they are."""
        dtype = types.lookup(dtype) if self.typed is None else self.typed
        mixed = self.multiply.mixed
        if self.typed is not None and self.multiply.operand_rule in KEPT_BY_NUMBA:
            return dtype
        if dtype not in self.domain and mixed is not None and mixed in self.domain:
            return mixed  # pair looks at neither operand, so any type will do
        if dtype not in self.domain:
            raise DomainError(
                f"the semiring {self.name} is not defined for {types.name(dtype)}, only for "
                f"{', '.join(map(types.name, self.domain))}"
            )
        product = self.multiply.output(dtype)
        folded = self.monoid.folded(product)
        return self.multiply.operand(dtype) if folded == product else folded

    def product_type(self, dtype: Any) -> DType:
        """The type of the product for operands of one type."""
        return self.monoid.folded(self.multiply.output(self.operand(dtype)))

    def output(self, left: Any, right: Any) -> DType:
        """The type of the product for operands of two types, as python-graphblas gives it."""
        mixed = self.multiply.mixed
        if mixed is not None and mixed in self.monoid.domain and self.typed is None:
            return self.monoid.output(mixed)
        return self.product_type(self.meet(left, right))

    def terminal(self, dtype: Any) -> Any:
        """The terminal of ⊕ for operands of type dtype, or None."""
        return self.monoid.terminal(self.product_type(dtype))

    @property
    def flipped(self) -> Semiring:
        """The semiring whose ⊗ has its operands swapped."""
        return replace(self, multiply=self.multiply.flipped, graphblas=None, ordered=None)


__all__ = [
    "BinaryOp", "DomainError", "IndexUnaryOp", "Monoid", "SelectOp", "Semiring", "UnaryOp",
]  # fmt: skip
