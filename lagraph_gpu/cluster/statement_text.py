"""A statement in one line, the same on all processes that run the same program."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.calls.current_call import CURRENT
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Scalar, Vector
from lagraph_gpu.notation.expressions import Expression, Fill, Transposed
from lagraph_gpu.notation.indexed import Part
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update
from semirings import BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, types

LONGEST_TEXT = 400
"""The most characters of a description. The rest is a checksum."""


READS = "vector_get", "matrix_get"
"""The calls of the port that read one position."""

BUILDS = "build_vector", "build_matrix", "build_coordinates"
"""The calls that are given whole arrays by all processes, of which each keeps its part."""

PLAIN = {int, float, complex, bool, str, bytes, type(None)}
"""The types whose objects are written as Python does."""

ADDRESS = re.compile(" at 0x[0-9a-f]+")
"""What differs between processes in the text of an object."""

OF_FILES = {"read": "path", "open": "folder"}
"""Functions whose first argument is a file or a folder, of which the contents are compared."""


def statement_text(name: str, operands: Iterable[Any], options: Mapping[str, Any]) -> str:
    """A call of the port: its name, and what it is given, without the entries of containers."""
    given = [operand_text(one) for one in operands]
    given += [f"{key}={operand_text(value)}" for key, value in options.items()]
    return shortened(f"{name}({', '.join(given)})")


def call_text(name: str, operands: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    """A call of a public function or of a method of graphs, without arrays of floats, and without
    the data of which a graph is made, which are compared when it is."""
    if name in OF_FILES or (operands and isinstance(operands[0], type)):
        operands = operands[1:]
    told = no_data if ".from_" in name else argument_text
    given = [text for one in operands if (text := told(one))]
    for key, value in options.items():
        if key not in ("progress", OF_FILES.get(name)) and (text := told(value)):
            given.append(f"{key}={text}")
    return shortened(f"{name}({', '.join(given)})")


def brief_text(name: str, operands: tuple[Any, ...]) -> str:
    """A call of the port in a few words, which all processes compare in each exchange. If the
    program itself has made it, these are its name and what it is given but for containers and
    arrays of floats, which may differ in their last bits. Within another call, which is compared,
    they are its name with the kind of an expression, the position that is read, or arrays from
    which a container is built."""
    if name in BUILDS:
        return statement_text(name, without_floats(operands), {})
    update = operands[0] if operands and isinstance(operands[0], Update) else None
    if CURRENT.get() is None:
        if update is None:
            given = [text for one in operands if (text := brief_operand(one))]
            return shortened(f"{name}({', '.join(given)})" if given else name)
        told = brief_operand(update.expression), fields_text(update, UPDATE_FIELDS)
        return shortened(" ".join((name, *filter(None, told))))
    if update is not None:
        return f"{name} {type(update.expression).__name__}"
    return f"{name} {operands[1:]}" if name in READS else name


def shortened(text: str) -> str:
    """A text, or its beginning and a checksum."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… {zlib.crc32(text.encode()):08x}"


def without_floats(operands: Sequence[Any]) -> Iterator[Any]:
    """The operands, with a shape in the place of an array of floats."""
    for one in operands:
        if type(one) in (tuple, list):
            yield type(one)(without_floats(one))
        else:
            yield one.shape if isinstance(one, np.ndarray) and one.dtype.kind in "fc" else one


def argument_text(value: Any) -> str:
    """One argument of a call."""
    if type(value) in PLAIN:
        return repr(value)
    return operand_text(next(without_floats([value])))


def no_data(value: Any) -> str:
    """One argument of a call; empty if it has elements."""
    has_elements = type(value) not in PLAIN and hasattr(value, "__iter__")
    return "" if has_elements else argument_text(value)


UPDATE_FIELDS = "mask", "accum", "replace", "region", "schedule"
"""What a statement consists of beside its output and its expression."""


