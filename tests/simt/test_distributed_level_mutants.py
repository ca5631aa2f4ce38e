# ruff: noqa: E501  (mutants of one line)
"""Operations over distributed rows on the devices of processes that take turns, and their kernels
broken in the lines that matter: searches, components, predecessors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster import closures, parents
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_rows import DrawnRows
from lagraph_gpu.gpu.closure.distributed_levels import LEVEL, DistributedLevels
from lagraph_gpu.gpu.fused.distributed_components import DistributedComponents
from lagraph_gpu.gpu.storage import WORD, words
from lagraph_gpu.gpu.storage.exchange import positions
from semirings import any_pair, any_secondi
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.simt.exercises import SEEDS, gpu
from tests.simt.mutants import Mutant, suite

ALWAYS = {"push": 2**40, "pull": -1}


def undirected(seed: int, n: int = 150) -> lg.Graph:
    """With a hub, vertices without an edge, a path, and ids that end within a word."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(10, n - 20, (2, n))
    path = np.arange(n - 20, n - 3)
    src = np.concatenate([src, np.full(60, 40), path, [45]])
    dst = np.concatenate([dst, rng.integers(10, n - 20, 60), path + 1, [n - 20]])
    return lg.Graph.from_edges(src, dst, n=n, directed=False, dup="first", backend=CPU)


def searched(
    G: lg.Graph, roots: list[int], size: int, seed: int, threshold: int | None = None,
    small: int = 8, transport: str = "host",
) -> list[str]:  # fmt: skip
    """Levels, and one of the vertices a level before as parent, from several roots at once too.
    The result is the direction of each level."""
    edges = {(int(i), int(j)) for i, j, _ in zip(*G.A.to_coo(), strict=True)}
    x0 = lg.Vector.from_coo(roots, roots, size=G.n, dtype="INT64", backend=CPU)
    right = closure_with_rounds(x0, G.A, any_secondi)[1].to_dense(-1)

    def work(backend: Any) -> Any:
        begun = lg.Vector.from_coo(roots, roots, size=G.n, dtype="INT64", backend=backend)
        A = G.to(backend).A
        with lg.explain() as report:
            found = closure_with_rounds(begun, A, any_secondi)
        steps = [one.facts for one in report.choices if ", level" in one.what]
        assert steps[0]["frontier"] == len(roots)
        counts = 8 * (2 + size) * (size - 1)  # for a level
        sent = sum(facts["bytes"] for facts in steps) - len(steps) * counts
        of_others = np.flatnonzero(right >= 0) % size != backend.distribution.rank
        assert small or sent <= 8 * of_others.sum() or threshold != ALWAYS["push"]
        few = small or size > 2 or threshold != 40 or transport != "host"
        assert few or steps[-1]["bytes"] == counts
        ways = [one.chosen for one in report.choices if ", level" in one.what]
        return *(one.to_dense(-1) for one in found), ways

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DistributedLevels, "piece", 7)
        patch.setattr(DistributedLevels, "small", small)
        patch.setattr(DistributedLevels, "at_once", small > 16)
        if threshold is not None:
            patch.setattr(closures, "pull_threshold", lambda *_, **__: threshold)
        told = on_ranks(size, work, gpu(seed), transport=transport)
    for parent, level, _ in told:
        np.testing.assert_array_equal(level, right)
        for v in np.flatnonzero(level > 0):
            assert level[parent[v]] == level[v] - 1 and (int(parent[v]), int(v)) in edges
        assert (parent[level < 0] == -1).all() and (parent[level == 0] == sorted(roots)).all()
    return told[0][2]


def pushes() -> None:
    """With lists that are sent whole, and where all tell first how long theirs are."""
    for seed, size, small in zip(SEEDS, (2, 3, 2), (0, 1 << 10, 16), strict=True):
        searched(undirected(seed), [11, 40, 42], size, seed, ALWAYS["push"], small)


def pulls() -> None:
    for seed, size in zip(SEEDS, (2, 3, 2), strict=True):
        searched(undirected(seed), [11, 40, 42], size, seed, ALWAYS["pull"])


def turns() -> None:
    """Pushes after pulls, from all vertices, and over edges of one direction alone."""
    searched(undirected(1), [140], 2, 1, 40, small=0)
    searched(undirected(1), list(range(150)), 2, 1)
    one_way()


def one_way(transport: str = "host") -> None:
    """Edges that are known as rows of one direction alone."""
    rng = np.random.default_rng(4)
    G = lg.Graph.from_edges(*rng.integers(0, 90, (2, 200)), n=90, dup="first", backend=CPU)
    searched(G, [3], 2, 2, transport=transport)


