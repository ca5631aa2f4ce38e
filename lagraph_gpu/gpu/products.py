"""Products of a vector and a matrix: the frontier's list, the plan, push and pull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.expr import Expression, Product, Reduce
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.even import EvenPull
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector, Listing
from lagraph_gpu.plan import Facts, choose, pull_balance
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import record
from semirings import types
from semirings.algebra import Semiring
from semirings.operators import BINARY

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits, GpuBackend

LONG_ROW = 1024
"""A row of more entries is pulled by a block of its own."""

PUSH = {"thread": "ThreadPerVertex", "warp": "WarpPerVertex", "search": "SearchEdges"}
PULL = {"thread": "ThreadPerRow", "warp": "WarpPerRow", "search": "WarpPerRow"}
"""For "search" within a closure; else EvenPull has it."""


class Products:
    """Computes u ⊕.⊗ A and A ⊕.⊗ u under a mask, into a fresh vector."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.even, self.long_row = EvenPull(backend), LONG_ROW

    def compute(self, node: Expression, mask: Bits, schedule: Schedule | None) -> DeviceVector:
        if isinstance(node, Reduce):
            return self._rows(node, mask)
        assert isinstance(node, Product)
        vector_left = node.kind == "vxm"
        left, right = (node.left, node.right) if vector_left else (node.right, node.left)
        u, (A, transposed) = self.backend.vector(left), self.backend.matrices.operand(right)
        rows_go_out = vector_left != transposed  # else A's rows hold the in-edges of the result
        u.multiplied_by = A if rows_go_out else A.transposed
        incoming = A.transposed if rows_go_out else A
        facts = self._facts(node, u, A, incoming)
        plan = choose(facts, schedule)
        algebra = lower.semiring_struct(node.semiring, u.dtype, A.dtype, A.offset, vector_left)
        record(plan.direction, facts.frontier, facts.frontier_edges)
        if plan.direction == "push":
            outgoing = A if rows_go_out else self.backend.matrices.transpose(A)
            made = self._push(node, u, outgoing, mask, algebra, PUSH[plan.balance])
        else:
            incoming = self.backend.matrices.transpose(A) if rows_go_out else A
            made = self._pull(node, u, incoming, mask, algebra, plan.balance)
        made.multiplied_by = u.multiplied_by if made.size == u.size else None
        return made

    def _facts(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, incoming: DeviceMatrix | None
    ) -> Facts:
        """What the plan depends on. A full vector needs no list of its entries, and no wait."""
        outgoing, count, edges = u.multiplied_by, u.size, A.nnz
        if not u.full:
            listing = self.listing(u)
            outgoing, count = listing.matrix, listing.count
            edges = A.nnz if outgoing is None else listing.edges
        return Facts(
            frontier=count,
            frontier_edges=edges,
            nrows=node.shape[0],
            nedges=A.nnz,
            early_exit=node.early_exit,
            max_degree=None if outgoing is None else outgoing.max_degree,
            longest=None if incoming is None else incoming.max_degree,
        )

    def _push(
        self, node: Product, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str, rows: str
    ) -> DeviceVector:
        u.multiplied_by = A
        frontier = self.listing(u)
        made = DeviceVector.empty(self.device, node.shape[0], node.dtype)
        if not node.semiring.monoid.is_any:
            start = node.semiring.monoid.start(node.dtype)
            made.values = self.device.full(max(1, made.size), start, node.dtype)
        if frontier.count == 0 or frontier.edges == 0:
            return made
        ends, work = None, frontier.count
        if rows == PUSH["search"]:
            ends, work = self.device.empty(frontier.count, np.int64), frontier.edges
            self.device.cumsum(frontier.degrees[: frontier.count], ends)
        elif rows == PUSH["warp"]:
            work *= 32
        self.backend.launch(
            "push.cuh", algebra, f"push<Semiring, {rows}>", work, np.int32(frontier.count),
            frontier.vertices, ends, u.values, *A.arrays(), *mask, made.bits, made.values,
        )  # fmt: skip
        return made

    def _pull(
        self, node: Any, u: DeviceVector, A: DeviceMatrix, mask: Bits, algebra: str, balance: str
    ) -> DeviceVector:
        if balance == "search":
            return self.even.compute(node, u, A, mask, algebra)
        return self.pulled(node.shape[0], node.dtype, u, A, mask, algebra, PULL[balance])

    def pulled(
        self, size: int, dtype: np.dtype, u: DeviceVector, A: DeviceMatrix, mask: Bits,
        algebra: str, rows: str,
    ) -> DeviceVector:  # fmt: skip
        """What each wanted position gathers over its row of A."""
        made = DeviceVector.empty(self.device, size, dtype)
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

    def _rows(self, node: Reduce, mask: Bits) -> DeviceVector:
        """⊕ over each row: a pull from a full vector that ⊗ does not read."""
        A, transposed = self.backend.matrices.operand(node.operand)
        A = self.backend.matrices.transpose(A) if transposed else A
        semiring = Semiring(node.monoid, BINARY["first"])
        algebra = lower.semiring_struct(semiring, A.dtype, A.dtype, A.offset, False)
        full = DeviceVector(A.shape[1], A.dtype, None, None, full=True)  # type: ignore[arg-type]
        early = node.monoid.ends_early(node.dtype)
        balance = pull_balance(A.nnz, A.shape[0], early, A.max_degree)
        return self._pull(node, full, A, mask, algebra, balance)

    def listing(self, u: DeviceVector) -> Listing:
        """The entries of u as a list, with their degrees in the matrix it last met."""
        made = u.listing
        if made is not None and (made.matrix is u.multiplied_by or u.multiplied_by is None):
            return made
        A = u.multiplied_by
        room = max(1, u.size)
        vertices = self.device.empty(room, INDEX)
        degrees = self.device.empty(room if A is not None else 1, np.int64)
        totals = self.device.zeros(2, np.uint64)
        offset = np.dtype(np.int32) if A is None else A.offset
        self.backend.launch(
            "compact.cuh", "", f"compact<{types.c_name(offset)}>", -(-u.size // 32),
            np.int32(u.size), u.bits, None if A is None else A.indptr, vertices, degrees, totals,
        )  # fmt: skip
        count, edges = self.device.download(totals).tolist()  # synchronize!
        u.listing = Listing(vertices, degrees, count, edges, A)
        return u.listing
