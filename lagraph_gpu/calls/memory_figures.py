"""The figures behind `lg.memory_needed`: what calls take for each vertex and for each entry.

A row of `LINEAR` says how many bytes an algorithm adds to those of the graph at its peak: for each
vertex, and for each stored entry of the adjacency matrix, with weights of 8 bytes. The figures are
peaks measured on the CPU backend from 2026-11-24 to 2026-11-29, on random graphs, with a margin.
`ON_GPU` says the same of a GPU, by what arrays on the emulated device took.
`tests/test_memory_needed.py` measures every algorithm anew: its peak is at most the estimate and at
least an eighth of it, from about 200,000 bytes on. (Some sums of SuiteSparse take more with more
threads.) The figures count what the graph keeps for later calls: arrays for compiled loops, and a
transpose. Algorithms from many sources take more for each source; how many sources they take at a
time follows from the free memory, as when they run.
"""

from __future__ import annotations

from typing import NamedTuple


class Linear(NamedTuple):
    """Bytes of the result for each vertex, and of all for each vertex and for each entry."""

    result: int
    vertex: int
    entry: int


LINEAR: dict[str, Linear] = {
    "average_clustering": Linear(0, 70, 145),
    "bellman_ford": Linear(16, 70, 34),
    "betweenness_centrality": Linear(8, 200, 36),
    "bfs": Linear(12, 55, 34),
    "bipartite_color": Linear(8, 155, 78),
    "closeness_centrality": Linear(8, 100, 34),
    "clustering": Linear(8, 70, 145),
    "common_neighbor_counts": Linear(8, 65, 240),
    "common_neighbors": Linear(8, 45, 48),
    "connected_components": Linear(8, 80, 76),
    "contract": Linear(8, 600, 2000),
    "core_number": Linear(8, 105, 134),
    "dag_longest_distance": Linear(8, 35, 34),
    "dag_longest_path": Linear(8, 215, 44),
    "dag_longest_path_length": Linear(0, 35, 34),
    "degree_centrality": Linear(8, 85, 38),
    "density": Linear(0, 20, 0),
    "dfs": Linear(24, 175, 94),
    "diameter": Linear(0, 100, 34),
    "distance_matrix": Linear(0, 3845, 2),
    "eccentricity": Linear(8, 100, 34),
    "eigenvector_centrality": Linear(8, 60, 52),
    "floyd_warshall": Linear(0, 100, 34),
    "greedy_color": Linear(8, 200, 66),
    "harmonic_centrality": Linear(8, 100, 34),
    "hits": Linear(16, 92, 60),
    "in_degree_centrality": Linear(8, 55, 28),
    "is_bipartite": Linear(0, 145, 78),
    "is_connected": Linear(0, 80, 76),
    "iter_distances": Linear(0, 3875, 2),
    "jaccard_coefficient": Linear(0, 80, 310),
    "k_core": Linear(16, 200, 144),
    "k_truss": Linear(16, 20, 158),
    "katz_centrality": Linear(8, 60, 52),
    "label_propagation": Linear(8, 90, 100),
    "largest_component": Linear(16, 210, 88),
    "leiden": Linear(8, 500, 90),
    "local_clustering_coefficient": Linear(8, 115, 165),
    "louvain": Linear(8, 500, 90),
    "maximal_independent_set": Linear(1, 200, 48),
    "maximal_matching": Linear(8, 300, 60),
    "maximum_bipartite_matching": Linear(8, 225, 84),
    "maximum_spanning_tree": Linear(32, 165, 48),
    "minimum_spanning_edges": Linear(24, 180, 48),
    "minimum_spanning_tree": Linear(32, 165, 48),
    "modularity": Linear(0, 100, 30),
    "number_connected_components": Linear(0, 95, 76),
    "out_degree_centrality": Linear(8, 45, 10),
    "overlap_coefficient": Linear(0, 80, 310),
    "pagerank": Linear(8, 110, 52),
    "paired_distances": Linear(0, 80, 34),
    "random_walks": Linear(0, 90, 78),
    "shortest_path_between": Linear(8, 75, 34),
    "spanning_forest": Linear(8, 125, 76),
    "sssp": Linear(16, 70, 34),
    "strongly_connected_components": Linear(8, 310, 86),
    "topological_generations": Linear(8, 35, 34),
    "topological_sort": Linear(8, 90, 34),
    "transitivity": Linear(0, 195, 100),
    "triangle_count": Linear(0, 130, 100),
    "triangles": Linear(8, 100, 100),
    "weakly_connected_components": Linear(8, 85, 76),
}


