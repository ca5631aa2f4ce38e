# ruff: noqa: E501  (mutants of one line)
"""The kernel that settles the core of a graph first, broken on purpose.

The exercises hold it against Bellman's and Ford's method in NumPy, with rows as they are and sorted
by weight, over shares of the edges after which the rest pulls, and lengths of pieces.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_up_to
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device import lower
from lagraph_gpu.gpu.matrix.weight_order import lightest, lightest_first, sort_rows
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.schedule import Schedule
from semirings import max_min, max_plus, min_max, min_plus
from tests.graphs import HUB, N, WeightedEdges, edges_with_hub, random_grid, random_weighted
from tests.simt.build import well
from tests.simt.exercises import INF, SEEDS, closure_holds, fixpoint, gpu
from tests.simt.mutants import Mutant, suite
from tests.simt.source import edited

BOTH = (False, True)
TYPES = {"FP32": np.float32, "UINT32": np.uint32}


def placed(
    seed: int, sort: bool, share: float = 0.3, pulls: int = 3, piece: int = 128, hub: int = 12,
    long: int = 1024, expect: bool = True,
) -> GpuBackend:  # fmt: skip
    """A backend whose closures by order settle the core first, over sorted rows or as they are; it
    is seen to that they do not fall back on rounds unless that is expected."""
    backend = gpu(seed)
    core = backend.hub_first
    core.wide, core.share, core.within, core.pulls, core.piece = -1, share, share, pulls, piece
    core.sorted_piece, core.hub, core.long = piece, hub, long
    backend.closures.order_choice.longest = -1  # no graph is a deep one
    inner = core.closure

    def closure(
        x0: Any,
        outgoing: DeviceMatrix,
        incoming: DeviceMatrix,
        ring: Any,
        *more: Any,
        **shares: Any,
    ) -> Any:
        if sort:
            for A in (outgoing, incoming):
                sort_rows(backend, A, lower.falls(ring.monoid))
        found = inner(x0, outgoing, incoming, ring, *more, **shares)
        assert found is not None
        x, orderly = found.x, found.orderly

        def counted() -> bool:
            assert orderly() == expect
            count, x.count = x.count, None
            assert not expect or backend.products.count(x) == count
            return expect

        return found._replace(orderly=counted)

    core.closure = closure  # type: ignore[method-assign]
    return backend


def apart() -> None:
    """The best entry of each row and the next best weight; of rows without, with one, and with many."""
    for seed, dtype, falling in itertools.product(range(2), ("FP32", "UINT8", "INT64"), BOTH):
        i, j, w = edges_with_hub(seed)
        backend = gpu(seed)
        A = lg.Matrix.from_coo(i, j, w, dtype, nrows=N + 1, ncols=N + 1, backend=backend)
        rows, size = A._store, A.dtype.itemsize
        names, at = ["weight", "next", "to", "degree"], max(4, 2 * size)
        edge = np.dtype({"names": names, "formats": [A.dtype, A.dtype, "i4", "i4"],
                         "offsets": [0, size, at, at + 4],
                         "itemsize": 24 if size > 4 else 16})  # fmt: skip
        for sort in BOTH:
            if sort:
                sort_rows(backend, rows, falling)
            found = backend.device.download(
                lightest(backend, rows, falling, lightest_first(rows, falling))
            ).view(edge)
            for row in range(N + 1):
                mine = sorted(w[i == row].astype(A.dtype).tolist(), reverse=falling)
                best = found[row]
                assert best["degree"] == len(mine)
                assert not mine or best["weight"] == mine[0]
                assert not mine or w[(i == row) & (j == best["to"])] == mine[0]
                assert len(mine) < 2 or best["next"] == mine[1]


def cores() -> None:
    """The core by pushes, the other vertices by pulls, and the last changes by pushes again."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for share, pulls in ((0.02, 1), (0.2, 2), (0.2, 9), (0.6, 3), (2, 1)):
            for width, dtype in ((None, "FP32"), (2, "INT64")):
                backend = placed(seed, sort, share, pulls)
                closure_holds(
                    backend, N, random_weighted(N, seed, 4), {seed: 0}, min_plus, dtype, width
                )


def hubs() -> None:
    """Hubs in pieces, pushed and pulled; the nearest hub bounds the values to come."""
    for seed, sort, piece in itertools.product(SEEDS, BOTH, (1, 7)):
        for share, width in ((0.02, 1), (0.3, None), (0.3, INF)):
            edges = edges_with_hub(seed)
            backend = placed(seed, sort, share, 2, piece, 6, 5)
            closure_holds(backend, N, edges, {20: 0}, min_plus, "INT64", width)
            backend = placed(seed, sort, share, 1, piece, 6, 5)
            once = tuple(a[edges[0] < edges[1]] for a in edges)
            closure_holds(backend, N, once, {HUB: 0}, min_plus, "FP32", width, directed=False)


def towns() -> None:
    """Many steps; a dead end need not be looked at, unless it is where a search starts."""
    for seed, sort in itertools.product(range(2), BOTH):
        for width, share in ((5, 0.1), (40, 0.4), (INF, 0.4)):
            edges = tuple(
                np.append(a, b) for a, b in zip(random_grid(9, seed), (80, 81, 2), strict=True)
            )
            backend = placed(seed, sort, share, piece=2)
            closure_holds(
                backend, 82, edges, {81: 0, 3: 1}, min_plus, "INT32", width, directed=False
            )


def crowded() -> None:
    """More is reached in a step, and queued for the next, than a block sets aside."""
    n = 3000
    leaves = np.arange(1, n)
    i, j = np.append(0 * leaves, leaves), np.append(leaves, leaves % (n - 1) + 1)
    w = np.append(leaves % 7 + 1, leaves % 3).astype(float)
    x0 = {0: 0} | dict.fromkeys(range(3, n, 3), 1000)
    for sort in BOTH:
        backend = placed(1, sort, 2, hub=n)
        backend.resident_blocks = lambda *_: 1  # type: ignore[method-assign]
        closure_holds(backend, n, (i, j, w), x0, min_plus, "INT32", INF)


