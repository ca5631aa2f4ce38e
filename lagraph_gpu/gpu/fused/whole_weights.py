"""The first level of Louvain's method where weights are whole numbers: its values have 32 bits, and
are made from the weights as they are stored, which are read once."""

from __future__ import annotations

from typing import NamedTuple

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.modularity import scale
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.fused.label_argmax import MOST_VOTES, SHORT
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Scalar, Vector
from semirings import BINARY
from semirings.types import FP32, FP64, INT64

times = BINARY["times"]

SOURCES = FP32, FP64, INT64
"""The types of weights that are converted when they are read."""


class TwiceTheWeights(NamedTuple):
    """Twice the weights of an undirected graph without loops, if these are whole numbers and their
    sums in each row have room in 32 bits."""

    doubled: Matrix
    """Twice the weights (UINT32)."""
    degrees: Vector
    """The sum of the weights in each row."""
    expected: Scalar
    """The sum of the squares of these sums."""


class WholeWeights(BackendPart):
    """Lowers `scaled` and `total_weight`, and makes first levels."""

    def scaled(self, G: Graph) -> Matrix | None:
        """The weights of an undirected graph without loops, which are converted when they are
        read."""
        held: DeviceMatrix = G.A._store
        if G.directed or scale(G) != 1 or held.dtype not in SOURCES or held.iso or G.nloops:
            return None

        def converted() -> DeviceMatrix:
            return held if held.dtype == FP64 else self.backend.matrices.cast(held, FP64)

        made = DeviceMatrix.later(
            held.shape, FP64, converted, held.nnz, source=held, pattern=held.pattern
        )
        made.indptr, made.indices = held.indptr, held.indices
        return self.backend.as_matrix(made)

    def total_weight(self, A: Matrix) -> float | None:
        """The sum of weights that have not been converted, if there are many and twice each is a
        whole number. Their doubles are kept for `level`."""
        store, choices = A._store, self.backend.label_argmax
        source = store.source
        if source is None or "values" in vars(store) or store.nnz < choices.many:
            return None
        if source.no_whole_weights:
            return None
        longest = self.backend.products.bound_rows(source, SHORT[-1])
        values, largest = choices.narrow(source, 2.0)
        doubled = self.backend.as_matrix(source.with_values(values))
        degrees = zero_filled(doubled.reduce_rowwise("plus")).apply("times", 0.5).new()
        expected = times(degrees & degrees).new().reduce("plus").new().send()
        weight = degrees.reduce("plus").new().send()
        if not largest() * longest < MOST_VOTES:  # synchronize!
            source.no_whole_weights = True
            return None
        store.weights = TwiceTheWeights(doubled, degrees, expected)
        return float(weight.get(0))  # synchronize!

    def level(self, A: Matrix, objective: Objective, ranks: Vector) -> Level:
        """The first level of an undirected graph."""
        store: DeviceMatrix = A._store
        if store.weights is not None:
            doubled, degrees, expected = store.weights
            none = Scalar.from_value(0.0, FP64, backend=self.backend)
            return Level.with_degrees(A, doubled, none, degrees, degrees, ranks, expected)
        level = Level.of(A, objective, ranks)
        B = level.B._store
        if B.iso and B.nnz >= self.backend.label_argmax.many:
            value = self.device.download(B.values[:1])[0]  # synchronize!
            B.whole_votes = float(value).is_integer()
        return level
