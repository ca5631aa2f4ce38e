# ruff: noqa: E501  (mutants of one line)
"""Our kernels, broken in the lines that matter: each mutant must be caught.

The exercises below run every kernel through the backend on the emulator, in check mode under
several schedules, against answers that NumPy computes over dense arrays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu import merges, storage
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, MONOIDS, SEMIRINGS
from tests.simt.device import EmulatedDevice
from tests.simt.mutants import Mutant, suite

SEEDS = range(3)
N = 77  # not a multiple of 32
HUB = 5


def gpu(seed: int) -> GpuBackend:
    device = EmulatedDevice("check", seed)
    device.block_size, device.max_blocks = 64, 3
    backend = GpuBackend(device)
    backend.products.long_row = 20  # so that the hub's row is a long one
    backend.products.piece = 7
    return backend


def dense_graph(dtype: type, seed: int) -> np.ndarray:
    """Weights of a random graph with a hub; 0 where there is no edge."""
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((N, N)) < 0.06, rng.integers(1, 9, (N, N)), 0)
    A[HUB, :] = rng.integers(1, 9, N)
    A[:, HUB] = rng.integers(1, 9, N)
    A[9, :] = 0
    return A.astype(dtype)


def matrix(A: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    i, j = np.nonzero(A)
    shape = {"nrows": A.shape[0], "ncols": A.shape[1]}
    return lg.Matrix.from_coo(i, j, A[i, j], **shape, backend=backend)


def vector(dense: np.ndarray, backend: GpuBackend) -> lg.Vector:
    return lg.Vector.from_dense(dense, missing_value=0, backend=backend)


def sparse(dtype: type, seed: int, density: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(100 + seed)
    u = np.where(rng.random(N) < density, rng.integers(1, 9, N), 0)
    u[HUB] = 3
    return u.astype(dtype)


FOLDS: dict[str, Callable] = {
    "plus_times": lambda u, A: (u[:, None] * A).sum(0, dtype=u.dtype),
    "min_plus": lambda u, A: np.where((u[:, None] > 0) & (A > 0), u[:, None] + A, 10**6).min(0),
    "max_plus": lambda u, A: np.where((u[:, None] > 0) & (A > 0), u[:, None] + A, -(10**6)).max(0),
    "bxor_band": lambda u, A: np.bitwise_xor.reduce(u[:, None] & A, 0),
}


def product(name: str, dtype: type, schedule: Schedule) -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, u = dense_graph(dtype, seed), sparse(dtype, seed)
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
        A, u = dense_graph(np.int32, seed), sparse(np.int32, seed, 0.1)
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
        A._store.pieces = A._store.max_degree = None
        backend.products.pieces(A._store)
        assert A._store.max_degree == 60


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
    A = dense_graph(np.int32, 0)
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
        vertices, _ = backend.products.listing(v._store)
        vertices = backend.device.download(vertices)
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


def reduction() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        a = sparse(np.int32, seed)
        v = vector(a, backend)
        assert v.reduce(MONOIDS["plus"]).new().value == a.sum()
        assert v.reduce(MONOIDS["max"]).new().value == a.max()
        big = np.random.default_rng(seed).integers(1, 100, 5000)
        assert vector(big, backend).reduce("plus").new().value == big.sum()


def entries() -> None:
    for seed in SEEDS:
        backend = gpu(seed)
        A, d = dense_graph(np.int32, seed)[:, :70], sparse(np.int32, seed)
        M, diagonal = matrix(A, backend), vector(d, backend).diag()
        scaled = SEMIRINGS["any_times"](diagonal @ M).new()
        i, j, x = scaled.to_coo()
        got = np.zeros_like(A)
        got[i, j] = x
        np.testing.assert_array_equal(got, d[:, None] * A)
        i, j, x = M.select(">=", 5).new().to_coo()
        np.testing.assert_array_equal(np.stack((i, j)), np.nonzero(A >= 5))
        flipped = backend.matrices.transpose(M._store)
        indptr, columns, values = backend.matrix_entries(flipped)
        at = np.nonzero(A.T)
        np.testing.assert_array_equal(np.repeat(np.arange(70), np.diff(indptr)), at[0])
        np.testing.assert_array_equal(columns, at[1])
        np.testing.assert_array_equal(values, A.T[at])


def found(M: lg.Matrix) -> np.ndarray:
    """A matrix as a dense array; that rows are sorted and nothing is there twice is checked."""
    i, j, x = M.to_coo()
    assert (np.diff(i * M.ncols + j) > 0).all()
    dense = np.zeros(M.shape, x.dtype)
    dense[i, j] = x
    return dense


def pair(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two matrices (the second with one value for all) and flags, with words of each cut short."""
    A, B = dense_graph(np.int32, seed)[:, :70], dense_graph(np.int32, seed + 20)[:, 7:]
    wanted = np.random.default_rng(seed).random(A.shape) < 0.4
    B[A == 4] = 0
    return A, np.where(B > 0, 3, 0).astype(np.int32), wanted


