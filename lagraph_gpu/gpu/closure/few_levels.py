"""Small rounds of a closure, many in one launch, by a single block (see few_levels.cuh)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.kernel_log import LOGGED
from lagraph_gpu.gpu.device import BackendPart, constants, lower
from lagraph_gpu.gpu.storage import INDEX
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.trace import (
    explaining,
    laws_of,
    record_choice,
    record_step,
    record_time,
    recording,
)
from semirings.algebra import Semiring

FEW_LEVELS = "closure/level_synchronous/few_levels.cuh"

ROOM = constants.LEVEL_ROOM
"""The largest number of vertices in a small frontier."""

EDGES = 8192
"""The largest number of edges that leave it: eight or more passes of a block take as long as two
launches."""

ONE_BLOCK = "at most {room} vertices, and {edges} edges that leave them: one block does such rounds"


class FewLevels(BackendPart):
    """Carries out small rounds. The fields are for tests."""

    room, edges = ROOM, EDGES

    def small_rounds(
        self, to: Vector, front: Vector, when: Vector, A: Any, semiring: Semiring, rounds: int,
        max_rounds: int,
    ) -> int:  # fmt: skip
        """Lowers ``small_rounds``: the number of rounds, which is 0 if the next round is not small.
        Waits."""
        x, frontier, step = to._store, front._store, when._store
        store, transposed = self.backend.matrices.operand(A)
        products, device, n = self.backend.products, self.device, x.size
        count = products.count(frontier)
        same_type = semiring.output(x.dtype, store.dtype) == x.dtype
        if not 0 < count <= self.room or rounds >= max_rounds or not same_type:
            return 0
        outgoing = self.backend.matrices.transpose(store) if transposed else store
        vertices = products.listing(frontier)
        max_rounds, done = min(max_rounds, rounds + LOGGED), device.empty(2, INDEX)
        log = device.zeros(2 * (max_rounds - rounds), np.uint64) if recording() else None
        algebra = lower.semiring_struct(semiring, x.dtype, store.dtype, store.offset, True)
        if not semiring.monoid.is_any:
            self.backend.launch(FEW_LEVELS, algebra, "make_foldable<Semiring>", n, np.int32(n),
                                x.bits, x.values)  # fmt: skip
        stop = device.stopwatch() if explaining() else None
        self.backend.launch(
            FEW_LEVELS, algebra, "few_levels<Semiring>", 0, np.int32(rounds), np.int32(max_rounds),
            np.uint64(self.edges), outgoing.arrays(), (x.bits, x.values), step.values,
            np.int32(count), vertices, frontier.bits, frontier.values, done, log, blocks=1,
            threads=device.cooperative_block,
        )  # fmt: skip
        after, left = device.download(done).tolist()  # synchronize!
        if stop is not None and after > rounds:
            record_choice(
                f"rounds {semiring.name}",
                "push, by one block",
                ONE_BLOCK,
                laws=laws_of(semiring, x.dtype),
                room=self.room,
                edges=self.edges,
            )
            record_time(stop())  # synchronize!
        if log is not None:
            for vertices_, edges in (
                device.download(log).reshape(-1, 2)[: after - rounds].tolist()
            ):  # synchronize!
                record_step("push", vertices_, edges)
        x.changed(x.size if x.full else None)
        frontier.changed(left)
        frontier.listing = vertices
        step.bits = device.copy(x.bits)
        step.changed(None)
        return int(after) - rounds
