"""Calls that a GPU has too little memory for: rows in the host's memory, then the CPU.

The emulator keeps to a bound on what its arrays take (`room_of`), so what fits is no guess.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.calls.out_of_memory_fallback import fall_back, placed
from lagraph_gpu.convert.packed_arrays import SLACK
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.packed_search import PackedSearches
from lagraph_gpu.gpu.device.port import give_back
from lagraph_gpu.gpu.storage import host_spill
from lagraph_gpu.memory import short_of
from lagraph_gpu.notation.host_memory import moved_to_device, spilled_bytes, spilled_to_host
from tests.graphs import skewed_pairs
from tests.harness import CPU, GPU

DEVICE: Any = GPU.device

pytestmark = pytest.mark.skipif(not hasattr(DEVICE, "room_of"), reason="needs a bound on memory")

N, M = 300, 4000
"""Entries of which the weights and the columns take more than vectors do."""


def edges() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    u, v = skewed_pairs(N, M, rng)
    return u[u != v], v[u != v], rng.integers(1, 9, np.count_nonzero(u != v))


def graph(backend: Any, weighted: bool = True) -> lg.Graph:
    u, v, weights = edges()
    given = weights if weighted else None
    return lg.Graph.from_edges(u, v, given, N, False, "first", backend=backend)


CALLS: dict[str, Callable[[lg.Graph], Any]] = {
    "bfs": lambda G: lg.bfs(G, 3)[0],
    "connected_components": lg.connected_components,
    "core_number": lg.core_number,
    "pagerank": lambda G: lg.pagerank(G, iterations=3),
    "sssp": lambda G: lg.sssp(G, 3)[0],
    "triangles": lg.triangles,
    "distance_matrix": lambda G: lg.distance_matrix(G, [0, 5], schedule=lg.Schedule(order="heap")),
    "maximal_matching": lambda G: lg.maximal_matching(G, seed=1),
}


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    """Tables that are kept for later calls do not count in any of these."""
    give_back()
    yield
    give_back()


def on_host(found: Any) -> np.ndarray:
    if isinstance(found, lg.Vector):
        return found.to_dense(-1)
    return found if isinstance(found, np.ndarray) else found.get()


@pytest.mark.parametrize("name", CALLS)
def test_the_answer_stays_the_same(name: str) -> None:
    """Within less and less memory; and what is kept within the bound is counted."""
    call = CALLS[name]
    wanted, ways = on_host(call(graph(CPU))), set()
    for room in (4 << 20, 150_000, 60_000, 30_000, 22_000):
        with DEVICE.room_of(room):
            G = graph(GPU)
            with lg.explain() as told:
                found = call(G)
            assert DEVICE.taken.most <= room
            again = lg.pagerank(G, iterations=1)  # the graph stays usable
            assert again.nvals == N
        text = str(told)
        ways |= {word for word in ("rows in host memory", "on the CPU") if word in text}
        np.testing.assert_allclose(on_host(found), wanted, rtol=1e-9)
    assert ways and ("on the CPU" in ways or name != "triangles")


def test_a_graph_larger_than_the_device() -> None:
    """Its columns and weights lie in the host's memory from the beginning, which `memory_needed`
    and `explain` tell."""
    with DEVICE.room_of(100_000):
        small = graph(GPU, weighted=False)
        assert spilled_bytes(small.A) == 0 and lg.memory_needed(lg.bfs, small, 0).spilled == 0
    with DEVICE.room_of(16_000), lg.explain() as told:
        G = graph(GPU)
    nnz = G.A.nvals
    assert "do not fit on the device, which reads them from the host" in str(told)
    needed = lg.memory_needed(lg.bfs, G, 0)
    assert spilled_bytes(G.A) >= 4 * nnz and needed.spilled >= 4 * nnz
    assert needed.behind == needed.spilled  # its former name
    assert G.nbytes == graph(GPU).nbytes
    wanted = graph(CPU)
    for mine, theirs in zip(G.A.to_coo(), wanted.A.to_coo(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert lg.sssp(G, 3)[0].isequal(lg.sssp(graph(GPU), 3)[0])
    before = spilled_bytes(G.A)
    assert moved_to_device(G.A) == before and spilled_bytes(G.A) == 0


def test_rows_are_moved_out_and_back() -> None:
    G = graph(GPU)
    nnz, values = G.A.nvals, G.A._store.values
    P = G.prepared()
    level = lg.bfs(P, 3)[0]
    freed = spilled_to_host(P.A)
    assert freed == spilled_bytes(P.A) == 2 * nnz * (4 + values.dtype.itemsize)
    assert lg.bfs(P, 3)[0].isequal(level) and spilled_to_host(P.A) == 0
    assert moved_to_device(P.A) == freed and spilled_bytes(P.A) == 0 == moved_to_device(P.A)
    assert lg.bfs(P, 3)[0].isequal(level)
    empty = lg.Graph.from_edges([], [], n=3, backend=GPU)
    assert spilled_to_host(empty.A) == 0 == spilled_to_host(graph(CPU).A)


@pytest.mark.parametrize("weighted", [False, True])
def test_other_forms_of_the_entries_are_freed(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Panels for many products, and lists of edges that a schedule asked for, stayed on the device
    beside rows that were moved out. They take no more than is free, and are given back."""
    for name, value in (
        ("patience", 1),
        ("fewest", 1),
        ("fewest_entries", 0),
        ("threads", 64),
        ("room", 8 * 64),
        ("task", 1),
    ):
        monkeypatch.setattr(GPU.products.even.by_panels, name, value)
    monkeypatch.setattr("lagraph_gpu.planning.panels.RUN", 1)
    monkeypatch.setattr(GPU.pagerank, "most_entries", 0)  # in one kernel there are no panels
    listed = lg.Schedule("edge", layout="segmented")

    def forms(G: lg.Graph) -> tuple[Any, Any]:
        store = G.A._store
        return (store if weighted else store.pattern).pulls.panels, store.copies

    def ranks(G: lg.Graph) -> np.ndarray:
        return lg.pagerank(G, iterations=3, weight="weight" if weighted else None).to_dense()

    with DEVICE.room_of(1 << 30):
        G = graph(GPU)
        nnz, wanted = G.A.nvals, ranks(G)
        level = lg.bfs(G, 3, schedule=listed)[0]
        panels, edges = forms(G)
        assert panels and edges
        del panels, edges
        before = DEVICE.taken.now
        freed = spilled_to_host(G.A)
        assert before - DEVICE.taken.now >= freed >= 12 * nnz
        assert forms(G) == ({}, {})
        np.testing.assert_allclose(ranks(G), wanted)
        assert forms(G)[0]  # there is room
        assert lg.bfs(G, 3, schedule=listed)[0].isequal(level)
        assert give_back() and forms(G) == ({}, {})
    with DEVICE.room_of(16 * nnz + (8 << 10)):
        G = graph(GPU)
        np.testing.assert_allclose(ranks(G), wanted)
        assert not forms(G)[0] and spilled_bytes(G.A) == 0


