"""The class of masks, as in `graphblas.core.mask`."""

from lagraph_gpu.notation.mask import Mask

__all__ = ["Mask"]
