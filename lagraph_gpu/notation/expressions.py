"""Expressions: an operation as a value that is computed when it is assigned.

`min_plus(q @ A)` computes nothing. It is a record of what to compute. The statement
`w(mask, accum, replace) << expression` puts it into an `Update`, which the method `run` of the
backend carries out. Every node means what it means in the GraphBLAS C API 2.1. Shapes, types and
backends are checked when an expression is made, so a wrong statement fails before it changes
anything.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from lagraph_gpu.convert.ids import MAX_SIZE
from lagraph_gpu.errors import DomainMismatch, TooLarge, WrongType, brief
from lagraph_gpu.notation.checks import expect, expect_fit, expect_hints, expect_kind, value_type
from lagraph_gpu.notation.computed import Computed
from lagraph_gpu.notation.indexing import Axes, extent
from lagraph_gpu.notation.infix import MatrixProducts, Operations, alike, ewise, number
from lagraph_gpu.notation.nesting import keep_shallow
from lagraph_gpu.notation.signs import OfExpressions, Result
from lagraph_gpu.notation.typing_rules import (
    Shape,
    applied_type,
    broadcast_shape,
    ends_early,
    ewise_type,
    expect_copies,
    expect_operands,
    folded_type,
    meeting_type,
    one_shape,
    product_shape,
    product_type,
    same_backend,
    selected_type,
)
from semirings import types
from semirings.algebra import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp
from semirings.catalogue import SEMIRINGS
from semirings.names import lookup
from semirings.operators import BINARY, UNARY

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend
    from lagraph_gpu.notation.matrix import Matrix


@functools.cache
def above() -> tuple[tuple[Any, ...], Any, Any]:
    """Names of modules that import this one: the classes of results, `Update` and `run`."""
    from lagraph_gpu.notation.matrix import Matrix
    from lagraph_gpu.notation.scalar import Scalar
    from lagraph_gpu.notation.update import Update, run
    from lagraph_gpu.notation.vector import Vector

    return (Scalar, Vector, Matrix), Update, run


class Expression(OfExpressions[Result], Computed, Generic[Result]):  # type: ignore[misc]
    """An operation with a shape, a type and a backend, whose result can be assigned.

    An operand that is a deep expression itself is computed when the expression is made, so that
    `sum([u] * 10_000)` works.
    """

    backend: Backend
    shape: Shape
    dtype: np.dtype

    def new(
        self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **hints: Any
    ) -> Result:
        """Compute the expression into a new container.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the result. By default the type of the expression.
        mask : Mask, optional
            Only entries where the mask is true are kept.
        name : str, optional
            A name for the result, which is shown where it is printed.
        **hints : object
            `is_cscalar` of a scalar, and hints to SuiteSparse such as `nthreads`, which have no
            effect.

        Returns
        -------
        Vector, Matrix or Scalar
            The result.
        """
        kinds, Update, run = above()
        node = self._with_op() if isinstance(self, Bare) else self
        dtype, shape = node.dtype if dtype is None else dtype, node.shape
        out = kinds[len(shape)](dtype, *shape, backend=node.backend, name=name)
        if hints:
            if not shape and hints.pop("is_cscalar", False):
                out.is_cscalar = True
            expect_hints(hints)
        run(Update(out, node, mask=mask))
        return out  # type: ignore[no-any-return]


def computed(operand: Any) -> Any:
    """The result of an expression; a container or a transpose is returned as it is."""
    return operand.new() if isinstance(operand, Expression) else operand


class Composite(Expression[Result]):
    """An operation that consists of other operations, with the same statements on every backend."""

    def computed(self) -> Any:
        """The Vector, Matrix or Scalar that the statements compute, or an expression for it."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class Transposed(MatrixProducts, Computed):
    """The transpose `A.T`: a view on a matrix. No entry is moved."""

    matrix: Matrix
    _depth = 0  # there is no operation to compute
    name = property(lambda self: self.matrix.name and f"{self.matrix.name}.T")

    @property
    def T(self) -> Matrix:
        return self.matrix

    @property
    def shape(self) -> Shape:  # type: ignore[override]
        return self.matrix.shape[::-1]

    @property
    def dtype(self) -> np.dtype:  # type: ignore[override]
        return self.matrix.dtype

    @property
    def backend(self) -> Backend:  # type: ignore[override]
        return self.matrix.backend

    def new(
        self, dtype: Any = None, *, mask: Any = None, name: str | None = None, **hints: Any
    ) -> Matrix:
        """The transpose as a matrix of its own."""
        return Apply(self, UNARY["identity"]).new(dtype, mask=mask, name=name, **hints)

    def __getitem__(self, index: Any) -> Any:
        from lagraph_gpu.notation.indexed import Part

        return Part(self, index)

    def to_coo(self, dtype: Any = None, **settings: Any) -> Any:
        """The row ids, column ids and values, in the order of `to_coo` of the matrix itself.

        The settings are those of `Matrix.to_coo`; `rows` and `columns` are those of the transpose.
        """
        swapped = {"rows": "columns", "columns": "rows"}
        settings = {swapped.get(name, name): value for name, value in settings.items()}
        columns, rows, values = self.matrix.to_coo(dtype, **settings)
        return rows, columns, values

    def get(self, row: int, col: int, default: Any = None) -> Any:
        """The value at a position, or `default` where there is no entry.

        The call waits for the device.
        """
        return self.matrix.get(col, row, default)


