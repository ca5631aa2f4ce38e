"""Topological orders, longest paths and depth-first search against NetworkX."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import DistanceOverflow, HasCycle, IndexOutOfBound, InvalidValue
from lagraph_gpu.verify import (
    verify_dfs,
    verify_generations,
    verify_longest_path,
    verify_topological_sort,
)
from semirings.types import INT64
from tests import graphs
from tests.algorithms.views import dense, networkx_of
from tests.harness import BOTH, CPU, reseed
from tests.strategies import examples, random_graphs, seeds, some_graphs


def check_dag(example: graphs.Example, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example)
    generation, order = lg.topological_generations(G), lg.topological_sort(G)
    assert (generation.dtype, order.dtype) == (INT64, INT64)
    verify_generations(G, generation)
    verify_topological_sort(G, order)
    right = {v: k for k, part in enumerate(nx.topological_generations(g)) for v in part}
    assert generation.to_dict() == right
    assert dense(order) == sorted(right, key=lambda v: (right[v], v))
    try:
        distance = lg.dag_longest_distance(G)
    except DistanceOverflow:
        assert nx.dag_longest_path_length(g) > np.iinfo(G.A.dtype).max
        return
    assert distance.dtype == G.A.dtype
    assert lg.dag_longest_path_length(G) == nx.dag_longest_path_length(g)
    path = lg.dag_longest_path(G)
    verify_longest_path(G, distance, path, lg.dag_longest_path_length(G))


def check_cycle(example: graphs.Example, backend: Any) -> None:
    """The vertex named lies on a cycle."""
    g = networkx_of(example)
    if nx.is_directed_acyclic_graph(g):
        check_dag(example, backend)
        return
    with pytest.raises(HasCycle, match=r"without cycles, got one through vertex \d+$") as error:
        lg.topological_sort(example.graph(backend))
    v = int(str(error.value).split()[-1])
    assert g.has_edge(v, v) or any(
        v in part for part in nx.strongly_connected_components(g) if len(part) > 1
    )


def check_dfs(example: graphs.Example, source: int | None, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example)
    discovery, parent, finish = lg.dfs(G, source)
    assert {v.dtype for v in (discovery, parent, finish)} == {INT64}
    verify_dfs(G, discovery, parent, finish, source)
    assert by_value(discovery) == list(nx.dfs_preorder_nodes(g, source))
    assert by_value(finish) == list(nx.dfs_postorder_nodes(g, source))
    tree = {(u, v) for v, u in parent.to_dict().items() if u != v}
    assert tree == set(nx.dfs_edges(g, source))


def by_value(order: lg.Vector) -> list[int]:
    place = order.to_dict()
    return sorted(place, key=lambda v: place[v])


@examples(25)
@given(example=some_graphs | random_graphs(weights=st.integers(-5, 5)), seed=seeds)
def test_drawn(example: graphs.Example, seed: int) -> None:
    reseed(seed)
    for backend in BOTH:
        check_dag(graphs.acyclic(example), backend)
        if example.directed:
            check_cycle(example, backend)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_battery(example: graphs.Example) -> None:
    check_dag(graphs.acyclic(example), CPU)
    if example.directed:
        check_cycle(example, CPU)
    check_dfs(example, None, CPU)
    if example.n:
        for source in {0, example.n // 2, example.n - 1}:
            check_dfs(example, source, CPU)


@examples(120)
@given(data=st.data(), example=some_graphs)
def test_drawn_searches(data: Any, example: graphs.Example) -> None:
    source = data.draw(st.none() | st.integers(0, example.n - 1)) if example.n else None
    check_dfs(example, source, CPU)


def test_depth_first_search_comes_back_to_its_backend(backend: Any) -> None:
    example = graphs.NAMED["random 33"]
    found = lg.dfs(example.graph(backend), 4)
    assert {v.backend for v in found} == {backend}
    right = lg.dfs(example.graph(CPU), 4)
    assert [v.to_dict() for v in found] == [v.to_dict() for v in right]


def test_a_deep_path_needs_no_stack() -> None:
    n = 50_000
    G = lg.Graph.from_edges(*graphs.path(n), backend=CPU)
    discovery, parent, finish = lg.dfs(G, 0)
    np.testing.assert_array_equal(discovery.to_dense(), np.arange(n))
    np.testing.assert_array_equal(finish.to_dense(), np.arange(n)[::-1])
    verify_dfs(G, discovery, parent, finish, 0)


@pytest.mark.parametrize("m", [2000, 20000])
def test_larger_random_graphs(m: int) -> None:
    G = graphs.random_directed(2000, m, seed=m)
    verify_dfs(G, *lg.dfs(G))
    verify_dfs(G, *lg.dfs(G, 7), source=7)


def test_long_lengths_do_not_wrap() -> None:
    with pytest.raises(DistanceOverflow, match="INT8"):
        lg.dag_longest_path_length(graphs.NAMED["INT8 by detour"].graph(CPU))
    assert lg.dag_longest_path(graphs.NAMED["INT8 by detour"].graph(CPU)) == [0, 1, 2, 3]


def test_undirected_graphs_have_no_order(backend: Any) -> None:
    G = graphs.NAMED["grid"].graph(backend)
    for ask in (lg.topological_sort, lg.topological_generations, lg.dag_longest_path):
        with pytest.raises(InvalidValue, match="a directed graph for a topological order"):
            ask(G)


@pytest.mark.parametrize("source", [-1, 40, 1.5, True])
def test_source_out_of_range(source: Any) -> None:
    with pytest.raises(IndexOutOfBound, match=r"source.*(n = 40|integer)"):
        lg.dfs(graphs.NAMED["no edges"].graph(CPU), source)
