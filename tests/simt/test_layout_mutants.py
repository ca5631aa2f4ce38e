# ruff: noqa: E501  (mutants of one line)
"""Kernels that renumber matrices and vectors, broken in the lines that matter."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.gpu.layouts import TAILS
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, min_plus
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import SEEDS, gpu

N = 333


def graph(seed: int, weight: bool = True) -> lg.Graph:
    """Directed, of hubs, two vertices by themselves and isolated ones, with entries of more than a
    warp's stretch."""
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.integers(0, N - 40, (2, 2600)) ** 2 // (N - 40), axis=1)
    edges = np.c_[edges, [N - 39, N - 38]]
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
    """Entries, rounds and values from copies, of one start, of several and of all; also where there is
    little room for rounds above a vertex, and none."""
    for seed, stamp_bits in zip(SEEDS, (None, 30, 0), strict=True):
        G = graph(seed, weight=False)
        if stamp_bits is not None:
            G.backend.layouts.stamp_bits = lambda _, ring: stamp_bits if ring is TAILS else 0  # noqa: B023
        order = np.random.default_rng(seed).permutation(N) if stamp_bits else "degree"
        P, A, v = G.prepared(order), dense(G.A) > 0, int(np.flatnonzero(dense(G.A).any(1))[-2])
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


def sorts_rows() -> None:
    """Rows as long as each kind may be, and one longer, several for each group; of the longest, with
    one window and with many."""
    lengths = np.array(
        [1, 2, 3, 31, 32, 33, 100, 512, 513, 700, 4096, 4097, 6000, 4100] + 12 * [35]
    )
    for seed, n, shared in ((0, 40_000, 227 << 10), (1, 9000, 1 << 11)):
        rng, backend = np.random.default_rng(seed), gpu(seed)
        device: Any = backend.device
        device.largest_shared, device.max_blocks, device.multiprocessors = shared, 1, 1
        ids = rng.permutation(n)
        rows = np.repeat(ids[: lengths.size], lengths)
        columns = np.concatenate([rng.permutation(n)[:k] for k in lengths])
        A = lg.Matrix.from_coo(rows, columns, 1, "INT64", nrows=n, ncols=n, backend=backend)
        H = lg.Graph._checked(A, True).relabel(ids)
        place = np.argsort(ids)
        order = np.lexsort((place[columns], place[rows]))
        i, j, _ = H.A.to_coo()
        np.testing.assert_array_equal(i, place[rows][order])
        np.testing.assert_array_equal(j, place[columns][order])


EXERCISES = (relabels, restores, sorts_rows)

