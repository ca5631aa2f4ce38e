"""The edges of a graph by rows, and for each walker the edge that a random number selects.

The weights of a row are scaled by their sum to whole numbers. Prefix sums of these are exact, even
if the row is light compared to others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lagraph_gpu.algorithms._shared.labels import gather
from lagraph_gpu.algorithms._shared.power_iteration import expect_no_negative
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings import BINARY

gt, least, plus = (BINARY[name] for name in ("gt", "min", "plus"))
SUM_SCALE = 2.0**62
"""The sum to which the weights of a row are scaled. A random number has 53 bits, so it does not
distinguish parts below 2⁻⁵³.
"""


@dataclass(frozen=True)
class Edges:
    """The edges of a graph, row after row, with prefix sums of the weights of each row."""

    first: Vector
    """For each vertex with edges the index of its first edge."""
    last: Vector
    """For each vertex with edges the index of its last edge."""
    total: Vector
    """For each vertex with edges the sum of their scaled weights, or their number."""
    target: Vector
    """For each edge the vertex that it leads to."""
    sums: Vector | None
    """For each edge the prefix sum of its row up to it. None if every edge counts 1."""
    max_degree: int
    """The largest number of edges in a row."""


def sampled_edges(edges: Edges, low: Vector, place: Vector, drawn: Vector) -> Vector:
    """For each walker the first edge of its row whose prefix sum exceeds `drawn`, by
    binary search.
    """
    if edges.sums is None:
        return plus(low & drawn.apply("floor").new("INT64")).new()
    low, high = low.dup(), gather(edges.last, place)
    for _ in range((edges.max_degree - 1).bit_length()):
        middle = plus(low & high).new().apply("floordiv", right=2).new()
        beyond = gt(gather(edges.sums, middle) & drawn).new()
        high(beyond.V) << middle
        low(~beyond.V) << least(middle.apply("plus", right=1).new() & high).new()
    return low


class WeightedRows(NamedTuple):
    """The edges of a graph but those of weight 0, as arrays of the host."""

    indptr: np.ndarray
    """INT64"""
    target: np.ndarray
    """INT32"""
    sums: np.ndarray
    """For each edge the prefix sum of its row up to it (FP64)."""


def weighted_rows(G: Graph) -> WeightedRows:
    """The edges with prefix sums, computed on the host because no statement adds up along a row."""
    expect_no_negative(G, " to walk by")
    indptr, target, weight = G.A.select("!=", 0).new().to_csr()
    indptr, sums = indptr.astype(np.int64, copy=False), weight.astype(np.float64)
    row = np.flatnonzero(np.diff(indptr))
    if row.size:
        sums = _row_sums(sums, indptr[row], np.diff(indptr)[row])
    return WeightedRows(indptr, target.astype(np.int32), sums)


def uniform_edges(G: Graph) -> Edges:
    """The edges of the graph, each with the weight 1."""
    indptr, target, _ = G.A.to_csr()
    return _edges_by_row(G, indptr, target, None)


def weighted_edges(G: Graph) -> Edges:
    """The edges of the graph with their weights. Edges of weight 0 are left out."""
    return _edges_by_row(G, *weighted_rows(G))


def _edges_by_row(
    G: Graph, indptr: np.ndarray, target: np.ndarray, sums: np.ndarray | None
) -> Edges:
    degree = np.diff(indptr)
    row = np.flatnonzero(degree)
    begin, degree = (
        indptr[row].astype(np.int64, copy=False),
        degree[row].astype(np.int64, copy=False),
    )
    last = begin + degree - 1
    total = degree.astype(np.float64) if sums is None else sums[last]
    first, end, totals = (
        Vector.from_coo(row, x, size=G.n, backend=G.backend) for x in (begin, last, total)
    )
    targets = Vector.from_dense(target.astype(np.int64), backend=G.backend)
    edge_sums = None if sums is None else Vector.from_dense(sums, backend=G.backend)
    return Edges(first, end, totals, targets, edge_sums, int(degree.max(initial=0)))


def _row_sums(weight: np.ndarray, begin: np.ndarray, degree: np.ndarray) -> np.ndarray:
    """The prefix sums of the weights of each row, scaled to SUM_SCALE; each edge adds at least 1.

    The sums over all rows may wrap around, but their differences within a row are exact.
    """
    part = weight / np.repeat(np.maximum.reduceat(weight, begin), degree)
    part *= np.repeat(SUM_SCALE / np.add.reduceat(part, begin), degree)
    upto = np.cumsum(np.maximum(1, np.rint(part)).astype(np.uint64))
    before = np.concatenate((upto[:1] * 0, upto))[begin]
    return (upto - np.repeat(before, degree)).astype(np.float64)
