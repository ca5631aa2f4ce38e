"""Triangles on the CPU: the rows of both ends of each edge are compared
(``native/triangles.cpp``)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import shared_by_rows
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import CompressedRows, Range, RowBitmaps
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import UINT8

higher_ends, row_bitmaps, triangles_of = map(Loop, ("higher_ends", "row_bitmaps", "triangles_of"))
directed_triangles, entries_in_higher = Loop("directed_triangles"), Loop("higher_entries")

Oriented = tuple[CompressedRows, RowBitmaps]

READS_PER_EDGE = 16
"""How often an edge is read, roughly, where triangles are looked for."""


def vertex_triangles(G: Graph) -> Vector | None:
    """Lowers ``vertex_triangles``. None as ``total_triangles``."""
    if (rows := oriented(G)) is None:
        return None
    at = np.zeros(G.n, np.int64)
    for part, _ in counted(rows, each=True):
        at += part
    return vector_of(G, at)


def total_triangles(G: Graph) -> int | None:
    """Lowers ``total_triangles``. None if the rows are not symmetric, because somebody else has
    written to a shared matrix."""
    rows = oriented(G)
    return None if rows is None else sum(total for _, total in counted(rows, each=False))


def closed_walks(B: Matrix) -> Vector | None:
    """Lowers ``closed_walks``. None for a matrix that is not symmetric."""
    return in_triangles(B, walks=True)


def edges_of_neighbours(G: Graph) -> Vector | None:
    """Lowers ``edges_of_neighbours``. None for undirected graphs, and as ``closed_walks``."""
    return in_triangles(multiplicity(G), walks=False) if G.directed else None


def in_triangles(B: Matrix, walks: bool) -> Vector | None:
    """Twice the product of the entries of B of each triangle, or at each vertex the entry of the
    side that is opposite to it."""
    if (found := higher_entries(B)) is None:
        return None
    higher, edges = found

    def part(cut: tuple[int, int], watch: np.ndarray) -> np.ndarray:
        at = np.zeros(B.nrows, np.int64)
        directed_triangles(higher, edges, Range(*cut), walks, at, watch)
        return at

    at = np.zeros(B.nrows, np.int64)
    for each in shared_by_rows(part, higher, READS_PER_EDGE):
        at += each
    return vector_of(B, at)


def higher_entries(B: Matrix) -> tuple[CompressedRows, np.ndarray] | None:
    """The entries (UINT8) of a symmetric matrix in rows of their ends of lower degree. None if it
    is not symmetric."""
    rows, given = rows_with_values(B._store, dtype=UINT8)
    edges = np.ascontiguousarray(np.broadcast_to(given, rows.columns.shape))
    ends, room = np.empty(rows.begins.size, np.int64), rows.columns.size // 2 + 1
    high, kept = np.empty(room, np.int32), np.empty(room, UINT8)
    if entries_in_higher(rows, edges, ends, high, kept) == failures().ASYMMETRIC:
        return None
    return CompressedRows(ends, high), kept


def oriented(G: Graph) -> Oriented | None:
    """The edges in rows of their ends of lower degree, and bitmaps of rows. None as above."""
    rows = pattern(G.neighbours._store)
    n, m = rows.begins.size - 1, rows.columns.size // 2
    higher = CompressedRows(np.empty(n + 1, np.int64), np.empty(m + 1, np.int32))
    rank, place = np.empty(n, np.int32), np.empty(n, np.int64)
    words = higher_ends(rows, *higher, rank, place)
    if words == failures().ASYMMETRIC:
        return None
    bitmaps = RowBitmaps(rank, place, np.zeros(words, np.uint64))
    row_bitmaps(higher, bitmaps)
    return higher, bitmaps


def counted(rows: Oriented, each: bool) -> Iterator[tuple[np.ndarray, int]]:
    """The triangles of ranges of vertices, at each vertex if wanted and in all, by threads."""
    ends = rows[0].begins

    def part(cut: tuple[int, int], watch: np.ndarray) -> tuple[np.ndarray, int]:
        at = np.zeros(ends.size - 1 if each else 0, np.int64)
        return at, triangles_of(*rows, Range(*cut), at, watch)

    return shared_by_rows(part, rows[0], READS_PER_EDGE)
