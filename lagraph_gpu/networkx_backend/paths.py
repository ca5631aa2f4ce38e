"""Shortest path lengths of NetworkX, and measures that follow from them.

All are closures: of one vector for one search, of a matrix of rows for many searches. Lengths in
edges are the rounds of a breadth-first search. Lengths in weights are sums under min_plus, added up
from the source on, and so equal to those of NetworkX to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.distance_types import path_type, within
from lagraph_gpu.algorithms._shared.source_batches import distances
from lagraph_gpu.closure import closure, closure_with_rounds
from lagraph_gpu.errors import NegativeCycle
from lagraph_gpu.graph import Graph
from lagraph_gpu.networkx_backend import dispatch
from lagraph_gpu.networkx_backend.dispatch import implements
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from semirings import any_pair, min_plus

# --- one search ---------------------------------------------------------------------------------


def steps(graph: Graph, sources: Sequence[int], cutoff: int | None = None) -> Any:
    """The number of edges from the nearest source to each vertex."""
    start = lg.Vector.from_coo(sources, True, size=graph.n, backend=graph.backend)
    return closure_with_rounds(start, graph.A, any_pair, cutoff)[1]


def lengths(graph: Graph, sources: Sequence[int], cutoff: Any = None) -> Any:
    """The distance from the nearest source to each vertex, in the weights of the graph."""
    start = lg.Vector.from_coo(sources, 0, path_type(graph), size=graph.n, backend=graph.backend)
    return within(closure(start, graph.A, min_plus), cutoff)


def not_negative(graph: Graph) -> Graph:
    if (graph.lightest or 0) < 0:
        raise NotImplementedError("Dijkstra's method wants weights of at least 0")
    return graph


def of_either_sign(graph: Graph) -> Graph:
    """For Bellman and Ford's method, which in NetworkX does not reach what is infinitely far."""
    most = max(abs(float(weight or 0)) for weight in (graph.lightest, graph.heaviest))
    if not math.isfinite(most * graph.n):
        raise NotImplementedError("Bellman and Ford's method wants distances below infinity")
    return graph


@implements(dispatch.by_value, check=dispatch.cutoff_in_edges)
def single_source_shortest_path_length(G: LagraphGraph, source: Any, cutoff: Any = None) -> Any:
    """As ``networkx.single_source_shortest_path_length``."""
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Source {source} is not in G")
    return steps(G.pattern, [at], cutoff)


@implements(dispatch.by_value, check=dispatch.cutoff_in_edges)
def single_target_shortest_path_length(G: LagraphGraph, target: Any, cutoff: Any = None) -> Any:
    """As ``networkx.single_target_shortest_path_length``."""
    at = dispatch.expect_node(G, target, nx.NodeNotFound, f"Target {target} is not in G")
    return steps(G.against().pattern, [at], cutoff)


@implements(check=dispatch.distance_in_edges)
def descendants_at_distance(G: LagraphGraph, source: Any, distance: Any) -> set[Any]:
    """As ``networkx.descendants_at_distance``."""
    at = dispatch.expect_node(
        G, source, nx.NetworkXError, f"The node {source} is not in the graph."
    )
    return dispatch.as_set(G, steps(G.pattern, [at], distance).select("==", distance).new())


@implements(dispatch.lists)
def bfs_layers(G: LagraphGraph, sources: Any) -> Any:
    """As ``networkx.bfs_layers``."""
    chosen = [sources] if sources in G else list(dict.fromkeys(sources))
    message = "The node {} is not in the graph."
    start = [dispatch.expect_node(G, v, nx.NetworkXError, message.format(v)) for v in chosen]
    return steps(G.pattern, start)


@implements(dispatch.by_value, check=dispatch.cutoff_in_weight)
def single_source_dijkstra_path_length(
    G: LagraphGraph, source: Any, cutoff: Any = None, weight: str | None = "weight"
) -> Any:
    """As ``networkx.single_source_dijkstra_path_length``."""
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Node {source} not found in graph")
    return lengths(not_negative(G.weighted(weight)), [at], cutoff)


