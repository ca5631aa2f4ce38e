"""The cases of ``benchmarks.marks`` on a CPU, beside those from PyPI who have the function."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.algorithms import Once
from benchmarks.marks_cases import Cases, Made, Searched, bare, busy, expect, fresh_process, made
from benchmarks.peers import imported
from lagraph_gpu import verify
from lagraph_gpu.backend import Backend

paths: Any = csgraph.dijkstra  # its types know no plain array of rows
EXACT = 1e-7
"""What each asks of PageRank: the sum of all changes in a round."""


def ways(graph: str, backend: Backend) -> Made:
    """The vertices, the edges, and the ways of one graph's cases."""
    cases = Cases(backend)
    if graph == "first calls":
        first_calls(cases)
        return 0, 0, cases.found
    if graph == "NetworkX":
        return conversion(cases)
    if graph == "ten vertices":
        return small(cases, backend)
    G = made(graph, backend)
    everyday(cases, G)
    return G.n, G.nedges, cases.found


class Host:
    """A graph as the peers have it."""

    def __init__(self, G: lg.Graph) -> None:
        indptr, column, weight = G.A.to_csr()
        self.n = G.n
        self.A = sp.csr_array(
            (weight.astype(np.float64), column.astype(np.int32), indptr.astype(np.int32)),
            shape=(G.n, G.n),
        )
        upper = sp.triu(self.A, 1).tocoo()
        self.ends, self.weight = (upper.row, upper.col), upper.data

    def igraph(self) -> Any:
        made = imported("igraph").Graph(self.n, np.stack(self.ends, axis=1))
        made.es["weight"] = self.weight
        return made

    def networkit(self, weighted: bool = False) -> Any:
        kit = imported("networkit")
        kit.setNumberOfThreads(2)
        found = kit.GraphFromCoo((self.weight, self.ends), self.n, weighted=weighted)
        return kit, found

    def rustworkx(self) -> Any:
        rx = imported("rustworkx")
        found = rx.PyGraph(multigraph=False)
        found.add_nodes_from(range(self.n))
        found.add_edges_from(list(zip(*(e.tolist() for e in self.ends), self.weight.tolist())))
        return rx, found


