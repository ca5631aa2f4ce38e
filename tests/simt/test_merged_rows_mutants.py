# ruff: noqa: E501  (mutants of one line)
"""The kernels that make the rows of Louvain's next level, broken on purpose.

The exercise adds up the rows that they made, and compares them with NumPy: few and many communities,
vertices without edges, one value for all entries, with dense rows for none, some and all numbers.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective, weight_within
from lagraph_gpu.notation.matrix import symmetric
from tests.simt.exercises import gpu
from tests.simt.mutants import Mutant, suite

N = 150
DENSE = 10**6, 4, 1, 0.25, 4, 0.25
"""All numbers with an entry have dense rows, or some, or hardly any, or none."""


def levels() -> None:
    for seed in range(6):
        level(seed)


def level(seed: int) -> None:
    rng, backend = np.random.default_rng(seed), gpu(seed)
    backend.device.max_blocks, backend.merged_rows.dense = 1 + seed % 2, DENSE[seed]
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
    label = rng.integers(0, (5, 140, 60, 140, 60, 90)[seed], N)
    given, group = Level.of(matrix, aim), lg.Vector.from_dense(label, backend=backend)
    found, number = backend.merged_rows._merged(given, group, aim)

    same = label[:, None] == label
    assert weight_within(group, given.B) == 2 * (A * same).sum() - 2 * np.trace(A)
    held = A.any(1)
    labels = np.unique(label[held])
    right = np.where(held, np.searchsorted(labels, label), labels.size)
    np.testing.assert_array_equal(number.to_dense(), right)
    size, B = labels.size + 1, 2 * A * (1 - np.eye(N, dtype=int))
    sums, entries = np.zeros((2, size, size))
    np.add.at(sums, (right[:, None], right), B)
    np.add.at(entries, (right[:, None], right), B > 0)
    assert found.loops.get(0) == np.trace(A) + np.trace(sums) / 2
    np.testing.assert_array_equal(found.entering.to_dense(), np.bincount(right, A.sum(1)))
    np.testing.assert_array_equal(found.k.to_dense(), 2 * found.entering.to_dense())
    with np.errstate(divide="ignore"):
        inverse = 1 / found.k.to_dense()
    np.testing.assert_array_equal(found.inverse_k.to_dense(), np.where(inverse < 9, inverse, 0))
    np.fill_diagonal(sums, 0)
    np.fill_diagonal(entries, 0)

    rows = found.B._store
    begins, columns, values = map(backend.device.download, (rows.indptr, rows.indices, rows.values))
    most = size // backend.merged_rows.dense
    dense = np.bincount(right, np.count_nonzero(B, 1), size) > most
    entries = np.where(dense[:, None] | dense, sums > 0, entries)
    lengths = entries.sum(1)
    np.testing.assert_array_equal(np.diff(begins), lengths)
    assert rows.nnz == begins[-1] and rows.iso == (seed % 3 == 2 and not dense.any())
    made = np.zeros((size, size))
    x = np.broadcast_to(values[:1], rows.nnz) if rows.iso else values[: rows.nnz]
    np.add.at(made, (np.repeat(np.arange(size), lengths.astype(int)), columns[: rows.nnz]), x)
    np.testing.assert_array_equal(made, sums)


R = "fused/merged_rows.cuh"
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
    Mutant(R, "values != nullptr ? B.values[e * B.stride] : 0;", "values != nullptr ? B.values[e] : 0;", levels),
    Mutant(R, "x[r] = B.values[e * B.stride];", "x[r] = B.values[e];", levels),
    Mutant(R, "from[r] = to[r] = r > 0 ? from[r - 1] : 0;", "from[r] = 1;", levels),
    Mutant(R, "alike &= from[r] == first || begin + 32 * r >= nnz;", "alike &= true;", levels),
    Mutant(R, "alike &= from[r] == first ||", "alike &= r < 3 ||", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] >= 0 && to[r] >= 0);", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] != to[r] && from[r] >= 0);", levels),
    Mutant(R, "from[r] != to[r] && from[r] >= 0 && to[r] >= 0);", "from[r] != to[r] && to[r] >= 0);", levels),
    Mutant(R, "all += __popc(beside[r]);", "all = __popc(beside[r]);", levels),
    Mutant(R, "kept += lane_id() == 0 ? all : 0;", "kept += 0;", levels),
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
    Mutant(R, "if (e < nnz && (far || !between)) x[r]", "if (e < nnz && far) x[r]", levels),
    Mutant(R, "if (e < nnz && (far || !between)) x[r]", "if (far || !between) x[r]", levels),
    Mutant(R, "if (!between) inside += x[r];", "inside += x[r];", levels),
    Mutant(R, "far ? pair_of(row, column) : ~Pair(0));", "far ? Pair(column) : ~Pair(0));", levels),
    Mutant(R, "fold_peers<Plus<double>>(far ? same : 0, x[r]);", "x[r];", levels),
    Mutant(R, "add_to(degrees, mine, x, x > 0);", "add_to(degrees, mine, 1.0, x > 0);", levels),
    Mutant(R, "twice[c] = 2 * degrees[c];", "twice[c] = degrees[c];", levels),
    Mutant(R, "degrees[c] > 0 ? 1 / (2 * degrees[c]) : 0;", "1 / (2 * degrees[c]);", levels),
    Mutant(R, "if (many) listed[at] = c;", "if (many) listed[0] = c;", levels),
    Mutant(R, "static_cast<long long>(at) * size;", "static_cast<long long>(at) * (size - 1);", levels),
    Mutant(R, "both = dense.place[to] < 0;", "both = true;", levels),
    Mutant(R, "        indices[turned] = c;\n", "        indices[turned] = to;\n", levels),
    Mutant(R, "        values[turned] = x;\n", "        values[turned] = 1;\n", levels),
    Mutant(R, "__ffs(peers) - 1;", "0;", levels),
    Mutant(R, "if (far && (same & lanes_below()) == 0)", "if (far)", levels),
    Mutant(R, "    inside = warp_reduce<Sum>(inside);\n", "", levels),
    Mutant(R, "(dense.size + 31u) >> 5;", "dense.size >> 5;", levels),
    Mutant(R, "to < dense.size ? dense.row(row)[to] : 0;", "dense.row(row)[to];", levels),
    Mutant(R, "c = listed[row];", "c = row;", levels),
    Mutant(R, "Counter(__popc(some))));\n        at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());", "Counter(__popc(some))));\n        at = __shfl_sync(ALL_LANES, at, 0);", levels),
    Mutant(R, "        if (x == 0) continue;\n", "", levels),
    Mutant(R, "        values[at] = x;\n        if (!both)", "        values[at] = 1;\n        if (!both)", levels),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([levels], MUTANTS)
