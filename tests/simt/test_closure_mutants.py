# ruff: noqa: E501  (mutants of one line)
"""The kernel of whole closures, broken in the lines that matter: each mutant must be caught."""

from __future__ import annotations

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.errors import NoFixpoint
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, any_secondi, min_plus
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


def searches(
    direction: str | None, piece: int, balance: str | None = None, most: int | None = None
) -> None:
    schedule = Schedule(direction, balance, "device")
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
    """More items than a block gathers, from the start and later on."""
    backend = gpu(0)
    backend.traversals.piece = 1
    n = 1500
    rng = np.random.default_rng(1)
    edges = rng.integers(0, n, (2, 5 * n))
    A = lg.Matrix.from_coo(
        *edges, 1, "INT64", nrows=n, ncols=n, dup_op=BINARY["min"], backend=backend
    )
    x0 = lg.Vector.from_coo(np.arange(n), np.arange(n) * 7 % 50, "INT64", size=n, backend=backend)
    found = [
        closure_with_steps(x0, A, min_plus, None, Schedule("push", loop=loop))
        for loop in ("host", "device")
    ]
    for one, other in zip(*found, strict=True):
        assert one.isequal(other)


def logged() -> None:
    """The trace tells what each round saw, in both directions."""
    backend = gpu(1)
    A = matrix(dense_graph(np.int64, 1), backend)
    x0 = lg.Vector.from_coo([20], [0], "INT64", size=N, backend=backend)
    traces = []
    for loop in ("host", "device"):
        with lg.trace() as steps:
            closure_with_steps(x0, A, min_plus, None, Schedule(loop=loop))
        traces.append([(s.direction, s.frontier, s.edges) for s in steps if s.frontier])
    assert traces[0] == traces[1] and {d for d, *_ in traces[0]} == {"push", "pull"}


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
        x0 = lg.Vector.from_coo([0], [0], size=n, backend=backend)
        found = []
        for loop in ("host", "device"):
            with lg.trace() as steps:
                x, when = closure_with_steps(x0, A, min_plus, None, Schedule("push", loop=loop))
            found.append((x, when, [(s.frontier, s.edges) for s in steps if s.frontier]))
        assert found[0][0].isequal(found[1][0]) and found[0][1].isequal(found[1][1])
        assert found[0][2] == found[1][2]


def cycle() -> None:
    backend = gpu(0)
    A = lg.Matrix.from_coo([0, 1], [1, 0], [-1, 0], nrows=3, ncols=3, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=3, backend=backend)
    with pytest.raises(NoFixpoint):
        lg.closure(x0, A, min_plus, schedule=Schedule("push", loop="device"))


EXERCISES = (pushes, pieces, pulls, switches, stops, many_sources, logged, sink, cycle)

