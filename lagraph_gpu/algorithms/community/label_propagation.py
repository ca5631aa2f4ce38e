"""Communities by label propagation, in the synchronous form of LDBC Graphalytics (CDLP).

Each vertex starts with its own id as label. In a round everyone takes the label that is most
frequent among the neighbours, the smallest of several: with P the indicator of the labels, the
leftmost of the largest entries of its row of B ⊕.⊗ P, which counts the votes (see ``choice``). O(m)
operations a round (and a sort of each row, where a backend sorts).

Raghavan, Albert, Kumara: Near linear time algorithm to detect community structures in large-scale
networks, Physical Review E 76 (2007). LDBC Graphalytics specification 1.0.5, section 2.3.5.
"""

from __future__ import annotations

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_count
from lagraph_gpu.notation.vector import Vector


def label_propagation(G: Graph, max_iter: int = 10) -> Vector:
    """The label (INT64, a vertex id) of each vertex after ``max_iter`` synchronous rounds.

    In a directed graph neighbours in and out vote, one that is both votes twice. Weights and loops
    do not count; an isolated vertex keeps its own label. The rounds end early when no label
    changes; they need not come to rest (two joined vertices swap labels for ever), which is why
    their number is part of the definition. Waits for the device twice a round.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], directed=False,
    ...                         backend="cpu")
    >>> lg.label_propagation(G).to_dense().tolist()
    [0, 0, 0, 3, 3, 3]
    """
    rounds, B, label = expect_count(max_iter, "max_iter"), multiplicity(G), identity(G)
    for _ in range(rounds):
        chosen = label_argmax(B, label.selector()).label
        before, label = label, label.dup()
        label(chosen.S) << chosen
        if label.isequal(before):
            break
    return label
