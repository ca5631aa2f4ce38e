"""A statement in one line, the same on all processes that run the same program."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from lagraph_gpu.cluster.distribution import Distributed
from lagraph_gpu.notation.expressions import Expression, Transposed
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import types

LONGEST_TEXT = 400
"""The most characters of a description. The rest is a checksum."""


READS = "vector_get", "matrix_get"
"""The calls of the port that read one position."""

BUILDS = "build_vector", "build_matrix", "build_coordinates"
"""The calls that are given whole arrays by all processes, of which each keeps its part."""


def statement_text(name: str, operands: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    """A call of the port: its name, and what it is given, without the entries of containers."""
    given = [operand_text(one) for one in operands]
    given += [f"{key}={operand_text(value)}" for key, value in options.items()]
    text = f"{name}({', '.join(given)})"
    return (
        text
        if len(text) <= LONGEST_TEXT
        else f"{text[:LONGEST_TEXT]}… {zlib.crc32(text.encode()):08x}"
    )


def brief_text(name: str, operands: tuple[Any, ...]) -> str:
    """A call of the port in a word or two: its name, with the kind of an expression, with the
    position that is read, or with a digest of the arrays that all are given, but for those of
    floats, which may differ in their last bits. All processes compare it in each exchange."""
    if name in BUILDS:
        return statement_text(name, tuple(without_floats(operands)), {})
    if operands and isinstance(operands[0], Update):
        return f"{name} {type(operands[0].expression).__name__}"
    return f"{name} {operands[1:]}" if name in READS else name


def without_floats(operands: tuple[Any, ...]) -> Iterator[Any]:
    """The operands, with a shape in the place of an array of floats."""
    for one in operands:
        if isinstance(one, tuple):
            yield tuple(without_floats(one))
        else:
            floats = isinstance(one, np.ndarray) and one.dtype.kind in "fc"
            yield one.shape if floats else one


def operand_text(value: Any) -> str:
    """One operand of a statement."""
    match value:
        case Update():
            facts = vars(value).items()
            given = (f"{key}={operand_text(x)}" for key, x in facts if x is not None)
            return f"Update({', '.join(given)})"
        case Transposed():
            return f"{operand_text(value.matrix)}.T"
        case Mask():
            kind = "S" if value.structure else "V"
            return f"{'~' * value.complement}{operand_text(value.handle)}.{kind}"
        case Expression():
            fields = [operand_text(getattr(value, name)) for name in value.__dataclass_fields__]  # type: ignore[attr-defined]
            return f"{type(value).__name__}({', '.join(fields)})"
        case Distributed():
            return f"{types.name(value.part.dtype)}{value.shape}"
        case np.ndarray():
            digest = zlib.crc32(np.ascontiguousarray(value).data)
            return f"{value.dtype.name}{value.shape}:{digest:08x}"
        case list() | tuple():
            return f"({', '.join(map(operand_text, value))})"
    if hasattr(value, "_store") and getattr(value, "shape", None):
        return operand_text(value._store)
    if hasattr(value, "lowerings"):  # the backend, which each process has for itself
        return value.name
    return repr(value)
