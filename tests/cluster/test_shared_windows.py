"""The memory that processes of one host open to each other is counted, and must be there."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.cpu.loops import shared_memory
from lagraph_gpu.cpu.native import library
from lagraph_gpu.errors import TooLarge
from tests.cluster.turns import on_ranks

pytestmark = pytest.mark.skipif(library() is None, reason="there is no C++ compiler")


@pytest.mark.parametrize("shares", [True, False])
def test_memory_needed_has_the_windows(shares: bool) -> None:
    """8 bytes for each vertex and process on every process, until they are there."""
    whole = lg.random_graph(4000, 9000, backend="cpu")
    of_one = lg.memory_needed(lg.bfs, whole, 0).workspace

    def work(backend: Any) -> tuple[int, int]:
        G = whole.to(backend)
        before = lg.memory_needed(lg.bfs, G, 0).workspace - of_one
        lg.bfs(G, 0)
        return before, lg.memory_needed(lg.bfs, G, 0).workspace - of_one

    for before, then in on_ranks(3, work, shares=shares):
        assert then <= 0 or not shares
        assert not shares or 8 * whole.n * 3 <= before < 10 * whole.n * 3


def test_one_process_has_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """All raise its error, and go on when it has."""
    whole = lg.kronecker(6, backend="cpu")
    right, last = lg.bfs(whole, 5)[0].to_dict(), {}

    def expect_room(size: int, what: str, together: int) -> None:
        if last.get(threading.get_ident()):
            memory.expect_fits(1, size, f"{what} to fit into", "it takes", "take less")

    monkeypatch.setattr(shared_memory, "expect_room", expect_room)

    def work(backend: Any) -> list[str]:
        G, said = whole.to(backend), []
        last[threading.get_ident()] = backend.distribution.rank == 1
        for find in (lambda: lg.bfs(G, 5), lambda: lg.connected_components(G)):
            with pytest.raises(TooLarge, match="memory that the processes share to fit") as told:
                find()
            said.append(str(told.value))
        last[threading.get_ident()] = False
        assert lg.bfs(G, 5)[0].to_dict() == right
        return said

    first, second = on_ranks(2, work)
    assert first == second


def test_a_limit_refuses_windows() -> None:
    def work(backend: Any) -> None:
        shared = backend.distribution.local_operations.shared
        with pytest.raises(TooLarge, match="it takes 2,097,152 bytes and 0 are free"):
            shared.windows(2**21)
        assert shared.memory is None

    lg.set_memory_limit(1)
    try:
        on_ranks(2, work)
    finally:
        lg.set_memory_limit(None)


def test_the_room_is_that_of_all_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all processes of the machine; and smaller windows that were there are no longer."""
    free, there = 3 << 21, {}

    def of_machine() -> Any:
        held = there[threading.get_ident()].memory
        yield free - (0 if held is None else held.size)

    monkeypatch.setattr(memory, "of_machine", of_machine)
    monkeypatch.setattr(memory, "of_groups", lambda: iter(()))

    def work(backend: Any) -> None:
        shared = backend.distribution.local_operations.shared
        there[threading.get_ident()] = shared
        assert shared.windows(2**20 + 1).size == 3 * (2**20 + 64)
        with pytest.raises(TooLarge, match="together 6,291,648 bytes and 6,291,456 are free"):
            shared.windows(2**21 + 1)
        assert shared.memory is None
        assert shared.windows(2**21).size == 3 << 21

    on_ranks(3, work)
