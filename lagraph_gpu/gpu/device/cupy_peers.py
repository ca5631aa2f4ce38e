"""Arrays on NVIDIA GPUs of several processes: by NCCL, where each process has a GPU of its own, and
by CUDA IPC, where all are on one host and may share a GPU. CuPy has both.
"""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.errors import BackendUnavailable, TooLarge
from lagraph_gpu.gpu.device.peer_windows import MOST_PEERS, Close, Open, PeerWindows
from lagraph_gpu.gpu.device.peers import HostPeers, Peers, bounds, cut, sent_to_others
from lagraph_gpu.gpu.device.port import DeviceArray, give_back
from lagraph_gpu.gpu.device.store_peers import StorePeers
from lagraph_gpu.reporting import LOG

if TYPE_CHECKING:
    from lagraph_gpu.gpu.device.cupy_device import CupyDevice

FIRST_WINDOW = 1 << 24
"""The bytes of a window of `IpcPeers` at first."""

LEAST_OPENED_BYTES = 1 << 21
"""The bytes of memory that is opened to others, at least: CUDA puts small allocations into one of 2
MiB, which can be opened only as a whole."""

UNIQUE_ID = 128
"""The bytes by which NCCL knows a group of processes."""

DEVICE_TO_DEVICE = 3
"""CUDA's number for a copy from device memory to device memory."""


def choose(device: CupyDevice, host: Any) -> Peers:
    """The way that LAGRAPH_CLUSTER_TRANSPORT names; else NCCL if each process has a GPU of its own
    and finds NCCL, CUDA IPC if all are on one host, and the hosts in all other cases.
    """
    from cupy.cuda import nccl, runtime

    transport = os.environ.get("LAGRAPH_CLUSTER_TRANSPORT", "")
    chosen = transport == ""
    card = runtime.deviceGetPCIBusId(device.ordinal)
    gathered = texts(host, f"{platform.node()} {card} {int(nccl.available)} {transport}")
    cards = {" ".join(text.split()[:2]) for text in gathered}
    hosts = {text.split()[0] for text in gathered}
    finds = all(text.split()[2] == "1" for text in gathered)
    if not transport:
        transport = (
            "nccl" if finds and len(cards) == host.size else "ipc" if len(hosts) == 1 else "host"
        )
    if transport == "nccl" and not (finds and len(cards) == host.size):
        raise BackendUnavailable(
            "expected NCCL and a GPU for each process for LAGRAPH_CLUSTER_TRANSPORT=nccl, but "
            + ("processes share a GPU; use ipc" if finds else "it is missing on some host: "
               "pip install nvidia-nccl-cu13 (or nvidia-nccl-cu12)")
        )  # fmt: skip
    if transport in ("stores", "ipc") and len(hosts) > 1:
        raise BackendUnavailable(
            f"expected all processes on one host for LAGRAPH_CLUSTER_TRANSPORT={transport}, got "
            f"{len(hosts)} hosts"
        )
    made: Any = WAYS[transport](device, host)
    if chosen and transport == "nccl" and len(hosts) == 1 and 1 < host.size <= MOST_PEERS:
        made.open_memory = opener(device, host)
    return made  # type: ignore[no-any-return]


def texts(host: Any, mine: str) -> list[str]:
    """The text of each process, of at most 256 bytes."""
    part = np.zeros(256, np.uint8)
    gathered = np.frombuffer(mine.encode()[:256], np.uint8)
    part[: gathered.size] = gathered
    got = host.all_gather(part, np.full(host.size, 256, np.int64))
    return [one.tobytes().rstrip(b"\0").decode() for one in got]


