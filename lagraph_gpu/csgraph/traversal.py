"""Orders in which a graph can be walked, and its components."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.convert.sparse_input import checked_sparse
from lagraph_gpu.csgraph.adapters import component_labels
from lagraph_gpu.csgraph.given import NOBODY, Given, hosted
from lagraph_gpu.csgraph.lent import borrow, reconstruct_path
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.notation.matrix import Matrix
from semirings import BINARY


def breadth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The vertices in the order of a breadth-first search from ``i_start``, and predecessors.

    SciPy's order exactly: that of a queue which takes up the edges of a vertex as they are stored.
    A predecessor of -9999 means none. Both arrays are int32. Raises ValueError for a start outside
    the graph. On a GPU O(m) work, a wait for the device and a sort on the host at each level; on
    the CPU it is SciPy's function.

    >>> from lagraph_gpu.csgraph import breadth_first_order
    >>> order, predecessors = breadth_first_order([[0, 1, 1], [0, 0, 1], [0, 0, 0]], 0)
    >>> order.tolist(), predecessors.tolist()
    ([0, 1, 2], [-9999, 0, 0])
    """
    if not directed and getattr(csgraph, "format", None) == "csc":
        # in both directions it is the same graph; SciPy looks at columns first
        csgraph = checked_sparse(csgraph).T
    graph = Given(csgraph)
    start, n = int(i_start), graph.n
    if not 0 <= start < n:
        raise InvalidValue(f"i_start out of range 0...N: expected less than N = {n}, got {start}")
    if hosted():
        order, before = theirs.breadth_first_order(graph.rows, start, directed)
    else:
        order, before = queue_order(*edge_places(graph, directed), start)
    order_ = graph.array(order)
    return (order_, graph.array(before)) if return_predecessors else order_


def edge_places(graph: Given, directed: bool) -> tuple[Matrix, int]:
    """For each edge its place among those that leave its vertex, and a bound on the places.

    Read both ways, a vertex offers the edges it has first, then those that lead to it.
    """
    longest = 0 if graph.device else int(np.diff(graph.rows.indptr).max(initial=0))
    places, width = graph.places, max(graph.n, longest)
    if directed:
        return places, width
    back = graph.matrix.apply("rowindex").new("INT64").apply("plus", right=width).new()
    return places.ewise_add(back.T, BINARY["min"]).new(), 2 * width


def queue_order(places: Matrix, width: int, start: int) -> tuple[np.ndarray, np.ndarray]:
    """The whole queue, and for each vertex the one before it on its path."""
    levels = list(bfs_queue(places, width, start))
    order, found_by = (np.concatenate(part).astype(np.int32) for part in zip(*levels))
    before = np.full(places.nrows, NOBODY, np.int32)
    before[order[1:]] = found_by[1:]
    return order, before


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of ``breadth_first_order``: a sparse array of the edges to predecessors, as SciPy
    returns it (``csr_matrix`` for a sparse matrix, else ``csr_array``)."""
    _, predecessors = breadth_first_order(csgraph, i_start, directed, True)
    return reconstruct_path(csgraph, predecessors, directed)


def depth_first_order(
    csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True
) -> Any:
    """The vertices in the order of a depth-first search from ``i_start``, and predecessors.

    SciPy's own function: which vertex comes next depends on all that came before, so there is
    nothing to do at once (the problem is P-complete).
    """
    f = theirs.depth_first_order
    return borrow(f, csgraph, i_start, directed, return_predecessors)


def depth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """The tree of ``depth_first_order``; SciPy's own function, as that is."""
    return borrow(theirs.depth_first_tree, csgraph, i_start, directed)


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """The number of components and, for each vertex, the number of its component (int32).

    ``connection`` is "weak" or "strong"; without directions it is not looked at. Components are
    numbered by their smallest vertex. For weak ones that is SciPy's numbering; SciPy numbers strong
    ones as its depth-first search leaves them.
    """
    if connection.lower() not in ("weak", "strong"):
        raise InvalidValue("connection must be 'weak' or 'strong'")
    graph = Given(csgraph)
    strong = directed and connection.lower() == "strong"
    first, label = np.unique(component_labels(graph, strong), return_inverse=True)
    label = graph.array(label.astype(np.int32))
    return (first.size, label) if return_labels else first.size
