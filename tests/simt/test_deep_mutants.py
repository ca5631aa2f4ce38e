# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures on deep graphs, and the packing of its rows, broken on purpose.

The exercises are those of the other kernel of closures by order of value, which run on both, and
some of what only trails have: a queue that is full, steps that run out, rows of every length.
"""

from __future__ import annotations

import itertools

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.schedule import Schedule
from semirings import max_plus, min_plus, types
from tests.simt.mutants import Mutant, suite
from tests.simt.test_ordered_mutants import (
    INF,
    PLACES,
    SHARED,
    Edges,
    crowds,
    doubled,
    fixpoint,
    holds,
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

TRAILS = tuple(place for place in PLACES if place[0] != SHARED)


def star(rays: int, seed: int) -> Edges:
    """The last vertex has ``rays`` out-edges, which meet again in vertex 0, and come back."""
    tips, hub, rng = np.arange(1, rays + 1), rays + 1, np.random.default_rng(seed)
    i = np.concatenate([np.full(rays, hub), tips, [0]])
    j = np.concatenate([tips, np.zeros(rays, int), [hub]])
    return i, j, rng.integers(1, 9, i.size).astype(float)


def lengths() -> None:
    """Rows of each length about 4, 8 and 32: packed, or read where they stand."""
    for (longest, steps), rays in itertools.product(TRAILS, (1, 3, 4, 5, 7, 8, 9, 31, 33, 63)):
        for ring, dtype in ((min_plus, "FP32"), (min_plus, "INT64"), (max_plus, "INT8")):
            i, j, w = star(rays, rays)
            edges = i, j, w if ring is min_plus else -w
            for source in (rays + 1, 1):
                holds(placed(rays, longest, steps), rays + 2, edges, {source: 0}, ring, dtype, 6)


def beside() -> None:
    """Two long rows wait in one queue."""
    rays = 12
    tips = 3 + np.arange(2 * rays)
    i = np.concatenate([[0, 0], np.repeat([1, 2], rays)])
    j = np.concatenate([[1, 2], tips])
    for longest, steps in TRAILS:
        holds(
            placed(1, longest, steps),
            3 + 2 * rays,
            (i, j, np.ones(i.size)),
            {0: 0},
            min_plus,
            "FP32",
            INF,
        )


def branches() -> None:
    """A tree outgrows the queue of a warp. Each edge is walked once, however that goes."""
    n = 1093
    child = np.arange(1, n)
    edges = (child - 1) // 3, child, np.ones(n - 1)
    for longest, steps in TRAILS:
        backend = placed(steps, longest, steps)
        backend.device.max_blocks = 1
        A = lg.Matrix.from_coo(*edges, "INT32", nrows=n, ncols=n, backend=backend)
        for sources, walked in (([0], n - 1), (range(40, 121), n - 1 - 120)):
            x0 = lg.Vector.from_coo(
                [*sources], [0] * len(sources), "INT32", size=n, backend=backend
            )
            with lg.trace() as seen:
                x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=INF))
            assert sum(step.edges for step in seen) == walked
            assert (len(seen) > 6) == (steps < 64)
            has, right = fixpoint(n, edges, dict.fromkeys(sources, 0.0), "min_plus")
            assert x.to_dense(-1).tolist() == np.where(has, right, -1).tolist()


def equal() -> None:
    """Every edge has the one value that the matrix keeps."""
    for (longest, steps), rays in itertools.product(TRAILS, (3, 9)):
        i, j, _ = star(rays, 1)
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
    for longest, steps in TRAILS:
        backend = placed(steps, longest, steps)
        backend.device.max_blocks = 1
        edges = i, j, np.ones(i.size)
        for width in (3, INF):
            holds(backend, side * side, edges, {0: 0}, min_plus, "INT32", width, directed=False)


def corrected() -> None:
    """Ways of many light edges beat heavy ones that were relaxed before, whatever was queued."""
    n, rng = 60, np.random.default_rng(4)
    line = np.arange(n - 1)
    i = np.concatenate([line, np.zeros(n - 2, int)])
    j = np.concatenate([line + 1, np.arange(2, n)])
    w = np.concatenate([np.ones(n - 1), 50.0 + rng.integers(0, 60, n - 2)])
    for (longest, steps), width in itertools.product(TRAILS, (1, 30, INF)):
        for dtype in ("FP32", "UINT8"):
            backend = placed(3, longest, steps)
            holds(backend, n, (i, j, w), {0: 0}, min_plus, dtype, width, directed=False)
            holds(backend, n, (i, j, w), {30: 0}, min_plus, dtype, width)


def again() -> None:
    """A vertex that is far, and gets better many times in one epoch, is listed once."""
    many = 96
    i, j, w = np.arange(many), np.full(many, many), 5000.0 - 10 * np.arange(many)
    backend = placed(1)
    backend.device.max_blocks = 1
    A = lg.Matrix.from_coo(i, j, w, nrows=many + 1, ncols=many + 1, backend=backend)
    x0 = lg.Vector.from_coo(i, np.zeros(many), size=many + 1, backend=backend)
    with lg.trace() as seen:
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=1))
    assert x[many].get() == w.min() and [step.frontier for step in seen] == [many, 1]


def kept() -> None:
    """Rows are packed once for each kind, by the values that are read."""
    backend = placed(1)
    i, j, w = star(4, 1)
    A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=6, ncols=6, backend=backend)
    x0 = lg.Vector.from_coo([0], np.float32([0]), size=6, backend=backend)
    for _ in range(2):
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
        lg.bfs(lg.Graph._checked(A, True), 0, schedule=Schedule(order="delta"))
    assert sorted(A._store.packed) == ["Bare<4>", "Valued<4, float>"]
    assert types.FP32.itemsize == 4


EXERCISES = (
    widths, towns, crowds, large, many_starts, widest, worst, strange, wraps, traced, doubled, searches,
    lengths, beside, branches, equal, waves, corrected, again, kept, moved,
)  # fmt: skip

MUTANTS = [
    Mutant("packed.cuh", "const bool has = length <= N && slot < length;", "const bool has = length <= N && slot + 1 < length;", lengths),
    Mutant("packed.cuh", "indices[first + slot] : NOWHERE;", "indices[first + slot] : 0;", widths),
    Mutant("packed.cuh", "values[(first + slot) * stride]", "values[first]", lengths),
    Mutant("packed.cuh", "row.to[1] = static_cast<Index>(length);", "row.to[1] = static_cast<Index>(length) - 1;", lengths),
    Mutant("packed.cuh", "row.to[2] = static_cast<Index>(static_cast<long long>(first) & 0xffffffff);", "row.to[2] = 0;", lengths),
    Mutant("packed.cuh", "row.to[3] = static_cast<Index>(static_cast<long long>(first) >> 32);", "row.to[3] = 1;", lengths),
    Mutant("packed.cuh", "const A* all) const { return all; }", "const A* all) const { return all + 1; }", equal),
    Mutant("packed.cuh", "return values + slot; }", "return values; }", lengths),
    Mutant("camp.cuh", "if (mine && at < ASIDE) vertices[at] = distant ? ~j : j;", "if (mine) vertices[at] = distant ? ~j : j;", crowds),
    Mutant("camp.cuh", "vertices[at] = distant ? ~j : j;", "vertices[at] = j;", traced),
    Mutant("camp.cuh", "if (mine && at >= ASIDE && enter(piles[distant].bits, j))", "if (false)", crowds),
    Mutant("camp.cuh", "const bool mine = at < all && enter(piles[distant].bits, j);", "const bool mine = at < all;", again),
    Mutant("camp.cuh", "for (unsigned base = 0; base < all; base += blockDim.x) {", "for (unsigned base = 0; base < 1; base += blockDim.x) {", crowds),
    Mutant("camp.cuh", "                kept[threadIdx.x] = 0;\n", "", crowds),
    Mutant("camp.cuh", "piles[distant].items[begin[distant] + place] = j;", "piles[distant].items[place] = j;", many_starts),
    Mutant("camp.cuh", "        if (threadIdx.x == 0) count = 0;\n    }\n};", "    }\n};", widths),
    Mutant("trail.cuh", "const bool has = j < n && start.has(j);", "const bool has = j < n;", widths),
    Mutant("deep.cuh", "to == nullptr ? only : to[only]", "only", moved),
    Mutant("trail.cuh", "if (j < n) x[j] = foldable<S>(z);", "if (has) x[j] = foldable<S>(z);", widths),
    Mutant("trail.cuh", "if (j < n) x[j] = foldable<S>(z);", "if (j < n) x[j] = z;", strange),
    Mutant("trail.cuh", "if (has && nan(z)) complain();", "", strange),
    Mutant("trail.cuh", "set_aside(has && !nan(z), true, j, z);", "set_aside(has, true, j, z);", strange),
    Mutant("trail.cuh", "has && z == S::start());", "false);", worst),
    Mutant("trail.cuh", "j < n && !is_start(peek_value(x + j)));", "j < n);", widths),
    Mutant("trail.cuh", "peek(bits + word) | entries;", "entries;", worst),
    Mutant("trail.cuh", "if (mine && distant && better(z, peek_value(camp->best))) fold_into<S>(camp->best, z);", "", traced),
    Mutant("trail.cuh", "const bool fits = close && at - head < QUEUE;", "const bool fits = close;", crowds),
    Mutant("trail.cuh", "        if (fits) enqueue(at, j, z, row);\n", "", widths),
    Mutant("trail.cuh", "longer = longer || __any_sync(ALL_LANES, close && is_long(row));", "", lengths),
    Mutant("trail.cuh", "if (tail - head > QUEUE) tail = head + QUEUE;", "", branches),
    Mutant("trail.cuh", "set_aside(mine && !fits, !close, j, z);", ";", widths),
    Mutant("trail.cuh", "= 0;  // read for good", "= ALL_LANES;", widths),
    Mutant("trail.cuh", "live = !(skips && as_good(z, last_bound));", "live = !skips;", widths),
    Mutant("order.cuh", "        complain();\n        return false;", "        return false;", wraps),
    Mutant("order.cuh", "(is_floating<Z> || as_good(tail, z))", "true", wraps),
    Mutant("trail.cuh", "        live = live && this->admits(z, offered);\n", "", wraps),
    Mutant("trail.cuh", "if (live) old = fold_into<S>(x + j, offered);", "if (live) { old = x[j]; x[j] = offered; }", widths),
    Mutant("trail.cuh", "bool improves = live && better(offered, old);", "bool improves = live && is_start(old);", corrected),
    Mutant("trail.cuh", "const bool plain = live && offered == S::start();", "const bool plain = false;", worst),
    Mutant("trail.cuh", "plain || (improves && (!close || is_long(row))));", "plain || (improves && !close));", lengths),
    Mutant("trail.cuh", "plain || (improves && (!close || is_long(row))));", "plain || (improves && is_long(row)));", widths),
    Mutant("trail.cuh", "odd == 0 && after - head <= QUEUE", "odd == 0", branches),
    Mutant("trail.cuh", "            tail = after;\n", "", widths),
    Mutant("trail.cuh", "if (plain) improves = claim(bits, j);", "if (plain) improves = false;", worst),
    Mutant("trail.cuh", "        if (longer) return step_aside();\n", "", lengths),
    Mutant("trail.cuh", "head += waiting < ABREAST ? waiting : ABREAST;", "head += waiting;", waves),
    Mutant("trail.cuh", "        ++head;\n        if (head == tail) longer = false;", "        ++head;\n        longer = false;", beside),
    Mutant("trail.cuh", "for (Index base = 0; base < length; base += 32) {", "for (Index base = 0; base < 32; base += 32) {", lengths),
    Mutant("trail.cuh", "value = values[e * stride];", "value = values[e];", equal),
    Mutant("trail.cuh", "items * (warp_id() + 1) / warp_count());", "items * (warp_id() + 1) / warp_count() - 1);", many_starts),
    Mutant("trail.cuh", "                at += 32;\n", "                at += 31;\n", branches),
    Mutant("trail.cuh", "                --steps;\n", "", branches),
    Mutant("trail.cuh", "set_aside(left, false, left", "set_aside(left, true, left", traced),
    Mutant("trail.cuh", "head += tail - head < 32 ? tail - head : 32;", "head = tail;", branches),
    Mutant("trail.cuh", "if (walked > 0) atomicAdd(&camp->walked, Count(walked));", "", traced),
    Mutant("order.cuh", "as_good(z, moved) ? moved : z;", "moved;", large),
    Mutant("deep.cuh", "camp.aside.count = camp.aside.kept[0] = camp.aside.kept[1] = 0;", "camp.aside.count = 0;", widths),
    Mutant("deep.cuh", "        for (Z& each : camp.best) each = S::start();\n", "", widths),
    Mutant("deep.cuh", "        camp.lists[1] = epochs.far(0);\n", "", widths),
    Mutant("deep.cuh", "        camp.aside.list(camp.lists);\n", "", widths),
    Mutant("deep.cuh", "        camp.walked = 0;\n        if (!T", "        if (!T", traced),
    Mutant("deep.cuh", "if (!T::is_start(camp.best[0])) fold_into<S>(far_best, camp.best[0]);", "", traced),
    Mutant("deep.cuh", "        camp.best[0] = S::start();\n", "", traced),
    Mutant("deep.cuh", "    gather(epochs.best(0), nullptr);\n    grid.wait();\n", "    gather(epochs.best(0), nullptr);\n", many_starts),
    Mutant("deep.cuh", "const bool skips = is_far && distance > 0;", "const bool skips = is_far;", worst),
    Mutant("deep.cuh", "const Pile from = is_far ? epochs.far(distance) : epochs.near(epoch);", "const Pile from = epochs.far(distance);", waves),
    Mutant("deep.cuh", "                line[0] = all;\n", "", traced),
    Mutant("deep.cuh", "                line[2] = clock64();\n", "", traced),
    Mutant("order.cuh", "        *near(epoch + 2).count = 0;\n", "", waves),
    Mutant("deep.cuh", "epochs.empty(epoch, distance, is_far, S::start());", "epochs.empty(epoch, distance, false, S::start());", traced),
    Mutant("deep.cuh", "        distance += is_far;\n", "", widths),
    Mutant("deep.cuh", "            camp.lists[0] = epochs.near(epoch + 1);\n", "", waves),
    Mutant("deep.cuh", "            camp.lists[1] = epochs.far(distance);\n", "", widths),
    Mutant("deep.cuh", "        grid.wait();\n    }\n", "    }\n", towns),
    Mutant("deep.cuh", "    trail.end();\n", "", widths),
    Mutant("deep.cuh", "if (leads_all) counts[7] = epoch;", "", traced),
    Mutant("deep.cuh", "log[1] = clock64();", ";", traced),
    Mutant("deep.cuh", "log[2] = clock64();\n}", ";\n}", traced),
    Mutant("order.cuh", "pile(2 + g % 2, 3 + g % 3)", "pile(2 + g % 2, 3 + g % 2)", widths),
    Mutant("deep.cuh", "T trail{{{}, counts + 6}", "T trail{{{}, counts + 7}", strange),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
