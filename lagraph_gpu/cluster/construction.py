"""Graphs that are made in parts: each process reads ranges of a file or takes some of the batches,
a piece at a time, and sends each edge to the process that owns its row (`own_rows`).

An edge of an undirected graph goes to the owners of both its ends. So the owner of a
row has all lines about its edges, in the order of the file, and merges duplicates there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.backend_distributed import ListsRows
from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.own_rows import OwnRows, Piece, pieces_of
from lagraph_gpu.convert import batches
from lagraph_gpu.convert.edge_list import EdgeList, most_vertices
from lagraph_gpu.convert.edges import OPPOSITES, expect_known
from lagraph_gpu.convert.options import Dup, FileFormat
from lagraph_gpu.errors import DuplicateEdges, FormatError, InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.construct import made_with
from lagraph_gpu.io import dimacs, edge_lines, matrix_market
from lagraph_gpu.io.formats import by_columns, format_of, read_with_format
from lagraph_gpu.io.parts import FilePart, offset_of
from lagraph_gpu.io.stream import LOOK_AHEAD_BYTES, Source, as_path
from lagraph_gpu.io.table import Head, read_rows
from lagraph_gpu.names.frames import EdgeColumns
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_flag

NO_IDS = np.empty(0, np.int64)

EDGE_TEXT = 8
"""About so many bytes of text have an edge."""

HEADS: dict[Callable[[Source], EdgeList], Callable[[Source], Head | None]] = {
    edge_lines.read: edge_lines.read_head,
    edge_lines.read_rows_below: edge_lines.read_head_above,
    matrix_market.read: matrix_market.read_head,
    dimacs.read: dimacs.read_head,
}
"""For readers of lines with an edge each, what reads the lines before them."""


# --- from a file ---------------------------------------------------------------------------------
def graph_in(
    backend: Any,
    path: Any,
    directed: bool | None,
    dup: Dup,
    format: FileFormat | None,
    labels: bool,
    columns: EdgeColumns,
) -> Graph:
    """Implements `lagraph_gpu.io.load.graph_in`: a file with an edge on each line in parts, others
    as a whole."""
    distribution: Distribution = backend.distribution
    with distribution.comm.statement("graph_in"):
        path = as_path(path)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InvalidValue(
                f"expected a file that each process can read for itself, got {path}, which gives "
                "every byte to one of them; write the edges to a file first"
            )
        head = None
        with Source(path) as source:
            source.most_vertices = most_vertices(backend.large_graphs)
            if path.is_file():
                expect_same_file(distribution.comm, path)
            form = format_of(source, format)
            read_head = HEADS.get(form.read)
            in_lines = read_head and source.plain and path.is_file() and not labels
            if read_head and in_lines and not by_columns(form, source, columns, labels):
                head = read_head(source)
        if head is None or (head.shape and head.shape[0] != head.shape[1]):
            edges, _ = read_with_format(path, format, None, labels, columns, source.most_vertices)
            return Graph.from_edgelist(edges, dup, directed=directed, backend=backend)
        directed = expect_flag(head.directed if directed is None else directed, "directed")
        file = FilePieces(distribution, path, head)
        try:
            marks = ("", "back") if directed else ("down", "")
            made = OwnRows(
                distribution, file.count, file, head.shape[0] if head.shape else None,
                not (directed and head.directed), file.about, marks[not head.directed],
            )  # fmt: skip
            as_promised = head.promised in (None, distribution.totals(made.given)[0])
            if not as_promised and distribution.is_root:  # it says where, and all raise it
                read_with_format(path, format, most_vertices=source.most_vertices)
            file.expect_exact(made.dtype)
            rows, iso = made.rows(dup)
            file.expect_unchanged()
        except DuplicateEdges as twice:
            note = OPPOSITES if head.directed and not directed else ""
            raise DuplicateEdges(f"{path}, ids counted from 0: {twice}{note}") from None
        weighted = made_with(made.weighted, dup)
        return graph_of(backend, made.n, rows, iso, directed, weighted, made.places)


def expect_same_file(comm: Communicator, path: Path, first: int = LOOK_AHEAD_BYTES) -> None:
    """Raise InvalidValue if the size or so many bytes at the beginning of the file differ between
    processes."""
    with path.open("rb") as file:
        digest = hashlib.sha256(file.read(first)).hexdigest()[:16]
    texts = comm.texts(f"one of {os.path.getsize(path):,} bytes (digest {digest})")
    other = next((rank for rank, text in enumerate(texts) if text != texts[0]), None)
    if other is not None:
        raise InvalidValue(
            f"expected the same file {path} on all processes, got {texts[0]} on process 0 and "
            f"{texts[other]} on process {other}; copy it to all hosts, or to where all see it"
        )


class FilePieces:
    """The edges of a file in pieces, of which each process reads its own."""

    def __init__(self, distribution: Distribution, path: Path, head: Head) -> None:
        self.path, self.head, self.below = path, head, offset_of(path, head.first)
        self.seen, size = self._state(), os.path.getsize(path)
        self.about = size // EDGE_TEXT
        self.count = pieces_of(self.about, distribution.size)
        self.inexact: FormatError | None = None
        """What is wrong if other weights are real: integers that FP64 cannot hold."""

    def __call__(self, number: int) -> Piece:
        part = FilePart(self.path, number, self.count, self.below)
        ids, table, _ = read_rows(part, self.head.columns, None)
        weight = None if table is None else table[:, 0]
        large = weight is not None and weight.dtype.kind == "i" and (np.abs(weight) > 2**53).any()
        if large and self.inexact is None:
            self.inexact = part.error(
                None,
                "holds integers beyond 2^53 beside real weights, which lose digits as FP64; write "
                "all weights as integers, or scale them",
            )
        return Piece(ids[:, 0], ids[:, 1], weight)

    def expect_exact(self, dtype: np.dtype) -> None:
        """Raise FormatError if this type cannot hold all weights."""
        if dtype.kind == "f" and self.inexact is not None:
            raise self.inexact

    def expect_unchanged(self) -> None:
        """Raise FormatError if somebody has written to the file since."""
        if self._state() != self.seen:
            raise FormatError("it was changed while it was read; read it again", self.path)

    def _state(self) -> tuple[int, int]:
        state = os.stat(self.path)
        return state.st_size, state.st_mtime_ns


def graph_of(
    backend: Any, n: int, rows: Rows, iso: bool, directed: bool, weighted: bool | None,
    places: np.ndarray | None = None,
) -> Graph:  # fmt: skip
    """The graph of which each process has made its rows, or those of them at some `places`."""
    store, dtype = store_of(backend.distribution, n, rows, iso, not directed, places)
    A = Matrix._stored(store, (n, n), dtype, backend)
    return Graph._checked(A, directed, weighted=weighted)


def store_of(
    distribution: Distribution, n: int, rows: Rows, iso: bool, symmetric: bool,
    places: np.ndarray | None = None,
) -> tuple[Distributed, np.dtype]:  # fmt: skip
    """The store of a matrix of which each process has made its rows, or those of them at some
    `places`, and its type."""
    own, dtype = distribution.part_shape((n, n)), rows[2].dtype
    if places is None:
        part = distribution.local.build_matrix(own, rows, iso=iso, adopt=True)
    else:
        lists: ListsRows = distribution.local  # type: ignore[assignment]
        part = lists.build_listed(own, places, rows, iso)
    return Distributed(distribution.handle(part, own, dtype), (n, n), symmetric), dtype


# --- from batches --------------------------------------------------------------------------------
def joined_batches(
    backend: Any, given: Any, n: int | None, directed: bool, dup: Dup, buffer_bytes: int
) -> tuple[Distributed, int, np.dtype, bool]:
    """Implements `lagraph_gpu.notation.coordinates.joined_batches`: all processes go over all
    batches, and each sends some of their edges to the owners of the rows."""
    expect_known(dup)
    distribution: Distribution = backend.distribution
    with (
        distribution.comm.statement("joined_batches"),
        batches.restartable(given, backend.large_graphs) as begin,
    ):
        of = BatchPieces(distribution.size, lambda: batches.pieces(begin, n, backend.large_graphs))
        counts = distribution.counts(of.count, of.nedges)
        if (counts != counts[0]).any():
            raise InvalidValue(
                "expected the same batches in all processes, got "
                f"{', '.join(map(str, counts[:, 1]))} edges from one after another; give all edges "
                "to each, which sends its share of them to the owners of the rows"
            )
        made = OwnRows(
            distribution, max(of.count, distribution.size), of, n, not directed, of.nedges
        )
        if distribution.totals(made.given)[0] != of.nedges:
            raise batches.changed("some")
        made.dtype = of.dtype or made.dtype
        rows, iso = made.rows(dup)
        store, dtype = store_of(distribution, made.n, rows, iso, not directed, made.places)
        return store, made.n, dtype, made.weighted


class BatchPieces:
    """The pieces of batches, which can be gone over again and again; a process asks for one of so
    many. Behind them come pieces without edges."""

    def __init__(self, size: int, begin: Callable[[], Iterator[batches.Piece]]) -> None:
        self.size, self.count, self.nedges, self._begin = size, 0, 0, begin
        self.dtype: np.dtype | None = None
        """The type of all weights, or None if there are none."""
        for source, _, weight in begin():
            self.count, self.nedges = self.count + 1, self.nedges + source.size
            if weight is not None:
                self.dtype = np.result_type(weight.dtype, self.dtype or weight.dtype)
        self._pieces, self._next = begin(), 0

    def __call__(self, number: int) -> Piece:
        if number >= self.count:
            return Piece(NO_IDS, NO_IDS, None if self.dtype is None else np.empty(0, self.dtype))
        if number < self._next:
            self._pieces, self._next = self._begin(), 0
        found = next(islice(self._pieces, number - self._next, None), None)
        self._next = number + 1
        if number + self.size >= self.count:  # the last one of this process
            self._next += sum(1 for _ in self._pieces)
        same = number + self.size < self.count or self._next == self.count
        if found is None or not same or (found.weight is None) != (self.dtype is None):
            raise batches.changed("some")
        return Piece(*found)
