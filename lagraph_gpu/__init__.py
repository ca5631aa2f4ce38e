"""lagraph-gpu: graph algorithms as linear algebra over semirings, on CPU and GPU.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
>>> level, parent = lg.bfs(G, 0)
>>> level.to_dense().tolist()
[0, 1, 2]
"""

from lagraph_gpu import interrupts

interrupts.until_the_command()

from lagraph_gpu import core as core  # python-graphblas' name for what libraries take from it
from lagraph_gpu import draw, errors, exceptions, io, viz
from lagraph_gpu.algorithms.centrality.betweenness import betweenness_centrality
from lagraph_gpu.algorithms.centrality.closeness import closeness_centrality, harmonic_centrality
from lagraph_gpu.algorithms.centrality.degree import (
    degree_centrality,
    in_degree_centrality,
    out_degree_centrality,
)
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_centrality
from lagraph_gpu.algorithms.centrality.hits import hits
from lagraph_gpu.algorithms.centrality.katz import katz_centrality
from lagraph_gpu.algorithms.centrality.pagerank import pagerank
from lagraph_gpu.algorithms.community.label_propagation import label_propagation
from lagraph_gpu.algorithms.community.leiden import leiden
from lagraph_gpu.algorithms.community.louvain import louvain
from lagraph_gpu.algorithms.community.modularity import modularity
from lagraph_gpu.algorithms.paths.contract import contract
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distances import distance_matrix, iter_distances
from lagraph_gpu.algorithms.paths.eccentricity import diameter, eccentricity
from lagraph_gpu.algorithms.paths.floyd_warshall import floyd_warshall
from lagraph_gpu.algorithms.paths.longest_path import (
    dag_longest_distance,
    dag_longest_path,
    dag_longest_path_length,
)
from lagraph_gpu.algorithms.paths.paired_distances import paired_distances
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.paths.point_to_point import shortest_path_between
from lagraph_gpu.algorithms.paths.sssp import bellman_ford, sssp
from lagraph_gpu.algorithms.similarity.similarity import (
    common_neighbor_counts,
    common_neighbors,
    jaccard_coefficient,
    overlap_coefficient,
)
from lagraph_gpu.algorithms.structure.bipartite import (
    bipartite_color,
    is_bipartite,
    maximum_bipartite_matching,
)
from lagraph_gpu.algorithms.structure.clustering import (
    average_clustering,
    clustering,
    local_clustering_coefficient,
    transitivity,
)
from lagraph_gpu.algorithms.structure.components import (
    connected_components,
    number_connected_components,
    spanning_forest,
    weakly_connected_components,
)
from lagraph_gpu.algorithms.structure.connected import is_connected, largest_component
from lagraph_gpu.algorithms.structure.density import density
from lagraph_gpu.algorithms.structure.independent_set import greedy_color, maximal_independent_set
from lagraph_gpu.algorithms.structure.k_core import core_number, k_core
from lagraph_gpu.algorithms.structure.k_truss import k_truss
from lagraph_gpu.algorithms.structure.matching import maximal_matching
from lagraph_gpu.algorithms.structure.scc import strongly_connected_components
from lagraph_gpu.algorithms.structure.spanning_tree import (
    maximum_spanning_tree,
    minimum_spanning_edges,
    minimum_spanning_tree,
)
from lagraph_gpu.algorithms.structure.triangles import triangle_count, triangles
from lagraph_gpu.algorithms.traversal.bfs import bfs
from lagraph_gpu.algorithms.traversal.dfs import dfs
from lagraph_gpu.algorithms.traversal.random_walks import random_walks
from lagraph_gpu.algorithms.traversal.topological import topological_generations, topological_sort
from lagraph_gpu.backend import backend, set_backend
from lagraph_gpu.calls.memory_needs import MemoryNeeded, memory_needed
from lagraph_gpu.calls.public_functions import guarded
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.load import grid, kronecker, random_graph, read, write
from lagraph_gpu.io.saved import open
from lagraph_gpu.memory import set_memory_limit
from lagraph_gpu.notation import Matrix, Scalar, Vector
from lagraph_gpu.notation.config import MAX_SIZE, config, init
from lagraph_gpu.notation.namespaces import (
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
from lagraph_gpu.notation.recorder import Recorder
from lagraph_gpu.notation.tiles import concat, split
from lagraph_gpu.planning.explain import explain
from lagraph_gpu.planning.trace import trace
from lagraph_gpu.reporting import progress
from lagraph_gpu.schedule import Schedule

__version__ = "0.1.0"
__all__ = [
    "MAX_SIZE",
    "Contraction",
    "Graph",
    "Matrix",
    "MemoryNeeded",
    "Recorder",
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
    "config",
    "connected_components",
    "contract",
    "core_number",
    "dag_longest_distance",
    "dag_longest_path",
    "dag_longest_path_length",
    "degree_centrality",
    "density",
    "dfs",
    "diameter",
    "distance_matrix",
    "draw",
    "dtypes",
    "eccentricity",
    "eigenvector_centrality",
    "errors",
    "exceptions",
    "explain",
    "floyd_warshall",
    "greedy_color",
    "grid",
    "harmonic_centrality",
    "hits",
    "in_degree_centrality",
    "indexunary",
    "init",
    "io",
    "is_bipartite",
    "is_connected",
    "iter_distances",
    "jaccard_coefficient",
    "k_core",
    "k_truss",
    "katz_centrality",
    "kronecker",
    "label_propagation",
    "largest_component",
    "leiden",
    "local_clustering_coefficient",
    "louvain",
    "maximal_independent_set",
    "maximal_matching",
    "maximum_bipartite_matching",
    "maximum_spanning_tree",
    "memory_needed",
    "minimum_spanning_edges",
    "minimum_spanning_tree",
    "modularity",
    "monoid",
    "number_connected_components",
    "op",
    "open",
    "out_degree_centrality",
    "overlap_coefficient",
    "pagerank",
    "paired_distances",
    "path_to",
    "progress",
    "random_graph",
    "random_walks",
    "read",
    "replace",
    "select",
    "semiring",
    "set_backend",
    "set_memory_limit",
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
    "viz",
    "weakly_connected_components",
    "write",
]

globals().update(guarded({name: globals()[name] for name in __all__}, __name__))


def __getattr__(name: str) -> object:
    """For names that the package does not have: the nearest ones are suggested."""
    hint = ""
    if not name.startswith("_"):  # which programs ask for, not people
        owner = next((o for o in (Graph, Matrix, Vector) if hasattr(o, name)), None)
        hint = (
            f"; {owner.__name__} has it: {owner.__name__}.{name}"
            if owner
            else errors.did_you_mean(name, __all__, str)
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    """The public names, for completion. The modules behind them are imported by their own names."""
    return [*__all__, "__version__"]
