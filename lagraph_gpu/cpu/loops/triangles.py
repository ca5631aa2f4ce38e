"""Triangles on the CPU: the rows of both ends of each edge are compared
(``native/triangles.cpp``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from lagraph_gpu.cpu.loops.watched import shared_out, threads_for
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector

higher_ends, row_bitmaps, triangles_of = map(Loop, ("higher_ends", "row_bitmaps", "triangles_of"))

JOB = 1 << 16
"""The number of entries that is worth another thread."""

LOOKS = 8
"""How often an entry is read, roughly, where triangles are looked for."""


def vertex_triangles(G: Graph) -> Vector:
    """Lowers ``vertex_triangles``."""
    at = np.zeros(G.n, np.int64)
    for part, _ in counted(G, each=True):
        at += part
    return as_vector(G, full(at))


def total_triangles(G: Graph) -> int:
    """Lowers ``total_triangles``."""
    return sum(total for _, total in counted(G, each=False))


def counted(G: Graph, each: bool) -> Iterator[tuple[np.ndarray, int]]:
    """The triangles of ranges of vertices, at each vertex if wanted and in all, by threads."""
    begins, columns = G.neighbours._store.arrays()[:2]
    n, m = begins.size - 1, columns.size // 2
    ends, high = np.empty(n + 1, np.int64), np.empty(m + 1, np.int32)
    rank, place = np.empty(n, np.int32), np.empty(n, np.int64)
    bitmaps = np.zeros(higher_ends(begins, columns, ends, high, rank, place), np.uint64)
    oriented = ends, high, rank, place, bitmaps
    row_bitmaps(*oriented)
    threads = threads_for(1 + columns.size // JOB)
    work = np.cumsum(np.diff(ends) ** 2, dtype=np.float64)
    shares = np.linspace(0, work[-1] if n else 0, threads + 1)[1:-1]
    cuts = [0, *np.searchsorted(work, shares).tolist(), n]

    def part(cut: tuple[int, int], watch: np.ndarray) -> tuple[np.ndarray, int]:
        at = np.zeros(n if each else 0, np.int64)
        return at, triangles_of(*oriented, *cut, at, watch)

    yield from shared_out(part, pairwise(cuts), threads, LOOKS * columns.size)
