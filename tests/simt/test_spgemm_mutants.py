# ruff: noqa: E501  (mutants of one line)
"""The kernels of the product of two matrices, broken: each mutant must be caught.

The exercises run each kernel in check mode under several schedules, against NumPy's products of
dense arrays, with small tables so that rows of every length are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.spgemm import masked_products, matrix_products
from lagraph_gpu.gpu.spgemm.long_rows import Structure
from lagraph_gpu.gpu.spgemm.matrix_products import NOWHERE, WAYS, Bounds, Kind
from lagraph_gpu.notation.mask import Mask
from semirings import SEMIRINGS, any_secondi, min_plus, plus_pair, plus_times
from tests.simt.device import EmulatedDevice
from tests.simt.exercises import SEEDS, found, iso, matrix, offsets_of_64_bits
from tests.simt.exercises import gpu as plain_gpu
from tests.simt.mutants import Mutant, suite

M, K, N = 45, 50, 70
PLAIN = {"sorted": 0, "lanes": (), "ranked": (0, 0)}
"""Without the kinds of rows that have exercises of their own."""
kinds = dict(PLAIN)


def gpu(seed: int, form: str | None = None) -> GpuBackend:
    backend = plain_gpu(seed)
    products = backend.matrices.products
    products.slots = matrix_products.Slots(*5 * [backend.device.block_size])
    products.few = 15
    vars(products).update(kinds)
    if seed % 2:
        products.narrow = 0
    if form == "rows":
        products.row_by_row.many_products = 0
    else:
        products.within.form = form
    products.within.long_walk = 6
    products.within.tables = masked_products.Tables(backend.device.block_size, 20, 51)
    return backend


def pair(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of A ⊕.⊗ B of every length; a hub in each of A's and B's rows and columns."""
    rng = np.random.default_rng(seed)
    A = np.where(
        rng.random((M, K)) < np.linspace(0, 0.5, M)[:, None] ** 2, rng.integers(1, 5, (M, K)), 0
    )
    B = np.where(rng.random((K, N)) < 0.08, rng.integers(1, 5, (K, N)), 0)
    A[20], A[:, 3], B[7], B[:, 9] = 2, 1, 3, 4
    A[:6] = A[40] = 0
    A[40, 7] = 1
    return A.astype(np.int32), B.astype(np.int32)


def mask_of(seed: int) -> np.ndarray:
    """Values of a mask: 0 and 1 are entries, 2 stands for none; rows of any length, to full."""
    rng = np.random.default_rng(30 + seed)
    wanted = rng.choice([0, 1, 1], (M, N))
    wanted[rng.random((M, N)) > rng.random(M)[:, None] ** 2] = 2
    wanted[20], wanted[21] = 1, 2
    return wanted


