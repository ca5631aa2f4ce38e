"""Label propagation, Louvain's method and modularity, against NetworkX and their definitions."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms import community

import lagraph_gpu as lg
from lagraph_gpu.algorithms import moving
from lagraph_gpu.algorithms.labels import identity, shuffled
from lagraph_gpu.algorithms.level import Aim, Level
from lagraph_gpu.algorithms.modularity import scaled, total
from lagraph_gpu.algorithms.moving import moved
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, NegativeWeight, WrongType
from lagraph_gpu.verify import verify_label_propagation, verify_modularity
from tests import graphs
from tests.algorithms.peers import able, dense, needs_products, networkx_of
from tests.harness import CPU
from tests.simt.test_choice_mutants import ROUNDS, quotient_of, vote
from tests.strategies import any_graph, examples, random_graphs, seeds

EXAMPLES = [e for e in graphs.BATTERY if e.n <= 1100]
FEW = [graphs.NAMED[name] for name in ("loops everywhere", "random 33", "two components")]


def labels_by_definition(example: graphs.Example, rounds: int) -> list[int]:
    """CDLP as the specification says it, vertex by vertex."""
    votes: list[list[int]] = [[] for _ in range(example.n)]
    for u, v, _ in example.edges:
        if u != v:
            votes[u].append(v)
            votes[v].append(u)
    label = list(range(example.n))
    for _ in range(rounds):
        counts = [Counter(label[u] for u in voters) for voters in votes]
        label = [
            min(c, key=lambda x: (-c[x], x)) if c else mine
            for c, mine in zip(counts, label)
        ]  # fmt: skip
    return label


def check_labels(example: graphs.Example, rounds: int, backend: Any) -> None:
    G = example.graph(backend)
    labels = lg.label_propagation(G, rounds)
    assert labels.dtype == np.int64
    assert dense(labels) == labels_by_definition(example, rounds)
    verify_label_propagation(G, labels, rounds)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_label_propagation(example: graphs.Example) -> None:
    for rounds in (0, 1, 2, 10):
        check_labels(example, rounds, CPU)


@examples(60)
@given(example=any_graph(), rounds=st.integers(0, 12))
def test_drawn_label_propagation(example: graphs.Example, rounds: int) -> None:
    check_labels(example, rounds, CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated_label_propagation(example: graphs.Example) -> None:
    for backend in able()[1:]:
        check_labels(example, 3, backend)


def test_choices_by_statements() -> None:
    for seed, votes in product(range(3), ROUNDS):
        assert vote(CPU, seed, *votes).score is not None


def test_quotients_by_products() -> None:
    for seed in range(4):
        assert CPU.quotient(*quotient_of(CPU, seed)) is None


def test_labels_that_never_rest() -> None:
    G = lg.Graph.from_edges([0], [1], directed=False, backend=CPU)
    assert [dense(lg.label_propagation(G, r)) for r in (1, 2, 3)] == [[1, 0], [0, 1], [1, 0]]


def test_rounds_are_counted(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    for wrong in (-1, 2.5, None):
        with pytest.raises(InvalidValue, match="max_iter"):
            lg.label_propagation(G, wrong)


# --- modularity ---------------------------------------------------------------------------------


def check_modularity(example: graphs.Example, label: list[int], gamma: float, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example)
    if not G.heaviest:
        return
    groups = [{v for v in range(example.n) if label[v] == c} for c in set(label)]
    right = community.modularity(g, groups, weight="weight", resolution=gamma)
    labels = lg.Vector.from_dense(np.array(label), backend=backend)
    found = lg.modularity(G, labels, gamma)
    assert found == pytest.approx(right, abs=1e-12)
    verify_modularity(G, labels, found, gamma)


@examples(60)
@given(example=random_graphs(), data=st.data(), gamma=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_drawn_modularity(example: graphs.Example, data: Any, gamma: float) -> None:
    label = data.draw(st.lists(st.integers(-2, 4), min_size=example.n, max_size=example.n))
    check_modularity(example, label, gamma, CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated_modularity(example: graphs.Example) -> None:
    for backend in able()[1:]:
        check_modularity(example, [v % 3 for v in range(example.n)], 1.5, backend)


def test_labels_must_be_whole(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(InvalidValue, match="a label for every vertex, got none for vertex 0"):
        lg.modularity(G, lg.Vector("INT64", G.n, backend=backend))
    with pytest.raises(DimensionMismatch, match="33 labels"):
        lg.modularity(G, lg.Vector("INT64", 3, backend=backend))
    with pytest.raises(WrongType, match="labels as a Vector"):
        lg.modularity(G, [0] * 33)


def test_no_weight_no_modularity() -> None:
    G = graphs.NAMED["no edges"].graph(CPU)
    with pytest.raises(InvalidValue, match="more than 0"):
        lg.modularity(G, lg.label_propagation(G))


# --- Louvain ------------------------------------------------------------------------------------

BENCHES: dict[str, Any] = {
    "karate": nx.karate_club_graph(),
    "les miserables": nx.les_miserables_graph(),
    "florentine": nx.florentine_families_graph(),
    "women": nx.davis_southern_women_graph(),
    "cavemen": nx.connected_caveman_graph(8, 7),
    "ring of cliques": nx.ring_of_cliques(10, 5),
    "small world": nx.watts_strogatz_graph(200, 6, 0.1, seed=1),
    "preferential": nx.barabasi_albert_graph(200, 4, seed=1),
    "planted": nx.planted_partition_graph(6, 25, 0.4, 0.03, seed=1),
    "kronecker": nx.from_scipy_sparse_array(lg.kronecker(10, backend=CPU).A.to_scipy_sparse()),
    "planted directed": nx.planted_partition_graph(5, 20, 0.4, 0.05, seed=3, directed=True),
}


@pytest.mark.parametrize("name", BENCHES)
def test_as_good_as_networkx(name: str) -> None:
    """The mean modularity of five seeds is at least 99.5 % of NetworkX' mean of five."""
    g = nx.convert_node_labels_to_integers(BENCHES[name])
    G = lg.Graph.from_networkx(g, backend=CPU)
    ours = [lg.modularity(G, lg.louvain(G, seed=seed)) for seed in range(5)]
    theirs = [
        community.modularity(g, community.louvain_communities(g, seed=seed)) for seed in range(5)
    ]
    assert np.mean(ours) >= 0.995 * np.mean(theirs)


