"""What the CPU does by a compiled loop, or by SciPy, is what the loops of statements find."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csgraph
from scipy.sparse.linalg import eigsh

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.power_iteration import uniform
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.paths.point_to_point import shortest_path
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides
from lagraph_gpu.algorithms.structure.scc import strong_component_labels
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.cpu.loops import distances, matching, point_to_point, power_iteration
from lagraph_gpu.cpu.loops.pattern import has_rows
from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.searches import bfs
from lagraph_gpu.cpu.loops.watched import unwatched, watched
from lagraph_gpu.cpu.native import failures
from lagraph_gpu.cpu.native.structs import EdgeLimits, Endpoints, Traversal
from lagraph_gpu.cpu.statements.stores import HostRows
from lagraph_gpu.errors import DistanceOverflow, HasCycle, NotConverged
from lagraph_gpu.graph.derived import principal_submatrix
from lagraph_gpu.graph.facts import diagonal_entries, row_lengths
from lagraph_gpu.verify import (
    verify_generations,
    verify_matching,
    verify_path_between,
    verify_topological_sort,
)
from semirings import plus_first, plus_times, types
from semirings.types import FP64
from tests import graphs
from tests.harness import CPU, by_statements, lowered, statements_run
from tests.strategies import examples, random_graphs, seeds, some_graphs

CALLS: dict[str, Callable[[lg.Graph], Any]] = {
    "cores": lg.core_number,
    "generations": lg.topological_generations,
    "longest": lg.dag_longest_distance,
    "strong": lg.strongly_connected_components,
}


def answer(what: str, G: lg.Graph) -> Any:
    """The entries, or the kind of error."""
    try:
        made = CALLS[what](G)
    except (HasCycle, DistanceOverflow) as error:
        return type(error)
    return made.dtype, made.to_dict()


@pytest.mark.parametrize("what", CALLS)
@examples(60)
@given(example=some_graphs | random_graphs(weights=st.integers(-5, 5)))
def test_drawn(what: str, example: graphs.Example) -> None:
    if what in ("generations", "longest"):
        example = graphs.acyclic(example)
    G = example.graph(CPU)
    found = answer(what, G)
    with by_statements():
        assert found == answer(what, G)


@examples(60)
@given(example=some_graphs)
def test_cycles_are_found(example: graphs.Example) -> None:
    G = example.graph(CPU)
    if G.directed:
        with by_statements():
            right = answer("generations", G)
        assert answer("generations", G) == right


@examples(80)
@given(example=some_graphs, seed=seeds, negative=st.booleans())
def test_counters_and_amounts(example: graphs.Example, seed: int, negative: bool) -> None:
    """Of some vertices only, and of any size."""
    rng = np.random.default_rng(seed)
    n, edges = example.n, len(example.adjacency.entries)
    there = np.flatnonzero(rng.random(n) < 0.8)
    counters = rng.integers(-5 if negative else 0, 30, there.size)
    count = lg.Vector.from_coo(there, counters, "INT64", size=n, backend=CPU)
    ends = np.array(list(example.adjacency.entries), np.int64).reshape(-1, 2).T
    amounts = rng.integers(0, 4, edges)
    A = lg.Matrix.from_coo(*ends, amounts, "INT64", nrows=n, ncols=n, backend=CPU)
    level = peel(count, A)
    with by_statements():
        assert level.isequal(peel(count, A), check_dtype=True)


def test_counters_of_another_type_are_peeled_by_statements() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 2], [1, 1], "INT64", nrows=3, ncols=3, backend=CPU)
    count = lg.Vector.from_coo([0, 1, 2], [0, 2, 3], "INT32", size=3, backend=CPU)
    assert lowered(peel, count, A) is None
    assert peel(count, A).to_dict() == {0: 0, 1: 1, 2: 2}


@examples(60)
@given(example=some_graphs)
def test_strong_components(example: graphs.Example) -> None:
    """The smallest vertex of each, as NetworkX finds them."""
    G = example.graph(CPU)
    g: nx.DiGraph = nx.DiGraph(example.adjacency.entries.keys())
    g.add_nodes_from(range(G.n))
    right = {v: min(part) for part in nx.strongly_connected_components(g) for v in part}
    assert (
        lowered(strong_component_labels, lg.Graph._checked(G.A, directed=True)).to_dict() == right
    )


DENSE = {
    "one component": lambda i, j: i >= 0,
    "two sides": lambda i, j: (i < 40) != (j < 40),
    "nothing leaves a vertex": lambda i, j: i != 79,
    "nothing enters a vertex": lambda i, j: j != 79,
    "nothing leaves the first": lambda i, j: i != 0,
    "nothing enters the first": lambda i, j: j != 0,
    "two halves": lambda i, j: (i < 40) | (j >= 40),
    "one edge back": lambda i, j: (i < 40) | (j >= 40) | ((i == 79) & (j == 39)),
    "two parts": lambda i, j: (i < 40) == (j < 40),
}


@pytest.mark.parametrize("shape", DENSE)
@pytest.mark.parametrize("share", [0.9, 1.0])
def test_strong_components_of_dense_graphs(shape: str, share: float) -> None:
    """Of which a few edges may tell that they are one."""
    rng, n = np.random.default_rng(1), 80
    i, j = np.divmod(np.arange(n * n), n)
    held = DENSE[shape](i, j) & (rng.random(i.size) < share)
    for order in np.arange(n), rng.permutation(n):
        u, v = order[i[held]], order[j[held]]
        G = lg.Graph.from_edges(u, v, n=n, backend=CPU)
        across = sp.csr_array((np.ones(u.size), (u, v)), shape=(n, n))
        _, part = csgraph.connected_components(across, directed=True, connection="strong")
        first: dict[int, int] = {}
        right = {vertex: first.setdefault(p, vertex) for vertex, p in enumerate(part.tolist())}
        assert lowered(strong_component_labels, G).to_dict() == right


@pytest.mark.parametrize(
    "edge", [(0, 1), (0, 2), (1, 3), (3, 3), (5, 6), (7, 8), (7, 9), (8, 10), (8, 8), (13, 14)]
)
def test_an_edge_within_a_side_is_found(edge: tuple[int, int]) -> None:
    """In each of three components, also where the rows of its side are not looked at."""
    edges = [(u, v) for u in (0, 2, 4) for v in (1, 3, 5, 6)]
    edges += [(u, v) for u in (7, 9, 11) for v in (8, 10)] + [(12, 13), (12, 14)]
    u, v = zip(*edges, edge, strict=True)
    G = lg.Graph.from_edges(u, v, directed=False, dup="first", backend=CPU)
    assert lowered(has_two_sides, G) is (edge in edges)


@pytest.mark.parametrize("degree", [1, 2, 3, 6])
def test_matchings_are_as_large_as_scipys(degree: int) -> None:
    """With many phases and long paths, after the vertices that have a single neighbour."""
    rng, n = np.random.default_rng(degree), 600
    i, j = rng.integers(0, n, degree * n), rng.integers(0, n - 50, degree * n)
    across = sp.csr_array((np.ones(i.size), (i, j)), shape=(n, n - 50))
    right = np.count_nonzero(csgraph.maximum_bipartite_matching(across, perm_type="column") >= 0)
    ids = rng.permutation(2 * n - 50)
    edges = np.unique(np.stack([ids[i], ids[n + j]]), axis=1)
    G = lg.Graph.from_edges(*edges, n=ids.size, directed=False, backend=CPU)
    mate = lg.maximum_bipartite_matching(G)
    assert mate.nvals == 2 * right < 2 * n
    verify_matching(G, mate, maximum=True)


def test_few_pairs_are_left_to_phases() -> None:
    """In layers in which each vertex has four neighbours in the next: where nobody has a single
    neighbour, one with few is matched."""
    rng, (layers, wide) = np.random.default_rng(1), (12, 80)
    source = np.repeat(np.arange((layers - 1) * wide), 4)
    target = (source // wide + 1) * wide + rng.integers(0, wide, source.size)
    G = lg.Graph.from_edges(source, target, n=layers * wide, directed=False, dup="min", backend=CPU)
    rows, mate = pattern(G.A._store), np.full(G.n, -1)
    pairs = matching.greedy_pairs(rows, mate)
    matched = np.flatnonzero(mate >= 0)
    assert matched.size == 2 * pairs > 0.97 * lg.maximum_bipartite_matching(G).nvals
    np.testing.assert_array_equal(mate[mate[matched]], matched)


@examples(60)
@given(n=st.sampled_from([1, 2, 5, 12, 33]), seed=seeds, density=st.floats(0, 0.5))
def test_as_many_pairs(n: int, seed: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    left = rng.random(n) < 0.5
    joined = (rng.random((n, n)) < density) & left[:, None] & ~left
    edges = np.argwhere(joined).T
    G = lg.Graph.from_edges(*edges, n=n, directed=False, backend=CPU)
    mate = lg.maximum_bipartite_matching(G).to_dict()
    assert all(mate[u] == v and (joined | joined.T)[u, v] for v, u in mate.items())
    with by_statements():
        assert lg.maximum_bipartite_matching(G).nvals == len(mate)


@examples(60)
@given(example=some_graphs, seed=seeds)
def test_a_queue(example: graphs.Example, seed: int) -> None:
    """Whatever the order of edges, level by level; and no statement is asked for."""
    n, edges = example.n, np.array(list(example.adjacency.entries), np.int64).reshape(-1, 2)
    place = np.random.default_rng(seed).permutation(len(edges))
    places = lg.Matrix.from_coo(*edges.T, place, "INT64", nrows=n, ncols=n, backend=CPU)
    if not n:
        return

    def levels() -> list[Any]:
        both = bfs_queue(places, max(len(edges), 1), seed % n)
        return [(level.tolist(), found_by.tolist()) for level, found_by in both]

    with by_statements():
        right = levels()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(CPU), "run", lambda *_: pytest.fail("a statement"))
        assert levels() == right


@examples(40)
@given(example=some_graphs, endpoints=st.booleans(), batch=st.none() | st.just(2))
def test_what_passes(example: graphs.Example, endpoints: bool, batch: int | None) -> None:
    G = example.graph(CPU)
    found = lg.betweenness_centrality(G, endpoints=endpoints, batch_size=batch)
    with by_statements():
        right = lg.betweenness_centrality(G, endpoints=endpoints, batch_size=batch)
    np.testing.assert_allclose(found.to_dense(), right.to_dense(), rtol=1e-12, atol=1e-15)


def test_the_depth_of_what_passes_costs_no_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    statements = statements_run(monkeypatch)

    def asked(n: int) -> int:
        G = lg.Graph.from_edges(*graphs.path(n), directed=False, backend=CPU)
        statements.clear()
        lg.betweenness_centrality(G, 1, seed=0)
        return len(statements)

    assert asked(300) == asked(20)


@examples(60)
@given(data=st.data(), seed=seeds, dtype=st.sampled_from(["FP32", "FP64", "INT32"]),
       directed=st.booleans(), bounded=st.booleans(),
       cutoff=st.none() | st.floats(0, 3))  # fmt: skip
def test_one_path(
    data: Any, seed: int, dtype: str, directed: bool, bounded: bool, cutoff: float | None
) -> None:
    """To the last bit, also by bounds that are not consistent with each other. The second call
    knows the edges in both directions."""
    rng = np.random.default_rng(seed)
    n, m = 40, 150
    weight = rng.random(m)
    weight[rng.random(m) < 0.1] = 0
    if dtype == "INT32":
        weight = (3 * weight).round()
    G = lg.Graph.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), weight.astype(types.lookup(dtype)), n=n,
        directed=directed, dup="min", backend=CPU,
    )  # fmt: skip
    source, target = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    bound = None
    if bounded:
        back = lg.sssp(lg.Graph(G.A.T.new(), directed=True), target)[0].dup("FP64")
        share = lg.Vector.from_dense(rng.choice([0.0, 0.4, 0.99], n), backend=CPU)
        bound = lg.binary.times(back & share).new()
    right = lg.sssp(G, source)[0].get(target)
    for _ in range(2):
        found = lg.shortest_path_between(G, source, target, bound, cutoff)
        if right is None or (cutoff is not None and right > cutoff):
            assert found is None
            continue
        assert found is not None and found[0] == right and type(found[0]) is type(right)
        verify_path_between(G, source, target, found, cutoff)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_sums_are_rounded_from_the_source_on(dtype: str) -> None:
    """Of many paths of nearly one length, whose order depends on the order of the additions."""
    (i, j), n = graphs.grid(12, 12), 144
    weight = np.random.default_rng(5).choice([0.1, 0.2, 0.3], i.size).astype(types.lookup(dtype))
    G = lg.Graph.from_edges(i, j, weight, n=n, directed=False, backend=CPU)
    right = lg.sssp(G, 0)[0].to_dense()
    wrong = 0
    for target in range(1, n):
        length, path = lg.shortest_path_between(G, 0, target) or (0, [])
        assert length == right[target]
        verify_path_between(G, 0, target, (length, path))
        towards = np.array([G.A.get(u, v) for u, v in pairwise(path)][::-1], weight.dtype)
        wrong += length != towards.cumsum()[-1]
    assert wrong  # the other order would not do


@examples(40)
@given(example=some_graphs, data=st.data(), most=st.none() | st.integers(0, 5))
def test_one_path_of_edges_of_one_length(
    example: graphs.Example, data: Any, most: int | None
) -> None:
    P = example.graph(CPU)
    assume(P.n)
    G = lg.Graph(P.A.apply("one").new("FP32").apply("times", 0.1).new(), P.directed)
    source, target = (data.draw(st.integers(0, G.n - 1)) for _ in range(2))
    right = lg.bfs(G, source)[0].get(target)
    length = None if right is None else np.full(right, 0.1, "f4").cumsum()[-1:].sum()
    cutoff = None if most is None else float(np.float32(0.1) * np.float32(most))
    for _ in range(2):
        found = lg.shortest_path_between(G, source, target, cutoff=cutoff)
        if length is None or (cutoff is not None and length > cutoff):
            assert found is None
            continue
        assert found is not None and found[0] == length
        verify_path_between(G, source, target, found, cutoff)


def test_a_near_vertex_is_found_among_few() -> None:
    """Of 160,000 vertices."""
    (i, j), n = graphs.grid(400, 400), 160_000
    store = lg.Graph.from_edges(i, j, n=n, directed=False, backend=CPU).A._store
    rows, lengths = rows_with_values(store, dtype=FP64)
    path, found, middle = np.empty(n, np.int32), np.empty(1), n // 2 + 200
    between = Endpoints(middle, middle + 5)
    for rounding in (0.0, 1e-16):
        watch = unwatched()
        both = rows, lengths, rows, lengths, between
        search = *both, np.inf, 1.0, rounding, path, found, watch
        assert point_to_point.path_of_lengths(*search) == 6 and found[0] == 5
        assert 10 < watch[1] < 100
    watch = unwatched()
    assert point_to_point.path_of_hops(rows, rows, between, EdgeLimits(n), path, watch) == 6
    assert path[:6].tolist() == list(range(middle, middle + 6)) and 10 < watch[1] < 100
    for most, right in (40, failures().LONG_SEARCH), (400, 6):
        limits = EdgeLimits(n, most)
        assert point_to_point.path_of_hops(rows, rows, between, limits, path, watch) == right


def test_only_edges_that_are_read_count() -> None:
    """Both ends have a hub beside the vertex on the path, which is found before the hub is read."""
    i = [0, 0, 1, 3, 4, *[2] * 100, *[5] * 100]
    j = [1, 2, 3, 4, 5, *range(6, 206)]
    rows, _ = rows_with_values(lg.Graph.from_edges(i, j, directed=False, backend=CPU).A._store)
    path, between = np.empty(206, np.int32), Endpoints(0, 4)
    for most, right in (5, failures().LONG_SEARCH), (6, 4):
        limits = EdgeLimits(206, most)
        assert point_to_point.path_of_hops(rows, rows, between, limits, path, unwatched()) == right
    assert path[:4].tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(("steps", "threads"), [(5, 0), (300, 1)])
def test_a_short_search_starts_no_thread(
    steps: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However large the graph is; a long one begins again in a thread."""
    started: list[Any] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        started.append(arguments)
        return watched(*arguments, **named)

    monkeypatch.setattr(point_to_point, "watched", counted)
    G, start = lg.grid(400, 400, backend=CPU), 50 * 400 + 50
    length, path = lg.shortest_path_between(G, start, start + steps)
    assert (length, path) == (steps, list(range(start, start + steps + 1)))
    assert len(started) == threads


