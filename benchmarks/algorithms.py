"""How fast are the algorithms that are no single search? ``python -m benchmarks.algorithms``.

One case for each: a whole call, from the graph on the device until the result is there. A result is
verified by its definition (``lagraph_gpu.verify``, on the host), or equals one that was. Where a
call is several rounds, or searches from several sources, the operation says how many.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.graphs import graph, label
from benchmarks.operations import OURS, Entry, Question, Ways, main
from benchmarks.peers import Absent, imported
from lagraph_gpu import verify
from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import VerificationError
from semirings import BINARY

ROUNDS, SOURCES = 10, 4
ALL_SOURCES = 1 << 18
"""So many vertices at most are all searched from."""
SMALL = 1 << 14
"""Slow peers are asked about graphs of so many vertices at most."""


class GraphProblem:
    """A named graph with integer weights, undirected, and a directed one made of it."""

    note: str | None = None

    def __init__(self, name: str, backend: Backend) -> None:
        self.name, self.label, self.backend = name, label(name), backend
        begin = time.perf_counter()
        self.G = graph(name, "integer", backend, directed=False)
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

    @cached_property
    def networkx(self) -> Any:
        """The same as a graph of NetworkX."""
        return imported("networkx").from_scipy_sparse_array(self.host)

    def given(self, directed: bool) -> lg.Graph:
        return self.directed if directed else self.G

    @cached_property
    def _twins(self) -> tuple[lg.Graph, lg.Graph]:
        if self.backend.name == "cpu":
            raise Absent("it is the backend that was measured")
        return self.G.to("cpu"), self.directed.to("cpu")

    def twin(self, directed: bool) -> lg.Graph:
        """The same on the CPU. Raises Absent."""
        return self._twins[directed]


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

    def __init__(self, full: Callable[[Any], object]) -> None:
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


class Case(NamedTuple):
    """An algorithm: how it is called, and a judge of what it gives, on any backend's graph."""

    name: str
    operation: str
    call: Callable[[lg.Graph], Any]
    check: Callable[[lg.Graph, Any], object]
    directed: bool = False
    quadratic: bool = False
    """Does it search from every vertex?"""


def cases(problem: GraphProblem) -> list[Case]:
    seed = seed_of_sources(problem)
    some: dict[str, Any] = {"k": SOURCES, "endpoints": True, "weight": None, "seed": seed}
    found = [
        Case("components", "connected_components(G)", lg.connected_components,
             verify.verify_components),
        Case("strong components", "strongly_connected_components(D)",
             lg.strongly_connected_components, verify.verify_strong_components, directed=True),
        Case("spanning forest", "minimum_spanning_tree(G)", lg.minimum_spanning_tree,
             verify.verify_spanning_tree),
        Case("independent set", "maximal_independent_set(G)",
             partial(lg.maximal_independent_set, seed=1), verify.verify_independent_set),
        Case("colouring", "greedy_color(G)", partial(lg.greedy_color, seed=1),
             verify.verify_coloring),
        Case("triangles", "triangle_count(G)",
             lambda G: lg.triangle_count(lg.Graph._checked(G.A, directed=False)),  # keeps nothing
             lambda G, total: check_triangles(problem, total)),
        Case("pagerank", f"pagerank(G), {ROUNDS} rounds",
             partial(lg.pagerank, iterations=ROUNDS, weight=None),
             lambda G, rank: check_pagerank(problem, rank)),
        Case("betweenness", f"betweenness_centrality(G), {SOURCES} sources",
             partial(lg.betweenness_centrality, **some),
             lambda G, value: check_betweenness(problem, value, seed)),
        Case("label propagation", f"label_propagation(G), {ROUNDS} rounds",
             partial(lg.label_propagation, max_iter=ROUNDS),
             lambda G, labels: verify.verify_label_propagation(G, labels, ROUNDS)),
        Case("cores", "core_number(G)", lg.core_number, verify.verify_core_number),
        Case("communities", "louvain(G)", partial(lg.louvain, seed=1),
             lambda G, labels: verify.verify_modularity(G, labels, lg.modularity(G, labels))),
    ]  # fmt: skip
    if problem.n <= ALL_SOURCES:
        found.append(
            Case("closeness", "closeness_centrality(G), all vertices", lg.closeness_centrality,
                 verify.verify_closeness, quadratic=True)
        )  # fmt: skip
    return found


