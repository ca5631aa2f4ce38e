"""The lowering of `row_lengths`: rows are not divided, so each process counts along its own."""

from __future__ import annotations

from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.graph.facts import row_lengths as of_one
from lagraph_gpu.notation import Matrix, Vector


def row_lengths(A: Matrix) -> Vector:
    """Implements `lagraph_gpu.graph.facts.row_lengths`."""
    distribution: Distribution = A.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("row_lengths"):
        part = of_one(A._store.part)
        return Vector._stored(Distributed(part, (A.nrows,)), A.nrows, part.dtype, A.backend)
