"""Methods and operator signs that containers and expressions share; each makes an expression.

`u + v` works on the union of the entries. `u - v` works on the union too, with 0 for a missing
entry. Every other sign works on the intersection. With a number on one side, a sign applies to the
entries that are there. These are the choices of python-graphblas. `u == v` makes an expression too,
so a container has no truth value: `isequal` compares two containers as a whole.

>>> import lagraph_gpu as lg
>>> with lg.backend("cpu"):
...     u, v = lg.Vector.from_coo([0, 1], [5, 7]), lg.Vector.from_coo([1, 2], [1, 2], size=3)
...     u.resize(3)
>>> (2 * v - 1).new().to_coo()
(array([1, 2]), array([1, 3]))
>>> (v >= 2).new().to_coo()
(array([1, 2]), array([False,  True]))
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any, Literal, NoReturn, overload

import numpy as np

# That module imports this one, so its names are used only inside functions.
import lagraph_gpu.notation.expressions as expr
from lagraph_gpu.convert.arguments import checked_methods, is_real
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.values import typed_values
from lagraph_gpu.display import Shown
from lagraph_gpu.errors import EmptyObject, WrongType, brief
from lagraph_gpu.notation.checks import expect_axes, expect_hints, expect_number, value_type
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.signs import Signs
from semirings import BinaryOp, Monoid, Semiring, types
from semirings.names import lookup, monoid_of, operator_to_apply
from semirings.operators import BINARY, UNARY

if TYPE_CHECKING:
    from lagraph_gpu.notation.expressions import Expression, Infix, MatMul, Product
    from lagraph_gpu.notation.matrix import Matrix
    from lagraph_gpu.notation.scalar import Scalar
    from lagraph_gpu.notation.typing_rules import OneAxis, TwoAxes
    from lagraph_gpu.notation.vector import Vector


@checked_methods
class Operations(Signs, Shown):
    """The operations on vectors, matrices, transposes and expressions."""

    backend: Any
    _depth = 0

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if not self.shape:
            return np.asarray(self.new(), dtype)  # type: ignore[attr-defined]
        raise WrongType(
            f"expected .to_dense() or .to_coo() to make NumPy arrays of a {type(self).__name__}, "
            "got a conversion that cannot say what stands where there is no entry"
        )

    @overload
    def __neg__(self: OneAxis) -> Expression[Vector]: ...
    @overload
    def __neg__(self: TwoAxes) -> Expression[Matrix]: ...
    @overload
    def __neg__(self) -> Expression[Any]: ...
    def __neg__(self) -> Expression[Any]:
        return self.apply(UNARY["ainv"])

    @overload
    def __abs__(self: OneAxis) -> Expression[Vector]: ...
    @overload
    def __abs__(self: TwoAxes) -> Expression[Matrix]: ...
    @overload
    def __abs__(self) -> Expression[Any]: ...
    def __abs__(self) -> Expression[Any]:
        return self.apply(UNARY["abs"])

    def __invert__(self) -> Any:
        if self.dtype != types.BOOL:
            raise WrongType(
                f"expected BOOL entries to negate, or a mask to complement, got "
                f"{types.name(self.dtype)}; write ~v.S (structure) or ~v.V (values) for a mask"
            )
        return self.apply(UNARY["lnot"])

    def __bool__(self) -> bool:
        kind = ("Scalar", "Vector", "Matrix")[len(self.shape)]
        raise WrongType(
            f"the truth of a {kind} is not defined; use .nvals, or isequal to compare as a whole"
        )

    @overload
    def __matmul__(self: OneAxis, other: Vector) -> MatMul[Scalar]: ...
    @overload
    def __matmul__(self: OneAxis, other: MatrixProducts) -> MatMul[Vector]: ...
    @overload
    def __matmul__(self: TwoAxes, other: Vector) -> MatMul[Vector]: ...
    @overload
    def __matmul__(self: TwoAxes, other: MatrixProducts) -> MatMul[Matrix]: ...
    @overload
    def __matmul__(self, other: Any) -> MatMul[Any]: ...
    def __matmul__(self, other: Any) -> MatMul[Any]:
        return expr.MatMul(self, other)

    @overload
    def __or__(self: OneAxis, other: Vector) -> Infix[Vector]: ...
    @overload
    def __or__(self: TwoAxes, other: Any) -> Infix[Matrix]: ...
    @overload
    def __or__(self, other: Any) -> Infix[Any]: ...
    def __or__(self, other: Any) -> Infix[Any]:
        return joined("add", self, other)

    def __ror__(self, other: Any) -> Infix[Any]:
        return joined("add", other, self)

    @overload
    def __and__(self: OneAxis, other: Vector) -> Infix[Vector]: ...
    @overload
    def __and__(self: TwoAxes, other: Any) -> Infix[Matrix]: ...
    @overload
    def __and__(self, other: Any) -> Infix[Any]: ...
    def __and__(self, other: Any) -> Infix[Any]:
        return joined("mult", self, other)

    def __rand__(self, other: Any) -> Infix[Any]:
        return joined("mult", other, self)

    @overload
    def ewise_add(
        self: OneAxis, other: Vector, op: BinaryOp | Monoid | str = ...
    ) -> Expression[Vector]: ...
    @overload
    def ewise_add(
        self: TwoAxes, other: Any, op: BinaryOp | Monoid | str = ...
    ) -> Expression[Matrix]: ...
    @overload
    def ewise_add(self, other: Any, op: BinaryOp | Monoid | str = ...) -> Expression[Any]: ...
    def ewise_add(self, other: Any, op: BinaryOp | Monoid | str = "plus") -> Expression[Any]:
        """Combine two operands on the union of their entries.

        Where only one operand has an entry, that entry is the result.

        Parameters
        ----------
        other : Vector or Matrix
            The second operand, of the same shape. A vector beside a matrix stands for a matrix: on
            the left each column is the vector, on the right each row. A Scalar takes a Scalar or a
            number.
        op : BinaryOp, Monoid or str, optional
            The operator where both have an entry, by default plus.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The shapes differ.
        """
        expect_ready(other)
        return ewise("add", self, other, expr.binary_of(op))

    @overload
    def ewise_mult(
        self: OneAxis, other: Vector, op: BinaryOp | Monoid | str = ...
    ) -> Expression[Vector]: ...
    @overload
    def ewise_mult(
        self: TwoAxes, other: Any, op: BinaryOp | Monoid | str = ...
    ) -> Expression[Matrix]: ...
    @overload
    def ewise_mult(self, other: Any, op: BinaryOp | Monoid | str = ...) -> Expression[Any]: ...
    def ewise_mult(self, other: Any, op: BinaryOp | Monoid | str = "times") -> Expression[Any]:
        """Combine two operands on the intersection of their entries.

        Parameters
        ----------
        other : Vector or Matrix
            The second operand, of the same shape, or a vector beside a matrix as for `ewise_add`.
        op : BinaryOp, Monoid or str, optional
            The operator, by default times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The shapes differ.
        """
        expect_ready(other)
        return ewise("mult", self, other, expr.binary_of(op))

    def ewise_union(
        self, other: Any, op: BinaryOp | Monoid | str, left_default: Any, right_default: Any
    ) -> Expression:
        """Combine two operands on the union of their entries, with a default for a missing entry.

        Parameters
        ----------
        other : Vector or Matrix
            The second operand, of the same shape, or a vector beside a matrix as for `ewise_add`.
        op : BinaryOp, Monoid or str
            The operator.
        left_default, right_default : number or Scalar
            The value of this operand, and of the other, where it has no entry.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The shapes differ.
        """
        expect_ready(other)
        defaults = number(left_default), number(right_default)
        if types.is_record(self.dtype):
            defaults = tuple(typed_values(value, 1, self.dtype)[0] for value in defaults)
        return ewise("union", self, other, expr.binary_of(op), *defaults)

    @overload
    def apply(
        self: OneAxis, op: Any, right: Any = ..., *, left: Any = ...
    ) -> Expression[Vector]: ...
    @overload
    def apply(
        self: TwoAxes, op: Any, right: Any = ..., *, left: Any = ...
    ) -> Expression[Matrix]: ...
    @overload
    def apply(self, op: Any, right: Any = ..., *, left: Any = ...) -> Any: ...
    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """Apply an operator to every entry.

        Parameters
        ----------
        op : UnaryOp, BinaryOp, IndexUnaryOp, str or function
            The operator, its name or sign, or a Python function of one expression.
        right, left : number or Scalar, optional
            The other operand of a binary operator: exactly one of the two. For an operator with
            indices `right` is the thunk.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        WrongType
            A binary operator has no number beside it, or two, or a unary operator has one.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2], [5, 1], backend="cpu")
        >>> v.apply("-").new().to_coo()[1], v.apply("-", left=1).new().to_coo()[1]
        (array([-5, -1]), array([-4,  0]))
        """
        scalars = isinstance(left, Signs) or isinstance(right, Signs)
        if scalars:
            left, right = bound(left), bound(right)
        op = operator_to_apply(op, left is not None or right is not None)
        if isinstance(op, BinaryOp):
            if types.is_record(self.dtype):
                left, right = (
                    x if x is None else typed_values(number(x), 1, self.dtype)[0]
                    for x in (left, right)
                )
            elif op.mixed is not None and op.typed is None:
                op = op[op.mixed]
        if not self.shape:
            from lagraph_gpu.notation.composites import of_scalar

            return of_scalar(self, op, left, right)
        if scalars:
            awaited = left if isinstance(left, Signs) else right
            if isinstance(awaited, Signs) and isinstance(op, BinaryOp) and len(self.shape) == 1:
                beside = expr.Fill(awaited, self.shape, awaited.dtype, self.backend)
                x, y = (self, beside) if left is None else (beside, self)
                return expr.Ewise("mult", x, y, op)
            left, right = number(left), number(right)
        return expr.Apply(self, op, left, right)

    @overload
    def select(self: OneAxis, op: Any, thunk: Any = ...) -> Expression[Vector]: ...
    @overload
    def select(self: TwoAxes, op: Any, thunk: Any = ...) -> Expression[Matrix]: ...
    @overload
    def select(self, op: Any, thunk: Any = ...) -> Any: ...
    def select(self, op: Any, thunk: Any = None) -> Any:
        """Keep the entries for which a condition holds.

        Parameters
        ----------
        op : IndexUnaryOp, Mask, Expression or str
            An operator, its name, or a comparison such as "<=". A mask (`w.S`) or a condition (`v >
            3`) keeps the entries where it is true.
        thunk : number or Scalar, optional
            What the operator compares with, by default 0. Not allowed with a mask or a condition.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"):
        ...     v = lg.Vector.from_coo([0, 2, 3], [5, 1, 7])
        >>> v.select(">", 1).new().to_coo()[0].tolist()
        [0, 3]
        >>> v.select(v != 5).new().to_coo()[0].tolist()
        [2, 3]
        """
        from lagraph_gpu.notation.mask import Mask

        if not self.shape and not isinstance(op, Mask):
            from lagraph_gpu.notation.composites import held, kept

            op, x = lookup("select", op), held(self, self)
            thunk = 0 if thunk is None else number(thunk)
            expect_number(thunk)
            return kept(x, x.nvals and op.evaluate(x._store, thunk))
        expect_entries(self, "select from")
        if isinstance(op, Mask) or (isinstance(op, Operations) and op.shape):
            from lagraph_gpu.notation.composites import selected

            if thunk is not None:
                raise WrongType(
                    f"expected no thunk beside a mask or a condition, got {brief(thunk)}"
                )
            return selected(self, op)
        return expr.Select(self, lookup("select", op), 0 if thunk is None else number(thunk))

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression[Scalar]:
        """Fold all entries to a scalar.

        Parameters
        ----------
        op : Monoid, BinaryOp, Aggregator or str, optional
            A monoid, an operator that has a monoid, or an aggregator; by default plus.
        allow_empty : bool, optional
            What the result of no entries is: no value, or with False the identity of the monoid.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Examples
        --------
        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2, 3], [5, 1, 6], backend="cpu")
        >>> v.reduce("max").new().value, v.reduce(lg.agg.mean).new().value
        (6, 4.0)
        """
        return reduction(self, op, False, allow_empty)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0,
        check_dtype: bool = False, **hints: Any,
    ) -> bool:  # fmt: skip
        """Compare two operands as a whole, like `isequal`, with a tolerance for the values.

        Parameters
        ----------
        other : Vector, Matrix or Scalar
            The second operand.
        rel_tol, abs_tol : float, optional
            Two values agree if they differ by at most `abs_tol`, or by `rel_tol` times the larger
            of the two magnitudes.
        check_dtype : bool, optional
            Whether the types must be equal too.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        bool
            True if shapes and positions are equal and all values agree.

        Notes
        -----
        The call waits for the device.
        """
        from lagraph_gpu.notation.composites import agree

        expect_hints(hints)
        return agree(self, other, lookup("binary", "isclose")(rel_tol=rel_tol, abs_tol=abs_tol),
                     check_dtype)  # fmt: skip

    def isequal(self, other: Any, *, check_dtype: bool = False, **hints: Any) -> bool:
        """Compare two operands as a whole.

        Parameters
        ----------
        other : Vector, Matrix or Scalar
            The second operand.
        check_dtype : bool, optional
            Whether the types must be equal too.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        bool
            True if shapes, positions and values are equal. A NaN is equal to nothing.

        Notes
        -----
        The call waits for the device.
        """
        from lagraph_gpu.notation.composites import agree

        expect_hints(hints)
        return agree(self, other, BINARY["eq"], check_dtype)


@checked_methods
class MatrixProducts(Operations):
    """The operations of matrices and transposes only."""

    @property
    def ndim(self) -> Literal[2]:
        """The number of axes."""
        return 2

    def mxv(self, other: Any, op: Semiring | str = "plus_times") -> Product[Vector]:
        """The product A ⊕.⊗ u of this matrix and a column vector.

        Parameters
        ----------
        other : Vector
            A vector with as many positions as this matrix has columns.
        op : Semiring or str, optional
            The semiring, by default plus and times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The sizes do not fit.
        """
        expect_ready(other)
        op = op if isinstance(op, Semiring) else lookup("semiring", op)
        expect_axes(other, 1)
        return expr.Product(self, other, op)

    def mxm(self, other: Any, op: Semiring | str = "plus_times") -> Product[Matrix]:
        """The product A ⊕.⊗ B of two matrices.

        Parameters
        ----------
        other : Matrix
            A matrix with as many rows as this one has columns.
        op : Semiring or str, optional
            The semiring, by default plus and times.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.

        Raises
        ------
        DimensionMismatch
            The sizes do not fit.
        """
        expect_ready(other)
        op = op if isinstance(op, Semiring) else lookup("semiring", op)
        return expr.Product(self, other, op)

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None,
        ncols: int | None = None,
    ) -> Expression:  # fmt: skip
        """Move every entry from (i, j) to (i + row_offset, j + column_offset).

        Entries that would fall outside are removed.

        Parameters
        ----------
        row_offset, column_offset : int
            How far each entry moves. Both may be negative.
        nrows, ncols : int, optional
            The shape of the result. By default the shape of this matrix.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        from lagraph_gpu.notation.composites import Moved

        given = zip((nrows, ncols), self.shape)
        sizes = tuple(check_size(own if size is None else size) for size, own in given)
        return Moved(self, (row_offset, column_offset), sizes)

    def reduce_rowwise(self, op: Any = "plus") -> Expression[Vector]:
        """Fold each row to one entry of a vector. An empty row gives no entry.

        Parameters
        ----------
        op : Monoid, BinaryOp, Aggregator or str, optional
            A monoid, an operator that has a monoid, or an aggregator such as `agg.mean`; by default
            plus.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return reduction(self, op, True)

    def reduce_columnwise(self, op: Any = "plus") -> Expression[Vector]:
        """Fold each column to one entry of a vector. An empty column gives no entry.

        Parameters
        ----------
        op : Monoid, BinaryOp, Aggregator or str, optional
            A monoid, an operator that has a monoid, or an aggregator such as `agg.mean`; by default
            plus.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return reduction(self.T, op, True)  # type: ignore[attr-defined]

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression[Scalar]:
        """Fold all entries to a scalar.

        Parameters
        ----------
        op : Monoid, BinaryOp, Aggregator or str, optional
            A monoid, an operator that has a monoid, or an aggregator; by default plus.
        allow_empty : bool, optional
            What the result of no entries is: no value, or with False the identity of the monoid.

        Returns
        -------
        Expression
            It is computed when it is assigned, or by `.new()`.
        """
        return reduction(self, op, False, allow_empty)


