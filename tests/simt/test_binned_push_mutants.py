# ruff: noqa: E501  (mutants of one line)
"""Searches that push in bins, and their kernels broken in the lines that matter."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure, closure_with_rounds
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.closure import binned_push
from lagraph_gpu.gpu.closure.binned_push import Sizes
from lagraph_gpu.planning.direction import BinnedPushes
from lagraph_gpu.schedule import Schedule
from semirings import any_pair, any_secondi
from tests.simt.exercises import gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite
from tests.simt.test_level_synchronous_mutants import levels

N = 300
SMALL = Sizes(6, 8, 512, 64, 1, 2, 6, 64, 1)
"""A block of `apply_bins` for each bin."""
HALVES = Sizes(6, 5, 512, 128, 2, 4, 5, 64, 1)
"""Two for each; and as many bins as there may be."""
NARROW = Sizes(6, 8, 64, 64, 1, 1, 6, 64, 1)
"""Tiles of few edges and few rows."""
ALL, PART = 10**6, 0.4


def uniform(seed: int, degree: float, directed: bool = False) -> np.ndarray:
    """Which edges there are in a random graph of so many out-edges for each vertex."""
    edge = np.random.default_rng(seed).random((N, N)) < degree / N / (1 if directed else 2)
    np.fill_diagonal(edge, False)
    return edge if directed else edge | edge.T


def binning(seed: int, sizes: Sizes, most: float, least: float = 0) -> GpuBackend:
    """A backend that pushes frontiers with so many edges for each vertex in bins."""
    backend = gpu(seed)
    backend.products.long_row = N
    backend.binned_push.sizes, backend.binned_push.pauses = sizes, 9
    backend.binned_push.suits = lambda n, nedges, hubs: BinnedPushes(
        int(least * n), int(most * n), min(int(most * n), nedges)
    )
    return backend


def expect_search(
    backend: GpuBackend, edge: np.ndarray, source: int, bound: int | None = None,
    ring: Any = any_secondi, prepared: bool = False, schedule: Schedule | None = None,
) -> list[Any]:  # fmt: skip
    """The levels must be those of a plain search, and parents one level closer; the trace."""
    n, (level, met) = len(edge), levels(edge, source)
    directed = not (edge == edge.T).all()
    i, j = np.nonzero(edge if directed else np.triu(edge))
    G = lg.Graph.from_edges(i, j, n=n, directed=directed, backend=backend)
    if prepared:
        G = G.prepared()
    if bound is not None:
        level = np.where(level > bound, -1, level)
    schedule = schedule or Schedule(loop="device", order="rounds")
    if ring is any_pair:
        x0 = lg.Vector.from_coo([source], [1], "INT64", size=n, backend=backend)
        x, when = closure_with_rounds(x0, G.A, ring, bound, schedule)
        assert (x.to_coo()[1] == 1).all()
        assert x.isequal(closure(x0, G.A, ring, bound, schedule))
    else:
        when, x = lg.bfs(G, source, bound, schedule)
        index, parent = x.to_coo()
        assert parent[index == source] == source
        index, parent = index[index != source], parent[index != source]
        assert edge[parent, index].all() and (level[parent] == level[index] - 1).all()
    np.testing.assert_array_equal(when.to_dense(fill_value=-1), level)
    assert x.nvals == when.nvals == (level >= 0).sum()
    return met


def searched(sizes: Sizes, most: float, degree: float = 12, least: float = 0, **more: Any) -> None:
    for seed in range(3):
        with offsets_of_64_bits(seed == 0):
            backend = binning(seed, sizes, most, least)
            edge = uniform(seed, degree, directed=seed == 1)
            for source in (7, 7 + seed):  # the second finds the memory of the first
                expect_search(backend, edge, source, **more)
            assert bins_used(backend)


def bins_used(backend: GpuBackend) -> bool:
    return any(name.startswith("bin_edges") for _, _, name in backend.kernels)


def whole() -> None:
    """Both frontiers are pushed, all of their edges."""
    searched(SMALL, ALL)


def parts() -> None:
    """Of a large frontier a part is pushed; then a pull goes on."""
    searched(SMALL, PART)


def halves() -> None:
    searched(HALVES, PART)


def narrow() -> None:
    """Tiles take a word at a time, and rows that they have no room for are pushed as before."""
    searched(NARROW, ALL, degree=16)


def sparse() -> None:
    """A tile has room for fewer rows than there are in a word."""
    searched(NARROW, ALL, degree=3)


def hubs() -> None:
    """Rows that no tile has room for."""
    for seed in range(3):
        edge = uniform(seed, 6)
        edge[11, 20:250] = edge[20:250, 11] = True
        expect_search(binning(seed, NARROW, ALL), edge, 3 + seed)


def crowded() -> None:
    """Bins have room for a few of their edges."""
    for seed, most in itertools.product(range(2), (ALL, PART)):
        backend = binning(seed, SMALL, most)
        backend.binned_push.margin, backend.binned_push.spare = -0.9, 9
        expect_search(backend, uniform(seed, 14), 5 + seed)


def prepared_crowded() -> None:
    """Values with levels of edges for which bins have no room."""
    backend = binning(1, SMALL, PART)
    backend.binned_push.margin, backend.binned_push.spare = -0.9, 9
    expect_search(backend, uniform(1, 14), 6, prepared=True)


def long_rows() -> None:
    """Rows of several turns of a warp, which a tile has room for."""
    edge = uniform(3, 5)
    for k, length in ((11, 200), (40, 60), (70, 130)):
        edge[k, 80 : 80 + length] = edge[80 : 80 + length, k] = True
    np.fill_diagonal(edge, False)
    expect_search(binning(0, SMALL, ALL), edge, 3)


def odd() -> None:
    """The last words of the last bin are beyond the end."""
    expect_search(binning(0, Sizes(7, 8, 512, 64, 1, 2, 7, 64, 1), ALL), uniform(2, 12), 3)


def narrow_blocks() -> None:
    """A warp ends the round for more than one part of a bin."""
    backend = binning(0, Sizes(11, 2, 512, 64, 1, 2, 11, 32, 1), ALL)
    rng, n = np.random.default_rng(5), 2500
    edge = rng.random((n, n)) < 3 / n
    np.fill_diagonal(edge, False)
    expect_search(backend, edge | edge.T, 3)


def stale() -> None:
    """Whole rounds one after another leave nothing in a generation that is read again."""
    for least in (0, 0.02):
        backend = binning(0, SMALL, ALL, least)
        expect_search(backend, uniform(4, 4), 3)


def part_of_lists() -> None:
    """After a whole push lists are made of the bitmap, for a push as before."""
    backend = binning(0, SMALL, ALL)
    backend.binned_push.pauses = 1
    for source in range(6):
        expect_search(backend, uniform(source, 2), source)


def bounded() -> None:
    for bound in range(1, 5):
        searched(SMALL, PART, bound=bound)


def pair() -> None:
    """Without an array of values."""
    searched(SMALL, PART, ring=any_pair)


def prepared() -> None:
    """Values that have room for levels, and rows that begin with their heads."""
    searched(SMALL, PART, prepared=True)


def directions(edge: np.ndarray, most: float, least: float, pauses: int = 9) -> list[str]:
    """Those of the rounds of a search, whose vertices and edges must be in the trace."""
    backend = binning(0, SMALL, most, least)
    backend.binned_push.pauses = pauses
    with lg.trace() as steps:
        met = expect_search(backend, edge, 9)
    rounds = [s for s in steps if s.frontier]
    assert [(s.frontier, s.edges) for s in rounds] == met
    clocks = [s.clock for s in rounds]
    assert clocks == sorted(clocks)
    return [s.direction for s in rounds]


def logged() -> None:
    """What is pushed as a whole is a push; a pull ends what is pushed in part, and others go on."""
    edge = uniform(1, 12)
    assert directions(edge, ALL, 0) == ["push", "push", "push", "pull"]
    assert directions(edge, PART, 0) == ["push", "pull", "pull", "pull"]
    # where so few edges, or vertices after a pull, would be pushed
    assert directions(uniform(2, 8), 0.1, 0)[:2] == ["push", "pull"]
    assert directions(uniform(2, 3), 0.1, 0)[-3:] == ["pull", "push", "push"]


def suited() -> None:
    """Bins suit a frontier that many edges leave, but that few have found; before any pull, and as
    often as the search may pause."""
    edge = uniform(1, 12)  # of whose frontiers 12, 176, 1,615 and 1,835 edges leave
    assert directions(edge, ALL, 0.5) == ["push", "push", "push", "pull"]
    assert directions(edge, ALL, 1) == ["push", "pull", "pull", "pull"]
    assert directions(edge, ALL, 0, pauses=2) == ["push", "push", "pull", "pull"]
    clustered = np.zeros((N, N), bool)
    for k in range(0, N, 50):
        clustered[max(0, k - 25) : k + 50, max(0, k - 25) : k + 50] = True
    np.fill_diagonal(clustered, False)
    assert directions(clustered, ALL, 0)[:4] == ["push", "push", "pull", "pull"]
    gate = np.zeros((N, N), bool)  # 24 vertices whose edges find 10, whose many edges find others
    gate[:25, :25] = gate[24, 100:110] = True
    gate[100:, 100:] = np.random.default_rng(1).random((200, 200)) < 0.5
    gate |= gate.T
    np.fill_diagonal(gate, False)
    assert directions(gate, ALL, 2.5) == ["push", "push", "pull", "pull"]


def unroomy() -> None:
    """Without room for bins a search goes in one launch."""
    backend = binning(0, SMALL, PART)

    def short(*_: Any) -> Any:
        raise TooLarge("")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binned_push, "acquire", short)
        expect_search(backend, uniform(0, 12), 4)
    assert not bins_used(backend)


EXERCISES: tuple[Callable[[], None], ...] = (
    whole, parts, halves, narrow, sparse, hubs, crowded, prepared_crowded, long_rows, odd,
    narrow_blocks, stale, part_of_lists, bounded, pair, prepared, logged, suited, unroomy,
)  # fmt: skip

FILE = "closure/level_synchronous/binned_push.cuh"
APPLY = "closure/level_synchronous/apply_bins.cuh"
PAUSE = "closure/level_synchronous/pause.cuh"
CLOSURE = "closure/level_synchronous/closure.cuh"

MUTANTS = [
    Mutant(FILE, "<< 32 | static_cast<unsigned>(tail);", "<< 32 | static_cast<unsigned>(target);", whole),
    Mutant(FILE, "if (present(x.bits, j)) return;", "", crowded),
    Mutant(FILE, "        put(j, tail);\n        mark(next.bits, j);", "        mark(next.bits, j);", crowded),
    Mutant(FILE, "        mark(next.bits, j);\n", "", crowded),
    Mutant(FILE, "if (!S::same || x.values != nullptr)", "", pair),
    Mutant(FILE, "PackedLevel{level_bits}.of(round),\n                              generations.level(round - 1, n)", "PackedLevel{level_bits}.of(round - 1),\n                              generations.level(round - 1, n)", prepared_crowded),
    Mutant(FILE, "if (threadIdx.x == 0) tile.rows = tile.edges = 0;", "", whole),
    Mutant(FILE, "tile.counts[b] = 0;\n", ";\n", whole),
    Mutant(FILE, "if (at < Tile::ROWS) {", "if (at <= Tile::ROWS) {", sparse),
    Mutant(FILE, "for (Offset e = A.indptr[k]; e < A.indptr[k + 1]; ++e) push.push(k, A.indices[e]);", ";", sparse),
    Mutant(FILE, "tile.rows < Tile::ROWS ? tile.rows : Tile::ROWS;", "tile.rows;", sparse),
    Mutant(FILE, "+ some <= TILE;", "+ some <= 2 * TILE;", narrow),
    Mutant(FILE, "fits ? static_cast<int>(degree) : -1;", "static_cast<int>(degree);", narrow),
    Mutant(FILE, "fits ? static_cast<int>(degree) : -1;", "fits ? static_cast<int>(degree) : 0;", narrow),
    Mutant(FILE, "const int own = at + i * WARPS, degree = own < rows ? tile.degrees[own] : 0;", "const int own = at + i * WARPS, degree = tile.degrees[own];", whole),
    Mutant(FILE, "at += AT_ONCE * WARPS) {", "at += 2 * AT_ONCE * WARPS) {", whole),
    Mutant(FILE, "const int e = 32 * half + lane_id();", "const int e = lane_id();", long_rows),
    Mutant(FILE, "body(at + i / 2 * WARPS, to[i]);", "body(at + i * WARPS, to[i]);", long_rows),
    Mutant(FILE, "if (longest <= 64) continue;", "continue;", long_rows),
    Mutant(FILE, "for (int e = 64 + lane_id();", "for (int e = 96 + lane_id();", long_rows),
    Mutant(FILE, "if (threadIdx.x == 0) tile.counts[bins.count] = total;", "", whole),
    Mutant(FILE, "here > 0 ? atomicAdd(bins.taken + b, here) : 0;", "0;", whole),
    Mutant(FILE, "        }\n        __syncthreads();\n        each_edge(\n", "        }\n        each_edge(\n", whole),
    Mutant(FILE, "tile.room[atomicAdd(tile.counts + (j >> SHIFT), 1u)]", "tile.room[tile.counts[j >> SHIFT]++]", whole),
    Mutant(FILE, "            });\n#pragma unroll\n", "            });\n        __syncthreads();\n        if (threadIdx.x > 0)\n#pragma unroll\n", whole),
    Mutant(FILE, "tile.leads[b] = before[i] - begin[i];", "tile.leads[b] = before[i];", whole),
    Mutant(FILE, "for (Offset e = A.indptr[k] + lane_id(); e < A.indptr[k + 1]; e += 32) push.push(k, A.indices[e]);", ";", hubs),
    Mutant(FILE, "if (place < bins.room) bins.edges", "if (place <= bins.room) bins.edges", crowded),
    Mutant(FILE, "else push.push(origin_of(edge), target_of(edge));", "", crowded),
    # the bins
    Mutant(APPLY, "const bool dated = rounds != nullptr && round", "const bool dated = round", pair),
    Mutant(APPLY, "blockIdx.x) >> (SHIFT - OWN), own", "blockIdx.x), own", halves),
    Mutant(APPLY, "int4{-1, -1, -1, -1};", "int4{-1, -1, -1, 0};", whole),
    Mutant(APPLY, "int4{-1, -1, -1, -1};\n    __syncthreads();", "int4{-1, -1, -1, -1};", whole),
    Mutant(APPLY, "taken < bins.room ? taken : bins.room;", "taken;", crowded),
    Mutant(APPLY, "if (static_cast<Index>(target >> OWN) == own)", "", halves),
    Mutant(APPLY, "            apply(two[i].z, two[i].w);\n", "", whole),
    Mutant(APPLY, "base < held / 2; base += AT_ONCE * THREADS", "base < held / 2; base += 2 * AT_ONCE * THREADS", narrow_blocks),
    Mutant(APPLY, "if (held % 2 != 0 && threadIdx.x == 0) {", "if (false) {", whole),
    Mutant(APPLY, "    }\n    __syncthreads();\n    const Index first = own", "    }\n    const Index first = own", whole),
    Mutant(APPLY, "lane_id() < WORDS && word < words;", "lane_id() < WORDS;", odd),
    Mutant(APPLY, "base += THREADS / 32 * WORDS) {", "base += 2 * THREADS / 32 * WORDS) {", narrow_blocks),
    Mutant(APPLY, "tail >= 0 && !((old | others) >> lane_id() & 1u);", "tail >= 0 && !(others >> lane_id() & 1u);", whole),
    Mutant(APPLY, "tail >= 0 && !((old | others) >> lane_id() & 1u);", "!((old | others) >> lane_id() & 1u);", whole),
    Mutant(APPLY, "__ballot_sync(ALL_LANES, found) | others;", "__ballot_sync(ALL_LANES, found);", crowded),
    Mutant(APPLY, "            if (found) push.put(j, tail);\n", "", whole),
    Mutant(APPLY, "                if (dated) rounds[j] = round;\n", "", whole),
    Mutant(APPLY, "leaving += A.indptr[j + 1] - A.indptr[j];", "leaving += 1;", logged),
    Mutant(APPLY, "            push.next.bits[word] = fresh;\n", "", whole),
    Mutant(APPLY, "            x.bits[word] = had | fresh;\n", "", whole),
    Mutant(APPLY, "            after.bits[word] = 0;\n", "", stale),
    Mutant(APPLY, "        vertices += __popc(fresh);\n", "", logged),
    Mutant(APPLY, "        atomicAdd(push.next.counts + 3, leaving);\n", "", logged),
    Mutant(APPLY, "after.counts[thread_id<Count>()] = 0;", "{}", logged),
    # the pause
    Mutant(PAUSE, "return at == NOT_PAUSED ? 0 : static_cast<Index>(at);", "return static_cast<Index>(at);", whole),
    Mutant(PAUSE, "return edges > least && vertices > before;", "return vertices > before;", suited),
    Mutant(PAUSE, "return edges > least && vertices > before;", "return edges > least;", suited),
    Mutant(PAUSE, "return edges <= most;", "return true;", logged),
    Mutant(PAUSE, "return edges <= most;", "return false;", logged),
    Mutant(CLOSURE, "            if (at == NOT_PAUSED) return;\n", "", whole),
    Mutant(CLOSURE, "            if (before != HALF_DONE) ++round;\n", "", whole),
    Mutant(CLOSURE, "before = pause.whole(edges) ? Pause::half(edges) : HALF_DONE;", "before = Pause::half(edges);", parts),
    Mutant(CLOSURE, "pause.taken[b] = 0;", ";", whole),
    Mutant(CLOSURE, "before = pause.whole(edges) ? Pause::half(edges) : HALF_DONE;", "before = pause.whole(edges) ? 0 : HALF_DONE;", suited),
    Mutant(CLOSURE, "if (!in_parts || !resumed) begin(", "begin(", whole),
    Mutant(CLOSURE, "start.only >= 0 && !resumed,", "start.only >= 0,", part_of_lists),
    Mutant(CLOSURE, "pause.may && !pulled &&", "pause.may &&", suited),
    Mutant(CLOSURE, "pause.may && !pulled &&", "!pulled &&", suited),
    Mutant(CLOSURE, "before == HALF_DONE || (pulls && !(pauses && pause.whole(edges)));", "before == HALF_DONE || pulls;", logged),
    Mutant(CLOSURE, "before == HALF_DONE || (pulls && !(pauses && pause.whole(edges)));", "pulls && !(pauses && pause.whole(edges));", logged),
    Mutant(CLOSURE, "            before = Pause::half(edges);\n        }", "        }", suited),
    Mutant(CLOSURE, "            if (thread_id<Count>() == 0) counts[PAUSED] = round;\n", "", whole),
    Mutant(CLOSURE, "        if constexpr (in_parts) counts[PAUSED] = NOT_PAUSED;\n", "", whole),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