def test_a_vertex_has_another_turn() -> None:
    """2 has its turn before the shorter way to it by 1 is known, for the bound at 1 is far higher;
    3, which is on the shortest path, waits meanwhile."""
    edges = ([0, 0, 0, 1, 2, 3], [1, 2, 3, 2, 4, 4], [10, 40, 50, 10, 200, 166])
    G = lg.Graph.from_edges(*edges, backend=CPU)
    bound = lg.Vector.from_coo([1, 3], [200, 165], size=5, backend=CPU)
    assert lg.shortest_path_between(G, 0, 4, bound) == (216, [0, 3, 4])


def test_integers_that_fp64_cannot_add_up() -> None:
    n = 5
    G = lg.Graph.from_edges(range(n - 1), range(1, n), [2**52 + 1] * (n - 1), backend=CPU)
    assert lowered(shortest_path, G, 0, n - 1, None, None, None) is None
    length, _ = lg.shortest_path_between(G, 0, n - 1)
    assert length == 4 * (2**52 + 1)


def test_a_frontier_with_fewer_edges_than_a_pull_looks_does_not_pull() -> None:
    """A push takes the neighbour that was reached first, a pull the one of the smallest id."""
    path = np.arange(6, 20)
    i, j = np.append([0, 0, 1, 2, 3, 5], path), np.append([1, 2, 5, 3, 6, 6], path + 1)
    G = lg.Graph.from_edges(i, j, directed=False, backend=CPU)
    assert lg.bfs(G, 0)[1][6].value == 5
    few = lg.Graph.from_edges(i[:6], j[:6], directed=False, backend=CPU)
    assert lg.bfs(few, 0)[1][6].value == 3


