"""Closures by order of value on graphs in which few vertices have most of the edges.

A resident kernel (core_first.cuh) settles the core, by pushing what lies within a slowly growing
bound, until the vertices reached have a share of all edges; the rest then pulls (remainder.cuh),
and the first kernel pushes what still changes. All are launched together, those for which nothing
is left end at once, and the host waits for the last. Both directions know an edge by its weight,
and most columns are never looked at. Where the rows are sorted by weight (see ``by_weight``), most
weights are not either.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu import lower, told
from lagraph_gpu.gpu.by_weight import lightest_first, order
from lagraph_gpu.gpu.device import DeviceArray
from lagraph_gpu.gpu.rounds import COUNT, ITEM, LOGGED, NOWHERE, price_of
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.plan import DEEP_DEGREE
from lagraph_gpu.trace import explaining, recording
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

BLOCK, WIDE_BLOCK = 256, 192
"""Threads of a block at most, as in core_first.cuh; fewer for values or offsets of 64 bits."""

PIECE, HUB, LONG = 128, 1024, 1024
"""Edges that a warp pushes at a time; so many make a hub; longer rows are pulled in pieces."""

WIDE = DEEP_DEGREE
"""Up to this mean degree a graph has no core."""

SHARE = 0.3
"""The rest pulls once the vertices reached have this share of all edges."""

PULLS = 3
"""Rounds in which it does, before what still changes is pushed."""


class CoreFirst:
    """Computes such closures. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.piece, self.hub, self.long = PIECE, HUB, LONG
        self.wide: float = WIDE
        self.share, self.pulls = SHARE, PULLS

    def closure(
        self, x0: DeviceVector, outgoing: DeviceMatrix, incoming: DeviceMatrix, ring: Semiring,
        width: float, heaviest: Any, to: DeviceArray | None = None,
    ) -> DeviceVector | None:  # fmt: skip
        """x, from the out-edges and the in-edges by rows; None if there was no order, or no kernel
        can be resident. ``heaviest`` is the worst of the weights, of their type. If x0 is a point,
        ``to`` may lead from its number to the matrix' own."""
        device, n, dtype = self.device, x0.size, x0.dtype
        algebra = lower.semiring_struct(ring, dtype, outgoing.dtype, outgoing.offset, True)
        start, falling = ring.monoid.start(dtype), lower.falls(ring.monoid)
        pieces, rows, firsts = self.backend.products.pieces(incoming, self.long)
        symmetric = outgoing.transposed is outgoing
        ways = lightest_first(outgoing, falling), lightest_first(incoming, falling)
        by_weight = all(A.by_weight == order(falling) for A in ways) and _kept(ring, outgoing.dtype)
        outgoing, incoming = ways if by_weight else (outgoing, incoming)

        x = DeviceVector.allocated(device, n, dtype)
        room = n + 2 * (outgoing.nnz // self.piece) + 1
        counts, cleared = device.zeros(15, COUNT), device.zeros(3 * words(n) + 1, WORD)
        log = device.zeros(4 * (LOGGED + 1), COUNT) if recording() else None
        stop = device.stopwatch() if explaining() else None
        leaf, told_to = np.int32(symmetric), (np.int32(LOGGED), log)
        known = x.bits, x.values
        queue = device.empty(2 * room, ITEM), np.uint64(room), cleared
        state = device.full(64 // dtype.itemsize, start, dtype), counts
        if (point := x0.point) is None:
            begins: tuple[Any, ...] = NOWHERE, dtype.type(0), None, x0.present, x0.values
        else:
            begins = point.at, dtype.type(point.value), to, None, None
        push = (
            np.int32(n), np.int32(self.piece), leaf, np.int32(self.hub), *outgoing.arrays(),
            *begins, *known, device.empty(max(1, n), ITEM),
            device.empty(max(1, n), INDEX) if by_weight else None, *queue, *state,
            cleared[3 * words(n) :], np.float64(-width if falling else width),
            np.uint64(self.share * outgoing.nnz), heaviest, *told_to,
        )  # fmt: skip
        kinds = f"<Semiring, {str(by_weight).lower()}>"
        block = WIDE_BLOCK if dtype.itemsize + outgoing.offset.itemsize > 8 else BLOCK
        resident = functools.partial(
            self.backend.launch_resident, "core_first.cuh", algebra, f"core_first{kinds}", block
        )
        if not resident(np.bool_(False), *push):
            return None
        for pull in range(self.pulls):
            self.backend.launch(
                "remainder.cuh", algebra, f"pull_rest{kinds}", n,
                np.int32(pull + 1), np.int32(self.pulls), np.int32(n), leaf, outgoing.indptr,
                *incoming.arrays(), np.int32(self.long), np.int32(pieces), rows, firsts, *known,
                *queue, *state, *told_to,
            )  # fmt: skip
        resident(np.bool_(True), *push)
        microseconds = None if stop is None else stop()  # synchronize!
        strange, steps = device.download(counts)[11:13].tolist()  # synchronize!
        if strange:
            return None
        if log is not None:
            lines = device.download(log)[: 4 * (steps + 1)].reshape(-1, 4)  # synchronize!
            price = price_of(ring, dtype, outgoing) if explaining() else None
            told.tell_rounds(lines[0, :3].tolist(), told.by_core(lines[1:]), steps <= LOGGED, price,
                             microseconds)  # fmt: skip
        return x


def _kept(ring: Semiring, dtype: np.dtype) -> bool:
    """Is the order of weights of this type still theirs when ⊗ has converted them?"""
    return np.can_cast(dtype, ring.operand(dtype), "safe")
