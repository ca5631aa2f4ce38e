"""The port to a device: memory, two whole-array operations, and kernels.

``CupyDevice`` implements it on a GPU; the tests' emulator implements it without one, so that the
same host code and the same kernels run in both. Arrays are opaque to the host: only these methods
and kernels may look into them. Every method that waits for the device says so and is counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from lagraph_gpu.errors import TooLarge


class DeviceArray(Protocol):
    """A one-dimensional array on a device. ``array[a:b]`` is a view."""

    @property
    def dtype(self) -> np.dtype: ...
    @property
    def size(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __getitem__(self, part: slice) -> DeviceArray: ...


class Kernel(Protocol):
    """A compiled kernel. Arguments are device arrays, NumPy scalars of the exact type, or None; and
    for a struct that a kernel takes by value a tuple of these, one for each field."""

    def __call__(
        self, grid: int, block: int, args: tuple[Any, ...], *, cooperative: bool = False,
        shared_bytes: int = 0,
    ) -> None:  # fmt: skip
        """Run, with so much dynamic shared memory for a block; a cooperative launch needs all of
        its blocks on the device at once."""

    def resident_blocks(self, block: int) -> int:
        """How many blocks of so many threads the whole device holds at a time."""


class Device(Protocol):
    """Where arrays live and kernels run: in order, as long as the stream is the same."""

    name: str
    ordinal: int
    """The device's number among those of its host."""
    multiprocessors: int
    compute_capability: str
    block_size: int
    """Threads of a block, a multiple of 32."""
    cooperative_block: int
    """Threads of a block of a cooperative kernel: larger, for a barrier costs by the block."""
    largest_shared: int
    """Bytes of dynamic shared memory that a block may have."""
    max_blocks: int
    """Blocks that fill the device; kernels stride over the rest of their work."""
    waits: int
    """How often the host has waited for the device."""
    launches: int
    """How many kernels have been launched."""

    def empty(self, size: int, dtype: Any) -> DeviceArray:
        """Uninitialised memory; raises TooLarge with the bytes wanted and free."""

    def reserve(self, *parts: tuple[int, np.dtype]) -> tuple[Any, ...]:
        """The same for several at once, which stays as long as any of them, and as memory that is
        no array yet, for that takes the host a while: kernels take it as it is, and ``described``
        makes an array of it."""

    def described(self, memory: Any) -> DeviceArray: ...

    def zeros(self, size: int, dtype: Any) -> DeviceArray: ...

    def full(self, size: int, value: Any, dtype: Any) -> DeviceArray: ...

    def upload(self, host: np.ndarray) -> DeviceArray: ...

    def download(self, array: DeviceArray) -> np.ndarray:
        """A copy on the host. Waits."""

    def fetch(self, array: DeviceArray) -> Callable[[], np.ndarray]:
        """Starts a copy to the host, behind all that has been launched. The call waits for it, but
        for nothing that was launched later."""

    def copy(self, array: DeviceArray) -> DeviceArray:
        """The same values elsewhere; raises TooLarge, as whatever needs memory."""

    def adopt(self, foreign: Any) -> DeviceArray:
        """Another library's one-dimensional array on this device, by DLPack or
        ``__cuda_array_interface__``, in the same memory; copied only if it is not contiguous."""

    def export(self, array: DeviceArray) -> Any:
        """The array as others take it (it speaks DLPack and ``__cuda_array_interface__``), in the
        same memory, which lives as long as either does."""

    def sparse(self, shape: tuple[int, int], indptr: Any, indices: Any, values: Any) -> Any:
        """A CSR matrix of cupyx over exported arrays. Waits."""

    def sort(self, array: DeviceArray) -> None:
        """Put the values in increasing order, in place. Needs as much memory again meanwhile."""

    def argsort(self, array: DeviceArray) -> DeviceArray:
        """The stable sorting permutation, INT64."""

    def compile(self, source: str, name: str) -> Kernel:
        """The kernel that the C++ name expression ``name`` names in ``source``; cached."""

    def synchronize(self) -> None:
        """Wait until all work is done. Waits."""

    def stopwatch(self) -> Callable[[], float | None]:
        """Starts in the order of the device's work, and stops when it is called: the microseconds
        between the two, or None where the device has no clock. The call waits."""

    @property
    def stream(self) -> int:
        """Which stream kernels are launched in: what one of them leaves, the next in it may use."""

    @property
    def free_bytes(self) -> int: ...


def too_large(wanted: int, free: int) -> TooLarge:
    return TooLarge(
        f"expected {wanted:,} bytes of free GPU memory, but {free:,} are free; "
        "free other arrays, use a smaller graph, or lg.set_backend('cpu')"
    )


def expect_room(device: Device, wanted: int) -> None:
    """Refuses (TooLarge) work that would need so many bytes, before any of it is launched. The
    driver takes a while to say what is free: to be asked for what is then kept."""
    free = device.free_bytes
    if wanted > free:
        raise too_large(wanted, free)


class Own:
    """What kernels of one call leave for each other. Each thread has its own in each stream, where
    its kernels run in order: so no two calls meet there."""

    def __init__(self, device: Device) -> None:
        self.device, self._local = device, threading.local()

    @property
    def kept(self) -> dict[Any, Any]:
        """What the current thread keeps for the current stream."""
        streams = self._local.__dict__.setdefault("streams", {})
        return streams.setdefault(self.device.stream, {})  # type: ignore[no-any-return]
