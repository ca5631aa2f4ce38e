"""What containers, expressions and graphs show on a screen, and that showing it costs little."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import brief
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device.forks import Inherited
from semirings import min_plus, types
from tests.harness import CPU, DEVICE, GPU, statements_run
from tests.simt.device import EmulatedDevice


def lines(thing: Any) -> list[str]:
    return [line.strip() for line in repr(thing).splitlines()]


# --- text ----------------------------------------------------------------------------------------
def test_a_vector(backend: Any) -> None:
    v = lg.Vector.from_coo([1, 3], [7, -2], size=5, backend=backend, name="rank")
    assert lines(v) == [
        f"Vector 'rank': 5 positions, INT64, 2 entries, {backend.name}", "index  value",
        "1      7", "3     -2",
    ]  # fmt: skip


@pytest.mark.parametrize("full", [False, True])
def test_a_long_vector_shows_its_ends(backend: Any, full: bool) -> None:
    index = np.arange(0, 3000, 1 if full else 7)
    v = lg.Vector.from_coo(index, index % 2 == 0, size=3000, backend=backend)
    shown = [f"{i} {i % 2 == 0}" for i in [*index[:5], "…", *index[-4:]] if i != "…"]
    found = [" ".join(line.split()) for line in lines(v)[2:]]
    assert found == [*shown[:5], "… …", *shown[5:]]
    assert len(lines(v)) == 12


@pytest.mark.parametrize("count", [9, 10, 11])
def test_no_gap_hides_one_entry(count: int) -> None:
    v = lg.Vector.from_dense(np.arange(count), backend="cpu")
    assert len(lines(v)) == 2 + min(count, 10) and ("…" in repr(v)) == (count > 10)


def test_numbers_that_are_none(backend: Any) -> None:
    v = lg.Vector.from_dense([np.nan, np.inf, -np.inf, 2, 1e-9], dtype="FP32", backend=backend)
    assert [line.split()[1] for line in lines(v)[2:]] == ["nan", "inf", "-inf", "2.0", "1e-09"]


@pytest.mark.parametrize("shape", [(0,), (1,), (70,), (0, 0), (0, 3), (4, 2), (30, 40)])
def test_nothing_in_it(backend: Any, shape: tuple[int, ...]) -> None:
    kind = lg.Vector if len(shape) == 1 else lg.Matrix
    (line,) = lines(kind("BOOL", *shape, backend=backend))  # type: ignore[arg-type]
    assert line.endswith(f"BOOL, no entries, {backend.name}")


def test_the_largest_sizes() -> None:
    top = 2**31 - 1
    v = lg.Vector.from_coo([0, top - 1], [1, 2], size=top, backend="cpu")
    assert lines(v) == [
        "Vector: 2,147,483,647 positions, INT64, 2 entries, cpu", "index  value", "0      1",
        "2147483646      2",
    ]  # fmt: skip
    A = lg.Matrix("FP64", top, top, backend="cpu")
    assert repr(A) == "Matrix: 2,147,483,647 × 2,147,483,647, FP64, no entries, cpu"


def test_a_small_matrix_is_a_grid(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 0, 2], [1, 2, 0], [0.5, 6, 7], nrows=3, ncols=3, backend=backend)
    assert lines(A) == [
        f"Matrix: 3 × 3, FP64, 3 entries, {backend.name}", "0    1    2", "0    ·  0.5  6.0",
        "1    ·    ·    ·", "2  7.0    ·    ·",
    ]  # fmt: skip


@pytest.mark.parametrize("iso", [False, True])
def test_a_larger_matrix_shows_its_ends(backend: Any, iso: bool) -> None:
    A = lg.grid(5, 5, backend=backend).A
    A = A if iso else A.apply("plus", 0.5).new()
    rows, columns, values = A.to_coo()
    expected = [f"{i} {j} {x}" for i, j, x in zip(rows, columns, values)]
    found = [" ".join(line.split()) for line in lines(A)]
    assert found[1:] == ["row column value", *expected[:5], "… … …", *expected[-4:]]


def test_a_grid_that_is_too_wide_is_a_list() -> None:
    A = lg.Matrix.from_dense(np.full((10, 10), -(2**62) + 1), backend="cpu")
    assert lines(A)[1].split() == ["row", "column", "value"]


def test_a_scalar(backend: Any) -> None:
    v = lg.Vector.from_coo([1, 3], [7, -2], size=5, backend=backend)
    assert repr(v.reduce().new(name="sum")) == f"Scalar 'sum': 5, INT64, {backend.name}"
    assert repr(lg.Scalar("FP32", backend=backend)) == f"Scalar: no value, FP32, {backend.name}"


def test_a_graph(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 2], [1.5, 2, 4], n=5, backend=backend)
    assert lines(G) == [
        f"Graph: 5 vertices, 3 edges, directed, weights FP64, {backend.name}",
        "source  target  weight", "0       1     1.5", "1       2     2.0", "2       2     4.0",
    ]  # fmt: skip
    told = dict(line.split(maxsplit=1) for line in G.info().splitlines())
    assert int(told.pop("bytes").replace(",", "")) > 0
    assert told == {
        "vertices": "5", "edges": "3", "directed": "yes", "weights": "FP64, 1.5 to 4.0",
        "self-loops": "1", "out-degree": "0 to 1, mean 0.6", "in-degree": "0 to 2, mean 0.6",
        "isolated": "2", "backend": backend.name,
    }  # fmt: skip
    assert repr(G.info()) == str(G.info())


def test_a_graph_with_labels_says_so_and_html_shows_its_edges(backend: Any) -> None:
    G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "<i>"], [1.5, 2], backend=backend)
    assert lines(G)[0].endswith(f"directed, weights FP64, labels, {backend.name}")
    html = G._repr_html_()
    for row in (["source", "target", "weight"], ["Ann", "Bob", "1.5"], ["Bob", "&lt;i&gt;", "2.0"]):
        cell = "th" if row[0] == "source" else "td"
        assert "".join(f"<{cell}>{x}</{cell}>" for x in row) in html
    K = lg.grid(9, 9, backend=backend)
    assert "<th>vertex</th><th>neighbor</th></tr>" in K._repr_html_()
    assert "<td>80</td><td>79</td>" in K._repr_html_() and "<td>…</td>" in K._repr_html_()


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("loops", ["none", "all", "some"])
@pytest.mark.parametrize("count", [1, 10, 11, 12, 18, 40])
def test_a_graph_shows_each_edge_once(backend: Any, count: int, loops: str, directed: bool) -> None:
    source = np.arange(count)
    target = {"none": source + 1, "all": source, "some": source + source % 2}[loops]
    G = lg.Graph.from_edges(source, target, source + 9, directed=directed, backend=backend)
    edges = [(u, v, w) for u, v, w in zip(*(part.tolist() for part in G.edges()))]
    found = [tuple(line.split()) for line in lines(G)[2:]]
    assert len(found) == min(count, 10)
    assert found[:5] == [tuple(map(str, edge)) for edge in edges[:5]]
    if count > 10:
        assert found[5] == ("…", "…", "…")
        found.pop(5)
    tail = edges[5:] if count <= 10 else edges[-4:]
    assert [key(row, directed) for row in found[5:]] == [key(row, directed) for row in tail]


def key(edge: tuple[Any, ...], directed: bool) -> tuple[list[int], int]:
    """The ends of an edge, in any order if it has no direction, and its weight."""
    u, v, weight = map(int, edge)
    return [u, v] if directed else sorted([u, v]), weight


def test_the_last_edges_of_an_undirected_graph_are_those_of_its_last_vertices(backend: Any) -> None:
    star = lg.Graph.from_edges([0] * 20, range(1, 21), directed=False, backend=backend)
    shown = [line.split() for line in lines(star)]
    assert shown[1:] == [
        ["vertex", "neighbor"], *(["0", str(v)] for v in range(1, 6)), ["…", "…"],
        *([str(v), "0"] for v in range(17, 21)),
    ]  # fmt: skip
    star.A[20, 0] << 7  # in one direction alone
    assert lines(star)[-1].split() == ["20", "0", "7"]


def test_labels_that_would_spoil_the_table() -> None:
    names = ["two\nlines", "\x1b[31mred", "long" * 30]
    G = lg.Graph.from_edges(names, names[1:] + names[:1], backend="cpu")
    assert len(lines(G)) == 5 and "\x1b" not in repr(G) and "two\\nlines" in repr(G)
    assert max(map(len, lines(G))) < 90


def test_the_info_of_undirected_and_empty_graphs() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], n=3, directed=False, backend="cpu")
    told = dict(line.split(maxsplit=1) for line in G.info().splitlines())
    assert told["degree"] == "1 to 2, mean 1.33333" and told["weights"] == "none"
    for n in (0, 4):
        none = lg.Graph.from_edges([], [], n=n, backend="cpu")
        assert f"isolated    {n}\n" in none.info()
        assert repr(none).startswith(f"Graph: {n} vertices, no edges")


# --- HTML ----------------------------------------------------------------------------------------
def test_html_is_well_formed_and_escaped(backend: Any) -> None:
    v = lg.Vector.from_coo([1], [2], size=3, backend=backend, name="<script>")
    G = lg.grid(6, 6, backend=backend)
    with lg.explain() as told:
        lg.bfs(G, 0)
    small = lg.Matrix.from_coo([0], [1], [5], nrows=2, ncols=2, backend=backend)
    things = [v, small, G.A, G, G.A.T, G.A.S, v.reduce(), v.reduce().new(), told, lg.Schedule()]
    for thing in things:
        assert ET.fromstring(thing._repr_html_()).tag == "div"
    assert "&lt;script&gt;" in v._repr_html_()
    assert "<svg" in G._repr_html_() and "<svg" in G.A._repr_html_()
    assert str(told) == repr(told) and "<td>push</td>" in told._repr_html_()


def test_a_picture_is_of_all_entries_or_of_a_sample(backend: Any) -> None:
    n = 3000
    rng = np.random.default_rng(1)
    row = np.sort(rng.choice(n, 1500, replace=False))
    A = lg.Matrix.from_coo(row, row, 1, nrows=n, ncols=n, backend=backend)
    whole = backend.matrix_cells(A._store, 100, 2000)
    assert whole.tolist() == [[i // 100, i // 100] for i in row]
    part = backend.matrix_cells(A._store, 100, 150)
    assert part.tolist() == whole[np.arange(150) * 1500 // 150].tolist()
    assert "1,500 entries, 1,024 of them drawn" in A._repr_html_()


def test_a_schedule_shows_its_fields_alone() -> None:
    asked = lg.Schedule(direction="pull")
    assert not asked.single  # which is kept beside them
    assert repr(asked) == "Schedule(direction='pull')"
    assert "<td>direction</td><td>pull</td>" in asked._repr_html_()
    assert "single" not in asked._repr_html_()


# --- which entries are read ----------------------------------------------------------------------
GAPS = {
    "clustered": np.r_[0:3, 2500:2600], "at the end": np.arange(3900, 4000),
    "at the beginning": np.arange(60), "every other": np.arange(0, 4000, 2),
    "words apart": np.arange(0, 4000, 321),
}  # fmt: skip


@pytest.mark.parametrize("gaps", GAPS)
def test_ends(backend: Any, gaps: str) -> None:
    at = GAPS[gaps]
    v = lg.Vector.from_coo(at, at * 2.5, size=4000, backend=backend)
    index, values = backend.vector_ends(v._store, 3, 2)
    assert index.tolist() == at[[0, 1, 2, -2, -1]].tolist()
    assert values.tolist() == (index * 2.5).tolist() and values.dtype == types.FP64
    A = lg.Matrix.from_coo(at, at[::-1], at, nrows=4001, ncols=4000, backend=backend)
    row, column, values = backend.matrix_ends(A._store, 2, 3)
    assert row.tolist() == at[[0, 1, -3, -2, -1]].tolist() == values.tolist()
    assert column.tolist() == at[::-1][[0, 1, -3, -2, -1]].tolist()


def test_ends_of_bitmaps_of_suitesparse() -> None:
    held = np.zeros((300, 300))
    held[:200, :250] = np.arange(1, 50_001).reshape(200, 250)
    A = lg.Matrix.from_dense(held, backend="cpu").select(">", 0).new()
    A._store.A.ss.config["sparsity_control"] = "bitmap"
    v = lg.Vector.from_dense(held.ravel(), backend="cpu").select(">", 0).new()
    v._store.ss.config["sparsity_control"] = "bitmap"
    assert A._store.A.ss.format == "bitmapr" and v._store.ss.format == "bitmap"
    assert CPU.matrix_ends(A._store, 1, 2)[2].tolist() == [1, 49_999, 50_000]
    assert CPU.vector_ends(v._store, 1, 2)[1].tolist() == [1, 49_999, 50_000]
    assert set(map(tuple, CPU.matrix_cells(A._store, 100, 500))) == {
        (i, j) for i in range(2) for j in range(3)
    }


@pytest.fixture
def downloaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each download from the GPU."""
    sizes: list[int] = []
    load = DEVICE.download
    monkeypatch.setattr(DEVICE, "download", lambda a: (sizes.append(a.nbytes), load(a))[1])
    return sizes


