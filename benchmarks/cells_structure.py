"""The questions of ``benchmarks.cells`` about structure: components, trees, cores, matchings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csgraph

import lagraph_gpu as lg
from benchmarks.cells_graphs import OURS, Asked, Graphs

cg: Any = csgraph  # its types know no plain array of rows


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
