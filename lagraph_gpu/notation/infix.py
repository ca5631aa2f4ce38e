"""What containers and expressions have in common: methods and signs that make expressions.

`u + v` works on the union, `u - v` on the union with 0 for what is missing, every other sign on the
intersection; with a number on one side each applies to the entries there are. These are
python-graphblas' choices. `u == v` is an operation too, so nothing of this has a truth value:
`isequal` compares as a whole.

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

from contextlib import suppress
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

# Expressions import this module: their names are there when they are called.
import lagraph_gpu.notation.expressions as expr
from lagraph_gpu.convert.build import check_size
from lagraph_gpu.errors import InvalidValue, WrongType
from semirings import types
from semirings.algebra import BinaryOp, Monoid, Semiring
from semirings.names import lookup, monoid_of
from semirings.operators import BINARY, UNARY, mod

if TYPE_CHECKING:
    from lagraph_gpu.notation.expressions import Expression, Infix, MatMul, Product, Shape


class Signs:
    """Python's operator signs."""

    shape: Shape
    dtype: Any

    def __eq__(self, other: object) -> Any:
        return combined(self, other, BINARY["eq"])

    def __ne__(self, other: object) -> Any:
        return combined(self, other, BINARY["ne"])

    def __lt__(self, other: Any) -> Any:
        return combined(self, other, BINARY["lt"])

    def __le__(self, other: Any) -> Any:
        return combined(self, other, BINARY["le"])

    def __gt__(self, other: Any) -> Any:
        return combined(self, other, BINARY["gt"])

    def __ge__(self, other: Any) -> Any:
        return combined(self, other, BINARY["ge"])

    __hash__ = object.__hash__
    __array_ufunc__ = None  # so that NumPy leaves `number < v` to us

    def __add__(self, other: Any) -> Any:
        return combined(self, other, BINARY["plus"], "add")

    def __radd__(self, other: Any) -> Any:
        return combined(other, self, BINARY["plus"], "add")

    def __sub__(self, other: Any) -> Any:
        return combined(self, other, BINARY["minus"], "union")

    def __rsub__(self, other: Any) -> Any:
        return combined(other, self, BINARY["minus"], "union")

    def __mul__(self, other: Any) -> Any:
        return combined(self, other, BINARY["times"])

    def __rmul__(self, other: Any) -> Any:
        return combined(other, self, BINARY["times"])

    def __truediv__(self, other: Any) -> Any:
        return combined(self, other, BINARY["truediv"])

    def __rtruediv__(self, other: Any) -> Any:
        return combined(other, self, BINARY["truediv"])

    def __floordiv__(self, other: Any) -> Any:
        return combined(self, other, BINARY["floordiv"])

    def __rfloordiv__(self, other: Any) -> Any:
        return combined(other, self, BINARY["floordiv"])

    def __mod__(self, other: Any) -> Any:
        return combined(self, other, mod)

    def __rmod__(self, other: Any) -> Any:
        return combined(other, self, mod)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __pow__(self, other: Any) -> Any:
        return combined(self, other, BINARY["pow"])

    def __rpow__(self, other: Any) -> Any:
        return combined(other, self, BINARY["pow"])

    def __xor__(self, other: Any) -> Any:
        return logical(combined(self, other, BINARY["lxor"], "add"), "^")

    def __rxor__(self, other: Any) -> Any:
        return logical(combined(other, self, BINARY["lxor"], "add"), "^")


