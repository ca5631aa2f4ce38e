"""What Louvain's method seeks, and what all rounds of moves in a graph read of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagraph_gpu.algorithms._shared.labels import edges_within, zero_filled
from lagraph_gpu.notation.matrix import Matrix, symmetric
from lagraph_gpu.notation.scalar import Scalar
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, plus_first

plus, times = BINARY["plus"], BINARY["times"]


@dataclass(frozen=True)
class Objective:
    """What is sought: modularity of a graph whose weights add up to ``weight``."""

    weight: float
    resolution: float
    threshold: float
    directed: bool
    rng: np.random.Generator

    def quality(self, inside: float, expected: float) -> float:
        """The modularity, of the sum inside communities and that of their degrees' products."""
        return (inside - expected * self.resolution / self.weight) / self.weight


@dataclass(frozen=True)
class Level:
    """A graph whose vertices move, and what each round reads of it."""

    A: Matrix
    B: Matrix
    """A + Aᵀ without loops."""
    loops: Scalar
    """The sum of the loops."""
    leaving: Vector
    entering: Vector
    k: Vector
    """The sum of the two."""
    inverse_k: Vector
    """1 / k; 0 for a vertex without edges."""

    @classmethod
    def of(cls, A: Matrix, objective: Objective) -> Level:
        """Over A, whose entries are positive; without directions it is its own transpose."""
        both = plus(A | A.T) if objective.directed else A.apply("times", 2)
        leaving = zero_filled(A.reduce_rowwise("plus"))
        entering = zero_filled(A.reduce_columnwise("plus")) if objective.directed else leaving
        k = plus(leaving & entering).new()
        loops = A.select("diag").new().reduce("plus").new()
        B = symmetric(both.new().select("offdiag").new())
        return cls(
            A, B, loops, leaving, entering, k, zero_filled(k.select(">", 0).new().apply("minv"))
        )

    def singleton_quality(self, objective: Objective) -> float:
        """The modularity if each vertex is a community."""
        expected = times(self.leaving & self.entering).new().reduce("plus").new()
        return objective.quality(self.loops.get(0), expected.get(0))

    def quality(self, label: Vector, objective: Objective) -> float:
        """The modularity of the communities with these labels. Reads B once."""
        P = label.selector()
        inside = edges_within(label, self.B).reduce("plus").new()
        leaving, entering = (zero_filled(plus_first(k @ P)) for k in (self.leaving, self.entering))
        expected = times(leaving & entering).new().reduce("plus").new()
        return objective.quality(self.loops.get(0) + inside.get(0) / 2, expected.get(0))