def is_operand(thing: Any) -> bool:
    """True for a vector, a matrix, or an expression whose result is one."""
    return isinstance(thing, Operations) and thing.shape != ()


def expect_ready(operand: Any) -> None:
    """Refuse an expression as an operand where a user does not want expressions to compute."""
    if isinstance(operand, expr.Expression):
        expect_computing()


def expect_entries(thing: Any, what: str) -> None:
    if not is_operand(thing):
        raise WrongType(f"expected a vector or a matrix to {what}, got {brief(thing)}")


def alike(how: str, left: Any, right: Any) -> tuple[Any, Any]:
    """Two operands of equal shape: a vector beside a matrix is repeated to a matrix.

    A vector on the left becomes each column, a vector on the right each row.
    """
    if not (isinstance(left, Operations) and isinstance(right, Operations)):
        return left, right
    if len(left.shape) != len(right.shape) and left.shape and right.shape:
        from lagraph_gpu.notation.composites import repeated

        if len(left.shape) == 1:
            return repeated(how, left, right, "column"), right
        return left, repeated(how, right, left, "row")
    return left, right


def joined(how: str, left: Any, right: Any) -> Any:
    """The operation `left | right` or `left & right`; NotImplemented beside a mask."""
    if not (isinstance(left, Operations) and isinstance(right, Operations)):
        from lagraph_gpu.notation.composites import held
        from lagraph_gpu.notation.mask import Mask

        if isinstance(left, Mask) or isinstance(right, Mask):
            return NotImplemented
        if isinstance(left, Operations) and not left.shape and is_real(right):
            right = held(right, innermost(left))
        elif isinstance(right, Operations) and not right.shape and is_real(left):
            left = held(left, innermost(right))
    return expr.Infix(how, left, right)


