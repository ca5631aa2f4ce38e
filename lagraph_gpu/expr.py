"""Expressions: an operation as a value, waiting for a place to go.

``min_plus(q @ A)`` computes nothing. It is a record of what should be computed, and
``w(mask, accum, replace) << expression`` wraps it in an ``Update``, which the backend's one verb
``run`` carries out. Because operations are values they can be logged, compared, and run on any
backend. The meaning of every node is that of the GraphBLAS C API 2.1.

Shapes, types and backends are checked here, when an expression is made, so that a statement either
fails before anything is touched or succeeds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.build import fits
from lagraph_gpu.errors import (
    BackendMismatch,
    DimensionMismatch,
    DomainMismatch,
    InvalidValue,
    WrongType,
)
from semirings import types
from semirings.algebra import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.operators import UNARY

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend
    from lagraph_gpu.matrix import Matrix
    from lagraph_gpu.schedule import Schedule
    from lagraph_gpu.vector import Vector

Shape = tuple[int, ...]


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise DimensionMismatch(message)


def expect_kind(thing: Any, kind: Any, what: str) -> None:
    if not isinstance(thing, kind):
        raise WrongType(f"expected {what}, got {thing!r}")


def expect_operands(*operands: Any) -> None:
    from lagraph_gpu.handle import Handle

    for operand in operands:
        expect_kind(operand, (Handle, Transposed, Expression), "a vector or a matrix as operand")


def same_backend(*operands: Any) -> Backend:
    """The one backend all operands live on."""
    backends = {id(o.backend): o.backend for o in operands}
    if len(backends) > 1:
        names = " and ".join(sorted(b.name for b in backends.values()))
        raise BackendMismatch(
            f"operands live on different backends ({names}); "
            f"move one with .to({names.split()[0]!r})"
        )
    return next(iter(backends.values()))


class Expression:
    """Something that has a shape, a type and a backend, and can be put into an output."""

    backend: Backend
    shape: Shape
    dtype: np.dtype

    def new(self, dtype: Any = None, *, mask: Mask | None = None) -> Any:
        """A new Vector, Matrix or Scalar that holds the result."""
        from lagraph_gpu.matrix import Matrix
        from lagraph_gpu.scalar import Scalar
        from lagraph_gpu.vector import Vector

        kind: Any = (Scalar, Vector, Matrix)[len(self.shape)]
        out = kind(types.lookup(dtype or self.dtype), *self.shape, backend=self.backend)
        run(Update(out, self, mask=mask))
        return out


class Composite(Expression):
    """An operation that is made of others: statements of its own, the same on every backend."""

    def computed(self) -> Any:
        """The Vector, Matrix or Scalar that the statements leave."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Mask:
    """Which positions of the output may be written: by structure or by value, or all but those."""

    handle: Vector | Matrix
    structure: bool
    complement: bool = False

    def __invert__(self) -> Mask:
        return Mask(self.handle, self.structure, not self.complement)


@dataclass(frozen=True, eq=False)
class Transposed:
    """``A.T``: a matrix read by columns; nothing is moved."""

    matrix: Matrix

    @property
    def T(self) -> Matrix:
        return self.matrix

    @property
    def shape(self) -> Shape:
        return self.matrix.shape[::-1]

    @property
    def dtype(self) -> np.dtype:
        return self.matrix.dtype

    @property
    def backend(self) -> Backend:
        return self.matrix.backend

    def __matmul__(self, other: Any) -> MatMul:
        return MatMul(self, other)


@dataclass(frozen=True, eq=False)
class Diagonal(Expression):
    """A square matrix with a vector on its diagonal; multiplying by it scales rows or columns."""

    vector: Vector

    def __post_init__(self) -> None:
        n = self.vector.size
        _set(self, shape=(n, n), dtype=self.vector.dtype, backend=self.vector.backend)

    def __matmul__(self, other: Any) -> MatMul:
        return MatMul(self, other)


@dataclass(frozen=True, eq=False)
class MatMul:
    """``u @ A``: a product that waits for its semiring, ``min_plus(u @ A)``."""

    left: Any
    right: Any

    def __post_init__(self) -> None:
        expect_operands(self.left, self.right)
        expect(
            len(self.left.shape) + len(self.right.shape) > 2,
            "expected a matrix on one side of @, got two vectors; their inner product is "
            "op(u & v).new().reduce(monoid)",
        )
        inner = self.left.shape[-1], self.right.shape[0]
        expect(
            inner[0] == inner[1],
            f"expected the inner dimensions of @ to agree, got {self.left.shape} @ "
            f"{self.right.shape}; transpose one operand with .T if that was meant",
        )

    def _with_op(self, op: Any) -> Product:
        return Product(self.left, self.right, op)


