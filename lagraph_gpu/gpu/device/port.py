"""The port to a device: memory, sorting, and kernels.

``CupyDevice`` implements it on a GPU. The tests' emulator implements it without one, so that the
same host code and the same kernels run in both. Arrays are opaque to the host: only these methods
and kernels read them. Every method that waits for the device says so and is counted.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from lagraph_gpu import memory
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.memory import short_of

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device.peers import Peers


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
        """Launch the kernel with so much dynamic shared memory for each block. A cooperative launch
        needs all of its blocks on the device at once."""

    def resident_blocks(self, block: int) -> int:
        """The number of blocks of so many threads that the whole device holds at a time."""


class Device(Protocol):
    """Where arrays are and kernels run. Kernels in the same stream run in order."""

    name: str
    ordinal: int
    """The device's number among those of its host."""
    multiprocessors: int
    compute_capability: str
    block_size: int
    """The usual number of threads in a block, a multiple of 32."""
    cooperative_block: int
    """The number of threads in a block of a cooperative kernel. It is larger, because the cost of a
    barrier grows with the number of blocks."""
    largest_shared: int
    """The largest number of bytes of dynamic shared memory for a block."""
    max_blocks: int
    """The number of blocks that fill the device. A kernel's loop strides over the rest of its
    work."""
    waits: int
    """The number of times that the host has waited for the device."""
    launches: int
    """The number of kernels that have been launched."""

    def empty(self, size: int, dtype: Any) -> DeviceArray:
        """Uninitialized memory. Raises TooLarge with the bytes that are needed and free."""

    def pinned(self, size: int, dtype: Any) -> DeviceArray:
        """Uninitialized memory of the host, pinned, which kernels read and write in place over the
        bus. Raises TooLarge if the host has not so much."""

    def is_pinned(self, array: DeviceArray) -> bool:
        """Whether an array is memory of the host."""

    def reserve(self, *parts: tuple[int, np.dtype]) -> tuple[Any, ...]:
        """Uninitialized memory for several arrays at once, which is freed when none of them is used
        any more.

        The parts are not arrays yet, because making array objects costs the host time. Kernels take
        them as they are, and ``described`` makes an array of one.
        """

    def described(self, memory: Any) -> DeviceArray: ...

    def retyped(self, array: DeviceArray, dtype: Any) -> DeviceArray:
        """The same memory as an array of another type."""

    def zeros(self, size: int, dtype: Any) -> DeviceArray: ...

    def full(self, size: int, value: Any, dtype: Any) -> DeviceArray: ...

    def upload(self, host: np.ndarray) -> DeviceArray: ...

    def write(self, array: DeviceArray, host: np.ndarray) -> None:
        """Copy an array of the host over one of the device."""

    def overwrite(self, array: DeviceArray, source: DeviceArray) -> None:
        """Copy an array over another one of the same type and size, of which either may be memory
        of the host."""

    def peers(self, host: Any) -> Peers:
        """The way to arrays on the devices of other processes. All processes call it together.
        `host` is a transport of the cluster backend, for bytes on hosts.
        """

    def download(self, array: DeviceArray) -> np.ndarray:
        """A copy on the host. Waits for the device."""

    def fetch(self, array: DeviceArray) -> Callable[[], np.ndarray]:
        """Start a copy to the host, after all work that has been launched. The returned function
        waits for the copy, but for nothing that was launched later, and returns it."""

    def copy(self, array: DeviceArray) -> DeviceArray:
        """A copy in other memory. Raises TooLarge, as every method does that needs memory."""

    def adopt(self, foreign: Any) -> DeviceArray:
        """Another library's one-dimensional array on this device, taken by DLPack or
        ``__cuda_array_interface__``. It shares the memory; it is copied only if it is not
        contiguous."""

    def export(self, array: DeviceArray) -> Any:
        """The array for other libraries (it has DLPack and ``__cuda_array_interface__``). It shares
        the memory, which is freed when neither side uses it any more."""

    def sparse(self, shape: tuple[int, int], indptr: Any, indices: Any, values: Any) -> Any:
        """A CSR matrix of cupyx over exported arrays. Waits for the device."""

    def sort(self, array: DeviceArray) -> None:
        """Sort the values in place, in increasing order. Needs a temporary copy of the array."""

    def argsort(self, array: DeviceArray) -> DeviceArray:
        """The permutation that sorts the array, stable, INT64."""

    def compile(self, source: str, name: str) -> Kernel:
        """The kernel with the C++ name expression ``name`` in ``source``, from a cache."""

    def compile_ahead(self, programs: Iterable[tuple[str, str]]) -> bool:
        """Begin to compile kernels, each a source and a name, beside what the host does. True if
        none of them has to be waited for any more."""

    def beside(self, *parts: Callable[[], None]) -> None:
        """Call each of these functions, whose kernels may run beside those of the others: after
        everything before, and before everything after."""

    def synchronize(self) -> None:
        """Wait until all work is done."""

    def stopwatch(self) -> Callable[[], float | None]:
        """Start a clock at this point of the device's work. The returned function stops it,
        waits for the device, and returns the microseconds in between, or None if the device has
        no clock."""

    @property
    def stream(self) -> int:
        """The current stream. A kernel may read what an earlier kernel in the same stream wrote."""

    @property
    def free_bytes(self) -> int: ...


def too_large(wanted: int, free: int) -> TooLarge:
    are = f"{free:,} are free" if wanted > free else f"the {free:,} that are free lie apart"
    return short_of(
        f"expected {wanted:,} bytes of free GPU memory, but {are}; "
        "free other arrays, use a smaller graph, or lg.set_backend('cpu')"
    )


DEVICE_RECLAIMERS: list[Callable[[], bool]] = []
"""Functions that free memory which was kept to make later calls faster, and say whether there was
any."""


def give_back() -> bool:
    """Free what earlier calls have kept for later ones, also what other folders keep: process 0 of
    a cluster has whole matrices on its device. True if there was any."""
    given = [give() for give in (*DEVICE_RECLAIMERS, memory.give_back)]
    return any(given)


def expect_room(device: Device, wanted: int) -> None:
    """Raise TooLarge if fewer bytes than ``wanted`` are free, before any work is launched, even
    after what was kept for later calls has been given back. The driver is slow to report free
    memory, so this is called only for memory that is kept."""
    if not has_room(device, wanted):
        raise too_large(wanted, device.free_bytes)


def has_room(device: Device, wanted: int) -> bool:
    """Whether so many bytes are free, if need be after what was kept has been given back."""
    return wanted <= device.free_bytes or (give_back() and wanted <= device.free_bytes)


WORKSPACE_DIVISOR, TABLE_DIVISOR = 4, 2
"""What a step takes beside its operands is at most one in so many free bytes; the second for a
table of which there is one alone. Decision 0119 has measurements of the first for searches in
copies of a graph; others are not yet measured."""


def workspace_bytes(device: Device, divisor: int = WORKSPACE_DIVISOR) -> int:
    """The most bytes that a step may take beside its operands."""
    return device.free_bytes // divisor


class Own(threading.local):
    """Memory in which the kernels of one call pass data to each other. It belongs to a thread and a
    stream, in which kernels run in order, so no two calls use it at once."""

    def __init__(self) -> None:
        self.on: defaultdict[Any, dict[Any, Any]] = defaultdict(dict)
        """The current thread's memory, by stream."""


class BackendPart:
    """A part of the GPU backend, such as its products or its exchange of arrays. It reaches the
    other parts through the backend."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device, self._own = backend, backend.device, Own()
