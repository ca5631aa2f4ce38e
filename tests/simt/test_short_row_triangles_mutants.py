# ruff: noqa: E501  (mutants of one line)
"""The kernel of triangles over short rows, broken on purpose.

The exercise holds it against a count by hand, over random graphs, cliques that take several turns
of eight columns, and lattices with diagonals; with offsets of 32 and 64 bits, with filters that
hold nearly every column and those that hold hardly another, and with one or several shares of the
rows for each warp.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.triangles import total_triangles
from lagraph_gpu.gpu.backend import GpuBackend
from tests.harness import lowered
from tests.simt.exercises import backends_of_both_offsets
from tests.simt.mutants import Mutant, suite


def by_hand(edges: set[tuple[int, int]]) -> int:
    beside: dict[int, set[int]] = {}
    for u, v in edges:
        beside.setdefault(u, set()).add(v)
        beside.setdefault(v, set()).add(u)
    return sum(len(beside[u] & beside[v]) for u, v in edges) // 3


def expect_triangles(edges: set[tuple[int, int]], n: int, backend: GpuBackend) -> None:
    u, v = np.array([*sorted(edges), (n // 2, n // 2)]).T  # and a loop
    G = lg.Graph.from_edges(u, v, n=n, directed=False, backend=backend)
    assert lowered(total_triangles, G) == by_hand(edges)


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
    Mutant(T, "below = v < u;", "below = v <= u;", triangles),
    Mutant(T, "if (below) mark(filter, bit(row, v));", "if (below && lane_id() != 5) mark(filter, bit(row, v));", triangles),
    Mutant(T, "e < __shfl_sync(ALL_LANES, end, row) ? rows.indices[e] : u;", "rows.indices[e];", triangles),
    Mutant(T, "base < some || count > 0;", "base < some;", triangles),
    Mutant(T, "if (base >= some || count >= 32) {", "if (base >= some) {", triangles),
    Mutant(T, "if (base >= some || count >= 32) {", "if (count >= 32) {", triangles),
    Mutant(T, "e += SIDE_BY_SIDE;", "e += SIDE_BY_SIDE + 1;", triangles),
    Mutant(T, "if (__any_sync(ALL_LANES, below)) continue;", "if (__all_sync(ALL_LANES, below)) continue;", triangles),
    Mutant(T, "base += LISTS;", "base += 2 * LISTS;", triangles),
    Mutant(T, "if (lane_id() < some) {\n            begin", "if (true) {\n            begin", triangles),
    Mutant(T, "wait(below && e > first,", "wait(below && e > first + 1,", triangles),
    # --- waiting
    Mutant(T, "count + __popc(those & lanes_below())", "__popc(those & lanes_below())", triangles),
    Mutant(T, "count += __popc(those);\n        __syncwarp();", "count += __popc(those);", triangles),
    Mutant(T, "__syncwarp();  // before others wait in these places", "", triangles),
    Mutant(T, "return {v, row_and_read + 32};", "return {v, row_and_read + 64};", triangles),
    Mutant(T, "(row_and_read >> 5) * SIDE_BY_SIDE", "(row_and_read >> 5) * (SIDE_BY_SIDE - 1)", triangles),
    Mutant(T, "return row_and_read & 31;", "return row_and_read & 15;", triangles),
    # --- looking
    Mutant(T, "count < 32 ? count : 32;", "count < 32 ? count : 33;", triangles),
    Mutant(T, "count -= some;", "count = 0;", triangles),
    Mutant(T, "e < last ? rows.indices[e] : EMPTY<Index>;", "rows.indices[e];", triangles),
    Mutant(T, "const bool below = w < v;", "const bool below = w <= v;", triangles),
    Mutant(T, "rows.has(first_row + row, w)) ++found", "true) ++found", triangles),
    Mutant(T, "rows.has(first_row + row, w)) ++found", "rows.has(v, w)) ++found", triangles),
    Mutant(T, "w = columns[turn];", "w = columns[0];", triangles),
    Mutant(T, "row = __shfl_sync(ALL_LANES, mine.row(), lane);", "row = mine.row();", triangles),
    Mutant(T, "if (lane_id() / LISTS == turn) more", "if (lane_id() % SIDE_BY_SIDE == turn) more", triangles),
    Mutant(T, "lane_id() % LISTS * SIDE_BY_SIDE + SIDE_BY_SIDE - 1;", "lane_id() % SIDE_BY_SIDE * LISTS + SIDE_BY_SIDE - 1;", triangles),
    # --- shares of a warp
    Mutant(T, "filter[w] = 0;\n        __syncwarp();", "filter[w] = 0;", triangles),
    Mutant(T, "for (int w = lane_id(); w < words; w += 32) filter[w] = 0;", "", triangles),
    Mutant(T, "n - warp.first_row < each ? n - warp.first_row : each", "each", triangles),
    Mutant(T, "filters + Warp::number() * words", "filters", triangles),
    Mutant(T, "waiting[Warp::number()]", "waiting[0]", triangles),
    Mutant(T, "warp_reduce<Sum>(warp.found);", "warp.found;", triangles),
    Mutant(T, "atomicAdd(total, found);", "*total += found;", triangles),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([triangles], MUTANTS)
