"""Shortest paths under the names of SciPy, all computed by one closure under min_plus.

The functions of SciPy are named after methods; here the names stand for contracts. `dijkstra` warns
about negative weights, `johnson` refuses a negative cycle anywhere, `bellman_ford` one that a
source reaches, and `floyd_warshall` gives all pairs. Distances are the smallest sums, added up from
the source on, so they equal those of SciPy to the bit if no weight is negative. If there are
several shortest paths, the predecessors are those of any of them.

Searches from many sources run at once: k copies of the graph, as a block-diagonal matrix, are one
graph in which each copy has one source. On the CPU, if lengths are at least 0, SciPy's own Dijkstra
does the search.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.csgraph.graph_input import InputGraph, either_way, hosted, input_graph, to_host
from lagraph_gpu.csgraph.search import blocks, falling, joined, negative, search
from lagraph_gpu.errors import InvalidValue, brief, warn_caller
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.indexing import distinct

METHODS = ("auto", "FW", "D", "BF", "J")


def shortest_path(
    csgraph: Any,
    method: Literal["auto", "FW", "D", "BF", "J"] = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Shortest paths from all vertices, or from some.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    method : {"auto", "FW", "D", "BF", "J"}, optional
        The function: `floyd_warshall`, `dijkstra`, `bellman_ford` or `johnson`. By default the
        choice of SciPy.
    directed : bool, optional
        With False each edge is followed in both directions, and the lighter one of two directions
        counts.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.
    overwrite : bool, optional
        If True, `floyd_warshall` may overwrite the input with the distances.
    indices : int or array of integers, optional
        The sources. Negative numbers count from the end. By default all vertices.

    Returns
    -------
    distances : array of float64
        The distance from each source (a row) to each vertex, infinite where there is no path. With
        a single source it has one dimension.
    predecessors : array of int32
        Only with `return_predecessors`. The vertex before each vertex on a shortest path from the
        source, -9999 if there is none.

    Raises
    ------
    ValueError
        The method is unknown, `indices` are given with the method "FW", or a source is not a
        vertex.
    scipy.sparse.csgraph.NegativeCycleError
        There is a cycle of negative length, as for the function of the method.

    Notes
    -----
    The semiring is min_plus. The time is that of the function of the method.

    Examples
    --------
    >>> from lagraph_gpu.csgraph import shortest_path
    >>> shortest_path([[0, 2, 9], [0, 0, 3], [0, 0, 0]], indices=0).tolist()
    [0.0, 2.0, 5.0]
    """
    if not is_one_of(method, METHODS):
        raise InvalidValue(f"unrecognized method {brief(method)}")
    graph = input_graph(csgraph)
    if method == "auto":
        edges = graph.matrix.nvals if graph.device else graph.rows.nnz
        if indices is None and 4 * edges >= graph.n**2:
            method = "FW"
        else:
            method = "D" if left_to_scipy(graph) or not negative(graph.matrix) else "J"
    if method == "FW":
        if indices is not None:
            raise InvalidValue("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(graph, directed, return_predecessors, unweighted, overwrite)
    paths: Any = {"D": dijkstra, "BF": bellman_ford, "J": johnson}[method]
    return paths(graph, directed, indices, return_predecessors, unweighted)


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Shortest paths for weights of at least 0.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    directed : bool, optional
        With False each edge is followed in both directions, and the lighter one of two directions
        counts.
    indices : int or array of integers, optional
        The sources. Negative numbers count from the end. By default all vertices.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.
    limit : float, optional
        Paths longer than this do not count.
    min_only : bool, optional
        If True, only the distance to the nearest source is computed for each vertex.

    Returns
    -------
    distances : array of float64
        The distance from each source (a row) to each vertex, infinite where there is no path. With
        a single source, or `min_only`, it has one dimension.
    predecessors : array of int32
        Only with `return_predecessors`. The vertex before each vertex on a shortest path, -9999 if
        there is none.
    sources : array of int32
        Only with `return_predecessors` and `min_only`. The nearest source of each vertex, -9999 if
        there is none.

    Raises
    ------
    ValueError
        A source is not a vertex, or `limit` is negative.
    scipy.sparse.csgraph.NegativeCycleError
        A source reaches a cycle of negative length, for which SciPy may not return.

    Notes
    -----
    Negative weights cause a warning. The semiring is min_plus.
    """
    graph = input_graph(csgraph)
    sources, shape = chosen(indices, graph.n)
    if float(limit) < 0:
        raise InvalidValue("limit must be >= 0")
    if left_to_scipy(graph):
        options = return_predecessors, unweighted, limit, min_only
        search_all: Any = theirs.dijkstra
        found = search_all(graph.rows, directed, sources, *options)
        return shaped(graph, found, (graph.n,) if min_only else (*shape, graph.n))
    if negative(graph.matrix):
        warn_caller(
            "Graph has negative weights: dijkstra will give inaccurate results if the graph "
            "contains negative cycles. Consider johnson or bellman_ford.",
            UserWarning,
        )
    A = lengths(graph, directed, unweighted)
    if math.isnan(limit):  # nothing is within it but the sources themselves
        A, limit = A.dup(clear=True), np.inf
    if not min_only:
        return answer(graph, A, sources, shape, return_predecessors, limit)
    found = search(A, graph.n, distinct(sources), limit, return_predecessors)
    if not return_predecessors:
        return graph.array(found.distances(graph.device))
    before, origin = found.predecessors(graph.device), found.origins(graph.device)
    return tuple(map(graph.array, (found.distances(graph.device), before, origin)))


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Shortest paths for weights of either sign.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    directed : bool, optional
        With False each edge is followed in both directions, and the lighter one of two directions
        counts.
    indices : int or array of integers, optional
        The sources. Negative numbers count from the end. By default all vertices.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.

    Returns
    -------
    distances : array of float64
        The distance from each source (a row) to each vertex, infinite where there is no path. With
        a single source it has one dimension.
    predecessors : array of int32
        Only with `return_predecessors`. The vertex before each vertex on a shortest path from the
        source, -9999 if there is none.

    Raises
    ------
    ValueError
        The graph is not square, or a source is not a vertex.
    scipy.sparse.csgraph.NegativeCycleError
        A source reaches a cycle of negative length. An undirected edge of negative weight is such a
        cycle.

    Notes
    -----
    O(n m) for each source in the worst case. The semiring is min_plus.
    """
    graph = input_graph(csgraph)
    if left_to_scipy(graph):
        return dijkstra(graph, directed, indices, return_predecessors, unweighted)
    sources, shape = chosen(indices, graph.n)
    return answer(graph, lengths(graph, directed, unweighted), sources, shape, return_predecessors)


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Shortest paths for weights of either sign, in a graph without negative cycles.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    directed : bool, optional
        With False each edge is followed in both directions, and the lighter one of two directions
        counts.
    indices : int or array of integers, optional
        The sources. Negative numbers count from the end. By default all vertices.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.

    Returns
    -------
    distances : array of float64
        The distance from each source (a row) to each vertex, infinite where there is no path. With
        a single source it has one dimension.
    predecessors : array of int32
        Only with `return_predecessors`. The vertex before each vertex on a shortest path from the
        source, -9999 if there is none.

    Raises
    ------
    ValueError
        The graph is not square, or a source is not a vertex.
    scipy.sparse.csgraph.NegativeCycleError
        There is a cycle of negative length anywhere in the graph.

    Notes
    -----
    Paths are added up directly, without Johnson's potentials, so potentials cause no rounding
    errors.
    """
    graph = input_graph(csgraph)
    if unweighted or left_to_scipy(graph):
        return dijkstra(graph, directed, indices, return_predecessors, unweighted)
    sources, shape = chosen(indices, graph.n)
    A = lengths(graph, directed, unweighted)
    cycle = falling(A)
    if cycle.size:
        raise theirs.NegativeCycleError(f"Negative cycle detected on node {cycle[0]}")
    return answer(graph, A, sources, shape, return_predecessors)


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """Shortest paths between all pairs of vertices.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    directed : bool, optional
        With False each edge is followed in both directions, and the lighter one of two directions
        counts.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.
    overwrite : bool, optional
        If True, an input array of float64 in C order is overwritten with the distances, and
        returned.

    Returns
    -------
    distances : array of float64
        The distance from each source (a row) to each vertex, infinite where there is no path. With
        a single source it has one dimension.
    predecessors : array of int32
        Only with `return_predecessors`. The vertex before each vertex on a shortest path from the
        source, -9999 if there is none.

    Raises
    ------
    ValueError
        The graph is not square.
    scipy.sparse.csgraph.NegativeCycleError
        There is a cycle of negative length.

    Notes
    -----
    As in SciPy, loops do not count, and neither do zeros of a masked array.
    """
    graph = input_graph(csgraph)
    A = lengths(graph, True).select("offdiag").new()
    A = A if graph.sparse else A.select("!=", 0).new()
    A = A if directed else either_way(A)
    if unweighted:
        A = A.apply("one").new()
    cycle = falling(A)
    if cycle.size:
        raise theirs.NegativeCycleError(f"Negative cycle in nodes {cycle}")
    if hosted() and (is_dense(A) or not negative(A)):
        search_all: Any = theirs.floyd_warshall if is_dense(A) else theirs.dijkstra
        rows, trees = A.to_scipy_sparse(), return_predecessors
        found = search_all(rows, return_predecessors=trees)
        result = shaped(graph, found, (graph.n, graph.n))
    else:
        result = answer(graph, A, np.arange(graph.n), (graph.n,), return_predecessors)
    dense = graph.original
    if overwrite and type(dense) is np.ndarray and dense.dtype == np.float64:
        if dense.flags.c_contiguous and dense.flags.writeable:
            dense[...] = result[0] if return_predecessors else result
            return (dense, result[1]) if return_predecessors else dense
    return result


# --- what they share -----------------------------------------------------------------------------


def lengths(graph: InputGraph, directed: bool, unweighted: bool = False) -> Matrix:
    """The edges that a path may take. A length that is infinite or NaN is no edge."""
    A = graph.matrix.apply("one") if unweighted else graph.matrix.select("<", np.inf)
    return A.new() if directed else either_way(A.new())


def chosen(indices: Any, n: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """The sources as one list, and the shape in which they were given. Negative ids count from the
    end.
    """
    index = np.arange(n) if indices is None else np.array(to_host(indices), dtype=np.int64)
    sources = index.reshape(-1).copy()
    sources[sources < 0] += n
    if np.any(sources < 0) or np.any(sources >= n):
        raise InvalidValue("indices out of range 0...N")
    return sources, index.shape


def answer(
    graph: InputGraph,
    A: Matrix,
    sources: np.ndarray,
    shape: tuple[int, ...],
    return_predecessors: bool,
    limit: float = np.inf,
) -> Any:
    """The distances, and the predecessors if wanted, from each source, in the shape (*shape, n)."""
    whole = (*shape, graph.n)
    distances, predecessors = [], []
    for block in blocks(A, sources, limit, return_predecessors):
        distances.append(block.distances(graph.device))
        if return_predecessors:
            predecessors.append(block.predecessors(graph.device))
    distance = joined(distances, np.float64)
    both = (distance, joined(predecessors, np.int32)) if return_predecessors else distance
    return shaped(graph, both, whole)


def shaped(graph: InputGraph, found: Any, whole: tuple[int, ...]) -> Any:
    """Distances, or distances and predecessors, in this shape and in the library of the caller."""
    if isinstance(found, tuple):
        return tuple(graph.array(part.reshape(whole)) for part in found)
    return graph.array(found.reshape(whole))


def left_to_scipy(graph: InputGraph) -> bool:
    """True if SciPy's Dijkstra does the search: on the CPU, if all lengths are finite and
    at least 0.
    """
    return hosted() and bool(np.all((graph.rows.data >= 0) & (graph.rows.data < np.inf)))


def is_dense(A: Matrix) -> bool:
    """True if the graph has so many edges that SciPy uses Floyd's method for all pairs."""
    return 4 * A.nvals >= A.nrows**2
