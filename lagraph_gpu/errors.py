"""The errors of this library.

Every message says what was expected, what came and what to do. If python-graphblas has a name for
an error, this library uses it. Each class is also the built-in exception that a Python programmer
would catch (`ValueError`, `IndexError`, …). The errors of the algebra are in `semirings.errors`,
with the same root class; `DomainMismatch` is its `DomainError`.
"""

from __future__ import annotations

import errno
import functools
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lagraph_gpu.interrupts import held_back
from semirings.errors import AlreadyDefined, InvalidValue, LagraphError, WrongKind, WrongType
from semirings.errors import DomainError as DomainMismatch
from semirings.errors import brief as brief
from semirings.errors import grouped as grouped

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


class DimensionMismatch(LagraphError, ValueError):
    """Shapes or sizes do not fit."""


class NegativeSize(DimensionMismatch, OverflowError):
    """A size or a number of rows or columns is below zero."""


class FileMissing(InvalidValue, FileNotFoundError):
    """There is no file of this name."""


class UnknownKeyword(InvalidValue, WrongType):
    """A keyword that a function or a setting does not have."""


class UnknownColumn(InvalidValue, KeyError):
    """A graph has no data of this name about its vertices or edges."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show it as a literal


class WrongDimension(DimensionMismatch, WrongType):
    """A vector stands where a matrix is needed, or the other way about, or a size is no integer.

    It is a `TypeError` as in python-graphblas.
    """


class IndexOutOfBound(LagraphError, IndexError):
    """A vertex or an index is outside its range."""


class OutputNotEmpty(LagraphError, ValueError):
    """A container that is to be built already holds entries."""


class EmptyObject(WrongType):
    """A scalar without a value stands where a number is needed."""


class InvalidObject(InvalidValue):
    """The bytes of a container that was serialized are damaged, or are something else."""


class OutsideShape(IndexOutOfBound, InvalidObject):
    """Compressed rows or dicts have an id outside of the shape that is given beside them."""


class DuplicateEdges(InvalidValue):
    """An edge or a position is given twice, and nothing says what that means."""


class UnsortedRows(InvalidValue):
    """The ids of compressed rows are out of order or occur twice.

    Nothing else is wrong with the rows.
    """


class NegativeWeight(InvalidValue):
    """A weight is below zero, but the algorithm needs weights that never improve a path."""


class NoFixpoint(LagraphError, ArithmeticError):
    """A closure has no fixpoint. Usually some cycle improves the values on it without end."""


class NegativeCycle(NoFixpoint):
    """Shortest paths do not exist, because a cycle of negative length can be reached."""


class NotConverged(LagraphError, ArithmeticError):
    """An iteration has not converged within the rounds allowed.

    Parameters
    ----------
    message : str
        What happened and what to do.
    residual : float, optional
        The change in the last round.
    iterations : int, optional
        The number of rounds.
    """

    def __init__(self, message: str, residual: float = math.nan, iterations: int = 0) -> None:
        self.message, self.residual, self.iterations = message, residual, iterations
        super().__init__(message, residual, iterations)

    def __str__(self) -> str:
        return self.message


class DistanceOverflow(LagraphError, OverflowError):
    """The type of the weights or of the answer cannot hold a distance.

    The error is raised also if only the longest conceivable path might not fit.
    """


class HasCycle(InvalidValue):
    """The graph has a cycle, but the algorithm needs a directed graph without one."""


class NotBipartite(InvalidValue):
    """The graph has a cycle of odd length, but the algorithm needs a graph with two sides."""


class MissingLaw(LagraphError, TypeError):
    """A semiring lacks a law that an operation needs."""


class BackendMismatch(LagraphError, TypeError):
    """The operands are on different backends."""


class BackendUnavailable(LagraphError, RuntimeError):
    """A backend was asked for that cannot work on this machine."""


class TooLarge(LagraphError, MemoryError):
    """The data does not fit: there are too many vertices, or it needs more memory than is free."""

    of_memory = False
    """True if more free memory is all that was missing."""


class SizeTooLarge(TooLarge, InvalidValue):
    """A size is above `MAX_SIZE`."""


class MissingPackage(LagraphError, ImportError):
    """A package that is not required by all is needed here, and cannot be imported."""


class UnsupportedOperation(LagraphError, NotImplementedError):
    """A backend or a file format does not have this operation."""


class VerificationError(LagraphError, AssertionError):
    """A result violates a property that every right answer has."""


class FormatError(LagraphError, ValueError):
    """A file cannot be read. The message names the file and, if there is one, the line.

    Parameters
    ----------
    message : str
        What was expected, what came and what to do.
    path : str or path, optional
        The file.
    line : int, optional
        The number of the line, counted from 1.
    """

    def __init__(self, message: str, path: str | Path = "", line: int | None = None) -> None:
        self.message, self.path, self.line = message, str(path), line
        super().__init__(message, self.path, line)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.message}" if place else self.message


class PathError(FormatError, OSError):
    """A file or a folder is missing, or in the way, and nothing is wrong with what it holds.

    It is an error of the system, too: `errno`, `strerror` and `filename` are those of an `OSError`.

    Parameters
    ----------
    message : str
        What was expected, what came and what to do.
    path : str or path, optional
        The file or the folder.
    """

    number: int = errno.EIO
    """The number that the system has for it."""

    def __init__(self, message: str, path: str | Path = "") -> None:
        super().__init__(message, path)
        self.args = message, self.path  # what the constructor takes: copies are made of them
        self.errno, self.strerror, self.filename = self.number, os.strerror(self.number), self.path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.path)


class NoSuchFile(PathError, FileNotFoundError):
    """There is no file or folder of this name."""

    number = errno.ENOENT


class FileExists(PathError, FileExistsError):
    """There is a file or a folder where a new one is to be written."""

    number = errno.EEXIST


def in_short(thing: object) -> str:
    """What stood in a file, or another library says of it, in a length that can be read."""
    message = str(thing)
    return message if len(message) <= 200 else message[:197] + "..."


def did_you_mean(
    word: object,
    known: Iterable[object],
    show: Callable[[str], str] = repr,
    cutoff: float = 0.6,
) -> str:
    """The end of a message: the known words that are spelt nearly as this one, or nothing.

    `cutoff` says how much of both words has to be the same, as for `difflib`. Of a word of two
    letters one is enough.

    >>> did_you_mean("sorce", ["source", "target"]), did_you_mean("km", ["source", "target"])
    ("; did you mean 'source'?", '')
    >>> did_you_mean("kn", ["source", "target", "km"])
    "; did you mean 'km'?"
    """
    from difflib import get_close_matches

    if len(str(word)) == 2:
        cutoff = min(cutoff, 0.5)

    lower = {str(name).lower(): str(name) for name in known}
    near = [lower[name] for name in get_close_matches(str(word).lower(), lower, 3, cutoff)]
    return f"; did you mean {' or '.join(map(show, near))}?" if near else ""


ELSEWHERE = {
    "damping": "alpha", "damping_factor": "alpha", "reset": "personalization", "root": "source",
    "eps": "tol", "epsilon": "tol", "tolerance": "tol",
}  # fmt: skip
"""What keywords of other libraries are called here."""

INSTEAD = {
    ("from_edges", "dst"): "; if these are pairs, take their ends apart: from_edges(*zip(*pairs))",
    ("from_coo", "columns"): "; Vector.from_coo takes one list of positions",
}
"""By a function and an argument that was not given: what else may have been meant."""


def expect_given(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Raises UnknownKeyword for a keyword that a function lacks, and WrongType if an argument that
    it needs was not given."""
    import inspect

    expect_spelt(function, named)
    takes = inspect.signature(function).parameters
    needed = [
        name for name, p in takes.items()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]  # fmt: skip
    given = {*list(takes)[: len(arguments)], *named}
    missing = next((name for name in needed if name not in given), None)
    if missing is not None:
        called, own = function.__name__, ("self", "cls")
        raise WrongType(
            f"expected {' and '.join(name for name in needed if name not in own)} in {called}, "
            f"got no {missing}{INSTEAD.get((called, missing), '')}"
        )


