"""Peeling: who has at most k left goes, and takes from what its neighbours have, again and again.

Every vertex has a counter, such as its degree. Those whose counter is at most k go, at level k, and
take from the counters of their neighbours, one product with the adjacency matrix; when nobody has
at most k, it rises to the least counter that is left. A counter only falls and k only rises, so the
order in which vertices go changes nothing: levels are unique.

The loop below is the definition. The lowerings, one kernel on a GPU and one compiled loop on a CPU,
look only at those that go and their neighbours. O(m + rounds × n) as a loop, O(n + m + sum of
levels) otherwise.

Seidman: Network structure and minimum degree, Social Networks 5 (1983). Batagelj, Zaveršnik: An
O(m) algorithm for cores decomposition of networks (2003). Dhulipala, Blelloch, Shun: Julienne,
SPAA 2017.
"""

from __future__ import annotations

from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, plus_second

minus = BINARY["minus"]


@operation
def peel(count: Vector, A: Matrix) -> Vector:
    """The level (INT64) at which each entry of ``count`` (INT64) goes, if A[u, v] ≥ 0 (INT64) is
    what u takes from v when it goes.

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