class Operations(Signs):
    """What vectors, matrices, transposes and expressions can be asked to compute."""

    backend: Any

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __neg__(self) -> Any:
        return self.apply(UNARY["ainv"])

    def __abs__(self) -> Any:
        return self.apply(UNARY["abs"])

    def __invert__(self) -> Any:
        if self.dtype != types.BOOL:
            raise WrongType(
                f"expected BOOL entries to negate, or a mask to complement, got "
                f"{types.name(self.dtype)}; write ~v.S (structure) or ~v.V (values) for a mask"
            )
        return self.apply(UNARY["lnot"])

    def __bool__(self) -> bool:
        raise WrongType(
            f"the truth of a {type(self).__name__} is not defined; use .nvals, or isequal to "
            "compare as a whole"
        )

    def __matmul__(self, other: Any) -> MatMul:
        return expr.MatMul(self, other)

    def __or__(self, other: Any) -> Infix:
        return expr.Infix("add", *alike("add", self, other))

    def __and__(self, other: Any) -> Infix:
        return expr.Infix("mult", *alike("mult", self, other))

    def ewise_add(self, other: Any, op: BinaryOp | Monoid | str = "plus") -> Expression:
        """op where both have an entry, the one there is elsewhere."""
        return ewise("add", self, other, expr.binary_of(op))

    def ewise_mult(self, other: Any, op: BinaryOp | Monoid | str = "times") -> Expression:
        """op where both have an entry, nothing elsewhere."""
        return ewise("mult", self, other, expr.binary_of(op))

    def ewise_union(
        self, other: Any, op: BinaryOp | Monoid | str, left_default: Any, right_default: Any
    ) -> Expression:
        """op on the union; a missing operand counts as its default."""
        defaults = number(left_default), number(right_default)
        return ewise("union", self, other, expr.binary_of(op), *defaults)

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Any:
        """op(x) for each entry; a binary operator takes ``left=`` or ``right=``.

        ``op`` is an operator, its name or sign, or a Python function of one expression.

        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2], [5, 1], backend="cpu")
        >>> v.apply("-").new().to_coo()[1], v.apply("-", left=1).new().to_coo()[1]
        (array([-5, -1]), array([-4,  0]))
        """
        left, right = bound(left), bound(right)
        op = operator_to_apply(op, left is not None or right is not None)
        if isinstance(op, BinaryOp) and op.mixed is not None and op.typed is None:
            op = op[op.mixed]
        if not self.shape:
            from lagraph_gpu.notation.composites import of_scalar

            return of_scalar(self, op, left, right)
        awaited = left if isinstance(left, Signs) else right
        if isinstance(awaited, Signs) and isinstance(op, BinaryOp) and len(self.shape) == 1:
            beside = expr.Fill(awaited, self.shape, awaited.dtype, self.backend)
            x, y = (self, beside) if left is None else (beside, self)
            return expr.Ewise("mult", x, y, op)
        return expr.Apply(self, op, number(left), number(right))

    def select(self, op: Any, thunk: Any = None) -> Any:
        """The entries for which ``op`` holds: an operator, its name, or a comparison as "<=".

        A mask (`w.S`) or a condition (`v > 3`) selects the entries where it is true.

        >>> import lagraph_gpu as lg
        >>> with lg.backend("cpu"):
        ...     v = lg.Vector.from_coo([0, 2, 3], [5, 1, 7])
        >>> v.select(">", 1).new().to_coo()[0].tolist()
        [0, 3]
        >>> v.select(v != 5).new().to_coo()[0].tolist()
        [2, 3]
        """
        from lagraph_gpu.notation.mask import Mask

        if isinstance(op, Mask) or (isinstance(op, Operations) and op.shape):
            from lagraph_gpu.notation.composites import selected

            if thunk is not None:
                raise WrongType(f"expected no thunk beside a mask or a condition, got {thunk!r}")
            return selected(self, op)
        return expr.Select(self, lookup("select", op), 0 if thunk is None else number(thunk))

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """⊕ over all entries, to a scalar: a monoid, an operator that has one, an aggregator.

        Without entries there is no value, or with ``allow_empty=False`` the monoid's identity.

        >>> import lagraph_gpu as lg
        >>> v = lg.Vector.from_coo([0, 2, 3], [5, 1, 6], backend="cpu")
        >>> v.reduce("max").new().value, v.reduce(lg.agg.mean).new().value
        (6, 4.0)
        """
        return reduction(self, op, False, allow_empty)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Like `isequal`, for values that may differ by a tolerance."""
        from lagraph_gpu.notation.composites import agree

        return agree(self, other, lookup("binary", "isclose")(rel_tol=rel_tol, abs_tol=abs_tol),
                     check_dtype)  # fmt: skip

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """The same shape, the same positions and equal values (NaN equals nothing)."""
        from lagraph_gpu.notation.composites import agree

        return agree(self, other, BINARY["eq"], check_dtype)


class MatrixProducts(Operations):
    """What matrices and transposes can be asked besides."""

    def mxv(self, other: Any, op: Semiring | str = "plus_times") -> Product:
        """A ⊕.⊗ u, the matrix times the column vector."""
        return expr.Product(self, other, lookup("semiring", op))

    def mxm(self, other: Any, op: Semiring | str = "plus_times") -> Product:
        """A ⊕.⊗ B, the product of two matrices."""
        return expr.Product(self, other, lookup("semiring", op))

    def reposition(
        self, row_offset: int, column_offset: int, *, nrows: int | None = None,
        ncols: int | None = None,
    ) -> Expression:  # fmt: skip
        """Every entry moved from (i, j) to (i + row_offset, j + column_offset), in a matrix of the
        same shape unless sizes are given; what falls outside is lost."""
        from lagraph_gpu.notation.composites import Moved

        given = zip((nrows, ncols), self.shape)
        sizes = tuple(check_size(own if size is None else size) for size, own in given)
        return Moved(self, (row_offset, column_offset), sizes)

    def reduce_rowwise(self, op: Any = "plus") -> Expression:
        """⊕ over each row, to a vector; an empty row gives no entry.

        ``op`` is a monoid, an operator that has one, an aggregator (`agg.mean`), or a name.
        """
        return reduction(self, op, True)

    def reduce_columnwise(self, op: Any = "plus") -> Expression:
        """⊕ over each column, to a vector; an empty column gives no entry."""
        return reduction(self.T, op, True)  # type: ignore[attr-defined]

    def reduce_scalar(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """⊕ over all entries, to a scalar."""
        return reduction(self, op, False, allow_empty)


class Computed(Operations):
    """An expression computes itself where a container's methods are asked of it."""

    def __getattr__(self, name: str) -> Any:
        missing = name[0] == "_" or name in ("shape", "dtype", "backend")
        kind: Any = object if missing else expr.above()[0][len(self.shape)]
        if not hasattr(kind, name):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self.new(), name)  # type: ignore[operator]

    def __getitem__(self, index: Any) -> Any:
        return self.new()[index]  # type: ignore[operator]

    def __contains__(self, index: Any) -> bool:
        return index in self.new()  # type: ignore[operator]

    def __iter__(self) -> Any:
        return iter(self.new())  # type: ignore[operator]

    def __bool__(self) -> bool:
        if not self.shape:
            return bool(self.new())  # type: ignore[operator]
        return super().__bool__()

    def __eq__(self, other: object) -> Any:
        return super().__eq__(other) if self.shape else self.new() == other  # type: ignore

    def __ne__(self, other: object) -> Any:
        return super().__ne__(other) if self.shape else self.new() != other  # type: ignore

    __hash__ = object.__hash__

    def __int__(self) -> int:
        return int(self.new())  # type: ignore[operator]

    def __float__(self) -> float:
        return float(self.new())  # type: ignore[operator]


