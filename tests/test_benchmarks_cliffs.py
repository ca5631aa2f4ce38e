"""The benchmark of nasty shapes: it runs whole, asks every algorithm, and names what is a cliff."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import cliffs, record, report
from lagraph_gpu.backend import resolve


def test_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: cliffs.SHAPES[name] for name in ("star", "binary tree", "empty")}
    monkeypatch.setattr(cliffs, "SHAPES", few)
    arguments = ["--edges", "7", "--samples", "1", "--backend", "cpu", "--out", str(tmp_path)]
    assert cliffs.main(arguments) == 0
    (found,) = (json.loads(path.read_text()) for path in tmp_path.iterdir())
    assert record.faults(found) == []
    rows = found["measurements"]
    shapes = (cliffs.YARDSTICKS | cliffs.SHAPES).keys()
    assert {(r["operation"], r["case"]) for r in rows} == {
        (shape, case) for shape in shapes for case in cliffs.cases()
    }
    refused = {r["case"] for r in rows if "absent" in r}
    assert refused == {"bipartite_color", "eccentricity", "maximum_bipartite_matching"}
    assert all(r["of_yardstick"] > 0 for r in rows if "absent" not in r)
    head, *lines = capsys.readouterr().out.splitlines()
    high = sum(r.get("of_yardstick", 0) > cliffs.CLIFF for r in rows)
    assert f": {high} cliffs among " in head and len(lines) == high + 1


def test_a_cliff_is_measured_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was one for once is none."""
    asked: list[str] = []
    slow = {"star": iter([11, 2]), "comb": iter([30, 20]), "path": iter([9])}

    def row(case: str, shape: str, *_: object) -> record.Record:
        asked.append(shape)
        ms = next(slow[shape]) if shape in slow else 1
        return {
            "case": case, "by": cliffs.OURS, "operation": shape,
            "samples_ms": [ms], "median_ms": ms, "wall_ms": ms, "checked": 0, "verified": None,
            "bytes": None, "gb_per_s": None, "of_copy": None, "nedges": 32,
        }  # fmt: skip

    few = {name: cliffs.SHAPES[name] for name in slow}
    monkeypatch.setattr(cliffs, "row", row)
    monkeypatch.setattr(cliffs, "SHAPES", few)
    arguments = ["--edges", "5", "--case", "bfs", "--backend", "cpu", "--out", str(tmp_path)]
    assert cliffs.main(arguments) == 0
    assert asked == ["kronecker", "lattice", "star", "star", "comb", "comb", "path"]
    (found,) = (json.loads(path.read_text()) for path in tmp_path.iterdir())
    ratios = {one["operation"]: one["of_yardstick"] for one in found["measurements"]}
    assert ratios == {"kronecker": 1, "lattice": 1, "star": 2, "comb": 20, "path": 9}
    assert found["timed_by"] == "processor time"
    rows = report.shapes([found]).splitlines()
    assert "| star | 1 | 0 | – |" in rows and "| comb | 1 | 1 | bfs 20 ms (20) |" in rows


def test_the_highest_cliff_comes_first() -> None:
    rows = [
        {"case": "bfs", "operation": shape, "median_ms": 1.0, "of_yardstick": ratio}
        for shape, ratio in (("comb", 10.0), ("path", 10.5), ("star", 31.0))
    ]
    text = cliffs.table({"graph": "shapes7", "device": "d", "measurements": rows})
    head, star, path = text.splitlines()
    assert head == "shapes7 on d: 2 cliffs among 3 pairs"
    assert star.split()[0] == "star" and path.endswith("10.5 times its yardstick")


def test_who_is_asked() -> None:
    of_four = {f"{search} of four" for search in ("bfs", "sssp")}
    assert cliffs.cases().keys() - of_four == cliffs.algorithms().keys() - cliffs.OUTSIDE.keys()
    assert cliffs.OUTSIDE.keys() <= cliffs.algorithms().keys()


@pytest.mark.parametrize("name", cliffs.YARDSTICKS | cliffs.SHAPES)
def test_shapes_have_about_as_many_edges(name: str) -> None:
    i, j, n = (cliffs.YARDSTICKS | cliffs.SHAPES)[name](1 << 12)
    found = cliffs.Shape((i, j, n), resolve("cpu"))
    assert np.all(i <= j) and found.upward.nedges == found.nedges
    assert name in ("kronecker", "small world") or found.nedges == i.size  # others repeat no edge
    assert (0.4 < found.nedges / 4096 < 1.1) == (name != "empty")


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--edges", "7", "--case", "tensors", "--backend", "cpu", "--out", str(tmp_path)]
    assert cliffs.main(arguments) == 2
    assert "expected cases of" in capsys.readouterr().err
