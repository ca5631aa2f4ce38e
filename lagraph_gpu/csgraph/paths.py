"""Shortest paths under SciPy's names: one closure under min-plus serves them all.

SciPy's functions name methods; here they name contracts. ``dijkstra`` warns of negative weights,
``johnson`` refuses a negative cycle anywhere, ``bellman_ford`` one that the sources reach,
``floyd_warshall`` gives all pairs. Distances are the least sums, added up from the source on, and
so equal SciPy's to the bit where no weight is negative. Where several shortest paths exist, the
predecessors are those of any one.

Many sources are searched at once: k copies of the graph, side by side as a block-diagonal matrix,
are one graph in which each copy has one source. On the CPU, where lengths are at least 0, SciPy's
own Dijkstra searches.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.given import Given, either_way, given, hosted, to_host
from lagraph_gpu.csgraph.search import blocks, falling, joined, negative, search
from lagraph_gpu.errors import InvalidValue, warn_caller
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.matrix import Matrix

METHODS = ("auto", "FW", "D", "BF", "J")


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Distances (float64, infinite where there is no path) from all vertices, or from ``indices``,
    and with ``return_predecessors`` the vertex before each on its path (int32, -9999 for none).

    ``method`` is "FW", "D", "BF" or "J" for ``floyd_warshall``, ``dijkstra``, ``bellman_ford`` or
    ``johnson``; "auto" chooses as SciPy does. Raises ValueError for another method and for
    ``indices`` beside "FW", NegativeCycleError as the methods do.

    >>> from lagraph_gpu.csgraph import shortest_path
    >>> shortest_path([[0, 2, 9], [0, 0, 3], [0, 0, 0]], indices=0).tolist()
    [0.0, 2.0, 5.0]
    """
    graph = given(csgraph)
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
    if method not in METHODS:
        raise InvalidValue(f"unrecognized method '{method}'")
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
    """As ``shortest_path``, for weights of at least 0; farther than ``limit`` counts as no path.

    With ``min_only`` the distance to the nearest of ``indices``, and with ``return_predecessors``
    also which one that is (int32, -9999 for none). Negative weights bring a warning; a negative
    cycle within reach raises NegativeCycleError, where SciPy may not return.
    """
    graph = given(csgraph)
    sources, shape = chosen(indices, graph.n)
    if float(limit) < 0:
        raise InvalidValue("limit must be >= 0")
    if left_to_scipy(graph):
        asked = return_predecessors, unweighted, limit, min_only
        search_all: Any = theirs.dijkstra
        found = search_all(graph.rows, directed, sources, *asked)
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
    """As ``shortest_path``, for weights of either sign; raises NegativeCycleError for a cycle of
    negative length that a source can reach (as an undirected edge of negative weight is one)."""
    graph = given(csgraph)
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
    """As ``bellman_ford``, but a negative cycle anywhere in the graph raises NegativeCycleError.

    Paths are added up directly, not over Johnson's potentials, so nothing is lost to rounding.
    """
    graph = given(csgraph)
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
    """As ``shortest_path`` for all pairs; raises NegativeCycleError for a negative cycle.

    As in SciPy loops do not count, and neither do zeros of a masked array. With ``overwrite`` a
    C-ordered array of float64 is overwritten with the distances, and returned.
    """
    graph = given(csgraph)
    A = lengths(graph, True).select("offdiag").new()
    A = A if graph.sparse else A.select("!=", 0).new()
    A = A if directed else either_way(A)
    if unweighted:
        A = A.apply("one").new()
    cycle = falling(A)
    if cycle.size:
        raise theirs.NegativeCycleError(f"Negative cycle in nodes {cycle}")
    if hosted() and (crowded(A) or not negative(A)):
        search_all: Any = theirs.floyd_warshall if crowded(A) else theirs.dijkstra
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


def lengths(graph: Given, directed: bool, unweighted: bool = False) -> Matrix:
    """The edges that a path may take: a length of infinity or NaN is none."""
    A = graph.matrix.apply("one") if unweighted else graph.matrix.select("<", np.inf)
    return A.new() if directed else either_way(A.new())


def chosen(indices: Any, n: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """The sources as one list, and the shape they were given in; ids count from the end if
    negative."""
    index = np.arange(n) if indices is None else np.array(to_host(indices), dtype=np.int32)
    sources = index.reshape(-1).astype(np.int64)
    sources[sources < 0] += n
    if np.any(sources < 0) or np.any(sources >= n):
        raise InvalidValue("indices out of range 0...N")
    return sources, index.shape


def answer(
    graph: Given,
    A: Matrix,
    sources: np.ndarray,
    shape: tuple[int, ...],
    return_predecessors: bool,
    limit: float = np.inf,
) -> Any:
    """Distances, and if wanted predecessors, from each source: of shape (*shape, n)."""
    whole = (*shape, graph.n)
    distances, predecessors = [], []
    for block in blocks(A, sources, limit, return_predecessors):
        distances.append(block.distances(graph.device))
        if return_predecessors:
            predecessors.append(block.predecessors(graph.device))
    distance = joined(distances, np.float64)
    both = (distance, joined(predecessors, np.int32)) if return_predecessors else distance
    return shaped(graph, both, whole)


def shaped(graph: Given, found: Any, whole: tuple[int, ...]) -> Any:
    """Distances, or those and predecessors, in this shape and as the caller has arrays."""
    if isinstance(found, tuple):
        return tuple(graph.array(part.reshape(whole)) for part in found)
    return graph.array(found.reshape(whole))


def left_to_scipy(graph: Given) -> bool:
    """Is SciPy's Dijkstra to search, which it can do if lengths are at least 0, and finite?"""
    return hosted() and bool(np.all((graph.rows.data >= 0) & (graph.rows.data < np.inf)))


def crowded(A: Matrix) -> bool:
    """Are there so many edges that SciPy finds all pairs by Floyd's method?"""
    return 4 * A.nvals >= A.nrows**2
