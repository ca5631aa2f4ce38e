"""How other libraries do the tasks of `benchmarks.compare`: one function for each, which gets a
graph ready and returns its calls by task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.graphs import label, named
from benchmarks.peers import Absent, depths, imported

OURS = "lagraph-gpu"
SOURCES = 32
SMALL = 400_000
"""So many edges at most where a library is written in Python."""


class Play(NamedTuple):
    """How a library does a task: its name there, the call, and how its result becomes an array or
    a number.
    """

    operation: str
    work: Callable[[], Any]
    dense: Callable[[Any], Any] = np.asarray


Plays = dict[str, Play]


class Task:
    """A graph, undirected, as a SciPy array; and the right answers."""

    def __init__(self, name: str, seed: int) -> None:
        self.label = label(name)
        self.G = lg.Graph.from_edgelist(
            named(name, "integer"), "min", directed=False, backend="cpu"
        )
        indptr, column, weight = self.G.A.to_csr()
        weight = weight.astype(np.float64)
        self.A = sp.csr_array((weight, column.astype(np.int32), indptr.astype(np.int32)),
                              shape=(self.G.n, self.G.n))  # fmt: skip
        self.A.setdiag(0)
        self.A.eliminate_zeros()
        self.G = lg.Graph.from_scipy(self.A, directed=False, backend="cpu")
        self.n, self.nedges = self.G.n, self.G.nedges
        upper = sp.triu(self.A, 1).tocoo()
        self.row, self.col, self.weight = upper.row, upper.col, upper.data
        found, component = csgraph.connected_components(self.A, directed=False)
        largest = np.flatnonzero(component == np.bincount(component).argmax())
        self.sources = np.random.default_rng(seed).choice(largest, SOURCES, replace=False).tolist()
        self.source = self.sources[0]
        self.found, self.component = found, component

    def edges(self) -> Iterator[tuple[int, int, float]]:
        return zip(self.row.tolist(), self.col.tolist(), self.weight.tolist())

    def expected(self, case: str) -> Any:
        if case == "hops":
            return csgraph.dijkstra(self.A, indices=self.source, unweighted=True)
        if case == "distances":
            return csgraph.dijkstra(self.A, indices=self.source)
        if case == "table":
            return csgraph.dijkstra(self.A, indices=self.sources)
        if case == "components":
            return self.found
        if case == "tree":
            return csgraph.minimum_spanning_tree(self.A).sum()
        if case == "pagerank":
            return pagerank(self.A)
        if case == "transitivity":
            pattern = self.A.astype(bool).astype(np.int64)
            degree = np.diff(self.A.indptr).astype(np.int64)
            return (pattern @ pattern).multiply(pattern).sum() / max(
                1, (degree * (degree - 1)).sum()
            )
        return cores(self.A)

    def tolerated(self, case: str, got: Any, right: Any) -> bool:
        if case == "pagerank":
            return bool(np.abs(got - right).sum() <= 1e-6)
        return bool(np.allclose(got, right, rtol=1e-9, atol=0))


def pagerank(A: sp.csr_array) -> np.ndarray:
    """Ranks by the power method without weights, to the last digits; sinks give to all."""
    n = A.shape[0]
    degree = np.diff(A.indptr)
    sink = degree == 0
    step = sp.csr_array((np.ones(A.nnz), A.indices, A.indptr), shape=A.shape).T.tocsr()
    share = 1 / np.maximum(degree, 1)
    rank = np.full(n, 1 / n)
    for _ in range(200):
        rank = 0.15 / n + 0.85 * (step @ (rank * share) + rank[sink].sum() / n)
    return rank


def cores(A: sp.csr_array) -> np.ndarray:
    """Core numbers by taking away all vertices of the least degree, again and again."""
    pattern = A.astype(bool).astype(np.int64)
    left, k = np.ones(A.shape[0], bool), 0
    core = np.zeros(A.shape[0], np.int64)
    degree = np.diff(A.indptr).astype(np.int64)
    while left.any():
        out = left & (degree <= k)
        if not out.any():
            k = int(degree[left].min())
            continue
        core[out] = k
        left &= ~out
        degree -= pattern @ out.astype(np.int64)
    return core


def ours(task: Task) -> Plays:
    G, dense = task.G, partial(_full, np.inf)
    return {
        "hops": Play("bfs, with parents", lambda: lg.bfs(G, task.source), lambda r: dense(r[0])),
        "distances": Play(
            "sssp, with a tree", lambda: lg.sssp(G, task.source), lambda r: dense(r[0])
        ),
        "table": Play("distance_matrix", lambda: lg.distance_matrix(G, task.sources)),
        "components": Play(
            "connected_components",
            lambda: lg.connected_components(G),
            lambda r: np.unique(r.to_dense()).size,
        ),
        "tree": Play(
            "minimum_spanning_tree",
            lambda: lg.minimum_spanning_tree(G),
            lambda r: r.A.reduce_scalar("plus").new().value / 2,
        ),
        "pagerank": Play(
            "pagerank", lambda: lg.pagerank(G, tol=1e-6, weight=None), lambda r: r.to_dense()
        ),
        "cores": Play("core_number", lambda: lg.core_number(G), lambda r: r.to_dense()),
        "transitivity": Play("transitivity", lambda: lg.transitivity(G), float),
    }


def _full(fill: float, v: Any) -> np.ndarray:
    return v.to_dense(fill_value=fill, dtype="FP64")


def by_scipy(task: Task) -> Plays:
    A = task.A
    return {
        "hops": Play(
            "breadth_first_order, a tree without levels",
            lambda: csgraph.breadth_first_order(A, task.source),
            lambda r: depths(*r),
        ),
        "distances": Play(
            "dijkstra, with a tree",
            lambda: csgraph.dijkstra(A, indices=task.source, return_predecessors=True),
            lambda r: r[0],
        ),
        "table": Play("dijkstra", lambda: csgraph.dijkstra(A, indices=task.sources)),
        "components": Play(
            "connected_components",
            lambda: csgraph.connected_components(A, directed=False),
            lambda r: r[0],
        ),
        "tree": Play(
            "minimum_spanning_tree", lambda: csgraph.minimum_spanning_tree(A), lambda r: r.sum()
        ),
    }


def by_igraph(task: Task) -> Plays:
    igraph = imported("igraph")
    g = igraph.Graph(task.n, np.column_stack([task.row, task.col]).tolist())
    g.es["weight"] = task.weight.tolist()
    return {
        "hops": Play("distances", lambda: g.distances(task.source)[0]),
        "distances": Play("distances", lambda: g.distances(task.source, weights="weight")[0]),
        "table": Play("distances", lambda: g.distances(task.sources, weights="weight")),
        "components": Play("connected_components", g.connected_components, len),
        "tree": Play(
            "spanning_tree",
            lambda: g.spanning_tree(weights="weight", return_tree=False),
            lambda r: task_weight(g, r),
        ),
        "pagerank": Play("pagerank", g.pagerank),
        "cores": Play("coreness", g.coreness),
        "transitivity": Play("transitivity_undirected", g.transitivity_undirected, float),
    }


def task_weight(g: Any, edges: Sequence[int]) -> float:
    return float(np.asarray(g.es["weight"])[list(edges)].sum())


def by_networkit(task: Task) -> Plays:
    nk = imported("networkit")
    nk.setNumberOfThreads(1)
    g = nk.GraphFromCoo((task.weight, (task.row, task.col)), n=task.n, weighted=True)
    plain = nk.graphtools.toUnweighted(g)

    def run(algorithm: Any) -> Any:
        algorithm.run()
        return algorithm

    def finite(values: Any) -> np.ndarray:
        full = np.asarray(values, np.float64)
        return np.where(full > 1e300, np.inf, full)

    def ranks() -> Any:
        made = nk.centrality.PageRank(
            plain, damp=0.85, tol=1.7e-7, distributeSinks=nk.centrality.SinkHandling.DistributeSinks
        )
        made.norm = nk.centrality.Norm.L1_NORM
        return run(made).scores()

    return {
        "hops": Play(
            "BFS",
            lambda: run(nk.distance.BFS(plain, task.source, storePaths=False)).getDistances(),
            finite,
        ),
        "distances": Play(
            "Dijkstra",
            lambda: run(nk.distance.Dijkstra(g, task.source, storePaths=False)).getDistances(),
            finite,
        ),
        "table": Play(
            "SPSP", lambda: run(nk.distance.SPSP(g, task.sources)).getDistances(), finite
        ),
        "components": Play(
            "ConnectedComponents",
            lambda: run(nk.components.ConnectedComponents(g)),
            lambda r: r.numberOfComponents(),
        ),
        "tree": Play(
            "KruskalMSF", lambda: run(nk.graph.KruskalMSF(g)), lambda r: r.getTotalWeight()
        ),
        "pagerank": Play(
            "PageRank, scaled to a sum of 1", ranks, lambda r: np.asarray(r) / np.sum(r)
        ),
        "cores": Play(
            "CoreDecomposition", lambda: run(nk.centrality.CoreDecomposition(plain)).scores()
        ),
        "transitivity": Play(
            "exactGlobal", lambda: nk.globals.ClusteringCoefficient.exactGlobal(plain), float
        ),
    }


def by_rustworkx(task: Task) -> Plays:
    rx = imported("rustworkx")
    g = rx.PyGraph(multigraph=False)
    g.add_nodes_from(range(task.n))
    g.extend_from_weighted_edge_list(list(task.edges()))
    d = g.to_directed()

    def spread(found: Any) -> np.ndarray:
        full = np.full(task.n, np.inf)
        full[list(found.keys())] = list(found.values())
        full[task.source] = 0
        return full

    return {
        "distances": Play(
            "dijkstra_shortest_path_lengths",
            lambda: rx.dijkstra_shortest_path_lengths(g, task.source, float),
            spread,
        ),
        "components": Play("connected_components", lambda: rx.connected_components(g), len),
        "tree": Play(
            "minimum_spanning_edges",
            lambda: rx.minimum_spanning_edges(g, float),
            lambda r: sum(w for _, _, w in r),
        ),
        "pagerank": Play(
            "pagerank",
            lambda: rx.pagerank(d, tol=1.7e-7 / task.n, weight_fn=lambda _: 1.0),
            lambda r: np.asarray(list(r.values())),
        ),
        "cores": Play(
            "core_number",
            lambda: rx.core_number(g),
            lambda r: np.asarray([r[i] for i in range(task.n)]),
        ),
        "transitivity": Play("transitivity", lambda: rx.transitivity(g), float),
    }


def by_networkx(task: Task) -> Plays:
    nx = imported("networkx")
    if task.nedges > SMALL:
        raise Absent(f"too large for Python: {task.nedges:,} edges")
    g = nx.Graph()
    g.add_nodes_from(range(task.n))
    g.add_weighted_edges_from(task.edges())

    def spread(found: Any) -> np.ndarray:
        full = np.full(task.n, np.inf)
        full[list(found)] = list(found.values())
        return full

    return {
        "hops": Play(
            "single_source_shortest_path_length",
            lambda: nx.single_source_shortest_path_length(g, task.source),
            spread,
        ),
        "distances": Play(
            "single_source_dijkstra_path_length",
            lambda: nx.single_source_dijkstra_path_length(g, task.source),
            spread,
        ),
        "components": Play("connected_components", lambda: list(nx.connected_components(g)), len),
        "tree": Play(
            "minimum_spanning_edges",
            lambda: list(nx.minimum_spanning_edges(g, data=True)),
            lambda r: sum(data["weight"] for _, _, data in r),
        ),
        "pagerank": Play(
            "pagerank",
            lambda: nx.pagerank(g, tol=1.7e-7 / task.n, weight=None),
            lambda r: np.asarray(list(r.values())),
        ),
        "cores": Play(
            "core_number", lambda: nx.core_number(g), lambda r: np.asarray(list(r.values()))
        ),
        "transitivity": Play("transitivity", lambda: nx.transitivity(g), float),
    }


PLAYERS: dict[str, Callable[[Task], Plays]] = {
    OURS: ours,
    "scipy": by_scipy,
    "igraph": by_igraph,
    "networkit": by_networkit,
    "rustworkx": by_rustworkx,
    "networkx": by_networkx,
}