def graph(n: int) -> lg.Graph:
    G = lg.Graph.from_edges(np.arange(n - 1), np.arange(1, n), np.arange(1, n), n, False)
    return G.to(GPU)


def sparse(n: int) -> lg.Vector:
    return lg.Vector.from_coo(np.arange(5, n, 3), np.arange(5, n, 3), size=n, backend=GPU)


def full(n: int) -> lg.Vector:
    return lg.Vector.from_dense(np.arange(n), backend=GPU)


def shifts(n: int) -> lg.Matrix:
    row = np.arange(n)
    return lg.Matrix.from_coo(row, row[::-1], row + 0.5, nrows=n, ncols=n, backend=GPU)


@pytest.mark.parametrize("make", [sparse, full, shifts, graph])
def test_only_what_is_shown_leaves_the_gpu(
    make: Callable[[int], Any], downloaded: list[int]
) -> None:
    thing = make(20_000)
    repr(thing)
    assert 0 < sum(downloaded) < 1000
    downloaded.clear()
    thing._repr_html_()
    assert sum(downloaded) < 16_000  # a sample for a picture


def test_a_graph_on_disk_is_not_copied_for_a_screen(tmp_path: Path) -> None:
    for weights in (None, "uniform"):
        lg.kronecker(8, weights=weights, backend="cpu").save(tmp_path / "graph", overwrite=True)
        G = lg.open(tmp_path / "graph", backend="cpu")
        shown = repr(G), G._repr_html_(), repr(G.A), G.A._repr_html_()
        assert "A" not in vars(G.A._store)  # the copy for SuiteSparse
        G.A.select("diag").new()
        G.A._store.given = G.A._store.A
        assert shown == (repr(G), G._repr_html_(), repr(G.A), G.A._repr_html_())


