"""What a launch leaves that is given up: nothing. Its memory is as before, and the next launches do
what they would have done without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from tests.simt.device import EmulatedArray, EmulatedDevice
from tests.simt.emulator import EmulationError, Schedule
from tests.simt.test_faults import FAULTS, I32, QUICK, Case

SHARED = """
__device__ void fold(int* s, int i) {
    __syncthreads();
    if (i < 32) s[i] += s[i + 32];
    __syncthreads();
}
__global__ void k(int* a, int* total) {
    __shared__ int s[64];
    __shared__ double unused[3];
    const int i = threadIdx.x;
    if (i < 3) unused[i] = 0;
    s[i] = a[blockIdx.x * 64 + i];
    fold(s, i);
    int mine = i < 32 ? s[i] : 0;
    for (int d = 16; d; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
    if (i == 0) atomicAdd(total, mine + (int)unused[0]);
    __threadfence();
    a[blockIdx.x * 64 + i] = mine;
}"""
"""A kernel that is right, with shared memory, barriers, collectives, fences and atomics."""

RACE_THEN_ASSERT = Case(
    "a race, whose outcome is not known when the launch ends",
    "int* a",
    "a[0] = (int)threadIdx.x + 1;\n assert(threadIdx.x == 0);",
    (np.zeros(4, I32),),
    "assertion failed",
    schedule=Schedule("fifo"),
)
HALF_WRITTEN = Case(
    "half of the memory is written when time is up",
    "int* a",
    "a[threadIdx.x] = 1; __syncthreads(); for (unsigned i = 1; i; i = i * 2 + 1) atomicAdd(a, 1);",
    (np.zeros(64, I32),),
    "timeout",
    schedule=QUICK,
)
NAMES = (
    *("write past the end", "missing __syncthreads", "ballot with absent lanes", "endless loop"),
    *("division by zero", "deep recursion", "assert", "barrier at two places"),
)
ABORTS = [*(c for c in FAULTS if c.name in NAMES), RACE_THEN_ASSERT, HALF_WRITTEN]


def given_up(case: Case, device: EmulatedDevice) -> None:
    args = tuple(device.upload(a) if isinstance(a, np.ndarray) else a for a in case.args)
    kernel = device.compile(case.source, "k")
    device.schedule = case.schedule or Schedule(seed=1)
    with pytest.raises(EmulationError, match=case.expected):
        kernel(case.grid, case.block, args, case.shared)
    device.schedule = None
    for array, before in zip(args, case.args, strict=True):
        if isinstance(array, EmulatedArray):
            assert np.array_equal(device.download(array), before)


def right(device: EmulatedDevice, order: str) -> tuple[object, ...]:
    """What a right kernel answers and does: the order of its threads, and their accesses."""
    a, total = device.upload(np.arange(512, dtype=I32)), device.zeros(1, I32)
    kernel = device.compile(SHARED, "k")
    device.schedule = Schedule(order, seed=5, yield_atomic=0.3)
    kernel(8, 64, (a, total))
    device.schedule = None
    return device.download(a).tolist(), device.download(total).tolist(), kernel.stats


@pytest.mark.parametrize("case", ABORTS, ids=lambda c: c.name)
def test_what_follows_an_abort_does_what_it_did_before(case: Case) -> None:
    devices = EmulatedDevice("check"), EmulatedDevice("fast")
    orders = "random", "reverse"
    before = [right(device, order) for device in devices for order in orders]
    for at, seen in enumerate(before):
        given_up(case, devices[0])
        assert right(devices[at // 2], orders[at % 2]) == seen


def test_memory_that_nobody_has_written_is_so_again() -> None:
    device = EmulatedDevice("check", schedule=QUICK)
    kernel = device.compile(HALF_WRITTEN.source, "k")
    a = device.empty(64, I32)
    with pytest.raises(EmulationError, match="timeout"):
        kernel(1, 64, (a,))
    with pytest.raises(EmulationError, match="never written"):
        device.argsort(a)


MEMORY = """
__global__ void k(int* a, int n) {
    __shared__ int s[64];
    for (int round = 0;; ++round) {
        const int i = (threadIdx.x + blockIdx.x * 64) * 61 + round * 7919;
        s[threadIdx.x] = i; __syncwarp();
        atomicAdd(a + i % n, s[threadIdx.x]); __threadfence(); __syncthreads();
    }
}"""
"""A kernel without end, of which the checker remembers more and more: most of its time is spent in
the runtime and in the C library's allocator."""


def test_the_time_limit_may_strike_at_any_time() -> None:
    device = EmulatedDevice("check")
    expected = right(device, "random")
    endless = device.compile(MEMORY, "k")
    a = device.zeros(1 << 16, I32)
    for turn in range(150):
        device.schedule = Schedule(seed=turn, timeout=0.001 * (1 + turn % 8))
        with pytest.raises(EmulationError, match="timeout"):
            endless(4, 64, (a, I32(a.size)))
        if turn % 10 == 0:
            assert right(device, "random") == expected
    assert not device.download(a).any()


def test_a_loop_that_calls_nothing_is_given_up() -> None:
    device = EmulatedDevice("fast", schedule=QUICK)
    source = (
        "__global__ void k(unsigned* a, unsigned n) {"
        " unsigned x = n; while (x != 2) x = x * x * x + 4u; a[0] = x; }"
    )
    with pytest.raises(EmulationError, match="timeout"):
        device.compile(source, "k")(1, 1, (device.zeros(1, np.uint32), np.uint32(1)))


class Impatient(EmulatedDevice):
    """A device that gives up launches of more than a millisecond, from some launch on."""

    patient = float("inf")

    def next_schedule(self) -> Schedule:
        drawn = super().next_schedule()
        return drawn if self.launches < self.patient else replace(drawn, timeout=0.001)


def test_searches_and_sums_are_right_after_launches_that_were_given_up() -> None:
    """Prefix sums, reductions and products keep memory for the next launch."""
    device = Impatient("check", block_size=64, max_blocks=4)
    backend = GpuBackend(device)
    ends = np.unique(np.random.default_rng(3).integers(0, 200, (2, 900)), axis=1)

    def answers() -> tuple[object, ...]:
        G = lg.Graph.from_edges(*ends, backend=backend)
        level, _ = lg.bfs(G, 0)
        wide = G.A.mxm(G.A).new()
        return level.to_dense(fill_value=-1).tolist(), wide.nvals, wide.reduce_scalar().get()

    expected, aborted = answers(), 0
    for turn in range(24):
        device.patient = device.launches + turn
        try:
            answers()
        except EmulationError:
            aborted += 1
        device.patient = float("inf")
        assert answers() == expected
    assert aborted > 0
