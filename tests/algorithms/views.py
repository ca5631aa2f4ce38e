"""An example as NetworkX sees it, and answers as Python's lists."""

from __future__ import annotations

from typing import Any

import networkx as nx

import lagraph_gpu as lg
from tests.graphs import Example


def networkx_of(example: Example, loops: bool = True, directed: bool | None = None) -> Any:
    """The NetworkX graph of an example, neighbours by increasing id; ``directed=False`` forgets the
    direction."""
    directed = example.directed if directed is None else directed
    g: Any = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(example.n))
    for (u, v), w in sorted(example.adjacency.entries.items()):
        if loops or u != v:
            g.add_edge(u, v, weight=w.item())
    return g


def smallest(n: int, parts: Any) -> list[int]:
    """Each vertex' label: the smallest of its part."""
    label = [-1] * n
    for part in parts:
        for v in part:
            label[v] = min(part)
    return label


def dense(v: lg.Vector) -> list[Any]:
    """The values of a vector that has an entry everywhere."""
    assert v.nvals == v.size
    return v.to_dense().tolist()
