"""What `mpiexec` starts for test_mpi.py: `python -m tests.cluster.job NAME …`.

All processes run it. Where something is drawn, process 0 draws it and tells the others.
"""

from __future__ import annotations

import argparse
import pickle
import time
from functools import partial
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.cluster import components, mpi, pagerank_rounds, root, single_source
from lagraph_gpu.cluster.mpi import MpiTransport
from lagraph_gpu.cluster.root import root_takes
from lagraph_gpu.cpu.loops import on_root, shared_levels, shared_memory
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.reporting import SHOWN
from semirings.types import BOOL
from tests import graphs, spec
from tests.cluster.conftest import takes_what_is_deep
from tests.cluster.ends import AT_ONCE, ran_by_all
from tests.cluster.test_algorithms import SLOW, same
from tests.cluster.test_arguments_that_differ import METHODS, arguments, call
from tests.cluster.test_large_graphs import check_graph
from tests.cluster.test_port import WRONG
from tests.cluster.test_sizes import check_statements
from tests.harness import CPU, complaint
from tests.operations.test_programs import PROGRAMS, TYPES, meaning, run
from tests.strategies import examples, matrices, vectors
from tests.test_without_lowerings import LONG, USUAL, answer

WORLD: Any = None
"""The communicator, once MPI has been started."""


def programs() -> None:
    """Programs of several statements, which process 0 draws, on every process."""
    cluster = lg.Vector("BOOL", 1).backend

    @examples(40)
    @given(data=st.data(), chosen=st.integers(0, len(PROGRAMS) - 1))
    def drawn(data: Any, chosen: int) -> None:
        size = data.draw(st.sampled_from([1, 2, 31, 33, 70]))
        start = [data.draw(vectors(dtype, size)) for dtype in TYPES]
        start.append(data.draw(matrices(BOOL, (size, size))))
        one(chosen, start)

    def one(chosen: int | None, start: Any = None) -> bool:
        chosen, start = WORLD.bcast((chosen, start))
        if chosen is None:
            return False
        seen, left = meaning(PROGRAMS[chosen], start)
        got, found = run(PROGRAMS[chosen], start, cluster)
        wrong = [complaint(mine, [right]) for mine, right in zip(found, left, strict=True)]
        alike = all(a is b or (a is not None and spec.same(a, b)) for a, b in zip(got, seen))
        told = WORLD.allgather("; ".join(filter(None, wrong)) if alike else f"{got} for {seen}")
        assert not any(told), told
        return True

    if WORLD.rank == 0:
        drawn()
        one(None)
    else:
        while one(None):
            pass


def algorithms(some: Any = tuple(case for case in USUAL if case[0] not in SLOW)) -> None:
    """These algorithms on one graph, compared with the CPU backend or verified: by statements of
    all processes, and where process 0 carries out operations."""
    cluster = lg.Vector("BOOL", 1).backend
    for takes in (takes_what_is_deep, root_takes):
        root.root_takes = takes
        for _, find, judge, shape in some:
            example = shape(graphs.NAMED["random 33"])
            same(find, judge, example, answer(find, example.graph(CPU)), cluster)


def communities() -> None:
    """Those of thousands of statements."""
    algorithms(LONG)


def seeds() -> None:
    """A seed that nobody gives is another one each time, and the same on all processes, of which
    one shows progress."""
    G = lg.kronecker(6)
    for find in (lg.random_walks, lg.maximal_independent_set, lg.maximal_matching):
        found = [str(find(G, *([[0] * 40, 9] if find is lg.random_walks else []))) for _ in "ab"]
        assert WORLD.allgather(found) == [found] * WORLD.size
        assert find is not lg.random_walks or found[0] != found[1]
    assert SHOWN.in_lines == (WORLD.rank == 0)


def large() -> None:
    """Graphs that are not tiny: many rows on each process, and messages of many bytes."""
    G = lg.kronecker(10, weights="integer")
    H = lg.kronecker(10, weights="integer", backend="cpu")
    verify.verify_bfs(G, 0, *lg.bfs(G, 0))
    for find in (lambda G: lg.sssp(G, 0)[0], lg.connected_components, lg.triangles):
        for mine, right in zip(find(G).to_coo(), find(H).to_coo(), strict=True):
            assert (mine == right).all()
    assert np.allclose(lg.pagerank(G).to_dense(), lg.pagerank(H).to_dense())


def one_process() -> None:
    """A graph and levels that the last process alone has."""
    root = WORLD.size - 1
    G, whole = lg.kronecker(10), lg.kronecker(10, backend="cpu")
    found = [x.to("cpu", root=root) for x in (G, lg.bfs(G, 0)[0])]
    told = [WORLD.rank if one is not None else None for one in found]
    if WORLD.rank == root:
        assert found[0].digest == whole.digest
        assert found[1].isequal(lg.bfs(whole, 0)[0])
    assert WORLD.allgather(told) == [[None] * 2] * root + [[root] * 2]


