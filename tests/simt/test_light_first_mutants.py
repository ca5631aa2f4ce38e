# ruff: noqa: E501  (mutants of one line)
"""Shortest paths over packed rows that begin with light edges, and segments of long rows that are listed
again and again, broken in the lines that matter. What only decides how often rows pull, or how many are
decoded, changes no answer."""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules
from semirings import types
from tests.simt.exercises import emulated, gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite
from tests.simt.test_packed_mutants import LAST, N, edges

CHAIN = range(1262, 1270)
"""Vertices in a row behind vertex 700, with heavy edges."""


def weighted(seed: int, dtype: np.dtype, backend: GpuBackend) -> lg.Graph:
    """Whole weights from 1 to 255. All edges of a vertex of long row are heavy."""
    u, v = edges(seed)
    weights = np.random.default_rng(seed).integers(1, 256, u.size)
    weights[(u == 1) | (v == 1)] += 300
    chain = np.array([700, *CHAIN])
    u, v = np.r_[u, chain[:-1]], np.r_[v, chain[1:]]
    weights = np.r_[weights, np.full(len(CHAIN), 254)].astype(dtype)
    return lg.Graph.from_edges(u, v, weights, N, directed=False, dup="first", backend=backend)


def search(G: lg.Graph, **parts: float) -> None:
    """Distances and trees from a short row that leads to hubs, the end of the chain, and a component of
    two, with these numbers of the search's parts."""
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    order = G.backend.closures.packed_order  # type: ignore[attr-defined]
    order.__dict__.update(parts)
    to = np.asarray(H.ids.to_dense())
    for source in (500, int(np.flatnonzero(to == CHAIN[-1])[0]), LAST - 2):
        with lg.explain() as told:
            distance, parent = lg.sssp(K, source)
        assert "light edges" in str(told)
        assert distance.isequal(lg.sssp(H, source)[0]) and distance.nvals == distance.reduce(
            "count"
        )
        Rules(H).sssp(source, distance, parent)
    assert K.A._store.stays_packed


def light_first() -> None:
    """With parents noted on the way, one round of pulls and pushes after it; with another share of light edges."""
    search(weighted(0, types.FP32, gpu(0)), rounds=1)
    with offsets_of_64_bits():
        search(weighted(1, types.INT32, emulated(1, blocks=8)), share=1 / 8, first=1 / 64)


def wide_values() -> None:
    """Values that have no room for parents, and all rounds of pulls."""
    search(weighted(2, types.INT64, gpu(2)), rounds=6, first=1 / 8)


def improves_again() -> None:
    """Thirty rows improve in every epoch, so that their segments are listed each time."""
    middle, path = np.arange(1, 31), np.arange(31, 40)
    leaves = np.arange(40, 180)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(path.size), middle, indexing="ij"))
    u = np.r_[np.zeros(leaves.size, int), path[i], path[:-1], 0]
    v = np.r_[leaves, j, path[1:], middle[0]]
    weights = np.r_[np.full(leaves.size, 3), 1000 - 20 * i, np.ones(path.size - 1, int), 7]
    G = lg.Graph.from_edges(u, v, weights, directed=False, backend=gpu(3))
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    assert K.A._store.packed.n_segments == 32
    source = int(np.flatnonzero(np.asarray(H.ids.to_dense()) == path[0])[0])
    found = lg.sssp(K, source, schedule=Schedule(order="delta", width=1e6))[0]
    assert found.isequal(lg.sssp(H, source)[0])


def marks_are_left() -> None:
    """The beginning ends with all neighbours of a hub marked as near. One of them improves again in
    the last pushes, and no other vertex: only what it is marked with leads on from it. Words of rows
    are taken in turn by two warps, so that the one that improves pulls before the one that it
    improves from, and what hangs on it pulls after it."""
    hub, end, middle, late, source, star = 0, 199, 2, 198, 201, 202
    pairs = np.arange(3, 3 + 2 * 40).reshape(2, 40)  # of as many edges as `late` has, before it
    more, light = np.arange(90, 136), np.arange(star + 1, star + 16)
    u = [0 * more, 0 * pairs[0], 0 * pairs[1], pairs[0], 0 * light + star]
    v = [more, pairs[0], pairs[1], pairs[1], light]
    weight = [100 * np.ones(x.size, int) for x in u[:-1]] + [np.ones(light.size, int)]
    for edge in (
        (source, hub, 100),
        (hub, middle, 300),
        (hub, late, 100),
        (late, middle, 100),
        (middle, end, 100),
    ):
        for given, each in zip((u, v, weight), edge, strict=True):
            given.append(np.array([each]))
    G = lg.Graph.from_edges(
        *map(np.concatenate, (u, v, weight)), 6000, False, backend=emulated(0, blocks=1)
    )
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    to = np.argsort(np.asarray(H.ids.to_dense()))
    assert (
        K.A._store.packed.n_long == 0
        and to[hub] // 32 == to[middle] // 32 == 0
        and to[late] // 32 == 2
        and to[end] // 32 == 4
    )
    G.backend.closures.packed_order.__dict__.update(wide=-1, first=0.5, rounds=1)  # type: ignore[attr-defined]
    with lg.explain() as told:
        distance = lg.sssp(K, int(to[source]))[0]
    assert "light edges" in str(told)
    assert (
        distance.isequal(lg.sssp(H, int(to[source]))[0])
        and distance[int(to[end])].new().value == 400
    )


