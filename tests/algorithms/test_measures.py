"""Density, connection, eccentricities and diameter, against NetworkX, and their verifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.algorithms.paths import eccentricity as module
from lagraph_gpu.algorithms.paths.one_cycle import diameter_with_one_cycle, has_one_cycle
from lagraph_gpu.errors import (
    DistanceOverflow,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    NegativeWeight,
    VerificationError,
    WrongType,
)
from tests import graphs
from tests.harness import BOTH, CPU
from tests.strategies import any_graph, examples, seeds


def check(G: lg.Graph) -> None:
    """All of them on one graph, and those of a connected part on its largest component."""
    g = G.to_networkx()
    assert lg.density(G) == pytest.approx(nx.density(g))
    verify.verify_density(G, lg.density(G))
    part = lg.largest_component(G)
    verify.verify_largest_component(G, part)
    if G.n == 0:
        assert part.n == 0
        return
    joined = nx.is_weakly_connected(g) if G.directed else nx.is_connected(g)
    assert lg.is_connected(G) is joined
    verify.verify_is_connected(G, joined)
    assert lg.is_connected(part)
    for H in {id(part): part, id(G): G}.values():
        check_distances(H)


def check_distances(G: lg.Graph) -> None:
    g = G.to_networkx()
    for weight in (None, "weight"):
        if weight and (G.lightest or 0) < 0:
            continue
        try:
            right = nx.eccentricity(g, weight=weight if G.weighted else None)
        except nx.NetworkXError:
            for ask in (lg.eccentricity, lg.diameter):
                with pytest.raises(InvalidValue, match="connected graph"):
                    ask(G, weight=weight)
            continue
        found = lg.eccentricity(G, weight=weight)
        assert found.to_dense().tolist() == [right[v] for v in range(G.n)]
        assert lg.eccentricity(G, 0, weight) == right[0]
        longest = lg.diameter(G, weight)
        assert longest == max(right.values()) and isinstance(longest, (int, float))
        verify.verify_eccentricity(G, found, weight=weight, diameter=longest)
        verify.verify_eccentricity(G, right[0], 0, weight)


SOME = {
    "empty": graphs.Example("empty", "", 0, ()),
    "one vertex": graphs.Example("one vertex", "", 1, (), False),
    "a loop": graphs.Example("a loop", "", 1, ((0, 0, 2),)),
    "two of a size": graphs.Example("two", "", 6, ((4, 5, 1), (1, 2, 3), (2, 2, 1)), False, "FP64"),
    "a cycle": graphs.Example("a cycle", "", 7, tuple((i, (i + 1) % 7, i) for i in range(7))),
    "a tail": graphs.Example("tail", "", 6, tuple((i, i + 1, 2 * i) for i in range(5)), False),
}


@pytest.mark.parametrize("example", SOME.values(), ids=str)
def test_measures(example: graphs.Example, backend: Any) -> None:
    check(example.graph(backend))


@examples(60)
@given(example=any_graph())
def test_measures_of_any_graph(example: graphs.Example) -> None:
    check(example.graph(CPU))


@pytest.mark.parametrize("searches", [1, 2, 64])
@pytest.mark.parametrize("seed", range(8))
def test_the_diameter_does_not_depend_on_its_bounds(
    searches: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SEARCHES", searches)
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    tree = np.arange(1, n), np.array([rng.integers(max(0, i - 4), i) for i in range(1, n)])
    more = rng.integers(0, n, (2, seed))
    edges = (np.r_[a, b] for a, b in zip(tree, more))
    G = lg.Graph.from_edges(*edges, n=n, directed=False, dup="first", backend=CPU)
    assert lg.diameter(G) == nx.diameter(G.to_networkx())


@pytest.mark.parametrize("width", [1, 2, 20])
@pytest.mark.parametrize("seed", range(8))
def test_five_searches_are_enough_for_a_tree(width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(40, 100))
    parent = [int(rng.integers(max(0, i - width), i)) for i in range(1, n)]
    G = lg.Graph.from_edges(range(1, n), parent, n=n, directed=False, backend=CPU)
    longest, left = module.bounded(G, 5)
    assert left.nvals == 0 and longest == nx.diameter(G.to_networkx())


def test_hubs_are_searched_from() -> None:
    """Leaves at two of four hubs each. A hub needs no search, because it is near the middle; but
    without one from each hub no bound of its leaves is small enough."""
    hub = np.array([(a, b) for a in range(4) for b in range(a)] * 50).T
    leaf = np.arange(4, 4 + hub.shape[1])
    G = lg.Graph.from_edges(hub.ravel(), np.r_[leaf, leaf], directed=False, backend=CPU)
    longest, left = module.bounded(G, 16)
    assert longest == 4 and left.nvals == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_middle_is_found_where_the_farthest_is_elsewhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 200
    i, j = rng.integers(0, n, (2, 3 * n))
    G = lg.Graph.from_edges(i, j, n=n, directed=False, dup="first", backend=CPU)
    part = lg.largest_component(G)
    assert lg.diameter(part) == nx.diameter(part.to_networkx())


def test_a_wide_graph_is_searched_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    whole = module._searched
    monkeypatch.setattr(
        module, "_searched", lambda G, s, t: searched.append(len(s)) or whole(G, s, t)
    )
    assert lg.diameter(lg.grid(30, 20, backend=CPU)) == 48
    assert not searched


def test_some_vertices(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 1, 1], directed=False, backend=backend)
    assert lg.eccentricity(G, [3, 0, 3]).to_dict() == {0: 3, 3: 3}
    assert lg.eccentricity(G, np.array([1]), "weight").to_dict() == {1: 5}
    assert lg.eccentricity(G, []).nvals == 0


PATH = lg.Graph.from_edges([0, 1], [1, 2], [5.0, 6.0], directed=False, backend=CPU)
NOTHING = lg.Graph.from_edges([], [], n=0, backend=CPU)
BAD: list[tuple[Callable[[], Any], type[LagraphError], str]] = [
    (lambda: lg.eccentricity(PATH, 3), IndexOutOfBound, "vertex"),
    (lambda: lg.eccentricity(PATH, [-1]), IndexOutOfBound, "vertex in v"),
    (lambda: lg.eccentricity(PATH, "0"), IndexOutOfBound, "no labels"),
    (lambda: lg.eccentricity(PATH, 0.0), WrongType, "list of vertices"),  # type: ignore[arg-type]
    (lambda: lg.eccentricity(PATH, True), WrongType, "list of vertices"),
    (lambda: lg.eccentricity(PATH, weight="km"), InvalidValue, "weight"),
    (lambda: lg.diameter(PATH, weight=3), InvalidValue, "weight"),  # type: ignore[arg-type]
    (lambda: lg.diameter(NOTHING), InvalidValue, "with vertices"),
    (lambda: lg.is_connected(NOTHING), InvalidValue, "with vertices"),
    (lambda: lg.diameter(PATH.add_edges([0], [2], -1.0), "weight"), NegativeWeight, "at least 0"),
    (lambda: lg.density(PATH.A), WrongType, "lg.Graph"),  # type: ignore[arg-type]
    (lambda: lg.eccentricity(lg.Graph.from_edges([0, 1, 2], [1, 2, 0], 1e308, backend=CPU), 0,
                             "weight"), DistanceOverflow, "scale"),
]  # fmt: skip


@pytest.mark.parametrize("ask, kind, words", BAD)
def test_hostile_arguments_are_refused(ask: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        ask()


PARTS = lg.Graph.from_edges([0, 2, 3], [1, 3, 4], [1, 2, 3], n=5, directed=False, backend=CPU)
RIGHT = lg.largest_component(PARTS)
HEAVIER, HALVES = (RIGHT.add_edges([0], [1], w, dup="sum") for w in (1, 0.5))
FAR = lg.eccentricity(PATH)
LIES: list[tuple[str, Callable[[], None]]] = [
    ("density, value: expected 0.3, got 0.6", lambda: verify.verify_density(PARTS, 0.6)),
    ("density, value", lambda: verify.verify_density(PARTS, float("nan"))),
    ("is_connected, value: expected False", lambda: verify.verify_is_connected(PARTS, True)),
    ("is_connected, value", lambda: verify.verify_is_connected(PARTS, 0)),  # type: ignore[arg-type]
    ("vertices", lambda: verify.verify_largest_component(PARTS, PARTS)),
    ("vertices", lambda: verify.verify_largest_component(PARTS, PARTS.subgraph([0, 1]))),
    ("vertices", lambda: verify.verify_largest_component(PARTS, PARTS.subgraph([3, 2, 4]))),
    ("edges", lambda: verify.verify_largest_component(PARTS, RIGHT.remove_edges([0], [1]))),
    ("edges", lambda: verify.verify_largest_component(PARTS, HEAVIER)),
    ("kind", lambda: verify.verify_largest_component(PARTS, HALVES)),
    ("entries", lambda: verify.verify_eccentricity(PATH, FAR, [0, 1])),
    ("size", lambda: verify.verify_eccentricity(PARTS, FAR)),
    ("distance: expected 2.0 at vertex 0, got 3",
     lambda: verify.verify_eccentricity(PATH, FAR.apply("plus", 1).new())),
    ("distance", lambda: verify.verify_eccentricity(PATH, FAR, weight="weight")),
    ("distance", lambda: verify.verify_eccentricity(PATH, 1, 0)),
    ("diameter: expected 2, got 3", lambda: verify.verify_eccentricity(PATH, FAR, diameter=3)),
]  # fmt: skip


@pytest.mark.parametrize("words, lie", LIES)
def test_lies_are_found(words: str, lie: Callable[[], None]) -> None:
    with pytest.raises(VerificationError, match=words):
        lie()


@examples(60)
@given(seed=seeds, length=st.integers(3, 12), more=st.integers(0, 20), deep=st.booleans())
def test_the_diameter_beside_one_cycle(seed: int, length: int, more: int, deep: bool) -> None:
    """A cycle with trees at it, flat or deep."""
    rng, n = np.random.default_rng(seed), length + more
    ids, ring, hung = rng.permutation(n), np.arange(length), np.arange(length, n)
    above = np.array([rng.integers(v - 3 if deep else 0, v) for v in hung], int)
    ends = ids[np.r_[ring, hung]], ids[np.r_[np.roll(ring, -1), above]]
    G = lg.Graph.from_edges(*ends, n=n, directed=False, backend=CPU)
    assert has_one_cycle(G)
    assert diameter_with_one_cycle(G) == nx.diameter(nx.Graph(np.transpose(ends).tolist()))


def test_a_large_cycle_takes_no_search_from_each_vertex(backend: Any) -> None:
    n = 601
    G = lg.Graph.from_edges(*graphs.cycle(n), n=n, directed=False, backend=backend)
    with mock.patch.object(module, "farthest_levels") as asked:
        assert lg.diameter(G) == n // 2
    assert not asked.called
    chord = G.add_edges([0], [n // 2])  # two cycles
    loop = G.add_edges([0], [0])
    assert not has_one_cycle(chord) and not has_one_cycle(loop) and lg.diameter(loop) == n // 2


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_one_search_along_a_directed_cycle(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one against it: no vertex is farther than n - 1. Where the first has none so far, all are
    searched from."""
    searched: list[int] = []
    whole = module.farthest_levels

    def counted(A: Any, sources: np.ndarray) -> Any:
        searched.append(sources.size)
        return whole(A, sources)

    monkeypatch.setattr(module, "farthest_levels", counted)
    at = np.arange(9)
    cycle = lg.Graph.from_edges(at, (at + 1) % 9, backend=backend)
    assert lg.diameter(cycle) == 8 and searched == [1, 1]
    with pytest.raises(InvalidValue, match="connected graph"):  # a path
        lg.diameter(lg.Graph.from_edges(at, at + 1, backend=backend))
    chord = cycle.add_edges([0], [4])
    assert lg.diameter(chord) == nx.diameter(chord.to_networkx()) == 8
