"""Weights for a Kronecker graph whose rows were made without the list of its edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.kronecker_rows import Weighed
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.gpu.storage.packed_rows import PackedWeights
from lagraph_gpu.gpu.storage.vector_storage import offset_for
from semirings import SEMIRINGS, types

EDGE_WEIGHTS = "generate/edge_weights.cuh"

KINDS = {"integer": ("Integer", types.UINT8, 128.0), "uniform": ("Uniform", types.FP32, 0.5)}
"""For each kind of weights the C++ type, the type beside packed rows, and about the mean."""


class EdgeWeights(BackendPart):
    """Computes the weights of all entries, row by row."""

    def weighed(self, A: Any, ids: Any, draw: Draw, kind: WeightKind) -> Weighed:
        """Lowers ``generate.kronecker_rows.weighed``. Waits beside packed rows."""
        store: DeviceMatrix = A._store
        assert kind is not None
        drawn, narrow, mean = KINDS[kind]
        given = ids._store.values, np.uint64(draw.n), np.uint64(draw.weight_key)
        place = self.backend.spill.room_for
        if not store.stays_packed:
            values = place(max(1, store.nnz), types.FP32)
            self._launch(f"weigh_rows<{drawn}, {types.c_name(store.offset)}>", 32 * store.shape[0],
                         np.int32(store.shape[0]), store.indptr, store.indices, *given,
                         values)  # fmt: skip
            made = DeviceMatrix(store.shape, types.FP32, store.nnz, store.indptr, store.indices,
                                values, pattern=store.pattern)  # fmt: skip
            made.transposed = made
            return Weighed(self.backend.as_matrix(made), {})
        rows, n, packing = store.packed, store.shape[0], self.backend.packing
        assert rows is not None
        begins = packing.begins_of(rows, n, offset_for(store.nnz))
        values = place(max(1, store.nnz), narrow)
        extremes = self.device.upload(np.array([np.inf, 0], np.float32))
        self._launch(f"weigh_packed<{drawn}, {types.c_name(begins.dtype)}, {types.c_name(narrow)}>",
                     max(rows.n, 32 * rows.n_segments), rows.given, begins, *given,
                     values, extremes)  # fmt: skip
        rows = rows._replace(
            value=self.device.zeros(1, types.FP32), weights=PackedWeights(begins, values)
        )
        made = packing.matrix(rows, n, store.nnz, False, types.FP32)
        known = {}
        if store.nnz:
            least, most = self.device.download(extremes).tolist()  # synchronize!
            self.backend.closures.weights.note(made, SEMIRINGS["min_plus"], least, most, mean)
            known = {"lightest": least, "heaviest": most}
        return Weighed(self.backend.as_matrix(made), known)

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(EDGE_WEIGHTS, "", name, work, *args)
