"""Rows sorted by weight, and what a planner needs to know of the weights of a matrix.

If ⊗ distributes over a minimum or maximum, it is monotone: of two edges out of one vertex, the one
with the better weight gives the better product. So in a row with its best weights first, a search
may stop at the first edge that cannot improve anything. Other operations need rows sorted by
column, so the sorted rows are a copy beside the matrix.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device import DeviceArray

MIN_EDGE = "matrix/min_edge.cuh"
WEIGHT_ORDER = "matrix/weight_order.cuh"

BYTE = np.dtype(np.uint8)
SAMPLE = 4096
"""The number of values in a sample of the weights."""


class Stored(NamedTuple):
    """The entries of a matrix, row by row, for closures by order of value (see
    edge_storage.cuh)."""

    kind: str
    """The C++ type of the storage."""
    is_sorted: bool
    """True if each row is sorted by value, or if there is only one value."""
    columns: DeviceArray
    values: DeviceArray | None
    stride: np.int32

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays as kernels take them."""
        return self[2:]


def direction_of(falling: bool) -> int:
    """The direction in which rows are sorted: 1 for rising weights, -1 for falling ones."""
    return -1 if falling else 1


def pair_of(dtype: np.dtype) -> np.dtype:
    """The type of a pair of a column and its value, as in edge_storage.cuh."""
    at = max(4, dtype.itemsize)
    return np.dtype({"names": ["to", "weight"], "formats": [INDEX, dtype],
                     "offsets": [0, at], "itemsize": 2 * at})  # fmt: skip


def pairs_kind(A: DeviceMatrix) -> str:
    """The C++ type of the storage of A's entries in pairs."""
    return f"Pairs<{types.c_name(A.dtype)}>"


def kernels_that_sort(backend: GpuBackend, A: DeviceMatrix) -> list[tuple[str, str, str]]:
    """The kernels that sort A's rows and find the best entry of each, after header and algebra."""
    first = f"first_min_edges<{types.c_name(A.offset)}, {types.c_name(A.dtype)}, {pairs_kind(A)}>"
    named = [*backend.row_order.kernels_by_weight(A), (MIN_EDGE, first)]
    return [(header, "", name) for header, name in named]


def as_stored(A: DeviceMatrix, is_sorted: bool = False) -> Stored:
    """The entries of the matrix in its own arrays."""
    kind = f"Apart<{types.c_name(A.dtype)}, {str(is_sorted).lower()}>"
    return Stored(kind, is_sorted, A.indices, A.values, A.stride)


def lightest_first(A: DeviceMatrix, falling: bool) -> Stored:
    """A's entries with rows sorted in this order if that has been done, else in its own arrays."""
    return A.closures.sorted_entries.get(direction_of(falling)) or as_stored(A)


def sort_rows(backend: GpuBackend, A: DeviceMatrix, falling: bool = False) -> Stored:
    """A's entries with each row sorted by rising, or falling, value. They are in the matrix' own
    arrays if there is only one value; else they are a copy with a pair of column and value for each
    entry (8 bytes, or 16 for values of 8 bytes).

    Each row is sorted once, or twice for values of 8 bytes, and each sort waits once. Temporary
    memory is at most 24 bytes a row, 16 for each entry of a row that shared memory cannot hold, and
    for values of 8 bytes another 12 an entry.
    """
    kept, way = A.closures, direction_of(falling)
    if way not in kept.sorted_entries:
        made = as_stored(A, is_sorted=True)
        if not A.iso and A.nnz > 0:
            pairs = backend.row_order.by_weight(A, falling)
            made = Stored(pairs_kind(A), True, pairs, None, np.int32(0))
        kept.sorted_entries[way] = made  # last: a failure above leaves A as it was
        kept.lightest.pop((way, False), None)
    return kept.sorted_entries[way]


def sorted_if_room(backend: GpuBackend, A: DeviceMatrix, falling: bool) -> bool:
    """Sort A's rows, and return True if they are sorted. If there is not enough memory they stay as
    they are, and no later call tries again."""
    try:
        return sort_rows(backend, A, falling).is_sorted
    except TooLarge:
        A.closures.sorted_entries[direction_of(falling)] = as_stored(A)
        return False


def lightest(backend: GpuBackend, A: DeviceMatrix, falling: bool, stored: Stored) -> DeviceArray:
    """The best entry of each row, separate from the others as they are ``stored`` (see
    min_edge.cuh). It is found once for a matrix and takes 16 bytes a row, or 24 for values of 8
    bytes. It takes one pass over all entries, or over two of each row if rows are sorted: among
    entries of equal weight another one may then be first."""
    way = direction_of(falling), stored.is_sorted
    if way not in A.closures.lightest:
        size = 24 if A.dtype.itemsize > 4 else 16
        found = backend.device.empty(max(1, A.shape[0]) * size, BYTE)
        n, types_of = A.shape[0], f"{types.c_name(A.offset)}, {types.c_name(A.dtype)}"
        launch = functools.partial(backend.launch, MIN_EDGE, "")
        if stored.is_sorted:
            launch(f"first_min_edges<{types_of}, {stored.kind}>", n, np.int32(n),
                   (A.indptr, *stored.arrays), found)  # fmt: skip
        else:
            launch(f"find_min_edges<{types_of}>", 32 * n, np.int32(n), A.arrays(),
                   np.bool_(falling), found)  # fmt: skip
        A.closures.lightest[way] = found
    return A.closures.lightest[way]


def small_weight(backend: GpuBackend, A: DeviceMatrix, share: float) -> float:
    """The magnitude that about this share of the weights do not exceed, estimated from a sample.
    Waits."""
    if A.nnz == 0 or A.iso:
        return float("inf")
    return float(sampled(backend, A.values, A.nnz, share))  # synchronize!


def sampled(backend: GpuBackend, values: DeviceArray, size: int, share: float) -> Any:
    """The magnitude that about this share of so many values do not exceed, estimated from a sample.
    Waits."""
    count = min(SAMPLE, size)
    sample = backend.device.empty(count, values.dtype)
    backend.launch(WEIGHT_ORDER, "", f"sample_values<{types.c_name(values.dtype)}>", count,
                   np.int64(size), np.int32(count), values, sample)  # fmt: skip
    magnitudes = np.sort(np.abs(backend.device.download(sample).astype(float)))  # synchronize!
    return magnitudes[int(share * (count - 1))]
