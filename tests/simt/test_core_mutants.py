# ruff: noqa: E501  (mutants of one line)
"""The kernel that settles the core of a graph first, broken on purpose.

The exercises hold it against Bellman's and Ford's method in NumPy, with rows as they are and sorted
by weight, over shares of the edges after which the rest pulls, and lengths of pieces.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.by_weight import sort_rows
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.schedule import Schedule
from semirings import max_min, max_plus, min_max, min_plus
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import HUB, SEEDS, N, gpu
from tests.simt.test_ordered_mutants import Edges, grid, holds, random_edges, with_hub

INF = float("inf")
BOTH = (False, True)


def placed(
    seed: int, sort: bool, share: float = 0.3, pulls: int = 3, piece: int = 128, hub: int = 12,
    long: int = 1024, expect: bool = True,
) -> GpuBackend:  # fmt: skip
    """A backend whose closures by order settle the core first, over sorted rows or as they are; it
    is seen to that they do not fall back on rounds unless that is expected."""
    backend = gpu(seed)
    core = backend.core
    core.wide, core.share, core.pulls, core.piece = -1, share, pulls, piece
    core.hub, core.long = hub, long
    backend.traversals.longest = -1  # no graph is a deep one
    inner = core.closure

    def closure(
        x0: Any, outgoing: DeviceMatrix, incoming: DeviceMatrix, ring: Any, *more: Any
    ) -> Any:
        if sort:
            for A in (outgoing, incoming):
                sort_rows(backend, A, lower.falls(ring.monoid))
        found = inner(x0, outgoing, incoming, ring, *more)
        assert (found is not None) == expect
        return found

    core.closure = closure  # type: ignore[method-assign]
    return backend


def cores() -> None:
    """The core by pushes, the rest by pulls and what they leave by pushes again."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for share, pulls in ((0.02, 1), (0.2, 2), (0.2, 9), (0.6, 3), (2, 1)):
            for width, dtype in ((None, "FP32"), (2, "INT64")):
                backend = placed(seed, sort, share, pulls)
                holds(backend, N, random_edges(seed), {seed: 0}, min_plus, dtype, width)


def hubs() -> None:
    """Hubs in pieces, pushed and pulled; the nearest hub bounds what may come."""
    for seed, sort, piece in itertools.product(SEEDS, BOTH, (1, 7)):
        for share, width in ((0.02, 1), (0.3, None), (0.3, INF)):
            edges = with_hub(seed)
            backend = placed(seed, sort, share, 2, piece, 6, 5)
            holds(backend, N, edges, {20: 0}, min_plus, "INT64", width)
            backend = placed(seed, sort, share, 1, piece, 6, 5)
            once = tuple(a[edges[0] < edges[1]] for a in edges)
            holds(backend, N, once, {HUB: 0}, min_plus, "FP32", width, directed=False)


def towns() -> None:
    """Many steps; a dead end need not be looked at, unless it is where a search starts."""
    for seed, sort in itertools.product(range(2), BOTH):
        for width, share in ((5, 0.1), (40, 0.4), (INF, 0.4)):
            edges = tuple(np.append(a, b) for a, b in zip(grid(9, seed), (80, 81, 2), strict=True))
            backend = placed(seed, sort, share, piece=2)
            holds(backend, 82, edges, {81: 0, 3: 1}, min_plus, "INT32", width, directed=False)


def falling() -> None:
    """The order falls: a maximum."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for dtype in ("FP64", "INT32", "UINT8"):
            backend = placed(seed, sort, 0.1, 2)
            holds(backend, N, random_edges(seed), {seed: 7}, max_min, dtype, 1)
        i, j, w = random_edges(seed, low=0, high=3)
        for dtype in ("FP32", "INT64", "INT8"):
            backend = placed(seed, sort, 0.2)
            holds(backend, N, (i, j, -w), {seed: 0, 9: -1}, max_plus, dtype)


def small_types() -> None:
    """Values of less than a word, of which several share one."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for dtype in ("UINT8", "INT8", "INT16"):
            backend = placed(seed, sort, 0.1)
            holds(backend, N, random_edges(seed, high=7), {seed: 0, 40: 3}, min_plus, dtype, 4)
            holds(placed(seed, sort), N, random_edges(seed), {seed: 2}, min_max, dtype, 1)


