"""The verifiers of similarities accept what is right and refuse what is mangled."""

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
from lagraph_gpu.errors import IndexOutOfBound, VerificationError
from tests import graphs
from tests.harness import CPU, GPU
from tests.strategies import any_graph, examples, some_graphs

KARATE = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend=CPU)
EVERY: dict[str, tuple[Callable[..., lg.Matrix], Callable[..., None]]] = {
    "jaccard": (lg.jaccard_coefficient, verify.verify_jaccard),
    "overlap": (lg.overlap_coefficient, verify.verify_overlap),
    "common neighbour counts": (lg.common_neighbor_counts, verify.verify_common_neighbor_counts),
}
each = pytest.mark.parametrize("name", EVERY)


def refused(match: str, check: Callable[..., None], *args: Any, **named: Any) -> None:
    with pytest.raises(VerificationError, match=match):
        check(*args, **named)


@each
@examples(25)
@given(example=some_graphs)
def test_right_similarities_of_edges_pass(name: str, example: graphs.Example) -> None:
    compute, check = EVERY[name]
    G = example.graph(CPU)
    check(G, compute(G))


@each
@examples(25)
@given(example=any_graph(), data=st.data())
def test_no_other_similarity_of_pairs_passes(name: str, example: Any, data: Any) -> None:
    compute, check = EVERY[name]
    G, vertex = example.graph(CPU), st.integers(0, example.n - 1)
    pair = st.tuples(vertex, vertex)
    pairs = data.draw(st.lists(pair, min_size=1, max_size=12))
    right = compute(G, pairs)
    check(G, right, pairs)
    check(G, right, right)  # whose entries are the pairs
    at, extra = data.draw(st.sampled_from(pairs)), data.draw(pair)
    changed, without = right.dup(), right.dup()
    changed[at] = right.get(*at) + data.draw(st.sampled_from([1, -1, 2]))
    refused(rf"{name}, value: expected .* for the pair \({at[0]}, {at[1]}\)", check, G, changed,
            pairs)  # fmt: skip
    del without[at]
    refused(rf"{name}, missing: expected an entry at \({at[0]}, {at[1]}\)", check, G, without,
            pairs)  # fmt: skip
    if extra not in pairs:
        wider = compute(G, [*pairs, extra])
        refused(rf"{name}, extra: expected no entry at \({extra[0]}, {extra[1]}\)", check, G,
                wider, pairs)  # fmt: skip


@each
def test_what_similarities_must_be(name: str) -> None:
    compute, check = EVERY[name]
    right = compute(KARATE)
    check(KARATE, right)
    refused("size", check, KARATE, lg.Matrix(right.dtype, 34, 35, backend=CPU))
    refused("type", check, KARATE, right.dup("FP32"))
    refused("missing", check, KARATE, lg.Matrix(right.dtype, 34, 34, backend=CPU))
    if right.dtype.kind == "f":
        right[0, 1] = float("nan")
        refused(r"value: .* \(0, 1\), got nan", check, KARATE, right)
    drawn = np.random.default_rng(4).choice(156, 5, replace=False)[2]
    row, column, _ = (side[drawn] for side in right.to_coo())
    right = compute(KARATE)
    right[int(row), int(column)] = 9
    refused(rf"\({row}, {column}\), got 9", check, KARATE, right, samples=5, seed=4)


def test_similarities_are_told_apart() -> None:
    J, C = lg.jaccard_coefficient(KARATE), lg.common_neighbor_counts(KARATE)
    refused("overlap, value", verify.verify_overlap, KARATE, J)
    refused("jaccard, value", verify.verify_jaccard, KARATE, lg.overlap_coefficient(KARATE))
    refused("jaccard, value", verify.verify_jaccard, KARATE, C.dup("FP64"))


@examples(25)
@given(example=any_graph(), data=st.data())
def test_common_neighbours(example: Any, data: Any) -> None:
    G, vertex = example.graph(CPU), st.integers(0, example.n - 1)
    u, v, w = (data.draw(vertex) for _ in range(3))
    right, check = lg.common_neighbors(G, u, v), verify.verify_common_neighbors
    check(G, u, v, right)
    wrong = right.dup()
    if right.get(w):
        del wrong[w]
        refused(f"neighbours: expected True at vertex {w}, got none", check, G, u, v, wrong)
        wrong[w] = False
        refused(f"neighbours: expected True at vertex {w}, got False", check, G, u, v, wrong)
    else:
        wrong[w] = True
        refused(f"neighbours: expected no entry at vertex {w}, got True", check, G, u, v, wrong)
        wrong[w] = False
        refused(f"neighbours: expected no entry at vertex {w}, got False", check, G, u, v, wrong)
    refused("size", check, G, u, v, lg.Vector("BOOL", G.n + 1, backend=CPU))
    refused("type", check, G, u, v, right.dup("INT64"))


@each
def test_results_of_another_backend_pass(name: str) -> None:
    compute, check = EVERY[name]
    G = graphs.NAMED["loops everywhere"].graph(GPU)
    pairs = [(0, 1), (1, 1), (5, 3), (0, 1)]
    check(G, compute(G, pairs), pairs)


@each
def test_vertices_that_are_none(name: str) -> None:
    """Pairs outside the graph, and graphs without vertices."""
    compute, check = EVERY[name]
    with pytest.raises(IndexOutOfBound, match="got 34"):
        check(KARATE, compute(KARATE), [(0, 34)])
    check(graphs.EMPTY.graph(CPU), compute(graphs.EMPTY.graph(CPU)))
