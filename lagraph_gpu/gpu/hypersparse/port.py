"""How hypersparse stores are made and read: the methods of the backend's port."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.backend import Entries, Rows
from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.hypersparse.ids import ID, IdList, IdLists, Ids, no_ids
from lagraph_gpu.gpu.hypersparse.operands import Operands
from lagraph_gpu.gpu.hypersparse.stores import (
    MANY_ROWS,
    Hypersparse,
    View,
    container,
    filled_vector,
    ranks,
    remapped,
)
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.handle import Handle

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SLACK = 64
"""So many ids without entries may stay beside those with."""

SPARSE = 64
"""Fewer than one row in so many has an entry where a matrix of many rows is hypersparse."""

READ = (
    "copy", "recast", "nvals", "holds_one_value", "vector_entries", "vector_get",
    "matrix_entries", "matrix_coordinates", "vector_ends", "matrix_ends", "matrix_cells",
    "matrix_bytes", "resized", "declare_symmetric",
)  # fmt: skip
"""The methods of a backend that take one store and have a form for hypersparse ones."""

SHARED = ("vector_entries", "vector_dense", "vector_values", "matrix_rows", "matrix_sparse")
"""The methods of ``Exchange``, which know stores by position only."""


class Port(BackendPart):
    """Makes and reads hypersparse stores. Tests lower the field ``limit``."""

    limit = vector_storage.POSITIONS
    """Kernels cannot number so many positions."""

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.ids, self.by_rank = IdLists(backend), Operands(backend)
        self.any = False
        """True once there has been a hypersparse store: the backend's methods take them then."""
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Let the port's methods of the backend take hypersparse stores, from the first one on.
        Before, nothing is slower for them."""
        with self._lock:
            if not self.any:
                self._take_hypersparse_stores()
                self.any = True  # last: another thread goes on once all of them do

    def _take_hypersparse_stores(self) -> None:
        lowerings = self.backend.lowerings
        lowerings.update(self.by_positions(lowerings))  # in the table that others may hold
        for name in READ:
            setattr(self.backend, name, self._either(getattr(self.backend, name), name))
        plain = self.backend.concat

        def concat(tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
            long = any(map(self.is_long, shape))
            some = any(isinstance(tile, Hypersparse) for row in tiles for tile in row)
            return (self.concat if long or some else plain)(tiles, shape, dtype)

        self.backend.concat = concat
        for name in SHARED:
            exchange = self.backend.exchange
            setattr(exchange, name, self._by_position(getattr(exchange, name)))

    def _either(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        own = getattr(self, name)

        @functools.wraps(plain)
        def method(store: Any, *rest: Any) -> Any:
            return (own if isinstance(store, Hypersparse) else plain)(store, *rest)

        return method

    def _by_position(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(plain)
        def method(store: Any, *rest: Any, **options: Any) -> Any:
            held = self.by_position(store) if isinstance(store, Hypersparse) else store
            return plain(held, *rest, **options)

        return method

    def by_positions(self, lowerings: dict[Any, Callable[..., Any]]) -> dict[Any, Any]:
        """Lowerings for operands of which none is hypersparse any more. Where one has more
        positions than kernels can number, there are the statements."""

        def by_position(lower: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(lower)
            def lowered(*operands: Any, **options: Any) -> Any:
                for operand in (*operands, *options.values()):
                    held = operand.A if isinstance(operand, Graph) else operand
                    if isinstance(held, Handle) and isinstance(held._store, Hypersparse):
                        if any(map(self.is_long, held.shape)):
                            return None
                        held._store = self.by_position(held._store)
                return lower(*operands, **options)

            return lowered

        return {operation: by_position(lower) for operation, lower in lowerings.items()}

    def is_long(self, size: int) -> bool:
        """True if kernels cannot number so many positions."""
        return size >= self.limit

    # --- making ------------------------------------------------------------------------------
    def lists(self, shape: Shape, entries: int) -> bool:
        """True if a container of this shape with so many entries is to be hypersparse."""
        if any(map(self.is_long, shape)):
            return True
        return len(shape) == 2 and shape[0] >= MANY_ROWS and shape[0] > SPARSE * entries

    def empty(self, shape: Shape, dtype: np.dtype) -> Hypersparse:
        nothing = np.empty(0, np.int64)
        return self.entries_at(shape, (nothing,) * len(shape), np.empty(0, dtype), False)

    def entries_at(
        self, shape: Shape, places: tuple[np.ndarray, ...], values: np.ndarray, iso: bool
    ) -> Hypersparse:
        """A store of these entries, which are sorted."""
        self.begin()
        if len(shape) == 1:
            (at,) = places
            inner: Any = filled_vector(self.backend, at.size, np.arange(at.size), values)
            return Hypersparse(inner, (IdList(at.astype(np.int64)),), shape)
        if values.size == 0:
            inner = container(self.backend, values.dtype, (0, 0))
            return Hypersparse(inner, (no_ids(), no_ids()), shape)
        row, column = (self.device.upload(place.astype(ID)) for place in places)
        upload = self.backend.spill.uploaded
        return self.listed(shape, row, column, upload(values[:1] if iso else values), iso)

    def listed(
        self, shape: Shape, row: DeviceArray, column: DeviceArray, values: DeviceArray, iso: bool
    ) -> Hypersparse:
        """A store of these entries, one at least, which come in order. Waits."""
        self.begin()
        made, rows, columns = self.ids.listed(row, column, values, iso)
        return Hypersparse(self.backend.as_matrix(made), (rows, columns), shape)

    def store(self, inner: Any, ids: tuple[Ids, ...], shape: Shape) -> Any:
        """The store of a container by rank, which nobody else writes to. Ids without entries are
        left out where they are many. May wait."""
        if all(have is None for have in ids):
            return inner._store
        return self.trimmed(Hypersparse(inner, ids, shape))

    def trimmed(self, made: Hypersparse) -> Hypersparse:
        """A hypersparse store of the entries, without the ids that are not in use if these are
        many. May wait."""
        most = max(have.size for have in made.ids if have is not None)
        if most <= SLACK or most <= 2 * (entries := made.inner.nvals) + SLACK:
            return made
        if entries == 0:
            wanted: tuple[Ids, ...] = tuple(have and no_ids() for have in made.ids)
            sizes = (0 if have else size for have, size in zip(wanted, made.inner.shape))
            inner = container(self.backend, made.dtype, tuple(sizes))
            return Hypersparse(inner, wanted, made.shape)
        view = View(made.inner, made.ids, made.shape)
        if len(made.shape) == 1:
            (have,), u = made.ids, self.backend.vector(made.inner)
            wanted = (self.ids.of_bits(u.bits, u.size, have),)
            return Hypersparse(remapped(view, wanted), wanted, made.shape)
        A = made.inner._store
        wanted = tuple(
            None if have is None else self.ids.used(A, axis, have)
            for axis, have in enumerate(made.ids)
        )
        inner = self.backend.as_matrix(self.ids.renamed(A, made.ids, wanted, made.shape))
        return Hypersparse(inner, wanted, made.shape)

    def by_rows_in_use(self, store: Any) -> Hypersparse:
        """A hypersparse store of the entries of a matrix. Of one that is not hypersparse, because
        it has many, the ids in use are found. Waits then."""
        if isinstance(store, Hypersparse):
            return store
        ids = tuple(self.ids.used(store, axis, None) for axis in (0, 1))
        made = self.ids.renamed(store, (None, None), ids, store.shape)
        return Hypersparse(self.backend.as_matrix(made), ids, store.shape)

    def by_position(self, store: Hypersparse) -> Any:
        """A store, not hypersparse, of the entries of a hypersparse one. Raises TooLarge if an axis
        has more positions than kernels can number."""
        if any(map(self.is_long, store.shape)):
            raise TooLarge(
                f"expected fewer than {vector_storage.POSITIONS:,} positions on a GPU for this, "
                f"got shape {store.shape}; take the entries with .to_coo(), or number those rows "
                "and columns anew that have entries"
            )
        whole = (None,) * len(store.ids)
        return remapped(View(store.inner, store.ids, store.shape), whole, True)._store

    # --- reading -----------------------------------------------------------------------------
    def copy(self, store: Hypersparse) -> Hypersparse:
        return Hypersparse(store.inner.dup(), store.ids, store.shape)

    def recast(self, store: Hypersparse, dtype: np.dtype) -> None:
        return None

    def nvals(self, store: Hypersparse) -> int:
        return store.inner.nvals  # type: ignore[no-any-return]

    def holds_one_value(self, store: Hypersparse) -> None:
        return None

    def vector_entries(self, store: Hypersparse) -> Entries:
        rank, values = store.inner.to_coo()
        return self._ids(store, 0, rank), values

    def vector_get(self, store: Hypersparse, index: int) -> Any:
        (rank,) = self._ranks(store, index)
        return None if rank is None else store.inner.get(rank)

    def matrix_coordinates(self, store: Hypersparse) -> Rows:
        row, column, values = store.inner.to_coo()
        return self._ids(store, 0, row), self._ids(store, 1, column), values

    def matrix_entries(self, store: Hypersparse) -> Rows:
        row, column, values = self.matrix_coordinates(store)
        return compress(row, store.shape[0]), column, values

    def matrix_get(self, store: Hypersparse, row: int, column: int) -> Any:
        i, j = self._ranks(store, row, column)
        return None if i is None or j is None else store.inner.get(i, j)

    def vector_ends(self, store: Hypersparse, first: int, last: int) -> Entries:
        rank, values = self.backend.vector_ends(store.inner._store, first, last)
        return self._ids(store, 0, rank), values

    def matrix_ends(self, store: Hypersparse, first: int, last: int) -> Rows:
        row, column, values = self.backend.matrix_ends(store.inner._store, first, last)
        return self._ids(store, 0, row), self._ids(store, 1, column), values

    def matrix_cells(self, store: Hypersparse, scale: int, most: int) -> np.ndarray:
        cells = self.backend.matrix_cells(store.inner._store, 1, most)
        return np.column_stack([self._ids(store, axis, cells[:, axis]) for axis in (0, 1)]) // scale

    def matrix_bytes(self, store: Hypersparse) -> int:
        names = sum(have.nbytes for have in store.ids if have is not None)
        return int(self.backend.matrix_bytes(store.inner._store)) + names

    def resized(self, store: Hypersparse, shape: Shape, within: bool) -> Any:
        if not within:
            return None
        made = Hypersparse(store.inner, store.ids, shape)
        return made if self.lists(shape, 0) else self.by_position(made)

    def declare_symmetric(self, store: Hypersparse) -> Hypersparse:
        rows, columns = store.ids
        if rows is not None and columns is not None and np.array_equal(rows.host, columns.host):
            rows.found_alike(columns)
            inner = store.inner
            inner._store = self.backend.declare_symmetric(inner._store)
        return store

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        """A store of tiles, by way of the host."""
        places: list[list[np.ndarray]] = [[], []]
        values, row = [], 0
        for band in tiles:
            column = 0
            for tile in band:
                i, j, value = self.backend.matrix_coordinates(tile)
                places[0].append(i + row)
                places[1].append(j + column)
                values.append(value.astype(dtype))
                column += tile.shape[1]
            row += band[0].shape[0]
        i, j = map(np.concatenate, places)
        order = np.lexsort((j, i))
        held = np.concatenate(values)[order]
        return self.backend.build_coordinates(shape, i[order], j[order], held)

    def _ids(self, store: Hypersparse, axis: int, rank: np.ndarray) -> np.ndarray:
        have = store.ids[axis]
        return rank if have is None else have.host[rank]

    def _ranks(self, store: Hypersparse, *places: int) -> list[int | None]:
        found: list[int | None] = []
        for have, place in zip(store.ids, places):
            if have is None:
                found.append(place)
                continue
            there, at = ranks(have.host, np.array([place]))
            found.append(int(at[0]) if there[0] else None)
        return found