def fields_text(of: Any, names: Iterable[str]) -> str:
    """The parts of a statement or an expression that are no containers, by their names."""
    told = []
    for name in names:
        value = getattr(of, name)
        if value is not None and value is not False and (text := brief_operand(value)):
            told.append(f"{name}={text}")
    return ", ".join(told)


def brief_operand(value: Any) -> str:
    """One part of a statement that the program has made; empty if it is a container."""
    return brief_form(type(value))(value)  # type: ignore[arg-type]


@functools.cache
def brief_form(kind: type) -> Callable[[Any], str]:
    """How an object of this class is written in a statement that the program has made."""
    if issubclass(kind, (Distributed, Vector, Matrix)):
        return lambda value: ""
    if issubclass(kind, Fill):
        return lambda node: f"Fill({brief_operand(node.value)}, {node.shape})"
    if issubclass(kind, Part):
        return lambda part: f"Part({brief_operand(part._whole)}, {brief_operand(part._axes)})"
    if issubclass(kind, Expression):
        names = tuple(kind.__dataclass_fields__)  # type: ignore[attr-defined]
        return lambda node: f"{kind.__name__}({fields_text(node, names)})"
    if issubclass(kind, (BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp)):
        return operator_text
    if issubclass(kind, Transposed):
        return lambda value: "T"
    if issubclass(kind, Mask):
        return lambda mask: f"{'~' * mask.complement}{'S' if mask.structure else 'V'}"
    if issubclass(kind, np.ndarray):
        return array_text
    if issubclass(kind, (list, tuple)):
        return lambda values: f"({', '.join(map(brief_operand, values))})"
    return operand_text


@functools.lru_cache(256)
def operator_text(op: Any) -> str:
    """An operator of a statement that the program has made."""
    return operand_text(op)


def array_text(array: np.ndarray) -> str:
    """An array of a statement that the program has made: a digest, but for one of floats."""
    if array.dtype.kind in "fcO":
        return str(array.shape)
    return f"{array.size}:{digest_of(array):08x}"


def digest_of(array: np.ndarray) -> int:
    """A checksum of an array without objects."""
    return zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def operand_text(value: Any) -> str:
    """One operand of a statement."""
    if type(value) in PLAIN:
        return repr(value)
    if type(value) is Graph:
        return f"{types.name(value.A.dtype)}{value.A.shape}"
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
        case Part():
            return f"{operand_text(value._whole)}{operand_text(value._axes)}"
        case Expression():
            fields = [operand_text(getattr(value, name)) for name in value.__dataclass_fields__]  # type: ignore[attr-defined]
            return f"{type(value).__name__}({', '.join(fields)})"
        case Distributed():
            return f"{types.name(value.dtype)}{value.shape}"
        case Vector() | Matrix():
            return f"{types.name(value.dtype)}{value.shape}"
        case np.ndarray():
            if value.dtype.hasobject:
                return operand_text(value.tolist())
            return f"{value.dtype.name}{value.shape}:{digest_of(value):08x}"
        case list() | tuple():
            if type(value) is list and set(map(type, value)) <= PLAIN:  # in less time
                return repr(value)
            return f"({', '.join(map(operand_text, value))})"
        case set() | frozenset():
            return f"{{{', '.join(sorted(map(operand_text, value)))}}}"
        case dict():
            pairs = (f"{operand_text(key)}: {operand_text(of)}" for key, of in value.items())
            return f"{{{', '.join(sorted(pairs))}}}"
        case np.random.Generator():
            digest = zlib.crc32(repr(value.bit_generator.state).encode())
            return f"Generator:{digest:08x}"
        case Scalar():
            return repr(None if value.awaited else value.value)
        case type():
            return value.__name__
        case types.DataType() | np.dtype():
            return types.name(value)
        case np.generic():
            return repr(value.item())
    if hasattr(value, "lowerings"):  # the backend, which each process has for itself
        return value.name
    if hasattr(value, "shape"):  # an array, or a table, of another library
        return f"{type(value).__name__}{tuple(value.shape)}"
    return ADDRESS.sub("", repr(value))
