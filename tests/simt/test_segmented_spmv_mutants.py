# ruff: noqa: E501  (mutants of one line)
"""The pull by entries, broken in the lines that matter: each mutant must be caught."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.spmv.column_blocked import CUT
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, SEMIRINGS
from tests.graphs import dense_rows_of_all_lengths
from tests.simt.exercises import SEEDS, emulated, iso, matrix, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite

NROWS, NCOLS, WIDTH = 150, 90, 32
EVEN = Schedule("pull", "search")


def gpu(seed: int, patience: int = 1 << 30) -> GpuBackend:
    """Panels are made, as a test wants it, by that product."""
    backend = emulated(seed, blocks=1 + seed)
    panels = backend.products.even.by_panels
    panels.threads, panels.fewest, panels.patience = 64, 2, patience
    panels.fewest_entries = 0
    panels.room = 4 * WIDTH
    panels.task = 2
    return backend


def long_one(seed: int) -> np.ndarray:
    """One row that all shares have a part of, with another before and after it."""
    A = np.zeros((3, 2000), np.int32)
    A[0, :5], A[2, 7:9] = 1, 4
    A[1] = np.random.default_rng(seed).integers(0, 5, 2000)
    return A


def product(
    A: np.ndarray, x: np.ndarray, M: lg.Matrix, backend: GpuBackend, **settings: Any
) -> None:
    u = lg.Vector.from_dense(x, missing_value=0, backend=backend)
    u._store.full = bool(x.all())
    w = lg.Vector(A.dtype, A.shape[0], backend=backend)
    w(schedule=EVEN, replace=bool(settings), **settings) << SEMIRINGS["plus_times"](M @ u)
    wanted = np.ones(A.shape[0], bool)
    if settings:
        mask = settings["mask"]
        wanted = (mask.handle.to_dense(0) != 0) ^ mask.complement
    index, values = w.to_coo()
    reached = ((A != 0) & (x != 0)).any(1) & wanted
    np.testing.assert_array_equal(index, np.flatnonzero(reached))
    np.testing.assert_array_equal(values, (A * x).sum(1, dtype=A.dtype)[reached])


def full_vectors() -> None:
    """Values of 1, 2, 4 and 8 bytes, of which so many are read together."""
    for seed in SEEDS:
        for dtype in (np.int8, np.int16, np.int32, np.int64):
            backend = gpu(seed)
            A = dense_rows_of_all_lengths(dtype, NROWS, NCOLS, seed)
            x = np.random.default_rng(seed).integers(1, 9, NCOLS).astype(dtype)
            product(A, x, matrix(A, backend), backend)
        A = long_one(seed)
        product(A, np.full(2000, 2, np.int32), matrix(A, backend), backend)


def one_value() -> None:
    backend = gpu(1)
    A = np.where(dense_rows_of_all_lengths(np.int32, NROWS, NCOLS, 1) > 0, 3, 0).astype(np.int32)
    product(A, np.arange(1, NCOLS + 1, dtype=np.int32), iso(A, backend), backend)


def skewed(dtype: type, seed: int) -> np.ndarray:
    """Runs of every kind: some beyond a round, most of few entries; columns without entries."""
    rng = np.random.default_rng(seed)
    A = np.hstack(
        [dense_rows_of_all_lengths(dtype, NROWS, NCOLS, seed + copy) for copy in range(7)]
    )
    A[:, 40:200] *= rng.random((NROWS, 160)) < 0.2
    A[:, 300:303] = 0
    return A


def by_panels() -> None:
    for seed in SEEDS:
        backend = gpu(seed, patience=2)
        A = skewed(np.int32, seed)
        M = matrix(A, backend)
        if seed == 1:
            backend.matrices.transpose(M._store)  # which knows how long columns are
        for shift in range(3):  # a panel's values are read anew for each vector
            x = np.random.default_rng(seed + shift).integers(1, 9, 7 * NCOLS).astype(np.int32)
            product(A, x, M, backend)
            assert not M._store.pattern.pulls.panels
            assert len(M._store.pulls.panels) == (shift != 0)
        [panels], download = M._store.pulls.panels.values(), backend.device.download
        degrees = (A != 0).sum(0)
        assert panels.used == np.count_nonzero(degrees)
        place = np.argsort(np.argsort(-degrees, kind="stable"))
        np.testing.assert_array_equal(download(panels.to), place)
        rows, columns = np.nonzero(A)
        pairs = {*zip(rows, place[columns] // WIDTH, strict=True)}
        many = 1 + max(p for _, p in pairs)
        warps = backend.device.max_blocks * backend.device.block_size // 32
        cuts = degrees.sum() // CUT + many * (1 + warps)  # at the ends of cells and shares
        assert len(pairs) <= panels.items.size <= len(pairs) + cuts


def single_entries() -> None:
    """Values of a pattern's single entries are not summed before; and those of one panel."""
    for seed in SEEDS:
        backend = gpu(seed, patience=2)
        A = 3 * (skewed(np.int32, seed) != 0)
        for some in (A, A[:, (A != 0).sum(0) > 20][:, :WIDTH]):
            M = iso(some, backend)
            for shift in range(3):
                x = np.random.default_rng(seed + shift).integers(1, 9, some.shape[1])
                product(some, x.astype(some.dtype), M, backend)
                assert len(M._store.pattern.pulls.panels) == (shift != 0)
            [panels] = M._store.pattern.pulls.panels.values()
            items = backend.device.download(panels.items)
            single = items < panels.used
            assert single.any() or some is not A
            assert (items[single] < max(WIDTH, panels.used / 2)).all()  # others are copied
            assert np.unique(items[~single]).size == np.count_nonzero(~single)


