"""The Device port on an NVIDIA GPU. Only this module and `cupy_peers` import CuPy."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import (
    BackendMismatch,
    BackendUnavailable,
    DimensionMismatch,
    TooLarge,
    WrongType,
)
from lagraph_gpu.gpu.device.branches import Branches
from lagraph_gpu.gpu.device.constants import CLOSURE_BLOCK, MAX_THREADS, MORE_THREADS
from lagraph_gpu.gpu.device.driver_launch import CupyKernel, Frame
from lagraph_gpu.gpu.device.filling import fill
from lagraph_gpu.gpu.device.forks import ADVICE
from lagraph_gpu.gpu.device.module import CUDA, cached
from lagraph_gpu.gpu.device.peers import Peers
from lagraph_gpu.gpu.device.port import DeviceArray, Kernel, give_back, too_large
from lagraph_gpu.gpu.device.prebuilt import OPTIONS, Prebuilt
from lagraph_gpu.gpu.device.waiting import wait_for
from lagraph_gpu.memory import expect_room, within_limit
from lagraph_gpu.reporting import LOG

HINT = "install a GPU build with pip install 'lagraph-gpu[cuda13]' (or [cuda12])"


ALIGNED = 256
"""Arrays begin at multiples of this number of bytes, as CUDA's allocations do."""

FEW_BYTES = 4096
"""Up to this number of bytes, a copy to the host goes through pinned memory: 11 µs instead of
14."""

COMPILERS = min(8, os.cpu_count() or 1)
"""The number of threads that compile ahead."""

NOT_INITIALIZED = 3
"""CUDA's error in a process that was forked after CUDA had been used, and with some drivers that do
not work."""


class Reserved(NamedTuple):
    """Memory without an array object; ``data`` is what an array would have as its data."""

    data: Any
    size: int
    dtype: np.dtype


class Pinned:
    """Pinned memory of the host, which is freed when no kernel can read it any more."""

    def __init__(self, cupy: Any, size: int) -> None:
        self.memory = cupy.cuda.PinnedMemory(size)
        self._wait = cupy.cuda.runtime.deviceSynchronize

    def __del__(self) -> None:
        with suppress(Exception):  # the driver may have ended before
            self._wait()  # synchronize!


