"""Edges that are drawn on a device are those of the formula on the host, and so is their graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.kronecker_draw import UNIFORM, draw_edges, ends
from lagraph_gpu.generate.kronecker_edges import Drawn, drawn_edges
from lagraph_gpu.generate.kronecker_graph import joined
from lagraph_gpu.generate.kronecker_rows import DrawnRows
from lagraph_gpu.gpu.generate import kronecker_edges as device_drawn
from tests.harness import CPU, GPU

KINDS: tuple[WeightKind, ...] = (None, "uniform", "integer")
DRAWS = [Draw(5), Draw(6, 3, 2**40), Draw(7, 2, 5, UNIFORM), Draw(0, 4), Draw(1, 1), Draw(3, 0)]


@pytest.mark.parametrize("draw", DRAWS, ids=str)
def test_the_edges_are_those_of_the_host(draw: Draw) -> None:
    edges = drawn_edges(GPU, draw)
    found = GPU.device.download(edges.pairs)
    np.testing.assert_array_equal(found, draw_edges(draw))


@pytest.mark.parametrize("draw", DRAWS, ids=str)
@pytest.mark.parametrize("weights", KINDS)
def test_the_graph_is_that_of_the_host(draw: Draw, weights: WeightKind, backend: Any) -> None:
    edges = Drawn(draw, backend)
    count = edges.ends
    G = edges.graph(weights)
    expected = joined(draw, draw_edges(draw), weights)
    H = lg.Graph.from_edgelist(expected, backend=CPU)
    assert (G.n, G.nedges, G.directed) == (draw.n, expected.nedges, False)
    for mine, theirs in zip(G.A.to_csr(), H.A.to_csr(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    if G.nedges:
        assert G.A.dtype == H.A.dtype
    assert edges.differences(G) == 0
    both = np.concatenate(ends(draw_edges(draw)))
    np.testing.assert_array_equal(count.to_dense(), np.bincount(both, minlength=draw.n))
    assert count.dtype == np.int64
    again = lg.kronecker(draw.scale, draw.edgefactor, draw.seed, weights, backend=backend)
    assert again.A.isequal(G.A) or draw.percent == UNIFORM


def test_offsets_of_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_drawn, "offset_for", lambda entries: np.dtype(np.int64))
    edges = Drawn(Draw(6), GPU)
    G = edges.graph("uniform")
    assert G.A._store.offset == np.int64 and edges.differences(G) == 0
    assert G.A.to("cpu").isequal(lg.kronecker(6, weights="uniform", backend=CPU).A)


def test_the_transpose_is_known(backend: Any) -> None:
    A = lg.kronecker(5, weights="uniform", backend=backend).A
    assert A.isequal(A.T.new())
    if backend is GPU:
        assert backend.matrices.transpose(A._store) is A._store


@pytest.mark.parametrize("weights", KINDS)
def test_a_wrong_graph_is_noticed(weights: WeightKind, backend: Any) -> None:
    edges = Drawn(Draw(5), backend)
    G = edges.graph(weights)
    i, j, x = G.A.to_coo()
    n = G.n

    def other(i: Any, j: Any, x: Any) -> int:
        x = x[0] if weights is None else x
        A = lg.Matrix.from_coo(i, j, x, nrows=n, ncols=n, backend=backend)
        return edges.differences(lg.Graph(A))

    assert other(i, j, x) == 0
    assert other(i[1:], j[1:], x[1:]) > 0
    free = next(k for k in range(n * n) if k not in set((i * n + j).tolist()))
    assert other(np.append(i, free // n), np.append(j, free % n), np.append(x, x[0])) == 1
    if weights is not None:
        x[7] *= 2
        assert other(i, j, x) > 0


def test_one_wait_for_the_graph() -> None:
    edges = Drawn(Draw(5), GPU)
    before = GPU.device.waits
    edges.graph("uniform")
    assert GPU.device.waits == before + 1


def test_what_is_refused(backend: Any) -> None:
    edges = Drawn(Draw(4), backend)
    with pytest.raises(InvalidValue, match="'uniform' or 'integer'"):
        edges.graph("real")  # type: ignore[arg-type]
    edges.graph()
    for again in (edges.graph, lambda: edges.ends):
        with pytest.raises(InvalidValue, match="used them up"):
            again()
    large = Draw(31, 2**-30)
    with pytest.raises(TooLarge, match="2,147,483,648 vertices; ids are 32 bits wide"):
        Drawn(large, backend)
    with pytest.raises(TooLarge, match=r"scale of at most 30 with a layout.*leave the layout out"):
        DrawnRows(large, backend)
    with pytest.raises(InvalidValue, match="expected seed of at least 0"):
        Draw(3, seed=-1)
