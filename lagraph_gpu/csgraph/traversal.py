"""Traversals of a graph, and its components, under the names of SciPy."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.convert.sparse_input import checked_sparse
from lagraph_gpu.csgraph.adapters import component_labels
from lagraph_gpu.csgraph.graph_input import NO_PREDECESSOR, InputGraph, hosted
from lagraph_gpu.csgraph.scipy_functions import call_scipy, reconstruct_path
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.notation import Matrix
from semirings import BINARY


def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The order and the predecessors of a breadth-first search.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    i_start : int
        The vertex where the search starts.
    directed : bool, optional
        With False each edge is followed in both directions.
    return_predecessors : bool, optional
        If False, only the order is returned.

    Returns
    -------
    node_array : array of int32
        The vertices in the order of the search. It is exactly SciPy's order, that of a queue which
        takes the edges of a vertex as they are stored.
    predecessors : array of int32
        Only with `return_predecessors`. The predecessor of each vertex, -9999 for none.

    Raises
    ------
    ValueError
        The start is not a vertex.

    Notes
    -----
    On a GPU O(m), with a wait and a sort on the host for each level. On the CPU SciPy computes it.

    Examples
    --------
    >>> from lagraph_gpu.csgraph import breadth_first_order
    >>> order, predecessors = breadth_first_order([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0)
    >>> order.tolist(), predecessors.tolist()
    ([0, 1, 2], [-9999, 0, 0])
    """
    if not directed and getattr(csgraph, "format", None) == "csc":
        # in both directions it is the same graph; SciPy looks at columns first
        csgraph = checked_sparse(csgraph).T
    graph = InputGraph(csgraph)
    start = start_of(i_start, graph.n)
    if hosted():
        order, before = theirs.breadth_first_order(graph.rows, start, directed)
    else:
        order, before = queue_order(*edge_places(graph, directed), start)
    order_ = graph.array(order)
    return (order_, graph.array(before)) if return_predecessors else order_


def start_of(i_start: Any, n: int) -> int:
    """The start as a number, which must be a vertex. SciPy reads outside its arrays without a
    word.
    """
    start = int(i_start)
    if not 0 <= start < n:
        raise InvalidValue(f"i_start out of range 0...N: expected less than N = {n}, got {start}")
    return start


def edge_places(graph: InputGraph, directed: bool) -> tuple[Matrix, int]:
    """For each edge its place among the edges that leave its vertex, and a bound of the places.

    If edges are followed in both directions, the stored edges of a vertex come first, then those
    that lead to it.
    """
    longest = 0 if graph.device else int(np.diff(graph.rows.indptr).max(initial=0))
    places, width = graph.places, max(graph.n, longest)
    if directed:
        return places, width
    back = graph.matrix.apply("rowindex").new("INT64").apply("plus", right=width).new()
    return places.ewise_add(back.T, BINARY["min"]).new(), 2 * width


def queue_order(places: Matrix, width: int, start: int) -> tuple[np.ndarray, np.ndarray]:
    """The order of the queue, and for each vertex its predecessor."""
    levels = list(bfs_queue(places, width, start))
    order, found_by = (np.concatenate(part).astype(np.int32) for part in zip(*levels))
    before = np.full(places.nrows, NO_PREDECESSOR, np.int32)
    before[order[1:]] = found_by[1:]
    return order, before


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of a breadth-first search.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    i_start : int
        The vertex where the search starts.
    directed : bool, optional
        With False each edge is followed in both directions.

    Returns
    -------
    sparse array
        The edges from predecessors to vertices, of the kind that SciPy returns (`csr_matrix` for a
        sparse matrix, otherwise `csr_array`).

    Raises
    ------
    ValueError
        The start is not a vertex.

    Notes
    -----
    The tree is that of `breadth_first_order`.
    """
    _, predecessors = breadth_first_order(csgraph, i_start, directed, True)
    return reconstruct_path(csgraph, predecessors, directed)


def depth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The order and the predecessors of a depth-first search.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    i_start : int
        The vertex where the search starts.
    directed : bool, optional
        With False each edge is followed in both directions.
    return_predecessors : bool, optional
        If False, only the order is returned.

    Returns
    -------
    node_array : array of int32
        The vertices in the order of the search.
    predecessors : array of int32
        Only with `return_predecessors`. The predecessor of each vertex, -9999 for none.

    Raises
    ------
    ValueError
        The start is not a vertex.

    Notes
    -----
    SciPy computes this, because each vertex depends on all vertices before it (the problem is
    P-complete).
    """
    f, start = theirs.depth_first_order, start_of(i_start, _order(csgraph))
    return call_scipy(f, csgraph, start, directed, return_predecessors)


def _order(csgraph: Any) -> int:
    """The number of vertices of a graph as SciPy accepts it."""
    shape = getattr(csgraph, "shape", None) or np.shape(csgraph)
    return int(shape[0]) if shape else 0


def depth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of a depth-first search.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    i_start : int
        The vertex where the search starts.
    directed : bool, optional
        With False each edge is followed in both directions.

    Returns
    -------
    sparse array
        The edges from predecessors to vertices.

    Raises
    ------
    ValueError
        The start is not a vertex.

    Notes
    -----
    SciPy computes this, as for `depth_first_order`.
    """
    start = start_of(i_start, _order(csgraph))
    return call_scipy(theirs.depth_first_tree, csgraph, start, directed)


def connected_components(
    csgraph: Any,
    directed: bool = True,
    connection: Literal["weak", "strong"] = "weak",
    return_labels: bool = True,
) -> Any:
    """The number of connected components, and the component of each vertex.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    directed : bool, optional
        With False edges are followed in both directions, and `connection` does not matter.
    connection : {"weak", "strong"}, optional
        The kind of component in a directed graph.
    return_labels : bool, optional
        If False, only the number is returned.

    Returns
    -------
    n_components : int
        The number of components.
    labels : array of int32
        Only with `return_labels`. The number of the component of each vertex.

    Raises
    ------
    ValueError
        `connection` is neither "weak" nor "strong".

    Notes
    -----
    Components are numbered by their smallest vertex. For weak components this is SciPy's numbering;
    SciPy numbers strong components in the order in which its depth-first search leaves them.
    """
    if connection.lower() not in ("weak", "strong"):
        raise InvalidValue("connection must be 'weak' or 'strong'")
    graph = InputGraph(csgraph)
    strong = directed and connection.lower() == "strong"
    first, label = np.unique(component_labels(graph, strong), return_inverse=True)
    label = graph.array(label.astype(np.int32))
    return (first.size, label) if return_labels else first.size
