"""Functions that call compiled loops, each written for its loop by what ``loops.h`` declares.

A function that goes over the parameters takes 6 µs for a loop with four structs, one that is
written out 3.4. The answer of an algorithm on ten vertices takes some of these calls, and little
else.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import _cffi_backend  # type: ignore[import-untyped]  # of cffi, which python-graphblas brings
import numpy as np

from lagraph_gpu.cpu.native.structs import STRUCTS

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

Failed = Callable[[int, Iterable[np.dtype]], None]
"""Raises the error that a loop tells by such a number, if it is one; the types are those of the
arrays whose type the call says."""


class Text:
    """The lines of a function of Python, and the objects that they name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.objects: dict[str, Any] = {
            "pointer": pointer,
            "refuse": refuse,
            "refuse_array": refuse_array,
        }

    def named(self, thing: Any) -> str:
        """A name for an object."""
        name = f"k{len(self.objects)}"
        self.objects[name] = thing
        return name

    def array(self, ffi: Any, x: str, element: str, owner: str) -> str:
        """Check that x is an array of these elements, and return what C takes: where it is, and its
        size."""
        dtype = self.named(ELEMENTS[element])
        self.lines.append(
            f"if {x}.dtype is not {dtype} and {x}.dtype != {dtype}: "
            f"refuse_array({dtype}, {owner!r}, {x})"
        )
        return self.given(ffi, x, element)

    def given(self, ffi: Any, x: str, element: str) -> str:
        return f"pointer({self.named(ffi.typeof(f'{element}[]'))}, {x}), {x}.size"

    def function(self, parameters: Iterable[str]) -> Callable[..., Any]:
        body = "".join(f"\n    {line}" for line in self.lines)
        exec(f"def call({', '.join(parameters)}):{body}", self.objects)
        made: Callable[..., Any] = self.objects["call"]
        return made


def refuse(expected: str, owner: str, got: object) -> None:
    raise TypeError(f"expected {expected} {owner}, got {got}")


def refuse_array(dtype: np.dtype, owner: str, x: np.ndarray) -> None:
    refuse(f"an array of {dtype}", owner, x.dtype)


@functools.cache
def fields_of(ffi: Any, declared: Any) -> Callable[[Any], tuple[Any, ...]]:
    """What makes of a struct the values of its fields in C, by its type there. Raises TypeError for
    an array of another type."""
    struct = STRUCTS[declared.cname]
    names, members = zip(*declared.fields)
    own = tuple(name for name in names if not name.endswith("_size"))
    assert own == struct._fields, f"{struct.__name__} is another one in loops.h"
    text, values = Text(), []
    text.lines.append(f"{', '.join(own)}, = struct")
    kinds = (member.type for member in members)
    for name, kind in zip(own, kinds):
        if kind.kind == "pointer":
            values.append(text.array(ffi, name, kind.item.cname, f"in {struct.__name__}"))
            next(kinds)  # its size
        else:
            values.append(name)
    text.lines.append(f"return ({', '.join(values)},)")
    return text.function(["struct"])


def kept(ffi: Any, declared: Any) -> Callable[[Any], Any]:
    """What makes a struct in C and keeps it with the tuple, beside the pointers in it."""
    fields, kind = fields_of(ffi, declared), f"{declared.cname}*"

    def keep(x: Any) -> Any:
        held = fields(x)
        x.in_c = ffi.new(kind, held), held
        return x.in_c

    return keep


def caller(
    ffi: Any, name: str, function: Any, codes: dict[np.dtype, int], failed: Failed
) -> Callable[..., int]:
    """The function that calls a loop: see ``Loop``. ``codes`` has the number of each type for
    arrays whose type the call says."""
    text, given, parameters, said = Text(), [], [], []
    owner = f"for {name}"
    kinds = enumerate(ffi.typeof(function).args)
    for place, kind in kinds:
        if kind.cname == "int":
            type_of = f"type{place}"
            said.append(type_of)
            given.append(f"{text.named(codes)}[{type_of}]")
            continue
        x = f"x{place}"
        parameters.append(x)
        if kind.kind == "pointer" and kind.item.kind == "struct":
            struct, known = STRUCTS[kind.item.cname], fields_of(ffi, kind.item)
            text.lines.append(
                f"if type({x}) is not {text.named(struct)}: "
                f"refuse({struct.__name__!r}, {owner!r}, type({x}).__name__)"
            )
            if hasattr(struct, "in_c"):
                keep = text.named(kept(ffi, kind.item))
                text.lines.append(f"held{place} = {x}.in_c or {keep}({x})")
                given.append(f"held{place}[0]")
            else:
                text.lines.append(f"held{place} = {text.named(known)}({x})")
                given.append(f"[held{place}]")
        elif kind.kind == "pointer":
            next(kinds)  # its size
            if kind.item.cname != "void":
                given.append(text.array(ffi, x, kind.item.cname, owner))
                continue
            if not any(line.startswith(f"{said[-1]} =") for line in text.lines):
                text.lines.append(f"{said[-1]} = {x}.dtype")
            else:
                text.lines.append(
                    f"if {x}.dtype != {said[-1]}: refuse_array({said[-1]}, {owner!r}, {x})"
                )
            given.append(text.given(ffi, x, "char"))
        else:
            given.append(x)
    types = "".join(f"{one}, " for one in said)
    text.lines.append(f"result = {text.named(function)}({', '.join(given)})")
    text.lines.append(f"if result < 0: {text.named(failed)}(result, ({types}))")
    text.lines.append("return result")
    return text.function(parameters)
