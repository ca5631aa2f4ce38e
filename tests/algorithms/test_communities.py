"""Label propagation, Louvain's method and modularity, against NetworkX and their definitions."""

from __future__ import annotations

import functools
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
from lagraph_gpu.algorithms._shared.labels import identity, random_ranks
from lagraph_gpu.algorithms._shared.power_iteration import total
from lagraph_gpu.algorithms.community import local_moving, louvain, moving_phase
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.algorithms.community.modularity import scaled
from lagraph_gpu.algorithms.community.moving_phase import move_vertices
from lagraph_gpu.algorithms.community.refinement import refined
from lagraph_gpu.cpu.loops import array_levels
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, NegativeWeight
from lagraph_gpu.notation.matrix import symmetric
from lagraph_gpu.verify import verify_label_propagation, verify_leiden, verify_modularity
from tests import graphs
from tests.algorithms.views import dense, networkx_of
from tests.harness import BOTH, CPU, GPU, by_statements
from tests.io.shared import shared
from tests.simt.test_label_argmax_mutants import TYPES, move, quotient_of, vote
from tests.strategies import any_graph, examples, random_graphs, seeds

EXAMPLES = [e for e in graphs.BATTERY if e.n <= 1100]
FEW = graphs.named("loops everywhere", "random 33", "two components")


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
    check_labels(example, 3, GPU)


def test_choices_by_statements() -> None:
    for seed, dtype in product(range(3), TYPES):
        vote(seed, dtype, CPU)


@pytest.mark.parametrize("seed", range(4))
def test_sweeps(seed: int) -> None:
    move(seed, CPU)


@pytest.mark.parametrize("seed", range(4))
def test_sweeps_by_statements(seed: int) -> None:
    with by_statements(local_moving.local_moving):
        move(seed, CPU)


def test_quotients_by_products() -> None:
    for seed in range(4):
        quotient_of(CPU, seed)  # which says whether it is right


def test_labels_that_never_rest() -> None:
    G = lg.Graph.from_edges([0], [1], directed=False, backend=CPU)
    assert [dense(lg.label_propagation(G, r)) for r in (1, 2, 3)] == [[1, 0], [0, 1], [1, 0]]
    path = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend=CPU)
    for example in (G, path):
        for rounds in (16, 17, 18, 33, 10**30, 10**30 + 1):
            found = lg.label_propagation(example, rounds)
            assert found.isequal(lg.label_propagation(example, 14 + rounds % 2))
            verify_label_propagation(example, found, rounds)


@pytest.mark.parametrize("directed", [False, True])
def test_labels_of_vertices_of_all_degrees(directed: bool) -> None:
    rng = np.random.default_rng(7)  # parts of mixed rows, of one length, and of long rows
    i, j = np.arange(2048), np.arange(2048) + 1
    mixed = 3000 + rng.integers(0, 1 + rng.integers(0, 3000, 9000))
    i, j = np.concatenate([i, mixed]), np.concatenate([j, 3000 + rng.integers(0, 3000, 9000)])
    G = lg.Graph.from_edges(i, j, n=6000, directed=directed, dup="min", backend=CPU)
    for rounds in (1, 4, 20):
        verify_label_propagation(G, lg.label_propagation(G, rounds), rounds)


