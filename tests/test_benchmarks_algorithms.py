"""The benchmark of algorithms: what its record holds, and judges that say no."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import algorithms, clock, operations, record
from benchmarks.algorithms import GraphProblem, Once
from lagraph_gpu.backend import resolve
from lagraph_gpu.errors import VerificationError
from tests.harness import GPU


@pytest.fixture
def problem() -> GraphProblem:
    return GraphProblem("kron6", resolve("cpu"))


def test_a_run_verifies_every_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "COPY_BYTES", {True: 1 << 16, False: 1 << 16})
    arguments = ["--graph", "kron6", "--graph", "grid5", "--samples", "2", "--backend", "cpu"]
    assert operations.main(algorithms.QUESTION, [*arguments, "--out", str(tmp_path)]) == 0
    found = [json.loads(path.read_text()) for path in sorted(tmp_path.iterdir())]
    assert [r["graph"] for r in found] == ["grid5", "kron6"]
    for r in found:
        assert record.faults(r) == [] and r["verified"] is True
        mine = [row for row in r["measurements"] if row["by"] == "lagraph-gpu"]
        assert len(mine) == 12 and all(row["checked"] == 2 for row in mine)
        for peer, many in (("scipy", 2), ("networkx", len(algorithms.IN_NETWORKX))):
            theirs = [row for row in r["measurements"] if row["by"] == peer]
            assert len(theirs) == many and all(row["verified"] for row in theirs)


def test_who_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text by python-graphblas beside a GPU; NetworkX where it takes no minutes."""
    monkeypatch.setattr(algorithms, "SMALL", 15)
    entries = algorithms.ways(GraphProblem("kron4", GPU))
    able = Counter(e.by for e in entries if isinstance(e, operations.Way))
    assert able == {"lagraph-gpu": 12, "python-graphblas": 11, "scipy": 2}
    for entry in entries:
        if isinstance(entry, operations.Way) and entry.by == "python-graphblas":
            entry.check(entry.work(None))
    why = {e.why for e in entries if isinstance(e, operations.Missing)}
    assert why == {"graphs of more than 15 vertices would take minutes"}


def test_another_answer_of_networkx_is_refused(problem: GraphProblem) -> None:
    theirs = algorithms.IN_NETWORKX["cores"]
    right = theirs.call(nx, problem.networkx)
    algorithms.agree(problem, "cores", theirs, right)
    with pytest.raises(VerificationError, match="cores: NetworkX has another answer"):
        algorithms.agree(problem, "cores", theirs, right | {0: -1})


def test_the_directed_graph_lacks_some_arcs_back(problem: GraphProblem) -> None:
    indptr, column, _ = problem.G.A.to_csr()
    row = np.repeat(np.arange(problem.n), np.diff(indptr))
    kept = (5 * row + 3 * column) % 7 != 0
    got = problem.directed.A.to_coo()
    assert got[0].tolist() == row[kept].tolist() and got[1].tolist() == column[kept].tolist()
    assert not problem.directed.A.isequal(problem.directed.A.T.new())


def test_a_later_result_is_verified_if_it_differs() -> None:
    seen: list[int] = []
    check = Once(seen.append)
    for result in (1, 1, 2, 2):
        check(result)
    assert seen == [1, 2]


@pytest.mark.parametrize("name", ["triangles", "pagerank", "betweenness"])
def test_own_judges_refuse_what_is_wrong(name: str, problem: GraphProblem) -> None:
    G = problem.G
    judge: Any = getattr(algorithms, f"check_{name}")
    if name == "triangles":
        right, wrong = lg.triangle_count(G), lg.triangle_count(G) + 1
    elif name == "pagerank":
        right = lg.pagerank(G, iterations=algorithms.ROUNDS, weight=None)
        wrong = lg.pagerank(G, iterations=algorithms.ROUNDS - 1, weight=None)
    else:
        seed = algorithms.seed_of_sources(problem)
        judge = partial(judge, seed=seed)
        given = {"endpoints": True, "weight": None, "seed": seed}
        right = lg.betweenness_centrality(G, k=algorithms.SOURCES, **given)
        wrong = lg.betweenness_centrality(G, k=algorithms.SOURCES + 1, **given)
    judge(problem, right)
    with pytest.raises(VerificationError):
        judge(problem, wrong)


def test_peers_with_other_answers_are_refused(problem: GraphProblem) -> None:
    with pytest.raises(VerificationError):
        algorithms.verify_labels(problem, np.arange(problem.n))
    with pytest.raises(VerificationError):
        algorithms.verify_weight(problem, 1.0)
