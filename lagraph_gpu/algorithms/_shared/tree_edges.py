"""Are the edges of a tree edges of the graph, and what are their values?"""

from __future__ import annotations

from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY

pair, second = BINARY["pair"], BINARY["second"]


@operation
def missing_tree_edges(children: Vector, A: Matrix) -> int:
    """How many entries p(v) of a vector of vertices have no entry (p(v), v) in A."""
    return children.nvals - pair(children.selector() & A.T).new().nvals


@operation
def tree_edge_values(children: Vector, A: Matrix) -> Vector:
    """The value of the entry (p(v), v) in A at each entry p(v) of a vector of vertices. Where there
    is no such entry, the result has none.
    """
    return second(children.selector() & A.T).new().reduce_rowwise("any").new()