def test_an_expression_is_not_computed(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    u = lg.Vector.from_coo([0, 2], [1, 2], size=3, backend=backend)
    A = lg.Matrix.from_coo([0, 1], [1, 2], [1, 2], nrows=3, ncols=3, backend=backend)
    ran = statements_run(monkeypatch) if backend is CPU else []
    monkeypatch.setattr(GpuBackend, "run", lambda *_: ran.append(1))
    waits = DEVICE.waits
    shown = {
        repr(x): x._repr_html_()
        for x in (min_plus(u @ A), u @ A, u | u, u + u, u.reduce(), A.T, A[0, :], A[0, 1],
                  u.select(">", 1), u.select(u.S), u.reduce(lg.agg.mean), ~u.S, A.power(2))
    }  # fmt: skip
    assert not ran and DEVICE.waits == waits
    computes = f"{backend.name}; .new() computes it"
    assert f"Product min_plus: 3 positions, INT64, {computes}" in shown
    assert f"Infix: 3 positions, {computes}" in shown  # without an operator, without a type
    assert f"Aggregate mean: one value, FP64, {computes}" in shown
    assert f"Part: one value, INT64, {computes}" in shown


def test_showing_changes_nothing() -> None:
    v = lg.Vector.from_coo([3], [7], size=50, backend=GPU)
    repr(v)
    assert v._store.point is not None  # a search from here begins as fast as before
    twice = (v + v).new()
    assert "14" in repr(twice)
    for x in (v, twice):
        before = x.to_dict()
        repr(x), x._repr_html_()
        assert x.to_dict() == before
    big = sparse(4000)
    assert repr(big) == repr(big) and big._store.listing is None
    assert big.isequal(sparse(4000))


# --- what cannot be read -------------------------------------------------------------------------
def test_a_screen_raises_nothing() -> None:
    device = EmulatedDevice(block_size=64, max_blocks=4)
    gpu = GpuBackend(device)
    v = lg.Vector.from_dense([1, 2, 3], backend=gpu)
    G = lg.grid(2, 2, backend=gpu)
    s = v.reduce().new()
    gpu.__class__ = device.__class__ = Inherited  # type: ignore[assignment]  # as in a child that is forked
    for thing, line in (
        (v, "Vector: 3 positions, INT64, gpu"), (G.A, "Matrix: 4 × 4, INT32, gpu"),
        (G, "Graph: 4 vertices, 4 edges, undirected, no weights, gpu"), (s, "Scalar: INT64, gpu"),
    ):  # fmt: skip
        first, note = repr(thing).splitlines()
        assert first == line
        assert note.startswith("cannot be read: expected GPU objects of this process")
        assert "cannot be read" in thing._repr_html_()
    assert repr(v.reduce()) == "Reduce plus: one value, INT64, gpu; .new() computes it"


def test_an_object_that_is_half_made() -> None:
    for kind in (lg.Vector, lg.Matrix, lg.Graph, lg.Scalar):
        assert repr(object.__new__(kind)).startswith(f"{kind.__name__}: cannot be shown")


def test_a_message_has_a_container_in_one_line(downloaded: list[int]) -> None:
    v = lg.Vector.from_dense(np.arange(100), backend=GPU)
    with pytest.raises(lg.errors.WrongType, match=r"got Vector: 100 positions, INT64, gpu$"):
        v(mask=v, replace=True)[2] << 5
    with pytest.raises(lg.errors.WrongType) as caught:
        lg.path_to(lg.grid(2, 2).A, 0)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    assert not downloaded and brief([1]) == "[1]"
    assert brief(np.eye(2)) == "array([[1., 0.], [0., 1.]])" and brief("a  \n") == r"'a  \n'"


# --- numbers -------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "UINT16", "FP32", "FP64"])
def test_totals(backend: Any, dtype: str) -> None:
    values = np.array([1, 100, 100, 0, 3]).astype(types.lookup(dtype))
    v = lg.Vector.from_coo([0, 2, 3, 5, 8], values, size=9, backend=backend)
    A = lg.Matrix.from_coo([0, 2, 3, 3, 3], [0, 2, 3, 1, 0], values, backend=backend)
    for x in (v, A, A.T, v.apply("identity")):
        for name in ("sum", "mean", "min", "max"):
            found, right = getattr(x, name)(), getattr(values, name)().item()
            assert found == pytest.approx(right, 1e-6) and type(found) is type(right), (x, name)


def test_totals_of_weights() -> None:
    """Of a graph's matrix, which is arrays until a statement asks for more."""
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 0], np.array([100, 100, 3], np.int8), backend=CPU)
    assert (G.A.sum(), G.A.mean(), G.A.min()) == (203, 203 / 3, 3)
    assert G.A.reduce("plus").new().get(0) == 203 - 256
    F = lg.Graph.from_edges([0, 1], [1, 0], np.array([2**24, 1], np.float32), backend=CPU)
    assert F.A.sum() == 2**24 + 1


