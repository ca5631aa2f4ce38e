"""The entries of all rows of a matrix, on one process or on all.

First each process tells which of its rows have entries and how many, by which all rows get their
places, and then it sends the entries in pieces, of which each goes to its place at once. So beside
the rows there are only some pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.cluster.packing import divided, joined, place_type
from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.convert.values import one_value
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend import Backend
    from lagraph_gpu.cluster.distributed_store import Arrays, Distributed
    from lagraph_gpu.cluster.distribution import Distribution
    from lagraph_gpu.notation.expressions import Shape

PIECE = 1 << 18
"""Each process sends so many entries at once."""

Send = Callable[[np.ndarray], list[np.ndarray]]
"""Sends bytes of this process, and returns what has come here from each."""


def on_all_processes(distribution: Distribution, store: Distributed) -> PlacedEntries:
    """The entries of a matrix, on every process."""
    placed = on_receivers(distribution, store, distribution.comm.all_gather)
    assert placed is not None
    return placed


def on_receivers(
    distribution: Distribution, store: Distributed, send: Send, receives: bool = True, most: int = 0
) -> PlacedEntries | None:
    """The entries of a matrix on those processes that receive what is sent; None on others, which
    have to know the largest number of entries that a process has."""
    *rows, column, values = rows_of_part(distribution, store)
    lists = divided_each(send(joined(rows)), rows)
    placed = None
    if receives:
        size = distribution.size
        whose = [row.astype(INT64) * size + rank for rank, (row, _) in enumerate(lists)]
        lengths = [one for _, one in lists]
        placed = PlacedEntries(whose, lengths, [column.dtype, values.dtype])
        most = max(int(one.sum()) for one in lengths)
    for begin in range(0, most, PIECE):
        entries = [array[begin : begin + PIECE] for array in (column, values)]
        received = send(joined(entries))
        if placed is not None:
            placed.put(begin, divided_each(received, entries))
    return placed


def divided_each(received: list[np.ndarray], like: Arrays) -> list[Arrays]:
    """Arrays of the types of these, from each process."""
    return [divided(part, [array.dtype for array in like]) for part in received]


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
        """The matrix as a store of a backend, which may keep the arrays."""
        iso = one_value(self.values)
        held = self.column, self.values[:1] if iso else self.values
        if shape[0] > ROWS_PER_LISTED_ROW * self.column.size:
            made = target.build_coordinates(shape, self.row_of_each(), *held, iso)
            return target.declare_symmetric(made) if symmetric else made
        rows, adopt = (self.offsets(shape[0]), *held), self.column.dtype == INT32
        return target.build_matrix(shape, rows, symmetric=symmetric, iso=iso, adopt=adopt)

    def row_of_each(self) -> np.ndarray:
        """The row of each entry."""
        return np.repeat(self.row, self.lengths)

    def offsets(self, nrows: int) -> np.ndarray:
        """Where each row begins, and where the last one ends."""
        ends = np.zeros(nrows + 1, INT64)
        ends[self.row + 1] = self.lengths
        return np.cumsum(ends, out=ends)