def many_starts() -> None:
    """x₀ is full, or has many entries, or none; and n is or is not a multiple of 32."""
    for n, sort in itertools.product((1, 32, 65, 300), BOTH):
        for every in (1, 3):
            x0 = {v: float(50 * v % 37) for v in range(0, n, every)}
            for width in (3, INF):
                holds(placed(n, sort), n, random_edges(n, n), x0, min_plus, "INT32", width)
        apart = np.array([0, 2]), np.array([1, 3]), np.ones(2)
        holds(placed(n, sort), 4, apart, {0: 0, 2: 1000}, min_plus, "INT32", 1)
        i, j, w = random_edges(n, n)
        backend = placed(1, sort)
        A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=n, ncols=n, backend=backend)
        empty = lg.Vector("FP32", n, backend=backend)
        assert lg.closure(empty, A, min_plus, schedule=Schedule(order="delta")).nvals == 0


def worst() -> None:
    """An entry may be just what a fold starts from, or infinite, and is an entry nevertheless."""
    line = np.arange(6)
    for sort, width, share in itertools.product(BOTH, (1, INF), (0.1, 0.6)):
        for dtype, top, ring in (("UINT8", 255, min_plus), ("FP32", INF, min_plus), ("FP64", -INF, max_min)):  # fmt: skip
            flat = (line, line + 1, np.zeros(6) if ring is min_plus else np.full(6, 9.0))
            holds(placed(1, sort, share), 9, flat, {0: top}, ring, dtype, width)
            if dtype != "FP64":
                better = 20 if top == INF else top - 100
                holds(placed(2, sort, share), 9, flat, {0: top, 3: better}, ring, dtype, width)


def strange() -> None:
    """A NaN has no place in an order, nor has a sum that wraps: the rounds must do it. An edge that
    would wrap may be one that nobody looks at."""
    nan, line = float("nan"), np.arange(8)
    for sort, x0 in itertools.product(BOTH, ({0: nan, 4: 1.0}, {0: 5.0, 5: nan})):
        backend = placed(3, sort, expect=False)
        A = lg.Matrix.from_coo(
            line, line + 1, np.append(np.ones(7), 2.0), "FP64", nrows=9, ncols=9, backend=backend
        )
        start = lg.Vector.from_coo(list(x0), list(x0.values()), "FP64", size=9, backend=backend)
        x = lg.closure(start, A, min_plus, schedule=Schedule(order="delta"))
        y = lg.closure(start, A, min_plus, schedule=Schedule(order="rounds"))
        assert str(x.to_dense(-1.0).tolist()) == str(y.to_dense(-1.0).tolist())
    i, j, w = [0, 0, 1, 2, 3, 1], [1, 2, 3, 3, 4, 4], [1, 1, 1, 1, 126, 1]
    for sort, share in itertools.product(BOTH, (0.1, 2)):
        backend = placed(0, sort, share, expect=False)
        A = lg.Matrix.from_coo(i, j, w, "INT8", nrows=5, ncols=5, backend=backend)
        x0 = lg.Vector.from_coo([0], [100], "INT8", size=5, backend=backend)
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
        y = lg.closure(x0, A, min_plus, schedule=Schedule(order="rounds"))
        assert x.to_dense(-1).tolist() == y.to_dense(-1).tolist()


def told_of(backend: GpuBackend, n: int, edges: Edges, source: int, width: float) -> list[Any]:
    i, j, w = edges
    A = lg.Matrix.from_coo(i, j, w, "FP64", nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([source], [0], "FP64", size=n, backend=backend)
    with lg.trace() as seen, lg.explain() as told:
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=width))
    clocks, took = [s.clock for s in seen], [s.cycles for s in told.steps]
    assert clocks == sorted(clocks) and len(set(clocks)) == len(clocks)
    assert min(took) > 0 and 0 < sum(took) < told.choices[0].cycles < clocks[-1] + took[-1]
    return seen


