# ruff: noqa: E501  (mutants of one line)
"""Our kernels, broken in the lines that matter: each mutant must be caught.

The exercises below run every kernel through the backend on the emulator, in check mode under
several schedules, against answers that NumPy computes over dense arrays.
"""

from __future__ import annotations

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device.module import unit
from lagraph_gpu.gpu.matrix import ewise_matrix
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, MONOIDS, SEMIRINGS
from tests.graphs import HUB, N, dense_with_hub
from tests.simt.exercises import (
    FOLDS,
    SEEDS,
    found,
    gpu,
    iso,
    matrix,
    offsets_of_64_bits,
    sparse,
    vector,
)
from tests.simt.mutants import Mutant, suite


def product(name: str, dtype: type, schedule: Schedule) -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, u = dense_with_hub(dtype, seed), sparse(dtype, seed)
        wanted = np.random.default_rng(seed).random(N) < 0.7
        mask = vector(wanted.astype(np.int8), backend)
        w = lg.Vector(SEMIRINGS[name].output(A.dtype, A.dtype), N, backend=backend)
        w(~mask.S, replace=True, schedule=schedule) << SEMIRINGS[name](
            vector(u, backend) @ matrix(A, backend)
        )
        reached = ((u[:, None] > 0) & (A > 0)).any(0) & ~wanted
        index, values = w.to_coo()
        np.testing.assert_array_equal(index, np.flatnonzero(reached))
        np.testing.assert_array_equal(values, FOLDS[name](u, A).astype(values.dtype)[reached])


def search(schedule: Schedule) -> None:
    """Parents by `any`: each is a neighbour with an entry, present exactly where one exists."""
    for seed in SEEDS:
        backend = gpu(seed)
        A, u = dense_with_hub(np.int32, seed), sparse(np.int32, seed, 0.1)
        w = lg.Vector("INT64", N, backend=backend)
        w(schedule=schedule) << SEMIRINGS["any_secondi"](vector(u, backend) @ matrix(A, backend))
        index, parent = w.to_coo()
        np.testing.assert_array_equal(index, np.flatnonzero(((u[:, None] > 0) & (A > 0)).any(0)))
        assert (A[parent, index] > 0).all() and (u[parent] > 0).all()


def push_any() -> None:
    for balance in (None, "thread", "warp", "search"):
        search(Schedule("push", balance))


def push_fold() -> None:
    for balance in (None, "thread", "warp", "search"):
        product("plus_times", np.int32, Schedule("push", balance))


def push_far() -> None:
    """More words and more pieces than warps look at in one turn, rows of just a piece, and a vector
    that is already there, whose bitmap and values a push must not take over."""
    n = 7000
    for seed in SEEDS:
        backend, rng = gpu(seed), np.random.default_rng(seed)
        degree = rng.permutation(np.r_[np.full(120, 7), np.full(120, 8), 25, 60, np.ones(500)])
        rows = np.repeat(rng.choice(n, degree.size, replace=False), degree.astype(int))
        columns = np.concatenate([rng.choice(90, int(d), replace=False) for d in degree])
        A = lg.Matrix.from_coo(rows, columns, 1, "INT64", nrows=n, ncols=90, backend=backend)
        u = lg.Vector.from_coo(
            some := rng.permutation(n)[:3500], 1, "INT64", size=n, backend=backend
        )
        w = u.select(">", 0).new()  # nobody knows how many
        for x in (u, w):
            y = lg.Vector("INT64", 90, backend=backend)
            y(schedule=Schedule("push")) << SEMIRINGS["plus_times"](x @ A)
            right = np.bincount(columns[np.isin(rows, some)], minlength=90)
            np.testing.assert_array_equal(y.to_dense(0), right)
            assert y.nvals == np.count_nonzero(right)
        assert backend.products.edges(w._store) == np.isin(rows, some).sum()
        assert backend.products.count(w._store) == 3500
        A._store.pattern.pieces.clear()
        A._store.pattern.max_degree = None
        backend.products.pieces(A._store, backend.products.piece)
        assert A._store.pattern.max_degree == 60


def push_small_type() -> None:
    product("plus_times", np.int8, Schedule("push", "search"))


def push_float() -> None:
    product("min_plus", np.float32, Schedule("push", "warp"))
    product("max_plus", np.float64, Schedule("push", "warp"))


def push_bits() -> None:
    product("bxor_band", np.uint64, Schedule("push", "search"))


def pull_any() -> None:
    for balance in ("thread", "warp"):
        search(Schedule("pull", balance))


def pull_fold() -> None:
    for balance in ("thread", "warp"):
        product("plus_times", np.int32, Schedule("pull", balance))
        product("min_plus", np.float32, Schedule("pull", balance))


