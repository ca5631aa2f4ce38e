"""Data frames of several libraries give the graph that their columns describe."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lagraph_gpu as lg
from lagraph_gpu import csgraph
from lagraph_gpu.errors import (
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    WrongType,
)
from tests.harness import CPU
from tests.test_docs import ROOT, run_pages

CALLS = {
    "who": ["Ann", "Bob", "Ann", "Bob"],
    "whom": ["Bob", "Cid", "Cid", "Cid"],
    "km": [1.5, 2.0, 9.0, 1.0],
    "how": ["car", "bus", "car", "tram"],
    "id": [10**12, 7, 10**12, 7],
}
MAKES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


@pytest.fixture(params=["dict", *MAKES])
def frame(request: Any) -> Callable[[dict[str, Any]], Any]:
    """What makes a frame of columns."""
    if request.param == "dict":
        return dict
    module = pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    return getattr(module, MAKES[request.param])


def test_a_frame_is_its_columns(frame: Any) -> None:
    G = lg.Graph.from_pandas(
        frame(CALLS), "who", "whom", "km", dup="min", edge_data=["how"], backend=CPU
    )
    assert G.labels is not None and G.labels.tolist() == ["Ann", "Bob", "Cid"]
    assert G.A.to_coo()[2].tolist() == [1.5, 9.0, 1.0]
    assert G.edge_data["count"].tolist() == [1, 1, 2]
    assert G.edge_data["how"].tolist() == ["car", "car", "tram"]
    assert dict(G.named(lg.sssp(G, "Ann")[0]).items()) == {"Ann": 0, "Bob": 1.5, "Cid": 2.5}


def test_integers_of_any_size_are_labels(frame: Any) -> None:
    table = frame({"source": [10**12, 7], "target": [7, -3]})
    G = lg.Graph.from_pandas(table, directed=False, backend=CPU)
    assert G.labels is not None and G.labels.dtype == np.int64
    assert G.label(G.position([7, 10**12])) == [7, 10**12] and not G.edge_data


def test_a_list_names_vertices_without_edges(frame: Any) -> None:
    names = ["Dan", "Cid", "Bob", "Ann"]
    G = lg.Graph.from_pandas(
        frame(CALLS), "who", "whom", labels=names, dup="first", directed=False, backend=CPU
    )
    assert G.n == 4 and G.label(0) == "Dan" and "Dan" not in G.named(lg.bfs(G, "Ann")[0])
    with pytest.raises(IndexOutOfBound, match="'Ann'"):
        lg.Graph.from_pandas(frame(CALLS), "who", "whom", labels=names[:3], backend=CPU)


def test_columns_of_two_levels_are_named_by_tuples() -> None:
    pandas = pytest.importorskip("pandas")
    names = pandas.MultiIndex.from_tuples([("call", "from"), ("call", "to"), ("min", "")])
    frame = pandas.DataFrame([["Ann", "Bob", 3]], columns=names)
    ends = ("call", "from"), ("call", "to")
    G = lg.Graph.from_pandas(frame, *ends, weight=("min", ""), backend=CPU)
    assert G.label([0, 1]) == ["Ann", "Bob"] and G.A[0, 1].get() == 3
    with pytest.raises(InvalidValue, match=r"expected one of the columns .* got \('call', 'on'\)"):
        lg.Graph.from_pandas(frame, ("call", "on"), ends[1], backend=CPU)


def test_refused_frames(frame: Any) -> None:
    with pytest.raises(InvalidValue, match="did you mean 'who' or 'whom'"):
        lg.Graph.from_pandas(frame(CALLS), "who", "whmo", backend=CPU)
    with pytest.raises(InvalidValue, match=r"one of the columns 'who', 'whom', .* got 'from'"):
        lg.Graph.from_pandas(frame(CALLS), "from", "whom", backend=CPU)
    with pytest.raises(DuplicateEdges, match="the edge 'Bob' → 'Cid' more than once"):
        lg.Graph.from_pandas(frame(CALLS), "who", "whom", backend=CPU)
    for broken in (["Ann", None], [1, None]):
        table = frame({"source": broken, "target": broken[:1] * 2})
        with pytest.raises(
            InvalidValue,
            match=r"a label in each row of the column 'source', got (None|nan) in row 1",
        ):
            lg.Graph.from_pandas(table, backend=CPU)
    table = frame({"source": ["a", "b"], "target": ["b", "c"], "km": [1.0, float("nan")]})
    with pytest.raises(InvalidValue, match="finite weights, got nan at position 1"):
        lg.Graph.from_pandas(table, weight="km", backend=CPU)


def test_other_things_are_not_frames() -> None:
    for thing in (7, [("a", "b")], np.zeros((2, 2))):
        with pytest.raises(WrongType, match=r"expected a data frame .*from_edges takes lists"):
            lg.Graph.from_pandas(thing, backend=CPU)


class Lazy:
    """A frame whose columns are not computed yet."""

    columns = ("source", "target")

    def collect(self) -> None: ...


def test_weights_that_are_no_numbers_are_named(frame: Any) -> None:
    table = frame({"source": ["a", "b"], "target": ["b", "c"], "km": ["1.5", "far"]})
    with pytest.raises(InvalidValue, match=r"numbers in the column 'km', got '1.5' in row 0"):
        lg.Graph.from_pandas(table, weight="km", backend=CPU)


def test_a_record_batch_is_a_frame() -> None:
    pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")
    batch = pa.RecordBatch.from_pydict({"source": ["a", "b"], "target": ["b", "c"]})
    assert lg.Graph.from_pandas(batch, backend=CPU).labels.tolist() == ["a", "b", "c"]


def test_lazy_frames_and_repeated_names_are_refused() -> None:
    with pytest.raises(WrongType, match="got Lazy; collect the lazy frame first"):
        lg.Graph.from_pandas(Lazy(), backend=CPU)
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    twice = pd.DataFrame([["a", "a", "b"]], columns=["source", "source", "target"])
    with pytest.raises(WrongType, match="give each column a name of its own"):
        lg.Graph.from_pandas(twice, backend=CPU)


def test_a_column_that_numpy_has_no_type_for_is_named() -> None:
    polars = pytest.importorskip("polars")
    far = polars.DataFrame({"source": [2**100], "target": [5]}, schema_overrides={
        "source": polars.Int128})  # fmt: skip
    with pytest.raises(WrongType, match="the column 'source' of a type that NumPy has, got Int128"):
        lg.Graph.from_pandas(far, backend=CPU)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_column_names_several_vertices(package: str) -> None:
    column = pytest.importorskip(package).Series
    G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend=CPU)
    assert G.position(column(["Cid", "Ann"])).tolist() == [2, 0]
    assert G.label(column([2, 0])) == ["Cid", "Ann"]
    G.labels = None
    assert G.position(column([2, 0])).tolist() == [2, 0]


@pytest.mark.parametrize("package", MAKES)
def test_the_rows_of_a_frame_are_pairs(package: str) -> None:
    """A frame of Polars of two rows was read by its columns."""
    frame = getattr(pytest.importorskip(package), MAKES[package])({"a": [0, 2], "b": [1, 3]})
    G = lg.Graph.from_edgelist(frame, backend=CPU)
    assert [end.tolist() for end in G.edges()[:2]] == [[0, 2], [1, 3]]
    assert lg.Vector.from_pairs(frame, backend=CPU).to_dict() == {0: 1, 2: 3}
    assert lg.Matrix.from_edgelist(frame, backend=CPU)[2, 3].get() == 1
    counts = lg.common_neighbor_counts(lg.grid(2, 2, backend=CPU), frame)
    assert [part.tolist() for part in counts.to_coo()] == [[0, 2], [1, 3], [0, 0]]


def test_an_index_and_a_frame_of_pandas_are_not_values_by_label() -> None:
    G = lg.Graph.from_edges(["a", "b"], ["b", "c"], backend=CPU)
    pd = pytest.importorskip("pandas")
    assert lg.modularity(G, pd.Index([0, 0, 1])) == lg.modularity(G, [0, 0, 1])
    G.vertex_data["kind"] = pd.Index([4, 5, 6])
    assert G.vertex_data["kind"].tolist() == [4, 5, 6]
    for wrong in (pd.Index([1, 2, 3]), pd.DataFrame({"a": [1, 2, 3]})):
        with pytest.raises(InvalidValue, match="personalization as a dict, a Series or a Vector"):
            lg.pagerank(G, personalization=wrong)


def test_columns_where_something_else_is_wanted() -> None:
    """Objects of pandas and Polars have methods that containers have, and others than expected."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    far, v = pl.Series([2**100], dtype=pl.Int128), lg.Vector.from_coo([0, 1], [4, 9], backend=CPU)
    G = lg.Graph.from_edges([0, 1], [1, 0], backend=CPU)
    asked: list[Callable[[], Any]] = [
        lambda: lg.unary.sqrt(pd.Series([4, 9])),
        lambda: lg.binary.plus(pd.Series([4, 9]), 1),
        lambda: lg.select.tril(pd.DataFrame({"a": [1]})),
        lambda: lg.select.tril(pl.DataFrame({"a": [1]})),
        lambda: lg.Matrix.from_dicts(pd.Series([1, 2])),
        lambda: v[far],
        lambda: G.label(far),
        lambda: G.label(pd.Timestamp("2020")),
        lambda: G.position(pd.Timestamp("2020")),
        lambda: v.isclose(v, rel_tol=np.timedelta64(1, "s")),  # type: ignore[arg-type]
        lambda: lg.modularity(G, [[[0]], [1]]),
        lambda: G.to("cpu", root=10**5000),
        lambda: csgraph.dijkstra(far),
    ]
    for ask in asked:
        with pytest.raises(LagraphError):
            ask()
    rows = pl.Series([0, 2])
    A = lg.Matrix.from_dcsr(rows, [0, 1, 2], [1, 0], [10, 20], backend=CPU)
    assert A.shape == (3, 2) and A.nvals == 2


