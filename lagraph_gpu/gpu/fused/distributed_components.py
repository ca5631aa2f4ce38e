"""Connected components over rows that are distributed over processes, each with a device (see
distributed_components.cuh). Two exchanges between the devices: the trees of all, and the few roots
that the other edges have joined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers

COMPONENTS = "fused/distributed_components.cuh"

FIRST = 2
"""The edges of each row that are joined before the trees are exchanged."""

SAMPLED = 1024
"""The vertices whose trees are looked at to find the largest one."""

FIRST_ROOTS = 1 << 16
"""Joined roots for which there is room at first."""


class DistributedComponents(BackendPart):
    """Finds components. The fields are for tests."""

    first, room = FIRST, FIRST_ROOTS

    def __init__(self, backend: GpuBackend, peers: Peers) -> None:
        super().__init__(backend)
        self.peers, self.exposed = peers, False

    def labels(
        self, rows: DeviceMatrix, own: int, size: int, agree: Callable[[], None]
    ) -> DeviceVector:
        """For each vertex of this process the smallest one of its component. `rows` are its rows of
        a symmetric matrix."""
        device, peers = self.device, self.peers
        part = np.int32(peers.size), np.int32(peers.rank)
        n, offset = np.int32(size), types.c_name(rows.offset)
        parent, every = device.empty(size, INDEX), device.empty(peers.size * size, INDEX)
        label = DeviceVector.allocated(device, own, types.INT64)
        agree()
        self.exposed = True
        self._launch("start_trees", size, n, parent)
        self._launch(f"join_first<{offset}>", own, np.int32(own), *part, np.int32(self.first),
                     rows.indptr, rows.indices, parent)  # fmt: skip
        self._launch("flatten_trees", size, n, parent)
        peers.all_gather(parent, [size] * peers.size, every)
        self._launch("join_labels", size, n, *part, every, parent)
        self._launch("flatten_trees", size, n, parent)
        before = every[:size]  # the trees of others are not needed any more
        self._launch("copy_trees", size, n, parent, before)
        self._launch(
            f"join_rest<{offset}>", own, np.int32(own), *part, np.int32(self.first),
            np.int32(self._largest(before)), rows.indptr, rows.indices, before, parent,
        )  # fmt: skip
        self._exchange(before, parent, agree)
        self.exposed = False
        self._launch("flatten_trees", size, n, parent)
        self._launch("own_trees", own, np.int32(own), *part, parent, label.values)
        label.full = True
        return label

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(COMPONENTS, "", name, work, *args)

    def _largest(self, parent: DeviceArray) -> int:
        """The tree in which most of some vertices are: the same in all processes. Waits."""
        count = min(SAMPLED, parent.size)
        sampled = self.device.empty(count, INDEX)
        self._launch(
            "sample_trees", count, np.int32(count), np.int32(parent.size // count), parent, sampled
        )
        trees, times = np.unique(self.device.download(sampled), return_counts=True)  # synchronize!
        return int(trees[times.argmax()])

    def _exchange(
        self, before: DeviceArray, parent: DeviceArray, agree: Callable[[], None]
    ) -> None:
        """Join what other processes have joined since."""
        device, peers, room = self.device, self.peers, self.room
        while True:
            roots, ups = device.empty(room, INDEX), device.empty(room, INDEX)
            count, counts = device.zeros(1, COUNT), device.empty(peers.size, COUNT)
            self._launch("list_joined", before.size, np.int32(before.size), before, parent,
                         np.int32(room), roots, ups, count)  # fmt: skip
            peers.all_gather(count, [1] * peers.size, counts)
            found = device.download(counts).astype(np.int64).tolist()  # synchronize!
            most = max(found)
            if most <= room:
                break
            room = 1 << (most - 1).bit_length()
        if not most:
            return
        self.exposed = False
        others = [device.empty(peers.size * most, INDEX) for _ in range(2)]
        agree()
        self.exposed = True
        for mine, to in zip((roots, ups), others):
            peers.all_gather(mine[: found[peers.rank]], found, to)
        for rank, number in enumerate(found):
            if number and rank != peers.rank:
                pairs = (to[rank * most : rank * most + number] for to in others)
                self._launch("join_pairs", number, np.int32(number), *pairs, parent)
