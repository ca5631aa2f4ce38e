"""What a user gives as a partition into communities, and the weights between their members."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect, expect_kind


def community_numbers(G: Graph, labels: Vector) -> Vector:
    """The community of each vertex as a number (INT64) below n: the label itself, if all labels are
    such numbers.

    Others are numbered on the host in O(n log n), because no statement takes values as positions.
    """
    expect_kind(labels, Vector, "labels as a Vector")
    expect(labels.size == G.n, f"expected {G.n} labels, one a vertex, got {labels.size}")
    index, label = labels.to_coo()
    if index.size != G.n:
        missing = brief(G.label(int(np.setdiff1d(np.arange(G.n), index)[0])))
        raise InvalidValue(f"expected a label for every vertex, got none for vertex {missing}")
    if label.dtype.kind not in "iu" or (G.n and not 0 <= label.min() <= label.max() < G.n):
        label = np.unique(label, return_inverse=True)[1]
    return Vector.from_dense(label.astype(np.int64), backend=G.backend)
