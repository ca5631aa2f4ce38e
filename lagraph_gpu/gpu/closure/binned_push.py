"""Pushes of very many edges in bins of their targets, between the launches of a closure (see
binned_push.cuh).

The closure pauses before such a round, the bins' kernels carry it out or begin it, and the next
launch goes on. All are launched together, and what has not paused passes by, so the host does not
wait. The memory of the bins is kept with the matrix; without room for it the closure goes in one
launch.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.persistent import COUNT, acquire
from lagraph_gpu.gpu.device import BackendPart, Device
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix
from lagraph_gpu.planning import direction

if TYPE_CHECKING:
    from lagraph_gpu.gpu.closure.rounds import Ready

BINNED = "closure/level_synchronous/binned_push.cuh"


class Way(NamedTuple):
    """The sizes of both kernels."""

    shift: int = 15
    bins: int = 4096
    tile: int = 16384
    threads: int = 1024
    blocks: int = 1
    own: int = 15
    apply_threads: int = 1024
    apply_blocks: int = 1

    @property
    def tile_bytes(self) -> int:
        return 8 * self.tile + 2 * self.tile + 8 * self.bins + 4 * 32 + 8


class Bins:
    """Memory for bins that have room for so many edges together."""

    def __init__(self, device: Device, bins: int, each: int) -> None:
        self.room, self.each, self.bins = bins * each, each, bins
        self.edges, self.taken = device.empty(bins * each, COUNT), device.empty(bins, WORD)

    @staticmethod
    def bytes(bins: int, each: int) -> int:
        return bins * (COUNT.itemsize * each + WORD.itemsize)


class BinnedPush(BackendPart):
    """Launches closures in parts. The fields are for tests and measurements."""

    way = Way()
    least_vertices = direction.BINNED_VERTICES
    pauses = 2
    most_each = 2.0
    least_each = 0.125

    def applies(self, A: DeviceMatrix) -> bool:
        n = A.shape[0]
        return (
            n >= self.least_vertices
            and n <= self.way.bins << self.way.shift
            and direction.BINNED_DEGREE * n <= A.nnz
        )

    def launch(
        self, ready: Ready, A: DeviceMatrix, args: tuple[Any, ...], x: tuple[Any, ...],
        level_bits: Any, rounds: Any, generations: tuple[Any, ...], counts: bool,
    ) -> bool | None:  # fmt: skip
        """Launch all parts of a closure; None if there is no room for bins."""
        device, way, n = self.device, self.way, A.shape[0]
        bins = -(-n // (1 << way.shift))
        most = int(self.most_each * n)
        each = (most // bins * 9 // 8 + 64) // 2 * 2
        kept = A.closures.scratch.setdefault((device.stream, "bins", each), [])
        held = None
        with suppress(TooLarge):
            held = acquire(device, kept, bins * each, lambda: Bins.bytes(bins, each),
                           lambda: Bins(device, bins, each))  # fmt: skip
        if held is None:
            return None
        outgoing = A.arrays()
        mean = np.uint64(A.nnz // n)
        kernel = ready.kernel.replace(">", ", Pause>")
        binning = f"bin_edges<Semiring, {way.shift}, {way.bins}, {way.tile}, {way.threads}, {way.blocks}>"
        applying = f"apply_bins<Semiring, {way.shift}, {way.own}, {way.apply_threads}, {way.apply_blocks}>"
        given = held.edges, held.taken, np.uint32(held.each), np.int32(bins)
        for number in range(self.pauses + 1):
            pause = (np.uint64(int(self.least_each * n)), np.uint64(most), np.bool_(number == 0),
                     np.bool_(number < self.pauses), held.taken, np.int32(bins))  # fmt: skip
            if number > 0:
                self.backend.launch(
                    BINNED, ready.algebra, binning, 0, np.int32(n), outgoing, x, level_bits,
                    generations, pause, given, blocks=way.blocks * device.multiprocessors,
                    threads=way.threads, shared_bytes=way.tile_bytes,
                )  # fmt: skip
                self.backend.launch(
                    BINNED, ready.algebra, applying, 0, np.int32(n), outgoing, x, level_bits, rounds,
                    generations, pause, given, np.bool_(bool(counts)), mean,
                    blocks=-(-n // (1 << way.own)), threads=way.apply_threads,
                    shared_bytes=4 << way.own,
                )  # fmt: skip
            if not self.backend.launch_resident(
                ready.header, ready.algebra, kernel, ready.block, *args, pause
            ):
                return False
        kept.append(held)
        return True
