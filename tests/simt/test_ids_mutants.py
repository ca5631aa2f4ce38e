# ruff: noqa: E501  (mutants of one line)
"""The kernels over lists of ids, broken in the lines that matter.

The exercises hold lists, and containers under them, against NumPy's sets. Counts end within a word
and at its end; lists are empty, alike, and parts of one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.hypersparse.ids import ID, IdList, IdLists
from lagraph_gpu.gpu.hypersparse.stores import View, remapped
from tests.harness import CPU
from tests.simt.exercises import backends_of_both_offsets
from tests.simt.mutants import Mutant, suite

TOP = 2**60


def ids_among(rng: np.random.Generator, count: int, n: int = TOP) -> np.ndarray:
    """So many different ids, in order, the first and the last among them."""
    drawn = {0, n - 1, *rng.integers(0, n, count).tolist()}
    return np.array(sorted(drawn), np.int64)[-count:] if count else np.empty(0, np.int64)


def each() -> Iterator[tuple[np.random.Generator, GpuBackend, IdLists]]:
    for seed, backend in backends_of_both_offsets():
        yield np.random.default_rng(seed), backend, backend.hypersparse.ids


def unions() -> None:
    for rng, _, lists in each():
        pool = ids_among(rng, 200)
        for few, many in ((0, 0), (0, 5), (1, 1), (31, 33), (64, 64), (150, 170)):
            one, other = (np.sort(rng.choice(pool, k, replace=False)) for k in (few, many))
            first, second = IdList(one), IdList(other)
            for a, b in ((first, second), (second, first), (first, IdList(pool))):
                made = lists.union(a, b)
                assert made is not None
                np.testing.assert_array_equal(made.host, np.union1d(a.host, b.host))
                assert made.size == made.host.size
        whole, part = IdList(pool), IdList(pool[3:90])
        assert lists.union(part, whole) is whole and lists.union(whole, part) is whole
        again = IdList(pool.copy())
        assert not whole.alike(again)
        assert lists.union(whole, again) is whole and whole.alike(again)


def builds() -> None:
    """Sorted entries become rows by rank, and back."""
    for rng, backend, lists in each():
        for count in (1, 32, 33, 100):
            places = {(int(i), int(j)) for i, j in rng.choice(ids_among(rng, 40), (count, 2))}
            row, column = np.array(sorted(places)).T
            values = rng.random(row.size)
            up = backend.device.upload
            A, rows, columns = lists.listed(
                up(row.astype(ID)), up(column.astype(ID)), up(values), False
            )
            i, j, x = backend.as_matrix(A).to_coo()
            np.testing.assert_array_equal(rows.host[i], row)
            np.testing.assert_array_equal(columns.host[j], column)
            np.testing.assert_array_equal(x, values)
            begins = backend.device.download(A.indptr)  # to_coo does not read the last one
            np.testing.assert_array_equal(begins[:-1], np.unique(row, return_index=True)[1])
            assert begins[-1] == row.size
            assert rows.size == np.unique(row).size and columns.size == np.unique(column).size


def coordinates() -> None:
    """Many entries of few rows, which the device sorts."""
    for rng, backend, _ in each():
        backend.coordinates.least = 0
        n = 2**25
        i, j = (rng.choice(ids_among(rng, 40, n), 300) for _ in range(2))
        made, wanted = (
            lg.Matrix.from_coo(i, j, np.arange(300), nrows=n, ncols=n, dup_op="plus", backend=where)
            for where in (backend, CPU)
        )
        assert made._store.inner.nrows < 41
        for mine, theirs in zip(made.to_coo(), wanted.to_coo(), strict=True):
            np.testing.assert_array_equal(mine, theirs)


def matrix_of(
    rng: np.random.Generator, backend: GpuBackend, shape: tuple[int, int], density: float
) -> tuple[np.ndarray, Any]:
    dense = np.where(rng.random(shape) < density, rng.integers(1, 9, shape), 0)
    i, j = np.nonzero(dense)
    size = {"nrows": shape[0], "ncols": shape[1]}
    return dense, lg.Matrix.from_coo(i, j, dense[i, j], **size, backend=backend)


def laid_out(A: Any, ids: Any, n: int) -> np.ndarray:
    """All of a small matrix, whose entries lie at these ids."""
    out = np.zeros((n, n), np.int64)
    i, j, x = A.to_coo()
    out[i if ids[0] is None else ids[0].host[i], j if ids[1] is None else ids[1].host[j]] = x
    return out


def matrices() -> None:
    """Under longer lists, under shorter ones, and at all positions."""
    for rng, backend, lists in each():
        for n, k in ((40, 9), (70, 33), (66, 64)):
            rows, columns = (IdList(ids_among(rng, k, n)) for _ in range(2))
            _, A = matrix_of(rng, backend, (rows.size, columns.size), 0.2)
            view = View(A, (rows, columns), (n, n))
            right = laid_out(A, view.ids, n)
            more = [lists.union(ids, IdList(ids_among(rng, 7, n))) for ids in view.ids]
            for wanted in (
                (None, None), (rows, None), (None, columns), (more[0], columns), tuple(more)
            ):  # fmt: skip
                made = remapped(view, wanted, True)
                assert made.shape == tuple(n if ids is None else ids.size for ids in wanted)
                np.testing.assert_array_equal(laid_out(made, wanted, n), right)
            few = tuple(IdList(ids_among(rng, 12, n)) for _ in range(2))
            for have in (view, View(remapped(view, (None, None), True), (None, None), (n, n))):
                part = np.zeros_like(right)
                at = np.ix_(few[0].host, few[1].host)
                part[at] = right[at]
                np.testing.assert_array_equal(laid_out(remapped(have, few), few, n), part)


def positions() -> None:
    """Ids of rows and of columns as values."""
    for rng, backend, lists in each():
        _, A = matrix_of(rng, backend, (40, 33), 0.2)
        have = IdList(ids_among(rng, 40)), IdList(ids_among(rng, 33))
        i, j, _ = A.to_coo()
        for axis, at in ((0, i), (1, j)):
            for dtype in (np.dtype(np.int32), np.dtype(np.int64)):
                made = lists.positions(A._store, axis, have, 3, dtype)
                found = backend.as_matrix(made).to_coo()
                np.testing.assert_array_equal(found[2], (have[axis].host[at] + 3).astype(dtype))
                np.testing.assert_array_equal(found[0], i)


def used() -> None:
    for rng, backend, lists in each():
        for shape in ((1, 1), (32, 33), (70, 64), (65, 100)):
            dense, A = matrix_of(rng, backend, shape, 0.02)
            for axis in (0, 1):
                ids = IdList(ids_among(rng, shape[axis]))
                found = lists.used(A._store, axis, ids)
                there = np.flatnonzero(dense.any(axis=1 - axis))
                np.testing.assert_array_equal(found.host, ids.host[there])
                np.testing.assert_array_equal(lists.used(A._store, axis, None).host, there)
            full = matrix_of(rng, backend, (40, 40), 1)[1]._store
            ids = IdList(ids_among(rng, 40))
            assert lists.used(full, 0, ids) is ids


def vectors() -> None:
    for rng, backend, lists in each():
        for n, k in ((40, 9), (100, 64), (70, 1)):
            have = IdList(ids_among(rng, k, n - 1))
            for density in (0.4, 1.0):
                at = np.flatnonzero(rng.random(have.size) < density)
                u = lg.Vector.from_coo(at, at + 1, size=have.size, backend=backend)
                right = {int(have.host[i]): int(i) + 1 for i in at}
                view = View(u, (have,), (n,))
                whole = remapped(view, (None,), True)
                assert whole.to_dict() == right and whole.size == n
                for want in (ids_among(rng, 12, n), have.host[::2], np.arange(n)):
                    wanted = IdList(want.copy())
                    made = remapped(view, (wanted,)).to_dict()
                    ours = {int(want[i]): x for i, x in made.items()}
                    assert ours == {i: x for i, x in right.items() if i in set(want.tolist())}
                    made = remapped(View(whole, (None,), (n,)), (wanted,)).to_dict()
                    assert {int(want[i]): x for i, x in made.items()} == ours
                found = lists.of_bits(whole._store.bits, n, None)
                assert found.host.tolist() == sorted(right)


EXERCISES = (unions, builds, coordinates, matrices, positions, used, vectors)
MUTANTS = [
    Mutant("matrix/ids.cuh", "id < static_cast<Id>(count) ? id : static_cast<Id>(count)", "static_cast<Id>(count)", matrices),
    Mutant("matrix/ids.cuh", "ids[i] < id; });", "ids[i] <= id; });", matrices),
    Mutant("matrix/ids.cuh", "const bool first = e < one.count;", "const bool first = e <= one.count;", unions),
    Mutant("matrix/ids.cuh", "one.below(id + 1)", "one.below(id)", unions),
    Mutant("matrix/ids.cuh", "merged[i + before] = id;", "merged[i] = id;", unions),
    Mutant("matrix/ids.cuh", "const long long words = (count + 31) >> 5;", "const long long words = count >> 5;", unions),
    Mutant("matrix/ids.cuh", "ends[word] - __popc(left)", "ends[word]", unions),
    Mutant("matrix/ids.cuh", "ids == nullptr ? static_cast<Id>(e) : ids[e];", "ids[e];", used),
    Mutant("matrix/ids.cuh", "ids == nullptr ? static_cast<Id>(e) : ids[e];", "static_cast<Id>(e);", used),
    Mutant("matrix/ids.cuh", "if (begins != nullptr) begins[at] = static_cast<Offset>(e);", "", builds),
    Mutant("matrix/ids.cuh", "begins[at] = static_cast<Offset>(count);", "begins[at] = 0;", builds),
    Mutant("matrix/ids.cuh", "begins != nullptr && word == words - 1", "false", builds),
    Mutant("matrix/ids.cuh", "at < list.count && list.at(at) == wanted[i]", "at < list.count", vectors),
    Mutant("matrix/ids.cuh", "at < list.count && list.at(at) == wanted[i]", "list.at(at) == wanted[i]", vectors),
    Mutant("matrix/ids.cuh", "list.at(ranks[e])) + first", "list.at(ranks[e]))", positions),
    Mutant("matrix/ids.cuh", "list.at(ranks[e])) + first", "ranks[e]) + first", positions),
    Mutant("matrix/ids.cuh", "(new_rows.count + 1ll)", "(new_rows.count)", matrices),
    Mutant("matrix/ids.cuh", "indptr[end ? rows.count : rows.below", "indptr[end ? 0 : rows.below", matrices),
    Mutant("matrix/ids.cuh", "new_columns.below(columns.at(indices[e]))", "new_columns.below(indices[e])", matrices),
    Mutant("matrix/ids.cuh", "r < n && indptr[r] < indptr[r + 1]", "indptr[r] < indptr[r + 1]", used),
    Mutant("matrix/ids.cuh", "r < n && indptr[r] < indptr[r + 1]", "r < n", used),
    Mutant("matrix/ids.cuh", "claim(bits, indices[e]);", "bits[indices[e] >> 5] |= 1u << (indices[e] & 31);", used),
    Mutant("matrix/ids.cuh", "rows[e] = pairs[e] >> 32;", "rows[e] = pairs[e];", coordinates),
    Mutant("matrix/ids.cuh", "pairs[e] & 0xffffffffull", "pairs[e] >> 32", coordinates),
    Mutant("matrix/ids.cuh", "if (!present(bits, i)) continue;", "", vectors),
    Mutant("matrix/ids.cuh", "mark(out_bits, at);", "out_bits[at >> 5] |= 1u << (at & 31);", vectors),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
