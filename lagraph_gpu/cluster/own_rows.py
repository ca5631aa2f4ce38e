"""The rows of one process, made of edges that all processes have in pieces.

The pieces are gone over twice. In each round every process makes one, and sends what it holds for
the rows of others to their owners. The first time counts the entries of each row, those given twice
included. The second time each entry goes to its place. Then the rows are sorted and what is given
twice is folded, a range of rows at a time, in the array that becomes the graph. So beside the
finished rows there are only some pieces, and what is given twice.

Piece r·P + p is made by process p of P in round r. So entries of one place arrive in the order of
the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.cluster.distribution import Arrays, Distribution
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.convert.build import RENUMBER, check_vertices
from lagraph_gpu.convert.edges import first_again, merge, once, twice
from lagraph_gpu.convert.growing import GrowingArray
from lagraph_gpu.errors import DuplicateEdges, InvalidValue
from lagraph_gpu.memory import expect_room
from semirings.types import INT32

ONE = np.ones(1, INT32)
"""The weight of every edge of a graph without weights."""

PIECE, SHARE, MOST = 1 << 15, 1 << 7, 1 << 19
"""The edges of a piece: so many, or this part of what a process has if that is more, since fewer
pieces are faster; and never more than `MOST`. There are several copies of a piece."""

OFFSET_BYTES = 16
"""What a row without entries takes in memory, at most."""

NEVER = 1 << 62
"""The key row · n + column of no edge."""


class Piece(NamedTuple):
    """A few edges, with weights or without."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None

    def nothing(self) -> Piece:
        """A piece of the same kind without edges."""
        weight = None if self.weight is None else self.weight[:0]
        return Piece(self.source[:0], self.target[:0], weight)


class Entries(NamedTuple):
    """Entries of the matrix. Those whose columns are complements are marked."""

    row: np.ndarray
    column: np.ndarray
    value: np.ndarray | None

    def at(self, which: np.ndarray) -> Entries:
        """Some of them, or all in another order."""
        value = None if self.value is None else self.value[which]
        return Entries(self.row[which], self.column[which], value)


Make = Callable[[int], Piece]
"""A function that makes the piece of a number, and the same one again when it is asked again."""

Weights = Callable[[np.ndarray], np.ndarray]
"""The weights (FP32) of the edges with these keys low · n + high."""


