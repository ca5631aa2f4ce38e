"""Saved graphs in parts: each process writes its rows, and reads whole parts, whose rows go to
their owners. So a folder may be opened by another number of processes than wrote it.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.cluster.distribution import Distributed, Distribution
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
        entries: list[list[np.ndarray]] = [[np.empty(0, np.int64), np.empty(0, np.int32),
                    np.empty(0, parts[0]["values"]["type"])]]  # fmt: skip
        ids = [[np.empty(0, np.int64), np.empty(0, np.int64)]]
        for number in range(distribution.rank, len(parts), distribution.size):
            arrays = {name: saved_folder.array_of(path, name, entry, verify)
                      for name, entry in parts[number].items()}  # fmt: skip
            with saved.describing_a_graph(path):
                saved.checked((arrays["indptr"], arrays["indices"], arrays["values"]), n, verify)
                entries.append(list(saved.coordinates(arrays, number, len(parts))))
            if "ids" in arrays:
                ids.append([np.arange(number, n, len(parts)), arrays["ids"]])
        row, column, values = merged(entries)
        if verify and not directed:
            with saved.describing_a_graph(path):
                expect_symmetric(distribution, (row, column, values))
        part = distribution.redistribute((n, n), [row, column.astype(np.int64), values])
        A = Matrix._stored(Distributed(part, (n, n), not directed), (n, n), part.dtype, backend)
        before = earlier_ids(backend, path, manifest, merged(ids))
    made = Graph._checked(A, directed, *before, manifest["weighted"])
    return saved.completed(made, path, manifest, verify)


def expect_symmetric(distribution: Distribution, entries: Any) -> None:
    """Raise InvalidValue if the entries of all processes are not symmetric."""
    keys = distribution.comm.values(mirrored.drawn_keys())[:4]
    sums = distribution.comm.values(mirrored.mirrored([entries], keys)).reshape(-1, 3).sum(0)
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
