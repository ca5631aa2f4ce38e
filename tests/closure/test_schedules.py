"""What classical schedules cost and keep, beyond the answers that all schedules share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import NoFixpoint, TooLarge
from semirings import any_secondi, min_plus
from semirings.types import INT64
from tests import graphs
from tests.harness import DEVICE, GPU, put
from tests.spec import Sparse

N = 40
ONE_BLOCK = lg.Schedule("push", small="block")


def path(backend: Any = GPU) -> lg.Graph:
    return lg.Graph.from_edges(*graphs.path(N), n=N, backend=backend)


def waits(call: Any) -> int:
    """How often a second call waits for the device."""
    call()
    before = DEVICE.waits
    call()
    return DEVICE.waits - before


def test_one_block_waits_once_for_all_rounds() -> None:
    G = path()
    assert waits(lambda: lg.bfs(G, 0, schedule=ONE_BLOCK)) == 1
    assert waits(lambda: lg.bfs(G, 0, schedule=lg.Schedule("push", loop="host"))) >= N


def test_one_block_proves_that_a_cycle_improves() -> None:
    A = put(Sparse(INT64, (3, 3), {(0, 1): INT64.type(-1), (1, 0): INT64.type(0)}), GPU)
    x0 = put(Sparse(INT64, (3,), {0: INT64.type(0)}), GPU)
    with pytest.raises(NoFixpoint, match="improves on itself"):
        lg.closure(x0, A, min_plus, schedule=ONE_BLOCK)
    x, step = closure_with_rounds(x0, A, min_plus, 5, ONE_BLOCK)
    assert x.to_dense(9).tolist() == [-2, -3, 9] and step.to_dense(-1).tolist() == [4, 5, -1]


def test_one_block_bounds_what_it_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has room for so many rounds; then the block is launched again."""
    monkeypatch.setattr("lagraph_gpu.gpu.closure.few_levels.LOGGED", 7)
    with lg.trace() as steps:
        level, _ = lg.bfs(path(), 0, schedule=ONE_BLOCK)
    assert level.to_dense().tolist() == list(range(N)) and len(steps) == N
    assert [(s.direction, s.frontier, s.edges) for s in steps[:-1]] == [("push", 1, 1)] * (N - 1)


def test_a_queue_is_the_next_frontier() -> None:
    """Nobody makes a list of a bitmap but for the first round, nor counts it."""
    G, made = path(), []
    inner = GPU.products._compact
    try:
        GPU.products._compact = lambda u, vertices: made.append(u) or inner(u, vertices)
        lg.bfs(G, 0, schedule=lg.Schedule("push", frontier="block"))
    finally:
        del GPU.products._compact
    assert len(made) == 1


@pytest.mark.parametrize("schedule", [lg.Schedule("edge"), ONE_BLOCK], ids=str)
def test_explained(schedule: lg.Schedule) -> None:
    G = path()
    with lg.explain() as told:
        lg.bfs(G, 0, schedule=schedule)
    assert told.steps and "as a balance" in told.choices[0].because
    assert {s.direction for s in told.steps} == {schedule.direction}
    if schedule.direction == "edge":
        assert all(s.looked == N - 1 for s in told.steps)
    else:
        assert told.choices[1].chosen == "push, by one block" and len(told.steps) == N


@pytest.mark.parametrize("schedule", [
    None, lg.Schedule("push"), lg.Schedule("edge"), lg.Schedule("edge", layout="segmented"),
    lg.Schedule("pull", layout="aligned"), lg.Schedule(order="delta"), ONE_BLOCK,
], ids=str)  # fmt: skip
def test_what_was_made_of_values_serves_no_others(schedule: lg.Schedule | None) -> None:
    """A matrix with new values shares its structure, and no order or copy of the old values."""
    A = lg.Matrix.from_coo(np.arange(9), np.arange(1, 10), np.arange(1, 10), nrows=10, ncols=10,
                           backend=GPU)  # fmt: skip
    x = lg.Vector.from_coo([0], [0], size=10, backend=GPU)
    doubled = A.apply("times", 2)
    for _ in range(2):
        first = lg.closure(x, A, min_plus, schedule=schedule).to_dense()
        second = lg.closure(x, doubled.new(), min_plus, schedule=schedule).to_dense()
        np.testing.assert_array_equal(first, np.cumsum(np.arange(10)))
        np.testing.assert_array_equal(second, 2 * first)


def test_rows_that_cannot_be_interleaved() -> None:
    """More slots than offsets of 32 bits can count, before any is asked for."""
    A = lg.Matrix.from_coo([0], [0], 1, nrows=33, ncols=33, backend=GPU)
    begins = np.r_[0, np.full(32, 1 << 26), 1 << 27].astype(np.int32)  # two rows of 2^26
    A._store.indptr = GPU.device.upload(begins)
    with pytest.raises(TooLarge, match="order the vertices by degree"):
        GPU.products.rearranged.slices(A._store, 1 << 30)


def test_the_cpu_ignores_what_it_has_not() -> None:
    G = path("cpu")
    for schedule in (lg.Schedule("edge", layout="segmented"), lg.Schedule(small="block"),
                     lg.Schedule("hybrid", layout="aligned", frontier="block")):  # fmt: skip
        assert lg.bfs(G, 0, schedule=schedule)[0].to_dense().tolist() == list(range(N))


def test_any_takes_what_the_queue_holds() -> None:
    """From many at once, under each way to keep a queue: the same set of entries."""
    A = lg.Matrix.from_coo(*np.indices((N, N)).reshape(2, -1), 1, nrows=N, ncols=N, backend=GPU)
    u = lg.Vector.from_coo(np.arange(0, N, 3), 1, "INT64", size=N, backend=GPU)
    for frontier in ("none", "global", "block"):
        w = lg.Vector(any_secondi.output(u.dtype, A.dtype), N, backend=GPU)
        w(schedule=lg.Schedule("push", frontier=frontier)) << any_secondi(u @ A)
        assert w.nvals == N and set(w.to_dense().tolist()) <= set(range(0, N, 3))


@pytest.mark.parametrize(
    "schedule",
    [None, lg.Schedule("edge"), lg.Schedule("edge", layout="segmented"),
     lg.Schedule("pull", layout="aligned"), lg.Schedule(order="delta")], ids=str,
)  # fmt: skip
def test_what_is_made_of_values_is_not_their_successors(schedule: Any) -> None:
    """Other values in the same structure: copies of the old ones, which are kept, are of no use."""
    G = lg.grid(7, 7, weights="integer", backend=GPU)
    for matrix in (G.A, G.prepared().A):
        lg.sssp(lg.Graph(matrix), 0, schedule=schedule)
        H = lg.Graph(matrix.apply("minus", left=400.0).new())
        found = lg.sssp(H, 0, schedule=schedule)[0].to_dense(-1.0)
        np.testing.assert_array_equal(found, lg.sssp(H.to("cpu"), 0)[0].to_dense(-1.0))
