"""The rounds of PageRank: a product, its sum, and one pass over the vertices; or all rounds in one
kernel, if there are few entries (pagerank_rounds.cuh).

The pass (pagerank_round.cuh) distributes the probability that no edge carries, computes what each
vertex passes on in the next round, and sums the changes of this one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import EVERYWHERE, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.gpu.storage.matrix_storage import KEEPERS
from lagraph_gpu.notation import Scalar, Vector
from lagraph_gpu.notation.expressions import Apply, Product
from semirings import BINARY, MONOIDS, plus_first, types
from semirings.types import FP64

PAGERANK_ROUND = "fused/pagerank_round.cuh"
PAGERANK_ROUNDS = "fused/pagerank_rounds.cuh"

MOST_ENTRIES = 1 << 24
"""All rounds are in one kernel if there are no more entries than this, and no row is long
(``LONGEST`` of resident_rounds.py). On an H200 one kernel took 0.14 to 0.72 of the time of a kernel
for each step, on roads, lattices and uniform graphs of half a million to 15 million entries; larger
graphs were not measured."""

MOST_EVEN = 1 << 23
"""The largest number of entries where a row is longer. On an H200 7.6 million took 0.3 of the time
of a kernel for each step (decision 0324, docs/decisions/spmv.md)."""

NARROWED = "weights in FP32"
"""Under this key a matrix keeps a copy with narrow weights."""

PLUS = MONOIDS["plus"]
SUM = lower.monoid_struct(PLUS, FP64)


class PageRankRounds(BackendPart):
    """Lowers ``pagerank_rounds``. The fields are for tests and measurements."""

    most_entries, most_even = MOST_ENTRIES, MOST_EVEN

    def pagerank_rounds(
        self, start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
    ) -> Vector:
        """All rounds use two vectors in turn: that of the start, and a second one."""
        backend, n, kind = self.backend, start.size, types.c_name(start.dtype)
        rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
        if self._in_one_kernel(google, rounds):
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

    def _in_one_kernel(self, google: GoogleMatrix, rounds: FixedPoint) -> bool:
        """All rounds, the last of which leaves its distribution in ``rounds.x``. False if the
        matrix is not for one kernel, or none can be resident. Waits for the last change, if there
        is a bound, and once a matrix."""
        store, transposed = self.backend.matrices.operand(google.A)
        if not rounds.max_rounds or store.nnz > self.most_entries or store.packed is not None:
            return False
        start, resident = rounds.x, self.backend.resident_rounds
        incoming = store if transposed else self.backend.matrices.transpose(store)
        wanted = google.along.reads_right, self.most_entries, self.most_even
        given = resident.matrices([incoming], *wanted)  # synchronize!
        if given is not None and reads_wide(google, incoming, start.dtype):
            given = resident.matrices([self._narrowed(incoming, start.dtype)], *wanted)
        if given is None:
            return False
        shares = self._full(BINARY["times"](start & google.rate).new())
        sink, rate = self._full(google.sink).values, self._full(google.rate).values
        teleport = None if google.teleport is None else self._full(google.teleport).values
        x = self.device.copy(self._full(start).values)
        kind = given._replace(kinds=f"{given.kinds}, {types.c_name(start.dtype)}")
        if not resident.run(
            rounds, "PageRank", PAGERANK_ROUNDS, "pagerank_rounds", kind,
            (np.float64(google.whole), sink, teleport, rate),
            (x, self.device.zeros(start.size, start.dtype), shares.values), start.dtype,
        ):  # fmt: skip
            return False
        rounds.x = self.backend.as_vector(
            DeviceVector(start.size, start.dtype, self._full(start).bits, x, full=True)
        )
        return True

    def _narrowed(self, incoming: DeviceMatrix, dtype: np.dtype) -> DeviceMatrix:
        """The in-edges with weights of this type, which are kept beside the wide ones if there is
        room."""
        narrow: DeviceMatrix | None = incoming.copies.get(NARROWED)
        if narrow is None and dtype.itemsize * incoming.nnz <= self.device.free_bytes:
            narrow = incoming.copies[NARROWED] = self.backend.matrices.cast(incoming, dtype)
            KEEPERS.add(incoming)
        return incoming if narrow is None else narrow

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
