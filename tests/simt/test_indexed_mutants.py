# ruff: noqa: E501  (mutants of one line)
"""The kernels of matrices' parts, broken in the lines that matter: each mutant must be caught."""

from __future__ import annotations

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import entry_numbers
from lagraph_gpu.errors import IndexOutOfBound
from lagraph_gpu.graph.facts import row_lengths
from lagraph_gpu.notation import expressions
from semirings import BINARY
from tests.graphs import dense_with_hub
from tests.harness import lowered
from tests.simt.exercises import (
    SEEDS,
    backends_of_both_offsets,
    found,
    gpu,
    iso,
    matrix,
    sparse,
    vector,
)
from tests.simt.mutants import Mutant, suite
from tests.simt.test_spmv_ewise_mutants import elementwise


def extraction() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A = dense_with_hub(np.int32, seed)[:, :70]
        rows = np.random.default_rng(seed).integers(0, 77, 90)
        columns = np.random.default_rng(seed).permutation(70)[:41]
        a = matrix(A, backend)
        np.testing.assert_array_equal(found(a[rows, :].new()), A[rows])
        np.testing.assert_array_equal(found(a[:, columns].new()), A[:, columns])
        np.testing.assert_array_equal(found(a[rows, columns].new()), A[np.ix_(rows, columns)])
        same = iso(A, backend)
        np.testing.assert_array_equal(found(same[rows, :].new()), np.where(A[rows] > 0, A.max(), 0))
        for v, expected in ((a[5, :], A[5]), (a[:, 5], A[:, 5]), (a[:, 6], A[:, 6]), (a[9, :], A[9]),
                            (same[5, :], np.full(70, A.max())), (same[:, 5], (A[:, 5] > 0) * A.max())):  # fmt: skip
            made = v.new()
            np.testing.assert_array_equal(made.to_dense(0), expected)
            assert made.nvals == np.count_nonzero(expected)
        for k in (-9, 0, 2):
            diagonal = np.diagonal(A, k)
            np.testing.assert_array_equal(a.diag(k).to_dense(0), diagonal)
            assert a.diag(k).nvals == np.count_nonzero(diagonal)


def assignment() -> None:
    plus = BINARY["plus"]
    for seed in SEEDS:
        backend = gpu(seed)
        rng = np.random.default_rng(seed)
        A, T = dense_with_hub(np.int32, seed)[:, :70], dense_with_hub(np.int32, seed + 7)[:40, :33]
        rows, columns = rng.permutation(77)[:40], rng.permutation(70)[:33]
        wanted = rng.random(A.shape) < 0.5
        mask, t = matrix(wanted.astype(np.int8), backend), matrix(T, backend)
        inside = np.zeros(A.shape, bool)
        inside[np.ix_(rows, columns)] = True
        B = np.zeros_like(A)
        B[np.ix_(rows, columns)] = T
        for replace in (False, True):
            for accum in (None, plus):
                C = matrix(A, backend)
                C(mask.S, accum, replace=replace)[rows, columns] << t
                z = np.where(inside, A + B if accum else B, A)
                expected = np.where(wanted, z, 0 if replace else A)
                np.testing.assert_array_equal(found(C), expected)
                assert C.nvals == np.count_nonzero(expected)
        for chosen, where in ((mask.S, wanted & inside), (~mask.S, ~wanted & inside)):
            C = matrix(A, backend)
            C(chosen)[rows, columns] << 11
            np.testing.assert_array_equal(found(C), np.where(where, 11, A))
        C = matrix(A, backend)
        C[rows, :] << 11
        expected = A.copy()
        expected[rows] = 11
        np.testing.assert_array_equal(found(C), expected)
        C[:, 3] << vector(np.arange(77) % 3, backend)
        expected[:, 3] = np.arange(77) % 3
        np.testing.assert_array_equal(found(C), expected)


def of_vectors() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        u = sparse(np.int32, seed)
        u[-1] = 5
        v = vector(u, backend)
        row, column = expressions.OfVector(v, "row").new(), expressions.OfVector(v, "column").new()
        np.testing.assert_array_equal(found(row), u[None, :])
        np.testing.assert_array_equal(found(column), u[:, None])
        assert row.nvals == column.nvals == np.count_nonzero(u)
        for k in (-3, 0, 40):
            np.testing.assert_array_equal(found(v.diag(k)), np.diag(u, k))
        chosen = np.zeros((u.size, 400), bool)
        chosen[np.flatnonzero(u), u[u > 0]] = True
        S = v.selector(400)
        np.testing.assert_array_equal(found(S), chosen)
        assert S.nvals == np.count_nonzero(u)
        whole = lg.Vector.from_dense(u, backend=backend)  # a full one, with zeros
        np.testing.assert_array_equal(found(whole.selector(400)), np.arange(400) == u[:, None])
        for wrong in (-1, 400):
            v[3] = wrong
            with pytest.raises(IndexOutOfBound):
                v.selector(400)


