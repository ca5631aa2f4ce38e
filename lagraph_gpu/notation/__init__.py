"""Vectors, matrices, scalars and statements, in the notation of python-graphblas."""

from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.scalar import Scalar
from lagraph_gpu.notation.vector import Vector

__all__ = ["Matrix", "Scalar", "Vector"]