@pytest.mark.parametrize("labels", [True, False])
def test_an_array_of_pyarrow_or_of_objects_names_vertices(labels: bool) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], labels=labels, backend=CPU)
    for few in (pyarrow.array([0, 2]), np.array([0, 2], object)):
        assert lg.distance_matrix(G, few).tolist()[1][3] == 1 and G.subgraph(few).n == 2


def test_dates_of_a_frame_are_labels(frame: Any) -> None:
    days = np.array(["2020-01-01", "2020-01-03"], "M8[ms]")
    G = lg.Graph.from_pandas(frame({"source": days[:1], "target": days[1:]}), backend=CPU)
    assert G.labels is not None and G.labels.tolist() == days.tolist()


def test_named_is_a_series_of_pandas() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    names = [("a", 1), ("b", 2), ("c", 3)]
    G = lg.Graph.from_edges(names[:2], names[1:], backend=CPU)
    level, parent = G.named(lg.bfs(G, ("a", 1)), values=(False, True))
    assert isinstance(level, pd.Series) and list(level.index) == names
    assert list(level) == [0, 1, 2] and list(parent) == [names[0], names[0], names[1]]
    table = pd.DataFrame({"km": pd.array([1, 2], "Int64"), "source": pd.Categorical(["x", "y"]),
                          "target": pd.array(["y", "z"], "string")})  # fmt: skip
    H = lg.Graph.from_pandas(table, weight="km", backend=CPU)
    assert H.named(lg.sssp(H, "x")[0])["z"] == 3


