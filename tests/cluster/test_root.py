"""When process 0 works alone: if it has room, for which it gives back what it keeps of others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import get_ident, local
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import memory
from lagraph_gpu.algorithms._shared.labels import edges_among
from lagraph_gpu.calls.memory_figures import FIGURES
from lagraph_gpu.calls.memory_needs import TOGETHER
from lagraph_gpu.cluster import gathered, root, root_closures, single_source
from lagraph_gpu.cluster.root import DEALT, OF_CLOSURES, OF_OPERATIONS, Whole
from lagraph_gpu.convert import edge_list
from lagraph_gpu.cpu.loops import random_walks
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import port
from tests.cluster.test_lowerings import root_alone
from tests.cluster.turns import on_ranks
from tests.harness import BOTH, CPU, GPU
from tests.test_memory_needed import arguments, drawn

CORES = [2] * 25


def cores(G: lg.Graph) -> tuple[list[int], bool]:
    """The numbers of the cores, and whether process 0 has found them alone."""
    with lg.explain() as report:
        found = lg.core_number(G).to_dense().tolist()
    told = [one.chosen for one in report.choices if one.what == "core_levels"]
    return found, told == ["on process 0"]


def free(monkeypatch: pytest.MonkeyPatch, count: Any) -> None:
    """Let so many bytes be free on every host, as a function says."""
    monkeypatch.setattr(root, "available_bytes", count)
    monkeypatch.setattr(type(CPU), "free_bytes", lambda _: count())


def needed(G: lg.Graph, moves: bool) -> int:
    """The bytes that process 0 wants to have free for an operation on G. All processes ask."""
    whole = Whole.bytes(G.A._store, G.A.nvals)
    cores = FIGURES["core_number"].on_cpu  # which takes less than any operation may
    work = (cores.vertex + DEALT.row) * G.n + (cores.entry + DEALT.entry) * G.A.nvals
    return max(work + whole, root.FREE_PER_MATRIX * whole) if moves else work


@pytest.mark.parametrize("size", [2, 3])
def test_only_if_there_is_room(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the matrix and the work, or once the matrix is there for the work."""
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 0)

    def work(backend: Any) -> None:
        G, comm = lg.grid(5, 5, backend=backend), backend.distribution.comm
        for moves, less in ((True, 1), (True, 0), (False, 0), (False, 1)):
            count = needed(G, moves) - less
            free(monkeypatch, lambda count=count: count)
            comm.agree()
            assert cores(G) == (CORES, not less)

    with root_alone():
        on_ranks(size, work)


def test_what_is_kept_is_given_back_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other graphs, before process 0 says that it has no room; and it can be moved again."""
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 0)

    def work(backend: Any) -> None:
        G, H = lg.grid(5, 5, backend=backend), lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        size, enough, comm = G.nbytes, needed(H, True), backend.distribution.comm
        mine = G.A._store.kept[Whole]
        if comm.rank == 0:
            free(monkeypatch, lambda: enough - (mine.A is not None))
        assert cores(H) == (CORES, True)
        assert mine.A is None and G.nbytes < size
        assert cores(G) == (CORES, True) and G.nbytes == size

    with root_alone():
        on_ranks(2, work)


def test_a_check_of_the_host_gives_back_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 0)

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        kept = G.A._store.kept[Whole]
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

    with root_alone():
        on_ranks(2, work)


def test_a_device_that_is_short_gives_back_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since process 0 has it there."""
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 0)

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        assert cores(G) == (CORES, True)
        if backend.distribution.rank == 0:
            assert G.A._store.kept[Whole].A.backend is GPU
            assert port.give_back() and G.A._store.kept[Whole].A is None
            assert not port.give_back()
        assert cores(G) == (CORES, True)

    with root_alone():
        on_ranks(2, work, GPU)


