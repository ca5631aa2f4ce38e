# ruff: noqa: E501  (mutants of one line)
"""The kernels of label choices, of quotients and of pushes through a selector, broken on purpose.

The exercises hold them against NumPy: rows of every length around the bounds between kinds of rows,
few and many labels, one value for all entries, scores with and without terms, some rows only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.choice import Choice, Terms, choice
from lagraph_gpu.algorithms.quotient import quotient
from semirings import SEMIRINGS
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import SEEDS, gpu

N = 150
SLOTS = (100, 128), (400, 128)
"""Of two warps of a block, or of the block: for rows of 36 and of 95 entries at most; or a warp may
take all rows, in several turns."""
DEGREES = (0, 1, 3, 7, 8, 9, 20, 31, 32, 33, 35, 36, 37, 60, 94, 95, 96, 140)
ROUNDS = ((np.int64, 0, False), (np.float64, 4, True), (np.float64, 2, False), (np.int64, 0, True))
"""The type of the weights, how many terms, and whether only some rows choose."""


def votes() -> None:
    for seed in range(6):
        backend = gpu(seed)
        backend.choices.slots = SLOTS[seed // 3]
        for given in ROUNDS:
            assert vote(backend, seed, *given).label is not None


def vote(backend: Any, seed: int, dtype: type, terms: int, some: bool) -> Choice:
    """Every vertex chooses, or some do, and the choice is the right one."""
    rng = np.random.default_rng(seed)
    degrees = rng.choice(DEGREES, N)
    i = np.repeat(np.arange(N), degrees)
    j = np.concatenate([np.sort(rng.choice(N, degree, replace=False)) for degree in degrees])
    w = (np.full(i.size, 3) if seed % 2 else rng.integers(1, 5, i.size)).astype(dtype)
    label = rng.permutation(N) if seed % 3 == 2 else rng.integers(0, 2 + 30 * (seed % 3), N)
    K = np.zeros((N, N))
    np.add.at(K, (i, label[j]), w)
    a, p, b, q = (rng.integers(1, 4, N) / 2 for _ in range(4))
    score = K.copy() if terms == 0 else K * a[:, None] - p - (0 if terms < 4 else np.outer(b, q))
    score[K == 0] = -np.inf
    wanted = (degrees > 0) & (~some | (rng.random(N) < 0.6))

    B = lg.Matrix.from_coo(
        i, j, w[:1].item() if seed % 2 else w, nrows=N, ncols=N, dtype=dtype, backend=backend
    )
    given = (lg.Vector.from_dense(x, backend=backend) for x in (a, p, b, q)[:terms])
    rows, moves = (
        lg.Vector.from_coo(np.flatnonzero(which), 1, size=N, backend=backend)
        for which in (wanted | (degrees == 0), wanted & (label % 2 == 0))
    )
    P = lg.Vector.from_dense(label, backend=backend).selector()
    found = choice(B, P, Terms(*given) if terms else None, rows if some else None)
    best = score.argmax(1)  # the leftmost of several
    for got, right, where in (
        (found.top, score.max(1), wanted),
        (found.own, K[np.arange(N), label], wanted),
        (found.labels(), best, wanted),
        (found.labels(moves), best, wanted & (label % 2 == 0)),
    ):
        at, values = got.to_coo()
        np.testing.assert_array_equal(at, np.flatnonzero(where))
        np.testing.assert_array_equal(values, right[at])
    return found


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
    words; one value for all entries."""
    for seed in range(4):
        backend = gpu(seed)
        assert backend.quotient(*quotient_of(backend, seed)) is not None


def quotient_of(backend: Any, seed: int) -> tuple[Any, Any]:
    """The stores that a quotient was made of, and it is the right one."""
    rng = np.random.default_rng(seed)
    k, dtype = (3, 140, 40, 140)[seed], (np.int64, np.float64)[seed % 2]
    dense = np.where(rng.random((N, N)) < 0.15, rng.integers(1, 5, (N, N)), 0)
    dense[7], dense[:, 9], dense[20:70] = 2, 3, 0
    if seed > 1:
        dense[dense > 0] = 2
    i, j = np.nonzero(dense)
    number = rng.integers(0, k - 1, N) + (np.arange(N) % 2)
    value = 2 if seed > 1 else dense[i, j].astype(dtype)
    A = lg.Matrix.from_coo(i, j, value, nrows=N, ncols=N, dtype=dtype, backend=backend)
    P = lg.Vector.from_dense(number, backend=backend).selector(k)
    found, right = quotient(A, P), np.zeros((k, k), dtype)
    np.add.at(right, (number[i], number[j]), dense[i, j])
    assert found.shape == (k, k) and found.dtype == dtype
    rows, columns, values = found.to_coo()
    assert np.lexsort((columns, rows)).tolist() == list(range(rows.size))
    np.testing.assert_array_equal((rows, columns), np.nonzero(right))
    np.testing.assert_array_equal(values, right[rows, columns])
    return A._store, P._store


