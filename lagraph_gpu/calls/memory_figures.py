"""The figures behind `lg.memory_needed`: what calls take for each vertex and for each entry.

`FIGURES` has a row for each algorithm. The figures are peaks measured on random graphs, with
weights of 8 bytes and a margin. `tests/test_memory_needed.py` measures every algorithm anew: its
peak is at most the estimate and at least an eighth of it, from about 200,000 bytes on. (Some sums
of SuiteSparse take more with more threads.) The figures count what the graph keeps for later calls:
arrays for compiled loops, and a transpose. Algorithms from many sources take more for each source;
how many sources they take at a time follows from the free memory, as when they run.
"""

from __future__ import annotations

from typing import NamedTuple


class Linear(NamedTuple):
    """Bytes of the result for each vertex, and of all for each vertex and for each entry."""

    result: int
    vertex: int
    entry: int


class OnGpu(NamedTuple):
    """The bytes that a call takes on a GPU for each vertex and for each entry, and how many more if
    the graph is directed."""

    vertex: int
    entry: int
    directed_vertex: int = 0
    directed_entry: int = 0


class Figures(NamedTuple):
    """What a call of an algorithm takes in bytes, beside the graph and the formulas of
    `memory_formulas.py`."""

    on_cpu: Linear
    """At its peak. (Measured on the CPU backend from 2026-11-24 to 2026-11-29.)"""
    on_gpu: OnGpu
    """Peaks of the arrays on an emulated device, with a margin of a fifth: of random graphs of
    12,000 vertices and edges, and of 1,200 and 40,000, and of a Kronecker graph. (Measured
    2026-11-29. Contraction and floyd_warshall: not yet measured.)"""
    by_statements: int | None = None
    """What statements take for each vertex of a large graph, together on all processes of a
    cluster: peaks of two processes for 10⁶ vertices, of which one in 32 has edges. (Measured on the
    CPU backend, 2026-11-29.) With 0 they take none for vertices that have no edges or are not
    reached. With None it is not yet measured, and the figure of the CPU counts."""
    of_ids_in_use: int | None = None
    """What statements take for each vertex that has edges, together on all processes of a cluster,
    where these are few: all others have one value, which is a default. Peaks of two processes for
    3·10⁵ edges between 2.4·10⁶ drawn ids of 2³³. (Measured on the CPU backend, 2026-11-30.) With
    None they take memory for all vertices."""


