"""`lg.progress`, and the log: what is said of long calls."""

from __future__ import annotations

import inspect
import io
import logging
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu import reporting
from lagraph_gpu.errors import WrongType
from lagraph_gpu.io import stream
from tests.harness import CPU

Report = tuple[str, int, int | None]


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every step is reported, however short the call is."""
    monkeypatch.setattr(reporting, "SECONDS_BETWEEN_STEPS", 0.0)
    yield
    assert reporting.SHOWN.by is None


def graph(backend: Any = CPU) -> lg.Graph:
    return lg.grid(6, 6, weights="integer", backend=backend)


def test_statements_are_counted(backend: Any) -> None:
    G, told = graph(backend), list[Report]()
    with lg.progress(lambda *report: told.append(report)):
        lg.pagerank(G)
        first, told[:] = [*told], []
        lg.hits(G)
    for name, reports in (("pagerank", first), ("hits", told)):
        assert reports == [(name, k + 1, None) for k in range(len(reports))] and reports
    before = [*told]
    lg.pagerank(G)
    assert told == before


def test_searches_from_many_sources_have_a_total() -> None:
    G, told = graph(), list[Report]()
    with lg.progress(lambda *report: told.append(report)):
        lg.eccentricity(G)
        lg.distance_matrix(G)
    assert told[0] == ("eccentricity", 0, 36)
    assert told[-1] == ("distance_matrix", 36, 36)


def test_the_outer_one_of_two_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[Report]()
    with lg.progress(lambda *report: told.append(report)), reporting.call("all of it"):
        lg.pagerank(graph())
        lg.label_propagation(graph())
    assert {name for name, _, _ in told} == {"all of it"}


def test_reports_are_ten_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(reporting, "SECONDS_BETWEEN_STEPS", 0.1)
    monkeypatch.setattr(reporting.time, "monotonic", lambda: now[0])
    told = list[Report]()
    with lg.progress(lambda *report: told.append(report)), reporting.call("a call"):
        for _ in range(100):
            now[0] += 0.03
            reporting.step()
    assert [done for _, done, _ in told] == list(range(4, 101, 4))


def test_what_a_listener_raises_ends_the_call() -> None:
    """And the graph is as it was."""
    G = graph()

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), lg.progress(stop):
        lg.pagerank(G)
    assert lg.pagerank(G).isclose(lg.pagerank(graph()))


def test_it_stays_until_it_is_ended() -> None:
    told = list[Report]()
    assert repr(lg.progress(lambda *report: told.append(report))) == "progress: shown"
    lg.pagerank(graph())
    assert told
    with lg.progress(False):
        before = [*told]
        lg.pagerank(graph())
        assert told == before
    lg.progress(False)
    with pytest.raises(WrongType, match="expected True, False or a function"):
        lg.progress("all")  # type: ignore[arg-type]


def test_a_line_without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    with lg.progress():
        lg.eccentricity(graph())
        lg.pagerank(graph())
    shown = screen.getvalue().split("\r")
    assert any(line.startswith("eccentricity: 0 of 36 steps, 0 s") for line in shown)
    assert any(line.startswith("pagerank: 3 steps, 0 s") for line in shown)
    assert shown[-2].strip() == shown[-1] == ""


@pytest.mark.parametrize("has_tqdm", [True, False])
def test_one_of_several_processes_writes(
    has_tqdm: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reporting.SHOWN, "in_lines", False)
    line = reporting.Line("bfs")
    if not has_tqdm:
        line._new = None
    line("bfs", 3, 7)
    line.close()
    assert capsys.readouterr().err == ""


def test_a_bar_of_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[Any] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            self.options, self.n, self.total, self.closed = options, 0, None, False
            bars.append(self)

        def update(self, more: int) -> None:
            self.n += more

        def close(self) -> None:
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    with lg.progress():
        lg.distance_matrix(graph())
        lg.pagerank(graph())
    assert [bar.options["desc"] for bar in bars] == ["distance_matrix", "pagerank"]
    assert (bars[0].n, bars[0].total, bars[1].total) == (36, 36, None) and bars[1].n > 3
    assert all(bar.closed for bar in bars)


def test_tqdm_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    with lg.progress():
        lg.distance_matrix(graph())
    assert re.search(r"distance_matrix: .*36/36", screen.getvalue())


def test_a_notebook_without_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """There tqdm's own choice of a bar raises when a bar is made; the bar of text does."""
    pytest.importorskip("tqdm")

    def missing(**options: Any) -> None:
        raise ImportError("IProgress not found. Please update jupyter and ipywidgets.")

    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=missing))
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    with lg.progress():
        lg.distance_matrix(graph())
    assert re.search(r"distance_matrix: .*36/36", screen.getvalue())


