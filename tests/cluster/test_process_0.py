"""When process 0 works alone: if it has room, for which it gives back what it keeps of others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.algorithms._shared.labels import edges_among
from lagraph_gpu.calls.memory_needs import LINEAR
from lagraph_gpu.cluster import one_process, process_0
from lagraph_gpu.cluster.process_0 import OF_CLOSURES, OF_OPERATIONS
from lagraph_gpu.cpu.loops import random_walks
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import port
from tests.cluster.test_lowerings import process_0_alone
from tests.cluster.turns import on_ranks
from tests.harness import BOTH, CPU, GPU

CORES = [2] * 25


def cores(G: lg.Graph) -> tuple[list[int], bool]:
    """The numbers of the cores, and whether process 0 has found them alone."""
    with lg.explain() as report:
        found = lg.core_number(G).to_dense().tolist()
    told = [one.chosen for one in report.choices if one.what == "core_levels"]
    return found, told == ["on process 0"]


def free(monkeypatch: pytest.MonkeyPatch, count: Any) -> None:
    """Let so many bytes be free on every host, as a function says."""
    monkeypatch.setattr(process_0, "available_bytes", count)
    monkeypatch.setattr(type(CPU), "free_bytes", lambda _: count())


def needed(G: lg.Graph, moves: bool) -> int:
    """The bytes that process 0 wants to have free for an operation on G. All processes ask."""
    whole = process_0.whole_bytes(G.A._store, G.A.nvals)
    work = OF_OPERATIONS.row * G.n + OF_OPERATIONS.entry * G.A.nvals
    return max(work + whole, process_0.FREE_PER_MATRIX * whole) if moves else work


@pytest.mark.parametrize("size", [2, 3])
def test_only_if_there_is_room(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the matrix and the work, or once the matrix is there for the work."""
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 0)

    def work(backend: Any) -> None:
        G, comm = lg.grid(5, 5, backend=backend), backend.distribution.comm
        for moves, less in ((True, 1), (True, 0), (False, 0), (False, 1)):
            count = needed(G, moves) - less
            free(monkeypatch, lambda count=count: count)
            comm.agree()
            assert cores(G) == (CORES, not less)

    with process_0_alone():
        on_ranks(size, work)


def test_what_is_kept_is_given_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other graphs, before process 0 says that it has no room; and it can be moved again."""
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 0)

    def work(backend: Any) -> None:
        G, H = lg.grid(5, 5, backend=backend), lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        size, enough, comm = G.nbytes, needed(H, True), backend.distribution.comm
        mine = G.A._store.whole
        if comm.rank == 0:
            free(monkeypatch, lambda: enough - (mine.A is not None))
        assert cores(H) == (CORES, True)
        assert mine.A is None and G.nbytes < size
        assert cores(G) == (CORES, True) and G.nbytes == size

    with process_0_alone():
        on_ranks(2, work)


def test_a_check_of_the_host_gives_back_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 0)

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        kept = G.A._store.whole
        if backend.distribution.rank == 0:
            room = [5, 1 << 40]
            with monkeypatch.context() as patch:
                patch.setattr(memory, "available_bytes", lambda: room.pop(0))
                memory.expect_room(1 << 30, "something")
            assert kept.A is None and not room
            with monkeypatch.context() as patch, pytest.raises(TooLarge, match="something to fit"):
                patch.setattr(memory, "available_bytes", lambda: 5)
                memory.expect_room(1 << 30, "something")
        assert cores(G) == (CORES, True)

    with process_0_alone():
        on_ranks(2, work)


def test_a_device_that_is_short_gives_back_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since process 0 has it there."""
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 0)

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        if backend.distribution.rank == 0:
            assert G.A._store.whole.A.backend is GPU
            assert port.give_back() and G.A._store.whole.A is None
            assert not port.give_back()
        assert cores(G) == (CORES, True)

    with process_0_alone():
        on_ranks(2, work, GPU)


def test_operands_are_not_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory may get short after process 0 has said that it has room: while a vector moves there
    for an operation on a matrix that it has, or a matrix after another one."""
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 0)
    monkeypatch.setattr(one_process, "expect_room", lambda *_: memory.give_back())
    hubs = lg.hits(lg.grid(5, 5, backend=CPU))[0].to_dense()

    def work(backend: Any) -> None:
        G, H = lg.grid(5, 5, backend=backend), lg.grid(5, 5, backend=backend)
        distribution, stores = backend.distribution, [G.A._store, H.A._store]
        with distribution.comm.statement():
            assert process_0.process_0_takes(distribution, stores, OF_OPERATIONS)
        assert all((store.whole.A is None) == distribution.rank for store in stores)
        np.testing.assert_allclose(lg.hits(G)[0].to_dense(), hubs)
        assert stores[0].whole.A is not None or distribution.rank

    with process_0_alone():
        on_ranks(2, work)
    assert not process_0.SPARED


def test_a_matrix_that_did_not_arrive_is_moved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process assumes that it is there."""
    moved, fails = process_0.on_one_process, [True]

    def fails_once(distribution: Any, *arguments: Any) -> Any:
        made = moved(distribution, *arguments)
        if distribution.rank == 0 and fails and fails.pop():
            raise TooLarge("expected room for the matrix")
        return made

    monkeypatch.setattr(process_0, "on_one_process", fails_once)

    def work(backend: Any) -> None:
        G = lg.grid(5, 5, backend=backend)
        with pytest.raises(TooLarge, match="room for the matrix"):
            lg.core_number(G)
        assert cores(G) == (CORES, True)

    with process_0_alone():
        on_ranks(2, work)


