"""What the root has found, dealt out: each process gets the rows that it owns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.cluster.communicator import ROOT
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.packing import as_bytes, bundle, place_type, unbundled
from lagraph_gpu.convert.values import one_value
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Shape
from semirings.types import INT32

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import Dealt


class Leaving(NamedTuple):
    """A vector or a matrix of the root on its way to all processes."""

    parts: list[np.ndarray]
    """The bytes for each: its part, or the notes of what comes between devices."""
    dealt: Dealt | None
    """What goes between devices."""


def leaving(distribution: Distribution, whole: Vector | Matrix) -> Leaving:
    """A vector or matrix of the local backend of the root, dealt to all processes."""
    if distribution.devices.moves(whole.shape):
        dealt = distribution.devices.dealt(whole)
        return Leaving([as_bytes(np.array(note, np.int64)) for note in dealt.notes], dealt)
    if isinstance(whole, Vector):
        listed = distribution.listed(whole)
        return Leaving(distribution.dealt_vector(whole.size, *listed), None)
    return Leaving(dealt_matrix(distribution, whole), None)


def arrived(
    distribution: Distribution, kinds: Sequence[tuple[Shape, np.dtype]],
    come: Sequence[np.ndarray], left: Sequence[Leaving],
) -> list[Any]:  # fmt: skip
    """The parts of this process of what is `leaving` the root, containers of the local backend.
    Given are the shapes and types, and what has come of each."""
    moves = [distribution.devices.moves(shape) for shape, _ in kinds]
    told = [
        (*kind, data.copy().view(np.int64).tolist())
        for kind, data, on_device in zip(kinds, come, moves, strict=True)
        if on_device
    ]
    dealt = [one.dealt for one in left if one.dealt is not None]
    moved = iter(distribution.devices.scattered(told, dealt))

    def part(shape: Shape, dtype: np.dtype, data: np.ndarray) -> Any:
        if len(shape) == 1:
            return distribution.unpacked(data, distribution.part_shape(shape), dtype)
        return part_of_matrix(distribution, (shape[0], shape[1]), data, dtype)

    return [
        next(moved) if on_device else part(*kind, data)
        for kind, data, on_device in zip(kinds, come, moves, strict=True)
    ]


def scattered(distribution: Distribution, *wholes: Vector) -> list[Any]:
    """The parts of this process of vectors that the root has; others have some without entries, of
    the same sizes and types."""
    left = [leaving(distribution, whole) for whole in wholes] if distribution.is_root else []
    parts = [bundle([one.parts[rank] for one in left]) for rank in range(distribution.size)]
    come = unbundled(distribution.comm.all_to_all(parts)[ROOT], len(wholes))
    kinds = [(whole.shape, whole.dtype) for whole in wholes]
    return arrived(distribution, kinds, come, left)


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


def part_of_matrix(
    distribution: Distribution, shape: tuple[int, int], data: np.ndarray, dtype: np.dtype
) -> Any:
    """The part of this process of a matrix of this shape, from what `dealt_matrix` has for it."""
    kind = place_type(shape[1])
    lengths, column, values = (
        part.copy().view(one) for part, one in zip(unbundled(data, 3), (kind, kind, dtype))
    )
    own, ends = distribution.part_shape(shape), np.cumsum(lengths, dtype=np.int64)
    rows = np.append(0, ends), column, values[: column.size]
    iso, adopt = values.size < column.size, column.dtype == INT32
    part = distribution.local.build_matrix((own[0], shape[1]), rows, iso=iso, adopt=adopt)
    return distribution.handle(part, own, dtype)
