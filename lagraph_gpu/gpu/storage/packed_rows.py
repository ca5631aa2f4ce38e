"""Packed rows: a square symmetric pattern in about half of the memory of compressed rows.

Vertices are numbered by falling degree, so that the first columns of a row are hubs and the gaps
between columns are small. The gaps are stored in Rice codes (see
``cuda/core/packed_blocks.cuh``). Rows are packed range by range: each range is measured first, so
nothing besides the range's plain columns and the packed rows is held.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from lagraph_gpu.convert.packed_arrays import LONGEST_SHORT, NARROW, SLACK
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants, expect_room
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix, Pattern
from lagraph_gpu.gpu.storage.vector_storage import (
    INDEX,
    SIZE,
    WORD,
    offset_for,
    words,
)
from lagraph_gpu.notation import Matrix
from lagraph_gpu.planning.trace import record_choice
from semirings import types, unary

PACK_ROWS = "matrix/pack_rows.cuh"
CHECK_PACKED = "matrix/check_packed.cuh"

HUB_SEGMENTS = 8
"""A row of more segments is read by a block where a whole row is folded."""

GROWTH = 8
"""A stream that is too short grows by one part in so many, at least."""

PART_WORDS = 4608
"""The longest segment, or group of short rows, has less words than these."""

KEPT_SHARE = 2
"""A stream that does not fit has 1 / KEPT_SHARE of what is free on the device."""

HEAD_SHARE = 0.0
"""This share of what the device has are the first words of the stream, the rest its last words."""

SPILLED = "packed rows do not fit on the device; what it lacks is read from the host over the bus"

SCAN_WAVES = 4
"""A scan of all rows has so many times the blocks that fill a device: these take what is left where
others are slower."""

TAIL, SEGMENT = np.dtype(np.uint16), np.dtype(np.uint64)

BLOCKS = constants.SEGMENT_ENTRIES // constants.PACKED_GAPS
"""The blocks of a full segment."""


class Window(NamedTuple):
    """The part of a stream that stays in the host's memory, which kernels read there in place."""

    host: DeviceArray | None
    """All words of the stream, in pinned memory of the host."""
    begin: int
    end: int
    apart: int
    """By how much the words from ``end`` on come earlier on the device."""

    @property
    def given(self) -> tuple[Any, ...]:
        return self.host, np.int64(self.begin), np.int64(self.end), np.int64(self.apart)

    @property
    def nbytes(self) -> int:
        return WORD.itemsize * (self.end - self.begin)


class PackedWeights(NamedTuple):
    """The values of all entries in order, in a type that holds each of them exactly."""

    begins: DeviceArray
    """Where those of each row begin."""
    values: DeviceArray

    @property
    def nbytes(self) -> int:
        return self.begins.nbytes + self.values.nbytes

    def types(self) -> str:
        """The C++ types of both arrays."""
        return f"{types.c_name(self.begins.dtype)}, {types.c_name(self.values.dtype)}"


NOTHING_SPILLED = Window(None, 1 << 62, 1 << 62, 0)
"""The whole stream is on the device."""


class PackedRows(NamedTuple):
    """The packed rows of a square symmetric pattern. Its first fields are those of the kernels'
    struct of this name."""

    n: int
    """The number of rows that may have entries."""
    n_long: int
    first: DeviceArray
    tails: DeviceArray
    groups: DeviceArray
    segments: DeviceArray
    segment: DeviceArray
    stream: DeviceArray
    window: Window
    n_hubs: int
    """The number of rows that may have more than ``HUB_SEGMENTS`` segments."""
    n_segments: int
    words: int
    """The words of the stream in use."""
    value: DeviceArray
    """The value of all entries, unless they have weights."""
    weights: PackedWeights | None = None

    @property
    def given(self) -> tuple[Any, ...]:
        """The rows as kernels take them."""
        return (np.int32(self.n), np.int32(self.n_long), *self[2:8], *self.window.given)

    @property
    def whole_stream(self) -> DeviceArray:
        return self.stream if self.window.host is None else self.window.host

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays on the device, those of the stream's slack included."""
        weights = 0 if self.weights is None else self.weights.nbytes
        return sum(array.nbytes for array in self[2:8]) + weights


