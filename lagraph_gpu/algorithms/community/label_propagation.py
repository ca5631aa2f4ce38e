"""Communities by label propagation, in the synchronous form of LDBC Graphalytics (CDLP).

The label of each vertex is at first its own id. In each round every vertex takes the label that is
most frequent among its neighbours, and of several the smallest: with P the indicator of the labels,
the column of the leftmost largest entry in its row of B ⊕.⊗ P (see `label_argmax`). O(m) for each
round, and a sort of each row if a backend sorts.

Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
networks, Physical Review E 76 (2007). LDBC Graphalytics specification 1.0.5, section 2.3.5.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect_count
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
    rounds, B, label = expect_count(max_iter, "max_iter"), multiplicity(G), identity(G)
    done, earlier, earlier_round = 0, None, 0
    while done < rounds:
        before, chosen = label, label_argmax(B, label).label
        label = first(chosen | before).new()
        done += 1
        if label.isequal(before):
            break
        if earlier is not None and label.isequal(earlier):  # the labels recur
            rounds = done + (rounds - done) % (done - earlier_round)
        elif done >= FIRST_MARK and done.bit_count() == 1:
            earlier, earlier_round = label, done
    return label
