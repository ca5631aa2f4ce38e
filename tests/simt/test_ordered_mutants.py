# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures by order of value, and what follows its tight edges, broken on purpose.

The exercises hold it against Bellman's and Ford's method in NumPy, over graphs, types, widths, and
ways of sharing out the work: by all blocks, or with each block with a queue of its own.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import NoFixpoint
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, max_min, max_plus, min_max, min_plus, types
from tests.graphs import HUB, N, WeightedEdges, edges_with_hub, random_grid, random_weighted
from tests.simt.exercises import INF, SEEDS, closure_holds, fixpoint, gpu
from tests.simt.mutants import Mutant, suite


def placed(seed: int, longest: int = 64, steps: int = 64, piece: int = 128) -> GpuBackend:
    """With rows of at most ``longest`` edges each block has a queue of its own."""
    backend = gpu(seed)
    backend.closures.order_choice.longest = longest
    near_far = backend.closures.by_order.ordered
    near_far.steps, near_far.piece = steps, piece
    return backend


SHARED = -1
PLACES = ((SHARED, 1), (64, 1), (64, 2), (64, 64))


def widths() -> None:
    for seed in SEEDS:
        for width in (0.25, 3, INF, None):
            closure_holds(
                placed(seed), N, random_weighted(N, seed, 4), {seed: 0}, min_plus, "FP32", width
            )
            closure_holds(
                placed(seed, SHARED),
                N,
                random_weighted(N, seed, 4),
                {seed: 0},
                min_plus,
                "INT64",
                width,
            )


def towns() -> None:
    """Many steps, in which blocks have queues of their own; a dead end need not be looked at."""
    for seed, (longest, steps) in zip(range(4), PLACES, strict=True):
        for width in (5, 40, INF):
            backend, edges = placed(seed, longest, steps), random_grid(9, seed)
            closure_holds(backend, 82, edges, {40: 0}, min_plus, "INT32", width, directed=False)
            edges = tuple(np.append(a, b) for a, b in zip(edges, (80, 81, 2), strict=True))
            closure_holds(
                backend, 82, edges, {81: 0, 3: 1}, min_plus, "FP64", width, directed=False
            )


def hubs() -> None:
    """Hubs in pieces, from the far list and the near one; or in a queue of one block."""
    for seed, (longest, steps) in zip(range(4), PLACES, strict=True):
        for piece, width in itertools.product((1, 7), (2, INF)):
            closure_holds(
                placed(seed, longest, steps, piece),
                N,
                edges_with_hub(seed),
                {20: 0},
                min_plus,
                "INT64",
                width,
            )
            closure_holds(
                placed(seed, longest, steps, piece),
                N,
                random_weighted(N, seed, 4),
                {HUB: 0},
                min_plus,
                "INT64",
                width,
            )


def crowds() -> None:
    """More improves than a block can queue for itself, and can gather, near and far."""
    wide = 1300
    first, last = np.arange(1, wide + 1), wide + 1 + np.arange(wide) % 50
    i = np.concatenate([np.zeros(wide, int), first, first, last[:50]])
    j = np.concatenate([first, last, first % wide + 1, np.zeros(50, int)])
    w = np.random.default_rng(1).integers(1, 9, i.size).astype(float)
    for blocks, width, (longest, steps) in (
        (1, INF, (9000, 8)),
        (3, INF, (9000, 2)),
        (2, 1, (SHARED, 1)),
        (2, 3, (9000, 1)),
    ):
        backend = placed(blocks, longest, steps, 2000)
        backend.device.max_blocks = blocks
        closure_holds(backend, wide + 51, (i, j, w), {0: 0}, min_plus, "INT32", width)


