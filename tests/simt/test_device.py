# ruff: noqa: E501  (kernels of one line)
"""The Device port of the emulator: what it gives and what it refuses."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.gpu.device import Device
from lagraph_gpu.gpu.device.filling import fill
from tests.simt import build, emulator
from tests.simt.device import EmulatedArray, EmulatedDevice
from tests.simt.emulator import EmulationError

I32, F32 = np.int32, np.float32
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def device() -> EmulatedDevice:
    return EmulatedDevice()


def test_memory(device: EmulatedDevice) -> None:
    a = device.upload(np.arange(10, dtype=F32))
    assert (a.dtype, a.size, a.nbytes) == (np.dtype(F32), 10, 40)
    part = a[2:5]
    assert device.download(part).tolist() == [2, 3, 4]
    assert device.download(a[5:3]).size == 0
    b = device.copy(part)
    double = device.compile("__global__ void k(float* a) { a[threadIdx.x] *= 2; }", "k")
    double(1, 3, (part,))
    assert device.download(a).tolist() == [0, 1, 4, 6, 8, 5, 6, 7, 8, 9]
    assert device.download(b).tolist() == [2, 3, 4]
    assert device.download(device.zeros(3, bool)).tolist() == [False] * 3
    assert device.download(device.full(2, -1, np.int64)).tolist() == [-1, -1]
    assert device.download(device.empty(2, np.uint8)).tolist() == [0xCD, 0xCD]
    assert device.download(device.empty(0, I32)).size == 0
    with pytest.raises(EmulationError, match="out-of-bounds"):  # a slice ends where it ends
        double(1, 4, (part,))


@pytest.mark.parametrize("dtype", ["u2", "i4", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("size", [0, 1, 70, 1500])
def test_one_value_everywhere(device: EmulatedDevice, dtype: str, size: int) -> None:
    """By the kernel that a GPU's device takes for it. The emulator's arrays do not tell of what
    type their bits are, and kernels there look at it."""
    kind = np.dtype(dtype)
    width = kind.itemsize if kind.itemsize <= 8 else 16
    a = device.zeros(size + 1, f"u{width}" if width <= 8 else kind)
    bits = np.array(-2.5 if kind.kind in "fc" else 7, kind)
    held = bits.view(f"u{width}")[()] if width <= 8 else bits[()]
    assert fill(device, a[:size], held) == (width <= 8)
    found = device.download(a)
    assert (found[:size] == (held if width <= 8 else 0)).all() and found[size] == 0


def test_waits_are_counted(device: EmulatedDevice) -> None:
    a = device.zeros(1, I32)
    assert device.waits == 0
    device.download(a)
    device.synchronize()
    assert device.waits == 2


def test_whole_array_operations(device: EmulatedDevice) -> None:
    a = device.upload(np.array([3, 1, 2, 1], np.int8))
    order = device.argsort(a)
    assert (order.dtype, device.download(order).tolist()) == (np.dtype(np.int64), [1, 3, 2, 0])
    with pytest.raises(EmulationError, match=r"element 0 of .* was never written"):
        device.argsort(device.empty(3, I32))


@pytest.mark.parametrize(
    "use",
    [
        lambda a: np.asarray(a),
        lambda a: np.add(a, 1),
        lambda a: list(a),
        lambda a: len(a),
        lambda a: bool(a),
        lambda a: a == 1,
        lambda a: a[0],
        lambda a: a[::2],
        lambda a: a + 1,
        lambda a: hash(a),
    ],
)
def test_arrays_are_opaque(device: EmulatedDevice, use: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError):
        use(device.zeros(4, I32))


def test_kernel_arguments_are_strict(device: EmulatedDevice) -> None:
    kernel = device.compile(
        "__global__ void k(int* a, const bool* b, void* c, float x, long long y) {}", "k"
    )
    good = (device.zeros(1, I32), device.zeros(1, bool), None, F32(1), np.int64(2))
    kernel(1, 1, good)
    bad: list[tuple[int, object, str]] = [
        (0, np.zeros(1, I32), "a device array of int32 is expected, not ndarray"),
        (0, device.zeros(1, np.int64), "the kernel takes int32, the array holds int64"),
        (0, device.zeros(1, np.uint32), "the kernel takes int32, the array holds uint32"),
        (0, EmulatedDevice().zeros(1, I32), "another device"),
        (0, [1], "not list"),
        (1, device.zeros(1, np.uint8), "the kernel takes bool"),
        (3, 1.0, "a NumPy scalar of float32 is expected, not float"),
        (3, np.float64(1), "not float64"),
        (4, 5, "not int"),
        (4, I32(5), "not int32"),
    ]
    for number, value, message in bad:
        args = (*good[:number], value, *good[number + 1 :])
        with pytest.raises(TypeError, match=f"argument {number}: .*{message}"):
            kernel(1, 1, args)
    with pytest.raises(TypeError, match="tuple of 5 arguments, not 4"):
        kernel(1, 1, good[:4])


NamedRows = namedtuple("NamedRows", ["indptr", "few", "unit", "stride"])

STRUCTS = """
    struct Rows { const int* indptr; char few; double unit; short stride; };
    template <class T> struct Into { unsigned n; T* out; };
    template <class T> __global__ void k(int first, Rows rows, Into<T> into, T last) {
      if (threadIdx.x < into.n)
        into.out[threadIdx.x] = first + rows.indptr[threadIdx.x] + rows.few + rows.unit + rows.stride + last;
    }"""


def test_structs_are_passed_as_tuples(device: EmulatedDevice) -> None:
    kernel, out = device.compile(STRUCTS, "k<float>"), device.empty(3, F32)
    rows = device.upload(np.arange(3, dtype=I32)), np.int8(2), np.float64(0.5), np.int16(7)
    kernel(1, 32, (I32(1), rows, (np.uint32(3), out), F32(100)))
    assert device.download(out).tolist() == [110.5, 111.5, 112.5]
    bad: list[tuple[object, object, str]] = [
        (1, out, "argument 1: a tuple of 4 fields is expected, not int"),
        (rows[:3], out, "argument 1: a tuple of 4 fields is expected, not one of 3"),
        (NamedRows(*rows), out, "argument 1: a tuple of 4 fields is expected, not NamedRows"),
        ((*rows[:2], F32(1), rows[3]), out, "argument 1, field 2: .* of float64 .* not float32"),
        (rows, device.empty(3, I32), "argument 2, field 1: the kernel takes float32"),
        ((out, *rows[1:]), out, "argument 1, field 0: the kernel takes int32"),
    ]
    for given, into, message in bad:
        with pytest.raises(TypeError, match=message):
            kernel(1, 32, (I32(1), given, (np.uint32(3), into), F32(100)))


@pytest.mark.parametrize(
    ("n", "size", "change", "message"),
    [
        (4, 4, None, "out-of-bounds read of 4 bytes at argument 1, field 0, byte 12 of 12"),
        (3, 2, None, "out-of-bounds write of 4 bytes at argument 2, field 1, byte 8 of 8"),
        (3, 3, ("const int* indptr", "const T* indptr"), "read of uninitialised memory at argument 1, field 0"),
        (3, 3, ("T* out", "const T* out"), "write to argument 2, field 1, .* which the kernel takes as const"),
    ],
)  # fmt: skip
def test_pointers_in_structs_are_checked(
    device: EmulatedDevice, n: int, size: int, change: tuple[str, str] | None, message: str
) -> None:
    source, indptr = STRUCTS, device.upload(np.arange(3, dtype=I32))
    if change is not None:
        source = source.replace(*change).replace("const T* indptr", "const int* indptr")
        source = source.replace(
            "into.out[threadIdx.x] =", "const_cast<T*>(into.out)[threadIdx.x] ="
        )
        indptr = device.empty(3, I32) if "indptr" in change[0] else indptr
    rows = indptr, np.int8(2), np.float64(0.5), np.int16(7)
    with pytest.raises(EmulationError, match=message):
        device.compile(source, "k<float>")(
            1, 32, (I32(1), rows, (np.uint32(n), device.empty(size, F32)), F32(100))
        )


@pytest.mark.parametrize(
    "struct", ["struct In { int* a; int b; }; struct Out { In i; int c; };",
               "struct Out { char a; alignas(16) char b; };"],
)  # fmt: skip
def test_structs_that_cannot_be_passed(device: EmulatedDevice, struct: str) -> None:
    with pytest.raises(TypeError, match=r"a struct of .* do not lie as in C, one after another"):
        device.compile(f"{struct} __global__ void k(Out out) {{}}", "k")


def test_a_struct_in_a_struct_is_given_as_its_fields(device: EmulatedDevice) -> None:
    source = """
    struct In { const int* a; int b; };
    struct Out { int add; In in; int* to; };
    __global__ void k(Out out) { out.to[threadIdx.x] = out.in.a[threadIdx.x] + out.in.b + out.add; }
    """
    a, to = device.upload(np.arange(32, dtype=I32)), device.zeros(32, I32)
    device.compile(source, "k")(1, 32, ((I32(100), a, I32(7), to),))
    np.testing.assert_array_equal(device.download(to), np.arange(32) + 107)


def test_name_expressions(device: EmulatedDevice) -> None:
    source = """
    struct Plus { static __device__ int apply(int a, int b) { return a + b; } };
    struct Warp { static constexpr int width = 32; };
    template <class Op, class Tile> __global__ void fold(int* a) { a[threadIdx.x] = Op::apply(a[threadIdx.x], Tile::width); }
    namespace n { template <int N> __global__ void set(int* a) { a[threadIdx.x] = N; } }
    """
    a = device.zeros(4, I32)
    device.compile(source, "n::set<3>")(1, 4, (a,))
    device.compile(source, "fold<Plus, Warp>")(1, 4, (a,))
    assert device.download(a).tolist() == [35] * 4


def test_vector_types_and_structs_through_pointers(device: EmulatedDevice) -> None:
    source = """
    struct Control { unsigned count; int level; };
    __global__ void k(const int4* in, Control* c, int n) {
      if (threadIdx.x < n) { int4 v = in[threadIdx.x]; atomicAdd(&c->count, (unsigned)(v.x + v.y + v.z + v.w)); }
    }"""
    c = device.zeros(2, I32)
    device.compile(source, "k")(1, 32, (device.upload(np.arange(64, dtype=I32)), c, I32(16)))
    assert device.download(c).tolist() == [64 * 63 // 2, 0]


def test_two_kernels_of_the_same_name_do_not_meet(device: EmulatedDevice) -> None:
    """The same template names with another ``Op``, as every generated semiring has."""

    def source(op: str) -> str:
        return f"""
        struct Op {{ static __device__ int apply(int a) {{ return {op}; }} }};
        template <class T> __global__ void k(int* a) {{ __shared__ int s[32]; s[threadIdx.x] = 1; a[threadIdx.x] = T::apply(a[threadIdx.x]); }}
        """

    first, second = (
        device.compile(source("a + 1"), "k<Op>"),
        device.compile(source("a * 5"), "k<Op>"),
    )
    a = device.full(1, 3, I32)
    for kernel, expected in [(first, 4), (second, 20), (first, 21)]:
        kernel(1, 1, (a,))
        assert device.download(a).tolist() == [expected]


def test_includes_are_resolved_once(tmp_path: Path) -> None:
    (tmp_path / "base.cuh").write_text(
        "#pragma once\n/* five */ __device__ int five() { return 5; }\n"
    )
    (tmp_path / "set.cuh").write_text(
        '#pragma once\n#include "base.cuh"\n__global__ void set(int* a) {\n a[threadIdx.x] = five();\n}\n'
    )
    source = '#include "base.cuh"\n#include "set.cuh"\n#include "set.cuh"  // again\n'
    kernel = emulator.compile_kernel(source, "set", (tmp_path,))
    assert [str(p) for p in kernel.parameters] == ["int32"]
    assert emulator.compile_kernel(source, "set", (tmp_path,)) is kernel
    (tmp_path / "base.cuh").write_text("#pragma once\n__device__ int five() { return 6; }\n")
    assert emulator.compile_kernel(source, "set", (tmp_path,)) is not kernel


SCRIPT = """
import numpy as np
from tests.simt.device import EmulatedDevice
device = EmulatedDevice(seed=5)
a = device.zeros(64, np.int32)
k = device.compile("__global__ void k(int* a, int* n) { a[atomicAdd(n, 1)] = threadIdx.x; __syncthreads(); }", "k")
k(1, 64, (a, device.zeros(1, np.int32)))
try:
    k(1, 65, (a, device.zeros(1, np.int32)))
