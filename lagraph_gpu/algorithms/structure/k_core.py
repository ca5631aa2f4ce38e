"""Cores of a graph, by peeling: vertices with few neighbours are removed again and again.

The k-core is the largest subgraph in which each vertex has at least k edges. The core number of a
vertex is the largest k whose k-core contains it. It is the level at which peeling removes the
vertex, if the counters are degrees and a removed vertex takes its edges with it
(`lagraph_gpu.algorithms._shared.peeling`).

Seidman: Network structure and minimum degree, Social Networks 5 (1983).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import edges_among, zero_filled
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.vertex_values import at_least
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect_integer
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation


def core_number(G: Graph) -> Vector:
    """The core number of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph edges in and out both count, and a pair of opposite edges
        counts twice, as in NetworkX. Weights and loops do not count.

    Returns
    -------
    Vector of INT64
        The core number of each vertex; 0 for isolated vertices.

    Notes
    -----
    O(n + m), in one kernel or one compiled loop. Seidman 1983; Batagelj and Zaveršnik 2003.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], n=5, directed=False, backend="cpu")
    >>> lg.core_number(G).to_dense().tolist()
    [2, 2, 2, 1, 0]
    """
    return core_levels(G)


@operation
def core_levels(G: Graph) -> Vector:
    """The level (INT64) at which peeling removes each vertex; 0 for one without edges."""
    B = multiplicity(G)
    return zero_filled(peel(B.reduce_rowwise("plus").new(), B), "INT64")


def k_core(G: Graph, k: int | None = None) -> Graph:
    """The k-core: the largest subgraph in which each vertex has at least k edges.

    Parameters
    ----------
    G : Graph
        The graph. Edges count as in `core_number`.
    k : int, optional
        The smallest number of edges of a vertex. By default the largest k for which the k-core is
        not empty.

    Returns
    -------
    Graph
        A graph on the same vertices, with the edges between vertices of the core, loops included,
        and their weights. Other vertices are isolated in it, so the ids keep their meaning.

    Raises
    ------
    WrongType
        k is not an integer.

    Notes
    -----
    O(m) after `core_number`.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> lg.k_core(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")).nedges
    25
    """
    core = core_number(G)
    if k is None:
        k = core.reduce("max").new().get(0)
    expect_integer(k, "k")
    edges = edges_among(at_least(core, k), G.A)
    return Graph._checked(edges if G.directed else symmetric(edges), G.directed)._like(G)