def test_rounds_are_few(monkeypatch: Any) -> None:
    """Most vertices of a Kronecker graph can gain in several places, and rounds could go on."""
    rounds = 0

    def counted(*given: Any) -> Any:
        nonlocal rounds
        rounds += 1
        return tickets(*given)

    tickets = moving._tickets
    monkeypatch.setattr(moving, "_tickets", counted)
    lg.louvain(lg.kronecker(11, backend=CPU), seed=1)
    assert 10 < rounds < 100


def check_moved(example: graphs.Example, gamma: float, seed: int, backend: Any) -> None:
    """What rounds of moves say of their result, kept up from round to round, is its modularity."""
    G = example.graph(backend)
    if not G.heaviest:
        return
    A, rng, at = scaled(G), np.random.default_rng(seed), -np.inf
    aim = Aim(total(A), gamma, 0.0, G.directed, rng)
    level, label = Level.of(A, aim), identity(G)
    for _ in range(2):  # the second time from the communities found
        before = at
        label, at = moved(level, label, shuffled(G, rng), aim)
        assert at == pytest.approx(lg.modularity(G, label, gamma), abs=1e-12)
        assert at >= max(before, lg.modularity(G, identity(G), gamma)) - 1e-12


@examples(40)
@given(example=any_graph(), gamma=st.sampled_from([0.0, 0.5, 1.0, 3.0]), seed=seeds)
def test_drawn_moves(example: graphs.Example, gamma: float, seed: int) -> None:
    check_moved(example, gamma, seed, CPU)


def check_partition(example: graphs.Example, seed: int, backend: Any) -> list[int]:
    """A label is the smallest vertex of its community, and lies in it; the seed decides."""
    G = example.graph(backend)
    label = dense(lg.louvain(G, seed=seed))
    assert label == dense(lg.louvain(G, seed=seed))
    for v, c in enumerate(label):
        assert c <= v and label[c] == c
    if G.heaviest:
        q = lg.modularity(G, lg.Vector.from_dense(np.array(label), backend=backend))
        single = lg.Vector.from_dense(np.arange(G.n), backend=backend)
        assert q >= lg.modularity(G, single) - 1e-12
    return label


@examples(25)
@given(example=any_graph(), seed=seeds)
def test_drawn_partitions(example: graphs.Example, seed: int) -> None:
    check_partition(example, seed, CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_both_backends_find_the_same(example: graphs.Example) -> None:
    assert len({tuple(check_partition(example, 5, backend)) for backend in able()}) == 1


def test_cliques_are_found(backend: Any) -> None:
    needs_products(backend)
    g = nx.ring_of_cliques(4, 5)
    label = dense(lg.louvain(lg.Graph.from_networkx(g, backend=backend), seed=0))
    assert label == [5 * (v // 5) for v in range(20)]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1, "1", True])
def test_numbers_that_are_none(wrong: Any) -> None:
    """Whatever compares as neither more nor less would never let the rounds end."""
    G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend="cpu")
    for named in ("resolution", "threshold"):
        with pytest.raises(InvalidValue, match=f"{named} as a finite number"):
            lg.louvain(G, **{named: wrong})
    with pytest.raises(InvalidValue, match="resolution as a finite number"):
        lg.modularity(G, lg.louvain(G), wrong)


def test_resolution_and_levels() -> None:
    G = lg.Graph.from_networkx(BENCHES["planted"], backend=CPU)
    counts = [len(set(dense(lg.louvain(G, resolution=r, seed=1)))) for r in (0.1, 1.0, 5.0)]
    assert counts == sorted(counts) and counts[0] < counts[2]
    assert dense(lg.louvain(G, max_level=0)) == list(range(G.n))
    kron = lg.kronecker(9, backend=CPU)
    found = [lg.louvain(kron, max_level=most, seed=1) for most in (1, 2, None)]
    quality = [lg.modularity(kron, label) for label in found]
    assert quality == sorted(quality) and 0 < quality[0] < quality[1]


def test_refused() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1, -1], backend=CPU)
    with pytest.raises(NegativeWeight, match="at least 0, got -1"):
        lg.louvain(G)
    with pytest.raises(InvalidValue, match="max_level"):
        lg.louvain(graphs.NAMED["cycle"].graph(CPU), max_level=-1)


def test_no_vertices(backend: Any) -> None:
    G = graphs.EMPTY.graph(backend)
    assert lg.label_propagation(G).size == 0 and lg.louvain(G).size == 0
