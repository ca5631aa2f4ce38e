"""Entries in any order, some of them of one position, as the rows of a matrix
(``native/entries.cpp``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.closure import MOST_NUMBERED
from lagraph_gpu.convert.edges import Runs
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import values_by_row
from lagraph_gpu.cpu.statements.stores import HostArrays
from semirings.types import INT32, INT64

if TYPE_CHECKING:
    from lagraph_gpu.backend import Rows

_entries_by_row = Loop("entries_by_row")
repeated_entries, split_repeated = Loop("repeated_entries"), Loop("split_repeated")

SPARE_COLUMNS = 16
"""So many places more than there are entries the loop needs (``SPARE_COLUMNS`` in ``loops.h``)."""
MOST_PLACES = 2**32 - 1
"""So many entries of a list have places of 32 bits."""


def entries_by_row(
    backend: Any, row: np.ndarray, column: np.ndarray, value: np.ndarray, shape: tuple[int, int],
    iso: bool, both: bool = False,
) -> Rows | None:  # fmt: skip
    """Lowers ``entries_by_row``. None for more rows or entries than 32 bits number."""
    if row.size > MOST_PLACES or max(shape) > MOST_NUMBERED:
        return None
    most = 2 * row.size if both else row.size
    begins, columns = np.empty(shape[0] + 1, INT64), np.empty(most + SPARE_COLUMNS, INT32)
    item, held = (0, value) if iso else (value.itemsize, np.empty(most, value.dtype))
    given = np.ascontiguousarray(row), np.ascontiguousarray(column), both, item
    values = np.ascontiguousarray(value).view(np.uint8)
    made = begins, columns, held.view(np.uint8)
    count = watched(_entries_by_row, *given, values, *made, work=shape[0] + most)
    if count == most:
        return begins, columns[:most], held
    # entries of the diagonal have no reverse
    return begins, columns[:count].copy(), held if iso else held[:count].copy()


def all_values(A: Any) -> np.ndarray | None:
    """Lowers ``all_values``, for arrays and for what SuiteSparse stores without positions, which
    then need not be listed."""
    held = A._store.given
    return held.expanded() if isinstance(held, HostArrays) else values_by_row(held)


def each_once(
    backend: Any, begins: np.ndarray, columns: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray], Runs] | None:
    """Lowers ``each_once``. None for columns that 32 bits do not number."""
    if columns.dtype != INT32:
        return None
    given = CompressedRows(begins, columns)
    count = repeated_entries(given)
    if not count:
        none = np.empty(0, INT64)
        return (begins, columns), Runs(none, none)
    stay = columns.size - count
    once = np.empty_like(begins), np.empty(stay, INT32)
    runs = Runs(np.empty(stay, INT64), np.empty(count, INT64))
    split_repeated(given, *once, *runs)
    return once, runs
