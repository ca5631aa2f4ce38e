"""Each algorithm that the command line offers prints vertices as the graph's file calls them.

Which columns hold vertices is not asked of the code that prints them. A graph is read twice, the
second time with `MORE` isolated vertices before its own: vertices are then `MORE` or larger, and
nothing else is. Those columns have to hold the names of a file with names, and the numbers of a
file that counts from 1.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.cli import run
from lagraph_gpu.cli.command import main
from lagraph_gpu.cli.results import RESULTS

Rows = dict[str, list[Any]]

MORE = 20

CLIQUES = [(u, v) for part in (range(4), range(4, 9)) for u in part for v in part if u < v]
GRAPHS = {
    "cliques": [*CLIQUES, (3, 4)],  # one path between two communities
    "bipartite": [(0, 5), (1, 5), (1, 6), (2, 7), (3, 7), (3, 8), (4, 8)],
    "acyclic": [*CLIQUES, (3, 4)],  # each edge leads to the larger vertex
    "two cycles": [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)],
}
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida"]

OF_GRAPH = {
    "bipartite_color": "bipartite", "maximum_bipartite_matching": "bipartite",
    "dag_longest_distance": "acyclic", "dag_longest_path": "acyclic",
    "dag_longest_path_length": "acyclic", "in_degree_centrality": "acyclic",
    "out_degree_centrality": "acyclic", "topological_generations": "acyclic",
    "topological_sort": "acyclic", "strongly_connected_components": "two cycles",
}  # fmt: skip
"""The graph on which an algorithm runs, where that is not the first."""

OF_ONE_COMPONENT = "diameter", "eccentricity", "number_connected_components"
"""To these, isolated vertices make a difference."""

VERTICES = {"source": 1, "target": 7, "u": 0, "v": 2, "sources": [1, 5]}
OTHERS = {"seed": "1", "k": "3", "length": "4"}


def given(name: str, called: list[Any]) -> list[str]:
    """The arguments of an algorithm, with vertices by what they are called."""
    words = []
    for key in run.own_arguments(run.algorithm(name)):
        at = VERTICES.get(key)
        if key in OTHERS:
            words += [f"--{key}", OTHERS[key]]
        elif isinstance(at, list):
            words += [f"--{key}", repr([called[i] for i in at])]
        elif at is not None and key != "v":
            words += [f"--{key}", str(called[at])]
        elif name == "common_neighbors":
            words += ["--v", str(called[VERTICES["v"]])]
    return words


def rows_of(capsys: pytest.CaptureFixture[str], *words: str) -> Rows:
    """The columns of all results. What is printed are rows of the table that is written."""
    out = "--out", "rows.npz", "--force"
    assert main(["run", *words, "--backend", "cpu", "--json", *out]) == 0
    (found, *others) = json.loads(capsys.readouterr().out)["results"]
    with np.load("rows.npz") as table:
        columns = {name: table[name].tolist() for name in table}
    rows = by_rows(columns)
    for row in found.get("top", []):
        assert tuple(row.values()) in rows and list(row) == list(columns)
    for one in (found, *others):
        if "value" in one:
            assert np.array_equal(np.ravel(one["value"]), np.unique(columns[one["name"]]))
    return columns


def by_rows(columns: Rows) -> list[tuple[Any, ...]]:
    return sorted(zip(*columns.values()))


def own_rows(columns: Rows, vertices: set[str]) -> Rows:
    """Without the rows of isolated vertices. Ranks begin with the first that is left."""
    count = len(next(iter(columns.values())))
    kept = [i for i in range(count) if all(columns[name][i] >= MORE for name in vertices)]
    columns = {name: [column[i] for i in kept] for name, column in columns.items()}
    if "rank" in columns:
        columns["rank"] = [rank - MORE for rank in columns["rank"]]
    return columns


@pytest.mark.parametrize("name", run.algorithms())
def test_vertices_are_called_as_in_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "LONG_RUN_MS", -1.0)  # once is enough
    graph = OF_GRAPH.get(name, "cliques")
    edges, directed = GRAPHS[graph], graph in ("acyclic", "two cycles")
    n = 1 + max(map(max, edges))
    Path("plain.el").write_text("".join(f"{u} {v}\n" for u, v in edges))
    Path("more.el").write_text("".join(f"{u + MORE} {v + MORE}\n" for u, v in edges))
    Path("names.csv").write_text("".join(f"{NAMES[u]},{NAMES[v]}\n" for u, v in edges))
    kind = "general" if directed else "symmetric"
    lines = "".join(f"{max(u, v) + 1} {min(u, v) + 1}\n" if not directed else f"{u + 1} {v + 1}\n"
                    for u, v in edges)  # fmt: skip
    head = f"%%MatrixMarket matrix coordinate pattern {kind}\n{n} {n} {len(edges)}\n"
    Path("numbers.mtx").write_text(head + lines)
    whole = [] if directed else ["--undirected"]
    plain, names, numbers = (
        rows_of(capsys, name, file, *more, *given(name, called))
        for file, more, called in (
            ("plain.el", whole, list(range(n))),
            ("names.csv", [*whole, "--labels"], NAMES),
            ("numbers.mtx", [], list(range(1, n + 1))),
        )
    )
    text = {key for key, column in names.items() if any(isinstance(x, str) for x in column)}
    if name not in OF_ONE_COMPONENT:
        called = [i + MORE for i in range(n)]
        more = rows_of(capsys, name, "more.el", *whole, *given(name, called))
        more = own_rows(more, text)
        for key, column in plain.items():
            if all(type(x) is int for x in column):
                assert max(column) < MORE
                larger = {x >= MORE for x in more[key]}
                assert larger == {key in text}, f"{key} holds vertices: {larger}"
    for other, called in ((names, NAMES), (numbers, range(1, n + 1))):
        meant = {key: [called[x] for x in column] if key in text else column
                 for key, column in plain.items()}  # fmt: skip
        assert by_rows(other) == by_rows(meant)


def test_every_algorithm_says_what_its_results_are() -> None:
    assert RESULTS.keys() == run.algorithms().keys()


@pytest.mark.parametrize("name", ["louvain", "random_walks", "connected_components"])
def test_no_vertex_is_the_largest(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = given(name, [*range(9)])
    assert main(["run", name, __file__, "--top", "3", *words]) == 2
    assert "vertices, none of which is the largest" in capsys.readouterr().err
