"""Where algorithms of this package answer what SciPy's functions ask: one function for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from lagraph_gpu.csgraph.given import Given


def component_labels(graph: Given, strong: bool) -> np.ndarray:
    """For each vertex a label that its component alone has; labels order as smallest vertices."""
    rows = graph.rows.copy()
    rows.sum_duplicates()  # with entries given twice SciPy 1.17 may not return
    _, label = theirs.connected_components(rows, connection="strong" if strong else "weak")
    first = np.full(graph.n, graph.n)
    np.minimum.at(first, label, np.arange(graph.n))
    return first[label]


def forest_edges(n: int, source: np.ndarray, target: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """The ranks (different, from 1) of the edges of the least spanning forest."""
    ranks: Any = sp.coo_array((rank, (source, target)), shape=(n, n)).tocsr()
    return theirs.minimum_spanning_tree(ranks).data.astype(np.int64)


def matching(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """The column of each row and the row of each column in a largest matching; -1 for none."""
    f = theirs.maximum_bipartite_matching
    return f(rows, perm_type="column"), f(rows, perm_type="row")
