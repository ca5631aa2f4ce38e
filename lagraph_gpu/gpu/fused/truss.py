"""Trusses: triangles are counted once, and edges removed in rounds (see truss.cuh).

If removing the first edges would read more than counting triangles did, the edges that are left are
stored anew and their triangles counted again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.device import BackendPart, constants
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, words
from lagraph_gpu.gpu.storage.matrix_storage import Kept
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.planning.trace import explaining, record_choice
from semirings import types

TRUSS = "fused/truss.cuh"

KERNELS = (
    "mark_leading", "edge_supports", "queue_weak", "mark_gone", "remove_edges",
    "small_truss_rounds", "mark_strong",
)  # fmt: skip

EDGES_OF_ONE_BLOCK = 64
"""Rounds of at most so many edges are left to one block, which waits for no other. Not yet
measured."""

REMOVAL_COST = 1
"""Edges are removed one by one if that reads at most so many times the columns that counting
read."""

REASON = "{counts} counts of all triangles, {rounds} rounds in which {removed} edges go"


class Trusses(BackendPart):
    """Lowers ``truss``. The fields are for tests."""

    few, removal_cost = EDGES_OF_ONE_BLOCK, REMOVAL_COST

    def truss(self, G: Graph, least: int) -> Matrix | None:
        """None for hypersparse containers, and without edges. Waits three times, and once for each
        large round."""
        if G.n >= self.backend.hypersparse.limit or least < 1:
            return None
        rows = self.backend.matrices.plain(G.neighbours)
        c, counted, rounds, removed = types.c_name(rows.offset), 0, 0, 0
        if rows.nnz and (TRUSS, "", f"{KERNELS[0]}<{c}>") not in self.backend.kernels:
            self.backend.compile_ahead((TRUSS, "", f"{kernel}<{c}>") for kernel in KERNELS)
        while rows.nnz:
            counted += 1
            round_ = _Removal(self, rows, min(least, 2**31))
            weak, queued, dear = round_.count()
            if weak == 0:
                break
            if not dear:
                rounds, removed = round_.remove(queued)
            rows = round_.rest()
            if not dear:
                break
        if explaining():
            record_choice(
                "a truss", "triangles are counted once, and edges removed in rounds", REASON,
                counts=counted, rounds=rounds, removed=removed,
            )  # fmt: skip
        return self.backend.as_matrix(rows)


class _Removal:
    """The edges of a symmetric matrix without loops, and their supports."""

    def __init__(self, part: Trusses, rows: DeviceMatrix, least: int) -> None:
        self.part, self.backend, self.device, self.rows = part, part.backend, part.device, rows
        self.c, self.n, nnz = types.c_name(rows.offset), np.int32(rows.shape[0]), rows.nnz
        self.leading = self.marked(
            "mark_leading", rows.offset.type(nnz), self.n, rows.indptr, rows.indices
        )
        self.edges = self.backend.matrices.moved(rows, self.leading)
        m = self.edges.nnz
        self.m, self.support = rows.offset.type(m), self.device.zeros(max(1, m), WORD)
        self.counts = self.device.zeros(4, COUNT)
        self.of_edges: tuple[Any, ...] = (
            rows.indptr, rows.indices, self.edges.indptr, self.edges.indices, self.support,
            self.device.zeros(max(1, m), WORD), self.device.empty(max(1, m), rows.offset),
            self.counts, self.n, np.uint32(least),
        )  # fmt: skip

    def launch(self, kernel: str, work: int, *args: Any, blocks: int | None = None) -> None:
        self.backend.launch(TRUSS, "", f"{kernel}<{self.c}>", work, *args, blocks=blocks)

    def marked(self, kernel: str, *args: Any) -> Kept:
        """The entries that a kernel marks. Waits for their number."""
        count = words(self.rows.nnz)
        bits, counts = self.device.empty(count, WORD), self.device.empty(count, self.rows.offset)
        self.launch(kernel, self.rows.nnz, *args, bits, counts)
        return Kept(bits, *self.backend.prefix_sums.total(counts, self.rows.offset))  # synchronize!

    def count(self) -> tuple[int, int, bool]:
        """The number of edges in too few triangles; how many of these are in any triangle; and
        whether their removal reads more than counting did. Waits."""
        m, edges = int(self.m), self.edges
        self.launch("edge_supports", m, self.m, self.n, edges.indptr, edges.indices, self.support,
                    self.counts[3:])  # fmt: skip
        self.launch("queue_weak", m, self.m, self.of_edges)
        queued, weak, removing, counting = self.read()
        return weak, queued, removing > self.part.removal_cost * counting

    def remove(self, end: int) -> tuple[int, int]:
        """Removes the edges of the queue, and those that fall with them: the number of rounds, and
        of these edges. Waits once for each large round."""
        begin, number = 0, 1
        while begin < end:
            count = end - begin
            small = count <= self.part.few
            first, last, round_ = COUNT.type(begin), COUNT.type(end), np.uint32(number)
            if small:
                self.backend.launch(
                    TRUSS, "", f"small_truss_rounds<{self.c}>", 0, first, last, round_,
                    COUNT.type(self.part.few), self.of_edges, blocks=1,
                    threads=min(constants.TRUSS_BLOCK, self.device.cooperative_block),
                )  # fmt: skip
            else:
                self.launch("mark_gone", count, first, last, round_, self.of_edges)
                self.launch("remove_edges", 32 * count, first, last, round_, self.of_edges)
            new_end, new_begin, new_number, _ = self.read()
            begin, number = (new_begin, new_number) if small else (end, number + 1)
            end = new_end
        return number - 1, end

    def read(self) -> list[int]:
        return list(map(int, self.device.download(self.counts)))  # synchronize!

    def rest(self) -> DeviceMatrix:
        """The matrix without the edges in too few triangles. Waits for their number."""
        rows, leading = self.rows, self.leading
        kept = self.marked(
            "mark_strong", rows.offset.type(rows.nnz), leading.bits, leading.ends, self.of_edges
        )
        left = self.backend.matrices.moved(rows, kept)
        left.transposed = left
        return left
