"""Minimum and maximum spanning trees against NetworkX and SciPy, on both backends."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure.spanning_tree import LONG_ROWS
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.verify import verify_spanning_tree
from semirings import types
from tests import graphs
from tests.algorithms.views import dense, networkx_of
from tests.harness import BOTH, CPU, by_statements, reseed
from tests.io.shared import shared
from tests.strategies import examples, random_graphs, seeds, some_graphs


def check(example: graphs.Example, backend: Any) -> set[Any]:
    """Weights as NetworkX', and the edges' set, which is the same on every backend."""
    example = graphs.undirected(example)
    G, g = example.graph(backend), networkx_of(example)
    T, U = lg.minimum_spanning_tree(G), lg.maximum_spanning_tree(G)
    verify_spanning_tree(G, T)
    verify_spanning_tree(G, U, maximum=True)
    for tree, right in ((T, nx.minimum_spanning_tree(g)), (U, nx.maximum_spanning_tree(g))):
        assert (tree.n, tree.nedges) == (G.n, right.number_of_edges())
        weights = sorted(w for u, v, w in zip(*tree.A.to_coo()) if u < v)
        assert weights == sorted(w for _, _, w in right.edges(data="weight"))
    source, target, weight = map(dense, lg.minimum_spanning_edges(G))
    assert all(u < v and g[u][v]["weight"] == w for u, v, w in zip(source, target, weight))
    assert len(source) == T.nedges
    return set(zip(*(x.tolist() for x in U.A.to_coo()[:2]))), set(zip(source, target))  # type: ignore[return-value]


@examples(35)
@given(
    example=some_graphs | random_graphs(weights=st.integers(-2, 2)) | random_graphs("FP64",
        st.sampled_from([0.0, -0.0, 0.1, 0.2, 0.30000000000000004])),
    seed=seeds,
)  # fmt: skip
def test_drawn(example: graphs.Example, seed: int) -> None:
    reseed(seed)
    first, second = (check(example, backend) for backend in BOTH)
    assert first == second


@pytest.mark.parametrize("weights", [[1, 1], [1, 2]])
def test_rows_that_somebody_has_made_asymmetric(weights: list[int]) -> None:
    theirs = gb.Matrix.from_coo(
        [0, 1, 1, 2], [1, 0, 2, 1], [weights[0]] * 2 + [weights[1]] * 2, nrows=3, ncols=3
    )
    G = lg.Graph(lg.Matrix.from_graphblas(theirs, backend=CPU), directed=False)
    theirs << gb.Matrix.from_coo([0, 1], [1, 2], weights, nrows=3, ncols=3)
    for call in (lg.minimum_spanning_tree, lg.maximum_spanning_tree):
        with pytest.raises(InvalidValue, match="expected symmetric rows"):
            call(G)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_battery(example: graphs.Example) -> None:
    check(example, CPU)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_the_statements(example: graphs.Example) -> None:
    at_once = check(example, CPU)
    with by_statements():
        assert check(example, CPU) == at_once


@pytest.mark.parametrize("n", [2, 3, 31, 64, 300])
def test_equal_weights_make_no_cycle(n: int) -> None:
    """All weights the same: every component has many lightest edges, and rings of them."""
    for g in (nx.complete_graph(min(n, 40)), nx.cycle_graph(n), nx.grid_2d_graph(5, n)):
        G = lg.Graph.from_networkx(nx.convert_node_labels_to_integers(g), backend=CPU)
        T = lg.minimum_spanning_tree(G)
        assert T.nedges == G.n - 1
        verify_spanning_tree(G, T)


WEIGHTS = {
    "BOOL": [False, True],
    "INT8": range(-128, 128),
    "INT64": [-(2**63), -1, 2**53, 2**53 + 1, 2**63 - 1],
    "UINT64": [0, 1, 2**63, 2**64 - 2, 2**64 - 1],
    "FP32": [-3e38, -0.0, 0.0, 1e-45, 3e38],
    "FP64": np.linspace(-1, 1, 1000),
}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_many_edges(kind: str, backend: Any) -> None:
    """So many that a forest of the better ones comes first, of weights as far apart as they go."""
    n, rng = 40, np.random.default_rng(3)
    source, target = np.nonzero(np.triu(rng.random((n, n)) < 0.6, 1))
    weight = np.array(WEIGHTS[kind], types.lookup(kind))[
        rng.integers(0, len(WEIGHTS[kind]), source.size)
    ]
    G = lg.Graph.from_edges(source, target, weight, n=n, directed=False, backend=backend)
    assert G.A.nvals >= LONG_ROWS * n
    g = nx.empty_graph(n)  # by their ends, as NetworkX meets them
    g.add_weighted_edges_from(zip(source.tolist(), target.tolist(), weight.tolist()))
    for T, right in ((lg.minimum_spanning_tree(G), nx.minimum_spanning_tree(g)),
                     (lg.maximum_spanning_tree(G), nx.maximum_spanning_tree(g))):  # fmt: skip
        i, j, x = T.A.to_coo()
        assert {(i, j) for i, j in zip(i, j) if i < j} == {tuple(sorted(e)) for e in right.edges}
        assert all(g[i][j]["weight"] == x for i, j, x in zip(i, j, x))


def test_directed_graphs_are_refused(backend: Any) -> None:
    says = r"an undirected graph for a minimum spanning tree, got .*; take G.to_undirected\(\)"
    with pytest.raises(InvalidValue, match=says):
        lg.minimum_spanning_tree(graphs.NAMED["cycle"].graph(backend))


def test_new_york() -> None:
    edges = lg.io.read_edges(shared("dimacs9/USA-road-d.NY.dedup.gr.gz"))
    G = lg.Graph.from_edgelist(edges, directed=False, backend=CPU)
    T = lg.minimum_spanning_tree(G)
    right = csgraph.minimum_spanning_tree(G.A.to_scipy_sparse())
    assert T.A.dup("INT64").reduce().new().value == 2 * int(right.data.astype(np.int64).sum())
    assert T.nedges == right.nnz == G.n - 1