class Lengths(NamedTuple):
    """What must be known of the rows before they are packed. Their lengths fall; at least, only
    rows before ``n_long`` may have more than LONGEST_SHORT entries."""

    n: int
    n_long: int
    n_hubs: int

    @classmethod
    def of(cls, n: int, longer: int, hubs: int) -> Lengths:
        """From the number of rows with entries, with more than LONGEST_SHORT entries, and of hubs.
        Long rows are rounded up to whole words."""
        return cls(n, min(-(-longer // 32) * 32, n), hubs)


class Packer(BackendPart):
    """Packs the rows of one pattern, range by range in order."""

    def __init__(self, backend: Any, lengths: Lengths, room: int = 0, segments: int = 0) -> None:
        """Room for so many words of the stream and so many segments is taken at once; more is
        taken as it is needed, by a copy."""
        super().__init__(backend)
        self.lengths, device = lengths, self.device
        n, n_long, _ = lengths
        n_short = n - n_long
        self.first = device.empty(max(1, n), INDEX)
        self.tails = device.empty(max(1, n_short), TAIL)
        self.groups = device.empty(words(n_short), SIZE)
        self.segments = device.zeros(n_long + 1, INDEX)
        self.segment = device.empty(max(1, segments), SEGMENT)
        self.stream = backend.spill.room_for(room + SLACK, WORD)
        self.used = self.n_segments = self.lent = 0

    def append(self, begin: int, end: int, indptr: DeviceArray, origin: int, columns: Any) -> None:
        """Pack the rows from ``begin`` to before ``end``, which are all long or all short; short
        ones begin with a multiple of 32 behind the long ones. The columns of the row i stand from
        indptr[i - begin] - origin on. Waits once."""
        if begin == end:
            return
        count, c = end - begin, types.c_name(indptr.dtype)
        rows = indptr, indptr.dtype.type(origin), columns
        self._launch(f"take_first<{c}>", count, np.int32(count), rows, self.first[begin:end])
        (self._long if begin < self.lengths.n_long else self._short)(begin, count, rows, c)

    def _short(self, begin: int, count: int, rows: tuple[Any, ...], c: str) -> None:
        begin -= self.lengths.n_long
        lengths, widths = self.device.empty(words(count), SIZE), self.device.empty(count, WORD)
        tails = self.tails[begin : begin + count]
        self._launch(f"measure_short<{c}>", count, np.int32(count), rows, tails, widths, lengths)
        places, more = self._places(lengths)  # synchronize!
        self._launch(f"pack_short<{c}>", count, np.int32(count), rows, np.int64(self.used), tails,
                     widths, places, self.groups[begin // 32 :], self._stream(more))  # fmt: skip
        self.used += more

    def _long(self, begin: int, count: int, rows: tuple[Any, ...], c: str) -> None:
        counts = self.device.empty(count, INDEX)
        self._launch(f"count_segments<{c}>", count, np.int32(count), rows, counts)
        begins = self.backend.prefix_sums.begins(counts, INDEX)
        segments = int(self.device.download(begins[count:])[0])  # synchronize!
        self._raised(begins, INDEX.type(self.n_segments), self.segments[begin:])
        if segments == 0:
            return
        lengths = self.device.empty(segments, SIZE)
        widths = self.device.empty(segments * BLOCKS, WORD)
        given = np.int32(segments), np.int32(count), rows, begins
        self._launch(f"measure_segments<{c}>", 32 * segments, *given, widths, lengths)
        places, more = self._places(lengths)  # synchronize!
        self.segment = self._grown(self.segment, self.n_segments, segments)
        self._launch(f"pack_segments<{c}>", 32 * segments, *given, np.int64(self.used), widths,
                     places, self.segment[self.n_segments :], self._stream(more))  # fmt: skip
        self.used += more
        self.n_segments += segments

    def finished(self, value: DeviceArray) -> PackedRows:
        """The packed rows, after the last range, with one value for all entries."""
        n, n_long, n_hubs = self.lengths
        zeros = self.device.zeros(SLACK, WORD)
        self._raised(zeros, WORD.type(0), self.stream[self.used : self.used + SLACK])
        rows = PackedRows(n, n_long, self.first, self.tails, self.groups, self.segments,
                          self.segment, self.stream, NOTHING_SPILLED, min(n_hubs, n_long),
                          self.n_segments, self.used, value)  # fmt: skip
        spilled = self.device.is_pinned(self.stream)
        return self.backend.packing.placed(rows) if spilled else rows

    def _places(self, lengths: DeviceArray) -> tuple[DeviceArray, int]:
        """Where the words of each part begin, and how many there are. Waits."""
        begins = self.backend.prefix_sums.begins(lengths, SIZE)
        return begins, int(self.device.download(begins[lengths.size :])[0])  # synchronize!

    @property
    def unwritten(self) -> int:
        """The words of the stream that are on the device and not written yet."""
        return 0 if self.device.is_pinned(self.stream) else self.stream.size - self.used - SLACK

    def lend(self, words: int) -> DeviceArray:
        """The last words of the stream, an even number behind an even number of others. They are
        not written before others are lent, or none."""
        begin = self.stream.size // 2 * 2 - words
        self.lent = self.stream.size - begin if words else 0
        return self.stream[begin : begin + words]

    def _stream(self, more: int) -> DeviceArray:
        room = self._room(self.stream, self.used, more + SLACK + self.lent)
        if room is not None:
            self.stream = self._copied(
                self.stream, self.used, self.backend.spill.room_for(room, WORD)
            )
        return self.stream

    def _grown(self, array: DeviceArray, used: int, more: int) -> DeviceArray:
        """The array, or a longer copy if it has no room for so many more."""
        room = self._room(array, used, more)
        if room is None:
            return array
        return self._copied(array, used, self.device.empty(room, array.dtype))

    @staticmethod
    def _room(array: DeviceArray, used: int, more: int) -> int | None:
        """The size of a longer array; None if there is room."""
        if used + more <= array.size:
            return None
        return used + more if used == 0 else max(used + more, used + used // GROWTH)

    def _copied(self, array: DeviceArray, used: int, to: DeviceArray) -> DeviceArray:
        if used:
            self.device.overwrite(to[:used], array[:used])
        return to

    def _raised(self, source: DeviceArray, more: Any, to: DeviceArray) -> None:
        c = types.c_name(source.dtype)
        self._launch(f"copy_raised<{c}, {c}>", source.size,
                     np.int64(source.size), source, more, to)  # fmt: skip

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(PACK_ROWS, "", name, work, *args, waves=SCAN_WAVES)


class Packing(BackendPart):
    """Packs matrices, and unpacks them. For tests and measurements: ``hubs``, the segments of a row
    above which a block reads it; ``part_words``; ``head_share``."""

    hubs = HUB_SEGMENTS
    part_words = PART_WORDS
    head_share = HEAD_SHARE

    def packed(self, A: DeviceMatrix) -> PackedRows:
        """The packed rows of a symmetric matrix whose rows fall in length. Waits a few times."""
        n, device, c = A.shape[0], self.device, types.c_name(A.offset)
        counts = device.zeros(4, INDEX)
        hub = self.hubs * constants.SEGMENT_ENTRIES
        for longest, where in ((LONGEST_SHORT, counts[:2]), (hub, counts[2:])):
            self.backend.launch(PACK_ROWS, "", f"count_long<{c}>", 2, np.int32(n), A.indptr,
                                np.int32(longest), where)  # fmt: skip
        longer, n_connected, hubs, _ = device.download(counts).tolist()  # synchronize!
        packer = Packer(self.backend, Lengths.of(n_connected, longer, hubs))
        n_long = packer.lengths.n_long
        for begin, end in ((0, n_long), (n_long, n_connected)):
            origin = int(device.download(A.indptr[begin : begin + 1])[0])  # synchronize!
            packer.append(begin, end, A.indptr[begin:], origin, A.indices[origin:])
        return packer.finished(A.values)

    def first_length(self, rows: PackedRows) -> int:
        """About how long the first row is, which has about the most entries. Waits."""
        if rows.n == 0:
            return 0
        if rows.n_long:
            segments = int(self.device.download(rows.segments[1:2])[0])  # synchronize!
            return segments * constants.SEGMENT_ENTRIES
        tail = int(self.device.download(rows.tails[:1])[0])  # synchronize!
        return (tail & (1 << constants.FROM_REST) - 1) + 1

    def placed(self, rows: PackedRows) -> PackedRows:
        """Rows whose stream lies in the host's memory, with as much of it copied to the device as
        leaves room for what runs over it: the rows of hubs, which are pushed from, and the
        shortest rows, which are pulled to."""
        free = self.device.free_bytes // KEPT_SHARE // WORD.itemsize
        most = max(0, free - self.part_words - SLACK)
        head = int(self.head_share * most)
        made = self.divided(rows, head, most - head)
        record_choice("layout", "rows in host memory", SPILLED, device=made.nbytes,
                      host=made.window.nbytes)  # fmt: skip
        return made

    def divided(self, rows: PackedRows, head: int, tail: int) -> PackedRows:
        """Rows of whose stream the device has the first `head` words and the last `tail` ones, and
        the host the others. The stream must lie in the host's memory."""
        device, host = self.device, rows.whole_stream
        begin, end, size = head, rows.words - tail, rows.words + SLACK
        copied = begin + self.part_words if begin else 0  # all words of parts that begin before
        if copied >= end:
            stream, window = device.empty(size, WORD), NOTHING_SPILLED
            device.overwrite(stream, host[:size])
        else:
            stream = device.empty(copied + size - end, WORD)
            window = Window(host, begin, end, end - copied)
            device.overwrite(stream[:copied], host[:copied])
            device.overwrite(stream[copied:], host[end:size])
        return rows._replace(stream=stream, window=window)

    def on_host(self, rows: PackedRows) -> PackedRows:
        """Rows whose stream lies in the host's memory alone; it is copied there if need be."""
        stream = rows.whole_stream
        if rows.window.host is None and not self.device.is_pinned(stream):
            size = rows.words + SLACK
            stream = self.device.pinned(size, WORD)
            self.device.overwrite(stream, rows.stream[:size])
        return rows._replace(stream=stream, window=NOTHING_SPILLED)

    def matrix(
        self, rows: PackedRows, n: int, nnz: int, iso: bool = True, of: np.dtype | None = None
    ) -> DeviceMatrix:
        """The symmetric matrix of n rows, with values ``of`` this type. Its compressed rows are
        made when something asks for them, unless its values are not ``iso`` and it has no weights:
        then it has no values."""
        dtype = rows.value.dtype if of is None else of

        def compressed() -> DeviceMatrix:
            store = own()
            assert store is not None and store.packed is not None
            return self.unpacked(store.packed, n, nnz, dtype)

        made = DeviceMatrix.later((n, n), dtype, compressed, nnz, iso=iso,
                                  pattern=Pattern(n_connected=rows.n))  # fmt: skip
        made.transposed, made.packed, own = made, rows, ref(made)
        return made

    def with_value(self, A: DeviceMatrix, value: DeviceArray) -> DeviceMatrix:
        """A matrix of the packed rows of A with another value for all entries."""
        assert A.packed is not None
        return self.matrix(A.packed._replace(value=value, weights=None), A.shape[0], A.nnz)

    def one_entry(self, A: DeviceMatrix) -> DeviceMatrix:
        """A matrix of one entry with the value of A, for a kernel that computes from it."""
        assert A.packed is not None
        indptr = self.device.upload(np.array([0, 1], A.offset))
        return DeviceMatrix((1, 1), A.dtype, 1, indptr, self.device.zeros(1, INDEX), A.packed.value,
                            iso=True)  # fmt: skip

    def wrong_parts(self, rows: PackedRows, n: int) -> tuple[int, int]:
        """How many parts do not begin where the one before ends, or have not the words of their
        widths, and how many entries there are. The sizes of the arrays must be right. Waits."""
        found, bounds = self.device.zeros(2, np.uint64), (n, rows.n_segments, rows.words)
        self.backend.launch(
            CHECK_PACKED, "", "check_parts", max(rows.n, rows.n_segments), rows.given,
            (*map(np.int32, bounds[:2]), np.int64(bounds[2])), found[:1], found[1:],
        )  # fmt: skip
        wrong, entries = self.device.download(found).tolist()  # synchronize!
        return wrong, entries

    def wrong(self, rows: PackedRows, n: int) -> int:
        """How many columns are no vertices of n, or do not rise. The parts must be right. Waits."""
        wrong = self.device.zeros(1, np.uint64)
        self.backend.launch(CHECK_PACKED, "", "count_wrong", max(rows.n, 32 * rows.n_segments),
                            np.int32(n), rows.given, wrong, waves=SCAN_WAVES)  # fmt: skip
        return int(self.device.download(wrong)[0])  # synchronize!

    def begins_of(self, rows: PackedRows, n: int, offset: np.dtype) -> DeviceArray:
        """Where the entries of each of n rows begin."""
        expect_room(self.device, 2 * (n + 1) * offset.itemsize)
        lengths = self.device.empty(max(1, n), offset)
        self.backend.launch(PACK_ROWS, "", f"packed_lengths<{types.c_name(offset)}>", n,
                            np.int32(n), rows.given, lengths)  # fmt: skip
        return self.backend.prefix_sums.begins(lengths[:n], offset)

    def weights_of(self, A: Matrix) -> PackedWeights:
        """The weights of a matrix, in the narrowest of the types 8, 16 and 32 bits wide that holds
        all of them exactly, or else as they are. Waits."""
        store: DeviceMatrix = A._store
        narrow = next((t for t in NARROW if t.itemsize < store.dtype.itemsize and held_by(A, t)),
                      store.dtype)  # fmt: skip
        values = store.values
        if narrow != store.dtype:
            values = self.backend.spill.room_for(max(1, store.nnz), narrow)
            self._converted(store.values, store.nnz, values)
        return PackedWeights(store.indptr, values)

    def _converted(self, source: DeviceArray, count: int, to: DeviceArray) -> None:
        c = types.c_name(source.dtype), types.c_name(to.dtype)
        self.backend.launch(PACK_ROWS, "", f"copy_raised<{', '.join(c)}>", count,
                            np.int64(count), source, to.dtype.type(0), to)  # fmt: skip

    def unpacked(self, rows: PackedRows, n: int, nnz: int, dtype: np.dtype) -> DeviceMatrix:
        """The compressed rows, which lie in the host's memory if the device has no room for them.
        Weights get the given type."""
        room_for = self.backend.spill.room_for
        begins, values = rows.weights or (self.begins_of(rows, n, offset_for(nnz)), rows.value)
        columns = room_for(max(1, nnz), INDEX)
        if rows.weights is not None and values.dtype != dtype:
            values = room_for(max(1, nnz), dtype)
            self._converted(rows.weights.values, nnz, values)
        self.backend.launch(PACK_ROWS, "", f"unpack<{types.c_name(begins.dtype)}>",
                            max(n, 32 * rows.n_segments), rows.given, begins, columns,
                            waves=SCAN_WAVES)  # fmt: skip
        return DeviceMatrix((n, n), values.dtype, nnz, begins, columns, values)


def held_by(A: Matrix, dtype: np.dtype) -> bool:
    """Whether a type of whole numbers from 0 on holds all entries exactly. Waits."""
    least, most = (A.reduce_scalar(which).new().get(0) for which in ("min", "max"))  # synchronize!
    if not (least >= 0 and most <= types.highest(dtype)):
        return False
    if A.dtype.kind != "f":
        return True
    return bool(A.apply(unary("floor(x) == x")).reduce_scalar("land").new().get(True))