def pieces_of(amount: int, size: int, each: int = 1) -> int:
    """The number of pieces of so many edges, or of edges that take so many bytes each, on so many
    processes; each has one."""
    edges = amount // each
    return max(size, -(-edges // min(MOST, max(PIECE, edges // (size * SHARE)))))


class OwnRows:
    """The rows of this process of a graph of `n` vertices, or of as many as the ids say, whose
    edges are made in `count` pieces. They are counted when this is made.

    With `both` each edge stands in the rows of both its ends. `marks` says which entries are
    marked: "down", those of edges from a higher to a lower id, or "back", those from the second end
    of an edge to the first.
    """

    def __init__(
        self, distribution: Distribution, count: int, make: Make, n: int | None, both: bool,
        marks: str = "",
    ) -> None:  # fmt: skip
        self.distribution, self.count, self.make = distribution, count, make
        self.both, self.marks = both, marks
        self.given, self.dtype = 0, np.dtype(INT32)
        """How many edges this process has made, and the type of their weights."""
        self.weighted = False
        self._kept: Piece | None = None
        self.ends = np.zeros(2, np.int64)
        """Of row i at i + 2. Once they are added up row i begins at what stands at i + 1, and this
        counts on to its end when its entries come."""
        self.n = 0
        """The rows of so many vertices are counted: those of all in the end."""
        if n is not None:
            self._hold(n)
        self._count_entries(grows=n is None)

    def _hold(self, n: int) -> None:
        """Count the rows of so many vertices, a number that is the same on all processes. Those of
        all processes of this host must fit into its memory, and nobody takes any before all have
        looked."""
        if n <= self.n:
            return
        comm, rows = self.distribution.comm, self._own(n)
        wanted = OFFSET_BYTES * rows - self.ends.nbytes
        expect_room(
            wanted, f"the offsets of {rows:,} rows", f"if few ids are used, {RENUMBER}",
            wanted * comm.transport.local_size,
        )  # fmt: skip
        comm.agree()
        self.ends.resize(rows + 2, refcheck=False)
        self.n = n

    def _own(self, n: int) -> int:
        return len(range(self.distribution.rank, n, self.distribution.size))

    def _pieces(self) -> Iterator[Piece]:
        """The pieces of this process, and an empty one where others have one more."""
        rank, size = self.distribution.rank, self.distribution.size
        for first in range(0, self.count, size):
            if first + rank < self.count:
                piece = self._kept or self.make(first + rank)
                self._kept = piece if self.count == size else None
            else:
                piece = piece.nothing()
            yield piece

    def _entries(self, piece: Piece) -> Entries:
        """The entries that the edges of a piece stand for, those of one edge together."""
        source, target, weight = piece
        down = source > target
        if not self.both:
            return Entries(source, target, weight)
        row, column = (np.stack(pair, 1).ravel() for pair in ((source, target), (target, source)))
        marked = np.repeat(down, 2) if self.marks == "down" else np.arange(row.size) % 2 == 1
        column = np.where(marked, ~column, column) if self.marks else column
        once = np.ones(row.size, bool)
        once[1::2] = source != target
        value = None if weight is None else np.repeat(weight, 2)
        return Entries(row, column, value).at(once)

    def _sent(self, row: np.ndarray, *more: np.ndarray) -> Arrays:
        """The places of the rows that come to this process, and what comes with them."""
        size = self.distribution.size
        place = (row // size).astype(np.int32)
        return merged(self.distribution.sent(row % size, [place, *more]))

    # --- the first time over ------------------------------------------------------------------
    def _count_entries(self, grows: bool) -> None:
        """Count the entries of each row. If it `grows` there are as many vertices as the largest id
        says, and all processes come to know it in each round, so that they take the same room."""
        types = {np.dtype(INT32)}
        for piece in self._pieces():
            self.given += piece.source.size
            if piece.weight is not None:
                types = (types if self.weighted else set()) | {piece.weight.dtype}
                self.weighted = True
            if grows:
                top = max(int(end.max(initial=-1)) for end in piece[:2])
                self._hold(check_vertices(int(self.distribution.counts(top).max()) + 1))
            (place,) = self._sent(self._entries(piece).row)
            np.add.at(self.ends, place.astype(np.int64) + 2, 1)
        self.dtype = np.result_type(*types)
        real = self.distribution.counts(self.dtype.kind == "f")
        if self.weighted and self.dtype.kind != "f" and real.any():
            self.dtype = np.dtype(np.float64)

    # --- the second time over -----------------------------------------------------------------
    def rows(self, dup: str, weights: Weights | None = None) -> tuple[Rows, bool]:
        """The finished rows, and whether one value stands for all entries."""
        ends = np.cumsum(self.ends, out=self.ends)
        total = int(ends[-1])
        iso = not self.weighted and dup != "sum" and weights is None
        dtype = self.dtype if weights is None else np.dtype(np.float32)
        comm, wanted = (
            self.distribution.comm,
            total * (INT32.itemsize + (0 if iso else dtype.itemsize)),
        )
        expect_room(wanted, f"rows of {total:,} entries", together=comm.sum_on_host(wanted))
        comm.agree()
        columns, values = GrowingArray(INT32, total), GrowingArray(dtype, 0 if iso else total)
        self._place_entries(ends[1:], columns.array(), values.array())
        self._kept, ends = None, ends[:-1]
        if int(ends[-1]) != total:
            raise changed()
        keep = self._wanted(dup, ends, columns, values)
        filled, again = 0, NEVER
        for part in ranges(ends):
            found = keep(self._of_range(part, columns, values))
            key = found.row * self.n + found.column
            value = ONE if found.value is None else found.value
            try:
                key, value = merge(key, value, dup, self.n, iso=found.value is None)
            except DuplicateEdges:
                again = first_again(key)
                break
            row, column = np.divmod(key, max(1, self.n))
            place = row // self.distribution.size - part.first
            counts = np.bincount(place, minlength=part.lengths.size)
            upto = filled + key.size
            ends[part.first + 1 : part.first + 1 + counts.size] = filled + np.cumsum(counts)
            columns.array()[filled:upto] = column
            if weights is not None:
                value = weights(np.minimum(row, column) * self.n + np.maximum(row, column))
            if not iso:
                values.array()[filled:upto] = value
            filled = upto
        if dup == "error" and (again := int(self.distribution.counts(again).min())) < NEVER:
            raise twice(again, self.n)
        columns.shrink(filled)
        values.shrink(0 if iso else filled)
        return (ends, columns.array(), ONE if iso else values.array()), iso

    def _place_entries(self, at: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        """Let each entry that comes be the next one of its row, for which `at` says where it is."""
        for piece in self._pieces():
            row, column, value = self._entries(piece)
            more = [] if value is None else [value.astype(self.dtype)]
            place, column, *more = self._sent(row, column.astype(INT32), *more)
            order = np.sort(place.astype(np.int64) << 32 | np.arange(place.size)) & 0xFFFFFFFF
            place = place[order]
            begins = np.flatnonzero(np.diff(place, prepend=-1))
            counts = np.diff(begins, append=place.size)
            if place.size and place[-1] >= at.size:
                raise changed()
            to = at[place] + np.arange(place.size) - np.repeat(begins, counts)
            if to.max(initial=-1) >= columns.size:
                raise changed()
            columns[to] = column[order]
            for array in more:
                values[to] = array[order]
            at[place[begins]] += counts

    def _of_range(self, part: Range, columns: GrowingArray, values: GrowingArray) -> Entries:
        """The entries of a range of rows, in the order in which they came."""
        place = np.repeat(part.first + np.arange(part.lengths.size), part.lengths)
        there = slice(part.begin, part.begin + place.size)
        row = place * self.distribution.size + self.distribution.rank
        value = values.array()[there].copy() if self.weighted else None
        return Entries(row, columns.array()[there].astype(np.int64), value)

    def _wanted(
        self, dup: str, ends: np.ndarray, columns: GrowingArray, values: GrowingArray
    ) -> Callable[[Entries], Entries]:
        """What of the entries of a range becomes the graph, without marks, in which order."""
        if not self.marks:
            return lambda found: found
        upwards = False
        if self.marks == "down":
            parts = (self._of_range(part, columns, values) for part in ranges(ends))
            lonely = sum(not in_both_directions(found) for found in parts)
            upwards = not self.distribution.totals(lonely)[0]

        def unmarked(found: Entries) -> Entries:
            marked = found.column < 0
            plain = found._replace(column=np.where(marked, ~found.column, found.column))
            if upwards:
                return plain.at(~marked)
            later = self.marks == "back" and dup != "error"
            return plain.at(np.argsort(marked, kind="stable")) if later else plain

        return unmarked


class Range(NamedTuple):
    """A range of rows: the first, how many entries each has, and where the first entry is."""

    first: int
    lengths: np.ndarray
    begin: int


def ranges(ends: np.ndarray) -> Iterator[Range]:
    """All rows, a range at a time; the ends of those before may be others meanwhile."""
    room = max(PIECE, int(ends[-1]) // SHARE)
    first, begin = 0, 0
    while first < ends.size - 1:
        last = int(np.searchsorted(ends, begin + room, "right")) - 1
        last = min(max(last, first + 1), first + room, ends.size - 1)
        end = int(ends[last])
        yield Range(first, np.diff(ends[first + 1 : last + 1], prepend=begin), begin)
        first, begin = last, end


def in_both_directions(found: Entries) -> bool:
    """Whether all edges among these, of which those downwards are marked, are there with the same
    weights upwards and downwards. Each is looked at in the row of its lower end."""
    down = found.column < 0
    column = np.where(down, ~found.column, found.column)
    upper = np.flatnonzero(found.row <= column)
    row, column, value = Entries(found.row, column, found.value).at(upper)
    down = down[upper]
    return once(np.where(down, column, row), np.where(down, row, column), value)[1] is None


def changed() -> InvalidValue:
    return InvalidValue(
        "expected the same edges each time, but they were others when they were gone over again; "
        "let nobody write to the file meanwhile"
    )
