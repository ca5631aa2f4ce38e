"""The class of vectors, as in `graphblas.core.vector`."""

from lagraph_gpu.notation import Vector

__all__ = ["Vector"]