def slopes() -> None:
    """Offers that come later are better, so that a vertex improves many times in one epoch: it must
    be queued once."""
    many, few = 100, 40
    rows, columns = np.repeat(np.arange(many), few), many + np.tile(np.arange(few), many)
    weight = 5000.0 - 10 * rows
    last = many + np.arange(few)
    edges = (
        np.append(rows, last),
        np.append(columns, 0 * last + many + few),
        np.append(weight, 0 * last + 1.0),
    )
    for longest, width in itertools.product((SHARED, 9000), (5, INF)):
        backend = placed(1, longest, 1, 5000)
        backend.device.max_blocks = 1
        closure_holds(
            backend,
            many + few + 1,
            edges,
            dict.fromkeys(range(many), 0.0),
            min_plus,
            "INT32",
            width,
        )


def large() -> None:
    """Beyond 2⁵³ the double that a bound is made of may be less than the best itself."""
    for longest in (SHARED, 64):
        backend, start = placed(1, longest), 2**53 + 1
        A = lg.Matrix.from_coo([0, 1], [1, 2], [2, 1], "INT64", nrows=4, ncols=4, backend=backend)
        x0 = lg.Vector.from_coo([0], [start], "INT64", size=4, backend=backend)
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=0.25))
        assert x.to_coo()[1].tolist() == [start, start + 2, start + 3]


def many_starts() -> None:
    """x₀ is full, or has many entries, or none; and n is or is not a multiple of 32."""
    for longest, n in itertools.product((SHARED, 64), (1, 32, 65, 700)):
        edges = random_weighted(n, n, 4)
        for every in (1, 3):
            x0 = {v: float(50 * v % 37) for v in range(0, n, every)}
            for width in (3, INF):
                closure_holds(placed(n, longest), n, edges, x0, min_plus, "INT32", width)
        backend = placed(1, longest)
        i, j, w = edges
        A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=n, ncols=n, backend=backend)
        empty = lg.Vector("FP32", n, backend=backend)
        assert lg.closure(empty, A, min_plus, schedule=Schedule(order="delta")).nvals == 0


def moved() -> None:
    """Several starts in one matrix, one after another, in its own numbers and in those of a copy."""
    i, j, w = random_weighted(N, 5, 4, low=1)
    keep = i != j
    edges = i[keep], j[keep], w[keep]
    for longest, steps in PLACES:
        G = lg.Graph.from_edges(*edges, n=N, backend=placed(1, longest, steps))
        for H, source in itertools.product((G, G.prepared(np.arange(N)[::-1])), (0, 33, N - 2)):
            has, right = fixpoint(N, edges, {source: 3.0}, "min_plus")
            x0 = H.point(source, 3, G.A.dtype)
            x = lg.closure(x0, H.A, min_plus, schedule=Schedule(order="delta", width=4))
            np.testing.assert_array_equal(x.to_dense(-1), np.where(has, right, -1))
            level, parent = lg.bfs(H, source, schedule=Schedule(order="delta"))
            hops = fixpoint(N, (*edges[:2], np.ones(i.size)[keep]), {source: 0.0}, "min_plus")[1]
            np.testing.assert_array_equal(level.to_dense(-1), np.where(has, hops, -1))
            at, parents = parent.to_coo()
            assert at.tolist() == np.flatnonzero(has).tolist() and parent[source].get() == source
            beyond = at != source
            np.testing.assert_array_equal(hops[parents[beyond]] + 1, hops[at[beyond]])


def widest() -> None:
    """The order falls: a maximum."""
    for seed, dtype in zip(SEEDS, ("FP64", "INT32", "UINT8"), strict=True):
        for width in (1, 4, INF):
            closure_holds(
                placed(seed), N, random_weighted(N, seed, 4), {seed: 7}, max_min, dtype, width
            )
    for seed, dtype in zip(SEEDS, ("FP32", "INT64", "INT8"), strict=True):
        i, j, w = random_weighted(N, seed, 4, low=0, high=3)
        closure_holds(placed(seed), N, (i, j, -w), {seed: 0, 9: -1}, max_plus, dtype, 2)
        closure_holds(placed(seed, SHARED), N, (i, j, -w), {seed: 0}, max_plus, dtype, None)