def test_rounds_are_counted(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    for wrong in (-1, 2.5, None):
        with pytest.raises(InvalidValue, match="max_iter as an integer of at least 0, got"):
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
    check_modularity(example, [v % 3 for v in range(example.n)], 1.5, GPU)


def test_labels_must_be_whole(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(InvalidValue, match="a label for every vertex, got none for vertex 0"):
        lg.modularity(G, lg.Vector("INT64", G.n, backend=backend))
    with pytest.raises(DimensionMismatch, match="33 labels"):
        lg.modularity(G, lg.Vector("INT64", 3, backend=backend))


def test_no_weight_no_modularity(backend: Any) -> None:
    for name in ("no edges", "zero weights"):
        G = graphs.NAMED[name].graph(backend)
        labels = lg.louvain(G, seed=1)
        assert lg.modularity(G, labels) == 0.0
        verify_modularity(G, labels, 0.0)


def test_modularity_refuses_negative_weights(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [3.0, -1.0], directed=False, backend=backend)
    labels = lg.Vector.from_dense([0, 0, 1], backend=backend)
    with pytest.raises(NegativeWeight, match=r"for modularity, got -1.0"):
        lg.modularity(G, labels)
    with pytest.raises(NegativeWeight):
        lg.louvain(G)


# --- Louvain ------------------------------------------------------------------------------------


def lfr(mixing: float, degree: int) -> nx.Graph:
    g = nx.LFR_benchmark_graph(
        250, 3, 1.5, mixing, average_degree=degree, min_community=20, seed=10
    )
    g.remove_edges_from(list(nx.selfloop_edges(g)))
    return nx.Graph(g.edges)


def weighted(g: nx.Graph) -> nx.Graph:
    rng = np.random.default_rng(1)
    for _, _, data in g.edges(data=True):
        data["weight"] = int(rng.integers(1, 10))
    return g


def kronecker(scale: int, weights: Any = None) -> nx.Graph:
    G = lg.kronecker(scale, weights=weights, backend=CPU)
    return nx.from_scipy_sparse_array(G.A.to_scipy_sparse())


@functools.cache
def roads() -> nx.Graph:
    """The first 3,000 crossings of New York from one on."""
    G = lg.read(shared("dimacs9/NY.gr.xz"), backend=CPU)
    source, target, _ = G.A.to_coo()
    g = nx.Graph(list(zip(source.tolist(), target.tolist())))
    return g.subgraph(list(nx.bfs_tree(g, 0))[:3000]).copy()


BENCHES: dict[str, Any] = {
    "karate": nx.karate_club_graph,
    "les miserables": nx.les_miserables_graph,
    "florentine": nx.florentine_families_graph,
    "women": nx.davis_southern_women_graph,
    "cavemen": lambda: nx.connected_caveman_graph(8, 7),
    "relaxed cavemen": lambda: nx.relaxed_caveman_graph(20, 10, 0.2, seed=1),
    "ring of cliques": lambda: nx.ring_of_cliques(30, 5),
    "grid": lambda: nx.grid_2d_graph(30, 30),
    "tree": lambda: nx.balanced_tree(2, 8),
    "geometric": lambda: nx.random_geometric_graph(500, 0.08, seed=1),
    "small world": lambda: nx.watts_strogatz_graph(1000, 8, 0.2, seed=1),
    "preferential": lambda: nx.barabasi_albert_graph(1000, 3, seed=1),
    "random": lambda: nx.gnp_random_graph(500, 0.02, seed=1),
    "planted": lambda: nx.planted_partition_graph(20, 50, 0.3, 0.01, seed=1),
    "planted, mixed": lambda: nx.planted_partition_graph(20, 50, 0.2, 0.02, seed=1),
    "planted, weighted": lambda: weighted(nx.planted_partition_graph(20, 50, 0.2, 0.02, seed=1)),
    "planted, directed": lambda: nx.planted_partition_graph(
        5, 20, 0.4, 0.05, seed=3, directed=True
    ),
    "random, directed": lambda: nx.gnp_random_graph(400, 0.02, seed=1, directed=True),
    "kronecker": lambda: kronecker(10),
    "kronecker, weighted": lambda: kronecker(9, "integer"),
    "lfr": lambda: lfr(0.1, 5),
    "lfr, mixed": lambda: lfr(0.3, 8),
    "roads": roads,
}
IN_TURN = {name: pytest.mark.exhaustive if k % 2 else () for k, name in enumerate(BENCHES)}
"""Every second one is for every day."""
GAMMAS = {"grid": (0.5, 2), "planted, mixed": (2,), "kronecker": (2,), "geometric": (0.5, 2)}


@pytest.mark.parametrize(
    ("name", "gamma"),
    [
        pytest.param(name, gamma, marks=marks if gamma == 1 else pytest.mark.exhaustive)
        for name, marks in IN_TURN.items()
        for gamma in (1, *GAMMAS.get(name, ()))
    ],
)
def test_as_good_as_networkx(name: str, gamma: float) -> None:
    """The median modularity of five seeds is at least 99 % of the median of NetworkX' three.

    Another version of NetworkX draws other numbers, and its own median moves by half a percent.
    """
    g = nx.convert_node_labels_to_integers(BENCHES[name]())
    G = lg.Graph.from_networkx(g, backend=CPU)
    ours = [lg.modularity(G, lg.louvain(G, gamma, seed=seed), gamma) for seed in range(5)]
    theirs = [
        community.modularity(
            g, community.louvain_communities(g, resolution=gamma, seed=seed), resolution=gamma
        )
        for seed in range(3)
    ]
    assert np.median(ours) >= 0.99 * np.median(theirs)


@pytest.mark.parametrize("method", [lg.louvain, lg.leiden])
@pytest.mark.parametrize(("n", "edges"), [(24, 200), (400, 40000)])
def test_weights_that_vanish_beside_others_count_nothing(method: Any, n: int, edges: int) -> None:
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, n, (2, edges))
    large = rng.random(edges) < 100 / edges
    options: dict[str, Any] = {"n": n, "directed": False, "dup": "sum"}
    for backend in BOTH if n < 100 else [CPU]:
        beside = np.where(large, 1e200, rng.choice([1e-200, 1e-105], edges))
        G = lg.Graph.from_edges(source, target, beside, backend=backend, **options)
        H = lg.Graph.from_edges(
            source[large], target[large], beside[large], backend=backend, **options
        )
        assert method(G, seed=1).isequal(method(H, seed=1))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks) for name, marks in IN_TURN.items()]
)
def test_leiden_is_as_good_as_louvain(name: str) -> None:
    """And each community is connected."""
    G = lg.Graph.from_networkx(nx.convert_node_labels_to_integers(BENCHES[name]()), backend=CPU)
    found = [lg.leiden(G, seed=seed) for seed in range(3)]
    for label in found:
        verify_leiden(G, label)
    ours = [lg.modularity(G, label) for label in found]
    theirs = [lg.modularity(G, lg.louvain(G, seed=seed)) for seed in range(3)]
    assert np.median(ours) >= 0.99 * np.median(theirs)


