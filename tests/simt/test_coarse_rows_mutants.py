# ruff: noqa: E501  (mutants of one line)
"""The kernels that make the rows of Louvain's next level, broken on purpose.

The exercise adds up the rows that they made, and compares them with NumPy: few and many communities,
vertices without edges, one value for all entries, with dense rows for none, some and all numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective, weight_within
from lagraph_gpu.gpu.fused.coarse_levels import SPARSE
from lagraph_gpu.notation.matrix import symmetric
from tests.simt.exercises import gpu
from tests.simt.mutants import Mutant, suite

N = 150
DENSE = 10**6, 4, 1, 0.25, 4, 0.25, 1, 10**6
"""All numbers with an entry have dense rows, or some, or hardly any, or none."""
LABELS = 5, 140, 60, 140, 60, 90, 20, 140


def levels() -> None:
    for seed in range(8):
        two_levels(seed)


def two_levels(seed: int) -> None:
    """Two merges one after the other, of rows that have room left, or that are closed up."""
    rng, backend = np.random.default_rng(seed), gpu(seed)
    backend.device.max_blocks = 1 + (seed in (1, 3, 5))
    backend.coarse_levels.dense = DENSE[seed]
    A = np.where(rng.random((N, N)) < 0.08, rng.integers(1, 5, (N, N)), 0)
    A[0], A[20:30] = 2, 0  # the first row has more entries than a warp takes at a time
    A[:, 20:30] = 0
    A = np.maximum(A, A.T)
    if seed % 3 == 2:
        A[A > 0] = 2
        np.fill_diagonal(A, 0)  # a matrix without loops keeps its only value
    i, j = np.nonzero(A)
    value = 2.0 if seed % 3 == 2 else A[i, j].astype(float)
    matrix = symmetric(
        lg.Matrix.from_coo(i, j, value, nrows=N, ncols=N, dtype=float, backend=backend)
    )
    aim = Objective(float(A.sum()), 1.0, 1e-7, False, rng)
    ranks = lg.Vector.from_dense(rng.permutation(N), backend=backend)
    level = Level.of(matrix, aim, ranks)
    level.B._store.whole_votes = None if seed in (3, 5) else True
    closed, degrees, loops = seed in (1, 5), A.sum(1) * 1.0, np.trace(A)
    entries = i[i != j], j[i != j], 2.0 * A[i, j][i != j]
    for most in (LABELS[seed], 12):
        label = rng.integers(0, min(most, degrees.size), degrees.size)
        if seed == 7:
            label[0] = 0  # then the first row of the next level is the longest
        same = label[entries[0]] == label[entries[1]]
        group = lg.Vector.from_dense(label, backend=backend)
        if level.B._store.open_ends is None:
            assert weight_within(group, level.B) == entries[2][same].sum()
        found, number = backend.coarse_levels._merged(level, group, aim, closed)
        held = degrees > 0
        labels = np.unique(label[held])
        right = np.where(held, np.searchsorted(labels, label), labels.size)
        np.testing.assert_array_equal(number.to_dense(), right)
        loops += entries[2][same].sum() / 2
        degrees = np.bincount(right, degrees, labels.size + 1)
        assert found.loops.get(0) == loops
        entries, level = rows_of(found, right, entries, closed, backend), found
        np.testing.assert_array_equal(found.in_degree.to_dense(), degrees)
        np.testing.assert_array_equal(found.degree.to_dense(), 2 * degrees)
        assert found.expected.get(0) == (degrees**2).sum()
        with np.errstate(divide="ignore"):
            inverse = 1 / (2 * degrees)
        inverse[degrees == 0] = 0
        np.testing.assert_array_equal(found.inverse_degree.to_dense(), inverse)


def rows_of(found: Any, right: np.ndarray, before: Any, closed: bool, backend: Any) -> Any:
    """The entries of the rows that were made of those before, which it adds up and counts."""
    size, rows = found.degree.size, found.B._store
    i, j, x = right[before[0]], right[before[1]], before[2]
    dense = np.bincount(i, minlength=size) > size // backend.coarse_levels.dense
    i, j, x = i[i != j], j[i != j], x[i != j]
    sums, entries = np.zeros((2, size, size))
    np.add.at(sums, (i, j), x)
    np.add.at(entries, (i, j), 1)
    lengths = np.where(dense[:, None] | dense, sums > 0, entries).sum(1)
    arrays = rows.indptr, rows.ends, rows.indices, rows.values
    begins, ends, columns, values = map(backend.device.download, arrays)
    np.testing.assert_array_equal(ends - begins[:-1], lengths)
    assert rows.nnz == lengths.sum() and rows.pattern.max_degree == lengths.max()
    if rows.open_ends is None:
        assert begins[-1] == rows.nnz
    else:
        assert not closed and rows.nnz >= before[0].size // SPARSE
        assert rows.iso or rows.dtype == np.uint32
    at = np.repeat(begins[:-1] - np.cumsum(lengths) + lengths, lengths.astype(int))
    at = (at + np.arange(rows.nnz)).astype(int)
    kept = np.broadcast_to(values[:1], rows.nnz) if rows.iso else values[at]
    made, numbers = np.zeros((size, size)), np.repeat(np.arange(size), lengths.astype(int))
    np.add.at(made, (numbers, columns[at]), kept)
    np.testing.assert_array_equal(made, sums)
    return numbers, columns[at], kept * 1.0


R = "fused/coarse_rows.cuh"
MUTANTS: list[Mutant] = [
    Mutant(R, "used[degree_or_inverse[v] > 0 ? labels[v] : n] = 1;", "used[labels[v]] = 1;", levels),
    Mutant(R, "ends[degree[v] > 0 ? labels[v] : n] - 1 : 0;", "ends[labels[v]] - 1 : 0;", levels),
    Mutant(R, "const bool there = v < n;", "const bool there = true;", levels),
    Mutant(R, "            wide[v] = mine;\n", "", levels),
    Mutant(R, "            number[v] = mine;\n", "", levels),
    Mutant(R, "entries[c] > most;", "entries[c] > 2 * most;", levels),
    Mutant(R, "c < size && entries[c] > most;", "entries[c] > most;", levels),
    Mutant(R, "add_to(entries, mine, its, its > 0);", "add_to(entries, mine, Offset(1), its > 0);", levels),
    Mutant(R, "mine += B.values[e * B.stride];", "mine += B.values[e];", levels),
    Mutant(R, "    mine = warp_reduce<Sum>(mine);\n", "", levels),
    Mutant(R, "if (labels[row] == there[r]) mine", "if (there[r] >= 0) mine", levels),
    Mutant(R, "labels[B.indices[e]] : -1;", "labels[B.indices[e]] : labels[n - 1];", levels),
    Mutant(R, "if (place[number[v]] >= 0)", "if (place[number[v]] > 0)", levels),
    Mutant(R, "return number < 0 ? ~number : number;", "return number < 0 ? -number : number;", levels),
    Mutant(R, "static_cast<Value>(B.values[e * B.stride]) : Value(0);", "static_cast<Value>(B.values[e]) : Value(0);", levels),
    Mutant(R, "x[r] = static_cast<Value>(B.values[0]);", "x[r] = Value(1);", levels),
    Mutant(R, "there[r] = e < ends[row];", "there[r] = e < room;", levels),
    Mutant(R, "row_ends[v] - indptr[v]", "indptr[v + 1] - indptr[v]", levels),
    Mutant(R, "ends[c] - begins[c];", "begins[c + 1] - begins[c];", levels),
    Mutant(R, "    all = warp_reduce<Sum>(all);\n", "", levels),
    Mutant(R, "    longest = warp_reduce<Maximum>(longest);\n", "", levels),
    Mutant(R, "        all += its;\n", "        all = its;\n", levels),
    Mutant(R, "if (longest < Count(its)) longest = its;", "longest = its;", levels),
    Mutant(R, "lengths[c] = its;", "lengths[c] = 1;", levels),
    Mutant(R, "begins[row] + (e - closed[row]);", "begins[row];", levels),
    Mutant(R, "begins[row] + (e - closed[row]);", "e;", levels),
    Mutant(R, "        if (e >= nnz) return;\n", "", levels),
    Mutant(R, "to_indices[e] = indices[from];", "to_indices[e] = indices[0];", levels),
    Mutant(R, "to_values[e] = values[from];", "to_values[e] = values[0];", levels),
    Mutant(R, "if (values != nullptr) to_values", "if (values == nullptr) to_values", levels),
    Mutant(R, "alike &= from[r] == first || begin + 32 * r >= room;", "alike &= true;", levels),
    Mutant(R, "alike &= from[r] == first ||", "alike &= r < 3 ||", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] >= 0 && to[r] >= 0);", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] != to[r] && from[r] >= 0);", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] != to[r] && to[r] >= 0);", levels),
    Mutant(R, "all += __popc(beside[r]);", "all = __popc(beside[r]);", levels),
    Mutant(R, "        alike = __all_sync(ALL_LANES, alike);\n", "", levels),
    Mutant(R, "(used + first), Counter(all)));", "(used + first), Counter(1)));", levels),
    Mutant(R, "            next = from_lane(next, 0);\n", "", levels),
    Mutant(R, "            next += __popc(beside[r]);\n", "", levels),
    Mutant(R, "mine ? from[r] : -1);", "from[r]);", levels),
    Mutant(R, "(used + from[r]), Counter(__popc(peers))));", "(used + from[r]), Counter(1)));", levels),
    Mutant(R, "at = from_lane(at, leader) + __popc(peers & lanes_below());", "at = from_lane(at, leader);", levels),
    Mutant(R, "if (mine) indices[at] = to[r];", "indices[at] = to[r];", levels),
    Mutant(R, "if (mine && values != nullptr) values[at] = x[r];", "if (mine && values != nullptr) values[at] = 2;", levels),
    Mutant(R, "far = between && from[r] < 0;", "far = from[r] < 0;", levels),
    Mutant(R, "values == nullptr && (far || !between)) x[r]", "values == nullptr && far) x[r]", levels),
    Mutant(R, "if (there[r] && !between) inside", "if (there[r]) inside", levels),
    Mutant(R, "far ? pair_of(row, column) : ~Pair(0));", "far ? Pair(column) : ~Pair(0));", levels),
    Mutant(R, "fold_peers<Plus<double>>(far ? same : 0, static_cast<double>(x[r]));", "x[r];", levels),
    Mutant(R, "add_to(degrees, mine, x, x > 0);", "add_to(degrees, mine, 1.0, x > 0);", levels),
    Mutant(R, "twice[c] = 2 * degrees[c];", "twice[c] = degrees[c];", levels),
    Mutant(R, "degrees[c] > 0 ? 1 / (2 * degrees[c]) : 0;", "1 / (2 * degrees[c]);", levels),
    Mutant(R, "if (many) listed[at] = c;", "if (many) listed[0] = c;", levels),
    Mutant(R, "static_cast<long long>(at) * size;", "static_cast<long long>(at) * (size - 1);", levels),
    Mutant(R, "        if (dense.place[to] >= 0) continue;\n", "", levels),
    Mutant(R, "        indices[turned] = c;\n", "        indices[turned] = to;\n", levels),
    Mutant(R, "values[turned] = static_cast<Value>(x);", "values[turned] = 1;", levels),
    Mutant(R, "__ffs(peers) - 1;", "0;", levels),
    Mutant(R, "if (far && (same & lanes_below()) == 0)", "if (far)", levels),
    Mutant(R, "    inside = warp_reduce<Sum>(inside);\n", "", levels),
    Mutant(R, "(dense.size + 31u) >> 5;", "dense.size >> 5;", levels),
    Mutant(R, "to < dense.size ? dense.row(row)[to] : 0;", "dense.row(row)[to];", levels),
    Mutant(R, "c = listed[row];", "c = row;", levels),
    Mutant(R, "Counter(__popc(some))));\n        at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());", "Counter(__popc(some))));\n        at = __shfl_sync(ALL_LANES, at, 0);", levels),
    Mutant(R, "        if (x == 0) continue;\n", "", levels),
    Mutant(R, "values[at] = static_cast<Value>(x);", "values[at] = 1;", levels),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([levels], MUTANTS)
