"""Functions of NetworkX with several correct answers: sets, colours, communities and walks.

NetworkX guarantees a property of the answer. With a seed it guarantees its own random choice, so
calls with a seed are left to NetworkX. Where NetworkX uses no random numbers, this module uses a
fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.independent_set import greedy_coloring
from lagraph_gpu.graph.graph import all_ones
from lagraph_gpu.networkx_backend.dispatch import as_set, dense, implements, sets
from lagraph_gpu.networkx_backend.graph import LagraphGraph
from lagraph_gpu.networkx_backend.structure import degrees

ANYHOW = getattr(random, "_inst", None), np.random.mtrand._rand
"""The generators that NetworkX uses if the caller gives no seed."""

Check = Callable[[dict[str, Any]], str | None]


def unseeded(given: dict[str, Any]) -> str | None:
    seed = given["seed"]
    free = seed is None or any(seed is one for one in ANYHOW)
    return None if free else "a seed promises what NetworkX draws"


def derived_seed(seed: Any) -> int | None:
    """A seed of ours, drawn from the generator that NetworkX would have used, so that seeding that
    generator still has an effect.
    """
    if seed is None:
        return None
    bits = getattr(seed, "getrandbits", None)
    return int(seed.randint(2**31) if bits is None else bits(32))


def without_loops(G: LagraphGraph) -> None:
    if G.pattern.nloops:
        raise NotImplementedError("a loop counts twice in NetworkX' order by degree")


# --- sets, colours ------------------------------------------------------------------------------


def any_set(given: dict[str, Any]) -> str | None:
    """Accepts only calls that ask for any set."""
    if given["nodes"] is not None:
        return "lagraph chooses the set itself: nodes must be None"
    return unseeded(given)


@implements(check=any_set, directed=False)
def maximal_independent_set(G: LagraphGraph, nodes: Any = None, seed: Any = None) -> list[Any]:
    """As ``networkx.maximal_independent_set``."""
    if not len(G):
        raise NotImplementedError("expected a graph with nodes")
    return list(as_set(G, lg.maximal_independent_set(G.pattern, seed=derived_seed(seed))))


@implements(
    only={"strategy": ("largest_first", "random_sequential"), "interchange": False},
    directed=False,
)
def greedy_color(
    G: LagraphGraph, strategy: Any = "largest_first", interchange: bool = False
) -> dict[Any, int]:
    """As ``networkx.greedy_color``, in its order of the nodes."""
    without_loops(G)
    order = np.arange(len(G))
    if strategy == "largest_first":
        order = np.argsort(-degrees(G), kind="stable")
    else:
        random.shuffle(order)  # type: ignore[arg-type]
    rank = np.empty(len(G), np.int64)
    rank[order] = order.size - 1 - np.arange(order.size)
    pattern = G.pattern
    ranks = lg.Vector.from_dense(rank, backend=pattern.backend)
    colour = dense(greedy_coloring(ranks, pattern.neighbours))[order]
    return dict(zip(G.named(order.tolist()), colour.tolist()))


# --- communities --------------------------------------------------------------------------------


def any_communities(given: dict[str, Any]) -> str | None:
    most = given["max_level"]
    if most is not None and (type(most) is not int or most < 1):
        return "max_level must be an integer of at least 1"
    return unseeded(given)


def with_a_weight(G: LagraphGraph, weight: str | None) -> lg.Graph:
    """The graph with these weights, of which one is above 0."""
    graph = G.weighted(weight)
    if graph.nedges and not graph.heaviest:
        raise NotImplementedError("expected a weight above 0")
    return graph


@implements(check=any_communities, faster="always")
def louvain_communities(
    G: LagraphGraph,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 0.0000001,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    """As ``networkx.community.louvain_communities``."""
    graph = with_a_weight(G, weight)
    return list(sets(G, lg.louvain(graph, resolution, threshold, max_level, derived_seed(seed))))


def any_levels(given: dict[str, Any]) -> str | None:
    """Accepts any seed: NetworkX has no answer of its own for it to promise."""
    return any_communities({**given, "seed": None})


@implements(check=any_levels, directed=False, faster="always", before=(3, 7))
def leiden_communities(
    G: LagraphGraph,
    weight: str | None = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Any]]:
    """As ``networkx.community.leiden_communities``, which NetworkX 3.6 leaves to backends. That of
    NetworkX 3.7 maximizes another measure.
    """
    graph = with_a_weight(G, weight)
    found = lg.leiden(graph, resolution, max_level=max_level, seed=derived_seed(seed))
    return list(sets(G, found))


# --- walks --------------------------------------------------------------------------------------


def later(error: Exception) -> Iterator[Any]:
    """A generator that raises an error when its first result is requested."""
    raise error
    yield


@implements(check=unseeded, faster="always")
def generate_random_paths(
    G: LagraphGraph,
    sample_size: int,
    path_length: int = 5,
    index_map: dict[Any, set[int]] | None = None,
    weight: str | None = "weight",
    seed: Any = None,
    *,
    source: Any = None,
) -> Iterator[list[Any]]:
    """As ``networkx.generate_random_paths``."""
    if not (source is None or source in G):
        return later(nx.NodeNotFound(f"Initial node {source} not in G"))
    rng = np.random.default_rng(derived_seed(seed))
    anywhere = rng.integers(len(G), size=sample_size)
    start = anywhere if source is None else np.full(sample_size, G.index[source])
    graph = G.weighted(weight)
    walks = lg.random_walks(graph, start, path_length, rng, weighted=not graph.kept(all_ones))
    if walks.nvals < start.size * (path_length + 1):
        raise NotImplementedError("a walk comes to a node that no edge leaves")
    paths = [G.named(walk) for walk in walks.to_dense(fill_value=-1).tolist()]
    if index_map is not None:
        for number, path in enumerate(paths):
            for v in path:
                index_map.setdefault(v, set()).add(number)
    return iter(paths)
