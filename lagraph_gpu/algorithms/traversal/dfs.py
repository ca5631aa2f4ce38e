"""Depth-first search: continue from the last discovered vertex that still has an unvisited
neighbour.

Lexicographic depth-first search is P-complete, and no statement over semirings expresses it. So one
thread of the host walks over the compressed rows, one edge after another, in O(n + m), in a
compiled loop where there is one. A GPU copies its rows to the host for that. Where any tree will
do, `spanning_forest` and `bfs` are faster.

Tarjan: Depth-first search and linear graph algorithms (1972). Reif: Depth-first search is
inherently sequential (1985).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.convert.options import Vertex
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation


def dfs(G: Graph, source: Vertex | None = None) -> tuple[Vector, Vector, Vector]:
    """Depth-first search that takes neighbours with smaller ids first.

    Parameters
    ----------
    G : Graph
        Edges are followed in their direction. Weights and loops do not count.
    source : int, optional
        The root of the search. By default every vertex that is not discovered yet becomes a root in
        turn, by id.

    Returns
    -------
    discovery : Vector of INT64
        The position of each vertex in the order of discovery, from 0.
    parent : Vector of INT64
        The parent of each vertex. A root is its own parent.
    finish : Vector of INT64
        The position of each vertex in the order in which the search leaves them, from 0.

    Raises
    ------
    IndexOutOfBound
        The source is not a vertex of G.

    Notes
    -----
    O(n + m), by one thread on the host (waits). For a graph on a GPU a copy of the rows is kept
    there, of 4 bytes for each edge and 8 for each vertex. Vertices that `source` does not reach
    have no entries. Vertex u is an ancestor of v if u is discovered no later and finished no
    earlier than v.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], directed=False, backend="cpu")
    >>> discovery, parent, finish = lg.dfs(G, 0)
    >>> [v.to_dense().tolist() for v in (discovery, parent, finish)]
    [[0, 1, 3, 2], [0, 0, 3, 1], [3, 2, 0, 1]]
    """
    return depth_first(G, None if source is None else G.vertex(source, "source"))


@operation
def depth_first(G: Graph, source: int | None) -> tuple[Vector, Vector, Vector]:
    """Discovery, parent and finish (INT64) of the search from one vertex, or from all in turn. The
    host walks."""
    starts = range(G.n) if source is None else [source]
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
