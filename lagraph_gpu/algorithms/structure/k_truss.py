"""The k-truss: the largest subgraph in which each edge lies in at least k − 2 triangles.

A round counts the triangles at each edge (a plus_pair product of the matrix with itself under the
mask of its lower triangle) and keeps the edges with enough triangles. The rounds end when all edges
stay. The truss is unique, because a removed edge cannot be in any truss. O(rounds × sum of squared
degrees). CPUs and GPUs count once and take a removed edge's triangles from the edges beside it:
O(m^1.5), on a GPU with a logarithmic factor.

Cohen: Trusses: cohesive subgraphs for social network analysis (2008). Davis: Algorithm 1000, ACM
Transactions on Mathematical Software 45 (2019). Wang, Cheng: Truss decomposition in massive
networks, VLDB 5 (2012).
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_integer
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_pair

plus, second = BINARY["plus"], BINARY["second"]


def k_truss(G: Graph, k: int) -> Graph:
    """The k-truss: the largest subgraph in which each edge lies in at least k − 2 triangles.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges and loops do not count.
    k : int
        An edge of the truss lies in at least k − 2 triangles of it. For k ≤ 2 every edge stays.

    Returns
    -------
    Graph
        An undirected graph on the same vertices, so that ids keep their meaning; vertices outside
        the truss are isolated in it. Edges keep their weights if G is undirected. Loops are left
        out.

    Raises
    ------
    WrongType
        k is not an integer.

    Notes
    -----
    Each triangle is counted once, and found again if one of its edges is removed: O(m^1.5) on a
    CPU, in a compiled loop, and O(m^1.5 log m) on a GPU, with a wait for each round in which many
    edges are removed. Processes of a cluster take O(rounds × sum of squared degrees). The semiring
    is plus_pair. Cohen 2008; Wang and Cheng 2012.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> [lg.k_truss(G, k).nedges for k in (2, 3, 4, 5, 6)]
    [78, 67, 25, 14, 0]
    """
    expect_integer(k, "k")
    # an edge lies in n - 2 triangles at most, so that k beyond n + 1 does not count
    kept = G.neighbours if k <= 2 else truss(G, max(min(int(k), G.n + 1) - 2, 1))
    if G.directed:
        ones = symmetric(kept.apply("one").new("INT32"))
        return Graph._checked(ones, directed=False, weighted=False)._like(G)
    return Graph._checked(symmetric(second(kept & G.A).new()), directed=False)._like(G)


@operation
def truss(G: Graph, least: int) -> Matrix:
    """The neighbours (BOOL, symmetric) that are left if each edge has to lie in so many triangles
    of those that are left.
    """
    neighbours, edges = G.neighbours, G.kept(lower)
    while True:
        support = plus_pair(neighbours @ neighbours).new(mask=edges.S)
        kept = support.select(">=", least).new("BOOL")
        if kept.nvals == edges.nvals:
            return neighbours
        edges, neighbours = kept, symmetric(plus(kept | kept.T).new())


def lower(G: Graph) -> Matrix:
    """The lower triangle of the neighbours: each edge once."""
    return G.neighbours.select("tril", -1).new()
