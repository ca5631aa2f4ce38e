"""The graphs and the calls of ``benchmarks.cells``: ours, and those of SciPy, igraph, NetworKit and
rustworkx that answer the same question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks import cliffs
from benchmarks.cliffs import Ends
from benchmarks.peers import imported

OURS = "lagraph"
Asked = dict[str, Callable[[], Any]]
"""Who is asked, and the call."""

cg: Any = csgraph  # its types know no plain array of rows


def kronecker(m: int) -> Ends:
    """Half of the edges that are drawn are there already."""
    return cliffs.kronecker(2 * m)


def roads(m: int) -> Ends:
    """A lattice of which a quarter of the edges is missing, with vertices in the middle of some."""
    i, j, n = cliffs.lattice(m)
    draw = np.random.default_rng(2).random(i.size)
    i, j, split = i[draw < 0.75], j[draw < 0.75], draw[draw < 0.75] < 0.25
    middle = n + np.arange(int(split.sum()))
    ends = np.r_[i[~split], i[split], j[split]], np.r_[j[~split], middle, middle]
    return *ends, n + middle.size


def bipartite(m: int) -> Ends:
    rng, half = np.random.default_rng(4), m // 8
    return rng.integers(0, half, m), rng.integers(half, 2 * half, m), 2 * half


def caterpillar(m: int) -> Ends:
    """A path with a leaf at each vertex."""
    half = m // 2
    at = np.arange(half)
    return np.r_[at[:-1], at], np.r_[at[1:], at + half], 2 * half


def tree(m: int) -> Ends:
    """Each vertex with one of those before it."""
    at = np.arange(1, m + 1)
    return (np.random.default_rng(6).random(m) * at).astype(np.int64), at, m + 1


FAMILIES: dict[str, Callable[[int], Ends]] = {
    "kronecker": kronecker,
    "uniform": cliffs.uniform,
    "lattice": cliffs.lattice,
    "roads": roads,
    "caterpillar": caterpillar,
    "bipartite": bipartite,
    "tree": tree,
    "star": cliffs.star,
    "cliques": cliffs.chain_of_cliques,
}


class Graphs:
    """One graph as all have it: undirected, directed at random, and directed to the larger id."""

    def __init__(self, ends: Ends) -> None:
        i, j, self.n = ends
        keys = np.unique(np.minimum(i, j)[i != j] * self.n + np.maximum(i, j)[i != j])
        self.i, self.j = np.divmod(keys, self.n)
        self.m = keys.size
        rng = np.random.default_rng(5)
        self.weight = rng.integers(1, 100, self.m).astype(np.float64)
        flipped = rng.random(self.m) < 0.5
        self.src, self.dst = np.where(flipped, (self.j, self.i), (self.i, self.j))
        degree = np.bincount(np.r_[self.i, self.j], minlength=self.n)
        self.degree = degree
        self.source, self.last = int(degree.argmax()), int(np.flatnonzero(degree)[-1])
        self.sources = np.argsort(-degree, kind="stable")[:16].tolist()
        self.pairs = rng.integers(0, self.n, (64, 2))
        make = lg.Graph.from_edges
        self.G = make(self.i, self.j, n=self.n, directed=False)
        self.W = make(self.i, self.j, self.weight, n=self.n, directed=False)
        self.D = make(self.src, self.dst, n=self.n, directed=True)
        self.DW = make(self.src, self.dst, self.weight, n=self.n, directed=True)
        self.DAG = make(self.i, self.j, n=self.n, directed=True)

    def array(self, *, directed: bool, weighted: bool) -> Any:
        i, j = (self.src, self.dst) if directed else (np.r_[self.i, self.j], np.r_[self.j, self.i])
        weight = self.weight if directed else np.r_[self.weight, self.weight]
        made = sp.csr_array((weight if weighted else np.ones(i.size), (i, j)), (self.n, self.n))
        made.indices, made.indptr = made.indices.astype(np.int32), made.indptr.astype(np.int32)
        made.sort_indices()
        return made

    @cached_property
    def igraph(self) -> tuple[Any, Any, Any]:
        """Undirected with weights, directed with weights, and acyclic."""
        ig, made = imported("igraph"), []
        for i, j, directed in (
            (self.i, self.j, False),
            (self.src, self.dst, True),
            (self.i, self.j, True),
        ):
            one = ig.Graph(self.n, np.stack([i, j], axis=1), directed=directed)
            one.es["w"] = self.weight.tolist()
            made.append(one)
        return tuple(made)

    @cached_property
    def networkit(self) -> tuple[Any, Any, Any]:
        """The module; undirected, and directed."""
        kit = imported("networkit")
        kit.setNumberOfThreads(1)
        ones = np.ones(self.m)
        make = lambda i, j, directed: kit.GraphFromCoo(  # noqa: E731
            (ones, (i.astype(np.uint64), j.astype(np.uint64))), n=self.n, directed=directed
        )
        return kit, make(self.i, self.j, False), make(self.src, self.dst, True)

    @cached_property
    def rustworkx(self) -> tuple[Any, Any, Any]:
        """The module; undirected with weights, and acyclic. Without parallel edges, each
        edge of a star would be looked for among all others."""
        rx = imported("rustworkx")
        weight, made = self.weight.tolist(), []
        for one in rx.PyGraph(), rx.PyDiGraph():
            one.add_nodes_from(range(self.n))
            one.add_edges_from(list(zip(self.i.tolist(), self.j.tolist(), weight)))
            made.append(one)
        return rx, *made


def questions(g: Graphs) -> Iterator[tuple[str, Asked]]:
    """All questions of one graph, and who answers them."""
    yield from searches(g)
    yield from structure(g)
    yield from centrality(g)
    yield from communities(g)
    yield from similarity(g)
    yield from making(g)


def searches(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G, W, D, DW, s, some = g.G, g.W, g.D, g.DW, g.source, g.sources
    undirected, directed, _ = g.igraph
    kit, of_kit, directed_of_kit = g.networkit
    rx, of_rx, _ = g.rustworkx
    A, weighted = (g.array(directed=False, weighted=w) for w in (False, True))
    B, one_way = (g.array(directed=True, weighted=w) for w in (False, True))
    yield (
        "bfs",
        {
            OURS: lambda: lg.bfs(G, s),
            "scipy": lambda: cg.breadth_first_order(A, s),
            "igraph": lambda: undirected.bfs(s),
            "networkit": lambda: kit.distance.BFS(of_kit, s, storePaths=True).run(),
        },
    )
    yield (
        "bfs, directed",
        {
            OURS: lambda: lg.bfs(D, s),
            "scipy": lambda: cg.breadth_first_order(B, s),
            "networkit": lambda: kit.distance.BFS(directed_of_kit, s, storePaths=True).run(),
        },
    )
    yield (
        "bfs of 16",
        {
            OURS: lambda: lg.bfs(G, sources=some),
            "scipy": lambda: [cg.breadth_first_order(A, each) for each in some],
        },
    )
    yield (
        "dfs",
        {
            OURS: lambda: lg.dfs(G, s),
            "scipy": lambda: cg.depth_first_order(A, s),
            "igraph": lambda: undirected.dfs(s),
            "rustworkx": lambda: rx.dfs_edges(of_rx, s),
        },
    )
    yield (
        "sssp",
        {
            OURS: lambda: lg.sssp(W, s),
            "scipy": lambda: cg.dijkstra(weighted, indices=s, return_predecessors=True),
            "igraph": lambda: undirected.distances(s, weights="w"),
        },
    )
    yield (
        "sssp, directed",
        {
            OURS: lambda: lg.sssp(DW, s),
            "scipy": lambda: cg.dijkstra(one_way, indices=s, return_predecessors=True),
            "igraph": lambda: directed.distances(s, weights="w"),
        },
    )
    yield (
        "bellman_ford",
        {
            OURS: lambda: lg.bellman_ford(DW, s),
            "scipy": lambda: cg.bellman_ford(one_way, indices=s),
            "igraph": lambda: directed.distances(s, weights="w"),
        },
    )
    yield (
        "distance_matrix of 16",
        {
            OURS: lambda: lg.distance_matrix(W, some),
            "scipy": lambda: cg.dijkstra(weighted, indices=some),
            "igraph": lambda: undirected.distances(some, weights="w"),
        },
    )
    yield (
        "distance_matrix of 16, hops",
        {
            OURS: lambda: lg.distance_matrix(G, some, weight=None),
            "scipy": lambda: cg.dijkstra(A, indices=some, unweighted=True),
            "igraph": lambda: undirected.distances(some),
        },
    )
    yield (
        "shortest_path_between",
        {
            OURS: lambda: lg.shortest_path_between(W, s, g.last),
            "igraph": lambda: undirected.get_shortest_path(s, g.last, weights="w"),
            "scipy": lambda: cg.dijkstra(weighted, indices=s),
        },
    )
    yield (
        "shortest_path_between, hops",
        {
            OURS: lambda: lg.shortest_path_between(G, s, g.last),
            "igraph": lambda: undirected.get_shortest_path(s, g.last),
            "networkit": lambda: kit.distance.BidirectionalBFS(of_kit, s, g.last).run(),
        },
    )
    four = g.pairs[:4].tolist()
    yield (
        "paired_distances",
        {
            OURS: lambda: lg.paired_distances(W, g.pairs[:4, 0], g.pairs[:4, 1]),
            "igraph": lambda: [undirected.distances(a, b, weights="w") for a, b in four],
        },
    )
    yield (
        "eccentricity",
        {
            OURS: lambda: lg.eccentricity(G, s),
            "igraph": lambda: undirected.eccentricity(s),
            "networkit": lambda: kit.distance.Eccentricity.getValue(of_kit, s),
        },
    )
    yield "diameter", {
        OURS: lambda: lg.diameter(lg.largest_component(G)),
        "igraph": lambda: undirected.diameter(),
        "networkit": lambda: kit.distance.Diameter(
            kit.components.ConnectedComponents.extractLargestConnectedComponent(of_kit),
            algo=kit.distance.DiameterAlgo.EXACT).run(),
    }  # fmt: skip
    yield (
        "random_walks",
        {
            OURS: lambda: lg.random_walks(G, some, 10, seed=1),
            "igraph": lambda: [undirected.random_walk(each, 10) for each in some],
        },
    )


def structure(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G, W, D, DAG = g.G, g.W, g.D, g.DAG
    undirected, directed, acyclic = g.igraph
    kit, of_kit, directed_of_kit = g.networkit
    rx, of_rx, acyclic_of_rx = g.rustworkx
    A, weighted = (g.array(directed=False, weighted=w) for w in (False, True))
    B = g.array(directed=True, weighted=False)
    yield (
        "connected_components",
        {
            OURS: lambda: lg.connected_components(G),
            "scipy": lambda: cg.connected_components(A, False),
            "igraph": lambda: undirected.connected_components().membership,
            "networkit": lambda: kit.components.ConnectedComponents(of_kit).run(),
        },
    )
    yield (
        "number_connected_components",
        {
            OURS: lambda: lg.number_connected_components(G),
            "scipy": lambda: cg.connected_components(A, False, return_labels=False),
            "rustworkx": lambda: rx.number_connected_components(of_rx),
        },
    )
    yield (
        "weakly_connected_components",
        {
            OURS: lambda: lg.weakly_connected_components(D),
            "scipy": lambda: cg.connected_components(B, connection="weak"),
            "igraph": lambda: directed.connected_components("weak").membership,
            "networkit": lambda: kit.components.WeaklyConnectedComponents(directed_of_kit).run(),
        },
    )
    yield (
        "strongly_connected_components",
        {
            OURS: lambda: lg.strongly_connected_components(D),
            "scipy": lambda: cg.connected_components(B, connection="strong"),
            "networkit": lambda: kit.components.StronglyConnectedComponents(directed_of_kit).run(),
        },
    )
    largest = kit.components.ConnectedComponents.extractLargestConnectedComponent
    yield (
        "largest_component",
        {
            OURS: lambda: lg.largest_component(G),
            "igraph": lambda: undirected.connected_components().giant(),
            "networkit": lambda: largest(of_kit),
        },
    )
    yield (
        "minimum_spanning_tree",
        {
            OURS: lambda: lg.minimum_spanning_tree(W),
            "scipy": lambda: cg.minimum_spanning_tree(weighted),
            "igraph": lambda: undirected.spanning_tree(weights="w", return_tree=False),
            "rustworkx": lambda: rx.minimum_spanning_edges(of_rx, weight_fn=float),
        },
    )
    yield (
        "spanning_forest",
        {
            OURS: lambda: lg.spanning_forest(G),
            "scipy": lambda: cg.minimum_spanning_tree(A),
            "igraph": lambda: undirected.spanning_tree(return_tree=False),
            "networkit": lambda: kit.graph.SpanningForest(of_kit).run(),
        },
    )
    yield (
        "core_number",
        {
            OURS: lambda: lg.core_number(G),
            "igraph": lambda: undirected.coreness(),
            "networkit": lambda: kit.centrality.CoreDecomposition(of_kit).run(),
        },
    )
    yield "k_core", {OURS: lambda: lg.k_core(G, 2), "igraph": lambda: undirected.k_core(2)}
    yield (
        "triangle_count",
        {
            OURS: lambda: lg.triangle_count(G),
            "igraph": lambda: len(undirected.list_triangles()),
        },
    )
    yield (
        "triangles",
        {
            OURS: lambda: lg.triangles(G),
            "igraph": lambda: undirected.transitivity_local_undirected(),
        },
    )
    yield (
        "transitivity",
        {
            OURS: lambda: lg.transitivity(G),
            "igraph": lambda: undirected.transitivity_undirected(),
            "networkit": lambda: kit.globals.ClusteringCoefficient.exactGlobal(of_kit),
        },
    )
    yield (
        "clustering",
        {
            OURS: lambda: lg.clustering(G),
            "igraph": lambda: undirected.transitivity_local_undirected(),
            "networkit": lambda: kit.centrality.LocalClusteringCoefficient(of_kit).run(),
        },
    )
    yield (
        "average_clustering",
        {
            OURS: lambda: lg.average_clustering(G),
            "igraph": lambda: undirected.transitivity_avglocal_undirected(),
        },
    )
    yield (
        "greedy_color",
        {
            OURS: lambda: lg.greedy_color(G),
            "igraph": lambda: undirected.vertex_coloring_greedy(),
            "rustworkx": lambda: rx.graph_greedy_color(of_rx),
        },
    )
    yield (
        "maximal_independent_set",
        {
            OURS: lambda: lg.maximal_independent_set(G, seed=1),
            "networkit": lambda: kit.independentset.Luby().run(of_kit),
        },
    )
    yield (
        "maximal_matching",
        {
            OURS: lambda: lg.maximal_matching(G),
            "networkit": lambda: kit.matching.PathGrowingMatcher(of_kit).run(),
        },
    )
    is_bipartite, types = undirected.is_bipartite(return_types=True)
    yield (
        "is_bipartite",
        {
            OURS: lambda: lg.is_bipartite(G),
            "igraph": lambda: undirected.is_bipartite(),
            "rustworkx": lambda: rx.is_bipartite(of_rx),
        },
    )
    if is_bipartite:
        yield (
            "bipartite_color",
            {
                OURS: lambda: lg.bipartite_color(G),
                "igraph": lambda: undirected.is_bipartite(return_types=True),
                "rustworkx": lambda: rx.two_color(of_rx),
            },
        )
        block = between_sides(A, np.array(types))
        yield (
            "maximum_bipartite_matching",
            {
                OURS: lambda: lg.maximum_bipartite_matching(G),
                "igraph": lambda: undirected.maximum_bipartite_matching(types),
                "scipy": lambda: cg.maximum_bipartite_matching(block),
            },
        )
    yield (
        "topological_sort",
        {
            OURS: lambda: lg.topological_sort(DAG),
            "igraph": lambda: acyclic.topological_sorting(),
            "rustworkx": lambda: rx.topological_sort(acyclic_of_rx),
        },
    )
    yield (
        "topological_generations",
        {
            OURS: lambda: lg.topological_generations(DAG),
            "rustworkx": lambda: rx.topological_generations(acyclic_of_rx),
        },
    )
    yield (
        "dag_longest_path_length",
        {
            OURS: lambda: lg.dag_longest_path_length(DAG),
            "rustworkx": lambda: rx.dag_longest_path_length(acyclic_of_rx),
        },
    )
    yield (
        "dag_longest_path",
        {
            OURS: lambda: lg.dag_longest_path(DAG),
            "rustworkx": lambda: rx.dag_longest_path(acyclic_of_rx),
        },
    )


def between_sides(A: Any, right: np.ndarray) -> Any:
    """The edges from the left side to the right, as SciPy's matching takes them."""
    block = A[np.flatnonzero(~right)][:, np.flatnonzero(right)]
    block.indices, block.indptr = block.indices.astype(np.int32), block.indptr.astype(np.int32)
    return block


