"""Benchmarks of operations: what a run records, whom it names as absent, and judges that say no."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks import (
    build,
    changes,
    clock,
    ewise,
    hosttime,
    mxm,
    mxv,
    operations,
    operations_all,
    overhead,
    record,
    report,
    spmspv,
)
from benchmarks.expected import (
    ExpectedMatrix,
    ExpectedProduct,
    ExpectedVector,
    estimated_nnz,
    frontier_product,
    masked_product,
    nnz_of_product,
    products,
    rowwise,
    slack,
)
from benchmarks.operations import OURS, Question, Way
from benchmarks.problem import Problem
from lagraph_gpu.errors import LagraphError, UnsupportedOperation, VerificationError
from lagraph_gpu.gpu.backend import GpuBackend
from semirings import BINARY
from tests import harness

plus = BINARY["plus"]
QUESTIONS = [mxv.QUESTION, spmspv.QUESTION, mxm.QUESTION, ewise.QUESTION]
QUESTIONS += [build.QUESTION, changes.QUESTION]


@pytest.fixture(autouse=True)
def small_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "COPY_BYTES", {True: 1 << 16, False: 1 << 16})


def run(question: Question, folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The records that a run leaves."""
    assert operations.main(question, [*arguments, "--out", str(folder)]) == 0
    return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_run_on_the_cpu(
    question: Question, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = "--graph", "kron6", "--graph", "grid8", "--samples", "2", "--backend", "cpu"
    found = run(question, tmp_path, *arguments, "--commit", "abc")
    assert [r["graph"] for r in found] == ["grid8", "kron6"]
    for r in found:
        assert record.faults(r) == []
        assert r["benchmark"] == question.name and r["verified"] is True and r["commit"] == "abc"
        assert r["roots"] is r["gteps_harmonic_mean"] is r["schedule"] is None
        assert r["timed_by"] == "wall clock" and r["copy_gb_per_s"] > 0
        assert r["peers"]["scipy"]["verified"] is True
        assert r["peers"]["cupyx"]["absent"] in (
            "not installed", "the backend that was measured is not on a GPU"
        )  # fmt: skip
        for row in r["measurements"]:
            if "absent" not in row:
                assert row["verified"] and row["checked"] == len(row["samples_ms"]) == 2
                assert row["gb_per_s"] == pytest.approx(row["bytes"] / row["median_ms"] / 1e6,
                                                        abs=1e-3)  # fmt: skip
    assert "of copy" in capsys.readouterr().out


@pytest.mark.parametrize("question", [mxv.QUESTION, spmspv.QUESTION, ewise.QUESTION],
                         ids=lambda q: q.name)  # fmt: skip
def test_a_run_on_the_emulated_gpu(
    question: Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "resolve", lambda which: harness.GPU)
    monkeypatch.setattr(spmspv, "SHARES", (0.1,))
    (r,) = run(question, tmp_path, "--graph", "grid3", "--samples", "1")
    ours = [row for row in r["measurements"] if row["by"] == OURS]
    assert all(row["launches"] > 0 and row["waits"] >= 0 for row in ours)
    assert r["peers"]["python-graphblas"]["verified"] is True
    if question is spmspv.QUESTION:
        assert [row["direction"] for row in ours[1:]] == ["push", "pull"]


def test_some_cases_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "--graph", "grid3", "--backend", "cpu", "--samples", "1", "--case"
    (r,) = run(ewise.QUESTION, tmp_path, *arguments, "vectors")
    assert r["case"] == "vectors" and {row["case"] for row in r["measurements"]} == {"vectors"}
    assert operations.main(ewise.QUESTION, [*arguments, "tensors"]) == 2
    assert "got ['tensors']" in capsys.readouterr().err


def test_a_sample_has_the_whole_work() -> None:
    """On a GPU an element-wise statement waits until somebody looks."""
    place = Problem("grid3", harness.GPU).ours
    u = lg.Vector.from_dense(np.arange(9.0), backend=harness.GPU)
    assert plus(u | u).new()._store.formula is not None
    assert place.whole(lambda _: plus(u | u).new())(None)._store.formula is None


def test_work_that_waits_is_not_timed_by_events() -> None:
    place = Problem("grid3", harness.GPU).ours
    u = lg.Vector.from_dense(np.arange(9.0), backend=harness.GPU)

    def way(work: Any) -> Way:
        return Way("vectors", OURS, "plus(u | u)", work, print, wait=place.wait, on_device=True)

    late = lambda _: plus(u | u).new()  # noqa: E731
    with pytest.raises(LagraphError, match=r"vectors: plus\(u | u\) waits until.*Place.whole"):
        operations.anatomy(way(late), harness.GPU)
    assert operations.anatomy(way(place.whole(late)), harness.GPU)["launches"] == 1


def one_way(work: Any, by: str = OURS) -> Question:
    """A question with one right way of ours, then this one."""

    def check(result: Any) -> None:
        if result != 1:
            raise VerificationError(f"expected 1, got {result}")

    def ways(problem: Problem) -> list[Any]:
        return [Way("c", OURS, "1", lambda _: 1, check), Way("c", by, "w", work, check, bytes=8)]

    return Question("mxv", ways)


def test_a_wrong_answer_of_ours_is_not_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--graph", "grid3", "--backend", "cpu", "--out", str(tmp_path)]
    assert operations.main(one_way(lambda _: 2), arguments) == 1
    assert "WRONG" in capsys.readouterr().err and list(tmp_path.iterdir()) == []


def failing(error: Exception) -> Any:
    def work(_: Any) -> None:
        raise error

    return work


def test_peers_that_fail(tmp_path: Path) -> None:
    arguments = "--graph", "grid3", "--backend", "cpu", "--samples", "2"
    (r,) = run(one_way(lambda _: 2, "liar"), tmp_path, *arguments)
    assert r["peers"]["liar"]["verified"] is False
    assert r["measurements"][1]["note"] == "expected 1, got 2"
    (r,) = run(one_way(failing(MemoryError("of 9 GB")), "big"), tmp_path, *arguments)
    assert r["peers"]["big"] == {"absent": "MemoryError: of 9 GB"}
    (r,) = run(one_way(lambda _: 1, "slow"), tmp_path, *arguments, "--budget", "0")
    assert r["measurements"][1]["note"] == "its first run, the only one in its time"
    (r,) = run(one_way(lambda _: 1, "other"), tmp_path, *arguments, "--no-peers")
    assert r["peers"] == {}


def test_nothing_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = Question("mxm", lambda p: [Way("c", OURS, "C", failing(UnsupportedOperation("none")),
                                             lambda _: None)])  # fmt: skip
    arguments = ["--graph", "grid3", "--backend", "cpu", "--out", str(tmp_path)]
    assert operations.main(missing, arguments) == 2
    assert "nothing of ours to record in mxm: none" in capsys.readouterr().err
    assert operations.main(mxv.QUESTION, ["--graph", "absent.gr", *arguments[2:]]) == 2


def test_a_square_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mxm, "MOST", 200)
    problem = mxm.small_enough("kron5", harness.CPU)
    assert problem.label == "kron3" and problem.note is not None and "kron5" in problem.note


