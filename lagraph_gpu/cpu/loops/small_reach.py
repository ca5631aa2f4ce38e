"""The part of a graph that a search reaches, where that is little (``native/small_reach.cpp``): the
search then takes no array for all vertices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import sparse
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT32, INT64

reached_if_few = Loop("reached_if_few")

SHARE, LARGE = 1 << 8, 1 << 15
"""Of a graph of at least LARGE vertices, one vertex in SHARE is little: to find out that a search
reaches more takes a hundredth of its time at most, and in smaller graphs the numbers of a part take
as long as arrays for all vertices."""

LARGE_FOR_SEVERAL = 1 << 13
"""That many where there are several sources: each would take arrays for all vertices, and threads
would be started for what all of them could reach."""

ASKED = 4
"""So many of several sources are asked for what they reach, before none is expected to reach
little."""


class Part(NamedTuple):
    """All that is reached from a vertex. Its vertices have numbers, in the order of their ids."""

    vertices: np.ndarray
    rows: CompressedRows
    entries: np.ndarray
    """Where the entries of the rows are among those of the graph."""

    def number(self, vertex: int) -> int:
        """The number of a vertex."""
        return int(np.searchsorted(self.vertices, vertex))

    def values(self, of_entries: np.ndarray) -> np.ndarray:
        """The values of its entries; one, if all of the graph have the same."""
        return of_entries if of_entries.size == 1 else of_entries.take(self.entries)

    def vector(self, G: Graph, values: np.ndarray, known: np.ndarray) -> Vector:
        """A vector of G with values of the vertices that are known."""
        store = sparse(self.vertices[known], values[known], G.n)
        return Vector._stored(store, G.n, values.dtype, G.backend)


def small_part(store: CpuMatrix, source: int, large: int = LARGE) -> Part | None:
    """What is reached from a vertex. None if that is not little, or the graph is small, or its rows
    are made anew for each loop, because others may write to the matrix."""
    if store.shared:
        return None
    rows = pattern(store)
    n = rows.begins.size - 1
    if n < large:
        return None
    vertices = np.empty(n // SHARE, INT32)
    count = reached_if_few(rows, source, vertices)
    if count > vertices.size:
        return None
    vertices = vertices[:count].astype(INT64)
    first = rows.begins.take(vertices)
    lengths = rows.begins.take(vertices + 1) - first
    begins = np.concatenate(([0], np.cumsum(lengths)))
    entries = np.arange(begins[-1]) + np.repeat(first - begins[:-1], lengths)
    columns = np.searchsorted(vertices, rows.columns.take(entries)).astype(INT32)
    return Part(vertices, CompressedRows(begins, columns), entries)


def small_parts(store: CpuMatrix, sources: np.ndarray) -> list[Part | None]:
    """What is reached from each source, as `small_part` has it. If none of the first ASKED reaches
    little, the others are not asked for."""
    large = LARGE_FOR_SEVERAL if sources.size > 1 else LARGE
    first = [small_part(store, int(source), large) for source in sources[:ASKED]]
    if first.count(None) == len(first):
        return [None] * sources.size
    return [*first, *(small_part(store, int(source), large) for source in sources[ASKED:])]