def waiting_vectors() -> None:
    """What waits is computed into the order of columns, and waits on."""
    times = BINARY["times"]
    for made in (matrix, iso):
        backend = gpu(2, patience=1)
        A = skewed(np.int32, 1)
        A = 3 * (A != 0).astype(np.int32) if made is iso else A
        M = made(A, backend)
        x = np.arange(1, A.shape[1] + 1, dtype=np.int32)
        u = lg.Vector.from_dense(x, backend=backend)
        v, w = (
            lg.Vector("INT32", x.size, backend=backend),
            lg.Vector("INT32", NROWS, backend=backend),
        )
        v << times(u & u)
        w(schedule=EVEN) << SEMIRINGS["plus_times"](M @ v)
        assert v._store.formula is not None
        np.testing.assert_array_equal(w.to_dense(0), A @ (x * x))
        np.testing.assert_array_equal(v.to_dense(0), x * x)


def long_runs() -> None:
    """Runs of most of a round, and beyond one."""
    for seed in SEEDS:
        backend = gpu(seed, patience=1)
        backend.products.even.by_panels.room = 4 * 1024
        A = long_one(seed)
        M = matrix(A, backend)
        product(A, np.arange(1, 2001, dtype=np.int32), M, backend)
        assert M._store.pulls.panels


def one_slice_and_many() -> None:
    """Fewer slices than warps, and more of a warp than it looks at together."""
    rng = np.random.default_rng(1)
    few, many = np.ones((16, 4), np.int32), (rng.random((9000, 64)) < 0.06).astype(np.int32)
    for A in (3 * few, 3 * many):
        backend = gpu(0, patience=1)
        backend.products.even.by_panels.room = 4 * 4096
        x = np.arange(1, A.shape[1] + 1, dtype=np.int32)
        M = iso(A, backend)
        product(A, x, M, backend)
        assert M._store.pattern.pulls.panels


def no_panels() -> None:
    """Columns that are all alike, and rows of few entries in each panel."""
    backend = gpu(1, patience=1)
    wide = np.zeros((40, 6000), np.int32)
    wide[np.arange(6000) % 40, np.arange(6000)] = 1
    thin = np.zeros((2000, 320), np.int32)
    thin[np.arange(2000), np.arange(2000) % 320] = 1
    thin[:300, 7] = 1
    alike = np.ones((4, 6000), np.int32)  # in long runs, but hardly any in the first panel
    for A in (wide, thin, alike):
        M = matrix(A, backend)
        product(A, np.ones(A.shape[1], np.int32), M, backend)
        assert not M._store.pattern.pulls.panels


