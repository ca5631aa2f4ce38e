"""More entries than 32 bits can number, on a GPU that has room for them (a Kronecker graph of scale
27). On the emulator the same calls over a small graph, whose offsets have 64 bits all the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.verify import Rules
from tests.harness import CPU, DEVICE, GPU
from tests.simt.device import EmulatedDevice
from tests.simt.exercises import offsets_of_64_bits

EMULATED = isinstance(DEVICE, EmulatedDevice)
SCALE, ROOM = 7 if EMULATED else 27, 100 << 30
"""Drawing takes 24 bytes for each of 2³¹ edges besides the graph of 17 GB."""


@pytest.fixture(scope="module")
def drawn() -> Iterator[tuple[Drawn, lg.Graph]]:
    if not EMULATED and DEVICE.free_bytes < ROOM:
        pytest.skip(f"a GPU with {ROOM >> 30} GiB of free memory is needed")
    with offsets_of_64_bits(EMULATED):
        edges = Drawn(Draw(SCALE), GPU)
        yield edges, edges.graph(None)


def test_every_edge_has_its_place(drawn: tuple[Drawn, lg.Graph]) -> None:
    edges, G = drawn
    assert G.A._store.offset == np.int64 and (EMULATED or G.A.nvals > 2**31)
    assert edges.differences(G) == 0


def test_searches_keep_the_rules(drawn: tuple[Drawn, lg.Graph]) -> None:
    _, G = drawn
    judge = Rules(G)
    for root in np.flatnonzero(G.degree().to_dense(fill_value=0))[:3].tolist():
        judge.bfs(root, *lg.bfs(G, root))


def test_entries_add_up(drawn: tuple[Drawn, lg.Graph]) -> None:
    _, G = drawn
    sums = G.A.reduce_rowwise("plus").new().to_dense(fill_value=0)
    assert int(sums.sum(dtype=np.int64)) == G.A.nvals
    lower = G.A.select("tril").new()
    assert 2 * lower.nvals == G.A.nvals
    assert lower.T.new().isequal(G.A.select("triu").new())


def test_a_component_is_what_a_search_reaches(drawn: tuple[Drawn, lg.Graph]) -> None:
    _, G = drawn
    label = lg.connected_components(G).to_dense()
    root = int(np.argmax(np.bincount(label)))
    reached = lg.bfs(G, root)[0].to_coo()[0]
    np.testing.assert_array_equal(reached, np.flatnonzero(label == label[root]))


def test_few_entries_of_many_columns() -> None:
    """A process of a cluster has parts with more columns than 2³¹."""
    row, column, value = np.array([0, 1]), np.array([2**33 + 5, 2**39]), np.array([3, 4])
    store = CPU.build_coordinates((2, 2**40), row, column, value)
    assert [part.tolist() for part in CPU.matrix_coordinates(store)] == [
        [0, 1], [2**33 + 5, 2**39], [3, 4],
    ]  # fmt: skip