def everyday(cases: Cases, G: lg.Graph) -> None:
    """What most people ask of a graph, in turn with their best known libraries."""
    host, root, found = Host(G), busy(G), cases.found
    A = host.A

    def peer(case: str, by: str, text: str, work: Callable[[], Callable[[], Any]],
             right: Callable[[Any], bool] = lambda _: True) -> None:  # fmt: skip
        with found.peer(case, by) as add:
            call = work()
            add(text, lambda _: call(), lambda got: expect(right(got), "the same answer"))

    cases("bfs", f"bfs(G, {root})", partial(lg.bfs, G, root),
          Searched(partial(verify.verify_bfs, G, root)))  # fmt: skip
    peer("bfs", "scipy", "breadth_first_order",
         lambda: lambda: csgraph.breadth_first_order(A, root))  # fmt: skip
    peer("bfs", "igraph", "bfs", lambda: partial(host.igraph().bfs, root))
    peer("bfs", "networkit", "BFS", lambda: searcher(host, "BFS", root, False))

    cases("sssp", f"sssp(G, {root})", partial(lg.sssp, G, root),
          Searched(partial(verify.verify_sssp, G, root)))  # fmt: skip
    distance = lg.sssp(G, root)[0].to_dense(fill_value=np.inf, dtype="FP64")
    peer("sssp", "scipy", "dijkstra",
         lambda: lambda: paths(A, indices=root, return_predecessors=True),
         lambda got: np.array_equal(got[0], distance))  # fmt: skip
    peer("sssp", "igraph", "distances",
         lambda: partial(host.igraph().distances, root, weights="weight"),
         lambda got: np.array_equal(got[0], distance))  # fmt: skip
    peer("sssp", "networkit", "Dijkstra", lambda: searcher(host, "Dijkstra", root, True))

    cases("components", "connected_components(G)", lambda: lg.connected_components(bare(G)),
          Once(partial(verify.verify_components, G)))  # fmt: skip
    peer("components", "scipy", "connected_components",
         lambda: lambda: csgraph.connected_components(A, False))  # fmt: skip
    peer("components", "igraph", "connected_components",
         lambda: host.igraph().connected_components)  # fmt: skip

    one_way = one_way_arcs(A)
    D = lg.Graph.from_scipy(one_way, directed=True, backend=G.backend)
    cases("strong components", "strongly_connected_components(D)",
          lambda: lg.strongly_connected_components(lg.Graph._checked(D.A, directed=True)),
          Once(partial(verify.verify_strong_components, D)))  # fmt: skip
    peer("strong components", "scipy", "connected_components, strong",
         lambda: lambda: csgraph.connected_components(one_way, True, "strong"))  # fmt: skip

    how: dict[str, Any] = {"tol": EXACT, "weight": None}
    cases("pagerank", f"pagerank(G, tol={EXACT:g})", partial(lg.pagerank, G, **how),
          Once(lambda rank: verify.verify_pagerank(G, rank, **how)))  # fmt: skip
    peer("pagerank", "networkit", "PageRank", lambda: pagerank_of(host))
    peer("pagerank", "igraph", "pagerank", lambda: host.igraph().pagerank)

    cases("spanning tree", "minimum_spanning_tree(G)", lambda: lg.minimum_spanning_tree(bare(G)),
          Once(partial(verify.verify_spanning_tree, G)))  # fmt: skip
    peer("spanning tree", "scipy", "minimum_spanning_tree",
         lambda: lambda: csgraph.minimum_spanning_tree(A))  # fmt: skip
    peer("spanning tree", "igraph", "spanning_tree",
         lambda: partial(host.igraph().spanning_tree, weights="weight"))  # fmt: skip
    peer("spanning tree", "rustworkx", "minimum_spanning_edges", lambda: tree_of(host))

    cases("louvain", "louvain(G)", partial(lg.louvain, G, seed=1),
          Once(partial(verify.verify_louvain, G)))  # fmt: skip
    peer("louvain", "igraph", "community_multilevel",
         lambda: partial(host.igraph().community_multilevel, weights="weight"))  # fmt: skip
    peer("louvain", "networkit", "PLM", lambda: moves_of(host))

    count = Once(lambda total: verify_total(G, total))
    cases("triangles", "triangle_count(G)", lambda: lg.triangle_count(bare(G)), count)
    peer("triangles", "igraph", "count of list_triangles",
         lambda: lambda: len(host.igraph().list_triangles()))  # fmt: skip


def one_way_arcs(A: Any) -> Any:
    """The arcs (i, j) for which 5 i + 3 j is no multiple of 7."""
    whole = A.tocoo()
    i, j = whole.row.astype(np.int64), whole.col.astype(np.int64)
    kept = (5 * i + 3 * j) % 7 != 0
    return sp.csr_array((whole.data[kept], (whole.row[kept], whole.col[kept])), shape=A.shape)


def verify_total(G: lg.Graph, total: int) -> None:
    each = lg.triangles(G)
    verify.verify_triangles(G, each)
    right = int(each.reduce("plus").new("INT64").get(0)) // 3
    expect(total == right, f"{right} triangles")


def searcher(host: Host, name: str, root: int, weighted: bool) -> Callable[[], Any]:
    kit, g = host.networkit(weighted)
    make = getattr(kit.distance, name)
    return lambda: make(g, root, True).run()


def pagerank_of(host: Host) -> Callable[[], Any]:
    kit, g = host.networkit()

    def call() -> Any:
        found = kit.centrality.PageRank(g, 0.85, EXACT)
        found.norm = kit.centrality.Norm.L1_NORM
        return found.run()

    return call


def moves_of(host: Host) -> Callable[[], Any]:
    kit, g = host.networkit(True)
    return lambda: kit.community.PLM(g).run().getPartition()


def tree_of(host: Host) -> Callable[[], Any]:
    rx, g = host.rustworkx()
    return lambda: rx.minimum_spanning_edges(g, weight_fn=float)


