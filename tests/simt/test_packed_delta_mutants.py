# ruff: noqa: E501  (mutants of one line)
"""Shortest paths over packed rows with weights, broken in the lines that matter. What only the order
of the epochs depends on, as the best far value, changes no answer."""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules
from semirings import types
from tests.simt.exercises import emulated, gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite
from tests.simt.test_packed_mutants import LAST, N, edges, same

KINDS: dict[str, tuple[Any, np.dtype]] = {
    "bytes": (lambda rng, m: rng.integers(1, 256, m), types.UINT8),
    "words": (lambda rng, m: rng.integers(1, 1 << 16, m).astype(np.float64), types.UINT16),
    "wide": (lambda rng, m: rng.integers(1, 1 << 40, m), types.INT64),
    "fractions": (lambda rng, m: (rng.random(m) + 0.01).astype(np.float32), types.FP32),
}
"""Weights, and the type in which they are stored."""


def weighted(seed: int, backend: GpuBackend, kind: str) -> lg.Graph:
    u, v = edges(seed)
    weights = KINDS[kind][0](np.random.default_rng(seed), u.size)
    return lg.Graph.from_edges(u, v, weights, N, directed=False, dup="first", backend=backend)


def search(kind: str, backend: GpuBackend, seed: int, *schedules: Schedule | None) -> None:
    """Distances and trees from a short row that leads to hubs, and in a component of two."""
    G = weighted(seed, backend, kind)
    H, K = G.relabel("degree"), G.relabel("degree", layout="packed")
    rows = K.A._store.packed
    assert rows.weights.values.dtype == KINDS[kind][1]
    for schedule in schedules:
        for source in (500, LAST - 2):
            distance, parent = lg.sssp(K, source, schedule=schedule)
            assert distance.isequal(lg.sssp(H, source)[0])
            Rules(H).sssp(source, distance, parent)
    assert K.A._store.stays_packed
    same(K.A, H.A)


def finds() -> None:
    """With weights of each width, offsets of both, few warps and many."""
    search("bytes", gpu(0), 0, None)
    with offsets_of_64_bits():
        search(
            "words", emulated(1, blocks=8, blocking=True), 1, Schedule(order="delta", width=900.0)
        )


def epochs() -> None:
    """With a bound that moves often, and one that never moves."""
    search(
        "fractions",
        gpu(2),
        2,
        Schedule(order="delta", width=0.02),
        Schedule(order="delta", width=1e6),
    )
    search("wide", gpu(3), 1, None)


EXERCISES = finds, epochs

ORDER, DELTA = "closure/ordered/packed_order.cuh", "closure/ordered/packed_delta.cuh"
MUTANTS = [
    Mutant("core/packed_weights.cuh", "weights[begins[j] + static_cast<Offset>(at)]", "weights[begins[j]]", finds),
    Mutant(ORDER, "if (claim(near, j)) {\n            ++close;", "{\n            ++close;", finds),
    Mutant(ORDER, "            ++close;\n", "            close = 0;\n", finds),
    Mutant(ORDER, "if (has && j < rows.n) put_far(j, start.at(j));", "", finds),
    Mutant(ORDER, "stays = has && !nan(z) && !comes;", "stays = false;", epochs),
    Mutant(ORDER, "near[word] = coming;", "near[word] = 0;", finds),
    Mutant(ORDER, "far[word] = staying;", "", epochs),
    Mutant(ORDER, "if (is_start(z)) improves = claim(bits, j);\n        else if (is_start(old)) mark(bits, j);", "", finds),
    Mutant(ORDER, "if (has) relax(column, k, peek(x + k), edges.of(k, 0));", "", finds),
    Mutant(ORDER, "weight[i] = edges.of(k, at + i);", "weight[i] = edges.of(k, at);", finds),
    Mutant(ORDER, "if (lane_id() == 0) now[word] = 0;", "", epochs),
    Mutant(ORDER, "if (word << 5 < rows.n_long) list_segments(rows, word, those, listed, count);\n            else walk_short", "walk_short", finds),
    Mutant(DELTA, "order.near = epochs.near(epoch + 1).bits;", "order.near = epochs.near(epoch).bits;", finds),
    Mutant(DELTA, "distance += is_far;", "", epochs),
    Mutant(DELTA, "segments(epoch));\n            grid.wait();", "segments(epoch));", finds),
    Mutant(DELTA, "line + 1);\n        grid.wait();", "line + 1);", finds),
    Mutant(DELTA, "take(j, k, edges.of(j, 0));", "", finds),
    Mutant(DELTA, "edges.of(j, at + i)", "edges.of(j, at)", finds),
    Mutant(DELTA, "!S::joins(u.values, k, &weight, 0, j)", "false", finds),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
