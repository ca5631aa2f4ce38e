"""Random walks: at each step, every walker reads at its place where the next one is.

A vector holds where each walker is; read from it, x(place) is a product with its selector. The
edges of a row stand side by side, from ``first`` on. Draw a number from [0, 1): where all edges are
alike, that part of the degree is the edge to take. With weights, let the sums of the weights so far
stand beside the edges: the first sum beyond the drawn part of the last one belongs to the edge,
each with a probability in proportion to its weight (inversion of the distribution). It is found by
halving, so a step costs the walkers, with weights times the logarithm of the largest degree.

Draws and sums come from the host, and comparisons are exact, so a seed means the same walks on
every backend. Perozzi, Al-Rfou, Skiena: DeepWalk, KDD 2014.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.labels import gather
from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits
from lagraph_gpu.algorithms._shared.source_batches import Vertices, vertex_ids
from lagraph_gpu.algorithms.traversal.neighbor_sampling import (
    sampled_edges,
    uniform_edges,
    weighted_edges,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_count, expect_flag, random
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.tiles import concat
from lagraph_gpu.notation.vector import Vector, check_size
from semirings import BINARY

times = BINARY["times"]


def random_walks(
    G: Graph, sources: Vertices, length: int, seed: Any = None, weighted: bool = False
) -> Matrix:
    """Random walks of ``length`` edges, one from each of ``sources`` (a vertex may be given twice).

    Row w of the result (INT64, len(sources) × (length + 1)) holds the vertices of walk w. Each step
    takes one of the edges that leave the vertex, all alike or, with ``weighted``, in proportion to
    their weights (of at least 0; an edge of weight 0 is not taken). A walk ends where no edge
    leaves: then the row has no further entries. ``seed``: whatever ``numpy.random.default_rng``
    takes. Raises IndexOutOfBound for a source outside the graph, NegativeWeight, InvalidValue,
    TooLarge for walks that cannot fit. O(n + m) once for a graph, which keeps 8 bytes an edge, with
    weights 16; and a step O(walkers), with weights times the logarithm of the largest degree.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], n=4, backend="cpu")
    >>> lg.random_walks(G, [0, 2, 3], length=4, seed=1).to_dense(fill_value=-1).tolist()
    [[0, 1, 2, 0, 1], [2, 0, 1, 2, 0], [3, -1, -1, -1, -1]]
    """
    steps = expect_count(length, "length")
    rng, start = random(seed), vertex_ids(G, sources, "sources")
    columns = check_size(steps + 1)
    edges = G.kept(weighted_edges if expect_flag(weighted, "weighted") else uniform_edges)
    endless = edges.first.nvals == G.n
    _expect_walks_fit(G, start.size, columns if endless else 1)
    place = Vector.from_dense(start, backend=G.backend)
    walk = [place]
    for k in range(steps):
        low = gather(edges.first, place)
        if not endless and k & (k - 1) == 0:  # as many steps again
            _expect_walks_fit(G, low.nvals, min(columns, 2 * k + 1))
        if start.size == 0 or (not endless and low.nvals == 0):
            break
        draw = Vector.from_dense(rng.random(start.size), backend=G.backend)
        drawn = times(draw & gather(edges.total, place)).new()
        place = gather(edges.target, sampled_edges(edges, low, place, drawn))
        walk.append(place)
    walks = concat([walk])
    if len(walk) == columns:
        return walks
    return Matrix.from_csr(*walks.to_csr(), ncols=columns, backend=G.backend)


def _expect_walks_fit(G: Graph, walkers: int, columns: int) -> None:
    expect_fits(
        G, RESULT_BYTES * walkers * columns, "walks that fit",
        f"{walkers:,} of {columns - 1:,} steps need", "take fewer at a time, or shorter ones",
    )  # fmt: skip
