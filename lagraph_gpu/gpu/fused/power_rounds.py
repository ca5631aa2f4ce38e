"""The rounds of hubs and authorities, of eigenvector centrality and of that of Katz in one kernel
each (power_rounds.cuh)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FEW_ROUNDS, MODERATE, FixedPoint
from lagraph_gpu.algorithms.centrality.katz import call_of
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.fused.resident_rounds import FLAGS, Resident
from lagraph_gpu.gpu.storage import DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from semirings import Semiring
from semirings.types import FP64

POWER_ROUNDS = "fused/power_rounds.cuh"

MOST_ENTRIES = 1 << 24
"""They are in one kernel if there are no more entries than this. Not yet measured."""


class PowerRounds(BackendPart):
    """Lowers ``hits_rounds``, ``eigenvector_rounds`` and ``katz_rounds``. The field is for tests
    and measurements."""

    most_entries = MOST_ENTRIES

    def hits_rounds(
        self, start: Vector, A: Matrix, along: Semiring, bound: float | None, max_rounds: int
    ) -> tuple[Vector, Vector] | None:
        """Waits once, and not without a bound."""
        given = self._matrices(start, A, along, max_rounds, both=True)
        if given is None:
            return None
        n, zeros = start.size, self.device.zeros
        rounds = FixedPoint("hits", start, A, bound, max_rounds)
        hub, authority, room = self._begun(start), zeros(n, FP64), zeros(4 * n, FP64)
        vectors = hub, authority, zeros(n, FP64), room
        few = np.int32(FEW_ROUNDS)
        if not self._run(rounds, "hits_rounds", given, (few,), vectors):
            return None
        return self._like(start, hub), self._like(start, authority)

    def eigenvector_rounds(
        self, start: Vector, A: Matrix, along: Semiring, steps: bool, bound: float | None,
        max_rounds: int,
    ) -> Vector | None:  # fmt: skip
        """Waits once. None also if the square of a norm is too large or too small for its root."""
        given = self._matrices(start, A, along, max_rounds)
        if given is None:
            return None
        given = given._replace(kinds=f"{given.kinds}, {FLAGS[steps]}")
        rounds = FixedPoint("eigenvector_centrality", start, A, bound, max_rounds)
        n, device, x = start.size, self.device, self._begun(start)
        room = (device.empty(n, FP64), device.zeros(4 * n, FP64)) if steps else (None, None)
        arguments = np.int32(FEW_ROUNDS), *map(np.float64, MODERATE[FP64])
        vectors = x, device.zeros(n, FP64), *room
        done = self._run(rounds, "eigenvector_rounds", given, arguments, vectors, refuses=True)
        return self._like(start, x) if done else None

    def katz_rounds(
        self, start: Vector, base: Vector, A: Matrix, along: Semiring, alpha: float,
        bound: float | None, max_rounds: int,
    ) -> Vector | None:  # fmt: skip
        """Waits once, and not without a bound."""
        given = self._matrices(start, A, along, max_rounds)
        if given is None:
            return None
        rounds = FixedPoint(call_of(alpha), start, A, bound, max_rounds)
        x, added = self._begun(start), self.backend.vector(base).values
        arguments, vectors = (np.float64(alpha), added), (x, self.device.zeros(start.size, FP64))
        done = self._run(rounds, "katz_rounds", given, arguments, vectors)
        return self._like(start, x) if done else None

    def _matrices(
        self, start: Vector, A: Matrix, along: Semiring, max_rounds: int, *, both: bool = False
    ) -> Resident | None:
        """The in-edges by rows, and if ``both`` the out-edges. None without rounds, too."""
        if start.size == 0 or max_rounds == 0:
            return None
        store, transposed = self.backend.matrices.operand(A)
        if store.nnz > self.most_entries or store.packed is not None:
            return None
        other = self.backend.matrices.transpose(store)
        into, out = (store, other) if transposed else (other, store)
        stores, most = (into, out) if both else (into,), self.most_entries
        return self.backend.resident_rounds.matrices(stores, along.reads_right, most, most)

    def _begun(self, start: Vector) -> DeviceArray:
        """The values at the start, where rounds may overwrite them."""
        return self.device.copy(self.backend.vector(start).values)

    def _run(
        self, rounds: FixedPoint, kernel: str, given: Resident, arguments: Sequence[Any],
        vectors: Sequence[Any], refuses: bool = False,
    ) -> bool:  # fmt: skip
        return self.backend.resident_rounds.run(
            rounds, "power iteration", POWER_ROUNDS, kernel, given, arguments, vectors, FP64,
            refuses,
        )  # fmt: skip

    def _like(self, start: Vector, values: DeviceArray) -> Vector:
        """A full vector of these values."""
        bits = self.device.copy(self.backend.vector(start).bits)
        return self.backend.as_vector(DeviceVector(start.size, FP64, bits, values, full=True))
