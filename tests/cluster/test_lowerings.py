"""Each lowering that the cluster has of its own, on two processes, beside the statements that
define the operation. The operands, and what is fixed of an answer, are those of
tests/operands.py and tests/answers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.cluster import root
from lagraph_gpu.cluster.lowerings import OF_ROOT, OWN, TOGETHER
from lagraph_gpu.cluster.root import root_takes
from lagraph_gpu.io import load, saved
from lagraph_gpu.names.frames import EdgeColumns
from lagraph_gpu.notation.coordinates import joined_batches
from lagraph_gpu.notation.operation import Operation
from tests import graphs
from tests.answers import answer, same, spoiled
from tests.cluster.limits import every_graph_is_sparse
from tests.cluster.test_making import seen
from tests.cluster.turns import on_ranks
from tests.harness import BOTH, CPU, GPU
from tests.operands import DRAWN, OPERATIONS, operands_of
from tests.strategies import any_graph, examples

NAMES = [name for name in DRAWN if OPERATIONS[name.split()[0]] in OWN]

ALONE = [name for name in DRAWN if OPERATIONS[name.split()[0]] in OF_ROOT]

BY_ROOT = [*ALONE, "weak_component_labels", "strong_component_labels"]
"""With those that go another way in a sparse graph."""


def given_to_all(folder: Path) -> None:
    """A file of edges, and a graph that two processes have saved."""
    (folder / "some.el").write_text("0 1 4\n1 2 5\n7 3 6\n2 0 1\n3 3 2\n")
    on_ranks(2, lambda b: lg.random_graph(23, 60, weights="uniform", backend=b).save(folder / "2"))


MAKING: dict[Operation[Any, Any], Callable[[Any, Path], tuple[Any, ...]]] = {
    load.graph_in: lambda backend, folder: (
        backend, folder / "some.el", None, "error", None, False, EdgeColumns()
    ),
    load.made_in_parts: lambda backend, folder: (
        backend, partial(generate.random_graph, 23, 60, 1, False, "integer"), 60
    ),
    joined_batches: lambda backend, folder: (
        backend, [([0, 5], [5, 2], [1, 2]), ([1], [7], [0.5])], None, False, "error", 1
    ),
    saved.save: lambda backend, folder: (
        lg.random_graph(23, 60, weights="uniform", backend=CPU).to(backend),
        folder / f"from {backend.name}", False,
    ),
    saved.graph_in: lambda backend, folder: (backend, folder / "2", True),
}  # fmt: skip
"""Operations on files, batches and generators, with their operands."""


@contextmanager
def root_alone() -> Iterator[None]:
    """Process 0 carries out operations where it has room, as it does outside of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root, "root_takes", root_takes)
        yield


FOUND_IN = {"ranks": root_alone, "breadth_first_trees": every_graph_is_sparse}