def ranked_columns() -> None:
    """The ranks of columns, and the number of entries of each panel."""
    for seed in SEEDS:
        backend = gpu(seed)
        panels = backend.products.even.by_panels
        A = dense_rows_of_all_lengths(np.int32, NROWS, NCOLS, seed)
        A[:, 5:40] = 0
        to, totals = panels._ranked(matrix(A, backend)._store, WIDTH)
        counts = (A != 0).sum(0)
        order = np.argsort(-counts, kind="stable")
        np.testing.assert_array_equal(backend.device.download(to)[order], np.arange(counts.size))
        each = np.add.reduceat(counts[order], np.arange(0, counts.size, WIDTH))
        moved = order != np.arange(counts.size)
        assert totals.tolist() == [(counts > 0).sum(), moved.sum(), *each]
        _, totals = panels._ranked(matrix(A[:, order], backend)._store, WIDTH)
        assert totals[1] == 0


def columns_in_order() -> None:
    """Columns that come by falling entries, as a copy of a graph has them: nothing is renumbered."""
    for seed in SEEDS:
        backend = gpu(seed, patience=1)
        A = skewed(np.int32, seed)
        A = A[:, np.argsort(-(A != 0).sum(0), kind="stable")]
        x = np.random.default_rng(seed).integers(1, 9, A.shape[1])
        for B, M in ((A, matrix(A, backend)), (A := 3 * (A != 0), iso(A, backend))):
            product(B, x.astype(B.dtype), M, backend)
            [panels] = {**M._store.pulls.panels, **M._store.pattern.pulls.panels}.values()
            assert panels.to is None and panels.used < A.shape[1]


def chosen_entries() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, rng = (
            dense_rows_of_all_lengths(np.int32, NROWS, NCOLS, seed),
            np.random.default_rng(seed),
        )
        M = matrix(A, backend)
        x = rng.integers(1, 9, NCOLS).astype(np.int32)
        few = np.where(rng.random(NCOLS) < 0.3, x, 0)
        flags = np.where(rng.random(NROWS) < 0.4, 1, 0).astype(np.int32)
        mask = lg.Vector.from_dense(flags, missing_value=0, backend=backend)
        product(A, few, M, backend)
        for u in (x, few):
            product(A, u, M, backend, mask=mask.S)
            product(A, u, M, backend, mask=~mask.S)
        A = long_one(seed)
        M = matrix(A, backend)
        product(A, np.where(rng.random(2000) < 0.1, 2, 0).astype(np.int32), M, backend)
        product(A, np.where(A[1] == 0, 2, 0).astype(np.int32), M, backend)  # finds nothing there


def rows_of_several_shares() -> None:
    """Some begin in the same 32 shares, and each goes on in others."""
    backend = emulated(1, blocks=16)
    A = np.random.default_rng(1).integers(1, 5, (5, 1500)).astype(np.int32)
    product(A, np.arange(1, 1501, dtype=np.int32), matrix(A, backend), backend)


def rows_and_minima() -> None:
    """⊗ that reads the row; a fold that starts from its first value; also by panels."""
    for seed, patience in itertools.product(SEEDS, (1 << 30, 1)):
        backend = gpu(seed, patience)
        A = dense_rows_of_all_lengths(np.float32, NROWS, NCOLS, seed)
        M = matrix(A, backend)
        u = lg.Vector.from_dense(np.full(NCOLS, 2, np.float32), backend=backend)
        even = np.arange(NROWS) % 2 == 0
        mask = lg.Vector.from_coo(np.flatnonzero(even), 1, size=NROWS, backend=backend)
        for name, expected, settings, wanted in (
            ("max_firsti", np.arange(NROWS), {}, True),
            ("min_plus", np.where(A > 0, A + 2, 99).min(1), {}, True),
            ("min_plus", np.where(A > 0, A + 2, 99).min(1), {"mask": mask.S}, even),
        ):
            ring = SEMIRINGS[name]
            w = lg.Vector(ring.output(u.dtype, M.dtype), NROWS, backend=backend)
            w(schedule=EVEN, replace=bool(settings), **settings) << ring(M @ u)
            has = (A > 0).any(1) & wanted
            np.testing.assert_array_equal(w.to_coo()[0], np.flatnonzero(has))
            np.testing.assert_array_equal(w.to_coo()[1], expected[has])
        sums = M.reduce_rowwise("plus").new()
        np.testing.assert_array_equal(sums.to_dense(0), A.sum(1))


def negative_zeros() -> None:
    """A fold starts from its first value, also of the last row: -0.0 plus nothing is -0.0."""
    for last in (1, 2, 127, 130):
        backend = gpu(0)
        A = np.zeros((2, 140), np.float32)
        A[0, 3], A[1, :last] = -1, -1
        u = lg.Vector.from_dense(np.zeros(140, np.float32), backend=backend)
        w = lg.Vector("FP32", 2, backend=backend)
        w(schedule=EVEN) << SEMIRINGS["plus_times"](matrix(A, backend) @ u)
        assert np.signbit(w.to_coo()[1]).all()


