# ruff: noqa: E501  (mutants of one line)
"""Kernels that renumber matrices and vectors, broken in the lines that matter."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, min_plus
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import SEEDS, gpu

N = 333


def graph(seed: int, weight: bool = True) -> lg.Graph:
    """Directed, of hubs and isolated vertices, with entries of more than a warp's stretch."""
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.integers(0, N - 40, (2, 2600)) ** 2 // (N - 40), axis=1)
    values = rng.integers(1, 99, edges.shape[1]) if weight else 1
    A = lg.Matrix.from_coo(*edges, values, "INT64", nrows=N, ncols=N, backend=gpu(seed))
    return lg.Graph._checked(A, True)


def dense(A: lg.Matrix) -> np.ndarray:
    rows, columns, values = A.to_coo()
    made = np.zeros((N, N), np.int64)
    made[rows, columns] = values
    return made


def relabels() -> None:
    for seed in SEEDS:
        G = graph(seed)
        A = dense(G.A)
        degree = (A > 0).sum(0) + (A > 0).sum(1)
        H = G.relabel("degree")
        ids = np.argsort(-degree, kind="stable")
        np.testing.assert_array_equal(H.ids.to_dense(), ids)
        indptr, indices, _ = H.A.to_csr()
        assert all((np.diff(indices[a:b]) > 0).all() for a, b in pairwise(indptr))
        np.testing.assert_array_equal(dense(H.A), A[ids][:, ids])
        assert H.A._store.used == np.count_nonzero(degree)
        other = G.relabel(np.roll(ids, 1))
        assert other.A._store.used is None


def restores() -> None:
    """Entries, rounds and values from copies, of one start, of several and of all."""
    for seed in SEEDS:
        G = graph(seed, weight=False)
        P, A, v = G.prepared(), dense(G.A) > 0, int(np.flatnonzero(dense(G.A).any(1))[-1])
        backend, isolated = G.backend, N - 3
        starts = ([v], [v, 7, isolated], range(N))
        for direction in ("push", "pull"):
            for at in starts:
                ids = np.array(at)
                x0 = lg.Vector.from_coo(ids, 5 * ids + 1, "INT64", size=N, backend=backend)
                schedule = Schedule(direction, loop="device")
                x, when = closure_with_steps(x0, P.A, any_secondi, None, schedule)
                wanted, front = np.full(N, -1), np.isin(np.arange(N), ids)
                for d in range(N):
                    wanted[front] = d
                    front = A[front].any(0) & (wanted < 0)
                np.testing.assert_array_equal(when.to_dense(-1), wanted)
                j, p = x.to_coo()
                first = wanted[j] == 0
                np.testing.assert_array_equal(p[first], 5 * j[first] + 1)
                assert A[p[~first], j[~first]].all()
                assert (wanted[p[~first]] == wanted[j[~first]] - 1).all()
                y = lg.closure(x0.dup(), P.A, min_plus, schedule=schedule)
                assert y.isequal(lg.closure(x0.dup(), G.A, min_plus, schedule=schedule))


EXERCISES = (relabels, restores)

L = "layouts.cuh"
MUTANTS = [
    Mutant(L, "(degree < most ? degree : most)", "(degree < 9 ? degree : 9)", relabels),
    Mutant(L, "(out[i + 1] - out[i]) + (in[i + 1] - in[i])", "(out[i + 1] - out[i])", relabels),
    Mutant(L, "keys[i] = lower(keys[i]);", ";", relabels),
    Mutant(L, "        old[i] = before;\n", "", relabels),
    Mutant(L, "to[before] = static_cast<Index>(i);", "to[i] = before;", relabels),
    Mutant(L, "lengths[i] = out[row + 1] - out[row];", "lengths[i] = out[i + 1] - out[i];", relabels),
    Mutant(L, "if (degree > 0) used", "used", relabels),
    Mutant(L, "used = other > used ? other : used;", "", relabels),
    Mutant(L, "    rises = __any_sync(ALL_LANES, rises);\n", "    rises = false;\n", relabels),
    Mutant(L, "entries_at(out, in, old[i - 1]) < degree", "entries_at(out, in, old[i - 1]) <= degree", relabels),
    Mutant(L, "        row = next_beyond(indptr + 1, row, nrows - 1, static_cast<Offset>(e));\n".replace("        ", "            ", 1), "", relabels),
    Mutant(L, "<< 32 | to[indices[e]];", "<< 32 | indices[e];", relabels),
    Mutant(L, "indices[e] = lower(keys[e]);", "indices[e] = to_row(keys[e]);".replace("to_row(keys[e])", "static_cast<Index>(keys[e] >> 32)"), relabels),
    Mutant(L, "entries.seek(old[keys[e] >> 32], old[lower(keys[e])])", "e", relabels),
    Mutant(L, "        mark(out_bits, to[v]);\n", "        mark(out_bits, v);\n", restores),
    Mutant(L, "if (!(here >> lane_id() & 1u)) continue;", "", restores),
    Mutant(L, "static_cast<T>(to[v]) : values[v];", "static_cast<T>(to[v]) : values[to[v]];", restores),
    Mutant(L, "base + i < words && v < n ? __ldcs(to + v) : n;", "__ldcs(to + v);", restores),
    Mutant(L, "only < 0 ? starts : j[i] < n && v == only;", "starts;", restores),
    Mutant(L, "given[i] || (j[i] < used && present(bits, j[i]));", "j[i] < used && present(bits, j[i]);", restores),
    Mutant(L, "when[i] = has[i] && rounds != nullptr ? rounds[j[i]] : 0;", "when[i] = 0;", restores),
    Mutant(L, "            out_bits[word] = entries;\n".replace("            ", "                ", 1), "", restores),
    Mutant(L, "out_round_bits[word] = entries;", ";", restores),
    Mutant(L, "lane_id() == 0 && word < words", "lane_id() == 0", restores),
    Mutant(L, "given[i] ? only < 0 ? start[v] : value : old[found[i]]", "old[found[i]]", restores),
    Mutant(L, "only < 0 ? start[v] : value : old", "value : old", restores),
    Mutant(L, ": old[found[i]]", ": found[i]", restores),
    Mutant(L, "out[v] = found[i];", "out[j[i]] = found[i];", restores),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
