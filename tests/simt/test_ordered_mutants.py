# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures by order of value, and what follows its tight edges, broken on purpose.

The exercises hold it against Bellman's and Ford's method in NumPy, over graphs, types, widths, and
ways of sharing out the work: by all blocks, or with each block following its own.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, max_min, max_plus, min_max, min_plus, types
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import HUB, SEEDS, N, dense_graph, gpu

INF = float("inf")
Edges = tuple[np.ndarray, np.ndarray, np.ndarray]
FORMULAS: dict[str, tuple[Any, Any]] = {
    "min_plus": (np.minimum, np.add),
    "max_plus": (np.maximum, np.add),
    "max_min": (np.maximum, np.minimum),
    "min_max": (np.minimum, np.maximum),
}


def fixpoint(n: int, edges: Edges, x0: dict[int, float], name: str) -> tuple[np.ndarray, np.ndarray]:
    """All edges are relaxed until nothing changes; which entries there are, and their values."""
    add, times = FORMULAS[name]
    i, j, w = edges
    x, has = np.full(n, INF if add is np.minimum else -INF), np.zeros(n, bool)
    for v, start in x0.items():
        x[v], has[v] = start, True
    while True:
        y, more = x.copy(), has.copy()
        from_here = has[i]
        add.at(y, j[from_here], times(x[i], w)[from_here])
        more[j[from_here]] = True
        if (y == x).all() and (more == has).all():
            return has, x
        x, has = y, more


def holds(
    backend: GpuBackend, n: int, edges: Edges, x0: dict[int, float], ring: Any, dtype: str,
    width: float | None = None, directed: bool = True,
) -> None:  # fmt: skip
    if not directed:
        edges = tuple(np.concatenate(two) for two in zip(edges, (edges[1], edges[0], edges[2]), strict=True))
    (i, j, w), kind = edges, getattr(types, dtype)
    A = lg.Matrix.from_coo(i, j, w.astype(kind), dtype, nrows=n, ncols=n, backend=backend)
    if not directed:
        A._store.transposed = A._store
    held = np.array(list(x0.values())).astype(kind)
    start = lg.Vector.from_coo(list(x0), held, dtype, size=n, backend=backend)
    x = lg.closure(start, A, ring, schedule=Schedule(order="delta", width=width))
    has, right = fixpoint(n, edges, x0, ring.name)
    index, values = x.to_coo()
    np.testing.assert_array_equal(index, np.flatnonzero(has))
    np.testing.assert_array_equal(values.astype(float), right[has])
    assert start.nvals == len(x0)


def random_edges(seed: int, n: int = N, low: int = 0, high: int = 9, degree: int = 4) -> Edges:
    """As dense_graph, but weights of ``low`` are there, too."""
    rng = np.random.default_rng(seed)
    i, j = np.divmod(np.unique(rng.integers(0, n * n, degree * n)), n)
    return i, j, rng.integers(low, high, i.size).astype(float)


def with_hub(seed: int) -> Edges:
    A = dense_graph(np.int64, seed)
    A[:40, HUB] = 0
    i, j = np.nonzero(A)
    return i, j, A[i, j].astype(float)


def grid(side: int, seed: int) -> Edges:
    """Streets of a town, each there and back; few ways fan out, and there are many steps."""
    rng, at = np.random.default_rng(seed), np.arange(side * side).reshape(side, side)
    i = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    j = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    return i, j, rng.integers(1, 20, i.size).astype(float)


def placed(seed: int, few: int = 1000, steps: int = 64, piece: int = 128) -> GpuBackend:
    backend = gpu(seed)
    backend.traversals.few, backend.traversals.steps, backend.traversals.piece = few, steps, piece
    return backend


PLACES = ((0, 0), (1000, 1), (1000, 2), (1000, 64))


def widths() -> None:
    for seed in SEEDS:
        for width in (0.25, 3, INF, None):
            holds(placed(seed), N, random_edges(seed), {seed: 0}, min_plus, "FP32", width)
            holds(placed(seed, 0), N, random_edges(seed), {seed: 0}, min_plus, "INT64", width)


