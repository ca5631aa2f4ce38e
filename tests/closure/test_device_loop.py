"""All rounds of a closure in one kernel: the same as the loop of statements, round for round."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import NoFixpoint
from semirings import any_pair, any_secondi, max_min, min_first, min_plus, min_second
from semirings.types import FP32, INT64
from tests import graphs, spec
from tests.graphs import Example, random_edges, two_hubs
from tests.harness import DEVICE, GPU, complaint, put, reseed, take
from tests.strategies import any_graph, examples, seeds, vectors

EXACT = [min_plus, max_min, min_first, min_second]
DIRECTIONS = st.sampled_from([None, "push", "pull"])


def both_loops(
    x0: spec.Sparse, A: Any, ring: Any, most: int | None, direction: str | None, balance: Any
) -> list[Any]:
    """What each loop finds: values, rounds of entries, and the trace; or that it finds nothing."""
    found = []
    for loop in ("host", "device"):
        schedule = lg.Schedule(direction, balance, loop)
        with lg.trace() as steps:
            try:
                x, when = closure_with_rounds(put(x0, GPU), A, ring, most, schedule)
                found.append((take(x), take(when), [(s.frontier, s.edges) for s in steps]))
            except NoFixpoint as error:
                found.append((str(error), None, [(s.frontier, s.edges) for s in steps]))
    return found


@pytest.mark.parametrize("ring", EXACT, ids=lambda r: r.name)
@examples(60)
@given(
    data=st.data(), graph=any_graph(), seed=seeds, most=st.none() | st.integers(0, 5),
    direction=DIRECTIONS, balance=st.sampled_from([None, "thread", "warp"]),
    piece=st.sampled_from([1, 3, 1024]), long_row=st.sampled_from([2, 1024]),
)  # fmt: skip
def test_the_same_rounds(
    ring: Any, data: Any, graph: Any, seed: int, most: int | None, direction: str | None,
    balance: Any, piece: int, long_row: int,
) -> None:  # fmt: skip
    reseed(seed)
    A = put(graph.adjacency.cast(INT64), GPU)
    x0 = data.draw(vectors(INT64, graph.n))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.closures.level_synchronous, "piece", piece)
        patch.setattr(GPU.products, "long_row", long_row)
        host, device = both_loops(x0, A, ring, most, direction, balance)
    if isinstance(host[0], str):
        assert device[0] == host[0]
        return
    assert not complaint(device[0], [host[0]])
    assert not complaint(device[1], [host[1]])
    assert [s for s in host[2] if s[0]] == device[2]


crowds = seeds.map(lambda seed: Example("crowd", "", 97, random_edges(97, 1500, seed)))


@examples(60)
@given(
    graph=any_graph() | crowds, seed=seeds, direction=DIRECTIONS, piece=st.sampled_from([1, 1024]),
    balance=st.sampled_from([None, "thread", "warp", "search"]), long_row=st.sampled_from([2, 9]),
)  # fmt: skip
def test_any(
    graph: Any, seed: int, direction: str | None, piece: int, balance: Any, long_row: int
) -> None:
    """Presence and rounds are the same; a parent is any neighbour of the round before."""
    reseed(seed)
    A = put(graph.adjacency.cast(INT64), GPU)
    x0 = spec.Sparse(INT64, (graph.n,), {0: INT64.type(0)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.closures.level_synchronous, "piece", piece)
        patch.setattr(GPU.products, "long_row", long_row)
        for ring in (any_pair, any_secondi):
            (x, when, trace), (y, then, again) = both_loops(x0, A, ring, None, direction, balance)
            assert not complaint(then, [when]) and again == [s for s in trace if s[0]]
            assert x.entries.keys() == y.entries.keys()
            if ring is any_secondi:
                edges = graph.adjacency.entries
                for j, k in y.entries.items():
                    assert j == 0 or ((k, j) in edges and then.entries[k] == then.entries[j] - 1)


def hub_graph(n: int = 700) -> lg.Graph:
    return lg.Graph.from_edges(*two_hubs(n, 5), n=n, dup="min", backend=GPU)


@pytest.mark.parametrize("direction", [None, "push", "pull"])
def test_hubs_and_full_queues(direction: str | None) -> None:
    """More than a block gathers, hubs in pieces, rows longer than a warp's."""
    G = hub_graph()
    x0 = spec.Sparse(FP32, (G.n,), {3: FP32.type(0)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.closures.level_synchronous, "piece", 16)
        patch.setattr(GPU.products, "long_row", 64)
        host, device = both_loops(x0, G.A, min_plus, None, direction, None)
    assert not complaint(device[0], [host[0]]) and not complaint(device[1], [host[1]])
    assert device[2] == [s for s in host[2] if s[0]]


def test_it_does_not_wait_however_many_rounds() -> None:
    n = 40
    G = lg.Graph.from_edges(*graphs.path(n), n=n, backend=GPU)
    schedule = lg.Schedule(direction="push", loop="device")
    lg.bfs(G, 0, schedule=schedule)
    before, launches = DEVICE.waits, DEVICE.launches
    level, _ = lg.bfs(G, 0, schedule=schedule)
    assert DEVICE.waits == before and DEVICE.launches - launches <= 3
    assert level.to_dense().tolist() == list(range(n))
    host = lg.Schedule(direction="push", loop="host")
    lg.bfs(G, 0, schedule=host)
    before = DEVICE.waits
    lg.bfs(G, 0, schedule=host)
    assert DEVICE.waits <= before + n + 2  # the loop of statements: one for each round


def test_a_cycle_that_improves_is_refused_by_both() -> None:
    A = put(spec.Sparse(INT64, (3, 3), {(0, 1): INT64.type(-1), (1, 0): INT64.type(0)}), GPU)
    x0 = spec.Sparse(INT64, (3,), {0: INT64.type(0)})
    host, device = both_loops(x0, A, min_plus, None, "push", None)
    assert host[0] == device[0] and "improves on itself" in host[0]


def test_a_device_too_small_goes_round_by_round_and_says_so_once(monkeypatch: Any) -> None:
    n = 40
    G = lg.Graph.from_edges(*graphs.path(n), n=n, backend=GPU)
    monkeypatch.setattr(GPU, "resident_blocks", lambda kernel, block: 0)
    monkeypatch.setattr(GPU, "_warned", False)
    with pytest.warns(RuntimeWarning, match="loops of kernels") as told:
        for search in (lg.bfs, lg.bfs, lg.sssp):
            assert search(G, 0)[0].to_dense().tolist() == list(range(n))
    assert len(told) == 1 and told[0].filename == __file__, "it points at who searched"
