# ruff: noqa: E501  (mutants of one line)
"""The kernels of many searches at once, broken on purpose.

The exercises hold them against Floyd's and Warshall's method in NumPy: rounds and lengths, sums over
the sources, chosen targets, single pairs, hubs, sources twice, slices of each width, bounded searches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import types
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import SEEDS, gpu

INF = float("inf")
Edges = tuple[np.ndarray, np.ndarray, np.ndarray]
BY_DELTA, BY_HEAP = lg.Schedule(order="delta"), lg.Schedule(order="heap")


def all_pairs(n: int, edges: Edges) -> np.ndarray:
    i, j, w = edges
    D = np.full((n, n), INF)
    np.minimum.at(D, (i, j), w)
    D[np.arange(n), np.arange(n)] = 0
    for k in range(n):
        D = np.minimum(D, D[:, k : k + 1] + D[k])
    return D


def some_edges(n: int, seed: int, hub: int | None = None, degree: int = 3) -> Edges:
    rng = np.random.default_rng(seed)
    i, j = np.divmod(rng.integers(0, n * n, degree * n), n)
    if hub is not None:
        others = np.arange(n)
        i, j = np.r_[i, others, np.full(n, hub)], np.r_[j, np.full(n, hub), others]
    i, j = np.divmod(np.unique(i * n + j), n)
    return i, j, rng.integers(0, 9, i.size).astype(float)


def table_holds(
    backend: GpuBackend, n: int, edges: Edges, sources: Any, targets: Any = None,
    cutoff: float | None = None, dtype: str = "FP32", hops: bool = False,
    schedule: lg.Schedule | None = None,
) -> None:  # fmt: skip
    i, j, w = edges
    G = lg.Graph.from_edges(i, j, w.astype(getattr(types, dtype)), n=n, backend=backend)
    right = all_pairs(n, (i, j, np.ones(i.size)) if hops else edges)[sources]
    right = right if targets is None else right[:, targets]
    right = np.where(right <= (INF if cutoff is None else cutoff), right, INF)
    weight = None if hops else "weight"
    found = lg.distance_matrix(G, sources, targets, cutoff, weight, schedule=schedule).get()
    np.testing.assert_array_equal(found, right)


def searches() -> None:
    """Rounds, for batches of one to nine words, with a hub that a block takes."""
    for seed, count in zip(range(5), (1, 33, 70, 140, 280), strict=True):
        backend = gpu(seed)
        backend.products.long_row = 20 if seed % 2 else 1024
        n = 45 + seed
        sources = np.random.default_rng(seed).integers(0, n, count)
        table_holds(backend, n, some_edges(n, seed, hub=3), sources, hops=True)
        edges = some_edges(n, seed, degree=1)
        targets = np.random.default_rng(seed).integers(0, n, 40)
        table_holds(backend, n, edges, sources, targets, cutoff=3, hops=True)


def searches_towards_a_hub() -> None:
    """Each even vertex has one edge, to the odd one beside it, and these have one to the hub: it is
    reached in the second round, over a way of its own for each source. Another vertex has just as
    many in-edges as a team may take."""
    for seed, n in ((0, 40), (1, 90), (2, 600)):
        backend, evens = gpu(seed), np.arange(2, n, 2)
        i = np.r_[evens[:-1], evens[:-1] + 1, evens[:-1][-7:] + 1]
        j = np.r_[evens[:-1] + 1, np.zeros(evens.size - 1, int), np.full(7, n - 1)]
        backend.products.long_row = 7
        table_holds(backend, n, (i, j, np.ones(i.size)), evens[::-1][:40], hops=True)
        table_holds(backend, n, (i, j, np.ones(i.size)), evens[-60:-20], hops=True)


def sums() -> None:
    """How many reach a vertex, from how far, how near: of 64 and of 600 sources."""
    for seed, count in ((1, 64), (2, 600)):
        backend, n = gpu(seed), 50
        backend.products.long_row = 20 if seed % 2 else 1024
        i, j, _ = some_edges(n, seed, hub=7)
        G = lg.Graph.from_edges(i, j, n=n, backend=backend)
        sources = np.random.default_rng(seed).integers(0, n, count)
        D = all_pairs(n, (i, j, np.ones(i.size)))[sources]
        D = np.where((D > 0) & (D < INF), D, 0)
        near = np.divide(1, D, out=np.zeros_like(D), where=D > 0)
        right = [(D > 0).sum(0), D.sum(0), near.sum(0)]
        found = backend.nearness(G.A, sources)
        assert found is not None
        for made, wanted in zip(found, right, strict=True):
            np.testing.assert_allclose(backend.device.download(made.values), wanted, rtol=1e-12)


def slices() -> None:
    """Lengths, in slices of each width, with blocks that take several."""
    for seed, team in enumerate((1, 2, 4, 8, 16)):
        backend = gpu(seed)
        backend.many.threads = 64
        backend.many.team, schedule = team, lg.Schedule(order="delta", width=(1, 5, 100)[seed % 3])
        n, dtype = 40 + seed, ("FP32", "INT64")[seed % 2]
        sources = np.random.default_rng(seed).integers(0, n, 70)
        few = sources[:9], [1, 1, 30], 11
        table_holds(backend, n, some_edges(n, seed), sources, dtype=dtype, schedule=schedule)
        table_holds(backend, n, some_edges(n, seed, degree=1), *few, schedule=schedule)


def slices_of_hubs() -> None:
    """A vertex of more edges than a team walks; and one whose edges fill no whole step."""
    for seed in SEEDS[:2]:
        backend, n = gpu(seed), 300
        backend.many.threads = 64
        backend.many.team = 8
        edges = some_edges(n, seed, hub=11, degree=1)
        table_holds(backend, n, edges, [0, 11, 299], schedule=BY_DELTA)


def slices_that_wrap() -> None:
    """Sums beyond 32 bits, and one that just fits."""
    backend, far = gpu(1), float(2**31 - 1)
    backend.many.team, backend.many.threads = 4, 64
    edges = np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.array([far - 6, 5.0, far - 1, 1.0])
    table_holds(backend, 6, edges, [0], dtype="INT64", schedule=BY_DELTA)
    edges = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([far, 0.0, 7.0])
    table_holds(backend, 4, edges, [0, 2], dtype="INT64", schedule=BY_DELTA)


def pairs() -> None:
    """More than there are threads: from bits, from slices of four, from single searches, heaps."""
    ways = (None, 3, True), (BY_DELTA, 3, False), (None, 12, False), (BY_HEAP, 3, False)
    for seed, (schedule, degree, hops) in enumerate(ways):
        backend, n = gpu(seed), 30
        backend.many.team, backend.many.threads = 4, 64
        edges = i, j, w = some_edges(n, seed, degree=degree)
        G = lg.Graph.from_edges(i, j, w, n=n, backend=backend)
        sources, targets = np.random.default_rng(seed).integers(0, n, (2, 700))
        weight = None if hops else "weight"
        found = lg.paired_distances(G, sources, targets, 9, weight, schedule=schedule).get()
        right = all_pairs(n, (i, j, np.ones(i.size)) if hops else edges)[sources, targets]
        np.testing.assert_array_equal(found, np.where(right <= 9, right, INF))


def slices_with_targets() -> None:
    """Over when the targets are settled, or else a sum wraps, and a second search begins; but not
    before: to vertex 41 there are better and better ways. What was left must not show in the next."""
    path = np.arange(6), np.arange(1, 7), np.array([3, 4, 5, 6, 2**30, 2**30], float)
    via = np.arange(1, 41)
    i, j = np.r_[np.zeros(40, int), via, 41], np.r_[via, np.full(40, 41), 42]
    fan = i, j, np.r_[2 * via, 500 - 3 * via, 1].astype(float)
    for team in (1, 4):
        backend = gpu(team)
        backend.many.team, backend.many.threads = team, 64
        near = lg.Schedule(order="delta", width=1)
        for targets, searches in (([3, 1, 3], 1), ([6], 2)):
            with lg.explain() as told:
                some = [0, 1, 1, 0]
                table_holds(backend, 7, path, some, targets, dtype="INT64", schedule=near)
            assert len(told.choices) == searches
        for targets in ([41], [42, 41], [*range(43)], [*range(1, 20), 41]):
            table_holds(backend, 43, fan, [0] * 12, targets, schedule=near)
        edges = some_edges(45, team)
        table_holds(backend, 45, edges, np.arange(40) % 9, [7], schedule=near)
        table_holds(backend, 45, edges, np.arange(40), [*range(20)] * 2, schedule=near)


EXERCISES = [
    searches, searches_towards_a_hub, sums, slices, slices_of_hubs, slices_that_wrap,
    slices_with_targets, pairs,
]  # fmt: skip
MUTANTS = [
    # --- many.cuh: what is found, and when
    Mutant("many.cuh", "        for (int q = 0; q < Q; ++q) got.w[q] &= missing.w[q];\n        return got;", "        return got;", searches),
    Mutant("many.cuh", "e += SIDE * step;", "e += 2 * SIDE * step;", searches),
    Mutant("many.cuh", "got.w[q] |= __shfl_xor_sync(ALL_LANES, got.w[q], distance);", "got.w[q] |= 0;", searches),
    Mutant("many.cuh", "__syncwarp();  // all have read", "// all have read", searches),
    Mutant("many.cuh", "next[at(v)] = got;", "", searches),
    Mutant("many.cuh", "seen[at(v)] = now;", "", searches),
    Mutant("many.cuh", "atomicOr(found + word, mine);", "found[word] |= mine;", searches),
    Mutant("many.cuh", "live && q % SIDE == slot() ?", "live && q % SIDE == slot() && q == 0 ?", searches),
    Mutant("many.cuh", "~now.w[q] & alive[part() * Q + q]", "alive[part() * Q + q]", searches),
    Mutant("many.cuh", "got.w[q] &= ~now.w[q];", "got.w[q] |= 0;", searches),
    Mutant("many.cuh", "count += __shfl_xor_sync(ALL_LANES, count, distance);", "count += 0;", sums),
    Mutant("many.cuh", "last - first <= longest", "last - first < longest", searches_towards_a_hub),
    Mutant("many.cuh", "begin + per_team, 1);", "begin + per_team - 1, 1);", searches_towards_a_hub),
    Mutant("many.cuh", "if (some.w[q] != 0) atomicOr", "if (some.w[q] != 0 && q > 0) atomicOr", searches_towards_a_hub),
    Mutant("many.cuh", "alive[(round + 1) % 3 * words + word] = 0;", "alive[round % 3 * words + word] = 0;", searches),
    Mutant("many.cuh", "search.alive = alive + (round + 2) % 3 * words;", "search.alive = alive + round % 3 * words;", searches),
    Mutant("many.cuh", "        grid.wait();\n    };", "    };", searches),
    Mutant("many.cuh", "search.pull_long(hubs, hub, shared);", "", searches_towards_a_hub),
    Mutant("many.cuh", "round <= most", "round < most", searches),
    Mutant("many.cuh", "if constexpr (!Sink::sums) sink.row(v, s >> 5)[s & 31] = 0;", "", searches),
    # --- sinks.cuh
    Mutant("sinks.cuh", "reached[v] += count;", "reached[v] = count;", sums),
    Mutant("sinks.cuh", "Count(count) * Count(round)", "Count(round)", sums),
    Mutant("sinks.cuh", "double(count) / double(round)", "double(count / round)", sums),
    Mutant("sinks.cuh", "* room + 32 * word", "* room + word", searches),
    Mutant("sinks.cuh", "left &= left - 1", "left = 0", searches),
    Mutant("sinks.cuh", "__shfl_sync(ALL_LANES, word, whose)", "word", searches),
    # --- slice.cuh: what is pending, and in which list
    Mutant("slice.cuh", "return z == S::start() || !(S::add(tail, z) == tail);", "return z == S::start();", slices_that_wrap),
    Mutant("slice.cuh", "return z == S::start() || !(S::add(tail, z) == tail);", "return !(S::add(tail, z) == tail);", slices_that_wrap),
    Mutant("slice.cuh", "list[base + __popc(some & lanes_below())] = v;", "list[base] = v;", slices),
    Mutant("slice.cuh", "atomicOr(state + v[i], lanes[i] | (close[i] ? NEAR : FAR))", "atomicOr(state + v[i], close[i] ? NEAR : FAR)", slices),
    Mutant("slice.cuh", "append(close[i] && !(before[i] & NEAR), v[i], near, near_count);", "append(close[i] && (before[i] & FAR), v[i], near, near_count);", slices),
    Mutant("slice.cuh", "append(!close[i] && !(before[i] & FAR), v[i], far, far_count);", "", slices),
    Mutant("slice.cuh", "e += EDGES * step", "e += (EDGES + 1) * step", slices),
    Mutant("slice.cuh", "&& as_good(offered[i], limit)", "", slices),
    Mutant("slice.cuh", "if (lane() != i % P) continue;", "if (lane() != 0) continue;", slices),
    Mutant("slice.cuh", "if (v < 0 || !as_good", "if (!as_good", slices),
    Mutant("slice.cuh", "1u << l | FAR", "1u | FAR", slices),
    Mutant("slice.cuh", "if (pending == 0) last = first;", "last = first;", slices),
    Mutant("slice.cuh", "indptr[u] + threadIdx.x / P, indptr[u + 1], teams", "indptr[u], indptr[u + 1], teams", slices_of_hubs),
    Mutant("slice.cuh", "if (lanes_of(__ballot_sync(ALL_LANES, aside)) != 0) last = first;\n            relax", "if (lane_id() >= 0) last = first;\n            relax", slices_of_hubs),
    Mutant("slice.cuh", "if (leads) state[u] = pending | list_of;", "if (leads) state[u] = pending;", slices),
    Mutant("slice.cuh", "append(leads && list_of == FAR, u, far, far_count);", "", slices),
    # --- slices.cuh: whose turn it is
    Mutant("slices.cuh", "if (leads && office.strange)", "if (leads && !office.strange)", slices_that_wrap),
    Mutant("slices.cuh", "x + size * P * office.slice", "x", slices),
    Mutant("slices.cuh", "states + size * blockIdx.x", "states", slices),
    # --- when a slice is over
    Mutant("slice.cuh", "better(office->best[0], peek_value(at(target[mine])))", "better(S::start(), peek_value(at(target[mine])))", slices_with_targets),
    Mutant("slice.cuh", "*known += blockDim.x / P", "*known += blockDim.x", slices_with_targets),
    Mutant("slice.cuh", "return wanted > 0;", "return false;", slices_with_targets),
    Mutant("slice.cuh", "return wanted > 0;", "return true;", slices),
    Mutant("slices.cuh", "                slice.forget(list + size * (2 + distant), far);\n", "", slices_with_targets),
    Mutant("slices.cuh", "near == 0 && slice.over", "slice.over", slices_with_targets),
    # --- block.cuh: rows of the table
    Mutant("block.cuh", "out[place[p0 + i] * targets", "out[(p0 + i) * targets", slices),
    Mutant("block.cuh", "tile[lane][i];", "tile[i][lane];", searches),
    Mutant("block.cuh", "!(value <= limit) || value == start", "value == start", slices),
    Mutant("block.cuh", "!(value <= limit) || value == start", "!(value <= limit)", slices_that_wrap),
    Mutant("block.cuh", "static_cast<Index>(t0 + i) : target[t0 + i]", "static_cast<Index>(t0 + i) : target[i]", searches),
    Mutant("block.cuh", "        __syncthreads();\n        for (int i = warp; i < TILE; i += warps)\n            if", "        for (int i = warp; i < TILE; i += warps)\n            if", searches),
    # --- block.cuh: single entries
    Mutant("block.cuh", "        out[place[k]] =", "        out[k] =", pairs),
    Mutant("block.cuh", "row[k] - first, target[k]", "row[k], target[k]", pairs),
    Mutant("block.cuh", "row[k] - first, target[k]", "row[k] - first, row[k]", pairs),
    Mutant("block.cuh", "k < count; k += step", "k < count - 1; k += step", pairs),
    Mutant("block.cuh", "k < count; k += step", "k < count; k += 2 * step", pairs),
    Mutant("block.cuh", "(p / width) * n + v) * width + p % width", "(p / width) * n + v) * width", pairs),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
