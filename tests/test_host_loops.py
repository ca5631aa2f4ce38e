"""Operations that the GPU backend leaves to the loops of the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks.instrument import Instrument
from lagraph_gpu import memory, verify
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device.port import give_back
from lagraph_gpu.gpu.on_host import host_loops
from lagraph_gpu.gpu.on_host.narrow_graphs import HOST_BYTES, Least
from lagraph_gpu.gpu.on_host.small_graphs import ASKED, LAUNCHES, ON_DEVICE
from lagraph_gpu.planning.host_or_device import LONGEST_PATHS, PEELING
from tests.harness import CPU, GPU, by_statements, statements_run
from tests.operands import by_degree


def lattice(backend: Any) -> lg.Graph:
    return lg.grid(9, 5, backend=backend)


def orders(G: lg.Graph, source: int | None = None) -> list[list[int]]:
    """The orders of a depth-first search, from which no vertex is missing."""
    found = lg.dfs(G, source)
    assert all(part.backend is G.backend and part.nvals == G.n for part in found)
    return [part.to_dense().tolist() for part in found]


def on_host(call: Callable[[], Any]) -> bool:
    """Whether the host's loops have been chosen for a call."""
    with lg.explain() as report:
        call()
    return host_loops.ON_HOST in [choice.chosen for choice in report.choices]


def test_rows_stay_on_the_host_until_memory_is_short() -> None:
    G = lattice(GPU)
    wanted = orders(lattice(CPU))
    assert orders(G) == wanted
    held = G.A._store.pattern.on_host
    assert held.backend is CPU and held.nvals == G.A.nvals
    assert orders(lg.Graph(G.A, directed=False)) == wanted and G.A._store.pattern.on_host is held
    assert give_back() and G.A._store.pattern.on_host is None
    assert orders(G) == wanted


def test_weights_stay_with_the_matrix() -> None:
    """A directed graph of the same matrix has a copy of its own."""
    G = lattice(GPU)

    def walks(G: lg.Graph) -> list[list[int]]:
        return lg.random_walks(G, [3, 4], 6, seed=1, weighted=True).to_dense().tolist()

    wanted = walks(G)
    held = G.A._store.on_host
    assert held.backend is CPU and not held.directed and held.A.isequal(G.A.to(CPU))
    assert walks(lg.Graph._checked(G.A, directed=False)) == wanted and G.A._store.on_host is held
    assert walks(lg.Graph._checked(G.A, directed=True)) == wanted and G.A._store.on_host.directed
    assert give_back() and G.A._store.on_host is None and walks(G) == wanted


def test_copies_go_before_the_host_refuses_anything() -> None:
    """What is kept on the device stays."""
    G, kept = lattice(GPU), lg.grid(9, 5, weights="uniform", backend=GPU)
    lg.sssp(kept, 0)
    ready = dict(kept.A._store.closures.ready)
    orders(G), lg.random_walks(G, [3, 4], 6, seed=1, weighted=True)
    assert G.A._store.pattern.on_host is not None is not G.A._store.on_host
    memory.give_back()
    assert G.A._store.pattern.on_host is None is G.A._store.on_host
    assert kept.A._store.closures.ready == ready
    assert orders(G) == orders(lattice(CPU))


def test_packed_rows() -> None:
    G = by_degree(lattice(GPU))
    packed = G.relabel(layout="packed")
    assert packed.A._store.stays_packed and orders(packed, 3) == orders(G.to(CPU), 3)


def test_small_graphs() -> None:
    """Python walks over them."""
    G = lattice(GPU)
    assert on_host(lambda: orders(G))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.host_loops, "least", 1 << 15)
        assert not on_host(lambda: orders(G)) and orders(G) == orders(lattice(CPU))


@pytest.mark.parametrize("weighted", [False, True])
def test_walks(weighted: bool) -> None:
    """Many walkers go by statements, and each goes where it goes on the CPU."""
    G, sources = lattice(GPU), np.arange(45)

    def walks(G: lg.Graph) -> list[list[int]]:
        return lg.random_walks(G, sources, 7, seed=3, weighted=weighted).to_dense().tolist()

    wanted = walks(G.to(CPU))
    assert on_host(lambda: walks(G)) and walks(G) == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.host_loops, "most_walkers", 44)
        assert not on_host(lambda: walks(G)) and walks(G) == wanted


