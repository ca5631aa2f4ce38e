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


T = "fused/short_row_triangles.cuh"
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
    Mutant(T, "rows.has(first_row + row, w)) add(", "true) add(", triangles),
    Mutant(T, "rows.has(first_row + row, w)) add(", "rows.has(v, w)) add(", triangles),
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
    Mutant(T, "warp_reduce<Sum>(warp.found);", "warp.found;", triangles),
    Mutant(T, "atomicAdd(total, found);", "*total += found;", triangles),
    # --- at each vertex
    Mutant(T, "if (of_vertex == nullptr) return;", "", triangles),
    Mutant(T, "if (total == nullptr) return;", "", triangles),
    Mutant(T, "atomicAdd(counts + u, 1ull);", "", triangles),
    Mutant(T, "atomicAdd(counts + v, 1ull);", "counts[v] += 1;", triangles),
    Mutant(T, "atomicAdd(counts + w, 1ull);", "atomicAdd(counts + v, 1ull);", triangles),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([triangles], MUTANTS)
