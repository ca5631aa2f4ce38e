"""Longest paths in directed acyclic graphs.

They are the closure of 0 at every vertex under max_plus. The distance of a vertex is final when its
generation is reached, so each edge is looked at once, O(n + m). A lowering may take one vertex
after another. The path is read from the tight edges: those (u, v) of weight w with distance(u) + w
= distance(v).

Sedgewick, Wayne: Algorithms, 4th edition (2011), section 4.4.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.distance_types import finite, narrowed, path_type
from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.traversal.topological import longest
from lagraph_gpu.convert.options import Number
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.aggregators import index_of_extreme
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_eq, any_plus, min_secondi

second = BINARY["second"]


def dag_longest_distance(G: Graph) -> Vector:
    """For each vertex the largest length of a path that ends there.

    Parameters
    ----------
    G : Graph
        A directed graph without cycles. The weights are the lengths of the edges; they may be
        negative.

    Returns
    -------
    Vector
        The length for each vertex, of the type of the weights. A path may begin at any vertex and
        may have no edge, so no length is below 0.

    Raises
    ------
    HasCycle
        The graph has a cycle. The message names a vertex on it.
    InvalidValue
        The graph is undirected.
    DistanceOverflow
        The type of the weights cannot hold a length, or n times the heaviest weight does not fit
        64-bit integers.

    Notes
    -----
    O(n + m). The semiring is max_plus. Sedgewick and Wayne 2011, section 4.4.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_distance(G).to_dense().tolist()
    [0.0, 2.0, 6.0]
    """
    return narrowed(finite(_longest(G), G), G.A.dtype)


def dag_longest_path_length(G: Graph) -> Number:
    """The length of a longest path.

    Parameters
    ----------
    G : Graph
        A directed graph without cycles. The weights are the lengths of the edges; they may be
        negative.

    Returns
    -------
    int or float
        The length, of the type of the weights; 0 without edges.

    Raises
    ------
    HasCycle
        The graph has a cycle. The message names a vertex on it.
    InvalidValue
        The graph is undirected.
    DistanceOverflow
        The type of the weights cannot hold a length, or n times the heaviest weight does not fit
        64-bit integers.

    Notes
    -----
    O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_path_length(G)
    6.0
    """
    return dag_longest_distance(G).reduce("max").new().get(0)


def dag_longest_path(G: Graph) -> list[int]:
    """The vertices of a longest path.

    Parameters
    ----------
    G : Graph
        A directed graph without cycles. The weights are the lengths of the edges; they may be
        negative.

    Returns
    -------
    list of int
        The vertices from the first to the last. Of several longest paths, one that ends in the
        smallest vertex.

    Raises
    ------
    HasCycle
        The graph has a cycle. The message names a vertex on it.
    InvalidValue
        The graph is undirected.
    DistanceOverflow
        n times the heaviest weight does not fit 64-bit integers.

    Notes
    -----
    O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> lg.dag_longest_path(G)
    [0, 1, 2]
    """
    distance = _longest(G)
    parent = longest_path_parents(G, distance)
    return path_to(parent, index_of_extreme(distance, "max").value) or [] if G.n else []


@operation
def longest_path_parents(G: Graph, distance: Vector) -> Vector:
    """For each vertex the smallest one from which a tight edge leads to it (INT64), or itself.
    Distances are a full vector of the type `path_type`."""
    offer = any_plus(distance.diag() @ G.A).new()
    tight = any_eq(offer @ distance.diag()).new().select("==", True).new()
    parent = identity(G)
    parent(second) << min_secondi(distance @ tight)
    return parent


def _longest(G: Graph) -> Vector:
    return longest(G, False, path_type(G))
