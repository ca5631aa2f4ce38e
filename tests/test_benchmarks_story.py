"""The story's benchmarks: what a ladder and a series record, and what the page makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from benchmarks import record, report, rmat_series, story, story_page
from tests.harness import CPU

ROOT = Path(__file__).resolve().parents[1]


def run(main: Any, folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The records that a run on the CPU leaves."""
    assert main([*arguments, "--backend", "cpu", "--out", str(folder)]) == 0
    return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


def test_a_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(story.main, tmp_path, "--graph", "kron6", "--graph", "grid7", "--roots", "3")
    assert [(r["benchmark"], r["graph"]) for r in found] == [
        (f"story-{question}", graph) for question in ("bfs", "sssp") for graph in ("grid7", "kron6")
    ]
    for r in found:
        assert record.faults(r) == [] and r["verified"] and len(r["roots"]) == 3
        steps = story.LADDERS[r["benchmark"].removeprefix("story-")][1]
        assert [s["name"] for s in r["steps"]] == [s.name for s in steps]
        assert all(s["verified"] and s["checked_roots"] == s["roots"] for s in r["steps"])
        assert r["samples_ms"] == r["steps"][-1]["samples_ms"]
    assert "a warp a vertex" in capsys.readouterr().out
    table = story_page.tables(found)
    assert "Breadth-first search" in table and "Shortest paths" in table
    assert "`lg.Schedule(direction='edge', layout='segmented')`" in table and "`None`" in table
    assert table.count("\n|") == sum(len(steps) + 2 for _, steps in story.LADDERS.values())


def test_steps_out_of_time_say_so(tmp_path: Path) -> None:
    r, _ = run(story.main, tmp_path, "--graph", "kron6", "--roots", "3", "--budget", "0")
    assert [len(s["roots"]) for s in r["steps"]] == [1] * len(story.BFS)
    assert "(1 root)" in story_page.tables([r])


def test_a_wrong_step_leaves_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mangled(*arguments: Any, **named: Any) -> tuple[lg.Vector, lg.Vector]:
        level, parent = lg.bfs(*arguments, **named)
        level[0] = 60
        return level, parent

    monkeypatch.setitem(story.LADDERS, "bfs", (mangled, story.BFS))
    assert story.main(["--graph", "kron6", "--backend", "cpu", "--out", str(tmp_path)]) == 1
    assert "WRONG" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def test_every_step_is_a_schedule_of_its_own() -> None:
    for _, steps in story.LADDERS.values():
        assert len({s.schedule for s in steps}) == len({s.name for s in steps}) == len(steps)
    page = (ROOT / story_page.PAGE).read_text(encoding="utf-8")
    for question, (_, steps) in story.LADDERS.items():
        shown: list[Any] = []
        namespace: dict[str, Any] = {"lg": lg, question: shown.append}
        for line in page.splitlines():
            if line.startswith(f"{question}("):
                exec(line, namespace)
        assert shown == [s.schedule for s in steps], "the page tells of the same steps, in order"


def test_a_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (r,) = run(rmat_series.main, tmp_path, "--scales", "5", "7", "--roots", "4")
    assert record.faults(r) == [] and (r["benchmark"], r["graph"]) == ("sssp-series", "rmat")
    assert [row["scale"] for row in r["series"]] == [5, 6, 7]
    for row in r["series"]:
        assert row["min_ms"] <= row["mean_ms"] <= row["max_ms"] and row["scipy"]["verified"]
        assert len(row["roots"]) == len(row["scipy"]["roots"]) == 4
    assert "SciPy" in capsys.readouterr().out
    assert story_page.tables([r]).count("\n| 2^") == 3
    r["series"][2]["scipy"] = {"absent": "no time"}
    assert "| - | - |" in story_page.tables([r])


def test_a_series_in_which_scipy_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    options = rmat_series.parse(["--scales", "5", "7", "--roots", "2"])
    monkeypatch.setattr(rmat_series, "GROWTH", 10**9)
    first, *rest = rmat_series.series(CPU, options)["series"]
    assert first["scipy"]["verified"] and all("expected" in row["scipy"]["absent"] for row in rest)


def test_the_page_shows_the_newest_records() -> None:
    text = (ROOT / story_page.PAGE).read_text(encoding="utf-8")
    again = "run python -m benchmarks.story_page"
    assert report.replaced(text, story_page.tables(story_page.recorded())) == text, again


def test_searches_of_the_story_are_no_rows_of_the_readme(tmp_path: Path) -> None:
    run(story.main, tmp_path, "--graph", "kron5", "--roots", "1")
    page = tmp_path / "README.md"
    parts = "search-costs", "benchmarks", "marks", "shapes", "searches"
    page.write_text("".join(f"{mark}\n" for part in parts for mark in report.markers(part)))
    files = ["--results", str(tmp_path), "--readme", str(page), "--notes", str(page)]
    assert report.main(files) == 0 and "story" not in page.read_text()