class NcclPeers:
    """Implements ``peers.Peers`` with NCCL. Nothing waits on the host."""

    name = "nccl"
    open_memory: Open | None = None
    """Opens memory to the other processes, where all are on one host."""

    def __init__(self, device: CupyDevice, host: Any) -> None:
        from cupy.cuda import nccl

        self._nccl, self.device, self._host = nccl, device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0
        known = nccl.get_unique_id() if host.rank == 0 else bytes(UNIQUE_ID)
        part = np.frombuffer(known, np.uint8)
        gathered = host.all_gather(part, np.full(host.size, UNIQUE_ID, np.int64))[0]
        self._comm = nccl.NcclCommunicator(host.size, gathered.tobytes(), host.rank)

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        each = to.size // self.size
        self.sent += counts[self.rank] * array.dtype.itemsize * (self.size - 1)
        if min(counts) == max(counts) == each:
            self._comm.allGather(
                pointer(array), pointer(to), array.nbytes, self._nccl.NCCL_UINT8, self.device.stream
            )
            return
        targets = [to[r * each : r * each + count] for r, count in enumerate(counts)]
        self._grouped([([array] * self.size, targets)])

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        self.sent += sent_to_others(arrays, self.rank)
        self._grouped(
            [(list(parts), cut(target, come)) for parts, target in zip(arrays, to, strict=True)]
        )

    @functools.cached_property
    def peer_windows(self) -> PeerWindows | None:
        """What kernels need that store into the memory of the other processes' devices while these
        run. None if a process shares its device, if processes are on several hosts, or if devices
        cannot reach each other's memory. All call it together."""
        if self.open_memory is None:
            return None
        try:
            return PeerWindows(
                self.device, self._host, self.open_memory, closer(self.device, self._host)
            )
        except BackendUnavailable as why:
            LOG.info("searches take their levels by NCCL: %s", why)
            return None

    def _grouped(self, moves: list[tuple[list[DeviceArray], list[DeviceArray]]]) -> None:
        """Send the r-th array of each move to process r, which has room for it."""
        byte, stream = self._nccl.NCCL_UINT8, self.device.stream
        self._nccl.groupStart()
        for sent, received in moves:
            for rank in range(self.size):
                if sent[rank].nbytes:
                    self._comm.send(pointer(sent[rank]), sent[rank].nbytes, byte, rank, stream)
                if received[rank].nbytes:
                    here = received[rank]
                    self._comm.recv(pointer(here), here.nbytes, byte, rank, stream)
        self._nccl.groupEnd()


class IpcPeers:
    """Implements ``peers.Peers`` with memory that the other processes have opened: a window, into
    which a process copies what it sends, and from which the others copy what is for them.

    There are two windows, used in turn. A process writes to one again after an exchange through the
    other, which the others begin when they have read the first.
    """

    name = "ipc"
    peer_windows: PeerWindows | None = None
    """None: processes that share a GPU take turns on it, and a kernel that waits for another
    process would keep it from its turn."""

    def __init__(self, device: CupyDevice, host: Any) -> None:
        from cupy.cuda import runtime

        self._runtime, self.device, self.host = runtime, device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0
        self._windows: list[list[int]] = [[], []]
        self._room, self._turn = [0, 0], 0
        for which in (0, 1):
            self._open(which, FIRST_WINDOW)

    def _open(self, which: int, room: int) -> None:
        """Windows of this size in place of those before, open to all. Those before are kept,
        because another process may still have them open; they are smaller, all of them together.
        """
        self.device.synchronize()  # synchronize!
        self._windows[which] = opened(self.device, self.host, room)
        self._room[which] = room

    def _gathered(self, mine: np.ndarray) -> list[np.ndarray]:
        """The numbers of each process; as many from each."""
        part = mine.view(np.uint8)
        got = self.host.all_gather(part, np.full(self.size, part.size, np.int64))
        return [one.view(np.int64) for one in got]

    def _copied(self, to: int, source: int, count: int) -> None:
        if count:
            self._runtime.memcpyAsync(to, source, count, DEVICE_TO_DEVICE, self.device.stream)

    def _shown(self, arrays: Sequence[tuple[int, int]], cuts: list[int]) -> list[np.ndarray]:
        """Put arrays (pointer, bytes) into the window of this turn, one after another, and show it
        to all, with these numbers. The result is the numbers of each process.
        """
        self._turn ^= 1
        which, total = self._turn, sum(size for _, size in arrays)
        if total <= self._room[which]:
            self._filled(which, arrays)
        gathered = self._gathered(np.array([total, *cuts], np.int64))
        most = max(int(one[0]) for one in gathered)
        if most > self._room[which]:
            self._open(which, 1 << (most - 1).bit_length())
            self._filled(which, arrays)
            self._gathered(np.zeros(1, np.int64))
        return [one[1:] for one in gathered]

    def _filled(self, which: int, arrays: Sequence[tuple[int, int]]) -> None:
        at = self._windows[which][self.rank]
        for source, size in arrays:
            self._copied(at, source, size)
            at += size
        self.device.synchronize()  # synchronize!

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        item, each = array.dtype.itemsize, to.nbytes // self.size
        size = counts[self.rank] * item
        self._shown([(pointer(array), size)], [])
        self.sent += size * (self.size - 1)
        for rank, count in enumerate(counts):
            source = pointer(array) if rank == self.rank else self._windows[self._turn][rank]
            self._copied(pointer(to) + rank * each, source, count * item)

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        items = [target.dtype.itemsize for target in to]
        ends = [0, *accumulate(part.size for part in arrays[0])]
        gathered = self._shown(
            [(pointer(part), part.nbytes) for parts in arrays for part in parts if part.size], ends
        )
        self.sent += sent_to_others(arrays, self.rank)
        for rank, (begin, _) in enumerate(bounds(come)):
            of_rank, window = gathered[rank], self._windows[self._turn][rank]
            for target, item in zip(to, items):
                first = int(of_rank[self.rank])
                self._copied(
                    pointer(target) + begin * item, window + first * item, come[rank] * item
                )
                window += int(of_rank[-1]) * item


