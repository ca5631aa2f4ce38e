"""The benchmark of tables: what it records, and that it refuses to record a wrong row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import many, many_page, record, report

SMALL = ["--most", "20", "--samples", "1", "--backend", "cpu", "--commit", "x"]
GRID = ["--graph", "grid8"]


def test_a_row_for_each_batch(tmp_path: Path) -> None:
    assert many.main([*GRID, *SMALL, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    found = json.loads(path.read_text())
    assert record.faults(found) == [] and found["verified"] and found["graph"] == "grid8"
    ours = [row for row in found["measurements"] if row["by"] == "lagraph-gpu"]
    assert [row["sources"] for row in ours] == [20, 10, 5, 2, 1] * 2
    assert [row["case"] for row in ours][::5] == ["20 by weight", "20 by edges"]
    assert ours[0]["bytes"] == 20 * 64 * 4
    assert ours[0]["announced_bytes"] == 20 * 64 * (4 + 28)
    assert all(row["peak_bytes"] > row["bytes"] for row in ours)
    assert [row["by"] for row in found["measurements"]][-1] == "scipy"


def test_several_graphs_in_one_go(tmp_path: Path) -> None:
    """Each in its own way: one has all weights 1, where both ways of counting agree."""
    asked = ["--contract", "grid5", "--unit", "grid8", "--graph", "grid4"]
    assert many.main([*asked, *SMALL, "--out", str(tmp_path)]) == 0
    found = {(r := json.loads(path.read_text()))["graph"]: r for path in tmp_path.iterdir()}
    assert sorted(found) == ["grid4", "grid5", "grid8-unit"]
    assert ["contraction" in found[name] for name in sorted(found)] == [False, True, False]
    edges = many.named("grid8", "integer")
    assert found["grid8-unit"]["nedges"] == edges.src.size


def test_orders_are_measured_beside_the_planners_choice(tmp_path: Path) -> None:
    asked = ["--order", "heap", "--order", "delta", "--most", "5", "--no-peers"]
    assert many.main([*GRID, *SMALL, *asked, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    cases = [row["case"] for row in json.loads(path.read_text())["measurements"]]
    assert cases[:3] == ["5 by weight", "5 by weight, heap", "5 by weight, delta"]
    assert len(cases) == 2 * 3 * 3


def test_one_kind_of_lengths(tmp_path: Path) -> None:
    asked = ["--by", "edges", "--most", "4", "--no-peers"]
    assert many.main([*GRID, *SMALL, *asked, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    cases = [row["case"] for row in json.loads(path.read_text())["measurements"]]
    assert cases == ["4 by edges", "2 by edges", "1 by edges"]


@pytest.mark.parametrize("name", ["kron6", "grid9", "random6"])
def test_the_judge_counts_edges_as_dijkstra_does(name: str) -> None:
    edges = many.named(name, "integer")
    graph = lg.Graph.from_edgelist(edges, "min", backend="cpu").A.to_scipy_sparse()
    judge = many.Judge(graph.astype(float))
    for source in range(graph.shape[0]):
        right = many.dijkstra(graph, indices=source, unweighted=True)
        assert (judge.edges(source) == right).all()


def test_contracted(tmp_path: Path) -> None:
    assert many.main(["--contract", "grid8", *SMALL, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    found = json.loads(path.read_text())
    assert record.faults(found) == [] and found["contract_ms"] > 0
    assert found["contraction"] == {"levels": 0, "arcs": 0, "core": 64, "nbytes": 16656}
    cases = [row["case"] for row in found["measurements"]][::5]
    assert cases == ["20 by weight, contracted", "20 by weight", "20 by edges", "2 by weight"]


def test_a_wrong_row_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = lg.distance_matrix

    def wrong(*given: Any, **named: Any) -> Any:
        table = right(*given, **named)
        table[-1, 5] += 1
        return table

    monkeypatch.setattr(lg, "distance_matrix", wrong)
    assert many.main([*GRID, *SMALL, "--out", str(tmp_path)]) == 1
    assert not list(tmp_path.iterdir())


def of_batches(contract_ms: float, **ms_a_source: float) -> record.Record:
    """A record of batches of 16, by the names of the ways."""
    ways = {"plain": "16 by weight", "contracted": "16 by weight, contracted"}
    rows = [
        many.row(ways[way], "lagraph-gpu", 16, [16 * ms], 2**20, 3 * 2**20, 2 * 2**20)
        for way, ms in ms_a_source.items()
    ]
    return {"graph": "town", "device": "a GPU", "contract_ms": contract_ms, "measurements": rows}


def test_the_page_says_what_a_batch_gains() -> None:
    table = many_page.table([of_batches(9000, plain=0.5, contracted=0.05)])
    said = "took 9.0 s. With batches of 16 sources it saves time from 20,000 sources on"
    assert said in " ".join(table.split())
    assert "| town | 2,000 | 3 | 2 |" in table and "| town, contracted | 20,000 |" in table
    assert "saves no time" in many_page.table([of_batches(9000, plain=0.1, contracted=0.2)])
    assert "pays" not in many_page.table([of_batches(9000, contracted=0.2)])


def test_wrong_rows_are_not_shown() -> None:
    r = of_batches(9000, plain=0.5)
    r["measurements"][0]["verified"] = False
    assert "town |" not in many_page.table([r])


def test_the_page_shows_the_newest_records() -> None:
    text = (Path(__file__).parents[1] / many_page.PAGE).read_text(encoding="utf-8")
    again = "run python -m benchmarks.many_page"
    assert report.replaced(text, many_page.table(many_page.recorded())) == text, again
