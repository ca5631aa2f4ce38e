"""Orders of values and of vertices by degree, and matrices with renumbered vertices."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_matrix, real, vector_of
from lagraph_gpu.cpu.statements.objects import without_cycle
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT64

counting_sort = Loop("counting_sort")


def argsort(keys: Vector) -> Vector | None:
    """Lowers ``argsort``. None for keys that INT64 does not hold."""
    if not np.can_cast(keys.dtype, INT64):
        return None
    return vector_of(keys, order_of(real(keys, INT64)))


def order_of(keys: np.ndarray) -> np.ndarray:
    """The positions (INT64) of integers in increasing order, equal ones in their order: O(n), or by
    NumPy's stable sort where they lie further apart than there are keys."""
    order = np.empty(keys.size, INT64)
    return order if counting_sort(keys, order) else np.argsort(keys, kind="stable")


def degree_order(A: Matrix) -> Vector:
    """Lowers ``degree_order``, O(n + m)."""
    indptr, indices, _ = A._store.A.to_csr()
    degree = np.diff(indptr.astype(np.int64)) + np.bincount(indices, minlength=A.ncols)
    return vector_of(A, order_of(-degree))


def permuted(A: Matrix, ids: Vector) -> Matrix:
    """Lowers ``permuted`` by one extraction. A symmetric matrix stays marked as symmetric."""
    order = ids._store.to_dense()
    permuted = without_cycle(A._store.A[order, order].new())
    return as_matrix(A, CpuMatrix(permuted, A._store.symmetric))


def permuted_ids(G: Graph, begin: int, steps: tuple[tuple[int, int], ...]) -> Vector:
    """Lowers ``permuted_ids``."""
    x = np.arange(begin, begin + G.n, dtype=INT64)
    for factor, shift in steps:
        x *= factor
        x &= RANKS - 1
        x ^= x >> shift
    return vector_of(G, x)
