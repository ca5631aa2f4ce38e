# ruff: noqa: E501  (mutants of one line)
"""The kernels that join components and choose forests, broken on purpose.

The exercises hold components against SciPy: a giant and many small parts, no giant, long rows in
and outside it, long chains, vertices without edges, offsets of 32 and 64 bits. And forests against
a pass over the sorted edges: weights of narrow and wide types, few different ones, either order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from tests.graphs import Ends, clique, hub_cliques_and_path
from tests.simt.exercises import backends_of_both_offsets, gpu
from tests.simt.mutants import Mutant, suite


def shapes(seed: int) -> Iterator[tuple[int, Ends]]:
    """A size, and the ends of edges."""
    rng = np.random.default_rng(seed)
    yield 197, hub_cliques_and_path(197, seed)
    i, j = hub_cliques_and_path(197, seed)
    few = rng.random(i.size) < 0.2
    yield 197, (i[few], j[few])
    order = rng.permutation(200)
    yield 200, (order[:-1], order[1:])  # one long chain
    yield 130, (np.arange(1, 120), np.arange(119))
    k = np.arange(1, 60)  # two stars and a path between them, whose ends are their leaves
    yield 160, (np.r_[k * 0, k * 0 + 150, 59, 61], np.r_[k, k + 80, 61, 81])
    yield 220, knots()
    path = rng.permutation(150) + 60  # a star, and of its leaves one by its second edge to the path
    yield 220, (np.r_[k * 0, path[:-1], 219, 219], np.r_[k, path[1:], 0, path[75]])


def knots() -> Ends:
    """Three cliques of one size, whose vertices stand in turn, and two triangles. What joins two of
    them is no row's first or second edge."""
    parts = [*(3 * np.stack(clique(30)) + k for k in range(3)), [[28], [89]]]
    for first in (100, 101):
        parts.append(np.array([[0, 0, 2], [2, 4, 4]]) + first)
    i, j = np.concatenate([*parts, [[104], [105]]], axis=1)
    return i, j


def contended() -> tuple[int, Ends]:
    """A giant, and eighty times two cliques of four: one edge joins the second with the giant, four
    join the two. All of these come after the first two edges of either end."""
    k, two, pairs = np.arange(80), np.arange(2), clique(4)
    upper = np.concatenate([2 * k + 2 + two[:, None], 2 * k + 482 + two[:, None]])
    lower = 4 * k + 162 + np.arange(4)[:, None]
    giant = np.arange(642, 1700)
    i = [0 * giant, 0 * giant + 1, *upper[pairs[0]], *lower[pairs[0]], lower[1]]
    j = [giant, giant, *upper[pairs[1]], *lower[pairs[1]], giant[k]]
    i += [lower[2], lower[2], lower[3], lower[3]]
    j += [upper[2], upper[3], upper[2], upper[3]]
    return 1700, (np.concatenate(i), np.concatenate(j))


def components() -> None:
    for seed, backend in backends_of_both_offsets():
        backend.union_find.piece = 7
        for n, (i, j) in (*shapes(seed), contended()):
            G = lg.Graph.from_edges(i, j, n=n, backend=backend)
            count, part = csgraph.connected_components(sp.coo_array((i >= 0, (i, j)), (n, n)))
            least = np.full(count, n)
            np.minimum.at(least, part, np.arange(n))
            label = lg.connected_components(G)
            index, values = label.to_coo()
            assert index.tolist() == list(range(n))
            bits = backend.device.download(label._store.bits)
            assert int(np.bitwise_count(bits).sum()) == n
            np.testing.assert_array_equal(values, least[part])


def kruskal(n: int, edges: list[tuple[float, int, int]]) -> set[tuple[int, int]]:
    """The edges of the forest, if they come in this order."""
    part, taken = list(range(n)), set()
    for _, u, v in edges:
        if part[u] != part[v]:
            taken.add((u, v))
            part = [part[v] if p == part[u] else p for p in part]
    return taken


WEIGHTS = ((np.float32, 0.5), (np.int64, 2**40), (np.float64, 1.0), (np.int8, 1), (np.uint64, 1))
"""A type, and the weights are some times this."""


