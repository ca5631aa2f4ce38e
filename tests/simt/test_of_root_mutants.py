# ruff: noqa: E501  (mutants of one line)
"""Vectors and matrices on their way between the device of the root and those of all processes, and
the kernels broken in the lines that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.convert.compressed_rows import compress
from lagraph_gpu.gpu.device import peers
from semirings import types
from tests.cluster.turns import on_ranks
from tests.simt.exercises import gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite

SIZES = [(3, 334), (2, 75), (40, 170), (5, 3), (2, 0)]


def there_and_back(
    backend: Any, root: int, shape: tuple[int, ...], dtype: np.dtype, make: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """What `make` makes on the root, as the part that this process gets of it, and as the whole
    that the root gets of the parts."""
    distribution = backend.distribution
    exchange, comm, met = (
        distribution.devices.root_exchange,
        distribution.comm,
        distribution.comm.agree,
    )
    whole = make(distribution.local) if comm.rank == root else None
    dealt = [] if whole is None else [exchange.dealt(whole)]
    notes = comm.transport.met("notes", [one.notes for one in dealt])[root][0]
    (part,) = exchange.scatter([(shape, dtype, notes[comm.rank])], dealt, root, met)

    def tell(mine: Any) -> np.ndarray:
        return distribution.counts(*mine)  # type: ignore[no-any-return]

    return part, exchange.gather(part, shape, root, tell, met)


@contextmanager
def pieces(of: int) -> Iterator[None]:
    """Arrays go so many elements at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peers, "PIECE", of)
        yield


def vectors() -> None:
    """Some positions have an entry, all, and so few that they go as lists; some processes have no
    position."""
    dense, kinds = (0.5, 2, 0.1, 0.9, 1), ("INT64", "FP32", "BOOL", "FP64", "INT8")
    for seed, ((size, n), some, kind) in enumerate(zip(SIZES, dense, kinds, strict=True)):
        rng, dtype = np.random.default_rng(seed), types.lookup(kind).dtype
        index, value = np.flatnonzero(rng.random(n) < some), rng.integers(1, 100, n).astype(dtype)
        with pieces(1 << 24 if seed else 11):
            on_ranks(size, partial(vector_goes, n=n, index=index, value=value), gpu(seed))


def vector_goes(backend: Any, n: int, index: np.ndarray, value: np.ndarray) -> None:
    local, rank, size = (
        getattr(backend.distribution, name) for name in ("local", "rank", "size")
    )  # fmt: skip
    for root in {0, size - 1}:
        part, whole = there_and_back(
            backend, root, (n,), value.dtype,
            lambda made: made.build_vector(n, index, value[index]),
        )  # fmt: skip
        own = index[index % size == rank]
        assert part.size == len(range(rank, n, size)) and part.count in (None, own.size)
        place, held = local.vector_entries(part)
        np.testing.assert_array_equal(place * size + rank, own)
        np.testing.assert_array_equal(held, value[own])
        assert (whole is None) == (rank != root)
        if whole is not None:
            found, held = local.vector_entries(whole)
            np.testing.assert_array_equal(found, index)
            np.testing.assert_array_equal(held, value[index])
            assert whole.count == index.size


