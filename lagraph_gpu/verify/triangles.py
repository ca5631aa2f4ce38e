"""Verifiers of counts of triangles and of what follows from them: counts are repeated by another
method, the intersection of sets, at all vertices or a sample."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.verify import host


def verify_triangles(
    G: Graph,
    t: Vector,
    total: int | None = None,
    samples: int | None = None,
    seed: int | None = None,
) -> host.Sample:
    """Verify results of `triangles` and `triangle_count`.

    Parameters
    ----------
    G : Graph
        The graph.
    t : Vector
        The result of `triangles`.
    total : int, optional
        The result of `triangle_count`.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked: an integer at each vertex; their sum is three times the total; and at sampled vertices
    the number of edges among the neighbours, counted with SciPy.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_triangles
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")
    >>> print(verify_triangles(G, lg.triangles(G), total=45))
    all 34 places
    """
    say = host.Complaint("triangles")
    count = host.complete(say, G.n, t)
    host.integral(say, count, "count")
    say.unless("sign", count < 0, lambda v: f"expected a count at vertex {v}, got {count[v]}")
    if count.sum() % 3 or (total is not None and count.sum() != 3 * total):
        wanted = "a multiple of 3" if total is None else f"3 · {total}"
        raise say.error("total", f"expected the counts to add up to {wanted}, got {count.sum()}")
    N = host.joined(G)
    seen = say.sample(G.n, samples, seed)
    for v in seen.places:
        among = N.indices[N.indptr[v] : N.indptr[v + 1]]
        found = N[among][:, among].nnz // 2
        if found != count[v]:
            raise say.error("count", f"expected {found} triangles at vertex {v}, got {count[v]}")
    return seen


def verify_local_clustering(
    G: Graph, c: Vector, samples: int | None = None, seed: int | None = None
) -> host.Sample:
    """Verify a result of `local_clustering_coefficient`.

    Parameters
    ----------
    G : Graph
        The graph.
    c : Vector
        The result.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked: a number from 0 to 1 at each vertex; and at sampled vertices the number of edges of G
    among the neighbours, divided by d (d − 1), within 10⁻¹².
    """
    say = host.Complaint("local clustering")
    value = _shares(say, G, c)
    N, A = host.joined(G), host.pattern(G)
    seen = say.sample(G.n, samples, seed)
    for v in seen.places:
        among = N.indices[N.indptr[v] : N.indptr[v + 1]]
        pairs = among.size * (among.size - 1)
        right = A[among][:, among].nnz / pairs if pairs else 0.0
        if abs(right - value[v]) > 1e-12:
            raise say.error("value", f"expected {right} at vertex {v}, got {value[v]}")
    return seen


def verify_clustering(
    G: Graph,
    c: Vector,
    average: float | None = None,
    samples: int | None = None,
    seed: int | None = None,
) -> host.Sample:
    """Verify results of `clustering` and `average_clustering`.

    Parameters
    ----------
    G : Graph
        The graph.
    c : Vector
        The result of `clustering`.
    average : float, optional
        The result of `average_clustering`.
    samples : int, optional
        The number of places to look at. By default 1,000, or all if there are no more.
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
    Checked: a number from 0 to 1 at each vertex; and at sampled vertices the share of the pairs of
    edges to different neighbours that are closed, within 10⁻¹². In an undirected graph one edge
    closes a pair. In a directed graph each arc to or from a neighbour counts, and two arcs can
    close a pair (Fagiolo).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_clustering
    >>> G = lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], backend="cpu")
    >>> c = lg.clustering(G)
    >>> print(verify_clustering(G, c, lg.average_clustering(G)))
    all 4 places
    >>> c[2] = 0.5
    >>> verify_clustering(G, c)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: clustering, value: expected 0.16666666666666666 at vertex
    2, got 0.5
    """
    say = host.Complaint("clustering")
    value = _shares(say, G, c)
    A = host.pattern(G)
    B = (A + A.T).tocsr() if G.directed else A
    seen = say.sample(G.n, samples, seed)
    for v in seen.places:
        at = slice(B.indptr[v], B.indptr[v + 1])
        among, arcs = B.indices[at], B.data[at]
        closed = arcs @ (B[among][:, among] @ arcs)
        pairs = (2 if G.directed else 1) * (arcs.sum() ** 2 - (arcs**2).sum())
        right = closed / pairs if pairs else 0.0
        if abs(right - value[v]) > 1e-12:
            raise say.error("value", f"expected {right} at vertex {v}, got {value[v]}")
    if average is not None and not abs(average - value.mean()) <= 1e-12:
        raise say.error("average", f"expected {value.mean()}, got {average}")
    return seen


def verify_transitivity(G: Graph, t: float) -> None:
    """Verify a result of `transitivity`.

    Parameters
    ----------
    G : Graph
        The graph.
    t : float
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the share of the paths of two edges that a third edge closes, in any direction, within
    10⁻¹²; 0 if there are none. Each triangle is counted once, at its vertex of smallest degree.
    O(m^1.5) with SciPy.
    """
    say, N = host.Complaint("transitivity"), host.joined(G)
    degree = np.diff(N.indptr)
    rank = np.argsort(np.argsort(degree, kind="stable"), kind="stable")
    u, v = N.nonzero()
    up = rank[u] < rank[v]
    L = sp.csr_array((np.ones(int(up.sum()), np.int64), (u[up], v[up])), shape=N.shape)
    paths = int((degree * (degree - 1)).sum())
    right = 6 * int((L @ L).multiply(L).sum()) / paths if paths else 0.0
    say.expect(abs(right - t) <= 1e-12, "value", f"expected {right}, got {t}")


def _shares(say: host.Complaint, G: Graph, c: Vector) -> np.ndarray:
    """The values, after a check that each vertex has a number from 0 to 1."""
    value = host.complete(say, G.n, c)
    say.unless(
        "range", ~((value >= 0) & (value <= 1)),
        lambda v: f"expected a coefficient from 0 to 1 at vertex {v}, got {value[v]}",
    )  # fmt: skip
    return value
