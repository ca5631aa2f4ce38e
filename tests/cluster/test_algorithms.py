"""Every algorithm on 2 to 4 processes: its statements, unchanged, and the same answer on each, also
of graphs of more vertices than 32 bits number, and of such that have few edges for theirs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.algorithms.paths.sssp import tight_forest
from lagraph_gpu.cluster import parents
from semirings import min_first
from tests import test_joined_by_label as joined
from tests.cluster.limits import every_graph_is_sparse, most_vertices
from tests.cluster.turns import on_ranks
from tests.graphs import Example
from tests.harness import CPU, GPU
from tests.strategies import any_graph, examples, random_graphs
from tests.test_without_lowerings import LONG, USUAL, Find, Judge, answer, exactly, plain

SLOW = {"hits", "eigenvector_centrality"}
"""Hundreds of statements until they converge: on graphs of few vertices."""
few = any_graph().filter(lambda example: example.n <= 6)


@pytest.mark.parametrize("name, find, judge, shape", LONG, ids=[c[0] for c in LONG])
def test_communities(name: str, find: Find, judge: Judge | None, shape: Any) -> None:
    """On one graph, a triangle with a tail."""
    edges = (0, 1, 3), (1, 2, 2), (0, 2, 1), (2, 3, 1)
    example = shape(Example("tail", "a triangle with a tail", 4, edges, False))
    right = answer(find, example.graph(CPU))
    on_ranks(2, lambda backend: same(find, judge, example, right, backend))


KINDS: dict[str, Callable[[int], AbstractContextManager[None]]] = {
    "usual": lambda few: nullcontext(), "large": lambda few: most_vertices(0),
    "sparse": every_graph_is_sparse,
}  # fmt: skip
"""What kinds of graphs all graphs are. Of sparse ones vectors have a default where at most one of
so many positions is an explicit entry, which one process may find and another not."""


def apart(example: Example, step: int) -> Example:
    """The same graph, of which one vertex of so many may have edges."""
    edges = tuple((u * step, v * step, weight) for u, v, weight in example.edges)
    return replace(example, n=example.n * step, edges=edges)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name, find, judge, shape", USUAL, ids=[c[0] for c in USUAL])
@examples(3)
@given(data=st.data(), size=st.sampled_from([2, 3, 4]))
def test_every_algorithm(
    name: str, find: Find, judge: Judge | None, shape: Any, kind: str, data: Any, size: int
) -> None:
    example = shape(data.draw(few if name in SLOW else any_graph()))
    if example.n == 0:
        return
    if kind == "sparse" and example.n <= 9:
        example = apart(example, data.draw(st.sampled_from([1, 2, 3])))
    right = answer(find, example.graph(CPU))
    with KINDS[kind](data.draw(st.sampled_from([0, 2]))):
        on_ranks(size, lambda backend: same(find, judge, example, right, backend))


def test_a_graph_without_vertices() -> None:
    """The same answer or the same error, from statements and from loops that share memory."""
    example = Example("nothing", "a graph without vertices", 0, (), False)
    usual = [(find, answer(find, example.graph(CPU))) for name, find, *_ in USUAL]

    def work(backend: Any) -> None:
        with lg.backend(backend):
            for find, right in usual:
                assert exactly(answer(find, example.graph(backend))) == plain(right)

    on_ranks(3, work)


@pytest.mark.parametrize("size", [9, pytest.param(12, marks=pytest.mark.exhaustive)])
def test_on_a_grid_of_processes(size: int) -> None:
    """More than eight, whose products go over blocks of three columns: searches, shortest paths
    and components through memory that they share and by exchanges, and others by statements."""
    whole = lg.kronecker(6, weights="integer", backend=CPU)
    right = [
        lg.sssp(whole, 5)[0], lg.connected_components(whole), lg.triangles(whole),
        lg.bfs(whole, 5)[0], min_first(whole.A @ whole.out_degree).new(),
    ]  # fmt: skip
    ranks = lg.pagerank(whole).to_dense()

    def work(backend: Any) -> None:
        assert tuple(backend.distribution.grid) == (size // 3, 3)
        G = whole.to(backend)
        found = [
            lg.sssp(G, 5)[0], lg.connected_components(G), lg.triangles(G), lg.bfs(G, 5)[0],
            min_first(G.A @ G.out_degree).new(),
        ]  # fmt: skip
        assert all(one.to(CPU).isequal(other) for one, other in zip(found, right, strict=True))
        assert np.allclose(lg.pagerank(G).to_dense(), ranks)
        assert G.A._store.block is not None

    for shares in (True, False):
        on_ranks(size, work, shares=shares)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("local", [CPU, GPU], ids=["cpu", "gpu"])
def test_graphs_are_joined_by_label(directed: bool, local: Any) -> None:
    on_ranks(3, lambda backend: joined.test_on_each_backend(backend, directed), local)


def same(find: Find, judge: Judge | None, example: Any, right: Any, backend: Any) -> None:
    """Find what the CPU backend found, or what the judge accepts."""
    with lg.backend(backend):
        G = example.graph(backend)
        found = answer(find, G)
        if judge is None or isinstance(right, str) or isinstance(found, str):
            assert exactly(found) == plain(right)
        else:
            judge(G, found)


@examples(8)
@given(data=st.data(), size=st.sampled_from([2, 3, 4]), heavy=st.booleans(), local=st.booleans())
def test_parents_of_shortest_paths(data: Any, size: int, heavy: bool, local: bool) -> None:
    """At once where all weights are above 0, and by statements where some vertex has no closer one
    with a tight edge."""
    pool = st.integers(1, 9) if heavy else st.integers(0, 2)
    example = data.draw(random_graphs("FP32" if local else "INT64", pool))
    G = example.graph(CPU)
    begin = data.draw(st.integers(0, max(0, G.n - 1)))
    if G.n == 0:
        return

    def work(backend: Any) -> Any:
        H = example.graph(backend)
        distance, parent = lg.sssp(H, begin)
        made = parents.tight_forest(distance, H.point(begin, begin), H.A)
        assert made is not None or not heavy
        return distance.to("cpu"), parent.to("cpu")

    told = on_ranks(size, work, GPU if local else CPU)
    for distance, parent in told:
        verify.verify_sssp(G, begin, distance, parent)
        assert parent.isequal(told[0][1]) or not heavy


def test_a_root_that_has_no_distance() -> None:
    """It is in the forest, as it is by statements, and no vertex lacks a parent for that."""
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], n=6, weight=[1, 2, 1], directed=False,
                            backend=CPU)  # fmt: skip

    def find(backend: Any) -> Any:
        H = G.to(backend)
        roots = lg.Vector.from_coo([0, 5], [0, 5], size=6, backend=backend)
        made = parents.tight_forest(lg.sssp(H, 0)[0], roots, H.A)
        assert made is not None
        return made.to("cpu").to_dict()

    roots = lg.Vector.from_coo([0, 5], [0, 5], size=6, backend=CPU)
    right = tight_forest.statements(lg.sssp(G, 0)[0], roots, G.A).to_dict()
    assert right == {0: 0, 1: 0, 2: 1, 3: 2, 5: 5}
    for local in (CPU, GPU):
        assert on_ranks(2, find, local) == [right] * 2
