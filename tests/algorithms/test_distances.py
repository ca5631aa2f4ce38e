"""Tables of distances: each row is what a search from its source finds, on both backends."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import (
    DistanceOverflow,
    IndexOutOfBound,
    InvalidValue,
    NegativeWeight,
    TooLarge,
    WrongType,
)
from lagraph_gpu.notation.host_memory import larger_backend
from semirings import types
from tests import graphs, spec
from tests.harness import BOTH, CPU, GPU, reseed
from tests.strategies import any_graph, examples, random_graphs, seeds

INF = float("inf")


def on_host(table: Any) -> np.ndarray:
    return table if isinstance(table, np.ndarray) else table.get()


def expected(
    example: graphs.Example, sources: list[int], targets: list[int] | None, cutoff: Any, hops: bool
) -> np.ndarray:
    """A row of the specification for each source."""
    columns = range(example.n) if targets is None else targets
    A = example.adjacency
    rows = []
    for s in sources:
        found = spec.levels(A, [s]) if hops else spec.distances(A, s)
        near = {v: d for v, d in found.items() if cutoff is None or d <= cutoff}
        rows.append([float(near.get(v, INF)) for v in columns])
    return np.array(rows).reshape(len(sources), len(columns))


def vertices(n: int, most: int = 70) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, n - 1), max_size=most) if n else st.just([])


ORDERS = [None, *(lg.Schedule(order=order) for order in ("rounds", "delta", "heap"))]
every_order = pytest.mark.parametrize("schedule", ORDERS, ids=str)
SCHEDULES = [
    *ORDERS, lg.Schedule("push"), lg.Schedule("pull"), lg.Schedule(loop="device"),
    lg.Schedule(loop="host"), lg.Schedule(loop="device", order="delta"),
    *(lg.Schedule(order=order, width=width) for order in ("delta", "heap") for width in (0.5, INF)),
]  # fmt: skip
"""Each way to a table, and single searches by schedules of their own."""


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "FP64", "UINT8", "BOOL"])
@examples(40)
@given(data=st.data(), cutoff=st.none() | st.sampled_from([0, 1, 3.5, 12, INF]), seed=seeds)
def test_drawn(dtype: str, data: Any, cutoff: Any, seed: int) -> None:
    """Under each schedule: with heaps that hold no more than they must, and short near lists."""
    example = data.draw(random_graphs(dtype))
    hops, schedule = data.draw(st.booleans()), data.draw(st.sampled_from(SCHEDULES))
    sources = data.draw(vertices(example.n, 70 if schedule is None or schedule.order else 5))
    targets = data.draw(st.none() | vertices(example.n, 9))
    right = expected(example, sources, targets, cutoff, hops)
    reseed(seed)
    for backend in BOTH:
        G = example.graph(backend)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(GPU.tables, "room", data.draw(st.sampled_from([None, G.n // 32 + 2])))
            patch.setattr(GPU.products, "long_row", data.draw(st.sampled_from([1, 1024])))
            weight = None if hops else "weight"
            table = lg.distance_matrix(G, sources, targets, cutoff, weight, schedule=schedule)
        np.testing.assert_array_equal(on_host(table), right)


@pytest.mark.parametrize("example", graphs.BATTERY, ids=str)
def test_battery(example: graphs.Example) -> None:
    """Some sources, twice one, of every graph; and the singles agree."""
    if example.n == 0 or example.smallest < 0:
        pytest.skip("no sources, or no distances")
    sources = [0, example.n // 2, example.n - 1, min(7, example.n - 1)]
    reseed(1)
    for backend in BOTH:
        G = example.graph(backend)
        table = on_host(lg.distance_matrix(G, sources))
        for row, s in zip(table, sources, strict=True):
            single = lg.sssp(G, s)[0].to_dense(INF, dtype=table.dtype)
            np.testing.assert_array_equal(row, single)
        hops = on_host(lg.distance_matrix(G, sources, weight=None))
        for row, s in zip(hops, sources, strict=True):
            np.testing.assert_array_equal(row, lg.bfs(G, s)[0].to_dense(INF, dtype=hops.dtype))


@examples(12)
@given(example=any_graph(), data=st.data(), seed=seeds)
def test_vectors_of_many_sources(example: graphs.Example, data: Any, seed: int) -> None:
    """``bfs`` and ``sssp`` of a list: a matrix, of which each row is a single search's."""
    if example.smallest < 0:
        return
    sources = data.draw(vertices(example.n, 5))
    reseed(seed)
    for backend in BOTH:
        G = example.graph(backend)
        level, parent = lg.bfs(G, sources=sources)
        distance, before = lg.sssp(G, sources=sources)
        for made in (level, parent, distance, before):
            assert made.shape == (len(sources), G.n)
        for i, s in enumerate(sources):
            row = {v: x.get() for v in range(G.n) if (x := level[i, v]).get() is not None}
            assert row == spec.levels(example.adjacency, [s])
            for v, found in row.items():
                u = parent[i, v].get()
                assert row[u] == max(0, found - 1) and (found > 0 or u == s)
            right = spec.distances(example.adjacency, s)
            assert {v: distance[i, v].get() for v in right} == right
            assert distance[i, :].new().nvals == before[i, :].new().nvals == len(right)
            verify.verify_sssp(G, s, distance[i, :].new(), before[i, :].new())


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@every_order
def test_sums_are_rounded_as_in_single_searches(backend: Any, dtype: Any, schedule: Any) -> None:
    """Tenths, which no float holds: to the bit, and within a cutoff that no float holds."""
    rng = np.random.default_rng(4)
    i, j = np.divmod(np.unique(rng.integers(0, 60 * 60, 240)), 60)
    G = lg.Graph.from_edges(i, j, (rng.random(i.size) * 0.1).astype(dtype), n=60, backend=backend)
    sources = [0, 17, 59]
    for cutoff in (None, 0.1):
        table = on_host(lg.distance_matrix(G, sources, cutoff=cutoff, schedule=schedule))
        assert table.dtype == dtype
        for row, s in zip(table, sources, strict=True):
            np.testing.assert_array_equal(row, lg.sssp(G, s, cutoff)[0].to_dense(INF))


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@every_order
def test_blocks_are_the_table(backend: Any, schedule: Any) -> None:
    G = graphs_with_two_parts(backend)
    sources, targets = [5, 0, 5, 3, 1], [2, 2, 5, 0]
    whole = on_host(lg.distance_matrix(G, sources, targets))
    row, search = 8 * 4, 28 * 6 * G.n
    for memory, sizes in ((search + row, [1] * 5), (search + 2 * row, [2, 2, 1]), (None, [5])):
        some = lg.iter_distances(G, sources, targets, memory=memory, schedule=schedule)
        blocks = list(some)
        assert [b.sources.size for b in blocks] == sizes
        assert np.concatenate([b.sources for b in blocks]).tolist() == sources
        table = np.concatenate([on_host(b.distances) for b in blocks])
        np.testing.assert_array_equal(table, whole)
    least = search + row
    with pytest.raises(TooLarge, match=f"{least:,} bytes, got {least - 1:,}"):
        lg.iter_distances(G, sources, targets, memory=least - 1)
    with pytest.raises(InvalidValue, match="memory in bytes"):
        lg.iter_distances(G, sources, memory=1.5)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_a_table_as_a_sparse_matrix(backend: Any) -> None:
    """Its blocks one below another are what a search from many sources gives."""
    G = graphs.NAMED["random 33"].of("FP64").graph(backend)
    blocks = lg.iter_distances(G, range(20), cutoff=6, memory=7 * 36 * 33)
    rows = [[lg.Matrix.from_dense(b.distances, np.inf, backend=backend)] for b in blocks]
    assert len(rows) == 3
    assert lg.concat(rows).isequal(lg.sssp(G, sources=range(20), cutoff=6)[0])