class OnGpu(NamedTuple):
    """The bytes that a call takes on a GPU for each vertex and for each entry, and how many more if
    the graph is directed."""

    vertex: int
    entry: int
    directed_vertex: int = 0
    directed_entry: int = 0


ON_GPU: dict[str, OnGpu] = {
    "average_clustering": OnGpu(20, 23, 0, 83), "bellman_ford": OnGpu(190, 2, 0, 23),
    "betweenness_centrality": OnGpu(1315, 21), "bfs": OnGpu(100, 0, 0, 27),
    "bipartite_color": OnGpu(125, 0, 0, 17), "closeness_centrality": OnGpu(100, 2, 0, 30),
    "clustering": OnGpu(20, 23, 0, 83), "common_neighbor_counts": OnGpu(0, 42, 0, 72),
    "common_neighbors": OnGpu(5, 1, 0, 25), "connected_components": OnGpu(15, 1, 0, 19),
    "contract": OnGpu(600, 2000), "core_number": OnGpu(50, 1, 0, 35),
    "dag_longest_distance": OnGpu(35, 14, 0, 14), "dag_longest_path": OnGpu(70, 14, 0, 14),
    "dag_longest_path_length": OnGpu(35, 14, 0, 14), "degree_centrality": OnGpu(20, 1, 0, 34),
    "density": OnGpu(5, 1), "dfs": OnGpu(30, 1, 0, 1), "diameter": OnGpu(100, 2, 0, 30),
    "distance_matrix": OnGpu(250, 0, 0, 30), "eccentricity": OnGpu(100, 2, 0, 30),
    "eigenvector_centrality": OnGpu(90, 1, 0, 28), "floyd_warshall": OnGpu(100, 34),
    "greedy_color": OnGpu(50, 0, 0, 18), "harmonic_centrality": OnGpu(100, 2, 0, 30),
    "hits": OnGpu(130, 1, 0, 28), "in_degree_centrality": OnGpu(10, 29),
    "is_bipartite": OnGpu(125, 0, 0, 17), "is_connected": OnGpu(15, 1, 0, 19),
    "iter_distances": OnGpu(250, 0, 0, 30), "jaccard_coefficient": OnGpu(0, 56, 0, 68),
    "k_core": OnGpu(0, 27, 0, 57), "k_truss": OnGpu(0, 20, 0, 29),
    "katz_centrality": OnGpu(40, 1, 0, 28), "label_propagation": OnGpu(85, 1, 0, 34),
    "largest_component": OnGpu(170, 18, 0, 15), "leiden": OnGpu(240, 36, 0, 123),
    "local_clustering_coefficient": OnGpu(0, 29, 0, 55), "louvain": OnGpu(210, 11, 0, 92),
    "maximal_independent_set": OnGpu(20, 1, 0, 19), "maximal_matching": OnGpu(15, 56, 0, 73),
    "maximum_bipartite_matching": OnGpu(125, 0, 0, 17), "maximum_spanning_tree": OnGpu(35, 1),
    "minimum_spanning_edges": OnGpu(30, 1), "minimum_spanning_tree": OnGpu(35, 1),
    "modularity": OnGpu(40, 1, 0, 30), "number_connected_components": OnGpu(35, 1, 0, 19),
    "out_degree_centrality": OnGpu(10, 1), "overlap_coefficient": OnGpu(0, 56, 0, 68),
    "pagerank": OnGpu(60, 12, 0, 28), "paired_distances": OnGpu(300, 2, 0, 23),
    "random_walks": OnGpu(5, 1, 0, 1), "shortest_path_between": OnGpu(190, 2, 0, 23),
    "spanning_forest": OnGpu(115, 0, 0, 17), "sssp": OnGpu(190, 2, 0, 23),
    "strongly_connected_components": OnGpu(15, 1, 1200, 20),
    "topological_generations": OnGpu(35, 14, 0, 14), "topological_sort": OnGpu(35, 14, 0, 14),
    "transitivity": OnGpu(20, 10, 0, 19), "triangle_count": OnGpu(5, 11, 0, 27),
    "triangles": OnGpu(10, 23, 0, 40), "weakly_connected_components": OnGpu(15, 1, 0, 19),
}  # fmt: skip
"""Peaks of the arrays on an emulated device, with a margin of a fifth: of random graphs of 12,000
vertices and edges, and of 1,200 and 40,000, and of a Kronecker graph. (Measured 2026-11-29.)
Contraction and floyd_warshall: not yet measured.
"""


WALKER_BYTES = 90
"""The bytes of a random walk besides its vertices. (Measured on the CPU backend, 2026-11-29, with
its vertices: 880 for 50 steps and 136 for 5, of 1,722 and 282 estimated.)
"""

