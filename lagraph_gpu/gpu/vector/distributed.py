"""Vectors that are distributed over processes: the exchange of their entries without the host.

Of P processes, number r holds the positions r, r + P, r + 2P, … of each vector. The kernels are in
`vector/distributed.cuh`; `gpu/device/peers.py` moves the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.device.peers import cut, sizes
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from semirings import Monoid, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

DISTRIBUTED = "vector/distributed.cuh"
FOLD_CHANGED = "vector/fold_changed.cuh"
SCATTER = "vector/scatter.cuh"

GATHERED_AS_LISTS = 4
"""A vector with an entry at fewer than one position in so many is gathered as lists, if its values
are read: a place takes as much as a value of four bytes, and a bit for each position is less."""


Parts = tuple[np.int32, np.int32, np.int32]
"""How parts lie in an array, as kernels take it: the fields of `Parts` in parts.cuh."""

ALL_PARTS = np.int32(-1)


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
        owned = sizes(size, parts)
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
            places, values = self.listed(part, counts[rank], counts[rank])
            most = max(1, *counts)
            every, held = self.device.empty(parts * most, INDEX), gathered[: parts * most]
            result.bits = self.device.zeros(words(size), WORD)
            self.peers.all_gather(places, counts, every)
            self.peers.all_gather(values, counts, held)
            self.put_lists(counts, every, held, result)
            return result
        full = total == size
        if not full:
            lengths = [words(count) if count else 0 for count in owned]
            self.peers.all_gather(part.bits[: lengths[rank]], lengths, marks)
        if gathered is not None:
            self.peers.all_gather(part.values[: owned[rank]], owned, gathered)
        padded = np.int32(parts), np.int32(room), np.int32(0)
        self.join(result, held, padded, None if full else marks, gathered)
        return result

    def listed(self, part: DeviceVector, count: int, room: int) -> tuple[DeviceArray, DeviceArray]:
        """So many entries of a part as lists of places and values, in arrays of this length."""
        places, values = self.lists(room, part.dtype)
        self.fill_lists(part, [count], places, values)
        return places, values

    def put_lists(
        self, counts: Sequence[int], places: DeviceArray, values: DeviceArray, result: DeviceVector
    ) -> None:
        """Write the entries of all parts into a vector without any: lists of so many, each with the
        same room."""
        most = np.int32(places.size // len(counts))
        self.backend.launch(
            DISTRIBUTED, "", f"scatter_parts<{types.c_name(values.dtype)}>", places.size,
            np.int32(len(counts)), most, self.device.upload(np.array(counts, INDEX)), places,
            values, result.bits, result.values,
        )  # fmt: skip

    def placed(self, part: DeviceVector, size: int) -> DeviceVector:
        result = DeviceVector.allocated(self.device, size, part.dtype)
        nothing = np.int32(self.peers.size), np.int32(0), np.int32(0)
        self.join(
            result, result.values, nothing, part.present, part.values, np.int32(self.peers.rank)
        )
        result.count = part.count
        return result

    def join(
        self, result: DeviceVector, held: DeviceArray | None, parts: Parts,
        bits: DeviceArray | None, values: DeviceArray | None, only: np.int32 = ALL_PARTS,
    ) -> None:  # fmt: skip
        """The parts of a vector as a whole (see distributed.cuh)."""
        if result.size:
            name = f"join_parts<{types.c_name(result.dtype)}>"
            self.backend.launch(
                DISTRIBUTED, "", name, result.size, np.int32(result.size), parts, only, bits,
                values, result.bits, held,
            )  # fmt: skip

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
        own = sizes(found.size, self.peers.size)[self.peers.rank]
        counts = self.counts(found)
        come = agree_on(counts)
        places, values = self.lists(sum(counts), found.dtype)
        from_all = self.lists(sum(come), found.dtype)
        agree()
        self.fill_lists(found, counts, places, values)
        self.peers.all_to_all([cut(array, counts) for array in (places, values)], come, from_all)
        result, begin = [], 0
        for count in come:
            place, value = (array[begin : begin + count] for array in from_all)
            result.append(self.scattered(own, count, place, value))
            begin += count
        return result

    def counts(self, found: DeviceVector) -> list[int]:
        """How many entries of a vector are for each process."""
        totals = self.device.zeros(self.peers.size, np.uint64)
        self.backend.launch(
            DISTRIBUTED, "", "count_of_parts", found.size, np.int32(found.size),
            np.int32(self.peers.size), found.present, totals,
        )  # fmt: skip
        return self.device.download(totals).tolist()  # type: ignore[no-any-return]  # synchronize!

    def fill_lists(
        self, found: DeviceVector, counts: Sequence[int], places: DeviceArray, values: DeviceArray
    ) -> None:
        """Write the entries of each of some parts as a list, one after another."""
        if places.size:
            ends = self.device.upload(np.cumsum([0, *counts[:-1]]).astype(np.uint64))
            self.backend.launch(
                DISTRIBUTED, "", f"list_of_parts<{types.c_name(found.dtype)}>", found.size,
                np.int32(found.size), np.int32(len(counts)), found.present, found.values, ends,
                places, values,
            )  # fmt: skip

    def lists(self, count: int, dtype: np.dtype) -> tuple[DeviceArray, ...]:
        """Room for so many places and values."""
        return tuple(self.device.empty(max(1, count), one)[:count] for one in (INDEX, dtype))

    def scattered(
        self, size: int, count: int, places: DeviceArray, values: DeviceArray
    ) -> DeviceVector:
        """The vector of these entries, in any order."""
        result = DeviceVector.empty(self.device, size, values.dtype)
        if count:
            self.scatter(places, values, result)
        result.count = count
        return result

    def scatter(self, places: DeviceArray, values: DeviceArray, result: DeviceVector) -> None:
        """Write entries into a vector without any."""
        self.backend.launch(
            SCATTER, "", f"scatter<{types.c_name(values.dtype)}>", places.size,
            np.int32(places.size), places, values, result.bits, result.values,
        )  # fmt: skip

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