def test_the_page_with_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of the page on names that needs pandas, which the test of pages leaves out."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    page = ROOT / "docs" / "how-to" / "use-names.md"
    namespace = run_pages.run(page, tmp_path)
    (code,) = re.findall(r"```py\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(code, namespace)
    table = namespace["table"]
    assert table["km"]["Nancy"] == 295 and table["via"]["Nancy"] == "Metz"


@pytest.mark.parametrize("directed", [True, False])
def test_edges_go_out_as_a_frame_and_come_back(directed: bool) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pd.DataFrame(
        {
            "who": ["Ann", "Cid", "Bob"],
            "whom": ["Bob", "Ann", "Cid"],
            "km": [3, 5, 4],
            "day": [*"MTW"],
        }
    )
    G = lg.Graph.from_pandas(
        frame, "who", "whom", "km", directed=directed, edge_data=["day"], backend="cpu"
    )
    out = G.to_pandas("who", "whom", "km")
    assert list(out) == ["who", "whom", "km", "day"]
    rows = {frozenset(row[:2]): row[2:] for row in out.itertuples(index=False)}
    assert rows == {frozenset(row[:2]): row[2:] for row in frame.itertuples(index=False)}
    back = lg.Graph.from_pandas(out, "who", "whom", "km", directed=directed, backend="cpu")
    assert back.A.isequal(G.A)
    plain = lg.grid(1, 3, backend="cpu").to_pandas()
    assert plain.to_numpy().tolist() == [[0, 1], [1, 2]] and list(plain) == ["source", "target"]
    with pytest.raises(InvalidValue, match="got 'day' more than once; say source="):
        G.to_pandas("who", "day")
    with pytest.raises(WrongType, match="names of columns as strings, got array"):
        G.to_pandas(target=np.arange(2))  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=r"columns 'who', 'whom', .* got an integer"):
        lg.Graph.from_pandas(out, "who", "whom", 10**5000)  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="names of columns as strings"):
        G.to_pandas(1)  # type: ignore[arg-type]