def many_hubs() -> None:
    """Rows of several blocks' length, more of them than blocks."""
    for seed in SEEDS:
        backend = gpu(seed)
        A = np.random.default_rng(seed).integers(0, 3, (300, 9)).astype(np.int32)
        u = np.random.default_rng(seed).integers(0, 2, 300).astype(np.int32)
        A[150:, 0], u[:150] = 0, 0  # a long row that finds nothing
        w = SEMIRINGS["plus_times"](vector(u, backend) @ matrix(A, backend)).new()
        v = lg.Vector("INT32", 9, backend=backend)
        v(schedule=Schedule("pull", "warp")) << SEMIRINGS["plus_times"](
            vector(u, backend) @ matrix(A, backend)
        )
        np.testing.assert_array_equal(v.to_dense(0), u @ A)
        assert v.nvals == 8
        np.testing.assert_array_equal(w.to_dense(0), u @ A)


def hub_work() -> None:
    """A long row is left to its block: a warp must not walk it too."""
    backend = gpu(0)
    A = dense_with_hub(np.int32, 0)
    u, M = vector(np.ones(N, np.int32), backend), matrix(A, backend)
    backend.products.long_rows = lambda A: (0, None)
    w = lg.Vector("INT32", N, backend=backend)
    w(schedule=Schedule("pull", "warp")) << SEMIRINGS["plus_times"](u @ M)
    assert w[HUB].get() is None


def listing() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        n = 3000
        present = np.random.default_rng(seed).random(n) < 0.4
        v = vector(present.astype(np.int32), backend)
        count = backend.products.count(v._store)
        listed = backend.products.listing(v._store)[:count]
        vertices = backend.device.download(listed)
        np.testing.assert_array_equal(np.sort(vertices), np.flatnonzero(present))


def elementwise() -> None:
    plus, times = BINARY["plus"], BINARY["times"]
    for seed in SEEDS:
        backend = gpu(seed)
        a, b = sparse(np.int32, seed), sparse(np.int32, seed + 50)
        m = sparse(np.int32, seed + 70) > 0
        mask = vector(m.astype(np.int32), backend)
        zeros = lg.Vector.from_dense(m.astype(np.int32), backend=backend)  # full, with zeros
        u, v = vector(a, backend), vector(b, backend)

        w = u.dup()
        w(mask.S, plus) << times(u & v)
        expected = np.where(m & (a > 0) & (b > 0), a + a * b, a)
        np.testing.assert_array_equal(w.to_dense(0), expected)

        w = u.dup()
        w(~zeros.V, replace=True) << plus(u | v)
        np.testing.assert_array_equal(w.to_dense(0), np.where(m, 0, a + b))

        w = u.dup()
        w(mask.S, plus, replace=True) << plus(u | v)
        np.testing.assert_array_equal(w.to_dense(0), np.where(m, 2 * a + b, 0))

        w = u.dup()
        w(mask.S) << u.ewise_union(v, BINARY["minus"], 10, 20)
        union = np.where(a > 0, a, 10) - np.where(b > 0, b, 20)
        expected = np.where(m, np.where((a > 0) | (b > 0), union, 0), a)
        index, values = w.to_coo()
        present = np.where(m, (a > 0) | (b > 0), a > 0)
        np.testing.assert_array_equal(index, np.flatnonzero(present))
        np.testing.assert_array_equal(values, expected[present])

        w = u.dup()
        w[3:40] << v[10:47].new()
        expected = a.copy()
        expected[3:40] = b[10:47]
        index, values = w.to_coo()
        np.testing.assert_array_equal(index, np.flatnonzero(expected))
        np.testing.assert_array_equal(values, expected[index])

        chosen = u.select(">", 4).new()
        np.testing.assert_array_equal(chosen.to_dense(0), np.where(a > 4, a, 0))
        long = np.arange(3000) % 7  # more words than warps take in a turn
        chosen = vector(long, backend).select(">", 4).new()
        np.testing.assert_array_equal(chosen.to_dense(0), np.where(long > 4, long, 0))


def reduction() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        a = sparse(np.int32, seed)
        v = vector(a, backend)
        assert v.reduce(MONOIDS["plus"]).new().value == a.sum()
        assert v.reduce(MONOIDS["max"]).new().value == a.max()
        big = np.random.default_rng(seed).integers(1, 100, 5000)
        assert vector(big, backend).reduce("plus").new().value == big.sum()


