"""Distances from many sources, and their sums for each vertex: what closeness is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared import source_batches
from lagraph_gpu.algorithms._shared.distance_types import finite
from lagraph_gpu.algorithms._shared.power_iteration import along_edges, refuse_negative
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import plus_first
from semirings.types import FP64


def distances(
    G: Graph, A: Any, sources: np.ndarray, weight: str | None, batch: int | None
) -> Iterator[tuple[np.ndarray, Matrix]]:
    """Blocks of sources, each with the distances from them along A (FP64, a row a source)."""
    refuse_negative(G, weight, "distances")
    hops = along_edges(G, weight)[1] is plus_first
    for block, D in source_batches.distances(G, A, sources, None if hops else FP64, asked=batch):
        yield block, D.dup(FP64) if hops else finite(D, G)


def nearness(
    G: Graph, sources: np.ndarray, weight: str | None, batch: int | None
) -> tuple[Vector, Vector, Vector] | None:
    """For each vertex how many of the sources reach it from elsewhere, and the sums of their
    distances and of the reciprocals (FP64), where the backend adds them up as it searches."""
    if batch is not None or along_edges(G, weight)[1] is not plus_first:
        return None
    starts = np.intersect1d(sources, G.out_degree.to_coo()[0])  # the others reach nobody
    made = G.backend.nearness(G.A, starts)
    if made is None:
        return None
    others, farness, near = (Vector._stored(s, G.n, s.dtype, G.backend).dup(FP64) for s in made)
    return others, farness, near
