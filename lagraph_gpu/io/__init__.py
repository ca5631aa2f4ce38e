"""Graph files: a reader and a writer for each format, and one table of formats.

Start with `read_edges`, whose docstring lists the formats. Every reader returns an `EdgeList`.
"""

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.io.awkward import from_awkward, to_awkward
from lagraph_gpu.io.dimacs import read_coordinates
from lagraph_gpu.io.formats import read_edges, write_edges
from lagraph_gpu.io.interchange import from_networkx, mmread, mmwrite, to_networkx
from lagraph_gpu.io.movingai import read_movingai
from lagraph_gpu.io.osm import read_osm
from lagraph_gpu.io.pydata import from_pydata_sparse, to_pydata_sparse
from lagraph_gpu.io.sparse import from_scipy_sparse, to_scipy_sparse

__all__ = [
    "EdgeList",
    "from_awkward",
    "from_networkx",
    "from_pydata_sparse",
    "from_scipy_sparse",
    "mmread",
    "mmwrite",
    "read_coordinates",
    "read_edges",
    "read_movingai",
    "read_osm",
    "to_awkward",
    "to_networkx",
    "to_pydata_sparse",
    "to_scipy_sparse",
    "write_edges",
]
