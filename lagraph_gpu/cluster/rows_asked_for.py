"""Rows that a process needs and others own: it asks for them, and they send them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.cluster.distributed_store import Arrays, Distributed, Ranked
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.convert.values import one_value
from lagraph_gpu.notation.expressions import Extract
from lagraph_gpu.notation.indexing import distinct


def rows_of_process(
    distribution: Distribution, rank: int, part: Any, nrows: int, wanted: np.ndarray
) -> Any:
    """The part of one process, of a matrix of `nrows` rows, with the rows `wanted` here: a list of
    places, increasing. The process itself has all of it."""
    if rank == distribution.rank:
        wanted = wanted[:0]
    arrays = merged(
        asked_for(
            distribution, partial(lines_of, distribution, part), np.full(wanted.size, rank), wanted
        )
    )
    if rank == distribution.rank:
        return part
    own = len(range(rank, nrows, distribution.size))
    return distribution.built((own, part.shape[1]), arrays)


def columns_of(distribution: Distribution, rows: Any) -> np.ndarray:
    """The columns that have entries in some rows."""
    if lists_rows(rows.shape[1], lambda: rows.nvals):
        return distinct(distribution.listed(rows)[1])
    return distribution.listed(rows.T.reduce_rowwise("any").new())[0]


def at_columns(distribution: Distribution, vector: Distributed, columns: np.ndarray) -> Arrays:
    """The entries of a vector in a list of positions that increases: where they are in the list, in
    any order, and their values."""
    size = distribution.size
    come = asked_for(distribution, vector.at, columns % size, columns // size)
    arrays = merged([[place * size + rank, *rest] for rank, (place, *rest) in enumerate(come)])
    return [np.searchsorted(columns, arrays[0]), *arrays[1:]]


def under_ranks(distribution: Distribution, rows: Distributed) -> Ranked:
    """The entries of a matrix on this process under the ranks of their rows and columns, which are
    made once. (In a vector that has few entries for its size SuiteSparse looks for each column,
    which takes fifty times as long.)"""
    if rows.ranked is None:
        row, column, values = distribution.listed(rows.part)
        lines, columns, iso = distinct(row), distinct(column), one_value(values)
        made = distribution.local.build_coordinates(
            (lines.size, columns.size), np.searchsorted(lines, row),
            np.searchsorted(columns, column), values[:1] if iso else values, iso,
        )  # fmt: skip
        part = distribution.handle(made, (lines.size, columns.size), values.dtype)
        rows.ranked = Ranked(lines, columns, part)
    return rows.ranked


def lines_of(distribution: Distribution, part: Any, rows: np.ndarray) -> Arrays:
    """The entries in these rows of a part of a matrix, each of the rows numbered in the list."""
    return distribution.listed(Extract(part, (rows, None)).new())


def asked_for(
    distribution: Distribution, found: Callable[[np.ndarray], Arrays], owners: np.ndarray,
    places: np.ndarray,
) -> list[Arrays]:  # fmt: skip
    """The entries in these rows of the parts of these processes: what each has sent here. `found`
    has those in a list of rows of this process, with their numbers in the list."""
    requests = distribution.sent(owners, [places])
    to = np.repeat(np.arange(distribution.size), [one.size for (one,) in requests])
    places = np.concatenate([one for (one,) in requests])
    line, *rest = found(places)
    return distribution.sent(to[line], [places[line], *rest])
