"""The NVRTC gate, on its own test kernels and on the project's."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from lagraph_gpu.gpu.device import module
from semirings import types
from tests import kernels
from tests import nvrtc_gate as gate
from tests.simt import test_packed_mutants as packed
from tests.simt import test_spmv_ewise_mutants as ewise

MISSING = gate.unavailable()
KERNELS = Path(__file__).resolve().parent / "simt" / "kernels"
OWN = (*gate.OPTIONS, f"-I{KERNELS}")

GOOD = [
    ('#include "scan.cuh"', "scan<int, 256>"),
    ('#include "scan.cuh"', "scan<double, 1024>"),
    ('#include "levels.cuh"', "levels<256>"),
]
HUNGRY = """
template <int N> __global__ void hungry(float* a) {
  float v[N];
  for (int i = 0; i < N; i++) v[i] = a[i];
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) v[j] = v[j] * v[i] + v[(i + j) % N];
  for (int i = 0; i < N; i++) a[i] = v[i];
}
template <int N> __global__ void stacked(int* a, int n) {
  int count[N] = {};
  for (int k = 0; k < n; k++) count[a[k] % N]++;
  for (int k = 0; k < N; k++) a[k] = count[k];
}
__global__ void __launch_bounds__(1024) spilling(float* a) {
  float v[100];
  #pragma unroll
  for (int i = 0; i < 100; i++) v[i] = a[i * 1024 + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 100; i++) a[(99 - i) * 1024 + threadIdx.x] = v[i] + v[(i * 7) % 100];
}
"""


@pytest.fixture(autouse=True)
def nvrtc_is_there() -> None:
    if MISSING:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must run the NVRTC gate, but {MISSING}")
        pytest.skip(f"{MISSING}; pip install 'lagraph-gpu[test]'")


def test_good_kernels_pass_everywhere() -> None:
    reports = gate.check(GOOD, options=OWN)
    print(gate.table(reports))
    assert [(r.name, r.architecture) for r in reports] == [
        (name, a) for _, name in GOOD for a in gate.ARCHITECTURES
    ]
    assert gate.faults(reports) == []
    assert all(0 < r.registers <= 64 for r in reports)
    assert {r.shared for r in reports if r.name == "scan<int, 256>"} <= {32, 32 + 1024}


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("stacked<64>", "has a stack frame of 256 bytes in local memory"),
        ("spilling", "spills"),
        ("hungry<48>", "registers, more than 40"),
    ],
)
def test_greedy_kernels_do_not_pass(name: str, fault: str) -> None:
    reports = gate.check([(HUNGRY, name)], [80, 90], processes=1)
    assert fault in "\n".join(gate.faults(reports, max_registers=40))


def test_a_kernel_that_does_not_compile_is_a_fault() -> None:
    source = "__global__ void k(unsigned* a) { a[0] = __reduce_add_sync(~0u, a[1]); }"
    old, new = gate.check([(source, "k")], [75, 80], processes=1)
    assert "__reduce_add_sync" in "\n".join(old.faults())
    assert "source.cu(1)" in "\n".join(old.faults())
    assert new.faults() == []
    assert "error" in gate.table([old, new])


@pytest.mark.parametrize("source", [packed.FOUR, ewise.LOOK])
def test_kernels_of_exercises_compile(source: str) -> None:
    assert gate.refused(source, 90) == ""


def test_what_has_changed_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAGRAPH_SIMT_CACHE", str(tmp_path))
    (tmp_path / "headers").mkdir()
    header = tmp_path / "headers" / "two.cuh"
    options = [*gate.OPTIONS, f"-I{header.parent}"]
    compiled: list[object] = []
    compile_ = gate._compile
    monkeypatch.setattr(gate, "_compile", lambda job: (compiled.append(job), compile_(job))[1])

    def compiles(two: str, body: str = "a[0] = two();", architecture: int = 90, *more: str) -> bool:
        header.write_text(f"// Two.\n__device__ inline int two() {{\n{two}\n}}\n")
        kernel = f'#include "two.cuh"\n__global__ void k(int* a) {{ {body} }}\n'
        before = len(compiled)
        for _ in range(2):  # as it is now, and as it was kept
            (report,) = gate.check([(kernel, "k")], [architecture], [*options, *more], keep=True)
            (anew,) = map(compile_, [(kernel, "k", architecture, (*options, *more))])
            assert [replace(each, seconds=0) for each in anew] == [replace(report, seconds=0)]
        return len(compiled) > before

    assert compiles("return 2;") and not compiles("return 2;")
    assert not compiles("return 2;  // two\n\n")
    assert compiles("return 3;") and compiles("__align__(8) int i = 3; return i;")
    assert compiles('int i; asm volatile("prefetch.global.L1 [%0];" :: "l"(&i)); return 2;')
    assert compiles("return 2;", architecture=80)
    assert compiles("return 2;", "a[0] = two();", 90, "-DNDEBUG")
    assert compiles("return 2;", "a[0] = 5;") and not compiles("return 3;", "a[0] = 5;")
    assert compiles("return wrong;") and compiles("return wrong;")  # errors are not kept


def test_an_unknown_log_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not tell of k"):
        gate.read_log("ptxas info: everything is fine", "k")


FILES = sorted(file.relative_to(gate.CUDA).as_posix() for file in gate.CUDA.rglob("*.cuh"))


INCLUDED = {
    name
    for file in FILES
    for name in re.findall(r'#include "([^"]+)"', (gate.CUDA / file).read_text())
}


@pytest.mark.parametrize("file", [file for file in FILES if file not in INCLUDED])
def test_headers_compile(file: str) -> None:
    """With all that they include: kept reports tell nothing of what no kernel rests on."""
    assert gate.refused(module.unit(file, ""), 90) == ""


def test_a_header_that_does_not_compile_is_noticed() -> None:
    assert "undefined" in gate.refused("__device__ int f() { return wrong; }", 90)


@functools.cache
def by_file() -> dict[str, list[kernels.Kernel]]:
    """The project's kernels, by the file they stand in."""
    found: dict[str, list[kernels.Kernel]] = {file: [] for file in FILES}
    for kernel in kernels.everywhere():
        found[kernel.header].append(kernel)
    return found


