# ruff: noqa: E501  (mutants of one line)
"""The kernels of betweenness, broken on purpose.

The exercise holds it against NetworkX: graphs with a hub, cliques, a path and isolated vertices,
directed and not, more sources than a launch takes, rows in pieces, offsets of 32 and 64 bits. Numbers
of paths beyond FP64 are held against integers.
"""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.storage.exchange import positions
from semirings.types import UINT8
from tests import spec
from tests.graphs import hub_cliques_and_path, layers_and_path
from tests.harness import lowered
from tests.simt.exercises import gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite

N = 110
CASES = [(0, False, 7, (4, 8), 8), (1, True, 5, (2,), 1), (2, True, 40, (32,), 1)]
"""A seed, whether edges have directions, how long pieces are, the widths, and how far vertices with
edges are from each other: so far that a block looks at all of them in two turns."""


def shares() -> None:
    for seed, directed, piece, widths, apart in CASES:
        backend = gpu(seed)
        backend.brandes.piece, backend.brandes.widths = piece, widths
        backend.brandes.bulk_edges = 60
        with offsets_of_64_bits(seed == 1):
            held(backend, seed, directed, apart)


def held(backend: GpuBackend, seed: int, directed: bool, apart: int) -> None:
    n, (i, j) = N * apart, apart * np.stack(hub_cliques_and_path(N, seed, directed))
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(n))
    g.add_edges_from(zip(i.tolist(), j.tolist(), strict=True))
    G = lg.Graph.from_edges(i, j, n=n, directed=directed, backend=backend)
    sources = apart * np.random.default_rng(seed).permutation(N)[:11]
    counts = 1.0 + np.arange(11) % 3
    for endpoints in (False, True):
        found = lowered(dependencies, G, sources, endpoints, counts)
        assert found is not None
        expected = np.zeros(n)
        for s, count in zip(sources.tolist(), counts, strict=True):
            right = nx.betweenness_centrality_subset(g, [s], list(g), normalized=False)
            expected += count * np.array([right[v] for v in g]) * (1 if directed else 2)
            if endpoints:
                reached = [t for t in nx.descendants(g, s) if t != s]
                expected[reached] += count
                expected[s] += count * len(reached)
        bits, values = map(backend.device.download, (found._store.bits, found._store.values))
        np.testing.assert_array_equal(positions(bits, 32 * bits.size), np.arange(n))
        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


def banded() -> None:
    """More levels than a byte counts, and fewer."""
    for depth in (300, 230):
        backend = gpu(3)
        backend.brandes.widths = (4,)
        n, tails, heads = layers_and_path(depth, 16, seed=2)
        G = lg.Graph.from_edges(tails, heads, n=n, backend=backend)
        found = lowered(dependencies, G, np.array([0, tails[500]]), False, np.ones(2))
        assert found is not None and G.A._store.pattern.depth.many_rounds == (depth == 300)
        right = sum(spec.dependencies(n, tails, heads, int(s)) for s in (0, tails[500]))
        np.testing.assert_allclose(found.to_dense(), right, rtol=1e-12)


def bands_that_meet() -> None:
    """Vertices that are entered from one with very many paths and from one with a single path, so
    that nothing may be added before the bands of both are known. Each vertex is in one level for a
    source and in the next for the other, and has an edge within its layer, so that the level of one
    source holds vertices that the other is yet to count."""
    depth, each = 290, 4
    at = 2 + np.arange(depth * 3 * each).reshape(depth, 3, each)
    many, one, met = at.swapaxes(0, 1)
    pairs = [
        (0, at[0]), (1, 0), (at[1:], np.roll(at[1:].reshape(-1, 3 * each), 1, 1).reshape(-1, 3, each)),
        (one[:-1], one[1:]), (one[:-1], met[1:]), (many[:-1], met[1:]), (met[:-1], many[1:]),
        *((many[:-1], np.roll(many[1:], step, 1)) for step in range(each)),
    ]  # fmt: skip
    both = [np.stack(np.broadcast_arrays(*pair)).reshape(2, -1) for pair in pairs]
    tails, heads = np.hstack(both)
    n = at.size + 2
    backend = gpu(0)
    backend.brandes.widths = (4,)
    G = lg.Graph.from_edges(tails, heads, n=n, backend=backend)
    found = lowered(dependencies, G, np.array([0, 1]), False, np.ones(2))
    assert found is not None
    right = sum(spec.dependencies(n, tails, heads, source) for source in (0, 1))
    np.testing.assert_allclose(found.to_dense(), right, rtol=1e-12)


