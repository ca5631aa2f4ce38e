"""Degree centrality: the share of the other vertices that a vertex is joined to.

The row sums of the pattern of A, divided by n − 1. O(n + m), once for each graph.

Freeman: Centrality in social networks, conceptual clarification, Social Networks 1 (1978).
"""

from __future__ import annotations

from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.iteration import full, plus
from lagraph_gpu.vector import Vector


def degree_centrality(G: Graph) -> Vector:
    """Degree / (n − 1) of every vertex (FP64); 1 if it is the only one.

    In a directed graph in- and out-edges count alike. As in NetworkX a self-loop counts twice, so
    that values above 1 are possible. Weights do not matter; an isolated vertex has 0.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0], [1, 2], n=4, directed=False, backend="cpu")
    >>> lg.degree_centrality(G).to_dense().round(3).tolist()
    [0.667, 0.333, 0.333, 0.0]
    """
    if G.directed:
        return _shares(G, G.out_degree, G.in_degree)
    return _shares(G, G.out_degree, G.A.select("diag").new().apply("one").new("INT64").diag())


def in_degree_centrality(G: Graph) -> Vector:
    """In-degree / (n − 1) of every vertex (FP64) of a directed graph; a self-loop counts once.

    Raises InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> lg.in_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    1.0
    """
    return _shares(_directed(G), G.in_degree)


def out_degree_centrality(G: Graph) -> Vector:
    """Out-degree / (n − 1) of every vertex (FP64) of a directed graph; a self-loop counts once.

    Raises InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> lg.out_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    0.0
    """
    return _shares(_directed(G), G.out_degree)


def _shares(G: Graph, *degrees: Vector) -> Vector:
    if G.n <= 1:
        return full(G, 1.0)
    share = full(G)
    for degree in degrees:
        share(plus) << degree.apply("truediv", right=G.n - 1)
    return share


def _directed(G: Graph) -> Graph:
    if not G.directed:
        raise InvalidValue("expected a directed graph, got an undirected one: degree_centrality(G)")
    return G