def small(cases: Cases, backend: Backend) -> Made:
    """A graph of ten vertices, where the way to the loops is all there is."""
    src, dst = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 7]
    weight = np.arange(1.0, 12)
    make = partial(lg.Graph.from_edges, src, dst, weight, 10, False, backend=backend)
    G, found = make(), cases.found
    D = lg.Graph.from_edges([*src, 9], [*dst, 3], n=10, backend=backend)
    A = sp.csr_array(G.to_scipy())
    B = sp.csr_array(D.to_scipy())
    nx = imported("networkx")
    g = nx.Graph(list(zip(src, dst)))
    cases("making it", "Graph.from_edges", make,
          lambda H: expect(H.nedges == 11, "eleven edges"))  # fmt: skip
    cases("bfs", "bfs(G, 0)", partial(lg.bfs, G, 0), Searched(partial(verify.verify_bfs, G, 0)))
    cases("sssp", "sssp(G, 0)", partial(lg.sssp, G, 0), Searched(partial(verify.verify_sssp, G, 0)))
    cases("pagerank", "pagerank(G)", partial(lg.pagerank, G),
          Once(partial(verify.verify_pagerank, G)))  # fmt: skip
    cases("strong components", "strongly_connected_components(D)",
          lambda: lg.strongly_connected_components(lg.Graph._checked(D.A, directed=True)),
          Once(partial(verify.verify_strong_components, D)))  # fmt: skip
    theirs: dict[tuple[str, str, str], Callable[[], Any]] = {
        ("making it", "networkx", "Graph"): lambda: nx.Graph(list(zip(src, dst))),
        ("bfs", "scipy", "breadth_first_order"): lambda: csgraph.breadth_first_order(A, 0),
        ("bfs", "networkx", "bfs_predecessors"): lambda: dict(nx.bfs_predecessors(g, 0)),
        ("sssp", "scipy", "dijkstra"):
            lambda: paths(A, indices=0, return_predecessors=True),
        ("sssp", "networkx", "dijkstra_predecessor_and_distance"):
            lambda: nx.dijkstra_predecessor_and_distance(g, 0),
        ("pagerank", "networkx", "pagerank"): lambda: nx.pagerank(g),
        ("strong components", "scipy", "connected_components, strong"):
            lambda: csgraph.connected_components(B, True, "strong"),
    }  # fmt: skip
    for (case, by, text), call in theirs.items():
        with found.peer(case, by) as add:
            add(text, lambda _, call=call: call(), lambda _: None)
    return 10, 11, found


def conversion(cases: Cases) -> Made:
    """A graph of NetworkX with a million edges."""
    nx, n, m = imported("networkx"), 200_000, 1_000_000
    rng = np.random.default_rng(1)
    ends = rng.integers(0, n, (2, m))
    g = nx.Graph()
    g.add_weighted_edges_from(zip(*ends.tolist(), rng.integers(1, 256, m).tolist()))
    edges = g.number_of_edges()
    from lagraph_gpu.networkx_backend.graph import convert_from_nx

    cases("a million edges converted", "convert_from_nx(g, edge_attrs={'weight': 1})",
          lambda: convert_from_nx(g, edge_attrs={"weight": 1}),
          lambda H: expect(H.number_of_edges() == edges, "as many edges"))  # fmt: skip
    return n, edges, cases.found


FIRST = """
import time
import networkx as nx
import lagraph_gpu as lg
import lagraph_gpu.networkx_backend
lg.set_backend("cpu")
G = lg.grid(64, 64, weights="integer")
g = nx.grid_2d_graph(40, 40)
begin = time.process_time()
print({call})
print((time.process_time() - begin) * 1e3)
"""
"""A program in a fresh installation; what it prints last are milliseconds of the processor."""


def first_calls(cases: Cases) -> None:
    for case, call in {
        "bfs": "lg.bfs(G, 0)[0].nvals",
        "sssp": "lg.sssp(G, 0)[0].nvals",
        "betweenness": "lg.betweenness_centrality(G, k=4).nvals",
        "bfs_edges of NetworkX": "len(list(nx.bfs_edges(g, (0, 0), backend='lagraph')))",
    }.items():
        program = FIRST.format(call=call)
        cases(case, call, partial(fresh_process, program),
              lambda told: expect(told[0] > 0, "an answer"))  # fmt: skip