def test_few_rounds_take_less_than_steps() -> None:
    """On a path changes are small after 46 rounds; in a directed graph there are rounds alone."""
    i, j = graphs.path(3001)
    alone = lg.Graph.from_edges(np.r_[i, j], np.r_[j, i], backend=CPU)
    both = lg.Graph.from_edges(i, j, directed=False, backend=CPU)
    for most in (100, 1000):
        found = [lg.eigenvector_centrality(G, most).to_dense() for G in (alone, both)]
        np.testing.assert_array_equal(*found)


@pytest.mark.parametrize(("rings", "pulled"), [(1, False), (10, True)])
def test_a_pull_looks_at_fewer_neighbours_where_each_has_many(rings: int, pulled: bool) -> None:
    """A pull reaches vertices in the order of their ids."""
    n, rng = 2000, np.random.default_rng(3)
    orders = [rng.permutation(n) for _ in range(rings)]
    pairs = rng.permutation(n).reshape(2, -1)
    ends = [np.c_[order, np.roll(order, 1)].T for order in orders]
    edges = np.concatenate([*ends, pairs], axis=1)
    G = lg.Graph.from_edges(*edges, n=n, directed=False, dup="first", backend=CPU)
    search = distances.Levels(G.A._store, False, np.array([0]), np.inf)
    at = np.split(search.reached, np.flatnonzero(np.diff(search.level[search.reached])) + 1)
    largest = max(at, key=len)
    assert bool((np.diff(largest) > 0).all()) == pulled


