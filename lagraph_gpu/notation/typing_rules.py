"""The rules on which operands must agree, and the shape and type of their result.

Every statement uses these functions. They build a message only if something is wrong, and cache
what follows from an operator and types.
"""

from __future__ import annotations

import functools
from typing import Any, Literal, Protocol

import numpy as np

from lagraph_gpu.errors import (
    BackendMismatch,
    DimensionMismatch,
    DomainMismatch,
    WrongDimension,
    WrongType,
)
from lagraph_gpu.notation.checks import expect_kind, mismatch, value_type
from lagraph_gpu.notation.infix import Operations
from semirings import types
from semirings.algebra import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp

Shape = tuple[int, ...]


def expect_operands(*operands: Any) -> None:
    for operand in operands:
        if operand is None:
            raise WrongType(
                "expected a vector or a matrix as operand, got None; << comes before | and &, so "
                "write w << (u | v)"
            )
        if not isinstance(operand, Operations):
            expect_kind(operand, Operations, "a vector or a matrix as operand")


def same_backend(*operands: Any) -> Any:
    """The backend on which all operands are stored; raises BackendMismatch if there are several."""
    first, *others = (operand.backend for operand in operands)  # each once: they may be nested
    for other in others:
        if other is not first:
            names = " and ".join(sorted((first.name, other.name)))
            raise BackendMismatch(
                f"operands live on different backends ({names}); "
                f"move one with .to({names.split()[0]!r})"
            )
    return first


def one_shape(left: Any, right: Any) -> Shape:
    """The common shape of two operands that are combined element by element."""
    if left.shape != right.shape:
        raise mismatch(left.shape, right.shape)(
            f"expected operands of one shape, got {left.shape} and {right.shape}"
        )
    return left.shape


def broadcast_shape(left: Any, right: Any) -> Shape:
    """The common shape of two operands that are combined element by element, where a vector may
    stand beside a matrix: on the left it is combined with each column, on the right with each
    row."""
    if left.shape == right.shape:
        return left.shape  # type: ignore[no-any-return]
    if len(left.shape) == 1 and len(right.shape) == 2 and left.shape[0] == right.shape[0]:
        return right.shape  # type: ignore[no-any-return]
    if len(left.shape) == 2 and len(right.shape) == 1 and left.shape[1] == right.shape[0]:
        return left.shape  # type: ignore[no-any-return]
    if {len(left.shape), len(right.shape)} == {1, 2}:
        raise DimensionMismatch(
            "expected a vector as long as the columns on its right or the rows on its left, got "
            f"{left.shape} and {right.shape}"
        )
    return one_shape(left, right)


def product_shape(left: Shape, right: Shape) -> Shape:
    """The shape of left @ right."""
    if not (left and right) or left[-1] != right[0]:
        raise (DimensionMismatch if left and right else WrongDimension)(
            f"expected the inner dimensions of @ to agree, got {left} @ {right}; transpose one "
            "operand with .T if that was meant"
        )
    return left[:-1] + right[1:]


product_type = functools.cache(Semiring.output)
ends_early = functools.cache(Monoid.ends_early)
folded_type = functools.cache(Monoid.output)
selected_type = functools.cache(IndexUnaryOp.operand)


@functools.cache
def ewise_type(op: BinaryOp, left: np.dtype, right: np.dtype) -> np.dtype:
    """The type of an operator on two operands, element by element."""
    return op.elementwise.unified(left, right)


def expect_copies(how: str, op: BinaryOp, dtype: np.dtype, result: np.dtype) -> None:
    """Check that entries without a partner, which are copied, have the type of the result."""
    if how != "mult" and types.is_record(dtype) and dtype != result:
        raise DomainMismatch(
            f"expected an operator whose result is a {dtype}, got {op}, of {result}: an entry "
            "without a partner is copied as it is; take & in place of |"
        )


@functools.cache
def applied_type(op: UnaryOp | BinaryOp | IndexUnaryOp, operand: np.dtype) -> np.dtype:
    """The type of an operator on every entry of an operand."""
    return getattr(op, "elementwise", op).output(operand)


def meeting_type(op: Any, own: np.dtype, left: Any, right: Any) -> np.dtype:
    """The type in which an operator works on entries of a type and the number beside them, which
    are checked."""
    expect_kind(op, (UnaryOp, BinaryOp, IndexUnaryOp), "a unary, binary or index-unary operator")
    bound, both = right if left is None else left, left is not None and right is not None
    if isinstance(op, BinaryOp) and (both or bound is None):
        raise WrongType(f"expected left= or right= with the binary operator {op.name}")
    if isinstance(op, UnaryOp) and bound is not None:
        raise WrongType(f"expected no bound value with the unary operator {op.name}")
    if isinstance(op, IndexUnaryOp) and left is not None:
        raise WrongType(f"expected the thunk of {op.name} as right=, got left=")
    has_thunk = getattr(op, "thunk", None) is not None
    if bound is None or (has_thunk and (op.result != "index" or own.kind == "V")):
        return own
    return op.meet(own, value_type(bound, own, compared=op.result == "bool"))


class OneAxis(Protocol):
    """A vector, where a type checker asks what an operation computes."""

    @property
    def ndim(self) -> Literal[1]: ...


class TwoAxes(Protocol):
    """A matrix, where a type checker asks the same."""

    @property
    def ndim(self) -> Literal[2]: ...