def expect_spelt(function: Callable[..., Any], named: dict[str, Any]) -> None:
    """Raises UnknownKeyword, with the nearest names, for a keyword that a function lacks."""
    import inspect

    takes = inspect.signature(function).parameters
    unknown = next((name for name in named if name not in takes), None)
    if unknown is not None and all(p.kind is not p.VAR_KEYWORD for p in takes.values()):
        known = [name for name in takes if name not in ("self", "cls")]
        called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
        here = ELSEWHERE.get(unknown)
        raise UnknownKeyword(
            f"expected keywords of {called} ({', '.join(known)}), got {unknown!r}"
            + (f"; here it is {here!r}" if here in known else did_you_mean(unknown, known))
        )


def spelt(function: Function) -> Function:
    """Wrap a function so that it tells the nearest names of a keyword that it does not have.

    `memory.guarded` does it too.
    """

    @functools.wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except TypeError:
            expect_spelt(function, named)
            raise

    return called  # type: ignore[return-value]


def spelt_fields(cls: Class) -> Class:
    """Wrap the constructor of a class by `spelt`, and return the class."""
    cls.__init__ = spelt(cls.__init__)  # type: ignore[misc]
    return cls


NO_EXTRA = "torch", "igraph", "sparse", "awkward"
"""Packages that are installed under their own names, because no extra of ours brings them."""


