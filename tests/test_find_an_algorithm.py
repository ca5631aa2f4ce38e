"""The page `find-an-algorithm.md` names functions of NetworkX: those answer the same as ours.

Each name of its last column is compared on undirected and directed graphs, with and without loops.
What the page says of directed graphs is held to as well: where NetworkX refuses them, ours answers
as for the graph without directions; and where both differ, they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import LagraphError

PAGE = Path("docs/how-to/find-an-algorithm.md")

Compared = tuple[Callable[[Any], Any], Callable[[Any], Any]]


@pytest.fixture(autouse=True)
def on_the_cpu() -> Iterator[None]:
    with lg.backend("cpu"):
        yield


# --- results in a common form --------------------------------------------------------------------
def dense(v: lg.Vector) -> dict[int, Any]:
    return {int(i): x.item() for i, x in zip(*v.to_coo())}


def parts(labels: lg.Vector) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for vertex, label in dense(labels).items():
        found.setdefault(label, []).append(vertex)
    return sorted(found.values())


def listed(sets: Any) -> list[list[int]]:
    return sorted(map(sorted, sets))


def pairs(M: Any) -> dict[tuple[int, int], Any]:
    return {(int(u), int(v)): x.item() for u, v, x in zip(*M.to_coo())}


def edges(g: Any) -> set[tuple[int, int]]:
    back = set() if g.is_directed() else {(v, u) for u, v in g.edges()}
    return set(g.edges()) | back


def total(H: lg.Graph) -> float:
    return float(sum(H.edges()[2].tolist()))


def near(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(near(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(near, ours, theirs))
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return abs(ours - theirs) <= 1e-5 * max(1, abs(theirs))
    return bool(ours == theirs)


def called(function: Callable[[Any], Any], graph: Any) -> Any:
    """What a function returns, or "refused"."""
    try:
        return function(graph)
    except (LagraphError, nx.NetworkXException, nx.NetworkXNotImplemented):
        return "refused"


def valid(holds: bool) -> str:
    return "valid" if holds else "not valid"


def matched(G: lg.Graph) -> str:
    partner, g = dense(lg.maximal_matching(G)), nx.Graph(G.to_networkx().to_undirected())
    return valid(nx.is_maximal_matching(g, {(u, v) for u, v in partner.items() if u < v}))


def coloured(G: lg.Graph) -> str:
    colour, g = dense(lg.greedy_color(G)), G.to_networkx()
    return valid(all(colour[u] != colour[v] for u, v in g.edges() if u != v))


def independent(G: lg.Graph) -> str:
    chosen, g = set(dense(lg.maximal_independent_set(G))), G.to_networkx().to_undirected()
    apart = not any(u in chosen and v in chosen and u != v for u, v in g.edges())
    return valid(apart and all(chosen & {v, *g[v]} for v in g))


def ordered(G: lg.Graph) -> str:
    at = {v: i for i, v in enumerate(lg.topological_sort(G).to_dense().tolist())}
    return valid(all(at[u] < at[v] for u, v in G.to_networkx().edges()))


def valid_of(name: str) -> Callable[[Any], str]:
    def theirs(g: Any) -> str:
        found = getattr(nx, name)(g)
        return "valid" if found is not None and list(found) is not None else ""

    return theirs


def sides(side: dict[int, int], g: Any) -> dict[int, int]:
    """The sides, that of the first vertex of each component being 0."""
    found = {}
    for part in nx.connected_components(g.to_undirected()):
        found |= {v: side[v] ^ side[min(part)] for v in part}
    return found


PAIRS = [(0, 1), (1, 3), (2, 3)]


def same(name: str, **settings: Any) -> Compared:
    """A function of that name in both that returns a number for each vertex, or one number."""

    def ours(G: lg.Graph) -> Any:
        found = getattr(lg, name)(G, **settings)
        return dense(found) if isinstance(found, lg.Vector) else found

    return ours, lambda g: getattr(nx, name)(g, **settings)


def communities(name: str) -> Compared:
    """Their modularity is about the same."""

    def theirs(g: Any) -> float:
        return round(nx.community.modularity(g, nx.community.louvain_communities(g, seed=1)), 1)

    return lambda G: round(lg.modularity(G, getattr(lg, name)(G, seed=1)), 1), theirs


COMPARED: dict[str, Compared] = {
    **{name: same(name) for name in (
        "average_clustering", "betweenness_centrality", "closeness_centrality", "clustering",
        "core_number", "dag_longest_path", "dag_longest_path_length", "degree_centrality",
        "density", "diameter", "eccentricity", "harmonic_centrality", "in_degree_centrality",
        "is_bipartite", "is_connected", "number_connected_components", "out_degree_centrality",
        "transitivity", "triangles",
    )},
    "single_source_shortest_path_length": (
        lambda G: dense(lg.bfs(G, 0)[0]),
        lambda g: dict(nx.single_source_shortest_path_length(g, 0)),
    ),
    "single_source_dijkstra": (
        lambda G: dense(lg.sssp(G, 0)[0]), lambda g: nx.single_source_dijkstra(g, 0)[0]
    ),
    "single_source_bellman_ford": (
        lambda G: dense(lg.bellman_ford(G, 0)[0]), lambda g: nx.single_source_bellman_ford(g, 0)[0]
    ),
    "bidirectional_dijkstra": (
        lambda G: (lg.shortest_path_between(G, 0, 3) or ["refused"])[0],
        lambda g: nx.bidirectional_dijkstra(g, 0, 3)[0],
    ),
    "floyd_warshall": (
        lambda G: pairs(lg.floyd_warshall(G)),
        lambda g: {(u, v): x for u, row in nx.floyd_warshall(g).items() for v, x in row.items()
                   if x < float("inf")},
    ),
    "dfs_preorder_nodes": (
        lambda G: sorted((order := dense(lg.dfs(G, 0)[0])), key=order.__getitem__),
        lambda g: list(nx.dfs_preorder_nodes(g, 0, sort_neighbors=sorted)),
    ),
    "pagerank": (
        lambda G: dense(lg.pagerank(G, tol=1e-10)),
        lambda g: nx.pagerank(g, tol=1e-12, max_iter=999),
    ),
    "hits": (
        lambda G: [*map(dense, lg.hits(G, tol=1e-10, max_iter=3000))],
        lambda g: list(nx.hits(g, tol=1e-12, max_iter=3000)),
    ),
    "eigenvector_centrality": same("eigenvector_centrality", max_iter=1000, tol=1e-8),
    "katz_centrality": same("katz_centrality", alpha=0.03, tol=1e-9),
    "connected_components": (
        lambda G: parts(lg.connected_components(G)), lambda g: listed(nx.connected_components(g))
    ),
    "weakly_connected_components": (
        lambda G: parts(lg.weakly_connected_components(G)),
        lambda g: listed(nx.weakly_connected_components(g)),
    ),
    "strongly_connected_components": (
        lambda G: parts(lg.strongly_connected_components(G)),
        lambda g: listed(nx.strongly_connected_components(g)),
    ),
    "louvain_communities": communities("louvain"),
    "leiden_communities": communities("leiden"),
    "label_propagation_communities": (
        lambda G: parts(lg.label_propagation(G)),
        lambda g: listed(nx.community.label_propagation_communities(g)),
    ),
    "modularity": (
        lambda G: lg.modularity(G, lg.connected_components(G)),
        lambda g: nx.community.modularity(g, list(nx.connected_components(g.to_undirected()))),
    ),
    "k_core": (
        lambda G: {(u, v) for u, v in pairs(lg.k_core(G, 2).A) if u != v},
        lambda g: edges(nx.k_core(g, 2)),
    ),
    "k_truss": (
        lambda G: set(pairs(lg.k_truss(G, 3).A)), lambda g: edges(nx.k_truss(g, 3))
    ),
    "jaccard_coefficient": (
        lambda G: pairs(lg.jaccard_coefficient(G, PAIRS)),
        lambda g: {(u, v): x for u, v, x in nx.jaccard_coefficient(g, PAIRS)},
    ),
    "common_neighbors": (
        lambda G: sorted(dense(lg.common_neighbors(G, 0, 2))),
        lambda g: sorted(nx.common_neighbors(g, 0, 2)),
    ),
    "minimum_spanning_tree": (
        lambda G: total(lg.minimum_spanning_tree(G)),
        lambda g: nx.minimum_spanning_tree(g).size("weight"),
    ),
    "maximum_spanning_tree": (
        lambda G: total(lg.maximum_spanning_tree(G)),
        lambda g: nx.maximum_spanning_tree(g).size("weight"),
    ),
    "minimum_spanning_edges": (
        lambda G: float(sum(dense(lg.minimum_spanning_edges(G)[2]).values())),
        lambda g: float(sum(d["weight"] for *_, d in nx.minimum_spanning_edges(g))),
    ),
    "topological_sort": (ordered, valid_of("topological_sort")),
    "topological_generations": (
        lambda G: dense(lg.topological_generations(G)),
        lambda g: {v: i for i, part in enumerate(nx.topological_generations(g)) for v in part},
    ),
    "bipartite.color": (
        lambda G: sides(dense(lg.bipartite_color(G)), G.to_networkx()),
        lambda g: sides(nx.bipartite.color(g), g),
    ),
    "maximal_matching": (matched, valid_of("maximal_matching")),
    "greedy_color": (coloured, valid_of("greedy_color")),
    "maximal_independent_set": (independent, valid_of("maximal_independent_set")),
}  # fmt: skip
"""Ours and theirs, in a form that can be compared."""

DISREGARD_DIRECTIONS = {
    "common_neighbors", "connected_components", "is_connected", "jaccard_coefficient", "k_truss",
    "maximal_independent_set", "maximal_matching", "number_connected_components", "triangles",
}  # fmt: skip
"""NetworkX refuses directed graphs, and ours answers as for the graph without directions."""

UNDIRECTED_TOO = {"strongly_connected_components", "weakly_connected_components"}
"""NetworkX refuses undirected graphs, and ours finds their components."""

LOOPS_COUNT = {"jaccard_coefficient", "maximal_independent_set"}
"""NetworkX counts a vertex with a loop among its own neighbours."""

WITHOUT_LOOPS = {"core_number", "k_core", "k_truss"} | LOOPS_COUNT
"""NetworkX refuses graphs with loops or counts them, and ours answers as without them."""

NOT_UNIQUE = {("hits", "two parts")}
"""There several vectors are eigenvectors of the largest eigenvalue."""

DIFFERENT = {"label_propagation_communities"}
"""The page says how."""


def weighted(g: Any) -> Any:
    for number, (_, _, data) in enumerate(g.edges(data=True)):
        data["weight"] = 1 + number * 7 % 9
    return g


def graphs() -> dict[str, Any]:
    loops = nx.gnp_random_graph(12, 0.3, seed=3), nx.gnp_random_graph(12, 0.2, 3, directed=True)
    for g in loops:
        g.add_edge(0, 0)
    made = {
        "undirected": nx.gnp_random_graph(20, 0.2, seed=1),
        "two parts": nx.disjoint_union(nx.cycle_graph(6), nx.path_graph(4)),
        "directed": nx.gnp_random_graph(20, 0.15, seed=2, directed=True),
        "strongly connected": nx.gnp_random_graph(8, 0.6, seed=9, directed=True),
        "acyclic": nx.DiGraph([(0, 1), (0, 2), (1, 2), (2, 3), (1, 3), (4, 3)]),
        "loops": loops[0],
        "directed loops": loops[1],
    }
    return {name: weighted(g) for name, g in made.items()}


def test_hits_where_several_answers_are_right() -> None:
    """NetworkX takes any vector of the largest eigenvalue of AᵀA, where it has several."""
    for seed, alike in (0, False), (1, True), (3, False), (4, True):
        g = nx.gnp_random_graph(12, 0.2, seed=seed)
        largest, next_one = sorted(np.linalg.svd(nx.to_numpy_array(g))[1])[:-3:-1]
        assert (largest - next_one > 0.1) == alike
        ours = lg.hits(lg.Graph.from_networkx(g), tol=1e-10, max_iter=3000)[0]
        value = np.array([*dense(ours).values()])
        theirs = [*nx.hits(g, tol=1e-12, max_iter=3000)[0].values()]
        assert np.allclose(value, theirs, atol=1e-6) == alike and value.min() > -1e-12
    assert "`lg.hits`" in PAGE.read_text().partition("## Where NetworkX differs")[2]


def named_on_the_page() -> set[str]:
    """The functions of the last column, where "the same" are the names of ours."""
    names: set[str] = set()
    for line in PAGE.read_text().splitlines():
        if line.startswith("| ") and "`lg." in line:
            _, ours, theirs = (cell.strip() for cell in line.strip("|").split("|"))
            names |= set(re.findall(r"`lg\.(\w+)`" if theirs == "the same" else r"`([\w.]+)`",
                                    ours if theirs == "the same" else theirs))  # fmt: skip
    return names


def test_every_name_on_the_page_is_compared() -> None:
    assert named_on_the_page() == COMPARED.keys()


@pytest.mark.parametrize("name", COMPARED)
def test_both_answer_the_same(name: str) -> None:
    ours, theirs = COMPARED[name]
    answered = 0
    for what, g in graphs().items():
        G, other = lg.Graph.from_networkx(g), called(theirs, g)
        h = g
        if name in DISREGARD_DIRECTIONS and g.is_directed():
            h = g.to_undirected()
        if name in UNDIRECTED_TOO and not g.is_directed():
            h = g.to_directed()
        if name in WITHOUT_LOOPS and "loops" in what:
            h = nx.restricted_view(h, [], [(0, 0)]).copy()
        if h is not g:
            assert other == "refused" or name in LOOPS_COUNT
            other = theirs(h)
        found = called(ours, G)
        if name == "transitivity" and g.is_directed():
            assert near(found, nx.transitivity(g.to_undirected())) and not near(found, other)
        elif name not in DIFFERENT and (name, what) not in NOT_UNIQUE:
            assert near(found, other), what
        answered += other != "refused"
    assert answered >= 1
