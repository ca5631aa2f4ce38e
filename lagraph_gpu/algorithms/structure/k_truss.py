"""The k-truss: the largest part of a graph each of whose edges lies in k − 2 of its triangles.

Count the triangles at each edge, a plus-pair product of the matrix with itself under the mask of
its lower half; keep the edges with enough of them; repeat until all stay. The truss is unique, for
what is dropped could not be in any. O(rounds × sum of squared degrees).

Cohen: Trusses: cohesive subgraphs for social network analysis (2008). Davis: Algorithm 1000, ACM
Transactions on Mathematical Software 45 (2019).
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_integer
from lagraph_gpu.notation.matrix import Matrix, symmetric
from semirings import BINARY, plus_pair

plus, second = BINARY["plus"], BINARY["second"]


def k_truss(G: Graph, k: int) -> Graph:
    """The k-truss of ``G``: each edge that is left lies in at least k − 2 triangles of it.

    An undirected graph on the same vertices, so that ids keep their meaning; vertices outside the
    truss are isolated in it. Edges are those of ``G`` without loops and, where ``G`` is undirected,
    with their weights; the direction of edges does not count. For k ≤ 2 every edge stays. Waits
    once a round.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> [lg.k_truss(G, k).nedges for k in (2, 3, 4, 5, 6)]
    [78, 67, 25, 14, 0]
    """
    expect_integer(k, "k")
    truss, edges = G.neighbours, G.kept(lower)
    while k > 2:
        support = plus_pair(truss @ truss).new(mask=edges.S)
        kept = support.select(">=", k - 2).new("BOOL")
        if kept.nvals == edges.nvals:
            break
        edges, truss = kept, symmetric(plus(kept | kept.T).new())
    if G.directed:
        return Graph._checked(symmetric(truss.apply("one").new("INT32")), directed=False)
    return Graph._checked(symmetric(second(truss & G.A).new()), directed=False)


def lower(G: Graph) -> Matrix:
    """The lower half of the neighbours: each edge once."""
    return G.neighbours.select("tril", -1).new()
