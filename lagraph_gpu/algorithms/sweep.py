"""All vertices take turns to move where they gain: the step of Louvain's method.

With P the indicator of the labels, B ⊕.⊗ P counts the votes K(v, c) that v's neighbours of label c
have together, and S = Pᵀ k. A vertex goes to the label of the best score, the smallest of several,

    score(v, c) = K(v, c) a(v) − γ S(c) − b(v) γ D(c)        with D = Pᵀ d,

where S and D leave v out for the label that it has, and only if that beats staying. Those of one
turn move at once, and the next turn sees it. The statements below are the definition. They run on
every backend; what a backend does without the matrix of votes must agree with them. O(entries of
the rows that look).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms.choice import own_votes
from lagraph_gpu.algorithms.labels import but
from lagraph_gpu.algorithms.rows import equal, first_column
from lagraph_gpu.expr import Expression
from lagraph_gpu.matrix import Matrix
from lagraph_gpu.vector import Vector
from semirings import BINARY, any_first, any_minus, any_pair, any_second, any_times, plus_first
from semirings.types import BOOL, FP64, INT64

first, lor, minus, plus, times = (
    BINARY[name] for name in ("first", "lor", "minus", "plus", "times")
)
LEAST = 1e-12
"""What a vertex has to gain; as in moves.cuh."""


@dataclass(frozen=True)
class Terms:
    """Full vectors of what labels cost: a, k, and b with d, which may be missing; γ."""

    scale: Vector
    k: Vector
    share: Vector | None
    d: Vector | None
    unit: float


@dataclass
class State:
    """Where the vertices are, and who looks: vertices with an entry."""

    label: Vector
    looks: Vector


def sweep(B: Matrix, state: State, turns: Vector, count: int, terms: Terms) -> Vector:
    """Each vertex that looks does so in its turn (UINT8), one of ``count``, and those of which a
    neighbour moved look next time. What was gained, for all that moved (FP64)."""
    vectors = terms.scale, terms.k, terms.share, terms.d
    stores = tuple(None if vector is None else vector._store for vector in vectors)
    done = B.backend.sweep(
        B._store, state.label._store, state.looks._store, turns._store, count, terms.unit, stores,
    )  # fmt: skip
    if done is not None:
        state.label, state.looks, gains = (
            Vector._stored(store, B.nrows, dtype, B.backend)
            for dtype, store in zip((INT64, BOOL, FP64), done, strict=True)
        )
        return gains
    gains = Vector("FP64", B.nrows, backend=B.backend)
    for turn in range(count):
        rows = Vector("BOOL", B.nrows, backend=B.backend)
        rows(turns.select("==", turn).new().S) << state.looks
        goal, gain = _movers(B, state.label, rows, terms)
        state.label = state.label.dup()
        state.label(goal.S) << goal
        state.looks = but(state.looks, rows)
        state.looks(lor) << any_pair(goal @ B)
        gains(plus) << gain
    return gains


def _movers(B: Matrix, label: Vector, rows: Vector, terms: Terms) -> tuple[Vector, Vector]:
    """Where those of these rows go that move, and what they gain."""
    P = label.selector()
    K = plus_first(any_second(rows.diag() @ B).new() @ P).new()
    price, others = _sums(terms.k, P, terms.unit)
    score = any_minus(any_times(terms.scale.diag() @ K).new() @ price.diag()).new()
    own = Vector("FP64", B.nrows, backend=B.backend)
    own(rows.S) << 0
    own(plus) << own_votes(K, P)
    stay = minus(times(own & terms.scale).new() & others).new()
    if terms.share is not None and terms.d is not None:
        more, others = _sums(terms.d, P, terms.unit)
        score(minus) << any_times(any_first(terms.share.diag() @ K).new() @ more.diag())
        stay = minus(stay & times(terms.share & others).new()).new()
    top = score.reduce_rowwise("max").new()
    gain = minus(top & stay).new().select(">", LEAST).new()
    return first_column(equal(top.ewise_mult(gain, first).new(), score)), gain


def _sums(k: Vector, P: Matrix, unit: float) -> tuple[Vector, Vector]:
    """For each label the sum of k over it, times γ; for each vertex that of its own without it."""
    sums = full(plus_first(k @ P))
    others = minus(any_second(P @ sums).new() & k).new()
    return sums.apply("times", unit).new(), others.apply("times", unit).new()


def full(entries: Expression | Vector) -> Vector:
    """The entries, and 0 where there is none."""
    made = Vector.from_scalar(0.0, entries.shape[0], "FP64", backend=entries.backend)
    made(plus) << entries
    return made
