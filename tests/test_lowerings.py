"""Each lowering of each backend beside the statements that define the operation.

`tests/operands.py` says how operands are drawn, and `tests/answers.py` what of an answer is fixed.
An operation for which a backend has a lowering and which is not in the table of operands fails the
test.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagraph_gpu.errors import LagraphError
from lagraph_gpu.gpu.on_host.narrow_graphs import Least, NarrowGraphs
from lagraph_gpu.planning.host_or_device import HostDeviceCost
from tests import graphs
from tests.answers import answer, is_of_use, same, spoiled
from tests.harness import BOTH, CPU, GPU, reseed
from tests.operands import DRAWN, OPERATIONS, PLACES, operands_of
from tests.strategies import any_graph, examples, seeds

WITH_LOWERING = {backend.name: frozenset(backend.lowerings) for backend in BOTH}
"""The operations that have a lowering."""


def check(name: str, example: graphs.Example, seed: int, backend: Any) -> None:
    operation = OPERATIONS[name.split()[0]]
    if example.n == 0 or operation not in WITH_LOWERING[backend.name]:
        return
    mine, theirs, shown = (operands_of(name, example, seed, backend) for _ in range(3))
    found = answer(name, backend.lowerings[operation], mine)
    if found is not None:  # else there is nothing for these operands, and the statements do it
        assert same(name, found, answer(name, operation.statements, theirs), shown)


@pytest.fixture(autouse=True)
def every_size_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GPU.coordinates, "least", 0)
    monkeypatch.setattr(GPU.label_argmax, "many", 8)
    monkeypatch.setattr(GPU.exchange, "read_whole", 0)
    for most in ("most_for_matching", "most_for_leiden"):
        monkeypatch.setattr(GPU.small_graphs, most, 1 << 20)


@pytest.fixture
def every_graph_is_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is searched by the host (`tests/test_host_loops.py` says which are)."""
    monkeypatch.setattr(GPU.narrow_graphs, "least", Least(0, 0))
    monkeypatch.setattr(type(GPU.narrow_graphs), "may_be_narrow", lambda *_, **__: True)
    monkeypatch.setattr(type(GPU.narrow_graphs), "_is_narrow", lambda *_: True)
    monkeypatch.setattr(HostDeviceCost, "is_less_on_host", lambda *_: True)


@pytest.mark.parametrize("name", DRAWN)
@examples(25)
@given(example=any_graph(), seed=st.integers(0, 2**16))
def test_on_the_cpu(name: str, example: graphs.Example, seed: int) -> None:
    check(name, example, seed, CPU)


@pytest.mark.parametrize("name", DRAWN)
@examples(4)
@given(example=any_graph(), seed=seeds)
def test_on_the_gpu(name: str, example: graphs.Example, seed: int) -> None:
    reseed(seed)
    check(name, example, seed, GPU)


OF_NARROW_GRAPHS = [
    name
    for name in DRAWN
    if getattr(GPU.lowerings.get(OPERATIONS[name.split()[0]]), "__qualname__", "").startswith(
        NarrowGraphs.__name__
    )
]


@pytest.mark.usefixtures("every_graph_is_narrow")
@pytest.mark.parametrize("name", OF_NARROW_GRAPHS)
@examples(4)
@given(example=any_graph(), seed=seeds)
def test_narrow_graphs_on_the_gpu(name: str, example: graphs.Example, seed: int) -> None:
    check(name, example, seed, GPU)


@pytest.mark.parametrize("backend", BOTH, ids=["cpu", "gpu"])
def test_the_table_has_every_lowering(backend: Any) -> None:
    assert set(backend.lowerings) - PLACES <= set(OPERATIONS.values())
    assert {name.split()[0] for name in DRAWN} == set(OPERATIONS)


LOWERED = [
    pytest.param(name, backend, id=f"{name} on the {backend.name}")
    for name in DRAWN
    for backend in BOTH
    if OPERATIONS[name.split()[0]] in backend.lowerings
]


@pytest.mark.usefixtures("every_graph_is_narrow")
@pytest.mark.parametrize(("name", "backend"), LOWERED)
def test_a_wrong_answer_is_found(name: str, backend: Any) -> None:
    """The lowering has an answer of some entries for a graph of 33 vertices, and the judge refuses
    whatever differs from it."""
    operation, example = OPERATIONS[name.split()[0]], graphs.NAMED["random 33"]
    for seed in range(30):
        mine, theirs, shown = (operands_of(name, example, seed, backend) for _ in range(3))
        found = answer(name, backend.lowerings[operation], mine)
        if found is not None and (wrong := list(spoiled(found))) and is_of_use(name, found):
            break
    else:
        pytest.fail("the lowering has no answer")
    right = answer(name, operation.statements, theirs)
    assert same(name, found, right, shown)
    for one in wrong:
        with pytest.raises((AssertionError, LagraphError)):
            assert same(name, one, right, shown), one