def centrality(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G, D, s, some = g.G, g.D, g.source, g.sources
    undirected, directed, _ = g.igraph
    kit, of_kit, directed_of_kit = g.networkit
    rx, of_rx, _ = g.rustworkx
    alpha = 0.5 / (g.degree.max() + 1)
    yield (
        "pagerank",
        {
            OURS: lambda: lg.pagerank(G, tol=1e-6),
            "igraph": lambda: undirected.pagerank(),
            "networkit": lambda: ranks_of_kit(kit, of_kit),
        },
    )
    yield (
        "pagerank, directed",
        {
            OURS: lambda: lg.pagerank(D, tol=1e-6),
            "igraph": lambda: directed.pagerank(),
            "networkit": lambda: ranks_of_kit(kit, directed_of_kit),
        },
    )
    yield (
        "eigenvector_centrality",
        {
            OURS: lambda: lg.eigenvector_centrality(G, max_iter=5000),
            "igraph": lambda: undirected.eigenvector_centrality(),
            "networkit": lambda: kit.centrality.EigenvectorCentrality(of_kit, tol=1e-6).run(),
        },
    )
    yield (
        "katz_centrality",
        {
            OURS: lambda: lg.katz_centrality(G, alpha=alpha),
            "networkit": lambda: kit.centrality.KatzCentrality(of_kit, alpha=alpha, tol=1e-6).run(),
        },
    )
    yield (
        "hits",
        {
            OURS: lambda: lg.hits(D, max_iter=5000),
            "igraph": lambda: (directed.hub_score(), directed.authority_score()),
        },
    )
    yield (
        "betweenness_centrality of 4",
        {
            OURS: lambda: lg.betweenness_centrality(G, k=4, seed=1),
            "igraph": lambda: undirected.betweenness(sources=some[:4], targets=None),
            "networkit": lambda: kit.centrality.EstimateBetweenness(of_kit, 4).run(),
        },
    )
    if g.n * g.m < 4e8:
        yield (
            "betweenness_centrality",
            {
                OURS: lambda: lg.betweenness_centrality(G),
                "igraph": lambda: undirected.betweenness(),
                "networkit": lambda: kit.centrality.Betweenness(of_kit).run(),
            },
        )
        yield (
            "closeness_centrality",
            {
                OURS: lambda: lg.closeness_centrality(G),
                "igraph": lambda: undirected.closeness(),
            },
        )
        yield (
            "harmonic_centrality",
            {
                OURS: lambda: lg.harmonic_centrality(G),
                "igraph": lambda: undirected.harmonic_centrality(),
                "networkit": lambda: kit.centrality.HarmonicCloseness(of_kit, False).run(),
            },
        )
    yield (
        "closeness_centrality of 1",
        {
            OURS: lambda: lg.closeness_centrality(G, s),
            "igraph": lambda: undirected.closeness([s]),
        },
    )
    yield (
        "degree_centrality",
        {
            OURS: lambda: lg.degree_centrality(G),
            "rustworkx": lambda: rx.degree_centrality(of_rx),
            "networkit": lambda: kit.centrality.DegreeCentrality(of_kit, normalized=True).run(),
        },
    )


def ranks_of_kit(kit: Any, of_kit: Any) -> Any:
    """With our rule for the end of the rounds. Its own, a norm of squares of at most 1e-6, leaves
    ranks of 500,000 vertices of which each is off by a thousandth."""
    ranks = kit.centrality.PageRank(of_kit, damp=0.85, tol=1e-6 * 0.15 / 0.85)
    ranks.norm = kit.centrality.Norm.L1_NORM
    return ranks.run()


def communities(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G = g.G
    undirected = g.igraph[0]
    kit, of_kit, _ = g.networkit
    yield (
        "louvain",
        {
            OURS: lambda: lg.louvain(G, seed=1),
            "igraph": lambda: undirected.community_multilevel(),
            "networkit": lambda: kit.community.PLM(of_kit).run(),
        },
    )
    yield (
        "leiden",
        {
            OURS: lambda: lg.leiden(G, seed=1),
            "igraph": lambda: undirected.community_leiden("modularity", n_iterations=-1),
        },
    )
    yield (
        "label_propagation",
        {
            OURS: lambda: lg.label_propagation(G),
            "igraph": lambda: undirected.community_label_propagation(),
            "networkit": lambda: kit.community.PLP(of_kit).run(),
        },
    )
    labels = np.arange(g.n) % 7
    as_list, partition, as_vector = (
        labels.tolist(),
        kit.Partition(g.n),
        lg.Vector.from_dense(labels),
    )
    partition.setUpperBound(7)
    for at, label in enumerate(as_list):
        partition.addToSubset(label, at)
    yield (
        "modularity",
        {
            OURS: lambda: lg.modularity(G, as_vector),
            "igraph": lambda: undirected.modularity(as_list),
            "networkit": lambda: kit.community.Modularity().getQuality(partition, of_kit),
        },
    )


def similarity(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G, undirected = g.G, g.igraph[0]
    pairs, edges = g.pairs.tolist(), np.stack([g.i, g.j], axis=1).tolist()
    first = edges[0]
    yield (
        "jaccard_coefficient of 64",
        {
            OURS: lambda: lg.jaccard_coefficient(G, g.pairs),
            "igraph": lambda: undirected.similarity_jaccard(pairs=pairs),
        },
    )
    yield (
        "jaccard_coefficient of edges",
        {
            OURS: lambda: lg.jaccard_coefficient(G),
            "igraph": lambda: undirected.similarity_jaccard(pairs=edges),
        },
    )
    yield (
        "overlap_coefficient of 64",
        {
            OURS: lambda: lg.overlap_coefficient(G, g.pairs),
            "igraph": lambda: undirected.similarity_dice(pairs=pairs),
        },
    )
    yield (
        "common_neighbor_counts of 64",
        {
            OURS: lambda: lg.common_neighbor_counts(G, g.pairs),
            "igraph": lambda: undirected.similarity_jaccard(pairs=pairs),
        },
    )
    yield (
        "common_neighbors",
        {
            OURS: lambda: lg.common_neighbors(G, *first),
            "igraph": lambda: (
                set(undirected.neighbors(first[0])) & set(undirected.neighbors(first[1]))
            ),
        },
    )


def making(g: Graphs) -> Iterator[tuple[str, Asked]]:
    G, n, undirected = g.G, g.n, g.igraph[0]
    make, shape, ones = lg.Graph.from_edges, (g.n, g.n), np.ones(g.m)
    yield (
        "from_edges, directed",
        {
            OURS: lambda: make(g.src, g.dst, n=n, directed=True),
            "scipy": lambda: sp.csr_array((ones, (g.src, g.dst)), shape),
        },
    )
    yield (
        "from_edges, weighted",
        {
            OURS: lambda: make(g.src, g.dst, g.weight, n=n, directed=True),
            "scipy": lambda: sp.csr_array((g.weight, (g.src, g.dst)), shape),
        },
    )
    yield "from_edges, undirected", {
        OURS: lambda: make(g.i, g.j, n=n, directed=False),
        "scipy": lambda: sp.csr_array(
            (np.r_[ones, ones], (np.r_[g.i, g.j], np.r_[g.j, g.i])), shape),
    }  # fmt: skip
    yield (
        "subgraph of 16",
        {
            OURS: lambda: G.subgraph(g.sources),
            "igraph": lambda: undirected.induced_subgraph(g.sources),
        },
    )
