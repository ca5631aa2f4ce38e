"""What does it gain to let statements wait? ``python -m benchmarks.statements --graph kron20``.

Breadth-first search and PageRank in plain statements, as a user would write them from a textbook,
by a backend that carries out each statement at once and by one that lets updates wait until
somebody looks (on the CPU there is but one way). A sample is the wall time of a whole call, until
its result is complete; both ways take turns.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.graphs import label, named
from benchmarks.operations import OURS, Entry, Question, Way, main
from lagraph_gpu.backend import Backend
from lagraph_gpu.cli.timing import random_roots
from lagraph_gpu.errors import VerificationError
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import BINARY, SEMIRINGS, types

ALPHA, CHANGE, ROUNDS = 0.85, 1e-4, 100
plus, minus, truediv = BINARY["plus"], BINARY["minus"], BINARY["truediv"]
any_pair, plus_second = SEMIRINGS["any_pair"], SEMIRINGS["plus_second"]


def bfs(A: lg.Matrix, source: int) -> lg.Vector:
    """The level of each vertex that is reached."""
    n, here = A.nrows, A.backend
    level = lg.Vector("INT32", n, backend=here)
    frontier = lg.Vector.from_coo([source], True, size=n, backend=here)
    depth = 0
    while frontier.nvals:
        level(frontier.S) << depth
        frontier(~level.S, lg.replace) << any_pair(frontier @ A)
        depth += 1
    return level


def pagerank(A: lg.Matrix, leaving: lg.Vector) -> lg.Vector:
    """PageRank of A = Aᵀ as GAP and LAGraph have it; ``leaving`` holds max(degree, 1) / ALPHA.

    rank = (1 − α) / n + A (rank / leaving), until the sum of changes is small.
    """
    n, here = A.nrows, A.backend
    rank = lg.Vector.from_scalar(1 / n, n, leaving.dtype, backend=here)
    old, share, change = rank.dup(), rank.dup(), rank.dup()
    for _ in range(ROUNDS):
        rank, old = old, rank
        share << truediv(old & leaving)
        rank << (1 - ALPHA) / n
        rank(plus) << plus_second(A @ share)
        change << minus(old & rank)
        change << change.apply("abs")
        if change.reduce(plus).new().value < CHANGE:
            break
    return rank


class Problem:
    """A graph without weights and loops as a symmetric matrix, on a backend and on the host."""

    note = None

    def __init__(self, name: str, backend: Backend) -> None:
        edges, self.label, self.backend = named(name), label(name), backend
        begin = time.perf_counter()
        G = lg.Graph.from_edges(
            edges.src, edges.dst, None, edges.nrows, False, "min", backend=backend
        )
        backend.synchronize(G.A._store)
        self.prepare_ms = (time.perf_counter() - begin) * 1e3
        self.G, self.n, self.nedges = G, G.n, G.nedges

    @functools.cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Offsets and columns on the host."""
        indptr, column, _ = self.G.A.to_csr()
        return indptr, column

    def check_level(self, source: int, level: lg.Vector) -> None:
        """A level is 0 at the source, elsewhere one more than the least of the neighbours'."""
        indptr, column = self.rows
        far = level.to_dense(fill_value=self.n, dtype="INT64")
        rows = np.flatnonzero(np.diff(indptr))
        right = np.full(self.n, self.n)
        right[rows] = np.minimum(np.minimum.reduceat(far[column], indptr[rows]) + 1, self.n)
        right[source] = 0
        if not np.array_equal(far, right):
            raise VerificationError(f"expected levels of a search from {source}, got others")

    def check_rank(self, rank: lg.Vector) -> None:
        """The ranks miss their equation by less than they changed last, and rounding."""
        indptr, column = self.rows
        degree = np.diff(indptr)
        x = rank.to_dense().astype(np.float64)
        given = ALPHA * x / np.maximum(degree, 1)
        before = np.concatenate(([0.0], np.cumsum(given[column])))
        right = (1 - ALPHA) / self.n + before[indptr[1:]] - before[indptr[:-1]]
        if not (missed := np.abs(x - right).sum()) < CHANGE:
            raise VerificationError(f"expected ranks to miss by less than {CHANGE}, got {missed}")


def ways(problem: Problem) -> list[Entry]:
    """Both loops in each mode."""
    backend, A = problem.backend, problem.G.A
    degree = np.diff(problem.rows[0])
    (source,) = random_roots(degree, 1, 1)
    leaving = np.maximum(degree, 1) / ALPHA
    loops: dict[str, tuple[Any, Any, Any]] = {
        "bfs": (bfs, source, functools.partial(problem.check_level, source))
    }
    for dtype in (np.float32, np.float64):
        to = lg.Vector.from_dense(leaving.astype(dtype), backend=backend)
        loops[f"pagerank {types.name(to.dtype)}"] = pagerank, to, problem.check_rank

    def wait(result: lg.Vector | None) -> None:
        backend.synchronize(*([] if result is None else [result._store]))

    found: list[Entry] = []
    for mode, within in modes(backend).items():
        for case, (loop, operand, check) in loops.items():

            def work(_: Any, loop: Any = loop, operand: Any = operand, within: Any = within) -> Any:
                with within():
                    return loop(A, operand)

            found.append(Way(case, OURS, mode, work, check, wait=wait))
    return found


def modes(backend: Backend) -> dict[str, Callable[[], Any]]:
    """How statements may be carried out, and a context for each."""
    if not isinstance(backend, GpuBackend):
        return {"statements": nullcontext}

    @contextmanager
    def blocking() -> Iterator[None]:
        backend.blocking = True
        try:
            yield
        finally:
            backend.blocking = False

    return {"blocking": blocking, "waiting": nullcontext}


QUESTION = Question("statements", ways, problem=Problem)  # type: ignore[arg-type]

if __name__ == "__main__":
    sys.exit(main(QUESTION))
