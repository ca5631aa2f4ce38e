"""Graph500: what is counted, the official names, the record, and that a wrong run leaves none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

import lagraph_gpu as lg
from benchmarks import (
    graph500,
    graph500_memory,
    graph500_output,
    graph500_page,
    record,
    report,
)
from lagraph_gpu import generate
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.edge_weights import edge_weights
from lagraph_gpu.generate.kronecker_draw import draw_edges, ends
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.generate.kronecker_rows import DrawnRows
from tests.harness import CPU, GPU

OFFICIAL = [
    *("min_time", "firstquartile_time", "median_time", "thirdquartile_time", "max_time"),
    *("mean_time", "stddev_time", "min_TEPS", "firstquartile_TEPS", "median_TEPS"),
    *("thirdquartile_TEPS", "max_TEPS", "harmonic_mean_TEPS", "harmonic_stddev_TEPS"),
    *("min_validate", "mean_validate", "stddev_validate"),
]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, backend: Any) -> Any:
    monkeypatch.setattr(graph500, "resolve", lambda which: backend)
    return backend


def run(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The records that a run leaves, bfs first."""
    assert graph500.main([*arguments, "--out", str(folder)]) == 0
    return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


def drawn_in_component(draw: Draw, root: int) -> int:
    """Edges of the list, loops and duplicates included, in the component of a vertex."""
    u, v = ends(draw_edges(draw))
    A: Any = sp.coo_array((np.ones(u.size), (u, v)), shape=(draw.n, draw.n))
    label = connected_components(A, directed=False)[1]
    return int((label[u] == label[root]).sum())


@pytest.mark.parametrize("layout", ["natural", "degree", "prepared"])
def test_a_layout_is_timed_twice(tmp_path: Path, here: Any, layout: str) -> None:
    found = run(tmp_path, "--scale", "5", "--only", "bfs", "--layout", layout, "--roots", "2")[0]
    assert found["layout"] == (None if layout == "natural" else layout)
    times = found["layout_first_ms"], found["layout_ms"]
    assert times == (0, 0) if layout == "natural" else min(times) > 0
    assert found["prepare_ms"] >= found["layout_ms"] and found["verified"]
    phases = [phase["name"] for phase in found["phases"]]
    assert phases.count("layout, made twice") == (layout != "natural")  # none where none is made


def test_the_seed_is_of_the_edges_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        graph500.parse(["--help"])
    assert "of the edges and of the roots" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("5",), ("6", "--edgefactor", "2", "--seed", "7")])
