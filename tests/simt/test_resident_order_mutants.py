# ruff: noqa: E501  (mutants of one line)
"""Closures by order of value over distributed rows in one launch, in which the devices of processes
that take turns run together, and the kernel broken in the lines that matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster import root
from lagraph_gpu.gpu.closure import resident_order
from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
from lagraph_gpu.gpu.closure.resident_order import ResidentOrder, WeightFacts, facts_of, prepared
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.planning import closure_order, direction
from semirings import max_min, max_plus, min_max, min_plus
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.simt.exercises import gpu
from tests.simt.mutants import Mutant, suite


def weighted(seed: int, kind: str, directed: bool, n: int = 71) -> lg.Graph:
    """With a hub, a path, vertices without an edge, and ids that end within a word."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(10, n - 12, (2, 100))
    path = np.arange(n - 12, n - 3)
    src = np.concatenate([src, np.full(30, 40), path, [45]])
    dst = np.concatenate([dst, rng.integers(10, n - 12, 30), path + 1, [n - 12]])
    w = rng.integers(1, 30, src.size).astype(kind)
    return lg.Graph.from_edges(src, dst, w, n=n, directed=directed, dup="first", backend=CPU)


def vector(G: lg.Graph, starts: dict[int, float], backend: Any) -> lg.Vector:
    values = list(starts.values())
    return lg.Vector.from_coo(list(starts), values, size=G.n, dtype=G.A.dtype, backend=backend)


def held(
    G: lg.Graph, starts: dict[int, float], ring: Any, size: int, seed: int,
    steps: int | None = None, factor: float = 1.0, width: float | None = None, both: bool = False,
) -> list[Any]:  # fmt: skip
    """The closure is that of the CPU, by rounds if they are bounded. The result is where the launch
    ended on each process. With `both` the edges into positions are known too."""

    def found(backend: Any) -> list[Any]:
        x0, A = vector(G, starts, backend), G.to(backend).A
        if both and backend is not CPU:
            backend.distribution.transpose(A._store)
        made = closure_with_rounds(x0, A, ring, steps) if steps else [lg.closure(x0, A, ring)]
        return [one.to_dict() for one in made]

    def facts(*given: Any) -> WeightFacts:
        known = facts_of(*given)
        return known._replace(width=known.width * factor if width is None else width)

    def note(self: Any, end: Any) -> bool:
        ends.append(end)
        return counted(self, end)

    ends: list[Any] = []
    counted, right = ResidentOrder._count_sent, found(CPU)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DistributedLevels, "piece", 7)
        patch.setattr(resident_order, "facts_of", facts)
        patch.setattr(ResidentOrder, "_count_sent", note)
        assert on_ranks(size, found, gpu(seed), transport="peer_windows") == [right] * size
    assert len(ends) == size and len({(end.rounds, end.pushed) for end in ends}) == 1
    assert steps or all(end.at_rest for end in ends)
    return ends


def spread(G: lg.Graph, apart: int) -> lg.Graph:
    """The same graph with ids so far from each other that all blocks have some of them."""
    i, j, w = G.A.to_coo()
    shape = {"nrows": apart * G.n, "ncols": apart * G.n}
    return lg.Graph(
        lg.Matrix.from_coo(apart * i, apart * j, w, **shape, backend=CPU), directed=G.directed
    )


def lengths() -> None:
    """Shortest paths of integers and floats, from several vertices, one of which has no edge."""
    for seed, size, kind, directed in (
        (0, 2, "int64", False),
        (1, 3, "float64", False),
        (2, 2, "int32", True),
    ):
        held(weighted(seed, kind, directed), {11: 3, 40: 0, 2: 5}, min_plus, size, seed)
    for seed in range(2):
        held(spread(weighted(seed, "int64", False), 90), {990: 3, 3600: 0}, min_plus, 2, seed)


def extremes() -> None:
    """Other orders: the largest first, and plateaus; and values at which a fold begins."""
    held(weighted(0, "float32", False), {11: 100}, max_min, 2, 0)
    top = np.iinfo(np.int64).max
    held(weighted(2, "int64", False), {11: top, 40: top}, min_max, 2, 2)
    lose = weighted(0, "int64", True)
    lose = lg.Graph(lose.A.apply("ainv").new(), directed=True)
    held(lose, {11: 50, 40: 60}, max_plus, 2, 1)


