"""The compact form of a container: its positions that are in use, and a small container over them.

A position on an axis is an id; its rank among the ids in use is what kernels see. Ids have 64 bits
and lie on the host, sorted. Ranks have 32.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.notation import Matrix, Vector, expressions
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.update import Update
from semirings import UNARY

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

Ids = np.ndarray | None
"""The ids in use on an axis. None: every position, so that an id is its own rank."""

MANY_ROWS = 1 << 24
"""Of a matrix of fewer rows each has an offset, however few have entries."""

NO_IDS = np.empty(0, np.int64)


@dataclass(eq=False)
class Compact:
    """A store of a vector or matrix. It never changes: a statement makes a new one."""

    inner: Any
    """The Vector or Matrix of the entries by rank, whose own store is not compact."""
    ids: tuple[Ids, ...]
    shape: expressions.Shape

    @property
    def size(self) -> int:
        return self.shape[0]

    @property
    def dtype(self) -> np.dtype:
        return self.inner.dtype  # type: ignore[no-any-return]

    @property
    def nnz(self) -> int:
        return self.inner.nvals  # type: ignore[no-any-return]


@dataclass(eq=False)
class View:
    """An operand: a container by ranks, or the transpose of one, and the ids of each axis."""

    inner: Any
    ids: tuple[Ids, ...]
    shape: expressions.Shape


def union(size: int, *several: Ids) -> Ids:
    """The ids that are in one of these sets, for an axis of this size."""
    held = [ids for ids in several if ids is not None]
    if len(held) < len(several):
        return None
    first = held[0]
    if all(ids is first or np.array_equal(ids, first) for ids in held[1:]):
        return first
    return distinct(np.concatenate(held))


def intersection(one: Ids, other: Ids) -> Ids:
    """The ids that are in both sets."""
    if one is None or other is None:
        return one if other is None else other
    if one is other or np.array_equal(one, other):
        return one
    return one[ranks(other, one)[0]]


def ranks(ids: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of the wanted ids are there, and the ranks of those."""
    at = np.searchsorted(ids, wanted)
    there = np.zeros(wanted.size, bool)
    inside = at < ids.size
    there[inside] = ids[at[inside]] == wanted[inside]
    return there, at[there]


def filled_vector(backend: GpuBackend, size: int, at: np.ndarray, values: np.ndarray) -> Vector:
    """A vector of these entries whose store is not compact, whatever its size."""
    store = backend.build_vector(size, at, values, by_rank=True)
    return Vector._stored(store, size, values.dtype, backend)


def container(backend: GpuBackend, dtype: Any, shape: expressions.Shape) -> Any:
    """A container without entries whose store is not compact, whatever its size."""
    store = backend.empty(shape, dtype, by_rank=True)
    if len(shape) == 1:
        return Vector._stored(store, shape[0], dtype, backend)
    return Matrix._stored(store, shape, dtype, backend)


def assigned(backend: GpuBackend, node: Any, dtype: Any = None, **settings: Any) -> Any:
    """An expression over containers by rank, computed into a new one."""
    out = container(backend, node.dtype if dtype is None else dtype, node.shape)
    backend.run(Update(out, as_node(node), **settings))
    return out


def as_node(x: Any) -> Any:
    """A container as an expression; an expression as it is."""
    if isinstance(x, expressions.Expression):
        return x
    return expressions.Apply(x, UNARY["identity"])


KEEP = object()
"""The ids that a view has already."""


def remapped(view: View, wanted: tuple[Any, ...]) -> Any:
    """The container by rank among other ids: entries at ids that are not wanted are left out."""
    backend, inner = view.inner.backend, view.inner
    take: list[Any] = []
    put: list[Any] = []
    sizes = list(inner.shape)
    for axis, (have, want) in enumerate(zip(view.ids, wanted)):
        same = want is KEEP or have is want
        if same or (have is not None and want is not None and np.array_equal(have, want)):
            take.append(None)
            put.append(None)
            continue
        sizes[axis] = view.shape[axis] if want is None else want.size
        if have is None:
            take.append(want)
            put.append(None)
        elif want is None:
            take.append(None)
            put.append(have)
        else:
            there, at = ranks(have, want)
            take.append(at)
            put.append(None if there.all() else np.flatnonzero(there))
    part = inner
    if any(axis is not None for axis in take):
        part = assigned(backend, expressions.Extract(inner, tuple(take)))
    if any(axis is not None for axis in put):
        out = container(backend, part.dtype, tuple(sizes))
        backend.run(Update(out, as_node(part), region=tuple(put)))
        part = out
    return part
