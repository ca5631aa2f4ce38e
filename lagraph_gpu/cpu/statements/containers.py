"""Vectors and matrices made from the stores of the CPU backend."""

from __future__ import annotations

from typing import Any

import graphblas as gb

from lagraph_gpu.cpu.statements.products import CpuMatrix
from lagraph_gpu.notation import Matrix, Vector
from semirings import types


def as_vector(of: Any, store: gb.Vector) -> Vector:
    """The store as a Vector, on the same backend as the container ``of``."""
    return Vector._stored(store, int(store.size), types.lookup(store.dtype), of.backend)


def as_matrix(of: Any, store: CpuMatrix) -> Matrix:
    """The store as a Matrix, on the same backend as the container ``of``."""
    A = store.A
    return Matrix._stored(store, tuple(map(int, A.shape)), types.lookup(A.dtype), of.backend)  # type: ignore[arg-type]
