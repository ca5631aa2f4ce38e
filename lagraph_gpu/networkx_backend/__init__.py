"""A backend of NetworkX, under the name "lagraph".

>>> import networkx as nx
>>> from lagraph_gpu.networkx_backend import backend
>>> G = backend.convert_from_nx(nx.path_graph(["a", "b", "c"]))
>>> backend.closeness_centrality(G)["b"]
1.0

If the package is installed, NetworkX finds it: `nx.pagerank(G, backend="lagraph")`. It works on the
backend in force (`with lg.backend("cpu")`), which is a GPU if one works. Results and errors have
the types of NetworkX.
"""

import networkx as nx  # noqa: F401  before our tables, which it asks for while it is loaded

from lagraph_gpu.networkx_backend.graph import LagraphGraph, from_graph
from lagraph_gpu.networkx_backend.info import backend, get_info

__all__ = ["LagraphGraph", "backend", "from_graph", "get_info"]
