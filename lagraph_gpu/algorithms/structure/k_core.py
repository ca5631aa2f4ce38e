"""Cores: peel off the vertices of few neighbours, again and again.

The k-core is the largest part of a graph in which each vertex has k edges or more; the core number
of a vertex is the largest k whose core holds it. It is the level at which the vertex goes if
degrees are peeled (``lagraph_gpu.algorithms._shared.peeling``) and who goes takes its edges along.

Seidman: Network structure and minimum degree, Social Networks 5 (1983).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import edges_among
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_integer
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.vector import Vector


def core_number(G: Graph) -> Vector:
    """The core number of each vertex (INT64, an entry everywhere; 0 for isolated ones).

    In a directed graph edges in and out count, a pair of opposite ones twice, as NetworkX counts;
    loops and weights do not. O(n + m), in one kernel or one compiled loop.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], n=5, directed=False, backend="cpu")
    >>> lg.core_number(G).to_dense().tolist()
    [2, 2, 2, 1, 0]
    """
    B = multiplicity(G)
    core = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    level = peel(B.reduce_rowwise("plus").new(), B)
    core(level.S) << level
    return core


def k_core(G: Graph, k: int | None = None) -> Graph:
    """The k-core of ``G``, for k=None the one of largest k that is not empty.

    A graph on the same vertices, so that ids keep their meaning; those outside the core are
    isolated. Direction and weights stay, loops of vertices in the core too. O(m) after what
    ``core_number`` takes. Raises WrongType for a k that is no integer.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> lg.k_core(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")).nedges
    25
    """
    core = core_number(G)
    if k is None:
        k = core.reduce("max").new().get(0)
    expect_integer(k, "k")
    inside = core.select(">=", k).new()
    edges = edges_among(inside, G.A)
    return Graph._checked(edges if G.directed else symmetric(edges), G.directed)