class CupyDevice:
    """The current CUDA device, in CuPy's current stream.

    Raises BackendUnavailable if CuPy, a driver or a device is missing.
    """

    block_size = MAX_THREADS
    cooperative_block = CLOSURE_BLOCK + MORE_THREADS

    def __init__(self, number: int | None = None) -> None:
        """The current device, or with a number that device of the host, which becomes the current
        one. Numbers beyond the last begin anew.
        """
        try:
            import cupy
        except ImportError as missing:
            raise BackendUnavailable(
                f"expected CuPy for the GPU backend, but it cannot be imported ({missing}); {HINT}"
            ) from missing
        try:
            if number is not None:
                cupy.cuda.Device(number % cupy.cuda.runtime.getDeviceCount()).use()
            device = cupy.cuda.Device()
            properties = cupy.cuda.runtime.getDeviceProperties(device.id)
            cupy.zeros(1, np.int32).get()  # synchronize! does the driver answer?
        except Exception as failure:
            forked = getattr(failure, "status", None) == NOT_INITIALIZED
            why = f"if this process was forked from one that uses a GPU, {ADVICE}; else "
            raise BackendUnavailable(
                f"expected a working NVIDIA GPU, but CUDA says: {failure}; {why if forked else ''}"
                "check nvidia-smi, or use lg.set_backend('cpu')"
            ) from failure
        self._cupy, self.ordinal = cupy, device.id
        self.name = properties["name"].decode()
        self.multiprocessors = properties["multiProcessorCount"]
        self.compute_capability = device.compute_capability
        self._nvrtc_version = cupy.cuda.nvrtc.getVersion()
        self.largest_shared = properties["sharedMemPerBlockOptin"]
        resident = properties["maxThreadsPerMultiProcessor"] // self.block_size
        self.max_blocks = self.multiprocessors * resident
        self.frame = Frame(device)
        self.waits = self.launches = 0
        self._prebuilt = Prebuilt(device.compute_capability)
        self._compilers = ThreadPoolExecutor(COMPILERS, "lagraph_gpu_nvrtc")
        self._compiling: dict[tuple[str, str], Future[tuple[bytes, str]]] = {}
        self.beside = Branches(cupy.cuda).run

    def empty(self, size: int, dtype: Any) -> DeviceArray:
        return self._allocate(self._cupy.empty, size, dtype)

    def zeros(self, size: int, dtype: Any) -> DeviceArray:
        return self._allocate(self._cupy.zeros, size, dtype)

    def full(self, size: int, value: Any, dtype: Any) -> DeviceArray:
        array: Any = self.empty(size, dtype)
        each = set(np.array(value, dtype).tobytes())
        if len(each) == 1:  # many times as fast as fill() for narrow types
            array.data.memset_async(each.pop(), array.nbytes)
        elif not fill(self, array, value):
            array.fill(value)
        return array

    def _allocate(self, how: Any, size: int, dtype: Any) -> DeviceArray:
        try:
            return how(size, dtype)
        except self._cupy.cuda.memory.OutOfMemoryError:
            again = functools.partial(how, size, dtype)
        return self._once_more(again, size * np.dtype(dtype).itemsize)  # type: ignore[no-any-return]

    def _with_room(self, work: Callable[[], Any], wanted: int) -> Any:
        """The result of ``work``, or TooLarge if memory for it (about ``wanted`` bytes) is
        missing."""
        try:
            return work()
        except self._cupy.cuda.memory.OutOfMemoryError:
            pass
        return self._once_more(work, wanted)

    def _once_more(self, work: Callable[[], Any], wanted: int) -> Any:
        """Give back what earlier calls have kept for later ones, and return the result of ``work``.
        Raises TooLarge if memory for it (about ``wanted`` bytes) is still missing."""
        try:
            if give_back():
                return work()
        except self._cupy.cuda.memory.OutOfMemoryError:
            pass
        raise too_large(wanted, self.free_bytes)

    def pinned(self, size: int, dtype: Any) -> DeviceArray:
        cuda, wanted = self._cupy.cuda, max(1, size) * np.dtype(dtype).itemsize
        expect_room(wanted, "rows in pinned memory of the host")
        try:
            pinned = Pinned(self._cupy, wanted)
        except cuda.runtime.CUDARuntimeError as failure:
            raise TooLarge(
                f"expected {wanted:,} bytes of pinned memory on the host, but CUDA says: {failure}"
            ) from failure
        memory = cuda.UnownedMemory(pinned.memory.ptr, wanted, pinned, self.ordinal)
        return self._cupy.ndarray((size,), dtype, cuda.MemoryPointer(memory, 0))  # type: ignore[no-any-return]

    def is_pinned(self, array: DeviceArray) -> bool:
        return isinstance(getattr(array.data.mem, "_owner", None), Pinned)  # type: ignore[attr-defined]

    def reserve(self, *parts: tuple[int, np.dtype]) -> tuple[Reserved, ...]:
        end, begins = 0, []
        for size, dtype in parts:
            begins.append(-(-end // ALIGNED) * ALIGNED)
            end = begins[-1] + size * dtype.itemsize
        memory = self._with_room(lambda: self._cupy.cuda.alloc(end), end)
        return tuple(Reserved(memory + begin, *part) for begin, part in zip(begins, parts))

    def described(self, memory: Any) -> DeviceArray:
        return self._cupy.ndarray((memory.size,), memory.dtype, memory.data)

    def retyped(self, array: DeviceArray, dtype: Any) -> DeviceArray:
        return array.view(dtype)  # type: ignore[attr-defined,no-any-return]

    def upload(self, host: np.ndarray) -> DeviceArray:
        array = self.empty(host.size, host.dtype)
        array.set(np.ascontiguousarray(host))  # type: ignore[attr-defined]
        return array

    def write(self, array: DeviceArray, host: np.ndarray) -> None:
        host = np.ascontiguousarray(host)
        if self.is_pinned(array):
            runtime = self._cupy.cuda.runtime
            runtime.memcpy(array.data.ptr, host.ctypes.data, host.nbytes, runtime.memcpyDefault)  # type: ignore[attr-defined]
        else:
            array.set(host)  # type: ignore[attr-defined]

    def overwrite(self, array: DeviceArray, source: DeviceArray) -> None:
        runtime, to, from_ = self._cupy.cuda.runtime, array.data.ptr, source.data.ptr  # type: ignore[attr-defined]
        runtime.memcpyAsync(to, from_, source.nbytes, runtime.memcpyDefault, self.stream)

    def peers(self, host: Any) -> Peers:
        from lagraph_gpu.gpu.device.cupy_peers import choose

        return choose(self, host)

    def download(self, array: DeviceArray) -> np.ndarray:
        self.waits += 1
        if not 0 < array.nbytes <= FEW_BYTES:
            self._wait()  # synchronize!
            return array.get()  # type: ignore[attr-defined]  # synchronize!
        host = self._begun(array)
        self._wait(host)  # synchronize!
        return host

    def _wait(self, memory: Any = None) -> None:
        """Wait for the stream, and for a copy to this memory in it."""
        stream, query = self._cupy.cuda.get_current_stream(), self._cupy.cuda.runtime.streamQuery
        wait_for(lambda: query(stream.ptr), stream.synchronize, memory)  # synchronize!

    def _wait_until(self, event: Any, memory: Any = None) -> None:
        """Wait for an event, and for a copy to this memory before it."""
        query, pointer = self._cupy.cuda.runtime.eventQuery, event.ptr
        wait_for(lambda: query(pointer), event.synchronize, memory)  # synchronize!

    def _begun(self, array: Any) -> np.ndarray:
        """An array in pinned host memory to which a copy has been started."""
        memory = self._cupy.cuda.alloc_pinned_memory(array.nbytes)
        array.data.copy_to_host_async(memory.ptr, array.nbytes)
        return np.frombuffer(memory, array.dtype, array.size)

    def fetch(self, array: DeviceArray) -> Callable[[], np.ndarray]:
        host = self._begun(array)
        done = self._cupy.cuda.Event(disable_timing=True)
        done.record()

        def fetched() -> np.ndarray:
            self.waits += 1
            self._wait_until(done, host)  # synchronize!
            return host

        return fetched

    def copy(self, array: DeviceArray) -> DeviceArray:
        made = self.empty(array.size, array.dtype)
        if array.size:  # copy() of an array would compile a kernel for its type
            self.overwrite(made, array)
        return made

    def adopt(self, foreign: Any) -> DeviceArray:
        cupy = self._cupy
        foreign = foreign.detach() if hasattr(foreign, "detach") else foreign  # PyTorch's gradients
        try:
            if isinstance(foreign, cupy.ndarray):
                array = foreign
            elif hasattr(foreign, "__cuda_array_interface__"):
                array = cupy.asarray(foreign)
            else:
                array = cupy.from_dlpack(foreign)
        except (BufferError, RuntimeError, TypeError, ValueError) as failure:
            raise WrongType(
                f"expected an array on the GPU that CuPy can share, got {type(foreign).__name__}: "
                f"{failure}"
            ) from failure
        if array.ndim != 1:
            raise DimensionMismatch(f"expected a one-dimensional array, got shape {array.shape}")
        if array.device.id != self.ordinal:
            raise BackendMismatch(
                f"expected an array on device {self.ordinal}, got one on device {array.device.id}; "
                "copy it to this one first"
            )
        return cupy.ascontiguousarray(array)

    def export(self, array: DeviceArray) -> Any:
        return array

    def sparse(self, shape: tuple[int, int], indptr: Any, indices: Any, values: Any) -> Any:
        from cupyx.scipy.sparse import csr_matrix

        self.waits += 1
        result = csr_matrix((values, indices, indptr), shape=shape)  # synchronize!
        result.has_canonical_format = True
        return result

    def sort(self, array: DeviceArray) -> None:
        self._with_room(array.sort, array.nbytes)  # type: ignore[attr-defined]

    def argsort(self, array: DeviceArray) -> DeviceArray:
        order = self._with_room(lambda: self._cupy.argsort(array, kind="stable"), 2 * array.nbytes)
        return order.astype(np.int64, copy=False)  # type: ignore[no-any-return]

    @functools.cache  # noqa: B019  (a device lives as long as its process)
    def compile(self, source: str, name: str) -> Kernel:
        begun = self._compiling.get((source, name))
        cubin, mangled = self._cubin(source, name) if begun is None else begun.result()
        try:
            return self._loaded(cubin, mangled)
        except self._cupy.cuda.driver.CUDADriverError as failure:
            if (source, name) not in self._prebuilt:
                raise
            LOG.info(
                "the driver does not load the wheel's kernels, which are compiled: %s", failure
            )
            self._prebuilt.refused = True
            return self._loaded(*self._cubin(source, name))

    def _loaded(self, cubin: bytes, mangled: str) -> CupyKernel:
        module = self._cupy.cuda.function.Module()
        module.load(cubin)
        return CupyKernel(module.get_function(mangled), self)

    def compile_ahead(self, programs: Iterable[tuple[str, str]]) -> bool:
        wanted = list(programs)
        for program in wanted:
            if program not in self._compiling:
                self._compiling[program] = self._compilers.submit(self._cubin, *program)
        return all(self._compiling[program].done() for program in wanted)

    def _cubin(self, source: str, name: str) -> tuple[bytes, str]:
        """A compiled module and its kernel's mangled name. Any thread may call it."""
        return self._prebuilt.find(source, name) or cached(
            self._key(source, name), lambda: self._nvrtc(source, name)
        )

    def _key(self, source: str, name: str) -> tuple[object, ...]:
        return source, name, *OPTIONS, self.compute_capability, self._nvrtc_version

    def _nvrtc(self, source: str, name: str) -> tuple[bytes, str]:
        LOG.info("compiling the kernel %s for compute capability %s", name, self.compute_capability)
        # RawModule would append -ftz=true; the function under it leaves the options alone.
        compiler = self._cupy.cuda.compiler
        options = (*OPTIONS, f"-I{CUDA}")
        with self._cupy.cuda.Device(self.ordinal):  # each thread has a device of its own
            cubin, mapping = compiler.compile_using_nvrtc(source, options, name_expressions=(name,))
        return cubin, mapping[name]

    def synchronize(self) -> None:
        self.waits += 1
        self._wait()  # synchronize!

    def stopwatch(self) -> Callable[[], float | None]:
        cuda = self._cupy.cuda
        start, end = cuda.Event(), cuda.Event()
        start.record()

        def stop() -> float:
            end.record()
            self.waits += 1
            self._wait_until(end)  # synchronize!
            return cuda.get_elapsed_time(start, end) * 1e3

        return stop

    @property
    def stream(self) -> int:
        return self._cupy.cuda.get_current_stream().ptr  # type: ignore[no-any-return]

    @property
    def free_bytes(self) -> int:
        pool = self._cupy.get_default_memory_pool()
        free = self._cupy.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
        return within_limit(free, pool.used_bytes())