def small_types() -> None:
    """Values of less than a word, of which several share one."""
    for seed in SEEDS:
        for dtype in ("UINT8", "INT8", "INT16"):
            closure_holds(
                placed(seed),
                N,
                random_weighted(N, seed, 4, high=7),
                {seed: 0, 40: 3},
                min_plus,
                dtype,
                4,
            )
            closure_holds(
                placed(seed, SHARED), N, random_weighted(N, seed, 4), {seed: 2}, min_max, dtype, 1
            )


def worst() -> None:
    """An entry may be just what a fold starts from, or infinite, and is an entry nevertheless."""
    line = np.arange(6)
    for (longest, steps), width in itertools.product(PLACES, (1, INF)):
        for dtype, top, ring in (("UINT8", 255, min_plus), ("INT8", 127, min_plus), ("FP32", INF, min_plus),
                                 ("UINT8", 0, max_min), ("FP64", -INF, max_min)):  # fmt: skip
            flat = (line, line + 1, np.zeros(6) if ring is min_plus else np.full(6, 9.0))
            closure_holds(placed(1, longest, steps), 9, flat, {0: top}, ring, dtype, width)
            better = top - 100 if ring is min_plus else 3
            if dtype != "FP64":
                closure_holds(
                    placed(2, longest, steps),
                    9,
                    flat,
                    {0: top, 3: 20 if top == INF else better},
                    ring,
                    dtype,
                    width,
                )
        rise = (line, line + 1, np.array([100, 100, 55, 0, 0, 0.0]))
        closure_holds(placed(1, longest, steps), 9, rise, {0: 0}, min_plus, "UINT8", width)
        rise = (line, line + 1, np.array([100, INF, 55, 0, 1, 0.0]))
        closure_holds(placed(1, longest, steps), 9, rise, {0: 0}, min_plus, "FP64", width)


def strange() -> None:
    """A NaN has no place in an order: the rounds must do it, and round for round."""
    nan = float("nan")
    cases = [
        ({0: nan, 4: 1.0}, 1.0),
        ({2: -INF}, INF),
        ({0: 5.0, 5: nan}, 1.0),
        ({0: 1.0, 5: -nan}, 1.0),
    ]
    line = np.arange(8)
    for (longest, steps), (x0, weight) in itertools.product(PLACES, cases):
        backend = placed(3, longest, steps)
        A = lg.Matrix.from_coo(
            line, line + 1, np.full(8, weight), "FP64", nrows=9, ncols=9, backend=backend
        )
        start = lg.Vector.from_coo(list(x0), list(x0.values()), "FP64", size=9, backend=backend)
        found = []
        for order in ("delta", "rounds"):
            with lg.trace() as steps_of:
                x = lg.closure(start, A, min_plus, schedule=Schedule(order=order))
            found.append((x.to_dense(-1.0).tolist(), [(s.frontier, s.edges) for s in steps_of]))
        assert str(found[0]) == str(found[1])


def traced() -> None:
    """On a line there is one item at a time, and one edge; the clock goes on."""
    n = 12
    for longest, steps, width, epochs in (
        (SHARED, 1, 0.5, n - 1),
        (SHARED, 1, INF, n - 1),
        (64, 4, INF, None),
        (64, 4, 0.5, n),  # the end is an item, too
    ):
        backend = placed(1, longest, steps)
        line = np.arange(n - 1)
        A = lg.Matrix.from_coo(line, line + 1, 1, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], size=n, backend=backend)
        with lg.trace() as seen, lg.explain() as told:
            lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=width))
        assert sum(s.edges for s in seen) == n - 1 and {s.frontier for s in seen} == {1}
        assert len(seen) == epochs if epochs else len(seen) < n // 3
        clocks = [s.clock for s in seen]
        assert clocks == sorted(clocks) and len(set(clocks)) == len(clocks)
        took = [step.cycles for step in told.steps]
        sweep = (
            0 if longest == SHARED else took[-1]
        )  # the end of a block's queue passes over the vector
        whole = told.choices[0].cycles
        assert min(took) > 0 and 0 < sum(took) < whole < clocks[-1] + took[-1] + sweep


