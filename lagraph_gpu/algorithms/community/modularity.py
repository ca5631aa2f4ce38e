"""Modularity: how much more weight lies within communities than chance would put there.

With W the sum of all entries of A (each undirected edge counts in both directions) and the
out- and in-degrees S(c) of a community added up,

    Q = Σ over c of  inside(c) / W  −  γ · S_out(c) · S_in(c) / W².

In statements: inside is the sum of (A ⊕.⊗ P) where P, the indicator of the communities, has its
entries; S = Pᵀ k. O(m).

Newman, Girvan: Finding and evaluating community structure in networks, Physical Review E 69 (2004).
Leicht, Newman: Community structure in directed networks, Physical Review Letters 100 (2008).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import refuse_negative, total
from lagraph_gpu.algorithms.community.indicator import indicator, lengths
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_at_least_0
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, plus_first

times = BINARY["times"]


def modularity(G: Graph, labels: Vector, resolution: float = 1.0) -> float:
    """The modularity of the partition in which vertices of one label form a community.

    ``labels``: a number for each vertex (an entry everywhere). Weights of at least 0 count (else
    NegativeWeight), an edge without has 1; a loop of an undirected graph counts as NetworkX counts
    it. ``resolution`` γ ≥ 0: larger favours smaller communities. From −1 to 1 for γ = 1, and 0
    where all weights are 0 or there are none. Raises InvalidValue if a label is missing or γ is no
    such number.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 2], [1, 3], directed=False, backend="cpu")
    >>> labels = lg.Vector.from_dense([0, 0, 1, 1], backend="cpu")
    >>> lg.modularity(G, labels)
    0.5
    """
    expect_at_least_0(resolution, "resolution")
    refuse_negative(G, "weight", "modularity")
    P = indicator(G, labels)
    if not G.heaviest:
        return 0.0
    A = scaled(G)
    return float(quality(A, P, total(A), resolution))


def scaled(G: Graph) -> Matrix:
    """The weights, times a power of two where their squares would leave the range of FP64.

    Modularity takes shares of the total, so a common factor does not matter.
    """
    A = lengths(G)
    exponent = math.frexp(G.heaviest or 1)[1]
    if abs(exponent) < 256:
        return A
    return times(A, 2.0 ** max(-1000, min(1000, -exponent))).new()


def quality(A: Matrix, P: Matrix, weight: float, resolution: float) -> Any:
    """Q of the communities with the indicator P."""
    inside = Matrix("FP64", *P.shape, backend=P.backend)
    inside(P.S) << plus_first(A @ P)
    leaving = plus_first(A.reduce_rowwise("plus").new() @ P).new()
    entering = plus_first(A.reduce_columnwise("plus").new() @ P).new()
    expected = times(leaving & entering).new().reduce("plus").new().get(0)
    return inside.reduce("plus").new().get(0) / weight - resolution * expected / weight**2