def required(module: str, what: str, extra: str, instead: str = "") -> Any:
    """A module that not all need, imported.

    Raises MissingPackage, which names the extra that brings it; `what` is what it is for, and
    `instead` what else to do.
    """
    import importlib

    name = module.partition(".")[0]
    try:
        with held_back():
            importlib.import_module(name)
            return importlib.import_module(module)
    except ImportError as missing:
        wheel = extra if extra in NO_EXTRA else f"'lagraph-gpu[{extra}]'"
        raise MissingPackage(
            f"expected the package {name} for {what}, but it cannot be imported ({missing}); "
            f"pip install {wheel}{f', or {instead}' if instead else ''}",
            name=name,
        ) from missing


OURS = os.path.join(os.path.dirname(__file__), "")
"""How the names of the files of this package begin, with the separator at the end: a program may be
in a folder whose name only begins as ours."""


def warn_caller(message: str, kind: type[Warning]) -> None:
    """Warn at the line outside of this package that made the call.

    This also works if the package calls another library (Numba) that calls this package.
    """
    frame, level, outside = sys._getframe().f_back, 2, 2
    while frame is not None:
        if frame.f_code.co_filename.startswith(OURS):
            outside = level + 1
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, outside)


ON_ERROR: list[Callable[[Exception, Sequence[Any]], None]] = []
"""Functions of an error and the arguments of the public call that raises it, called before the
program sees it. Of several processes one alone may have met it, while the others wait for it."""


def tell_of(error: Exception, given: Sequence[Any]) -> None:
    """Tell others of an error in a public call, unless the library itself has made the call: then
    it may handle the error or put it into other words. What wraps the function calls this."""
    if not sys._getframe(2).f_code.co_filename.startswith(OURS):
        for respond in ON_ERROR:
            respond(error, given)


__all__ = [
    "AlreadyDefined",
    "BackendMismatch",
    "BackendUnavailable",
    "DimensionMismatch",
    "DistanceOverflow",
    "DomainMismatch",
    "DuplicateEdges",
    "EmptyObject",
    "FileExists",
    "FileMissing",
    "FormatError",
    "HasCycle",
    "IndexOutOfBound",
    "InvalidObject",
    "InvalidValue",
    "LagraphError",
    "MissingLaw",
    "MissingPackage",
    "NegativeCycle",
    "NegativeSize",
    "NegativeWeight",
    "NoFixpoint",
    "NoSuchFile",
    "NotBipartite",
    "NotConverged",
    "OutputNotEmpty",
    "OutsideShape",
    "SizeTooLarge",
    "TooLarge",
    "UnknownColumn",
    "UnknownKeyword",
    "UnsortedRows",
    "UnsupportedOperation",
    "VerificationError",
    "WrongDimension",
    "WrongKind",
    "WrongType",
]
