"""Verifiers of components, trees, sets, colourings and orders: properties, checked on the host.

Each verifier states with NumPy, over the edges, what makes a result correct, and leaves searches
(such as the number of components) to SciPy. O(n + m), or O(m log n) where weights are ranked.

Tarjan: Data structures and network algorithms (1983).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.verify import host


def verify_components(G: Graph, label: Vector, number: int | None = None) -> None:
    """Verify results of `connected_components` and `number_connected_components`.

    Parameters
    ----------
    G : Graph
        The graph.
    label : Vector
        The result of `connected_components` or `weakly_connected_components`.
    number : int, optional
        The result of `number_connected_components`.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: every vertex has a label, which is the smallest vertex with that label; both ends of
    each edge have the same label; and there are as many labels as components, counted by SciPy. O(n
    + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_components
    >>> G = lg.Graph.from_edges([0], [2], n=3, directed=False, backend="cpu")
    >>> verify_components(G, lg.connected_components(G))
    """
    say = host.Complaint("components")
    of = host.representatives(say, G, label)
    u, v = host.edges(G)
    say.at(
        "edge", np.flatnonzero(of[u] != of[v]),
        lambda e: f"expected one label at both ends of the edge {u[e]}–{v[e]}, got {of[u[e]]} "
        f"and {of[v[e]]}",
    )  # fmt: skip
    _count(say, of, host.pattern(G), "weak")
    if number is not None and number != distinct(of).size:
        raise say.error("number", f"expected {distinct(of).size}, got {number}")


def verify_strong_components(G: Graph, label: Vector) -> None:
    """Verify a result of `strongly_connected_components`.

    Parameters
    ----------
    G : Graph
        The graph.
    label : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: every vertex has a label, which is the smallest vertex with that label; two vertices
    have the same label if and only if SciPy (Pearce's algorithm) puts them in one strong component.
    O(n + m).
    """
    say = host.Complaint("strong components")
    of = host.representatives(say, G, label)
    _, right = csgraph.connected_components(host.pattern(G), directed=True, connection="strong")
    say.unless(
        "component", right != right[of],
        lambda v: f"expected vertex {v} to reach {of[v]}, whose label it has, and the reverse; "
        "got vertices of two strong components",
    )  # fmt: skip
    _count(say, of, host.pattern(G), "strong")


def verify_spanning_forest(G: Graph, parent: Vector) -> None:
    """Verify a result of `spanning_forest`.

    Parameters
    ----------
    G : Graph
        The graph.
    parent : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: every vertex has a parent, which is itself or joined to it by an edge in either
    direction; each component has one root, its smallest vertex; no chain of parents is a cycle; and
    a parent is one edge closer to the root than its child, by SciPy's distances. O(n + m).
    """
    say = host.Complaint("spanning forest")
    above = host.numbers(say, G, parent, "parent", G.n)
    child = np.flatnonzero(above != np.arange(G.n))
    missing = ~host.has_edge(G, child, above[child])
    say.at("tree edge", child[missing], lambda v: f"expected an edge {v}–{above[v]}, got none")
    count = host.components(host.pattern(G), "weak")
    tree = sp.coo_array((np.ones(child.size), (child, above[child])), shape=(G.n, G.n))
    if G.n - child.size != count:
        raise say.error("roots", f"expected {count} roots, got {G.n - child.size}")
    if host.components(tree, "weak") != count:
        raise say.error("cycle", "expected chains of parents that end at roots, got a cycle")
    root = host.smallest(G)
    say.at(
        "smallest", root[above[root] != root],
        lambda v: f"expected {v} as the root of its component, got {above[v]} as its parent",
    )  # fmt: skip
    level = host.levels(G)
    say.at(
        "depth", child[level[above[child]] != level[child] - 1],
        lambda v: f"expected the parent of vertex {v}, {level[v]:g} edges from its root, one edge "
        f"nearer, got {above[v]}, {level[above[v]]:g} away",
    )  # fmt: skip


def verify_spanning_tree(G: Graph, T: Graph, maximum: bool = False) -> None:
    """Verify a result of `minimum_spanning_tree` or `maximum_spanning_tree`.

    Parameters
    ----------
    G : Graph
        The graph.
    T : Graph
        The result. From the edges of `minimum_spanning_edges`, `Graph.from_edges` makes such a
        graph.
    maximum : bool, optional
        True for `maximum_spanning_tree`.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the edges of T are edges of G, with their weights and without loops; T connects the
    vertices that G connects; no edge can be left out; and T is as light as SciPy's tree, in the
    ranks of the weights. The ranks make the comparison exact, because a minimum tree stays one
    under any monotone change of the weights. O(m log n).
    """
    say = host.Complaint(f"{'maximum' if maximum else 'minimum'} spanning tree")
    if T.directed or T.n != G.n:
        raise say.error("graph", f"expected an undirected graph of {G.n} vertices, got {T}")
    (u, v, w), (a, b, x) = _upper(G), _upper(T)
    key, mine = u * G.n + v, a * G.n + b
    at = np.minimum(np.searchsorted(key, mine), max(key.size - 1, 0))
    foreign = np.flatnonzero((key[at] != mine) | (w[at] != x) if key.size else mine >= 0)
    say.at("edge", foreign, lambda e: f"expected edges of the graph, got {a[e]}–{b[e]}: {x[e]}")
    say.expect(not T.nloops, "edge", "expected no loops, got some")
    count = host.components(host.pattern(G), "weak")
    found = host.components(host.pattern(T), "weak")
    say.expect(found == count, "spanning", f"expected {count} components, got {found}")
    if a.size != G.n - count:
        raise say.error("cycle", f"expected {G.n - count} edges, got {a.size}: a cycle")
    kinds, rank = np.unique(w, return_inverse=True)
    cost = 1.0 + (kinds.size - 1 - rank if maximum else rank)
    ranked = sp.csr_array((cost, (u, v)), shape=(G.n, G.n))
    best = csgraph.minimum_spanning_tree(ranked).sum() if a.size else 0
    total = cost[at].sum() if a.size else 0
    say.expect(total == best, "weight", f"expected weights of total rank {best:g}, got {total:g}")


def verify_independent_set(G: Graph, chosen: Vector) -> None:
    """Verify a result of `maximal_independent_set`.

    Parameters
    ----------
    G : Graph
        The graph.
    chosen : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: no two vertices of the set are neighbours, and no vertex can be added. O(n + m).
    """
    say = host.Complaint("independent set")
    held = np.zeros(G.n, bool)
    held[host.sized(say, G.n, chosen, "set").to_coo()[0]] = True
    u, v = host.edges(G)
    say.at(
        "independent", np.flatnonzero(held[u] & held[v]),
        lambda e: f"expected no edge inside the set, got {u[e]}–{v[e]}",
    )  # fmt: skip
    covered = held.copy()
    covered[u[held[v]]] = covered[v[held[u]]] = True
    say.unless(
        "maximal", ~covered, lambda v: f"expected vertex {v} or a neighbour in the set, got none"
    )


def verify_coloring(G: Graph, colour: Vector, colours: int | None = None) -> None:
    """Verify a result of `greedy_color`.

    Parameters
    ----------
    G : Graph
        The graph.
    colour : Vector
        The result.
    colours : int, optional
        The largest number of colours. By default the largest degree plus one.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: every vertex has a colour, from 0 and below `colours`; the ends of each edge have
    different colours. O(n + m).
    """
    say = host.Complaint("colouring")
    u, v = host.edges(G)
    if colours is None:
        colours = int(np.diff(host.joined(G).indptr).max(initial=0)) + 1
    of = host.numbers(say, G, colour, "colour", colours)
    say.at(
        "proper", np.flatnonzero(of[u] == of[v]),
        lambda e: f"expected two colours at the ends of the edge {u[e]}–{v[e]}, got {of[u[e]]}",
    )  # fmt: skip


def verify_generations(G: Graph, generation: Vector) -> None:
    """Verify a result of `topological_generations`.

    Parameters
    ----------
    G : Graph
        The graph.
    generation : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: every vertex has a generation; edges lead to later generations; and a vertex that is
    not of generation 0 has an edge from the generation before it. O(n + m).
    """
    say = host.Complaint("generations")
    of = host.numbers(say, G, generation, "generation", max(G.n, 1))
    u, v = host.edges(G, loops=True)
    say.at(
        "order", np.flatnonzero(of[u] >= of[v]),
        lambda e: f"expected the edge {u[e]} → {v[e]} to lead to a later generation, got "
        f"{of[u[e]]} and {of[v[e]]}",
    )  # fmt: skip
    follows = of == 0
    follows[v[of[u] == of[v] - 1]] = True
    say.unless(
        "earliest", ~follows,
        lambda v: f"expected an edge to vertex {v} from generation {of[v] - 1}, got none",
    )  # fmt: skip


def verify_topological_sort(G: Graph, order: Vector) -> None:
    """Verify a result of `topological_sort`.

    Parameters
    ----------
    G : Graph
        The graph.
    order : Vector
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: it holds every vertex once, and every edge leads forward. O(n + m).
    """
    say = host.Complaint("topological order")
    place = _inverse(say, host.numbers(say, G, order, "vertex", G.n))
    u, v = host.edges(G, loops=True)
    say.at(
        "order", np.flatnonzero(place[u] >= place[v]),
        lambda e: f"expected vertex {u[e]} before {v[e]}, for an edge leads there; got it after",
    )  # fmt: skip


def verify_dfs(
    G: Graph, discovery: Vector, parent: Vector, finish: Vector, source: int | None = None
) -> None:
    """Verify a result of `dfs`.

    Parameters
    ----------
    G : Graph
        The graph.
    discovery, parent, finish : Vector
        The result.
    source : int, optional
        The source, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: edges join parents to their children; discovery and finish are the orders in which a
    walk around the trees enters and leaves the vertices; no edge leads to a vertex that is
    discovered after the start of the edge is finished (in an undirected graph no edge joins two
    branches); smaller ids come first; and the roots are `source`, or the smallest vertices that are
    not discovered yet.
    """
    say = host.Complaint("dfs")
    met, time = host.dense(host.sized(say, G.n, discovery, "discovery"))
    has_parent, above = host.dense(host.sized(say, G.n, parent, "parent"))
    left, end = host.dense(host.sized(say, G.n, finish, "finish"))
    for name, value in (("discovery", time), ("finish", end)):
        host.integral(say, value, name)
    say.unless(
        "entries", (met != has_parent) | (met != left),
        lambda v: f"expected discovery, parent and finish at the same vertices, not so at {v}",
    )  # fmt: skip
    host.inside(say, above, G.n, "parent")
    index = np.flatnonzero(met)
    child = index[above[index] != index]
    missing = child[~host.has_edge(G, above[child], child, directed=True)]
    say.at("tree edge", missing, lambda v: f"expected an edge {above[v]} → {v}, got none")
    _is_walk(say, index, above, time, end)
    later = np.where(met, time, G.n), np.where(met, end, G.n)
    u, v = host.edges(G, loops=True)
    u, v = u[met[u]], v[met[u]]
    if not G.directed:
        u, v = np.concatenate((u, v)), np.concatenate((v, u))
    say.at(
        "cross edge", np.flatnonzero((later[0][v] > later[0][u]) & (later[1][v] > later[1][u])),
        lambda e: f"expected {v[e]} met before {u[e]} was left, for an edge leads there",
    )  # fmt: skip
    order = np.lexsort((v, u))
    u, v = u[order], v[order]
    when = u * (G.n + 1) + later[0][v]  # within a row: the latest neighbour met so far
    early = np.maximum.accumulate(when) > when if when.size else np.zeros(0, bool)
    say.at(
        "order", np.flatnonzero(early & (above[v] == u) & (v != u)),
        lambda e: f"expected smaller neighbours of {u[e]} met before its child {v[e]}",
    )  # fmt: skip
    roots = index[above[index] == index]
    if source is not None:
        source = G.vertex(source, "source")
        wrong = roots[roots != source]
        say.at("root", wrong, lambda v: f"expected {source} as the only root, got {v}")
        say.expect(roots.size > 0, "root", f"expected {source} as the root, got none")
    elif index.size < G.n or (np.diff(time[roots]) < 0).any():
        raise say.error("root", "expected every vertex met, and roots by increasing id")


# --- what results must look like ----------------------------------------------------------------


def _inverse(say: host.Complaint, order: np.ndarray) -> np.ndarray:
    """The position of each vertex in an order. Raises VerificationError unless each occurs once."""
    place = np.full(order.size, -1)
    place[order] = np.arange(order.size)
    say.unless("entries", place < 0, lambda v: f"expected every vertex once, got {v} never")
    return place


def _count(say: host.Complaint, of: np.ndarray, A: Any, connection: str) -> None:
    """Raises VerificationError unless there are as many labels as components."""
    right, found = host.components(A, connection), distinct(of).size
    say.expect(right == found, "count", f"expected {right} components, got {found} labels")


def _is_walk(
    say: host.Complaint, index: np.ndarray, above: np.ndarray, time: np.ndarray, end: np.ndarray
) -> None:
    """Checks that these orders belong to one walk around the trees, with children in the order of
    discovery.
    """
    children: dict[int, list[int]] = {}
    for v in index[np.argsort(-time[index], kind="stable")].tolist():
        children.setdefault(-1 if above[v] == v else int(above[v]), []).append(v)
    stack, met, left = [(v, False) for v in children.get(-1, [])], [], []
    while stack:
        v, leaving = stack.pop()
        if leaving:
            left.append(v)
            continue
        met.append(v)
        stack.append((v, True))
        stack.extend((w, False) for w in children.get(v, []))
    if len(met) < index.size:
        raise say.error("chain", "expected chains of parents that end at roots, got a cycle")
    for name, walked, given in (("discovery", met, time), ("finish", left, end)):
        wrong = [v for place, v in enumerate(walked) if given[v] != place]
        say.at(
            name, np.array(wrong[:1], int),
            lambda v, walked=walked, given=given: f"expected {walked.index(v)} at vertex {v} on a "  # type: ignore[misc]
            f"walk round the trees, got {given[v]}",
        )  # fmt: skip


# --- the graph on the host ----------------------------------------------------------------------


def _upper(G: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The edges of an undirected graph, once, without loops: ends and weights."""
    u, v, w = G.A.to_coo()
    return u[u < v], v[u < v], w[u < v]