def pickles() -> None:
    """Results of small graphs, which lie in shared memory, and vectors with a default, which each
    process writes and reads."""
    few = lg.Graph.from_edges([0, 5, 2**32], [5, 2**33, 7], n=2**33 + 5, directed=False)
    for G in (lg.kronecker(8), few):
        results = *lg.bfs(G, 0), lg.pagerank(G), lg.connected_components(G), lg.core_number(G)
        for one, again in zip(results, map(pickled, results), strict=True):
            assert again.isequal(one, check_dtype=True)
            assert again.reduce("max").new() == one.reduce("max").new()
        assert pickled(G).A.isequal(G.A)
    ranks, label = map(pickled, (lg.pagerank(few), lg.connected_components(few)))
    ranks[7] = 1.0
    assert ranks.get(7) == 1 and lg.pagerank(few).get(7) < 0.5 and label.get(2**31) == 2**31


def pickled(one: Any) -> Any:
    """What a pickle of something is when it is read."""
    return pickle.loads(pickle.dumps(one))


def many_rows() -> None:
    """Matrices of more rows than 2³¹, and graphs of as many vertices, also where all goes through
    MPI."""
    backend: Any = lg.Vector("BOOL", 1).backend
    comm = backend.distribution.comm
    usual = comm.transport
    for transport in (MpiTransport(), usual):
        comm.transport = transport
        check_statements(2**40, backend)
        check_graph(2**33 + 5, transport is usual, backend)


def messages() -> None:
    """Exchanges of more bytes than MPI takes at once: here that is few."""
    transport, usual = MpiTransport(), mpi.MOST_BYTES
    drawn = np.random.default_rng(7)
    for mpi.MOST_BYTES in (1, 5, 64, 1000, usual):
        for _ in range(20):
            sizes = drawn.integers(0, drawn.choice([2, 40, 900]), (WORLD.size, WORLD.size))
            sent = [[drawn.integers(0, 256, n, np.uint8) for n in row] for row in sizes]
            got = transport.all_to_all(sent[WORLD.rank], sizes[:, WORLD.rank])
            for rank, part in enumerate(got):
                assert np.array_equal(part, sent[rank][WORLD.rank])
            got = transport.all_gather(sent[WORLD.rank][0], sizes[:, 0])
            for rank, part in enumerate(got):
                assert np.array_equal(part, sent[rank][0])
    mpi.MOST_BYTES = usual


def searches_that_fail() -> None:
    """A process that fails in a search through shared memory, or comes late to it: all raise its
    error, or go on by exchanges; and the next search is right. Levels that someone asks for come
    from another call."""
    whole, G = (lg.kronecker(7, weights="integer", backend=b) for b in ("cpu", "cluster"))
    assert type(G.A.backend.distribution.comm.transport).__name__ == "SharedTransport"  # type: ignore[attr-defined]
    for module, find in AT_ONCE.values():
        right = find(whole)
        one_fails(module, lambda find=find, right=right: find(G) == right)
        one_has_no_room(lambda find=find: find(G))
    right = AT_ONCE["levels"][1](whole)

    def explained() -> bool:
        with lg.explain() as report:
            level = AT_ONCE["levels"][1](G)
        levels = [one for one in report.choices if ", level" in one.what]
        return level == right and len(levels) == max(right.values()) + 1

    one_fails(shared_levels, explained)


def small_graphs() -> None:
    """Process 0 searches alone, and writes what it finds where the others read it, some calls later
    or never. It fails in one of the searches, and another process before it."""
    single_source.is_small = root.is_small
    components.by_root = pagerank_rounds.by_root = root.by_root
    wholes = [
        lg.kronecker(5, weights="integer", backend="cpu"),
        lg.grid(9, 9, removed=0.3, seed=3, weights="integer", backend="cpu"),
        lg.Graph.from_edges([0], [0], 3, n=1, directed=False, backend="cpu"),
    ]
    finds = (
        lambda G: lg.bfs(G, 0)[0], lambda G: lg.sssp(G, 0)[0],
        lg.connected_components, lg.pagerank,
    )  # fmt: skip
    right = [find(whole).to_dict() for whole in wholes for find in finds]
    own = [whole.to(lg.Vector("BOOL", 1).backend) for whole in wholes]
    for _ in range(3):
        found = [find(G) for G in own for find in finds]
        assert [one.to_dict() for one in found] == right
    for rank, find in [(0, finds[0]), (0, finds[1]), (WORLD.size - 1, finds[0])]:
        held, names = finds[1](own[0]), ("write_levels", "write_lengths")
        loops = [getattr(on_root, name) for name in names]
        turn = on_root.WrittenByRoot.turn

        def fails(*_: Any) -> Any:
            raise MemoryError("on this process alone")

        if rank == WORLD.rank == 0:
            for name in names:
                setattr(on_root, name, fails)
        elif rank == WORLD.rank:
            on_root.WrittenByRoot.turn = fails  # type: ignore[method-assign]
        try:
            find(own[1])
            raise AssertionError("expected an error")
        except MemoryError as error:
            assert "on this process alone" in str(error)
        for name, loop in zip(names, loops, strict=True):
            setattr(on_root, name, loop)
        on_root.WrittenByRoot.turn = turn  # type: ignore[method-assign]
        assert [find(G).to_dict() for G in own for find in finds] == right
        assert held.to_dict() == right[1]
    single_source.is_small = lambda *_: False
    components.by_root = pagerank_rounds.by_root = lambda *_: None


