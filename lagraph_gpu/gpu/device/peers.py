"""How arrays on the devices of several processes reach each other.

Every function is called by all processes together, after they have agreed to call it. Each of P
processes has a number, its rank. `HostPeers` goes by the memory of the hosts; NCCL and CUDA IPC are
in `cupy_peers.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, Protocol

import numpy as np

from lagraph_gpu.gpu.device.peer_windows import PeerWindows
from lagraph_gpu.gpu.device.port import Device, DeviceArray

PIECE = 1 << 24
"""What the root has goes so many elements at a time, since some peers keep the memory through which
it goes."""


class Peers(Protocol):
    """A way between arrays on the devices of several processes."""

    name: str
    """What it is called in LAGRAPH_CLUSTER_TRANSPORT."""
    rank: int
    size: int
    sent: int
    """The bytes that this process has sent to others."""

    @property
    def peer_windows(self) -> PeerWindows | None:
        """What kernels need that store into the memory of the other processes' devices while these
        run, if each has a device of its own and all are on one host. All call it together."""

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        """Send an array to all processes, of which process r has counts[r] elements. They come to
        the place r · (size of `to` / P) of `to`.
        """

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        """Send the r-th part of each of these arrays to process r; the parts for a process are as
        long in all of them. Of each array come[r] elements come from process r, one process' after
        another's. `most`, if all processes know it, is the largest number of elements that any
        sends to any.
        """


def bounds(counts: Sequence[int]) -> list[tuple[int, int]]:
    """Where the elements of each process begin and end.

    >>> bounds([2, 0, 3])
    [(0, 2), (2, 2), (2, 5)]
    """
    return list(pairwise(accumulate(counts, initial=0)))


def sizes(n: int, parts: int) -> list[int]:
    """How many of n positions each part has.

    >>> sizes(5, 3)
    [2, 2, 1]
    """
    return [len(range(part, n, parts)) for part in range(parts)]


def layout(n: int, parts: int) -> tuple[np.int32, np.int32, np.int32]:
    """How n positions lie in so many parts, as kernels take it (see parts.cuh)."""
    return np.int32(parts), np.int32(n // parts), np.int32(n % parts)


class HostPeers:
    """Through the hosts: slow, and it works everywhere."""

    name = "host"
    peer_windows: PeerWindows | None = None

    def __init__(self, device: Device, host: Any) -> None:
        """`host` is a transport of the cluster backend, for bytes on hosts."""
        self.device, self.host = device, host
        self.rank, self.size, self.sent = host.rank, host.size, 0

    def all_gather(self, array: DeviceArray, counts: Sequence[int], to: DeviceArray) -> None:
        each, dtype = to.size // self.size, array.dtype
        mine = self.device.download(array[: counts[self.rank]]).view(np.uint8)  # synchronize!
        sizes = np.array(counts, np.int64) * dtype.itemsize
        whole = np.zeros(to.size, dtype)
        for rank, part in enumerate(self.host.all_gather(mine, sizes)):
            whole[rank * each : rank * each + counts[rank]] = part.view(dtype)
        self.sent += mine.size * (self.size - 1)
        self.device.write(to, whole)

    def all_to_all(
        self, arrays: Sequence[Sequence[DeviceArray]], come: Sequence[int],
        to: Sequence[DeviceArray], most: int | None = None,
    ) -> None:  # fmt: skip
        for array, target in zip(arrays, to, strict=True):
            dtype = target.dtype
            parts = [self._downloaded(part).view(np.uint8) for part in array]  # synchronize!
            got = self.host.all_to_all(parts, np.array(come, np.int64) * dtype.itemsize)
            self.sent += sum(part.size for part in parts) - parts[self.rank].size
            if sum(come):
                self.device.write(target, np.concatenate(got).view(dtype))

    def _downloaded(self, part: DeviceArray) -> np.ndarray:
        return self.device.download(part) if part.size else np.empty(0, part.dtype)  # synchronize!


def cut(array: DeviceArray, counts: Sequence[int]) -> list[DeviceArray]:
    """So many elements of an array for each process, one process' after another's."""
    return [array[begin:end] for begin, end in bounds(counts)]


def from_root(
    peers: Peers, root: int, parts: Sequence[DeviceArray] | None, to: DeviceArray, most: int
) -> None:
    """Send the r-th part of an array of the root to process r, which has room for it. Others give
    none. No part has more than so many elements."""
    for begin in range(0, most, PIECE):
        end, come = min(begin + PIECE, most), [0] * peers.size
        here = to[begin:end]
        come[root] = here.size
        given = [here[:0]] * peers.size if parts is None else [part[begin:end] for part in parts]
        peers.all_to_all([given], come, [here], end - begin)


def to_root(
    peers: Peers, root: int, array: DeviceArray, counts: Sequence[int], to: DeviceArray
) -> None:
    """Send an array to the root, where one process' part comes after another's; process r sends
    counts[r] elements. Others have no room."""
    nobody, is_root = [0] * peers.size, peers.rank == root
    nothing = [array[:0]] * peers.size
    if max(counts) <= PIECE:
        nothing[root] = array
        peers.all_to_all([nothing], counts if is_root else nobody, [to], max(counts))
        return
    for rank, (first, last) in enumerate(bounds(counts)):
        for begin in range(first, last, PIECE):
            end, given, come = min(begin + PIECE, last), nothing.copy(), nobody.copy()
            if peers.rank == rank:
                given[root] = array[begin - first : end - first]
            if is_root:
                come[rank] = end - begin
            peers.all_to_all([given], come, [to[begin:end]], end - begin)


def sent_to_others(arrays: Sequence[Sequence[DeviceArray]], rank: int) -> int:
    """The bytes of the parts that are for other processes."""
    return sum(part.nbytes for parts in arrays for r, part in enumerate(parts) if r != rank)