def test_generators_go_on_alike_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an operation of process 0, which alone has drawn numbers."""

    def fails(*_: Any) -> None:
        raise TooLarge("expected room for the walks")

    monkeypatch.setattr(random_walks, "together", fails)

    def work(backend: Any) -> float:
        G, rng = lg.grid(5, 5, backend=backend), np.random.default_rng(3)
        with pytest.raises(TooLarge, match="room for the walks"):
            lg.random_walks(G, [0, 1], 4, seed=rng)
        return rng.random()

    with process_0_alone():
        first, second = on_ranks(2, work)
    assert first == second


def test_few_entries_of_many_rows_need_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if process 0 has them already, since work takes memory for each row."""
    monkeypatch.setattr(process_0, "FEW_ENTRIES", 50)
    room = [1 << 40]
    free(monkeypatch, lambda: room[0])

    def work(backend: Any) -> None:
        comm = backend.distribution.comm
        for n, alone in ((50, True), (51, False)):
            G = lg.Graph.from_edges([0, 1], [1, 2], n=n, directed=False, backend=backend)
            found, there = cores(G)
            assert there and found == [1] * 3 + [0] * (n - 3)
            comm.agree()
            room[0] = 0
            comm.agree()
            assert cores(G) == (found, alone)
            comm.agree()
            room[0] = 1 << 40
            comm.agree()

    with process_0_alone():
        on_ranks(2, work)


def test_few_entries_stay() -> None:
    """Nobody asks for them, so a call has one exchange less."""

    def work(backend: Any) -> list[int]:
        G, comm = lg.grid(5, 5, backend=backend), backend.distribution.comm
        found = []
        for _ in range(3):
            H, before = lg.Graph._checked(G.A, False), comm.traffic.exchanges
            lg.hits(H, 3, 1e9)
            process_0.give_back_kept()
            found.append(comm.traffic.exchanges - before)
        return found

    with process_0_alone():
        first, second, third = on_ranks(2, work)[0]
    assert first > second == third


@pytest.mark.parametrize("shares", [True, False])
def test_components_of_a_small_graph(shares: bool) -> None:
    """Process 0 finds them again and again in memory that all share, in one exchange."""
    graphs = [lg.grid(9, 8, removed=0.4, seed=seed, backend=CPU) for seed in range(3)]
    right = [lg.connected_components(G).to_dense().tolist() for G in graphs]

    def work(backend: Any) -> Any:
        told, comm, found = set(), backend.distribution.comm, []
        here = [G.to(backend) for G in graphs]
        for _ in range(2):
            found.clear()
            for G in here:
                before = comm.traffic.exchanges
                with lg.explain() as report:
                    found.append(lg.connected_components(G))
                spent = comm.traffic.exchanges - before
                told |= {one.chosen for one in report.choices if one.what == "component_labels"}
        assert told == ({"on process 0"} if shares else set())
        assert spent <= 2 or not shares
        return [one.to_dense().tolist() for one in found]

    with process_0_alone():
        for size in (2, 3):
            assert on_ranks(size, work, shares=shares) == [right] * size


@pytest.mark.parametrize("local", BOTH, ids=["cpu", "gpu"])
def test_generators_go_on_alike(local: Any) -> None:
    """Process 0 draws alone, and all processes go on from there."""

    def drawn(backend: Any) -> Any:
        rng = np.random.default_rng(5)
        walks = lg.random_walks(lg.grid(5, 5, backend=backend), [0, 7, 9], 4, seed=rng)
        return walks.to_dense().tolist(), rng.random()

    with process_0_alone():
        assert on_ranks(2, drawn, local) == [drawn(CPU)] * 2


@pytest.mark.parametrize("local", BOTH, ids=["cpu", "gpu"])
def test_a_matrix_that_process_0_has_found_stays_there(local: Any) -> None:
    """Beside the parts of all, so that it need not be moved for the next operation."""
    G = lg.grid(6, 7, removed=0.2, seed=1, weights="integer", backend=CPU)

    def among(backend: Any) -> lg.Matrix:
        chosen = lg.Vector.from_coo(np.arange(30), 1, size=42, backend=backend)
        return edges_among(chosen, G.to(backend).A)

    def entries(A: lg.Matrix) -> list[list[Any]]:
        return [one.tolist() for one in A.to_coo()]

    def work(backend: Any) -> Any:
        A, rank = among(backend), backend.distribution.rank
        assert A._store.entries == A.nvals and (A._store.whole.A is None) == (rank > 0)
        return entries(A), entries(edges_among(A.reduce_rowwise("any").new(), A))

    right = entries(among(CPU))
    with process_0_alone():
        assert on_ranks(3, work, local) == [(right, right)] * 3


def test_the_estimate_is_that_of_the_algorithms() -> None:
    """What operations may take is no less than what `lg.memory_needed` says of the algorithms, but
    of those whose tables and cores are counted by themselves."""
    others = {"contract", "distance_matrix", "iter_distances"}
    several = {"common_neighbor_counts", "jaccard_coefficient", "overlap_coefficient"}
    for name, linear in LINEAR.items():
        if name not in others:
            matrices = 2 if name in several else 1  # the pairs are a matrix of their own
            assert linear.vertex <= OF_OPERATIONS.row * matrices, name
            assert linear.entry <= OF_OPERATIONS.entry * matrices, name
    assert LINEAR["sssp"].vertex <= OF_CLOSURES.row and LINEAR["sssp"].entry <= OF_CLOSURES.entry
