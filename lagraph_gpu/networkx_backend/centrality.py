"""Centralities and ranks of NetworkX."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.centrality.betweenness import betweenness_from
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_scores
from lagraph_gpu.convert.options import Weight
from lagraph_gpu.errors import NotConverged
from lagraph_gpu.networkx_backend.dispatch import by_node, expect_node, implements
from lagraph_gpu.networkx_backend.graph import LagraphGraph


def along(weight: str | None) -> Weight | None:
    """The value of the argument `weight` of our functions: "weight" if weights count,
    otherwise None.
    """
    return None if weight is None else "weight"


def start(
    G: LagraphGraph, given: Any, without_sum: Exception | None = None
) -> dict[int, float] | None:
    """A dict over nodes as a dict over numbers. Unknown nodes are ignored, as in NetworkX. Numbers
    with the sum 0 cannot be made a distribution; then `without_sum` is raised.
    """
    if given is None or not len(G):
        return None
    numbers = {G.index[v]: float(x) for v, x in given.items() if v in G}
    if sum(numbers.values()) == 0:
        raise without_sum or ZeroDivisionError
    return numbers


@implements(by_node)
def degree_centrality(G: LagraphGraph) -> Any:
    """As ``networkx.degree_centrality``."""
    return lg.degree_centrality(G.pattern)


@implements(by_node, directed=True)
def in_degree_centrality(G: LagraphGraph) -> Any:
    """As ``networkx.in_degree_centrality``."""
    return lg.in_degree_centrality(G.pattern)


@implements(by_node, directed=True)
def out_degree_centrality(G: LagraphGraph) -> Any:
    """As ``networkx.out_degree_centrality``."""
    return lg.out_degree_centrality(G.pattern)


@implements(by_node)
def pagerank(
    G: LagraphGraph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: str | None = "weight",
    dangling: Any = None,
) -> Any:
    """As ``networkx.pagerank``."""
    whole = G.weighted(weight)
    not_a_number = nx.PowerIterationFailedConvergence(
        max_iter
    )  # what NetworkX' rounds compute with
    scale = alpha / (1 - alpha) if 0 < alpha < 1 else 1.0
    return lg.pagerank(
        whole,
        alpha,
        start(G, personalization),
        max_iter,
        tol * whole.n * scale,  # NetworkX' rule: the rounds end when the change is below n · tol
        start(G, nstart, not_a_number),
        along(weight),
        start(G, dangling, not_a_number),
    )


@implements()
def hits(
    G: LagraphGraph,
    max_iter: int = 100,
    tol: float = 1.0e-8,
    nstart: Any = None,
    normalized: bool = True,
) -> tuple[dict[Any, float], dict[Any, float]]:
    """As ``networkx.hits``."""
    if nstart is None or may_begin(G, nstart):
        with suppress(NotConverged):
            first = start(G, nstart)
            found = lg.hits(G.weighted("weight"), max_iter, tol, first, bool(normalized))
            hubs, authorities = (by_node(G, v) for v in found)
            return hubs, authorities
    # NetworkX' Lanczos iteration may converge, and begin with other numbers
    return nx.hits(G.to_networkx(), max_iter, tol, nstart, normalized, backend="networkx")


def may_begin(G: LagraphGraph, given: Any) -> bool:
    """Whether rounds may begin with these numbers: one for each node, of at least 0, and not all
    0."""
    numbers = [float(x) for x in given.values()]
    return len(numbers) == len(G) and all(x >= 0 for x in numbers) and any(numbers)


@implements(by_node, only={"nstart": None}, faster="always")
def eigenvector_centrality(
    G: LagraphGraph,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: str | None = None,
) -> Any:
    """As ``networkx.eigenvector_centrality``."""
    if not len(G):
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    return eigenvector_scores(
        G.weighted(weight), max_iter, tol, None, along(weight), steps=False
    )  # NetworkX has rounds alone


@implements(by_node, only={"nstart": None}, faster="always")
def katz_centrality(
    G: LagraphGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: Any = None,
    normalized: bool = True,
    weight: str | None = None,
) -> Any:
    """As ``networkx.katz_centrality``."""
    try:
        beta = float(beta)
    except (TypeError, ValueError):
        if set(beta) != set(G.nodes):
            message = "beta dictionary must have a value for every node"
            raise nx.NetworkXError(message) from None
        beta = {G.index[v]: float(x) for v, x in beta.items()}
    return lg.katz_centrality(
        G.weighted(weight), alpha, beta, max_iter, tol, None, bool(normalized), along(weight)
    )


def how_many(given: dict[str, Any]) -> str | None:
    whole = given["k"] is None or isinstance(given["k"], (int, np.integer))
    return None if whole else "k must be an integer"


@implements(by_node, only={"weight": None}, check=how_many, faster="always")
def betweenness_centrality(
    G: LagraphGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: str | None = None,
    endpoints: bool = False,
    seed: Any = None,
) -> Any:
    """As ``networkx.betweenness_centrality``, with the sample of sources that NetworkX draws."""
    exact = k is None or k == len(G)
    nodes = G.nodes if exact else nx.utils.create_py_random_state(seed).sample(G.nodes, k)
    sources = [G.index[v] for v in nodes]
    return betweenness_from(G.pattern, sources, exact, bool(normalized), bool(endpoints))


@implements(faster="always")
def closeness_centrality(
    G: LagraphGraph, u: Any = None, distance: str | None = None, wf_improved: bool = True
) -> Any:
    """As ``networkx.closeness_centrality``."""
    graph, weight = G.weighted(distance), along(distance)
    if u is None:
        return by_node(G, lg.closeness_centrality(graph, None, weight, bool(wf_improved)))
    message = f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph"
    at = expect_node(G, u, nx.NodeNotFound, message)
    return float(lg.closeness_centrality(graph, at, weight, bool(wf_improved))[at].get())


@implements(by_node, faster="always")
def harmonic_centrality(
    G: LagraphGraph, nbunch: Any = None, distance: str | None = None, sources: Any = None
) -> Any:
    """As ``networkx.harmonic_centrality``."""
    chosen, origin = (None if b is None else G.bunch(b) for b in (nbunch, sources))
    return lg.harmonic_centrality(G.weighted(distance), chosen, along(distance), origin)
