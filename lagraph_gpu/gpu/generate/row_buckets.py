"""Rows made of edges in any order, by one counting pass over buckets of their entries (see
row_buckets.cuh and bucket_sort.cuh).

How many entries each row has, duplicates counted, must be known. Entries go to sections of buckets
first, and then, those of a range at a time, to buckets, of which each is sorted by a block. A range
of rows that no block has room for is one bucket, which is sorted by its bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.storage import INDEX, WORD
from lagraph_gpu.gpu.storage.vector_storage import SIZE
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

ROW_BUCKETS = "generate/row_buckets.cuh"
BUCKET_SORT = "generate/bucket_sort.cuh"

COUNT, PAIR = np.dtype(np.uint64), np.dtype(np.uint64)


class Way(NamedTuple):
    """How rows of up to so many entries are sorted."""

    longest: int
    apart: int
    """A bucket has the rows whose entries begin in the same multiple of this number; if it is 0,
    one row. So it has at most apart + longest - 1 entries, for which the block must have room."""
    warps: int
    items: int
    """The warps of a block, and the entries of each of their lanes."""


WAYS = Way(16384, 0, 32, 16), Way(4096, 12288, 32, 16), Way(2048, 6144, 16, 16)
TAKES, SPLITS = ((16, 8), (16, 4)), ((16, 12), (16, 4))
"""The warps of a block that moves entries from edges to sections, and from sections to buckets, and
the entries of a lane. The first is used that has room."""


class Span(NamedTuple):
    """Rows that are sorted in one way."""

    way: Way
    begin: int
    end: int
    drawn: int

    @property
    def buckets(self) -> int:
        apart = self.way.apart
        return self.end - self.begin if apart == 0 else -(-self.drawn // apart)


class Range(NamedTuple):
    """Rows that are made at a time."""

    begin: int
    end: int
    before: int
    """The entries of all rows before these."""
    drawn: int
    spans: tuple[Span, ...]
    """Empty if some of the rows are longer than what a block sorts."""

    @property
    def buckets(self) -> int:
        return sum(span.buckets for span in self.spans) or 1


class RowBuckets(BackendPart):
    """Makes ranges of rows of the entries at them. For tests: ``ways``, in which rows are sorted,
    longer ones first; ``takes`` and ``splits``, the warps and items of blocks that move entries;
    and the largest number of ``sections`` that are taken at a time."""

    ways = WAYS
    takes, splits = TAKES, SPLITS
    sections = constants.ROW_BUCKETS

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        most = self.device.largest_shared
        self.take, self.split = (
            next(p for p in ways if self.partition_bytes(p) <= most)
            for ways in (self.takes, self.splits)
        )

    def bounds(self) -> list[int]:
        """The entries of the longest row of each way that this device has room for."""
        return [way.longest for way in self._ways()]

    def _ways(self) -> list[Way]:
        return [way for way in self.ways if self.sort_bytes(way) <= self.device.largest_shared]

    @staticmethod
    def sort_bytes(way: Way) -> int:
        """The shared memory of a block that sorts (``BucketSort``)."""
        room = 32 * way.warps * way.items
        return 8 * room + 12 * (room // 32) + 4 * constants.COLUMN_KNOTS + 256

    @staticmethod
    def partition_bytes(partition: tuple[int, int]) -> int:
        """The shared memory of a block that moves entries (``Partition``). Two blocks that take
        entries leave 92 KiB of an H200's multiprocessor to the first-level cache, where places are
        looked up."""
        warps, items = partition
        tables = 16 * constants.ROW_BUCKETS + 2 * constants.ROW_SLOTS
        return 10 * 32 * warps * items + tables + 256

    def spans(
        self, begin: int, end: int, above: Sequence[int], before: Mapping[int, int]
    ) -> tuple[Span, ...]:
        """Rows by the way in which they are sorted. ``above`` counts the rows that are longer than
        each way's longest, and ``before`` the entries before these and the given ones."""
        if not above or begin < above[0]:
            return ()
        found = []
        for way, first, last in zip(self._ways(), above, [*above[1:], end], strict=True):
            lo, hi = max(begin, first), min(end, last)
            if lo < hi:
                found.append(Span(way, lo, hi, before[hi] - before[lo]))
        return tuple(found)

    def laid_out(self, ranges: list[Range], begins: DeviceArray, size: int) -> Buckets:
        """The buckets of all ranges, from the entries before each row; column j belongs to row
        j / size."""
        return Buckets(self, ranges, begins, size)


