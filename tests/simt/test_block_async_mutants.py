# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures on deep graphs, and the packing of its rows, broken on purpose.

The exercises are those of the other kernel of closures by order of value, which run on both, and
some of what only blocks with queues of their own have: a queue that is full, rounds that run out, rows of every length.
"""

from __future__ import annotations

import itertools

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.schedule import Schedule
from semirings import any_pair, any_second, any_secondi, max_min, max_plus, min_plus, types
from tests.graphs import star_and_back
from tests.simt.exercises import INF, SEEDS, closure_holds, fixpoint
from tests.simt.mutants import Mutant, suite
from tests.simt.test_ordered_mutants import (
    PLACES,
    SHARED,
    crowds,
    doubled,
    large,
    many_starts,
    moved,
    placed,
    searches,
    strange,
    towns,
    traced,
    widest,
    widths,
    worst,
    wraps,
)

QUEUES = tuple(place for place in PLACES if place[0] != SHARED)


def lengths() -> None:
    """Rows of each length about 4, 8 and 32: packed, or read where they stand."""
    for (longest, steps), rays in itertools.product(QUEUES, (1, 3, 4, 5, 7, 8, 9, 31, 33, 63)):
        for ring, dtype in ((min_plus, "FP32"), (min_plus, "INT64"), (max_plus, "INT8")):
            i, j, w = star_and_back(rays, rays)
            edges = i, j, w if ring is min_plus else -w
            for source in (rays + 1, 1):
                closure_holds(
                    placed(rays, longest, steps), rays + 2, edges, {source: 0}, ring, dtype, 6
                )


def beside() -> None:
    """Two long rows wait in one queue."""
    rays = 12
    tips = 3 + np.arange(2 * rays)
    i = np.concatenate([[0, 0], np.repeat([1, 2], rays)])
    j = np.concatenate([[1, 2], tips])
    for longest, steps in QUEUES:
        closure_holds(
            placed(1, longest, steps),
            3 + 2 * rays,
            (i, j, np.ones(i.size)),
            {0: 0},
            min_plus,
            "FP32",
        )


def hubs() -> None:
    """Rows of many pieces: those that start do not all fit in the queue of a block."""
    many, fan = 9, 1100
    i, j = np.repeat(np.arange(many), fan), many + np.arange(many * fan)
    n, edges = many * (1 + fan), (i, j, np.arange(i.size) % 7.0)
    for _, steps in QUEUES:
        backend = placed(3, 9000, steps)
        backend.device.max_blocks = 1
        closure_holds(backend, n, edges, dict.fromkeys(range(many), 0), min_plus, "FP32")


def branches() -> None:
    """A tree outgrows the queue of a block, and what it can gather. Each edge is walked once, however
    that goes."""
    fan, wide = 40, 1640
    n = 2 * wide + 1
    child = np.arange(1, n)
    edges = np.where(child <= wide, (child - 1) // fan, child - wide), child, np.ones(n - 1)
    for longest, steps in QUEUES:
        backend = placed(steps, longest, steps)
        backend.device.max_blocks = 1
        A = lg.Matrix.from_coo(*edges, "INT32", nrows=n, ncols=n, backend=backend)
        for sources, walked, width in (
            ([0], n - 1, INF),
            ([0], n - 1, 1),
            (range(1, 41), n - 41, INF),
        ):
            x0 = lg.Vector.from_coo(
                [*sources], [0] * len(sources), "INT32", size=n, backend=backend
            )
            with lg.trace() as seen:
                x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=width))
            assert sum(step.edges for step in seen) == walked
            most = 3 + (len(sources) == 1)
            assert len(seen) == (most if steps == 1 else 2 + (width == 1))
            assert steps == 1 or seen[-1].frontier >= wide - fan  # all leaves are shared out
            has, right = fixpoint(n, edges, dict.fromkeys(sources, 0.0), "min_plus")
            assert x.to_dense(-1).tolist() == np.where(has, right, -1).tolist()


def equal() -> None:
    """Every edge has the one value that the matrix keeps."""
    for (longest, steps), rays in itertools.product(QUEUES, (3, 9)):
        i, j, _ = star_and_back(rays, 1)
        backend, n = placed(2, longest, steps), rays + 2
        A = lg.Matrix.from_coo(i, j, 3.0, "FP64", nrows=n, ncols=n, backend=backend)
        assert A._store.iso
        x0 = lg.Vector.from_coo([1], [0.0], size=n, backend=backend)
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
        _, right = fixpoint(n, (i, j, np.full(i.size, 3.0)), {1: 0.0}, "min_plus")
        assert x.to_dense(INF).tolist() == right.tolist()


def waves() -> None:
    """A lattice of one width: a warp's queue fills, and each vertex is worth following once."""
    side = 24
    at = np.arange(side * side).reshape(side, side)
    i = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    j = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    for longest, steps in QUEUES:
        backend = placed(steps, longest, steps)
        backend.device.max_blocks = 1
        edges = i, j, np.ones(i.size)
        for width in (3, INF):
            closure_holds(
                backend, side * side, edges, {0: 0}, min_plus, "INT32", width, directed=False
            )


