"""Verifiers of bipartite graphs and of matchings: properties, checked on the host.

Searches are left to SciPy: whether an odd cycle joins the two copies of a graph, and what an
alternating path reaches. O(n + m).

König: Graphok és matrixok (1931). Berge: Two theorems in graph theory (1957).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.verify import host


def verify_bipartite(G: Graph, answer: Any, side: Vector | None = None) -> None:
    """Verify results of `is_bipartite` and `bipartite_color`.

    Parameters
    ----------
    G : Graph
        The graph.
    answer : bool
        The result of `is_bipartite`.
    side : Vector, optional
        The result of `bipartite_color`.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: G is bipartite if and only if its double cover has twice as many components. The double
    cover joins two copies of the vertices, with the edges u–v′ and u′–v for each edge u–v, and an
    odd cycle joins both copies. Of the sides: 0 or 1 at each vertex, different at the ends of each
    edge, and 0 at the smallest vertex of each component. O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_bipartite
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
    >>> verify_bipartite(G, lg.is_bipartite(G))
    >>> verify_bipartite(G, True)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: bipartite, answer: expected False, because there is a
    cycle of odd length; got True
    """
    say, n = host.Complaint("bipartite"), G.n
    u, v = host.edges(G, loops=True)
    twice = np.concatenate((u, u + n)), np.concatenate((v + n, v))
    cover = sp.csr_array((np.ones(2 * u.size), twice), shape=(2 * n, 2 * n))
    right = host.components(cover, "weak") == 2 * host.components(host.pattern(G), "weak")
    if answer is not right:
        cycle = "no cycle" if right else "a cycle"
        raise say.error(
            "answer", f"expected {right}, because there is {cycle} of odd length; got {answer}"
        )
    if side is None:
        return
    of = host.numbers(say, G, side, "side", 2)
    say.at(
        "proper", np.flatnonzero(of[u] == of[v]),
        lambda e: f"expected two sides at the ends of the edge {u[e]}–{v[e]}, got {of[u[e]]}",
    )  # fmt: skip
    first = host.smallest(G)
    say.at(
        "smallest", first[of[first] != 0],
        lambda v: f"expected side 0 at vertex {v}, the smallest of its component, got 1",
    )  # fmt: skip


def verify_matching(G: Graph, mate: Vector, maximum: bool = False) -> None:
    """Verify a result of `maximal_matching` or `maximum_bipartite_matching`.

    Parameters
    ----------
    G : Graph
        The graph.
    mate : Vector
        The result.
    maximum : bool, optional
        True for `maximum_bipartite_matching`.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the partner of the partner of a vertex is the vertex itself, and an edge joins them; no
    edge has two unmatched ends. With `maximum` also that no augmenting path leads from one
    unmatched vertex to another (Berge). O(n + m).
    """
    say = host.Complaint("matching")
    matched, other = host.dense(host.sized(say, G.n, mate, "mate"))
    host.integral(say, other, "mate")
    other = np.where(matched, other, np.arange(G.n)).astype(np.int64)
    host.inside(say, other, G.n, "mate")
    say.unless(
        "mates", matched & ((other[other] != np.arange(G.n)) | (other == np.arange(G.n))),
        lambda v: f"expected the mate of vertex {v} to have {v} as its mate, got {other[v]}",
    )  # fmt: skip
    index = np.flatnonzero(matched)
    missing = index[~host.has_edge(G, index, other[index])]
    say.at("edge", missing, lambda v: f"expected an edge between mates, got none {v}–{other[v]}")
    u, v = host.edges(G)
    say.at(
        "maximal", np.flatnonzero(~matched[u] & ~matched[v]),
        lambda e: f"expected a mate at an end of the edge {u[e]}–{v[e]}, got two single vertices",
    )  # fmt: skip
    if maximum and G.n:
        _no_augmenting_path(say, G, matched, other)


# --- what needs a search ------------------------------------------------------------------------


def _no_augmenting_path(
    say: host.Complaint, G: Graph, matched: np.ndarray, other: np.ndarray
) -> None:
    """Searches from the unmatched vertices of one side, along edges outside the matching and back
    along edges of the matching.
    """
    n, A = G.n, host.joined(G)
    right = host.levels(G).astype(int) % 2 == 1
    u, v = (side.astype(np.int64) for side in A.nonzero())
    out = ~right[u] & (other[u] != v)
    index = np.flatnonzero(right & matched)
    single = np.flatnonzero(~right & ~matched)
    rows = np.concatenate((u[out], index, np.full(single.size, n)))
    columns = np.concatenate((v[out], other[index], single))
    ways = sp.csr_array((np.ones(rows.size), (rows, columns)), shape=(n + 1, n + 1))
    reached = csgraph.breadth_first_order(ways, n, return_predecessors=False)
    ends = reached[reached < n]
    ends = ends[right[ends] & ~matched[ends]]
    say.at("maximum", ends, lambda v: f"expected no path by which {v} finds a mate, got one")
