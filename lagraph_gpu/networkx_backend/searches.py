"""Breadth-first and depth-first searches of NetworkX: their edges, trees and orders.

A breadth-first search takes the neighbours of a node in the order of `G.edges`, and a depth-first
search by their numbers. NetworkX does not specify the latter order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.networkx_backend.dispatch import expect_node, implements, whole_or_none
from lagraph_gpu.networkx_backend.graph import LagraphGraph

Edge = tuple[Any, Any]


def where(G: LagraphGraph, source: Any) -> int:
    what = "digraph" if G.directed else "graph"
    return expect_node(G, source, nx.NetworkXError, f"The node {source} is not in the {what}.")


def oriented(G: LagraphGraph, roots: Any, edges: Iterator[Edge]) -> nx.DiGraph:
    T = nx.DiGraph()
    T.add_nodes_from(roots)
    T.add_edges_from(edges)
    return T


# --- breadth first ------------------------------------------------------------------------------

plain = functools.partial(
    implements, check=whole_or_none("depth_limit"), only={"sort_neighbors": None}
)
"""Implements a search without an order of neighbours chosen by the caller."""


def queued(G: LagraphGraph, source: Any, depth: int | None = None) -> Iterator[Edge]:
    """The pairs (parent, child), in the order in which a queue takes the children."""
    levels = bfs_queue(G.places.A, max(G.number_of_edges(), 1), where(G, source))
    return (
        (G.nodes[u], G.nodes[v])
        for level, found_by in islice(levels, 1, None if depth is None else depth + 1)
        for u, v in zip(found_by.tolist(), level.tolist())
    )


@plain()
def bfs_edges(
    G: LagraphGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: int | None = None,
    sort_neighbors: Any = None,
) -> Iterator[Edge]:
    """As ``networkx.bfs_edges``."""
    return queued(G.against() if reverse else G, source, depth_limit)


@implements(check=whole_or_none("depth_limit"), only={"neighbors": None})
def generic_bfs_edges(
    G: LagraphGraph, source: Any, neighbors: Any = None, depth_limit: int | None = None
) -> Iterator[Edge]:
    """As ``networkx.generic_bfs_edges``."""
    return queued(G, source, depth_limit)


@plain()
def bfs_tree(
    G: LagraphGraph,
    source: Any,
    reverse: bool = False,
    depth_limit: int | None = None,
    sort_neighbors: Any = None,
) -> nx.DiGraph:
    """As ``networkx.bfs_tree``."""
    return oriented(G, [source], queued(G.against() if reverse else G, source, depth_limit))


@plain(before=(3, 7))
def bfs_predecessors(
    G: LagraphGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator[Edge]:
    """As ``networkx.bfs_predecessors``, which NetworkX 3.7 advises against and 3.9 lacks."""
    return ((child, parent) for parent, child in queued(G, source, depth_limit))


@plain()
def bfs_successors(
    G: LagraphGraph, source: Any, depth_limit: int | None = None, sort_neighbors: Any = None
) -> Iterator[tuple[Any, list[Any]]]:
    """As ``networkx.bfs_successors``: the source is listed even if it has no successor."""
    edges = list(queued(G, source, depth_limit))
    if not edges:
        return iter([(source, [])])
    return ((u, [v for _, v in family]) for u, family in groupby(edges, lambda edge: edge[0]))


# --- depth first --------------------------------------------------------------------------------


def walked(G: LagraphGraph, source: Any) -> tuple[list[Any], list[Edge], list[Any]]:
    """The nodes in the order of discovery, the edges to nodes that are not roots, and the nodes in
    the order of finish.
    """
    start = None if source is None else where(G, source)
    discovery, parent, finish = lg.dfs(G.pattern, start)
    met, left = (at[np.argsort(place)] for at, place, *_ in (discovery.to_coo(), finish.to_coo()))
    above = parent.to_dense(fill_value=-1)[met]
    inner = above != met
    edges = zip(G.named(above[inner].tolist()), G.named(met[inner].tolist()))
    return G.named(met.tolist()), list(edges), G.named(left.tolist())


def implement_walk(name: str, result: Any) -> None:
    """Offers a function of NetworkX that depends on one depth-first walk."""

    @implements(name=name, only={"depth_limit": None, "sort_neighbors": None}, faster="never")
    def walk(
        G: LagraphGraph,
        source: Any = None,
        depth_limit: int | None = None,
        *,
        sort_neighbors: Any = None,
    ) -> Any:
        """As ``networkx.dfs_edges`` and the other functions of one depth-first walk."""
        return result(G, *walked(G, source))


def children(edges: list[Edge]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for u, v in edges:
        found.setdefault(u, []).append(v)
    return found


implement_walk("dfs_edges", lambda G, met, edges, left: iter(edges))
implement_walk("dfs_tree", lambda G, met, edges, left: oriented(G, met, edges))
implement_walk("dfs_predecessors", lambda G, met, edges, left: {v: u for u, v in edges})
implement_walk("dfs_successors", lambda G, met, edges, left: children(edges))
implement_walk("dfs_preorder_nodes", lambda G, met, edges, left: iter(met))
implement_walk("dfs_postorder_nodes", lambda G, met, edges, left: iter(left))
