"""The indicator matrix of a partition: P(v, c) = 1 if vertex v belongs to community c.

Products with P then aggregate by community: Pᵀ x sums a vector over each community, A ⊕.⊗ P has the
edges from each vertex to each community, and Pᵀ A P is the graph of the communities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect, expect_kind
from semirings import BINARY


def indicator(G: Graph, labels: Vector) -> Matrix:
    """The indicator P (BOOL) of a partition given by labels: n × the number of different labels.

    O(n log n) on the host, because no statement takes values as positions.
    """
    expect_kind(labels, Vector, "labels as a Vector")
    expect(labels.size == G.n, f"expected {G.n} labels, one a vertex, got {labels.size}")
    index, label = labels.to_coo()
    if index.size != G.n:
        missing = brief(G.label(int(np.setdiff1d(np.arange(G.n), index)[0])))
        raise InvalidValue(f"expected a label for every vertex, got none for vertex {missing}")
    known, column = np.unique(label, return_inverse=True)
    shape: dict[str, Any] = {"nrows": G.n, "ncols": known.size}
    return Matrix.from_coo(index, column, True, "BOOL", **shape, backend=G.backend)


def lengths(G: Graph) -> Matrix:
    """The weights in FP64. A loop of an undirected graph counts twice, because it has two
    ends there.
    """
    A = G.A.dup("FP64")
    if not G.directed and G.nloops:
        A(accum=BINARY["plus"]) << A.select("diag").new()
    return A
