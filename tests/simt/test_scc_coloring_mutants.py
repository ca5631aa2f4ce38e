# ruff: noqa: E501  (mutants of one line)
"""The kernel that finds strong components among few vertices, broken on purpose.

The exercise holds it against SciPy: sparse graphs with a hub, chains of small components, a path
against its order, vertices that do not count, loops, offsets of 32 and 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.structure.scc import pivots
from lagraph_gpu.gpu.backend import GpuBackend
from tests.graphs import Ends, hub_cliques_and_path
from tests.harness import lowered
from tests.simt.exercises import backends_of_both_offsets, gpu
from tests.simt.mutants import Mutant, suite

N = 150


def shapes(seed: int) -> Iterator[Ends]:
    i, j = hub_cliques_and_path(N, seed)
    yield i, j
    few = np.random.default_rng(seed).random(i.size) < 0.3
    yield i[few], j[few]
    k = np.arange(40)  # pairs one after the other, and triangles that are none
    pairs = (2 * k, 2 * k + 1, 2 * k[:-1] + 1), (2 * k + 1, 2 * k, 2 * k[1:])
    yield tuple(map(np.concatenate, pairs))
    order = np.random.default_rng(seed).permutation(N)
    yield np.r_[order[:30], order[7]], np.r_[order[1:31], order[7]]
    yield np.arange(1, 40), np.arange(39)


def ranked(seed: int, backend: GpuBackend, share: float) -> tuple[np.ndarray, lg.Vector]:
    """A vector with random ranks at some vertices."""
    rng = np.random.default_rng(seed)
    left = np.flatnonzero(rng.random(N) < share)[:-1]
    rank = rng.permutation(N)[left] * RANKS + left
    return left, lg.Vector.from_coo(left, rank, "INT64", size=N, backend=backend)


def components() -> None:
    for seed, backend in backends_of_both_offsets():
        for share, (i, j) in zip((0.9, 1, 0.97, 1, 1), shapes(seed), strict=True):
            held(backend, *ranked(seed, backend, share), i, j)


def held(
    backend: GpuBackend, left: np.ndarray, rank: lg.Vector, i: np.ndarray, j: np.ndarray
) -> None:
    """One vertex of a component stands for it, everywhere in it, and for no other."""
    A = lg.Matrix.from_coo(i, j, 1, nrows=N, ncols=N, backend=backend)
    inside = np.isin(i, left) & np.isin(j, left)
    entries = np.ones(inside.sum(), bool), (i[inside], j[inside])
    _, right = csgraph.connected_components(sp.csr_array(entries, (N, N)), connection="strong")
    made = lowered(pivots, rank, A)
    assert made is not None
    found = made.to_dict()
    assert set(found) == set(left) & set(i)
    alike = np.bincount(right)
    assert {v for v in left.tolist() if alike[right[v]] > 1} <= set(found)
    assert all(right[v] == right[pivot] for v, pivot in found.items())
    assert len(set(found.values())) == len({right[v] for v in found})


def limits() -> None:
    """Just as many entries as there may be, one more, and more passes than there may be: in rows of
    several, and in those of a path beside a clique that does not count."""
    path, clique = np.arange(80), np.stack(np.nonzero(1 - np.eye(40, dtype=int))) + 90
    beside = np.r_[path, clique[0]], np.r_[path + 1, clique[1]]
    for last, (i, j) in ((N, hub_cliques_and_path(N, 0)), (85, beside)):
        backend = gpu(0)
        A = lg.Matrix.from_coo(i, j, 1, nrows=N, ncols=N, backend=backend)
        left, rank = ranked(0, backend, 1)
        rank = rank.select("rowle", last - 1).new()
        backend.scc_coloring.max_edges, backend.scc_coloring.passes = int((i < last).sum()), 1000
        held(backend, left[left < last], rank, i, j)
        backend.scc_coloring.passes = 3
        assert lowered(pivots, rank, A) is None
        backend.scc_coloring.max_edges, backend.scc_coloring.passes = (
            backend.scc_coloring.max_edges - 1,
            1000,
        )
        assert lowered(pivots, rank, A) is None


def rounds() -> None:
    """Colours part an acyclic graph: without that it takes ten."""
    backend = gpu(0)
    i, j = np.sort(np.random.default_rng(1).integers(0, N - 1, (2, 1500)), axis=0)
    A = lg.Matrix.from_coo(i[i < j], j[i < j], 1, nrows=N, ncols=N, backend=backend)
    _, rank = ranked(0, backend, 1)
    with lg.explain() as explained:
        assert lowered(pivots, rank, A) is not None
    assert explained.choices[-1].facts["rounds"] == 7


EXERCISES = [components, limits, rounds]

MUTANTS = [
    Mutant("fused/scc_coloring.cuh", "words + 4 + (sweep & 1)", "words + 4", components),
    Mutant("fused/scc_coloring.cuh", "if (changed) *progress", "*progress", components),
    Mutant("fused/scc_coloring.cuh", "        ++number;\n", "", components),
    Mutant("fused/scc_coloring.cuh", "        Grid{progress.arrivals()}.wait();\n        return", "        return", components),
    Mutant("fused/scc_coloring.cuh", "group[a] == group[b] && ", "", rounds),
    Mutant("fused/scc_coloring.cuh", "colour[a] == rank[a] || ", "", components),
    Mutant("fused/scc_coloring.cuh", " || peek(seen + a)", "", components),
    Mutant("fused/scc_coloring.cuh", "colour[a] != colour[b] || ", "", components),
    Mutant("fused/scc_coloring.cuh", " || !reaches(b)", "", components),
    Mutant("fused/scc_coloring.cuh", "reaches(a) || ", "", components),
    Mutant("fused/scc_coloring.cuh", "word < words_of(n) ? left[word] : 0", "left[word]", components),
    Mutant("fused/scc_coloring.cuh", "if (degree > 0) mine |= rest & -rest;", "mine |= rest & -rest;", components),
    Mutant("fused/scc_coloring.cuh", "if (word < words_of(n)) bits[word]", "bits[word]", components),
    Mutant("fused/scc_coloring.cuh", "+ entries <= max_edges;", "+ entries < max_edges;", limits),
    Mutant("fused/scc_coloring.cuh", "if (!__any_sync(ALL_LANES, room)) continue;", "", limits),
    Mutant("fused/scc_coloring.cuh", "+ running - __popc(mine);", "+ running;", components),
    Mutant("fused/scc_coloring.cuh", "group[at] = seen[at] = 0;", "group[at] = 0;", components),
    Mutant("fused/scc_coloring.cuh", "    if (read_count(progress.entries()) > max_edges) return;\n", "", limits),
    Mutant("fused/scc_coloring.cuh", "Passes pass{progress, passes};\n    Grid{progress.arrivals()}.wait();", "Passes pass{progress, passes};", components),
    Mutant("fused/scc_coloring.cuh", "w[i] >= 0 && present", "present", components),
    Mutant("fused/scc_coloring.cuh", "w[i] >= 0 && present(bits, w[i])", "w[i] >= 0", components),
    Mutant("fused/scc_coloring.cuh", "base + 32 * i < end ? indices[base + 32 * i] : -1", "indices[base + 32 * i]", components),
    Mutant("fused/scc_coloring.cuh", "base += 32 * LOADS", "base += 32", limits),
    Mutant("fused/scc_coloring.cuh", "    Grid{progress.arrivals()}.wait();\n    const Count all", "    const Count all", components),
    Mutant("fused/scc_coloring.cuh", " && !pass.enough()) *progress", ") *progress", limits),
    Mutant("fused/scc_coloring.cuh", "if (group[a] == SETTLED) continue;", "", components),
    Mutant("fused/scc_coloring.cuh", "colour[a] & 0x7fffffff", "colour[a]", components),
    Mutant("fused/scc_coloring.cuh", "settled ? SETTLED : colour[a]", "colour[a]", components),
    Mutant("fused/scc_coloring.cuh", "settled ? SETTLED : colour[a]", "settled ? SETTLED : 0", rounds),
    Mutant("fused/scc_coloring.cuh", "            colour[a] = rank[a];\n", "", components),
    Mutant("fused/scc_coloring.cuh", "open = open || !settled;", "open = false;", components),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
