"""Graphs, backends and copies: what holds when things change, fail or travel."""

from __future__ import annotations

import copy
import importlib
import pickle
import threading
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu.backend import resolve
from lagraph_gpu.convert import compressed_rows, edges
from lagraph_gpu.errors import (
    BackendUnavailable,
    DimensionMismatch,
    InvalidValue,
    NegativeCycle,
    NegativeWeight,
    TooLarge,
    WrongType,
)
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import min_plus, semiring
from tests import harness
from tests.simt.device import EmulatedDevice


def path(backend: Any, weights: Any = (1, 2)) -> lg.Graph:
    return lg.Graph.from_edges([0, 1], [1, 2], np.array(weights), backend=backend)


def test_facts_follow_the_matrix(backend: Any) -> None:
    G = path(backend)
    assert (G.lightest, G.heaviest, G.nedges) == (1, 2, 2)
    G.A << G.A.apply("ainv")
    assert G.lightest == -2
    with pytest.raises(NegativeWeight):
        lg.sssp(G, 0)


def test_what_comes_out_of_a_pickle_is_no_graphs() -> None:
    G = lg.Graph.from_edges([0, 0], [1, 2], backend="cpu").relabel()
    for kept in (G.out_degree, G.ids):
        own = pickle.loads(pickle.dumps(kept))
        own[0] = 100
        assert own[0].get() == 100 != kept[0].get()
    twin = pickle.loads(pickle.dumps(G))
    with pytest.raises(InvalidValue, match=r"G\.ids, which the graph keeps"):
        twin.ids.clear()


def test_what_a_graph_keeps_is_not_written_to(backend: Any) -> None:
    G = path(backend).relabel("degree")
    assert G.ids is not None
    edges, right = G.neighbours, lg.pagerank(G).to_dict()
    for kept, name in ((G.out_degree, "out_degree"), (G.in_degree, "in_degree"), (G.ids, "ids")):
        before = kept.to_dict()
        writes: list[Callable[[lg.Vector], Any]] = [
            lambda v: v[0] << 100,
            lambda v: v << v.apply("ainv"),
            lambda v: v(accum="plus") << v,
            lambda v: v(mask=v.S)[[0, 1]] << 7,
            lambda v: v[[0, 1]](mask=v[[0, 1]].new().S) << 7,
            lambda v: v.__setitem__(0, 7),
            lambda v: v.__delitem__(0),
            lambda v: v.__iadd__(v),
            lambda v: v.clear(),
            lambda v: v.resize(2),
            lambda v: v.build([0], [1], clear=True),
        ]
        for write in writes:
            words = rf"a Vector of your own.*got G\.{name}, .*G\.{name}\.dup\(\)"
            with pytest.raises(InvalidValue, match=words):
                write(kept)
            write(kept.dup())
        assert kept.to_dict() == before
    for change in (lambda A: A << A.apply("lnot"), lambda A: A.setdiag([True] * 3)):
        with pytest.raises(InvalidValue, match=r"a Matrix of your own.*G\.neighbours"):
            change(edges)
        change(edges.dup())
    assert lg.pagerank(G).to_dict() == right
    G.A[0, 0] << 1  # the matrix is there to be written to


def test_what_a_graph_knows_of_vertices_fits_its_matrix(backend: Any) -> None:
    graphs = {name: path(backend) for name in ("labels", "vertex_data", "none")}
    graphs["ids"] = path(backend).relabel("degree")
    graphs["labels"].labels = ["a", "b", "c"]
    graphs["vertex_data"].vertex_data["age"] = [30, 40, 50]
    for name, G in graphs.items():
        G.A.resize(5, 5)
        if name == "none":
            assert lg.pagerank(G).size == 5
        else:
            with pytest.raises(DimensionMismatch, match=rf"3 rows, as G\.{name} has .* got 5"):
                lg.pagerank(G)


