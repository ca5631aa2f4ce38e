"""Processes with a GPU each, which is the emulated one: closures, algorithms, and graphs drawn on
it. (Statements with a GPU each are in test_operations.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.gathered import gathered_on
from lagraph_gpu.cluster.root_results import scattered
from lagraph_gpu.errors import IndexOutOfBound, TooLarge
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.gpu.closure.distributed_levels import DistributedLevels
from lagraph_gpu.gpu.distributed import RootExchange
from lagraph_gpu.notation.matrix import stored_values
from semirings import any_secondi, min_plus, types
from semirings.types import INT64
from tests import graphs, spec
from tests.closure.test_closure import rounds_bound, start
from tests.cluster.test_algorithms import same
from tests.cluster.test_closures import seen_as, sent, views
from tests.cluster.test_lowerings import root_alone
from tests.cluster.turns import TurnTransport, on_ranks
from tests.harness import CPU, GPU, complaint, put, reseed, take
from tests.simt.device import ForeignArray
from tests.strategies import examples, random_graphs, seeds
from tests.test_without_lowerings import CASES, answer

sizes = st.sampled_from([2, 3])
QUICK = ("bfs", "sssp", "pagerank", "connected_components", "triangles")


@examples(12)
@given(data=st.data(), steps=rounds_bound, size=sizes, view=views, seed=seeds)
def test_fixpoint(data: Any, steps: Any, size: int, view: str, seed: int) -> None:
    """Of a semiring with weights, so that values move as well."""
    A = data.draw(random_graphs(types.name(INT64), st.integers(0, 9))).adjacency
    x0 = start(data.draw, INT64, [0, 3, 40], A.shape[0])
    reseed(seed)

    def work(backend: Any) -> Any:
        made = closure_with_rounds(
            put(x0, backend), seen_as(put(A, backend), view), min_plus, steps
        )
        return [take(one) for one in made]

    right = closure_with_rounds(put(x0, CPU), put(A, CPU), min_plus, steps)
    for x, level in on_ranks(size, work, GPU):
        assert not complaint(x, [spec.closure(x0, A, min_plus, steps)])
        assert not complaint(level, [take(right[1])])


@pytest.mark.parametrize("name", QUICK)
def test_algorithms(name: str) -> None:
    _, find, judge, shape = next(one for one in CASES if one[0] == name)
    example = shape(graphs.NAMED["random 33"])
    right = answer(find, example.graph(CPU))
    on_ranks(2, lambda backend: same(find, judge, example, right, backend), GPU)


def test_arrays_of_devices() -> None:
    """Each process has the same array on its device, and keeps its part."""
    dense = np.array([[0, 2, 5], [7, 0, 0], [0, 3, 3], [1, 1, 0]])
    indptr, indices, values = (dense != 0).sum(1).cumsum(), dense.nonzero()[1], dense[dense != 0]

    def work(backend: Any) -> Any:
        v = lg.Vector.from_dense(ForeignArray(dense[:, 1]), 0, backend=backend)
        A = lg.Matrix.from_dense(ForeignArray(dense), 0, backend=backend)
        rows = (ForeignArray(np.array([0, *indptr])), ForeignArray(indices), ForeignArray(values))
        B = lg.Matrix.from_csr(*rows, ncols=3, backend=backend)
        assert (
            A.isequal(B, check_dtype=True)
            and stored_values(B).to_dense().tolist() == values.tolist()
        )
        return v.to_dense(0).tolist(), A.to_dense(0).tolist()

    for size in (1, 2, 3):
        assert on_ranks(size, work, GPU) == [(dense[:, 1].tolist(), dense.tolist())] * size


def test_components_say_what_they_send() -> None:
    """And that one device alone takes less time, as was measured."""

    def work(backend: Any) -> Any:
        G = KRONECKER.to(backend)
        with lg.explain() as report:
            lg.connected_components(G)
        told = next(one for one in report.choices if one.what == "component_labels")
        return told.facts["bytes"], told.because

    for size, because in on_ranks(2, work, GPU):
        assert size >= 4 * KRONECKER.n and "one that has room" in because


def test_one_process_alone() -> None:
    """Results and what is made anew are on one backend, whatever found them."""

    def work(backend: Any) -> Any:
        level, parent = lg.bfs(KRONECKER.to(backend), BEGIN)
        ones = lg.Vector.from_scalar(1, KRONECKER.n, backend=backend)
        return level.backend.name, (level + ones).new().nvals, parent.nvals

    for local in (GPU, CPU):
        name, both, reached = on_ranks(1, work, local)[0]
        assert name == "cluster" and both == KRONECKER.n > reached > 1


def test_a_graph_is_drawn_on_each_device() -> None:
    def work(backend: Any) -> Any:
        edges = Drawn(Draw(scale=6), backend)
        ends = edges.ends.to_dense().tolist()
        G = edges.graph("integer")
        return ends, [x.tolist() for x in G.A.to_coo()], edges.differences(G)

    assert on_ranks(2, work, GPU) == [work(CPU)] * 2


KRONECKER = lg.kronecker(8, weights="integer", backend="cpu")
BEGIN = int(KRONECKER.out_degree.to_dense(0).argmax())


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a push a place and a parent of 4 bytes each for each vertex that a process finds and
    another owns, and counts for each exchange; in a pull a bit for each vertex of the others. (The
    shortest lists are sent with the room behind them, so that nobody waits for their lengths.)
    """
    monkeypatch.setattr(DistributedLevels, "small", 0)
    sends, reached, levels = sent(2, "push", KRONECKER, GPU)
    assert 0 < sends - 2 * (16 + 16) * levels <= 8 * reached
    sends, _, levels = sent(2, "pull", KRONECKER, GPU)
    assert sends - 2 * 16 * levels <= 1.5 * levels * KRONECKER.n / 8