def is_operand(thing: Any) -> bool:
    """Is it a vector or a matrix, or will it be one?"""
    return isinstance(thing, Operations) and thing.shape != ()


def alike(how: str, left: Any, right: Any) -> tuple[Any, Any]:
    """Two operands, a vector beside a matrix repeated: on the left over columns, else over rows."""
    if is_operand(left) and is_operand(right) and len(left.shape) != len(right.shape):
        from lagraph_gpu.notation.composites import repeated

        if len(left.shape) == 1:
            return repeated(how, left, right, "column"), right
        return left, repeated(how, right, left, "row")
    return left, right


def ewise(how: str, left: Any, right: Any, op: BinaryOp, *defaults: Any) -> Any:
    """left ∘ right, element by element: of containers, or of two scalars."""
    if is_operand(left) or is_operand(right):
        return expr.Ewise(how, *alike(how, left, right), op, *defaults)
    from lagraph_gpu.notation.composites import of_scalars

    expr.expect_operands(left, right)
    return of_scalars(left, right, op, how, *defaults)


def number(value: Any) -> Any:
    """A number that may have been given as a Scalar, or as an expression of one."""
    if isinstance(value, Signs) and not value.shape:
        held = (value.new() if isinstance(value, expr.Expression) else value)._store  # type: ignore
        if held is None:
            raise WrongType(f"expected a number, got {value!r}, which holds none")
        return held
    return value


def bound(value: Any) -> Any:
    """A number to bind to one side of an operator, or a scalar that a device is still finding, but
    certainly will."""
    if not isinstance(value, Signs):
        return value
    if not value.shape:
        value = value.new()  # type: ignore[attr-defined]  # as it is now
        if value.awaited is not None and value.certain:
            return value
    return number(value)


def combined(left: Any, right: Any, op: BinaryOp, how: str = "mult") -> Any:
    """left ∘ right as python-graphblas' signs have it, for containers, scalars and numbers."""
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
            f"expected a number, a vector or a matrix beside {op.name}, got {value!r}; "
            "`is` asks whether it is one object"
        )
    return value


def logical(expression: Any, sign: str) -> Any:
    """`^`, `|=` and `&=` are for BOOL alone."""
    dtype = getattr(expression, "dtype", types.BOOL)
    if dtype != types.BOOL:
        raise WrongType(
            f"expected BOOL entries for the sign {sign}, got {types.name(dtype)}; name an operator"
        )
    return expression


def operator_to_apply(op: Any, bound: bool) -> Any:
    """A unary, binary or index-unary operator; beside a bound number a name means a binary one."""
    if isinstance(op, (str, FunctionType)):
        first, *others = ("binary", "indexunary", "unary") if bound else ("unary", "indexunary")
        try:
            return lookup(first, op)
        except InvalidValue:
            for kind in (*others, "binary"):
                with suppress(InvalidValue):
                    return lookup(kind, op)
            raise
    op = lookup("unary", op)
    return op.binary if isinstance(op, Monoid) else op


def reduction(operand: Any, op: Any, rowwise: bool, allow_empty: bool = True) -> Expression:
    """⊕ over rows or everything: of a monoid a Reduce, of an aggregator its composition."""
    if isinstance(op, str):
        from lagraph_gpu.notation.aggregators import monoid_or_aggregator

        op = monoid_or_aggregator(op)
    if hasattr(op, "of"):  # an aggregator
        return op.of(operand, rowwise, allow_empty)
    reduced = expr.Reduce(operand, monoid_of(lookup("binary", op)), rowwise)
    if allow_empty:
        return reduced
    from lagraph_gpu.notation.composites import OrIdentity

    return OrIdentity(reduced)


def no_operation(thing: Any, op: Any) -> NoReturn:
    raise WrongType(
        f"expected an operation around which {op!r} stands, got a {type(thing).__name__}: "
        "op(u | v), op(u & v), semiring(u @ A); for one operand v.apply(op) or v.reduce(monoid)"
    )