def test_a_graph_from_a_matrix_is_checked(backend: Any) -> None:
    A = path(backend).A
    assert lg.Graph(A).nedges == 2
    with pytest.raises(InvalidValue, match="symmetric"):
        lg.Graph(A, directed=False)
    with pytest.raises(InvalidValue, match=r"a Matrix, got numpy.ndarray"):
        lg.Graph(np.eye(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("bound", [-1, 2.5, "3", True])
def test_a_bad_bound_is_refused(bound: Any, backend: Any) -> None:
    G = path(backend)
    with pytest.raises(InvalidValue, match="max_level"):
        lg.bfs(G, 0, max_level=bound)
    x0 = lg.Vector.from_coo([0], [0], size=3, backend=backend)
    with pytest.raises(InvalidValue, match="max_rounds"):
        lg.closure(x0, G.A, min_plus, max_rounds=bound)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
def test_sums_of_duplicates_do_not_wrap(dtype: Any) -> None:
    most = np.iinfo(dtype).max

    def summed(*weights: int) -> lg.Graph:
        given = np.array(weights, dtype)
        return lg.Graph.from_edges([0, 0], [1, 1], given, dup="sum", backend="cpu")

    assert summed(most - 1, 1).heaviest == most
    for weights in ((most, 1), (most, most)):
        with pytest.raises(InvalidValue, match="a wider type"):
            summed(*weights)


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float64])
def test_sums_of_scipys_duplicates_do_not_wrap(dtype: Any, form: str) -> None:
    large = np.finfo(dtype).max if dtype is np.float64 else np.iinfo(dtype).max

    def summed(*weights: Any) -> lg.Graph:
        held = np.array([1, *weights], dtype)
        A = sp.csr_array((held, [0, 0, 0], [0, 1, 3]), shape=(2, 2))  # keeps an entry twice
        return lg.Graph.from_scipy({"csr": A, "csc": A.T, "coo": A.tocoo()}[form], backend="cpu")

    assert summed(large // 2, large // 4).heaviest == dtype(large // 2) + dtype(large // 4)
    with pytest.raises(InvalidValue, match=r"sums of edges given twice to fit .*a wider type"):
        summed(large, large)


@pytest.mark.parametrize("weight", [1.7e308, [1.7e308, 1.7e308], np.float32([3e38, 3e38])])
def test_sums_of_duplicates_are_finite(weight: Any) -> None:
    with pytest.raises(InvalidValue, match=r"edges given twice to fit FP.*a larger unit"):
        lg.Graph.from_edges([0, 0], [1, 1], weight, dup="sum", backend="cpu")


def test_arguments_in_each_others_place(backend: Any) -> None:
    with pytest.raises(InvalidValue, match="directed as True or False, got 'min'"):
        lg.Graph.from_edges([0], [1], [5], 2, "min")  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="a Schedule or None"):
        lg.bfs(path(backend), 0, schedule="push")  # type: ignore[call-overload]
    with pytest.raises(WrongType, match=r"the name of an edge attribute.*set_edge_attributes"):
        lg.Graph.from_networkx(nx.path_graph(3), lambda u, v, d: 7)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="pairs of vertices"):
        lg.jaccard_coefficient(path(backend), [0, 1])


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_negative_cycle_does_not_hide_in_a_wrap(dtype: Any, n: int, backend: Any) -> None:
    weight = dtype(-(np.iinfo(dtype).max // max(n - 1, 1)))
    G = lg.Graph.from_edges([0], [0], np.array([weight]), n=n, backend=backend)
    with pytest.raises(NegativeCycle):
        lg.bellman_ford(G, 0)


def test_an_array_of_one_weight_stays_the_callers(backend: Any) -> None:
    weight = np.array(2.0)
    G = lg.Graph.from_edges([0, 1], [1, 2], weight, backend=backend)
    A = lg.Matrix.from_coo([1, 0], [1, 2], weight, backend=backend)  # which has to be sorted
    weight[...] = 5
    assert G.A.to_coo()[2].tolist() == A.to_coo()[2].tolist() == [2.0, 2.0]


def test_a_graph_that_cannot_fit_is_refused_before_it_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lagraph_gpu.memory.available_bytes", lambda *_: 10**9)
    with pytest.raises(TooLarge, match="renumber"):
        lg.Graph.from_edges([0, 1], [1, 2], n=2**31 - 1, backend="cpu")


def test_set_backend_holds_in_all_threads() -> None:
    seen: list[Any] = []
    lg.set_backend(harness.GPU)
    try:
        thread = threading.Thread(target=lambda: seen.append(resolve()))
        thread.start()
        thread.join()
        with lg.backend("cpu"):
            assert resolve().name == "cpu"
    finally:
        lg.set_backend(None)
    assert seen == [harness.GPU]


def test_copies_and_pickles(backend: Any) -> None:
    G = path(backend)
    with lg.backend(backend):
        for twin in (copy.deepcopy(G), pickle.loads(pickle.dumps(G))):
            assert twin.A.isequal(G.A) and twin.directed == G.directed
            assert twin.backend is G.backend


def test_a_pickle_of_a_gpu_is_read_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise BackendUnavailable(f"there is no {name} here")

    with lg.backend(harness.GPU):
        given = pickle.dumps((path(harness.GPU), lg.Vector.from_coo([1], [2], size=2**40)))
    monkeypatch.setattr(importlib.import_module("lagraph_gpu.backend"), "named", absent)
    with lg.backend(harness.CPU):
        G, v = pickle.loads(given)
        assert G.backend is v.backend is harness.CPU
        assert G.A.isequal(path(harness.CPU).A) and v.to_dict() == {1: 2}


def test_what_was_computed_stays_behind() -> None:
    """Facts, and what a backend keeps beside a matrix, are made again from a copy or a pickle."""
    G, ring = path("cpu"), semiring(min_plus.monoid, "x + 2 * y")
    fresh = pickle.dumps(G)
    for algorithm in (repr, lg.connected_components, lg.triangles, lg.pagerank):
        algorithm(G)
    lg.closure(G.point(0, 0), G.A, ring)
    assert pickle.dumps(G) == fresh
    twin = pickle.loads(fresh)
    assert repr(twin) == repr(G) and twin.ids is None
    H = G.relabel([2, 0, 1])
    assert pickle.loads(pickle.dumps(H)).ids.isequal(H.ids)
    on_gpu = path(harness.GPU)
    assert copy.deepcopy(on_gpu).nedges == on_gpu.nedges == 2


def test_a_failed_transpose_leaves_the_matrix_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    device = EmulatedDevice(mode="check")
    G = lg.Graph.from_edges([0, 0, 1], [1, 2, 3], n=4, backend=GpuBackend(device))
    pull = lg.Schedule("pull")
    with monkeypatch.context() as broken:

        def full(array: Any) -> Any:
            raise TooLarge("no room to sort")

        broken.setattr(device, "argsort", full)
        with pytest.raises(TooLarge):
            lg.bfs(G, 0, schedule=pull)
    assert lg.bfs(G, 0, schedule=pull)[0].to_dense().tolist() == [0, 1, 1, 2]


@pytest.mark.parametrize("backend", harness.BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("directed", [True, False])
def test_degrees_and_neighbours(backend: Any, directed: bool) -> None:
    edges = [0, 0, 2, 3, 3], [1, 2, 0 if directed else 1, 3, 0]
    G = lg.Graph.from_edges(
        *edges, weight=[5, -6, 7, 8, 9], n=5, directed=directed, backend=backend
    )
    degrees = {"out": G.out_degree.to_dense(0), "in": G.in_degree.to_dense(0)}
    if directed:
        assert degrees["out"].tolist() == [2, 0, 1, 2, 0]
        assert degrees["in"].tolist() == [2, 1, 1, 1, 0]
        joined = {(0, 1), (0, 2), (0, 3)}
    else:
        assert degrees["out"].tolist() == degrees["in"].tolist() == [3, 2, 2, 2, 0]
        joined = {(0, 1), (0, 2), (0, 3), (1, 2)}
    rows, columns, values = G.neighbours.to_coo()
    both = joined | {(j, i) for i, j in joined}
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == both
    assert values.dtype == bool and values.all()


def test_an_algorithm_is_a_function_of_a_graph() -> None:
    G = lg.grid(2, 2, backend="cpu")
    with pytest.raises(AttributeError, match=r"no attribute 'pagerank'; .*lg\.pagerank\(G\)$"):
        G.pagerank  # type: ignore[attr-defined]
    for name in "Vector", "kronecker", "path_to":
        with pytest.raises(AttributeError, match=f"no attribute '{name}'$"):
            getattr(G, name)
    assert not hasattr(G, "__array__") and pickle.loads(pickle.dumps(G)).n == 4


@pytest.mark.parametrize("dup", ["error", "min", "sum", "first", "last"])
@pytest.mark.parametrize("weights", [None, 3, np.int8, np.uint64, np.float32, np.bool_])
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_many_edges(
    dup: Any, weights: Any, twice: bool, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows are the same whichever way they are sorted."""
    rng = np.random.default_rng(7)
    key = np.sort(rng.choice(80 * 80, 900, replace=False))
    u, v = key // 80, key % 80
    low, high = np.minimum(u, v), np.maximum(u, v)
    u, v = u[first := np.unique(low * 80 + high, return_index=True)[1]], v[first]
    order = rng.permutation(u.size)
    u, v = u[order], v[order]
    if twice:
        back = (u[:1], v[:1]) if directed else (v[:1], u[:1])
        u, v = np.append(u, back[0]), np.append(v, back[1])
    given = weights
    if isinstance(weights, type):
        given = rng.integers(0, 2, u.size).astype(weights)
    found = []
    for few in (1 << 12, 10):
        monkeypatch.setattr(compressed_rows, "MOST_KEPT_AS_ARRAYS", few)
        monkeypatch.setattr(edges, "SORTED_EDGES", few)
        try:
            G = lg.Graph.from_edges(u, v, given, 80, directed, dup, backend="cpu")
            found.append([x.tolist() for x in G.A.to_coo()] + [G.A.dtype, G.weighted])
        except lg.errors.DuplicateEdges as problem:
            found.append(str(problem))
    assert found[0] == found[1] and isinstance(found[0], str) == (twice and dup == "error")


def test_edges_that_are_given_once_are_counted(backend: Any) -> None:
    given = [0, 0, 2], [0, 1, 1]
    for directed, entries in ((True, 3), (False, 5)):
        G = lg.Graph.from_edges(*given, n=4, directed=directed, backend=backend)
        assert (G.nedges, G.A.nvals) == (3, entries)
        assert lg.Graph(G.A, directed).nedges == 3
        G.A[3, 3] << 1
        assert G.nedges == 4
    merged = lg.Graph.from_edges([0, 1], [1, 0], n=2, directed=False, dup="min", backend=backend)
    assert merged.nedges == 1
    assert lg.Graph.from_edges([], [], n=3, directed=False, backend=backend).nedges == 0


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 12, 60])
def test_a_matrix_that_is_not_symmetric_is_refused(n: int, dtype: Any) -> None:
    """Whichever entry has no mirror, or one of another value; a zero of either sign is one."""
    rng = np.random.default_rng(n)
    for density in (0.05, 0.3, 1):
        dense = np.triu((rng.random((n, n)) < density) * rng.integers(1, 99, (n, n))).astype(dtype)
        whole = dense + np.triu(dense, 1).T
        G = lg.Graph.from_scipy(sp.csr_array(whole), directed=False, backend="cpu")
        assert (G.A.to_dense(fill_value=0) == whole).all() and G.nedges == np.count_nonzero(dense)
        for _ in range(12 if n > 1 else 0):
            i, j = rng.choice(n, 2, replace=False)
            wrong = whole.copy()
            wrong[i, j] = wrong[i, j] == 0 if rng.integers(2) else 0 if wrong[i, j] else 7
            A = lg.Matrix.from_scipy_sparse(sp.csr_array(wrong), backend="cpu")
            if (wrong == wrong.T).all():
                continue
            with pytest.raises(InvalidValue, match="symmetric"):
                lg.Graph(A, directed=False)
    if np.dtype(dtype).kind == "f":
        zeros = sp.csr_array((np.array([0.0, -0.0], dtype), ([0, 1], [1, 0])), shape=(2, 2))
        assert lg.Graph.from_scipy(zeros, directed=False, backend="cpu").nedges == 1