def bounds() -> None:
    """Narrow steps move the bound often, wide ones never; both end with the same distances. Steps
    that cover few edges become wider."""
    G = weighted(3, "int64", False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure_order, "DEEP_LEVELS", 500)
        narrow, wide, tiny = (
            held(G, {11: 0}, min_plus, 2, 0, factor=factor)[0] for factor in (0.4, 1e9, 1e-2)
        )
        held(spread(G, 90), {990: 0}, min_plus, 2, 0, factor=0.02)  # all blocks have far entries
    assert narrow.rounds > wide.rounds and narrow.pushed <= wide.pushed
    assert narrow.exchanges > narrow.rounds + 3 and wide.exchanges == wide.rounds + 2
    assert narrow.exchanges < 98 and tiny.exchanges < 103  # 105 at one width


def pushed_once() -> None:
    """An entry is pushed as often as its value changes while it is near: not again when the bound
    moves, if it was far before it was near, and not again two rounds later."""
    i, j, w = np.array([(0, 1, 1), (0, 2, 10), (1, 2, 1), (2, 3, 20), (3, 0, 1)]).T
    farther = lg.Graph.from_edges(i, j, w, n=70, backend=CPU)
    i, j, w = np.array([(0, 1, 4), (0, 2, 1), (2, 3, 1), (3, 1, 1), (1, 0, 1)]).T
    again = lg.Graph.from_edges(i, j, w, n=70, backend=CPU)
    for G, pushed in ((farther, 4), (again, 5)):
        assert held(G, {0: 0}, min_plus, 2, 0, width=5)[0].pushed == pushed


def rounds() -> None:
    """The rounds of the loop, where they are bounded, and whether another one would change more."""
    for seed, steps in ((0, 1), (1, 3), (2, 200)):
        ends = held(weighted(seed, "int64", False), {11: 0, 45: 2}, min_plus, 2, seed, steps)
        assert ends[0].rounds <= steps and ends[0].at_rest == (steps == 200)


def deep() -> None:
    """A launch that looks deep ends, and begins again if the closure cannot go elsewhere."""
    n = 90
    path = np.arange(n - 1)
    G = lg.Graph.from_edges(path, path + 1, path % 5 + 1, n=n, directed=False, backend=CPU)
    right = lg.sssp(G, 0)[0].to_dense(-1)

    def work(backend: Any) -> Any:
        H = G.to(backend)
        x = lg.closure(H.point(0, 0, "INT64"), H.A, min_plus)
        return x.to_dense(-1)

    for moves in (True, False):  # to process 0, if it has room
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(root, "FREE_PER_MATRIX", 4 if moves else 2**60)
            for seed in range(16):  # which process comes first is chance
                for found in on_ranks(2, work, gpu(seed), transport="peer_windows"):
                    np.testing.assert_array_equal(found, right)


def no_order() -> None:
    """Not a number, and weights that improve on a path: the loop goes on, as on the CPU."""
    wrong = lg.Matrix.from_coo([0, 1], [1, 2], [-3, 4], nrows=70, ncols=70, backend=CPU)
    nan = float("nan")
    for G, starts in (
        (weighted(1, "float64", False), {11: 0.0, 2: nan}),
        (weighted(1, "float64", False), {11: 0.0, 40: nan}),
        (lg.Graph(wrong, directed=True), {0: 0}),
    ):
        right = lg.closure(vector(G, starts, CPU), G.A, min_plus, 60).to_dense(-1)

        def work(backend: Any, G: lg.Graph = G, starts: Any = starts) -> Any:
            return lg.closure(vector(G, starts, backend), G.to(backend).A, min_plus, 60).to_dense(
                -1
            )

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ResidentOrder, "_count_sent", None)  # no launch is taken as it is
            for found in on_ranks(2, work, gpu(0), transport="peer_windows"):
                np.testing.assert_array_equal(found, right)