def forests() -> None:
    for seed, backend in backends_of_both_offsets():
        backend.union_find.light = 1
        rng = np.random.default_rng(seed)
        for k, (n, (i, j)) in enumerate(shapes(seed)):
            dtype, unit = WEIGHTS[(k + seed) % len(WEIGHTS)]
            i, j = np.unique(np.sort([i, j], axis=0), axis=1)
            w = (rng.integers(0 if dtype is np.uint64 else -3, 4, i.size) * unit).astype(dtype)
            if dtype is np.float64:
                w[::5] = -0.0
            alike = k == 0 and seed == 1
            if alike:
                w[:] = 3
            G = lg.Graph.from_edges(
                i, j, w[0] if alike else w, n=n, directed=False, backend=backend
            )
            found = lg.minimum_spanning_tree(G), lg.maximum_spanning_tree(G)
            lists = lg.minimum_spanning_edges(G)
            for v in lists:
                bits = backend.device.download(v._store.bits)
                assert int(np.bitwise_count(bits).sum()) == v.size
            listed = [v.to_dense() for v in lists]
            assert [v.dtype for v in listed] == [np.int64, np.int64, G.A.dtype]
            for T, sign in zip(found, (1, -1)):
                edges = sorted(zip((sign * w.astype(float)).tolist(), i.tolist(), j.tolist()))
                right = kruskal(n, edges)
                a, b, x = T.A.to_coo()
                assert set(zip(a, b)) == right | {(v, u) for u, v in right}
                weight = {(u, v): y for u, v, y in zip(i, j, w)}
                assert all(weight[min(u, v), max(u, v)] == y for u, v, y in zip(a, b, x))
                if sign == 1:  # and the same as a list, in the order of the ends
                    upper = np.flatnonzero(a < b)
                    assert [v.tolist() for v in listed] == [y[upper].tolist() for y in (a, b, x)]


def levels(n: int, seed: int) -> tuple[np.ndarray, ...]:
    """Edges and their weights: pairs, these in fours, those in long chains, and heavier ones. The
    roots of a level are far from that of the next."""
    v = np.arange(n)
    pairs, fours, chains = v[::2], v[1::2][:-1], v[7:-8:8]
    fours = fours[fours % 8 != 7]
    others = np.random.default_rng(seed).integers(0, n, (3, 2 * n))
    i = np.concatenate([pairs, fours, chains, others[0]])
    j = np.concatenate([pairs + 1, fours + 2, chains + 8, others[1]])
    w = np.repeat([1, 2, 3], [pairs.size, fours.size, chains.size])
    i, j, w = np.minimum(i, j), np.maximum(i, j), np.r_[w, others[2] % 50 + 4]
    _, first = np.unique(i * n + j, return_index=True)
    first = first[i[first] != j[first]]
    return i[first], j[first], w[first]


def deep() -> None:
    n = 1600
    for seed in range(6):
        backend = gpu(seed)
        i, j, w = levels(n, seed)
        G = lg.Graph.from_edges(i, j, w.astype(np.float32), n=n, directed=False, backend=backend)
        a, b, _ = lg.minimum_spanning_tree(G).A.to_coo()
        right = kruskal(n, sorted(zip(w.tolist(), i.tolist(), j.tolist())))
        assert {(u, v) for u, v in zip(a, b) if u < v} == right


def far_from_roots() -> None:
    """Paths whose halves join after all that lies within them, and heavier edges: when these come,
    vertices are far from the roots of their trees."""
    k = np.arange(1, 128)
    joins = np.log2(k & -k) + 1
    for seed in range(2):
        backend, rng = gpu(seed), np.random.default_rng(seed)
        backend.union_find.light = 1
        others = np.unique(np.sort(rng.integers(0, 256, (2, 900)), axis=0), axis=1)
        apart = others[:, others[1] - others[0] > 1]
        i, j = np.r_[k - 1, k + 127, apart[0]], np.r_[k, k + 128, apart[1]]
        w = np.r_[joins, joins, 100 + rng.permutation(apart.shape[1])]
        G = lg.Graph.from_edges(i, j, w.astype(np.float32), directed=False, backend=backend)
        a, b, _ = lg.minimum_spanning_tree(G).A.to_coo()
        right = kruskal(256, sorted(zip(w.tolist(), i.tolist(), j.tolist())))
        assert {(u, v) for u, v in zip(a, b) if u < v} == right


