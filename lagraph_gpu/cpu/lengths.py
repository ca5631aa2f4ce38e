"""Shortest paths from many sources on the CPU: SciPy's Dijkstra, where its sums are exactly ours.

SciPy adds up in FP64, from the source on, as a closure over FP64 does. Integers are exact there,
and so are weights of FP32 that are whole numbers, as long as no distance goes beyond 2²⁴. Otherwise
a closure has to do it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from lagraph_gpu.backend import Rows, Targets, answer_shape, keep
from lagraph_gpu.batches import SHARE
from lagraph_gpu.generators import Progress
from lagraph_gpu.graph import available_bytes
from semirings import types
from semirings.types import FP32

AT_ONCE = 64
"""Rows of all vertices that are held at most, while what is asked of them is picked."""

EXACT_FP32 = 2**24


def by_dijkstra(
    rows: Rows, sources: np.ndarray, targets: Targets, cutoff: float, hops: bool,
    dtype: np.dtype, progress: Progress | None,
) -> np.ndarray | None:  # fmt: skip
    """As ``Backend.lengths`` says; None if FP32 rounds. A frontier a round would be no faster for
    edges, and on roads far slower."""
    graph, n = _graph(rows, hops), rows[0].size - 1
    if graph is None:
        return None
    made = np.empty(answer_shape(sources.size, n, targets), dtype)
    narrow = rows[2].dtype == FP32 and not hops
    limit = float(types.cast(cutoff, FP32)) if narrow else cutoff  # as FP32 has it
    step = rows_at_once(n)
    for first in range(0, sources.size, step):
        some = sources[first : first + step]
        found = dijkstra(graph, indices=some, limit=limit)
        if narrow and not _exact(found):
            return None
        keep(found, first, targets, made)
        if progress is not None:
            progress(first + some.size, sources.size)
    return made


def to_nearest(rows: Rows, sources: np.ndarray) -> np.ndarray | None:
    """From the nearest source to each vertex, infinite where there is none; None if FP32 rounds."""
    graph = _graph(rows)
    if graph is None:
        return None
    found = dijkstra(graph, indices=sources, min_only=True)
    return found if rows[2].dtype != FP32 or _exact(found) else None


def hops_from(rows: Rows, sources: np.ndarray, most: float) -> tuple[Any, ...]:
    """How many edges each vertex is from the nearest source, infinite beyond ``most``; the vertex
    before it on a way from there, and that source."""
    graph: Any = _graph(rows, hops=True)
    few: Any = {"min_only": True, "return_predecessors": True, "limit": most}
    return dijkstra(graph, indices=sources, **few)


def _graph(rows: Rows, hops: bool = False) -> sp.csr_array | None:
    """As SciPy wants it; None where FP32 might round."""
    indptr, indices, values = rows
    if values.dtype == FP32 and not hops and not np.array_equal(values, np.rint(values)):
        return None
    lengths = np.ones(values.size) if hops else values.astype(np.float64)
    return sp.csr_array((lengths, indices, indptr), shape=(indptr.size - 1,) * 2)


def _exact(found: np.ndarray) -> bool:
    """Would FP32 have these sums, too?"""
    return bool(found.max(initial=0, where=np.isfinite(found)) <= EXACT_FP32)


def rows_at_once(n: int) -> int:
    """As many as take a quarter of the free memory, at most AT_ONCE."""
    free = available_bytes()
    return AT_ONCE if free is None else max(1, min(AT_ONCE, free // (SHARE * 8 * max(1, n))))
