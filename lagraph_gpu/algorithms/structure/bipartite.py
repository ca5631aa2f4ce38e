"""Bipartite graphs: two sides, and the most pairs one can make across.

Sides: a breadth-first search from one vertex of each component; the parity of the level is the
side, unless an edge joins two vertices of one parity, which closes an odd cycle.

Maximum matching (Berge): a matching is maximum if and only if no path leads from an unmatched left
vertex to an unmatched right one whose edges are by turns outside and inside the matching; along
such a path the matching grows by one. Each phase grows trees from all unmatched left vertices at
once, level by level; every right vertex joins one tree, and a tree that finds an unmatched right
vertex stops. The paths found share no vertex, so all are turned over together. A phase costs
O(n + m); at most as many as pairs are missing from a maximal matching, and a few in practice. On
the CPU SciPy's function does it, one path after another.

Berge: Two theorems in graph theory (1957). Azad, Buluç, Pothen: Computing maximum cardinality
matchings in parallel on bipartite graphs via tree-grafting, IEEE TPDS 28 (2017).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import excluding, identity
from lagraph_gpu.algorithms.structure.components import connected_components, roots
from lagraph_gpu.algorithms.structure.matching import maximal_matching
from lagraph_gpu.closure import closure_with_steps
from lagraph_gpu.errors import NotBipartite
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_first, any_pair, any_second, any_secondi, min_first

first = BINARY["first"]


def is_bipartite(G: Graph) -> bool:
    """Can the vertices be put on two sides such that every edge leads across?

    Directions and weights do not count; a loop never leads across. O(n + m) after the components.

    >>> import lagraph_gpu as lg
    >>> cycles = (lg.Graph.from_edges(range(k), [*range(1, k), 0], backend="cpu") for k in (4, 5))
    >>> [lg.is_bipartite(G) for G in cycles]
    [True, False]
    """
    try:
        bipartite_color(G)
    except NotBipartite:
        return False
    return True


def bipartite_color(G: Graph) -> Vector:
    """The side of each vertex, 0 or 1 (INT64); the smallest vertex of a component is on side 0.

    Raises NotBipartite if there is a loop or another cycle of odd length.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 4], [1, 2, 3], n=5, directed=False, backend="cpu")
    >>> lg.bipartite_color(G).to_dense().tolist()
    [0, 1, 0, 0, 1]
    """
    if G.nloops:
        raise NotBipartite("expected a bipartite graph, got one with a loop")
    A = G.neighbours
    level = closure_with_steps(roots(connected_components(G)), A, any_secondi)[1]
    side = level.dup("INT64").apply("band", 1).new()
    for parity in (0, 1):
        same = side.select("==", parity).new()
        clash = Vector("BOOL", G.n, backend=G.backend)
        clash(same.S) << any_pair(same @ A)
        if clash.nvals:
            raise NotBipartite(
                "expected a bipartite graph, got a cycle of odd length: vertex "
                f"{next(iter(clash))} has a neighbour that is on its own side"
            )
    return side


def maximum_bipartite_matching(G: Graph) -> Vector:
    """A matching with as many edges as possible: for each matched vertex its mate (INT64).

    No entry at vertices that stay single. Directions and weights do not count. Raises NotBipartite.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [3, 4, 3, 3], directed=False, backend="cpu")
    >>> mate = lg.maximum_bipartite_matching(G)
    >>> mate.nvals // 2, mate[0].get()
    (2, 4)
    """
    left = first(identity(G) & bipartite_color(G).select("==", 0).new()).new()
    return largest_matching(G, left)


@operation
def largest_matching(G: Graph, left: Vector) -> Vector:
    """The same, if each edge joins one of ``left``, which hold their ids, with a vertex outside. A
    lowering may find other pairs, but as many."""
    mate = maximal_matching(G, seed=0)
    while True:
        parent, tip = _alternating_trees(G, excluding(left, mate), mate)
        if not tip.nvals:
            return mate
        while tip.nvals:  # for each tree, the right vertex whose edge turns over next
            ends = tip.selector()
            above = any_second(ends @ parent).new()
            after = any_second(above.selector() @ mate).new()
            for moved in (any_first(above @ ends).new(), any_first(tip @ above.selector()).new()):
                mate(moved.S) << moved
            tip = after


def _alternating_trees(G: Graph, free: Vector, mate: Vector) -> tuple[Vector, Vector]:
    """Alternating trees: parents of right vertices, and for some roots a single right vertex."""
    ids, frontier, root = identity(G), free, free.dup()
    parent, ends, found = (Vector("INT64", G.n, backend=G.backend) for _ in range(3))
    while frontier.nvals:
        found(~parent.S, replace=True) << any_secondi(frontier @ G.neighbours)
        parent(found.S) << found
        tree = any_second(found.selector() @ root).new()
        unmatched = excluding(tree, mate)
        end = min_first(first(ids & unmatched).new() @ unmatched.selector()).new()
        ends(end.S) << end
        inside = first(mate & tree).new()
        frontier = any_first(tree @ inside.selector()).new()
        root(frontier.S) << frontier
        frontier = excluding(frontier, any_second(frontier.selector() @ ends).new())
    return parent, ends