T, J, F = "fused/union_find.cuh", "fused/component_labels.cuh", "fused/boruvka.cuh"
B, E = "fused/boruvka_rounds.cuh", "fused/edge_order.cuh"
R = "fused/rows_of_span.cuh"
MUTANTS = [
    # --- trees
    Mutant(T, "            put(v, next);\n", "            put(up, v);\n", components),
    Mutant(T, "if (low > high) {", "if (low < high) {", components),
    Mutant(T, "atomicCAS(parent + high, high, low);", "*static_cast<volatile Index*>(parent + high); put(high, low);", components),
    Mutant(T, "high = found == high ? low : root(found);", "high = low;", components),
    # --- the first edge of each vertex, and the second
    Mutant(J, "if (larger[i]) up[i] = parent[up[i]];", "if (larger[i]) up[i] = some.v[i];", components),
    Mutant(J, "if (larger[i] && some.asked[i]) put(some.v[i], up[i]);", "", components),
    Mutant(J, "length[i] > 0 ? indices[begin[i]] : some.v[i];", "indices[begin[i]];", components),
    Mutant(J, "return length[i] > 1; });\n    });\n    grid.wait();", "return length[i] > 1; });\n    });", components),
    Mutant(J, "return length[i] > 1;", "return length[i] > 0;", components),
    Mutant(J, "return length[i] > 1;", "return length[i] > 2;", components),
    Mutant(J, "if (present(bits, v)) trees", "trees", components),
    Mutant(J, "if (up[i] != large) trees.join(some.v[i], second[i]);", "if (up[i] != large) trees.join(some.v[i], second[i]), parent[some.v[i]] = some.v[i];", components),
    Mutant(J, "some.asked[i] ? parent[some.v[i]] : near;", "parent[some.v[i]];", components),
    # --- words of vertices
    Mutant(J, "inside(base + lane_id(), n);", "ALL_LANES;", components),
    Mutant(J, "base + lane_id() < words)\n", "true)\n", components),
    Mutant(J, "(lane_id() < AT_ONCE && base + lane_id() < words_of(n))", "(lane_id() < AT_ONCE)", components),
    Mutant(J, "((base + i) << 5) + lane_id() : 0;", "(base << 5) + lane_id() : 0;", components),
    Mutant(J, "if (lane_id() == i) mine = held;", "mine = held;", components),
    # --- what is left
    Mutant(J, "return up[i] != giant;", "return up[i] == giant;", components),
    Mutant(J, "return up[i] != giant; });\n    });\n    grid.wait();", "return up[i] != giant; });\n    });", components),
    Mutant(J, "if (parent[u] != parent[v]) trees", "if (parent[u] == parent[v]) trees", components),
    Mutant(J, "trees.join(u, v);\n    });\n    grid.wait();", "trees.join(u, v);\n    });", components),
    Mutant(J, "if (threadIdx.x == 0) best = 0;\n    __syncthreads();", "if (threadIdx.x == 0) best = 0;", components),
    # --- the answer
    Mutant(J, "return some.asked[i]; });", "return true; });", components),
    Mutant(J, "// nobody gains if this step is stored\n            rise(some, up);", "", components),
    # --- forests: the order of edges
    Mutant(E, "in_order(z == Z(0) ? Z(0) : z)", "in_order(z)", forests),
    Mutant(E, "return heaviest ? ~w : w;", "return w;", forests),
    Mutant(E, "Count(Word(w) ^ 1u << 31) << 32", "Count(Word(w)) << 32", forests),
    Mutant(E, "sizeof(Z) <= 4 && sizeof(Offset) <= 4;", "sizeof(Offset) <= 4;", forests),
    Mutant(E, "if (key < seen) atomicMin(best, key);", "if (key < seen) *best = key;", forests),
    Mutant(E, "if (key < seen) atomicMin(best, key);", "if (seen == NO_CANDIDATE) atomicMin(best, key);", forests),
    Mutant(E, "while (seen == NO_CANDIDATE || before", "while (before", forests),
    Mutant(E, "                seen = found;\n", "                return;\n", forests),
    Mutant(E, "w == theirs && e < other", "w == theirs && e > other", forests),
    Mutant(E, "return w < theirs ||", "return w > theirs ||", forests),
    # --- where an edge stands
    Mutant(R, "if (k < below) continue;", "if (k <= below) continue;", forests),
    Mutant(R, "running_sum(here) - here;", "running_sum(here);", forests),
    Mutant(B, "before[(span << 5) + lane_id()] = row.before;", "before[(span << 5) + lane_id()] = 0;", forests),
    Mutant(B, "rows[before[e >> 5] + __popc", "rows[__popc", forests),
    Mutant(B, "(2u << (e & 31)) - 1", "(1u << (e & 31)) - 1", forests),
    Mutant(R, "((2u << bit) - 1);", "((1u << bit) - 1);", forests),
    Mutant(E, "values[e * stride]", "values[e]", forests),
    # --- rounds
    Mutant(B, "w > limit == beyond &&", "w > limit &&", forests),
    Mutant(B, "if (word == lane_id()) mine = some;", "mine = some;", forests),
    Mutant(B, "e < nnz ? entries.indices[e] : -1;", "entries.indices[e];", forests),
    Mutant(B, "if (lane_id() < first || lane_id() >= first + words) return;", "", forests),
    Mutant(B, "joined ? trees.root(u) : u", "u", forests),
    Mutant(B, "joined ? trees.root(v) : v", "trees.parent[v]", far_from_roots),
    Mutant(B, "        order.keep_best(best + b, e, w, of_b);\n", "", forests),
    Mutant(B, "        order.keep_best(best + a, e, w, of_a);\n", "", forests),
    Mutant(R, "if (at < share.total) body", "body", forests),
    Mutant(R, "done += 32) {", "done += 64) {", deep),
    Mutant(B, "            best[c] = NO_CANDIDATE;\n", "", forests),
    Mutant(B, "list[at] = c;", "list[at] = 0;", deep),
    Mutant(B, "return i >= count ? -1 : list", "return list", forests),
    Mutant(B, "if (v > u) mark(chosen, entries.seek(v, u));", "", forests),
    Mutant(B, "&& word <= (nnz - 1) >> 5;", ";", forests),
    Mutant(F, "    if (both) {\n", "    if (true) {\n", forests),
    Mutant(F, "        forest.choose_others();\n        grid.wait();", "        forest.choose_others();", forests),
    Mutant(B, "            mark(chosen, e);\n", "", forests),
    Mutant(B, "            trees.join(u, v);\n", "", forests),
    Mutant(F, "*static_cast<volatile unsigned*>(open) = round;\n            grid.wait();", "*static_cast<volatile unsigned*>(open) = round;", forests),
    Mutant(F, "any = __syncthreads_or(any);", "__syncthreads();", forests),
    Mutant(F, "lengths + round);\n            grid.wait();", "lengths + round);", deep),
    Mutant(F, "if (list != nullptr) trees", "trees", forests),
    Mutant(F, "turn & 1 ? 0 : n / 2 + 1", "0", deep),
    Mutant(F, "const bool is_split = few < Count(nnz);", "const bool is_split = true;", forests),
    Mutant(F, "beyond <= is_split; ++beyond", "beyond < 1; ++beyond", forests),
    Mutant(F, "        best[v] = NO_CANDIDATE;\n    }", "    }", forests),
    Mutant(F, "chosen[word] = 0;", ";", forests),
    Mutant(F, "counts[word] = __popc(peek(chosen + word));", "counts[word] = 1;", forests),
    # --- the edges as lists
    Mutant(F, "(nnz - 1) / SPAN + 1)", "nnz / SPAN)", forests),
    Mutant(F, "word <= (nnz - 1) >> 5 ? chosen[word] : 0;", "chosen[word];", forests),
    Mutant(F, "span == 0 ? 0 : ends[(span << 5) - 1];", "0;", forests),
    Mutant(F, "A.values[e * A.stride];", "A.values[e];", forests),
    Mutant(F, "inside(word, total);", "ALL_LANES;", forests),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([components, forests, deep, far_from_roots], MUTANTS)
