# ruff: noqa: E501  (mutants of one line)
"""The kernels that draw Kronecker graphs and join their edges, broken in the lines that matter.

The exercises hold them against the host's formula, with loops, duplicates, isolated vertices and
counts that end within a word.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.generate import Draw, WeightKind, kronecker_draw
from lagraph_gpu.generate.kronecker_draw import draw_edges
from lagraph_gpu.generate.kronecker_edges import Drawn, drawn_edges
from lagraph_gpu.gpu.generate.kronecker_edges import DeviceDrawing
from tests.harness import CPU
from tests.simt.exercises import SEEDS, gpu
from tests.simt.mutants import Mutant, suite

KINDS: tuple[WeightKind, ...] = (None, "uniform", "integer")
DRAWS = (Draw(5), Draw(6, 5, 9), Draw(4, 1, 2), Draw(3, 0))
EMPTY_QUARTERS = (
    Draw(5, percent=(0, 60, 0)),
    Draw(5, percent=(50, 0, 49)),
    Draw(4, percent=(0, 0, 0)),
)


def drawing() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        for draw in (*DRAWS, *EMPTY_QUARTERS):
            found = backend.device.download(drawn_edges(backend, draw).pairs)
            np.testing.assert_array_equal(found, draw_edges(draw))


def test_vertices_with_as_many_ones_stand_together() -> None:
    backend = gpu(0)
    for scale in (3, 12):
        drawing = DeviceDrawing(backend, Draw(scale))
        number, ones = np.split(backend.device.download(drawing.gathered), 2)
        assert np.all(np.diff(ones.astype(int)) >= 0)
        assert [int(ones[x]) for x in number] == [bits.bit_count() for bits in range(number.size)]
        np.testing.assert_array_equal(np.sort(number), np.arange(1 << min(scale, 10)))


def ends() -> None:
    for seed in SEEDS:
        for draw in DRAWS:
            counts = Drawn(draw, gpu(seed)).ends.to_dense()
            every = np.concatenate(kronecker_draw.ends(draw_edges(draw)))
            np.testing.assert_array_equal(counts, np.bincount(every, minlength=draw.n))


def joining(weights: WeightKind = None) -> None:
    for seed in SEEDS:
        for draw in DRAWS:
            G = Drawn(draw, gpu(seed)).graph(weights)
            wanted = lg.kronecker(draw.scale, draw.edgefactor, draw.seed, weights, backend=CPU)
            for mine, theirs in zip(G.A.to_csr(), wanted.A.to_csr(), strict=True):
                np.testing.assert_array_equal(mine, theirs)


def uniform() -> None:
    joining("uniform")


def integer() -> None:
    joining("integer")


def judging() -> None:
    """A right matrix differs by nothing, one that lacks or adds an edge or a weight does differ."""
    for weights in KINDS:
        edges = Drawn(Draw(5), gpu(0))
        G = edges.graph(weights)
        assert edges.differences(G) == 0
        i, j, x = G.A.to_coo()
        last = int(np.flatnonzero(i < j)[-1])  # of which the turned entry stays
        free = next(k for k in range(G.n**2) if k not in set((i * G.n + j).tolist()))
        changed = np.where(np.arange(i.size) == last, 2 * x, x)
        for rows, columns, values, count in (
            (np.delete(i, last), np.delete(j, last), np.delete(x, last), None),
            (np.append(i, free // G.n), np.append(j, free % G.n), np.append(x, x[0]), 1),
            (i, j, changed, None),
        ):
            shape = {"nrows": G.n, "ncols": G.n}
            A = lg.Matrix.from_coo(rows, columns, values, **shape, backend=G.backend)
            found = edges.differences(lg.Graph(A))
            assert found == count if count else found > 0


EXERCISES = (drawing, ends, joining, uniform, integer, judging)

MUTANTS = [
    Mutant("generate/kronecker_edges.cuh", "counter * 0x9E3779B97F4A7C15ull + key", "counter * 0x9E3779B97F4A7C15ull ^ key", drawing),
    Mutant("generate/kronecker_edges.cuh", "state >> 27", "state >> 28", drawing),
    Mutant("generate/kronecker_edges.cuh", "return state ^ state >> 31;", "return state;", drawing),
    Mutant("generate/kronecker_edges.cuh", "level(static_cast<unsigned>(bits >> 32));", "level(static_cast<unsigned>(bits));", drawing),
    Mutant("generate/kronecker_edges.cuh", "random_bits(keys[two], number)", "random_bits(keys[0], number)", drawing),
    Mutant("generate/kronecker_edges.cuh", "if (scale % 2 != 0) level", "if (scale % 2 == 0) level", drawing),
    Mutant("generate/kronecker_edges.cuh", "doubled(second, draw, upper);", "doubled(second, draw, upper_left);", drawing),
    Mutant("generate/kronecker_edges.cuh", "doubled(third, draw, all_but_last);", "doubled(third, draw, upper);", drawing),
    Mutant("generate/kronecker_edges.cuh", "(both | draw) + (both | (0u - bound))", "(both | draw) + (0u - bound)", drawing),
    Mutant("generate/kronecker_edges.cuh", "bound == 0 ? (1u << scale) - 1 : sum;", "sum;", drawing),
    Mutant("generate/kronecker_edges.cuh", "return pair_of(name[u], name[v]);", "return pair_of(name[v], name[u]);", drawing),
    Mutant("generate/kronecker_edges.cuh", "return pair_of(name[u], name[v]);", "return pair_of(u, v);", drawing),
    Mutant("generate/kronecker_edges.cuh", "(n)) numbers", "(n - 1)) numbers", drawing),
    Mutant("generate/kronecker_edges.cuh", "name[drawing.vertex(static_cast<unsigned>(own & ~upper))]", "name[own & ~upper]", drawing),
    Mutant("generate/kronecker_edges.cuh", "(count)) edges[e]", "(thread_count<long long>())) edges[e]", drawing),
    Mutant("generate/kronecker_edges.cuh", "(count)) edges[e]", "(count + 1)) edges[e]", drawing),
    Mutant("generate/kronecker_edges.cuh", "atomicAdd(counters + second_end(edges[e]), 1ull);", "if (first_end(edges[e]) != second_end(edges[e])) atomicAdd(counters + second_end(edges[e]), 1ull);", ends),
    Mutant("generate/kronecker_edges.cuh", "atomicAdd(counters + first_end(edges[e]), 1ull);", "++counters[first_end(edges[e])];", ends),
    Mutant("generate/kronecker_edges.cuh", "(bits >> 40) + 1", "bits >> 40", uniform),
    Mutant("generate/kronecker_edges.cuh", "0x1p-24f", "0x1p-23f", uniform),
    Mutant("generate/kronecker_edges.cuh", "* 255 >> 32) + 1", "* 256 >> 32)", integer),
    Mutant("generate/kronecker_edges.cuh", "(u < v ? u : v) * n + (u < v ? v : u)", "u * n + v", uniform),
    Mutant("generate/edges_to_rows.cuh", "u == v ? NO_EDGE : ", "", joining),
    Mutant("generate/edges_to_rows.cuh", "u < v ? pair_of(u, v) : pair_of(v, u)", "pair_of(u, v)", joining),
    Mutant("matrix/coordinates.cuh", "pairs[e] != NO_EDGE && ", "", joining),
    Mutant("matrix/coordinates.cuh", "(e == 0 || pairs[e] != pairs[e - 1])", "pairs[e] != pairs[e - 1]", joining),
    Mutant("matrix/coordinates.cuh", "(e == 0 || pairs[e] != pairs[e - 1])", "true", joining),
    Mutant("matrix/coordinates.cuh", "const bool is_new = e < count && ", "const bool is_new = ", joining),
    Mutant("matrix/coordinates.cuh", "counts[word] = __popc(now);", "counts[word] = 32;", joining),
    Mutant("generate/edges_to_rows.cuh", "if (!(kept[e >> 5] >> (e & 31) & 1u)) continue;", "", joining),
    Mutant("generate/edges_to_rows.cuh", "back[at] = pair_of(second_end(edges[e]), first_end(edges[e]));", "back[at] = edges[e];", joining),
    Mutant("matrix/coordinates.cuh", "pairs[e] < bound", "pairs[e] <= bound", joining),
    Mutant("generate/edges_to_rows.cuh", "(n + 1ll)", "(n)", joining),
    Mutant("generate/edges_to_rows.cuh", "indptr[i] = before + static_cast<Offset>(before_row(back, count, row));", "indptr[i] = 2 * before;", joining),
    Mutant("generate/edges_to_rows.cuh", "back ? forth_before[i] : indptr[i + 1] - forth_before[i + 1]", "back ? forth_before[i] : indptr[i] - forth_before[i]", joining),
    Mutant("generate/edges_to_rows.cuh", "back ? forth_before[i] : indptr[i + 1] - forth_before[i + 1]", "forth_before[i]", joining),
    Mutant("generate/edges_to_rows.cuh", "forth_before, indptr)] =\n            weight_of", "forth_before, indptr)] +=\n            weight_of", uniform),
    Mutant("generate/edges_to_rows.cuh", "if (u == v) continue;", "", judging),
    Mutant("generate/edges_to_rows.cuh", "turn < 2;", "turn < 1;", judging),
    Mutant("generate/edges_to_rows.cuh", " || A.values[e * A.stride] != weight_of<Weight>(edge, n, key)", "", judging),
    Mutant("generate/edges_to_rows.cuh", "!entries.at(e, i, j) || ", "", judging),
    Mutant("generate/edges_to_rows.cuh", "else if (claim(found, e)) ++accounted;", "else ++accounted;", judging),
    Mutant("generate/edges_to_rows.cuh", "if (missing > 0) atomicAdd(totals, missing);", "", judging),
    Mutant("generate/edges_to_rows.cuh", "if (accounted > 0) atomicAdd(totals + 1, accounted);", "if (accounted > 0) totals[1] += accounted;", judging),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
