"""The algorithms of this package in the form of SciPy's functions, one function for each."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csgraph as theirs

from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.algorithms.structure.scc import strongly_connected_components
from lagraph_gpu.algorithms.structure.spanning_tree import minimum_spanning_tree
from lagraph_gpu.csgraph.graph_input import InputGraph, hosted
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.indexing import distinct


def component_labels(graph: InputGraph, strong: bool) -> np.ndarray:
    """For each vertex the smallest vertex of its component."""
    if hosted():
        rows = graph.rows if graph.rows.has_canonical_format else graph.rows.copy()
        rows.sum_duplicates()  # with edges held twice SciPy (1.17) may not return
        kind: Any = "strong" if strong else "weak"
        _, label = theirs.connected_components(rows, connection=kind)
        _, first, place = np.unique(label, return_index=True, return_inverse=True)
        return first[place]
    pattern = Graph._checked(graph.matrix.apply("one").new("BOOL"), directed=True)
    find = strongly_connected_components if strong else connected_components
    return find(pattern).to_dense()


def forest_edges(n: int, source: np.ndarray, target: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """The ranks (different, from 1) of the edges in the minimum spanning forest."""
    G = Graph.from_edges(source, target, rank, n, directed=False)
    return distinct(minimum_spanning_tree(G).A.to_coo()[2])


def matching(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    """The column of each row and the row of each column in SciPy's maximum matching; -1 for
    unmatched ones."""
    column = theirs.maximum_bipartite_matching(rows, perm_type="column")
    row_of = np.full(rows.shape[1], -1, np.int32)
    matched = np.flatnonzero(column >= 0)
    row_of[column[matched]] = matched
    return column, row_of
