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
from typing import Any, cast
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
from lagraph_gpu.planning.masked_product import MaskedFacts, choose_masked
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
        node = plus_pair(cast(Any, L @ U))
        made = self.compute(node, A, X, False, U.S, summed=True)
        if isinstance(made, DeviceMatrix):  # without entries, or with too many for a vector
            total = self.backend.as_matrix(made).reduce("plus", allow_empty=False)
            return int(total.new().value)
        if isinstance(made, DeviceVector):
            made = self.backend.reductions.folded(made, MONOIDS["plus"])
        return int(self.device.download(made)[0])  # synchronize!

    def compute(
        self, node: Product, A: DeviceMatrix, X: DeviceMatrix, flipped: bool, mask: Mask,
        summed: bool = False,
    ) -> Any:  # fmt: skip
        """A ⊕.⊗ B where the mask is true. B is X, or Xᵀ if ``flipped``. With ``summed``, for
        plus_pair and a mask by structure, what their sum is made of: the sum itself (UINT64) if the
        form is saxpy, else a vector of the values at the entries of the mask."""
        device, launch, matrices = self.device, self.backend.launch, self.backend.matrices
        M: DeviceMatrix = mask.handle._store
        if A.nnz == 0 or X.nnz == 0 or M.nnz == 0:
            return self.backend.empty(node.shape, node.dtype, by_rank=True)
        many = A.nnz * X.nnz >= matrices.products.row_by_row.many_products
        if many and A.shape[0] <= FEW_ROWS and not summed:
            made = matrices.products.few_rows(node, A, X, flipped, mask)
            if made is not None:
                return made
        merges, offset = matrices.merges, A.indptr.dtype
        if not offset == X.indptr.dtype == M.indptr.dtype:
            offset = widest(A.offset, X.offset, M.offset)

        def of_width(store: DeviceMatrix) -> DeviceArray:
            begins = store.indptr
            return begins if begins.dtype == offset else merges.widened(store, offset)

        nrows = np.int32(A.shape[0])
        truth = None if mask.structure else merges.truth(M)
        a_begins, m_begins = of_width(A), of_width(M)
        head = offset.type(M.nnz), nrows, m_begins, M.indices, truth

        def begins(flipped: bool) -> DeviceArray:
            return matrices.column_begins(X, offset) if flipped else of_width(X)

        c, totals = types.c_name(offset), device.zeros(3, np.uint64)
        counting = (
            (MASKED_DOT, "", f"masked_products<{c}>"), (MASKED_DOT, "", f"masked_walks<{c}>")
        )  # fmt: skip
        counts: DeviceArray | None = None

        def count_products() -> None:
            nonlocal counts
            counts = device.empty(A.nnz, INDEX)
            launch(*counting[0], A.nnz,
                   offset.type(A.nnz), nrows, a_begins, A.indices,
                   begins(flipped), m_begins, counts, totals)  # fmt: skip

        def count_walks() -> None:
            launch(*counting[1], M.nnz, *head,
                   a_begins, begins(not flipped), totals)  # fmt: skip

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
        longest = A.pattern.max_degree, X.pattern.max_degree if flipped else None
        bounded = _bounded(facts, *longest) if self.form is None else None
        facts, max_walk = bounded or (facts, 0)
        unknowns = [] if bounded else self._unknown(facts)
        work = M.work_within
        if unknowns and work is not None and work.of(A, X, flipped, mask.structure):
            unknowns, max_walk = [], work.max_walk
            facts = replace(facts, products=work.products, walked=work.walked)
        if unknowns and counting[0] not in self.backend.kernels:
            self.backend.compile_ahead([*counting, (ENTRIES, "", f"count_marked<{c}>")])
        for unknown in unknowns:
            for known in unknown:
                count_products() if known == "products" else count_walks()
            products, walked, max_walk = map(int, device.download(totals))  # synchronize!
            if "products" in unknown:
                facts = replace(facts, products=products)
            if "walked" in unknown:
                facts = replace(facts, walked=walked)
            if facts.decided:
                break
        if unknowns and facts.products is not None and facts.walked is not None:
            M.work_within = WorkWithin(ref(A), ref(X), flipped, mask.structure, facts.products,
                                       facts.walked, max_walk)  # fmt: skip
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
        a = a_begins, *A.arrays()[1:]
        b = of_width(B), *B.arrays()[1:]
        algebra = lower.product_struct(node.semiring, A.dtype, B.dtype, offset)
        if plan.form == "saxpy" and counts is None and facts.products:
            count_products()
        if plan.form == "dot":
            has = device.empty(-(-M.nnz // 32), WORD)
            values = device.empty(M.nnz, node.dtype)
            longest = offset.type(min(max_walk, self.long_walk))
            who = {"thread": "Thread", "warp": "Warp"}[plan.balance]
            threads = M.nnz if who == "Thread" else 32 * M.nnz
            launch(MASKED_DOT, algebra, f"masked_dot<Semiring, {who}>", threads, *head, *a, *b,
                   offset.type(0), longest, has, values)  # fmt: skip
            if max_walk > longest:
                launch(MASKED_DOT, algebra, "masked_dot<Semiring, Block>",
                       M.nnz * device.block_size,
                       *head, *a, *b, longest, offset.type(max_walk), has, values)  # fmt: skip
            if summed and M.nnz < POSITIONS:
                return DeviceVector(M.nnz, node.dtype, has, values)
        elif summed:
            total = device.zeros(1, np.uint64)
            if counts is not None and facts.products:
                ends = self.backend.prefix_sums.ends(counts, np.dtype(np.int64))
                rows = nrows, m_begins, M.indices, a_begins, A.indices, b[0], B.indices, ends
                kernel = CLOSED_WEDGES, "", f"closed_wedges<{types.c_name(offset)}, {{}}, {{}}>"
                self._tiled(facts.products, kernel, self.tables.words, a_begins, rows, (total,))
            return total
        else:
            has, values = device.zeros(-(-M.nnz // 32), WORD), started(device, node, M.nnz)
            if counts is not None and facts.products:
                ends = self.backend.prefix_sums.ends(counts, np.dtype(np.int64))
                kernel = MASKED_GUSTAVSON, algebra, "masked_gustavson<Semiring, {}, {}>"
                self._tiled(facts.products, kernel, self.tables.slots, a_begins,
                            (*head[1:], *a, *b, ends), (has, values))  # fmt: skip
        return self._gathered(M, offset, m_begins, has, values)

    def _tiled(
        self, products: int, kernel: tuple[str, str, str], slots: int, a_begins: DeviceArray,
        operands: tuple[Any, ...], into: tuple[DeviceArray, ...],
    ) -> None:  # fmt: skip
        """Launch the kernel of this header, algebra and name for the rows of few products, a warp
        each, and for the tiles of others."""
        device, tables = self.device, self.tables
        nrows, m_begins, *_, ends = operands
        header, algebra, called = kernel
        warps = device.block_size // 32
        limits = np.int32(slots // warps // 2), np.int32(tables.few), np.int32(tables.tile)
        counts, tiling = device.empty(nrows, INDEX), f"masked_tiles<{types.c_name(a_begins.dtype)}>"
        self.backend.launch(PRODUCT_TILES, "", tiling, nrows,
                            nrows, m_begins, a_begins, ends, *limits, counts)  # fmt: skip
        names = {"Block": called.format("Block", slots), "Warp": called.format("Warp", slots)}
        if (header, algebra, names["Block"]) not in self.backend.kernels:
            self.backend.compile_ahead((header, algebra, n) for n in names.values())
        tiles = self.backend.prefix_sums.ends(counts, np.dtype(np.int64))
        blocks_of = {"Block": nrows + products // tables.tile, "Warp": -(-nrows // (32 * warps))}
        for group, blocks in blocks_of.items():
            resident = self.backend.resident_blocks(
                self.backend.kernel(header, algebra, names[group]), device.block_size
            )
            self.backend.launch(header, algebra, names[group], 0, *operands, *limits, tiles, *into,
                                blocks=min(int(blocks), resident))  # fmt: skip

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

    def _gathered(
        self, M: DeviceMatrix, offset: np.dtype, m_begins: DeviceArray, has: DeviceArray,
        values: DeviceArray,
    ) -> DeviceMatrix:  # fmt: skip
        """The entries of M that have a value, with these values. Waits for their number."""
        device, count = self.device, -(-M.nnz // 32)
        counts = device.empty(count, offset)
        self.backend.launch(ENTRIES, "", f"count_marked<{types.c_name(offset)}>", count,
                            offset.type(count), has, counts)  # fmt: skip
        ends, total = self.backend.prefix_sums.total(counts, offset)  # synchronize!
        beside = M.with_values(values).with_begins(m_begins)
        return self.backend.matrices.moved(beside, Kept(has, ends, total))


def started(device: Device, node: Product, room: int) -> DeviceArray:
    """An array of start values of ⊕ (uninitialized if ⊕ is any), into which products are folded."""
    if node.semiring.monoid.is_any:
        return device.empty(room, node.dtype)
    return device.full(room, node.semiring.monoid.start(node.dtype), node.dtype)


def _bounded(facts: MaskedFacts, *longest: int | None) -> tuple[MaskedFacts, int] | None:
    """An upper bound on the work of dot, in all and for one entry, if rows of both operands are
    known to be short; None if the bound does not decide the form."""
    max_walk = min((WIDE_ROW if row is None else row for row in longest), default=0)
    bounded = replace(facts, walked=facts.wanted * max_walk)
    return (bounded, max_walk) if max_walk < WIDE_ROW and bounded.decided else None
