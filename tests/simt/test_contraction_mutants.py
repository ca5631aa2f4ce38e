# ruff: noqa: E501  (mutants of one line)
"""The kernel of tables over a contraction, broken on purpose.

The exercise holds it against Floyd's and Warshall's method in NumPy: lanes of one and of several
values, 32 and 64 bits, cores of none, few and many vertices, chosen targets, sources twice, vertices
that no source reaches, positions of arcs of 32 bits and of 64.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from tests.graphs import random_weighted
from tests.harness import CPU
from tests.simt.exercises import INF, all_pairs, gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite


def tables() -> None:
    cases = ((0, 1, 3), (1, 40, 0), (2, 70, 1), (3, 130, 12), (4, 300, 40))
    for (seed, count, core), factor in zip(cases, (1, 2**32, 1, 1, 2**32), strict=True):
        backend, n = gpu(seed), 50 + seed
        i, j, w = random_weighted(n, seed, hub=n // 2 if seed % 2 else None, degree=1 + seed % 2)
        edges = i, j, w * factor
        G = lg.Graph.from_edges(i, j, edges[2].astype(np.int64), n=n, backend=CPU)
        P, right = lg.contract(G, core=core), all_pairs(n, edges)
        rng = np.random.default_rng(seed)
        sources, targets = rng.integers(0, n, count), rng.integers(0, n, 5)
        G = G.to(backend)
        with offsets_of_64_bits(seed % 2 == 0):
            lg.distance_matrix(G, sources[:1], contraction=P)  # its arcs are on the device
        found = lg.distance_matrix(G, sources, contraction=P).get()
        np.testing.assert_array_equal(found, right[sources])
        found = lg.distance_matrix(G, sources, targets, 9 * factor, contraction=P).get()
        near = np.where(right <= 9 * factor, right, INF)
        np.testing.assert_array_equal(found, near[sources][:, targets])


F = "multi_source/contraction_sweeps.cuh"
MUTANTS = [
    # --- lanes and arcs
    Mutant(F, "value[i] = sum < value[i] ? sum : value[i];", "value[i] = sum;", tables),
    Mutant(F, "there.value[i] + length", "there.value[i]", tables),
    Mutant(F, "(static_cast<long long>(v) * chunks + chunk) * 32 + lane_id()", "static_cast<long long>(v) * chunks * 32 + lane_id()", tables),
    Mutant(F, "none.value[i] = never;", "none.value[i] = 0;", tables),
    # --- parts of a block
    Mutant(F, "            room[part.which * 32 + lane_id()] = best;\n            __syncthreads();", "            room[part.which * 32 + lane_id()] = best;", tables),
    Mutant(F, "            if (part.which != 0) return false;\n", "", tables),
    Mutant(F, "other = 1; other < part.of", "other = 2; other < part.of", tables),
    Mutant(F, "best.fold(room[other * 32 + lane_id()], 0);", "best.fold(room[lane_id()], 0);", tables),
    Mutant(F, "if (part.of > 1) any = __syncthreads_or(any);", "", tables),
    Mutant(F, "room[SWEEP_WARPS * 32]", "room[32]", tables),
    # --- on the way up
    Mutant(F, "base += part.of * 32", "base += 2 * part.of * 32", tables),
    Mutant(F, "i < count && (reached[u] >> chunk & 1u)", "i < count", tables),
    Mutant(F, "i < count && (reached[u] >> chunk & 1u)", "(reached[u] >> chunk & 1u)", tables),
    Mutant(F, "(reached[u] >> chunk & 1u)", "(reached[u] & 1u)", tables),
    Mutant(F, "open &= open - 1;", "open = 0;", tables),
    Mutant(F, "if (open != 0) lane = __ffs", "lane = __ffs", tables),
    Mutant(F, "over[r] = __shfl_sync(ALL_LANES, length, lane);", "over[r] = length;", tables),
    Mutant(F, "atomicOr(reached + v, 1u << chunk);\n        *row", "reached[v] |= 1u << chunk;\n        *row", tables),
    Mutant(F, "        *row(v, chunk) = nothing();\n", "", tables),
    Mutant(F, "Row best = begun ? *row(v, chunk) : nothing();", "Row best = nothing();", tables),
    Mutant(F, "Row best = begun ? *row(v, chunk) : nothing();", "Row best = *row(v, chunk);", tables),
    Mutant(F, "(in.first[v + 1] - first);", "(in.first[v + 1] - first - 1);", tables),
    Mutant(F, "&& !begun) atomicOr(reached + v, 1u << chunk);", "&& begun) atomicOr(reached + v, 1u << chunk);", tables),
    # --- through the core
    Mutant(F, "u = core + i;", "u = i;", tables),
    Mutant(F, "lengths + static_cast<long long>(j) * (n - core)", "lengths + j", tables),
    Mutant(F, "put(best, n + j, chunk, part);", "put(best, core + j, chunk, part);", tables),
    # --- on the way down
    Mutant(F, "Row best = reached[v] >> chunk & 1u ? *row(v, chunk) : nothing();", "Row best = *row(v, chunk);", tables),
    Mutant(F, "Row best = reached[v] >> chunk & 1u ? *row(v, chunk) : nothing();", "Row best = nothing();", tables),
    Mutant(F, "e += part.of * ROWS_PER_LANE", "e += 2 * part.of * ROWS_PER_LANE", tables),
    Mutant(F, "e + r < last ? e + r : last - 1", "e", tables),
    Mutant(F, "e + r < last ? e + r : last - 1", "e + r", tables),
    Mutant(F, "over[r] = out.length[arc];", "over[r] = out.length[e];", tables),
    # --- the whole
    Mutant(F, "Index(gridDim.x) : warp_count()", "Index(gridDim.x) : 2 * warp_count()", tables),
    Mutant(F, "work(item / chunks, item % chunks, part);", "work(item / chunks, 0, part);", tables),
    Mutant(F, "sweep.begin(sources[s], s / (32 * V));\n    grid.wait();", "sweep.begin(sources[s], s / (32 * V));", tables),
    Mutant(F, "s / (32 * V));", "0);", tables),
    Mutant(F, "* chunks * 32 * V + s] = 0;\n    grid.wait();", "* chunks * 32 * V + s] = 0;", tables),
    Mutant(F, "Index level = 1; level <= levels", "Index level = 1; level < levels", tables),
    Mutant(F, "Index level = 1; level <= levels", "Index level = 2; level <= levels", tables),
    Mutant(F, "sweep.rise(first + i, chunk, in, part); });\n        grid.wait();", "sweep.rise(first + i, chunk, in, part); });", tables),
    Mutant(F, "        grid.wait();\n        const Index* const some", "        const Index* const some", tables),
    Mutant(F, "level >= 0; --level", "level > 0; --level", tables),
    Mutant(F, "wanted + turns[level];", "wanted;", tables),
    Mutant(F, "sweep.fall(some[i], chunk, out, part);", "sweep.fall(i, chunk, out, part);", tables),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([tables], MUTANTS)
