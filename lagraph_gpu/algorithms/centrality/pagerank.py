"""PageRank: the stationary distribution of a walk that follows a random edge with probability α,
and restarts otherwise.

A round moves the rank of each vertex along its outgoing edges, and distributes the remainder, which
no edge carries, by the restart distribution p:

    y = (α x / d) ⊕.⊗ A          d: the out-degree, or the sum of the outgoing weights of a vertex
    x = y + (1 − Σ y) p

The remainder is 1 − α plus α times the rank of the dangling vertices (those without outgoing
edges), because Σ x = 1. One sum therefore serves both, no statement looks for dangling vertices,
and rounding errors do not accumulate. Each round contracts differences by α: about log(tol) /
log(α) rounds of O(n + m).

Page, Brin, Motwani, Winograd: The PageRank citation ranking (1999). Langville, Meyer: Google's
PageRank and beyond (2006), chapter 4. The LDBC Graphalytics benchmark 2.2.2, section 2.3.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.algorithms._shared.power_iteration import plus, times
from lagraph_gpu.algorithms._shared.vertex_values import inverses
from lagraph_gpu.algorithms.centrality import out_weights
from lagraph_gpu.algorithms.centrality.first_ranks import first_ranks
from lagraph_gpu.convert.options import RankType, Weight
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import Semiring, plus_times
from semirings.types import FP32, FP64, DataType, find

MOST_ITERATIONS = 2**31 - 1


def pagerank(
    G: Graph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 1000,
    tol: float | None = None,
    nstart: Any = None,
    weight: Weight | None = "weight",
    dangling: Any = None,
    *,
    iterations: int | None = None,
    dtype: RankType = "FP64",
) -> Vector:
    """The PageRank of each vertex.

    Parameters
    ----------
    G : Graph
        The graph. An undirected edge is followed in both directions, and a loop leads back to its
        vertex.
    alpha : float, optional
        The probability to follow an edge, from 0 to 1.
    personalization : dict, Series or Vector, optional
        The distribution of the vertices where a walk restarts. By default it is uniform.
    max_iter : int, optional
        The largest number of rounds.
    tol : float, optional
        How far the ranks may be from the exact ones, as the sum over all vertices; by default 1e-6,
        and 1e-5 with FP32, whose rounding may keep smaller changes alive: if `alpha` is above 0.87,
        1.8e-7 · `alpha` / (1 - `alpha`)², which is 6.8e-5 for 0.95. The rounds end when the sum of
        all changes is at most `tol` · (1 - `alpha`) / `alpha`, which proves it. In NetworkX, and
        behind its door here, they end when it is below n · `tol`, which on a large graph is no
        bound at all.
    nstart : dict, Series or Vector, optional
        The distribution at the start of the iteration. By default it is uniform; in a large
        undirected graph, if `tol` is not small (6e-6 for an `alpha` of 0.85), vertices without
        edges start with their final rank, and all others with an equal one.
    weight : {"weight"} or None, optional
        With "weight", the default, an edge is followed with probability proportional to its weight.
        With None all edges of a vertex have the same probability.
    dangling : dict, Series or Vector, optional
        The distribution of the vertices where a walk continues from a vertex without outgoing
        edges. By default `personalization`.
    iterations : int, optional
        Run exactly this number of rounds instead, as LDBC Graphalytics defines it. Below 2³¹.
    dtype : {"FP64", "FP32"} or type, optional
        The type of the ranks. With FP32 a round moves half the bytes. Each round then also rounds
        the ranks, to seven digits, which `tol` does not count; sums over all vertices, such as that
        of the changes, stay in FP64.

    Returns
    -------
    Vector of FP64 or FP32
        The rank of each vertex; the sum is 1.

    Raises
    ------
    NotConverged
        The change is still larger than the tolerance after `max_iter` rounds. In FP32 rounding may
        keep it there if `tol` is smaller than usual, most of all where many ranks are equal and
        change together, as those of the leaves of a star; FP64 has room for it.
    NegativeWeight
        Weights count, and one of them is below 0.
    InvalidValue
        `alpha` is not a number from 0 to 1, `iterations` is no such number, `dtype` is another
        type, `tol` is smaller than what FP32 can tell apart (3.4e-7 for an `alpha` of 0.85), or a
        distribution has negative or infinite numbers, or only zeros.

    Notes
    -----
    O(n + m) for each round. With `iterations` nothing waits for the device. Otherwise a round waits
    to read the change; on a large graph it reads that of the previous round. Distributions are
    scaled to the sum 1 and are 0 at vertices without an entry. A vertex whose weights are all 0
    counts as dangling. In FP32, where no sum has more than c numbers one after the other, rounding
    adds at most (c + 6) · 2⁻²³ / (1 - `alpha`) to the error. Page et al. 1999; Langville and Meyer
    2006.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], backend="cpu")
    >>> lg.pagerank(G).to_dense().round(3).tolist()
    [0.333, 0.32, 0.31, 0.038]
    """
    kind = type_of_ranks(dtype)
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 <= alpha <= 1:
        raise InvalidValue(f"expected alpha as a number from 0 to 1, got {brief(alpha)}")
    alpha = float(alpha)
    tol = power_iteration.usual_tol(kind, alpha) if tol is None else tol
    limit = (max_iter, "max_iter") if iterations is None else (iterations, "iterations")
    power_iteration.check_bounds(limit[0], tol, limit[1])
    if iterations is not None and iterations > MOST_ITERATIONS:
        raise InvalidValue(
            f"expected iterations below 2^31, got {brief(iterations)}; without them the rounds end "
            "when the ranks hardly change any more, at the latest after max_iter"
        )
    bound = power_iteration.contraction_bound(tol, alpha) if iterations is None else None
    if bound is not None:
        power_iteration.expect_within(kind, bound, tol, alpha)
    power_iteration.refuse_negative(G, weight, "PageRank")
    walk = Walk(alpha, weight, kind, bound, limit[0])
    return ranks(G, walk, Distributions(personalization, dangling, nstart))


class Walk(NamedTuple):
    """A random walk over the edges of a graph, and how many rounds of it there are."""

    alpha: float
    weight: Weight | None
    dtype: DataType
    bound: float | None
    max_rounds: int


class Distributions(NamedTuple):
    """What a caller of `pagerank` may give; None is the uniform distribution, or for what comes
    after a dangling vertex that of restarts."""

    personalization: Any
    dangling: Any
    nstart: Any


@operation
def ranks(G: Graph, walk: Walk, given: Distributions) -> Vector:
    """The ranks of a walk over G."""
    alpha, weight, kind, bound, max_rounds = walk
    A, along = power_iteration.along_edges(G, weight)
    A = A if power_iteration.moderate(G, weight, kind) else out_weights.in_own_units(A)
    facts = out_weights.weights_out if along is plus_times else out_weights.edges_out
    out = G.kept(facts) if A is G.A else out_weights.leaving(A)
    restart = G.kept(power_iteration.uniform)
    if given.personalization is not None:
        restart = power_iteration.distribution(G, given.personalization, "personalization")
    dangling = given.dangling
    sink = restart if dangling is None else power_iteration.distribution(G, dangling, "dangling")
    rate = inverses(out, alpha, kind)
    start = first_ranks(G, alpha, bound, rate, given)
    restarts = 0.0 if dangling is None else 1.0 - alpha  # the part of the remainder for restart
    teleport = None if dangling is None else restart.apply("times", right=restarts).new(kind)
    start, sink = (power_iteration.narrowed(v, kind) for v in (start, sink))
    google = GoogleMatrix(A, along[kind], rate, 1.0 - restarts, sink, teleport)
    return pagerank_rounds(start, google, bound, max_rounds)


def type_of_ranks(given: Any) -> DataType:
    """FP64 or FP32, from any spelling of it."""
    kind = find(given)
    if kind not in (FP32, FP64):
        raise InvalidValue(f"expected FP64 or FP32 as the dtype of ranks, got {brief(given)}")
    return kind


class GoogleMatrix(NamedTuple):
    """The Google matrix (Langville and Meyer), in the parts that a round uses. The vectors and the
    semiring have the type of the ranks."""

    A: Matrix
    along: Semiring
    """What carries a share along an edge."""
    rate: Vector
    """α / d."""
    whole: float
    """What the sum of the shares that arrive falls short of is the remainder."""
    sink: Vector
    """The distribution of the remainder."""
    teleport: Vector | None
    """What else is added in each round."""


@operation
def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector:
    """The ranks after rounds from `start`, as `FixedPoint` has them.

    A lowering may overwrite the start, and agrees up to rounding.
    """
    rounds = power_iteration.FixedPoint("pagerank", start, google.A, bound, max_rounds)
    share = Vector(start.dtype, start.size, backend=start.backend)
    for x, old in rounds:
        share << times(old & google.rate)
        x << 0.0
        x(plus) << google.along(share @ google.A)
        x(plus) << google.sink.apply(
            times, right=power_iteration.remainder(google.whole, x, rounds.late)
        )
        if google.teleport is not None:
            x(plus) << google.teleport
    return rounds.x
