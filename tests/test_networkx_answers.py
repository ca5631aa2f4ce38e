"""The NetworkX backend where several answers are right: each is checked for what makes it one."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.networkx_backend import backend
from lagraph_gpu.networkx_backend.dispatch import IMPLEMENTED, NETWORKX
from tests.strategies import examples
from tests.test_networkx_backend import agree, drawn, ours, outcome, theirs


@pytest.fixture(autouse=True)
def on_the_cpu() -> Iterator[None]:
    with lg.backend("cpu"):
        yield


SOURCES, TARGETS = st.sampled_from(["a", 3, "missing"]), st.sampled_from(["a", "b", "missing"])

# --- paths --------------------------------------------------------------------------------------


def measured(G: Any, weight: str | None, result: Any) -> Any:
    """Each path as its end and its length."""
    if isinstance(result, dict):
        return {v: measured(G, weight, value) for v, value in result.items()}
    if isinstance(result, tuple):
        return tuple(measured(G, weight, part) for part in result)
    if not isinstance(result, list):
        return result
    steps = [G.edges[u, v] for u, v in pairwise(result)]
    return result[-1], sum(step.get(weight, 1) for step in steps)


def compare_paths(G: Any, name: str, *args: Any, weight: str | None = "weight") -> None:
    found = []
    for function in (ours, theirs):
        result = outcome(function, name, G, *args)
        pairs = isinstance(result, list) and isinstance(result[0], tuple) and len(result[0]) == 2
        result = dict(result) if pairs and isinstance(result[0][1], (dict, tuple)) else result
        found.append(measured(G, weight, result))
    assert agree(*found), (name, args, found)


@given(drawn(), SOURCES, TARGETS)
@examples(20)
def test_paths_are_shortest(G: Any, source: Any, target: Any) -> None:
    for name, *args in (
        ("single_source_shortest_path", source),
        ("single_source_shortest_path", source, 1),
        ("single_target_shortest_path", source),
        ("all_pairs_shortest_path",),
        ("bidirectional_shortest_path", source, target),
        ("shortest_path", source, target),
        ("shortest_path", source),
        ("shortest_path", None, target),
        ("shortest_path",),
    ):
        compare_paths(G, name, *args, weight=None)
    for name, *args in (
        ("single_source_dijkstra", source),
        ("single_source_dijkstra", source, target),
        ("single_source_dijkstra", source, target, 7.5),
        ("single_source_dijkstra_path", source, 7.5),
        ("multi_source_dijkstra", [source, target]),
        ("multi_source_dijkstra", [source], target),
        ("multi_source_dijkstra", []),
        ("multi_source_dijkstra_path", {source, target}),
        ("dijkstra_path", source, target),
        ("bidirectional_dijkstra", source, target),
        ("all_pairs_dijkstra",),
        ("all_pairs_dijkstra_path", 7),
        ("astar_path", source, target),
        ("astar_path_length", source, target),
        ("shortest_path", source, target, "weight"),
        ("shortest_path", source, None, "weight"),
        ("shortest_path", None, target, "weight"),
        ("shortest_path", None, None, "weight"),
    ):
        compare_paths(G, name, *args)


@given(drawn(directed=True, weights=st.integers(-3, 9)), SOURCES, TARGETS)
@examples(20)
def test_paths_with_weights_of_either_sign(G: Any, source: Any, target: Any) -> None:
    for name, *args in (
        ("single_source_bellman_ford", source),
        ("single_source_bellman_ford", source, target),
        ("single_source_bellman_ford_path", source),
        ("bellman_ford_path", source, target),
        ("all_pairs_bellman_ford_path",),
        ("johnson",),
        ("negative_edge_cycle",),
        ("shortest_path", source, target, "weight", "bellman-ford"),
        ("shortest_path", source, None, "weight", "bellman-ford"),
        ("shortest_path", None, target, "weight", "bellman-ford"),
        ("shortest_path", None, None, "weight", "bellman-ford"),
    ):
        compare_paths(G, name, *args)


@given(drawn(weights=st.sampled_from([0, 1, 2])), SOURCES, TARGETS)
@examples(20)
def test_predecessors(G: Any, source: Any, target: Any) -> None:
    for name, *args in (
        ("predecessor", source),
        ("predecessor", source, target, 2),
        ("predecessor", source, target, None, True),
        ("predecessor", source, None, 1, True),
        ("dijkstra_predecessor_and_distance", source),
        ("dijkstra_predecessor_and_distance", source, 2),
        ("bellman_ford_predecessor_and_distance", source),
    ):
        a, b = (unordered(outcome(f, name, G, *args)) for f in (ours, theirs))
        assert agree(a, b), (name, args, a, b)


def test_a_loop_of_no_length_comes_once() -> None:
    G = nx.Graph([("a", "b"), ("b", "b", {"weight": 0})])
    for name in ("dijkstra_predecessor_and_distance", "bellman_ford_predecessor_and_distance"):
        a, b = (unordered(f(name, G, "a")) for f in (ours, theirs))
        assert a == b and len(a[0]["b"]) == 2


@pytest.mark.parametrize("length", [-1, 0, 1])
def test_a_node_alone_with_a_loop(length: int) -> None:
    G = nx.Graph()
    G.add_edge("a", "a", weight=length)
    a, b = (outcome(f, "bellman_ford_predecessor_and_distance", G, "a") for f in (ours, theirs))
    assert a == b


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("weight", [-0.5, 0, 2])
def test_an_edge_there_and_back(kind: type, weight: float) -> None:
    """Below 0 it is a negative cycle, but only where one may come back."""
    G = kind()
    G.add_edge("a", "b", weight=weight)
    for name in ("negative_edge_cycle", "johnson"):
        a, b = (outcome(f, name, G) for f in (ours, theirs))
        assert a == b, (name, a, b)


def unordered(result: Any) -> Any:
    """Lists of predecessors without their order."""
    if isinstance(result, tuple):
        return tuple(map(unordered, result))
    if isinstance(result, dict):
        return {v: unordered(value) for v, value in result.items()}
    return sorted(map(repr, result)) if isinstance(result, list) else result


@pytest.mark.parametrize("weight", [-1, 1])
def test_a_negative_loop_out_of_reach(weight: int) -> None:
    G = nx.DiGraph([("a", "b")])
    G.add_edge("c", "c", weight=weight)
    a, b = (outcome(f, "bellman_ford_predecessor_and_distance", G, "a") for f in (ours, theirs))
    assert a == b and (a is nx.NetworkXUnbounded) == (weight < 0)


@given(drawn(weights=st.integers(1, 9)))
@examples(15)
def test_floyd_warshall(G: Any) -> None:
    order = list(G)[::-1]
    for nodes in (None, order):
        a, b = (f("floyd_warshall_numpy", G, nodes) for f in (ours, theirs))
        assert type(a) is np.ndarray and a.dtype == b.dtype and np.array_equal(a, b)
    last, distance = ours("floyd_warshall_predecessor_and_distance", G)
    assert agree(distance, theirs("floyd_warshall", G))
    for u in G:
        others = set(last.get(u, ())) - {u}
        for v in others:
            path = nx.reconstruct_path(u, v, last)
            assert measured(G, "weight", path) == (v, distance[u][v])
        assert others == nx.descendants(G, u)
    with pytest.raises(nx.NetworkXError):
        ours("floyd_warshall_numpy", G, [*order, order[0]])


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_node_with_a_loop_is_its_own_predecessor(kind: type) -> None:
    G = kind()
    G.add_weighted_edges_from([(0, 1, 3), (1, 2, 1), (2, 0, 9), (1, 1, 2), (3, 3, 1)])
    G.add_node(4)
    name = "floyd_warshall_predecessor_and_distance"
    last, distance = ours(name, G)
    assert (last, distance) == theirs(name, G)
    assert last[1][1] == 1 and last[3] == {3: 3} and 4 not in last


@pytest.mark.parametrize(
    "name",
    ["floyd_warshall", "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance"],
)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_floyd_warshall_leaves_negative_cycles_to_networkx(kind: type, name: str) -> None:
    """It answers, by a diagonal below 0, and from version 3.7 on it raises an error."""
    G = kind()
    G.add_weighted_edges_from([(0, 1, -3), (1, 2, 1), (2, 0, 1)])
    with contextlib.suppress(nx.NetworkXUnbounded):
        assert isinstance(theirs(name, G), (dict, tuple, np.ndarray))
    with pytest.raises(NotImplementedError, match="lies on a shorter one"):
        ours(name, G)


# --- a heuristic --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_search_that_looks_towards_its_target(kind: type) -> None:
    G = kind(nx.grid_2d_graph(6, 7))
    for i, (u, v) in enumerate(G.edges):
        G.edges[u, v]["weight"] = 1 + i * i % 5

    def bound(u: Any, v: Any) -> float:
        return abs(u[0] - v[0]) + abs(u[1] - v[1])

    for end in ((5, 6), (0, 3), (0, 0)):
        found = ours("astar_path", G, (0, 0), end, bound)
        assert measured(G, "weight", found) == (
            end,
            ours("astar_path_length", G, (0, 0), end, bound),
        )
        assert nx.path_weight(G, found, "weight") == nx.dijkstra_path_length(G, (0, 0), end)


def test_a_heuristic_that_networkx_must_judge() -> None:
    G = nx.path_graph(4)
    for heuristic in ({0: 1.0, 1: 1.0}.__getitem__, lambda u: 1.0):
        with pytest.raises(NotImplementedError):
            ours("astar_path", G, 0, 2, lambda u, v, h=heuristic: h(u))
    with pytest.raises(NotImplementedError):  # more than 0 at the target itself
        ours("astar_path", G, 0, 2, lambda u, v: 1)


# --- searches -----------------------------------------------------------------------------------


@given(drawn(), SOURCES, st.sampled_from([None, 0, 1, 2]))
@examples(20)
def test_a_queue_takes_edges_in_their_order(G: Any, source: Any, depth: int | None) -> None:
    """Exactly NetworkX' order on the graph that comes back: its edges are in the order of ours."""
    back = backend.convert_to_nx(backend.convert_from_nx(G))
    for name, *args in (
        ("bfs_edges", source, False, depth),
        ("bfs_edges", source, True, depth),
        ("generic_bfs_edges", source, None, depth),
        ("bfs_predecessors", source, depth),
        ("bfs_successors", source, depth),
        ("bfs_tree", source, False, depth),
        ("bfs_tree", source, True, depth),
    ):
        if name in IMPLEMENTED:  # bfs_predecessors not from NetworkX 3.7 on
            a, b = outcome(ours, name, G, *args), outcome(theirs, name, back, *args)
            assert agree(a, b), (name, args, a, b)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_queue_of_many(kind: type) -> None:
    pairs = list(nx.gnm_random_graph(60, 240, seed=1).edges)
    random.Random(2).shuffle(pairs)
    G = kind(pairs)
    back = backend.convert_to_nx(backend.convert_from_nx(G))
    source = pairs[0][0]
    assert ours("bfs_edges", G, source) == theirs("bfs_edges", back, source)


