"""Two versions beside each other: the comparison runs, and a call that one lacks is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import old_and_new

ROOT = Path(old_and_new.__file__).parents[1]


def test_two_checkouts_are_compared_call_by_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--backend cpu --processes 1 --scale 5 --side 5 --seconds 0 --out"
    command = ["old_and_new", str(ROOT), str(ROOT), *options.split(), str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    assert old_and_new.main() == 0
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_text())
    rows = {row["call"]: row for row in record["rows"]}
    assert len(rows) > 35 and record["old"] == record["new"]
    assert not [row for row in rows.values() if "absent" in row]
    assert all(row["ratio_of_minima"] > 0 for row in rows.values())
    assert "bfs kron" in capsys.readouterr().out


def test_a_process_that_fails_ends_the_comparison(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"the process of .* failed"):
        old_and_new.process(tmp_path, "no such backend", 5, 5, 0)