def test_other_matrices_that_a_graph_keeps_go_first() -> None:
    """Those that triangles are counted with are forgotten before rows move, and are made again."""
    G = graph(GPU)
    wanted, degree = lg.triangles(G), G.out_degree
    held, tries = [], []

    def call(G: lg.Graph) -> int:
        tries.append((G._forgets_copies(), spilled_bytes(G.A)))
        if len(tries) < 3:
            held.append(lg.triangles(G))
            raise short_of("expected room")
        return 7

    with pytest.raises(TooLarge) as told:
        call(G)
    assert fall_back(call, "call", G, (), {}, told.value) == 7
    assert tries[0] == (True, 0) and tries[1] == (False, 0)
    assert not tries[2][0] and tries[2][1] > 0 == spilled_bytes(G.A)
    assert all(count.isequal(wanted) for count in held) and G.out_degree is degree
    assert not G._forgets_copies()


def memory_of(K: lg.Graph) -> np.ndarray:
    """The memory under the stream of packed rows."""
    return K.A._store.packed.stream._bytes.base  # type: ignore[no-any-return]


def test_packed_rows_are_moved_out_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GPU.packing, "part_words", 1 << 9)
    K = lg.kronecker(10, seed=2, layout="packed", backend=GPU)
    held, level, stream = K.A._store.packed.nbytes, lg.bfs(K, 3)[0], ref(memory_of(K))
    with DEVICE.room_of(20_000):
        assert spilled_to_host(K.A) == held - K.A._store.packed.nbytes > 0
        assert stream() is None, "what was on the device is freed"
        assert spilled_bytes(K.A) == 4 * (K.A._store.packed.words + SLACK)
        assert moved_to_device(K.A) == 0
    assert K.nbytes == K.A._store.packed.nbytes + spilled_bytes(K.A)
    assert lg.bfs(K, 3)[0].isequal(level) and K.A._store.stays_packed
    kept = K.A._store.packed.nbytes
    assert moved_to_device(K.A) == K.A._store.packed.nbytes - kept > 0
    assert spilled_bytes(K.A) == 0 == moved_to_device(K.A)
    assert lg.bfs(K, 3)[0].isequal(level)


def test_weights_beside_packed_rows_are_moved_too() -> None:
    K = graph(GPU).relabel("degree", layout="packed")
    wanted = lg.sssp(K, 3)[0]
    with DEVICE.room_of(2000):
        assert spilled_to_host(K.A) >= K.A.nvals
    assert DEVICE.is_pinned(K.A._store.packed.weights.values)
    assert spilled_bytes(K.A) > K.A.nvals
    assert lg.sssp(K, 3)[0].isequal(wanted) and K.A._store.stays_packed
    assert moved_to_device(K.A) >= K.A.nvals and spilled_bytes(K.A) == 0
    assert lg.sssp(K, 3)[0].isequal(wanted)