def pair(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two matrices (the second with one value for all) and flags, with words of each cut short."""
    A, B = dense_with_hub(np.int32, seed)[:, :70], dense_with_hub(np.int32, seed + 20)[:, 7:]
    wanted = np.random.default_rng(seed).random(A.shape) < 0.4
    B[A == 4] = 0
    return A, np.where(B > 0, 3, 0).astype(np.int32), wanted


def ewise_matrices() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, B, _ = pair(seed)
        a, b = matrix(A, backend), iso(B, backend)
        plus, minus = BINARY["plus"], BINARY["minus"]
        np.testing.assert_array_equal(found(a.ewise_add(b, plus).new()), A + B)
        np.testing.assert_array_equal(found(b.ewise_add(a, plus).new()), A + B)
        either = (A > 0) | (B > 0)
        product = a.ewise_mult(b, BINARY["times"]).new()
        np.testing.assert_array_equal(found(product), A * B)
        assert product.nvals == ((A > 0) & (B > 0)).sum()
        union = np.where(A > 0, A, 10) - np.where(B > 0, B, 40)
        np.testing.assert_array_equal(
            found(a.ewise_union(b, minus, 10, 40).new()), np.where(either, union, 0)
        )
        alone = a.ewise_add(b, BINARY["eq"]).new("INT32")  # what stands alone becomes a BOOL first
        expected = np.where((A > 0) & (B > 0), A == B, either)
        np.testing.assert_array_equal(found(alone), expected)


def ewise_tiles() -> None:
    """Many tiles and shares of few items: entries that meet at each cut, rows of several tiles,
    tiles of empty rows."""
    plus, minus = BINARY["plus"], BINARY["minus"]
    steps = ewise_matrix.STEPS
    try:
        ewise_matrix.STEPS = 3
        for seed in SEEDS:
            backend = gpu(seed)
            backend.device.block_size = 32
            A, B, _ = pair(seed)
            few = np.zeros((400, 9), np.int32)
            few[7], few[390, 3], few[399, 0] = 5, 6, 7
            long = np.random.default_rng(seed).integers(0, 3, (2, 1, 700)).astype(np.int32)
            for left, right in ((A, B), (A, A), (few, few[::-1]), (0 * few, few), long):
                a, b = matrix(left, backend), matrix(right, backend)
                added, both = a.ewise_add(b, plus).new(), (left > 0) & (right > 0)
                np.testing.assert_array_equal(found(added), left + right)
                assert added.nvals == ((left > 0) | (right > 0)).sum()
                np.testing.assert_array_equal(
                    found(a.ewise_add(b, minus).new()), np.where(both, left - right, left + right)
                )
                i, j, row = a.ewise_mult(b, BINARY["firsti"]).new().to_coo()
                np.testing.assert_array_equal(np.stack((i, j)), np.nonzero(both))
                np.testing.assert_array_equal(row, i)
                i, j, row = a.ewise_union(b, BINARY["firsti"], 0, 0).new().to_coo()
                np.testing.assert_array_equal(row, i)
            a, b = iso(A, backend), iso(B, backend)
            np.testing.assert_array_equal(
                found(a.ewise_add(b, plus).new()), A.max() * (A > 0) + B.max() * (B > 0)
            )
    finally:
        ewise_matrix.STEPS = steps


def large_tiles() -> None:
    """Tiles of more entries than a thread asks for at once."""
    backend = gpu(0)
    backend.device.block_size = 32
    A, B = (np.random.default_rng(seed).integers(-4, 9, (50, 70)).clip(0) for seed in range(2))
    total = matrix(A, backend).ewise_add(matrix(B, backend), BINARY["plus"]).new()
    np.testing.assert_array_equal(found(total), A + B)


LOOK = unit(
    "core/look_back.cuh",
    """
__global__ void look(Index piece, unsigned long long* words, long long* out) {
    const long long sum = LookBack{words, 200}.before(piece, 3);
    if (threadIdx.x == 0) *out = sum;
}
""",
)


def looking_back() -> None:
    """A sum that many pieces lie before, of which only the first knows all up to it."""
    device = gpu(0).device
    own, kernel = 3, device.compile(LOOK, "look")
    numbers = np.arange(5, 205, dtype=np.uint64)
    for piece in (1, 31, 32, 33, 64, 65, 170):
        words = numbers << 2 | 1
        words[0] += 1
        held, out = device.upload(words), device.empty(1, np.int64)
        kernel(1, 32, (np.int32(piece), held, out))
        total = numbers[:piece].sum()
        assert device.download(out)[0] == total
        assert device.download(held)[piece] == (total + own) << 2 | 2


def alike() -> None:
    """Values alone where the structure is the same: of one matrix, and of two that share it."""
    plus, minus, times = (BINARY[name] for name in ("plus", "minus", "times"))
    few = np.zeros((400, 9), np.int32)
    few[7], few[390, 3], few[399, 0] = 5, 6, 7  # many empty rows between two entries
    many = np.random.default_rng(0).integers(-8, 9, (90, 120)).clip(0).astype(np.int32)
    many[20:55] = 0
    for seed in SEEDS:
        backend = gpu(seed)
        backend.device.block_size = 32
        for A in (pair(seed)[0], few, many):
            for a in (matrix(A, backend), iso(A, backend)):
                A = found(a)
                opposite = a.apply("ainv").new()
                assert opposite._store.indices is a._store.indices
                np.testing.assert_array_equal(found(opposite), -A)
                np.testing.assert_array_equal(found(a.ewise_add(opposite, minus).new()), 2 * A)
                np.testing.assert_array_equal(found(opposite.ewise_mult(a, times).new()), -A * A)
                np.testing.assert_array_equal(found(a.ewise_union(a, plus, 1, 1).new()), 2 * A)
                for rows in (a.apply("rowindex"), a.ewise_add(opposite, BINARY["firsti"])):
                    i, j, row = rows.new().to_coo()
                    np.testing.assert_array_equal(np.stack((i, j)), np.nonzero(A))
                    np.testing.assert_array_equal(row, i)


def no_room() -> None:
    """Where there is no memory for all that a merge might keep, it is counted first."""
    backend = gpu(0)
    A, B, _ = pair(0)
    a, b = matrix(A, backend), matrix(B, backend)
    empty, device = backend.device.empty, backend.device

    def scarce(size: int, dtype: object) -> object:
        if size == a.nvals + b.nvals:
            raise TooLarge("no room")
        return empty(size, dtype)

    device.empty = scarce
    total = a.ewise_add(b, BINARY["plus"]).new()
    assert total._store.indices.size == total.nvals < a.nvals + b.nvals
    np.testing.assert_array_equal(found(total), A + B)


def write_back() -> None:
    plus = BINARY["plus"]
    for seed in SEEDS:
        backend = gpu(seed)
        A, B, wanted = pair(seed)
        b = iso(B, backend)
        zeros = np.where(np.random.default_rng(seed + 9).random(A.shape) < 0.5, wanted, 2)
        i, j = np.nonzero(zeros < 2)  # the mask's entries, some of them 0
        shape = {"nrows": A.shape[0], "ncols": A.shape[1]}
        mask = lg.Matrix.from_coo(i, j, zeros[i, j].astype(np.int8), **shape, backend=backend)
        for chosen, through in (
            (mask.S, zeros < 2), (~mask.S, zeros == 2), (mask.V, zeros == 1), (~mask.V, zeros != 1)
        ):  # fmt: skip
            for replace in (False, True):
                kept = np.where(replace, 0, A)
                C = matrix(A, backend)
                C(chosen, replace=replace) << b
                expected = np.where(through, B, kept)
                np.testing.assert_array_equal(found(C), expected)
                assert C.nvals == np.count_nonzero(expected)
                C = matrix(A, backend)
                C(chosen, plus, replace=replace) << b
                expected = np.where(through, A + B, kept)
                np.testing.assert_array_equal(found(C), expected)
                assert C.nvals == np.count_nonzero(expected)


def accumulated() -> None:
    """A write-back without a mask."""
    backend = gpu(0)
    A, B, _ = pair(0)
    C = matrix(A, backend)
    C(accum=BINARY["plus"]) << matrix(B, backend)
    np.testing.assert_array_equal(found(C), A + B)


def wide_offsets() -> None:
    backend = gpu(0)
    A, B, _ = pair(0)
    b = matrix(B, backend)
    with offsets_of_64_bits():
        total = matrix(A, backend).ewise_add(b, BINARY["plus"]).new()
        assert total._store.offset == np.int64
        np.testing.assert_array_equal(found(total), A + B)


EXERCISES = (push_any, push_fold, push_far, push_small_type, push_float, push_bits, pull_any, pull_fold,
             many_hubs, hub_work, listing, elementwise, reduction, ewise_matrices, ewise_tiles, looking_back, large_tiles, alike, no_room, write_back, accumulated, wide_offsets)  # fmt: skip

MUTANTS = [
    Mutant("spmv/push.cuh", "if (!mask.wants(j)) return;", "", push_fold),
    Mutant("spmv/push.cuh", "if (first) out[j]", "out[j]", push_any),
    Mutant("spmv/push.cuh", "            first = claim(out_bits, j);\n        }", "            first = true;\n        }", push_fold),
    Mutant("spmv/push.cuh", "out[j] = S::product(u, k,", "out[j] = S::product(u, j,", push_any),
    Mutant("core/bitmap.cuh", "return !(atomicOr(bits + (i >> 5), bit) & bit);",
           "const Word old = bits[i >> 5]; bits[i >> 5] = old | bit; return !(old & bit);", push_any),
    Mutant("core/bitmap.cuh", "return word >> (i & 31) & 1u", "return word >> (i & 15) & 1u", pull_fold),
    Mutant("core/bitmap.cuh", "(n >> 5) + ((n & 31) != 0)", "n >> 5", elementwise),
    Mutant("core/bitmap.cuh", "(n >> 5) + ((n & 31) != 0)", "(n >> 5) + 1 + ((n & 31) != 0)", pull_any),
    Mutant("core/bitmap.cuh", "left >= 32 ? ALL_LANES : (1u << left) - 1", "ALL_LANES", pull_fold),
    Mutant("core/load_balance.cuh", "grid_stride<unsigned>(frontier.count)", "grid_stride<unsigned>(frontier.count - 1)", push_fold),
    Mutant("core/load_balance.cuh", "e = frontier.indptr[k] + lane_id()", "e = frontier.indptr[k]", push_fold),
    Mutant("core/load_balance.cuh", "sums[i] <= at", "sums[i] < at", push_fold),
    Mutant("core/load_balance.cuh", "(frontier.ends[frontier.count - 1])", "(frontier.ends[frontier.count - 1] + 1)", push_fold),
    Mutant("core/load_balance.cuh", "warp_stride<Index>(frontier.count)", "warp_stride<Index>(frontier.count - 1)", push_fold),
    Mutant("core/grid_stride.cuh", "at += step;", "at += 2 * step;", push_fold),
    Mutant("core/grid_stride.cuh", "at < end.count;", "at <= end.count;", push_fold),
    Mutant("core/grid_stride.cuh", "{thread_id<T>(), thread_count<T>(), count}", "{thread_id<T>() + 1, thread_count<T>(), count}", push_fold),
    Mutant("core/grid_stride.cuh", "{static_cast<T>(warp_id()) * each", "{static_cast<T>(warp_id() + 1) * each", pull_fold),
    Mutant("core/grid_stride.cuh", "{{first, 32 * warps, count}", "{{first, 64 * warps, count}", push_far),
    Mutant("core/grid_stride.cuh", "first + lane * apart", "first + lane", push_far),
    Mutant("core/partition_point.cuh", "low = middle + 1;", "low = middle;", push_fold),
    Mutant("core/fold.cuh", "if (found == seen) return old.value;\n        seen = found;", "return old.value;", push_small_type),
    Mutant("core/fold.cuh", "(seen & ~(ones << shift)) |", "", push_small_type),
    Mutant("core/fold.cuh", "if (least) as.bits", "if (!least) as.bits", push_float),
    Mutant("core/fold.cuh", "return static_cast<Z>(atomicAdd(word, static_cast<A>(z)));", "const Z old = *at; *at = M::add(*at, z); return old;", push_fold),
    Mutant("core/fold.cuh", "distance = WIDTH / 2; distance > 0; distance >>= 1) {\n        const Z",
           "distance = WIDTH / 4; distance > 0; distance >>= 1) {\n        const Z", pull_fold),
    Mutant("core/fold.cuh", "mine.value = mine.has ? M::add(other, mine.value) : other;",
           "mine.value = other;", pull_fold),
    Mutant("spmv/pull.cuh", "e < end && !mine.settled(); ++e", "e + 1 < end && !mine.settled(); ++e", pull_fold),
    Mutant("spmv/pull.cuh", "if (e + lane_id() < end) gather", "gather", pull_fold),
    Mutant("spmv/pull.cuh", "if (lane_id() == row) kept = whole;", "kept = whole;", pull_fold),
    Mutant("spmv/pull.cuh", "if (present(u_bits, k)) take(", "take(", pull_fold),
    Mutant("spmv/pull.cuh", "mask.word(word) & inside(word, n)", "mask.word(word)", pull_any),
    Mutant("spmv/push.cuh", "if (i < words) bits[i] = 0;", "", push_fold),
    Mutant("spmv/push.cuh", "        values[i] = start;", "", push_fold),
    Mutant("core/load_balance.cuh", "degree = all > piece ? 0 : static_cast<int>(all);", "degree = static_cast<int>(all);", push_far),
    Mutant("core/load_balance.cuh", "all > piece ? 0", "all >= piece ? 0", push_far),
    Mutant("core/bitmap.cuh", "if (lane_id() % WIDTH >= distance) x", "x", push_far),
    Mutant("core/load_balance.cuh", "end <= at;", "end < at;", push_far),
    Mutant("core/load_balance.cuh", "share.begin, whose)", "share.end, whose)", push_far),
    Mutant("core/load_balance.cuh", "if (at < share.total) body", "body", push_far),
    Mutant("core/load_balance.cuh", "last - first > piece ? first + piece : last", "last", push_far),
    Mutant("core/load_balance.cuh", "at < words ? marked.bits[at] : 0", "marked.bits[at]", push_far),
    Mutant("core/load_balance.cuh", "marked.word(numbers.of(lane)", "marked.word(numbers.first + lane", push_far),
    Mutant("core/load_balance.cuh", "(words, warp_id())", "(words / 2, warp_id())", push_far),
    Mutant("core/load_balance.cuh", "at < marked.pieces && present", "present", push_far),
    Mutant("core/load_balance.cuh", "numbers.of(__ffs(some) - 1)", "numbers.first + __ffs(some) - 1", push_far),
    Mutant("core/load_balance.cuh", "(marked.pieces, warp_id())", "(marked.pieces / 2, warp_id())", push_far),
    Mutant("matrix/row_pieces.cuh", "if (degree <= longest) continue;", "if (degree < longest) continue;", push_far),
    Mutant("matrix/row_pieces.cuh", "if (lane_id() == 0) atomicMax(totals + 1, static_cast<unsigned long long>(max_degree));", "totals[1] = max_degree;", push_far),
    Mutant("matrix/row_pieces.cuh", "    max_degree = warp_reduce<Maximum>(max_degree);\n", "", push_far),
    Mutant("matrix/row_pieces.cuh", "firsts[at] = first + p * piece;", "firsts[at] = first;", push_far),
    Mutant("matrix/row_pieces.cuh", "(degree - 1) / piece + 1", "degree / piece", push_far),
    Mutant("vector/compaction.cuh", "edges += indptr[v + 1] - indptr[v];", "edges += 1;", push_far),
    Mutant("vector/compaction.cuh", "if (vertices == nullptr && indptr == nullptr) continue;", "continue;", push_far),
    Mutant("vector/compaction.cuh", "if (vertices != nullptr) vertices", "vertices", push_far),
    Mutant("vector/elementwise.cuh", "here && before != IGNORED ? out_bits[word] : 0", "here ? out_bits[word] : 0", elementwise),
    Mutant("vector/elementwise.cuh", "(now != old[s] || before == IGNORED)", "now != old[s]", elementwise),
    Mutant("vector/compaction.cuh", "+ running - mine", "+ running", listing),
    Mutant("vector/compaction.cuh", "word < words ? bits[word] : 0", "bits[word]", listing),
    Mutant("vector/elementwise.cuh", "bool has = had && ((wanted[s] >> lane_id() & 1u) || before == KEPT);", "bool has = had;", elementwise),
    Mutant("vector/elementwise.cuh", "has = finds[s] || (Accum::given && had);", "has = finds[s] || had;", elementwise),
    Mutant("vector/elementwise.cuh", "here ? mask.word(word) : 0;", "mask.word(word);", elementwise),
    Mutant("vector/elementwise.cuh", "lane_id() == 0 && word < words &&", "lane_id() == 0 &&", elementwise),
    Mutant("vector/elementwise.cuh", "held[s] = out[i];", "held[s] = W();", elementwise),
    Mutant("vector/elementwise.cuh", "(words, IN_FLIGHT)", "(words, IN_FLIGHT + 1)", elementwise),
    Mutant("vector/elementwise.cuh", "__syncwarp();  // every", "// every", elementwise),
    Mutant("vector/elementwise.cuh", "& (region == nullptr ? ALL_LANES : region[word])", "", elementwise),
    Mutant("vector/elementwise.cuh", "else if (l) z = Op::apply(o.left[i], o.second, i, 0);", "else if (l) z = Op::apply(o.left[i], o.first, i, 0);", elementwise),
    Mutant("vector/elementwise.cuh", "if (from < 0 || !present(o.left_bits, from)) return false;", "", elementwise),
    Mutant("vector/elementwise.cuh", "present(bits, i) && values[i] != T(0)", "present(bits, i)", elementwise),
    Mutant("core/fold.cuh", "    __syncthreads();\n    mine = nothing", "    mine = nothing", reduction),
    Mutant("core/fold.cuh", "    __syncthreads();  // the next", "    // the next", many_hubs),
    Mutant("core/fold.cuh", "lane_id() < warps && has", "has", reduction),
    Mutant("spmv/pull.cuh", "return last - first > longest ? last : first;", "return first;", hub_work),
    Mutant("spmv/pull.cuh", "if (!mask.wants(j)) continue;", "", pull_fold),
    Mutant("spmv/pull.cuh", "e < end; e += blockDim.x", "e < end; e += 2 * blockDim.x", many_hubs),
    Mutant("spmv/pull.cuh", "if (threadIdx.x == 0 && found.has) {\n            out.values[j]", "if (threadIdx.x == 0) {\n            out.values[j]", many_hubs),
    Mutant("matrix/row_pieces.cuh", "at = atomicAdd(totals, count);", "at = *totals; *totals += count;", many_hubs),
    Mutant("vector/scatter.cuh", "        claim(bits, positions[t]);", "        bits[positions[t] >> 5] |= 1u << (positions[t] & 31);", elementwise),
    Mutant("matrix/entries.cuh", "indices[e] < j;", "indices[e] <= j;", write_back),
    Mutant("matrix/entries.cuh", "if (entries.indptr == nullptr) return true;", "", accumulated),
    Mutant("matrix/entries.cuh", "return holds != complement;", "return holds;", write_back),
    Mutant("matrix/entries.cuh", "&& (truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u))", "", write_back),
    Mutant("matrix/ewise_matrix.cuh", "return arithmetic::cast<Z>(arithmetic::cast<T>(x));", "return arithmetic::cast<Z>(x);", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "return arithmetic::cast<Z>(arithmetic::cast<T>(y));", "return arithmetic::cast<Z>(y);", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "{ return twin; }", "{ return true; }", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "{ return false; }", "{ return true; }", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "Op::apply(x, s.second, i, j)", "Op::apply(x, s.first, i, j)", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "Op::apply(s.first, y, i, j)", "Op::apply(s.second, y, i, j)", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "Accum::given || twin", "twin", write_back),
    Mutant("matrix/ewise_matrix.cuh", "Accum::given || twin", "true", write_back),
    Mutant("matrix/ewise_matrix.cuh", ": stays;", ": true;", write_back),
    Mutant("matrix/ewise_matrix.cuh", "{ return writes; }", "{ return true; }", write_back),
    Mutant("matrix/ewise_matrix.cuh", "if (!writes) return c;", "", write_back),
    Mutant("matrix/ewise_matrix.cuh", "Accum::given ? Accum::join(c, t) : arithmetic", "arithmetic", write_back),
    Mutant("matrix/merge_path.cuh", "+ rows.right_start(k) < item;", "+ rows.right_start(k) <= item;", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "k < rows.heads ? rows.left_start(k) : rows.lefts", "rows.left_start(k)", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "k < rows.heads ? rows.right_start(k) : rows.rights", "rows.right_start(k)", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "k == 0 ? 0 : rows.left_start(k - 1), y", "k == 0 ? 0 : rows.left_start(0), y", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "y = k == 0 ? 0 : rows.right_start(k - 1);", "y = 0;", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "rest > rights ? rest - rights : At(0)", "At(0)", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "rest < lefts ? rest : lefts,", "rest,", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "rows.left(x + at) <= rows.right", "rows.left(x + at) < rows.right", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "y + (rest - 1 - at)", "y + (rest - at)", ewise_tiles),
    Mutant("core/partition_point.cuh", "if (found[i]) low = at + 1;", "if (found[i]) low = at;", ewise_matrices),
    Mutant("core/partition_point.cuh", "else high = at < high ? at : high;", "else high = at + 1;", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "return {k, x + low, y + after + meet};", "return {k, x + low, y + after};", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "low > 0 && after < rights && rows", "low > 0 && rows", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "low > 0 && after < rights && rows", "after < rights && rows", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "t < tiles ? static_cast<Offset>(t) * size : items", "static_cast<Offset>(t) * size", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "(tiles + 1)", "(tiles)", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "        words[t] = 0;\n", "", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "return starts[-k] >> 16;", "return starts[-k];", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "memory.words + left_quads * QUAD + (from.right - right_base)", "memory.words + left_quads * QUAD", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "memory.words + (from.left - left_base)", "memory.words", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "memory.words + TileMemory<STEPS>::ROOM - 1", "memory.words + upto.heads - from.heads - 1", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "right_base + (t - left_quads) * QUAD", "right_base + t * QUAD", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "(left ? rows.lefts : rows.rights) - e;", "QUAD;", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "const Offset rest = (left ? rows.lefts : rows.rights) - e;", "const Offset rest = (left ? upto.left : upto.right) - e - 1;", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "upto.left - left_base + QUAD - 1) / QUAD", "upto.left - left_base) / QUAD", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "upto.right - right_base + QUAD - 1) / QUAD", "upto.right - right_base) / QUAD", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "QUADS = STEPS / QUAD + 1;", "QUADS = STEPS / QUAD;", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "rows.left_start(from.heads + k) - from.left)", "rows.left_start(from.heads + k))", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "rows.right_start(from.heads + k) - from.right)", "rows.right_start(from.heads + k))", ewise_tiles),
    Mutant("matrix/merge_path.cuh", "k < starts; k += blockDim.x", "k + 1 < starts; k += blockDim.x", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "    __syncthreads();\n    return tile;", "    return tile;", ewise_matrices),
    Mutant("matrix/merge_path.cuh", "return put_at(k) <= place;", "return put_at(k) < place;", ewise_tiles),
    Mutant("core/vector_load.cuh", "            if (i < count) as.quad.at[i] = from[i];", "            as.quad.at[i] = from[i];", ewise_matrices),
    Mutant("core/vector_load.cuh", "reinterpret_cast<P*>(to)[i] = as.piece[i];", "reinterpret_cast<P*>(to)[i] = P();", ewise_matrices),
    Mutant("core/look_back.cuh", "publish(piece, own, OWN);", "publish(piece, own, SUM);", ewise_tiles),
    Mutant("core/look_back.cuh", "word = at < 0 ? SUM : ", "word = ", ewise_tiles),
    Mutant("core/look_back.cuh", "(missing & ((whole & -whole) - 1)) != 0", "false", ewise_tiles),
    Mutant("core/look_back.cuh", "whole == 0 || lane_id() < __ffs(whole)", "whole == 0 || lane_id() <= __ffs(whole)", ewise_tiles),
    Mutant("core/look_back.cuh", "whole == 0 || lane_id() < __ffs(whole)", "whole == 0 || lane_id() + 1 < __ffs(whole)", ewise_tiles),
    Mutant("core/look_back.cuh", "whole == 0 || lane_id() < __ffs(whole)", "lane_id() < __ffs(whole)", looking_back),
    Mutant("core/look_back.cuh", "last -= 32", "last -= 31", looking_back),
    Mutant("core/look_back.cuh", "publish(piece, sum + own, SUM);", "publish(piece, sum, SUM);", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "rest = end - (k + x + y);", "rest = end - begin;", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "        if (rest <= 0) continue;\n", "", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "            --rest;\n", "", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "rest -= mine + yours;", "rest -= 1;", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "x < x_end ? tile.left(x) : NONE", "tile.left(x)", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "y < y_end ? tile.right(y) : NONE", "tile.right(y)", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "            x_end = left_end(tile, k);\n", "", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "            y_end = right_end(tile, k);\n", "", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "        x += mine;\n", "        x += mine && !yours;\n", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "share.kept |= Word(keep) << s;", "share.kept |= 1u << s;", write_back),
    Mutant("matrix/ewise_matrix.cuh", "mine ? M::keep_left(yours,", "mine ? M::keep_left(false,", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "(writes ? WRITES : 0u));", "WRITES);", write_back),
    Mutant("matrix/ewise_matrix.cuh", "const Index i = row + k;", "const Index i = row;", write_back),
    Mutant("matrix/ewise_matrix.cuh", "total, sums) - own", "total, sums)", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "tile.put(head++, place);", "tile.put(head, place);", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "head = share.head;", "head = 0;", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "        tickets.publish_count(number, 0);\n", "        tickets.publish_count(number, 1);\n", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "(some ? tile.put_at(k) : 0)", "tile.put_at(k)", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "out_indptr[at.from.heads + k] = base", "out_indptr[k] = base", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "        __syncthreads();\n    } else if", "    } else if", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "    __syncthreads();\n    const Offset base", "    const Offset base", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "at.from.left) * left.stride", "at.from.left)", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "at.from.right) * right.stride", "at.from.right)", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "(found & PLACE) * left.stride]", "(found & PLACE)]", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "found >> PLACE_BITS & PLACE) * right.stride]", "found >> PLACE_BITS & PLACE)]", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "const unsigned found = u < total ? kept[u] : 0;", "const unsigned found = kept[u];", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "            if (u >= total) continue;\n", "", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "        ask(t + MERGE_LOADS * blockDim.x);\n", "", large_tiles),
    Mutant("matrix/ewise_matrix.cuh", "mine ? tile.left(found & PLACE) :", "true ? tile.left(found & PLACE) :", ewise_matrices),
    Mutant("matrix/ewise_matrix.cuh", "out_indices[base + u] = j;", "out_indices[u] = j;", ewise_tiles),
    Mutant("matrix/ewise_matrix.cuh", "; out_indptr != nullptr && k < tile.heads;", "; k < tile.heads;", no_room),
    Mutant("matrix/ewise_matrix.cuh", "; out_indptr != nullptr && t < total;", "; t < total;", no_room),
    Mutant("matrix/ewise_matrix.cuh", "right_values[e * right_stride], i", "right_values[e], i", alike),
    Mutant("matrix/ewise_matrix.cuh", "A.values[e * A.stride], right", "A.values[e], right", alike),
    Mutant("matrix/ewise_matrix.cuh", "        if (e >= nnz) return;\n", "", alike),
    Mutant("matrix/entries.cuh", "ALL_LANES, e < nnz && values", "ALL_LANES, values", write_back),
    Mutant("matrix/entries.cuh", "values[e * stride] != A(0)", "true", write_back),
    Mutant("matrix/entries.cuh", "(n)) wide", "(n - 1)) wide", wide_offsets),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
