"""Minimum spanning trees, and matchings."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.adapters import forest_edges, matching
from lagraph_gpu.csgraph.given import Given, hosted, is_sparse, lives_on_device, to_device, to_host
from lagraph_gpu.errors import WrongType, warn_caller


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """The edges of a minimum spanning forest, each where it is stored, as a sparse array (float64).

    The graph counts as undirected: of the two directions of an edge, and of edges given twice, the
    lightest. Among equal weights what is stored first wins, so the tree is SciPy's. As in SciPy an
    edge of weight 0 joins its ends, but its entry is dropped from the result. ``overwrite`` allows
    that the input changes; it is left as it is.

    >>> from lagraph_gpu.csgraph import minimum_spanning_tree
    >>> minimum_spanning_tree([[0, 3, 1], [0, 0, 2], [0, 0, 0]]).toarray().tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    """
    graph = Given(csgraph)
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


def maximum_bipartite_matching(graph: Any, perm_type: str = "row") -> Any:
    """A largest set of entries of a sparse matrix, no two in one row or column.

    With ``perm_type="row"`` the row matched to each column, with "column" the column matched to
    each row (int32), -1 for none. Stored zeros count. Any largest matching may come. Raises
    TypeError for what is not sparse in the CSR, CSC or COO format.
    """
    columns, rows = matching(sparse_rows(graph))
    answer = columns if perm_type == "column" else rows
    return to_device(answer) if lives_on_device(graph) else answer


def sparse_rows(graph: Any) -> Any:
    """A sparse matrix in SciPy's CSR, or TypeError as SciPy has it."""
    graph = to_host(graph)
    if hasattr(graph, "to_scipy_sparse"):
        graph = to_host(graph.to_scipy_sparse())
    if not is_sparse(graph):
        raise WrongType("graph must be sparse")
    if graph.format not in ("csr", "csc", "coo"):
        raise WrongType("graph must be in CSC, CSR, or COO format.")
    return graph.tocsr()


def structural_rank(graph: Any) -> Any:
    """The size of a largest matching of rows and columns: the greatest rank that a matrix with
    entries in these positions can have. Raises TypeError for what is not sparse."""
    graph = to_host(graph)
    if not is_sparse(graph):
        raise WrongType("Input must be sparse")
    if graph.format not in ("csr", "csc", "coo"):
        said = "Input matrix should be in CSC, CSR, or COO matrix format"
        warn_caller(said, sp.SparseEfficiencyWarning)
        graph = sp.csr_array(graph)
    columns, _ = matching(graph.tocsr())
    return np.sum(columns >= 0)
