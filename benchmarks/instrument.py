"""Where does the time go? Counts and times what a backend does on its device.

Only for runs that are not themselves timed: an event before and after each kernel costs a few
microseconds. Operations of CuPy (running sums, fills) are named after the method of the port.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend

LAUNCHES = ("launch", "launch_resident")
SPIN = """__global__ void spin(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
}"""
SPIN_CYCLES = 1 << 20
"""Cycles, half a millisecond, in which a host launches all of a search."""

OF_THE_DEVICE = ("sort", "argsort", "zeros", "full", "copy", "upload")


class Instrument:
    """Within the block, everything the backend starts is counted by name.

    ``launches`` and ``waits`` are None for a backend without a device; ``kernel_ms`` is None
    without CUDA events, else the sum over all kernels.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend, self.device = backend, getattr(backend, "device", None)
        self.count: dict[str, int] = {}
        self.spans: list[tuple[str, Any, Any]] = []
        self.launches: int | None = None
        self.waits: int | None = None

    def __enter__(self) -> Instrument:
        if self.device is not None:
            self.event = events(self.device)
            self.before = self.device.waits
            for launch in LAUNCHES:
                self._watch(self.backend, launch, lambda args: args[2].split("<")[0])
            for method in OF_THE_DEVICE:
                self._watch(self.device, method, partial(_fixed, method))
        return self

    def __exit__(self, *_: object) -> None:
        if self.device is None:
            return
        self.waits = self.device.waits - self.before
        self.launches = sum(self.count.values())
        watched = [(self.backend, name) for name in LAUNCHES]
        for owner, name in (*watched, *((self.device, name) for name in OF_THE_DEVICE)):
            delattr(owner, name)  # the class's own method comes back
        self.device.synchronize()

    def _watch(self, owner: Any, method: str, name_of: Callable[[tuple[Any, ...]], str]) -> None:
        original = getattr(owner, method)

        def watched(*args: Any, **named: Any) -> Any:
            name = name_of(args)
            self.count[name] = self.count.get(name, 0) + 1
            begin = self.event()
            result = original(*args, **named)
            self.spans.append((name, begin, self.event()))
            return result

        setattr(owner, method, watched)

    @property
    def kernel_ms(self) -> float | None:
        parts = self.by_kernel
        return None if parts is None else sum(parts.values())

    @property
    def by_kernel(self) -> dict[str, float] | None:
        """Milliseconds by name, the longest first."""
        if self.device is None or not self.spans or self.spans[0][1] is None:
            return None
        from cupy.cuda import get_elapsed_time

        total: dict[str, float] = {}
        for name, begin, end in self.spans:
            total[name] = total.get(name, 0.0) + get_elapsed_time(begin, end)
        return dict(sorted(total.items(), key=lambda item: -item[1]))


def _fixed(name: str, _: tuple[Any, ...]) -> str:
    return name


def events(device: Any) -> Callable[[], Any]:
    """A function that marks this moment in the device's stream (and gives None without CUDA)."""
    if type(device).__name__ != "CupyDevice":
        return lambda: None
    from cupy.cuda import Event

    def mark() -> Any:
        event = Event()
        event.record()
        return event

    return mark


def alone_ms(backend: Backend, work: Callable[[], object]) -> float | None:
    """What the device takes by itself, because a kernel keeps it busy until all is launched: the
    rest of a call is the host's. None where the call waits, or nobody can tell."""
    device: Any = getattr(backend, "device", None)
    if type(device).__name__ != "CupyDevice":
        return None
    from cupy.cuda import get_elapsed_time

    mark, waits = events(device), device.waits
    device.compile(SPIN, "spin")(1, 1, (np.int64(SPIN_CYCLES),))
    begin = mark()
    work()
    end, waited = mark(), device.waits > waits
    device.synchronize()
    return None if waited else get_elapsed_time(begin, end)


def joules(backend: Backend, work: Callable[[], object]) -> float | None:
    """Energy of one call of ``work``, the mean over calls for at least a second.

    From NVML's counter of the whole card; None without it.
    """
    read = energy_counter(backend)
    if read is None or (before := read()) is None:
        return None
    calls, start = 0, time.perf_counter()
    while time.perf_counter() - start < 1:
        work()
        calls += 1
    backend.synchronize()
    after = read()
    return None if after is None else (after - before) / 1e3 / calls


def energy_counter(backend: Backend) -> Callable[[], int | None] | None:
    """Reads the card's millijoules since the driver was loaded; None where NVML is missing."""
    if type(getattr(backend, "device", None)).__name__ != "CupyDevice":
        return None
    from cupy.cuda import Device

    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None
    handle, total = ctypes.c_void_p(), ctypes.c_ulonglong()
    bus = Device().pci_bus_id.encode()
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByPciBusId_v2(bus, ctypes.byref(handle)):
        return None

    def read() -> int | None:
        failed = nvml.nvmlDeviceGetTotalEnergyConsumption(handle, ctypes.byref(total))
        return None if failed else total.value

    return read