def numbers() -> None:
    for seed in SEEDS:
        u = sparse(np.int32, seed)
        u[-1] = 5
        made = lowered(entry_numbers, vector(u, gpu(seed)))
        at, number = made.to_coo()
        assert at.tolist() == np.flatnonzero(u).tolist()
        assert number.tolist() == list(range(at.size)) and made.nvals == at.size


def lengths() -> None:
    for _, backend in backends_of_both_offsets():
        A = dense_with_hub(np.int32, 1)[:, :70]
        A[[0, 40, 76]] = 0
        made = lowered(row_lengths, matrix(A, backend))
        np.testing.assert_array_equal(made.to_dense(0), np.count_nonzero(A, 1))
        assert made.dtype == np.int64 and made.nvals == np.count_nonzero(A.any(1))


def blocks() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, B = dense_with_hub(np.int32, seed)[:9, :11], dense_with_hub(np.int32, seed + 1)[:13, :7]
        a, b = matrix(A, backend), matrix(B, backend)
        np.testing.assert_array_equal(found(a.kronecker(b).new()), np.kron(A, B))
        # the values of one that has but a single value are not stored
        ones = np.where(A > 0, A.max(), 0)
        np.testing.assert_array_equal(found(iso(A, backend).kronecker(b).new()), np.kron(ones, B))
        ones = np.where(B > 0, B.max(), 0)
        np.testing.assert_array_equal(found(a.kronecker(iso(B, backend)).new()), np.kron(A, ones))
        C, D = dense_with_hub(np.int32, seed)[20:29, :33], dense_with_hub(np.int32, seed)[:40, 9:20]
        E, F = (
            dense_with_hub(np.int32, seed)[30:70, 5:38],
            np.where(dense_with_hub(np.int32, seed) > 0, 4, 0),
        )
        F = F[30:70, :44].astype(np.int32)
        whole = lg.concat(
            [[a, matrix(C, backend)], [matrix(D, backend), matrix(E, backend)], [iso(F, backend)]]
        )
        np.testing.assert_array_equal(found(whole), np.block([[A, C], [D, E], [F]]))


EXERCISES = (extraction, assignment, of_vectors, numbers, lengths, blocks)