def lonely() -> None:
    """The remaining vertices are reached over one edge beyond the bound, whose tail was reached just
    now, or has walked its other edges."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for edges in (((0, 1, 1), (1, 2, 50), (2, 3, 1)), ((0, 1, 1), (0, 2, 50), (2, 3, 60))):
            i, j, w = np.array(edges).T
            closure_holds(
                placed(seed, sort, 2), 4, (i, j, w.astype(float)), {0: 0}, min_plus, "INT32", 2
            )


def late() -> None:
    """The lightest edge comes from a vertex that is final, the best path along another edge, and takes
    rounds to arrive; by a vertex of a long row, to a long row and to a short one."""
    many, chain = 80, 9
    leaves, steps = np.arange(1, many + 1), np.arange(many + chain, many, -1)
    end, dear, long, short = many + 1, many + chain + 1, many + chain + 2, many + chain + 3
    edges = np.array(
        [(0, v, 1) for v in leaves]
        + [(v, v % many + 1, 1) for v in leaves]
        + [(1, steps[0], 50), (1, dear, 500)]
        + [(u, v, 1) for u, v in itertools.pairwise(steps)]
        + [(u, v, w) for v in (long, short) for u, w in ((dear, 1), (end, 2))]
        + [(u, v, 600) for v in (long, end) for u in leaves]
    )
    edges = tuple(edges.astype(float).T)
    for seed, sort, longest in itertools.product(SEEDS, BOTH, (64, 1024)):
        backend = placed(seed, sort, 0.3, 20, long=longest)
        closure_holds(
            backend,
            short + 1,
            (*(a.astype(int) for a in edges[:2]), edges[2]),
            {0: 0},
            min_plus,
            "INT32",
            2,
        )


def deserted() -> None:
    """The lightest edges of a long row come from vertices that are never reached."""
    many, empty = 300, 200
    leaves = np.arange(1, many + 1)
    deserts, last = np.arange(many + 1, many + empty + 1), many + empty + 1
    i = np.concatenate([0 * leaves, leaves, leaves, deserts])
    j = np.concatenate([leaves, leaves % many + 1, 0 * leaves + last, 0 * deserts + last])
    w = np.concatenate([np.ones(2 * many), 39 + leaves % 9, np.ones(empty)])
    for sort, long in itertools.product(BOTH, (64, 400, 1024)):
        backend = placed(1, sort, 0.3, long=long)
        closure_holds(backend, last + 1, (i, j, w), {0: 0}, min_plus, "INT32", 2)


def falling() -> None:
    """The order falls: a maximum."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for dtype in ("FP64", "UINT8"):
            backend = placed(seed, sort, 0.1, 2)
            closure_holds(backend, N, random_weighted(N, seed, 4), {seed: 7}, max_min, dtype, 1)
        i, j, w = random_weighted(N, seed, 4, low=0, high=3)
        for dtype in ("FP32", "INT64"):
            backend = placed(seed, sort, 0.2)
            closure_holds(backend, N, (i, j, -w), {seed: 0, 9: -1}, max_plus, dtype)


def small_types() -> None:
    """Values smaller than a word, several of which share one."""
    for seed, sort in itertools.product(SEEDS, BOTH):
        for dtype in ("UINT8", "INT16"):
            backend = placed(seed, sort, 0.1)
            closure_holds(
                backend,
                N,
                random_weighted(N, seed, 4, high=7),
                {seed: 0, 40: 3},
                min_plus,
                dtype,
                4,
            )
        closure_holds(
            placed(seed, sort), N, random_weighted(N, seed, 4), {seed: 2}, min_max, "INT8", 1
        )


def many_starts() -> None:
    """x₀ is full, or has many entries, or none; and n is or is not a multiple of 32."""
    for n, sort in itertools.product((1, 32, 65, 300), BOTH):
        for every in (1, 3):
            x0 = {v: float(50 * v % 37) for v in range(0, n, every)}
            for width in (3, INF):
                closure_holds(
                    placed(n, sort), n, random_weighted(n, n, 4), x0, min_plus, "INT32", width
                )
        apart = np.array([0, 2]), np.array([1, 3]), np.ones(2)
        closure_holds(placed(n, sort), 4, apart, {0: 0, 2: 1000}, min_plus, "INT32", 1)
        i, j, w = random_weighted(n, n, 4)
        backend = placed(1, sort)
        A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=n, ncols=n, backend=backend)
        empty = lg.Vector("FP32", n, backend=backend)
        assert lg.closure(empty, A, min_plus, schedule=Schedule(order="delta")).nvals == 0


def worst() -> None:
    """An entry may equal what a fold starts from, or be infinite, and is still an entry."""
    line = np.arange(12)
    for sort, width, share in itertools.product(BOTH, (1, INF), (0.1, 0.6)):
        for dtype, top, ring in (("UINT8", 255, min_plus), ("FP32", INF, min_plus), ("FP64", -INF, max_min)):  # fmt: skip
            flat = (line, line + 1, np.zeros(12) if ring is min_plus else np.full(12, 9.0))
            closure_holds(placed(1, sort, share), 15, flat, {0: top}, ring, dtype, width)
            if dtype != "FP64":
                better = 20 if top == INF else top - 100
                closure_holds(
                    placed(2, sort, share), 15, flat, {0: top, 9: better}, ring, dtype, width
                )


def strange() -> None:
    """NaN and sums that wrap have no order, so the closure must go by rounds. The edge whose sum
    would wrap may be one that is never read."""
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
    i, j, w = [0, 0, 1, 2, 3, 1, 3], [1, 2, 3, 3, 4, 4, 0], [1, 1, 1, 1, 126, 1, 20]
    for sort, share in itertools.product(BOTH, (0.1, 2)):
        backend = placed(0, sort, share, hub=1, expect=False)
        A = lg.Matrix.from_coo(i, j, w, "INT8", nrows=5, ncols=5, backend=backend)
        x0 = lg.Vector.from_coo([0], [100], "INT8", size=5, backend=backend)
        x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=5))
        y = lg.closure(x0, A, min_plus, schedule=Schedule(order="rounds"))
        assert x.to_dense(-1).tolist() == y.to_dense(-1).tolist()