def test_totals_of_nothing(backend: Any) -> None:
    v, A = lg.Vector("FP32", 5, backend=backend), lg.Matrix("INT8", 2, 2, backend=backend)
    for x, zero in ((v, "0.0"), (A, "0")):
        assert [repr(x.sum()), x.mean(), x.min(), x.max()] == [zero, None, None, None]


def test_totals_of_nan(backend: Any) -> None:
    v = lg.Vector.from_dense([1.0, np.nan, 2.0], backend=backend)
    assert np.isnan([v.sum(), v.mean()]).all() and (v.min(), v.max()) == (1, 2)
    assert list(v) == [0, 1, 2] and sum(v) == 3  # indices, as in python-graphblas


# --- names ---------------------------------------------------------------------------------------
def test_names_are_kept() -> None:
    with lg.backend("cpu"):
        made: list[Any] = [
            lg.Vector("INT8", 3, name="x"), lg.Vector.from_coo([1], [2], name="x"),
            lg.Vector.from_pairs([(0, 1)], name="x"), lg.Vector.from_dict({0: 1}, name="x"),
            lg.Vector.from_dense([1], name="x"), lg.Vector.from_scalar(1, 2, name="x"),
            lg.Matrix("INT8", 3, 3, name="x"), lg.Matrix.from_coo([1], [2], name="x"),
            lg.Matrix.from_csr([0, 1], [0], name="x"), lg.Matrix.from_csc([0, 1], [0], name="x"),
            lg.Matrix.from_edgelist([(0, 1)], name="x"),
            lg.Matrix.from_dicts({0: {1: 2}}, name="x"),
            lg.Matrix.from_dense([[1]], name="x"), lg.Matrix.from_scalar(1, 2, 2, name="x"),
            lg.Scalar("FP32", name="x"), lg.Scalar.from_value(3, name="x"),
        ]  # fmt: skip
        v, A = made[1], made[7]
        made += [
            v.dup(name="x"), v.dup("FP32", name="x"), v.dup(clear=True, name="x"),
            v.apply("ainv").new(name="x"), v.S.new(name="x"), A.T.new(name="x"),
            v.reduce().new(name="x"), (made[-1] + 1).new(name="x"), made[-1].dup(name="x"),
            lg.Matrix.from_scipy_sparse(A.to_scipy_sparse(), name="x"),
            lg.Vector.from_graphblas(v.to_graphblas(), name="x"),
            lg.Matrix.from_graphblas(A.to_graphblas(), name="x"),
            lg.Vector.deserialize(v.serialize(), name="x"),
            lg.Matrix.deserialize(A.serialize(), name="x"), v.to(GPU), A.to(GPU),
        ]  # fmt: skip
        assert [x.name for x in made] == ["x"] * len(made)
        assert lg.Vector("INT8", 3).name is v.dup().name is v.apply("ainv").new().name is None
        v.name = "other"
        assert repr(v).startswith("Vector 'other': ")
        v << v + v
        assert v.name == "other"


