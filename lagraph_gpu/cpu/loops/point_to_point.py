"""One shortest path between two vertices on the CPU, by compiled loops that reach few vertices
(``native/point_to_point.cpp``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.algorithms.paths.point_to_point import Found, slack_of
from lagraph_gpu.cpu.loops.distances import COST_PER_EDGE_HEAP
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.sums import sums_fit, sums_of
from lagraph_gpu.cpu.loops.watched import LONG_LOOP_ITEMS, unwatched, watched
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import NO_ROWS, CompressedRows, EdgeLimits, Endpoints
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from semirings import types
from semirings.types import FP64, INT32

path_of_hops, path_of_lengths = Loop("path_of_hops"), Loop("path_of_lengths")
path_by_bounds = Loop("path_by_bounds")

ONE_THREAD_EDGES = 1 << 13
"""To read so many edges takes less time than the start of a thread."""


def shortest_path(
    G: Graph, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
) -> Found | None:
    """Lowers ``shortest_path``. None if sums could leave the type or FP64 would round integers, or
    if a caller asks for each round."""
    if trace.recording() or step is not None:
        return None
    store, dtype = G.A._store, path_type(G)
    n, (least, largest) = G.n, store.extremes
    if not (least >= 0 and sums_fit(dtype, least, largest, n)):
        return None
    path, between, sums = np.empty(n, INT32), Endpoints(source, target), sums_of(dtype)
    alike = h is None and least == largest
    rows, lengths = rows_with_values(store, dtype=None if alike else sums)
    work = COST_PER_EDGE_HEAP * (n + rows.columns.size)
    if alike:
        back, _ = in_edges(store)
        most = n if cutoff is None or cutoff >= n * least else int(cutoff / least) + 1
        both = rows, back, between
        count = failures().LONG_SEARCH
        if work >= LONG_LOOP_ITEMS:  # it would start a thread
            count = path_of_hops(*both, EdgeLimits(most, ONE_THREAD_EDGES), path, unwatched())
        if count == failures().LONG_SEARCH:
            hops = *both, EdgeLimits(most), path
            count = watched(path_of_hops, *hops, work=work, total=n)
        length = np.full(count, sums.type(least))
        length[:1] = 0
        found = length.cumsum(dtype=sums)[-1:]  # rounded edge by edge
    else:
        limit = types.cast(np.inf if cutoff is None else cutoff, sums)
        found = np.empty(1, FP64)
        if h is None:
            rounding = 0.0 if dtype.kind != "f" else float(np.finfo(sums).eps) / 2
            ways = rows, lengths, *in_edges(store, sums), between
            search = limit, float(least), rounding, path, found
            count = watched(path_of_lengths, *ways, *search, work=work, total=2 * n)
        else:
            bounds = h._store.to_dense().astype(FP64)
            out = rows, lengths, bounds, slack_of(dtype, h), between
            count = watched(path_by_bounds, *out, limit, path, found, work=work, total=n)
    if count == 0:
        return None, []
    return dtype.type(found[0]).item(), path[:count].tolist()


def in_edges(store: CpuMatrix, dtype: np.dtype | None = None) -> tuple[CompressedRows, np.ndarray]:
    """The edges into each vertex, the rows of the transpose with their values; none if it is not
    stored and has not been asked for before. Unlike ``rows.rows_for_pulls``, which is
    for pulls, it takes the transpose of a deep graph, too. It is never taken from a shared matrix,
    where it could be out of date, unless that is symmetric."""
    if store.symmetric or (store.worth_having(True) and not store.shared):
        return rows_with_values(store, True, dtype)
    return NO_ROWS, np.empty(0, dtype)
