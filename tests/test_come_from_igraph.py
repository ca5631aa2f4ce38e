"""The page `come-from-igraph.md` says where igraph's default answers are others, and how to get
the same: both are computed on a weighted graph with a vertex that has no edge.

python-igraph is under the GPL, so it is not installed with the tests; the comparison runs where it
is. That the page and this table have the same rows is tested everywhere.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue

PAGE = Path("docs/how-to/come-from-igraph.md")


class Row(NamedTuple):
    """Both calls of a row of the page. Where they differ, the two that agree follow."""

    ours: Callable[[lg.Graph], Any]
    theirs: Callable[[Any], Any]
    agreeing: Callable[[lg.Graph], Any] | None = None
    agreed: Callable[[Any], Any] | None = None


def dense(v: lg.Vector) -> np.ndarray:
    return np.asarray(v.to_dense(fill_value=0), float)


def unit(x: Any) -> np.ndarray:
    return np.asarray(x) / np.max(x)


def bare(G: lg.Graph) -> lg.Graph:
    """The graph without weights."""
    source, target, _ = G.edges()
    return lg.Graph.from_edges(source, target, n=G.n, directed=False, backend="cpu")


def thirds(n: int) -> list[int]:
    return [v % 3 for v in range(n)]


def modularity(G: lg.Graph) -> float:
    return lg.modularity(G, lg.Vector.from_dense(np.array(thirds(G.n)), backend="cpu"))


def joined(G: lg.Graph) -> lg.Graph:
    return lg.largest_component(G)


PAIRS = [(0, 1), (2, 33), (5, 34)]


def jaccard(G: lg.Graph) -> list[float]:
    u, v, share = lg.jaccard_coefficient(G, PAIRS).to_coo()
    found = dict(zip(zip(u.tolist(), v.tolist()), share.tolist()))
    return [found.get(pair, 0.0) for pair in PAIRS]


ROWS = {
    "g.distances(source=v)": Row(
        lambda G: lg.bfs(G, 0)[0].to_dense(fill_value=-1),
        lambda g: np.where(np.isinf(d := np.array(g.distances(0)[0])), -1, d),
    ),
    "g.pagerank()": Row(
        lambda G: dense(lg.pagerank(G)), lambda g: g.pagerank(),
        lambda G: dense(lg.pagerank(G, weight=None)), lambda g: g.pagerank(),
    ),
    "g.hub_score(), g.authority_score()": Row(
        lambda G: dense(lg.hits(G)[0]), lambda g: g.hub_score(),
        lambda G: unit(dense(lg.hits(G, weight=None)[0])), lambda g: g.hub_score(),
    ),
    "g.eigenvector_centrality()": Row(
        lambda G: dense(lg.eigenvector_centrality(G)), lambda g: g.eigenvector_centrality(),
        lambda G: unit(dense(lg.eigenvector_centrality(G))),
        lambda g: g.eigenvector_centrality(),
    ),
    "g.betweenness()": Row(
        lambda G: dense(lg.betweenness_centrality(G, normalized=False)), lambda g: g.betweenness()
    ),
    "g.closeness()": Row(
        lambda G: dense(lg.closeness_centrality(G)), lambda g: g.closeness(),
        lambda G: dense(lg.closeness_centrality(G, wf_improved=False)),
        lambda g: np.nan_to_num(g.closeness()),
    ),
    "g.harmonic_centrality()": Row(
        lambda G: dense(lg.harmonic_centrality(G)), lambda g: g.harmonic_centrality(),
        lambda G: dense(lg.harmonic_centrality(G)),
        lambda g: g.harmonic_centrality(normalized=False),
    ),
    "g.coreness(), g.k_core(k)": Row(lambda G: dense(lg.core_number(G)), lambda g: g.coreness()),
    "g.transitivity_undirected()": Row(
        lambda G: lg.transitivity(G), lambda g: g.transitivity_undirected()
    ),
    "g.transitivity_local_undirected()": Row(
        lambda G: dense(lg.clustering(G)), lambda g: g.transitivity_local_undirected(),
        lambda G: dense(lg.clustering(G)),
        lambda g: g.transitivity_local_undirected(mode="zero"),
    ),
    "g.modularity(membership)": Row(
        modularity, lambda g: g.modularity(thirds(g.vcount())),
        modularity, lambda g: g.modularity(thirds(g.vcount()), weights="weight"),
    ),
    "g.similarity_jaccard(pairs=ps)": Row(
        jaccard, lambda g: g.similarity_jaccard(pairs=PAIRS),
        jaccard, lambda g: g.similarity_jaccard(pairs=PAIRS, loops=False),
    ),
    "g.eccentricity(), g.diameter()": Row(
        lambda G: float(lg.diameter(G)), lambda g: g.diameter(),
        lambda G: float(lg.diameter(joined(G))), lambda g: g.components().giant().diameter(),
    ),
    "g.connected_components(mode=\"weak\")": Row(
        lambda G: len(set(lg.connected_components(G).to_dense())),
        lambda g: len(g.connected_components()),
    ),
    "g.spanning_tree(weights=w)": Row(
        lambda G: float(np.sum(lg.minimum_spanning_tree(G).edges()[2])),
        lambda g: sum(g.spanning_tree(weights="weight").es["weight"]),
    ),
    "g.is_bipartite()": Row(lambda G: lg.is_bipartite(G), lambda g: g.is_bipartite()),
}  # fmt: skip

UNCOMPARED = {
    "g.community_multilevel()", 'g.community_leiden("modularity")',
    "g.community_label_propagation()", "g.topological_sorting()",
    "g.connected_components(mode=\"strong\")", "g.maximum_bipartite_matching()",
}  # fmt: skip
"""Several answers are right, or the graph has none."""


def rows_of_the_page() -> dict[str, str]:
    """What the page says of the difference, by the calls of igraph."""
    text = PAGE.read_text().partition("## The names")[2]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return {row[0].replace("`", ""): row[2].strip() if len(row) > 2 else "" for row in cells}


@pytest.fixture
def graph() -> Iterator[tuple[lg.Graph, Any]]:
    igraph = pytest.importorskip("igraph", reason="python-igraph is under the GPL")
    karate = nx.karate_club_graph()
    edges = list(karate.edges(data="weight"))
    source, target, weight = map(list, zip(*edges))
    g = igraph.Graph(n=35, edges=list(zip(source, target)))
    g.es["weight"] = weight
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of igraph, about vertices without edges
        yield lg.Graph.from_edges(source, target, weight, n=35, directed=False, backend="cpu"), g


def near(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(np.asarray(ours, float), np.asarray(theirs, float), atol=1e-4))


@pytest.mark.parametrize("name", ROWS)
def test_the_answers_differ_where_the_page_says_so(name: str, graph: tuple[lg.Graph, Any]) -> None:
    G, g = graph
    row = ROWS[name]
    if row.agreeing is None or row.agreed is None:
        assert near(row.ours(G), row.theirs(g))
        return
    try:
        assert not near(row.ours(G), row.theirs(g))
    except InvalidValue:
        assert "refused" in rows_of_the_page()[name]
    assert near(row.agreeing(G), row.agreed(g))


def test_the_page_says_where_answers_differ() -> None:
    said = rows_of_the_page()
    assert said.keys() >= ROWS.keys() | UNCOMPARED
    for name, row in ROWS.items():
        assert bool(said[name]) == (row.agreeing is not None), name
    for name in said.keys() - ROWS.keys() - UNCOMPARED:
        assert re.match(r"g\.(vcount|neighbors|induced|bfs|dfs|distances|get_sh)", name), name
