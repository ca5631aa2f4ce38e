"""Operations on small graphs, by process 0 alone.

A statement of several processes costs some exchanges, whatever is in it, and an algorithm may
consist of thousands. For a small graph that is many times what one process needs for all of it. So
an operation that the local backend can carry out at once is carried out by process 0, which keeps
the matrix for the next one, and all processes are told what it has found: each takes its part.
What is one of several right answers is thus chosen by one process for all.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.one_process import on_one_process
from lagraph_gpu.cluster.single_process import (
    graph_on_root,
    matrix_on_root,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.infix import Operations
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.planning.trace import explaining, record_choice

MOST_ENTRIES = 1 << 21
"""A graph of no more entries is small."""

WHY = "the graph is small, and process 0 has all of it"


def alone(operation: Operation[Any, Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """A lowering of an operation by that of process 0. Where a graph is not small it does
    ``otherwise``."""
    name = operation.__name__  # type: ignore[attr-defined]

    def lowering(*operands: Any, **options: Any) -> Any:
        backend, given = operands[0].backend, [*operands, *options.values()]
        distribution: Distribution = backend.distribution
        with distribution.comm.statement(name):
            if not is_small(distribution, given):
                return otherwise(*operands, **options)
            here = [on_root(distribution, one) for one in given]
            told = b""
            if distribution.rank == 0:
                some = dict(zip(options, here[len(operands) :], strict=True))
                found = operation(*here[: len(operands)], **some)
                told = pickle.dumps(listed(found), protocol=5)
            first, *_ = distribution.comm.all_gather(np.frombuffer(told, np.uint8))
            if explaining():
                record_choice(name, "on process 0", WHY)
            return part_of(backend, pickle.loads(first.tobytes()))

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
    return each(lambda part: on_root(distribution, part), one)


class Listed(tuple):
    """A container as process 0 tells of it: its shape, its type and its entries."""


def listed(found: Any) -> Any:
    """What has been found, with a list of entries in place of each container."""
    if isinstance(found, (Vector, Matrix)):
        return Listed((found.shape, found.dtype, *found.to_coo()))
    return each(listed, found)


def part_of(backend: Any, found: Any) -> Any:
    """The reverse of `listed`, on the cluster: containers of which this process has its part."""
    if not isinstance(found, Listed):
        return each(lambda one: part_of(backend, one), found)
    shape, dtype, row, *rest, values = found
    distribution: Distribution = backend.distribution
    mine = distribution.owns(row)
    arrays = [row[mine] // distribution.size, *(one[mine] for one in rest), values[mine]]
    part = distribution.built(distribution.part_shape(shape), arrays)
    store = Distributed(part, shape)
    if len(shape) == 1:
        return Vector._stored(store, shape[0], dtype, backend)
    return Matrix._stored(store, shape, dtype, backend)


def each(change: Callable[[Any], Any], found: Any) -> Any:
    """A tuple of the same kind, each part of which has been changed; what is none remains."""
    if not isinstance(found, tuple):
        return found
    parts = [change(part) for part in found]
    return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
