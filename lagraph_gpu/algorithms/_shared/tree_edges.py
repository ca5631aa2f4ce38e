"""Are the edges of a tree edges of the graph?"""

from __future__ import annotations

from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY

pair = BINARY["pair"]


@operation
def missing_tree_edges(children: Vector, A: Matrix) -> int:
    """How many entries p(v) of a vector of vertices have no entry (p(v), v) in A."""
    return children.nvals - pair(children.selector() & A.T).new().nvals
