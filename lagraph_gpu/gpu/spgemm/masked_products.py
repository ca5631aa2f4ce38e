"""The product of two matrices within a mask that is not complemented, C⟨M⟩ = A ⊕.⊗ B.

Values are computed into an array parallel to the mask's entries, in one of two forms, and then the
entries with a value are compacted. The form dot (masked_dot.cuh) intersects a row of A and a column
of B for each entry of M. The form saxpy (masked_gustavson.cuh) looks up each product of A and B in
the row of M. The planner compares the work of both, which is counted first. No temporary array is
larger than the mask, except for 12 bytes for each entry of A. Two waits for each product; one where
the last product within this mask was of the same operands, since its work is known then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast
from weakref import ref

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, lower
from lagraph_gpu.gpu.spgemm.row_by_row import FEW_ROWS
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.matrix_storage import Kept, WorkWithin
from lagraph_gpu.gpu.storage.vector_storage import POSITIONS, widest
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.planning.direction import WIDE_ROW
from lagraph_gpu.planning.masked_product import MaskedFacts, MaskedPlan, choose_masked
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from semirings import MONOIDS, plus_pair, types

MASKED_DOT = "spgemm/masked_dot.cuh"
PRODUCT_TILES = "spgemm/product_tiles.cuh"
MASKED_GUSTAVSON = "spgemm/masked_gustavson.cuh"
CLOSED_WEDGES = "spgemm/closed_wedges.cuh"
ENTRIES = "matrix/entries.cuh"

LONG_WALK = 1024
"""An entry of the mask for which dot reads more entries has a block of its own."""


@dataclass(frozen=True)
class Tables:
    """The sizes of saxpy's hash tables, which hold a row of the mask for a block or for each of its
    warps, and the limits that assign rows to them."""

    slots: int = 2048
    """The slots of a block, a power of two. On an H200 twice as many take 1.2 of the time on
    kron22, because fewer blocks fit on a multiprocessor."""
    few: int = 2048
    """A row with at most so many products is computed by a warp, if the warp's table can hold
    it."""
    tile: int = 131072
    """The other rows are computed by blocks, so many products of a row at a time."""
    words: int = 4096
    """The words of a block, a power of two, where products are only counted."""


class Planned(NamedTuple):
    """A product within a mask whose form is chosen, and what its kernels take."""

    node: Product
    M: DeviceMatrix
    offset: np.dtype
    head: tuple[Any, ...]
    """Of the mask: its numbers of entries and of rows, where these begin with their columns, and
    the truth of the entries."""
    a: tuple[Any, ...]
    b: tuple[Any, ...]
    """The arrays of A, and of B or its transpose, as the form takes it."""
    algebra: str
    plan: MaskedPlan
    max_walk: int
    """The largest number of entries that dot reads for an entry of the mask."""
    products: int | None
    counts: DeviceArray | None
    """The number of products, in all and for each entry of A, if they have been counted."""


class MaskedProducts(BackendPart):
    """Computes A ⊕.⊗ B within a mask. The fields are for tests, which use small tables and fix the
    form."""

    tables, long_walk = Tables(), LONG_WALK
    form: str | None = None

    def closed_wedges(self, L: Matrix, U: Matrix) -> int | None:
        """Lowers ``closed_wedges``. None for a diagonal matrix, whose product only scales."""
        A, X = L._store, U._store
        if any(not isinstance(s, DeviceMatrix) or s.diagonal is not None for s in (A, X)):
            return None
        if A.nnz == 0 or X.nnz == 0:
            return 0
        of = self._planned(plus_pair(cast(Any, L @ U)), A, X, False, U.S)
        if of.plan.form == "saxpy":
            total = self.device.zeros(1, np.uint64)
            kernel = CLOSED_WEDGES, "", f"closed_wedges<{types.c_name(of.offset)}, {{}}, {{}}>"
            operands = *of.head[1:3], of.a[:2], of.b[:2]
            self._tiled(of, kernel, self.tables.words, operands, (total,))
        elif of.M.nnz < POSITIONS:
            entries = DeviceVector(of.M.nnz, of.node.dtype, *self._dot(of))
            total = self.backend.reductions.folded(entries, MONOIDS["plus"])
        else:
            made = self.backend.as_matrix(self._gathered(of, *self._dot(of)))
            return int(made.reduce("plus", allow_empty=False).new().value)
        return int(self.device.download(total)[0])  # synchronize!

    def compute(
        self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, mask: Mask
    ) -> DeviceMatrix:
        """A ⊕.⊗ B where the mask is true. B is X, or Xᵀ if ``flipped``."""
        if A.nnz == 0 or X.nnz == 0 or mask.handle._store.nnz == 0:
            return self.backend.empty(node.shape, node.dtype, by_rank=True)
        products = self.backend.matrices.products
        if A.shape[0] <= FEW_ROWS and A.nnz * X.nnz >= products.row_by_row.many_products:
            made = products.few_rows(node, A, X, flipped, mask)
            if made is not None:
                return made
        of = self._planned(node, A, X, flipped, mask)
        counting = ENTRIES, "", f"count_marked<{types.c_name(of.offset)}>"
        if counting not in self.backend.kernels:  # while that of the form is compiled
            self.backend.compile_ahead([counting])
        return self._gathered(of, *(self._dot(of) if of.plan.form == "dot" else self._saxpy(of)))

    def _planned(
        self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, mask: Mask
    ) -> Planned:
        """The product with its form. Counts the work first if the form depends on it, and waits."""
        device, matrices, M = self.device, self.backend.matrices, mask.handle._store
        offset = A.indptr.dtype
        if not offset == X.indptr.dtype == M.indptr.dtype:
            offset = widest(A.offset, X.offset, M.offset)
        truth = None if mask.structure else matrices.merges.truth(M)
        begins = self._begins(M, offset)
        head = offset.type(M.nnz), np.int32(A.shape[0]), (begins, M.indices), truth
        a = self._begins(A, offset), *A.arrays()[1:]
        facts = MaskedFacts(
            products=None,
            walked=None,
            wanted=M.nnz,
            nedges=X.nnz,
            rows=A.shape[0],
            has_rows=not flipped or X.transposed is not None,
            has_columns=flipped or X.transposed is not None,
            early_exit=node.early_exit,
        )
        of_a, of_x = A.pattern.max_degree, X.pattern.max_degree if flipped else None
        max_walk = min(WIDE_ROW if of_a is None else of_a, WIDE_ROW if of_x is None else of_x)
        bounded = replace(facts, walked=facts.wanted * max_walk)
        work, counts = M.work_within if mask.structure else None, None
        if self.form is None and max_walk < WIDE_ROW and bounded.decided:
            facts = bounded  # rows are known to be short
        elif work is not None and work.of(A, X, flipped):
            facts = replace(facts, products=work.products, walked=work.walked)
            max_walk = work.max_walk
        else:
            facts, max_walk, counts = self._counted(facts, A, X, flipped, head, a[0])
            if mask.structure and facts.products is not None and facts.walked is not None:
                M.work_within = WorkWithin(
                    ref(A), ref(X), flipped, facts.products, facts.walked, max_walk
                )
        plan = choose_masked(facts, self.form)
        if explaining():
            record_choice(
                f"matrix product {node.semiring.name}",
                f"{plan.form}, within the mask",
                plan.reason,
                facts,
                laws_of(node.semiring, node.dtype),
                dot=facts.dot,
                saxpy=facts.saxpy,
                balance=plan.balance,
            )
        B = matrices.transpose(X) if flipped == (plan.form == "saxpy") else X
        if plan.form == "saxpy" and counts is None and facts.products:
            counts = self._count_products(A, X, flipped, head, a[0], device.zeros(3, np.uint64))
        entries = B.arrays()[1:]
        algebra = lower.product_struct(node.semiring, A.dtype, B.dtype, offset)
        b = self._begins(B, offset), *entries
        return Planned(node, M, offset, head, a, b, algebra, plan, max_walk, facts.products, counts)

    def _counted(
        self, facts: MaskedFacts, A: DeviceMatrix, X: DeviceMatrix, flipped: bool,
        head: tuple[Any, ...], a_begins: DeviceArray,
    ) -> tuple[MaskedFacts, int, DeviceArray | None]:  # fmt: skip
        """The facts with the work, counted until the form is decided; the largest number of entries
        that dot reads for an entry of the mask; and the products of each entry of A, if they have
        been counted. Waits once or twice."""
        offset, totals = head[0].dtype, self.device.zeros(3, np.uint64)
        counts, max_walk = None, 0
        names = "masked_products", "masked_walks"
        kernels = [(MASKED_DOT, "", f"{name}<{types.c_name(offset)}>") for name in names]
        if kernels[0] not in self.backend.kernels:
            self.backend.compile_ahead(kernels)
        for unknown in self._unknown(facts):
            if "products" in unknown:
                counts = self._count_products(A, X, flipped, head, a_begins, totals)
            if "walked" in unknown:
                begins = self._begins_of_b(X, not flipped, offset)
                self.backend.launch(*kernels[1], int(head[0]), *head, a_begins, begins, totals)
            products, walked, max_walk = map(int, self.device.download(totals))  # synchronize!
            if "products" in unknown:
                facts = replace(facts, products=products)
            if "walked" in unknown:
                facts = replace(facts, walked=walked)
            if facts.decided:
                break
        return facts, max_walk, counts

    def _count_products(
        self, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, head: tuple[Any, ...],
        a_begins: DeviceArray, totals: DeviceArray,
    ) -> DeviceArray:  # fmt: skip
        """The number of products of each entry of A. Their sum is added to ``totals``."""
        offset, counts = head[0].dtype, self.device.empty(A.nnz, INDEX)
        begins = self._begins_of_b(X, flipped, offset)
        name = f"masked_products<{types.c_name(offset)}>"
        self.backend.launch(MASKED_DOT, "", name, A.nnz, offset.type(A.nnz), head[1], a_begins,
                            A.indices, begins, head[2][0], counts, totals)  # fmt: skip
        return counts

    def _begins(self, store: DeviceMatrix, offset: np.dtype) -> DeviceArray:
        """Where the rows of a matrix begin, in this type."""
        begins, merges = store.indptr, self.backend.matrices.merges
        return begins if begins.dtype == offset else merges.widened(store, offset)

    def _begins_of_b(self, X: DeviceMatrix, columns: bool, offset: np.dtype) -> DeviceArray:
        """Where the rows of X begin, or its columns."""
        columns_of = self.backend.matrices.column_begins
        return columns_of(X, offset) if columns else self._begins(X, offset)

    def _dot(self, of: Planned) -> tuple[DeviceArray, DeviceArray]:
        """Which entries of the mask have a value, as a bitmap, and the values."""
        device, launch, offset = self.device, self.backend.launch, of.offset
        has, values = device.empty(-(-of.M.nnz // 32), WORD), device.empty(of.M.nnz, of.node.dtype)
        longest = offset.type(min(of.max_walk, self.long_walk))
        who = {"thread": "Thread", "warp": "Warp"}[of.plan.balance]
        work = of.M.nnz if who == "Thread" else 32 * of.M.nnz
        operands = *of.head, (*of.a, *of.b)
        launch(MASKED_DOT, of.algebra, f"masked_dot<Semiring, {who}>", work,
               *operands, offset.type(0), longest, has, values)  # fmt: skip
        if of.max_walk > longest:
            launch(MASKED_DOT, of.algebra, "masked_dot<Semiring, Block>",
                   of.M.nnz * device.block_size, *operands, longest,
                   offset.type(of.max_walk), has, values)  # fmt: skip
        return has, values

    def _saxpy(self, of: Planned) -> tuple[DeviceArray, DeviceArray]:
        """The product by Gustavson's method: a bitmap of the entries of the mask that have a value,
        and the values."""
        has = self.device.zeros(-(-of.M.nnz // 32), WORD)
        values = started(self.device, of.node, of.M.nnz)
        kernel = MASKED_GUSTAVSON, of.algebra, "masked_gustavson<Semiring, {}, {}>"
        operands = *of.head[1:], (*of.a, *of.b)
        self._tiled(of, kernel, self.tables.slots, operands, (has, values))
        return has, values

    def _tiled(
        self, of: Planned, kernel: tuple[str, str, str], slots: int, operands: tuple[Any, ...],
        into: tuple[DeviceArray, ...],
    ) -> None:  # fmt: skip
        """Launch the kernel of this header, algebra and name for the rows of few products, a warp
        each, and for the tiles of others."""
        if not of.products or of.counts is None:
            return
        device, tables = self.device, self.tables
        nrows, (m_begins, _) = of.head[1:3]
        header, algebra, called = kernel
        ends = self.backend.prefix_sums.ends(of.counts, np.dtype(np.int64))
        warps = device.block_size // 32
        limits = np.int32(slots // warps // 2), np.int32(tables.few), np.int32(tables.tile)
        counts, tiling = device.empty(nrows, INDEX), f"masked_tiles<{types.c_name(of.offset)}>"
        self.backend.launch(PRODUCT_TILES, "", tiling, nrows,
                            nrows, m_begins, of.a[0], ends, *limits, counts)  # fmt: skip
        names = {"Block": called.format("Block", slots), "Warp": called.format("Warp", slots)}
        if (header, algebra, names["Block"]) not in self.backend.kernels:
            self.backend.compile_ahead((header, algebra, n) for n in names.values())
        tiles = self.backend.prefix_sums.ends(counts, np.dtype(np.int64))
        blocks_of = {"Block": nrows + of.products // tables.tile, "Warp": -(-nrows // (32 * warps))}
        for group, blocks in blocks_of.items():
            resident = self.backend.resident_blocks(
                self.backend.kernel(header, algebra, names[group]), device.block_size
            )
            self.backend.launch(header, algebra, names[group], 0, *operands, ends, *limits, tiles,
                                *into, blocks=min(int(blocks), resident))  # fmt: skip

    def _unknown(self, facts: MaskedFacts) -> list[tuple[str, ...]]:
        """What to count, in this order, until the form is decided. The work of the form that needs
        no transpose comes first, because it may already be less than the cost of the other's
        transpose."""
        products, walked = ("products",), ("walked",)
        if self.form is not None:
            return [products if self.form == "saxpy" else walked]
        if facts.has_rows and facts.has_columns:
            return [products + walked]
        return [products, walked] if facts.has_rows else [walked, products]

    def _gathered(self, of: Planned, has: DeviceArray, values: DeviceArray) -> DeviceMatrix:
        """The entries of the mask that have a value, with these values. Waits for their number."""
        device, count, offset = self.device, -(-of.M.nnz // 32), of.offset
        counts = device.empty(count, offset)
        self.backend.launch(ENTRIES, "", f"count_marked<{types.c_name(offset)}>", count,
                            offset.type(count), has, counts)  # fmt: skip
        ends, total = self.backend.prefix_sums.total(counts, offset)  # synchronize!
        beside = of.M.with_values(values).with_begins(of.head[2][0])
        return self.backend.matrices.moved(beside, Kept(has, ends, total))


def started(device: Device, node: Product, room: int) -> DeviceArray:
    """An array of start values of ⊕ (uninitialized if ⊕ is any), into which products are folded."""
    if node.semiring.monoid.is_any:
        return device.empty(room, node.dtype)
    return device.full(room, node.semiring.monoid.start(node.dtype), node.dtype)
