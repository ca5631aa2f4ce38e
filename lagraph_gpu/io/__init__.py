"""Graph files: one reader and writer a format, one table of formats, one value that comes out.

Start with `read_edges`; its docstring lists the formats. `EdgeList` is what a file states.
"""

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.io.dimacs import read_coordinates
from lagraph_gpu.io.formats import read_edges, write_edges
from lagraph_gpu.io.movingai import read_movingai
from lagraph_gpu.io.sparse import from_scipy_sparse, to_scipy_sparse

__all__ = [
    "EdgeList",
    "from_scipy_sparse",
    "read_coordinates",
    "read_edges",
    "read_movingai",
    "to_scipy_sparse",
    "write_edges",
]
