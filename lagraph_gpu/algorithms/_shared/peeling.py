"""Peeling: vertices with a counter of at most k are removed, and decrease the counters of their
neighbours.

Every vertex has a counter, such as its degree. A round removes the vertices whose counter is at
most k, at level k, and subtracts from the counters of their neighbours: one product with the
adjacency matrix. If no counter is at most k, then k rises to the smallest counter left. A counter
only falls and k only rises, so the levels do not depend on the order of removal.

The loop below is the definition: O(m + rounds × n). The lowerings, one kernel on a GPU and one
compiled loop on a CPU, look only at the removed vertices and their neighbours: O(n + m + sum of
levels).

Seidman: Network structure and minimum degree, Social Networks 5 (1983). Batagelj, Zaveršnik: An
O(m) algorithm for cores decomposition of networks (2003). Dhulipala, Blelloch, Shun: Julienne, SPAA
2017.
"""

from __future__ import annotations

from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_second

minus = BINARY["minus"]


@operation
def peel(count: Vector, A: Matrix) -> Vector:
    """The level (INT64) at which each entry of `count` (INT64) is removed.

    When u is removed, A[u, v] ≥ 0 (INT64) is subtracted from the counter of v.

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.algorithms._shared.peeling import peel
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], n=4, directed=False, backend="cpu")
    >>> peel(G.out_degree, G.A.dup("INT64")).to_dense().tolist()
    [2, 2, 2, 1]
    """
    level = Vector("INT64", count.size, backend=count.backend)
    remaining, k = count, 0
    while (lowest := remaining.reduce("min").new().value) is not None:
        k = max(k, int(lowest))
        peeled = remaining.select("<=", k).new()
        level(peeled.S) << k
        remaining = remaining.select(">", k).new()
        remaining(remaining.S, accum=minus) << plus_second(peeled @ A)
    return level