@dataclass(frozen=True, eq=False)
class Infix:
    """``u | v`` or ``u & v``: an element-wise operation that waits for its operator."""

    how: str
    left: Any
    right: Any

    def __post_init__(self) -> None:
        expect_operands(self.left, self.right)
        expect(
            self.left.shape == self.right.shape,
            f"expected operands of one shape, got {self.left.shape} and {self.right.shape}",
        )

    def _with_op(self, op: Any) -> Ewise:
        return Ewise(self.how, self.left, self.right, binary_of(op))


def binary_of(op: Any) -> BinaryOp:
    """The binary operator of ``op``, which may be given as its monoid."""
    if isinstance(op, Monoid):
        return op.op
    if isinstance(op, BinaryOp):
        return op
    raise WrongType(f"expected a binary operator or a monoid, got {op!r}")


@dataclass(frozen=True, eq=False)
class Product(Expression):
    """left ⊕.⊗ right, for vector–matrix (vxm), matrix–vector (mxv) and matrix–matrix (mxm)."""

    left: Any
    right: Any
    semiring: Semiring

    def __post_init__(self) -> None:
        MatMul(self.left, self.right)
        expect_kind(self.semiring, Semiring, "a semiring around a product, as min_plus(u @ A)")
        dtype = self.semiring.output(self.left.dtype, self.right.dtype)
        shape = (*self.left.shape[:-1], *self.right.shape[1:])
        _set(self, shape=shape, dtype=dtype, backend=same_backend(self.left, self.right))

    @property
    def early_exit(self) -> bool:
        """May a fold stop before its last product? At any entry, or at the terminal."""
        monoid = self.semiring.monoid
        return monoid.is_any or monoid.terminal(self.dtype) is not None

    @property
    def kind(self) -> str:
        return {(1, 2): "vxm", (2, 1): "mxv", (2, 2): "mxm"}[
            len(self.left.shape), len(self.right.shape)
        ]


@dataclass(frozen=True, eq=False)
class Ewise(Expression):
    """Element by element: on the union ("add", "union") or the intersection ("mult").

    In "add" an entry that only one operand has passes through; in "union" the missing one is
    replaced by its default first.
    """

    how: str
    left: Any
    right: Any
    op: BinaryOp
    left_default: Any = None
    right_default: Any = None

    def __post_init__(self) -> None:
        Infix(self.how, self.left, self.right)
        dtype = self.op.unified(self.left.dtype, self.right.dtype)
        for default in (self.left_default, self.right_default):
            if default is not None:
                expect_fit(default, types.unify(self.left.dtype, self.right.dtype))
        backend = same_backend(self.left, self.right)
        _set(self, shape=self.left.shape, dtype=dtype, backend=backend)


@dataclass(frozen=True, eq=False)
class Apply(Expression):
    """op(x) for every entry; a binary operator has one side bound to a number."""

    operand: Any
    op: UnaryOp | BinaryOp | IndexUnaryOp
    left: Any = None
    right: Any = None

    def __post_init__(self) -> None:
        kinds = (UnaryOp, BinaryOp, IndexUnaryOp)
        expect_kind(self.op, kinds, "a unary, binary or index-unary operator")
        both = self.left is not None and self.right is not None
        if isinstance(self.op, BinaryOp) and (both or self.bound is None):
            raise WrongType(f"expected left= or right= with the binary operator {self.op.name}")
        if isinstance(self.op, UnaryOp) and self.bound is not None:
            raise WrongType(f"expected no bound value with the unary operator {self.op.name}")
        if isinstance(self.op, IndexUnaryOp) and self.left is not None:
            raise WrongType(f"expected the thunk of {self.op.name} as right=, got left=")
        dtype = self.op.output(self.input)
        if self.bound is not None:
            expect_fit(self.bound, self.bound_type)
        _set(self, shape=self.operand.shape, dtype=dtype, backend=self.operand.backend)

    @property
    def input(self) -> np.dtype:
        """The type that the operator works in."""
        if self.bound is None or getattr(self.op, "thunk", None) is not None:
            return self.operand.dtype
        return types.unify(self.operand.dtype, value_type(self.bound, self.operand.dtype))

    @property
    def bound(self) -> Any:
        """The number that stands on one side of the operator, or None."""
        return self.left if self.bound_left else self.right

    @property
    def bound_left(self) -> bool:
        """Does it stand on the left?"""
        return self.left is not None

    @property
    def bound_type(self) -> np.dtype:
        """The type of the bound number or thunk, as the operator sees it."""
        return getattr(self.op, "thunk", None) or self.input


