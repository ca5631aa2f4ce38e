"""Modularity: the weight inside communities, compared to the weight that is expected by chance.

With W the sum of all entries of A (each undirected edge counts in both directions) and S_out(c) and
S_in(c) the sums of the out- and in-degrees of a community,

    Q = Σ over c of  inside(c) / W  −  γ · S_out(c) · S_in(c) / W².

In statements, with P the indicator of the communities and k the sums of the rows, or of the
columns: inside is what the entries between equal labels sum up to, and S = Pᵀ k. O(m).

Newman, Girvan: Finding and evaluating community structure in networks, Physical Review E 69 (2004).
Leicht, Newman: Community structure in directed networks, Physical Review Letters 100 (2008).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import refuse_negative, total
from lagraph_gpu.algorithms.community.louvain_level import weight_within
from lagraph_gpu.algorithms.community.partition import community_numbers
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_at_least_0
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, plus_first

plus, times = BINARY["plus"], BINARY["times"]


def modularity(G: Graph, labels: Any, resolution: float = 1.0) -> float:
    """The modularity of a partition into communities.

    Parameters
    ----------
    G : Graph
        The graph. Weights must be at least 0; in a graph without weights every edge counts 1. A
        loop of an undirected graph counts as NetworkX counts it.
    labels : Vector, dict, Series, list or array
        A label for each vertex. Vertices with the same label form a community. A dict and a Series
        of pandas, as `G.named` returns it, have them by label of the graph, in any order; the
        others by position. Labels are numbers in a Vector, else any hashable values. Or a list of
        communities, each a set or a list of vertices, as NetworkX has them.
    resolution : float, optional
        The parameter γ, at least 0. Larger values favour smaller communities.

    Returns
    -------
    float
        The modularity, from −1 to 1 if γ is 1. It is 0 if the graph has no edges or all weights are
        0.

    Raises
    ------
    NegativeWeight
        A weight is below 0.
    InvalidValue
        A vertex has no label, or is in several sets, or `resolution` is negative or not finite.
    DimensionMismatch
        `labels` by position are not n.
    IndexOutOfBound
        `labels` names what is no vertex.
    WrongType
        `labels` is something else, or holds values that are not hashable.

    Notes
    -----
    O(m), and O(n log n) on the host for labels that are not ids of vertices. Newman and Girvan
    2004; for directed graphs Leicht and Newman 2008.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 2], [1, 3], directed=False, backend="cpu")
    >>> labels = lg.Vector.from_dense([0, 0, 1, 1], backend="cpu")
    >>> lg.modularity(G, labels), lg.modularity(G, {1: "a", 0: "a", 2: "b", 3: "b"})
    (0.5, 0.5)
    >>> lg.modularity(G, [{0, 1}, {2, 3}])
    0.5
    """
    resolution = expect_at_least_0(resolution, "resolution")
    refuse_negative(G, "weight", "modularity")
    label = community_numbers(G, labels)
    if not G.heaviest:
        return 0.0
    weight, inside, expected = community_sums(G, label)
    return inside / weight - resolution * expected / weight**2


@operation
def community_sums(G: Graph, label: Vector) -> tuple[float, float, float]:
    """The sum of the scaled weights, of those inside communities, and of the products of the sums
    of the communities' out- and in-degrees. Labels are INT64, at least 0 and below n."""
    A, P = scaled(G), label.selector()
    leaving = entering = plus_first(A.reduce_rowwise("plus").new() @ P).new()
    if G.directed:
        entering = plus_first(A.reduce_columnwise("plus").new() @ P).new()
    return total(A), weight_within(label, A), total(times(leaving & entering).new())


@operation
def scaled(G: Graph) -> Matrix:
    """The weights in FP64, times their `scale`. A loop of an undirected graph then counts twice,
    because it has two ends there."""
    A, factor = G.A.dup("FP64"), scale(G)
    if factor != 1:
        A = times(A, factor).new()
    if not G.directed and G.nloops:
        A(accum=plus) << A.select("diag").new()
    return A


def scale(G: Graph) -> float:
    """1, or a power of two if the squares of weights would leave the range of FP64.

    Modularity compares shares of the total weight, so a common factor does not matter.
    """
    exponent = math.frexp(G.heaviest or 1)[1]
    return 1.0 if abs(exponent) < 256 else 2.0 ** max(-1000, min(1000, -exponent))
