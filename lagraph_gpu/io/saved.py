"""Graphs on the disk as they are in memory: a folder of NumPy arrays and a manifest.

The arrays are the compressed rows: `indptr` (INT64), `indices` (INT32), `values` (one, if all are
equal), and of a relabelled graph or a part of one `ids` (INT64). Each is a file as `numpy.save`
writes it, with the beginning of its SHA-256 digest in the name. `graph.json` is the manifest: the
kind and the version of the folder, n, whether edges have a direction and weights, and the type, the
size and the digest of each array. Labels and columns of data are more such arrays, see
`saved_columns`. It is written last, so a folder with a manifest has all its arrays.

A graph in packed rows on a GPU is written as such (version 9), with `first`, `tails`, `groups`,
`segments`, `segment` and `stream` (see `convert/packed_arrays.py`) in place of `indptr` and
`indices`; with weights (version 10) there are `weights`, of all entries row by row, in a type that
holds them exactly, and `values` is one of 0 in the type of the graph. A backend without packed rows
decodes them. Versions 3 and 4 held them in blocks of fixed width, 6 and 7 in blocks of whole words;
these are refused.

Several processes write a folder in parts (version 2). Of P parts, part p has the arrays of the rows
p, p + P, p + 2P, … A folder of version 1 has one part. Of 2³¹ vertices and more (version 8) a part
lists the places of its rows that have entries in `rows` (INT64), `indptr` has the offsets of these,
and `indices` are INT64.

The digest of an array of more than 64 MiB is that of the digests of its pieces, so that threads
compute it side by side. A folder with such an array is of version 5, and its manifest says which of
the other versions it is `like`.

`open` parses no numbers: the arrays are mapped into memory, and the system reads what is used. On
the CPU compiled loops take them as they are; a statement of SuiteSparse:GraphBLAS, which keeps ids
in 64 bits, makes a copy when it first needs one. The mapping is private: if a program writes to
such an array by mistake, only its own memory changes. A file that another user can write to could
change after it has been checked. It is therefore read into memory, and checked there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend, BackendName, Rows, resolve
from lagraph_gpu.convert.compressed_rows import expect_increasing, expect_inside, expect_offsets
from lagraph_gpu.convert.edge_list import check_vertices
from lagraph_gpu.convert.edges import refuse_nonfinite
from lagraph_gpu.convert.ids import LARGER_GRAPHS
from lagraph_gpu.convert.mirrored import blocks
from lagraph_gpu.convert.packed_arrays import TYPES as PACKED_TYPES
from lagraph_gpu.convert.packed_arrays import PackedArrays, Pairs, packed_entries
from lagraph_gpu.convert.values import one_value
from lagraph_gpu.errors import (
    FileExists,
    FormatError,
    InvalidValue,
    LagraphError,
    TooLarge,
    in_short,
)
from lagraph_gpu.files.atomic import locked, new_folder
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.saved_columns import columns_of, keep_columns, write_columns
from lagraph_gpu.io.saved_folder import (
    array_of,
    finish,
    manifest_of,
    written,
)
from lagraph_gpu.io.stream import as_path
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.mirror_sums import loops_of
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.packed_arrays import matrix_of_packed, packed_arrays
from semirings import types

AXES = ("row", "column")


# --- out ----------------------------------------------------------------------------------------


@operation
def save(G: Graph, folder: str | os.PathLike[str], overwrite: bool) -> Path:
    """Write the graph to a folder, and return its path: see `Graph.save`."""
    path = as_path(folder, "a folder")
    G.expect_sound()
    ids = None if G.ids is None else G.ids.to_dense()
    columns = columns_of(G)
    with to_fill(path, overwrite) as place:
        packed = packed_arrays(G.A)
        if packed is None:
            entries = fill(place, G.A.to_csr(), ids)
        else:
            arrays = {name: array for name, array in packed._asdict().items() if array is not None}
            arrays["values"] = arrays.pop("value")
            entries = written(place, arrays, ids)
        finish(place, G, [entries], write_columns(place, columns))
    return path


@contextmanager
def to_fill(path: Path, overwrite: bool) -> Iterator[Path]:
    """A folder to fill, which is then at `path`: a new one, or what was saved there before."""
    if not os.path.lexists(path):
        with new_folder(path) as part:
            yield part
        return
    if not overwrite:
        raise FileExists(
            "this exists already; pass overwrite=True to replace a saved graph, "
            "or take another name",
            path,
        )
    manifest_of(path)  # or there is something else
    with locked(path):
        yield path


def fill(folder: Path, rows: Rows, ids: np.ndarray | None) -> dict[str, Any]:
    """Write the arrays of a part, and return the manifest's entries for them."""
    indptr, indices, values = rows
    arrays = {"indptr": indptr, "indices": indices.astype(np.int32, copy=False)}
    return _filled(folder, arrays, values, ids)


