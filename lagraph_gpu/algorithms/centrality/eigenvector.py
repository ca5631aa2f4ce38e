"""Eigenvector centrality: a vertex counts as much as those that point at it, taken together.

The fixed direction of x ← x ⊕.⊗ A, found by von Mises' power iteration on A + I: the identity
leaves the eigenvectors alone and keeps the iteration from swinging to and fro on bipartite graphs.
Differences shrink by |λ₂ + 1| / (λ₁ + 1) a round, O(n + m). Beside tiny weights I would be all that
counts, and beside huge ones nothing: where the heaviest is not ordinary, all are scaled by it.

Bonacich: Power and centrality, American Journal of Sociology 92 (1987).
"""

from __future__ import annotations

import math
from typing import Any

from lagraph_gpu.algorithms._shared.power_iteration import (
    FixedPoint,
    along_edges,
    check_bounds,
    counts_edges,
    length,
    norm,
    numbers,
    plus,
    refuse_negative,
    scaled_by_heaviest,
    total,
)
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector

ORDINARY = 1, 1000
"""Between these the heaviest weight may be, and rounds are those of NetworkX."""


def eigenvector_centrality(
    G: Graph,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Any = None,
    weight: str | None = None,
) -> Vector:
    """The principal eigenvector of the adjacency matrix (FP64, every vertex, Euclidean length 1).

    In a directed graph a vertex counts by those that point at it (the left eigenvector).
    ``nstart`` is a dict or Vector to begin with (0 where it says nothing); uniform by default.
    ``weight="weight"`` multiplies by the graph's weights, of which a common factor does not matter;
    None counts edges. Rounds end when the sum of all changes is at most n · ``tol``. A self-loop
    makes its vertex count for itself; an isolated vertex tends to 0, but is 1 / √n where there are
    no edges at all. The answer is unique if the graph is connected (directed: strongly); elsewhere
    it depends on the start. Raises NotConverged after ``max_iter`` rounds, NegativeWeight, and
    InvalidValue for a start of 0. O(n + m) a round, with two waits on the device, on a large graph
    one.

    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend="cpu")
    >>> lg.eigenvector_centrality(G).to_dense().round(3).tolist()
    [0.372, 0.602, 0.602, 0.372]
    """
    check_bounds(max_iter, tol)
    refuse_negative(G, weight, "eigenvector centrality")
    A, along = along_edges(G, weight)
    if not counts_edges(G, weight) and not ORDINARY[0] <= G.heaviest <= ORDINARY[1]:
        A = G.kept(scaled_by_heaviest)
    x = numbers(G, 1.0 if nstart is None else nstart, "nstart")
    if G.n and norm(x) == 0:
        raise InvalidValue("expected a start that is not 0 everywhere, got nstart of zeros")
    mass = total(x)
    x = x.apply("truediv", right=mass if mass > 0 else 1.0).new()  # where NetworkX begins
    bound = G.n * tol if G.n else None
    rounds = FixedPoint("eigenvector_centrality", x, A, bound, max_iter if G.n else 0)
    for x, old in rounds:
        x << plus(old | along(old @ A))
        x << x.apply("truediv", right=length(x, rounds.late))
    if G.n and not 0 < norm(rounds.x) < math.inf:
        raise InvalidValue("expected a start of which something is left, got one that cancels out")
    return rounds.x