def steps_of(
    backend: GpuBackend, n: int, edges: WeightedEdges, source: int, width: float,
    ring: Any = min_plus,
) -> list[Any]:  # fmt: skip
    """The steps of a closure's trace; the explanation times just these."""
    i, j, w = edges
    A = lg.Matrix.from_coo(i, j, w, "FP64", nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([source], [0], "FP64", size=n, backend=backend)
    with lg.trace() as seen, lg.explain() as told:
        lg.closure(x0, A, ring, schedule=Schedule(order="delta", width=width))
    clocks, took = [s.clock for s in seen], [s.cycles for s in told.steps]
    assert clocks == sorted(clocks) and len(set(clocks)) == len(clocks)
    assert min(took) > 0 and 0 < sum(took) < told.choices[0].cycles < clocks[-1] + took[-1]
    return seen


def overtaken() -> None:
    """A bit may be visible before the value. Whoever then reads the vertex along an edge of weight 0
    takes what a fold starts from for its value, until the vertex pushes, and must not report its own
    edges as unordered. Caches make this common on a GPU. Here no read sees a change that happens
    meanwhile, a warp pulls the near vertices before the far ones, and four warps push at once."""
    many, start, lone = 64, 0, 193
    near, last, far = np.arange(1, 3 * many + 1).reshape(3, many)
    i = np.concatenate([0 * near + start, near, far, [start]])
    j = np.concatenate([near, far, last, [lone]])
    w = np.repeat([9.0, 0, 3, 1], [many, many, many, 1])
    with (
        edited(
            "closure/hub_first/pull_row.cuh",
            "return x[k];",
            "return final(true, x[k]) ? x[k] : S::start();",
        ),
        well(),
    ):
        for sort, dtype in itertools.product(BOTH, ("INT32", "INT64", "FP32")):
            backend = placed(1, sort, 0.001, 1)
            backend.device.block_size, backend.device.max_blocks = 64, 2
            closure_holds(backend, lone + 1, (i, j, w), {start: 0}, min_plus, dtype, 1)


def traced() -> None:
    """What each step is, and how much it looks at: of the edges out of a core only those within the
    bound, if rows are sorted; of the rest the lightest in-edge, and where another may help those."""
    many = 60
    hub, leaf, ring = np.zeros(many, int), np.arange(1, many + 1), np.arange(1, many + 1) % many + 1
    i, j = np.concatenate([hub, leaf, leaf]), np.concatenate([leaf, hub, ring])
    w = np.concatenate([np.arange(many), np.full(many, 90), np.full(many, 50)]).astype(float)
    for sort, first, more in ((True, 10, 1), (False, many, 2)):
        steps = steps_of(placed(1, sort, 0.3, hub=30), many + 1, (i, j, w), 0, 9)
        kinds = [s.direction for s in steps]
        assert kinds[:4] == ["push", "push", "pull", "pull"] and kinds.count("pull") == 2
        assert steps[0].frontier == 1 and steps[0].edges == first
        pulls = [s for s in steps if s.direction == "pull"]
        others = 9  # the ring's edge is lighter than the hub's
        assert pulls[0].frontier == many - 10 and pulls[0].edges == many - 10 + more * others
        assert pulls[0].looked == pulls[0].edges
        assert pulls[1].frontier < many - 10
        finishing = steps[kinds.index("pull") - 1]
        assert finishing.frontier == 11 and finishing.edges == 0


def finished() -> None:
    """Vertices better than the nearest hub walk their remaining edges, once, before the others pull."""
    many = 40
    i = np.concatenate([[0, 0, 2], np.full(many, 1), np.arange(3, many + 3)])
    j = np.concatenate([[1, 2, 0], np.arange(3, many + 3), np.full(many, 2)])
    edges = i, j, np.concatenate([[1, 100, 500], np.full(many, 5), np.full(many, 9)]).astype(float)
    for (sort, left), width in itertools.product(((True, 1), (False, 2)), (1, 3)):
        steps = steps_of(placed(1, sort, 0.3, hub=30), many + 3, edges, 0, width)
        kinds = [s.direction for s in steps]
        finishing = steps[kinds.index("pull") - 1]
        assert finishing.frontier == 2 and finishing.edges == left
        assert kinds == ["push"] * kinds.index("pull") + ["pull"] * kinds.count("pull")
        closure_holds(placed(2, sort, 0.3, hub=30), many + 3, edges, {0: 0}, min_plus, "FP32", 1)


def crossed() -> None:
    """One width holds most of the graph. The share is reached within it, while pieces of final and of
    other vertices are queued."""
    for seed, sort, share in itertools.product(range(2), BOTH, (0.05, 0.4)):
        i, j, w = edges_with_hub(seed)
        for ring, start, width in ((max_min, 9, 1), (min_max, 0, INF), (min_max, INF, 1)):
            backend = placed(seed, sort, share, 2, 2, 6, 5)
            closure_holds(backend, N, (i, j, w % 3), {20: start}, ring, "FP32", width)
            once = i < j
            edges = i[once], j[once], w[once]
            backend = placed(seed, sort, share, 1, 2, 6, 5)
            closure_holds(
                backend, N, edges, {HUB: start, 3: start}, ring, "FP32", width, directed=False
            )


def remainders() -> None:
    """The share is reached while pieces are queued: of a final vertex, which knows a better path than
    the vertices that pull could guess, and of a vertex whose value is no better than none."""
    c, b, t, many = 1, 2, 3, 50
    edges = [(0, c, 1), (0, b, 10), (0, t, 12), (c, t, 14)]
    edges += [(b, leaf, 100) for leaf in range(4, 4 + many)]
    i, j, w = np.array(edges, float).T
    i, j = i.astype(int), j.astype(int)
    star = 0 * i[:9], 1 + np.arange(9), np.ones(9)
    for sort in BOTH:
        backend = placed(1, sort, 0.3, piece=2)
        backend.hub_first.stays = (min_plus.multiply.parsed,)
        closure_holds(backend, 4 + many, (i, j, w), {0: 0}, min_plus, "INT32", 6)
        closure_holds(placed(1, sort, 0.3, piece=2), 10, star, {0: 0}, max_min, "UINT8", 6)


def left() -> None:
    """Once the share is reached, queued vertices are not pushed: their neighbours pull."""
    many = 70
    inner = np.arange(many)
    i, j = np.append(inner[:-1], inner[:-1]), np.append(inner[1:], inner[1:] + many)
    ones = np.ones(i.size)
    for sort in BOTH:
        steps = steps_of(placed(1, sort, 0.3, hub=30), 2 * many, (i, j, ones), 0, INF, min_max)
        kinds = [s.direction for s in steps]
        first = kinds.index("pull")
        assert first < many / 2 and steps[first - 2].edges == 0 == steps[first - 1].edges


def spread_out(n: int) -> WeightedEdges:
    """The edges of vertex 0 are one longer than another, and a heavy ring joins the others."""
    i, j, w = np.zeros(n - 1, int), np.arange(1, n), np.arange(1, n).astype(float)
    return np.append(i, j), np.append(j, (j + 1) % n), np.append(w, w + 1000)


def doubled() -> None:
    """Where little is reached, the width grows; sorted edges are walked once, in pieces, too."""
    n = 200
    edges = spread_out(n)
    for (sort, steps), piece in itertools.product(((False, 15), (True, 11)), (8, 128)):
        found = steps_of(placed(1, sort, 2, piece=piece), n, edges, 0, 1)
        assert len(found) < steps if piece == 128 else len(found) < 22
        assert not sort or sum(step.edges for step in found) < 2.5 * n


def steady() -> None:
    """Over light edges the width does not grow."""
    n = 60
    for sort in BOTH:
        backend = placed(1, sort)
        backend.hub_first.closure = partial(backend.hub_first.closure, shares=(2, None))  # type: ignore[method-assign]
        assert len(steps_of(backend, n, spread_out(n), 0, 1)) >= n / 2


def scattered() -> None:
    """Few vertices are queued while the others wait for the next bound, which moves before these are
    done. There is no hub, so most vertices reached are within the last widths: few push along the
    rest of their edges."""
    n = 600
    for seed, sort in itertools.product(range(2), BOTH):
        edges = random_weighted(n, seed, 8, 1, 60)
        for share, dtype in ((0.6, "FP32"), (1.2, "INT64")):
            backend = placed(seed, sort, share, hub=n)
            closure_holds(backend, n, edges, {seed: 0}, min_plus, dtype, 1)
        steps = steps_of(placed(seed, sort, 0.6, hub=n), n, edges, seed, 1)
        kinds = [s.direction for s in steps]
        first = kinds.index("pull")
        assert first < 18 and steps[first - 1].edges < steps[first].edges / 8


def detours() -> None:
    """One width holds most of the graph, and a chain of few vertices goes on within a bound, to a vertex
    that has a worse value beyond it. That is not final as long as the chain is not at its end."""
    many, first = 40, 41
    leaves, far = np.arange(1, many + 1), np.arange(60, 60 + many)
    for sort, length in itertools.product(BOTH, range(2, 9)):
        chain = np.r_[0, np.arange(first, first + length)]
        end = chain[-1] + 1
        edges = [(0, v, 1) for v in leaves] + [(u, v, 1) for u, v in itertools.pairwise(chain)]
        edges += [(0, end, 8), (chain[-1], end, 1)]
        edges += [(u, v, 9) for u, v in zip(leaves, far, strict=True)]
        edges += [(u, far[(u + k) % many], 20) for u in far for k in range(10)]
        i, j, w = np.array(edges).T
        backend = placed(1, sort, 0.6, 2, hub=1000)
        closure_holds(backend, 100, (i, j, w.astype(float)), {0: 0}, min_max, "FP32", 1)


def returning() -> None:
    """The lightest edge of a vertex leads back to where its value came from, and its next one is far beyond the bound."""
    many = 30
    line = np.arange(many)
    i, j = np.append(line[:-1], line[1:]), np.append(line[1:], line[:-1])
    weights = np.tile(10.0 * line[1:], 2)
    for sort in BOTH:
        backend = placed(1, sort)
        backend.hub_first.closure = partial(backend.hub_first.closure, shares=(2, None))  # type: ignore[method-assign]
        steps = steps_of(backend, many, (i, j, weights), 0, 1)
        assert len(steps) < many + 4  # one for each vertex, though edges back are lighter
        closure_holds(placed(2, sort, 2), many, (i, j, weights), {0: 0}, min_plus, "FP32", 1)
        out = line[:-1], line[1:], 10.0 * line[1:]
        closure_holds(placed(2, sort, 2), many, out, {0: 0}, min_plus, "FP32", 1)
        leaf = (
            np.array([0, 1]),
            np.array([1, 0]),
            np.ones(2),
        )  # without another edge it is not queued
        assert sum(s.edges for s in steps_of(placed(1, sort, 2), 2, leaf, 0, INF)) == 1


def sparing() -> None:
    """Half of the share is enough where there is no hub."""
    n, many = 400, 12
    i = np.repeat(np.arange(n), many)
    j = (i + np.tile(np.arange(1, many + 1), n)) % n
    w = np.tile(np.arange(1.0, many + 1), n)
    for hub, spares in ((n, True), (2, False)):
        steps = steps_of(placed(1, True, 0.8, hub=hub), n, (i, j, w), 0, 1)
        pulled = [s.frontier for s in steps if s.direction == "pull"]
        assert (len(pulled) > 0 and pulled[0] > 0.2 * n) == spares


def trees() -> None:
    """A tight edge to each entry but the start, the lightest of its row or another, from a better one;
    of long rows, too."""
    for seed, sort, long in itertools.product(SEEDS, BOTH, (2, 1024)):
        backend = placed(seed, sort, 0.1)
        backend.products.long_row = long
        finds_parents(backend, N, edges_with_hub(seed), seed)


def late_trees() -> None:
    """In several rows many lighter edges come before the tight one."""
    far, ends, by = np.arange(1, 61), np.arange(61, 66), np.arange(66, 71)
    edges = [(0, v, 200 + v) for v in far] + [(v, e, 1) for v in far for e in ends]
    edges += [(0, v, 1) for v in by] + [(v, e, e) for v, e in zip(by, ends, strict=True)]
    i, j, w = np.array(edges).T
    for sort in BOTH:
        finds_parents(placed(1, sort, 0.1), 71, (i, j, w.astype(float)), 0)


def finds_parents(backend: GpuBackend, n: int, edges: WeightedEdges, source: int) -> None:
    i, j, w = edges
    A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([source], [0], "FP32", size=n, backend=backend)
    x = lg.closure(x0, A, min_plus, schedule=Schedule(order="delta"))
    root = lg.Vector.from_coo([source], [source], "INT64", size=n, backend=backend)
    found = backend.parents.parents(x._store, root._store, A, min_plus)
    assert found is not None and found[1]
    at, parents = x._wrap("INT64", backend, found[0]).to_coo()
    values, weight = x.to_dense(INF), np.full((n, n), INF)
    weight[i, j] = w
    assert at.tolist() == np.flatnonzero(values < INF).tolist()
    assert parents[at == source].tolist() == [source]
    at, parents = at[at != source], parents[at != source]
    assert (values[parents] + weight[parents, at] == values[at]).all()
    assert (values[parents] < values[at]).all()


def origins() -> None:
    """Where each value came from, noted by pushes, by pulls of short and of long rows, and by pushes
    again: tight edges, and no cycles, though there are zeros; in other numbers, too."""
    for seed, sort, (share, pulls) in itertools.product(range(2), BOTH, ((0.02, 1), (0.3, 2))):
        for dtype, piece, long in (("FP32", 128, 1024), ("UINT32", 7, 5)):
            i, j, w = edges_with_hub(seed)
            w = np.maximum(w - 3, 0)
            weight = np.full((N + 1, N + 1), INF)
            weight[i, j] = w
            backend = placed(seed, sort, share, pulls, piece, 6, long)
            G = lg.Graph.from_edges(i, j, w.astype(TYPES[dtype]), n=N + 1, backend=backend)
            for H in (G, G.prepared()):
                traces(H, seed, weight)
    traces(H, N, weight)  # a vertex without out-edges


def outdone() -> None:
    """The best of the edges that a lane reads one after another is neither the first nor the last: in
    a row of its own, and in a piece of a long row."""
    a, c, long, short, many = 1, 2, 3, 4, 100
    others = np.arange(5, 5 + many)
    edges = [(0, a, 5), (0, c, 20), *((0, b, 10) for b in others)]
    edges += [(c, long, 1), (a, long, 2), *((b, long, 3) for b in others)]
    edges += [(c, short, 1), (a, short, 2), *((b, short, 3) for b in others[:9])]
    i, j, w = np.array(edges).T
    weight = np.full((5 + many, 5 + many), INF)
    weight[i, j] = w
    for seed, sort in itertools.product(SEEDS, BOTH):
        backend = placed(seed, sort, 0.02, 2, hub=1000, long=64)
        traces(lg.Graph.from_edges(i, j, w.astype(np.float32), backend=backend), 0, weight)


def shared_rows() -> None:
    """Rows too long for a lane, of more vertices than wait at a time: the warp that shares a row
    improves on the result of a lane."""
    near, ends = 40, 90
    edges = [
        (0, v, 200 - 4 * v) for v in range(1, near + 1)
    ]  # the farther, the lighter to the ends
    edges += [(v, near + e, 1 + v // 2) for v in range(1, near + 1) for e in range(1, ends + 1)]
    edges += [(0, near + ends + 1, 1)]
    settles(np.array(edges), SEEDS)


def slow_tails() -> None:
    """The best value of a row comes from a vertex that is not final and changes after the first round."""
    chain, near, end = 9, 30, 40
    edges = [(0, 1, 1), *((v, v + 1, 1) for v in range(1, chain))]
    edges += [(0, v, 2) for v in range(chain + 1, near)]
    edges += [(v, end, 60 + v) for v in range(chain + 1, near)] + [(chain, end, 62 + near)]
    settles(np.array(edges), range(8))


def settles(edges: np.ndarray, seeds: range) -> None:
    i, j, w = edges.T
    n = int(j.max()) + 1
    weight = np.full((n, n), INF)
    weight[i, j] = w
    for seed, sort in itertools.product(seeds, BOTH):
        backend = placed(seed, sort, 0.001, 3, hub=1000)
        backend.resident_blocks = lambda *_: 1  # type: ignore[method-assign]
        closure_holds(backend, n, (i, j, w.astype(float)), {0: 0}, min_plus, "INT32", 1)
        backend = placed(seed, sort, 0.001, 3, hub=1000)
        traces(lg.Graph.from_edges(i, j, w.astype(np.float32), backend=backend), 0, weight)


def many_within() -> None:
    """Of a hub's edges more are within the bound than a lane seeks among, and not all."""
    n = 2500
    leaves = np.arange(1, n)
    for many in (3, 70, 700, 1777):
        w = np.where(leaves < many, 1.0, 50.0 + leaves % 7)
        edges = (
            np.append(0 * leaves, leaves),
            np.append(leaves, leaves % (n - 1) + 1),
            np.append(w, w + 900),
        )
        steps = steps_of(placed(1, True, 2, piece=n, hub=n), n, edges, 0, 3)
        assert steps[0].edges == many - 1
        closure_holds(placed(2, True, 2, hub=n), n, edges, {0: 0}, min_plus, "INT32", 3)


def traces(G: lg.Graph, source: int, weight: np.ndarray) -> None:
    n = G.n
    x0 = G.point(source, 0, G.A.dtype)
    x = closure_up_to(None, x0, G.A, min_plus, Schedule(order="delta"), with_parents=True)
    assert x._store.predecessors is not None
    found = x.backend.parents.parents(x._store, G.point(source, source)._store, G.A, min_plus)
    assert found is not None and found[1]
    at, parents = x._wrap("INT64", x.backend, found[0]).to_coo()
    values = x.to_dense(INF).astype(float)
    right = fixpoint(n, (*np.nonzero(weight < INF), weight[weight < INF]), {source: 0}, "min_plus")
    assert at.tolist() == np.flatnonzero(right[0]).tolist() == x.to_coo()[0].tolist()
    np.testing.assert_array_equal(values[at], right[1][at])
    up = np.full(n, source)
    up[at] = parents
    assert up[source] == source
    rest = at[at != source]
    assert (values[up[rest]] + weight[up[rest], rest] == values[rest]).all()
    for _ in range(n):
        up = up[up]
    assert (up == source).all()


def stored() -> None:
    """Columns and weights side by side, of each size, with rows of none; and a weight for all."""
    for seed, dtype in itertools.product(range(2), ("UINT8", "INT64", "FP64", "alike")):
        i, j, w = random_weighted(N, seed, 4, high=20 if dtype != "UINT8" else 9)
        some = i % 7 != seed
        i, j, w = i[some], j[some], w[some] if dtype != "alike" else 3.0
        kind = dtype.replace("alike", "INT32")
        for source, share in ((8, 0.02), (8, 0.3), (7 + seed, 2)):
            backend = placed(seed, True, share, 2, 7, 6, 5)
            A = lg.Matrix.from_coo(i, j, w, kind, nrows=N, ncols=N, backend=backend)
            assert A._store.iso == (dtype == "alike")
            start = lg.Vector.from_coo([source], [0], kind, size=N, backend=backend)
            x = lg.closure(start, A, min_plus, schedule=Schedule(order="delta"))
            edges = i, j, np.broadcast_to(w, i.shape)
            has, right = fixpoint(N, edges, {source: 0}, "min_plus")
            index, values = x.to_coo()
            np.testing.assert_array_equal(index, np.flatnonzero(has))
            np.testing.assert_array_equal(values.astype(float), right[has])


EXERCISES = (
    apart,
    stored,
    cores,
    hubs,
    towns,
    crowded,
    lonely,
    late,
    origins,
    outdone,
    shared_rows,
    slow_tails,
    many_within,
    deserted,
    falling,
    small_types,
    many_starts,
    worst,
    strange,
    overtaken,
    traced,
    doubled,
    steady,
    scattered,
    detours,
    returning,
    sparing,
    crossed,
    remainders,
    left,
    finished,
    trees,
    late_trees,
)

MUTANTS = [
    Mutant("closure/hub_first/relax.cuh", "if (has || (j < n && word < words_of(n_connected))) {", "if (has) {", small_types),
    Mutant("closure/hub_first/relax.cuh", "if (lane_id() == 0) bits[word] = entries;", "", many_starts),
    Mutant("closure/hub_first/relax.cuh", "if (has && nan(z)) this->report_unordered();\n        else if (has)", "if (has && !nan(z))", strange),
    Mutant("closure/hub_first/relax.cuh", "        reach(mine.has, j, degree);\n", "", many_starts),
    Mutant("closure/hub_first/relax.cuh", "        this->note_best(push_state->beyond, mine);\n", "", many_starts),
    Mutant("closure/hub_first/relax.cuh", "if (mine && Edges::sorted) cursors[j] = 0;", "", traced),
    Mutant("closure/hub_first/relax.cuh", "if (lane_id() == 31) atomicAdd(&push_state->degrees, edges);", "", traced),
    Mutant("closure/hub_first/relax.cuh", "if (improves && edges.degree >= hub) near_hub(z);", "", finished),
    Mutant("closure/hub_first/relax.cuh", "if (mine.has && degree >= hub) near_hub(z);", "", traced),
    Mutant("closure/hub_first/relax.cuh", "improves = first = claim(bits, j);", "first = claim(bits, j);", worst),
    Mutant("closure/hub_first/relax.cuh", "if (this->start_is_unlike()) mark(bits, j);", "if (this->start_is_unlike()) {}", cores),
    Mutant("closure/hub_first/relax.cuh", "else first = claim_unset(bits, j);", "else mark(bits, j);", falling),
    Mutant("closure/hub_first/hub_first_state.cuh", "return Compare<S>::nan(S::start());", "return true;", falling),
    Mutant("closure/hub_first/relax.cuh", "if (push_state->settles) reach(improves && first, j, edges.degree);", "", falling),
    Mutant("closure/hub_first/relax.cuh", "            goes = helps && near(next);\n", "", falling),
    Mutant("closure/hub_first/relax.cuh", "goes = helps && near(next);", "goes = near(next);", returning),
    Mutant("closure/hub_first/relax.cuh", "back = edges.to == tail,", "back = false,", returning),
    Mutant("closure/hub_first/relax.cuh", "back = edges.to == tail,", "back = edges.to == tail || j % 2,", returning),
    Mutant("closure/hub_first/relax.cuh", "back && helps ? edges.next", "back && !helps ? edges.next", returning),
    Mutant("closure/hub_first/relax.cuh", "            if (helps && !goes) beyond.fold(next);\n", "", lonely),
    Mutant("closure/hub_first/bounded_push.cuh", "            late = !near(next);\n            if (late) beyond.fold(next);", "            late = !near(next);", falling),
    Mutant("closure/hub_first/bounded_push.cuh", "const bool open = apart > FARTHEST && low < degree;", "const bool open = false;", many_within),
    Mutant("closure/hub_first/bounded_push.cuh", "count += within[i];", "count = within[i];", many_within),
    Mutant("closure/hub_first/bounded_push.cuh", "const int last = low + (i + 1) * apart - 1;", "const int last = low + (i + 1) * apart;", traced),
    Mutant("closure/hub_first/bounded_push.cuh", "last < degree && near(product(z, row + last));", "last < degree;", traced),
    Mutant("closure/hub_first/relax.cuh", "improves = improves && edges.degree > leaf_degree;", "improves = improves && edges.degree > leaf_degree + 1;", towns),
    Mutant("closure/hub_first/bounded_push.cuh", "sorted && again && live ? peek(cursors + k) : 0;", "0;", finished),
    Mutant("closure/hub_first/bounded_push.cuh", "live && this->better(z, push_state->least)) >> lane_id() & 1u;", "live) >> lane_id() & 1u;", traced),
    Mutant("closure/hub_first/bounded_push.cuh", "        if (late) beyond.fold(z);\n", "", many_starts),
    Mutant("closure/hub_first/bounded_push.cuh", "            *static_cast<volatile Index*>(cursors + k) = end;\n", "", finished),
    Mutant("closure/hub_first/bounded_push.cuh", "if (sorted && push_state->settles) end", "if (sorted && !push_state->settles) end", traced),
    Mutant("closure/hub_first/bounded_push.cuh", "if (sorted && push_state->settles) end", "if (push_state->settles) end", hubs),
    Mutant("closure/hub_first/bounded_push.cuh", "if (end < degree) beyond.fold(product(z, row + end));", "", falling),
    Mutant("closure/hub_first/bounded_push.cuh", "part = begin / piece + 1;", "part = 1;", doubled),
    Mutant("closure/hub_first/bounded_push.cuh", ": part * piece;", ": (part + 1) * piece;", hubs),
    Mutant("closure/hub_first/bounded_push.cuh", "push_state->into.items, push_state->into.count, part);", "push_state->into.items, push_state->into.count);", hubs),
    Mutant("core/append.cuh", "pieces.begin - number", "pieces.begin", hubs),
    Mutant("closure/hub_first/bounded_push.cuh", "if (!sorted && use[i] && !within) beyond.fold(candidate[i]);", "", lonely),
    Mutant("closure/hub_first/bounded_push.cuh", "use[i] = use[i] && within;", "", traced),
    Mutant("closure/hub_first/bounded_push.cuh", "if (use[i] && !is_start(candidate[i]))", "if (use[i])", worst),
    Mutant("closure/hub_first/bounded_push.cuh", "use[i] ? at : total - 1", "at", finished),
    Mutant("closure/hub_first/bounded_push.cuh", "if (at < items && !again) *static_cast<volatile Word*>(push_state->from.bits + (k >> 5)) = 0;", "", falling),
    Mutant("closure/ordered/value_order.cuh", "        report_unordered();\n        return false;", "        return false;", strange),
    Mutant("closure/ordered/value_order.cuh", "if (follows(tail, z)) return true;", "return true;", strange),
    Mutant("closure/hub_first/hub_first_state.cuh", "        atomicAdd(to.count, Count(1));\n", "", falling),
    Mutant("closure/hub_first/bottom_up.cuh", "if (mine) count_work(1, 1);", "if (mine) count_work(1, row.degree);", traced),
    Mutant("closure/hub_first/bottom_up.cuh", "looked = -done;", "looked = 0;", traced),
    Mutant("closure/hub_first/pull_row.cuh", "return has && this->as_good(z, bound);", "return this->as_good(z, bound);", worst),
    Mutant("closure/hub_first/pull_row.cuh", "if (!ClosureValues<S>::start_is_unlike() && !own.has) return true;", "", worst),
    Mutant("closure/hub_first/pull_row.cuh", "fits = has && this->follows(z, candidate);", "fits = this->follows(z, candidate);", falling),
    Mutant("closure/hub_first/hub_first_state.cuh", "this->is_start(tail) ? S::add(tail, z) == tail : ", "", overtaken),
    Mutant("closure/hub_first/pull_row.cuh", "over = over || !ask[i];", "over = over || ask[i];", deserted),
    Mutant("closure/hub_first/pull_row.cuh", "        row.open_weight.fold(arithmetic::cast<Z>(edge.weight));\n", "", cores),
    Mutant("closure/hub_first/pull_row.cuh", "if (!final(has, z) && !(sorted && row.open_weight.has)) {", "if (!final(has, z)) {", cores),
    Mutant("closure/hub_first/pull_row.cuh", "if (fits) row.best.fold(candidate);", "", hubs),
    Mutant("closure/hub_first/pull_row.cuh", "if (one.best.has) put(shared.best + row, &shared.has, row, one.best.value);", "", falling),
    Mutant("closure/hub_first/pull_row.cuh", "if (!(peek(which) >> row & 1u)) atomicOr(which, 1u << row);", "", falling),
    Mutant("closure/hub_first/pull_row.cuh", "        shared.best[lane_id()] = mine.best.value;\n", "", falling),
    Mutant("closure/hub_first/pull_row.cuh", "        shared.open_weight[lane_id()] = S::start();\n", "", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "        *static_cast<volatile Z*>(x + j) = now.value;\n", "", falling),
    Mutant("closure/hub_first/bottom_up.cuh", "row.degree <= longest && !final(held.has, held.value);", "row.degree <= longest;", traced),
    Mutant("closure/hub_first/bottom_up.cuh", "if (!together && news && !own.has) mark(bits, j);", "", falling),
    Mutant("closure/hub_first/bottom_up.cuh", "        if (news) best.fold(now.best.value);\n", "", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "        long_rows(best);\n", "", hubs),
    Mutant("closure/hub_first/bottom_up.cuh", "over && !lists && this->may_improve(now);", "false;", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "        if (news) best.fold(now.best.value);\n        if (lists) on.queue_if(news, j);", "        if (news) best.fold(now.best.value);", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "begun = begun > 32 ? begun - 32 : 0;", "begun = 0;", shared_rows),
    Mutant("closure/hub_first/bottom_up.cuh", "if (lane_id() == 0) kept = length;", "if (lane_id() == 0) kept = length + 1;", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "now.best.has ? j : ~j", "j", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "pending->from[at] = now.from;", "pending->from[at] = done;", cores),
    Mutant("closure/hub_first/pull_row.cuh", "over = done >= degree || !improves(by(least, next.weight), mine.best);", "over = true;", shared_rows),
    Mutant("closure/hub_first/pull_row.cuh", "            if (!over) done += rest < next ? rest : next;\n", "", shared_rows),
    Mutant("closure/hub_first/pull_row.cuh", "mine.tail = -1;  // it is noted", ";", shared_rows),
    Mutant("closure/hub_first/bottom_up.cuh", "const Offset end = last - first > longest ? first + longest : last;", "const Offset end = first + longest;", hubs),
    Mutant("closure/hub_first/bottom_up.cuh", "const bool fresh = (is_start(old) || is_start(found.value)) && claim(bits, j);", "const bool fresh = false;", hubs),
    Mutant("closure/hub_first/hub_first.cuh", "            push.publish(push_state.beyond, queues.beyond(step_state.step));\n", "", falling),
    Mutant("closure/hub_first/hub_first.cuh", "            push.publish(push_state.hub, queues.hub(step_state.step));\n", "", traced),
    Mutant("closure/hub_first/bottom_up_round.cuh", "    ClosureValues<S>::publish(block_state.changed, queues.change(round));\n", "", cores),
    Mutant("closure/hub_first/hub_first_state.cuh", "        reached.write(all, reaches);\n", "", falling),
    Mutant("closure/hub_first/hub_first_state.cuh", "            reached.begin = there;\n", "", falling),
    Mutant("core/append.cuh", "        else if (mine) list[beyond] = item;\n", "", crowded),
    Mutant("closure/hub_first/hub_first.cuh", "            c.reached += more;\n", "", falling),
    Mutant("closure/hub_first/hub_first.cuh", "            c.edges += edges;\n", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "                    c.beyond = nothing<S>();\n", "", doubled),
    Mutant("closure/hub_first/hub_first.cuh", "c.hub.has ? share : share / HUBLESS", "share", sparing),
    Mutant("closure/hub_first/hub_first.cuh", "c.hub.has ? share : share / HUBLESS", "share / HUBLESS", sparing),
    Mutant("closure/hub_first/hub_first.cuh", "c.width += c.width;", ";", doubled),
    Mutant("closure/hub_first/hub_first.cuh", "grows && c.bucket > 0", "c.bucket > 0", steady),
    Mutant("closure/hub_first/hub_first.cuh", "within == NEVER_PULLS && c.edges < enough", "c.edges < enough", detours),
    Mutant("closure/hub_first/hub_first.cuh", "within == NEVER_PULLS && c.edges < enough && c.beyond.has", "within == NEVER_PULLS && c.beyond.has", scattered),
    Mutant("closure/hub_first/hub_first.cuh", "&& c.queued * FEW_QUEUED < c.reached", "&& false", scattered),
    Mutant("closure/hub_first/hub_first.cuh", "        push.template work<false>(", "        if (!step_state.moves) push.template work<false>(", scattered),
    Mutant("closure/hub_first/hub_first.cuh", "if (step_state.moves) push.template", "if (step_state.moves && step_state.queued == 0) push.template", scattered),
    Mutant("closure/hub_first/hub_first.cuh", "c.early = {c.bound, true};", ";", scattered),
    Mutant("closure/hub_first/hub_first.cuh", "reached < SMALL_CORE ? 4 : 2", "2", doubled),
    Mutant("closure/hub_first/bottom_up_round.cuh", "round == pulls, line", "round > pulls, line", cores),
    Mutant("closure/hub_first/hub_first.cuh", "if (blockIdx.x == 0) queues.clear(c.step + 2, S::start());", "", cores),
    Mutant("closure/hub_first/hub_first.cuh", "push_state.has_log = c.line != nullptr;", "push_state.has_log = false;", traced),
    Mutant("closure/hub_first/bottom_up_round.cuh", "            line[0] = 1;\n", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "                c.line[1] = c.queued + (c.moves ? c.reached : 0);\n", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "                c.line[3] = now();\n", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "log.line(c.step, 4);", "log.lines + 4 * c.step;", traced),
    Mutant("closure/hub_first/hub_first.cuh", "log.lines[1] = log.lines[2] = now();", "log.lines[2] = now();", traced),
    Mutant("closure/hub_first/hub_first.cuh", "if (leads_all && log.wanted() && !finishes) log.lines[0] = now();", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "if (leads_all && (!finishes || rest > 0)) counts[STEPS] = step_state.step - 1;", "", traced),
    Mutant("closure/hub_first/hub_first.cuh", "push.Order<S>::admits(\n                x.values[j], S::step(x.values[j], 0, &heaviest, 0, 0));", ";", strange),
    Mutant("closure/hub_first/hub_first.cuh", "        push_state.reached.count = 0;\n", "", falling),
    Mutant("closure/hub_first/hub_first_state.cuh", "counts + g % 3 * GENERATION", "counts + g % 2 * GENERATION", cores),
    Mutant("closure/hub_first/bottom_up_round.cuh", "            line[3] = now();\n", "", traced),
    Mutant("closure/hub_first/bottom_up_round.cuh", "        counts[PULLS] = round;\n", "", traced),
    Mutant("closure/hub_first/bottom_up_round.cuh", "    block_state.queued.flush(block_state.into.items, block_state.into.count);\n", "", cores),
    Mutant("closure/hub_first/bottom_up_round.cuh", "    block_state.count_into(counts, line);\n", "", traced),
    Mutant("closure/hub_first/bottom_up_round.cuh", "peek(word_of(queues.bests, LEAST)) : before.read();", "peek(word_of(queues.bests, BOUND)) : before.read();", hubs),
    Mutant("closure/hub_first/bottom_up.cuh", "if (together && lane_id() == 0) atomicOr(bits + (j >> 5), fresh);", "", falling),
    Mutant("closure/hub_first/bottom_up.cuh", "append_own(!over, begun)", "append_own(!over && lane_id() > 0, begun)", falling),
    Mutant("closure/hub_first/bottom_up.cuh", "            pending->open_weight[at] = now.open_weight.value;\n", "", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "            now.open_weight = {pending->open_weight[at], pending->has_open[at]};\n", "", cores),
    Mutant("closure/hub_first/pull_row.cuh", "over = over || done >= degree ||", "over = over || done < degree ||", shared_rows),
    Mutant("closure/hub_first/hub_first.cuh", "        counts[REST] = step_state.step - 1;\n", "", cores),
    Mutant("closure/hub_first/hub_first.cuh", "        *word_of(queues.bests, BOUND) = step_state.bound;\n", "", cores),
    Mutant("closure/hub_first/hub_first.cuh", "        *word_of(queues.bests, LEAST) = push_state.least;\n", "", cores),
    Mutant("closure/hub_first/hub_first.cuh", "c.over = c.queued == 0 && !(c.settles && (c.beyond.has || c.leaves));", "c.over = c.queued == 0 && !c.settles;", cores),
    Mutant("closure/hub_first/hub_first.cuh", "push_state.bound = c.settles && !c.leaves ?", "push_state.bound = c.settles ?", remainders),
    Mutant("closure/hub_first/hub_first.cuh", "push_state.least = c.bound = c.sure;", "push_state.least = c.sure;", crossed),
    Mutant("closure/hub_first/hub_first.cuh", "push_state.least = c.bound = c.sure;", "c.bound = c.sure;", crossed),
    Mutant("closure/hub_first/hub_first.cuh", "                push_state.lists = false;\n", "", left),
    Mutant("closure/hub_first/hub_first.cuh", "                    c.sure = c.beyond.value;\n", "", left),
    Mutant("closure/hub_first/hub_first.cuh", " && !(c.sure == S::start());", ";", remainders),
    Mutant("closure/hub_first/hub_first.cuh", "c.edges >= within", "true", left),
    Mutant("closure/hub_first/hub_first.cuh", "(c.beyond.has || c.leaves)", "c.beyond.has", left),
    Mutant("closure/hub_first/pull_row.cuh", "return row.degree == 1 || !improves(by(least, row.next), mine.best);", "return true;", falling),
    Mutant("closure/hub_first/pull_row.cuh", "return has && this->as_good(z, bound);", "return true;", cores),
    Mutant("closure/hub_first/bottom_up_round.cuh", "kept[warp_id()] = block_state.kept[threadIdx.x >> 5];", ";", cores),
    Mutant("closure/hub_first/bottom_up_round.cuh", "left + part * (warp_id() << 5)", "left", cores),
    Mutant("matrix/min_edge.cuh", "found.next = stored.weight(first + 1);", "found.next = found.weight;", apart),
    Mutant("matrix/min_edge.cuh", "found.to = best.to;", "found.to = stored.begin(first + degree - 1).to;", apart),
    Mutant("matrix/min_edge.cuh", "if (degree > 1) found.next", "if (degree > 2) found.next", apart),
    Mutant("matrix/min_edge.cuh", "{A(), A(), 0, degree};", "{A(), A(), 0, 1};", apart),
    Mutant("matrix/min_edge.cuh", "            best.next = best.weight;\n", "", apart),
    Mutant("matrix/min_edge.cuh", "best.degree == 1 || before(weight, best.next)", "best.degree == 1", apart),
    Mutant("matrix/min_edge.cuh", "        if (other.degree > 1) add(other.next, other.to);\n", "", apart),
    Mutant("matrix/min_edge.cuh", "return falling ? y < x : x < y;", "return x < y;", apart),
    Mutant("closure/ordered/tight_edges.cuh", "present(u_bits, k) && S::joins(u, k, &weight, 0, j)", "present(u_bits, k)", trees),
    Mutant("closure/ordered/tight_edges.cuh", "more = row.degree > 1 && !found.has;", ";", trees),
    Mutant("closure/ordered/tight_edges.cuh", "more ? A.indptr[j] + 1 : 0;", "more ? A.indptr[j] + 2 : 0;", trees),
    Mutant("closure/ordered/tight_edges.cuh", "            tight.take(found, edge.to, edge.weight, j);\n", "", trees),
    Mutant("closure/ordered/tight_edges.cuh", "                tight.take(there, edge.to, edge.weight, head);\n", "", late_trees),
    Mutant("closure/ordered/tight_edges.cuh", "            if (lane_id() == lane) found = there;\n", "            found = there;\n", late_trees),
    Mutant("closure/ordered/tight_edges.cuh", "        if (there.has) found = there;\n", "", trees),
    Mutant("closure/ordered/tight_edges.cuh", "if (j >= n || !present(u_bits, j)) return found;", "return found;", trees),
    Mutant("closure/hub_first/hub_first_state.cuh", "        found = 0;\n", "", cores),
    Mutant("closure/hub_first/relax.cuh", "        this->find(push_state, first);\n", "", cores),
    Mutant("closure/hub_first/bottom_up.cuh", "if (lane_id() == 0) atomicAdd(&block_state->found, unsigned(__popc(fresh)));", "", cores),
    Mutant("core/append.cuh", "beyond = atomicAdd(total, Count(all - fit)) - fit;", "beyond = atomicAdd(total, Count(all - fit));", crowded),
    Mutant("core/append.cuh", "if (mine && at < ROOM) items[at] = item;", "if (mine) items[at] = item;", crowded),
    Mutant("closure/hub_first/bounded_push.cuh", "        relax_candidates(pending, 1);\n", "", falling),
    Mutant("closure/hub_first/relax.cuh", "j < n && start.has(j)", "j < n && start.only < 0 && start.has(j)", cores),
    Mutant("closure/hub_first/relax.cuh", "            if (improves) origins.fold(j, z, tail);\n", "", origins),
    Mutant("closure/hub_first/bounded_push.cuh", "tails[at] = steps[i].tail;", "", origins),
    Mutant("closure/hub_first/bounded_push.cuh", "const Index tail = __shfl_sync(ALL_LANES, k, whose);", "const Index tail = k;", origins),
    Mutant("closure/hub_first/bottom_up.cuh", "        if (news && now.tail >= 0) origins.put(j, now.best.value, now.tail);\n", "", origins),
    Mutant("closure/hub_first/bottom_up.cuh", "            if (news) origins.fold(j, found.value, row.tail);\n", "", origins),
    Mutant("closure/hub_first/bottom_up.cuh", "this->storage->rows[threadIdx.x >> 5].at[lane_id()] = j;", ";", origins),
    Mutant("closure/hub_first/pull_row.cuh", "origins.fold(shared.at[row], one.best.value, edges[i].to);", ";", origins),
    Mutant("closure/hub_first/pull_row.cuh", "with_parents && fits && improves(candidate, row.best)", "with_parents && fits", outdone),
    Mutant("closure/hub_first/pull_row.cuh", "row.tail >= 0 && row.best.value == best.value", "row.tail >= 0", origins),
    Mutant("closure/ordered/predecessor.cuh", "has ? OriginOf<Z>::word(z, j) : NO_ORIGIN;", "NO_ORIGIN;", origins),
    Mutant("closure/ordered/predecessor.cuh", "static_cast<unsigned long long>(as.bits) << 32 |", "", origins),
    Mutant("closure/ordered/predecessor_output.cuh", "has ? Origin(tail_of(origins[j])) : 0", "origins[j]", origins),
    Mutant("closure/ordered/predecessor_output.cuh", "        if (lane_id() == 0) tail_bits[word] = entries;\n", "", origins),
    Mutant("closure/ordered/predecessor_output.cuh", "old[tail_of(from[i])]", "tail_of(from[i])", origins),
    Mutant("closure/ordered/predecessor_output.cuh", "j[i] < n_connected || (v == only && j[i] < n)", "j[i] < n_connected", origins),
    Mutant("closure/ordered/predecessor_output.cuh", "x_bits[word] = tail_bits[word] = entries;", "x_bits[word] = entries;", origins),
]  # fmt: skip

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
