"""Iterations of which one kernel does all rounds: what such kernels are given, and their end
(resident_rounds.cuh)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.gpu.device import BackendPart, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import BOOL, FP64

LONGEST = 64
"""A thread has a row if none has more entries; else warps have equal shares of the entries."""

REASON = "a round is less work for the device than its launches for the host"

AT_ONCE = 1 << 10
"""The number of rounds of a launch, at most, so that Ctrl-C ends a long call."""

FLAGS = {False: "false", True: "true"}


class Resident(NamedTuple):
    """Matrices as the kernels take them, and the arguments of their templates."""

    rows: list[tuple[Any, ...]]
    kinds: str
    """The type of weights, and whether they count."""
    even: bool
    """Whether warps have equal shares of the entries."""


class ResidentRounds(BackendPart):
    """Does all rounds of an iteration in one kernel. The fields are for tests and measurements."""

    longest = LONGEST
    blocks = 4
    """The number of blocks for each multiprocessor, at most."""

    def matrices(
        self, stores: Sequence[DeviceMatrix], weighted: bool, most: int, most_even: int
    ) -> Resident | None:
        """The matrices, which have the same numbers of entries, for a kernel; None if there are
        none or more than ``most`` of these, or than ``most_even`` where a row is long. Waits once
        for each matrix."""
        first, products = stores[0], self.backend.products
        if not 0 < first.nnz <= most or first.dtype.kind not in "biuf":
            return None
        even = False
        for store in stores:
            if store.packed is not None or store.offset != INDEX:
                return None
            even |= products.bound_rows(store, self.longest) > self.longest  # synchronize!
        if even and first.nnz > most_even:
            return None
        entry = first.dtype if weighted else BOOL  # one form for all whose weights do not count
        kinds = f"{types.c_name(entry)}, {FLAGS[weighted]}"
        rows = [self._rows(store, weighted, even) for store in stores]
        return Resident(rows, kinds, even)

    def _rows(self, A: DeviceMatrix, weighted: bool, even: bool) -> tuple[Any, ...]:
        values = (A.values, A.stride) if weighted else (None, np.int32(0))
        marks = self.backend.products.even.marks(A)[:3] if even else (None, None, None)
        return A.indptr, A.indices, *values, np.int32(A.nnz), *marks

    def run(
        self, rounds: FixedPoint, what: str, header: str, kernel: str, given: Resident,
        arguments: Sequence[Any], vectors: Sequence[Any], dtype: np.dtype, refuses: bool = False,
    ) -> bool:  # fmt: skip
        """Do the rounds in ``vectors`` (of this type), by a kernel whose template takes what is
        ``given``. False if no kernel can be resident, or if it has refused, as some may. Waits
        if there is a bound, or for what may refuse. Raises NotConverged."""
        device, bound = self.device, rounds.bound
        shares, even = device.max_blocks * constants.POWER_BLOCK // 32, self.backend.products.even
        carries = even.carries(shares, dtype) if given.even else (None,) * 3
        partial = device.empty(2 * constants.GRID_SUMS * device.max_blocks, FP64)
        done, stop = 0, device.stopwatch() if explaining() else None
        while done < rounds.max_rounds:
            some, outcome = min(rounds.max_rounds - done, AT_ONCE), device.empty(2, FP64)
            fits = self.backend.launch_resident(
                header, "", f"{kernel}<{given.kinds}, {FLAGS[given.even]}>", constants.POWER_BLOCK,
                np.int32(rounds.x.size), *given.rows, *arguments,
                np.float64(-1 if bound is None else bound), np.int32(some), *vectors, carries,
                partial, device.zeros(1, WORD), outcome, each=self.blocks,
            )  # fmt: skip
            if not done:
                record_fit(what, fits, REASON, stop)
            if not fits:
                return False
            if bound is None and not refuses:
                done += some
                continue
            ran, rounds.change = device.download(outcome).tolist()  # synchronize!
            if ran < 0:
                return False
            done += int(ran)
            if bound is None:
                continue
            if rounds.change <= bound:
                break
            if done == rounds.max_rounds or not math.isfinite(rounds.change):
                raise rounds.failure(done)
        return True