def innermost(operation: Any) -> Any:
    """The first operand of `u | v | …`, which has a type before there is an operator."""
    return innermost(operation.left) if isinstance(operation, expr.Infix) else operation


def wide_enough(op: BinaryOp, left: Any, right: Any, *defaults: Any) -> BinaryOp:
    """The operator of a union, in a type that holds the entries and both defaults.

    >>> import lagraph_gpu as lg
    >>> v = lg.Vector.from_coo([0], [4], size=2, backend="cpu")
    >>> wide_enough(BINARY["truediv"], v, v, 0.5, 0.5), wide_enough(BINARY["truediv"], v, v, 1, 2)
    (BinaryOp('truediv[FP64]', 'x / y'), BinaryOp('truediv', 'x / y'))
    """
    if op.typed is not None or op.positional:
        return op
    own = op.meet(left.dtype, right.dtype)
    wide = own
    for default in defaults:
        wide = types.unify(wide, value_type(default, own))
    return op if wide == own else op[wide if op.mixed is None else op.mixed]


def beside_record(left: Any, right: Any, op: BinaryOp) -> Any:
    """`first(u & v)`, `second`, `pair` or a position, of a record beside another type; or None.

    Values are not converted: it is the one operand at the entries of the other.
    """
    kinds = left.dtype, right.dtype
    apart = left.shape and kinds[0] != kinds[1] and any(map(types.is_record, kinds))
    if apart and not (op.reads_x or op.reads_y):  # pair and positions: no value is read
        return expr.Ewise("mult", unread(left), unread(right), op)
    if not apart or op.expression not in ("x", "y"):
        return None
    kept, other = (left, right) if op.expression == "x" else (right, left)
    return kept.select((other if is_operand(other) and hasattr(other, "S") else other.new()).S)


