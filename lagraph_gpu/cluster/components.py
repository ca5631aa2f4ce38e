"""The lowering of `component_labels` on devices: each process joins along edges of its own rows,
and the trees of all are joined. Other local backends run the statements.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms.structure.components import component_labels as of_all
from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.products import matrix_of
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT64


def component_labels(A: Matrix) -> Any:
    """Implements `lagraph_gpu.algorithms.structure.components.component_labels`."""
    distribution: Distribution = A.backend.distribution  # type: ignore[attr-defined]
    with distribution.comm.statement():
        found = on_devices(distribution, A)
        return of_all.statements(A) if found is None else found


def on_devices(distribution: Distribution, A: Matrix) -> Vector | None:
    """The labels by the kernels of the local backend, if it has them."""
    if distribution.on_devices is None:
        return None
    store, _ = matrix_of(A)
    shape = (A.nrows,)
    own = distribution.part_shape(shape)
    with distribution.on_all_devices():
        label = distribution.on_devices.component_labels(
            store.part._store, own[0], A.nrows, distribution.comm.agree
        )
    if label is None:
        return None
    part = distribution.handle(label, own, INT64)
    return Vector._stored(Distributed(part, shape), A.nrows, INT64, A.backend)
