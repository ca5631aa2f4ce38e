"""Loops in C++ for what would be too many short statements, called through cffi. They release the
interpreter's lock, so threads can run them at the same time.

``loops.h`` declares them for both sides. The library lies beside this file where the package was
built by a machine with a C++ compiler. Elsewhere, and after a change of the sources, it is compiled
when it is first wanted, and kept in ``lagraph_gpu.files.cache``. Without a compiler there is none:
the lowerings that need it say "not for these operands", and the operations run as statements.
"""

from __future__ import annotations

import functools
import platform
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from lagraph_gpu.cpu.native import compiler
from lagraph_gpu.cpu.native.callers import caller
from lagraph_gpu.files.cache import keep, kept
from lagraph_gpu.interrupts import held_back
from lagraph_gpu.reporting import LOG
from semirings import types

Lowering = TypeVar("Lowering", bound=Callable[..., Any])


class Library(NamedTuple):
    ffi: Any
    functions: Any


class Sharing(NamedTuple):
    """The enumerators of ``enum Sharing`` in ``loops.h``, which says what they mean."""

    MOST_PROCESSES: int
    BARRIER_BYTES: int
    LINE_BYTES: int


class Failures(NamedTuple):
    """The enumerators of ``enum Failure`` in ``loops.h``, which says what they mean."""

    NO_MEMORY: int
    ASYMMETRIC: int
    BROKEN: int
    DEEP: int
    NO_FOREST: int
    WRONG_TYPE: int
    LONG_SEARCH: int


@functools.cache
def declarations() -> Any:
    """What ``loops.h`` declares, for cffi: once, because types of two instances are different."""
    with held_back():  # its parser is imported when it first reads declarations
        import cffi  # python-graphblas brings it

        ffi = cffi.FFI()
        ffi.cdef((compiler.FOLDER / "loops.h").read_text())
    return ffi


@functools.cache
def library() -> Library | None:
    """The compiled loops; None if there is no library and it cannot be compiled."""
    ffi, path = declarations(), compiler.beside()
    try:
        return Library(ffi, ffi.dlopen(str(path)) if path.exists() else opened(ffi, compiled()))
    except OSError as problem:
        LOG.warning("the loops of the CPU backend run as statements: %s", problem)
        return None


def compiled() -> bytes:
    """The library as a file's content, compiled now or by an earlier process. Raises OSError."""
    key = ("loops", compiler.digest(), platform.machine())
    content = kept(key)
    if content is None:
        LOG.info("compiling the loops of the CPU backend")
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            compiler.build(Path(file.name))
            content = Path(file.name).read_bytes()
        keep(key, content)
    return content


def opened(ffi: Any, content: bytes) -> Any:
    """The library in this content. It stays in the process after its file is gone."""
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(content)
        file.flush()
        return ffi.dlopen(file.name)


@functools.cache
def sharing() -> Sharing:
    """The numbers of ``enum Sharing``; no process can meet another if there is no library."""
    found = library()
    if found is None:
        return Sharing(0, 0, 0)
    return Sharing(**found.ffi.typeof("enum Sharing").relements)


@functools.cache
def failures() -> Failures:
    """The numbers that loops return instead of a result."""
    found = library()
    assert found is not None, "only loops fail"
    return Failures(**found.ffi.typeof("enum Failure").relements)


@functools.cache
def codes() -> dict[np.dtype, int]:
    """The number by which loops know a type: the enumerators of ``enum Element`` in ``loops.h``."""
    found = library()
    assert found is not None, "only loops have types"
    numbers = found.ffi.typeof("enum Element").relements
    return {np.dtype(getattr(types, name)): number for name, number in numbers.items()}


def needs_library(lowering: Lowering) -> Lowering:
    """Wrap a lowering so that it is for no operands where there is no library."""

    @functools.wraps(lowering)
    def checked(*operands: Any, **options: Any) -> Any:
        return None if library() is None else lowering(*operands, **options)

    return checked  # type: ignore[return-value]


class Loop:
    """A function of the library. An array is one argument, a struct is one, and a type is none.

    Raises TypeError for another struct or an array of another type than the loop reads, and
    MemoryError.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @functools.cached_property
    def function(self) -> Any:
        """What ``loops.h`` declares under this name."""
        found = library()
        assert found is not None, "the table of lowerings asks for it first"
        return getattr(found.functions, self.name)

    @functools.cached_property
    def call(self) -> Callable[..., int]:
        """How arguments become the values that it takes, and the function is called."""
        found = library()
        assert found is not None, "the table of lowerings asks for it first"
        return caller(found.ffi, self.name, self.function, codes(), self.failed)

    def __call__(self, *arguments: Any) -> int:
        return self.call(*arguments)

    def failed(self, result: int, types_of: Iterable[np.dtype]) -> None:
        """Raise the error that the loop returns as its result, if it is one."""
        if result == failures().NO_MEMORY:
            raise MemoryError(f"for the loop {self.name}")
        if result == failures().WRONG_TYPE:
            given = ", ".join(map(str, types_of))
            raise TypeError(f"there are no elements of {given} in {self.name}")
