"""Peelings, sets, colourings, components and forests in one kernel are those of the loops of
statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms.structure.components import component_labels
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.algorithms.structure.scc import pivots
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_forest_edges
from lagraph_gpu.gpu.storage import vector_storage
from semirings import BINARY
from tests import graphs
from tests.harness import GPU, by_statements, reseed
from tests.strategies import examples, seeds, some_graphs

CALLS: dict[str, Callable[[lg.Graph], Any]] = {
    "components": lg.connected_components,
    "forest": lambda G: lg.minimum_spanning_tree(both_ways(G)).A,
    "heaviest": lambda G: lg.maximum_spanning_tree(both_ways(G)).A,
    "cores": lg.core_number,
    "set": lambda G: lg.maximal_independent_set(G, 1),
    "largest first": lambda G: lg.greedy_color(G, seed=1),
    "strong": lg.strongly_connected_components,
    "random": lambda G: lg.greedy_color(G, "random_sequential", 1),
}


LOWERED = (
    component_labels, spanning_forest_edges, peel, greedy_independent_set, greedy_coloring, pivots,
)  # fmt: skip
"""The operations that one kernel does."""


def both_ways(G: lg.Graph) -> lg.Graph:
    """An undirected graph of the same edges, the heavier of two."""
    return G if not G.directed else lg.Graph(BINARY["max"](G.A | G.A.T).new(), directed=False)


@examples(12)
@given(example=some_graphs, seed=seeds, piece=st.sampled_from([1, 3, 128]),
       longest=st.sampled_from([32, 1024]), wide=st.booleans(), data=st.data())  # fmt: skip
def test_drawn(
    example: graphs.Example, seed: int, piece: int, longest: int, wide: bool, data: Any
) -> None:
    reseed(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.peeling, "piece", piece)
        patch.setattr(GPU.union_find, "piece", piece)
        patch.setattr(GPU.union_find, "light", piece % 3)
        patch.setattr(GPU.greedy, "longest", longest)
        patch.setattr(GPU.scc_coloring, "max_edges", longest * piece)
        patch.setattr(GPU.scc_coloring, "passes", longest)
        if wide:
            patch.setattr(vector_storage, "INT32_OFFSETS_BELOW", 0)
        G = example.graph(GPU)
        what = data.draw(st.sampled_from(list(CALLS)))
        found = CALLS[what](G)
        with by_statements(*LOWERED, backend=GPU):
            assert found.isequal(CALLS[what](G), check_dtype=True)


@pytest.mark.parametrize("what", CALLS)
def test_one_kernel_and_no_wait(what: str) -> None:
    """But for the size of a new matrix."""
    G = lg.kronecker(6, seed=1, backend=GPU)
    with lg.explain() as explained:  # the neighbours are found once, and the graph keeps them
        CALLS[what](G)
    assert "in one kernel" in [choice.chosen for choice in explained.choices]
    before = GPU.device.waits
    CALLS[what](G)
    assert GPU.device.waits - before == (what in ("forest", "heaviest"))


def under_way(call: Callable[[lg.Graph], Any], G: lg.Graph, patch: pytest.MonkeyPatch) -> list[str]:
    """In which order a later call launches kernels and waits."""
    call(G)
    order, launch, download = [], GPU.launch, GPU.device.download
    patch.setattr(GPU, "launch", lambda *a, **k: (order.append("launch"), launch(*a, **k)))
    patch.setattr(GPU.device, "download", lambda a: (order.append("wait"), download(a))[1])
    call(G)
    return order


@pytest.mark.parametrize("call", [lg.minimum_spanning_tree, lg.minimum_spanning_edges])
def test_a_forest_waits_when_all_is_under_way(
    call: Callable[[lg.Graph], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    G = lg.kronecker(6, seed=1, backend=GPU)
    assert under_way(call, G, monkeypatch) == ["launch", "launch", "wait"]


def test_a_forest_of_far_fewer_edges_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries are moved into arrays of their number."""
    i, j = np.triu_indices(10, 1)
    G = lg.Graph.from_edges(i, j, i + j, 100, False, backend=GPU)
    order = under_way(lg.minimum_spanning_tree, G, monkeypatch)
    assert order == ["launch", "launch", "wait", "launch"]
    T = lg.minimum_spanning_tree(G)
    assert T.A._store.indices.size == T.A.nvals == 18 and T.A.reduce().new().value == 2 * 45


@pytest.mark.parametrize("what", CALLS)
def test_where_no_kernel_is_resident(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    G = graphs.random_directed(60, 200, 2, GPU)
    right = CALLS[what](G)
    monkeypatch.setattr(GPU, "resident_blocks", lambda *_: 0)
    monkeypatch.setattr(GPU, "_warned", False)
    with pytest.warns(RuntimeWarning, match="loops of kernels"), lg.explain() as explained:
        assert CALLS[what](G).isequal(right)
    assert any(choice.because == "no kernel can be resident" for choice in explained.choices)


def test_counters_of_another_type_are_peeled_by_statements() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 2], [1, 1], "INT64", nrows=3, ncols=3, backend=GPU)
    count = lg.Vector.from_coo([0, 1, 2], [0, 2, 3], "INT64", size=3, backend=GPU)
    with lg.explain() as explained:
        level = peel(count.dup("INT32"), A)
    assert level.to_dict() == peel(count, A).to_dict() == {0: 0, 1: 1, 2: 2}
    assert any("not INT64" in choice.because for choice in explained.choices)
