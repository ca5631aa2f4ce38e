"""Kronecker graphs on the device without the list of their edges: the degrees first (see
edge_ranges.cuh), and then group after group of rows, for which all edges are drawn again and the
entries of the group's rows are taken, until its ranges of rows are made of them (see
row_buckets.py). Where there is room for all edges they are kept from the beginning, and drawn once.

Besides the finished rows, memory holds 8 bytes a vertex (where each one stands, and how long its
row is), 12 for what is told of the vertices, 8 for each entry that is taken, of which some lie in
the memory of rows that are not packed yet, ENTRY_BYTES for each entry of a range, and 8 for each
edge that is kept. Until the first range is made, 72 bytes a vertex are in use.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_rows import WHOLE, PartOfRows
from lagraph_gpu.gpu.device import DeviceArray, constants, expect_room
from lagraph_gpu.gpu.generate.end_buckets import EndBuckets
from lagraph_gpu.gpu.generate.kronecker_edges import PAIR, DeviceDrawing
from lagraph_gpu.gpu.generate.row_buckets import Buckets, Range, RowBuckets
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, words
from lagraph_gpu.gpu.storage.matrix_storage import Pattern
from lagraph_gpu.gpu.storage.packed_rows import (
    HUB_SEGMENTS,
    LONGEST_SHORT,
    PACK_ROWS,
    Lengths,
    Packer,
)
from lagraph_gpu.gpu.storage.vector_storage import SIZE, offset_for
from lagraph_gpu.planning.trace import record_choice
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

EDGE_RANGES = "generate/edge_ranges.cuh"
COORDINATES = "matrix/coordinates.cuh"
PACKED_ACCOUNT = "generate/packed_account.cuh"

DEGREE, COUNT = np.dtype(np.uint32), np.dtype(np.uint64)

ENTRY_BYTES = 20
"""The bytes for each drawn entry of a range besides those that were taken: as they are in buckets,
the columns, and where rows begin."""

NO_ROOM = "compressed rows of {plain} bytes do not fit, packed ones of {packed} do"

NO_PART = np.int32(-1), np.int32(1)
"""The numbers of a part that has no rows."""

ORDER_BYTES, PLACE_BYTES = 72, 28
"""The bytes of a vertex while vertices are numbered, and afterwards."""

KEPT_RANGES = 24
"""All edges are kept if there is room to take one in so many entries at a time besides."""

TAKEN_SHARE, RANGE_SHARE = 0.86, 0.1
"""The entries that are taken at a time have this share of what is free beside a range, which has
the second. The rest is for the pieces into which a pool of memory falls."""

CLASSES, ALL_CLASSES = 32, 0xFFFFFFFF
"""The classes of vertices, by the ones in the bits that the levels of an edge give; and all of
them, as bits."""

MOST_EDGES = (1 << 32) - 1
"""A vertex has fewer edges."""

PAIR_WORDS, PACKED_WORDS = 2, 0.7
"""The words of the stream that an entry takes before it is packed, and more than it takes then."""

LEAST_RANGE = 1 << 20
"""A range has at least so many drawn entries, if there are as many."""


def bits_of(classes: np.ndarray) -> int:
    """For which classes something holds, as bits."""
    return int(np.packbits(classes, bitorder="little").view("<u4")[0])


def stream_bits(scale: int) -> float:
    """About how many bits of the stream a drawn entry takes, and up to a tenth of a bit more. If it
    is more, the stream is copied once. Measured at scales 26, 28, 29 and 30
    (docs/decisions/layouts.md, 0288)."""
    return 0.585 * scale - 2.95


class DeviceRows(DeviceDrawing):
    """The rows of a Kronecker graph by falling drawn degree: a store of the matrix, the names of
    the vertices, and the ends of edges at each. Of a ``part`` these are the rows of the part alone,
    with all columns, and not packed.

    ``range_entries`` are the drawn entries of a range, by default as many as fit. ``keeps_edges``
    says whether all edges are kept, by default if there is room for them. ``group_entries`` are
    taken at a time, besides those that wait in the memory of the rows."""

    range_entries: int | None = None
    group_entries: int | None = None
    keeps_edges: bool | None = None

    def __init__(
        self, backend: GpuBackend, draw: Draw, packed: bool, part: PartOfRows = WHOLE
    ) -> None:
        super().__init__(backend, draw)
        device, n, self.part = self.device, draw.n, part
        self.own, packed = self._of_part(n), packed and part == WHOLE
        expect_room(device, ORDER_BYTES * n)
        self.kept = self._room_for_edges(packed)
        self.row_buckets = RowBuckets(backend)
        begins, lengths = self._order()
        total = int(device.download(begins[self.own :])[0])  # synchronize!
        packed = self._packed(packed, lengths, total)
        keeps = (InPackedRows if packed else InPlainRows)(self, lengths, begins, total)
        ranges = self._cuts(begins, lengths, total)
        buckets = self.row_buckets.laid_out(ranges, begins, part.size)
        del begins
        entries = self._made(ranges, buckets, keeps)
        del self.kept, self.drawn
        self.store = keeps.finished(device.full(1, 1, np.int32), entries)

    def _of_part(self, count: int) -> int:
        """How many of the first so many rows are of this part."""
        return len(range(self.part.rank, count, self.part.size))

    def _numbers_of_part(self) -> tuple[np.int32, np.int32]:
        return np.int32(self.part.rank), np.int32(self.part.size)

    def _room_for_edges(self, packed: bool) -> DeviceArray | None:
        """Memory for all edges, if there is room for them beside the rows and what these need."""
        count, n = self.drawing.count, self.drawing.n
        keeps = self.keeps_edges
        if keeps is None:
            rows = self._bytes_of_rows(packed, n, 2 * count) + PLACE_BYTES * n
            ranges = rows + 2 * count * (PAIR.itemsize + ENTRY_BYTES) // KEPT_RANGES
            beside = max(ORDER_BYTES * n, ranges)
            keeps = PAIR.itemsize * count + beside <= self.device.free_bytes
        return self.device.empty(max(1, count), PAIR) if keeps else None

    # --- degrees -----------------------------------------------------------------------------
    def _order(self) -> tuple[DeviceArray, Lengths]:
        """Numbers the vertices. Returns the number of drawn entries before each row, and what is
        known of the rows. Waits."""
        device, draw, n = self.device, self.drawing, self.drawing.n
        degrees, loops = device.zeros(n, DEGREE), device.zeros(n, DEGREE)
        EndBuckets(self.backend).count(draw, self._edge(), degrees, loops, self.kept)
        name, keys = self._names(), device.empty(n, PAIR)
        self._ranges("drawn_keys", n, degrees, name, keys)
        device.sort(keys)
        hub = HUB_SEGMENTS * constants.SEGMENT_ENTRIES
        bounds = np.array([0, LONGEST_SHORT, hub, *self.row_buckets.bounds()], DEGREE)
        counts = device.empty(bounds.size, INDEX)
        self._ranges("count_above", n, keys, np.int32(bounds.size), device.upload(bounds), counts)
        n_connected, longer, hubs, *above = device.download(counts).tolist()  # synchronize!
        least = self._class_bounds(degrees, MOST_EDGES)[0]  # synchronize!
        shorter = bits_of(least <= LONGEST_SHORT)
        keys = self._by_least_neighbour(keys, degrees, name, shorter, longer, n_connected)
        own, part = max(1, self.own), self._numbers_of_part()
        ids, place = device.empty(own, SIZE), device.empty(n, INDEX)
        rows, ends = device.empty(own, DEGREE), device.empty(own, DEGREE)
        self._ranges("take_order", n, keys, np.int32(n_connected), *part, ids, place, rows, ends)
        self.to = device.empty(n, INDEX)
        self._ranges("take_places", n, np.int32(n_connected), keys, name, place, degrees, loops,
                     *part, self.to, ends)  # fmt: skip
        del keys
        self.drawn = rows[: self.own]
        begins = self.backend.prefix_sums.begins(self.drawn, SIZE)
        adopt, export = self.backend.exchange.adopt_vector, device.export
        self.ids = adopt(export(ids[: self.own]), None, types.INT64, copy=False)
        self.ends = adopt(export(ends[: self.own]), None, types.UINT32, copy=False)
        self.n_connected, self.above = n_connected, [*map(self._of_part, above)]
        return begins, Lengths.of(*map(self._of_part, (n_connected, longer, hubs)))

    def _by_least_neighbour(
        self, keys: DeviceArray, degrees: DeviceArray, name: DeviceArray, shorter: int, begin: int,
        end: int,
    ) -> DeviceArray:  # fmt: skip
        """The sorted keys of the vertices, in which those of equal degree with short rows, which
        are of the classes `shorter` and stand from begin to before end, are sorted by their least
        neighbour."""
        if begin == end:
            return keys
        device, n = self.device, self.drawing.n
        place = device.empty(n, INDEX)
        self._ranges("take_order", n, keys, np.int32(end), *NO_PART, None, place, None, None)
        ends = device.empty(n, PAIR)
        self._ranges("begin_least", n, degrees, name, place, ends)
        del place
        edges = self._edge(None, self.kept)
        self._ranges("least_neighbours", self.drawing.count, edges, np.uint32(shorter), ends)
        least = device.empty(end - begin, INDEX)
        self._ranges("take_least", n, ends, np.int32(begin), np.int32(end), least)
        del ends
        ties = device.empty(end - begin, PAIR)
        self._ranges("tie_keys", end - begin, keys[begin:], least, ties)
        del least
        order, found = device.argsort(ties), device.empty(n, PAIR)
        self._ranges("take_ties", n, keys, np.int64(begin), np.int64(end), order, found)
        return found

    def _packed(self, wanted: bool, lengths: Lengths, total: int) -> bool:
        """Whether the rows are packed: where that is wanted, or where plain ones do not fit. Raises
        TooLarge if packed ones do not fit either, or cannot be made."""
        plain, packed = (self._bytes_of_rows(way, lengths.n, total) for way in (False, True))
        if not wanted:
            try:
                expect_room(self.device, plain)
                return False
            except TooLarge:
                if self.part != WHOLE:
                    raise
        expect_room(self.device, packed)
        if not wanted:
            record_choice("layout", "packed rows", NO_ROOM, plain=plain, packed=packed)
        return True

    def _bytes_of_rows(self, packed: bool, rows: int, total: int) -> int:
        """About what the finished rows take."""
        if packed:
            return int(total * stream_bits(self.drawing.scale)) // 8 + 8 * rows
        return total * INDEX.itemsize + (self.own + 1) * offset_for(total).itemsize

    # --- ranges ------------------------------------------------------------------------------
    def _cuts(self, begins: DeviceArray, lengths: Lengths, total: int) -> list[Range]:
        """The ranges. Waits."""
        device, free = self.device, int(RANGE_SHARE * self.device.free_bytes)
        each = self.range_entries or max(LEAST_RANGE, free // ENTRY_BYTES)
        pieces = max(1, -(-total // each))
        most = np.arange(1, pieces, dtype=np.int64) * -(-total // pieces)
        cuts: list[int] = []
        if most.size:
            cut = device.empty(most.size, INDEX)
            self._ranges("cut_rows", lengths.n, begins, np.int32(most.size), device.upload(most),
                         cut, n=INDEX)  # fmt: skip
            cuts = device.download(cut).tolist()  # synchronize!
        whole = min(-(-self.above[0] // 32) * 32, lengths.n) if self.above else lengths.n
        at = sorted({0, *cuts, whole, lengths.n_long, lengths.n})
        rows = sorted({*at, *self.above})
        picked, found = device.upload(np.array(rows, INDEX)), device.empty(len(rows), SIZE)
        self._ranges("pick_begins", len(rows), picked, begins, found, n=INDEX)
        before = dict(zip(rows, device.download(found).tolist(), strict=True))  # synchronize!
        return [
            Range(begin, end, before[begin], before[end] - before[begin],
                  self.row_buckets.spans(begin, end, self.above, before))
            for begin, end in pairwise(at) if before[end] > before[begin]
        ]  # fmt: skip

    def _made(
        self, ranges: list[Range], buckets: Buckets, keeps: InPackedRows | InPlainRows
    ) -> int:
        """Makes all rows, and returns the number of their entries. Waits."""
        device, count, entries = self.device, self.drawing.count, 0
        moved = device.empty(max([1, *(r.drawn for r in ranges if r.spans)]), PAIR)
        room = self._room_for_entries(ranges)
        edges, places = self._edge(self.to, self.kept), None
        if buckets.fitting(ranges, room.size) < len(ranges):
            if self.kept is not None:
                self._ranges("place_kept", count, self.to, self.kept)
                edges = self._edge(None, self.kept)
            else:
                places = self._class_bounds(self.to, self.n_connected)
        kind = "AllRows" if self.part == WHOLE else "PartOfRows"
        while ranges:
            group, in_spare = buckets.group(ranges, keeps.spare, room.size)
            ranges = ranges[len(group) :]
            spare = keeps.lent(sum(r.drawn for r in group[:in_spare]))
            rows = np.int32(group[0].begin), np.int32(group[-1].end), *self._numbers_of_part()
            classes = ALL_CLASSES if places is None else self._classes(places, *rows[:2])
            buckets.take(kind, count, edges, classes, rows, group, spare, room)
            for number, r in enumerate(group):
                at = r.before - group[0].before
                if number < in_spare:
                    part = spare[at : at + r.drawn]
                else:
                    keeps.lent(0)
                    part = room[at - spare.size :][: r.drawn]
                make = self._sorted if r.spans else self._sorted_whole
                indptr, columns = make(r, buckets, part, moved, keeps)
                keeps.append(r.begin, r.end, indptr, columns)
                entries += columns.size
        return entries

    def _class_bounds(self, values: DeviceArray, below: int) -> np.ndarray:
        """The least and the most of the values of the vertices of each class, of those below a
        bound. Waits."""
        bounds = self.device.full(2 * CLASSES, 0, WORD)
        self.device.write(bounds[:CLASSES], np.full(CLASSES, -1, np.int32).view(WORD))
        given = self.device.retyped(values, WORD), np.uint32(below)
        self._ranges("class_bounds", self.drawing.n, self._edge(), *given, bounds[:CLASSES],
                     bounds[CLASSES:])  # fmt: skip
        return self.device.download(bounds).reshape(2, CLASSES)  # synchronize!

    def _classes(self, places: np.ndarray, begin: np.int32, end: np.int32) -> int:
        """The classes of which vertices may be rows of the part from begin to before end, as
        bits."""
        size = self.part.size
        return bits_of((places[0] < int(end) * size) & (places[1] >= int(begin) * size))

    def _room_for_entries(self, ranges: list[Range]) -> DeviceArray:
        """Memory for all entries, or for as many as there is room for, but at least for those of a
        range. If what is free lies apart, it is for an eighth less, and so on."""
        drawn = [1, *(r.drawn for r in ranges)]
        most = self.group_entries or int(TAKEN_SHARE * self.device.free_bytes) // PAIR.itemsize
        while True:
            try:
                return self.device.empty(max(max(drawn), min(most, sum(drawn))), PAIR)
            except TooLarge:
                if most <= max(drawn):
                    raise
            most -= most // 8 + 1

    def _sorted(
        self, r: Range, buckets: Buckets, part: DeviceArray, moved: DeviceArray,
        keeps: InPackedRows | InPlainRows,
    ) -> tuple[DeviceArray, DeviceArray]:  # fmt: skip
        """The offsets and the columns of the rows of a range, from its entries. Waits."""
        offset, columns = keeps.room(r.drawn)
        lengths = self.drawn[r.begin : r.end]
        indptr, entries = buckets.sorted(r, lengths, part, moved, offset, columns)
        return indptr, columns[:entries]

    def _sorted_whole(
        self, r: Range, _: Buckets, part: DeviceArray, __: DeviceArray,
        keeps: InPackedRows | InPlainRows,
    ) -> tuple[DeviceArray, DeviceArray]:  # fmt: skip
        """The same where some rows are longer than what a block sorts. Waits."""
        device, backend, rows, drawn = self.device, self.backend, r.end - r.begin, r.drawn
        device.sort(part)
        kept, counts = device.empty(words(drawn), WORD), device.empty(words(drawn), SIZE)
        self._launch(COORDINATES, "mark_new", drawn, part, kept, counts)
        ends, entries = backend.prefix_sums.total(counts, SIZE)  # synchronize!
        offset, columns = keeps.room(entries)
        indptr = device.empty(rows + 1, offset)
        backend.launch(
            COORDINATES, "", f"begin_kept_rows<{types.c_name(offset)}>", rows + 1, np.int32(rows),
            np.int32(r.begin), np.int64(drawn), part, kept, ends, indptr,
        )  # fmt: skip
        self._ranges("keep_columns", drawn, part, kept, ends, columns)
        return indptr, columns[:entries]

    def _ranges(self, name: str, work: int, *args: Any, n: np.dtype = SIZE) -> None:
        """Launch a kernel whose first argument is the amount of work, in this type."""
        self.backend.launch(EDGE_RANGES, "", name, work, n.type(work), *args)

    def differences(self, sampled: int) -> int:
        """How many of the first ``sampled`` drawn edges the rows lack. Waits."""
        missing, count = self.device.zeros(1, COUNT), min(sampled, self.drawing.count)
        A, edges = self.store, self._edge(self.to)
        if A.packed is not None:
            self._launch(PACKED_ACCOUNT, "missing_edges", count, edges, A.packed.given, missing)
        else:
            name = f"missing_plain<{types.c_name(A.offset)}>"
            self._launch(PACKED_ACCOUNT, name, count, edges, *self._numbers_of_part(), A.indptr,
                         A.indices, missing)  # fmt: skip
        return int(self.device.download(missing)[0])  # synchronize!


class InPackedRows:
    """Packed rows that grow range by range. The end of their stream, which is not written yet,
    holds drawn entries meanwhile."""

    def __init__(self, of: DeviceRows, lengths: Lengths, begins: DeviceArray, total: int) -> None:
        self.of, device = of, of.device
        room = max(0, int(total * stream_bits(of.drawing.scale)) // 32)
        of_long = begins[lengths.n_long : lengths.n_long + 1]
        in_long = int(device.download(of_long)[0])  # synchronize!
        segments = lengths.n_long + in_long // constants.SEGMENT_ENTRIES
        self.packer = Packer(of.backend, lengths, room, segments)

    @property
    def spare(self) -> int:
        """How many entries the end of the stream holds until they are packed themselves."""
        return max(0, int(self.packer.unwritten / (PAIR_WORDS + PACKED_WORDS)) - 1)

    def lent(self, count: int) -> DeviceArray:
        """The end of the stream for so many entries. It is not written before there is another
        one."""
        return self.of.device.retyped(self.packer.lend(PAIR_WORDS * count), PAIR)

    def room(self, entries: int) -> tuple[np.dtype, DeviceArray]:
        """The type of a range's offsets, and where its columns go."""
        return offset_for(entries), self.of.device.empty(max(1, entries), INDEX)

    def append(self, begin: int, end: int, indptr: DeviceArray, columns: DeviceArray) -> None:
        self.packer.append(begin, end, indptr, 0, columns)

    def finished(self, value: DeviceArray, entries: int) -> DeviceMatrix:
        """The symmetric matrix, with one value for all entries."""
        rows = self.packer.finished(value)
        return self.of.backend.packing.matrix(rows, self.of.drawing.n, entries)