class Bare(Expression[Result]):
    """Two operands around a sign, without an operator yet.

    If none is given, the sign has a default.
    """

    left: Any
    right: Any
    _bare = True

    def _with_op(self) -> Any:
        raise NotImplementedError

    @property
    def dtype(self) -> np.dtype:  # type: ignore[override]
        return self._with_op().dtype

    @property
    def backend(self) -> Backend:  # type: ignore[override]
        return same_backend(self.left, self.right)


@dataclass(frozen=True, eq=False, repr=False)
class MatMul(Bare[Result], checks_depth=True):
    """The product `u @ A` without a semiring yet; the default is plus_times."""

    left: Any
    right: Any

    def __init__(self, left: Any, right: Any) -> None:
        expect_operands(left, right)
        self.__dict__.update(left=left, right=right, shape=product_shape(left.shape, right.shape))
        if left._depth or right._depth:
            keep_shallow(self)

    def _with_op(self, op: Any = SEMIRINGS["plus_times"]) -> Expression[Result]:
        left, right = (
            x._with_op(op) if isinstance(x, MatMul) else x for x in (self.left, self.right)
        )
        if self.shape:
            return Product(left, right, op)
        from lagraph_gpu.notation.composites import inner

        return inner(left, right, op)


@dataclass(frozen=True, eq=False, repr=False)
class Infix(Bare[Result]):
    """The element-wise operation `u | v` or `u & v` without an operator yet.

    For BOOL operands the default is logical or, and logical and.
    """

    how: str
    left: Any
    right: Any

    def __post_init__(self) -> None:
        expect_operands(self.left, self.right)
        _set(self, shape=broadcast_shape(self.left, self.right))
        for side in (self.left, self.right):
            if isinstance(side, Infix) and side.how != self.how and side.untyped:
                raise WrongType(
                    "expected | alone or & alone in one operation, got both; put an operator "
                    "around the inner one, as in plus(u | times(v & w))"
                )

    @property
    def untyped(self) -> bool:
        """True if no operator is the default: some operand is not BOOL."""
        return any(
            x.untyped if isinstance(x, Infix) else x.dtype != types.BOOL
            for x in (self.left, self.right)
        )

    def _with_op(self, op: Any = None, *defaults: Any) -> Expression[Result]:
        left, right = self._side(self.left, op, defaults), self._side(self.right, op, defaults)
        if op is None and {left.dtype, right.dtype} != {types.BOOL}:
            raise WrongType("expected an operator around the operation: plus(u | v), times(u & v)")
        if op is None:
            op = BINARY["lor" if self.how == "add" else "land"]
        if defaults:
            expect_kind(self.how == "add" or None, bool, "a union, op(u | v), beside defaults")
            return ewise("union", left, right, binary_of(op), *map(number, defaults))  # type: ignore
        if self.shape and not (types.is_record(left.dtype) or types.is_record(right.dtype)):
            return Ewise(self.how, *alike(self.how, left, right), binary_of(op))
        return ewise(self.how, left, right, binary_of(op))  # type: ignore[no-any-return]

    def _side(self, x: Any, op: Any, defaults: tuple[Any, ...]) -> Any:
        """An operand. If it is an operation with the same sign, it takes the same operator."""
        same = isinstance(x, Infix) and x.how == self.how
        return x._with_op(op, *defaults) if same else x


def binary_of(op: Any) -> BinaryOp:
    """The binary operator of `op`: the operator itself, or that of a name or a monoid."""
    op = op if isinstance(op, BinaryOp) else lookup("binary", op)
    if isinstance(op, Monoid):
        return op.binary
    if isinstance(op, BinaryOp):
        return op
    raise WrongType(f"expected a binary operator or a monoid, got {brief(op)}")


