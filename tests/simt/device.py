"""``EmulatedDevice``: the Device port on a machine without a GPU.

The same port as ``CupyDevice``, over the emulator, and stricter than a GPU on purpose:

* an ``EmulatedArray`` is opaque: the host can ask for its dtype, size and nbytes, and slice it;
  anything else (indexing, iterating, NumPy functions) raises, for on a GPU it would fail or wait in
  secret;
* kernel arguments must have exactly the type the kernel declares: no Python numbers, no host
  arrays, no array of another dtype, none of another device;
* ``empty`` gives poisoned memory; in check mode a kernel must not read what nobody wrote;
* ``waits`` counts every download and synchronize.

>>> device = EmulatedDevice(mode="check", seed=7)
>>> source = "template <int N> __global__ void add(int* a) { a[threadIdx.x] += N; }"
>>> a = device.upload(np.arange(4, dtype=np.int32))
>>> device.compile(source, "add<10>")(1, 4, (a,))
>>> device.download(a).tolist()
[10, 11, 12, 13]

What it does not imitate: time, caches (who could read a stale value is in a race), registers,
``__launch_bounds__``, contraction to fused multiply-adds, ``-ftz``.

Each launch is interleaved by a schedule drawn from the device's seed and the launch's number; set
``device.schedule`` to hold one schedule fast (say, to see a failure again: errors name it).
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from lagraph_gpu.errors import DimensionMismatch
from lagraph_gpu.gpu.device import DeviceArray
from lagraph_gpu.gpu.device.peer_windows import PeerWindows
from lagraph_gpu.gpu.device.peers import HostPeers, sent_to_others
from lagraph_gpu.gpu.device.port import give_back, too_large
from tests.simt import emulator
from tests.simt.emulator import EmulationError, Limits, Memory, Parameter, Schedule, Stats, Value
from tests.simt.source import CUDA_DIR, source_edits

POISON = 0xCD


class EmulatedArray:
    """Memory of the device: dtype, size, nbytes and contiguous slices, no more.

    ``first`` is the number of the first element for kernels: they get a pointer that lies so many
    elements before it."""

    __slots__ = ("_bytes", "_written", "device", "dtype", "first", "on_host", "size")

    def __init__(
        self, device: EmulatedDevice, raw: np.ndarray, written: np.ndarray, dtype: np.dtype[Any]
    ) -> None:
        self.device, self.first, self.on_host = device, 0, False
        self.dtype = dtype
        self.size = raw.size // dtype.itemsize
        self._bytes = raw  # uint8
        self._written = written  # uint8, one for each byte: 1 where a value was stored

    @property
    def nbytes(self) -> int:
        """Bytes of this array (of the slice, if it is one)."""
        return self.size * self.dtype.itemsize

    def __getitem__(self, part: slice) -> EmulatedArray:
        """``a[start:stop]``: a view of the same memory."""
        if not isinstance(part, slice):
            self._refuse(f"indexing with {type(part).__name__}")
        start, stop, step = part.indices(self.size)
        if step != 1:
            self._refuse(f"a slice with step {step}")
        a, b = start * self.dtype.itemsize, max(start, stop) * self.dtype.itemsize
        made = EmulatedArray(self.device, self._bytes[a:b], self._written[a:b], self.dtype)
        made.on_host = self.on_host
        return made

    def __repr__(self) -> str:
        return f"<EmulatedArray of {self.size} {self.dtype}>"

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(f"{what} on a device array; download it, or write a kernel")

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        self._refuse("a NumPy function")

    def __iter__(self) -> NoReturn:
        self._refuse("iteration")

    def __len__(self) -> int:
        self._refuse("len() (use .size)")

    def __bool__(self) -> bool:
        self._refuse("truth")

    def __eq__(self, other: object) -> NoReturn:
        self._refuse("==")

    __hash__ = None  # type: ignore[assignment]


class ForeignArray:
    """An array of another library on the emulated device. It stands for CuPy's: it speaks
    ``__cuda_array_interface__`` and DLPack, and NumPy must not look into it."""

    def __init__(self, values: Any, keeps: Any = None, *, dlpack_only: bool = False) -> None:
        self._values = np.ascontiguousarray(values) if keeps is None else values
        self._keeps = keeps  # whoever owns the memory
        self.dtype, self.shape, self.ndim = values.dtype, values.shape, values.ndim
        self.size = values.size
        if not dlpack_only:
            self.__cuda_array_interface__ = {
                "shape": values.shape,
                "typestr": values.dtype.str,
                "data": (self._values.ctypes.data, False),
                "strides": None,
                "version": 3,
            }

    def get(self) -> np.ndarray:
        """A copy on the host."""
        return self._values.copy()

    def reshape(self, shape: tuple[int, ...]) -> ForeignArray:
        """The same memory in another shape."""
        return ForeignArray(self._values.reshape(shape), keeps=self)

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0

    def __dlpack__(self, **_: object) -> Any:
        return self._values.__dlpack__()


class _OnTheHost:
    """An array of the device as DLPack would describe it on the host, where the emulator runs."""

    def __init__(self, foreign: Any) -> None:
        self._foreign = foreign

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: object) -> Any:
        return self._foreign.__dlpack__()


class _Interface:
    """``__array_interface__`` of what has ``__cuda_array_interface__``; keeps its owner alive."""

    def __init__(self, foreign: Any) -> None:
        self._foreign = foreign
        self.__array_interface__ = dict(foreign.__cuda_array_interface__)


class EmulatedKernel:
    """A kernel on a device. ``stats`` tells about its last launch."""

    def __init__(self, device: EmulatedDevice, kernel: emulator.Kernel) -> None:
        self.device = device
        self.name = kernel.name
        self.stats = Stats()
        self._kernel = kernel

    def __call__(
        self,
        grid: int,
        block: int,
        args: tuple[object, ...],
        shared_bytes: int = 0,
        *,
        cooperative: bool = False,
    ) -> None:
        """Run on ``grid`` blocks of ``block`` threads, to the end.

        A launch that fails leaves its arguments as they were: memory that kernels hand to each
        other, such as the tickets of prefix sums, would else be wrong for all later launches.

        ``args``: DeviceArrays for pointers (None: a null pointer), NumPy scalars of exactly the
        declared type, tuples of both for structs. With ``cooperative`` all blocks must fit on the
        device at once (else ``LaunchError``); without, blocks that do not fit start when others
        have ended.
        """
        self.together(grid, block, [args], shared_bytes, cooperative=cooperative)

    def together(
        self,
        grid: int,
        block: int,
        launches: Sequence[tuple[object, ...]],
        shared_bytes: int = 0,
        *,
        cooperative: bool = True,
    ) -> None:
        """The same for several launches that run at the same time, as on several devices; each has
        its arguments. Arrays of all of them are on this device."""
        fit = self.resident_blocks(block, shared_bytes)
        if cooperative and grid > fit:
            raise emulator.LaunchError(
                f"{self.name}: a cooperative launch of {grid} blocks of {block} threads; {fit} fit"
            )
        packed = [self._packed(args) for args in launches]
        declared = self._kernel.parameters
        schedule = self.device.next_schedule()
        before = [
            (a, a._bytes.copy(), a._written.copy())
            for args in launches
            for a in written_to(args, declared)
        ]
        try:
            self.stats = self._kernel.launch(
                grid,
                block,
                packed[0],
                shared_bytes=shared_bytes,
                resident=fit,
                check=self.device.mode == "check",
                schedule=schedule,
                limits=self.device.limits,
                others=packed[1:],
            )
        except EmulationError as error:
            for a, held, written in before:
                a._bytes[:], a._written[:] = held, written
            error.add_note(f"grid {grid}, block {block}, {schedule}")
            raise
        if self.device.mode == "fast":
            for a, *_ in before:
                a._written[:] = 1  # not followed in fast mode

    def _packed(self, args: tuple[object, ...]) -> list[Any]:
        declared = self._kernel.parameters
        if not isinstance(args, tuple) or len(args) != len(declared):
            count = len(args) if isinstance(args, tuple) else type(args).__name__
            raise TypeError(f"{self.name} takes a tuple of {len(declared)} arguments, not {count}")
        return [
            self._struct(f"{self.name}, argument {number}", p, a)
            if p.fields
            else self._pack(f"{self.name}, argument {number}", p, a)
            for number, (p, a) in enumerate(zip(declared, args, strict=True))
        ]

    def resident_blocks(self, block: int, shared_bytes: int = 0) -> int:
        """How many blocks of ``block`` threads the whole device runs at a time."""
        device = self.device
        by_threads = device.threads_per_multiprocessor // max(1, -(-block // 32) * 32)
        by_shared = device.limits.shared // max(1, shared_bytes)
        return max(1, min(by_threads, by_shared, 32)) * device.multiprocessors

    def _struct(self, where: str, p: Parameter, a: object) -> list[Value]:
        if type(a) is not tuple or len(a) != len(p.fields):  # CupyDevice takes no named one either
            held = f"one of {len(a)}" if type(a) is tuple else type(a).__name__
            raise TypeError(f"{where}: a tuple of {len(p.fields)} fields is expected, not {held}")
        fields = enumerate(zip(p.fields, a, strict=True))
        return [self._pack(f"{where}, field {k}", field, value) for k, (field, value) in fields]

    def _pack(self, where: str, p: Parameter, a: object) -> Value:
        if p.pointer:
            if a is None:
                return None
            if not isinstance(a, EmulatedArray):
                raise TypeError(
                    f"{where}: a device array of {p} is expected, not {type(a).__name__}"
                )
            if a.device is not self.device:
                raise TypeError(f"{where}: an array of another device")
            if not _holds(p, a.dtype):
                raise TypeError(f"{where}: the kernel takes {p}, the array holds {a.dtype}")
            check = self.device.mode == "check"
            written = a._written.ctypes.data if check else None
            return Memory(a._bytes.ctypes.data, a.nbytes, written, a.first * a.dtype.itemsize)
        if not isinstance(a, np.generic) or not _holds(p, a.dtype):
            held = a.dtype if isinstance(a, np.generic) else type(a).__name__
            raise TypeError(f"{where}: a NumPy scalar of {p} is expected, not {held}")
        return a.tobytes()


def written_to(
    args: tuple[object, ...], declared: tuple[Parameter, ...]
) -> Iterator[EmulatedArray]:
    """The arrays that a kernel may write to, also those in structs."""
    for argument, parameter in zip(args, declared, strict=True):
        if parameter.fields:
            yield from written_to(argument, parameter.fields)  # type: ignore[arg-type]
        elif isinstance(argument, EmulatedArray) and not parameter.constant:
            yield argument


def _holds(p: Parameter, dtype: np.dtype[Any]) -> bool:
    if p.kind in "sv":
        return p.pointer
    if dtype.kind == "b":  # NumPy's bool is one byte of 0 or 1
        return p.kind == "b" or (p.pointer and p.kind == "u" and p.size == 1)
    return dtype.kind == p.kind and dtype.itemsize == p.size


class Taken:
    """The bytes that arrays take now, and took at most."""

    def __init__(self) -> None:
        self.now = self.most = 0

    def add(self, room: int, memory: np.ndarray) -> None:
        """Count so many bytes until this memory is freed."""
        self.now += room
        self.most = max(self.most, self.now)
        weakref.finalize(memory, self._free, room).atexit = False

    def _free(self, room: int) -> None:
        self.now -= room


class EmulatedPeerWindows(PeerWindows):
    """Of processes that are threads which take turns, on one device: their kernels run in one
    launch."""

    def __init__(self, device: EmulatedDevice, host: Any) -> None:
        def open_memory(count: int, dtype: np.dtype) -> list[Any]:
            return host.met("opened", device.empty(count, dtype))

        super().__init__(device, host, open_memory)
        self._host = host

    def launch(self, kernel: Any, grid: int, block: int, args: tuple[Any, ...]) -> None:
        given = self._host.met("launched", (kernel.name, grid, block, args))
        assert len({one[:3] for one in given}) == 1
        failed = None
        if self.rank == 0:
            try:
                kernel.together(grid, block, [one[3] for one in given])
            except EmulationError as error:
                failed = error
        failed = self._host.met("over", failed)[0]
        if failed is not None:
            raise failed


class DirectPeers:
    """Implements ``peers.Peers`` for processes that are threads which take turns, on one device:
    each copies from the arrays of the others."""

    name = "peer_windows"

    def __init__(self, device: EmulatedDevice, host: Any) -> None:
        self.device, self.host = device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0
        self.peer_windows = EmulatedPeerWindows(device, host)

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        each = to.size // self.size
        self.sent += counts[self.rank] * array.dtype.itemsize * (self.size - 1)
        for rank, one in enumerate(self.host.met("gathered between devices", array)):
            begin = rank * each
            self.device.overwrite(to[begin : begin + counts[rank]], one[: counts[rank]])
        self.host.met("read", None)

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        self.sent += sent_to_others(arrays, self.rank)
        for rank, parts in enumerate(self.host.met("sent between devices", arrays)):
            begin = sum(come[:rank])
            for target, array in zip(to, parts, strict=True):
                self.device.overwrite(target[begin : begin + come[rank]], array[self.rank])
        self.host.met("read", None)


class EmulatedDevice:
    """The Device port over the emulator.

    ``mode``: "check" looks at every access; "fast" does not, and a wrong kernel may then end the
    process. ``seed`` determines every schedule. ``block_size`` and ``max_blocks`` are small, so
    that launches are. Headers of kernels are looked up in ``folders``.
    """

    def __init__(
        self,
        mode: str = "check",
        seed: int = 0,
        multiprocessors: int = 2,
        schedule: Schedule | None = None,
        block_size: int = 64,
        max_blocks: int = 4,
        folders: tuple[Path, ...] = (CUDA_DIR,),
    ) -> None:
        if mode not in ("check", "fast"):
            raise ValueError(f"mode must be 'check' or 'fast', not {mode!r}")
        self.name = f"emulator ({mode})"
        self.mode = mode
        self.seed = seed
        self.ordinal = 0
        self.multiprocessors = multiprocessors
        self.threads_per_multiprocessor = 2048
        self.compute_capability = "90"
        self.block_size = block_size
        self.max_blocks = max_blocks
        self.folders = folders
        self.limits = Limits()
        self.largest_shared = self.limits.shared
        self.schedule = schedule
        self.stream = 0
        self.waits = 0
        self.launches = 0
        self.room: int | None = None
        self.taken = Taken()
        self._compiled: dict[object, emulator.Kernel] = {}

    @property
    def cooperative_block(self) -> int:
        return self.block_size

    def next_schedule(self) -> Schedule:
        """The schedule of the next launch; counts it."""
        self.launches += 1
        return self.schedule or Schedule.drawn(self.seed, self.launches)

    # memory

    @contextmanager
    def room_of(self, most: int | None) -> Iterator[None]:
        """A block in which arrays that are made take at most so many bytes at a time, after which
        `empty` and its kin raise TooLarge. Arrays made before are not counted; None is no bound.
        """
        before, self.room, self.taken = (self.room, self.taken), most, Taken()
        try:
            yield
        finally:
            self.room, self.taken = before

    def _make_room(self, wanted: int) -> None:
        if wanted > self.free_bytes and not (give_back() and wanted <= self.free_bytes):
            raise too_large(wanted, self.free_bytes)

    def _allocate(
        self, size: int, dtype: Any, written: bool, on_host: bool = False
    ) -> EmulatedArray:
        kind = np.dtype(dtype)
        if kind.kind not in "biufc" or kind.itemsize > (16 if kind.kind == "c" else 8):
            raise TypeError(f"no device array of {kind}")
        room = int(size) * kind.itemsize
        if self.room is not None and not on_host:
            self._make_room(room)
        # A GPU's allocations are aligned, and end on a whole word: a compare-and-swap of the last
        # bytes may take in up to three beyond them.
        slack = np.full(room + 256 + 3, POISON, np.uint8)
        if self.room is not None and not on_host:
            self.taken.add(room, slack)
        start = -slack.ctypes.data % 256
        marks = np.full(room + 3, 1, np.uint8)
        marks[:room] = written
        return EmulatedArray(self, slack[start : start + room], marks[:room], kind)

    def empty(self, size: int, dtype: Any) -> EmulatedArray:
        """Memory without values: 0xCD bytes, and reading them is an error in check mode."""
        return self._allocate(size, dtype, written=False)

    def pinned(self, size: int, dtype: Any) -> EmulatedArray:
        """The same, which does not count as the device's."""
        made = self._allocate(size, dtype, written=False, on_host=True)
        made.on_host = True
        return made

    def is_pinned(self, array: DeviceArray) -> bool:
        return self._ours(array).on_host

    def zeros(self, size: int, dtype: Any) -> EmulatedArray:
        """``size`` zeros."""
        return self.full(size, 0, dtype)

    def full(self, size: int, value: Any, dtype: Any) -> EmulatedArray:
        """``size`` times ``value``."""
        a = self._allocate(size, dtype, written=True)
        self._host(a)[:] = value
        return a

    def write(self, array: EmulatedArray, host: np.ndarray) -> None:
        """Over an array of the same type and size."""
        assert (array.dtype, array.size) == (host.dtype, host.size)
        array._bytes[:], array._written[:] = np.ascontiguousarray(host).view(np.uint8), 1

    def overwrite(self, array: DeviceArray, source: DeviceArray) -> None:
        """Over an array of the same type and size."""
        a, b = self._ours(array), self._ours(source)
        assert (a.dtype, a.size) == (b.dtype, b.size)
        a._bytes[:], a._written[:] = b._bytes, b._written

    def peers(self, host: Any) -> HostPeers | DirectPeers:
        if os.environ.get("LAGRAPH_CLUSTER_TRANSPORT") == "peer_windows":
            return DirectPeers(self, host)
        return HostPeers(self, host)

    def retyped(self, array: EmulatedArray, dtype: Any) -> EmulatedArray:
        made = EmulatedArray(self, array._bytes, array._written, np.dtype(dtype))
        made.on_host = array.on_host
        return made

    def upload(self, host: np.ndarray) -> EmulatedArray:
        """A copy of a one-dimensional NumPy array."""
        if not isinstance(host, np.ndarray) or host.ndim != 1:
            raise TypeError(
                f"upload takes a one-dimensional NumPy array, not {type(host).__name__}"
            )
        a = self._allocate(host.size, host.dtype, written=True)
        self._host(a)[:] = host
        return a

    def download(self, array: DeviceArray) -> np.ndarray:
        """A copy as a NumPy array. synchronize!"""
        values = self._host(array).copy()
        self.waits += 1
        return values

    def fetch(self, array: DeviceArray) -> Callable[[], np.ndarray]:
        """A copy as a NumPy array, of what is there now; the call waits."""
        values = self._host(array).copy()

        def fetched() -> np.ndarray:
            self.waits += 1  # synchronize!
            return values

        return fetched

    def copy(self, array: DeviceArray) -> EmulatedArray:
        """A copy on the device."""
        source = self._ours(array)
        a = self._allocate(source.size, source.dtype, written=True)
        a._bytes[:] = source._bytes
        a._written[:] = source._written
        return a

    def adopt(self, foreign: Any) -> EmulatedArray:
        """Another library's array, in the same memory."""
        if hasattr(foreign, "__cuda_array_interface__"):
            held = np.asarray(_Interface(foreign))
        else:
            held = np.from_dlpack(_OnTheHost(foreign))
        if held.ndim != 1:
            raise DimensionMismatch(f"expected a one-dimensional array, got shape {held.shape}")
        raw = np.ascontiguousarray(held).view(np.uint8)
        return EmulatedArray(self, raw, np.full(raw.size + 3, 1, np.uint8)[: raw.size], held.dtype)

    def export(self, array: DeviceArray) -> ForeignArray:
        """The array as others take it, in the same memory."""
        a = self._ours(array)
        self._values(a)  # all of it must have been written
        return ForeignArray(a._bytes.view(a.dtype), keeps=a)

    def sparse(
        self, shape: tuple[int, int], indptr: Any, indices: Any, values: Any
    ) -> SimpleNamespace:
        """What a cupyx matrix shows of itself. Waits."""
        self.waits += 1
        return SimpleNamespace(shape=shape, indptr=indptr, indices=indices, data=values)

    # whole arrays

    def sort(self, array: DeviceArray) -> None:
        """Increasing order, in place."""
        self._values(array).sort()

    def argsort(self, array: DeviceArray) -> EmulatedArray:
        """The stable order of the values, as INT64."""
        return self.upload(np.argsort(self._values(array), kind="stable").astype(np.int64))

    def _ours(self, array: DeviceArray) -> EmulatedArray:
        if not isinstance(array, EmulatedArray):
            raise TypeError(f"a device array is expected, not {type(array).__name__}")
        if array.device is not self:
            raise TypeError("an array of another device")
        return array

    def _host(self, array: DeviceArray) -> np.ndarray:
        a = self._ours(array)
        return a._bytes.view(a.dtype)

    def _values(self, array: DeviceArray) -> np.ndarray:
        a = self._ours(array)
        if self.mode == "check" and not a._written.all():
            first = int(np.argmin(a._written)) // a.dtype.itemsize
            raise EmulationError(f"element {first} of {a!r} was never written")
        return self._host(a)

    # kernels

    def compile(self, source: str, name: str) -> EmulatedKernel:
        """The kernel that the C++ name expression ``name`` denotes in ``source``."""
        key = (source, name, source_edits())
        if key not in self._compiled:
            self._compiled[key] = emulator.compile_kernel(source, name, self.folders)
        return EmulatedKernel(self, self._compiled[key])

    def compile_ahead(self, programs: Iterable[tuple[str, str]]) -> bool:
        return True

    def reserve(self, *parts: tuple[int, Any]) -> tuple[EmulatedArray, ...]:
        return tuple(self._allocate(*part, written=False) for part in parts)

    def described(self, memory: Any) -> Any:
        return memory

    def synchronize(self) -> None:
        """Wait for all launches (they have ended already); counted. synchronize!"""
        self.waits += 1

    def beside(self, *parts: Callable[[], None]) -> None:
        """One after another, the last first: no part may need what another one does."""
        for part in reversed(parts):
            part()

    def stopwatch(self) -> Callable[[], float | None]:
        """The emulator does not imitate time."""
        return lambda: None

    @property
    def free_bytes(self) -> int:
        """A made-up figure, unless `room_of` has set one: the emulator uses the host's memory."""
        return 1 << 30 if self.room is None else max(0, self.room - self.taken.now)