def test_a_search_that_has_reached_all_looks_no_further() -> None:
    """It still knows whether it came to rest within the bound."""
    n = 50
    G = lg.Graph.from_edges(np.zeros(n - 1, int), np.arange(1, n), directed=False, backend=CPU)
    rows = pattern(G.A._store)
    for source, bound, seen, rests in ((0, n, 1, True), (0, 1, 1, False), (3, 3, 2, True),
                                       (3, 2, 2, False), (3, 1, 1, False)):  # fmt: skip
        level, before, watch = np.full(n, -1, np.int32), np.full(n, -1, np.int32), unwatched()
        how = Traversal(alpha=0, max_level=bound)
        found, at_rest = bfs(rows, rows, how, np.array([source]), level, before, watch)
        assert at_rest == rests and watch[1] == seen
        assert found.size == (2 if (source, bound) == (3, 1) else n)


def test_deep_graphs_take_no_rounds() -> None:
    """By rounds each of these took minutes."""
    n = 100_000
    ids, ends = np.arange(n), graphs.path(n)
    P = lg.Graph.from_edges(*ends, np.ones(n - 1), backend=CPU)
    Q = lg.Graph.from_edges(*ends, directed=False, backend=CPU)
    order = lg.topological_sort(P)
    verify_generations(P, lg.topological_generations(P))
    verify_topological_sort(P, order)
    np.testing.assert_array_equal(order.to_dense(), ids)
    assert lg.dag_longest_path(P) == ids.tolist()
    assert lg.shortest_path_between(P, 0, n - 1) == (n - 1, ids.tolist())
    np.testing.assert_array_equal(lg.strongly_connected_components(P).to_dense(), ids)
    np.testing.assert_array_equal(lg.core_number(Q).to_dense(), np.ones(n))
    np.testing.assert_array_equal(lg.maximum_bipartite_matching(Q).to_dense(), ids ^ 1)
    ring = lg.Graph.from_edges(ids, np.roll(ids, -1), backend=CPU)
    assert lg.strongly_connected_components(ring).reduce("max").new().get() == 0
    tail = lg.Graph.from_edges(*np.c_[ends, (n - 1, n - 2)], backend=CPU)
    with pytest.raises(HasCycle, match=f"through vertex {n - 1}|through vertex {n - 2}"):
        lg.topological_sort(tail)