@dataclass(frozen=True, eq=False)
class Select(Expression):
    """The entries for which op(x, i, j, thunk) holds."""

    operand: Any
    op: IndexUnaryOp
    thunk: Any = 0

    def __post_init__(self) -> None:
        operand = self.operand
        expect_kind(self.op, IndexUnaryOp, "an index-unary operator or a comparison to select by")
        expect_fit(self.thunk, self.thunk_type)
        _set(self, shape=operand.shape, dtype=operand.dtype, backend=operand.backend)

    @property
    def thunk_type(self) -> np.dtype:
        """The type in which the thunk is compared."""
        if self.op.thunk is not None:
            return self.op.thunk
        own = self.operand.dtype
        return types.unify(own, value_type(self.thunk, own))


@dataclass(frozen=True, eq=False)
class Reduce(Expression):
    """⊕ over all entries (to a scalar), or over each row of a matrix (to a vector)."""

    operand: Any
    monoid: Monoid
    rowwise: bool = False

    def __post_init__(self) -> None:
        expect_kind(self.monoid, Monoid, "a monoid, such as 'plus', to reduce by")
        shape = self.operand.shape[:1] if self.rowwise else ()
        dtype = self.monoid.op.output(self.operand.dtype)
        _set(self, shape=shape, dtype=dtype, backend=self.operand.backend)


@dataclass(frozen=True, eq=False)
class Extract(Expression):
    """u(I): entry k of the result is entry I[k] of the operand."""

    operand: Vector
    index: np.ndarray

    def __post_init__(self) -> None:
        u = self.operand
        _set(self, shape=(self.index.size,), dtype=u.dtype, backend=u.backend)


@dataclass(frozen=True, eq=False)
class Fill(Expression):
    """The same number everywhere."""

    value: Any
    shape: Shape
    dtype: np.dtype
    backend: Backend


@dataclass(frozen=True, eq=False)
class Update:
    """out⟨mask, replace⟩(region) accum= expression: what ``run`` carries out.

    ``region`` holds the indices assigned to (None: all); positions outside it keep their entry.
    """

    out: Any
    expression: Any
    mask: Mask | None = None
    accum: BinaryOp | None = None
    replace: bool = False
    region: np.ndarray | None = None
    schedule: Schedule | None = None

    def __post_init__(self) -> None:
        expected = self.out.shape if self.region is None else (self.region.size,)
        expect(
            self.expression.shape == expected,
            f"expected an expression of shape {expected}, got {self.expression.shape}",
        )
        operands = [self.out, self.expression]
        if self.mask is not None:
            expect_kind(self.mask, Mask, "a mask: v.S (structure) or v.V (value)")
            expect(
                self.mask.handle.shape == self.out.shape,
                f"expected a mask of the output's shape {self.out.shape}, "
                f"got {self.mask.handle.shape}",
            )
            operands.append(self.mask.handle)
        if self.accum is not None and self.accum.positional:
            raise DomainMismatch(f"expected an accumulator that works on values, got {self.accum}")
        if self.accum is not None:
            self.accum.operand(self.out.dtype)  # it works in the output's type
        same_backend(*operands)


def run(update: Update) -> None:
    """Carry an update out on the backend its output lives on."""
    node, out = update.expression, update.out
    if not isinstance(node, Composite):
        out.backend.run(update)
    elif not node.shape:
        out.put(node.computed()._store, update.accum)
    else:
        out.backend.run(replace(update, expression=Apply(node.computed(), UNARY["identity"])))


def value_type(value: Any, beside: np.dtype) -> np.dtype:
    """The type in which a bound number meets an operand of type ``beside``, before they unify.

    A NumPy number has its own. A Python number takes that of the operand; where that cannot hold
    it, an integer is INT64, UINT64 or FP64, whichever holds it first, and a float is FP64.

    >>> [types.name(value_type(n, types.INT8)) for n in (100, 300, 2**63, 2**64, 0.5)]
    ['INT8', 'INT64', 'UINT64', 'FP64', 'FP64']
    """
    if isinstance(value, (np.generic, np.ndarray)):
        return types.lookup(value.dtype)
    expect_kind(value, (bool, int, float), "a number")
    if isinstance(value, bool):
        return beside
    wider = (types.INT64, types.UINT64, types.FP64) if isinstance(value, int) else (types.FP64,)
    own = (beside,) if beside.kind in ("iuf" if isinstance(value, int) else "f") else ()
    return next((t for t in (*own, *wider) if fits(value, t)), types.FP64)


def expect_fit(value: Any, dtype: np.dtype) -> None:
    """Refuse a Python integer that would wrap around in ``dtype``."""
    if isinstance(value, int) and not fits(value, dtype):
        name = types.name(dtype)
        raise InvalidValue(f"expected a number that fits {name}, got {value}; use a wider type")


def _set(node: Any, **facts: Any) -> None:
    """Give a frozen node the facts that follow from its operands."""
    for name, value in facts.items():
        object.__setattr__(node, name, value)
