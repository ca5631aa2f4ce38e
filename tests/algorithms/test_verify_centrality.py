"""The verifiers of centralities accept what is right and refuse what is mangled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import VerificationError
from tests import graphs
from tests.harness import CPU, GPU
from tests.strategies import examples, random_graphs

SMALL = tuple(e for e in graphs.BATTERY if e.n <= 150 and e.name != "denormal weights")
KARATE = lg.Graph.from_networkx(nx.karate_club_graph(), backend=CPU)
DIRECTED = lg.Graph.from_networkx(nx.gnp_random_graph(40, 0.15, seed=3, directed=True), backend=CPU)


@pytest.mark.parametrize("example", [graphs.EMPTY, *SMALL], ids=str)
def test_right_results_pass(example: graphs.Example) -> None:
    G = example.graph(CPU)
    for weight in (None, "weight"):
        verify.verify_pagerank(G, lg.pagerank(G, weight=weight), weight=weight)
        close = lg.closeness_centrality(G, distance=weight)
        verify.verify_closeness(G, close, weight)
        verify.verify_harmonic(G, lg.harmonic_centrality(G, distance=weight), weight)
    alpha = 0.4 / max([1, *G.out_degree.to_coo()[1], *G.in_degree.to_coo()[1]])
    for normalized in (True, False):
        katz = lg.katz_centrality(G, alpha, normalized=normalized)
        verify.verify_katz(G, katz, alpha, normalized=normalized)
        for endpoints in (True, False):
            settings = {"normalized": normalized, "endpoints": endpoints}
            between = lg.betweenness_centrality(G, **settings)
            verify.verify_betweenness(G, between, **settings)
    plain = lg.closeness_centrality(G, wf_improved=False)
    verify.verify_closeness(G, plain, wf_improved=False)


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("G", [KARATE, DIRECTED], ids=["karate", "directed"])
def test_right_eigenvectors_pass(G: lg.Graph, weight: str | None) -> None:
    verify.verify_eigenvector(G, lg.eigenvector_centrality(G, weight=weight), weight=weight)
    verify.verify_hits(G, *lg.hits(G, weight=weight), weight=weight)
    beta = lg.Vector.from_dict({0: 1, 3: 2}, size=G.n, backend=CPU)
    katz = lg.katz_centrality(G, 0.01, beta, weight=weight)
    verify.verify_katz(G, katz, 0.01, beta, weight=weight)
    settings: dict[str, Any] = {"personalization": {0: 1}, "dangling": {1: 1}, "weight": weight}
    verify.verify_pagerank(G, lg.pagerank(G, **settings), **settings)


@pytest.mark.parametrize("factor", [1e-12, 1e-8, 1.0, 1e300])
def test_eigenvectors_of_tiny_weights(factor: float) -> None:
    """What is no eigenvector is refused whatever the scale, as the uniform vector is."""
    indptr, indices, values = KARATE.A.to_csr()
    A = lg.Matrix.from_csr(indptr, indices, values * factor, ncols=KARATE.n, backend=CPU)
    G = lg.Graph(A, directed=False)
    right = lg.eigenvector_centrality(G, weight="weight")
    verify.verify_eigenvector(G, right, weight="weight")
    uniform = lg.Vector.from_scalar(G.n**-0.5, G.n, "FP64", backend=CPU)
    refused(verify.verify_eigenvector, "equation", G, uniform, weight="weight")


def changed(v: lg.Vector, index: int, by: float) -> lg.Vector:
    other = v.dup()
    other[index] = v[index].get() + by
    return other


def swapped(v: lg.Vector, one: int, two: int) -> lg.Vector:
    """The same values, two of them exchanged."""
    other = v.dup()
    other[one], other[two] = v[two].get(), v[one].get()
    return other


def without(v: lg.Vector, index: int) -> lg.Vector:
    other = v.dup()
    del other[index]
    return other


def longer(v: lg.Vector) -> lg.Vector:
    other = v.dup()
    other.resize(v.size + 1)
    return other


def refused(check: Callable[..., None], name: str, *args: Any, **settings: Any) -> None:
    with pytest.raises(VerificationError, match=rf", {name}: expected"):
        check(*args, **settings)


CHECKS = {
    "pagerank": (lg.pagerank, verify.verify_pagerank, "sum", "equation"),
    "eigenvector": (lg.eigenvector_centrality, verify.verify_eigenvector, "length", "equation"),
    "katz": (
        lambda G: lg.katz_centrality(G, 0.02),
        lambda G, x: verify.verify_katz(G, x, 0.02),
        "length",
        "equation",
    ),
    "betweenness": (lg.betweenness_centrality, verify.verify_betweenness, "sum", "pairs"),
    "closeness": (lg.closeness_centrality, verify.verify_closeness, "distances", "distances"),
    "harmonic": (lg.harmonic_centrality, verify.verify_harmonic, "distances", "distances"),
}


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("G", [KARATE, DIRECTED], ids=["karate", "directed"])
def test_mangled_results_are_refused(name: str, G: lg.Graph) -> None:
    compute, check, one, two = CHECKS[name]
    if name in ("betweenness", "closeness", "harmonic"):
        plain = check
        check = lambda G, v: plain(G, v, samples=G.n)  # noqa: E731
    right: Any = compute(G)
    check(G, right)
    values = right.to_dense()
    high, low = int(values.argmax()), int(values.argmin())
    refused(check, one, G, changed(right, high, 0.2))
    refused(check, two, G, swapped(right, high, low))
    refused(check, "entries", G, without(right, 3))
    refused(check, "size", G, longer(right))
    refused(check, "number", G, changed(right, high, float("nan")))
    if name != "katz":
        refused(check, "number", G, changed(right, low, -100.0))


def test_mangled_hubs_are_refused() -> None:
    hub, authority = lg.hits(DIRECTED)
    high, low = (int(f(hub.to_dense())) for f in (np.argmax, np.argmin))
    check = verify.verify_hits
    refused(check, "sum", DIRECTED, changed(hub, high, 0.2), authority)
    refused(check, "equation", DIRECTED, swapped(hub, high, low), authority)
    refused(check, "equation", DIRECTED, authority, hub)
    refused(check, "entries", DIRECTED, hub, without(authority, 3))


def test_settings_that_do_not_fit_are_refused() -> None:
    refused(verify.verify_pagerank, "equation", KARATE, lg.pagerank(KARATE), 0.5)
    refused(verify.verify_pagerank, "equation", KARATE, lg.pagerank(KARATE), weight=None)
    once = lg.pagerank(KARATE, iterations=1)
    refused(verify.verify_pagerank, "equation", KARATE, once)
    sampled = lg.betweenness_centrality(KARATE, k=5, seed=1)
    refused(verify.verify_betweenness, "sum", KARATE, sampled)
    ends = lg.betweenness_centrality(KARATE, endpoints=True)
    refused(verify.verify_betweenness, "sum", KARATE, ends)


DEGREES = {
    "both": lg.degree_centrality,
    "out": lg.out_degree_centrality,
    "in": lg.in_degree_centrality,
}


@pytest.mark.parametrize("example", [graphs.EMPTY, *SMALL], ids=str)
def test_right_degrees_pass(example: graphs.Example) -> None:
    G = example.graph(CPU)
    for ends, compute in DEGREES.items():
        if ends == "both" or G.directed:
            verify.verify_degree_centrality(G, compute(G), ends)


@examples(40)
@given(example=random_graphs(), data=st.data())
def test_no_other_degree_passes(example: graphs.Example, data: Any) -> None:
    G, v = example.graph(CPU), data.draw(st.integers(0, example.n - 1))
    ends = data.draw(st.sampled_from([*DEGREES])) if G.directed else "both"
    right, check = DEGREES[ends](G), verify.verify_degree_centrality
    check(G, right, ends)
    name = {"both": "", "out": "out_", "in": "in_"}[ends] + "degree_centrality"
    step = 1 / max(1, G.n - 1)
    with pytest.raises(VerificationError, match=f"^{name}, count: expected .* at vertex {v}, got"):
        check(G, changed(right, v, step), ends)
    refused(check, "entries", G, without(right, v), ends)


def test_degrees_are_told_apart() -> None:
    check = verify.verify_degree_centrality
    for ends in DEGREES:
        for other, compute in DEGREES.items():
            if other != ends:
                refused(check, "count", DIRECTED, compute(DIRECTED), ends)
    right = lg.degree_centrality(KARATE)
    refused(check, "type", KARATE, right.dup("FP32"))
    refused(check, "size", KARATE, longer(right))
    for wrong in (-1.0, float("nan"), float("inf")):
        refused(check, "number", KARATE, changed(right, 3, wrong))


def test_degrees_of_another_backend_pass() -> None:
    G = graphs.NAMED["loops everywhere"].graph(GPU)
    verify.verify_degree_centrality(G, lg.degree_centrality(G))


SAMPLED = {
    "closeness": (lg.closeness_centrality, verify.verify_closeness, 16),
    "harmonic": (lg.harmonic_centrality, verify.verify_harmonic, 16),
    "betweenness": (lg.betweenness_centrality, verify.verify_betweenness, 4),
}


@pytest.mark.parametrize("name", SAMPLED)
def test_what_was_looked_at(name: str) -> None:
    """All of a small graph; of others different vertices each time, which the seed draws again."""
    compute, check, usual = SAMPLED[name]
    assert str(check(KARATE, compute(KARATE))) == "all 34 places"
    G = lg.grid(20, 20, backend=CPU)
    right = compute(G)
    one, other = check(G, right), check(G, right)
    assert one.places.size == usual and one.total == 400 and one.seed != other.seed
    assert sorted(one.places) != sorted(other.places)
    assert check(G, right, seed=one.seed).places.tolist() == one.places.tolist()


@pytest.mark.parametrize("name", ["closeness", "harmonic"])
def test_an_error_names_the_seed_that_found_it(name: str) -> None:
    compute, check, _ = SAMPLED[name]
    G = lg.grid(20, 20, backend=CPU)
    right = compute(G)
    seen = check(G, right, seed=5)
    wrong = changed(right, int(seen.places[3]), 0.01)
    with pytest.raises(VerificationError, match=r"looking at 16 of 400 places, seed=5\)"):
        check(G, wrong, seed=5)
