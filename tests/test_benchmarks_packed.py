"""Packed rows beside plain ones: the program runs, and refuses answers that differ."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import lagraph_gpu as lg
from benchmarks import packed


def test_it_writes_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = "--scale 6 --backend cpu --folders --out"
    monkeypatch.setattr(sys, "argv", ["packed", *options.split(), str(tmp_path)])
    assert packed.main() == 0
    (path,) = tmp_path.iterdir()
    rows = {row["what"]: row for row in json.loads(path.read_text())["rows"]}
    assert len(rows) == 9 and all(row["packed"] > 0 for row in rows.values())


def test_answers_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, seen = lg.connected_components, iter(range(99))
    monkeypatch.setattr(
        lg, "connected_components",
        lambda G: kept(G) if next(seen) <= packed.REPEATS else kept(G).apply("plus", 1).new(),
    )  # fmt: skip
    with pytest.raises(AssertionError, match="components differs at scale 5"):
        packed.rows_of(5, "cpu", False)