@given(drawn(), st.sampled_from(["a", 3, "missing", None]))
@examples(20)
def test_a_walk_takes_nodes_in_their_order(G: Any, source: Any) -> None:
    place = {v: i for i, v in enumerate(G)}

    def first(nodes: Any) -> list[Any]:
        return sorted(nodes, key=place.__getitem__)

    for name in (
        "edges",
        "tree",
        "predecessors",
        "successors",
        "preorder_nodes",
        "postorder_nodes",
    ):
        a = outcome(ours, f"dfs_{name}", G, source)
        b = outcome(theirs, f"dfs_{name}", G, source, sort_neighbors=first)
        assert agree(a, b), (name, a, b)


@given(drawn(directed=True, weights=st.integers(-3, 5)))
@examples(20)
def test_orders_and_longest_paths(G: Any) -> None:
    H = backend.convert_from_nx(G)
    if not nx.is_directed_acyclic_graph(G):
        for call in (lambda: backend.topological_sort(H), lambda: ours("dag_longest_path", G)):
            with pytest.raises(nx.NetworkXUnfeasible):
                call()
        return
    place = {v: i for i, v in enumerate(backend.topological_sort(H))}
    assert place.keys() == set(G) and all(place[u] < place[v] for u, v in G.edges)
    a, b = (measured(G, "weight", f("dag_longest_path", G))[1] for f in (ours, theirs))
    assert a == b == ours("dag_longest_path_length", G)


