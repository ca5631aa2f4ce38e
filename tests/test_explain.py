"""What ``lg.explain`` reports: the choices, the laws, the steps; and that it changes nothing."""

from __future__ import annotations

import json
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cli.command import main
from lagraph_gpu.errors import FormatError, InvalidValue, NoFixpoint
from lagraph_gpu.gpu.closure import closures
from lagraph_gpu.planning import closure_order, direction, many_sources, masked_product
from lagraph_gpu.planning.trace import (
    Choice,
    Traffic,
    explaining,
    laws_of,
    recording,
    tracing,
    traffic_of_products,
)
from semirings import any_secondi, lor_land, max_min, min_first, min_plus, plus_first, plus_times
from semirings.types import FP32, INT64
from tests import graphs
from tests.harness import BOTH, CPU, DEVICE, GPU, reseed
from tests.simt.device import EmulatedDevice

EMULATED = isinstance(DEVICE, EmulatedDevice)
FACTS = {
    f.name
    for kind in (direction.Facts, closure_order.OrderFacts, masked_product.MaskedFacts)
    for f in fields(kind)
}


@pytest.fixture(params=BOTH, ids=lambda b: b.name)
def backend(request: Any) -> Any:
    return request.param


@pytest.fixture(autouse=True)
def nobody_listens_before_and_after() -> Any:
    reseed(1)
    assert not recording()
    yield
    assert not recording()


def line(n: int, backend: Any, weight: Any = None) -> lg.Graph:
    return lg.Graph.from_edges(*graphs.path(n), weight, n=n, backend=backend)


def test_a_search(backend: Any) -> None:
    G = lg.kronecker(6, seed=1, backend=backend)
    expected, _ = lg.bfs(G, 1)
    with lg.trace() as traced:
        lg.bfs(G, 1)
    with lg.explain() as told:
        level, _ = lg.bfs(G, 1)
    assert level.isequal(expected)
    first = told.choices[0]
    assert first.what == "closure any_secondi" and first.chosen.startswith("by rounds")
    assert "any ends early" in first.laws and "does not read the matrix" in first.laws
    done = [s for s in told.steps if s.frontier]
    assert [(s.direction, s.frontier, s.edges) for s in done] == [
        (s.direction, s.frontier, s.edges) for s in traced
    ]
    assert {s.direction for s in done} == {"push", "pull"}
    for step in done:
        assert step.looked is not None and step.bytes is not None
        assert step.bytes >= 4 * (step.looked + step.frontier)
        assert step.direction == "pull" or step.looked == step.edges
    found = sum(s.looked or 0 for s in done if s.direction == "pull")
    assert found <= level.nvals


def test_the_order_and_its_figures() -> None:
    G = lg.kronecker(6, seed=1, weights="integer", backend=GPU)
    with lg.explain() as told:
        lg.bfs(G, 1)
        lg.sssp(G, 1)
    search, paths, tree = told.choices
    assert "mean degree 11.9" in search.because and "not deep" in search.because
    share = direction.alpha(early_exit=True, resident=True)
    assert f"1 in {share}" in search.because
    assert search.facts["threshold"] == G.A.nvals // share
    assert paths.what == "closure min_plus" and paths.chosen == "by delta, in 5 kernels"
    assert "ordered y >= 0" in paths.laws and "reads the matrix" in paths.laws
    assert "width" in paths.because and paths.facts["width"] > 0
    assert tree.what == "tree min_plus" and not tree.steps
    assert {s.direction for s in paths.steps} == {"push", "pull"}
    assert all(s.looked == s.edges for s in paths.steps)


def test_it_does_not_change_the_choice() -> None:
    """A trace makes a search go by rounds; an explanation does not change the choice."""
    G = line(40, GPU)
    with lg.explain() as told:
        level, _ = lg.bfs(G, 0)
    assert told.choices[0].chosen == "by delta, in one kernel"
    assert "deep" in told.choices[0].because
    assert level.to_dense().tolist() == list(range(40))
    with lg.trace() as steps, lg.explain() as told:
        lg.bfs(G, 0)
    assert told.choices[0].chosen == "by rounds, in one kernel" and len(steps) == 40
    assert "the rounds are asked for" in told.choices[0].because


