# ruff: noqa: E501  (mutants of one line)
"""Kernels of updates that wait, and of reductions, broken in the lines that matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.exceptions import NotConverged
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.fused import resident_rounds
from lagraph_gpu.verify import verify_pagerank
from semirings import BINARY
from tests.simt.exercises import SEEDS, emulated, offsets_of_64_bits, vector
from tests.simt.mutants import Mutant, suite

N = 333  # not a multiple of 32, and more than the threads of all blocks


def drawn(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random(N) < 0.3, rng.integers(1, 9, N), 0)


def formulas() -> None:
    for seed in SEEDS:
        backend, a, b = emulated(seed), drawn(seed), drawn(seed + 50)
        a[64:128] = b[64:128] = 0
        a[-1] = 1  # the bits of the last word beyond it stay clear
        u, v = vector(a, backend), vector(b, backend)
        w = BINARY["plus"](u | v).new()
        w << w.apply("times", right=3)
        last = backend.device.download(w._store.bits)[-1]
        assert last >> (N % 32) == 0
        index, values = w.to_coo()
        np.testing.assert_array_equal(index, np.flatnonzero(a + b))
        np.testing.assert_array_equal(values, 3 * (a + b)[index])
        long = np.arange(3000) % 7
        doubled = vector(long, backend).apply("times", right=2).new()
        np.testing.assert_array_equal(doubled.to_dense(0), 2 * long)
        full = lg.Vector.from_dense(a, backend=backend)
        np.testing.assert_array_equal(full.apply("ainv").new().to_coo()[1], -a)


def reductions() -> None:
    for seed in SEEDS:
        backend, a = emulated(seed), drawn(seed)
        big = np.random.default_rng(seed).integers(1, 100, 5000)
        for dense in (a, big, np.where(np.arange(N) == N - 1, a + 1, 0)):
            v = vector(dense, backend)
            assert v.reduce("plus").new().value == dense.sum()
            assert v.reduce("max").new().value == dense.max()
            w = v.apply("ainv").new()
            assert w.reduce("min").new().value == -dense.max()
        assert lg.Vector("INT64", N, backend=backend).reduce("plus").new().value is None
        A = lg.Matrix.from_coo(*np.nonzero(a.reshape(9, 37)), 2, nrows=9, ncols=37, backend=backend)
        assert A.reduce_scalar("plus").new().value == 2 * np.count_nonzero(a)


def pagerank() -> None:
    """By a kernel for each step."""
    for seed in SEEDS:
        backend = emulated(seed)
        backend.pagerank.most_entries = 0
        with offsets_of_64_bits(seed == 1):
            ranks_hold(backend, seed)


def pagerank_in_one_kernel() -> None:
    """Also by even shares of the entries, with more rounds than a launch has, and ranks that do not
    settle."""
    for seed in SEEDS:
        backend = emulated(seed)
        backend.resident_rounds.longest = (N, 0, 0)[seed]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(resident_rounds, "AT_ONCE", (2, 3, 1000)[seed])
            ranks_hold(backend, seed)
            launches = backend.device.launches
            G = lg.Graph.from_edges([0, 1, 2, 0], [1, 2, 0, 2], n=40, backend=backend)
            with pytest.raises(NotConverged, match="after 5;") as told:
                lg.pagerank(G, tol=0.0, max_iter=5)
            assert 0 < told.value.residual < 1
            assert backend.device.launches - launches < 20


def ranks_hold(backend: GpuBackend, seed: int) -> None:
    """A graph with dangling vertices, some that no edge leads to, and places to restart at."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, N - 40, 700), rng.integers(20, N, 700)
    A = np.zeros((N, N))
    A[i, j] = rng.integers(1, 5, 700)
    where, dangling = rng.random(N), rng.random(N)
    x, out = np.full(N, 1 / N), A.sum(1)
    where, dangling = where / where.sum(), dangling / dangling.sum()
    for _ in range(3):
        moved = 0.75 * (np.divide(x, out, out=np.zeros(N), where=out > 0) @ A)
        x = moved + (0.75 - moved.sum()) * dangling + 0.25 * where
    G = lg.Graph.from_edges(*np.nonzero(A), A[A > 0], n=N, backend=backend)
    given = {"personalization": dict(enumerate(where)), "dangling": dict(enumerate(dangling))}
    found = lg.pagerank(G, 0.75, iterations=3, **given).to_dense()
    np.testing.assert_allclose(found, x, rtol=1e-12)
    rank = lg.pagerank(G, 0.75, tol=1e-12)
    np.testing.assert_allclose(rank.to_dense().sum(), 1)
    verify_pagerank(G, rank, 0.75, tol=1e-12)
    with pytest.raises(lg.exceptions.NotConverged) as early:
        lg.pagerank(G, 0.75, tol=1e-12, max_iter=2)
    steps = [lg.pagerank(G, 0.75, iterations=k).to_dense() for k in (1, 2)]
    assert early.value.residual == pytest.approx(abs(steps[1] - steps[0]).sum())


