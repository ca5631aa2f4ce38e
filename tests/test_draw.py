"""Pictures hold what they are to show, and layouts put neighbours beside each other."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.draw import degrees, graph, spectral_layout, spring_layout
from lagraph_gpu.draw.pictures import COLOURS, GREY, LIGHT, PLACED
from lagraph_gpu.errors import DimensionMismatch, IndexOutOfBound, InvalidValue, WrongType
from tests.harness import CPU

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")
to_rgba = matplotlib.colors.to_rgba


@pytest.fixture(autouse=True)
def closed() -> Any:
    yield
    plt.close("all")


def square(side: int) -> np.ndarray:
    """The positions of a lattice of side × side."""
    return np.indices((side, side))[::-1].reshape(2, -1).T.astype(float)


def segments(ax: Any) -> set[tuple[Any, ...]]:
    """The edges of a picture, each as the pair of its ends."""
    return {tuple(sorted(map(tuple, part.tolist()))) for part in ax.collections[0].get_segments()}


def test_an_edge_is_a_line_between_the_positions_of_its_ends() -> None:
    G, xy = lg.grid(3, 3, backend=CPU), square(3)
    ax = graph(G, xy)
    u, v, _ = G.edges()
    wanted = {tuple(sorted((tuple(xy[a]), tuple(xy[b])))) for a, b in zip(u, v)}
    assert segments(ax) == wanted and len(wanted) == G.nedges
    assert ax.collections[1].get_offsets().tolist() == xy.tolist()
    assert not ax.axison and ax.get_aspect() == 1 and not ax.texts


def test_an_edge_with_a_direction_has_a_head_and_a_loop_is_a_ring() -> None:
    G = lg.Graph.from_edges([0, 1, 1, 1], [1, 0, 1, 2], backend=CPU)
    xy = [[0, 0], [1, 0], [1, 1]]
    ax = graph(G, xy)
    assert segments(ax) == {((0.0, 0.0), (1.0, 0.0)), ((1.0, 0.0), (1.0, 1.0))}
    heads = [head._posA_posB for head in ax.patches]
    assert [[*map(list, head)] for head in heads] == [
        [[0, 0], [1, 0]], [[1, 0], [0, 0]], [[1, 0], [1, 1]],
    ]  # fmt: skip
    (rings,) = (part for part in ax.collections if part.get_label() == "_loops")
    assert rings.get_offsets().tolist() == [[1, 0]]
    assert not graph(G, xy, arrows=False).patches
    assert not graph(G.to_undirected("min"), xy, arrows=True).patches
    many = lg.random_graph(30, 201, directed=True, backend=CPU)
    assert not many.plot(square(6)[:30]).patches
    assert many.plot(square(6)[:30], arrows=True).patches


def test_values_are_colours_and_what_has_none_is_grey(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], n=4, directed=False, backend=backend)
    ax = G.plot(square(2), values=lg.bfs(G, 0)[0])
    assert np.array_equal(ax.collections[1].get_array(), [0, 1, 2, np.nan], equal_nan=True)
    ax.figure.canvas.draw()
    colours = ax.collections[1].get_facecolors()
    assert tuple(colours[3]) == to_rgba(LIGHT)
    assert len({tuple(colour) for colour in colours}) == 4
    assert len(ax.figure.axes) == 2  # the bar


def test_whole_values_have_whole_marks_and_a_title_stands_above_the_labels() -> None:
    G = lg.Graph.from_edges(["a", "b"], ["b", "c"], backend=CPU)
    ax = graph(G, [[0, 0], [1, 0], [0, 1]], values=lg.bfs(G, "a")[0], sizes=400, title="Steps")
    ax.figure.canvas.draw()
    marks = ax.figure.axes[1].get_yticks()
    assert len(marks) and (marks % 1 == 0).all()
    top = max(text.get_window_extent().y1 for text in ax.texts)
    assert {text.get_text() for text in ax.texts} == {"a", "b", "c"}
    assert ax._left_title.get_window_extent().y0 >= top


def test_groups_have_colours_the_largest_first() -> None:
    G = lg.Graph.from_edges([0, 1, 3], [1, 2, 4], n=6, directed=False, backend=CPU)
    G = G.add_edges([2], [3])
    groups = lg.Vector.from_coo([0, 1, 2, 3, 4], [9, 9, 9, 1, 1], size=6, backend=CPU)
    ax = graph(G, square(3)[:6], groups=groups)
    dots = [tuple(colour) for colour in ax.collections[1].get_facecolors()]
    first, second = to_rgba(COLOURS[0]), to_rgba(COLOURS[1])
    assert dots == [first] * 3 + [second] * 2 + [to_rgba(GREY)]
    lines = [tuple(colour) for colour in ax.collections[0].get_colors()]
    assert lines == [first, first, to_rgba(LIGHT), second]  # of (2, 3), between groups, grey


@pytest.mark.parametrize(
    "groups",
    [
        ["x", "x", "x", "y", "y", None],
        np.array(["x", "x", "x", "y", "y", None], object),
        {3: "y", 4: "y", 0: "x", 1: "x", 2: "x"},
        [("a", 1), ("a", 1), ("a", 1), 7, 7, float("nan")],
    ],
)
def test_groups_may_have_names(groups: Any) -> None:
    G = lg.Graph.from_edges([0, 1, 3], [1, 2, 4], n=6, directed=False, backend=CPU)
    dots = [
        tuple(c) for c in graph(G, square(3)[:6], groups=groups).collections[1].get_facecolors()
    ]
    assert dots == [to_rgba(COLOURS[0])] * 3 + [to_rgba(COLOURS[1])] * 2 + [to_rgba(GREY)]


def test_a_path_lies_on_top() -> None:
    G, xy = lg.grid(4, 4, backend=CPU), square(4)
    path = lg.path_to(lg.bfs(G, 0)[1], 15)
    assert path is not None
    ax = graph(G, xy, path=path)
    (way,) = (line for line in ax.lines if line.get_label() == "path")
    assert way.get_xydata().tolist() == xy[path].tolist()
    assert way.get_zorder() > ax.collections[1].get_zorder()
    two = graph(G, xy, path=[path, [0, 1]])
    ways = [line for line in two.lines if line.get_label() == "path"]
    assert [len(way.get_xydata()) for way in ways] == [len(path), 2]
    assert ways[0].get_color() != ways[1].get_color()


def test_labels_are_written_at_their_vertices() -> None:
    G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Cid"], backend=CPU)
    at = {"Cid": (2, 0), "Ann": (0, 0), "Bob": (1, 0)}
    ax = G.plot(at, path=["Ann", "Bob"])
    assert {text.get_text(): text.xy for text in ax.texts} == at
    assert [text.get_text() for text in G.plot(at, labels=["Bob"]).texts] == ["Bob"]
    assert not G.plot(at, labels=False).texts
    assert G.to_undirected().plot(at, path=["Cid", "Bob", "Ann"], labels=False)
    for path, missing in ((["Ann", "Cid"], "'Ann' to 'Cid'"), (["Cid", "Bob"], "'Cid' to 'Bob'")):
        with pytest.raises(InvalidValue, match=f"none from {missing}"):
            G.plot(at, path=path)
    with pytest.raises(InvalidValue, match=r"\[nan, 1.0\] of vertex 'Bob'"):
        G.plot([(0, 0), (np.nan, 1), (2, 2)])
    (way,) = (line for line in ax.lines if line.get_label() == "path")
    assert way.get_xydata().tolist() == [[0, 0], [1, 0]]


def test_positions_are_kept_with_the_graph() -> None:
    """Also in a part of it; an edge list brings its coordinates."""
    xy = square(3)
    edges = generate.grid(3, 3)
    G = lg.Graph.from_edgelist(dataclasses.replace(edges, coordinates=xy), backend=CPU)
    assert segments(graph(G)) == segments(graph(G, xy))
    part = G.subgraph([4, 5, 8])
    assert segments(graph(part)) == segments(graph(part, xy[[4, 5, 8]]))
    assert segments(graph(G, layout="spectral")) != segments(graph(G))


def test_a_large_graph_is_its_edges_in_colours() -> None:
    G = lg.grid(50, 50, backend=CPU)
    ax = graph(G, square(50), values=np.arange(2500.0), title="A lattice")
    assert len(ax.collections) == 1
    u, v, _ = G.edges()
    assert ax.collections[0].get_array().tolist() == ((u + v) / 2).tolist()
    assert ax.get_title(loc="left") == "A lattice"
    assert len(graph(G, square(50), sizes=1).collections) == 2


def test_the_same_picture_twice() -> None:
    """The layout too is the same each time, to the pixel."""
    G = lg.grid(5, 5, backend=CPU)
    drawn = []
    for _ in range(2):
        ax = graph(G, values=lg.pagerank(G))
        ax.figure.canvas.draw()
        drawn.append(np.asarray(ax.figure.canvas.buffer_rgba()).copy())
    assert np.array_equal(*drawn) and len(np.unique(drawn[0].reshape(-1, 4), axis=0)) > 10


def test_degrees() -> None:
    G = lg.Graph.from_edges([0, 0, 0], [1, 2, 3], n=6, directed=False, backend=CPU)
    ax = degrees(G)
    assert ax.lines[0].get_xydata().tolist() == [[1, 3], [3, 1]]
    assert "6 vertices, 2 without edges" in ax.get_title(loc="left")


# --- layouts -------------------------------------------------------------------------------------
@pytest.mark.parametrize("layout", [spectral_layout, spring_layout])
def test_neighbours_lie_nearer_than_others(layout: Any, backend: Any) -> None:
    G = lg.grid(6, 6, backend=backend)
    xy = layout(G)
    assert xy.shape == (36, 2) and np.abs(xy).max() == pytest.approx(1)
    far = np.linalg.norm(xy[:, np.newaxis] - xy, axis=2)
    near = G.to_scipy().toarray() != 0
    assert far[near].mean() < 0.5 * far[~near & ~np.eye(36, dtype=bool)].mean()
    assert far[~np.eye(36, dtype=bool)].min() > 0.05


def test_backends_agree_on_a_layout() -> None:
    from tests.harness import GPU

    one, other = (spectral_layout(lg.grid(7, 9, backend=which)) for which in (CPU, GPU))
    assert np.abs(one - other).max() < 1e-3


def test_the_spectral_layout_is_of_eigenvectors() -> None:
    G = lg.random_graph(60, 300, seed=1, backend=CPU)
    pattern = G.neighbours.to_scipy_sparse().toarray().astype(float)
    degree = np.maximum(pattern.sum(axis=1), 1)
    _, vector = np.linalg.eigh(np.eye(60) - pattern / np.sqrt(np.outer(degree, degree)))
    wanted = vector[:, 1:3] / np.sqrt(degree)[:, np.newaxis]
    xy = spectral_layout(G)
    for found, right in zip(xy.T, wanted.T):
        assert abs(np.corrcoef(found, right)[0, 1]) > 0.99


def test_the_spring_layout_unties_what_is_given() -> None:
    """Two cliques end apart, whatever the start; and it follows the seed."""
    ends = [(a, b) for k in (0, 6) for a in range(k, k + 6) for b in range(a) if b >= k]
    G = lg.Graph.from_edgelist([*ends, (0, 6)], directed=False, backend=CPU)
    start = np.random.default_rng(3).normal(size=(12, 2))
    xy = spring_layout(G, start, seed=5)
    middle = xy[:6].mean(axis=0), xy[6:].mean(axis=0)
    within = max(np.linalg.norm(xy[:6] - middle[0], axis=1).max(),
                 np.linalg.norm(xy[6:] - middle[1], axis=1).max())  # fmt: skip
    assert np.linalg.norm(middle[0] - middle[1]) > 1.5 * within
    assert np.array_equal(xy, spring_layout(G, start, seed=5))
    assert np.allclose(spring_layout(G, start, iterations=0).std(axis=0).max(),
                       (start / np.ptp(start, axis=0).max() * 2).std(axis=0).max())  # fmt: skip


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_tiny_graphs(n: int) -> None:
    G = lg.Graph.from_edges([], [], n=n, backend=CPU)
    for layout in (spectral_layout, spring_layout):
        assert layout(G).shape == (n, 2) and np.isfinite(layout(G)).all()
    graph(G)
    degrees(G)


# --- what is refused -----------------------------------------------------------------------------
@pytest.mark.parametrize("labels", [None, ["d", "c", "b", "a"]])
def test_values_by_label_go_to_their_vertices_in_any_order(labels: Any) -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    G = lg.grid(2, 2, backend=CPU)
    G.labels = labels
    rank = lg.Vector.from_coo([0, 1, 3], [0.5, 2.0, 1.0], size=4, backend=CPU)
    named = pd.Series(dict(G.named(rank).items())).sort_values()
    for given in (named, dict(named.items())):
        shown: Any = graph(G, square(2), values=given).collections[1].get_array()
        assert np.array_equal(np.ma.filled(shown, np.nan), [0.5, 2, np.nan, 1], equal_nan=True)
    with pytest.raises(IndexOutOfBound, match="vertex in groups"):
        graph(G, square(2), groups={"z": 1})
    with pytest.raises(InvalidValue, match="each vertex once"):
        graph(G, square(2), values=pd.concat([named, named]))
    with pytest.raises(InvalidValue, match="each vertex once in groups"):
        graph(G, square(2), groups=pd.concat([named, named]).map(str))


def test_refused() -> None:
    G = lg.grid(2, 2, backend=CPU)
    xy = square(2)
    for error, match, call in (
        (WrongType, "expected a Graph", lambda: graph(G.A)),  # type: ignore[arg-type]
        (InvalidValue, r"shape \(4, 2\), got \(3, 2\)", lambda: graph(G, xy[:3])),
        (InvalidValue, "finite positions", lambda: graph(G, xy + np.inf)),
        (InvalidValue, "of vertex 3", lambda: graph(G, {0: (0, 0), 1: (0, 1), 2: (1, 1)})),
        (InvalidValue, "'spring' or 'spectral'", lambda: graph(G, layout="circle")),  # type: ignore[arg-type]
        (InvalidValue, "positions or a layout", lambda: graph(G, xy, layout="spring")),
        (InvalidValue, "values or groups", lambda: graph(G, xy, values=[1] * 4, groups=[1] * 4)),
        (DimensionMismatch, "values", lambda: graph(G, xy, values=[1, 2])),
        (DimensionMismatch, "groups over 4", lambda: graph(G, xy, groups=lg.Vector("FP64", 3))),
        (WrongType, "groups as numbers, strings", lambda: graph(G, xy, groups=[[1], "a", 2, 3])),
        (DimensionMismatch, r"groups of shape \(4,\)", lambda: graph(G, xy, groups=["a"])),
        (WrongType, "values as a Vector", lambda: graph(G, xy, values="abcd")),
        (IndexOutOfBound, "below n = 4", lambda: graph(G, xy, path=[0, 4])),
        (InvalidValue, "none from 0 to 3; lg.path_to", lambda: graph(G, xy, path=[1, 0, 3])),
        (InvalidValue, "none from 1 to 2", lambda: graph(G, xy, path=[[0, 1], [3, 1, 2]])),
        (WrongType, "ax as axes of Matplotlib", lambda: graph(G, xy, ax=3)),
        (WrongType, "ax as axes of Matplotlib", lambda: degrees(G, ax=3)),
        (InvalidValue, "sizes", lambda: graph(G, xy, sizes="large")),
        (InvalidValue, "sizes", lambda: graph(G, xy, sizes=-1)),
        (InvalidValue, "sizes of at least 0", lambda: graph(G, xy, sizes=[1, -1, 1, 1])),
        (WrongType, "path as a list", lambda: graph(G, xy, path=3)),
        (IndexOutOfBound, "vertex in labels", lambda: graph(G, xy, labels=[7])),
        (InvalidValue, "iterations", lambda: spring_layout(G, iterations=-1)),
        (InvalidValue, "seed", lambda: spring_layout(G, seed="x")),  # type: ignore[arg-type]
    ):
        with pytest.raises(error, match=match):
            call()
    large = lg.Graph.from_edges([0], [1], n=PLACED + 1, backend=CPU)
    with pytest.raises(InvalidValue, match=r"positions for a graph of 20,001 vertices"):
        graph(large)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    G = lg.grid(2, 2, backend=CPU)
    with lg.explain() as report:
        lg.bfs(G, 0)
    for call in (G.plot, lambda: degrees(G), report.plot):
        with pytest.raises(ImportError, match=r"pip install 'lagraph-gpu\[plot\]'"):
            call()


# --- matrices, under python-graphblas' names -----------------------------------------------------
def test_a_matrix_is_arrows_with_values(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 2, 1], [1, 0, 2, 2], [5, 6, 7, 8], backend=backend)
    lg.viz.draw(A)
    texts = [text.get_text() for text in plt.gca().texts]
    assert sorted(texts) == ["", "", "", "0", "1", "2", "5", "6", "7", "8"]
    heads = [text for text in plt.gca().texts if text.arrow_patch is not None]
    assert len(heads) == 3
    lg.viz.draw(A.T)
    with pytest.raises(DimensionMismatch, match="square"):
        lg.viz.draw(A[:, :2].new())
    with pytest.raises(WrongType, match="Matrix"):
        lg.viz.draw([[1]])


def test_a_symmetric_matrix_is_lines() -> None:
    lg.viz.draw(lg.Matrix.from_coo([0, 1], [1, 0], [5, 5], backend=CPU))
    assert sorted(text.get_text() for text in plt.gca().texts) == ["0", "1", "5"]


def test_where_a_matrix_has_entries(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 3], [2, 0], 1, nrows=4, ncols=3, backend=backend)
    (ax,) = lg.viz.spy(A).axes
    assert ax.lines[0].get_xydata().tolist() == [[2, 0], [0, 3]]
    assert ax.get_xticks().tolist() == [-0.5, 0.5, 1.5] and ax.lines[0].get_markersize() > 10
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0", "1", "2", "3"]
    fig, ax = plt.subplots()
    assert lg.viz.spy(A.T, axes=ax, centered=True, show=False, markersize=3) is fig
    assert ax.lines[0].get_markersize() == 3
    own = plt.figure()
    assert lg.viz.spy(A, figure=own, show=False) is own
    lg.viz.spy(lg.Matrix(int, 2, 2, backend=backend))
    with pytest.raises(WrongType, match="Matrix"):
        lg.viz.spy(lg.Vector(int, 3, backend=backend))
