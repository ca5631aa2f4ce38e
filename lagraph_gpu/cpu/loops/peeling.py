"""Peeling on the CPU: vertices are removed when their counter has fallen far enough, for k-cores
and topological orders (``native/peeling.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import NO_ROWS
from lagraph_gpu.cpu.statements.containers import real, vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT64, UINT64

peel, longest_paths = Loop("peel"), Loop("longest_paths")
parents_on_longest = Loop("longest_path_parents")
count_cores = Loop("core_levels")


def peel_levels(count: Vector, A: Matrix) -> Vector | None:
    """Lowers ``peel``. None for types other than INT64."""
    counts, store = count._store, A._store
    if {count.dtype, A.dtype} != {INT64}:
        return None
    index, values = counts.to_coo()
    left, there = np.zeros(count.size, INT64), np.zeros(count.size, np.bool_)
    left[index], there[index] = values, True
    work = count.size + store.nvals
    watched(peel, *rows_with_values(store), there.copy(), left, work=work, total=count.size)
    return vector_of(count, left, there)


def core_levels(G: Graph) -> Vector:
    """Lowers ``core_levels`` without a matrix of counts."""
    store = G.A._store
    out = pattern(store)
    back = pattern(store, transposed=True) if G.directed else NO_ROWS
    level, edges = np.empty(G.n, INT64), out.columns.size + back.columns.size
    watched(count_cores, out, back, level, work=G.n + edges, total=G.n)
    return vector_of(G, level)


def longest_lengths(G: Graph, hops: bool, dtype: np.dtype) -> Vector | None:
    """Lowers ``longest_lengths``. None for UINT64."""
    if dtype == UINT64:
        return None
    common = dtype if dtype.kind == "f" else INT64
    rows, lengths = rows_with_values(G.A._store, dtype=None if hops else common)
    found = np.zeros(G.n, common)
    steps, work = np.ones(1, common) if hops else lengths, G.n + rows.columns.size
    queue = np.empty(G.n, np.int32)
    search = rows, steps, found, queue
    reached, known = watched(longest_paths, *search, work=work, total=G.n), None
    if reached < G.n:
        known = np.zeros(G.n, np.bool_)
        known[queue[:reached]] = True
    return vector_of(G, found.astype(dtype, copy=False), known)


def longest_path_parents(G: Graph, distance: Vector) -> Vector | None:
    """Lowers ``longest_path_parents``. None for UINT64."""
    if distance.dtype == UINT64:
        return None
    common = distance.dtype if distance.dtype.kind == "f" else INT64
    rows, lengths = rows_with_values(G.A._store, dtype=common)
    parent = np.arange(G.n)
    search = rows, lengths, real(distance, common), parent
    watched(parents_on_longest, *search, work=G.n + rows.columns.size)
    return vector_of(G, parent)