def graphs_with_two_parts(backend: Any) -> lg.Graph:
    """0 – 1 – 2 – 3 and 4 – 5."""
    edges = [0, 1, 2, 4], [1, 2, 3, 5]
    return lg.Graph.from_edges(*edges, [1, 2, 4, 8], directed=False, backend=backend)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("directed", [True, False])
def test_dead_ends_have_their_distances(dtype: Any, directed: bool) -> None:
    """A vertex from which no edge leads on is in no heap, whether another way to it is found later
    or it is a source; two vertices that lead to each other alone are dead ends of each other."""
    src, dst = [0, 0, 2, 3, 4, 6, 7], [1, 2, 1, 2, 3, 7, 6]
    length = np.array([9, 1, 2, 0, 1, 3, 3], dtype)
    kept = slice(None) if directed else slice(0, 6)
    G = lg.Graph.from_edges(src[kept], dst[kept], length[kept], n=9, directed=directed, backend=CPU)
    wanted = np.full((9, 9), INF)
    np.fill_diagonal(wanted, 0)
    for u, v, x in zip(src[kept], dst[kept], length[kept]):
        wanted[u, v] = x
        if not directed:
            wanted[v, u] = x
    for k in range(9):
        wanted = np.minimum(wanted, wanted[:, [k]] + wanted[k])
    assert on_host(lg.distance_matrix(G)).tolist() == wanted.tolist()
    within = np.where(wanted <= 3, wanted, INF)
    assert on_host(lg.distance_matrix(G, cutoff=3)).tolist() == within.tolist()
    for u, v in np.argwhere(np.isfinite(wanted)).tolist():
        assert lg.shortest_path_between(G, u, v)[0] == wanted[u, v]


