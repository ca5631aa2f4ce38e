"""The product of two matrices, C⟨mask⟩ = A ⊕.⊗ B, into a new matrix.

For a mask that is not complemented see ``masked_products``. Otherwise the result is computed by
rows in two passes. The first counts (see gustavson.cuh), so that C is allocated exactly; if there
is not enough memory, the error comes then and names the bytes. No temporary array is larger than
the result, except for 12 bytes for each entry of A, a few for each row, and a bounded workspace for
long rows (see long_rows.py). Two waits for each product. A product with few rows and very many
products is computed row by row instead (see row_by_row.py).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.device import DeviceArray, constants, lower
from lagraph_gpu.gpu.spgemm.long_rows import Listed, LongRows, Structure, factors, rows_of
from lagraph_gpu.gpu.spgemm.masked_products import MaskedProducts, started
from lagraph_gpu.gpu.spgemm.row_by_row import RowByRow
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import offset_for, widest
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

GUSTAVSON = "spgemm/gustavson.cuh"
SHORT_ROWS = "spgemm/short_rows.cuh"
SORTED_ROWS = "spgemm/sorted_rows.cuh"
WINDOWED_ROWS = "spgemm/windowed_rows.cuh"
RANKED_ROWS = "spgemm/ranked_rows.cuh"

NO_LIMIT = 2**31 - 1

FEW_PRODUCTS = 32
"""A row with at most so many products is computed by one thread, if it reads few rows of B; at most
255. On an H200, a million rows of 64 products took 6.1 ms with 32 and 10.1 with 64."""

SORTED_PRODUCTS = constants.SORTED_PRODUCTS
"""A row with at most so many products, from at most 32 rows of B, is sorted by a warp in registers.
On an H200, a million rows of 64, 121 and 256 products took 3.3, 6.4 and 14.7 ms, and
6.7, 26.0 and 38.0 with hash tables."""

WINDOW_LANES = 8, 16, 32
"""How many lanes may compute a row in a dense accumulator: the fewest that read a mean row of B at
once."""

NARROW_COLUMNS = 2**24
"""Fewer columns than this fit in a word beside the number of a product of 8 bits."""

TURNS = 32
"""A warp or a block computes rows with at most so many products for each of its threads; longer
rows are shared by the whole device. On an H200, Louvain on kron22 took 2.29 s with 32 and 2.42 with
128."""

NOWHERE: tuple[None, None, None] = (None, None, None)


RANKED_WORDS, RANKED_BYTES = 2048, 2**14
"""The words of a block's bitmap of columns, and the bytes of the values that it adds up."""

RANKED_TURNS = 256
"""A block with a bitmap computes rows with at most so many products for each of its threads."""

STAGED = {4: 16, 8: 10, 16: 5}
"""By the bytes of a value: a thread computes a row if it has no more entries than this, because as
many for each thread are collected in shared memory. On an H200, a million rows of 25 entries took
2.2 ms where threads wrote them one by one, and 0.66 where warps sorted them."""


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
    """Classes of rows by who computes them: none, a thread, lanes of a warp with a dense
    accumulator, a warp that sorts, a warp with a hash table, a block with a bitmap or with a hash
    table, the whole device. `RowKind` in row_kinds.cuh has the same."""

    NONE, SHORT, WINDOWED, SORTED, WARP, RANKED, BLOCK, LONG = range(8)


TABLES = {Kind.WARP: "Warp", Kind.BLOCK: "Block"}
"""The groups of threads that compute a row in a hash table."""


FILTERED, LISTING = (Kind.WINDOWED, Kind.SORTED), 8
"""Kinds whose kernels find their rows among all, if at least one row of so many is of that kind:
sorting a million kinds takes 0.45 ms on an H200."""


