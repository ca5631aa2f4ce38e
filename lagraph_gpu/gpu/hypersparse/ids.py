"""Lists of the ids in use, on the device, and containers under other lists (see ids.cuh).

Nothing here takes time for positions: a union of two lists takes four kernels and one wait, and a
matrix comes under a longer list by one kernel, which looks up its rows and the column of each of
its entries. The values stay where they are.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.matrix_storage import Kept, Pattern
from lagraph_gpu.gpu.storage.vector_storage import SIZE, at_least_one, offset_for
from semirings import types

IDS = "matrix/ids.cuh"
COORDINATES = "matrix/coordinates.cuh"

ID = np.dtype(np.uint64)


class IdList:
    """Sorted ids, of which each occurs once, in an array of the host, of the device, or of both.
    It never changes."""

    def __init__(self, host: np.ndarray) -> None:
        self.size, self.host = host.size, host
        self._key = object()  # not the list itself, which would keep its memory until a collection

    @classmethod
    def on_device(cls, part: BackendPart, array: DeviceArray, size: int) -> IdList:
        made = cls.__new__(cls)
        made.size, made._device, made._array, made._key = size, part.device, array, object()
        return made

    @cached_property
    def host(self) -> np.ndarray:
        if self.size == 0:
            return np.empty(0, np.int64)
        return self._device.download(self._array[: self.size]).view(np.int64)  # synchronize!

    def on(self, device: Any) -> DeviceArray:
        """The ids in an array of the device, which may be longer."""
        if "_array" not in self.__dict__:
            self._device, self._array = device, device.upload(at_least_one(self.host).view(ID))
        return self._array

    @property
    def nbytes(self) -> int:
        return 8 * self.size

    def alike(self, other: IdList | None) -> bool:
        """True if it is known that both hold the same ids."""
        return other is not None and self._key is other._key

    def found_alike(self, other: IdList) -> None:
        other._key = self._key


Ids = IdList | None
"""The ids in use on an axis. None: every position, so that an id is its own rank."""


def no_ids() -> IdList:
    return IdList(np.empty(0, np.int64))


def same(one: Ids, other: Ids) -> bool:
    """True if two axes are known to have the same ids."""
    return one is other or (one is not None and one.alike(other))


class IdLists(BackendPart):
    """What is made of lists of ids."""

    def union(self, *several: Ids) -> Ids:
        """The ids that are in one of these lists: one of them, if that has all. Waits."""
        held = [ids for ids in several if ids is not None]
        if len(held) < len(several):
            return None
        made = held[0]
        for ids in held[1:]:
            made = self._joined(made, ids)
        return made

    def _joined(self, one: IdList, other: IdList) -> IdList:
        if same(one, other) or other.size == 0:
            return one
        if one.size == 0:
            return other
        count = one.size + other.size
        merged = self.device.empty(count, ID)
        self._launch("merge_ids", count, self.given(one), self.given(other), merged)
        made = self.distinct(merged, count)[0]
        if made.size == one.size:
            if made.size == other.size:
                one.found_alike(other)
            return one
        return other if made.size == other.size else made

    def distinct(
        self, ids: DeviceArray, count: int, begins: np.dtype | None = None
    ) -> tuple[IdList, DeviceArray | None]:
        """The different ids of a sorted list; and where each begins, if a type is given for that,
        with the length of the list behind them. Waits."""
        if count == 0:
            return no_ids(), None if begins is None else self.device.zeros(1, begins)
        kept, counts = self.device.empty(words(count), WORD), self.device.zeros(words(count), SIZE)
        self.backend.launch(COORDINATES, "", "mark_new", count, np.int64(count), ids, kept, counts)
        ends, total = self.backend.prefix_sums.total(counts, SIZE)  # synchronize!
        return self.kept(ids, count, Kept(kept, ends, total), begins)

    def kept(
        self, ids: DeviceArray | None, count: int, marked: Kept, begins: np.dtype | None = None
    ) -> tuple[IdList, DeviceArray | None]:
        """The marked ids of a list, and where they begin (see keep_ids)."""
        out = self.device.empty(max(1, marked.total), ID)
        at = None if begins is None else self.device.empty(marked.total + 1, begins)
        name = f"keep_ids<{types.c_name(INDEX if begins is None else begins)}>"
        self._launch(name, words(count), np.int64(count), ids, marked.bits, marked.ends, out, at)
        return IdList.on_device(self, out, marked.total), at

    def marked(self, bits: DeviceArray, n: int) -> Kept:
        """The set bits of n. Waits."""
        counts = self.device.zeros(words(n), SIZE)
        self.backend.launch("matrix/indexed.cuh", "", "count_bits", counts.size, np.int32(n), bits,
                            counts)  # fmt: skip
        return Kept(bits, *self.backend.prefix_sums.total(counts, SIZE))  # synchronize!

    # --- containers --------------------------------------------------------------------------
    def listed(
        self, rows: DeviceArray, columns: DeviceArray, values: DeviceArray, iso: bool
    ) -> tuple[DeviceMatrix, IdList, IdList]:
        """The matrix by rank of entries that come in order, and the ids of its rows and columns.
        Waits twice."""
        count = rows.size
        offset = offset_for(count)
        used_rows, indptr = self.distinct(rows, count, offset)
        in_order = self.device.copy(columns)
        self.device.sort(in_order)
        used_columns, _ = self.distinct(in_order, count)
        indices = self.ranks(columns, count, used_columns)
        shape = used_rows.size, used_columns.size
        assert indptr is not None
        made = DeviceMatrix(shape, values.dtype, count, indptr, indices, values, iso)
        return made, used_rows, used_columns

    def ends_of(
        self, pairs: DeviceArray, count: int, marked: Kept
    ) -> tuple[DeviceArray, DeviceArray]:
        """The rows and the columns of the marked pairs (see coordinates.cuh)."""
        kept = self.kept(pairs, count, marked)[0].on(self.device)
        rows, columns = (self.device.empty(marked.total, ID) for _ in range(2))
        self._launch("split_pairs", marked.total, np.int64(marked.total), kept, rows, columns)
        return rows, columns

    def ranks(self, wanted: DeviceArray, count: int, among: Ids, size: int = 0) -> DeviceArray:
        """The rank of each wanted id, or -1; ``size`` positions where there is no list."""
        made = self.device.empty(max(1, count), INDEX)
        self._launch("rank_ids", count, np.int32(count), wanted, self.given(among, size), made)
        return made

    def gathered(self, u: DeviceVector, have: Ids, want: IdList) -> DeviceVector:
        """A vector by rank among other ids; entries at ids that are not wanted are left out."""
        index = self.ranks(want.on(self.device), want.size, have, u.size)
        return self.backend.updates.picked(u, index, want.size)

    def spread(self, u: DeviceVector, have: IdList, size: int) -> DeviceVector:
        """A vector of ``size`` positions with its entries at their ids."""
        out = DeviceVector.empty(self.device, size, u.dtype)
        out.count = u.count
        if u.size and u.count != 0:
            name = f"spread<{types.c_name(u.dtype)}>"
            self._launch(name, u.size, np.int32(u.size), have.on(self.device), u.present, u.values,
                         out.bits, out.values)  # fmt: skip
        return out

    def renamed(
        self, A: DeviceMatrix, have: tuple[Ids, ...], want: tuple[Ids, ...], shape: tuple[int, ...]
    ) -> DeviceMatrix:
        """A matrix by rank among other ids, with which all of its entries are; None stands for all
        positions of ``shape``."""
        kept = [same(one, other) for one, other in zip(have, want)]
        sizes = [
            A.shape[axis] if kept[axis] else shape[axis] if ids is None else ids.size
            for axis, ids in enumerate(want)
        ]
        device = self.device
        indptr = None if kept[0] else device.empty(sizes[0] + 1, A.offset)
        indices = None if kept[1] else device.empty(max(1, A.nnz), INDEX)
        pairs = [
            (self.given(have[axis], A.shape[axis]), self.given(want[axis], sizes[axis]))
            for axis in (0, 1)
        ]
        if not all(kept):
            self._launch(
                f"rename<{types.c_name(A.offset)}>", max(A.nnz, sizes[0] + 1), *pairs[0], A.indptr,
                indptr, A.offset.type(A.nnz), *pairs[1], A.indices, indices,
            )  # fmt: skip
        result = DeviceMatrix(
            (sizes[0], sizes[1]), A.dtype, A.nnz, A.indptr if indptr is None else indptr,
            A.indices if indices is None else indices, A.values, A.iso,
            Pattern(A.pattern.max_degree),
        )  # fmt: skip
        if A.transposed is A and same(*have) and same(*want):
            result.transposed = result
        return result

    def positions(
        self, A: DeviceMatrix, axis: int, have: tuple[Ids, ...], first: Any, dtype: np.dtype
    ) -> DeviceMatrix:
        """The matrix whose values are the ids of the rows, or of the columns, of its entries;
        ``first`` is added."""
        ranks = A.indices if axis else self.backend.matrices.rows_of_entries(A)
        out = self.device.empty(max(1, A.nnz), dtype)
        self._launch(f"ids_of_entries<{types.c_name(dtype)}>", A.nnz, np.int64(A.nnz), ranks,
                     self.given(have[axis]), np.int64(first), out)  # fmt: skip
        return A.with_values(out)

    def used(self, A: DeviceMatrix, axis: int, have: Ids) -> IdList:
        """The ids of the rows that have entries; on axis 1, of the columns. Waits."""
        n = A.shape[axis]
        if axis == 0:
            bits = self.device.empty(words(n), WORD)
            name = f"mark_rows<{types.c_name(A.offset)}>"
            self._launch(name, n, np.int32(n), A.indptr, bits)
        else:
            bits = self.device.zeros(words(n), WORD)
            self._launch("mark_columns", A.nnz, np.int64(A.nnz), A.indices, bits)
        return self.of_bits(bits, n, have)

    def of_bits(self, bits: DeviceArray, n: int, have: Ids) -> IdList:
        """The ids of the set bits of n: ``have``, if these are all. Waits."""
        marked = self.marked(bits, n)
        if have is not None and marked.total == n:
            return have
        return self.kept(None if have is None else have.on(self.device), n, marked)[0]

    def given(self, ids: Ids, size: int = 0) -> tuple[Any, np.int32]:
        """A list as kernels take it; all of ``size`` positions if it is None."""
        if ids is None:
            return None, np.int32(size)
        return ids.on(self.device), np.int32(ids.size)

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(IDS, "", name, work, *args)
