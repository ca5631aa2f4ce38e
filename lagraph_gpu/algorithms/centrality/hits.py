"""Hubs and authorities: a good hub points at good authorities, and the reverse.

    a = h ⊕.⊗ A        h = a ⊕.⊗ Aᵀ

Repeated and scaled, h tends to the principal eigenvector of A Aᵀ and a to that of Aᵀ A, the
singular vectors of A's largest singular value. Differences shrink by (σ₂ / σ₁)² a round, O(n + m).

Kleinberg: Authoritative sources in a hyperlinked environment, Journal of the ACM 46 (1999).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import (
    FixedPoint,
    along_edges,
    check_bounds,
    distribution,
    full,
    moderate,
    norm,
    plus,
    refuse_negative,
    scaled_by_heaviest,
    total,
)
from lagraph_gpu.errors import InvalidValue, NotConverged
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import expect_flag
from lagraph_gpu.notation.vector import Vector


def hits(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-8,
    nstart: Any = None,
    normalized: bool = True,
    weight: str | None = "weight",
) -> tuple[Vector, Vector]:
    """Hubs and authorities (FP64, every vertex), each of sum 1.

    With ``normalized=False`` authorities have the Euclidean length 1 and hubs are what they give
    back, A a. ``nstart`` are hubs to begin with, a dict or Vector (0 where it says nothing), by
    default uniform. ``weight="weight"`` multiplies by the graph's weights, as NetworkX does; None
    counts edges. In an undirected graph both are the same. A self-loop makes a vertex its own hub
    and authority; a vertex without out-edges is no hub (0), one without in-edges no authority;
    without any edges all are equal. Rounds end when the hubs change by at most ``tol`` in sum.

    Raises NotConverged after ``max_iter`` rounds: where the two largest singular values are close,
    more are needed (NetworkX asks SciPy's Lanczos iteration, which minds that less), and where they
    are equal the answer depends on the start. Raises NegativeWeight, and InvalidValue for a start
    that no authority follows from. O(n + m) a round, with one wait on the device.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [2, 3, 3], backend="cpu")
    >>> hubs, authorities = lg.hits(G)
    >>> hubs.to_dense().round(3).tolist(), authorities.to_dense().round(3).tolist()
    ([0.618, 0.382, 0.0, 0.0], [0.0, 0.0, 0.382, 0.618])
    """
    check_bounds(max_iter, tol)
    normalized = expect_flag(normalized, "normalized")
    refuse_negative(G, weight, "hubs and authorities")
    A, along = along_edges(G, weight)
    if not moderate(G, weight):
        A = G.kept(scaled_by_heaviest)
    start = distribution(G, nstart, "nstart")
    authority, nothing = distribution(G, None, ""), full(G)
    edges = bool(G.heaviest) if weight else G.heaviest is not None
    rounds = FixedPoint("hits", start, A, tol if edges else None, max_iter if edges else 0)
    try:
        for hub, old in rounds:
            authority << plus(nothing | along(old @ A))
            hub << plus(nothing | along(authority @ A.T))
            hub << hub.apply("truediv", right=hub.reduce("plus"))
    except NotConverged as ended:
        if math.isnan(ended.residual):  # 0 / 0
            expected = "expected hubs that point at a vertex to begin with; change nstart"
            raise InvalidValue(expected) from None
        raise
    hub = rounds.x
    if G.n:
        scale = total(authority) if normalized else norm(authority)
        authority << authority.apply("truediv", right=scale)
    if not normalized:
        hub << plus(nothing | along(authority @ G.A.T))
    return hub, authority