except Exception as error:
    print(type(error).__name__, k.stats.fingerprint, device.download(a).sum())
"""


def run_script(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_portable_fibers_run_the_same(tmp_path: Path) -> None:
    """ucontext, which serves machines other than x86-64, gives the same run as the assembly."""
    here = run_script()
    assert here.startswith("EmulationError ")
    assert run_script(LAGRAPH_SIMT_SWITCH="ucontext") == here


def test_an_empty_cache_serves_two_processes_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "LAGRAPH_SIMT_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT]
    both = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [p.communicate()[0] for p in both]
    assert outputs[0] == outputs[1] != ""
    kinds = [p.suffix for p in tmp_path.iterdir() if p.suffix != ".lock"]
    assert sorted(kinds) == [*[""] * 2, *[".so"] * 3]  # the kernel without lines and with them


def test_what_was_used_longest_ago_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAGRAPH_SIMT_CACHE", str(tmp_path))
    for used, name in enumerate(["libsimt-0.so", "c0.so", "a1.so", "b2.so"]):
        (tmp_path / name).write_bytes(bytes(10))
        os.utime(tmp_path / name, (used, used))
    build.forget(room=25)
    assert {p.name for p in tmp_path.iterdir()} == {"libsimt-0.so", "a1.so", "b2.so"}


def test_modules_are_kept_for_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAGRAPH_SIMT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which does not count
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / ".cache" / "lagraph-simt"
    assert build.cache_dir() == folder and stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [*tmp_path.iterdir()] == [tmp_path / "home"]
    folder.chmod(0o777)
    with pytest.raises(build.CompileError, match=r"others can write .* LAGRAPH_SIMT_CACHE"):
        build.cache_dir()
    build.forget()  # says nothing
    monkeypatch.setenv("LAGRAPH_SIMT_CACHE", str(tmp_path / "own"))
    assert build.cache_dir() == tmp_path / "own"


def test_the_port_is_kept(device: EmulatedDevice) -> None:
    port: Device = device  # mypy compares the signatures
    assert port is device
    assert isinstance(device.zeros(1, I32), EmulatedArray)
    with pytest.raises(TypeError, match="one-dimensional"):
        device.upload([1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no device array of"):
        device.zeros(1, np.clongdouble)


BARRIER = """
#include "core/grid.cuh"
__global__ void k(unsigned* arrivals, int waits, int* came, int* missing) {
    const Grid grid{arrivals};
    for (int i = 0; i < waits; ++i) {
        if (threadIdx.x == 0) atomicAdd(came + i, 1);
        grid.wait();
        const int all = *static_cast<volatile int*>(came + i);
        if (threadIdx.x == 0 && all != int(gridDim.x)) atomicAdd(missing, 1);
    }
}
"""


@pytest.mark.parametrize("blocks", [1, 2, 3, 4])
@pytest.mark.parametrize("before", [0, 1], ids=["even", "odd"])
def test_a_barrier_of_the_grid_holds_however_often_it_was_passed(blocks: int, before: int) -> None:
    """A counter of arrivals that only grows would wrap after 16 million waits of 264 blocks."""
    device = EmulatedDevice(mode="check", seed=blocks, max_blocks=4, block_size=32)
    kernel, waits = device.compile(BARRIER, "k"), 5
    arrivals = device.upload(np.array([before << 31], np.uint32))
    came, missing = device.zeros(waits, I32), device.zeros(1, I32)
    kernel(blocks, 32, (arrivals, I32(waits), came, missing), cooperative=True)
    assert device.download(came).tolist() == [blocks] * waits
    assert device.download(missing).tolist() == [0]
    assert device.download(arrivals).tolist() == [(before + waits & 1) << 31]