@dataclass(frozen=True, eq=False, repr=False)
class Product(Expression[Result], checks_depth=True):
    """The product left ⊕.⊗ right.

    The kind is vxm (vector and matrix), mxv (matrix and vector) or mxm (two matrices).
    """

    left: Any
    right: Any
    semiring: Semiring
    kind: str = field(init=False)

    def __init__(self, left: Any, right: Any, semiring: Semiring) -> None:
        if not (isinstance(left, Operations) and isinstance(right, Operations)):
            expect_operands(left, right)
        outer, inner = left.shape, right.shape
        if not (outer and inner) or outer[-1] != inner[0]:
            product_shape(outer, inner)
        if not isinstance(semiring, Semiring):
            expect_kind(semiring, Semiring, "a semiring around a product, as min_plus(u @ A)")
        shape = outer[:-1] + inner[1:]
        if not shape:
            expect(False, "expected a matrix on one side, got two vectors: semiring(u @ v)")
        if left.backend is not right.backend:
            same_backend(left, right)
        self.__dict__.update(
            left=left, right=right, semiring=semiring,
            kind="vxm" if len(outer) == 1 else ("mxv" if len(inner) == 1 else "mxm"),
            shape=shape, dtype=product_type(semiring, left.dtype, right.dtype),
            backend=left.backend,
        )  # fmt: skip
        if left._depth or right._depth:
            keep_shallow(self)

    @property
    def early_exit(self) -> bool:
        """True if a fold may stop before its last product."""
        return ends_early(self.semiring.monoid, self.dtype)


@dataclass(frozen=True, eq=False, repr=False)
class Ewise(Expression[Result], checks_depth=True):
    """An element-wise operation on the union or the intersection of the entries.

    The union is "add" or "union", the intersection "mult". Where only one operand has an entry,
    "add" takes that entry; "union" replaces the missing one by its default.
    """

    how: str
    left: Any
    right: Any
    op: BinaryOp
    left_default: Any = None
    right_default: Any = None

    def __init__(
        self, how: str, left: Any, right: Any, op: BinaryOp, left_default: Any = None,
        right_default: Any = None,
    ) -> None:  # fmt: skip
        if not (isinstance(left, Operations) and isinstance(right, Operations)):
            expect_operands(left, right)
        if left.shape != right.shape:
            one_shape(left, right)
        if left.backend is not right.backend:
            same_backend(left, right)
        dtype = ewise_type(op, left.dtype, right.dtype)
        for default in (left_default, right_default) if how == "union" else ():
            if default is not None:
                expect_fit(default, op.meet(left.dtype, right.dtype))
        if types.is_record(left.dtype):
            expect_copies(how, op, left.dtype, dtype)
        self.__dict__.update(
            how=how, left=left, right=right, op=op, left_default=left_default,
            right_default=right_default, shape=left.shape, dtype=dtype, backend=left.backend,
        )  # fmt: skip
        if left._depth or right._depth:
            keep_shallow(self)


@dataclass(frozen=True, eq=False, repr=False)
class Apply(Expression, checks_depth=True):
    """The expression op(x) for every entry. A binary operator has a number bound to one side.

    The operator works in the type `input`. A number that is added to positions counts for it, as
    that on one side of a binary operator, though both are INT64 before they get this type.
    """

    operand: Any
    op: UnaryOp | BinaryOp | IndexUnaryOp
    left: Any = None
    right: Any = None

    def __init__(self, operand: Any, op: Any, left: Any = None, right: Any = None) -> None:
        input = operand.dtype
        if type(op) is not UnaryOp or left is not None or right is not None:
            input = meeting_type(op, input, left, right)
        self.__dict__.update(
            operand=operand, op=op, left=left, right=right, input=input, shape=operand.shape,
            dtype=applied_type(op, input), backend=operand.backend,
        )  # fmt: skip
        if operand._depth:
            keep_shallow(self)
        if self.bound is not None and (op.reads_x or op.reads_y):
            expect_fit(self.bound, self.bound_type)

    @property
    def bound(self) -> Any:
        """The number on one side of the operator, or None."""
        return self.right if self.left is None else self.left

    @property
    def bound_left(self) -> bool:
        """True if the number is on the left side."""
        return self.left is not None

    @property
    def bound_type(self) -> np.dtype:
        """The type of the bound number or thunk for the operator."""
        return getattr(self.op, "thunk", None) or self.input


@dataclass(frozen=True, eq=False, repr=False)
class Select(Expression, checks_depth=True):
    """The entries for which op(x, i, j, thunk) holds. The thunk is compared in `thunk_type`."""

    operand: Any
    op: IndexUnaryOp
    thunk: Any = 0

    def __init__(self, operand: Any, op: IndexUnaryOp, thunk: Any = 0) -> None:
        if not isinstance(op, IndexUnaryOp):
            expect_kind(op, IndexUnaryOp, "an index-unary operator or a comparison to select by")
        own = operand.dtype
        compared = op.thunk or op.meet(own, value_type(thunk, own, compared=True))
        self.__dict__.update(
            operand=operand, op=op, thunk=thunk, thunk_type=compared, shape=operand.shape,
            dtype=own, backend=operand.backend,
        )  # fmt: skip
        if operand._depth:
            keep_shallow(self)
        expect_fit(thunk, compared)
        selected_type(op, self.input)  # refuses a type that has no order

    @property
    def input(self) -> np.dtype:
        """The type in which the operator works."""
        return self.thunk_type if self.op.thunk is None else self.operand.dtype


