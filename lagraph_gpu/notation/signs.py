"""The operator signs of containers and expressions, and what type checkers see of them.

What a sign means stands in `infix`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, overload

import numpy as np

# That module imports this one, so its names are used only inside functions.
import lagraph_gpu.notation.infix as infix
from lagraph_gpu.notation.checks import logical
from semirings import BinaryOp
from semirings.operators import BINARY, mod

if TYPE_CHECKING:
    from lagraph_gpu.notation.expressions import Expression, Shape
    from lagraph_gpu.notation.infix import MatrixProducts
    from lagraph_gpu.notation.matrix import Matrix
    from lagraph_gpu.notation.scalar import Scalar
    from lagraph_gpu.notation.typing_rules import OneAxis, TwoAxes
    from lagraph_gpu.notation.vector import Vector

    OfVectors: TypeAlias = "Vector | Expression[Vector] | Scalar | complex | np.generic"
    """What gives a vector beside a vector."""

Result = TypeVar("Result")
"""The class of the container that an expression computes."""

Method = Callable[[Any, Any], Any]


def both_sides(op: BinaryOp, how: str = "mult") -> tuple[Method, Method]:
    """The methods of a sign: with the operand on the left, and on the right."""
    return (
        lambda self, other: infix.combined(self, other, op, how),
        lambda self, other: infix.combined(other, self, op, how),
    )


class Signs:
    """The operator signs of Python."""

    shape: Shape
    dtype: Any

    __hash__ = object.__hash__
    __array_ufunc__ = None  # so that NumPy does not evaluate `number < v` itself

    if TYPE_CHECKING:  # what type checkers see: all signs are alike

        @overload
        def __add__(self: OneAxis, other: OfVectors) -> Expression[Vector]: ...
        @overload
        def __add__(self: OneAxis, other: MatrixProducts) -> Expression[Matrix]: ...
        @overload
        def __add__(self: TwoAxes, other: Any) -> Expression[Matrix]: ...
        @overload
        def __add__(self, other: Any) -> Expression[Any]: ...
        def __add__(self, other: Any) -> Expression[Any]: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __add__
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__  # type: ignore[assignment]
    else:
        __eq__, __ne__ = both_sides(BINARY["eq"])[0], both_sides(BINARY["ne"])[0]
        __lt__, __le__ = both_sides(BINARY["lt"])[0], both_sides(BINARY["le"])[0]
        __gt__, __ge__ = both_sides(BINARY["gt"])[0], both_sides(BINARY["ge"])[0]
        __add__, __radd__ = both_sides(BINARY["plus"], "add")
        __sub__, __rsub__ = both_sides(BINARY["minus"], "union")
        __mul__, __rmul__ = both_sides(BINARY["times"])
        __truediv__, __rtruediv__ = both_sides(BINARY["truediv"])
        __floordiv__, __rfloordiv__ = both_sides(BINARY["floordiv"])
        __mod__, __rmod__ = both_sides(mod)
        __pow__, __rpow__ = both_sides(BINARY["pow"])

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __xor__(self, other: Any) -> Any:
        return logical(infix.combined(self, other, BINARY["lxor"], "add"), "^")

    def __rxor__(self, other: Any) -> Any:
        return logical(infix.combined(other, self, BINARY["lxor"], "add"), "^")


class OfExpressions(Generic[Result]):
    """The signs of expressions of one class, for type checkers alone."""

    if TYPE_CHECKING:  # what type checkers see: all signs are alike

        @overload
        def __add__(self: OfExpressions[Vector], other: OfVectors) -> Expression[Vector]: ...
        @overload
        def __add__(self: OfExpressions[Vector], other: MatrixProducts) -> Expression[Matrix]: ...
        @overload
        def __add__(self: OfExpressions[Matrix], other: Any) -> Expression[Matrix]: ...
        @overload
        def __add__(self, other: Any) -> Expression[Any]: ...
        def __add__(self, other: Any) -> Expression[Any]: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __add__
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__  # type: ignore[assignment]

        def __neg__(self) -> Expression[Result]: ...
        def __abs__(self) -> Expression[Result]: ...