def to_the_host(found: Any) -> Any:
    """Handles of the CPU instead of the cluster's."""
    if isinstance(found, (lg.Vector, lg.Matrix)):
        return found.to(CPU)
    if isinstance(found, tuple):
        parts = [to_the_host(part) for part in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return found


def on_two(
    name: str, example: graphs.Example, seed: int, local: Any = CPU, transport: str = "host"
) -> list[Any]:
    """What the lowering has found on each of two processes."""

    def work(backend: Any) -> Any:
        lower = backend.lowerings[OPERATIONS[name.split()[0]]]
        return to_the_host(answer(name, lower, operands_of(name, example, seed, backend)))

    return on_ranks(2, work, local, transport=transport)


def statements(name: str, example: graphs.Example, seed: int) -> tuple[Any, tuple[Any, ...]]:
    """What the statements find on one, and the operands."""
    theirs, shown = (operands_of(name, example, seed, CPU) for _ in range(2))
    return answer(name, OPERATIONS[name.split()[0]].statements, theirs), shown


def test_the_tables_have_every_lowering() -> None:
    """Of its own; the others run by their statements."""
    assert set(OWN) == {OPERATIONS[name.split()[0]] for name in NAMES} | set(MAKING)
    assert not set(OWN) & {*TOGETHER, *OF_ROOT} and not set(TOGETHER) & set(OF_ROOT)
    assert set(OF_ROOT) == {OPERATIONS[name.split()[0]] for name in ALONE}


@pytest.mark.parametrize("name", NAMES)
@examples(6)
@given(example=any_graph(), seed=st.integers(0, 2**16))
def test_on_two_processes(name: str, example: graphs.Example, seed: int) -> None:
    if example.n == 0:
        return
    right, operands = statements(name, example, seed)
    for found in on_two(name, example, seed):
        assert found is None or same(name, found, right, operands)


@pytest.mark.parametrize("name", NAMES)
@examples(6)
@given(example=any_graph(), seed=st.integers(0, 2**16))
def test_on_sparse_graphs(name: str, example: graphs.Example, seed: int) -> None:
    """Of which process 0 has the ids in use, and vectors have a default."""
    if example.n == 0:
        return
    right, operands = statements(name, example, seed)
    with every_graph_is_sparse():
        for found in on_two(name, example, seed):
            assert found is None or same(name, found, right, operands)


@pytest.mark.parametrize("name", BY_ROOT)
@examples(4)
@given(example=any_graph(), seed=st.integers(0, 2**16))
def test_root_alone(name: str, example: graphs.Example, seed: int) -> None:
    """What all are told is what the statements find."""
    if example.n == 0:
        return
    right, operands = statements(name, example, seed)
    with root_alone():
        for found in on_two(name, example, seed):
            assert same(name, found, right, operands)


@pytest.mark.parametrize("transport", ["host", "peer_windows"])
@pytest.mark.parametrize("name", BY_ROOT)
def test_root_alone_with_a_gpu(name: str, transport: str) -> None:
    """Its kernels do it, and what they find goes from device to device."""
    example = graphs.NAMED["random 33"]
    right, operands = statements(name, example, 3)
    with root_alone():
        for found in on_two(name, example, 3, GPU, transport):
            assert same(name, found, right, operands)


def test_an_error_of_process_0_is_that_of_all() -> None:
    """And the next statement works."""

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        with pytest.raises(lg.errors.NotConverged, match="after 1; allow more rounds"):
            lg.katz_centrality(G, max_iter=1)
        return lg.core_number(G).to_dense().tolist()

    with root_alone():
        assert on_ranks(3, work) == [[2] * 25] * 3


def test_who_carries_it_out() -> None:
    """Process 0 if the graph is small, and all if it is not."""

    def work(backend: Any) -> list[str]:
        G = lg.grid(5, 5, backend=backend)
        with lg.explain() as report:
            lg.core_number(G)
        return [choice.chosen for choice in report.choices if choice.what == "core_levels"]

    with root_alone():
        assert on_ranks(2, work) == [["on process 0"]] * 2
    assert on_ranks(2, work) == [[]] * 2


@pytest.mark.parametrize(
    "name, local",
    [
        (name, one)
        for name in NAMES
        for one in BOTH
        if (name not in FOUND_IN or one is CPU) and name != "largest_class"
    ],
)
def test_a_wrong_answer_is_found(name: str, local: Any) -> None:
    """The lowering has an answer, and the judge refuses what differs from it. Ranks and trees have
    one on CPUs alone, from process 0; the largest class has one in `test_defaults`."""
    example = graphs.NAMED["random 33"]
    for seed in range(10):
        with FOUND_IN.get(name, nullcontext)():
            found = on_two(name, example, seed, local)[1]
        if found is not None:
            break
    else:
        pytest.fail("the lowering has no answer")
    right, operands = statements(name, example, seed)
    assert same(name, found, right, operands)
    wrong = list(spoiled(found))
    assert wrong
    for one in wrong:
        with pytest.raises((AssertionError, lg.errors.LagraphError)):
            assert same(name, one, right, operands), one


@pytest.mark.parametrize("operation", MAKING, ids=lambda op: f"{op.__module__}.{op.__name__}")
def test_graphs_are_made_in_parts(operation: Operation[Any, Any], tmp_path: Path) -> None:
    """The same graph as the statements make on one process, by the lowering itself."""
    given_to_all(tmp_path)

    def made(backend: Any, function: Callable[..., Any]) -> Any:
        found = function(*MAKING[operation](backend, tmp_path))
        if isinstance(found, tuple):
            store, n, dtype, weighted = found
            A = lg.Matrix._stored(store, (n, n), dtype, backend)
            found = lg.Graph._checked(A, True, weighted=weighted)
        G = lg.open(found, backend=backend) if isinstance(found, Path) else found
        return seen(G)

    right = made(CPU, operation.statements)
    assert right[-1][0]
    assert on_ranks(2, lambda b: made(b, b.lowerings[operation])) == [right] * 2
