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


@dataclass(frozen=True)
class Level:
    """The graph of one level, with the vectors that each round of moves reads."""

    A: Matrix
    B: Matrix
    """A + Aᵀ without loops."""
    loops: Scalar
    """The sum of the weights of the loops."""
    leaving: Vector
    """For each vertex the sum of the weights of its outgoing edges."""
    entering: Vector
    """For each vertex the sum of the weights of its incoming edges."""
    k: Vector
    """The sum of `leaving` and `entering`."""
    inverse_k: Vector
    """1 / k, and 0 for a vertex without edges."""
    expected: Scalar | None = None
    """The sum of the products of `leaving` and `entering`, if it is known."""

    @classmethod
    def of(cls, A: Matrix, objective: Objective) -> Level:
        """The level of the graph A, whose entries are positive. For an undirected graph A is
        symmetric.
        """
        both = plus(A | A.T) if objective.directed else A.apply("times", 2)
        leaving = zero_filled(A.reduce_rowwise("plus"))
        entering = zero_filled(A.reduce_columnwise("plus")) if objective.directed else leaving
        diagonal, B = A.diag(), both.new()
        if diagonal.nvals:
            B = B.select("offdiag").new()
        return cls.with_degrees(A, B, diagonal.reduce("plus").new(), leaving, entering)

    @classmethod
    def with_degrees(
        cls, A: Matrix, B: Matrix, loops: Scalar, leaving: Vector, entering: Vector,
        expected: Scalar | None = None,
    ) -> Level:  # fmt: skip
        """The level with these sums of weights."""
        k = plus(leaving & entering).new()
        inverse = zero_filled(k.select(">", 0).new().apply("minv"))
        return cls(A, symmetric(B), loops, leaving, entering, k, inverse, expected)

    def singleton_quality(self, objective: Objective) -> float:
        """The modularity if each vertex is a community."""
        expected = self.expected
        if expected is None:
            expected = times(self.leaving & self.entering).new().reduce("plus").new()
        return objective.quality(self.loops.get(0), expected.get(0))

    def quality(self, label: Vector, objective: Objective) -> float:
        """The modularity of the communities with these labels. It reads B once."""
        P = label.selector()
        leaving = entering = zero_filled(plus_first(self.leaving @ P))
        if self.entering is not self.leaving:
            entering = zero_filled(plus_first(self.entering @ P))
        expected = times(leaving & entering).new().reduce("plus").new()
        inside = weight_within(label, self.B)
        return objective.quality(self.loops.get(0) + inside / 2, expected.get(0))
