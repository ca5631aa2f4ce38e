"""Verifiers of centralities: equations that the values satisfy, and sums that they have, with
SciPy.

PageRank, eigenvectors, Katz centrality and hubs are put into the equation that defines them, in
FP64. The residual must be as small as the tolerance of the computation allows. Betweenness is not
computed again: a shortest path of length d has d − 1 inner vertices, so the sum over all vertices
is Σ (d(s, t) − 1) over the pairs with a path. At sampled vertices it is counted by its definition,
pair by pair. Closeness is compared with SciPy's distances to sampled vertices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import numbers, usual_tol
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.verify import host
from semirings.types import FP32, FP64

ROUNDED = 2.0**-20
"""How far rounding may move all ranks of FP32 together in a round: sixteen times the rounding of
each of them."""


def verify_pagerank(
    G: Graph,
    rank: Vector,
    alpha: float = 0.85,
    personalization: Any = None,
    tol: float | None = None,
    weight: str | None = "weight",
    dangling: Any = None,
) -> None:
    """Verify a result of `pagerank`.

    Parameters
    ----------
    G : Graph
        The graph.
    rank : Vector
        The result.
    alpha : float, optional
        The probability to follow an edge, as the result was computed.
    personalization : dict, Series or Vector, optional
        The restart distribution, as the result was computed.
    tol : float, optional
        The tolerance that the result was computed with; by default that of `pagerank` for its type.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.
    dangling : dict, Series or Vector, optional
        The distribution for dangling vertices, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the ranks are a distribution, and one more round changes them by so little in sum that
    the error is at most `tol`. Ranks of FP32 may miss both by 2⁻²⁰ besides, for rounding. O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_pagerank
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    >>> rank = lg.pagerank(G)
    >>> verify_pagerank(G, rank)
    >>> rank[1] = 0.0                                   # it was 0.34
    >>> verify_pagerank(G, rank)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: pagerank, sum: expected 1 within 1e-09, got 0.658...
    """
    say, A = host.Complaint("pagerank"), host.adjacency(G, weight)
    x, rounding = finite(say, rank, G.n), ROUNDED if rank.dtype == FP32 else 0.0
    sums_to_one(say, x, rounding)
    if tol is None:
        tol = usual_tol(rank.dtype, alpha)
    start = given(G, personalization, "personalization")
    sink = start if dangling is None else given(G, dangling, "dangling")
    leaving = A.sum(axis=1)
    rate = np.divide(alpha, leaving, out=np.zeros(G.n), where=leaving > 0)
    stuck = alpha * x[leaving == 0].sum()
    small(
        say,
        A.T @ (x * rate) + stuck * sink + (1 - alpha) * start - x,
        (tol * (1 - alpha) if alpha < 1 else tol) + rounding,
    )


def verify_eigenvector(G: Graph, x: Vector, tol: float = 1e-6, weight: str | None = None) -> None:
    """Verify a result of `eigenvector_centrality`.

    Parameters
    ----------
    G : Graph
        The graph.
    x : Vector
        The result.
    tol : float, optional
        The tolerance that the result was computed with.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the vector has the norm 1 and no negative entries, and Aᵀ only scales it, by the
    Rayleigh quotient. With the heaviest weight as the unit, the residual may be 2 n · `tol` times
    (1 + the largest sum of a row or a column). For connected graphs it follows that the eigenvalue
    is the largest, because no other eigenvector is free of negative entries. O(n + m).
    """
    say, A = host.Complaint("eigenvector_centrality"), host.adjacency(G, weight)
    vector = finite(say, x, G.n)
    has_length_one(say, vector)
    A = A / (abs(A.data).max(initial=0) or 1.0)
    image = A.T @ vector
    small(say, image - (vector @ image) * vector, 2 * G.n * tol * (1 + widest(A)))


def verify_katz(
    G: Graph,
    x: Vector,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weight: str | None = None,
    tol: float = 1e-6,
) -> None:
    """Verify a result of `katz_centrality`.

    Parameters
    ----------
    G : Graph
        The graph.
    x : Vector
        The result.
    alpha : float, optional
        The factor for each edge of a walk, as the result was computed.
    beta : float, dict, Series or Vector, optional
        The weight of the walk of no edges, as the result was computed.
    normalized : bool, optional
        Whether the result has the norm 1, as it was computed.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.
    tol : float, optional
        The tolerance that the result was computed with.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: x − α Aᵀ x is β; if `normalized`, it is a multiple of β and the norm of x is 1. O(n +
    m).
    """
    say, A = host.Complaint("katz_centrality"), host.adjacency(G, weight)
    vector = finite(say, x, G.n, signed=True)
    base = host.dense(numbers(G, beta, "beta"))[1]
    rest = vector - alpha * (A.T @ vector)
    scale = (rest @ base) / (base @ base) if normalized and base.any() else 1.0
    if normalized:
        has_length_one(say, vector)
    small(say, rest - scale * base, abs(scale) * G.n * tol * max(1.0, abs(alpha) * widest(A)))


def verify_hits(
    G: Graph, hub: Vector, authority: Vector, tol: float = 1e-8, weight: str | None = "weight"
) -> None:
    """Verify a result of `hits`.

    Parameters
    ----------
    G : Graph
        The graph.
    hub : Vector
        The hubs.
    authority : Vector
        The authorities.
    tol : float, optional
        The tolerance that the result was computed with.
    weight : {"weight"} or None, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: hubs h and authorities a have the sum 1, h is proportional to A a, and a to Aᵀ h. O(n +
    m).
    """
    say, A = host.Complaint("hits"), host.adjacency(G, weight)
    h, a = (finite(say, v, G.n) for v in (hub, authority))
    for mine, other, M in ((h, a, A), (a, h, A.T)):
        sums_to_one(say, mine)
        image = M @ other
        if mass := image.sum():
            small(say, image / mass - mine, 2 * tol * max(1.0, widest(A) / mass))


def verify_degree_centrality(G: Graph, value: Vector, ends: str = "both") -> None:
    """Verify a result of `degree_centrality`, `out_degree_centrality` or `in_degree_centrality`.

    Parameters
    ----------
    G : Graph
        The graph.
    value : Vector
        The result.
    ends : {"both", "out", "in"}, optional
        Which of the three functions computed it.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the ends of edges at each vertex (both ends of a loop), divided by n − 1. O(n + m).
    """
    say = host.Complaint({"both": "", "out": "out_", "in": "in_"}[ends] + "degree_centrality")
    found = finite(say, value, G.n)
    host.has_type(say, value.dtype, FP64)
    u, v = host.edges(G, loops=True)
    counted = {"both": (u, v), "out": (u,), "in": (v,)}[ends]
    right = np.bincount(np.concatenate(counted), minlength=G.n) / max(1, G.n - 1)
    compare(say, "count", found, np.arange(G.n), right if G.n > 1 else np.ones(G.n))


def verify_betweenness(
    G: Graph,
    value: Vector,
    normalized: bool = True,
    endpoints: bool = False,
    samples: int | None = None,
    seed: int | None = None,
) -> host.Sample:
    """Verify a result of `betweenness_centrality` with all vertices as sources.

    Parameters
    ----------
    G : Graph
        The graph.
    value : Vector
        The result.
    normalized : bool, optional
        Whether the values are divided by the number of pairs, as they were computed.
    endpoints : bool, optional
        Whether the ends of paths count, as the result was computed.
    samples : int, optional
        The number of vertices to look at. By default 4, or all of at most 256 vertices.
    seed : int, optional
        The seed that draws the same places again. By default a new one is drawn each time.

    Returns
    -------
    Sample
        Which places were looked at, of how many, and the seed that draws them again.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the sum of all values, and at sampled vertices the value by counting pairs. O(n (n +
    m)) with SciPy.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_betweenness
    >>> G = lg.Graph.from_edges([0, 1, 1], [1, 2, 3], directed=False, backend="cpu")
    >>> print(verify_betweenness(G, lg.betweenness_centrality(G)))
    all 4 places
    """
    say, A, n = host.Complaint("betweenness_centrality"), host.adjacency(G, None), G.n
    found = finite(say, value, n)
    ends = n if endpoints else n - 1
    if ends >= 2:
        found = found * (ends * (ends - 1) if normalized else (1 if G.directed else 2))
    seen = say.sample(n, samples, seed, usual=4)
    drawn = seen.places
    from_drawn = (host.hops(A, drawn), ways(A, drawn, host.hops(A, drawn))) if drawn.size else None
    lengths, right = 0.0, np.zeros(drawn.size)
    for block in host.blocks(n, n):
        far = host.hops(A, block)
        inside = np.isfinite(far)
        inside[np.arange(block.size), block] = False
        lengths += float((far[inside] + (1 if endpoints else -1)).sum())
        if from_drawn is not None:
            count = ways(A, block, far)
            for k, v in enumerate(drawn):
                on = inside & (far[:, [v]] + from_drawn[0][[k]] == far)
                through = on.copy()
                through[:, v] = False
                through[block == v] = False
                share = np.zeros_like(far)
                np.divide(count[:, [v]] * from_drawn[1][[k]], count, out=share, where=through)
                right[k] += share.sum()
                if endpoints:
                    right[k] += inside[:, v].sum() + inside[block == v].sum()
    if abs(found.sum() - lengths) > host.EXACT * max(1.0, lengths):
        raise say.error(
            "sum",
            f"expected the sum of inner vertices of all shortest paths, {lengths}, got "
            f"{found.sum()} (before scaling)",
        )
    compare(say, "pairs", found, drawn, right)
    return seen


def verify_closeness(
    G: Graph,
    value: Vector,
    distance: str | None = None,
    wf_improved: bool = True,
    samples: int | None = None,
    seed: int | None = None,
) -> host.Sample:
    """Verify a result of `closeness_centrality` at sampled vertices, with SciPy's distances.

    Parameters
    ----------
    G : Graph
        The graph.
    value : Vector
        The result.
    distance : {"weight"}, optional
        Whether distances are sums of weights, as the result was computed.
    wf_improved : bool, optional
        Whether values are scaled by the share of the vertices that reach a vertex, as the result
        was computed.
    samples : int, optional
        The number of vertices to look at. By default 16, or all of at most 256 vertices.
    seed : int, optional
        The seed that draws the same places again. By default a new one is drawn each time.

    Returns
    -------
    Sample
        Which places were looked at, of how many, and the seed that draws them again.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    O(n + m log n) for each sampled vertex.
    """
    say = host.Complaint("closeness_centrality")

    def right(far: np.ndarray) -> np.ndarray:
        others = np.isfinite(far).sum(axis=1) - 1.0
        farness = np.where(np.isfinite(far), far, 0).sum(axis=1)
        close = np.divide(others, farness, out=np.zeros(others.size), where=farness > 0)
        return close * others / max(1, G.n - 1) if wf_improved else close

    return _nearness(say, G, value, distance, samples, seed, right)


def verify_harmonic(
    G: Graph,
    value: Vector,
    distance: str | None = None,
    samples: int | None = None,
    seed: int | None = None,
) -> host.Sample:
    """Verify a result of `harmonic_centrality` at sampled vertices, with SciPy's distances.

    Parameters
    ----------
    G : Graph
        The graph.
    value : Vector
        The result.
    distance : {"weight"}, optional
        Whether distances are sums of weights, as the result was computed.
    samples : int, optional
        The number of vertices to look at. By default 16, or all of at most 256 vertices.
    seed : int, optional
        The seed that draws the same places again. By default a new one is drawn each time.

    Returns
    -------
    Sample
        Which places were looked at, of how many, and the seed that draws them again.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    O(n + m log n) for each sampled vertex.
    """

    def right(far: np.ndarray) -> np.ndarray:
        inverse: np.ndarray = np.divide(1, far, out=np.zeros_like(far), where=far > 0)
        return inverse.sum(axis=1)

    return _nearness(
        host.Complaint("harmonic_centrality"), G, value, distance, samples, seed, right
    )


def _nearness(
    say: host.Complaint, G: Graph, value: Vector, distance: str | None, samples: int | None,
    seed: int | None, right: Callable[[np.ndarray], np.ndarray],
) -> host.Sample:  # fmt: skip
    """Compares a closeness at sampled vertices with `right`, a function of the distances
    to them.
    """
    found = finite(say, value, G.n)
    seen = say.sample(G.n, samples, seed, usual=16)
    drawn = seen.places
    if drawn.size:
        far = host.hops(host.adjacency(G, distance).T.tocsr(), drawn, weighted=distance is not None)
        compare(say, "distances", found, drawn, right(far))
    return seen


# --- what the properties are made of -----------------------------------------------------------


def ways(A: Any, sources: np.ndarray, far: np.ndarray) -> np.ndarray:
    """The number of shortest paths from some vertices, given the distances."""
    count = np.zeros_like(far)
    count[np.arange(sources.size), sources] = 1
    deepest = int(far[np.isfinite(far)].max(initial=0))
    for depth in range(1, deepest + 1):
        step = (A.T @ np.where(far == depth - 1, count, 0).T).T
        count[far == depth] = step[far == depth]
    return count


def given(G: Graph, distribution: Any, name: str) -> np.ndarray:
    """The distribution that a user gave, or the uniform one."""
    weights = host.dense(numbers(G, 1.0 if distribution is None else distribution, name))[1]
    return weights / max(weights.sum(), np.finfo(float).tiny)


def widest(A: Any) -> float:
    """The largest sum of absolute values in a row or a column."""
    size = abs(A)
    return float(max((size.sum(axis=k).max(initial=0) for k in (0, 1)), default=0))


def finite(say: host.Complaint, value: Vector, n: int, signed: bool = False) -> np.ndarray:
    """The values as an array, after a check of size, entries and signs."""
    found = host.complete(say, n, value)
    bad = ~np.isfinite(found) if signed else ~(found >= 0) | ~np.isfinite(found)
    what = "a finite number" + ("" if signed else " of at least 0")
    say.unless("number", bad, lambda v: f"expected {what} at vertex {v}, got {found[v]}")
    return found.astype(np.float64)


def sums_to_one(say: host.Complaint, x: np.ndarray, rounding: float = 0.0) -> None:
    """Raises VerificationError unless the sum is 1, or explained by rounding."""
    within = max(rounding, host.EXACT)
    if x.size and abs(x.sum() - 1) > within:
        raise say.error("sum", f"expected 1 within {within:.3g}, got {x.sum()}")


def has_length_one(say: host.Complaint, x: np.ndarray) -> None:
    """Raises VerificationError unless the Euclidean norm is 1."""
    if x.size and abs(np.linalg.norm(x) - 1) > host.EXACT:
        raise say.error("length", f"expected 1 within {host.EXACT}, got {np.linalg.norm(x)}")


def small(say: host.Complaint, residual: np.ndarray, bound: float) -> None:
    """Raises VerificationError unless the sum of |residual| is within the bound, or explained by
    rounding.
    """
    left = np.abs(residual)
    if left.sum() > max(bound, host.EXACT):
        v = int(left.argmax())
        raise say.error(
            "equation",
            f"expected to miss the equation by less than {max(bound, host.EXACT):.3g} in sum, got "
            f"{left.sum():.3g}; the most, {residual[v]:.3g}, at vertex {v}",
        )


def compare(
    say: host.Complaint, name: str, found: np.ndarray, drawn: np.ndarray, right: np.ndarray
) -> None:
    """Raises VerificationError unless the values at the drawn vertices are right up to rounding."""
    off = np.abs(found[drawn] - right) > host.EXACT * np.maximum(1.0, np.abs(right))
    at = np.flatnonzero(off)
    say.at(name, at, lambda k: f"expected {right[k]} at vertex {drawn[k]}, got {found[drawn[k]]}")