def zero_axes(value: Any) -> bool:
    """True for an array of NumPy that holds one number."""
    return isinstance(value, np.ndarray) and not value.shape


def unread(operand: Any) -> Any:
    """The entries of an operand whose values are not read: a record is replaced by a number."""
    return operand.apply("positioni").new() if types.is_record(operand.dtype) else operand


def ewise(how: str, left: Any, right: Any, op: BinaryOp, *defaults: Any) -> Any:
    """The expression left ∘ right, element by element, of containers or of two scalars."""
    if not left.shape and (isinstance(right, Number | np.generic) or zero_axes(right)):
        from lagraph_gpu.notation.composites import held

        right = held(right, left)
    if isinstance(left, Operations) and isinstance(right, Operations):
        if left.dtype is not right.dtype and how == "mult":
            if (copied := beside_record(left, right, op)) is not None:
                return copied
        if defaults:
            op = wide_enough(op, left, right, *defaults)
            if op.mixed is not None and not types.is_record(left.dtype):
                defaults = tuple(1 for _ in defaults)  # pair reads none, whatever its type
        if len(left.shape) == len(right.shape) > 0:
            return expr.Ewise(how, left, right, op, *defaults)
    if is_operand(left) or is_operand(right):
        return expr.Ewise(how, *alike(how, left, right), op, *defaults)
    from lagraph_gpu.notation.composites import of_scalars

    expr.expect_operands(left, right)
    return of_scalars(left, right, op, how, *defaults)


