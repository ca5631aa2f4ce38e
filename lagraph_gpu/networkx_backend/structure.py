"""Trees, bipartite sides, degrees, loops and boundaries of NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.networkx_backend.components import count
from lagraph_gpu.networkx_backend.dispatch import by_node, dense, implements
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from semirings import any_pair, plus_second

# --- spanning trees: ranks in place of weights, so that ties fall as in Kruskal's order ----------


def spanning(G: LagraphGraph, weight: str | None, heaviest: bool) -> list[int]:
    """The numbers of the edges that Kruskal's method takes, in the order in which it takes them."""
    values = np.zeros(G.number_of_edges()) if weight is None else G.numbers(weight)
    order = np.argsort(-values if heaviest else values, kind="stable")
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    ranked = lg.Graph.from_edges(G.source, G.target, rank, len(G), directed=False)
    taken = np.sort(lg.minimum_spanning_edges(ranked)[2].to_coo()[1])
    return list(order[taken].tolist())


KRUSKAL = {"algorithm": "kruskal", "ignore_nan": False}


def implement_spanning(kind: str, heaviest: bool) -> None:
    """Implements the edges of a spanning tree, and the tree as a graph."""

    @implements(
        name=f"{kind}_spanning_edges", only={**KRUSKAL, "data": (True, False)}, directed=False
    )
    def edges(
        G: LagraphGraph,
        algorithm: str = "kruskal",
        weight: str | None = "weight",
        keys: bool = True,
        data: bool = True,
        ignore_nan: bool = False,
    ) -> Iterator[Any]:
        """As ``networkx.minimum_spanning_edges`` or ``networkx.maximum_spanning_edges``."""
        found = G.edges_with_data(spanning(G, weight, heaviest))
        return found if data else ((u, v) for u, v, _ in found)

    @implements(name=f"{kind}_spanning_tree", only=KRUSKAL, directed=False)
    def tree(
        G: LagraphGraph,
        weight: str | None = "weight",
        algorithm: str = "kruskal",
        ignore_nan: bool = False,
    ) -> Any:
        """As ``networkx.minimum_spanning_tree`` or ``networkx.maximum_spanning_tree``."""
        T = G.kind()
        T.graph.update(G.graph)
        T.add_nodes_from(zip(G.nodes, G.node_data or [{} for _ in G.nodes]))
        T.add_edges_from(G.edges_with_data(spanning(G, weight, heaviest)))
        return T


implement_spanning("minimum", heaviest=False)
implement_spanning("maximum", heaviest=True)


# --- two sides ----------------------------------------------------------------------------------


@implements()
def is_bipartite(G: LagraphGraph) -> bool:
    """As ``networkx.is_bipartite``."""
    return lg.is_bipartite(G.pattern)


def sides(G: LagraphGraph) -> np.ndarray:
    """The colours of NetworkX: the first node of a component has 1, an isolated node has 0."""
    return (1 - dense(lg.bipartite_color(G.pattern))) * (degrees(G) > 0)


@implements(directed=False)
def color(G: LagraphGraph) -> dict[Any, int]:
    """As ``networkx.bipartite.color``."""
    return dict(zip(G.nodes, sides(G).tolist()))


