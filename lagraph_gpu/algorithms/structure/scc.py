"""Strongly connected components: the vertices that reach each other along the edges.

Forward-backward search by colouring. The vertices have a random order, and the colour of a vertex
is the first vertex that reaches it (the closure under min_first). A vertex that has its own colour
is a pivot. The vertices of its colour that reach it along edges inside the colour are its
component. Two vertices of one component have the same colour, so edges between colours are removed,
and the remaining vertices are coloured again by the same operation; a backend may have a lowering
that is used when few vertices remain. The first pivot is a vertex with many edges in both
directions: a component that is by far the largest is thus found before anything is coloured (Slota,
Rajamanickam, Madduri: BFS and coloring-based parallel algorithms for strongly connected components
and related problems, IPDPS 2014).

The pivot of a vertex is a random vertex of those that reach it. After a round, only those count
that the pivot reaches too: in a topological order, half of them on average. O(log n) rounds are
therefore expected, however many components there are. Each round takes O(m) and two closures. A
vertex without incoming or without outgoing edges is a component. Removing these before each round
saves most of the work on graphs like the web.

Coppersmith, Fleischer, Hendrickson, Pınar: A divide-and-conquer algorithm for identifying strongly
connected components (2005). Orzan: On distributed verification and verified distribution (2004).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared import labels
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.closure import closure
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_pair, any_second, min_first, min_secondi
from semirings.types import BOOL, INT64

eq, fewer, first, pair, plus, second = (
    BINARY[name] for name in ("eq", "min", "first", "pair", "plus", "second")
)


def strongly_connected_components(G: Graph) -> Vector:
    """The strongly connected component of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. Weights and loops do not count. The strong components of an undirected graph are
        its connected components.

    Returns
    -------
    Vector of INT64
        For each vertex the smallest vertex of its component. Two vertices are in one component if
        each reaches the other.

    Notes
    -----
    O(log n) expected rounds, each O(m) and two closures (min_first and any_pair). Coppersmith et
    al. 2005; Slota, Rajamanickam and Madduri 2014 for the largest component.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([1, 2, 0, 3], [2, 1, 1, 4], n=5, backend="cpu")
    >>> lg.strongly_connected_components(G).to_dense().tolist()
    [0, 1, 1, 3, 4]
    """
    if not G.directed:
        return connected_components(G)
    return strong_component_labels(G)


@operation
def strong_component_labels(G: Graph) -> Vector:
    """The smallest vertex (INT64) of the strong component of each vertex of a directed graph."""
    pivot = labels.identity(G)
    ranks = labels.random_ranks(G, seed=0)  # any order gives the same answer
    left = ranks.apply("times", labels.RANKS).new()
    left(plus) << pivot
    degree = fewer(G.out_degree & G.in_degree).new().apply("times", labels.RANKS).new()
    busiest = plus(degree & pivot).new().reduce("max").new().value
    if busiest is not None:
        start = G.point(busiest % labels.RANKS, 1, INT64)
        giant = pair(closure(start, G.A, any_pair) & closure(start, G.A.T, any_pair)).new()
        left = left.dup(mask=~giant.S)
        pivot(second) << giant.apply("times", busiest % labels.RANKS)
    left = _between_edges(left, G.in_degree, G.out_degree)
    pivot(second) << pivots(left, G.A)
    members = pivot.selector()
    smallest = min_secondi(pivot @ members).new()
    return any_second(members @ smallest).new()


@operation
def pivots(rank: Vector, A: Matrix, induced: bool = False) -> Vector:
    """The pivot (INT64) of each entry of `rank`, in the subgraph of A that these vertices induce.

    All vertices of a strong component have the same pivot, which is the rank modulo 2³¹ of one of
    them. Vertices without edges may have no entry. Ranks are INT64, all different, and at least 0.
    `induced` says that A is that subgraph already, as a pattern without loops. A lowering that is
    only for few edges is asked again whenever there are fewer.
    """
    if not induced:
        E = labels.edges_among(rank, A).apply("one").new(BOOL)
        return pivots(rank, E.select("offdiag").new() if E.diag().nvals else E, True)
    pivot = Vector(INT64, rank.size, backend=rank.backend)
    if A.nvals == 0:
        return pivot
    left = _between_edges(rank, A.reduce_columnwise("any").new(), A.reduce_rowwise("any").new())
    colour = first(closure(left, A, min_first) & left).new()
    E = labels.edges_within(colour, A)
    own = eq(colour & left).new().select("==", True).new()
    component = closure(own, E.T, any_pair)
    pivot(component.S) << colour.apply("band", labels.RANKS - 1)
    rest = left.dup(mask=~component.S)
    pivot(second) << pivots(rest, labels.edges_among(rest, E), True)
    return pivot


def _between_edges(left: Vector, enters: Vector, leaves: Vector) -> Vector:
    """The entries at vertices with incoming and outgoing edges."""
    return first(first(left & enters).new() & leaves).new()
