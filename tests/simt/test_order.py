"""Memory order between blocks: the known patterns are accepted, and each fence in them is needed.

Every pattern here is right on a GPU and gives the right answer under all schedules tried. Taking
away any one line marked ``// needed`` must be seen, as a race or as a wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.simt.device import EmulatedDevice
from tests.simt.emulator import EmulationError, RaceError, Schedule

I32, U32 = np.int32, np.uint32
SEEDS = range(30)

LAST_BLOCK_SUM = """
__device__ int block_sum(int v, int* s) {
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();  // needed
  for (int d = 32; d; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();  // needed
  }
  return s[0];
}
__global__ void k(const int* in, int* part, unsigned* count, int* out, int n) {
  __shared__ int s[64];
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  int sum = block_sum(i < n ? in[i] : 0, s);
  if (t == 0) {
    part[blockIdx.x] = sum;
    __threadfence();  // needed
    last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __threadfence();  // needed
  }
  __syncthreads();  // needed
  if (last) {
    int v = 0;
    for (int j = t; j < gridDim.x; j += 64) v += part[j];
    v = block_sum(v, s);
    if (t == 0) out[0] = v;
  }
}
"""

LOOK_BACK_SCAN = """
__global__ void k(const int* in, int* out, int* sum, int* prefix, volatile int* flag, int* ticket,
                  int n) {
  __shared__ int s_block, s_base;
  if (threadIdx.x == 0) s_block = atomicAdd(ticket, 1);
  __syncthreads();  // needed
  int b = s_block, i = b * 32 + threadIdx.x, v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(~0u, v, d);
    if (threadIdx.x >= d) v += u;
  }
  if (threadIdx.x == 31) {
    sum[b] = v;
    __threadfence();  // needed
    flag[b] = 1;
    int base = 0;
    for (int p = b - 1; p >= 0; p--) {
      int f;
      while ((f = flag[p]) == 0) __nanosleep(10);
      __threadfence();  // needed
      if (f == 2) {
        base += prefix[p];
        break;
      }
      base += sum[p];
    }
    prefix[b] = base + v;
    __threadfence();  // needed
    flag[b] = 2;
    s_base = base;
  }
  __syncthreads();  // needed
  if (i < n) out[i] = v + s_base;
}
"""

SPIN_LOCK = """
__global__ void k(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();  // needed
    count[0] = count[0] + 1;
    __threadfence();  // needed
    atomicExch(lock, 0);
  }
}
"""

GRID_BARRIER = """
struct Grid {
  unsigned* arrived;
  __device__ void sync() const {
    __syncthreads();  // needed
    if (threadIdx.x == 0) {
      __threadfence();  // needed
      unsigned step = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
      unsigned before = atomicAdd(arrived, step);
      while (((before ^ *(volatile unsigned*)arrived) & 0x80000000u) == 0) {}
      __threadfence();  // needed
    }
    __syncthreads();  // needed
  }
};
__global__ void k(int* a, int* b, int rounds, unsigned* arrived) {
  Grid grid{arrived};
  int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    b[i] = a[(i + 1) % n] + 1;
    grid.sync();  // needed
    a[i] = b[(i + n / 2) % n];
    grid.sync();  // needed
  }
}
"""


@dataclass(frozen=True)
class Pattern:
    """A kernel ``k`` and a run of it that asserts its answer."""

    name: str
    source: str
    run: Callable[[EmulatedDevice, str], None]

    def without(self, number: int) -> str:
        """The source without its ``number``-th needed line."""
        lines = self.source.splitlines()
        needed = [i for i, line in enumerate(lines) if "// needed" in line]
        lines[needed[number]] = ""
        return "\n".join(lines)


VALUES = np.random.default_rng(0).integers(-9, 9, 1000).astype(I32)


def last_block(device: EmulatedDevice, source: str) -> None:
    out = device.zeros(1, I32)
    args = (device.upload(VALUES), device.empty(16, I32), device.zeros(1, U32), out, I32(1000))
    device.compile(source, "k")(16, 64, args)
    assert device.download(out)[0] == VALUES.sum()


def look_back(device: EmulatedDevice, source: str) -> None:
    out = device.empty(1000, I32)
    work = (device.empty(32, I32), device.empty(32, I32), device.zeros(32, I32))
    args = (device.upload(VALUES), out, *work, device.zeros(1, I32), I32(1000))
    device.compile(source, "k")(32, 32, args)
    assert (device.download(out) == np.cumsum(VALUES)).all()


def spin_lock(device: EmulatedDevice, source: str) -> None:
    count = device.zeros(1, I32)
    device.compile(source, "k")(8, 32, (device.zeros(1, I32), count))
    assert device.download(count)[0] == 8


def grid_barrier(device: EmulatedDevice, source: str) -> None:
    n, rounds = 4 * 40, 3
    a = np.arange(n, dtype=I32)
    on_device = device.upload(a)
    args = (on_device, device.empty(n, I32), I32(rounds), device.zeros(1, U32))
    device.compile(source, "k")(4, 40, args, cooperative=True)
    for _ in range(rounds):
        a = np.roll(np.roll(a, -1) + 1, -(n // 2))
    assert (device.download(on_device) == a).all()


PATTERNS = [
    Pattern("sum by the last block", LAST_BLOCK_SUM, last_block),
    Pattern("look-back scan", LOOK_BACK_SCAN, look_back),
    Pattern("spin lock", SPIN_LOCK, spin_lock),
    Pattern("grid barrier", GRID_BARRIER, grid_barrier),
]
NEEDED = [(p, i) for p in PATTERNS for i in range(p.source.count("// needed"))]


@pytest.mark.parametrize("mode", ["check", "fast"])
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_pattern_is_accepted(pattern: Pattern, mode: str) -> None:
    for seed in SEEDS:
        pattern.run(EmulatedDevice(mode, seed), pattern.source)


@pytest.mark.parametrize(("pattern", "number"), NEEDED, ids=lambda v: getattr(v, "name", v))
def test_each_needed_line_is_missed(pattern: Pattern, number: int) -> None:
    source = pattern.without(number)
    for seed in SEEDS:
        try:
            pattern.run(EmulatedDevice("check", seed), source)
        except (EmulationError, AssertionError):
            return
    pytest.fail(f"{pattern.name}: nobody missed the line {number}")


def test_lone_relaxed_store_publishes_nothing() -> None:
    source = """
    __global__ void k(int* data, volatile int* flag, int* out) {
      if (threadIdx.x) return;
      if (blockIdx.x == 0) { data[0] = 42; flag[0] = 1; }
      else { while (flag[0] == 0) {} __threadfence(); out[0] = data[0]; }
    }"""
    device = EmulatedDevice(schedule=Schedule(seed=1))
    args = (device.zeros(1, I32), device.zeros(1, I32), device.empty(1, I32))
    with pytest.raises(RaceError, match="race on argument 0"):
        device.compile(source, "k")(2, 32, args)


RACY = """
__global__ void k(int* order, int* place) {
  order[atomicAdd(place, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}"""


def order_of_arrival(schedule: Schedule) -> tuple[list[int], int]:
    device = EmulatedDevice(schedule=schedule)
    order = device.empty(256, I32)
    kernel = device.compile(RACY, "k")
    kernel(4, 64, (order, device.zeros(1, I32)))
    return device.download(order).tolist(), kernel.stats.fingerprint


def test_same_seed_same_run_other_seed_other_run() -> None:
    runs = [order_of_arrival(Schedule(seed=s)) for s in range(10)]
    assert runs == [order_of_arrival(Schedule(seed=s)) for s in range(10)]
    assert len({fingerprint for _, fingerprint in runs}) == 10
    assert all(sorted(order) == list(range(256)) for order, _ in runs)
    assert order_of_arrival(Schedule(order="fifo")) == order_of_arrival(Schedule(order="fifo"))


def test_a_device_repeats_itself_and_varies_its_launches() -> None:
    def fingerprints(seed: int) -> list[int]:
        device, found = EmulatedDevice(seed=seed), []
        kernel = device.compile(RACY, "k")
        for _ in range(5):
            kernel(4, 64, (device.empty(256, I32), device.zeros(1, I32)))
            found.append(kernel.stats.fingerprint)
        return found

    assert fingerprints(3) == fingerprints(3) != fingerprints(4)
    assert len(set(fingerprints(3))) == 5
