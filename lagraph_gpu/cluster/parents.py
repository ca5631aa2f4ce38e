"""The lowering of `tight_forest`: parents from distances, each process for its own vertices.

An edge (u, v) is tight if d(u) + w = d(v). Tight edges with d(u) < d(v) make no cycles. So if every
vertex but the roots has one that enters it, any choice of one for each vertex is a forest. The
distances are gathered once, and the rest is statements on the edges into the vertices of a process.
The smallest such u is taken, whatever the number of processes; a local backend with a kernel for it
may take another one.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.notation import Vector
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, SEMIRINGS, min_plus
from semirings.types import INT64

any_plus, any_eq, any_gt, any_second = (
    SEMIRINGS[f"any_{name}"] for name in ("plus", "eq", "gt", "second")
)


def tight_forest(
    distance: Vector, roots: Vector, A: Any, schedule: Schedule | None = None
) -> Vector | None:
    """Implements `lagraph_gpu.algorithms.paths.sssp.tight_forest`; None if some vertex has no tight
    edge from a closer one, as where weights are 0.
    """
    distribution: Distribution = distance.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement("tight_forest"):
        store, transposed = matrix_of(A)
        into = (store if transposed else distribution.transpose(store)).part
        own, whole = distance._store.part, distribution.whole_vector(distance._store)
        part = None
        if not distribution.lists_rows(store):
            part = by_local_operations(distribution, into, own, whole)
        if part is None:
            part = nearest(into, own, whole)
        part(BINARY["second"]) << roots._store.part
        (missing,) = distribution.totals(own.dup(mask=~part.S).nvals)
        if missing:
            return None
        return Vector._stored(
            Distributed(part, distance.shape), distance.size, INT64, distance.backend
        )


def by_local_operations(
    distribution: Distribution, into: Any, own: Any, whole: Any
) -> Vector | None:
    """As `nearest`, by a kernel or a loop of the local backend, if it has one. They have arrays
    over all vertices."""
    operations = distribution.local_operations
    if operations is None:
        return None
    tails = operations.tight_tails(into._store, whole._store, min_plus[own.dtype])
    return None if tails is None else distribution.handle(tails, own.shape, INT64)


def nearest(into: Any, own: Any, whole: Any) -> Any:
    """For each own vertex the smallest one that is closer and has a tight edge to it. `into` holds
    the edges into own vertices, `own` and `whole` distances.
    """
    others, mine = whole.diag(), own.diag()
    candidate = any_plus(into @ others).new()  # d(u) + w
    tight = any_eq(mine @ candidate).new().select("==", True).new()
    closer = any_gt(mine @ any_second(tight @ others).new()).new()
    edges = closer.select("==", True).new()
    parent = Vector(INT64, own.size, backend=own.backend)
    parent << edges.apply("colindex").new(INT64).reduce_rowwise("min")
    return parent
