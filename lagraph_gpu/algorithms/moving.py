"""Moving vertices between communities as long as modularity rises: a level of Louvain's method.

With P the indicator of the communities, B = A + Aᵀ without loops, k the degrees and W the sum of A,
moving v into c changes the modularity by 1/W² times the difference of

    score(v, c) = W · (B ⊕.⊗ P)(v, c) − γ · (k_out(v) S_in(c) + k_in(v) S_out(c)),   S = Pᵀ k,

in which v itself is left out of S for its own community. The best entry of each row is where v
would go. Neighbours that move at once may harm each other, so in each round a random part of those
that would gain moves, and the round counts only if modularity has risen; if not, half as many try
again, in the end a single one. O(m) a round, and memory for a few matrices of the size of B.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.modularity import quality
from lagraph_gpu.algorithms.rows import best
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_second, any_times, plus_first

any_, minus, plus, times = (BINARY[name] for name in ("any", "minus", "plus", "times"))
LARGEST, SMALLEST = 0.25, 2.0**-40
"""The part of those that would gain to move at once. More is faster and finds worse communities;
the move of a single one cannot fail but by rounding, so the smallest is never reached otherwise."""


def moved(
    A: Matrix, P: Matrix, at: float, weight: float, resolution: float, rng: np.random.Generator
) -> tuple[Matrix, float]:
    """The communities after all moves that raise the modularity, and how high that is."""
    B = plus(A | A.T).new().select("offdiag").new()
    leaving, entering = (_full(A, how) for how in ("reduce_rowwise", "reduce_columnwise"))
    alone = times(leaving & entering).new().apply("times", right=2 * resolution).new()
    share = LARGEST
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
            draw = Vector.from_dense(rng.random(A.nrows), backend=A.backend)
            ticket = draw.ewise_mult(gain, BINARY["first"]).new()
            first = ticket.reduce("min").new().value
            moves = ticket.select("<=", max(share, first)).new()  # one of them at least
            tried = _with_rows(P, goal, moves)
            higher = quality(A, tried, weight, resolution)
            if higher > at:
                P, at, share = tried, higher, min(LARGEST, 2 * share)
                break
            share /= 2
            if share < SMALLEST:
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
    stays = any_second(still.diag() @ P).new("BOOL")
    return stays.ewise_add(any_second(moves.diag() @ goal).new("BOOL"), any_).new()


def _full(A: Matrix, how: str) -> Vector:
    """The sum of each row or column, 0 where it is empty."""
    k = Vector.from_scalar(0.0, A.nrows, "FP64", backend=A.backend)
    k(accum=plus) << getattr(A, how)("plus")
    return k