# --- colours, communities ------------------------------------------------------------------------


@given(drawn(directed=False), st.sampled_from(["largest_first", "random_sequential"]))
@examples(20)
def test_first_fit_colours(G: Any, strategy: str) -> None:
    """Those of NetworkX, in its order, also where it draws the order."""
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    state = random.getstate()
    found = list(ours("greedy_color", G, strategy).items())
    random.setstate(state)
    assert found == list(theirs("greedy_color", G, strategy).items())
    assert all(type(colour) is int for _, colour in found)


def test_colours_that_networkx_must_judge() -> None:
    assert "strategy" in str(backend.can_run("greedy_color", (nx.path_graph(3), "DSATUR"), {}))
    with pytest.raises(NotImplementedError):
        ours("greedy_color", nx.Graph([(0, 0), (0, 1)]))


@st.composite
def two_sided(draw: Any) -> Any:
    left, right = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    ends = st.tuples(st.integers(0, left - 1), st.integers(left, left + right - 1))
    G = nx.Graph(draw(st.lists(ends, max_size=14)))
    G.add_nodes_from(range(left + right))
    return nx.relabel_nodes(G, lambda v: f"v{v}"), {f"v{v}" for v in range(left)}


@given(two_sided(), st.booleans())
@examples(20)
def test_matchings_are_largest(case: Any, named: bool) -> None:
    G, top = case
    for name in ("hopcroft_karp_matching", "eppstein_matching"):
        a, b = (outcome(f, name, G, top if named else None) for f in (ours, theirs))
        if a is not b:
            assert type(a) is dict and len(a) == len(b)
            assert all(a[w] == v and G.has_edge(v, w) for v, w in a.items())


