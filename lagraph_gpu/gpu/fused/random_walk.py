"""The rounds of a random walk with restart: a product, its sum, and one pass over the vertices.

The pass (walk_round.cuh) distributes the probability that no edge carries, computes what each
vertex passes on in the next round, and sums the changes of this one.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import Walk
from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.storage.vector_storage import EVERYWHERE, DeviceVector
from lagraph_gpu.notation import Scalar, Vector
from lagraph_gpu.notation.expressions import Product
from semirings import BINARY, MONOIDS
from semirings.types import FP64

WALK_ROUND = "fused/walk_round.cuh"

PLUS = MONOIDS["plus"]
SUM = lower.monoid_struct(PLUS, FP64)


class RandomWalks(BackendPart):
    """Lowers ``walked``."""

    def walked(self, start: Vector, walk: Walk, bound: float | None, max_rounds: int) -> Vector:
        """All rounds use two vectors in turn: that of the start, and a second one."""
        backend, n = self.backend, start.size
        rounds = FixedPoint("pagerank", start, walk.A, bound, max_rounds)
        share = BINARY["times"](start & walk.rate).new()
        product: Product[Vector] = Product(share, walk.A, walk.along)
        shares = self._full(share)
        sink, rate = self._full(walk.sink).values, self._full(walk.rate).values
        teleport = None if walk.teleport is None else self._full(walk.teleport).values
        A, _ = backend.matrices.operand(walk.A)
        for x, old in rounds:
            moved = backend.products.multiply(product, shares, A, EVERYWHERE)
            made, before, change = self._full(x), self._full(old), backend.device.empty(2, FP64)
            backend.launch(
                WALK_ROUND, SUM, "share_remainder<Monoid>", n, np.int32(n), moved.present,
                moved.values, backend.reductions.folded(moved, PLUS), np.float64(walk.whole), sink,
                teleport, rate, before.values, made.values, shares.values,
                *backend.reductions.scratch(FP64), change, blocks=backend.reductions.blocks(n),
            )  # fmt: skip
            rounds.summed = Scalar(FP64, backend=backend)
            rounds.summed.put(backend.reductions.awaited(change, True))
        return rounds.x

    def _full(self, v: Vector) -> DeviceVector:
        """The store of a vector; if it is not full, its entries become 0 everywhere."""
        store = self.backend.vector(v)
        if not store.full:
            v << 0.0
            store = self.backend.vector(v)
        return store
