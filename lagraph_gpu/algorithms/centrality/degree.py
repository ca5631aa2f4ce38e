"""Degree centrality: the share of the other vertices that a vertex is joined to.

The row sums of the pattern of A, divided by n − 1. O(n + m), once for each graph.

Freeman: Centrality in social networks, conceptual clarification, Social Networks 1 (1978).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.power_iteration import full, plus
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector


def degree_centrality(G: Graph) -> Vector:
    """Degree / (n − 1) of every vertex (FP64); 1 if it is the only one.

    In a directed graph in- and out-edges count alike. As in NetworkX a self-loop counts twice, so
    that values above 1 are possible. Weights do not matter; an isolated vertex has 0.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0], [1, 2], n=4, directed=False, backend="cpu")
    >>> lg.degree_centrality(G).to_dense().round(3).tolist()
    [0.667, 0.333, 0.333, 0.0]
    """
    return _share(G, G.kept(_both))


def in_degree_centrality(G: Graph) -> Vector:
    """In-degree / (n − 1) of every vertex (FP64) of a directed graph; a self-loop counts once.

    Raises InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> lg.in_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    1.0
    """
    return _share(G, _directed(G).kept(_in))


def out_degree_centrality(G: Graph) -> Vector:
    """Out-degree / (n − 1) of every vertex (FP64) of a directed graph; a self-loop counts once.

    Raises InvalidValue for an undirected graph.

    >>> import lagraph_gpu as lg
    >>> lg.out_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    0.0
    """
    return _share(G, _directed(G).kept(_out))


def _share(G: Graph, degree: Vector) -> Vector:
    return degree.apply("truediv", right=float(G.n - 1)).new() if G.n > 1 else full(G, 1.0)


def _out(G: Graph) -> Vector:
    """The degree in FP64, also of who has none."""
    return _sum(G, G.out_degree)


def _in(G: Graph) -> Vector:
    return _sum(G, G.in_degree)


def _both(G: Graph) -> Vector:
    loops = G.A.select("diag").new().apply("one").new("INT64").diag()
    return _sum(G, G.out_degree, G.in_degree if G.directed else loops)


def _sum(G: Graph, *degrees: Vector) -> Vector:
    whole = full(G)
    for degree in degrees:
        whole(plus) << degree
    return whole


def _directed(G: Graph) -> Graph:
    if not G.directed:
        raise InvalidValue("expected a directed graph, got an undirected one: degree_centrality(G)")
    return G