def towns() -> None:
    """Many steps, in which blocks follow their own; a dead end need not be looked at."""
    for seed, (few, steps) in zip(range(4), PLACES, strict=True):
        for width in (5, 40, INF):
            backend, edges = placed(seed, few, steps), grid(9, seed)
            holds(backend, 82, edges, {40: 0}, min_plus, "INT32", width, directed=False)
            edges = tuple(np.append(a, b) for a, b in zip(edges, (80, 81, 2), strict=True))
            holds(backend, 82, edges, {81: 0, 3: 1}, min_plus, "FP64", width, directed=False)


def hubs() -> None:
    """Hubs in pieces, from the far list and the near one, by all blocks or by one."""
    for seed, (few, steps) in zip(range(4), PLACES, strict=True):
        for piece, width in itertools.product((1, 7), (2, INF)):
            holds(placed(seed, few, steps, piece), N, with_hub(seed), {20: 0}, min_plus, "INT64", width)
            holds(placed(seed, few, steps, piece), N, random_edges(seed), {HUB: 0}, min_plus, "INT64", width)


def crowds() -> None:
    """More improves than a block can queue for itself, and than it can gather, near and far."""
    wide = 1300
    first, last = np.arange(1, wide + 1), wide + 1 + np.arange(wide) % 50
    i = np.concatenate([np.zeros(wide, int), first, first, last[:50]])
    j = np.concatenate([first, last, first % wide + 1, np.zeros(50, int)])
    w = np.random.default_rng(1).integers(1, 9, i.size).astype(float)
    for blocks, width, (few, steps) in ((1, INF, (9000, 8)), (3, INF, (9000, 2)), (2, 1, (0, 0)), (2, 3, (9000, 1))):
        backend = placed(blocks, few, steps, 2000)
        backend.device.max_blocks = blocks
        holds(backend, wide + 51, (i, j, w), {0: 0}, min_plus, "INT32", width)


def many_starts() -> None:
    """x₀ is full, or has many entries, or none; and n is or is not a multiple of 32."""
    for n in (1, 32, 65, 700):
        edges = random_edges(n, n)
        for every in (1, 3):
            x0 = {v: float(50 * v % 37) for v in range(0, n, every)}
            for width in (3, INF):
                holds(placed(n), n, edges, x0, min_plus, "INT32", width)
        backend = placed(1)
        i, j, w = edges
        A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=n, ncols=n, backend=backend)
        empty = lg.Vector("FP32", n, backend=backend)
        assert lg.closure(empty, A, min_plus, schedule=Schedule(order="delta")).nvals == 0


def widest() -> None:
    """The order falls: a maximum."""
    for seed, dtype in zip(SEEDS, ("FP64", "INT32", "UINT8"), strict=True):
        for width in (1, 4, INF):
            holds(placed(seed), N, random_edges(seed), {seed: 7}, max_min, dtype, width)
    for seed, dtype in zip(SEEDS, ("FP32", "INT64", "INT8"), strict=True):
        i, j, w = random_edges(seed, low=0, high=3)
        holds(placed(seed), N, (i, j, -w), {seed: 0, 9: -1}, max_plus, dtype, 2)
        holds(placed(seed, 0), N, (i, j, -w), {seed: 0}, max_plus, dtype, None)


def small_types() -> None:
    """Values of less than a word, of which several share one."""
    for seed in SEEDS:
        for dtype in ("UINT8", "INT8", "INT16"):
            holds(placed(seed), N, random_edges(seed, high=7), {seed: 0, 40: 3}, min_plus, dtype, 4)
            holds(placed(seed, 0), N, random_edges(seed), {seed: 2}, min_max, dtype, 1)


def worst() -> None:
    """An entry may be just what a fold starts from, or infinite, and is an entry nevertheless."""
    line = np.arange(6)
    for (few, steps), width in itertools.product(PLACES, (1, INF)):
        for dtype, top, ring in (("UINT8", 255, min_plus), ("INT8", 127, min_plus), ("FP32", INF, min_plus),
                                 ("UINT8", 0, max_min), ("FP64", -INF, max_min)):  # fmt: skip
            flat = (line, line + 1, np.zeros(6) if ring is min_plus else np.full(6, 9.0))
            holds(placed(1, few, steps), 9, flat, {0: top}, ring, dtype, width)
            better = top - 100 if ring is min_plus else 3
            if dtype != "FP64":
                holds(placed(2, few, steps), 9, flat, {0: top, 3: 20 if top == INF else better}, ring, dtype, width)
        rise = (line, line + 1, np.array([100, 100, 55, 0, 0, 0.0]))
        holds(placed(1, few, steps), 9, rise, {0: 0}, min_plus, "UINT8", width)
        rise = (line, line + 1, np.array([100, INF, 55, 0, 1, 0.0]))
        holds(placed(1, few, steps), 9, rise, {0: 0}, min_plus, "FP64", width)