MUTANTS = [
    Mutant("matrix/indexed.cuh", "if (present(bits, p)) numbers[p] = rank<long long>(bits, ends, p);", "if (present(bits, p)) numbers[p] = ends[p >> 5];", numbers),
    Mutant("matrix/indexed.cuh", "numbers[p] = rank<long long>(bits, ends, p);", "numbers[p] = p;", numbers),
    Mutant("matrix/indexed.cuh", "i < n ? indptr[i + 1] - indptr[i] : 0;", "indptr[i + 1] - indptr[i];", lengths),
    Mutant("matrix/indexed.cuh", "if (length > 0) out[i] = length;", "out[i] = length;", lengths),
    Mutant("matrix/indexed.cuh", "ballot_sync(ALL_LANES, length > 0)", "ballot_sync(ALL_LANES, i < n)", lengths),
    Mutant("matrix/indexed.cuh", "index[r] < 0 ? 0 : ", "", assignment),
    Mutant("matrix/indexed.cuh", "indptr[index[r] + 1] - indptr[index[r]]", "indptr[r + 1] - indptr[r]", extraction),
    Mutant("matrix/indexed.cuh", "const Offset from = indptr[index[r]]", "const Offset from = indptr[r]", extraction),
    Mutant("matrix/indexed.cuh", "if (values != nullptr) out_values[e] = values[from];", "out_values[e] = values[from];", extraction),
    Mutant("matrix/indexed.cuh", "room[first + r] += indptr", "room[first + r] = indptr", blocks),
    Mutant("matrix/indexed.cuh", "room[first + r] += indptr", "room[r] += indptr", blocks),
    Mutant("matrix/indexed.cuh", "const long long to = room[first + r] + (e - matrix.indptr[r]);", "const long long to = room[r] + (e - matrix.indptr[r]);", blocks),
    Mutant("matrix/indexed.cuh", "out_indices[to] = column + matrix.indices[e];", "out_indices[to] = matrix.indices[e];", blocks),
    Mutant("matrix/indexed.cuh", "arithmetic::cast<Z>(matrix.values[e * matrix.stride])", "arithmetic::cast<Z>(matrix.values[e])", blocks),
    Mutant("matrix/indexed.cuh", "(unsigned w : grid_stride<unsigned>(words_of(n)))", "(unsigned w : grid_stride<unsigned>(words_of(n) - 1))", of_vectors),
    Mutant("matrix/indexed.cuh", "if (!present(bits, p)) continue;", "", of_vectors),
    Mutant("matrix/indexed.cuh", "indices[at] = p * column_step + column;", "indices[at] = p + column;", of_vectors),
    Mutant("matrix/indexed.cuh", "ends == nullptr ? p : static_cast", "static_cast", of_vectors),
    Mutant("matrix/indexed.cuh", "ends == nullptr ? p : static_cast<Index>(rank<long long>(bits, ends, p))", "p", of_vectors),
    Mutant("matrix/indexed.cuh", "column >= 0 && column < ncols", "column < ncols", of_vectors),
    Mutant("matrix/indexed.cuh", "column >= 0 && column < ncols", "column >= 0 && column <= ncols", of_vectors),
    Mutant("matrix/indexed.cuh", "if (p == unsigned(n)) totals[0] = at;", "if (p + 1 == unsigned(n)) totals[0] = at;", of_vectors),
    Mutant("matrix/indexed.cuh", "if (p == unsigned(n) || !present(bits, p)) continue;", "if (p == unsigned(n)) continue;", of_vectors),
    Mutant("matrix/indexed.cuh", "indices[at] = p * column_step + column;", "indices[at] = p * column_step;", of_vectors),
    Mutant("matrix/indexed.cuh", "row_step == 1 ? Index(r) - row", "row_step == 1 ? Index(r)", of_vectors),
    Mutant("matrix/indexed.cuh", "before = before < 0 ? 0 : before > n ? n : before;", "before = before < 0 ? 0 : before;", of_vectors),
    Mutant("matrix/indexed.cuh", "before = before < 0 ? 0 : before > n ? n : before;", "before = before > n ? n : before;", of_vectors),
    Mutant("matrix/indexed.cuh", "(unsigned(nrows) + 1)", "(nrows)", of_vectors),
    Mutant("matrix/indexed.cuh", "        claim(bits, matrix.indices[e]);\n", "        bits[matrix.indices[e] >> 5] |= 1u << (matrix.indices[e] & 31);\n", extraction),
    Mutant("matrix/indexed.cuh", "out[matrix.indices[e]] = matrix.values[e * matrix.stride];", "out[matrix.indices[e]] = matrix.values[e];", extraction),
    Mutant("matrix/indexed.cuh", "if (has) out[p] = rows.values[e * rows.stride];", "if (has) out[p] = rows.values[e];", extraction),
    Mutant("matrix/indexed.cuh", "has = matrix.at(e, p + row, p * step + column);", "has = true;", extraction),
    Mutant("matrix/indexed.cuh", "matrix.seek(p + row, p * step + column)", "matrix.seek(p, p * step + column)", extraction),
    Mutant("matrix/indexed.cuh", "columns == nullptr ? c : columns[c]", "c", assignment),
    Mutant("matrix/indexed.cuh", "rest = left - B.indptr[r] * degree", "rest = left", blocks),
    Mutant("matrix/indexed.cuh", "static_cast<Offset>(left / degree)", "static_cast<Offset>(left / b_nnz)", blocks),
    Mutant("matrix/indexed.cuh", "Op::apply(A.values[at * A.stride], B.values[bt * B.stride], 0, 0)", "Op::apply(A.values[at], B.values[bt * B.stride], 0, 0)", blocks),
    Mutant("matrix/indexed.cuh", "Op::apply(A.values[at * A.stride], B.values[bt * B.stride], 0, 0)", "Op::apply(A.values[at * A.stride], B.values[bt], 0, 0)", blocks),
    Mutant("matrix/indexed.cuh", "if (thread_id<Out>() == 0) indptr[rows] = nnz;", "", blocks),
    Mutant("matrix/indexed.cuh", "+ degree * B.indptr[r];", "+ B.indptr[r];", blocks),
    Mutant("matrix/indexed.cuh", "inverse[positions[t]] = t;", "inverse[t] = positions[t];", assignment),
    Mutant("matrix/indexed.cuh", "if (bits != nullptr) claim(bits, positions[t]);", "bits[positions[t] >> 5] |= 1u << (positions[t] & 31);", elementwise),
    Mutant("matrix/entries.cuh", "present(rows, i) && present(columns, j)", "present(rows, i)", assignment),
    Mutant("matrix/entries.cuh", "present(rows, i) && present(columns, j)", "present(columns, j)", assignment),
    Mutant("matrix/ewise_matrix.cuh", "(wanted && mask.reaches(i, j))", "wanted", assignment),
    Mutant("matrix/ewise_matrix.cuh", "writes, wanted || !replace)", "writes, !replace)", assignment),
    Mutant("matrix/ewise_matrix.cuh", "M::both(x[s], y[s], i, j, found & WRITES)", "M::both(x[s], y[s], i, j, false)", assignment),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