def test_operands_are_not_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory may get short after process 0 has said that it has room: while a vector moves there
    for an operation on a matrix that it has, or a matrix after another one."""
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 0)
    monkeypatch.setattr(gathered, "expect_room", lambda *_: memory.give_back())
    hubs = lg.hits(lg.grid(5, 5, backend=CPU))[0].to_dense()

    def work(backend: Any) -> None:
        G, H = lg.grid(5, 5, backend=backend), lg.grid(5, 5, backend=backend)
        distribution, stores = backend.distribution, [G.A._store, H.A._store]
        with distribution.comm.statement():
            assert root.root_takes(distribution, stores, OF_OPERATIONS, "")
        assert all((store.kept[Whole].A is None) == distribution.rank for store in stores)
        np.testing.assert_allclose(lg.hits(G)[0].to_dense(), hubs)
        assert stores[0].kept[Whole].A is not None or distribution.rank

    with root_alone():
        on_ranks(2, work)
    assert not root.SPARED


def test_a_matrix_that_did_not_arrive_is_moved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process assumes that it is there."""
    moved, fails = root.gathered_on, [True]

    def fails_once(distribution: Any, *arguments: Any) -> Any:
        made = moved(distribution, *arguments)
        if distribution.rank == 0 and fails and fails.pop():
            raise TooLarge("expected room for the matrix")
        return made

    monkeypatch.setattr(root, "gathered_on", fails_once)

    def work(backend: Any) -> None:
        G = lg.grid(5, 5, backend=backend)
        with pytest.raises(TooLarge, match="room for the matrix"):
            lg.core_number(G)
        assert cores(G) == (CORES, True)

    with root_alone():
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

    with root_alone():
        first, second = on_ranks(2, work)
    assert first == second


