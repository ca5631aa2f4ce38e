"""What a user gives as a partition into communities."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import partition
from lagraph_gpu.notation import Vector


def community_numbers(G: Graph, labels: Any) -> Vector:
    """The community of each vertex as a number (INT64) below n: the label itself, if all labels are
    such numbers.

    Others are numbered on the host in O(n log n), because no statement takes values as positions.
    """
    label = partition(G, labels)
    if label.dtype.kind not in "iu" or (G.n and not 0 <= label.min() <= label.max() < G.n):
        label = np.unique(label, return_inverse=True)[1]
    return Vector.from_dense(label.astype(np.int64), backend=G.backend)
