"""Saved graphs in parts: each process writes its rows, and maps whole parts. As many processes as
wrote a folder keep what they map. With other numbers each reads pieces of all parts, and sends the
rows to their owners (`placed_rows`). So a folder may be opened by any number of processes.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.cluster.construction import expect_same_file, store_of
from lagraph_gpu.cluster.distributed_store import Arrays
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.own_rows import pieces_of
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.cluster.placed_rows import PlacedRows
from lagraph_gpu.convert import mirrored
from lagraph_gpu.convert.compressed_rows import expect_offsets
from lagraph_gpu.convert.edge_list import check_vertices, needs_64_bits
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import saved, saved_columns, saved_folder
from lagraph_gpu.io.saved_folder import FileArray
from lagraph_gpu.io.stream import MANIFEST, as_path
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import any_size

SHARE = 1 << 5
"""A piece is such a part of what a process has: more than one of edges, which needs more copies."""

READ_ROWS = 1 << 12
"""The offsets of so many rows are read at once."""


@any_size
def save(G: Graph, folder: str | os.PathLike[str], overwrite: bool) -> Path:
    """Implements `lagraph_gpu.io.saved.save`. The root makes the folder and finishes it."""
    distribution: Distribution = G.backend.distribution  # type: ignore[attr-defined]
    path = as_path(folder, "a folder")
    G.expect_sound()
    G.weighted  # asks all processes, and is kept for the manifest
    columns = saved_columns.columns_of(G)
    with distribution.comm.statement("save"), ExitStack() as opened:
        first = distribution.is_root
        place = str(opened.enter_context(saved.to_fill(path, overwrite))) if first else ""
        shared = Path(distribution.comm.texts(place)[0])
        part = G.A._store.part
        ids = None if G.ids is None else distribution.listed(G.ids._store.part)[1]
        if distribution.lists_rows(G.A._store):
            row, column, values = distribution.listed(part)
            entries = saved.fill_listed(shared, row, column, values, ids)
        else:
            entries = saved.fill(shared, distribution.local.matrix_entries(part._store), ids)
        manifests = distribution.comm.texts(json.dumps(entries))
        if first:
            said = saved_columns.write_columns(shared, columns)
            saved_folder.finish(shared, G, [json.loads(entries) for entries in manifests], said)
    return path


def graph_in(backend: Any, path: Path, verify: bool) -> Graph | None:
    """Implements `lagraph_gpu.io.saved.graph_in`, but for packed rows."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement("graph_in"):
        manifest = saved_folder.manifest_of(path)
        expect_same_file(distribution.comm, path / MANIFEST, saved_folder.LONGEST_MANIFEST)
        n, directed, parts = manifest["n"], manifest["directed"], manifest["parts"]
        check_vertices(n, backend.large_graphs)
        if "stream" in parts[0]:
            return None
        kind = WholePart if len(parts) == distribution.size else PiecesOfParts
        read = kind(distribution, path, manifest, verify)
        value = value_of_all(path, parts)
        rows = read.rows(value, symmetric=verify and not directed)
        store, dtype = store_of(distribution, n, rows, value is not None, not directed, read.places)
        A = Matrix._stored(store, (n, n), dtype, backend)
        before = earlier_ids(backend, path, manifest, verify)
        made = Graph._checked(A, directed, *before, manifest["weighted"])
        return saved.completed(made, path, manifest, verify)


def value_of_all(path: Path, parts: list[dict[str, Any]]) -> np.ndarray | None:
    """The value of all entries of all parts, if they say that there is one."""
    entries = [part["values"] for part in parts if part["indices"]["size"]]
    if not entries or any(entry["size"] > 1 for entry in entries):
        return None
    values = np.concatenate([FileArray(path, "values", entry)[:] for entry in entries])
    return None if (values != values[0]).any() else values[:1]