def ordered(transport: str = "host") -> None:
    """Over rows that are numbered by falling degree, whose first entry is looked at first."""
    draw = Draw(7, 6, 3)
    right = lg.bfs(DrawnRows(draw, CPU).graph, 1)[0].to_dense(-1)

    def work(backend: Any) -> Any:
        G = DrawnRows(draw, backend).graph
        parent, level = closure_with_rounds(G.point(1, 1), G.A, any_secondi)
        one, _ = closure_with_rounds(G.point(1, True, "BOOL"), G.A, any_pair)
        last, _ = closure_with_rounds(G.point(G.n - 1, 5), G.A, any_secondi)  # it has no edge
        assert last.to_dict() == {G.n - 1: 5}
        return level.to_dense(-1), parent.to_dense(-1), one.nvals, G.A.to_dense(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closures, "pull_threshold", lambda *_, **__: 0)
        for level, parent, reached, A in on_ranks(2, work, gpu(0), transport=transport):
            np.testing.assert_array_equal(level, right)
            assert reached == (right >= 0).sum()
            others = np.flatnonzero(level > 0)
            assert (level[parent[others]] == level[others] - 1).all()
            assert A[parent[others], others].all()


def components() -> None:
    """Whatever is joined first; with more roots to tell of than there is room for, and with none."""
    for seed, size, first, room in ((0, 2, 2, 64), (1, 3, 0, 2), (2, 2, 1, 1)):
        G = undirected(seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DistributedComponents, "first", first)
            patch.setattr(DistributedComponents, "room", room)
            told = on_ranks(
                size, lambda b, G=G: lg.connected_components(G.to(b)).to_dense(), gpu(seed)
            )
        right = lg.connected_components(G).to_dense()
        for label in told:
            np.testing.assert_array_equal(label, right)


def tails() -> None:
    """A tree of shortest paths, whatever the weights; some rows are searched by a warp."""
    for seed, kind in ((0, "integer"), (1, None), (2, "uniform")):
        G = lg.kronecker(7, 20, seed=seed + 1, weights=kind, backend=CPU)
        root = int(G.out_degree.to_dense(0).argmax())

        def find(backend: Any, G: lg.Graph = G, root: int = root) -> Any:
            H = G.to(backend)
            distance, parent = lg.sssp(H, root)
            roots = lg.Vector.from_coo([root], [root], size=G.n, backend=backend)
            assert parents.tight_forest(distance, roots, H.A) is not None  # every vertex has one
            return [one.to_coo() for one in (distance, parent)]

        for distance, parent in on_ranks(3, find, gpu(seed)):
            made = [lg.Vector.from_coo(*one, size=G.n, backend=CPU) for one in (distance, parent)]
            verify.verify_sssp(G, root, *made)


