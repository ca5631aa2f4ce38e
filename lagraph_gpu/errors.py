"""What can go wrong, by name.

Every message says what was expected, what came and what to do. Where python-graphblas has a name
for a failure we use it, and each class is also the built-in exception a Python programmer would
catch (``ValueError``, ``IndexError``, …). What the algebra refuses has the same root, which is in
``semirings.errors``; DomainMismatch is its DomainError.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from semirings.errors import DomainError as DomainMismatch
from semirings.errors import InvalidValue, LagraphError, WrongType


class DimensionMismatch(LagraphError, ValueError):
    """Shapes that do not fit each other."""


class IndexOutOfBound(LagraphError, IndexError):
    """A vertex or an index outside its range."""


class OutputNotEmpty(LagraphError, ValueError):
    """A container that is to be built and holds entries already."""


class DuplicateEdges(InvalidValue):
    """The same edge twice, and no policy that says what it should mean."""


class UnsortedRows(InvalidValue):
    """Compressed rows with ids out of order or given twice, and nothing else wrong with them."""


class NegativeWeight(InvalidValue):
    """A weight below zero where an algorithm needs weights that never improve a path."""


class NoFixpoint(LagraphError, ArithmeticError):
    """A closure that has not come to rest: some cycle improves on itself, as a rule for ever."""


class NegativeCycle(NoFixpoint):
    """Shortest paths that do not exist: a cycle of negative length can be reached."""


class NotConverged(LagraphError, ArithmeticError):
    """An iteration that has not settled within the rounds allowed; says how far it came."""

    def __init__(self, message: str, residual: float, iterations: int) -> None:
        self.message, self.residual, self.iterations = message, residual, iterations
        super().__init__(message, residual, iterations)

    def __str__(self) -> str:
        return self.message


class DistanceOverflow(LagraphError, OverflowError):
    """A distance that the type of the weights, or of the answer, cannot hold; or that might not be
    held, by the longest conceivable path."""


class TooManyPaths(LagraphError, OverflowError):
    """More shortest paths between two vertices than FP64 can count."""


class HasCycle(InvalidValue):
    """A cycle where an algorithm needs a directed graph without one."""


class NotBipartite(InvalidValue):
    """A cycle of odd length where an algorithm needs a graph with two sides."""


class MissingLaw(LagraphError, TypeError):
    """A semiring that lacks the law an operation rests on."""


class BackendMismatch(LagraphError, TypeError):
    """Operands that live on different backends."""


class BackendUnavailable(LagraphError, RuntimeError):
    """A backend that was demanded and cannot work on this machine."""


class TooLarge(LagraphError, MemoryError):
    """Data that does not fit: too many vertices, or more bytes than are free."""


class UnsupportedOperation(LagraphError, NotImplementedError):
    """An operation that a backend does not have."""


class VerificationError(LagraphError, AssertionError):
    """A result that violates a property every right answer has."""


class FormatError(LagraphError, ValueError):
    """A file that cannot be read; it names the file, and the line where there is one."""

    def __init__(self, path: str | Path, line: int | None, message: str) -> None:
        self.path, self.line, self.message = str(path), line, message
        super().__init__(path, line, message)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.message}"


OURS = str(Path(__file__).parent)


def warn_caller(message: str, kind: type[Warning]) -> None:
    """A warning that points at the line outside of this package which asked for what warns, also
    if others (numba) are called by us and call us in turn."""
    frame, level, outside = sys._getframe().f_back, 2, 2
    while frame is not None:
        if frame.f_code.co_filename.startswith(OURS):
            outside = level + 1
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, outside)


__all__ = [
    "BackendMismatch",
    "BackendUnavailable",
    "DimensionMismatch",
    "DistanceOverflow",
    "DomainMismatch",
    "DuplicateEdges",
    "FormatError",
    "HasCycle",
    "IndexOutOfBound",
    "InvalidValue",
    "LagraphError",
    "MissingLaw",
    "NegativeCycle",
    "NegativeWeight",
    "NoFixpoint",
    "NotBipartite",
    "NotConverged",
    "OutputNotEmpty",
    "TooLarge",
    "TooManyPaths",
    "UnsortedRows",
    "UnsupportedOperation",
    "VerificationError",
    "WrongType",
]
