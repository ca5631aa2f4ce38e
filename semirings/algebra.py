"""Monoids and semirings as frozen records.

An operator is one expression and the types for which it is defined. A monoid is an associative
operator with an identity. A semiring is a monoid ⊕ and an operator ⊗ that multiplies. What follows
from the expression is derived from it: whether ⊗ reads its operands, or is positional. The facts
that do not follow are fields, and `semirings.laws` tests each of them:

- `commutative`, `associative`, `identity`, `terminal` (t ⊕ x = t) mean what they mean in GraphBLAS;
- `idempotent`: x ⊕ x = x, so an entry may be folded twice;
- `selective`: x ⊕ y is x or y, so there is a winner whose origin can be remembered;
- `distributive`: x ⊗ (y ⊕ z) = (x ⊗ y) ⊕ (x ⊗ z) and the same from the right;
- `ordered`: x ⊕ (x ⊗ y) = x, that is, ⊗ never improves on its left operand.

The laws of arithmetic (associativity and distributivity of plus and times, the order of min-plus)
are those of numbers. Floats obey them up to rounding, and integers obey the laws of order as long
as nothing wraps around. NaN has no place in an order, and `ordered` says nothing about it.

Types: `operand(dtype)` is the type in which an operator computes for inputs of a type, and
`output(dtype)` is the type of its result. Both agree with `op.types` of python-graphblas.

Records with equal fields are one object (`calls.Record`), are hashable, and can be pickled. A
record that is called with an operation of lagraph_gpu (`min_plus(u @ A)`) is the operator of that
operation. Called with operands (`plus(v, 1)`, `sqrt(v)`) it makes an operation. With a type in
brackets (`plus["FP32"]`) an operator first converts its operands to that type, whatever they are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from . import c_names, types
from .calls import (
    KEPT_BY_NUMBA,
    Operation,
    Record,
    Result,
    admits,
    around,
    bracket,
    expect_typed,
    of_two,
    typed,
)
from .errors import DomainError, WrongType
from .operator_records import BinaryOp, IndexUnaryOp, SelectOp, UnaryOp
from .types import ALL, EVERY, Rule

DType = np.dtype[Any]

# Names of values that differ by type, for the identity or the terminal of a monoid.
VALUES: Mapping[str, Any] = {
    "highest": types.highest,
    "lowest": types.lowest,
    "ones": lambda t: types.highest(t) if t.kind in "bu" else -1,
    "zero": lambda t: 0,
    # 0 · x = 0 holds for integers; for floats 0 · inf is NaN
    "exact zero": lambda t: None if types.rounds(t) else 0,
}


@dataclass(frozen=True, repr=False, eq=False)
class Monoid(Record):
    """An associative operator with an identity.

    Parameters
    ----------
    name : str
        The name.
    op : BinaryOp
        The operator ⊕.
    identity_rule : number, str or tuple
        The identity: a number, a name in `VALUES`, or pairs of a type and a number.
    terminal_rule : number or str, optional
        The terminal: a number, or a name in `VALUES`. By default there is none.
    domain : tuple of types, optional
        The types of the values that it folds.
    operand_rule : str or type, optional
        The rule for the type in which it folds. Logical monoids fold any type as BOOL.
    idempotent : bool, optional
        Whether x ⊕ x = x.
    selective : bool, optional
        Whether x ⊕ y is x or y.
    commutative : bool, optional
        Whether x ⊕ y = y ⊕ x.
    is_any : bool, optional
        Whether every operand is a right answer, so that a fold may stop at its first value.
    graphblas : str, optional
        The path in python-graphblas. None for a monoid that a user defines.
    typed : type, optional
        The type to which values are converted first, as in `plus["FP32"]`.
    """

    name: str
    op: BinaryOp
    identity_rule: Any
    terminal_rule: Any = None
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
        self, left: Any, right: Any = None, *, left_default: Any = None, right_default: Any = None
    ) -> Any:
        return of_two(self, left, right, left_default, right_default)

    def __getitem__(self, dtype: Any) -> Self:
        """The monoid on values that are converted to `dtype` first."""
        return typed(self, dtype)  # type: ignore[no-any-return]

    def __contains__(self, dtype: Any) -> bool:
        return admits(self, dtype)

    def meet(self, left: Any, right: Any) -> DType:
        """The type to which operands of two types are converted.

        Parameters
        ----------
        left, right : type or str
            The types of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return types.unify(left, right) if self.typed is None else self.typed

    @cached_property
    def binary(self) -> BinaryOp:
        """The operator ⊕ of two operands, in the type in which the monoid folds them."""
        if self.typed is not None:
            return self.op[self.typed]
        if self.operand_rule == "same" or self.op.typed is not None:
            return self.op
        facts = {"domain": self.domain, "operand_rule": self.operand_rule}
        return replace(self.op, graphblas=self.graphblas, **facts)  # type: ignore[arg-type]

    def operand(self, dtype: Any) -> DType:
        """The type in which values are folded.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        type
            A NumPy dtype.

        Raises
        ------
        DomainError
            The monoid is not defined for this type.
        """
        dtype = types.lookup(dtype)
        if self.typed is not None:
            return self.typed
        if types.is_record(dtype) and self.is_any:
            return dtype
        if dtype not in self.domain:
            raise DomainError(
                f"the monoid {self.name} is not defined for {types.name(dtype)}, only for "
                f"{', '.join(map(types.name, self.domain))}"
            )
        return types.apply_rule(self.operand_rule, dtype)

    def folded(self, dtype: DType) -> DType:
        """The type in which values of a type are folded; the monoid must be defined for that type.

        Parameters
        ----------
        dtype : type
            The type of the values.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return types.apply_rule(self.operand_rule, dtype) if self.typed is None else self.typed

    def output(self, dtype: Any) -> DType:
        """The type of the result of a fold.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return self.operand(dtype)

    def _value(self, rule: Any, dtype: Any) -> Any:
        dtype = self.operand(dtype)
        if isinstance(rule, tuple):  # one for each type
            rule = dict(rule)[dtype]
        value = VALUES[rule](dtype) if isinstance(rule, str) else rule
        return None if value is None else types.cast(value, dtype)  # an integer may wrap around

    @property
    def identity(self) -> Any:
        """The identity of a monoid with a type, such as 0 for `monoid.plus["INT64"].identity`.

        Without a type there is none, as in python-graphblas.
        """
        if self.typed is None:
            raise AttributeError(
                f"expected a type, as in {self.name}['INT64'].identity, which a monoid has an "
                f"identity for, got none; identities has all of {self.name}"
            )
        return types.as_python(self.identity_of(self.typed))

    @property
    def identities(self) -> dict[DType, Any]:
        """The identity for each type of values."""
        return {dtype: types.as_python(self.identity_of(dtype)) for dtype in self.domain}

    @property
    def types(self) -> dict[DType, DType]:
        """The type of the result for each type of values."""
        return {dtype: self.output(dtype) for dtype in self.domain}

    @property
    def type(self) -> DType | None:
        """The type to which values are converted first, or None."""
        return self.typed

    type2 = return_type = type

    @property
    def gb_name(self) -> str:
        """The name in the C API of GraphBLAS, of a monoid with a type."""
        return c_names.of_monoid(expect_typed(self, "gb_name"))

    @property
    def parent(self) -> Self | None:
        """The monoid without a type, of a monoid with one; else None."""
        return None if self.typed is None else replace(self, typed=None)

    @classmethod
    def register_anonymous(
        cls, binaryop: Any, identity: Any, name: str = "", *, is_idempotent: bool = False
    ) -> Any:
        """Make a monoid from a binary operator and its identity.

        Parameters
        ----------
        binaryop : BinaryOp, Parameterized, function or str
            The binary operator, or its formula.
        identity : number or function
            The identity, or a function of the parameters of the operator that returns it.
        name : str, optional
            The name of the monoid.
        is_idempotent : bool, optional
            Whether op(x, x) = x for all x.

        Returns
        -------
        Monoid or Parameterized
            The monoid.
        """
        from .registration import monoid

        return monoid(binaryop, identity, name, is_idempotent=is_idempotent)

    @classmethod
    def register_new(
        cls, name: str, binaryop: Any, identity: Any, *, is_idempotent: bool = False,
        lazy: bool = False,
    ) -> Any:  # fmt: skip
        """Make a monoid as `register_anonymous` does, and register it.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        binaryop : BinaryOp, Parameterized, function or str
            The binary operator, or its formula.
        identity : number or function
            The identity, or a function of the parameters of the operator that returns it.
        is_idempotent : bool, optional
            Whether op(x, x) = x for all x.
        lazy : bool, optional
            With True, None is returned; the namespace has the monoid nevertheless.

        Returns
        -------
        Monoid, Parameterized or None
            The monoid.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        from .registration import new_monoid

        return new_monoid(name, binaryop, identity, is_idempotent=is_idempotent, lazy=lazy)

    @property
    def binaryop(self) -> BinaryOp:
        """The operator ⊕."""
        return self.op if self.typed is None else self.op[self.typed]

    @property
    def is_idempotent(self) -> bool:
        """True if x ⊕ x = x."""
        return self.idempotent

    @property
    def is_commutative(self) -> bool:
        """True if x ⊕ y = y ⊕ x."""
        return self.commutative

    @property
    def commutes_to(self) -> Self | None:
        """The monoid with its operands swapped: itself, if it is commutative."""
        return self if self.commutative else None

    is_positional = False
    opclass = "Monoid"

    def identity_of(self, dtype: Any) -> Any:
        """The identity e with e ⊕ x = x, as GraphBLAS defines it.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        number
            A NumPy number of the type `operand(dtype)`.
        """
        return self._value(self.identity_rule, dtype)

    def terminal(self, dtype: Any) -> Any:
        """The terminal t with t ⊕ x = t, at which a fold may stop.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        number or None
            A NumPy number of the type `operand(dtype)`, or None if there is none. For `any` it is
            None too, although every value ends the fold: see `is_any`.
        """
        return self._value(self.terminal_rule, dtype)

    def ends_early(self, dtype: Any) -> bool:
        """Whether a fold of this type will probably be done before its last value.

        A fold by `any` is done at every value. A fold of truth values is done at the terminal, one
        of two values. A terminal among many numbers, such as -inf for min, almost never occurs: a
        test for it at every value would cost more than it saves.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        bool
            True if a test for the end pays.
        """
        if self.is_any:
            return True
        return self.operand(dtype) == types.BOOL and self.terminal(dtype) is not None

    def start(self, dtype: Any) -> Any:
        """A value from which a fold of one or more values may start and be exact.

        This is the identity, except for min and max over floats. They ignore NaN, so +inf, the
        declared identity of min, would hide a fold of NaNs only: +inf min NaN is +inf. For them NaN
        is the true identity. Its bits are those that lose to any other in an atomic minimum
        (0x7fff…) or maximum (0xffff…) on the bits read as integers.

        Parameters
        ----------
        dtype : type or str
            The type of the values.

        Returns
        -------
        number
            A NumPy number of the type `operand(dtype)`.
        """
        operand = self.operand(dtype)
        ignores_nan = re.fullmatch(r"(min|max)\((x, *y|y, *x)\)", self.op.parsed.text)
        if not types.is_float(operand) or ignores_nan is None:
            return self.identity_of(dtype)
        bits = np.dtype(f"u{operand.itemsize}")
        ones = bits.type(types.highest(bits))
        return (ones >> bits.type(1) if ignores_nan[1] == "min" else ones).view(operand)

    def fold(self, values: Any) -> Any:
        """The fold x₀ ⊕ x₁ ⊕ … of an array, from left to right.

        Parameters
        ----------
        values : array
            The values, at least one.

        Returns
        -------
        number
            The result.
        """
        values = np.asarray(values)
        dtype = self.operand(values.dtype)
        answer = types.cast(values.flat[0], dtype)
        for value in values.flat[1:]:
            answer = self.op.evaluate(answer, types.cast(value, dtype), dtype=dtype)
        return answer


@dataclass(frozen=True, repr=False, eq=False)
class Semiring(Record):
    """A monoid ⊕ and an operator ⊗: z(i,j) = ⊕ₖ x(i,k) ⊗ y(k,j).

    Parameters
    ----------
    monoid : Monoid
        The operation ⊕.
    multiply : BinaryOp
        The operation ⊗.
    domain : tuple of types, optional
        The types of the operands.
    distributive : bool, optional
        Whether ⊗ distributes over ⊕ for the values of the carrier. None where the question has no
        meaning (positions).
    ordered : str, optional
        A condition on y under which x ⊗ y is never better than x, such as "y >= 0", or "always". By
        default no such condition is known.
    carrier : str, optional
        A condition on x: the values that this semiring is about, closed under ⊕ and ⊗.
    graphblas : str, optional
        The path in python-graphblas. None for a semiring that a user defines.
    own_name : str, optional
        The name. By default the names of ⊕ and ⊗.
    typed : type, optional
        The type to which operands are converted first, as in `min_plus["FP32"]`.
    """

    monoid: Monoid
    multiply: BinaryOp
    domain: tuple[DType, ...] = EVERY
    distributive: bool | None = False
    ordered: str | None = None
    carrier: str | None = None
    graphblas: str | None = None
    own_name: str | None = None
    typed: DType | None = None

    @cached_property
    def name(self) -> str:
        return self.own_name or f"{self.monoid.name}_{self.multiply.name}"

    def __repr__(self) -> str:
        return f"Semiring('{self.name}{bracket(self)}')"

    def __call__(self, left: Operation[Result], right: None = None) -> Result:
        """The product of lagraph_gpu with this semiring: `min_plus(u @ A)`."""
        if right is not None:
            raise WrongType(f"expected one product, as in {self.name}(A @ B), got two operands")
        return around(self, left)  # type: ignore[no-any-return]

    def __getitem__(self, dtype: Any) -> Self:
        """The semiring on operands that are converted to `dtype` first."""
        return typed(self, dtype)  # type: ignore[no-any-return]

    def __contains__(self, dtype: Any) -> bool:
        return admits(self, dtype)

    @property
    def gb_name(self) -> str:
        """The name in the C API of GraphBLAS, of a semiring with a type."""
        return c_names.of_semiring(expect_typed(self, "gb_name"))

    @property
    def type2(self) -> DType:
        """The type of the second operand, of a semiring with a type."""
        return expect_typed(self, "type2").typed

    @property
    def parent(self) -> Self | None:
        """The semiring without a type, of a semiring with one; else None."""
        return None if self.typed is None else replace(self, typed=None)

    @classmethod
    def register_anonymous(cls, monoid: Any, binaryop: Any, name: str = "") -> Any:
        """Make a semiring; the one of the catalogue if it is there.

        Parameters
        ----------
        monoid : Monoid, Parameterized or str
            The operation ⊕.
        binaryop : BinaryOp, Parameterized or str
            The operation ⊗.
        name : str, optional
            The name of a semiring that is not in the catalogue.

        Returns
        -------
        Semiring or Parameterized
            The semiring.
        """
        from .registration import semiring

        return semiring(monoid, binaryop, name)

    @classmethod
    def register_new(cls, name: str, monoid: Any, binaryop: Any, *, lazy: bool = False) -> Any:
        """Make a semiring as `register_anonymous` does, and register it.

        Parameters
        ----------
        name : str
            The name under which the namespace finds it.
        monoid : Monoid, Parameterized or str
            The operation ⊕.
        binaryop : BinaryOp, Parameterized or str
            The operation ⊗.
        lazy : bool, optional
            With True, None is returned; the namespace has the semiring nevertheless.

        Returns
        -------
        Semiring, Parameterized or None
            The semiring.

        Raises
        ------
        AlreadyDefined
            The name is taken.
        """
        from .registration import new_semiring

        return new_semiring(name, monoid, binaryop, lazy=lazy)

    @property
    def binaryop(self) -> BinaryOp:
        """The operation ⊗."""
        return self.multiply if self.typed is None else self.multiply[self.typed]

    @property
    def types(self) -> dict[DType, DType]:
        """The type of the result for each type of operands."""
        return {dtype: self.output(dtype, dtype) for dtype in self.domain}

    @property
    def type(self) -> DType | None:
        """The type to which operands are converted first, or None."""
        return self.typed

    @property
    def return_type(self) -> DType | None:
        """The type of the result of a semiring with a type, or None."""
        return None if self.typed is None else self.output(self.typed, self.typed)

    @property
    def is_commutative(self) -> bool:
        """True if x ⊗ y = y ⊗ x."""
        return self.multiply.commutative

    @property
    def commutes_to(self) -> Semiring | None:
        """The semiring of the same ⊕ whose ⊗ has its operands swapped, if there is one here."""
        from .catalogue import SEMIRINGS

        swapped = self.multiply.commutes_to
        found = None if swapped is None else SEMIRINGS.get(f"{self.monoid.name}_{swapped.name}")
        return found if found is None or self.typed is None else found[self.typed]

    @property
    def is_positional(self) -> bool:
        """True if ⊗ is a function of positions."""
        return self.positional

    opclass = "Semiring"

    def meet(self, left: Any, right: Any) -> DType:
        """The type to which operands of two types are converted.

        Parameters
        ----------
        left, right : type or str
            The types of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return types.unify(left, right) if self.typed is None else self.typed

    @cached_property
    def idempotent(self) -> bool:
        return self.monoid.idempotent

    @cached_property
    def selective(self) -> bool:
        return self.monoid.selective

    @cached_property
    def reads_left(self) -> bool:
        return self.multiply.reads_x

    @cached_property
    def reads_right(self) -> bool:
        return self.multiply.reads_y

    @cached_property
    def positional(self) -> bool:
        return self.multiply.positional

    def operand(self, dtype: Any) -> DType:
        """The type to which operands are converted before ⊗: BOOL in lor_first, whatever they are.

        Parameters
        ----------
        dtype : type or str
            The type of the operands.

        Returns
        -------
        type
            A NumPy dtype.

        Raises
        ------
        DomainError
            The semiring is not defined for this type.
        """
        dtype = types.lookup(dtype) if self.typed is None else self.typed
        mixed = self.multiply.mixed
        if self.typed is not None and self.multiply.operand_rule in KEPT_BY_NUMBA:
            return dtype
        if dtype not in self.domain and mixed is not None and mixed in self.domain:
            return mixed  # pair reads neither operand, so any type is allowed
        if types.is_record(dtype):
            return self.monoid.operand(self.multiply.output(dtype)) and dtype
        if dtype not in self.domain:
            raise DomainError(
                f"the semiring {self.name} is not defined for {types.name(dtype)}, only for "
                f"{', '.join(map(types.name, self.domain))}"
            )
        product = self.multiply.output(dtype)
        folded = self.monoid.folded(product)
        return self.multiply.operand(dtype) if folded == product else folded

    def product_type(self, dtype: Any) -> DType:
        """The type of the product of operands of one type.

        Parameters
        ----------
        dtype : type or str
            The type of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        return self.monoid.folded(self.multiply.output(self.operand(dtype)))

    @functools.cache  # noqa: B019  (semirings are few, and asked for this at every product)
    def output(self, left: Any, right: Any) -> DType:
        """The type of the product of operands of two types, as in python-graphblas.

        Parameters
        ----------
        left, right : type or str
            The types of the operands.

        Returns
        -------
        type
            A NumPy dtype.
        """
        mixed = self.multiply.mixed
        if mixed is not None and mixed in self.monoid.domain and self.typed is None:
            return self.monoid.output(mixed)
        return self.product_type(self.meet(left, right))

    def terminal(self, dtype: Any) -> Any:
        """The terminal of ⊕ for products of operands of a type.

        Parameters
        ----------
        dtype : type or str
            The type of the operands.

        Returns
        -------
        number or None
            The terminal, or None if there is none.
        """
        return self.monoid.terminal(self.product_type(dtype))

    @cached_property
    def flipped(self) -> Semiring:
        """The semiring whose ⊗ has its operands swapped."""
        return replace(self, multiply=self.multiply.flipped, graphblas=None, ordered=None)


__all__ = [
    "BinaryOp", "DomainError", "IndexUnaryOp", "Monoid", "SelectOp", "Semiring", "UnaryOp",
]  # fmt: skip
