"""Shortest paths from many sources on the CPU: SciPy's Dijkstra, where its sums are exactly ours.

SciPy adds up in FP64, from the source on, as a closure over FP64 does. Integers are exact there,
and so are weights of FP32 that are whole numbers, as long as no distance goes beyond 2²⁴. Otherwise
a closure has to do it.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from lagraph_gpu.backend import Rows
from semirings import types
from semirings.types import FP32

AT_ONCE = 64
"""Rows of all vertices that are held while those of the targets are picked."""

EXACT_FP32 = 2**24


def by_dijkstra(
    rows: Rows, sources: np.ndarray, targets: np.ndarray | None, cutoff: float, hops: bool,
    dtype: np.dtype,
) -> np.ndarray | None:  # fmt: skip
    """A row of distances for each source, infinite beyond ``cutoff``, by weights or counted in
    edges; None if FP32 rounds. A frontier a round would be no faster for edges, and on roads far
    slower."""
    indptr, indices, values = rows
    n = indptr.size - 1
    rounds = values.dtype == FP32 and not hops
    if rounds and not np.array_equal(values, np.rint(values)):
        return None
    made = np.empty((sources.size, n if targets is None else targets.size), dtype)
    limit = float(types.cast(cutoff, FP32)) if rounds else cutoff  # as FP32 has it
    lengths = np.ones(values.size) if hops else values.astype(np.float64)
    graph = sp.csr_array((lengths, indices, indptr), shape=(n, n))
    for first in range(0, sources.size, AT_ONCE):
        some = sources[first : first + AT_ONCE]
        found = dijkstra(graph, indices=some, limit=limit)
        if rounds and found.max(initial=0, where=np.isfinite(found)) > EXACT_FP32:
            return None
        made[first : first + AT_ONCE] = found if targets is None else found[:, targets]
    return made
