# ruff: noqa: E501  (mutants of one line)
"""The kernels of many searches at once, broken on purpose.

The exercises hold them against Floyd's and Warshall's method in NumPy: rounds and lengths, sums over
the sources, chosen targets, single pairs, hubs, sources twice, waves of all kinds, bounded searches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.centrality.distance_sums import distance_sums, source_totals
from lagraph_gpu.algorithms.paths.path_lengths import Pairs
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.multi_source.answers import Answer, into
from semirings import types
from tests.graphs import WeightedEdges, path, random_weighted
from tests.harness import lowered
from tests.simt.exercises import INF, SEEDS, all_pairs, gpu
from tests.simt.mutants import Mutant, suite

BY_DELTA, BY_HEAP = lg.Schedule(order="delta"), lg.Schedule(order="heap")


def table_holds(
    backend: GpuBackend, n: int, edges: WeightedEdges, sources: Any, targets: Any = None,
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
    """Rounds, for batches of one to nine words, with a hub that a block takes; of targets, more than a
    warp takes at once, and single pairs."""
    for seed, count in zip(range(5), (1, 33, 70, 140, 280), strict=True):
        backend = gpu(seed)
        backend.products.long_row = 20 if seed % 2 else 1024
        n = 45 + seed
        sources = np.random.default_rng(seed).integers(0, n, count)
        table_holds(backend, n, random_weighted(n, seed, hub=3), sources, hops=True)
        edges = random_weighted(n, seed, degree=1)
        targets = np.random.default_rng(seed).integers(0, n, 40)
        table_holds(backend, n, edges, sources, targets, cutoff=4, hops=True)
    table_holds(backend, n, random_weighted(n, 1), sources, np.arange(300) % n, hops=True)


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


def searches_by_warps() -> None:
    """Of 300 sources, which is 16 words a vertex and teams of 4 threads: rows just as long as a team
    takes, or a warp, and longer ones; several in the share of one warp."""
    for seed in SEEDS[:2]:
        backend, n = gpu(seed), 90
        backend.products.long_row = 20
        degrees = np.full(n, 2)
        degrees[40:48] = 16, 17, 20, 20, 17, 21, 19, 18
        rng = np.random.default_rng(seed)
        tails = np.concatenate([rng.choice(n, degree, replace=False) for degree in degrees])
        edges = tails, np.repeat(np.arange(n), degrees), np.ones(tails.size)
        table_holds(backend, n, edges, rng.integers(0, n, 300), hops=True)


def more_rounds_than_were_foreseen() -> None:
    """A path, and beside it a clique, for whose many edges few rounds are expected: more than fit a
    byte; just as many. And a path alone, which is found to be deep."""
    i, j = np.divmod(np.arange(24 * 24), 24)
    edges = np.r_[np.arange(19), 20 + i], np.r_[np.arange(1, 20), 20 + j], np.ones(19 + i.size)
    for seed, rounds in enumerate((6, 19, 20)):
        backend = gpu(seed)
        backend.tables.rounds = rounds, 3
        for sources in ([1, 30], [0, 30]):
            table_holds(backend, 44, edges, sources, hops=True)
            table_holds(backend, 44, edges, sources, cutoff=rounds, hops=True)
        G = lg.Graph.from_edges(*edges[:2], n=44, backend=backend)
        lg.distance_matrix(G, [1, 30], weight=None)
        assert G.A._store.pattern.depth.many_rounds == (rounds < 18)
        alone = *path(20), np.ones(19)
        for schedule in (None, lg.Schedule(order="rounds")):
            table_holds(backend, 20, alone, [0, 16, 17], hops=True, schedule=schedule)


def more_digits() -> None:
    """A path of more rounds than eight digits count."""
    n = 300
    edges = *path(n), np.ones(n - 1)
    table_holds(gpu(1), n, edges, [0, 17, 290], hops=True, schedule=lg.Schedule(order="rounds"))


def a_part_at_a_time() -> None:
    """Rows and pairs, of so little memory that a part of the sources goes at a time."""
    n, backend = 40, gpu(2)
    edges = i, j, _ = random_weighted(n, 2, degree=1)
    backend.tables.batch_size = lambda sources, each: min(sources, 7)  # type: ignore[method-assign]
    table_holds(backend, n, edges, np.arange(n), hops=True)
    G = lg.Graph.from_edges(i, j, n=n, backend=backend)
    sources, targets = np.random.default_rng(2).integers(0, n, (2, 90))
    found = lg.paired_distances(G, sources, targets, weight=None).get()
    right = all_pairs(n, (i, j, np.ones(i.size)))
    np.testing.assert_array_equal(found, right[sources, targets])


def sums() -> None:
    """How many reach a vertex, from how far, how near: of 64 and of 600 sources."""
    for seed, count in ((1, 64), (2, 600)):
        backend, n = gpu(seed), 50
        backend.tables.in_step = True
        backend.products.long_row = 20 if seed % 2 else 1024
        i, j, _ = random_weighted(n, seed, hub=7)
        G = lg.Graph.from_edges(i, j, n=n, backend=backend)
        sources = np.random.default_rng(seed).integers(0, n, count)
        D = all_pairs(n, (i, j, np.ones(i.size)))[sources]
        D = np.where((D > 0) & (D < INF), D, 0)
        near = np.divide(1, D, out=np.zeros_like(D), where=D > 0)
        right = [(D > 0).sum(0), D.sum(0), near.sum(0)]
        found = lowered(distance_sums, G.A, sources)
        assert found is not None
        for made, wanted in zip(found, right, strict=True):
            np.testing.assert_allclose(made.to_dense(), wanted, rtol=1e-12)


def totals() -> None:
    """How many vertices each source reaches, and how far they are together: of 40 and of 600
    sources, forward and backward, a part at a time."""
    for seed, count in ((1, 40), (2, 600)):
        backend, n = gpu(seed), 50
        backend.tables.in_step = True
        i, j, _ = random_weighted(n, seed, hub=7)
        G = lg.Graph.from_edges(i, j, n=n, backend=backend)
        sources = np.random.default_rng(seed).integers(0, n, count)
        D = all_pairs(n, (i, j, np.ones(i.size)))
        for A, far in ((G.A, D[sources]), (G.A.T, D.T[sources])):
            far = np.where((far > 0) & (far < INF), far, 0)
            found = lowered(source_totals, A, sources)
            assert found is not None
            for made, wanted in zip(found, ((far > 0).sum(1), far.sum(1)), strict=True):
                np.testing.assert_array_equal(made.to_dense(), wanted)
            backend.tables.batch_size = lambda sources, each: min(sources, 33)  # type: ignore[method-assign]


def totals_of_deep_graphs() -> None:
    """Of the rows of tables, a few at a time: rows of two parts, vertices that are not reached."""
    n = 300
    i = np.setdiff1d(np.arange(n - 1), [40, 41])
    for directed in (False, True):
        backend = gpu(1)
        G = lg.Graph.from_edges(i, i + 1, n=n, directed=directed, backend=backend)
        place, sources = np.arange(n), np.array([0, 41, 44, 150, 299])
        part = (place > 40).astype(int) + (place > 41)
        backend.tables.batch_size = lambda sources, each: min(sources, 2)  # type: ignore[method-assign]
        for A, way in ((G.A, 1), (G.A.T, -1)):
            far = way * (place - sources[:, None])
            far = np.where(part == part[sources][:, None], far if directed else abs(far), 0)
            found = lowered(source_totals, A, sources)
            far = np.maximum(far, 0)
            for made, wanted in zip(found, ((far > 0).sum(1), far.sum(1)), strict=True):
                np.testing.assert_array_equal(made.to_dense(), wanted)
        assert lowered(source_totals, G.A, sources[:0]) is None


def full_counters() -> None:
    """More words for a thread than its half bytes and its bytes can count, nearly all of them
    ones."""
    backend = gpu(3)
    for words in (1, 4):
        size = 300 * backend.device.block_size
        rows = ~(
            np.uint32(1) << np.arange(size, dtype=np.uint32) // np.uint32(words) % np.uint32(32)
        )
        count = backend.device.zeros(32 * words, "u8")
        backend.launch("multi_source/bit_sliced_levels.cuh", "", "count_sources", size,
                       np.int64(size), np.int32(words), backend.device.upload(rows), count,
                       blocks=1)  # fmt: skip
        bits = rows.reshape(-1, words)[:, :, None] >> np.arange(32, dtype=np.uint32) & 1
        right = bits.sum(0, dtype=np.uint64).ravel()
        np.testing.assert_array_equal(backend.device.download(count), right)


def waves() -> None:
    """Lengths, with blocks that take several sources; of packed rows, and of longer ones."""
    for seed, dtype in enumerate(("FP32", "INT64", "INT32", "FP64")):
        backend, n = gpu(seed), 40 + seed
        backend.tables.threads = 64
        schedule = lg.Schedule(order="delta", width=(1, 5, 100)[seed % 3])
        sources = np.random.default_rng(seed).integers(0, n, 70)
        few = sources[:9], [1, 1, 30], 11
        table_holds(backend, n, random_weighted(n, seed), sources, dtype=dtype, schedule=schedule)
        table_holds(backend, n, random_weighted(n, seed, degree=1), *few, schedule=schedule)
    table_holds(backend, n, random_weighted(n, 1), sources, hops=True, schedule=schedule)
    table_holds(
        backend, 200, random_weighted(200, 2), sources, schedule=schedule
    )  # much is near at once
    table_holds(
        backend, 200, random_weighted(200, 2), sources, schedule=lg.Schedule(order="delta", width=2)
    )


def waves_of_hubs() -> None:
    """More vertices than are put aside have more edges than a warp walks; of some rows, a few more
    than are packed."""
    backend, n = gpu(1), 300
    backend.tables.threads = 64
    table_holds(
        backend, n, random_weighted(n, 1, hub=11, degree=1), [0, 11, 299], schedule=BY_DELTA
    )
    table_holds(backend, 90, random_weighted(90, 1, degree=60), [0, 11, 89], schedule=BY_DELTA)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(70), np.arange(n), indexing="ij"))
    first = np.zeros(70, int), np.arange(70), np.ones(70)  # all are near at once
    rest = i, j, 3.0 + 7 * i + (i * j) % 5
    edges = tuple(np.r_[a, b] for a, b in zip(first, rest, strict=True))
    _, once = np.unique(edges[0] * n + edges[1], return_index=True)
    table_holds(backend, n, tuple(x[once] for x in edges), [0], schedule=BY_DELTA)


def waves_that_get_better() -> None:
    """Way by way: each step over an edge beats all longer ones before, so that far vertices are
    offered many values; and near lists of little room, so that near ones wait among the far."""
    n = 24
    i, j = np.nonzero(np.arange(n)[:, None] < np.arange(n))
    for seed, room in enumerate((None, 3, 1)):
        backend = gpu(seed)
        backend.tables.threads, backend.tables.room = 64, room
        for width in (1, 30, 1000):
            schedule = lg.Schedule(order="delta", width=width)
            table_holds(backend, n, (i, j, (j - i) ** 2.0), [0, 5, 23], schedule=schedule)
        table_holds(backend, 45, random_weighted(45, seed), np.arange(45), schedule=BY_DELTA)


def waves_that_wrap() -> None:
    """Sums beyond 32 bits, and one that just fits."""
    backend, far = gpu(1), float(2**31 - 1)
    backend.tables.threads = 64
    edges = np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.array([far - 6, 5.0, far - 1, 1.0])
    table_holds(backend, 6, edges, [0], dtype="INT64", schedule=BY_DELTA)
    edges = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([far, 0.0, 7.0])
    table_holds(backend, 4, edges, [0, 2], dtype="INT64", schedule=BY_DELTA)


def pairs() -> None:
    """More than there are threads: from bits, from waves, from single searches, from heaps."""
    ways = (None, 3, True), (BY_DELTA, 3, False), (None, 12, False), (BY_HEAP, 3, False)
    for seed, (schedule, degree, hops) in enumerate(ways):
        backend, n = gpu(seed), 30
        backend.tables.threads = 64
        edges = i, j, w = random_weighted(n, seed, degree=degree)
        G = lg.Graph.from_edges(i, j, w, n=n, backend=backend)
        sources, targets = np.random.default_rng(seed).integers(0, n, (2, 700))
        weight = None if hops else "weight"
        found = lg.paired_distances(G, sources, targets, 9, weight, schedule=schedule).get()
        right = all_pairs(n, (i, j, np.ones(i.size)) if hops else edges)[sources, targets]
        np.testing.assert_array_equal(found, np.where(right <= 9, right, INF))


def answers() -> None:
    """Rows of a table and pairs, of dense blocks of each width: rows go to places of their own, a
    value of 9 stands for none, and what is beyond 7 does not count."""
    shapes = (
        ("INT32", 64, 70, 61),
        ("FP32", 128, 130, 40),
        ("INT64", 32, 40, 33),
        ("FP32", 1, 9, 70),
    )
    for seed, (name, width, count, n) in enumerate(shapes):
        backend, rng = gpu(seed), np.random.default_rng(seed)
        device, dtype = backend.device, getattr(types, name)
        x = rng.integers(0, 10, (-(-count // width), n, width)).astype(dtype)
        known = x.transpose(0, 2, 1).reshape(-1, n)[:count]
        right = np.where(known <= 7, known, INF)
        place, some = rng.permutation(count), rng.integers(0, n, 150)
        block = dtype.type(9), device.upload(x.reshape(-1)), 7
        for targets in (None, some):
            shape = (count, n if targets is None else targets.size)
            out = device.full(shape[0] * shape[1], -1, types.FP32)
            answer = Answer(n, into(device, targets, shape), out)
            backend.tables.write(answer, place, width, *block)
            table = right if targets is None else right[:, targets]
            np.testing.assert_array_equal(device.download(out).reshape(shape)[place], table)
        row = np.sort(rng.integers(0, count + 20, 150))  # the first twenty have been answered
        asked = Pairs(row, some, rng.permutation(150))
        out = device.full(150, -1, types.FP32)
        answer = Answer(n, into(device, asked, (150,)), out)
        backend.tables.write(answer, np.arange(20, 20 + count), width, *block)
        made = np.full(150, -1.0)
        made[asked.place[row >= 20]] = right[row[row >= 20] - 20, some[row >= 20]]
        np.testing.assert_array_equal(device.download(out), made)


def waves_with_targets() -> None:
    """Over when the targets are settled, or else a sum wraps, and a second search begins; but not
    before: to vertex 41 there are better and better ways. What was left must not show in the next."""
    line = *path(7), np.array([3, 4, 5, 6, 2**30, 2**30], float)
    via = np.arange(1, 41)
    i, j = np.r_[np.zeros(40, int), via, 41], np.r_[via, np.full(40, 41), 42]
    fan = i, j, np.r_[2 * via, 500 - 3 * via, 1].astype(float)
    for seed in SEEDS[:2]:
        backend = gpu(seed)
        backend.tables.threads = 64
        near = lg.Schedule(order="delta", width=1)
        for targets, searches in (([3, 1, 3], 1), ([6], 2)):
            with lg.explain() as told:
                some = [0, 1, 1, 0]
                table_holds(backend, 7, line, some, targets, dtype="INT64", schedule=near)
            assert len(told.choices) == searches
        for targets in ([41], [42, 41], [*range(43)], [*range(1, 20), 41]):
            table_holds(backend, 43, fan, [0] * 12, targets, schedule=near)
        later = np.r_[np.full(60, 0), 60 + i], np.r_[np.arange(1, 61), 60 + j]
        later[0][60:100], weights = 0, np.r_[np.ones(60), fan[2]]
        table_holds(backend, 103, (*later, weights), [0] * 3, [*range(103)], schedule=near)
        edges = random_weighted(45, seed)
        table_holds(backend, 45, edges, np.arange(40) % 9, [7], schedule=near)
        table_holds(backend, 45, edges, np.arange(40), [*range(20)] * 2, schedule=near)


def given_up() -> None:
    """A block gives a search up when it has pushed more than its share of the vertices, and the
    searches go on in copies. Each search has a share of its own."""
    n = 320
    line = *path(n), np.arange(n - 1) % 5 + 1.0
    for seed, dtype in ((0, "FP32"), (1, "INT64")):
        backend = gpu(seed)
        backend.tables.threads = 64
        for share, sources, target, ways in (
            (1 / 6, range(12), 14, 1), (1 / 6, [0, 1, 2], n - 1, 2), (1, [0, 1, 2], n - 1, 1),
        ):  # fmt: skip
            backend.tables.tried = share
            with lg.explain() as told:
                table_holds(backend, n, line, [*sources], [target], dtype=dtype)
            assert len(told.choices) == ways
            assert ("in copies" in told.choices[-1].chosen) == (ways == 2)


EXERCISES = [
    totals_of_deep_graphs,
    searches, searches_towards_a_hub, searches_by_warps, more_rounds_than_were_foreseen,
    more_digits, a_part_at_a_time, sums, totals, full_counters, waves, waves_of_hubs,
    waves_that_get_better, waves_that_wrap, waves_with_targets, given_up, answers, pairs,
]  # fmt: skip
MUTANTS = [
    Mutant("multi_source/distance_output.cuh", "column < n ? distances[row * n + column]", "true ? distances[row * n + column]", totals_of_deep_graphs),
    Mutant("multi_source/distance_output.cuh", "if (x == arithmetic::infinity<double>()) continue;", "if (x == arithmetic::infinity<double>()) sum -= 1;", totals_of_deep_graphs),
    Mutant("multi_source/distance_output.cuh", "(task % parts * Each + i) * 32", "(task % parts + i) * 32", totals_of_deep_graphs),
    Mutant("multi_source/distance_output.cuh", "row = task / parts;", "row = 0;", totals_of_deep_graphs),
    Mutant("multi_source/distance_output.cuh", "sum = warp_reduce<Sum>(sum);", "", totals_of_deep_graphs),
    Mutant("multi_source/distance_output.cuh", "(n + 32ll * Each - 1) / (32 * Each)", "n / (32 * Each)", totals_of_deep_graphs),
    # --- ms_bfs.cuh: what is found, and when
    Mutant("multi_source/ms_bfs.cuh", "        for (int q = 0; q < Q; ++q) got.w[q] &= missing.w[q];\n        return got;", "        return got;", searches),
    Mutant("multi_source/ms_bfs.cuh", "e += SIDE;", "e += 2 * SIDE;", searches),
    Mutant("multi_source/ms_bfs.cuh", "arrivals[1] = !over;", "", more_rounds_than_were_foreseen),
    Mutant("multi_source/ms_bfs.cuh", "arrivals[1] = !over;", "arrivals[1] = 1;", more_rounds_than_were_foreseen),
    Mutant("multi_source/ms_bfs.cuh", "                commit<32>(true, u, all);\n", "", searches_by_warps),
    Mutant("multi_source/ms_bfs.cuh", "last - first <= longest;", "last - first < longest;", searches_by_warps),
    Mutant("multi_source/ms_bfs.cuh", "wide && lane_id() % SUBWARP == 0); left != 0; left &= left - 1", "wide && lane_id() % SUBWARP == 0); left != 0; left = 0", searches_by_warps),
    Mutant("multi_source/ms_bfs.cuh", "got.w[q] = warp_reduce<BitOr, T, G>(got.w[q]);", ";", searches),
    Mutant("multi_source/ms_bfs.cuh", "__syncwarp();  // all have read", "// all have read", searches),
    Mutant("multi_source/ms_bfs.cuh", "next[at(v)] = got;", "", searches),
    Mutant("multi_source/ms_bfs.cuh", "seen[at(v)] = got.with(seen[at(v)]);", "", searches),
    Mutant("multi_source/ms_bfs.cuh", "atomicOr(found + word, mine);", "found[word] |= mine;", searches),
    Mutant("multi_source/ms_bfs.cuh", "live && q % (T / G) == slot<T>() ?", "live && q % (T / G) == slot<T>() && q == 0 ?", searches),
    Mutant("multi_source/ms_bfs.cuh", "~now.w[q] & alive[part() * Q + q]", "alive[part() * Q + q]", searches),
    Mutant("multi_source/ms_bfs.cuh", "got.w[q] &= ~now.w[q];", "got.w[q] |= 0;", searches),
    Mutant("multi_source/ms_bfs.cuh", "            count = warp_reduce<Sum, T>(count);\n", "", sums),
    Mutant("multi_source/ms_bfs.cuh", "last - first <= brief;", "last - first < brief;", searches_towards_a_hub),
    Mutant("multi_source/ms_bfs.cuh", "begin + per_subwarp);", "begin + per_subwarp - 1);", searches_towards_a_hub),
    Mutant("multi_source/ms_bfs.cuh", "if (some.w[q] != 0) atomicOr", "if (some.w[q] != 0 && q > 0) atomicOr", searches_towards_a_hub),
    Mutant("multi_source/ms_bfs.cuh", "alive[(round + 1) % 3 * words + word] = 0;", "alive[round % 3 * words + word] = 0;", searches),
    Mutant("multi_source/ms_bfs.cuh", "search.alive = alive + (round + 2) % 3 * words;", "search.alive = alive + round % 3 * words;", searches),
    Mutant("multi_source/ms_bfs.cuh", "        grid.wait();\n    };", "    };", searches),
    Mutant("multi_source/ms_bfs.cuh", "search.pull_long(hubs, hub, shared);", "", searches_towards_a_hub),
    Mutant("multi_source/ms_bfs.cuh", "over || round > max_rounds", "over || round >= max_rounds", searches),
    Mutant("multi_source/ms_bfs.cuh", "over ? round - 2 : round - 1", "over ? round - 3 : round - 1", searches_towards_a_hub),
    # --- source_bits.cuh
    Mutant("multi_source/source_bits.cuh", "reached[v] += count;", "reached[v] = count;", sums),
    Mutant("multi_source/source_bits.cuh", "Count(count) * Count(round)", "Count(round)", sums),
    Mutant("multi_source/source_bits.cuh", "double(count) / double(round)", "double(count / round)", sums),
    Mutant("multi_source/ms_bfs.cuh", "over ? round - 2 : round - 1", "round - 2", searches),
    Mutant("multi_source/source_bits.cuh", "if (round == 1 << p) *there = got;\n            else if (", "if (", searches),
    Mutant("multi_source/source_bits.cuh", "*there = there->with(got);", "*there = got;", more_rounds_than_were_foreseen),
    Mutant("multi_source/source_bits.cuh", "(round >> p & 1) &&", "", searches),
    # --- bit_sliced_levels.cuh
    Mutant("multi_source/bit_sliced_levels.cuh", "p < digits ?", "p + 1 < digits ?", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "p * plane + at[i]", "at[i]", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "out + 32 * i", "out + i", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "here[i] >> s & 1u ?", "here[i] & 1u ?", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "target == nullptr ? t : target[t];", "t;", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "left < 32 ? left : 32", "32", searches),
    Mutant("multi_source/bit_sliced_levels.cuh", "static_cast<long long>(first) + (word << 5)", "(word << 5)", a_part_at_a_time),
    Mutant("multi_source/bit_sliced_levels.cuh", "if (*rounds >> SOME_DIGITS == 0)", "if (true)", more_digits),
    Mutant("multi_source/bit_sliced_levels.cuh", "const Index source = row[k] - first;", "const Index source = row[k];", a_part_at_a_time),
    Mutant("multi_source/bit_sliced_levels.cuh", "p < digits; ++p)\n            round |=", "p < 1; ++p)\n            round |=", pairs),
    Mutant("multi_source/bit_sliced_levels.cuh", "out[place[k]] = seen", "out[k] = seen", pairs),
    Mutant("multi_source/bit_sliced_levels.cuh", "HALVES = 15,", "HALVES = 16,", full_counters),
    Mutant("multi_source/bit_sliced_levels.cuh", "BYTES = 255 / HALVES", "BYTES = 255", full_counters),
    Mutant("multi_source/bit_sliced_levels.cuh", "4 * (j & 1) + j / 2", "4 * (j / 2) + (j & 1)", full_counters),
    Mutant("multi_source/bit_sliced_levels.cuh", "shared + 32 * (threadIdx.x % words)", "shared", totals),
    Mutant("multi_source/bit_sliced_levels.cuh", "        in_halves = 0;\n", "", full_counters),
    # --- near_far_buckets.cuh: near and far
    Mutant("multi_source/near_far_buckets.cuh", "if (better(z, peek(block_state->best))) fold_into<S>(block_state->best, z);", "", waves),
    Mutant("core/append.cuh", "length + static_cast<C>(__popc(some & lanes_below()))", "length + lane_id()", waves),
    Mutant("core/append.cuh", "length += __popc(some);", "length += some != 0;", waves),
    Mutant("core/append.cuh", "at[i] = append_own(mine[i], all);", "at[i] = 0 * append_own(mine[i], all);", waves),
    Mutant("core/append.cuh", "for (int i = 0; i < N; ++i) at[i] += begin;", "", waves),
    Mutant("core/append.cuh", "at = atomicAdd(count, items);", "at = *count, *count += items;", waves),
    Mutant("multi_source/near_far_buckets.cuh", "                distant[i] = true;\n", "", waves_that_get_better),
    Mutant("multi_source/near_far_buckets.cuh", "at[i] >= room", "at[i] > room", waves_that_get_better),
    Mutant("multi_source/near_far_buckets.cuh", "if (distant[i]) block_state->list[at[i]] = v[i];", "if (distant[i] && i == 0) block_state->list[at[i]] = v[i];", waves),
    Mutant("multi_source/near_far_buckets.cuh", "block_state->far + block_state->distance", "block_state->far", waves),
    Mutant("multi_source/near_far_buckets.cuh", "atomicAnd(block_state->listed + (v >> 5), ~(1u << (v & 31)));", "", waves),
    # --- block_sssp_state.cuh: what is pushed
    Mutant("multi_source/block_sssp_state.cuh", "return z == S::start() || !(S::add(tail, z) == tail);", "return z == S::start();", waves_that_wrap),
    Mutant("multi_source/block_sssp_state.cuh", "return z == S::start() || !(S::add(tail, z) == tail);", "return !(S::add(tail, z) == tail);", waves_that_wrap),
    Mutant("multi_source/block_sssp_state.cuh", "&& as_good(candidate[i], limit)", "", waves),
    Mutant("multi_source/block_sssp_state.cuh", "close[i] && better(candidate[i], seen[i])", "close[i] && better(seen[i], candidate[i])", waves),
    Mutant("multi_source/block_sssp_state.cuh", "distant[i] = improves && !close[i];", "distant[i] = false;", waves),
    Mutant("multi_source/block_sssp_state.cuh", "distant[i] = claim(block_state->listed, to[i]);", "", waves_that_get_better),
    Mutant("multi_source/block_sssp_state.cuh", "live && !wide ? row.to", "live ? row.to", waves),
    Mutant("multi_source/block_sssp_state.cuh", "slot += EDGES", "slot += 2 * EDGES", waves),
    Mutant("multi_source/block_sssp_state.cuh", "bool wide = live && lead == ELSEWHERE;", "bool wide = false;", waves),
    Mutant("multi_source/block_sssp_state.cuh", "live = as_good(z, look(x + u));", "live = better(z, look(x + u));", waves),
    Mutant("multi_source/block_sssp_state.cuh", "e += EDGES * step", "e += (EDGES + 1) * step", waves_of_hubs),
    Mutant("multi_source/block_sssp_state.cuh", "first + lane_id(),", "first,", waves_of_hubs),
    Mutant("multi_source/block_sssp_state.cuh", "left != 0; left &= left - 1", "left != 0; left = 0", waves_of_hubs),
    Mutant("multi_source/block_sssp_state.cuh", "length <= LANE_ROW ? begin + length : begin, 1);", "begin, 1);", waves),
    Mutant("multi_source/block_sssp_state.cuh", "wide = at >= ASIDE;", "wide = false;", waves_of_hubs),
    Mutant("multi_source/block_sssp_state.cuh", "first + threadIdx.x, first + length_of", "first, first + length_of", waves_of_hubs),
    Mutant("multi_source/block_sssp_state.cuh", "*aside < ASIDE ? *aside : ASIDE", "*aside", waves_of_hubs),
    # --- block_sssp_state.cuh: what the far list becomes
    Mutant("multi_source/block_sssp_state.cuh", "!better(z[0], block_state->best_far)", "better(z[0], block_state->best_far)", waves),
    Mutant("multi_source/block_sssp_state.cuh", "if (distant[0]) fold_best(z[0]);\n", "if (distant[0]) {}\n", waves),
    Mutant("multi_source/block_sssp_state.cuh", "else if (i < count) unlist(v[0]);", "", waves),
    Mutant("multi_source/block_sssp_state.cuh", "distant[1] = {waits && !close[0]}", "distant[1] = {false}", waves),
    # --- block_sssp.cuh: whose turn it is
    Mutant("multi_source/block_sssp.cuh", "if (leads && block_state.unordered)", "if (leads && !block_state.unordered)", waves_that_wrap),
    Mutant("multi_source/block_sssp.cuh", "x + size * block_state.search", "x", waves),
    Mutant("multi_source/block_sssp.cuh", "words_of(n)) * blockIdx.x", "words_of(n)) * 0", waves),
    Mutant("multi_source/block_sssp.cuh", "2ll * room * blockIdx.x", "0", waves),
    Mutant("multi_source/block_sssp.cuh", "far += 2 * size * blockIdx.x;", "", waves),
    Mutant("multi_source/block_sssp.cuh", "block_state.near[(round + 2) % 3] = block_state.aside[(round + 1) % 3] = 0;", "block_state.aside[(round + 1) % 3] = 0;", waves),
    Mutant("multi_source/block_sssp.cuh", "block_state.near[(round + 2) % 3] = block_state.aside", "block_state.near[(round + 1) % 3] = block_state.aside", waves),
    Mutant("multi_source/block_sssp.cuh", "count < room ? count : room", "count", waves_that_get_better),
    Mutant("multi_source/block_sssp.cuh", "search.push(near_lists + round % 2 * room, near);\n                __syncthreads();", "search.push(near_lists + round % 2 * room, near);", waves),
    Mutant("multi_source/block_sssp.cuh", "                search.push_aside();\n", "", waves_of_hubs),
    Mutant("multi_source/block_sssp.cuh", "block_state.far[block_state.distance] = 0;", "", waves),
    # --- when a search is over
    Mutant("multi_source/block_sssp_state.cuh", "better(block_state->best[0], peek(x + target[mine]))", "better(S::start(), peek(x + target[mine]))", waves_with_targets),
    Mutant("multi_source/block_sssp_state.cuh", "*known += blockDim.x) {", "*known += 2 * blockDim.x) {", waves_with_targets),
    Mutant("multi_source/block_sssp_state.cuh", "return wanted > 0;", "return false;", waves_with_targets),
    Mutant("multi_source/block_sssp_state.cuh", "return wanted > 0;", "return true;", waves),
    Mutant("multi_source/block_sssp.cuh", "                search.forget(list, distant);\n", "", waves_with_targets),
    Mutant("multi_source/block_sssp.cuh", "            pushed += near;\n", "", given_up),
    Mutant("multi_source/block_sssp.cuh", "        pushed = 0;\n", "", given_up),
    Mutant("multi_source/block_sssp.cuh", "pushed > most) atomicOr(odd, SEARCHES_UNFINISHED)", "pushed > most) {}", given_up),
    Mutant("multi_source/block_sssp.cuh", "block_state.unordered) atomicOr(odd, SEARCHES_WRAPPED)", "block_state.unordered) {}", waves_that_wrap),
    # --- distance_output.cuh: rows of the table
    Mutant("multi_source/distance_output.cuh", "!(value <= limit) || value == start", "value == start", answers),
    Mutant("multi_source/distance_output.cuh", "!(value <= limit) || value == start", "!(value <= limit)", waves_that_wrap),
    Mutant("multi_source/distance_output.cuh", "(p / width) * n + v) * width + p % width", "(p / width) * n + v) * width", answers),
    Mutant("multi_source/distance_output.cuh", "(p / width) * n + v", "(0) * n + v", answers),
    Mutant("multi_source/distance_output.cuh", "out[place[p0 + row] * targets", "out[(p0 + row) * targets", answers),
    Mutant("multi_source/distance_output.cuh", "entry_of<T>(tile[t][row]", "entry_of<T>(tile[t][0]", answers),
    Mutant("multi_source/distance_output.cuh", "entry_of<T>(tile[t][row]", "entry_of<T>(tile[lane][row]", answers),
    Mutant("multi_source/distance_output.cuh", "static_cast<Index>(t0 + i) : target[t0 + i]", "static_cast<Index>(t0 + i) : target[i]", answers),
    Mutant("multi_source/distance_output.cuh", "        __syncthreads();\n        for (int i = warp; i < OUTPUT_TILE * A", "        for (int i = warp; i < OUTPUT_TILE * A", answers),
    Mutant("multi_source/distance_output.cuh", "p0 + row < count && t0 + t < targets", "t0 + t < targets", answers),
    Mutant("multi_source/distance_output.cuh", "out[place[p] * targets + t]", "out[p * targets + t]", answers),
    Mutant("multi_source/distance_output.cuh", "static_cast<Index>(t) : target[t]", "static_cast<Index>(t) : target[0]", answers),
    Mutant("multi_source/distance_output.cuh", "if (t >= targets) continue;", "", answers),
    # --- distance_output.cuh: single entries
    Mutant("multi_source/distance_output.cuh", "        out[place[k]] =", "        out[k] =", answers),
    Mutant("multi_source/distance_output.cuh", "row[k] - first, target[k]", "row[k], target[k]", answers),
    Mutant("multi_source/distance_output.cuh", "row[k] - first, target[k]", "row[k] - first, row[k]", answers),
    Mutant("multi_source/distance_output.cuh", "(count))", "(count - 1))", answers),
    Mutant("multi_source/distance_output.cuh", "(count))", "(count / 2))", pairs),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
