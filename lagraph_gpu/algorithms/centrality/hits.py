"""Hubs and authorities (HITS): a good hub points at good authorities, and good hubs point at a good
authority.

    a = h ⊕.⊗ A        h = a ⊕.⊗ Aᵀ

Repeated and scaled, h converges to the principal eigenvector of A Aᵀ, and a to that of Aᵀ A: the
singular vectors of the largest singular value of A. The differences shrink by (σ₂ / σ₁)² in each
round of O(n + m).

Kleinberg: Authoritative sources in a hyperlinked environment, Journal of the ACM 46 (1999).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.algorithms._shared.locally_optimal import settled
from lagraph_gpu.algorithms._shared.power_iteration import plus
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import InvalidValue, NotConverged
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.operation import operation
from semirings import Semiring
from semirings.types import FP64


def hits(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-8,
    nstart: Any = None,
    normalized: bool = True,
    weight: Weight | None = "weight",
) -> tuple[Vector, Vector]:
    """Hubs and authorities of a graph.

    Parameters
    ----------
    G : Graph
        The graph. In an undirected graph hubs and authorities are equal. A loop makes a vertex its
        own hub and authority.
    max_iter : int, optional
        The largest number of rounds.
    tol : float, optional
        The rounds end when the hubs change by at most `tol` in sum.
    nstart : dict, Series or Vector, optional
        The hubs at the start, 0 at vertices without an entry. By default the same at all vertices.
    normalized : bool, optional
        If True, the default, both vectors have the sum 1. Otherwise authorities a have the
        Euclidean norm 1, and hubs are A a.
    weight : {"weight"} or None, optional
        With "weight", the default, the weights of the graph count. With None every edge counts 1.

    Returns
    -------
    hubs : Vector of FP64
        The hub score of each vertex; 0 without outgoing edges.
    authorities : Vector of FP64
        The authority score of each vertex; 0 without incoming edges.

    Raises
    ------
    NotConverged
        The change is still larger than the tolerance after `max_iter` rounds.
    NegativeWeight
        Weights count, and one of them is below 0.
    InvalidValue
        No hub at the start points at a vertex.

    Notes
    -----
    O(n + m) for each round. A GPU does all rounds of up to 2²⁴ entries in one kernel. If the two
    largest singular values are close, so that many rounds are left after some, locally optimal
    conjugate gradients come between the rounds, and the answer is nearer to the singular vectors
    than by rounds alone. (NetworkX calls the Lanczos iteration of SciPy.) If they are equal, the
    answer depends on the start. In a graph without edges all values are equal. Kleinberg 1999;
    Knyazev 2001.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [2, 3, 3], backend="cpu")
    >>> hubs, authorities = lg.hits(G)
    >>> hubs.to_dense().round(3).tolist(), authorities.to_dense().round(3).tolist()
    ([0.618, 0.382, 0.0, 0.0], [0.0, 0.0, 0.382, 0.618])
    """
    power_iteration.check_bounds(max_iter, tol)
    normalized = expect_flag(normalized, "normalized")
    power_iteration.refuse_negative(G, weight, "hubs and authorities")
    A, along = power_iteration.along_edges(G, weight)
    if not power_iteration.moderate(G, weight):
        A = G.kept(power_iteration.scaled_by_heaviest)
    hub = power_iteration.start_of_rounds(G, nstart)
    if G.heaviest if weight else G.heaviest is not None:  # else there is no edge
        try:
            hub, authority = hits_rounds(hub, A, along, tol, max_iter)
        except NotConverged as ended:
            if math.isnan(ended.residual):  # 0 / 0
                expected = "expected hubs that point at a vertex to begin with; change nstart"
                raise InvalidValue(expected) from None
            raise
    else:
        authority = power_iteration.distribution(G, None, "")
    if G.n:
        scale = power_iteration.total(authority) if normalized else power_iteration.norm(authority)
        authority << authority.apply("truediv", right=scale)
    if not normalized:
        hub << plus(power_iteration.full(G) | along(authority @ G.A.T))
    return hub, authority


@operation
def hits_rounds(
    start: Vector, A: Matrix, along: Semiring, bound: float | None, max_rounds: int
) -> tuple[Vector, Vector]:
    """The hubs, scaled to the sum 1, and the authorities after rounds from `start` (full, FP64), as
    `FixedPoint` has them. `along` carries a value along an edge.

    A lowering may overwrite the start, and agrees up to rounding. With a bound it may come nearer
    to the limit between two rounds, by as many products as rounds have; the last is a round.
    """
    nothing = Vector.from_scalar(0.0, start.size, FP64, backend=start.backend)
    authority = nothing.dup()

    def multiply(hubs: Vector) -> Vector:
        arrived = plus(nothing | along(hubs @ A)).new()
        return plus(nothing | along(arrived @ A.T)).new()  # type: ignore[no-any-return]

    def nearer(hubs: Vector, most: int) -> tuple[Vector, int]:
        return settled(hubs, multiply, power_iteration.total, float(bound or 0.0), most)

    rounds = power_iteration.FixedPoint("hits", start, A, bound, max_rounds, nearer)
    for hub, old in rounds:
        authority << plus(nothing | along(old @ A))
        hub << plus(nothing | along(authority @ A.T))
        hub << hub.apply("truediv", right=hub.reduce("plus"))
    return rounds.x, authority
