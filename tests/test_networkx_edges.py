"""The edges of a NetworkX graph are those of its `edges`, in that order, of any kind and view."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagraph_gpu.convert.networkx_edges import networkx_edges
from tests.strategies import examples

KINDS = nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph
VIEWS = {
    "itself": lambda g: g,
    "some nodes": lambda g: g.subgraph(list(g)[::2]),
    "most nodes": lambda g: g.subgraph(list(g)[:-1]),
    "some edges": lambda g: nx.subgraph_view(g, filter_edge=lambda u, v, *key: (u + v) % 3 > 0),
    "reversed": lambda g: g.reverse(copy=False) if g.is_directed() else g,
    "undirected": lambda g: g.to_undirected(as_view=True),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@examples(20)
@given(pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_edges(kind: Any, view: str, pairs: list[tuple[int, int]]) -> None:
    whole = kind()
    for i, (u, v) in enumerate(pairs):
        whole.add_edge(u, v, weight=i)
    g = VIEWS[view](whole)
    number = {v: i for i, v in enumerate(g)}
    found = networkx_edges(g, number)
    right = list(iter(g.edges(data=True)))
    assert [(u, v) for u, v in zip(found.source.tolist(), found.target.tolist(), strict=True)] == [
        (number[u], number[v]) for u, v, _ in right
    ]
    assert list(found.attributes()) == [data for _, _, data in right]
    assert found.source.dtype == found.target.dtype == np.int64


NODES: dict[str, list[Any]] = {
    "in order": [0, 1, 2], "in another order": [2, 0, 1], "far apart": [0, 10**12, 7],
    "below 0": [-1, 0, 1], "numpy integers": [*np.arange(3)], "mixed": [1, "a", 2.5],
    "truths": [True, 5, 7],
}  # fmt: skip


@pytest.mark.parametrize("nodes", NODES.values(), ids=NODES)
def test_nodes_of_every_kind(nodes: list[Any]) -> None:
    a, b, c = nodes
    g = nx.Graph([(a, b), (b, c), (c, c)])
    found = networkx_edges(g, {v: i for i, v in enumerate(g)})
    assert found.source.tolist() == [0, 1, 2] and found.target.tolist() == [1, 2, 2]


def test_equal_nodes_of_other_types() -> None:
    """NetworkX keeps the node that came first, and in a row what was given."""
    g = nx.Graph([(0, 1)])
    g.add_edge(1.0, 2)
    g.add_edge(np.int64(2), 0.0)
    found = networkx_edges(g, {v: i for i, v in enumerate(g)})
    assert found.source.tolist() == [0, 0, 1] and found.target.tolist() == [1, 2, 2]


def test_an_attribute_of_some_edges() -> None:
    g = nx.Graph([(0, 1, {"w": 5}), (1, 2, {})])
    assert networkx_edges(g, {0: 0, 1: 1, 2: 2}).values("w", 1) == [5, 1]


def test_asking_for_an_attribute_changes_nothing() -> None:
    class Counting(nx.Graph):
        edge_attr_dict_factory = staticmethod(lambda: defaultdict(int))

    g = Counting([(0, 1, {"w": 5}), (1, 2, {})])
    assert networkx_edges(g, {0: 0, 1: 1, 2: 2}).values("w", 1) == [5, 1]
    assert [len(data) for _, _, data in g.edges(data=True)] == [1, 0]
