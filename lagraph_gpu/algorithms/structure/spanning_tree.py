"""Minimum spanning trees: the lightest edges that hold each component together.

Borůvka's rounds. The lightest edge that leaves a component belongs to a minimum spanning tree (the
cut property), so every component takes its own at once, and those joined become one. Where weights
are equal the edge with the smaller ends is the lighter one; in a strict order, components that
choose each other's edges form no cycle but pairs that chose the same one. Each round at least
halves the components that have edges left: O(log n) rounds, O(m) each, and the edges inside a
component are dropped on the way.

Of many edges most are too heavy for a tree. So a forest of the lighter ones comes first, those up
to the mean of what vertices have as their lightest: it belongs to the answer, for no heavier edge
could take a place in it, and nearly all the others turn out to lie inside its trees.

Borůvka: O jistém problému minimálním (1926). Nešetřil, Milková, Nešetřilová: Otakar Borůvka on
minimum spanning tree problem, Discrete Mathematics 233 (2001). Osipov, Sanders, Singler: The
filter-Kruskal minimum spanning tree algorithm, ALENEX 2009.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.labels import (
    edges_between,
    expect_directed,
    identity,
    tree_roots,
)
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.aggregators import AGGREGATORS
from lagraph_gpu.notation.matrix import Matrix, symmetric
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_eq, any_first, any_second, max_first, min_first

either, second, plus = BINARY["any"], BINARY["second"], BINARY["plus"]
smaller, larger = BINARY["min"], BINARY["max"]
LONG_ROWS = 8
"""From so many entries a row on, a forest is made of the better ones first."""


def minimum_spanning_tree(G: Graph) -> Graph:
    """The undirected graph of the lightest edges that connect what ``G`` connects.

    On all n vertices, with G's weights: a tree for each component (a forest, if there are several).
    The total weight is ``T.A.reduce().new().value / 2``. Among trees of equal weight, edges with
    smaller ends come first, so the answer is the same on every backend. Weights may be negative;
    loops are left out. A GPU does it in one kernel. Raises InvalidValue for a directed graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [4, 2, 3, 7], directed=False,
    ...                         backend="cpu")
    >>> lg.minimum_spanning_tree(G)
    Graph(n=4, nedges=3, directed=False, weights=INT64, backend='cpu')
    """
    return _spanning_tree(G, "min")


def maximum_spanning_tree(G: Graph) -> Graph:
    """As ``minimum_spanning_tree``, of the heaviest edges.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [4, 2, 3], directed=False, backend="cpu")
    >>> lg.maximum_spanning_tree(G).A.reduce().new().value / 2
    7.0
    """
    return _spanning_tree(G, "max")


def minimum_spanning_edges(G: Graph) -> tuple[Vector, Vector, Vector]:
    """The edges of ``minimum_spanning_tree`` as vectors: smaller ends, larger ends, weights.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [4, 2, 3], directed=False, backend="cpu")
    >>> [v.to_dense().tolist() for v in lg.minimum_spanning_edges(G)]
    [[0, 1], [2, 2], [3, 2]]
    """
    upper = minimum_spanning_tree(G).A.select("triu").new()
    source, target, weight = (Vector.from_dense(v, backend=G.backend) for v in upper.to_coo())
    return source, target, weight


def _spanning_tree(G: Graph, best: str) -> Graph:
    expect_directed(G, False, f"a {best}imum spanning tree")
    return Graph._checked(symmetric(spanning_forest_edges(G.A, best)), directed=False)


@operation
def spanning_forest_edges(A: Matrix, best: str) -> Matrix:
    """The entries of the symmetric matrix A that the spanning forest of least ("min") or greatest
    ("max") weight consists of, both of each edge; of equal weights that with the smaller ends comes
    first. Loops do not count."""
    component, E = identity(A), A.select("offdiag").new()  # edges between components
    fold = min_first if best == "min" else max_first
    chosen = Matrix(A.dtype, *A.shape, backend=A.backend)
    if E.nvals >= LONG_ROWS * A.nrows:
        threshold = AGGREGATORS["mean"]["FP64"](E.reduce_rowwise(best).new()).new(E.dtype).value
        light_edges = E.select("<=" if best == "min" else ">=", threshold).new()
        component = _boruvka(component, light_edges, chosen, best, fold)
        E = edges_between(component, E)
    _boruvka(component, E, chosen, best, fold)
    return either(chosen | chosen.T).new()


def _boruvka(component: Vector, E: Matrix, chosen: Matrix, best: str, fold: Any) -> Vector:
    """The components that edges join to larger ones; which these are is added to ``chosen``."""
    while E.nvals:
        members = component.selector()
        choice, components = _best_edges(E, members, best, fold)
        if choice.nvals > components:  # one edge for each component
            numbers, _ = _best_edges(_numbers(choice), members, "min", min_first)
            choice = second(numbers & choice).new(E.dtype)
        chosen(accum=either) << choice
        across = any_second(choice @ component).new()
        hook = any_first(across @ members).new()
        parent = component.apply("index").new()
        parent(accum=second) << hook
        root = tree_roots(parent)  # one of two that chose each other:
        root << smaller(root & any_second(root.selector() @ parent))
        component = any_second(members @ root).new()
        E = edges_between(component, E)
    return component


def _best_edges(E: Matrix, members: Matrix, best: str, fold: Any) -> tuple[Matrix, int]:
    """The edges that are the best of all that leave their component, and how many have any."""
    of_vertex = E.reduce_rowwise(best).new()
    of_component = fold(of_vertex @ members).new()
    wanted = any_second(members @ of_component).new()
    is_best = any_eq(wanted.diag() @ E).new()
    edges = Matrix(E.dtype, *E.shape, backend=E.backend)
    edges(is_best.V) << E
    return edges, of_component.nvals


def _numbers(E: Matrix) -> Matrix:
    """For each edge the smaller end times n, plus the larger: one number for both directions."""
    row, column = E.apply("rowindex").new(), E.apply("colindex").new()
    low, high = smaller(row & column).new(), larger(row & column).new()
    low << low.apply("times", E.nrows)
    return plus(low & high).new()
