"""The class of vectors, as in `graphblas.core.vector`."""

from lagraph_gpu.notation.vector import Vector

__all__ = ["Vector"]
