# ruff: noqa: E501  (kernels of one line)
"""What check mode must see: a battery of kernels with one fault each, and correct ones beside them.

Each case is a kernel ``k``, how it is launched, and a pattern of the message, or None for a kernel
that is right. A fault must name the source line; ``__LINE__`` in the case says which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.simt.device import EmulatedDevice
from tests.simt.emulator import CompileError, EmulationError, LaunchError, RaceError, Schedule
from tests.simt.source import SourceError

I32, F32 = np.int32, np.float32
QUICK = Schedule(timeout=0.3)


@dataclass(frozen=True)
class Case:
    """A kernel's text (its head is written for us), arguments, launch, and what is to be said of it."""

    name: str
    parameters: str
    body: str
    args: tuple
    expected: str | None
    grid: int = 1
    block: int = 32
    shared: int = 0
    cooperative: bool = False
    schedule: Schedule | None = None
    before: str = ""

    @property
    def source(self) -> str:
        return f"{self.before}\n__global__ void k({self.parameters}) {{\n{self.body}\n}}\n"


def ints(n: int) -> np.ndarray:
    return np.arange(n, dtype=I32)


A32 = (ints(32),)

FAULTS = [
    # bounds
    Case(
        "read past the end",
        "const int* a, int* o, int n",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= n && a[i] == 12345) o[0] = 2;",
        (ints(100), ints(4), I32(100)),
        r"out-of-bounds read of 4 bytes at argument 0, byte 400 of 400 at source.cu:3",
        2,
        64,
    ),
    Case(
        "write past the end",
        "int* a, int n",
        "int i = threadIdx.x; if (i <= n)\n a[i] = 1;",
        (ints(20), I32(20)),
        r"out-of-bounds write of 4 bytes at argument 0, byte \d+ of 80 at source.cu:4",
    ),
    Case(
        "write before the start",
        "int* a",
        "a[(int)threadIdx.x - 1] = 1;",
        A32,
        "out-of-bounds write .* byte -4 of",
    ),
    Case(
        "atomic past the end",
        "int* a",
        "atomicAdd(&a[threadIdx.x], 1);",
        (ints(31),),
        r"out-of-bounds atomic .* at source.cu:3",
    ),
    Case(
        "cached load past the end",
        "int* a",
        "int v = __ldcg(&a[threadIdx.x]);\n a[0] = v;",
        (ints(31),),
        r"out-of-bounds read .* at source.cu:3",
    ),
    Case(
        "static shared array, index known to g++",
        "int* a",
        "__shared__ int s[32]; s[threadIdx.x + 1] = 1; a[threadIdx.x] = s[threadIdx.x + 1];",
        A32,
        "out of bounds at source.cu:3",
    ),
    Case(
        "static shared array through a pointer",
        "int* a",
        "__shared__ int s[32]; set(s, threadIdx.x + 1); a[threadIdx.x] = 1;",
        A32,
        r"out-of-bounds write .* shared s, byte 128 of 128 at source.cu:1",
        before="__device__ void set(int* p, int i) { p[i] = 1; }",
    ),
    Case(
        "dynamic shared array",
        "int* a",
        "extern __shared__ int s[]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x];",
        A32,
        r"out-of-bounds write .* shared \(dynamic\), byte \d+ of 64",
        shared=64,
    ),
    Case(
        "null pointer",
        "int* a",
        "a[threadIdx.x] = 5;",
        (None,),
        "out-of-bounds write .*null pointer",
    ),
    Case(
        "const argument written",
        "const int* a",
        "const_cast<int*>(a)[threadIdx.x] = 5;",
        A32,
        "takes as const",
    ),
    Case(
        "misaligned int4",
        "int* a",
        "((int4*)(a + 1))[0] = make_int4(1, 2, 3, 4);",
        A32,
        "misaligned access at source.cu:3",
        block=1,
    ),
    Case(
        "misaligned double2",
        "const double* a, double* b",
        "const double2 x = ((const double2*)(a + 1))[0]; b[0] = x.x + x.y;",
        (np.ones(8), np.ones(8)),
        "misaligned access at source.cu:3",
        block=1,
    ),
    # values that were never written
    Case(
        "uninitialised shared memory",
        "int* a",
        "__shared__ int s[64]; if (threadIdx.x) s[threadIdx.x] = 1; __syncthreads();\n a[threadIdx.x] = s[threadIdx.x];",
        (ints(64),),
        r"uninitialised shared memory at shared s, byte 0 of 256 at source.cu:4",
        block=64,
    ),
    Case(
        "shared memory of the block before",
        "int* a",
        "__shared__ int s; if (blockIdx.x == a[0]) s = 1; if (s) a[1] = 1;",
        (ints(4),),
        "uninitialised shared",
        grid=2,
        block=1,
    ),
    # races
    Case(
        "missing __syncthreads",
        "int* a",
        "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; a[threadIdx.x] = s[63 - threadIdx.x];",
        (ints(64),),
        "race on shared s|uninitialised",
        block=64,
    ),
    Case(
        "missing second __syncthreads",
        "int* a",
        "__shared__ int s[64]; s[threadIdx.x] = 0; __syncthreads();\n int v = s[63 - threadIdx.x];\n s[threadIdx.x] = v + 1;\n __syncthreads(); a[threadIdx.x] = s[threadIdx.x];",
        (ints(64),),
        r"race on shared s.*source.cu:(4.*source.cu:5|5.*source.cu:4)",
        block=64,
    ),
    Case(
        "missing __syncwarp",
        "int* a",
        "__shared__ int s[32]; s[threadIdx.x] = 0; __syncthreads(); s[threadIdx.x] = threadIdx.x; a[threadIdx.x] = s[31 - threadIdx.x];",
        A32,
        "race on shared s",
    ),
    Case(
        "a ballot is no memory barrier",
        "int* a",
        "__shared__ int s[32]; s[threadIdx.x] = threadIdx.x; int b = __ballot_sync(~0u, 1); a[threadIdx.x] = s[31 - threadIdx.x] + b;",
        A32,
        "race on shared s|uninitialised",
    ),
    Case(
        "__syncwarp over two warps",
        "int* a",
        "__shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); s[threadIdx.x] = threadIdx.x; __syncwarp(); a[threadIdx.x] = s[63 - threadIdx.x];",
        (ints(64),),
        "race on shared s",
        block=64,
    ),
    Case(
        "queue tail without an atomic",
        "int* q, int* tail",
        "int p = tail[0]; tail[0] = p + 1; q[p] = threadIdx.x;",
        (ints(64), np.zeros(1, I32)),
        "race on argument 1",
        grid=2,
    ),
    Case(
        "blocks store different values",
        "int* a",
        "if (threadIdx.x == 0) a[0] = blockIdx.x;",
        A32,
        "race on argument 0",
        grid=2,
    ),
    Case(
        "neighbouring bytes, one of them shared",
        "unsigned char* a",
        "a[(threadIdx.x + 1) / 2] = (unsigned char)threadIdx.x;",
        (np.zeros(64, np.uint8),),
        "race on argument 0",
    ),
    Case(
        "__ldg of what the launch writes",
        "int* a",
        "a[threadIdx.x] = 1; __syncthreads();\n a[threadIdx.x] = __ldg(&a[31 - threadIdx.x]);",
        A32,
        "__ldg of memory that this launch writes.*source.cu:4",
    ),
    # barriers
    Case(
        "half the block at a barrier, half in a loop",
        "int* a",
        "if (threadIdx.x < 16) __syncthreads(); else while (atomicAdd(a, 0) == 0);",
        (np.zeros(4, I32),),
        "livelock",
    ),
    Case(
        "barrier at two places",
        "int* a",
        "if (threadIdx.x < 16)\n __syncthreads();\n else\n __syncthreads(); a[threadIdx.x] = 1;",
        A32,
        r"divergent barrier: .*source.cu:[46].*source.cu:[46]",
    ),
    Case(
        "ballot with absent lanes",
        "int* a",
        "if (threadIdx.x < 16) a[threadIdx.x] = __ballot_sync(~0u, 1); else __syncthreads();",
        A32,
        r"deadlock: .*16 threads wait in __ballot_sync at source.cu:3 \(mask 0xffffffff\)",
    ),
    Case(
        "mask without the caller",
        "int* a",
        "a[threadIdx.x] = __ballot_sync(0xffffu, 1);",
        A32,
        "does not name the calling lane .* at source.cu:3",
    ),
    Case(
        "votes of two kinds meet",
        "int* a",
        "a[threadIdx.x] = threadIdx.x & 1 ? __any_sync(~0u, 1) : __all_sync(~0u, 1);",
        A32,
        "deadlock",
    ),
    Case(
        "grid barrier, blocks that do not fit",
        "unsigned* a",
        "if (threadIdx.x == 0) { atomicAdd(a, 1u); while (*(volatile unsigned*)a < gridDim.x); }",
        (np.zeros(1, np.uint32),),
        "livelock.*could not start: a grid barrier needs a cooperative launch",
        grid=5,
        block=1024,
    ),
    # loops, arithmetic, the rest
    Case(
        "waiting for ever on a volatile",
        "volatile int* a",
        "while (a[0] == 0);",
        (np.zeros(4, I32),),
        "livelock",
    ),
    Case(
        "endless loop",
        "int* a",
        "for (unsigned i = 1; i; i = i * 2 + 1) a[threadIdx.x] += i;",
        A32,
        "timeout",
        block=1,
        schedule=QUICK,
    ),
    Case(
        "division by zero",
        "int* a, int n",
        "a[threadIdx.x] = 5 / n;",
        (ints(32), I32(0)),
        "division by zero.* at source.cu:3",
    ),
    Case(
        "shift by 32",
        "unsigned* a, int s",
        "a[threadIdx.x] = 1u << s;",
        (np.arange(32, dtype=np.uint32), I32(32)),
        "shift",
    ),
    Case(
        "signed overflow",
        "int* a, int n",
        "a[threadIdx.x] = n + 1;",
        (ints(32), I32(2**31 - 1)),
        "overflow of a signed addition",
    ),
    Case(
        "float that no int holds",
        "int* a, float f",
        "a[threadIdx.x] = (int)f;",
        (ints(32), F32(1e20)),
        "outside the range",
    ),
    Case(
        "deep recursion",
        "int* a",
        "a[1] = deep(a, 1000);",
        (np.zeros(4, I32),),
        "stack overflow",
        block=1,
        before="__device__ __noinline__ int deep(volatile int* a, int n) { volatile char b[4096]; b[n % 4096] = 1; return n ? deep(a, n - 1) + b[n % 4096] : a[0]; }",
    ),
    Case(
        "assert",
        "int* a",
        "assert(a[0] == 1);",
        (np.zeros(4, I32),),
        r"assertion failed: a\[0\] == 1 at source.cu:3",
        block=1,
    ),
    Case("trap", "int* a", "if (a[0] == 0) __trap();", (np.zeros(4, I32),), "__trap", block=1),
    Case(
        "static shared memory beyond 48 KiB",
        "int* a",
        "__shared__ double s[7000]; s[threadIdx.x] = 1; a[0] = (int)s[threadIdx.x];",
        A32,
        "too much shared memory",
        block=1,
    ),
]

