"""Real graphs with answers that others published (see ``../shared/data/README.md``)."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.generate import grid_from_mask
from lagraph_gpu.gpu.backend import GpuBackend
from tests.harness import CPU, GPU
from tests.io.shared import shared
from tests.simt.device import EmulatedDevice

UNREACHED = {"bfs": "9223372036854775807", "sssp": "infinity"}


def graph(name: str, **options: object) -> lg.Graph:
    return lg.Graph.from_edgelist(lg.io.read_edges(shared(name)), backend=CPU, **options)


def test_all_new_york_distances() -> None:
    with gzip.open(shared("dimacs9/NY.sssp-from-node1.chai.txt.gz"), "rt") as file:
        n = int(file.readline())
        published = np.loadtxt(file, np.int64)
    G = graph("dimacs9/USA-road-d.NY.dedup.gr.gz")
    assert G.n == n == 264_346
    distance, parent = lg.sssp(G, 0)
    found = distance.to_dense()  # every vertex is reached
    np.testing.assert_array_equal(found[published[:, 0]], published[:, 1])
    assert (int(found.max()), int(found.sum())) == (1_440_081, 186_686_642_878)
    assert parent.nvals == n


def fast_paths(name: str) -> np.ndarray:
    """Queries: source, target, distance (-1: no path)."""
    with gzip.open(shared(f"fast_paths/{name}.queries.txt.gz"), "rt") as file:
        queries = np.array([line.split()[1:] for line in file if line[0] == "q"], np.int64)
    assert queries.shape == (100_000, 3)
    return queries - [1, 1, 0]


@pytest.mark.parametrize("name", ["graph_ballard", "graph_23rd"])
def test_a_thousand_fast_paths_queries(name: str) -> None:
    """One-way streets, and pairs without a path. Busy sources first: one search serves them all."""
    G = graph(f"fast_paths/{name}.gr.gz", dup="min")
    queries = fast_paths(name)
    asked = unreachable = 0
    for source, _ in Counter(queries[:, 0].tolist()).most_common():
        mine = queries[queries[:, 0] == source]
        distance = lg.sssp(G, source)[0].to_dense(fill_value=-1)
        np.testing.assert_array_equal(distance[mine[:, 1]], mine[:, 2])
        asked += len(mine)
        unreachable += int((mine[:, 2] < 0).sum())
        if asked >= 1000:
            break
    assert asked >= 1000 and unreachable >= 50


@pytest.mark.parametrize("name", ["graph_ballard", "graph_23rd"])
def test_all_fast_paths_queries_in_one_call(name: str) -> None:
    """Every vertex is the source of some: 7,442 searches, and 2,346."""
    G = graph(f"fast_paths/{name}.gr.gz", dup="min")
    queries = fast_paths(name)
    distance = lg.paired_distances(G, queries[:, 0], queries[:, 1])
    np.testing.assert_array_equal(np.where(np.isinf(distance), -1, distance), queries[:, 2])


def test_fast_paths_queries_on_the_emulated_gpu() -> None:
    """Those of a few sources, and those of a few targets."""
    twin = graph("fast_paths/graph_23rd.gr.gz", dup="min").to(GPU)
    queries = fast_paths("graph_23rd")
    for side in (0, 1):
        some = queries[np.isin(queries[:, side], queries[:4, side])]
        distance = lg.paired_distances(twin, some[:, 0], some[:, 1]).get()
        np.testing.assert_array_equal(np.where(np.isinf(distance), -1, distance), some[:, 2])


@pytest.mark.parametrize("name", ["graph_ballard", "graph_23rd"])
def test_all_fast_paths_queries_over_a_contraction(name: str) -> None:
    G = graph(f"fast_paths/{name}.gr.gz", dup="min")
    queries = fast_paths(name)
    P = lg.contract(G, core=100)
    assert P.core < 600 and P.levels > 20
    distance = lg.paired_distances(G, queries[:, 0], queries[:, 1], contraction=P)
    np.testing.assert_array_equal(np.where(np.isinf(distance), -1, distance), queries[:, 2])


def queries_of(name: str, width: int) -> list[tuple[int, int, float]]:
    """Some queries on a map of Moving AI: from which cell to which, and the least length."""
    with gzip.open(shared(f"movingai/{name}.map.scen.gz"), "rt") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("version")]
    assert len(rows) > 400
    cells = [(*map(int, row[4:8]), float(row[8])) for row in rows[:: len(rows) // 12]]
    return [(y * width + x, to_y * width + to_x, best) for x, y, to_x, to_y, best in cells]


def test_maze_lengths_by_breadth_first_search() -> None:
    """The maze is a tree: there is one way, so four neighbours give the exact length."""
    walkable = lg.io.read_movingai(shared("movingai/maze512-1-0.map.gz"))
    G = lg.Graph.from_edgelist(grid_from_mask(walkable), backend=CPU)
    for source, target, best in queries_of("maze512-1-0", walkable.shape[1]):
        level, parent = lg.bfs(G, source)
        assert level[target].get() == round(best)
        path = lg.path_to(parent, target)
        assert path is not None and len(path) - 1 == round(best)


@pytest.mark.parametrize("name", ["random512-10-0", "Berlin_0_256"])
def test_lengths_with_eight_neighbours(name: str) -> None:
    walkable = lg.io.read_movingai(shared(f"movingai/{name}.map.gz"))
    edges = grid_from_mask(walkable, weights="length", neighbors=8)
    G = lg.Graph.from_edgelist(edges, backend=CPU)
    for source, target, best in queries_of(name, walkable.shape[1]):
        distance, _ = lg.sssp(G, source)
        assert distance[target].get() == pytest.approx(best, rel=1e-5)


# --- LDBC Graphalytics --------------------------------------------------------------------------

LDBC = [
    ("bfs", "bfs/dir-input", "bfs/dir-output", True),
    ("bfs", "bfs/undir-input", "bfs/undir-output", False),
    ("bfs", "example/example-directed.e", "example/example-directed-BFS", True),
    ("bfs", "example/example-undirected.e", "example/example-undirected-BFS", False),
    ("sssp", "sssp/dir-input.e", "sssp/dir-output", True),
    ("sssp", "sssp/undir-input.e", "sssp/undir-output", False),
    ("sssp", "example/example-directed.e", "example/example-directed-SSSP", True),
    ("sssp", "example/example-undirected.e", "example/example-undirected-SSSP", False),
]


@pytest.mark.parametrize(("algorithm", "name", "answers", "directed"), LDBC, ids=lambda v: str(v))
def test_graphalytics(algorithm: str, name: str, answers: str, directed: bool) -> None:
    folder = shared("graphalytics/validation-graphs")
    is_list = not name.endswith(".e")
    edges = lg.io.read_edges(folder / name, format="adjacency" if is_list else None)
    G = lg.Graph.from_edgelist(edges, directed=directed, dup="min", backend=CPU)
    published = _published(folder / answers)
    source = next(v for v, x in published.items() if float(x) == 0)
    result = (lg.bfs if algorithm == "bfs" else lg.sssp)(G, source)[0]
    found = dict(G.named(result).items())
    reached = {v: float(x) for v, x in published.items() if x.lower() != UNREACHED[algorithm]}
    assert found.keys() == reached.keys()
    for v, x in found.items():
        assert float(x) == pytest.approx(reached[v], rel=1e-12)


def _published(path: Path) -> dict[int, str]:
    return {int(v): x for v, x in (line.split() for line in path.read_text().splitlines() if line)}


# --- both backends on one real graph ------------------------------------------------------------


def test_rome_on_both_backends() -> None:
    """Breadth-first search and shortest paths of Rome on the emulated GPU, as on the CPU."""
    G = graph("rome99/rome99.gr", dup="min")
    twin = G.to(GpuBackend(EmulatedDevice(mode="check", seed=99, block_size=128, max_blocks=8)))
    for source in (0, 1700):
        level, _ = lg.bfs(G, source)
        for schedule in (None, lg.Schedule("push", "search"), lg.Schedule("pull", "thread")):
            there, parent = lg.bfs(twin, source, schedule=schedule)
            np.testing.assert_array_equal(level.to_coo(), there.to_coo())
            assert parent.nvals == level.nvals
        distance, _ = lg.sssp(G, source)
        there, parent = lg.sssp(twin, source)
        np.testing.assert_array_equal(distance.to_coo(), there.to_coo())
        assert parent.nvals == distance.nvals
