"""The class of scalars, as in `graphblas.core.scalar`."""

from lagraph_gpu.notation import Scalar

__all__ = ["Scalar"]
