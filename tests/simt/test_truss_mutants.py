# ruff: noqa: E501  (mutants of one line)
"""The kernels of trusses, broken on purpose.

The exercise holds them against plain loops in Python, over graphs with a hub, cliques, a tube of
triangles that peels ring by ring, and offsets of 32 and 64 bits.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.k_truss import truss
from lagraph_gpu.gpu.backend import GpuBackend
from tests.graphs import clique, hub_cliques_and_path
from tests.simt.exercises import backends_of_both_offsets, gpu
from tests.simt.mutants import Mutant, suite


def edges_left(edges: set[tuple[int, int]], least: int) -> set[tuple[int, int]]:
    """The edges of the truss, as pairs of which the lower end comes first."""
    while True:
        beside: dict[int, set[int]] = {}
        for u, v in edges:
            beside.setdefault(u, set()).add(v)
            beside.setdefault(v, set()).add(u)
        kept = {(u, v) for u, v in edges if len(beside[u] & beside[v]) >= least}
        if kept == edges:
            return kept
        edges = kept


def tube(rings: int) -> set[tuple[int, int]]:
    """A tube of triangles around rings of four vertices, open at both ends: all of it peels."""
    found = set()
    for x in range(4 * rings):
        ring, y = divmod(x, 4)
        up = 4 * ring + (y + 1) % 4
        steps = [(x, up)] + [(x, x + 4), (x, up + 4)] * (ring < rings - 1)
        found |= {(min(e), max(e)) for e in steps}
    return found


def fans(count: int) -> set[tuple[int, int]]:
    """Fans of three triangles: the sticks within a fan fall when its rim and its outer sticks go."""
    found = set()
    for hub in range(0, 5 * count, 5):
        found |= {(hub, hub + k) for k in range(1, 5)} | {(hub + k, hub + k + 1) for k in (1, 2, 3)}
    return found


def expect_truss(edges: set[tuple[int, int]], n: int, least: int, backend: GpuBackend) -> None:
    u, v = np.array(sorted(edges)).T
    G = lg.Graph.from_edges(u, v, n=n, directed=False, backend=backend)
    rows, columns, _ = truss(G, least).to_coo()
    upper = rows < columns
    assert rows.size == 2 * upper.sum()
    assert set(zip(rows[upper].tolist(), columns[upper].tolist())) == edges_left(edges, least)


def trusses() -> None:
    for seed, backend in backends_of_both_offsets():
        i, j = hub_cliques_and_path(110, seed, directed=False)
        edges = {(min(e), max(e)) for e in zip(i.tolist(), j.tolist())}
        rng = np.random.default_rng(seed)
        edges |= {e for e in combinations(range(60, 84), 2) if rng.random() < 0.4}
        backend.trusses.few, backend.trusses.removal_cost = seed % 2 * 9, [100, 100, 0][seed]
        for least in (1, 2, 4):
            expect_truss(edges, 110, least, backend)
        expect_truss(tube(7), 28, 2, backend)
    backend = gpu(3)
    backend.trusses.few, backend.trusses.removal_cost = 200, 100
    expect_truss(fans(30), 150, 2, backend)  # more than two warps take at a time
    cliques = [clique(size, begin) for size, begin in ((12, 0), (40, 12), (5, 40))]
    backend.trusses.few = 30
    expect_truss(
        {(min(e), max(e)) for u, v in cliques for e in zip(u.tolist(), v.tolist())}, 60, 5, backend
    )


T = "fused/truss.cuh"
MUTANTS = [
    # --- the edges, and their supports
    Mutant(T, "(du == dv && v < u)", "(du == dv && u < v && v < 70)", trusses),
    Mutant(T, "e < nnz && leads(indptr, i, indices[e])", "leads(indptr, i, indices[e])", trusses),
    Mutant(T, "atomicAdd(support + a, 1u);", "", trusses),
    Mutant(T, "atomicAdd(support + b, 1u);", "support[b] += 1;", trusses),
    Mutant(
        T,
        "if (own > 0) atomicAdd(support + e, own);",
        "if (own > 1) atomicAdd(support + e, own);",
        trusses,
    ),
    Mutant(T, "common = b < end && indices[b]", "common = indices[b]", trusses),
    Mutant(
        T,
        "if (at < share.total) {\n                b =",
        "if (true) {\n                b =",
        trusses,
    ),
    Mutant(T, "done < share.total; done += 32", "done < share.total; done += 64", trusses),
    Mutant(T, "& ~lanes_up_to(share.begin - done)", "", trusses),
    Mutant(T, "lanes_up_to(share.end - done)", "lanes_up_to(share.end)", trusses),
    Mutant(T, "count >= 32 ? ALL_LANES : (1u", "count > 32 ? ALL_LANES : (1u", trusses),
    Mutant(T, "low = swapped ? u0 : v0;", "low = u0;", trusses),
    Mutant(T, "high = swapped ? u1 : v1;", "high = v1;", trusses),
    # --- who goes first
    Mutant(T, "queued = few && support > 0;", "queued = support == 1;", trusses),
    Mutant(T, "few = support < removal.least,", "few = support <= removal.least,", trusses),
    Mutant(T, "    weak = warp_reduce<Sum>(weak);\n", "", trusses),
    # --- rounds
    Mutant(
        T,
        "atomicSub(support + edge, 1u) == least",
        "atomicSub(support + edge, 1u) <= least",
        trusses,
    ),
    Mutant(T, "atomicSub(support + edge, 1u) == least", "support[edge]-- == least", trusses),
    Mutant(T, "(when < now || sides[i] < own)", "(when < now)", trusses),
    Mutant(T, "(when < now || sides[i] < own)", "(sides[i] < own)", trusses),
    Mutant(T, "fallen[i] = falls(sides[i]);", "fallen[i] = falls(sides[i]) && i == 0;", trusses),
    Mutant(
        T,
        "? edges.seek(a, b) : edges.seek(b, a);",
        "? edges.seek(a, b) : edges.seek(a, b);",
        trusses,
    ),
    Mutant(T, "y = __shfl_sync(ALL_LANES, v, lane);", "y = v;", trusses),
    Mutant(T, "own = __shfl_sync(ALL_LANES, edge, lane);", "own = edge;", trusses),
    Mutant(T, "if (fallen[i]) queue[places[i]]", "if (fallen[0]) queue[places[i]]", trusses),
    Mutant(T, "(items, warp, warps)) {", "(items, warp, 2 * warps)) {", trusses),
    Mutant(
        T, "const Offset edge = at < items ? now[at] : 0;", "const Offset edge = now[at];", trusses
    ),
    # --- one block by itself
    Mutant(
        T,
        "removal.gone[removal.queue[i]] = round;\n        __syncthreads();",
        "removal.gone[removal.queue[i]] = round;",
        trusses,
    ),
    Mutant(T, "        begin = end;\n", "", trusses),
    Mutant(T, "        ++round;\n", "", trusses),
    Mutant(T, "        __syncthreads();\n        begin = end;", "        begin = end;", trusses),
    Mutant(T, "removal.counts[1] = begin;", "removal.counts[1] = end;", trusses),
    Mutant(T, "removal.counts[2] = round;", "removal.counts[2] = round - 1;", trusses),
    # --- what is left
    Mutant(T, ">= removal.least;\n        }", "> removal.least;\n        }", trusses),
    Mutant(
        T,
        "const bool first = leading[word] >> lane_id() & 1u;",
        "const bool first = true;",
        trusses,
    ),
]

test_exercise, test_mutant_is_killed = suite([trusses], MUTANTS)
