"""The benchmark of tables: what it records, and that it refuses to record a wrong row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import many, record

SMALL = ["--graph", "grid8", "--most", "20", "--samples", "1", "--backend", "cpu", "--commit", "x"]


def test_a_row_for_each_batch(tmp_path: Path) -> None:
    assert many.main([*SMALL, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    found = json.loads(path.read_text())
    assert record.faults(found) == [] and found["verified"] and found["graph"] == "grid8"
    ours = [row for row in found["measurements"] if row["by"] == "lagraph-gpu"]
    assert [row["sources"] for row in ours] == [20, 5, 1] * 2
    assert [row["case"] for row in ours][::3] == ["20 by weight", "20 by edges"]
    assert ours[0]["bytes"] == 20 * 64 * 4
    assert [row["by"] for row in found["measurements"]][-1] == "scipy"


def test_orders_are_measured_beside_the_planners_choice(tmp_path: Path) -> None:
    asked = ["--order", "heap", "--order", "delta", "--most", "5", "--no-peers"]
    assert many.main([*SMALL, *asked, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    cases = [row["case"] for row in json.loads(path.read_text())["measurements"]]
    assert cases[:3] == ["5 by weight", "5 by weight, heap", "5 by weight, delta"]
    assert len(cases) == 2 * 2 * 3


def test_contracted(tmp_path: Path) -> None:
    assert many.main([*SMALL, "--contract", "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    found = json.loads(path.read_text())
    assert record.faults(found) == [] and found["contract_ms"] > 0
    assert found["contraction"] == {"levels": 0, "arcs": 0, "core": 64, "nbytes": 16656}
    cases = [row["case"] for row in found["measurements"]][::3]
    assert cases == ["20 by weight, contracted", "20 by weight", "20 by edges", "2 by weight"]


def test_a_wrong_row_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = lg.distance_matrix

    def wrong(*given: Any, **named: Any) -> Any:
        table = right(*given, **named)
        table[-1, 5] += 1
        return table

    monkeypatch.setattr(lg, "distance_matrix", wrong)
    assert many.main([*SMALL, "--out", str(tmp_path)]) == 1
    assert not list(tmp_path.iterdir())
