"""Products of a vector and a matrix: the plan, push and pull, and counts of a vector's entries.

A push walks the bitmap of its vector, so that nobody makes a list or counts before it; only a
schedule that names a balance has one of the classical kernels on a list.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.expr import Expression, Product, Reduce
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.even import EvenPull
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.plan import Facts, Plan, alpha, choose, pull_balance
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import cost, explaining, laws_of, record, recording, tell, took
from semirings import types
from semirings.algebra import Monoid, Semiring
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

LONG_ROW = 1024
"""A row of more entries is pulled by a block of its own."""

PIECE = 128
"""A row of more entries is pushed in pieces of so many, each by a warp in four turns."""

FREE = Schedule()
FIXED = ("push", "pull")
start_of = functools.cache(Monoid.start)

PUSH = {"thread": "ThreadPerVertex", "warp": "WarpPerVertex", "search": "SearchEdges"}
PULL = {"thread": "ThreadPerRow", "warp": "WarpPerRow", "search": "WarpPerRow"}
"""For "search" within a closure; else EvenPull has it."""


class Products:
    """Computes u ⊕.⊗ A and A ⊕.⊗ u under a mask, into a fresh vector."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.even, self.long_row, self.piece = EvenPull(backend), LONG_ROW, PIECE

    def compute(self, node: Expression, mask: Bits, schedule: Schedule | None) -> DeviceVector:
        if isinstance(node, Reduce):
            return self._rows(node, mask)
        assert isinstance(node, Product)
        vector_left = node.kind == "vxm"
        left, right = (node.left, node.right) if vector_left else (node.right, node.left)
        u, (A, transposed) = self.backend.vector(left), self.backend.matrices.operand(right)
        rows_go_out = vector_left != transposed  # else A's rows hold the in-edges of the result
        u.meets(A if rows_go_out else A.transposed)
        incoming = A.transposed if rows_go_out else A
        schedule = schedule or FREE
        plan, facts = self._plan(node, u, A, incoming, schedule)
        algebra = lower.semiring_struct(node.semiring, u.dtype, A.dtype, A.offset, vector_left)
        if recording():
            edges = A.nnz if u.multiplied_by is None or u.full else self.edges(u)
            self.count(u)
        stop = self.device.stopwatch() if explaining() else None
        if plan.direction == "push":
            outgoing = A if rows_go_out else self.backend.matrices.transpose(A)
            made = self._push(node, u, outgoing, mask, algebra, schedule.balance)
        else:
            incoming = self.backend.matrices.transpose(A) if rows_go_out else A
            made = self._pull(node, u, incoming, mask, algebra, plan.balance)
        made.multiplied_by = u.multiplied_by if made.size == u.size else None
        if stop is not None:
            self._explain(node, u, A, mask, plan, facts, edges, made, stop())  # synchronize!
        elif recording():
            record(plan.direction, self.count(u), edges)
        return made

    def _explain(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, mask: Bits, plan: Plan,
        facts: Facts, edges: int, made: DeviceVector, microseconds: float | None,
    ) -> None:  # fmt: skip
        """The choice and the step, measured; waits for the number of entries found."""
        ring, found = node.semiring, self.count(made)
        tell(f"product {ring.name}", plan.direction, plan.law, facts, laws_of(ring, node.dtype),
             alpha=alpha(facts.early_exit), balance=plan.balance)  # fmt: skip
        took(microseconds)
        part = facts.early_exit or mask[0] is not None
        looked = edges if plan.direction == "push" else found if part else A.nnz
        values = None if A.iso else A.dtype
        price = cost(ring, u.dtype, values, made.dtype, INDEX.itemsize, A.offset.itemsize)
        record(plan.direction, self.count(u), edges, looked=looked, microseconds=microseconds,
               bytes=price.of(looked, self.count(u), found))  # fmt: skip

    def _plan(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, incoming: DeviceMatrix | None,
        schedule: Schedule,
    ) -> tuple[Plan, Facts]:  # fmt: skip
        """The plan, and from what. The frontier's edges are counted, with a wait, only where their
        number decides: not where the direction is fixed, and not where a push is right for as many
        as there may be.
        """
        outgoing, count, edges = u.multiplied_by, u.count, u.edges
        longest = None if outgoing is None else outgoing.max_degree
        known = edges is not None or u.full or outgoing is None or schedule.direction in FIXED
        if edges is None:
            edges = A.nnz
            if count is not None and longest is not None:
                edges = min(edges, count * longest)
        if count is None:
            count = u.size

        def chosen(frontier: int, edges: int) -> tuple[Plan, Facts]:
            gathered = None if incoming is None else incoming.max_degree
            facts = Facts(frontier, edges, node.shape[0], A.nnz, node.early_exit, longest, gathered)
            return choose(facts, schedule), facts

        plan, facts = chosen(count, edges)
        if known or plan.direction == "push":
            return plan, facts
        return chosen(self.count(u), self.edges(u))

    def _push(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str,
        balance: str | None,
    ) -> DeviceVector:  # fmt: skip
        """Along the rows of A: from u's bitmap, or as the schedule says from a list."""
        u.meets(A)
        if u.count == 0:
            return DeviceVector(node.shape[0], node.dtype, count=0, device=self.device)
        made = DeviceVector.empty(self.device, node.shape[0], node.dtype)
        if not node.semiring.monoid.is_any:
            made = DeviceVector.allocated(self.device, made.size, made.dtype)
            start = start_of(node.semiring.monoid, made.dtype)
            self.backend.launch("push.cuh", "", f"prepare<{types.c_name(made.dtype)}>", made.size,
                                np.int32(made.size), start, made.bits, made.values)  # fmt: skip
        if balance is None:
            pieces, rows, firsts = self.pieces(A)
            self.backend.launch(
                "push.cuh", algebra, "push_marked<Semiring>", u.size, np.int32(u.size), u.bits,
                np.int32(self.piece), np.int32(pieces), rows, firsts, u.values, *A.arrays(), *mask,
                made.bits, made.values,
            )  # fmt: skip
            return made
        (vertices, degrees), count, ends = self.listing(u), self.count(u), None
        if count == 0:
            return made
        work = count * 32 if balance == "warp" else count
        if balance == "search":
            ends, work = self.device.empty(count, np.int64), self.edges(u)
            self.device.cumsum(degrees, ends)
        self.backend.launch(
            "push.cuh", algebra, f"push<Semiring, {PUSH[balance]}>", work, np.int32(count),
            vertices, ends, u.values, *A.arrays(), *mask, made.bits, made.values,
        )  # fmt: skip
        return made

    def _pull(
        self, node: Any, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str, balance: str
    ) -> DeviceVector:
        if balance == "search":
            return self.even.compute(node, u, A, mask, algebra)
        return self.pulled(node.shape[0], node.dtype, u, A, mask, algebra, PULL[balance])

    def pieces(self, A: DeviceMatrix) -> tuple[int, Any, Any]:
        """The rows too long for a push, in pieces; found once for each matrix."""
        if A.pieces is None:
            A.pieces = 0, None, None
            if A.max_degree is None or A.max_degree > self.piece:
                count, longest, rows, firsts = self._in_pieces(A, self.piece)  # synchronize!
                A.pieces = count, rows, firsts
                A.max_degree = A.max_degree or max(self.piece, longest)
        return A.pieces

    def pulled(
        self, size: int, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, mask: Bits,
        algebra: str, rows: str,
    ) -> DeviceVector:  # fmt: skip
        """What each wanted position gathers over its row of A."""
        made = DeviceVector.allocated(self.device, size, dtype)
        self.backend.launch(
            "pull.cuh", algebra, f"pull<Semiring, {rows}>", made.size, np.int32(made.size),
            *A.arrays(), u.present, u.values, *mask, made.bits, made.values,
            np.int32(self.long_row),
        )  # fmt: skip
        count, hubs = self.long_rows(A)
        if count:
            self.backend.launch(
                "pull.cuh", algebra, "pull_long<Semiring>", count * self.device.block_size,
                np.int32(count), hubs, *A.arrays(), u.present, u.values, *mask, made.bits,
                made.values,
            )  # fmt: skip
        return made

    def long_rows(self, A: DeviceMatrix) -> tuple[int, Any]:
        """The rows too long for a warp; found once for each matrix."""
        if A.max_degree is not None and A.max_degree <= self.long_row:
            return 0, None
        if A.long_rows is None:
            rows = self.device.empty(A.nnz // self.long_row + 1, INDEX)
            totals = self.device.zeros(1, np.uint64)
            name = f"find_long<{types.c_name(A.offset)}>"
            self.backend.launch("compact.cuh", "", name, A.shape[0], np.int32(A.shape[0]), A.indptr,
                                np.int32(self.long_row), rows, totals)  # fmt: skip
            A.long_rows = int(self.device.download(totals)[0]), rows  # synchronize!
        return A.long_rows

    def bound_rows(self, A: DeviceMatrix, enough: int) -> int:
        """What no row of A is longer than: its longest row, or ``enough`` if that is not more.
        Where nobody has counted, it is found out once for each matrix."""
        if A.max_degree is None:
            columns = A.shape[1]
            longest = 0 if columns <= enough else self._in_pieces(A, enough)[1]  # synchronize!
            A.max_degree = max(min(enough, columns), longest)
        return A.max_degree

    def _in_pieces(self, A: DeviceMatrix, piece: int) -> tuple[int, int, Any, Any]:
        """The rows of more entries in pieces of so many: how many pieces, the longest such row, and
        the row and the first entry of each piece."""
        room = 2 * A.nnz // piece + 1  # more than one piece each: half are whole
        rows, firsts = self.device.empty(room, INDEX), self.device.empty(room, A.offset)
        totals = self.device.zeros(2, np.uint64)
        name = f"find_pieces<{types.c_name(A.offset)}>"
        self.backend.launch("compact.cuh", "", name, A.shape[0], np.int32(A.shape[0]), A.indptr,
                            np.int32(piece), rows, firsts, totals)  # fmt: skip
        count, longest = self.device.download(totals).tolist()  # synchronize!
        return count, longest, rows, firsts

    def _rows(self, node: Reduce, mask: Bits) -> DeviceVector:
        """⊕ over each row: a pull from a full vector that ⊗ does not read."""
        A, transposed = self.backend.matrices.operand(node.operand)
        A = self.backend.matrices.transpose(A) if transposed else A
        semiring = Semiring(node.monoid, BINARY["first"])
        algebra = lower.semiring_struct(semiring, A.dtype, A.dtype, A.offset, False)
        full = DeviceVector(A.shape[1], A.dtype, full=True)
        full.values = None  # type: ignore[assignment]  # nobody reads it
        early = node.monoid.ends_early(node.dtype)
        balance = pull_balance(A.nnz, A.shape[0], early, A.max_degree)
        return self._pull(node, full, A, mask, algebra, balance)

    # --- entries -----------------------------------------------------------------------------
    def count(self, u: DeviceVector) -> int:
        """The number of entries; waits where nobody knows it."""
        if u.count is None:
            self._count(u)
        assert u.count is not None
        return u.count

    def edges(self, u: DeviceVector) -> int:
        """The sum of the entries' degrees in the matrix that u met; waits, once for each."""
        if u.edges is None:
            self._count(u)
        assert u.edges is not None
        return u.edges

    def _count(self, u: DeviceVector) -> None:
        totals = self._compact(u, None, None)
        u.count, edges = self.device.download(totals).tolist()  # synchronize!
        u.edges = None if u.multiplied_by is None else edges

    def listing(self, u: DeviceVector) -> tuple[Any, Any]:
        """The entries in any order, and their degrees in the matrix that u met, if there is one."""
        if u.listing is None:
            room, met = max(1, self.count(u)), u.multiplied_by is not None
            vertices = self.device.empty(room, INDEX)
            degrees = self.device.empty(room, np.int64) if met else None
            self._compact(u, vertices, degrees)
            u.listing = vertices, degrees
        return u.listing

    def _compact(self, u: DeviceVector, vertices: Any, degrees: Any) -> Any:
        A, totals = u.multiplied_by, self.device.zeros(2, np.uint64)
        offset = INDEX if A is None else A.offset
        self.backend.launch(
            "compact.cuh", "", f"compact<{types.c_name(offset)}>", -(-u.size // 32),
            np.int32(u.size), u.bits, None if A is None else A.indptr, vertices, degrees, totals,
        )  # fmt: skip
        return totals
