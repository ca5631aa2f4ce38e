"""All shortest paths of a small dense graph: Kleene's star of the min-plus matrix, by blocks.

Let D hold the lengths of the best paths through the vertices of earlier blocks alone. The star of
the diagonal block, by repeated squaring, gives the best ways about within block K; then every pair
may go into the block, about in it and out: D min= D(:, K) min.+ star min.+ D(K, :). That is Floyd's
and Warshall's step for a whole block at a time, and most of it is a product of dense matrices.
O(n³) operations in n / 64 rounds, n² entries.

>>> import lagraph_gpu as lg
>>> from semirings import min_plus
>>> with lg.backend("cpu"):
...     D = lg.Matrix.from_dense([[0, 2, 9], [2, 0, 3], [9, 3, 0]])
>>> min_plus(D @ D).new().to_dense().tolist()        # paths of at most two edges
[[0, 2, 5], [2, 0, 3], [5, 3, 0]]

Floyd: Algorithm 97, Communications of the ACM 5 (1962). Venkataraman, Sahni, Mukhopadhyaya: A
blocked all-pairs shortest-paths algorithm, ACM Journal of Experimental Algorithmics 8 (2003).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import finite, narrowed, path_type
from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits, free_bytes
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.algorithms.structure.scc import strongly_connected_components
from lagraph_gpu.errors import DistanceOverflow, NegativeCycle
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import MONOIDS, min_plus, types

BLOCK = 64
minimum = MONOIDS["min"]


def floyd_warshall(G: Graph) -> Matrix:
    """The length of a shortest path between each pair of vertices, of the weights' type.

    D[u, v] is the distance from u to v, along the direction of the edges; no entry where there is
    no path, and 0 from a vertex to itself. Weights may be negative; raises NegativeCycle if a cycle
    has a negative length (an undirected edge of negative weight is one), DistanceOverflow where the
    weights' type cannot hold a distance, or two paths of n edges of the heaviest weight might not
    fit 64-bit integers, TooLarge where all of them cannot fit the free memory. Waits for the device
    once a block of 64 vertices.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -5], backend="cpu")
    >>> lg.floyd_warshall(G).to_dense().tolist()
    [[0, 3, 7], [-1, 0, 4], [-5, -2, 0]]
    """
    kind = types.INT64 if G.A.dtype.kind != "f" else G.A.dtype
    path_type(G)  # refuses where n edges would not fit 64-bit integers
    if kind.kind == "i" and G.nedges and 2 * G.n * max(G.heaviest, -G.lightest) >= 2**63:
        raise DistanceOverflow(
            f"expected two paths of n = {G.n} edges of the heaviest weight, "
            f"{max(G.heaviest, -G.lightest)}, to fit 64-bit integers; use floating-point weights"
        )
    _expect_pairs_fit(G)
    zero = Vector.from_scalar(0, G.n, kind, backend=G.backend)
    D = G.A.dup(kind)
    D(accum=minimum) << zero.diag()
    for begin in range(0, G.n, BLOCK):
        K = slice(begin, min(begin + BLOCK, G.n))
        star = D[K, K].new()
        for _ in range(BLOCK.bit_length() - 1):  # 2⁶ edges, and no path needs more
            star = min_plus(star @ star).new()
        if star.diag().reduce("min").new().value < 0:
            raise NegativeCycle(
                "expected every cycle to have a length of at least 0, but some vertex of "
                f"{begin} to {K.stop - 1} lies on a shorter one; shortest paths do not exist"
            )
        into = min_plus(D[:, K].new() @ star).new()
        D(accum=minimum) << min_plus(into @ D[K, :].new())
    return narrowed(finite(D, G), G.A.dtype)


def _expect_pairs_fit(G: Graph) -> None:
    """Raises TooLarge if the distances that there are for certain, from each vertex to all of its
    strong component, cannot fit. O(1), or O(m) where it is close."""
    free = free_bytes(G)
    if free is None or RESULT_BYTES * G.n**2 <= free:
        return
    part = (strongly_connected_components if G.directed else connected_components)(G)
    pairs = int((np.bincount(part.to_dense()) ** 2).sum())
    expect_fits(
        G, RESULT_BYTES * pairs, "distances between all pairs that fit", f"{pairs:,} pairs need",
        "take distances from some vertices, or in blocks: for block in lg.iter_distances(...)",
    )  # fmt: skip
