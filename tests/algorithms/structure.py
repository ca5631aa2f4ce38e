"""What the tests of the structural algorithms share: NetworkX' view of an example."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import strategies as st

import lagraph_gpu as lg
from tests import graphs
from tests.strategies import any_graph

BATTERY = tuple(e for e in (graphs.EMPTY, *graphs.BATTERY) if e.n <= 2000)


def undirected(example: graphs.Example) -> graphs.Example:
    """The same edges, each in both directions; of two opposite ones the last."""
    edges = {(min(u, v), max(u, v)): (u, v, w) for u, v, w in example.edges}
    return replace(example, edges=tuple(edges.values()), directed=False)


def onwards(example: graphs.Example) -> graphs.Example:
    """The edges turned to lead to larger ids, without loops: a graph without cycles."""
    edges = {(min(u, v), max(u, v)): w for u, v, w in example.edges if u != v}
    kept = tuple((u, v, w) for (u, v), w in edges.items())
    return replace(example, edges=kept, directed=True)


def two_sides(example: graphs.Example) -> graphs.Example:
    """The edges between even and odd ids: a bipartite graph."""
    kept = tuple(e for e in undirected(example).edges if (e[0] + e[1]) % 2)
    return replace(example, edges=kept, directed=False)


def network(example: graphs.Example, directed: bool | None = None) -> Any:
    """The NetworkX graph of an example, neighbours by increasing id."""
    directed = example.directed if directed is None else directed
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(example.n))
    for (u, v), w in sorted(example.adjacency.entries.items()):
        g.add_edge(u, v, weight=w.item())
    return g


def smallest(n: int, parts: Any) -> list[int]:
    """Each vertex' label: the smallest of its part."""
    label = [-1] * n
    for part in parts:
        for v in part:
            label[v] = min(part)
    return label


def values(v: lg.Vector) -> list[Any]:
    return v.to_dense().tolist()


def random_directed(n: int, m: int, seed: int, backend: Any = "cpu") -> lg.Graph:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n, (2, m))
    return lg.Graph.from_edges(*ends, n=n, dup="first", backend=backend)


some_graphs: st.SearchStrategy[graphs.Example] = any_graph() | st.just(graphs.EMPTY)
