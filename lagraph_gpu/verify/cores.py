"""Verifiers of cores and trusses: properties that only correct results have.

Core numbers are correct if and only if each vertex of core number k has k edges to vertices of core
number k or more (so no number is too high) and peeling in their order succeeds (so no number is too
low); trusses likewise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.verify import host


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
