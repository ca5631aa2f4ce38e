"""Operations that consist of other operations, with the same statements on every backend."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lagraph_gpu.errors import WrongDimension, WrongType, brief
from lagraph_gpu.notation import expressions
from lagraph_gpu.notation.checks import (
    expect,
    expect_hints,
    expect_integer,
    expect_kind,
    mismatch,
    value_type,
)
from lagraph_gpu.notation.infix import Operations, is_operand
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.scalar import Awaited, Scalar
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, SELECT, SEMIRINGS, UNARY, BinaryOp, Semiring, UnaryOp, types

_COMPARISONS = {
    f"{prefix}{name}": SELECT[f"value{name}"]
    for prefix in ("", "is")
    for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


@dataclass(frozen=True, eq=False, repr=False)
class Through(expressions.Composite):
    """The entries of an operand at which a mask is true."""

    operand: Any
    mask: Mask

    def __post_init__(self) -> None:
        operand, shape = self.operand, self.mask.handle.shape
        if shape != operand.shape:
            raise mismatch(shape, operand.shape)(
                f"expected a mask of shape {operand.shape}, got {shape}"
            )
        facts = {"shape": operand.shape, "dtype": operand.dtype, "backend": operand.backend}
        self.__dict__.update(facts)

    def computed(self) -> Any:
        return expressions.Apply(self.operand, UNARY["identity"]).new(mask=self.mask)


@dataclass(frozen=True, eq=False, repr=False)
class Moved(expressions.Composite):
    """An operand whose entries have moved by an offset on each axis.

    Entries that would fall outside the new shape are removed.
    """

    operand: Any
    offsets: tuple[int, ...]
    shape: expressions.Shape

    def __post_init__(self) -> None:
        for offset in self.offsets:
            expect_integer(offset, "an offset")
        self.__dict__.update(dtype=self.operand.dtype, backend=self.operand.backend)

    def computed(self) -> Any:
        A, offsets = self.operand, tuple(map(int, self.offsets))
        begins = [max(0, d) for d in offsets]
        ends = [max(b, min(n, m + d)) for b, d, m, n in zip(begins, offsets, A.shape, self.shape)]
        out = expressions.above()[0][len(self.shape)](A.dtype, *self.shape, backend=A.backend)
        if all(begin < end for begin, end in zip(begins, ends)):
            to = tuple(slice(b, e) for b, e in zip(begins, ends))
            of = tuple(slice(b - d, e - d) for b, e, d in zip(begins, ends, offsets))
            out[to if len(to) > 1 else to[0]] << A[of if len(of) > 1 else of[0]]
        return out


def selected(operand: Any, condition: Any) -> Any:
    """The expression `operand.select(mask)` or `operand.select(v > 3)`.

    It is a Select if the condition compares the operand itself with a number.
    """
    if isinstance(condition, Mask):
        return Through(operand, condition)
    if condition.dtype != types.BOOL:
        raise WrongType(f"expected a condition, which is BOOL, got {types.name(condition.dtype)}")
    if compares(condition) and condition.operand is operand:
        return expressions.Select(operand, _COMPARISONS[condition.op.name], condition.right)
    held = condition.new() if not hasattr(condition, "_store") else condition
    return Through(operand, held.V)


def compares(condition: Any) -> bool:
    """True for an expression such as v > 3: an operand compared with a number."""
    return (
        isinstance(condition, expressions.Apply)
        and isinstance(condition.op, BinaryOp)
        and condition.op.name in _COMPARISONS
        and condition.op.typed is None
        and condition.left is None
    )


def placed(condition: Any, what: str) -> Any:
    """The entries whose place meets a comparison: `select.row(A <= 5)` and similar."""
    if isinstance(condition, Held) and condition.compared is not None and what == "value":
        return kept(condition.compared, condition.scalar)
    if not compares(condition):
        raise WrongType(f"expected a comparison with a number, as select.{what}(x <= 5)")
    prefix = {"column": "col"}.get(what, what)
    name, thunk = condition.op.name.removeprefix("is"), condition.right
    if what != "value" and name in ("lt", "ge"):
        name, thunk = {"lt": "le", "ge": "gt"}[name], int(thunk) - 1
    if f"{prefix}{name}" not in SELECT:
        raise WrongType(f"expected one of <, <=, > and >= for a place, got {brief(name)}")
    return expressions.Select(condition.operand, SELECT[f"{prefix}{name}"], thunk)


def kept(x: Any, holds: Any) -> Held:
    """A scalar where a condition holds, else one without a value."""
    x = held(x, x)
    return Held(x if holds else x.dup(clear=True))


def repeated(how: str, v: Any, A: Any, form: str) -> expressions.Expression:
    """A vector as a matrix of the shape of A: each column, or each row, is the vector.

    For an intersection the vector is needed only where A has an entry: diag(v) scales a matrix of
    ones there.
    """
    size = A.shape[0 if form == "column" else 1]
    expect(v.shape == (size,), f"expected a vector of size {size} beside {A.shape}, got {v.shape}")
    if how == "mult":
        ones, diagonal = A.apply(BINARY["pair"][v.dtype], 1), expressions.OfVector(v, "diagonal")
        if form == "column":
            return expressions.Product(diagonal, ones, SEMIRINGS["any_first"])
        return expressions.Product(ones, diagonal, SEMIRINGS["any_second"])
    other = A.shape[1 if form == "column" else 0]
    ones = Vector.from_scalar(1, other, v.dtype, backend=v.backend)
    if form == "column":
        return expressions.Kronecker(
            expressions.OfVector(v, "column"), expressions.OfVector(ones, "row"), BINARY["first"]
        )
    return expressions.Kronecker(
        expressions.OfVector(ones, "column"), expressions.OfVector(v, "row"), BINARY["second"]
    )


ROW_BESIDE_COLUMN = {
    **dict.fromkeys(("firstj", "secondi"), "firsti"),
    **dict.fromkeys(("firstj1", "secondi1"), "firsti1"),
    **dict.fromkeys(("firsti", "secondj"), "firstj"),
    **dict.fromkeys(("firsti1", "secondj1"), "firstj1"),
}
"""A positional ⊗ of a row and a column, as the operator of an intersection of two columns: the
position along them, or that of the only row and column."""


def inner(u: Any, v: Any, semiring: Semiring) -> expressions.Reduce:
    """The inner product of two vectors: ⊕ over all u(k) ⊗ v(k)."""
    expect_kind(semiring, Semiring, "a semiring around a product, as min_plus(u @ A)")
    multiply = multiply_of(semiring, u.dtype, v.dtype)
    return expressions.Reduce(expressions.Ewise("mult", u, v, multiply), semiring.monoid)


@functools.lru_cache(1024)
def multiply_of(semiring: Semiring, left: np.dtype, right: np.dtype) -> BinaryOp:
    """The ⊗ of a semiring as an operator on the entries of two vectors of these types."""
    multiply = semiring.multiply
    if multiply.positional:
        multiply = BINARY[ROW_BESIDE_COLUMN[multiply.name]]
    if semiring.typed is not None or multiply.mixed not in semiring.monoid.domain:
        multiply = multiply[semiring.operand(semiring.meet(left, right))]
    return multiply


@dataclass(frozen=True, eq=False, repr=False)
class OrIdentity(expressions.Composite):
    """A reduction whose result is the identity of the monoid where there are no entries."""

    reduced: expressions.Reduce

    def __post_init__(self) -> None:
        self.__dict__.update(shape=(), dtype=self.reduced.dtype, backend=self.reduced.backend)

    def computed(self) -> Scalar:
        found = replace(self.reduced, or_identity=True).new()
        if found._store is None:
            found.put(self.reduced.monoid.identity_of(self.reduced.operand.dtype))
        return found


@dataclass(frozen=True, eq=False, repr=False)
class Held(expressions.Composite):
    """The expression of a scalar that is known already, or awaited."""

    scalar: Scalar
    compared: Scalar | None = None
    """The scalar on the left of a comparison whose result this is."""

    def __post_init__(self) -> None:
        scalar = self.scalar
        self.__dict__.update(shape=(), dtype=scalar.dtype, backend=scalar.backend)

    def computed(self) -> Scalar:
        return self.scalar

    def new(
        self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **hints: Any
    ) -> Scalar:
        cscalar = hints.pop("is_cscalar", None)
        expect_hints(hints)
        return self.scalar.dup(dtype, is_cscalar=cscalar, name=name)


def of_scalars(left: Any, right: Any, op: BinaryOp, how: str, *defaults: Any) -> Held:
    """left ∘ right of scalars and numbers, by the rules of containers with one position."""
    ours = left if isinstance(left, Operations) else right
    x, y = (held(side, ours) for side in (left, right))
    out = Scalar(op.unified(x.dtype, y.dtype), backend=ours.backend)
    found = OfScalars(how, op, (x, y), defaults or (0, 0)).into(out)
    return replace(found, compared=x) if op.name in _COMPARISONS else found


@dataclass(frozen=True, eq=False, repr=False)
class OfScalars:
    """An operator on one or two scalars, with the values that they have now."""

    how: str
    op: Any
    operands: tuple[Scalar, ...]
    defaults: tuple[Any, ...] = ()

    def into(self, out: Scalar) -> Held:
        """Store the result in `out`.

        If a device is still computing an operand, the result is awaited too.
        """
        later = any(x.awaited for x in self.operands)
        if later and all(x.awaited or x.nvals for x in self.operands):
            known = [x.certain for x in self.operands]
            certain = all(known) if self.how == "mult" else any(known)
            out.put(Awaited(self.value, out.dtype, certain, self))
        else:
            out.put(self.value())
        return Held(out)

    def value(self) -> Any:
        """The number, or None if there is none. The call waits for the operands."""
        if all(x.nvals for x in self.operands):
            dtypes = [x.dtype for x in self.operands]
            meet = self.op.meet(*dtypes) if len(dtypes) == 2 else dtypes[0]
            return self.op.evaluate(*(x._store for x in self.operands), dtype=meet)
        if self.how == "mult" or not any(x.nvals for x in self.operands):
            return None
        x, y = self.operands
        if self.how == "add":
            return x._store if x.nvals else y._store
        first, second = self.defaults
        meet = self.op.meet(x.dtype, y.dtype)
        return self.op.evaluate(x.get(first), y.get(second), dtype=meet)


def of_scalar(x: Any, op: Any, left: Any, right: Any) -> Held:
    """An operator on a scalar, or on a scalar and a number that is bound to one side."""
    if left is not None or right is not None:
        expect_kind(op, BinaryOp, "a binary operator for a number that is bound to one side")
        both = (left, x) if right is None else (x, right)
        return of_scalars(*both, op, "mult")
    expect_kind(op, UnaryOp, "a unary operator for a scalar alone")
    x = held(x, x)
    out = Scalar(op.output(x.dtype), backend=x.backend)
    return OfScalars("mult", op, (x,)).into(out)


def held(side: Any, beside: Any) -> Scalar:
    """A scalar with its present value, made from a scalar, a scalar expression or a number."""
    if isinstance(side, Scalar):
        return side.dup()
    if isinstance(side, Held):
        return side.scalar
    if isinstance(side, Operations):
        return side.new()  # type: ignore[attr-defined]
    made = Scalar(value_type(side, beside.dtype), backend=beside.backend)
    made.put(side)
    return made


def agree(left: Any, right: Any, op: BinaryOp, check_dtype: bool) -> bool:
    """True if shapes and positions are equal and `op` holds for each pair of values."""
    if not left.shape:
        if is_operand(right):
            raise WrongType(f"expected a scalar to compare with, got {brief(right)}")
        if right is None:
            return held(left, left).is_empty
        x, y = held(left, left), held(right, left)
        check_dtype = check_dtype and isinstance(right, Operations)
        if x.nvals != y.nvals or (check_dtype and x.dtype != y.dtype):
            return False
        return not x.nvals or bool(op.evaluate(x._store, y._store))
    if not is_operand(right):
        raise WrongType(f"expected a container to compare with, got {brief(right)}")
    if len(left.shape) != len(right.shape):
        raise WrongDimension(
            f"expected a container with as many axes to compare with, got {left.shape} and "
            f"{right.shape}"
        )
    if left.shape != right.shape or (check_dtype and left.dtype != right.dtype):
        return False
    left, right = (x if hasattr(x, "_store") else x.new() for x in (left, right))
    count = left.nvals
    if count != right.nvals:
        return False
    same: Any = expressions.Ewise("mult", left, right, op).new()
    return same.nvals == count and same.reduce("land").new().get(True)
