"""Random walks: at each step, a matrix of walkers chooses one neighbour in each row.

W has one row a walker, and in it one entry: where the walker is. Let C hold, along each row of the
adjacency matrix, the sums of the weights so far; W ⊕.⊗ C then puts before each walker the sums of
its vertex. Draw a number below the last of them: the first sum beyond it belongs to the neighbour
to go to, each with a probability in proportion to its weight (inversion of the distribution). A
step costs the degrees of the vertices that walkers stand on, in time and in memory.

Draws and sums come from the host, and comparisons are exact, so a seed means the same walks on
every backend. Perozzi, Al-Rfou, Skiena: DeepWalk, KDD 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.rows import leftmost
from lagraph_gpu.batches import Vertices, ids
from lagraph_gpu.checks import expect_count, expect_flag, random
from lagraph_gpu.errors import NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.tiles import concat
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_lt, any_second


def random_walks(
    G: Graph, sources: Vertices, length: int, seed: Any = None, weighted: bool = False
) -> Matrix:
    """Random walks of ``length`` edges, one from each of ``sources`` (a vertex may be given twice).

    Row w of the result (INT64, len(sources) × (length + 1)) holds the vertices of walk w. Each step
    takes one of the edges that leave the vertex, all alike or, with ``weighted``, in proportion to
    their weights (of at least 0; an edge of weight 0 is not taken). A walk ends where no edge
    leaves: then the row has no further entries. ``seed``: whatever ``numpy.random.default_rng``
    takes. Raises IndexOutOfBound for a source outside the graph, NegativeWeight, InvalidValue.
    O(n + m), and a step the degrees of all vertices that walkers stand on.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], n=4, backend="cpu")
    >>> lg.random_walks(G, [0, 2, 3], length=4, seed=1).to_dense(fill_value=-1).tolist()
    [[0, 1, 2, 0, 1], [2, 0, 1, 2, 0], [3, -1, -1, -1, -1]]
    """
    steps = expect_count(length, "length")
    rng, start = random(seed), ids(G, sources, "sources")
    size, backend = start.size, G.backend
    C = _sums(G, expect_flag(weighted, "weighted"))
    total = C.reduce_rowwise("max").new()
    place = Vector.from_dense(start, backend=backend)
    shape = {"nrows": size, "ncols": G.n}
    W = Matrix.from_coo(np.arange(size), start, True, "BOOL", **shape, backend=backend)
    walk = [place]
    for _ in range(steps):
        draw = Vector.from_dense(rng.random(size), backend=backend)
        drawn = BINARY["times"](draw & any_second(W @ total).new()).new()
        sums = any_second(W @ C).new()
        W, place = leftmost(any_lt(drawn.diag() @ sums).new().select("==", True).new())
        walk.append(place)
    return concat([walk])


def _sums(G: Graph, weighted: bool) -> Matrix:
    """The sums of the weights along each row (FP64), without edges of weight 0.

    On the host, once: no statement adds up along a row.
    """
    if weighted and G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0 to walk by, got {G.lightest}")
    A = G.A.select("!=", 0).new() if weighted else G.A.apply("one").new("FP64")
    indptr, indices, weight = A.to_csr()
    share = weight.astype(np.float64) / (float(weight.max(initial=0)) or 1.0)
    upto = np.concatenate(([0.0], np.cumsum(share)))
    before = np.repeat(upto[indptr[:-1]], np.diff(indptr))
    return Matrix.from_csr(indptr, indices, upto[1:] - before, "FP64", ncols=G.n, backend=G.backend)
