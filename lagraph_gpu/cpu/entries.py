"""The entries of stores as arrays, in their order."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from lagraph_gpu.backend import Entries, Rows
from lagraph_gpu.convert.compressed_rows import LISTING_HELPS, compress
from lagraph_gpu.convert.values import all_alike
from lagraph_gpu.cpu.statements.containers import all_values, indices_and_values, values_by_row
from lagraph_gpu.cpu.statements.objects import count, expect_entries_fit, is_iso
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostArrays, HostEntries, HostRows
from lagraph_gpu.memory import expect_room
from semirings import types
from semirings.records import Fields


def entries_of(store: Any) -> Entries:
    """(indices, values) of a vector store."""
    n = count(store)
    if n == store._size and (values := all_values(store)) is not None:
        return np.arange(n), values  # SuiteSparse takes three times as long for these
    expect_entries_fit(store, n)
    return indices_and_values(store, n)


def rows_of(store: Any) -> Rows:
    """(indptr, indices, values) of a matrix store."""
    held = store.given
    expect_room(16 * held.nrows, f"the offsets of {held.nrows:,} rows", LISTING_HELPS)
    if isinstance(held, HostRows):
        return held.begins.copy(), held.columns.astype(np.int64), held.expanded()
    if isinstance(held, HostEntries):
        row, column, values = held.coordinates()
        return compress(row, held.nrows), column, values
    if (known := values_by_row(held)) is not None:
        expect_entries_fit(held, known.size)
        begins = np.arange(held.nrows + 1) * held.ncols
        return begins, np.tile(np.arange(held.ncols), held.nrows), known
    expect_entries_fit(held, count(held))
    indptr, indices, values = held.to_csr()
    return indptr.view(np.int64), indices.view(np.int64), values


def ends_of(of: Any, first: int, last: int) -> Any:
    """The positions, one axis after another, and the values of the first and the last entries.

    Where it is a bitmap, places are sought that need not hold an entry: then the search for the
    last ones begins further and further from the end.
    """
    if types.is_record(types.lookup(of.dtype)):  # for which SuiteSparse has no iterator
        return [np.concatenate([a[:first], a[a.size - last :]]) for a in of.to_coo()]
    tail: list[Any] = []
    back = last
    while len(tail) < last:
        tail, back = list(of.ss.iteritems(-back)), 2 * back
    return zip(*islice(of.ss.iteritems(), first), *tail[len(tail) - last :])


def holds_one_value(store: Any) -> bool | None:
    """True if one value is stored for all entries, False if the first two differ, else None."""
    held = store.given if isinstance(store, CpuMatrix) else store
    if isinstance(held, HostArrays):
        return all_alike(held.values)
    if is_iso(held):
        return True
    if held.dtype.np_type.kind not in "biufc":
        return None
    first, *rest = islice(type(held).ss(held).itervalues(), 2)
    return False if rest and first != rest[0] and first == first else None


def plain(value: Any) -> Any:
    """A value in terms of Python: of a record its fields, of an array type an array."""
    value = types.shown(value)
    return Fields(value) if isinstance(value, np.void) else value


def by_rows(A: Any) -> Any:
    """Store an object of python-graphblas by rows, in whose order entries are listed, and return
    it.

    SuiteSparse stores a matrix of one column by columns, and goes on when it is resized.
    """
    if A.ncols > 1 and A.ss.orientation == "columnwise":
        A.ss.config["format"] = "by_row"
    return A
