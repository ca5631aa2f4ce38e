# ruff: noqa: E501  (mutants of one line)
"""The kernels on the entries of a matrix, broken in the lines that matter: each mutant must be caught.

Matrices of every awkward kind: rows that fill words and rows that share one, many empty rows between
two entries, one row with everything, one value for all entries, row offsets of 64 bits; and more
words than a warp takes at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import edges_among, edges_between, edges_within
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import SEMIRINGS
from tests.graphs import dense_with_hub
from tests.simt.exercises import SEEDS, found, gpu, iso, matrix, offsets_of_64_bits, vector
from tests.simt.mutants import Mutant, suite


def shapes(seed: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    yield dense_with_hub(np.int32, seed)[:, :70]
    few = np.zeros((400, 9), np.int32)
    few[7], few[390, 3], few[399, 0] = 5, 6, 7
    yield few
    one = np.zeros((3, 1500), np.int32)
    one[1] = rng.integers(1, 9, 1500)
    yield one
    many = rng.integers(1, 9, (130, 95)).astype(np.int32)
    many[np.arange(95) >= np.r_[31, 1, 63, 33, rng.integers(0, 96, 126)][:, None]] = 0  # lengths
    many[20:60:3] = 0
    yield many


def squares(seed: int) -> Iterator[np.ndarray]:
    yield dense_with_hub(np.int32, seed)
    few = np.zeros((400, 400), np.int32)
    few[7, 7:50], few[390, 3], few[399, 0] = 5, 6, 7
    yield few


def kinds(
    seed: int, shapes: Callable[[int], Iterator[np.ndarray]] = shapes
) -> Iterator[tuple[GpuBackend, lg.Matrix, np.ndarray]]:
    """The same with values of their own and with one value, and row offsets of both widths."""
    for wide in (False, True):
        with offsets_of_64_bits(wide):
            backend = gpu(seed)
            backend.matrices.gather = seed
            backend.device.block_size, backend.device.max_blocks = 32, 2
            for A in shapes(seed):
                for made in (matrix(A, backend), iso(A, backend)):
                    assert (made._store.offset == np.int64) == wide
                    yield backend, made, found(made)


def same(got: lg.Matrix, right: np.ndarray) -> None:
    np.testing.assert_array_equal(found(got), right)
    assert got.nvals == np.count_nonzero(right)


def scaled() -> None:
    """By diagonals with holes, and by full ones, which leave the structure as it is."""
    times = SEMIRINGS["any_times"]
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        for backend, M, A in kinds(seed):
            for left in (True, False):
                size = A.shape[not left]
                for density in (0.4, 1.0):
                    d = np.where(rng.random(size) < density, rng.integers(1, 9, size), 0).astype(
                        np.int32
                    )
                    d[-1] = 3
                    D = vector(d, backend).diag()
                    got = times(D @ M if left else M @ D).new()
                    same(got, d[:, None] * A if left else A * d)
                    assert (got._store.indices is M._store.indices) == (got.nvals == M.nvals)


def scaled_by_row() -> None:
    """What stays has a value that only its row tells."""
    for seed in SEEDS:
        for backend, M, A in kinds(seed):
            d = np.random.default_rng(seed).random(A.shape[1]) < 0.5
            D = vector(d.astype(np.int32), backend).diag()
            got = SEMIRINGS["any_firsti1"](M @ D).new()
            same(got, np.where((A > 0) & d, np.arange(1, A.shape[0] + 1)[:, None], 0))


def between() -> None:
    """Entries by the labels at both ends: there, alike or different."""
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        for backend, M, A in kinds(seed, squares):
            n = A.shape[0]
            for density in (0.1, 0.7, 1.0):
                label = np.where(rng.random(n) < density, rng.integers(1, 4, n), 0)
                label[-1] = 1
                v, there = vector(label, backend), (label > 0)[:, None] & (label > 0)
                alike = label[:, None] == label
                same(edges_among(v, M), np.where(there, A, 0))
                same(edges_within(v, M), np.where(there & alike, A, 0))
                same(edges_between(v, M), np.where(there & ~alike, A, 0))


def selected() -> None:
    """By value, by row and by column; what keeps all entries is the matrix itself."""
    for seed in SEEDS:
        for _, M, A in kinds(seed):
            i, j = np.indices(A.shape)
            same(M.select(">=", 5).new(), np.where(A >= 5, A, 0))
            same(M.select("rowgt", 7).new(), np.where(i > 7, A, 0))
            same(M.select("offdiag").new(), np.where(i != j, A, 0))
            assert M.select("colgt", -1).new()._store is M._store
            assert M.select("colgt", A.shape[1]).new().nvals == 0


def mapped() -> None:
    for seed in SEEDS:
        for _, M, A in kinds(seed):
            i, j = np.nonzero(A)
            same(M.apply("ainv").new(), -A)
            np.testing.assert_array_equal(M.apply("rowindex").new().to_coo()[2], i)
            np.testing.assert_array_equal(M.apply("colindex").new().to_coo()[2], j)


def transposed() -> None:
    for seed in SEEDS:
        for backend, M, A in kinds(seed):
            indptr, columns, values = backend.matrix_entries(backend.matrices.transpose(M._store))
            at = np.nonzero(A.T)
            np.testing.assert_array_equal(np.repeat(np.arange(A.shape[1]), np.diff(indptr)), at[0])
            np.testing.assert_array_equal(columns, at[1])
            np.testing.assert_array_equal(values, A.T[at])


def through() -> None:
    """A mask of the very same entries is not searched."""
    for _, M, A in kinds(0):
        low = M.apply("band", 1).new()  # the same entries, with zeros
        odd = A % 2 == 1
        for mask, right in (
            (low.V, np.where(odd, A, 0)),
            (~low.V, np.where(odd, 0, A)),
            (low.S, A),
            (~low.S, np.zeros_like(A)),
        ):
            out = lg.Matrix("INT64", *A.shape, backend=M.backend)
            out(mask) << M
            same(out, right)
            old = M.apply("plus", 1).new()
            old(mask, replace=True) << M
            same(old, right)
            kept = M.apply("plus", 1).new()
            kept(mask) << M
            same(kept, np.where((right == 0) & (A > 0), A + 1, A))


EXERCISES = (scaled, scaled_by_row, between, selected, mapped, transposed, through)

MUTANTS = [
    Mutant("core/row_search.cuh", "indptr[row] <= e;", "indptr[row] < e;", scaled),
    Mutant("core/row_search.cuh", "first + 31 < end", "first < end", mapped),
    Mutant("core/row_search.cuh", "first + 31 < end", "first + 30 < end", mapped),
    Mutant("core/row_search.cuh", "indptr[next < nrows ? next : nrows]", "indptr[next]", mapped),
    Mutant("core/row_search.cuh", "end <= e; }", "end <= e + 1; }", mapped),
    Mutant("core/row_search.cuh", "beyond ? row_of(indptr, nrows, e) : row + passed", "row + passed", mapped),
    Mutant("core/row_search.cuh", "word < words && word < base + some;", "word < words && word < base + 1;", mapped),
    Mutant("core/row_search.cuh", "base += groups * some", "base += (groups + 1) * some", mapped),
    Mutant("matrix/entries.cuh", "x[s] = values[e * stride];", "x[s] = values[e];", mapped),
    Mutant("matrix/entries.cuh", "here(s) && E::keep(", "E::keep(", scaled),
    Mutant("matrix/entries.cuh", "E::keep_reads_row ? rows(word + s) : 0", "0", between),
    Mutant("matrix/entries.cuh", "if (lane_id() == s) mine = now;", "mine = now;", selected),
    Mutant("matrix/entries.cuh", "lane_id() >= IN_FLIGHT ||", "lane_id() > IN_FLIGHT ||", selected),
    Mutant("matrix/entries.cuh", " || ((word + lane_id()) << 5) >= nnz) return;", ") return;", selected),
    Mutant("matrix/entries.cuh", "counts[word + lane_id()] = __popc(mine);", "counts[word + lane_id()] = mine != 0;", selected),
    Mutant("matrix/entries.cuh", "((word + s) << 5) < nnz ? kept[word + s] : 0;", "kept[word + s];", selected),
    Mutant("matrix/entries.cuh", "before += __popc(marks[s]);", "", selected),
    Mutant("matrix/entries.cuh", "before + __popc(marks[s] & lanes_below())", "before + __popc(marks[s])", selected),
    Mutant("matrix/entries.cuh", "            if (!stays(s)) continue;\n", "", selected),
    Mutant("matrix/entries.cuh", "E::value_reads_row && marks[s] != 0 ? rows(word + s) : 0", "0", scaled_by_row),
    Mutant("matrix/entries.cuh", "E::value_reads_row ? rows(word + s) : 0;", "0;", mapped),
    Mutant("matrix/entries.cuh", "(Offset(nrows) + 1)) out_indptr", "(Offset(nrows))) out_indptr", selected),
    Mutant("matrix/entries.cuh", "(1u << (e & 31)) - 1;", "(2u << (e & 31)) - 1;", selected),
    Mutant("matrix/entries.cuh", "            if (!here(s)) continue;\n", "", mapped),
    Mutant("matrix/indexed.cuh", "present(bits, i) ? indptr[i + 1] - indptr[i] : 0;", "indptr[i + 1] - indptr[i];", scaled),
    Mutant("matrix/indexed.cuh", "A.indptr[i] + (e - out_indptr[i]);", "e;", scaled),
    Mutant("matrix/indexed.cuh", "        if (e >= nnz) return;\n", "", scaled),
    Mutant("matrix/indexed.cuh", "E::value(i, A.indices[from], A.values[from * A.stride]", "E::value(i, A.indices[from], A.values[from]", scaled),
    Mutant("matrix/indexed.cuh", "E::value(i, A.indices[from], A.values[from * A.stride]", "E::value(0, A.indices[from], A.values[from * A.stride]", scaled),
    Mutant("matrix/entries.cuh", "if (e < nnz) out[e] = i;", "out[e] = i;", transposed),
    Mutant("matrix/entries.cuh", "out_indices[e] = rows[from];", "out_indices[e] = rows[e];", transposed),
    Mutant("matrix/entries.cuh", "out_values[e] = values[from];", "out_values[e] = values[e];", transposed),
    Mutant("matrix/entries.cuh", "atomicAdd(reinterpret_cast<A*>(counts + j), A(__popc(alike)));", "counts[j] += __popc(alike);", transposed),
    Mutant("matrix/entries.cuh", "A(__popc(alike))", "A(1)", transposed),
    Mutant("matrix/entries.cuh", "if (j >= 0 && (alike & lanes_below()) == 0)", "if (j >= 0)", transposed),
    Mutant("matrix/entries.cuh", "if (j >= 0 && (alike", "if ((alike", transposed),
    Mutant("matrix/entries.cuh", "e < nnz ? indices[e] : -1", "indices[e]", transposed),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
