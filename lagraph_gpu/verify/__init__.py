"""Independent judges of results: properties that only right results have, one file a family."""

from lagraph_gpu.verify.centrality import (
    verify_betweenness,
    verify_closeness,
    verify_eigenvector,
    verify_harmonic,
    verify_hits,
    verify_katz,
    verify_pagerank,
)
from lagraph_gpu.verify.structure import (
    verify_coloring,
    verify_components,
    verify_dfs,
    verify_generations,
    verify_independent_set,
    verify_matching,
    verify_spanning_forest,
    verify_spanning_tree,
    verify_strong_components,
    verify_topological_sort,
)
from lagraph_gpu.verify.traversal import Verifier, verify_bfs, verify_sssp

__all__ = [
    "Verifier",
    "verify_betweenness",
    "verify_bfs",
    "verify_closeness",
    "verify_coloring",
    "verify_components",
    "verify_dfs",
    "verify_eigenvector",
    "verify_generations",
    "verify_harmonic",
    "verify_hits",
    "verify_independent_set",
    "verify_katz",
    "verify_matching",
    "verify_pagerank",
    "verify_spanning_forest",
    "verify_spanning_tree",
    "verify_sssp",
    "verify_strong_components",
    "verify_topological_sort",
]
