"""Communities by modularity: move vertices between them, merge each into a vertex, repeat (Louvain).

With P the indicator of the communities, B = A + Aᵀ without loops, k the degrees and W the sum of A,
moving v into c changes the modularity by 1/W² times the difference of

    score(v, c) = W · (B ⊕.⊗ P)(v, c) − γ · (k_out(v) S_in(c) + k_in(v) S_out(c)),   S = Pᵀ k,

in which v itself is left out of S for its own community. The best entry of each row is where v
would go. Neighbours that move at once may harm each other, so in each round a random part of those
that would gain moves, and the round counts only if modularity has risen; if not, half as many try
again. When nobody gains, Pᵀ A P is the graph of the communities, and the next level begins. At the
end vertices are moved once more between the communities found, which merging alone cannot. O(m) a
round, and memory for a few matrices of the size of B.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks, J. of
Statistical Mechanics (2008). Rotta, Noack: Multilevel local search algorithms for modularity
clustering, ACM J. of Experimental Algorithmics 16 (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.indicator import labels_of, lengths
from lagraph_gpu.algorithms.modularity import quality, total
from lagraph_gpu.algorithms.rows import best
from lagraph_gpu.closure import steps_bound
from lagraph_gpu.errors import NegativeWeight
from lagraph_gpu.graph import Graph
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_pair, any_second, any_times, plus_first, plus_second

any_, minus, plus, times = (BINARY[name] for name in ("any", "minus", "plus", "times"))
LEAST = 2.0**-12
"""The smallest part of those that would gain to try; with less, a level is at its end."""


def louvain(
    G: Graph,
    resolution: float = 1.0,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> Vector:
    """Communities of high modularity: for each vertex the smallest vertex of its own (INT64).

    Weights of at least 0 count (else NegativeWeight), loops and directions as in ``modularity``.
    ``resolution`` γ: larger gives smaller communities. Levels go on while one raises modularity by
    more than ``threshold``, ``max_level`` of them at most. ``seed``: whatever
    ``numpy.random.default_rng`` takes; the same seed gives the same communities, and on every
    backend if the weights are whole numbers (sums of others round in an order of their own). An
    isolated vertex is a community; so is every vertex if all weights are 0.

    >>> import networkx as nx, lagraph_gpu as lg
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend="cpu")
    >>> lg.modularity(G, lg.louvain(G, seed=1)) > 0.41
    True
    """
    levels, rng = steps_bound(max_level, "max_level"), np.random.default_rng(seed)
    if G.lightest is not None and G.lightest < 0:
        raise NegativeWeight(f"expected weights of at least 0, got {G.lightest}")
    P = Vector.from_scalar(True, G.n, "BOOL", backend=G.backend).diag()
    if not G.heaviest or levels == 0:
        return labels_of(P)
    A = lengths(G)
    weight, at = total(A), quality(A, P, total(A), resolution)
    while levels is None or levels > 0:
        before = at
        P, at = _level(A, P, at, weight, resolution, rng)
        if at - before <= threshold:
            break
        levels = None if levels is None else levels - 1
    return labels_of(P)


def _level(
    A: Matrix, P: Matrix, at: float, weight: float, resolution: float, rng: np.random.Generator
) -> tuple[Matrix, float]:
    """Vertices move between the communities P, then whole communities, up all levels."""
    P, at = _moved(A, P, at, weight, resolution, rng)
    coarse, group = A, P
    while True:
        coarse = plus_first(plus_second(group.T @ coarse).new() @ group).new()
        own = Vector.from_scalar(True, A.nrows, "BOOL", backend=A.backend).diag()
        group, higher = _moved(coarse, own, at, weight, resolution, rng)
        if not higher > at:
            return P, at
        P, at = any_pair(P @ group).new("BOOL"), higher


def _moved(
    A: Matrix, P: Matrix, at: float, weight: float, resolution: float, rng: np.random.Generator
) -> tuple[Matrix, float]:
    """The communities after all moves that raise the modularity, and how high that is."""
    B = plus(A | A.T).new().select("offdiag").new()
    leaving, entering = (_full(A, how) for how in ("reduce_rowwise", "reduce_columnwise"))
    alone = times(leaving & entering).new().apply("times", right=2 * resolution).new()
    share = 0.5
    while True:
        score = _scores(B, P, leaving, entering, weight, resolution)
        score(accum=plus) << any_first(alone.diag() @ P)
        stay = Matrix("FP64", *P.shape, backend=P.backend)
        stay(P.S) << score
        gain = minus(score.reduce_rowwise("max").new() & stay.reduce_rowwise("max").new()).new()
        gain = gain.select(">", 1e-12 * weight**2).new()
        if gain.nvals == 0:
            return P, at
        goal = best(score)[0]
        while True:
            draw = Vector.from_dense(rng.random(A.nrows), backend=A.backend).select("<", share).new()
            moves = draw.ewise_mult(gain, BINARY["first"]).new()
            tried = _with_rows(P, goal, moves)
            higher = quality(A, tried, weight, resolution)
            if higher > at:
                P, at, share = tried, higher, min(0.5, 2 * share)
                break
            share /= 2
            if share < LEAST:
                return P, at


def _scores(
    B: Matrix, P: Matrix, leaving: Vector, entering: Vector, weight: float, resolution: float
) -> Matrix:
    """W · (B ⊕.⊗ P) − γ · (k_out S_in + k_in S_out), where B ⊕.⊗ P or P has an entry."""
    K = Matrix("FP64", *P.shape, backend=P.backend)
    K(P.S) << 0.0
    K(accum=plus) << plus_first(B @ P)
    score = K.apply("times", right=weight).new()
    for mine, others in ((leaving, entering), (entering, leaving)):
        beside = plus_first(others @ P).new().apply("times", right=resolution).new()
        score(accum=minus) << any_times(any_first(mine.diag() @ K).new() @ beside.diag())
    return score


def _with_rows(P: Matrix, goal: Matrix, moves: Vector) -> Matrix:
    """P with the rows of ``goal`` where ``moves`` has an entry."""
    still = Vector("BOOL", P.nrows, backend=P.backend)
    still(~moves.S) << True
    return any_second(still.diag() @ P).new().ewise_add(any_second(moves.diag() @ goal), any_).new()


def _full(A: Matrix, how: str) -> Vector:
    """The sum of each row or column, 0 where it is empty."""
    k = Vector.from_scalar(0.0, A.nrows, "FP64", backend=A.backend)
    k(accum=plus) << getattr(A, how)("plus")
    return k
