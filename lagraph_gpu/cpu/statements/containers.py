"""The containers of stores."""

from __future__ import annotations

from typing import Any

import graphblas as gb

from lagraph_gpu.cpu.statements.products import CpuMatrix
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import types


def as_vector(of: Any, store: gb.Vector) -> Vector:
    """The vector that a store holds, on the backend of another container."""
    return Vector._stored(store, int(store.size), types.lookup(store.dtype), of.backend)


def as_matrix(of: Any, store: CpuMatrix) -> Matrix:
    """The matrix that a store holds, on the backend of another container."""
    A = store.A
    return Matrix._stored(store, tuple(map(int, A.shape)), types.lookup(A.dtype), of.backend)  # type: ignore[arg-type]
