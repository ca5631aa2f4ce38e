"""What the host does for every closure that is one persistent kernel, whatever its schedule.

A call takes scratch memory from the matrix, where an earlier call has left some, or checks that
there is room and makes it (``acquire``); it counts in words that are made for many calls at a time
(``CounterPool``, ``BestPool``); and it may keep a log and a clock (``kernel_log.KernelLog``).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from lagraph_gpu.gpu.device.port import Device, DeviceArray, expect_room
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning.trace import Cost, cost
from semirings.algebra import Monoid, Semiring

ITEM, COUNT = np.dtype(np.int64), np.dtype(np.uint64)

SLOTS = 256
"""The words of so many calls are made together."""

Result = tuple[DeviceVector, DeviceVector | None, bool]
"""The closure, the round of each entry if it was asked for, and whether it came to rest."""


class HasRoom(Protocol):
    """Scratch memory whose queues hold so many items."""

    room: int


Scratch = TypeVar("Scratch", bound=HasRoom)


def acquire(
    device: Device, kept: list[Scratch], room: int, needed: Callable[[], int],
    make: Callable[[], Scratch],
) -> Scratch:  # fmt: skip
    """Scratch memory for one call, to be appended to ``kept`` when its kernels are launched.

    It is what an earlier call left, if that has ``room`` for as many queued items. Else it is made;
    TooLarge is raised if so many bytes, those of the results included, are not free.
    """
    while kept:
        with suppress(IndexError):  # another thread was faster
            if (scratch := kept.pop()).room >= room:
                return scratch
    expect_room(device, needed())
    return make()


def result_bytes(n: int, dtype: np.dtype) -> int:
    """What a vector that is full takes."""
    return n * dtype.itemsize + words(n) * WORD.itemsize


class Ordered(NamedTuple):
    """A closure by order of value."""

    x: DeviceVector
    rounds: DeviceVector | None
    orderly: Callable[[], bool] | None
    """Waits, and tells whether there was an order; else x means nothing. None if there was."""
    origins: Any = None
    """Memory for words as predecessor.cuh has them, if the values are traced."""


def price_of(semiring: Semiring, dtype: np.dtype, A: DeviceMatrix) -> Cost:
    """What a step of a closure moves, of x of this type over A."""
    values = None if A.iso else A.dtype
    return cost(semiring, dtype, values, dtype, INDEX.itemsize, A.offset.itemsize)


class CounterPool:
    """Words as a call needs them at first, so many for each, made for many calls at a time."""

    def __init__(self, each: int, make: Callable[[int], DeviceArray]) -> None:
        self.each, self.make, self.used = each, make, SLOTS

    def slot(self) -> np.int32:
        """The number of a part of ``words`` that no call has used."""
        if self.used == SLOTS:
            self.words, self.used = self.make(self.each * SLOTS), 0
        self.used += 1
        return np.int32(self.used - 1)

    def take(self) -> DeviceArray:
        """That part."""
        begin = self.each * int(self.slot())
        return self.words[begin : begin + self.each]


class BestPool:
    """What calls fold values into: so many bytes each, at first what a fold under a monoid starts
    from."""

    def __init__(self, device: Device, each: int) -> None:
        self.device, self.each = device, each
        self.strips: dict[tuple[Monoid, np.dtype], CounterPool] = {}

    def take(self, monoid: Monoid, dtype: np.dtype) -> DeviceArray:
        """For one call."""
        if (monoid, dtype) not in self.strips:
            start = monoid.start(dtype)
            strip = CounterPool(
                self.each // dtype.itemsize, lambda n: self.device.full(n, start, dtype)
            )
            self.strips[monoid, dtype] = strip
        return self.strips[monoid, dtype].take()