def test_queue() -> None:
    """Its levels are arrays of the host, whatever the backend."""
    places = lg.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [1, 0, 0, 0], nrows=4, ncols=4,
                                backend=GPU)  # fmt: skip
    found: list[Any] = []
    assert on_host(lambda: found.extend(bfs_queue(places, 4, 0)))
    assert [level.tolist() for level, _ in found] == [[0], [2, 1], [3]]


def test_matching() -> None:
    """Edges of one direction count in both."""
    for G in (lattice(GPU), lg.Graph(lattice(GPU).A.select("triu").new(), directed=True)):
        found: list[lg.Vector] = []
        assert on_host(lambda: found.append(lg.maximum_bipartite_matching(G)))  # noqa: B023
        verify.verify_matching(G, found[0], maximum=True)
        assert found[0].backend is GPU and found[0].nvals == 44


def strip(width: int, length: int = 200) -> lg.Graph:
    return lg.grid(width, length, weights="integer", seed=1, backend=GPU)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The choice, for smaller graphs and fewer levels."""
    fields = {"least": Least(100, 60), "least_levels": 50, "tried_levels": 16,
              "width": 4, "width_of_long_rows": 100}  # fmt: skip
    for name, value in fields.items():
        monkeypatch.setattr(GPU.narrow_graphs, name, value)
    return GPU.narrow_graphs


def test_narrow_graphs_are_those_of_many_levels_with_few_vertices(narrow: Any) -> None:
    def found(G: lg.Graph, source: int = 0) -> bool | None:
        level, parent = lg.bfs(G, source)
        verify.verify_bfs(G, source, level, parent)
        return G.A._store.pattern.depth.narrow.answer  # type: ignore[no-any-return]

    assert found(strip(2)) is True
    assert found(strip(5)) is False  # the levels that were tried have many vertices
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrow, "least_levels", 250)
        assert found(strip(2)) is False  # there are few levels, as far as the host knows
    u = np.delete(np.arange(210), 200)
    paths = lg.Graph.from_edges(u, u + 1, directed=False, backend=GPU)
    assert found(paths, 205) is None  # a search that ends soon says nothing
    assert found(paths, 5) is True
    few = lg.Graph.from_edges(u, u + 1, directed=False, backend=GPU)
    assert [found(few, 205) for _ in range(5)] == [None] * 3 + [False] * 2  # nor do many of them
    assert found(strip(2, 20)) is None  # a small graph
    path, leaves, rim = np.arange(210), np.arange(211, 310), np.arange(2, 210)
    edges = np.r_[path, np.full_like(leaves, 210)], np.r_[path + 1, leaves]
    star = lg.Graph.from_edges(*edges, directed=False, backend=GPU)
    assert found(star, 300) is True  # a level of 100 vertices, and then a path
    edges = np.r_[np.zeros_like(rim), rim], np.r_[rim, rim + 1]
    wheel = lg.Graph.from_edges(*edges, backend=GPU)
    assert found(wheel, 0) is None and found(wheel, 2) is True  # the hub, and the rim


def lollipop(length: int) -> lg.Graph:
    """A path that ends in a clique of 40 vertices."""
    i, j = np.triu_indices(40, 1)
    path = np.arange(39, 39 + length)
    ends = np.r_[i, path], np.r_[j, path + 1]
    return lg.Graph.from_edges(*ends, 1 + np.arange(ends[0].size) % 7, directed=False, backend=GPU)


def test_levels_may_be_wider_where_rows_are_long(narrow: Any) -> None:
    """Half of the entries, not one of them."""
    legs, length = 70, 60
    spine, leaf = np.arange(length), length + np.arange(legs * length)
    path = spine[:-1], spine[1:]
    G = lg.Graph.from_edges(*path, directed=False, n=length * (1 + legs), backend=GPU)
    caterpillar = G.add_edges(np.repeat(spine, legs), leaf)
    lg.bfs(caterpillar, 0)
    assert caterpillar.A._store.pattern.depth.narrow.answer is True
    grid, leaf = lg.grid(20, 60, backend=GPU), 1200 + np.arange(legs)
    star = grid.add_edges(np.zeros(legs, int), leaf, n=1200 + legs)
    lg.bfs(star, 0)
    assert star.A._store.pattern.depth.narrow.answer is False


def test_a_graph_of_many_edges_is_asked_once_a_search_has_shown_that_it_is_deep(
    narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of a small graph of few edges the levels of a search tell."""
    monkeypatch.setattr(narrow, "least", Least(1000, 60))
    for G, first in ((lollipop(60), None), (strip(2, 80), True)):
        depth = G.A._store.pattern.depth
        verify.verify_bfs(G, 0, *lg.bfs(G, 0))
        assert depth.narrow.answer is first and depth.shown is (first is None)
        verify.verify_bfs(G, 5, *lg.bfs(G, 5))
        assert depth.narrow.answer is True and depth.levels > 50
        before = GPU.device.launches
        verify.verify_sssp(G, 3, *lg.sssp(G, 3))
        assert GPU.device.launches - before < 20