PAIR_BYTES = 120
"""What floyd_warshall takes for each pair of vertices: the distances, a product, and its parts.
(Measured on the CPU backend, 2026-11-30, 300 to 600 vertices: 28 to 33; by the statements, on a
cluster, 32. On a GPU not yet measured.)
"""

TREE_BYTES = 56
"""What each search from several sources takes for each vertex on the CPU, with its distances and
its tree. (Measured on the CPU backend, 2026-11-29: up to 46, and 42 while the room for results
grows.)
"""

TRANSPOSE_BYTES = 24
"""What a transpose takes for each entry, beside the arrays that one search needs. (Measured on the
CPU backend, 2026-11-29: 12.)
"""

BYTES_OF_ROUNDS = 100
"""What a search takes for each vertex of which only the last round counts. (Measured on the CPU
backend, 2026-11-27, in 256 rows: 93 by the memory that the process has more at its peak.)
"""

BOTH_DIRECTIONS_BYTES = 60
"""What the edges of a directed graph in both directions take for each entry in Louvain's and
Leiden's methods. (Measured on the CPU backend, 2026-11-30, with all else: 4.9 MB for 1,000 vertices
and 39,000 entries, of 6.4 estimated.)
"""

STATEMENTS_OF_LEVELS = Linear(0, 1250, 110)
"""What the statements of Louvain's method take beside the loops' row of `LINEAR`. (Measured on the
CPU backend, 2026-11-29, directed: 7.4 MB of 9.6 estimated for 1,000 vertices and 39,000 entries.)
"""

STATEMENTS_OF_REFINEMENTS = Linear(0, 1500, 470)
"""What the statements of Leiden's method take beside the loops' row of `LINEAR`. (Measured on the
CPU backend, 2026-11-29, directed: 14.8 MB of 25.6 estimated for 10,000 vertices and 10,000
entries.)
"""

VOTES_BYTES = 610
"""What the statements of label propagation take for each vertex beside the loops. Not yet
measured."""

BY_STATEMENTS: dict[str, int] = {
    "average_clustering": 18, "bellman_ford": 0, "bfs": 0, "bipartite_color": 320,
    "clustering": 15, "common_neighbor_counts": 0, "common_neighbors": 0,
    "connected_components": 360, "core_number": 36, "dag_longest_distance": 27,
    "dag_longest_path": 205, "dag_longest_path_length": 27, "degree_centrality": 15,
    "density": 0, "dfs": 122, "distance_matrix": 34, "eigenvector_centrality": 55,
    "greedy_color": 93, "hits": 60, "in_degree_centrality": 15, "is_bipartite": 320,
    "is_connected": 360, "jaccard_coefficient": 240, "k_core": 36, "k_truss": 0,
    "katz_centrality": 50, "label_propagation": 136, "largest_component": 360,
    "local_clustering_coefficient": 19, "maximal_independent_set": 93, "modularity": 360,
    "maximum_spanning_tree": 780, "minimum_spanning_edges": 780, "minimum_spanning_tree": 780,
    "number_connected_components": 360, "out_degree_centrality": 16, "overlap_coefficient": 240,
    "pagerank": 58, "random_walks": 35, "shortest_path_between": 0,
    "spanning_forest": 360, "sssp": 0, "strongly_connected_components": 315,
    "topological_generations": 39, "topological_sort": 144, "transitivity": 0,
    "triangle_count": 0, "triangles": 19, "weakly_connected_components": 360,
}  # fmt: skip
"""The bytes that statements take for each vertex of a large graph, together on all processes of a
cluster: peaks of two processes for 10⁶ vertices, of which one in 32 has edges. (Measured on the CPU
backend, 2026-11-29.) With 0 they take none for vertices that have no edges or are not reached. Of
others it is not yet measured, and the loops' row of `LINEAR` counts.
"""

OF_IDS_IN_USE: dict[str, int] = {
    "average_clustering": 370, "clustering": 400, "core_number": 340, "dag_longest_distance": 235,
    "dag_longest_path_length": 235, "degree_centrality": 180, "eigenvector_centrality": 290,
    "hits": 320, "in_degree_centrality": 115, "k_core": 345, "katz_centrality": 335,
    "local_clustering_coefficient": 395, "out_degree_centrality": 60, "pagerank": 230,
    "topological_generations": 230, "triangles": 390,
}  # fmt: skip
"""The bytes that statements take for each vertex that has edges, together on all processes of a
cluster, where these are few: all others have one value, which is a default. Peaks of two processes
for 3·10⁵ edges between 2.4·10⁶ drawn ids of 2³³. (Measured on the CPU backend, 2026-11-30.)
"""
