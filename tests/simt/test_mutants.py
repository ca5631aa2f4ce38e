# ruff: noqa: E501  (kernels of one line)
"""The emulator's own kernels, broken in every line that matters: each mutant must be caught."""

from __future__ import annotations

import importlib
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.simt.device import EmulatedDevice
from tests.simt.mutants import (
    Mutant,
    MutantError,
    Survived,
    assert_killed,
    expect_fitting,
    suite,
)
from tests.simt.source import source_edits

I32 = np.int32
KERNELS = Path(__file__).resolve().parent / "kernels"
SEEDS = range(10)


def device(seed: int) -> EmulatedDevice:
    return EmulatedDevice("check", seed, folders=(KERNELS,))


def check_scan(seeds: range = SEEDS) -> None:
    values = np.random.default_rng(5).integers(-50, 50, 600).astype(I32)
    parts = np.split(values, range(256, 600, 256))
    expected = np.concatenate([np.cumsum(p) for p in parts])
    for seed in seeds:
        d = device(seed)
        out = d.empty(600, I32)
        d.compile('#include "scan.cuh"', "scan<int, 256>")(
            3, 256, (d.upload(values), out, I32(600))
        )
        np.testing.assert_array_equal(d.download(out), expected)


def random_graph(n: int, edges: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    tails, heads = rng.integers(0, n, edges), rng.integers(0, n, edges)
    order = np.argsort(tails, kind="stable")
    row = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))])
    return row.astype(I32), heads[order].astype(I32)


def levels_by_hand(row: np.ndarray, col: np.ndarray) -> list[int]:
    level = {0: 0}
    queue = [0]
    for u in queue:
        for v in col[row[u] : row[u + 1]].tolist():
            if v not in level:
                level[v] = level[u] + 1
                queue.append(v)
    return [level.get(v, -1) for v in range(len(row) - 1)]


def check_levels() -> None:
    row, col = random_graph(90, 300)
    n, expected = 90, levels_by_hand(row, col)
    start = np.where(np.arange(n) == 0, 0, -1).astype(I32)
    for seed in SEEDS:
        d = device(seed)
        level, following = d.upload(start), d.empty(n, I32)
        front = d.upload(np.zeros(n, I32))
        tail = d.upload(np.array([1, 0, 0], I32))
        args = (d.upload(row), d.upload(col), level, front, following, tail, d.zeros(1, np.uint32))
        d.compile('#include "levels.cuh"', "levels<64>")(3, 64, args, cooperative=True)
        assert d.download(level).tolist() == expected


def scan(old: str, new: str) -> Mutant:
    return Mutant("scan.cuh", old, new, check_scan, KERNELS)


def levels(old: str, new: str) -> Mutant:
    return Mutant("levels.cuh", old, new, check_levels, KERNELS)


