"""The product of two matrices, C⟨mask⟩ = A ⊕.⊗ B, into a new matrix.

For a mask that is not complemented see ``masked_products``. Otherwise the result is computed by
rows in two passes. The first counts (see gustavson.cuh), so that C is allocated exactly; if there
is not enough memory, the error comes then and names the bytes. No temporary array is larger than
the result, except for 12 bytes for each entry of A, a few for each row, and a bounded workspace for
long rows (see long_rows.py). Two waits for each product. A product with few rows and very many
products is computed row by row instead (see row_by_row.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.spgemm.long_rows import Listed, LongRows, Structure
from lagraph_gpu.gpu.spgemm.masked_products import MaskedProducts, started
from lagraph_gpu.gpu.spgemm.row_by_row import RowByRow
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, offset_for, widest
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

GUSTAVSON = "spgemm/gustavson.cuh"
SHORT_ROWS = "spgemm/short_rows.cuh"
SORTED_ROWS = "spgemm/sorted_rows.cuh"
WINDOWED_ROWS = "spgemm/windowed_rows.cuh"

NO_LIMIT = 2**31 - 1

FEW_PRODUCTS = 32
"""A row with at most so many products is computed by one thread, if it reads few rows of B; at most
255. On an H200, a million rows of 64 products took 6.1 ms with 32 and 10.1 with 64."""

SORTED_PRODUCTS = 256
"""A row with at most so many products, from at most 32 rows of B, is sorted by a warp in registers;
at most 256. On an H200, a million rows of 64, 121 and 256 products took 3.3, 6.4 and 14.7 ms, and
6.7, 26.0 and 38.0 with hash tables."""

WINDOW = 256
"""A row with products in at most so many neighbouring columns has a dense accumulator."""

NARROW_COLUMNS = 2**24
"""Fewer columns than this fit in a word beside the number of a product of 8 bits."""

TURNS = 32
"""A warp or a block computes rows with at most so many products for each of its threads; longer
rows are shared by the whole device. On an H200, Louvain on kron22 took 2.29 s with 32 and 2.42 with
128."""

NOWHERE: tuple[None, None, None] = (None, None, None)


@dataclass(frozen=True)
class Slots:
    """Slots of a block's hash tables, powers of two, for each pass, with a row for each warp of the
    block or one for the block. Together with 4 KiB for load balancing they must fit in the 48 KiB
    of static shared memory."""

    count_warp: int = 4096
    count_block: int = 8192
    warp: int = 1024
    block: int = 4096
    block_wide: int = 2048
    """The slots for values of 8 bytes."""


WAYS = 8
"""The largest number of entries of a row of A whose rows of B a thread merges."""


class Kind(IntEnum):
    """Classes of rows by who computes them: none, a thread, a warp with a dense accumulator, a warp
    that sorts, a warp or a block with a hash table, the whole device."""

    NONE, SHORT, WINDOWED, SORTED, WARP, BLOCK, LONG = range(7)


TABLES = {Kind.WARP: "Warp", Kind.BLOCK: "Block"}
"""The groups of threads that compute a row in a hash table."""


@dataclass(frozen=True)
class Bounds:
    """What is known of each row before the first pass: the rows of the operands, and its number of
    products."""

    structure: Structure
    products: DeviceArray


@dataclass(frozen=True)
class Classes:
    """The rows by kind."""

    kinds: DeviceArray
    counts: list[int]
    total: int
    """The sum of the lengths of all rows."""
    long_entries: int
    """The number of entries of A in long rows."""
    order: DeviceArray | None
    """The rows sorted by kind; None if none needs more than a thread, or if all are of one kind."""

    def rows(self, kind: Kind) -> tuple[np.int32, DeviceArray | None]:
        """The rows of a kind: how many, and which; None for all rows in order."""
        if self.order is None:
            return np.int32(self.counts[kind]), None
        first = sum(self.counts[:kind])
        return np.int32(self.counts[kind]), self.order[first : first + self.counts[kind]]

    @property
    def long(self) -> Listed:
        many, rows = self.rows(Kind.LONG)
        assert rows is not None
        return Listed(many, rows, self.long_entries)


class MatrixProducts:
    """Computes A ⊕.⊗ B.

    The fields are for tests, which use small tables. ``longest`` bounds the rows that a warp and a
    block compute, besides the size of their tables; ``few`` and ``sorted`` bound the products of
    a row for a thread and for a warp that sorts, and ``turns`` those for a warp or a block;
    ``window`` bounds the columns of a dense accumulator, and ``narrow`` those of narrow keys.
    """

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.slots = Slots()
        self.longest = NO_LIMIT, NO_LIMIT
        self.narrow, self.window = NARROW_COLUMNS, WINDOW
        self.few, self.sorted, self.turns = FEW_PRODUCTS, SORTED_PRODUCTS, TURNS
        self.long_rows, self.row_by_row = LongRows(backend), RowByRow(backend)
        self.within = MaskedProducts(backend)

    def compute(
        self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, mask: Mask | None
    ) -> DeviceMatrix:
        """A ⊕.⊗ B everywhere or outside a mask. B is X, or Xᵀ if ``flipped``."""
        if A.nnz == 0 or X.nnz == 0:
            return self.backend.empty(node.shape, node.dtype, by_rank=True)
        if (made := self.few_rows(node, A, X, flipped, mask)) is not None:
            return made
        B = self.backend.matrices.transpose(X) if flipped else X
        return self._by_rows(node, A, B, mask)

    def few_rows(
        self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, mask: Mask | None
    ) -> DeviceMatrix | None:
        """The product row by row, where the mask is true; None if that does not pay. Waits unless
        the shapes alone decide that."""
        if not self.row_by_row.may_pay(node, A, X, flipped):
            return None
        B = self.backend.matrices.transpose(X) if flipped else X
        begins = (s.indptr for s in self.backend.matrices.merges.same_offsets(A, B))
        products = self._products(A, *begins)
        return self.row_by_row.compute(node, A, B, products, mask)  # synchronize!

    # --- by rows -----------------------------------------------------------------------------
    def _by_rows(
        self, node: Product, A: DeviceMatrix, B: DeviceMatrix, mask: Mask | None
    ) -> DeviceMatrix:
        """A ⊕.⊗ B everywhere, or outside a mask, in two passes."""
        device, merges = self.device, self.backend.matrices.merges
        nrows, ncols = node.shape
        M = None if mask is None or mask.handle._store.nnz == 0 else mask.handle._store
        stores = [A, B] if M is None else [A, B, M]
        truth = None if M is None or mask is None or mask.structure else merges.truth(M)

        def begins(offset: np.dtype) -> tuple[DeviceArray, DeviceArray, tuple[Any, ...]]:
            mine = NOWHERE if M is None else (merges.widened(M, offset), M.indices, truth)
            return merges.widened(A, offset), merges.widened(B, offset), mine

        offset = widest(*(s.offset for s in stores))
        a_begins, b_begins, where = begins(offset)
        counts = device.zeros(nrows, INDEX)
        structure = Structure(a_begins, A.indices, b_begins, B.indices, *where)
        known = Bounds(structure, self._products(A, a_begins, b_begins))
        self._count(known, ncols, offset, counts)

        wide_values = node.dtype.itemsize > 4
        slots = self.slots.warp, self.slots.block_wide if wide_values else self.slots.block
        classes = self._classified(counts, known, ncols, *slots)
        wide = widest(offset, offset_for(classes.total))
        if wide != offset:
            a_begins, b_begins, where = begins(wide)
        folds_long = classes.counts[Kind.LONG] > 0 and not node.semiring.monoid.is_any
        values = started(device, node, max(1, classes.total)) if folds_long else None
        shape = nrows, ncols
        result = DeviceMatrix.allocated(device, shape, node.dtype, classes.total, wide, values)
        result.indptr = self.backend.prefix_sums.begins(counts, wide)
        algebra = lower.product_struct(node.semiring, A.dtype, B.dtype, wide)
        structure = Structure(a_begins, A.indices, b_begins, B.indices, *where)
        numbers = A.values, A.stride, B.values, B.stride
        self._multiply(node, algebra, classes, slots, structure, numbers, known.products, result)
        return result

    def _products(self, A: DeviceMatrix, a_begins: DeviceArray, begins: DeviceArray) -> DeviceArray:
        """The number of products of each row of A ⊕.⊗ B. ``begins`` are the row offsets of B."""
        launch, nrows, offset = self.backend.launch, A.shape[0], a_begins.dtype
        name, bounds = types.c_name(offset), self.device.zeros(nrows + 1, np.uint64)
        products, rest = bounds[:nrows], bounds[nrows:]
        launch(GUSTAVSON, "", f"short_products<{name}>", nrows, np.int32(nrows), a_begins,
               A.indices, np.int32(WAYS), begins, products, rest)  # fmt: skip
        launch(GUSTAVSON, "", f"row_products<{name}>", A.nnz, offset.type(A.nnz), np.int32(nrows),
               a_begins, A.indices, np.int32(WAYS), begins, rest, products)  # fmt: skip
        return products

    def _count(self, known: Bounds, ncols: int, offset: np.dtype, counts: DeviceArray) -> None:
        """The first pass: the number of entries of each row of C."""
        name, launch, structure = types.c_name(offset), self.backend.launch, known.structure
        slots = self.slots.count_warp, self.slots.count_block
        classes = self._classified(known.products, known, ncols, *slots)
        for kind, size in zip(TABLES, slots, strict=True):
            if classes.counts[kind]:
                many, rows = classes.rows(kind)
                launch(GUSTAVSON, "", f"count_row<{name}, {TABLES[kind]}, {size}>",
                       self._threads(many, kind), many, rows, known.products, np.int32(ncols),
                       *structure, counts)  # fmt: skip
        if classes.counts[Kind.WINDOWED]:
            many, rows = classes.rows(Kind.WINDOWED)
            launch(WINDOWED_ROWS, "", f"count_windowed_row<{name}, {self.window}>",
                   self._threads(many, Kind.WINDOWED), many, rows, *structure,
                   counts)  # fmt: skip
        if classes.counts[Kind.SORTED]:
            many, rows = classes.rows(Kind.SORTED)
            launch(SORTED_ROWS, "", f"count_sorted_row<{name}, {self.key(ncols)}>",
                   self._threads(many, Kind.SORTED), many, rows, known.products, *structure,
                   counts)  # fmt: skip
        if classes.counts[Kind.LONG]:
            self.long_rows.count(classes.long, structure, ncols, counts)
        if classes.counts[Kind.SHORT]:
            nrows = counts.size
            launch(SHORT_ROWS, "", f"count_short_row<{name}, {WAYS}>", nrows,
                   np.int32(nrows), classes.kinds, *structure, counts)  # fmt: skip

    def _multiply(
        self, node: Product, algebra: str, classes: Classes, slots: tuple[int, int],
        structure: Structure, values: tuple[Any, ...], products: DeviceArray, made: DeviceMatrix,
    ) -> None:  # fmt: skip
        """The second pass: the entries themselves."""
        launch, nrows, S = self.backend.launch, node.shape[0], structure
        out = made.indptr, made.indices, made.values
        operands = *S.mask, *S[:2], *values[:2], *S[2:4], *values[2:]
        if classes.counts[Kind.LONG]:
            self.long_rows.multiply(classes.long, S, algebra, node.semiring.monoid.is_any, values,
                                    made)  # fmt: skip
        for kind, size in zip(TABLES, slots, strict=True):
            if classes.counts[kind]:
                many, rows = classes.rows(kind)
                name = f"multiply_row<Semiring, {TABLES[kind]}, {size}>"
                launch(GUSTAVSON, algebra, name,
                       self._threads(many, kind), many, rows, *operands, *out)  # fmt: skip
        if classes.counts[Kind.WINDOWED]:
            many, rows = classes.rows(Kind.WINDOWED)
            launch(WINDOWED_ROWS, algebra, f"multiply_windowed_row<Semiring, {self.window}>",
                   self._threads(many, Kind.WINDOWED), many, rows, *operands,
                   *out)  # fmt: skip
        if classes.counts[Kind.SORTED]:
            many, rows = classes.rows(Kind.SORTED)
            name = f"multiply_sorted_row<Semiring, {self.key(node.shape[1])}>"
            launch(SORTED_ROWS, algebra, name,
                   self._threads(many, Kind.SORTED), many, rows, products, *operands,
                   *out)  # fmt: skip
        if classes.counts[Kind.SHORT]:
            launch(SHORT_ROWS, algebra, f"multiply_short_row<Semiring, {WAYS}>", nrows,
                   np.int32(nrows), classes.kinds, *operands, *out)  # fmt: skip

    def _classified(
        self, sizes: DeviceArray, known: Bounds, ncols: int, for_warp: int, for_block: int
    ) -> Classes:
        """The rows by kind, from their numbers of products or entries. A row's kind is also limited
        by what a table can hold. Waits."""
        device, nrows = self.device, sizes.size
        kinds, totals = device.empty(nrows, INDEX), device.zeros(len(Kind) + 2, np.uint64)
        warps = device.block_size // 32
        fits = _fits(for_warp // warps), _fits(for_block)
        limits = (np.int32(min(pair)) for pair in zip(fits, self.longest, strict=True))
        upto = (np.uint64(self.turns * threads) for threads in (32, device.block_size))
        rows = known.structure[:4]
        T, offset = types.c_name(sizes.dtype), types.c_name(rows[0].dtype)
        self.backend.launch(GUSTAVSON, "", f"classify<{T}, {offset}>", nrows, np.int32(nrows),
                            sizes, np.int32(ncols), *rows, np.int32(WAYS), known.products,
                            np.uint64(self.few), np.int32(self.window), np.uint64(self.sorted),
                            *limits, *upto, kinds, totals)  # fmt: skip
        *counts, total, long_entries = device.download(totals).tolist()  # synchronize!
        mixed = any(counts[Kind.WINDOWED :]) and nrows not in counts[: Kind.LONG]
        order = device.argsort(kinds) if mixed else None
        return Classes(kinds, counts, total, long_entries, order)

    def key(self, ncols: int) -> str:
        """The type of a word of a column and the number of a product."""
        return types.c_name(WORD if ncols < self.narrow else np.dtype(np.uint64))

    def _threads(self, many: np.int32, kind: Kind) -> int:
        return int(many) * (self.device.block_size if kind == Kind.BLOCK else 32)


def _fits(slots: int) -> int:
    """The largest number of columns that a table may hold (see table_size)."""
    size = 1 << (slots.bit_length() - 1)
    return size - size // (constants.HASH_LOAD + 1)
