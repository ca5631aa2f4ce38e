"""The benchmark of marks: its cases, its clock, and the table that is made of its records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import (
    cliffs,
    marks,
    marks_cases,
    marks_cpu,
    marks_gap,
    marks_gpu,
    random_reads,
    report,
)
from benchmarks.operations import OURS, race
from benchmarks.record import faults
from lagraph_gpu.backend import resolve
from lagraph_gpu.errors import VerificationError
from tests.harness import GPU

CPU = resolve("cpu")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The record of a graph of ten vertices."""
    folder = tmp_path_factory.mktemp("marks")
    arguments = ["--backend", "cpu", "--graph", "ten vertices", "--samples", "1", "--budget", "1"]
    assert marks.main([*arguments, "--out", str(folder)]) == 0
    (path,) = folder.glob("*.json")
    return json.loads(path.read_text())


def test_a_record_is_complete_and_verified(found: Any) -> None:
    assert not faults(found) and found["timed_by"].startswith("seconds of the processor")
    ours = {row["case"]: row for row in found["measurements"] if row["by"] == OURS}
    expected = {mark.case for mark in marks.MARKS if mark.graph == "ten vertices"}
    assert ours.keys() == expected
    assert all(row["verified"] and row["median_ms"] > 0 for row in ours.values())
    assert {"scipy", "networkx"} <= {row["by"] for row in found["measurements"]}


def test_the_table_has_each_mark_that_was_measured(found: Any) -> None:
    lines = report.marks([found]).splitlines()
    rows = [line.split(" | ") for line in lines if "| ten vertices |" in line]
    assert len(rows) == sum(mark.graph == "ten vertices" for mark in marks.MARKS)
    (strong,) = (row for row in rows if "strong components" in row[0])
    peer = next(r for r in found["measurements"] if r["by"] == "scipy" and "strong" in r["case"])
    assert strong[3] == report.three_digits(peer["median_ms"]), "wanted: as fast as the best peer"
    assert report.marks([]) == report.NONE_YET


def test_what_is_wanted_may_be_a_multiple_of_another_case(found: Any) -> None:
    bfs = report.beside(found, "bfs")[0]
    assert bfs is not None
    mark = marks.Mark("cpu", "ten vertices", "sssp", None, 2.0, "bfs")
    assert report.bound_of(mark, found, None) == pytest.approx(2 * bfs)
    assert report.bound_of(mark._replace(of="nothing"), found, None) is None
    assert report.bound_of(mark._replace(of=None), found, None) == 2.0


def small_lattice() -> lg.Graph:
    """A lattice, one of whose vertices is alone."""
    G = lg.grid(6, 5, backend=CPU)
    i, j, _ = G.A.to_coo()
    weight = np.arange(1, i.size + 1, dtype=np.float32)
    return lg.Graph.from_edges(i, j, weight, G.n + 1, False, "min", backend=CPU)


@pytest.mark.parametrize("graph", ["NY", "NE", "grid2048", "grid3000", "uniform22"])
def test_answers_of_the_cases_are_right(graph: str) -> None:
    cases = marks_cases.Cases(CPU)
    marks_gpu.CASES[graph](cases, small_lattice())
    rows, _ = race(cases.found.entries, marks.OnceClock(), CPU, 1, 1.0)
    assert {row["case"] for row in rows} >= {
        m.case for m in marks.MARKS if m.graph == graph and m.on == "gpu"
    }
    assert all(row["verified"] for row in rows)


@pytest.mark.parametrize("graph", ["GAP kron07", "GAP urand07", "Friendster uniform10"])
def test_answers_on_small_graphs_of_the_large_kinds_are_right(graph: str) -> None:
    _, _, ways = marks_gpu.ways(graph, CPU)
    rows, _ = race(ways.entries, marks.OnceClock(), CPU, 2, 1.0)
    name = graph[:-2] + ("26" if "Friend" in graph else "27")
    own = {row["case"] for row in rows if not row["case"].startswith("floor ")}
    assert own == {m.case for m in marks.MARKS if m.graph == name}
    assert all(row["verified"] for row in rows)
    floors = {row["case"]: row["operation"] for row in rows} if "urand" in graph else {}
    assert {f"floor of {case}" for case in own} <= floors.keys() or "urand" not in graph