EXERCISES = light_first, wide_values, improves_again, marks_are_left

DELTA, ORDER = "closure/ordered/packed_delta.cuh", "closure/ordered/packed_order.cuh"
PULL, LIGHT = "closure/hub_first/pull_unsettled.cuh", "closure/ordered/packed_light.cuh"
FRONT = "core/packed_front.cuh"
MUTANTS = [
    Mutant(DELTA, "*segments(epoch + 2) = 0;", "", improves_again),
    Mutant(DELTA, "epochs.bits[word] = 0;", ";", marks_are_left),
    Mutant(PULL, "if (fits && improves(candidate, row.best)) {", "if (fits && !row.best.has) {", light_first),
    Mutant(PULL, "x.bits + word) = entries | which;", "x.bits + word) = entries;", light_first),
    Mutant(PULL, "(again ? row.degree > 1 : next != W()) &&", "false &&", wide_values),
    Mutant(LIGHT, "        heavy.add(above.best);\n", "", wide_values),
    Mutant(LIGHT, "row.weight > most ? row.degree > 1 ? row.next : W() : best", "row.weight > most ? W() : best", wide_values),
    Mutant(PULL, "if (round + 1 == rounds) atomicAdd(epochs.near(0).count, improved);", "", light_first),
    Mutant(PULL, "origins[j] = earlier[j];", ";", light_first),
    Mutant(PULL, "tails.put(j, pull.mine.best.value, pull.mine.tail);", "", light_first),
    Mutant(PULL, "again ? nearest : S::step(nearest, 0, &most, 0, 0)", "again ? nearest : S::step(nearest, 0, &most, 0, 0) + 300", wide_values),
    Mutant(PULL, "if (had && pull.improves(before, own))", "if (false)", wide_values),
    Mutant(PULL, "open_tail = !pull.take", "pull.take", wide_values),
    Mutant(PULL, "return has && this->as_good(z, bound);", "return has;", wide_values),
    Mutant(PULL, "rest(j, at, columns, count);\n                    at", "at", wide_values),
    Mutant(FRONT, "if (i <= lane_id() / FEW_LANES) mine", "if (i < lane_id() / FEW_LANES) mine", wide_values),
    Mutant(FRONT, "if (lane_id() % FEW_LANES >= distance) end += before;", "", wide_values),
    Mutant(FRONT, "__shfl_sync(ALL_LANES, first, lane) + static_cast<Index>(end - sum)", "__shfl_sync(ALL_LANES, first, lane)", wide_values),
    Mutant(FRONT, "__ballot_sync(ALL_LANES, has && held > QUARTER)", "0u", wide_values),
    Mutant(PULL, "if (tail >= 0 && improves(value, found.best)) found = {{value, true}, tail};", "", wide_values),
    Mutant(PULL, "__shfl_sync(ALL_LANES, owner, from) == lane_id()", "owner == lane_id()", wide_values),
    Mutant(PULL, "changed[word] = which;", "changed[word] = 0;", light_first),
    Mutant(PULL, "if (lane_id() == owner && best.has", "if (lane_id() == 0 && best.has", light_first),
    Mutant(PULL, "weight[i] = edges.of(j, at + i);", "weight[i] = edges.of(j, at);", wide_values),
    Mutant(LIGHT, "rule.mine.best.degree = static_cast<int>(row_length<true>(rows, j));", "rule.mine.best.degree = 1;", light_first),
    Mutant(LIGHT, "        join(mine, found.best);\n", "", light_first),
    Mutant(LIGHT, "if (lane_id() == 0 && all > 0) atomicAdd(lengths + j, all);", "if (lane_id() == 0 && all > 0) atomicAdd(lengths + j, 1);", light_first),
    Mutant(LIGHT, "place = __shfl_sync(ALL_LANES, place, 0) + To(end - mine);", "place = __shfl_sync(ALL_LANES, place, 0);", light_first),
    Mutant(LIGHT, "columns[place] = column;", "columns[place] = 0;", light_first),
    Mutant(ORDER, "origins.fold(j, z, k);", "", light_first),
    Mutant(ORDER, "if (has) origins.begin(j, true, start.at(j));", "", light_first),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
