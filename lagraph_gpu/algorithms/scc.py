"""Strongly connected components: which vertices reach each other along the edges.

Give the vertices a random order, and let each take as its colour the first vertex that reaches it
(the closure under min_first). Two vertices of one component have one colour, so edges between
colours may go. A vertex that is its own colour is a pivot, and what reaches it within its colour is
its component (a closure over the reversed edges). What remains is coloured anew. The first pivot is
the vertex with the most out-edges, by itself: where one component is by far the largest, it goes
before anything is coloured (Slota, Rajamanickam, Madduri: BFS and coloring-based parallel
algorithms for strongly connected components and related problems, IPDPS 2014).

The pivot of a vertex is a random one of those that reach it, and afterwards only those count that
the pivot reaches too: in topological order, half of them on average. So O(log n) rounds are
expected, however many components there are, each O(m) and the work of two closures. A vertex that
no edge enters, or none leaves, is a component; taking these away before each round spares most of
the work on graphs that look like the web.

Coppersmith, Fleischer, Hendrickson, Pınar: A divide-and-conquer algorithm for identifying strongly
connected components (2005). Orzan: On distributed verification and verified distribution (2004).
"""

from __future__ import annotations

from lagraph_gpu.algorithms.components import busiest, connected_components
from lagraph_gpu.algorithms.labels import but, edges_among, edges_within, identity, shuffled, where
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_second, min_first

eq, first = BINARY["eq"], BINARY["first"]


def strongly_connected_components(G: Graph) -> Vector:
    """The strong component of each vertex (INT64): the smallest vertex of it.

    Two vertices are in one component if each is reached from the other; every vertex is in one. For
    an undirected graph these are its connected components. Weights and loops do not count.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([1, 2, 0, 3], [2, 1, 1, 4], n=5, backend="cpu")
    >>> lg.strongly_connected_components(G).to_dense().tolist()
    [0, 1, 1, 3, 4]
    """
    if not G.directed:
        return connected_components(G)
    own, left = identity(G), shuffled(G, seed=0)  # any order gives the same answer
    pivot = own.dup()
    if (most := busiest(G)) is not None:
        start = G.point(most, most, "INT64")
        giant = first(closure(start, G.A, any_first) & closure(start, G.A.T, any_first)).new()
        pivot(giant.S) << giant
        left = but(left, giant)
    E = edges_among(left, G.A).apply("one").new("BOOL").select("offdiag").new()
    while E.nvals:
        enters, leaves = E.reduce_columnwise("any").new(), E.reduce_rowwise("any").new()
        left << first(left & enters)
        left << first(left & leaves)
        E = edges_among(left, E)
        colour = closure(left, E, min_first)
        E = edges_within(colour, E)
        pivots = where(own, eq(colour & left).new())
        component = closure(pivots, E.T, any_first)
        pivot(component.S) << component
        E = edges_among(but(left, component), E)
    members = pivot.selector()
    smallest = min_first(identity(G) @ members).new()
    return any_second(members @ smallest).new()