def doubled() -> None:
    """Where all share each step, the width grows while the far list shrinks slowly."""
    n = 200
    i, j, w = np.zeros(n - 1, int), np.arange(1, n), np.arange(1, n).astype(float)
    backend = placed(1, SHARED)
    A = lg.Matrix.from_coo(
        np.append(i, j),
        np.append(j, (j + 1) % n),
        np.append(w, w + 1000),
        nrows=n,
        ncols=n,
        backend=backend,
    )
    x0 = lg.Vector.from_coo([0], [0], "FP64", size=n, backend=backend)
    with lg.trace() as seen:
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=1))
    assert 6 <= len(seen) < 25, len(seen)


def search_of(backend: GpuBackend, n: int, edges: WeightedEdges, sources: list[int]) -> None:
    """Levels of a search by depth, and parents; what the sources hold stays."""
    i, j, _ = edges
    A = lg.Matrix.from_coo(i, j, np.float32(1), nrows=n, ncols=n, backend=backend)
    held = np.array(sources) + 7000
    x0 = lg.Vector.from_coo(sources, held, "INT64", size=n, backend=backend)
    if len(sources) == n:
        x0 = lg.Vector.from_dense(held[np.argsort(sources)], backend=backend)
        assert x0._store.full
    x, when = closure_with_rounds(x0, A, any_secondi, None, Schedule(order="delta"))
    has, level = fixpoint(n, (i, j, np.ones(i.size)), dict.fromkeys(sources, 0.0), "min_plus")
    np.testing.assert_array_equal(when.to_dense(-1), np.where(has, level, -1))
    index, parent = x.to_coo()
    np.testing.assert_array_equal(index, np.flatnonzero(has))
    pairs = set(zip(i.tolist(), j.tolist(), strict=True))
    for v, u in zip(index.tolist(), parent.tolist(), strict=True):
        if v in sources:
            assert u == 7000 + v
        else:
            assert (u, v) in pairs and level[u] == level[v] - 1


def searches() -> None:
    for seed, (longest, steps) in zip(range(4), PLACES, strict=True):
        search_of(placed(seed, longest, steps), 82, random_grid(9, seed), [0])
        search_of(placed(seed, longest, steps), N, edges_with_hub(seed), [20, 3])
        search_of(placed(seed, longest, steps, 5), N, random_weighted(N, seed, 4), [0, 31, 32, 76])
        search_of(placed(seed, longest, steps), 65, random_weighted(65, seed, 4), list(range(65)))


def trees() -> None:
    """Shortest-path trees from the tight edges, also where these do not suffice: weights of 0."""
    for seed in SEEDS:
        for low, one in ((0, False), (1, False), (1, True)):
            backend = placed(seed)
            i, j, w = random_weighted(N, seed, 4, low=low)
            keep = i != j
            i, j, w = i[keep], j[keep], np.ones(keep.sum()) if one else w[keep]
            G = lg.Graph.from_edges(i, j, None if one else w, n=N, backend=backend)
            distance, parent = lg.sssp(G, seed)
            has, right = fixpoint(N, (i, j, w), {seed: 0.0}, "min_plus")
            index, parents = parent.to_coo()
            np.testing.assert_array_equal(index, np.flatnonzero(has))
            np.testing.assert_array_equal(distance.to_dense(-1), np.where(has, right, -1))
            weight = dict(zip(zip(i.tolist(), j.tolist(), strict=True), w, strict=True))
            for v in index:
                walked = 0
                while v != seed:
                    u = parents[np.searchsorted(index, v)]
                    assert right[u] + weight[u, v] == right[v]
                    v, walked = u, walked + 1
                    assert walked < N
            if low:  # nearest neighbours do suffice, and none that is not nearer was taken
                none, root = lg.Vector("INT64", N, backend=backend), G.point(seed, 5)
                assert not backend.parents.parents(distance._store, none._store, G.A, min_plus)[1]
                along, whole = backend.parents.parents(distance._store, root._store, G.A, min_plus)
                assert whole
                found = none._wrap(np.dtype(np.int64), backend, along)
                assert found.nvals == has.sum() and found[seed].get() == 5


