"""Vectors that are distributed over processes: the exchange of their entries without the host.

Of P processes, number r holds the positions r, r + P, r + 2P, … of each vector. The kernels are in
`vector/distributed.cuh`; `gpu/device/peers.py` moves the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.device.peers import cut
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from semirings import Monoid, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

DISTRIBUTED = "vector/distributed.cuh"
FOLD_CHANGED = "vector/fold_changed.cuh"
COMPACT = "matrix/compact.cuh"

GATHERED_AS_LISTS = 4
"""A vector with an entry at fewer than one position in so many is gathered as lists, if its values
are read: a place takes as much as a value of four bytes, and a bit for each position is less."""


class VectorExchange(BackendPart):
    """Implements ``lagraph_gpu.backend_distributed.VectorExchange``."""

    def __init__(self, backend: GpuBackend, peers: Peers) -> None:
        super().__init__(backend)
        self.peers = peers

    @property
    def sent(self) -> int:
        return self.peers.sent

    def all_gather(
        self, part: DeviceVector, size: int, reads: bool,
        agree: Callable[[int], Sequence[int] | None],
    ) -> DeviceVector | None:  # fmt: skip
        parts, rank = self.peers.size, self.peers.rank
        owned = [len(range(r, size, parts)) for r in range(parts)]
        room, each = max(1, owned[0]), words(owned[0])
        result = DeviceVector.allocated(self.device, size, part.dtype)
        held = result.values if reads else None
        marks = self.device.empty(parts * each, WORD)
        gathered = self.device.empty(parts * room, part.dtype) if reads else None
        counts = agree(self.backend.products.count(part))
        if counts is None:
            return None
        result.count = total = sum(counts)
        if gathered is not None and max(counts) * GATHERED_AS_LISTS <= owned[0]:
            self._listed(part, size, counts, result, gathered)
            return result
        full = total == size
        if not full:
            lengths = [words(count) if count else 0 for count in owned]
            self.peers.all_gather(part.bits[: lengths[rank]], lengths, marks)
        if gathered is not None:
            self.peers.all_gather(part.values[: owned[rank]], owned, gathered)
        self._join(result, held, -1, each, room, None if full else marks, gathered)
        return result

    def _listed(
        self, part: DeviceVector, size: int, counts: Sequence[int], result: DeviceVector,
        gathered: DeviceArray,
    ) -> None:  # fmt: skip
        """Gather a vector of few entries as lists of places and values. They need less room than
        the parts of `gathered`, so no more is made.
        """
        parts, most, dtype = self.peers.size, max(1, *counts), part.dtype
        mine = counts[self.peers.rank]
        places, values = self._lists(mine, dtype)
        self._list(part, 1, self.device.zeros(1, np.uint64), places, values)
        every, held = self.device.empty(parts * most, INDEX), gathered[: parts * most]
        self.peers.all_gather(places, counts, every)
        self.peers.all_gather(values, counts, held)
        result.bits = self.device.zeros(words(size), WORD)
        self.backend.launch(
            DISTRIBUTED, "", f"scatter_parts<{types.c_name(dtype)}>", every.size, np.int32(parts),
            np.int32(most), self.device.upload(np.array(counts, INDEX)), every, held, result.bits,
            result.values,
        )  # fmt: skip

    def placed(self, part: DeviceVector, size: int) -> DeviceVector:
        result = DeviceVector.allocated(self.device, size, part.dtype)
        self._join(result, result.values, self.peers.rank, 0, 0, part.present, part.values)
        result.count = part.count
        return result

    def _join(
        self, result: DeviceVector, held: DeviceArray | None, only: int, each: int, room: int,
        bits: DeviceArray | None, values: DeviceArray | None,
    ) -> None:  # fmt: skip
        if result.size:
            name = f"join_parts<{types.c_name(result.dtype)}>"
            numbers = map(np.int32, (result.size, self.peers.size, only, each, room))
            self.backend.launch(
                DISTRIBUTED, "", name, result.size, *numbers, bits, values, result.bits, held
            )

    def reduce_scatter(
        self, found: DeviceVector, monoid: Monoid,
        agree_on: Callable[[Sequence[int]], Sequence[int]], agree: Callable[[], None],
    ) -> DeviceVector:  # fmt: skip
        first, *others = self.all_to_all(found, agree_on, agree)
        for other in others:
            if first.count == 0:
                first = other
            elif other.count != 0:
                self._take(other, first, None, 0, monoid, None)
                first.changed(None)
        return first

    def all_to_all(
        self, found: DeviceVector, agree_on: Callable[[Sequence[int]], Sequence[int]],
        agree: Callable[[], None],
    ) -> list[DeviceVector]:  # fmt: skip
        parts, n = self.peers.size, np.int32(found.size)
        own = len(range(self.peers.rank, found.size, parts))
        totals = self.device.zeros(parts, np.uint64)
        self.backend.launch(DISTRIBUTED, "", "count_of_parts", found.size, n, np.int32(parts),
                            found.present, totals)  # fmt: skip
        counts = self.device.download(totals).tolist()  # synchronize!
        come = agree_on(counts)
        places, values = self._lists(sum(counts), found.dtype)
        from_all = self._lists(sum(come), found.dtype)
        agree()
        ends = self.device.upload(np.cumsum([0, *counts[:-1]]).astype(np.uint64))
        self._list(found, parts, ends, places, values)
        self.peers.all_to_all([cut(array, counts) for array in (places, values)], come, from_all)
        result, begin = [], 0
        for count in come:
            place, value = (array[begin : begin + count] for array in from_all)
            result.append(self._scattered(own, count, place, value))
            begin += count
        return result

    def _list(
        self, found: DeviceVector, parts: int, ends: DeviceArray, places: DeviceArray,
        values: DeviceArray,
    ) -> None:  # fmt: skip
        """The entries of each of so many parts, from `ends` on (see distributed.cuh)."""
        if places.size:
            self.backend.launch(
                DISTRIBUTED, "", f"list_of_parts<{types.c_name(found.dtype)}>", found.size,
                np.int32(found.size), np.int32(parts), found.present, found.values, ends, places,
                values,
            )  # fmt: skip

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

    def fold_changed(
        self, candidate: DeviceVector, known: DeviceVector, levels: DeviceVector | None,
        rounds: int, monoid: Monoid, rows: DeviceMatrix | None,
    ) -> DeviceVector:  # fmt: skip
        if not known.size:
            return DeviceVector(0, known.dtype, count=0, device=self.device)
        fresh, totals = self._take(candidate, known, levels, rounds, monoid, rows)
        count, edges = self.device.download(totals).tolist()  # synchronize!
        for vector in (known,) if levels is None else (known, levels):
            vector.changed(None)
        fresh.values = known.values  # as long as nothing else is taken over
        fresh.count = count
        if rows is not None:
            fresh.multiplied_by, fresh.edges = rows, edges
        return fresh

    def _take(
        self, candidate: DeviceVector, known: DeviceVector, levels: DeviceVector | None,
        rounds: int, monoid: Monoid, rows: DeviceMatrix | None,
    ) -> tuple[DeviceVector, DeviceArray]:  # fmt: skip
        """known ⊕ candidate into `known`: the bitmap of what changed, and the totals
        (fold_changed.cuh).
        """
        fresh = DeviceVector.allocated(self.device, known.size, known.dtype)
        totals = self.device.zeros(2, np.uint64)
        offset = INDEX if rows is None else rows.offset
        self.backend.launch(
            FOLD_CHANGED, lower.monoid_struct(monoid, known.dtype),
            f"fold_changed<Monoid, {types.c_name(offset)}>", known.size, np.int32(known.size),
            candidate.present, candidate.values, known.bits, known.values, np.int32(rounds),
            None if levels is None else levels.bits, None if levels is None else levels.values,
            fresh.bits, None if rows is None else rows.indptr, totals,
        )  # fmt: skip
        return fresh, totals

    def frontier_counts(self, part: DeviceVector, rows: DeviceMatrix) -> tuple[int, int]:
        part.set_matrix(rows)
        edges = self.backend.products.edges(part)
        return self.backend.products.count(part), edges