@dataclass(frozen=True, eq=False, repr=False)
class Reduce(Expression, checks_depth=True):
    """⊕ over all entries (a scalar), or over each row of a matrix (a vector)."""

    operand: Any
    monoid: Monoid
    rowwise: bool = False
    or_identity: bool = False
    """True if the result of no entries may be the identity."""

    def __init__(
        self, operand: Any, monoid: Monoid, rowwise: bool = False, or_identity: bool = False
    ) -> None:
        expect_kind(monoid, Monoid, "a monoid, such as 'plus', to reduce by")
        self.__dict__.update(
            operand=operand, monoid=monoid, rowwise=rowwise, or_identity=or_identity,
            shape=operand.shape[:1] if rowwise else (),
            dtype=folded_type(monoid, operand.dtype), backend=operand.backend,
        )  # fmt: skip
        if operand._depth:
            keep_shallow(self)


@dataclass(frozen=True, eq=False, repr=False)
class Kronecker(Expression):
    """The Kronecker product: C(i·p + r, j·q + s) = A(i, j) ⊙ B(r, s), for B of p × q."""

    left: Any
    right: Any
    op: BinaryOp

    def __post_init__(self) -> None:
        for operand in (self.left, self.right):
            expect_operands(operand)
            expect(len(operand.shape) == 2, f"expected two matrices, got shape {operand.shape}")
        if self.op.positional:
            raise DomainMismatch(f"expected an operator that works on values, got {self.op}")
        shape = tuple(m * n for m, n in zip(self.left.shape, self.right.shape, strict=True))
        if max(shape) > MAX_SIZE:
            raise TooLarge(f"expected a product of at most 2**60 rows and columns, got {shape}")
        dtype = self.op.unified(self.left.dtype, self.right.dtype)
        _set(self, shape=shape, dtype=dtype, backend=same_backend(self.left, self.right))


@dataclass(frozen=True, eq=False, repr=False)
class Extract(Expression):
    """The part A(I, J): entry (r, c) of the result is entry (I[r], J[c]); None means a whole axis.

    An integer removes its axis, so a row or a column of a matrix is a vector.
    """

    operand: Any
    axes: Axes

    def __post_init__(self) -> None:
        A = self.operand
        _set(self, shape=extent(self.axes, A.shape), dtype=A.dtype, backend=A.backend)


@dataclass(frozen=True, eq=False, repr=False)
class OfVector(Expression):
    """A vector as a matrix of one "row", of one "column", or with the vector on a "diagonal".

    The diagonal begins k positions to the right of the main one, or below it if k < 0.
    """

    vector: Any
    form: str
    k: int = 0

    def __post_init__(self) -> None:
        u = self.vector
        expect_operands(u)
        expect(len(u.shape) == 1, f"expected a vector, got shape {u.shape}")
        side = u.shape[0] + abs(self.k)
        shape = {"row": (1, *u.shape), "column": (*u.shape, 1), "diagonal": (side, side)}
        _set(self, shape=shape[self.form], dtype=u.dtype, backend=u.backend)


@dataclass(frozen=True, eq=False, repr=False)
class Diagonal(Expression):
    """The k-th diagonal of a matrix, counted to the right of the main one, as a vector."""

    operand: Any
    k: int = 0

    def __post_init__(self) -> None:
        A = self.operand
        rows, columns = A.shape
        size = min(rows, columns - self.k) if self.k >= 0 else min(rows + self.k, columns)
        _set(self, shape=(max(0, size),), dtype=A.dtype, backend=A.backend)


@dataclass(frozen=True, eq=False, repr=False)
class Fill(Expression):
    """One number at every position. It may be a Scalar that is awaited but certain."""

    value: Any
    shape: Shape
    dtype: np.dtype
    backend: Backend

    @property
    def known(self) -> Any:
        """The number in its type. Reading it waits if the number is awaited."""
        if type(self.value) is float and self.dtype is types.FP64:
            return np.float64(self.value)
        if types.is_record(self.dtype):
            return self.value
        return np.asarray(number(self.value)).astype(self.dtype)[()]


def _set(node: Any, **facts: Any) -> None:
    """Store the facts that follow from the operands in a frozen node."""
    node.__dict__.update(facts)