def fill_listed(
    folder: Path, row: np.ndarray, column: np.ndarray, values: np.ndarray, ids: np.ndarray | None
) -> dict[str, Any]:
    """Write the arrays of a part of which the rows with entries are listed, and return the
    manifest's entries for them."""
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    arrays = {"rows": row[begins], "indptr": np.append(begins, row.size), "indices": column}
    return _filled(folder, arrays, values, ids)


def _filled(
    folder: Path, arrays: dict[str, np.ndarray], values: np.ndarray, ids: np.ndarray | None
) -> dict[str, Any]:
    arrays["values"] = values[:1] if one_value(values) else values
    return written(folder, arrays, ids)


# --- in -----------------------------------------------------------------------------------------


def open(
    folder: str | os.PathLike[str],
    *,
    verify: bool = True,
    backend: BackendName | Backend | None = None,
) -> Graph:
    """Open a graph that `Graph.save` wrote to a folder.

    Parameters
    ----------
    folder : str or path
        The folder.
    verify : bool, optional
        Whether to compare the digests of the arrays with those in the manifest, and to check that
        weights are finite and that an undirected graph is symmetric. Pass False only for a folder
        that you wrote yourself.
    backend : str or Backend, optional
        Where the graph is stored. By default the backend in force.

    Returns
    -------
    Graph
        The graph, with the type of its weights, its direction, its labels and data, and the ids
        that it had before it was relabelled. It is not prepared (`Graph.prepared`).

    Raises
    ------
    FormatError
        The folder was not written by `save`, or by another version of the format; or an array is
        missing, cut off or altered. The message names the file.
    TooLarge
        Arrays that have to be read do not fit into the memory of the host.

    Notes
    -----
    On the CPU the arrays are mapped and used in place: what a search does not touch is never read,
    and what it touches can be given back, so a graph may be larger than the memory. Do not shorten
    the files while the graph is in use; `G.save(folder, overwrite=True)` leaves them to those who
    have them open. Arrays that another user can write to are read into memory instead. For a GPU
    they are copied. A folder of packed rows is opened as such on a GPU; other backends decode it.

    The checks are made once, here, in one pass over the arrays: offsets, the range of ids and their
    order always, at about 2 GB/s; digests at about 1.3 GB/s on one processor, those of arrays of
    more than 64 MiB on all of them; symmetry in about 10 ns an entry, on a GPU there. Packed rows
    that a GPU opens are checked on the GPU. Memory: O(n) for the check of the offsets, and a block
    beside.

    Examples
    --------
    >>> import pathlib, tempfile, lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 4], directed=False, backend="cpu")
    >>> with tempfile.TemporaryDirectory() as place:
    ...     G.save(pathlib.Path(place, "path"))
    ...     lg.open(pathlib.Path(place, "path"), backend="cpu")
    Graph: 3 vertices, 2 edges, undirected, weights INT64, cpu
    vertex  neighbor  weight
         0         1       5
         1         2       4
    """
    return graph_in(resolve(backend), as_path(folder, "a folder"), verify)


