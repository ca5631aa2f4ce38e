"""Greedy passes on the CPU, over vertices for independent sets and colourings, and over edges for
matchings (``native/greedy.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import real, vector_of
from lagraph_gpu.cpu.statements.stores import lengths_of_rows
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT64

greedy_set, first_fit = Loop("greedy_set"), Loop("first_fit")
suitor_matching = Loop("suitor_matching")


def independent_set(rank: Vector, A: Matrix) -> Vector:
    """Lowers ``greedy_independent_set`` by one pass over the vertices."""
    chosen = np.zeros(rank.size, np.bool_)
    vertices, key = rank.to_coo()
    run_by_falling_key(greedy_set, vertices, key, A, chosen)
    return vector_of(rank, chosen.copy(), chosen)


def coloring(rank: Vector, A: Matrix, by_degree: bool = False) -> Vector:
    """Lowers ``greedy_coloring`` by one pass over the vertices."""
    vertices, key = rank.to_coo()
    if by_degree:
        key = key + RANKS * lengths_of_rows(A._store.arrays()[0])[vertices]
    color = np.full(rank.size, -1, INT64)
    run_by_falling_key(first_fit, vertices, key, A, color)
    return vector_of(rank, color, color >= 0)


def run_by_falling_key(
    loop: Loop, vertices: np.ndarray, key: np.ndarray, A: Matrix, result: np.ndarray
) -> None:
    """Runs a loop over vertices by falling key."""
    rows = pattern(A._store)
    order = vertices[np.argsort(key)[::-1]].astype(INT64, copy=False)
    work = A.nrows + rows.columns.size
    watched(loop, rows, order, result, work=work, total=order.size)


def matching(rank: Vector, A: Matrix, factor: int) -> Vector:
    """Lowers ``greedy_matching``."""
    rows = pattern(A._store)
    mate, work = np.full(rank.size, -1, INT64), A.nrows + rows.columns.size
    search = rows, real(rank, INT64), factor, mate
    watched(suitor_matching, *search, work=work, total=rank.size)
    return vector_of(rank, mate, mate >= 0)
