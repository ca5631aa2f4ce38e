"""Products of a vector and a matrix of packed rows: always pulls, for the matrix is symmetric (see
packed_pull.cuh)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
        kind, values = self._values(A, "Semiring::A")
        given = rows.given, values, (u.present, u.values), mask, (result.bits, result.values)
        pull = f"packed_pull<Semiring, {kind}>"
        self.backend.launch(PACKED_PULL, algebra, pull, n, np.int32(n), *given)
        for begin, end, group in ((0, rows.n_hubs, "Block"), (rows.n_hubs, rows.n_long, "Warp")):
            if begin < end:
                each = self.device.block_size if group == "Block" else WORD.itemsize * 8
                self.backend.launch(
                    PACKED_PULL, algebra, f"packed_pull_long<Semiring, {kind}, {group}>",
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

    def tree_edge_values(self, children: Vector, A: Matrix) -> Vector | None:
        """Lowers ``tree_edge_values`` for packed rows."""
        store, parent = A._store, self.backend.vector(children)
        if not store.walks_packed(reads_values=True):
            return None
        kind, values = self._values(store, types.c_name(store.dtype))
        result = DeviceVector.allocated(self.device, parent.size, store.dtype)
        kinds = f"{types.c_name(parent.dtype)}, {kind}, {types.c_name(store.dtype)}"
        self.backend.launch(
            PACKED_PULL, "", f"tree_edge_values<{kinds}>", parent.size, np.int32(parent.size),
            store.packed.given, (parent.present, parent.values), values,
            (result.bits, result.values),
        )  # fmt: skip
        return Vector._stored(result, parent.size, store.dtype, self.backend)

    @staticmethod
    def _values(A: DeviceMatrix, as_type: str) -> tuple[str, tuple[Any, ...]]:
        """The C++ type of the values of packed rows, read as a type, and its arrays."""
        assert A.packed is not None
        weights = A.packed.weights
        if weights is None:
            return f"OneForAll<{as_type}>", (A.packed.value,)
        return f"PackedWeights<{as_type}, {weights.types()}>", tuple(weights)