@pytest.mark.parametrize(
    "schedule, ring, because",
    [
        (lg.Schedule("push"), min_plus, "every round as the schedule says: push"),
        (lg.Schedule("hybrid"), min_plus, "fixes the direction"),
        (lg.Schedule(order="rounds"), min_plus, "the schedule asks for it"),
        (lg.Schedule(order="delta", width=2.5), min_plus, "width 2.5"),
        (lg.Schedule(loop="host"), min_plus, "the schedule asks for it"),
        (lg.Schedule(balance="warp"), min_plus, "a balance"),
        (None, min_first, "deep; width inf"),
        (None, max_min, "width"),
    ],
    ids=str,
)
def test_what_a_schedule_or_a_law_decides(schedule: Any, ring: Any, because: str) -> None:
    G = line(6, GPU, np.arange(1.0, 6.0))
    x0 = lg.Vector.from_coo([0], [9.0], size=6, backend=GPU)
    expected = lg.closure(x0, G.A, ring, schedule=schedule)
    with lg.explain() as told:
        assert lg.closure(x0, G.A, ring, schedule=schedule).isequal(expected)
    assert because in told.choices[0].because and told.steps
    with lg.explain() as bounded:
        lg.closure(x0, G.A, min_plus, max_rounds=2)
    assert "the rounds are bounded" in bounded.choices[0].because and len(bounded.steps) == 2