def pulls() -> None:
    """Rounds that pull, from all edges or a few of them on, of weights of every size, directed edges,
    values at which a fold begins, rows longer than a warp, and where a process cannot pull."""
    for seed, size, kind, directed, shares in (
        (0, 2, "int64", False, (10**9, 10**9)),
        (1, 3, "float64", False, (10**9, 1)),
        (2, 2, "float32", True, (30, 4)),
    ):
        G = weighted(seed, kind, directed)
        ends = pulled(G, {11: 3, 40: 0, 2: 5}, min_plus, size, seed, shares)
        assert min(end.pulls for end in ends) > 0
    hub = weighted(4, "int32", False)
    others = np.delete(np.arange(69), 40)
    hub = hub.add_edges(np.full(68, 40), others, np.arange(68) % 9 + 20, dup="min")
    pulled(hub, {11: 0}, min_plus, 2, 1, (10**9, 10**9))
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 520, (2, 2600))
    w = rng.integers(1, 99, 2600).astype("float32")
    dense = lg.Graph.from_edges(*ends, w, n=520, directed=False, dup="first", backend=CPU)
    pulled(dense, {11: 0}, min_plus, 2, 1, (10**9, 10**9))
    top = np.iinfo(np.int64).max
    pulled(weighted(2, "int64", True), {61: top, 66: 3}, min_max, 2, 2, (10**9, 10**9))
    pulled(weighted(0, "float32", False), {11: 100}, max_min, 2, 0, (10**9, 10**9))
    # 2's second edge may bring less than its first has brought, does not, and then 2 is pushed
    i, j, w = np.array([(1, 2, 1), (3, 2, 2), (2, 4, 1), (0, 5, 9)]).T
    first = lg.Graph.from_edges(i, j, w, n=70, backend=CPU)
    ends = pulled(first, {0: 0, 1: 5}, min_plus, 2, 0, (10**9, 1))
    assert {end.pulls for end in ends} == {1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resident_order, "prepared", second_cannot)
        ends = pulled(weighted(0, "int64", False), {11: 3}, min_plus, 2, 0, (10**9, 10**9))
        assert {end.pulls for end in ends} == {0}


def second_cannot(of: Any, *given: Any) -> Any:
    """One process has no room to sort its rows."""
    ready = prepared(of, *given)
    never = (np.uint64(constants.NEVER_PULLS),) * 2
    return ready._replace(pulls=never) if of.peers.rank == 1 else ready


def pulled(
    G: lg.Graph, starts: dict[int, float], ring: Any, size: int, seed: int, shares: tuple[int, int]
) -> list[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure_order, "fans_out", lambda *_: True)
        patch.setattr(direction, "FIRST_PULL", shares[0])
        patch.setattr(direction, "LATER_PULLS", shares[1])
        return held(G, starts, ring, size, seed, both=True)


EXERCISES = (lengths, extremes, bounds, pushed_once, rounds, deep, no_order, pulls)

