"""The entries of a vector or a matrix on one process alone.

Each process sends what it has to that one, and receives nothing. Rows of a matrix come in pieces:
first how many entries each row has, by which all rows get their places, and then the entries, of
which each goes to its place at once. So beside the rows there are only some pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.cluster import packing
from lagraph_gpu.cluster.distribution import Arrays, Distributed, Distribution
from lagraph_gpu.cluster.packing import divided, joined, place_type
from lagraph_gpu.convert.build import ROWS_PER_LISTED_ROW, one_value
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.expressions import Shape
from semirings.types import INT32, INT64

PIECE = 1 << 18
"""Each process sends so many entries of a matrix at once."""

NO_BYTES = np.empty(0, np.uint8)


def on_one_process(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    """The whole vector or matrix as a store of another backend on process `root`; None on others.

    All call it together. If the root has no room, or cannot make the store, all raise its error.
    """
    if root >= distribution.size:
        raise InvalidValue(
            f"expected root below {distribution.size}, the number of processes, got {root}"
        )
    move = of_vector if len(store.shape) == 1 else of_matrix
    return move(distribution, store, root, target)


def of_vector(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    place, values = distribution.listed(store.part)
    announced(distribution, root, place.size, INT64.itemsize + values.itemsize)
    received = sent_to(distribution, root, packing.of_vector(place, values, *store.part.shape))
    if distribution.rank != root:
        return None
    return target.build_vector(
        store.shape[0], *distribution.in_order(store, received, values.dtype)
    )


def of_matrix(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    *rows, column, values = rows_of_part(distribution, store)
    dtypes = [column.dtype, values.dtype]
    counts = announced(distribution, root, column.size, sum(dtype.itemsize for dtype in dtypes))
    received = sent_to(distribution, root, joined(rows))
    lists = listed_by(received, [array.dtype for array in rows])
    placed = None
    if distribution.rank == root:
        whose = [row.astype(INT64) * distribution.size + r for r, (row, _) in enumerate(lists)]
        placed = PlacedEntries(whose, [lengths for _, lengths in lists], dtypes)
    for begin in range(0, int(counts.max()), PIECE):
        piece = slice(begin, begin + PIECE)
        received = sent_to(distribution, root, joined([column[piece], values[piece]]))
        if placed is not None:
            placed.put(begin, listed_by(received, dtypes))
    return None if placed is None else placed.store(target, store.shape, store.symmetric)


def rows_of_part(distribution: Distribution, store: Distributed) -> Arrays:
    """The rows with entries of the part of this process, how many each has, and the columns and
    values of these, in the same types on all processes."""
    part = store.part
    if part.shape[0] > ROWS_PER_LISTED_ROW * part.nvals:
        place, column, values = distribution.listed(part)
        row, lengths = np.unique(place, return_counts=True)
    else:
        ends, column, values = distribution.local.matrix_entries(part._store)
        lengths = np.diff(ends)
        row = np.flatnonzero(lengths)
        lengths = lengths[row]
    of_rows, of_columns = map(place_type, store.shape)
    kinds = (row, of_rows), (lengths, of_columns), (column, of_columns)
    return [*(array.astype(kind, copy=False) for array, kind in kinds), values]


class PlacedEntries:
    """The entries of a matrix in the order of its rows, of which each process has sent some."""

    def __init__(self, rows: Arrays, lengths: Arrays, dtypes: list[np.dtype]) -> None:
        """Room for the entries. Given are the rows of each process that have some, and how many."""
        every = np.concatenate(rows)
        order = np.argsort(every)
        self.row, self.lengths = every[order], np.concatenate(lengths)[order].astype(INT64)
        ends = np.cumsum(self.lengths)
        begins = np.empty_like(ends)
        begins[order] = ends - self.lengths
        whose = np.split(begins, np.cumsum([own.size for own in rows])[:-1])
        self._sent = [np.cumsum(own, dtype=INT64) - own for own in lengths]
        """Where the rows of each process begin among the entries that it sends."""
        self._moves = [there - sent for there, sent in zip(whose, self._sent, strict=True)]
        """How far the entries of each row go from there."""
        total = int(ends[-1]) if ends.size else 0
        self.column, self.values = (np.empty(total, dtype) for dtype in dtypes)

    def put(self, begin: int, pieces: list[Arrays]) -> None:
        """Put the entries in their places that each process has from this one on."""
        for (column, values), sent, moves in zip(pieces, self._sent, self._moves, strict=True):
            at = np.arange(begin, begin + column.size)
            at += moves[np.searchsorted(sent, at, "right") - 1]
            self.column[at], self.values[at] = column, values

    def store(self, target: Backend, shape: Shape, symmetric: bool) -> Any:
        """The matrix as a store of a backend."""
        iso = one_value(self.values)
        held = self.column, self.values[:1] if iso else self.values
        if shape[0] > ROWS_PER_LISTED_ROW * self.column.size:
            row = np.repeat(self.row, self.lengths)
            made = target.build_coordinates(shape, row, *held, iso)
            return target.declare_symmetric(made) if symmetric else made
        ends = np.zeros(shape[0] + 1, INT64)
        ends[self.row + 1] = self.lengths
        rows = np.cumsum(ends, out=ends), *held
        adopt = self.column.dtype == INT32
        return target.build_matrix(shape, rows, symmetric=symmetric, iso=iso, adopt=adopt)


def announced(distribution: Distribution, root: int, mine: int, each: int) -> np.ndarray:
    """How many entries each process is about to send to the root, which has so many bytes free for
    `each` of them."""
    counts, roots = distribution.counts(mine, root).T
    if (roots != roots[0]).any():
        raise InvalidValue(
            f"expected the same root in all processes, got {roots.tolist()} from one after another"
        )
    if distribution.rank == root:
        total = int(counts.sum())
        expect_room(
            total * each, f"{total:,} entries on process {root}",
            "let a process have them whose host has more memory, or let all save their parts",
        )  # fmt: skip
    return counts


def sent_to(distribution: Distribution, root: int, mine: np.ndarray) -> list[np.ndarray]:
    """What all processes send to the root; others receive nothing."""
    parts = [NO_BYTES] * distribution.size
    parts[root] = mine
    return distribution.comm.all_to_all(parts)


def listed_by(received: list[np.ndarray], dtypes: list[np.dtype]) -> list[Arrays]:
    """Arrays of these types from each process."""
    return [divided(part, dtypes) for part in received]
