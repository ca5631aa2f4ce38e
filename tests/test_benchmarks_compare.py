"""The benchmark of other libraries: its answers are judged, and the page shows the records."""

from __future__ import annotations

import argparse
import weakref
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from benchmarks import compare, compare_functions, compare_page, compare_players, record, report
from lagraph_gpu.errors import VerificationError

ROOT = Path(__file__).resolve().parents[1]
FEW = argparse.Namespace(samples=1, budget=5.0, seed=1, commit=None)


@pytest.fixture(scope="module")
def task() -> compare_players.Task:
    return compare_players.Task("kron7", 1)


def test_the_right_answers_are_networkx(task: compare_players.Task) -> None:
    """What every library is compared with, by a library that is none of the judges."""
    g = nx.Graph()
    g.add_nodes_from(range(task.n))
    g.add_weighted_edges_from(task.edges())
    cores = nx.core_number(g)
    assert task.expected("cores").tolist() == [cores[v] for v in range(task.n)]
    assert task.expected("transitivity") == pytest.approx(nx.transitivity(g))
    rank = nx.pagerank(g, weight=None, tol=1e-15)
    assert np.abs(task.expected("pagerank") - [rank[v] for v in range(task.n)]).sum() < 1e-9


def test_a_record(task: compare_players.Task) -> None:
    """Ours, SciPy's and NetworkX' results are right; who is not installed is absent."""
    found = compare.measure("kron7", FEW)
    assert record.faults(found) == []
    rows = {(m["case"], m["by"]): m for m in found["measurements"]}
    assert len(rows) == len(compare.CASES) * len(compare_players.PLAYERS)
    for (case, by), row in rows.items():
        if by in ("lagraph-gpu", "scipy", "networkx") and "absent" not in row:
            assert row["verified"] and row["checked"] == len(row["samples_ms"]), (case, by)
    assert rows["cores", "scipy"]["absent"] == "has no such function"


def test_a_wrong_result_is_told(task: compare_players.Task) -> None:
    plays = compare_players.ours(task)
    right = task.expected("hops")
    wrong = plays["hops"]._replace(dense=lambda _: right + 1)
    [row] = compare.race("hops", {"scipy": wrong}, right, task, FEW)
    assert not row["verified"]
    with pytest.raises(VerificationError, match="hops"):
        compare.race("hops", {"lagraph-gpu": wrong}, right, task, FEW)


def test_nobody_is_timed_while_the_result_of_another_is_freed(task: compare_players.Task) -> None:
    held: list[weakref.ref[np.ndarray]] = []

    def work() -> np.ndarray:
        assert not any(result() is not None for result in held)
        result = np.zeros(task.n)
        held.append(weakref.ref(result))
        return result

    play = compare_players.Play("zeros", work)
    compare.race("hops", {"scipy": play, "igraph": play}, np.zeros(task.n), task, FEW)
    assert len(held) == 4  # two turns, the first to warm up


def test_every_task_names_a_function_of_each_library() -> None:
    for row in compare_functions.TASKS.values():
        assert len(row.split()) == len(compare_functions.LIBRARIES)
    for library in ("lagraph-gpu", "scipy", "networkx"):
        assert compare_functions.found(library)
    for tasks in compare_functions.DOCUMENTED.values():
        assert set(tasks.split("/")) < set(compare_functions.TASKS)


def test_the_page_shows_the_records() -> None:
    text = (ROOT / compare_page.PAGE).read_text(encoding="utf-8")
    every = report.newest(report.read(record.RESULTS))
    held = compare_page.recorded(every)
    assert len(held) == len(compare_page.GRAPHS)
    shown = {
        "ahead": compare_page.ahead(held),
        "times": compare_page.times(held),
        "functions": compare_page.functions(held),
        "gpu": report.figures(every),
    }
    for name, table in shown.items():
        assert report.replaced(text, table, name) == text, "run python -m benchmarks.compare_page"


def test_who_is_ahead_comes_first() -> None:
    def made(by: str, ms: float) -> record.Record:
        return {"case": "hops", "by": by, "samples_ms": [ms, ms + 1], "verified": True}

    rows = [
        {**made(by, ms), "case": case}
        for case in compare.CASES
        for by, ms in (("lagraph-gpu", 4.0), ("scipy", 1.0), ("igraph", 2.0), ("networkit", 3.9))
    ]
    table = compare_page.ahead([{"graph": "kron14", "measurements": rows}]).splitlines()[2:]
    assert len(table) == 2 * len(compare.CASES), "2.5% faster is as fast"
    assert all("SciPy" in line for line in table[: len(compare.CASES)])
