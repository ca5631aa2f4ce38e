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

LEAST_ENDS, MOST_ENDS = 1 << 24, 1 << 31
"""The ends of a round, if the graph has as many."""

COUNTERS = 1 << 16
"""The most vertices whose ends a block counts, each in half a word."""

MOST_THREADS = 1024
"""The threads of a block that counts (its launch bounds)."""

LEAST_PART, MOST_PART = 1 << 15, 1 << 19
"""The ends that a block counts, if the bucket has as many."""


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
    vertex, and ``fewest``, its least; ``counters``, the most vertices whose ends a block counts,
    and ``part``, the most ends that it counts; the largest number of ``buckets``; ``least``, the
    ends that a bucket with any room gets from a tile, about; and ``spare``, the room of a bucket
    beyond what it gets, about, in standard deviations."""

    tiles, each, fewest = TILES, 4, LEAST_ENDS
    counters, part, buckets = COUNTERS, MOST_PART, constants.END_BUCKETS
    least, spare = 0.3, 8

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        most = self.device.largest_shared
        self.tile = next(t for t in self.tiles if t.shared_bytes <= most)
        self.bits = min(self.counters.bit_length() - 1, (most // 2).bit_length() - 1)
        self.threads = min(MOST_THREADS, 32 * max(1, self.counters // 64))

    def count(
        self, draw: Draw, edge: tuple[Any, ...], degrees: DeviceArray, loops: DeviceArray,
        kept: DeviceArray | None,
    ) -> None:  # fmt: skip
        """Adds to the degree of each vertex the ends at it of edges that are no loops, and to its
        loops. Keeps the edges unless ``kept`` is None."""
        device, tile = self.device, self.tile
        rounds = max(1, -(-2 * draw.count // min(max(self.each * draw.n, self.fewest), MOST_ENDS)))
        each = -(-draw.count // rounds)
        upper = max(0, min(draw.scale - self.bits, self.buckets.bit_length() - 1))
        shift, buckets = max(self.bits, draw.scale - upper), 1 << upper
        bounds = self._bounds(each, shares(draw, upper))
        ends = device.empty(max(1, int(bounds[-1])), END)
        part = min(self.part, max(LEAST_PART, each // device.multiprocessors))
        of, begins = parts_of(bounds, part)
        held, spans = device.upload(bounds.astype(END)), 1 << (shift - self.bits)
        counted = np.uint32(part), device.upload(of), device.upload(begins)
        found = device.zeros(2 * rounds * buckets, END)
        for number in range(rounds):
            first, last = number * each, min(draw.count, (number + 1) * each)
            taken, lost = (found[buckets * i :][:buckets] for i in (2 * number, 2 * number + 1))
            there = held, taken, lost, ends
            self.backend.launch(
                END_BUCKETS, "", f"bucket_ends<{', '.join(map(str, tile))}>", 0, np.int64(first),
                np.int64(last), edge, np.int32(shift), np.int32(buckets), *there, degrees, loops,
                kept, blocks=min(max(1, -(-each // tile.edges)), device.max_blocks),
                threads=32 * tile.warps, shared_bytes=tile.shared_bytes,
            )  # fmt: skip
            if of.size:
                self.backend.launch(
                    END_BUCKETS, "", "count_bucket", 0, np.int32(shift), np.int32(self.bits),
                    *counted, *there, degrees, blocks=of.size * spans, threads=self.threads,
                    shared_bytes=2 << self.bits,
                )  # fmt: skip

    def _bounds(self, edges: int, share: np.ndarray) -> np.ndarray:
        """Where each bucket begins, and the last one ends, of the ends of so many edges."""
        expected = edges * share
        room = expected + self.spare * np.sqrt(expected) + 64
        room[self.tile.edges * share < self.least] = 0
        return np.concatenate(([0], np.cumsum(room.astype(np.int64))))


def shares(draw: Draw, bits: int) -> np.ndarray:
    """Which share of the edges each of 2^bits buckets has, 2 in all, for an edge has two ends: the
    upper bits of a vertex choose the bucket, and each of them is one with the same probability.

    >>> shares(Draw(20), 2).round(4).tolist()
    [1.1552, 0.3648, 0.3648, 0.1152]
    """
    a, b, c = (percent / 100 for percent in draw.percent)
    ones = np.array([number.bit_count() for number in range(1 << bits)])
    first, second = ((1 - p) ** ones * p ** (bits - ones) for p in (a + b, a + c))
    return first + second  # type: ignore[no-any-return]


def parts_of(bounds: np.ndarray, each: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each part of each bucket the bucket, and the ends of this bucket before the part.

    >>> [array.tolist() for array in parts_of(np.array([0, 7, 7, 9]), 3)]
    [[0, 0, 0, 2], [0, 3, 6, 0]]
    """
    parts = -(-np.diff(bounds) // each)
    of = np.repeat(np.arange(parts.size), parts)
    before = np.arange(of.size) - np.repeat(np.cumsum(parts) - parts, parts)
    return of.astype(INDEX), (each * before).astype(END)
