"""The question whether waiting pays: what its records hold, and judges that say no."""

from __future__ import annotations

import json
from pathlib import Path

import graphblas as gb
import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import clock, operations, record, statement_times, statements
from lagraph_gpu.errors import VerificationError
from tests import harness

CASES = ["bfs", "pagerank FP32", "pagerank FP64"]


@pytest.mark.parametrize("backend", [harness.CPU, harness.GPU], ids=["cpu", "gpu"])
def test_a_run(backend: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "COPY_BYTES", {True: 1 << 16, False: 1 << 16})
    monkeypatch.setattr(operations, "resolve", lambda which: backend)
    arguments = ["--graph", "kron5", "--samples", "1", "--out", str(tmp_path)]
    assert operations.main(statements.QUESTION, arguments) == 0
    (found,) = (json.loads(path.read_text()) for path in tmp_path.iterdir())
    assert record.faults(found) == [] and found["verified"] is True
    rows = {(row["case"], row["operation"]): row for row in found["measurements"]}
    ways = ["statements"] if backend is harness.CPU else ["blocking", "waiting"]
    assert list(rows) == [(case, way) for way in ways for case in CASES]
    if len(ways) == 2:
        for case in CASES:
            blocking, waiting = (rows[case, way] for way in ways)
            assert waiting["waits"] == blocking["waits"]
            assert waiting["launches"] <= blocking["launches"]
        assert 1.5 * waiting["launches"] < blocking["launches"]  # of PageRank


def test_both_libraries_run_every_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statement_times, "ROUND_S", 0.0)
    with lg.backend("cpu"):
        ours, theirs = (statement_times.scope(library, 10) for library in (lg, gb))
        for text in statement_times.TEXTS.strip().splitlines():
            found = statement_times.measured(text, ours, theirs, 1)
            assert all(isinstance(x, float) for x in found), (text, found)


class TestJudges:
    """Each says yes to the right answer and no to one that is a little wrong."""

    problem = statements.Problem("grid4", harness.CPU)

    def test_levels(self) -> None:
        level = statements.bfs(self.problem.G.A, 0)
        self.problem.check_level(0, level)
        with pytest.raises(VerificationError, match="levels of a search from 1"):
            self.problem.check_level(1, level)
        far = level.to_dense(fill_value=99)
        far[far == far[far < 99].max()] += 1
        with pytest.raises(VerificationError):
            self.problem.check_level(0, lg.Vector.from_dense(far, 99, backend=harness.CPU))

    def test_ranks(self) -> None:
        degree = np.maximum(np.diff(self.problem.rows[0]), 1)
        leaving = lg.Vector.from_dense(degree / statements.ALPHA, backend=harness.CPU)
        rank = statements.pagerank(self.problem.G.A, leaving)
        self.problem.check_rank(rank)
        rank[[3]] << 0.1
        with pytest.raises(VerificationError, match="miss by less"):
            self.problem.check_rank(rank)