@pytest.mark.parametrize("backend", BOTH)
@pytest.mark.parametrize(("cliques", "size", "seed"), [(5, 3, 6), (4, 5, 4), (6, 4, 3)])
def test_leiden_merges_whole_communities(backend: Any, cliques: int, size: int, seed: int) -> None:
    """Cliques in a ring are one community at a low resolution, even where the parts of two do not
    move one by one."""
    inside = [(a, b) for a in range(size) for b in range(a)]
    edges = [(c * size + a, c * size + b) for c in range(cliques) for a, b in inside]
    edges += [(c * size, (c + 1) % cliques * size) for c in range(cliques)]
    G = lg.Graph.from_edges(*zip(*edges, strict=True), directed=False, backend=backend)
    assert len({*lg.leiden(G, resolution=0.01, seed=seed).to_dense().tolist()}) == 1


@examples(4)
@given(example=any_graph(), seed=seeds, gamma=st.sampled_from([0.5, 1.0, 3.0]))
def test_leiden_on_both_backends(example: graphs.Example, seed: int, gamma: float) -> None:
    found = [lg.leiden(example.graph(backend), gamma, seed=seed) for backend in (CPU, GPU)]
    verify_leiden(example.graph(CPU), found[0], gamma)
    if example.dtype.startswith(("INT", "UINT", "BOOL")):  # sums without rounding
        assert dense(found[0]) == dense(found[1])


def test_parts_of_a_community_hold_together() -> None:
    """Two cliques that one vertex joins are two parts, while few edges are expected."""
    edges = [(u, v) for s in (0, 5) for u in range(s, s + 5) for v in range(s, u)]
    G = lg.Graph.from_edges(*zip(*edges, (10, 0), (10, 5)), directed=False, backend=CPU)
    A = G.A.dup("FP64")
    aim = Objective(float(A.nvals), 0.3, 1e-7, False, np.random.default_rng(1))
    ranks = random_ranks(G, 1)
    one = lg.Vector.from_scalar(0, 11, "INT64", backend=CPU)
    parts = dense(refined(Level.of(symmetric(A), aim, ranks), one, aim))
    assert not {*parts[:5]} & {*parts[5:10]}
    assert len({*parts[1:5]}) == len({*parts[6:10]}) == 1


def test_moves_that_undo_each_other() -> None:
    """In a complete bipartite graph with random weights half of all vertices followed their
    neighbours in each sweep, and what came of it was worse than communities of one vertex."""
    i, j = np.divmod(np.arange(150 * 150), 150)
    weight = np.random.default_rng(1).integers(1, 256, i.size)
    G = lg.Graph.from_edges(i, j + 150, weight, directed=False, backend=CPU)
    found = lg.louvain(G, seed=1)
    assert lg.modularity(G, found) > 0.03  # NetworkX has 0.038
    with by_statements(louvain.louvain_communities):
        assert found.isequal(lg.louvain(G, seed=1))