@operation
def graph_in(backend: Backend, path: Path, verify: bool) -> Graph:
    """The graph that was saved in a folder, on a backend."""
    manifest = manifest_of(path)
    check_vertices(manifest["n"], backend.large_graphs)
    n, original_n, directed = (manifest[key] for key in ("n", "original_n", "directed"))
    parts = [
        {name: array_of(path, name, entry, verify) for name, entry in entries.items()}
        for entries in manifest["parts"]
    ]
    if "stream" in parts[0]:
        return completed(packed_graph(backend, path, manifest, parts[0], verify), path, manifest,
                         verify)  # fmt: skip
    with describing_a_graph(path):
        rows, ids = joined(parts, n)
        known = checked(rows, n, verify)
        if ids is not None:
            expect_distinct(ids, n, original_n)
        iso = rows[2].size < rows[1].size
        A = Matrix._built((n, n), rows, backend, symmetric=not directed, iso=iso, adopt=True)
        if verify and not directed:
            known["nloops"] = loops_of(A, blocks(rows))
    before, weighted = earlier(ids, backend), manifest["weighted"]
    made = Graph._checked(A, directed, before, original_n, weighted)._knowing(**known)
    return completed(made, path, manifest, verify)


def completed(G: Graph, path: Path, manifest: dict[str, Any], verify: bool) -> Graph:
    """The graph of a folder with its labels and its data."""
    try:
        return keep_columns(G, path, manifest["columns"], verify)
    except (FormatError, TooLarge):
        raise
    except (LagraphError, ValueError, TypeError, RecursionError) as problem:
        raise FormatError(
            "its columns do not describe labels or data of the graph "
            f"({in_short(problem)}); save the graph again",
            path,
        ) from problem


def earlier(ids: np.ndarray | None, backend: Backend) -> Vector | None:
    return None if ids is None else Vector.from_dense(np.array(ids), backend=backend)


def packed_graph(
    backend: Backend, path: Path, manifest: dict[str, Any], held: dict[str, np.ndarray],
    verify: bool,
) -> Graph:  # fmt: skip
    """The graph of packed rows, which is symmetric."""
    n, original_n = manifest["n"], manifest["original_n"]
    value, ids = held["values"], held.get("ids")
    weights = held.get("weights")
    arrays = PackedArrays(
        **{name: held[name] for name in PACKED_TYPES}, value=value, weights=weights
    )
    with describing_a_graph(path):
        if manifest["directed"]:
            raise InvalidValue("expected an undirected graph in packed rows")
        known: dict[str, Any] = checked_values(value if weights is None else weights, verify)
        known = {name: value.dtype.type(number).item() for name, number in known.items()}
        if ids is not None:
            expect_distinct(ids, n, original_n)
        before = earlier(ids, backend)  # the rows come last, and leave room for what they run on
        A = matrix_of_packed(backend, arrays, n)
        if verify:
            entries = with_weights(packed_entries(arrays, n), value, weights)
            known["nloops"] = loops_of(A, entries)
    known = known if A.nvals else {}
    weighted = manifest["weighted"]
    return Graph._checked(A, False, before, original_n, weighted)._knowing(**known)


def with_weights(
    pairs: Iterator[Pairs], value: np.ndarray, weights: np.ndarray | None
) -> Iterator[Rows]:
    """Entries in blocks, each with its weight, or with the value of all of them."""
    at = 0
    for row, column in pairs:
        yield row, column, value if weights is None else weights[at : at + row.size]
        at += row.size


@contextmanager
def describing_a_graph(path: Path) -> Iterator[None]:
    """Turn errors of the arrays into one that names the folder."""
    try:
        yield
    except TooLarge:
        raise
    except LagraphError as problem:
        raise FormatError(
            f"its arrays describe no graph: {problem}; save the graph again",
            path,
        ) from problem


