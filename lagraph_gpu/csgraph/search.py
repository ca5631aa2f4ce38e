"""Shortest paths from many sources at once, by the closures of
`lagraph_gpu.algorithms.paths.sssp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.csgraph import NegativeCycleError

from lagraph_gpu.algorithms._shared.distance_types import within
from lagraph_gpu.algorithms.paths.sssp import tight_forest
from lagraph_gpu.closure import closure
from lagraph_gpu.convert.interchange import CUDA, CUDA_MANAGED
from lagraph_gpu.csgraph.graph_input import NO_PREDECESSOR
from lagraph_gpu.notation import Matrix, Vector
from semirings import BINARY, any_first, min_plus

minus, ne = BINARY["minus"], BINARY["ne"]

MOST_ENTRIES = 2**22
"""The largest number of entries of the block-diagonal matrix for searches from many sources."""

TOLERANCE = 1e-15
"""A cycle whose length is below 0 by less than this counts as one of length 0, as in SciPy."""


@dataclass(frozen=True)
class Found:
    """Distances and, if wanted, parents in k copies of a graph of n vertices, one copy
    after another.
    """

    n: int
    distance: Vector
    parent: Vector | None

    def distances(self, device: bool) -> Any:
        """The distances as one array, infinite where there is no path."""
        return self.distance.to_dense(np.inf, device=on_gpu(device, self.distance))

    def predecessors(self, device: bool) -> Any:
        """The predecessors as one array (int32) of ids in the graph, -9999 for none."""
        parent = self.parent
        assert parent is not None
        first = np.arange(parent.size) // max(self.n, 1) * self.n  # the vertex 0 of each copy
        offset = Vector.from_dense(first, backend=parent.backend)
        above = ne(parent & parent.apply("index").new()).new()
        before = Vector("INT32", parent.size, backend=parent.backend)
        before(above.V) << minus(parent & offset)
        return before.to_dense(NO_PREDECESSOR, device=on_gpu(device, before))

    def origins(self, device: bool) -> Any:
        """The source of each vertex (int32), -9999 for none: ids are passed down the tree."""
        assert self.parent is not None
        child, above = self.parent.to_coo()
        shape: dict[str, Any] = {"nrows": self.parent.size, "ncols": self.parent.size}
        backend = self.parent.backend
        tree = Matrix.from_coo(above, child, True, **shape, backend=backend)
        roots = child[above == child]
        start = Vector.from_coo(roots, roots, "INT64", size=self.parent.size, backend=backend)
        origin = closure(start, tree, any_first).dup("INT32")
        return origin.to_dense(NO_PREDECESSOR, device=on_gpu(device, origin))


def on_gpu(device: bool, vector: Vector) -> bool:
    """True if an array of the vector can stay on the GPU of the caller."""
    return device and vector.backend.exchange.dlpack_device()[0] in (CUDA, CUDA_MANAGED)


def joined(parts: list[Any], dtype: Any) -> Any:
    """The concatenation of arrays, on the host or the device where they are."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def blocks(A: Matrix, sources: np.ndarray, limit: float, trees: bool) -> Iterator[Found]:
    """The searches from each source alone, as many at a time as there is room for."""
    n = A.nrows
    count = max(1, min(sources.size, MOST_ENTRIES // max(n + A.nvals, 1)))
    many = copies(A, count)
    for first in range(0, sources.size, count):
        part = sources[first : first + count]
        if part.size < count:
            many = copies(A, part.size)
        yield search(many, n, part + n * np.arange(part.size), limit, trees)


def copies(A: Matrix, count: int) -> Matrix:
    """The graph `count` times, as the blocks of a block-diagonal matrix."""
    if count == 1:
        return A
    diagonal = Vector.from_scalar(True, count, backend=A.backend).diag()
    return diagonal.kronecker(A, BINARY["second"]).new(A.dtype)


def search(A: Matrix, n: int, roots: np.ndarray, limit: float, trees: bool) -> Found:
    """The nearest root of each vertex of A, which holds copies of a graph of n vertices.

    Raises NegativeCycleError if a root reaches a cycle of negative length.
    """
    start = Vector.from_coo(roots, 0.0, size=A.nrows, backend=A.backend)
    if negative(A):
        distance = least(start, A, n - 1)
        cycle = late(distance, A)
        if cycle.size:
            root = roots[roots // n == cycle[0] // n][0]
            raise NegativeCycleError(f"Negative cycle detected on node {root % n}")
    else:
        distance = closure(start, A, min_plus)
    distance = within(distance, limit)
    if not trees:
        return Found(n, distance, None)
    distance = distance.select("<", np.inf).new()  # a sum that is too large leads nowhere
    start = Vector.from_coo(roots, roots, "INT64", size=A.nrows, backend=A.backend)
    return Found(n, distance, tight_forest(distance, start, A))


def negative(A: Matrix) -> bool:
    """True if a weight is below 0."""
    return A.reduce("min").new().get(0.0) < 0


def least(start: Vector, A: Matrix, edges: int) -> Vector:
    """The distances over paths of at most `edges` edges: over all paths, unless there is a negative
    cycle.
    """
    return closure(start, A, min_plus, max_rounds=max(edges, 0))


def late(distance: Vector, A: Matrix) -> np.ndarray:
    """The vertices whose distance an edge still improves, where no path can: a negative cycle."""
    candidate = min_plus(distance @ A).new().apply("plus", right=TOLERANCE).new()
    better = BINARY["lt"](candidate & distance).new()
    return better.select("==", True).new().to_coo()[0]


def falling(A: Matrix) -> np.ndarray:
    """The vertices to which walks become shorter for ever. Empty if there are none."""
    if not negative(A):
        return np.zeros(0, np.int64)
    everywhere = Vector.from_scalar(0.0, A.nrows, backend=A.backend)
    return late(least(everywhere, A, A.nrows), A)
