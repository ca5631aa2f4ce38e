"""Minimum spanning trees and forests, by Borůvka's method.

The lightest edge that leaves a component belongs to a minimum spanning tree (the cut property). In
each round every component takes its own lightest edge, and the components that are joined become
one. Of edges with equal weights, the edge with the smaller ends is the lighter one. In this strict
order the chosen edges form no cycle, except pairs of components that chose the same edge. Each
round at least halves the number of components that have edges left: O(log n) rounds of O(m). Edges
inside a component are removed on the way.

In a dense graph most edges are too heavy for the tree. A forest of the light edges therefore comes
first: those up to the mean of the lightest weights of all vertices. That forest belongs to the
answer, because no heavier edge can replace one of its edges, and nearly all heavier edges turn out
to lie inside its trees.

Borůvka: O jistém problému minimálním (1926). Nešetřil, Milková, Nešetřilová: Otakar Borůvka on
minimum spanning tree problem, Discrete Mathematics 233 (2001). Osipov, Sanders, Singler: The
filter-Kruskal minimum spanning tree algorithm, ALENEX 2009.
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared import labels
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.aggregators import AGGREGATORS
from lagraph_gpu.notation.matrix import stored_values, symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_eq, any_first, any_second, max_first, min_first
from semirings.types import INT64

either, second, plus = BINARY["any"], BINARY["second"], BINARY["plus"]
smaller, larger = BINARY["min"], BINARY["max"]
LONG_ROWS = 8
"""The mean number of entries in a row from which a forest of the light edges is made first."""


def minimum_spanning_tree(G: Graph) -> Graph:
    """The minimum spanning forest: the lightest edges that connect each component.

    Parameters
    ----------
    G : Graph
        An undirected graph. Weights may be negative; loops do not count.

    Returns
    -------
    Graph
        An undirected graph on the same vertices, with the edges of the forest and their weights: a
        tree for each component.

    Raises
    ------
    InvalidValue
        The graph is directed.

    Notes
    -----
    O(m log n); on a GPU one kernel. The semiring is min_first. Of trees with equal weight, the one
    whose edges have the smaller ends is taken, so the answer is the same on every backend. The
    total weight is `T.A.reduce().new().value / 2`. Borůvka 1926.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [4, 2, 3, 7], directed=False,
    ...                         backend="cpu")
    >>> lg.minimum_spanning_tree(G)
    Graph: 4 vertices, 3 edges, undirected, weights INT64, cpu
    vertex  neighbor  weight
         0         2       3
         1         2       2
         2         3       7
    """
    return _spanning_tree(G, "min")


def maximum_spanning_tree(G: Graph) -> Graph:
    """The maximum spanning forest: the heaviest edges that connect each component.

    Parameters
    ----------
    G : Graph
        An undirected graph. Weights may be negative; loops do not count.

    Returns
    -------
    Graph
        An undirected graph on the same vertices, with the edges of the forest and their weights.

    Raises
    ------
    InvalidValue
        The graph is directed.

    Notes
    -----
    As for `minimum_spanning_tree`. The semiring is max_first.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [4, 2, 3], directed=False, backend="cpu")
    >>> lg.maximum_spanning_tree(G).A.reduce().new().value / 2
    7.0
    """
    return _spanning_tree(G, "max")


def minimum_spanning_edges(G: Graph) -> tuple[Vector, Vector, Vector]:
    """The edges of the minimum spanning forest as vectors.

    Parameters
    ----------
    G : Graph
        An undirected graph. Weights may be negative; loops do not count.

    Returns
    -------
    source : Vector of INT64
        The smaller end of each edge.
    target : Vector of INT64
        The larger end of each edge.
    weight : Vector
        The weight of each edge, of the type of the weights.

    Raises
    ------
    InvalidValue
        The graph is directed.

    Notes
    -----
    O(m log n). The edges are those of `minimum_spanning_tree`, in the order of their ends.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 0], [1, 2, 2], [4, 2, 3], directed=False, backend="cpu")
    >>> [v.to_dense().tolist() for v in lg.minimum_spanning_edges(G)]
    [[0, 1], [2, 2], [3, 2]]
    """
    labels.expect_directed(G, False, "a minimum spanning tree")
    return spanning_edges(G.A, "min")


def _spanning_tree(G: Graph, best: str) -> Graph:
    labels.expect_directed(G, False, f"a {best}imum spanning tree")
    tree = symmetric(spanning_forest_edges(G.A, best))
    return Graph._checked(tree, directed=False)._like(G)


@operation
def spanning_forest_edges(A: Matrix, best: str) -> Matrix:
    """The entries of the symmetric matrix A in its spanning forest of least ("min") or greatest
    ("max") weight.

    Each edge is in the result in both directions. Of edges with equal weights, the one with the
    smaller ends comes first. Loops do not count.
    """
    component, E = labels.identity(A), A.select("offdiag").new()  # edges between components
    fold = min_first if best == "min" else max_first
    chosen = Matrix(A.dtype, *A.shape, backend=A.backend)
    if E.nvals >= LONG_ROWS * A.nrows:
        threshold = AGGREGATORS["mean"]["FP64"](E.reduce_rowwise(best).new()).new(E.dtype).value
        light_edges = E.select("<=" if best == "min" else ">=", threshold).new()
        component = _boruvka(component, light_edges, chosen, best, fold)
        E = labels.edges_between(component, E)
    _boruvka(component, E, chosen, best, fold)
    return either(chosen | chosen.T).new()


@operation
def spanning_edges(A: Matrix, best: str) -> tuple[Vector, Vector, Vector]:
    """The smaller end, the larger end and the weight of each edge of that forest, in the order of
    the ends."""
    upper = spanning_forest_edges(A, best).select("triu").new()
    source, target = (
        stored_values(upper.apply(end).new(INT64)) for end in ("rowindex", "colindex")
    )
    return source, target, stored_values(upper)


def _boruvka(component: Vector, E: Matrix, chosen: Matrix, best: str, fold: Any) -> Vector:
    """The components after Borůvka's rounds over the edges E. The edges taken are added to
    `chosen`.
    """
    while E.nvals:
        members = component.selector()
        choice, components = _best_edges(E, members, best, fold)
        if choice.nvals > components:  # one edge for each component
            numbers, _ = _best_edges(_numbers(choice), members, "min", min_first)
            choice = choice.dup(mask=numbers.S)
        chosen(accum=either) << choice
        across = any_second(choice @ component).new()
        hook = any_first(across @ members).new()
        parent = component.apply("index").new()
        parent(accum=second) << hook
        root = labels.tree_roots(parent)  # of two roots that chose each other the smaller:
        root << smaller(root & any_second(root.selector() @ parent))
        component = any_second(members @ root).new()
        E = labels.edges_between(component, E)
    return component


def _best_edges(E: Matrix, members: Matrix, best: str, fold: Any) -> tuple[Matrix, int]:
    """For each component the best edges that leave it, and the number of components with
    such edges.
    """
    of_vertex = E.reduce_rowwise(best).new()
    of_component = fold(of_vertex @ members).new()
    wanted = any_second(members @ of_component).new()
    is_best = any_eq(wanted.diag() @ E).new()
    return E.dup(mask=is_best.V), of_component.nvals


def _numbers(E: Matrix) -> Matrix:
    """A number for each edge, the same in both directions: the smaller end times n, plus the larger
    end.
    """
    row, column = E.apply("rowindex").new(), E.apply("colindex").new()
    low, high = smaller(row & column).new(), larger(row & column).new()
    low << low.apply("times", E.nrows)
    return plus(low & high).new()
