"""The edges of a NetworkX graph are those of its `edges`, in that order, of any kind and view."""

from __future__ import annotations

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
