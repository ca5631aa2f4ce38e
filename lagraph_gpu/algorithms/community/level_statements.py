"""The steps of Louvain's and Leiden's methods in statements (`levels.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.labels import edges_within, entry_numbers, identity
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.moving_phase import move_vertices
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.algorithms.community.refinement import refined
from lagraph_gpu.algorithms.structure.components import component_labels
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.matrix import symmetric
from semirings import any_pair, any_second, min_first


def quotient_level(level: Level, label: Vector, objective: Objective) -> tuple[Level, Vector]:
    """The next level, by the quotient of the graph, and for each vertex its number there."""
    used = entry_numbers(labels_in_use(label))
    number = any_second(label.selector() @ used).new()
    P = number.selector(used.nvals)
    A = quotient(level.A, P)
    ranks = min_first(level.ranks @ P).new()
    return Level.of(A if objective.directed else symmetric(A), objective, ranks), number


@dataclass(frozen=True)
class VectorSteps:
    """The steps on levels of matrices and vectors. A backend may have its own moves and its own
    next level."""

    objective: Objective
    move: Callable[[Level, Vector | None, float, Objective], tuple[Vector, float]] = move_vertices
    merge: Callable[[Level, Vector, Objective], tuple[Level, Vector]] = quotient_level

    def ids(self, level: Level) -> Vector:
        return identity(level.A)

    def quality(self, level: Level, label: Vector | None) -> float:
        if label is None:
            return level.singleton_quality(self.objective)
        return level.quality(label, self.objective)

    def moved(self, level: Level, label: Vector | None, quality: float) -> tuple[Vector, float]:
        return self.move(level, label, quality, self.objective)

    def refined(self, level: Level, label: Vector) -> Vector:
        return refined(level, label, self.objective)

    def count(self, label: Vector) -> int:
        return labels_in_use(label).nvals

    def merged(self, level: Level, label: Vector) -> tuple[Level, Vector]:
        return self.merge(level, label, self.objective)

    def composed(self, first: Vector, second: Vector) -> Vector:
        return any_second(first.selector(second.size) @ second).new()

    def raised(self, label: Vector, level: Level, number: Vector) -> Vector:
        P = number.selector(level.degree.size)
        return smallest_members(any_second(P.T @ label).new(), label.size)

    def named(self, label: Vector) -> Vector:
        return smallest_members(label, label.size)

    def connected(self, level: Level, label: Vector) -> Vector:
        return component_labels(symmetric(edges_within(label, level.B)))


def labels_in_use(label: Vector) -> Vector:
    """An entry for each label in use."""
    return any_pair(label @ label.selector()).new()


def smallest_members(label: Vector, width: int) -> Vector:
    """The labels of groups, which are below `width`, by which each is named by its smallest
    position."""
    P = label.selector(width)
    return any_second(P @ min_first(label.apply("index").new() @ P).new()).new()
