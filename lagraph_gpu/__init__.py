"""lagraph-gpu: graph algorithms as linear algebra over semirings, on CPU and GPU.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
>>> level, parent = lg.bfs(G, 0)
>>> level.to_dense().tolist()
[0, 1, 2]
"""

from lagraph_gpu import io
from lagraph_gpu.algorithms.bfs import bfs
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
    "bfs",
    "binary",
    "closure",
    "concat",
    "dtypes",
    "grid",
    "indexunary",
    "io",
    "kronecker",
    "monoid",
    "op",
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
