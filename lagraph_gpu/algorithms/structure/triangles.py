"""Triangles: paths of two edges that a third edge closes, counted by a product under a mask.

The vertices are numbered by falling degree, and each edge leads to the lower number: U is the lower
triangle of the adjacency matrix. A triangle is then u → v → w with u → w, and occurs once. With
plus_pair, (Uᵀ ⊕.⊗ U)(v, w) counts the vertices u with edges to both v and w; where U has the entry
(v, w), these are triangles. Likewise (U ⊕.⊗ U)(u, w) counts the vertices v between u and w. Only
the entries of the mask are computed, so no intermediate result is larger than the graph. O(m^1.5),
because no row of U is longer than √(2m): its vertex has as many neighbours of at least its own
degree. The vertices of high degree come first in each row, so looking up a row can stop where the
row of the mask ends.

If all rows are short, the triangular halves save nothing, and one product is enough: (A ⊕.⊗ A)(v,
w) counts the triangles at the edge (v, w), and each triangle at v has two edges at v.

Wolf, Deveci, Berry, Hammond, Rajamanickam: Fast linear algebra-based triangle counting with
KokkosKernels, HPEC 2017. Latapy: Main-memory triangle computations for very large (sparse
(power-law)) graphs, Theoretical Computer Science 407 (2008). Chiba, Nishizeki: Arboricity and
subgraph listing algorithms, SIAM J. Computing 14 (1985).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import scatter, zero_filled
from lagraph_gpu.algorithms._shared.pattern import by_degree
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.matrix import transposes
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_pair

plus = BINARY["plus"]


def triangles(G: Graph) -> Vector:
    """The number of triangles at each vertex.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    Vector of INT64
        The number of triangles that contain each vertex, with an entry at every vertex.

    Notes
    -----
    O(m^1.5), and memory for four matrices of m entries, two of which the graph keeps for the next
    call; on a CPU a compiled loop, and memory for at most two; on a GPU one kernel and no memory
    where rows are short. The semiring is plus_pair. Latapy 2008.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False, backend="cpu")
    >>> lg.triangles(G).to_dense().tolist()
    [1, 1, 1, 0]
    """
    return vertex_triangles(G)


def triangle_count(G: Graph) -> int:
    """The number of triangles of the whole graph.

    Parameters
    ----------
    G : Graph
        The graph. The direction of edges, weights and loops do not count.

    Returns
    -------
    int
        The number of triangles.

    Notes
    -----
    O(m^1.5), and memory for four matrices of m entries, two of which the graph keeps for the next
    call; on a CPU a compiled loop, and memory for at most two; on a GPU one kernel and no memory
    where rows are short. The semiring is plus_pair. Wolf et al. 2017.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> lg.triangle_count(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu"))
    45
    """
    return total_triangles(G)


@operation
def vertex_triangles(G: Graph) -> Vector:
    """The number of triangles (INT64) at each vertex. Only the neighbours in G count."""
    ids, U, L = G.kept(degree_halves)
    if ids is None:
        at = plus_pair(G.neighbours @ G.neighbours).new(mask=U.S)
        t = zero_filled(at.reduce_rowwise("plus"), "INT64")
        t(plus) << at.reduce_columnwise("plus")
        t << t.apply("bshift", right=-1)  # halved
        return t
    ends = plus_pair(U @ U).new(mask=U.S)  # at (u, w): the v with u → v → w
    middles = plus_pair(L @ U).new(mask=U.S)  # at (v, w): the u with v ← u → w
    t = zero_filled(ends.reduce_rowwise("plus"), "INT64")
    t(plus) << ends.reduce_columnwise("plus")
    t(plus) << middles.reduce_rowwise("plus")
    return scatter(t, ids)


@operation
def total_triangles(G: Graph) -> int:
    """The number of triangles. Only the neighbours in G count."""
    _, U, L = G.kept(degree_halves)
    return closed_wedges(L, U)


@operation
def closed_wedges(L: Matrix, U: Matrix) -> int:
    """The sum over the entries (v, w) of U of the number of u with entries L(v, u) and U(u, w)."""
    counts = plus_pair(L @ U).new(mask=U.S)
    return int(counts.reduce("plus", allow_empty=False).new().value)


def degree_halves(G: Graph) -> tuple[Vector | None, Matrix, Matrix]:
    """The old id of each vertex (None if the vertices keep their ids), and the triangles U and L of
    the matrix by degree.
    """
    R = by_degree(G)
    return R.ids, *triangular_parts(R)


def triangular_parts(R: Graph) -> tuple[Matrix, Matrix]:
    """U, in which each edge leads to the lower number, and L = Uᵀ."""
    return transposes(R.A.select("tril", -1).new(), R.A.select("triu", 1).new())