MUTANTS = [
    Mutant("grid.cuh", "        __syncthreads();\n        if (threadIdx.x == 0) {\n            __threadfence();", "        if (threadIdx.x == 0) {\n            __threadfence();", pushes),
    Mutant("grid.cuh", "            __threadfence();\n            const", "            const", pushes),
    Mutant("grid.cuh", "{}\n            __threadfence();", "{}", pushes),
    Mutant("grid.cuh", "(mine / gridDim.x + 1) * gridDim.x", "gridDim.x", pushes),
    Mutant("closure.cuh", "        rounds[j] = round;\n", "", pushes),
    Mutant("closure.cuh", "first == 0 || first < degree; first += piece", "first == 0; first += piece", pieces),
    Mutant("closure.cuh", "first == 0 || first < degree", "first < degree", sink),
    Mutant("closure.cuh", "item_of(j, first / piece)", "item_of(j, 0)", pieces),
    Mutant("lists.cuh", "else list[atomicAdd(total, Count(1))] = item;", "", many_sources),
    Mutant("lists.cuh", "count < GATHERED ? count : GATHERED", "count", many_sources),
    Mutant("lists.cuh", "list[begin + i] = items[i];", "list[i] = items[i];", switches),
    Mutant("closure.cuh", "        vertices = edges = 0;\n", "", logged),
    Mutant("lists.cuh", "if (threadIdx.x == 0) count = 0;", "", switches),
    Mutant("closure.cuh", "if (lane_id() == 0) next.bits[word] = bits[word];", "", pulls),
    Mutant("closure.cuh", "if (j < n && present(bits, j)) queue(j);", "if (j < n) queue(j);", logged),
    Mutant("closure.cuh", "else if (!S::any && j < n) x[j] = S::start();", "", pushes),
    Mutant("closure.cuh", "            front[k] = x[k];\n", "", pushes),
    Mutant("closure.cuh", "if (had || !claim(bits, j)) return;", "if (had) return; claim(bits, j);", pushes),
    Mutant("closure.cuh", "            claim(next.bits, j);\n            queue(j);\n        } else {", "            queue(j);\n        } else {", switches),
    Mutant("closure.cuh", "if (had && S::add(seen, z) == seen) return;", "if (S::add(seen, z) == seen) return;  if (had) return;", pushes),
    Mutant("closure.cuh", "!(S::add(old, z) == old)) && claim(next.bits, j)) queue(j);", "!(S::add(old, z) == old))) queue(j);", sink),
    Mutant("closure.cuh", "if ((fresh || !(S::add(old, z) == old))", "if (fresh", pushes),
    Mutant("closure.cuh", "now = had ? S::add(old, z) : z;", "now = z;", pulls),
    Mutant("closure.cuh", "if (had && now == old) return false;", "", pulls),
    Mutant("closure.cuh", "at < items; at += thread.all / width", "at + 1 < items; at += thread.all / width", pushes),
    Mutant("closure.cuh", "indptr[k] + static_cast<Offset>(piece_of(item)) * piece;", "indptr[k];", pieces),
    Mutant("closure.cuh", "> piece ? first + piece : indptr[k + 1]", "> piece ? first + piece - 1 : indptr[k + 1]", pieces),
    Mutant("closure.cuh", "& inside(word, n);\n            const Partial", ";\n            const Partial", pulls),
    Mutant("closure.cuh", "atomicOr(bits + word, entries);", "bits[word] |= entries;", pulls),
    Mutant("closure.cuh", "if (lane_id() == 0 && changed) atomicOr(next.bits + word, changed);", "", pulls),
    Mutant("closure.cuh", "            if (changes) queue(j);\n", "", pulls),
    Mutant("closure.cuh", "threadIdx.x > 0 || !found.has ||", "!found.has ||", pulls),
    Mutant("closure.cuh", "            claim(bits, j);\n            claim(next.bits, j);\n            queue(j);\n        }\n    }", "            claim(next.bits, j);\n            queue(j);\n        }\n    }", pulls),
    Mutant("closure.cuh", "if (thread.first < 3) old.counts[thread.first] = 0;", "", pushes),
    Mutant("closure.cuh", "old.bits[vertex_of(old.queue[at]) >> 5] = 0;", "", pushes),
    Mutant("closure.cuh", "            closure.set_aside(now, items);\n            grid.wait();", "            closure.set_aside(now, items);", pushes),
    Mutant("closure.cuh", "        closure.append();\n        grid.wait();\n        before", "        closure.append();\n        before", pushes),
    Mutant("closure.cuh", "closure.gather.u_bits = now.bits;", "closure.gather.u_bits = x_bits;", pulls),
    Mutant("closure.cuh", "const bool pulls = edges > threshold;", "const bool pulls = false;", logged),
    Mutant("closure.cuh", "round <= most; ++round", "round < most; ++round", stops),
    Mutant("closure.cuh", "        before = items;\n", "", pushes),
    Mutant("closure.cuh", "counts[10] = level(round - 1).read(0);", "counts[10] = 0;", cycle),
]  # fmt: skip


test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
