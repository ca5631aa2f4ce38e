"""All vertices take turns to move where they gain: the step of Louvain's method.

With P the indicator of the labels, B ⊕.⊗ P counts the votes K(v, c) that v's neighbours of label c
have together, and S = Pᵀ k. A vertex goes to the label of the best score, the smallest of several,

    score(v, c) = K(v, c) a(v) − γ S(c) − b(v) γ D(c)        with D = Pᵀ d,

where S and D leave v out for the label that it has, and only if that beats staying. Those of one
turn move at once, and the next turn sees it. By how many votes the best of all these, or of none at
0, is ahead of the next is what v's choice stands: v looks again when more have moved. Lowerings
do without the matrix of votes. O(entries of the rows that look).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms._shared.row_extrema import equal, first_column, without
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_first, any_minus, any_second, any_times, plus_first, plus_second

divide, first, maximum, minimum, minus, plus, times = (
    BINARY[name] for name in ("truediv", "first", "max", "min", "minus", "plus", "times")
)
LEAST = 1e-12
"""What a vertex has to gain; as in modularity_gain.cuh."""


@dataclass(frozen=True)
class ScoreTerms:
    """Full vectors of what labels cost: a, k, and b with d, which may be missing; γ."""

    scale: Vector
    k: Vector
    share: Vector | None
    d: Vector | None
    gamma: float


@dataclass
class MovingState:
    """Where the vertices are; the votes that each one's choice stands (FP64), of which those that
    look have less than none left; and S and D."""

    label: Vector
    margin: Vector
    k_sums: Vector
    d_sums: Vector | None

    @classmethod
    def of(cls, label: Vector, margin: Vector, terms: ScoreTerms) -> MovingState:
        """The sums are of these labels."""
        P = label.selector()
        D = None if terms.d is None else zero_filled(plus_first(terms.d @ P))
        return cls(label, margin, zero_filled(plus_first(terms.k @ P)), D)


@operation
def local_moving(
    B: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """Each vertex that looks does so in its turn (UINT8), one of ``count``; choices stand so many
    votes, less those that move later. What was gained, for all that moved (FP64)."""
    gains = Vector("FP64", B.nrows, backend=B.backend)
    for turn in range(count):
        rows = Vector("BOOL", B.nrows, backend=B.backend)
        (
            rows(turns.select("==", turn).new().S)
            << state.margin.select("<", 0).new().apply("one").new()
        )
        goal, gain, stands = _movers(B, state.label, rows, terms)
        state.label = state.label.dup()
        state.label(goal.S) << goal
        state.margin = state.margin.dup()
        state.margin(rows.S) << 0
        state.margin(plus) << stands
        state.margin(minus) << plus_second(goal @ B)
        gains(plus) << gain
    vars(state).update(vars(MovingState.of(state.label, state.margin, terms)))
    return gains


def _movers(
    B: Matrix, label: Vector, rows: Vector, terms: ScoreTerms
) -> tuple[Vector, Vector, Vector]:
    """Where those of these rows go that move, what they gain, and the votes that choices stand."""
    P = label.selector()
    K = plus_first(any_second(rows.diag() @ B).new() @ P).new()
    price, others = _sums(terms.k, P, terms.gamma)
    score = any_minus(any_times(terms.scale.diag() @ K).new() @ price.diag()).new()
    own = Vector("FP64", B.nrows, backend=B.backend)
    own(rows.S) << 0
    own(plus) << K.ewise_mult(P, first).new().reduce_rowwise("plus")
    stay = minus(times(own & terms.scale).new() & others).new()
    if terms.share is not None and terms.d is not None:
        more, others = _sums(terms.d, P, terms.gamma)
        score(minus) << any_times(any_first(terms.share.diag() @ K).new() @ more.diag())
        stay = minus(stay & times(terms.share & others).new()).new()
    elsewhere = without(P, score)
    top = elsewhere.reduce_rowwise("max").new()
    goal = first_column(equal(top, elsewhere))
    gain = minus(top & stay).new().select(">", LEAST).new()

    ahead = maximum(stay | top).new()
    behind = minimum(stay & top).new()
    behind(maximum) << without(goal.selector(), elsewhere).reduce_rowwise("max")
    behind(maximum) << own.apply("times", 0)
    margin = divide(minus(ahead & behind).new() & terms.scale).new()
    mover = Vector("INT64", B.nrows, backend=B.backend)
    mover(gain.S) << goal
    return mover, gain, margin.apply("floor").new().select(">", 0).new()


def _sums(k: Vector, P: Matrix, gamma: float) -> tuple[Vector, Vector]:
    """For each label the sum of k over it, times γ; for each vertex that of its own without it."""
    sums = zero_filled(plus_first(k @ P))
    others = minus(any_second(P @ sums).new() & k).new()
    return sums.apply("times", gamma).new(), others.apply("times", gamma).new()