def corrected() -> None:
    """Ways of many light edges beat heavy ones that were relaxed before, whatever was queued."""
    n, rng = 60, np.random.default_rng(4)
    line = np.arange(n - 1)
    i = np.concatenate([line, np.zeros(n - 2, int)])
    j = np.concatenate([line + 1, np.arange(2, n)])
    w = np.concatenate([np.ones(n - 1), 50.0 + rng.integers(0, 60, n - 2)])
    for (longest, steps), width in itertools.product(QUEUES, (1, 30, INF)):
        for dtype in ("FP32", "UINT8"):
            backend = placed(3, longest, steps)
            closure_holds(backend, n, (i, j, w), {0: 0}, min_plus, dtype, width, directed=False)
            closure_holds(backend, n, (i, j, w), {30: 0}, min_plus, dtype, width)


def again() -> None:
    """A vertex that gets better many times in one epoch is listed once, far or near; and one that has
    been near since it was far is not walked again."""
    many = 96
    i, j, w = np.arange(many), np.full(many, many), 5000.0 - 10 * np.arange(many)
    for seed in SEEDS:
        backend = placed(seed, steps=1)
        backend.device.max_blocks = 1
        A = lg.Matrix.from_coo(i, j, w, nrows=many + 1, ncols=many + 1, backend=backend)
        x0 = lg.Vector.from_coo(i, np.zeros(many), size=many + 1, backend=backend)
        for width in (1, INF):
            with lg.trace() as seen:
                x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=width))
            assert x[many].get() == w.min()
            assert [step.frontier for step in seen] in ([many, 1], [many])
    A = lg.Matrix.from_coo([0, 0, 2, 1], [1, 2, 1, 3], [10.0, 1, 1, 100], nrows=4, ncols=4, backend=placed(1))  # fmt: skip
    x0 = lg.Vector.from_coo([0], [0.0], size=4, backend=A.backend)
    with lg.trace() as seen:
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=3))
    assert [(step.frontier, step.edges) for step in seen] == [(1, 4), (2, 0), (1, 0)]


def followed_once() -> None:
    """What a vertex candidates with a value that it has no longer is not followed."""
    many, fan = 20, 40
    via, hub, n = many, many + 1, many + 2 + fan
    i = np.concatenate([np.arange(many), [via], np.full(fan, hub)])
    j = np.concatenate([np.full(many, via), [hub], hub + 1 + np.arange(fan)])
    w = np.concatenate([500.0 - 10 * np.arange(many), np.ones(1 + fan)])
    for seed in SEEDS:
        backend = placed(seed)
        backend.device.max_blocks = 1
        A = lg.Matrix.from_coo(i, j, w, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo(np.arange(many), np.zeros(many), size=n, backend=backend)
        with lg.trace() as seen:
            lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=INF))
        assert sum(step.edges for step in seen) <= 2 * many + fan


def farther() -> None:
    """The bound moves a width beyond the best of what is far, and what is still far is listed again."""
    many = 9
    rays = np.arange(1, many + 1)
    backend = placed(1)
    A = lg.Matrix.from_coo(0 * rays, rays, 10.0 * rays, nrows=10, ncols=10, backend=backend)
    x0 = lg.Vector.from_coo([0], [0.0], size=10, backend=backend)
    with lg.trace() as seen:
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=5))
    assert x.to_dense(-1).tolist() == [0, *(10.0 * rays)]
    assert [step.frontier for step in seen] == [1, *range(many, 0, -1)]


