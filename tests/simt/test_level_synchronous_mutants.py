# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures by rounds, broken in the lines that matter: each mutant must be caught."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import NoFixpoint
from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.schedule import Schedule
from semirings import SEMIRINGS, any_pair, any_secondi, max_min, min_plus
from tests import graphs
from tests.graphs import HUB, N, dense_with_hub
from tests.simt.exercises import SEEDS, gpu, matrix
from tests.simt.mutants import Mutant, suite

LONG = 10**6


def levels(edge: np.ndarray, source: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The level of each vertex, -1 if it has none; for each round vertices and edges it starts from."""
    level, front, met = np.full(len(edge), -1), np.arange(len(edge)) == source, []
    while front.any():
        met.append((int(front.sum()), int(edge[front].sum())))
        level[front] = len(met) - 1
        front = edge[front].any(0) & (level < 0)
    return level, met


def reference(
    A: np.ndarray, source: int, unit: bool, most: int = N
) -> tuple[np.ndarray, np.ndarray]:
    """Distances by Jacobi's rounds over dense arrays, and the round in which each was set."""
    weight = np.where(A > 0, 1 if unit else A, LONG).astype(np.int64)
    x, when = np.full(N, LONG), np.zeros(N, int)
    x[source] = 0
    for r in range(1, most + 1):
        offer = np.minimum(x, (x[:, None] + weight).min(0))
        when[offer < x], x = r, offer
    return np.where(x < LONG, x, -1), when


def both(x0: lg.Vector, A: lg.Matrix, ring: Any, direction: str | None = None) -> list[Any]:
    """Entries, rounds and trace must be those of the loop of statements; the trace."""
    found = []
    for loop in ("host", "device"):
        with lg.trace() as steps:
            x, when = closure_with_rounds(x0, A, ring, None, Schedule(direction, loop=loop))
        trace = [(direction or s.direction, s.frontier, s.edges) for s in steps if s.frontier]
        found.append((x, when, trace))
    (x, when, trace), (y, then, again) = found
    assert x.isequal(y) and when.isequal(then) and trace == again
    return trace


def searches(
    direction: str | None, piece: int, balance: str | None = None, most: int | None = None
) -> None:
    schedule = Schedule(direction, balance, "device", "rounds")
    for seed in SEEDS:
        backend = gpu(seed)
        backend.closures.level_synchronous.piece = piece
        A = dense_with_hub(np.int64, seed)
        A[HUB, 40:], A[40:50, HUB] = 0, 0
        G, source = matrix(A, backend), 40 + seed
        x0 = lg.Vector.from_coo([source], [source], "INT64", size=N, backend=backend)
        x, when = closure_with_rounds(x0, G, any_secondi, most, schedule)
        distance, rounds = reference(A, source, True, most or N)
        np.testing.assert_array_equal(when.to_dense(-1), distance)
        index, parent = x.to_coo()
        others = index != source
        assert (A[parent[others], index[others]] > 0).all()
        assert (distance[parent[others]] == distance[index[others]] - 1).all()
        x0[source] = 0
        x, when = closure_with_rounds(x0, G, min_plus, most, schedule)
        distance, rounds = reference(A, source, False, most or N)
        np.testing.assert_array_equal(x.to_dense(-1), distance)
        index, r = when.to_coo()
        np.testing.assert_array_equal(r, rounds[index])


def pushes() -> None:
    searches("push", 1024)


def pieces() -> None:
    searches("push", 7)


def pulls() -> None:
    searches("pull", 1024)
    searches("pull", 1024, "warp")


def switches() -> None:
    searches(None, 16)


def stops() -> None:
    searches("push", 1024, most=2)


def many_sources() -> None:
    """More items than a block gathers, from the start and later on; some of them pieces."""
    n = 1500
    rng = np.random.default_rng(1)
    edges = rng.integers(0, n, (2, 5 * n))
    for piece, blocks in ((1, 4), (1024, 1)):
        backend = gpu(0)
        backend.closures.level_synchronous.piece, backend.device.max_blocks = piece, blocks
        A = lg.Matrix.from_coo(*edges, 1, "INT64", nrows=n, ncols=n, backend=backend)
        values = np.arange(n) * 7 % 50
        x0 = lg.Vector.from_coo(np.arange(n), values, "INT64", size=n, backend=backend)
        both(x0, A, min_plus, "push")


def returns() -> None:
    """A push follows a pull, so that the queue is made of the bitmap, by one block and by several:
    of more items than a block gathers, and of pieces."""
    n, wide = 1401, 700
    rng = np.random.default_rng(2)
    first = np.arange(1, 1 + wide)
    second = np.arange(1 + wide, n - 20)
    last = np.arange(n - 20, n)
    rows = [np.zeros(wide, int), np.repeat(first, 3), np.repeat(second, 2)[:900], [n - 1]]
    columns = [first, rng.choice(second, 3 * wide), rng.choice(last, 900), [n - 20]]
    edges = np.unique(np.stack([np.concatenate(rows), np.concatenate(columns)]), axis=1)
    weight = rng.integers(1, 9, edges.shape[1])
    for blocks in (1, 3):
        backend = gpu(blocks)
        backend.device.max_blocks, backend.closures.level_synchronous.piece = blocks, 1
        A = lg.Matrix.from_coo(*edges, weight, "INT64", nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
        ways = [way for way, *_ in both(x0, A, min_plus)]
        assert ways[:3] == ["push", "pull", "push"], ways


def crowds() -> None:
    """At the same time two vertices, of different warps, offer to a third."""
    half = 191
    target = 2 * half + np.arange(2 * half) % half
    weight = np.where(np.arange(2 * half) < half, 9, 1)
    n = 3 * half
    for seed in (*range(12), 28, 145, 146, 187):  # one order in forty shows the narrowest race
        backend = gpu(seed)
        A = lg.Matrix.from_coo(
            np.arange(2 * half), target, weight, nrows=n, ncols=n, backend=backend
        )
        x0 = lg.Vector.from_coo(np.arange(2 * half), 0, size=n, backend=backend)
        both(x0, A, min_plus, "push")


def again() -> None:
    """A vertex improves in every round, while pushes and pulls take turns around it."""
    path, leaves = 14, 100
    v, n = path, path + 300
    edges = {(i, i + 1): 1 for i in range(path - 1)} | {(i, v): 100 - 9 * i for i in range(path)}
    edges |= {(v, v + 1): 1}
    hub = v + 2  # it improves in rounds 2, 5 and 6, and then so many edges leave the frontier
    edges |= {(1, hub): 100, (4, hub): 50, (5, hub): 20}
    edges |= {(hub, hub + 1 + leaf): 3 for leaf in range(leaves)}
    rows, columns = np.array(list(edges)).T
    for direction in (None, "push", "pull"):
        backend = gpu(1)
        A = lg.Matrix.from_coo(
            rows, columns, list(edges.values()), nrows=n, ncols=n, backend=backend
        )
        x0 = lg.Vector.from_coo([0], [0], size=n, backend=backend)
        ways = [way for way, *_ in both(x0, A, min_plus, direction)]
        assert len(ways) >= path and (direction or ways.count("pull") == 3), ways


def waves() -> None:
    """All vertices change, round after round: the queue of an earlier round must not be used again."""
    n, backend = 70, gpu(2)
    A = lg.Matrix.from_coo(*graphs.path(n), 1, nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo(np.arange(n), 100 * np.arange(n), size=n, backend=backend)
    both(x0, A, min_plus, "push")


def stays() -> None:
    """A search that pulls continues to pull while many vertices change, even if few edges leave them,
    and pushes when few vertices change."""
    n, wide = 301, 100
    first, second = 1 + np.arange(wide), 1 + wide + np.arange(wide)
    chain = np.arange(1 + 2 * wide, n)
    few = second[:30]  # only these lead on
    rows = [np.zeros(wide, int), np.repeat(first, 8), few, chain[:-1]]
    columns = [first, second[np.arange(8 * wide) % wide], 0 * few + chain[0], chain[1:]]
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    backend = gpu(2)
    A = lg.Matrix.from_coo(rows, columns, 1, nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
    with lg.trace() as steps:
        _, when = closure_with_rounds(x0, A, any_secondi, None, Schedule(order="rounds"))
    assert when.to_coo()[1].tolist() == [0] + [1] * wide + [2] * wide + list(
        range(3, 3 + chain.size)
    )
    assert [s.direction for s in steps][:4] == ["pull", "pull", "pull", "push"], steps


def whole() -> None:
    """A warp loads as many edges as it can at once, and not all of them are useful."""
    for dtype, degree in (("INT64", 64), ("INT32", 128)):
        for seed in SEEDS:
            backend = gpu(seed)
            A = lg.Matrix.from_coo(
                [0] * degree, np.arange(degree), 1, dtype, nrows=130, ncols=130, backend=backend
            )
            both(
                lg.Vector.from_coo([0], [0], dtype, size=130, backend=backend), A, min_plus, "push"
            )


def worst() -> None:
    """An entry may equal what a fold starts from, and is still an entry."""
    for direction in ("push", "pull"):
        backend = gpu(3)
        A = lg.Matrix.from_coo(
            [0, 1, 2], [1, 2, 3], [0, 0, 5], "INT64", nrows=5, ncols=5, backend=backend
        )
        top = np.iinfo(np.int64).max
        x0 = lg.Vector.from_coo([0], [top], "INT64", size=5, backend=backend)
        x = lg.closure(x0, A, min_plus, 2, Schedule(direction, loop="device"))
        assert x.to_coo()[0].tolist() == [0, 1, 2] and (x.to_coo()[1] == top).all()
        x0 = lg.Vector.from_coo([0], [-np.inf], "FP64", size=5, backend=backend)
        both(x0, A, max_min, direction)


def logged() -> None:
    """The trace has the counts of each round, in both directions; items are not vertices."""
    backend = gpu(1)
    backend.closures.level_synchronous.piece = 3
    A = matrix(dense_with_hub(np.int64, 1), backend)
    x0 = lg.Vector.from_coo([20], [0], "INT64", size=N, backend=backend)
    assert {way for way, *_ in both(x0, A, min_plus)} == {"push", "pull"}
    heads: list[Any] = []
    with lg.explain() as explained, pytest.MonkeyPatch.context() as patch:
        original = kernel_log.record_log
        patch.setattr(kernel_log, "record_log", lambda *a: heads.append(a[0]) or original(*a))
        lg.closure(x0, A, min_plus, schedule=Schedule(order="rounds"))
    clocks, took = [s.clock for s in explained.steps], [s.cycles for s in explained.steps]
    ((begin, over, end),) = heads
    assert 0 < begin < clocks[0] and clocks[-1] < over < end and end - begin > sum(took)
    assert min(took) > 0 and clocks == sorted(clocks) and clocks[0] + sum(took) == over


def sink() -> None:
    """A vertex without out-edges improves several times, and in one round by several candidates."""
    n = 40
    weight = {(i, i + 1): 1 for i in range(n - 2)} | {
        (i, n - 1): 200 - 3 * i for i in range(0, n - 2, 3)
    }
    weight |= {(0, i): 60 for i in range(10, 30)}  # all of them reach the sink in the next round
    weight |= {(i, n - 1): 50 - i for i in range(10, 30)}
    rows, columns = np.array(list(weight)).T
    for seed in SEEDS:
        backend = gpu(seed)
        A = lg.Matrix.from_coo(
            rows, columns, list(weight.values()), nrows=n, ncols=n, backend=backend
        )
        both(lg.Vector.from_coo([0], [0], size=n, backend=backend), A, min_plus, "push")


def cycle() -> None:
    backend = gpu(0)
    A = lg.Matrix.from_coo([0, 1], [1, 0], [-1, 0], nrows=3, ncols=3, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=3, backend=backend)
    with pytest.raises(NoFixpoint):
        lg.closure(x0, A, min_plus, schedule=Schedule("push", loop="device"))


def roads() -> None:
    """A frontier with few edges, along which several warps reach one vertex at the same time."""
    n = 3000
    rows = [np.zeros(60, int), 1 + np.arange(60), 61 + np.arange(3)]
    columns = [1 + np.arange(60), 61 + np.arange(60) % 3, np.full(3, 64)]
    for seed in SEEDS:
        backend = gpu(seed)
        backend.closures.level_synchronous.piece = 7
        rows_, columns_ = np.concatenate(rows), np.concatenate(columns)
        A = lg.Matrix.from_coo(rows_, columns_, 1, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
        with lg.trace() as steps:
            x, when = closure_with_rounds(x0, A, any_secondi, None, Schedule("push", loop="device"))
        assert [(s.frontier, s.edges) for s in steps] == [(1, 60), (60, 60), (3, 3), (1, 0)]
        assert when.to_coo()[1].tolist() == [0] + [1] * 60 + [2] * 3 + [3]
        parent = x.to_dense(-1)[:65]
        assert (parent[1:61] == 0).all() and parent[64] in (61, 62, 63)
        assert ((parent[61:64] - 1) % 3 == np.arange(3)).all()


def turns() -> None:
    """A pull reads the bitmap that a push of few edges wrote."""
    n = 1500
    rows = [np.zeros(40, int), 1 + np.arange(40), np.full(1000, 41), 42 + np.arange(1000)]
    columns = [1 + np.arange(40), np.full(40, 41), 42 + np.arange(1000), np.full(1000, 1042)]
    backend = gpu(1)
    rows_, columns_ = np.concatenate(rows), np.concatenate(columns)
    A = lg.Matrix.from_coo(rows_, columns_, 1, nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
    with lg.trace() as steps:
        _, when = closure_with_rounds(x0, A, any_secondi, None, Schedule(order="rounds"))
    assert [s.direction for s in steps][:3] == ["push", "push", "pull"], steps
    assert when.to_coo()[1].tolist() == [0] + [1] * 40 + [2] + [3] * 1000 + [4]


def several() -> None:
    """A closure from several entries, which both directions must know."""
    for direction in ("push", "pull"):
        backend = gpu(2)
        A = matrix(dense_with_hub(np.int64, 2), backend)
        x0 = lg.Vector.from_coo([3, 33, 40], [7, 0, 5], "INT64", size=N, backend=backend)
        both(x0, A, min_plus, direction)


def points() -> None:
    """A single entry, which no array holds, is the start of a fold."""
    for direction in ("push", "pull"):
        for seed in SEEDS:
            A = dense_with_hub(np.int64, seed)
            backend, source = gpu(seed), 37
            G, schedule = matrix(A, backend), Schedule(direction, None, "device", "rounds")
            x0 = lg.Vector.from_coo([source], [0], "INT64", size=N, backend=backend)
            with lg.trace() as steps:
                x, when = closure_with_rounds(x0, G, min_plus, None, schedule)
            distance, rounds = reference(A, source, False)
            np.testing.assert_array_equal(x.to_dense(-1), distance)
            reached = distance >= 0
            np.testing.assert_array_equal(when.to_dense(-1)[reached], rounds[reached])
            assert (steps[0].frontier, steps[0].edges) == (1, (A[source] > 0).sum())


def blindly() -> None:
    """A push with benign races copies the bitmap before it sets any bit."""
    n = 640
    rng = np.random.default_rng(3)
    first = 1 + np.arange(40)
    rows = np.concatenate([np.zeros(40, int), np.repeat(first, 30)])
    columns = np.concatenate([first, rng.integers(41, n, 1200)])
    reached = np.unique(np.concatenate([[0], columns]))
    for seed in range(8):
        backend = gpu(seed)
        A = lg.Matrix.from_coo(rows, columns, 1, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
        with lg.trace() as steps:
            x, _ = closure_with_rounds(x0, A, any_secondi, None, Schedule("push", loop="device"))
        assert x.to_coo()[0].tolist() == reached.tolist()
        assert [s.frontier for s in steps] == [1, 40, reached.size - 41]


def hubs() -> None:
    """Blind pushes of pieces of all lengths, which several blocks share; and back to the start."""
    first = 1 + np.arange(30)
    degrees = np.where(first % 7 == 0, 3, 150 + first)
    second = 31 + np.arange(degrees.sum())
    rows = np.concatenate([np.zeros(30, int), first, np.repeat(first, degrees)])
    columns = np.concatenate([first, 0 * first, second])
    n = 31 + second.size
    parents = np.concatenate([np.zeros(31, int), np.repeat(first, degrees)])
    for seed, piece in zip((*SEEDS, *SEEDS, *SEEDS), (7, 40, 160)):
        backend = gpu(seed)
        backend.closures.level_synchronous.piece = piece
        A = lg.Matrix.from_coo(rows, columns, 1, nrows=n, ncols=n, backend=backend)
        x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
        x, when = closure_with_rounds(x0, A, any_secondi, None, Schedule("push", loop="device"))
        np.testing.assert_array_equal(x.to_dense(-1), parents)
        np.testing.assert_array_equal(when.to_dense(-1), (parents > 0) * 1 + (np.arange(n) > 0))


def heads() -> None:
    """Rows whose heads are known, found by a pass or stored first, with rounds in a vector of their own
    or above the parents; many of the guesses fail, some of them of rows that no lane searches. One vertex
    of the first word has no edge, and twenty of the last ones."""
    n, hubs = 330, 6
    rng = np.random.default_rng(4)
    few = rng.integers(hubs, n - 20, (2, 1500))
    many = np.stack([rng.integers(0, hubs, 900), rng.integers(hubs, n - 20, 900)])
    edges = np.concatenate([few, many], axis=1)
    edges = edges[:, (edges != 9).all(0)]
    edges = np.unique(np.concatenate([edges, edges[::-1]], axis=1), axis=1)
    dense = np.zeros((n, n), bool)
    dense[edges[0], edges[1]] = True
    for seed in SEEDS:
        backend = gpu(seed)
        backend.closures.level_synchronous.least_guessed = 0
        A = lg.Matrix.from_coo(*edges, 1, "INT32", nrows=n, ncols=n, backend=backend)
        natural = lg.Graph._checked(symmetric(A), False)
        for G in (natural, natural.relabel("degree"), natural.prepared("degree")):
            source = n - 25 - seed
            with lg.trace() as steps:
                level, parent = lg.bfs(G, source, schedule=Schedule("pull", loop="device"))
            ids = np.arange(n) if G.ids is None else G.ids.to_dense()
            here = dense[ids][:, ids]
            wanted, met = levels(here, source)
            np.testing.assert_array_equal(level.to_dense(-1), wanted)
            assert [(s.frontier, s.edges) for s in steps] == met
            v, p = parent.to_coo()
            others = v != source
            assert here[p[others], v[others]].all()
            assert (wanted[p[others]] == wanted[v[others]] - 1).all()


def firsts() -> None:
    """Rows whose heads are known take the value of their tail, which no guess has before."""
    rng = np.random.default_rng(7)
    edges = rng.integers(0, 90, (2, 1200))
    for seed in SEEDS:
        G = lg.Graph.from_edges(*edges, n=100, dup="first", backend=gpu(seed)).relabel("degree")
        at = np.argsort(G.ids.to_dense())[[3, 99]]
        x0 = lg.Vector.from_coo(at, [7, 8], "INT64", size=100, backend=G.backend)
        x = lg.closure(x0, G.A, SEMIRINGS["any_first"], schedule=Schedule("pull", loop="device"))
        assert sorted(x.to_dense(-1).tolist()) == [-1] * 9 + [7] * 90 + [8]
    G = lg.Graph.from_edges(*edges, n=90, dup="first", backend=gpu(0)).relabel("degree")
    x0 = lg.Vector.from_coo([0], [7], "INT64", size=90, backend=G.backend)
    x = lg.closure(x0, G.A, SEMIRINGS["any_first"], schedule=Schedule("pull", loop="device"))
    assert x.to_dense(-1).tolist() == [7] * 90  # no vertex is left that fills the last word


def resumes() -> None:
    """A pull that finds little and counts no edges is followed by a push, and then by a pull of rows
    whose heads had no value the first time."""
    n, clique = 1030, 95
    first, second = 1 + np.arange(200), 201 + np.arange(30)
    hub, others, leaves = 232, 233 + np.arange(2), 235 + np.arange(700)
    far = n - clique + np.arange(clique)  # out of reach, so that rows are long on the mean
    dense = np.zeros((n, n), bool)
    dense[0, first] = dense[second[0], 231] = dense[231, hub] = dense[hub, leaves] = True
    dense[first.repeat(8), second[np.arange(1600) % 30]] = True
    dense[others.repeat(350), leaves] = True
    dense[far[:, None], far] = ~np.eye(clique, dtype=bool)
    for seed in SEEDS:
        natural = lg.Graph(matrix_of(dense, gpu(seed)), directed=True)
        for G in (natural, natural.relabel("degree")):
            ids = np.arange(n) if G.ids is None else G.ids.to_dense()
            here, source = dense[ids][:, ids], int(np.flatnonzero(ids == 0)[0])
            with lg.trace() as steps:
                lg.bfs(G, source)
            ways = [s.direction for s in steps]
            assert ways[:5] == ["push", "pull", "push", "push", "pull"], ways
            level, parent = lg.bfs(G, source)
            np.testing.assert_array_equal(level.to_dense(-1), levels(here, source)[0])
            v, p = parent.to_coo()
            assert here[p[v != source], v[v != source]].all()
            alone = lg.closure(G.point(source, source), G.A, any_secondi)
            assert alone.to_coo()[0].tolist() == v.tolist()


def unvalued() -> None:
    """If all entries of a closure hold the value of the start, no values are written."""
    rng = np.random.default_rng(8)
    dense = np.zeros((120, 120), bool)
    dense[rng.integers(0, 110, 900), rng.integers(0, 110, 900)] = True
    for seed, direction in itertools.product(SEEDS, ("push", "pull", None)):
        natural = lg.Graph(matrix_of(dense, gpu(seed)), directed=True)
        for G in (natural, natural.prepared("degree")):
            schedule = Schedule(direction, loop="device", order="rounds")
            x, level = closure_with_rounds(G.point(3, True, "BOOL"), G.A, any_pair, None, schedule)
            assert x._store.every is not None and "values" not in vars(x._store)
            wanted = levels(dense, 3)[0]
            np.testing.assert_array_equal(level.to_dense(-1), wanted)
            np.testing.assert_array_equal(x.to_dense(False), wanted >= 0)
            y = lg.closure(G.point(3, 7, "INT64"), G.A, any_pair, schedule=schedule).to_dense(0)
            assert y[3] == 7 and (np.delete(y, 3) == np.delete(wanted, 3).clip(-1, 0) + 1).all()


def matrix_of(dense: np.ndarray, backend: Any) -> lg.Matrix:
    return lg.Matrix.from_coo(
        *dense.nonzero(), 1, "INT32", nrows=len(dense), ncols=len(dense), backend=backend
    )


def starts() -> None:
    """A search begins at a hub, whose edges are in pieces."""
    schedule = Schedule("push", None, "device", "rounds")
    for seed in SEEDS:
        backend, A = gpu(seed), dense_with_hub(np.int64, seed)
        backend.closures.level_synchronous.piece = 7
        x0 = lg.Vector.from_coo([HUB], [0], "INT64", size=N, backend=backend)
        x, _ = closure_with_rounds(x0, matrix(A, backend), min_plus, None, schedule)
        np.testing.assert_array_equal(x.to_dense(-1), reference(A, HUB, False)[0])


def gaps() -> None:
    """Rows without an in-edge, and rows of one, in pulls by heads."""
    n = 200
    rng = np.random.default_rng(6)
    rows, columns = rng.integers(1, 120, 2400), rng.integers(60, 190, 2400)
    dense = np.zeros((n, n), bool)
    dense[rows, columns] = True
    dense[rng.integers(1, 60, 30), 1 + np.arange(30)] = True  # one in-edge each
    np.fill_diagonal(dense, False)
    dense[0, [1, 5, 60, 77]] = True
    rows, columns = dense.nonzero()
    for seed in SEEDS:
        backend = gpu(seed)
        A = lg.Matrix.from_coo(rows, columns, 1, "INT32", nrows=n, ncols=n, backend=backend)
        natural = lg.Graph(A, directed=True)
        for G in (natural, natural.relabel("degree")):
            ids = np.arange(n) if G.ids is None else G.ids.to_dense()
            here, source = dense[ids][:, ids], int(np.flatnonzero(ids == 0)[0])
            level, parent = lg.bfs(G, source, schedule=Schedule("pull", loop="device"))
            np.testing.assert_array_equal(level.to_dense(-1), levels(here, source)[0])
            v, p = parent.to_coo()
            assert here[p[v != source], v[v != source]].all()


def agreed() -> None:
    """Rows by warps, while other warps find hubs in the same words."""
    n = 97
    for seed in range(12):
        backend, rng = gpu(seed), np.random.default_rng(seed)
        backend.products.long_row = 9
        i, j = rng.integers(0, n, (2, 776))
        keep = i != j
        G = lg.Graph.from_edges(i[keep], j[keep], n=n, directed=False, dup="first", backend=backend)
        dense = np.zeros((n, n), bool)
        dense[i, j] = dense[j, i] = True
        np.fill_diagonal(dense, False)
        level, _ = lg.bfs(G, 48, schedule=Schedule("pull", "warp", "device"))
        np.testing.assert_array_equal(level.to_dense(-1), levels(dense, 48)[0])


def nans() -> None:
    """A NaN loses to what comes later, whether x₀ holds it or a pull made it."""
    inf, nan = float("inf"), float("nan")
    i, j = [0, 2, 3, 4, 4, *[9] * 20], [1, 3, 4, 1, 0, *range(10, 30)]
    w = [inf, 1.0, 1.0, 1.0, 1.0, *[1.0] * 20]
    for seed, (name, start) in enumerate(itertools.product(("max", "min"), (nan, -nan, 0.0))):
        backend, ring = gpu(seed), SEMIRINGS[f"{name}_times"]
        A = lg.Matrix.from_coo(i, j, w, "FP32", nrows=30, ncols=30, backend=backend)
        x0 = lg.Vector.from_coo([0, 2, 9], [start, 2.0, 3.0], "FP32", size=30, backend=backend)
        first = 0.0 if (name, start) == ("min", 0.0) else 2.0
        second = inf if name == "max" else 2.0
        wanted = [first, second, 2.0, 2.0, 2.0, *[-1.0] * 4, *[3.0] * 21]
        for direction in ("push", "pull", None):  # None: pulls first, and pushes then
            x = lg.closure(x0, A, ring, schedule=Schedule(direction, loop="device"))
            np.testing.assert_array_equal(x.to_dense(-1.0), np.array(wanted, np.float32))


EXERCISES = (
    unvalued, firsts, resumes, agreed, nans, starts, gaps, points, blindly, hubs, heads, roads, turns, several, pushes, pieces, pulls, switches, stops, many_sources, returns, crowds, again, waves, stays, whole, worst, logged, sink, cycle,
)  # fmt: skip

MUTANTS = [
    Mutant("core/grid.cuh", "        __syncthreads();\n        if (threadIdx.x == 0) {\n            __threadfence();", "        if (threadIdx.x == 0) {\n            __threadfence();", pushes),
    Mutant("core/grid.cuh", "            __threadfence();\n            const", "            const", pushes),
    Mutant("core/grid.cuh", "{}\n            __threadfence();", "{}", pushes),
    Mutant("core/grid.cuh", "TURN - (gridDim.x - 1)", "1u", pushes),
    Mutant("core/grid.cuh", "TURN - (gridDim.x - 1)", "TURN", pushes),
    # the warps of a block share these
    Mutant("core/bitmap.cuh", "if (lane_id() % WIDTH >= distance) x += below;", "x += below;", pushes),
    Mutant("core/load_balance.cuh", "begin = end - count;", "begin = end;", pushes),
    Mutant("core/load_balance.cuh", "total = __shfl_sync(ALL_LANES, end, 31);", "total = end;", pushes),
    Mutant("core/load_balance.cuh", "return end <= at; }", "return end < at; }", pushes),
    Mutant("core/partition_point.cuh", "int half = 16;", "int half = 8;", many_sources),
    # the frontier's lists
    Mutant("closure/level_synchronous/frontier.cuh", "static_cast<unsigned>(both >> 32);", "static_cast<unsigned>(both >> 31);", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "static_cast<Index>(both & 0xffffffff);", "static_cast<Index>(both);\n        if (n_long > 1) --n_long;", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "        if (at < n_short) return level.short_queue[at];\n", "        if (at <= n_short && n_short > 0) return level.short_queue[at];\n", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "level.long_queue[k] >> 32 <= wanted", "level.long_queue[k] >> 32 < wanted", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "        piece = static_cast<Index>(wanted - (found >> 32));\n", "", pieces),
    Mutant("core/append.cuh", "if (mine && at < ROOM)", "if (mine && at <= ROOM)", many_sources),
    Mutant("core/append.cuh", "Count(all - fit)) - fit;", "Count(all)) - fit;", many_sources),
    Mutant("core/append.cuh", "at = __shfl_sync(ALL_LANES, at, 0) + below;", "at = __shfl_sync(ALL_LANES, at, 0);", many_sources),
    Mutant("core/append.cuh", "count < ROOM ? count : ROOM", "count", many_sources),
    Mutant("core/append.cuh", "list[begin + i] = items[i];", "list[i] = items[i];", switches),
    Mutant("core/append.cuh", "if (threadIdx.x == 0) count = 0;", "", waves),
    Mutant("core/append.cuh", "        __syncthreads();\n        const unsigned gathered", "        const unsigned gathered", pushes),
    Mutant("core/append.cuh", "        __syncthreads();\n        write(list, gathered);", "        write(list, gathered);", pushes),
    Mutant("closure/level_synchronous/frontier.cuh", "static_cast<int>((degree - 1) / piece) + 1 : 0", "static_cast<int>((degree - 1) / piece) : 0", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "| Count(__popc(some)),", "| 1,", pieces),
    Mutant("core/append.cuh", "return __shfl_sync(ALL_LANES, at, 0);", "return at;", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "(at >> 32) + pieces.begin", "(at >> 32)", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "(at & 0xffffffff) + __popc(some & lanes_below())", "(at & 0xffffffff)", pieces),
    # blind pushes
    Mutant("closure/level_synchronous/push_benign_race.cuh", "next[word] = peek(bits + word);", "next[word] = 0;", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "        *static_cast<volatile typename S::Z*>(x + j) = pack_level<S>(z, packed_level);\n", "", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "*static_cast<volatile typename S::Z*>(x + j) = pack_level<S>(z, packed_level);", "x[j] = z;", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "        mark(bits, j);\n", "", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "peek(bits + own) ^ next[own]", "peek(bits + own)", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "if (mine) next[own] = changed;", "", pushes),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "(items.pieces)", "(items.pieces / 2)", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "items.edges(now, items.n_short + at,", "items.edges(now, at,", hubs),
    Mutant("closure/level_synchronous/frontier.cuh", "first = indptr[k] + static_cast<Offset>(number) * piece;", "first = indptr[k];", hubs),
    Mutant("closure/level_synchronous/frontier.cuh", "rest < piece ? rest : piece)", "rest < piece ? rest : piece - 1)", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "left != 0; left &= left - 1", "left != 0; left = 0", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "base < degree; base += 32 * LOADS", "base < degree; base += 64 * LOADS", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "base + 32 * i < degree ? indices", "true ? indices", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "to[i] >= 0 && helps(to[i])", "to[i] >= 0", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "__shfl_sync(ALL_LANES, changed, i) >> lane_id()", "__shfl_sync(ALL_LANES, changed, 0) >> lane_id()", hubs),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "            note(base, those);\n", "", hubs),
    # the walk
    Mutant("spmv/warp_expand.cuh", "const Offset origin = first - share.begin;", "const Offset origin = first;", pushes),
    Mutant("spmv/warp_expand.cuh", "base < share.total; base += 32 * many", "base < share.total; base += 64 * many", pushes),
    Mutant("spmv/warp_expand.cuh", "__shfl_sync(ALL_LANES, k, whose)", "k", pushes),
    Mutant("spmv/warp_expand.cuh", "from_lane<typename S::U>(z, whose)", "z", pushes),
    Mutant("spmv/warp_expand.cuh", "__shfl_sync(ALL_LANES, origin, whose)", "origin", pushes),
    Mutant("spmv/warp_expand.cuh", "if (base + 32 * i >= share.total) continue;", "if (base + 32 * i > 0) continue;", pushes),
    Mutant("spmv/warp_expand.cuh", "base + 32 * i + lane_id() < share.total && to[i] >= 0", "to[i] >= 0", pushes),
    Mutant("spmv/warp_expand.cuh", "append_own(use, pending)", "append_own(true, pending)", pushes),
    Mutant("spmv/warp_expand.cuh", "append_own(use, pending)", "append_own(use && i == 0, pending)", pushes),
    Mutant("spmv/warp_expand.cuh", "        __syncwarp();\n        const bool last", "        const bool last", pushes),
    Mutant("spmv/warp_expand.cuh", "(last && pending > 0)", "(false)", pushes),
    Mutant("spmv/warp_expand.cuh", "base + 32 * many >= share.total;", "base + 32 * many > share.total;", whole),
    Mutant("spmv/warp_expand.cuh", "pending < 32 ? pending : 32;", "32;", pushes),
    Mutant("spmv/warp_expand.cuh", "            pending -= now;\n            const bool live = lane_id() < now;", "            pending -= now;\n            const bool live = true;", pushes),
    Mutant("spmv/warp_expand.cuh", "pending + (live ? lane_id() : 0)", "(live ? lane_id() : 0)", pushes),
    # the state of a closure by rounds
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        date(j, round);\n        ++vertices;", "        ++vertices;", pushes),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        ++vertices;\n", "", pushes),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        edges += to - from;\n        from = indptr[j];", "        from = indptr[j];", many_sources),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        edges += to - from;\n        from = to;", "        from = to;", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        from = to;\n", "", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "date(((word + i) << 5) + lane_id(), round);", ";", hubs),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        count_words<words>(word, those);\n", "", blindly),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "vertices += __popc(those);\n", "", heads),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "mine ? indptr[j] : 0;", "0;", heads),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "mine ? indptr[j + 1] : 0;", "0;", heads),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        count = warp_reduce<Sum>(count);\n", "", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "if (lane_id() == 0 && count > 0) atomicAdd", "if (count > 0) atomicAdd", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        count = 0;\n", "", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        add_up(level.counts + 2, vertices);\n", "", logged),
    Mutant("closure/level_synchronous/frontier_counts.cuh", "        add_up(level.counts + 3, edges);\n", "", logged),
    Mutant("closure/level_synchronous/level_state.cuh", "if (changed) frontier_counts.note(j);", "frontier_counts.note(j);", logged),
    Mutant("closure/level_synchronous/level_state.cuh", "list(changed, j, frontier_counts.to - frontier_counts.from, next);", "list(true, j, frontier_counts.to - frontier_counts.from, next);", logged),
    # who has no values
    Mutant("closure/level_synchronous/level_state.cuh", "if (!S::same || x != nullptr) x[j]", "x[j]", unvalued),
    Mutant("closure/level_synchronous/level_state.cuh", "if (!S::same || x != nullptr) x[j]", "if (!S::same) x[j]", unvalued),
    Mutant("closure/level_synchronous/begin.cuh", "if (has && c.x != nullptr) c.x[j]", "if (has) c.x[j]", unvalued),
    Mutant("closure/level_synchronous/push_benign_race.cuh", "if (!S::same || x != nullptr)", "", unvalued),
    Mutant("matrix/relabel.cuh", "if (has[i] && x != nullptr) found[i]", "if (has[i]) found[i]", unvalued),
    Mutant("matrix/relabel.cuh", "            if (x == nullptr) continue;\n", "", unvalued),
    Mutant("closure/level_synchronous/begin.cuh", "    c.bits[word] = c.next.bits[word] = entries;", "    c.bits[word] = entries;", pulls),
    Mutant("closure/level_synchronous/begin.cuh", "    c.next.bits[others + word] = c.next.bits[2 * others + word] = 0;\n", "", pulls),
    Mutant("closure/level_synchronous/begin.cuh", "many ? j < all && present(start.bits, j) : j == start.only;", "many ? j < all : j == start.only;", several),
    Mutant("closure/level_synchronous/begin.cuh", "if (word != Count(one)) begin_word(c, all, static_cast<Index>(word), 0);", "begin_word(c, all, static_cast<Index>(word), 0);", pushes),
    Mutant("closure/level_synchronous/begin.cuh", "if (v >> 5 != Count(one)) c.x[v] = S::start();", ";", points),
    Mutant("closure/level_synchronous/begin.cuh", "if (v >> 5 != Count(one)) c.x[v] = S::start();", "c.x[v] = S::start();", points),
    Mutant("closure/level_synchronous/begin.cuh", "warp_id() == 0 ? one : words;", "one;", points),
    Mutant("closure/level_synchronous/begin.cuh", "if (has && c.x != nullptr) c.x[j] = foldable<S>(many ? start.values[j] : start.value);", "if (has && c.x != nullptr) c.x[j] = start.value;", several),
    Mutant("closure/level_synchronous/begin.cuh", "else if (!S::any && j < all) c.x[j] = S::start();", "", several),
    Mutant("closure/level_synchronous/begin.cuh", "else if (!S::any && j < all) c.x[j] = S::start();", "else if (!S::any) c.x[j] = S::start();", several),
    Mutant("closure/level_synchronous/level_state.cuh", "left &= left - 1;", "left = 0;", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "(word << 5) + __ffs(left) - 1 : 0;", "(word << 5) + __ffs(left) : 0;", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "        mine->flush(now.short_queue, now.counts);\n", "", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "list(has, j, degree, now);", "list(has, j, Offset(1), now);", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "(words_of(n), 32)", "(words_of(n) - 32, 32)", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "word < words_of(n) ? now.bits[word] : 0;", "now.bits[word];", returns),
    Mutant("closure/level_synchronous/level_state.cuh", "if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];", "", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];", "front[k] = x[k];", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "            front[k] = x[k];\n", "", pushes),
    Mutant("closure/level_synchronous/level_state.cuh", "at < items.n_short ? now.short_queue[at] : vertex_of(now.long_queue[at - items.n_short]);", "at < items.n_short ? now.short_queue[at] : 0;", pieces),
    Mutant("closure/level_synchronous/level_state.cuh", "(items.n_short + items.n_long)) {", "(items.n_short)) {", pieces),
    Mutant("closure/level_synchronous/level_state.cuh", "if (S::any || !held) return !held;", "if (S::any || !holds(j)) return !holds(j);", crowds),
    Mutant("closure/level_synchronous/level_state.cuh", "return !(S::add(seen, z) == seen);", "return !(S::add(seen, z) == z);", pushes),
    Mutant("closure/level_synchronous/level_state.cuh", "changed = live && !(atomicOr(bits + (j >> 5), 1u << (j & 31)) >> (j & 31) & 1u);", "changed = live && !holds(j); if (live) mark(bits, j);", roads),
    Mutant("closure/level_synchronous/level_state.cuh", "                put(j, z);\n", "", roads),
    Mutant("closure/level_synchronous/level_state.cuh", "                mark(next.bits, j);\n", "", turns),
    Mutant("closure/level_synchronous/level_state.cuh", "changed = (fresh || !(S::add(old, z) == old)) && claim", "changed = !(S::add(old, z) == old) && claim", worst),
    Mutant("closure/level_synchronous/level_state.cuh", "changed = (fresh || !(S::add(old, z) == old)) && claim", "changed = fresh && claim", pushes),
    Mutant("closure/level_synchronous/level_state.cuh", "!(S::add(old, z) == old)) && claim(next.bits, j);", "!(S::add(old, z) == old)); mark(next.bits, j);", sink),
    Mutant("closure/level_synchronous/level_state.cuh", "now = had ? S::add(old, z) : z;", "now = z;", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "now = had ? S::add(old, z) : z;", "now = S::add(old, z);  if (now == old) return false;", worst),
    Mutant("closure/level_synchronous/level_state.cuh", "if (had && now == old) return false;", "", pulls),
    Mutant("closure/level_synchronous/begin.cuh", "foldable<S>(many ? start.values[j] : start.value);", "many ? start.values[j] : start.value;", nans),
    Mutant("closure/level_synchronous/level_state.cuh", "put(j, foldable<S>(now));", "put(j, now);", nans),
    Mutant("core/fold.cuh", "return z == z ? z : M::start();", "return z == z ? z : -M::start();", nans),
    Mutant("closure/level_synchronous/level_state.cuh", "        put(j, foldable<S>(now));\n", "", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "(items.all())) {", "(items.all() / 2)) {", many_sources),
    Mutant("closure/level_synchronous/level_state.cuh", "const Count at = numbers.own();", "const Count at = numbers.first + lane_id();", many_sources),
    Mutant("closure/level_synchronous/level_state.cuh", "            if (at < items.all()) {", "            {", pushes),
    Mutant("closure/level_synchronous/frontier.cuh", "indptr[k] + static_cast<Offset>(number) * piece;", "indptr[k];", pieces),
    Mutant("closure/level_synchronous/frontier.cuh", "rest < piece ? rest : piece)", "rest < piece ? rest : piece - 1)", pieces),
    Mutant("closure/level_synchronous/level_state.cuh", "if (S::reads_vector) z = front[k];", "if (S::reads_vector) z = x[k];", many_sources),
    Mutant("closure/level_synchronous/level_state.cuh", "had = __shfl_sync(ALL_LANES, peek(bits + word), 0);", "had = peek(bits + word);", agreed),
    Mutant("closure/level_synchronous/level_state.cuh", "(S::any ? ~had : ALL_LANES) & inside(word, n);", "(S::any ? ~had : ALL_LANES);", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "atomicOr(bits + word, fresh);", "bits[word] |= fresh;", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);", "", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "                    frontier_counts.note((word << 5) + lane_id());\n", "                    {}\n", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "if (threadIdx.x == 0) settle_alone(", "settle_alone(", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "            atomicOr(bits + word, those);\n", "", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "            atomicOr(next.bits + word, those);\n", "", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "            frontier_counts.note(j);\n            return true;\n", "            return true;\n", pulls),
    Mutant("closure/level_synchronous/frontier.cuh", "if (thread_id<Count>() < 4) counts[thread_id<Count>()] = 0;", "", pushes),
    Mutant("closure/level_synchronous/frontier.cuh", "bits[word] = 0;", "{}", again),
    # the kernel
    Mutant("closure/level_synchronous/closure.cuh", "    if (threadIdx.x == 0) gathered.count = 0;\n", "", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "const Count g = generation % 3;", "const Count g = generation % 2;", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "    closure.append();\n    grid.wait();\n    bool", "    closure.append();\n    bool", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "            else closure.set_aside(now);\n            grid.wait();", "            else closure.set_aside(now);", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "if (races || (!pulls && !listed)) grid.wait();", "if (races) grid.wait();", returns),
    Mutant("closure/level_synchronous/closure.cuh", "if (!pulls && !listed) closure.make_lists(now, counted);", "", returns),
    Mutant("closure/level_synchronous/closure.cuh", "        listed = !pulls && !races;\n", "        listed = true;\n", returns),
    Mutant("closure/level_synchronous/closure.cuh", "        listed = !pulls && !races;\n", "        listed = !pulls;\n", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "        pulled = pulls;\n", "        pulled = true;\n", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "        closure.append();\n        grid.wait();\n        listed", "        closure.append();\n        listed", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "                grid.wait();\n                closure.race_push.compare", "                closure.race_push.compare", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "        if (races) closure.race_push.snapshot();\n", "", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "closure.frontier_counts.round = round;", "closure.frontier_counts.round = 1;", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "closure.next = level(round);", "", pushes),
    Mutant("closure/level_synchronous/closure.cuh", "closure.gather.u_bits = now.bits;", "closure.gather.u_bits = x.bits;", pulls),
    Mutant("closure/level_synchronous/closure.cuh", "bool pulls = edges > threshold ||", "bool pulls =", logged),
    Mutant("closure/level_synchronous/closure.cuh", "edges = counted ? now.read(3) : 0;", "edges = now.read(3);", agreed),
    Mutant("closure/level_synchronous/closure.cuh", "!(S::any && pulls) || log.wanted();", "!(S::any && pulls);", heads),
    Mutant("closure/level_synchronous/closure.cuh", "(S::any && pulled && vertices > Count(n_connected / STAY))", "false", stays),
    Mutant("closure/level_synchronous/closure.cuh", "vertices > Count(n_connected / STAY)", "true", stays),
    Mutant("closure/level_synchronous/closure.cuh", "round_bits[word] = peek(x.bits + word);", ";", pushes),
    Mutant("closure/level_synchronous/level_state.cuh", "                fold_rows();\n            } else {", "            } else {", stays),
    Mutant("closure/level_synchronous/level_state.cuh", "const Word left = ~peek(bits + word),", "const Word left = ALL_LANES,", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "(left & some) != 0 ? left : 0", "(left & some) == 0 ? left : 0", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "guesses && hubs > 0) meet();", "false) meet();", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "return !holds(j) && !(known", "return !(known", pulls),
    Mutant("closure/level_synchronous/level_state.cuh", "&& !(known && present(gather.u_bits, tail_of(likely_parent[j])));", ";", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "const bool known = may_know && likely_parent != nullptr;", "const bool known = true;", pulls),
    Mutant("spmv/first_hit.cuh", "ends[0] + behind, ends[1]", "ends[0] + behind + 1, ends[1]", heads),
    Mutant("spmv/first_hit.cuh", "if (settled != 0) mark(j >> 5, settled);", "", heads),
    Mutant("spmv/first_hit.cuh", "            pending -= count;\n", "            pending -= 32;\n", heads),
    Mutant("spmv/first_hit.cuh", "(over && pending > 0)", "false", heads),
    Mutant("spmv/first_hit.cuh", "const bool mine = lane_id() < count;", "const bool mine = true;", heads),
    Mutant("core/bitmap.cuh", "if (lane_id() + distance < 32 && whose == word) bits |= further;", "", heads),
    Mutant("core/bitmap.cuh", "if (lane_id() + distance < 32 && whose == word) bits |= further;", "bits |= further;", heads),
    Mutant("spmv/first_hit.cuh", "own < words ? wanted(own) & inside(own, n) : 0;", "own < words ? wanted(own) : 0;", firsts),
    Mutant("spmv/first_hit.cuh", "read_once<Offset>(heads + (i << 5))", "read_once<Offset>(heads)", heads),
    Mutant("spmv/first_hit.cuh", "if (union_of(word) != 0)", "if (word[0] != 0)", heads),
    Mutant("spmv/pull.cuh", "if (union_of(words) == 0) return;", "if (words[0] == 0) return;", heads),
    Mutant("spmv/pull.cuh", "i < count ? bits[tails[i] >> 5] : 0", "bits[tails[i] >> 5]", heads),
    Mutant("spmv/pull.cuh", "e < end && !mine.has; e += LOADS", "e < end && !mine.has; e += 2 * LOADS", heads),
    Mutant("spmv/first_hit.cuh", "            hits &= asks;\n", "", heads),
    Mutant("spmv/first_hit.cuh", "missed = (asks & ~hits) >> i & 1u;", "missed = asks >> i & 1u;", heads),
    Mutant("spmv/first_hit.cuh", "const bool searched = missed && goes_on;", "const bool searched = missed;", heads),
    Mutant("spmv/first_hit.cuh", "missed = (asks & ~hits) >> i & 1u;", "missed = ~hits >> i & 1u;", heads),
    Mutant("spmv/first_hit.cuh", "hit ? !(guessed && of_guess) : guesses && missed && of_guess", "hit && !(guessed && of_guess)", heads),
    Mutant("spmv/first_hit.cuh", "hit ? !(guessed && of_guess) : guesses && missed && of_guess", "hit ? !guessed : guesses && missed && of_guess", gaps),
    Mutant("spmv/first_hit.cuh", "hit ? !(guessed && of_guess) : guesses && missed && of_guess", "!(guessed && of_guess) && (guesses || hit)", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "frontier_counts.date(j, frontier_counts.round + !now);", "frontier_counts.date(j, frontier_counts.round);", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "!has_room<S> && !S::reads_vector;", "!has_room<S>;", firsts),
    Mutant("closure/level_synchronous/level_state.cuh", "                guessed = guesses;\n", "                guessed = true;\n", heads),
    Mutant("closure/level_synchronous/closure.cuh", "            closure.guessed = false;\n", "", resumes),
    Mutant("spmv/first_hit.cuh", "return head < 0 ? ~head : head;", "return head < 0 ? 0 : head;", heads),
    Mutant("matrix/relabel.cuh", "length > 1 && length <= longest ? head : ~head;", "length > 1 ? head : ~head;", heads),
    Mutant("spmv/likely_parent.cuh", "length > 1 && length <= longest ? head : ~head;", "length > 1 ? head : ~head;", heads),
    Mutant("matrix/relabel.cuh", "length > 0 ? indices[first] : static_cast<Index>(i);", "indices[first];", gaps),
    Mutant("spmv/first_hit.cuh", "if (lane_id() == i) fresh = some;", "fresh = some;", heads),
    Mutant("spmv/first_hit.cuh", "            found(base, hits, fresh);\n", "", heads),
    Mutant("closure/level_synchronous/level_state.cuh", "if (fresh != 0) mark_found(base + lane_id(), fresh);", "", heads),
    Mutant("closure/level_synchronous/closure.cuh", "line[1] = vertices;", "line[1] = now.read(0);", logged),
    Mutant("closure/level_synchronous/closure.cuh", "    if (log.wanted() && begins_now(parts...) && thread_id<Count>() == 0) log.lines[0] = clock64();\n", "", logged),
    Mutant("closure/level_synchronous/closure.cuh", "    if (log.wanted() && thread_id<Count>() == 0) log.lines[1] = clock64();\n", "", logged),
    Mutant("closure/level_synchronous/closure.cuh", "        if (log.wanted()) log.lines[2] = clock64();\n", "", logged),
    Mutant("closure/level_synchronous/closure.cuh", "closure.races = races;", "closure.races = false;", switches),
    Mutant("closure/level_synchronous/closure.cuh", "bool listed = start.only >= 0 && !resumed,", "bool listed = true,", several),
    Mutant("closure/level_synchronous/begin.cuh", "            c.next.counts[0] = 1;\n", "", pushes),
    Mutant("closure/level_synchronous/begin.cuh", "            c.next.long_queue[0] = j;\n", "", starts),
    Mutant("closure/level_synchronous/begin.cuh", "Count((degree - 1) / c.piece + 1) << 32 | 1;", "Count((degree - 1) / c.piece) << 32 | 1;", starts),
    Mutant("closure/level_synchronous/begin.cuh", "        if (many) continue;\n", "", several),
    Mutant("closure/level_synchronous/closure.cuh", "log.line(round - 1, 4);", "log.line(round, 4);", logged),
    Mutant("closure/level_synchronous/closure.cuh", "round <= max_rounds; ++round", "round < max_rounds; ++round", stops),
    Mutant("closure/level_synchronous/closure.cuh", "counts[UNSETTLED] = level(round - 1).read(2);", "counts[UNSETTLED] = 0;", cycle),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
