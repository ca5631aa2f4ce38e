"""Bipartite graphs: the two sides, and a maximum matching between them.

Sides: a breadth-first search from one vertex of each component. The side of a vertex is the parity
of its level. The graph is not bipartite if an edge joins two vertices of equal parity, because such
an edge closes an odd cycle.

Maximum matching (Berge): a matching is maximum if and only if there is no augmenting path, which
leads from an unmatched left vertex to an unmatched right vertex and whose edges are alternately
outside and inside the matching. Exchanging the edges along such a path adds one edge to the
matching. Each phase grows alternating trees from all unmatched left vertices at once, level by
level. Each right vertex joins one tree, and a tree stops at an unmatched right vertex. The paths
found share no vertex, so all are augmented together. A phase costs O(n + m). There are at most as
many phases as edges are missing from a maximal matching, and a few in practice. The lowering on the
CPU augments along shortest paths alone, one after another (Hopcroft and Karp); a GPU, for which a
phase on a lattice is thousands of short levels, leaves the matching to it.

Berge: Two theorems in graph theory (1957). Hopcroft, Karp: An n^5/2 algorithm for maximum matchings
in bipartite graphs, SIAM Journal on Computing 2 (1973). Azad, Buluç, Pothen: Computing maximum
cardinality matchings in parallel on bipartite graphs via tree-grafting, IEEE TPDS 28 (2017).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.structure.components import connected_components, roots
from lagraph_gpu.algorithms.structure.matching import maximal_matching
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import NotBipartite, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_first, any_pair, any_second, any_secondi, min_first

first = BINARY["first"]


def is_bipartite(G: Graph) -> bool:
    """True if the vertices can be divided into two sides such that every edge joins the two sides.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges and weights do not count. A graph with a loop is not
        bipartite.

    Returns
    -------
    bool
        True if the graph is bipartite.

    Notes
    -----
    O(n + m) after the connected components.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> cycles = (lg.Graph.from_edges(range(k), [*range(1, k), 0], backend="cpu") for k in (4, 5))
    >>> [lg.is_bipartite(G) for G in cycles]
    [True, False]
    """
    return has_two_sides(G)


@operation
def has_two_sides(G: Graph) -> bool:
    """True if the vertices have two sides such that every edge joins the two."""
    return not (G.nloops or sides(G)[1].nvals)


@operation
def sides(G: Graph) -> tuple[Vector, Vector]:
    """The parity of each vertex's level (INT64) in a search from the smallest vertex of its
    component, and the vertices (BOOL) that have a neighbour of the same parity: those of parity 0,
    or else those of parity 1."""
    A = G.neighbours
    level = closure_with_rounds(roots(connected_components(G)), A, any_secondi)[1]
    side = level.dup("INT64").apply("band", 1).new()
    for parity in (0, 1):
        same = side.select("==", parity).new()
        clash = any_pair(same @ A).new("BOOL", mask=same.S)
        if clash.nvals:
            break
    return side, clash


def bipartite_color(G: Graph) -> Vector:
    """The side of each vertex of a bipartite graph.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges and weights do not count.

    Returns
    -------
    Vector of INT64
        The side of each vertex, 0 or 1. The smallest vertex of a component is on side 0.

    Raises
    ------
    NotBipartite
        The graph has a loop, or another cycle of odd length.

    Notes
    -----
    O(n + m) after the connected components.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 4], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> lg.bipartite_color(G).to_dense().tolist()
    [0, 1, 0, 0, 1]
    """
    if G.nloops:
        loop = brief(G.label(next(iter(G.A.diag()))))
        raise NotBipartite(f"expected a bipartite graph, got one with a loop at vertex {loop}")
    side, clash = sides(G)
    if clash.nvals:
        raise NotBipartite(
            "expected a bipartite graph, got a cycle of odd length: vertex "
            f"{brief(G.label(next(iter(clash))))} has a neighbour that is on its own side"
        )
    return side


def maximum_bipartite_matching(G: Graph) -> Vector:
    """A matching with as many edges as possible.

    Parameters
    ----------
    G : Graph
        A bipartite graph. The direction of edges and weights do not count.

    Returns
    -------
    Vector of INT64
        For each matched vertex its partner. Unmatched vertices have no entry.

    Raises
    ------
    NotBipartite
        The graph has a loop, or another cycle of odd length.

    Notes
    -----
    O(n + m) for each phase; a few phases in practice, and O(√n) at most. One thread of the host
    augments, also for a graph on a GPU, which keeps a copy of its rows there. Hopcroft and Karp
    1973; Azad, Buluç and Pothen 2017.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [3, 4, 3, 3], directed=False, backend="cpu")
    >>> mate = lg.maximum_bipartite_matching(G)
    >>> mate.nvals // 2, mate[0].get()
    (2, 4)
    """
    return largest_matching(G, bipartite_color(G))


@operation
def largest_matching(G: Graph, side: Vector) -> Vector:
    """A maximum matching, if each edge joins a vertex of side 0 with one of side 1 (INT64, at every
    vertex).

    For each matched vertex its partner. A lowering may find other pairs, but the same number of
    them.
    """
    left = first(identity(G) & side.select("==", 0).new()).new()
    mate = maximal_matching(G, seed=0)
    while True:
        parent, tip = _alternating_trees(G, left.dup(mask=~mate.S), mate)
        if not tip.nvals:
            return mate
        while tip.nvals:  # for each tree the right vertex that is matched next
            ends = tip.selector()
            above = any_second(ends @ parent).new()
            after = any_second(above.selector() @ mate).new()
            for pairs in (any_first(above @ ends).new(), any_first(tip @ above.selector()).new()):
                mate(pairs.S) << pairs
            tip = after


def _alternating_trees(G: Graph, free: Vector, mate: Vector) -> tuple[Vector, Vector]:
    """Alternating trees: the parents of right vertices, and for some roots an unmatched
    right vertex.
    """
    ids, frontier, root = identity(G), free, free.dup()
    parent, ends, reached = (Vector("INT64", G.n, backend=G.backend) for _ in range(3))
    while frontier.nvals:
        reached(~parent.S, replace=True) << any_secondi(frontier @ G.neighbours)
        parent(reached.S) << reached
        tree = any_second(reached.selector() @ root).new()
        unmatched = tree.dup(mask=~mate.S)
        end = min_first(first(ids & unmatched).new() @ unmatched.selector()).new()
        ends(end.S) << end
        inside = first(mate & tree).new()
        frontier = any_first(tree @ inside.selector()).new()
        root(frontier.S) << frontier
        matched = any_second(frontier.selector() @ ends).new()
        frontier = frontier.dup(mask=~matched.S)
    return parent, ends