def shifted_arrays() -> None:
    """Arrays that begin anywhere cannot be read four values at a time."""
    for seed in SEEDS:
        backend = gpu(seed)
        A = dense_rows_of_all_lengths(np.int16, NROWS, NCOLS, seed)
        indptr = np.concatenate(([0], (A != 0).sum(1).cumsum())).astype(np.int32)
        i, j = np.nonzero(A)
        place = backend.device.upload
        arrays = (place(np.concatenate(([0], j)).astype(np.int32))[1:],
                  place(np.concatenate(([0], A[i, j])).astype(np.int16))[1:])  # fmt: skip
        store = DeviceMatrix(A.shape, A.dtype, i.size, place(indptr), *arrays)
        M = lg.Matrix._stored(store, A.shape, A.dtype, backend)
        product(A, np.arange(1, NCOLS + 1, dtype=np.int16), M, backend)


def sums_of_floats() -> None:
    """The same bits under every schedule of the threads."""
    rng = np.random.default_rng(5)
    A, x = rng.random((4, 3000)).astype(np.float32), rng.random(3000).astype(np.float32)
    found = []
    for seed in range(4):
        backend = gpu(2)
        backend.device.seed = seed
        u = lg.Vector.from_dense(x, backend=backend)
        w = lg.Vector("FP32", 4, backend=backend)
        w(schedule=EVEN) << SEMIRINGS["plus_times"](matrix(A, backend) @ u)
        found.append(w.to_dense(0))
    np.testing.assert_allclose(found[0], A.astype(float) @ x, rtol=1e-5)
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])


def wide_offsets() -> None:
    with offsets_of_64_bits():
        for patience in (1, 2):
            backend = gpu(2, patience)
            A = dense_rows_of_all_lengths(np.int32, NROWS, NCOLS, 2)
            M = matrix(A, backend)
            assert M._store.offset == np.int64
            product(A, np.arange(1, NCOLS + 1, dtype=np.int32), M, backend)


EXERCISES = (full_vectors, one_value, by_panels, single_entries, waiting_vectors, long_runs, rows_of_several_shares,
             one_slice_and_many, no_panels, ranked_columns, chosen_entries, rows_and_minima, negative_zeros, shifted_arrays,
             sums_of_floats, wide_offsets, columns_in_order)  # fmt: skip

