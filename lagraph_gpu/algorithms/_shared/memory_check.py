"""Will the answers of many searches fit the memory? Asked before they begin."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.algorithms.structure.scc import strongly_connected_components
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector

ENTRY = 32
"""Bytes that a search leaves for each vertex it reaches: two results, each a value and a column."""


def expect_room(G: Graph, start: Vector | Matrix) -> None:
    """Refuses searches from the rows of ``start`` (TooLarge) if what they find cannot fit the free
    memory: from a source at most the vertices of its component. O(1), or O(m) where it is close."""
    if isinstance(start, Vector):
        return  # refused by its backend, which knows what it needs
    free = G.backend.free_bytes()
    if free is None or ENTRY * start.nrows * G.n <= free:
        return
    part = connected_components(G).to_dense()
    wanted = ENTRY * int(np.bincount(part)[part[start.to_coo()[1]]].sum())
    if wanted > free:
        raise TooLarge(
            f"expected searches whose answers fit the free memory, but those from {start.nrows:,} "
            f"sources may find {wanted:,} bytes and {free:,} are free; search from fewer at a "
            "time, or take distances in blocks: for block in lg.iter_distances(...)"
        )


def expect_room_for_pairs(G: Graph) -> None:
    """Refuses the distances between all pairs (TooLarge) if those that there are for certain, from
    each vertex to all of its strong component, cannot fit. O(1), or O(m) where it is close."""
    free = G.backend.free_bytes()
    if free is None or ENTRY * G.n**2 <= free:
        return
    part = (strongly_connected_components if G.directed else connected_components)(G)
    pairs = int((np.bincount(part.to_dense()) ** 2).sum())
    if ENTRY * pairs > free:
        raise TooLarge(
            f"expected distances between all pairs that fit the free memory, but {pairs:,} pairs "
            f"need {ENTRY * pairs:,} bytes and {free:,} are free; take distances from some vertices"
            ", or in blocks: for block in lg.iter_distances(...)"
        )
