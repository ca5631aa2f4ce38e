"""Minimum spanning trees and matchings, under the names of SciPy."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.adapters import forest_edges, matching
from lagraph_gpu.csgraph.graph_input import (
    InputGraph,
    as_scipy,
    hosted,
    is_sparse,
    lives_on_device,
    to_device,
    to_host,
)
from lagraph_gpu.errors import WrongType, warn_caller


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """The minimum spanning forest of an undirected graph.

    Parameters
    ----------
    csgraph : array or sparse array
        The graph, which counts as undirected: of the two directions of an edge, and of duplicate
        edges, the lightest counts.
    overwrite : bool, optional
        Whether the input may be overwritten. It is not changed.

    Returns
    -------
    sparse array of float64
        The edges of the forest, each at the position where it is stored.

    Raises
    ------
    ValueError
        The graph is not square.

    Notes
    -----
    Of edges with equal weights the one that is stored first counts, so the tree is that of SciPy.
    As in SciPy, an edge of weight 0 joins its ends, but its entry is missing in the result.

    Examples
    --------
    >>> from lagraph_gpu.csgraph import minimum_spanning_tree
    >>> minimum_spanning_tree([[0, 3, 1], [0, 0, 2], [0, 0, 0]]).toarray().tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    """
    graph = InputGraph(csgraph)
    if hosted():
        return graph.tree(sp.csr_array(theirs.minimum_spanning_tree(graph.rows)))
    rows, n = graph.rows, graph.n
    source = np.repeat(np.arange(n, dtype=np.int64), np.diff(rows.indptr))
    target = rows.indices.astype(np.int64)
    by_weight = np.argsort(rows.data, kind="stable")
    by_weight = by_weight[source[by_weight] != target[by_weight]]
    low, high = np.minimum(source, target), np.maximum(source, target)
    _, first = np.unique((low * max(n, 1) + high)[by_weight], return_index=True)
    edge = by_weight[np.sort(first)]  # each pair of vertices once, by weight
    rank = np.arange(1, edge.size + 1)  # as weights they differ, so there is one tree only
    kept = edge[np.sort(forest_edges(n, low[edge], high[edge], rank)) - 1]
    kept = np.sort(kept[rows.data[kept] != 0])
    at = np.searchsorted(kept, rows.indptr).astype(np.int32)
    parts = rows.data[kept], rows.indices[kept].astype(np.int32), at
    return graph.tree(sp.csr_array(parts, shape=(n, n)))


def maximum_bipartite_matching(graph: Any, perm_type: Literal["row", "column"] = "row") -> Any:
    """A maximum matching of the rows and the columns of a sparse matrix.

    Parameters
    ----------
    graph : sparse array
        The matrix. Its entries are the possible pairs; stored zeros count.
    perm_type : {"row", "column"}, optional
        What is returned: the row of each column, or the column of each row.

    Returns
    -------
    array of int32
        The matched row or column, -1 for none: the matching that SciPy finds.

    Raises
    ------
    TypeError
        The matrix is not sparse, in the format CSR, CSC or COO.
    """
    columns, rows = matching(sparse_rows(graph))
    answer = columns if perm_type == "column" else rows
    return to_device(answer) if lives_on_device(graph) else answer


def sparse_rows(graph: Any) -> Any:
    """A sparse matrix in SciPy's CSR. Raises TypeError with the messages of SciPy."""
    graph = to_host(as_scipy(graph))
    if not is_sparse(graph):
        raise WrongType("graph must be sparse")
    if graph.format not in ("csr", "csc", "coo"):
        raise WrongType("graph must be in CSC, CSR, or COO format.")
    return graph.tocsr()


def structural_rank(graph: Any) -> Any:
    """The structural rank of a sparse matrix: the largest rank of a matrix with entries in these
    positions.

    Parameters
    ----------
    graph : sparse array
        The matrix.

    Returns
    -------
    int
        The size of a maximum matching of rows and columns.

    Raises
    ------
    TypeError
        The matrix is not sparse.
    """
    graph = to_host(as_scipy(graph))
    if not is_sparse(graph):
        raise WrongType("Input must be sparse")
    if graph.format not in ("csr", "csc", "coo"):
        message = "Input matrix should be in CSC, CSR, or COO matrix format"
        warn_caller(message, sp.SparseEfficiencyWarning)
        graph = sp.csr_array(graph)
    columns, _ = matching(graph.tocsr())
    return np.sum(columns >= 0)
