"""The class `Computed`: what an expression is beside its operation."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

# That module imports this one, so its names are used only inside functions.
import lagraph_gpu.notation.expressions as expr
from lagraph_gpu.display import View
from lagraph_gpu.errors import WrongType
from lagraph_gpu.notation import views
from lagraph_gpu.notation.attributes import name_what_is_elsewhere, without_what_is_elsewhere
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.infix import Operations
from lagraph_gpu.notation.nesting import always_shallow
from lagraph_gpu.notation.totals import Totals

MUTATORS = frozenset(("build", "clear", "put", "resize"))
"""Methods of containers that an expression does not offer, though it has them: what they change is
a result that nobody keeps."""


class Computed(Operations, Totals):
    """An expression: it computes itself when a method of a container is called on it."""

    _depth, _bare = 1, False

    def __init_subclass__(cls, checks_depth: bool = False) -> None:
        """`checks_depth` says that the class itself computes operands that are too deep."""
        super().__init_subclass__()
        if not checks_depth:
            always_shallow(cls)

    def _view(self, read: bool = True, picture: bool = False) -> View:
        return views.of_expression(self)

    if TYPE_CHECKING:  # see OfResult

        def __getattr__(self, name: str) -> Any: ...

    def __dir__(self) -> list[str]:
        names = without_what_is_elsewhere(super().__dir__())
        return [name for name in names if name not in MUTATORS and not name.startswith("from_")]

    def __getitem__(self, index: Any) -> Any:
        expect_computing()
        return self.new()[index]  # type: ignore[operator]

    def __contains__(self, index: Any) -> bool:
        return index in self.new()  # type: ignore[operator]

    def __iter__(self) -> Any:
        return iter(self.new())  # type: ignore[operator]

    def __bool__(self) -> bool:
        return super().__bool__() if self.shape else bool(self._number())

    def __eq__(self, other: object) -> Any:
        return super().__eq__(other) if self.shape else self._number() == other

    def __ne__(self, other: object) -> Any:
        return super().__ne__(other) if self.shape else self._number() != other

    __hash__ = object.__hash__

    def _in_place(self, other: Any, sign: str) -> Any:
        """Refuse `e += other`: an expression holds no entries that could change."""
        raise WrongType(
            f"expected a container on the left of {sign}=, got an expression; write "
            f"e = e {sign} other, or compute it first with .new()"
        )

    def _number(self) -> Any:
        """The scalar that the expression computes."""
        expect_computing()
        return self.new()  # type: ignore[operator]

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._number(), digits)

    def __format__(self, spec: str) -> str:
        return format(self._number(), spec) if spec else str(self)


class OfResult:
    """An attribute of an expression that its result has: to read it computes the expression.

    Each is set by its name, as `Elsewhere` is, since `__getattr__` would slow all others down.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, node: Any, kind: type) -> Any:
        if node is None:
            return self
        if not hasattr(expr.above()[0][len(node.shape)], self.name):
            message = f"{kind.__name__!r} object has no attribute {self.name!r}"
            raise AttributeError(message, name=self.name, obj=node)
        if self.name not in ("size", "nrows", "ncols") and isinstance(node, expr.Expression):
            expect_computing()
        return getattr(node.new(), self.name)


def compute_when_read(kinds: Iterable[type]) -> None:
    """Let expressions have the public attributes of these classes of results."""
    own = {*dir(Computed), "shape", "dtype", "backend"}
    for name in {name for kind in kinds for name in dir(kind) if name[0] != "_"} - own:
        setattr(Computed, name, OfResult(name))
    name_what_is_elsewhere(Computed)


SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "matmul": "@", "truediv": "/", "floordiv": "//", "mod": "%",
    "pow": "**", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
for _name, _sign in SIGNS.items():
    setattr(Computed, f"__i{_name}__", functools.partialmethod(Computed._in_place, sign=_sign))
