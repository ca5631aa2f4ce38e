"""Where the host's time goes: a device that does nothing, and one that notes who waits for it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.closure import fixpoint
from lagraph_gpu.gpu.backend import GpuBackend


@dataclass(frozen=True)
class NullArray:
    """A type and a size."""

    size: int
    dtype: np.dtype

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __getitem__(self, part: slice) -> NullArray:
        return NullArray(len(range(*part.indices(self.size))), self.dtype)


class NullKernel:
    """Does nothing, on any device."""

    def __call__(self, grid: int, block: int, args: tuple[Any, ...], **named: Any) -> None:
        pass

    def resident_blocks(self, block: int) -> int:
        return 264


class NullDevice:
    """The Device port without memory or work: what is left is the host's own time.

    Every array reads as ones, so that a frontier has an entry and a matrix that was made has one.
    """

    name, compute_capability = "nothing", "90"
    multiprocessors, block_size, max_blocks, cooperative_block = 132, 256, 1056, 448
    stream, largest_shared = 0, 232_448
    free_bytes = 1 << 40

    def __init__(self) -> None:
        self.waits = 0

    def empty(self, size: int, dtype: Any) -> NullArray:
        return NullArray(size, np.dtype(dtype))

    zeros = empty

    def reserve(self, *parts: tuple[int, Any]) -> tuple[NullArray, ...]:
        return tuple(self.empty(*part) for part in parts)

    def full(self, size: int, value: Any, dtype: Any) -> NullArray:
        return NullArray(size, np.dtype(dtype))

    def upload(self, host: np.ndarray) -> NullArray:
        return NullArray(host.size, host.dtype)

    def download(self, array: Any) -> np.ndarray:
        self.waits += 1
        return np.ones(array.size, array.dtype)

    def copy(self, array: Any) -> Any:
        return array

    def argsort(self, array: Any) -> NullArray:
        return NullArray(array.size, np.dtype(np.int64))

    def compile(self, source: str, name: str) -> NullKernel:
        return NullKernel()

    def described(self, memory: Any) -> Any:
        return memory

    def fetch(self, array: Any) -> Callable[[], np.ndarray]:
        return lambda: self.download(array)

    def synchronize(self) -> None:
        self.waits += 1


PARTS = {
    **dict.fromkeys(("empty", "reserve", "described", "zeros", "full", "copy"), "memory"),
    "argsort": "sort",
    "upload": "upload",
    **dict.fromkeys(("download", "synchronize"), "wait"),
}
"""What a call of the device counts as."""

STATEMENT, RUN, LOOKUP, LAUNCH = "statement", "plan and source", "kernel lookup", "kernel launch"


class Stopwatch:
    """Adds up, by part, the time in calls less that of the calls within."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inner: list[int] = []

    def noting(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            self._inner.append(0)
            begin = time.perf_counter_ns()
            try:
                return function(*args, **named)
            finally:
                took = time.perf_counter_ns() - begin
                own = took - self._inner.pop()
                self.spent[part] = self.spent.get(part, 0.0) + own / 1e3
                if self._inner:
                    self._inner[-1] += took

        return timed


class WatchedDevice:
    """Another device; the time in each of its methods and kernels is noted."""

    def __init__(self, device: Any, watch: Stopwatch) -> None:
        self._device, self._watch = device, watch
        for method, part in PARTS.items():
            setattr(self, method, watch.noting(part, getattr(device, method)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def compile(self, source: str, name: str) -> Any:
        kernel = self._device.compile(source, name)
        noted = self._watch.noting(LAUNCH, kernel)
        noted.resident_blocks = kernel.resident_blocks  # type: ignore[attr-defined]
        return noted


def watched(backend: Backend) -> tuple[Any, Stopwatch]:
    """A GPU backend like this one that notes where the host's time goes. Nothing waits there, so
    that all that a statement costs is in its time."""
    watch = Stopwatch()
    device: Any = WatchedDevice(backend.device, watch)  # type: ignore[attr-defined]
    twin: Any = GpuBackend(device, blocking=True)
    for part, methods in ((LOOKUP, ("launch", "launch_resident")), (RUN, ("run",))):
        for method in methods:
            setattr(twin, method, watch.noting(part, getattr(twin, method)))
    twin.lowerings[fixpoint] = watch.noting(RUN, twin.lowerings[fixpoint])
    return twin, watch


def by_part(watch: Stopwatch, statement: Callable[[], Any], calls: int) -> dict[str, float]:
    """Median microseconds of a statement in each part, the longest first."""
    each: list[dict[str, float]] = []
    timed = watch.noting(STATEMENT, statement)
    for _ in range(calls):
        watch.spent = {}
        timed()
        each.append(watch.spent)
    names = {name for spent in each for name in spent}
    medians = {n: statistics.median(spent.get(n, 0.0) for spent in each) for n in names}
    return {n: round(us, 2) for n, us in sorted(medians.items(), key=lambda item: -item[1])}