def test_sides_that_networkx_must_judge() -> None:
    with pytest.raises(NotImplementedError):
        ours("hopcroft_karp_matching", nx.path_graph(4), {0, 1})


@given(drawn())
@examples(15)
def test_communities_are_a_partition(G: Any) -> None:
    try:
        found = ours("louvain_communities", G)
    except NotImplementedError:
        assert not any(w for *_, w in G.edges(data="weight", default=1))
        return
    assert type(found) is list and all(type(part) is set for part in found)
    assert nx.community.is_partition(G, found)
    if G.size("weight"):
        alone = nx.community.modularity(G, [{v} for v in G])
        assert nx.community.modularity(G, found) >= alone - 1e-9


def test_communities_of_the_club() -> None:
    G = nx.karate_club_graph()
    random.seed(5)
    found = ours("louvain_communities", G, weight=None, seed=random._inst)
    assert nx.community.modularity(G, found, weight=None) > 0.41
    random.seed(5)
    assert ours("louvain_communities", G, weight=None, seed=random._inst) == found
    for bad in ({"seed": 1}, {"max_level": 0}, {"max_level": 1.0}):
        assert backend.can_run("louvain_communities", (G,), bad) is not True


@pytest.mark.skipif(
    NETWORKX >= (3, 7), reason="NetworkX 3.7 has Leiden's method, for another measure by default"
)
@given(drawn())
@examples(10)
def test_leiden_is_there_for_networkx(G: Any) -> None:
    if G.is_directed() or G.is_multigraph():
        return
    try:
        found = nx.community.leiden_communities(G, backend="lagraph", seed=3)
    except NotImplementedError:
        assert not any(w for *_, w in G.edges(data="weight", default=1))
        return
    assert nx.community.is_partition(G, found)
    assert all(nx.is_connected(G.subgraph(part)) for part in found)


