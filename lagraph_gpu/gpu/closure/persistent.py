"""What all closures in one persistent kernel have in common on the host.

A call takes scratch memory that an earlier call has left with the matrix, or checks that there is
enough free memory and allocates it (``acquire``). Its counters are words that are allocated for
many calls at a time (``CounterPool``, ``BestPool``). It may keep a log and a clock
(``kernel_log.KernelLog``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from lagraph_gpu.gpu.device import Device, DeviceArray, expect_room
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.planning.trace import Traffic, traffic_of_products
from semirings.algebra import Monoid, Semiring

ITEM, COUNT = np.dtype(np.int64), np.dtype(np.uint64)

CALLS_TOGETHER = 256
"""The number of calls for which counters are allocated together."""


class Result(NamedTuple):
    """A closure that a kernel has computed."""

    x: DeviceVector
    rounds: DeviceVector | None
    """The round of each entry, if it was asked for."""
    at_rest: bool
    """True if the fixpoint was reached."""


class HasRoom(Protocol):
    """Scratch memory whose queues hold ``room`` items."""

    @property
    def room(self) -> int: ...


Scratch = TypeVar("Scratch", bound=HasRoom)


def acquire(
    device: Device, kept: list[Scratch], room: int, needed: Callable[[], int],
    make: Callable[[], Scratch],
) -> Scratch:  # fmt: skip
    """Scratch memory for one call. The caller appends it to ``kept`` when its kernels are launched.

    It is what an earlier call left, if that has ``room`` for as many queued items. Otherwise it is
    allocated; TooLarge is raised if the ``needed`` bytes, including those of the results, are not
    free.
    """
    while kept:
        try:
            scratch = kept.pop()
        except IndexError:  # another thread was faster
            break
        if scratch.room >= room:
            return scratch
    expect_room(device, needed())
    return make()


def result_bytes(n: int, dtype: np.dtype) -> int:
    """The bytes of a full vector."""
    return n * dtype.itemsize + words(n) * WORD.itemsize


class Ordered(NamedTuple):
    """A closure by order of value."""

    x: DeviceVector
    rounds: DeviceVector | None
    orderly: Callable[[], bool] | None
    """Waits, and returns True if there was an order; otherwise x is not valid. None if there always
    is one."""
    origins: Any = None
    """Memory for words with predecessors, as in predecessor.cuh, if they are stored."""


def traffic_of(semiring: Semiring, dtype: np.dtype, A: DeviceMatrix) -> Traffic:
    """The traffic of a step of a closure, of a vector of this type over A."""
    values = None if A.iso else A.dtype
    return traffic_of_products(semiring, dtype, values, dtype, INDEX.itemsize, A.offset.itemsize)


class CounterPool:
    """Words with their initial value for the counters of calls, allocated for many calls at a
    time."""

    def __init__(self, each: int, make: Callable[[int], DeviceArray]) -> None:
        self.each, self.make, self.used = each, make, CALLS_TOGETHER

    def slot(self) -> np.int32:
        """The number of a part of ``words`` that no call has used."""
        if self.used == CALLS_TOGETHER:
            self.words, self.used = self.make(self.each * CALLS_TOGETHER), 0
        self.used += 1
        return np.int32(self.used - 1)

    def take(self) -> DeviceArray:
        """A part of ``words`` that no call has used."""
        begin = self.each * int(self.slot())
        return self.words[begin : begin + self.each]


class BestPool:
    """Memory into which calls fold values, so many bytes for each, initialized with a monoid's
    start value."""

    def __init__(self, device: Device, each: int) -> None:
        self.device, self.each = device, each
        self.pools: dict[tuple[Monoid, np.dtype], CounterPool] = {}

    def take(self, monoid: Monoid, dtype: np.dtype) -> DeviceArray:
        """A part that no call has used."""
        if (monoid, dtype) not in self.pools:
            start, device = monoid.start(dtype), self.device  # `self` would hold itself
            pool = CounterPool(self.each // dtype.itemsize, lambda n: device.full(n, start, dtype))
            self.pools[monoid, dtype] = pool
        return self.pools[monoid, dtype].take()
