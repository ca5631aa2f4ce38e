"""Rows that a process needs and others own: it asks for them, and they send them."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cluster.distribution import Arrays, Distributed, Distribution
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.notation.expressions import Extract
from lagraph_gpu.notation.indexing import distinct


def rows_of_process(
    distribution: Distribution, rank: int, part: Any, nrows: int, wanted: np.ndarray
) -> Any:
    """The part of one process, of a matrix of `nrows` rows, with the rows `wanted` here: a list of
    places, increasing. The process itself has all of it."""
    if rank == distribution.rank:
        wanted = wanted[:0]
    arrays = merged(asked_for(distribution, part, np.full(wanted.size, rank), wanted))
    if rank == distribution.rank:
        return part
    own = len(range(rank, nrows, distribution.size))
    return distribution.built((own, part.shape[1]), arrays)


def columns_of(distribution: Distribution, rows: Any) -> np.ndarray:
    """The columns that have entries in some rows."""
    if lists_rows(rows.shape[1], lambda: rows.nvals):
        return distinct(distribution.listed(rows)[1])
    return distribution.listed(rows.T.reduce_rowwise("any").new())[0]


def at_columns(distribution: Distribution, vector: Distributed, rows: Any) -> Any:
    """The entries of a vector at the columns that have entries in some rows, as a container of the
    local backend."""
    size, columns = distribution.size, columns_of(distribution, rows)
    come = asked_for(distribution, vector.part, columns % size, columns // size)
    arrays = merged([[place * size + rank, *rest] for rank, (place, *rest) in enumerate(come)])
    return distribution.built(vector.shape, arrays)


def asked_for(
    distribution: Distribution, part: Any, owners: np.ndarray, places: np.ndarray
) -> list[Arrays]:
    """The entries in these rows of the parts of these processes: what each has sent here."""
    requests = distribution.sent(owners, [places])
    to = np.repeat(np.arange(distribution.size), [one.size for (one,) in requests])
    places = np.concatenate([one for (one,) in requests])
    rows = (places, None)[: len(part.shape)]
    line, *rest = distribution.listed(Extract(part, rows).new())
    return distribution.sent(to[line], [places[line], *rest])