def traced() -> None:
    """What each step is, and how much it looks at: of the edges out of a core only those within the
    bound, if rows are sorted; of the rest each in-edge once, and few again."""
    many = 60
    hub, leaf, ring = np.zeros(many, int), np.arange(1, many + 1), np.arange(1, many + 1) % many + 1
    i, j = np.concatenate([hub, leaf, leaf]), np.concatenate([leaf, hub, ring])
    w = np.concatenate([np.arange(many), np.full(many, 90), np.full(many, 50)]).astype(float)
    for sort, first in ((True, 10), (False, many)):
        steps = told_of(placed(1, sort, 0.3, hub=30), many + 1, (i, j, w), 0, 9)
        kinds = [s.direction for s in steps]
        assert kinds[:2] == ["push", "push"] and kinds.count("pull") == 2 and "push" in kinds[2:]
        assert steps[0].frontier == 1 and steps[0].edges == first
        pulls = [s for s in steps if s.direction == "pull"]
        assert pulls[0].frontier == many - 10 and pulls[0].edges == 2 * (many - 10)
        assert pulls[1].frontier < many - 10
        finishing = steps[kinds.index("pull") - 1]
        assert finishing.frontier == 11 and finishing.edges == 0


def finished() -> None:
    """Who is better than the nearest hub walks what is left, once, before the rest pulls."""
    many = 40
    i = np.concatenate([[0, 0, 2], np.full(many, 1), np.arange(3, many + 3)])
    j = np.concatenate([[1, 2, 0], np.arange(3, many + 3), np.full(many, 2)])
    edges = i, j, np.concatenate([[1, 100, 500], np.full(many, 5), np.full(many, 9)]).astype(float)
    for sort, left in ((True, 1), (False, 2)):
        steps = told_of(placed(1, sort, 0.3, hub=30), many + 3, edges, 0, 1)
        kinds = [s.direction for s in steps]
        finishing = steps[kinds.index("pull") - 1]
        assert finishing.frontier == 2 and finishing.edges == left
        assert kinds == ["push"] * kinds.index("pull") + ["pull"] * kinds.count("pull")
        holds(placed(2, sort, 0.3, hub=30), many + 3, edges, {0: 0}, min_plus, "FP32", 1)


def doubled() -> None:
    """Where little is reached, the width grows."""
    n = 200
    i, j, w = np.zeros(n - 1, int), np.arange(1, n), np.arange(1, n).astype(float)
    edges = np.append(i, j), np.append(j, (j + 1) % n), np.append(w, w + 1000)
    for sort in BOTH:
        assert len(told_of(placed(1, sort, 2), n, edges, 0, 1)) < 40


EXERCISES = (
    cores,
    hubs,
    towns,
    falling,
    small_types,
    many_starts,
    worst,
    strange,
    traced,
    doubled,
    finished,
)