def built(wanted: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    i, j = np.nonzero(wanted < 2)
    return lg.Matrix.from_coo(i, j, wanted[i, j].astype(np.int8), nrows=M, ncols=N, backend=backend)


def same(C: lg.Matrix, values: np.ndarray, where: np.ndarray) -> None:
    np.testing.assert_array_equal(found(C), np.where(where, values, 0))
    assert C.nvals == np.count_nonzero(where)


def ways(
    seed: int, form: str | None
) -> Iterator[tuple[lg.Matrix, lg.Matrix, lg.Matrix, np.ndarray, Mask | None]]:
    """An output, the operands, where the result may be, and the mask that says so."""
    backend = gpu(seed, form)
    A, B = pair(seed)
    wanted = mask_of(seed)
    a, b, mask = matrix(A, backend), matrix(B, backend), built(wanted, backend)
    masks: dict = {}
    if form is not None:
        masks |= {mask.S: wanted < 2, mask.V: wanted == 1}
    if form in (None, "rows"):
        masks |= {None: wanted < 3, ~mask.S: wanted == 2, ~mask.V: wanted != 1}
    for chosen, where in masks.items():
        yield lg.Matrix("INT32", M, N, backend=backend), a, b, where, chosen


def folds(form: str | None) -> None:
    for seed in SEEDS:
        A, B = pair(seed)
        meets = (A > 0).astype(int) @ (B > 0) > 0
        least = np.where((A[:, :, None] > 0) & (B[None] > 0), A[:, :, None] + B[None], 99).min(1)
        for C, a, b, where, mask in ways(seed, form):
            C(mask, replace=mask is not None) << plus_times(a @ b)
            same(C, A @ B, where & meets)
            C(mask, replace=mask is not None) << min_plus(a @ b)
            same(C, least, where & meets)
            C(mask, replace=mask is not None) << plus_pair(a @ b)
            same(C, (A > 0).astype(int) @ (B > 0), where & meets)


def stops(form: str | None) -> None:
    """`any`: which k it was is open, but A(i, k) and B(k, j) must be entries."""
    for seed in SEEDS:
        A, B = pair(seed)
        meets = (A > 0).astype(int) @ (B > 0) > 0
        for _, a, b, where, mask in ways(seed, form):
            C = any_secondi(a @ b).new(mask=mask)
            i, j, k = C.to_coo()
            same(C, found(C), where & meets)
            assert (A[i, k] > 0).all() and (B[k, j] > 0).all()


def small_types(form: str | None) -> None:
    """Values of one byte share a word with their neighbours'."""
    ring = SEMIRINGS["times_plus"]
    for seed in SEEDS:
        A, B = (np.where(X > 0, X % 2 + 1, 0).astype(np.int8) for X in pair(seed))
        terms = np.where((A[:, :, None] > 0) & (B[None] > 0), A[:, :, None] + B[None], 1).astype(
            np.int8
        )
        meets = (A > 0).astype(int) @ (B > 0) > 0
        backend = gpu(seed, form)
        a, b, mask = matrix(A, backend), matrix(B, backend), built(mask_of(seed), backend)
        values = np.multiply.reduce(terms, 1, dtype=np.int8)
        where = meets if form is None else meets & (mask_of(seed) < 2)
        C = ring(a @ b).new(mask=None if form is None else mask.S)
        i, j, x = C.to_coo()
        np.testing.assert_array_equal(np.stack((i, j)), np.nonzero(where))
        np.testing.assert_array_equal(x, values[where])


def one_values(form: str | None) -> None:
    """Operands that hold one value for all entries; 64-bit offsets beside such of 32."""
    A, B = ((X > 0).astype(np.int32) for X in pair(0))
    A, B = 2 * A, 3 * B
    backend = gpu(0, form)
    a, mask = iso(A, backend), iso(np.ones((M, N), np.int32), backend)
    with offsets_of_64_bits():
        b = iso(B, backend)
        C = plus_times(a @ b).new(mask=None if form is None else mask.S)
    assert C._store.offset == np.int64
    np.testing.assert_array_equal(found(C), A @ B)


def small_type() -> None:
    small_types(None)


def one_value() -> None:
    one_values(None)


def by_rows() -> None:
    folds(None)


def by_rows_any() -> None:
    stops(None)


def wide_rows() -> None:
    """Bitmaps of more words than a block has threads."""
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        A = rng.integers(0, 2, (5, 6)).astype(np.int32)
        B = np.where(rng.random((6, 4500)) < 0.05, 2, 0).astype(np.int32)
        backend = gpu(seed)
        C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


def blocks_of_rows() -> None:
    """Several rows for each block, one after another."""
    for seed in SEEDS:
        backend = gpu(seed)
        A = np.ones((14, 6), np.int32)
        B = (np.arange(6)[:, None] == np.arange(50) % 15 // 2).astype(np.int32)
        C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


def in_parts() -> None:
    """So little memory that the long rows of a product are done two at a time."""
    free = EmulatedDevice.free_bytes
    try:
        EmulatedDevice.free_bytes = 4 * 2 * (2 * 512 + 12)  # two bitmaps a row
        by_rows()
    finally:
        EmulatedDevice.free_bytes = free


def row_by_row() -> None:
    """Rows as products of vectors, one of nothing among them."""
    folds("rows")


def columns() -> None:
    """⊕ over the columns of few rows."""
    for seed in SEEDS:
        backend = gpu(seed)
        A = np.random.default_rng(seed).integers(0, 5, (3, 150)).astype(np.int32)
        for X, made in ((A, matrix(A, backend)), (3 * (A > 0), iso(3 * (A > 0), backend))):
            for name, fold in (("plus", X.sum(0)), ("max", X.max(0))):
                w = made.reduce_columnwise(name).new()
                np.testing.assert_array_equal(w.to_dense(fill_value=0), fold)
            assert w.nvals == (A > 0).any(0).sum()


def short() -> None:
    """Rows of few products alone, so that a warp's are written side by side; in one warp they are
    too many for that, and in another there is a longer row."""
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        backend = gpu(seed)
        backend.matrices.products.few = 64
        A = np.zeros((430, 500), np.int32)
        A[np.arange(430), rng.integers(0, 500, 430)] = 2
        A[np.arange(430), rng.integers(0, 500, 430)] = 3
        B = np.where(rng.random((500, 500)) < 0.004, rng.integers(1, 5, (500, 500)), 0)
        A[64:96, 7], B[7, 100:130] = 1, 1
        A[170, ::25] = 1
        B = B.astype(np.int32)
        C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


@contextmanager
def with_kinds(**some: Any) -> Iterator[None]:
    kinds.update(some)
    try:
        yield
    finally:
        kinds.update(PLAIN)


def by_sorting() -> None:
    with with_kinds(sorted=256):
        folds(None)
        small_types(None)
        one_values(None)


def by_sorting_any() -> None:
    with with_kinds(sorted=256):
        stops(None)


def by_windows() -> None:
    for lanes in (8, 16, 32):
        with with_kinds(lanes=(lanes,)):
            folds(None)
    with with_kinds(lanes=(16,)):
        small_types(None)
        one_values(None)


def by_windows_any() -> None:
    with with_kinds(lanes=(16,)):
        stops(None)


def bands() -> None:
    """Bands as wide as a window, wider, and with rows of B and of A longer than the lanes."""
    for seed, (lanes, n, wide, high) in enumerate(
        ((32, 290, 40, 3), (32, 300, 60, 35), (16, 150, 12, 20), (8, 120, 20, 11), (8, 60, 5, 60))
    ):
        backend = gpu(seed)
        backend.matrices.products.few, backend.matrices.products.lanes = 0, (lanes,)
        i, j = np.arange(n)[:, None], np.arange(n)
        A = np.where((j >= i) & (j < i + high) & (i % 7 > 0), 1 + i % 3, 0)
        B = np.where((j >= i) & (j < i + wide) & (i % 5 > 0), 1 + j % 4, 0)
        C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


def by_ranks() -> None:
    with with_kinds(ranked=(8, 2048)):
        folds(None)
        small_types(None)
        one_values(None)


def ranked_windows() -> None:
    """Windows as wide as a bitmap and wider, beside more columns than it has, with more words than
    a block has threads; and rows with as many entries as there is room for, and one more."""
    rng = np.random.default_rng(0)
    for seed, (words, span) in enumerate(((4, 33), (4, 128), (4, 129), (4, 300), (80, 2500))):
        backend = gpu(seed)
        products = backend.matrices.products
        products.few, products.ranked, products.longest = 0, (words, 8 * 28), (0, 512)
        A, B = np.zeros((12, 40), np.int64), np.zeros((40, 170 + 32 * words + 400), np.int64)
        A[:, 3:7] = rng.integers(0, 3, (12, 4))
        A[0], A[11] = 0, 1
        B[3:7, 170 : 170 + span] = rng.integers(0, 9, (4, span)) * (
            rng.random((4, span)) < 8 / span
        )
        B[3, [170, 169 + span]] = 1
        B[6, 200:225] = 2
        C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


def rows_to_sort() -> None:
    """As many products as just fit 1, 2, 4 and 8 for each lane, and more or fewer: in columns of
    their own, in as many as B's rows have entries, in two, and in one. Keys are wide and narrow in
    turn."""
    backend = gpu(1)
    products = backend.matrices.products
    products.few, products.sorted = 0, 256
    for length, width in ((32, 1), (11, 3), (32, 2), (13, 5), (32, 4), (32, 8), (31, 8), (1, 200)):
        A = np.tile(np.arange(1, length + 1, dtype=np.int64), (3, 1))
        number = np.arange(length * width)
        for columns in (number, number % width, number[::-1] % (2 * width), number * 0):
            products.narrow = matrix_products.NARROW_COLUMNS - products.narrow
            B = np.zeros((length, int(columns.max()) + 1), np.int64)
            B[number // width, columns] = 1 + number
            C = plus_times(matrix(A, backend) @ matrix(B, backend)).new()
            np.testing.assert_array_equal(found(C), A @ B)


def of_one_kind() -> None:
    """All rows are of one kind, so that they are not listed."""
    for kind in (Kind.SORTED, Kind.WINDOWED, Kind.WARP, Kind.RANKED, Kind.BLOCK):
        backend = gpu(2)
        products = backend.matrices.products
        products.few, products.sorted = 0, 256 * (kind == Kind.SORTED)
        products.lanes = (8,) if kind == Kind.WINDOWED else ()
        products.ranked = (2, 512) if kind == Kind.RANKED else (0, 0)
        products.slots = matrix_products.Slots(*5 * [64 * backend.device.block_size])
        products.longest = (64 if kind == Kind.WARP else 0, 512)
        i, k = np.arange(40), np.arange(3)
        A, B = np.ones((40, 3), np.int32), np.where((i + k[:, None]) % 4 < 2, 1 + i, 0)
        C = plus_times(matrix(A, backend) @ matrix(B.astype(np.int32), backend)).new()
        np.testing.assert_array_equal(found(C), A @ B)


def counted() -> None:
    """Kinds of rows, and the bounds that they rest on."""
    backend = gpu(0)
    products, block, upload = (
        backend.matrices.products,
        backend.device.block_size,
        backend.device.upload,
    )
    rng, numbers, sizes = np.random.default_rng(1), np.arange(90), np.arange(77) % 61
    lengths = np.random.default_rng(0).integers(0, 40, 77)
    lengths[[3, 5, 20, 24, 26, 48]], products.sorted = (WAYS, 32, 20, 24, 26, 35), 20
    meets = [np.sort(rng.integers(v % 30, v % 30 + 55, k)) for v, k in enumerate(lengths)]
    first, last = numbers // 2, numbers // 2 + numbers % 9  # B's rows, but each third is empty
    spans = [last[k].max() - first[k].min() + 1 if k.size else 0
             for k in (row[row % 3 > 0] for row in meets)]  # fmt: skip
    assert {31, 32, 33} <= set(spans)
    structure = Structure(
        *(tuple(upload(np.asarray(x, np.int32)) for x in arrays) for arrays in (
            (np.append(0, lengths.cumsum()), np.concatenate(meets)),
            (np.append(0, 2 * (numbers % 3 > 0).cumsum()),
             np.stack([first, last], 1)[numbers % 3 > 0].ravel()),
        )), NOWHERE,
    )  # fmt: skip

    def kind(length: int, bound: int, size: int, span: int) -> Kind:
        if size == 0:
            return Kind.NONE
        if length <= WAYS and bound <= 15 and size <= brief:
            return Kind.SHORT
        if span <= 8 * lanes >= length and bound >= 4 * length:
            return Kind.WINDOWED
        if length <= 32 and bound <= 20:
            return Kind.SORTED
        if size <= 24 and bound <= products.turns * 32:
            return Kind.WARP
        narrow = 32 * products.ranked[0] >= 55 or span <= 32 * products.ranked[0]
        if size <= ranked and bound <= matrix_products.RANKED_TURNS * block and narrow:
            return Kind.RANKED
        return Kind.BLOCK if size <= 48 and bound <= products.turns * block else Kind.LONG

    huge = np.where(np.arange(77) == 47, 10**7, 2 * sizes + 1)
    for bounds, products.turns, lanes, brief, words, ranked in (
        (2 * sizes + 1, 128, 0, 99, 0, 99), (4 * sizes, 1, 0, 6, 0, 0),
        (4 * sizes, 1, 4, 99, 1, 47), (huge, 128, 0, 5, 2, 50), (huge, 128, 0, 5, 1, 99),
    ):  # fmt: skip
        products.ranked = words, 0
        known = Bounds(structure, upload(bounds.astype(np.uint64)), lanes)
        tables = 32 * block // 32, 64
        made = products._classified(
            upload(sizes.astype(np.int32)), known, 55, *tables, brief, ranked
        )
        clipped = np.minimum(sizes, 55)
        kinds = np.array([*map(kind, lengths, bounds, clipped, spans)])
        assert made.counts == np.bincount(kinds, minlength=len(Kind)).tolist()
        assert made.total == clipped.sum()
        assert made.long_entries == lengths[kinds == Kind.LONG].sum()
        order = np.concatenate([backend.device.download(made.rows(k)[1]) for k in Kind])
        np.testing.assert_array_equal(order, np.argsort(kinds, kind="stable"))
        np.testing.assert_array_equal(backend.device.download(made.kinds), kinds)
    A, B = pair(0)
    a, b = matrix(A, backend)._store, matrix(B, backend)._store
    bounds = backend.matrices.products._products(a, a.indptr, b.indptr)
    np.testing.assert_array_equal(
        backend.device.download(bounds), (A > 0).astype(int) @ (B > 0).sum(1)
    )


EXERCISES = (by_rows, by_rows_any, blocks_of_rows, in_parts, row_by_row, columns, small_type,
             one_value, wide_rows, short, counted, by_sorting, by_sorting_any, rows_to_sort,
             by_windows, by_windows_any, bands, by_ranks, ranked_windows, of_one_kind)  # fmt: skip

MUTANTS = [
    Mutant("core/bitmap.cuh", "if (lane_id() % WIDTH >= distance) x += below;", "x += below;", by_rows),
    Mutant("core/groups.cuh", "total = __shfl_sync(ALL_LANES, x, 31);", "total = __shfl_sync(ALL_LANES, x, 30);", by_rows),
    Mutant("core/groups.cuh", "if (w < warp) x += sums[w];", "if (w <= warp) x += sums[w];", by_rows),
    Mutant("core/groups.cuh", "        __syncthreads();\n        total = 0;", "        total = 0;", by_rows),
    Mutant("core/groups.cuh", "        __syncthreads();  // the next may write", "", blocks_of_rows),
    Mutant("spgemm/row_products.cuh", "walk.ends + Group::number() * Group::size()", "walk.ends", by_rows),
    Mutant("spgemm/row_products.cuh", "walk.starts + Group::number() * Group::size()", "walk.starts", by_rows),
    Mutant("spgemm/row_products.cuh", "if (a < last) {", "{", by_rows),
    Mutant("spgemm/row_products.cuh", "        Group::sync();\n        for (long long p", "        for (long long p", by_rows),
    Mutant("spgemm/row_products.cuh", "        Group::sync();  // before the next entries", "", by_rows),
    Mutant("spgemm/row_products.cuh", "p < total; p += Group::size()", "p + 1 < total; p += Group::size()", by_rows),
    Mutant("spgemm/row_products.cuh", "first - (end - products)", "first - end", by_rows),
    Mutant("spgemm/row_products.cuh", "body(base + t,", "body(base,", by_rows),
    Mutant("spgemm/factors.cuh", "i, a.indices[ea], j);", "i, i, j);", by_rows_any),
    Mutant("spgemm/factors.cuh", "{{indptr, indices}, truth, true}", "{{indptr, indices}, nullptr, true}", by_rows),
    Mutant("spgemm/factors.cuh", "{{indptr, indices}, truth, true}", "{{indptr, indices}, truth, false}", by_rows),
    Mutant("spgemm/gustavson.cuh", "const bool is_long = last - first > ways;", "const bool is_long = last - first >= ways;", counted),
    Mutant("spgemm/gustavson.cuh", "if (i < rows && !is_long) {", "if (!is_long) {", counted),
    Mutant("spgemm/gustavson.cuh", "if (lane_id() == 0 && more != 0) *rest", "if (lane_id() == 0 && more == ALL_LANES) *rest", counted),
    Mutant("spgemm/gustavson.cuh", "    if (*rest == 0) return;\n", "    if (*rest != 0) return;\n", counted),
    Mutant("spgemm/gustavson.cuh", " && a_indptr[i + 1] - a_indptr[i] > ways) {", ") {", counted),
    Mutant("spgemm/gustavson.cuh", "if (__all_sync(ALL_LANES, i == __shfl_sync(ALL_LANES, i, 0)))", "if (true)", counted),
    Mutant("spgemm/gustavson.cuh", "mine = lane_id() == 0 ? total : 0;", "mine = total;", counted),
    Mutant("spgemm/gustavson.cuh", "sizes[i] < T(ncols) ? static_cast<Index>(sizes[i]) : ncols", "static_cast<Index>(sizes[i])", counted),
    Mutant("spgemm/gustavson.cuh", "if (size <= small &&", "if (size < small &&", counted),
    Mutant("spgemm/gustavson.cuh", "if (size <= middling &&", "if (size < middling &&", counted),
    Mutant("spgemm/gustavson.cuh", "if (lane_id() < RowKind::COUNT && mine", "if (lane_id() < RowKind::COUNT - 1 && mine", counted),
    Mutant("spgemm/gustavson.cuh", "if (threadIdx.x < RowKind::COUNT + 2 && sums", "if (threadIdx.x < RowKind::COUNT + 1 && sums", counted),
    Mutant("spgemm/gustavson.cuh", "products <= of_warp", "products < of_warp", counted),
    Mutant("spgemm/gustavson.cuh", "products <= of_block", "products < of_block", counted),
    Mutant("spgemm/gustavson.cuh", "if (kind == RowKind::LONG) entries += length;", "entries += length;", counted),
    Mutant("spgemm/gustavson.cuh", "    Warp::running(entries, entries, &entries);\n", "", counted),
    Mutant("spgemm/gustavson.cuh", "    Warp::running(all, all, &all);\n", "", counted),
    Mutant("spgemm/gustavson.cuh", "if (threadIdx.x < RowKind::COUNT + 2) sums[threadIdx.x] = 0;", "", counted),
    Mutant("spgemm/gustavson.cuh", "length <= ways && ", "", counted),
    Mutant("spgemm/gustavson.cuh", "length <= ways &&", "length < ways &&", counted),
    Mutant("spgemm/gustavson.cuh", " && products <= few", "", counted),
    Mutant("spgemm/gustavson.cuh", "products <= few", "products < few", counted),
    Mutant("spgemm/gustavson.cuh", "if (size == 0) return RowKind::NONE;", "", counted),
    Mutant("spgemm/gustavson.cuh", "length <= 32 && ", "", counted),
    Mutant("spgemm/gustavson.cuh", "products <= sorted", "products < sorted", counted),
    Mutant("spgemm/sorted_rows.cuh", "if (first + lane_id() < A.indptr[i + 1]) {", "{", by_sorting),
    Mutant("matrix/entries.cuh", "rows == nullptr ? r", "rows == nullptr ? 0", of_one_kind),
    Mutant("spgemm/sorted_rows.cuh", "from + (at - before)", "from + at", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "if (at >= share.total) continue;", "if (at > share.total) continue;", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "if (!mask.wants(i, j)) continue;", "", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "lower == up ? least", "lower ? least", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "keys[t] = up ? least(x, y) : greatest(x, y);", "keys[t] = least(x, y);", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "size <= 32 * K; size", "size <= 32; size", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "keys[t] != NONE && (", "(", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "is_first || column(lane_id() == 0 ? end : below)", "is_first || column(below)", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "if (products <= 32) body", "if (products <= 33) body", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "if (products <= 64) body", "if (products <= 65) body", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "columns += __popc(", "columns = __popc(", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "if (lane_id() + distance < 32 && Row", "if (Row", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "distance < 32; distance *= 2", "distance < 16; distance *= 2", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "if (Row::column(next) == Row::column(key)) values", "if (false) values", rows_to_sort),
    Mutant("spgemm/sorted_rows.cuh", "if (!S::any && !__all_sync(ALL_LANES, alone)) fold", "if (false) fold", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "live ? products[row.number(key)]", "live ? products[32 * t + lane_id()]", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "            __syncwarp();\n#pragma", "#pragma", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "            __syncwarp();  // before the products of the next row\n", "", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "Warp::number() * 32 * SORTED_MOST", "0", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "append_own(begins[t], place)", "place + 0 * append_own(begins[t], place)", by_sorting),
    Mutant("spgemm/sorted_rows.cuh", "append_own(begins[t], place)", "append_own(begins[t] && t == 0, place)", rows_to_sort),
    Mutant("spgemm/gustavson.cuh", " && size <= brief", "", counted),
    Mutant("spgemm/gustavson.cuh", "length <= window && ", "", counted),
    Mutant("spgemm/gustavson.cuh", "products >= length * WINDOW_WIDTH", "products > length * WINDOW_WIDTH", counted),
    Mutant("spgemm/gustavson.cuh", ".span() <= window)", ".span() < window)", counted),
    Mutant("spgemm/row_kinds.cuh", "if (begin < end) window", "window", counted),
    Mutant("spgemm/row_kinds.cuh", "high = last > high ? last : high;", "high = last;", bands),
    Mutant("spgemm/row_kinds.cuh", "low = first < low ? first : low;", "low = first;", bands),
    Mutant("spgemm/row_kinds.cuh", "warp_join(window, Group::size())", "warp_join(window, 2)", bands),
    Mutant("spgemm/gustavson.cuh", "size <= ranked && ", "", counted),
    Mutant("spgemm/gustavson.cuh", "size <= ranked", "size < ranked", counted),
    Mutant("spgemm/gustavson.cuh", " && products <= of_ranked", "", counted),
    Mutant("spgemm/gustavson.cuh", ".span() <= columns)))", ".span() < columns)))", counted),
    Mutant("spgemm/row_kinds.cuh", "threadIdx.x % LANES", "threadIdx.x % 32", bands),
    Mutant("spgemm/windowed_rows.cuh", "threadIdx.x / LANES * (WINDOW_COLUMNS * LANES)", "threadIdx.x / 32 * (WINDOW_COLUMNS * LANES)", bands),
    Mutant("spgemm/windowed_rows.cuh", "at < window.span(); at += LANES) this", "at < LANES; at += LANES) this", bands),
    Mutant("spgemm/windowed_rows.cuh", "                __syncwarp();\n", "", bands),
    Mutant("spgemm/windowed_rows.cuh", "if (base + Group::rank() < last) {", "{", by_windows),
    Mutant("spgemm/windowed_rows.cuh", "eb < stop; eb += LANES", "eb < stop; eb += stop - first", bands),
    Mutant("spgemm/windowed_rows.cuh", "__any_sync(ALL_LANES, base < last); base += LANES", "__any_sync(ALL_LANES, base < last); base += last - base", bands),
    Mutant("spgemm/windowed_rows.cuh", "begin, t, LANES)", "begin, t)", bands),
    Mutant("spgemm/windowed_rows.cuh", " && mask.wants(i, window.low + at)", "", by_windows),
    Mutant("spgemm/windowed_rows.cuh", "at < window.span() && present[at]", "present[at]", by_windows),
    Mutant("spgemm/windowed_rows.cuh", ">> first_lane & ALL_LANES >> (32 - LANES)", ">> first_lane", bands),
    Mutant("spgemm/windowed_rows.cuh", ">> first_lane & ALL", "& ALL", bands),
    Mutant("spgemm/windowed_rows.cuh", "columns + __popc(all & (1u", "__popc(all & (1u", bands),
    Mutant("spgemm/windowed_rows.cuh", "others ? S::add(values[at], z) : z", "z", by_windows),
    Mutant("spgemm/windowed_rows.cuh", "all_values + WindowedRow<Offset, LANES>::first_column()", "all_values", by_windows),
    Mutant("spgemm/windowed_rows.cuh", "row.window.low + at", "at", bands),
    Mutant("spgemm/windowed_rows.cuh", "r < count ? rows(r) : -1", "rows(r)", bands),
    Mutant("spgemm/ranked_rows.cuh", "if (words > most) {", "if (false) {", ranked_windows),
    Mutant("spgemm/ranked_rows.cuh", "low = window.low;", "", ranked_windows),
    Mutant("spgemm/ranked_rows.cuh", "if (mask.wants(i, j)) mark", "mark", by_ranks),
    Mutant("spgemm/ranked_rows.cuh", "mine += __popc(bits[w]);", "mine += bits[w] != 0;", by_ranks),
    Mutant("spgemm/ranked_rows.cuh", "            before += total;\n", "", ranked_windows),
    Mutant("spgemm/ranked_rows.cuh", "columns.low + 32 * w", "32 * w", ranked_windows),
    Mutant("spgemm/ranked_rows.cuh", "if (!mask.wants(i, j)) return;", "", by_ranks),
    Mutant("spgemm/ranked_rows.cuh", "bits[w] & (1u << (at & 31)) - 1", "bits[w]", by_ranks),
    Mutant("spgemm/short_rows.cuh", "        if (w < ways) {", "        {", by_rows),
    Mutant("spgemm/short_rows.cuh", "0xff ? B.indices[at[w]] : NONE;", "0xff ? B.indices[at[w]] : 0;", by_rows),
    Mutant("spgemm/short_rows.cuh", "left[w / 4] >> w % 4 * 8 & 0xff", "left[w / 4] >> w % 4 * 8", by_rows),
    Mutant("spgemm/short_rows.cuh", "left[w / 4] |= static_cast<Word>(B.indptr[k + 1] - at[w]) << w % 4 * 8;", "left[w / 4] = static_cast<Word>(B.indptr[k + 1] - at[w]) << w % 4 * 8;", by_rows),
    Mutant("spgemm/short_rows.cuh", "j = next[w] < j ? next[w] : j;", "j = next[w];", by_rows),
    Mutant("spgemm/short_rows.cuh", "            if (next[w] != j) continue;\n", "", by_rows),
    Mutant("spgemm/short_rows.cuh", "            ++at[w];\n", "", by_rows),
    Mutant("spgemm/short_rows.cuh", "            left[w / 4] -= 1u << w % 4 * 8;\n", "", by_rows),
    Mutant("spgemm/short_rows.cuh", "            next[w] = column_of(w);\n        }", "        }", by_rows),
    Mutant("spgemm/short_rows.cuh", "product(j, first + w, at[w]);", "product(j, first, at[w]);", by_rows),
    Mutant("spgemm/short_rows.cuh", "if (kinds[i] != RowKind::SHORT) continue;\n        Index count", "Index count", by_rows),
    Mutant("spgemm/short_rows.cuh", "if (kind == RowKind::SHORT) {", "if (i < rows) {", by_rows),
    Mutant("spgemm/short_rows.cuh", "i < rows ? kinds[i] : 0", "kinds[i]", by_rows),
    Mutant("spgemm/short_rows.cuh", "out_indptr[rows - base < 32 ? rows : base + 32]", "out_indptr[base + 32]", by_rows),
    Mutant("spgemm/short_rows.cuh", "__all_sync(ALL_LANES, kind <= RowKind::SHORT)", "true", short),
    Mutant("spgemm/short_rows.cuh", "all_columns + Warp::number() * ROOM", "all_columns", short),
    Mutant("spgemm/short_rows.cuh", "all_values + Warp::number() * ROOM", "all_values", short),
    Mutant("spgemm/short_rows.cuh", "        __syncwarp();\n        for", "        for", short),
    Mutant("spgemm/short_rows.cuh", "        __syncwarp();  // before the next rows\n", "", short),
    Mutant("spgemm/short_rows.cuh", "t < entries; t += 32", "t + 1 < entries; t += 32", short),
    Mutant("spgemm/short_rows.cuh", "count += mask.wants(i, j);", "count += 1;", by_rows),
    Mutant("spgemm/short_rows.cuh", "if (mask.wants(i, j)) {", "{", by_rows),
    Mutant("spgemm/short_rows.cuh", "if (S::any && sum.has) return;", "if (sum.has) return;", by_rows),
    Mutant("spgemm/short_rows.cuh", "sum.fold(S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j));", "sum.fold(S::product(a, ea * a_stride, b, eb * b_stride, i, i, j));", by_rows_any),
    Mutant("spgemm/short_rows.cuh", "S::product(a, ea * a_stride, b, eb * b_stride,", "S::product(a, ea, b, eb * b_stride,", one_value),
    Mutant("spgemm/short_rows.cuh", "S::product(a, ea * a_stride, b, eb * b_stride,", "S::product(a, ea * a_stride, b, eb,", one_value),
    Mutant("spgemm/short_rows.cuh", "                sum = nothing<S>();\n", "", by_rows),
    Mutant("core/hash_table.cuh", "while (size - size / (HASH_LOAD + 1) < n) size += size;", "while (2 * size < n) size += size;", by_rows),
    Mutant("core/hash_table.cuh", "at < size; at += Group::size()) *slot", "at + 1 < size; at += Group::size()) *slot", by_rows),
    Mutant("core/hash_table.cuh", "held = atomicCAS(slot(at), EMPTY<Key>, key);", "*slot(at) = key;", by_rows),
    Mutant("core/hash_table.cuh", "if (fresh || held == key) return", "if (true) return", by_rows),
    Mutant("core/hash_table.cuh", "fresh = held == EMPTY<Key>;", "fresh = true;", by_rows),
    Mutant("core/hash_table.cuh", "width <= size; width += width", "width < size; width += width", by_rows),
    Mutant("core/hash_table.cuh", "(below > above) != rising", "(below > above) == rising", by_rows),
    Mutant("core/hash_table.cuh", "                    values[high] = value;", "", by_rows),
    Mutant("core/hash_table.cuh", "                Group::sync();\n", "", by_rows),
    Mutant("spgemm/gustavson.cuh", "            if (!mask.wants(i, j)) return;\n            bool fresh;\n            table.insert", "            bool fresh;\n            table.insert", by_rows),
    Mutant("spgemm/gustavson.cuh", "            if (!mask.wants(i, j)) return;\n            bool fresh;\n            const int at", "            bool fresh;\n            const int at", by_rows),
    Mutant("spgemm/gustavson.cuh", "mine += fresh;", "mine += 1;", by_rows),
    Mutant("spgemm/gustavson.cuh", "if (S::any && !fresh) return;", "", by_rows_any),
    Mutant("spgemm/gustavson.cuh", "else fold_into<S>(values + at, z);", "else values[at] = z;", by_rows),
    Mutant("spgemm/gustavson.cuh", "Z* values = all_values + Group::number() * (SLOTS / groups);", "Z* values = all_values;", by_rows),
    Mutant("spgemm/long_rows.cuh", "base + PRODUCT_TILE < to ? base + PRODUCT_TILE : to", "base + PRODUCT_TILE", by_rows),
    Mutant("spgemm/long_rows.cuh", "at < stop; at += 32) body(at);", "at + 1 < stop; at += 32) body(at);", by_rows),
    Mutant("spgemm/long_rows.cuh", "return r == 0 ? 0 : ends[r - 1];", "return ends[r];", by_rows),
    Mutant("spgemm/long_rows.cuh", "static_cast<Offset>(at - begin(r))", "static_cast<Offset>(at)", by_rows),
    Mutant("spgemm/long_rows.cuh", "lengths[r] = indptr[rows[r] + 1] - indptr[rows[r]];", "lengths[r] = indptr[r + 1] - indptr[r];", by_rows),
    Mutant("spgemm/long_rows.cuh", "at == 0 ? 0 : product_ends[at - 1]", "at == 0 ? 0 : product_ends[at - 1] + 1", by_rows),
    Mutant("spgemm/long_rows.cuh", "each_number(begin(at), begin(entries)", "each_number(0, begin(entries)", in_parts),
    Mutant("spgemm/long_rows.cuh", "each_number(begin(at), begin(entries)", "each_number(begin(at), begin(A.begin(A.count))", in_parts),
    Mutant("spgemm/long_rows.cuh", "return static_cast<long long>(r - first) * words;", "return static_cast<long long>(r) * words;", in_parts),
    Mutant("spgemm/long_rows.cuh", "each_number(M.begin(first), M.begin(last)", "each_number(M.begin(first), M.begin(count)", in_parts),
    Mutant("spgemm/long_rows.cuh", "        if (truth != nullptr && !(truth[e >> 5] >> (e & 31) & 1u)) return;\n", "", by_rows),
    Mutant("spgemm/long_rows.cuh", "atomicXor(", "atomicOr(", by_rows),
    Mutant("spgemm/long_rows.cuh", "if (lane_id() == 31) counts[g] = upto;", "if (lane_id() == 0) counts[g] = upto;", wide_rows),
    Mutant("spgemm/long_rows.cuh", "ends[end - 1] - before", "ends[end - 1]", by_rows),
    Mutant("spgemm/long_rows.cuh", "counts[rows[first + t]]", "counts[rows[t]]", in_parts),
    Mutant("spgemm/long_rows.cuh", "static_cast<Index>(before - of_row)", "static_cast<Index>(before)", by_rows),
    Mutant("spgemm/long_rows.cuh", "running_sum(count) - count;", "running_sum(count);", by_rows),
    Mutant("spgemm/long_rows.cuh", "            if (taken != nullptr) taken[w] = 0;\n", "", by_rows_any),
    Mutant("spgemm/long_rows.cuh", "out_indptr[rows[first + t]]", "out_indptr[rows[t]]", in_parts),
    Mutant("spgemm/long_rows.cuh", "(g - begin) * BITMAP_GROUP", "(g) * BITMAP_GROUP", by_rows),
    Mutant("spgemm/long_rows.cuh", "        if (ends[g] == before) continue;\n", "        if (ends[g] != before) continue;\n", by_rows),
    Mutant("spgemm/long_rows.cuh", "((word + i) << 5)", "(word << 5)", wide_rows),
    Mutant("spgemm/long_rows.cuh", "begin * BITMAP_GROUP + word + i", "begin * BITMAP_GROUP + word", wide_rows),
    Mutant("spgemm/long_rows.cuh", "+ __popc(w.w)", "", wide_rows),
    Mutant("spgemm/long_rows.cuh", "if (!(word & bit)) return;", "", by_rows),
    Mutant("spgemm/long_rows.cuh", "__popc(word & (bit - 1))", "__popc(word & bit)", by_rows),
    Mutant("spgemm/long_rows.cuh", "if (S::any && !claim(taken + own, j)) return;", "", by_rows_any),
    Mutant("spgemm/long_rows.cuh", "claim(taken + own, j)", "claim(taken, j)", by_rows_any),
    Mutant("spgemm/long_rows.cuh", "else fold_into<S>(at, z);", "else *at = z;", by_rows),
    Mutant("spgemm/row_by_row.cuh", "truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u)", "true", row_by_row),
    Mutant("spgemm/row_by_row.cuh", "indptr[row + 1]))", "indptr[row + 1] - 1))", row_by_row),
    Mutant("spgemm/row_by_row.cuh", "indptr[row + 1] = begin + (", "indptr[row + 1] = (", row_by_row),
    Mutant("spgemm/row_by_row.cuh", "    if (bits == nullptr) return;\n", "", row_by_row),
    Mutant("spgemm/row_by_row.cuh", "        if (!present(bits, j)) continue;\n", "", row_by_row),
    Mutant("spgemm/row_by_row.cuh", "begin + static_cast<Offset>(rank", "static_cast<Offset>(rank", row_by_row),
    Mutant("spmv/push.cuh", "(nnz)) scatter(0, e);", "(nnz + 1)) scatter(0, e);", columns),
    Mutant("spmv/push.cuh", "{nullptr, indices, values, stride, mask", "{nullptr, indices, values, 1, mask", columns),
    Mutant("matrix/entries.cuh", "return e < indptr[i + 1] && indices[e] == j;", "return indices[e] == j;", by_rows),
    Mutant("core/fold.cuh", "(seen & ~(ones << shift)) |", "", small_type),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
