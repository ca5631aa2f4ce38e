"""Shortest paths of NetworkX, as lists of nodes.

A search finds distances and a tree of parents (`lagraph_gpu.algorithms.paths.sssp`), and a path is
read from the tree. If there are several shortest paths, any of them may be returned, as in
NetworkX.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.paths.path import path_to
from lagraph_gpu.algorithms.paths.sssp import tight_forest
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.graph import all_ones
from lagraph_gpu.networkx_backend import dispatch
from lagraph_gpu.networkx_backend.dispatch import implements
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from lagraph_gpu.networkx_backend.paths import lengths, not_negative, of_either_sign, several
from semirings import any_secondi

Path = list[Any]
Tree = tuple[lg.Vector, lg.Vector]
"""Distances and parents. Only parents of vertices with a distance count."""


def tree(graph: Graph, roots: Sequence[int], cutoff: Any = None) -> Tree:
    """The tree from the nearest root to every vertex, in the weights of the graph. Without weights
    every edge counts 1.
    """
    start = lg.Vector.from_coo(roots, roots, "INT64", size=graph.n, backend=graph.backend)
    if not graph.kept(all_ones):
        distance = lengths(graph, roots, cutoff)
        return distance, tight_forest(distance, start, graph.A)
    steps = None if cutoff is None else math.floor(min(cutoff, graph.n))
    parent, level = closure_with_rounds(start, graph.A, any_secondi, steps)
    return level, parent


def to_all(G: LagraphGraph, found: Tree) -> tuple[dict[Any, Any], dict[Any, Path]]:
    """The distances and the paths, both as dicts by node, nearest node first."""
    at, value = found[0].to_coo()
    order = np.argsort(value, kind="stable")
    reached = at[order].tolist()
    paths = along(G, reached, found[1].to_dense(fill_value=-1).tolist())
    return dict(zip(G.named(reached), value[order].tolist())), paths


def to_one(G: LagraphGraph, found: Tree, target: Any, otherwise: str) -> tuple[Any, Path]:
    """The distance of the target and the path to it. If there is no path, the error of NetworkX
    with its message.
    """
    distance = found[0].get(G.index[target]) if target in G else None
    if distance is None:
        raise nx.NetworkXNoPath(otherwise)
    path = path_to(found[1], G.index[target])
    return np.asarray(distance).item(), G.named(path or [])


def along(G: LagraphGraph, reached: list[int], parent: list[int]) -> dict[Any, Path]:
    """For each vertex the nodes of the path from its root."""
    found: dict[int, Path] = {}
    for v in reached:
        ahead = []
        while v not in found and parent[v] != v:
            ahead.append(v)
            v = parent[v]
        path = found.setdefault(v, [G.nodes[v]])
        for w in reversed(ahead):
            path = found[w] = [*path, G.nodes[w]]
    return {G.nodes[v]: found[v] for v in reached}


def reversed_paths(paths: dict[Any, Path]) -> dict[Any, Path]:
    return {v: path[::-1] for v, path in paths.items()}


def everywhere(
    G: LagraphGraph, graph: Graph, cutoff: Any = None
) -> Iterator[tuple[Any, dict[Any, Any], dict[Any, Path]]]:
    """(node, distances, paths) for every node."""
    with dispatch.translated():
        for number, source in enumerate(G.nodes):
            yield source, *to_all(G, tree(graph, [number], cutoff))


def ends(G: LagraphGraph, source: Any, target: Any) -> tuple[int, int]:
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Source {source} is not in G")
    return at, dispatch.expect_node(G, target, nx.NodeNotFound, f"Target {target} is not in G")


# --- in edges -----------------------------------------------------------------------------------


def in_edges(G: LagraphGraph, source: Any, what: str, cutoff: Any = None) -> dict[Any, Path]:
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"{what} {source} not in G")
    return to_all(G, tree(G.pattern, [at], cutoff))[1]


@implements(check=dispatch.cutoff_in_edges)
def single_source_shortest_path(
    G: LagraphGraph, source: Any, cutoff: Any = None
) -> dict[Any, Path]:
    """As ``networkx.single_source_shortest_path``."""
    return in_edges(G, source, "Source", cutoff)


@implements(check=dispatch.cutoff_in_edges)
def single_target_shortest_path(
    G: LagraphGraph, target: Any, cutoff: Any = None
) -> dict[Any, Path]:
    """As ``networkx.single_target_shortest_path``."""
    return reversed_paths(in_edges(G.against(), target, "Target", cutoff))


@implements(check=dispatch.cutoff_in_edges, faster="always")
def all_pairs_shortest_path(G: LagraphGraph, cutoff: Any = None) -> Iterator[Any]:
    """As ``networkx.all_pairs_shortest_path``."""
    return ((v, paths) for v, _, paths in everywhere(G, G.pattern, cutoff))


@implements()
def bidirectional_shortest_path(G: LagraphGraph, source: Any, target: Any) -> Path:
    """As ``networkx.bidirectional_shortest_path``."""
    at, _ = ends(G, source, target)
    return to_one(G, tree(G.pattern, [at]), target, f"No path between {source} and {target}.")[1]


# --- with weights of at least 0 -----------------------------------------------------------------


@implements(check=dispatch.cutoff_in_weight)
def multi_source_dijkstra(
    G: LagraphGraph,
    sources: Any,
    target: Any = None,
    cutoff: Any = None,
    weight: str | None = "weight",
) -> Any:
    """As ``networkx.multi_source_dijkstra``."""
    chosen, start = several(G, sources)
    if target in chosen:
        return 0, [target]
    found = tree(not_negative(G.weighted(weight)), start, cutoff)
    return to_all(G, found) if target is None else to_one(G, found, target, f"No path to {target}.")


@implements(check=dispatch.cutoff_in_weight)
def single_source_dijkstra(
    G: LagraphGraph,
    source: Any,
    target: Any = None,
    cutoff: Any = None,
    weight: str | None = "weight",
) -> Any:
    """As ``networkx.single_source_dijkstra``."""
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


@implements(check=dispatch.cutoff_in_weight)
def multi_source_dijkstra_path(
    G: LagraphGraph, sources: Any, cutoff: Any = None, weight: str | None = "weight"
) -> dict[Any, Path]:
    """As ``networkx.multi_source_dijkstra_path``."""
    paths: dict[Any, Path] = multi_source_dijkstra(G, sources, None, cutoff, weight)[1]
    return paths


@implements(check=dispatch.cutoff_in_weight)
def single_source_dijkstra_path(
    G: LagraphGraph, source: Any, cutoff: Any = None, weight: str | None = "weight"
) -> dict[Any, Path]:
    """As ``networkx.single_source_dijkstra_path``."""
    return multi_source_dijkstra_path(G, [source], cutoff, weight)


@implements()
def dijkstra_path(G: LagraphGraph, source: Any, target: Any, weight: str | None = "weight") -> Path:
    """As ``networkx.dijkstra_path``."""
    return multi_source_dijkstra(G, [source], target, None, weight)[1]


@implements()
def bidirectional_dijkstra(
    G: LagraphGraph, source: Any, target: Any, weight: str | None = "weight"
) -> tuple[Any, Path]:
    """As ``networkx.bidirectional_dijkstra``."""
    at, _ = ends(G, source, target)
    found = tree(not_negative(G.weighted(weight)), [at])
    return to_one(G, found, target, f"No path between {source} and {target}.")


@implements(check=dispatch.cutoff_in_weight, faster="always")
def all_pairs_dijkstra(
    G: LagraphGraph, cutoff: Any = None, weight: str | None = "weight"
) -> Iterator[Any]:
    """As ``networkx.all_pairs_dijkstra``."""
    graph = not_negative(G.weighted(weight))
    return ((v, (near, paths)) for v, near, paths in everywhere(G, graph, cutoff))


@implements(check=dispatch.cutoff_in_weight, faster="always")
def all_pairs_dijkstra_path(
    G: LagraphGraph, cutoff: Any = None, weight: str | None = "weight"
) -> Iterator[Any]:
    """As ``networkx.all_pairs_dijkstra_path``."""
    return ((v, found[1]) for v, found in all_pairs_dijkstra(G, cutoff, weight))


def guided(
    G: LagraphGraph, source: Any, target: Any, heuristic: Any, weight: str | None
) -> tuple[Any, Path]:
    """A goal-directed search (A*). The heuristic is called once for every node."""
    graph = not_negative(G.weighted(weight))
    otherwise = f"Node {target} not reachable from {source}"
    if heuristic is None:
        return to_one(G, tree(graph, [G.index[source]]), target, otherwise)
    try:
        bounds = np.fromiter((heuristic(v, target) for v in G.nodes), np.float64, len(G))
    except Exception as error:  # for a node whose estimate NetworkX might not need
        raise NotImplementedError("expected a heuristic that knows every node") from error
    held = lg.Vector.from_dense(bounds, backend=graph.backend)
    found = lg.shortest_path_between(graph, G.index[source], G.index[target], held)
    if found is None:
        raise nx.NetworkXNoPath(otherwise)
    return np.asarray(found[0]).item(), G.named(found[1])


@implements(only={"cutoff": None}, faster="never")
def astar_path(
    G: LagraphGraph,
    source: Any,
    target: Any,
    heuristic: Any = None,
    weight: str | None = "weight",
    *,
    cutoff: Any = None,
) -> Path:
    """As ``networkx.astar_path``."""
    ends(G, source, target)
    return guided(G, source, target, heuristic, weight)[1]


@implements(only={"cutoff": None}, faster="never")
def astar_path_length(
    G: LagraphGraph,
    source: Any,
    target: Any,
    heuristic: Any = None,
    weight: str | None = "weight",
    *,
    cutoff: Any = None,
) -> Any:
    """As ``networkx.astar_path_length``."""
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    return guided(G, source, target, heuristic, weight)[0]


# --- with weights of either sign ----------------------------------------------------------------


@implements()
def single_source_bellman_ford(
    G: LagraphGraph, source: Any, target: Any = None, weight: str | None = "weight"
) -> Any:
    """As ``networkx.single_source_bellman_ford``."""
    if source == target:  # without a check for cycles
        dispatch.expect_node(G, source, nx.NodeNotFound, f"Node {source} is not found in the graph")
        return 0, [source]
    at = dispatch.expect_node(G, source, nx.NodeNotFound, f"Source {source} not in G")
    found = tree(of_either_sign(G.weighted(weight)), [at])
    otherwise = f"Target {target} cannot be reached from given sources"
    return to_all(G, found) if target is None else to_one(G, found, target, otherwise)


@implements()
def single_source_bellman_ford_path(
    G: LagraphGraph, source: Any, weight: str | None = "weight"
) -> dict[Any, Path]:
    """As ``networkx.single_source_bellman_ford_path``."""
    paths: dict[Any, Path] = single_source_bellman_ford(G, source, None, weight)[1]
    return paths


@implements()
def bellman_ford_path(
    G: LagraphGraph, source: Any, target: Any, weight: str | None = "weight"
) -> Path:
    """As ``networkx.bellman_ford_path``."""
    path: Path = single_source_bellman_ford(G, source, target, weight)[1]
    return path


@implements(faster="always")
def all_pairs_bellman_ford_path(G: LagraphGraph, weight: str | None = "weight") -> Iterator[Any]:
    """As ``networkx.all_pairs_bellman_ford_path``."""
    return ((v, paths) for v, _, paths in everywhere(G, of_either_sign(G.weighted(weight))))


@implements(faster="always")
def johnson(G: LagraphGraph, weight: str | None = "weight") -> dict[Any, dict[Any, Path]]:
    """As ``networkx.johnson``."""
    return dict(all_pairs_bellman_ford_path(G, weight))


# --- by the method that is asked for ------------------------------------------------------------


@implements(only={"method": ("dijkstra", "bellman-ford")})
def shortest_path(
    G: LagraphGraph,
    source: Any = None,
    target: Any = None,
    weight: str | None = None,
    method: str = "dijkstra",
) -> Any:
    """As ``networkx.shortest_path``."""
    signed = method == "bellman-ford"
    if source is None and target is None:
        if weight is None:
            return all_pairs_shortest_path(G)
        if signed:
            return all_pairs_bellman_ford_path(G, weight)
        return all_pairs_dijkstra_path(G, None, weight)
    if source is not None and target is not None:
        if weight is None:
            return bidirectional_shortest_path(G, source, target)
        if signed:
            return bellman_ford_path(G, source, target, weight)
        return bidirectional_dijkstra(G, source, target, weight)[1]
    H, root = (G, source) if target is None else (G.against(), target)
    if weight is None:
        paths = single_source_shortest_path(H, root)
    elif signed:
        paths = single_source_bellman_ford_path(H, root, weight)
    else:
        paths = single_source_dijkstra_path(H, root, None, weight)
    return paths if target is None else reversed_paths(paths)