def test_few_entries_of_many_rows_need_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if process 0 has them already, since work takes memory for each row."""
    monkeypatch.setattr(root, "SMALL_MATRIX_ENTRIES", 50)
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

    with root_alone():
        on_ranks(2, work)


def exchanges(backend: Any, call: Callable[[], Any]) -> int:
    """How many exchanges a call takes."""
    traffic = backend.distribution.comm.traffic
    before = traffic.exchanges
    call()
    return int(traffic.exchanges - before)


def test_nobody_asks_for_small_matrices() -> None:
    """So a call has one exchange less than the first one."""

    def work(backend: Any) -> list[int]:
        G = lg.grid(5, 5, backend=backend)
        again = [lg.Graph._checked(G.A, False) for _ in range(3)]
        return [exchanges(backend, lambda H=H: lg.hits(H, 3, 1e9)) for H in again]

    with root_alone():
        first, second, third = on_ranks(2, work)[0]
    assert first > second == third


def two(G: lg.Graph) -> Any:
    """What two operations find, in one statement of a cluster."""
    of_all = getattr(G.backend, "distribution", None)
    with of_all.comm.statement("two") if of_all else nullcontext():
        return lg.core_number(G).to_dense().tolist(), lg.triangle_count(G)


ASKED: dict[str, Callable[[lg.Graph], Any]] = {
    "an operation": lambda G: lg.core_number(G).to_dense().tolist(),
    "a vector first": lambda G: lg.hits(G, 3, 1e9)[0].to_dense().round(9).tolist(),
    "components": lambda G: lg.connected_components(G).to_dense().tolist(),
    "a closure": lambda G: lg.closure(
        lg.Vector.from_coo([3], [0], size=G.n, backend=G.backend), G.A, "max_min"
    ).to_dict(),
    "two operations in a statement": lambda G: two(G),
    "drawn": lambda G: lg.random_walks(G, [0, 3], 5, seed=3).to_dense().tolist(),
}
DEEP: dict[str, Callable[[lg.Graph], Any]] = {
    "a deep search": lambda G: lg.bfs(G, 4)[0].to_dense().tolist(),
    "deep paths": lambda G: lg.sssp(G, 4)[0].to_dense().tolist(),
}
SPARSE: dict[str, Callable[[lg.Graph], Any]] = {
    "ids in use": lambda G: [one.to_dict() for one in lg.sssp(G, 4)],
}


@contextmanager
def where(name: str) -> Iterator[None]:
    """A block in which process 0 does what has this name."""
    with pytest.MonkeyPatch.context() as patch, root_alone():
        if name in DEEP:
            patch.setattr(root_closures, "DEEP_LEVELS", 2)
            patch.setattr(single_source, "DEEP", (2, 100))
        if name in SPARSE:
            patch.setattr(edge_list, "MANY_VERTICES", 0)
            patch.setattr(edge_list, "ROWS_PER_LISTED_ROW", 0)
        yield


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("when", ["between calls", "in the call", "both"])
@pytest.mark.parametrize("name", [*ASKED, *DEEP, *SPARSE])
def test_small_matrices_are_given_back(
    name: str, when: str, shares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And moved to process 0 again, which the others learn when they wait for what it finds. Memory
    may get short between two calls, and when process 0 looks whether it has room."""
    find = (ASKED | DEEP | SPARSE)[name]
    G = lg.grid(5, 5, weights="integer", backend=CPU)
    right, expect_there = find(G), root.expect_there

    def short(distribution: Any, stores: Any, *rest: Any) -> None:
        for one in [kept for store in stores for kept in store.kept.values()]:
            one.give_back()
        expect_there(distribution, stores, *rest)

    def work(backend: Any) -> None:
        H, rank = G.to(backend), backend.distribution.rank
        assert find(H) == find(H) == right
        least = exchanges(backend, lambda: find(H))
        kept = [one for one in H.A._store.kept.values() if one.A is not None]
        assert rank or kept
        if when != "in the call" and rank == 0:
            assert memory.give_back() and not any(one.A for one in kept) and not root.RECLAIMABLE
            assert not memory.give_back()
        if when != "between calls":
            monkeypatch.setattr(root, "expect_there", short)
        assert exchanges(backend, lambda: find(H)) > least
        monkeypatch.setattr(root, "expect_there", expect_there)
        backend.distribution.comm.agree()
        assert find(H) == right
        assert exchanges(backend, lambda: find(H)) == least

    with where(name):
        on_ranks(2, work, shares=shares)


def test_small_matrices_count() -> None:
    """In the bytes of a graph, until they are given back."""

    def work(backend: Any) -> None:
        G, comm = lg.grid(5, 5, backend=backend), backend.distribution.comm
        before = G.nbytes
        assert cores(G) == (CORES, True)
        kept = G.nbytes
        assert kept > before
        if comm.rank == 0:
            memory.give_back()
        comm.agree()
        assert G.nbytes == before

    with root_alone():
        on_ranks(2, work)


