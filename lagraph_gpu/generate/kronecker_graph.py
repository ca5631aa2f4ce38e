"""The graph of the Graph500 benchmark, joined from the edges that are drawn."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.errors import brief
from lagraph_gpu.generate.counters import U64
from lagraph_gpu.generate.edge_weights import WeightKind
from lagraph_gpu.generate.kronecker_draw import (
    NAMED_BY_RANK,
    Draw,
    draw_edges,
    draw_pairs,
    ends,
)
from lagraph_gpu.generate.sizes import chunks, expect_room_for_edges
from lagraph_gpu.generate.sorted_edges import distinct, from_keys, from_pairs
from lagraph_gpu.reporting import StepCallback


def kronecker(
    scale: int,
    edgefactor: float = 16,
    seed: int = 1,
    weights: WeightKind = None,
    progress: StepCallback | None = None,
) -> EdgeList:
    """The graph of the Graph500 benchmark: undirected, 2^scale vertices of very unequal degree.

    2^scale * edgefactor edges are drawn, each by `scale` choices of a quarter of the adjacency
    matrix (with the probabilities .57, .19, .19, .05), and the vertices are renumbered at random.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices.
    edgefactor : int or float, optional
        The number of edges that are drawn for each vertex; it may be a fraction.
    seed : int, optional
        A seed gives the same graph everywhere.
    weights : {"integer", "uniform"}, optional
        "integer" gives weights from 1 to 255, "uniform" weights in (0, 1], both float32. By default
        the graph has no weights.
    progress : function, optional
        Called from time to time as `progress(done, total)` with the number of edges drawn so far.

    Returns
    -------
    EdgeList
        An undirected graph: each edge once with src < dst, sorted, without loops and duplicates. So
        it has somewhat fewer edges than were drawn.

    Raises
    ------
    InvalidValue
        An argument is negative or not a number of its kind.
    TooLarge
        The scale is above 60, or the graph does not fit into memory.

    Notes
    -----
    O(edges * scale) time, and at most about 40 bytes of memory for each edge.

    Examples
    --------
    >>> kronecker(4, edgefactor=2)
    EdgeList(16 x 16, 20 undirected edges, unweighted, 'kronecker-4-2-1')
    """
    draw = Draw(scale, edgefactor, seed)
    if draw.scale <= NAMED_BY_RANK:
        made = joined(draw, draw_edges(draw, progress), weights)
    else:
        made = _joined_pairs(draw, weights, progress)
    if progress is not None:
        progress(draw.count, draw.count)
    return made


def joined(draw: Draw, edges: U64, weights: WeightKind) -> EdgeList:
    """The undirected graph of drawn edges, without loops and duplicates. It overwrites `edges`."""
    filled = 0
    for part in chunks(edges.size):
        u, v = ends(edges[part])
        key = (np.minimum(u, v) * draw.n + np.maximum(u, v))[u != v]
        edges[filled : filled + key.size] = key.view(np.uint64)
        filled += key.size
    return from_keys(distinct(edges[:filled]), draw.n, False, weights, draw.seed, _name_of(draw))


def _joined_pairs(draw: Draw, weights: WeightKind, progress: StepCallback | None) -> EdgeList:
    """The graph of `joined`, of a scale above 30."""
    expect_room_for_edges(draw.count, "a Kronecker graph")
    u, v = draw_pairs(draw, range(draw.count), progress)
    proper = u != v
    low, high = np.minimum(u, v)[proper], np.maximum(u, v)[proper]
    return from_pairs(low, high, draw.n, False, weights, draw.seed, _name_of(draw))


def _name_of(draw: Draw) -> str:
    return f"kronecker-{draw.scale}-{draw.edgefactor}-{brief(draw.seed)}"
