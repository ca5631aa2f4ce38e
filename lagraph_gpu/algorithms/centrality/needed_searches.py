"""Which searches betweenness needs for its sources.

A source without edges is on no path. In an undirected graph a source s of degree 1 has only its
neighbour w to go through: its shortest paths are those of w, one edge longer, and w lies on those
to all other vertices that it reaches. So the search from w counts once more in place of one from s.

Baglioni, Geraci, Pellegrini, Lastres: Fast exact computation of betweenness centrality in social
networks, ASONAM 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.source_batches import degrees_of
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.graph import Graph

FEW_ENDS = 8
"""With fewer sources of degree 1 the components are not asked for, which are of all vertices."""


class Searches(NamedTuple):
    """The sources of the searches, how often each counts, and what vertices get beside them."""

    sources: np.ndarray
    counts: np.ndarray
    beside: np.ndarray | None


def needed_searches(G: Graph, chosen: Any, endpoints: bool) -> Searches:
    """The searches for the chosen sources. With `endpoints` each source but those without edges is
    searched from itself.
    """
    sources = np.asarray(chosen, np.int64)
    degree = degrees_of(G, sources)
    sources, degree = sources[degree > 0], degree[degree > 0]
    ends = np.flatnonzero(degree == 1)
    if G.directed or endpoints or ends.size < FEW_ENDS:
        return Searches(sources, np.ones(sources.size), None)
    neighbour = G.A[sources[ends], :].new().to_coo()[1]
    through = degrees_of(G, neighbour) > 1  # else both are alone, or the edge is a loop
    label = connected_components(G).to_dense()
    others = np.bincount(label)[label[neighbour]] - 2  # all but s and w
    beside = np.bincount(neighbour[through], others[through], G.n)
    again = np.concatenate((np.delete(sources, ends), neighbour[through]))
    sources, counts = np.unique(again, return_counts=True)
    return Searches(sources, counts.astype(float), beside)
