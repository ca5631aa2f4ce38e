"""Where algorithms of this package answer what SciPy's functions ask: one function for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms import bipartite
from lagraph_gpu.algorithms.components import connected_components
from lagraph_gpu.algorithms.scc import strongly_connected_components
from lagraph_gpu.algorithms.spanning_tree import minimum_spanning_tree
from lagraph_gpu.csgraph.given import Given
from lagraph_gpu.graph import Graph
from lagraph_gpu.indexing import distinct


def component_labels(graph: Given, strong: bool) -> np.ndarray:
    """For each vertex the smallest one of its component."""
    pattern = Graph._checked(graph.matrix.apply("one").new("BOOL"), directed=True)
    find = strongly_connected_components if strong else connected_components
    return find(pattern).to_dense()


def forest_edges(n: int, source: np.ndarray, target: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """The ranks (different, from 1) of the edges of the least spanning forest."""
    G = Graph.from_edges(source, target, rank, n, directed=False)
    return distinct(minimum_spanning_tree(G).A.to_coo()[2])


def matching(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """The column of each row and the row of each column in a largest matching; -1 for none.

    Rows and columns are the two sides of one graph, columns after rows.
    """
    height, width = rows.shape
    row = np.repeat(np.arange(height), np.diff(rows.indptr))
    ends = row, rows.indices + np.int64(height)
    G = Graph.from_edges(*ends, n=height + width, directed=False, dup="min")
    mate = bipartite.maximum_bipartite_matching(G).to_dense(fill_value=-1).astype(np.int32)
    columns, rows_ = mate[:height], mate[height:]
    return np.where(columns < 0, -1, columns - height).astype(np.int32), rows_
