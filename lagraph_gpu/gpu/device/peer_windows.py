"""Memory that the devices of several processes on one host have opened to each other, and flags by
which kernels say what they have stored there (see core/peers.cuh)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lagraph_gpu.gpu.device import constants
from lagraph_gpu.gpu.device.port import Device, DeviceArray, Kernel

MOST_PEERS = constants.MOST_PEERS

FLAG = np.dtype(np.uint64)

Open = Callable[[int, np.dtype], Sequence[DeviceArray]]
"""Allocates an array of so many elements, opens it to all processes, and returns the array of each,
as this one sees it. All call it together; all raise the same if one cannot. What was allocated
before stays open."""

Close = Callable[[Sequence[DeviceArray]], None]
"""Frees such arrays. All call it together, when no kernel uses them any more."""


@dataclass
class Window:
    """An array of each process, opened to all, in which each process has a slot."""

    arrays: Sequence[DeviceArray]
    slots: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """The fields of a ``PeerWindow``, by the length of a slot: the slots for this process at all,
    and then its own array."""

    @property
    def size(self) -> int:
        return self.arrays[0].size


class PeerWindows:
    """The processes of one host, each with a device."""

    def __init__(
        self, device: Device, host: Any, open_memory: Open, close_memory: Close = lambda _: None
    ) -> None:
        self.device, self.rank, self.size = device, host.rank, host.size
        self.open_memory, self.close_memory = open_memory, close_memory
        self.exchange = 0
        """The number of the last exchange that flags were raised for."""
        self.opened: dict[Any, tuple[int, tuple[Any, ...]]] = {}
        """What closures have opened, for others like them (see closure/collective_launch.py)."""
        self.refused = 2**31
        """A room of lists for which memory was missing."""
        self._windows: dict[str, Window] = {}
        flags = open_memory(self.size, FLAG)
        self.own_flags = flags[self.rank]
        device.write(self.own_flags, np.zeros(self.size, FLAG))
        device.synchronize()  # synchronize!
        host.all_gather(np.zeros(1, np.uint8), np.ones(self.size, np.int64))
        self.flags = self.of_peers([of[self.rank : self.rank + 1] for of in flags])

    def of_peers(self, arrays: Sequence[DeviceArray]) -> tuple[DeviceArray | None, ...]:
        """The arrays as kernels take them."""
        return (*arrays, *[None] * (MOST_PEERS - self.size))

    def window(self, name: str, each: int, dtype: np.dtype) -> Window:
        """The window of this name, with room for a slot of so many elements for each process. All
        call it together, with the same numbers. One that is too small is freed and replaced."""
        held = self._windows.get(name)
        if held is None or held.size < self.size * each:
            if held is not None:
                self.opened.clear()  # it may be among them
                del self._windows[name]
                self.close_memory(held.arrays)
            held = self._windows[name] = Window(self.open_memory(self.size * each, dtype))
        return held

    def slots(self, window: Window, each: int) -> tuple[Any, ...]:
        """Slots of so many elements, as the fields of a ``PeerWindow``."""
        if each not in window.slots:
            begin = self.rank * each
            there = [of[begin : begin + each] for of in window.arrays]
            window.slots[each] = *self.of_peers(there), window.arrays[self.rank]
        return window.slots[each]

    @staticmethod
    def no_slots() -> tuple[None, ...]:
        """The fields of a ``PeerWindow`` where nothing is opened."""
        return (None,) * (MOST_PEERS + 1)

    def launch(self, kernel: Kernel, grid: int, block: int, args: tuple[Any, ...]) -> None:
        """Launch a kernel that waits for the same kernel on the other devices."""
        kernel(grid, block, args, cooperative=True)
