"""Push or pull: one function decides, and whatever compares for itself agrees with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster import products
from lagraph_gpu.cpu.loops.searches import pulls
from lagraph_gpu.cpu.native.structs import Frontier
from lagraph_gpu.gpu.device import constants
from lagraph_gpu.planning import closure_order
from lagraph_gpu.planning import direction as planner
from lagraph_gpu.planning.direction import (
    Facts,
    alpha,
    choose,
    gather_threshold,
    ordered_pull_thresholds,
    pull_threshold,
    stays,
)
from lagraph_gpu.schedule import Schedule
from semirings import any_secondi, min_plus, plus_times
from tests import graphs
from tests.cluster.turns import on_ranks
from tests.harness import BOTH, GPU
from tests.strategies import examples

counts = st.integers(0, 2**40)


@examples(200)
@given(nedges=counts, edges=counts, early_exit=st.booleans())
def test_products_ask_the_threshold(nedges: int, edges: int, early_exit: bool) -> None:
    chosen = choose(Facts(1, edges, 1, nedges, early_exit)).direction
    assert (chosen == "pull") == (edges > pull_threshold(nedges, early_exit))
    assert (chosen == "pull") == (edges * alpha(early_exit) > nedges)  # Beamer's rule


@examples(200)
@given(nedges=st.integers(0, 2**30), edges=st.integers(0, 2**30), n=st.integers(1, 2**30))
def test_compiled_searches_agree_while_no_edge_is_done(nedges: int, edges: int, n: int) -> None:
    wide = n  # a frontier that is not too small for a pull
    chosen = choose(Facts(wide, edges, n, nedges, True)).direction
    frontier = Frontier(edges=edges, edges_left=nedges, vertices=wide, n=n, alpha=alpha(True))
    assert bool(pulls(frontier)) == (chosen == "pull")


@pytest.mark.parametrize("direction", [None, "push", "pull"])
def test_a_resident_kernel_pulls_beyond_the_threshold(direction: Any) -> None:
    """Under min.+ no pull is followed by another for its own sake."""
    G = graphs.NAMED["random 1025"].graph(GPU)
    A = G.A.apply("abs").new("INT64")
    x0 = lg.Vector.from_coo([0], [0], "INT64", size=G.n, backend=GPU)
    with lg.trace() as steps:
        lg.closure(x0, A, min_plus, schedule=Schedule(direction, order="rounds"))
    most = pull_threshold(A.nvals, False, True, direction)
    assert steps and all((s.direction == "pull") == (s.edges > most) for s in steps)


@pytest.mark.parametrize("backend", BOTH, ids=["cpu", "gpu"])
def test_statements_pull_beyond_the_threshold(backend: Any) -> None:
    G = graphs.NAMED["random 1025"].graph(backend)
    A, n = G.A, G.n
    degree = np.diff(A.to_csr()[0])
    seen = set()
    for size in (1, 5, n // 3, n - 1):
        u = lg.Vector.from_coo(np.arange(size), 1, "INT64", size=n, backend=backend)
        w = lg.Vector("INT64", n, backend=backend)
        with lg.trace() as steps:
            w << lg.semiring.any_second(u @ A)
            w.nvals
        pulled = int(degree[:size].sum()) > pull_threshold(A.nvals, True)
        seen.add(pulled)
        assert [s.direction for s in steps] == ["pull" if pulled else "push"]
    assert seen == {True, False}


def levels_of(G: lg.Graph, source: int) -> list[tuple[str, np.ndarray]]:
    """The direction and the vertices of each level of a search on a cluster."""
    G.backend.distribution.transpose(G.A._store)  # both ways are open
    with lg.explain() as report:
        _, level = closure_with_rounds(G.point(source, 1, "INT64"), G.A, any_secondi)
    choices = [choice.chosen for choice in report.choices if ", level " in choice.what]
    index, levels = level.to_coo()
    return [(chosen, index[levels == number]) for number, chosen in enumerate(choices)]


def test_a_closure_on_a_cluster_pulls_beyond_the_threshold() -> None:
    def work(backend: Any) -> set[str]:
        G = graphs.NAMED["random 1025"].graph(backend)
        degree = np.diff(G.A.to_csr()[0])
        most, ways = pull_threshold(G.A.nvals, True), set()
        for chosen, of_level in levels_of(G, 0):
            ways.add(chosen)
            assert chosen == ("pull" if degree[of_level].sum() > most else "push")
        return ways

    assert on_ranks(2, work) == [{"push", "pull"}] * 2


def test_a_product_on_a_cluster_gathers_beyond_its_threshold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pulls: list[int] = []
    pulled = products.pulled
    monkeypatch.setattr(products, "pulled", lambda *given: pulls.append(1) or pulled(*given))

    def work(backend: Any) -> None:
        G = graphs.NAMED["random 1025"].graph(backend)
        for size in range(gather_threshold(G.n) - 1, gather_threshold(G.n) + 3):
            u = lg.Vector.from_coo(np.arange(size), 1, "INT64", size=G.n, backend=backend)
            backend.distribution.transpose(G.A._store)  # both ways are open
            before = len(pulls)
            plus_times(u @ G.A).new()
            assert (len(pulls) > before) == (size > gather_threshold(G.n))

    on_ranks(2, work)


def every_kind_of_level(backend: Any) -> lg.Graph:
    """Of a search from 750: along a path; from there to 250 vertices with all edges between them;
    to two others at each of these, many vertices which few edges leave; and along another path."""
    u, v = np.triu_indices(250, 1)
    source = [750, 751, *u, *np.repeat(np.arange(250), 2), 749, 752, 753]
    target = [751, 0, *v, *np.arange(250, 750), 752, 753, 754]
    return lg.Graph.from_edges(source, target, n=755, directed=False, backend=backend)


def test_packed_rows_pull_beyond_the_threshold() -> None:
    """Or if a push might list too many segments, or few enough vertices have not changed yet."""
    G = every_kind_of_level(GPU)
    K = G.relabel("degree", layout="packed")
    rows = K.A._store.packed
    most, seen = pull_threshold(K.A.nvals, True, resident=True), set()
    for source in (750, 0):
        with lg.trace() as steps:
            lg.bfs(K, int(np.flatnonzero(K.ids.to_dense() == source)[0]))
        pulled = False
        for step in steps:
            stay = pulled and step.frontier > rows.n // constants.PACKED_STAY
            full = step.edges // constants.SEGMENT_ENTRIES + step.frontier > rows.n_segments
            pulled = step.direction == "pull"
            assert pulled == (stay or full or step.edges > most)
            seen.add((pulled, step.edges > most))
    assert K.A._store.stays_packed and seen >= {(False, False), (True, True), (True, False)}


@pytest.mark.parametrize("transport", ["host", "peer_windows"])
def test_devices_pull_beyond_the_threshold(transport: str) -> None:
    """Whether the host compares or a kernel; and they go on until few vertices change."""

    def work(backend: Any) -> set[tuple[str, bool]]:
        G = every_kind_of_level(backend)
        degree = np.diff(G.A.to_csr()[0])
        most, pulled, seen = pull_threshold(G.A.nvals, True, distributed=True), False, set()
        for chosen, of_level in levels_of(G, 750):
            many = int(degree[of_level].sum()) > most
            wanted = many or (pulled and stays(of_level.size, int((degree > 0).sum())))
            pulled = chosen == "pull"
            seen.add((chosen, many))
            assert pulled == wanted
        return seen

    for seen in on_ranks(2, work, GPU, transport=transport):
        assert seen >= {("push", False), ("pull", True), ("pull", False)}


def test_devices_in_order_of_value_pull_beyond_their_threshold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Near at first is the start alone, so its edges decide the first round."""
    monkeypatch.setattr(closure_order, "fans_out", lambda *_: True)

    def work(backend: Any) -> set[str]:
        hub, rest = np.zeros(60, int), np.arange(1, 61)
        path = np.arange(61, 80)
        G = lg.Graph.from_edges(
            [*hub, *rest, *path], [*rest, *np.full(60, 61), *(path + 1)],
            np.arange(139) % 7 + 1, n=81, directed=False, backend=backend,
        )  # fmt: skip
        degree, ways = np.diff(G.A.to_csr()[0]), set()
        backend.distribution.transpose(G.A._store)
        for source in (0, 1, 70, 61):
            with lg.explain() as report:
                lg.closure(G.point(source, 0, "INT64"), G.A, min_plus)
            first = next(c for c in report.choices if ", level 1" in c.what)
            many = degree[source] > ordered_pull_thresholds(G.A.nvals)[0]
            assert first.chosen == ("pull" if many else "push")
            ways.add(first.chosen)
        return ways

    assert on_ranks(2, work, GPU, transport="peer_windows") == [{"push", "pull"}] * 2


@pytest.mark.parametrize("name", ["STAY", "PACKED_STAY"])
def test_kernels_are_given_the_planner_s_shares(name: str) -> None:
    assert f"constexpr int {name} = {getattr(planner, name)};" in constants.DEFINITIONS
