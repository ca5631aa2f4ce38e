"""What closures in one kernel share: results, and words that are as a call needs them at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device.port import Device, DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning.trace import Cost, cost
from semirings.algebra import Monoid, Semiring

ITEM, COUNT = np.dtype(np.int64), np.dtype(np.uint64)

SLOTS = 256
"""The words of so many calls are made together."""

Result = tuple[DeviceVector, DeviceVector | None, bool]
"""The closure, the round of each entry if it was asked for, and whether it came to rest."""


def result_bytes(n: int, dtype: np.dtype) -> int:
    """What a vector that is full takes."""
    return n * dtype.itemsize + words(n) * WORD.itemsize


class Ordered(NamedTuple):
    """A closure by order of value."""

    x: DeviceVector
    rounds: DeviceVector | None
    orderly: Callable[[], bool]
    """Waits, and tells whether there was an order; else x means nothing."""
    origins: Any = None
    """Memory for words as predecessor.cuh has them, if the values are traced."""


def price_of(ring: Semiring, dtype: np.dtype, A: DeviceMatrix) -> Cost:
    """What a step of a closure moves, of x of this type over A."""
    values = None if A.iso else A.dtype
    return cost(ring, dtype, values, dtype, INDEX.itemsize, A.offset.itemsize)


class Strip:
    """Words as they are at first, so many for each call, made for many calls at a time."""

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


class Bests:
    """What calls fold values into: so many bytes each, at first what a fold under a monoid starts
    from."""

    def __init__(self, device: Device, each: int) -> None:
        self.device, self.each = device, each
        self.strips: dict[tuple[Monoid, np.dtype], Strip] = {}

    def take(self, monoid: Monoid, dtype: np.dtype) -> DeviceArray:
        """For one call."""
        if (monoid, dtype) not in self.strips:
            start = monoid.start(dtype)
            strip = Strip(self.each // dtype.itemsize, lambda n: self.device.full(n, start, dtype))
            self.strips[monoid, dtype] = strip
        return self.strips[monoid, dtype].take()
