"""How much memory may still be used, and what is raised when that is too little."""

from __future__ import annotations

import gzip
import pickle
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import graphblas as gb
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import generate, memory, verify
from lagraph_gpu.algorithms._shared.source_batches import batch_rows
from lagraph_gpu.algorithms.paths.distance_rows import Table
from lagraph_gpu.cpu import native
from lagraph_gpu.cpu.loops import searches
from lagraph_gpu.errors import LagraphError, TooLarge
from tests.harness import BOTH, GPU

MIB = 1 << 20
FREE = 1000 * MIB
V2 = "30 23 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n"
V1 = "36 31 0:32 {top} /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"


class Limits:
    """What `resource` says of this process."""

    RLIMIT_AS, RLIMIT_DATA, RLIM_INFINITY = 9, 2, -1

    def __init__(self, **limits: int) -> None:
        self.limits = {getattr(self, name): limit for name, limit in limits.items()}

    def getrlimit(self, kind: int) -> tuple[int, int]:
        return self.limits.get(kind, -1), -1

    def getpagesize(self) -> int:
        return 4096


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Writes the files in which a system describes itself; the process has no limits."""

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        memory.limits_of_groups.cache_clear()  # which are read once a second

    write({"proc/meminfo": f"MemTotal: 9 kB\nMemAvailable: {FREE // 1024} kB\n"})
    write({"proc/self/statm": f"{300 * 256} 9 9 9 0 {100 * 256} 0\n"})  # MiB in pages
    monkeypatch.setattr(memory, "ROOT", tmp_path)
    monkeypatch.setattr(memory, "resource", Limits())
    yield write


def group(folder: str, limit: str, used: int, cached: int = 0) -> dict[str, str]:
    """The files of a group of version 2."""
    return {
        f"{folder}/memory.max": f"{limit}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": f"anon 5\ninactive_file {cached}\nactive_file {cached}\n",
    }


def test_the_machine_alone(system: Any) -> None:
    assert memory.available_bytes() == FREE


def test_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "ROOT", tmp_path)
    monkeypatch.setattr(memory, "resource", None)
    assert memory.available_bytes() is None
    memory.expect_room(1 << 60, "anything")


def test_the_least_limit_of_all_groups_counts(system: Any) -> None:
    """Version 2: a group without a limit lies in one that has one, beside copies of files."""
    top = "sys/fs/cgroup"
    system({"proc/self/mountinfo": V2, "proc/self/cgroup": "0::/box/inner\n"})
    system(group(f"{top}/box/inner", "max", 70 * MIB))
    system(group(f"{top}/box", f"{200 * MIB}", 120 * MIB, cached=10 * MIB))
    system(group(top, f"{900 * MIB}", 500 * MIB))
    assert memory.available_bytes() == 100 * MIB
    system(group(f"{top}/box/inner", f"{90 * MIB}", 70 * MIB))
    assert memory.available_bytes() == 20 * MIB
    system(group(f"{top}/box/inner", f"{90 * MIB}", 95 * MIB))  # over it: nothing is left
    assert memory.available_bytes() == 0


def test_limits_of_groups_are_read_once_a_second(
    system: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in use is read each time."""
    now, top = [5.2], "sys/fs/cgroup"
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    system({"proc/self/mountinfo": V2, "proc/self/cgroup": "0::/\n"})
    system(group(top, f"{90 * MIB}", 70 * MIB))
    assert memory.available_bytes() == 20 * MIB
    for name, text in group(top, f"{80 * MIB}", 75 * MIB).items():
        (memory.ROOT / name).write_text(text)
    now[0] = 5.9
    assert memory.available_bytes() == 15 * MIB
    now[0] = 6.0
    assert memory.available_bytes() == 5 * MIB


@pytest.mark.parametrize("top", ["/", "/docker/1f"])
def test_groups_of_version_1(top: str, system: Any) -> None:
    """The group at the top of what is shown may be a container's own, seen from outside."""
    folder = "sys/fs/cgroup/memory" + ("/docker/1f" if top == "/" else "")
    system({"proc/self/mountinfo": V1.format(top=top)})
    system({"proc/self/cgroup": "8:pids:/\n4:cpu,memory:/docker/1f\n0::/\n"})
    files = {
        "limit_in_bytes": f"{300 * MIB}",
        "usage_in_bytes": f"{250 * MIB}",
        "stat": f"inactive_file 1\ntotal_inactive_file {MIB}\ntotal_active_file {MIB}",
    }
    system({f"{folder}/memory.{name}": f"{text}\n" for name, text in files.items()})
    assert memory.available_bytes() == 52 * MIB
    system({f"{folder}/memory.limit_in_bytes": "9223372036854771712\n"})
    assert memory.available_bytes() == FREE


