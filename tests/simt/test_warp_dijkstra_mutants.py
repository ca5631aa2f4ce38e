# ruff: noqa: E501  (mutants of one line)
"""A heap for each warp, broken on purpose.

The exercises compare tables by heap with SciPy's Dijkstra. A heap that returns its items in a wrong
order leads to the same distances, only later. Some exercises therefore check that a search stops
when its targets are settled, or at its cutoff: beyond it sums wrap, and a second search in 64 bits
would begin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.multi_source.tables import heap_room
from semirings import types
from tests.graphs import WeightedEdges, path, random_weighted
from tests.simt.exercises import INF, SEEDS, gpu
from tests.simt.mutants import Mutant, suite

FAR = 2**31 - 1


def heap_holds(
    backend: GpuBackend, n: int, edges: WeightedEdges, sources: Any, targets: Any = None,
    cutoff: float = INF, dtype: str = "FP32", width: float | None = None, searches: int = 1,
) -> None:  # fmt: skip
    """The table is right, and no further search was made."""
    i, j, w = edges
    G = lg.Graph.from_edges(i, j, w.astype(getattr(types, dtype)), n=n, backend=backend)
    right = dijkstra(sp.csr_array((w.astype(float), (i, j)), shape=(n, n)), indices=sources)
    right = right if targets is None else right[:, targets]
    with lg.explain() as told:
        schedule = lg.Schedule(order="heap", width=width)
        found = lg.distance_matrix(G, sources, targets, cutoff, schedule=schedule).get()
    np.testing.assert_array_equal(found, np.where(right <= cutoff, right, INF))
    assert [choice.chosen for choice in told.choices] == [
        "by value, each source by a warp with a heap"
    ] * searches


def searches() -> None:
    """Frontiers of all sizes, with steps of each width, in each type; warps that take several."""
    cases = zip(("FP32", "INT32", "FP64", "INT64"), (None, 0.5, 7, INF), strict=True)
    for seed, (dtype, width) in enumerate(cases):
        sources = np.random.default_rng(seed).integers(0, 150, 19)
        edges = random_weighted(150, seed, 2 + 3 * seed, 1, 60)
        heap_holds(gpu(seed), 150, edges, sources, dtype=dtype, width=width)


def fan(n: int, seed: int) -> WeightedEdges:
    """From 0 to all others at once, and then to neighbours: a heap of three levels. Then the edges of
    several vertices, which have different degrees, are walked together."""
    rng, others = np.random.default_rng(seed), np.arange(1, n)
    far = rng.permutation(others) + 100
    i, j = np.divmod(np.unique(n + rng.integers(0, n * n - n, 2 * n)), n)
    keep = i != j
    i = np.r_[np.zeros(n - 1, int), i[keep], np.full(n - 2, n - 1)]
    j = np.r_[others, j[keep], np.arange(1, n - 1)]
    i, at = np.unique(i * n + j, return_index=True)
    w = np.r_[far, rng.integers(1, 300, at.size)][at] if at.size else far
    return i // n, i % n, w


def large_heaps() -> None:
    for seed, width in zip(SEEDS[:2], (0.5, 40), strict=True):
        backend = gpu(seed)
        heap_holds(backend, 1400, fan(1400, seed), [0, 7], width=width)
        heap_holds(backend, 1400, fan(1400, seed + 9), [0], [5, 700, 1399], dtype="INT32", width=1)


def shrinking(n: int, hubs: int) -> WeightedEdges:
    """From 0 to each hub, each a little farther than the last; and each has a shorter way to all of
    the others than the last had: whatever waits is stale soon."""
    hub, others = np.arange(1, hubs + 1), np.arange(hubs + 1, n)
    i = np.r_[np.zeros(hubs, int), np.repeat(hub, others.size)]
    j = np.r_[hub, np.tile(others, hubs)]
    uneven = np.random.default_rng(hubs).permutation(others.size) % 9
    return i, j, np.r_[10 * hub, 5000 - 30 * np.repeat(hub, others.size) + np.tile(uneven, hubs)]


def stale_items() -> None:
    """Heaps without room for stale items."""
    for n, hubs in ((180, 9), (333, 6)):
        backend = gpu(n)
        backend.tables.room = n // 32 + 2
        assert backend.tables.room < heap_room(n)
        heap_holds(backend, n, shrinking(n, hubs), [0, 1, 0], width=1, dtype="INT32")


def several_hubs() -> None:
    """Long rows that are walked together, and one that is walked alone."""
    n = 500
    hub = np.repeat([1, 2, 3, 4], n - 5)
    i, j = np.r_[0, 0, 0, 0, hub], np.r_[1, 2, 3, 4, np.tile(np.arange(5, n), 4)]
    w = np.r_[1, 1, 1, 2, np.random.default_rng(3).integers(1, 90, hub.size)]
    heap_holds(gpu(2), n, (i, j, w), [0, 2], width=INF)


def chain(w: list[int]) -> WeightedEdges:
    return *path(len(w) + 1), np.array(w)


def wrapping_sums() -> None:
    """Sums beyond 32 bits, one that just fits, and one that equals the mark of a missing entry."""
    backend = gpu(1)
    heap_holds(backend, 6, chain([FAR - 6, 5, FAR - 1, 1]), [0], dtype="INT64", searches=2)
    heap_holds(backend, 5, chain([FAR - 6, 5]), [0, 1], dtype="INT64")
    heap_holds(backend, 5, chain([FAR - 6, 6, 1]), [0], dtype="INT64", searches=2)


def settled_targets() -> None:
    """A search ends when its targets are settled or its cutoff is reached, before sums wrap. It must
    not end earlier: a target may be near along a path that is found late."""
    backend = gpu(1)
    edges = chain([3, 4, 5, 6, 2**30, 2**30])
    heap_holds(backend, 7, edges, [0, 1], [3, 1, 3], dtype="INT64", width=1)
    heap_holds(backend, 7, edges, [3], [2, 3], cutoff=1, dtype="INT64")
    heap_holds(backend, 7, edges, [0, 1, 2], cutoff=20, dtype="INT64", width=1)
    heap_holds(backend, 7, edges, [0], [6], dtype="INT64", width=1, searches=2)
    via = np.arange(1, 101)  # over each it is one less to vertex 101 than over the last
    i, j = np.r_[np.zeros(100, int), via, 101], np.r_[via, np.full(100, 101), 102]
    edges = i, j, np.r_[2 * via, 1000 - 3 * via, 1]
    for targets in ([101], [102], [*range(1, 103)], [*range(40), 101], [101, 0]):
        heap_holds(backend, 103, edges, [0], targets, width=1)


def early_and_exact() -> None:
    """A heap of three levels returns the best item first, also if the last node, which takes the place
    of the first, holds the farthest item. Otherwise a target would be taken for settled before a
    nearer vertex, over which there is a shorter path to it."""
    n, middle = 2600, np.arange(1, 2598)
    for seed, share in ((0, 0.5), (1, 0.9)):
        via = middle[int(share * middle.size)]
        i = np.r_[np.zeros(middle.size, int), 0, via]
        j, w = np.r_[middle, n - 1, n - 1], np.r_[4 * middle, 4 * via + 6, 1]
        heap_holds(gpu(seed), n, (i, j, w), [0], [n - 1], width=0.5)


EXERCISES = [
    searches, large_heaps, stale_items, several_hubs, wrapping_sums, settled_targets, early_and_exact
]  # fmt: skip
MUTANTS = [
    # --- warp_sorted_run.cuh: in order, and complete
    Mutant("multi_source/warp_sorted_run.cuh", "S::add(a, b) == a && !(a == b)", "!(S::add(b, a) == b)", searches),
    Mutant("multi_source/warp_sorted_run.cuh", "lower == rising ?", "lower ?", searches),
    Mutant("multi_source/warp_sorted_run.cuh", "size <= 32", "size <= 16", searches),
    Mutant("multi_source/warp_sorted_run.cuh", "other.of(31 - lane_id())", "other.of(lane_id())", searches),
    Mutant("multi_source/warp_sorted_run.cuh", "other = swap ? *this : turned;", "other = turned;", searches),
    Mutant("multi_source/warp_sorted_run.cuh", "            other.compare(distance, true);\n", "", large_heaps),
    # --- warp_heap.cuh: nothing is lost, and the best is found
    Mutant("multi_source/warp_heap.cuh", "        __syncwarp();  // other lanes have looked at the top\n", "", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "        __syncwarp();  // and will again\n", "", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "if (lane_id() == 0) *top(node) = some.key;", "", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "if (there.merge(some)) store(next, there);", "there.merge(some);", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "            store(node, some);\n            some = there;", "            some = there;", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "while (ahead(best_child(node, &child), some.worst())) {", "while (ahead(best_child(node, &child), S::start()) && false) {", early_and_exact),
    Mutant("multi_source/warp_heap.cuh", "some = held(32 + over);", "some = held(32);", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "        hold(64, Some::empty());\n        append", "        append", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "        hold(64, some);\n        __syncwarp();\n", "        hold(64, some);\n", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "count < root->room ?", "count <= root->room ?", stale_items),
    Mutant("multi_source/warp_heap.cuh", "if (again && !(now.key", "if (false && !(now.key", stale_items),
    Mutant("multi_source/warp_heap.cuh", "if (all > 0) count = 0;", "", stale_items),
    Mutant("multi_source/warp_heap.cuh", "            hold(32, some);\n            some = load(count);", "            some = load(count);", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "child != count--", "child != count", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "            hold(32, some);\n            some = load(count);", "            hold(32, some);", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "    __device__ void drop(int some) {\n        __syncwarp();\n", "    __device__ void drop(int some) {\n", large_heaps),
    Mutant("multi_source/warp_heap.cuh", "held(some), rest = held(32 + some)", "held(some), rest = held(32)", large_heaps),
    # --- warp_dijkstra.cuh: which vertices are pushed, and when a search ends
    Mutant("multi_source/warp_dijkstra.cuh", "z != S::start() && S::add(tail, z) == tail", "z != S::start()", wrapping_sums),
    Mutant("multi_source/warp_dijkstra.cuh", "z != S::start() && S::add(tail, z) == tail", "S::add(tail, z) == tail", wrapping_sums),
    Mutant("multi_source/warp_dijkstra.cuh", "ahead(z, value_of(j)) && as_good(z, limit)", "ahead(z, value_of(j))", settled_targets),
    Mutant("multi_source/warp_dijkstra.cuh", "live && ahead(z, fold_into<S>(x + j, z))", "live && ahead(z, fold_into<S>(x + j, z)) && j % 2", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "append_own(better, pending)", "append_own(better && lane_id() == 0, pending)", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "EDGES_PER_BATCH / __popc(some)", "EDGES_PER_BATCH", several_hubs),
    Mutant("multi_source/warp_dijkstra.cuh", "        pending = 0;\n", "", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "mine < wanted && ahead(best, value_of(target[mine]))", "mine < wanted && Run<S>::none(value_of(target[mine]))", settled_targets),
    Mutant("multi_source/warp_dijkstra.cuh", "*known += 32;", "*known += 64;", settled_targets),
    Mutant("multi_source/warp_dijkstra.cuh", "return wanted > 0;", "return false;", settled_targets),
    Mutant("multi_source/warp_dijkstra.cuh", "return wanted > 0;", "return true;", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "            x[source] = value;\n", "", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "        __syncwarp();  // the source may be a target\n", "", settled_targets),
    Mutant("multi_source/warp_dijkstra.cuh", "item.here() && as_good", "as_good", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "keys + 33 * before", "keys + 32 * before", large_heaps),
    Mutant("multi_source/warp_dijkstra.cuh", "vertices + 32 * before", "vertices", large_heaps),
    Mutant("multi_source/warp_dijkstra.cuh", "static_cast<long long>(n) * turn", "static_cast<long long>(n)", searches),
    Mutant("multi_source/warp_dijkstra.cuh", "if (search.odd) *", "if (!search.odd) *", wrapping_sums),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
