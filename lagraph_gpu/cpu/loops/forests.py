"""Forests of parents on the CPU (``native/forests.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.memory_check import is_sparse
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.notation import Vector
from semirings.types import INT64

chain_to_root = Loop("chain_to_root")


def ancestors(parent: Vector, vertex: int) -> list[int] | None:
    """Lowers ``ancestors``. None if the parents are no integers or too many for an array, and for
    what is no chain to a root, of which the statements say what is wrong."""
    if parent.dtype.kind not in "iu" or is_sparse(parent):
        return None
    above = parent.to_dense(fill_value=-1).astype(INT64, copy=False)
    if above[vertex] < 0:
        return []
    chain = np.empty(parent.size, INT64)
    chain[0] = vertex
    count = chain_to_root(above, chain)
    return chain[:count].tolist() if count else None