@implements(dispatch.by_value, check=dispatch.cutoff_in_weight)
def multi_source_dijkstra_path_length(
    G: LagraphGraph, sources: Any, cutoff: Any = None, weight: str | None = "weight"
) -> Any:
    """As ``networkx.multi_source_dijkstra_path_length``."""
    _, start = several(G, sources)
    return lengths(not_negative(G.weighted(weight)), start, cutoff)


def several(G: LagraphGraph, sources: Any) -> tuple[list[Any], list[int]]:
    """The nodes to search from, each once, and their numbers."""
    chosen = list(dict.fromkeys(sources))
    if not chosen:
        raise ValueError("sources must not be empty")
    message = "Node {} not found in graph"
    return chosen, [dispatch.expect_node(G, v, nx.NodeNotFound, message.format(v)) for v in chosen]


@implements(dispatch.by_value)
def single_source_bellman_ford_path_length(
    G: LagraphGraph, source: Any, weight: str | None = "weight"
) -> Any:
    """As ``networkx.single_source_bellman_ford_path_length``."""
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Source {source} not in G")
    return lengths(of_either_sign(G.weighted(weight)), [at])


# --- between two nodes --------------------------------------------------------------------------


def between(G: LagraphGraph, distances: dict[Any, Any], target: Any, otherwise: str) -> Any:
    """The distance of the target. If there is no path, the error of NetworkX with its message."""
    if target not in G or target not in distances:
        raise nx.NetworkXNoPath(otherwise)
    return distances[target]


@implements()
def has_path(G: LagraphGraph, source: Any, target: Any) -> bool:
    """As ``networkx.has_path``. Without one of the ends there is a path, from or to the other."""
    if source is None or target is None:
        for end in (source, target):
            if end is not None:
                dispatch.expect_node(G, end, nx.NodeNotFound, f"Source {end} not in G")
        return True
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Source {source} is not in G")
    to = dispatch.expect_node(G, target, nx.NodeNotFound, f"Target {target} is not in G")
    return bool(to in steps(G.pattern, [at]))


@implements()
def dijkstra_path_length(
    G: LagraphGraph, source: Any, target: Any, weight: str | None = "weight"
) -> Any:
    """As ``networkx.dijkstra_path_length``."""
    found = single_source_dijkstra_path_length(G, source, None, weight)
    return between(G, found, target, f"Node {target} not reachable from {source}")


@implements()
def bellman_ford_path_length(
    G: LagraphGraph, source: Any, target: Any, weight: str | None = "weight"
) -> Any:
    """As ``networkx.bellman_ford_path_length``."""
    if source == target:  # without a check for cycles
        dispatch.expect_node(G, source, nx.NodeNotFound, f"Node {source} not found in graph")
        return 0
    found = single_source_bellman_ford_path_length(G, source, weight)
    return between(G, found, target, f"node {target} not reachable from {source}")


@implements(only={"method": ("dijkstra", "bellman-ford")})
def shortest_path_length(
    G: LagraphGraph,
    source: Any = None,
    target: Any = None,
    weight: str | None = None,
    method: str = "dijkstra",
) -> Any:
    """As ``networkx.shortest_path_length``."""
    if source is None and target is None:
        if weight is None:
            return all_pairs_shortest_path_length(G)
        signed = method == "bellman-ford"
        return rows(G, weighted_for(G, weight, signed))
    if source is None:
        G, source, target = G.against(), target, None
    if weight is None:
        found = single_source_shortest_path_length(G, source)
        if target is None:
            return found
        dispatch.expect_node(G, target, nx.NodeNotFound, f"Target {target} is not in G")
        return between(G, found, target, f"No path between {source} and {target}.")
    if method == "dijkstra":
        if target is None:
            return single_source_dijkstra_path_length(G, source, None, weight)
        return dijkstra_path_length(G, source, target, weight)
    if target is None:
        return single_source_bellman_ford_path_length(G, source, weight)
    return bellman_ford_path_length(G, source, target, weight)