@pytest.mark.parametrize("of", ["min", "max"])
@pytest.mark.parametrize("kind", ["INT8", "UINT32", "INT64", "FP32", "FP64"])
def test_a_forest_of_many_edges_takes_the_better_ones_first(kind: str, of: str) -> None:
    """So many edges that the others are left out where their ends are joined."""
    rng = np.random.default_rng(1)
    i, j = np.triu_indices(60, 1)
    weight = rng.permutation(i.size) if kind != "INT8" else rng.integers(-3, 3, i.size)
    for kept in (np.full(i.size, True), (i < 40) == (j < 40)):
        G = lg.Graph.from_edges(
            i[kept], j[kept], weight[kept].astype(types.lookup(kind)), 70, False, backend=CPU
        )
        tree = getattr(lg, f"{of}imum_spanning_tree")(G)
        with by_statements():
            right = getattr(lg, f"{of}imum_spanning_tree")(G)
        assert tree.nedges == right.nedges and tree.A.dtype == right.A.dtype
        total, wanted = (T.A.dup("FP64").reduce_scalar("plus").new().value for T in (tree, right))
        assert total == wanted
        if kind != "INT8":  # where no two weights are equal there is one forest
            assert tree.A.isequal(right.A)


def test_a_truss_whose_hub_waits_again_and_again() -> None:
    """Each edge of a wheel that is removed leaves another to be removed at the hub."""
    n = 300
    rim = np.arange(1, n)
    ends = np.r_[np.zeros(n - 1, np.int64), rim[:-1]], np.r_[rim, rim[1:]]
    G = lg.Graph.from_edges(*ends, n=n, directed=False, backend=CPU)
    H = lg.Graph.from_edges(
        np.r_[ends[0], [0, 0, 5, 5, 7]], np.r_[ends[1], [n, n + 1, n, n + 1, n]],
        n=n + 2, directed=False, backend=CPU,
    )  # fmt: skip
    for graph in (G, H):
        for k in (3, 4, 5):
            found = lg.k_truss(graph, k)
            with by_statements():
                assert found.A.isequal(lg.k_truss(graph, k).A)