def iso(A: np.ndarray, backend: GpuBackend) -> lg.Matrix:
    i, j = np.nonzero(A)
    shape = {"nrows": A.shape[0], "ncols": A.shape[1]}
    return lg.Matrix.from_coo(i, j, A.max(), A.dtype, **shape, backend=backend)


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
    steps = merges.STEPS
    try:
        merges.STEPS = 3
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
        merges.STEPS = steps


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
    few = storage.FEW_ENTRIES
    try:
        b = matrix(B, backend)
        storage.FEW_ENTRIES = 0
        total = matrix(A, backend).ewise_add(b, BINARY["plus"]).new()
        assert total._store.offset == np.int64
        np.testing.assert_array_equal(found(total), A + B)
    finally:
        storage.FEW_ENTRIES = few


EXERCISES = (push_any, push_fold, push_far, push_small_type, push_float, push_bits, pull_any, pull_fold,
             many_hubs, hub_work, listing, elementwise, reduction, entries, ewise_matrices, ewise_tiles, write_back, accumulated, wide_offsets)  # fmt: skip

MUTANTS = [
    Mutant("push.cuh", "if (!mask.wants(j)) return;", "", push_fold),
    Mutant("push.cuh", "if (claim(out_bits, j)) out[j]", "claim(out_bits, j); out[j]", push_any),
    Mutant("push.cuh", "            claim(out_bits, j);", "", push_fold),
    Mutant("push.cuh", "out[j] = S::product(u, k,", "out[j] = S::product(u, j,", push_any),
    Mutant("bitmap.cuh", "return !(atomicOr(bits + (i >> 5), bit) & bit);",
           "const Word old = bits[i >> 5]; bits[i >> 5] = old | bit; return !(old & bit);", push_any),
    Mutant("bitmap.cuh", "bits[i >> 5] >> (i & 31) & 1u", "bits[i >> 5] >> (i & 15) & 1u", pull_fold),
    Mutant("bitmap.cuh", "(n >> 5) + ((n & 31) != 0)", "n >> 5", elementwise),
    Mutant("bitmap.cuh", "(n >> 5) + ((n & 31) != 0)", "(n >> 5) + 1 + ((n & 31) != 0)", pull_any),
    Mutant("bitmap.cuh", "left >= 32 ? ALL_LANES : (1u << left) - 1", "ALL_LANES", pull_fold),
    Mutant("balance.cuh", "f < count; f += threads", "f + 1 < count; f += threads", push_fold),
    Mutant("balance.cuh", "e = frontier.indptr[k] + lane_id()", "e = frontier.indptr[k]", push_fold),
    Mutant("balance.cuh", "sums[middle] > at", "sums[middle] >= at", push_fold),
    Mutant("balance.cuh", "at < edges; at += threads", "at <= edges; at += threads", push_fold),
    Mutant("balance.cuh", "f += warp_count()", "f += 2 * warp_count()", push_fold),
    Mutant("fold.cuh", "if (found == seen) return old.value;\n        seen = found;", "return old.value;", push_small_type),
    Mutant("fold.cuh", "(seen & ~(ones << shift)) |", "", push_small_type),
    Mutant("fold.cuh", "if (least) as.bits", "if (!least) as.bits", push_float),
    Mutant("fold.cuh", "return static_cast<Z>(atomicAdd(word, static_cast<A>(z)));", "const Z old = *at; *at = M::add(*at, z); return old;", push_fold),
    Mutant("fold.cuh", "distance = 16; distance > 0; distance >>= 1) {\n        const Z",
           "distance = 8; distance > 0; distance >>= 1) {\n        const Z", pull_fold),
    Mutant("fold.cuh", "mine.value = mine.has ? M::add(other, mine.value) : other;",
           "mine.value = other;", pull_fold),
    Mutant("pull.cuh", "e < end && !mine.settled(); ++e", "e + 1 < end && !mine.settled(); ++e", pull_fold),
    Mutant("pull.cuh", "if (e + lane_id() < end) gather", "gather", pull_fold),
    Mutant("pull.cuh", "if (lane_id() == row) kept = whole;", "kept = whole;", pull_fold),
    Mutant("pull.cuh", "if (present(u_bits, k)) take(", "take(", pull_fold),
    Mutant("pull.cuh", "mask.word(word) & inside(word, n)", "mask.word(word)", pull_any),
    Mutant("push.cuh", "if (i < words) bits[i] = 0;", "", push_fold),
    Mutant("push.cuh", "        values[i] = start;", "", push_fold),
    Mutant("balance.cuh", "degree = all > piece ? 0 : static_cast<int>(all);", "degree = static_cast<int>(all);", push_far),
    Mutant("balance.cuh", "all > piece ? 0", "all >= piece ? 0", push_far),
    Mutant("balance.cuh", "if (lane_id() >= distance) end", "end", push_far),
    Mutant("balance.cuh", "whose + half - 1) <= at", "whose + half - 1) < at", push_far),
    Mutant("balance.cuh", "share.begin, whose)", "share.end, whose)", push_far),
    Mutant("balance.cuh", "if (at < share.total) body", "body", push_far),
    Mutant("balance.cuh", "last - first > piece ? first + piece : last", "last", push_far),
    Mutant("balance.cuh", "at < words ? marked.bits[at] : 0", "marked.bits[at]", push_far),
    Mutant("balance.cuh", "marked.word(base + lane * apart", "marked.word(base + lane", push_far),
    Mutant("balance.cuh", "base < words; base += apart << 5", "base < words; base += apart << 6", push_far),
    Mutant("balance.cuh", "at < marked.pieces && present", "present", push_far),
    Mutant("balance.cuh", "(__ffs(some) - 1) * apart", "(__ffs(some) - 1)", push_far),
    Mutant("balance.cuh", "base < marked.pieces; base += apart << 5", "base < marked.pieces; base += apart << 6", push_far),
    Mutant("compact.cuh", "if (degree <= piece) continue;", "if (degree < piece) continue;", push_far),
    Mutant("compact.cuh", "atomicMax(totals + 1, static_cast<unsigned long long>(degree));", "totals[1] = degree;", push_far),
    Mutant("compact.cuh", "firsts[at] = first + done;", "firsts[at] = first;", push_far),
    Mutant("compact.cuh", "(degree + piece - 1) / piece", "degree / piece", push_far),
    Mutant("compact.cuh", "edges += degree;", "edges += 1;", push_far),
    Mutant("compact.cuh", "if (vertices == nullptr && indptr == nullptr) continue;", "continue;", push_far),
    Mutant("compact.cuh", "if (vertices != nullptr) vertices", "vertices", push_far),
    Mutant("compact.cuh", "if (degrees != nullptr) degrees", "degrees", push_far),
    Mutant("elementwise.cuh", "before == NOTHING ? 0 : out_bits[word]", "out_bits[word]", elementwise),
    Mutant("elementwise.cuh", "(now != old || before == NOTHING)", "now != old", elementwise),
    Mutant("compact.cuh", "+ running - mine", "+ running", listing),
    Mutant("compact.cuh", "if (lane_id() >= distance) running", "running", listing),
    Mutant("compact.cuh", "word < words ? bits[word] : 0", "bits[word]", listing),
    Mutant("elementwise.cuh", "bool has = had && ((wanted >> lane_id() & 1u) || before == KEPT);", "bool has = had;", elementwise),
    Mutant("elementwise.cuh", "has = Accum::given && had;", "has = had;", elementwise),
    Mutant("elementwise.cuh", "__syncwarp();  // every", "// every", elementwise),
    Mutant("elementwise.cuh", "& (region == nullptr ? ALL_LANES : region[word])", "", elementwise),
    Mutant("elementwise.cuh", "else if (l) z = Op::apply(o.left[i], o.second, i, 0);", "else if (l) z = Op::apply(o.left[i], o.first, i, 0);", elementwise),
    Mutant("elementwise.cuh", "if (from < 0 || !present(o.left_bits, from)) return false;", "", elementwise),
    Mutant("elementwise.cuh", "present(bits, i) && values[i] != T(0)", "present(bits, i)", elementwise),
    Mutant("fold.cuh", "    __syncthreads();\n    mine = nothing", "    mine = nothing", reduction),
    Mutant("fold.cuh", "    __syncthreads();  // the next", "    // the next", many_hubs),
    Mutant("fold.cuh", "lane_id() < warps && has", "has", reduction),
    Mutant("pull.cuh", "return last - first > longest ? last : first;", "return first;", hub_work),
    Mutant("pull.cuh", "if (!mask.wants(j)) continue;", "", pull_fold),
    Mutant("pull.cuh", "e < end; e += blockDim.x", "e < end; e += 2 * blockDim.x", many_hubs),
    Mutant("pull.cuh", "if (threadIdx.x == 0 && found.has) {\n            out[j]", "if (threadIdx.x == 0) {\n            out[j]", many_hubs),
    Mutant("compact.cuh", "rows[atomicAdd(totals, 1ull)] = i", "rows[(*totals)++] = i", many_hubs),
    Mutant("compact.cuh", "        claim(bits, positions[t]);", "        bits[positions[t] >> 5] |= 1u << (positions[t] & 31);", elementwise),
    Mutant("reduce.cuh", "values[i * stride]", "values[0]", reduction),
    Mutant("entries.cuh", "if (indptr[middle] <= e) low", "if (indptr[middle] < e) low", entries),
    Mutant("entries.cuh", "(1u << (e & 31)) - 1;", "(2u << (e & 31)) - 1;", entries),
    Mutant("entries.cuh", "if (e < nnz) {", "{", entries),
    Mutant("entries.cuh", "first; i <= nrows; i", "first; i < nrows; i", entries),
    Mutant("entries.cuh", "atomicAdd(reinterpret_cast<A*>(counts + indices[e]), A(1));", "counts[indices[e]] += 1;", entries),
    Mutant("entries.cuh", "if (indices[middle] < j) low", "if (indices[middle] <= j) low", write_back),
    Mutant("entries.cuh", "if (entries.indptr == nullptr) return true;", "", accumulated),
    Mutant("entries.cuh", "return holds != complement;", "return holds;", write_back),
    Mutant("entries.cuh", "&& (truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u))", "", write_back),
    Mutant("merge.cuh", "{ return arithmetic::cast<Z>(arithmetic::cast<T>(x)); }", "{ return arithmetic::cast<Z>(x); }", ewise_matrices),
    Mutant("merge.cuh", "{ return arithmetic::cast<Z>(arithmetic::cast<T>(y)); }", "{ return arithmetic::cast<Z>(y); }", ewise_matrices),
    Mutant("merge.cuh", "{ return twin; }", "{ return true; }", ewise_matrices),
    Mutant("merge.cuh", "{ return false; }", "{ return true; }", ewise_matrices),
    Mutant("merge.cuh", "Op::apply(x, s.second, i, j)", "Op::apply(x, s.first, i, j)", ewise_matrices),
    Mutant("merge.cuh", "Op::apply(s.first, y, i, j)", "Op::apply(s.second, y, i, j)", ewise_matrices),
    Mutant("merge.cuh", "Accum::given || twin", "twin", write_back),
    Mutant("merge.cuh", "Accum::given || twin", "true", write_back),
    Mutant("merge.cuh", ": stays;", ": true;", write_back),
    Mutant("merge.cuh", "{ return writes; }", "{ return true; }", write_back),
    Mutant("merge.cuh", "if (!writes) return c;", "", write_back),
    Mutant("merge.cuh", "Accum::given ? Accum::join(c, t) : arithmetic", "arithmetic", write_back),
    Mutant("cut.cuh", "+ rows.right_start(middle) < item) low", "+ rows.right_start(middle) <= item) low", ewise_tiles),
    Mutant("cut.cuh", "k < rows.heads ? rows.left_start(k) : rows.lefts", "rows.left_start(k)", ewise_matrices),
    Mutant("cut.cuh", "k < rows.heads ? rows.right_start(k) : rows.rights", "rows.right_start(k)", ewise_matrices),
    Mutant("cut.cuh", "k == 0 ? 0 : rows.left_start(k - 1), y", "k == 0 ? 0 : rows.left_start(0), y", ewise_tiles),
    Mutant("cut.cuh", "y = k == 0 ? 0 : rows.right_start(k - 1);", "y = 0;", ewise_tiles),
    Mutant("cut.cuh", "low = rest > rights ? rest - rights : 0;", "low = 0;", ewise_tiles),
    Mutant("cut.cuh", "high = rest < lefts ? rest : lefts;", "high = rest;", ewise_tiles),
    Mutant("cut.cuh", "rows.left(x + middle) <= rows.right", "rows.left(x + middle) < rows.right", ewise_tiles),
    Mutant("cut.cuh", "y + (rest - 1 - middle)", "y + (rest - middle)", ewise_tiles),
    Mutant("cut.cuh", "return {k, x + low, y + after + meet};", "return {k, x + low, y + after};", ewise_tiles),
    Mutant("cut.cuh", "low > 0 && after < rights && rows", "low > 0 && rows", ewise_tiles),
    Mutant("cut.cuh", "low > 0 && after < rights && rows", "after < rights && rows", ewise_tiles),
    Mutant("cut.cuh", "t < tiles ? t * size : items", "t * size", ewise_matrices),
    Mutant("cut.cuh", "; t <= tiles; t", "; t < tiles; t", ewise_matrices),
    Mutant("cut.cuh", "return starts[k] >> 16;", "return starts[k];", ewise_matrices),
    Mutant("cut.cuh", "return columns[lefts + y];", "return columns[y];", ewise_matrices),
    Mutant("cut.cuh", "for (int s = 0; s <= STEPS; ++s) {\n        const int t = s * blockDim.x + threadIdx.x;\n        if (t < tile.lefts + tile.rights) memory", "for (int s = 0; s < STEPS; ++s) {\n        const int t = s * blockDim.x + threadIdx.x;\n        if (t < tile.lefts + tile.rights) memory", ewise_tiles),
    Mutant("cut.cuh", "for (int s = 0; s <= STEPS; ++s) {\n        const int t = s * blockDim.x + threadIdx.x;\n        if (t < tile.lefts) columns", "for (int s = 0; s < STEPS; ++s) {\n        const int t = s * blockDim.x + threadIdx.x;\n        if (t < tile.lefts) columns", ewise_tiles),
    Mutant("cut.cuh", "rows.right(from.right + (t - tile.lefts))", "rows.right(from.right + t)", ewise_matrices),
    Mutant("cut.cuh", "rows.left_start(from.heads + k) - from.left)", "rows.left_start(from.heads + k))", ewise_tiles),
    Mutant("cut.cuh", "rows.right_start(from.heads + k) - from.right)", "rows.right_start(from.heads + k))", ewise_tiles),
    Mutant("cut.cuh", "k < tile.heads; k += blockDim.x", "k + 1 < tile.heads; k += blockDim.x", ewise_matrices),
    Mutant("cut.cuh", "    __syncthreads();\n    return tile;", "    return tile;", ewise_matrices),
    Mutant("merge.cuh", "begin + STEPS < all ? begin + STEPS : all;", "begin + STEPS;", ewise_matrices),
    Mutant("merge.cuh", "        if (k + x + y >= end) continue;\n", "", ewise_tiles),
    Mutant("merge.cuh", "x < x_end ? tile.left(x) : NONE", "tile.left(x)", ewise_matrices),
    Mutant("merge.cuh", "y < y_end ? tile.right(y) : NONE", "tile.right(y)", ewise_matrices),
    Mutant("merge.cuh", "            x_end = left_end(tile, k);\n", "", ewise_matrices),
    Mutant("merge.cuh", "            y_end = right_end(tile, k);\n", "", ewise_matrices),
    Mutant("merge.cuh", "        x += mine;\n", "        x += mine && !yours;\n", ewise_matrices),
    Mutant("merge.cuh", "share.kept |= Word(keep) << s;", "share.kept |= 1u << s;", write_back),
    Mutant("merge.cuh", "mine ? M::keep_left(yours,", "mine ? M::keep_left(false,", ewise_matrices),
    Mutant("merge.cuh", "(mine ? tile.left_start(middle) : tile.right_start(middle)) <= place", "tile.left_start(middle) <= place", ewise_tiles),
    Mutant("merge.cuh", "    return row + low;", "    return row;", ewise_tiles),
    Mutant("merge.cuh", "(writes ? WRITES : 0u);", "WRITES;", write_back),
    Mutant("merge.cuh", "static_cast<int>(upto) - __popc(share.kept)", "static_cast<int>(upto)", ewise_matrices),
    Mutant("merge.cuh", "out_indptr[++row] = base + place;", "out_indptr[row++] = base + place;", ewise_matrices),
    Mutant("merge.cuh", "    __syncthreads();\n    left_values", "    left_values", ewise_matrices),
    Mutant("merge.cuh", "at.from.left) * left_stride", "at.from.left)", ewise_tiles),
    Mutant("merge.cuh", "at.from.right) * right_stride", "at.from.right)", ewise_tiles),
    Mutant("merge.cuh", "(found & PLACE) * left_stride]", "(found & PLACE)]", ewise_matrices),
    Mutant("merge.cuh", "found >> PLACE_BITS & PLACE) * right_stride]", "found >> PLACE_BITS & PLACE)]", ewise_matrices),
    Mutant("merge.cuh", "const unsigned found = u < total ? kept[u] : 0;", "const unsigned found = kept[u];", ewise_matrices),
    Mutant("merge.cuh", "            if (u >= total) continue;\n", "", ewise_matrices),
    Mutant("merge.cuh", "mine ? tile.left(found & PLACE) :", "tile.left(found & PLACE); 0 ?", ewise_matrices),
    Mutant("merge.cuh", "out_indices[base + u] = j;", "out_indices[u] = j;", ewise_tiles),
    Mutant("merge.cuh", "__popc(share.kept), total, sums);\n    if", "share.kept != 0, total, sums);\n    if", ewise_matrices),
    Mutant("merge.cuh", "ALL_LANES, e < nnz && values", "ALL_LANES, values", write_back),
    Mutant("merge.cuh", "values[e * stride] != A(0)", "true", write_back),
    Mutant("merge.cuh", "i < n; i += threads) wide", "i + 1 < n; i += threads) wide", wide_offsets),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
