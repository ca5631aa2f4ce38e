"""What Louvain's method seeks, and what all rounds of moves in a graph read of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lagraph_gpu.expr import Expression
from lagraph_gpu.matrix import Matrix, symmetric
from lagraph_gpu.vector import Vector
from semirings import BINARY

plus = BINARY["plus"]


@dataclass(frozen=True)
class Aim:
    """What is sought: modularity of a graph whose weights add up to ``weight``."""

    weight: float
    resolution: float
    threshold: float
    directed: bool
    rng: np.random.Generator


@dataclass(frozen=True)
class Level:
    """A graph whose vertices move, and what each round reads of it."""

    A: Matrix
    B: Matrix
    """A + Aᵀ without loops."""
    loops: float
    """The sum of the loops."""
    leaving: Vector
    entering: Vector
    per: Vector
    """1 / k; 0 for a vertex without edges."""

    @classmethod
    def of(cls, A: Matrix, aim: Aim) -> Level:
        """Over A, whose entries are positive; without directions it is its own transpose."""
        both = plus(A | A.T) if aim.directed else A.apply("times", 2)
        leaving = full(A.reduce_rowwise("plus"))
        entering = full(A.reduce_columnwise("plus")) if aim.directed else leaving
        k = plus(leaving & entering).new()
        loops = A.select("diag").new().reduce("plus").new().get(0)
        B = symmetric(both.new().select("offdiag").new())
        return cls(A, B, loops, leaving, entering, full(k.select(">", 0).new().apply("minv")))


def full(entries: Expression | Vector) -> Vector:
    """The entries, and 0 where there is none."""
    made = Vector.from_scalar(0.0, entries.shape[0], "FP64", backend=entries.backend)
    made(plus) << entries
    return made