def ways(problem: GraphProblem) -> list[Entry]:
    """Ours, and the same text by python-graphblas on the CPU; SciPy and NetworkX where they have
    the function."""
    found, every = Ways(), cases(problem)
    for case in every:
        ours(found, case, OURS, problem.given(case.directed))
    for case in every:
        with found.peer(case.name, "python-graphblas"):
            if case.quadratic:
                smaller(problem)
            ours(found, case, "python-graphblas", problem.twin(case.directed))
    by_scipy(found, problem)
    by_networkx(found, problem)
    return found.entries


def ours(found: Ways, case: Case, by: str, G: lg.Graph) -> None:
    def wait(result: Any) -> None:
        held = result.A if isinstance(result, lg.Graph) else result
        G.backend.synchronize(*([] if held is None or isinstance(held, int) else [held._store]))

    with found.peer(case.name, by) as add:
        add(case.operation, lambda _: case.call(G), Once(partial(case.check, G)), wait=wait)


def by_scipy(found: Ways, problem: GraphProblem) -> None:
    with found.peer("components", "scipy") as add:
        add("connected_components", lambda _: csgraph.connected_components(problem.host, False),
            lambda got: verify_labels(problem, got[1]))  # fmt: skip
    with found.peer("spanning forest", "scipy") as add:
        add("minimum_spanning_tree", lambda _: csgraph.minimum_spanning_tree(problem.host),
            lambda tree: verify_weight(problem, tree.sum(dtype=np.float64)))  # fmt: skip


class Theirs(NamedTuple):
    """NetworkX' own function on its own graph, and whether its answer is ours."""

    call: Callable[[Any, Any], Any]
    agrees: Callable[[lg.Graph, Any], bool]


IN_NETWORKX = {
    "components": Theirs(
        lambda nx, g: list(nx.connected_components(g)),
        lambda G, got: len(got) == np.unique(lg.connected_components(G).to_dense()).size,
    ),
    "spanning forest": Theirs(
        lambda nx, g: nx.minimum_spanning_tree(g).size("weight"),
        lambda G, got: got == total_weight(lg.minimum_spanning_tree(G)),
    ),
    "triangles": Theirs(
        lambda nx, g: sum(nx.triangles(g).values()) // 3,
        lambda G, got: got == lg.triangle_count(G),
    ),
    "cores": Theirs(
        lambda nx, g: nx.core_number(g),
        lambda G, got: [got[v] for v in range(G.n)] == lg.core_number(G).to_dense().tolist(),
    ),
    "communities": Theirs(
        lambda nx, g: nx.community.louvain_communities(g, seed=1),
        lambda G, got: sum(map(len, got)) == G.n,
    ),
}


def by_networkx(found: Ways, problem: GraphProblem) -> None:
    for name, theirs in IN_NETWORKX.items():
        with found.peer(name, "networkx") as add:
            smaller(problem)
            work = partial(theirs.call, imported("networkx"), problem.networkx)
            add(name, lambda _, work=work: work(), partial(agree, problem, name, theirs))


def smaller(problem: GraphProblem) -> None:
    """Raises Absent for graphs that would take a slow peer minutes."""
    if problem.n > SMALL:
        raise Absent(f"graphs of more than {SMALL:,} vertices would take minutes")


def agree(problem: GraphProblem, name: str, theirs: Theirs, got: Any) -> None:
    if not theirs.agrees(problem.G, got):
        raise VerificationError(f"{name}: NetworkX has another answer")


def total_weight(T: lg.Graph) -> float:
    return float(T.A.reduce("plus").new("FP64").value) / 2


def verify_labels(problem: GraphProblem, got: np.ndarray) -> None:
    """Two labellings are one partition if each label of one meets one label of the other."""
    mine = lg.connected_components(problem.G).to_dense()
    pairs = np.unique(np.stack((mine, got)), axis=1).shape[1]
    if not np.unique(mine).size == np.unique(got).size == pairs:
        raise VerificationError("another partition")


def verify_weight(problem: GraphProblem, total: float) -> None:
    if total != (best := total_weight(lg.minimum_spanning_tree(problem.G))):
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


QUESTION = Question("algorithms", ways, problem=GraphProblem)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
