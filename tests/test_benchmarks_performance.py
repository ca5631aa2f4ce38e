"""The pages on performance: what their tables make of records, and that they show the newest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import performance_page, record, report
from benchmarks.performance_page import DEVICE, NONE, Aim, Figures

ROOT = Path(__file__).parents[1]


def found(benchmark: str, graph: str, median_ms: float = 1.0, **more: Any) -> record.Record:
    fixed = {"layout": None, "device": DEVICE, "verified": True, "date": "2026-11-20"}
    rows = {"roots": [1], "gteps_harmonic_mean": 1e3, "layout_ms": 2.0, "peers": {}}
    named = {"benchmark": benchmark, "graph": graph, "median_ms": median_ms}
    return {**fixed, **rows, **named, **more}


def row(case: str, median_ms: float, by: str = report.OURS, **more: Any) -> record.Record:
    return {"case": case, "by": by, "median_ms": median_ms, "verified": True, **more}


def line(table: str, *start: str) -> list[str]:
    """The cells of the line that starts so, after its start."""
    (cells,) = (
        [cell.strip() for cell in text.strip("|").split("|")]
        for text in table.splitlines()
        if text.startswith("| " + " | ".join(start) + " |")
    )
    return cells[len(start) :]


@pytest.mark.parametrize("page", [performance_page.PAGE, performance_page.NOTES])
def test_the_pages_show_the_newest_records(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    tables = performance_page.made(report.newest(report.read(record.RESULTS)))
    for name, table in tables[page].items():
        again = "run python -m benchmarks.performance_page"
        assert report.replaced(text, table, name) == text, again


def test_searches_stand_in_their_layouts_beside_others() -> None:
    peers = {"scipy": {"median_ms": 7.5}, "networkx": {"absent": "too large"}}
    held = [
        found("graph500-sssp", "kron22", 1.25),
        found("graph500-sssp", "kron22", 0.5, layout="degree"),
        found("graph500-sssp", "kron24", 0.9, layout="degree", layout_ms=20.84),
        found("closures", "kron22", measurements=[row("distances, natural", 1.06)]),
        found("bfs", performance_page.NEW_YORK, 0.87, peers=peers, date="2026-11-21"),
        found("bfs", "grid2048", 9.0, verified=False),
    ]
    table = performance_page.searches(Figures(held))
    cells = ["1.25", NONE, "0.5", "GSWITCH 7.65, distances alone; ours 1.06"]
    assert line(table, "`sssp`", "kron22") == cells
    assert line(table, "`bfs`", "New York")[-1].count("SciPy, on the CPU, 7.5;") == 1
    assert line(table, "`bfs`", "grid2048")[0] == NONE, "what is not verified is not shown"
    assert table.endswith(
        "To relabel kron24 with weights takes 20.8 ms. "
        "The records are of 20 November 2026 to 21 November 2026."
    )


def test_without_records_there_are_no_figures() -> None:
    for tables in performance_page.made([]).values():
        for name, table in tables.items():
            assert "The records" not in table
            assert table.startswith("Nothing" if name == "wanted" else "| "), name


def test_only_what_was_missed_is_slower_than_wanted() -> None:
    sums = [row("matrices", 2.0, of_copy=0.386)]
    own = [row("widest, a user's own", 4.9), row("distances, natural", 4.0)]
    held = [found("ewise", "kron22", measurements=sums), found("marks", "kron22", measurements=[])]
    held += [found("closures", "grid2048", measurements=own)]
    table = performance_page.wanted(Figures(held))
    what = "sums of matrices, `A + B`, on kron22 and grid2048, of the speed of a copy"
    assert line(table, what) == ["38.6%", "67%"]
    assert "a semiring of your own" not in table, "1.23 times, where 1.3 were allowed"
    assert not Aim("", [0.2, None], [0.3, 0.6]).missed and Aim("", [0.2, 0.7], [0.3, 0.6]).missed
    assert Aim("", [1.4], [1.5], most=True).missed and not Aim("", [None], [1.5], most=True).missed


def test_of_two_records_of_louvain_the_newer_counts() -> None:
    def both(marked: str) -> str:
        algorithms = found("algorithms", "kron22", measurements=[row("communities", 110.6)])
        marks = found("marks", "kron22", measurements=[row("louvain", 57.4)], date=marked)
        return performance_page.algorithms(Figures([algorithms, marks]))

    said = "`louvain`, with weights", "kron22"
    assert line(both("2026-11-29"), *said)[0] == "57.4"
    earlier = both("2026-11-19")
    assert line(earlier, *said)[0] == "111"
    assert earlier.endswith("The records are of 20 November 2026.")


def test_a_call_of_several_rounds_is_told_by_the_round() -> None:
    held = [found("algorithms", "kron22", measurements=[row("pagerank", 4.2)])]
    assert line(performance_page.algorithms(Figures(held)), "`pagerank`, a round", "kron22") == [
        "0.42", ""
    ]  # fmt: skip


def test_sizes_say_how_few_roots_they_are_of() -> None:
    held = [found("graph500-bfs", "kron30", layout="packed", roots=list(range(16)))]
    held += [found("graph500-bfs", "kron27", layout="packed", roots=list(range(64)))]
    cells = line(performance_page.sizes(Figures(held)), "bfs, packed rows")
    assert cells == ["1,000 (1,400)", NONE, NONE, "1,000 (1,500), 16 roots"]


def test_parts_of_lattices_are_those_of_closures() -> None:
    alone = {"parents": {"median_ms": 0.2, "gteps_harmonic_mean": 1398.0}}
    held = [found("graph500-bfs", "kron26", layout="degree", parts=alone)]
    held += [found("closures", "grid2048", measurements=[row("parents, degree", 2.65)])]
    cells = line(performance_page.in_parts(Figures(held)), "parents, relabelled")
    assert cells[4:] == ["1,398 GTEPS", "1,500", "2.65", "2.4"]