class Buckets:
    """The buckets of ranges that follow each other."""

    def __init__(self, of: RowBuckets, ranges: list[Range], begins: DeviceArray, size: int) -> None:
        self.of, self.device = of, of.device
        self.first = dict(zip(ranges, np.cumsum([0, *(r.buckets for r in ranges)]), strict=False))
        count = sum(r.buckets for r in ranges)
        most = max([1, *(r.buckets for r in ranges)])
        each = min(constants.ROW_BUCKETS // 2, math.isqrt(count) + 1)
        self.each = max(each, -(-most // of.sections))
        """The buckets of a section."""
        self.first_rows = self.device.empty(count + 1, INDEX)
        for r in ranges:
            at = int(self.first[r])
            for span in r.spans:
                self._rows(at, span.buckets, span.begin, span.end, span.way.apart, begins)
                at += span.buckets
            if not r.spans:
                self._rows(at, 1, r.begin, r.end, 0, begins)
        last = ranges[-1].end if ranges else 0
        self._rows(count, 1, last, last, 0, begins)
        self.before = self.device.empty(count + 1, SIZE)
        of.backend.launch("generate/edge_ranges.cuh", "", "pick_begins", count + 1,
                          np.int32(count + 1), self.first_rows, begins, self.before)  # fmt: skip
        self.shares = self.device.empty(constants.COLUMN_KNOTS, WORD)
        self._launch(BUCKET_SORT, "column_knots", self.shares.size, np.int32(begins.size - 1),
                     np.int32(size), begins, self.shares)  # fmt: skip

    def _rows(
        self, at: int, count: int, begin: int, end: int, apart: int, begins: DeviceArray
    ) -> None:
        self._launch(ROW_BUCKETS, "bucket_rows", count, np.int32(begin), np.int32(end),
                     np.int64(apart), begins, self.first_rows[at:])  # fmt: skip

    def sections(self, r: Range) -> int:
        return -(-r.buckets // self.each)

    def fitting(self, ranges: list[Range], most: int, sections: int | None = None) -> int:
        """How many ranges, from the first on, have at most so many entries and sections."""
        drawn = np.cumsum([r.drawn for r in ranges])
        parts = np.cumsum([*map(self.sections, ranges)])
        limit = self.of.sections if sections is None else sections
        return int(np.count_nonzero((drawn <= most) & (parts <= limit)))

    def group(self, ranges: list[Range], spare: int, room: int) -> tuple[list[Range], int]:
        """The first ranges, of which there is room for the entries; and how many of them, the first
        of all, are to have theirs in spare room. At least one range has its own in the other."""
        if self.fitting(ranges, room) == len(ranges):
            return ranges, 0
        most = self.of.sections - max(map(self.sections, ranges))
        in_spare = self.fitting(ranges[:-1], spare, most)
        left = self.of.sections - sum(map(self.sections, ranges[:in_spare]))
        more = max(1, self.fitting(ranges[in_spare:], room, left))
        return ranges[: in_spare + more], in_spare

    def take(
        self, kind: str, count: int, edges: tuple[Any, ...], classes: int, rows: tuple[Any, ...],
        group: list[Range], spare: DeviceArray, room: DeviceArray,
    ) -> None:  # fmt: skip
        """Write the entries of a group of ranges, whose vertices are of some classes, of so many
        edges to their sections: first to spare room, and the others to room."""
        (warps, items), device = self.of.take, self.device
        firsts = [np.arange(self.sections(r)) * self.each + self.first[r] for r in group]
        first = np.concatenate(firsts).astype(INDEX)
        bounds, places = device.empty(first.size, INDEX), device.empty(first.size, COUNT)
        self._launch(ROW_BUCKETS, "begin_parts", first.size, device.upload(first),
                     self.first_rows, self.before, bounds, places)  # fmt: skip
        tile = 32 * warps * items // 2
        self.of.backend.launch(
            ROW_BUCKETS, "", f"take_sections<{kind}, {warps}, {items}>", 0, np.int64(count), edges,
            np.uint32(classes), rows, np.int32(first.size), bounds, places,
            np.uint64(spare.size), spare, room,
            blocks=min(max(1, -(-count // tile)), device.max_blocks), threads=32 * warps,
            shared_bytes=self.of.partition_bytes(self.of.take),
        )  # fmt: skip

    def sorted(
        self, r: Range, lengths: DeviceArray, pairs: DeviceArray, moved: DeviceArray,
        offset: np.dtype, columns: DeviceArray,
    ) -> tuple[DeviceArray, int]:  # fmt: skip
        """The rows of a range, of which these are the lengths with duplicates, from the entries of
        its sections: their offsets, and the number of entries. Waits."""
        device, launch, first = self.device, self.of.backend.launch, int(self.first[r])
        first_rows, before = self.first_rows[first:], self.before[first:]
        self._split(r, first_rows, before, pairs, moved)
        begins = self.of.backend.prefix_sums.begins(lengths, SIZE)
        indptr = device.empty(lengths.size + 1, offset)
        words, c = device.zeros(r.buckets + 1, COUNT), types.c_name(offset)
        for span in r.spans:
            way = span.way
            launch(BUCKET_SORT, "", f"sort_buckets<{c}, {way.warps}, {way.items}>", 0,
                   (words, np.int32(r.buckets)), first_rows, before, begins, self.shares, moved,
                   indptr, columns, blocks=span.buckets, threads=32 * way.warps,
                   shared_bytes=self.of.sort_bytes(way))  # fmt: skip
        return indptr, int(device.download(indptr[lengths.size :])[0])  # synchronize!

    def _split(
        self, r: Range, first_rows: DeviceArray, before: DeviceArray, pairs: DeviceArray,
        moved: DeviceArray,
    ) -> None:  # fmt: skip
        """Move the entries of a range from its sections to its buckets."""
        (warps, items), sections = self.of.split, self.sections(r)
        places = self.device.empty(r.buckets, COUNT)
        self._launch(ROW_BUCKETS, "begin_parts", r.buckets, None, first_rows, before, None, places)
        tile = 32 * warps * items
        room = max(32 * span.way.warps * span.way.items for span in r.spans)
        tiles = -(-min(r.drawn, self.each * room) // tile)
        self.of.backend.launch(
            ROW_BUCKETS, "", f"split_sections<{warps}, {items}>", 0, np.int32(sections),
            np.int32(tiles), np.int32(r.buckets), np.int32(self.each), first_rows, before, pairs,
            places, moved, blocks=min(sections * tiles, self.device.max_blocks), threads=32 * warps,
            shared_bytes=self.of.partition_bytes(self.of.split),
        )  # fmt: skip

    def _launch(self, header: str, name: str, work: int, *args: Any) -> None:
        self.of.backend.launch(header, "", name, work, np.int32(work), *args)
