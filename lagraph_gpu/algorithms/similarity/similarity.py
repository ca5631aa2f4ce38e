"""Similarity of vertices by their common neighbours, for given pairs only.

Under a mask of the pairs, the plus-pair product of the adjacency matrix with itself counts the
common neighbours of each; nothing else is computed, so that no n × n matrix arises. With the
degrees d this gives c / (d(u) + d(v) − c), Jaccard's coefficient (common over all neighbours), and
c / min(d(u), d(v)), the overlap coefficient. O(Σ over pairs of d(u) + d(v)).

Jaccard: The distribution of the flora in the alpine zone, New Phytologist 11 (1912). Liben-Nowell,
Kleinberg: The link-prediction problem for social networks, JASIST 58 (2007).
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.convert.build import pairs_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_first, any_min, any_plus, plus_pair
from semirings.algebra import Semiring

minus, plus, truediv = BINARY["minus"], BINARY["plus"], BINARY["truediv"]


def jaccard_coefficient(G: Graph, pairs: Any = None) -> Matrix:
    """|N(u) ∩ N(v)| / |N(u) ∪ N(v)| for pairs of vertices: FP64, an entry for each pair.

    ``pairs`` is a list of (u, v), or a Matrix whose entries are the pairs; None: the edges of
    ``G``, loops left out. (NetworkX' default, all pairs that are *no* edge, is n² of them.)
    Neighbours count in either direction, weights and loops do not; two vertices without any have
    the coefficient 0. Raises IndexOutOfBound for a pair outside the graph.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> round(lg.jaccard_coefficient(G, [(0, 1)])[0, 1].get(), 3)      # {2} of {2, 3, 4}
    0.333
    """
    common = common_neighbor_counts(G, pairs)
    united = _degrees(G, common, any_plus)
    united(accum=minus) << common
    return _quotient(common, united)


def overlap_coefficient(G: Graph, pairs: Any = None) -> Matrix:
    """|N(u) ∩ N(v)| / min(|N(u)|, |N(v)|) for pairs: FP64; else as ``jaccard_coefficient``.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> lg.overlap_coefficient(G, [(0, 1)])[0, 1].get()
    0.5
    """
    common = common_neighbor_counts(G, pairs)
    return _quotient(common, _degrees(G, common, any_min))


def common_neighbor_counts(G: Graph, pairs: Any = None) -> Matrix:
    """|N(u) ∩ N(v)| for ``pairs`` as ``jaccard_coefficient`` takes them (INT64, an entry each).

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 3], directed=False, backend="cpu")
    >>> lg.common_neighbor_counts(G, [(0, 1), (0, 2)]).to_coo()[2].tolist()
    [2, 0]
    """
    of = G.neighbours if pairs is None else _pairs(G, pairs)
    A = G.neighbours.dup("INT64")
    common = Matrix("INT64", G.n, G.n, backend=G.backend)
    common(of.S) << 0
    common(of.S, accum=plus) << plus_pair(A @ A)
    return common


def common_neighbors(G: Graph, u: int, v: int) -> Vector:
    """The common neighbours of two vertices, as entries (BOOL, True) of a vector.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> lg.common_neighbors(G, 0, 1).to_coo()[0].tolist()
    [2]
    """
    u, v = G.vertex(u), G.vertex(v)
    A = G.neighbours
    beside_u, beside_v = A[u, :].new(), A[v, :].new()
    return beside_u.ewise_mult(beside_v, BINARY["pair"]).new("BOOL")


def _pairs(G: Graph, pairs: Any) -> Matrix:
    if isinstance(pairs, Matrix):
        shape = (G.n, G.n)
        expect(pairs.shape == shape, f"expected pairs as a matrix of {shape}, got {pairs.shape}")
        return pairs
    left, right = (vertex_ids(G, side, "pairs") for side in pairs_of(pairs, 2, "pairs of vertices"))
    settings: dict[str, Any] = {"nrows": G.n, "ncols": G.n, "dup_op": BINARY["any"]}
    return Matrix.from_coo(left, right, True, "BOOL", **settings, backend=G.backend)


def _degrees(G: Graph, of: Matrix, combine: Semiring) -> Matrix:
    """combine(d(u), d(v)) for each pair."""
    degree = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    degree(accum=plus) << G.neighbours.dup("INT64").reduce_rowwise("plus")
    return combine(any_first(degree.diag() @ of).new() @ degree.diag()).new()


def _quotient(common: Matrix, whole: Matrix) -> Matrix:
    """common / whole; 0 where the whole is 0, for then so is what is common."""
    some = whole.apply("max", right=1).new()
    return truediv(common & some).new()