@pytest.mark.parametrize("ones", [np.ones(2, np.uint8), np.ones(2, bool)], ids=["uint8", "bool"])
def test_the_type_of_a_table_is_not_read_off_the_weights(ones: np.ndarray) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], ones, backend="cpu")
    tables = [lg.distance_matrix(G), lg.distance_matrix(G, contraction=lg.contract(G))]
    assert [table.dtype for table in tables] == [np.float64] * 2
    assert lg.distance_matrix(G, weight=None).dtype == np.float32


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@every_order
def test_edges_of_what_can_be_asked(backend: Any, schedule: Any) -> None:
    def table(*given: Any, **named: Any) -> np.ndarray:
        return on_host(lg.distance_matrix(*given, **named, schedule=schedule))

    G = graphs_with_two_parts(backend)
    assert table(G, [], [0]).shape == (0, 1)
    assert table(G, [0], []).shape == (1, 0)
    assert table(G, np.array([], np.int64)).shape == (0, 6)
    whole = table(G)
    assert whole.shape == (6, 6) and whole.dtype == np.float64
    assert whole[0].tolist() == [0, 1, 3, 7, INF, INF]
    np.testing.assert_array_equal(whole, whole.T)
    assert table(G, [0], weight=None).dtype == np.float32
    assert table(G, [1, 5, 1], [1, 5, 1, 0]).tolist() == [
        [0, INF, 0, 1],
        [INF, 0, INF, INF],
        [0, INF, 0, 1],
    ]
    zeros = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0], n=4, backend=backend)
    assert table(zeros, [0, 2, 3]).tolist() == [[0, 0, 0, INF], [0, 0, 0, INF], [INF, INF, INF, 0]]
    empty = lg.Graph.from_edges([], [], n=0, backend=backend)
    assert table(empty).shape == (0, 0)
    lonely = lg.Graph.from_edges([], [], n=3, backend=backend)
    assert table(lonely, [1]).tolist() == [[INF, 0, INF]]


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_bad_input(backend: Any) -> None:
    G = graphs_with_two_parts(backend)
    for wrong in ([6], [0, -1], np.array([0, 99])):
        with pytest.raises(IndexOutOfBound, match=r"vertex in sources of this graph \(0 to 5"):
            lg.distance_matrix(G, wrong)
        with pytest.raises(IndexOutOfBound, match="vertex in targets"):
            lg.distance_matrix(G, [0], wrong)
    for wrong in (3, "012", [0.5], [True], [[0, 1]], [None], ["a"]):
        with pytest.raises(WrongType, match="expected sources as a list"):
            lg.distance_matrix(G, wrong)
    with pytest.raises(InvalidValue, match="cutoff"):
        lg.distance_matrix(G, [0], cutoff=-1)
    with pytest.raises(InvalidValue, match="expected weight"):
        lg.distance_matrix(G, [0], weight="length")
    for search in (lg.bfs, lg.sssp):
        with pytest.raises(InvalidValue, match="and not both"):
            search(G, 0, sources=[0])
        with pytest.raises(IndexOutOfBound, match=r"as an integer, or sources="):
            search(G)
        with pytest.raises(IndexOutOfBound, match="vertex in sources"):
            search(G, sources=[0, 6])
    negative = lg.Graph.from_edges([0], [1], [-1], backend=backend)
    with pytest.raises(NegativeWeight, match="distances"):
        lg.distance_matrix(negative, [0])
    assert on_host(lg.distance_matrix(negative, [0], weight=None)).tolist() == [[0, 1]]


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@every_order
def test_sums_that_need_more_room(
    backend: Any, schedule: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond 32 bits; beyond what a float holds exactly, or at all; beyond the memory."""
    far = 2**31 - 1
    edges = [0, 1, 2], [1, 2, 3]
    G = lg.Graph.from_edges(*edges, [far, far, 5], backend=backend)
    assert on_host(lg.distance_matrix(G, [0, 1], schedule=schedule)).tolist() == [
        [0, far, 2 * far, 2 * far + 5],
        [INF, 0, far, far + 5],
    ]
    with pytest.raises(DistanceOverflow, match="exact number of FP64"):
        lg.distance_matrix(lg.Graph.from_edges(*edges, [2**52, 1, 1], backend=backend), [0])
    huge = lg.Graph.from_edges(*edges, np.full(3, 2e38, np.float32), backend=backend)
    with pytest.raises(DistanceOverflow, match=r"n - 1 = 3 edges.*scale the weights down"):
        lg.distance_matrix(huge, [0])
    for weight in (2**53, 1.5e308, np.float32(3e38)):  # one edge, which is the longest path
        two = lg.Graph.from_edges([0], [1], [weight], directed=False, backend=backend)
        table = on_host(lg.distance_matrix(two, schedule=schedule))
        assert table.tolist() == [[0, weight], [weight, 0]]
    monkeypatch.setitem(GPU.lowerings, larger_backend, lambda _: None)  # else the CPU would do it
    monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
    needed = 2 * 4 * 8 + 6 * 4 * 28  # the table, and searches for one of its rows
    monkeypatch.setattr(type(backend), "free_bytes", lambda self: needed - 1)
    message = rf"at a time, {needed} bytes and {needed - 1} are free.*iter_distances"
    with pytest.raises(TooLarge, match=message):
        lg.distance_matrix(G, [0, 1])
    monkeypatch.setattr(type(backend), "free_bytes", lambda self: needed)
    assert on_host(lg.distance_matrix(G, [0, 1])).shape == (2, 4)


def test_searches_of_many_need_room(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as the components of their sources are large; nothing is searched before."""
    pairs = np.arange(0, 40, 2)
    G = lg.Graph.from_edges(pairs, pairs + 1, n=40, directed=False, backend=backend)
    path = lg.Graph.from_edges(range(39), range(1, 40), n=40, directed=False, backend=backend)
    monkeypatch.setitem(GPU.lowerings, larger_backend, lambda _: None)  # else the CPU would do it
    monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
    monkeypatch.setattr(type(backend), "free_bytes", lambda self: 40 * 64)
    for search in (lg.bfs, lg.sssp):
        found, _ = search(G, sources=range(40))
        assert found.nvals == 80
        with pytest.raises(TooLarge, match=r"find 51,200 bytes and 2,560 are free.*iter_distances"):
            search(path, sources=range(40))


def test_nobody_asks_what_is_free_for_a_small_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a MiB: it takes a tenth of a millisecond, and more than a search."""
    path = lg.Graph.from_edges(range(39), range(1, 40), directed=False, backend=CPU)
    monkeypatch.setattr(type(CPU), "free_bytes", lambda self: 0)
    assert lg.sssp(path, sources=[0, 39])[0].nvals == lg.distance_matrix(path, [0, 39]).size == 80
    assert lg.floyd_warshall(path).nvals == 1600
    assert lg.random_walks(path, [0], 10, seed=1).nvals == 11
    with pytest.raises(TooLarge, match="a table that fits"):
        lg.distance_matrix(path, [0] * 8000)


def test_blocks_report_their_progress(backend: Any) -> None:
    """As rows of the whole table, never fewer than before."""
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], directed=False, backend=backend)
    said: list[tuple[int, int]] = []
    memory = 3 * 8 + 6 * 28 * 3  # for one row
    blocks = lg.iter_distances(
        G, [0, 1, 2, 0], memory=memory, progress=lambda *now: said.append(now)
    )
    assert [block.sources.size for block in blocks] == [1] * 4
    assert {total for _, total in said} == {4} and said[-1] == (4, 4)
    assert said == sorted(said)


def test_a_cutoff_beyond_all_numbers(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], backend=backend)
    assert on_host(lg.distance_matrix(G, [0], cutoff=10**400)).tolist() == [[0, 5, 12]]
    assert lg.sssp(G, 0, cutoff=10**400)[0].to_dense().tolist() == [0, 5, 12]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # as where it was compared with the largest FP64 in FP32
        assert lg.sssp(G, 0, cutoff=np.float32(5))[0].nvals == 2


def test_the_way_is_told() -> None:
    """Edges in step, unless that takes many rounds; lengths by a block for each source, or one by
    one, if few for the edges. And what a schedule asks for."""
    path = lg.Graph.from_edges(range(60), range(1, 61), range(60), backend=GPU)
    pairs = np.divmod(np.arange(400), 20)
    full = lg.Graph.from_edges(*pairs, np.arange(400), n=20, backend=GPU)
    rounds, delta, heap = (schedule for schedule in ORDERS if schedule)
    reseed(0)
    for G, k, weight, schedule, way in (
        (path, 57, "weight", None, "each source by a block"),
        (path, 56, "weight", None, "in copies of the graph"),
        (path, 9, "weight", None, "in copies of the graph"),
        (path, 2, "weight", None, "in copies of the graph"),
        (path, 1, "weight", None, "one search after another"),
        (full, 16, "weight", None, "each source by a block"),
        (full, 15, "weight", None, "one search after another"),
        (full, 9, None, None, "a bit for each source"),
        (full, 2, None, rounds, "a bit for each source"),
        (path, 9, "weight", rounds, "one search after another"),
        (path, 2, None, delta, "each source by a block"),
        (full, 9, "weight", heap, "each source by a warp with a heap"),
        (path, 9, None, heap, "each source by a warp with a heap"),
        (path, 3, None, lg.Schedule("pull"), "one search after another"),
        (path, 9, "weight", lg.Schedule(), "in copies of the graph"),
    ):
        with lg.explain() as told:
            lg.distance_matrix(G, range(k), weight=weight, schedule=schedule)
        table = [choice for choice in told.choices if choice.what == f"table of {k} sources"]
        assert [way in choice.chosen for choice in table] == [True], told
        asked = schedule not in (None, lg.Schedule())
        assert asked == (table[0].because == "the schedule asks for it")
    with lg.explain() as told:
        lg.distance_matrix(path, [0, 1], schedule=lg.Schedule(order="heap", width=2.5))
    assert told.choices[0].facts["width"] == 2.5


def test_a_deep_graph_is_known_from_its_first_search() -> None:
    """Then edges are counted in copies of the graph at once."""
    reseed(0)
    G = lg.Graph.from_edges(range(60), range(1, 61), backend=GPU)
    right = np.abs(np.arange(61) - np.zeros((2, 1)))
    for chosen in (["in step", "in copies"], ["in copies"]):
        with lg.explain() as told:
            table = on_host(lg.distance_matrix(G, [0, 0], weight=None))
        np.testing.assert_array_equal(table, right)
        pairs = zip(chosen, told.choices, strict=True)
        assert all(way in choice.chosen for way, choice in pairs)
    with lg.explain() as told:  # but rounds can be asked for
        lg.distance_matrix(G, [0, 0], weight=None, schedule=lg.Schedule(order="rounds"))
    assert [choice.chosen for choice in told.choices] == ["in step, a bit for each source"]


def test_few_sources_of_a_deep_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one launch, or as many as there is memory for, unless a sum wraps."""
    reseed(0)
    line = np.arange(60)
    for dtype, weight, way in (
        ("INT32", 7, "in copies"), ("INT64", 2**40, "in copies"), ("FP64", 0.5, "in copies"),
        ("UINT8", 4, "in copies"), ("UINT8", 5, "in copies"), ("INT32", 2**27, "by a block"),
    ):  # fmt: skip
        weights = np.full(60, weight, types.lookup(dtype))
        G = lg.Graph.from_edges(line, line + 1, weights, 61, backend=GPU)
        right = (line[:, None].T - [[0], [3], [3]]) * float(weight)
        for most in (1 << 20, 128):  # two copies of 64 positions
            monkeypatch.setattr(GPU.closures.rows, "most_positions", most)
            with lg.explain() as told:
                table = on_host(lg.distance_matrix(G, [0, 3, 3]))
            assert way in told.choices[-1].chosen
            np.testing.assert_array_equal(table[:, :60], np.where(right < 0, np.inf, right))
    monkeypatch.setattr(GPU.closures.rows, "most_positions", 64)
    with lg.explain() as told:
        lg.distance_matrix(G, [0, 3, 3])
    assert all("by a block" in choice.chosen for choice in told.choices)


@pytest.mark.parametrize("dtype", ["BOOL", "INT64", "FP32"])
def test_a_graph_without_edges_on_the_device(dtype: str) -> None:
    """A kernel may read the one value of an empty matrix before it looks for an edge."""
    G = lg.Graph(lg.Matrix(dtype, 5, 5, backend=GPU))
    schedule = lg.Schedule(loop="device", order="delta")
    table = on_host(lg.distance_matrix(G, [0, 2], schedule=schedule))
    np.testing.assert_array_equal(table, np.where(np.eye(5)[[0, 2]], 0, np.inf))


@pytest.mark.parametrize(
    "call",
    [
        lambda G, some: lg.bfs(G, sources=some),
        lambda G, some: lg.sssp(G, sources=some),
        lambda G, some: lg.distance_matrix(G, some),
        lambda G, some: lg.distance_matrix(G, [0], targets=some),
        lambda G, some: next(lg.iter_distances(G, some)),
        lambda G, some: lg.paired_distances(G, some, some),
        lambda G, some: lg.random_walks(G, some, 2),
    ],
)
def test_a_set_has_no_order_for_the_rows(call: Any) -> None:
    G = lg.grid(2, 2, weights="integer", backend=CPU)
    for some in ({0, 3}, frozenset((0, 3))):
        with pytest.raises(WrongType, match=rf"in its order, got a {type(some).__name__}; pass"):
            call(G, some)
    call(G, [0, 3])
    assert lg.harmonic_centrality(G, sources={0, 3}).nvals == 4  # a sum needs no order
