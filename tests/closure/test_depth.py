"""Whether a graph is deep: by its rows, and by what its first searches show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks.instrument import Instrument
from lagraph_gpu import verify
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure import closures
from lagraph_gpu.planning.closure_order import EVEN_ROUNDS, TRIED_ROUNDS, fans_out, is_deep
from lagraph_gpu.planning.depth import TRIALS, Depth
from lagraph_gpu.planning.many_sources import FEW_ROWS
from semirings import min_plus
from tests.closure.test_order import FACTS
from tests.harness import GPU, kernels_launched


def test_deep_graphs() -> None:
    assert is_deep(FACTS) and not is_deep(replace(FACTS, nedges=8001))
    assert not is_deep(replace(FACTS, max_degree=None)) and is_deep(replace(FACTS, nedges=0))
    hub = replace(FACTS, nedges=4000, max_degree=1000)
    assert hub.may_have_hubs and not is_deep(hub) and is_deep(replace(hub, long_edges=400))
    assert not is_deep(replace(hub, long_edges=401))
    assert not is_deep(replace(hub, max_degree=2**17 + 1, long_edges=1))


def test_a_star_beside_a_path_is_deep() -> None:
    """And the answers are those of the loop."""
    length, leaves = 900, 70
    i, j = np.arange(length), np.arange(1, length + 1)
    hub = np.full(leaves, length)
    ends = np.concatenate([i, hub]), np.concatenate([j, length + 1 + np.arange(leaves)])
    G = lg.Graph.from_edges(*ends, weight=1 + np.arange(ends[0].size) % 7, directed=False,
                            backend=GPU)  # fmt: skip
    with lg.explain() as report:
        level, parent = lg.bfs(G, 0)
        distance, _ = lg.sssp(G, 0)
    ways = [choice.because for choice in report.choices if choice.what.startswith("closure")]
    assert len(ways) == 2 and all("a queue of its own" in why for why in ways)
    verify.verify_bfs(G, 0, level, parent)
    assert level[length + leaves].get() == length + 1
    by_rounds = lg.closure(G.point(0, 0), G.A, min_plus, schedule=lg.Schedule(order="rounds"))
    assert distance.isequal(by_rounds)


def broom(length: int, leaves: int = 70) -> lg.Graph:
    """A path that ends in a star, and more than a tenth of the edges in that."""
    i, hub = np.arange(length), np.full(leaves, length)
    ends = np.r_[i, hub], np.r_[i + 1, length + 1 + np.arange(leaves)]
    weight = 1 + np.arange(ends[0].size) % 7
    return lg.Graph.from_edges(*ends, weight=weight, directed=False, backend=GPU)


def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the kernels that are launched from now on, if a grid has to be resident."""
    return kernels_launched(monkeypatch, "launch_resident", bare=True)