@pytest.mark.parametrize("name", [*ASKED, *DEEP, *SPARSE])
def test_work_on_small_matrices_needs_room(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is a limit, also where process 0 has them already. Then all run the statements."""
    find, room = (ASKED | DEEP | SPARSE)[name], [1 << 40]
    G = lg.grid(5, 5, weights="integer", backend=CPU)
    right = find(G)
    free(monkeypatch, lambda: room[0])
    monkeypatch.setattr(root, "CHECKED_BYTES", 0)

    def work(backend: Any) -> None:
        H, comm = G.to(backend), backend.distribution.comm
        assert find(H) == find(H) == right
        for bytes_free, there in ((5000, False), (1 << 40, True)):
            comm.agree()
            room[0] = bytes_free
            comm.agree()
            found = find(H)
            assert name == "drawn" or found == right
            alone = any(one.A is not None for one in H.A._store.kept.values())
            assert comm.rank or alone == there or name in DEEP

    lg.set_memory_limit("1 TiB")
    try:
        with where(name):
            on_ranks(2, work)
    finally:
        lg.set_memory_limit(None)


ONE_WAY = {"contract", "floyd_warshall"}
"""Statements in one process as well."""

BY_BLOCKS = {"iter_distances"}
"""What returns as much at a time as fits."""


def choices_of(name: str, G: lg.Graph, given: dict[str, Any]) -> dict[str, str]:
    """What an algorithm has chosen, by what it was about."""
    with lg.explain() as report:
        found = getattr(lg, name)(G, **given)
        list(found) if name == "iter_distances" else None
    return {one.what: one.chosen for one in report.choices}


@pytest.mark.parametrize("name", sorted(FIGURES.keys() - ONE_WAY))
def test_the_way_is_told_beforehand(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And what process 0 has to have free for it."""
    directed = "in_" in name or "out_" in name
    G = drawn(name, 300, 900, directed)
    given = arguments(name, G)

    def work(backend: Any) -> None:
        H, comm = G.to(backend), backend.distribution.comm
        here = {k: v.to(backend) if hasattr(v, "to") else v for k, v in given.items()}
        needed = lg.memory_needed(getattr(lg, name), H, **here)
        together = name in TOGETHER
        assert needed.way == ("all processes" if together else "process 0")
        ways = choices_of(name, H, here).values()
        assert together or ("on process 0" in ways and "statements" not in ways)
        H = G.to(backend)
        needed = lg.memory_needed(getattr(lg, name), H, **here)
        count = max(needed.workspace + needed.result, 4 * Whole.bytes(H.A._store, H.A.nvals))
        for less, way in ((0, "process 0"), (1, "statements")):
            comm.agree()
            monkeypatch.setattr(root, "room", lambda _, c=count - less: (c, c))
            comm.agree()
            told = lg.memory_needed(getattr(lg, name), H, **here).way
            assert together or told == way or name in BY_BLOCKS
        comm.agree()
        monkeypatch.setattr(root, "room", lambda _: (0, 0))
        caplog.clear()
        comm.agree()
        chosen = choices_of(name, H, here)
        said = {record.args[0] for record in caplog.records}
        assert together or said == {one for one, way in chosen.items() if way == "statements"}
        assert "on process 0" not in chosen.values()
        comm.agree()
        monkeypatch.undo()
        comm.agree()

    with root_alone(), caplog.at_level("WARNING", "lagraph_gpu"):
        on_ranks(2, work)


@pytest.mark.parametrize("name", ["core_number", "hits", "sssp"])
def test_nothing_fits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All raise the same error before they begin, with the bytes of each way."""
    monkeypatch.setattr(root, "CHECKED_BYTES", 0)
    find = {
        "core_number": lambda G: lg.core_number(G).to_dense().tolist(),
        "hits": lambda G: lg.hits(G)[0].to_dense().round(6).tolist(),
        "sssp": lambda G: lg.sssp(G, sources=[0, 3])[0].to_dicts(),
    }[name]
    G = lg.grid(5, 5, backend=CPU)
    right, least = find(G), {"core_number": 36 * 13, "hits": 60 * 13, "sssp": 0}[name]
    said = r"process 0 would take [\d,]+ bytes, of which 7 are free"
    if least:
        said += rf".*statements .* at least {least} in each, of which 7 are free in process 0"

    def work(backend: Any) -> None:
        H, comm = G.to(backend), backend.distribution.comm
        comm.agree()
        monkeypatch.setattr(root, "available_bytes", lambda: 7)
        comm.agree()
        if least:
            with pytest.raises(TooLarge, match=said) as told:
                find(H)
            assert told.value.of_memory
        else:
            with lg.explain() as report:
                assert find(H) == right
            reasons = [one.because for one in report.choices if one.chosen == "statements"]
            assert all(re.match(said, one) for one in reasons) and reasons
        comm.agree()
        monkeypatch.undo()
        comm.agree()
        assert find(H) == right

    with root_alone():
        on_ranks(2, work)


def test_errors_of_small_matrices_are_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the work itself, in the block that a missing matrix would end."""
    fails = [True]

    def once(*given: Any, **named: Any) -> Any:
        if fails and fails.pop():
            raise TooLarge("expected room for the walks")
        return together(*given, **named)

    together = random_walks.together

    def work(backend: Any) -> Any:
        G = lg.grid(5, 5, backend=backend)
        walked = [lg.random_walks(G, [0], 4, seed=3).to_dense().tolist()]
        monkeypatch.setattr(random_walks, "together", once)
        with pytest.raises(TooLarge, match="room for the walks"):
            lg.random_walks(G, [0], 4, seed=3)
        walked.append(lg.random_walks(G, [0], 4, seed=3).to_dense().tolist())
        assert walked[0] == walked[1]

    with root_alone():
        on_ranks(2, work)


@pytest.mark.parametrize("shares", [True, False])
def test_components_of_a_small_graph(shares: bool) -> None:
    """Process 0 finds them again and again in memory that all share, in one exchange."""
    graphs = [lg.grid(9, 8, removed=0.4, seed=seed, backend=CPU) for seed in range(3)]
    graphs.append(lg.Graph.from_edges([], [], n=0, directed=False, backend=CPU))
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

    with root_alone():
        for size in (2, 3):
            assert on_ranks(size, work, shares=shares) == [right] * size


def test_nobody_keeps_what_others_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a process has no room for the statements, no other keeps a fact of the graph that they
    find first, or the processes would not run the same statements later."""
    bytes_free: dict[int, int] = {}
    free(monkeypatch, lambda: bytes_free.get(get_ident(), 1 << 40))
    monkeypatch.setattr(root, "CHECKED_BYTES", 0)

    def work(backend: Any) -> None:
        ring = np.arange(100)
        G = lg.Graph.from_edges(ring, np.roll(ring, 1), directed=True, backend=backend)
        bytes_free[get_ident()] = [20_000, 0][backend.distribution.rank]
        with pytest.raises(TooLarge, match="free in process 1"):
            lg.strongly_connected_components(G)
        del bytes_free[get_ident()]
        assert G.degree(0) == 2

    with root_alone():
        on_ranks(2, work)


def test_facts_are_forgotten_if_the_statement_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process has no memory when others have kept what it was about to keep."""
    monkeypatch.setattr(root, "root_takes", lambda *_: False)
    run, short = type(CPU).run, local()

    def fails(update: Any) -> Any:
        if getattr(short, "of_memory", False) and update.out.dtype == np.int64:
            short.of_memory = False
            raise MemoryError
        return run(update)

    monkeypatch.setattr(type(CPU), "run", staticmethod(fails))

    def work(backend: Any) -> list[int]:
        around = np.arange(100)
        G = lg.Graph.from_edges(around, np.roll(around, 1), directed=True, backend=backend)
        short.of_memory = backend.distribution.rank == 1
        with pytest.raises(TooLarge):
            lg.strongly_connected_components(G)
        return [G.degree(0), lg.strongly_connected_components(G).nvals]

    assert on_ranks(2, work) == [[2, 100]] * 2


def test_all_take_less_where_one_process_is_short_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a table that comes in blocks: it is the same decision in all processes, also in those that
    have been told of the error."""
    whole, short = lg.grid(4, 3, backend=CPU), local()
    right = np.concatenate([rows for _, rows in lg.iter_distances(whole)]).tolist()
    build = type(CPU).build_coordinates

    def fails(self: Any, *given: Any) -> Any:
        if getattr(short, "of_memory", False):
            short.of_memory = False
            raise MemoryError("on this process alone")
        return build(self, *given)

    monkeypatch.setattr(type(CPU), "build_coordinates", fails)

    def work(backend: Any) -> tuple[int, list[Any]]:
        G = whole.to(backend)
        short.of_memory = backend.distribution.rank == 1
        blocks = [(sources, np.asarray(rows)) for sources, rows in lg.iter_distances(G)]
        assert not short.of_memory
        return len(blocks), np.concatenate([rows for _, rows in blocks]).tolist()

    assert on_ranks(3, work) == [(2, right)] * 3


def test_windows_stay_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the others need larger windows for what the root has not: if it has no room for that
    either, what follows may fit into the windows that all had before."""
    room = [1 << 40]
    free(monkeypatch, lambda: room[0])
    monkeypatch.setattr(root, "CHECKED_BYTES", 0)

    def work(backend: Any) -> None:
        less, more = (lg.grid(side, side, backend=backend) for side in (22, 30))
        comm, loops = backend.distribution.comm, backend.distribution.shared_memory_loops
        windows = loops.of_root.in_turn
        assert not lg.connected_components(less).to_dense().any()
        assert windows.memory.size < 32 * less.n  # 8 bytes for each vertex, three times
        assert lg.core_number(more).nvals == 900  # which is on the root
        comm.agree()
        if comm.rank == 0:
            assert memory.give_back()
            room[0] = 0
        comm.agree()
        assert not lg.connected_components(more).to_dense().any()
        sizes = [loops.shared.memory.size, windows.memory.size]
        assert len(np.unique(comm.values(np.array(sizes)))) == 2
        assert lg.bfs(less, 0)[0].to_dense().max() == 42

    with root_alone():
        on_ranks(2, work)


@pytest.mark.parametrize("local", BOTH, ids=["cpu", "gpu"])
def test_generators_go_on_alike(local: Any) -> None:
    """Process 0 draws alone, and all processes go on from there."""

    def drawn(backend: Any) -> Any:
        rng = np.random.default_rng(5)
        walks = lg.random_walks(lg.grid(5, 5, backend=backend), [0, 7, 9], 4, seed=rng)
        return walks.to_dense().tolist(), rng.random()

    with root_alone():
        assert on_ranks(2, drawn, local) == [drawn(CPU)] * 2


@pytest.mark.parametrize("local", BOTH, ids=["cpu", "gpu"])
def test_a_matrix_that_the_root_has_found_stays_there(local: Any) -> None:
    """Beside the parts of all, so that it need not be moved for the next operation."""
    G = lg.grid(6, 7, removed=0.2, seed=1, weights="integer", backend=CPU)

    def among(backend: Any) -> lg.Matrix:
        chosen = lg.Vector.from_coo(np.arange(30), 1, size=42, backend=backend)
        return edges_among(chosen, G.to(backend).A)

    def entries(A: lg.Matrix) -> list[list[Any]]:
        return [one.tolist() for one in A.to_coo()]

    def work(backend: Any) -> Any:
        A, rank = among(backend), backend.distribution.rank
        assert A._store.entries == A.nvals and (A._store.kept[Whole].A is None) == (rank > 0)
        return entries(A), entries(edges_among(A.reduce_rowwise("any").new(), A))

    right = entries(among(CPU))
    with root_alone():
        assert on_ranks(3, work, local) == [(right, right)] * 3


def test_the_estimate_is_that_of_the_algorithms() -> None:
    """What operations may take is no less than what `lg.memory_needed` says of the algorithms, but
    of those whose tables and cores are counted by themselves."""
    others = {"contract", "distance_matrix", "iter_distances"}
    several = {"common_neighbor_counts", "jaccard_coefficient", "overlap_coefficient"}
    for name, row in FIGURES.items():
        linear = row.on_cpu
        if name not in others:
            matrices = 2 if name in several else 1  # the pairs are a matrix of their own
            assert linear.vertex <= OF_OPERATIONS.row * matrices, name
            assert linear.entry <= OF_OPERATIONS.entry * matrices, name
    paths = FIGURES["sssp"].on_cpu
    assert paths.vertex <= OF_CLOSURES.row and paths.entry <= OF_CLOSURES.entry
