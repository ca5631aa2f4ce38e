"""Arrays between the devices of one host by stores into memory that the processes have opened to
each other (see peer_stores.cuh). After the set-up no host takes part: a kernel stores and raises
flags, another one waits for the flags of all and copies what has come.

There are two sets of slots, used in turn, so a process stores into the same slots again in the
exchange after the next. In the exchange between the two it waits for the flags of all others, and
these raise them after they have read the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device.module import Program
from lagraph_gpu.gpu.device.peer_windows import MOST_PEERS, Open, PeerWindows
from lagraph_gpu.gpu.device.peers import bounds, sent_to_others
from lagraph_gpu.gpu.device.port import Device, DeviceArray
from semirings import types

PEER_STORES = "vector/peer_stores.cuh"

FIRST_ROOM = 1 << 20
"""The bytes of a slot at first."""

ALIGNED = 16
"""What the beginnings of slots, and of arrays within them, are a multiple of."""

Copy = Callable[[DeviceArray, DeviceArray], None]
"""Copies the bytes of the second array into the first, in the order of the device's stream."""


class StorePeers:
    """Implements ``peers.Peers``. Slots are used in turn. Exchanges of other kernels in between
    change nothing: after one of them all have read what came before it."""

    name = "stores"

    def __init__(self, device: Device, host: Any, open_memory: Open, copy: Copy) -> None:
        if host.size > MOST_PEERS:
            raise BackendUnavailable(
                f"expected at most {MOST_PEERS} processes for LAGRAPH_CLUSTER_TRANSPORT=stores, "
                f"got {host.size}; use nccl"
            )
        self.device, self.host = device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0
        self._open_memory, self._copy, self._room = open_memory, copy, 0
        self.peer_windows = PeerWindows(device, host, open_memory)
        self._done = device.zeros(1, np.uint32)
        self._open(FIRST_ROOM)

    def _open(self, room: int) -> None:
        """Allocate slots of so many bytes. All processes call it together."""
        self.device.synchronize()  # synchronize!
        begin, self._room = self.rank * room, room
        windows = [self._open_memory(self.size * room, np.dtype(np.uint8)) for _ in range(2)]
        self._there = [[of[begin : begin + room] for of in window] for window in windows]
        self._here = [window[self.rank] for window in windows]
        self._agreed(0)

    def _agreed(self, mine: int) -> int:
        """The largest of the numbers of all processes."""
        part = np.array([mine], np.int64).view(np.uint8)
        got = self.host.all_gather(part, np.full(self.size, part.size, np.int64))
        return max(int(one.view(np.int64)[0]) for one in got)

    def _begun(self, largest: int) -> int:
        """Begin an exchange in which no process sends more bytes to another. The result says which
        slots it uses."""
        if largest > self._room:
            self._open(1 << (largest - 1).bit_length())
        self.peer_windows.exchange += 1
        return self.peer_windows.exchange & 1

    def _launch(self, name: str, work: int, *args: Any) -> None:
        block = self.device.block_size
        grid = min(max(1, -(-work // block)), self.device.max_blocks)
        kernel = self.device.compile(Program(PEER_STORES, "", name).source, name)
        kernel(grid, block, args)

    def _take(self, count: int, slots: DeviceArray, to: DeviceArray) -> None:
        """Wait for all, and copy so many bytes of each slot."""
        self._launch(
            f"take_from_all<{types.c_name(to.dtype)}>", count // ALIGNED, np.int64(count),
            np.int32(self.size), self.peer_windows.own_flags, np.uint64(self.peer_windows.exchange),
            slots, np.int64(self._room), to,
        )  # fmt: skip

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        item, each = array.dtype.itemsize, to.size // self.size
        which, mine = self._begun(max(counts) * item), counts[self.rank] * item
        self.sent += mine * (self.size - 1)
        near = self.peer_windows
        self._launch(
            f"store_to_all<{types.c_name(array.dtype)}>", mine // ALIGNED, np.int64(mine), array,
            np.int32(self.size), np.int32(self.rank), near.of_peers(self._there[which]),
            near.flags, np.uint64(near.exchange), self._done,
        )  # fmt: skip
        if min(counts) == max(counts) == each:
            self._take(mine, self._here[which], to)
            return
        self._take(0, self._here[which], to)
        for rank, count in enumerate(counts):
            begin = rank * self._room
            self._move(
                to[rank * each : rank * each + count],
                self._here[which][begin : begin + count * item],
            )

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        if most is None:
            most = self._agreed(max(part.size for part in arrays[0]))
        begins = [0]
        for target in to:
            end = begins[-1] + most * target.dtype.itemsize
            begins.append(-(-end // ALIGNED) * ALIGNED)
        which = self._begun(begins[-1])
        self.sent += sent_to_others(arrays, self.rank)
        for parts, begin in zip(arrays, begins):
            for turn in range(1, self.size + 1):
                rank = (self.rank + turn) % self.size
                there = self._there[which][rank]
                self._move(there[begin : begin + parts[rank].nbytes], parts[rank])
        near = self.peer_windows
        self._launch("tell_all", 1, np.int32(self.size), near.flags, np.uint64(near.exchange))
        self._take(0, self._here[which], to[0])
        for rank, (first, last) in enumerate(bounds(come)):
            for target, begin in zip(to, begins):
                at = rank * self._room + begin
                part = target[first:last]
                self._move(part, self._here[which][at : at + part.nbytes])

    def _move(self, to: DeviceArray, source: DeviceArray) -> None:
        if source.nbytes:
            self._copy(to, source)
