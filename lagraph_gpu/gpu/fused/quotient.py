"""The quotient of a graph by a numbering of its vertices, by a hash table (quotient.cuh).

The table has four slots of 16 bytes for three entries of the matrix, so that searches stay short
even if no two entries coincide, and half as many if the matrix is symmetric. If there is not enough
memory for it, the products of the definition are used.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.device.port import TABLE_DIVISOR, workspace_bytes
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import offset_for
from lagraph_gpu.notation import Matrix
from semirings import types

QUOTIENT = "fused/quotient.cuh"

PAIR = np.dtype(np.uint64)


class Quotients(BackendPart):
    """Lowers ``quotient``."""

    def quotient(self, of: Matrix, by: Matrix) -> Matrix | None:
        """None unless each row of the selector has one entry and values are INT64 or FP64, and if
        there is not enough memory for the table. Waits once."""
        A, P = of._store, by._store
        device, launch = self.device, self.backend.launch
        (n, k), dtype, half = P.shape, A.dtype, A.transposed is A
        entries = (A.nnz + min(n, A.nnz) + 1) // 2 if half else A.nnz
        slots = entries + entries // 3
        if (
            dtype not in (types.INT64, types.FP64)
            or slots == 0
            or (P.nnz, P.pattern.max_degree) != (n, 1)
            or slots * (PAIR.itemsize + dtype.itemsize) > workspace_bytes(device, TABLE_DIVISOR)
        ):
            return None
        z, kind = types.c_name(dtype), str(half).lower()
        name = f"add_pairs<{types.c_name(A.offset)}, {z}, {kind}>"
        kernels = f"clear_pairs<{z}>", name, f"list_pairs<{z}, {kind}>"
        if (QUOTIENT, "", name) not in self.backend.kernels:
            self.backend.compile_ahead((QUOTIENT, "", kernel) for kernel in kernels)
        table, counts = device.empty(2 * slots, PAIR), device.zeros(2, PAIR)
        launch(QUOTIENT, "", kernels[0], slots, PAIR.type(slots), table)
        launch(QUOTIENT, "", name, A.nnz, A.offset.type(A.nnz), np.int32(n), A.arrays(),
               P.indices, PAIR.type(slots), table, counts)  # fmt: skip
        count = int(device.download(counts)[0])  # synchronize!
        listed, bits = device.empty(count, PAIR), np.int32(max(1, (k - 1).bit_length()))
        launch(QUOTIENT, "", kernels[2], slots, PAIR.type(slots), table, bits,
               listed, counts[1:])  # fmt: skip
        device.sort(listed)
        made = DeviceMatrix.allocated(device, (k, k), dtype, count, offset_for(count))
        name = f"lay_out_pairs<{types.c_name(made.offset)}, {z}, {kind}>"
        launch(QUOTIENT, "", name, max(count, k + 1), np.int32(k), made.offset.type(count), listed,
               bits, PAIR.type(slots), table, made.indptr, made.indices, made.values)  # fmt: skip
        return self.backend.as_matrix(made)
