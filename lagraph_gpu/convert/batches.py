"""Compressed rows from batches of edges, which are never all in memory at once.

The batches are gone over several times. The first time counts the edges of each row, those given
twice included. Each time after takes the edges of the next range of rows, sorts them, folds edges
that are given twice, and appends what comes out to the finished rows. A range takes as much memory
as the buffer, or an eighth of the rows that are finished, whichever is more: so there are
O(log(bytes of the graph / buffer)) ranges.

Batches that can be gone over only once are copied to a temporary file as they come.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.convert.arguments import is_list
from lagraph_gpu.convert.edge_list import check_vertices, most_vertices
from lagraph_gpu.convert.edges import expect_known, merge, refuse_nonfinite
from lagraph_gpu.convert.growing import GrowingArray
from lagraph_gpu.convert.ids import coordinates
from lagraph_gpu.convert.values import on_host, typed_values
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, LagraphError, TooLarge, brief
from lagraph_gpu.memory import expect_room

EDGES_TOGETHER = 1 << 16
"""How many edges are looked at together at most."""

EDGE_BYTES = 96
"""What an edge of a range takes while it is sorted and folded: a key, a weight and a position, each
again in their order, and a sum in FP64 beside."""

RANGE_SHARE = 8
"""A range may take 1 / RANGE_SHARE of the bytes that are finished, if that is more than the
buffer."""

Begin = Callable[[], Iterable[Any]]


class Piece(NamedTuple):
    """A few edges."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None


def rows_of_batches(
    batches: Any, n: int | None, directed: bool, dup: str, buffer_bytes: int
) -> tuple[Rows, bool, bool]:
    """The rows of a graph, with INT32 columns, whether one value stands for all entries, and
    whether the batches have weights."""
    expect_known(dup)
    with restartable(batches) as begin:
        count = Count(begin, n, directed)
        return *count.rows(dup, buffer_bytes), count.dtype is not None


# --- batches, again and again -------------------------------------------------------------------


@contextmanager
def restartable(batches: Any, large_graphs: bool = False) -> Iterator[Begin]:
    """A function that begins to give the batches, as often as it is called. They are of a graph
    that may be large or not."""
    if callable(batches):
        expect_no_arguments(batches)
        yield batches
    elif not is_list(batches):
        raise InvalidValue(
            "expected batches of edges as a list, or a function without arguments that returns an "
            f"iterator of them, got {brief(batches)}"
        )
    elif iter(batches) is not batches:
        yield lambda: batches
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            spool(batches, file, large_graphs)
            yield lambda: unspooled(file)


def expect_no_arguments(begin: Callable[..., Any]) -> None:
    try:
        inspect.signature(begin).bind()
    except TypeError as problem:
        raise InvalidValue(
            f"expected a function without arguments that returns batches of edges, got "
            f"{brief(begin)}: {problem}"
        ) from None
    except ValueError:  # some functions written in C do not say what they take
        pass


def spool(batches: Iterable[Any], file: IO[bytes], large_graphs: bool = False) -> None:
    """Copy batches to a file: for each the number of its arrays, and the arrays."""
    for piece in pieces(lambda: batches, None, large_graphs):
        parts = [part for part in piece if part is not None]
        try:
            file.write(bytes([len(parts)]))
            for part in parts:
                np.save(file, part, allow_pickle=False)
        except OSError as problem:
            import tempfile

            raise TooLarge(
                "expected room for a copy of the batches, which can be gone over only once, in "
                f"{tempfile.gettempdir()!r}, but: {problem.strerror or problem}; make room there, "
                "name another folder with TMPDIR, or give a function that starts again"
            ) from problem


def unspooled(file: IO[bytes]) -> Iterator[tuple[np.ndarray, ...]]:
    file.seek(0)
    while head := file.read(1):
        yield tuple(np.load(file, allow_pickle=False) for _ in range(head[0]))


def pieces(begin: Begin, n: int | None, large_graphs: bool = False) -> Iterator[Piece]:
    """All edges in pieces, checked: ids as INT64, finite weights, alike in all batches."""
    weighted, most = None, most_vertices(large_graphs)
    for number, batch in enumerate(expect_batches(begin())):
        first = 0
        try:
            source, target, weight = arrays_of(batch)
            if weighted not in (None, weight is not None):
                raise InvalidValue("expected weights in all batches or in none")
            weighted = weight is not None
            for first in range(0, max(1, source.size), EDGES_TOGETHER):
                part = slice(first, first + EDGES_TOGETHER)
                value = None
                if weight is not None:
                    value = typed_values(weight[part], source[part].size, None)
                    refuse_nonfinite(value)
                row = coordinates(source[part], n, "source", most)
                yield Piece(row, coordinates(target[part], n, "target", most), value)
        except LagraphError as problem:
            raise type(problem)(f"batch {number}, from edge {first} on: {problem}") from problem


