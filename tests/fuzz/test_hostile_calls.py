"""Hostile calls: a sample on the CPU and a few on the emulator; all with LAGRAPH_FUZZ=whole.

The whole, with a record, and pairs for hours: ``python -m tests.fuzz.hostile_calls``.
"""

from __future__ import annotations

import os
import pickle
import random
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import csgraph
from lagraph_gpu.errors import InvalidValue, LagraphError, WrongType, brief
from tests.fuzz.hostile_calls import Case, Worker, all_cases, attempt, pairs, run
from tests.fuzz.hostile_values import VALUES, NoText, Own, refuse
from tests.fuzz.public_calls import SELVES, World, by_name, calls

WHOLE = os.environ.get("LAGRAPH_FUZZ") == "whole"
COMPILED = {"lg.louvain", "lg.random_walks", "lg.closeness_centrality", "lg.harmonic_centrality"}
"""The loops of these take long to compile, which a sample need not wait for."""


def sample(seed: int, singles: int, doubles: int) -> list[Case]:
    rng = random.Random(seed)
    quick = [case for case in all_cases() if WHOLE or case[0] not in COMPILED]
    drawn = pairs(rng)
    return (quick if WHOLE else rng.sample(quick, singles)) + [next(drawn) for _ in range(doubles)]


def test_nothing_raw_comes_out() -> None:
    record = run(sample(1, 800, 200))
    assert not record.clusters, record.told()
    assert record.verdicts["ours"] > 3 * record.verdicts["returned"] > 0


def test_nor_on_the_emulator() -> None:
    record = run(sample(2, 25, 0), backend="emulator")
    assert not record.clusters, record.told()


def test_right_calls_succeed() -> None:
    """Else a hostile argument would be refused for what stands beside it."""
    world, wrong = World("cpu"), {}
    for call in calls():
        try:
            call.run(world, {})
        except LagraphError as problem:
            wrong[call.name] = str(problem)
    assert not wrong


def test_every_public_name_is_called() -> None:
    named = {call.name.rpartition(".")[2] for call in calls()}
    functions = {n for n in lg.__all__ if callable(getattr(lg, n)) and n[0].islower()}
    functions -= {n for n in functions if "namespaces" in type(getattr(lg, n)).__module__}
    assert functions - named <= {
        "explain",
        "init",
        "progress",
        "replace",
        "set_backend",
        "set_memory_limit",
        "trace",
    }
    assert set(csgraph.__all__) - named == {"NegativeCycleError"}
    assert len(VALUES) >= 90


def raw(world: World) -> Any:
    raise KeyError("raw")


def test_what_is_raw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = "Vector.dup", (("dtype", "text"),)
    assert attempt(World("cpu"), case).verdict == "ours"
    monkeypatch.setitem(SELVES, lg.Vector, raw)
    outcome = attempt(World("cpu"), case)
    assert outcome.verdict == "finding" and "KeyError" in outcome.error


def test_a_process_that_dies_is_found_and_replaced() -> None:
    worker = Worker("cpu")
    cases = [("Vector.dup", (("dtype", name),)) for name in ("text", "3")]
    try:
        outcomes = worker.run(cases)
        assert next(outcomes).verdict == "ours"
        worker.process.kill()
        worker.process.join()
        assert next(outcomes).verdict == "died"
        assert next(worker.run(cases)).verdict == "ours"
    finally:
        worker.stop()


def test_what_functions_of_the_caller_raise_comes_back() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    with pytest.raises(Own):
        G.kept(refuse)
    with pytest.raises(Own):
        lg.distance_matrix(G, progress=refuse)
    with pytest.raises(WrongType, match="a function of two numbers as progress, got 3"):
        lg.distance_matrix(G, progress=3)


@pytest.mark.parametrize("flag", [1, None, "yes", np.array([True, False]), [True]])
def test_flags(flag: Any) -> None:
    v = lg.Vector("FP64", 3, backend="cpu")
    with pytest.raises(InvalidValue, match="expected clear as True or False, got"):
        v.dup(clear=flag)
    assert v.dup(clear=np.True_).nvals == 0


def test_doors_are_found_by_pickle() -> None:
    for function in (lg.random_graph, lg.bfs, csgraph.dijkstra):
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_values_in_messages_are_short() -> None:
    for name, make in VALUES.items():
        assert len(brief(make())) < 1000, name
    assert brief(NoText()).startswith("<NoText instance at")
    with pytest.raises(InvalidValue, match="got an integer of 16610 bits"):
        lg.Schedule(direction=10**5000)  # type: ignore[arg-type]


def test_steps_beyond_a_type() -> None:
    """A step whose sum with a distance wrapped around led to rounds without end."""
    G = lg.Graph.from_edges([0, 1], [1, 2], [2, 3], backend="cpu")
    for step in (np.uint64(2**64 - 1), 2**62, 1e300, np.inf):
        assert lg.shortest_path_between(G, 0, 2, step=step) == (5, [0, 1, 2])
    with pytest.raises(InvalidValue, match="expected step"):
        lg.shortest_path_between(G, 0, 2, step=10**5000)


@pytest.mark.parametrize("way", ["plus", "apply", "product", "select"])
def test_expressions_that_are_too_deep(backend: Any, way: str) -> None:
    """Parts of them are computed on the way, so they give what a loop of statements gives."""
    world = World(backend)
    v, A = world.vector(), world.matrix()
    deeper: Any = {
        "plus": lambda e: e + v, "apply": lambda e: e.apply("abs"),
        "product": lambda e: lg.semiring.plus_times(e @ A), "select": lambda e: e.select(">", 0),
    }[way]  # fmt: skip
    expression, step = v, v.dup()
    for _ in range(1_000):
        expression = deeper(expression)
        step = deeper(step).new()
    out = world.vector()
    out << expression
    assert expression.new().isequal(step) and out.isequal(step)


def test_every_callable_has_a_name_of_its_own() -> None:
    assert len(by_name()) == len(calls())
