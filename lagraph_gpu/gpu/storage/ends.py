"""A few entries of a vector or a matrix on a GPU, for a screen: the others stay where they are.

Which position holds the k-th entry is found by bisection. A step downloads a few bytes: how many
entries there are up to a word of a bitmap, which a kernel counts, or the offset of a row.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from typing import Any

import numpy as np

from lagraph_gpu.backend import Entries, Rows
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import DeviceVector, words
from semirings import types


def ends(count: int, first: int, last: int) -> np.ndarray:
    """The numbers of the first and the last of `count` entries.

    >>> ends(10, 2, 1).tolist()
    [0, 1, 9]
    """
    return np.r_[:first, count - last : count]


class Ends(BackendPart):
    """The first and the last entries, and a sample of all."""

    def of_vector(self, v: DeviceVector, first: int, last: int) -> Entries:
        if v.point is not None:
            return np.array([v.point.at], np.int64), np.array([v.point.value], v.dtype)
        count = self.backend.products.count(v)
        if v.full:
            return ends(count, first, last), self.slices(v.values, count, first, last)

        @functools.cache
        def up_to(word: int) -> int:
            """The entries in the words of the bitmap up to this one."""
            size = min(v.size, 32 * (word + 1))
            part = DeviceVector(size, v.dtype, v.bits[: word + 1], device=self.device)
            return self.backend.products.count(part)

        index = []
        for k in ends(count, first, last).tolist():
            word = bisect_right(range(words(v.size)), k, key=up_to)
            bits = int(self.one(v.bits, word))
            held = [bit for bit in range(32) if bits >> bit & 1]
            index.append(32 * word + held[k - (up_to(word - 1) if word else 0)])
        values = [self.one(v.values, i) for i in index]
        return np.array(index, np.int64), np.array(values, v.dtype)

    def of_matrix(self, A: DeviceMatrix, first: int, last: int) -> Rows:
        @functools.cache
        def end_of(row: int) -> int:
            return int(self.one(A.indptr, row + 1))

        numbers = ends(A.nnz, first, last)
        row = [bisect_right(range(A.shape[0]), k, key=end_of) for k in numbers.tolist()]
        column = self.slices(A.indices, A.nnz, first, last).astype(np.int64)
        if A.iso:
            return np.array(row, np.int64), column, np.repeat(self.one(A.values, 0), numbers.size)
        return np.array(row, np.int64), column, self.slices(A.values, A.nnz, first, last)

    def cells(self, A: DeviceMatrix, scale: int, most: int) -> np.ndarray:
        number = np.arange(A.nnz) if A.nnz <= most else np.arange(most) * A.nnz // most
        begins = self.gathered(A.indptr, np.arange(0, A.shape[0], scale))
        row = np.searchsorted(begins, number, side="right") - 1
        return np.column_stack((row, self.gathered(A.indices, number) // scale))

    def gathered(self, array: DeviceArray, places: np.ndarray) -> np.ndarray:
        """The values at these places."""
        found = self.device.empty(max(1, places.size), array.dtype)
        name = f"pick<{types.c_name(array.dtype)}, long long>"
        self.backend.exchange.launch(
            name, places.size, np.int64(places.size), self.device.upload(places), array, found
        )
        return self.device.download(found)[: places.size].astype(np.int64)  # synchronize!

    def slices(self, array: DeviceArray, count: int, first: int, last: int) -> np.ndarray:
        """The first and the last of `count` values."""
        head = self.device.download(array[:first])  # synchronize!
        tail = self.device.download(array[count - last : count])  # synchronize!
        return np.concatenate((head, tail))

    def one(self, array: DeviceArray, at: int) -> Any:
        return self.device.download(array[at : at + 1])[0]  # synchronize!