class WholePart:
    """The part of a graph with the rows of this process, as one of the same number wrote it."""

    def __init__(
        self, distribution: Distribution, path: Path, manifest: dict[str, Any], verify: bool
    ) -> None:
        self.distribution, self.path = distribution, path
        part = manifest["parts"][distribution.rank]
        indptr, indices, values = (
            saved_folder.array_of(path, name, part[name], verify) for name in saved_folder.ROWS
        )
        self.arrays, self.n = (indptr, indices, values), manifest["n"]
        self.places: np.ndarray | None = None
        """The places of the rows that have entries, where these are listed."""
        with saved.describing_a_graph(path):
            saved.checked(self.arrays, self.n, verify)
            if "rows" in part:
                self.places = saved_folder.array_of(path, "rows", part["rows"], verify)
                saved.expect_places(self.places, distribution.part_shape((self.n,))[0])

    def rows(self, value: np.ndarray | None, symmetric: bool) -> Rows:
        """The rows of this process, with this value for all entries or one for each; and a look
        whether those of all are `symmetric`, if they are to be."""
        if symmetric:
            expect_symmetric(self.distribution, self.path, self._entries(), self.n)
        indptr, indices, values = self.arrays
        if value is None:
            value = values if values.size == indices.size else np.repeat(values, indices.size)
        return indptr, indices, value

    def _entries(self) -> Iterator[Rows]:
        """The entries of this part, in blocks."""
        for place, column, value in mirrored.blocks(self.arrays):
            place = place if self.places is None else self.places[place]
            yield place * self.distribution.size + self.distribution.rank, column, value