FIGURES: dict[str, Figures] = {
    # on the CPU, on a GPU, by statements, of ids in use
    "average_clustering": Figures(Linear(0, 80, 145), OnGpu(20, 23, 0, 83), 18, 370),
    "bellman_ford": Figures(Linear(16, 70, 34), OnGpu(190, 2, 0, 23), 0),
    "betweenness_centrality": Figures(Linear(8, 200, 36), OnGpu(1315, 21)),
    "bfs": Figures(Linear(12, 55, 34), OnGpu(100, 0, 0, 27), 0),
    "bipartite_color": Figures(Linear(8, 155, 78), OnGpu(125, 0, 0, 17), 320),
    "closeness_centrality": Figures(Linear(8, 100, 34), OnGpu(100, 2, 0, 30)),
    "clustering": Figures(Linear(8, 80, 145), OnGpu(20, 23, 0, 83), 15, 400),
    "common_neighbor_counts": Figures(Linear(8, 65, 240), OnGpu(0, 42, 0, 72), 0),
    "common_neighbors": Figures(Linear(8, 45, 48), OnGpu(5, 1, 0, 25), 0),
    "connected_components": Figures(Linear(8, 80, 76), OnGpu(15, 1, 0, 19), 360),
    "contract": Figures(Linear(8, 600, 2000), OnGpu(600, 2000)),
    "core_number": Figures(Linear(8, 105, 134), OnGpu(50, 1, 0, 35), 36, 340),
    "dag_longest_distance": Figures(Linear(8, 35, 34), OnGpu(35, 14, 0, 14), 27, 235),
    "dag_longest_path": Figures(Linear(8, 215, 44), OnGpu(70, 14, 0, 14), 205),
    "dag_longest_path_length": Figures(Linear(0, 35, 34), OnGpu(35, 14, 0, 14), 27, 235),
    "degree_centrality": Figures(Linear(8, 85, 38), OnGpu(20, 1, 0, 34), 15, 180),
    "density": Figures(Linear(0, 20, 0), OnGpu(5, 1), 0),
    "dfs": Figures(Linear(24, 175, 94), OnGpu(30, 1, 0, 1), 122),
    "diameter": Figures(Linear(0, 100, 34), OnGpu(100, 2, 0, 30)),
    "distance_matrix": Figures(Linear(0, 3845, 2), OnGpu(250, 0, 0, 30), 34),
    "eccentricity": Figures(Linear(8, 100, 34), OnGpu(100, 2, 0, 30)),
    "eigenvector_centrality": Figures(Linear(8, 60, 52), OnGpu(90, 1, 0, 28), 55, 290),
    "floyd_warshall": Figures(Linear(0, 100, 34), OnGpu(100, 34)),
    "greedy_color": Figures(Linear(8, 200, 66), OnGpu(50, 0, 0, 18), 93),
    "harmonic_centrality": Figures(Linear(8, 100, 34), OnGpu(100, 2, 0, 30)),
    "hits": Figures(Linear(16, 92, 60), OnGpu(130, 1, 0, 28), 60, 320),
    "in_degree_centrality": Figures(Linear(8, 55, 28), OnGpu(10, 29), 15, 115),
    "is_bipartite": Figures(Linear(0, 145, 78), OnGpu(125, 0, 0, 17), 320),
    "is_connected": Figures(Linear(0, 80, 76), OnGpu(15, 1, 0, 19), 360),
    "iter_distances": Figures(Linear(0, 3875, 2), OnGpu(250, 0, 0, 30)),
    "jaccard_coefficient": Figures(Linear(0, 80, 310), OnGpu(0, 56, 0, 68), 240),
    "k_core": Figures(Linear(16, 200, 144), OnGpu(0, 27, 0, 57), 36, 345),
    "k_truss": Figures(Linear(16, 20, 158), OnGpu(0, 20, 0, 29), 0),
    "katz_centrality": Figures(Linear(8, 60, 52), OnGpu(40, 1, 0, 28), 50, 335),
    "label_propagation": Figures(Linear(8, 90, 100), OnGpu(85, 1, 0, 34), 136),
    "largest_component": Figures(Linear(16, 210, 88), OnGpu(170, 18, 0, 15), 360),
    "leiden": Figures(Linear(8, 500, 90), OnGpu(240, 36, 0, 123)),
    "local_clustering_coefficient": Figures(Linear(8, 115, 165), OnGpu(0, 29, 0, 55), 19, 395),
    "louvain": Figures(Linear(8, 500, 90), OnGpu(210, 11, 0, 92)),
    "maximal_independent_set": Figures(Linear(1, 200, 48), OnGpu(20, 1, 0, 19), 93),
    "maximal_matching": Figures(Linear(8, 300, 60), OnGpu(15, 56, 0, 73)),
    "maximum_bipartite_matching": Figures(Linear(8, 225, 84), OnGpu(125, 0, 0, 17)),
    "maximum_spanning_tree": Figures(Linear(32, 165, 48), OnGpu(35, 1), 780),
    "minimum_spanning_edges": Figures(Linear(24, 180, 48), OnGpu(30, 1), 780),
    "minimum_spanning_tree": Figures(Linear(32, 165, 48), OnGpu(35, 1), 780),
    "modularity": Figures(Linear(0, 100, 30), OnGpu(40, 1, 0, 30), 360),
    "number_connected_components": Figures(Linear(0, 95, 76), OnGpu(35, 1, 0, 19), 360),
    "out_degree_centrality": Figures(Linear(8, 45, 10), OnGpu(10, 1), 16, 60),
    "overlap_coefficient": Figures(Linear(0, 80, 310), OnGpu(0, 56, 0, 68), 240),
    "pagerank": Figures(Linear(8, 110, 52), OnGpu(60, 12, 0, 28), 58, 230),
    "paired_distances": Figures(Linear(0, 80, 34), OnGpu(300, 2, 0, 23)),
    "random_walks": Figures(Linear(0, 90, 78), OnGpu(5, 1, 0, 1), 35),
    "shortest_path_between": Figures(Linear(8, 75, 34), OnGpu(190, 2, 0, 23), 0),
    "spanning_forest": Figures(Linear(8, 125, 76), OnGpu(115, 0, 0, 17), 360),
    "sssp": Figures(Linear(16, 70, 34), OnGpu(190, 2, 0, 23), 0),
    "strongly_connected_components": Figures(Linear(8, 310, 86), OnGpu(15, 1, 1200, 20), 315),
    "topological_generations": Figures(Linear(8, 35, 34), OnGpu(35, 14, 0, 14), 39, 230),
    "topological_sort": Figures(Linear(8, 90, 34), OnGpu(35, 14, 0, 14), 144),
    "transitivity": Figures(Linear(0, 195, 100), OnGpu(20, 10, 0, 19), 0),
    "triangle_count": Figures(Linear(0, 130, 100), OnGpu(5, 11, 0, 27), 0),
    "triangles": Figures(Linear(8, 100, 100), OnGpu(10, 23, 0, 40), 19, 390),
    "weakly_connected_components": Figures(Linear(8, 85, 76), OnGpu(15, 1, 0, 19), 360),
}


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
"""What the statements of Louvain's method take beside the loops' row. (Measured on the
CPU backend, 2026-11-29, directed: 7.4 MB of 9.6 estimated for 1,000 vertices and 39,000 entries.)
"""

STATEMENTS_OF_REFINEMENTS = Linear(0, 1500, 470)
"""What the statements of Leiden's method take beside the loops' row. (Measured on the
CPU backend, 2026-11-29, directed: 14.8 MB of 25.6 estimated for 10,000 vertices and 10,000
entries.)
"""

VOTES_BYTES = 610
"""What the statements of label propagation take for each vertex beside the loops. Not yet
measured."""
