"""Similarity of vertices by their common neighbours, for given pairs only.

The plus_pair product of the adjacency matrix with itself counts the common neighbours c of two
vertices. Under a mask of the pairs nothing else is computed, so no n × n matrix arises. With the
degrees d, the Jaccard coefficient (common neighbours over all neighbours) is c / (d(u) + d(v) − c),
and the overlap coefficient is c / min(d(u), d(v)). O(Σ over pairs of d(u) + d(v)).

Jaccard: The distribution of the flora in the alpine zone, New Phytologist 11 (1912). Liben-Nowell,
Kleinberg: The link-prediction problem for social networks, JASIST 58 (2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.convert.ids import pairs_of
from lagraph_gpu.convert.options import Vertex
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, Semiring, any_first, any_min, any_plus, plus_pair
from semirings.types import BOOL

minus, plus, truediv = BINARY["minus"], BINARY["plus"], BINARY["truediv"]


def jaccard_coefficient(G: Graph, pairs: Any = None) -> Matrix:
    """The Jaccard coefficient |N(u) ∩ N(v)| / |N(u) ∪ N(v)| for pairs of vertices.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    pairs : list of (u, v) or Matrix, optional
        The pairs of vertices; of a Matrix its entries. By default the edges of the graph without
        loops.

    Returns
    -------
    Matrix of FP64
        The coefficient, with an entry for each pair. It is 0 for two vertices without neighbours.

    Raises
    ------
    IndexOutOfBound
        A pair names a vertex that is not in the graph.
    DimensionMismatch
        `pairs` is a Matrix that is not n × n.

    Notes
    -----
    O(Σ over pairs of d(u) + d(v)), for the degrees d. The semiring is plus_pair. The default of
    NetworkX is all pairs without an edge, which are almost n² pairs. Jaccard 1912.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> round(lg.jaccard_coefficient(G, [(0, 1)])[0, 1].get(), 3)      # {2} of {2, 3, 4}
    0.333
    """
    return coefficients(G, _pairs(G, pairs), any_plus)


def overlap_coefficient(G: Graph, pairs: Any = None) -> Matrix:
    """The overlap coefficient |N(u) ∩ N(v)| / min(|N(u)|, |N(v)|) for pairs of vertices.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    pairs : list of (u, v) or Matrix, optional
        The pairs of vertices; of a Matrix its entries. By default the edges of the graph without
        loops.

    Returns
    -------
    Matrix of FP64
        The coefficient, with an entry for each pair. It is 0 if a vertex has no neighbours.

    Raises
    ------
    IndexOutOfBound
        A pair names a vertex that is not in the graph.
    DimensionMismatch
        `pairs` is a Matrix that is not n × n.

    Notes
    -----
    O(Σ over pairs of d(u) + d(v)), for the degrees d. The semiring is plus_pair.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> lg.overlap_coefficient(G, [(0, 1)])[0, 1].get()
    0.5
    """
    return coefficients(G, _pairs(G, pairs), any_min)


def common_neighbor_counts(G: Graph, pairs: Any = None) -> Matrix:
    """The number of common neighbours |N(u) ∩ N(v)| for pairs of vertices.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    pairs : list of (u, v) or Matrix, optional
        The pairs of vertices; of a Matrix its entries. By default the edges of the graph without
        loops.

    Returns
    -------
    Matrix of INT64
        The number of common neighbours, with an entry for each pair.

    Raises
    ------
    IndexOutOfBound
        A pair names a vertex that is not in the graph.
    DimensionMismatch
        `pairs` is a Matrix that is not n × n.

    Notes
    -----
    O(Σ over pairs of d(u) + d(v)), for the degrees d. The semiring is plus_pair.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 3], directed=False, backend="cpu")
    >>> lg.common_neighbor_counts(G, [(0, 1), (0, 2)]).to_coo()[2].tolist()
    [2, 0]
    """
    return numbers_in_common(G, _pairs(G, pairs))


@operation
def numbers_in_common(G: Graph, pairs: Matrix) -> Matrix:
    """The number of common neighbours (INT64) for each entry (u, v) of a matrix."""
    A = G.neighbours.dup("INT64")
    common = Matrix("INT64", G.n, G.n, backend=G.backend)
    common(pairs.S) << 0
    common(pairs.S, accum=plus) << plus_pair(A @ A)
    return common


@operation
def coefficients(G: Graph, pairs: Matrix, combine: Semiring) -> Matrix:
    """For each entry (u, v) of a matrix, the number c of common neighbours and the ⊗ of a semiring
    any.⊗, the share c / (d(u) ⊗ d(v)) for the degrees d; where ⊗ is the sum, c / (d(u) + d(v) − c).
    It is 0 for vertices without neighbours."""
    common, count = numbers_in_common(G, pairs), G.kept(_neighbor_counts)
    whole = combine(any_first(count.diag() @ common).new() @ count.diag()).new()
    if combine is any_plus:
        whole(accum=minus) << common
    return truediv(common & whole.apply("max", right=1).new()).new()


def common_neighbors(G: Graph, u: Vertex, v: Vertex) -> Vector:
    """The common neighbours of two vertices.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.
    u, v : int
        The two vertices.

    Returns
    -------
    Vector of BOOL
        True at the common neighbours, and no entry elsewhere.

    Raises
    ------
    IndexOutOfBound
        u or v is not a vertex of G.

    Notes
    -----
    O(d(u) + d(v)), for the degrees d.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 4], directed=False, backend="cpu")
    >>> lg.common_neighbors(G, 0, 1).to_coo()[0].tolist()
    [2]
    """
    return columns_in_common(G.neighbours, G.vertex(u), G.vertex(v))


@operation
def columns_in_common(A: Matrix, u: int, v: int) -> Vector:
    """True at the columns in which both rows of a matrix have an entry."""
    near_u, near_v = A[u, :].new(), A[v, :].new()
    return near_u.ewise_mult(near_v, BINARY["pair"]).new("BOOL")


def _pairs(G: Graph, pairs: Any) -> Matrix:
    """The pairs as the entries of a matrix; None means the edges without loops."""
    if pairs is None:
        return G.neighbours
    if isinstance(pairs, Matrix):
        shape = (G.n, G.n)
        expect(pairs.shape == shape, f"expected pairs as a matrix of {shape}, got {pairs.shape}")
        return pairs
    numbers = isinstance(pairs, np.ndarray) and pairs.ndim == 2 and pairs.dtype.kind in "iu"
    if numbers and pairs.shape[1] == 2:
        left, right = vertex_ids(G, pairs.T.ravel(), "pairs").reshape(2, -1)
    else:
        sides = pairs_of(pairs, 2, "pairs of vertices")
        left, right = (vertex_ids(G, side, "pairs") for side in sides)
    return Matrix.from_coo(left, right, True, BOOL, nrows=G.n, ncols=G.n, backend=G.backend)


def _neighbor_counts(G: Graph) -> Vector:
    """The number of neighbours of each vertex."""
    return zero_filled(G.neighbours.dup("INT64").reduce_rowwise("plus"), "INT64")
