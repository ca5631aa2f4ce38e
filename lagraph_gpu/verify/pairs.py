"""Are two sides, and the pairs made across them, right? Properties, on the host.

What needs a search (whether an odd cycle joins the two copies of a graph, what an alternating path
reaches) is left to SciPy. O(n + m).

König: Graphok és matrixok (1931). Berge: Two theorems in graph theory (1957).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.verify.host import (
    Complaint,
    components,
    dense,
    edges,
    has_edge,
    inside,
    integral,
    joined,
    levels,
    numbers,
    pattern,
    sized,
    smallest,
)


def verify_bipartite(G: Graph, answer: bool, side: Vector | None = None) -> None:
    """Raise VerificationError unless ``answer`` is what ``is_bipartite`` promises; and unless
    ``side``, where it is given, is what ``bipartite_color`` does.

    Checked: twice as many components in the double cover of G, which joins two copies of the
    vertices by an edge u–v′ and one u′–v for each of its own, as in G: an odd cycle joins both
    copies. And of the sides: 0 or 1 at each vertex, other ones at the ends of each edge, and 0 at
    the smallest vertex of each component.

    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_bipartite
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend="cpu")
    >>> verify_bipartite(G, lg.is_bipartite(G))
    >>> verify_bipartite(G, True)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: bipartite, answer: expected False, for there is a cycle of
    odd length; got True
    """
    say, n = Complaint("bipartite"), G.n
    u, v = edges(G, loops=True)
    twice = np.concatenate((u, u + n)), np.concatenate((v + n, v))
    cover = sp.csr_array((np.ones(2 * u.size), twice), shape=(2 * n, 2 * n))
    right = components(cover, "weak") == 2 * components(pattern(G), "weak")
    if answer is not right:
        cycle = "no cycle" if right else "a cycle"
        raise say.error(
            "answer", f"expected {right}, for there is {cycle} of odd length; got {answer}"
        )
    if side is None:
        return
    of = numbers(say, G, side, "side", 2)
    say.at(
        "proper", np.flatnonzero(of[u] == of[v]),
        lambda e: f"expected two sides at the ends of the edge {u[e]}–{v[e]}, got {of[u[e]]}",
    )  # fmt: skip
    first = smallest(G)
    say.at(
        "smallest", first[of[first] != 0],
        lambda v: f"expected side 0 at vertex {v}, the smallest of its component, got 1",
    )  # fmt: skip


def verify_matching(G: Graph, mate: Vector, maximum: bool = False) -> None:
    """Raise VerificationError unless ``mate`` is what ``maximal_matching`` promises, or with
    ``maximum`` what ``maximum_bipartite_matching`` does.

    Checked: mates are each other's, and joined by an edge; no edge has two single ends; and for
    ``maximum`` that no alternating path leads from one single vertex to another (Berge).
    """
    say = Complaint("matching")
    matched, other = dense(sized(say, G.n, mate, "mate"))
    integral(say, other, "mate")
    other = np.where(matched, other, np.arange(G.n)).astype(np.int64)
    inside(say, other, G.n, "mate")
    say.unless(
        "mates", matched & ((other[other] != np.arange(G.n)) | (other == np.arange(G.n))),
        lambda v: f"expected the mate of vertex {v} to have {v} as its mate, got {other[v]}",
    )  # fmt: skip
    index = np.flatnonzero(matched)
    missing = index[~has_edge(G, index, other[index])]
    say.at("edge", missing, lambda v: f"expected an edge between mates, got none {v}–{other[v]}")
    u, v = edges(G)
    say.at(
        "maximal", np.flatnonzero(~matched[u] & ~matched[v]),
        lambda e: f"expected a mate at an end of the edge {u[e]}–{v[e]}, got two single vertices",
    )  # fmt: skip
    if maximum and G.n:
        _no_augmenting_path(say, G, matched, other)


# --- what needs a search ------------------------------------------------------------------------


def _no_augmenting_path(say: Complaint, G: Graph, matched: np.ndarray, other: np.ndarray) -> None:
    """From single vertices on one side, by edges outside the matching and back by those inside."""
    n, A = G.n, joined(G)
    right = levels(G).astype(int) % 2 == 1
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
