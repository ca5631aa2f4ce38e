# ruff: noqa: E501  (kernels of one line)
"""Each intrinsic against NumPy or plain Python, under many schedules.

A row of ``TABLE`` is a C++ expression in ``v`` (this thread's value) and ``t`` (its index), and a
function that gives, for the 32 values of one warp, the 32 results. Each expression is one kernel's
worth of work for two warps of a block.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.simt.device import EmulatedDevice
from tests.simt.emulator import Schedule

I32, I64, U32 = np.int32, np.int64, np.uint32
LANE = np.arange(32)
Rule = Callable[[np.ndarray], np.ndarray]
SCHEDULES = [
    Schedule(order="fifo"),
    Schedule(order="reverse"),
    *(Schedule(seed=s, yield_memory=0.1) for s in range(20)),
]


def same(x: np.ndarray, value: object) -> np.ndarray:
    return np.full(x.size, value)


def bit_set(flags: np.ndarray) -> int:
    return sum(1 << i for i, f in enumerate(flags) if f)


def each(f: Callable[[int], int]) -> Rule:
    return lambda x: np.array([f(int(v)) for v in x])


def moved(source: Rule, inside: Rule) -> Rule:
    """A shuffle: the value of ``source(lane)`` where that is ``inside`` the segment, else one's own."""
    return lambda x: np.where(inside(LANE), x[source(LANE) % 32], x)


TABLE: list[tuple[str, Callable[[np.ndarray], object]]] = [
    ("__shfl_sync(~0u, v, 3)", lambda x: same(x, x[3])),
    ("__shfl_sync(~0u, v, t + 1, 8)", lambda x: x[(LANE & ~7) | ((LANE + 1) & 7)]),
    ("__shfl_up_sync(~0u, v, 2, 16)", moved(lambda i: i - 2, lambda i: i % 16 >= 2)),
    ("__shfl_down_sync(~0u, v, 5)", moved(lambda i: i + 5, lambda i: i + 5 < 32)),
    ("__shfl_down_sync(~0u, v, 3, 8)", moved(lambda i: i + 3, lambda i: i % 8 + 3 < 8)),
    ("__shfl_xor_sync(~0u, v, 9)", lambda x: x[LANE ^ 9]),
    ("__shfl_xor_sync(~0u, v, 4, 4)", moved(lambda i: i ^ 4, lambda i: (i ^ 4) < i)),
    ("__shfl_sync(0xffffu << (t & 16), v, t & 16)", lambda x: x[LANE & 16]),
    ("__shfl_sync(~0u, (long long)v << 33, 3) >> 33", lambda x: same(x, x[3])),
    ("(int)(2 * __shfl_xor_sync(~0u, v / 2.0, 1))", lambda x: x[LANE ^ 1]),
    ("__ballot_sync(~0u, v & 1)", lambda x: same(x, bit_set(x & 1))),
    ("__any_sync(~0u, v == 7)", lambda x: same(x, (x == 7).any())),
    ("__all_sync(~0u, v < 1000)", lambda x: same(x, True)),
    ("__all_sync(~0u, v < 800)", lambda x: same(x, (x < 800).all())),
    ("__match_any_sync(~0u, v & 3)", lambda x: [bit_set(x & 3 == v & 3) for v in x]),
    ("__match_all_sync(~0u, v >> 10, &p)", lambda x: same(x, 2**32 - 1)),
    ("__match_all_sync(~0u, v & 3, &p) + p", lambda x: same(x, 0)),
    ("__reduce_add_sync(~0u, v)", lambda x: same(x, x.sum())),
    ("__reduce_min_sync(~0u, v - 400)", lambda x: same(x, x.min() - 400)),
    ("__reduce_max_sync(~0u, (unsigned)v)", lambda x: same(x, x.max())),
    ("__reduce_or_sync(~0u, (unsigned)v)", lambda x: same(x, np.bitwise_or.reduce(x))),
    ("__reduce_and_sync(~0u, (unsigned)v)", lambda x: same(x, np.bitwise_and.reduce(x))),
    ("__reduce_xor_sync(~0u, (unsigned)v)", lambda x: same(x, np.bitwise_xor.reduce(x))),
    ("__popc(v)", each(int.bit_count)),
    ("__popcll((long long)v << 20)", each(int.bit_count)),
    ("__ffs(v)", each(lambda v: (v & -v).bit_length())),
    ("__ffsll((long long)v << 33)", each(lambda v: ((v << 33) & -(v << 33)).bit_length())),
    ("__clz(v)", each(lambda v: 32 - v.bit_length())),
    ("__clzll(v)", each(lambda v: 64 - v.bit_length())),
    ("__clz(0) + __clzll(0) + __ffs(0)", lambda x: same(x, 96)),
    ("__brev(v)", each(lambda v: int(f"{v:032b}"[::-1], 2))),
    ("__brevll(v) >> 32", each(lambda v: int(f"{v:032b}"[::-1], 2))),
    ("__fns(0xf0f0u, 0, 3)", lambda x: same(x, 6)),
    ("__umulhi(v * 77777u, 99999u)", each(lambda v: (v * 77777 % 2**32 * 99999) >> 32)),
    ("__mulhi(-v, 1 << 30)", each(lambda v: (-v << 30) >> 32)),
    ("__umul64hi((unsigned long long)v << 50, 1u << 20)", each(lambda v: (v << 70) >> 64)),
    ("__funnelshift_lc(v, t, t)", lambda x: ((x | I64(LANE) << 32) << LANE >> 32) & 0xFFFFFFFF),
    ("__funnelshift_lc(v, t, 40)", lambda x: x),
    ("__byte_perm(v, t, 0x4701)", lambda x: (x >> 8 & 255) | (x & 255) << 8 | (LANE & 255) << 24),
    ("__funnelshift_l(v, t, 7)", lambda x: ((x | I64(LANE) << 32) << 7 >> 32) & 0xFFFFFFFF),
    ("__funnelshift_rc(v, t, t)", lambda x: ((x | I64(LANE) << 32) >> LANE) & 0xFFFFFFFF),
    ("__funnelshift_rc(v, t, 40)", lambda x: LANE),
    ("__float_as_uint((float)v)", lambda x: x.astype(np.float32).view(U32)),
    ("__int_as_float(__float_as_int(v)) == v", lambda x: same(x, True)),
    ("__double_as_longlong((double)v) >> 32", lambda x: x.astype(float).view(I64) >> 32),
    ("min(v, 300) + max(v, 300u)", lambda x: np.minimum(x, 300) + np.maximum(x, 300)),
    ("min((float)v, NAN) + fmaxf(NAN, v)", lambda x: 2 * x),
    ("(int)(rsqrtf(v + 1.0f) * 1000)", lambda x: (1000 / np.sqrt(x + 1)).astype(I32)),
]  # fmt: skip


