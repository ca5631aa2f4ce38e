"""The pull by entries, a segmented sum: what it needs of a matrix, and the two kernels of a
product.

See segmented_spmv.cuh for the algorithm. The marks of row starts are kept with the matrix: an
eighth of a byte for each entry and four bytes for each row. A skewed matrix that is multiplied
often also has column panels (see column_blocked.py); then the sums of their runs are pulled in this
way.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.device.port import Own
from lagraph_gpu.gpu.spmv.column_blocked import ColumnBlockedSpmv
from lagraph_gpu.gpu.storage import EVERYWHERE, INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.matrix_storage import Marks
from lagraph_gpu.gpu.storage.vector_storage import SPAN
from lagraph_gpu.notation.expressions import Product, Reduce
from semirings import BINARY, Monoid, Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

SEGMENTED_SPMV = "spmv/segmented_spmv.cuh"
ROW_STARTS = "matrix/row_starts.cuh"

ROUND = constants.ROUND
"""The number of entries that a warp reads at a time."""

ROUNDS = 2
"""The number of rounds whose loads are in flight together, if there are enough registers: not for
values of more than 4 bytes if the matrix' values are among them."""


@functools.cache
def summing(monoid: Monoid, dtype: np.dtype) -> str:
    """The algebra that folds with ⊕ the vector's values at the columns of each row."""
    second = Semiring(monoid, BINARY["second"])
    return lower.semiring_struct(second, dtype, dtype, INDEX, False)


class SegmentedSpmv:
    """Pulls in which all warps have equal shares of the entries."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device, self._own = backend, backend.device, Own()
        self.rounds = ROUNDS
        self.by_panels = ColumnBlockedSpmv(backend)

    def compute(
        self, node: Product | Reduce, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str
    ) -> DeviceVector:
        """The rows of A ⊕.⊗ u under a mask, in a new vector."""
        size, dtype = node.shape[0], node.dtype
        if A.nnz == 0:
            return DeviceVector.empty(self.device, size, dtype)
        marks, weighted = self.marks(A), _reads_matrix(node) and not A.iso
        everywhere = u.full and mask[0] is None and not mask[1]
        if everywhere and isinstance(node, Product) and _gathers(node):
            held = u.dtype if weighted else dtype
            panels = self.by_panels.panels(A, marks, weighted, held)
            if panels is not None:
                summed = summing(node.semiring.monoid, dtype)
                sums = self.by_panels.sums(dtype, u, A, panels, algebra, summed)
                entries = np.int32(panels.items.size), panels.marks, panels.items, None, np.int32(0)
                return self._pulled(
                    size, dtype, sums, entries, EVERYWHERE, summed, self.rounds, one_round=True
                )
        wide = max(u.dtype.itemsize, A.dtype.itemsize, dtype.itemsize) > 4
        rounds = 1 if not everywhere or (wide and _reads_matrix(node)) else self.rounds
        entries = A.offset.type(A.nnz), marks, *A.arrays()[1:]
        return self._pulled(size, dtype, u, entries, mask, algebra, rounds)

    def _pulled(
        self, size: int, dtype: np.dtype, u: DeviceVector, entries: tuple[Any, ...], mask: Bits,
        algebra: str, rounds: int, one_round: bool = False,
    ) -> DeviceVector:  # fmt: skip
        """The pull. ``entries`` are their number, marks, columns, values and stride.

        There are as many shares as warps that the device holds at once, or shares of ``one_round``
        of loads each: then the warps that run together read the sums of neighbouring rows, which
        lie in the same memory sectors of each panel."""
        device, (number, marks, *arrays) = self.device, entries
        everywhere = u.full and mask[0] is None and not mask[1]
        bits = device.copy(marks.bits) if everywhere else device.zeros(words(size), WORD)
        result = DeviceVector(size, dtype, bits, device.empty(size, dtype))
        form = "FullOperand" if everywhere else "SparseOperand"
        name, block = f"segmented_spmv<Semiring, {form}, {rounds}>", device.block_size
        grid = max(1, -(-int(number) * 32 // (rounds * ROUND * block)))
        if not one_round:
            kernel = self.backend.kernel(SEGMENTED_SPMV, algebra, name)
            grid = min(grid, self.backend.resident_blocks(kernel, block))
        shares = grid * block // 32
        carry_rows, carried, carries = self.carries(shares, dtype)
        self.backend.launch(
            SEGMENTED_SPMV, algebra, name, 0, number, marks.begins, marks.ranks, marks.rows,
            *arrays, u.present, u.values, *mask, result.bits, result.values, carry_rows, carried,
            carries, blocks=grid,
        )  # fmt: skip
        self.backend.launch(SEGMENTED_SPMV, algebra, "add_carries<Semiring>", shares,
                            np.int32(shares), carry_rows, carried, carries, result.bits,
                            result.values)  # fmt: skip
        return result

    def carries(self, shares: int, dtype: np.dtype) -> tuple[DeviceArray, ...]:
        """Memory for the partial sums of rows that continue in the next share. It is kept if the
        device can hold a warp for each share."""
        kept, kinds = self._own.on[self.device.stream], (INDEX, INDEX, dtype)
        capacity = self.device.max_blocks * self.device.block_size // 32
        if shares > capacity:
            return tuple(self.device.empty(shares, kind) for kind in kinds)
        if dtype not in kept:
            kept[dtype] = tuple(self.device.empty(capacity, kind) for kind in kinds)
        return kept[dtype]  # type: ignore[no-any-return]

    def marks(self, A: DeviceMatrix) -> Marks:
        """The positions at which non-empty rows begin, computed once for each matrix."""
        if A.pattern.marks is None:
            device, launch = self.device, self.backend.launch
            n, spans = A.shape[0], A.nnz // SPAN + 1
            offset, count = types.c_name(A.offset), words(n)
            bits, counts = device.empty(count, WORD), device.empty(count, INDEX)
            launch(ROW_STARTS, "", f"mark_rows<{offset}>", n, np.int32(n), A.indptr, bits, counts)
            ends = self.backend.prefix_sums.ends(counts, INDEX)
            rows, ranks = device.empty(min(n, A.nnz), INDEX), device.empty(spans, INDEX)
            begins = device.zeros(spans * SPAN // 32, WORD)
            launch(ROW_STARTS, "", f"mark_begins<{offset}>", n, np.int32(n), A.indptr, bits, ends,
                   rows, begins, ranks)  # fmt: skip
            A.pattern.marks = Marks(begins, ranks, rows, bits)
        return A.pattern.marks


def _reads_matrix(node: Product | Reduce) -> bool:
    """True if the product reads the matrix' values."""
    if isinstance(node, Reduce):
        return True
    multiply = node.semiring.multiply
    return multiply.reads_y if node.kind == "vxm" else multiply.reads_x


def _gathers(node: Product) -> bool:
    """True if ⊗ reads u's values and neither row, column nor position."""
    multiply = node.semiring.multiply
    reads = multiply.reads_x if node.kind == "vxm" else multiply.reads_y
    return reads and not {"i", "j", "k"} & set(multiply.parsed.free)
