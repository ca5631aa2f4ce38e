"""The benchmark of cells beside peers: whoever crashes, fails or takes too long is left out."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import cells
from benchmarks.cells_graphs import FAMILIES, OURS, Asked, Graphs


def spin() -> None:
    while True:
        pass


def crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise RuntimeError("no such graph")


def quick() -> int:
    return sum(range(10))


def slow() -> int:
    return sum(range(10_000))


def test_the_best_peer_counts() -> None:
    cell = cells.measured(
        "star", "sum", {OURS: slow, "slower": lambda: (slow(), slow()), "b": quick}
    )
    assert cell.us.keys() == {OURS, "slower", "b"} and cell.best == "b"
    assert cell.ratio == cell.us[OURS] / cell.us["b"] > 2
    assert cell.line().split()[3:] == ["b", "star", "sum"]


@pytest.mark.parametrize("other", [spin, crash, fail])
def test_a_peer_is_left_out(
    other: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cells, "PEER_S", 0.2)
    asked: Asked = {OURS: quick, "other": other, "third": quick}  # type: ignore[dict-item]
    assert cells.measured("star", "sum", asked).us.keys() == {OURS, "third"}
    assert capsys.readouterr().out.startswith("-- star, sum: other ")


def test_who_waits_for_ever_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "LONGEST_S", 0.5)
    asked: Asked = {OURS: quick, "other": partial(time.sleep, 3600), "third": quick}
    assert cells.measured("star", "sum", asked).us.keys() == {OURS, "third"}


@pytest.mark.parametrize("ours", [spin, crash, fail])
def test_without_an_answer_there_is_no_ratio(
    ours: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cells, "OURS_S", 0.2)
    asked: Asked = {OURS: ours, "other": quick, "third": quick}  # type: ignore[dict-item]
    assert OURS not in cells.measured("star", "sum", asked).us
    assert capsys.readouterr().out.startswith(f"-- star, sum: {OURS} ")


def test_a_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def questions(g: Graphs) -> Iterator[tuple[str, Asked]]:
        yield "bfs", {OURS: lambda: lg.bfs(g.G, g.source), "other": quick}
        yield "sum", {OURS: quick, "other": slow}
        yield "dfs", {OURS: crash, "other": slow}

    monkeypatch.setattr(cells, "questions", questions)
    assert cells.main(["--edges", "100", "--family", "star", "--least", "1"]) == 0
    cell, _, count = capsys.readouterr().out.splitlines()
    assert cell.split()[3:] == ["other", "star", "bfs"]
    assert count == "2 cells: 1 above 1, 1 above 1.2, 1 above 2"


@pytest.mark.parametrize("family", FAMILIES)
def test_all_have_the_same_graph(family: str) -> None:
    with lg.backend("cpu"):
        g = Graphs(FAMILIES[family](5000))
    assert 2000 < g.m == g.G.nedges == g.W.nedges == g.D.nedges == g.DAG.nedges < 7000
    assert g.array(directed=False, weighted=True).nnz == 2 * g.m
    np.testing.assert_array_equal(
        g.array(directed=True, weighted=True).toarray(), g.DW.A.to_dense(fill_value=0)
    )
    assert (g.i < g.j).all()
