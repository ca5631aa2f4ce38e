# ruff: noqa: E501  (mutants of one line)
"""The kernels that peel, choose, colour and shuffle, broken on purpose.

The exercises hold them against plain loops in Python, over graphs with a hub, cliques, isolated
vertices, edges that count twice, and offsets of 32 and 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import RANKS, random_ranks
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.gpu.storage.exchange import positions
from tests.graphs import clique, hub_cliques_and_path, path, star
from tests.simt.exercises import backends_of_both_offsets, gpu
from tests.simt.mutants import Mutant, suite

Adjacency = list[dict[int, int]]


def graph(n: int, seed: int, directed: bool, backend: GpuBackend) -> tuple[lg.Graph, Adjacency]:
    """The graph, and for each vertex how many edges join it with each neighbour."""
    i, j = hub_cliques_and_path(n, seed, directed)
    beside: Adjacency = [{} for _ in range(n)]
    for u, v in zip(i.tolist(), j.tolist()):
        beside[u][v] = beside[u].get(v, 0) + 1
        beside[v][u] = beside[v].get(u, 0) + 1
    return lg.Graph.from_edges(i, j, n=n, directed=directed, backend=backend), beside


def cases() -> Iterator[tuple[int, bool, GpuBackend]]:
    """A seed, whether the graph is directed, and a backend; once with offsets of 64 bits."""
    for seed, backend in backends_of_both_offsets():
        yield seed, seed != 1, backend


def levels(beside: Adjacency) -> list[int]:
    degree, k = [sum(row.values()) for row in beside], 0
    level = [-1] * len(beside)
    for _ in beside:
        v = min((d, v) for v, d in enumerate(degree) if level[v] < 0)[1]
        level[v] = k = max(k, degree[v])
        for u, amount in beside[v].items():
            degree[u] -= amount
    return level


def cores() -> None:
    for seed, directed, backend in cases():
        backend.peeling.piece, backend.peeling.few = 7, seed % 2 * 6
        G, beside = graph(190 + seed, seed, directed, backend)
        assert lg.core_number(G).to_dense().tolist() == levels(beside)
    for n, i, j in ((90, *path(90)), (150, np.arange(149) // 2, np.arange(1, 150))):
        backend.peeling.few = 40  # fewer than the tree has leaves, and more than soon after
        G = lg.Graph.from_edges(i, j, n=n, directed=False, backend=backend)
        assert lg.core_number(G).to_dense().tolist() == [1] * n
    G, beside = graph(600, 5, False, backend)  # a warp has more edges than it asks for at a time
    assert lg.core_number(G).to_dense().tolist() == levels(beside)
    sizes = [12] * 20 + [30] * 9  # nobody has what lies between
    begins = np.cumsum([0, *sizes[:-1]])
    cliques = [clique(size, begin) for size, begin in zip(sizes, begins)]
    G = lg.Graph.from_edges(*np.concatenate(cliques, axis=1), directed=False, backend=backend)
    assert (lg.core_number(G).to_dense() == np.repeat(sizes, sizes) - 1).all()
    few = lg.Vector.from_coo([1, 2, 40], [0, 5, 9], "INT64", size=70, backend=backend)
    A = lg.Matrix.from_coo([1, 2, 40, 1], [2, 40, 2, 3], [3, 1, 2, 9], "INT64", nrows=70, ncols=70,
                           backend=backend)  # fmt: skip
    assert peel(few, A).to_dict() == {1: 0, 2: 2, 40: 8}


def within() -> None:
    """A band, two paths and cliques of several sizes peel for at most so many steps. Either that is
    all, or something is left."""
    far = np.arange(1, 5)
    i = np.repeat(np.arange(70), far.size)
    j = i + np.tile(far, 70)
    sizes = [3, 5, 5, 9, 14]
    cliques = np.concatenate([clique(n, b) for n, b in zip(sizes, np.cumsum([70, *sizes]))], axis=1)
    i, j = np.r_[i[j < 70], cliques[0]], np.r_[j[j < 70], cliques[1]]
    for (_, backend), few in zip(backends_of_both_offsets(), (0, 6, 300)):
        G = lg.Graph.from_edges(i, j, directed=False, backend=backend)
        wanted = lg.core_number(G.to("cpu")).to_dense()
        B = multiplicity(G)
        degree = B.reduce_rowwise("plus").new()
        peeling, ended = backend.peeling, []
        for piece, most in product((3, 32), (1, 2, 3, 5, 8, 13, 21, 34, 500)):
            peeling.few, peeling.piece = few, piece
            level, counts = peeling.peel_within(degree, B, most)
            counts = backend.device.download(counts)
            assert counts[constants.PEEL_ROUNDS] <= most
            assert counts[constants.PEEL_STEPS] < 2 * most
            ended.append(counts[constants.PEEL_LEFT] == 0)
            if ended[-1]:
                assert np.array_equal(level.to_dense(fill_value=0), wanted)
        for some in np.split(np.array(ended), 2):
            assert not some[:4].any() and some[-1]


def first_fit(beside: Adjacency, order: list[int]) -> list[int]:
    colour = [-1] * len(beside)
    for v in order:
        taken = {colour[u] for u in beside[v]}
        colour[v] = next(c for c in range(len(beside)) if c not in taken)
    return colour


def orders(G: lg.Graph, beside: Adjacency, seed: int) -> dict[str, list[int]]:
    rank = random_ranks(G, seed).to_dense()
    return {
        "largest_first": sorted(range(G.n), key=lambda v: (-len(beside[v]), -rank[v])),
        "random_sequential": sorted(range(G.n), key=lambda v: -rank[v]),
    }


def colours() -> None:
    for seed, directed, backend in cases():
        backend.greedy.longest, backend.greedy.words = 45, 1
        backend.greedy.most, backend.device.max_blocks = (62, 30, 8)[seed], (3, 6, 4)[seed]
        G, beside = graph(190 + seed, seed, directed, backend)
        for strategy, order in orders(G, beside, seed).items():
            assert lg.greedy_color(G, strategy, seed).to_dense().tolist() == first_fit(
                beside, order
            )


def many_colours() -> None:
    """More than a warp or a block tries at a time, and more neighbours than it can wait for."""
    for n in (65, 430):
        backend = gpu(n)
        backend.greedy.longest, backend.greedy.words = 100, 1
        K = lg.Graph.from_edges(*np.triu_indices(n, 1), n=n, directed=False, backend=backend)
        assert sorted(lg.greedy_color(K, seed=1).to_dense().tolist()) == list(range(n))
    G = lg.Graph.from_edges([7] * 300, np.r_[:7, 8:301], directed=False, backend=backend)
    ranks = (random_ranks(G, seed).to_dense() for seed in range(99))
    seed = next(seed for seed, rank in enumerate(ranks) if (rank > rank[7]).sum() > 200)
    colour = lg.greedy_color(G, "random_sequential", seed).to_dict()
    assert colour == {v: int(v == 7) for v in range(301)}


def short_colours() -> None:
    """Rows that are all short, more than the lanes of a grid; and colours beyond 32, of which some
    lie beyond all that a vertex may take."""
    for n, edges, most in ((700, 3000, 62), (63, 63 * 62 // 2, 62), (40, 300, 39)):
        backend, rng = gpu(n), np.random.default_rng(n)
        backend.greedy.most, pairs = most, np.array(np.triu_indices(n, 1))
        i, j = pairs[:, rng.permutation(pairs.shape[1])[:edges]]
        beside: Adjacency = [{} for _ in range(n)]
        for u, v in zip(i.tolist(), j.tolist()):
            beside[u][v] = beside[v][u] = 1
        G = lg.Graph.from_edges(i, j, n=n, directed=False, backend=backend)
        for k, (strategy, order) in enumerate([*orders(G, beside, 1).items()] * 2):
            backend.greedy.sparse = (99, 0)[k // 2]  # else all are taken in order
            found = lg.greedy_color(G, strategy, 1)
            assert found.to_dense().tolist() == first_fit(beside, order)
            bits = backend.device.download(found._store.bits)
            assert positions(bits, 32 * bits.size).tolist() == list(range(n))
    n, backend = 110, gpu(1)
    i, j = np.triu_indices(n, 1)
    backend.greedy.sparse = n  # short rows come after long ones, in no order
    near, others = (
        [*range(39), 103],
        [*range(39, 103), *range(104, n)],
    )  # 103 is 39 modulo 32 and 64
    u = np.r_[i, near, others]  # one of the clique's neighbours has 40 of them, the others one each
    v = np.r_[j, [n] * len(near), n + 1 + np.arange(len(others))]
    G = lg.Graph.from_edges(u, v, directed=False, backend=backend)
    rank = lg.Vector.from_dense(G.n - np.arange(G.n), backend=backend)
    for by_degree in (False, True):
        found = greedy_coloring(rank, G.neighbours, by_degree).to_dense().tolist()
        assert found == [*range(n), 39, *[0] * len(others)]


def very_short_colours() -> None:
    """Rows of at most eight entries, among them paths along which the order rises, so that more wait
    than a ring has room for, for longer than a turn."""
    for n, seed, blocks in ((450, 1, 1), (300, 2, 2), (33, 3, 1)):
        backend, rng = gpu(seed), np.random.default_rng(seed)
        backend.device.max_blocks, backend.device.multiprocessors = blocks, blocks
        v = rng.permutation(n) if seed == 2 else np.arange(n)
        i, j = np.r_[v[:-1], v[:-3]], np.r_[v[1:], v[3:]]
        hub = [n] * 20, np.arange(20)  # whose colour lies beyond a word, unless it comes first
        u = n + 1 + np.arange(34)
        clique = u[np.triu_indices(34, 1)[0]], u[np.triu_indices(34, 1)[1]]
        i, j = np.r_[i, hub[0], clique[0], u], np.r_[j, hub[1], clique[1], [n] * 34]
        i, j = np.minimum(i, j), np.maximum(i, j)
        size = n + 35
        beside: Adjacency = [{} for _ in range(size)]
        for a, b in zip(i.tolist(), j.tolist()):
            beside[a][b] = beside[b][a] = 1
        G = lg.Graph.from_edges(i, j, n=size, directed=False, dup="first", backend=backend)
        rank = np.argsort(v) if seed == 2 else np.arange(n)
        rank = np.r_[rank, n, n + 1 + np.arange(34)]
        backend.greedy.sparse = 99
        for by_degree in (False, True):
            key = [(len(beside[v]) * by_degree, rank[v]) for v in range(size)]
            order = sorted(range(size), key=lambda v: key[v], reverse=True)
            given = lg.Vector.from_dense(rank, backend=backend)
            found = greedy_coloring(given, G.neighbours, by_degree)
            assert found.to_dense().tolist() == first_fit(beside, order)


def sets() -> None:
    for seed, directed, backend in cases():
        for n in (190 + seed, 500):
            G, beside = graph(n, seed, directed, backend)
            backend.blocking = n == 500  # else no rank is stored
            order = orders(G, beside, seed)["random_sequential"]
            right = {v for v, c in enumerate(first_fit(beside, order)) if c == 0}
            chosen = lg.maximal_independent_set(G, seed)
            index, values = chosen.to_coo()
            assert index.tolist() == sorted(right) and (values.view(np.uint8) == 1).all()


def far() -> None:
    """Who speaks against the hub stands at the end of its long row; or the hub is first, and puts
    all of the row out."""
    n, backend = 400, gpu(1)
    G = lg.Graph.from_edges(*star(n), directed=False, backend=backend)
    rank = 2 * np.arange(n)
    for rank[0], right in ((2 * n - 3, list(range(1, n))), (2 * n, [0])):
        chosen = greedy_independent_set(lg.Vector.from_dense(rank, backend=backend), G.neighbours)
        assert chosen.to_coo()[0].tolist() == right


def ranks() -> None:
    """As the statements have them, all different; and each an entry, but nothing beyond."""
    for n, seed in ((1, 0), (31, 1), (64, 2), (1000, 3)):
        G, H = (lg.Graph.from_edges([], [], n=n, backend=backend) for backend in (gpu(seed), "cpu"))
        rank, right = random_ranks(G, seed), random_ranks(H, seed)
        assert rank.to_dense().tolist() == right.to_dense().tolist()
        assert len(set(right.to_dense().tolist())) == n and right.to_dense().max() < RANKS
        bits = rank.backend.device.download(rank._store.bits)
        assert positions(bits, 32 * bits.size).tolist() == list(range(n))


P, F, S, L, C, R = (
    "fused/peel.cuh",
    "fused/greedy_coloring.cuh",
    "fused/coloring_short_rows.cuh",
    "fused/coloring_looks.cuh",
    "fused/greedy_mis.cuh",
    "core/permutation.cuh",
)
MUTANTS = [
    # --- peeling: who goes
    Mutant(P, "queue(c > gone && c <= k, v);", "queue(c <= k, v);", cores),
    Mutant(P, "queue(c > gone && c <= k, v);", "queue(c > gone && c < k, v);", cores),
    Mutant(P, "return before > k && before - amount <= k;", "return before - amount <= k;", cores),
    Mutant(P, "return before > k && before - amount <= k;", "return before > k && before - amount < k;", cores),
    Mutant(P, "amounts[e * stride]", "amounts[e]", cores),
    Mutant(P, "amounts[e * stride]", "amounts[0]", cores),
    Mutant(P, "present(start_bits, static_cast<Index>(v)) ? start[v] : NOT_LISTED", "start[v]", cores),
    Mutant(P, "start_bits == nullptr ? inside(static_cast<Index>(word), n) : start_bits[word]", "inside(static_cast<Index>(word), n)", cores),
    Mutant(P, "atomicAdd(reinterpret_cast<Count*>(counter), Count(0) - Count(amount));", "Count(*counter); *counter -= amount;", cores),
    # --- who stays
    Mutant(P, "const bool stays = c > k && c != NOT_LISTED;", "const bool stays = c > k + 1 && c != NOT_LISTED;", cores),
    Mutant("core/warp_reduce.cuh", "return y < x ? y : x;", "return x;", cores),
    Mutant("core/warp_reduce.cuh", "distance >= STEP", "distance > STEP", cores),
    Mutant(P, "lowest = warp_reduce<Minimum>(lowest);", "lowest = warp_reduce<Maximum>(lowest);", cores),
    Mutant(P, "if (stays && c < lowest) lowest = c;", "if (stays) lowest = c;", cores),
    Mutant(P, "atomicMin(found.lowest, lowest);", "*found.lowest = lowest;", cores),
    Mutant(P, "stay + (passes & 1) * Count(n);", "stay;", cores),
    # --- one block by itself
    Mutant(P, "            if (alone) grid.wait();  // until", "            // until", cores),
    Mutant(P, "if (alone && blockIdx.x > 0) break;", "", cores),
    Mutant(P, "if (alone) __syncthreads();\n        else grid.wait();", "if (!alone) grid.wait();", cores),
    Mutant(P, "published[1] = peel.next - frontier;", "", cores),
    Mutant(P, "published[2] = items;", "", cores),
    Mutant(P, "phase = static_cast<Index>(read_count(published));", "", cores),
    Mutant(P, "if (goes_on && goes && degree == 0) {", "if (goes_on && goes) {", cores),
    Mutant(P, "                    level[u] = k;\n", "", cores),
    Mutant(P, "                    goes = false;\n", "", cores),
    Mutant(P, "for (; __any_sync(ALL_LANES, degree > 0) && steps < most; ++steps) take", "take", cores),
    # --- at most so many steps
    Mutant(P, "if (steps >= most) return finish();", "", within),
    Mutant(P, "degree > 0) && steps < most; ++steps)", "degree > 0); ++steps)", within),
    Mutant(P, "items <= few && steps < most);", "items <= few);", within),
    Mutant(P, "if (alone && lane_id() == 0) atomicMax(found.counts + 1, steps);", "", within),
    Mutant(P, "steps += alone ? peel.found.steps() : 1;", "steps += alone ? peel.found.steps() : 0;", within),
    Mutant(P, "steps += alone ? peel.found.steps() : 1;", "steps += 1;", within),
    Mutant(P, "published[3] = steps;", "", within),
    Mutant(P, "counts[PEEL_LEFT] = left_over;", "counts[PEEL_LEFT] = items;", within),
    # --- the frontier
    Mutant("core/append.cuh", "static_cast<Offset>(piece_of(item)) * piece", "0", cores),
    Mutant(P, "if (at < share.total) {\n                u = indices[e];", "if (true) {\n                u = indices[e];", cores),
    Mutant(P, "base < share.total; base += 32", "base < share.total; base += 64", cores),
    Mutant(P, "        if (thread_id<Count>() < 2) counts[thread_id<Count>()] = 0;\n", "", cores),
    Mutant(P, "if (thread_id<Count>() == 2) *lowest = NOT_LISTED;", "", cores),
    Mutant(P, "        peel.next += items;\n", "", cores),
    Mutant(P, "else grid.wait();", "else __syncthreads();", cores),
    Mutant(P, "if (items == 0) ++peel.k;", "++peel.k;", cores),
    Mutant(P, "peel.k = items > 0 ? peel.k : *peel.found.lowest;", "peel.k = *peel.found.lowest;", cores),
    Mutant("core/append.cuh", "static_cast<int>(rest < piece ? rest : piece);", "static_cast<int>(rest);", cores),
    Mutant(P, "found_in(1).clear();\n    grid.wait();", "found_in(1).clear();", cores),
    # --- colours: in line
    Mutant(F, "by_degree && degree <= most ? Count(degree) << RANK_BITS : 0", "0", short_colours),
    Mutant(F, "        if (there && degree == 0) colour[v] = 0;\n", "", colours),
    Mutant(F, "| Count(rank), 0);", "| Count(rank), 1);", colours),
    Mutant(F, "if (lane_id() == 0) bits[base >> 5] = all;", "", short_colours),
    Mutant(F, "list[room - 1 - at] = v;", "list[i] = v;", colours),
    Mutant(F, "        if (key < 0) continue;\n", "", colours),
    Mutant(F, "keys[v] = mine ? key : -1;", "keys[v] = key;", colours),
    Mutant(F, "found[k] += mine && c == k;", "found[k] += c == k;", colours),
    Mutant(F, "<< RANK_BITS | Count(at), 0);", "<< RANK_BITS | Count(i), 0);", colours),
    Mutant(F, "if (by_degree) known[v] =", "known[v] =", colours),
    # --- what a warp or a block takes
    Mutant(F, "if (order_of(seen) <= mine) return;", "if (order_of(seen) >= mine) return;", colours),
    Mutant(F, "if (taken_by(seen) != 0) return take(taken_by(seen));", "return take(taken_by(seen));", colours),
    Mutant(F, "const Index at = one_more - 1 - from;", "const Index at = one_more - 1;", many_colours),
    Mutant(F, "if (at >= 0 && at < window)", "if (at >= 0)", many_colours),
    Mutant(F, "if (at < room) storage.open[at] = u;", "storage.open[at] = u;", many_colours),
    Mutant(F, "opened = storage.opened;\n", "opened = storage.opened < room ? storage.opened : room;\n", many_colours),
    Mutant(F, "while ((other = state.colour_of(storage.open[i])) == 0) {}", "other = state.colour_of(storage.open[i]);", colours),
    Mutant(F, "i < words; i += Group::size()) storage.taken[i] = 0;", "i < words - 1; i += Group::size()) storage.taken[i] = 0;", many_colours),
    Mutant(F, "                if (Group::rank() == 0) storage.opened = 0;\n", "", colours),
    Mutant(F, "storage.opened = 0;\n                Group::sync();", "storage.opened = 0;", colours),
    Mutant(F, "                Group::sync();\n                opened", "                opened", colours),
    Mutant(F, "take(other);\n                }\n                Group::sync();", "take(other);\n                }", colours),
    Mutant(F, "end - e > i * Group::size() ?", "end - e >= i * Group::size() ?", many_colours),
    Mutant(F, "e += LOADS * Group::size()", "e += (LOADS + 1) * Group::size()", many_colours),
    Mutant(F, "c = from + ((base + lane) << 5)", "c = ((base + lane) << 5)", many_colours),
    # --- who takes which
    Mutant(F, "k < c; ++k) begin += counts[k];", "k < c - 1; ++k) begin += counts[k];", colours),
    Mutant(F, "const int c = (blockIdx.x + turn) % COLORING_CLASSES;", "const int c = turn;", colours),
    Mutant(F, "const int some = c == 1 ? 1 : 32;", "const int some = 32;", colours),
    Mutant(F, "ticket = begin + atomicAdd(taken, Count(1));\n                __syncthreads();", "ticket = begin + atomicAdd(taken, Count(1));", colours),
    Mutant(F, "const bool has = at + lane_id() < end;", "const bool has = true;", colours),
    Mutant(F, ": (2ll - c) << 61);", ": 0);", colours),
    # --- short rows
    Mutant(L, "word_of(order, c + 1);", "word_of(order, c);", colours),
    Mutant(L, "order_of(seen[i]) > __shfl_sync", "order_of(seen[i]) < __shfl_sync", short_colours),
    Mutant(L, "before && c == 0), base", "c == 0), base", short_colours),
    Mutant(L, "if (c > 0) lanes.take(whose[i], c - 1);", "", colours),
    Mutant(L, "if (c < LONG_DEGREE) atomicOr", "atomicOr", short_colours),
    Mutant(L, "(c < 32 ? low : high) + lane", "low + lane", short_colours),
    Mutant(L, "from < 0 ? Places(votes >> -from) : Places(votes) << from;", "Places(votes) << from;", short_colours),
    Mutant(L, "lanes.low[lane_id()] = lanes.high[lane_id()] = 0;", "lanes.low[lane_id()] = 0;", short_colours),
    Mutant(L, "    missing &= (Places(1) << degree) - 1;\n", "", short_colours),
    Mutant(L, "    __syncwarp();\n    missing &=", "    missing &=", short_colours),
    Mutant(L, "base < share.total; base += 32 * LOADS", "base < share.total; base += 64 * LOADS", short_colours),
    Mutant(L, "state.indices[e] : -1;", "state.indices[e] : 0;", short_colours),
    Mutant(L, "taken > 0 && taken <= LONG_DEGREE ?", "taken > 0 ?", short_colours),
    Mutant(L, "taken > 0 && taken <= LONG_DEGREE ?", "taken < 0 ?", short_colours),
    Mutant(S, "if (!waits) continue;", "", short_colours),
    Mutant(S, "if (!waits) state.settle(v, order, __ffsll(~taken) - 1);", "if (!waits) state.settle(v, order, __ffsll(~taken));", short_colours),
    Mutant(L, "if (has && awaited < 0) {", "if (has) {", colours),
    Mutant(L, "            has = false;\n", "", colours),
    Mutant(L, "63 - __clzll(static_cast<long long>(missing))", "__ffsll(missing)", colours),
    # --- very short rows
    Mutant(L, "        if (!is_missing(seen[i])) who[i] = -1;", "        is_missing(seen[i]);", very_short_colours),
    Mutant(L, "more[i] < 0 ? 0 : read_count(state.known + more[i]);", "read_count(state.known + (more[i] < 0 ? 0 : more[i]));", very_short_colours),
    Mutant(L, "LOADS + i < degree ? state.indices[first + LOADS + i] : -1;", "state.indices[first + LOADS + i];", very_short_colours),
    Mutant(L, "if (c > 0 && c <= 32) colours", "if (c > 0) colours", very_short_colours),
    Mutant(L, "if (c > 0 && c <= 32) colours |= 1u << (c - 1);", "", very_short_colours),
    Mutant(L, "return c == 0 && seen >= least;", "return c == 0 && seen < least;", very_short_colours),
    Mutant(L, "<< (LOADS + i);", "<< i;", very_short_colours),
    Mutant(L, "    if (degree > LOADS) {", "    if (degree > 2 * LOADS) {", very_short_colours),
    Mutant(S, "degree > 2 * LOADS)) {", "degree > 99)) {", short_colours),
    Mutant(S, "i < degree ? state.indices[begin + i] : -1;", "state.indices[begin + i];", very_short_colours),
    # --- the ring and the queue
    Mutant(S, "if (who[i] >= 0 || rest == 0) continue;", "if (rest == 0) continue;", short_colours),
    Mutant(S, "            rest &= rest - 1;\n        }\n    }\n\n    // Those", "        }\n    }\n\n    // Those", short_colours),
    Mutant(S, "        ring.rest[at] = rest;\n", "        ring.rest[at] = 0;\n", short_colours),
    Mutant(S, "        ring.taken[at] = taken;\n", "        ring.taken[at] = 0;\n", short_colours),
    Mutant(S, "            if (c > 0) who[i] = -1;\n", "", very_short_colours),
    Mutant(S, "            take_missing(state.indptr[v], rest, who);\n", "", short_colours),
    Mutant(S, "            if (some) return true;\n", "            return some;\n", short_colours),
    Mutant(S, "const bool waits = misses(v, who, rest, taken);", "const bool waits = misses(v, who, rest, taken) && lane_id() > 0;", very_short_colours),
    Mutant(S, "        oldest += out;\n", "", very_short_colours),
    Mutant(S, "        waiting -= out;\n", "", very_short_colours),
    Mutant(S, "        waiting -= out;\n        __syncwarp();\n", "        waiting -= out;\n", very_short_colours),
    Mutant(S, "else enqueue(waits, v);", "", very_short_colours),
    Mutant(S, "if (waiting >= 32) turn(true);\n        if (waiting > 32) turn(false);", "", very_short_colours),
    Mutant(S, "        queued += __popc(all);\n", "        queued += has;\n", very_short_colours),
    Mutant(S, "        if (at >= room) at -= room;\n", "", very_short_colours),
    Mutant(S, "at < room ? at : at - room", "at", very_short_colours),
    Mutant(S, "first + out < room ? first + out : first + out - room;", "first + out;", very_short_colours),
    Mutant(S, "ask(next < n, static_cast<Index>(next));", "ask(true, static_cast<Index>(next));", very_short_colours),
    Mutant(S, "            turn(true);\n        }\n    }\n};", "        }\n    }\n};", very_short_colours),
    # --- sets: where a vertex stops
    Mutant(C, "end - e > i * apart ?", "end - e >= i * apart ?", far),
    Mutant(C, "if (seen[i] <= mine || (seen[i] & OUT)) continue;", "if (seen[i] & OUT) continue;", sets),
    Mutant(C, "if (seen[i] <= mine || (seen[i] & OUT)) continue;", "if (seen[i] <= mine) continue;", sets),
    Mutant(C, "if (seen[i] <= mine ||", "if (seen[i] >= mine ||", sets),
    Mutant(C, "            at = e + i * apart;\n", "", sets),
    Mutant(C, "int i = LOADS - 1; i >= 0; --i", "int i = LOADS - 1; i > 0; --i", sets),
    Mutant(C, "from = one ? least(at) : from + 32 * LOADS;", "from = from + 32 * LOADS;", sets),
    Mutant(C, "from = one ? least(at) : from + 32 * LOADS;", "from = one ? least(at) : last;", far),
    Mutant(C, "warp_reduce<Minimum>(x);", "warp_reduce<Maximum>(x);", sets),
    Mutant(C, "if (lane_id() == lane) e = from;", "e = from;", sets),
    # --- who is out
    Mutant(C, "if (u[i] >= 0) atomicOr(known + u[i], OUT);", "if (u[i] >= 32) atomicOr(known + u[i], OUT);", sets),
    Mutant(C, "u[i] = at < share.total ? indices[e] : -1;", "u[i] = indices[e];", sets),
    Mutant(C, "base += 32 * LOADS) {\n                Index u", "base += 64 * LOADS) {\n                Index u", far),
    Mutant(C, "            first += some;\n", "", sets),
    Mutant(C, "has = has && !(mine & OUT);", "", sets),
    # --- queues
    Mutant(C, "    }\n    grid.wait();", "    }", sets),
    Mutant(C, "known[v] = Rank(rank) << 1;", "known[v] = Rank(rank);", sets),
    Mutant(C, "(Count(words_of(n)) / warp_count() + 1) << 5;", "32;", sets),
    Mutant(C, "append_own(waits, open)", "append_own(true, open)", sets),
    Mutant(C, "        if (first) chosen[v] = true;\n", "", sets),
    Mutant(C, "            __syncwarp();\n            if (turn(has, v, e)) mark(bits, v);", "            if (turn(has, v, e)) mark(bits, v);", sets),
    Mutant(C, "if (turn(has, v, e)) mark(bits, v);", "turn(has, v, e);", sets),
    Mutant(C, "        open = 0;\n", "", sets),
    # --- ranks
    Mutant(R, "static_cast<Word>(v)) * a & BELOW", "static_cast<Word>(v)) * a", ranks),
    Mutant(R, "(x ^ x >> j) * b & BELOW", "(x ^ x >> j) * b", ranks),
    Mutant(R, "(x ^ x >> k) * c & BELOW", "(x ^ x >> k) * c", ranks),
    Mutant(R, "return x ^ x >> l;", "return x;", ranks),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(
    [cores, within, colours, many_colours, short_colours, very_short_colours, sets, far, ranks],
    MUTANTS,
)