MUTANTS = [
    (scan("__syncthreads();  // the sums of all warps are there", ""), "uninitialised|race"),
    (scan("__syncthreads();  // they are prefix sums", ""), "race"),
    (scan("if (lane >= d) v += below", "if (lane > d) v += below"), "AssertionError"),
    (scan("if (lane == 31) warp_sum", "if (lane == 30) warp_sum"), "AssertionError"),
    (scan("lane < BLOCK / 32 ? warp_sum[lane] : T(0)", "warp_sum[lane]"), "out of bounds"),
    (scan("if (i < n) out[i] = sum", "out[i] = sum"), "out-of-bounds write"),
    (scan("i < n ? in[i] : T(0)", "in[i]"), "out-of-bounds read"),
    (levels("base = atomicAdd(tail, __popc(lanes));", "{ base = *tail; *tail = base + __popc(lanes); }"), "race"),
    (levels("atomicAdd(tail, __popc(lanes))", "atomicAdd(tail, 1)"), "race|Assertion"),
    (levels("((1u << lane) - 1)", "((2u << lane) - 1)"), "."),
    (levels("base = __shfl_sync(~0u, base, leader);", ""), "race|uninitialised"),
    (levels("append(take, v, next, ", "if (e < end) append(take, v, next, "), "wait in __(ballot|shfl\\*)_sync"),
    (levels("atomicCAS(&level[v], -1, depth) == -1", "(level[v] = depth, true)"), "race|out-of-bounds"),
    (levels("if (e < end) {", "if (e <= end) {"), "out-of-bounds read|AssertionError"),
    (levels("f += warps", "f += warps + 1"), "AssertionError"),
    (levels("    grid.sync();\n", ""), "race|uninitialised"),
    (levels("    grid.sync();\n", "    __syncthreads();\n"), "race|uninitialised"),
    (levels("__syncthreads();  // this block has done its part", ""), "race|uninitialised"),
    (levels("__threadfence();  // and shows it", ""), "race"),
    (levels("__threadfence();  // it sees what others did", ""), "race"),
    (levels("__syncthreads();  // and so does the rest of the block", ""), "race|uninitialised"),
    (levels("if (thread == 0) __stcg(&tail[(depth + 1) % 3], 0);", ""), "uninitialised|out-of-bounds|Assertion|race"),
    (levels("__stcg(&tail[(depth + 1) % 3], 0)", "__stcg(&tail[(depth + 2) % 3], 0)"), "."),
    (levels("if (n == 0) break", "if (n == 0 || (blockIdx.x && depth > 2)) break"), "livelock|deadlock|Assertion"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("mutant", "how"), MUTANTS, ids=lambda v: str(v) if isinstance(v, Mutant) else ""
)
def test_mutant_is_caught(mutant: Mutant, how: str) -> None:
    outcome = assert_killed(mutant)
    print(f"{mutant}\n    {outcome[:200]}")
    assert re.search(how, outcome)


def test_an_edit_that_changes_nothing_survives() -> None:
    with pytest.raises(Survived, match="though the kernel is broken"):
        assert_killed(scan("int lane = threadIdx.x & 31", "int lane = threadIdx.x % 32"))


def test_mutants_that_prove_nothing_are_errors() -> None:
    with pytest.raises(MutantError, match="is there 0 times"):
        assert_killed(scan("no such text", ""))
    with pytest.raises(MutantError, match="is there 2 times"):
        assert_killed(scan("__syncthreads();", ""))
    with pytest.raises(MutantError, match="no such file"):
        assert_killed(Mutant("nowhere.cuh", "a", "b", check_scan, KERNELS))
    with pytest.raises(MutantError, match="does not compile: CompileError"):
        assert_killed(scan("if (i < n) out[i] = sum", "if (i < n out[i] = sum"))
    with pytest.raises(MutantError, match="without ever compiling"):
        assert_killed(Mutant("levels.cuh", "if (n == 0) break;", "", check_scan, KERNELS))
    with pytest.raises(MutantError, match="fails without the edit too: ZeroDivisionError"):
        assert_killed(Mutant("scan.cuh", "if (i < n) out", "out", lambda: 1 / 0, KERNELS))


def test_the_edits_of_all_mutants_fit() -> None:
    """Also of those that the everyday suite does not run."""
    every = []
    for file in sorted(Path(__file__).parent.glob("test_*_mutants.py")):
        module = importlib.import_module(f"tests.simt.{file.stem}")
        every += [p.values[0] for p in module.test_mutant_is_killed.pytestmark[0].args[1]]
    assert len(every) > 1000
    for mutant in every:
        expect_fitting(mutant)


@pytest.mark.parametrize("page", ["Makefile", "CONTRIBUTING.md"])
def test_files_named_for_a_gpu_have_exercises(page: str) -> None:
    """``python -m tests.on_gpu`` is given the names of files, which may be renamed."""
    text = (Path(__file__).parents[2] / page).read_text()
    names = " ".join(re.findall(r"tests\.on_gpu ((?:\w+ ?)+)", text)).split()
    assert names
    for name in names:
        module = importlib.import_module(f"tests.simt.test_{name}_mutants")
        assert module.test_exercise.pytestmark[0].args[1]


def test_the_everyday_suite_has_some_of_each_kind() -> None:
    """Each exercise kills one, and one of each file is killed."""
    mutants = [
        Mutant(file, str(k), "", test) for file in "ab" for k in range(20) for test in (id, len)
    ]
    mutants += [Mutant("c", "few", "", id), Mutant("c", "more", "", id)]
    mutants += [Mutant("d", str(k), "", id) for k in range(9)]
    *_, test = suite([], mutants)
    drawn = test.pytestmark[0].args[1]
    everyday = [p.values[0] for p in drawn if not p.marks]
    assert sorted(p.values[0].old for p in drawn) == sorted(m.old for m in mutants)
    assert [(m.file, m.old, m.test) for m in everyday] == [
        ("a", "0", id), ("b", "0", len), ("c", "more", id), ("d", "4", id),
    ]  # fmt: skip


def test_ends_of_the_process_are_caught() -> None:
    def crash_when_edited(action: Callable[[], None]) -> None:
        check_scan(range(1))
        if source_edits():
            action()

    edit = ("scan.cuh", "if (i < n) out[i] = sum", "if (n > i) out[i] = sum")
    kill = Mutant(
        *edit, lambda: crash_when_edited(lambda: os.kill(os.getpid(), signal.SIGKILL)), KERNELS
    )
    assert assert_killed(kill) == "crash: SIGKILL"
    hang = Mutant(*edit, lambda: crash_when_edited(lambda: time.sleep(60)), KERNELS)
    assert assert_killed(hang, timeout=1.0) == "timeout after 1 s"