@dataclass(frozen=True)
class Bounds:
    """What is known before the first pass: the rows of the operands, the number of products of each
    row, and the lanes for a row with a dense accumulator."""

    structure: Structure
    products: DeviceArray
    lanes: int


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
    """The rows sorted by kind; None if each kernel finds its rows among all."""

    def rows(self, kind: Kind) -> tuple[np.int32, DeviceArray | None]:
        """The rows of a kind: how many, and which; None to look at all rows."""
        if self.order is None:
            return np.int32(self.kinds.size), None
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
    ``narrow`` bounds the columns of narrow keys. ``lanes`` may be empty, for no dense
    accumulators, and ``ranked`` are the words and bytes of a block with a bitmap.
    """

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.slots = Slots()
        self.longest = NO_LIMIT, NO_LIMIT
        self.narrow, self.lanes = NARROW_COLUMNS, WINDOW_LANES
        self.ranked = RANKED_WORDS, RANKED_BYTES
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

        def structure_in(offset: np.dtype) -> Structure:
            outside = NOWHERE if M is None else (merges.widened(M, offset), M.indices, truth)
            a, b = ((merges.widened(s, offset), s.indices) for s in (A, B))
            return Structure(a, b, outside)

        offset = widest(*(s.offset for s in stores))
        structure = structure_in(offset)
        counts = device.zeros(nrows, INDEX)
        mean = B.nnz / B.shape[0]
        lanes = next((k for k in self.lanes if k >= mean), max(self.lanes, default=0))
        known = Bounds(structure, self._products(A, structure.A[0], structure.B[0]), lanes)
        self._count(known, ncols, offset, counts)

        itemsize = node.dtype.itemsize
        slots = self.slots.warp, self.slots.block_wide if itemsize > 4 else self.slots.block
        ranked = 0 if node.semiring.monoid.is_any else self.ranked[1] // itemsize
        classes = self._classified(counts, known, ncols, *slots, STAGED[max(4, itemsize)], ranked)
        wide = widest(offset, offset_for(classes.total))
        if wide != offset:
            known = replace(known, structure=structure_in(wide))
        folds_long = classes.counts[Kind.LONG] > 0 and not node.semiring.monoid.is_any
        values = started(device, node, max(1, classes.total)) if folds_long else None
        shape = nrows, ncols
        result = DeviceMatrix.allocated(device, shape, node.dtype, classes.total, wide, values)
        result.indptr = self.backend.prefix_sums.begins(counts, wide)
        algebra = lower.product_struct(node.semiring, A.dtype, B.dtype, wide)
        numbers = A.values, A.stride, B.values, B.stride
        self._multiply(node, algebra, classes, slots, known, numbers, result)
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
        name, structure = types.c_name(offset), known.structure
        slots = self.slots.count_warp, self.slots.count_block
        classes = self._classified(known.products, known, ncols, *slots)
        over = functools.partial(self._launch, classes)
        for kind, size in zip(TABLES, slots, strict=True):
            over(kind, GUSTAVSON, "", f"count_row<{name}, {TABLES[kind]}, {size}>",
                 known.products, np.int32(ncols), *structure, counts)  # fmt: skip
        over(Kind.RANKED, RANKED_ROWS, "", f"count_ranked_row<{name}, {self.ranked[0]}>",
             np.int32(ncols), *structure, counts)  # fmt: skip
        over(Kind.WINDOWED, WINDOWED_ROWS, "", f"count_windowed_row<{name}, {known.lanes}>",
             *structure, counts, each=known.lanes)  # fmt: skip
        over(Kind.SORTED, SORTED_ROWS, "", f"count_sorted_row<{name}, {self.key(ncols)}>",
             known.products, *structure, counts)  # fmt: skip
        if classes.counts[Kind.LONG]:
            self.long_rows.count(classes.long, structure, ncols, counts)
        if classes.counts[Kind.SHORT]:
            nrows = counts.size
            self.backend.launch(SHORT_ROWS, "", f"count_short_row<{name}, {WAYS}>", nrows,
                                np.int32(nrows), classes.kinds, *structure, counts)  # fmt: skip

    def _multiply(
        self, node: Product, algebra: str, classes: Classes, slots: tuple[int, int],
        known: Bounds, values: tuple[Any, ...], made: DeviceMatrix,
    ) -> None:  # fmt: skip
        """The second pass: the entries themselves."""
        (nrows, ncols), S = node.shape, known.structure
        over = functools.partial(self._launch, classes)
        operands = S.outside, factors(S, values), rows_of(made)
        one_by_one = [part for group in operands for part in group]
        if classes.counts[Kind.LONG]:
            self.long_rows.multiply(classes.long, S, algebra, node.semiring.monoid.is_any, values,
                                    made)  # fmt: skip
        for kind, size in zip(TABLES, slots, strict=True):
            over(kind, GUSTAVSON, algebra, f"multiply_row<Semiring, {TABLES[kind]}, {size}>",
                 *operands)  # fmt: skip
        words, room = self.ranked[0], self.ranked[1] // node.dtype.itemsize
        over(Kind.RANKED, RANKED_ROWS, algebra, f"multiply_ranked_row<Semiring, {words}, {room}>",
             np.int32(ncols), *operands)  # fmt: skip
        over(Kind.WINDOWED, WINDOWED_ROWS, algebra,
             f"multiply_windowed_row<Semiring, {known.lanes}>", *operands,
             each=known.lanes)  # fmt: skip
        over(Kind.SORTED, SORTED_ROWS, algebra,
             f"multiply_sorted_row<Semiring, {self.key(ncols)}>", known.products,
             *one_by_one)  # fmt: skip
        if classes.counts[Kind.SHORT]:
            staged = STAGED[max(4, node.dtype.itemsize)]
            self.backend.launch(SHORT_ROWS, algebra,
                                f"multiply_short_row<Semiring, {WAYS}, {staged}>", nrows,
                                np.int32(nrows), classes.kinds, *one_by_one)  # fmt: skip

    def _launch(
        self, classes: Classes, kind: Kind, header: str, algebra: str, name: str, *arguments: Any,
        each: int = 32,
    ) -> None:  # fmt: skip
        """Launch a kernel over the rows of a kind, if there are any, with a block for a row or with
        ``each`` threads."""
        if not classes.counts[kind]:
            return
        many, rows = classes.rows(kind)
        found = (classes.kinds,) if kind in FILTERED else ()
        each = self.device.block_size if kind in (Kind.BLOCK, Kind.RANKED) else each
        self.backend.launch(header, algebra, name, int(many) * each, many, rows, *found, *arguments)

    def _classified(
        self, sizes: DeviceArray, known: Bounds, ncols: int, for_warp: int, for_block: int,
        brief: int = NO_LIMIT, ranked: int = NO_LIMIT,
    ) -> Classes:  # fmt: skip
        """The rows by kind, from their numbers of products or entries. A row's kind is also limited
        by what a table can hold, and a short row by ``brief`` and one with a bitmap by ``ranked``
        entries. Waits."""
        device, nrows = self.device, sizes.size
        kinds, totals = device.empty(nrows, INDEX), device.zeros(len(Kind) + 2, np.uint64)
        block = device.block_size
        fits = _fits(for_warp * 32 // block), _fits(for_block)
        small, middling = (min(pair) for pair in zip(fits, self.longest, strict=True))
        products = self.few, self.sorted, self.turns * 32, self.turns * block, RANKED_TURNS * block
        window = constants.WINDOW_COLUMNS * known.lanes
        upto = WAYS, brief, window, small, 32 * self.ranked[0], ranked
        limits = *map(np.uint64, products), *map(np.int32, (*upto, middling))
        T, offset = types.c_name(sizes.dtype), types.c_name(known.structure.offset)
        self.backend.launch(GUSTAVSON, "", f"classify<{T}, {offset}>", nrows, np.int32(nrows),
                            sizes, np.int32(ncols), *known.structure[:2], known.products, limits,
                            kinds, totals)  # fmt: skip
        *counts, total, long_entries = device.download(totals).tolist()  # synchronize!
        listed = [
            kind for kind in Kind if kind > Kind.SHORT and 0 < counts[kind] < nrows
            and not (kind in FILTERED and counts[kind] >= nrows // LISTING)
        ]  # fmt: skip
        order = device.argsort(kinds) if listed or counts[Kind.LONG] else None
        return Classes(kinds, counts, total, long_entries, order)

    def key(self, ncols: int) -> str:
        """The type of a word of a column and the number of a product."""
        return types.c_name(WORD if ncols < self.narrow else np.dtype(np.uint64))


def _fits(slots: int) -> int:
    """The largest number of columns that a table may hold (see table_size)."""
    size = 1 << (slots.bit_length() - 1)
    return size - size // (constants.HASH_LOAD + 1)