def joined(parts: list[dict[str, np.ndarray]], n: int) -> tuple[Rows, np.ndarray | None]:
    """The rows of all parts, and the earlier ids. Of one part they are its arrays themselves."""
    size = len(parts)
    if "rows" in parts[0]:
        expect_room(16 * n, f"the offsets of {n:,} rows", LARGER_GRAPHS)
        parts = [with_all_rows(arrays, n, range(k, n, size)) for k, arrays in enumerate(parts)]
    held = [(arrays["indptr"], arrays["indices"], arrays["values"]) for arrays in parts]
    if size == 1:
        return held[0], parts[0].get("ids")
    ids = np.empty(n, np.int64) if "ids" in parts[0] else None
    begins = np.zeros(n + 1, np.int64)
    for number, (indptr, indices, _) in enumerate(held):
        expect_offsets(indptr, indices.size, AXES)
        begins[1 + number :: size] = np.diff(indptr)
        if ids is not None:
            ids[number::size] = parts[number]["ids"]
    np.cumsum(begins, out=begins)
    single = np.concatenate([values[:1] for _, _, values in held])
    iso = all(values.size < 2 for _, _, values in held) and one_value(single)
    columns = np.empty(begins[-1], np.int32)
    weights = single[:1] if iso else np.empty(columns.size, single.dtype)
    for number, rows in enumerate(held):
        shift, at = begins[number:-1:size] - rows[0][:-1], 0
        for place, column, values in blocks(rows):
            to = shift[place] + np.arange(at, at + place.size)
            columns[to], at = column, at + place.size
            if not iso:
                weights[to] = values
    return (begins, columns, weights[:1].copy() if one_value(weights) else weights), ids


def with_all_rows(arrays: dict[str, np.ndarray], n: int, own: range) -> dict[str, np.ndarray]:
    """A part that lists the rows of its own that have entries, as one with offsets of all of them,
    in a matrix of n columns."""
    places, indptr, indices = (arrays[name] for name in ("rows", "indptr", "indices"))
    expect_places(places, len(own))
    expect_offsets(indptr, indices.size, AXES)
    expect_inside(indices, n, AXES[1])
    ends = np.zeros(len(own) + 1, np.int64)
    ends[places + 1] = np.diff(indptr)
    np.cumsum(ends, out=ends)
    return arrays | {"indptr": ends, "indices": indices.astype(np.int32)}


def expect_places(places: np.ndarray, count: int) -> None:
    """Raise InvalidValue if these are not some of so many places, each once and increasing."""
    expect_inside(places, count, "row")
    if (places[1:] <= places[:-1]).any():
        raise InvalidValue("expected the rows that have entries in increasing order")


def checked(rows: Rows, n: int, verify: bool) -> dict[str, Any]:
    """Check that the arrays describe rows of a graph, and return what was found out about it."""
    indptr, indices, values = rows
    expect_offsets(indptr, indices.size, AXES)
    expect_inside(indices, n, AXES[1])
    expect_increasing(indptr, indices, AXES)
    return checked_values(values, verify)


def checked_values(values: np.ndarray, verify: bool) -> dict[str, Any]:
    """Check weights, and return what was found out about them."""
    if values.dtype == types.BOOL and values.size and values.view(np.uint8).max() > 1:
        raise InvalidValue("expected truth values as bytes 0 and 1")
    known: dict[str, Any] = {}
    if values.size:
        known = {"lightest": values.min().item(), "heaviest": values.max().item()}
    if verify:
        refuse_nonfinite(values)
    return known


def expect_distinct(ids: np.ndarray, n: int, original_n: int) -> None:
    """Check that the vertices had different ids below `original_n` before."""
    expect_inside(ids, original_n, "earlier")
    if distinct(ids).size < n:
        raise InvalidValue("expected different earlier ids, got one twice")
