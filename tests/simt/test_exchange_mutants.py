# ruff: noqa: E501  (mutants of one line)
"""The kernels of the exchange with other libraries, broken in the lines that matter.

The exercises hold them against NumPy over sizes that end within a word, a block and a grid.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.gpu.storage.exchange import FOLLOWED_DIVISOR, LEAST_FOLLOWED
from tests.graphs import dense_with_hub
from tests.simt.device import ForeignArray
from tests.simt.exercises import SEEDS, gpu, iso, matrix
from tests.simt.mutants import Mutant, suite

SIZES = (1, 31, 32, 77, 400)


def foreign_rows(A: np.ndarray, offset: str = "i4", index: str = "i8") -> list[ForeignArray]:
    i, j = np.nonzero(A)
    indptr = np.searchsorted(i, np.arange(A.shape[0] + 1)).astype(offset)
    return [ForeignArray(a) for a in (indptr, j.astype(index), A[i, j])]


def checks() -> None:
    """Good rows pass; each defect is found wherever it is, and only that."""
    for seed in SEEDS:
        A = dense_with_hub(np.int32, seed)
        for offset, index in (("i4", "i4"), ("i8", "i8"), ("i4", "u4")):
            made = lg.Matrix.from_csr(*foreign_rows(A, offset, index), ncols=77, backend=gpu(seed))
            np.testing.assert_array_equal(made.to_dense(0), A)
    backend = gpu(0)
    indptr, columns, values = (a.get() for a in foreign_rows(A))
    begins = set(indptr.tolist())
    for e in range(0, columns.size, 37):
        for wrong, words in ((-1, "column ids"), (77, "column ids"), (None, "increasing")):
            if wrong is None and e in begins:
                continue
            broken = columns.copy()
            broken[e] = broken[e - 1] if wrong is None else wrong
            refused(words, backend, indptr, broken, values)
    for i in (*range(1, 77, 9), 76):
        broken = indptr.copy()
        broken[i] = indptr[i + 1] + 1
        refused("non-decreasing", backend, broken, columns, values)
    refused("begin with 0", backend, np.maximum(indptr, 1), columns, values)
    refused("end with", backend, np.minimum(indptr, indptr[-1] - 1), columns, values)


def refused(words: str, backend: Any, *arrays: np.ndarray) -> None:
    with pytest.raises(LagraphError, match=words):
        lg.Matrix.from_csr(*map(ForeignArray, arrays), ncols=77, backend=backend)


def conversions() -> None:
    for n in SIZES:
        backend = gpu(n)
        held = np.random.default_rng(n).integers(-100, 100, n).astype(np.int8)
        v = lg.Vector.from_dense(ForeignArray(held), dtype="FP64", backend=backend)
        np.testing.assert_array_equal(v.to_dense(), held.astype(float))
    backend = gpu(1)
    A = iso(dense_with_hub(np.int32, 1), backend)
    values = A.to_csr(device=True)[2].get()
    np.testing.assert_array_equal(values, A.to_csr()[2])


def dense() -> None:
    for n in SIZES:
        backend = gpu(n)
        held = np.random.default_rng(n).integers(0, 3, n)
        for missing in (None, 0, 2):
            v = lg.Vector.from_dense(ForeignArray(held), missing, backend=backend)
            there = np.ones(n, bool) if missing is None else held != missing
            at, values = v.to_coo()
            np.testing.assert_array_equal(at, np.flatnonzero(there))
            np.testing.assert_array_equal(values, held[there])
            for fill in (9, 0.5):
                wanted = np.where(there, held, fill)
                np.testing.assert_array_equal(v.to_dense(fill, device=True).get(),
                                              wanted if missing is not None else held)  # fmt: skip


def nans() -> None:
    """A missing NaN stands for every NaN; another missing value for none."""
    for n, dtype in itertools.product(SIZES, (np.float32, np.float64, np.complex128)):
        held = np.random.default_rng(n).integers(0, 3, n).astype(dtype)
        held[held == 1] = np.nan
        for missing in (np.nan, 2):
            v = lg.Vector.from_dense(ForeignArray(held), missing, backend=gpu(n))
            there = ~np.isnan(held) if missing != 2 else held != 2
            at, values = v.to_coo()
            np.testing.assert_array_equal(at, np.flatnonzero(there))
            np.testing.assert_array_equal(values, held[there])
    whole = lg.Vector.from_dense(ForeignArray(np.arange(5)), np.nan, backend=gpu(5))
    assert whole.nvals == 5


def gathering() -> None:
    for n in (*SIZES, 9 * max(SIZES)):
        backend = gpu(n)
        held = np.random.default_rng(n).integers(0, 3, n)
        v = lg.Vector.from_dense(held, missing_value=0, backend=backend)
        index, values = v.to_coo(device=True)
        np.testing.assert_array_equal(index.get(), np.flatnonzero(held))
        np.testing.assert_array_equal(values.get(), held[held > 0])


def splitting() -> None:
    """Rows from a dense array: some empty, also the first and the last ones; of one column, too."""
    for seed, shape in enumerate([(77, 77), (9, 1), (1, 40), (200, 3)]):
        held = np.random.default_rng(seed).integers(0, 3, shape)
        held[:2] = held[5:8] = held[-1:] = 0
        for missing in (0, 2):
            M = lg.Matrix.from_dense(ForeignArray(held), missing, backend=gpu(seed))
            i, j, values = M.to_coo()
            np.testing.assert_array_equal((i, j), np.nonzero(held != missing))
            np.testing.assert_array_equal(values, held[held != missing])


def elements() -> None:
    A = dense_with_hub(np.int32, 2)
    backend = gpu(2)
    M = matrix(A, backend)
    for i in (0, 5, 8, 9, 10, 76):
        for j in range(77):
            assert M.get(i, j, 0) == A[i, j]


def chains() -> None:
    """Up to as many ancestors as are followed, and one more; broken chains are left to others."""
    for n in (1, 300, 700):
        backend = gpu(n)
        most = min(n, LEAST_FOLLOWED + n // FOLLOWED_DIVISOR)
        above = np.maximum(np.arange(n) - 1, 0)
        held = np.arange(n) != 5
        parent = lg.Vector.from_coo(np.flatnonzero(held), above[held], size=n, backend=backend)
        whole = lg.Vector.from_dense(above, backend=backend)
        for vertex in {0, min(n - 1, 4), most - 1, n - 1}:
            found = backend.exchange.few_ancestors(whole, vertex)
            assert found == ([*range(vertex, -1, -1)] if vertex < most else None)
        if n > 1:
            assert backend.exchange.few_ancestors(parent, 5) == []
            assert backend.exchange.few_ancestors(parent, 6) is None
            for wrong in (-1, n, 4 + (1 << 32)):
                above[3] = wrong
                broken = lg.Vector.from_dense(above, backend=backend)
                assert backend.exchange.few_ancestors(broken, 4) is None
                assert backend.exchange.few_ancestors(broken, 3) == ([] if wrong < 0 else None)


EXERCISES = (checks, conversions, dense, nans, gathering, splitting, elements, chains)

MUTANTS = [
    Mutant("matrix/exchange.cuh", "indptr[row] < e;", "indptr[row] <= e;", checks),
    Mutant("matrix/exchange.cuh", "partition_point(0, nrows,", "partition_point(0, nrows / 2,", checks),
    Mutant("matrix/exchange.cuh", "if (indptr[0] != 0) found |= BEGINS_ELSEWHERE;", "", checks),
    Mutant("matrix/exchange.cuh", "if (indptr[nrows] != nnz) found |= ENDS_ELSEWHERE;", "", checks),
    Mutant("matrix/exchange.cuh", "(nrows))", "(nrows - 1))", checks),
    Mutant("matrix/exchange.cuh", "(nrows))", "(nrows + 1ll))", checks),
    Mutant("matrix/exchange.cuh", "if (indptr[i + 1] < indptr[i])", "if (indptr[i + 1] + 1 < indptr[i])", checks),
    Mutant("matrix/exchange.cuh", "(nnz))", "(thread_count<long long>()))", checks),
    Mutant("matrix/exchange.cuh", "j < Id(0) || j >=", "j >=", checks),
    Mutant("matrix/exchange.cuh", "j >= static_cast<Id>(ncols)", "j > static_cast<Id>(ncols)", checks),
    Mutant("matrix/exchange.cuh", "j <= indices[e - 1]", "j < indices[e - 1]", checks),
    Mutant("matrix/exchange.cuh", "e > 0 && j <= indices", "j <= indices", checks),
    Mutant("matrix/exchange.cuh", " && !begins_row(indptr, nrows, e)", "", checks),
    Mutant("matrix/exchange.cuh", "if (found != 0) atomicOr(wrong, found);", "if (found != 0) *wrong = found;", checks),
    Mutant("matrix/exchange.cuh", "arithmetic::cast<To>(from[i * stride])", "arithmetic::cast<To>(from[i])", conversions),
    Mutant("matrix/exchange.cuh", "arithmetic::cast<To>(from[i * stride])", "arithmetic::cast<To>(from[0])", conversions),
    Mutant("matrix/exchange.cuh", "i < n && (all", "(all", dense),
    Mutant("matrix/exchange.cuh", "i < n && (all || (", "i < n && ((", dense),
    Mutant("matrix/exchange.cuh", "(nan ? !arithmetic::isnan(values[i]) : values[i] != missing)", "false", dense),
    Mutant("matrix/exchange.cuh", "nan ? !arithmetic::isnan(values[i]) :", "", nans),
    Mutant("matrix/exchange.cuh", "!arithmetic::isnan(values[i])", "true", nans),
    Mutant("matrix/exchange.cuh", "if (lane_id() == 0) bits[word] = now;", "bits[word] = i < n ? now : 0;", dense),
    Mutant("matrix/exchange.cuh", "present(bits, static_cast<Index>(i)) ? arithmetic::cast<To>(values[i]) : fill", "arithmetic::cast<To>(values[i])", dense),
    Mutant("matrix/exchange.cuh", "from[where[t < n ? t : first]]", "from[t < n ? t : first]", gathering),
    Mutant("matrix/exchange.cuh", "t < n ? t : first", "t", gathering),
    Mutant("matrix/exchange.cuh", "if (first + s * threads < n) to", "to", gathering),
    Mutant("matrix/exchange.cuh", "first += IN_FLIGHT * threads", "first += 2 * IN_FLIGHT * threads", gathering),
    Mutant("matrix/exchange.cuh", "where[e] % ncols", "where[e]", splitting),
    Mutant("matrix/exchange.cuh", "where[e] % ncols", "where[e] % nrows", splitting),
    Mutant("matrix/exchange.cuh", "(n)) indices[e]", "(n - 1)) indices[e]", splitting),
    Mutant("matrix/exchange.cuh", "where[at] < row * ncols", "where[at] <= row * ncols", splitting),
    Mutant("matrix/exchange.cuh", "where[at] < row * ncols", "where[at] < row * nrows", splitting),
    Mutant("matrix/exchange.cuh", "(nrows + 1ll)", "(nrows)", splitting),
    Mutant("matrix/exchange.cuh", "partition_point(0, n,", "partition_point(0, n - 1,", splitting),
    Mutant("matrix/exchange.cuh", "at < n && count < room", "count < room", chains),
    Mutant("matrix/exchange.cuh", "at >= 0 && at < n", "at < n", chains),
    Mutant("matrix/exchange.cuh", "at < n && count < room", "at < n", chains),
    Mutant("matrix/exchange.cuh", "if (!present(bits, static_cast<Index>(at))) break;\n        const long long above", "const long long above", chains),
    Mutant("matrix/exchange.cuh", "if (count == 0 && above < 0) break;", "", chains),
    Mutant("matrix/exchange.cuh", "found[0] = count == 0 ? 0 : -1;", "found[0] = -1;", chains),
    Mutant("matrix/exchange.cuh", "indices[e] < column;", "indices[e] <= column;", elements),
    Mutant("matrix/exchange.cuh", "e < end && indices[e]", "indices[e]", elements),
    Mutant("matrix/exchange.cuh", "&& indices[e] == column ?", "?", elements),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
