"""The moving phase of one level of Louvain's method: sweeps of moves while the modularity rises.

With P the indicator of the communities, B = A + Aᵀ without loops and W the sum of A, a move of v to
c changes the modularity by deg(v) / W times the difference of

    score(v, c) = (B ⊕.⊗ P)(v, c) / deg(v) − γ/W · (S_in(c) out(v) + S_out(c) in(v)) / deg(v)

where `out` and `in` are the sums of the weights of outgoing and incoming edges, deg is the sum of
both, S_out = Pᵀ out and S_in = Pᵀ in. For the own community of v, both sums leave v out. The vertex
moves to the largest entry of its row. In `local_moving` the k of a vertex is its `in`.

Neighbours that move at the same time may lower the modularity. In a sweep the vertices therefore
move in turns, in random groups; all vertices of a group with a gain move at once, and the next
sweep corrects what went wrong. In the first sweep all vertices are examined, so it has more turns.
Where a later sweep promises no less than the one before, as in a dense bipartite graph whose two
sides follow each other, the moves undo each other, and all sweeps from then on have as many turns.
Later a vertex is examined again only if the votes of the neighbours that moved exceed the margin of
its choice; a vertex with many neighbours is thus not examined after each of their moves. The gains
of a sweep are an estimate of the rise in modularity, and the phase ends when the estimate is small
compared to the modularity reached. O(m) for the first sweeps, and less for later ones.

Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008).
Ozaki, Tezuka, Inaba: A simple acceleration method for the Louvain algorithm, Int. J. of Computer
and Electrical Engineering 8 (2016), for the vertices that are examined again. Lu, Halappanavar,
Kalyanaraman: Parallel heuristics for scalable community detection, Parallel Computing 47 (2015),
for moves at the same time.
"""

from __future__ import annotations

import math

import numpy as np

from lagraph_gpu.algorithms._shared.labels import RANKS
from lagraph_gpu.algorithms.community.local_moving import MovingState, ScoreTerms, local_moving
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY

minus, times = BINARY["minus"], BINARY["times"]
FIRST_TURNS, LATER_TURNS = 32, 4
"""The number of turns in the first sweep, and in later ones until one promises no less than the
sweep before it. From then on it is that of the first."""

MIN_RISE = 0.01
"""The phase ends when a sweep gains no more than this part of the modularity reached."""


class Sweeps:
    """How many turns each sweep of a phase has, and when the phase ends: see the head."""

    def __init__(self, quality: float) -> None:
        """The phase starts with a modularity of `quality`."""
        self.turns, self.promised = FIRST_TURNS, 0.0
        self._quality, self._later, self._before = max(quality, 0.0), LATER_TURNS, math.inf

    def go_on(self, rise: float) -> bool:
        """Take in what a sweep promises. False if the phase ends with it."""
        if rise >= self._before:
            self._later = FIRST_TURNS
        self.promised += rise
        self._before, self.turns = rise, self._later
        return rise > MIN_RISE * (self._quality + self.promised)


def move_vertices(
    level: Level, label: Vector | None, quality: float, objective: Objective
) -> tuple[Vector, float]:
    """The labels after the moves, and an estimate by how much the moves raise the modularity.

    It starts from `label` (INT64, below n), or from the ids, with a modularity of `quality`.
    The number of sweeps is bounded: each but the last raises the estimate by a fixed part.
    """
    if not level.B.nvals:  # no vertex has a neighbour
        return level.degree.apply("index").new() if label is None else label, 0.0
    terms, sweeps = terms_of(level, objective), Sweeps(quality)
    state = first_state(label, terms)
    while True:
        count = sweeps.turns
        gains = local_moving(
            level.B, state, random_turns(level.ranks, count, objective.rng), count, terms
        )
        rise = times(gains & level.degree).new().reduce("plus").new().get(0) / objective.weight
        if not sweeps.go_on(rise):
            return state.label, sweeps.promised


def first_state(label: Vector | None, terms: ScoreTerms) -> MovingState:
    """The state before the first sweep, in which all vertices are to be examined: of these labels,
    or of the ids."""
    k = terms.k
    margin = Vector.from_scalar(-1.0, k.size, "FP64", backend=k.backend)
    return (
        MovingState.of_singles(margin, terms)
        if label is None
        else MovingState.of(label, margin, terms)
    )


def terms_of(level: Level, objective: Objective) -> ScoreTerms:
    """The terms of the score of a move."""
    share = difference = None
    if objective.directed:  # (S_in out + S_out in) / deg = S_in + (S_out − S_in) in / deg
        share = times(level.in_degree & level.inverse_degree).new()
        difference = minus(level.out_degree & level.in_degree).new()
    gamma = objective.resolution / objective.weight
    return ScoreTerms(level.inverse_degree, level.in_degree, share, difference, gamma)


def random_turns(ranks: Vector, count: int, rng: np.random.Generator) -> Vector:
    """A random turn from 0 to `count` - 1 for each vertex (UINT8)."""
    return turns_of_ranks(ranks, random_factor(rng), count)


def random_factor(rng: np.random.Generator) -> int:
    """A random factor of `turns_of_ranks`, an odd number."""
    return int(rng.integers(RANKS // 4)) * 2 + 1


@operation
def turns_of_ranks(ranks: Vector, factor: int, count: int) -> Vector:
    """A turn from 0 to `count` - 1 for each vertex (UINT8), where `count` is a power of two.

    A product with an odd number, modulo 2³¹, permutes the ranks again; the highest bits are the
    turn.
    """
    permuted = ranks.apply("times", factor).new()
    return permuted.apply("band", RANKS - 1).new().apply("cdiv", RANKS // count).new("UINT8")
