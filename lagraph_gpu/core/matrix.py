"""The classes of matrices, under the names of `graphblas.core.matrix`."""

from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.expressions import Transposed as TransposedMatrix

__all__ = ["Matrix", "TransposedMatrix"]
