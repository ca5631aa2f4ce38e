"""Rows made of edges in any order, by one counting pass over buckets of them (see row_buckets.cuh
and bucket_sort.cuh).

How many entries each row has, duplicates counted, must be known. Rows of more entries than a block
sorts are none of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.storage import INDEX, WORD
from lagraph_gpu.gpu.storage.vector_storage import SIZE
from semirings import types

ROW_BUCKETS = "generate/row_buckets.cuh"
BUCKET_SORT = "generate/bucket_sort.cuh"

COUNT = np.dtype(np.uint64)


class Way(NamedTuple):
    """How rows of up to so many entries are sorted."""

    longest: int
    apart: int
    """A bucket has the rows whose entries begin in the same multiple of this number; if it is 0, one
    row. Then it has at most apart + longest - 1 entries, for which the block must have room."""
    warps: int
    items: int
    """The warps of a block, and the entries of each of their lanes."""


WAYS = Way(16384, 0, 32, 16), Way(4096, 12288, 32, 16), Way(2048, 6144, 16, 16)
PARTITION = 16, 12
"""The warps of a block that moves entries to buckets, and the entries of a lane."""

MOST_ENTRIES = 1 << 32
"""A range has at most so many entries: they have less than ROW_BUCKETS² buckets."""


class Span(NamedTuple):
    """Some rows of a range, counted from its first, that are sorted in one way."""

    way: Way
    begin: int
    end: int
    drawn: int

    @property
    def buckets(self) -> int:
        apart = self.way.apart
        return self.end - self.begin if apart == 0 else -(-self.drawn // apart)


class RowBuckets(BackendPart):
    """Makes ranges of rows of the entries at them. For tests: ``ways``, in which rows are sorted,
    longer ones first, and the ``partition``'s warps and items."""

    ways = WAYS
    partition = PARTITION

    def bounds(self) -> list[int]:
        """The entries of the longest row of each way that this device has; none if it has no room
        to move entries to buckets."""
        room = self.device.largest_shared
        if self._partition_bytes() > room:
            return []
        return [way.longest for way in self._ways() if self._bytes(way) <= room]

    def _ways(self) -> list[Way]:
        return [way for way in self.ways if self._bytes(way) <= self.device.largest_shared]

    @staticmethod
    def _bytes(way: Way) -> int:
        """The shared memory of a block that sorts (``BucketSort``)."""
        room = 32 * way.warps * way.items
        return 8 * room + 12 * (room // 32) + 4 * constants.COLUMN_KNOTS + 256

    def _partition_bytes(self) -> int:
        """The shared memory of a block that moves entries (``Partition``)."""
        warps, items = self.partition
        return 10 * 32 * warps * items + 16 * constants.ROW_BUCKETS + 256

    def shares(self, begins: DeviceArray, size: int) -> DeviceArray:
        """The shares of the entries before some columns, from the number of entries before each
        row; column j belongs to row j / size."""
        shares = self.device.empty(constants.COLUMN_KNOTS, WORD)
        self.backend.launch(BUCKET_SORT, "", "column_knots", shares.size, np.int32(shares.size),
                            np.int32(begins.size - 1), np.int32(size), begins, shares)  # fmt: skip
        return shares

    def spans(
        self, begin: int, end: int, above: Sequence[int], before: Mapping[int, int]
    ) -> list[Span]:
        """The rows of a range by the way in which they are sorted. ``above`` counts the rows that
        are longer than each way's longest, and ``before`` the entries before these and the range."""
        found = []
        for way, first, last in zip(self._ways(), above, [*above[1:], end], strict=True):
            lo, hi = max(begin, first), min(end, last)
            if lo < hi:
                found.append(Span(way, lo - begin, hi - begin, before[hi] - before[lo]))
        return found

    def make(
        self, taken: tuple[str, tuple[Any, ...]], spans: list[Span], lengths: DeviceArray, drawn: int,
        shares: DeviceArray, pairs: DeviceArray, moved: DeviceArray, offset: np.dtype,
        columns: DeviceArray,
    ) -> tuple[DeviceArray, int]:  # fmt: skip
        """Make the rows of a range, of so many drawn entries, which `taken` gives: the kind of rows,
        and what take_groups is given of edges and rows. Returns their offsets and the number of
        entries. Waits."""
        device, launch = self.device, self.backend.launch
        begins = self.backend.prefix_sums.begins(lengths, SIZE)
        count = sum(span.buckets for span in spans)
        first_rows = device.empty(count + 1, INDEX)
        at = 0
        for span in spans:
            launch(ROW_BUCKETS, "", "bucket_rows", span.buckets, np.int32(span.buckets),
                   np.int32(span.begin), np.int32(span.end), np.int64(span.way.apart), begins,
                   first_rows[at:])  # fmt: skip
            at += span.buckets
        device.write(first_rows[count:], np.array([lengths.size], INDEX))
        self._moved(taken, spans, first_rows, begins, drawn, pairs, moved)
        indptr = device.empty(lengths.size + 1, offset)
        words = device.zeros(count + 1, COUNT)
        c = types.c_name(offset)
        for span in spans:
            way = span.way
            launch(BUCKET_SORT, "", f"sort_buckets<{c}, {way.warps}, {way.items}>", 0,
                   (words, np.int32(count)), first_rows, begins, shares, moved, indptr, columns,
                   blocks=span.buckets, threads=32 * way.warps,
                   shared_bytes=self._bytes(way))  # fmt: skip
        return indptr, int(device.download(indptr[lengths.size :])[0])  # synchronize!

    def _moved(
        self, taken: tuple[str, tuple[Any, ...]], spans: list[Span], first_rows: DeviceArray,
        begins: DeviceArray, drawn: int, pairs: DeviceArray, moved: DeviceArray,
    ) -> None:  # fmt: skip
        """Move the entries to groups of buckets in ``pairs``, and then to buckets in ``moved``."""
        (warps, items), (kind, given) = self.partition, taken
        launch, buckets, tile = self.backend.launch, first_rows.size - 1, 32 * warps * items
        each = math.isqrt(buckets - 1) + 1
        groups = -(-buckets // each)
        most = max(32 * span.way.warps * span.way.items for span in spans)
        tiles = min(-(-drawn // tile), -(-each * most // tile))
        shape = {"threads": 32 * warps, "shared_bytes": self._partition_bytes()}
        blocks = self.device.max_blocks
        grouped, placed = (self.device.empty(n, COUNT) for n in (groups, buckets))
        for ends, apart in ((grouped, each), (placed, 1)):
            launch(ROW_BUCKETS, "", "bucket_places", ends.size, np.int32(ends.size),
                   np.int32(apart), first_rows, begins, ends)  # fmt: skip
        edges = int(given[0])
        launch(ROW_BUCKETS, "", f"take_groups<{kind}, {warps}, {items}>", 0, *given,
               np.int32(groups), np.int32(each), first_rows, grouped, pairs,
               blocks=min(max(1, -(-edges // (tile // 2))), blocks), **shape)  # fmt: skip
        launch(ROW_BUCKETS, "", f"split_groups<{warps}, {items}>", 0, np.int32(groups),
               np.int32(tiles), np.int32(buckets), np.int32(each), first_rows, begins, pairs,
               placed, moved, blocks=min(groups * tiles, blocks), **shape)  # fmt: skip
