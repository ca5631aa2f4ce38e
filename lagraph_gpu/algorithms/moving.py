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

import numpy as np

from lagraph_gpu.algorithms.choice import Terms, choice
from lagraph_gpu.algorithms.labels import RANKS
from lagraph_gpu.algorithms.level import Aim, Level, full
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_pair, any_second, plus_first

minus, plus, times = (BINARY[name] for name in ("minus", "plus", "times"))
GAIN, PATIENCE = 1e-4, 2
"""Rounds end when so many in a row have not raised the modularity by more than this."""


def moved(level: Level, label: Vector, place: Vector, aim: Aim) -> tuple[Vector, float]:
    """The best communities found by moves from those of ``label``, and their modularity.

    Labels (INT64) are below n; ``place``: a random number below 2³¹ for each vertex, all different.
    """
    B, leaving, entering, per = level.B, level.leaving, level.entering, level.per
    share, differ = times(entering & per).new(), minus(leaving & entering).new()
    unit = aim.resolution / aim.weight
    own, more_own = (k.apply("times", unit).new() for k in (entering, differ))
    inside = full(Vector("FP64", label.size, backend=B.backend))
    best, at, idle, looks = label, -math.inf, 0, None
    while True:
        P = label.selector()
        chance, beside = _sums(entering, P, unit)
        terms, alone = Terms(per, chance), minus(beside & own).new()
        if aim.directed:  # the share of k_in sees S_out in the place of S_in
            more, others = _sums(differ, P, unit)
            terms = Terms(per, chance, share, more)
            alone(plus) << times(share & minus(others & more_own).new())
        found = choice(B, P, terms, looks)
        inside(found.own.S) << found.own
        stay = minus(times(inside & per).new() & alone).new()
        gain = minus(found.top & stay).new().select(">", 1e-12).new()
        ticket = _tickets(gain, place, aim.rng)
        links = inside.reduce("plus").new()
        expected = times(leaving & beside).new().reduce("plus").new()
        least = ticket.reduce("min").new()  # and then one wait for all three
        higher = (level.loops + links.get(0) / 2 - expected.get(0)) / aim.weight
        idle = 0 if higher > at + GAIN else idle + 1
        if higher > at:
            best, at = label, higher
        if idle == PATIENCE or least.is_empty:
            return best, at
        goal = found.labels(ticket.select("<=", max(RANKS // 2, least.value)).new())  # one at least
        label = label.dup()
        label(goal.S) << goal
        looks = any_pair(goal @ B).new("BOOL")
        looks(gain.S) << True


def _sums(k: Vector, P: Matrix, unit: float) -> tuple[Vector, Vector]:
    """For each community the sum of k over it, in this unit; for each vertex that of its own."""
    sums = full(plus_first(k @ P)).apply("times", unit).new()
    return sums, any_second(P @ sums).new()


def _tickets(gain: Vector, place: Vector, rng: np.random.Generator) -> Vector:
    """A number below 2³¹ for each vertex that would gain.

    A product with an odd number, modulo 2³¹, shuffles places anew.
    """
    ticket = Vector("INT64", place.size, backend=place.backend)
    ticket(gain.S) << place.apply("times", int(rng.integers(RANKS // 4)) * 2 + 1)
    return ticket.apply("band", RANKS - 1).new()