def test_sweeps_are_few(monkeypatch: Any) -> None:
    """Most vertices of a Kronecker graph can gain in several places, and sweeps could go on. The
    compiled loop and the statements make as many."""
    counts: Counter[str] = Counter()
    for module, name in ((moving_phase, "random_turns"), (array_levels, "turns_of_ranks")):
        whole = getattr(module, name)

        def counted(*given: Any, name: str = name, whole: Any = whole) -> Any:
            counts[name] += 1
            return whole(*given)

        monkeypatch.setattr(module, name, counted)
    G = lg.kronecker(11, backend=CPU)
    compiled = lg.louvain(G, seed=1)
    with by_statements(louvain.louvain_communities):
        assert lg.louvain(G, seed=1).isequal(compiled)
    assert 5 < counts["random_turns"] == counts["turns_of_ranks"] < 40


@pytest.mark.parametrize("unit", [1e-200, 1e100, 1e200, 2.0**1021])
def test_the_unit_of_the_weights_does_not_matter(unit: float, backend: Any) -> None:
    """Their squares would leave the range of FP64, or their sums, or twice a loop."""
    ends, weight = ([0, 1, 2, 2, 3], [1, 2, 0, 3, 3]), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    labels = lg.Vector.from_dense([0, 0, 1, 1], backend=backend)
    plain, other = (
        lg.Graph.from_edges(*ends, weight * by, directed=False, backend=backend)
        for by in (1.0, unit)
    )
    right = lg.modularity(plain, labels)
    assert lg.modularity(other, labels) == pytest.approx(right, rel=1e-12) and right != 0
    for method in (lg.louvain, lg.leiden):
        assert method(other, seed=1).isequal(method(plain, seed=1))


def check_levels(example: graphs.Example, gamma: float, seed: int, backend: Any) -> None:
    """A level knows the modularity of any communities, and sweeps promise no less than nothing."""
    G = example.graph(backend)
    if not G.heaviest:
        return
    A, rng = scaled(G), np.random.default_rng(seed)
    aim = Objective(total(A), gamma, 0.0, G.directed, rng)
    level, label = Level.of(A, aim, random_ranks(G, rng)), identity(G)
    assert level.singleton_quality(aim) == pytest.approx(lg.modularity(G, label, gamma), abs=1e-12)
    label, promised = move_vertices(level, label, level.singleton_quality(aim), aim)
    assert promised >= 0
    assert level.quality(label, aim) == pytest.approx(lg.modularity(G, label, gamma), abs=1e-12)


@examples(40)
@given(example=any_graph(), gamma=st.sampled_from([0.0, 0.5, 1.0, 3.0]), seed=seeds)
def test_drawn_levels(example: graphs.Example, gamma: float, seed: int) -> None:
    check_levels(example, gamma, seed, CPU)


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
    assert len({tuple(check_partition(example, 5, backend)) for backend in BOTH}) == 1


def test_cliques_are_found(backend: Any) -> None:
    g = nx.ring_of_cliques(4, 5)
    label = dense(lg.louvain(lg.Graph.from_networkx(g, backend=backend), seed=0))
    assert label == [5 * (v // 5) for v in range(20)]


@pytest.mark.parametrize("method", [lg.louvain, lg.leiden])
def test_a_large_threshold_ends_earlier(method: Any, backend: Any) -> None:
    """Communities of a lattice grow level by level, and less each time."""
    G = lg.Graph.from_networkx(nx.grid_2d_graph(12, 12), backend=backend)
    by_threshold = [len(set(dense(method(G, threshold=t, seed=3)))) for t in (1e-7, 10.0)]
    assert by_threshold[0] < by_threshold[1]


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
    G = lg.Graph.from_networkx(nx.planted_partition_graph(6, 25, 0.4, 0.03, seed=1), backend=CPU)
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


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [-5, -5, 7, 7], [2**62, 2**62, 1, 1],
                                    [2**63, 2**63, -1, -1], [2**70, 2**70, 3, 3],
                                    [True, True, False, False], [0, 0, 1.5, 1.5]])  # fmt: skip
def test_numbers_in_a_list_are_labels(labels: list[Any]) -> None:
    """Whichever type holds them: 2⁶³ and −1 would both be rounded as floats."""
    G = lg.Graph.from_edges([0, 2], [1, 3], directed=False, backend="cpu")
    assert lg.modularity(G, labels) == lg.modularity(G, tuple(labels)) == 0.5
    close = [2**63, 2**63, 2**63 + 1, 2**63 + 1]
    assert lg.modularity(G, close) == lg.modularity(G, [*map(str, close)]) == 0.5