# --- draws --------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 5, 34, 35, 0, -1])
@pytest.mark.parametrize("endpoints", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_the_sample_that_networkx_draws(k: Any, endpoints: bool, normalized: bool) -> None:
    named = {"k": k, "endpoints": endpoints, "normalized": normalized}
    for kind in (nx.Graph, nx.DiGraph):
        G = kind(nx.karate_club_graph())
        for seed in (int, np.random.default_rng):
            a = outcome(ours, "betweenness_centrality", G, **named, seed=seed(7))
            b = outcome(nx.betweenness_centrality, G, **named, seed=seed(7))
            assert agree(a, b), (a, b)


def test_walks_along_edges() -> None:
    G = nx.karate_club_graph()
    index: dict[Any, set[int]] = {}
    found = ours("generate_random_paths", G, 40, 6, index)
    assert len(found) == 40 and all(type(path) is list and len(path) == 7 for path in found)
    assert all(G.has_edge(u, v) for path in found for u, v in pairwise(path))
    assert index == {v: {i for i, path in enumerate(found) if v in path} for v in index}
    assert set(index) == {v for path in found for v in path}
    assert all(p[0] == 3 for p in ours("generate_random_paths", G, 5, source=3))
    late = backend.generate_random_paths(backend.convert_from_nx(G), 5, source=99)
    with pytest.raises(nx.NodeNotFound):
        next(late)


def test_walks_follow_weights_and_the_generator() -> None:
    G = nx.Graph()
    G.add_weighted_edges_from([("a", "b", 0), ("b", "c", 1), ("c", "a", 1)])
    rng = np.random.mtrand._rand
    np.random.seed(3)
    found = ours("generate_random_paths", G, 50, 9, seed=rng)
    assert all({u, v} != {"a", "b"} for path in found for u, v in pairwise(path))
    np.random.seed(3)
    assert ours("generate_random_paths", G, 50, 9, seed=rng) == found
    with pytest.raises(NotImplementedError):  # NetworkX cannot leave the last node
        ours("generate_random_paths", nx.DiGraph([("a", "b")]), 5)
    assert "NetworkX draws" in str(backend.can_run("generate_random_paths", (G, 5), {"seed": 1}))


@pytest.mark.parametrize(
    "given",
    [
        [0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0], [-1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 2.0, 0.0],
        [1.0], [1.0] * 5, [float("nan")] * 4,
    ],
)  # fmt: skip
def test_hits_from_any_start(given: list[float]) -> None:
    """The Lanczos iteration of NetworkX begins with any numbers that are not all 0."""
    G = nx.DiGraph([("a", 3), ("a", "b"), ("c", "b"), ("c", "a"), ("b", "a"), (3, "c")])
    nstart = dict(zip([*G, "of no node"], given))
    mine, right = (outcome(function, "hits", G, nstart=nstart) for function in (ours, theirs))
    assert mine is right if isinstance(right, type) else agree(mine, right)


@pytest.mark.parametrize("argument", ["nstart", "dangling", "personalization"])
@pytest.mark.parametrize("given", [{}, {"a": 0, 3: 0}, {"a": 1.0, 3: -1.0}])
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_pagerank_of_numbers_without_a_sum(argument: str, given: dict[Any, float]) -> None:
    """The errors of NetworkX: what it divides by 0 itself, and rounds that do not end."""
    G = nx.DiGraph([("a", 3), (3, "b")])
    results = [outcome(function, "pagerank", G, **{argument: given}) for function in (ours, theirs)]
    assert results[0] is results[1] and issubclass(results[0], Exception)
