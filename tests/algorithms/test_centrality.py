"""Centralities against NetworkX, SciPy and Graphalytics' answers, on both backends."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.algorithms._shared import power_iteration, source_batches
from lagraph_gpu.algorithms._shared.locally_optimal import largest_quotient
from lagraph_gpu.algorithms.centrality import first_ranks
from lagraph_gpu.algorithms.centrality.betweenness import (
    betweenness_from,
    dependencies,
    sampled_sources,
)
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.centrality.needed_searches import needed_searches
from lagraph_gpu.errors import (
    DimensionMismatch,
    DistanceOverflow,
    IndexOutOfBound,
    InvalidValue,
    NegativeWeight,
    NotConverged,
    UnsupportedOperation,
)
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.fused.pagerank_rounds import NARROWED
from tests import graphs, spec
from tests.harness import BOTH, CPU, GPU, by_statements
from tests.io.shared import shared
from tests.simt.device import EmulatedDevice
from tests.strategies import any_graph, examples

SMALL = tuple(e for e in graphs.BATTERY if e.n <= 150)
FEW = graphs.named("random 33", "two components", "loops everywhere")
"""What the emulated GPU, which is slow, is asked as well."""
EVERYWHERE = [
    *(pytest.param(e, CPU, id=f"{e}-cpu") for e in (graphs.EMPTY, *SMALL)),
    *(pytest.param(e, GPU, id=f"{e}-gpu") for e in FEW),
]


def twin(example: graphs.Example) -> Any:
    """The same graph in NetworkX."""
    g: Any = nx.DiGraph() if example.directed else nx.Graph()
    g.add_nodes_from(range(example.n))
    for u, v, w in example.edges:
        g.add_edge(u, v, weight=w if example.weighted else 1)
    return g


def agrees(found: lg.Vector, right: dict[int, float], tol: float = 1e-9) -> None:
    assert found.nvals == found.size and found.dtype == np.float64
    dense = np.array([right[v] for v in range(len(right))])
    np.testing.assert_allclose(found.to_dense(), dense, rtol=tol, atol=tol)


DENORMAL = "denormal weights"
"""A graph for which NetworkX divides by a denormal sum, and finds no PageRank."""


# --- PageRank -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize(("example", "backend"), EVERYWHERE)
def test_pagerank(example: graphs.Example, backend: Any, weight: str | None) -> None:
    if example.name == DENORMAL and weight:
        pytest.skip("NetworkX divides by a denormal sum")
    right = nx.pagerank(twin(example), tol=1e-14, max_iter=2000, weight=weight)
    agrees(lg.pagerank(example.graph(backend), tol=1e-10, max_iter=1000, weight=weight), right)


@examples(40)
@given(data=st.data(), alpha=st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_pagerank_with_distributions(data: Any, alpha: float) -> None:
    example = data.draw(any_graph().filter(lambda one: one.name != DENORMAL))
    weights = st.dictionaries(
        st.integers(0, example.n - 1), st.integers(0, 5), min_size=1, max_size=4
    ).filter(lambda d: sum(d.values()) > 0)
    given_ = {
        name: data.draw(weights)
        for name in ("personalization", "nstart", "dangling")
        if data.draw(st.booleans())
    }
    settings = {"alpha": alpha, "tol": 1e-10, "max_iter": 5000}
    right = nx.pagerank(twin(example), **settings | {"tol": 1e-14}, **given_)
    G = example.graph(CPU)
    found = lg.pagerank(G, **settings, **given_)
    agrees(found, right, 1e-7)
    vectors = {k: lg.Vector.from_dict(d, size=G.n, backend=CPU) for k, d in given_.items()}
    assert found.isequal(lg.pagerank(G, **settings, **vectors))


def test_pagerank_of_denormal_and_huge_weights(backend: Any) -> None:
    """Only the proportions of weights matter, even where their sum overflows or is denormal."""
    for scale in (5e-324, 1e-40, 1e30, 1e308):
        G = lg.Graph.from_edges([0, 0, 1], [1, 2, 0], np.full(3, scale), backend=backend)
        plain = lg.pagerank(G, weight=None, tol=1e-12).to_dense()
        np.testing.assert_allclose(lg.pagerank(G, tol=1e-12).to_dense(), plain)
        narrow = lg.pagerank(G, dtype="FP32")
        np.testing.assert_allclose(narrow.to_dense(), plain, atol=2e-6)


def rounding(G: lg.Graph, alpha: float) -> float:
    """How far rounding moves ranks of FP32, at most, in sum. Everything is positive, so each
    operation adds at most 2⁻²⁴ to the relative error of what it computes. On the way of a share
    along an edge lie its rate, the share, the weight, their product, fewer additions than the
    longest row has entries, and two more with what the vertex gets besides; what the sums are off,
    the remainder is off, too. Each round contracts by α what the rounds before it have added."""
    longest = max([0, *G.in_degree.to_coo()[1].tolist()])
    return 2 * (longest + 6) * 2.0**-24 / (1 - alpha)


@examples(60)
@given(data=st.data(), alpha=st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_ranks_of_fp32_are_those_of_fp64_up_to_rounding(data: Any, alpha: float) -> None:
    example, backend = data.draw(any_graph()), data.draw(st.sampled_from(BOTH))
    G = example.graph(backend)
    settings: dict[str, Any] = {"weight": data.draw(st.sampled_from([None, "weight"]))}
    for name in ("personalization", "nstart", "dangling"):
        if G.n and data.draw(st.booleans()):
            settings[name] = {data.draw(st.integers(0, G.n - 1)): 1, 0: 2}
    ends = data.draw(st.sampled_from([{"tol": 1e-4}, {"iterations": 3}, {"iterations": 11}]))
    settings["max_iter"] = 5000  # on a ring changes shrink by alpha in a round, and no faster
    narrow = lg.pagerank(G, alpha, dtype=np.float32, **settings, **ends)
    exact = lg.pagerank(G, alpha, **settings, **(ends | {"tol": 1e-12}))
    assert narrow.dtype == "FP32" and narrow.nvals == G.n
    off = np.abs(narrow.to_dense().astype(float) - exact.to_dense()).sum()
    assert off <= ends.get("tol", 0.0) + rounding(G, alpha)


@pytest.mark.parametrize("late", [0, 1 << 25])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_changes_of_fp32_are_summed_up_in_fp64(
    late: int, weight: str | None, backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_iteration, "LATE", late)
    G = graphs.NAMED["random 64"].graph(backend)
    settings: dict[str, Any] = {"dtype": "FP32", "weight": weight}
    before, after = (lg.pagerank(G, iterations=k, **settings).to_dense() for k in (9, 10))
    with pytest.raises(
        NotConverged, match=r"after 10; allow more rounds.*or a larger tol"
    ) as ended:
        lg.pagerank(G, max_iter=10, **settings)
    change = np.abs(after.astype(float) - before).sum()
    assert ended.value.residual == pytest.approx(change, rel=1e-12)


@pytest.mark.parametrize("most_entries", [0, 1 << 24])
@pytest.mark.parametrize("kind", ["float64", "int64"])
def test_wide_weights_are_narrowed_once(
    kind: str, most_entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For ranks of FP32 on a GPU. They are given back when memory is short, and then rounds read
    the wide ones."""
    monkeypatch.setattr(GPU.pagerank, "most_entries", most_entries)
    rng = np.random.default_rng(3)
    i, j, weights = rng.integers(0, 50, (3, 400))
    G = lg.Graph.from_edges(i, j, weights.astype(kind), 50, dup="first", backend=GPU)
    assert lg.pagerank(G).dtype == "FP64" and NARROWED not in G.A._store.transposed.copies
    found, incoming = lg.pagerank(G, dtype="FP32", iterations=9), G.A._store.transposed
    narrow = incoming.copies[NARROWED]
    assert narrow.dtype == np.float32 and narrow.indices is incoming.indices
    assert lg.pagerank(G, dtype="FP32", iterations=9).isequal(found)
    assert incoming.copies[NARROWED] is narrow
    with monkeypatch.context() as patch:
        patch.setattr(type(GPU.device), "free_bytes", 0)
        assert incoming.give_back() and not incoming.copies
        assert lg.pagerank(G, dtype="FP32", iterations=9).isequal(found)
        assert NARROWED not in incoming.copies


