"""Depth-first search: go on from the last vertex discovered that still has a way on.

The order of a depth-first search cannot be computed by independent steps as far as anybody knows:
to decide whether u comes before v is complete for polynomial time, and no statement over semirings
expresses it. So this one walks on the host over the compressed rows, one edge after another,
O(n + m). Where any tree would do, ``spanning_forest`` and ``bfs`` are the fast ones.

Tarjan: Depth-first search and linear graph algorithms (1972). Reif: Depth-first search is
inherently sequential (1985).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector


def dfs(G: Graph, source: int | None = None) -> tuple[Vector, Vector, Vector]:
    """Discovery, parent and finish (INT64) of the depth-first search that takes smaller ids first.

    Discovery counts the vertices from 0 as they are met, finish as they are left: u is an ancestor
    of v if it is discovered no later and finished no earlier. A root is its own parent. From
    ``source`` alone, whatever it does not reach has no entry; with None from every vertex not yet
    met, by id. Follows the direction of edges; weights and loops do not count. The graph is copied
    to the host (waits) and walked by one thread. Raises IndexOutOfBound for a source outside the
    graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], directed=False, backend="cpu")
    >>> discovery, parent, finish = lg.dfs(G, 0)
    >>> [v.to_dense().tolist() for v in (discovery, parent, finish)]
    [[0, 1, 3, 2], [0, 0, 3, 1], [3, 2, 0, 1]]
    """
    starts = range(G.n) if source is None else [G.vertex(source, "source")]
    indptr, indices, _ = G.A.to_csr()
    heads, begin = indices.tolist(), indptr.tolist()
    parent, left, met = [-1] * G.n, [], []
    for start in starts:
        if parent[start] >= 0:
            continue
        parent[start] = start
        met.append(start)
        stack = [(start, iter(heads[begin[start] : begin[start + 1]]))]
        while stack:
            u, ways = stack[-1]
            v = next((w for w in ways if parent[w] < 0), None)
            if v is None:
                left.append(u)
                stack.pop()
            else:
                parent[v] = u
                met.append(v)
                stack.append((v, iter(heads[begin[v] : begin[v + 1]])))
    place = np.arange(len(met))
    return (
        Vector.from_coo(met, place, "INT64", size=G.n, backend=G.backend),
        Vector.from_coo(met, np.array(parent)[met], "INT64", size=G.n, backend=G.backend),
        Vector.from_coo(left, place, "INT64", size=G.n, backend=G.backend),
    )