@pytest.mark.parametrize(
    ("limits", "free"),
    [
        ({"RLIMIT_AS": 500 * MIB}, 200 * MIB),
        ({"RLIMIT_DATA": 150 * MIB}, 50 * MIB),
        ({"RLIMIT_AS": 500 * MIB, "RLIMIT_DATA": 900 * MIB}, 200 * MIB),
        ({"RLIMIT_AS": 1 << 50}, FREE),
    ],
)
def test_limits_of_the_process(
    limits: dict[str, int], free: int, system: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "resource", Limits(**limits))
    assert memory.available_bytes() == free


def test_one_value_at_every_position_is_stored_once() -> None:
    A = lg.Matrix.from_scalar(3, 10**6, 10**6, backend="cpu")  # 8 TB, if each were stored
    assert A.nvals == 10**12 and A.get(7, 10**6 - 1) == 3
    assert A.reduce_scalar("max").new().value == 3
    with pytest.raises(TooLarge, match="a value at each of 1,152,921,504,606,846,976 positions"):
        lg.Matrix.from_scalar(3, 2**30, 2**30, backend="cpu")  # SuiteSparse counts to one less


@pytest.mark.parametrize("step, bytes_each", [(1, 16), (2**30, 32)])
def test_a_value_at_each_position_of_a_part(
    step: int, bytes_each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured for each position is asked for, not the value alone."""
    w, count = lg.Vector("FP64", 2**60, backend="cpu"), 2**17
    monkeypatch.setattr(memory, "available_bytes", lambda: (bytes_each - 1) * count)
    with pytest.raises(TooLarge, match="a value at each of 131,072 positions"):
        w[: step * count : step] << 1
    w[: step * 9 : step] << 1
    assert w.nvals == 9


BIG = {
    "grid": lambda: lg.grid(40_000, 40_000, backend="cpu"),
    "grid_from_mask": lambda: generate.grid_from_mask(np.ones((8000, 8000), bool)),
    "random_graph": lambda: lg.random_graph(10**6, 10**8, backend="cpu"),
    "kronecker": lambda: generate.kronecker(24),
    "from_edges": lambda: lg.Graph.from_edges([0], [1], n=2**31 - 1, backend="cpu"),
    "to_dense of a vector": lambda: lg.Vector("FP64", 2**31 - 1, backend="cpu").to_dense(0),
    "to_dense": lambda: lg.Matrix("FP64", 10**5, 10**5, backend="cpu").to_dense(0),
    "to_csr": lambda: lg.Matrix("FP64", 2**31 - 1, 1, backend="cpu").to_csr(),
}


@pytest.mark.parametrize("name", BIG)
def test_what_cannot_fit_is_refused_before_it_is_made(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda *_: FREE)
    with pytest.raises(TooLarge, match=r"takes [\d,]+ bytes and 1,048,576,000 are free"):
        BIG[name]()


def test_one_entry_of_very_many_rows() -> None:
    """SuiteSparse lists the rows that have entries; nothing is made for the others."""
    n = 2**31 - 1
    A = lg.Matrix.from_coo([5, n - 1], [n - 1, 7], [2.0, 3.0], nrows=n, ncols=n, backend="cpu")
    assert A.to_graphblas().ss.format == "hypercsr" and A.nvals == 2
    assert [part.tolist() for part in A.to_coo()] == [[5, n - 1], [n - 1, 7], [2.0, 3.0]]
    assert A.to_dicts("columnwise") == {7: {n - 1: 3.0}, n - 1: {5: 2.0}}
    assert lg.semiring.plus_times(A @ A).new().to_dicts() == {5: {7: 6.0}}
    assert A.T.new().to_dicts() == {7: {n - 1: 3.0}, n - 1: {5: 2.0}}
    A.resize(6, n)
    assert A.to_dicts() == {5: {n - 1: 2.0}}


def test_few_rows_with_entries_are_as_any_others(backend: Any) -> None:
    for entries in ([], [(90, 3, 1)], [(2, 0, 5), (2, 4, 6), (99, 1, 7)]):
        A = lg.Matrix.from_edgelist(entries, dtype="INT64", nrows=100, ncols=5, backend=backend)
        assert list(zip(*(part.tolist() for part in A.to_coo()), strict=True)) == entries
        assert A.reduce_scalar("plus").new().get(0) == sum(x for *_, x in entries)


SILENT = SystemError("error return without exception set")


@pytest.mark.parametrize("problem", [MemoryError("no room"), gb.exceptions.OutOfMemory(), SILENT])
def test_whatever_a_library_raises_is_ours(
    problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise problem

    v = lg.Vector.from_coo([1], [2.0], size=3, backend="cpu")
    with monkeypatch.context() as patch:
        patch.setattr("lagraph_gpu.cpu.backend.entries_of", fail)
        with pytest.raises(TooLarge, match=r"expected enough memory for .*; take less") as raised:
            v.to_coo()
    assert isinstance(raised.value, MemoryError) and isinstance(raised.value, LagraphError)
    assert raised.value.__cause__ is problem
    assert v.to_dict() == {1: 2.0}


@pytest.mark.parametrize("problem", [MemoryError("no room"), SILENT, SystemError("else")])
def test_an_algorithm_without_memory(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise problem

    G = lg.grid(3, 3, backend="cpu")
    with monkeypatch.context() as patch:
        patch.setattr(type(G), "expect_sound", fail)
        kind = SystemError if str(problem) == "else" else TooLarge
        with pytest.raises(kind, match="else" if kind is SystemError else "take less"):
            lg.maximal_independent_set(G)


def test_a_statement_without_memory_is_called_so() -> None:
    v = lg.Vector.from_scalar(5, 2**50, backend="cpu")  # one value is held
    with pytest.raises(TooLarge, match="expected enough memory for a statement, but"):
        v[2**49] << 3


@pytest.mark.parametrize("problem", [MemoryError("no room"), SILENT])
def test_a_graph_without_memory(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise problem

    A = lg.Matrix.from_coo([0, 1], [1, 0], 1, backend="cpu")
    with monkeypatch.context() as patch:
        patch.setattr("lagraph_gpu.graph.graph.expect_symmetric", fail)
        with pytest.raises(TooLarge, match="expected enough memory for a graph, but there was not"):
            lg.Graph(A, directed=False)


def test_the_check_of_indices_before_an_assignment(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(positions: Any) -> bool:
        raise MemoryError

    v = lg.Vector.from_dense(np.arange(10.0), backend="cpu")
    with monkeypatch.context() as patch:
        patch.setattr("lagraph_gpu.notation.indexing.repeats", short)
        with pytest.raises(TooLarge, match="expected enough memory for an assignment"):
            v[[1, 2, 3]] << 5
    assert v[1].value == 1


def test_other_errors_stay_as_they_are() -> None:
    @memory.guarded
    def wrong(kind: type[Exception]) -> None:
        raise kind("else")

    for kind in (ValueError, SystemError, RuntimeError):
        with pytest.raises(kind, match=r"^else$"):
            wrong(kind)


def test_a_thread_without_room_for_its_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.grid(3, 3, backend="cpu")
    level, parent = lg.bfs(G, 0)

    def cannot(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", cannot)
    with pytest.raises(TooLarge, match=r"memory for .*start new thread"):
        verify.verify_bfs(G, 0, level, parent)


def test_each_step_of_an_iterator_is_guarded() -> None:
    @memory.guarded
    def steps() -> Iterator[int]:
        yield 1
        raise MemoryError

    found = steps()
    assert next(found) == 1
    with pytest.raises(TooLarge):
        next(found)
    assert list(memory.guarded(lambda: (i for i in range(3)))()) == [0, 1, 2]


def test_the_reserve_is_there_again_when_the_error_is_gone() -> None:
    problem = memory.too_little("a test", MemoryError())
    assert not memory.RESERVE
    del problem
    assert memory.RESERVE


def no_memory(*_: Any, **__: Any) -> None:
    raise zlib.error("Error -4 while decompressing data: insufficient memory")


def test_a_reader_without_memory_does_not_call_the_file_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lg.io.write_edges(tmp_path / "g.npz", generate.grid(3, 3))
    monkeypatch.setattr(np, "load", no_memory)
    with pytest.raises(TooLarge, match=r"g\.npz"):
        lg.io.read_edges(tmp_path / "g.npz")
    A = lg.grid(3, 3, backend="cpu").A
    with pytest.raises(lg.exceptions.InvalidValue, match="damaged"):  # there is enough, so it lies
        lg.Matrix.deserialize(A.serialize(), backend="cpu")
    with monkeypatch.context() as patch, pytest.raises(TooLarge, match="memory for deserialize"):
        patch.setattr(memory, "available_bytes", lambda *_: 1000)
        lg.Matrix.deserialize(A.serialize(), backend="cpu")
    lg.io.write_edges(tmp_path / "g.el.gz", generate.grid(3, 3))
    monkeypatch.setattr(gzip._GzipReader, "read", no_memory)  # type: ignore[attr-defined]
    with pytest.raises(TooLarge, match=r"g\.el\.gz"):
        lg.io.read_edges(tmp_path / "g.el.gz")


def test_bytes_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """zipfile raises another error while it closes what it could not write."""

    def fail(*_: Any, **__: Any) -> None:
        try:
            raise MemoryError
        finally:
            raise ValueError("I/O operation on closed file.")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(TooLarge, match="serialize"):
        lg.grid(3, 3, backend="cpu").A.serialize()


def test_a_loop_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.grid(3, 3, backend="cpu")
    with monkeypatch.context() as patch, pytest.raises(TooLarge, match="memory for bfs"):
        loop, full = searches.levels_from, native.failures().NO_MEMORY
        patch.setitem(vars(loop), "call", lambda *_: loop.failed(full, ()))
        lg.bfs(G, 0)
    assert lg.bfs(G, 0)[0].to_dense().tolist() == [0, 1, 2, 1, 2, 3, 2, 3, 4]


# --- what is written to G.A -----------------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("call", [lambda G: lg.sssp(G, 0), lg.louvain, lg.pagerank, lg.triangles])
def test_weights_that_no_graph_has(call: Any, bad: float) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], backend="cpu")
    call(G)
    G.A[0, 1] = bad
    for _ in range(2):  # not only once
        with pytest.raises(lg.exceptions.InvalidValue, match=rf"in G\.A, got {bad} from 0 to 1"):
            call(G)
    G.A[0, 1] = 4.0
    call(G)


def test_a_written_weight_is_looked_at_on_each_backend(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], backend=backend)
    G.A[0, 1] = np.nan
    with pytest.raises(lg.exceptions.InvalidValue, match=r"got nan from 0 to 1"):
        lg.sssp(G, 0)
    G.A[0, 1] = 4.0
    assert lg.sssp(G, 0)[0].to_dict() == {0: 0.0, 1: 4.0, 2: 6.0}


def test_a_written_graph_is_checked_before_it_is_copied() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], backend="cpu")
    G.A[0, 1] = np.nan
    for copied in (lambda: G.relabel("degree"), lambda: G.to(GPU)):
        with pytest.raises(lg.exceptions.InvalidValue, match=r"finite weights in G\.A"):
            copied()
    with pytest.raises(lg.exceptions.InvalidValue, match=r"finite weights in G\.A"):
        lg.bfs(pickle.loads(pickle.dumps(G)), 0)


def test_an_undirected_graph_stays_symmetric(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], directed=False, backend=backend)
    G.A[0, 2] = 9.0
    with pytest.raises(lg.exceptions.InvalidValue, match="written to in one direction"):
        lg.bfs(G, 0)
    G.A[2, 0] = 9.0
    assert lg.bfs(G, 0)[0].to_dict() == {0: 0, 1: 1, 2: 1}


def test_a_graph_stays_square() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    G.A.resize(3, 5)
    with pytest.raises(lg.exceptions.DimensionMismatch, match=r"G\.A to be square"):
        lg.bfs(G, 0)


# --- the user's limit -----------------------------------------------------------------------------


@pytest.fixture
def limit() -> Iterator[Any]:
    yield lg.set_memory_limit
    lg.set_memory_limit(None)


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [
        (5, 5),
        ("7", 7),
        ("3 B", 3),
        ("2KiB", 2048),
        ("8 GiB", 8 << 30),
        ("1 TiB", 1 << 40),
        ("1GB", 10**9),
        ("2 kB", 2000),
        ("1.5GiB", 3 << 29),
        (1e9, 10**9),
    ],
)
def test_ways_to_write_a_limit(given: Any, bytes_: int) -> None:
    assert memory.bytes_of(given) == bytes_


@pytest.mark.parametrize(
    "bad", [0, -1, "", "1.5", "1,5 GiB", "0GB", "GiB", "9" * 40, True, 2.5, np.inf, np.nan, [1]]
)
def test_what_is_no_limit(bad: Any, limit: Any) -> None:
    with pytest.raises(lg.exceptions.InvalidValue, match=r"expected a number of bytes, .* got"):
        limit(bad)
    assert memory.LIMITS.host is None


def test_a_limit_counts_what_the_process_holds_alone(system: Any, limit: Any) -> None:
    system({"proc/self/statm": f"{300 * 256} {90 * 256} {50 * 256} 9 0 {100 * 256} 0\n"})
    limit("100 MiB")
    assert memory.available_bytes() == 60 * MIB
    limit("30 MiB")  # it holds more already
    assert memory.available_bytes() == 0
    limit(2 * FREE)
    assert memory.available_bytes() == FREE
    limit("100 MiB")
    with pytest.raises(TooLarge, match=r"62,914,560 are free, by lg.set_memory_limit\(104857600\)"):
        lg.Vector("FP64", 2**30, backend="cpu").to_dense(0)


@pytest.mark.parametrize("value", [5, 5j])
def test_entries_that_share_a_value_are_asked_room(value: Any, limit: Any) -> None:
    v = lg.Vector.from_scalar(value, 2**24, backend="cpu")
    A = lg.Matrix.from_scalar(value, 2**12, 2**12, backend="cpu")
    limit("1 MiB")
    for read in v.to_coo, v.to_dense, A.to_coo, A.to_csr:
        with pytest.raises(TooLarge, match=r"the 16,777,216 entries of a (vector|matrix) to fit"):
            read()
    with pytest.raises(TooLarge, match=r"an array of shape \(4096, 4096\) to fit"):
        A.to_dense()


def test_a_limit_counts_a_part_of_what_processes_share(
    system: Any, limit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    system({"proc/self/statm": f"{300 * 256} {90 * 256} {50 * 256} 9 0 {100 * 256} 0\n"})
    system({"proc/self/status": f"Name: python\nRssFile: 9 kB\nRssShmem:   {24 * 1024} kB\n"})
    limit("100 MiB")
    assert memory.available_bytes() == 60 * MIB  # alone: it is not ours
    monkeypatch.setattr(memory.LIMITS, "sharers", 3)
    assert memory.available_bytes() == 52 * MIB


def test_a_limit_on_a_device(limit: Any) -> None:
    assert memory.within_limit(10 * MIB, 5 * MIB) == 10 * MIB
    limit("8 MiB")
    assert memory.within_limit(10 * MIB, 5 * MIB) == 3 * MIB
    assert memory.within_limit(2 * MIB, 5 * MIB) == 2 * MIB
    assert memory.within_limit(10 * MIB, 9 * MIB) == 0
    limit(None, gpu="9 MiB")
    assert memory.within_limit(10 * MIB, 5 * MIB) == 4 * MIB and memory.LIMITS.host is None
    assert memory.source_of_limit() == f", by lg.set_memory_limit(None, gpu={9 * MIB})"
    limit("5 MiB", gpu="9 MiB")
    assert memory.within_limit(10 * MIB, 5 * MIB) == 4 * MIB and memory.LIMITS.host == 5 * MIB
    limit(None)
    assert memory.LIMITS.gpu is None and memory.source_of_limit() == ""


def on_host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.get()


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_fewer_sources_at_a_time_under_a_limit(
    backend: Any, limit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Betweenness of all sources, and a table of distances, whose blocks get one row where a
    quarter of the limit has no room for it but the limit has."""
    monkeypatch.setattr(memory, "private_bytes", lambda: 0)
    monkeypatch.setattr(
        type(GPU.device), "free_bytes", property(lambda _: memory.within_limit(FREE, 0))
    )
    G = lg.kronecker(6, seed=3, backend=backend)
    n, free = G.n, backend.free_bytes()
    dependence = lg.betweenness_centrality(G).to_dense(0)
    (whole,) = lg.iter_distances(G)
    row = Table(G, None, None, None, "weight").bytes(1)
    rows = batch_rows(G.A)
    for bytes_ in (4 * row, 2 * row, row):
        limit(bytes_)
        assert backend.free_bytes() == bytes_ < free and batch_rows(G.A) < rows
        blocks = list(lg.iter_distances(G))
        assert [block.sources.size for block in blocks] == [1] * n
        table = np.concatenate([on_host(block.distances) for block in blocks])
        np.testing.assert_array_equal(table, on_host(whole.distances))
        found = lg.betweenness_centrality(G).to_dense(0)
        np.testing.assert_allclose(on_host(found), on_host(dependence), atol=1e-12)
    limit(row - 1)
    with pytest.raises(TooLarge, match=f"one row at least, {row:,} bytes, got {row - 1:,}"):
        lg.iter_distances(G)
    limit(None)
    assert len(list(lg.iter_distances(G))) == 1
