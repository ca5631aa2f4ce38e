"""How fast is a sparse vector times a matrix? ``python -m benchmarks.spmspv --graph kron22``.

u plus_times A for u with entries at random vertices, a share of 0.0001 … 0.1 of them: pushed,
pulled, and as the planner chooses. The record's ``direction`` says what was done. The floor of a
push is the frontier's rows, of a pull the whole matrix.
"""

from __future__ import annotations

import sys
from typing import Any, Literal

import numpy as np

import lagraph_gpu as lg
from benchmarks.expected import ExpectedVector, frontier_product
from benchmarks.operations import OURS, Entry, Place, Question, Ways, main
from benchmarks.problem import Problem
from semirings import SEMIRINGS

SHARES = (0.0001, 0.001, 0.01, 0.1)
plus_times = SEMIRINGS["plus_times"]


def ways(problem: Problem) -> list[Entry]:
    found = Ways()
    for share in SHARES:
        of_share(found, problem, share)
    return found.entries


def of_share(found: Ways, problem: Problem, share: float) -> None:
    """The ways for one density of u."""
    case, A, n = f"{share:g} of vertices", problem.A, problem.n
    rng = np.random.default_rng(1)
    index = np.sort(rng.choice(n, max(1, round(share * n)), replace=False))
    values = rng.integers(1, 5, index.size).astype(np.float32)
    right = frontier_product(A, index, values)
    edges, bitmaps = int(problem.degree[index].sum()), 2 * (n // 8)
    push = bitmaps + index.size * 12 + 8 * edges + 4 * right.index.size
    pull = bitmaps + problem.bytes.all + 4 * index.size + 4 * right.index.size

    def statement(schedule: lg.Schedule | None) -> Any:
        def make(place: Place) -> Any:
            u = place.vector(index, values, n)

            def product(u: lg.Vector) -> lg.Vector:
                w = lg.Vector("FP32", n, backend=place.backend)
                w(schedule=schedule) << plus_times(u @ place.A)
                return w

            return u.dup, product, lambda w: right.check(*w.to_coo())

        return make

    fixed: dict[Literal["push", "pull"], int] = {"push": push, "pull": pull}
    found.notation(problem, case, "plus_times(u @ A)", statement(None), push)
    for direction, nbytes in fixed.items():
        name = f"plus_times(u @ A), {direction} fixed"
        found.notation(problem, case, name, statement(lg.Schedule(direction)), nbytes, only=(OURS,))
    by_cupyx(found, problem, case, index, values, right, (push, pull))
    with found.peer(case, "scipy") as add:
        add("A[i].T @ u[i]", lambda _: A[index].T @ values, right.check_dense, bytes=push)


def by_cupyx(
    found: Ways, problem: Problem, case: str, index: np.ndarray, values: np.ndarray,
    right: ExpectedVector, floors: tuple[int, int],
) -> None:  # fmt: skip
    """Three ways to say it there: rows of the frontier, two sparse matrices, a dense vector."""
    push, pull = floors
    more = {"on_device": True, "wait": problem.wait}

    def check_dense(y: Any) -> None:
        right.check_dense(y.get())

    def check_row(y: Any) -> None:
        y = y.tocsr()
        y.sum_duplicates()
        right.check(y.indices.get(), y.data.get())

    with found.peer(case, "cupyx") as add:
        cupy, sparse, A = problem.cupy
        at, held = cupy.asarray(index), cupy.asarray(values)
        dense = cupy.zeros(problem.n, np.float32)
        dense[at] = held
        ends = cupy.asarray(np.array([0, index.size], np.int32))
        row = sparse.csr_matrix((held, at.astype(np.int32), ends), shape=(1, problem.n))
        add("A[i].T @ u[i]", lambda _: A[at].T @ held, check_dense, bytes=push, **more)
        add("u @ A, both sparse", lambda _: row @ A, check_row, bytes=push, **more)
        add("A @ u, u dense", lambda _: A @ dense, check_dense, bytes=pull, **more)


QUESTION = Question("spmspv", ways)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
