# ruff: noqa: E501  (mutants of one line)
"""Kernels that renumber matrices and vectors, broken in the lines that matter."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.gpu.matrix.weight_order import pair_of, sort_rows
from lagraph_gpu.gpu.storage.layouts import TAILS
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, min_plus
from tests.graphs import skewed_pairs
from tests.simt.exercises import SEEDS, gpu
from tests.simt.mutants import Mutant, suite

N = 333


def graph(seed: int, weight: bool = True) -> lg.Graph:
    """Directed, of hubs, two vertices by themselves and isolated ones, with entries of more than a
    warp's stretch."""
    rng = np.random.default_rng(seed)
    edges = np.unique(skewed_pairs(N - 40, 2600, rng), axis=1)
    edges = np.c_[edges, [N - 39, N - 38]]
    values = rng.integers(1, 99, edges.shape[1]) if weight else 1
    A = lg.Matrix.from_coo(*edges, values, "INT64", nrows=N, ncols=N, backend=gpu(seed))
    return lg.Graph._checked(A, True)


def dense(A: lg.Matrix) -> np.ndarray:
    rows, columns, values = A.to_coo()
    made = np.zeros((N, N), np.int64)
    made[rows, columns] = values
    return made


def relabels() -> None:
    for seed in SEEDS:
        G = graph(seed)
        A = dense(G.A)
        degree = (A > 0).sum(0) + (A > 0).sum(1)
        H = G.relabel("degree")
        ids = np.argsort(-degree, kind="stable")
        np.testing.assert_array_equal(H.ids.to_dense(), ids)
        indptr, indices, _ = H.A.to_csr()
        assert all((np.diff(indices[a:b]) > 0).all() for a, b in pairwise(indptr))
        np.testing.assert_array_equal(dense(H.A), A[ids][:, ids])
        assert H.A._store.pattern.n_connected == np.count_nonzero(degree)
        other = G.relabel(np.roll(ids, 1))
        assert other.A._store.pattern.n_connected is None


def restores() -> None:
    """Entries, rounds and values from copies, of one start, of several and of all; also where there is
    little room for rounds above a vertex, and none, and where nobody asks for rounds."""
    for seed, level_bits in zip(SEEDS, (None, 30, 0), strict=True):
        G = graph(seed, weight=False)
        if level_bits is not None:
            G.backend.layouts.level_bits = lambda _, ring: level_bits if ring is TAILS else 0  # noqa: B023
        order = np.random.default_rng(seed).permutation(N) if level_bits else "degree"
        P, A, v = G.prepared(order), dense(G.A) > 0, int(np.flatnonzero(dense(G.A).any(1))[-2])
        backend, isolated = G.backend, N - 3
        starts = ([v], [v, 7, isolated], range(N))
        for direction in ("push", "pull"):
            for at in starts:
                ids = np.array(at)
                x0 = lg.Vector.from_coo(ids, 5 * ids + 1, "INT64", size=N, backend=backend)
                schedule = Schedule(direction, loop="device")
                x, when = closure_with_rounds(x0, P.A, any_secondi, None, schedule)
                alone = lg.closure(x0, P.A, any_secondi, None, schedule)
                wanted, front = np.full(N, -1), np.isin(np.arange(N), ids)
                for d in range(N):
                    wanted[front] = d
                    front = A[front].any(0) & (wanted < 0)
                np.testing.assert_array_equal(when.to_dense(-1), wanted)
                for found in (x, alone):
                    j, p = found.to_coo()
                    np.testing.assert_array_equal(j, np.flatnonzero(wanted >= 0))
                    first = wanted[j] == 0
                    np.testing.assert_array_equal(p[first], 5 * j[first] + 1)
                    assert A[p[~first], j[~first]].all()
                    assert (wanted[p[~first]] == wanted[j[~first]] - 1).all()
                y = lg.closure(x0.dup(), P.A, min_plus, schedule=schedule)
                assert y.isequal(lg.closure(x0.dup(), G.A, min_plus, schedule=schedule))