H200 = 90
EVERY_DAY = (75, H200, 120)
"""The oldest architecture, that of the H200, and the newest; `make thorough` has all."""


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("architectures", "always"),
    [(EVERY_DAY, H200), pytest.param(gate.ARCHITECTURES, None, marks=pytest.mark.exhaustive)],
    ids=["every day", "all"],
)
def test_every_kernel(file: str, architectures: tuple[int, ...], always: int | None) -> None:
    """Each kernel on each architecture, and each of its forms on that of the H200 or on all. Files
    without kernels of their own are included by others."""
    reports = []
    for some, part in kernels.spread(by_file()[file], architectures, always).items():
        reports += gate.check(kernels.units(part), some, keep=True)
    print(gate.table(reports))
    assert gate.faults(reports) == []
    met: dict[str, set[int]] = {}
    for form in {kernel.form for kernel in by_file()[file]}:
        seen = {r.architecture for r in reports if same_form(r.name, form)}
        assert seen >= set(architectures if always is None else (always,))
        met.setdefault(form.partition("<")[0], set()).update(seen)
    assert all(seen == set(architectures) for seen in met.values())


def same_form(name: str, form: str) -> bool:
    """Is the kernel a variant of the form? Units put its algebra into a namespace."""
    plain = re.sub(r"\ba[0-9a-f]{8}::", "", name)
    return form in (kernels.untyped(plain), plain.partition("<")[0])


@pytest.mark.parametrize(
    "file", ["spmv/push.cuh", "spmv/pull.cuh", "vector/reduce.cuh", "vector/elementwise.cuh"]
)
def test_every_algebra(file: str) -> None:
    some = [k for k in kernels.every_algebra(whole=False) if k.header == file]
    assert some
    reports = gate.check(kernels.units(some), [90], keep=True)
    of_library = [r for r in reports if gate.of_cuda_library(r)]
    assert len(of_library) < 40
    assert gate.faults(r for r in reports if r not in of_library) == []


def test_no_monoid_and_no_operator_is_left_out() -> None:
    """The monoids and ⊗ of semirings have all kinds of types that they take, other operators two,
    and each of the kinds is had by many of these."""

    def parts(some: Iterable[kernels.Kernel]) -> set[tuple[str, ...]]:
        rows = (
            k.label.rpartition("_") for k in some if k.header in ("spmv/push.cuh", "spmv/pull.cuh")
        )
        return {(part, dtype) for name, _, dtype in rows for part in name.split("_", 1)}

    def operators(some: Iterable[kernels.Kernel]) -> Counter[str]:
        rows = (k.label.rpartition("_") for k in some if k.header == "vector/elementwise.cuh")
        return Counter(word for name, _, dtype in rows for word in (name, dtype))

    some, every = set(kernels.every_algebra(whole=False)), set(kernels.every_algebra())
    kinds = {types.name(dtype) for dtype in kernels.KINDS}
    assert some < every and len(some) > 500
    assert parts(some) == {part for part in parts(every) if part[-1] in kinds}
    few = operators(some)
    assert all(
        few[name] >= min(2, most) for name, most in operators(every).items() if name.islower()
    )
    assert all(few[dtype] > 20 for dtype in kinds)