CORRECT = [
    Case(
        "__syncwarp orders a warp",
        "int* a",
        "__shared__ int s[32]; s[threadIdx.x] = threadIdx.x; __syncwarp(); a[threadIdx.x] = s[31 - threadIdx.x];",
        A32,
        None,
    ),
    Case("equal values stored by all", "int* a", "a[0] = 7;", A32, None, grid=2),
    Case(
        "neighbouring bytes",
        "unsigned char* a",
        "a[threadIdx.x] = (unsigned char)threadIdx.x;",
        (np.zeros(32, np.uint8),),
        None,
    ),
    Case("volatile stores", "volatile int* a", "a[0] = threadIdx.x;", A32, None, grid=2),
    Case(
        "a plain peek before an atomic",
        "int* a",
        "if (a[0] < 100) atomicMax(a, (int)threadIdx.x);",
        A32,
        None,
        grid=2,
    ),
    Case(
        "threads that left do not hold up a barrier",
        "int* a",
        "if (threadIdx.x >= 40) return; __syncthreads(); a[threadIdx.x] = __ballot_sync(~0u, 1) != 0;",
        (ints(64),),
        None,
        block=64,
    ),
    Case(
        "a block that is no multiple of a warp",
        "int* a",
        "a[threadIdx.x] = __popc(__ballot_sync(~0u, 1)); __syncthreads();",
        (ints(40),),
        None,
        block=40,
    ),
    Case(
        "dynamic shared memory above 48 KiB",
        "int* a",
        "extern __shared__ int s[]; for (int i = threadIdx.x; i < 20000; i += blockDim.x) s[i] = i; __syncthreads(); a[threadIdx.x] = s[19999 - threadIdx.x];",
        A32,
        None,
        shared=80_000,
    ),
    Case(
        "constants of the module",
        "int* a",
        "a[threadIdx.x] = table[threadIdx.x & 3];",
        A32,
        None,
        before="__constant__ int table[4] = {3, 1, 4, 1};",
    ),
    Case(
        "all blocks resident wait for each other",
        "unsigned* a",
        "if (threadIdx.x == 0) { atomicAdd(a, 1u); while (*(volatile unsigned*)a < gridDim.x); }",
        (np.zeros(1, np.uint32),),
        None,
        grid=16,
        cooperative=True,
    ),
]


