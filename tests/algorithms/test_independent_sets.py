"""Independent sets, colourings and matchings: valid, maximal, and what a sequential pass takes."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import random_ranks
from lagraph_gpu.algorithms.structure.independent_set import STRATEGIES
from lagraph_gpu.errors import InvalidValue, NotBipartite
from lagraph_gpu.verify import (
    verify_bipartite,
    verify_coloring,
    verify_independent_set,
    verify_matching,
)
from semirings.types import BOOL, INT64
from tests import graphs
from tests.algorithms.views import dense, networkx_of
from tests.harness import BOTH, CPU, reseed
from tests.strategies import examples, seeds, some_graphs


def simple(example: graphs.Example) -> Any:
    g = networkx_of(example).to_undirected()
    g.remove_edges_from([(v, v) for v in g])
    return g


def check_sets(example: graphs.Example, backend: Any, seed: int) -> list[Any]:
    """A set and two colourings; they are what a pass in the random order would take."""
    G, g = example.graph(backend), simple(example)
    chosen = lg.maximal_independent_set(G, seed)
    assert chosen.dtype == BOOL and all(chosen.to_coo()[1])
    verify_independent_set(G, chosen)
    rank = dense(random_ranks(G, seed))
    orders = {
        "largest_first": sorted(g, key=lambda v: (-g.degree(v), -rank[v])),
        "random_sequential": sorted(g, key=lambda v: -rank[v]),
    }
    first_fit = nx.greedy_color(g, lambda *_: orders["random_sequential"])
    assert set(chosen) == {v for v in g if first_fit[v] == 0}
    found = [sorted(chosen)]
    for strategy in STRATEGIES:
        colour = lg.greedy_color(G, strategy, seed)
        assert colour.dtype == INT64
        verify_coloring(G, colour)
        pass_ = nx.greedy_color(g, lambda *_, order=orders[strategy]: order)
        assert colour.to_dict() == pass_
        found.append(dense(colour))
    return found


def check_matching(example: graphs.Example, backend: Any, seed: int) -> dict[int, int]:
    G, g = example.graph(backend), simple(example)
    mate = lg.maximal_matching(G, seed)
    assert mate.dtype == INT64
    verify_matching(G, mate)
    assert nx.is_maximal_matching(g, {(u, v) for u, v in mate.to_dict().items() if u < v})
    return mate.to_dict()


def check_bipartite(example: graphs.Example, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example).to_undirected()
    assert lg.is_bipartite(G) == nx.is_bipartite(g)
    if not lg.is_bipartite(G):
        with pytest.raises(NotBipartite, match="expected a bipartite graph, got"):
            lg.maximum_bipartite_matching(G)
        return
    side = lg.bipartite_color(G)
    assert side.dtype == INT64
    verify_bipartite(G, True, side)
    mate = lg.maximum_bipartite_matching(G)
    verify_matching(G, mate, maximum=True)
    assert mate.nvals == 2 * len(nx.max_weight_matching(g, maxcardinality=True, weight="none"))


@examples(25)
@given(example=some_graphs, seed=seeds, order=st.integers(0, 9))
def test_drawn(example: graphs.Example, seed: int, order: int) -> None:
    """On both backends the same."""
    reseed(seed)
    one, two = (check_sets(example, backend, order) for backend in BOTH)
    assert one == two
    pairs, again = (check_matching(example, backend, order) for backend in BOTH)
    assert pairs == again


def test_loops_of_directed_graphs() -> None:
    """A loop at a vertex that is found last is a cycle of odd length, too: the search leaves out
    the rows of the second side where both have as many edges, which holds for symmetric rows."""
    everywhere = list(itertools.product(range(3), repeat=2))
    for there in itertools.product((False, True), repeat=len(everywhere)):
        edges = list(itertools.compress(everywhere, there))
        G = lg.Graph.from_edges(*np.array(edges, int).reshape(-1, 2).T, n=3, backend="cpu")
        g = nx.Graph(edges)
        assert lg.is_bipartite(G) == nx.is_bipartite(g), edges


@examples(25)
@given(example=some_graphs, seed=seeds)
def test_drawn_sides(example: graphs.Example, seed: int) -> None:
    reseed(seed)
    for backend in BOTH:
        check_bipartite(example, backend)
        check_bipartite(graphs.bipartite(example), backend)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_battery(example: graphs.Example) -> None:
    check_sets(example, CPU, seed=3)
    check_matching(example, CPU, seed=3)
    check_bipartite(example, CPU)
    if example.n <= 200:
        check_bipartite(graphs.bipartite(example), CPU)


def test_seeds() -> None:
    """The same seed gives the same result, and another one soon a different one."""
    G = graphs.random_directed(200, 600, seed=1)
    for draw in (lg.maximal_independent_set, lg.maximal_matching):
        assert draw(G, 1).isequal(draw(G, 1)) and draw(G, 1).isequal(draw(G, np.int8(1)))
        one, two = (draw(G, np.random.default_rng(1)) for _ in "ab")
        assert one.isequal(two)
        assert any(not draw(G).isequal(one) for _ in range(5))
        assert any(not draw(G, 1).isequal(draw(G, seed)) for seed in range(2, 6))
    assert not lg.greedy_color(G, seed=1).isequal(lg.greedy_color(G, seed=2))


@pytest.mark.parametrize("seed", [-1, "one", 1.5], ids=str)
@pytest.mark.parametrize(
    "ask",
    [
        lg.maximal_independent_set, lg.greedy_color, lg.louvain, lg.maximal_matching,
        lambda G, seed: lg.betweenness_centrality(G, k=2, seed=seed),
        lambda G, seed: lg.random_walks(G, [0], 3, seed=seed),
    ],
)  # fmt: skip
def test_bad_seeds_are_refused(ask: Any, seed: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], n=3, directed=False, backend="cpu")
    with pytest.raises(InvalidValue, match="a seed that numpy"):
        ask(G, seed=seed)


def test_strategies_are_named() -> None:
    with pytest.raises(InvalidValue, match="a strategy among largest_first, random_sequential"):
        lg.greedy_color(graphs.EMPTY.graph(CPU), "smallest_last")


def test_a_loop_is_an_odd_cycle() -> None:
    with pytest.raises(NotBipartite, match="a loop"):
        lg.bipartite_color(graphs.NAMED["one loop"].graph(CPU))


@pytest.mark.parametrize(("n", "m"), [(500, 600), (500, 1000), (400, 4000)])
def test_maximum_matchings_of_scipy(n: int, m: int) -> None:
    """Sparse enough that a maximal matching misses some, so that paths must be turned over."""
    rng = np.random.default_rng(m)
    left, right = rng.integers(0, n, m), n + rng.integers(0, n, m)
    G = lg.Graph.from_edges(left, right, n=2 * n, directed=False, dup="first", backend=CPU)
    mate = lg.maximum_bipartite_matching(G)
    verify_matching(G, mate, maximum=True)
    biadjacency = G.A.to_scipy_sparse().tocsr()[:n, n:]
    assert mate.nvals == 2 * (csgraph.maximum_bipartite_matching(biadjacency) >= 0).sum()


@pytest.mark.parametrize("k", [1, 2, 9, 50])
def test_a_chain_that_must_turn_over_whole(k: int) -> None:
    """A path of 2k vertices has one perfect matching, which no greedy order is sure to find."""
    ids = np.random.default_rng(k).permutation(2 * k)
    G = lg.Graph.from_edges(ids[:-1], ids[1:], n=2 * k, directed=False, backend=CPU)
    assert lg.maximum_bipartite_matching(G).nvals == 2 * k
