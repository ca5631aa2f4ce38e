"""All-pairs shortest paths of a small dense graph: Kleene's star of the min_plus matrix, by blocks.

Let D hold the lengths of the best paths through the vertices of earlier blocks alone. The star of
the diagonal block K, by repeated squaring, gives the best paths inside the block. Then a path
between any two vertices may enter the block, move inside it and leave it: D min= D(:, K) min.+ star
min.+ D(K, :). This is the step of Floyd and Warshall for a whole block at a time, and most of it is
a product of dense matrices. O(n³) operations in n / 64 rounds, and n² entries.

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
from lagraph_gpu.algorithms._shared.memory_check import RESULT_BYTES, expect_fits, surely_fits
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.algorithms.structure.scc import strongly_connected_components
from lagraph_gpu.errors import DistanceOverflow, NegativeCycle, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import MONOIDS, min_plus, types

BLOCK = 64
"""The number of vertices in a block."""
minimum = MONOIDS["min"]


def floyd_warshall(G: Graph) -> Matrix:
    """The length of a shortest path between each two vertices.

    Parameters
    ----------
    G : Graph
        The graph. Edges are followed in their direction. Weights may be negative.

    Returns
    -------
    Matrix
        D[u, v] is the distance from u to v, of the type of the weights. It is 0 from a vertex to
        itself, and has no entry where there is no path.

    Raises
    ------
    NegativeCycle
        A cycle has a negative length. An undirected edge of negative weight is such a cycle.
    DistanceOverflow
        The type of the weights cannot hold a distance, or two paths of n edges of the heaviest
        weight might not fit 64-bit integers.
    TooLarge
        The distances do not fit into the free memory.

    Notes
    -----
    O(n³) operations in blocks of 64 vertices, with one wait for each block. The semiring is
    min_plus. Floyd 1962; Venkataraman, Sahni and Mukhopadhyaya 2003.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, -5], backend="cpu")
    >>> lg.floyd_warshall(G).to_dense().tolist()
    [[0, 3, 7], [-1, 0, 4], [-5, -2, 0]]
    """
    kind = types.INT64 if G.A.dtype.kind != "f" else G.A.dtype
    path_type(G)  # raises DistanceOverflow if n edges might not fit 64-bit integers
    if kind.kind == "i" and G.nedges and 2 * G.n * max(G.heaviest, -G.lightest) >= 2**63:
        raise DistanceOverflow(
            f"expected two paths of n = {G.n} edges of the heaviest weight, "
            f"{max(G.heaviest, -G.lightest)}, to fit 64-bit integers; use floating-point weights"
        )
    _expect_pairs_fit(G)
    D, on_cycle = all_lengths(G, kind)
    if on_cycle is not None:
        raise NegativeCycle(
            "expected every cycle to have a length of at least 0, but vertex "
            f"{brief(G.label(on_cycle))} lies on a shorter one; shortest paths do not exist"
        )
    return narrowed(finite(D, G), G.A.dtype)


@operation
def all_lengths(G: Graph, kind: np.dtype) -> tuple[Matrix, int | None]:
    """The length of a shortest path between each two vertices, in this type; and a vertex on a
    cycle of negative length, if there is one, where the lengths are worth nothing. A lowering
    agrees up to rounding, and may name another such vertex.
    """
    zero = Vector.from_scalar(0, G.n, kind, backend=G.backend)
    D = G.A.dup(kind)
    D(accum=minimum) << zero.diag()
    for begin in range(0, G.n, BLOCK):
        K = slice(begin, min(begin + BLOCK, G.n))
        star = D[K, K].new()
        for _ in range(BLOCK.bit_length() - 1):  # paths of up to 2⁶ edges, enough inside a block
            star = min_plus(star @ star).new()
        if star.diag().reduce("min").new().value < 0:
            return D, begin + next(iter(star.diag().select("<", 0).new()))
        into = min_plus(D[:, K].new() @ star).new()
        D(accum=minimum) << min_plus(into @ D[K, :].new())
    return D, None


def _expect_pairs_fit(G: Graph) -> None:
    """Raises TooLarge if the distances that exist for certain, between the vertices of each strong
    component, do not fit. O(1), or O(m) if the sizes of the components decide.
    """
    if surely_fits(G, RESULT_BYTES * G.n**2):
        return
    part = (strongly_connected_components if G.directed else connected_components)(G)
    pairs = int((np.bincount(part.to_dense()) ** 2).sum())
    expect_fits(
        G, RESULT_BYTES * pairs, "distances between all pairs that fit", f"{pairs:,} pairs need",
        "take distances from some vertices, or in blocks: for block in lg.iter_distances(...)",
    )  # fmt: skip
