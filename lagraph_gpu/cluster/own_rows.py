"""The rows of one process, made of edges that all processes have in pieces.

The pieces are gone over twice. In each round every process makes one, and what it holds goes to the
owners of the rows (`placed_rows`): the first time the numbers of entries, those given twice
included, the second time the entries. Then the rows are sorted and what is given twice is folded, a
range of rows at a time, in the array that becomes the graph. So beside the finished rows there are
only some pieces, what is given twice, and one copy of a long row.

Piece r·P + p is made by process p of P in round r. So entries of one place arrive in the order of
the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.cluster.distributed_store import Arrays
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.placed_rows import PlacedRows
from lagraph_gpu.convert.edge_list import check_vertices, needs_64_bits
from lagraph_gpu.convert.edges import first_again, merge, once, twice
from lagraph_gpu.errors import DuplicateEdges
from semirings.types import INT32

ONE = np.ones(1, INT32)
"""The weight of every edge of a graph without weights."""

PIECE, SHARE, MOST = 1 << 15, 1 << 7, 1 << 19
"""The edges of a piece: so many, or this part of what a process has if that is more, since fewer
pieces are faster; and never more than `MOST`. There are several copies of a piece."""

NEVER = [1 << 62, 1 << 62]
"""The ends of no edge, behind those of all."""


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

Weights = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The weights (FP32) of the edges from these lower to these higher ids."""


