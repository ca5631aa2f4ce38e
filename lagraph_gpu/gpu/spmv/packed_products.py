"""Products of a vector and a matrix of packed rows: always pulls, for the matrix is symmetric (see
packed_pull.cuh)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice, record_step, recording
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import Bits

PACKED_PULL = "spmv/packed_pull.cuh"

NUMBER = np.dtype(np.int64)
REASON = "packed rows are only pulled"


class PackedProducts(BackendPart):
    """Computes products over packed rows into a new vector."""

    def compute(
        self, semiring: Semiring, u: DeviceVector, A: DeviceMatrix, mask: Bits, vector_left: bool,
        dtype: np.dtype,
    ) -> DeviceVector:  # fmt: skip
        """The product of u and A, with the vector on the left or on the right. Values of a full
        vector without any are not read."""
        rows, n = A.packed, A.shape[0]
        assert rows is not None
        result = DeviceVector.allocated(self.device, n, dtype)
        if explaining():
            record_choice(
                f"product {semiring.name}", "pull", REASON, None, laws_of(semiring, dtype)
            )
        if recording():
            record_step("pull", self.backend.products.count(u), A.nnz)
        algebra = lower.semiring_struct(semiring, u.dtype, A.dtype, NUMBER, vector_left)
        given = rows.given, rows.value, (u.present, u.values), mask, (result.bits, result.values)
        self.backend.launch(PACKED_PULL, algebra, "packed_pull<Semiring>", n, np.int32(n), *given)
        for begin, end, group in ((0, rows.n_hubs, "Block"), (rows.n_hubs, rows.n_long, "Warp")):
            if begin < end:
                each = self.device.block_size if group == "Block" else WORD.itemsize * 8
                self.backend.launch(
                    PACKED_PULL, algebra, f"packed_pull_long<Semiring, {group}>",
                    each * (end - begin), np.int32(begin), np.int32(end), *given,
                )  # fmt: skip
        return result

    def missing_tree_edges(self, children: Vector, A: Matrix) -> int | None:
        """Lowers ``missing_tree_edges`` for packed rows. Waits."""
        rows, parent = A._store.packed, self.backend.vector(children)
        if not A._store.stays_packed:
            return None
        missing = self.device.zeros(1, np.uint64)
        self.backend.launch(
            PACKED_PULL, "", f"count_missing<{types.c_name(parent.dtype)}>", parent.size,
            np.int32(parent.size), rows.given, (parent.present, parent.values), missing,
        )  # fmt: skip
        return int(self.device.download(missing)[0])  # synchronize!
