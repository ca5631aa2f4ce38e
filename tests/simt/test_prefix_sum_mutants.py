# ruff: noqa: E501  (mutants of one line)
"""The running sum, broken in the lines that matter."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.storage.prefix_sum import STEPS
from tests.simt.exercises import emulated
from tests.simt.mutants import Mutant, suite

SEEDS = range(2)
BLOCK = 64
PIECE = BLOCK * STEPS
INT, LONG = np.dtype(np.int32), np.dtype(np.int64)


def sums() -> None:
    """Of several sizes one after the other, for each leaves the tickets to the next."""
    for seed in SEEDS:
        backend, rng = emulated(seed), np.random.default_rng(seed)
        for n in (0, 1, 33, 5 * PIECE + 40, PIECE - 1, PIECE + 1, 40 * PIECE, 3 * PIECE):
            counts = rng.integers(0, 9, n)
            given = backend.device.upload(counts.astype(INT))
            begins = backend.device.download(backend.prefix_sums.begins(given, LONG))
            np.testing.assert_array_equal(begins, np.append(0, np.cumsum(counts)))
            given = backend.device.upload(counts)
            ends = backend.device.download(backend.prefix_sums.ends(given, INT))
            np.testing.assert_array_equal(ends, np.cumsum(counts))
            assert ends.dtype == INT


def wide() -> None:
    """Counts of 32 bits, their sum beyond; and all there is to wait for is the total."""
    backend = emulated(0)
    given = backend.device.upload(np.full(70, 2**30, INT))
    before = backend.device.waits, backend.device.launches
    ends, total = backend.prefix_sums.total(given, LONG)
    assert (backend.device.waits, backend.device.launches) == (before[0] + 1, before[1] + 1)
    assert total == 70 * 2**30
    np.testing.assert_array_equal(backend.device.download(ends), 2**30 * np.arange(1, 71))


EXERCISES = [sums, wide]

MUTANTS = [
    Mutant("core/prefix_sum.cuh", "begin + 32 * s < n ? static", "true ? static", sums),
    Mutant("core/prefix_sum.cuh", "own + running_sum(mine[s])", "running_sum(mine[s])", sums),
    Mutant("core/prefix_sum.cuh", "mine[s], 31)", "mine[s], 30)", sums),
    Mutant("core/prefix_sum.cuh", "Y mine[STEPS], own = 0;", "Y mine[STEPS]; int own = 0;", wide),
    Mutant("core/prefix_sum.cuh", "lane_id() == 0 ? static_cast<long long>(own) : 0", "static_cast<long long>(own)", sums),
    Mutant("core/prefix_sum.cuh", "tickets.publish_count(piece, total)", "tickets.publish_count(piece, 0)", sums),
    Mutant("core/prefix_sum.cuh", "tickets.before(piece, total)", "tickets.before(piece, 0)", sums),
    Mutant("core/prefix_sum.cuh", "    __syncthreads();\n    const Y up", "    const Y up", sums),
    Mutant("core/prefix_sum.cuh", "    __syncthreads();\n    const Index piece", "    const Index piece", sums),
    Mutant("core/prefix_sum.cuh", "static_cast<Y>(before + warps) - own", "static_cast<Y>(before + warps)", sums),
    Mutant("core/prefix_sum.cuh", "static_cast<Y>(before + warps) - own", "static_cast<Y>(warps) - own", sums),
    Mutant("core/prefix_sum.cuh", "if (begin + 32 * s < n) ends", "ends", sums),
    Mutant("core/prefix_sum.cuh", "piece == 0 && first != nullptr", "piece == 0", sums),
    Mutant("core/prefix_sum.cuh", "*first = 0;", "*first = 1;", sums),
    Mutant("core/prefix_sum.cuh", "__threadfence();  // before", "// before", sums),
    Mutant("core/prefix_sum.cuh", "atomicInc(ended, gridDim.x - 1)", "atomicAdd(ended, 1u)", sums),
    Mutant("core/prefix_sum.cuh", "== gridDim.x - 1;", "== 0;", sums),
    Mutant("core/prefix_sum.cuh", "    __syncwarp();\n", "", sums),
    Mutant("core/prefix_sum.cuh", "at <= gridDim.x", "at < gridDim.x", sums),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