# --- from all nodes -----------------------------------------------------------------------------


def weighted_for(G: LagraphGraph, weight: str | None, signed: bool = False) -> Graph | None:
    """The graph whose weights are lengths, or None if edges are counted."""
    if weight is None:
        return None
    graph = G.weighted(weight)
    path_type(graph)  # raises an error if the table would not fit
    return of_either_sign(graph) if signed else not_negative(graph)


def blocks(
    G: LagraphGraph, graph: Graph | None, sources: Any = None, cutoff: Any = None
) -> Iterator[tuple[np.ndarray, Any]]:
    """Blocks of sources, each with the matrix of the distances from them, one row for each
    source.
    """
    lay = graph or G.pattern
    start = range(len(G)) if sources is None else sources
    return distances(lay.A, start, None if graph is None else path_type(graph), cutoff)


def rows(
    G: LagraphGraph, graph: Graph | None, cutoff: Any = None
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """(node, {node: distance}) for every node, computed in blocks of sources."""
    with dispatch.translated():
        for block, D in blocks(G, graph, None, cutoff):
            start, column, value = (part.tolist() for part in D.to_csr())
            value = value * len(column) if len(value) == 1 else value
            for i, source in enumerate(block.tolist()):
                part = slice(start[i], start[i + 1])
                found = sorted(zip(value[part], column[part]))
                yield G.nodes[source], {G.nodes[v]: x for x, v in found}


@implements(check=dispatch.cutoff_in_edges, faster="always")
def all_pairs_shortest_path_length(G: LagraphGraph, cutoff: Any = None) -> Any:
    """As ``networkx.all_pairs_shortest_path_length``."""
    return rows(G, None, cutoff)


@implements(check=dispatch.cutoff_in_weight, faster="always")
def all_pairs_dijkstra_path_length(
    G: LagraphGraph, cutoff: Any = None, weight: str | None = "weight"
) -> Any:
    """As ``networkx.all_pairs_dijkstra_path_length``."""
    return rows(G, weighted_for(G, weight), cutoff)


@implements(faster="always")
def all_pairs_bellman_ford_path_length(G: LagraphGraph, weight: str | None = "weight") -> Any:
    """As ``networkx.all_pairs_bellman_ford_path_length``."""
    return rows(G, weighted_for(G, weight, signed=True))


@implements()
def floyd_warshall_numpy(
    G: LagraphGraph, nodelist: list[Any] | None = None, weight: str | None = "weight"
) -> np.ndarray:
    """As ``networkx.floyd_warshall_numpy``."""
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    order = G.bunch(nodelist)
    if len(order) < len(G):
        raise NotImplementedError("expected the nodes of the graph as nodelist")
    try:
        with np.errstate(all="ignore"):
            D = lg.floyd_warshall(G.weighted(weight)).to_dense(fill_value=np.inf, dtype="FP64")
    except NegativeCycle as error:  # where NetworkX has a diagonal below 0
        raise NotImplementedError(str(error)) from error
    return np.asarray(D)[np.ix_(order, order)]


@implements(faster="always")
def floyd_warshall(G: LagraphGraph, weight: str | None = "weight") -> dict[Any, dict[Any, Any]]:
    """As ``networkx.floyd_warshall``."""
    D = floyd_warshall_numpy(G, None, weight)
    return {u: dict(zip(G.nodes, row)) for u, row in zip(G.nodes, D.tolist())}


# --- distances seen as a whole ------------------------------------------------------------------


def eccentricities(G: LagraphGraph, weight: str | None, at: Any = None) -> dict[Any, Any]:
    if not len(G):  # no eccentricities before NetworkX 3.7, which raises an error
        return nx.eccentricity.orig_func(nx.null_graph())  # type: ignore[no-any-return]
    found: dict[Any, Any] = {}
    for block, D in blocks(G, weighted_for(G, weight), at):
        if D.nvals < block.size * len(G):
            what = "the digraph is not strongly" if G.directed else "the graph is not"
            raise nx.NetworkXError(f"Found infinite path length because {what} connected")
        farthest = D.reduce_rowwise("max").new().to_dense(fill_value=0).tolist()
        found.update(zip(G.named(block.tolist()), farthest))
    return found


@implements(only={"sp": None}, faster="always")
def eccentricity(G: LagraphGraph, v: Any = None, sp: Any = None, weight: str | None = None) -> Any:
    """As ``networkx.eccentricity``."""
    found = eccentricities(G, weight, G.bunch(v))
    return found[v] if v in G else found


def extreme(G: LagraphGraph, weight: str | None, choose: Any) -> Any:
    return choose(eccentricities(G, weight).values())


def where_extreme(G: LagraphGraph, weight: str | None, choose: Any) -> list[Any]:
    if not (len(G) or G.directed or weight) and choose is min:
        raise nx.NetworkXPointlessConcept("G has no nodes.")  # NetworkX looks for a tree's centre
    found = eccentricities(G, weight)
    limit = choose(found.values())
    return [v for v, x in found.items() if x == limit]


def implement_extreme(name: str, measure: Any, choose: Any) -> None:
    """Offers a function of NetworkX that depends on all eccentricities."""

    @implements(name=name, only={"e": None, "usebounds": False}, faster="always")
    def extreme_of(
        G: LagraphGraph, e: Any = None, usebounds: bool = False, weight: str | None = None
    ) -> Any:
        """As ``networkx.diameter``, ``networkx.radius``, ``networkx.center`` or
        ``networkx.periphery``.
        """
        return measure(G, weight, choose)


implement_extreme("diameter", extreme, max)
implement_extreme("radius", extreme, min)
implement_extreme("center", where_extreme, min)
implement_extreme("periphery", where_extreme, max)


def total(G: LagraphGraph, graph: Graph | None) -> Any:
    """The sum of all distances, or None if a pair has no path."""
    whole = 0
    for block, D in blocks(G, graph):
        if D.nvals < block.size * len(G):
            return None
        whole += added(D)
    return whole


def added(D: Any) -> Any:
    """The sum of all entries. For integers it is exact, in Python where 64 bits might not
    be enough.
    """
    if D.dtype.kind != "f":
        D = D.apply("identity").new("INT64")
        ends = [int(D.reduce_scalar(which).new().get(0)) for which in ("min", "max")]
        if D.nvals * max(map(abs, ends)) > np.iinfo(np.int64).max:
            return sum(D.to_coo()[2].tolist())
    return np.asarray(D.reduce_scalar("plus").new().value).item()


@implements(only={"method": (None, "unweighted", "dijkstra", "bellman-ford")}, faster="always")
def average_shortest_path_length(
    G: LagraphGraph, weight: str | None = None, method: str | None = None
) -> Any:
    """As ``networkx.average_shortest_path_length``."""
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    weight = None if method == "unweighted" else weight
    signed = method == "bellman-ford"
    found = total(G, weighted_for(G, weight, signed))
    if found is None:
        kind = "strongly connected" if G.directed else "connected"
        raise nx.NetworkXError(f"Graph is not {kind}.")
    return found / (n * (n - 1))


@implements(faster="always")
def wiener_index(G: LagraphGraph, weight: str | None = None) -> Any:
    """As ``networkx.wiener_index``."""
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    found = total(G, weighted_for(G, weight))
    if found is None:
        return float("inf")
    return found if G.directed else found / 2


@implements(directed=False, faster="always")
def global_efficiency(G: LagraphGraph) -> float:
    """As ``networkx.global_efficiency``."""
    n = len(G)
    if n < 2:
        return 0
    near = lg.harmonic_centrality(G.pattern).reduce("plus").new().value
    return float(near) / (n * (n - 1))


@implements(directed=False)
def efficiency(G: LagraphGraph, u: Any, v: Any) -> float:
    """As ``networkx.efficiency``."""
    try:
        return 1 / shortest_path_length(G, u, v)
    except nx.NetworkXNoPath:
        return 0
