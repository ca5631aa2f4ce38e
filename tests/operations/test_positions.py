"""Positions that kernels keep in 32 bits: what would not fit is refused beforehand, or goes another
way. The limit is lowered here, for nobody has memory for the real one."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu import csgraph
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.gpu.storage import vector_storage
from tests.harness import CPU, DEVICE, GPU
from tests.simt.device import EmulatedDevice, ForeignArray


def lower(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(vector_storage, "POSITIONS", limit)


def on_host(array: Any) -> np.ndarray:
    return array.get() if hasattr(array, "get") else np.asarray(array)


def town(backend: Any) -> lg.Graph:
    return lg.grid(6, 6, removed=0.2, seed=4, weights="integer", backend=backend)


def test_arcs_of_a_contraction(monkeypatch: pytest.MonkeyPatch) -> None:
    P, G = lg.contract(town(CPU), core=3), town(GPU)
    right, sources = lg.distance_matrix(town(CPU), [0, 7]), [0, 7]
    assert G.n + P.core < 60 < P.up.ends.size
    lower(monkeypatch, 60)
    for few, offset in ((60, np.int64), (P.up.ends.size + 1, np.int32)):
        monkeypatch.setattr(vector_storage, "INT32_OFFSETS_BELOW", few)
        monkeypatch.setattr(GPU.contraction_sweeps, "_held", WeakKeyDictionary())
        found = lg.distance_matrix(G, sources, contraction=P)
        np.testing.assert_array_equal(on_host(found), right)
        assert GPU.contraction_sweeps.held(P).offset == offset


def test_chunks_of_a_contraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer sources go at a time where the chunks of all vertices are too many to be numbered."""
    P, G = lg.contract(town(CPU), core=3), town(GPU)
    sources = np.arange(100) % G.n
    right = lg.distance_matrix(town(CPU), sources)
    lg.distance_matrix(G, [0], contraction=P)  # its arcs are on the device
    widths = []
    run = GPU.contraction_sweeps._some

    def some(P: Any, held: Any, starts: Any, rows: Any, *rest: Any) -> bool:
        widths.append(rows.size)
        return run(P, held, starts, rows, *rest)

    monkeypatch.setattr(GPU.contraction_sweeps, "_some", some)
    lower(monkeypatch, 3 * (P.n + P.core) - 1)
    np.testing.assert_array_equal(on_host(lg.distance_matrix(G, sources, contraction=P)), right)
    assert widths == [64, 36]


@pytest.mark.parametrize("contracted", [False, True])
def test_rows_of_a_table(monkeypatch: pytest.MonkeyPatch, contracted: bool) -> None:
    P, G = lg.contract(town(CPU), core=3), town(GPU)
    sources = np.arange(150) % G.n
    lower(monkeypatch, 150)
    with pytest.raises(TooLarge, match="fewer than 150 sources on a GPU, got 150"):
        lg.distance_matrix(G, sources, [0], contraction=P if contracted else None)


@pytest.mark.skipif(
    not isinstance(DEVICE, EmulatedDevice), reason="the fake arrays live on the emulated device"
)
def test_dense_vectors_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a kernel counts their positions."""
    lower(monkeypatch, 30)
    launches = GPU.device.launches
    with pytest.raises(TooLarge, match="fewer than 30 positions on a GPU, got 30"):
        lg.Vector.from_dense(ForeignArray(np.zeros(30)), 0, backend=GPU)
    assert GPU.device.launches == launches


@pytest.mark.skipif(
    not isinstance(DEVICE, EmulatedDevice), reason="the fake arrays live on the emulated device"
)
@pytest.mark.parametrize("limit", [7, 13, 30, 31])
@pytest.mark.parametrize("kept", [0, 4, 30])
def test_dense_matrices_of_the_device(
    monkeypatch: pytest.MonkeyPatch, limit: int, kept: int
) -> None:
    """They are taken in bands of rows, some of which may be empty."""
    held = np.zeros(30)
    held[np.random.default_rng(limit).permutation(30)[:kept]] = range(1, kept + 1)
    held = held.reshape(5, 6)
    lower(monkeypatch, limit)
    A = lg.Matrix.from_dense(ForeignArray(held), 0, backend=GPU)
    assert A.nvals == kept and A.shape == (5, 6)
    np.testing.assert_array_equal(A.to_dense(fill_value=0), held)
    i, j, _ = A.to_coo()
    assert (np.diff(6 * i + j) > 0).all()


@pytest.mark.skipif(
    not isinstance(DEVICE, EmulatedDevice), reason="the fake arrays live on the emulated device"
)
def test_dense_matrices_of_too_many_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, 6)
    with pytest.raises(TooLarge, match="fewer than 6 positions on a GPU, got 6"):
        lg.Matrix.from_dense(ForeignArray(np.zeros((5, 6))), 0, backend=GPU)


def test_runs_of_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix of too many runs is multiplied another way."""
    random = np.random.default_rng(1)
    held = np.where(random.random((40, 40)) < 0.6, 1.0, 0.0)
    u = lg.Vector.from_dense(random.random(40), backend=GPU)
    panels = GPU.products.even.by_panels
    small = ("patience", 1), ("fewest", 1), ("fewest_entries", 0), ("room", 8 * 32), ("task", 1)
    for name, value in small:
        monkeypatch.setattr(panels, name, value)
    monkeypatch.setattr("lagraph_gpu.planning.panels.RUN", 1)
    made: list[Any] = []
    tried = panels._tried
    monkeypatch.setattr(panels, "_tried", lambda *args: made.append(tried(*args)) or made[-1])
    for limit in (vector_storage.POSITIONS, 41):
        A = lg.Matrix.from_dense(held, 0, backend=GPU)
        lower(monkeypatch, limit)
        w = lg.Vector("FP64", 40, backend=GPU)
        w(schedule=lg.Schedule("pull", "search")) << A.mxv(u, "plus_times")
        np.testing.assert_allclose(w.to_dense(), held @ u.to_dense())
    assert [panels is None for panels in made] == [False, True]


@pytest.mark.parametrize("index", [2**32, 2**40 + 1, -(2**32)])
def test_sources_of_csgraph_do_not_wrap(index: int) -> None:
    graph = sp.csr_array(([1.0], ([0], [1])), shape=(4, 4))
    with pytest.raises(InvalidValue, match="out of range"):
        csgraph.dijkstra(graph, indices=np.array([index]))
