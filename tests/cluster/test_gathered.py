"""Containers and graphs that go to one process alone, or to all, on 1 to 4 processes."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.cluster import placed_entries
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, TooLarge
from tests.cluster.test_port import failing, sample
from tests.cluster.turns import TurnTransport, on_ranks
from tests.harness import CPU, GPU

SIZES = [1, 2, 3, 4]


def of_few_rows(backend: Any) -> lg.Matrix:
    return lg.Matrix.from_coo(
        [5, 10**8, 10**8 + 1], [7, 3, 3], [1, 2, 3], nrows=10**9, ncols=10, backend=backend
    )


def vector(dtype: str, entries: int) -> Any:
    index = np.random.default_rng(5).permutation(60)[:entries]
    return lambda backend: lg.Vector.from_coo(
        index, index % 3, dtype, size=60, backend=backend, name="v"
    )


CONTAINERS = {
    "matrix": sample,
    "of one value": lambda backend: lg.grid(5, 6, backend=backend).A,
    "of few rows": of_few_rows,
    "of rows beyond 32 bits": lambda backend: lg.Matrix.from_coo(
        [5, 10**12], [10**11, 3], [1, 2], nrows=1 << 50, ncols=1 << 50, backend=backend
    ),
    "of columns beyond 32 bits": lambda backend: lg.Matrix.from_coo(
        [0, 1, 1], [10**11, 3, 4], [1, 2, 3], nrows=2, ncols=1 << 50, backend=backend
    ),
    "beyond 32 bits": lambda backend: lg.Vector.from_coo(
        [5, 10**12], [1, 2], size=1 << 50, backend=backend
    ),
    "wide": lambda backend: of_few_rows(backend).T.new(),
    "without entries": lambda backend: lg.Matrix("BOOL", 5, 3, backend=backend),
    "full": vector("FP64", 60),
    "bitmap": vector("FC64", 40),
    "list": vector("BOOL", 1),
    "empty": vector("INT8", 0),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_each_process_alone_and_all_may_have_it(
    make: Any, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(placed_entries, "PIECE", 7)
    right = make(CPU)

    def work(backend: Any) -> list[int]:
        x, roots = make(backend), []
        for root in range(size):
            found = x.to("cpu", root=root)
            if found is not None:
                roots.append(root)
                assert found.backend.name == "cpu" and found.name == right.name
                assert found.isequal(right, check_dtype=True)
        assert x.to("cpu").isequal(right, check_dtype=True)
        assert [a.tolist() for a in x.to_coo()] == [a.tolist() for a in right.to_coo()]
        return roots

    assert on_ranks(size, work) == [[rank] for rank in range(size)]


def test_from_devices_to_the_host_and_to_a_device() -> None:
    right = [sample(CPU), vector("FP64", 40)(CPU)]

    def work(backend: Any) -> list[str | None]:
        found = [x.to(backend).to(there, root=0) for x in right for there in (CPU, GPU)]
        for x, whole in zip(found, [x for x in right for _ in (CPU, GPU)], strict=True):
            assert x is None or x.to(CPU).isequal(whole, check_dtype=True)
        return [None if x is None else x.backend.name for x in found]

    assert on_ranks(2, work, GPU) == [["cpu", "gpu"] * 2, [None] * 4]


def described() -> lg.Graph:
    """A graph with everything that a graph may have."""
    G = lg.Graph.from_edgelist(
        [("b", "a", 2), ("a", "c", 3), ("c", "d", 2), ("e", "a", 9)], directed=False, backend=CPU
    )
    G.vertex_data["height"] = np.arange(G.n) * 10
    G.edge_data["road"] = np.arange(G.nedges)
    G.graph_data["of"] = "a test"
    return G


@pytest.mark.parametrize("size", SIZES)
def test_a_graph_keeps_what_it_knows(size: int) -> None:
    G = described()
    right = G.relabel("degree")

    def work(backend: Any) -> bool:
        whole = G.to(backend).relabel("degree").to("cpu", root=size - 1)
        if whole is None:
            return False
        assert whole.digest == right.digest and whole.weighted and not whole.directed
        assert whole.ids is not None and whole.ids.isequal(right.ids)
        assert whole.labels.tolist() == right.labels.tolist()
        for mine, theirs in ((whole.vertex_data, right.vertex_data),
                             (whole.edge_data, right.edge_data)):  # fmt: skip
            assert {k: v.tolist() for k, v in mine.items()} == {
                k: v.tolist() for k, v in theirs.items()
            }
        assert whole.graph_data == {"of": "a test"}
        whole.expect_sound()
        assert whole.A.T.new().isequal(whole.A)
        return True

    assert on_ranks(size, work) == [rank == size - 1 for rank in range(size)]


def test_others_receive_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """But heads, which have up to 40 bytes each."""
    received = dict.fromkeys(range(3), 0)
    all_to_all = TurnTransport.all_to_all

    def counted(self: TurnTransport, *given: Any) -> Any:
        met = all_to_all(self, *given)
        received[self.rank] += sum(part.size for part in met)
        return met

    def gathers(*given: Any) -> None:
        raise AssertionError("all get what one alone is to have")

    monkeypatch.setattr(TurnTransport, "all_to_all", counted)
    monkeypatch.setattr(TurnTransport, "all_gather", gathers)

    def work(backend: Any) -> None:
        A, v = sample(backend), vector("FP64", 60)(backend)
        received.update(dict.fromkeys(range(3), 0))
        A.to("cpu", root=1)
        v.to("cpu", root=1)

    on_ranks(3, work)
    assert received[0] == received[2] == 0
    A = sample(CPU)
    rows = A.reduce_rowwise("any").new().nvals
    assert received[1] == 8 * rows + 12 * A.nvals + 8 * 60 + 3


def no_room(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    of_user, here = memory.of_user, threading.get_ident()
    monkeypatch.setattr(memory, "CHECKED_BYTES", 0)
    monkeypatch.setattr(
        memory, "of_user", lambda: iter([10]) if threading.get_ident() == here else of_user()
    )


def test_an_error_of_one_is_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the root or another has it, and the next statement works."""

    def work(backend: Any) -> list[str]:
        rank, said = backend.distribution.rank, []
        A, v = sample(backend), vector("FP64", 60)(backend)

        def fails(known: type[Exception], *call: Any, **named: Any) -> None:
            for x in (A, v):
                with pytest.raises(known) as told:
                    x.to(*call, **named)
                said.append(str(told.value))
                assert v.nvals == 60

        fails(InvalidValue, "cpu", root=3)
        fails(InvalidValue, "cpu", root=rank)
        fails(InvalidValue, "cpu", root=-1 if rank == 1 else 0)
        fails(InvalidValue, "cpu", root=True)
        fails(InvalidValue, backend, root=0)
        target = CPU
        if rank == 2:
            target = failing(backend, "build_matrix", IndexOutOfBound("no store"))
            target.build_vector = target.build_matrix  # type: ignore[method-assign]
        fails(IndexOutOfBound, target, root=2)
        with pytest.MonkeyPatch.context() as patch:
            if rank == 1:
                no_room(backend, patch)
            fails(TooLarge, "cpu", root=1)
        return said

    said = on_ranks(3, work)
    assert said == [said[0]] * 3
    assert "expected root below 3, the number of processes, got 3" in said[0]
    assert any("gathered_on(0, cpu) on process 0 and gathered_on(1, cpu)" in x for x in said[0])
    assert any("entries on process 1 to fit into the free memory" in text for text in said[0])


def test_one_process_is_number_0() -> None:
    v = vector("FP64", 60)(CPU)
    assert v.to("cpu", root=0) is v
    for x in (v, sample(CPU), described()):
        with pytest.raises(InvalidValue, match="expected root below 1, the number of processes"):
            x.to("cpu", root=1)
