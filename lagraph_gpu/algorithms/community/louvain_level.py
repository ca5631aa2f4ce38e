"""The objective of Louvain's method, and the graph of one of its levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagraph_gpu.algorithms._shared.labels import edges_within, zero_filled
from lagraph_gpu.notation import Matrix, Scalar, Vector
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_first

plus, times = BINARY["plus"], BINARY["times"]

SLIGHT = 1e-3
"""The last level is the one that raises the modularity by no more than this part of it."""


@operation
def weight_within(label: Vector, A: Matrix) -> float:
    """The sum of the entries of A between vertices with equal labels."""
    return float(edges_within(label, A).reduce("plus").new().get(0))


@dataclass(frozen=True)
class Objective:
    """The modularity of a graph whose weights have the sum `weight`."""

    weight: float
    resolution: float
    threshold: float
    directed: bool
    rng: np.random.Generator

    def quality(self, inside: float, expected: float) -> float:
        """The modularity, from the sum of the weights inside communities and the sum of the
        products of their degrees.
        """
        return (inside - expected * self.resolution / self.weight) / self.weight

    def little(self, rise: float, quality: float) -> bool:
        """True if the modularity rises too little for another level, or by nothing that is a
        number.
        """
        return not rise > max(self.threshold, SLIGHT * quality)


@dataclass(frozen=True)
class Level:
    """The graph of one level, with the vectors that each round of moves reads."""

    A: Matrix
    B: Matrix
    """A + Aᵀ without loops."""
    loops: Scalar
    """The sum of the weights of the loops."""
    out_degree: Vector
    """For each vertex the sum of the weights of its outgoing edges."""
    in_degree: Vector
    """For each vertex the sum of the weights of its incoming edges."""
    degree: Vector
    """The sum of `out_degree` and `in_degree`."""
    inverse_degree: Vector
    """1 / degree, and 0 for a vertex without edges."""
    ranks: Vector
    """A different number below 2³¹ for each vertex (INT64)."""
    expected: Scalar | None = None
    """The sum of the products of `out_degree` and `in_degree`, if it is known."""

    @classmethod
    def of(cls, A: Matrix, objective: Objective, ranks: Vector) -> Level:
        """The level of the graph A, whose entries are positive. For an undirected graph A is
        symmetric.
        """
        both = plus(A | A.T) if objective.directed else A.apply("times", 2)
        out_degree = zero_filled(A.reduce_rowwise("plus"))
        in_degree = zero_filled(A.reduce_columnwise("plus")) if objective.directed else out_degree
        diagonal, B = A.diag(), both.new()
        if diagonal.nvals:
            B = B.select("offdiag").new()
        return cls.with_degrees(A, B, diagonal.reduce("plus").new(), out_degree, in_degree, ranks)

    @classmethod
    def with_degrees(
        cls, A: Matrix, B: Matrix, loops: Scalar, out_degree: Vector, in_degree: Vector,
        ranks: Vector, expected: Scalar | None = None,
    ) -> Level:  # fmt: skip
        """The level with these sums of weights."""
        degree = plus(out_degree & in_degree).new()
        inverse = zero_filled(degree.select(">", 0).new().apply("minv"))
        return cls(A, symmetric(B), loops, out_degree, in_degree, degree, inverse, ranks, expected)

    def singleton_quality(self, objective: Objective) -> float:
        """The modularity if each vertex is a community."""
        expected = self.expected
        if expected is None:
            expected = times(self.out_degree & self.in_degree).new().reduce("plus").new()
        return objective.quality(self.loops.get(0), expected.get(0))

    def quality(self, label: Vector, objective: Objective) -> float:
        """The modularity of the communities with these labels. It reads B once."""
        P = label.selector()
        leaving = entering = zero_filled(plus_first(self.out_degree @ P))
        if self.in_degree is not self.out_degree:
            entering = zero_filled(plus_first(self.in_degree @ P))
        expected = times(leaving & entering).new().reduce("plus").new()
        inside = weight_within(label, self.B)
        return objective.quality(self.loops.get(0) + inside / 2, expected.get(0))
