"""What the root has found, dealt out: each process gets the rows that it owns."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.distribution import Distributed, Distribution
from lagraph_gpu.cluster.packing import as_bytes, bundle, place_type, unbundled
from lagraph_gpu.convert.build import one_value
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT32


def scattered(distribution: Distribution, *wholes: Any) -> list[Any]:
    """The parts of this process of vectors of one size that the root has; others have some without
    entries."""
    shape, (n,) = distribution.part_shape(wholes[0].shape), wholes[0].shape
    if distribution.vector_exchange is not None:
        return [distribution.from_device_of_root(whole, shape) for whole in wholes]
    dealt = []
    if distribution.is_root:
        dealt = [distribution.dealt_vector(n, *distribution.listed(whole)) for whole in wholes]
    parts = [bundle([parts[rank] for parts in dealt]) for rank in range(distribution.size)]
    come = unbundled(distribution.comm.all_to_all(parts)[ROOT], len(wholes))
    return [
        distribution.unpacked(data, shape, whole.dtype)
        for data, whole in zip(come, wholes, strict=True)
    ]


def received_vector(
    distribution: Distribution, backend: Any, n: int, data: np.ndarray, dtype: np.dtype
) -> Vector:
    """The vector of size n on the cluster of which this process has got its part, packed."""
    part = distribution.unpacked(data, distribution.part_shape((n,)), dtype)
    return Vector._stored(Distributed(part, (n,)), n, dtype, backend)


def dealt_matrix(distribution: Distribution, whole: Matrix) -> list[np.ndarray]:
    """What goes to each process of a matrix of the local backend: how many entries each of its rows
    has, their columns, and their values or the one that all have."""
    size = distribution.size
    ends, column, values = distribution.local.matrix_entries(whole._store)
    lengths, iso = np.diff(ends), one_value(values)
    kind, parts = place_type(whole.ncols), []
    column = column.astype(kind, copy=False)
    for rank in range(size):
        mine = np.repeat(np.arange(lengths.size) % size == rank, lengths)
        held = values[:1] if iso else values[mine]
        own = lengths[rank::size].astype(kind)
        parts.append(bundle([as_bytes(array) for array in (own, column[mine], held)]))
    return parts


def received_matrix(
    distribution: Distribution, backend: Any, shape: tuple[int, int], data: np.ndarray,
    dtype: np.dtype,
) -> Matrix:  # fmt: skip
    """The matrix on the cluster of which this process has got its part."""
    kind = place_type(shape[1])
    lengths, column, values = (
        part.copy().view(one) for part, one in zip(unbundled(data, 3), (kind, kind, dtype))
    )
    own, ends = distribution.part_shape(shape), np.cumsum(lengths, dtype=np.int64)
    rows = np.append(0, ends), column, values[: column.size]
    iso, adopt = values.size < column.size, column.dtype == INT32
    part = distribution.local.build_matrix((own[0], shape[1]), rows, iso=iso, adopt=adopt)
    store = Distributed(distribution.handle(part, own, dtype), shape)
    return Matrix._stored(store, shape, dtype, backend)