def test_many_ranks_of_fp32_sum_to_one() -> None:
    """The sum in FP32, of one number after another, is off by more than the verifier allows."""
    G = lg.grid(512, 512, backend=CPU)
    rank = lg.pagerank(G, dtype="FP32")
    verify.verify_pagerank(G, rank)
    assert abs(float(np.cumsum(rank.to_dense())[-1]) - 1) > 2.0**-20


def test_equal_ranks_of_fp32_change_together() -> None:
    """The leaves of a star are rounded alike, so that what rounding does to them adds up."""
    leaves = range(1, 50_001)
    star = lg.Graph.from_edges([0] * len(leaves), leaves, directed=False, backend=CPU)
    with pytest.raises(
        NotConverged, match=r"a larger tol; if rounding keeps it there, FP64"
    ) as end:
        lg.pagerank(star, tol=1e-6, dtype="FP32", max_iter=200)
    assert 2**-24 < end.value.residual < 2**-20
    found, exact = lg.pagerank(star, dtype="FP32"), lg.pagerank(star, tol=1e-12)
    verify.verify_pagerank(star, found)
    assert np.abs(found.to_dense() - exact.to_dense()).sum() < 2e-5


def test_what_ranks_of_fp32_cannot_tell(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    for alpha, tol in ((0.85, 3e-7), (0.99, 5e-6), (0.0, 5e-8), (0.85, 0.0)):
        with pytest.raises(InvalidValue, match=r"tol of at least .* FP32 .*FP64 has room for it"):
            lg.pagerank(G, alpha, tol=tol, dtype="FP32")
    assert lg.pagerank(G, tol=0.0, iterations=2, dtype="FP32").nvals == G.n
    for wrong in ("FP16", "INT64", None, 32, "FC64"):
        with pytest.raises(InvalidValue, match="expected FP64 or FP32 as the dtype of ranks, got"):
            lg.pagerank(G, dtype=wrong)
    for kind in ("fp32", np.float32, np.dtype("f4"), lg.dtypes.FP32):
        assert lg.pagerank(G, dtype=kind).dtype == "FP32"
    assert lg.pagerank(lg.Graph.from_edges([], [], backend=backend), dtype="FP32").dtype == "FP32"


@pytest.mark.parametrize("late", [0, 1 << 25])
def test_pagerank_on_a_gpu_in_all_forms(late: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power_iteration, "LATE", late)
    G = graphs.NAMED["random 33"]
    settings = {"personalization": {0: 1, 5: 2}, "dangling": {3: 1}, "nstart": {32: 1}}
    on = [lg.pagerank(G.graph(b), tol=1e-10, **settings).to_dense() for b in BOTH]
    np.testing.assert_allclose(*on, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 100])
def test_how_far_two_vectors_are_apart(n: int) -> None:
    x, y = np.linspace(-1, 1, n), np.linspace(2, -3, n) ** 3
    for b in BOTH:
        u, v = (lg.Vector.from_dense(values, backend=b) for values in (x, y))
        assert power_iteration.l1_distance(u, v).value == pytest.approx(abs(x - y).sum(), rel=1e-14)


@pytest.mark.parametrize("backend", BOTH)
def test_more_rounds_than_a_number_of_64_bits_counts(backend: Any) -> None:
    G = graphs.NAMED["random 64"].graph(backend)
    assert lg.pagerank(G, max_iter=10**30).isclose(lg.pagerank(G))


