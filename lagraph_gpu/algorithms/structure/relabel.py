"""Renumbering the vertices of a graph, and moving vectors between old and new ids.

A permutation p renumbers a graph: new vertex i is old vertex p(i). The selector matrix S, with a
true entry at (i, p(i)), moves vectors: S v has v(p(i)) at i (a gather), and v S has v(i) at p(i) (a
scatter). The new adjacency matrix is S A Sᵀ.

The order "degree" is by falling degree: vertices of high degree come first in each row and are
close together in memory, and vertices without edges come last, where a traversal skips them. The
order "bfs" is by distance from a vertex of low degree in each component, so that neighbours have
close ids in meshes and roads. Its levels are those of Cuthill and McKee; within a level the old
order stays. O(m log m) for m entries, and for "bfs" also a search and the components.

Cuthill, McKee: Reducing the bandwidth of sparse symmetric matrices, ACM 1969.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared import labels
from lagraph_gpu.algorithms._shared.packed_layout import expect_packable, packed
from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.reporting import LOG
from semirings import BINARY, any_first, any_pair, min_first

band, bor, plus = (BINARY[name] for name in ("band", "bor", "plus"))
ORDERS = ("degree", "bfs")
HALF = np.int64(1) << 32

NOTHING_GAINED = "on this backend closures gain nothing by a copy under other numbers"


def numbering(G: Graph, order: Any) -> Vector:
    """The old id of each new id (INT64), from the name of an order or from a permutation."""
    order = checked(G, order)
    LOG.info("preparing a copy of %s in another order", G._in_one_line())
    if not isinstance(order, str):
        return Vector.from_dense(order, backend=G.backend)
    if order == "bfs":
        return breadth_first(G)
    return degree_order(G.A)


def checked(G: Graph, order: Any) -> str | np.ndarray:
    """The name of an order, or a permutation of the vertices (INT64), after checks."""
    if isinstance(order, str):
        if order in ORDERS:
            return order
        raise InvalidValue(
            f"expected the order as one of {', '.join(ORDERS)} or a permutation, got {brief(order)}"
        )
    given = order.to_dense(fill_value=-1) if isinstance(order, Vector) else as_numpy(order)
    if given.shape != (G.n,) or (G.n and given.dtype.kind not in "iu"):
        raise DimensionMismatch(
            f"expected a permutation of {G.n} vertices as integers, got shape {given.shape} of "
            f"{given.dtype}"
        )
    if not np.array_equal(np.sort(given), np.arange(G.n)):
        raise InvalidValue(
            f"expected a permutation that holds each of 0 to {G.n - 1} once, got one that does not"
        )
    return given.astype(np.int64)


@operation
def degree_order(A: Matrix) -> Vector:
    """The vertices (INT64) of a square matrix by falling number of entries in row and column; equal
    degrees by id.
    """
    entries = A.apply("one").new("INT64")
    degree = labels.zero_filled(entries.reduce_rowwise("plus"), "INT64")
    degree(plus) << entries.reduce_columnwise("plus")
    return labels.argsort(degree.apply("ainv").new())


@operation
def permuted(A: Matrix, ids: Vector) -> Matrix:
    """The square matrix whose row i and column i are row and column `ids[i]` of A."""
    order = ids.to_dense()
    return A[order, order].new()


@operation
def laid_out(A: Matrix, ids: Vector, packed: bool = False) -> Matrix:
    """Prepare a matrix for closures, and return it. A lowering may store a copy permuted by `ids`,
    which closures then use; in packed rows, if `packed` is true."""
    return A


@operation
def uses_layouts(G: Graph) -> bool:
    """Whether closures gain from a copy by `laid_out`: without a lowering for it they do not."""
    return False


def breadth_first(G: Graph) -> Vector:
    """The vertices by component (smallest label first), then by level in the component, then by old
    id.
    """
    if G.n == 0:
        return Vector("INT64", 0, backend=G.backend)
    labels.expect_ranks(G.n)
    component, own = connected_components(G), labels.identity(G)
    entries = G.neighbours.apply("one").new("INT64")
    degree = labels.zero_filled(entries.reduce_rowwise("plus"), "INT64")
    ranked = bor(degree.apply("times", right=HALF).new() & own).new()
    least = min_first(ranked @ component.selector()).new()  # of each component, at its label
    start = least.apply(band, right=HALF - 1).new()
    starts = any_first(start @ start.selector(G.n)).new()
    level = closure_with_rounds(starts, G.neighbours, any_pair)[1]
    key = bor(component.apply("times", right=HALF).new() & level.dup("INT64")).new()
    return labels.argsort(key)


def relabelled(G: Graph, order: Any, layout: Any = None) -> Graph:
    """The graph under new ids, for `Graph.relabel`."""
    checked(G, order)
    pack = expect_packable(G, order, layout)
    ids = numbering(G, order)
    A = permuted(G.A, ids)
    known = {}
    if pack and A.nvals:  # facts that would ask for compressed rows
        known = {"lightest": G.lightest, "heaviest": G.heaviest}
    copy = Graph._checked(packed(A) if pack else A, G.directed, ids)._like(G, ids)
    if known:
        copy._knowing(**known)
    if G.ids is not None:
        copy.ids = labels.gather(G.ids, ids)
    copy.original_n = G.original_n
    return copy


def prepared(G: Graph, order: Any, layout: Any = None) -> Graph:
    """The graph with a copy in this order for its closures, or itself where none is of use."""
    checked(G, order)
    pack = expect_packable(G, order, layout)
    if not uses_layouts(G):
        if explaining():
            record_choice("layout", "none", NOTHING_GAINED)
        return G
    A = laid_out(G.A, numbering(G, order), pack)
    return Graph._checked(A, G.directed, G.ids, G.original_n)._like(G)


def expect_over_vertices(v: Any, n: int) -> None:
    """Raises WrongType or DimensionMismatch unless v is a vector with one position for each of n
    vertices.
    """
    expect_kind(v, Vector, f"a lagraph_gpu.Vector over the {n} vertices")
    if v.size != n:
        raise DimensionMismatch(f"expected a vector over {n} vertices, got {v.size}")
