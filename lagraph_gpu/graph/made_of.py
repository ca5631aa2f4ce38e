"""What an error message says of a thing that is no graph: its type, and how to make one of it."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.sparse_input import of_scipy
from lagraph_gpu.notation import Matrix


def shown(thing: Any) -> str:
    """The name of a type in an error message."""
    kind = type(thing)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def remedy(thing: Any) -> str:
    """The advice how to make a graph of a thing, for an error message."""
    if hasattr(thing, "is_multigraph"):
        return "make one with lg.Graph.from_networkx(G)"
    if isinstance(thing, Matrix):
        return "make one with lg.Graph(A)"
    if isinstance(thing, EdgeList):
        return "make one with lg.Graph.from_edgelist(edges)"
    if of_scipy(thing):
        return "make one with lg.Graph.from_scipy(A)"
    if getattr(thing, "ndim", None) == 2:
        return "make one with lg.Graph.from_scipy(scipy.sparse.csr_array(A))"
    if isinstance(thing, str) or hasattr(thing, "__fspath__"):
        return "read one with lg.read(path)"
    return "make one with lg.Graph.from_edges(src, dst)"
