"""Similarity of pairs, and random walks."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    NegativeWeight,
    TooLarge,
)
from lagraph_gpu.verify import (
    verify_common_neighbor_counts,
    verify_jaccard,
    verify_overlap,
    verify_random_walks,
)
from tests import graphs
from tests.algorithms.views import networkx_of
from tests.harness import BOTH, CPU, GPU
from tests.strategies import any_graph, examples, seeds

EXAMPLES = [e for e in graphs.BATTERY if e.n <= 1100]
FEW = graphs.named("loops everywhere", "random 33", "bipartite")


def check_similarity(example: graphs.Example, pairs: Any, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example, loops=False, directed=False)
    asked = sorted({*pairs}) if pairs is not None else sorted(G.neighbours)
    J, overlap = lg.jaccard_coefficient(G, pairs), lg.overlap_coefficient(G, pairs)
    C = lg.common_neighbor_counts(G, pairs)
    assert sorted(J) == sorted(overlap) == sorted(C) == asked
    verify_jaccard(G, J, pairs)
    verify_overlap(G, overlap, pairs)
    verify_common_neighbor_counts(G, C, pairs)
    for u, v, right in nx.jaccard_coefficient(g, asked):
        assert J.get(u, v) == pytest.approx(right)
        both = set(g[u]) & set(g[v])
        assert C.get(u, v) == len(both)
        assert overlap.get(u, v) == pytest.approx(len(both) / max(1, min(len(g[u]), len(g[v]))))
        assert set(lg.common_neighbors(G, u, v).to_coo()[0].tolist()) == both


@pytest.mark.parametrize("example", [e for e in EXAMPLES if len(e.edges) < 150], ids=str)
def test_similarity_of_edges(example: graphs.Example) -> None:
    check_similarity(example, None, CPU)


@examples(30)
@given(example=any_graph(), data=st.data())
def test_similarity_of_pairs(example: graphs.Example, data: Any) -> None:
    vertex = st.integers(0, example.n - 1)
    check_similarity(example, data.draw(st.lists(st.tuples(vertex, vertex), max_size=12)), CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated_similarity(example: graphs.Example) -> None:
    check_similarity(example, [(0, 1), (1, 1), (5, 3), (0, 1)], GPU)


def test_neighbours_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.grid(4, 4, backend=GPU)  # a CPU takes the lengths of the rows
    before = lg.jaccard_coefficient(G, [(0, 5)])
    counted: list[str] = []
    count = lg.Matrix.reduce_rowwise
    told = lambda A, *given: (counted.append("rows"), count(A, *given))[1]  # noqa: E731
    monkeypatch.setattr(lg.Matrix, "reduce_rowwise", told)
    assert lg.jaccard_coefficient(G, [(0, 5)]).isequal(before)
    lg.overlap_coefficient(G, [(0, 5)])
    assert not counted
    G.A[0, 15] = G.A[15, 0] = True  # another neighbour of vertex 0
    assert lg.jaccard_coefficient(G, [(0, 5)])[0, 5].get() == 2 / 5 and counted


def test_one_pair_takes_nothing_of_all_vertices(monkeypatch: pytest.MonkeyPatch) -> None:
    """No copy of the neighbours and no matrix of all degrees is made for it."""
    G = lg.grid(4, 4, backend=CPU)
    before = lg.jaccard_coefficient(G, [(0, 5)])
    made: list[str] = []
    for kind, name in ((lg.Matrix, "dup"), (lg.Vector, "diag")):
        monkeypatch.setattr(kind, name, lambda *_, name=name: made.append(name))
    assert lg.jaccard_coefficient(G, [(0, 5)]).isequal(before)
    assert lg.overlap_coefficient(G, [(0, 5)])[0, 5].get() == 1
    assert lg.common_neighbor_counts(G, [(0, 5)])[0, 5].get() == 2 and not made


def test_counts_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of pairs are counted by threads, and each pair by one."""
    G = graphs.NAMED["random 33"].graph(CPU)
    every = [(u, v) for u in range(G.n) for v in range(G.n)]
    right = lg.common_neighbor_counts(G, every)
    monkeypatch.setattr("lagraph_gpu.cpu.loops.similarity.LOOKS_PER_THREAD", 1)
    monkeypatch.setattr("lagraph_gpu.planning.threads.processors", lambda: 3)
    verify_common_neighbor_counts(G, lg.common_neighbor_counts(G, every), every)
    assert lg.common_neighbor_counts(G, every).isequal(right)


