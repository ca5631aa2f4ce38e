"""Operations: functions of containers that are defined by statements.

An operation says what is computed, in statements that run on every backend. A backend may be able
to do all of it at once, in one kernel or one compiled loop. Such a function is its *lowering* of
the operation, and `backend.lowerings` is the table of them. A lowering takes the operands of the
operation and returns what the statements would compute, or None if it does not support these
operands. A backend without lowerings is complete, and slower.

There are two kinds of operations:

- Most compute something. Their statements are the definition, and `tests/test_lowerings.py`
  compares each lowering with them, and `tests/cluster/test_lowerings.py` those of the cluster.
- A few are hooks: requests to a backend that no statement can express. They ask whether closures
  gain from a layout (`uses_layouts`), ask and change where entries are stored (`spilled_to_host`,
  `moved_to_device`, `spilled_bytes`, `larger_backend`), and continue a loop of the caller
  (`small_rounds`). Their statements do nothing, and return what a backend without such a thing
  would: False, 0 or None. The caller then goes on by itself, so results do not depend on hooks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from lagraph_gpu.convert import edge_list
from lagraph_gpu.notation.infix import Operations

P = ParamSpec("P")
R = TypeVar("R")
Lower = TypeVar("Lower", bound=Callable[..., Any])


class Operation(Generic[P, R]):
    """A function that a backend may carry out in its own way.

    The first operand determines the backend. It is a container, a graph, or the backend itself if
    there is no operand yet.
    """

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
    """The lowering that the backend of an operand has for an operation, or None. Lowerings number
    positions with 32 bits, so of a larger container, or a graph of one, there are only those of
    `any_size`."""
    backend = getattr(operand, "backend", operand)
    found = backend.lowerings.get(operation)
    if found is None or getattr(found, "any_size", False):
        return found  # type: ignore[no-any-return]
    container = operand if isinstance(operand, Operations) else getattr(operand, "A", None)
    if container is not None and (shape := container.shape) and max(shape) > edge_list.MAX_VERTICES:
        return None
    return found  # type: ignore[no-any-return]


def any_size(lower: Lower) -> Lower:
    """Mark a lowering that numbers positions with 64 bits where there are so many."""
    lower.any_size = True  # type: ignore[attr-defined]
    return lower


def operation(statements: Callable[P, R]) -> Operation[P, R]:
    """A decorator that makes an operation of the function that defines it.

    >>> import lagraph_gpu as lg
    >>> @operation
    ... def doubled(v):
    ...     return v.apply("times", 2).new()
    >>> doubled(lg.Vector.from_dense([1, 2], backend="cpu")).to_dense().tolist()
    [2, 4]
    """
    return Operation(statements)