def test_too_little_memory_on_one_device() -> None:
    """All raise what one raises, before any bytes move, and the next statement works."""
    x = np.arange(40.0)

    def work(backend: Any) -> Any:
        vector_exchange: Any = backend.distribution.vector_exchange
        A = KRONECKER.to(backend).A
        ones = lg.Vector.from_scalar(1, A.nrows, backend=backend)
        if backend.distribution.rank == 1:
            vector_exchange.device = Short(vector_exchange.device)
        with pytest.raises(TooLarge, match="expected 77 bytes of free GPU memory"):
            min_plus(ones @ A).new()
        vector_exchange.device = GPU.device
        return lg.Vector.from_dense(x, backend=backend).sum(), min_plus(ones @ A).new().nvals

    first, second = on_ranks(2, work, GPU)
    assert first == second
    assert first[0] == x.sum() and first[1] > 0


@pytest.mark.parametrize("part, find, transport", [
    ("levels", lambda G: lg.bfs(G, BEGIN)[0].nvals, "host"),
    ("levels", lambda G: lg.bfs(G, BEGIN)[0].nvals, "peer_windows"),
    ("components", lambda G: lg.connected_components(G).nvals, "host"),
    ("parents", lambda G: lg.sssp(G, BEGIN)[1].nvals, "host"),
])  # fmt: skip
def test_too_little_memory_for_an_operation_on_one_device(
    part: str, find: Any, transport: str
) -> None:
    """The same of operations that devices carry out together."""

    def work(backend: Any) -> Any:
        G, local_operations = KRONECKER.to(backend), backend.distribution.local_operations
        if backend.distribution.rank == 1:
            short = getattr(local_operations, part)
            short.device = Short(short.device)
        with pytest.raises(TooLarge, match="expected 77 bytes of free GPU memory"):
            find(G)
        assert not local_operations.exposed
        getattr(local_operations, part).device = GPU.device
        return find(G)

    assert on_ranks(2, work, GPU, transport=transport) == [find(KRONECKER)] * 2


BY_ROOT: dict[str, Callable[[lg.Graph], Any]] = {
    "one full vector": lg.core_number,
    "two, of a third one": lambda G: lg.hits(G, 10, 1e9),
    "a matrix": lambda G: lg.k_truss(G, 3).A,
}  # fmt: skip
"""Calls of which process 0 finds something alone."""


def told(found: Any) -> Any:
    """The entries of vectors and matrices."""
    if isinstance(found, tuple):
        return [told(one) for one in found]
    return [one.tolist() for one in found.to_coo()]


