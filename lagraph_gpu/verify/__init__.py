"""Independent verifiers of results: properties that only correct results have, one module for each
family.
"""

from lagraph_gpu.calls.public_functions import guarded
from lagraph_gpu.verify.centrality import (
    verify_betweenness,
    verify_closeness,
    verify_degree_centrality,
    verify_eigenvector,
    verify_harmonic,
    verify_hits,
    verify_katz,
    verify_pagerank,
)
from lagraph_gpu.verify.communities import (
    verify_label_propagation,
    verify_leiden,
    verify_louvain,
    verify_modularity,
)
from lagraph_gpu.verify.cores import (
    verify_core_number,
    verify_k_core,
    verify_k_truss,
)
from lagraph_gpu.verify.distances import (
    verify_distance_matrix,
    verify_floyd_warshall,
    verify_min_plus,
    verify_negative_cycle,
    verify_paired_distances,
)
from lagraph_gpu.verify.host import Sample
from lagraph_gpu.verify.measures import (
    verify_density,
    verify_eccentricity,
    verify_is_connected,
    verify_largest_component,
)
from lagraph_gpu.verify.pairs import verify_bipartite, verify_matching
from lagraph_gpu.verify.paths import verify_longest_path, verify_path_between, verify_path_to
from lagraph_gpu.verify.random_walks import (
    verify_random_walks,
)
from lagraph_gpu.verify.rules import Rules
from lagraph_gpu.verify.similarity import (
    verify_common_neighbor_counts,
    verify_common_neighbors,
    verify_jaccard,
    verify_overlap,
)
from lagraph_gpu.verify.structure import (
    verify_coloring,
    verify_components,
    verify_dfs,
    verify_generations,
    verify_independent_set,
    verify_spanning_forest,
    verify_spanning_tree,
    verify_strong_components,
    verify_topological_sort,
)
from lagraph_gpu.verify.traversal import Verifier, verify_bfs, verify_sssp
from lagraph_gpu.verify.triangles import (
    verify_clustering,
    verify_local_clustering,
    verify_transitivity,
    verify_triangles,
)

__all__ = [
    "Rules",
    "Sample",
    "Verifier",
    "verify_betweenness",
    "verify_bfs",
    "verify_bipartite",
    "verify_closeness",
    "verify_clustering",
    "verify_coloring",
    "verify_common_neighbor_counts",
    "verify_common_neighbors",
    "verify_components",
    "verify_core_number",
    "verify_degree_centrality",
    "verify_density",
    "verify_dfs",
    "verify_distance_matrix",
    "verify_eccentricity",
    "verify_eigenvector",
    "verify_floyd_warshall",
    "verify_generations",
    "verify_harmonic",
    "verify_hits",
    "verify_independent_set",
    "verify_is_connected",
    "verify_jaccard",
    "verify_k_core",
    "verify_k_truss",
    "verify_katz",
    "verify_label_propagation",
    "verify_largest_component",
    "verify_leiden",
    "verify_local_clustering",
    "verify_longest_path",
    "verify_louvain",
    "verify_matching",
    "verify_min_plus",
    "verify_modularity",
    "verify_negative_cycle",
    "verify_overlap",
    "verify_pagerank",
    "verify_paired_distances",
    "verify_path_between",
    "verify_path_to",
    "verify_random_walks",
    "verify_spanning_forest",
    "verify_spanning_tree",
    "verify_sssp",
    "verify_strong_components",
    "verify_topological_sort",
    "verify_transitivity",
    "verify_triangles",
]

globals().update(guarded({name: globals()[name] for name in __all__}, __name__))
