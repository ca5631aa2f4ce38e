"""What tests of algorithms share: NetworkX' view of a graph, and which backends can multiply."""

from __future__ import annotations

from functools import cache
from typing import Any

import networkx as nx
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import UnsupportedOperation
from semirings import plus_pair
from tests import graphs
from tests.harness import CPU, GPU


@cache
def multiplies(backend: Any) -> bool:
    """Can this backend multiply two matrices?"""
    A = lg.Matrix.from_coo([0, 1], [1, 0], [1, 2], backend=backend)
    try:
        plus_pair(A @ A).new()
    except UnsupportedOperation:
        return False
    return True


def needs_products(backend: Any) -> None:
    if not multiplies(backend):
        pytest.skip(f"the {backend.name} backend has no product of two matrices yet")


def able() -> list[Any]:
    """The backends under test that can multiply two matrices."""
    return [b for b in (CPU, GPU) if multiplies(b)]


def networkx_of(example: graphs.Example, loops: bool = True, directed: bool | None = None) -> Any:
    """The example for NetworkX; ``directed=False`` forgets the direction."""
    directed = example.directed if directed is None else directed
    g: Any = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(example.n))
    for u, v, w in example.edges:
        if loops or u != v:
            g.add_edge(u, v, weight=w if example.weighted else 1)
    return g


def dense(v: lg.Vector) -> list[Any]:
    """The values of a vector that has an entry everywhere."""
    assert v.nvals == v.size
    return v.to_dense().tolist()