def of_three_parts(weight: Any = "weight") -> tuple[lg.Graph, Any]:
    """A graph whose vertices are three parts of a sum, with rows of many lengths, and none; and how
    values go along its edges."""
    rng = np.random.default_rng(2)
    ends, weights = rng.integers(0, 2900, (2, 9000)), rng.random(9000)
    ends[1, :500] %= 20
    G = lg.Graph.from_edges(*ends, weights, 3000, dup="sum", backend=CPU)
    assert set(range(12)) <= {*G.in_degree.to_dense(fill_value=0).tolist()}
    return G, plus_times if weight else plus_first


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_threads_share_rounds(monkeypatch: pytest.MonkeyPatch, threads: int, weight: Any) -> None:
    G, along = of_three_parts(weight)
    monkeypatch.setattr(power_iteration, "threads_for", lambda jobs: threads)
    asked: list[dict[str, Any]] = [{"tol": 1e-9}, {"iterations": 12}, {"dangling": {3: 1.0}}]
    for how in asked:
        found = lg.pagerank(G, weight=weight, **how).to_dense()
        with by_statements():
            right = lg.pagerank(G, weight=weight, **how).to_dense()
        np.testing.assert_allclose(found, right, rtol=1e-12)
    each: tuple[Any, ...] = (
        (hits_rounds, (), ()),
        (eigenvector_rounds, (), [True]),
        (katz_rounds, [uniform(G)], [0.2]),
    )
    for rounds, base, factor in each:
        more = G.A, along, *factor, None, 12
        made = [how(uniform(G), *base, *more) for how in (rounds, rounds.statements)]
        for one, other in zip(*([x] if isinstance(x, lg.Vector) else x for x in made), strict=True):
            np.testing.assert_allclose(one.to_dense(), other.to_dense(), rtol=1e-12)