def test_a_run(
    arguments: tuple[str, ...], tmp_path: Path, here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(tmp_path, "--scale", *arguments, "--roots", "3")
    assert [r["benchmark"] for r in found] == ["graph500-bfs", "graph500-sssp"]
    options = graph500.parse(["--scale", *arguments])
    draw = Draw(options.scale, options.edgefactor, options.seed)
    expected = generate.kronecker(draw.scale, draw.edgefactor, draw.seed)
    for r in found:
        assert record.faults(r) == []
        assert list(record.FIELDS) == list(r)[: len(record.FIELDS)]
        assert (r["n"], r["nedges"], r["drawn_edges"]) == (draw.n, expected.nedges, draw.count)
        assert r["backend"] == here.name and r["verified"] and r["weights"] == "uniform"
        assert len(set(r["roots"])) == 3
        degree = np.bincount(np.concatenate([expected.src, expected.dst]), minlength=draw.n)
        assert (degree[r["roots"]] > 0).all()
        assert r["component_edges"] == [drawn_in_component(draw, v) for v in r["roots"]]
        rates = np.array(r["component_edges"]) / (np.array(r["samples_ms"]) / 1e3)
        harmonic = 3 / sum(1 / rates)
        assert r["graph500"]["harmonic_mean_TEPS"] == pytest.approx(harmonic, rel=1e-3)
        assert r["gteps_harmonic_mean"] == pytest.approx(harmonic / 1e9, rel=1e-3)
        assert set(OFFICIAL) <= set(r["graph500"])
        parts = graph500.PARTS[r["benchmark"].removeprefix("graph500-")]
        assert r["parts"].keys() == parts.keys()
        for part in r["parts"].values():
            rates = np.array(r["component_edges"]) / (np.array(part["samples_ms"]) * 1e6)
            assert part["gteps_harmonic_mean"] == pytest.approx(3 / sum(1 / rates), rel=1e-3)
        assert all(len(r["anatomy"][key]) == 3 for key in ("levels", "looked", "bytes"))
        if here.name == "gpu":  # on a CPU one compiled loop tells nothing of its steps
            assert min(r["anatomy"]["looked"]) > 0 and min(r["anatomy"]["bytes"]) > 0
        names = [phase["name"] for phase in r["phases"]]
        first = ["generation", "counting", "construction", "construction check"]
        assert names[:5] == [*first, "bfs, the first search"]
    assert found[0]["roots"] == found[1]["roots"]
    assert found[0]["graph"] == ("kron5" if len(arguments) == 1 else "kron6-2-7")
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == [
        f"SCALE:                          {draw.scale}",
        f"edgefactor:                     {draw.edgefactor}",
        "NBFS:                           3",
    ]
    for line in OFFICIAL:
        for kernel in ("bfs  ", "sssp "):
            assert sum(row.startswith(f"{kernel}{line}:") for row in printed) == 1
    assert any(row.startswith("bfs  harmonic_mean_TEPS:     !  ") for row in printed)
    assert any(row.startswith("mean_nedge:") for row in printed)


def test_one_kernel_and_integers(tmp_path: Path, here: Any) -> None:
    (only,) = run(tmp_path / "bfs", "--scale", "4", "--roots", "2", "--only", "bfs")
    assert only["benchmark"] == "graph500-bfs" and only["weights"] is None
    (only,) = run(
        tmp_path / "sssp", "--scale", "4", "--edgefactor", "1", "--only", "sssp",
        "--weights", "integer", "--direction", "push",
    )  # fmt: skip
    assert only["weights"] == "integer" and only["schedule"]["direction"] == "push"
    assert len(only["roots"]) < 16  # not all vertices have an edge


@pytest.mark.parametrize("weights", ["integer", "uniform"])
@pytest.mark.parametrize("layout", ["packed", "degree"])
def test_rows_made_by_ranges_with_weights(
    tmp_path: Path, here: Any, layout: str, weights: str
) -> None:
    found = run(
        tmp_path, "--scale", "6", "--roots", "3", "--layout", layout, "--by-ranges", "--weights",
        weights,
    )  # fmt: skip
    assert [r["benchmark"] for r in found] == ["graph500-bfs", "graph500-sssp"]
    draw = Draw(6)
    G = DrawnRows(draw, here, layout == "packed", weights).graph  # type: ignore[arg-type]
    for r in found:
        assert record.faults(r) == [] and r["verified"] and r["weights"] == weights
        assert r["layout"] == ("packed" if layout == "packed" else "ranges")
        wanted = [drawn_in_component(draw, int(G.ids[v].new().value)) for v in r["roots"]]
        assert r["component_edges"] == wanted
        assert r["parts"].keys() == graph500.PARTS[r["benchmark"].removeprefix("graph500-")].keys()


def test_packed_rows_are_judged_as_they_are(
    tmp_path: Path, here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither searches nor checks make compressed rows."""
    made = []

    class Seen(DrawnRows):
        def __init__(self, draw: Draw, *given: Any) -> None:
            super().__init__(draw, *given)
            made.append(self.graph.A._store)

    monkeypatch.setattr(graph500, "DrawnRows", Seen)
    run(tmp_path, "--scale", "8", "--roots", "2", "--layout", "packed", "--weights", "integer")
    assert here.name == "cpu" or made[-1].stays_packed


def test_other_weights_are_not_recorded(
    tmp_path: Path, here: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heavier = lambda *given: edge_weights(*given) + 1  # noqa: E731
    monkeypatch.setattr(graph500, "edge_weights", heavier)
    arguments = ["--scale", "5", "--layout", "packed", "--weights", "integer"]
    assert graph500.main([*arguments, "--out", str(tmp_path)]) == 1
    assert "edges have other weights" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_a_budget_that_is_used_up(
    tmp_path: Path, here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(tmp_path, "--scale", "5", "--roots", "3", "--budget", "0")
    printed = capsys.readouterr().out
    assert "NBFS:                           1\n" in printed
    for r in found:
        assert len(r["roots"]) == len(r["component_edges"]) == 1 and record.faults(r) == []
    for name in ("bfs", "sssp", "parents", "distances"):
        said = f"{name + ':':<32}1 of {3 if name in graph500.KERNELS else 1} roots, in 0 s"
        assert (said in printed) == (name in graph500.KERNELS)


FREE = 149_400_000_000
"""The free bytes of an H200."""


@pytest.mark.parametrize(
    ("arguments", "layout", "kernels", "weights"),
    [
        (["--scale", "27"], "natural", ("bfs", "sssp"), "uniform"),
        (["--scale", "28"], "packed", ("bfs", "sssp"), "uniform"),
        (["--scale", "29"], "packed", ("bfs", "sssp"), "integer"),
        (["--scale", "30"], "packed", ("bfs",), None),
        (["--scale", "29", "--only", "sssp"], "packed", ("sssp",), "integer"),
        (["--scale", "27", "--only", "bfs"], "natural", ("bfs",), None),
        (["--scale", "27", "--by-ranges"], "degree", ("bfs", "sssp"), "uniform"),
        (["--scale", "30", "--only", "sssp"], None, (), None),
        (["--scale", "30", "--weights", "integer"], None, (), None),
        (["--scale", "29", "--weights", "uniform"], None, (), None),
        (["--scale", "29", "--layout", "natural"], None, (), None),
    ],
)
def test_the_way_that_fits_is_chosen(
    arguments: list[str], layout: str | None, kernels: tuple[str, ...], weights: str | None,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    backend: Any = SimpleNamespace(name="gpu", free_bytes=lambda: FREE)
    options = graph500.parse(arguments)
    draw = Draw(options.scale)
    if layout is None:
        with pytest.raises(TooLarge, match=r"about [0-9,]+; --layout packed .*takes about [0-9,]+"):
            graph500_memory.chosen(options, draw, backend)
        return
    way = graph500_memory.chosen(options, draw, backend)
    assert (way.layout, way.kernels, way.weights) == (layout, kernels, weights)
    assert way.bytes(draw) < FREE
    said = capsys.readouterr().err
    assert (f"{way}: about {way.bytes(draw):,} of {FREE:,} free bytes" in said) == (
        layout == "packed"
    )


def test_packed_rows_are_taken_where_a_list_of_edges_does_not_fit(
    tmp_path: Path, here: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(graph500_memory, "LIST_SHARE", 0)
    found = run(tmp_path, "--scale", "5", "--roots", "2")
    on_gpu = here.name == "gpu"
    assert [r["layout"] for r in found] == ["packed" if on_gpu else None] * 2
    assert ("scale 5: bfs and sssp with uniform weights" in capsys.readouterr().err) == on_gpu


def test_rows_made_by_ranges_have_one_order(
    tmp_path: Path, here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--scale", "5", "--by-ranges", "--layout", "prepared", "--out", str(tmp_path)]
    assert graph500.main(given) == 2
    assert "numbered by degree, got prepared" in capsys.readouterr().err


def test_roots_are_the_same_everywhere() -> None:
    draw = Draw(7, 2, 3)
    found = [graph500.sampled_roots(Drawn(draw, b).graph(), 9, 3) for b in (CPU, GPU)]
    assert found[0] == found[1] and len(set(found[0])) == 9


def test_a_wrong_answer_is_not_recorded(
    tmp_path: Path, here: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mangled(G: lg.Graph, root: int, **named: Any) -> Any:
        level, parent = lg.bfs(G, root, **named)
        level[int(level.to_coo()[0][-1])] = 60
        return level, parent

    monkeypatch.setitem(graph500.KERNELS, "bfs", mangled)
    assert graph500.main(["--scale", "5", "--roots", "2", "--out", str(tmp_path)]) == 1
    assert "WRONG" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_a_wrong_graph_is_not_recorded(
    tmp_path: Path, here: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Drawn, "differences", lambda self, G: 3)
    assert graph500.main(["--scale", "5", "--out", str(tmp_path)]) == 1
    assert "3 entries of the matrix differ" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--scale", "40"], ["--scale", "-1"], ["--roots", "0"], ["--scale", "0"]]
)
def test_bad_input(
    arguments: list[str], tmp_path: Path, here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert graph500.main([*arguments, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 63, 64])
def test_statistics(count: int) -> None:
    """Against NumPy; quartiles stand at the places of the reference code."""
    values = np.random.default_rng(count).random(count) + 0.1
    found = graph500_output.described(values.tolist(), "time")
    ordered = np.sort(values)
    first = (ordered[(count - 1) // 4] + ordered[count // 4]) / 2
    third = (ordered[::-1][(count - 1) // 4] + ordered[::-1][count // 4]) / 2
    assert found["min_time"] == ordered[0] and found["max_time"] == ordered[-1]
    assert found["median_time"] == pytest.approx(np.median(values))
    assert found["firstquartile_time"] == pytest.approx(first)
    assert found["thirdquartile_time"] == pytest.approx(third)
    assert found["stddev_time"] == pytest.approx(values.std(ddof=1) if count > 1 else 0)
    edges = np.arange(1, count + 1)
    rates = graph500_output.rates(values.tolist(), edges.tolist())
    each = edges / values
    harmonic = count / (1 / each).sum()
    assert rates["harmonic_mean_TEPS"] == pytest.approx(harmonic)
    assert rates["min_TEPS"] == pytest.approx(each.min())
    assert rates["max_TEPS"] == pytest.approx(each.max())
    if count > 1:
        error = harmonic**2 * (1 / each).std(ddof=1) / np.sqrt(count - 1)
        assert rates["harmonic_stddev_TEPS"] == pytest.approx(error)


def found(scale: int, ms: float, **other: Any) -> dict[str, Any]:
    """What the page reads of a record."""
    given = {
        "benchmark": "graph500-bfs",
        "graph": f"kron{scale}",
        "layout": None,
        "device": "a GPU",
    }
    given |= {"median_ms": ms, "gteps_harmonic_mean": 16 * 2**scale / ms / 1e6}
    return given | {"drawn_edges": 16 << scale} | other


def test_the_page_shows_a_table_for_each_question_and_a_row_for_each_scale() -> None:
    alone = {"median_ms": 0.1, "gteps_harmonic_mean": 160.0}
    some = [found(20, 0.3, parts={"parents": alone}), found(18, 0.25, layout="degree")]
    some += [found(18, 0.2), found(20, 2.0, benchmark="graph500-sssp")]
    *_, bfs, sssp, parents = graph500_page.table(some).split("\n\n")
    assert bfs.splitlines() == [
        "| bfs, vertices | natural | relabelled |",
        "| ---: | ---: | ---: |",
        "| 2^18 | 0.2 (21) | 0.25 (16.8) |",
        "| 2^20 | 0.3 (55.9) |  |",
    ]
    assert sssp.splitlines()[::2] == ["| sssp, vertices | natural |", "| 2^20 | 2 (8.39) |"]
    assert parents.splitlines()[::2] == ["| parents, vertices | natural |", "| 2^20 | 0.1 (160) |"]


def test_the_page_shows_the_newest_records() -> None:
    text = (Path(__file__).parents[1] / graph500_page.PAGE).read_text(encoding="utf-8")
    again = "run python -m benchmarks.graph500_page"
    shown = report.replaced(text, graph500_page.table(graph500_page.recorded()))
    assert shown == text, again


def test_the_page_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        graph500.parse(["--help"])
    options = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}
    text = (Path(__file__).parents[1] / graph500_page.PAGE).read_text(encoding="utf-8")
    table = "".join(line for line in text.splitlines() if line.startswith("| `--"))
    assert options == set(re.findall(r"--[a-z]+", table))
