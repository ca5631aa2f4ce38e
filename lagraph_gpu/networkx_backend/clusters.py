"""Triangles, cores, trusses, similarity and communities of NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.networkx_backend.dispatch import by_node, expect_node, implements, of_nodes
from lagraph_gpu.networkx_backend.graph import LagraphGraph


@implements(directed=False, faster="always")
def triangles(G: LagraphGraph, nodes: Any = None) -> Any:
    """As ``networkx.triangles``."""
    return of_nodes(G, nodes, by_node(G, lg.triangles(G.pattern)))


@implements(only={"weight": None}, faster="always")
def clustering(G: LagraphGraph, nodes: Any = None, weight: str | None = None) -> Any:
    """As ``networkx.clustering``."""
    return of_nodes(G, nodes, by_node(G, lg.clustering(G.pattern)))


@implements(only={"weight": None, "nodes": None, "count_zeros": True}, faster="always")
def average_clustering(
    G: LagraphGraph, nodes: Any = None, weight: str | None = None, count_zeros: bool = True
) -> float:
    """As ``networkx.average_clustering``."""
    if not len(G):
        raise ZeroDivisionError("division by zero")
    return float(G.pattern.kept(lg.average_clustering))


@implements(directed=False, faster="always")
def transitivity(G: LagraphGraph) -> float:
    """As ``networkx.transitivity``."""
    return float(G.pattern.kept(lg.transitivity)) if len(G) else 0


# --- cores and trusses --------------------------------------------------------------------------


def without_loops(G: LagraphGraph) -> None:
    if G.pattern.nloops:
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )


@implements(by_node)
def core_number(G: LagraphGraph) -> Any:
    """As ``networkx.core_number``."""
    without_loops(G)
    return lg.core_number(G.pattern)


def implement_cores(name: str, standard: int, keep: Any) -> None:
    """Offers the subgraph of the nodes whose core number compares so with k, or with the largest
    core number + `standard`.
    """

    @implements(name=name, only={"core_number": None})
    def cores(G: LagraphGraph, k: int | None = None, core_number: Any = None) -> Any:
        """As ``networkx.k_core``, ``networkx.k_shell`` or ``networkx.k_crust``."""
        without_loops(G)
        core = np.asarray(lg.core_number(G.pattern).to_dense(fill_value=0))
        if k is None and not core.size:
            raise NotImplementedError("expected a graph with nodes")
        limit = int(core.max()) + standard if k is None else k
        inside = G.named(np.flatnonzero(keep(core, limit)).tolist())
        return G.to_networkx().subgraph(inside).copy()


implement_cores("k_core", 0, np.greater_equal)
implement_cores("k_shell", 0, np.equal)
implement_cores("k_crust", -1, np.less_equal)


@implements(directed=False, faster="always")
def k_truss(G: LagraphGraph, k: Any) -> Any:
    """As ``networkx.k_truss``."""
    without_loops(G)
    u, v, _ = lg.k_truss(G.pattern, k).A.to_coo()
    return G.to_networkx().edge_subgraph(zip(G.named(u.tolist()), G.named(v.tolist()))).copy()


# --- likeness of pairs --------------------------------------------------------------------------


def named_pairs(given: dict[str, Any]) -> str | None:
    return "lagraph wants the pairs named: ebunch" if given["ebunch"] is None else None


@implements(directed=False, check=named_pairs)
def jaccard_coefficient(G: LagraphGraph, ebunch: Any = None) -> Iterator[Any]:
    """As ``networkx.jaccard_coefficient``."""
    if G.pattern.nloops:
        raise NotImplementedError("NetworkX counts loops as neighbours, lagraph does not")
    pairs = list(ebunch)
    ends = [
        tuple(expect_node(G, x, nx.NodeNotFound, f"Node {x} not in G.") for x in pair)
        for pair in pairs
    ]
    found = lg.jaccard_coefficient(G.pattern, list(dict.fromkeys(ends))).to_coo() if ends else ()
    row, column, value = (part.tolist() for part in found) if ends else ([], [], [])
    share: dict[Any, Any] = dict(zip(zip(row, column), value))
    return iter([(*pair, share.get(at, 0)) for pair, at in zip(pairs, ends)])


# --- communities --------------------------------------------------------------------------------


@implements()
def modularity(
    G: LagraphGraph, communities: Any, weight: str | None = "weight", resolution: float = 1
) -> float:
    """As ``networkx.community.modularity``."""
    communities = list(communities)
    parts = [list(part) for part in communities]
    members = [v for part in parts for v in part]
    if len(members) != len(G) or len(set(members)) != len(G) or any(v not in G for v in members):
        from networkx.algorithms.community.quality import NotAPartition

        raise NotAPartition(G, communities)
    labels = np.empty(len(G), np.int64)
    for number, part in enumerate(parts):
        labels[[G.index[v] for v in part]] = number
    graph = G.weighted(weight)
    if not graph.heaviest:  # no edge, or weights of 0 alone
        raise ZeroDivisionError("division by zero")
    held = lg.Vector.from_dense(labels, backend=graph.backend)
    return float(lg.modularity(graph, held, resolution))
