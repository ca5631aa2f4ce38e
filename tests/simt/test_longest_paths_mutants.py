# ruff: noqa: E501  (mutants of one line)
"""The kernel that finds longest paths, broken on purpose.

The exercise holds it against a loop over the vertices in their order. Graphs are wide and deep, and
have hubs, negative weights, cycles, loops, isolated vertices, and offsets of 32 and 64 bits.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from tests.graphs import path
from tests.simt.exercises import backends_of_both_offsets
from tests.simt.mutants import Mutant, suite

Edges = tuple[np.ndarray, np.ndarray, np.ndarray]


def lengths(n: int, edges: Edges, hops: bool, on_cycles: set[int]) -> dict[int, float]:
    """Every edge leads from a lower to a higher id, but those between vertices on cycles."""
    found = dict.fromkeys(set(range(n)) - on_cycles, 0)
    for u, v, w in sorted(zip(*(part.tolist() for part in edges))):
        if u in found and v in found:
            found[v] = max(found[v], found[u] + (1 if hops else w))
    return found


def held(
    n: int, edges: Edges, dtype: np.dtype, backend: lg.Backend, cycles: set[int] = frozenset()
) -> None:  # type: ignore[assignment]
    i, j, w = edges
    G = lg.Graph.from_edges(i, j, w, n=n, dup="min", backend=backend)
    i, j, w = G.A.to_coo()
    for hops, kind in ((False, dtype), (True, np.dtype(np.int64))):
        made = backend.lowerings[longest_lengths](G, hops, kind)
        assert made.dtype == kind and made.to_dict() == lengths(n, (i, j, w), hops, cycles)


def longest() -> None:
    kinds = [np.dtype(kind) for kind in (np.int64, np.float64, np.int32)]
    for (seed, backend), dtype in zip(backends_of_both_offsets(), kinds):
        backend.longest_paths.piece = 7
        rng = np.random.default_rng(seed)
        for n, count in ((70, 200), (300, 330)):  # deep, and wider than the grid has warps
            i, j = np.sort(rng.integers(0, n - 4, (2, count)), axis=0)
            i, j = i[i < j], j[i < j]
            i, j = (
                np.r_[i, np.zeros(n - 5), [n - 3, n - 2]],
                np.r_[j, np.arange(1, n - 4), [n - 2, n - 3]],
            )
            w = rng.integers(-3, 9, i.size).astype(dtype)
            held(n, (i, j, w), dtype, backend, {n - 3, n - 2})
        for n in (1, 33, 90):
            i, j = path(n)
            held(n, (i, j, rng.integers(1, 9, i.size).astype(dtype)), dtype, backend)
        pairs = np.array([(u, v) for u in range(20) for v in range(20, 60)]).T
        held(60, (*pairs, np.arange(800).astype(dtype)), dtype, backend)
        for backend.longest_paths.piece in (7, 50):  # a hub that becomes ready, and many after it
            for rows in (np.arange(2, 47), np.array([5, 40])):  # all of them have edges, or two
                i = np.r_[0, np.ones(45), rows]
                j = np.r_[1, np.arange(2, 47), rows + 45]
                held(92, (i, j, np.arange(i.size).astype(dtype)), dtype, backend)


def bounded() -> None:
    """What is left after so many rounds, or vertices of a path that a warp follows."""
    steps = np.arange(60)
    many, hops = np.repeat(steps, 3), np.tile([1, 2, 3], 60)
    shapes = (
        (steps, steps + 1, np.arange(61)),
        (many, many + hops, np.r_[:61, 60, 60]),  # one vertex after another, of three edges each
        (np.r_[steps, steps + 61], np.r_[steps + 1, steps + 62], np.r_[:61, :61]),  # two paths
    )
    for _, backend in backends_of_both_offsets():
        for i, j, right in shapes:
            G = lg.Graph.from_edges(i, j, backend=backend)
            for most in (1, 20, 57, 70):
                made = backend.longest_paths.longest_lengths(G, True, np.dtype(np.int64), most)
                length, left = made[0].to_dict(), int(backend.device.download(made[1])[0])
                assert (left > 0) == (most < 60) and len(length) >= min(most, 60)
                assert all(right[v] == z for v, z in length.items())
                assert left == 0 or len(length) <= 2 * most + 8


P = "fused/longest_paths.cuh"
MUTANTS = [
    Mutant(P, "native_extremum(at, z, false);", "native_extremum(at, z, true);", longest),
    Mutant(P, "else atomicMax(at, z);", "else if (*at < z) *at = z;", longest),
    Mutant(P, "weights[e * stride]", "weights[0]", longest),
    Mutant(P, "!= 1) return -1;", "!= 2) return -1;", longest),
    Mutant(P, "!= 1) return -1;", "> 2) return -1;", longest),
    Mutant("core/append.cuh", "static_cast<Offset>(piece_of(item)) * piece;", "0;", longest),
    Mutant("core/append.cuh", "static_cast<int>(rest < piece ? rest : piece);", "static_cast<int>(rest);", longest),
    Mutant(P, "lane & 31) <= piece;", "lane & 31) > 0;", longest),
    Mutant(P, "only < 0 && __popc(some) == 1 &&", "__popc(some) == 1 &&", longest),
    Mutant(P, "if (one && lane_id() == lane) u = -1;", "", longest),
    Mutant(P, "queue(lane_id() == 0 ? only : -1);", "", longest),
    Mutant(P, "queue(lane_id() == 0 ? only : -1);", "queue(only);", longest),
    Mutant(P, "return warp_id() == 0 ? follow(now[0], most) : 0;", "return follow(now[0], most);", longest),
    Mutant(P, "base < share.total; base += 32", "base < share.total; base += 64", longest),
    Mutant(P, "at < items ? now[at] : -1", "now[at]", longest),
    Mutant(P, "item < 0 ? 0 : edges_of_piece(item, piece, indptr, first);", "edges_of_piece(item, piece, indptr, first);", longest),
    Mutant(P, "waits ? Count(entering[v]) : 0;", "Count(entering[v]);", longest),
    Mutant(P, "paths.queue(v < n && !waits ? v : -1);", "paths.queue(v < n ? v : -1);", longest),
    Mutant(P, "if (thread_id<Count>() == 0) counts[(round + 1) % 3] = 0;", "", longest),
    Mutant(P, "        grid.wait();\n        items", "        __syncthreads();\n        items", longest),
    Mutant(P, "        paths.next += items;\n", "", longest),
    Mutant(P, "if (several || steps == most) {", "if (several) {", bounded),
    Mutant(P, "levels + 1 + followed;", "levels + 1;", bounded),
    Mutant(P, "levels + 1 + followed;", "levels + followed;", bounded),
    Mutant(P, "read_count(levels_before + round % 2);", "read_count(levels_before);", bounded),
    Mutant(P, "while (items > 0 && levels < most);", "while (items > 0);", bounded),
    Mutant(P, "counts[LONGEST_LEFT] = items;", "counts[LONGEST_LEFT] = 0;", bounded),
    Mutant(P, "v < n && peek(left + (v < n ? v : 0)) == 0", "v < n", longest),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([longest, bounded], MUTANTS)