K, D = "closure/ordered/resident_order.cuh", "closure/ordered/distributed_order.cuh"
P = "closure/ordered/distributed_pull.cuh"
MUTANTS = [
    Mutant(D, "is_start(z) || better(z, peek(found.best + j))", "better(z, peek(found.best + j)) && !is_start(z)", extremes),
    Mutant(D, "        mark(found.listed, j);\n", "", lengths),
    Mutant(D, "        fold_into<S>(found.best + j, z);\n", "", lengths),
    Mutant(D, "bit < 32; bit += parts", "bit < 30; bit += parts", lengths),
    Mutant(D, "(r + parts - first % parts) % parts", "r", lengths),
    Mutant(D, "int slot = end - count;", "int slot = 0;", lengths),
    Mutant(D, "if (listed[i] != 0) found.listed[at] = 0;", "", lengths),
    Mutant(D, "staged[k] * parts + r", "staged[k] * parts", lengths),
    Mutant(D, "reserve(Count(total), counts + r)", "reserve(Count(total), counts)", lengths),
    Mutant(D, "                __syncwarp();\n                for (int k", "                for (int k", lengths),
    Mutant(D, "for (int k = lane_id(); k < total;", "for (int k = lane_id(); k < total - 1;", lengths),
    Mutant(D, "all || Compare<S>::as_good(z, value)", "true", bounds),
    Mutant(D, "if (is_start(z)) improves = claim(x.bits, k);", "", extremes),
    Mutant(D, "else if (is_start(old)) mark(x.bits, k);", "", lengths),
    Mutant(D, "if (when != nullptr) when[k] = round;", "if (when != nullptr) when[k] = round + 1;", rounds),
    Mutant(D, "if (degree <= leaf_degree) return;", "if (degree <= leaf_degree + 1) return;", lengths),
    Mutant(D, "            mark(far, k);\n            note_far(z);", "            note_far(z);", bounds),
    Mutant(D, "            mark(far, k);\n            note_far(z);", "            mark(far, k);", bounds),
    Mutant(D, "} else if (claim(near, k)) {", "} else if (k > 0) {", lengths),
    Mutant(D, "if (had_bound && before.admits(z)) continue;", "", pushed_once),
    Mutant(D, "come |= 1u << bit;", "", bounds),
    Mutant(D, "stay |= 1u << bit;", "", bounds),
    Mutant(D, "edges += degree;", "", lengths),
    Mutant(D, "if (!is_start(z)) best.fold(z);", "", bounds),
    Mutant(D, "if (of_warp.has) fold_into<S>(entries.best(turn), of_warp.value);", "", bounds),
    Mutant(K, "found.listed[word] = 0;", "found.listed[word] = 9;", lengths),
    Mutant(K, "found.best[j] = S::start();", "found.best[j] = Z(3);", lengths),
    Mutant(K, "if (has && order.nan(z)) order.report_unordered();", "", no_order),
    Mutant(K, "width += width;", "width += 0;", bounds),
    Mutant(K, "turn ^= 1;", "", bounds),
    Mutant(K, "walked = 0;\n        {", "{", bounds),
    Mutant(K, "        had_bound = true;\n        grid.wait();", "        had_bound = true;", lengths),
    Mutant(K, "round >= rounds.limit", "round > rounds.limit", rounds),
    Mutant(K, "own.clear(round + 1);", "", lengths),
    Mutant(K, "const Index half = (round & 1) * static_cast<Index>(windows.room >> 1);", "const Index half = 0;", lengths),
    Mutant(K, "staged[threadIdx.x >> 5]);\n                __threadfence_system();\n                grid.wait();", "staged[threadIdx.x >> 5]);\n                __threadfence_system();", lengths),
    Mutant(K, "more || (all.of[r][1] & 0xffffffff) != 0;", "more || (all.of[r][0] & 0xffffffff) != 0;", lengths),
    Mutant(K, "begin = r * windows.room + half;", "begin = r * (windows.room >> 1) + half;", lengths),
    Mutant(K, "now[word] = 0;", ";", pushed_once),
    Mutant(K, "bound.all && all.total(parts, 0) == 0;", "all.total(parts, 0) == 0;", deep),
    Mutant(K, "bound.all && all.total(parts, 0) == 0;", "bound.all;", rounds),
    Mutant(K, "unordered = unordered || (known & 2) != 0;", "", no_order),
    Mutant(K, "if ((known & 4) != 0) threshold = NEVER_PULLS;", "", pulls),
    Mutant(K, "                    exchanges.meet();\n", "", pulls),
    Mutant(K, "more = more || all.of[r][1] != 0;", "", pulls),
    Mutant(P, "j % size * apart", "0 * apart", pulls),
    Mutant(P, "if (!improves(by(least, edge.weight), own)) return false;", "if (own.has) return false;", pulls),
    Mutant(P, "if (is_start(tail)) return;", "", pulls),
    Mutant(P, "over = over || ++first >= last;", "over = over || ++first > last;", pulls),
    Mutant(P, "there = fold_warp(there);", "", pulls),
    Mutant(P, "if (lane_id() == lane) own = there;", "", pulls),
    Mutant(P, "if (news) x.values[k] = own[i].value;", "", pulls),
    Mutant(P, "x.bits[word] = reached;", "", pulls),
    Mutant(P, "if (!news && !waits) return false;", "if (!news) return false;", pulls),
    Mutant(P, "row[i].degree > 1 && improves(by(least, row[i].next), own[i])", "row[i].degree > 2", pulls),
    Mutant(P, "mine ? indptr[k] + 1 : 0", "mine ? indptr[k] + 2 : 0", pulls),
    Mutant(P, "if (word >= words || k >= size) continue;", "if (word >= words) continue;", pulls),
    Mutant(P, "                __syncwarp();  // all have read the words\n", "", pulls),
    Mutant(P, "if (waiting > 0) finish(aside, 0, waiting, x, next, sorter);", "", pulls),
    Mutant(P, "if (waiting >= 32) finish(aside, waiting -= 32, 32, x, next, sorter);", "", pulls),
    Mutant(P, "improved || aside.changed(at)", "improved", pulls),
    Mutant(P, "if (improved && !before.has) mark(x.bits, k);", "", pulls),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
