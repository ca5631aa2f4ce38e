"""`v += w` and similar statements: the result is stored in the container, in its own type."""

from __future__ import annotations

from typing import Any, Self

# That module imports this one, so its names are used only inside functions.
import lagraph_gpu.notation.expressions as expr
from lagraph_gpu.errors import WrongDimension
from lagraph_gpu.notation.checks import logical
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.infix import Operations, combined, is_operand
from semirings import BINARY, BinaryOp


class InPlace(Operations):
    """The assignment signs of a container."""

    def _take(self, expression: Any) -> Self:
        if not expression.shape:  # v @= v
            raise WrongDimension(
                f"expected an operation whose result has shape {self.shape}, got a number"
            )
        self << expression  # type: ignore[operator]
        return self

    def _joined(self, other: Any, op: BinaryOp, whole: Any) -> Self:
        """Accumulate an operand of the same shape, or compute the whole expression."""
        if isinstance(other, expr.Expression) and not other.shape:  # v += v @ v
            expect_computing()
        if not is_operand(other) or len(other.shape) != len(self.shape):
            return self._take(whole())
        self(accum=op) << other  # type: ignore[operator]
        return self

    def __iadd__(self, other: Any) -> Self:  # type: ignore[override]
        return self._joined(other, BINARY["plus"], lambda: self + other)

    def __isub__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self - other)

    def __imul__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self * other)

    def __imatmul__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self @ other)

    def __itruediv__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self / other)

    def __ifloordiv__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self // other)

    def __imod__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self % other)

    def __ipow__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(self**other)

    def __ixor__(self, other: Any) -> Self:
        logical(other, "^=")
        return self._joined(other, BINARY["lxor"], lambda: self ^ other)

    def __ior__(self, other: Any) -> Self:  # type: ignore[override]
        op = BINARY["lor"]
        logical(other, "|=")
        return self._joined(other, op, lambda: logical(combined(self, other, op, "add"), "|="))

    def __iand__(self, other: Any) -> Self:  # type: ignore[override]
        return self._take(logical(combined(self, other, BINARY["land"]), "&="))
