# ruff: noqa: E501  (mutants of one line)
"""The kernel of triangles over short rows, broken on purpose.

The exercise holds it against a count by hand, over random graphs, cliques that take several turns
of four columns, and lattices with diagonals; with offsets of 32 and 64 bits, with filters that
hold nearly every column and those that hold hardly another, and with one or several shares of the
rows for each warp.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.triangles import total_triangles, vertex_triangles
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.planning.triangles import Fingerprints
from tests.harness import lowered
from tests.simt.exercises import backends_of_both_offsets
from tests.simt.mutants import Mutant, suite


def by_hand(edges: set[tuple[int, int]], n: int) -> np.ndarray:
    """The number of triangles at each vertex."""
    beside: dict[int, set[int]] = {}
    for u, v in edges:
        beside.setdefault(u, set()).add(v)
        beside.setdefault(v, set()).add(u)
    counted = np.zeros(n, np.int64)
    for u, v in edges:
        counted[list(beside[u] & beside[v])] += 1
    return counted


def expect_triangles(edges: set[tuple[int, int]], n: int, backend: GpuBackend) -> None:
    u, v = np.array([*sorted(edges), (n // 2, n // 2)]).T  # and a loop
    G = lg.Graph.from_edges(u, v, n=n, directed=False, backend=backend)
    right = by_hand(edges, n)
    assert 3 * lowered(total_triangles, G) == right.sum() > 0
    made = lowered(vertex_triangles, G)
    np.testing.assert_array_equal(made.to_dense(), right)
    assert made.dtype == np.int64


def random_edges(n: int, m: int, seed: int) -> set[tuple[int, int]]:
    u, v = np.random.default_rng(seed).integers(0, n, (2, m))
    return {(min(e), max(e)) for e in zip(u.tolist(), v.tolist()) if e[0] != e[1]}


def with_diagonals(side: int) -> set[tuple[int, int]]:
    found = set()
    for x in range(side * side):
        right, down = x % side < side - 1, x + side < side * side
        found |= {(x, x + 1)} if right else set()
        found |= {(x, x + side)} if down else set()
        found |= {(x, x + side + 1)} if right and down else set()
    return found


def cliques(*sizes: int) -> set[tuple[int, int]]:
    found, begin = set(), 0
    for size in sizes:
        found |= set(combinations(range(begin, begin + size), 2))
        begin += size
    return found


def triangles() -> None:
    for seed, backend in backends_of_both_offsets():
        backend.triangles.words, backend.triangles.marks = [(2, 512), (256, 64), (8, 4096)][seed]
        expect_triangles(random_edges(150, 1400, seed), 150, backend)
        expect_triangles(with_diagonals(11), 121, backend)
        expect_triangles(cliques(8, 9, 10, 33, 40, 17) | {(116, 120)}, 121, backend)


def by_fingerprints() -> None:
    """Rows with more columns than a vertex has fingerprints, one more and one fewer, several of which a
    filter holds by mistake, and lists that end within a turn."""
    for seed, backend in backends_of_both_offsets():
        backend.triangles.fingerprints = Fingerprints(0, 0, 100)
        expect_triangles(random_edges(150, 900, seed), 150, backend)
        expect_triangles(random_edges(130, 4000, seed), 130, backend)
        expect_triangles(random_edges(1000, 16000, seed), 1000, backend)
        expect_triangles(cliques(8, 9, 10, 32, 33, 34, 40, 17) | {(180, 184)}, 190, backend)
        expect_triangles(cliques(60, 64) | {(a, a + 64) for a in range(60)}, 124, backend)


def near_and_far() -> None:
    """Where more than half of the entries are near the diagonal, none of the kernels of fingerprints
    finds anything, and else not the other."""
    for seed, backend in backends_of_both_offsets():
        backend.triangles.fingerprints = Fingerprints(0, 0, 100)
        n = 640
        near = {(u, u + d) for u in range(n) for d in range(1, 8) if u + d < n}
        expect_triangles(near, n, backend)
        spread = {tuple(sorted((37 * u % n, 37 * v % n))) for u, v in near}
        expect_triangles(spread | random_edges(n, 900, seed), n, backend)


T = "fused/short_row_triangles.cuh"
S = "fused/sampled_entries.cuh"
F = "fused/fingerprint_triangles.cuh"
FOUND = "fused/found_triangles.cuh"
R = "fused/row_fingerprints.cuh"
MUTANTS = [
    # --- which columns are marked, and which edges wait
    Mutant(T, "below = v < first_row + row", "below = v <= first_row + row", triangles),
    Mutant(T, "if (below) filter.add(row, v);", "if (below && lane_id() != 5) filter.add(row, v);", triangles),
    Mutant(T, "mark(words, second(h));", "", triangles),
    Mutant(T, "(!first || place() > 0)", "place() > 0", triangles),
    Mutant(T, "at = left ? at + SIDE : end;", "at += SIDE + 1;", triangles),
    Mutant(T, "first = false;", "", triangles),
    Mutant(T, "if (lane_id() < some) {\n            at = rows.indptr[first_row", "if (true) {\n            at = rows.indptr[first_row", triangles),
    Mutant(T, "const Index row = owner(turn), v = columns[turn];", "const Index row = owner(0), v = columns[turn];", triangles),
    # --- waiting
    Mutant(T, "while (count > 0 || __any_sync(ALL_LANES, left))", "while (__any_sync(ALL_LANES, left))", triangles),
    Mutant(T, "if (count >= 32 || !__any_sync", "if (!__any_sync", triangles),
    Mutant(T, "count + __popc(those & lanes_below())", "__popc(those & lanes_below())", triangles),
    Mutant(T, "__syncwarp();  // what waits", "// what waits", triangles),
    Mutant(T, "__syncwarp();  // before others wait in these places", "", triangles),
    Mutant(T, "return {v, row_and_turns + 32};", "return {v, row_and_turns + 64};", triangles),
    Mutant(T, "return row_and_turns & 31;", "return row_and_turns & 15;", triangles),
    # --- looking
    Mutant(T, "count < 32 ? count : 32;", "count < 32 ? count : 33;", triangles),
    Mutant(T, "count -= some;", "count = 0;", triangles),
    Mutant(T, "+ SIDE * mine.turns();", "+ mine.turns();", triangles),
    Mutant(T, "e < __shfl_sync(ALL_LANES, end, owner(turn)) ? rows.indices[e] : EMPTY<Index>;", "rows.indices[e];", triangles),
    Mutant(T, "const bool below = w < v;", "const bool below = w <= v;", triangles),
    Mutant(T, "rows.has(first_row + row, w)) found.add(", "true) found.add(", triangles),
    Mutant(T, "rows.has(first_row + row, w)) found.add(", "rows.has(v, w)) found.add(", triangles),
    Mutant(T, "w = columns[turn];", "w = columns[0];", triangles),
    Mutant(T, "row = __shfl_sync(ALL_LANES, mine.row(), owner(turn));", "row = mine.row();", triangles),
    Mutant(T, "lane_id() / LISTS == turn && those", "lane_id() % SIDE == turn && those", triangles),
    Mutant(T, "(lane_id() % LISTS * SIDE + SIDE - 1)", "(lane_id() % SIDE * LISTS + SIDE - 1)", triangles),
    # --- shares of a warp
    Mutant(T, "filter[w] = 0;\n        __syncwarp();", "filter[w] = 0;", triangles),
    Mutant(T, "for (int w = lane_id(); w < words; w += 32) filter[w] = 0;", "", triangles),
    Mutant(T, "__syncwarp();  // before the filter is cleared", "", triangles),
    Mutant(T, "n - warp.first_row < each ? n - warp.first_row : each", "each", triangles),
    Mutant(T, "filters + Warp::number() * words", "filters", triangles),
    Mutant(T, "waiting[Warp::number()]", "waiting[0]", triangles),
    Mutant(FOUND, "warp_reduce<Sum>(count);", "count;", triangles),
    Mutant(FOUND, "atomicAdd(total, found);", "*total += found;", triangles),
    # --- at each vertex
    Mutant(FOUND, "if (of_vertex == nullptr) return;", "", triangles),
    Mutant(FOUND, "if (total == nullptr) return;", "", triangles),
    Mutant(FOUND, "atomicAdd(counts + u, 1ull);", "", triangles),
    Mutant(FOUND, "atomicAdd(counts + v, 1ull);", "counts[v] += 1;", triangles),
    Mutant(FOUND, "atomicAdd(counts + w, 1ull);", "atomicAdd(counts + v, 1ull);", triangles),
    # --- which kernel
    Mutant(T, "sampled.counts != nullptr && !sampled.near()", "!sampled.near()", triangles),
    Mutant(T, "sampled.counts != nullptr && !sampled.near()", "false", by_fingerprints),
    Mutant(F, "    if (sampled.near()) return;\n    using", "    using", near_and_far),
    Mutant(S, "share(hashed(row), static_cast<Index>(size))", "size", near_and_far),
    Mutant(S, "        if (size == 0) continue;\n", "", by_fingerprints),
    # --- fingerprints
    Mutant(R, "(h & 511u) == 0 ? h | 1u : h", "h & 0xfe00u", by_fingerprints),
    Mutant(R, "lane_id() < count) {\n            begin", "lane_id() < 32) {\n            begin", by_fingerprints),
    Mutant(R, "e < last ? __ldcs(indices + e) : EMPTY<Index>;", "__ldcs(indices + e);", by_fingerprints),
    Mutant(R, "(row + i) & 31) + past + lane_id()", "(row + i) & 31) + lane_id()", by_fingerprints),
    Mutant(R, "n - begin < 32 ? n - begin : 32", "32", by_fingerprints),
    Mutant(R, "if (row + i < rows.count)\n", "if (true)\n", by_fingerprints),
    Mutant(R, "columns[i] < v ? fingerprint(columns[i]) : 0u", "columns[i] < v - 1 ? fingerprint(columns[i]) : 0u", by_fingerprints),
    # --- bitmaps
    Mutant(R, "mark(words + row * APART, low);", "if (lane_id() != 5) mark(words + row * APART, low);", by_fingerprints),
    Mutant(R, "mark(words + HALF + row * APART, high);", "mark(words + HALF + row * APART, low);", by_fingerprints),
    Mutant(R, "slots[i] >> 16 & (BITS - 1), 2 * i + 1", "slots[i] & (BITS - 1), 2 * i + 1", by_fingerprints),
    Mutant(R, "i & 4 ? slots[3] : slots[1]", "i & 4 ? slots[2] : slots[1]", by_fingerprints),
    Mutant(R, "(i & 2 ? high : low)", "low", by_fingerprints),
    Mutant(R, ">> 16 * (i & 1) & 0xffffu;", "& 0xffffu;", by_fingerprints),
    Mutant(R, "passed ^= 1u << i;", "passed = 0;", by_fingerprints),
    Mutant(R, "(BITS - 1), 2 * i + 1);", "(BITS - 1), 2 * i);", by_fingerprints),
    # --- which edges wait
    Mutant(F, "below = v < first_row + row + i;", "below = v <= first_row + row + i;", by_fingerprints),
    Mutant(F, "if (below) filter.add(row + i, fingerprint(v));", "if (below) filter.add(row, fingerprint(v));", by_fingerprints),
    Mutant(F, "(past > 0 || lane_id() > 0)", "lane_id() > 0", by_fingerprints),
    Mutant(F, "RowEdge{v, row + i});", "RowEdge{v, row});", by_fingerprints),
    Mutant(F, "further |= below;", "further = below;", by_fingerprints),
    Mutant(F, "past = further ? past + 32 : 0;", "past = 0;", by_fingerprints),
    Mutant(F, "while (row < some || waits > 0)", "while (row < some)", by_fingerprints),
    Mutant(F, "if (waits >= 32 || row >= some)", "if (row >= some)", by_fingerprints),
    Mutant(F, "edges[count + __popc(those & lanes_below())] = edge;", "edges[__popc(those & lanes_below())] = edge;", by_fingerprints),
    Mutant(F, "waits < 32 ? waits : 32", "waits < 32 ? waits : 33", by_fingerprints),
    Mutant(F, "waits -= some;", "waits = 0;", by_fingerprints),
    Mutant(F, "if (k < some) read", "if (true) read", by_fingerprints),
    Mutant(F, "__syncwarp();  // what waits", "// what waits", by_fingerprints),
    Mutant(F, "__syncwarp();  // before others wait in these places", "// before others wait in these places", by_fingerprints),
    # --- doubts
    Mutant(F, "<< OF_READER * turn;", ";", by_fingerprints),
    Mutant(F, "if (place != READERS - 1) full = 0;", "full = 0;", by_fingerprints),
    Mutant(R, "bit - at) & 1u << at;", "bit) & 1u << at;", by_fingerprints),
    Mutant(F, ">> (16 - turn);", ">> 16;", by_fingerprints),
    Mutant(F, "OF_READER * place + bit % OF_READER", "bit % OF_READER", by_fingerprints),
    Mutant(F, "edge = waiting[waits + turn * TOGETHER + mine];", "edge = waiting[waits + mine];", by_fingerprints),
    Mutant(F, "if (of_slot) passed &= passed - 1;", "if (of_slot) passed = 0;", by_fingerprints),
    Mutant(F, "else full &= full - 1;", "else full = 0;", by_fingerprints),
    Mutant(R, "holds(of_row + HALF, print >> SHIFT)", "holds(words + HALF, print >> SHIFT)", by_fingerprints),
    Mutant(F, "if (doubts >= 32) resolve();", "", by_fingerprints),
    Mutant(F, "DoubtfulEdge{first_row + edge.row, edge.v, slot}", "DoubtfulEdge{edge.row, edge.v, slot}", by_fingerprints),
    Mutant(F, "doubts < 32 ? doubts : 32", "32", by_fingerprints),
    Mutant(F, "doubts -= some;", "doubts = 0;", by_fingerprints),
    Mutant(F, "edge.slot < PRINTS ? at + 1 : rows.indptr[edge.v + 1]", "rows.indptr[edge.v + 1]", by_fingerprints),
    Mutant(F, "edge.slot < PRINTS ? at + 1 : rows.indptr[edge.v + 1]", "at + 1", by_fingerprints),
    Mutant(F, "if (w >= edge.v) break;", "", by_fingerprints),
    Mutant(F, "if (rows.has(edge.u, w)) found.add(", "found.add(", by_fingerprints),
    Mutant(F, "if (rows.has(edge.u, w)) found.add(", "if (rows.has(edge.v, w)) found.add(", by_fingerprints),
    Mutant(F, "while (warp.doubts > 0) warp.resolve();", "", by_fingerprints),
    # --- shares of a warp
    Mutant(F, "filter[w] = 0;\n        __syncwarp();", "filter[w] = 0;", by_fingerprints),
    Mutant(F, "for (int w = lane_id(); w < WORDS; w += 32) filter[w] = 0;", "", by_fingerprints),
    Mutant(F, "n - warp.first_row < ROWS ? n - warp.first_row : ROWS", "ROWS", by_fingerprints),
    Mutant(F, "filters[Warp::number()]", "filters[0]", by_fingerprints),
    Mutant(F, "waiting[Warp::number()]", "waiting[0]", by_fingerprints),
    Mutant(F, "doubtful[Warp::number()]", "doubtful[0]", by_fingerprints),
    Mutant(FOUND, "warp_reduce<Sum>(count);", "count;", by_fingerprints),
    Mutant(FOUND, "if (of_vertex == nullptr) return;", "", by_fingerprints),
    Mutant(FOUND, "if (total == nullptr) return;", "", by_fingerprints),
    Mutant(FOUND, "atomicAdd(counts + w, 1ull);", "atomicAdd(counts + v, 1ull);", by_fingerprints),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([triangles, by_fingerprints, near_and_far], MUTANTS)
