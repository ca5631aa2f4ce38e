"""PageRank: where a walk is that follows a random edge with probability α, and else starts anew.

One round moves what each vertex holds along its out-edges and spreads the rest, which no edge
carries, by the vector p of new starts:

    y = (α x / d) ⊕.⊗ A          d: the out-degree, or the sum of a vertex's outgoing weights
    x = y + (1 − Σ y) p

The rest is 1 − α and whatever the dangling vertices (those without out-edges) hold, since Σ x = 1;
so one sum serves both, nobody looks for dangling vertices, and rounding errors cannot add up. Each
round contracts differences by α: about log(tol) / log(α) rounds of O(n + m).

Page, Brin, Motwani, Winograd: The PageRank citation ranking (1999). Langville, Meyer: Google's
PageRank and beyond (2006), chapter 4. The LDBC Graphalytics benchmark 2.2.2, section 2.3.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import (
    FixedPoint,
    along_edges,
    check_bounds,
    distribution,
    divisor,
    moderate,
    plus,
    refuse_negative,
    remainder,
    times,
    uniform,
)
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY, any_first, plus_times
from semirings.types import FP64

truediv = BINARY["truediv"]


def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Any = None,
    weight: str | None = "weight",
    dangling: Any = None,
    *,
    iterations: int | None = None,
) -> Vector:
    """The PageRank of every vertex (FP64, of sum 1).

    ``alpha`` from 0 to 1 is the probability to follow an edge. ``personalization`` (where a walk
    starts anew), ``nstart`` (where the iteration begins) and ``dangling`` (where a walk goes from a
    vertex without out-edges) are dicts or Vectors over the vertices, 0 where they say nothing,
    scaled to the sum 1. By default starts are uniform and ``dangling`` is ``personalization``.
    ``weight="weight"`` chooses edges in proportion to their weights (all alike in a graph without
    weights), None with equal chances. Rounds end when the sum of all changes is at most n · ``tol``
    (NetworkX: below); on a large graph choose 1e-6 / n or so. With ``iterations`` there are exactly
    so many instead, as Graphalytics asks.

    An undirected edge is followed both ways; a self-loop leads back; a vertex whose weights are all
    0 counts as dangling. Raises NotConverged after ``max_iter`` rounds, NegativeWeight, and
    InvalidValue for numbers that are no distribution. O(n + m) a round, which waits on the
    device for the sum, and without ``iterations`` for the change; on a large graph not for the sum,
    and for the change of the round before.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], backend="cpu")
    >>> lg.pagerank(G).to_dense().round(3).tolist()
    [0.333, 0.32, 0.31, 0.038]
    """
    counted = (max_iter, "max_iter") if iterations is None else (iterations, "iterations")
    check_bounds(counted[0], tol, counted[1])
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 <= alpha <= 1:
        raise InvalidValue(f"expected alpha as a number from 0 to 1, got {alpha!r}")
    refuse_negative(G, weight, "a random walk")
    A, along = along_edges(G, weight)
    A = A if moderate(G, weight) else in_own_units(A)
    facts = weights_out if along is plus_times else edges_out
    out = G.kept(facts) if A is G.A else leaving(A)
    restart = G.kept(uniform)
    if personalization is not None:
        restart = distribution(G, personalization, "personalization")
    sink = restart if dangling is None else distribution(G, dangling, "dangling")
    start = distribution(G, nstart, "nstart")
    share = Vector(FP64, G.n, backend=G.backend)
    rate = out.apply("truediv", left=float(alpha)).new()
    certain = 0.0 if dangling is None else 1.0 - alpha  # what of the rest is not for the sink
    anew = None if dangling is None else restart.apply("times", right=certain).new()

    bound = G.n * tol if G.n and iterations is None else None
    most = max_iter if iterations is None else iterations
    rounds = FixedPoint("pagerank", start, A, bound, most if G.n else 0)
    for x, old in rounds:
        share << times(old & rate)
        x << 0.0
        x(plus) << along(share @ A)
        x(plus) << sink.apply(times, right=remainder(1.0 - certain, x, rounds.late))
        if anew is not None:
            x(plus) << anew
    return rounds.x


def in_own_units(A: Matrix) -> Matrix:
    """Each row's entries as parts of its largest (FP64), so that no sum of a row overflows."""
    unit = A.reduce_rowwise("max").new(FP64).select(">", 0.0).new()
    return truediv(A.dup(FP64) & any_first(unit.diag() @ A).new()).new()  # type: ignore[no-any-return]


def weights_out(G: Graph) -> Vector:
    """The sum of the weights that leave each vertex."""
    return leaving(G.A)


def edges_out(G: Graph) -> Vector:
    """The edges that leave each vertex, as ``leaving`` has it."""
    return divisor(G.out_degree)


def leaving(A: Matrix) -> Vector:
    """The sum of each row: a divisor."""
    ones = Vector.from_scalar(1.0, A.nrows, backend=A.backend)
    return divisor(plus_times(ones @ A.T).new().select("!=", 0.0).new())