def test_pairs_as_a_matrix(backend: Any) -> None:
    G = graphs.NAMED["complete"].graph(backend)
    pairs = lg.Matrix.from_coo([0, 4], [1, 7], [0, 0], nrows=G.n, ncols=G.n, backend=backend)
    assert sorted(lg.jaccard_coefficient(G, pairs)) == [(0, 1), (4, 7)]
    assert lg.jaccard_coefficient(G, pairs).isequal(lg.jaccard_coefficient(G, [(0, 1), (4, 7)]))


def test_pairs_as_an_array(backend: Any) -> None:
    G = graphs.NAMED["complete"].graph(backend)
    right = lg.jaccard_coefficient(G, [(0, 1), (4, 7)])
    for dtype in (np.int64, np.uint8, np.object_):
        pairs = np.array([(0, 1), (4, 7)], dtype)
        assert lg.jaccard_coefficient(G, pairs).isequal(right)


def test_bad_pairs(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(IndexOutOfBound, match=r"vertex in pairs .*0 to 32; n = 33\), got 33"):
        lg.jaccard_coefficient(G, [(0, 33)])
    with pytest.raises(InvalidValue, match="pairs of vertices"):
        lg.overlap_coefficient(G, [(0, 1, 2)])
    with pytest.raises(DimensionMismatch, match="pairs as a matrix"):
        lg.overlap_coefficient(G, lg.Matrix("BOOL", 2, 2, backend=backend))
    with pytest.raises(IndexOutOfBound, match="a vertex of this graph"):
        lg.common_neighbors(G, 0, 33)


# --- walks --------------------------------------------------------------------------------------


def check_walks(
    example: graphs.Example, sources: list[int], length: int, seed: int, weighted: bool, at: Any
) -> list[Any]:
    G = example.graph(at)
    walks = lg.random_walks(G, sources, length, seed, weighted)
    assert walks.dtype == np.int64
    verify_random_walks(G, sources, length, walks, weighted)
    return walks.to_dense(fill_value=-1).tolist()


@examples(40)
@given(
    example=any_graph(),
    data=st.data(),
    length=st.integers(0, 6),
    seed=seeds,
    weighted=st.booleans(),
)
def test_drawn_walks(
    example: graphs.Example, data: Any, length: int, seed: int, weighted: bool
) -> None:
    sources = data.draw(st.lists(st.integers(0, example.n - 1), max_size=8))
    first = check_walks(example, sources, length, seed, weighted, CPU)
    assert first == check_walks(example, sources, length, seed, weighted, CPU)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("example", FEW, ids=str)
def test_both_backends_walk_alike(example: graphs.Example, weighted: bool) -> None:
    walks = [check_walks(example, [3, 0, 3, 9], 5, 8, weighted, b) for b in BOTH]
    assert all(w == walks[0] for w in walks)


@examples(40)
@given(example=any_graph(), data=st.data(), length=st.integers(0, 40), seed=seeds)
def test_walks_in_short_parts(example: graphs.Example, data: Any, length: int, seed: int) -> None:
    """The walks of the statements, and the generator goes on from where they leave it."""
    sources = np.array(data.draw(st.lists(st.integers(0, example.n - 1), max_size=5)), np.int64)
    weighted, G = data.draw(st.booleans()), example.graph(CPU)
    mine, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lagraph_gpu.cpu.loops.random_walks.STEPS", data.draw(st.integers(1, 30)))
        found = walks(G, sources, length, mine, weighted)
    assert found.isequal(walks.statements(G, sources, length, theirs, weighted), check_dtype=True)
    assert mine.random() == theirs.random()


@pytest.mark.parametrize("weighted", [False, True])
def test_steps_are_fair(weighted: bool) -> None:
    """20,000 steps from a hub: each neighbour within five standard deviations of its share."""
    weight = np.array([1.0, 2.0, 0.0, 5.0, 2.0])
    G = lg.Graph.from_edges([0] * 5, range(1, 6), weight, backend=CPU)
    count = 20_000
    ends = lg.random_walks(G, [0] * count, 1, seed=3, weighted=weighted)[:, 1].new().to_dense()
    share = weight / weight.sum() if weighted else np.full(5, 0.2)
    found = np.bincount(ends, minlength=6)[1:]
    assert (np.abs(found - count * share) <= 5 * np.sqrt(count * share * (1 - share))).all()


def test_bad_walks(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(IndexOutOfBound, match=r"vertex in sources .*0 to 32; n = 33\), got 33"):
        lg.random_walks(G, [33], 2)
    with pytest.raises(IndexOutOfBound, match="the graph is empty"):
        lg.random_walks(lg.Graph.from_edges([], [], n=0, backend=backend), [0], 2)
    for wrong in (-1, None, 1.5):
        with pytest.raises(InvalidValue, match="length"):
            lg.random_walks(G, [0], wrong)
    bad = lg.Graph.from_edges([0], [1], [-1], backend=backend)
    with pytest.raises(NegativeWeight, match="at least 0 to walk by"):
        lg.random_walks(bad, [0], 1, weighted=True)


def test_no_walkers(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    assert lg.random_walks(G, [], 0).shape == (0, 1)


def test_weights_do_not_matter_unless_asked() -> None:
    example = graphs.NAMED["random 33"]
    G, plain = example.graph(CPU), lg.Graph.from_edges(
        *zip(*((u, v) for u, v, _ in example.edges)), n=example.n, backend=CPU
    )  # fmt: skip
    walks = lg.random_walks(G, range(33), 4, seed=1)
    assert walks.isequal(lg.random_walks(plain, range(33), 4, seed=1))


@pytest.mark.parametrize("scale", [1e17, 1e-290])
def test_each_row_is_scaled_by_itself(scale: float, backend: Any) -> None:
    G = lg.Graph.from_edges(
        [0, 1, 2, 2, 3], [1, 2, 3, 1, 0], [scale, scale, 1, 3, 1], n=4, backend=backend
    )
    ends = lg.random_walks(G, [2] * 400, 3, seed=1, weighted=True).to_dense(fill_value=-1)
    assert (ends >= 0).all()
    assert 250 < (ends[:, 1] == 1).sum() < 350


def test_light_rows_beside_many_heavy_ones() -> None:
    many = 100_000
    row, column = np.arange(many) % 300, np.arange(many) // 300
    G = lg.Graph.from_edges(
        [*row, 500, 500], [*column, 0, 1], [*np.ones(many), 1e-12, 3e-12], n=501, backend=CPU
    )
    ends = lg.random_walks(G, [500] * 4000, 1, seed=1, weighted=True).to_dense(fill_value=-1)[:, 1]
    assert (ends >= 0).all()
    assert 850 < (ends == 0).sum() < 1150


def test_walks_after_an_end(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], n=3, backend=backend)
    walks = lg.random_walks(G, [0, 2], 2**30, seed=1)
    assert walks.shape == (2, 2**30 + 1) and walks.nvals == 4
    for weighted in (False, True):
        loop = lg.Graph.from_edges([0], [0], [2.0], n=1, backend=backend)
        with pytest.raises(TooLarge):
            lg.random_walks(loop, [0], 2**70, weighted=weighted)


def test_walks_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = lg.Graph.from_edges([0, 2], [0, 1], n=3, backend=CPU)
    monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
    monkeypatch.setattr(type(CPU), "free_bytes", lambda _: 10_000)
    assert lg.random_walks(loop, [0, 2], 20).nvals == 23
    with pytest.raises(TooLarge, match="walks that fit the free memory"):
        lg.random_walks(loop, [0, 2], 2000)
    with pytest.raises(TooLarge, match="1 of 2,000 steps need"):
        lg.random_walks(lg.Graph.from_edges([0], [0], n=1, backend=CPU), [0], 2000)


def test_walks_follow_written_weights(backend: Any) -> None:
    """What is kept of the edges is made anew when the matrix changes."""
    G = lg.Graph.from_edges([0, 0], [1, 2], [1.0, 0.0], n=3, backend=backend)
    assert lg.random_walks(G, [0], 1, 1, weighted=True).to_dense(fill_value=-1).tolist() == [[0, 1]]
    G.A[0, 1], G.A[0, 2] = 0.0, 1.0
    assert lg.random_walks(G, [0], 1, 1, weighted=True).to_dense(fill_value=-1).tolist() == [[0, 2]]
    G.A[0, 1] = np.inf
    with pytest.raises(InvalidValue, match="finite weights"):
        lg.random_walks(G, [0], 1, weighted=True)


def test_walks_over_a_hub() -> None:
    n = 20_000
    G = lg.Graph.from_edges([0] * (n - 1), range(1, n), directed=False, backend=CPU)
    check_walks_of(G)
    check_walks_of(G, weighted=True)


def check_walks_of(G: lg.Graph, weighted: bool = False) -> None:
    walks = lg.random_walks(G, [*range(200)], 10, 1, weighted)
    verify_random_walks(G, [*range(200)], 10, walks, weighted)
