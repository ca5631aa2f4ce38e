# ruff: noqa: E501  (mutants of one line)
"""The kernels of label choices and moves, of quotients and of pushes through a selector, broken on purpose.

The exercises hold them against NumPy: rows of every length around the bounds between kinds of rows,
few and many labels, one value for all entries, scores with all their terms and without the last.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.local_moving import (
    MovingState,
    ScoreTerms,
    local_moving,
)
from lagraph_gpu.algorithms.community.moving_phase import turns_of_ranks
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix
from lagraph_gpu.notation.matrix import symmetric
from semirings import SEMIRINGS
from tests.harness import CPU, lowered
from tests.simt.exercises import SEEDS, gpu
from tests.simt.mutants import Mutant, suite

N, VOTERS = 150, 300
SLOTS = (100, 128), (400, 128)
"""Of two warps of a block, or of the block: for rows of 36 and of 95 entries at most; or a warp may
take all rows, in several turns."""
LONG_BYTES = 1740, 600, 72
"""Of a block for longer rows: 145 slots, of which one of 140 entries takes two parts; 75 where votes
are counted; and 6, of which some parts have more labels than that."""
DEGREES = (0, 1, 3, 7, 8, 9, 20, 31, 32, 33, 35, 36, 37, 60, 94, 95, 96, 140)
TYPES = np.int64, np.float64
TURNS = 3


def votes() -> None:
    for seed in range(6):
        backend = gpu(seed)
        backend.device.max_blocks, backend.label_argmax.many = 1 + seed % 2, 0
        backend.label_argmax.slots, backend.label_argmax.long_bytes = (
            SLOTS[seed // 3],
            LONG_BYTES[seed % 3],
        )
        for dtype in TYPES:
            vote(seed, dtype, backend, partial(lowered, label_argmax))


def crowded() -> None:
    """The labels of a row are all of one part of the table by their hash, and more than its slots."""
    n, backend = 6000, gpu(0)
    backend.label_argmax.many = 0
    backend.label_argmax.slots, backend.label_argmax.long_bytes = SLOTS[0], LONG_BYTES[-1]
    hashed = np.arange(n, dtype=np.uint32) * np.uint32(0x9E3779B1)
    alike = np.flatnonzero(hashed >> 27 == 0)[:140]
    labels = lg.Vector.from_dense(np.arange(n), backend=backend)
    for seed in range(4):
        w = np.random.default_rng(seed).permutation(alike.size) + 1
        B = lg.Matrix.from_coo(0 * alike, alike, w, nrows=n, ncols=n, backend=backend)
        found = lowered(label_argmax, B, labels)
        assert found.top.to_dict() == {0: alike.size}
        assert found.label.to_dict() == {0: alike[w.argmax()]}


def electorate(seed: int, dtype: type, backend: Any) -> tuple[lg.Matrix, lg.Vector, np.ndarray]:
    """Rows of many lengths, labels few and many, or all different; and their votes K."""
    rng = np.random.default_rng(seed)
    degrees = rng.choice(DEGREES, VOTERS)
    i = np.repeat(np.arange(VOTERS), degrees)
    j = np.concatenate([np.sort(rng.choice(VOTERS, degree, replace=False)) for degree in degrees])
    w = (np.full(i.size, 3) if seed % 2 else rng.integers(1, 5, i.size)).astype(dtype)
    if seed == 2 and dtype == np.int64:
        w = w * 2**32 + rng.integers(0, 1000, w.size)  # both halves of a word count
    if seed == 4 and dtype == np.float64:
        w[::3] += 0.5  # else all votes are whole numbers
    label = (
        rng.permutation(VOTERS)
        if seed % 3 == 2
        else rng.integers(0, 2 + 30 * (seed % 3), VOTERS) * 4 + 1
    )
    W = np.zeros((VOTERS, VOTERS))
    W[i, j] = w
    B = lg.Matrix.from_coo(
        i,
        j,
        w[:1].item() if seed % 2 else w,
        nrows=VOTERS,
        ncols=VOTERS,
        dtype=dtype,
        backend=backend,
    )
    return B, lg.Vector.from_dense(label, backend=backend), W


def with_room(B: lg.Matrix, backend: Any) -> lg.Matrix:
    """The same rows, with room for more entries behind each; whole numbers have 32 bits."""
    store, device = B._store, backend.device
    begins, columns, values = map(device.download, (store.indptr, store.indices, store.values))
    lengths = np.diff(begins)
    apart = np.concatenate(([0], np.cumsum(lengths + np.arange(lengths.size) % 4)))
    at = np.repeat(apart[:-1] - begins[:-1], lengths) + np.arange(columns.size)
    wide, more = np.zeros(apart[-1], columns.dtype), np.full(apart[-1], 1000.0)
    wide[at] = columns
    if store.iso:
        more = values
    else:
        more[at] = values
        more = more.astype(np.uint32) if not (values % 1).any() else more
    arrays = (device.upload(x) for x in (apart.astype(begins.dtype), wide, more))
    made = DeviceMatrix(store.shape, more.dtype, store.nnz, *arrays, store.iso)
    made.open_ends = device.upload((apart[:-1] + lengths).astype(begins.dtype))
    made.pattern.max_degree, made.whole_votes = int(lengths.max()), False
    return backend.as_matrix(made)


def counted(W: np.ndarray, label: np.ndarray) -> np.ndarray:
    K = np.zeros((VOTERS, VOTERS))
    np.add.at(K.T, label, W.T)
    return K


def vote(seed: int, dtype: type, backend: Any, find: Callable[..., Any] = label_argmax) -> None:
    """Every vertex with neighbours chooses the right label."""
    B, labels, W = electorate(seed, dtype, backend)
    label = labels.to_dense()
    K, found = counted(W, label), find(B, labels)
    for got, right in (
        (found.top, K.max(1)),
        (found.label, K.argmax(1)),  # the leftmost of several
    ):
        at, values = got.to_coo()
        np.testing.assert_array_equal(at, np.flatnonzero(W.any(1)))
        np.testing.assert_array_equal(values, right[at])


def moves() -> None:
    for seed in range(6):
        backend = gpu(seed)
        backend.device.max_blocks, backend.label_argmax.many = 1 + seed % 2, 0
        backend.label_argmax.counted_bytes = 0, 0
        backend.label_argmax.slots, backend.label_argmax.long_bytes = (
            SLOTS[seed // 3],
            LONG_BYTES[seed % 3],
        )
        move(seed, backend, room=seed != 2)


def places() -> None:
    """Labels have places of their own: for rows of all kinds, for those of warps not, or for the
    longest alone, some of which would take two parts in tables."""
    for seed in range(6):
        backend = gpu(seed)
        backend.device.max_blocks, backend.label_argmax.many = 1 + seed % 2, 0
        backend.label_argmax.slots, backend.label_argmax.long_bytes = SLOTS[seed // 3], 1160
        room = VOTERS * WORD.itemsize * 2
        backend.label_argmax.counted_bytes = ((2 * room, room), (room, room), (0, room))[seed % 3]
        move(seed, backend, room=seed != 2)


def sweeps() -> None:
    """All turns in one kernel: the same with few entries, and no row that needs a large block."""
    for seed in range(6):
        backend = gpu(seed)
        backend.label_argmax.slots = (100, 400) if seed % 2 else (400, 128)
        move(seed, backend, room=seed != 2)


def gatherings() -> None:
    """More rows than blocks ask at a time whether it is their turn, and more of a turn than they list
    at a time: a sweep as on the CPU."""
    n, count = 2600, 3
    for seed in range(4):
        rng, on_device = np.random.default_rng(seed), gpu(seed)
        on_device.device.max_blocks = 1 + seed % 2
        on_device.label_argmax.many = 0 if seed < 2 else 10**6
        pairs = np.unique(rng.integers(0, n, n) * n + rng.integers(0, n, n))
        weights, k = rng.integers(1, 4, pairs.size) * 1.0, rng.integers(1, 4, n) / 2
        label, turns = rng.integers(0, n // 2, n), rng.integers(0, count, n).astype(np.uint8)
        found = []
        for backend in (on_device, CPU):
            vector = partial(lg.Vector.from_dense, backend=backend)
            ends, shape = (pairs // n, pairs % n), {"nrows": n, "ncols": n}
            B = lg.Matrix.from_coo(*ends, weights, **shape, backend=backend)
            terms = ScoreTerms(vector(np.ones(n)), vector(k), None, None, 0.25)
            state = MovingState.of(vector(label), vector(np.full(n, -1.0)), terms)
            gains = local_moving(B, state, vector(turns), count, terms).to_dense(fill_value=0)
            found.append([state.label.to_dense(), state.margin.to_dense(), gains])
        for ours, others in zip(*found):
            np.testing.assert_array_equal(ours, others)


def turns() -> None:
    """A turn for each vertex that has a rank."""
    for seed in SEEDS:
        rng, backend = np.random.default_rng(seed), gpu(seed)
        at = np.arange(N) if seed == 0 else np.flatnonzero(rng.random(N) < 0.7)
        ranks = rng.permutation(2**31 // 64)[at] * 64
        given = lg.Vector.from_coo(at, ranks, "INT64", size=N, backend=backend)
        found = lowered(turns_of_ranks, given, 77, 32)
        np.testing.assert_array_equal(found.to_coo()[0], at)
        np.testing.assert_array_equal(found.to_coo()[1], (ranks * 77 % 2**31) >> 26)


def narrowed() -> None:
    """Values in 32 bits, and the largest, or infinity if one is no such number."""
    for seed, (dtype, odd) in enumerate(
        [(np.float64, None), (np.float32, None), (np.int64, None), (np.float64, 0.5),
         (np.float64, 2.0**32), (np.int64, -1), (np.float64, 2.0**31)]
    ):  # fmt: skip
        backend, rng = gpu(seed), np.random.default_rng(seed)
        values = rng.integers(0, 1000, 500).astype(dtype)
        if odd is not None:
            values[77] = odd
        i = np.arange(500)
        store = lg.Matrix.from_coo(i, i, values, nrows=500, ncols=500, backend=backend)._store
        made, largest = backend.label_argmax.narrow(store, 2.0 if odd is None else 1.0)
        if odd is None:
            np.testing.assert_array_equal(backend.device.download(made), 2 * values)
        expected = {None: 2.0 * values.max(), 2.0**31: 2.0**31}.get(odd, np.inf)
        assert largest() == expected


def move(seed: int, backend: Any, room: bool = False) -> None:
    """A sweep goes as NumPy says. All numbers are multiples of 1/8: nothing is rounded."""
    B, labels, W = electorate(seed, np.float64, backend)
    B = with_room(B, backend) if room else B
    rng, label = np.random.default_rng(seed + 100), labels.to_dense()
    a, k, b, d = (rng.integers(1, 4, VOTERS) / 2 for _ in range(4))
    k[5::7] = 0  # these have no edges that enter, but edges
    rest, turns, gains = (
        rng.integers(-2, 1, VOTERS) * 1.0,
        rng.integers(0, TURNS, VOTERS),
        np.zeros(VOTERS),
    )

    def vector(values: np.ndarray | None) -> Any:
        return None if values is None else lg.Vector.from_dense(values, backend=backend)

    if seed % 2:
        b = d = None
    terms = ScoreTerms(vector(a), vector(k), vector(b), vector(d), 0.25)
    state = MovingState.of(vector(label), vector(rest), terms)
    found = local_moving(B, state, vector(turns.astype(np.uint8)), TURNS, terms)

    share, more = (np.zeros(VOTERS) if x is None else x for x in (b, d))
    for turn in range(TURNS):
        rows, K = (rest < 0) & (turns == turn), counted(W, label)
        S, D = (np.bincount(label, x, VOTERS) for x in (k, more))
        score = K * a[:, None] - S * 0.25 - share[:, None] * (D * 0.25)
        score[K == 0] = -np.inf
        own = K[np.arange(VOTERS), label] * a
        stay = own - (S[label] - k) * 0.25 - share * ((D[label] - more) * 0.25)
        score[np.arange(VOTERS), label] = -np.inf
        second, top = np.sort(score)[:, -2:].T
        margin = np.maximum(top, stay) - np.maximum(np.minimum(top, stay), np.maximum(second, 0))
        rest[rows] = np.where(W.any(1), np.maximum(np.floor(margin / a), 0), 0)[rows]
        gain = np.where(rows, top - stay, -np.inf)
        movers = gain > 0
        gains[movers], label[movers] = gain[movers], score.argmax(1)[movers]
        rest -= W[movers].sum(0)
    assert 0 < np.count_nonzero(gains) < VOTERS
    np.testing.assert_array_equal(state.label.to_dense(), label)
    np.testing.assert_array_equal(state.margin.to_dense(), rest)
    for sums, x in ((state.k_sums, k), (state.d_sums, d)):
        if sums is not None:
            np.testing.assert_array_equal(sums.to_dense(), np.bincount(label, x, VOTERS))
    np.testing.assert_array_equal(found.to_coo()[0], np.flatnonzero(gains))
    np.testing.assert_array_equal(found.to_dense(fill_value=0), gains)


def singles() -> None:
    for seed in SEEDS:
        for name, dtype in (
            ("plus_first", float),
            ("min_first", np.int8),
            ("min_first", int),
            ("max_first", float),
            ("any_first", int),
        ):
            single(seed, name, dtype)


def single(seed: int, name: str, dtype: type) -> None:
    """Entries moved to places that they are given as values, many to one."""
    rng, backend = np.random.default_rng(seed), gpu(seed)
    place = rng.integers(0, 3 if seed else N, N)
    chosen, entries = (np.flatnonzero(rng.random(N) < part) for part in (0.9, 0.5 + seed / 2))
    u = rng.integers(1, 99, N).astype(dtype)
    wanted = rng.random(N) < 0.5 if seed == 2 else np.ones(N, bool)
    wanted[1] = False
    S = lg.Vector.from_coo(chosen, place[chosen], size=N, backend=backend).selector()
    x = lg.Vector.from_coo(entries, u[entries], size=N, backend=backend)
    mask = lg.Vector.from_coo(np.flatnonzero(wanted), 1, size=N, backend=backend)
    w = lg.Vector(dtype, N, backend=backend)
    w(mask.S, replace=True) << SEMIRINGS[name](x @ S)
    at, values = w.to_coo()
    both = np.intersect1d(chosen, entries)
    assert at.tolist() == sorted(set(place[both]) & set(np.flatnonzero(wanted)))
    for j, value in zip(at, values):
        there = u[both[place[both] == j]]
        folded = {
            "plus_first": there.sum(),
            "min_first": there.min(),
            "max_first": there.max(),
        }
        assert value == folded[name] if name in folded else value in there


def quotients() -> None:
    """Few and many communities, of which one may be empty; words of several rows, rows of several
    words; one value for all entries; matrices that are their own transposes."""
    for seed in range(8):
        backend = gpu(seed)
        assert lowered(quotient, *quotient_of(backend, seed)) is not None


def quotient_of(backend: Any, seed: int) -> tuple[Any, Any]:
    """What a quotient was made of, and it is the right one."""
    rng = np.random.default_rng(seed)
    k, dtype = (3, 140, 40, 140)[seed % 4], (np.int64, np.float64)[seed % 2]
    dense = np.where(rng.random((N, N)) < 0.15, rng.integers(1, 5, (N, N)), 0)
    dense[7], dense[:, 9], dense[20:70] = 2, 3, 0
    if seed > 3:
        dense = np.maximum(dense, dense.T)
    if seed % 4 > 1:
        dense[dense > 0] = 2
    i, j = np.nonzero(dense)
    number = rng.integers(0, k - 1, N) + (np.arange(N) % 2)
    if seed in (0, 5):  # sums that do not stand beside their pair in one word
        dense = dense * 2**53 if dtype == np.int64 else np.where(dense == 1, 1.5, dense)
    value = 2 if seed % 4 > 1 else dense[i, j].astype(dtype)
    A = lg.Matrix.from_coo(i, j, value, nrows=N, ncols=N, dtype=dtype, backend=backend)
    A = symmetric(A) if seed > 3 else A
    P = lg.Vector.from_dense(number, backend=backend).selector(k)
    found, right = quotient(A, P), np.zeros((k, k), dtype)
    np.add.at(right, (number[i], number[j]), dense[i, j])
    assert found.shape == (k, k) and found.dtype == dtype
    rows, columns, values = found.to_coo()
    assert np.lexsort((columns, rows)).tolist() == list(range(rows.size))
    np.testing.assert_array_equal((rows, columns), np.nonzero(right))
    np.testing.assert_array_equal(values, right[rows, columns])
    return A, P


F, V, L = "fused/label_argmax.cuh", "fused/label_table.cuh", "matrix/row_bins.cuh"
C, H = "fused/counted_rows.cuh", "fused/label_choices.cuh"
M, Q, S = "fused/modularity_gain.cuh", "fused/quotient.cuh", "fused/whole_sweep.cuh"
MUTANTS: list[Mutant] = [
    # --- who takes a row
    Mutant(L, "v < all ? indptr[v + 1] - indptr[v] : 0;", "indptr[v + 1] - indptr[v];", votes),
    Mutant(L, "__ballot_sync(ALL_LANES, degree > 0);", "__ballot_sync(ALL_LANES, degree >= 0);", votes),
    Mutant(L, "degree <= FEW_LABELS ? 0", "degree <= FEW_LABELS + 1 ? 0", votes),
    Mutant(L, "degree <= WARP_LABELS ? 1", "degree <= WARP_LABELS + 1 ? 1", votes),
    Mutant(L, "        if (threadIdx.x < ROW_KINDS) own[threadIdx.x] = 0;\n", "", votes),
    Mutant(L, "own[threadIdx.x] = 0;\n        __syncthreads();", "own[threadIdx.x] = 0;", votes),
    Mutant(L, "1u);\n        __syncthreads();\n        if (threadIdx.x < ROW_KINDS && own", "1u);\n        if (threadIdx.x < ROW_KINDS && own", votes),
    Mutant(L, "atomicAdd(counts + threadIdx.x, own[threadIdx.x]);\n        __syncthreads();", "atomicAdd(counts + threadIdx.x, own[threadIdx.x]);", votes),
    Mutant(L, "* n + begins[kinds[r]] + at[r]]", "* n + at[r]]", votes),
    Mutant(L, "(all, LISTED * blockDim.x)", "(all, 2 * LISTED * blockDim.x)", votes),
    Mutant(L, "if (kinds[r] >= 0)", "if (kinds[r] > 0)", votes),
    Mutant(L, "i < many && margin[v] < 0;", "i < many;", moves),
    Mutant(L, "margin[v] < 0;", "margin[v] <= 0;", moves),
    Mutant(L, "v < all && turns[v] == turn;", "v < all;", moves),
    Mutant(L, "if (wanted) margin[v] = 0;", "", moves),
    Mutant(L, "base += blocks * scanned", "base += 2 * blocks * scanned", gatherings),
    Mutant(L, "base = block * scanned;", "base = 0;", gatherings),
    Mutant(L, "v < all && turns[v] == turn;", "turns[v] == turn;", moves),
    Mutant(L, "        if (threadIdx.x == 0) many = 0;\n        __syncthreads();", "        if (threadIdx.x == 0) many = 0;", moves),
    Mutant(L, "threadIdx.x);\n        __syncthreads();\n        for (unsigned first", "threadIdx.x);\n        for (unsigned first", moves),
    Mutant(L, "static_cast<Index>(base + gathered[i]) : 0;", "gathered[i] : 0;", gatherings),
    Mutant(L, "first += LISTED * blockDim.x", "first += 2 * LISTED * blockDim.x", gatherings),
    Mutant(L, "        __syncthreads();  // before the next rows are gathered\n", "", gatherings),
    Mutant(M, "if (blockIdx.x < listing) rows_of", "if (blockIdx.x <= listing) rows_of", moves),
    Mutant(M, "blockIdx.x - listing, gridDim.x - listing,", "blockIdx.x, gridDim.x,", moves),
    Mutant(M, "base < all; base += step", "base < all; base += 2 * step", moves),
    Mutant(F, "    short_rows<WARP_LABELS>(choices, n, rows, counts);\n", "", moves),
    # --- which is best
    Mutant(V, "(other == score && its > label)", "false", votes),
    Mutant(V, "other < score ||", "other > score ||", votes),
    Mutant(V, "        if (its == NO_LABEL) return;\n", "", moves),
    Mutant(V, "label != NO_LABEL && (other", "(other", moves),
    Mutant(H, "best.label == NO_LABEL || ", "", moves),
    Mutant(V, "        all.join_warp();\n", "", votes),
    Mutant(V, "label == NO_LABEL ? 0 : rank(score), top", "rank(score), top", moves),
    Mutant(V, "mine == top ? label : NO_LABEL", "label", votes),
    Mutant(V, "warp_max(~static_cast<unsigned>(mine == top ? label : NO_LABEL))", "warp_max(~0u - NO_LABEL)", votes),
    Mutant(V, "if (lane_id() != lane) at_least(score);", "", moves),
    Mutant(V, "if (lane_id() != lane) at_least", "at_least", moves),
    Mutant(V, "            own = warp_reduce<Sum>(own);\n", "", moves),
    Mutant(V, "second = __longlong_as_double(static_cast<long long>(warp_max(rank(second)) - rank(Z(0))));", "", moves),
    Mutant(V, "score = from_lane(score, lane);", "", votes),
    Mutant(V, "return bits < half ? bits | half : ~bits;", "return bits | half;", moves),
    Mutant(V, "static_cast<Count>(z) ^ half", "static_cast<Count>(z) ^ half ^ 1", votes),
    Mutant("core/warp_reduce.cuh", "high = warp_max(mine);", "high = mine;", votes),
    Mutant("core/warp_reduce.cuh", "warp_max(mine == high ? static_cast<unsigned>(x) : 0u)", "warp_max(static_cast<unsigned>(x))", votes),
    Mutant(V, "            other.own = from_lane_xor(own, distance);\n", "", moves),
    Mutant(V, "at_least(behind ? other : score);", "at_least(other);", moves),
    Mutant(V, "at_least(behind ? other : score);", "", moves),
    Mutant(V, "other.second = from_lane_xor(second, distance);", "", moves),
    Mutant(V, "owns[threadIdx.x], seconds[threadIdx.x]}", "owns[threadIdx.x], Z(0)}", moves),
    # --- what a move gains, and changes
    Mutant(M, "votes *= factor;", "", moves),
    Mutant(M, "votes -= sum * unit;", "votes -= sum;", moves),
    Mutant(M, "votes -= share[v] * (more_sum * unit);", "votes -= more_sum * unit;", moves),
    Mutant(M, "k_sums[c] - k[v],", "k_sums[c],", moves),
    Mutant(M, "d_sums[c] - d[v]);", "d_sums[c]);", moves),
    Mutant(H, "moves.stay(v, mine, worth(best.own));", "moves.stay(v, mine, 0);", moves),
    Mutant(H, "else best.take(moves", "best.take(moves", moves),
    Mutant(H, "|| !(score > moves.min_gain)) return false;", "|| !(score > -1)) return false;", moves),
    Mutant(H, "mark(moves.movers, v);", "", moves),
    Mutant(F, "(__ballot_sync(ALL_LANES, moves) & subwarp) != 0 && e < last)\n", "moves && e < last)\n", moves),
    Mutant(F, "!Group::any(moves)) return;", "!moves) return;", moves),
    Mutant(F, "e < last; e += 2 * Group::size()", "e < last; e += 3 * Group::size()", moves),
    Mutant(F, "if (both) choices.leave(second, its);", "", moves),
    Mutant(F, "both ? choices.indices[other] : 0;", "both ? column : 0;", moves),
    Mutant(F, "both ? choices.value(other) : 0;", "both ? votes : 0;", moves),
    Mutant(H, "moves.margin + column, -votes);", "moves.margin + column, votes);", moves),
    Mutant(M, "x = fold_peers<Plus<Z>>(there ? peers : 0, x);", "", moves),
    Mutant(M, "if (there && (peers & lanes_below()) == 0) fold_into", "if (there) fold_into", moves),
    Mutant(M, "there ? label : -1);", "label);", moves),
    Mutant(M, "kind < ROW_KINDS;", "kind < 1;", moves),
    Mutant(M, "(i - begin)] : 0;", "i] : 0;", moves),
    Mutant(M, "if (i < ends[before]) break;", "if (i <= ends[before]) break;", moves),
    Mutant(M, "before < ROW_KINDS - 1;", "before < 2;", moves),
    Mutant(M, "= top > stay ? stay : top;", "= top;", moves),
    Mutant(M, "(behind > second ? behind : second)", "behind", moves),
    Mutant(M, "::floor((ahead", "((ahead", moves),
    Mutant(M, "if (votes > 0) fold_into", "fold_into", moves),
    Mutant(M, "add_to(k_sums, from, -x, there);", "", moves),
    Mutant(M, "add_to(d_sums, from, -y, there);", "", moves),
    Mutant(M, "if (d != nullptr) add_to(d_sums, to, y, there);", "", moves),
    Mutant(M, "if (there) labels[v] = to;", "", moves),
    # --- lanes of one label
    Mutant(H, "__match_any_sync(ALL_LANES, c) & subwarp;", "__match_any_sync(ALL_LANES, c);", votes),
    Mutant(H, "x = __popc(peers);", "x = 1;", votes),
    Mutant(H, "? votes * values[0] : votes;", "? votes : votes;", votes),
    Mutant(H, "c == NO_LABEL ? 0 : peers, x)", "c == NO_LABEL ? 0 : subwarp, x)", votes),
    Mutant(H, "return c != NO_LABEL && (peers", "return (peers", moves),
    Mutant(H, "&& (peers & lanes_below()) == 0;\n    }\n\n    // Considers", ";\n    }\n\n    // Considers", votes),
    # --- short rows
    Mutant(H, "if (c == mine) best.own = static_cast<Z>(votes);\n            else ", "", moves),
    Mutant(F, "<< part * LANES;", "<< 0;", votes),
    # --- tables
    Mutant(V, "        labels.clear();\n", "", votes),
    Mutant(V, "t += Group::size()) sums[t] = 0;", "t += Group::size()) continue;", votes),
    Mutant(F, ".clear();\n    __syncthreads();", ".clear();", votes),
    Mutant(F, "    clear_tables(SLOTS, sums, keys);\n", "", votes),
    Mutant(F, "    clear_tables(slots, table_sums, keys);\n    unsigned", "    unsigned", votes),
    Mutant(F, "                clear_tables(slots, table_sums, keys);\n", "", crowded),
    Mutant(F, "if constexpr (Group::one_warp) Group::sync();", "if constexpr (Group::one_warp) ;", votes),
    Mutant(F, "if (++part.which >> (part.bits - bits) == which) __syncthreads();", "++part.which;", crowded),
    Mutant(V, "            labels.keys[t] = NO_LABEL;\n", "", votes),
    Mutant(V, "            sums[t] = 0;\n", "", votes),
    Mutant(V, "        __syncthreads();\n        BestLabel", "        BestLabel", votes),
    Mutant(F, "base += LOADS * Group::size()", "base += 2 * LOADS * Group::size()", votes),
    Mutant(V, "t < labels.size; t += Group::size()) {", "t < labels.size - 1; t += Group::size()) {", votes),
    Mutant(V, "if (threadIdx.x < blockDim.x >> 5)", "if (threadIdx.x < 1)", votes),
    Mutant(F, "slots / groups * Group::number()", "slots / groups * 0", votes),
    Mutant(F, "if (threadIdx.x == 0) taken[half] = ahead;\n        __syncthreads();", "if (threadIdx.x == 0) taken[half] = ahead;", votes),
    Mutant(F, "        if (threadIdx.x == 0) ahead = atomicAdd(next, 1u);\n", "        if (threadIdx.x == 0) ++ahead;\n", votes),
    Mutant(F, "        Group::sync();\n        BestLabel<Z, MOVE> best;", "        BestLabel<Z, MOVE> best;", votes),
    Mutant(F, "(table_sums + slots);", "(table_sums);", votes),
    # --- parts of rows
    Mutant(L, "degree <= for_table ? 4 : 5;", "4;", votes),
    Mutant(F, "half ^= 1", "half ^= 0", votes),
    Mutant(F, "rows[4ll * n + (item - apart)]", "rows[4ll * n + item]", votes),
    Mutant(F, "? item & ((1u << part_bits) - 1) : 0;", "? 0 : 0;", votes),
    Mutant(F, "        if (which >> bits != 0) continue;\n", "", votes),
    Mutant(F, "if (!table.part.has(labels[r])) labels[r] = NO_LABEL;", "", votes),
    Mutant(F, "(Group::rank() & ~31) >= last) break;", "Group::rank() >= last) break;", votes),
    Mutant(F, "if (!choices.join(labels[r], votes[r], ALL_LANES)) labels[r] = NO_LABEL;", "choices.join(labels[r], votes[r], ALL_LANES);", votes),
    Mutant(F, "room &= table.add(labels, votes);", "table.add(labels, votes);", crowded),
    Mutant(F, "last, table))) {", "last, table)) && false) {", crowded),
    Mutant(F, "part = {part.bits + 1, part.which * 2};", "part = {part.bits + 1, part.which};", votes),
    Mutant(F, "part.which >> (part.bits - bits) == which;", "part.which == which;", votes),
    Mutant(F, "                __threadfence();\n                complete", "                complete", votes),
    Mutant(F, "== (1u << bits) - 1;", "== 0;", votes),
    Mutant(F, "if (complete) atomicExch(arrived + (item >> part_bits), 0u);", "", moves),
    Mutant(F, "            best = {};\n", "", moves),
    Mutant(F, "best.join(found[item - which + p]);", "best.join(found[item]);", votes),
    Mutant(V, "        take(theirs, other.label);\n", "", votes),
    Mutant(V, "            own += other.own;\n", "", moves),
    Mutant(V, "at_least(other.second);", "", moves),
    Mutant(V, "if (at >= labels.size) at = 0;", "", votes),
    Mutant(V, "held = atomicCAS(labels.keys + at, NO_LABEL, each[0]);", "held = labels.keys[at] = each[0];", votes),
    Mutant(V, "                votes[r - 1] = votes[r];\n", "", votes),
    Mutant(V, "                each[r - 1] = each[r];\n", "", votes),
    Mutant(V, "            each[LOADS - 1] = NO_LABEL;\n", "", votes),
    Mutant(V, "if (each[0] != NO_LABEL) {", "{", votes),
    Mutant(V, "next = mine || full;", "next = mine;", crowded),
    Mutant(V, "else room &= !full;", "", crowded),
    Mutant(V, "SLOTS_PER_ENTRY * n < most ? static_cast<Index>(SLOTS_PER_ENTRY * n) : most;", "static_cast<Index>(SLOTS_PER_ENTRY * n);", votes),
    Mutant(V, "mine = held == NO_LABEL || held == each[0],", "mine = true,", votes),
    Mutant(V, "full = step >= labels.size + STRIDES;", "full = step >= STRIDES / 2;", votes),
    Mutant(V, "at += step < STRIDES ? step : 1;", "at += step < STRIDES ? step : 0;", votes),
    # --- whole numbers
    Mutant(M, "4294967296.0 && z == ::floor(z) ? z", "4294967296.0 ? z", narrowed),
    Mutant(M, "z >= 0 && z < 4294967296.0 &&", "z >= 0 &&", narrowed),
    Mutant(M, "z >= 0 && z < 4294967296.0 &&", "z < 4294967296.0 &&", narrowed),
    Mutant(M, "static_cast<double>(values[e]) * factor;", "static_cast<double>(values[e]);", narrowed),
    Mutant(M, "if (whole > most) most = whole;", "most = whole;", narrowed),
    Mutant(M, "    most = warp_reduce<Maximum>(most);\n    if (lane_id() == 0 && most > 0) atomicMax(largest", "    if (lane_id() == 0 && most > 0) atomicMax(largest", narrowed),
    Mutant(F, "last = choices.ends[v];\n        }", "last = choices.indptr[v + 1];\n        }", moves),
    Mutant(F, "const auto last = choices.ends[v];", "const auto last = choices.indptr[v + 1];", moves),
    Mutant(F, "indptr[v], last = choices.ends[v];", "indptr[v], last = choices.indptr[v + 1];", moves),
    Mutant(F, "const Offset first = indptr[v], last = ends[v];", "const Offset first = indptr[v], last = indptr[v + 1];", moves),
    Mutant(C, "last = choices.ends[v];", "last = choices.indptr[v + 1];", places),
    Mutant(H, "else return there ? static_cast<Votes>(values[e]) : Votes(0);", "else return there ? static_cast<Votes>(values[0]) : Votes(0);", moves),
    # --- places for labels
    Mutant(C, "labels[v] = ends[inverse[v] > 0 ? winner[v] : n] - 1;", "labels[v] = ends[winner[v]];", places),
    Mutant(C, "        names[at] = v;\n", "", places),
    Mutant(C, "k_sums[at] = all_k_sums[v];", "k_sums[at] = all_k_sums[at];", places),
    Mutant(C, "d_sums[at] = all_d_sums[v];", "d_sums[at] = all_d_sums[at];", places),
    Mutant(C, "winner[v] = names[labels[v]];", "winner[v] = labels[v];", places),
    Mutant(C, "all_k_sums[names[v]] = k_sums[v];", "all_k_sums[v] = k_sums[v];", places),
    Mutant(C, "all_d_sums[names[v]] = d_sums[v];", "all_d_sums[v] = d_sums[v];", places),
    Mutant(C, "best.own = static_cast<Z>(own);", "best.own = 0;", places),
    Mutant(C, "        votes[c] = 0;\n", "", places),
    Mutant(C, "if (x == 0) continue;", "", places),
    Mutant(C, "    Group::sync();\n    BestLabel<Z, true> best;", "    BestLabel<Z, true> best;", places),
    Mutant(C, "base += LOADS * Group::size()", "base += 2 * LOADS * Group::size()", places),
    Mutant(C, "else best = bests.fold(best);", "", places),
    Mutant(C, "if constexpr (Group::one_warp) Group::sync();", "if constexpr (Group::one_warp) ;", places),
    Mutant(C, "+ Group::number() * static_cast<long long>(used);", ";", places),
    Mutant(C, "c += Group::size()) votes[c] = 0;\n    Group::sync();", "c += Group::size()) votes[c] = 0;", places),
    Mutant(C, "c += Group::size()) votes[c] = 0;", "c += 2 * Group::size()) votes[c] = 0;", places),
    Mutant(C, "Group::one_warp ? 2 : 3;", "2;", places),
    Mutant(C, "if (threadIdx.x == 0) taken = atomicAdd(next, 1u);\n        __syncthreads();", "if (threadIdx.x == 0) taken = atomicAdd(next, 1u);", places),
    Mutant(C, "rows[4ll * n + (item - longest)]", "rows[4ll * n + item]", places),
    # --- turns
    Mutant(M, "v < n && present(ranked, v);", "v < n;", turns),
    Mutant(M, "v < n && present(ranked, v);", "present(ranked, v);", turns),
    Mutant(M, "* factor & 0x7fffffff)", "* factor)", turns),
    Mutant(M, "bits[base >> 5] = some;", "bits[base >> 5] = ALL_LANES;", turns),
    # --- a whole sweep
    Mutant(S, "    clear_tables(SLOTS, votes, keys);\n", "", sweeps),
    Mutant(S, "if (t > 0)\n", "if (t > 1)\n", sweeps),
    Mutant(S, "rows + ((t - 1) & 1)", "rows + (t & 1)", sweeps),
    Mutant(S, "lengths - (ROW_KINDS + 1), terms", "lengths, terms", sweeps),
    Mutant(S, "        if (t == count) return;\n        grid.wait();\n", "        if (t == count) return;\n", sweeps),
    Mutant(S, "bests);\n        grid.wait();\n", "bests);\n", sweeps),
    Mutant(S, "        __syncthreads();  // the whole", "        // the whole", sweeps),
    Mutant(S, "short_rows<WARP_LABELS>", "short_rows<FEW_LABELS>", sweeps),
    Mutant(S, "        table_rows<Block>(choices", "        if (t < 0) table_rows<Block>(choices", sweeps),
    # --- quotients
    Mutant(Q, "sum >= 0 && sum < static_cast<Z>(none());", "sum >= 0;", quotients),
    Mutant(Q, "(static_cast<Z>(whole) == sum ? whole : none());", "whole;", quotients),
    Mutant(Q, "sum != packed.none() ? static_cast<Z>(sum)", "sum >= 0 ? static_cast<Z>(sum)", quotients),
    Mutant(Q, "static_cast<Index>(ends >> bits)", "static_cast<Index>(ends >> 1 >> bits)", quotients),
    Mutant(Q, "? *table.sum(at) : 0;", "? 1 : 0;", quotients),
    Mutant(Q, "const bool there = e < nnz && ", "const bool there = ", quotients),
    Mutant(Q, "        *table.slot(at) = EMPTY<Pair>;\n", "", quotients),
    Mutant(Q, "        *table.sum(at) = 0;\n", "", quotients),
    Mutant(Q, "grid_stride<Count>(slots)", "grid_stride<Count>(slots - 1)", quotients),
    Mutant(Q, "this->slot(at) + 1)", "this->slot(at) + 2)", quotients),
    Mutant(Q, "row <= A.indices[e]", "row < A.indices[e]", quotients),
    Mutant(Q, " && row != A.indices[e]) z += z;", ") z += z;", quotients),
    Mutant(Q, "if (HALF && turned(pair) < pair) pair = turned(pair);", "", quotients),
    Mutant(Q, "turned(pair) != pair ? 2 : 1;", "true ? 2 : 1;", quotients),
    Mutant(Q, "            if (HALF) all +=", "            if (false) all +=", quotients),
    Mutant(Q, "pair = turned(pair) == pair ? EMPTY<Pair> : turned(pair);", "pair = turned(pair);", quotients),
    Mutant(Q, "pair_of(numbers[row], numbers[A.indices[e]])", "pair_of(numbers[row], A.indices[e])", quotients),
    Mutant(Q, "z = A.values[e * A.stride];", "z = A.values[e];", quotients),
    Mutant(Q, "fold_peers<Plus<Z>>(there ? peers : 0, z)", "z", quotients),
    Mutant(Q, "if (!there || (peers & lanes_below()) != 0) return;", "if (!there) return;", quotients),
    Mutant(Q, "if (fresh) mine +=", "mine +=", quotients),
    Mutant(Q, "    mine = running_sum(mine);\n", "", quotients),
    Mutant(Q, "held[w] = at < slots ? *table.slot(at) : EMPTY<Pair>;", "held[w] = *table.slot(at);", quotients),
    Mutant(Q, "append_own(has, to)", "append_own(has && w == 0, to)", quotients),
    Mutant(Q, "if (has) listed[at]", "if (has) listed[to]", quotients),
    Mutant(Q, "(slots, WORDS * 32)", "(slots, WORDS * 64)", quotients),
    Mutant(Q, "HALF && turned(pair) < pair ? turned(pair) : pair", "pair", quotients),
    Mutant(Q, "indices[e] = second_end(pair);", "indices[e] = first_end(pair);", quotients),
    Mutant(Q, "(nrows + 1ll)", "(nrows)", quotients),
    Mutant(Q, "first_end(packed.pair(listed[at])) < row", "first_end(packed.pair(listed[at])) <= row", quotients),
    Mutant("core/hash_table.cuh", "fresh = held == EMPTY<Key>;", "fresh = true;", quotients),
    # --- one entry a row
    Mutant("spmv/push.cuh", "has = e < A.indptr[k + 1];", "has = true;", singles),
    Mutant("spmv/push.cuh", "bool has = k < n && present(bits, k);", "bool has = k < n;", singles),
    Mutant("spmv/push.cuh", "bool has = k < n && present(bits, k);", "bool has = present(bits, k);", singles),
    Mutant("spmv/push.cuh", "has = has && mask.wants(j);", "", singles),
    Mutant("spmv/push.cuh", "if (!S::any) z = fold_peers<S>(has ? peers : 0, z);", "", singles),
    Mutant("spmv/push.cuh", "if (!has || (peers & lanes_below()) != 0) continue;", "if (!has) continue;", singles),
    Mutant("spmv/push.cuh", "if (better) fold_into<S>(out.values + j, z);", "if (better) out.values[j] = z;", singles),
    Mutant("spmv/push.cuh", "better = !(S::add(seen, z) == seen);", "better = S::add(seen, z) == seen;", singles),
    Mutant("core/fold.cuh", "above &= ~__ballot_sync(ALL_LANES, rank & 1);", "above &= above - 1;", singles),
    Mutant("core/fold.cuh", "        rank >>= 1;\n    }\n    return z;", "    }\n    return z;", singles),
    Mutant("core/fold.cuh", "if (above != 0) z = M::add(z, other);", "z = M::add(z, other);", singles),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(
    [votes, crowded, moves, narrowed, places, sweeps, gatherings, turns, singles, quotients],
    MUTANTS,
)
