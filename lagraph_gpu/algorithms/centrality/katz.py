"""Katz centrality: all walks that end in a vertex, where a walk of k edges has the weight αᵏ.

It is the fixed point of x ← α (x ⊕.⊗ A) + β, which exists for α below 1 / λ₁, the inverse of the
largest eigenvalue. The differences shrink by α λ₁ in each round of O(n + m).

Katz: A new status index derived from sociometric analysis, Psychometrika 18 (1953).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared import power_iteration
from lagraph_gpu.algorithms._shared.power_iteration import plus
from lagraph_gpu.algorithms._shared.vertex_values import divided
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.checks import as_float, expect_flag
from lagraph_gpu.notation.operation import operation
from semirings import Semiring


def katz_centrality(
    G: Graph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    nstart: Any = None,
    normalized: bool = True,
    weight: Weight | None = None,
) -> Vector:
    """The Katz centrality of each vertex: the walks that end in it, shorter walks counting more.

    Parameters
    ----------
    G : Graph
        The graph. In a directed graph a walk counts for the vertex where it ends. Walks may use
        loops.
    alpha : float, optional
        The factor for each edge of a walk. It must be below 1 / λ₁, for the largest eigenvalue λ₁
        of the adjacency matrix.
    beta : float, dict, Series or Vector, optional
        The weight of the walk of no edges: one number for all vertices, or one for each, and 0 at
        vertices without an entry.
    max_iter : int, optional
        The largest number of rounds.
    tol : float, optional
        The rounds end when the sum of all changes is at most n · `tol`.
    nstart : dict, Series or Vector, optional
        The start of the iteration, 0 at vertices without an entry. By default 0.
    normalized : bool, optional
        If True, the default, the result has the Euclidean norm 1.
    weight : {"weight"}, optional
        With "weight" the weights of the graph count. By default every edge counts 1.

    Returns
    -------
    Vector of FP64
        The centrality of each vertex. Without normalization that of an isolated vertex is β.

    Raises
    ------
    NotConverged
        The change is still larger than the tolerance after `max_iter` rounds, or the numbers
        overflow. Choose a smaller alpha.
    InvalidValue
        `alpha` is not finite, or `beta` or `nstart` holds a number that is not finite.

    Notes
    -----
    O(n + m) for each round. A GPU does all rounds of up to 2²⁴ entries in one kernel. Katz 1953.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], backend="cpu")
    >>> lg.katz_centrality(G, alpha=0.5, normalized=False).to_dense().tolist()
    [1.0, 1.5, 2.25]
    """
    power_iteration.check_bounds(max_iter, tol)
    normalized = expect_flag(normalized, "normalized")
    if not math.isfinite(as_float(alpha)):
        raise InvalidValue(f"expected alpha as a finite number, got {brief(alpha)}")
    A, along = power_iteration.along_edges(G, weight)
    base = power_iteration.numbers(G, beta, "beta")
    start = power_iteration.numbers(G, 0.0 if nstart is None else nstart, "nstart")
    x = katz_rounds(start, base, A, along, float(alpha), G.n * tol, max_iter)
    return divided(x, power_iteration.norm(x) or 1.0) if normalized else x


@operation
def katz_rounds(
    start: Vector, base: Vector, A: Matrix, along: Semiring, alpha: float, bound: float | None,
    max_rounds: int,
) -> Vector:  # fmt: skip
    """x after rounds of α (x ⊕.⊗ A) + `base` from `start` (both full, FP64), as `FixedPoint` has
    them. `along` carries a value along an edge.

    A lowering may overwrite the start, and agrees up to rounding.
    """
    share = Vector(start.dtype, start.size, backend=start.backend)
    rounds = power_iteration.FixedPoint(call_of(alpha), start, A, bound, max_rounds)
    for x, old in rounds:
        share << old.apply("times", right=alpha)
        x << plus(base | along(share @ A))
    return rounds.x


def call_of(alpha: float) -> str:
    """How errors name the call."""
    return f"katz_centrality (alpha={alpha})"
