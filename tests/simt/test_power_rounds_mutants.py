# ruff: noqa: E501  (mutants of one line)
"""All rounds of a power iteration in one kernel, broken in the lines that matter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.exceptions import NotConverged
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.fused import resident_rounds
from tests.simt.exercises import SEEDS, emulated
from tests.simt.mutants import Mutant, suite

N = 230  # more than the threads of all blocks, and not a multiple of 32


def weights(seed: int) -> np.ndarray:
    """A matrix of weights with rows of all lengths, of which those of a hub and of some others are
    empty in one direction or both."""
    rng = np.random.default_rng(seed)
    A = np.zeros((N, N))
    A[rng.integers(0, N - 20, 500), rng.integers(20, N, 500)] = 1
    A[7, 25:190] = A[40:180, 33] = 1
    A[np.arange(21, 200), np.arange(20, 199)] = 1
    return A * rng.integers(1, 5, A.shape)


def drawn(seed: int, longest: int) -> tuple[GpuBackend, np.ndarray, lg.Graph]:
    """A backend for which rows are short up to this length, the weights, and their graph."""
    backend, A = emulated(seed), weights(seed)
    backend.resident_rounds.longest = longest
    return (
        backend,
        A,
        lg.Graph.from_edges(*np.nonzero(A), A[A > 0].astype(int), n=N, backend=backend),
    )


def each_way(check: Callable[[GpuBackend, np.ndarray, lg.Graph, int], None]) -> None:
    """Rows by a thread each and in even shares; also with more rounds than a launch has."""
    for seed in SEEDS:
        for longest in (N, 0):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(resident_rounds, "AT_ONCE", (2, 1000, 3)[seed])
                backend, A, G = drawn(seed, longest)
                launched = backend.device.launches
                check(backend, A, G, seed)
                assert backend.device.launches - launched < 150


def katz() -> None:
    def check(backend: GpuBackend, A: np.ndarray, G: lg.Graph, seed: int) -> None:
        base = np.random.default_rng(seed).random(N)
        given = {"alpha": 2e-3, "beta": dict(enumerate(base)), "normalized": False}
        for weight, B in (("weight", A), (None, A > 0)):
            found = lg.katz_centrality(G, tol=1e-14, weight=weight, **given)
            exact = np.linalg.solve(np.eye(N) - 2e-3 * B.T, base)
            np.testing.assert_allclose(found.to_dense(), exact, rtol=1e-9)
        one = 2e-3 * (A.T @ base) + base
        with pytest.raises(NotConverged, match="after 2;") as told:
            lg.katz_centrality(
                G, tol=1e-9, max_iter=2, nstart=given["beta"], weight="weight", **given
            )
        two = 2e-3 * (A.T @ one) + base
        assert told.value.residual == pytest.approx(abs(two - one).sum(), rel=1e-9)
        rounds, x, change = 0, np.zeros(N), 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            while np.isfinite(change):
                old, x = x, 1e25 * (A.T @ x) + base
                rounds, change = rounds + 1, abs(x - old).sum()
        with pytest.raises(NotConverged, match=f"after {rounds}; its numbers outgrow"):
            lg.katz_centrality(G, **given | {"alpha": 1e25, "weight": "weight"})

    each_way(check)


def eigenvector() -> None:
    def check(backend: GpuBackend, A: np.ndarray, G: lg.Graph, seed: int) -> None:
        x = np.random.default_rng(seed).random(N)
        start, rounds = dict(enumerate(x)), 0
        x /= x.sum()
        while True:
            old, x = x, x + x @ A
            x /= np.linalg.norm(x)
            rounds += 1
            if abs(x - old).sum() <= N * 1e-4:
                break
        given = {"tol": 1e-4, "nstart": start, "weight": "weight"}
        found = lg.eigenvector_centrality(G, max_iter=rounds, **given)
        np.testing.assert_allclose(found.to_dense(), x, rtol=1e-9)
        with pytest.raises(NotConverged, match=f"after {rounds - 1};"):
            lg.eigenvector_centrality(G, max_iter=rounds - 1, **given)

    each_way(check)


def immoderate_norms() -> None:
    """Their squares leave the type: the statements do these rounds, from the start."""
    for size in (1e-170, 1e170):
        backend, _, G = drawn(0, N)
        start = lg.Vector.from_scalar(size, N, "FP64", backend=backend)
        assert (
            backend.power.eigenvector_rounds(start, G.A, lg.semiring.plus_times, False, None, 1)
            is None
        )
        np.testing.assert_array_equal(start.to_dense(), size)


def hits() -> None:
    def check(backend: GpuBackend, A: np.ndarray, G: lg.Graph, seed: int) -> None:
        for weight, B in (("weight", A), (None, (A > 0).astype(float))):
            x = np.random.default_rng(seed).random(N)
            start, rounds = dict(enumerate(x)), 0
            x /= x.sum()
            while True:
                old, authority = x, x @ B
                x = B @ authority
                x /= x.sum()
                rounds += 1
                if abs(x - old).sum() <= 1e-2:
                    break
            assert rounds < power_iteration.FEW_ROUNDS
            hub, found = lg.hits(G, rounds, 1e-2, start, weight=weight)
            np.testing.assert_allclose(hub.to_dense(), x, rtol=1e-9, atol=1e-300)
            np.testing.assert_allclose(found.to_dense(), authority / authority.sum(), rtol=1e-9)
            with pytest.raises(NotConverged, match=f"after {rounds - 1};") as told:
                lg.hits(G, rounds - 1, 1e-2, start, weight=weight)
            assert 1e-2 < told.value.residual < 1
        with pytest.raises(lg.exceptions.InvalidValue, match="point at a vertex"):
            lg.hits(G, nstart={N - 1: 1.0})

    each_way(check)


def slow_hits() -> None:
    """Rounds alone would not come near within so many."""
    for seed in SEEDS:
        for longest in (N, 0):
            backend = emulated(seed)
            backend.resident_rounds.longest = longest
            rng = np.random.default_rng(seed)
            ring = np.arange(120)
            B = np.zeros((130, 130))
            B[ring, (ring + 1) % 120] = B[ring, ring] = 1 + rng.random(120) / 50
            G = lg.Graph.from_edges(*np.nonzero(B), B[B > 0], n=130, backend=backend)
            hub, authority = lg.hits(G, 1000, 1e-12)
            left, _, right = np.linalg.svd(B)
            for found, exact in ((hub, left[:, 0]), (authority, right[0])):
                np.testing.assert_allclose(found.to_dense(), exact / exact.sum(), atol=1e-8)
            with pytest.raises(NotConverged, match="after 60;"):
                lg.hits(G, 60, 0.0)
            with pytest.raises(NotConverged, match="after 20;") as told:  # too few for steps
                lg.hits(G, 20, 0.0)
            x = np.full(130, 1 / 130)
            for _ in range(20):
                old, x = x, B @ (x @ B)
                x /= x.sum()
            assert told.value.residual == pytest.approx(abs(x - old).sum(), rel=1e-9)


def slow_eigenvectors() -> None:
    """Of cliques in a row, with one that has an edge more, and of a star, whose hub has a long row."""
    for seed in SEEDS:
        for longest in (N, 0):
            backend = emulated(seed)
            backend.resident_rounds.longest = longest
            A = np.kron(np.eye(18), np.ones((6, 6)) - np.eye(6))
            A = np.pad(A, (0, 2))
            A[np.arange(5, 107, 6), np.arange(6, 108, 6)] = A[108, 60] = 1
            A = np.maximum(A, A.T) * (1 + np.random.default_rng(seed).random() / 100)
            i, j = np.nonzero(np.triu(A))
            G = lg.Graph.from_edges(i, j, A[i, j], n=110, directed=False, backend=backend)
            exact = abs(np.linalg.eigh(A)[1][:, -1])
            found = lg.eigenvector_centrality(G, 1000, 1e-11, weight="weight")
            np.testing.assert_allclose(found.to_dense(), exact, atol=1e-7)
            with pytest.raises(NotConverged, match="after 60;"):
                lg.eigenvector_centrality(G, 60, 0.0, weight="weight")
            x = np.full(110, 1 / 110)
            for _ in range(20):
                old, x = x, x + x @ A
                x /= np.linalg.norm(x)
            with pytest.raises(NotConverged, match="after 20;") as told:  # too few for steps
                lg.eigenvector_centrality(G, 20, 0.0, weight="weight")
            assert told.value.residual == pytest.approx(abs(x - old).sum(), rel=1e-9)


EXERCISES = [katz, eigenvector, immoderate_norms, slow_eigenvectors, hits, slow_hits]

P = "fused/power_rounds.cuh"
R = "fused/resident_rounds.cuh"
S = "fused/grid_sums.cuh"
L = "fused/locally_optimal.cuh"
MUTANTS = [
    Mutant(P, "base[v] + alpha * arrived[v]", "alpha * arrived[v]", katz),
    Mutant(P, "base[v] + alpha * arrived[v]", "base[v] + arrived[v]", katz),
    Mutant(P, "fabs(now - x[v])", "(now - x[v])", hits),
    Mutant(P, "        x[v] = now;\n", "", katz),
    Mutant(P, "square += now * now;", "square += now;", eigenvector),
    Mutant(P, "        square = sum(square);\n", "", eigenvector),
    Mutant(P, "(x[v] + arrived[v]) / length", "arrived[v] / length", eigenvector),
    Mutant(P, "least <= square && square <= largest", "square <= largest", immoderate_norms),
    Mutant(P, "least <= square && square <= largest", "least <= square", immoderate_norms),
    Mutant(P, "outcome[0] = -1;", "outcome[1] = -1;", immoderate_norms),
    Mutant(P, "multiply<even>(n, in, from, authority, carries, sum);", "multiply<even>(n, out, from, authority, carries, sum);", hits),
    Mutant(P, "return multiply<even>(n, out, authority,", "return multiply<even>(n, in, authority,", hits),
    Mutant(P, "next[v] / total", "next[v] / (1 + total)", hits),
    Mutant(P, "rounds.most - ran > few", "rounds.most - ran > -few", slow_hits),
    Mutant(P, "!(left > 0 && left < few)", "false", slow_hits),
    Mutant(P, "steps(rounds.most - ran - 1)", "steps(rounds.most)", slow_hits),
    Mutant(P, "            done += steps", "            steps", slow_hits),
    Mutant(P, "to[v] = from[v] + arrived[v];", "to[v] = from[v] - arrived[v];", slow_eigenvectors),
    Mutant(P, "if constexpr (!steps) return change;", "return change;", slow_eigenvectors),
    Mutant(R, "sum.grid.wait();", "", hits),
    Mutant(R, "to[j] = before + value;", "to[j] = value;", hits),
    Mutant(R, "            all += static_cast<double>(to[j]) - static_cast<double>(before);\n", "", hits),
    Mutant(R, "reads_matrix ? x * arithmetic::cast<T>(values[at]) : x", "x", katz),
    Mutant(R, "e += together)", "e += 2 * together)", katz),
    Mutant(R, "matrix.indices[at(k)]", "matrix.indices[e]", katz),
    Mutant(R, "if (Rows::reads_values) got", "if (false) got", katz),
    Mutant(R, "matrix.values[at(k) *", "matrix.values[e *", katz),
    Mutant(R, "moved += e + k < end ? got[k] : T(0);", "moved += got[k];", katz),
    Mutant(R, "            all += moved;\n", "", hits),
    Mutant(R, "all += z;", "", hits),
    Mutant(R, "change <= bound ||", "change < bound ||", slow_hits),
    Mutant(R, "bound >= 0 && !(change", "bound >= 2 && !(change", katz),
    Mutant(R, "            ++done;\n", "            done += 2;\n", katz),
    Mutant(R, "        outcome[1] = change;\n", "        outcome[1] = bound;\n", katz),
    Mutant(S, "parts + k * gridDim.x + b", "parts + b", slow_hits),
    Mutant(S, "turn * MOST * gridDim.x", "0 * turn", hits),
    Mutant(S, "shared[k * warps + warp] = of_warp;", "shared[k * warps] = of_warp;", hits),
    Mutant(S, "        __syncthreads();\n        for (int k = threadIdx.x", "        for (int k = threadIdx.x", hits),
    Mutant(S, "        grid.wait();\n", "", hits),
    Mutant(S, "b < gridDim.x; b +=", "b + 1 < gridDim.x; b +=", hits),
    Mutant(S, "        __syncthreads();\n#pragma unroll\n        for (int k = 0; k < count; ++k) x", "#pragma unroll\n        for (int k = 0; k < count; ++k) x", hits),
    Mutant(S, "        __syncthreads();  // the next may write\n", "", hits),
    Mutant(L, "vectors[i][j] = i == j;", "vectors[i][j] = 1;", slow_hits),
    Mutant(L, "y = s * old + c * y;", "y = c * y;", slow_hits),
    Mutant(L, "if (held[i][i] > held[top][top]) top = i;", "if (held[i][i] < held[top][top]) top = i;", slow_hits),
    Mutant(L, "rest -= lower[l][i] * found[l];", "rest -= lower[i][l] * found[l];", slow_hits),
    Mutant(L, "found[i] *= sign * unit[i];", "found[i] *= unit[i];", slow_hits),
    Mutant(L, "held[i][j] *= unit[i] * unit[j];", "held[i][j] *= unit[i];", slow_hits),
    Mutant(L, "for (; !is_found && k > 1; --k)", "for (; !is_found && k > 2; --k)", slow_hits),
    Mutant(L, "            found[2] = 0;\n", "", slow_hits),
    Mutant(L, "            __syncthreads();\n            if (!step.is_found)", "            if (!step.is_found)", slow_hits),
    Mutant(L, "p[v] = b * w[v] + (vectors == 3 ?", "p[v] = b * w[v] + (vectors >= 2 ?", slow_hits),
    Mutant(L, "x[v] = a * x[v] + p[v];", "x[v] = x[v] + p[v];", slow_hits),
    Mutant(L, "        else vectors = 3;\n", "", slow_hits),
    Mutant(L, "(product / square) - x[v]", "(product / square)", slow_hits),
    Mutant(L, "change = sum(change) / unit;", "change = sum(change);", slow_hits),
    Mutant(L, "products >= most ||", "", slow_hits),
    Mutant(L, "    sum.grid.wait();\n    return products;", "    return products;", slow_hits),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
