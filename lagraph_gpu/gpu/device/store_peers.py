"""Arrays between the devices of one host by stores into memory that the processes have opened to
each other (see peer_stores.cuh). After the set-up no host takes part: a kernel stores and raises
flags, another one waits for the flags of all and copies what has come.

There are two sets of slots, used in turn. A process stores into one again in the exchange after the
next; before it can, all have told it that they began the next one, and so have read this one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device.module import Program
from lagraph_gpu.gpu.device.peers import bounds, sent_to_others
from lagraph_gpu.gpu.device.port import Device, DeviceArray

PEER_STORES = "vector/peer_stores.cuh"

FIRST_ROOM = 1 << 20
"""The bytes of a slot at first."""

ALIGNED = 16
"""What the beginnings of slots, and of arrays within them, are a multiple of."""

UNITS = ((16, "uint4"), (4, "unsigned"), (1, "unsigned char"))
"""What is stored by one instruction, by its bytes."""

FLAG, ADDRESS = np.dtype(np.uint64), np.dtype(np.uint64)


Open = Callable[[int], Sequence[int]]
"""Allocates so many bytes, opens them to all, and returns the address of the memory of each process
here. All processes call it together. What was allocated before stays open."""


class StorePeers:
    """Implements ``peers.Peers``."""

    name = "stores"

    def __init__(
        self, device: Device, host: Any, open_memory: Open, array_at: Callable[..., Any],
        copy: Callable[[int, int, int], None], address_of: Callable[[Any], int],
    ) -> None:  # fmt: skip
        """`array_at(address, count, dtype)` is memory as an array, `copy(to, source, bytes)` a copy
        in the order of the device's stream.
        """
        self.device, self.host = device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0
        self._open_memory, self._array_at, self._copy = open_memory, array_at, copy
        self._address_of = address_of
        self._exchange, self._room = 0, 0
        told = open_memory(self.size * FLAG.itemsize)
        self._told = array_at(told[self.rank], self.size, FLAG)
        device.write(self._told, np.zeros(self.size, FLAG))
        self._flags = device.upload(
            np.array([at + self.rank * FLAG.itemsize for at in told], ADDRESS)
        )
        self._done = device.zeros(1, np.uint32)
        self._open(FIRST_ROOM)

    def _open(self, room: int) -> None:
        """Slots of so many bytes, and all have come here."""
        self.device.synchronize()  # synchronize!
        self._room = room
        windows = [self._open_memory(self.size * room) for _ in range(2)]
        self._slots = [
            self.device.upload(np.array([at + self.rank * room for at in window], ADDRESS))
            for window in windows
        ]
        self._at = [[at + self.rank * room for at in window] for window in windows]
        self._mine = [window[self.rank] for window in windows]
        self.device.synchronize()  # synchronize!
        self._agreed(0)

    def _agreed(self, mine: int) -> int:
        """The largest of the numbers of all processes."""
        part = np.array([mine], np.int64).view(np.uint8)
        got = self.host.all_gather(part, np.full(self.size, part.size, np.int64))
        return max(int(one.view(np.int64)[0]) for one in got)

    def _begun(self, largest: int) -> int:
        """The next exchange, in which no process sends more bytes to another; which slots it
        uses."""
        if largest > self._room:
            self._open(1 << (largest - 1).bit_length())
        self._exchange += 1
        return self._exchange & 1

    def _launch(self, name: str, work: int, *args: Any) -> None:
        block = self.device.block_size
        grid = min(max(1, -(-work // block)), self.device.max_blocks)
        kernel = self.device.compile(Program(PEER_STORES, "", name).source, name)
        kernel(grid, block, args)

    def _unit(self, *numbers: int) -> tuple[int, str]:
        """The largest unit of which all of these are multiples."""
        return next((size, name) for size, name in UNITS if not any(n % size for n in numbers))

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        item, each = array.dtype.itemsize, to.nbytes // self.size
        sizes = [count * item for count in counts]
        which = self._begun(max(sizes))
        mine, exchange = sizes[self.rank], np.uint64(self._exchange)
        self.sent += mine * (self.size - 1)
        source, target = self._address_of(array), self._address_of(to)
        size, unit = self._unit(mine, source)
        self._launch(
            f"store_to_all<{unit}>", mine // size, np.int64(mine // size), array,
            np.int32(self.size), np.int32(self.rank), self._slots[which], self._flags, exchange,
            self._done,
        )  # fmt: skip
        even = min(sizes) == max(sizes) == each
        size, unit = self._unit(mine, target) if even else UNITS[-1]
        count = mine // size if even else 0
        slots = self._array_at(self._mine[which], self.size * self._room, np.dtype(np.uint8))
        self._launch(
            f"take_from_all<{unit}>", count, np.int64(count), np.int32(self.size), self._told,
            exchange, slots, np.int64(self._room // size), to,
        )  # fmt: skip
        if not even:
            for rank, bytes_of in enumerate(sizes):
                self._copy(target + rank * each, self._mine[which] + rank * self._room, bytes_of)

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        items = [target.dtype.itemsize for target in to]
        if most is None:
            most = self._agreed(max(part.size for part in arrays[0]))
        begins = [0]
        for item in items:
            begins.append(-(-(begins[-1] + most * item) // ALIGNED) * ALIGNED)
        which = self._begun(begins[-1])
        self.sent += sent_to_others(arrays, self.rank)
        for parts, begin in zip(arrays, begins):
            for turn in range(1, self.size + 1):
                rank = (self.rank + turn) % self.size
                if parts[rank].size:
                    source = self._address_of(parts[rank])
                    self._copy(self._at[which][rank] + begin, source, parts[rank].nbytes)
        exchange = np.uint64(self._exchange)
        self._launch("tell_all", 1, np.int32(self.size), self._flags, exchange)
        self._launch(
            "take_from_all<unsigned char>", 1, np.int64(0), np.int32(self.size), self._told,
            exchange, self._told, np.int64(0), self._told,
        )  # fmt: skip
        for rank, (first, _) in enumerate(bounds(come)):
            for target, item, begin in zip(to, items, begins):
                slot = self._mine[which] + rank * self._room + begin
                if come[rank]:
                    self._copy(self._address_of(target) + first * item, slot, come[rank] * item)