def test_packed_rows_larger_than_the_device(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened from a folder, and packed from rows that lie in the host's memory themselves."""
    monkeypatch.setattr(GPU.packing, "part_words", 1 << 9)
    monkeypatch.setattr(PackedSearches, "listed", 1 << 6)
    K = lg.kronecker(9, 64, seed=2, layout="packed", backend=GPU)
    K.save(tmp_path / "packed")
    wanted, label = lg.bfs(K, 3)[0], lg.connected_components(K)
    with DEVICE.room_of(18_000), lg.explain() as told:
        H = lg.open(tmp_path / "packed", backend=GPU)
    window = H.A._store.packed.window
    assert 0 < window.nbytes < spilled_bytes(H.A) and "read from the host over the bus" in str(told)
    assert lg.bfs(H, 3)[0].isequal(wanted) and lg.connected_components(H).isequal(label)
    assert H.digest == K.digest
    with DEVICE.room_of(27_000):
        G = lg.Graph(K.A.to("cpu"), directed=False).to(GPU)
        with lg.explain() as told:
            P = G.relabel("degree", layout="packed")
    assert P.A._store.packed.window.nbytes > 0
    assert lg.connected_components(P).nvals == K.n


def test_a_graph_is_freed_after_fallbacks(tmp_path: Any) -> None:
    """What a refused call held is freed with the graph, without a collection: an error that held
    its own frames kept all rows of a graph, and the next folder did not fit."""
    K = lg.kronecker(9, 64, seed=2, layout="packed", backend=GPU)
    K.save(tmp_path / "packed")
    wanted, label = lg.bfs(K, 3)[0], lg.connected_components(K)
    assert wanted.isequal(wanted) and label.isequal(label)  # takes memory once
    gc.collect()
    gc.disable()
    try:
        for room in (24_000, 11_000):  # in the second rows are decoded on the host
            with DEVICE.room_of(room), lg.explain() as told:
                H = lg.open(tmp_path / "packed", backend=GPU)
                store = ref(H.A._store)
                for made, right in ((lg.bfs(H, 3)[0], wanted), (lg.connected_components(H), label)):
                    assert made.isequal(right.to(made.backend))
                assert "on the CPU" in str(told)
                del H, made
                assert store() is None and DEVICE.taken.now == 0
    finally:
        gc.enable()


def test_compressed_rows_of_packed_ones_are_made_in_the_hosts_memory() -> None:
    K = lg.kronecker(9, seed=1, layout="packed", backend=GPU)
    wanted = lg.kronecker(9, seed=1, layout="degree", backend=GPU)
    with DEVICE.room_of(3 * 4 * (K.n + 1)):
        indices = K.A._store.indices
    assert DEVICE.is_pinned(indices)
    for mine, theirs in zip(K.A.to_coo(), wanted.A.to_coo(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_without_any_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what the device lacked and what the host lacks; and the graph stays usable."""
    G = graph(GPU)
    assert G.lightest == 1  # the first reduction allocates counters, which the device keeps
    with monkeypatch.context() as patch, DEVICE.room_of(2000):
        patch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
        patch.setattr(type(CPU), "free_bytes", lambda _: 10)
        with pytest.raises(TooLarge, match=r"2,000 are free.*; and on the CPU: .* 10 are free"):
            lg.distance_matrix(G)
    assert lg.bfs(G, 0)[0].nvals > 1


def test_a_stream_without_room_for_one_row() -> None:
    """Where a device has no room for one row, all rows come from the CPU."""
    G = graph(GPU)
    (whole,) = lg.iter_distances(graph(CPU))
    with DEVICE.room_of(100), lg.explain() as told:
        rows = [(block.sources, block.distances) for block in lg.iter_distances(G)]
    assert "on the CPU" in str(told)
    np.testing.assert_array_equal(np.concatenate([sources for sources, _ in rows]), range(G.n))
    np.testing.assert_array_equal(np.concatenate([row for _, row in rows]), whole.distances)


def test_a_path_without_room_on_the_device() -> None:
    parent = lg.bfs(graph(GPU), 0)[1]
    target = int(parent.to_coo()[0][-1])
    wanted = lg.path_to(parent, target)
    with DEVICE.room_of(0):
        assert lg.path_to(parent, target) == wanted


def test_what_more_memory_would_not_mend() -> None:
    """An error of another kind is not followed by a second try."""
    G = graph(GPU)
    with (
        pytest.raises(TooLarge, match="expected memory for one row at least"),
        lg.explain() as told,
    ):
        lg.iter_distances(G, memory=10)
    assert "on the CPU" not in str(told)


def test_results_come_back_if_they_fit() -> None:
    v = lg.Vector.from_dense(np.arange(5000), backend=CPU)
    G = graph(CPU)
    with DEVICE.room_of(30_000):
        pair = placed((v, [G, "x"], {"a": None}), GPU)
        assert pair[0].backend is CPU  # it does not fit
        assert pair[1][0].backend is GPU and pair[1][1] == "x" and pair[2] == {"a": None}
    found = placed(lg.bfs(G, 0), GPU)
    assert all(part.backend is GPU for part in found)
    assert placed([1, 2], GPU) == [1, 2] and host_spill.LEAST_MOVED_BYTES > 0