def test_the_column_of_weights_is_that_of_files(frame: Any) -> None:
    """The rule of ``lg.read``, for frames."""
    ends = {"source": ["Ann", "Bob"], "target": ["Bob", "Cid"]}

    def weights(columns: dict[str, Any], *given: Any, **more: Any) -> Any:
        G = lg.Graph.from_pandas(frame(ends | columns), *given, **more, backend=CPU)
        return G.A.to_coo()[2].tolist() if G.weighted else None

    assert weights({"weight": [5, 7]}) == weights({"day": [0, 0], "Weight": [5, 7]}) == [5, 7]
    assert weights({"km": [5, 7]}) == [5, 7] and weights({}) is None
    assert weights({"km": [5, 7]}, "source", "target") is None
    assert weights({"weight": [5, 7]}, "source", "target") == [5, 7]
    assert weights({"km": [5, 7], "weight": [1, 1]}, weight="km", edge_data=["km"]) == [5, 7]
    assert weights({"km": [5, 7], "day": [0, 0]}, edge_data=["day"]) == [5, 7]
    assert weights({"count": [5, 7]}, edge_data=["count", "source"]) is None
    with pytest.raises(InvalidValue, match=r"'km', 'day'; .* weight='km'; .* target='target'$"):
        weights({"km": [5, 7], "day": [0, 0]})
    with pytest.raises(InvalidValue, match=r"numbers in .*'how', .* name the ends only: source="):
        weights({"how": ["bus", "car"]})


def test_a_column_of_other_floats_is_named(frame: Any) -> None:
    half = frame({"source": [0], "target": [1], "cost": np.array([1], np.float16)})
    with pytest.raises(InvalidValue, match="in the column 'cost', got float16; convert"):
        lg.Graph.from_pandas(half, weight="cost", backend=CPU)


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_vector_is_no_column_by_itself(name: str) -> None:
    """Python's loop over a vector gives indices, which were taken for its values."""
    frames = pytest.importorskip(name, reason=f"{name} is not installed")
    v = lg.Vector.from_coo([0, 1, 2], [0.5, 2.5, 1.5], backend=CPU)
    with pytest.raises(TypeError):
        frames.Series(v)
    try:
        column = frames.DataFrame({"rank": v})["rank"]
    except WrongType as refused:
        assert ".to_pandas()" in str(refused)
    else:
        assert column.dtype == frames.Object  # Polars keeps the vector as one object


def test_no_length() -> None:
    v = lg.Vector.from_coo([0, 2], [1, 2], size=5, backend=CPU)
    A = lg.Matrix.from_coo([0], [1], [2], nrows=3, ncols=3, backend=CPU)
    for whole, instead in ((v, ".size or .nvals"), (A, ".shape or .nvals")):
        with pytest.raises(WrongType, match=f"expected {re.escape(instead)}, got len"):
            len(whole)
    assert list(v) == [0, 2] and [*A] == [(0, 1)]
    for other in (v + v, A.T, v[0].new()):
        with pytest.raises(TypeError, match="has no len"):
            len(other)


def test_one_number_is_no_column() -> None:
    v = lg.Vector.from_coo([0, 2], [1, 2], size=5, backend=CPU)
    for number in (v[0], v.reduce("plus")):
        with pytest.raises(TypeError, match="not iterable"):
            pd.Series(number, index=[0, 1])


def test_a_vector_is_a_list_of_its_indices() -> None:
    G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], directed=False, backend=CPU)
    v = lg.Vector.from_coo([1, 3], [0.5, 0.5], size=5, backend=CPU)
    assert lg.bfs(G, sources=v)[0].isequal(lg.bfs(G, sources=[1, 3])[0])
    some = lg.harmonic_centrality(G, sources=v), lg.eccentricity(G, v)
    right = lg.harmonic_centrality(G, sources=[1, 3]), lg.eccentricity(G, [1, 3])
    assert all(got.isequal(wanted) for got, wanted in zip(some, right, strict=True))
    assert G.subgraph(v).nedges == G.subgraph([1, 3]).nedges == 0
    with pytest.raises(WrongType, match="list of vertices, got Matrix"):
        lg.bfs(G, sources=G.A)