@pytest.mark.parametrize("late", [False, True])
def test_how_often_a_round_of_pagerank_waits(late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the change, and with ``iterations`` for nothing; in one kernel, once for all rounds."""
    monkeypatch.setattr(power_iteration, "LATE", 0 if late else 1 << 25)
    G = graphs.NAMED["random 64"].graph(GPU)
    lg.pagerank(G, iterations=1)

    def waits(**settings: Any) -> int:
        before = GPU.device.waits
        lg.pagerank(G, **settings)
        return GPU.device.waits - before

    def waits_until(rounds: int) -> int:
        before = GPU.device.waits
        with pytest.raises(NotConverged):
            lg.pagerank(G, max_iter=rounds, tol=0)
        return GPU.device.waits - before

    assert waits(iterations=12) == waits(iterations=2)
    assert waits_until(12) == waits_until(2) == 1 + waits(iterations=2)
    monkeypatch.setattr(GPU.pagerank, "most_entries", 0)
    assert waits(iterations=12) == waits(iterations=2)
    assert waits_until(12) - waits_until(2) == 10


def cycles_and_others(others: int, directed: bool, backend: Any) -> lg.Graph:
    """Two cycles, of which the second has edges of weight 2, and vertices without edges."""
    u, v = [0, 1, 2, 5, 6, 7, 8], [1, 2, 0, 6, 7, 8, 5]
    weights = np.array([1, 1, 1, 2, 2, 2, 2])
    return lg.Graph.from_edges(u, v, weights, n=9 + others, directed=directed, backend=backend)


@pytest.mark.parametrize("backend", BOTH)
@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.85, 1.0])
def test_what_each_component_has_in_the_end_it_has_from_the_beginning(
    backend: Any, dtype: str, alpha: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within these components ranks are equal, so that one round is enough."""
    monkeypatch.setattr(first_ranks, "MANY_ENTRIES", 14)
    settings: dict[str, Any] = {"max_iter": 1, "tol": 1e-5, "dtype": dtype}
    for weight in (None, "weight"):
        G = cycles_and_others(5, False, backend)
        uniform = lg.Vector.from_dense(np.full(G.n, 1 / G.n), backend=backend)
        with pytest.raises(NotConverged) if alpha > 0 else nullcontext():
            lg.pagerank(G, alpha, weight=weight, **settings, nstart=uniform)
        with pytest.raises(NotConverged) if alpha == 1 else nullcontext():
            found = lg.pagerank(G, alpha, weight=weight, **settings).to_dense()
            right = nx.pagerank(G.to_networkx(), alpha, tol=1e-15, max_iter=999, backend="networkx")
            np.testing.assert_allclose(found, [right[v] for v in range(G.n)], rtol=1e-6)


@pytest.mark.parametrize("alpha", [0.9, 0.95, 0.98])
@pytest.mark.parametrize("n", [3, 8, 60])
def test_rounds_of_a_star_end_in_fp32(n: int, alpha: float) -> None:
    G = lg.Graph.from_edges([0] * (n - 1), range(1, n), n=n, directed=False, backend=CPU)
    found = lg.pagerank(G, alpha, dtype="FP32", max_iter=2000)
    verify.verify_pagerank(G, found, alpha)
    right = lg.pagerank(G, alpha, tol=1e-9, max_iter=3000).to_dense()
    assert np.abs(found.to_dense() - right).sum() <= 1.8e-7 * alpha / (1 - alpha) ** 2


@pytest.mark.parametrize("backend", BOTH)
def test_the_start_is_a_distribution(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edges of weight 0 lead nowhere."""
    monkeypatch.setattr(first_ranks, "MANY_ENTRIES", 0)
    rate = lg.Vector.from_dense([0.0, 0.0, 1.0, 1.0, 0.0], backend=backend)
    G = lg.Graph.from_edges([0, 2], [1, 3], [0.0, 1.0], n=5, directed=False, backend=backend)
    start = first_ranks.first_ranks(G, 0.85, 1e-3, rate, (None, None, None))
    assert start.get(0) < start.get(2)
    assert start.reduce("plus").new().get(0) == pytest.approx(1)


@pytest.mark.parametrize("backend", BOTH)
def test_the_start_is_uniform_elsewhere(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a number of rounds, other distributions, edges of one direction, few edges, and
    tolerances that are small or large."""
    monkeypatch.setattr(first_ranks, "MANY_ENTRIES", 14)
    G, directed = (cycles_and_others(5, one, backend) for one in (False, True))
    small = cycles_and_others(5, False, backend).remove_edges([0], [1])
    given: tuple[tuple[lg.Graph, dict[str, Any]], ...] = (
        (G, {"iterations": 3}), (G, {"personalization": {1: 1}}), (G, {"dangling": {1: 1}}),
        (G, {"tol": 5e-6}), (G, {"tol": 0.06}), (directed, {}), (small, {}),
    )  # fmt: skip
    for H, settings in given:
        uniform = lg.Vector.from_dense(np.full(H.n, 1 / H.n), backend=backend)
        settings = {"tol": 0.05} | settings
        found = (lg.pagerank(H, **settings, nstart=x) for x in (None, uniform))
        np.testing.assert_allclose(*(rank.to_dense() for rank in found), rtol=1e-12)


@pytest.mark.parametrize("late", [False, True])
def test_the_last_round_is_the_same_early_and_late(
    late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late a device computes one round in vain; neither the answer nor the rounds may tell."""
    monkeypatch.setattr(power_iteration, "LATE", 0 if late else 1 << 25)
    G = graphs.NAMED["random 64"]
    for tol in (1e-2, 1e-5, 1e-9):
        on = [lg.pagerank(G.graph(b), tol=tol).to_dense() for b in BOTH]
        np.testing.assert_allclose(*on, rtol=1e-14)
        rounds = next(
            k for k in range(100)
            if np.array_equal(lg.pagerank(G.graph(GPU), iterations=k).to_dense(), on[-1])
        )  # fmt: skip
        assert lg.pagerank(G.graph(GPU), tol=tol, max_iter=rounds).nvals == 64
        for backend in BOTH:
            with pytest.raises(NotConverged) as ended:
                lg.pagerank(G.graph(backend), tol=tol, max_iter=rounds - 1)
            assert ended.value.iterations == rounds - 1 and ended.value.residual > tol * 0.15 / 0.85


PUBLISHED = [
    ("pr/dir-input", "pr/dir-output", True, 50, 0.85),
    ("pr/undir-input", "pr/undir-output", False, 26, float(np.float32(0.85))),
    ("example/example-directed.e", "example/example-directed-PR", True, 2, 0.85),
    ("example/example-undirected.e", "example/example-undirected-PR", False, 2, 0.85),
]
"""The rounds that reproduce each file to the last digits; the second was made with α in FP32."""


@pytest.mark.parametrize(("name", "answers", "directed", "rounds", "alpha"), PUBLISHED)
def test_graphalytics(name: str, answers: str, directed: bool, rounds: int, alpha: float) -> None:
    folder = shared("graphalytics/validation-graphs")
    form = None if name.endswith(".e") else "adjacency"
    edges = lg.io.read_edges(folder / name, format=form)
    G = lg.Graph.from_edgelist(edges, directed=directed, dup="min", backend=CPU)
    rows = [line.split() for line in (folder / answers).read_text().splitlines() if line]
    right = {int(v): float(x) for v, x in rows}
    assert edges.ids is not None
    found = lg.pagerank(G, alpha, weight=None, iterations=rounds).to_dense()
    assert dict(zip(edges.ids.tolist(), found)) == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("weights", [(1e308, 1e308), (9e307, 5e307)])
def test_distances_that_overflow(weights: tuple[float, float], backend: Any) -> None:
    """A distance may be too long for a number, or the sum of those that are not."""
    G = lg.Graph.from_edges([0, 1], [1, 2], weights, backend=backend)
    with pytest.raises(DistanceOverflow, match=r"FP64 can hold.*scale the weights down"):
        lg.closeness_centrality(G, distance="weight")
    if sum(weights) > 1.7e308:
        with pytest.raises(DistanceOverflow):
            lg.harmonic_centrality(G, distance="weight")


def test_bad_pagerank(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    for alpha in (-0.1, 1.1, "0.85", float("nan")):
        with pytest.raises(InvalidValue, match="alpha as a number from 0 to 1"):
            lg.pagerank(G, alpha=alpha)
    for endless in (2**31, 10**30):
        with pytest.raises(InvalidValue, match=r"expected iterations below 2\^31, got .* max_iter"):
            lg.pagerank(G, iterations=endless)
    with pytest.raises(InvalidValue, match="iterations as an integer"):
        lg.pagerank(G, iterations=-1)
    with pytest.raises(InvalidValue, match="tol as a number"):
        lg.pagerank(G, tol=float("nan"))
    with pytest.raises(InvalidValue, match=r"'weight'.*or None.*got 'cost'"):
        lg.pagerank(G, weight="cost")
    with pytest.raises(InvalidValue, match="expected weights by 'weight'"):
        lg.closeness_centrality(G, distance="cost")
    with pytest.raises(InvalidValue, match=r"at least 0 in personalization.*got a sum of 0"):
        lg.pagerank(G, personalization={3: 0})
    with pytest.raises(InvalidValue, match=r"at least 0 in dangling.*got -1"):
        lg.pagerank(G, dangling={3: -1, 2: 2})
    with pytest.raises(InvalidValue, match="finite numbers in nstart"):
        lg.pagerank(G, nstart={3: float("inf")})
    with pytest.raises(InvalidValue, match=r"nstart as a dict, a Series or a Vector.*from_dense"):
        lg.pagerank(G, nstart=[1, 2])
    with pytest.raises(InvalidValue, match=r"personalization as a dict.*take lg.Vector.from_dense"):
        lg.pagerank(G, personalization=np.ones(G.n))
    with pytest.raises(IndexOutOfBound, match=r"a vertex in nstart of this graph .*got 33"):
        lg.pagerank(G, nstart={33: 1})
    with pytest.raises(DimensionMismatch, match="size n = 33, got size 3"):
        lg.pagerank(G, nstart=lg.Vector("FP64", 3, backend=backend))
    with pytest.raises(NotConverged, match="by at most 0 in") as failure:
        lg.pagerank(G, max_iter=3, tol=0, nstart={0: 1})
    assert failure.value.iterations == 3 and failure.value.residual > 0
    with pytest.raises(NotConverged, match="got no round at all; allow more rounds with max_iter"):
        lg.pagerank(G, max_iter=0)
    negative = lg.Graph.from_edges([0], [1], [-1.0], backend=backend)
    with pytest.raises(NegativeWeight, match=r"PageRank, got -1.0"):
        lg.pagerank(negative)
    assert lg.pagerank(negative, weight=None).nvals == 2


# --- eigenvectors -------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("kind", ["karate", "les miserables", "directed"])
def test_eigenvector(kind: str, weight: str | None, backend: Any) -> None:
    g = connected(kind)
    G = lg.Graph.from_networkx(g, backend=backend)
    right = nx.eigenvector_centrality_numpy(g, weight=weight)
    found = lg.eigenvector_centrality(G, max_iter=1000, tol=1e-13, weight=weight)
    agrees(found, relabelled(g, right), 1e-7)
    theirs = relabelled(g, nx.eigenvector_centrality(g, weight=weight))
    usual = lg.eigenvector_centrality(G, weight=weight)
    if kind == "directed":  # rounds alone
        agrees(usual, theirs, 1e-12)
    else:
        agrees(usual, theirs, 1e-4)
        exact = relabelled(g, right)
        error = sum(abs(usual[v].get() - exact[v]) for v in exact)
        assert error <= 1e-12 + sum(abs(theirs[v] - exact[v]) for v in exact)


def connected(kind: str) -> Any:
    if kind == "directed":
        g = nx.gnp_random_graph(40, 0.15, seed=3, directed=True)
        assert nx.is_strongly_connected(g)
        for i, (_, _, data) in enumerate(g.edges(data=True)):
            data["weight"] = 1 + i % 5
        return g
    return nx.karate_club_graph() if kind == "karate" else nx.les_miserables_graph()


def relabelled(g: Any, right: dict[Any, float]) -> dict[int, float]:
    return {i: right[v] for i, v in enumerate(g)}


@pytest.mark.parametrize(("example", "backend"), EVERYWHERE)
def test_katz(example: graphs.Example, backend: Any) -> None:
    g = twin(example)
    degrees = [d for _, d in g.degree()]
    settings = {"alpha": 0.5 / max(1, *degrees, 1), "tol": 1e-12}
    for normalized in (True, False) if backend is CPU else (True,):
        right = nx.katz_centrality(g, normalized=normalized, **settings) if example.n else {}
        agrees(lg.katz_centrality(example.graph(backend), normalized=normalized, **settings), right)


def test_katz_with_weights_and_a_beta_for_each_vertex(backend: Any) -> None:
    g = connected("directed")
    G = lg.Graph.from_networkx(g, backend=backend)
    beta = {v: v % 3 for v in g}
    right = nx.katz_centrality(g, 0.01, beta=beta, tol=1e-12, weight="weight")
    agrees(lg.katz_centrality(G, 0.01, beta=beta, tol=1e-12, weight="weight"), right)


@pytest.mark.filterwarnings("error")
def test_katz_beyond_the_largest_eigenvalue(backend: Any) -> None:
    G = lg.Graph.from_networkx(nx.complete_graph(5), backend=backend)
    for alpha in (5.0, 30.0):
        with pytest.raises(NotConverged, match=rf"\(alpha={alpha}\).*outgrow FP64: scale"):
            lg.katz_centrality(G, alpha)
    with pytest.raises(NotConverged, match="max_iter"):
        lg.katz_centrality(G, alpha=5.0, max_iter=9)
    for alpha in (float("nan"), 10**400):
        with pytest.raises(InvalidValue, match="alpha as a finite number"):
            lg.katz_centrality(G, alpha=alpha)
    with pytest.raises(InvalidValue, match="tol as a number of at least 0"):
        lg.katz_centrality(G, tol=10**400)
    for number in (10**400, "much", None):
        with pytest.raises(InvalidValue, match="finite numbers in beta"):
            lg.katz_centrality(G, beta={0: number})
    for number in (10**400, float("nan"), -float("inf"), 1e308):  # the sum of the last is infinite
        with pytest.raises(InvalidValue, match="finite numbers in beta"):
            lg.katz_centrality(G, beta=number)
        with pytest.raises(InvalidValue, match="finite numbers in personalization"):
            lg.pagerank(G, personalization=number)
    for kind in ("1", True):
        with pytest.raises(InvalidValue, match="beta as a dict, a Series or a Vector"):
            lg.katz_centrality(G, beta=kind)


@pytest.mark.parametrize("backend", BOTH)
def test_hubs_of_equal_weights(backend: Any) -> None:
    """SuiteSparse holds one value for all in the transpose of a matrix that holds one for each."""
    n = 40
    G = lg.Graph.from_edges(range(n - 1), range(1, n), np.full(n - 1, 2.0), n, backend=backend)
    for found, at in zip(lg.hits(G), (range(n - 1), range(1, n)), strict=True):
        assert found.to_dense()[at] == pytest.approx(1 / (n - 1))


@pytest.mark.parametrize("kind", ["karate", "les miserables", "directed"])
def test_hits(kind: str, backend: Any) -> None:
    g = connected(kind)
    G = lg.Graph.from_networkx(g, backend=backend)
    hubs, authorities = nx.hits(g, tol=1e-12)
    found = lg.hits(G, max_iter=500, tol=1e-12)
    for ours, theirs in zip(found, (hubs, authorities)):
        agrees(ours, relabelled(g, theirs), 1e-7)
    if backend is CPU:
        hub, authority = (v.to_dense() for v in lg.hits(G, 500, 1e-12, normalized=False))
        assert np.linalg.norm(authority) == pytest.approx(1)
        np.testing.assert_allclose(hub, nx.to_numpy_array(g) @ authority)
        plain = nx.hits(nx.from_numpy_array(1.0 * (nx.to_numpy_array(g) != 0),
                                            create_using=type(g)), tol=1e-12)  # fmt: skip
        for ours, theirs in zip(lg.hits(G, 500, 1e-12, weight=None), plain):
            agrees(ours, theirs, 1e-7)


@pytest.mark.parametrize("late", [False, True])
def test_hubs_that_settle_slowly(late: bool, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by statements, and where the change of a round is read a round later."""
    monkeypatch.setattr(power_iteration, "LATE", 0 if late else 1 << 60)
    G = lg.grid(12, 12, backend=backend)
    A, right = G.A.to_scipy_sparse().astype(float), np.full(G.n, 1 / G.n)
    for _ in range(2000):
        right = A @ (A @ right)
        right /= right.sum()
    with by_statements(hits_rounds, backend=backend):
        for v in lg.hits(G, 40):
            np.testing.assert_allclose(v.to_dense(), right, rtol=1e-4)
        with pytest.raises(NotConverged, match="after 34; allow more rounds"):
            lg.hits(G, 34, 1e-300)
        monkeypatch.setattr(power_iteration.FixedPoint, "_slow", lambda *_: False)
        with pytest.raises(NotConverged, match="after 40; allow more rounds"):
            lg.hits(G, 40)


@pytest.mark.parametrize("late", [False, True])
def test_eigenvectors_settle_slowly(
    late: bool, backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a path of cliques; also by statements, and where a change is read a round later. Where no
    other eigenvalue is near, the rounds are NetworkX'."""
    monkeypatch.setattr(power_iteration, "LATE", 0 if late else 1 << 60)
    g = nx.disjoint_union_all([nx.complete_graph(6)] * 5)
    g.add_edges_from((k - 1, k) for k in range(6, 30, 6))
    G = lg.Graph.from_networkx(g, backend=backend)
    right = nx.eigenvector_centrality_numpy(g)
    with by_statements(eigenvector_rounds, backend=backend):
        agrees(lg.eigenvector_centrality(G, 60, 1e-9), relabelled(g, right), 1e-6)
        with pytest.raises(NotConverged, match="after 34; allow more rounds"):
            lg.eigenvector_centrality(G, 34, 1e-300)
        monkeypatch.setattr(power_iteration.FixedPoint, "_slow", lambda *_: False)
        with pytest.raises(NotConverged, match="after 60; allow more rounds"):
            lg.eigenvector_centrality(G, 60, 1e-9)


def test_steps_between_rounds_are_the_same_kernels() -> None:
    """Formulas of updates that wait for each other would be new ones in each of seven steps."""
    fresh = GpuBackend(EmulatedDevice(mode="check", block_size=64, max_blocks=4))
    with by_statements(hits_rounds, backend=fresh):
        lg.hits(lg.grid(12, 12, backend=fresh), 40)
    assert 10 < len(fresh.kernels) < 30


def test_vectors_that_depend_on_each_other_have_no_best() -> None:
    """Of two vectors that differ the one in their space is the eigenvector."""
    x, w, zero = (lg.Vector.from_dense(one, backend=CPU) for one in ([1.0, 1], [1.0, -1], [0.0, 0]))
    bx, bw = (lg.Vector.from_dense(one, backend=CPU) for one in ([3.0, 1], [3.0, -1]))
    a, b = largest_quotient((x, w), (bx, bw)) or (0, 0)
    np.testing.assert_allclose(a * x.to_dense() + b * w.to_dense(), [1, 0], atol=1e-12)
    assert largest_quotient((x, x), (bx, bx)) is None
    assert largest_quotient((x, zero), (bx, zero)) is None


@pytest.mark.parametrize("statements", [False, True])
def test_hubs_of_the_part_with_the_largest_singular_value(statements: bool) -> None:
    """Cliques that hardly touch, one of which has a larger singular value than all others, but
    another sign than most where the steps end."""
    size, count = 32, 1000
    i, j = np.triu_indices(size, 1)
    first = size * np.arange(count)
    i = np.r_[np.add.outer(first, i).ravel(), first[1:] - 1]
    j = np.r_[np.add.outer(first, j).ravel(), first[1:]]
    source, target = np.where(np.random.default_rng(2).random(i.size) < 0.5, (j, i), (i, j))
    G = lg.Graph.from_edges(source, target, backend=CPU)
    with by_statements(hits_rounds) if statements else nullcontext():
        hubs, _ = lg.hits(G, max_iter=5000)
    inside = source // size == target // size
    cliques = np.zeros((count, size, size))
    cliques[source[inside] // size, source[inside] % size, target[inside] % size] = 1
    least = np.linalg.svd(cliques, compute_uv=False).max() ** 2  # a bridge takes nothing away
    B = sp.csr_array((np.ones(source.size), (source, target)), (G.n, G.n))
    x = hubs.to_dense()
    assert x @ (B @ (B.T @ x)) / (x @ x) >= least * (1 - 1e-6)


def test_eigenvectors_without_edges(backend: Any) -> None:
    for n in (0, 1, 7):
        G = lg.Graph.from_edges([], [], n=n, backend=backend)
        right = np.full(n, 1.0)
        for v in lg.hits(G):
            np.testing.assert_allclose(v.to_dense(), right / max(1, n))
        for v in (lg.eigenvector_centrality(G), lg.katz_centrality(G)):
            np.testing.assert_allclose(v.to_dense(), right / max(1, n) ** 0.5)


@pytest.mark.parametrize("kind", ["les miserables", "directed"])
@pytest.mark.parametrize("factor", [1e-300, 1e-8, 1e8, 1e306])
def test_eigenvectors_of_any_scale(kind: str, factor: float, backend: Any) -> None:
    g = connected(kind)
    right = nx.eigenvector_centrality_numpy(g, weight="weight")
    for *_, data in g.edges(data=True):
        data["weight"] *= factor
    G = lg.Graph.from_networkx(g, backend=backend)
    found = lg.eigenvector_centrality(G, max_iter=1000, tol=1e-12, weight="weight")
    agrees(found, relabelled(g, right), 1e-7)


def test_eigenvectors_refuse_negative_weights(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, -2.0], directed=False, backend=backend)
    with pytest.raises(NegativeWeight, match=r"eigenvector centrality, got -2.0"):
        lg.eigenvector_centrality(G, weight="weight")
    assert lg.eigenvector_centrality(G).nvals == 3
    zero = lg.Graph.from_edges([0, 1], [1, 2], [0.0, 0.0], directed=False, backend=backend)
    found = lg.eigenvector_centrality(zero, weight="weight").to_dense()
    np.testing.assert_allclose(found, 3**-0.5)


def test_eigenvectors_that_do_not_settle(backend: Any) -> None:
    G = graphs.NAMED["path of 100"].graph(backend)
    with pytest.raises(NotConverged, match="hits"):
        lg.hits(lg.Graph.from_networkx(nx.path_graph(60), backend=backend), max_iter=5)
    with pytest.raises(NotConverged, match="eigenvector_centrality"):
        lg.eigenvector_centrality(G, max_iter=5, tol=0)
    with pytest.raises(InvalidValue, match="a start that is not 0 everywhere"):
        lg.eigenvector_centrality(G, nstart={3: 0})
    with pytest.raises(InvalidValue, match="hubs that point at a vertex"):
        lg.hits(G, nstart={99: 1})
    zero = graphs.NAMED["zero weights"].graph(backend)
    assert lg.hits(zero)[0].to_dense().tolist() == [0.1] * 10
    assert lg.hits(zero, weight=None)[0][9].get() == 0
    with pytest.raises(NegativeWeight, match="hubs and authorities"):
        lg.hits(lg.Graph.from_edges([0], [1], [-1.0], backend=backend))


# --- degrees ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("example", "backend"), EVERYWHERE)
def test_degrees(example: graphs.Example, backend: Any) -> None:
    g, G = twin(example), example.graph(backend)
    agrees(lg.degree_centrality(G), nx.degree_centrality(g))
    if example.directed:
        agrees(lg.in_degree_centrality(G), nx.in_degree_centrality(g))
        agrees(lg.out_degree_centrality(G), nx.out_degree_centrality(g))
    else:
        for centrality in (lg.in_degree_centrality, lg.out_degree_centrality):
            with pytest.raises(InvalidValue, match="a directed graph, got an undirected"):
                centrality(G)


# --- betweenness --------------------------------------------------------------------------------


@pytest.mark.parametrize(("normalized", "endpoints"), [(False, True), (True, False)])
@pytest.mark.parametrize("example", [graphs.EMPTY, *SMALL], ids=str)
def test_betweenness(example: graphs.Example, normalized: bool, endpoints: bool) -> None:
    right = nx.betweenness_centrality(twin(example), normalized=normalized, endpoints=endpoints)
    G = example.graph(CPU)
    settings = {"normalized": normalized, "endpoints": endpoints}
    agrees(lg.betweenness_centrality(G, **settings), right)
    agrees(lg.betweenness_centrality(G, **settings, batch_size=7), right)


class Fixed(random.Random):
    """Draws what it is told to."""

    drawn: list[int]

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        return self.drawn


@examples(40)
@given(
    data=st.data(), normalized=st.booleans(), endpoints=st.booleans(), seed=st.integers(0, 2**32)
)
def test_sampled_betweenness(data: Any, normalized: bool, endpoints: bool, seed: int) -> None:
    example = data.draw(any_graph())
    k, batch = data.draw(st.integers(1, example.n)), data.draw(st.integers(1, 9))
    G, draw = example.graph(CPU), Fixed()
    draw.drawn = sampled_sources(G, k, seed).tolist()
    assert len(set(draw.drawn)) == k
    right = nx.betweenness_centrality(
        twin(example), k, normalized, endpoints=endpoints, seed=draw
    )  # fmt: skip
    found = lg.betweenness_centrality(
        G, k, normalized, endpoints=endpoints, seed=seed, batch_size=batch
    )  # fmt: skip
    agrees(found, right)


@pytest.mark.parametrize(
    ("backend", "fused", "depth", "width"),
    [(CPU, True, 700, 6), (CPU, False, 400, 10), (GPU, True, 400, 10)],
    ids=["cpu", "statements", "gpu"],
)
def test_more_paths_than_fp64_counts(
    backend: Any, fused: bool, depth: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to 2^1100 of them, and vertices with few beside them."""
    if not fused:
        monkeypatch.delitem(backend.lowerings, dependencies)
    n, tails, heads = graphs.layers_and_path(depth, width, seed=1)
    right = spec.dependencies(n, tails, heads, 0)
    G = lg.Graph.from_edges(tails, heads, n=n, backend=backend)
    found = betweenness_from(G, [0], exact=True, normalized=False, endpoints=False)
    np.testing.assert_allclose(found.to_dense(), right, rtol=1e-12)


@pytest.mark.parametrize(
    ("backend", "fused", "diamonds", "width"),
    [(CPU, True, 1100, 2), (CPU, False, 220, 32), (GPU, True, 220, 32)],
    ids=["cpu", "loop", "gpu"],
)
def test_many_diamonds(
    backend: Any, fused: bool, diamonds: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each diamond multiplies the paths by its width, to 2^1100; all vertices behind it pass a
    diamond's top."""
    if not fused:
        monkeypatch.delitem(backend.lowerings, dependencies)
    tops = (width + 1) * np.arange(diamonds)
    sides = tops[:, None] + np.arange(1, width + 1)
    tails = np.concatenate((np.repeat(tops, width), sides.ravel()))
    heads = np.concatenate((sides.ravel(), np.repeat(tops + width + 1, width)))
    G = lg.Graph.from_edges(tails, heads, backend=backend)
    found = betweenness_from(G, [0], exact=True, normalized=False, endpoints=False).to_dense()
    np.testing.assert_allclose(found[tops[1:]], G.n - 1 - tops[1:], rtol=1e-12)


@pytest.mark.parametrize("way", ["one kernel", "statements"])
@pytest.mark.parametrize("example", FEW, ids=str)
def test_betweenness_on_both_backends(
    example: graphs.Example, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "statements":
        monkeypatch.delitem(GPU.lowerings, dependencies)
    settings = {"k": 5, "seed": 3, "endpoints": True}
    on = [lg.betweenness_centrality(example.graph(b), **settings).to_dense() for b in BOTH]
    np.testing.assert_allclose(*on, rtol=1e-12)


def test_betweenness_with_many_parallel_paths() -> None:
    """Ten diamonds in a row: 1024 shortest paths, shared evenly by the two sides of each."""
    edges = [(3 * i, 3 * i + s) for i in range(10) for s in (1, 2)]
    edges += [(3 * i + s, 3 * i + 3) for i in range(10) for s in (1, 2)]
    G = lg.Graph.from_edges(*zip(*edges), backend=CPU)
    found = lg.betweenness_centrality(G, normalized=False)
    agrees(found, nx.betweenness_centrality(nx.DiGraph(edges), normalized=False), 1e-12)
    assert found[1].get() == found[2].get() == pytest.approx((1 * 28) / 2)


def leafy() -> lg.Graph:
    """Trees on a ring, a star, an edge alone, loops, and vertices without edges."""
    rng = np.random.default_rng(3)
    up = np.arange(8, 30)
    ring = np.stack((np.arange(8), (np.arange(8) + 1) % 8))
    tree = np.stack((up, rng.integers(0, up)))
    more = np.array([(30, 31), (32, 33), (32, 34), (32, 35), (36, 36), (5, 5), (29, 29)]).T
    return lg.Graph.from_edges(*np.hstack((ring, tree, more)), n=40, directed=False, backend=CPU)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("k", [None, 25])
@pytest.mark.parametrize("directed", [False, True])
def test_sources_of_few_edges_need_no_search_of_their_own(
    directed: bool, k: int | None, backend: Any
) -> None:
    """The sum over the sources of what a search from each of them gives."""
    i, j, _ = leafy().A.to_coo()
    kept = i < j if directed else np.ones(i.size, np.bool_)
    G = lg.Graph.from_edges(i[kept], j[kept], n=40, backend=CPU)
    G = (G if directed else G.to_undirected()).to(backend)
    sources = sampled_sources(G, k, 1)
    searches = needed_searches(G, sources, endpoints=False)
    degree = G.out_degree.to_dense(0)
    assert searches.sources.size < np.count_nonzero(degree[sources]) or directed
    right = sum(spec.dependencies(40, i[kept], j[kept], int(s)) for s in sources)
    scaled = betweenness_from(G, sources, exact=True, normalized=False, endpoints=False)
    np.testing.assert_allclose(
        scaled.to_dense() * (1 if directed else 2), right, rtol=1e-12, atol=1e-12
    )
    everything = needed_searches(G, sources, endpoints=True)
    assert sorted(everything.sources) == sorted(sources[degree[sources] > 0])
    assert everything.beside is None and (everything.counts == 1).all()


def test_more_sources_than_memory_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements take some at a time, and a kernel fewer than it would."""
    G = leafy()
    wanted = lg.betweenness_centrality(G, endpoints=True).to_dense()
    monkeypatch.delitem(CPU.lowerings, dependencies)
    monkeypatch.setattr("lagraph_gpu.algorithms.centrality.betweenness.batch_rows", lambda A: 3)
    found = lg.betweenness_centrality(G, endpoints=True)
    np.testing.assert_allclose(found.to_dense(), wanted, rtol=1e-12, atol=1e-15)
    if hasattr(GPU.device, "room_of"):
        for room in (60_000, 9_000):
            with GPU.device.room_of(room):
                found = lg.betweenness_centrality(G.to(GPU), endpoints=True)
            np.testing.assert_allclose(found.to_dense(), wanted, rtol=1e-12, atol=1e-15)


def test_betweenness_of_karate_and_facebook() -> None:
    g = nx.karate_club_graph()
    found = lg.betweenness_centrality(lg.Graph.from_networkx(g, backend=CPU))
    assert found[0].get() == pytest.approx(0.43763528138528146)
    edges = lg.io.read_edges(shared("snap/facebook_combined.txt.gz"))
    G = lg.Graph.from_edgelist(edges, directed=False, dup="first", backend=CPU)
    few = lg.betweenness_centrality(G, k=64, seed=1)
    assert few.isequal(lg.betweenness_centrality(G, k=64, seed=1))
    dense = few.to_dense()
    assert int(dense.argmax()) == 107 and dense[107] == pytest.approx(0.48, abs=0.08)


def test_bad_betweenness() -> None:
    weighted = graphs.NAMED["random 33"].graph(CPU)
    with pytest.raises(UnsupportedOperation, match="weight=None for betweenness"):
        lg.betweenness_centrality(weighted, weight="weight")
    plain = graphs.NAMED["unweighted"].graph(CPU)
    same = lg.betweenness_centrality(plain)
    assert lg.betweenness_centrality(plain, weight="weight").isequal(same)
    for k in (0, 31, True, 2.5):
        with pytest.raises(InvalidValue, match="k from 1 to n = 30"):
            lg.betweenness_centrality(plain, k=k)
    for size in (0, True, "all"):
        with pytest.raises(InvalidValue, match="batch_size as an integer"):
            lg.betweenness_centrality(plain, batch_size=size)
    ends = lg.betweenness_centrality(plain, endpoints=np.True_)  # type: ignore[arg-type]
    assert ends.isequal(lg.betweenness_centrality(plain, endpoints=True))


@pytest.mark.parametrize("truth", ["no", 1, 0, None, {}, np.array([True, False])], ids=repr)
def test_flags_are_true_or_false(truth: Any) -> None:
    G, A = graphs.NAMED["unweighted"].graph(CPU), sp.csr_array([[0, 1], [1, 0]])
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("normalized", lambda: lg.hits(G, normalized=truth)),
        ("normalized", lambda: lg.katz_centrality(G, normalized=truth)),
        ("normalized", lambda: lg.betweenness_centrality(G, normalized=truth)),
        ("endpoints", lambda: lg.betweenness_centrality(G, endpoints=truth)),
        ("wf_improved", lambda: lg.closeness_centrality(G, wf_improved=truth)),
        ("weighted", lambda: lg.random_walks(G, [0], 1, weighted=truth)),
        ("directed", lambda: lg.Graph(G.A, directed=truth)),
        ("directed", lambda: lg.Graph.from_scipy(A, directed=truth)),
        ("directed", lambda: lg.Graph.from_edges([0], [1], directed=truth)),
        ("directed", lambda: lg.random_graph(4, 2, directed=truth)),
    ]
    for name, call in calls:
        with pytest.raises(InvalidValue, match=f"expected {name} as True or False, got "):
            call()


def test_a_fraction_below_all_floats_is_an_alpha_of_0(backend: Any) -> None:
    ring = lg.grid(2, 2, backend=backend)
    assert lg.pagerank(ring, alpha=Fraction(1, 10**400)).to_dense().tolist() == [0.25] * 4


@pytest.mark.parametrize("late", [False, True])
def test_a_tolerance_of_0_is_met_when_nothing_changes(
    late: bool, backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power_iteration, "LATE", 0 if late else 1 << 25)
    ring = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], backend=backend)
    even = [0.25] * 4
    assert lg.pagerank(ring, alpha=0.5, tol=0).to_dense().tolist() == even
    chain = lg.Graph.from_edges([0, 1], [1, 2], backend=backend)  # at rest after three rounds
    rounds = hits_rounds, eigenvector_rounds, katz_rounds
    for way in (nullcontext(), by_statements(*rounds, backend=backend)):
        with way:
            assert [v.to_dense().tolist() for v in lg.hits(ring, tol=0)] == [even, even]
            assert lg.eigenvector_centrality(ring, tol=0).to_dense().tolist() == [0.5] * 4
            katz = lg.katz_centrality(chain, alpha=0.5, tol=0, normalized=False)
            assert katz.to_dense().tolist() == [1.0, 1.5, 1.75]


@pytest.mark.parametrize(
    ("centrality", "given"),
    [(lg.hits, {}), (lg.eigenvector_centrality, {}), (lg.katz_centrality, {"alpha": 1e-2})],
)
def test_a_gpu_does_all_rounds_in_one_kernel(
    centrality: Callable[..., Any], given: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If there are few entries. Then it waits once for all of them."""
    G = graphs.NAMED["random 64"].graph(GPU)
    with lg.explain() as report:
        centrality(G, **given)
    assert "in one kernel" in [choice.chosen for choice in report.choices]

    def waits_until(rounds: int) -> int:
        before = GPU.device.waits
        with pytest.raises(NotConverged, match=f"after {rounds};"):
            centrality(G, max_iter=rounds, tol=1e-300, **given)
        return GPU.device.waits - before

    assert waits_until(6) == waits_until(2)
    monkeypatch.setattr(GPU.power, "most_entries", G.A.nvals - 1)
    assert waits_until(6) - waits_until(2) >= 4


# --- nearness -----------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [None, "weight"])
@pytest.mark.parametrize("example", [graphs.EMPTY, *SMALL], ids=str)
def test_closeness_and_harmonic(example: graphs.Example, distance: str | None) -> None:
    if example.name == "denormal weights" and distance:
        pytest.skip("the inverse of a denormal distance is infinite")
    g, G = twin(example), example.graph(CPU)
    for improved in (True, False):
        right = nx.closeness_centrality(g, distance=distance, wf_improved=improved)
        agrees(lg.closeness_centrality(G, distance=distance, wf_improved=improved), right)
    right = nx.harmonic_centrality(g, distance=distance)
    agrees(lg.harmonic_centrality(G, distance=distance), right)
    agrees(lg.harmonic_centrality(G, distance=distance, batch_size=3), right)


@pytest.mark.filterwarnings("error")
def test_inverses_of_tiny_distances_are_infinite() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [5e-324, 5e-324], directed=False, backend=CPU)
    for centrality in (lg.closeness_centrality, lg.harmonic_centrality):
        assert centrality(G, distance="weight").to_dense().tolist() == [np.inf] * 3


@pytest.mark.parametrize("distance", [None, "weight"])
def test_nearness_on_both_backends(distance: str | None) -> None:
    for example in FEW[:2]:
        for centrality in (lg.closeness_centrality, lg.harmonic_centrality):
            on = [centrality(example.graph(b), distance=distance).to_dense() for b in BOTH]
            np.testing.assert_allclose(*on, rtol=1e-12)


@pytest.mark.parametrize("distance", [None, "weight"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("backend", BOTH)
def test_harmonic_of_few_vertices_searches_from_them(
    backend: str, directed: bool, distance: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    u, v, w = *np.unique(rng.integers(0, 400, (2, 600)), axis=1), rng.integers(0, 9, 600)
    G = lg.Graph.from_edges(u, v, w[: u.size], 400, directed=directed, dup="min", backend=backend)
    g, searched, search = G.to_networkx(), [], source_batches.distances

    def watched(A: Any, sources: Any, *others: Any, **named: Any) -> Any:
        searched.extend(sources)
        return search(A, sources, *others, **named)

    monkeypatch.setattr(source_batches, "distances", watched)
    for sources in (None, list(range(50, 390))):
        right = nx.harmonic_centrality(g, nbunch=[7, 60], distance=distance, sources=sources)
        found = lg.harmonic_centrality(G, [60, 7], distance, sources)
        assert found.to_dict() == pytest.approx(right)
        assert searched == [7, 60]
        searched.clear()


def test_some_vertices_only() -> None:
    example = graphs.NAMED["random 33"]
    g, G = twin(example), example.graph(CPU)
    right = nx.closeness_centrality(g)
    for asked in (5, [5, 7, 5], np.array([32])):
        found = lg.closeness_centrality(G, asked)
        index, value = found.to_coo()
        assert index.tolist() == sorted({*np.atleast_1d(asked).tolist()})
        np.testing.assert_allclose(value, [right[v] for v in index])
    for backend in BOTH:  # one that no other vertex reaches has an entry, 0
        H = lg.Graph.from_edges([0, 1], [1, 2], n=5, directed=False, backend=backend)
        assert lg.closeness_centrality(H, [1, 4]).to_dict() == {1: 0.5, 4: 0.0}
    some = nx.harmonic_centrality(g, nbunch=[3, 4], sources=[1, 2, 3])
    found = lg.harmonic_centrality(G, nbunch=[4, 3], sources=[3, 2, 1])
    assert found.to_dict() == pytest.approx(some)
    for centrality in (lg.closeness_centrality, lg.harmonic_centrality):
        with pytest.raises(IndexOutOfBound, match=r"a vertex in .* of this graph.*got 33"):
            centrality(G, 33)
        with pytest.raises(InvalidValue, match="'weight'"):
            centrality(G, distance="length")
        with pytest.raises(NegativeWeight, match="distances, got -1"):
            centrality(lg.Graph.from_edges([0], [1], [-1], backend=CPU), distance="weight")
