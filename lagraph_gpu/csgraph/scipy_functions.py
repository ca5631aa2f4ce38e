"""Functions of SciPy under their own names, so that one import is enough.

Each docstring says why SciPy computes it. Arrays on a GPU are copied to the host, and the results
back.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.graph_input import lives_on_device, to_device, to_host
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.notation.checks import expect_kind


def call_scipy(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Calls a function of SciPy. Arrays of CuPy are copied to the host, and the results back."""
    device = any(lives_on_device(a) for a in arguments)
    result = function(*map(to_host, arguments), **named)
    return to_device(result) if device else result


def tails(predecessors: Any) -> Any:
    """The predecessors, which are vertices or below 0. SciPy follows them wherever they lead."""
    found = np.asarray(to_host(predecessors))
    whole = found.dtype.kind in "iu" or (found.dtype.kind == "f" and not (found % 1).any())
    if not whole or (found.size and found.max() >= found.shape[-1]):
        raise InvalidValue(f"expected predecessors as vertices, got {brief(predecessors)}")
    return found


def reconstruct_path(csgraph: Any, predecessors: Any, directed: bool = True) -> Any:
    """The tree that predecessors describe.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    predecessors : array of integers
        The predecessor of each vertex, -9999 for none.
    directed : bool, optional
        With False the lighter one of two directions of an edge counts.

    Returns
    -------
    sparse array
        The edges of the tree with their weights.

    Notes
    -----
    SciPy computes this, because it only looks up n entries on the host.
    """
    return call_scipy(theirs.reconstruct_path, csgraph, tails(predecessors), directed)


def construct_dist_matrix(
    graph: Any, predecessors: Any, directed: bool = True, null_value: float = np.inf
) -> Any:
    """The matrix of the distances along the paths that a matrix of predecessors describes.

    Parameters
    ----------
    graph : array or sparse array
        The graph, as SciPy accepts it.
    predecessors : array of integers
        For each pair of vertices the predecessor of the second on the path from the first.
    directed : bool, optional
        With False edges are followed in both directions.
    null_value : float, optional
        The distance where there is no path.

    Returns
    -------
    array of float64
        The distances.

    Raises
    ------
    ValueError
        The predecessors run in a circle.

    Notes
    -----
    SciPy computes this, because the paths are followed one by one. The check costs O(n² log n).
    """
    f, before = theirs.construct_dist_matrix, tails(predecessors)
    _expect_paths(before)
    return call_scipy(f, graph, before, directed, null_value=null_value)


def _expect_paths(before: np.ndarray) -> None:
    """Check that predecessors lead from every vertex to the start of its row, or to none.

    SciPy follows them without an end where they run in a circle. Each step here follows twice as
    many predecessors as the one before: O(n² log n).
    """
    if before.ndim != 2 or before.shape[0] != before.shape[1]:
        return  # SciPy says what is wrong
    n = len(before)
    end = np.full((n, n + 1), n, np.int64)  # position n has no predecessor
    end[:, :n][before >= 0] = before[before >= 0]
    np.fill_diagonal(end, n)
    for _ in range(n.bit_length()):
        end = np.take_along_axis(end, end, axis=1)
    if (end[:, :n] != n).any():
        start, vertex = (int(k[0]) for k in np.nonzero(end[:, :n] != n))
        raise InvalidValue(
            f"expected predecessors that lead back to the start of their row, but those of vertex "
            f"{vertex} in row {start} run in a circle"
        )


def csgraph_from_dense(
    graph: Any, null_value: float | None = 0, nan_null: bool = True, infinity_null: bool = True
) -> Any:
    """A sparse array from a dense one.

    Parameters
    ----------
    graph : array
        The dense array.
    null_value : float, optional
        The value that stands for "no edge".
    nan_null : bool, optional
        Whether NaN stands for "no edge" too.
    infinity_null : bool, optional
        Whether infinity stands for "no edge" too.

    Returns
    -------
    sparse array
        The edges.

    Notes
    -----
    SciPy computes this and all other conversions, because they define what a graph is.
    """
    return call_scipy(theirs.csgraph_from_dense, graph, null_value, nan_null, infinity_null)


def csgraph_to_dense(csgraph: Any, null_value: float = 0) -> Any:
    """A dense array from a sparse one.

    Parameters
    ----------
    csgraph : sparse array
        The graph. Of parallel edges the lightest counts.
    null_value : float, optional
        The value where there is no edge.

    Returns
    -------
    array of float64
        The dense array.

    Notes
    -----
    SciPy computes this.
    """
    return call_scipy(theirs.csgraph_to_dense, csgraph, null_value)


def csgraph_masked_from_dense(
    graph: Any,
    null_value: float | None = 0,
    nan_null: bool = True,
    infinity_null: bool = True,
    copy: bool = True,
) -> Any:
    """A masked array from a dense one.

    Parameters
    ----------
    graph : array
        The dense array.
    null_value : float, optional
        The value that stands for "no edge".
    nan_null : bool, optional
        Whether NaN stands for "no edge" too.
    infinity_null : bool, optional
        Whether infinity stands for "no edge" too.
    copy : bool, optional
        Whether the values are copied.

    Returns
    -------
    numpy.ma.MaskedArray
        The array, in which "no edge" is masked.

    Notes
    -----
    SciPy computes this. The result is always on the host.
    """
    f = theirs.csgraph_masked_from_dense
    return f(to_host(graph), null_value, nan_null, infinity_null, copy)


