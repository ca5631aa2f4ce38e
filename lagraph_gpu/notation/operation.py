"""Operations: functions of containers that are defined by statements.

An operation says what is computed, in statements that run on every backend. A backend may be able
to do all of it in one go, as one kernel or one compiled loop: such a function is its *lowering* of
the operation, and ``backend.lowerings`` is the table of them. A lowering takes the operands of the
operation and returns what the statements would leave, or None where it has nothing for these
operands. A backend without lowerings is complete, and slower.

``tests/test_lowerings.py`` runs each lowering beside the statements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Operation(Generic[P, R]):
    """A function whose first operand says on which backend it runs: a container, a graph, or the
    backend itself where there is no operand yet."""

    def __init__(self, statements: Callable[P, R]) -> None:
        functools.update_wrapper(self, statements)
        self.statements = statements
        """The definition, whatever the backend has."""

    def __call__(self, *operands: P.args, **options: P.kwargs) -> R:
        lower = lowering(self, operands[0])
        made = None if lower is None else lower(*operands, **options)
        return self.statements(*operands, **options) if made is None else made

    def __repr__(self) -> str:
        return f"<operation {self.__qualname__}>"  # type: ignore[attr-defined]


def lowering(operation: Operation[Any, R], operand: Any) -> Callable[..., R | None] | None:
    """What the backend of an operand has for an operation, or None."""
    backend = getattr(operand, "backend", operand)
    return backend.lowerings.get(operation)  # type: ignore[no-any-return]


def operation(statements: Callable[P, R]) -> Operation[P, R]:
    """Makes an operation of the function that defines it.

    >>> import lagraph_gpu as lg
    >>> @operation
    ... def doubled(v):
    ...     return v.apply("times", 2).new()
    >>> doubled(lg.Vector.from_dense([1, 2], backend="cpu")).to_dense().tolist()
    [2, 4]
    """
    return Operation(statements)