def test_everything_in_one_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--graph", "kron5", "--square", "grid4", "--backend", "cpu", "--samples", "1"]
    assert operations_all.main([*arguments, "--out", str(tmp_path)]) == 0
    assert "5 records in" in capsys.readouterr().out
    assert operations_all.main([*arguments, "--budget", "0", "--out", str(tmp_path)]) == 1
    assert "FAILED mxm grid4: no time left" in capsys.readouterr().out


class TestOverhead:
    def test_a_run(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["--backend", "cpu", "--samples", "1", "--out", str(tmp_path)]
        assert overhead.main(arguments) == 0
        (found,) = (json.loads(path.read_text()) for path in tmp_path.iterdir())
        assert record.faults(found) == [] and len(found["measurements"]) == 6

    def test_where_it_goes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(overhead, "CALLS", 1)
        for backend in (harness.GPU, GpuBackend(hosttime.NullDevice())):  # type: ignore[arg-type]
            parts = overhead.breakdown(backend)
            assert set(parts) == set(overhead.statements(harness.CPU))
            for spent in parts.values():
                assert {"statement", "plan and source", "kernel lookup"} <= set(spent)
                assert all(us >= 0 for us in spent.values())
            assert "wait" not in parts["closure, one step"]  # for its round must end

    def test_the_null_device(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert overhead.main(["--backend", "null"]) == 0
        assert "kernel launch" in capsys.readouterr().out


class TestJudges:
    """Each says yes to the right answer and no to one that is a little wrong."""

    A = sp.csr_array(np.array([[0, 1, 2], [1, 0, 0], [2, 0, 0]], np.float32))

    def test_a_vector(self) -> None:
        right = rowwise(self.A, self.A.data, np.add)
        index, values = np.arange(3), np.array([3, 1, 2], np.float32)
        right.check(index, values)
        right.check_dense(values)
        for change in (values + np.float32(1e-6), values * np.nan):
            with pytest.raises(VerificationError, match="expected 3"):
                right.check(index, change)
        with pytest.raises(VerificationError, match="where they belong"):
            right.check(index[1:], values[1:])
        with pytest.raises(VerificationError, match="0 where there is no entry"):
            ExpectedVector(index[:2], values[:2]).check_dense(values)

    def test_a_frontier(self) -> None:
        found = frontier_product(self.A, np.array([1, 2]), np.array([5.0, 7.0], np.float32))
        assert found.index.tolist() == [0] and found.values.tolist() == [19.0]

    def test_sums_beyond_exact_ones_have_slack(self) -> None:
        assert slack(np.array([2.0**24 - 1, 2.0**24]), np.array([4, 4])).tolist() == [0.0, 8.0]

    def test_a_matrix(self) -> None:
        right = ExpectedMatrix(self.A)
        right.check(self.A.copy())
        for change in (self.A * 2, self.A[::-1], sp.csr_array((3, 3), dtype=np.float32)):
            with pytest.raises(VerificationError, match="4 entries"):
                right.check(sp.csr_array(change))

    def test_a_product(self) -> None:
        C = sp.csr_array(self.A @ self.A)
        C.sort_indices()
        count = nnz_of_product(self.A, self.A)
        assert count == C.nnz == estimated_nnz(self.A, self.A) and products(self.A, self.A) == 6
        right = ExpectedProduct(self.A, self.A, count)
        right.check(C)
        wrong, moved = copy.deepcopy(C), copy.deepcopy(C)
        wrong.data[1] += 1
        moved.indices[-2:] = moved.indices[-2:][::-1].copy()
        shorter = sp.csr_array(self.A)
        for change, complaint in ((wrong, "C x"), (moved, "increasing"), (shorter, "got 4")):
            with pytest.raises(VerificationError, match=complaint):
                right.check(sp.csr_array((change.data, change.indices, change.indptr), (3, 3)))

    def test_a_masked_product(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("benchmarks.expected.BLOCK_TERMS", 2)
        triangle = sp.csr_array(np.ones((3, 3), np.float32) - np.eye(3, dtype=np.float32))
        L = sp.csr_array(sp.tril(triangle, -1))
        found = masked_product(L, sp.csr_array(L.T.tocsr()), triangle).C
        assert found.toarray().tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]


class TestRecord:
    @pytest.fixture
    def good(self, tmp_path: Path) -> dict[str, Any]:
        (found,) = run(mxv.QUESTION, tmp_path, "--graph", "grid3", "--backend", "cpu")
        return found

    def test_what_is_no_record(self, good: dict[str, Any]) -> None:
        assert record.faults(good) == []
        assert record.faults(good | {"checked": 1}) != []
        assert record.faults(good | {"samples_ms": []})[0] == "0 samples for 0 roots"
        assert record.faults(good | {"measurements": []}) == [
            "roots is null, but there are no measurements"
        ]
        for change, fault in (({"checked": 0}, "not every sample"), ({"samples_ms": []}, "0 samp")):
            rows = [good["measurements"][0] | change, *good["measurements"][1:]]
            assert any(fault in f for f in record.faults(good | {"measurements": rows}))
        rows = [{"case": "c", "by": OURS}]
        assert "operation is missing" in record.faults(good | {"measurements": rows})[0]

    def test_faster_than_can_be(self, good: dict[str, Any], tmp_path: Path) -> None:
        """Once 953% stood in a table: a statement was timed that waited until somebody looked."""
        for by, size, share, fine in (
            ("CUDA events", 51_904_512, 9.5284, False), ("CUDA events", 2**26, 1.1, True),
            ("CUDA events", 2**20, 3.0, True), ("wall clock", 2**26, 3.0, True),
        ):  # fmt: skip
            row = good["measurements"][0] | {"bytes": size, "of_copy": share}
            changed = good | {"timed_by": by, "measurements": [row, *good["measurements"][1:]]}
            if fine:
                assert record.faults(changed) == []
                continue
            with pytest.raises(ValueError, match="51,904,512 bytes, which no cache holds, at 953%"):
                record.write(changed, tmp_path)

    def test_the_table(self, good: dict[str, Any], tmp_path: Path) -> None:
        device, empty, *lines = report.operations([good]).splitlines()
        assert (device, empty) == (f"On {good['device']}:", "")
        assert len(lines) == 2 + 6 and lines[2].startswith("| mxv | plus_times: `plus_times(A @ x)")
        assert "scipy, A @ x" in lines[2] and "none present" in lines[3]
        assert len({line.replace("\\|", "").count("|") for line in lines}) == 1
        assert report.operations([]) == report.NONE_YET
