"""The edges of a graph by rows, and for each of many walkers the one that its draw means.

A row's weights are scaled by their sum to whole numbers, which add up exactly however light a row
is beside others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagraph_gpu.algorithms._shared.labels import gather
from lagraph_gpu.errors import InvalidValue, NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY

gt, least, plus = (BINARY[name] for name in ("gt", "min", "plus"))
SUM_SCALE = 2.0**62
"""What the weights of a row are scaled to. A draw tells no parts below 2^-53."""


@dataclass(frozen=True)
class Edges:
    """The edges by rows: of each vertex that has any, where the ``first`` and ``last`` stand and
    what they sum up to; of each edge its target, and the sum up to it (None: all count 1)."""

    first: Vector
    last: Vector
    total: Vector
    target: Vector
    sums: Vector | None
    max_degree: int  # edges of a row


def sampled_edges(edges: Edges, low: Vector, place: Vector, drawn: Vector) -> Vector:
    """For each walker the first edge of its row with a sum beyond ``drawn``."""
    if edges.sums is None:
        return plus(low & drawn.apply("floor").new("INT64")).new()
    low, high = low.dup(), gather(edges.last, place)
    for _ in range((edges.max_degree - 1).bit_length()):
        middle = plus(low & high).new().apply("floordiv", right=2).new()
        beyond = gt(gather(edges.sums, middle) & drawn).new()
        high(beyond.V) << middle
        low(~beyond.V) << least(middle.apply("plus", right=1).new() & high).new()
    return low


def uniform_edges(G: Graph) -> Edges:
    return _edges_by_row(G, G.A, False)


def weighted_edges(G: Graph) -> Edges:
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0 to walk by, got {G.lightest}")
    return _edges_by_row(G, G.A.select("!=", 0).new(), True)


def _edges_by_row(G: Graph, A: Matrix, weighted: bool) -> Edges:
    """On the host, once: no statement adds up along a row."""
    indptr, target, weight = A.to_csr()
    degree = np.diff(indptr)
    row = np.flatnonzero(degree)
    begin, degree = indptr[row], degree[row]
    total, sums = degree.astype(np.float64), None
    if weighted and row.size:
        sums = _row_sums(weight.astype(np.float64), begin, degree)
        total = sums[begin + degree - 1]
    begin, end = begin.astype(np.int64), (begin + degree - 1).astype(np.int64)
    first, last, totals = (
        Vector.from_coo(row, x, size=G.n, backend=G.backend) for x in (begin, end, total)
    )
    targets = Vector.from_dense(target.astype(np.int64), backend=G.backend)
    edge_sums = None if sums is None else Vector.from_dense(sums, backend=G.backend)
    return Edges(first, last, totals, targets, edge_sums, int(degree.max(initial=0)))


def _row_sums(weight: np.ndarray, begin: np.ndarray, degree: np.ndarray) -> np.ndarray:
    """The sums along each row of its weights as parts of ``WHOLE``, of which each has at least 1.
    Integers may wrap around on the way, and differences are exact all the same."""
    if not np.isfinite(weight).all():
        raise InvalidValue("expected finite weights to walk by, got infinite ones or NaN")
    part = weight / np.repeat(np.maximum.reduceat(weight, begin), degree)
    part *= np.repeat(SUM_SCALE / np.add.reduceat(part, begin), degree)
    upto = np.cumsum(np.maximum(1, np.rint(part)).astype(np.uint64))
    before = np.concatenate((upto[:1] * 0, upto))[begin]
    return (upto - np.repeat(before, degree)).astype(np.float64)
