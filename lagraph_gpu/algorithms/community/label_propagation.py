"""Communities by label propagation, in the synchronous form of LDBC Graphalytics (CDLP).

The label of each vertex is at first its own id. In each round every vertex takes the label that is
most frequent among its neighbours, and of several the smallest: with P the indicator of the labels,
the column of the leftmost largest entry in its row of B ⊕.⊗ P (see `label_argmax`). O(m) for each
round, and a sort of each row if a backend sorts.

Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
networks, Physical Review E 76 (2007). LDBC Graphalytics specification 1.0.5, section 2.3.5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect_count
from lagraph_gpu.notation.operation import operation
from semirings import BINARY

first = BINARY["first"]

FIRST_MARK = 16
"""The first round whose labels are kept, to see whether they come again."""


def label_propagation(G: Graph, max_iter: int = 10) -> Vector:
    """Communities by synchronous label propagation.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph the neighbours along edges in and out both count, and a
        neighbour along both counts twice. Weights and loops do not count.
    max_iter : int, optional
        The largest number of rounds.

    Returns
    -------
    Vector of INT64
        The label of each vertex, which is the id of a vertex. An isolated vertex keeps its own id.

    Raises
    ------
    InvalidValue
        `max_iter` is not an integer of at least 0.

    Notes
    -----
    O(m) for each round, with one wait for the device, and two after round 16. The rounds end
    early if no label changes. They may never become stable: two vertices joined by an edge swap
    their labels for ever. The number of rounds is therefore part of the definition. Rounds that
    would only repeat others are left out (Brent's search for a cycle, from round 16 on).
    LDBC Graphalytics 1.0.5, section 2.3.5.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], directed=False,
    ...                         backend="cpu")
    >>> lg.label_propagation(G).to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """
    return propagated_labels(G, expect_count(max_iter, "max_iter"))


@operation
def propagated_labels(G: Graph, rounds: int) -> Vector:
    """The label (INT64) of each vertex after at most so many rounds, at first its own id."""
    B, label, turns = multiplicity(G), identity(G), Recurrence(rounds)
    while turns.more:
        before, chosen = label, label_argmax(B, label).label
        label = first(chosen | before).new()
        turns.done(label, label.isequal(before), label.isequal)
    return label


class Recurrence:
    """Which rounds are left. They end if one changes nothing, and those that would only repeat
    others are left out.
    """

    def __init__(self, rounds: int) -> None:
        self.rounds, self.count = rounds, 0
        self.earlier: Any = None
        self.earlier_round = 0

    @property
    def more(self) -> bool:
        return self.count < self.rounds

    def done(self, label: Any, unchanged: bool, same: Callable[[Any], Any]) -> None:
        """Another round has led to this label, which `same` compares with others."""
        self.count += 1
        if unchanged:
            self.rounds = self.count
        elif self.earlier is not None and same(self.earlier):  # the labels recur
            self.rounds = self.count + (self.rounds - self.count) % (
                self.count - self.earlier_round
            )
        elif self.count >= FIRST_MARK and self.count.bit_count() == 1:
            self.earlier, self.earlier_round = label, self.count
