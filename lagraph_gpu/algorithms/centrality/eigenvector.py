"""Eigenvector centrality: the score of a vertex is proportional to the sum of the scores that point
at it.

It is the fixed direction of x ← x ⊕.⊗ A, computed by power iteration (von Mises) on A + I. The
identity matrix does not change the eigenvectors, and prevents the iteration from oscillating on
bipartite graphs. The differences shrink by |λ₂ + 1| / (λ₁ + 1) in each round of O(n + m). Where
that is slow and the graph is undirected, so that the matrix is symmetric, locally optimal conjugate
gradients come between the rounds. Compared to tiny weights I would dominate, and compared to huge
weights it would have no effect; if the heaviest weight is outside ORDINARY, all weights are divided
by it.

Bonacich: Power and centrality, American Journal of Sociology 92 (1987). Knyazev: Toward the optimal
preconditioned eigensolver, SIAM Journal on Scientific Computing 23 (2001).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.algorithms._shared.locally_optimal import settled
from lagraph_gpu.algorithms._shared.power_iteration import plus
from lagraph_gpu.algorithms._shared.vertex_values import divided
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import Semiring

ORDINARY = 1, 1000
"""If the heaviest weight lies between these bounds, the rounds are those of NetworkX."""


def eigenvector_centrality(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Any = None,
    weight: Weight | None = None,
) -> Vector:
    """The principal eigenvector of the adjacency matrix.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph a vertex gets its score from the vertices that point at it
        (the left eigenvector). A loop adds the score of the vertex to itself.
    max_iter : int, optional
        The largest number of rounds.
    tol : float, optional
        The rounds end when the sum of all changes is at most n · `tol`.
    nstart : dict, Series or Vector, optional
        The start of the iteration, 0 at vertices without an entry. By default the same at all
        vertices.
    weight : {"weight"}, optional
        With "weight" the weights of the graph count. By default every edge counts 1.

    Returns
    -------
    Vector of FP64
        The score of each vertex; the Euclidean norm is 1. It tends to 0 at an isolated vertex, and
        is 1 / √n at every vertex of a graph without edges.

    Raises
    ------
    NotConverged
        The change is still larger than the tolerance after `max_iter` rounds.
    NegativeWeight
        Weights count, and one of them is below 0.
    InvalidValue
        The start is 0 at every vertex, or becomes 0.

    Notes
    -----
    O(n + m) for each round. A GPU does all rounds of up to 2²⁴ entries in one kernel. A common
    factor of the weights does not matter. If an undirected graph has many rounds left after some,
    locally optimal conjugate gradients come between the rounds, count as rounds, and bring the
    answer nearer to the eigenvector than rounds alone would, which NetworkX has. The answer is
    unique if the graph is connected (a directed graph: strongly connected); otherwise it depends on
    the start. Bonacich 1987; Knyazev 2001.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend="cpu")
    >>> lg.eigenvector_centrality(G).to_dense().round(3).tolist()
    [0.372, 0.602, 0.602, 0.372]
    """
    return eigenvector_scores(G, max_iter, tol, nstart, weight, steps=not G.directed)


def eigenvector_scores(
    G: Graph, max_iter: int, tol: float, nstart: Any, weight: Weight | None, steps: bool
) -> Vector:
    """As `eigenvector_centrality`, and with `steps`, for which A is symmetric, conjugate gradients
    may come between the rounds; with rounds alone it is NetworkX' answer, up to rounding.
    """
    power_iteration.check_bounds(max_iter, tol)
    power_iteration.refuse_negative(G, weight, "eigenvector centrality")
    A, along = power_iteration.along_edges(G, weight)
    if not power_iteration.counts_edges(G, weight) and not ORDINARY[0] <= G.heaviest <= ORDINARY[1]:
        A = G.kept(power_iteration.scaled_by_heaviest)
    x = _start(G, nstart)
    x = eigenvector_rounds(x, A, along, steps, G.n * tol, max_iter)
    if G.n and not 0 < power_iteration.norm(x) < math.inf:
        raise InvalidValue("expected a start of which something is left, got one that cancels out")
    return x


def _start(G: Graph, nstart: Any) -> Vector:
    """NetworkX' start: numbers whose sum is 1, if it is above 0."""
    if nstart is None:
        return power_iteration.full(G, 1.0 / max(G.n, 1))
    x = power_iteration.numbers(G, nstart, "nstart")
    if G.n and power_iteration.norm(x) == 0:
        raise InvalidValue("expected a start that is not 0 everywhere, got nstart of zeros")
    mass = power_iteration.total(x)
    return divided(x, mass if mass > 0 else 1.0)


@operation
def eigenvector_rounds(
    start: Vector, A: Matrix, along: Semiring, steps: bool, bound: float | None, max_rounds: int
) -> Vector:
    """x after rounds of x + x A from `start` (full, FP64), scaled to the Euclidean norm 1, as
    `FixedPoint` has them. `along` carries a value along an edge.

    A lowering may overwrite the start, and agrees up to rounding. With a bound and with
    `steps`, for which A is symmetric, it may come nearer to the limit between two rounds, as
    `hits_rounds` may.
    """

    def multiply(x: Vector) -> Vector:
        return plus(x | along(x @ A)).new()  # type: ignore[no-any-return]

    def nearer(x: Vector, most: int) -> tuple[Vector, int]:
        return settled(x, multiply, power_iteration.norm, float(bound or 0.0), most)

    between = nearer if steps else None
    what = "eigenvector_centrality"
    rounds = power_iteration.FixedPoint(what, start, A, bound, max_rounds, between)
    for x, old in rounds:
        x << plus(old | along(old @ A))
        x << x.apply("truediv", right=power_iteration.length(x, rounds.late))
    return rounds.x