def wraps() -> None:
    """A sum that wraps is better than what it comes of: no order, and the rounds decide."""
    path = np.array([100, 100, 3], np.int8)
    for longest in (SHARED, 64):
        backend = placed(0, longest)
        A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 3], path, nrows=4, ncols=4, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], "INT8", size=4, backend=backend)
        with lg.trace() as steps:
            x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
        assert x.to_dense().tolist() == [0, 100, -56, -53] and len(steps) == 4
        for weight, dtype in ((100, "INT8"), (2**31 - 5, "INT32")):  # the latter for long
            weights = np.full(2, weight, getattr(types, dtype))
            A = lg.Matrix.from_coo([0, 1], [1, 0], weights, nrows=2, ncols=2, backend=backend)
            x0 = lg.Vector.from_coo([0], [0], dtype, size=2, backend=backend)
            with pytest.raises(NoFixpoint):
                lg.closure(x0, A, min_plus)


EXERCISES = (
    widths, towns, hubs, crowds, slopes, large, many_starts, widest, small_types, worst, strange, wraps, traced,
    doubled, searches, trees, moved,
)  # fmt: skip

MUTANTS = [
    Mutant("closure/ordered/near_far.cuh", "x[j] = has ? foldable<S>(start.at(j)) : S::start();", "if (has) x[j] = start.at(j);", widths),
    Mutant("closure/ordered/near_far.cuh", "                pushed[j] = S::start();\n", "", widths),
    Mutant("closure/ordered/near_far.cuh", "if (lane_id() == 0) bits[word] = entries;", "", widths),
    Mutant("closure/ordered/near_far.cuh", "const bool has = j < n && start.has(j);", "const bool has = j < n;", widths),
    Mutant("closure/ordered/near_far.cuh", "put_far(has, j, has ? start.at(j) : S::start());", "", widths),
    Mutant("closure/ordered/near_far.cuh", "fold_into<S>(block_state->best, z);", ";", doubled),
    Mutant("closure/ordered/near_far.cuh", "mine, j, degree, piece, block_state->near.items", "mine, j, degree, degree, block_state->near.items", hubs),
    Mutant("closure/ordered/near_far.cuh", "return is_start(z) || better(z, peek(x + j));", "return better(z, peek(x + j));", worst),
    Mutant("core/operands.cuh", "only < 0 ? present(bits, j) : j == only;", "present(bits, j);", moved),
    Mutant("core/operands.cuh", "only < 0 ? present(bits, j) : j == only;", "j == only;", many_starts),
    Mutant("core/operands.cuh", "only < 0 ? values[j] : value;", "values[j];", moved),
    Mutant("core/operands.cuh", "only < 0 ? values[j] : value;", "value;", many_starts),
    Mutant("closure/ordered/delta_stepping.cuh", "start.placed()", "start", moved),
    Mutant("closure/ordered/near_far.cuh", "*static_cast<volatile Word*>(block_state->from.bits + (k >> 5)) = 0;  // read for good", "", moved),
    Mutant("vector/scatter.cuh", "bits[position >> 5] |= 1u << (position & 31);", "bits[position >> 5] = 1u << (position & 31);", moved),
    Mutant("closure/ordered/value_order.cuh", "!(S::add(than, z) == than);", "S::add(than, z) == than;", widths),
    Mutant("closure/ordered/value_order.cuh", "if (follows(tail, z)) return true;", "return true;", strange),
    Mutant("closure/ordered/value_order.cuh", "(is_floating<Z> || as_good(tail, z))", "true", wraps),
    Mutant("closure/ordered/value_order.cuh", "        report_unordered();\n        return false;", "        return false;", wraps),
    Mutant("spmv/warp_expand.cuh", "if (!rule.admits(value, candidate[i])) to[i] = -1;", "", wraps),
    Mutant("closure/ordered/near_far.cuh", "if (is_start(z)) improves = claim(bits, j);", "if (is_start(z)) improves = false;", worst),
    Mutant("closure/ordered/near_far.cuh", "else if (is_start(old)) mark(bits, j);", "", widths),
    Mutant("closure/ordered/near_far.cuh", "improves = better(z, old);", "improves = is_start(old);", widths),
    Mutant("closure/ordered/near_far.cuh", "improves && degree > leaf_degree;", "improves && degree > leaf_degree + 1;", towns),
    Mutant("closure/ordered/near_far.cuh", "put_far(improves && !close, j, z);", "", widths),
    Mutant("closure/ordered/near_far.cuh", "        put_near(close, j, degree);\n", "", widths),
    Mutant("closure/ordered/near_far.cuh", "atomicAdd(&block_state->walked, Count(degree));", ";", traced),
    Mutant("closure/ordered/near_far.cuh", "*static_cast<volatile Word*>(block_state->from.bits + (k >> 5)) = 0;", "", widths),
    Mutant("closure/ordered/near_far.cuh", "keep = is_far && !nan(z) && !is_near(z);", "keep = false;", doubled),
    Mutant("closure/ordered/near_far.cuh", "split = is_far && !nan(z) && !keep && all > piece;", "split = false;", hubs),
    Mutant("closure/ordered/near_far.cuh", "            if (nan(z)) {\n                report_unordered();", "            if (nan(z)) {\n", strange),
    Mutant("closure/ordered/near_far.cuh", "first += static_cast<Offset>(piece_of(item)) * piece;", "", hubs),
    Mutant("closure/ordered/near_far.cuh", "rest < piece ? rest : piece)", "rest < piece ? rest : piece - 1)", hubs),
    Mutant("closure/ordered/near_far.cuh", "(is_start(z) || !(peek(pushed + k) == z))", "(!(peek(pushed + k) == z))", worst),
    Mutant("closure/ordered/near_far.cuh", "            put_far(keep, k, z);\n", "", widths),
    Mutant("closure/ordered/near_far.cuh", "            put_near(split, k, all);\n", "", hubs),
    Mutant("closure/ordered/near_far.cuh", "const Count at = numbers.own();", "const Count at = numbers.first + lane_id();", many_starts),
    Mutant("closure/ordered/near_far.cuh", "        block_state->nearby.flush(block_state->near.items, block_state->near.count);\n", "", hubs),
    Mutant("closure/ordered/near_far.cuh", "        block_state->farther.flush(block_state->far.items, block_state->far.count);\n", "", widths),
    Mutant("closure/ordered/near_far.cuh", "if (!is_start(block_state->best[0])) fold_into<S>(far_best, block_state->best[0]);", "", doubled),
    Mutant("closure/ordered/near_far.cuh", "        block_state->walked = 0;\n", "", traced),
    Mutant("closure/ordered/near_far.cuh", "        block_state->best[0] = S::start();\n", "", widths),
    Mutant("closure/ordered/value_order.cuh", "as_good(z, moved) ? moved : z;", "moved;", large),
    Mutant("closure/ordered/delta_stepping.cuh", "        block_state.nearby.count = block_state.farther.count = 0;\n", "", widths),
    Mutant("closure/ordered/delta_stepping.cuh", "        for (Z& each : block_state.best) each = S::start();\n", "", widths),
    Mutant("closure/ordered/delta_stepping.cuh", "    closure.append(epochs.best(0), nullptr);\n    grid.wait();\n", "    closure.append(epochs.best(0), nullptr);\n", many_starts),
    Mutant("closure/ordered/delta_stepping.cuh", "width += width;", ";", doubled),
    Mutant("closure/ordered/delta_stepping.cuh", "            block_state.is_far = is_far;\n", "            block_state.is_far = true;\n", hubs),
    Mutant("closure/ordered/delta_stepping.cuh", "peek(epochs.best(distance)), width);", "peek(epochs.best(distance + 1)), width);", doubled),
    Mutant("closure/ordered/delta_stepping.cuh", "block_state.has_log = line != nullptr;", "block_state.has_log = false;", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "block_state.from = is_far ? epochs.far(distance) : epochs.near(epoch);", "block_state.from = epochs.near(epoch);", widths),
    Mutant("closure/ordered/delta_stepping.cuh", "block_state.near = epochs.near(epoch + 1);", "", widths),
    Mutant("closure/ordered/delta_stepping.cuh", "block_state.far = epochs.far(distance + is_far);", "block_state.far = epochs.far(distance);", widths),
    Mutant("closure/ordered/value_order.cuh", "        *near(epoch + 2).count = 0;\n", "", towns),
    Mutant("closure/ordered/value_order.cuh", "        *far(distance + 2).count = 0;\n", "", widths),
    Mutant("closure/ordered/value_order.cuh", "        *best(distance + 2) = start;\n", "", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "                line[0] = all;\n", "", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "                line[2] = clock64();\n", "", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "if (leads_all && log.wanted()) log.lines[0] = clock64();", "", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "log.lines[1] = log.lines[2] = clock64();", "log.lines[2] = clock64();", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "log.lines[1] = log.lines[2] = clock64();", "log.lines[1] = clock64();", traced),
    Mutant("core/operands.cuh", "lines + columns * (round + 1);", "lines + columns * round;", traced),
    Mutant("closure/ordered/delta_stepping.cuh", "        distance += is_far;\n", "", widths),
    Mutant("closure/ordered/delta_stepping.cuh", "        grid.wait();\n    }\n    if (leads_all)", "    }\n    if (leads_all)", towns),
    Mutant("closure/ordered/delta_stepping.cuh", "if (leads_all) epochs.counts[epochs.DONE] = epoch;", "", traced),
    Mutant("closure/ordered/value_order.cuh", "queue(g % 2, g % 3)", "queue(g % 2, g % 2)", towns),
    Mutant("closure/ordered/value_order.cuh", "queue(2 + g % 2, 3 + g % 3)", "queue(2 + g % 2, 3 + g % 2)", widths),
    Mutant("closure/ordered/value_order.cuh", "{items + at * room, bits", "{items + at % 2 * room, bits", towns),
    Mutant("closure/ordered/delta_stepping.cuh", "closure{{{}, epochs.counts + epochs.UNORDERED}", "closure{{{}, epochs.counts + epochs.DONE}", strange),
    Mutant("spmv/pull.cuh", "S::joins(u, tails[i], values, (e + i) * stride, j)", "true", trees),
    Mutant("spmv/pull.cuh", "S::joins(u, tails[i], values, (e + i) * stride, j)", "S::joins(u, tails[i], values, e + i, j)", trees),
    Mutant("vector/scatter.cuh", "given_bits == nullptr ? inside(word, n) : given_bits[word];", "given_bits == nullptr ? ALL_LANES : given_bits[word];", searches),
    Mutant("vector/scatter.cuh", "if (here >> lane_id() & 1u) values[j] = given[j];", "", searches),
    Mutant("vector/scatter.cuh", "const Word now = bits[word] | here;", "const Word now = bits[word];", searches),
    Mutant("vector/scatter.cuh", "        bits[word] = now;\n", "", searches),
    Mutant("vector/scatter.cuh", "if (wanted != nullptr && wanted[word] & ~now)", "if (false)", trees),
    Mutant("vector/scatter.cuh", "wanted[word] & ~now)", "wanted[word])", trees),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
