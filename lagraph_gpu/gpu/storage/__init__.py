"""Storage of vectors and matrices in the memory of a device."""

from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import EVERYWHERE, INDEX, WORD, DeviceVector, words

__all__ = ["EVERYWHERE", "INDEX", "WORD", "DeviceMatrix", "DeviceVector", "words"]
