"""Random walks: in each step every walker moves along a random edge of its vertex.

A vector holds the vertex of each walker, and reading x at these vertices is a gather, the product
with its selector matrix. The edges of a row have consecutive indices, beginning at `first`. Without
weights, a random number from [0, 1) times the degree is the index of the edge in its row. With
weights, the walker takes the first edge whose prefix sum of weights exceeds the random number times
the sum of the row (inversion of the distribution function), found by binary search. A step costs
O(walkers), with weights times the logarithm of the largest degree.

Random numbers and prefix sums come from the host, and comparisons are exact. The same seed
therefore gives the same walks on every backend. Perozzi, Al-Rfou, Skiena: DeepWalk, KDD 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.labels import gather
from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits
from lagraph_gpu.algorithms._shared.source_batches import ordered_vertices
from lagraph_gpu.algorithms.traversal.neighbor_sampling import (
    sampled_edges,
    uniform_edges,
    weighted_edges,
)
from lagraph_gpu.convert.options import Vertices
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_count, expect_flag, random
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.tiles import concat
from lagraph_gpu.notation.vector import check_size
from semirings import BINARY

times = BINARY["times"]


def random_walks(
    G: Graph, sources: Vertices, length: int, seed: Any = None, weighted: bool = False
) -> Matrix:
    """Random walks from given vertices.

    Parameters
    ----------
    G : Graph
        The graph. Each step follows an edge in its direction.
    sources : list or array of integers
        The first vertex of each walk. A vertex may be given several times.
    length : int
        The number of steps of a walk.
    seed : int or numpy.random.Generator, optional
        Anything that `numpy.random.default_rng` accepts. The same seed gives the same walks on
        every backend.
    weighted : bool, optional
        If True, a step takes an edge with probability proportional to its weight. By default all
        edges of a vertex have the same probability.

    Returns
    -------
    Matrix of INT64
        A matrix of shape len(sources) × (length + 1). Row w holds the vertices of walk w. A walk
        ends early at a vertex without outgoing edges; the row then has no further entries.

    Raises
    ------
    IndexOutOfBound
        A source is not a vertex of G.
    NegativeWeight
        `weighted` is True and a weight is below 0.
    InvalidValue
        The length is negative, or a weight is infinite or NaN.
    TooLarge
        The walks do not fit into the free memory.

    Notes
    -----
    O(n + m) once for a graph on a GPU, and with weights on a CPU; it keeps 4 to 16 bytes for each
    edge. Then each step takes O(walkers), with weights times the logarithm of the largest degree.
    For a graph on a GPU the host moves up to 16,384 walkers.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], n=4, backend="cpu")
    >>> lg.random_walks(G, [0, 2, 3], length=4, seed=1).to_dense(fill_value=-1).tolist()
    [[0, 1, 2, 0, 1], [2, 0, 1, 2, 0], [3, -1, -1, -1, -1]]
    """
    steps = expect_count(length, "length")
    rng, start = random(seed), ordered_vertices(G, sources, "sources")
    check_size(steps + 1)
    return walks(G, start, steps, rng, expect_flag(weighted, "weighted"))


@operation
def walks(
    G: Graph, start: np.ndarray, steps: int, rng: np.random.Generator, weighted: bool
) -> Matrix:
    """The walks (INT64) of so many steps from these vertices.

    In each step the generator gives a number for each walker, also for one that has come to an end.
    """
    columns = steps + 1
    edges = G.kept(weighted_edges if weighted else uniform_edges)
    endless = edges.first.nvals == G.n
    expect_walks_fit(G, start.size, columns if endless else 1)
    place = Vector.from_dense(start, backend=G.backend)
    walk = [place]
    for k in range(steps):
        low = gather(edges.first, place)
        if not endless and k & (k - 1) == 0:  # as many steps again
            expect_walks_fit(G, low.nvals, min(columns, 2 * k + 1))
        if start.size == 0 or (not endless and low.nvals == 0):
            break
        draw = Vector.from_dense(rng.random(start.size), backend=G.backend)
        drawn = times(draw & gather(edges.total, place)).new()
        place = gather(edges.target, sampled_edges(edges, low, place, drawn))
        walk.append(place)
    found = concat([walk])
    if len(walk) == columns:
        return found
    return Matrix.from_csr(*found.to_csr(), ncols=columns, backend=G.backend)


def expect_walks_fit(G: Graph, walkers: int, columns: int) -> None:
    """Raises TooLarge if a matrix of so many entries does not fit into the free memory."""
    expect_fits(
        G, RESULT_BYTES * walkers * columns, "walks that fit",
        f"{walkers:,} of {columns - 1:,} steps need", "take fewer at a time, or shorter ones",
    )  # fmt: skip