def uneven(seed: int, n: int) -> tuple[Any, ...]:
    """Rows as long as each kind may be, and one longer, several for each group, and rows of tiles;
    most of the rest are short: where each stands, its columns, and weights of which many are one."""
    lengths = np.array(
        [1, 2, 3, 8, 9, 31, 32, 33, 100, 512, 513, 700, 1024, 1025, 4096, 4097, 8192, 8193, 8400]
        + 12 * [35] + 40 * [5] + [9] + 40 * [5]
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    ids = rng.permutation(n)
    rows = np.repeat(ids[: lengths.size], lengths)
    columns = np.concatenate([rng.permutation(n)[:k] for k in lengths])
    weights = rng.integers(-(1 << 40), 1 << 40, rows.size) // rng.choice([1, 1 << 36], rows.size)
    weights[rows == ids[8]] %= 2
    return ids, rows, columns, weights


def small_gpu(seed: int, shared: int) -> Any:
    """With so many bytes of shared memory, and one block at a time."""
    backend = gpu(seed)
    device: Any = backend.device
    device.max_blocks, device.largest_shared = 1, shared
    return backend


def moves_rows() -> None:
    """To other numbers, with their values and without."""
    for seed, n, shared in ((0, 40_000, 48 << 10), (1, 9000, 86 << 10)):
        ids, rows, columns, weights = uneven(seed, n)
        values = weights if seed == 0 else 1
        backend = small_gpu(seed, shared)
        A = lg.Matrix.from_coo(rows, columns, values, "INT64", nrows=n, ncols=n, backend=backend)
        H = lg.Graph._checked(A, True).relabel(ids)
        place = np.argsort(ids)
        order = np.lexsort((place[columns], place[rows]))
        i, j, x = H.A.to_coo()
        np.testing.assert_array_equal(i, place[rows][order])
        np.testing.assert_array_equal(j, place[columns][order])
        np.testing.assert_array_equal(x, weights[order] if seed == 0 else 1)


def sorts_by_weight() -> None:
    """Stable, rising and falling, of 4 and 8 bytes."""
    n = 9000
    _, rows, columns, weights = uneven(2, n)
    for seed, dtype, falling in ((0, "FP32", False), (1, "INT64", True)):
        values = weights.astype(dtype.replace("FP", "float").lower())
        backend = small_gpu(seed, 48 << 10)
        A = lg.Matrix.from_coo(rows, columns, values, dtype, nrows=n, ncols=n, backend=backend)
        made, download = sort_rows(backend, A._store, falling), backend.device.download
        order = np.lexsort((columns, -values if falling else values, rows))
        pairs = download(made.columns).view(pair_of(values.dtype))
        np.testing.assert_array_equal(pairs["to"], columns[order])
        np.testing.assert_array_equal(pairs["weight"], values[order])


def noting(read: list[int], multiply: Any, node: Any, u: Any, A: Any, *more: Any) -> Any:
    """A product, after the matrix that it reads has been noted."""
    read.append(id(A))
    return multiply(node, u, A, *more)


def ranks() -> None:
    """PageRank runs over the copy, by panels too, and answers in the numbers of the graph."""
    rng = np.random.default_rng(3)
    i, j = rng.integers(0, N - 40, (2, 6000)) ** 2 // N
    where = dict(enumerate(rng.random(N).tolist()))
    kinds: tuple[dict[str, Any], ...] = (
        {}, {"weight": None, "dtype": "FP32"}, {"personalization": where, "dangling": {3: 1}},
    )  # fmt: skip
    for directed, seed in ((False, 0), (True, 1)):
        backend = gpu(seed)
        backend.pagerank.most_entries = 0
        G = lg.Graph.from_edges(
            i, j, 1.0 + i % 5, n=N, directed=directed, dup="first", backend=backend
        )
        P, read = G.prepared(), list[int]()
        copy = P.A._store.layout.matrix
        backend.matrices.transpose(copy)
        uniform = lg.Vector.from_scalar(0.5, N, backend=backend)._store
        entered = backend.layouts.entered(uniform, P.A._store.layout, min_plus)
        assert np.unpackbits(backend.device.download(entered.bits).view(np.uint8)).sum() == N
        wanted = [lg.pagerank(G, iterations=9, **given) for given in kinds]
        backend.products.multiply = partial(noting, read, backend.products.multiply)
        panels = backend.products.even.by_panels
        panels.patience, panels.fewest, panels.threads, panels.room = 3, 2, 64, 8 * 128
        panels.fewest_entries = 0
        for given, rank in zip(kinds, wanted, strict=True):
            found = lg.pagerank(P, iterations=9, **given)
            assert found._store.full
            near = 1e-5 if rank.dtype == np.float32 else 1e-12
            np.testing.assert_allclose(found.to_dense(), rank.to_dense(), near)
        assert read.count(id(copy)) == 9 * len(kinds)
        incoming = copy.transposed
        assert incoming.pulls.panels and incoming.pattern.pulls.panels
        lg.pagerank(G, iterations=9, weight=None)  # gets panels
        read.clear()
        late = G.prepared()
        lg.pagerank(late, iterations=9, weight=None)
        assert len(read) == 9 and id(late.A._store.layout.matrix) not in read


EXERCISES = (relabels, restores, ranks, moves_rows, sorts_by_weight)

L, DESK, ORDER = "matrix/relabel.cuh", "matrix/block_radix_sort.cuh", "matrix/segmented_sort.cuh"
KEYS, TILES = "matrix/segmented_sort_keys.cuh", "matrix/segmented_sort_tiles.cuh"
MUTANTS = [
    Mutant("core/append.cuh", "C(__popc(some)), count)", "C(1), count)", moves_rows),
    Mutant("core/append.cuh", ", count) + __popc(some & lanes_below());", ", count);", moves_rows),
    Mutant(L, "(degree < max_degree ? degree : max_degree)", "(degree < 9 ? degree : 9)", relabels),
    Mutant(L, "(out[i + 1] - out[i]) + (in[i + 1] - in[i])", "(out[i + 1] - out[i])", relabels),
    Mutant(L, "keys[i] = lower(keys[i]);", ";", relabels),
    Mutant(L, "        old[i] = before;\n", "", relabels),
    Mutant(L, "to[before] = static_cast<Index>(i);", "to[i] = before;", relabels),
    Mutant(L, "lengths[i] = out[row + 1] - out[row];", "lengths[i] = out[i + 1] - out[i];", relabels),
    Mutant(L, "if (degree > 0) n_connected", "n_connected", relabels),
    Mutant(L, "    n_connected = warp_reduce<Maximum>(n_connected);\n", "", relabels),
    Mutant(L, "    rises = __any_sync(ALL_LANES, rises);\n", "    rises = false;\n", relabels),
    Mutant(L, "entries_at(out, in, old[i - 1]) < degree", "entries_at(out, in, old[i - 1]) <= degree", relabels),
    Mutant(L, "if (bits != nullptr) mark(out_bits, to[v]);", "if (bits != nullptr) mark(out_bits, v);", restores),
    Mutant(L, "else if (lane_id() == 0) out_bits[word] = here;", "", ranks),
    Mutant(L, "if (!(here >> lane_id() & 1u)) continue;", "", restores),
    Mutant(L, "static_cast<T>(to[v]) : values[v];", "static_cast<T>(to[v]) : values[to[v]];", restores),
    Mutant(L, "base + i < words && v < n ? __ldcs(to + v) : n;", "__ldcs(to + v);", restores),
    Mutant(L, "only < 0 ? starts : j[i] < n && v == only;", "starts;", restores),
    Mutant(L, "given[i] || (j[i] < n_connected && (!asks || present(bits, j[i])));", "j[i] < n_connected && (!asks || present(bits, j[i]));", restores),
    Mutant(L, "(!asks || present(bits, j[i]))", "true", restores),
    Mutant(L, "asks && has[i] && rounds != nullptr ? rounds[j[i]] : 0;", "0;", restores),
    Mutant(L, "has[i] = given[i] || (has[i] && found[i] >= 0);", "", restores),
    Mutant(L, "if (!asks && has[i] && !given[i]) {", "if (!asks && has[i]) {", restores),
    Mutant(L, "if (when[i] == packed_level.last() && rounds != nullptr) when[i] = rounds[j[i]];", "", restores),
    Mutant(L, "when[i] == packed_level.last() && rounds != nullptr", "when[i] == packed_level.last()", restores),
    Mutant("closure/level_synchronous/closure.cuh", "rounds == nullptr ? NO_ROUND : packed_level.last()", "packed_level.last()", restores),
    Mutant("closure/level_synchronous/closure.cuh", "    if (rounds != nullptr)\n", "", restores),
    Mutant(L, "found[i] &= (1 << level_bits) - 1;", "", restores),
    Mutant("core/packed_level.cuh", "bits == 0 ? 0 : (1 << (31 - bits)) - 1", "bits == 0 ? 0 : 1 << (31 - bits)", restores),
    Mutant("core/packed_level.cuh", "round < last() ? round : last()", "round", restores),
    Mutant("core/packed_level.cuh", "x[((base + lane) << 5) + lane_id()] = static_cast<Z>(-1);", ";", restores),
    Mutant("core/packed_level.cuh", "& inside(own, n) : 0;", ": 0;", restores),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "if (when >= late)", "if (when > late)", restores),
    Mutant("closure/level_synchronous/level_state.cuh", "x[j] = pack_level<S>(z, packed_level);", "x[j] = z;", restores),
    Mutant("closure/level_synchronous/level_state.cuh", "put(j, foldable<S>(now));", "x[j] = now;", restores),
    Mutant(L, "            out_bits[word] = entries;\n".replace("            ", "                ", 1), "", restores),
    Mutant(L, "out_round_bits[word] = entries;", ";", restores),
    Mutant(L, "if (word >= words || v >= n) continue;", "", restores),
    Mutant(L, "lane_id() == 0 && word < words", "lane_id() == 0", restores),
    Mutant(L, "if (vertices && given[i]) z", "if (false) z", restores),
    Mutant(L, "z = only < 0 ? start[v] : value;", "z = value;", restores),
    Mutant(L, "if (has[i] && !given[i]) found[i] = old[found[i]];", "", restores),
    Mutant(L, "else out[v] = z;", "else out[j[i]] = z;", restores),
    # --- segmented_sort.cuh, segmented_sort_keys.cuh, segmented_sort_tiles.cuh
    Mutant(ORDER, "degree > WARP_ROOM << kind", "degree > (WARP_ROOM << kind) + 1", moves_rows),
    Mutant(ORDER, "kind < kinds && degree", "degree", moves_rows),
    Mutant(ORDER, "append(kind == k, counts + k);", "append(kind == k, counts + k) - __popc(__ballot_sync(ALL_LANES, kind == k) & lanes_below());", moves_rows),
    Mutant(ORDER, "(degree + SORT_TILE - 1) / SORT_TILE);", "degree / SORT_TILE);", moves_rows),
    Mutant(ORDER, "static_cast<Index>(at);", "static_cast<Index>(t);", moves_rows),
    Mutant(ORDER, "lane_id() - mine, rows", "0, rows", moves_rows),
    Mutant(ORDER, "mine < count ? order.key(from + mine) : 0;", "order.key(from + mine);", moves_rows),
    Mutant(ORDER, "i < count && (other", "(other", moves_rows),
    Mutant(ORDER, "base = group / width;", "base = 0;", moves_rows),
    Mutant(ORDER, "(other == key[r] && i < mine)", "false", sorts_by_weight),
    Mutant(ORDER, "if (__any_sync(ALL_LANES, degree > NARROW))", "if (false)", moves_rows),
    Mutant(ORDER, "degree > NARROW)", "degree > NARROW + 1)", moves_rows),
    Mutant(DESK, "        if (Group::rank() == 0) differ = 0;\n        Group::sync();\n", "", sorts_by_weight),
    Mutant(DESK, "        own = warp_reduce<BitOr>(own);\n", "", sorts_by_weight),
    Mutant(DESK, "atomicOr(&differ, own);\n        Group::sync();", "atomicOr(&differ, own);", moves_rows),
    Mutant(DESK, "before += here;\n            }\n        }\n        Group::sync();", "before += here;\n            }\n        }", moves_rows),
    Mutant(DESK, "Group::running(own, total, sums) - own;", "Group::running(own, total, sums);", moves_rows),
    Mutant(DESK, "count_of(w, d) = 0;\n        Group::sync();", "count_of(w, d) = 0;", moves_rows),
    Mutant(DESK, "shift)), 1u);\n        Group::sync();", "shift)), 1u);", moves_rows),
    Mutant(DESK, "const int first = warp * share,", "const int first = 0,", moves_rows),
    Mutant(DESK, "count_of(warp, own[r]) + __popc(below);\n                __syncwarp();", "count_of(warp, own[r]) + __popc(below);", moves_rows),
    Mutant(DESK, "count_of(warp, own[r]) += __popc(peers[r]);", "count_of(warp, own[r]) += 1;", moves_rows),
    Mutant(ORDER, "differ >> shift != 0;", "differ >> shift > 1;", sorts_by_weight),
    Mutant(ORDER, "        Group::sync();  // the next row may come\n", "", sorts_by_weight),
    Mutant(DESK, "begin < RADIX ? begin + each : begin;", "begin + each;", moves_rows),
    Mutant(DESK, "digit == 0 ? 0 : count_of(Group::size() / 32 - 1, digit - 1)", "digit == 0 ? 0 : count_of(0, digit - 1)", moves_rows),
    Mutant(KEYS, "old == nullptr ? row : old[row]", "row", moves_rows),
    Mutant(KEYS, "this->to[this->indices[e]]", "this->indices[e]", moves_rows),
    Mutant(KEYS, "this->values == nullptr ? T(0) : this->values[e]", "T(0)", moves_rows),
    Mutant(KEYS, "sizeof(T) > 4 && LAST ? value >> 32 : value", "value", sorts_by_weight),
    Mutant(KEYS, "(LAST ? half ^ 1u << 31 : half)", "(half ^ 1u << 31)", sorts_by_weight),
    Mutant(KEYS, " ^ this->flip;", ";", sorts_by_weight),
    Mutant(TILES, "first == 0 || ends == nullptr ? 0 : ends", "0 * ends", moves_rows),
    Mutant(TILES, "degree - begin < SORT_TILE ? degree - begin : SORT_TILE", "SORT_TILE", moves_rows),
    Mutant(TILES, "static_cast<long long>(digit) * tiles + number;", "static_cast<long long>(number) * RADIX + digit;", moves_rows),
    Mutant(TILES, "items == nullptr ? place :", "items == nullptr ? i :", moves_rows),
    Mutant(TILES, "items == nullptr ? order.key(entry + place) :", "items == nullptr ? order.key(entry + i) :", moves_rows),
    Mutant(TILES, "items[item + place].key;", "items[item + i].key;", moves_rows),
    Mutant(TILES, "own[w][d] = 0;\n        __syncthreads();", "own[w][d] = 0;", moves_rows),
    Mutant(TILES, "for (int w = 0; w < warps; ++w) sum += own[w][d];", "sum = own[0][d];", moves_rows),
    Mutant(TILES, " - counts[cell] - radix_sort.begin_of(d);", " - counts[cell];", moves_rows),
    Mutant(TILES, "static_cast<unsigned>(ends[cell] - tile.item)", "static_cast<unsigned>(ends[cell])", moves_rows),
    Mutant(TILES, "radix_sort.begin_of(d);\n        }\n        __syncthreads();", "radix_sort.begin_of(d);\n        }", moves_rows),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
