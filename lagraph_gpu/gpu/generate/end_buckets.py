"""The degrees of the vertices of a Kronecker graph, from the ends of its edges in buckets (see
end_buckets.cuh).

The edges are drawn in rounds, of each of which memory holds all ends, 4 bytes for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.generate import Draw
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.storage import INDEX

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

END_BUCKETS = "generate/end_buckets.cuh"

END = np.dtype(np.uint32)

LEAST_ENDS, MOST_ENDS = 1 << 22, 1 << 31
"""The ends of a round, if the graph has as many."""

COUNTERS = 1 << 16
"""The most vertices whose ends a block counts, each in half a word."""


class Tile(NamedTuple):
    """What a block puts into buckets at a time."""

    warps: int
    items: int
    """The ends of each lane."""
    blocks: int
    """The blocks of a multiprocessor, at least."""

    @property
    def edges(self) -> int:
        return 32 * self.warps * self.items // 2

    @property
    def shared_bytes(self) -> int:
        """The shared memory of a block (``EndTile``)."""
        return 8 * self.edges + 8 * constants.END_BUCKETS + 256


TILES = Tile(16, 32, 2), Tile(8, 8, 4)
"""The first is used that has room."""


class EndBuckets(BackendPart):
    """Counts the ends of drawn edges. For tests: ``tiles``; ``each``, the ends of a round for each
    vertex, and ``fewest``, its least; ``counters``, the most vertices whose
    ends a block counts; ``part``, the most ends that it counts; ``buckets``, the largest number of
    buckets; ``least``, the ends that a bucket gets from a tile, about, if it has any room; and
    ``spare``, by how many of its standard deviations a bucket is larger than what it gets, about."""

    tiles, each, fewest = TILES, 4, LEAST_ENDS
    counters, part, buckets = COUNTERS, 1 << 19, constants.END_BUCKETS
    least, spare = 1.0, 8

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        most = self.device.largest_shared
        self.tile = next(t for t in self.tiles if t.shared_bytes <= most)
        self.bits = min(self.counters.bit_length() - 1, (most // 2).bit_length() - 1)

    def shares(self, draw: Draw, bits: int) -> np.ndarray:
        """Which share of all ends lies in each of 2^bits buckets, 2 in all: the upper bits of a
        vertex choose the bucket, each of which is one with the same probability."""
        a, b, c = (percent / 100 for percent in draw.percent)
        ones = np.array([int(i).bit_count() for i in range(1 << bits)])
        return sum(lower**ones * (1 - lower) ** (bits - ones) for lower in (1 - a - b, 1 - a - c))

    def count(
        self, draw: Draw, edge: tuple[Any, ...], degrees: DeviceArray, loops: DeviceArray,
        kept: DeviceArray | None,
    ) -> None:  # fmt: skip
        """Adds to the degree of each vertex the ends at it of edges that are no loops, and to its
        loops. Keeps the edges unless `kept` is None."""
        device, n, tile = self.device, draw.n, self.tile
        most = min(max(self.each * n, self.fewest), MOST_ENDS)
        rounds = max(1, -(-2 * draw.count // most))
        each = -(-draw.count // rounds)
        upper = max(0, min(draw.scale - self.bits, self.buckets.bit_length() - 1))
        shift, buckets = max(self.bits, draw.scale - upper), 1 << upper
        shares = self.shares(draw, upper)
        room = each * shares + self.spare * np.sqrt(each * shares) + 64
        room[tile.edges * shares < self.least] = 0
        bounds = np.concatenate(([0], np.cumsum(room.astype(np.int64)))).astype(END)
        parts = -(-np.diff(bounds.astype(np.int64)) // self.part)
        of = np.repeat(np.arange(buckets), parts)
        begins = self.part * (np.arange(of.size) - np.repeat(np.cumsum(parts) - parts, parts))
        held, ends = device.upload(bounds), device.empty(max(1, int(bounds[-1])), END)
        found = device.zeros(2 * rounds * buckets, END)
        spans, block = 1 << (shift - self.bits), min(1024, 32 * max(1, self.counters // 64))
        of, begins = device.upload(of.astype(INDEX)), device.upload(begins.astype(END))
        for number in range(rounds):
            first, last = number * each, min(draw.count, (number + 1) * each)
            taken, lost = (found[buckets * i :][:buckets] for i in (2 * number, 2 * number + 1))
            self.backend.launch(
                END_BUCKETS, "", f"bucket_ends<{', '.join(map(str, tile))}>", 0, np.int64(first),
                np.int64(last), edge, np.int32(shift), np.int32(buckets), held, taken, lost, ends,
                degrees, loops, kept, threads=32 * tile.warps, shared_bytes=tile.shared_bytes,
                blocks=min(max(1, -(-each // tile.edges)), device.max_blocks),
            )  # fmt: skip
            if of.size:
                self.backend.launch(
                    END_BUCKETS, "", "count_bucket", 0, np.int32(shift), np.int32(self.bits),
                    np.uint32(self.part), of, begins, held, taken, lost, ends, degrees,
                    blocks=of.size * spans, threads=block, shared_bytes=2 << self.bits,
                )  # fmt: skip