def csgraph_from_masked(graph: Any) -> Any:
    """A sparse array from a masked one.

    Parameters
    ----------
    graph : numpy.ma.MaskedArray
        The array. Masked entries are no edges.

    Returns
    -------
    sparse array
        The edges.

    Notes
    -----
    SciPy computes this. CuPy has no masked arrays.
    """
    if not np.ma.isMaskedArray(graph):
        raise InvalidValue(f"expected a masked array of NumPy, got {brief(graph)}")
    return theirs.csgraph_from_masked(to_host(graph))


def csgraph_to_masked(csgraph: Any) -> Any:
    """A masked array from a sparse one.

    Parameters
    ----------
    csgraph : sparse array
        The graph.

    Returns
    -------
    numpy.ma.MaskedArray
        The array, in which "no edge" is masked.

    Notes
    -----
    SciPy computes this. The result is always on the host.
    """
    return theirs.csgraph_to_masked(to_host(csgraph))


def laplacian(
    csgraph: Any,
    normed: bool = False,
    return_diag: bool = False,
    use_out_degree: bool = False,
    *,
    copy: bool = True,
    form: Literal["array", "function", "lo"] = "array",
    dtype: Any = None,
    symmetrized: bool = False,
) -> Any:
    """The Laplacian matrix of a graph: degrees minus adjacency.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    normed : bool, optional
        If True, the normalized Laplacian.
    return_diag : bool, optional
        If True, the diagonal is returned too.
    use_out_degree : bool, optional
        If True, out-degrees count instead of in-degrees.
    copy : bool, optional
        If False, the input may be overwritten.
    form : {"array", "function", "lo"}, optional
        The form of the result: an array, a function, or a linear operator. The last two compute on
        the host.
    dtype : numpy.dtype, optional
        The type of the result. By default that of the input.
    symmetrized : bool, optional
        If True, the Laplacian of the graph plus its transpose.

    Returns
    -------
    lap : array, sparse array, function or linear operator
        The Laplacian matrix.
    diag : array
        Only with `return_diag`. The diagonal.

    Notes
    -----
    SciPy computes this, because it is a few sums of arrays in the type of the caller, which may be
    complex.
    """
    expect_kind(form, str, "the form as a word")
    named = {"copy": copy, "form": form, "dtype": dtype, "symmetrized": symmetrized}
    return call_scipy(theirs.laplacian, csgraph, normed, return_diag, use_out_degree, **named)


def reverse_cuthill_mckee(graph: Any, symmetric_mode: bool = False) -> Any:
    """A permutation that reduces the bandwidth of a sparse matrix.

    Parameters
    ----------
    graph : sparse array
        The matrix.
    symmetric_mode : bool, optional
        True if the matrix is known to be symmetric.

    Returns
    -------
    array of int32
        The permutation of rows and columns.

    Notes
    -----
    SciPy computes this, because each vertex is placed after the vertex before it, sorted by degree.
    Another order of equal degrees would be another permutation.
    """
    return call_scipy(theirs.reverse_cuthill_mckee, graph, symmetric_mode)


def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> Any:
    """A matching of all vertices of the smaller side, with the least sum of weights.

    Parameters
    ----------
    biadjacency : sparse array
        The weights between the rows and the columns.
    maximize : bool, optional
        If True, the greatest sum of weights.

    Returns
    -------
    row_ind, col_ind : array of integers
        The rows and the columns of the matched pairs.

    Raises
    ------
    ValueError
        There is no full matching.

    Notes
    -----
    SciPy computes this, by shortest augmenting paths, one after another.
    """
    return call_scipy(theirs.min_weight_full_bipartite_matching, biadjacency, maximize=maximize)


def maximum_flow(
    csgraph: Any, source: int, sink: int, *, method: Literal["dinic", "edmonds_karp"] = "dinic"
) -> Any:
    """The maximum flow between two vertices.

    Parameters
    ----------
    csgraph : sparse array of integers
        The capacities of the edges.
    source, sink : int
        The vertices where the flow starts and ends.
    method : {"dinic", "edmonds_karp"}, optional
        The method.

    Returns
    -------
    MaximumFlowResult
        The value of the flow, and the flow along each edge.

    Notes
    -----
    SciPy computes this, because paths are augmented one after another. cupyx has no matrices of
    integers.
    """
    expect_kind(method, str, "the method as a word")
    ends = operator.index(source), operator.index(sink)  # SciPy ends the process for 1j
    return call_scipy(theirs.maximum_flow, csgraph, *ends, method=method)


def yen(
    csgraph: Any,
    source: int,
    sink: int,
    K: int,
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """The K shortest paths without loops between two vertices.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, as SciPy accepts it.
    source, sink : int
        The first and the last vertex of the paths.
    K : int
        The number of paths.
    directed : bool, optional
        With False each edge is followed in both directions.
    return_predecessors : bool, optional
        If True, predecessors are returned too.
    unweighted : bool, optional
        If True, every edge counts 1.

    Returns
    -------
    dist_array : array of float64
        The lengths of the paths, increasing.
    predecessors : array of int32
        Only with `return_predecessors`. The predecessors on each path.

    Notes
    -----
    SciPy computes this, because it takes K searches, each of which needs the result of the one
    before.
    """
    named = {"return_predecessors": return_predecessors, "unweighted": unweighted}
    numbers = map(operator.index, (source, sink, K))
    return call_scipy(theirs.yen, csgraph, *numbers, directed=directed, **named)