def narrow_pagerank() -> None:
    for seed in SEEDS:
        backend = emulated(seed)
        backend.pagerank.most_entries = 0
        sums_are_exact(backend, seed)


def narrow_pagerank_in_one_kernel() -> None:
    for seed in SEEDS:
        backend = emulated(seed)
        backend.resident_rounds.longest = (N, 0, N)[seed]
        sums_are_exact(backend, seed)


def sums_are_exact(backend: GpuBackend, seed: int) -> None:
    """Ranks of FP32, which follow an edge for certain, except the little of the last vertex, which
    no edge leaves: vertex 0, which none enters, gets what no edge carries, and nothing else."""
    rng, ring = np.random.default_rng(seed), np.arange(1, N - 1)
    i = np.r_[0, ring, rng.integers(1, N - 1, 900)]
    j = np.r_[N - 1, np.roll(ring, 1), rng.integers(1, N - 1, 900)]
    weights = rng.integers(1, 9, i.size)
    G = lg.Graph.from_edges(i, j, weights, n=N, dup="first", backend=backend)
    start = {**dict.fromkeys(ring.tolist(), 1.0), N - 1: 1e-3}
    given: dict[str, Any] = {"dangling": {0: 1}, "nstart": start, "dtype": "FP32"}
    steps = (lg.pagerank(G, 1.0, iterations=k, **given).to_dense() for k in (0, 1))
    before, after = (x.astype(float) for x in steps)
    assert after[0] == pytest.approx(1 - after[1:].sum(), rel=1e-6)
    with pytest.raises(NotConverged) as early:
        lg.pagerank(G, 1.0, tol=1e-7, max_iter=1, **given)
    assert early.value.residual == pytest.approx(abs(after - before).sum(), rel=1e-12)


EXERCISES = [
    formulas, reductions, pagerank, pagerank_in_one_kernel, narrow_pagerank,
    narrow_pagerank_in_one_kernel,
]  # fmt: skip

