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

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from . import types
from .calls import KEPT_BY_NUMBA, admits, around, bracket, given_type, hashed_once, of_two
from .errors import DomainError
from .operator_records import BinaryOp, IndexUnaryOp, SelectOp, UnaryOp
from .types import ALL, Rule

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


@hashed_once
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

    def ends_early(self, dtype: Any) -> bool:
        """Is a fold of this type likely to be done before its last value?

        With `any` it is at every value, and over truth values at the terminal, one of two. A
        terminal among many numbers, such as -inf for min, is as good as never met: to ask for it
        at every value costs more than it saves.
        """
        if self.is_any:
            return True
        return self.operand(dtype) == types.BOOL and self.terminal(dtype) is not None

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


@hashed_once
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

    @functools.cache  # noqa: B019  (semirings are few, and asked for this at every product)
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