def slim() -> None:
    """Where many are far the bound moves less, unless values do not add up along a path."""
    many = 100
    rays = np.arange(1, many + 1)
    backend = placed(1, 9000)
    backend.device.max_blocks = 1
    for ring, start, w, lists in (
        (min_plus, 0.0, 10.0 * rays, [1, 84, 81, 78]),
        (max_min, 2000.0, 2000 - 10.0 * rays, [1, 84, 67, 50]),
    ):
        A = lg.Matrix.from_coo(0 * rays, rays, w, nrows=many + 1, ncols=many + 1, backend=backend)
        x0 = lg.Vector.from_coo([0], [start], size=many + 1, backend=backend)
        with lg.trace() as seen:
            x = lg.closure(x0, A, ring, schedule=Schedule(order="delta", width=160))
        assert x.to_dense(-1).tolist() == [start, *w]
        assert [step.frontier for step in seen[:4]] == lists


def kept() -> None:
    """Rows are packed once for each kind, by the values that are read."""
    backend = placed(1)
    i, j, w = star_and_back(4, 1)
    A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=6, ncols=6, backend=backend)
    x0 = lg.Vector.from_coo([0], np.float32([0]), size=6, backend=backend)
    for _ in range(2):
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
        lg.bfs(lg.Graph._checked(A, True), 0, schedule=Schedule(order="delta"))
    assert sorted(A._store.closures.padded) == ["Bare<4>", "Valued<4, float>"]
    assert types.FP32.itemsize == 4


def copies() -> None:
    """Several searches in one launch, each in a copy of the graph, whose size may fill its copy."""
    for (longest, steps), rays in itertools.product(QUEUES, (3, 9, 30, 31)):
        (i, j, w), n = star_and_back(rays, rays), rays + 2
        sources = [rays + 1, 0, 1, 1]
        for ring, dtype in ((min_plus, "FP32"), (min_plus, "INT64"), (max_plus, "INT8")):
            backend = placed(rays, longest, steps)
            backend.closures.rows.most_positions = 96  # three copies of up to 32 vertices
            weight = (w if ring is min_plus else -w).astype(getattr(types, dtype))
            A = lg.Matrix.from_coo(i, j, weight, dtype, nrows=n, ncols=n, backend=backend)
            x0 = lg.Matrix.from_coo(range(4), sources, 0, dtype, nrows=4, ncols=n, backend=backend)
            with lg.explain() as told:
                x = lg.closure(x0, A, ring)
            assert told.choices[0].chosen == ("in copies of the graph" if n <= 32 else "row by row")
            for row, source in enumerate(sources):
                has, right = fixpoint(n, (i, j, weight.astype(float)), {source: 0.0}, ring.name)
                index, values = x[row, :].new().to_coo()
                assert index.tolist() == np.flatnonzero(has).tolist()
                assert values.tolist() == right[has].tolist()


def trees_in_copies() -> None:
    """Depths, and what comes along the edges of trees, for starts of several vertices or none. A word
    of a copy has short rows and some that a whole warp reads, whose hit is in its last turn."""
    for rays in (9, 31, 70, 97):
        (i, j, w), n = star_and_back(rays, rays), rays + 3
        tips = np.arange(1, rays + 1)  # they meet in two other vertices, whose rows are neighbours
        i, j = np.append(i, [tips, tips]), np.append(j, np.repeat([n - 2, n - 1], rays))
        w = np.append(w, 6.0 + np.arange(2 * rays))
        first = np.lexsort((-i, j)) if rays == 97 else np.lexsort((i, j))
        i, j, w = i[first], j[first], w[first]
        at = np.array([[0, rays + 1], [1, 0], [1, n - 1], [3, rays], [4, 1]])
        x0s = (
            (any_secondi, "INT64", at[:, 1]), (any_pair, "BOOL", np.ones(5, bool)),
            (any_second, "FP64", np.arange(5) + 3.0), (any_pair, "INT64", np.arange(5) + 6),
        )  # fmt: skip
        for ring, dtype, given in x0s:
            backend = placed(rays, 9000)
            backend.closures.rows.most_positions = 3 * max(32, 1 << (n - 1).bit_length())
            A = lg.Matrix.from_coo(i, j, w, "FP64", nrows=n, ncols=n, backend=backend)
            x0 = lg.Matrix.from_coo(*at.T, given, dtype, nrows=5, ncols=n, backend=backend)
            with lg.explain() as told:
                x, level = closure_with_rounds(x0, A, ring, schedule=Schedule(order="delta"))
            assert told.choices[0].chosen == "in copies of the graph"
            assert (x.dtype, level.dtype) == (
                getattr(types, dtype.replace("BOOL", "INT64")),
                types.INT32,
            )
            for row in range(5):
                starts = at[at[:, 0] == row, 1]
                right = depths(n, i, j, starts)
                index, depth = level[row, :].new().to_coo()
                assert index.tolist() == sorted(right)
                assert depth.tolist() == [right[v] for v in index.tolist()]
                index, value = x[row, :].new().to_coo()
                assert index.tolist() == sorted(right)
                for v, z in zip(index.tolist(), value.tolist(), strict=True):
                    tight = [
                        e for e in np.flatnonzero(j == v) if right.get(i[e], n) + 1 == right[v]
                    ]
                    come = {any_secondi: i, any_second: w}.get(ring, np.ones(j.size))
                    assert z in (given[at[:, 1] == v] if v in starts else come[tight])