class PiecesOfParts:
    """The parts of a graph, of which each process reads some pieces. A piece has some of the rows
    of a part and some of their entries: they are cut where rows and entries together are as many in
    each, so that neither long rows nor empty ones are too many. Each is checked whenever it is
    read.
    """

    def __init__(
        self, distribution: Distribution, path: Path, manifest: dict[str, Any], verify: bool
    ) -> None:
        self.distribution, self.path, self.verify = distribution, path, verify
        self.n, parts = manifest["n"], manifest["parts"]
        self.parts = [
            [FileArray(path, name, part[name]) for name in saved_folder.ROWS] for part in parts
        ]
        self.listed = [FileArray(path, "rows", part["rows"]) for part in parts if "rows" in part]
        """For each part the places of the rows that have entries, where these are listed."""
        self.places: np.ndarray | None = None
        """As in `WholePart`."""
        files = [*self.listed, *(file for part in self.parts for file in part)]
        for file in files[distribution.rank :: distribution.size] if verify else ():
            file.expect_digest()
        total = sum(map(length, self.parts))
        each = max(1, total // pieces_of(total, distribution.size, share=SHARE))
        counts = [-(-length(part) // each) for part in self.parts]
        self.begins = list(accumulate(counts, initial=0))
        """The number of the first piece of each part, and of all pieces at the end."""
        self.ended = cache(lambda which, at: rows_ended(self.parts[which][0], at))

    def rows(self, value: np.ndarray | None, symmetric: bool) -> Rows:
        """As `WholePart.rows`. Entries are gone over once: the lengths of rows are known from their
        offsets, and the entries of a row come in order and are not given twice."""
        placed = PlacedRows(self.distribution, sum(indices.size for _, indices, _ in self.parts))
        placed.hold(self.n)
        for number in self._numbers():
            placed.count(*self._lengths(number))
        types = [values.dtype for _, _, values in self.parts]
        placed.take_room(np.result_type(*types) if value is None else None)
        entries = self._placed(placed, value is None)
        if symmetric:
            expect_symmetric(self.distribution, self.path, entries, self.n)
        else:
            deque(entries, maxlen=0)
        self.places = None if placed.listed is None else placed.listed.places
        values = placed.values.array() if value is None else value
        return placed.offsets(), placed.columns.array(), values

    def _numbers(self) -> Iterator[int | None]:
        """The numbers of the pieces of this process, and None where others have one more."""
        rank, size, count = self.distribution.rank, self.distribution.size, self.begins[-1]
        for first in range(0, count, size):
            yield first + rank if first + rank < count else None

    def _placed(self, placed: PlacedRows, weighted: bool) -> Iterator[Rows]:
        """The entries of the pieces of this process, each of which goes to its place first."""
        for number in self._numbers():
            row, column, values = piece = self._piece(number)
            placed.place(row, column, np.broadcast_to(values, row.size) if weighted else None)
            yield piece

    def _share(self, number: int, of: Callable[[list[FileArray]], int]) -> tuple[int, int, int]:
        """The part of a piece, and from where to where the piece goes if the part has the length
        that `of` says."""
        which = bisect_right(self.begins, number) - 1
        whole, first, last = of(self.parts[which]), *self.begins[which : which + 2]
        begin, end = (whole * (k - first) // (last - first) for k in (number, number + 1))
        return which, begin, end

    def _lengths(self, number: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Some rows of the part of a piece, and how many entries each has."""
        if number is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        which, begin, end = self._share(number, rows_of)
        indptr, indices, _ = self.parts[which]
        offsets = indptr[begin : end + 1]
        with saved.describing_a_graph(self.path):
            expect_some_offsets(offsets, indices.size)
        return self._rows(which, begin, end), np.diff(offsets)

    def _rows(self, which: int, begin: int, end: int) -> np.ndarray:
        """The numbers in the whole matrix of the rows of a part from one to another."""
        place = np.arange(begin, end)
        if self.listed:
            first = max(0, begin - 1)
            place = self.listed[which][first:end]
            with saved.describing_a_graph(self.path):
                saved.expect_places(place, len(range(which, self.n, len(self.parts))))
            place = place[begin - first :]
        return place * len(self.parts) + which

    def _piece(self, number: int | None) -> Rows:
        """The row, the column and the value of each entry of a piece, or one value for all."""
        if number is None:
            return np.empty(0, np.int64), self.parts[0][1][:0], self.parts[0][2][:0]
        which, begin, end = self._share(number, length)
        with saved.describing_a_graph(self.path):
            ended = [self.ended(which, at) for at in (begin, end)]
            place, column, value = between(
                self.parts[which], (begin, end), ended, self.n, self.verify
            )
        first = int(place[0]) if place.size else 0
        rows = self._rows(which, first, int(place[-1]) + 1 if place.size else 0)
        return rows[place - first], column, value


def rows_of(part: list[FileArray]) -> int:
    """The number of rows of a part."""
    return part[0].size - 1


def length(part: list[FileArray]) -> int:
    """The number of rows and entries of a part."""
    return rows_of(part) + part[1].size


def rows_ended(indptr: FileArray, at: int) -> int:
    """How many of so many rows and entries are rows. Each counts where it ends, as in a merge of
    rows and entries (merge path: Odeh, Green, Mwassi, Shmueli, Birk 2012)."""
    low, high = 0, indptr.size - 1
    while high - low > READ_ROWS:
        middle = (low + high) // 2
        if int(indptr[middle + 1 : middle + 2][0]) + middle + 1 <= at:
            low = middle + 1
        else:
            high = middle
    ends = indptr[low + 1 : high + 1]
    return low + int(np.searchsorted(ends + np.arange(low + 1, high + 1), at, "right"))


def between(
    part: list[FileArray], ends: tuple[int, int], ended: list[int], n: int, verify: bool
) -> Rows:
    """The entries of a part from one point to another, checked. At each so many rows have ended."""
    indptr, indices, values = part
    row, last = ended
    first, upto = ends[0] - row, ends[1] - last
    offsets = indptr[row : last + 2]
    expect_some_offsets(offsets, indices.size)
    from_row = first - int(offsets[0] < first)  # with the entry before it in the same row
    column, value = indices[from_row:upto], values[first:upto] if values.size > 1 else values[:1]
    saved.checked((offsets.clip(from_row, upto) - from_row, column, value), n, verify)
    counts = np.diff(offsets.clip(first, upto))
    place = np.repeat(np.arange(row, row + counts.size), counts)
    return place, column[first - from_row :], value


def expect_some_offsets(offsets: np.ndarray, count: int) -> None:
    """Raise InvalidValue if these are not some of the offsets of so many entries, in order."""
    expect_offsets(np.concatenate(([0], offsets, [count])), count, saved.AXES)


def expect_symmetric(
    distribution: Distribution, path: Path, entries: Iterable[Rows], n: int
) -> None:
    """Raise FormatError if the entries of all processes are not symmetric. All of them are read."""
    keys = distribution.comm.values(mirrored.drawn_keys())[:4]
    sums = mirrored.mirrored(entries, keys, wide=needs_64_bits(n))
    sums = distribution.comm.values(sums).reshape(-1, 3).sum(0)
    with saved.describing_a_graph(path):
        mirrored.expect_mirrored(sums[0], sums[1])


def earlier_ids(
    backend: Any, path: Path, manifest: dict[str, Any], verify: bool
) -> tuple[Vector | None, int]:
    """The ids that the vertices had before, if the parts have them, and the bound of them."""
    distribution: Distribution = backend.distribution
    n, bound, parts = manifest["n"], manifest["original_n"], manifest["parts"]
    if "ids" not in parts[0]:
        return None, bound
    mine: list[Arrays] = [[np.empty(0, np.int64)] * 2]
    for number in range(distribution.rank, len(parts), distribution.size):
        held = saved_folder.array_of(path, "ids", parts[number]["ids"], verify)
        mine.append([np.arange(number, n, len(parts)), held])
    _, ids = distribution.all_gather_entries(merged(mine))
    with saved.describing_a_graph(path):
        saved.expect_distinct(ids, n, bound)
    return Vector.from_dense(ids, backend=backend), bound
