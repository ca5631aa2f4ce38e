"""Pushes of very many edges in bins of their targets, between the launches of a closure (see
binned_push.cuh and apply_bins.cuh).

A closure pauses before such a round, two kernels carry the round out or begin it, and the next
launch goes on. All of them are launched at once, and what has nothing to do ends at once, so the
host does not wait. The bins' memory is kept with the matrix. Without room for it the closure goes
in one launch.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.persistent import ITEM, acquire
from lagraph_gpu.gpu.device import BackendPart, Device, constants
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix
from lagraph_gpu.planning import direction

if TYPE_CHECKING:
    from lagraph_gpu.gpu.closure.rounds import Ready

BIN_EDGES = "closure/level_synchronous/binned_push.cuh"
APPLY_BINS = "closure/level_synchronous/apply_bins.cuh"

BLOCK = constants.CLOSURE_WIDE_BLOCK
"""The block of a closure in parts."""

PAUSES = 2
"""A search has at most two rounds that bins suit: one that finds many vertices, and the next."""

MARGIN, SPARE = 1 / 8, 64
"""A bin has room for so many more edges than bins have on average: a share, and a number."""


class Sizes(NamedTuple):
    """The sizes of both kernels, which are compiled for them."""

    shift: int = 17
    """A bin has the edges to 2^shift vertices."""
    bins: int = 1024
    """The largest number of bins."""
    tile: int = 20480
    """The edges that a block of `bin_edges` has in shared memory."""
    threads: int = 1024
    blocks: int = 1
    """The threads of its blocks, and how many of them are on a multiprocessor."""
    rows: int = 4
    """The rows that a warp reads together."""
    own: int = 15
    """A block of `apply_bins` applies the edges to 2^own vertices."""
    apply_threads: int = 1024
    apply_blocks: int = 1

    @property
    def binning(self) -> str:
        return (
            f"bin_edges<Semiring, {self.shift}, {self.bins}, {self.tile}, {self.threads}, "
            f"{self.blocks}, {self.rows}>"
        )

    @property
    def applying(self) -> str:
        return (
            f"apply_bins<Semiring, {self.shift}, {self.own}, {self.apply_threads}, "
            f"{self.apply_blocks}>"
        )

    @property
    def tile_bytes(self) -> int:
        """The bytes of an EdgeTile: edges, rows, two words for each bin, and a few words."""
        return 8 * self.tile + 16 * self.tile // 8 + 8 * self.bins + 4 * 36

    @property
    def own_bytes(self) -> int:
        return 4 << self.own


class Bins:
    """Memory for bins."""

    @staticmethod
    def bytes(bins: int, each: int) -> int:
        return bins * (ITEM.itemsize * each + WORD.itemsize)

    def __init__(self, device: Device, bins: int, each: int) -> None:
        self.room, self.taken = bins * each, device.empty(bins, WORD)
        self.given = (
            device.empty(bins * each, np.dtype(np.uint64)), self.taken, np.uint32(each),
            np.int32(bins),
        )  # fmt: skip


class BinnedPush(BackendPart):
    """Launches closures in parts. The fields are for tests and measurements."""

    sizes, pauses, margin, spare = Sizes(), PAUSES, MARGIN, SPARE
    suits = staticmethod(direction.binned_pushes)

    def edges(self, A: DeviceMatrix, hubs: int) -> direction.BinnedPushes | None:
        """Which pushes over the out-edges A go in bins; None if none does."""
        n, sizes = A.shape[0], self.sizes
        largest = self.device.largest_shared
        if n > sizes.bins << sizes.shift or max(sizes.tile_bytes, sizes.own_bytes) > largest:
            return None
        return self.suits(n, A.nnz, hubs)

    def launch(
        self, ready: Ready, args: tuple[Any, ...], x: tuple[Any, ...], level_bits: np.int32,
        rounds: Any, generations: tuple[Any, ...], counts: bool,
    ) -> bool | None:  # fmt: skip
        """Launch a closure in parts. None if it has no push in bins, or if there is no room for
        them; False if no kernel can be resident. If it ``counts``, the edges that leave what a push
        in bins finds are counted, and not estimated."""
        if ready.binned is None:
            return None
        A, (least, part, most) = ready.binned
        n, sizes, launch = A.shape[0], self.sizes, self.backend.launch
        bins = -(-n // (1 << sizes.shift))
        each = (int(most / bins * (1 + self.margin)) + self.spare) // 2 * 2
        kept = A.closures.scratch.setdefault((self.device.stream, Bins, each), [])
        held = None
        with suppress(TooLarge):
            held = acquire(
                self.device, kept, bins * each,
                lambda: Bins.bytes(bins, each), lambda: Bins(self.device, bins, each),
            )  # fmt: skip
        if held is None:
            return None
        kernel, mean = ready.kernel.replace(">", ", Pause>"), np.uint64(A.nnz // n)
        common = np.int32(n), A.arrays(), x, level_bits
        for number in range(self.pauses + 1):
            pause = (
                np.uint64(least), np.uint64(part), np.uint64(most),
                np.bool_(number == 0), np.bool_(number < self.pauses), held.taken, np.int32(bins),
            )  # fmt: skip
            if number > 0:
                launch(
                    BIN_EDGES, ready.algebra, sizes.binning, 0, *common, generations, pause,
                    held.given, blocks=sizes.blocks * self.device.multiprocessors,
                    threads=sizes.threads, shared_bytes=sizes.tile_bytes,
                )  # fmt: skip
                launch(
                    APPLY_BINS, ready.algebra, sizes.applying, 0, *common, rounds, generations,
                    pause, held.given, np.bool_(counts), mean, blocks=-(-n // (1 << sizes.own)),
                    threads=sizes.apply_threads, shared_bytes=sizes.own_bytes,
                )  # fmt: skip
            if not self.backend.launch_resident(
                ready.header, ready.algebra, kernel, BLOCK, *args, pause
            ):
                return False
        kept.append(held)
        return True
