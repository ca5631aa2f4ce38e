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

CHAIN = range(LAST + 2, LAST + 10)
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
    """Distances and trees from a short row that leads to hubs, the end of the chain, and the last row,
    with these numbers of the search's parts."""
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    order = G.backend.closures.by_order.packed_order  # type: ignore[attr-defined]
    order.__dict__.update(wide=-1, **parts)  # however few edges a vertex has
    to = np.asarray(H.ids.to_dense())
    for source in (500, int(np.flatnonzero(to == CHAIN[-1])[0]), K.A._store.packed.n - 1):
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
    the last pushes, and no other vertex: only what it is marked with leads on from it. The one that it
    improves from gets its value when rows are decoded, in the same turn in which it is decoded itself,
    and is pushed after it."""
    hub, end, middle, late, source, star = 0, 199, 2, 198, 201, 202
    pairs = np.arange(3, 3 + 2 * 40).reshape(2, 40)  # of as many edges as `late` has, before it
    more, light = np.arange(90, 126), np.arange(142, 162)
    u = [0 * more, 0 * pairs[0], 0 * pairs[1], pairs[0], np.roll(pairs[0], 1), 0 * light + star]
    v = [more, pairs[0], pairs[1], pairs[1], pairs[1], light]
    weight = [100 * np.ones(x.size, int) for x in u[:-1]] + [np.ones(light.size, int)]
    for edge in (
        (source, hub, 100),
        (hub, middle, 300),
        (hub, 140, 100),
        (hub, 141, 100),
        (late, 140, 30),
        (late, 141, 40),
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
        and to[late] // 32 == to[140] // 32 == 2
        and to[end] // 32 == 4
    )
    G.backend.closures.by_order.packed_order.__dict__.update(wide=-1, first=0.5, rounds=1)  # type: ignore[attr-defined]
    with lg.explain() as told:
        distance = lg.sssp(K, int(to[source]))[0]
    assert "light edges" in str(told)
    assert (
        distance.isequal(lg.sssp(H, int(to[source]))[0])
        and distance[int(to[end])].new().value == 430
    )


EXERCISES = light_first, wide_values, improves_again, marks_are_left

DELTA, ORDER = "closure/ordered/packed_delta.cuh", "closure/ordered/packed_order.cuh"
PROBE, PULL = "closure/hub_first/probe_unsettled.cuh", "closure/hub_first/pull_unsettled.cuh"
ROUND, LIGHT = "closure/hub_first/unsettled.cuh", "closure/ordered/packed_light.cuh"
FRONT, LIGHTEST = "core/packed_front.cuh", "matrix/min_edge.cuh"
MUTANTS = [
    Mutant(DELTA, "*segments(epoch + 2) = 0;", "", improves_again),
    Mutant(DELTA, "epochs.bits[word] = 0;", ";", marks_are_left),
    Mutant(ROUND, "if (fits && improves(candidate, row.best)) {", "if (fits && !row.best.has) {", light_first),
    Mutant(ROUND, "return has && this->as_good(z, bound);", "return has;", wide_values),
    Mutant(ROUND, "if (number + 1 == rounds) atomicAdd(epochs.near(0).count, improved);", "", light_first),
    Mutant(ROUND, "number > 0 ? nearest : S::step(nearest, 0, &most, 0, 0)", "number > 0 ? nearest : S::step(nearest, 0, &most, 0, 0) + 300", wide_values),
    Mutant(PROBE, "x.bits + word) = entries[i] | which;", "x.bits + word) = entries[i];", light_first),
    Mutant(PROBE, "origins[j] = begun.origins[j];", ";", light_first),
    Mutant(PROBE, "tails.put(j, mine.found.best.value, mine.found.tail);", "", light_first),
    Mutant(PROBE, "if (!values.is_start(before) && values.improves(before, mine.found.best))", "if (false)", wide_values),
    Mutant(PROBE, "mine.again = !values.take", "values.take", wide_values),
    Mutant(PROBE, "turn.changed()[word] = which;", "turn.changed()[word] = 0;", light_first),
    Mutant(PROBE, "mine.more = mine.other.more() &&", "mine.more = false &&", wide_values),
    Mutant(PROBE, "mine.asks = mine.asks && mine.other.any() &&", "mine.asks = false &&", wide_values),
    Mutant(PROBE, "if (word >= words || j >= n) continue;", "if (word >= words) continue;", wide_values),
    Mutant(PULL, "            mark(open, own);\n", "            ;\n", wide_values),
    Mutant(PULL, "return edge.more() && this->helps(edge.next, mine.best);", "return false;", wide_values),
    Mutant(PULL, "for (; live && before > 0; --before) bits &= bits - 1;", "", wide_values),
    Mutant(PULL, "mark(x.bits, j);", "", light_first),
    Mutant(PULL, "tails.put(j, pull.mine.best.value, pull.mine.tail);", "", light_first),
    Mutant(PULL, "improved += claim(turn.changed(), j);", "++improved;", light_first),
    Mutant(PULL, "weight[i] = static_cast<A>(edges.weights[first + static_cast<Offset>(i)]);", "weight[i] = static_cast<A>(edges.weights[first]);", wide_values),
    Mutant(PULL, "for (Word some = far; some != 0;", "for (Word some = 0; some != 0;", wide_values),
    Mutant(FRONT, "if (i <= lane_id() / FEW_LANES) left", "if (i < lane_id() / FEW_LANES) left", wide_values),
    Mutant(PULL, "look(found, held, weight, {last, 0, 0, 0}, one);", "", wide_values),
    Mutant(PULL, "static_cast<Offset>(1 + quarter + lanes.at)", "static_cast<Offset>(1 + lanes.at)", wide_values),
    Mutant(PULL, "if (from >= 0 && this->improves(value, found.best)) found = {{value, true}, from};", "", wide_values),
    Mutant(PULL, "if (__shfl_sync(ALL_LANES, owner, from) == lane_id()) join(other);", "if (owner == lane_id()) join(other);", wide_values),
    Mutant(PULL, "if (lane_id() == owner) join({best, tail});", "if (lane_id() == 0) join({best, tail});", wide_values),
    Mutant(FRONT, "if (other < own) before", "before", wide_values),
    Mutant(FRONT, "running_word_sum<FEW_LANES>(sum)", "running_sum(sum)", wide_values),
    Mutant(FRONT, "        last += static_cast<Index>(__shfl_sync(ALL_LANES, end, lane_id() | (FEW_LANES - 1)));\n", "", wide_values),
    Mutant(LIGHT, "if ((__shfl_sync(ALL_LANES, j, lane) & 31) == own) mine.join(all);", "", light_first),
    Mutant(LIGHT, "if (lane < 32 && whose == j) found.join(other);", "", light_first),
    Mutant(LIGHT, "lane < 32 && whose == j", "lane < 32", light_first),
    Mutant(LIGHT, "if (has) add(mine, j, 0, column, counted.left_out(j));", "", light_first),
    Mutant(LIGHT, "if (mine > 0 && (j >= rows.n_long || lane_id() % SCAN_LANES == 0)) atomicAdd(lengths + j, mine);", "if (mine > 0 && (j >= rows.n_long || lane_id() == 0)) atomicAdd(lengths + j, 1);", light_first),
    Mutant(LIGHT, "place = __shfl_sync(ALL_LANES, place, first) + To(end - mine);", "place = __shfl_sync(ALL_LANES, place, 0);", light_first),
    Mutant(LIGHT, "all > 0 && (!whole || lane_id() == first)", "all > 0 && lane_id() == 0", light_first),
    Mutant(LIGHT, "columns[place] = column;", "columns[place] = 0;", light_first),
    Mutant(LIGHTEST, "best.degree > 1 ? best.to :", "false ? best.to :", wide_values),
    Mutant("core/operands.cuh", "if (only >= 0) return only >> 5 == word", "if (only >= 0) return false", light_first),
    Mutant(ORDER, "origins.fold(j, z, k);", "", light_first),
    Mutant(ORDER, "if (has) origins.begin(j, true, start.at(j));", "", light_first),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