def run(case: Case, mode: str = "check", seed: int = 0) -> None:
    device = EmulatedDevice(mode, seed=seed, schedule=case.schedule)
    args = tuple(device.upload(a) if isinstance(a, np.ndarray) else a for a in case.args)
    kernel = device.compile(case.source, "k")
    kernel(case.grid, case.block, args, case.shared, cooperative=case.cooperative)


@pytest.mark.parametrize("case", FAULTS, ids=lambda c: c.name)
def test_fault_is_seen(case: Case) -> None:
    for seed in range(5):
        with pytest.raises(EmulationError, match=case.expected):
            run(case, seed=seed)


@pytest.mark.parametrize("case", CORRECT, ids=lambda c: c.name)
@pytest.mark.parametrize("mode", ["check", "fast"])
def test_correct_kernel_is_accepted(case: Case, mode: str) -> None:
    for seed in range(20):
        run(case, mode, seed)


def test_a_fault_leaves_the_emulator_usable() -> None:
    fault, correct = FAULTS[0], CORRECT[0]
    for _ in range(50):
        with pytest.raises(EmulationError):
            run(fault)
        run(correct)


def test_reading_empty_memory_is_seen() -> None:
    device = EmulatedDevice("check")
    kernel = device.compile(
        "__global__ void k(const int* a, int* o) { o[threadIdx.x] = a[threadIdx.x]; }", "k"
    )
    a = device.empty(32, I32)
    with pytest.raises(EmulationError, match="uninitialised memory at argument 0"):
        kernel(1, 32, (a, device.empty(32, I32)))
    fill = device.compile("__global__ void k(int* a) { a[threadIdx.x] = 1; }", "k")
    fill(1, 32, (a,))
    kernel(1, 32, (a, device.empty(32, I32)))


