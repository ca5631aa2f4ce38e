"""The classes of matrices, under the names of `graphblas.core.matrix`."""

from lagraph_gpu.notation.expressions import Transposed as TransposedMatrix
from lagraph_gpu.notation.matrix import Matrix

__all__ = ["Matrix", "TransposedMatrix"]