MUTANTS = [
    Mutant("matrix/row_starts.cuh", "i < n && indptr[i + 1] > indptr[i]", "i < n && indptr[i + 1] >= indptr[i]", full_vectors),
    Mutant("matrix/row_starts.cuh", "i < n && indptr", "indptr", full_vectors),
    Mutant("matrix/row_starts.cuh", "__popc(has >> lane_id())", "__popc(has >> lane_id()) + 1", full_vectors),
    Mutant("matrix/row_starts.cuh", "atomicOr(begins + (first >> 5), 1u << (first & 31));", "begins[first >> 5] |= 1u << (first & 31);", full_vectors),
    Mutant("matrix/row_starts.cuh", "span <= end / SPAN", "span < end / SPAN", full_vectors),
    Mutant("matrix/row_starts.cuh", "ranks[span] = rank + 1", "ranks[span] = rank", full_vectors),
    Mutant("matrix/row_starts.cuh", "0x7fffffff - (entries <", "0x3fffffff + (entries <", by_panels),
    Mutant("matrix/row_starts.cuh", "<< 32 | j;", "<< 32 | (ncols - 1 - j);", by_panels),
    Mutant("matrix/row_starts.cuh", "to[keys[i] & 0x7fffffff] = static_cast<Index>(i);", "to[i] = static_cast<Index>(keys[i] & 0x7fffffff);", by_panels),
    Mutant("matrix/row_starts.cuh", "entries > 0));", "entries >= 0));", by_panels),
    Mutant("matrix/row_starts.cuh", "atomicAdd(totals, used)", "*totals = used", by_panels),
    Mutant("matrix/row_starts.cuh", "atomicAdd(totals + 2 + base / width, entries)", "atomicAdd(totals + 2, entries)", by_panels),
    Mutant("matrix/row_starts.cuh", "(keys[i] & 0x7fffffff) != i", "(keys[i] & 0x7fffffff) > i", ranked_columns),
    Mutant("matrix/row_starts.cuh", "atomicAdd(totals + 1, moved)", "totals[1] = moved", ranked_columns),
    Mutant("matrix/row_starts.cuh", "if (lane_id() == 0 && entries > 0) atomicAdd", "if (entries > 0) atomicAdd", ranked_columns),
    Mutant("spmv/column_blocked.cuh", "i == 0 ? columns & 0xffffu : columns >> 16", "columns & 0xffffu", single_entries),
    Mutant("spmv/column_blocked.cuh", "columns & 0xffffu : columns", "columns & 0xfu : columns", single_entries),
    Mutant("spmv/column_blocked.cuh", "weights[2 * at + 1]", "weights[2 * at]", by_panels),
    Mutant("spmv/column_blocked.cuh", "seen = begins[mine < last ? mine : last];", "seen = begins[mine];", by_panels),
    Mutant("spmv/column_blocked.cuh", "odd = __shfl_sync(ALL_LANES, seen, slice - window) & 1;", "odd = false;", single_entries),
    Mutant("spmv/column_blocked.cuh", "slice - window + 1) >> 1;", "slice - window) >> 1;", by_panels),
    Mutant("spmv/column_blocked.cuh", "sum = fresh ? one : S::add(sum, one);", "sum = S::add(sum, one);", rows_and_minima),
    Mutant("spmv/column_blocked.cuh", "fresh = pair + 1 == end;", "fresh = pair == end;", by_panels),
    Mutant("spmv/column_blocked.cuh", "if (!fresh || !odd) sum", "if (!odd) sum", by_panels),
    Mutant("spmv/column_blocked.cuh", "if (!fresh || !odd) sum", "if (!fresh) sum", by_panels),
    Mutant("spmv/column_blocked.cuh", "if (++slice - window == 31) look();\n        else next();", "++slice, next();", one_slice_and_many),
    Mutant("spmv/column_blocked.cuh", "- window == 31", "- window == 32", one_slice_and_many),
    Mutant("spmv/column_blocked.cuh", "job * warps + (threadIdx.x >> 5)", "job * warps", by_panels),
    Mutant("spmv/column_blocked.cuh", "now[i].read(first + i < last ? first + i : last - 1,", "now[i].read(first + i,", one_slice_and_many),
    Mutant("spmv/column_blocked.cuh", "then[i].read(later < last ? later : last - 1,", "then[i].read(later,", by_panels),
    Mutant("spmv/column_blocked.cuh", "now[i] = then[i];", "now[i] = now[i];", long_runs),
    Mutant("spmv/column_blocked.cuh", "if (first == last) continue;", "", one_slice_and_many),
    Mutant("spmv/column_blocked.cuh", "x[i] = u[panel * width + (k < here ? k : at)];", "x[i] = u[panel * width + k];", by_panels),
    Mutant("spmv/column_blocked.cuh", "        __syncthreads();  // until all have read the values of the previous panel\n", "", by_panels),
    Mutant("spmv/column_blocked.cuh", "            }\n#pragma unroll\n            for (int i = 0; i < PANEL_LOADS; ++i)\n                if (at + i * blockDim.x < here) held[at + i * blockDim.x] = x[i];\n        }\n        __syncthreads();\n", "            }\n#pragma unroll\n            for (int i = 0; i < PANEL_LOADS; ++i)\n                if (at + i * blockDim.x < here) held[at + i * blockDim.x] = x[i];\n        }\n", by_panels),
    Mutant("spmv/column_blocked.cuh", "here = left < width ? left : width;", "here = width;", by_panels),
    Mutant("spmv/sliced_ell.cuh", "<< 32;", "<< 31;", by_panels),
    Mutant("core/partition_point.cuh", "(high - low + 1) / 2", "(high - low) / 2", by_panels),
    Mutant("spmv/sliced_ell.cuh", "first_tasks[k] <= number", "first_tasks[k] < number", by_panels),
    Mutant("spmv/sliced_ell.cuh", "tasks = first_tasks[low + 1] - first_tasks[low];", "tasks = 1;", by_panels),
    Mutant("spmv/sliced_ell.cuh", "counter = first_tasks[low] * CUT + number - first_tasks[low];", "counter = first_tasks[low] * CUT;", by_panels),
    Mutant("spmv/sliced_ell.cuh", "first + task_size < firsts[low + 1] ? first + task_size : firsts[low + 1]", "first + task_size", by_panels),
    Mutant("spmv/sliced_ell.cuh", "first + task_size < firsts[low + 1] ? first + task_size : firsts[low + 1]", "firsts[low + 1]", by_panels),
    Mutant("spmv/sliced_ell.cuh", "__ffsll(static_cast<long long>(after)) : CUT - at", "__ffsll(static_cast<long long>(after)) : CUT", by_panels),
    Mutant("spmv/sliced_ell.cuh", "[&](Index, unsigned long long, int, int length) { atomicAdd(mine + CUT - length, 1); }", "[&](Index, unsigned long long, int, int length) { ++mine[CUT - length]; }", by_panels),
    Mutant("spmv/sliced_ell.cuh", "in_cell[cell] = __popcll(cell_of(begins, cell));", "in_cell[cell] = __popcll(cell_of(begins, cell) >> 1);", by_panels),
    Mutant("spmv/sliced_ell.cuh", "        for (int c = lane_id(); c < CUT; c += 32) mine[c] = 0;\n        __syncwarp();\n", "        for (int c = lane_id(); c < CUT; c += 32) mine[c] = 0;\n", by_panels),
    Mutant("spmv/sliced_ell.cuh", "atomicAdd(totals + task.panel * CUT + c, mine[c]);", "totals[task.panel * CUT + c] = mine[c];", by_panels),
    Mutant("spmv/sliced_ell.cuh", "ends[kind] <= s", "ends[kind] < s", by_panels),
    Mutant("spmv/sliced_ell.cuh", "(s - first) * ((length + 1) / 2)", "(s - first) * (length / 2)", by_panels),
    Mutant("spmv/sliced_ell.cuh", " + length % 2;", ";", by_panels),
    Mutant("spmv/sliced_ell.cuh", "mine[c] = 32 * slices + starts[task.counter + c * task.tasks] - starts[begin + c * task.tasks];\n        }\n        __syncwarp();", "mine[c] = 32 * slices + starts[task.counter + c * task.tasks] - starts[begin + c * task.tasks];\n        }", by_panels),
    Mutant("spmv/sliced_ell.cuh", " - starts[begin + c * task.tasks];", ";", by_panels),
    Mutant("spmv/sliced_ell.cuh", "length == 1 && task.panel < alone", "length == 1", single_entries),
    Mutant("spmv/sliced_ell.cuh", "length == 1 && task.panel", "length <= 2 && task.panel", single_entries),
    Mutant("spmv/sliced_ell.cuh", "copied && length == 1 ? (s - first) / 2", "copied && length == 1 ? (s - first)", single_entries),
    Mutant("spmv/sliced_ell.cuh", "copied && length == 1 ? (s - first) / 2", "length == 1 ? (s - first) / 2", by_panels),
    Mutant("spmv/sliced_ell.cuh", "+ 32 * pairs + lane_id()", "+ lane_id()", single_entries),
    Mutant("spmv/sliced_ell.cuh", "if (copied && length < 2)", "if (length < 2)", by_panels),
    Mutant("spmv/sliced_ell.cuh", "if (copied && length < 2)", "if (copied && length < 1)", single_entries),
    Mutant("spmv/column_blocked.cuh", "if (copied != nullptr) runs =", "if (copied != nullptr && copied[panel] < cut[0]) runs =", single_entries),
    Mutant("spmv/column_blocked.cuh", "if (runs < cut[1]) copy_entries", "if (first == last) copy_entries", single_entries),
    Mutant("spmv/column_blocked.cuh", "(slice + i < end ? slice + i : slice) - first)", "slice - first)", single_entries),
    Mutant("spmv/column_blocked.cuh", "SliceSums<S> mine(begins, cut[0], runs);", "SliceSums<S> mine(begins, cut[0], cut[0]);", single_entries),
    Mutant("spmv/sliced_ell.cuh", "                item += columns[place];\n", "", single_entries),
    Mutant("spmv/sliced_ell.cuh", "item = used + lane;", "item = lane;", single_entries),
    Mutant("spmv/sliced_ell.cuh", "((1ull << at) - 1))] = item;", "(1ull << at))] = item;", by_panels),
    Mutant("spmv/sliced_ell.cuh", "place >= 0 && i < length", "i < length", by_panels),
    Mutant("spmv/column_rank.cuh", "static_cast<Index>(inside ? i : first)", "static_cast<Index>(i)", by_panels),
    Mutant("spmv/column_rank.cuh", "!inside ? used : to", "to", by_panels),
    Mutant("spmv/column_rank.cuh", "to == nullptr ? static_cast<Index>(i)", "to == nullptr ? static_cast<Index>(first)", columns_in_order),
    Mutant("spmv/column_rank.cuh", "if (at[s] < used) z", "z", by_panels),
    Mutant("spmv/column_rank.cuh", "Source::at(", "if (s > 0) Source::at(", waiting_vectors),
    Mutant("spmv/partition.cuh", "+ ends[mine] - counts[mine] - before;", "+ ends[mine] - before;", by_panels),
    Mutant("spmv/partition.cuh", "+ ends[mine] - counts[mine] - before;", "+ ends[mine] - counts[mine];", by_panels),
    Mutant("spmv/partition.cuh", "below != 0 ? 31 - __clz(below) : 0", "lane_id()", by_panels),
    Mutant("spmv/partition.cuh", "met = below != 0 ? neighbour : row[panel];", "met = row[panel];", by_panels),
    Mutant("spmv/partition.cuh", " || place % CUT == 0);", ");", by_panels),
    Mutant("spmv/partition.cuh", "        __syncwarp();\n        if (panel >= 0 && last) {", "        if (panel >= 0 && last) {", by_panels),
    Mutant("spmv/partition.cuh", "            row[panel] = mine;\n        }\n        __syncwarp();\n", "            row[panel] = mine;\n        }\n", by_panels),
    Mutant("spmv/partition.cuh", "            row[panel] = mine;\n", "", by_panels),
    Mutant("spmv/partition.cuh", "        if (e >= nnz) break;\n", "", by_panels),
    Mutant("spmv/partition.cuh", "atomicAdd(mine + k / width, 1);", "++mine[k / width];", by_panels),
    Mutant("spmv/partition.cuh", "if (end % CUT != 0) mark(begins, end);", "", single_entries),
    Mutant("spmv/partition.cuh", "        mark(begins, place);\n", "        begins[place >> 5] |= 1u << (place & 31);\n", by_panels),
    Mutant("spmv/partition.cuh", "append_own(starts, runs)", "append_own(starts && lane_id() == 0, runs)", by_panels),
    Mutant("spmv/partition.cuh", "first ? ~place : place", "starts ? ~place : place", by_panels),
    Mutant("spmv/partition.cuh", "* const listed = ranked + spans.share(warp_id());", "* const listed = ranked;", by_panels),
    Mutant("spmv/partition.cuh", "named[before[cell] + __popcll", "named[__popcll", by_panels),
    Mutant("spmv/partition.cuh", "(1ull << place % CUT) - 1", "(2ull << place % CUT) - 1", by_panels),
    Mutant("spmv/partition.cuh", "if (seen < 0) mark(item_begins, at);", "mark(item_begins, at);", by_panels),
    Mutant("spmv/partition.cuh", "] = open + __popc(starts", "] = 1 + open + __popc(starts", by_panels),
    Mutant("spmv/partition.cuh", "        open += __popc(starts);\n    }\n}\n\n// The values", "    }\n}\n\n// The values", by_panels),
    Mutant("spmv/partition.cuh", "if (panel >= 0) out[place] = values[e];", "if (panel >= 0) out[place] = values[0];", by_panels),
    Mutant("core/vector_load.cuh", "if (aligned && count == QUAD)", "if (count == QUAD)", shifted_arrays),
    Mutant("core/vector_load.cuh", "if (aligned && count == QUAD)", "if (aligned)", full_vectors),
    Mutant("core/vector_load.cuh", "if (i < count) as.quad.at[i] = from[i];", "as.quad.at[i] = from[i];", full_vectors),
    Mutant("core/vector_load.cuh", "constexpr int pieces = sizeof(Quad<T>) / sizeof(P);\n    union { P", "constexpr int pieces = 1;\n    union { P", full_vectors),
    Mutant("spmv/segmented_operands.cuh", "own == 0 ? words.x : words.y", "own == 0 ? words.y : words.x", full_vectors),
    Mutant("spmv/segmented_operands.cuh", "own == 0 ? 0 : x", "x", full_vectors),
    Mutant("spmv/segmented_operands.cuh", "__popc(mine & ((1u << shift) - 1))", "__popc(mine & ((2u << shift) - 1))", full_vectors),
    Mutant("spmv/segmented_operands.cuh", "bool wants = row >= 0 && operand.mask.wants(operand.rows[row]);", "bool wants = false;", chosen_entries),
    Mutant("spmv/segmented_operands.cuh", "wants = operand.mask.wants(operand.rows[++row])", "wants = operand.mask.wants(operand.rows[row])", chosen_entries),
    Mutant("spmv/segmented_operands.cuh", "return found & entries;", "return entries;", chosen_entries),
    Mutant("spmv/segmented_operands.cuh", "return found & entries;", "return found;", rows_and_minima),
    Mutant("spmv/segmented_operands.cuh", "return present(operand.bits, k);", "return true;", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (!second.has) return first;", "", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (first.has) second.value", "second.value", negative_zeros),
    Mutant("spmv/segmented_spmv.cuh", "if (!found.has) return;", "", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (!all) atomicOr(out_bits + (j >> 5), 1u << (j & 31));", "if (!all) out_bits[j >> 5] |= 1u << (j & 31);", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (row != before) return write(row, found);", "if (row > before + 1) return write(row, found);", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "carried[number] = found.has;", "carried[number] = 1;", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "else lead = mine;", "", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "                ++row;\n", "", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "mine = nothing<S>();\n            }", "}", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "(2u << lane) - 1", "(1u << lane) - 1", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "lane + __clz(upto) - 31 : lane", "lane + __clz(upto) - 31 : 31", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "if (lane == 0 && place.begins == 0) mine = joined(carry, mine);", "if (lane == 0) mine = joined(carry, mine);", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "if (lane == 0 && place.begins == 0) mine = joined(carry, mine);", "", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "distance < 32; distance <<= 1) {\n            Partial", "distance < 16; distance <<= 1) {\n            Partial", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "if (lane == 0) prior = carry;", "", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "joined(prior, lead)", "prior", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "carry.value = from_lane<Z>(mine.value, last);", "carry.value = from_lane<Z>(mine.value, 31);", negative_zeros),
    Mutant("spmv/segmented_spmv.cuh", "carry.has = all || __shfl_sync(ALL_LANES, int(mine.has), last);", "carry.has = mine.has;", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "lane_id() < static_cast<int>(at % SPAN) / 32", "lane_id() <= static_cast<int>(at % SPAN) / 32", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "units * (share + 1) / warp_count()", "units * share / warp_count() + 1", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "wanted[r] = count < 0 ? 0 : (1 << count) - 1;", "wanted[r] = (1 << QUAD) - 1;", rows_and_minima),
    Mutant("spmv/segmented_spmv.cuh", "row += place[r].begins >> i & 1;", "", rows_and_minima),
    Mutant("spmv/segmented_spmv.cuh", "stride != 0 ? a[r].at[i] : *values", "a[r].at[i]", one_value),
    Mutant("spmv/segmented_spmv.cuh", "if (end > 0) mine.fold", "mine.fold", negative_zeros),
    Mutant("spmv/segmented_spmv.cuh", "    if (lane_id() == 0) mine.finish(open, carry);", "", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "(own == 0 || rows[own - 1] != j)", "true", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "own + 1 < shares && rows[own + 1] == j", "false", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "if (first && !several && carried[own])", "if (first && !several)", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (first && !several && carried[own])", "if (first && carried[own])", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "if (first && !several && carried[own])", "if (false)", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "base + __ffs(left) - 1", "base", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "left &= left - 1", "left = 0", rows_of_several_shares),
    Mutant("spmv/segmented_spmv.cuh", "rows[share] == row && carried[share]", "rows[share] == row", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "rows[share] == row && carried[share]", "carried[share]", rows_of_several_shares),
    Mutant("spmv/segmented_spmv.cuh", "had ? S::add(out[j], value) : value", "value", full_vectors),
    Mutant("spmv/segmented_spmv.cuh", "had ? S::add(out[j], value) : value", "S::add(out[j], value)", chosen_entries),
    Mutant("spmv/segmented_spmv.cuh", "if (!had) claim(out_bits, j);", "", chosen_entries),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