def strange() -> None:
    """A NaN has no place in an order: the rounds must do it, and round for round."""
    nan = float("nan")
    cases = [({0: nan, 4: 1.0}, 1.0), ({2: -INF}, INF), ({0: 5.0, 5: nan}, 1.0)]
    line = np.arange(8)
    for (few, steps), (x0, weight) in itertools.product(PLACES, cases):
        backend = placed(3, few, steps)
        A = lg.Matrix.from_coo(line, line + 1, np.full(8, weight), "FP64", nrows=9, ncols=9, backend=backend)
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
    for few, steps, width, epochs in ((0, 0, 0.5, n - 1), (0, 0, INF, n - 1), (1000, 4, INF, None), (1000, 4, 0.5, n - 1)):
        backend = placed(1, few, steps)
        line = np.arange(n - 1)
        A = lg.Matrix.from_coo(line, line + 1, 1, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], size=n, backend=backend)
        with lg.trace() as seen:
            lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=width))
        assert sum(s.edges for s in seen) == n - 1 and {s.frontier for s in seen} == {1}
        assert len(seen) == epochs if epochs else len(seen) < n // 3
        clocks = [s.clock for s in seen]
        assert clocks == sorted(clocks) and len(set(clocks)) == len(clocks)


def doubled() -> None:
    """Where nobody follows, the width grows while the far list shrinks slowly."""
    n = 200
    i, j, w = np.zeros(n - 1, int), np.arange(1, n), np.arange(1, n).astype(float)
    backend = placed(1, 0)
    A = lg.Matrix.from_coo(np.append(i, j), np.append(j, (j + 1) % n), np.append(w, w + 1000), nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], "FP64", size=n, backend=backend)
    with lg.trace() as seen:
        lg.closure(x0, A, min_plus, schedule=Schedule(order="delta", width=1))
    assert 6 <= len(seen) < 25, len(seen)


def search_of(backend: GpuBackend, n: int, edges: Edges, sources: list[int]) -> None:
    """Levels of a search by depth, and parents; what the sources hold stays."""
    i, j, _ = edges
    A = lg.Matrix.from_coo(i, j, np.float32(1), nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo(sources, [7000 + s for s in sources], "INT64", size=n, backend=backend)
    x, when = closure_with_steps(x0, A, any_secondi, None, Schedule(order="delta"))
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
    for seed, (few, steps) in zip(range(4), PLACES, strict=True):
        search_of(placed(seed, few, steps), 82, grid(9, seed), [0])
        search_of(placed(seed, few, steps), N, with_hub(seed), [20, 3])
        search_of(placed(seed, few, steps, 5), N, random_edges(seed), [0, 31, 32, 76])
        search_of(placed(seed, few, steps), 65, random_edges(seed, 65), list(range(65)))


def trees() -> None:
    """Shortest-path trees from the tight edges, also where these do not suffice: weights of 0."""
    for seed in SEEDS:
        for low in (0, 1):
            backend = placed(seed)
            i, j, w = random_edges(seed, low=low)
            keep = i != j
            i, j, w = i[keep], j[keep], w[keep]
            G = lg.Graph.from_edges(i, j, w, n=N, backend=backend)
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
                along = backend.parents(distance._store, G.A, min_plus)
                found = lg.Vector("INT64", N, backend=backend)._wrap(np.dtype(np.int64), backend, along)
                assert found.nvals == has.sum() - 1 and found[seed].get(-1) == -1


EXERCISES = (
    widths, towns, hubs, crowds, many_starts, widest, small_types, worst, strange, traced, doubled,
    searches, trees,
)  # fmt: skip

MUTANTS: list[Mutant] = []

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