def moved(device: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each copy between this device and its host from here on."""
    counted: list[int] = []
    for name in ("download", "fetch", "upload", "write"):
        copy = getattr(device, name)

        def copied(*given: Any, copy: Any = copy) -> Any:
            counted.append(given[-1].nbytes)
            return copy(*given)

        monkeypatch.setattr(device, name, copied)
    return counted


@pytest.mark.parametrize("name", BY_ROOT)
def test_what_process_0_finds_moves_between_devices(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does the graph that it works on. The hosts are told types and counts."""
    find, copies = BY_ROOT[name], moved(GPU.device, monkeypatch)
    right = told(find(KRONECKER))

    def work(backend: Any) -> Any:
        G, distribution = KRONECKER.to(backend), backend.distribution
        comm = distribution.comm
        comm.agree()
        copies.clear()
        before = comm.traffic.bytes - distribution.devices.sent
        found = find(G)
        comm.agree()
        assert sum(copies) < KRONECKER.n and max(copies) <= 64
        assert comm.traffic.bytes - distribution.devices.sent - before < 4 * KRONECKER.n
        comm.agree()
        return told(found)

    with root_alone():
        assert on_ranks(2, work, GPU, transport="peer_windows") == [right] * 2


@pytest.mark.parametrize("some", [range(64, 320), range(0, 320, 9), [7], []], ids=len)
def test_vectors_of_process_0_that_are_not_full(
    some: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go as bitmaps and values, or as lists, to all processes and back."""
    copies = moved(GPU.device, monkeypatch)
    v = lg.Vector.from_coo(some, np.arange(1.0, len(some) + 1), size=320, backend=CPU)

    def work(backend: Any) -> Any:
        distribution = backend.distribution
        comm, whole = distribution.comm, v.to(GPU)
        empty = distribution.empty(v.shape, v.dtype)
        comm.agree()
        copies.clear()
        with comm.statement():
            (part,) = scattered(distribution, whole if comm.rank == 0 else empty)
            found = gathered_on(distribution, Distributed(part, v.shape), 2, GPU)
        assert sum(copies) <= 320
        comm.agree()
        assert (found is None) == (comm.rank != 2)
        mine = [[i // 3, x] for i, x in v.to_dict().items() if i % 3 == comm.rank]
        assert np.stack(part.to_coo(), 1).tolist() == mine
        return found is None or told(distribution.handle(found, v.shape, v.dtype)) == told(v)

    assert on_ranks(3, work, GPU, transport="peer_windows") == [True] * 3


@pytest.mark.parametrize("name", BY_ROOT)
def test_what_devices_do_not_move_goes_through_the_hosts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RootExchange, "moves", lambda *_: False)

    def work(backend: Any) -> Any:
        return told(BY_ROOT[name](KRONECKER.to(backend)))

    with root_alone():
        assert on_ranks(3, work, GPU) == [told(BY_ROOT[name](KRONECKER))] * 3


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("kind, find", [
    ("vectors", lg.core_number), ("matrices", lambda G: lg.k_truss(G, 3).A)
])  # fmt: skip
def test_too_little_memory_for_what_process_0_finds(kind: str, find: Any, rank: int) -> None:
    """On process 0 or on one of those to which it goes: all raise the same, and the next call
    works."""

    def work(backend: Any) -> Any:
        G, distribution = KRONECKER.to(backend), backend.distribution
        right = told(find(G))  # and so process 0 has the graph
        short = getattr(distribution.devices.root_exchange, kind)
        if distribution.rank == rank:
            short.device = Short(short.device)
        with pytest.raises(TooLarge, match="expected 77 bytes of free GPU memory"):
            find(lg.Graph._checked(G.A, directed=False))
        short.device = GPU.device
        assert told(find(G)) == right
        return right

    with root_alone():
        assert on_ranks(2, work, GPU) == [told(find(KRONECKER))] * 2


def test_too_little_memory_for_lists_that_process_0_gathers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It finds out before anything moves, so it can tell the others, and nobody ends."""
    ended: list[int] = []
    monkeypatch.setattr(TurnTransport, "end", lambda self: ended.append(self.rank))
    v = lg.Vector.from_coo([7, 50], [1.0, 2.0], size=320, backend=CPU)

    def work(backend: Any) -> Any:
        distribution, w = backend.distribution, v.to(backend)

        def gathered() -> Any:
            with distribution.comm.statement():
                return gathered_on(distribution, w._store, 0, GPU)

        short = distribution.devices.root_exchange.vectors, distribution.vector_exchange
        for one in short:
            one.device = Short(one.device, "zeros") if distribution.is_root else one.device
        with pytest.raises(TooLarge, match="expected 77 bytes of free GPU memory"):
            gathered()
        for one in short:
            one.device = GPU.device
        return gathered() is None

    assert on_ranks(2, work, GPU) == [False, True]
    assert not ended


@pytest.mark.parametrize("name, transport", [
    ("bfs", "host"), ("bfs", "peer_windows"), ("sssp", "peer_windows"),
    ("connected_components", "host"),
])  # fmt: skip
def test_an_error_while_the_others_wait_for_a_device(
    name: str, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They cannot be told, so all processes end."""
    ended = []
    monkeypatch.setattr(TurnTransport, "end", lambda self: ended.append(self.rank))

    def work(backend: Any) -> None:
        G, distribution = KRONECKER.to(backend), backend.distribution
        peers = distribution.local_operations.levels.peers
        if distribution.rank == 1:
            if transport == "peer_windows":
                peers.peer_windows.launch = lost
            else:
                peers.all_gather = lost
        getattr(lg, name)(G, *([] if name == "connected_components" else [BEGIN]))

    with pytest.raises((RuntimeError, AssertionError), match=r"the device is lost|programs"):
        on_ranks(2, work, GPU, transport=transport)
    assert 1 in ended


def lost(*given: Any) -> None:
    raise RuntimeError("the device is lost")


class Short:
    """A device without memory, or without any that is zero."""

    def __init__(self, device: Any, lacks: str = "empty") -> None:
        self._device, self._lacks = device, lacks

    def __getattr__(self, name: str) -> Any:
        if name == self._lacks:
            raise TooLarge("expected 77 bytes of free GPU memory, but 0 are free")
        return getattr(self._device, name)


@pytest.mark.parametrize("transport", ["host", "peer_windows"])
def test_any_takes_one_of_the_nearest(transport: str) -> None:
    reseed(3)
    level, parent = lg.bfs(KRONECKER, BEGIN)
    A = KRONECKER.A

    def work(backend: Any) -> Any:
        x0 = lg.Vector.from_coo([BEGIN], [BEGIN], size=A.nrows, backend=backend)
        found = closure_with_rounds(x0, KRONECKER.to(backend).A, any_secondi)
        return [one.to_dense(-1) for one in found]

    for tails, steps in on_ranks(3, work, GPU, transport=transport):
        np.testing.assert_array_equal(steps, level.to_dense(-1))
        heads = np.flatnonzero(steps > 0)
        assert (steps[tails[heads]] == steps[heads] - 1).all()
        assert all(A.get(int(tails[v]), int(v)) is not None for v in heads)
    assert parent.nvals == level.nvals


@pytest.mark.parametrize(
    "transport, launches, exchanges", [("host", 20, 3), ("peer_windows", 1, 2)]
)
def test_what_a_search_costs_the_hosts(transport: str, launches: int, exchanges: int) -> None:
    """Of devices that are neighbours one kernel, and one exchange of the hosts before it and one
    after it."""

    def work(backend: Any) -> Any:
        G, traffic = KRONECKER.to(backend), backend.distribution.comm.traffic
        lg.bfs(G, BEGIN)
        launched, exchanged = GPU.device.launches, traffic.exchanges
        lg.bfs(G, BEGIN)
        return GPU.device.launches - launched, traffic.exchanges - exchanged

    for kernels, met in on_ranks(2, work, GPU, transport=transport):
        assert kernels <= 2 * launches and met <= exchanges


def test_an_error_after_the_devices_have_met() -> None:
    """Nobody waits at the end of a search in which the devices have met, so the others hear of an
    error in their next statement. The one after that works."""
    levels = lg.bfs(KRONECKER, BEGIN)[0].sum()

    def work(backend: Any) -> Any:
        G, distribution = KRONECKER.to(backend), backend.distribution
        ones = lg.Vector.from_scalar(1, 9, backend=backend)
        handle = distribution.handle

        def fails(*given: Any) -> None:
            raise IndexOutOfBound("row 7 is outside")

        if distribution.rank == 1:
            distribution.handle = fails
        with pytest.raises(IndexOutOfBound, match="row 7 is outside"):
            lg.bfs(G, BEGIN)
            assert distribution.rank == 0
            ones.sum()
        distribution.handle = handle
        return lg.bfs(G, BEGIN)[0].sum(), ones.sum()

    assert on_ranks(2, work, GPU, transport="peer_windows") == [(levels, 9)] * 2


def test_what_shortest_paths_cost_the_hosts() -> None:
    """Of devices that are neighbours one kernel finds the distances, whose weights all know after
    the first time. Its rounds push and pull."""

    def work(backend: Any) -> Any:
        G, traffic = KRONECKER.to(backend), backend.distribution.comm.traffic
        begun = G.point(BEGIN, 0, G.A.dtype)
        lg.closure(begun, G.A, min_plus)
        launched, exchanged = GPU.device.launches, traffic.exchanges
        found = lg.closure(begun, G.A, min_plus)
        met, launched = traffic.exchanges - exchanged, GPU.device.launches - launched
        with lg.explain() as report:
            lg.closure(begun, G.A, min_plus)
        levels = [c for c in report.choices if ", level" in c.what]
        assert {c.chosen for c in levels} == {"push", "pull"}
        assert all(c.facts["bytes"] > 0 for c in levels)
        return launched, met, found.to_dict()

    right = lg.sssp(KRONECKER, BEGIN)[0].to_dict()
    for kernels, met, found in on_ranks(2, work, GPU, transport="peer_windows"):
        assert found == right and kernels <= 2 and met <= 2
