# ruff: noqa: E501  (mutants of one line)
"""The kernel of closures by rounds, broken in the lines that matter: each mutant must be caught."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.errors import NoFixpoint
from lagraph_gpu.gpu import told
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, any_secondi, max_min, min_plus
from tests.simt.mutants import Mutant, suite
from tests.simt.test_kernel_mutants import HUB, SEEDS, N, dense_graph, gpu, matrix

LONG = 10**6


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
            x, when = closure_with_steps(x0, A, ring, None, Schedule(direction, loop=loop))
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
        backend.traversals.piece = piece
        A = dense_graph(np.int64, seed)
        A[HUB, 40:], A[40:50, HUB] = 0, 0
        G, source = matrix(A, backend), 40 + seed
        x0 = lg.Vector.from_coo([source], [source], "INT64", size=N, backend=backend)
        x, when = closure_with_steps(x0, G, any_secondi, most, schedule)
        distance, rounds = reference(A, source, True, most or N)
        np.testing.assert_array_equal(when.to_dense(-1), distance)
        index, parent = x.to_coo()
        others = index != source
        assert (A[parent[others], index[others]] > 0).all()
        assert (distance[parent[others]] == distance[index[others]] - 1).all()
        x0[source] = 0
        x, when = closure_with_steps(x0, G, min_plus, most, schedule)
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
    backend = gpu(0)
    backend.traversals.piece = 1
    n = 1500
    rng = np.random.default_rng(1)
    edges = rng.integers(0, n, (2, 5 * n))
    A = lg.Matrix.from_coo(
        *edges, 1, "INT64", nrows=n, ncols=n, dup_op=BINARY["min"], backend=backend
    )
    x0 = lg.Vector.from_coo(np.arange(n), np.arange(n) * 7 % 50, "INT64", size=n, backend=backend)
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
        backend.device.max_blocks, backend.traversals.piece = blocks, 1
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
    for seed in range(12):
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
    """All vertices change, round after round: what was queued before must not be queued again."""
    n, backend = 70, gpu(2)
    A = lg.Matrix.from_coo(np.arange(n - 1), np.arange(1, n), 1, nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo(np.arange(n), 100 * np.arange(n), size=n, backend=backend)
    both(x0, A, min_plus, "push")


def stays() -> None:
    """A search that pulls goes on pulling while many vertices change, though few edges leave them,
    and pushes when few do."""
    n, wide = 301, 100
    first, second = 1 + np.arange(wide), 1 + wide + np.arange(wide)
    chain = np.arange(1 + 2 * wide, n)
    few = second[:30]  # only these lead on
    rows = [np.zeros(wide, int), np.repeat(first, 8), few, chain[:-1]]
    columns = [first, second[np.arange(8 * wide) % wide], 0 * few + chain[0], chain[1:]]
    rows, columns = np.concatenate(rows), np.concatenate(columns)
    backend = gpu(2)
    A = lg.Matrix.from_coo(
        rows, columns, 1, nrows=n, ncols=n, dup_op=BINARY["min"], backend=backend
    )
    x0 = lg.Vector.from_coo([0], [0], "INT64", size=n, backend=backend)
    with lg.trace() as steps:
        _, when = closure_with_steps(x0, A, any_secondi, None, Schedule(order="rounds"))
    assert when.to_coo()[1].tolist() == [0] + [1] * wide + [2] * wide + list(
        range(3, 3 + chain.size)
    )
    assert [s.direction for s in steps][:4] == ["pull", "pull", "pull", "push"], steps


def whole() -> None:
    """A warp asks for just as many edges as it can at once, of which not all are of use."""
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
    """An entry may be just what a fold starts from, and is an entry nevertheless."""
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
    """The trace tells what each round saw, in both directions; items are not vertices."""
    backend = gpu(1)
    backend.traversals.piece = 3
    A = matrix(dense_graph(np.int64, 1), backend)
    x0 = lg.Vector.from_coo([20], [0], "INT64", size=N, backend=backend)
    assert {way for way, *_ in both(x0, A, min_plus)} == {"push", "pull"}
    heads: list[Any] = []
    with lg.explain() as explained, pytest.MonkeyPatch.context() as patch:
        tell = told.tell_rounds
        patch.setattr(told, "tell_rounds", lambda *a: heads.append(a[0]) or tell(*a))
        lg.closure(x0, A, min_plus, schedule=Schedule(order="rounds"))
    clocks, took = [s.clock for s in explained.steps], [s.cycles for s in explained.steps]
    ((begin, over, end),) = heads
    assert 0 < begin < clocks[0] and clocks[-1] < over < end and end - begin > sum(took)
    assert min(took) > 0 and clocks == sorted(clocks) and clocks[0] + sum(took) == over


def sink() -> None:
    """A vertex without out-edges improves several times, and in one round by several offers."""
    n = 40
    weight = {(i, i + 1): 1 for i in range(n - 2)} | {
        (i, n - 1): 200 - 3 * i for i in range(0, n - 2, 3)
    }
    weight |= {
        (0, i): 60 for i in range(10, 30)
    }  # all of which offer to the sink in the next round
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


EXERCISES = (
    pushes, pieces, pulls, switches, stops, many_sources, returns, crowds, again, waves, stays, whole, worst, logged, sink, cycle,
)  # fmt: skip

MUTANTS = [
    Mutant("grid.cuh", "        __syncthreads();\n        if (threadIdx.x == 0) {\n            __threadfence();", "        if (threadIdx.x == 0) {\n            __threadfence();", pushes),
    Mutant("grid.cuh", "            __threadfence();\n            const", "            const", pushes),
    Mutant("grid.cuh", "{}\n            __threadfence();", "{}", pushes),
    Mutant("grid.cuh", "(mine / gridDim.x + 1) * gridDim.x", "gridDim.x", pushes),
    # what the warps of a block share out
    Mutant("balance.cuh", "if (lane_id() >= distance) end += below;", "end += below;", pushes),
    Mutant("balance.cuh", "begin = end - count;", "begin = end;", pushes),
    Mutant("balance.cuh", "total = __shfl_sync(ALL_LANES, end, 31);", "total = end;", pushes),
    Mutant("balance.cuh", "whose + half - 1) <= at) whose", "whose + half - 1) < at) whose", pushes),
    Mutant("balance.cuh", "int half = 16;", "int half = 8;", many_sources),
    # lists
    Mutant("lists.cuh", "Count(pieces.total) - room", "Count(pieces.total)", many_sources),
    Mutant("lists.cuh", "if (unsigned(t) < room) items", "if (true) items", many_sources),
    Mutant("lists.cuh", "at < GATHERED ? GATHERED - at : 0", "GATHERED - at", many_sources),
    Mutant("lists.cuh", "list[beyond + t - room] = item_of(whole, t - first)", "list[beyond + t] = item_of(whole, t - first)", many_sources),
    Mutant("lists.cuh", "list[beyond + t - room] = item_of(whole, t - first)", "list[beyond + t - room] = item_of(whole, 0)", many_sources),
    Mutant("lists.cuh", "items[at + t] = item_of(whole, t - first)", "items[at + t] = item_of(whole, 0)", pieces),
    Mutant("lists.cuh", "items[at + t] = item_of(whole, t - first)", "items[at + t] = item_of(vertex, t - first)", pieces),
    Mutant("lists.cuh", "int((degree - 1) / piece) + 1", "int((degree - 1) / piece)", pieces),
    Mutant("lists.cuh", "if (t >= pieces.total) continue;", "", pushes),
    Mutant("lists.cuh", "at = __shfl_sync(ALL_LANES, at, 0);", "", pushes),
    Mutant("lists.cuh", "beyond = __shfl_sync(ALL_LANES, beyond, 0);", "", many_sources),
    Mutant("lists.cuh", "count < GATHERED ? count : GATHERED", "count", many_sources),
    Mutant("lists.cuh", "list[begin + i] = items[i];", "list[i] = items[i];", switches),
    Mutant("lists.cuh", "if (threadIdx.x == 0) count = 0;", "", waves),
    Mutant("lists.cuh", "        __syncthreads();\n        const unsigned gathered", "        const unsigned gathered", pushes),
    Mutant("lists.cuh", "        __syncthreads();\n        for (unsigned i", "        for (unsigned i", pushes),
    Mutant("lists.cuh", "return piece << 32 | vertex;", "return piece << 31 | vertex;", pieces),
    # the walk
    Mutant("walk.cuh", "const Offset origin = first - share.begin;", "const Offset origin = first;", pushes),
    Mutant("walk.cuh", "base < share.total; base += 32 * many", "base < share.total; base += 64 * many", pushes),
    Mutant("walk.cuh", "__shfl_sync(ALL_LANES, k, whose[i])", "k", pushes),
    Mutant("walk.cuh", "__shfl_sync(ALL_LANES, z, whose[i])", "z", pushes),
    Mutant("walk.cuh", "__shfl_sync(ALL_LANES, origin, whose[i])", "origin", pushes),
    Mutant("walk.cuh", "if (base + 32 * i >= share.total) continue;", "if (base + 32 * i > 0) continue;", pushes),
    Mutant("walk.cuh", "base + 32 * i + lane_id() < share.total && (of_use", "true && (of_use", pushes),
    Mutant("walk.cuh", "waiting + __popc(some & lanes_below())", "waiting + lane_id()", pushes),
    Mutant("walk.cuh", "            waiting += __popc(some);\n", "            if (waiting == 0) waiting += __popc(some);\n", pushes),
    Mutant("walk.cuh", "        __syncwarp();\n        const bool last", "        const bool last", pushes),
    Mutant("walk.cuh", "(last && waiting > 0)", "(false)", pushes),
    Mutant("walk.cuh", "base + 32 * many >= share.total;", "base + 32 * many > share.total;", whole),
    Mutant("walk.cuh", "waiting < 32 ? waiting : 32;", "32;", pushes),
    Mutant("walk.cuh", "            waiting -= now;\n            const bool live = lane_id() < now;", "            waiting -= now;\n            const bool live = true;", pushes),
    Mutant("walk.cuh", "waiting + (live ? lane_id() : 0)", "(live ? lane_id() : 0)", pushes),
    # the state of a closure by rounds
    Mutant("rounds.cuh", "        rounds[j] = round;\n", "", pushes),
    Mutant("rounds.cuh", "        ++vertices;\n", "", pushes),
    Mutant("rounds.cuh", "        edges += to - from;\n        from = indptr[j];", "        from = indptr[j];", many_sources),
    Mutant("rounds.cuh", "        edges += to - from;\n        from = to;", "        from = to;", logged),
    Mutant("rounds.cuh", "        from = to;\n", "", logged),
    Mutant("rounds.cuh", "if (changed) note(j);", "note(j);", logged),
    Mutant("rounds.cuh", "mine->add(changed, j, changed ? to - from : Offset(0)", "mine->add(true, j, changed ? to - from : Offset(0)", logged),
    Mutant("rounds.cuh", "            vertices += __shfl_xor_sync(ALL_LANES, vertices, distance);\n", "", logged),
    Mutant("rounds.cuh", "            edges += __shfl_xor_sync(ALL_LANES, edges, distance);\n", "", logged),
    Mutant("rounds.cuh", "if (lane_id() == 0 && vertices > 0) {", "if (vertices > 0) {", logged),
    Mutant("rounds.cuh", "        vertices = edges = 0;\n", "", logged),
    Mutant("rounds.cuh", "if (lane_id() == 0) bits[word] = next.bits[word] = entries;", "if (lane_id() == 0) bits[word] = entries;", pulls),
    Mutant("rounds.cuh", "const bool has = j < n && present(start_bits, j);", "const bool has = j < n;", logged),
    Mutant("rounds.cuh", "else if (!S::any && j < n) x[j] = S::start();", "", pushes),
    Mutant("rounds.cuh", "else if (!S::any && j < n) x[j] = S::start();", "else if (!S::any) x[j] = S::start();", pushes),
    Mutant("rounds.cuh", "left &= left - 1;", "left = 0;", returns),
    Mutant("rounds.cuh", "(word << 5) + __ffs(left) - 1 : 0;", "(word << 5) + __ffs(left) : 0;", returns),
    Mutant("rounds.cuh", "        mine->flush(now.queue, now.counts);\n", "", returns),
    Mutant("rounds.cuh", "mine->add(has, j, degree, piece, now.queue, now.counts);", "mine->add(has, j, degree, degree, now.queue, now.counts);", returns),
    Mutant("rounds.cuh", "base < words_of(n); base += warp_count() << 5", "base < words_of(n) - 32; base += warp_count() << 5", returns),
    Mutant("rounds.cuh", "word < words_of(n) ? now.bits[word] : 0;", "now.bits[word];", returns),
    Mutant("rounds.cuh", "if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];", "", pulls),
    Mutant("rounds.cuh", "if (now.bits[word] >> lane_id() & 1u) front[k] = x[k];", "front[k] = x[k];", pulls),
    Mutant("rounds.cuh", "            front[k] = x[k];\n", "", pushes),
    Mutant("rounds.cuh", "if (S::any || !held) return !held;", "if (S::any || !holds(j)) return !holds(j);", crowds),
    Mutant("rounds.cuh", "return !(S::add(seen, z) == seen);", "return !(S::add(seen, z) == z);", pushes),
    Mutant("rounds.cuh", "changed = live && claim(bits, j);", "changed = live && !holds(j); mark(bits, j);", pushes),
    Mutant("rounds.cuh", "                x[j] = z;\n", "", pushes),
    Mutant("rounds.cuh", "                mark(next.bits, j);\n", "", switches),
    Mutant("rounds.cuh", "changed = (fresh || !(S::add(old, z) == old)) && claim", "changed = !(S::add(old, z) == old) && claim", worst),
    Mutant("rounds.cuh", "changed = (fresh || !(S::add(old, z) == old)) && claim", "changed = fresh && claim", pushes),
    Mutant("rounds.cuh", "!(S::add(old, z) == old)) && claim(next.bits, j);", "!(S::add(old, z) == old)); mark(next.bits, j);", sink),
    Mutant("rounds.cuh", "now = had ? S::add(old, z) : z;", "now = z;", pulls),
    Mutant("rounds.cuh", "now = had ? S::add(old, z) : z;", "now = S::add(old, z);  if (now == old) return false;", worst),
    Mutant("rounds.cuh", "if (had && now == old) return false;", "", pulls),
    Mutant("rounds.cuh", "        x[j] = now;\n", "", pulls),
    Mutant("rounds.cuh", "base < items; base += 32 * warps", "base < items; base += 64 * warps", many_sources),
    Mutant("rounds.cuh", "const Count at = base + lane_id() * warps;", "const Count at = base + lane_id();", many_sources),
    Mutant("rounds.cuh", "at < items ? now.queue[at] : 0;", "now.queue[at];", pushes),
    Mutant("rounds.cuh", "indptr[k] + static_cast<Offset>(piece_of(item)) * piece;", "indptr[k];", pieces),
    Mutant("rounds.cuh", "rest < piece ? rest : piece)", "rest < piece ? rest : piece - 1)", pieces),
    Mutant("rounds.cuh", "at < items) z = front[k];", "at < items) z = x[k];", many_sources),
    Mutant("rounds.cuh", "at < items ? static_cast<int>", "true ? static_cast<int>", pushes),
    Mutant("rounds.cuh", "(S::any ? ~had : ALL_LANES) & inside(word, n);", "(S::any ? ~had : ALL_LANES);", pulls),
    Mutant("rounds.cuh", "atomicOr(bits + word, entries);", "bits[word] |= entries;", pulls),
    Mutant("rounds.cuh", "if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);", "", pulls),
    Mutant("rounds.cuh", "            if (changes) note(j);\n", "", pulls),
    Mutant("rounds.cuh", "if (threadIdx.x == 0) settle_hub(", "settle_hub(", pulls),
    Mutant("rounds.cuh", "            mark(bits, j);\n            mark(next.bits, j);\n", "            mark(next.bits, j);\n", pulls),
    Mutant("rounds.cuh", "            mark(bits, j);\n            mark(next.bits, j);\n", "            mark(bits, j);\n", pulls),
    Mutant("rounds.cuh", "            mark(next.bits, j);\n            note(j);\n", "            mark(next.bits, j);\n", pulls),
    Mutant("rounds.cuh", "if (thread.first < 3) old.counts[thread.first] = 0;", "", pushes),
    Mutant("rounds.cuh", "if (items < Count(words_of(n)))", "if (true)", again),
    Mutant("rounds.cuh", "old.bits[vertex_of(old.queue[at]) >> 5] = 0;", ";", again),
    Mutant("rounds.cuh", "old.bits[word] = 0;", ";", again),
    # the kernel
    Mutant("closure.cuh", "    if (threadIdx.x == 0) appends.count = 0;\n", "", pushes),
    Mutant("closure.cuh", "const Count g = generation % 3;", "const Count g = generation % 2;", pushes),
    Mutant("closure.cuh", "    closure.append();\n    grid.wait();\n    Count", "    closure.append();\n    Count", pushes),
    Mutant("closure.cuh", "            else closure.set_aside(now);\n            grid.wait();", "            else closure.set_aside(now);", pushes),
    Mutant("closure.cuh", "            closure.list(now);\n            grid.wait();", "            closure.list(now);", returns),
    Mutant("closure.cuh", "if (!pulls && !listed) {", "if (false) {", returns),
    Mutant("closure.cuh", "            listed = true;\n", "", returns),
    Mutant("closure.cuh", "        listed = !pulls;\n", "", returns),
    Mutant("closure.cuh", "listed ? now.read(0) : words_of(n);", "now.read(0);", again),
    Mutant("closure.cuh", "        closure.append();\n        grid.wait();\n        before", "        closure.append();\n        before", pushes),
    Mutant("closure.cuh", "closure.round = round;", "closure.round = 1;", pushes),
    Mutant("closure.cuh", "closure.next = level(round);", "", pushes),
    Mutant("closure.cuh", "closure.gather.u_bits = now.bits;", "closure.gather.u_bits = x_bits;", pulls),
    Mutant("closure.cuh", "const bool pulls = edges > threshold ||", "const bool pulls =", logged),
    Mutant("closure.cuh", "(S::any && !listed && now.read(1) > Count(n / STAY))", "false", stays),
    Mutant("closure.cuh", "now.read(1) > Count(n / STAY)", "true", stays),
    Mutant("closure.cuh", "round_bits[word] = peek(x_bits + word);", ";", pushes),
    Mutant("rounds.cuh", "if (has) x[j] = start[j];", "", pushes),
    Mutant("rounds.cuh", "else search_rows(gather, n, wanted, hit);", "", stays),
    Mutant("rounds.cuh", "return S::any ? ~peek(bits + word) : ALL_LANES;", "return ALL_LANES;", pulls),
    Mutant("rounds.cuh", "[&](Index j) { return !holds(j); },", "[&](Index) { return true; },", pulls),
    Mutant("closure.cuh", "line[1] = now.read(1);", "line[1] = now.read(0);", logged),
    Mutant("closure.cuh", "    if (log != nullptr && Threads().first == 0) log[0] = clock64();\n", "", logged),
    Mutant("closure.cuh", "    if (log != nullptr && thread.first == 0) log[1] = clock64();\n", "", logged),
    Mutant("closure.cuh", "        if (log != nullptr) log[2] = clock64();\n", "", logged),
    Mutant("closure.cuh", "log + 4 * round;", "log + 4 * (round - 1);", logged),
    Mutant("closure.cuh", "round <= most; ++round", "round < most; ++round", stops),
    Mutant("closure.cuh", "        before = items;\n", "", switches),
    Mutant("closure.cuh", "counts[10] = level(round - 1).read(1);", "counts[10] = 0;", cycle),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