def test_small_graphs_of_few_levels_are_asked_a_few_times(
    narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrow, "least", Least(1000, 60))
    for G, waits in ((lg.grid(12, 12, backend=GPU), [1] * 4 + [0]), (strip(2, 20), [0] * 5)):
        seen = []
        for root in range(5):
            with Instrument(GPU) as counted:
                found = lg.bfs(G, root)
            seen.append(counted.waits)
            verify.verify_bfs(G, root, *found)
        assert seen[1:] == waits[1:] and not G.A._store.pattern.depth.narrow.answer


@pytest.mark.parametrize("call", [lg.strongly_connected_components, lg.core_number])
def test_small_graphs_are_asked_before_strong_components_and_cores(
    call: Callable[[lg.Graph], lg.Vector], narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path takes a round for each of its edges."""
    monkeypatch.setattr(narrow, "least", Least(1000, 60))
    path = lg.Graph.from_edges(np.arange(200), np.arange(1, 201), directed=True, backend=GPU)
    assert call(path).to(CPU).isequal(call(path.to(CPU)))
    assert path.A._store.pattern.depth.narrow.answer is True
    before = GPU.device.launches
    call(path)
    assert GPU.device.launches - before < 20


def test_wide_graphs_pay_nothing(narrow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Launches and waits of a Kronecker graph are those without a question."""
    calls: list[Callable[[lg.Graph], Any]] = [
        lambda G: lg.bfs(G, 3), lambda G: lg.sssp(G, 3), lambda G: lg.bfs(G, sources=[1, 2]),
        lambda G: lg.sssp(G, sources=[1, 2]), lambda G: lg.distance_matrix(G, [1, 2]),
        lambda G: lg.closeness_centrality(G, [1, 2]), lambda G: lg.core_number(G),
        lambda G: lg.harmonic_centrality(G, [1, 2]), lambda G: lg.is_bipartite(G),
        lambda G: lg.spanning_forest(G), lambda G: lg.shortest_path_between(G, 1, 2),
        lambda G: lg.betweenness_centrality(G, k=2, seed=1),
    ]  # fmt: skip

    def paid() -> list[tuple[int, int]]:
        G, found = lg.kronecker(7, weights="integer", backend=GPU), []
        for call in calls:
            with Instrument(GPU) as seen:
                call(G)
            found.append((seen.launches, seen.waits))
        assert G.A._store.pattern.depth.narrow.answer is None
        return found

    asked = paid()
    monkeypatch.setattr(type(narrow), "may_be_narrow", lambda *_, **__: False)
    monkeypatch.setattr(type(narrow), "_told", lambda *_: None)
    assert asked == paid()


NARROW: dict[str, Callable[[lg.Graph], Any]] = {
    "bfs": lambda G: lg.bfs(G, 3)[0],
    "sssp": lambda G: lg.sssp(G, 3)[0],
    "bfs of some": lambda G: lg.bfs(G, sources=[3, 5])[0],
    "sssp of some": lambda G: lg.sssp(G, sources=[3, 5])[0],
    "distances": lambda G: lg.Matrix.from_dense(lg.distance_matrix(G, [3, 5]), backend=G.backend),
    "hops": lambda G: lg.Matrix.from_dense(
        lg.distance_matrix(G, [3, 5], weight=None), backend=G.backend
    ),
    "paired": lambda G: lg.Vector.from_dense(
        lg.paired_distances(G, [3, 5], [9, 9]), backend=G.backend
    ),
    "closeness": lambda G: lg.closeness_centrality(G, [3, 5]),
    "closeness of one direction": lambda G: lg.closeness_centrality(lg.Graph(G.A, True), [3, 5]),
    "harmonic": lambda G: lg.harmonic_centrality(G, [3, 5]),
    "eccentricity": lambda G: lg.eccentricity(G, [3, 5]),
    "eccentricity by weights": lambda G: lg.eccentricity(G, [3, 5], weight="weight"),
    "core_number": lg.core_number,
    "bipartite_color": lg.bipartite_color,
    "betweenness": lambda G: lg.betweenness_centrality(G, k=3, seed=1),
    "scc": lambda G: lg.strongly_connected_components(lg.Graph(G.A, directed=True)),
    "scc of one direction": lambda G: lg.strongly_connected_components(
        lg.Graph(G.A.select("triu").new(), directed=True)
    ),
}


@pytest.mark.parametrize("name", NARROW)
def test_searches_of_narrow_graphs(name: str, narrow: Any) -> None:
    """They need the device for the levels that are tried, and for copies."""
    G, call = strip(2), NARROW[name]
    wanted = call(G.to(CPU))
    assert call(G).to(CPU).isclose(wanted, check_dtype=True)
    assert G.A._store.pattern.depth.narrow.answer or name == "scc of one direction"
    before = GPU.device.launches
    assert call(G).to(CPU).isclose(wanted)
    assert GPU.device.launches - before < 20
    assert lg.is_bipartite(G) and lg.is_bipartite(lg.Graph(G.A, directed=True))
    with lg.explain() as report:
        assert call(G).to(CPU).isclose(wanted)
    told = [one for one in report.choices if one.what == "search of a narrow graph"]
    assert told or name == "scc of one direction"  # of another matrix in each call


HEAVY: dict[str, Callable[[lg.Graph], Any]] = {
    "rows of a closure": lambda G: lg.closure(starts(G), G.A, "min_plus"),
    "rows of rounds": lambda G: closure_with_rounds(starts(G), G.A, "min_plus")[1],
    "sssp of some": lambda G: lg.sssp(G, sources=[3, 5])[0],
}


def starts(G: lg.Graph) -> lg.Matrix:
    return lg.Matrix.from_coo([0, 1], [3, 5], [0, 0], nrows=2, ncols=G.n, backend=G.backend)


@pytest.mark.parametrize("name", HEAVY)
def test_what_the_host_has_no_loop_for_stays_on_the_device(
    name: str, narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums that FP64 would round, and rounds of lengths."""
    G = strip(2)
    heavy = lg.Graph(G.A.apply("times", 1 << 45).new("INT64"), directed=False)
    wanted = HEAVY[name](heavy.to(CPU))
    lg.bfs(heavy, 0)
    assert heavy.A._store.pattern.depth.narrow.answer
    counted = statements_run(monkeypatch)
    found = HEAVY[name](heavy)
    assert len(counted) < 20
    assert found.to(CPU).isequal(wanted, check_dtype=True)


@pytest.mark.parametrize("hops", [False, True])
def test_longest_paths_of_narrow_graphs(
    hops: bool, narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device gives up, and later calls do not try it; of other graphs it finds them."""
    call = lg.topological_generations if hops else lg.dag_longest_distance
    monkeypatch.setattr(narrow, "least_levels", 100)
    for width, length, long in ((2, 200, True), (40, 40, False)):
        A = strip(width, length).A.select("triu").new()
        G = lg.Graph(A, directed=True)
        for _ in range(2):
            with lg.explain() as report:
                found = call(G)
            chosen = [one.chosen for one in report.choices if one.what == "longest paths"]
            assert (chosen[-1] == host_loops.ON_HOST) is long
            assert found.to(CPU).isequal(call(G.to(CPU)))
            assert G.A._store.pattern.depth.sooner_on_host == {LONGEST_PATHS: long}
        assert len(chosen) == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.host_loops, "graph", lambda _: None)
        patch.setattr(GPU.host_loops, "weighted_graph", lambda _: None)
        G = lg.Graph(strip(2).A.select("triu").new(), directed=True)
        assert call(G).to(CPU).isequal(call(G.to(CPU)))


@pytest.mark.parametrize("directed", [False, True])
def test_core_numbers_of_graphs_that_peel_slowly(
    directed: bool, narrow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A band peels from its ends, and is no narrow graph: the device gives up, and later calls do
    not try it. Of other graphs it finds the core numbers."""
    monkeypatch.setattr(narrow, "least_levels", 60)
    monkeypatch.setattr(narrow, "least", Least(1 << 20, 1 << 20))
    far = np.arange(1, 5)
    for n, modulus, slow in ((300, 300, True), (300, 40, False)):
        i = np.repeat(np.arange(n), far.size)
        j = i + np.tile(far, n)
        inside = i // modulus == j // modulus
        inside &= j < n
        G = lg.Graph.from_edges(i[inside], j[inside], n=n, directed=directed, backend=GPU)
        wanted = lg.core_number(G.to(CPU))
        for _ in range(2):
            with lg.explain() as report:
                found = lg.core_number(G)
            chosen = [
                one.chosen for one in report.choices if one.what in ("core numbers", "peeling")
            ]
            assert (chosen[-1] == host_loops.ON_HOST) is slow
            assert found.to(CPU).isequal(wanted, check_dtype=True)
            assert G.A._store.pattern.depth.sooner_on_host == {PEELING: slow}
        assert len(chosen) == 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(GPU.host_loops, "graph", lambda _: None)
            assert lg.core_number(G).to(CPU).isequal(wanted)


@pytest.mark.parametrize("weighted", [False, True])
def test_hosts_without_room(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements do it, and nothing is kept."""
    G = lg.grid(9, 5, weights="integer", seed=1, backend=GPU)
    needed = (16 + 4 * weighted) * G.A.nvals + 8 * G.n

    def call() -> None:
        walk = lg.random_walks(G, [0, 5], 3, seed=1, weighted=weighted)
        verify.verify_random_walks(G, [0, 5], 3, walk, weighted=weighted)

    monkeypatch.setattr(memory, "CHECKED_BYTES", 0)
    monkeypatch.setattr(memory, "available_bytes", lambda: needed - 1)
    assert not on_host(call)
    store = G.A._store
    assert store.on_host is None and store.pattern.on_host is None
    monkeypatch.setattr(memory, "available_bytes", lambda: needed)
    assert on_host(call)


def test_hosts_without_room_for_searches(narrow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device makes them."""
    G = strip(2)
    wanted = lg.bfs(G, 0)[0]
    assert G.A._store.pattern.depth.narrow.answer
    monkeypatch.setattr(memory, "CHECKED_BYTES", 0)
    monkeypatch.setattr(memory, "available_bytes", lambda: HOST_BYTES * G.n * 2 - 1)
    for sources, launched in (([0], False), ([0, 1], True)):
        before = GPU.device.launches
        found = lg.distance_matrix(G, sources, weight=None)
        assert (GPU.device.launches > before) is launched
        rows = lg.Matrix.from_dense(found, backend=GPU)
        assert rows[0, :].new().to_dense().tolist() == wanted.to_dense().tolist()


def test_hosts_without_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements do it."""
    wanted = orders(lattice(CPU))

    def missing(name: str) -> Any:
        raise BackendUnavailable(f"expected python-graphblas for the {name} backend")

    monkeypatch.setattr(host_loops, "named", missing)
    G = lattice(GPU)
    assert not on_host(lambda: orders(G)) and orders(G) == wanted
    assert not on_host(lambda: lg.maximum_bipartite_matching(G))
    assert not on_host(lambda: lg.random_walks(G, [0], 2, seed=1))


@pytest.mark.parametrize(
    ("call", "most"),
    [
        (lg.maximal_matching, "most_for_matching"),
        (lg.leiden, "most_for_leiden"),
        (lg.louvain, "most_for_louvain"),
    ],
)
@pytest.mark.parametrize("directed", [False, True])
def test_small_graphs_go_to_the_host(
    call: Callable[..., lg.Vector], most: str, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For what takes a device hundreds of launches, with the same answer."""
    graphs = (by_degree(lattice(b)) for b in (CPU, GPU))
    wanted, G = (lg.Graph(graph.A, directed=directed) for graph in graphs)
    right, size = call(wanted, seed=3), G.n + G.A.nvals

    def launches() -> int:
        before = GPU.device.launches
        found = call(G, seed=3)
        assert found.backend is GPU and found.to(CPU).isequal(right, check_dtype=True)
        return GPU.device.launches - before

    monkeypatch.setattr(GPU.small_graphs, most, size)
    assert launches() < 20
    with lg.explain() as report:
        call(G, seed=3)
    chosen = {choice.chosen: choice.because for choice in report.choices}
    assert chosen.get(host_loops.ON_HOST) == LAUNCHES or chosen.get(ON_DEVICE) == ASKED
    monkeypatch.setattr(GPU.small_graphs, most, size - 1)
    assert launches() > 40
    monkeypatch.setattr(GPU.small_graphs, most, size)
    with by_statements(backend=CPU):  # for which the host has no loop
        assert launches() > 40
