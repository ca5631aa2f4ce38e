"""Counts and communities that others published (see ``../shared/data/README.md``)."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.verify import (
    verify_core_number,
    verify_label_propagation,
    verify_pagerank,
    verify_triangles,
)
from tests.harness import CPU
from tests.io.shared import shared

TRIANGLES = {
    "snap/facebook_combined.txt.gz": 1_612_010,
    "snap/email-Enron.txt.gz": 727_044,
    "snap/wiki-Vote.txt.gz": 608_389,
    "lagraph/data/karate.mtx": 45,
    "lagraph/data/A.mtx": 11,
    "lagraph/data/jagmesh7.mtx": 2016,
    "lagraph/data/bcsstk13.mtx.gz": 342_300,
    "lagraph/data/LFAT5.mtx": 0,
}


def graph(name: str) -> lg.Graph:
    edges = lg.io.read_edges(shared(name))
    return lg.Graph.from_edgelist(edges, directed=False, dup="first", backend=CPU)


@pytest.mark.parametrize("name", TRIANGLES)
def test_triangles(name: str) -> None:
    G = graph(name)
    assert lg.triangle_count(G) == TRIANGLES[name]
    verify_triangles(G, lg.triangles(G), TRIANGLES[name], samples=50)


def test_facebook_as_networkx_sees_it() -> None:
    """4,039 vertices: cores, mean clustering (0.6055 at SNAP), and better communities."""
    G = graph("snap/facebook_combined.txt.gz")
    rows, columns, _ = G.A.to_coo()
    g = nx.Graph(list(zip(rows.tolist(), columns.tolist())))
    core = lg.core_number(G)
    verify_core_number(G, core)
    right = nx.core_number(g)
    assert core.to_dense().tolist() == [right[v] for v in range(G.n)]
    assert core.reduce("max").new().value == 115
    assert lg.average_clustering(G) == pytest.approx(0.6055, abs=1e-4)
    labels = lg.label_propagation(G, 5)
    verify_label_propagation(G, labels, 5)
    assert lg.modularity(G, lg.louvain(G, seed=1)) > 0.83


@pytest.mark.parametrize("name", ["email-Enron", "wiki-Vote", "ca-GrQc-lcc"])
@pytest.mark.parametrize("tol", [1e-6, 1e-3])
def test_the_tolerance_of_pagerank_bounds_the_error(name: str, tol: float) -> None:
    """On real graphs too, whose size does not loosen it; the rule of NetworkX did, by n."""
    path = f"snap/{name}.txt" + ("" if name.startswith("ca") else ".gz")
    G = lg.Graph.from_edgelist(lg.io.read_edges(shared(path)), dup="first", backend=CPU)
    exact, found = (lg.pagerank(G, tol=t).to_dense() for t in (1e-13, tol))
    assert abs(found - exact).sum() <= tol
    verify_pagerank(G, lg.pagerank(G, tol=tol), tol=tol)
    if tol == 1e-6:
        top = [set(np.argsort(-rank, kind="stable")[:10]) for rank in (exact, found)]
        assert top[0] == top[1]
    with pytest.raises(lg.exceptions.VerificationError):
        verify_pagerank(G, lg.pagerank(G, tol=0.1), tol=tol)


# --- LDBC Graphalytics --------------------------------------------------------------------------

LCC = [
    ("lcc/dir-input", "lcc/dir-output", True),
    ("lcc/undir-input", "lcc/undir-output", False),
    ("example/example-directed.e", "example/example-directed-LCC", True),
    ("example/example-undirected.e", "example/example-undirected-LCC", False),
]
CDLP = [
    ("cdlp/dir-input", "cdlp/dir-output", True, 5),
    ("cdlp/undir-input", "cdlp/undir-output", False, 5),
    ("example/example-directed.e", "example/example-directed-CDLP", True, 2),
    ("example/example-undirected.e", "example/example-undirected-CDLP", False, 2),
]


def load(name: str, answers: str, directed: bool) -> tuple[lg.Graph, np.ndarray, dict[int, str]]:
    folder = shared("graphalytics/validation-graphs")
    edges = lg.io.read_edges(
        folder / name, format=None if name.endswith(".e") else "adjacency"
    )  # fmt: skip
    G = lg.Graph.from_edgelist(edges, directed=directed, dup="min", backend=CPU)
    assert edges.ids is not None
    lines = (folder / answers).read_text().splitlines()
    return G, edges.ids, {int(v): x for v, x in (line.split() for line in lines if line)}


@pytest.mark.parametrize(("name", "answers", "directed"), LCC)
def test_graphalytics_lcc(name: str, answers: str, directed: bool) -> None:
    G, ids, right = load(name, answers, directed)
    found = dict(zip(ids.tolist(), lg.local_clustering_coefficient(G).to_dense().tolist()))
    assert found.keys() == right.keys()
    for v, x in right.items():
        assert found[v] == pytest.approx(float(x), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("name", "answers", "directed", "rounds"), CDLP)
def test_graphalytics_cdlp(name: str, answers: str, directed: bool, rounds: int) -> None:
    """Labels are the files' ids; ours are positions among them, in the same order."""
    G, ids, right = load(name, answers, directed)
    found = ids[lg.label_propagation(G, rounds).to_dense()]
    assert dict(zip(ids.tolist(), found.tolist())) == {v: int(x) for v, x in right.items()}
