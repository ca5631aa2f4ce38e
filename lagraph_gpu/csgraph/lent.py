"""What SciPy does itself, lent under its name so that one import serves.

Each docstring says why. Arrays on a GPU are brought to the host, and results back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.given import lives_on_device, to_device, to_host


def borrow(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call SciPy's function; arrays of CuPy go to the host first, and the results back."""
    device = any(lives_on_device(a) for a in arguments)
    result = function(*map(to_host, arguments), **named)
    return to_device(result) if device else result


def reconstruct_path(csgraph: Any, predecessors: Any, directed: bool = True) -> Any:
    """The tree that predecessors describe, as a sparse array of its edges and their weights.

    SciPy's own function: it looks n entries up on the host.
    """
    return borrow(theirs.reconstruct_path, csgraph, predecessors, directed)


def construct_dist_matrix(
    graph: Any, predecessors: Any, directed: bool = True, null_value: float = np.inf
) -> Any:
    """The matrix of distances along the paths that a matrix of predecessors describes.

    SciPy's own function: the paths are walked one by one.
    """
    f = theirs.construct_dist_matrix
    return borrow(f, graph, predecessors, directed, null_value=null_value)


def csgraph_from_dense(
    graph: Any, null_value: float | None = 0, nan_null: bool = True, infinity_null: bool = True
) -> Any:
    """A dense array as a sparse one; ``null_value``, NaN and infinities are no edges.

    SciPy's own function, as all conversions here: they define what a graph is.
    """
    return borrow(theirs.csgraph_from_dense, graph, null_value, nan_null, infinity_null)


def csgraph_to_dense(csgraph: Any, null_value: float = 0) -> Any:
    """A sparse array as a dense one, ``null_value`` where there is no edge; of parallel edges the
    lightest. SciPy's own function."""
    return borrow(theirs.csgraph_to_dense, csgraph, null_value)


def csgraph_masked_from_dense(
    graph: Any,
    null_value: float | None = 0,
    nan_null: bool = True,
    infinity_null: bool = True,
    copy: bool = True,
) -> Any:
    """A dense array as a masked one, in NumPy; SciPy's own function."""
    f = theirs.csgraph_masked_from_dense
    return f(to_host(graph), null_value, nan_null, infinity_null, copy)


def csgraph_from_masked(graph: Any) -> Any:
    """A masked array as a sparse one; SciPy's own function (CuPy has no masked arrays)."""
    return theirs.csgraph_from_masked(graph)


def csgraph_to_masked(csgraph: Any) -> Any:
    """A sparse array as a masked one, in NumPy; SciPy's own function."""
    return theirs.csgraph_to_masked(to_host(csgraph))


def laplacian(
    csgraph: Any,
    normed: bool = False,
    return_diag: bool = False,
    use_out_degree: bool = False,
    *,
    copy: bool = True,
    form: str = "array",
    dtype: Any = None,
    symmetrized: bool = False,
) -> Any:
    """The Laplacian matrix of a graph, degrees less adjacency.

    SciPy's own function: it is a few sums of SciPy's arrays, dense or sparse, in the caller's type
    (complex too). ``form="function"`` and ``"lo"`` work on the host.
    """
    named = {"copy": copy, "form": form, "dtype": dtype, "symmetrized": symmetrized}
    return borrow(theirs.laplacian, csgraph, normed, return_diag, use_out_degree, **named)


def reverse_cuthill_mckee(graph: Any, symmetric_mode: bool = False) -> Any:
    """A permutation that narrows the band of a sparse matrix.

    SciPy's own function: each vertex is put after the one before it, sorted by degree; a different
    order of equals is a different permutation.
    """
    return borrow(theirs.reverse_cuthill_mckee, graph, symmetric_mode)


def min_weight_full_bipartite_matching(biadjacency: Any, maximize: bool = False) -> Any:
    """A matching of all vertices of the smaller side with the least sum of weights.

    SciPy's own function: shortest augmenting paths, found one after the other.
    """
    return borrow(theirs.min_weight_full_bipartite_matching, biadjacency, maximize=maximize)


def maximum_flow(csgraph: Any, source: int, sink: int, *, method: str = "dinic") -> Any:
    """The greatest flow of integers from ``source`` to ``sink``; SciPy's own function: paths are
    augmented one after the other. (cupyx has no matrices of integers.)"""
    return borrow(theirs.maximum_flow, csgraph, source, sink, method=method)


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

    SciPy's own function: K searches, each of which needs what the one before it found.
    """
    named = {"return_predecessors": return_predecessors, "unweighted": unweighted}
    return borrow(theirs.yen, csgraph, source, sink, K, directed=directed, **named)
