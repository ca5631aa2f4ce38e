"""Made by docs/make_stub.py: the public names, with `progress=`."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, overload

import numpy as np

from lagraph_gpu import core as core
from lagraph_gpu import draw as draw
from lagraph_gpu import errors as errors
from lagraph_gpu import exceptions as exceptions
from lagraph_gpu import io as io
from lagraph_gpu import viz as viz
from lagraph_gpu.algorithms.paths.contraction import Contraction as Contraction
from lagraph_gpu.algorithms.paths.distance_rows import Block
from lagraph_gpu.algorithms.paths.path import path_to as path_to
from lagraph_gpu.backend import backend as backend
from lagraph_gpu.backend import set_backend as set_backend
from lagraph_gpu.calls.memory_needs import MemoryNeeded as MemoryNeeded
from lagraph_gpu.calls.memory_needs import memory_needed as memory_needed
from lagraph_gpu.closure import closure as closure
from lagraph_gpu.convert.options import FileFormat, Number, RankType, Vertex, Vertices, Weight
from lagraph_gpu.graph import Graph as Graph
from lagraph_gpu.io.load import grid as grid
from lagraph_gpu.io.load import kronecker as kronecker
from lagraph_gpu.io.load import random_graph as random_graph
from lagraph_gpu.io.load import read as read
from lagraph_gpu.io.saved import open as open
from lagraph_gpu.memory import set_memory_limit as set_memory_limit
from lagraph_gpu.notation import Matrix as Matrix
from lagraph_gpu.notation import Scalar as Scalar
from lagraph_gpu.notation import Vector as Vector
from lagraph_gpu.notation.config import MAX_SIZE as MAX_SIZE
from lagraph_gpu.notation.config import config as config
from lagraph_gpu.notation.config import init as init
from lagraph_gpu.notation.namespaces import agg as agg
from lagraph_gpu.notation.namespaces import binary as binary
from lagraph_gpu.notation.namespaces import dtypes as dtypes
from lagraph_gpu.notation.namespaces import indexunary as indexunary
from lagraph_gpu.notation.namespaces import monoid as monoid
from lagraph_gpu.notation.namespaces import op as op
from lagraph_gpu.notation.namespaces import replace as replace
from lagraph_gpu.notation.namespaces import select as select
from lagraph_gpu.notation.namespaces import semiring as semiring
from lagraph_gpu.notation.namespaces import unary as unary
from lagraph_gpu.notation.recorder import Recorder as Recorder
from lagraph_gpu.notation.tiles import concat as concat
from lagraph_gpu.notation.tiles import split as split
from lagraph_gpu.planning.explain import explain as explain
from lagraph_gpu.planning.trace import trace as trace
from lagraph_gpu.reporting import StepCallback
from lagraph_gpu.reporting import progress as progress
from lagraph_gpu.schedule import Schedule as Schedule

_Progress = bool | Callable[[int, Any], Any] | None
__version__: str
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

def betweenness_centrality(
    G: Graph,
    k: int | None = None,
    normalized: bool = True,
    weight: Weight | None = None,
    endpoints: bool = False,
    seed: Any = None,
    *,
    batch_size: int | None = None,
    progress: _Progress = None,
) -> Vector: ...
def closeness_centrality(
    G: Graph,
    u: Vertex | Iterable[Vertex] | None = None,
    distance: Weight | None = None,
    wf_improved: bool = True,
    *,
    batch_size: int | None = None,
    progress: _Progress = None,
) -> Vector: ...
def harmonic_centrality(
    G: Graph,
    nbunch: int | Iterable[int] | None = None,
    distance: Weight | None = None,
    sources: int | Iterable[int] | None = None,
    *,
    batch_size: int | None = None,
    progress: _Progress = None,
) -> Vector: ...
def degree_centrality(G: Graph, *, progress: _Progress = None) -> Vector: ...
def in_degree_centrality(G: Graph, *, progress: _Progress = None) -> Vector: ...
def out_degree_centrality(G: Graph, *, progress: _Progress = None) -> Vector: ...
def eigenvector_centrality(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-06,
    nstart: Any = None,
    weight: Weight | None = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
def hits(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-08,
    nstart: Any = None,
    normalized: bool = True,
    weight: Weight | None = "weight",
    *,
    progress: _Progress = None,
) -> tuple[Vector, Vector]: ...
def katz_centrality(
    G: Graph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-06,
    nstart: Any = None,
    normalized: bool = True,
    weight: Weight | None = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 1000,
    tol: float | None = None,
    nstart: Any = None,
    weight: Weight | None = "weight",
    dangling: Any = None,
    *,
    iterations: int | None = None,
    dtype: RankType = "FP64",
    progress: _Progress = None,
) -> Vector: ...
def label_propagation(G: Graph, max_iter: int = 10, *, progress: _Progress = None) -> Vector: ...
def leiden(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-07,
    max_level: int | None = None,
    seed: Any = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
def louvain(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-07,
    max_level: int | None = None,
    seed: Any = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
def modularity(
    G: Graph, labels: Any, resolution: float = 1.0, *, progress: _Progress = None
) -> float: ...
def contract(
    G: Graph,
    weight: Weight | None = "weight",
    *,
    core: int = ...,
    progress: bool | StepCallback | None = None,
) -> Contraction: ...
def distance_matrix(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Any: ...
def iter_distances(
    G: Graph,
    sources: Vertices | None = None,
    targets: Vertices | None = None,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    memory: int | None = None,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Iterator[Block]: ...
def diameter(G: Graph, weight: Weight | None = None, *, progress: _Progress = None) -> Number: ...
@overload
def eccentricity(
    G: Graph,
    v: list[Any] | np.ndarray | range | None = None,
    weight: Weight | None = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
@overload
def eccentricity(
    G: Graph, v: Vertex, weight: Weight | None = None, *, progress: _Progress = None
) -> Number: ...
def floyd_warshall(G: Graph, *, progress: _Progress = None) -> Matrix: ...
def dag_longest_distance(G: Graph, *, progress: _Progress = None) -> Vector: ...
def dag_longest_path(G: Graph, *, progress: _Progress = None) -> list[int]: ...
def dag_longest_path_length(G: Graph, *, progress: _Progress = None) -> Number: ...
def paired_distances(
    G: Graph,
    sources: Vertices,
    targets: Vertices,
    cutoff: float | None = None,
    weight: Weight | None = "weight",
    *,
    schedule: Schedule | None = None,
    contraction: Contraction | None = None,
    progress: bool | StepCallback | None = None,
) -> Any: ...
def shortest_path_between(
    G: Graph,
    source: Vertex,
    target: Vertex,
    lower_bound: Any = None,
    cutoff: float | None = None,
    step: float | None = None,
    *,
    progress: _Progress = None,
) -> tuple[Number, list[int]] | None: ...
def bellman_ford(
    G: Graph, source: Vertex, schedule: Schedule | None = None, *, progress: _Progress = None
) -> tuple[Vector, Vector]: ...
@overload
def sssp(
    G: Graph,
    source: Vertex,
    cutoff: float | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
    progress: _Progress = None,
) -> tuple[Vector, Vector]: ...
@overload
def sssp(
    G: Graph,
    source: None = None,
    cutoff: float | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
    progress: _Progress = None,
) -> tuple[Matrix, Matrix]: ...
def common_neighbor_counts(
    G: Graph, pairs: Any = None, *, progress: _Progress = None
) -> Matrix: ...
def common_neighbors(G: Graph, u: Vertex, v: Vertex, *, progress: _Progress = None) -> Vector: ...
def jaccard_coefficient(G: Graph, pairs: Any = None, *, progress: _Progress = None) -> Matrix: ...
def overlap_coefficient(G: Graph, pairs: Any = None, *, progress: _Progress = None) -> Matrix: ...
def bipartite_color(G: Graph, *, progress: _Progress = None) -> Vector: ...
def is_bipartite(G: Graph, *, progress: _Progress = None) -> bool: ...
def maximum_bipartite_matching(G: Graph, *, progress: _Progress = None) -> Vector: ...
def average_clustering(G: Graph, *, progress: _Progress = None) -> float: ...
def clustering(G: Graph, *, progress: _Progress = None) -> Vector: ...
def local_clustering_coefficient(G: Graph, *, progress: _Progress = None) -> Vector: ...
def transitivity(G: Graph, *, progress: _Progress = None) -> float: ...
def connected_components(G: Graph, *, progress: _Progress = None) -> Vector: ...
def number_connected_components(G: Graph, *, progress: _Progress = None) -> int: ...
def spanning_forest(G: Graph, *, progress: _Progress = None) -> Vector: ...
def weakly_connected_components(G: Graph, *, progress: _Progress = None) -> Vector: ...
def is_connected(G: Graph, *, progress: _Progress = None) -> bool: ...
def largest_component(G: Graph, *, progress: _Progress = None) -> Graph: ...
def density(G: Graph, *, progress: _Progress = None) -> float: ...
def greedy_color(
    G: Graph,
    strategy: Literal["largest_first", "random_sequential"] = "largest_first",
    seed: int | None = None,
    *,
    progress: _Progress = None,
) -> Vector: ...
def maximal_independent_set(
    G: Graph, seed: int | None = None, *, progress: _Progress = None
) -> Vector: ...
def core_number(G: Graph, *, progress: _Progress = None) -> Vector: ...
def k_core(G: Graph, k: int | None = None, *, progress: _Progress = None) -> Graph: ...
def k_truss(G: Graph, k: int, *, progress: _Progress = None) -> Graph: ...
def maximal_matching(
    G: Graph, seed: int | None = None, *, progress: _Progress = None
) -> Vector: ...
def strongly_connected_components(G: Graph, *, progress: _Progress = None) -> Vector: ...
def maximum_spanning_tree(G: Graph, *, progress: _Progress = None) -> Graph: ...
def minimum_spanning_edges(
    G: Graph, *, progress: _Progress = None
) -> tuple[Vector, Vector, Vector]: ...
def minimum_spanning_tree(G: Graph, *, progress: _Progress = None) -> Graph: ...
def triangle_count(G: Graph, *, progress: _Progress = None) -> int: ...
def triangles(G: Graph, *, progress: _Progress = None) -> Vector: ...
@overload
def bfs(
    G: Graph,
    source: Vertex,
    max_level: int | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
    progress: _Progress = None,
) -> tuple[Vector, Vector]: ...
@overload
def bfs(
    G: Graph,
    source: None = None,
    max_level: int | None = None,
    schedule: Schedule | None = None,
    *,
    sources: Vertices | None = None,
    progress: _Progress = None,
) -> tuple[Matrix, Matrix]: ...
def dfs(
    G: Graph, source: Vertex | None = None, *, progress: _Progress = None
) -> tuple[Vector, Vector, Vector]: ...
def random_walks(
    G: Graph,
    sources: Vertices,
    length: int,
    seed: Any = None,
    weighted: bool = False,
    *,
    progress: _Progress = None,
) -> Matrix: ...
def topological_generations(G: Graph, *, progress: _Progress = None) -> Vector: ...
def topological_sort(G: Graph, *, progress: _Progress = None) -> Vector: ...
def write(
    G: Graph,
    path: str | os.PathLike[str],
    *,
    format: FileFormat | None = None,
    labels: bool | None = None,
    progress: _Progress = None,
) -> None: ...
