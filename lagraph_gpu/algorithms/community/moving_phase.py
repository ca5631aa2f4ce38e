"""Moving vertices between communities as long as modularity rises: a level of Louvain's method.

With P the indicator of the communities, B = A + Aᵀ without loops, k the degrees and W the sum of A,
moving v into c changes the modularity by k_v / W times the difference of

    score(v, c) = (B ⊕.⊗ P)(v, c) / k_v − γ/W · (S_in(c) k_out(v) + S_out(c) k_in(v)) / k_v

with k = k_out + k_in and S = Pᵀ k, in which v itself is left out of S for its own community. The
best entry of each row is where v would go.

Neighbours that move at once may harm each other. So in a sweep all vertices take turns, in random
parts, and all of a part that gain move at once: what harm is left, the next sweep mends. Most of it
is done where everybody moves, so the first sweep has more turns. A vertex looks again only when
neighbours with more votes have moved than its choice was ahead by: a hub does not for each of them.
What the moves of a sweep promise is an estimate of what they raise; sweeps end when that is little
beside what there is. O(m) a sweep at most, and the first are that long.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008).
Ozaki, Tezuka, Inaba: A simple acceleration method for the Louvain algorithm, Int. J. of Computer
and Electrical Engineering 8 (2016), for who looks again. Lu, Halappanavar, Kalyanaraman: Parallel
heuristics for scalable community detection, Parallel Computing 47 (2015), for moves at once.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.local_moving import MovingState, ScoreTerms, local_moving
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY

minus, times = BINARY["minus"], BINARY["times"]
FIRST_TURNS, LATER_TURNS = 32, 4
"""Turns of the first sweep, and of those that follow."""

MIN_RISE = 0.01
"""Sweeps end when one promises no more than this part of the modularity reached."""


def move_vertices(
    level: Level, label: Vector, quality: float, place: Vector, objective: Objective
) -> tuple[Vector, float]:
    """The communities after moves from those of ``label``, whose modularity is ``at``, and what the
    moves promised to raise that by.

    Labels (INT64) are below n; ``place``: a random number below 2³¹ for each vertex, all different.
    The sum of what was promised bounds the sweeps: each but the last adds to it by a share.
    """
    margin = Vector.from_scalar(-1.0, label.size, "FP64", backend=label.backend)
    share = differ = None
    if objective.directed:  # the share of k_in sees S_out in the place of S_in
        share = times(level.entering & level.inverse_k).new()
        differ = minus(level.leaving & level.entering).new()
    terms = ScoreTerms(
        level.inverse_k, level.entering, share, differ, objective.resolution / objective.weight
    )
    state, promised, count = MovingState.of(label, margin, terms), 0.0, FIRST_TURNS
    while True:
        gains = local_moving(level.B, state, _turns(place, count, objective.rng), count, terms)
        rise = times(gains & level.k).new().reduce("plus").new().get(0) / objective.weight
        promised, count = promised + rise, LATER_TURNS
        if not rise > MIN_RISE * (max(quality, 0.0) + promised):
            return state.label, promised


def _turns(place: Vector, count: int, rng: np.random.Generator) -> Vector:
    """A random turn for each vertex (UINT8), one of so many.

    A product with an odd number, modulo 2³¹, shuffles places anew; the highest bits count.
    """
    ticket = place.apply("times", int(rng.integers(RANKS // 4)) * 2 + 1).new()
    return ticket.apply("band", RANKS - 1).new().apply("floordiv", RANKS // count).new("UINT8")
