"""lagraph-gpu: graph algorithms as linear algebra over semirings, on CPU and GPU.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
>>> level, parent = lg.bfs(G, 0)
>>> level.to_dense().tolist()
[0, 1, 2]
"""

from lagraph_gpu import io
from lagraph_gpu.algorithms.betweenness import betweenness_centrality
from lagraph_gpu.algorithms.bfs import bfs
from lagraph_gpu.algorithms.closeness import closeness_centrality, harmonic_centrality
from lagraph_gpu.algorithms.degree import (
    degree_centrality,
    in_degree_centrality,
    out_degree_centrality,
)
from lagraph_gpu.algorithms.eigenvector import eigenvector_centrality
from lagraph_gpu.algorithms.hits import hits
from lagraph_gpu.algorithms.katz import katz_centrality
from lagraph_gpu.algorithms.pagerank import pagerank
from lagraph_gpu.algorithms.path import path_to
from lagraph_gpu.algorithms.sssp import bellman_ford, sssp
from lagraph_gpu.backend import backend, set_backend
from lagraph_gpu.closure import closure
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
from lagraph_gpu.sources import grid, kronecker, random_graph, read
from lagraph_gpu.tiles import concat, split
from lagraph_gpu.trace import trace
from lagraph_gpu.vector import Vector

__version__ = "0.1.0"
__all__ = [
    "Graph",
    "Matrix",
    "Scalar",
    "Schedule",
    "Vector",
    "agg",
    "backend",
    "bellman_ford",
    "betweenness_centrality",
    "bfs",
    "binary",
    "closeness_centrality",
    "closure",
    "concat",
    "degree_centrality",
    "dtypes",
    "eigenvector_centrality",
    "grid",
    "harmonic_centrality",
    "hits",
    "in_degree_centrality",
    "indexunary",
    "io",
    "katz_centrality",
    "kronecker",
    "monoid",
    "op",
    "out_degree_centrality",
    "pagerank",
    "path_to",
    "random_graph",
    "read",
    "replace",
    "select",
    "semiring",
    "set_backend",
    "split",
    "sssp",
    "trace",
    "unary",
]
