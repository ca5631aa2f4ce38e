"""Clustering: which part of the pairs of a vertex' neighbours are neighbours themselves?

A closed walk of three steps from v is a pair of neighbours with an edge between them, so the
coefficients come from the diagonal of a third power. This is never computed: the sum of row v of
B ∘ (B ⊕.⊗ B) is (B³)(v, v) for symmetric B, and the inner product is needed only where B has an
entry. For directed graphs B = A + Aᵀ counts every way in which three edges can close (Fagiolo).
Operations: O(m^1.5) without direction, O(sum of squared degrees) with.

Watts, Strogatz: Collective dynamics of small-world networks, Nature 393 (1998). Fagiolo: Clustering
in complex directed networks, Physical Review E 76 (2007). LDBC Graphalytics specification 1.0.5,
section 2.3.6.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.power_iteration import divisor
from lagraph_gpu.algorithms.structure.triangles import triangle_count, triangles
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, plus_pair, plus_times

minus, plus, times, truediv = (BINARY[name] for name in ("minus", "plus", "times", "truediv"))


def clustering(G: Graph) -> Vector:
    """The local clustering coefficient of each vertex, from 0 to 1 (FP64, an entry everywhere).

    Triangles at the vertex over pairs of its neighbours; 0 where there is no such pair. In a
    directed graph: directed triangles over those that its edges in and out could form, as
    NetworkX and Fagiolo define it. Weights and loops do not count.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False, backend="cpu")
    >>> lg.clustering(G).to_dense().round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    if not G.directed:
        return truediv(triangles(G) & G.kept(_possible)).new()
    B = multiplicity(G)
    closed = Matrix("INT64", G.n, G.n, backend=G.backend)
    closed(B.S) << plus_times(B @ B)
    cubes = times(closed & B).new().reduce_rowwise("plus").new()  # (B³)(v, v)
    possible = _ordered_pairs(B).apply("times", right=2).new()
    both = B.select("==", 2).new().reduce_rowwise("plus").new().apply("times", right=2).new()
    possible(both.S, accum=minus) << both  # u → v → u is a pair of edges but not of neighbours
    return _share(cubes, possible.select(">", 0).new())


def local_clustering_coefficient(G: Graph) -> Vector:
    """LDBC Graphalytics' local clustering coefficient, from 0 to 1 (FP64, an entry everywhere).

    The neighbourhood of v is everyone that an edge in or out joins with it; the coefficient is the
    number of directed edges within over d (d − 1), 0 for d < 2. Without direction it is
    ``clustering``. Weights and loops do not count. O(sum of squared degrees).

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], backend="cpu")
    >>> lg.local_clustering_coefficient(G).to_dense().tolist()     # one edge of two possible ones
    [0.5, 0.5, 0.5]
    """
    N = G.neighbours.dup("INT64")
    edge = G.A.apply("one").new("INT64").select("offdiag").new()
    inside = Matrix("INT64", G.n, G.n, backend=G.backend)
    inside(N.S) << plus_pair(N @ edge)  # at (v, w): the neighbours u of v with u → w
    possible = _ordered_pairs(N).select(">", 0).new()
    return _share(inside.reduce_rowwise("plus").new(), possible)


def average_clustering(G: Graph) -> float:
    """The mean of ``clustering`` over all vertices; raises InvalidValue for a graph without any.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")
    >>> round(lg.average_clustering(G), 4)
    0.5706
    """
    if G.n == 0:
        raise InvalidValue("expected at least one vertex to average over, got the empty graph")
    return float(clustering(G).reduce("plus").new().value / G.n)


def transitivity(G: Graph) -> float:
    """Three times the triangles over the paths of two edges: which part of them is closed?

    From 0 to 1, and 0 where there is no path of two edges. The direction and the weights of edges
    and loops do not count.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> round(lg.transitivity(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")), 4)
    0.2557
    """
    paths = G.kept(_paths)
    return float(3 * triangle_count(G) / paths) if paths else 0.0


def _paths(G: Graph) -> int:
    """Those of two edges."""
    return int(G.kept(_pairs).reduce("plus").new().get(0))


def _pairs(G: Graph) -> Vector:
    """Of each vertex' neighbours, where there are any."""
    pairs = _ordered_pairs(G.neighbours).apply("bshift", right=-1).new()  # halved
    return pairs.select(">", 0).new()


def _possible(G: Graph) -> Vector:
    """Them as a divisor."""
    return divisor(G.kept(_pairs))


def _ordered_pairs(B: Matrix) -> Vector:
    """d (d − 1), for the sum d of each row."""
    degree = B.dup("INT64").reduce_rowwise("plus").new()
    less = degree.apply("minus", right=1).new()
    return times(degree & less).new()


def _share(closed: Vector, possible: Vector) -> Vector:
    """closed / possible; 0 where there is no entry."""
    share = Vector.from_scalar(0.0, closed.size, "FP64", backend=closed.backend)
    share(plus) << truediv(closed & possible)
    return share
