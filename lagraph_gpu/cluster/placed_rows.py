"""The rows of one process, into which all processes put the entries that they have in pieces.

They are gone over twice. First each process tells the owners of rows how many entries these have,
then it sends the entries, and each goes to its place. So beside the rows there are only some
pieces. Entries of a row keep the order in which they are sent: those of one exchange in the order
of the processes, and before those of the next one.

Where few of very many rows have entries, or there are 2³¹ and more, only those are listed
(`ListedRows`).
"""

from __future__ import annotations

import hashlib

import numpy as np

from lagraph_gpu.cluster.distributed_store import Arrays
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.convert.edge_list import RENUMBER, lists_rows
from lagraph_gpu.convert.growing import GrowingArray
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.memory import expect_room
from semirings.types import INT32, INT64

OFFSET_BYTES = 16
"""What a row without entries takes in memory, at most."""


class PlacedRows:
    """The rows of this process. All processes call its functions together."""

    def __init__(self, distribution: Distribution, about: int) -> None:
        self.distribution, self.about = distribution, about
        """About so many entries are to come to all processes."""
        self.ends = np.zeros(2, np.int64)
        """Of row i at i + 2. Once they are added up row i begins at what stands at i + 1, and this
        counts on to its end when its entries come."""
        self.n = 0
        """The rows of so many vertices are counted: those of all in the end."""
        self.listed: ListedRows | None = None
        """The rows that have entries, where these are listed."""
        self.columns, self.values = GrowingArray(INT32, 0), GrowingArray(INT32, 0)

    # --- the first time over ------------------------------------------------------------------
    def hold(self, n: int) -> None:
        """Count the rows of so many vertices, a number that is the same on all processes. Those of
        all processes of this host must fit into its memory, and nobody takes any before all have
        looked."""
        if n <= self.n:
            return
        if self.distribution.large_graphs and lists_rows(n, lambda: self.about):
            self.n = n
            if self.listed is None:
                counted = np.flatnonzero(self.ends[2:])
                self.listed = ListedRows(counted, self.ends[2:][counted])
            return
        comm = self.distribution.comm
        rows = len(range(self.distribution.rank, n, self.distribution.size))
        wanted = OFFSET_BYTES * rows - self.ends.nbytes
        expect_room(
            wanted, f"the offsets of {rows:,} rows", f"if few ids are used, {RENUMBER}",
            wanted * comm.transport.local_size,
        )  # fmt: skip
        comm.agree()
        self.ends.resize(rows + 2, refcheck=False)
        self.n = n

    def count(self, row: np.ndarray, *lengths: np.ndarray) -> None:
        """Count an entry of each of these rows, or as many as these `lengths` say."""
        place, *more = self._sent(row, *lengths)
        if self.listed is not None:
            self.listed.count(place, more[0] if more else None)
        else:
            np.add.at(self.ends, place.astype(np.int64) + 2, more[0] if more else 1)

    def take_room(self, dtype: np.dtype | None) -> None:
        """Allocate the columns, and the values if they have a type, of all that was counted."""
        if self.listed is not None:
            self.ends = np.concatenate((np.zeros(2, np.int64), self.listed.lengths()))
        ends = np.cumsum(self.ends, out=self.ends)
        comm, total = self.distribution.comm, int(ends[-1])
        of_column = INT32 if self.listed is None else INT64
        wanted = total * (of_column.itemsize + (0 if dtype is None else dtype.itemsize))
        expect_room(wanted, f"rows of {total:,} entries", together=comm.sum_on_host(wanted))
        comm.agree()
        self.columns = GrowingArray(of_column, total)
        self.values = GrowingArray(dtype or INT32, 0 if dtype is None else total)
        self._ends_at = digest(ends[2:])

    # --- the second time over -----------------------------------------------------------------
    def place(self, row: np.ndarray, column: np.ndarray, value: np.ndarray | None) -> None:
        """Let each entry that comes be the next one of its row."""
        columns, values, at = self.columns.array(), self.values.array(), self.ends[1:]
        more = [] if value is None else [value.astype(values.dtype, copy=False)]
        place, column, *more = self._sent(row, column.astype(columns.dtype, copy=False), *more)
        if (place[1:] < place[:-1]).any():
            if self.listed is None:
                numbered = place.astype(np.int64) << 32 | np.arange(place.size)
                order = np.sort(numbered) & 0xFFFFFFFF  # which is faster
            else:
                order = np.argsort(place, kind="stable")
            place, column, *more = (array[order] for array in (place, column, *more))
        place = self.positions(place)
        begins = np.flatnonzero(np.diff(place, prepend=-1))
        counts = np.diff(begins, append=place.size)
        if place.size and place[-1] >= at.size:
            raise changed()
        to = at[place] + np.arange(place.size) - np.repeat(begins, counts)
        if to.max(initial=-1) >= columns.size:
            raise changed()
        columns[to] = column
        for array in more:
            values[to] = array
        at[place[begins]] += counts

    def positions(self, place: np.ndarray) -> np.ndarray:
        """Where rows are among those that are held: as all are, or listed."""
        if self.listed is None:
            return place
        places = self.listed.places
        found = np.searchsorted(places, place)
        if found.max(initial=-1) >= places.size or (places[found] != place).any():
            raise changed()
        return found

    def rows(self, first: int, count: int) -> np.ndarray:
        """The numbers, in the whole matrix, of so many of the rows that are held."""
        place = np.arange(first, first + count)
        place = place if self.listed is None else self.listed.places[place]
        return place * self.distribution.size + self.distribution.rank

    def offsets(self) -> np.ndarray:
        """Where each row begins, and where the last one ends, when all entries have come. Raises
        InvalidValue if they are not as many in each row as were counted."""
        if digest(self.ends[1:-1]) != self._ends_at:
            raise changed()
        return self.ends[:-1]

    def _sent(self, row: np.ndarray, *more: np.ndarray) -> Arrays:
        """The places of the rows that come to this process, and what comes with them."""
        size = self.distribution.size
        place = (row // size).astype(INT32 if self.listed is None else INT64, copy=False)
        return merged(self.distribution.sent(row % size, [place, *more]))


class ListedRows:
    """Some rows, increasing, and how many entries each has."""

    def __init__(self, places: np.ndarray, lengths: np.ndarray) -> None:
        self.places, self._lengths = places, lengths
        self._new: list[tuple[np.ndarray, np.ndarray]] = []
        self._waiting = 0

    def count(self, place: np.ndarray, lengths: np.ndarray | None) -> None:
        """Count an entry of each of these rows, or as many as these `lengths` say."""
        if lengths is not None:
            place, lengths = place[lengths > 0], lengths[lengths > 0]
        self._new.append(folded(place, lengths))
        self._waiting += self._new[-1][0].size
        if self._waiting > self.places.size:
            self.lengths()

    def lengths(self) -> np.ndarray:
        """How many entries each of `places` has, of all that were counted."""
        if self._new:
            parts = [(self.places, self._lengths), *self._new]
            self._new, self._waiting = [], 0
            self.places, self._lengths = folded(*map(np.concatenate, zip(*parts, strict=True)))
        return self._lengths


def folded(place: np.ndarray, lengths: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Different rows, increasing, and the sum of the lengths of each; by default each counts 1."""
    order = np.argsort(place, kind="stable")
    place = place[order]
    begins = np.flatnonzero(np.diff(place, prepend=-1))
    if lengths is None:
        return place[begins], np.diff(begins, append=place.size)
    return place[begins], np.add.reduceat(lengths[order], begins) if begins.size else lengths[:0]


def digest(ends: np.ndarray) -> bytes:
    return hashlib.blake2b(ends.data, digest_size=16).digest()


def changed() -> InvalidValue:
    return InvalidValue(
        "expected the same edges each time, but they were others when they were gone over again; "
        "let nobody write to the file meanwhile"
    )