@implements(name="sets", directed=False)
def two_sets(G: LagraphGraph, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:
    """As ``networkx.bipartite.sets``."""
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(G.nodes) - top
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if count(lg.connected_components(G.pattern)) > 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    side = sides(G)
    one, other = (set(G.named(np.flatnonzero(side == s).tolist())) for s in (1, 0))
    return one, other


def implement_matching(name: str) -> None:
    """Offers a maximum matching by any method: NetworkX guarantees no more."""

    @implements(name=name, directed=False)
    def matching(G: LagraphGraph, top_nodes: Any = None) -> dict[Any, Any]:
        """As ``networkx.bipartite.hopcroft_karp_matching``, which finds one as large."""
        top, _ = two_sets(G, top_nodes)
        chosen = np.fromiter((v in top for v in G.nodes), bool, len(G))
        if (chosen[G.source] == chosen[G.target]).any():
            raise NotImplementedError("expected top_nodes as one side of a bipartite graph")
        mate = by_node(G, lg.maximum_bipartite_matching(G.pattern))
        return {v: G.nodes[w] for v, w in mate.items()}


implement_matching("hopcroft_karp_matching")
implement_matching("eppstein_matching")


# --- degrees ------------------------------------------------------------------------------------


def degrees(G: LagraphGraph) -> np.ndarray:
    """The degrees of NetworkX: edges in and out count, and a loop counts twice."""
    return np.asarray(G.pattern.kept(ends))


def ends(pattern: lg.Graph) -> np.ndarray:
    """The number of ends of edges at each node."""
    return dense(pattern.degree())


def same(values: np.ndarray) -> bool:
    return bool((values == values[0]).all())


@implements()
def is_regular(G: LagraphGraph) -> bool:
    """As ``networkx.is_regular``."""
    if not len(G):
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    if G.directed:
        return same(dense(G.pattern.in_degree)) and same(dense(G.pattern.out_degree))
    return same(degrees(G))


@implements(directed=False)
def is_k_regular(G: LagraphGraph, k: Any) -> bool:
    """As ``networkx.is_k_regular``."""
    return bool((degrees(G) == k).all())


@implements()
def isolates(G: LagraphGraph) -> Iterator[Any]:
    """As ``networkx.isolates``."""
    return iter(G.named(G.pattern.kept(alone).tolist()))


@implements()
def number_of_isolates(G: LagraphGraph) -> int:
    """As ``networkx.number_of_isolates``."""
    return int(G.pattern.kept(alone).size)


def alone(pattern: lg.Graph) -> np.ndarray:
    """The nodes without an edge."""
    return np.flatnonzero(pattern.kept(ends) == 0)


@implements()
def is_empty(G: LagraphGraph) -> bool:
    """As ``networkx.is_empty``."""
    return not G.pattern.nedges


@implements()
def number_of_selfloops(G: LagraphGraph) -> int:
    """As ``networkx.number_of_selfloops``."""
    return int(G.pattern.nloops)


@implements()
def is_eulerian(G: LagraphGraph) -> bool:
    """As ``networkx.is_eulerian``."""
    pattern = G.pattern
    if G.directed:
        balanced = np.array_equal(dense(pattern.in_degree), dense(pattern.out_degree))
    else:
        balanced = not (degrees(G) % 2).any()
    if not balanced:
        return False
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    label = lg.strongly_connected_components if G.directed else lg.connected_components
    return count(label(pattern)) == 1


@implements(directed=True)
def overall_reciprocity(G: LagraphGraph) -> float:
    """As ``networkx.overall_reciprocity``."""
    pattern = G.pattern
    if not pattern.nedges:
        raise nx.NetworkXError("Not defined for empty graphs")
    return float(pattern.kept(returned) / pattern.nedges)


def returned(pattern: lg.Graph) -> int:
    """The edges that have a reverse edge; loops do not count."""
    both = pattern.A.ewise_mult(pattern.A.T, lg.binary.pair).new("BOOL").select("offdiag").new()
    return int(both.nvals)


@implements(only={"nodes": None}, directed=True)
def reciprocity(G: LagraphGraph, nodes: Any = None) -> float:
    """As ``networkx.reciprocity``."""
    return overall_reciprocity(G)


@implements()
def s_metric(G: LagraphGraph) -> float:
    """As ``networkx.s_metric``."""
    degree = degrees(G)
    return float((degree[G.source] * degree[G.target]).sum())


@implements(only={"weight": None, "nodes": None, "source": "out", "target": "out"}, directed=False)
def average_neighbor_degree(
    G: LagraphGraph,
    source: str = "out",
    target: str = "out",
    nodes: Any = None,
    weight: str | None = None,
) -> dict[Any, float]:
    """As ``networkx.average_neighbor_degree``."""
    degree = degrees(G)
    held = lg.Vector.from_dense(degree, backend=G.pattern.backend)
    near = dense(plus_second(G.pattern.A @ held).new())
    return dict(zip(G.nodes, (near / np.maximum(degree, 1)).tolist()))


def several(given: dict[str, Any]) -> str | None:
    """Refuses a single node, for which NetworkX returns its degree."""
    return "S must be a collection of nodes, not one" if given["S"] in given["G"] else None


@implements(only={"weight": None}, check=several)
def volume(G: LagraphGraph, S: Any, weight: str | None = None) -> int:
    """As ``networkx.volume``."""
    degree = dense(G.pattern.out_degree) if G.directed else degrees(G)
    return int(degree.sum() if S is None else degree[numbers_in(G, S)].sum())


# --- borders ------------------------------------------------------------------------------------


def numbers_in(G: LagraphGraph, nodes: Any) -> np.ndarray:
    """The numbers of the given nodes that are in the graph, in their order."""
    index, nodes = G.index, list(nodes)
    try:
        found = [index[v] for v in nodes if v in index]
    except TypeError:  # an unhashable object cannot be a node
        found = [index[v] for v in nodes if v in G]
    return np.array(found, np.int64)


def inside_and_next(G: LagraphGraph, nodes: Any) -> tuple[np.ndarray, np.ndarray]:
    """For each node two flags: whether it is one of these, and whether an edge from one of these
    leads to it.
    """
    inside, beside = np.zeros((2, len(G)), bool)
    inside[numbers_in(G, nodes)] = True
    start = lg.Vector.from_dense(inside, missing_value=False, backend=G.pattern.backend)
    beside[any_pair(start @ G.pattern.A).new().to_coo()[0]] = True
    return inside, beside


@implements()
def node_boundary(G: LagraphGraph, nbunch1: Any, nbunch2: Any = None) -> set[Any]:
    """As ``networkx.node_boundary``."""
    inside, beside = inside_and_next(G, nbunch1)
    border = set(G.named(np.flatnonzero(beside & ~inside).tolist()))
    return border if nbunch2 is None else border & set(nbunch2)


@implements()
def is_dominating_set(G: LagraphGraph, nbunch: Any) -> bool:
    """As ``networkx.is_dominating_set``."""
    inside, beside = inside_and_next(G, nbunch)
    return bool((inside | beside).all())
