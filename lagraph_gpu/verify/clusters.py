"""Verifiers of counts, cores, trusses and communities: properties, checked on the host.

Where only correct results have a property, that property is checked. Core numbers are correct if
and only if each vertex of core number k has k edges to vertices of core number k or more (so no
number is too high) and peeling in their order succeeds (so no number is too low); trusses likewise.
Counts are repeated by another method, the intersection of sets, at all vertices or a sample. Label
propagation is repeated by sorting votes, and modularity by its definition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from lagraph_gpu.algorithms._shared.source_batches import vertex_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import partition
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.indexing import distinct
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


def verify_core_number(G: Graph, core: Vector) -> None:
    """Verify a result of `core_number`.

    Parameters
    ----------
    G : Graph
        The graph.
    core : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: each vertex of core number k has at least k edges to vertices of core number k or more,
    so no number is too high. When the vertices of smaller numbers are removed, those of core number
    k can be removed one after another while they have at most k edges left, so no number is too
    low.

    Examples
    --------
    >>> import networkx as nx, lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_core_number
    >>> G = lg.Graph.from_networkx(nx.karate_club_graph(), backend="cpu")
    >>> core = lg.core_number(G)
    >>> verify_core_number(G, core)
    >>> core[11] = 2
    >>> verify_core_number(G, core)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: core number, too high: expected vertex 11 of core
    number 2 to have 2 edges to its equals or betters, got 1
    """
    say = host.Complaint("core number")
    value = host.complete(say, G.n, core)
    host.integral(say, value, "core number")
    A = host.pattern(G)
    B = (A + A.T if G.directed else A).tocoo()
    up = value[B.col] >= value[B.row]
    better = np.bincount(B.row[up], B.data[up], G.n).astype(np.int64)
    say.unless(
        "too high", better < value,
        lambda v: f"expected vertex {v} of core number {value[v]} to have {value[v]} edges to its "
        f"equals or betters, got {better[v]}",
    )  # fmt: skip
    rows, left = B.tocsr(), np.bincount(B.row, B.data, G.n).astype(np.int64)
    alive, stuck = np.ones(G.n, bool), np.zeros(G.n, bool)
    for k in distinct(value):
        here = value == k
        while (go := np.flatnonzero(alive & here & (left <= k))).size:
            alive[go] = False
            left = left - np.asarray(rows[go].sum(axis=0)).ravel().astype(np.int64)
        stuck = alive & here
        if stuck.any():
            break
    say.unless(
        "too low", stuck,
        lambda v: f"expected vertex {v} of core number {value[v]} to have at most {value[v]} "
        f"edges when it is peeled, got {left[v]} that cannot go",
    )  # fmt: skip


def verify_k_core(G: Graph, k: int, core: Graph) -> None:
    """Verify a result of `k_core`.

    Parameters
    ----------
    G : Graph
        The graph.
    k : int
        The k of the k-core.
    core : Graph
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the edges of the core are all edges of G, with their weights, between the vertices that
    remain when vertices with fewer than k edges are removed until there are none. Loops and weights
    do not count; in a directed graph edges in and out do. O(m) for each round, with SciPy.
    """
    say, A = host.Complaint(f"{k}-core"), host.pattern(G)
    if core.n != G.n or core.directed != G.directed or core.A.dtype != G.A.dtype:
        raise say.error("graph", f"expected a graph as {G}, got {core}")
    B = (A + A.T).tocsr() if G.directed else A
    alive = np.ones(G.n, bool)
    while (weak := alive & (B @ alive < k)).any():
        alive &= ~weak
    (u, v, w), (a, b, x) = G.A.to_coo(), core.A.to_coo()
    held, left = np.isin(u * G.n + v, a * G.n + b), alive[u] & alive[v]
    say.at(
        "missing", np.flatnonzero(left & ~held),
        lambda e: f"expected the edge {u[e]} → {v[e]}, whose ends have {k} edges inside, got none",
    )  # fmt: skip
    say.at(
        "outside", np.flatnonzero(~alive[a] | ~alive[b]),
        lambda e: f"expected no edge {a[e]} → {b[e]}, as an end has fewer than {k} inside; got one",
    )  # fmt: skip
    if a.size != left.sum():
        raise say.error("edges", f"expected {left.sum()} edges of the graph, got {a.size}")
    say.at(
        "weight", np.flatnonzero(w[left] != x),
        lambda e: f"expected the edge {a[e]} → {b[e]} of weight {w[left][e]}, got {x[e]}",
    )  # fmt: skip


def verify_k_truss(G: Graph, k: int, truss: Graph) -> None:
    """Verify a result of `k_truss`.

    Parameters
    ----------
    G : Graph
        The graph.
    k : int
        The k of the k-truss.
    truss : Graph
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: its edges are edges of G; each lies in k − 2 triangles of the truss; all other edges of
    G can be removed one after another, because they lie in fewer triangles.
    """
    say = host.Complaint(f"{k}-truss")
    N, T = host.joined(G), host.joined(truss)
    if truss.n != G.n or truss.directed or truss.nloops:
        raise say.error("graph", f"expected an undirected graph on {G.n} vertices, without loops")
    _no_edge(say, "edge", T - T.multiply(N), "to be one of the graph")
    _no_edge(say, "support", T - _supported(T, k - 2), f"to lie in {k - 2} triangles of the truss")
    left = N
    while left.nnz > T.nnz:
        fewer = _supported(left, k - 2).maximum(T)
        if fewer.nnz == left.nnz:
            _no_edge(say, "maximal", left - T, "to be in the truss, as it cannot be dropped")
        left = fewer


def verify_label_propagation(G: Graph, labels: Vector, max_iter: int) -> None:
    """Verify a result of `label_propagation`.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        The result.
    max_iter : int
        The number of rounds, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Each round is repeated by sorting all votes. O(rounds × m log m).
    """
    say = host.Complaint("label propagation")
    found = host.complete(say, G.n, labels)
    A = host.pattern(G).tocoo()
    ways = ((A.row, A.col), (A.col, A.row)) if G.directed else ((A.row, A.col),)
    voter, of = (np.concatenate(ends) for ends in zip(*ways, strict=True))
    voter = voter * np.int64(G.n)
    right = before = twice = np.arange(G.n)
    for done in range(max_iter):
        if done and (max_iter - done) % 2 == 0 and (right == twice).all():
            break  # the labels of two rounds take turns
        twice, before = before, right
        votes = np.sort(voter + right[of])
        first = np.flatnonzero(np.diff(votes, prepend=-1))  # of each voter and label
        row, label = np.divmod(votes[first], max(1, G.n))
        rank = np.diff(first, append=votes.size) * G.n + (G.n - 1 - label)
        begin = np.flatnonzero(np.diff(row, prepend=-1))
        right = right.copy()
        if begin.size:  # most votes, and of equals the smallest label
            right[row[begin]] = G.n - 1 - np.maximum.reduceat(rank, begin) % G.n
    say.unless(
        "label", found != right,
        lambda v: f"expected the label {right[v]} at vertex {v} after {max_iter} rounds, got "
        f"{found[v]}",
    )  # fmt: skip


def verify_modularity(G: Graph, labels: Any, q: float, resolution: float = 1.0) -> None:
    """Verify a result of `modularity`.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector, dict, Series, list or array
        The labels of the partition, as the result was computed.
    q : float
        The result.
    resolution : float, optional
        The parameter γ, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the definition of modularity, within 10⁻⁹. O(m).
    """
    say = host.Complaint("modularity")
    right = _modularity(G, partition(G, labels), resolution)
    say.expect(abs(right - q) <= 1e-9, "value", f"expected {right}, got {q}")


def verify_louvain(G: Graph, labels: Vector, resolution: float = 1.0) -> None:
    """Verify a result of `louvain`, as far as one result allows.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        The result.
    resolution : float, optional
        The parameter γ, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: a label at each vertex, which is the smallest vertex with that label; and a modularity
    that is not below that of single vertices.
    """
    _expect_communities(host.Complaint("louvain"), G, labels, resolution)


def verify_leiden(G: Graph, labels: Vector, resolution: float = 1.0) -> None:
    """Verify a result of `leiden`, as far as one result allows.

    Parameters
    ----------
    G : Graph
        The graph.
    labels : Vector
        The result.
    resolution : float, optional
        The parameter γ, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: what `verify_louvain` checks, and that each community is connected by its edges of a
    weight above 0, without regard to directions.
    """
    say = host.Complaint("leiden")
    label = _expect_communities(say, G, labels, resolution)
    A = G.A.to_scipy_sparse().tocoo()
    inside = (label[A.row] == label[A.col]) & (A.data > 0)
    edges = np.ones(np.count_nonzero(inside), np.bool_), (A.row[inside], A.col[inside])
    part = connected_components(sp.coo_array(edges, shape=(G.n, G.n)), directed=False)[1]
    apart = part != part[label]
    v = int(apart.argmax()) if apart.any() else 0
    say.expect(
        not apart.any(), "connected", f"vertex {v} is not connected to {label[v] if G.n else v}"
    )


def _expect_communities(
    say: host.Complaint, G: Graph, labels: Vector, resolution: float
) -> np.ndarray:
    """The labels, if they are a partition whose modularity is not below that of single vertices."""
    label = host.representatives(say, G, labels)
    least, found = (_modularity(G, of, resolution) for of in (np.arange(G.n), label))
    say.expect(found >= least - host.EXACT, "modularity", f"expected at least {least}, got {found}")
    return label


def verify_random_walks(
    G: Graph, sources: Any, length: int, walks: Matrix, weighted: bool = False
) -> None:
    """Verify a result of `random_walks`.

    Parameters
    ----------
    G : Graph
        The graph.
    sources : list or array of integers
        The first vertex of each walk.
    length : int
        The number of steps, as the result was computed.
    walks : Matrix
        The result.
    weighted : bool, optional
        Whether weights count, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: row w begins with source w; every step is an edge; a row ends early only at a vertex
    without outgoing edges (if `weighted`: without outgoing edges of weight above 0). Whether edges
    are chosen with the right probabilities cannot be seen from one result.
    """
    say = host.Complaint("random walks")
    start = vertex_ids(G, sources, "sources")
    if walks.shape != (start.size, length + 1):
        wanted = start.size, length + 1
        raise say.error("shape", f"expected a matrix of {wanted}, got {walks.shape}")
    at = walks.to_dense(fill_value=-1).astype(np.int64)
    say.unless(
        "source", at[:, 0] != start,
        lambda w: f"expected walk {w} to begin at vertex {start[w]}, got {at[w, 0]}",
    )  # fmt: skip
    A = G.A.to_scipy_sparse().tocoo()
    taken = A.data > 0 if weighted else np.ones(A.nnz, bool)
    A = sp.coo_array((A.data[taken], (A.row[taken], A.col[taken])), shape=A.shape)
    edges = np.sort(A.row * np.int64(G.n) + A.col)
    degree = np.bincount(A.row, minlength=G.n)
    here, there = at[:, :-1], at[:, 1:]
    gone = there >= 0
    say.unless(
        "edge", (gone & ((here < 0) | ~np.isin(here * G.n + there, edges))).ravel(),
        lambda p: f"expected step {p % length} of walk {p // length} to be an edge, got "
        f"{here.flat[p]} → {there.flat[p]}",
    )  # fmt: skip
    say.unless(
        "end", (~gone & (here >= 0) & (degree[here] > 0)).ravel(),
        lambda p: f"expected walk {p // length} to go on from vertex {here.flat[p]}, which edges "
        "leave, got no step",
    )  # fmt: skip


# --- the graph on the host ----------------------------------------------------------------------


def _shares(say: host.Complaint, G: Graph, c: Vector) -> np.ndarray:
    """The values, after a check that each vertex has a number from 0 to 1."""
    value = host.complete(say, G.n, c)
    say.unless(
        "range", ~((value >= 0) & (value <= 1)),
        lambda v: f"expected a coefficient from 0 to 1 at vertex {v}, got {value[v]}",
    )  # fmt: skip
    return value


def _modularity(G: Graph, labels: np.ndarray, resolution: float) -> float:
    """The modularity by its definition; 0 for a graph without weight."""
    label = np.unique(labels, return_inverse=True)[1]
    A = G.A.to_scipy_sparse().tocoo()
    weight = A.data.astype(np.float64)
    weight /= weight.max(initial=0) or 1  # squares of very small weights would be 0
    if not G.directed:
        weight[A.row == A.col] *= 2
    inside = weight[label[A.row] == label[A.col]].sum()
    count = int(label.max(initial=-1)) + 1
    leaving, entering = (np.bincount(label[end], weight, count) for end in (A.row, A.col))
    total = weight.sum()
    if not total:
        return 0.0
    return float(inside / total - resolution * (leaving @ entering) / total**2)


def _supported(N: Any, least: int) -> Any:
    """The edges of N that lie in at least `least` triangles of N."""
    if least <= 0:
        return N
    support = N.multiply(N @ N).tocsr()
    support.data = (support.data >= least).astype(np.int64)
    support.eliminate_zeros()
    return support


def _no_edge(say: host.Complaint, name: str, extra: Any, wanted: str) -> None:
    """Raises VerificationError with the first entry of `extra`, if there is one."""
    extra = extra.tocoo()
    for u, v in zip(extra.row[extra.data != 0], extra.col[extra.data != 0]):
        raise say.error(name, f"expected the edge {u} – {v} {wanted}")
