"""Operations on small graphs, by process 0 alone.

A statement of several processes costs some exchanges, whatever is in it, and an algorithm may
consist of thousands. For a small graph that is many times what one process needs for all of it. So
an operation that the local backend can carry out at once is carried out by process 0, which keeps
the matrix for the next one, and all processes are told what it has found: each takes its part.
What is one of several right answers is thus chosen by one process for all.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.cluster.communicator import NO_BYTES, text_bytes
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.one_process import on_one_process
from lagraph_gpu.cluster.single_process import (
    MOST_COPIED_ENTRIES,
    graph_on_root,
    matrix_on_root,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.infix import Operations
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.planning.trace import explaining, record_choice

MOST_ENTRIES = MOST_COPIED_ENTRIES
"""A graph of no more entries is small."""

WHY = "the graph is small, and process 0 has all of it"


def alone(operation: Operation[Any, Any]) -> Callable[..., Any]:
    """A lowering of an operation by that of process 0. Where a graph is not small the statements
    run, as one."""
    name, kind = operation.__name__, kind_of_result(operation)  # type: ignore[attr-defined]

    def lowering(*operands: Any, **options: Any) -> Any:
        backend, given = operands[0].backend, [*operands, *options.values()]
        distribution: Distribution = backend.distribution
        with distribution.comm.statement(name):
            if not is_small(distribution, given):
                return operation.statements(*operands, **options)
            here = [on_root(distribution, one) for one in given]
            told = NO_BYTES
            if distribution.rank == 0:
                some = dict(zip(options, here[len(operands) :], strict=True))
                told = packed(operation(*here[: len(operands)], **some))
            first, *_ = distribution.comm.all_gather(told)
            if explaining():
                record_choice(name, "on process 0", WHY)
            return unpacked(backend, first, kind)

    return lowering


def is_small(distribution: Distribution, given: list[Any]) -> bool:
    """Whether there is a matrix among the operands, none has many entries, and CPUs do the work."""
    graphs = [one.A if isinstance(one, Graph) else one for one in given]
    matrices = [one._store for one in graphs if isinstance(one, Matrix)]
    others = any(isinstance(one, Operations) for one in graphs if type(one) not in (Matrix, Vector))
    return (
        distribution.vector_exchange is None
        and len(matrices) > 0
        and not others
        and all(distribution.entries_of(store) <= MOST_ENTRIES for store in matrices)
    )


def on_root(distribution: Distribution, one: Any) -> Any:
    """An operand on process 0. Others have None where it is a container or a graph."""
    if isinstance(one, Graph):
        return graph_on_root(one)
    if isinstance(one, Matrix):
        return matrix_on_root(distribution, one._store)
    if isinstance(one, Vector):
        made = on_one_process(distribution, one._store, 0, distribution.local)
        return None if made is None else distribution.handle(made, one.shape, one.dtype)
    if isinstance(one, tuple):
        parts = [on_root(distribution, part) for part in one]
        return type(one)(*parts) if hasattr(one, "_fields") else tuple(parts)
    return one


def packed(found: Any) -> np.ndarray:
    """What has been found, as bytes: a description in JSON and the arrays that it speaks of."""
    arrays: list[np.ndarray] = []

    def number(array: np.ndarray) -> int:
        arrays.append(array)
        return len(arrays) - 1

    def described(one: Any) -> Any:
        if isinstance(one, (Vector, Matrix)):
            return {"shape": one.shape, "entries": [number(array) for array in one.to_coo()]}
        if isinstance(one, tuple):
            return {"parts": [described(part) for part in one]}
        if isinstance(one, np.ndarray):
            return {"array": number(one)}
        return {"value": one.item() if isinstance(one, np.generic) else one}

    text, file = json.dumps(described(found)), io.BytesIO()
    for array in (text_bytes(text), *arrays):
        np.lib.format.write_array(file, array, allow_pickle=False)
    return np.frombuffer(file.getvalue(), np.uint8)


def unpacked(backend: Any, data: np.ndarray, kind: Callable[..., Any] | None) -> Any:
    """What process 0 has packed, on the cluster: containers of which this process has its part. A
    tuple is made by `kind`, if it is given, from its parts."""
    file, arrays = io.BytesIO(data.tobytes()), []
    while file.tell() < data.size:
        arrays.append(np.lib.format.read_array(file, allow_pickle=False))
    text, *arrays = arrays

    def made(one: dict[str, Any]) -> Any:
        if "shape" in one:
            return built(backend, one["shape"], [arrays[k] for k in one["entries"]])
        if "parts" in one:
            return tuple(made(part) for part in one["parts"])
        return arrays[one["array"]] if "array" in one else one["value"]

    found = made(json.loads(text.tobytes()))
    return kind(*found) if kind and isinstance(found, tuple) else found


def built(backend: Any, shape: list[int], entries: list[np.ndarray]) -> Vector | Matrix:
    """A container of the cluster with these entries, which all processes have."""
    if len(shape) == 1:
        index, values = entries
        return Vector._built(shape[0], index, values, backend)
    row, column, values = entries
    whole = shape[0], shape[1]
    store = backend.build_coordinates(whole, row, column, values)
    return Matrix._stored(store, whole, values.dtype, backend)


def kind_of_result(operation: Operation[Any, Any]) -> Callable[..., Any] | None:
    """The class that an operation returns, if it is one of tuples with names."""
    statements: Any = operation.statements
    kind = statements.__globals__.get(statements.__annotations__["return"])
    return kind if hasattr(kind, "_fields") else None
