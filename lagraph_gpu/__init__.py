"""lagraph-gpu: graph algorithms as linear algebra over semirings, on CPU and GPU.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
>>> level, parent = lg.bfs(G, 0)
>>> level.to_dense().tolist()
[0, 1, 2]
"""

from lagraph_gpu import errors as exceptions
from lagraph_gpu import io
from lagraph_gpu.algorithms.between import shortest_path_between
from lagraph_gpu.algorithms.betweenness import betweenness_centrality
from lagraph_gpu.algorithms.bfs import bfs
from lagraph_gpu.algorithms.bipartite import (
    bipartite_color,
    is_bipartite,
    maximum_bipartite_matching,
)
from lagraph_gpu.algorithms.closeness import closeness_centrality, harmonic_centrality
from lagraph_gpu.algorithms.clustering import (
    average_clustering,
    clustering,
    local_clustering_coefficient,
    transitivity,
)
from lagraph_gpu.algorithms.components import (
    connected_components,
    number_connected_components,
    spanning_forest,
    weakly_connected_components,
)
from lagraph_gpu.algorithms.contract import contract
from lagraph_gpu.algorithms.degree import (
    degree_centrality,
    in_degree_centrality,
    out_degree_centrality,
)
from lagraph_gpu.algorithms.dfs import dfs
from lagraph_gpu.algorithms.distances import distance_matrix, iter_distances
from lagraph_gpu.algorithms.eigenvector import eigenvector_centrality
from lagraph_gpu.algorithms.floyd_warshall import floyd_warshall
from lagraph_gpu.algorithms.hits import hits
from lagraph_gpu.algorithms.independent_set import greedy_color, maximal_independent_set
from lagraph_gpu.algorithms.k_core import core_number, k_core
from lagraph_gpu.algorithms.k_truss import k_truss
from lagraph_gpu.algorithms.katz import katz_centrality
from lagraph_gpu.algorithms.label_propagation import label_propagation
from lagraph_gpu.algorithms.longest_path import (
    dag_longest_distance,
    dag_longest_path,
    dag_longest_path_length,
)
from lagraph_gpu.algorithms.louvain import louvain
from lagraph_gpu.algorithms.matching import maximal_matching
from lagraph_gpu.algorithms.modularity import modularity
from lagraph_gpu.algorithms.pagerank import pagerank
from lagraph_gpu.algorithms.pairs import paired_distances
from lagraph_gpu.algorithms.path import path_to
from lagraph_gpu.algorithms.random_walks import random_walks
from lagraph_gpu.algorithms.scc import strongly_connected_components
from lagraph_gpu.algorithms.similarity import (
    common_neighbor_counts,
    common_neighbors,
    jaccard_coefficient,
    overlap_coefficient,
)
from lagraph_gpu.algorithms.spanning_tree import (
    maximum_spanning_tree,
    minimum_spanning_edges,
    minimum_spanning_tree,
)
from lagraph_gpu.algorithms.sssp import bellman_ford, sssp
from lagraph_gpu.algorithms.topological import topological_generations, topological_sort
from lagraph_gpu.algorithms.triangles import triangle_count, triangles
from lagraph_gpu.backend import backend, set_backend
from lagraph_gpu.closure import closure
from lagraph_gpu.contraction import Contraction
from lagraph_gpu.entry import guarded
from lagraph_gpu.explain import explain
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.namespaces import (
    agg,
    binary,
    dtypes,
    indexunary,
    monoid,
    op,
    replace,
    select,
    semiring,
    unary,
)
from lagraph_gpu.scalar import Scalar
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.sources import grid, kronecker, random_graph, read, write
from lagraph_gpu.tiles import concat, split
from lagraph_gpu.trace import trace
from lagraph_gpu.vector import Vector

__version__ = "0.1.0"
__all__ = [
    "Contraction",
    "Graph",
    "Matrix",
    "Scalar",
    "Schedule",
    "Vector",
    "agg",
    "average_clustering",
    "backend",
    "bellman_ford",
    "betweenness_centrality",
    "bfs",
    "binary",
    "bipartite_color",
    "closeness_centrality",
    "closure",
    "clustering",
    "common_neighbor_counts",
    "common_neighbors",
    "concat",
    "connected_components",
    "contract",
    "core_number",
    "dag_longest_distance",
    "dag_longest_path",
    "dag_longest_path_length",
    "degree_centrality",
    "dfs",
    "distance_matrix",
    "dtypes",
    "eigenvector_centrality",
    "exceptions",
    "explain",
    "floyd_warshall",
    "greedy_color",
    "grid",
    "harmonic_centrality",
    "hits",
    "in_degree_centrality",
    "indexunary",
    "io",
    "is_bipartite",
    "iter_distances",
    "jaccard_coefficient",
    "k_core",
    "k_truss",
    "katz_centrality",
    "kronecker",
    "label_propagation",
    "local_clustering_coefficient",
    "louvain",
    "maximal_independent_set",
    "maximal_matching",
    "maximum_bipartite_matching",
    "maximum_spanning_tree",
    "minimum_spanning_edges",
    "minimum_spanning_tree",
    "modularity",
    "monoid",
    "number_connected_components",
    "op",
    "out_degree_centrality",
    "overlap_coefficient",
    "pagerank",
    "paired_distances",
    "path_to",
    "random_graph",
    "random_walks",
    "read",
    "replace",
    "select",
    "semiring",
    "set_backend",
    "shortest_path_between",
    "spanning_forest",
    "split",
    "sssp",
    "strongly_connected_components",
    "topological_generations",
    "topological_sort",
    "trace",
    "transitivity",
    "triangle_count",
    "triangles",
    "unary",
    "weakly_connected_components",
    "write",
]

globals().update(guarded({name: globals()[name] for name in __all__}))
