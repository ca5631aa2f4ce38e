# ruff: noqa: E501  (mutants of one line)
"""The kernels of the product of two matrices within a mask, broken: each mutant must be caught.

As in test_spgemm_mutants: every row of the mask, and of A, meets every way of doing it, for tables
have few slots here, a warp takes rows of few products, and tiles are small.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.triangles import closed_wedges
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.spgemm import masked_products
from lagraph_gpu.planning import masked_product
from semirings import plus_pair, plus_times
from tests.harness import lowered
from tests.simt.exercises import found, matrix, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite
from tests.simt.test_spgemm_mutants import (
    M,
    N,
    built,
    folds,
    gpu,
    mask_of,
    one_values,
    pair,
    same,
    small_types,
    stops,
)


def dot() -> None:
    folds("dot")


def dot_any() -> None:
    stops("dot")


def saxpy() -> None:
    folds("saxpy")


def saxpy_any() -> None:
    stops("saxpy")


def saxpy_of_bytes() -> None:
    small_types("saxpy")


def one_value() -> None:
    for form in ("dot", "saxpy"):
        one_values(form)


def planned() -> None:
    """The work that the planner is told is the work there is; and it is told what matters alone."""
    A, B = pair(0)
    wanted = mask_of(0)
    seen = []
    backend = gpu(0)
    a, b = matrix(A, backend), matrix(B, backend)
    flipped = matrix(np.ascontiguousarray(B.T), backend)
    oriented = matrix(B, backend)
    backend.matrices.transpose(oriented._store)
    choose = masked_products.choose_masked
    try:
        masked_products.choose_masked = lambda facts, form: (
            seen.append(facts),
            choose(facts, form),
        )[1]
        mask = built(wanted, backend)
        for chosen in (mask.S, mask.V):
            plus_times(a @ oriented).new(mask=chosen)
        plus_times(a @ b).new(mask=mask.S)
        plus_times(a @ flipped.T).new(mask=mask.S)
        row = np.zeros_like(B)
        row[3] = 1  # which all of A's rows meet: its transpose costs less
        plus_times(a @ matrix(row, backend)).new(mask=mask.S)
        short = matrix(np.eye(M, dtype=np.int32), backend)
        again = matrix(np.eye(N, M, dtype=np.int32), backend)
        narrow = built(np.where(np.eye(M, N, 1) + np.eye(M, N) > 0, 1, 2), backend)
        C = plus_times(short @ again.T).new(mask=narrow.S)  # rows are known to be short
    finally:
        masked_products.choose_masked = choose
    rows = (wanted < 2).any(1)
    products = ((A > 0)[rows].sum(0) * (B > 0).sum(1)).sum()
    shorter = np.minimum((A > 0).sum(1)[:, None], (B > 0).sum(0)[None])
    walked = shorter[wanted < 2].sum()
    assert [f.products for f in seen[:2]] == [products] * 2
    assert [f.walked for f in seen[:2]] == [walked, shorter[wanted == 1].sum()]
    transposing = masked_product.SORT * np.count_nonzero(B)
    for at, counts, less in ((2, (products, None), products), (3, (None, walked), walked)):
        whole = less < transposing
        assert (seen[at].products, seen[at].walked) == (counts if whole else (products, walked))
    assert None not in (seen[4].products, seen[4].walked)
    assert (seen[5].products, seen[5].walked) == (None, narrow.nvals)
    same(C, np.eye(M, N, dtype=np.int32), np.eye(M, N, dtype=bool))


def block_has_walked() -> None:
    """What is left to a block must not be walked by a warp too."""
    backend = gpu(0, "dot")
    A, B = pair(0)
    launch = backend.launch
    backend.launch = lambda h, a, name, *rest, **more: (
        None if "Block" in name else launch(h, a, name, *rest, **more)
    )
    C = plus_times(matrix(A, backend) @ matrix(B, backend)).new(mask=built(mask_of(0), backend).S)
    shorter = np.minimum((A > 0).sum(1)[:, None], (B > 0).sum(0)[None])
    assert (found(C)[shorter > 6] == 0).all() and C.nvals > 0


def spread(values: np.ndarray, none: int, at: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    """What is not ``none``, with column j at ``at[j]``."""
    i, j = np.nonzero(values != none)
    return lg.Matrix.from_coo(
        i, at[j], values[i, j], nrows=values.shape[0], ncols=int(at[-1]) + 1, backend=backend
    )


def wide_rows() -> None:
    """Rows that a warp reads in several stretches, of several columns a lane; more rows than two
    looks for a tile. So many columns are wanted that they have no table and their marks are met by
    others, or fewer; they lie close together, less so, or far apart."""
    rng = np.random.default_rng(0)
    B = np.where(rng.random((40, 500)) < 0.6, rng.integers(1, 5, (40, 500)), 0).astype(np.int32)
    A = np.where(rng.random((68, 40)) < 0.5, rng.integers(1, 5, (68, 40)), 0).astype(np.int32)
    for slots, apart in ((64, 1), (64, 60), (512, 9), (512, 60)):
        at = np.sort(rng.choice(500 * apart, 500, replace=False))
        backend = gpu(0, "saxpy")
        backend.matrices.products.within.tables = masked_products.Tables(slots, 20, 4001)
        wanted = rng.choice([0, 1, 2], (68, 500), p=(0.1, 0.15, 0.75))
        wanted[::2, :200] = 2
        a, b, mask = matrix(A, backend), spread(B, 0, at, backend), spread(wanted, 2, at, backend)
        C = lg.Matrix("INT32", 68, b.ncols, backend=backend)
        for ring, product in (
            (plus_times, A @ B),
            (plus_pair, (A > 0).astype(int) @ (B > 0)),
        ):
            C(mask.V, replace=True) << ring(a @ b)
            np.testing.assert_array_equal(found(C)[:, at], np.where(wanted == 1, product, 0))


def counted() -> None:
    """Rows within a window, in hash tables and under marks, of a warp and of a block, whose products
    are only counted."""
    for seed, (n, words, wide, apart) in enumerate(
        ((90, 64, 60, 1), (150, 64, 150, 30), (60, 64, 20, 80))
    ):
        backend = gpu(seed, "saxpy")
        backend.matrices.products.within.tables = masked_products.Tables(64, 20, 51, words)
        rng = np.random.default_rng(seed)
        of, into = (rng.random((n, n)) < 0.15, rng.random((n, n)) < 0.2)
        into[:5, :wide] |= rng.random((5, wide)) < 0.6
        of[:, 3] = of[2] = True
        of[:5] |= rng.random((5, n)) < 0.6
        few = slice(20, n)  # rows of few products, which warps take
        of[few], into[few] = False, rng.random((n - 20, n)) < 0.08
        of[np.arange(20, n), rng.integers(20, n, n - 20)] = True
        right = int(((of.astype(int) @ into) * into).sum())
        shape = {"nrows": apart * n, "ncols": apart * n, "backend": backend}
        at = np.sort(rng.choice(apart * n, n, replace=False))
        L, U = (lg.Matrix.from_coo(*at[np.array(np.nonzero(x))], 1, **shape) for x in (of, into))
        with offsets_of_64_bits(seed == 1):
            assert lowered(closed_wedges, L, U) == right
    backend = gpu(5, "dot")
    L, U = (
        lg.Matrix.from_coo(*np.nonzero(x), 1, nrows=n, ncols=n, backend=backend) for x in (of, into)
    )
    assert lowered(closed_wedges, L, U) == right


EXERCISES = (dot, dot_any, saxpy, saxpy_any, saxpy_of_bytes, one_value,
             planned, block_has_walked, wide_rows, counted)  # fmt: skip
C = "spgemm/closed_wedges.cuh"
MUTANTS = [
    Mutant(C, "M.indices[e] - least_column);", "M.indices[e]);", counted),
    Mutant(C, "own[w] = 0;", "own[w] = own[w];", counted),
    Mutant(C, "j >= least_column && present", "present", counted),
    Mutant(C, "if (span <= words) {", "if (true) {", counted),
    Mutant(C, "last - first <= words / 2) {", "true) {", counted),
    Mutant(C, "memory + Group::number() * words;", "memory;", counted),
    Mutant(C, "Group::sync();  // before the next row", "", counted),
    Mutant(C, "marks.may_hold(j) && M.at(M.seek(i, j), i, j)", "marks.may_hold(j)", counted),
    Mutant(C, "marks.may_hold(j) && M.at(M.seek(i, j), i, j)", "M.at(M.seek(i, j), i, j) && !marks.may_hold(j)", counted),
    Mutant(C, "hits = warp_reduce<Sum>(hits);", "", counted),
    Mutant(C, "        Group::sync();\n            look_up([&](Index j) { return j >=", "        look_up([&](Index j) { return j >=", counted),
    Mutant("spgemm/masked_dot.cuh", "if (e >= m_nnz || !is_wanted(truth, e)) return;", "if (e >= m_nnz) return;", planned),
    Mutant("spgemm/masked_dot.cuh", "if (e >= m_nnz || !is_wanted(truth, e)) return;", "if (!is_wanted(truth, e)) return;", planned),
    Mutant("spgemm/masked_dot.cuh", "        if (e >= a_nnz) return;\n", "", planned),
    Mutant("spgemm/masked_dot.cuh", "    if (threadIdx.x == 0 && all > 0) atomicAdd(totals, all);", "    if (lane_id() == 0 && all > 0) atomicAdd(totals, all);", planned),
    Mutant("spgemm/masked_dot.cuh", "if (max_walk > 0) atomicMax(&longest, max_walk);", "if (max_walk > 0) longest = max_walk;", dot),
    Mutant("spgemm/masked_dot.cuh", "    if (threadIdx.x == 0) longest = 0;\n", "", dot),
    Mutant("spgemm/masked_dot.cuh", "max_walk = max_walk < both ? both : max_walk;", "max_walk = both;", dot),
    Mutant("spgemm/masked_dot.cuh", "if (low < high && other[low] == k)", "if (other[low] == k)", dot),
    Mutant("spgemm/masked_dot.cuh", "if (low < high && other[low] == k)", "if (low < high)", dot),
    Mutant("spgemm/masked_dot.cuh", "const Offset ea = a_walks ? e : low, eb", "const Offset ea = e, eb", dot),
    Mutant("spgemm/masked_dot.cuh", "            if (e < end) {", "            {", dot),
    Mutant("spgemm/masked_dot.cuh", "return Group::fold(mine);", "return mine;", dot),
    Mutant("spgemm/masked_dot.cuh", "e < nnz && is_wanted(truth, e)", "is_wanted(truth, e)", dot),
    Mutant("spgemm/masked_dot.cuh", "e < nnz && is_wanted(truth, e)", "e < nnz", dot),
    Mutant("spgemm/masked_dot.cuh", "walked > above && walked <= upto", "walked > above", block_has_walked),
    Mutant("spgemm/masked_dot.cuh", "if (lane_id() == lane) kept = whole;", "kept = whole;", dot),
    Mutant("spgemm/masked_dot.cuh", "has[word] |= found;", "has[word] = found;", dot),
    Mutant("spgemm/masked_dot.cuh", "        if (!blocks) has[word] = found;\n        else if", "        if", dot),
    Mutant("spgemm/masked_dot.cuh", "if (kept.has) out[e] = kept.value;", "if (e < nnz) out[e] = kept.value;", dot),
    Mutant("matrix/entries.cuh", "counts[word] = __popc(kept[word]);", "counts[word] = kept[word] != 0;", dot),
    Mutant("core/hash_table.cuh", "if (held == key) return at;\n            if", "return at;\n            if", saxpy),
    Mutant("core/hash_table.cuh", "            if (held == EMPTY<Key>) return -1;\n", "", saxpy),
    Mutant("spgemm/product_tiles.cuh", "return e == 0 ? 0 : ends[e - 1];", "return e == 0 ? 0 : ends[e];", saxpy),
    Mutant("spgemm/product_tiles.cuh", "return wanted <= columns && products <= few;", "return products <= few;", saxpy),
    Mutant("spgemm/product_tiles.cuh", "counts[i] = small ? 0 :", "counts[i] =", saxpy_of_bytes),
    Mutant("spgemm/product_tiles.cuh", "(products + tile - 1) / tile", "products / tile", saxpy),
    Mutant("core/partition_point.cuh", "mine < high && before(mine)", "before(mine)", saxpy),
    Mutant("core/partition_point.cuh", "        if (holds == 0) return low;\n", "", wide_rows),
    Mutant("core/partition_point.cuh", "low = end - step + 1;", "low = end - step + 2;", saxpy),
    Mutant("core/partition_point.cuh", "high = end < high ? end : high;", "high = end;", wide_rows),
    Mutant("spgemm/product_tiles.cuh", "            if (mine < nrows) {\n                begin", "            {\n                begin", saxpy),
    Mutant("spgemm/product_tiles.cuh", "end > begin && is_small", "is_small", saxpy),
    Mutant("spgemm/product_tiles.cuh", "begin == first && end == last", "begin == first", saxpy),
    Mutant("spgemm/product_tiles.cuh", "begin == first && end == last", "end == last", saxpy),
    Mutant("spgemm/product_tiles.cuh", "(end - begin + warps - 1) / warps", "(end - begin) / warps", saxpy),
    Mutant("spgemm/product_tiles.cuh", "high = least(low + each, end);", "high = low + each;", saxpy),
    Mutant("spgemm/product_tiles.cuh", "from = begin < at ? at : begin;", "from = begin;", saxpy),
    Mutant("spgemm/product_tiles.cuh", "end = least(ends[e], high);", "end = ends[e];", saxpy),
    Mutant("spgemm/product_tiles.cuh", "static_cast<Offset>(from - begin)", "Offset(0)", saxpy),
    Mutant("spgemm/product_tiles.cuh", "            if (e < last) {\n", "            {\n", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "if constexpr (S::counts) sums[t] = 0;\n            else sums[t] = S::start();", "if constexpr (!S::counts) sums[t] = S::start();", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "else sums[t] = S::start();", "", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "        Group::sync();\n        for (Offset e = first + Group::rank()", "        for (Offset e = first + Group::rank()", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "if (claim(taken, slot)) sums[slot] = product();", "sums[slot] = product();", saxpy_any),
    Mutant("spgemm/mask_lookup.cuh", "            claim(taken, slot);\n        }", "        }", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "return taken[slot >> 5] >> (slot & 31) & 1u;", "return true;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "return sums[slot] > 0;", "return true;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "e >= first && e < last && is_wanted(truth, e);", "e < last && is_wanted(truth, e);", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "e >= first && e < last && is_wanted(truth, e);", "e >= first && is_wanted(truth, e);", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "e >= first && e < last && is_wanted(truth, e);", "e >= first && e < last;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "S::any || sizeof(typename S::Z) >= 4;", "true;", saxpy_of_bytes),
    Mutant("spgemm/mask_lookup.cuh", "if (whole && alone) out[e] = z;", "if (alone) out[e] = z;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "else if (claim(has_entry, e)) out[e] = z;", "else out[e] = z;", saxpy_any),
    Mutant("spgemm/mask_lookup.cuh", "if (lane_id() == 0 && now != 0) atomicOr(has_entry + word, now);", "if (lane_id() == 0 && now != 0) has_entry[word] = now;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "words[w] = 0;\n        __syncthreads();", "words[w] = 0;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "for (int w = threadIdx.x; w < count; w += blockDim.x) words[w] = 0;", "", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "mark(words, place(columns[e]));\n        __syncthreads();", "mark(words, place(columns[e]));", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "Group::number() * slots;", "0;", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "memory.taken + (S::counts ? 0 : own / 32)", "memory.taken", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "            Group::sync();\n        };", "        };", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "if (claim(has, place)) out[place] = product();", "claim(has, place), out[place] = product();", saxpy_any),
    Mutant("spgemm/product_tiles.cuh", "base + 32 * x < count ? indices[e + 32 * x] : EMPTY<Index>", "indices[e + 32 * x]", wide_rows),
    Mutant("spgemm/product_tiles.cuh", "body(e + 32 * x, j[x], place[x]);", "body(e, j[x], place[x]);", wide_rows),
    Mutant("spgemm/product_tiles.cuh", "if (__any_sync(ALL_LANES, j[AHEAD - 1] > last_column)) break;", "break;", wide_rows),
    Mutant("spgemm/product_tiles.cuh", "j[x] <= last_column ? find(j[x]) : -1", "find(j[x])", wide_rows),
    Mutant("spgemm/product_tiles.cuh", "mine = own + lane_id() * share;", "mine = own * 32 + lane_id();", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "while (size < 16 * n && size < max_size) size += size;", "", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "while (size < 16 * n && size < max_size) size += size;", "while (size < 16 * n) size += size;", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "table.clear();\n        Group::sync();", "table.clear();", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "for (int w = threadIdx.x; w < words; w += blockDim.x) bits[w] = 0;", "", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "bits[w] = 0;\n        __syncthreads();", "bits[w] = 0;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "mark(bits, columns[e] - base);\n        __syncthreads();", "mark(bits, columns[e] - base);", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "(words + blockDim.x - 1) / blockDim.x", "words / blockDim.x", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "Block::running(own, total, sums) - own", "Block::running(own, total, sums)", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "            rank += __popc(bits[w]);\n", "", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "        }\n        __syncthreads();\n    }\n    __device__ int find(Index j) const {\n        const unsigned at", "        }\n    }\n    __device__ int find(Index j) const {\n        const unsigned at", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "        if (at >> 5 >= unsigned(words)) return -1;\n", "", wide_rows),
    Mutant("spgemm/mask_lookup.cuh", "__popc(word & (bit - 1)) : -1", "__popc(word & bit) : -1", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "atomicAdd(sums + slot, 1u);", "sums[slot] += 1;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "t < 32 * words; t += Group::size()", "t + 1 < 32 * words; t += Group::size()", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "w < words; w += Group::size()) taken[w] = 0;", "w + 1 < words; w += Group::size()) taken[w] = 0;", saxpy),
    Mutant("spgemm/mask_lookup.cuh", "return present(words, place(j));", "return j > 0 && present(words, place(j) ^ 1);", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "            Group::sync();\n        };\n        const auto in_shared", "        };\n        const auto in_shared", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "            folded.clear(held.slots);\n", "", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "Group::one_warp || last - first <= slots / 2) {", "true) {", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "if (!marks.may_hold(j)) return Offset(-1);", "if (marks.may_hold(j)) return Offset(-1);", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "M.at(place, i, j) && is_wanted(truth, place) ?", "M.at(place, i, j) ?", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "M.at(place, i, j) && is_wanted(truth, place) ?", "is_wanted(truth, place) ?", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "                    claim(has, place);\n                }\n            });", "                }\n            });", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "&& (last_column - least_column) / 32 < SLOTS) {", ") {", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "last - first <= SLOTS && (last_column", "(last_column", wide_rows),
    Mutant("spgemm/masked_gustavson.cuh", "(last_column - least_column) / 32 + 1, static", "(last_column - least_column) / 32, static", saxpy),
    Mutant("spgemm/masked_gustavson.cuh", "        Group::sync();  // before the next row\n", "", saxpy),
    Mutant("spgemm/factors.cuh", "ea * a.stride", "ea", one_value),
    Mutant("spgemm/factors.cuh", "eb * b.stride", "eb", one_value),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