def slow_graph(shape: str) -> lg.Graph:
    """A graph with random directions, whose largest singular values are close: a path, or the same
    path twice; or a complete bipartite graph."""
    rng = np.random.default_rng(8)
    i, j = np.arange(1499), np.arange(1, 1500)
    if shape == "block":
        i, j = np.arange(40).repeat(40), np.tile(np.arange(40, 80), 40)
    flip = rng.random(i.size) < 0.5
    i, j = np.where(flip, i, j), np.where(flip, j, i)
    if shape == "paths":
        i, j = np.concatenate([i, i + 1500]), np.concatenate([j, j + 1500])
    return lg.Graph.from_edges(i, j, backend=CPU)


@pytest.mark.parametrize("shape", ["path", "paths", "block"])
def test_hubs_that_settle_slowly(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are nearer to singular vectors than by ten times as many rounds, and the last round
    keeps to the bound. The bits do not depend on threads."""
    G = slow_graph(shape)
    A, share = G.A.to_scipy_sparse().astype(float), np.random.default_rng(1).random(G.n) + 0.5
    if shape == "paths":
        share[1500:] = 2 * share[:1500]
    share /= share.sum()
    start = lg.Vector.from_dense(share, backend=CPU)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(power_iteration, "threads_for", lambda jobs, threads=threads: threads)
        found.append(hits_rounds(start.dup(), G.A, plus_first, 1e-9, 400))
    for hub, authority in found[1:]:
        assert hub.isequal(found[0][0]) and authority.isequal(found[0][1])
    for _ in range(4000):
        share = A @ (A.T @ share)
        share /= share.sum()
    hub = found[0][0].to_dense()
    again = A @ (A.T @ hub)
    assert np.abs(again / again.sum() - hub).sum() <= 1e-9 and hub.min() >= 0

    def quotient(x: np.ndarray) -> float:
        return float(np.sum((A.T @ x) ** 2) / np.sum(x**2))

    assert quotient(hub) > quotient(share) * (1 - 1e-15)
    if shape == "paths":  # where the largest value is a multiple one, the start decides
        np.testing.assert_allclose(hub[1500:], 2 * hub[:1500], rtol=1e-6, atol=1e-12)
    only = hits_rounds(start.dup(), G.A, plus_first, None, 60)[0].to_dense()
    right = hits_rounds.statements(start.dup(), G.A, plus_first, None, 60)[0].to_dense()
    np.testing.assert_allclose(only, right, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("weighted", [False, True])
def test_eigenvectors_that_settle_slowly(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of cliques: thousands of rounds, and some dozens with steps between them, which come
    nearer. The bits do not depend on threads, and in a directed graph there are rounds alone."""
    i, j = (np.add.outer(31 * np.arange(60), ends).ravel() for ends in np.triu_indices(32, 1))
    weight = np.random.default_rng(5).random(i.size) + 0.5 if weighted else None
    G = lg.Graph.from_edges(i, j, weight, directed=False, dup="first", backend=CPU)
    how: dict[str, Any] = {"tol": 1e-11, "weight": "weight"}
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(power_iteration, "threads_for", lambda jobs, threads=threads: threads)
        found.append(lg.eigenvector_centrality(G, max_iter=300, **how))
    assert all(one.isequal(found[0]) for one in found[1:])
    A = G.A.to_scipy_sparse().astype(float)
    _, right = eigsh(A, 1, which="LA", v0=np.ones(G.n))
    np.testing.assert_allclose(found[0].to_dense(), abs(right[:, 0]), atol=1e-6)
    directed = lg.Graph(G.A.dup(), directed=True)
    with pytest.raises(NotConverged, match="after 300"):
        lg.eigenvector_centrality(directed, max_iter=300, **how)


def test_rows_are_not_made_to_be_counted() -> None:
    """Arrays of the columns alone are none of the rows."""
    A = lg.Matrix.from_coo([0, 0, 2], [1, 2, 2], nrows=3, ncols=3, backend=CPU).T.new()
    A._store.arrays(transposed=True)
    assert not has_rows(A._store)
    assert row_lengths(A).to_dict() == {1: 1, 2: 2} and diagonal_entries(A) == 1
    assert not has_rows(A._store)
    A._store.arrays()
    assert has_rows(A._store)


def test_betweenness_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in its last bits: the same sums are added in the same order."""
    G = lg.kronecker(9, backend="cpu")
    monkeypatch.setattr(distances, "JOB", 1 << 12)
    found = []
    for threads in (1, 2, 3, 7):
        monkeypatch.setattr(distances, "threads_for", lambda jobs, threads=threads: threads)
        found.append(lg.betweenness_centrality(G).to_dense().tobytes())
    assert len(set(found)) == 1


@pytest.mark.parametrize("dtype", ["FP64", "FP32"])
def test_ranks_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch, dtype: Any) -> None:
    """Not even in their last bits, so two machines put the same vertices first."""
    G, along = of_three_parts()
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(power_iteration, "threads_for", lambda jobs, threads=threads: threads)
        hub, authority = hits_rounds(uniform(G), G.A, along, None, 12)
        x = eigenvector_rounds(uniform(G), G.A, along, True, None, 12)
        katz = katz_rounds(uniform(G), uniform(G), G.A, along, 0.1, None, 12)
        found.append([lg.pagerank(G, iterations=12, dtype=dtype), hub, authority, x, katz])
    for of_more in found[1:]:
        assert all(one.isequal(other) for one, other in zip(found[0], of_more, strict=True))


@pytest.mark.parametrize("dtype", [None, "INT8", "FP32", "FP64"])
@pytest.mark.parametrize("order", ["rising", "falling", "random"])
def test_submatrices_of_vertices_in_any_order(dtype: str | None, order: str) -> None:
    """Also of all vertices, whose rows are shared if they keep their order."""
    rng = np.random.default_rng(5)
    ends = np.unique(rng.integers(0, 60, (900, 2)), axis=0).T
    value = (
        None
        if dtype is None
        else rng.integers(1, 99, ends.shape[1]).astype(
            {"INT8": np.int8, "FP32": np.float32, "FP64": np.float64}[dtype]
        )
    )
    A = lg.Graph.from_edges(*ends, value, n=60, backend=CPU).A
    for size in (0, 1, 20, 60):
        chosen = rng.permutation(60)[:size]
        chosen = chosen if order == "random" else np.sort(chosen)
        chosen = chosen[::-1].copy() if order == "falling" else chosen
        found = principal_submatrix(A, chosen)
        assert isinstance(found._store.given, HostRows)
        expected = {
            (i, j): A[int(u), int(v)].get()
            for i, u in enumerate(chosen) for j, v in enumerate(chosen)
            if A[int(u), int(v)].get() is not None
        }  # fmt: skip
        row, column, values = found.to_coo()
        got = list(zip(row.tolist(), column.tolist(), strict=True))
        assert got == sorted(got) and dict(zip(got, values.tolist(), strict=True)) == expected
    shared = principal_submatrix(A, np.arange(60))._store.given
    assert shared.columns is A._store.given.columns


def test_a_graph_stays_arrays_until_a_statement_asks() -> None:
    G = lg.grid(100, 100, backend=CPU)
    G = lg.Graph.from_edges(*G.edges()[:2], n=G.n, directed=False, backend=CPU)
    lg.bfs(G, 0)
    assert "A" not in vars(G.A._store)
    assert G.A.reduce_rowwise("plus").new().nvals == G.n


FOLDED = [
    *((dtype, x) for dtype in ("INT8", "INT64", "UINT64") for x in (100, [100, 50, 127])),
    *((dtype, x) for dtype in ("FP32", "FP64") for x in (2, 0.1, [1, 0, 3], [0.1, 0.2, 0.3])),
    ("FP64", [np.nan, 2, 1]), ("FP64", [2.0**53, 1, 1]), ("FP32", 2.0**24),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "values"), FOLDED)
def test_folds_of_arrays_are_those_of_the_matrix(dtype: str, values: Any) -> None:
    """Also where a sum wraps or is rounded, or one value stands for all."""
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], values, dtype, nrows=3, ncols=3, backend=CPU)
    A._store.arrays()
    same = principal_submatrix(A, np.arange(3))
    assert isinstance(same._store.given, HostRows)
    for monoid in ("min", "max", "plus", "times"):
        right = A.reduce(monoid).new().value
        assert same.reduce(monoid).new().value == pytest.approx(right, rel=0, abs=0, nan_ok=True)
    assert same.T.reduce("max").new().value == A.reduce("max").new().value
    nothing = principal_submatrix(A, np.arange(1))
    assert nothing.reduce("max").new().value is None
