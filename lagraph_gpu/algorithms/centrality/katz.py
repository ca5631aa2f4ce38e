"""Katz centrality: all walks that end in a vertex, those of k edges with the weight αᵏ.

The fixed point of x ← α (x ⊕.⊗ A) + β. It exists for α below 1 / λ₁, the inverse of the largest
eigenvalue; differences shrink by α λ₁ a round, O(n + m).

Katz: A new status index derived from sociometric analysis, Psychometrika 18 (1953).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import (
    FixedPoint,
    along_edges,
    check_bounds,
    norm,
    numbers,
    plus,
)
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.checks import as_float, expect_flag
from lagraph_gpu.notation.vector import Vector


def katz_centrality(
    G: Graph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    nstart: Any = None,
    normalized: bool = True,
    weight: str | None = None,
) -> Vector:
    """Katz centrality of every vertex (FP64; of Euclidean length 1 if ``normalized``).

    ``alpha`` must be below 1 / λ₁, the largest eigenvalue of the adjacency matrix. ``beta`` is a
    number for all vertices, or a dict or Vector (0 where it says nothing), as is ``nstart`` (0 by
    default). ``weight="weight"`` multiplies by the graph's weights, None counts edges. In a
    directed graph walks count at their end. Self-loops are walks; an isolated vertex has β. Rounds
    end when the sum of all changes is at most n · ``tol``. Raises NotConverged after ``max_iter``
    rounds or on overflow: take a smaller alpha. O(n + m) a round, with one wait on the device.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], backend="cpu")
    >>> lg.katz_centrality(G, alpha=0.5, normalized=False).to_dense().tolist()
    [1.0, 1.5, 2.25]
    """
    check_bounds(max_iter, tol)
    normalized = expect_flag(normalized, "normalized")
    if not math.isfinite(as_float(alpha)):
        raise InvalidValue(f"expected alpha as a finite number, got {alpha!r}")
    A, along = along_edges(G, weight)
    base = numbers(G, beta, "beta")
    start = numbers(G, 0.0 if nstart is None else nstart, "nstart")
    share = Vector(start.dtype, G.n, backend=G.backend)
    what, bound = f"katz_centrality (alpha={alpha})", G.n * tol if G.n else None
    rounds = FixedPoint(what, start, A, bound, max_iter if G.n else 0)
    for x, old in rounds:
        share << old.apply("times", right=float(alpha))
        x << plus(base | along(share @ A))
    x = rounds.x
    return x.apply("truediv", right=norm(x) or 1.0).new() if normalized and G.n else x