def test_strict_peeks() -> None:
    case = next(c for c in CORRECT if "peek" in c.name)
    strict = Case(
        case.name,
        case.parameters,
        case.body,
        case.args,
        None,
        2,
        schedule=Schedule(strict_peeks=True),
    )
    with pytest.raises(RaceError, match="race on argument 0"):
        run(strict)


@pytest.mark.parametrize(
    ("source", "error", "pattern"),
    [
        ("#include <cstdint>\n__global__ void k() {}", SourceError, "source.cu:1: #include <cstdint>"),
        ('\n#include "nowhere.cuh"\n__global__ void k() {}', SourceError, "source.cu:2: no file 'nowhere.cuh'"),
        ("__global__ void k() { __shared__ int (*p)[4]; }", SourceError, "cannot rewrite"),
        ("__global__ void k() { int x = y; }", CompileError, "source.cu:1.*'y' was not declared|‘y’ was not declared"),
        ("__global__ void k(float* a) { atomicMin(a, 1.0f); }", CompileError, "atomicMin"),
        ("__global__ void k(int* a) { a[0] = __activemask(); }", CompileError, "__activemask"),
    ],
)  # fmt: skip
def test_sources_that_are_refused(source: str, error: type[Exception], pattern: str) -> None:
    with pytest.raises(error, match=pattern):
        EmulatedDevice().compile(source, "k")


def test_launches_that_are_refused() -> None:
    device = EmulatedDevice()
    kernel = device.compile("__global__ void k(int* a) {}", "k")
    a = device.zeros(1, I32)
    for launch in [(1, 2048), (0, 32), (1, 0)]:
        with pytest.raises(LaunchError):
            kernel(*launch, (a,))
    with pytest.raises(LaunchError, match="shared memory"):
        kernel(1, 32, (a,), 1 << 20)
    with pytest.raises(LaunchError, match="cooperative launch of 5 blocks of 1024 threads; 4 fit"):
        kernel(5, 1024, (a,), cooperative=True)
