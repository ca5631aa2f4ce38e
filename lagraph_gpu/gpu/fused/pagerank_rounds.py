"""The rounds of PageRank: a product, its sum, and one pass over the vertices; or all rounds in one
kernel, if rows are short and few (pagerank_rounds.cuh).

The pass (pagerank_round.cuh) distributes the probability that no edge carries, computes what each
vertex passes on in the next round, and sums the changes of this one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants, lower
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import EVERYWHERE, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.gpu.storage.matrix_storage import KEPT
from lagraph_gpu.notation import Scalar, Vector
from lagraph_gpu.notation.expressions import Apply, Product
from lagraph_gpu.planning.trace import explaining
from semirings import BINARY, MONOIDS, plus_first, types
from semirings.types import FP64

PAGERANK_ROUND = "fused/pagerank_round.cuh"
PAGERANK_ROUNDS = "fused/pagerank_rounds.cuh"

PAGERANK_BLOCK = constants.PAGERANK_BLOCK
"""The largest number of threads in a block of the kernel of all rounds."""

LONGEST = 64
"""All rounds are in one kernel if no row has more entries."""

MOST_ENTRIES = 1 << 24
"""They are if there are no more entries than this. On an H200 one kernel took 0.14 to 0.72 of the
time of a kernel for each step, on roads, lattices and uniform graphs of half a million to 15
million entries; larger graphs were not measured."""

SHORT_REASON = (
    "a round over rows so short is less work for the device than its launches for the host"
)

AT_ONCE = 1 << 10
"""The number of rounds of a launch, at most, so that Ctrl-C ends a long call."""

PLUS = MONOIDS["plus"]
SUM = lower.monoid_struct(PLUS, FP64)


class PageRankRounds(BackendPart):
    """Lowers ``pagerank_rounds``. The fields are for tests and measurements."""

    most_entries = MOST_ENTRIES
    blocks = 4
    """The number of blocks for each multiprocessor, at most, of the kernel of all rounds."""

    def pagerank_rounds(
        self, start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
    ) -> Vector:
        """All rounds use two vectors in turn: that of the start, and a second one."""
        backend, n, kind = self.backend, start.size, types.c_name(start.dtype)
        rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
        incoming = self._short_rows(google.A) if rounds.max_rounds else None
        if incoming is not None and self._in_one_kernel(incoming, google, rounds):
            return rounds.x
        A, _ = backend.matrices.operand(google.A)
        layout = _readable(A)
        if layout is not None:
            A = layout.matrix
            google = GoogleMatrix(*(self._entered(part, layout) for part in google))
            rounds.x = start = self._entered(start, layout)
        share = BINARY["times"](start & google.rate).new()
        product: Product[Vector] = Product(share, google.A, google.along)
        shares = self._full(share)
        sink, rate = self._full(google.sink).values, self._full(google.rate).values
        teleport = None if google.teleport is None else self._full(google.teleport).values
        rows_go_out = not reads_wide(google, A, start.dtype)
        if not rows_go_out:
            A = self._narrowed(backend.matrices.transpose(A), start.dtype)
        for x, old in rounds:
            moved = backend.products.multiply(product, shares, A, EVERYWHERE, rows_go_out)
            made, before, change = self._full(x), self._full(old), backend.device.empty(2, FP64)
            backend.launch(
                PAGERANK_ROUND, SUM, f"share_remainder<Monoid, {kind}>", n, np.int32(n),
                moved.present, moved.values, self._mass(moved), np.float64(google.whole), sink,
                teleport, rate, before.values, made.values, shares.values,
                *backend.reductions.scratch(FP64), change, blocks=backend.reductions.blocks(n),
            )  # fmt: skip
            rounds.summed = Scalar(FP64, backend=backend)
            rounds.summed.put(backend.reductions.awaited(change, True))
        return rounds.x if layout is None else self._restored(rounds.x, layout)

    def _entered(self, part: Any, layout: Layout) -> Any:
        """A vector in the numbers of the copy; what is no vector stays."""
        if not isinstance(part, Vector):
            return part
        x = self.backend.layouts.entered(self._full(part), layout, plus_first)
        return self.backend.as_vector(x)

    def _restored(self, v: Vector, layout: Layout) -> Vector:
        """A vector in the numbers of the matrix."""
        x, _ = self.backend.layouts.restored(self._full(v), None, layout, plus_first, None)
        return self.backend.as_vector(x)

    def _short_rows(self, of: Any) -> DeviceMatrix | None:
        """The in-edges by rows, if one kernel does all rounds over them. Waits once a matrix."""
        store, transposed = self.backend.matrices.operand(of)
        if not 0 < store.nnz <= self.most_entries or store.packed is not None:
            return None
        incoming = store if transposed else self.backend.matrices.transpose(store)
        short = self.backend.products.bound_rows(incoming, LONGEST) <= LONGEST  # synchronize!
        return incoming if short and incoming.dtype.kind in "biuf" else None

    def _in_one_kernel(
        self, incoming: DeviceMatrix, google: GoogleMatrix, rounds: FixedPoint
    ) -> bool:
        """All rounds, the last of which leaves its distribution in ``rounds.x``. False if no kernel
        can be resident. Waits for the last change, if there is a bound."""
        device, n, start = self.device, rounds.x.size, rounds.x
        if reads_wide(google, incoming, start.dtype):
            incoming = self._narrowed(incoming, start.dtype)
        shares = self._full(BINARY["times"](start & google.rate).new())
        sink, rate = self._full(google.sink).values, self._full(google.rate).values
        teleport = None if google.teleport is None else self._full(google.teleport).values
        store = self._full(start)
        now, following = store.values, device.empty(n, start.dtype)
        bound, weighted = rounds.bound, google.along.reads_right
        offset, entry, rank = map(types.c_name, (incoming.offset, incoming.dtype, start.dtype))
        name = f"pagerank_rounds<{offset}, {entry}, {str(weighted).lower()}, {rank}>"
        done, stop = 0, device.stopwatch() if explaining() else None
        while done < rounds.max_rounds:
            some, outcome = min(rounds.max_rounds - done, AT_ONCE), device.empty(2, FP64)
            fits = self.backend.launch_resident(
                PAGERANK_ROUNDS, "", name, PAGERANK_BLOCK, np.int32(n), incoming.arrays(),
                np.float64(google.whole), sink, teleport, rate,
                np.float64(-1 if bound is None else bound), np.int32(some), now, following,
                shares.values, device.empty(2 * device.max_blocks, FP64), device.zeros(1, WORD),
                outcome, each=self.blocks,
            )  # fmt: skip
            if not done:
                record_fit("PageRank", fits, SHORT_REASON, stop)
            if not fits:
                return False
            if bound is not None:
                ran, change = device.download(outcome).tolist()  # synchronize!
                some, rounds.change = int(ran), change
            done += some
            if some % 2:
                now, following = following, now
            if bound is None:
                continue
            if rounds.change <= bound:
                break
            if done == rounds.max_rounds or not math.isfinite(rounds.change):
                raise rounds.failure(done)
        made = DeviceVector(n, start.dtype, store.bits, now, full=True)
        rounds.x = self.backend.as_vector(made)
        return True

    def _narrowed(self, incoming: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        """The in-edges with weights of this type, which are kept beside the wide ones if there is
        room."""
        if incoming.in_fp32 is None and dtype.itemsize * incoming.nnz <= self.device.free_bytes:
            incoming.in_fp32 = self.backend.matrices.cast(incoming, dtype)
            KEPT.add(incoming)
        return incoming if incoming.in_fp32 is None else incoming.in_fp32

    def _mass(self, moved: DeviceVector) -> DeviceArray:
        """The sum of what the edges carry in FP64, and whether there is any."""
        if moved.dtype != FP64:
            moved = Apply(self.backend.as_vector(moved), lower.IDENTITY).new(FP64)._store
        return self.backend.reductions.folded(moved, PLUS)

    def _full(self, v: Vector) -> DeviceVector:
        """The store of a vector; if it is not full, its entries become 0 everywhere."""
        store = self.backend.vector(v)
        if not store.full:
            v << 0.0
            store = self.backend.vector(v)
        return store


def _readable(A: DeviceMatrix) -> Layout | None:
    """The layout if the rows of its copy, and those of the transpose, are there and not packed.
    None if only the matrix has panels: for those of the copy memory may not suffice."""
    layout = A.layout
    if layout is None or layout.matrix.packed is not None or layout.matrix.transposed is None:
        return None
    return None if _has_panels(A) and not _has_panels(layout.matrix) else layout


def _has_panels(A: DeviceMatrix) -> bool:
    """True if products with the in-edges have panels."""
    incoming = A.transposed
    return incoming is not None and bool(incoming.pulls.panels or incoming.pattern.pulls.panels)


def reads_wide(google: GoogleMatrix, A: DeviceMatrix, dtype: np.dtype) -> bool:
    """True if rounds would read weights of more bytes than ranks of this type."""
    wide = A.dtype.itemsize > dtype.itemsize and not A.iso and A.packed is None
    return wide and google.along.reads_right
