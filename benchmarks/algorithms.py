"""How fast are the algorithms that are no single search? ``python -m benchmarks.algorithms``.

One case for each: a whole call, from the graph on the device until the result is there. A result is
verified by its definition (``lagraph_gpu.verify``, on the host), or equals one that was. Where a
call is several rounds, or searches from several sources, the operation says how many.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.graphs import label, named
from benchmarks.operations import OURS, Entry, Place, Question, Ways, main
from benchmarks.peers import Absent, imported
from lagraph_gpu import verify
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.errors import VerificationError
from semirings import BINARY

ROUNDS, SOURCES = 10, 4
ALL_SOURCES = 1 << 18
"""So many vertices at most are all searched from."""


class GraphProblem:
    """A named graph with integer weights, undirected, and a directed one made of it."""

    note: str | None = None

    def __init__(self, name: str, backend: Backend) -> None:
        self.name, self.label, self.backend = name, label(name), backend
        begin = time.perf_counter()
        if kron := re.fullmatch(r"kron(\d+)", name):
            self.G = lg.kronecker(int(kron[1]), weights="integer", backend=backend)
        else:
            edges = named(name, "integer")
            self.G = lg.Graph.from_edgelist(edges, "min", directed=False, backend=backend)
        backend.synchronize(self.G.A._store)
        self.prepare_ms = (time.perf_counter() - begin) * 1e3
        self.n, self.nedges = self.G.n, self.G.nedges

    @cached_property
    def directed(self) -> lg.Graph:
        """Six arcs in seven, so that some edges lead one way only."""
        return lg.Graph._checked(arcs(self.G.A), directed=True)

    @cached_property
    def host(self) -> Any:
        """The weights as a SciPy array."""
        indptr, column, weight = self.G.A.to_csr()
        return sp.csr_array((weight, column, indptr), shape=(self.n, self.n))

    @property
    def ours(self) -> Place:
        return Place(OURS, self.backend, self.G.A)


def arcs(A: lg.Matrix) -> lg.Matrix:
    """The entries (i, j) of A for which 5 i + 3 j is no multiple of 7."""
    number = A.apply("rowindex").new("INT64").apply("times", 5).new()
    number(BINARY["plus"]) << A.apply("colindex").new("INT64").apply("times", 3)
    kept = number.apply("floordiv", 7).new().apply("times", 7).new()
    wanted = BINARY["ne"](number & kept).new()
    made = lg.Matrix(A.dtype, *A.shape, backend=A.backend)
    made(wanted.V) << A
    return made


class Once:
    """A check for results that ought to be equal: the first is verified, a later one compared with
    it, and verified too if it differs."""

    def __init__(self, full: Callable[[Any], None]) -> None:
        self.full, self.right = full, None

    def __call__(self, result: Any) -> None:
        if self.right is None or not same(self.right, result):
            self.full(result)
            self.right = result


def same(one: Any, two: Any) -> bool:
    """Sums of floats may have been added up in another order."""
    if isinstance(one, int):
        return one == two
    one, two = (found.A if isinstance(found, lg.Graph) else found for found in (one, two))
    if isinstance(one, lg.Vector) and one.dtype.kind == "f":
        return one.isclose(two, rel_tol=1e-12)
    return bool(one.isequal(two))


def ways(problem: GraphProblem) -> list[Entry]:
    found, G, D = Ways(), problem.G, problem.directed
    seed = seed_of_sources(problem)
    ours(
        found,
        problem,
        "components",
        "connected_components(G)",
        lambda: lg.connected_components(G),
        lambda c: verify.verify_components(G, c),
    )
    ours(
        found,
        problem,
        "strong components",
        "strongly_connected_components(D)",
        lambda: lg.strongly_connected_components(D),
        lambda c: verify.verify_strong_components(D, c),
    )
    ours(
        found,
        problem,
        "spanning forest",
        "minimum_spanning_tree(G)",
        lambda: lg.minimum_spanning_tree(G),
        lambda T: verify.verify_spanning_tree(G, T),
    )
    ours(
        found,
        problem,
        "independent set",
        "maximal_independent_set(G)",
        lambda: lg.maximal_independent_set(G, seed=1),
        lambda chosen: verify.verify_independent_set(G, chosen),
    )
    ours(
        found,
        problem,
        "colouring",
        "greedy_color(G)",
        lambda: lg.greedy_color(G, seed=1),
        lambda colour: verify.verify_coloring(G, colour),
    )
    ours(
        found,
        problem,
        "triangles",
        "triangle_count(G)",
        lambda: lg.triangle_count(lg.Graph._checked(G.A, directed=False)),  # which kept nothing
        lambda total: check_triangles(problem, total),
    )
    ours(
        found,
        problem,
        "pagerank",
        f"pagerank(G), {ROUNDS} rounds",
        lambda: lg.pagerank(G, iterations=ROUNDS, weight=None),
        lambda rank: check_pagerank(problem, rank),
    )
    ours(
        found,
        problem,
        "betweenness",
        f"betweenness_centrality(G), {SOURCES} sources",
        lambda: lg.betweenness_centrality(G, k=SOURCES, endpoints=True, weight=None, seed=seed),
        lambda value: check_betweenness(problem, value, seed),
    )
    ours(
        found,
        problem,
        "label propagation",
        f"label_propagation(G), {ROUNDS} rounds",
        lambda: lg.label_propagation(G, max_iter=ROUNDS),
        lambda labels: verify.verify_label_propagation(G, labels, ROUNDS),
    )
    ours(
        found,
        problem,
        "cores",
        "core_number(G)",
        lambda: lg.core_number(G),
        lambda core: verify.verify_core_number(G, core),
    )
    ours(
        found,
        problem,
        "communities",
        "louvain(G)",
        lambda: lg.louvain(G, seed=1),
        lambda labels: verify.verify_modularity(G, labels, lg.modularity(G, labels)),
    )
    if problem.n <= ALL_SOURCES:
        ours(
            found,
            problem,
            "closeness",
            "closeness_centrality(G), all vertices",
            lambda: lg.closeness_centrality(G),
            lambda value: check_closeness(problem, value),
        )
    peers(found, problem)
    return found.entries


def ours(
    found: Ways, problem: GraphProblem, case: str, operation: str, work: Callable[[], Any],
    full: Callable[[Any], None],
) -> None:  # fmt: skip
    place = problem.ours

    def wait(result: Any) -> None:
        held = result.A if isinstance(result, lg.Graph) else result
        place.wait(None if isinstance(held, int) else held)

    with found.peer(case, OURS) as add:
        add(operation, lambda _: work(), Once(full), wait=wait)


def peers(found: Ways, problem: GraphProblem) -> None:
    """SciPy, python-graphblas (our own text of an algorithm on the CPU) and NetworkX."""
    with found.peer("components", "scipy") as add:
        add("connected_components", lambda _: csgraph.connected_components(problem.host, False),
            lambda got: verify_labels(problem, got[1]))  # fmt: skip
    with found.peer("spanning forest", "scipy") as add:
        add("minimum_spanning_tree", lambda _: csgraph.minimum_spanning_tree(problem.host),
            lambda tree: verify_weight(problem, tree.sum(dtype=np.float64)))  # fmt: skip
    with found.peer("pagerank", "python-graphblas") as add:
        if problem.backend.name == "cpu":
            raise Absent("it is the backend that was measured")
        imported("graphblas")
        H, cpu = problem.G.to("cpu"), resolve("cpu")
        add(f"pagerank(G), {ROUNDS} rounds",
            lambda _: lg.pagerank(H, iterations=ROUNDS, weight=None),
            lambda rank: check_pagerank(problem, rank),
            wait=lambda rank: cpu.synchronize(rank._store))  # fmt: skip


def verify_labels(problem: GraphProblem, got: np.ndarray) -> None:
    """Two labellings are one partition if each label of one meets one label of the other."""
    mine = lg.connected_components(problem.G).to_dense()
    pairs = np.unique(np.stack((mine, got)), axis=1).shape[1]
    if not np.unique(mine).size == np.unique(got).size == pairs:
        raise VerificationError("another partition")


def verify_weight(problem: GraphProblem, total: float) -> None:
    best = lg.minimum_spanning_tree(problem.G).A.reduce("plus").new("FP64").value / 2
    if total != best:
        raise VerificationError(f"expected a tree of weight {best}, got {total}")


def check_triangles(problem: GraphProblem, total: int) -> None:
    """Three times the total is what the vertices have, each by other products; and SciPy counts
    the same at some vertices, not the largest ones, whose neighbourhoods it could not hold."""
    at = lg.triangles(problem.G).to_dense()
    if at.sum() != 3 * total:
        raise VerificationError(f"expected 3 × {total} triangles at the vertices, got {at.sum()}")
    A = problem.host
    few = np.flatnonzero(np.diff(A.indptr) <= 1000)
    for v in np.random.default_rng(1).permutation(few)[:100]:
        among = A.indices[A.indptr[v] : A.indptr[v + 1]]
        inside = A[among][:, among].nnz // 2
        if inside != at[v]:
            raise VerificationError(f"expected {inside} triangles at vertex {v}, got {at[v]}")


def check_pagerank(problem: GraphProblem, rank: lg.Vector) -> None:
    """The same rounds by SciPy."""
    A, n = sp.csr_array(problem.host), problem.n
    A.data = np.ones_like(A.data, np.float64)
    degree = np.diff(A.indptr)
    rate = np.divide(0.85, degree, out=np.zeros(n), where=degree > 0)
    x = np.full(n, 1 / n)
    for _ in range(ROUNDS):
        x = A @ (x * rate) + (0.15 + 0.85 * x[degree == 0].sum()) / n
    if not np.allclose(rank.to_dense(), x, rtol=1e-9, atol=0):
        raise VerificationError("other ranks than SciPy's")


def seed_of_sources(problem: GraphProblem) -> int:
    """A seed whose sample of sources all have edges; 0 where a thousand have none."""
    degree = np.diff(sp.csr_array(problem.host).indptr)

    def sample(seed: int) -> np.ndarray:
        return np.random.default_rng(seed).choice(problem.n, SOURCES, replace=False)

    return next((seed for seed in range(1000) if degree[sample(seed)].all()), 0)


def check_betweenness(problem: GraphProblem, value: lg.Vector, seed: int) -> None:
    """Brandes' two passes from the same sources by SciPy; an end of a path is on it."""
    A, n = sp.csr_array(problem.host), problem.n
    A.data = np.ones_like(A.data, np.float64)
    total = np.zeros(n)
    for source in np.random.default_rng(seed).choice(n, SOURCES, replace=False):
        count = np.zeros(n)
        count[source] = 1
        levels, seen = [np.flatnonzero(count)], count > 0
        while levels[-1].size:
            front = np.zeros(n)
            front[levels[-1]] = count[levels[-1]]
            paths = A @ front
            paths[seen] = 0
            levels.append(np.flatnonzero(paths))
            count[levels[-1]] = paths[levels[-1]]
            seen[levels[-1]] = True
        share = np.zeros(n)
        for above, below in zip(levels[-2:0:-1], levels[-1:0:-1]):
            front = np.zeros(n)
            front[below] = (1 + share[below]) / count[below]
            share[above] = count[above] * (A @ front)[above]
        total += share * (np.arange(n) != source)
        total[seen] += 1
        total[source] += seen.sum() - 2
    if not np.allclose(value.to_dense(), total / (SOURCES * (n - 1)), rtol=1e-6, atol=0):
        raise VerificationError("other values than SciPy's")


def check_closeness(problem: GraphProblem, value: lg.Vector) -> None:
    """SciPy's breadth-first distances from some vertices; undirected, so that to is from."""
    n, got = problem.n, value.to_dense()
    for v in np.random.default_rng(1).choice(n, min(n, 16), replace=False):
        d = csgraph.dijkstra(problem.host, indices=v, unweighted=True)
        near = np.isfinite(d)
        others, total = near.sum() - 1, d[near].sum()
        right = others / total * others / (n - 1) if total else 0.0
        if not np.isclose(got[v], right, rtol=1e-12, atol=0):
            raise VerificationError(f"expected closeness {right} at vertex {v}, got {got[v]}")


QUESTION = Question("algorithms", ways, problem=GraphProblem)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
