"""What libraries for graphs call the same task, for the table of `docs/comparison.md`.

A record of `benchmarks.compare` holds the table with those names alone that the installed versions
have; `found` looks them up.
"""

from __future__ import annotations

import importlib
from operator import attrgetter

LIBRARIES = {
    "lagraph-gpu": "lagraph_gpu",
    "scipy": "scipy.sparse.csgraph",
    "igraph": "igraph.Graph",
    "networkit": "networkit",
    "rustworkx": "rustworkx",
    "networkx": "networkx",
}
"""Where the names of each begin."""

TASKS = {
    "breadth-first search": "bfs breadth_first_order bfs distance.BFS bfs_search bfs_edges",
    "shortest paths": "sssp dijkstra distances distance.Dijkstra dijkstra_shortest_paths"
    " dijkstra_path",
    "with negative weights": "bellman_ford bellman_ford distances -"
    " bellman_ford_shortest_path_lengths single_source_bellman_ford",
    "tables from many sources": "distance_matrix dijkstra distances distance.SPSP"
    " all_pairs_dijkstra_path_lengths all_pairs_dijkstra_path_length",
    "roads prepared once": "contract - - - - -",
    "A*, with your own estimate": "- - get_shortest_path_astar distance.AStar astar_shortest_path"
    " astar_path",
    "components": "connected_components connected_components connected_components"
    " components.ConnectedComponents connected_components connected_components",
    "strong components": "strongly_connected_components connected_components connected_components"
    " components.StronglyConnectedComponents strongly_connected_components"
    " strongly_connected_components",
    "spanning trees": "minimum_spanning_tree minimum_spanning_tree spanning_tree graph.KruskalMSF"
    " minimum_spanning_tree minimum_spanning_tree",
    "flows": "- maximum_flow maxflow flow.EdmondsKarp - maximum_flow",
    "bipartite matching": "maximum_bipartite_matching maximum_bipartite_matching"
    " maximum_bipartite_matching - - bipartite.maximum_matching",
    "PageRank": "pagerank - pagerank centrality.PageRank pagerank pagerank",
    "HITS": "hits - hub_score - hits hits",
    "Katz": "katz_centrality - - centrality.KatzCentrality katz_centrality katz_centrality",
    "betweenness": "betweenness_centrality - betweenness centrality.Betweenness"
    " betweenness_centrality betweenness_centrality",
    "closeness": "closeness_centrality - closeness centrality.Closeness closeness_centrality"
    " closeness_centrality",
    "cores": "core_number - coreness centrality.CoreDecomposition core_number core_number",
    "trusses": "k_truss - - - - k_truss",
    "triangles": "triangle_count - list_triangles globals.ClusteringCoefficient transitivity"
    " triangles",
    "Louvain": "louvain - community_multilevel community.PLM - community.louvain_communities",
    "Leiden": "leiden - community_leiden community.ParallelLeiden - -",
    "label propagation": "label_propagation - community_label_propagation community.PLP -"
    " community.label_propagation_communities",
    "independent sets": "maximal_independent_set - independence_number independentset.Luby -"
    " maximal_independent_set",
    "colouring": "greedy_color - vertex_coloring_greedy - graph_greedy_color greedy_color",
    "random walks": "random_walks - random_walk - - -",
    "isomorphism": "- - isomorphic - is_isomorphic is_isomorphic",
    "planarity": "- - - planarity.LeftRightPlanarityCheck is_planar is_planar",
    "layouts for drawing": "draw.spring_layout - layout viz.PivotMDS spring_layout spring_layout",
    "your own semiring": "closure - - - - -",
}
"""What a task is called by each of LIBRARIES, in their order; a dash where it is not there."""

DOCUMENTED = {
    "cuGraph": "breadth-first search/shortest paths/components/strong components/spanning trees/"
    "PageRank/HITS/Katz/betweenness/cores/trusses/triangles/Louvain/Leiden/random walks/"
    "layouts for drawing",
    "Gunrock": "breadth-first search/shortest paths/spanning trees/PageRank/HITS/betweenness/cores/"
    "triangles/colouring",
}
"""The tasks of libraries that need a GPU, as their documentation listed them in November 2026:
cuGraph's "List of Supported and Planned Algorithms" of release 26.02, without what is planned, and
the algorithms in Gunrock's repository, version 2, but for its experimental ones."""


def found(library: str) -> dict[str, str] | None:
    """The names of a library by task, each of them looked up; None if it is not installed.

    >>> found("networkx")["PageRank"]
    'pagerank'
    """
    package, _, kind = LIBRARIES[library].partition(".Graph")
    try:
        module = importlib.import_module(package)
    except ImportError:
        return None
    place = module.Graph if kind or package == "igraph" else module
    names = {task: row.split()[list(LIBRARIES).index(library)] for task, row in TASKS.items()}
    told = {task: name for task, name in names.items() if name != "-"}
    for name in told.values():
        attrgetter(name)(place)  # an AttributeError says that the table is wrong
    return told
