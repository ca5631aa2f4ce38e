"""Clustering coefficients: the share of the pairs of neighbours of a vertex that are neighbours
themselves.

A closed walk of three steps from v is a pair of neighbours with an edge between them, so the
coefficients come from the diagonal of B³. The third power is never computed: for symmetric B the
sum of row v of B ∘ (B ⊕.⊗ B) is (B³)(v, v), and the product is needed only where B has an entry.
For directed graphs B = A + Aᵀ counts every way in which three edges close (Fagiolo). O(m^1.5) for
undirected graphs, O(sum of squared degrees) for directed ones; on a CPU a compiled loop takes
O(m^1.5) for these, too.

Watts, Strogatz: Collective dynamics of small-world networks, Nature 393 (1998). Fagiolo: Clustering
in complex directed networks, Physical Review E 76 (2007). LDBC Graphalytics specification 1.0.5,
section 2.3.6.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.power_iteration import divisor
from lagraph_gpu.algorithms._shared.vertex_values import ratio
from lagraph_gpu.algorithms.structure.triangles import triangle_count, triangles
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import row_lengths
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_pair, plus_times

minus, times, truediv = (BINARY[name] for name in ("minus", "times", "truediv"))


def clustering(G: Graph) -> Vector:
    """The local clustering coefficient of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. Weights and loops do not count.

    Returns
    -------
    Vector of FP64
        The number of triangles at each vertex divided by the number of pairs of its neighbours,
        from 0 to 1; 0 if there is no such pair. In a directed graph, the directed triangles divided
        by those that the edges in and out could form, as NetworkX and Fagiolo define them.

    Notes
    -----
    O(m^1.5) for undirected graphs, and on a CPU for all; elsewhere O(sum of squared degrees) for
    directed ones. The products use plus_pair and plus_times under a mask. Watts and Strogatz 1998,
    Fagiolo 2007.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False, backend="cpu")
    >>> lg.clustering(G).to_dense().round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    if not G.directed:
        return ratio(triangles(G), G.kept(_possible))
    B = multiplicity(G)
    degree = B.dup("INT64").reduce_rowwise("plus").new()
    possible = _ordered_pairs(degree).apply("times", right=2).new()
    both = B.select("==", 2).new().reduce_rowwise("plus").new().apply("times", right=2).new()
    possible(both.S, accum=minus) << both  # u → v → u is a pair of edges but not of neighbours
    return _share(closed_walks(B), possible.select(">", 0).new())


def local_clustering_coefficient(G: Graph) -> Vector:
    """The local clustering coefficient as LDBC Graphalytics defines it.

    Parameters
    ----------
    G : Graph
        The graph. Weights and loops do not count.

    Returns
    -------
    Vector of FP64
        The number of directed edges between the neighbours of a vertex divided by d (d − 1), from 0
        to 1; 0 if d < 2. Here d is the number of its neighbours along edges in or out.

    Notes
    -----
    The time is that of `clustering`, and for undirected graphs so is the result. LDBC Graphalytics
    specification 1.0.5, section 2.3.6.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], backend="cpu")
    >>> lg.local_clustering_coefficient(G).to_dense().tolist()     # one edge of two possible ones
    [0.5, 0.5, 0.5]
    """
    if not G.directed:
        return clustering(G)
    possible = _ordered_pairs(row_lengths(G.neighbours)).select(">", 0).new()
    return _share(edges_of_neighbours(G), possible)


@operation
def closed_walks(B: Matrix) -> Vector:
    """(B³)(v, v) for each vertex (INT64), where B(u, v) is the number of edges between two vertices
    in either direction (`multiplicity`)."""
    closed = plus_times(B @ B).new(mask=B.S)
    return zero_filled(times(closed & B).new().reduce_rowwise("plus"), "INT64")


@operation
def edges_of_neighbours(G: Graph) -> Vector:
    """The number of edges between the neighbours of each vertex of a directed graph (INT64)."""
    N = G.neighbours.dup("INT64")
    edge = G.A.apply("one").new("INT64").select("offdiag").new()
    inside = plus_pair(N @ edge).new(mask=N.S)  # at (v, w): the neighbours u of v with u → w
    return zero_filled(inside.reduce_rowwise("plus"), "INT64")


def average_clustering(G: Graph) -> float:
    """The mean clustering coefficient of all vertices.

    Parameters
    ----------
    G : Graph
        The graph. Weights and loops do not count.

    Returns
    -------
    float
        The mean of `clustering`, from 0 to 1.

    Raises
    ------
    InvalidValue
        The graph has no vertices.

    Notes
    -----
    The time is that of `clustering`.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")
    >>> round(lg.average_clustering(G), 4)
    0.5706
    """
    if G.n == 0:
        raise InvalidValue("expected at least one vertex to average over, got the empty graph")
    return float(clustering(G).reduce("plus").new().value / G.n)


def transitivity(G: Graph) -> float:
    """The share of the paths of two edges that are closed by a third edge.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    float
        Three times the number of triangles divided by the number of paths of two edges, from 0 to
        1; 0 if there is no such path.

    Notes
    -----
    O(m^1.5), as for `triangle_count`.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> round(lg.transitivity(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")), 4)
    0.2557
    """
    paths = G.kept(_paths)
    return float(3 * triangle_count(G) / paths) if paths else 0.0


def _paths(G: Graph) -> int:
    """The number of paths of two edges."""
    return int(G.kept(_pairs).reduce("plus").new().get(0))


def _pairs(G: Graph) -> Vector:
    """The number of pairs of neighbours of each vertex; no entry if there are none."""
    pairs = _ordered_pairs(row_lengths(G.neighbours)).apply("bshift", right=-1).new()  # halved
    return pairs.select(">", 0).new()


def _possible(G: Graph) -> Vector:
    """The number of pairs of neighbours as a divisor."""
    return divisor(G.kept(_pairs))


def _ordered_pairs(degree: Vector) -> Vector:
    """d (d − 1) for each degree d."""
    less = degree.apply("minus", right=1).new()
    return times(degree & less).new()


def _share(closed: Vector, possible: Vector) -> Vector:
    """closed / possible, and 0 where there is no entry."""
    return zero_filled(truediv(closed & possible))
