"""Every file of ../shared/data is read, to published counts, or refused with a reason."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from lagraph_gpu.errors import FormatError
from lagraph_gpu.generate import grid_from_mask
from lagraph_gpu.io import EdgeList, read_coordinates, read_edges, read_movingai
from tests.io.shared import shared

# name: rows, columns, edges, directed, kind of weight
COUNTS = {
    "dimacs9/USA-road-d.NY.dedup.gr.gz": (264_346, 264_346, 730_100, True, "i"),
    "dimacs9/NY.gr.xz": (264_346, 264_346, 365_050, False, None),
    "dimacs9/BAY.gr.xz": (321_270, 321_270, 397_415, False, None),
    "dimacs9/FLA.gr.xz": (1_070_376, 1_070_376, 1_343_951, False, None),
    "dimacs9/NE.gr.xz": (1_524_453, 1_524_453, 1_934_010, False, None),
    "rome99/rome99.gr": (3353, 3353, 8870, True, "i"),
    "fast_paths/graph_ballard.gr.gz": (7442, 7442, 16_510, True, "i"),
    "fast_paths/graph_23rd.gr.gz": (2346, 2346, 5170, True, "i"),
    "osm/seattle.gr.gz": (148_463, 148_463, 346_220, True, "i"),
    "snap/facebook_combined.txt.gz": (4039, 4039, 88_234, True, None),
    "snap/email-Enron.txt.gz": (36_692, 36_692, 367_662, True, None),  # both directions
    "snap/wiki-Vote.txt.gz": (8298, 8298, 103_689, True, None),  # 7,115 of the ids are used
    "snap/ca-GrQc-lcc.txt": (4158, 4158, 13_428, True, None),
}

# name: rows, columns, entries as they stand in the file, undirected, kind of weight
LAGRAPH = {
    "A.mtx": (7, 7, 15, True, None),
    "A2.mtx": (7, 7, 15, True, None),
    "LFAT5.mtx": (14, 14, 30, True, "f"),
    "LFAT5_hypersparse.mtx": (2000, 2000, 30, True, "f"),
    "LFAT5_two.mtx": (28, 28, 60, True, "f"),
    "bcsstk13.mtx.gz": (2003, 2003, 42_943, True, "f"),
    "cover.mtx": (7, 7, 12, False, "i"),
    "cover_structure.mtx": (7, 7, 12, False, None),
    "cryg2500.mtx.gz": (2500, 2500, 12_349, False, "f"),
    "empty.mtx": (3, 4, 0, False, "f"),
    "full.mtx": (3, 3, 9, False, "f"),
    "full_noheader.mtx": (3, 3, 9, False, "f"),
    "full_symmetric.mtx": (4, 4, 10, True, "f"),
    "jagmesh7.mtx": (1138, 1138, 4294, True, None),
    "karate.mtx": (34, 34, 78, True, None),
    "ldbc-cdlp-directed-example.mtx": (8, 8, 18, False, "i"),
    "ldbc-cdlp-undirected-example.mtx": (8, 8, 12, True, "i"),
    "ldbc-directed-example-bool.mtx": (10, 10, 17, False, "i"),
    "ldbc-directed-example-unweighted.mtx": (10, 10, 17, False, "i"),
    "ldbc-directed-example.mtx": (10, 10, 17, False, "f"),
    "ldbc-undirected-example-bool.mtx": (9, 9, 12, True, "i"),
    "ldbc-undirected-example-unweighted.mtx": (9, 9, 12, True, "i"),
    "ldbc-undirected-example.mtx": (9, 9, 12, True, "f"),
    "ldbc-wcc-example.mtx": (10, 10, 15, True, "i"),
    "lp_afiro.mtx": (27, 51, 102, False, "f"),
    "lp_afiro_structure.mtx": (27, 51, 102, False, None),
    "msf1.mtx": (6, 6, 8, False, "i"),
    "msf2.mtx": (8, 8, 12, False, "i"),
    "msf3.mtx": (5, 5, 7, False, "i"),
    "olm1000.mtx": (1000, 1000, 3996, False, "f"),
    "pushpull.mtx.gz": (4000, 4000, 99_208, True, None),
    "sample.mtx": (8, 8, 12, False, None),
    "sample2.mtx": (8, 8, 28, False, None),
    "sources_7.mtx": (64, 1, 64, False, "i"),
    "structure.mtx": (7, 7, 12, False, None),
    "test_BF.mtx": (7, 7, 12, False, "f"),
    "test_FW_1000.mtx": (1000, 1000, 3996, False, "f"),
    "test_FW_2003.mtx": (2003, 2003, 23_973, False, "f"),
    "test_FW_2500.mtx": (2500, 2500, 7852, False, "f"),
    "tree-example.mtx": (6, 6, 5, True, "i"),
    "west0067.mtx": (67, 67, 294, False, "f"),
    "west0067_jumbled.mtx": (67, 67, 294, False, "f"),
    "west0067_noheader.mtx": (67, 67, 294, False, "f"),
    "zenios.mtx": (2873, 2873, 15_032, True, "f"),
}


def kind(edges: EdgeList) -> str | None:
    return None if edges.weight is None else edges.weight.dtype.kind


def as_matrix(edges: EdgeList) -> scipy.sparse.csr_array:
    src, dst, weight = edges.arcs()
    data = np.ones(src.size) if weight is None else weight.astype(float)
    return scipy.sparse.coo_array((data, (src, dst)), shape=(edges.nrows, edges.ncols)).tocsr()


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_that_were_published(name: str) -> None:
    edges = read_edges(shared(name))
    assert (edges.nrows, edges.ncols, edges.nedges, edges.directed, kind(edges)) == COUNTS[name]


@pytest.mark.parametrize("name", LAGRAPH)
def test_lagraph_matrix_is_what_scipy_reads(name: str) -> None:
    path = shared(f"lagraph/data/{name}")
    edges = read_edges(path)
    seen = (edges.nrows, edges.ncols, edges.nedges, not edges.directed, kind(edges))
    assert seen == LAGRAPH[name]
    if "noheader" in name or name == "west0067_jumbled.mtx":
        return  # SciPy wants a first line, and no comments among the entries; see the next test
    theirs = scipy.sparse.csr_array(scipy.io.mmread(path, spmatrix=False))
    assert (as_matrix(edges) != theirs).nnz == 0


def test_files_that_scipy_cannot_read_equal_their_twins() -> None:
    folder = shared("lagraph/data")
    jumbled = as_matrix(read_edges(folder / "west0067_jumbled.mtx"))
    assert (jumbled != as_matrix(read_edges(folder / "west0067.mtx"))).nnz == 0
    for name in ("full", "west0067"):
        bare = as_matrix(read_edges(folder / f"{name}_noheader.mtx"))
        difference = bare - as_matrix(read_edges(folder / f"{name}.mtx"))
        assert abs(difference).max() <= 5e-7 * abs(bare).max()


def test_all_45_lagraph_files_are_in_the_table_and_the_complex_one_is_refused() -> None:
    folder = shared("lagraph/data")
    with pytest.raises(FormatError, match=r"complex\.mtx, line 1: complex values: .* real numbers"):
        read_edges(folder / "complex.mtx")
    assert {path.name for path in folder.iterdir()} == {*LAGRAPH, "complex.mtx"}
    assert len(LAGRAPH) + 1 == 45


def test_seven_formats_of_gap_hold_one_graph() -> None:
    folder = shared("gapbs/test/graphs")
    graphs = {path.name: read_edges(path) for path in sorted(folder.iterdir())}
    assert len(graphs) == 7
    pairs = {
        name: {(u, v) for u, v in zip(g.src.tolist(), g.dst.tolist(), strict=True) if u != v}
        for name, g in graphs.items()
    }
    assert all(g.nrows == 14 and g.directed for g in graphs.values())
    assert all(found == pairs["4.el"] and len(found) == 53 for found in pairs.values())
    assert {name for name, g in graphs.items() if g.weight is None} == {"4.el", "4.graph", "4.mtx"}
    el, gr = graphs["4.wel"], graphs["4.gr"]
    assert sorted(zip(el.src, el.dst, el.weight, strict=True)) == sorted(
        zip(gr.src, gr.dst, gr.weight, strict=True)
    )


def test_undirected_social_networks_have_the_published_number_of_edges() -> None:
    for name, published in (("email-Enron", 183_831), ("facebook_combined", 88_234)):
        edges = read_edges(shared(f"snap/{name}.txt.gz"))
        low, high = np.minimum(edges.src, edges.dst), np.maximum(edges.src, edges.dst)
        assert np.unique(low * edges.nrows + high).size == published


def test_road_topology_agrees_between_two_sources() -> None:
    arcs = read_edges(shared("dimacs9/USA-road-d.NY.dedup.gr.gz"))
    roads = read_edges(shared("dimacs9/NY.gr.xz"))
    assert (abs(as_matrix(arcs)).sign() != as_matrix(roads)).nnz == 0


def test_new_york_is_read_in_a_few_seconds_at_most() -> None:
    path = shared("dimacs9/USA-road-d.NY.dedup.gr.gz")
    times = []
    for _ in range(2):
        begin = time.process_time()
        read_edges(path)
        times.append(time.process_time() - begin)
    assert min(times) < 4  # 0.23 s on an idle core: this only guards against a loop over lines


def test_coordinates_of_seattle() -> None:
    places = read_coordinates(shared("osm/seattle.co.gz"))
    assert places.shape == (148_463, 2)
    assert places[:2].tolist() == [[55042, -212640], [46919, -210675]]
    graph = read_edges(shared("osm/seattle.gr.gz"), coordinates=shared("osm/seattle.co.gz"))
    assert graph.coordinates is not None and graph.weight is not None
    lengths = np.hypot(*(places[graph.src] - places[graph.dst]).T)
    assert (graph.weight == np.maximum(1, np.round(lengths))).all()


@pytest.mark.parametrize("folder", ["bfs", "cdlp", "lcc", "pr", "wcc"])
@pytest.mark.parametrize("kind", ["dir", "undir"])
def test_graphalytics_adjacency_lists(folder: str, kind: str) -> None:
    path = shared(f"graphalytics/validation-graphs/{folder}/{kind}-input")
    edges = read_edges(path, format="adjacency")
    lines = [[int(word) for word in line.split()] for line in path.read_text().splitlines()]
    expected = sorted((line[0], v) for line in lines if line for v in line[1:])
    assert edges.ids is not None
    src, dst = edges.ids[edges.src].tolist(), edges.ids[edges.dst].tolist()
    assert sorted(zip(src, dst, strict=True)) == expected
    assert set(edges.ids.tolist()) == {word for line in lines for word in line}


@pytest.mark.parametrize("name", ["example/example-directed", "example/example-undirected"])
@pytest.mark.parametrize("end", [".v", ".e"])
def test_graphalytics_pairs(name: str, end: str) -> None:
    path = shared(f"graphalytics/validation-graphs/{name}{end}")
    edges = read_edges(path)
    text = path.with_suffix(".e").read_text()
    expected = [(int(u), int(v), float(w)) for u, v, w in map(str.split, text.splitlines())]
    assert edges.ids is not None and edges.weight is not None
    src, dst = edges.ids[edges.src].tolist(), edges.ids[edges.dst].tolist()
    assert list(zip(src, dst, edges.weight.tolist(), strict=True)) == expected
    names = path.with_suffix(".v").read_text().split()
    assert edges.ids.tolist() == sorted(map(int, names))


def test_grid_maps() -> None:
    maze = read_movingai(shared("movingai/maze512-1-0.map.gz"))
    assert maze.shape == (512, 512)
    edges = grid_from_mask(maze)
    assert edges.nedges == maze.sum() - 1  # a tree
    noise = read_movingai(shared("movingai/random512-10-0.map.gz"))
    assert noise.shape == (512, 512) and noise.sum() == 235_900
    assert read_movingai(shared("movingai/Berlin_0_256.map.gz")).sum() == 48_147


def reason_of(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read_edges(path)
    return str(caught.value)


def test_every_other_file_is_refused_with_a_reason() -> None:
    root = shared()
    refused = []
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        name = path.relative_to(root).as_posix()
        if name in COUNTS or path.name in LAGRAPH or name.startswith("gapbs/test/graphs/"):
            continue
        if name.startswith("graphalytics/") and path.suffix in (".v", ".e"):
            assert read_edges(path).ids is not None
            continue
        refused.append(name)
        reason = reason_of(path)
        if ".map" in path.suffixes or ".scen" in path.suffixes or ".co" in path.suffixes:
            assert "grid map" in reason or "coordinates" in reason
        elif name.endswith(".txt.gz"):  # queries, distances: columns that are no edges
            assert "line 1: expected 'SOURCE TARGET'" in reason or (
                "line 1: no column is named weight" in reason and "(--columns " in reason
            )
        elif path.name != "complex.mtx":
            assert "unknown extension" in reason and "name the format: dimacs" in reason
    assert len(refused) > 40