def depths(n: int, i: np.ndarray, j: np.ndarray, starts: np.ndarray) -> dict[int, int]:
    """The least number of edges from any start to each vertex that one reaches."""
    found = dict.fromkeys(starts.tolist(), 0)
    for depth in range(n):
        for u, v in zip(i.tolist(), j.tolist(), strict=True):
            if found.get(u) == depth:
                found.setdefault(v, depth + 1)
    return found


EXERCISES = (
    widths, towns, crowds, large, many_starts, widest, worst, strange, wraps, traced, doubled, searches,
    lengths, beside, hubs, branches, equal, waves, corrected, again, followed_once, farther, kept, slim, moved,
    copies, trees_in_copies,
)  # fmt: skip

COPIES = "closure/block_queues/copy_rows.cuh"
MUTANTS = [
    Mutant(COPIES, "end - __popc(held) + __popc(", "end + __popc(", copies),
    Mutant(COPIES, "held & ((1u << lane) - 1)", "held", copies),
    Mutant(COPIES, "ends[r * words_each - 1]", "ends[r * words_each]", copies),
    Mutant(COPIES, "r == 0 ? Offset(0) : ", "", copies),
    Mutant(COPIES, "rows + 1ll", "rows", copies),
    Mutant(COPIES, "indices[at] = p & mask;", "indices[at] = p;", copies),
    Mutant(COPIES, "out[at] = values[p];", "out[at] = values[p & mask];", copies),
    Mutant(COPIES, "if ((held >> lane_id() & 1u) == 0) continue;", "", copies),
    Mutant(COPIES, "const typename S::U* const x = u + copy;", "const typename S::U* const x = u;", trees_in_copies),
    Mutant(COPIES, "return S::joins(x, k, A.values, e * A.stride, j); };", "return x[k] <= x[j]; };", trees_in_copies),
    Mutant(COPIES, "bool found = apart;", "bool found = true;", trees_in_copies),
    Mutant(COPIES, "A.indices[e + i < end ? e + i : e]", "A.indices[e + i]", trees_in_copies),
    Mutant(COPIES, "write(lane_id(), j, e + i, k[i]);", "write(lane_id(), j, e, k[i]);", trees_in_copies),
    Mutant(COPIES, "left != 0; left &= left - 1)", "left != 0; left = 0)", trees_in_copies),
    Mutant(COPIES, "left = __ballot_sync(ALL_LANES, apart);", "left = 0;", trees_in_copies),
    Mutant(COPIES, "A.indptr[row] + lane_id();; e += 32", "A.indptr[row] + lane_id();; e += 64", trees_in_copies),
    Mutant(COPIES, "if (hit && (hits & lanes_below()) == 0) write(lane, row", "if (hit) write(lane_id(), row", trees_in_copies),
    Mutant(COPIES, "if (hits != 0 || !__any_sync(ALL_LANES, e < last)) break;", "break;", trees_in_copies),
    Mutant(COPIES, "ends[p >> 5], p & 31)] = given[i];", "ends[p >> 5], p & 31)] = given[0];", trees_in_copies),
    Mutant(COPIES, "grid_stride<unsigned>(count)", "grid_stride<unsigned>(1)", trees_in_copies),
    Mutant("closure/block_queues/graph_copies.cuh", "many ? k & mask : k;", "k;", copies),
    Mutant("closure/block_queues/graph_copies.cuh", "many ? (k & ~mask) | j : j;", "j;", copies),
    Mutant("closure/block_queues/block_async_state.cuh", "const Z old = fold_into<S>(x + head, candidate);", "const Z old = fold_into<S>(x + j, candidate);", copies),
    Mutant("closure/block_queues/block_async_state.cuh", "append(close, head, candidate, row);", "append(close, j, candidate, row);", copies),
    Mutant("closure/block_queues/block_async_state.cuh", "const Row row = rows[copies.vertex(k)];", "const Row row = rows[k];", copies),
    Mutant("matrix/padded_rows.cuh", "const bool has = length <= N && slot < length;", "const bool has = length <= N && slot + 1 < length;", lengths),
    Mutant("matrix/padded_rows.cuh", "indices[first + slot] : NOWHERE;", "indices[first + slot] : 0;", widths),
    Mutant("matrix/padded_rows.cuh", "matrix.values[(first + slot) * matrix.stride]", "matrix.values[first]", lengths),
    Mutant("matrix/padded_rows.cuh", "row.to[1] = length;", "row.to[1] = length - 1;", lengths),
    Mutant("matrix/padded_rows.cuh", "row.to[2] = static_cast<Index>(begin & 0xffffffff);", "row.to[2] = 0;", lengths),
    Mutant("matrix/padded_rows.cuh", "row.to[3] = static_cast<Index>(begin >> 32);", "row.to[3] = 1;", lengths),
    Mutant("closure/block_queues/block_async.cuh", "start.placed()", "start", moved),
    Mutant("closure/ordered/value_order.cuh", "        report_unordered();\n        return false;", "        return false;", wraps),
    Mutant("closure/ordered/value_order.cuh", "(is_floating<Z> || as_good(tail, z))", "true", wraps),
    Mutant("closure/ordered/value_order.cuh", "as_good(z, moved) ? moved : z;", "moved;", large),
    Mutant("closure/block_queues/block_async.cuh", "const bool skips = is_far && distance > 0;", "const bool skips = is_far;", worst),
    Mutant("closure/block_queues/block_async.cuh", "const DedupQueue from = is_far ? epochs.far(distance) : epochs.near(epoch);", "const DedupQueue from = epochs.far(distance);", waves),
    Mutant("closure/block_queues/block_async.cuh", "                line[0] = all;\n", "", traced),
    Mutant("closure/block_queues/block_async.cuh", "                line[2] = clock64();\n", "", traced),
    Mutant("closure/ordered/value_order.cuh", "        *near(epoch + 2).count = 0;\n", "", waves),
    Mutant("closure/block_queues/block_async.cuh", "epochs.empty(epoch, distance, is_far, S::start());", "epochs.empty(epoch, distance, false, S::start());", traced),
    Mutant("closure/block_queues/block_async.cuh", "        distance += is_far;\n", "", widths),
    Mutant("closure/block_queues/block_async.cuh", "        grid.wait();\n    }\n", "    }\n", towns),
    Mutant("closure/block_queues/block_async.cuh", "if (leads_all) epochs.counts[epochs.DONE] = epoch;", "", traced),
    Mutant("closure/block_queues/block_async.cuh", "log.lines[1] = clock64();", ";", traced),
    Mutant("closure/block_queues/block_async.cuh", "log.lines[2] = clock64();\n}", ";\n}", traced),
    Mutant("closure/ordered/value_order.cuh", "queue(2 + g % 2, 3 + g % 3)", "queue(2 + g % 2, 3 + g % 2)", widths),
    Mutant("closure/block_queues/block_async.cuh", "T search{{{}, epochs.counts + epochs.UNORDERED}", "T search{{{}, epochs.counts + epochs.DONE}", strange),
    Mutant("matrix/padded_rows.cuh", "const A* all) const { return all; }", "const A* all) const { return all + 1; }", equal),
    Mutant("matrix/padded_rows.cuh", "bool is_long(const Short<Row>&) { return false; }", "bool is_long(const Short<Row>&) { return true; }", lengths),
    Mutant("matrix/padded_rows.cuh", "return row.to[0] == ELSEWHERE; }", "return false; }", lengths),
    Mutant("matrix/padded_rows.cuh", "return row.to[0] == ELSEWHERE; }", "return row.to[0] < 0; }", beside),
    Mutant("matrix/padded_rows.cuh", "return values + slot; }", "return values; }", lengths),
    Mutant("core/append.cuh", "if (at < ROOM) items[at] = item;\n        else list[", "if (at < ROOM) items[at] = item;\n        else if (false) list[", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "const bool has = j < n && start.has(j);", "const bool has = j < n;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "if (j < n) x[j] = foldable<S>(z);", "if (has) x[j] = foldable<S>(z);", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "if (j < n) x[j] = foldable<S>(z);", "if (j < n) x[j] = z;", strange),
    Mutant("closure/block_queues/block_async_state.cuh", "if (has && nan(z)) report_unordered();", "", strange),
    Mutant("closure/block_queues/block_async_state.cuh", "if (has && !nan(z)) {", "if (has) {", strange),
    Mutant("closure/block_queues/block_async_state.cuh", "                fold_best(z);\n                list(false, j);", "                list(false, j);", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "has && z == S::start());", "false);", worst),
    Mutant("closure/block_queues/block_async_state.cuh", "j < n && !is_start(peek(x + j)));", "j < n);", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "peek(bits + word) | entries;", "entries;", worst),
    Mutant("closure/block_queues/block_async_state.cuh", "else if (claim_unset(block_queue->near.bits, j))", "else", again),
    Mutant("closure/block_queues/block_async_state.cuh", "nearest = better(z, nearest) ? z : nearest; }", "}", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "if (at >= (close ? room : FARTHER)) return list(close, j);", "if (at >= (close ? room : FARTHER)) return;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "if (at >= (close ? room : FARTHER)) return list(close, j);", "if (at >= room) return list(close, j);", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "put(tail + at, j, z) = row;", "put(at, j, z) = row;", widths),
    Mutant("closure/block_queues/block_queue.cuh", "        values[place] = z;\n", "", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "steps = min(steps, 1);", "steps = 0;", hubs),
    Mutant("closure/block_queues/block_queue.cuh", "const Index* indices) {", "const Index* indices) {\n        pieces = 1;", hubs),
    Mutant("closure/block_queues/block_async_state.cuh", "min(pieces, room - at), j", "pieces, j", hubs),
    Mutant("closure/block_queues/block_queue.cuh", "            begin += each;\n", "", hubs),
    Mutant("closure/block_queues/block_queue.cuh", "length = max(length - each, 0);", "length = length - each;", hubs),
    Mutant("closure/block_queues/block_queue.cuh", "begin, min(each, length));", "begin, each);", hubs),
    Mutant("closure/block_queues/block_async_state.cuh", "Index to = NOWHERE;", "Index to = row.to[slot];", hubs),
    Mutant("closure/block_queues/block_async_state.cuh", "if (skips && as_good(z, last_bound)) return;", "", again),
    Mutant("closure/block_queues/block_async_state.cuh", "if (skips && as_good(z, last_bound)) return;", "if (skips) return;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "        if (!close) fold_best(z);\n", "", farther),
    Mutant("closure/block_queues/block_async_state.cuh", "        append(close, k, z, row);", "        if (close) append(close, k, z, row);", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "        if (!this->admits(z, candidate)) return;\n", "", wraps),
    Mutant("closure/block_queues/block_async_state.cuh", "const Z old = fold_into<S>(x + head, candidate);", "const Z old = x[head]; x[head] = candidate;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "bool improves = better(candidate, old);", "bool improves = is_start(old);", corrected),
    Mutant("closure/block_queues/block_async_state.cuh", "if (candidate == S::start()) improves = claim(bits, head);", "", worst),
    Mutant("closure/block_queues/block_async_state.cuh", "(close ? !stale : is_start(old))", "(close || is_start(old))", followed_once),
    Mutant("closure/block_queues/block_async_state.cuh", "        if (improves && !close) fold_best(candidate);\n", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "(close ? !stale : is_start(old))", "(close && !stale)", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "(close ? !stale : is_start(old))", "(!close || !stale)", again),
    Mutant("closure/block_queues/block_async_state.cuh", "if (to != NOWHERE) {", "if (true) {", lengths),
    Mutant("closure/block_queues/block_async_state.cuh", "value = *row.value(slot, values);", "value = *row.value(0, values);", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "is_long(row) ? length_of(row) : 0;", "0;", lengths),
    Mutant("closure/block_queues/block_async_state.cuh", "e = begin_of(row) + slot;", "e = begin_of(row);", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "value = values[e * stride];", "value = values[e];", equal),
    Mutant("closure/block_queues/block_async_state.cuh", "        } while (slot < length);", "        } while (false);", hubs),
    Mutant("closure/block_queues/block_async_state.cuh", "                ++walked;\n", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "all - at < share ? all : at + share;", "at + share;", many_starts),
    Mutant("closure/block_queues/block_async_state.cuh", "at < end || steps-- > 0;", "true;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "at < end || steps-- > 0;", "steps-- > 0;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "room = QUEUE - pending;", "room = QUEUE;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "block_queue->queued + (round + 1) % 3;", "block_queue->queued + (round + 2) % 3;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "if (threadIdx.x == 0) block_queue->queued[(round + 2) % 3] = 0;", "", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "                if (mine < end) {", "                {", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "= 0;  // read for good", "= ALL_LANES;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "at += blockDim.x;\n", "at += blockDim.x - 1;\n", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "i < pending * SLOTS; i += blockDim.x", "i < pending; i += blockDim.x", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "follow((head + i / SLOTS) % QUEUE,", "follow(i / SLOTS,", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "for (unsigned i = threadIdx.x; i < pending; i += blockDim.x)", "for (unsigned i = threadIdx.x; i < pending; i += pending)", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "list(true, block_queue->vertices[(head + i) % QUEUE]);", "list(true, block_queue->vertices[i]);", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "            __syncthreads();\n            head = tail;", "            head = tail;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "            head = tail;\n", "", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "                pending = room;\n", "", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "if (has_log && walked > 0) atomicAdd(&block_queue->walked, Count(walked));", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "block_queue->nearby.begin = block_queue->nearby.begin_in(block_queue->near.count);", "block_queue->nearby.begin = 0;", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "block_queue->farther.begin = block_queue->farther.begin_in(block_queue->far.count);", "block_queue->farther.begin = 0;", widths),
    Mutant("closure/block_queues/block_async_state.cuh", "if (!is_start(block_queue->best[0])) fold_into<S>(far_best, block_queue->best[0]);", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "        nearest = S::start();\n", "", farther),
    Mutant("closure/block_queues/block_async_state.cuh", "if (lane_id() == 0 && best.has) fold_into<S>(block_queue->best, best.value);", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "                steps = min(steps, 1);\n", "", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "            block_queue->best[0] = S::start();\n", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "            block_queue->walked = 0;\n", "", traced),
    Mutant("closure/block_queues/block_async_state.cuh", "        block_queue->nearby.write(entries_of(block_queue->near), close);\n", "", branches),
    Mutant("closure/block_queues/block_async_state.cuh", "        block_queue->farther.write(entries_of(block_queue->far), distant);\n", "", widths),
    Mutant("closure/block_queues/block_async.cuh", "block_queue.nearby.count = block_queue.farther.count = 0;", "block_queue.nearby.count = 0;", widths),
    Mutant("closure/block_queues/block_async.cuh", "        block_queue.far = epochs.far(0);\n", "", widths),
    Mutant("closure/block_queues/block_async.cuh", "        for (Z& each : block_queue.best) each = S::start();\n", "", widths),
    Mutant("closure/block_queues/block_async.cuh", "    search.gather(epochs.best(0), nullptr);\n    grid.wait();\n", "    search.gather(epochs.best(0), nullptr);\n", many_starts),
    Mutant("closure/block_queues/block_async.cuh", "            block_queue.near = epochs.near(epoch + 1);\n", "", branches),
    Mutant("closure/block_queues/block_async.cuh", "            block_queue.far = epochs.far(distance);\n", "", widths),
    Mutant("closure/block_queues/block_async.cuh", "block_queue.queued[0] = block_queue.queued[1] = 0;", "block_queue.queued[0] = 0;", widths),
    Mutant("closure/block_queues/block_async.cuh", "distant > FAR_PER_BLOCK * gridDim.x ? width * narrowing : width", "width", slim),
    Mutant("closure/block_queues/block_async.cuh", "distant > FAR_PER_BLOCK * gridDim.x ? width * narrowing : width", "width * narrowing", slim),
    Mutant("closure/block_queues/block_async.cuh", "    search.end();\n", "", widths),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
