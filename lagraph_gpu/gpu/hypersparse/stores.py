"""The hypersparse form of a container: its ids in use, and a small container over their ranks.

A position on an axis is an id; its rank among the ids in use is what kernels see. Ids have 64 bits
and are sorted. Ranks have 32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.hypersparse.ids import Ids, same
from lagraph_gpu.notation import Matrix, Vector, expressions
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.notation.update import Update
from semirings import UNARY

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

MANY_ROWS = 1 << 24
"""Of a matrix of fewer rows each has an offset, however few have entries."""


@dataclass(eq=False)
class Hypersparse:
    """A store of a vector or matrix. It never changes: a statement makes a new one."""

    inner: Any
    """The Vector or Matrix of the entries by rank, whose own store is not hypersparse."""
    ids: tuple[Ids, ...]
    shape: expressions.Shape
    rows: Callable[[], Any] | None = None
    """Makes the entries of a matrix when they are first read, if they are deferred."""

    @classmethod
    def later(cls, shape: expressions.Shape, dtype: Any, rows: Callable[[], Any]) -> Hypersparse:
        """A matrix whose entries are those of the store ``rows()``."""
        made = cls.__new__(cls)
        made.shape, made.rows = shape, rows
        return made

    def __getattr__(self, name: str) -> Any:
        held = self.__dict__
        make = held.get("rows") if name in ("inner", "ids") else None
        if make is None:
            if name in held:  # another thread has made it
                return held[name]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = make()
        self.inner, self.ids, self.rows = made.inner, made.ids, None
        return held[name]

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


def ranks(ids: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of the wanted ids are there, and the ranks of those."""
    at = np.searchsorted(ids, wanted)
    there = np.zeros(wanted.size, bool)
    inside = at < ids.size
    there[inside] = ids[at[inside]] == wanted[inside]
    return there, at[there]


def filled_vector(backend: GpuBackend, size: int, at: np.ndarray, values: np.ndarray) -> Vector:
    """A vector of these entries whose store is not hypersparse, whatever its size."""
    store = backend.build_vector(size, at, values, by_rank=True)
    return Vector._stored(store, size, values.dtype, backend)


def container(backend: GpuBackend, dtype: Any, shape: expressions.Shape) -> Any:
    """A container without entries whose store is not hypersparse, whatever its size."""
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


KEEP: Any = object()
"""The ids that a view has already."""


def remapped(of: View, wanted: tuple[Any, ...], holds_all: bool = False) -> Any:
    """The container by rank among other ids. Entries at ids that are not wanted are left out; with
    ``holds_all`` it is known that the wanted lists hold all of the view's."""
    want = tuple(have if ids is KEEP else ids for have, ids in zip(of.ids, wanted))
    if all(map(same, of.ids, want)):
        return of.inner
    if isinstance(of.inner, Transposed):
        turned = View(of.inner.matrix, of.ids[::-1], of.shape[::-1])
        return remapped(turned, want[::-1], holds_all).T
    backend = of.inner.backend
    lists = backend.hypersparse.ids
    if len(of.shape) == 1:
        u, (have,), (ids,) = backend.vector(of.inner), of.ids, want
        if ids is not None:
            return backend.as_vector(lists.gathered(u, have, ids))
        return backend.as_vector(lists.spread(u, have, of.shape[0]))
    A, held = of.inner._store, list(of.ids)
    for axis, ids in enumerate(want):
        known = held[axis] is not None and holds_all
        if ids is None or known or same(held[axis], ids):
            continue
        index = lists.ranks(ids.on(backend.device), ids.size, held[axis], A.shape[axis])
        A, held[axis] = backend.matrices.parts.gathered(A, axis, index, ids.size), ids
    return backend.as_matrix(lists.renamed(A, tuple(held), want, of.shape))