def wrong_arguments() -> None:
    """The last process alone gives a wrong argument, while the others search or read: all raise its
    error, and the next statement works."""
    G = lg.kronecker(7)
    A, v, level = G.A.dup(), lg.Vector.from_coo([0, 1], [4, 5]), lg.bfs(G, 5)[0]
    kept, shared_memory.MEETING_TIMEOUT_MS = shared_memory.MEETING_TIMEOUT_MS, 10
    for wrong in WRONG.values():
        for right in (lambda: lg.bfs(G, 5), v.sum, A.to_coo):
            try:
                wrong(v, A, G) if WORLD.rank == WORLD.size - 1 else right()
                raise AssertionError("expected an error")
            except (lg.errors.LagraphError, TypeError) as error:
                told = WORLD.allgather(f"{type(error).__name__}: {error}")
            assert told == told[:1] * WORLD.size
            assert lg.bfs(G, 5)[0].isequal(level) and v.sum() == 9
    shared_memory.MEETING_TIMEOUT_MS = kept


def arguments_that_differ() -> None:
    """The last process gives another argument to a call: all raise an error that names both, also
    from loops in memory that they share, and the next statement works."""
    v = lg.Vector.from_coo([0, 1], [4, 5])
    other = WORLD.rank == WORLD.size - 1
    calls = [call(*both, other, v.backend) for both in arguments()]
    for begin, does, *values in METHODS.values():
        calls.append(partial(does, begin(v.backend), values[other]))
    for one in calls:
        try:
            one()
            raise AssertionError("expected an error")
        except lg.errors.InvalidValue as error:
            told = WORLD.allgather(str(error))
        assert told == told[:1] * WORLD.size and "expected the same statement" in told[0]
        assert v.sum() == 9


def one_fails(module: Any, is_right: Any) -> None:
    """Let process 1 raise an error in a loop that a module calls, come late to it, and neither."""
    launched, calls = module.watched, 0

    def fails(*given: Any, **named: Any) -> Any:
        if WORLD.rank == 1:
            raise MemoryError("on this process alone")
        return launched(*given, **named)

    def late(*given: Any, **named: Any) -> Any:
        time.sleep(0.2 * (WORLD.rank == 1))
        return launched(*given, **named)

    def noted(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        return launched(*given, **named)

    kept = shared_memory.MEETING_TIMEOUT_MS
    for launch in (fails, late, noted):
        module.watched, shared_memory.MEETING_TIMEOUT_MS = launch, 50 if launch is late else kept
        try:
            assert is_right(), launch
            assert launch is not fails
        except MemoryError as error:
            assert launch is fails and "on this process alone" in str(error)
    assert calls
    module.watched = launched


def one_has_no_room(find: Any) -> None:
    """Let process 1 fail before its loop, where it makes the operands, none of which is kept:
    nobody waits for it until patience ends."""
    arrays, kept = CpuMatrix.arrays, shared_memory.MEETING_TIMEOUT_MS

    def fails(*given: Any, **named: Any) -> Any:
        raise MemoryError("on this process alone")

    shared_memory.MEETING_TIMEOUT_MS = 10**7
    CpuMatrix.arrays = fails if WORLD.rank == 1 else arrays  # type: ignore[method-assign]
    CpuMatrix.patterns = property(lambda _: {}, lambda *_: None)  # type: ignore[assignment]
    try:
        find()
        raise AssertionError("expected an error")
    except MemoryError as error:
        assert "on this process alone" in str(error)
    finally:
        CpuMatrix.arrays, shared_memory.MEETING_TIMEOUT_MS = arrays, kept  # type: ignore[method-assign]
        del CpuMatrix.patterns


def hosts() -> None:
    """Each process is on a host of its own."""
    import socket

    assert len(set(WORLD.allgather(socket.gethostname()))) == WORLD.size
    transport = lg.Vector("BOOL", 1).backend.distribution.comm.transport  # type: ignore[attr-defined]
    assert transport.local_rank == 0


JOBS = (
    programs, algorithms, communities, seeds, large, one_process, pickles, many_rows, messages,
    searches_that_fail, small_graphs,
    wrong_arguments, arguments_that_differ, hosts,
)  # fmt: skip

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.job", description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME")
    NAMES = parser.parse_args().names
    from mpi4py import MPI

    WORLD = MPI.COMM_WORLD
    settings.register_profile("job", deadline=None)
    settings.load_profile("job")
    ran_by_all(JOBS, NAMES, WORLD.rank, WORLD.size)
