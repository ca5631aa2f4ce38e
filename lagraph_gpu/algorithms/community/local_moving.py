"""One sweep of local moving, the step of Louvain's method: each vertex moves to its best community.

With P the indicator of the labels, K = B ⊕.⊗ P counts the votes K(v, c) of the neighbours of v with
label c, and S = Pᵀ k. A vertex moves to the label with the highest score, and of several to the
smallest,

    score(v, c) = K(v, c) a(v) − γ S(c) − b(v) γ D(c)        with D = Pᵀ d,

if that score is higher than the score of its own label. For its own label, S and D leave v out. The
vertices of one turn move at the same time, and the vertices of the next turn see it. The margin of
v is the number of votes by which its best label is ahead of the second (or of a label without
votes, with score 0). While fewer votes than that have moved, v need not be examined again.
Lowerings do not store the matrix of votes. O(entries of the rows that are examined).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.algorithms.community.label_argmax import equal, first_column
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import BINARY, any_first, any_minus, any_second, any_times, plus_first, plus_second

divide, first, maximum, minimum, minus, plus, times = (
    BINARY[name] for name in ("truediv", "first", "max", "min", "minus", "plus", "times")
)
MIN_GAIN = 1e-12
"""A vertex moves if it gains more."""


@dataclass(frozen=True)
class ScoreTerms:
    """The terms of the score, as full vectors: a, k, b and d, and the number γ. For an undirected
    graph b and d are None.
    """

    scale: Vector
    """a: the factor of the votes."""
    k: Vector
    """k: what a vertex adds to the cost of its label."""
    share: Vector | None
    """b: the factor of the second cost."""
    d: Vector | None
    """d: what a vertex adds to the second cost of its label."""
    gamma: float
    """γ: the factor of both costs."""


@dataclass
class MovingState:
    """The labels of the vertices, and what is derived from them. `local_moving` updates it
    in place.
    """

    label: Vector
    margin: Vector
    """The votes that may still move before the choice of a vertex changes (FP64). A vertex with a
    negative margin is examined.
    """
    k_sums: Vector
    """S: for each label the sum of k."""
    d_sums: Vector | None
    """D: for each label the sum of d. None if d is None."""

    @classmethod
    def of(cls, label: Vector, margin: Vector, terms: ScoreTerms) -> MovingState:
        """The state of these labels and margins, with the sums computed from the labels."""
        P = label.selector()
        D = None if terms.d is None else zero_filled(plus_first(terms.d @ P))
        return cls(label, margin, zero_filled(plus_first(terms.k @ P)), D)

    @classmethod
    def of_singles(cls, margin: Vector, terms: ScoreTerms) -> MovingState:
        """The state in which the label of each vertex is its id."""
        return cls(margin.apply("index").new(), margin, terms.k, terms.d)

    def singles(self, terms: ScoreTerms) -> bool:
        """Is this a state of `of_singles`?"""
        return self.k_sums is terms.k


@operation
def local_moving(
    B: Matrix, state: MovingState, turns: Vector, count: int, terms: ScoreTerms
) -> Vector:
    """One sweep: the vertices with a negative margin choose their best label, in `count` turns
    (`turns`, UINT8).

    A vertex that chose gets a new margin, and each move reduces the margins of the neighbours by
    its votes. Returns the gain of each vertex that moved (FP64).
    """
    gains = Vector("FP64", B.nrows, backend=B.backend)
    for turn in range(count):
        examined = state.margin.select("<", 0).new().apply("one").new("BOOL")
        rows = examined.dup(mask=turns.select("==", turn).new().S)
        goal, gain, margin = _movers(B, state.label, rows, terms)
        state.label = state.label.dup()
        state.label(goal.S) << goal
        state.margin = state.margin.dup()
        state.margin(rows.S) << 0
        state.margin(plus) << margin
        state.margin(minus) << plus_second(goal @ B)
        gains(plus) << gain
    vars(state).update(vars(MovingState.of(state.label, state.margin, terms)))
    return gains


def _movers(
    B: Matrix, label: Vector, rows: Vector, terms: ScoreTerms
) -> tuple[Vector, Vector, Vector]:
    """For the vertices in `rows`: the new label and the gain of each that moves, and the
    new margins.
    """
    P = label.selector()
    K = plus_first(any_second(rows.diag() @ B).new() @ P).new()
    score, others, second_others = scores(K, P, terms)
    own = Vector("FP64", B.nrows, backend=B.backend)
    own(rows.S) << 0
    own(plus) << K.ewise_mult(P, first).new().reduce_rowwise("plus")
    stay = minus(times(own & terms.scale).new() & others).new()
    if terms.share is not None and second_others is not None:
        stay = minus(stay & times(terms.share & second_others).new()).new()
    elsewhere = score.dup(mask=~P.S)
    top = elsewhere.reduce_rowwise("max").new()
    goal = first_column(equal(top, elsewhere))
    gain = minus(top & stay).new().select(">", MIN_GAIN).new()

    ahead = maximum(stay | top).new()
    behind = minimum(stay & top).new()
    without_goal = elsewhere.dup(mask=~goal.selector().S)
    behind(maximum) << without_goal.reduce_rowwise("max")
    behind(maximum) << own.apply("times", 0)
    margin = divide(minus(ahead & behind).new() & terms.scale).new()
    return goal.dup(mask=gain.S), gain, margin.apply("floor").new().select(">", 0).new()


def scores(K: Matrix, P: Matrix, terms: ScoreTerms) -> tuple[Matrix, Vector, Vector | None]:
    """The score of each vertex and label that K has votes for, if the vertex is not among those
    with the label; and what the other vertices of its own label cost a vertex, by both sums.
    """
    cost, others = _sums(terms.k, P, terms.gamma)
    score = any_minus(any_times(terms.scale.diag() @ K).new() @ cost.diag()).new()
    if terms.share is None or terms.d is None:
        return score, others, None
    second_cost, second_others = _sums(terms.d, P, terms.gamma)
    score(minus) << any_times(any_first(terms.share.diag() @ K).new() @ second_cost.diag())
    return score, others, second_others


def _sums(k: Vector, P: Matrix, gamma: float) -> tuple[Vector, Vector]:
    """For each label γ times the sum of k over its vertices, and for each vertex that of its label
    without itself.
    """
    sums = zero_filled(plus_first(k @ P))
    others = minus(any_second(P @ sums).new() & k).new()
    return sums.apply("times", gamma).new(), others.apply("times", gamma).new()
