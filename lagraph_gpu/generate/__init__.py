"""Graphs from formulas: Kronecker graphs, grids and random graphs.

A seed gives the same graph on every platform and NumPy version. Every random number is a hash of a
counter (splitmix64) in exact 64-bit integers, and every decision compares integers. The random
streams of NumPy and floating-point numbers are not used. So whether an edge exists depends on its
number alone, chunks may have any size, and tests can compare digests. Sources of random numbers are
in `counters`.
"""

from lagraph_gpu.generate.edge_weights import WeightKind
from lagraph_gpu.generate.grids import grid, grid_from_mask
from lagraph_gpu.generate.kronecker_draw import Draw
from lagraph_gpu.generate.kronecker_graph import kronecker
from lagraph_gpu.generate.random_graphs import random_graph

__all__ = ["Draw", "WeightKind", "grid", "grid_from_mask", "kronecker", "random_graph"]