def number(value: Any) -> Any:
    """The number in a Scalar or in an expression of one; another value is returned as it is."""
    if isinstance(value, Signs) and not value.shape:
        held = (value.new() if isinstance(value, expr.Expression) else value)._store  # type: ignore
        if held is None:
            raise EmptyObject(f"expected a number, got {brief(value)}, which holds none")
        return held
    return value


def bound(value: Any) -> Any:
    """The number to bind to one side of an operator.

    A scalar that a device is still computing stays a Scalar if it is certain that it has a value.
    """
    if not isinstance(value, Signs):
        return value
    if value.shape:
        raise WrongType(f"expected a number beside a container for an operator, got {brief(value)}")
    else:
        value = value.new()  # type: ignore[attr-defined]  # as it is now
        if value.awaited is not None and value.certain:
            return value
    return number(value)


def combined(left: Any, right: Any, op: BinaryOp, how: str = "mult") -> Any:
    """The expression left ∘ right of containers, scalars and numbers, as in python-graphblas."""
    if is_operand(left) and is_operand(right):
        defaults = (False, False) if how == "union" else ()
        return expr.Ewise(how, *alike(how, left, right), op, *defaults)
    if is_operand(left):
        return left.apply(op, right=bindable(right, op))
    if is_operand(right):
        return right.apply(op, left=bindable(left, op))
    from lagraph_gpu.notation.composites import of_scalars

    bindable(left, op), bindable(right, op)
    return of_scalars(left, right, op, how)


