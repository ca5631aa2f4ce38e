"""Vectors on their way between the device of the root and those of all processes.

The root cuts a vector into the parts of all by one kernel, and joins such parts by another one
(`vector/distributed.cuh`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.device.peers import cut, from_root, layout, sizes, to_root
from lagraph_gpu.gpu.storage import WORD, DeviceVector
from lagraph_gpu.gpu.vector.distributed import DISTRIBUTED, GATHERED_AS_LISTS
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.vector.distributed import VectorExchange

FULL, BITMAPS, LISTS = range(3)
"""How a vector goes to the processes: as its values alone, with bitmaps, or as lists of places and
values."""


class DealtVector(NamedTuple):
    """A vector of the root in the parts of all processes, one after another."""

    form: int
    counts: list[int]
    """How many values each process gets."""
    where: list[DeviceArray] | None
    """The bitmap or the places of each part; None of a full vector."""
    values: DeviceArray

    @property
    def notes(self) -> list[list[int]]:
        """What each process has to know before its part comes."""
        return [[self.form, count, max(self.counts)] for count in self.counts]


class VectorsOfRoot(BackendPart):
    """The vectors of a ``lagraph_gpu.backend_distributed.RootExchange``."""

    def __init__(self, backend: GpuBackend, exchange: VectorExchange) -> None:
        super().__init__(backend)
        self.exchange, self.peers = exchange, exchange.peers

    def dealt(self, whole: DeviceVector) -> DealtVector:
        """The parts of a vector of the root. Waits if it does not know that the vector is full."""
        n, parts = whole.size, self.peers.size
        count, owned = self.backend.products.count(whole), sizes(n, parts)
        if count < n and count * GATHERED_AS_LISTS <= n:
            counts = self.exchange.counts(whole)
            places, values = self.exchange.lists(count, whole.dtype)
            self.exchange.fill_lists(whole, counts, places, values)
            return DealtVector(LISTS, counts, cut(places, counts), values)
        full, lengths = count == n, list(map(words_of, owned))
        bits = None if full else self.device.empty(sum(lengths), WORD)
        values = self.device.empty(max(1, n), whole.dtype)[:n]
        self.backend.launch(
            DISTRIBUTED, "", f"deal_parts<{types.c_name(whole.dtype)}>", n, layout(n, parts),
            whole.present, whole.values, bits, values,
        )  # fmt: skip
        where = None if bits is None else cut(bits, lengths)
        return DealtVector(FULL if full else BITMAPS, owned, where, values)

    def scattered(
        self, size: int, dtype: np.dtype, note: Sequence[int], root: int, dealt: DealtVector | None
    ) -> Iterator[DeviceVector]:
        """Yields a vector of this process, for which there is memory, and then the same one, with
        its part of what the root has dealt."""
        form, count, most = note
        own = sizes(size, self.peers.size)[self.peers.rank]
        part = DeviceVector.allocated(self.device, own, dtype)
        values, where = part.values[:own], None
        if form == LISTS:
            part.bits = self.device.zeros(max(1, words_of(own)), WORD)
            where, values = self.exchange.lists(count, dtype)
        elif form == BITMAPS:
            where = part.bits[: words_of(own)]
        part.count = count if form != BITMAPS else None
        yield part
        if where is not None:
            marks = most if form == LISTS else words_of(most)
            from_root(self.peers, root, None if dealt is None else dealt.where, where, marks)
        given = None if dealt is None else cut(dealt.values, dealt.counts)
        from_root(self.peers, root, given, values, most)
        if form == LISTS and count and where is not None:
            self.exchange.scatter(where, values, part)
        elif form == FULL:
            self.exchange.join(part, None, layout(own, 1), None, None)
        yield part

    def gathered(
        self, part: DeviceVector, size: int, root: int,
        tell: Callable[[Sequence[int]], np.ndarray], agree: Callable[[], None],
    ) -> DeviceVector | None:  # fmt: skip
        """The whole vector on the root; None on others."""
        parts, here = self.peers.size, self.peers.rank == root
        owned, mine = sizes(size, parts), self.backend.products.count(part)
        counts = tell([mine])[:, 0].tolist()
        total, most = sum(counts), max(1, *counts)
        as_lists, full = total < size and most * GATHERED_AS_LISTS <= owned[0], total == size
        if as_lists:
            moves = [(one, [most] * parts) for one in self.exchange.listed(part, mine, most)]
        else:
            lengths = list(map(words_of, owned))
            moves = [] if full else [(part.bits[: lengths[self.peers.rank]], lengths)]
            moves.append((part.values[: owned[self.peers.rank]], owned))
        came = [self.device.empty(max(1, sum(many) * here), one.dtype) for one, many in moves]
        came = [to[: sum(many) * here] for to, (_, many) in zip(came, moves, strict=True)]
        result = DeviceVector.allocated(self.device, size * here, part.dtype)
        if as_lists and here:
            result.bits = self.device.zeros(words_of(size), WORD)
        held = result.values
        agree()
        for (one, many), to in zip(moves, came, strict=True):
            to_root(self.peers, root, one, many, to)
        if not here:
            return None
        result.count = total
        *where, values = came
        if as_lists:
            self.exchange.put_lists(counts, where[0], values, result)
        else:
            bits = where[0] if where else None
            self.exchange.join(result, held, layout(size, parts), bits, values)
        return result


def words_of(n: int) -> int:
    """The words of a bitmap over n positions, none of them if there are none (see parts.cuh)."""
    return -(-n // 32)
