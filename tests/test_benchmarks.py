"""The records: what a run writes, what may not be written, and what the README makes of them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import bfs, harness, record, report, sssp
from benchmarks.instrument import Instrument
from benchmarks.peers import PEERS, depths

GOOD: dict[str, Any] = {
    "benchmark": "bfs", "graph": "kron20", "n": 1 << 20, "nedges": 15_700_000, "backend": "gpu",
    "device": "NVIDIA H200", "commit": None, "date": "2026-11-20", "schedule": None, "layout": None,
    "roots": [3, 5], "samples_ms": [0.5, 0.25], "median_ms": 0.375, "gteps_harmonic_mean": 41.9,
    "prepare_ms": None, "energy_j": None, "verified": True, "checked_roots": [3, 5],
    "peers": {"cugraph": {"absent": "not installed"}},
}  # fmt: skip


def run(question: harness.Question, folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The records that a run leaves."""
    assert harness.main(question, [*arguments, "--out", str(folder)]) == 0
    return [json.loads(path.read_text()) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("question", [bfs.QUESTION, sssp.QUESTION], ids=lambda q: q.name)
def test_a_run_on_the_cpu(
    question: harness.Question, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = "--graph", "kron6", "--graph", "grid8", "--roots", "3", "--backend", "cpu"
    found = run(question, tmp_path, *arguments, "--direction", "push")
    assert [r["graph"] for r in found] == ["grid8", "kron6"]
    for r in found:
        assert record.faults(r) == []
        assert list(record.FIELDS) == [name for name in r if name in record.FIELDS]
        assert r["benchmark"] == question.name and r["verified"] is True
        assert r["schedule"] == {
            "direction": "push",
            "balance": None,
            "loop": None,
            "order": None,
            "width": None,
            "frontier": None,
            "small": None,
            "layout": None,
        }
        assert len(r["samples_ms"]) == len(r["roots"]) == len(r["levels"]) == 3
        rates = [e / (ms * 1e6) for e, ms in zip(r["component_edges"], r["samples_ms"])]
        assert r["gteps_harmonic_mean"] == pytest.approx(3 / sum(1 / x for x in rates), rel=1e-3)
        assert set(r["peers"]) == set(PEERS)
        assert r["peers"]["scipy"]["verified"] is True
        assert r["peers"]["networkx"]["verified"] is True
        assert r["peers"]["cugraph"]["absent"]
    assert "scipy" in capsys.readouterr().out


def test_a_run_on_the_emulated_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: Any
) -> None:
    monkeypatch.setattr(harness, "resolve", lambda which: backend)
    (r,) = run(sssp.QUESTION, tmp_path, "--graph", "grid5", "--roots", "2")
    assert record.faults(r) == []
    if backend.name == "gpu":
        assert min(r["launches"]) > min(r["waits"]) > 0
        assert r["kernel_ms"] is r["alone_ms"] is None
        assert r["peers"]["python-graphblas"]["verified"] is True
        assert "launch" not in vars(backend)  # the instrument has been taken off
    else:
        assert r["launches"] is r["waits"] is None


def test_a_wrong_answer_is_not_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def mangled(*arguments: Any, **named: Any) -> tuple[lg.Vector, lg.Vector]:
        level, parent = lg.bfs(*arguments, **named)
        level[0] = 60
        return level, parent

    question = harness.Question("bfs", mangled, bfs.QUESTION.judge, None)
    assert harness.main(question, ["--graph", "kron6", "--out", str(tmp_path)]) == 1
    assert "WRONG" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["--graph", "absent.gr"], ["--graph", "kron40"], ["--graph", "grid1"]]
)
def test_bad_input(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harness.main(bfs.QUESTION, [*arguments, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert list(tmp_path.iterdir()) == []


def test_a_peer_out_of_time_says_so(tmp_path: Path) -> None:
    (r,) = run(bfs.QUESTION, tmp_path, "--graph", "kron6", "--roots", "4", "--budget", "0")
    assert len(r["peers"]["scipy"]["roots"]) == 1
    assert r["peers"]["scipy"]["note"] == "1 of 4 roots within 0 s"
    (r,) = run(bfs.QUESTION, tmp_path, "--graph", "kron6", "--no-peers")
    assert r["peers"]["scipy"] == {"absent": "not asked"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"checked_roots": [3]}, "verified is true, but"),
        ({"checked_roots": None}, "verified is true, but"),
        ({"n": "many"}, "n is 'many'"),
        ({"median_ms": None}, "median_ms is None"),
        ({"samples_ms": [0.5]}, "1 samples for 2 roots"),
        ({"samples_ms": [0.5, 0]}, "no positive number"),
        ({"peers": {"scipy": {"median_ms": 3}}}, "peer scipy: roots is missing"),
    ],
)
def test_what_is_no_record(change: dict[str, Any], fault: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=fault):
        record.write(GOOD | change, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_field_is_needed(tmp_path: Path) -> None:
    assert record.faults(GOOD) == []
    for name in record.FIELDS:
        assert record.faults({k: v for k, v in GOOD.items() if k != name}) == [f"{name} is missing"]


def test_the_record_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = record.write(GOOD, tmp_path)
    assert path.name == "bfs-kron20-nvidia-h200-2026-11-20.json"
    assert json.loads(path.read_text()) == GOOD and '"roots": [3, 5],' in path.read_text()

    def full(self: Path, target: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        record.write(GOOD | {"graph": "other"}, tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_the_committed_records() -> None:
    for path in sorted(record.RESULTS.glob("*.json")):
        held = json.loads(path.read_text())
        assert record.faults(held) == [], path.name
        assert path.name == record.file_name(held)


class TestReport:
    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        for name in ("README.md", "notes.md"):
            tables = "\n".join(
                "\n".join(report.markers(of))
                for of in ("search-costs", "marks", "shapes", "searches", "benchmarks")
            )
            (tmp_path / name).write_text(f"# Title\n\n{tables}\n\nend\n")
        return tmp_path

    def main(self, place: Path, results: Path | None = None) -> int:
        files = "--readme", str(place / "README.md"), "--notes", str(place / "notes.md")
        return report.main(["--results", str(results or place), *files])

    def test_what_is_committed(self, tmp_path: Path) -> None:
        """The tables of both pages are those of the records beside them."""
        root = Path(report.__file__).parents[1]
        pages = {"README.md": root / "README.md", "notes.md": root / report.NOTES}
        for name, page in pages.items():
            (tmp_path / name).write_bytes(page.read_bytes())
        assert self.main(tmp_path, record.RESULTS) == 0
        for name, page in pages.items():
            same = (tmp_path / name).read_bytes() == page.read_bytes()
            assert same, "run python -m benchmarks.report"

    def test_the_table(self, place: Path) -> None:
        peer = dict.fromkeys(record.OF_A_PEER)
        peer |= {"roots": [3], "samples_ms": [1234.5], "median_ms": 1234.5, "verified": True}
        wrong = copy.deepcopy(peer) | {"median_ms": 0.1, "verified": False}
        record.write(GOOD | {"peers": {"scipy": peer, "liar": wrong}}, place)
        record.write(GOOD | {"date": "2026-11-01", "median_ms": 99.0}, place)  # superseded
        record.write(GOOD | {"graph": "grid9", "verified": False}, place)
        assert self.main(place) == 0
        text = (place / "notes.md").read_text()
        assert text.startswith("# Title\n") and text.endswith("end -->\n\nend\n")
        rows = [line for line in text.splitlines() if line.startswith("| bfs")]
        assert rows == [
            "| bfs | kron20 | 1,048,576 | 15,700,000 | 0.375 | 41.9 | scipy, 1,234 ms |"
        ]
        assert "\nOn NVIDIA H200:\n\n| question | graph |" in text
        row = "| breadth-first search | power law, 15,700,000 edges | 0.375 | scipy, 1,234 ms |"
        few = (place / "README.md").read_text()
        assert [line for line in few.splitlines() if line.startswith("| b")] == [row]
        assert self.main(place) == 0 and (place / "notes.md").read_text() == text

    def test_what_searches_ask_for(self, place: Path) -> None:
        """Medians, the bytes at a copy's speed on that device, and only where all is known."""
        inside = {"levels": [6, 7], "looked": [2e6, 4e6], "bytes": [80e6, 88e6]}
        kernels = {"kernel_ms": [0.11, 0.13]}
        record.write(GOOD | {"graph": "kron21"} | inside | kernels, place)
        record.write(GOOD | {"layout": "degree", "anatomy": inside | kernels}, place)
        record.write(GOOD | {"graph": "kron19"} | inside | {"kernel_ms": None}, place)
        row = "| 6.5 | 3 | 84 | {} | 0.12 | 0.375 |"
        for copies, floor in (({}, "-"), ({"copy_gb_per_s": 4200.0}, "0.02")):
            record.write(GOOD | {"graph": "other"} | copies, place)
            assert self.main(place) == 0
            text = (place / "notes.md").read_text().partition(report.markers("searches")[0])[0]
            assert [line for line in text.splitlines() if line.startswith("| bfs |")] == [
                f"| bfs | {graph} {row.format(floor)}" for graph in ("kron20, degree", "kron21")
            ]

    def test_no_markers_or_no_record(self, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (place / "bad.json").write_text("{}")
        assert self.main(place) == 2 and "bad.json: benchmark is missing" in capsys.readouterr().err
        (place / "bad.json").unlink()
        (place / "README.md").write_text("# Title\n")
        assert self.main(place) == 2 and "found none" in capsys.readouterr().err
        assert (place / "README.md").read_text() == "# Title\n"


def test_depths_of_a_long_path() -> None:
    n = 1000
    rng = np.random.default_rng(1)
    name = rng.permutation(n + 3)
    above = np.full(n + 3, -9999)
    above[name[1:n]] = name[: n - 1]
    found = depths(name[:n], above)
    assert np.array_equal(found[name[:n]], np.arange(n)) and np.isinf(found[name[n:]]).all()


def test_the_instrument_on_a_backend_without_a_device() -> None:
    with Instrument(lg.Vector("INT8", 1, backend="cpu").backend) as watch:
        pass
    assert watch.launches is watch.waits is watch.kernel_ms is watch.by_kernel is None
