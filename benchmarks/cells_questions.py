"""The calls of ``benchmarks.cells``: ours, and those of SciPy, igraph, NetworKit and rustworkx that
answer the same question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.cells_graphs import OURS, Asked, Graphs
from benchmarks.cells_structure import structure

cg: Any = csgraph  # its types know no plain array of rows


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
