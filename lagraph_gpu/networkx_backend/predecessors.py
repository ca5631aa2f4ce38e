"""The predecessors of each node on all shortest paths, and negative cycles, for NetworkX.

An edge (u, v) of weight w lies on a shortest path to v if distance(u) + w = distance(v). NetworkX
lists these predecessors for each node that is reached, in no specified order.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.closure import closure
from lagraph_gpu.errors import NoFixpoint
from lagraph_gpu.networkx_backend.dispatch import (
    by_value,
    cutoff_in_edges,
    cutoff_in_weight,
    expect_node,
    implements,
)
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from lagraph_gpu.networkx_backend.paths import (
    floyd_warshall,
    lengths,
    not_negative,
    of_either_sign,
    steps,
)
from lagraph_gpu.networkx_backend.routes import tree
from semirings import min_plus

Before = dict[Any, list[Any]]


def both_ways(G: LagraphGraph, values: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges with their values in the directions in which they can be followed: undirected edges in
    both.
    """
    values = np.broadcast_to(values, G.source.shape)
    if G.directed:
        return G.source, G.target, values
    back = G.source != G.target
    return (
        np.concatenate([G.source, G.target[back]]),
        np.concatenate([G.target, G.source[back]]),
        np.concatenate([values, values[back]]),
    )


def before(G: LagraphGraph, distance: Any, weights: Any) -> tuple[Before, dict[Any, Any]]:
    """For each node with a distance its predecessors, and the distances."""
    far, reached = distance.to_dense(fill_value=0), np.zeros(len(G), bool)
    reached[distance.to_coo()[0]] = True
    u, v, w = both_ways(G, weights)
    tight = reached[u] & reached[v] & (far[u] + w == far[v])
    distances = by_value(G, distance)
    found: Before = {node: [] for node in distances}
    for a, b in zip(u[tight].tolist(), v[tight].tolist()):
        found[G.nodes[b]].append(G.nodes[a])
    return found, distances


@implements(check=cutoff_in_edges)
def predecessor(
    G: LagraphGraph,
    source: Any,
    target: Any = None,
    cutoff: int | None = None,
    return_seen: bool | None = None,
) -> Any:
    """As ``networkx.predecessor``."""
    at = expect_node(G, source, nx.NodeNotFound, f"Source {source} not in G")
    found, seen = before(G, steps(G.pattern, [at], cutoff or None), 1)  # 0 is none in NetworkX
    if target is None:
        return (found, seen) if return_seen else found
    near = found.get(target, [])
    return (near, seen.get(target, -1)) if return_seen else near


def numbers(G: LagraphGraph, weight: str | None) -> Any:
    return 1 if weight is None else G.numbers(weight)


@implements(check=cutoff_in_weight)
def dijkstra_predecessor_and_distance(
    G: LagraphGraph, source: Any, cutoff: Any = None, weight: str | None = "weight"
) -> tuple[Before, dict[Any, Any]]:
    """As ``networkx.dijkstra_predecessor_and_distance``."""
    at = expect_node(G, source, nx.NodeNotFound, f"Node {source} is not found in the graph")
    distance = lengths(not_negative(G.weighted(weight)), [at], cutoff)
    return before(G, distance, numbers(G, weight))


@implements()
def bellman_ford_predecessor_and_distance(
    G: LagraphGraph,
    source: Any,
    target: Any = None,
    weight: str | None = "weight",
    heuristic: bool = False,
) -> tuple[Before, dict[Any, Any]]:
    """As ``networkx.bellman_ford_predecessor_and_distance``: `target` does not stop the search."""
    at = expect_node(G, source, nx.NodeNotFound, f"Node {source} is not found in the graph")
    graph, weights = of_either_sign(G.weighted(weight)), numbers(G, weight)
    if (np.broadcast_to(weights, G.source.shape)[G.source == G.target] < 0).any():
        raise nx.NetworkXUnbounded("Negative cycle detected.")  # a loop, within reach or not
    if len(G) == 1:  # NetworkX looks at no edge then, not even at a loop of length 0
        return {source: []}, {source: 0}
    return before(G, lengths(graph, [at]), weights)


@implements()
def negative_edge_cycle(
    G: LagraphGraph, weight: str | None = "weight", heuristic: bool = True
) -> bool:
    """As ``networkx.negative_edge_cycle``."""
    graph = G.weighted(weight)
    if not G.number_of_edges() or graph.lightest >= 0:
        return False
    if not G.directed:  # there and back
        return True
    start = lg.Vector.from_scalar(0, graph.n, path_type(graph), backend=graph.backend)
    try:
        closure(start, graph.A, min_plus)
    except NoFixpoint:
        return True
    return False


@implements(faster="always")
def floyd_warshall_predecessor_and_distance(
    G: LagraphGraph, weight: str | None = "weight"
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    """As ``networkx.floyd_warshall_predecessor_and_distance``, from a tree for each source. A node
    with a loop is its own predecessor.
    """
    found, graph = floyd_warshall(G, weight), G.weighted(weight)
    loops = set(G.source[G.source == G.target].tolist())
    last: dict[Any, dict[Any, Any]] = {}
    for number, source in enumerate(G.nodes):
        ends = tree(graph, [number])[1].to_coo()
        pairs = zip(*(part.tolist() for part in ends))
        own = number in loops
        before = {G.nodes[v]: G.nodes[u] for v, u in pairs if own or v != number}
        if before:
            last[source] = before
    return last, found
