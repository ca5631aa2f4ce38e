"""Two patterns of the edges of a graph for algorithms that count. Loops and weights are left out.

`multiplicity` counts the edges between two vertices in either direction. `by_degree` is the
undirected graph whose vertices are numbered by falling degree.
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY

SHORT_ROW = 64
"""If no vertex has more neighbours than this, numbering by degree does not pay."""


@operation
def multiplicity(G: Graph) -> Matrix:
    """B[u, v] = [u → v] + [v → u] for u ≠ v (INT64); 1 for each edge of an undirected graph."""
    if not G.directed:
        return G.neighbours.apply("one").new("INT64")
    edge = G.A.apply("one").new("INT64").select("offdiag").new()
    return BINARY["plus"](edge | edge.T).new()


def by_degree(G: Graph) -> Graph:
    """The undirected graph of G's neighbours, renumbered by falling degree.

    If all rows are short, the vertices keep their ids: then any order bounds the work.
    """
    A = Matrix("BOOL", G.n, G.n, backend=G.backend)
    A(G.neighbours.S) << True  # one value for all entries: renumbering moves no values
    R = Graph._checked(symmetric(A), directed=False, weighted=False)
    longest = R.out_degree.reduce("max").new().get(0)
    return R if longest <= SHORT_ROW else R.relabel("degree")
