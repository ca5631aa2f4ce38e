"""A vector or a matrix on one process alone, to which all send what they have. Others receive
nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.cluster import packing
from lagraph_gpu.cluster.communicator import NO_BYTES
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.packing import place_type
from lagraph_gpu.cluster.placed_entries import on_receivers
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.memory import expect_room
from semirings.types import INT64


def gathered_on(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    """The whole vector or matrix as a store of another backend on process `root`; None on others.

    All call it together. If the root has no room, or cannot make the store, all raise its error.
    """
    if root >= distribution.size:
        raise InvalidValue(
            f"expected root below {distribution.size}, the number of processes, got {root}"
        )
    if target is distribution.local and distribution.devices.moves(store.shape):
        return distribution.devices.gathered(store, root)
    move = of_vector if len(store.shape) == 1 else of_matrix
    return move(distribution, store, root, target)


def of_vector(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    place, values = distribution.listed(store.part)
    announced(distribution, root, place.size, INT64.itemsize + values.itemsize)
    received = sent_to(distribution, root, packing.of_vector(place, values, *store.part.shape))
    if distribution.rank != root:
        return None
    return target.build_vector(
        store.shape[0], *distribution.in_order(store, received, values.dtype)
    )


def of_matrix(
    distribution: Distribution, store: Distributed, root: int, target: Backend
) -> Any | None:
    part = store.part
    each = place_type(store.shape[1]).itemsize + part.dtype.itemsize
    most = int(announced(distribution, root, part.nvals, each).max())
    receives = distribution.rank == root
    placed = on_receivers(distribution, store, partial(sent_to, distribution, root), receives, most)
    return None if placed is None else placed.store(target, store.shape, store.symmetric)


def announced(distribution: Distribution, root: int, mine: int, each: int) -> np.ndarray:
    """How many entries each process is about to send to the root, which has so many bytes free for
    `each` of them."""
    counts = distribution.counts(mine)[:, 0]
    if distribution.rank == root:
        total = int(counts.sum())
        expect_room(
            total * each, f"{total:,} entries on process {root}",
            "let a process have them whose host has more memory, or let all save their parts",
        )  # fmt: skip
    return counts


def sent_to(distribution: Distribution, root: int, mine: np.ndarray) -> list[np.ndarray]:
    """What all processes send to the root; others receive nothing."""
    parts = [NO_BYTES] * distribution.size
    parts[root] = mine
    return distribution.comm.all_to_all(parts)
