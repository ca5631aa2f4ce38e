"""Products of a vector and a matrix: the plan, push and pull, and counts of a vector's entries.

A push reads the bitmap of its vector, so no list or count is computed before it. Only a schedule
that names a balance or a frontier uses one of the classical kernels, most of which read a list.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.device import lower
from lagraph_gpu.gpu.matrix.edge_orders import Rearranged, Slices
from lagraph_gpu.gpu.spmv.packed_products import PackedProducts
from lagraph_gpu.gpu.spmv.segmented_spmv import SegmentedSpmv
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.notation.expressions import Expression, Product, Reduce, computed
from lagraph_gpu.planning import direction
from lagraph_gpu.planning.trace import (
    explaining,
    laws_of,
    record_choice,
    record_step,
    record_time,
    recording,
    traffic_of_products,
)
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, Monoid, Semiring, any_second, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend
    from lagraph_gpu.gpu.device import DeviceArray
    from lagraph_gpu.gpu.matrix.weight_order import Stored

PUSH_CUH = "spmv/push.cuh"
INDEXED = "matrix/indexed.cuh"
PULL_CUH = "spmv/pull.cuh"
TIGHT_EDGES = "closure/ordered/tight_edges.cuh"
COMPACTION = "vector/compaction.cuh"
ROW_PIECES = "matrix/row_pieces.cuh"

LONG_ROW = 1024
"""A row with more entries is pulled by a block of its own."""

PIECE = 128
"""A row with more entries is pushed in pieces of so many, each by a warp in four steps."""

FIXED = ("push", "pull")
EVERY_WAY = (*FIXED, "edge")
start_of = functools.cache(Monoid.start)

PUSH = {"thread": "ThreadPerVertex", "warp": "WarpPerVertex", "search": "SearchEdges",
        "bucket": "BucketsByDegree"}  # fmt: skip
QUEUES = ("global", "block")
PULL = {"thread": "ThreadPerRow", "warp": "WarpPerRow", "search": "WarpPerRow"}
"""The kernels' names of the balances. "search" has this one within a closure, and SegmentedSpmv
elsewhere."""


class Products:
    """Computes u ⊕.⊗ A and A ⊕.⊗ u under a mask, into a new vector."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.even, self.long_row, self.piece = SegmentedSpmv(backend), LONG_ROW, PIECE
        self.rearranged, self.packed = Rearranged(backend), PackedProducts(backend)

    def compute(self, node: Expression, mask: Bits, schedule: Schedule | None) -> DeviceVector:
        if isinstance(node, Reduce):
            return self._rows(node, mask)
        assert isinstance(node, Product)
        vector_left = node.kind == "vxm"
        left, right = (node.left, node.right) if vector_left else (node.right, node.left)
        u, (A, transposed) = computed(left)._store, self.backend.matrices.operand(right)
        rows_go_out = vector_left != transposed  # else A's rows hold the in-edges of the result
        reads = node.semiring.reads_right if vector_left else node.semiring.reads_left
        if not A.walks_packed(reads):
            u.set_matrix(A if rows_go_out else A.transposed)
        return self.multiply(node, u, A, mask, rows_go_out, schedule or direction.FREE)

    def multiply(
        self, node: Any, u: DeviceVector, A: DeviceMatrix, mask: Bits, rows_go_out: bool = True,
        schedule: Schedule = direction.FREE,
    ) -> DeviceVector:  # fmt: skip
        """The product ``node`` of u and A. The rows of A hold the out-edges of u's positions if
        ``rows_go_out``, else the in-edges of the result's."""
        vector_left = node.kind == "vxm"
        reads = node.semiring.reads_right if vector_left else node.semiring.reads_left
        if A.walks_packed(reads):
            return self.packed.compute(node.semiring, u, A, mask, vector_left, node.dtype)
        incoming = A.transposed if rows_go_out else A
        plan, facts = self._plan(node, u, A, incoming, schedule)
        algebra = lower.semiring_struct(node.semiring, u.dtype, A.dtype, A.offset, vector_left)
        if recording():
            edges = A.nnz if u.multiplied_by is None or u.full else self.edges(u)
            self.count(u)
        stop = self.device.stopwatch() if explaining() else None
        if plan.direction == "edge":
            result = self._relax(node, u, A, rows_go_out, mask, algebra, schedule)
        elif plan.direction == "push":
            outgoing = A if rows_go_out else self.backend.matrices.transpose(A)
            result = self._push(node, u, outgoing, mask, algebra, schedule)
        else:
            incoming = self.backend.matrices.transpose(A) if rows_go_out else A
            balance = self._settled(plan.balance, incoming, node.early_exit, schedule)
            result = self._pull(node, u, incoming, mask, algebra, balance, schedule.layout)
        one_each = A.pattern.max_degree == 1 and A.nnz == result.size  # entry in each row
        if one_each and u.full and not rows_go_out and mask[0] is None and not mask[1]:
            result.full = True
            if node.semiring is any_second and not vector_left:  # values of u
                result.below = u.below
        result.multiplied_by = u.multiplied_by if result.size == u.size else None
        if stop is not None:
            self._explain(node, u, A, mask, plan, facts, edges, result, stop())  # synchronize!
        elif recording():
            record_step(plan.direction, self.count(u), edges)
        return result

    def _explain(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, mask: Bits, plan: direction.Plan,
        facts: direction.Facts, edges: int, made: DeviceVector, microseconds: float | None,
    ) -> None:  # fmt: skip
        """Record the choice and the measured step. Waits for the number of entries found."""
        semiring, found = node.semiring, self.count(made)
        laws, alpha = laws_of(semiring, node.dtype), direction.alpha(facts.early_exit)
        name = f"product {semiring.name}"
        record_choice(
            name, plan.direction, plan.reason, facts, laws, alpha=alpha, balance=plan.balance
        )
        record_time(microseconds)
        part = facts.early_exit or mask[0] is not None
        pulled = found if part else A.nnz
        looked = {"push": edges, "pull": pulled, "edge": A.nnz}[plan.direction]
        values = None if A.iso else A.dtype
        traffic = traffic_of_products(
            semiring, u.dtype, values, made.dtype, INDEX.itemsize, A.offset.itemsize
        )
        record_step(plan.direction, self.count(u), edges, looked=looked, microseconds=microseconds,
                    bytes=traffic.of(looked, self.count(u), found))  # fmt: skip

    def _plan(
        self, node: Any, u: DeviceVector, A: DeviceMatrix, incoming: DeviceMatrix | None,
        schedule: Schedule,
    ) -> tuple[direction.Plan, direction.Facts]:  # fmt: skip
        """The plan, and the facts it depends on. The edges of the frontier are counted, with a
        wait, only if the plan depends on their number: not if the direction is fixed, and not if a
        push is right for the largest number there may be."""
        outgoing, count, edges = u.multiplied_by, u.count, u.edges
        longest = None if outgoing is None else outgoing.pattern.max_degree
        known = edges is not None or u.full or outgoing is None or schedule.direction in EVERY_WAY
        if edges is None:
            edges = A.nnz
            if count is not None and longest is not None:
                edges = min(edges, count * longest)
        if count is None:
            count = u.size

        def chosen(frontier: int, edges: int) -> tuple[direction.Plan, direction.Facts]:
            gathered = None if incoming is None else incoming.pattern.max_degree
            facts = direction.Facts(
                frontier, edges, node.shape[0], A.nnz, node.early_exit, longest, gathered
            )
            return direction.choose(facts, schedule, EVERY_WAY), facts

        plan, facts = chosen(count, edges)
        if known or plan.direction == "push":
            return plan, facts
        return chosen(self.count(u), self.edges(u))

    def _push(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str,
        schedule: Schedule,
    ) -> DeviceVector:  # fmt: skip
        """A push along the rows of A, from u's bitmap, or as the schedule says."""
        u.set_matrix(A)
        if u.count == 0:
            return DeviceVector(node.shape[0], node.dtype, count=0, device=self.device)
        result = self._scattered(node.shape[0], node.dtype, node.semiring.monoid)
        balance, frontier = schedule.balance or "thread", schedule.frontier
        if schedule.balance is None and frontier is None and A.pattern.max_degree == 1:
            self.backend.launch(
                PUSH_CUH, algebra, "push_singles<Semiring>", u.size, np.int32(u.size), u.present,
                u.values, A.arrays(), mask, (result.bits, result.values),
            )  # fmt: skip
            return result
        if schedule.balance is None and frontier is None:
            pieces, rows, firsts = self.pieces(A, self.piece)
            self.backend.launch(
                PUSH_CUH, algebra, "push_marked<Semiring>", u.size, np.int32(u.size), u.bits,
                np.int32(self.piece), np.int32(pieces), rows, firsts, u.values, A.arrays(), mask,
                (result.bits, result.values),
            )  # fmt: skip
            return result
        count = work = u.size
        vertices = bits = ends = None
        if frontier == "none":
            bits = u.present
        elif (count := self.count(u)) > 0:
            vertices, work = self.listing(u), count * 32 if balance == "warp" else count
        else:
            return result
        if balance == "search":
            degrees = self.device.empty(count, np.int64)
            name = f"gather_degrees<{types.c_name(A.offset)}>"
            self.backend.launch(INDEXED, "", name, count, np.int32(count), vertices, A.indptr,
                                degrees)  # fmt: skip
            ends = self.backend.prefix_sums.ends(degrees, degrees.dtype)
            work = A.nnz if u.edges is None else u.edges
        queue = queued = None
        if frontier in QUEUES and node.semiring.monoid.is_any:  # the result is a frontier
            queue, queued = self.device.empty(result.size, INDEX), self.device.zeros(1, np.uint64)
        self.backend.launch(
            PUSH_CUH, algebra, f"push<Semiring, {PUSH[balance]}>", work, np.int32(count),
            vertices, bits, ends, u.values, A.arrays(), mask, (result.bits, result.values), queue,
            queued, np.bool_(queue is not None and frontier == "block"),
        )  # fmt: skip
        result.listing, result.queued = queue, queued
        return result

    def _scattered(self, size: int, dtype: np.dtype, monoid: Monoid) -> DeviceVector:
        """The vector that a push writes to: without entries and, unless ⊕ is any, with the start
        value of the fold at every position."""
        if monoid.is_any:
            return DeviceVector.empty(self.device, size, dtype)
        result = DeviceVector.allocated(self.device, size, dtype)
        start = start_of(monoid, result.dtype)
        self.backend.launch(PUSH_CUH, "", f"prepare<{types.c_name(result.dtype)}>", result.size,
                            np.int32(result.size), start, result.bits, result.values)  # fmt: skip
        return result

    def _relax(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, rows_go_out: bool, mask: Bits,
        algebra: str, schedule: Schedule,
    ) -> DeviceVector:  # fmt: skip
        """A push along every edge of the matrix; the kernel tests whether its tail has an entry."""
        result = self._scattered(node.shape[0], node.dtype, node.semiring.monoid)
        edges = self.rearranged.edges(A, schedule.layout)
        ends = (edges.tails, edges.heads) if rows_go_out else (edges.heads, edges.tails)
        self.backend.launch(
            PUSH_CUH, algebra, "relax<Semiring>", edges.number, A.offset.type(edges.number),
            np.bool_(edges.both), *ends, edges.values, A.stride, (u.present, u.values), mask,
            (result.bits, result.values),
        )  # fmt: skip
        return result

    def _pull(
        self, node: Any, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str, balance: str,
        layout: str | None = None,
    ) -> DeviceVector:  # fmt: skip
        if balance == "search":
            return self.even.compute(node, u, A, mask, algebra)
        slices = self.rearranged.slices(A, self.long_row) if layout == "aligned" else None
        rows = PULL[balance] if slices is None else "InterleavedRows"
        return self.pulled(node.shape[0], node.dtype, u, A, mask, algebra, rows, slices)

    def pieces(self, A: DeviceMatrix, piece: int) -> tuple[int, Any, Any]:
        """The rows with more than ``piece`` entries, in pieces of so many: the number of pieces,
        and the row and the first entry of each. Found once for each matrix; waits then."""
        known = A.pattern
        if piece not in known.pieces:
            longest, count, rows, firsts = known.max_degree, 0, None, None
            if longest is None or longest > piece:
                count, longest, rows, firsts = self._in_pieces(A, piece)  # synchronize!
            known.pieces[piece], known.max_degree = (count, rows, firsts), longest
        return known.pieces[piece]

    def pulled(
        self, size: int, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, mask: Bits,
        algebra: str, rows: str, slices: Slices | None = None,
    ) -> DeviceVector:  # fmt: skip
        """A pull: each position that the mask wants folds the products over its row of A."""
        result = DeviceVector.allocated(self.device, size, dtype)
        entries = A.arrays() if slices is None else (A.indptr, *slices[1:], A.stride)
        self.backend.launch(
            PULL_CUH, algebra, f"pull<Semiring, {rows}>", result.size, np.int32(result.size),
            entries, (u.present, u.values), mask, (result.bits, result.values),
            np.int32(self.long_row), None if slices is None else slices.begins,
        )  # fmt: skip
        self._pull_long(result, u, A, mask, algebra)
        return result

    def tight(
        self, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, algebra: str, rows: str,
        lightest: DeviceArray, stored: Stored,
    ) -> DeviceVector:  # fmt: skip
        """A pull along tight edges that tests the lightest entry of each row first. If the entries
        ``stored`` are sorted by value, the others are found by binary search."""
        result = DeviceVector.allocated(self.device, u.size, dtype)
        if stored.is_sorted:
            self.backend.launch(
                TIGHT_EDGES, algebra, f"seek_tight<Semiring, {stored.kind}>", u.size,
                np.int32(u.size), lightest, (A.indptr, *stored.arrays), (u.present, u.values),
                (result.bits, result.values),
            )  # fmt: skip
            return result
        self.backend.launch(
            TIGHT_EDGES, algebra, f"pull_tight<Semiring, {rows}>", u.size, np.int32(u.size),
            lightest, A.arrays(), (u.present, u.values), (result.bits, result.values),
            np.int32(self.long_row),
        )  # fmt: skip
        self._pull_long(result, u, A, (u.present, np.uint32(0)), algebra)
        return result

    def _pull_long(
        self, made: DeviceVector, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str
    ) -> None:
        count, hubs = self.long_rows(A)
        if count:
            self.backend.launch(
                PULL_CUH, algebra, "pull_long<Semiring>", count * self.device.block_size,
                np.int32(count), hubs, A.arrays(), (u.present, u.values), mask,
                (made.bits, made.values),
            )  # fmt: skip

    def long_rows(self, A: DeviceMatrix) -> tuple[int, Any]:
        """The number of rows that are too long for a warp, and a list of them. Found once for each
        matrix; waits then."""
        known = A.pattern
        longest = A.nnz if known.max_degree is None else known.max_degree
        if longest <= self.long_row:
            return 0, None
        if known.long_rows is None:
            count, longest, rows, _ = self._in_pieces(A, self.long_row, A.nnz or 1)  # synchronize!
            known.long_rows, known.max_degree = (count, rows), longest
        return known.long_rows

    def bound_rows(self, A: DeviceMatrix, enough: int) -> int:
        """An upper bound on the length of the rows of A: that of the longest, or the number of
        columns if that is at most ``enough``. If it is not known it is counted once for each
        matrix, with a wait."""
        known = A.pattern
        if known.max_degree is None and A.shape[1] <= enough:
            known.max_degree = A.shape[1]
        if known.max_degree is None:
            self.pieces(A, self.piece)  # synchronize!
        assert known.max_degree is not None
        return known.max_degree

    def count_pieces(self, A: DeviceMatrix, piece: int) -> int:
        """The number of pieces of so many entries in longer rows of A. Waits."""
        return self._in_pieces(A, piece)[0]  # synchronize!

    def _in_pieces(
        self, A: DeviceMatrix, longest: int, piece: int | None = None
    ) -> tuple[int, int, Any, Any]:
        """The rows with more than ``longest`` entries in pieces of ``piece`` (by default
        ``longest``): the number of pieces, the length of A's longest row, and the row and the first
        entry of each piece. Waits."""
        piece = piece or longest
        room = A.nnz // (longest + 1) + A.nnz // piece + 1  # the last piece of a row may be short
        rows, firsts = self.device.empty(room, INDEX), self.device.empty(room, A.offset)
        totals = self.device.zeros(2, np.uint64)
        name = f"find_pieces<{types.c_name(A.offset)}>"
        self.backend.launch(
            ROW_PIECES, "", name, A.shape[0], np.int32(A.shape[0]), A.indptr, np.int32(longest),
            A.offset.type(piece), rows, firsts, totals,
        )  # fmt: skip
        count, most = self.device.download(totals).tolist()  # synchronize!
        return count, most, rows, firsts

    def _rows(self, node: Reduce, mask: Bits) -> DeviceVector:
        """⊕ over each row: a pull from a full vector that ⊗ does not read."""
        A, transposed = self.backend.matrices.operand(node.operand)
        if transposed and A.transposed is None and A.shape[0] <= direction.SHORT_ROW:
            return self._columns(node, A, mask)
        A = self.backend.matrices.transpose(A) if transposed else A
        semiring = Semiring(node.monoid, BINARY["first"])
        full = DeviceVector(A.shape[1], A.dtype, full=True)
        full.values = None  # type: ignore[assignment]  # it is not read
        if A.walks_packed(reads_values=True):
            return self.packed.compute(semiring, full, A, mask, False, node.dtype)
        algebra = lower.semiring_struct(semiring, A.dtype, A.dtype, A.offset, False)
        early = node.monoid.ends_early(node.dtype)
        balance = direction.pull_balance(A.nnz, A.shape[0], early, A.pattern.max_degree)
        balance = self._settled(balance, A, early, direction.FREE)
        return self._pull(node, full, A, mask, algebra, balance)

    def _columns(self, node: Reduce, A: DeviceMatrix, mask: Bits) -> DeviceVector:
        """⊕ over each column of a matrix with few rows, by a push of every entry: no column is
        long, and the transpose would probably not be used again."""
        semiring = Semiring(node.monoid, BINARY["second"])
        algebra = lower.semiring_struct(semiring, A.dtype, A.dtype, A.offset, True)
        result = self._scattered(node.shape[0], node.dtype, node.monoid)
        self.backend.launch(PUSH_CUH, algebra, "push_entries<Semiring>", A.nnz,
                            A.offset.type(A.nnz), *A.arrays()[1:], mask,
                            (result.bits, result.values))  # fmt: skip
        return result

    def _settled(self, balance: str, A: DeviceMatrix, early_exit: bool, schedule: Schedule) -> str:
        """Who reads A's rows in a pull, if that depends on their length and nobody has counted it:
        rows are counted once for each matrix, with a wait, so that a long row does not keep one
        block busy."""
        free = schedule.balance is None and schedule.frontier is None and schedule.layout is None
        if balance != "thread" or early_exit or A.pattern.max_degree is not None or not free:
            return balance
        longest = self.bound_rows(A, direction.SKEWED_ROW)  # synchronize!
        return direction.pull_balance(A.nnz, A.shape[0], early_exit, longest)

    # --- entries -----------------------------------------------------------------------------
    def count(self, u: DeviceVector) -> int:
        """The number of entries. Waits if it is not known."""
        if u.count is None and u.queued is not None:
            u.count = int(self.device.download(u.queued)[0])  # synchronize!
        if u.count is None:
            self._count(u)
        assert u.count is not None
        return u.count

    def edges(self, u: DeviceVector) -> int:
        """The sum of the entries' degrees in the matrix that u is multiplied by. Waits, once for
        each vector."""
        if u.edges is None:
            self._count(u)
        assert u.edges is not None
        return u.edges

    def _count(self, u: DeviceVector) -> None:
        u.count, edges = self.device.download(self._compact(u, None)).tolist()  # synchronize!
        u.edges = None if u.multiplied_by is None else edges

    def listing(self, u: DeviceVector) -> Any:
        """A list of the entries in any order, in an array as long as the vector; ``count`` says how
        many there are."""
        if u.listing is None:
            u.listing = self.device.empty(max(1, u.size), INDEX)
            self._compact(u, u.listing)
        return u.listing

    def _compact(self, u: DeviceVector, vertices: Any) -> Any:
        A, totals = u.multiplied_by, self.device.zeros(2, np.uint64)
        offset = INDEX if A is None else A.offset
        self.backend.launch(
            COMPACTION, "", f"compact<{types.c_name(offset)}>", -(-u.size // 32),
            np.int32(u.size), u.bits, None if A is None else A.indptr, vertices, totals,
        )  # fmt: skip
        return totals