MUTANTS = [
    Mutant("light.cuh", "if (j < n) x[j] = z;", "if (has) x[j] = z;", small_types),
    Mutant("light.cuh", "if (lane_id() == 0) bits[word] = entries;", "", many_starts),
    Mutant("light.cuh", "if (has && nan(z)) this->complain();\n            else if (has)", "if (has && !nan(z))", strange),
    Mutant("light.cuh", "reach(mine.has, j, mine.value, mine.has ? degree_of(j) : 0);", "", many_starts),
    Mutant("light.cuh", "            this->note(desk->beyond, mine);\n", "", many_starts),
    Mutant("light.cuh", "if (mine && sorted) cursors[j] = 0;", "", traced),
    Mutant("light.cuh", "if (mine) atomicAdd(&desk->degrees, Count(degree));", "", traced),
    Mutant("light.cuh", "if (mine && degree >= hub) {", "if (false) {", traced),
    Mutant("light.cuh", "if (is_start(z) || is_start(old)) first = claim(bits, j);", "if (is_start(old)) first = claim(bits, j) && !is_start(z);", worst),
    Mutant("light.cuh", "improves = first || this->better(z, old);", "improves = this->better(z, old);", worst),
    Mutant("light.cuh", "        if (!desk->lists) return;\n", "", finished),
    Mutant("light.cuh", "reach(first && degree > leaf, j, z, degree);", "", falling),
    Mutant("light.cuh", "const bool open = low < degree && near(product(z, row + low));", "const bool open = false;", traced),
    Mutant("light.cuh", "queue(improves && degree > leaf, j);", "queue(improves && degree > leaf + 1, j);", towns),
    Mutant("light.cuh", "whole ? (sorted && again ? cursors[k] : 0)", "whole ? 0", finished),
    Mutant("light.cuh", "live && (desk->lists ? !near(z) : !this->better(z, desk->least));", "live && !near(z);", traced),
    Mutant("light.cuh", "        if (late) beyond.fold(z);\n", "", many_starts),
    Mutant("light.cuh", "            cursors[k] = end;\n", "", finished),
    Mutant("light.cuh", "if (end < degree) beyond.fold(product(z, row + end));", "", falling),
    Mutant("light.cuh", "part = begin / piece + 1;", "part = 1;", hubs),
    Mutant("light.cuh", ": part * piece;", ": (part + 1) * piece;", hubs),
    Mutant("light.cuh", "desk->into.items, desk->into.count, part);", "desk->into.items, desk->into.count);", hubs),
    Mutant("lists.cuh", "pieces.begin - number", "pieces.begin", hubs),
    Mutant("light.cuh", "if (!sorted && use[i] && !near(offered[i])) beyond.fold(offered[i]);", "", falling),
    Mutant("light.cuh", "use[i] = use[i] && near(offered[i]);", "", traced),
    Mutant("light.cuh", "if (use[i] && !is_start(offered[i]))", "if (use[i])", worst),
    Mutant("light.cuh", "if (at < items && !again) *static_cast<volatile Word*>(desk->from.bits + (k >> 5)) = 0;", "", falling),
    Mutant("order.cuh", "        complain();\n        return false;", "        return false;", strange),
    Mutant("order.cuh", "if (!nan(z) && (is_floating<Z> || as_good(tail, z))) return true;", "return true;", strange),
    Mutant("noted.cuh", "        atomicAdd(to.count, Count(1));\n", "", falling),
    Mutant("looks.cuh", "return has && this->as_good(z, bound);", "return this->as_good(z, bound);", worst),
    Mutant("looks.cuh", "return !own.has || Values<S>::better", "return Values<S>::better", worst),
    Mutant("looks.cuh", "        if (!has) return found;\n", "", falling),
    Mutant("looks.cuh", "over = over || !ask[i];", "over = over || ask[i];", falling),
    Mutant("looks.cuh", "if (!settled) row.hope.fold(product(bound, edges[i]));", "", cores),
    Mutant("looks.cuh", "if (!settled) put(shared.hope + row, &shared.hopes, row, product(bound, edges[i]));", "", cores),
    Mutant("looks.cuh", "if (offer.has) row.best.fold(offer.value);", "", falling),
    Mutant("looks.cuh", "if (offer.has) put(shared.best + row, &shared.has, row, offer.value);", "", falling),
    Mutant("looks.cuh", "if (!(peek(which) >> row & 1u)) atomicOr(which, 1u << row);", "", falling),
    Mutant("looks.cuh", "        shared.best[lane_id()] = mine.best.value;\n", "", falling),
    Mutant("looks.cuh", "        shared.hope[lane_id()] = S::start();\n", "", cores),
    Mutant("remainder.cuh", "        *static_cast<volatile Z*>(x + j) = now.value;\n", "", falling),
    Mutant("remainder.cuh", "if (length <= longest && !final(own.has, own.value))", "if (length <= longest)", traced),
    Mutant("remainder.cuh", "        mark_each(bits, news && !own.has, j);\n", "", falling),
    Mutant("remainder.cuh", "        if (news) best.fold(now.best.value);\n", "", cores),
    Mutant("remainder.cuh", "        long_rows(best);\n", "", hubs),
    Mutant("remainder.cuh", "mine && over && now.hope.has && improves(now.hope.value, now.best), j);", "false, j);", cores),
    Mutant("remainder.cuh", "        if (news) best.fold(now.best.value);\n        if (board->lists) on.queue(news && on.degree_of(j) > on.leaf, j);", "        if (news) best.fold(now.best.value);", cores),
    Mutant("remainder.cuh", "count += __popc(which);", "++count;", cores),
    Mutant("looks.cuh", "if (shared.hopes >> lane_id() & 1u) mine.hope.fold(shared.hope[lane_id()]);", "", cores),
    Mutant("remainder.cuh", "const Offset end = last - first > longest ? first + longest : last;", "const Offset end = first + longest;", hubs),
    Mutant("remainder.cuh", "const bool fresh = (is_start(old) || is_start(found.value)) && claim(bits, j);", "const bool fresh = false;", hubs),
    Mutant("core_first.cuh", "            push.tell(desk.beyond, best(course.bucket % 2));\n", "", falling),
    Mutant("core_first.cuh", "            push.tell(desk.hub, best(HUB_BEST));\n", "", traced),
    Mutant("remainder.cuh", "    Values<S>::tell(board.changed, best_of(bests, counts, CHANGE + round % 3));\n", "", cores),
    Mutant("core_first.cuh", "        desk.reached.flush(desk.all.items, desk.all.count);\n", "", falling),
    Mutant("core_first.cuh", "            grid.wait();\n            if (leads_all) best((course", "            if (leads_all) best((course", cores),
    Mutant("core_first.cuh", "c.width += c.width;", ";", doubled),
    Mutant("remainder.cuh", "board.lists = round == pulls;", "board.lists = round > pulls;", cores),
    Mutant("core_first.cuh", "if (blockIdx.x == 0) *queues.of(c.step + 2).count = 0;", "", cores),
    Mutant("core_first.cuh", "desk.heard = c.line != nullptr;", "desk.heard = false;", traced),
    Mutant("remainder.cuh", "            line[0] = 1;\n", "", traced),
    Mutant("core_first.cuh", "                c.line[1] = c.items;\n", "", traced),
    Mutant("core_first.cuh", "                c.line[3] = clock64();\n", "", traced),
    Mutant("core_first.cuh", "log + 4 * (c.step + 1);", "log + 4 * c.step;", traced),
    Mutant("core_first.cuh", "log[1] = log[2] = clock64();", "log[2] = clock64();", traced),
    Mutant("core_first.cuh", "if (leads_all && log != nullptr && !finishes) log[0] = clock64();", "", traced),
    Mutant("core_first.cuh", "if (leads_all && (!finishes || rest > 0)) counts[STEPS] = course.step - 1;", "", traced),
    Mutant("core_first.cuh", "push.admits(x[j], S::step(x[j], 0, &heaviest, 0, 0));", ";", strange),
    Mutant("core_first.cuh", "        desk.reached.count = 0;\n", "", falling),
    Mutant("noted.cuh", "bits + g % 2 * words, counts + g % 3", "bits + g % 2 * words, counts + g % 2", cores),
    Mutant("remainder.cuh", "            line[3] = clock64();\n", "", traced),
    Mutant("remainder.cuh", "        counts[PULLS] = round;\n", "", traced),
    Mutant("remainder.cuh", "    board.queued.flush(board.into.items, board.into.count);\n", "", cores),
    Mutant("remainder.cuh", "    board.count_into(line);\n", "", traced),
    Mutant("remainder.cuh", "best_of(bests, counts, LEAST).read() : before.read();", "best_of(bests, counts, BOUND).read() : before.read();", hubs),
    Mutant("remainder.cuh", "!mine || j == (word << 5 | lane_id())", "true", cores),
    Mutant("remainder.cuh", "        begun += __popc(some);\n", "", falling),
    Mutant("remainder.cuh", "            waiting.hope[at] = now.hope.value;\n", "", cores),
    Mutant("remainder.cuh", "hope = {waiting.hope[at_list], waiting.hopes[at_list]};", ";", cores),
    Mutant("looks.cuh", "return done >= degree || !improves", "return done < degree || !improves", falling),
    Mutant("core_first.cuh", "        counts[REST] = course.step - 1;\n", "", cores),
    Mutant("core_first.cuh", "        *best(BOUND).value = course.bound;\n", "", cores),
    Mutant("core_first.cuh", "        *best(LEAST).value = desk.least;\n", "", cores),
    Mutant("core_first.cuh", "                c.over = !c.queued;\n", "                c.over = true;\n", cores),
    Mutant("light.cuh", "        make_offers(waiting, 1);\n", "", falling),
    Mutant("light.cuh", "many ? present(start_bits, j) : j == only", "many && present(start_bits, j)", cores),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