F, Q = "choice.cuh", "quotient.cuh"
MUTANTS: list[Mutant] = [
    # --- who takes a row
    Mutant(F, "if (v < all && mask.wants(v)) degree", "if (v < all) degree", votes),
    Mutant(F, "if (v < all && mask.wants(v)) degree", "if (mask.wants(v)) degree", votes),
    Mutant(F, "__ballot_sync(ALL_LANES, degree > 0);\n", "__ballot_sync(ALL_LANES, degree >= 0);\n", votes),
    Mutant(F, "degree <= 8 ? 0", "degree <= 9 ? 0", votes),
    Mutant(F, "degree <= 32 ? 1", "degree <= 33 ? 1", votes),
    Mutant(F, "if (threadIdx.x < KINDS) own[threadIdx.x] = 0;", "if (base == 0 && threadIdx.x < KINDS) own[threadIdx.x] = 0;", votes),
    Mutant(F, "        if (threadIdx.x < KINDS) own[threadIdx.x] = 0;\n        __syncthreads();", "        if (threadIdx.x < KINDS) own[threadIdx.x] = 0;", votes),
    Mutant(F, "at = atomicAdd(own + kind, 1u);\n        __syncthreads();", "at = atomicAdd(own + kind, 1u);", votes),
    Mutant(F, "atomicAdd(counts + threadIdx.x, own[threadIdx.x]);\n        __syncthreads();", "atomicAdd(counts + threadIdx.x, own[threadIdx.x]);", votes),
    Mutant(F, "* n + begins[kind] + at] = v;", "* n + at] = v;", votes),
    # --- which is best
    Mutant(F, "(other == score && its > label)", "false", votes),
    Mutant(F, "other < score ||", "other > score ||", votes),
    Mutant(F, "        if (its == EMPTY) return;\n", "", votes),
    Mutant(F, "label != EMPTY && (other", "(other", votes),
    Mutant(F, "distance = lanes / 2;", "distance = lanes / 4;", votes),
    Mutant(F, "if (scale != nullptr) sum *= scale[v];", "", votes),
    Mutant(F, "sum -= price[c];", "sum -= price[v];", votes),
    Mutant(F, "sum -= share[v] * more[c];", "sum -= share[c] * more[c];", votes),
    # --- lanes of one label
    Mutant(F, "__match_any_sync(ALL_LANES, c) & team;", "__match_any_sync(ALL_LANES, c);", votes),
    Mutant(F, "x *= static_cast<Z>(__popc(peers));", "x *= static_cast<Z>(1);", votes),
    Mutant(F, "c == EMPTY ? 0 : peers, x)", "c == EMPTY ? 0 : team, x)", votes),
    Mutant(F, "if (c != EMPTY && (peers", "if ((peers", votes),
    Mutant(F, "&& (peers & lanes_below()) == 0) body", ") body", votes),
    # --- short rows
    Mutant(F, "if (any == 0) own[v] = 0;", "", votes),
    Mutant(F, "& team;\n        best.fold", ";\n        best.fold", votes),
    Mutant(F, "<< part * LANES;", "<< 0;", votes),
    # --- tables
    Mutant(F, "        keys[t] = EMPTY;\n        sums[t] = 0;", "        sums[t] = 0;", votes),
    Mutant(F, "        keys[t] = EMPTY;\n        sums[t] = 0;", "        keys[t] = EMPTY;", votes),
    Mutant(F, "if (Group::rank() == 0) choices.own[v] = 0;\n    Group::sync();", "if (Group::rank() == 0) choices.own[v] = 0;", votes),
    Mutant(F, "    Group::sync();\n    Best<Z> best", "    Best<Z> best", votes),
    Mutant(F, "        Group::sync();\n        const bool one", "        const bool one", votes),
    Mutant(F, "base += AT_ONCE * Group::size()", "base += 2 * AT_ONCE * Group::size()", votes),
    Mutant(F, "(Group::rank() & ~31) >= last) break;", "Group::rank() >= last) break;", votes),
    Mutant(F, "if (keys[t] == mine) choices.own[v] = sums[t];", "", votes),
    Mutant(F, "threadIdx.x < blockDim.x >> 5;", "threadIdx.x < 1;", votes),
    Mutant(F, "SLOTS / groups * Group::number()", "SLOTS / groups * 0", votes),
    Mutant(F, "if (threadIdx.x == 0) taken = atomicAdd(next, 1u);\n        __syncthreads();", "if (threadIdx.x == 0) taken = atomicAdd(next, 1u);", votes),
    Mutant(F, "keys + blockIdx.x * room,", "keys,", votes),
    Mutant("slots.cuh", "at + 1 < size ? at + 1 : 0", "at + 1", votes),
    Mutant("slots.cuh", "held = atomicCAS(keys + at, VACANT<Key>, key);", "keys[at] = key;", votes),
    Mutant("slots.cuh", "if (fresh || held == key) return at;", "return at;", votes),
    # --- quotients
    Mutant(Q, "        if (e < nnz) {\n            pair", "        {\n            pair", quotients),
    Mutant(Q, "pair_of(numbers[row], numbers[indices[e]])", "pair_of(numbers[row], indices[e])", quotients),
    Mutant(Q, "z = values[e * stride];", "z = values[e];", quotients),
    Mutant(Q, "fold_peers<Plus<Z>>(e < nnz ? peers : 0, z)", "z", quotients),
    Mutant(Q, "if (e >= nnz || (peers & lanes_below()) != 0) return;", "if (e >= nnz) return;", quotients),
    Mutant(Q, "mine += fresh;", "mine += 1;", quotients),
    Mutant(Q, "    mine = running_sum(mine);\n", "", quotients),
    Mutant(Q, "held[w] = at < slots ? pairs[at] : EMPTY_PAIR;", "held[w] = pairs[at];", quotients),
    Mutant(Q, "            to += __popc(some);\n", "", quotients),
    Mutant(Q, "listed[to + __popc(some & lanes_below())]", "listed[to + lane_id()]", quotients),
    Mutant(Q, "warp_count()) * WORDS * 32;", "warp_count()) * WORDS * 64;", quotients),
    Mutant(Q, "values[e] = sums[order[e]];", "values[e] = sums[e];", quotients),
    Mutant(Q, "row <= nrows; row += number_step()", "row < nrows; row += number_step()", quotients),
    Mutant(Q, "pairs[order[middle]]) < row", "pairs[order[middle]]) <= row", quotients),
    Mutant("slots.cuh", "fresh = held == VACANT<Key>;", "fresh = true;", quotients),
    # --- one entry a row
    Mutant("push.cuh", "has = e < indptr[k + 1];", "has = true;", singles),
    Mutant("push.cuh", "bool has = k < n && present(bits, k);", "bool has = k < n;", singles),
    Mutant("push.cuh", "bool has = k < n && present(bits, k);", "bool has = present(bits, k);", singles),
    Mutant("push.cuh", "has = has && mask.wants(j);", "", singles),
    Mutant("push.cuh", "if (!S::any) z = fold_peers<S>(has ? peers : 0, z);", "", singles),
    Mutant("push.cuh", "if (!has || (peers & lanes_below()) != 0) continue;", "if (!has) continue;", singles),
    Mutant("push.cuh", "if (better) fold_into<S>(out + j, z);", "if (better) out[j] = z;", singles),
    Mutant("push.cuh", "better = !(S::add(seen, z) == seen);", "better = S::add(seen, z) == seen;", singles),
    Mutant("fold.cuh", "above &= ~__ballot_sync(ALL_LANES, rank & 1);", "above &= above - 1;", singles),
    Mutant("fold.cuh", "        rank >>= 1;\n    }\n    return z;", "    }\n    return z;", singles),
    Mutant("fold.cuh", "if (above != 0) z = M::add(z, other);", "z = M::add(z, other);", singles),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite([votes, singles, quotients], MUTANTS)
