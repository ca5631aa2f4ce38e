"""Operations on where a matrix is stored, for a call that memory is too short for.

A backend whose own memory is small beside the host's has lowerings. By default nothing can be moved
and there is no other backend with more memory.
"""

from __future__ import annotations

from lagraph_gpu.backend import Backend
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation


@operation
def spilled_to_host(A: Matrix) -> int:
    """Spill entries of a matrix into the host's memory, where kernels read them in place. Returns
    the bytes that this frees where the matrix was; 0 if nothing can be moved.
    """
    return 0


@operation
def moved_to_device(A: Matrix) -> int:
    """Move spilled entries of a matrix back to the device, as far as half of its free memory
    allows. Returns the bytes that they take there.
    """
    return 0


@operation
def spilled_bytes(A: Matrix) -> int:
    """The bytes of a matrix, of its transpose and of its layout that are spilled: they lie in the
    host's memory and are read there in place.
    """
    return 0


@operation
def larger_backend(backend: Backend) -> Backend | None:
    """A backend that stores in the host's memory what this one has no room for; None if there is
    none.
    """
    return None
