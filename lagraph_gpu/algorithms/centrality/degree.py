"""Degree centrality: the share of the other vertices that are neighbours of a vertex.

It is the sum of a row of the pattern of A, divided by n − 1. O(n + m), once for each graph.

Freeman: Centrality in social networks, conceptual clarification, Social Networks 1 (1978).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.power_iteration import full
from lagraph_gpu.algorithms._shared.vertex_values import divided
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector


def degree_centrality(G: Graph) -> Vector:
    """The degree of each vertex divided by n − 1.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph edges in and out both count. Weights do not count. A loop
        counts twice, as in NetworkX, so a value can be larger than 1.

    Returns
    -------
    Vector of FP64
        The degree centrality. It is 1 if the graph has a single vertex.

    Notes
    -----
    O(n + m). Freeman 1978.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0], [1, 2], n=4, directed=False, backend="cpu")
    >>> lg.degree_centrality(G).to_dense().round(3).tolist()
    [0.667, 0.333, 0.333, 0.0]
    """
    return _share(G, G.degree())


def in_degree_centrality(G: Graph) -> Vector:
    """The in-degree of each vertex divided by n − 1.

    Parameters
    ----------
    G : Graph
        A directed graph. Weights do not count, and a loop counts once.

    Returns
    -------
    Vector of FP64
        The in-degree centrality. It is 1 if the graph has a single vertex.

    Raises
    ------
    InvalidValue
        The graph is undirected.

    Notes
    -----
    O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.in_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    1.0
    """
    return _share(G, _directed(G).kept(_in))


def out_degree_centrality(G: Graph) -> Vector:
    """The out-degree of each vertex divided by n − 1.

    Parameters
    ----------
    G : Graph
        A directed graph. Weights do not count, and a loop counts once.

    Returns
    -------
    Vector of FP64
        The out-degree centrality. It is 1 if the graph has a single vertex.

    Raises
    ------
    InvalidValue
        The graph is undirected.

    Notes
    -----
    O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.out_degree_centrality(lg.Graph.from_edges([0, 1], [2, 2], backend="cpu"))[2].get()
    0.0
    """
    return _share(G, _directed(G).kept(_out))


def _share(G: Graph, degree: Vector) -> Vector:
    """The degree divided by n − 1; 1 in a graph of one vertex."""
    return divided(degree, G.n - 1) if G.n > 1 else full(G, 1.0)


def _out(G: Graph) -> Vector:
    """The out-degree in FP64, with 0 at vertices without outgoing edges."""
    return zero_filled(G.out_degree)


def _in(G: Graph) -> Vector:
    """The in-degree in FP64, with 0 at vertices without incoming edges."""
    return zero_filled(G.in_degree)


def _directed(G: Graph) -> Graph:
    """The same graph. Raises InvalidValue if it is undirected."""
    if not G.directed:
        raise InvalidValue("expected a directed graph, got an undirected one: degree_centrality(G)")
    return G
