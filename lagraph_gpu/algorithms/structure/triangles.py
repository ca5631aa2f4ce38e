"""Triangles: paths of two edges that a third one closes, counted as a product under a mask.

Number the vertices by falling degree, and let each edge lead to the lower number: U, the lower part
of the adjacency matrix. A triangle is then u → v → w with u → w, once. (Uᵀ ⊕.⊗ U)(v, w) over
plus-pair counts the vertices u from which an edge leads to both v and w; where U has the entry
(v, w), these are triangles. Likewise (U ⊕.⊗ U)(u, w) counts the v between. Only the entries of the
mask are computed, so that nothing larger than the graph arises. O(m^1.5) operations, as no row of U
is longer than √(2m): its vertex has as many neighbours of a degree no less than its own. And the
rows that are looked up end where the mask's do, as those that lead to common neighbours come first.

Where all rows are short, halves save nothing, and one product does: (A ⊕.⊗ A)(v, w) counts the
triangles at the edge (v, w), and two edges of each triangle at v are edges of v.

Wolf, Deveci, Berry, Hammond, Rajamanickam: Fast linear algebra-based triangle counting with
KokkosKernels, HPEC 2017. Latapy: Main-memory triangle computations for very large (sparse
(power-law)) graphs, Theoretical Computer Science 407 (2008). Chiba, Nishizeki: Arboricity and
subgraph listing algorithms, SIAM J. Computing 14 (1985).
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import scatter
from lagraph_gpu.algorithms._shared.pattern import by_degree
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix, transposes
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, plus_pair

plus = BINARY["plus"]


def triangles(G: Graph) -> Vector:
    """The number of triangles at each vertex (INT64; an entry at every vertex).

    The direction and the weights of edges and loops do not count. O(m^1.5) operations, memory for
    four matrices of m entries, two of which the graph keeps for the next time.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False, backend="cpu")
    >>> lg.triangles(G).to_dense().tolist()
    [1, 1, 1, 0]
    """
    ids, U, L = G.kept(degree_halves)
    t = Vector.from_scalar(0, G.n, "INT64", backend=G.backend)
    if ids is None:
        at = plus_pair(G.neighbours @ G.neighbours).new(mask=U.S)
        t(plus) << at.reduce_rowwise("plus")
        t(plus) << at.reduce_columnwise("plus")
        t << t.apply("bshift", right=-1)  # halved
        return t
    ends = plus_pair(U @ U).new(mask=U.S)  # at (u, w): the v with u → v → w
    middles = plus_pair(L @ U).new(mask=U.S)  # at (v, w): the u with v ← u → w
    t(plus) << ends.reduce_rowwise("plus")
    t(plus) << ends.reduce_columnwise("plus")
    t(plus) << middles.reduce_rowwise("plus")
    return scatter(t, ids)


def triangle_count(G: Graph) -> int:
    """The number of triangles of the whole graph; direction, weights and loops do not count.

    O(m^1.5) operations, memory for four matrices of m entries, two of which the graph keeps.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> lg.triangle_count(lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu"))
    45
    """
    _, U, L = G.kept(degree_halves)
    counts = plus_pair(L @ U).new(mask=U.S)
    return int(counts.reduce("plus", allow_empty=False).new().value)


def degree_halves(G: Graph) -> tuple[Vector | None, Matrix, Matrix]:
    """The old id of each vertex by degree, None where they keep their own; U and L."""
    R = by_degree(G)
    return R.ids, *triangular_parts(R)


def triangular_parts(R: Graph) -> tuple[Matrix, Matrix]:
    """U, in which each edge leads to the lower number, and L = Uᵀ."""
    return transposes(R.A.select("tril", -1).new(), R.A.select("triu", 1).new())