def pieces_of(edges: int, size: int, share: int = SHARE) -> int:
    """The number of pieces of so many edges on so many processes; each has one. A piece is about a
    part of what a process has that `share` says."""
    return max(size, -(-edges // min(MOST, max(PIECE, edges // (size * share)))))


class OwnRows:
    """The rows of this process of a graph of `n` vertices, or of as many as the ids say, whose
    edges, `about` so many, are made in `count` pieces. They are counted when this is made.

    With `both` each edge stands in the rows of both its ends. `marks` says which entries are
    marked: "down", those of edges from a higher to a lower id, or "back", those from the second end
    of an edge to the first.
    """

    def __init__(
        self, distribution: Distribution, count: int, make: Make, n: int | None, both: bool,
        about: int, marks: str = "",
    ) -> None:  # fmt: skip
        self.distribution, self.count, self.make = distribution, count, make
        self.both, self.marks = both, marks
        self.given, self.dtype = 0, np.dtype(INT32)
        """How many edges this process has made, and the type of their weights."""
        self.weighted = False
        self._kept: Piece | None = None
        self.placed = PlacedRows(distribution, 2 * about if both else about)
        if n is not None:
            self.placed.hold(n)
        self._count_entries(grows=n is None)

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.placed.n

    @property
    def places(self) -> np.ndarray | None:
        """The places of the rows that have entries, if only these are made; None if all are."""
        return None if self.placed.listed is None else self.placed.listed.places

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
                n = int(self.distribution.counts(top).max()) + 1
                self.placed.hold(check_vertices(n, self.distribution.large_graphs))
            self.placed.count(self._entries(piece).row)
        self.dtype = np.result_type(*types)
        real = self.distribution.counts(self.dtype.kind == "f")
        if self.weighted and self.dtype.kind != "f" and real.any():
            self.dtype = np.dtype(np.float64)

    # --- the second time over -----------------------------------------------------------------
    def rows(self, dup: str, weights: Weights | None = None) -> tuple[Rows, bool]:
        """The finished rows, and whether one value stands for all entries."""
        iso = not self.weighted and dup != "sum" and weights is None
        dtype = self.dtype if weights is None else np.dtype(np.float32)
        self.placed.take_room(None if iso else dtype)
        for piece in self._pieces():
            self.placed.place(*self._entries(piece))
        self._kept, ends = None, self.placed.offsets()
        columns, values = self.placed.columns, self.placed.values
        keep = self._wanted(dup, ends)
        filled, again = 0, NEVER
        for part, came in self._in_ranges(ends):
            found = keep(came)
            keys = Keys(found.row, found.column, self.n)
            value = ONE if found.value is None else found.value
            try:
                key, value = merge(keys.key, value, dup, keys.width, iso=found.value is None)
            except DuplicateEdges:
                again = [int(end[0]) for end in keys.ends(np.array([first_again(keys.key)]))]
                break
            row, column = keys.ends(key)
            place = self.placed.positions(row // self.distribution.size) - part.first
            counts = np.bincount(place, minlength=part.lengths.size)
            upto = filled + key.size
            ends[part.first + 1 : part.first + 1 + counts.size] = filled + np.cumsum(counts)
            columns.array()[filled:upto] = column
            if weights is not None:
                value = weights(np.minimum(row, column), np.maximum(row, column))
            if not iso:
                values.array()[filled:upto] = value
            filled = upto
        if dup == "error" and (first := min(self.distribution.counts(*again).tolist())) < NEVER:
            raise twice(*first)
        columns.shrink(filled)
        values.shrink(0 if iso else filled)
        return (ends, columns.array(), ONE if iso else values.array()), iso

    def _in_ranges(self, ends: np.ndarray) -> Iterator[tuple[Range, Entries]]:
        """All entries in the order in which they came: those of a range of rows at a time, or of a
        long row those of a range of columns. What was before them may be overwritten meanwhile."""
        columns, values = self.placed.columns.array(), self.placed.values.array()
        room = room_of(ends)
        for part in ranges(ends, room):
            count = int(part.lengths.sum())
            there = slice(part.begin, part.begin + count)
            arrays = [columns[there].copy(), *([values[there].copy()] if self.weighted else [])]
            of_row = part.lengths.size == 1 and count > room
            for column, *value in by_columns(arrays, self.n, room) if of_row else [arrays]:
                rows = self.placed.rows(part.first, part.lengths.size)
                row = np.repeat(rows, column.size if of_row else part.lengths)
                yield part, Entries(row, column.astype(np.int64), value[0] if value else None)

    def _wanted(self, dup: str, ends: np.ndarray) -> Callable[[Entries], Entries]:
        """What of the entries of a range becomes the graph, without marks, in which order."""
        if not self.marks:
            return lambda found: found
        upwards = False
        if self.marks == "down":
            lonely = sum(not in_both_directions(found) for _, found in self._in_ranges(ends))
            upwards = not self.distribution.totals(lonely)[0]

        def unmarked(found: Entries) -> Entries:
            marked = found.column < 0
            plain = found._replace(column=np.where(marked, ~found.column, found.column))
            if upwards:
                return plain.at(~marked)
            later = self.marks == "back" and dup != "error"
            return plain.at(np.argsort(marked, kind="stable")) if later else plain

        return unmarked


class Keys:
    """A key u · n + v for each of some edges; of many vertices u and v are replaced by their ranks
    among those that occur, since a key has 64 bits."""

    def __init__(self, row: np.ndarray, column: np.ndarray, n: int) -> None:
        self.width, self._ids = max(1, n), None
        if needs_64_bits(n):
            self._ids, ranks = zip(
                *(np.unique(ids, return_inverse=True) for ids in (row, column)), strict=True
            )
            row, column = ranks
            self.width = max(1, self._ids[1].size)
        self.key = row * self.width + column

    def ends(self, key: np.ndarray) -> Arrays:
        """The ends u and v of edges with these keys."""
        ends = np.divmod(key, self.width)
        return [*ends] if self._ids is None else [ids[k] for ids, k in zip(self._ids, ends)]


class Range(NamedTuple):
    """A range of rows: the first, how many entries each has, and where the first entry is."""

    first: int
    lengths: np.ndarray
    begin: int


def room_of(ends: np.ndarray) -> int:
    """How many of the entries of rows are folded at a time."""
    return max(PIECE, int(ends[-1]) // SHARE)


def ranges(ends: np.ndarray, room: int) -> Iterator[Range]:
    """All rows, a range of about so many entries at a time; the ends of those before may be others
    meanwhile."""
    first, begin = 0, 0
    while first < ends.size - 1:
        last = int(np.searchsorted(ends, begin + room, "right")) - 1
        last = min(max(last, first + 1), first + room, ends.size - 1)
        end = int(ends[last])
        yield Range(first, np.diff(ends[first + 1 : last + 1], prepend=begin), begin)
        first, begin = last, end


def by_columns(arrays: Arrays, n: int, room: int) -> Iterator[Arrays]:
    """The entries of a long row, of which the columns are the first array: those of a range of
    columns, marked or not, at a time, of about so many entries. The arrays are overwritten."""
    size = arrays[0].size
    parts, bounds = -(-size // room), []
    for some in (slice(begin, begin + room) for begin in range(0, size, room)):
        column = arrays[0][some].astype(np.int64)
        which = (np.where(column < 0, ~column, column) // -(-n // parts)).astype(np.uint16)
        order = np.argsort(which, kind="stable")
        for array in arrays:
            array[some] = array[some][order]
        bounds.append(some.start + np.searchsorted(which[order], np.arange(parts + 1)))
    for k in range(parts):
        yield [np.concatenate([array[at[k] : at[k + 1]] for at in bounds]) for array in arrays]


def in_both_directions(found: Entries) -> bool:
    """Whether all edges among these, of which those downwards are marked, are there with the same
    weights upwards and downwards. Each is looked at in the row of its lower end."""
    down = found.column < 0
    column = np.where(down, ~found.column, found.column)
    upper = np.flatnonzero(found.row <= column)
    row, column, value = Entries(found.row, column, found.value).at(upper)
    down = down[upper]
    return once(np.where(down, column, row), np.where(down, row, column), value)[1] is None
