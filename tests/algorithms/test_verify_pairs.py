"""The verifier of two sides accepts what is right and refuses what is mangled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import NotBipartite, VerificationError
from lagraph_gpu.verify import verify_bipartite
from tests import graphs
from tests.algorithms.views import networkx_of
from tests.harness import BOTH, CPU, reseed
from tests.strategies import examples, seeds, some_graphs


def refused(match: str, check: Callable[..., None], *args: Any, **named: Any) -> None:
    with pytest.raises(VerificationError, match=match):
        check(*args, **named)


@examples(60)
@given(example=some_graphs)
def test_only_the_right_answer_passes(example: graphs.Example) -> None:
    G = example.graph(CPU)
    right = nx.is_bipartite(networkx_of(example, directed=False))
    assert lg.is_bipartite(G) is right
    verify_bipartite(G, right)
    refused(f"bipartite, answer: expected {right}, .* got {not right}", verify_bipartite, G,
            not right)  # fmt: skip


@examples(40)
@given(example=some_graphs, data=st.data(), seed=seeds)
def test_no_other_sides_pass(example: graphs.Example, data: Any, seed: int) -> None:
    """Any one vertex on the other side; and a whole component turned over."""
    reseed(seed)
    for backend in BOTH:
        G = graphs.bipartite(example).graph(backend)
        side = lg.bipartite_color(G)
        verify_bipartite(G, True, side)
    if not G.n:
        return
    v = data.draw(st.integers(0, G.n - 1))
    component = lg.connected_components(G).to_dense()
    single, whole, without = side.dup(), side.dup(), side.dup()
    single[v] = 1 - side.get(v)
    for w in range(G.n):
        if component[w] == component[v]:
            whole[w] = 1 - side.get(w)
    del without[v]
    alone = (component == component[v]).sum() == 1
    refused(f"bipartite, {'smallest' if alone else 'proper'}", verify_bipartite, G, True, single)
    refused(f"bipartite, smallest: expected side 0 at vertex {component[v]}, .* got 1",
            verify_bipartite, G, True, whole)  # fmt: skip
    refused(f"bipartite, entries: .* position {v}", verify_bipartite, G, True, without)
    for other in (2, -1):
        single[v] = other
        refused(f"bipartite, range: .* from 0 to 1 at position {v}", verify_bipartite, G, True,
                single)  # fmt: skip


def test_what_sides_must_be() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend=CPU)
    side = lg.bipartite_color(G)
    refused("type: expected each side as an integer", verify_bipartite, G, True, side.dup("FP64"))
    refused("size", verify_bipartite, G, True, lg.Vector("INT64", 4, backend=CPU))
    triangle = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], backend=CPU)
    with pytest.raises(NotBipartite):
        lg.bipartite_color(triangle)
    refused("answer", verify_bipartite, triangle, True, side)
    loop = lg.Graph.from_edges([0, 2], [1, 2], backend=CPU)
    refused("answer: expected False", verify_bipartite, loop, True)
    refused("answer: .* got None", verify_bipartite, G, None)