def by_stores(device: CupyDevice, host: Any) -> StorePeers:
    """Peers that store into each other's memory."""
    from cupy.cuda import runtime

    def copy(to: Any, source: Any) -> None:
        runtime.memcpyAsync(
            pointer(to), pointer(source), source.nbytes, DEVICE_TO_DEVICE, device.stream
        )

    return StorePeers(device, host, opener(device, host), copy)


def opener(device: CupyDevice, host: Any) -> Open:
    """The function that opens arrays to the other processes."""
    import cupy
    from cupy.cuda import MemoryPointer, UnownedMemory

    def open_memory(count: int, dtype: np.dtype) -> list[Any]:
        size = count * dtype.itemsize
        held = [
            MemoryPointer(UnownedMemory(address, size, None, device.ordinal), 0)
            for address in opened(device, host, size)
        ]
        return [cupy.ndarray((count,), dtype, memory) for memory in held]

    return open_memory


def closer(device: CupyDevice, host: Any) -> Close:
    """The function that frees arrays which were opened to the other processes: each closes those of
    the others, and frees its own when all have done so."""
    from cupy.cuda import runtime

    def close_memory(arrays: Sequence[DeviceArray]) -> None:
        device.synchronize()  # synchronize!
        met(host)
        for rank, array in enumerate(arrays):
            if rank != host.rank:
                runtime.ipcCloseMemHandle(pointer(array))
        met(host)
        runtime.free(pointer(arrays[host.rank]))

    return close_memory


def met(host: Any) -> None:
    """Go on when all processes have come here."""
    host.all_gather(np.zeros(1, np.uint8), np.ones(host.size, np.int64))


def opened(device: CupyDevice, host: Any, room: int) -> list[int]:
    """So many bytes of device memory that all processes open: their addresses here. All raise the
    same if one has not as much, or cannot open what another one has.
    """
    import cupy
    from cupy.cuda import runtime

    addresses: list[int] = []

    def allocate() -> None:
        try:
            addresses.append(runtime.malloc(max(room, LEAST_OPENED_BYTES)))
        except runtime.CUDARuntimeError:
            give_back()
            cupy.get_default_memory_pool().free_all_blocks()  # this memory does not come from it
            addresses.append(runtime.malloc(max(room, LEAST_OPENED_BYTES)))

    def open_all() -> None:
        for rank, one in enumerate(handles):
            if rank != host.rank:
                addresses[rank] = runtime.ipcOpenMemHandle(one.tobytes())

    missing = failures(host, allocate)
    if any(missing):
        for address in addresses:
            runtime.free(address)
        raise TooLarge(
            f"expected {room:,} bytes of free GPU memory in every process; "
            f"{device.free_bytes:,} are free in this one"
        )
    mine = addresses[0]
    handle = np.frombuffer(runtime.ipcGetMemHandle(mine), np.uint8)
    handles = host.all_gather(handle, np.full(host.size, handle.size, np.int64))
    addresses[:] = [mine] * host.size
    if any(failures(host, open_all)):
        raise BackendUnavailable(
            "expected GPUs that reach each other's memory by CUDA IPC; set "
            "LAGRAPH_CLUSTER_TRANSPORT=nccl, or host"
        )
    return addresses


def failures(host: Any, work: Callable[[], None]) -> list[bool]:
    """Of each process, whether CUDA refuses some work."""
    from cupy.cuda import runtime

    refused = np.zeros(1, np.uint8)
    try:
        work()
    except runtime.CUDARuntimeError:
        refused[0] = 1
    return [bool(one[0]) for one in host.all_gather(refused, np.ones(host.size, np.int64))]


def pointer(array: Any) -> int:
    """The address of a device array."""
    return array.data.ptr  # type: ignore[no-any-return]


WAYS: dict[str, Any] = {"nccl": NcclPeers, "stores": by_stores, "ipc": IpcPeers, "host": HostPeers}
"""What makes each kind of peers, by its name in LAGRAPH_CLUSTER_TRANSPORT."""
