"""The loops over the levels of Louvain's and Leiden's methods, over steps that backends implement.

Both methods move the vertices of a level, divide them into groups, and merge each group into a
vertex of the next level. In Louvain's method the groups are the communities, and each level starts
from single vertices; in Leiden's they are connected parts of the communities, and the next level
starts from the communities as they were. `louvain.py` and `leiden.py` say why.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from lagraph_gpu.algorithms.community.louvain_level import Objective


class Labelled(Protocol):
    """A label for each vertex: a vector or an array."""

    @property
    def size(self) -> int:
        """The number of vertices."""


LevelT = TypeVar("LevelT")
LabelsT = TypeVar("LabelsT", bound=Labelled)


class LevelSteps(Protocol[LevelT, LabelsT]):
    """What is done with a level, which is a graph, and with labels of its vertices."""

    @property
    def objective(self) -> Objective:
        """What the moves raise."""

    def ids(self, level: LevelT) -> LabelsT:
        """For each vertex its number."""

    def quality(self, level: LevelT, label: LabelsT | None) -> float:
        """The modularity of the communities with these labels; by default each vertex is one."""

    def moved(self, level: LevelT, label: LabelsT | None, quality: float) -> tuple[LabelsT, float]:
        """The labels after moves that begin with these labels, or with the ids, at this modularity;
        and an estimate by how much the moves raise it."""

    def refined(self, level: LevelT, label: LabelsT) -> LabelsT:
        """A division of each community into parts that are connected. A part is named by one of its
        vertices."""

    def count(self, label: LabelsT) -> int:
        """The number of different labels."""

    def merged(self, level: LevelT, label: LabelsT) -> tuple[LevelT, LabelsT]:
        """The next level, whose vertices are the groups with one label each; and for each vertex
        the number of its group."""

    def composed(self, first: LabelsT, second: LabelsT) -> LabelsT:
        """At each vertex the second value at the vertex that the first one names."""

    def raised(self, label: LabelsT, level: LevelT, number: LabelsT) -> LabelsT:
        """The labels on the next level, which is given with the numbers of its vertices. All
        members of a group have one label. A community is named by the smallest of its vertices."""

    def named(self, label: LabelsT) -> LabelsT:
        """The same communities, each named by the smallest of its vertices."""

    def connected(self, level: LevelT, label: LabelsT) -> LabelsT:
        """The connected parts of the communities, each named by the smallest of its vertices."""


def louvain_levels(steps: LevelSteps[LevelT, LabelsT], base: LevelT, levels: int | None) -> LabelsT:
    """The communities of the graph of the first level, after at most so many levels."""
    level, label = base, steps.ids(base)
    quality, up = steps.quality(base, None), 0
    while levels is None or up < levels:
        group, promised = steps.moved(level, None, quality)
        if steps.objective.little(promised, quality):
            break
        level, number = steps.merged(level, group)
        higher_quality = steps.quality(level, None)
        if steps.objective.little(higher_quality - quality, quality):
            break
        label = steps.composed(label, number) if up else number
        quality, up = higher_quality, up + 1
    if up > 1:
        label = improved(steps, base, label, quality)
    return steps.named(label)


def leiden_levels(steps: LevelSteps[LevelT, LabelsT], base: LevelT, levels: int | None) -> LabelsT:
    """The connected communities of the graph of the first level, after at most so many levels."""
    level, quality, up = base, steps.quality(base, None), 0
    place = label = steps.ids(base)
    whole = False
    while levels is None or up < levels:
        label, promised = steps.moved(level, label if up else None, quality)
        quality = steps.quality(level, label)
        settled = up > 0 and steps.objective.little(promised, quality)
        if settled and whole:
            break
        whole = settled
        parts = label if whole else steps.refined(level, label)
        count = steps.count(parts)
        if count == label.size and not whole:
            whole, parts, count = True, label, steps.count(label)
        if count == label.size:
            break
        level, number = steps.merged(level, parts)
        place = steps.composed(place, number) if up else number
        label, up = steps.raised(label, level, number), up + 1
    label = steps.named(steps.composed(place, label))
    return steps.connected(base, improved(steps, base, label, quality))


def improved(
    steps: LevelSteps[LevelT, LabelsT], base: LevelT, label: LabelsT, quality: float
) -> LabelsT:
    """The communities after moves of single vertices, if these raise the modularity."""
    last, _ = steps.moved(base, label, quality)
    return last if steps.quality(base, last) > quality else label
