"""Public calls that fail in one process alone before they come to a statement: all others are told.

All hear of an error within a statement (`communicator.py`). But a wrong argument is found before
it, while the others are in it already, or come to it later. So where the cluster backend is used
the methods of which statements consist are guarded: an error that comes out of one into the program
is the error of all. Without that backend none of this costs anything.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from contextlib import suppress
from types import FunctionType
from typing import Any

from lagraph_gpu.backend import NAMED, resolve
from lagraph_gpu.calls.current_call import CALL_DESCRIBERS, announced
from lagraph_gpu.cluster.statement_text import call_text
from lagraph_gpu.errors import ON_ERROR, BackendUnavailable, LagraphError, TooLarge
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import guard_methods, is_heavy
from lagraph_gpu.notation import Matrix, Scalar, Vector
from lagraph_gpu.notation.aggregators import Aggregator
from lagraph_gpu.notation.composites import Held
from lagraph_gpu.notation.expressions import Infix, MatMul, Transposed
from lagraph_gpu.notation.handle import Updater
from lagraph_gpu.notation.indexed import Part
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.scalar import ScalarUpdater
from lagraph_gpu.notation.suitesparse import MatrixEntries, VectorEntries

MADE_BY_PROGRAMS = Graph, Matrix, Scalar, Vector
"""The classes that a program calls."""

MADE_BY_METHODS = (
    Aggregator, Held, Infix, MatMul, Mask, MatrixEntries, Part, ScalarUpdater, Transposed, Updater,
    VectorEntries,
)  # fmt: skip
"""The classes of what lies between a container and the end of a statement."""


def guard_all_calls() -> None:
    """Guard the methods of which statements consist, and tell all others of their errors and of
    those of public functions."""
    announce_methods(Graph)
    for cls in {base for kind in MADE_BY_PROGRAMS + MADE_BY_METHODS for base in kind.__mro__}:
        if cls.__module__.startswith("lagraph_gpu."):
            guard_methods(cls, is_call_or_init if cls in MADE_BY_PROGRAMS else is_call)
    ON_ERROR.append(tell_others)
    CALL_DESCRIBERS.append(call_text)


def announce_methods(cls: type) -> None:
    """Let it be known of the public methods of a class and of its bases in which of them a program
    is."""
    for base in cls.__mro__:
        for name, member in list(vars(base).items()):
            if base.__module__.startswith("lagraph_gpu.") and is_heavy(name, member):
                known_as = f"{cls.__name__}.{name}"
                if isinstance(member, FunctionType):
                    setattr(base, name, announced(member, known_as))
                elif isinstance(member, classmethod):
                    setattr(base, name, classmethod(announced(member.__func__, known_as)))


def is_call(name: str, _: Any = None) -> bool:
    """Whether programs call a method of this name: it is public, or what an operator or a sign of
    Python calls. `__index__`, `__hash__`, `__setattr__` and others are tried with any object."""
    signs = {name, name.replace("__r", "__", 1)} - {"__index__"}
    return name[0] != "_" or name == "_with_op" or not signs.isdisjoint(vars(operator))


def is_call_or_init(name: str, _: Any = None) -> bool:
    return name == "__init__" or is_call(name)


def tell_others(error: Exception, given: Sequence[Any]) -> None:
    """Let all processes raise the error of a call in this one, if it is on the cluster: by an
    operand, by the backend that is given, or else by the one in force.

    Where memory is short for a call with an operand, nobody is told: this process may be reading
    values, which the others have read already.
    """
    homes = [home for one in given if (home := home_of(one)) is not None]
    if homes and isinstance(error, TooLarge) and error.of_memory:
        return
    homes += [one for one in given if hasattr(one, "free_bytes")]
    if not homes:
        names = [one for one in given if isinstance(one, str) and one in NAMED]
        with suppress(BackendUnavailable):
            homes = [resolve(*names[:1])]
    for home in homes:
        if hasattr(home, "distribution"):
            home.distribution.comm.tell(error)


def home_of(operand: Any) -> Any:
    """The backend of an operand, or of what is written to; None for all else."""
    if isinstance(operand, type):
        return None
    written = getattr(operand, "out", getattr(operand, "handle", operand))
    written = getattr(written, "_container", written)  # of `v.ss`
    with suppress(LagraphError):  # operands of two backends have none
        return getattr(written, "backend", None)
    return None
