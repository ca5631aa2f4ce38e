"""Two readings of a graph's edges that counting algorithms start from; loops and weights are gone.

*Multiplicity*: how many edges join two vertices, in either direction. *By degree*: who is joined
with whom, the vertices numbered by falling degree.
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix, symmetric
from semirings import BINARY

SHORT_ROW = 64
"""Entries of a row up to which its vertex is not worth a number of its own choice."""


def multiplicity(G: Graph) -> Matrix:
    """B[u, v] = [u → v] + [v → u] for u ≠ v (INT64); 1 for each edge of an undirected graph."""
    if not G.directed:
        return G.neighbours.apply("one").new("INT64")
    edge = G.A.apply("one").new("INT64").select("offdiag").new()
    return BINARY["plus"](edge | edge.T).new()


def by_degree(G: Graph) -> Graph:
    """The undirected graph of G's neighbours under new ids, which fall as degrees do; under its
    own where all rows are short, for then any order bounds the work."""
    A = Matrix("BOOL", G.n, G.n, backend=G.backend)
    A(G.neighbours.S) << True  # one value for all, so that none need be moved
    R = Graph._checked(symmetric(A), directed=False)
    longest = R.out_degree.reduce("max").new().get(0)
    return R if longest <= SHORT_ROW else R.relabel("degree")
