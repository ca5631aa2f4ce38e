# ruff: noqa: E501  (mutants of one line)
"""The kernels of the classical schedules, broken in the lines that matter: each mutant must be caught.

Edges by threads, buckets by degree, queues, interleaved rows, and one block for many small rounds,
on the emulator in check mode, against answers that NumPy computes over dense arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds, small_rounds
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from semirings import SEMIRINGS, any_secondi, max_min, max_plus, min_plus
from tests.graphs import HUB, N, dense_with_hub
from tests.harness import lowered
from tests.simt.exercises import FOLDS, SEEDS, gpu, matrix, sparse, vector
from tests.simt.mutants import Mutant, suite


def agrees(
    name: str, A: np.ndarray, u: np.ndarray, schedule: Schedule, backend: GpuBackend
) -> None:
    """u ⊕.⊗ A where a mask wants it."""
    M = matrix(A, backend)
    if (A == A.T).all():
        backend.declare_symmetric(M._store)
    wanted = np.random.default_rng(N).random(N) < 0.7
    wanted[[HUB, N - 1]] = False
    w = lg.Vector(SEMIRINGS[name].output(A.dtype, A.dtype), N, backend=backend)
    for product in (vector(u, backend) @ M, M.T @ vector(u, backend)):
        w(~vector(wanted.astype(np.int8), backend).S, replace=True, schedule=schedule) << SEMIRINGS[
            name
        ](product)
        index, values = w.to_coo()
        met = (u[:, None] != 0) & (A != 0)
        np.testing.assert_array_equal(index, np.flatnonzero(met.any(0) & ~wanted))
        if name == "any_secondi":
            assert met[values, index].all()
        else:
            np.testing.assert_array_equal(values, FOLDS[name](u, A).astype(values.dtype)[index])


def edges() -> None:
    """One thread an edge; in segments of eight; each once and both ways where A is symmetric."""
    for seed in SEEDS:
        A, u = dense_with_hub(np.int32, seed), sparse(np.int32, seed)
        A[-1, :] = A[:, -1] = 0
        A[-1, -1] = u[-1] = 1  # the last edge is a loop, which is to be taken once
        upper = np.triu(A)
        for B in (A, upper + np.triu(A, 1).T, np.where(A, 2, 0) + np.where(A.T, 2, 0)):
            for layout in (None, "segmented"):
                backend = gpu(seed)
                backend.products.rearranged.segment = 3
                agrees("plus_times", B, u, Schedule("edge", layout=layout), backend)
                agrees("any_secondi", B, u, Schedule("edge", layout=layout), backend)


def segments() -> None:
    """Edges of one group stand together; of a symmetric matrix half of them, and the loops."""
    for seed in SEEDS:
        backend, A = gpu(seed), np.triu(dense_with_hub(np.int32, seed))
        backend.products.rearranged.segment = 3
        for B in (A, A + np.triu(A, 1).T):
            store = matrix(B, backend)._store
            if B is not A:
                backend.declare_symmetric(store)
            made = backend.products.rearranged.edges(store, "segmented")
            tails, heads, values = (
                backend.device.download(part) for part in (made.tails, made.heads, made.values)
            )
            assert made.number == np.count_nonzero(A) and (tails <= heads).all()
            assert (B[tails, heads] == values).all()
            assert np.unique(tails * N + heads).size == made.number
            assert (np.diff((heads >> 3) * N + tails) >= 0).all()


def buckets() -> None:
    """Rows for a block, for a warp, and for a thread, at the bounds and between them."""
    n = 300
    for seed in SEEDS:
        backend, rng = gpu(seed), np.random.default_rng(seed)
        degree = rng.permutation(
            np.r_[0, 1, 5, 31, 31, 32, 33, 63, 64, 65, 130, 290, np.full(288, 2)]
        )
        rows = np.repeat(np.arange(n), degree)
        columns = np.concatenate([rng.choice(n, int(d), replace=False) for d in degree])
        A = lg.Matrix.from_coo(rows, columns, 1, "INT32", nrows=n, ncols=n, backend=backend)
        u = lg.Vector.from_dense(np.arange(1, n + 1, dtype=np.int32), backend=backend)
        w = lg.Vector("INT32", n, backend=backend)
        w(schedule=Schedule("push", "bucket")) << SEMIRINGS["plus_times"](u @ A)
        np.testing.assert_array_equal(w.to_dense(0), np.bincount(columns, rows + 1, minlength=n))


def no_list() -> None:
    """One thread for each vertex there is, of a sparse and of a full vector."""
    for seed in SEEDS:
        A = dense_with_hub(np.int32, seed)
        for u in (sparse(np.int32, seed), np.ones(N, np.int32)):
            agrees("plus_times", A, u, Schedule("push", frontier="none"), gpu(seed))


def queues() -> None:
    """What a push discovers, each vertex once, and more than a block has room for."""
    n = 3000
    for seed in SEEDS:
        for frontier in ("global", "block"):
            backend, rng = gpu(seed), np.random.default_rng(seed)
            backend.device.max_blocks = 2
            rows, columns = rng.integers(0, 40, (2, 4 * n)), rng.integers(0, n, (2, 4 * n))
            A = lg.Matrix.from_coo(rows[0], columns[0], 1, "INT32", nrows=n, ncols=n,
                                   backend=backend)  # fmt: skip
            u = lg.Vector.from_coo(np.arange(40), 1, "INT32", size=n, backend=backend)
            w = lg.Vector(any_secondi.output(u.dtype, A.dtype), n, backend=backend)
            w(schedule=Schedule("push", frontier=frontier)) << any_secondi(u @ A)
            found = np.unique(columns[0])
            assert w._store.queued is not None and w.nvals == found.size
            listed = backend.device.download(w._store.listing[: w.nvals])
            np.testing.assert_array_equal(np.sort(listed), found)
            np.testing.assert_array_equal(w.to_coo()[0], found)


def interleaved() -> None:
    """Rows of a warp side by side; long ones by blocks."""
    for seed in SEEDS:
        A, u = dense_with_hub(np.int32, seed), sparse(np.int32, seed)
        for name in ("plus_times", "any_secondi"):
            agrees(name, A, u, Schedule("pull", layout="aligned"), gpu(seed))
        backend = gpu(seed)
        store = matrix(A, backend)._store
        degree = np.pad(np.count_nonzero(A, 1), (0, -N % 32)).reshape(-1, 32)
        room = 32 * np.where(degree > 20, 0, degree).max(1).sum()
        assert backend.products.rearranged.slices(store, 20).indices.size == room


def a_lattice(backend: GpuBackend, ring: Any, room: int, edges_room: int) -> None:
    """A lattice with a hub: the same entries and rounds as by the loop of statements."""
    side = 12
    at = np.arange(side * side).reshape(side, side)
    i = np.r_[at[:, :-1].ravel(), at[:-1].ravel(), np.full(90, 70)]
    j = np.r_[at[:, 1:].ravel(), at[1:].ravel(), np.arange(90) + 54]
    weight = np.random.default_rng(1).integers(1, 9, i.size)
    keep = i != j
    G = lg.Graph.from_edges(i[keep], j[keep], weight[keep], n=side * side + 3, directed=False,
                            dup="min", backend=backend)  # fmt: skip
    backend.few_levels.room, backend.few_levels.edges = room, edges_room
    x0 = lg.Vector.from_coo([0, 7], [0, 3], "INT64", size=G.n, backend=backend)
    with lg.trace() as steps:
        x, when = closure_with_rounds(x0, G.A, ring, None, Schedule("push", small="block"))
    with lg.trace() as others:
        y, then = closure_with_rounds(x0, G.A, ring, None, Schedule("push", loop="host"))
    np.testing.assert_array_equal(when.to_dense(-1), then.to_dense(-1))
    assert [(s.frontier, s.edges) for s in steps] == [(s.frontier, s.edges) for s in others]
    if ring is min_plus:
        np.testing.assert_array_equal(x.to_dense(-1), y.to_dense(-1))
        return
    level, parent = then.to_dense(-1), x.to_dense(-1)
    for v, u in enumerate(parent):
        if level[v] > 0:
            assert level[u] == level[v] - 1 and G.A[u, v].get() is not None


def levels() -> None:
    for seed in SEEDS:
        for ring in (any_secondi, min_plus):
            a_lattice(gpu(seed), ring, 2048, 8192)
            a_lattice(gpu(seed), ring, 2048, 60)


def a_wide_level() -> None:
    """A round finds more than a queue has room for: the list and the vector of it are whole."""
    n = 3000
    for seed in SEEDS:
        for ring in (any_secondi, min_plus):
            backend = gpu(seed)
            i = np.r_[np.zeros(1, int), np.full(n - 2, 1), np.arange(2, n - 1)]
            j = np.r_[np.ones(1, int), np.arange(2, n), np.full(n - 3, n - 1)]
            A = lg.Matrix.from_coo(i, j, 1, "INT64", nrows=n, ncols=n, backend=backend)
            x = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
            frontier, step = x.dup(), lg.Vector("INT32", n, backend=backend)
            step[0] = 0
            frontier.nvals
            vectors = x, frontier, step
            backend.few_levels.edges = n - 3  # too few for the second round
            assert lowered(small_rounds, *vectors, A, ring, 0, n) == 1
            backend.few_levels.edges = n - 2
            assert lowered(small_rounds, *vectors, A, ring, 1, n) == 1
            assert frontier.nvals == n - 2
            listed = backend.device.download(frontier._store.listing[: n - 2])
            np.testing.assert_array_equal(np.sort(listed), np.arange(2, n))
            right = np.full(n, 1 if ring is any_secondi else 2)
            np.testing.assert_array_equal(frontier.to_dense(-1)[2:], right[2:])
            np.testing.assert_array_equal(x.to_dense(-1)[2:], right[2:])
            np.testing.assert_array_equal(step.to_dense(-1), np.r_[0, 1, np.full(n - 2, 2)])
            assert lowered(small_rounds, *vectors, A, ring, 2, n) == 0  # too many for one block


def the_value_that_a_fold_starts_from() -> None:
    """An offer of it changes a gap, and nothing else."""
    most = np.iinfo(np.int64).max
    for seed in SEEDS:
        backend = gpu(seed)
        A = lg.Matrix.from_coo([0, 1], [1, 2], [0, 0], "INT64", nrows=4, ncols=4, backend=backend)
        x0 = lg.Vector.from_coo([0], [most], "INT64", size=4, backend=backend)
        x, when = closure_with_rounds(x0, A, min_plus, None, Schedule(small="block"))
        assert x.to_dense(-1).tolist() == [most, most, most, -1]
        assert when.to_dense(-1).tolist() == [0, 1, 2, -1]


def nans() -> None:
    """A NaN loses to what comes later, whatever its bits; alone it stays."""
    for seed, nan in enumerate((float("nan"), -float("nan"))):
        backend = gpu(seed)
        A = lg.Matrix.from_coo(
            [0, 1], [1, 2], [1.0, 1.0], "FP32", nrows=4, ncols=4, backend=backend
        )
        x0 = lg.Vector.from_coo([0, 2, 3], [1.0, nan, nan], "FP32", size=4, backend=backend)
        for ring, wanted in ((min_plus, 3.0), (max_plus, 3.0), (max_min, 1.0)):
            x = lg.closure(x0, A, ring, schedule=Schedule(small="block"))
            np.testing.assert_array_equal(x.to_dense(-1)[2:], [wanted, nan])


EXERCISES = [
    nans,
    the_value_that_a_fold_starts_from,
    edges,
    segments,
    buckets,
    no_list,
    queues,
    interleaved,
    levels,
    a_wide_level,
]

# fmt: off
MUTANTS = [
    Mutant("spmv/push.cuh", "if (present(u.bits, k)) scatter", "scatter", edges),
    Mutant("spmv/push.cuh", "if (both && k != j && present", "if (both && present", edges),
    Mutant("spmv/push.cuh", "if (both && k != j && present", "if (k != j && present", edges),
    Mutant("spmv/push.cuh", "scatter.add(j, e, k)", "scatter.add(j, e, j)", edges),
    Mutant("spmv/push.cuh", "grid_stride<Offset>(edges)", "grid_stride<Offset>(edges - 1)", edges),
    Mutant("matrix/edge_orders.cuh", "!symmetric || tails[e] <= heads[e]", "true", segments),
    Mutant("matrix/edge_orders.cuh", "tails[e] <= heads[e]", "tails[e] < heads[e]", segments),
    Mutant("matrix/edge_orders.cuh", "stays ? heads[e] >> shift : last", "heads[e] >> shift", segments),
    Mutant("matrix/edge_orders.cuh", "heads[e] >> shift", "heads[e] & shift", segments),
    Mutant("matrix/edge_orders.cuh", "if (lane_id() == 0 && kept > 0) atomicAdd", "atomicAdd", segments),
    Mutant("core/load_balance.cuh", "if (threadIdx.x == 0) found = 0;", "", buckets),
    Mutant("core/load_balance.cuh", "hubs[atomicAdd(&found, 1u)] = k;\n                degree = 0;", "hubs[atomicAdd(&found, 1u)] = k;", buckets),
    Mutant("core/load_balance.cuh", "if (degree < 32)\n", "", buckets),
    Mutant("core/load_balance.cuh", "ALL_LANES, degree >= 32)", "ALL_LANES, degree > 32)", buckets),
    Mutant("core/load_balance.cuh", "__shfl_sync(ALL_LANES, k, lane)", "k", buckets),
    Mutant("core/load_balance.cuh", "            }\n            __syncthreads();\n        }", "            }\n        }", buckets),
    Mutant("core/load_balance.cuh", "for (Offset e = 0; e < degree; ++e) body(k, first + e);\n            __syncthreads();", "for (Offset e = 0; e < degree; ++e) body(k, first + e);", buckets),
    Mutant("core/load_balance.cuh", "base + threadIdx.x < count", "true", buckets),
    Mutant("core/load_balance.cuh", "frontier.vertices == nullptr && !present(frontier.bits, f)", "false", no_list),
    Mutant("spmv/push.cuh", "if (first) discovered.add(j);", "discovered.add(j);", queues),
    Mutant("spmv/push.cuh", "vertices[atomicAdd(count, Count(1))] = j", "vertices[(*count)++] = j", queues),
    Mutant("spmv/push.cuh", "if (by_block) own.flush(queue, queued);", "", queues),
    Mutant("spmv/push.cuh", "if (threadIdx.x == 0) own.count = 0;\n    __syncthreads();", "", queues),
    Mutant("core/append.cuh", "if (at < ROOM) items[at] = item;\n        else list", "if (at <= ROOM) items[at] = item;\n        else list", queues),
    Mutant("core/append.cuh", "else list[atomicAdd(total, Count(1))] = item;", "", queues),
    Mutant("spmv/pull.cuh", "gather.slices[first >> 5] + lane_id()", "gather.slices[first >> 5]", interleaved),
    Mutant("spmv/pull.cuh", "++t, e += 32", "++t, e += 1", interleaved),
    Mutant("matrix/edge_orders.cuh", "degree > longest ? 0 : static_cast<int>(degree)", "static_cast<int>(degree)", interleaved),
    Mutant("matrix/edge_orders.cuh", "        longest_row = warp_reduce<Maximum>(longest_row);\n", "", interleaved),
    Mutant("matrix/edge_orders.cuh", "i >= n || indptr", "indptr", interleaved),
    Mutant("matrix/edge_orders.cuh", "if (lane_id() == 0) slices[word] = begin;", "slices[0] = begin;", interleaved),
    Mutant("matrix/edge_orders.cuh", "++e, to += 32", "++e, to += 31", interleaved),
    Mutant("closure/level_synchronous/few_levels.cuh", "foldable<S>(x[v]) : S::start();", "x[v] : S::start();", nans),
    Mutant("closure/level_synchronous/few_levels.cuh", "foldable<S>(x[v]) : S::start();", "foldable<S>(x[v]) : x[v];", nans),
    Mutant("closure/level_synchronous/few_levels.cuh", "now > LEVEL_ROOM) break;", "false) break;", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "edges > edges_room || round == max_rounds", "round == max_rounds", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "before[i] = x.values[queue[i]];", "", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "S::step(before[i],", "S::step(x.values[queue[i]],", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "if (threadIdx.x == 0) found[1 - side] = 0;", "", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "if (threadIdx.x == 0) edges = 0;\n        side", "side", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "bits[queue[i] >> 5] = 0;\n        __syncthreads();", "bits[queue[i] >> 5] = 0;", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "for (unsigned i = threadIdx.x; i < now; i += blockDim.x) bits[queue[i] >> 5] = 0;", "", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "                mark(bits, j);\n", "", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "rounds[j] = round;", "", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "else vertices[at] = j;", "", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "if (at < LEVEL_ROOM) queues", "if (true) queues", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "if (!claim(x.bits, j)) return;", "claim(x.bits, j);", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "(fresh || !(S::add(old, z) == old)) && claim(bits, j)", "claim(bits, j)", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "(fresh || !(S::add(old, z) == old)) && claim(bits, j)", "!(S::add(old, z) == old) && claim(bits, j)", the_value_that_a_fold_starts_from),
    Mutant("closure/level_synchronous/few_levels.cuh", "(fresh || !(S::add(old, z) == old)) && claim(bits, j)", "fresh || !(S::add(old, z) == old)", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "        }\n        __syncthreads();\n    }", "        }\n    }", levels),
    Mutant("closure/level_synchronous/few_levels.cuh", "front[k] = x.values[k];", "", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "i < LEVEL_ROOM ? queues[side][i] : vertices[i]", "queues[side][i]", a_wide_level),
    Mutant("closure/level_synchronous/few_levels.cuh", "relax(base + lane, e)", "relax(base, e)", levels),
]
# fmt: on

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
