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

import _cffi_backend  # type: ignore[import-untyped]  # of cffi, which python-graphblas brings
import numpy as np

from lagraph_gpu.cpu.native import compiler
from lagraph_gpu.cpu.native.structs import STRUCTS
from lagraph_gpu.files.cache import keep, kept
from lagraph_gpu.interrupts import held_back
from lagraph_gpu.reporting import LOG
from semirings import types

Lowering = TypeVar("Lowering", bound=Callable[..., Any])

ELEMENTS: dict[str, np.dtype] = {
    "int32_t": np.dtype(np.int32),
    "int64_t": np.dtype(np.int64),
    "uint64_t": np.dtype(np.uint64),
    "uint8_t": np.dtype(np.uint8),
    "double": np.dtype(np.float64),
    "_Bool": np.dtype(np.bool_),
}
"""The types of arrays in ``loops.h``."""


pointer: Callable[[Any, np.ndarray], Any] = _cffi_backend.FFI().from_buffer
"""The pointer of an array, by the part of cffi in C, without the checks of ``cffi.FFI``."""


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


@functools.cache
def library() -> Library | None:
    """The compiled loops; None if there is no library and it cannot be compiled."""
    with held_back():  # its parser is imported when it first reads declarations
        import cffi  # python-graphblas brings it

        ffi = cffi.FFI()
        ffi.cdef((compiler.FOLDER / "loops.h").read_text())
    path = compiler.beside()
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


class Array(NamedTuple):
    """An array among the parameters of a loop."""

    dtype: np.dtype | None
    """The type of its elements; None if the call says it."""
    kind: Any
    """The type of the array for cffi."""
    code: int
    """Where that says of which type its elements are, the place of it among the values."""


class Field(NamedTuple):
    """An array among the fields of a struct."""

    dtype: np.dtype
    """The type of its elements."""
    kind: Any
    """The type of the array for cffi."""


class Struct(NamedTuple):
    """A struct among the parameters of a loop."""

    kind: Any
    """The class of tuples that have its fields."""
    fields: list[Field | None] | None
    """None for a number. Instead of a list of numbers there is None."""
    keep: Callable[[Any], Any] | None
    """Makes the struct in C, if tuples of this class keep theirs."""


class Signature(NamedTuple):
    """A function of the library, and how arguments become the values that it takes."""

    function: Any
    parameters: list[Array | Struct | None]
    """None for a number."""


def signature(name: str) -> Signature:
    """What ``loops.h`` declares under this name."""
    found = library()
    assert found is not None, "the table of lowerings asks for it first"
    function = getattr(found.functions, name)
    kinds = found.ffi.typeof(function).args
    return Signature(function, parameters_of(found.ffi, kinds))


def parameters_of(ffi: Any, declared: Iterable[Any]) -> list[Array | Struct | None]:
    """The parameters of a loop, by their types in C."""
    parameters: list[Array | Struct | None] = []
    kinds = enumerate(declared)
    code = -1
    for place, kind in kinds:
        if kind.kind == "pointer" and kind.item.kind == "struct":
            parameters.append(struct_of(ffi, kind.item))
        elif kind.kind == "pointer":
            element = "char" if kind.item.cname == "void" else kind.item.cname
            parameters.append(Array(ELEMENTS.get(element), ffi.typeof(f"{element}[]"), code))
            next(kinds)  # its size
        elif kind.cname == "int":
            code = place
        else:
            parameters.append(None)
    return parameters


def struct_of(ffi: Any, declared: Any) -> Struct:
    """A struct by its type in C."""
    struct = STRUCTS[declared.cname]
    names, members = zip(*declared.fields)
    own = tuple(name for name in names if not name.endswith("_size"))
    assert own == struct._fields, f"{struct.__name__} is another one in loops.h"
    fields: list[Field | None] = []
    kinds = (member.type for member in members)
    for kind in kinds:
        if kind.kind == "pointer":
            element = kind.item.cname
            fields.append(Field(ELEMENTS[element], ffi.typeof(f"{element}[]")))
            next(kinds)  # its size
        else:
            fields.append(None)
    keep = functools.partial(ffi.new, f"{declared.cname}*") if hasattr(struct, "in_c") else None
    return Struct(struct, fields if any(fields) else None, keep)


def values_of(x: Any, struct: Struct) -> tuple[Any, ...]:
    """The values of the fields of a struct in C. Raises TypeError for an array of another type."""
    kind, fields, _ = struct
    if fields is None:
        return tuple(x)
    values: list[Any] = []
    for value, field in zip(x, fields):
        if field is None:
            values.append(value)
        else:
            dtype, array = field
            if value.dtype is not dtype and value.dtype != dtype:
                raise TypeError(
                    f"expected an array of {dtype} in {kind.__name__}, got {value.dtype}"
                )
            values += pointer(array, value), value.size
    return tuple(values)


class Loop:
    """A function of the library. An array is one argument, a struct is one, and a type is none.

    Raises TypeError for another struct or an array of another type than the loop reads, and
    MemoryError.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @functools.cached_property
    def signature(self) -> Signature:
        return signature(self.name)

    def __call__(self, *arguments: Any) -> int:
        function, parameters = self.signature
        values: list[Any] = []
        common: dict[int, np.dtype] = {}
        for x, parameter in zip(arguments, parameters, strict=True):
            if parameter is None:
                values.append(x)
            elif isinstance(parameter, Struct):
                if type(x) is not parameter.kind:
                    given = f"{parameter.kind.__name__} for {self.name}, got {type(x).__name__}"
                    raise TypeError(f"expected {given}")
                if parameter.keep is None:
                    values.append([values_of(x, parameter)])
                    continue
                if x.in_c is None:
                    held = values_of(x, parameter)
                    x.in_c = parameter.keep(held), held
                values.append(x.in_c[0])
            else:
                dtype, kind, code = parameter
                if x.dtype is not dtype:
                    if dtype is None:
                        dtype = common.setdefault(code, x.dtype)
                    if x.dtype != dtype:
                        given = f"{dtype} for {self.name}, got {x.dtype}"
                        raise TypeError(f"expected an array of {given}")
                values += pointer(kind, x), x.size
        for code, dtype in common.items():  # in the order of the places
            values.insert(code, codes()[dtype])
        result: int = function(*values)
        if result < 0:
            if result == failures().NO_MEMORY:
                raise MemoryError(f"for the loop {self.name}")
            if result == failures().WRONG_TYPE:
                given = ", ".join(map(str, common.values()))
                raise TypeError(f"there are no elements of {given} in {self.name}")
        return result
