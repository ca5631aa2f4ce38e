"""Saved graphs in parts: each process writes its rows, and maps whole parts. As many processes as
wrote a folder keep what they map; others send the rows to their owners, a piece at a time
(`own_rows`). So a folder may be opened by any number of processes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.cluster import own_rows
from lagraph_gpu.cluster.construction import store_of
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.own_rows import OwnRows, Piece
from lagraph_gpu.cluster.packing import merged
from lagraph_gpu.convert import mirrored
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import saved, saved_columns, saved_folder
from lagraph_gpu.io.stream import as_path
from lagraph_gpu.notation import Matrix, Vector


def save(G: Graph, folder: str | os.PathLike[str], overwrite: bool) -> Path:
    """Implements `lagraph_gpu.io.saved.save`. Process 0 makes the folder and finishes it."""
    distribution: Distribution = G.backend.distribution  # type: ignore[attr-defined]
    path = as_path(folder, "a folder")
    G.expect_sound()
    G.weighted  # asks all processes, and is kept for the manifest
    columns = saved_columns.columns_of(G)
    with distribution.comm.statement(), ExitStack() as opened:
        first = distribution.rank == 0
        place = str(opened.enter_context(saved.to_fill(path, overwrite))) if first else ""
        shared = Path(distribution.comm.texts(place)[0])
        rows = distribution.local.matrix_entries(G.A._store.part._store)
        ids = None if G.ids is None else distribution.listed(G.ids._store.part)[1]
        manifests = distribution.comm.texts(json.dumps(saved.fill(shared, rows, ids)))
        if first:
            said = saved_columns.write_columns(shared, columns)
            saved_folder.finish(shared, G, [json.loads(entries) for entries in manifests], said)
    return path


def graph_in(backend: Any, path: Path, verify: bool) -> Graph | None:
    """Implements `lagraph_gpu.io.saved.graph_in` for a folder of several parts."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement():
        manifest = saved_folder.manifest_of(path)
        n, directed, parts = manifest["n"], manifest["directed"], manifest["parts"]
        if len(parts) == 1:
            return None
        shards = Shards(distribution, path, manifest, verify)
        if verify and not directed:
            with saved.describing_a_graph(path):
                expect_symmetric(distribution, shards.entries())
        rows, iso = shards.rows()
        store, dtype = store_of(distribution, n, rows, iso, not directed)
        A = Matrix._stored(store, (n, n), dtype, backend)
        before = earlier_ids(backend, path, manifest, merged(shards.ids))
    made = Graph._checked(A, directed, *before, manifest["weighted"])
    return saved.completed(made, path, manifest, verify)


class Shards:
    """The parts of a graph that this process reads, of so many as the manifest says."""

    def __init__(
        self, distribution: Distribution, path: Path, manifest: dict[str, Any], verify: bool
    ) -> None:
        self.distribution, self.n = distribution, manifest["n"]
        parts = manifest["parts"]
        self.size, self.dtype = len(parts), np.dtype(parts[0]["values"]["type"])
        self.parts: dict[int, Rows] = {}
        """The rows of each by its number, with one value for all entries or one for each."""
        self.ids = [[np.empty(0, np.int64), np.empty(0, np.int64)]]
        for number in range(distribution.rank, self.size, distribution.size):
            arrays = {name: saved_folder.array_of(path, name, entry, verify)
                      for name, entry in parts[number].items()}  # fmt: skip
            rows = arrays["indptr"], arrays["indices"], arrays["values"]
            with saved.describing_a_graph(path):
                saved.checked(rows, self.n, verify)
            self.parts[number] = rows
            if "ids" in arrays:
                self.ids.append([np.arange(number, self.n, self.size), arrays["ids"]])

    def entries(self) -> Iterator[Rows]:
        """The entries of these parts, in blocks."""
        for number, rows in self.parts.items():
            for row, column, value in mirrored.blocks(rows):
                yield row * self.size + number, column, value

    def rows(self) -> tuple[Rows, bool]:
        """The rows of this process, and whether one value stands for all entries. Where there are
        as many parts as processes, each has read its own."""
        value = self._one_value()
        if self.size == self.distribution.size:
            indptr, indices, values = self.parts[self.distribution.rank]
            if value is None:
                values = values.astype(self.dtype, copy=False)
                held = np.repeat(values, indices.size) if values.size == 1 else values
                return (indptr, indices, held), False
            return (indptr, indices, value), True
        places = [
            (number, begin)
            for number, (_, indices, _) in self.parts.items()
            for begin in range(0, indices.size, own_rows.PIECE)
        ]
        rounds = max(1, int(self.distribution.counts(len(places)).max()))

        def piece(number: int) -> Piece:
            at = places[number // self.distribution.size :][:1]
            return self._piece(*(at[0] if at else (-1, 0)), value is None)

        count = rounds * self.distribution.size
        made = OwnRows(self.distribution, count, piece, self.n, both=False)
        rows, iso = made.rows("error")
        return (rows if value is None else (*rows[:2], value)), iso

    def _piece(self, number: int, begin: int, weighted: bool) -> Piece:
        """Some of the entries of a part; none of a part that is not there."""
        none = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, self.dtype)
        rows = self.parts.get(number, none)
        end = min(begin + own_rows.PIECE, rows[1].size)
        row, column, value = mirrored.block(rows, begin, end)
        weight = np.broadcast_to(value.astype(self.dtype), row.size) if weighted else None
        return Piece(row * self.size + number, column.astype(np.int64), weight)

    def _one_value(self) -> np.ndarray | None:
        """The value of all entries of all parts, if they say that there is one."""
        alike = all(values.size < 2 for _, indices, values in self.parts.values() if indices.size)
        some = [values[:1] for _, indices, values in self.parts.values() if indices.size]
        mine = np.concatenate([*some, np.empty(0, self.dtype)]).astype(self.dtype)
        values = self.distribution.comm.values(mine)
        several = self.distribution.totals(not alike)[0] or not values.size
        return None if several or (values != values[0]).any() else values[:1]


def expect_symmetric(distribution: Distribution, entries: Iterable[Rows]) -> None:
    """Raise InvalidValue if the entries of all processes are not symmetric."""
    keys = distribution.comm.values(mirrored.drawn_keys())[:4]
    sums = distribution.comm.values(mirrored.mirrored(entries, keys)).reshape(-1, 3).sum(0)
    mirrored.expect_mirrored(sums[0], sums[1])


def earlier_ids(
    backend: Any, path: Path, manifest: dict[str, Any], mine: list[np.ndarray]
) -> tuple[Vector | None, int]:
    """The ids that the vertices had before, if the parts have them, and the bound of them."""
    bound = manifest["original_n"]
    if "ids" not in manifest["parts"][0]:
        return None, bound
    _, ids = backend.distribution.all_gather_entries(mine)
    with saved.describing_a_graph(path):
        saved.expect_distinct(ids, manifest["n"], bound)
    return Vector.from_dense(ids, backend=backend), bound
