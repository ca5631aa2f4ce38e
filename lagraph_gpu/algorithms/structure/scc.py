"""Strongly connected components: which vertices reach each other along the edges.

Give the vertices a random order, and let each take as its colour the first vertex that reaches it
(the closure under min_first). A vertex that is its own colour is a pivot, and those of that colour
that reach it, along edges inside of the colour, are its component. Two vertices of one component
have one colour: edges between colours go, and what remains is coloured anew, by the same
operation, for which a backend may have a lowering where little remains. The first pivot is a vertex
with many edges both ways, by itself: where one component is by far the largest, it goes before
anything is coloured (Slota, Rajamanickam, Madduri: BFS and coloring-based parallel algorithms for
strongly connected components and related problems, IPDPS 2014).

The pivot of a vertex is a random one of those that reach it, and afterwards only those count that
the pivot reaches too: in topological order, half of them on average. So O(log n) rounds are
expected, however many components there are, each O(m) and the work of two closures. A vertex that
no edge enters, or none leaves, is a component; taking these away before each round spares most of
the work on graphs that look like the web.

Coppersmith, Fleischer, Hendrickson, Pınar: A divide-and-conquer algorithm for identifying strongly
connected components (2005). Orzan: On distributed verification and verified distribution (2004).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import (
    RANKS,
    edges_among,
    edges_within,
    excluding,
    identity,
    random_ranks,
)
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_pair, any_second, min_first, min_secondi
from semirings.types import BOOL, INT64

eq, fewer, first, pair, plus, second = (
    BINARY[name] for name in ("eq", "min", "first", "pair", "plus", "second")
)


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
    pivot = identity(G)
    left = random_ranks(G, seed=0).apply("times", RANKS).new()  # any order gives the same answer
    left(plus) << pivot
    degree = fewer(G.out_degree & G.in_degree).new().apply("times", RANKS).new()
    busiest = plus(degree & pivot).new().reduce("max").new().value
    if busiest is not None:
        start = G.point(busiest % RANKS, 1, INT64)
        giant = pair(closure(start, G.A, any_pair) & closure(start, G.A.T, any_pair)).new()
        left = excluding(left, giant)
        pivot(second) << giant.apply("times", busiest % RANKS)
    left = _between_edges(left, G.in_degree, G.out_degree)
    pivot(second) << pivots(left, G.A)
    members = pivot.selector()
    smallest = min_secondi(pivot @ members).new()
    return any_second(members @ smallest).new()


@operation
def pivots(rank: Vector, A: Matrix) -> Vector:
    """The pivot (INT64) of each entry of ``rank`` in the graph of those edges of A that join two of
    them: the same at all vertices of a strong component, and the rank, modulo 2³¹, of one of them.
    Those without edges may be missing. Ranks are INT64, all different, and at least 0."""
    pivot = Vector(INT64, rank.size, backend=rank.backend)
    E = edges_among(rank, A)
    if E.nvals == 0:
        return pivot
    if E.dtype != BOOL:
        E = E.apply("one").new(BOOL).select("offdiag").new()
    left = _between_edges(rank, E.reduce_columnwise("any").new(), E.reduce_rowwise("any").new())
    colour = first(closure(left, E, min_first) & left).new()
    E = edges_within(colour, E)
    own = eq(colour & left).new().select("==", True).new()
    component = closure(own, E.T, any_pair)
    pivot(component.S) << colour.apply("band", RANKS - 1)
    pivot(second) << pivots(excluding(left, component), E)
    return pivot


def _between_edges(left: Vector, enters: Vector, leaves: Vector) -> Vector:
    """The entries at vertices that some edge enters and some edge leaves."""
    return first(first(left & enters).new() & leaves).new()