@pytest.mark.parametrize(
    "schedule", [None, lg.Schedule(order="delta"), lg.Schedule("pull")], ids=str
)
def test_the_rows_of_a_matrix(schedule: Any, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They go in step, but for lengths on the CPU, which has an order for them, and where a GPU is
    faster with one row after another."""
    monkeypatch.setattr(many_sources, "rows_apart", lambda rows, *_: rows == 2)
    G = lg.grid(4, 4, weights="integer", backend=backend)
    by_heap = backend is CPU and (schedule is None or schedule.order == "delta")
    for rows in (2, 3):
        sources = [0, 5, 7][:rows]
        x0 = lg.Matrix.from_coo(
            range(rows), sources, 0.0, "FP32", nrows=rows, ncols=16, backend=backend
        )
        with lg.explain() as report:
            x = lg.closure(x0, G.A, min_plus, schedule=schedule)
        choice = report.choices[0]
        assert (choice.chosen == "by a heap") == by_heap and choice.what == "closure min_plus"
        apart = backend is GPU and rows == 2
        by_order = schedule is None or schedule.order == "delta"
        way = "in copies of the graph" if by_order else "row by row"
        assert (choice.chosen == way) == apart
        assert by_heap or apart or "a matrix go on in step" in choice.because
        one = lg.closure(G.point(5, 0.0), G.A, min_plus)
        assert x[1, :].new().isequal(one)


def test_orders_that_the_values_forbid() -> None:
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 3], [2.0, -1.0, 1.0], nrows=4, ncols=4, backend=GPU)
    x0 = lg.Vector.from_coo([0], [0.0], size=4, backend=GPU)
    with lg.explain() as told:
        lg.closure(x0, A, min_plus)
    assert "but not y >= 0 for all weights" in told.choices[0].because
    x0[1] = float("nan")
    with lg.explain() as told:
        lg.closure(x0, line(4, GPU, [1.0, 1.0, 1.0]).A, min_plus)
    assert [c.chosen for c in told.choices] == [
        "by delta, in one kernel", "by rounds, in one kernel"]  # fmt: skip
    assert "NaN" in told.choices[1].because and not told.choices[0].steps


def test_products_outside_closures(backend: Any) -> None:
    n = 300
    i = np.arange(2 * n) % n
    j = np.append(7 * i[:n], 7 * i[:n] + 1) % n
    A = lg.Matrix.from_coo(i, j, i.astype(np.float32), nrows=n, ncols=n, backend=backend)
    few = lg.Vector.from_coo([1, 2, 3], 1, "FP32", size=n, backend=backend)
    all_of_them = lg.Vector.from_dense(np.ones(n, np.float32), backend=backend)
    mask = lg.Vector.from_coo([0, 7], 1, size=n, backend=backend)
    with lg.explain() as told:
        plus_times(few @ A).new()
        for _ in range(2):
            plus_times(all_of_them @ A).new()
        w = lg.Vector("FP32", n, backend=backend)
        w(mask.S, schedule=lg.Schedule("pull")) << plus_times(few @ A)
        min_plus(plus_times(few @ A).new() @ A).new()
        plus_times(A @ A).new()
    once = "pull" if backend is GPU else "push"  # SuiteSparse does not transpose for one product
    assert [c.chosen for c in told.choices] == ["push", once, "pull", "pull", "push", "push"]
    assert "no more than 1 in 2" in told.choices[0].because
    assert ("which has not been needed before" in told.choices[1].because) == (backend is CPU)
    assert "more than 1 in 2" in told.choices[2].because
    assert told.choices[3].because == "the schedule asks for it"
    looked = [s.looked for s in told.steps]
    assert looked[:3] == [6, 2 * n, 2 * n] and looked[3] <= 2 and looked[4] == 6  # a mask of two
    index = 4 if backend is GPU else 8
    first = Traffic(index + 4, index + 4, 4).of(6, 3, 6)
    assert told.steps[0].bytes == first


@pytest.mark.parametrize(("threads", "ways"), [(1, ["push"] * 3), (2, ["push", "pull", "pull"])])
def test_one_thread_pushes_what_it_adds(threads: int, ways: list[str]) -> None:
    """Several share a pull out better, which is worth a transpose the second time."""
    gb = pytest.importorskip("graphblas")
    A = lg.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], [1.0, 2.0, 3.0, 4.0], backend=CPU)
    u, w = (lg.Vector.from_dense(np.array([1.0, 2.0, 3.0]), backend=CPU) for _ in range(2))
    before, gb.ss.config["nthreads"] = gb.ss.config["nthreads"], threads
    try:
        with lg.explain() as told:
            for _ in range(3):
                w("plus") << plus_times(u @ A)
    finally:
        gb.ss.config["nthreads"] = before
    assert [c.chosen for c in told.choices] == ways
    assert ("one thread adds" in told.choices[0].because) == (threads == 1)
    assert w.to_dense().tolist() == [1 + 3 * 12, 2 + 3 * 1, 3 + 3 * 8]


def test_a_selector_is_pushed_through() -> None:
    """And not transposed, however many entries there are."""
    n = 50
    place = lg.Vector.from_dense(np.arange(n) // 10, backend=GPU)
    u = lg.Vector.from_dense(np.ones(n), backend=GPU)
    with lg.explain() as told:
        sums = plus_first(u @ place.selector()).new()
    (choice,) = told.choices
    assert choice.chosen.startswith("push") and "no row has more than 1 entry" in choice.because
    assert sums.to_dict() == dict.fromkeys(range(5), 10.0)


def test_products_within_a_mask() -> None:
    A = lg.Matrix.from_dense(np.ones((20, 20), np.int64), backend=GPU)
    C = lg.Matrix("INT64", 20, 20, backend=GPU)
    with lg.explain() as told:
        C(A.S) << plus_times(A @ A)
    (choice,) = told.choices
    assert choice.what == "matrix product plus_times" and "within the mask" in choice.chosen
    assert (
        f"saxpy costs {20**3 + 20 * masked_product.ROW:,}" in choice.because
        and choice.facts["wanted"] == 400
    )
    assert choice.facts["walked"] is None  # for dot would have to transpose A first


@pytest.mark.parametrize("n", [1, 5])
def test_empty_graphs(n: int, backend: Any, tmp_path: Path) -> None:
    G = lg.Graph.from_edges([], [], n=n, backend=backend)
    with lg.explain() as told:
        lg.bfs(G, 0)
        lg.closure(lg.Vector("INT64", n, backend=backend), G.A, min_plus)
    assert told.choices and str(told)
    assert sum(s.edges for s in told.steps) == 0
    json.dumps(told.record(), allow_nan=False)


def test_nothing_happened(tmp_path: Path) -> None:
    with lg.explain() as told:
        pass
    assert str(told) == "nothing was chosen" and told.record() == {"choices": []}
    with pytest.raises(InvalidValue, match="to draw, got none"):
        told.plot(tmp_path / "nothing.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("order", ["degree", "bfs", [3, 2, 1, 0]])
def test_layouts_are_told(order: Any, backend: Any) -> None:
    """The layout that was made, its bytes, and the time if there is a clock."""
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [1.5, 2, 3], directed=False, backend=backend)
    named = {"degree": "by falling degree", "bfs": "breadth-first"}
    for what, make in (("another graph", G.relabel), ("a copy inside", G.prepared)):
        with lg.explain() as told:
            made = make(order)
        choice = told.choices[-1]
        if made is G:
            assert (backend, choice.what, choice.chosen) == (CPU, "layout", "none")
            continue
        how = named[order] if isinstance(order, str) else "as given"
        assert (choice.what, choice.chosen) == ("layout", f"{what}, {how}")
        assert (choice.facts["n"], choice.facts["entries"]) == (4, 6)
        assert (choice.microseconds is None) == (backend is GPU and EMULATED)
        if backend is GPU:  # offsets, columns, values; ids, or numbers there and back
            assert choice.facts["bytes"] == 4 * 5 + 4 * 6 + 8 * 6 + 8 * 4
        assert f"4 vertices and 6 entries, {choice.facts['bytes']} bytes" in str(told)
        assert choice.microseconds is None or choice.because.endswith(" µs")
        assert told.record()["choices"][-1]["facts"]["bytes"] == choice.facts["bytes"]


def test_each_block_hears_what_happens_in_it(backend: Any) -> None:
    G = lg.grid(3, 3, backend=backend)
    with lg.explain() as outer:
        lg.bfs(G, 0)
        before = len(outer.choices)
        with lg.explain() as inner:
            lg.bfs(G, 4)
        after = len(outer.choices)
        lg.bfs(G, 8)
    assert 0 < before < after < len(outer.choices)
    told = [(c.what, c.because, c.steps) for c in inner.choices]
    assert [(c.what, c.because, c.steps) for c in outer.choices[before:after]] == told
    with lg.trace() as steps, lg.trace() as also:
        lg.bfs(G, 0)
    assert steps == also and steps


def test_an_exception_ends_it(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 0], [-1, 0], nrows=3, ncols=3, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=3, backend=backend)
    with pytest.raises(NoFixpoint), lg.explain() as told:
        lg.closure(x0, A, min_plus)
    assert not explaining() and not tracing()
    assert told.choices[0].what == "closure min_plus" and len(told.steps) >= 3


def test_threads_are_apart() -> None:
    """Each thread hears its own; a block around the start of a thread hears nothing of it."""
    told: dict[int, Any] = {}
    barrier = threading.Barrier(2, timeout=60)

    def work(n: int) -> None:
        with lg.explain() as mine:
            barrier.wait()
            lg.bfs(line(n, CPU), 0)
            barrier.wait()
        told[n] = mine

    with lg.explain() as around:
        threads = [threading.Thread(target=work, args=(n,)) for n in (3, 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not around.choices
    assert {n: len(t.steps) for n, t in told.items()} == {3: 3, 6: 6}


def test_it_costs_nothing_when_nobody_asks(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.kronecker(5, seed=1, weights="integer", backend=backend)

    def work() -> None:
        lg.bfs(G, 1)
        lg.sssp(G, 1)
        plus_times(lg.Vector.from_coo([1], [1], size=G.n, backend=backend) @ G.A).new()

    def spent() -> tuple[int, int]:
        waits, launches = DEVICE.waits, getattr(DEVICE, "launches", 0)
        work()
        return DEVICE.waits - waits, getattr(DEVICE, "launches", 0) - launches

    work()
    before = spent()
    with lg.explain() as told:
        asked = spent()
    assert told.choices
    if backend is GPU:
        assert asked[0] > before[0]  # such as for the log

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("computed for nobody")

    for name in ("tell", "took", "traffic_of_products", "laws_of", "record"):
        for module in (
            closures,
            *(
                __import__("sys").modules[f"lagraph_gpu.{m}"]
                for m in (
                    "gpu.spmv.products",
                    "gpu.backend",
                    "gpu.spgemm.matrix_products",
                    "cpu.backend",
                )
            ),
        ):
            if hasattr(module, name) and name != "record":
                monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(type(DEVICE), "stopwatch", refuse)
    assert spent() == before
    with lg.trace() as steps:  # a trace of steps has nothing else
        work()
    assert steps and all(s.bytes is s.looked is s.microseconds is None for s in steps)


@pytest.mark.parametrize("search", [lg.bfs, lg.sssp], ids=lambda f: f.__name__)
@pytest.mark.parametrize("order", ["rounds", None])
def test_rounds_share_the_time_of_their_kernel(
    search: Any, order: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = lg.kronecker(5, seed=1, weights="integer", backend=GPU)
    if EMULATED:
        with lg.explain() as told:
            search(G, 1)
        assert all(s.microseconds is None and s.cycles for s in told.steps)
        assert "cycles" in str(told) and "µs" not in str(told)
        monkeypatch.setattr(DEVICE, "stopwatch", lambda: lambda: 50.0)
    with lg.explain() as told:
        search(G, 1, schedule=lg.Schedule(order=order))
    kernel = told.choices[0]
    assert kernel.microseconds and kernel.cycles
    assert 0 < sum(s.microseconds or 0 for s in kernel.steps) < kernel.microseconds
    for s in kernel.steps:
        assert s.cycles and s.microseconds
        assert s.microseconds == pytest.approx(s.cycles * kernel.microseconds / kernel.cycles)
    assert "µs" in str(told)


def test_on_the_host_the_wall_clock() -> None:
    with lg.explain() as told:
        lg.bfs(lg.grid(4, 4, backend=CPU), 0)
    assert all(s.microseconds and s.microseconds > 0 and s.cycles is None for s in told.steps)


def test_a_log_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the last logged round is not known, and is left out."""
    monkeypatch.setattr("lagraph_gpu.gpu.closure.kernel_log.LOGGED", 4)
    for order in ("rounds", "delta"):
        schedule = lg.Schedule(order=order, width=0.5 if order == "delta" else None)
        with lg.explain() as told:
            x0 = lg.Vector.from_coo([0], [0], "INT64", size=50, backend=GPU)
            lg.closure(x0, line(50, GPU, np.ones(49, int)).A, min_plus, schedule=schedule)
        assert len(told.steps) == 3 and all(s.cycles > 0 for s in told.steps)  # type: ignore[operator]


def test_the_formula_of_bytes() -> None:
    one = traffic_of_products(min_plus, FP32, FP32, FP32, 4, 4)
    assert one == Traffic(entry=8, source=8, target=4) and one.of(10, 2, 3) == 108
    assert traffic_of_products(min_plus, FP32, None, FP32, 4, 8) == Traffic(
        entry=4, source=12, target=4
    )  # iso
    assert traffic_of_products(any_secondi, FP32, FP32, INT64, 4, 4) == Traffic(
        entry=4, source=4, target=8
    )


def test_the_laws_have_the_names_of_the_algebra() -> None:
    assert laws_of(plus_times, "FP32") == ("reads the matrix",)
    assert "ends early" in laws_of(lor_land, "BOOL") and "idempotent" in laws_of(lor_land, "BOOL")
    assert "ordered always" in laws_of(min_first, "INT64")


def test_every_law_has_its_figures() -> None:
    """The planner's sentences name only figures that are given with them."""
    more = dict.fromkeys(("alpha", "mean_degree", "dot", "saxpy", "words", "team", "width"), "?")
    for law in (vars(direction) | vars(masked_product)).values():
        if isinstance(law, str) and "{" in law:
            assert "?" in law.format(**more, **dict.fromkeys(FACTS - more.keys(), "?"))


def test_the_table_of_many_steps_is_short() -> None:
    with lg.explain() as told:
        lg.bfs(line(100, CPU), 0)
    text = str(told)
    assert "77 choices more" in text and "76 steps more" in text and len(text.splitlines()) < 60
    assert text.count("idempotent") == 2  # the laws of a semiring are said once for each kind


def test_a_record_is_json(backend: Any) -> None:
    G = lg.kronecker(5, seed=1, weights="integer", backend=backend)
    with lg.explain() as told:
        lg.sssp(G, 1, schedule=lg.Schedule(order="delta", width=np.inf))
    again = json.loads(json.dumps(told.record(), allow_nan=False))
    assert [c["what"] for c in again["choices"]] == [c.what for c in told.choices]
    assert set(again["choices"][0]) == {f.name for f in fields(Choice)}
    if backend is GPU:
        assert again["choices"][0]["facts"]["width"] is None


def test_a_picture(backend: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with lg.explain() as told:
        lg.bfs(lg.kronecker(5, seed=1, backend=backend), 1)
    figure = told.plot()  # of the closure, and of its tree where that is another choice
    assert [bar.get_height() for bar in figure.axes[0].patches] == [
        step.frontier for step in told.steps
    ][: len(figure.axes[0].patches)]
    assert not [*tmp_path.iterdir()]
    told.plot(tmp_path / "profile.SVG")
    assert "<svg" in (tmp_path / "profile.SVG").read_text()
    for name in ("x.xyz", "x.svg.gz", "x"):
        with pytest.raises(
            InvalidValue, match=r"picture's name to end in .*\.png.*\.svg.*, got .*x"
        ):
            told.plot(tmp_path / name)
    with pytest.raises(FormatError, match=r"there is no folder .*deeper'; make it first"):
        told.plot(tmp_path / "deeper" / "profile.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["profile.SVG"]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.gr"
    file.write_text("p sp 3 2\na 1 2 7\na 2 3 2\n")
    words = ["run", "bfs", str(file), "--source", "1", "--backend", "cpu", "--explain"]
    assert main(words) == 0
    assert "closure any_secondi" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["algorithm"] == "bfs" and "looked at" in said.err
