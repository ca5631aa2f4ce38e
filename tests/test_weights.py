"""Whether a graph has weights is kept, and not read off their values."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue

CPU = "cpu"
ENDS = [0, 1, 2], [1, 2, 0]

MADE: dict[str, Callable[[Any], lg.Graph]] = {
    "edges": lambda w: lg.Graph.from_edges(*ENDS, w),
    "labels": lambda w: lg.Graph.from_edges(["A", "B", "C"], ["B", "C", "A"], w),
    "batches": lambda w: lg.Graph.from_edge_batches([ENDS if w is None else (*ENDS, w)]),
    "pairs": lambda w: lg.Graph.from_edgelist(zip(*ENDS, *([] if w is None else [w]))),
    "frame": lambda w: lg.Graph.from_pandas(
        {"source": ENDS[0], "target": ENDS[1]} | ({} if w is None else {"km": w}),
        weight=None if w is None else "km",
    ),
}

DERIVED: dict[str, Callable[[lg.Graph], lg.Graph]] = {
    "remove_edges": lambda G: G.remove_edges(G.label([2]), G.label([0])),
    "add_edges": lambda G: G.add_edges(G.label([0]), G.label([2])),
    "union": lambda G: G.union(G),
    "subgraph": lambda G: G.subgraph(G.label([0, 1])),
    "reverse": lambda G: G.reverse(),
    "to_undirected": lambda G: G.to_undirected(),
    "relabel": lambda G: G.relabel([2, 0, 1]),
    "prepared": lambda G: G.prepared(),
    "k_core": lambda G: lg.k_core(G, 1),
    "tree": lambda G: lg.minimum_spanning_tree(G.to_undirected()),
    "pickle": lambda G: pickle.loads(pickle.dumps(G)),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_every_graph_made_of_a_graph_has_weights_if_that_has(made: Any, weighted: bool) -> None:
    with lg.backend(CPU):
        G = made([1, 1, 1] if weighted else None)
        assert G.weighted is weighted
        for name, derive in DERIVED.items():
            H = derive(G)
            assert H.weighted is weighted, name
            assert derive(H).weighted is weighted, name


@pytest.mark.parametrize("weighted", [False, True])
def test_every_way_out_has_weights_if_the_graph_has(weighted: bool, tmp_path: Path) -> None:
    G = lg.Graph.from_edges(*ENDS, np.ones(3) if weighted else None, backend=CPU)
    assert ("weight" in G.to_pandas()) is weighted
    assert all(("weight" in data) is weighted for *_, data in G.to_networkx().edges(data=True))
    for name in ("csv", "tsv", "mtx", "npz", "wel", "parquet", "graphml", "gexf", "gml"):
        lg.write(G, tmp_path / f"x.{name}")
        assert lg.read(tmp_path / f"x.{name}", backend=CPU).weighted is weighted, name
    G.save(tmp_path / "saved")
    assert lg.open(tmp_path / "saved", backend=CPU).weighted is weighted
    for back in (lg.Graph.from_networkx, lg.Graph.from_pandas):
        out = G.to_networkx() if back == lg.Graph.from_networkx else G.to_pandas()
        more = {"weight": "weight"} if weighted else {}
        assert back(out, **more, backend=CPU).weighted is weighted


def test_the_weights_of_a_matrix_say_it_until_another_graph_is_made() -> None:
    ones = lg.Matrix.from_coo(*ENDS, [1.0, 1.0, 1.0], nrows=3, ncols=3, backend=CPU)
    G = lg.Graph(ones)
    assert not G.weighted
    G.A[0, 1] = 5
    assert G.weighted and G.remove_edges([0], [1]).weighted
    G.A[0, 1] = 1
    assert not G.weighted
    H = lg.Graph.from_edges(*ENDS, backend=CPU)
    H.A[0, 1] = 5
    assert H.weighted and pickle.loads(pickle.dumps(H)).weighted
    assert H.remove_edges([0], [1]).weighted


def test_sums_of_edges_without_weights_are_weights() -> None:
    G = lg.Graph.from_edges([0, 0, 1], [1, 1, 0], dup="sum", backend=CPU)
    assert G.weighted and not lg.Graph.from_edges([0], [1], dup="sum", backend=CPU).weighted
    two = lg.Graph.from_edges([0, 1], [1, 0], backend=CPU)
    assert not two.weighted and two.to_undirected("sum").weighted
    assert two.union(two, "sum").weighted and not two.union(two, "first").weighted


def test_either_graph_of_a_union_may_bring_weights() -> None:
    plain, ones = (lg.Graph.from_edges(*ENDS, w, backend=CPU) for w in (None, [1, 1, 1]))
    assert plain.union(ones).weighted and ones.union(plain).weighted
    assert plain.add_edges([0], [2], 1).weighted and not plain.add_edges([0], [2]).weighted


def test_no_edges_have_no_range_of_weights() -> None:
    G = lg.Graph.from_edges([0], [1], [2.5], backend=CPU).remove_edges([0], [1])
    assert "weights FP64" in repr(G) and "weights     FP64\n" in G.info()


def test_weights_of_one_cost_a_power_iteration_nothing() -> None:
    G = lg.Graph.from_edges(*ENDS, [1, 1, 1], backend=CPU)
    plain = lg.Graph.from_edges(*ENDS, backend=CPU)
    assert lg.pagerank(G, weight="weight").isequal(lg.pagerank(plain))


def test_integers_are_never_rounded() -> None:
    """NumPy makes floats of a list of which some numbers need UINT64 and others INT64."""
    mixed = [2**63 + 1, -1]
    for make in (
        lambda: lg.Graph.from_edges([0, 1], [1, 2], mixed, backend=CPU),
        lambda: lg.Vector.from_coo([0, 1], mixed, backend=CPU),
        lambda: lg.Vector.from_dense(mixed, backend=CPU),
        lambda: lg.Matrix.from_coo([0, 1], [0, 1], mixed, backend=CPU),
        lambda: lg.Graph.from_edgelist([(0, 1, 2**63 + 1), (1, 2, -1)], backend=CPU),
    ):
        with pytest.raises(
            InvalidValue, match=r"all fit INT64, or all UINT64, got 92\d+09 at posi"
        ):
            make()
    assert lg.Vector.from_coo([0, 1], mixed, "FP64", backend=CPU).min() == -1
    assert lg.Vector.from_coo([0, 1], [2**63 + 1, 1], backend=CPU).max() == 2**63 + 1
    assert lg.Vector.from_coo([0, 1], [2**63 + 1, 1], "UINT64", backend=CPU).max() == 2**63 + 1
    assert lg.Matrix.from_dense([[2**63 + 1, 1]], backend=CPU).max() == 2**63 + 1
    assert lg.Vector.from_coo([0, 1], [2.0**63, -1], backend=CPU).dtype == "FP64"
