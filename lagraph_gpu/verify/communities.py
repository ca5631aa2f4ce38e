"""Verifiers of communities: label propagation is repeated by sorting votes, and modularity by its
definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.given import partition
from lagraph_gpu.notation import Vector
from lagraph_gpu.verify import host


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