class InPlainRows:
    """Compressed rows that grow range by range, in memory for all drawn entries."""

    spare = 0

    def lent(self, count: int) -> DeviceArray:
        return self.of.device.empty(count, PAIR)

    def __init__(self, of: DeviceRows, lengths: Lengths, _: DeviceArray, total: int) -> None:
        self.of, self.lengths, self.device = of, lengths, of.device
        self.kind = offset_for(total)
        self.indptr = self.device.empty(of.own + 1, self.kind)
        self.indices = self.device.empty(max(1, total), INDEX)
        self.used = 0

    def room(self, entries: int) -> tuple[np.dtype, DeviceArray]:
        """Where the columns of the next range go, and the type of offsets: behind the columns of
        the ranges before."""
        return self.kind, self.indices[self.used : self.used + entries]

    def append(self, begin: int, end: int, indptr: DeviceArray, columns: DeviceArray) -> None:
        self._raised(indptr, self.indptr[begin : end + 1], self.used)
        self.used += columns.size

    def _raised(self, source: DeviceArray, to: DeviceArray, more: int) -> None:
        name = f"copy_raised<{types.c_name(source.dtype)}, {types.c_name(to.dtype)}>"
        self.of.backend.launch(PACK_ROWS, "", name, source.size, np.int64(source.size), source,
                               to.dtype.type(more), to)  # fmt: skip

    def finished(self, value: DeviceArray, entries: int) -> DeviceMatrix:
        """The matrix, with one value for all entries. Rows behind the last range are empty."""
        n, last = self.of.own, self.lengths.n
        self._raised(self.device.zeros(n + 1 - last, self.kind), self.indptr[last:], self.used)
        if (kind := offset_for(entries)) != self.kind:  # without duplicates there are few enough
            wide, self.indptr = self.indptr, self.device.empty(n + 1, kind)
            self._raised(wide, self.indptr, 0)
        whole = self.of.part == WHOLE
        pattern = (
            Pattern(n_connected=last)
            if whole
            else Pattern(leading_rows=last, leading_columns=self.of.n_connected)
        )
        made = DeviceMatrix((n, self.of.drawing.n), value.dtype, entries, self.indptr,
                            self.indices[: max(1, entries)], value, iso=True,
                            pattern=pattern)  # fmt: skip
        made.transposed = made if whole else None
        return made