def whole_rows() -> None:
    """Lattices and trees, all of whose rows are short: numbers of paths grow, and levels are small."""
    rng = np.random.default_rng(5)
    up = np.arange(1, 70)
    tree = nx.Graph(zip(up.tolist(), (up // 3).tolist(), strict=True))
    lattice = nx.convert_node_labels_to_integers(nx.grid_2d_graph(7, 9))
    for g, widths in ((tree, (4,)), (lattice, (2,)), (nx.path_graph(65), (8,))):
        backend, n = gpu(len(g)), len(g)
        backend.brandes.widths = widths
        i, j = np.array(g.edges).T
        held_against_networkx(backend, i, j, n, False, rng.permutation(n)[:5])


def narrow_and_wide() -> None:
    """Levels that one block has alone between levels that it has not, in rows that are read whole or
    in pieces."""
    for piece, wide in itertools.product((7, 64), (20, 45)):
        layers = (1, 1, wide, 1, 1, 1, wide, wide, 2, 1)
        ends = np.cumsum((0, *layers))
        g = nx.Graph()
        for a, b, c in zip(ends, ends[1:], ends[2:], strict=False):
            if b - a == c - b == wide:
                g.add_edges_from(zip(range(a, b), range(b, c), strict=True))
            else:
                g.add_edges_from(itertools.product(range(a, b), range(b, c)))
        backend, n = gpu(wide), len(g)
        backend.brandes.piece, backend.brandes.widths = piece, (2,)
        i, j = np.array(g.edges).T
        held_against_networkx(backend, i, j, n, False, np.array([0, n - 1, 5]))


def last_levels_of_one_block() -> None:
    """With endpoints all blocks add to the sources, when the first one has ended the last levels."""
    rng = np.random.default_rng(3)
    up = np.arange(8, 30)
    ring = np.stack((np.arange(8), (np.arange(8) + 1) % 8))
    i, j = np.hstack((ring, np.stack((up, rng.integers(0, up)))))
    g = nx.Graph(zip(i.tolist(), j.tolist(), strict=True))
    for seed in range(6):
        backend = gpu(seed)
        backend.brandes.widths = (4,)
        G = lg.Graph.from_edges(i, j, n=30, directed=False, backend=backend)
        found = lowered(dependencies, G, np.arange(30), True, np.ones(30))
        assert found is not None
        right = nx.betweenness_centrality(g, normalized=False, endpoints=True)
        expected = 2 * np.array([right[v] for v in range(30)])
        np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-12, atol=1e-12)


def pulled() -> None:
    """Vertices that are not reached pull where they have fewer edges than the level: beside a hub and
    in rows of several pieces, directed and not, with fewer sources than a launch takes."""
    cases = (0, False, 4, 5), (1, True, 8, 1), (2, False, 32, 1), (3, False, 4, 1), (4, True, 2, 1)
    for seed, directed, width, apart in cases:
        backend = gpu(seed)
        backend.brandes.widths, backend.brandes.piece = (width,), 7
        backend.brandes.bulk_edges, backend.brandes.edges_each = 60, 0
        rng = np.random.default_rng(seed)
        n, some = 90, rng.integers(0, 90, (2, 2600))
        some = some[:, some[0] != some[1]]
        i, j = np.hstack((some // (1 + 3 * (some > 60)), [np.zeros(n - 1, int), np.arange(1, n)]))
        i, j, n = apart * i, apart * j, apart * n
        with offsets_of_64_bits(seed == 1):
            held_against_networkx(backend, i, j, n, directed, apart * rng.permutation(60)[:3])


def read_without_levels() -> None:
    """Four sources, whose levels differ by one at many vertices, in both directions."""
    rng = np.random.default_rng(7)
    for seed, directed in ((0, False), (1, True)):
        backend, n = gpu(seed), 240
        backend.brandes.widths, backend.brandes.piece = (4,), 7
        backend.brandes.bulk_edges, backend.brandes.edges_each = 60, 0
        i = np.repeat(np.arange(n), 12)
        j = np.clip(i + rng.integers(-30, 31, i.size), 0, n - 1)
        held_against_networkx(backend, i, j, n, directed, np.array([3, 33, 120, 150]))


def deeper_than_bytes() -> None:
    """A search that has more levels than a byte counts begins again, and adds nothing twice."""
    rng = np.random.default_rng(4)
    i = np.repeat(np.arange(60), 12)
    j = np.minimum(59, i + rng.integers(1, 9, i.size))
    for deepest in (1, 4, 30):
        backend = gpu(deepest)
        backend.brandes.widths = (4,)
        backend.brandes.deepest = backend.brandes.deepest | {UINT8: deepest}
        G = held_against_networkx(backend, i, j, 60, False, np.array([0, 59, 30, 7, 8]))
        assert G.A._store.pattern.depth.many_rounds == (deepest < 30)


def held_against_networkx(
    backend: GpuBackend, i: np.ndarray, j: np.ndarray, n: int, directed: bool, sources: np.ndarray
) -> lg.Graph:
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(n))
    g.add_edges_from((a, b) for a, b in zip(i.tolist(), j.tolist(), strict=True) if a != b)
    ends = np.array(g.edges).T
    G = lg.Graph.from_edges(*ends, n=n, directed=directed, backend=backend)
    found = lowered(dependencies, G, sources, False, np.ones(sources.size))
    assert found is not None
    right = nx.betweenness_centrality_subset(g, sources.tolist(), list(g), normalized=False)
    expected = (1 if directed else 2) * np.array([right[v] for v in range(n)])
    np.testing.assert_allclose(found.to_dense(), expected, rtol=1e-12, atol=1e-12)
    return G


EXERCISES = [
    shares, banded, bands_that_meet, whole_rows, narrow_and_wide, last_levels_of_one_block, pulled, read_without_levels,
    deeper_than_bytes,
]  # fmt: skip
FORTH, BACK = "fused/brandes_forth.cuh", "fused/brandes_back.cuh"
ITEMS = "fused/brandes_items.cuh"

MUTANTS = [
    Mutant(ITEMS, "indptr[v] + piece_of(item) * piece,", "indptr[v],", shares),
    Mutant(ITEMS, "i >= size ? first : end < first + piece ? end", "end < first + piece ? end", shares),
    Mutant(ITEMS, "end < first + piece ? end : first + piece", "end", shares),
    Mutant(ITEMS, "const Count i = base + lane_id() / WIDTH;", "const Count i = base;", shares),
    Mutant(ITEMS, "(size, EACH)", "(size, 1)", shares),
    Mutant(ITEMS, "i < size ? items[i] : 0", "items[i]", shares),
    Mutant(ITEMS, "__any_sync(ALL_LANES, e < last); e += LOADS", "e < last; e += LOADS", shares),
    Mutant(ITEMS, "u[i] = e + i < last ? rows.indices[e + i] : -1;\n#pragma unroll\n            for (int i = 0; i < LOADS; ++i)\n                at", "u[i] = rows.indices[e + i];\n#pragma unroll\n            for (int i = 0; i < LOADS; ++i)\n                at", shares),
    Mutant(ITEMS, "*static_cast<volatile Stamp*>(level + place(u)) = stamp;", "level[place(u)] = stamp;", shares),
    Mutant(ITEMS, "*static_cast<volatile Stamp*>(level + place(u)) = stamp;", "", shares),
    Mutant(ITEMS, "if (!fresh && at != stamp) return false;", "if (!fresh) return false;", shares),
    Mutant(ITEMS, "peek(listed + u) != next && atomicExch(listed + u, next) != next", "true", shares),
    Mutant(ITEMS, "warp_reduce<Sum, WIDTH>(x)", "warp_reduce<Sum, WIDTH, 2>(x)", shares),
    Mutant(FORTH, "return to < from ? from : to;", "return to;", shares),
    Mutant(FORTH, "of.paths[i] = of.on[i] = 0;", "of.paths[i] = 0;", shares),
    Mutant(FORTH, "listed[v] = -1;", "", shares),
    Mutant(FORTH, "inside(static_cast<Index>(v >> 5), n)", "ALL_LANES", shares),
    Mutant(FORTH, "if (threadIdx.x == 0) found.count = 0;", "", shares),
    Mutant(FORTH, "if (thread_id<Count>() < 2) sizes", "if (thread_id<Count>() < 1) sizes", shares),
    Mutant(FORTH, "        found.flush(items, sizes);\n    }\n    grid.wait();", "        found.flush(items, sizes);\n    }", shares),
    Mutant(FORTH, "== depth;\n                const BandedPaths count = of.paths_of(Of::place(v), banded)", ">= 0;\n                const BandedPaths count = of.paths_of(Of::place(v), banded)", shares),
    Mutant(FORTH, "reserve room\n            meet_all(grid, alone);", "reserve room", shares),
    Mutant(FORTH, "v < Count(n) && wanted(", "wanted(", shares),
    Mutant(FORTH, "of.any_at(v, static_cast<Stamp>(depth + 1));", "of.any_at(v, static_cast<Stamp>(depth));", pulled),
    Mutant(FORTH, "return listed[v] == depth + 1;", "return listed[v] == depth;", shares),
    Mutant(FORTH, "            found.flush(list, total);\n            __syncthreads();", "            found.flush(list, total);", shares),
    Mutant(FORTH, "        }\n        found.flush(next, sizes + depth + 1);\n", "        }\n", shares),
    Mutant(FORTH, "        begin += size;\n", "", shares),
    Mutant(FORTH, "sizes[depth + 2] = edges[depth + 2] = 0;", "edges[depth + 2] = 0;", shares),
    Mutant(BACK, "d > 0; --d", "d > 1; --d", shares),
    Mutant(BACK, "        begin -= size;\n", "", shares),
    Mutant(BACK, "if (below > 0) meet_all(grid, alone);", "", shares),
    Mutant(BACK, "mine = of.level[Of::place(v)] == d + 1;", "mine = true;", shares),
    Mutant(BACK, "items + begin + size, below,", "items + begin, below,", shares),
    Mutant(BACK, "warp_reduce<Sum, 32, WIDTH>", "warp_reduce<Sum, 16, WIDTH>", shares),
    Mutant(BACK, "if (!mine || at != d + 1) return;", "if (at != d + 1) return;", shares),
    Mutant(BACK, "if (!mine || at != d) return;", "if (!mine || at > d) return;", shares),
    Mutant(BACK, "of.walk(in, first", "of.walk(out, first", shares),
    Mutant(BACK, "at < size * WIDTH ? items[begin + at / WIDTH] : item_of(0, 1)", "items[begin + at / WIDTH]", shares),
    Mutant(BACK, "has[i] = piece_of(item[i]) == 0;", "has[i] = true;", shares),
    Mutant(BACK, "mine[i] = has[i] && of.level", "mine[i] = of.level", shares),
    Mutant(BACK, "has[i] && of.level[Of::place(v[i])] == d;", "has[i];", shares),
    Mutant(BACK, "(count[i] * sum[i] + endpoints)", "(count[i] * sum[i])", shares),
    Mutant(BACK, "counts[Of::source()] * (", "(", shares),
    Mutant(BACK, "counts[lane_id()] * reached", "reached", shares),
    Mutant(BACK, "= sum[i] + 1 / count[i];", "= 1 / count[i];", shares),
    Mutant(BACK, "if (has[i] && Of::source() == 0) centrality", "if (Of::source() == 0) centrality", whole_rows),
    Mutant(BACK, "if (has[i] && Of::source() == 0) centrality", "if (has[i]) centrality", shares),
    Mutant(BACK, "            meet_all(grid, alone);\n            continue;", "            continue;", whole_rows),
    Mutant(BACK, "finish(Few<1>{}, &has, &v, &sum);", "has = true;\n                finish(Few<1>{}, &has, &v, &sum);", whole_rows),
    Mutant(ITEMS, "body(i < size, v,", "body(true, v,", whole_rows),
    Mutant(BACK, "if (whole) {", "if (true) {", shares),
    Mutant(BACK, "        meet_all(grid, alone);\n    }\n    if (endpoints", "    }\n    if (endpoints", shares),
    Mutant(BACK, "if (lane_id() < WIDTH && reached > 0)", "if (reached > 0)", shares),
    Mutant(BACK, "if (endpoints && alone) grid.wait();", "", last_levels_of_one_block),
    Mutant(FORTH, "*levels.depth = depth;", "", shares),
    Mutant(FORTH, "begin = read_count(levels.begin);", "", shares),
    Mutant(FORTH, "size = read_count(sizes + depth);\n        } else", "} else", shares),
    Mutant(FORTH, "            grid.wait();\n            depth =", "            depth =", shares),
    Mutant(ITEMS, "if (alone) __syncthreads();", "if (alone) {}", shares),
    Mutant(FORTH, "if (Of::small(size) && !many) {", "if (Of::small(size)) {", shares),
    Mutant(BACK, "if (alone && !now) grid.wait();", "", narrow_and_wide),
    Mutant(BACK, "const bool now = Of::small(size) && Of::small(below);", "const bool now = true;", narrow_and_wide),
    Mutant(ITEMS, "return items * WIDTH <= Count(blockDim.x);", "return true;", narrow_and_wide),
    Mutant(ITEMS, "const bool open = was == UNSEEN || was == next;", "const bool open = was == UNSEEN;", pulled),
    Mutant(ITEMS, "const bool open = was == UNSEEN || was == next;", "const bool open = true;", pulled),
    Mutant(ITEMS, "if (open && at == from) sum", "if (open && at != UNSEEN) sum", pulled),
    Mutant(ITEMS, "        add_paths(place(v), sum, depth + 1);\n", "        paths[place(v)] = sum;\n", pulled),
    Mutant(ITEMS, "*static_cast<volatile Stamp*>(level + place(v)) = next;", "", pulled),
    Mutant(ITEMS, "any |= all.at[s] == wanted;", "any = all.at[s] == wanted;", pulled),
    Mutant(ITEMS, "sum += x[i] > 0 ? x[i] : 0;", "sum += x[i];", pulled),
    Mutant(ITEMS, "sum += x[i] > 0 ? x[i] : 0;", "sum += fabs(x[i]);", pulled),
    Mutant(ITEMS, "u[i] >= 0 ? peek(numbers", "u[i] != 0 ? peek(numbers", pulled),
    Mutant(ITEMS, "sum_known(rows, paths, open, first, last)", "sum_known(rows, paths, true, first, last)", pulled),
    Mutant(ITEMS, "atomicAdd(paths + place(v), -sum);", "atomicAdd(paths + place(v), sum);", pulled),
    Mutant(ITEMS, "if (x[s] < 0) of_vertex[s] = -x[s];", "", pulled),
    Mutant(FORTH, "lists = !(Of::may_pull && many);", "lists = false;", shares),
    Mutant(FORTH, "if (mine && pulls) of.settle", "if (mine && !pulls) of.settle", pulled),
    Mutant(BACK, "of.sum_known(out, of.on, mine, first, last)", "of.sum_known(out, of.on, true, first, last)", read_without_levels),
    Mutant(BACK, "of.sum_known(out, of.on,", "of.sum_known(in, of.on,", pulled),
    Mutant(BACK, "if (sum != 0) atomicAdd(of.on + Of::place(v), -sum);", "if (sum != 0) atomicAdd(of.on + Of::place(v), sum);", pulled),
    Mutant(BACK, "? fabs(of.on[Of::place(v[i])]) : 0", "? of.on[Of::place(v[i])] : 0", pulled),
    Mutant(BACK, "if (!banded) {\n", "{\n", banded),
    Mutant(FORTH, "of.each_item(in, unreached,", "of.each_item(out, unreached,", pulled),
    Mutant(FORTH, "grid.wait();\n        return read_count(open + 1)", "return read_count(open + 1)", pulled),
    Mutant(FORTH, "if (thread_id<Count>() < 2) open[thread_id<Count>()] = 0;\n            list", "list", pulled),
    Mutant(FORTH, "if (size > 0 && thread_id<Count>() == 0) *too_deep = 1;", "", deeper_than_bytes),
    Mutant(FORTH, "while (size > 0 && depth < deepest) {", "while (size > 0) {", deeper_than_bytes),
    Mutant(FORTH, "of.band[i] = 0;", "", banded),
    Mutant(ITEMS, "x *= 1 / BAND;", "break;", banded),
    Mutant(ITEMS, "atomicMax(first_banded, unsigned(next))", "atomicMax(first_banded, 0u)", banded),
    Mutant(ITEMS, "return all < BAND ?", "return true ?", banded),
    Mutant(ITEMS, "band[at] + 1}", "band[at]}", banded),
    Mutant(ITEMS, "if (banded) atomicMax(band + place(u), more.band);", "if (banded) band[place(u)] = more.band;", banded),
    Mutant(FORTH, "if (banded) {\n            meet_all(grid, alone);", "if (banded) {", bands_that_meet),
    Mutant(FORTH, "if (!mine || at != depth + 1) return;", "if (at != depth + 1) return;", bands_that_meet),
    Mutant(FORTH, "of.band[Of::place(u)] - count.band", "0", banded),
    Mutant(BACK, "of.steps(Of::place(v), there, banded)", "0", banded),
    Mutant(BACK, "of.steps(there, Of::place(v), banded)", "0", banded),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