def test_reading_tells_how_much_of_the_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK", 1 << 20)
    path, told = tmp_path / "edges.txt", list[Report]()
    path.write_text("12345 678901\n" * 300_000)
    with lg.progress(lambda *report: told.append(report)):
        lg.read(path, directed=True, dup="first", backend=CPU)
    blocks = [done for name, done, total in told if (name, total) == ("read", 3)]
    assert blocks == sorted(blocks) and blocks[0] >= 1 and blocks[-1] == 3


def test_the_log_is_silent_until_somebody_listens(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from tests.harness import GPU

    G = graph()
    caplog.set_level(logging.NOTSET, logger="lagraph_gpu")  # whatever a page has set
    G.to(GPU)
    assert not caplog.records
    assert any(isinstance(handler, logging.NullHandler) for handler in reporting.LOG.handlers)
    with caplog.at_level(logging.INFO, logger="lagraph_gpu"):
        G.to(GPU)
        G.to(CPU)  # it is there
        G.relabel("degree")
    told, line = [r.getMessage() for r in caplog.records], G._in_one_line()
    prepared = f"preparing a copy of {line} in another order"
    assert told == [f"copying {line} to gpu", prepared]


# --- of one call ---------------------------------------------------------------------------------
def of_graphs() -> dict[str, Any]:
    """The public functions of a graph."""
    public = {name: getattr(lg, name) for name in lg.__all__}
    named = {name: f for name, f in public.items() if inspect.isfunction(f)}
    return {
        name: f
        for name, f in named.items()
        if next(iter(inspect.signature(f).parameters), "") == "G"
    }


@pytest.mark.parametrize("name", sorted(of_graphs()))
def test_every_function_of_a_graph_takes_progress(name: str) -> None:
    function = of_graphs()[name]
    assert inspect.signature(function).parameters["progress"].default is None
    parameters = function.__doc__.partition("Parameters\n")[2].partition("Raises\n")[0]
    assert parameters.partition("Returns\n")[0].count("\n    progress : bool or function") == 1


def test_a_call_alone_is_told_of() -> None:
    G, told = graph(), list[tuple[int, int | None]]()
    rank = lg.pagerank(G, progress=lambda *report: told.append(report))
    assert told == [(k + 1, None) for k in range(len(told))] and len(told) > 3
    told.clear()
    lg.eccentricity(G, progress=lambda *report: told.append(report))
    assert told[0] == (0, 36)
    told.clear()
    lg.distance_matrix(G, progress=lambda *report: told.append(report))
    lg.contract(G, core=4, progress=lambda *report: told.append(report))
    assert (36, 36) in told and told[-1][1] == 36
    told.clear()
    assert lg.pagerank(G).isequal(rank) and not told and reporting.SHOWN.calls == 0


def test_a_call_alone_is_silent() -> None:
    told = list[Report]()
    with lg.progress(lambda *report: told.append(report)):
        lg.pagerank(graph(), progress=False)
        lg.distance_matrix(graph(), progress=False)
        assert not told
        lg.pagerank(graph(), progress=None)
    assert told


def test_a_call_alone_has_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    lg.write(graph(), path := tmp_path / "g.el")
    lg.read(path, backend=CPU, progress=True)
    lg.pagerank(graph(), progress=True)
    lg.distance_matrix(graph(), progress=True)
    assert len([*lg.iter_distances(graph(), memory=1 << 14, progress=True)]) > 1
    shown = screen.getvalue()
    for line in (
        "read: ",
        "pagerank: 3 steps",
        "distance_matrix: 36 of 36",
        "iter_distances: 36 of",
    ):
        assert line in shown
    assert shown.endswith("\r")


@pytest.mark.parametrize("function", [lg.pagerank, lg.distance_matrix])
def test_a_call_that_fails_is_over(function: Any) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        function(graph(), progress=stop)
    assert reporting.SHOWN.calls == 0 and reporting.reports() is None
    with pytest.raises(WrongType, match="a function of two numbers as progress, got 'all'"):
        function(graph(), progress="all")