L, ORDER = "layouts.cuh", "row_order.cuh"
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
    Mutant(L, "row = next_beyond(indptr + 1, row, nrows - 1, static_cast<Offset>(e));", "", relabels),
    Mutant(L, "(static_cast<Offset>(e) - indptr[row])] = to[indices[e]];", "(static_cast<Offset>(e) - indptr[row])] = indices[e];", relabels),
    Mutant(L, "columns[new_indptr[to[row]]", "columns[new_indptr[row]", relabels),
    Mutant(L, "entries.seek(old[row], old[columns[e]])", "e", relabels),
    Mutant(L, "row = next_beyond(new_indptr + 1, row, nrows - 1, static_cast<Offset>(e));", "", relabels),
    Mutant(L, "        mark(out_bits, to[v]);\n", "        mark(out_bits, v);\n", restores),
    Mutant(L, "if (!(here >> lane_id() & 1u)) continue;", "", restores),
    Mutant(L, "static_cast<T>(to[v]) : values[v];", "static_cast<T>(to[v]) : values[to[v]];", restores),
    Mutant(L, "base + i < words && v < n ? __ldcs(to + v) : n;", "__ldcs(to + v);", restores),
    Mutant(L, "only < 0 ? starts : j[i] < n && v == only;", "starts;", restores),
    Mutant(L, "given[i] || (j[i] < used && (!asks || present(bits, j[i])));", "j[i] < used && (!asks || present(bits, j[i]));", restores),
    Mutant(L, "(!asks || present(bits, j[i]))", "true", restores),
    Mutant(L, "asks && has[i] && rounds != nullptr ? rounds[j[i]] : 0;", "0;", restores),
    Mutant(L, "has[i] = given[i] || (has[i] && found[i] >= 0);", "", restores),
    Mutant(L, "if (!asks && has[i] && !given[i]) {", "if (!asks && has[i]) {", restores),
    Mutant(L, "if (when[i] == stamp.last()) when[i] = rounds[j[i]];", "", restores),
    Mutant(L, "found[i] &= (1 << stamp_bits) - 1;", "", restores),
    Mutant("stamp.cuh", "bits == 0 ? 0 : (1 << (31 - bits)) - 1", "bits == 0 ? 0 : 1 << (31 - bits)", restores),
    Mutant("stamp.cuh", "round < last() ? round : last()", "round", restores),
    Mutant("stamp.cuh", "x[((base + lane) << 5) + lane_id()] = static_cast<Z>(-1);", "", restores),
    Mutant("stamp.cuh", "& inside(own, n) : 0;", ": 0;", restores),
    Mutant("rounds.cuh", "        if (round >= late) rounds[j] = round;\n        ++vertices;", "        if (round > late) rounds[j] = round;\n        ++vertices;", restores),
    Mutant("rounds.cuh", "            if (round >= late) rounds[j] = round;\n            begin[i]", "            if (round > late) rounds[j] = round;\n            begin[i]", restores),
    Mutant("rounds.cuh", "x[j] = stamped<S>(z, stamp);", "x[j] = z;", restores),
    Mutant("rounds.cuh", "x[j] = stamped<S>(foldable<S>(now), stamp);", "x[j] = now;", restores),
    Mutant(L, "            out_bits[word] = entries;\n".replace("            ", "                ", 1), "", restores),
    Mutant(L, "out_round_bits[word] = entries;", ";", restores),
    Mutant(L, "if (word >= words || v >= n) continue;", "", restores),
    Mutant(L, "lane_id() == 0 && word < words", "lane_id() == 0", restores),
    Mutant(L, "if (vertices && given[i]) z", "if (false) z", restores),
    Mutant(L, "z = only < 0 ? start[v] : value;", "z = value;", restores),
    Mutant(L, "if (has[i] && !given[i]) found[i] = old[found[i]];", "", restores),
    Mutant(L, "else out[v] = z;", "else out[j[i]] = z;", restores),
    # --- row_order.cuh
    Mutant(ORDER, "degree <= WARP_ROOM ? 0", "degree <= WARP_ROOM + 1 ? 0", sorts_rows),
    Mutant(ORDER, "degree <= BLOCK_ROOM ? 1", "degree <= BLOCK_ROOM + 1 ? 1", sorts_rows),
    Mutant(ORDER, "at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());", "at = __shfl_sync(ALL_LANES, at, 0);", sorts_rows),
    Mutant(ORDER, "width < 2 * count;", "width < count;", sorts_rows),
    Mutant(ORDER, "== ((lane_id() & width) == 0);", ";", sorts_rows),
    Mutant(ORDER, ": 0x7fffffff;", ": 0;", sorts_rows),
    Mutant(ORDER, "kind < 0 && degree > 0);", "kind < 0 && degree > 1);", sorts_rows),
    Mutant(ORDER, "counts[t] = 0;\n        Group::sync();", "counts[t] = 0;", sorts_rows),
    Mutant(ORDER, "(column >> shift & (RADIX - 1)) * warps + warp;", "(column >> shift & (RADIX - 1)) * warps;", sorts_rows),
    Mutant(ORDER, "Group::running(own, total, sums) - own;\n        for", "Group::running(own, total, sums);\n        for", sorts_rows),
    Mutant(ORDER, "counts[at[i]] + __popc(before);\n                __syncwarp();", "counts[at[i]] + __popc(before);", sorts_rows),
    Mutant(ORDER, "counts[at[i]] += __popc(peers[i]);", "counts[at[i]] += 1;", sorts_rows),
    Mutant(ORDER, "shift < bits; shift += RADIX_BITS", "shift < bits - 8; shift += RADIX_BITS", sorts_rows),
    Mutant(ORDER, "column[i] < low) ++before;", "column[i] < low - 1) ++before;", sorts_rows),
    Mutant(ORDER, "column[i] - low < span) mark", "column[i] - low < span - 1) mark", sorts_rows),
    Mutant(ORDER, "marks[w] = 0;\n        __syncthreads();", "marks[w] = 0;", sorts_rows),
    Mutant(ORDER, "const Offset place = first + total;", "const Offset place = first;", sorts_rows),
    Mutant(ORDER, "ahead += __shfl_sync(ALL_LANES, up_to, 31);\n        }\n        __syncthreads();", "ahead += __shfl_sync(ALL_LANES, up_to, 31);\n        }", sorts_rows),
    Mutant(ORDER, "ahead += __shfl_sync(ALL_LANES, up_to, 31);", "ahead += up_to;", sorts_rows),
    Mutant(ORDER, "task / windows], low = static_cast<Index>(task % windows) * span;", "task / windows], low = 0;", sorts_rows),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
