"""The pull by entries: what a matrix has to have beforehand, and the two kernels of a product.

See even.cuh for how it goes. What is made for a matrix is kept with it: marks (an eighth of a byte
for each entry and four bytes for each row), and for a skewed one that is multiplied often, another
four bytes for each entry: its columns, numbered by falling entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.expr import Product, Reduce
from lagraph_gpu.gpu.device import DeviceArray, Own
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, Marks, Ranks, words
from lagraph_gpu.plan import FEWEST_LEADING, FILL, LEADING_SHARE, PATIENCE, ranks_columns
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

SPAN = 1024
"""Entries from one known row number to the next, as in marks.cuh."""

ROUND = 128
"""Entries that a warp takes at a time, as in even.cuh."""

ROUNDS = 2
"""Rounds whose loads are under way together, where registers suffice: not for values of more than 4
bytes if the matrix' are among them."""

LEADING_THREADS = 1024
"""Threads of a block that keeps values of columns: one for a multiprocessor, so that each is kept
there once."""

LEADING_PART = 0.7
"""The part of a block's shared memory for their table: the first-level cache has the rest, where
each gather on its way takes a line of 128 bytes. On an H200 (227 KiB), kron22 in FP64, a product
takes 0.71 ms with 64 KiB, 0.67 with 128, 0.65 with 160, 0.80 with 196 and 0.79 with 227."""