def matrices() -> None:
    """With a value for each entry and one for all, long rows and rows without entries, and offsets
    of 64 bits; also without any entry, and without rows for some processes."""
    for seed, (size, n) in enumerate(SIZES):
        rng, iso = np.random.default_rng(seed), seed == 1
        dtype = types.lookup(("FP64", "INT32", "BOOL")[seed % 3]).dtype
        cells = rng.random((n, 60)) < np.where(rng.random(n) < 0.1, 0.9, 0.03)[:, None]
        cells[n // 2 : n // 2 + 40] = False
        count = np.count_nonzero(cells)
        value = (np.full(count, 7) if iso else rng.integers(0, 100, count)).astype(dtype)
        with offsets_of_64_bits(seed == 2), pieces(50 if seed == 1 else 1 << 24):
            on_ranks(size, partial(matrix_goes, cells=cells, value=value, iso=iso), gpu(seed))


def matrix_goes(backend: Any, cells: np.ndarray, value: np.ndarray, iso: bool) -> None:
    distribution, (row, column) = backend.distribution, np.nonzero(cells)
    local, rank, size = distribution.local, distribution.rank, distribution.size

    def expect(made: Any, mine: np.ndarray, numbers: np.ndarray) -> None:
        ends, columns, held = local.matrix_entries(made)
        np.testing.assert_array_equal(np.repeat(np.arange(made.shape[0]), np.diff(ends)), numbers)
        np.testing.assert_array_equal(columns, column[mine])
        np.testing.assert_array_equal(held, value[mine])
        assert made.iso == iso or not mine.any()
        longest = np.diff(ends).max(initial=0)
        assert made.pattern.max_degree is None or made.pattern.max_degree >= longest

    rows = compress(row, cells.shape[0]), column, value
    for root in {0, size - 1}:
        part, whole = there_and_back(
            backend, root, cells.shape, value.dtype,
            lambda made: made.build_matrix(cells.shape, rows, iso=iso),
        )  # fmt: skip
        mine = row % size == rank
        expect(part, mine, row[mine] // size)
        assert (whole is None) == (rank != root)
        if whole is not None:
            expect(whole, np.ones(row.size, bool), row)


def values_of_parts_that_differ() -> None:
    """Parts with one value each, of which two are not the same; one without entries."""
    for last in (4, 5):
        on_ranks(3, partial(parts_of_one_value, last=last), gpu(0))


def parts_of_one_value(backend: Any, last: int) -> None:
    distribution = backend.distribution
    rank, local, met = distribution.rank, distribution.local, distribution.comm.agree
    ends = np.array([0, 2, 3]) if rank < 2 else np.zeros(3, np.int64)
    value = np.full(int(ends[-1]), last if rank == 1 else 4, np.int64)
    rows = ends, np.array([1, 3, 0])[: value.size], value
    part = local.build_matrix((2, 6), rows, iso=value.size > 0)
    exchange = distribution.devices.root_exchange
    whole = exchange.gather(part, (6, 6), 0, lambda mine: distribution.counts(*mine), met)
    assert (whole is None) == (rank > 0)
    if whole is not None:
        ends, columns, values = local.matrix_entries(whole)
        assert ends.tolist() == [0, 2, 4, 4, 5, 6, 6]
        assert columns.tolist() == [1, 3, 1, 3, 0, 0]
        assert values.tolist() == [4, 4, last, last, 4, last] and whole.iso == (last == 4)


EXERCISES = (vectors, matrices, values_of_parts_that_differ)

P, V, M = "core/parts.cuh", "vector/distributed.cuh", "matrix/distributed_rows.cuh"
MUTANTS = [
    Mutant(P, "return each + (part < longer);", "return each + 1;", vectors),
    Mutant(P, "static_cast<long long>(part) * each + (part < longer ? part : longer);", "static_cast<long long>(part) * each + part;", vectors),
    Mutant(P, "return begin(part_of(i)) + place_of(i);", "return i;", matrices),
    Mutant(P, "before * words_of(each + 1) + (part - before) * words_of(each);", "part * words_of(each + 1);", vectors),
    Mutant(P, "longer + (word - ahead) / words_of(each)", "(word - ahead) / words_of(each)", vectors),
    Mutant(V, "place < parts.size(part) ? place * parts.count + part : -1;", "place * parts.count + part;", vectors),
    Mutant(V, "const bool here = i >= 0 && present(bits, i);", "const bool here = i >= 0;", vectors),
    Mutant(V, "part_values[parts.begin(part) + place] = values[i];", "part_values[parts.begin(part) + place] = values[place];", vectors),
    Mutant(V, "lane_id() == 0 && part_bits != nullptr", "lane_id() == 0", vectors),
    Mutant(V, "part_bits[word] = entries;", "part_bits[word] = ALL_LANES;", vectors),
    Mutant(M, "static_cast<Index>(indptr[i + 1] - indptr[i]);", "1;", matrices),
    Mutant(M, "lengths[i] = dealt[parts.at(i)];", "lengths[i] = dealt[i];", matrices),
    Mutant(M, "unsigned(parts.count) + 1)) first[part] = dealt[parts.begin(part)];", "unsigned(parts.count))) first[part] = dealt[parts.begin(part)];", matrices),
    Mutant(M, "first[part] = dealt[parts.begin(part)];", "first[part] = dealt[part];", matrices),
    Mutant(M, "if (e >= nnz) return;", "", matrices),
    Mutant(M, "dealt[parts.at(i)] + (e - indptr[i]);", "dealt[parts.at(i)];", matrices),
    Mutant(M, "DEALS ? e : there, to = DEALS ? there : e;", "e, to = there;", matrices),
    Mutant(M, "out_columns[to] = columns[from];", "out_columns[to] = columns[e];", matrices),
    Mutant(M, "if (values != nullptr) out_values[to] = values[from];", "if (values != nullptr) out_values[to] = values[0];", matrices),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
