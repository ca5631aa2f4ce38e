"""Whether a graph is connected, and its largest component as a graph.

Both follow from the labels of the connected components. The sizes are a product: each vertex adds 1
at the position of its label. O(n + m) for each round of the components.
"""

from __future__ import annotations

from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import plus_first


def is_connected(G: Graph) -> bool:
    """Whether a path joins every two vertices.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count, so for a directed graph
        it says whether it is weakly connected.

    Returns
    -------
    bool
        True if the graph has one component.

    Raises
    ------
    InvalidValue
        The graph has no vertices: NetworkX calls that question undefined, too.

    Notes
    -----
    The time is that of `connected_components`, and one wait, once for each graph. The labels stay
    on the device.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], n=4, directed=False, backend="cpu")
    >>> lg.is_connected(G), lg.is_connected(G.add_edges([2], [3]))
    (False, True)
    """
    if G.n == 0:
        raise InvalidValue("expected a graph with vertices, got one without: add some with n=…")
    connected: bool = G.kept(_has_one_component)
    return connected


def _has_one_component(G: Graph) -> bool:
    return int(connected_components(G).reduce("max").new().get(0)) == 0


def largest_component(G: Graph) -> Graph:
    """The largest connected component as a graph of its own.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges does not count: components are the weak ones.

    Returns
    -------
    Graph
        The subgraph of the component, its vertices in increasing order. `ids` of the result holds
        their ids in this graph, and `to_original` translates vectors (see `Graph.subgraph`). Of
        several components of that size it is the one with the smallest vertex.

    Notes
    -----
    The time is that of `connected_components` and `Graph.subgraph`. The edges stay on the device;
    the host sees the ids.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 3, 4], [1, 4, 5], directed=False, backend="cpu")
    >>> H = lg.largest_component(G)
    >>> H.n, H.ids.to_dense().tolist(), [part.tolist() for part in H.edges()]
    (3, [3, 4, 5], [[0, 1], [1, 2], [1, 1]])
    """
    return G.subgraph(largest_class(connected_components(G)))


@operation
def largest_class(label: Vector) -> Vector:
    """The label that most positions of a full vector have, at these positions. Of several such
    labels it is the smallest one. Labels are INT64, and positions of the vector."""
    size = plus_first(label.apply("one").new() @ label.selector()).new()
    largest = size.reduce("argmax").new().value
    return label.select("==", 0 if largest is None else int(largest)).new()  # type: ignore[no-any-return]


def expect_reached(G: Graph, reached: int, wanted: int) -> None:
    """Raises InvalidValue if fewer pairs of vertices than wanted have a path."""
    if reached < wanted:
        kind, part = "a connected", "take a component, such as lg.largest_component(G)"
        if G.directed:
            kind = "a strongly connected"
            part = (
                "take G.to_undirected(), or the subgraph of one of "
                "lg.strongly_connected_components(G)"
            )
        raise InvalidValue(
            f"expected {kind} graph, got one where a vertex does not reach another; {part}"
        )