class EvenPull:
    """Pulls that share the entries out evenly."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device, self._own = backend, backend.device, Own(backend.device)
        self.rounds, self.fill, self.patience = ROUNDS, FILL, PATIENCE
        self.fewest, self.leading_threads = FEWEST_LEADING, LEADING_THREADS

    def compute(
        self, node: Product | Reduce, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str
    ) -> DeviceVector:
        """The rows of A ⊕.⊗ u under a mask, in a fresh vector."""
        size, dtype = node.shape[0], node.dtype
        if A.nnz == 0:
            return DeviceVector.empty(self.device, size, dtype)
        device, marks = self.device, self.marks(A)
        everywhere = u.full and mask[0] is None and not mask[1]
        ranks = self.ranks(node, u, A) if everywhere else None
        bits = device.copy(marks.bits) if everywhere else device.zeros(words(size), WORD)
        made = DeviceVector(size, dtype, bits, device.empty(size, dtype))
        wide = max(u.dtype.itemsize, A.dtype.itemsize, dtype.itemsize) > 4
        rounds = 1 if not everywhere or (wide and _reads_matrix(node)) else self.rounds
        form = "Leading" if ranks else "Everywhere" if everywhere else "Chosen"
        name = f"pull_even<Semiring, {form}, {rounds}>"
        kernel = self.backend.kernel("even.cuh", algebra, name)
        block, shared = device.block_size, 0
        columns, values, slots = A.indices, u.values, 0
        if ranks:
            columns, slots = ranks.columns, min(self.slots(A, u), ranks.used)
            values = device.empty(ranks.used, u.dtype)
            name = f"pick<{types.c_name(u.dtype)}, int>"
            self.backend.launch("exchange.cuh", "", name, ranks.used, np.int64(ranks.used),
                                ranks.old, u.values, values)  # fmt: skip
            block, grid = self.leading_threads, device.multiprocessors
            shared = slots * u.dtype.itemsize
        else:
            grid = self.backend.resident_blocks(kernel, block)
        grid = max(1, min(grid, -(-A.nnz * 32 // (rounds * ROUND * block))))
        shares = grid * block // 32
        carry_rows, carried, carries = self._carries(shares, dtype)
        kernel(
            grid, block,
            (
                A.offset.type(A.nnz), marks.begins, marks.ranks, marks.rows, columns,
                *A.arrays()[2:], u.present, values, *mask, np.int32(slots), made.bits,
                made.values, carry_rows, carried, carries,
            ),
            shared_bytes=shared,
        )  # fmt: skip
        self.backend.launch("even.cuh", algebra, "add_carries<Semiring>", 32 * shares,
                            np.int32(shares), carry_rows, carried, carries, made.bits,
                            made.values)  # fmt: skip
        return made

    def _carries(self, shares: int, dtype: np.dtype) -> tuple[DeviceArray, ...]:
        """What shares leave for each other."""
        kept = self._own.kept
        if dtype not in kept or kept[dtype][0].size < shares:
            most = max(shares, self.device.max_blocks * self.device.block_size // 32)
            kept[dtype] = tuple(self.device.empty(most, kind) for kind in (INDEX, INDEX, dtype))
        return kept[dtype]  # type: ignore[no-any-return]

    def marks(self, A: DeviceMatrix) -> Marks:
        """Where the rows of a matrix with entries begin; made once for each matrix."""
        if A.marks is None:
            device, launch = self.device, self.backend.launch
            n, spans = A.shape[0], A.nnz // SPAN + 1
            offset, count = types.c_name(A.offset), words(n)
            bits, counts = device.empty(count, WORD), device.empty(count, INDEX)
            launch("marks.cuh", "", f"mark_rows<{offset}>", n, np.int32(n), A.indptr, bits, counts)
            ends = self.backend.sums.ends(counts, INDEX)
            rows, ranks = device.empty(min(n, A.nnz), INDEX), device.empty(spans, INDEX)
            begins = device.zeros(spans * SPAN // 32, WORD)
            launch("marks.cuh", "", f"mark_begins<{offset}>", n, np.int32(n), A.indptr, bits, ends,
                   rows, begins, ranks)  # fmt: skip
            A.marks = Marks(begins, ranks, rows, bits)
        return A.marks

    def ranks(self, node: Product | Reduce, u: DeviceVector, A: DeviceMatrix) -> Ranks | None:
        """The numbers of A's columns by falling entries, if they are there or it is time for them;
        this product counts."""
        if not _gathers(node):
            return None
        A.pulls += 1
        if A.pulls == self.patience:
            slots, longest = self.slots(A, u), None
            if A.transposed is not None:
                longest = A.transposed.max_degree
            if ranks_columns(A.nnz, slots, longest, self.fewest):
                A.ranks = self._ranked(A, slots)  # synchronize!
        return A.ranks

    def slots(self, A: DeviceMatrix, u: DeviceVector) -> int:
        """Columns of which each block keeps the values: as fit, and no more than are soon read."""
        fit = int(LEADING_PART * self.device.largest_shared) // u.dtype.itemsize
        return min(fit, A.nnz // (self.fill * self.device.multiprocessors), A.shape[1])

    def _ranked(self, A: DeviceMatrix, slots: int) -> Ranks | None:
        """Sorts the columns; None if the first ones have too few entries, or there is no room."""
        device, launch, ncols = self.device, self.backend.launch, A.shape[1]
        try:
            begins = self.backend.matrices.column_begins(A, A.offset)
            keys, totals = device.empty(ncols, np.int64), device.zeros(2, np.uint64)
            launch("marks.cuh", "", f"column_keys<{types.c_name(begins.dtype)}>", ncols,
                   np.int32(ncols), begins, keys)  # fmt: skip
            device.sort(keys)
            old, to = device.empty(ncols, INDEX), device.empty(ncols, INDEX)
            launch("marks.cuh", "", "rank_columns", ncols, np.int32(ncols), np.int32(slots), keys,
                   old, to, totals)  # fmt: skip
            used, met = device.download(totals).tolist()  # synchronize!
            if met * LEADING_SHARE < A.nnz:
                return None
            columns: DeviceArray = device.empty(A.nnz, INDEX)
        except TooLarge:
            return None
        launch("exchange.cuh", "", "pick<int, int>", A.nnz, np.int64(A.nnz), A.indices, to, columns)
        return Ranks(old, used, columns)


def _reads_matrix(node: Product | Reduce) -> bool:
    """Are values of the matrix read?"""
    if isinstance(node, Reduce):
        return True
    multiply = node.semiring.multiply
    return multiply.reads_y if node.kind == "vxm" else multiply.reads_x


def _gathers(node: Product | Reduce) -> bool:
    """Are values of u read, and not where they stand?"""
    if isinstance(node, Reduce):
        return False
    multiply = node.semiring.multiply
    reads = multiply.reads_x if node.kind == "vxm" else multiply.reads_y
    return reads and "k" not in multiply.parsed.free