@pytest.mark.parametrize("part", range(3))
def test_against_numpy(part: int) -> None:
    rows = TABLE[part::3]
    puts = "\n".join(f"out[{i} * 64 + t] = (long long)({e});" for i, (e, _) in enumerate(rows))
    source = f"""
    __global__ void k(const int* in, long long* out) {{
      int t = threadIdx.x & 31, v = in[threadIdx.x], p = 0;
      out += threadIdx.x & 32;
      {puts}
    }}"""
    values = np.random.default_rng(0).integers(0, 900, 64).astype(I32)
    wide = values.astype(I64)
    with np.errstate(all="ignore"):
        expected = [np.concatenate([f(wide[:32]), f(wide[32:])]).astype(I64) for _, f in rows]
    for mode in ("check", "fast"):
        for schedule in SCHEDULES:
            device = EmulatedDevice(mode, schedule=schedule)
            out = device.empty(64 * len(rows), I64)
            device.compile(source, "k")(1, 64, (device.upload(values), out))
            found = device.download(out).reshape(len(rows), 64)
            for (expression, _), e, f in zip(rows, expected, found, strict=True):
                np.testing.assert_array_equal(f, e, expression)


def test_block_votes() -> None:
    source = """
    __global__ void k(int* out) {
      int t = threadIdx.x, n = blockDim.x;
      out[t] = __syncthreads_count(t % 3 == 0);
      out[n + t] = __syncthreads_or(t == 40);
      out[2 * n + t] = __syncthreads_and(t != 40);
      out[3 * n + t] = __syncthreads_and(t < 100);
    }"""
    for schedule in SCHEDULES:
        device = EmulatedDevice(schedule=schedule)
        out = device.empty(4 * 70, I32)
        device.compile(source, "k")(1, 70, (out,))
        found = device.download(out).reshape(4, 70)
        assert (found[0] == 24).all()
        assert (found[1] != 0).all()
        assert (found[2] == 0).all()
        assert (found[3] != 0).all()


ATOMICS: list[tuple[str, str, Callable[[np.ndarray], object]]] = [
    ("int", "atomicAdd(a, v)", np.sum),
    ("unsigned", "atomicSub(a, v)", lambda x: (1000 - x.sum(dtype=I64)) % 2**32),
    ("unsigned long long", "atomicMin(a, v)", np.min),
    ("long long", "atomicMax(a, v)", lambda x: max(1000, x.max())),
    ("unsigned", "atomicOr(a, v)", lambda x: 1000 | np.bitwise_or.reduce(x)),
    ("unsigned", "atomicAnd(a, v)", lambda x: 1000 & np.bitwise_and.reduce(x)),
    ("int", "atomicXor(a, v)", lambda x: 1000 ^ np.bitwise_xor.reduce(x)),
    ("double", "atomicAdd(a, v)", np.sum),
    ("unsigned", "atomicInc(a, 1010)", lambda x: (1000 + x.size) % 1011),
    ("unsigned short", "unsigned short o = *a, n; do { n = o; o = atomicCAS(a, n, (unsigned short)(n + 1)); } while (o != n)",
     lambda x: 1000 + x.size),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "statement", "answer"), ATOMICS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_atomics(kind: str, statement: str, answer: Callable[[np.ndarray], object]) -> None:
    source = f"__global__ void k({kind}* a, const {kind}* in) {{ {kind} v = in[blockIdx.x * blockDim.x + threadIdx.x]; {statement}; }}"
    values = np.random.default_rng(1).integers(1, 900, 128)
    dtypes = {"int": I32, "unsigned": U32, "unsigned long long": np.uint64, "long long": I64,
              "double": np.float64, "unsigned short": np.uint16}  # fmt: skip
    values = values.astype(dtypes[kind])
    start = 0 if statement == "atomicAdd(a, v)" else 1000
    for schedule in SCHEDULES[:8]:
        device = EmulatedDevice(schedule=schedule)
        a = device.full(1, start, values.dtype)
        device.compile(source, "k")(4, 32, (a, device.upload(values)))
        assert device.download(a)[0] == answer(values)
