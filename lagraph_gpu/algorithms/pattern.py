"""Two readings of a graph's edges that counting algorithms start from; loops and weights are gone.

*Multiplicity*: how many edges join two vertices, in either direction. *Orientation*: each pair of
neighbours once, from the vertex of smaller degree to that of larger (the smaller id first among
equals). Then no row is longer than √(2m), for its vertex has as many neighbours of a degree no less
than its own; this is what keeps triangle counting at O(m^1.5) where a few vertices are hubs.

Chiba, Nishizeki: Arboricity and subgraph listing algorithms, SIAM J. Computing 14 (1985).
"""

from __future__ import annotations

from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from semirings import BINARY, any_first, any_lt


def multiplicity(G: Graph) -> Matrix:
    """B[u, v] = [u → v] + [v → u] for u ≠ v (INT64); 1 for each edge of an undirected graph."""
    if not G.directed:
        return G.neighbours.apply("one").new("INT64")
    edge = G.A.apply("one").new("INT64").select("offdiag").new()
    return BINARY["plus"](edge | edge.T).new()


def oriented(G: Graph) -> Matrix:
    """U[u, v] = 1 for neighbours u, v, the one of smaller (degree, id) first (INT64)."""
    A = G.neighbours
    place = A.dup("INT64").reduce_rowwise("plus").new().apply("times", right=G.n).new()
    place(accum=BINARY["plus"]) << place.apply("index")  # degree · n + id
    rises = any_lt(any_first(place.diag() @ A).new() @ place.diag()).new()
    return rises.select("==", True).new("INT64")