def expect_batches(given: Any) -> Iterable[Any]:
    if not is_list(given):
        raise InvalidValue(f"expected an iterator of batches, got {brief(given)}")
    return given  # type: ignore[no-any-return]


def arrays_of(batch: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The sources, the targets, and the weights if there are some, of equal length."""
    if not isinstance(batch, (tuple, list)) or len(batch) not in (2, 3):
        raise InvalidValue(
            "expected a batch as arrays (sources, targets) or (sources, targets, weights), got "
            f"{brief(batch)}"
        )
    source, target, *weight = map(on_host, batch)
    sizes = {part.shape for part in (source, target, *weight)}
    if len(sizes) > 1 or source.ndim != 1:
        raise DimensionMismatch(
            "expected the arrays of a batch in one dimension and of equal lengths, got shapes "
            f"{', '.join(str(np.shape(part)) for part in batch)}"
        )
    return source, target, weight[0] if weight else None


# --- rows ---------------------------------------------------------------------------------------


class Count:
    """How many edges each row is given, and of which type the weights are: the first time over."""

    def __init__(self, begin: Begin, n: int | None, directed: bool) -> None:
        self.begin, self.n, self.directed = begin, n, directed
        self.dtype: np.dtype | None = None
        """None for edges without weights."""
        self.counts = np.zeros(1 if n is None else n + 1, np.int64)
        """Of row i at i + 1, where the end of the row will stand."""
        for row, column, weight in self.entries():
            top = int(max(row.max(initial=-1), column.max(initial=-1))) + 1
            if top >= self.counts.size:
                self.counts.resize(check_vertices(top) + 1, refcheck=False)
            np.add.at(self.counts, row + 1, 1)
            if weight is not None:
                self.dtype = np.result_type(weight.dtype, self.dtype or weight.dtype)

    def entries(self) -> Iterator[Piece]:
        """Rows, columns and weights. Those of one place come in the order of the edges."""
        for source, target, weight in pieces(self.begin, self.n):
            if self.directed:
                yield Piece(source, target, weight)
                continue
            low, high = np.minimum(source, target), np.maximum(source, target)
            yield Piece(low, high, weight)
            proper = low != high
            yield Piece(high[proper], low[proper], None if weight is None else weight[proper])

    def rows(self, dup: str, buffer_bytes: int) -> tuple[Rows, bool]:
        """The finished rows, and whether one value stands for all entries."""
        n, ends = self.counts.size - 1, self.counts
        iso = self.dtype is None and dup != "sum"
        columns, values = GrowingArray(np.int32), GrowingArray(self.dtype or np.int32)
        first = 0
        while first < n:
            held = columns.nbytes + values.nbytes
            room = max(1, max(buffer_bytes, held // RANGE_SHARE) // EDGE_BYTES)
            upto = np.cumsum(ends[first + 1 : first + 1 + room])
            last = first + max(1, int(np.searchsorted(upto, room, "right")))
            count = int(upto[last - first - 1])
            expect_room(EDGE_BYTES * count, f"{count:,} edges of rows {first:,} to {last - 1:,}")
            key, value = merge(*self.of_range(first, last, count), dup, n, self.dtype is None)
            row, column = np.divmod(key, max(n, 1))
            ends[first + 1 : last + 1] = np.bincount(row - first, minlength=last - first)
            columns.append(column)
            if not iso:
                values.append(value)
            first = last
        of_entries = np.ones(1, np.int32) if iso else values.array()
        return (np.cumsum(ends, out=ends), columns.array(), of_entries), iso

    def of_range(self, first: int, last: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The places row · n + column of the entries in a range of rows, and their values."""
        n, key = self.counts.size - 1, np.empty(count, np.int64)
        value = np.ones(1, np.int32) if self.dtype is None else np.empty(count, self.dtype)
        filled = 0
        for row, column, weight in self.entries():
            inside = (first <= row) & (row < last)
            found = row[inside] * n + column[inside]
            end = filled + found.size
            if end > count or (weight is None) != (self.dtype is None):
                break
            key[filled:end] = found
            if weight is not None:
                value[filled:end] = weight[inside]
            filled = end
        else:
            if filled == count:
                return key, value
        raise changed(f"those of rows {first:,} to {last - 1:,}")


def changed(which: str) -> InvalidValue:
    return InvalidValue(
        f"expected the same edges each time the batches are gone over, but {which} were others "
        "later; give batches that stay as they are"
    )
