"""Vectors that are dealt over processes: how they get from one process to others without the host.

Of P processes, number r holds the positions r, r + P, r + 2P, … of each vector. The kernels are in
`vector/dealt.cuh`; `gpu/device/peers.py` moves the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.gpu.device import lower
from lagraph_gpu.gpu.device.port import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from semirings import Monoid, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

DEALT = "vector/dealt.cuh"
NEWS = "vector/news.cuh"
COMPACT = "matrix/compact.cuh"


class Carrier(BackendPart):
    """Implements ``lagraph_gpu.backend.Carrier``."""

    def __init__(self, backend: GpuBackend, peers: Peers) -> None:
        super().__init__(backend)
        self.peers = peers

    @property
    def sent(self) -> int:
        return self.peers.sent

    def whole(
        self, part: DeviceVector, size: int, reads: bool, agree: Callable[[int], int | None]
    ) -> DeviceVector | None:
        parts, rank = self.peers.size, self.peers.rank
        counts = [len(range(r, size, parts)) for r in range(parts)]
        room, each = max(1, counts[0]), words(counts[0])
        result, held = self._to_fill(part, size, reads)
        marks = self.device.empty(parts * each, WORD)
        gathered = self.device.empty(parts * room, part.dtype) if reads else None
        total = agree(self.backend.products.count(part))
        if total is None:
            return None
        full = total == size
        if not full:
            lengths = [words(count) if count else 0 for count in counts]
            self.peers.all_gather(part.bits[: lengths[rank]], lengths, marks)
        if gathered is not None:
            self.peers.all_gather(part.values[: counts[rank]], counts, gathered)
        self._join(result, held, -1, each, room, None if full else marks, gathered)
        result.count = total
        return result

    def spread(self, part: DeviceVector, size: int) -> DeviceVector:
        result, held = self._to_fill(part, size, reads=True)
        self._join(result, held, self.peers.rank, 0, 0, part.present, part.values)
        result.count = part.count
        return result

    def _to_fill(
        self, part: DeviceVector, size: int, reads: bool
    ) -> tuple[DeviceVector, DeviceArray | None]:
        """A vector of this size for `_join`, and its values if there are any."""
        result = DeviceVector.allocated(self.device, size, part.dtype)
        return result, result.values if reads else None

    def _join(
        self, result: DeviceVector, held: DeviceArray | None, only: int, each: int, room: int,
        bits: DeviceArray | None, values: DeviceArray | None,
    ) -> None:  # fmt: skip
        if result.size:
            name = f"join_parts<{types.c_name(result.dtype)}>"
            numbers = map(np.int32, (result.size, self.peers.size, only, each, room))
            self.backend.launch(DEALT, "", name, result.size, *numbers, bits, values, result.bits,
                                held)  # fmt: skip

    def dealt(
        self, found: DeviceVector, agree_on: Callable[[Sequence[int]], Sequence[int]],
        agree: Callable[[], None],
    ) -> list[DeviceVector]:  # fmt: skip
        parts, n = self.peers.size, np.int32(found.size)
        own = len(range(self.peers.rank, found.size, parts))
        totals = self.device.zeros(parts, np.uint64)
        self.backend.launch(DEALT, "", "count_of_parts", found.size, n, np.int32(parts),
                            found.present, totals)  # fmt: skip
        counts = self.device.download(totals).tolist()  # synchronize!
        come = agree_on(counts)
        places, values = self._lists(sum(counts), found.dtype)
        from_all = self._lists(sum(come), found.dtype)
        agree()
        if places.size:
            ends = self.device.upload(np.cumsum([0, *counts[:-1]]).astype(np.uint64))
            self.backend.launch(
                DEALT, "", f"list_of_parts<{types.c_name(found.dtype)}>", found.size, n,
                np.int32(parts), found.present, found.values, ends, places, values,
            )  # fmt: skip
        self.peers.all_to_all((places, values), counts, come, from_all)
        result, begin = [], 0
        for count in come:
            place, value = (array[begin : begin + count] for array in from_all)
            result.append(self._scattered(own, count, place, value))
            begin += count
        return result

    def _lists(self, count: int, dtype: np.dtype) -> tuple[DeviceArray, ...]:
        """Room for so many places and values."""
        return tuple(self.device.empty(max(1, count), one)[:count] for one in (INDEX, dtype))

    def _scattered(
        self, size: int, count: int, places: DeviceArray, values: DeviceArray
    ) -> DeviceVector:
        """The vector of these entries, in any order."""
        result = DeviceVector.empty(self.device, size, values.dtype)
        if count:
            self.backend.launch(
                COMPACT, "", f"scatter<{types.c_name(values.dtype)}>", count, np.int32(count),
                places, values, result.bits, result.values,
            )  # fmt: skip
        result.count = count
        return result

    def news(
        self, offer: DeviceVector, known: DeviceVector, levels: DeviceVector | None, rounds: int,
        monoid: Monoid, rows: DeviceMatrix | None,
    ) -> DeviceVector:  # fmt: skip
        fresh = DeviceVector.allocated(self.device, known.size, known.dtype)
        totals = self.device.zeros(2, np.uint64)
        if not known.size:
            return DeviceVector(0, known.dtype, count=0, device=self.device)
        offset = INDEX if rows is None else rows.offset
        self.backend.launch(
            NEWS, lower.monoid_struct(monoid, known.dtype),
            f"take_news<Monoid, {types.c_name(offset)}>", known.size, np.int32(known.size),
            offer.present, offer.values, known.bits, known.values, np.int32(rounds),
            None if levels is None else levels.bits, None if levels is None else levels.values,
            fresh.bits, None if rows is None else rows.indptr, totals,
        )  # fmt: skip
        count, edges = self.device.download(totals).tolist()  # synchronize!
        for vector in (known,) if levels is None else (known, levels):
            vector.changed(None)
        fresh.values = known.values  # as long as nothing else is taken over
        fresh.count = count
        if rows is not None:
            fresh.multiplied_by, fresh.edges = rows, edges
        return fresh

    def measured(self, part: DeviceVector, rows: DeviceMatrix) -> tuple[int, int]:
        part.meets(rows)
        edges = self.backend.products.edges(part)
        return self.backend.products.count(part), edges
