"""The pull by entries: what a matrix has to have beforehand, and the two kernels of a product.

See even.cuh for how it goes. What is made for a matrix is kept with it: marks (an eighth of a byte
for each entry and four bytes for each row), and for large matrices the columns that are met most
often, if they are worth keeping in shared memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.expr import Product, Reduce
from lagraph_gpu.gpu.device import DeviceArray
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, Hubs, Marks, words
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

SPAN = 1024
"""Entries from one known row number to the next, as in marks.cuh."""

ROUND = 128
"""Entries that a warp takes at a time, as in even.cuh."""

ROUNDS = 2
"""Rounds whose loads are under way together, where registers suffice: values of up to 4 bytes."""

HUB_THREADS = 1024
"""Threads of a block that keeps hubs: one for a multiprocessor, so that they are kept once."""

FILL = 8
"""Hubs are kept where each of their slots, in each block, is filled for so many entries or more."""

WORTHWHILE = 8
"""Hubs are kept if at least one gather in so many meets one."""

FEWEST_SLOTS = 1024

SAMPLES = 1 << 21
"""Entries that are looked at for hubs."""


class EvenPull:
    """Pulls that share the entries out evenly."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.rounds, self.fill, self.fewest_slots = ROUNDS, FILL, FEWEST_SLOTS
        self.hub_threads = HUB_THREADS

    def compute(
        self, node: Product | Reduce, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str
    ) -> DeviceVector:
        """The rows of A ⊕.⊗ u under a mask, in a fresh vector."""
        size, dtype = node.shape[0], node.dtype
        if A.nnz == 0:
            return DeviceVector.empty(self.device, size, dtype)
        device, marks = self.device, self.marks(A)
        everywhere = u.full and mask[0] is None and not mask[1]
        hubs = self.hubs(A, u.dtype) if everywhere and _gathers(node) else None
        bits = device.copy(marks.bits) if everywhere else device.zeros(words(size), WORD)
        made = DeviceVector(size, dtype, bits, device.empty(size, dtype))
        wide = max(u.dtype.itemsize, A.dtype.itemsize, dtype.itemsize) > 4
        rounds = 1 if wide or not everywhere else self.rounds
        form = "Hubs" if hubs else "Everywhere" if everywhere else "Chosen"
        name = f"pull_even<Semiring, {form}, {rounds}>"
        kernel = self.backend.kernel("even.cuh", algebra, name)
        block, shared = device.block_size, 0
        if hubs:
            block, shared = self.hub_threads, hubs.slots * (u.dtype.itemsize + 2)
            grid = device.multiprocessors
        else:
            grid = self.backend.resident_blocks(kernel, block)
        grid = max(1, min(grid, -(-A.nnz * 32 // (rounds * ROUND * block))))
        shares = grid * block // 32
        carry_rows, carried = device.empty(shares, INDEX), device.empty(shares, INDEX)
        carries = device.empty(shares, dtype)
        kernel(
            grid, block,
            (
                A.offset.type(A.nnz), marks.begins, marks.ranks, marks.rows, *A.arrays()[1:],
                u.present, u.values, *mask, hubs.columns if hubs else None,
                np.int32(hubs.slots if hubs else 0), made.bits, made.values, carry_rows, carried,
                carries,
            ),
            shared_bytes=shared,
        )  # fmt: skip
        self.backend.launch("even.cuh", algebra, "add_carries<Semiring>", 32 * shares,
                            np.int32(shares), carry_rows, carried, carries, made.bits,
                            made.values)  # fmt: skip
        return made

    def marks(self, A: DeviceMatrix) -> Marks:
        """Where the rows of a matrix with entries begin; made once for each matrix."""
        if A.marks is None:
            device, launch = self.device, self.backend.launch
            n, spans = A.shape[0], A.nnz // SPAN + 1
            offset, count = types.c_name(A.offset), words(n)
            bits, counts, ends = (device.empty(count, kind) for kind in (WORD, INDEX, INDEX))
            launch("marks.cuh", "", f"mark_rows<{offset}>", n, np.int32(n), A.indptr, bits, counts)
            device.cumsum(counts, ends)
            rows, ranks = device.empty(min(n, A.nnz), INDEX), device.empty(spans, INDEX)
            begins = device.zeros(spans * SPAN // 32, WORD)
            launch("marks.cuh", "", f"mark_begins<{offset}>", n, np.int32(n), A.indptr, bits, ends,
                   rows, begins, ranks)  # fmt: skip
            A.marks = Marks(begins, ranks, rows, bits)
        return A.marks

    def hubs(self, A: DeviceMatrix, dtype: np.dtype) -> Hubs | None:
        """The most common columns, if shared memory holds enough of them for it to pay."""
        slots = self._slots(A, dtype)
        if slots < self.fewest_slots:
            return None
        made = A.hubs.get(slots)
        if made is None:
            made = A.hubs[slots] = self._hubs(A, slots)
        return made if made.worthwhile else None

    def _slots(self, A: DeviceMatrix, dtype: np.dtype) -> int:
        """How many columns to keep: a power of two, that fits and that is filled quickly."""
        most = min(
            self.device.largest_shared // (dtype.itemsize + 2),
            A.nnz // (self.fill * self.device.multiprocessors),
        )
        slots = 1 << most.bit_length() - 1 if most else 0
        return slots if A.shape[1] <= slots * 65535 else 0

    def _hubs(self, A: DeviceMatrix, slots: int) -> Hubs:
        device, launch, ncols = self.device, self.backend.launch, A.shape[1]
        step = max(1, A.nnz // SAMPLES)
        samples = -(-A.nnz // step)
        counts, totals = device.zeros(ncols, WORD), device.zeros(1, np.uint64)
        columns: DeviceArray = device.empty(slots, INDEX)
        offset = A.offset.type
        name = f"sample_columns<{types.c_name(A.offset)}>"
        launch("marks.cuh", "", name, samples, offset(A.nnz), offset(step), A.indices, counts)
        launch("marks.cuh", "", "choose_hubs", slots, np.int32(ncols), np.int32(slots), counts,
               columns, totals)  # fmt: skip
        met = int(device.download(totals)[0])  # synchronize!
        return Hubs(slots, columns, met * WORTHWHILE >= samples)


def _gathers(node: Product | Reduce) -> bool:
    """Are values of u read?"""
    if isinstance(node, Reduce):
        return False
    multiply = node.semiring.multiply
    return multiply.reads_x if node.kind == "vxm" else multiply.reads_y