def joins() -> None:
    """Bitmaps of parts into one of all, which is seen beside what was seen before."""
    for number, size in enumerate((2, 3, 4, 5, 8)):
        backend, rng = gpu(number % 3), np.random.default_rng(size)
        n = int(rng.integers(200, 900))
        all_of_them, seen = rng.random((2, n)) < 0.4
        each = words(-(-n // size))
        parts = [packed(all_of_them[rank::size], each) for rank in range(size)]
        device = backend.device
        to, known = device.zeros(words(n), WORD), device.upload(packed(seen, words(n)))
        backend.launch(LEVEL, "", "join_bits", words(n), np.int32(n), np.int32(size),
                       np.int32(each), device.upload(np.concatenate(parts)), to,
                       known)  # fmt: skip
        np.testing.assert_array_equal(
            positions(device.download(to), n), np.flatnonzero(all_of_them)
        )
        right = np.flatnonzero(seen | all_of_them)
        np.testing.assert_array_equal(positions(device.download(known), n), right)


def packed(bits: np.ndarray, count: int) -> np.ndarray:
    """A bitmap of so many words."""
    held = np.zeros(32 * count, bool)
    held[: bits.size] = bits
    return np.packbits(held, bitorder="little").view(WORD)


EXERCISES = (joins, pushes, pulls, turns, ordered, components, tails)

L = "closure/level_synchronous/distributed_level.cuh"
D = "closure/level_synchronous/distributed_steps.cuh"
U = "closure/level_synchronous/distributed_push.cuh"
C = "fused/distributed_components.cuh"
T = "closure/ordered/distributed_tight.cuh"
MUTANTS = [
    Mutant(D, "return place * parts + rank;", "return place * parts;", pushes),
    Mutant(D, "word == start.only >> 5 ?", "word == 0 ?", ordered),
    Mutant(D, "any & inside(word, n)", "any", turns),
    Mutant(D, "vertices += __popc(here);", "vertices += here != 0;", pushes),
    Mutant(D, "rounds[j] = 0;", "", pushes),
    Mutant(D, "if (word < fresh_words) fresh[word] = here;", "fresh[word] = 0;", pushes),
    Mutant(D, "31 - __clz(parts - 1)", "32 - __clz(parts - 1)", pushes),
    Mutant(D, "if (++part == parts) {", "if (++part > parts) {", joins),
    Mutant(D, "Index part = (word << 5) % parts,", "Index part = 0,", joins),
    Mutant(D, "seen[word] |= joined;", "seen[word] = joined & 0;", turns),
    Mutant(D, "seen[word] |= joined;", "seen[word] = joined;", joins),
    Mutant(D, "bits[word] = joined;", "bits[word] |= joined;", pulls),
    Mutant(D, ">> (place & 31);", ";", joins),
    Mutant(D, "& ((1u << each) - 1), parts) << r;", ", parts) << r;", joins),
    Mutant(D, "(x | x << 14)", "(x | x << 13)", joins),
    Mutant(D, "(x | x << 3)", "(x | x << 2)", joins),
    Mutant(D, "0x0f0f0f0fu", "0x0f0f0f07u", joins),
    Mutant(U, "!(peek(seen + (j >> 5)) >> (j & 31) & 1u)", "(peek(seen + (j >> 5)) >> (j & 31) & 1u)", pushes),
    Mutant(U, "live && claim_unset(seen, j)", "live", pushes),
    Mutant(U, "return places + static_cast<long long>(r) * stride + 1;", "return places + 1;", pushes),
    Mutant(L, "static_cast<Index>(found.counts[r]);", "static_cast<Index>(found.counts[0]);", pushes),
    Mutant(L, "if (i > 0 && i <= places[r * stride])", "if (i > 0 && i < places[r * stride])", pushes),
    Mutant(L, "if (i > 0 && i <= places[r * stride])", "if (i <= places[r * stride])", pushes),
    Mutant(U, "if (!mine) return;", "", pushes),
    Mutant(U, "__ffs(static_cast<int>(alike)) - 1;", "0;", pushes),
    Mutant(U, "__popc(alike & lanes_below())", "0", pushes),
    Mutant(U, "Count(__popc(alike))", "Count(1)", pushes),
    Mutant(U, "[at] = place;", "[at] = j;", pushes),
    Mutant(U, "static_cast<typename Lists::Value>(z);", "static_cast<typename Lists::Value>(z + 1);", pushes),
    Mutant(U, "present(frontier, pieces.rows[at])", "true", pushes),
    Mutant(U, "left > static_cast<Offset>(pieces.piece) ? pieces.piece :", "left > static_cast<Offset>(pieces.piece) ? pieces.piece - 1 :", pushes),
    Mutant(D, "if (!claim(x.bits, j)) return;", "claim(x.bits, j);", turns),
    Mutant(D, "mark(fresh, j);", "", pushes),
    Mutant(D, "x.values[j] = z;", "x.values[j] = j;", pushes),
    Mutant(D, "if (vertices > 0) atomicAdd(counts + 2, vertices);\n    if (edges > 0) atomicAdd(counts + 3, edges);\n}\n\n// Every second", "}\n\n// Every second", pushes),
    Mutant(C, "parent[v] = v;", "parent[v] = v / 2;", components),
    Mutant(C, "trees.join(row * parts + rank, indices[e]);", "trees.join(row, indices[e]);", components),
    Mutant(C, "if (r == rank) continue;\n", "if (r != rank) continue;\n", components),
    Mutant(C, "trees.join(v, of_part[v]);", "trees.join(v, v);", components),
    Mutant(C, "before[row * parts + rank] != largest", "before[row * parts + rank] == largest", components),
    Mutant(C, "trees.join(((word << 5) + lane) * parts + rank, indices[e]);", "trees.join((word << 5) + lane, indices[e]);", components),
    Mutant(C, "before[v] == v && parent[v] != v", "false", components),
    Mutant(C, "at >= static_cast<Count>(room)", "at > static_cast<Count>(room)", components),
    Mutant(C, "trees.join(roots[i], ups[i]);", "trees.join(roots[i], roots[i]);", components),
    Mutant(C, "label[row] = parent[row * parts + rank];", "label[row] = parent[row];", components),
    Mutant(T, "j = row * parts + rank;", "j = row;", tails),
    Mutant(T, "__shfl_sync(ALL_LANES, j, lane)", "__shfl_sync(ALL_LANES, j, 0)", tails),
    Mutant(T, "if (found.has) out.values[row]", "if (found.has) out.values[j / 2]", tails),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