# --- pandas --------------------------------------------------------------------------------------
def test_what_pandas_is_given(monkeypatch: pytest.MonkeyPatch, backend: Any) -> None:
    pandas = SimpleNamespace(
        Index=lambda index, name: (name, index.tolist()),
        Series=lambda values, index, name: (name, index, values.tolist()),
        DataFrame=lambda columns: {name: column.tolist() for name, column in columns.items()},
    )
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    v = lg.Vector.from_coo([1, 3], [7, -2], size=5, backend=backend, name="rank")
    assert v.to_pandas() == ("rank", ("index", [1, 3]), [7, -2])
    A = lg.Matrix.from_coo([0, 2], [1, 0], [5, 6], backend=backend)
    assert A.to_pandas() == {"row": [0, 2], "column": [1, 0], "value": [5, 6]}


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is an extra of its own")
    v = lg.Vector.from_coo([1, 3], [7, -2], size=5, backend="cpu", name="rank")
    series = v.to_pandas()
    assert isinstance(series, pandas.Series) and series.name == "rank"
    assert series.to_dict() == v.to_dict() and series.dtype == v.dtype
    frame = lg.Matrix.from_coo([0, 2], [1, 0], [5, 6], backend="cpu").to_pandas()
    assert frame.to_dict("list") == {"row": [0, 2], "column": [1, 0], "value": [5, 6]}


def test_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for x in (lg.Vector("INT8", 3, backend="cpu"), lg.Matrix("INT8", 3, 3, backend="cpu")):
        with pytest.raises(ImportError, match=r"pip install 'lagraph-gpu\[pandas\]'"):
            x.to_pandas()