def bindable(value: Any, op: BinaryOp) -> Any:
    if value is None or isinstance(value, (str, bytes)):
        raise WrongType(
            f"expected a number, a vector or a matrix beside {op.name}, got {brief(value)}; "
            "`is` asks whether it is one object"
        )
    return value


def reduction(operand: Any, op: Any, rowwise: bool, allow_empty: bool = True) -> Expression[Any]:
    """The expression that folds rows or everything: a Reduce for a monoid, else a composition."""
    expect_entries(operand, "reduce")
    if not isinstance(op, Monoid):
        from lagraph_gpu.notation.aggregators import Aggregator, monoid_or_aggregator

        if isinstance(op, str):
            op = monoid_or_aggregator(op)
        if isinstance(op, Aggregator):
            return op.of(operand, rowwise, allow_empty)
        op = monoid_of(lookup("binary", op))
    reduced = expr.Reduce(operand, op, rowwise)
    if allow_empty:
        return reduced
    from lagraph_gpu.notation.composites import OrIdentity

    return OrIdentity(reduced)


def no_operation(thing: Any, op: Any) -> NoReturn:
    raise WrongType(
        f"expected an operation around which {op!r} stands, got a {type(thing).__name__}: "
        "op(u | v), op(u & v), semiring(u @ A); for one operand v.apply(op) or v.reduce(monoid)"
    )
