"""Moving vertices between communities as long as modularity rises: a level of Louvain's method.

With P the indicator of the communities, B = A + Aᵀ without loops, k the degrees and W the sum of A,
moving v into c changes the modularity by k_v / W times the difference of

    score(v, c) = (B ⊕.⊗ P)(v, c) / k_v − γ/W · (S_in(c) k_out(v) + S_out(c) k_in(v)) / k_v

with k = k_out + k_in and S = Pᵀ k, in which v itself is left out of S for its own community. The
best entry of each row is where v would go. Neighbours that move at once may harm each other, so in
each round a random half of those that would gain moves. Only who would and the neighbours of who
does look again: the others see what they saw before, but for S. What lies inside communities falls
out of the same product, and so the modularity; the best communities seen are the result. O(m) for
the first round; for those that follow, O(n) and the edges of those who look.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008).
Ozaki, Tezuka, Inaba: A simple acceleration method for the Louvain algorithm, Int. J. of Computer
and Electrical Engineering 8 (2016), for who looks again. Lu, Halappanavar, Kalyanaraman: Parallel
heuristics for scalable community detection, Parallel Computing 47 (2015), for moves at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lagraph_gpu.algorithms.labels import RANKS
from lagraph_gpu.algorithms.rows import equal, first_column
from lagraph_gpu.expr import Expression
from lagraph_gpu.matrix import Matrix, symmetric
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_minus, any_pair, any_second, any_times, plus_first

first, minus, plus, times = (BINARY[name] for name in ("first", "minus", "plus", "times"))
GAIN, PATIENCE = 1e-4, 2
"""Rounds end when so many in a row have not raised the modularity by more than this."""


@dataclass(frozen=True)
class Aim:
    """What is sought: modularity of a graph whose weights add up to ``weight``."""

    weight: float
    resolution: float
    threshold: float
    directed: bool
    rng: np.random.Generator


def moved(A: Matrix, label: Vector, place: Vector, aim: Aim) -> tuple[Vector, float]:
    """The best communities found by moves from those of ``label``, and their modularity.

    Labels (INT64) are below n; ``place``: a random number below 2³² for each vertex, all different.
    """
    B = symmetric(plus(A | A.T).new().select("offdiag").new().select(">", 0).new())
    loops = A.select("diag").new().reduce("plus").new().get(0)
    leaving, entering = _full(A.reduce_rowwise("plus")), _full(A.reduce_columnwise("plus"))
    per = _full(plus(leaving & entering).new().select(">", 0).new().apply("minv"))
    share, unit = times(entering & per).new(), aim.resolution / aim.weight
    own = entering.apply("times", unit).new()
    more_own = minus(leaving & entering).new().apply("times", unit).new()
    rows, inside = B, _full(Vector("FP64", label.size, backend=A.backend))
    best, at, idle = label, -math.inf, 0
    while True:
        P = label.selector()
        K = plus_first(rows @ P).new()
        inside(plus) << K.ewise_mult(P, first).new().reduce_rowwise("plus")
        chance = _full(plus_first(entering @ P)).apply("times", unit).new()  # of S_in
        beside = any_second(P @ chance).new()
        score = any_minus(any_times(per.diag() @ K).new() @ chance.diag()).new()
        stay = minus(times(inside & per).new() & minus(beside & own).new()).new()
        if aim.directed:  # the share of k_in sees S_out in the place of S_in
            more = _full(plus_first(leaving @ P)).apply("times", unit).new()
            more(minus) << chance
            score(minus) << any_times(any_first(share.diag() @ K).new() @ more.diag())
            stay(minus) << times(share & minus(any_second(P @ more).new() & more_own).new())
        expected = times(leaving & beside).new().reduce("plus").new().get(0)
        higher = (loops + inside.reduce("plus").new().get(0) / 2 - expected) / aim.weight
        idle = 0 if higher > at + GAIN else idle + 1
        if higher > at:
            best, at = label, higher
        top = score.reduce_rowwise("max").new()
        gain = minus(top & stay).new().select(">", 1e-12).new()
        moves = None if idle == PATIENCE else _half(gain, place, aim.rng)
        if moves is None:
            return best, at
        goal = first_column(equal(top.ewise_mult(moves, first).new(), score))
        label = label.dup()
        label(goal.S) << goal
        looks = any_pair(goal @ B).new("BOOL")
        looks(gain.S) << True
        inside(looks.S) << 0.0
        rows = any_second(looks.diag() @ B).new()


def _half(gain: Vector, place: Vector, rng: np.random.Generator) -> Vector | None:
    """A random half of the vertices that would gain, one at least; None if nobody would.

    A product with an odd number, modulo 2³², shuffles places anew.
    """
    ticket = Vector("INT64", place.size, backend=place.backend)
    ticket(gain.S) << place.apply("times", int(rng.integers(RANKS // 4)) * 2 + 1)
    ticket << ticket.apply("band", RANKS - 1)
    least = ticket.reduce("min").new().value
    return None if least is None else ticket.select("<=", max(RANKS // 2, int(least))).new()


def _full(entries: Expression | Vector) -> Vector:
    """The entries, and 0 where there is none."""
    made = Vector.from_scalar(0.0, entries.shape[0], "FP64", backend=entries.backend)
    made(plus) << entries
    return made