R = "fused/pagerank_rounds.cuh"
PRODUCT = "fused/resident_rounds.cuh"
MUTANTS = [
    Mutant("vector/formula.cuh", "F::at(inside ? i : n - 1,", "F::at(i,", formulas),
    Mutant("vector/formula.cuh", "given...) && inside;", "given...);", formulas),
    Mutant("vector/formula.cuh", "if (lane_id() == 0 && word < words)", "if (lane_id() == 0)", formulas),
    Mutant("vector/formula.cuh", "inside = word < words && i < n", "inside = word < words", formulas),
    Mutant("vector/formula.cuh", "if (word < words && i < n) values", "if (word < words) values", formulas),
    Mutant("vector/formula.cuh", "word < words) bits[word] = now;", "word < words && now) bits[word] = now;", formulas),
    Mutant("vector/formula.cuh", "(words, IN_FLIGHT)", "(words, IN_FLIGHT + 1)", formulas),
    Mutant("fused/pagerank_round.cuh", "whole - (mass[1] != 0 ? mass[0] : 0.0)", "whole", pagerank),
    Mutant("fused/pagerank_round.cuh", "left > 0 ? left : 0.0", "0.0", pagerank),
    Mutant("fused/pagerank_round.cuh", "present(bits, i) ? moved[i] : T(0)", "moved[i]", pagerank),
    Mutant("fused/pagerank_round.cuh", "value += teleport[i];", "value += 0.0;", pagerank),
    Mutant("fused/pagerank_round.cuh", "static_cast<double>(old[i])", "static_cast<double>(x[i])", pagerank),
    Mutant("fused/pagerank_round.cuh", "value * rate[i]", "value", pagerank),
    Mutant("fused/pagerank_round.cuh", "    fold_grid(mine, partial, has, ended, change);\n", "", pagerank),
    Mutant(R, "left > 0 ? left : 0.0", "0.0", pagerank_in_one_kernel),
    Mutant(R, "value += teleport[i];", ";", pagerank_in_one_kernel),
    Mutant(R, "static_cast<double>(now[i])", "static_cast<double>(next[i])", pagerank_in_one_kernel),
    Mutant(R, "(even ? now : next)[i]", "now[i]", pagerank_in_one_kernel),
    Mutant(R, "if (now != x)", "if (now == x)", pagerank_in_one_kernel),
    Mutant(R, "share[i] = value * rate[i];", "share[i] = value;", pagerank_in_one_kernel),
    Mutant("fused/pagerank_round.cuh", "static_cast<double>(value) - static_cast<double>(old[i])", "value - old[i]", narrow_pagerank),
    Mutant(PRODUCT, "double all = 0;", "T all = 0;", narrow_pagerank_in_one_kernel),
    Mutant(PRODUCT, "static_cast<double>(to[j]) - static_cast<double>(before)", "value", narrow_pagerank_in_one_kernel),
    Mutant(R, "double change = 0;", "T change = 0;", narrow_pagerank_in_one_kernel),
    Mutant(R, "static_cast<double>(value) - static_cast<double>(now[i])", "value - now[i]", narrow_pagerank_in_one_kernel),
    Mutant("vector/reduce.cuh", "values[i * stride]", "values[0]", reductions),
    Mutant("vector/reduce.cuh", "values[i * stride]", "values[i]", reductions),
    Mutant("vector/reduce.cuh", "if (!present(bits, static_cast<Index>(i))) return false;", "", reductions),
    Mutant("vector/reduce.cuh", "if (here[s]) mine", "mine", reductions),
    Mutant("vector/reduce.cuh", "(at < n ? at : n - 1)", "(at)", reductions),
    Mutant("vector/reduce.cuh", "given...) && at < n;", "given...);", reductions),
    Mutant("vector/reduce.cuh", "i += IN_FLIGHT * threads", "i += threads", reductions),
    Mutant("vector/reduce.cuh", "i + s * threads", "i + s", reductions),
    Mutant("vector/reduce.cuh", "has[blockIdx.x] = mine.has;", "has[blockIdx.x] = true;", reductions),
    Mutant("vector/reduce.cuh", "__threadfence();  // before", "// before", reductions),
    Mutant("vector/reduce.cuh", "// which sets it back to 0\n        __threadfence();", "", reductions),
    Mutant("vector/reduce.cuh", "    __syncthreads();\n    if (!last)", "    if (!last)", reductions),
    Mutant("vector/reduce.cuh", "== gridDim.x - 1;  //", "== 0;  //", reductions),
    Mutant("vector/reduce.cuh", "    if (!last) return;\n", "", reductions),
    Mutant("vector/reduce.cuh", "b < gridDim.x;", "b + 1 < gridDim.x;", reductions),
    Mutant("vector/reduce.cuh", "mine.has ? Z(1) : Z(0)", "Z(1)", reductions),
    Mutant("vector/reduce.cuh", "atomicInc(ended, gridDim.x - 1)", "atomicAdd(ended, 1u)", reductions),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
