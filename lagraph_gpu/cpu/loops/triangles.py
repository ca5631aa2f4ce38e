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
from semirings.types import INT32, UINT8

higher_ends, row_bitmaps, triangles_of = map(Loop, ("higher_ends", "row_bitmaps", "triangles_of"))
directed_triangles = Loop("directed_triangles")

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


def closed_walks(B: Matrix) -> Vector:
    """Lowers ``closed_walks``."""
    return in_triangles(B, walks=True)


def edges_of_neighbours(G: Graph) -> Vector | None:
    """Lowers ``edges_of_neighbours``. None for undirected graphs."""
    return in_triangles(multiplicity(G), walks=False) if G.directed else None


def in_triangles(B: Matrix, walks: bool) -> Vector:
    """Twice the product of the entries of B of each triangle, or at each vertex the entry of the
    side that is opposite to it."""
    higher, edges = higher_entries(B)

    def part(cut: tuple[int, int], watch: np.ndarray) -> np.ndarray:
        at = np.zeros(B.nrows, np.int64)
        directed_triangles(higher, edges, Range(*cut), walks, at, watch)
        return at

    at = np.zeros(B.nrows, np.int64)
    for each in shared_by_rows(part, higher, READS_PER_EDGE):
        at += each
    return vector_of(B, at)


def higher_entries(B: Matrix) -> tuple[CompressedRows, np.ndarray]:
    """The entries (UINT8) in rows of their ends of lower degree."""
    (begins, columns), edges = rows_with_values(B._store, dtype=UINT8)
    degree = np.diff(begins).astype(INT32)
    row, own = np.repeat(np.arange(degree.size, dtype=INT32), degree), np.repeat(degree, degree)
    other = degree[columns]
    higher = (other > own) | ((other == own) & (columns < row))
    ends = np.append(0, np.cumsum(np.bincount(row[higher], minlength=degree.size)))
    kept = np.broadcast_to(edges, columns.shape)[higher]
    return CompressedRows(ends, columns[higher]), kept


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
