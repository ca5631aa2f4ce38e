"""``lg.write``: a graph in a file is the graph that ``lg.read`` reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import FormatError, InvalidValue
from lagraph_gpu.io import EdgeList, read_edges, write_edges


def kept(G: lg.Graph) -> tuple[object, ...]:
    """What every format can say: no small types of weights."""
    row, column, weight = (part.tolist() for part in G.A.to_coo())
    return G.n, G.directed, row, column, weight


CASES = {
    "arcs": lg.Graph.from_edges([0, 2, 2], [1, 0, 2], [5, 7, 9], n=5, backend="cpu"),
    "edges": lg.Graph.from_edges(
        [0, 3, 2], [1, 0, 2], [0.1, 7, 9], n=5, directed=False, backend="cpu"
    ),
    "pattern": lg.Graph.from_edges([0, 3], [1, 0], n=5, directed=False, backend="cpu"),
    "none": lg.Graph.from_edges([], [], n=3, backend="cpu"),
    "small": lg.Graph.from_edges([0], [1], [True], backend="cpu"),
}


@pytest.mark.parametrize("name", ["x.mtx", "x.npz", "x.tsv.gz", "x.csv", "x.el.xz"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_written_is_read(case: str, name: str, tmp_path: Path) -> None:
    G = CASES[case]
    lg.write(G, tmp_path / name)
    back = lg.read(tmp_path / name, backend="cpu")
    assert kept(back) == kept(G) and back.weighted == G.weighted


def test_a_named_format(tmp_path: Path) -> None:
    lg.write(CASES["pattern"], str(tmp_path / "x.data"), format="metis")
    back = lg.read(tmp_path / "x.data", format="metis", backend="cpu")
    assert kept(back) == kept(CASES["pattern"])


@pytest.mark.parametrize("case", ["arcs", "edges"])
def test_a_relabelled_graph_keeps_the_ids_it_had(case: str, tmp_path: Path) -> None:
    lg.write(CASES[case], tmp_path / "one.mtx")
    for order in ([1, 2, 3, 4, 0], [4, 0, 3, 1, 2]):
        H = CASES[case].relabel(order)
        assert kept(H) != kept(CASES[case])
        lg.write(H, tmp_path / "two.mtx")
        assert (tmp_path / "two.mtx").read_bytes() == (tmp_path / "one.mtx").read_bytes()


def test_graphalytics_keeps_ids_and_replaces_old_properties(tmp_path: Path) -> None:
    (tmp_path / "g.properties").write_text("graph.g.directed = false\n")
    ids = np.array([30, 7, 12])
    edges = EdgeList([0, 1], [2, 0], [1.5, 2], 3, 3, ids=ids)
    write_edges(tmp_path / "g.v", edges)
    back = read_edges(tmp_path / "g.e")
    assert back.directed and back.ids is not None
    ends = zip(back.ids[back.src], back.ids[back.dst])
    assert list(ends) == [(30, 12), (7, 30)]
    for wrong in (np.array(["a", "b", "c"], object), np.array([-1, 7, 12])):
        with pytest.raises(InvalidValue, match="whole numbers from 0"):
            write_edges(tmp_path / "h.e", replace(edges, ids=wrong))
    with pytest.raises(InvalidValue, match=r"in \.v or \.e"):
        write_edges(tmp_path / "h.txt", edges, "graphalytics")
    assert not list(tmp_path.glob("h*"))
    (tmp_path / "blocked.properties").mkdir()
    with pytest.raises(FormatError, match="directory"):
        write_edges(tmp_path / "blocked.e", edges)
    assert [p.name for p in tmp_path.glob("blocked*")] == ["blocked.properties"]