def test_floors_are_the_reads_that_a_kernel_needs() -> None:
    G = marks_gap.made("GAP urand07", CPU)
    reads = {name: (count, bits) for name, (count, bits, _) in marks_gap.least_reads(G).items()}
    nnz = G.A.nvals
    assert reads["sssp"] == (nnz, 32) and reads["betweenness"] == (2 * nnz, 128)
    assert G.n <= reads["bfs"][0] <= nnz and reads["bfs"][1] == 1
    assert reads["pagerank"][0] % nnz == 0 and reads["pagerank"][0] >= nnz
    star = lg.Graph.from_edges([0] * 7, range(1, 8), directed=False, backend=CPU)
    hub, leaf = 14 / 8, 2 * 14 / 8  # a level pushes; after the last one nobody is left
    assert marks_gap.searched(star) == int((hub + 7 * leaf) / 8)


@pytest.mark.skipif(not hasattr(GPU.device, "schedule"), reason="the emulator looks at each access")
def test_random_reads_stay_inside() -> None:
    for bits in random_reads.BITS:
        read = random_reads.reader(GPU, 1 << 9, bits)
        read(1000)
        read(1)
    assert random_reads.rate(GPU, 1 << 6, 32, 500) > 0


def test_wrong_answers_of_the_kernels_of_gap_are_found() -> None:
    G = marks_gap.made("GAP urand07", CPU)
    label, rank = lg.connected_components(G), lg.pagerank(G, weight=None)
    triangles, degree = lg.triangle_count(G), G.out_degree.to_dense(fill_value=0)
    marks_gap.expect_components(G, label)
    marks_gap.expect_ranks(G, rank)
    counted = marks_gap.Counted(G, degree)
    counted(triangles)
    apart = label.dup()
    apart[5] = 5
    with pytest.raises(VerificationError, match="spread along the edges"):
        marks_gap.expect_components(G, apart)
    with pytest.raises(VerificationError, match="one more round"):
        marks_gap.expect_ranks(G, lg.pagerank(G, 0.5, weight=None))
    with pytest.raises(VerificationError, match="triangles, got"):
        counted(triangles + 1)


def test_a_wrong_answer_is_no_record() -> None:
    cases = marks_cases.Cases(CPU)
    cases("wrong", "1", lambda: 1, lambda got: marks_cases.expect(got == 2, "2"))
    with pytest.raises(VerificationError, match="wrong: 1: expected 2"):
        race(cases.found.entries, marks.OnceClock(), CPU, 1, 1.0)


def test_every_graph_of_a_mark_can_be_asked_for() -> None:
    made_apart = {"first calls", "17 diagonals", "rows of 4", "rows of 8", "rows of 64"}
    assert set(marks.graphs_of("gpu")) == marks_gpu.CASES.keys() | made_apart
    assert marks.main(["--backend", "cpu", "--graph", "ten vertices", "--case", "no such"]) == 2
    A = marks_gpu.uniform_rows("17 diagonals")
    assert np.diff(A.indptr).max() == 17 and marks_cpu.one_way_arcs(A[:50, :50]).nnz


def test_cliffs_end_with_their_seconds(tmp_path: Path) -> None:
    arguments = ["--backend", "cpu", "--edges", "6", "--samples", "1", "--case", "bfs"]
    assert cliffs.main([*arguments, "--budget", "-1", "--out", str(tmp_path)]) == 2
    assert not list(tmp_path.glob("*.json")), "nothing of ours to record"


def test_a_record_of_one_case_leaves_the_others_on_the_page() -> None:
    def made(date: str, **median: float) -> dict[str, Any]:
        rows = [{"case": case, "median_ms": ms} for case, ms in median.items()]
        return {"benchmark": "marks", "graph": "kron22", "layout": None, "device": "a GPU",
                "date": date, "measurements": rows}  # fmt: skip

    (found,) = report.newest([made("2026-02-02", bfs=1.0), made("2026-01-01", bfs=2.0, sssp=3.0)])
    assert {row["case"]: row["median_ms"] for row in found["measurements"]} == {
        "bfs": 1.0, "sssp": 3.0,
    }  # fmt: skip
