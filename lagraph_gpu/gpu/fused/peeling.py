"""Peeling (k-cores) by one cooperative kernel, without a wait (see peel.cuh)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.closure.problem import NOT_RESIDENT
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.storage import INDEX, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining, record_choice, record_time
from semirings import types
from semirings.types import INT64

PEEL = "fused/peel.cuh"

BLOCK = constants.PEEL_BLOCK
"""The largest number of threads in a block."""

PIECE = 32
"""Rows are queued in pieces of so many entries. If few vertices are removed, a warp takes one piece
in a step."""

PIECES_OF_ONE_BLOCK = 256
"""A frontier of at most so many pieces is left to one block, which waits for no other. Not yet
measured."""

KERNEL, HOST = "in one kernel", "a statement at a time"
OTHER_TYPES = "counters or amounts are not INT64"
ROUNDS_AND_PASSES = "{rounds} rounds of those that go, {passes} passes over those that stay"


class Peeling(BackendPart):
    """Removes vertices with few neighbours again and again. The fields are for tests."""

    piece, few = PIECE, PIECES_OF_ONE_BLOCK

    def peel(self, counts_left: Vector, A: Matrix) -> Vector | None:
        """Lowers ``peel``. None if no kernel can be resident, or for types other than INT64."""
        found = self.peel_within(counts_left, A)
        return None if found is None else found[0]

    def peel_within(
        self, counts_left: Vector, A: Matrix, most: int | None = None
    ) -> tuple[Vector, DeviceArray] | None:
        """The same after at most about so many steps, and the counters of the kernel, which say
        whether anything is left."""
        count: DeviceVector = counts_left._store
        device, n = self.device, count.size
        rows = self.backend.matrices.plain(A)
        if (count.dtype, rows.dtype) != (INT64, INT64):
            _record_choice(HOST, OTHER_TYPES)
            return None
        level = DeviceVector.allocated(device, n, INT64)
        room = max(1, n)
        counts = device.zeros(constants.PEEL_COUNTS, COUNT)
        stop = device.stopwatch() if explaining() else None
        fits = self.backend.launch_resident(
            PEEL, "", f"peel<{types.c_name(rows.offset)}>", BLOCK,
            np.int32(n), rows.offset.type(self.piece), COUNT.type(self.few),
            COUNT.type(types.highest(COUNT) if most is None else most),
            *rows.arrays(),
            count.present, count.values,
            device.empty(room, INT64), level.bits, level.values,
            device.empty(room + rows.nnz // self.piece, INT64), device.empty(2 * room, INDEX),
            counts,
        )  # fmt: skip
        if not fits:
            _record_choice(HOST, NOT_RESIDENT)
            return None
        level.changed(count.count)
        if stop is not None:
            microseconds = stop()  # synchronize!
            at = constants.PEEL_ROUNDS
            rounds, passes = device.download(counts)[at : at + 2].tolist()  # synchronize!
            _record_choice(KERNEL, ROUNDS_AND_PASSES, rounds=rounds, passes=passes)
            record_time(microseconds)
        return self.backend.as_vector(level), counts


def _record_choice(chosen: str, reason: str, **figures: Any) -> None:
    if explaining():
        record_choice("peeling", chosen, reason, **figures)


def record_fit(what: str, fits: bool, reason: str, stop: Callable[[], float | None] | None) -> None:
    """If there is a stopwatch, record that a single kernel computed this, or that it could not.
    Waits."""
    if stop is not None:
        chosen, reason = (KERNEL, reason) if fits else (HOST, NOT_RESIDENT)
        record_choice(what, chosen, reason)
        record_time(stop())  # synchronize!