@pytest.mark.parametrize("search", ["bfs", "sssp"])
@pytest.mark.parametrize("prepared", [False, True])
def test_what_takes_many_rounds_is_deep(
    search: str, prepared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the rows. Later searches know it."""
    G, names = broom(2 * TRIED_ROUNDS), launched(monkeypatch)
    H = G.prepared() if prepared else G
    for root, ways in ((0, ["closure", "block_async"]), (3, ["block_async"])):
        found = getattr(lg, search)(H, root)
        getattr(verify, f"verify_{search}")(G, root, *found)
        assert names == ways
        names.clear()
    deep = getattr(lg, search)(G, 5)
    if not prepared:
        many = lg.closure(G.point(0, 0), G.A, min_plus)  # of another type, and it knows, too
        assert names == ["block_async"] * 2 and many.nvals == G.n
    getattr(verify, f"verify_{search}")(G, 5, *deep)


def test_what_takes_few_rounds_is_not_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    G, names = broom(TRIED_ROUNDS // 2), launched(monkeypatch)
    for root in range(2):
        verify.verify_bfs(G, root, *lg.bfs(G, root))
    assert names == ["closure"] * 2
    names.clear()
    for root in range(4):  # a search by rounds goes ahead, until there have been four
        verify.verify_sssp(G, root, *lg.sssp(G, root))
    assert names == ["closure", "delta_stepping"] * 2 + ["delta_stepping"] * 2
    some = lg.Vector.from_coo([0, 9], [0, 3], size=G.n, backend=GPU)
    lg.closure(some, G.A, min_plus)
    assert names[-1] == "delta_stepping" and len(names) == 7


def cliques(number: int, hub: int = 0) -> lg.Graph:
    """A chain of cliques of 12 vertices, and a star of ``hub`` edges at its end."""
    a, b = np.triu_indices(12, 1)
    first = 12 * np.arange(number)
    begin, n = 12 * number - 1, 12 * number + hub
    i = np.concatenate([*(first[:, None] + a), first[1:] - 1, np.full(hub, begin)])
    j = np.concatenate([*(first[:, None] + b), first[1:], np.arange(begin + 1, n)])
    w = 1.0 + np.arange(i.size) % 9
    return lg.Graph.from_edges(i, j, w, n, directed=False, backend=GPU)


@pytest.mark.parametrize(("number", "hub"), [(EVEN_ROUNDS, 0), (2 * TRIED_ROUNDS, 200)])
@pytest.mark.parametrize("search", ["bfs", "sssp"])
def test_many_edges_for_each_vertex_may_be_deep(
    search: str, number: int, hub: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    G, names = cliques(number, hub), launched(monkeypatch)
    assert fans_out(G.n, G.A.nvals)
    for ways in (["closure", "block_async"], ["block_async"]):
        getattr(verify, f"verify_{search}")(G, 0, *getattr(lg, search)(G, 0))
        assert names == ways
        names.clear()
    assert G.A._store.seems_deep


@pytest.mark.parametrize("search", ["bfs", "sssp"])
def test_searches_leave_the_packed_rows_of_a_deep_graph(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a search takes many rounds over them, if there is room for compressed ones."""
    G, names = cliques(2 * TRIED_ROUNDS).relabel("degree", layout="packed"), launched(monkeypatch)
    root = int(G.A.nvals % G.n)
    assert G.A._store.stays_packed
    for ways in (["packed_search", "block_async"], ["block_async"]):
        getattr(verify, f"verify_{search}")(G, root, *getattr(lg, search)(G, root))
        assert names == ways and not G.A._store.stays_packed
        names.clear()
    levels, _ = lg.bfs(G, sources=range(FEW_ROWS + 1))
    assert names == ["block_async"] and levels[5, :].new().isequal(lg.bfs(G, 5)[0])


@pytest.mark.parametrize("prepared", [False, True])
def test_searches_of_few_rounds_stay_over_packed_rows(prepared: bool) -> None:
    """Four of them show that the graph is not deep. Later ones do not wait."""
    G = cliques(EVEN_ROUNDS // 4)
    H = G.prepared(layout="packed") if prepared else G.relabel("degree", layout="packed")
    for root in range(TRIALS + 1):
        with Instrument(GPU) as seen:
            found = lg.bfs(H, root)
    assert seen.waits == 0 and H.A._store.pattern.depth.deep.answer is False
    with lg.explain() as told:
        lg.bfs(H, root)
    assert "over packed rows" in told.choices[-1].chosen
    assert prepared or H.A._store.stays_packed
    verify.verify_bfs(H, root, *found)


def test_without_room_for_compressed_rows_searches_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closures, "workspace_bytes", lambda device: 0)
    G, names = cliques(2 * TRIED_ROUNDS).relabel("degree", layout="packed"), launched(monkeypatch)
    found = [lg.bfs(G, root) for root in range(2)]
    assert names == ["packed_search"] * 2 and G.A._store.stays_packed
    assert G.A._store.pattern.depth.deep.answer is None  # nobody asks
    for root in range(2):
        verify.verify_bfs(G, root, *found[root])


def test_rounds_are_gone_where_queues_have_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    G, names = cliques(EVEN_ROUNDS), launched(monkeypatch)

    def fail(*_: Any) -> None:
        raise TooLarge("no room")

    monkeypatch.setattr(GPU.closures.by_order.ordered.padding, "padded", fail)
    for _ in range(2):
        verify.verify_bfs(G, 0, *lg.bfs(G, 0))
    assert names == ["closure"] * 3


def test_searches_that_take_few_rounds_do_not_wait() -> None:
    """If there are many edges for each vertex, four of them are enough to know it."""
    G, waits = cliques(EVEN_ROUNDS // 4), []
    for root in range(6):
        with Instrument(GPU) as seen:
            found = lg.bfs(G, root)
        waits.append(seen.waits)
        verify.verify_bfs(G, root, *found)
    assert waits[-2:] == [0, 0] and waits[3] == 1 and G.A._store.pattern.depth.deep.answer is False


@pytest.mark.parametrize("number", [EVEN_ROUNDS // 4, EVEN_ROUNDS])
def test_many_searches_find_out_whether_a_graph_is_deep(number: int) -> None:
    G, sources = cliques(number), np.arange(FEW_ROWS + 1)
    with lg.explain() as told:
        levels, _ = lg.bfs(G, sources=sources)
    deep = number == EVEN_ROUNDS
    assert (told.choices[0].chosen == "in copies of the graph") is deep
    for row, source in enumerate(sources):
        assert levels[row, :].new().isequal(lg.bfs(G, source)[0])


@pytest.mark.parametrize("settles", [False, True])
def test_searches_that_end_soon_answer_no_or_leave_a_question_open(settles: bool) -> None:
    depth = Depth()
    for _ in range(TRIALS):
        assert depth.deep.answer is None and depth.deep.worth_a_trial
        depth.deep.note_early_end(settles)
    assert depth.deep.answer is (False if settles else None) and not depth.deep.worth_a_trial
    assert depth.narrow.answer is None and not depth.shown
    depth.many_rounds = True
    assert depth.shown and replace(depth, many_rounds=False).shown is False
    depth.deep.answer = True
    assert replace(depth, many_rounds=False).shown


def test_after_how_many_rounds_a_graph_is_deep() -> None:
    """Rounds that take as long as the search would take with a queue for each block; fewer where
    no row is long."""
    hub = replace(FACTS, max_degree=1000)
    assert hub.tried_rounds == TRIED_ROUNDS
    assert replace(hub, max_degree=10**6).tried_rounds == int(10_000.0006 / 6.7)
    assert replace(hub, nrows=10**7, nedges=8 * 10**7).tried_rounds == int(12_010 / 6.7)
    assert replace(hub, nedges=8001, max_degree=64).tried_rounds == EVEN_ROUNDS
    for known in (FACTS, replace(hub, max_degree=None), replace(hub, long_edges=9),
                  replace(hub, shown_deep=True), replace(hub, shown_deep=False)):  # fmt: skip
        assert known.tried_rounds is None
    assert is_deep(replace(hub, shown_deep=True)) and not is_deep(replace(hub, shown_deep=False))
    assert is_deep(replace(hub, nedges=8001, shown_deep=True))
