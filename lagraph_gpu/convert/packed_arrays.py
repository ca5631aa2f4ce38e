"""The arrays of packed rows on the host: what they hold, their checks, and their entries.

Packed rows store a symmetric pattern as gaps between columns, in Rice codes. The GPU's
`core/packed_rows.cuh` says how. Here they are only read, by NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lagraph_gpu.errors import InvalidValue
from semirings import types

OF_LANE, QUARTER, GAPS, SEGMENT_ENTRIES = 4, 32, 128, 2048
"""The gaps of a lane, of one width and of a block, and the entries of a segment of a long row."""

LONGEST_SHORT = GAPS + 1
"""The entries of the longest short row."""

UNIT = 4
"""The bits that a row of up to 32 gaps has a whole number of: so many that where it begins among 32
rows has 16 bits."""

FROM_COUNT, FROM_REST = 48, 8
"""A segment's entries stand above the first of these bits; the gaps of a short row stand below the
second of its tail, and what else the tail says above."""

WIDTH_BITS, WIDEST = 5, 31
"""The bits of a width, whose byte says above them by how many bytes quotients take more than a bit
each; and the largest."""

SLACK = 4
"""The words behind the last one of the stream that a decoder may read."""

FIRST_SAYS = "a first column says whether others follow"

CHUNK = 1 << 14
"""So many rows or segments are read at once, at most; a multiple of 32."""

TYPES: dict[str, tuple[np.dtype, ...]] = {
    "first": (np.dtype(np.int32),), "tails": (np.dtype(np.uint16),),
    "groups": (np.dtype(np.int64),), "segments": (np.dtype(np.int32),),
    "segment": (np.dtype(np.uint64),), "stream": (np.dtype(np.uint32),),
}  # fmt: skip
"""The types of the arrays."""

NARROW = types.UINT8, types.UINT16, types.UINT32
"""The types that weights may be stored in, instead of their own."""

Pairs = tuple[np.ndarray, np.ndarray]
"""Rows and columns."""


class PackedArrays(NamedTuple):
    """The arrays of packed rows, the stream with its slack, and the value of all entries; or the
    weights of all entries, row by row, and one of 0 in the type that they are to have."""

    first: np.ndarray
    tails: np.ndarray
    groups: np.ndarray
    segments: np.ndarray
    segment: np.ndarray
    stream: np.ndarray
    value: np.ndarray
    weights: np.ndarray | None = None

    @property
    def n_long(self) -> int:
        return self.segments.size - 1


class Blocks(NamedTuple):
    """Blocks of gaps: the bits of the stream with which they begin, a byte for each of their
    quarters, the gaps, and whether there are quotients."""

    begin: np.ndarray
    widths: np.ndarray
    gaps: np.ndarray
    coded: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """The gaps of each quarter."""
        return (self.gaps[:, None] - QUARTER * np.arange(4)).clip(0, QUARTER)

    @property
    def low(self) -> np.ndarray:
        """The low bits that each gap of a quarter has."""
        return self.widths & ((1 << WIDTH_BITS) - 1)

    @property
    def quotient_bytes(self) -> np.ndarray:
        """The bytes of each quarter's quotients."""
        counts = self.counts
        more = np.where(counts > 0, self.widths >> WIDTH_BITS, 0)
        return np.where(self.coded[:, None], (counts + 7) // 8 + more, 0)

    @property
    def bits(self) -> np.ndarray:
        """The bits that each block has."""
        return (self.low * self.counts + 8 * self.quotient_bytes).sum(1)

    def quotients(self, stream: np.ndarray) -> np.ndarray:
        """What is left of each gap above its low bits. Raises InvalidValue unless each quarter has
        a one for each gap, and the codes of four gaps take at most 32 bits."""
        lengths, found = 8 * self.quotient_bytes, np.zeros(self.gaps.sum(), np.int64)
        counts = np.where(self.coded[:, None], self.counts, 0).ravel()
        starts = self.begin + (self.low * self.counts).sum(1)
        starts = (starts[:, None] + np.cumsum(lengths, axis=1) - lengths).ravel()
        lengths = lengths.ravel()
        before = np.cumsum(lengths) - lengths
        bit = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
        ones = np.flatnonzero(inside(bit >> 5, stream) >> (31 - (bit & 31)).astype(np.uint32) & 1)
        ends = np.searchsorted(ones, np.r_[before, lengths.sum()])
        expect((np.diff(ends) == counts).all(), "each gap ends in its quarter")
        earlier = np.r_[-1, ones[:-1]]
        leads = (np.cumsum(counts) - counts)[counts > 0]
        earlier[leads] = before[counts > 0] - 1
        quotients, gaps = ones - earlier - 1, self.gaps[self.coded]
        if quotients.size:
            within = np.arange(quotients.size) - np.repeat(np.cumsum(gaps) - gaps, gaps)
            codes = np.add.reduceat(quotients + 1, np.flatnonzero(within % OF_LANE == 0))
            expect((codes <= 32).all(), "the quotients of four gaps take at most 32 bits")
        found[np.repeat(self.coded, self.gaps)] = quotients
        return found


def expect(right: bool | np.bool_, what: str) -> None:
    if not right:
        raise InvalidValue(f"expected packed rows in which {what}")


def check_packed(arrays: PackedArrays, n: int) -> int:
    """Check that the arrays are packed rows of n vertices, without decoding gaps: each part begins
    where the one before ends, is as long as its widths say, and has as many quotients as gaps.
    Returns the number of entries.
    """
    check_sizes(arrays, n)
    first, tails, groups, segments, segment, stream, _, _ = arrays
    short, long = tails.size, arrays.n_long
    expect((segments[1:] > segments[:-1]).all(), "each long row has segments, in order of rows")
    at = count = 0
    for begin in range(0, segment.size, CHUNK // 32):
        end = min(begin + CHUNK // 32, segment.size)
        blocks, entries, starts = segment_blocks(arrays, begin, end)
        number = block_counts(entries)
        bits = np.add.reduceat(blocks.bits, np.cumsum(number) - number)
        at = expect_in_turn(starts, 1 + number + -(-bits // 32), at)
        blocks.quotients(stream)
        count += int(entries.sum())
    last = np.zeros(segment.size, bool)
    last[segments[1:][segments[1:] > segments[:-1]] - 1] = True
    full = (segment >> np.uint64(FROM_COUNT)) == SEGMENT_ENTRIES
    expect((last | full).all(), "all segments of a row but the last are full")
    entries = segment[segments[:-1]] >> np.uint64(FROM_COUNT)
    expect(((first[:long] < 0) == (entries == 1)).all(), FIRST_SAYS)
    for begin in range(0, short, CHUNK):
        end = min(begin + CHUNK, short)
        blocks, bits = short_blocks(arrays, begin, end)
        wide = blocks.gaps > QUARTER
        own = 32 + 32 * -(-blocks.bits[wide] // 32)
        expect((bits[wide] == own).all(), "a row has the words of its widths")
        of_groups = -(-np.add.reduceat(bits, np.arange(0, end - begin, 32)) // 32)
        at = expect_in_turn(groups[begin // 32 : -(-end // 32)], of_groups, at)
        blocks.quotients(stream)
        alone = first[long + begin : long + end] < 0
        expect((alone == (blocks.gaps == 0)).all(), FIRST_SAYS)
        count += int(blocks.gaps.sum(dtype=np.int64)) + end - begin
    expect(at + SLACK == stream.size, "the parts fill the stream")
    check_weights(arrays, count)
    column = np.maximum(first, ~first)
    expect(column.size == 0 or int(column.max()) < n, "first columns are vertices")
    return count


def check_sizes(arrays: PackedArrays, n: int) -> None:
    """Check that the sizes of the arrays belong together, but for the weights."""
    first, tails, groups, segments, segment, stream = arrays[:6]
    short, long = tails.size, arrays.n_long
    expect(
        long >= 0 and first.size == long + short <= n
        and groups.size == -(-short // 32) and (long % 32 == 0 or short == 0),
        "the arrays have as many rows as vertices have edges",
    )  # fmt: skip
    expect(segments[0] == 0 and segments[-1] == segment.size, "segments belong to rows")
    expect(stream.size >= SLACK, "the parts fill the stream")


def check_weights(arrays: PackedArrays, count: int) -> None:
    """Check that there are no weights, or one for each of so many entries."""
    if arrays.weights is not None:
        expect(arrays.weights.size == count, "there is a weight for each entry")
        expect_types(arrays.weights, arrays.value.dtype)


def expect_types(weights: np.ndarray, dtype: np.dtype) -> None:
    """Check that weights are of this type, or of a narrower one of which it holds all of them."""
    expect(weights.dtype in (dtype, *NARROW), "weights have their own type or a narrower one")
    if weights.dtype != dtype:
        most = types.highest(dtype) if dtype.kind in "iu" else np.inf
        expect(dtype.kind in "iuf" and int(weights.max(initial=0)) <= most,
               f"{types.name(dtype)} holds all weights")  # fmt: skip


def expect_in_turn(starts: np.ndarray, words: np.ndarray, at: int) -> int:
    """Check that parts follow each other from `at` on, and return the end of the last one."""
    ends = at + np.cumsum(words, dtype=np.int64)
    expect((starts == ends - words).all(), "each part begins where the one before ends")
    return int(ends[-1])


def widths_of(words: np.ndarray) -> np.ndarray:
    """The four bytes of each word."""
    return words.astype("<u4").view(np.uint8).reshape(-1, 4).astype(np.int64)


def inside(at: np.ndarray, stream: np.ndarray) -> np.ndarray:
    """Words of the stream. Raises InvalidValue for positions outside of it."""
    expect(at.size == 0 or (at.min() >= 0 and at.max() < stream.size), "parts are in the stream")
    return stream[at]


def words_from(bit: np.ndarray, stream: np.ndarray) -> np.ndarray:
    """The 32 bits from these on, of which 0 is the highest of the first word."""
    first, second = (inside((bit >> 5) + i, stream).astype(np.uint64) for i in (0, 1))
    both = first << np.uint64(32) | second
    return (both >> (32 - (bit & 31)).astype(np.uint64)).astype(np.uint32)


def block_counts(entries: np.ndarray) -> np.ndarray:
    return (entries + GAPS - 1) // GAPS


def segment_blocks(
    arrays: PackedArrays, begin: int, end: int
) -> tuple[Blocks, np.ndarray, np.ndarray]:
    """The blocks of segments, and the entries and the first word of each segment."""
    stored = arrays.segment[begin:end]
    entries = (stored >> np.uint64(FROM_COUNT)).astype(np.int64)
    starts = (stored & np.uint64((1 << FROM_COUNT) - 1)).astype(np.int64)
    expect((entries > 0).all() and (entries <= SEGMENT_ENTRIES).all(), "segments have entries")
    number = block_counts(entries)
    before = np.cumsum(number) - number
    block = np.arange(number.sum()) - np.repeat(before, number)
    gaps = (np.repeat(entries, number) - GAPS * block).clip(max=GAPS)
    widths = widths_of(inside(np.repeat(starts, number) + 1 + block, arrays.stream))
    blocks = Blocks(np.zeros_like(gaps), widths, gaps, np.ones(gaps.size, bool))
    bits = blocks.bits
    earlier = np.cumsum(bits) - bits
    earlier -= np.repeat(earlier[before], number)
    begin_bits = np.repeat(32 * (starts + 1 + number), number) + earlier
    return blocks._replace(begin=begin_bits), entries, starts


def short_blocks(arrays: PackedArrays, begin: int, end: int) -> tuple[Blocks, np.ndarray]:
    """The blocks of short rows, which begin with a whole group, and the bits of each row."""
    tails = arrays.tails[begin:end].astype(np.int64)
    gaps, rest = tails & (1 << FROM_REST) - 1, tails >> FROM_REST
    expect((gaps <= GAPS).all(), f"a short row has at most {GAPS} gaps")
    wide = gaps > QUARTER
    widths = np.zeros((gaps.size, 4), np.int64)
    widths[:, 0] = np.where(wide, 0, rest)
    bits = np.where(wide, 32 * rest, UNIT * -(-gaps * rest // UNIT))
    expect((rest[~wide] <= WIDEST).all(), f"a gap has at most {WIDEST} bits")
    starts = np.cumsum(bits) - bits
    group = np.arange(end - begin) // 32
    at = 32 * arrays.groups[begin // 32 : -(-end // 32)][group] + starts - starts[::32][group]
    widths[wide] = widths_of(words_from(at[wide], arrays.stream))
    return Blocks(at + 32 * wide, widths, gaps, wide), bits


def gaps_in(blocks: Blocks, stream: np.ndarray) -> np.ndarray:
    """All gaps of blocks."""
    begin, gaps, lows = blocks.begin, blocks.gaps, blocks.low
    block = np.repeat(np.arange(gaps.size), gaps)
    t = np.arange(block.size) - np.repeat(np.cumsum(gaps) - gaps, gaps)
    quarter = t // QUARTER
    width = lows[block, quarter]
    before = QUARTER * (np.cumsum(lows, axis=1) - lows)[block, quarter]
    bit = begin[block] + before + t % QUARTER * width
    word = bit >> 5
    first, second = (stream[word + i].astype(np.int64) for i in (0, 1))
    low = (first << 31 | second >> 1) >> (63 - width - (bit & 31)) & ((1 << width) - 1)
    return (blocks.quotients(stream) << width) + low + 1


def sums_in_parts(steps: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The running sums of steps in each part of so many."""
    sums = np.cumsum(steps)
    before = np.cumsum(counts) - counts
    return sums - np.repeat(np.r_[0, sums][before], counts)


def packed_entries(arrays: PackedArrays, n: int) -> Iterator[Pairs]:
    """The rows and the columns of the entries in order, in blocks. The arrays have been checked;
    raises InvalidValue for columns that are no vertices."""
    for row, column in _decoded(arrays):
        expect(column.size == 0 or (column.min() >= 0 and column.max() < n),
               f"columns are from 0 to {n - 1}")  # fmt: skip
        yield row, column.astype(np.int32)


def rows_of_packed(
    arrays: PackedArrays, n: int, nnz: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The compressed rows of n vertices, with nnz entries: one value for all of them, or one for
    each."""
    lengths, indices, at = np.zeros(n + 1, np.int64), np.empty(nnz, np.int32), 0
    for row, column in packed_entries(arrays, n):
        indices[at : at + column.size] = column
        at += column.size
        if row.size:
            first = int(row[0])
            counts = np.bincount(row - first)
            lengths[1 + first : 1 + first + counts.size] += counts
    if arrays.weights is not None:
        return np.cumsum(lengths), indices, arrays.weights.astype(arrays.value.dtype)
    return np.cumsum(lengths), indices, arrays.value


def _decoded(arrays: PackedArrays) -> Iterator[Pairs]:
    first, stream, long = arrays.first, arrays.stream, arrays.n_long
    for begin in range(0, arrays.segment.size, CHUNK // 32):
        end = min(begin + CHUNK // 32, arrays.segment.size)
        blocks, entries, starts = segment_blocks(arrays, begin, end)
        row = np.searchsorted(arrays.segments, np.arange(begin, end), "right") - 1
        last = stream[starts].astype(np.int32).astype(np.int64)
        steps = gaps_in(blocks, stream)
        column = np.repeat(last, entries) + sums_in_parts(steps, entries)
        leads = arrays.segments[row] == np.arange(begin, end)
        own = column[np.cumsum(entries) - entries][leads]
        expect((own == np.maximum(first, ~first)[row[leads]]).all(), "first columns come first")
        yield np.repeat(row, entries), column
    for begin in range(0, arrays.tails.size, CHUNK):
        end = min(begin + CHUNK, arrays.tails.size)
        blocks, _ = short_blocks(arrays, begin, end)
        steps = gaps_in(blocks, stream)
        own = first[long + begin : long + end]
        own = np.maximum(own, ~own).astype(np.int64)
        counts = blocks.gaps + 1
        column = np.empty(counts.sum(), np.int64)
        leads = np.cumsum(counts) - counts
        rest = np.ones(column.size, bool)
        rest[leads] = False
        column[leads] = own
        column[rest] = np.repeat(own, blocks.gaps) + sums_in_parts(steps, blocks.gaps)
        yield np.repeat(np.arange(long + begin, long + end), counts), column
