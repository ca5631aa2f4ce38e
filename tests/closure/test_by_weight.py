"""Rows sorted by weight: the same entries, by rising or falling value, ties as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.matrix.weight_order import lightest_first, pair_of, small_weight, sort_rows
from semirings import max_min, min_plus
from tests.harness import DEVICE, GPU

POOLS: list[tuple[str, list[Any]]] = [
    ("BOOL", [False, True]),
    ("UINT8", [0, 3, 255]),
    ("INT8", [-128, 0, 127]),
    ("INT32", [-(2**31), -1, 0, 2**31 - 1]),
    ("UINT32", [0, 1, 2**31, 2**32 - 1]),
    ("INT64", [-(2**63), -1, 0, 2**63 - 1]),
    ("UINT64", [0, 1, 2**63, 2**64 - 1]),
    ("FP32", [-np.inf, -1.5, -1e-45, 0.0, 1e-45, 2.0, np.inf]),
    ("FP64", [-np.inf, -1.5, -5e-324, 0.0, 5e-324, 2.0, np.inf]),
]


@pytest.mark.parametrize("falling", [False, True])
@pytest.mark.parametrize(("dtype", "pool"), POOLS, ids=lambda v: v if isinstance(v, str) else "")
def test_rows_are_sorted(dtype: str, pool: list[Any], falling: bool) -> None:
    n, rng = 40, np.random.default_rng(1)
    i, j = np.divmod(np.unique(rng.integers(0, n * n - n, 300)), n)  # the last row is empty
    held = np.array(pool, lg.Vector(dtype, 1, backend=GPU).dtype.type)[
        rng.integers(0, len(pool), i.size)
    ]
    A = lg.Matrix.from_coo(i, j, held, dtype, nrows=n, ncols=n, backend=GPU)._store
    made = sort_rows(GPU, A, falling)
    assert made is sort_rows(GPU, A, falling) is lightest_first(A, falling) and made.is_sorted
    assert not lightest_first(A, not falling).is_sorted
    pairs = DEVICE.download(made.columns).view(pair_of(A.dtype))
    indptr, columns, values = (DEVICE.download(a) for a in (A.indptr, A.indices, A.values))
    for row in range(n):
        part = slice(indptr[row], indptr[row + 1])
        key = [values[part].tolist().index(v) for v in values[part].tolist()]
        ranks = np.unique(values[part], return_inverse=True)[1]
        order = np.argsort(-ranks if falling else ranks, kind="stable")
        assert len(key) == order.size
        assert pairs["to"][part].tolist() == columns[part][order].tolist()
        assert pairs["weight"][part].tolist() == values[part][order].tolist()


def test_one_value_needs_no_sort() -> None:
    A = lg.Matrix.from_coo([0, 0, 1], [1, 2, 0], 5, nrows=3, ncols=3, backend=GPU)._store
    made = sort_rows(GPU, A)
    assert made.columns is A.indices and made.values is A.values and made.is_sorted
    assert small_weight(GPU, A, 0.1) == np.inf
    empty = lg.Matrix("FP32", 3, 3, backend=GPU)._store
    assert sort_rows(GPU, empty).is_sorted and small_weight(GPU, empty, 0.1) == np.inf


def test_a_small_weight() -> None:
    """Of 0 … 9999 in disorder, about one in ten is at most 1000 in magnitude."""
    rng = np.random.default_rng(2)
    i, j = np.divmod(np.arange(10000), 100)
    A = lg.Matrix.from_coo(
        i, j, -rng.permutation(10000), "INT32", nrows=100, ncols=100, backend=GPU
    )
    assert 900 < small_weight(GPU, A._store, 0.1) < 1100
    assert small_weight(GPU, A._store, 0) < 50


# --- matrices that are searched often ------------------------------------------------------------


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> int:
    """The search that sorts, where all graphs have a core."""
    monkeypatch.setattr(GPU.closures.order_choice, "longest", -1)
    monkeypatch.setattr(GPU.hub_first, "wide", -1)
    monkeypatch.setattr(GPU.hub_first, "searches", 3)
    monkeypatch.setattr(GPU.device, "compile_ahead", lambda programs: True)  # or it would not wait
    return 3


def drawn(directed: bool = True, weights: Any = None) -> lg.Graph:
    rng = np.random.default_rng(4)
    i, j, w = rng.integers(0, 70, 600), rng.integers(0, 66, 600), rng.integers(1, 9, 600)
    return lg.Graph.from_edges(
        i, j, w if weights is None else weights, n=72, directed=directed, dup="min",
        backend=GPU,
    )  # fmt: skip


def found(G: lg.Graph, root: int, ring: Any = min_plus, against: bool = False) -> tuple[Any, str]:
    """A closure, and what was told of it; it is that of the rounds."""
    A, x0 = G.A.T if against else G.A, G.point(root, 0 if ring is min_plus else 9, "INT64")
    with lg.explain() as told:
        x = lg.closure(x0, A, ring, schedule=lg.Schedule(order="delta"))
    assert x.isequal(lg.closure(x0, A, ring, schedule=lg.Schedule(order="rounds")))
    return x, told.choices[0].because


@pytest.mark.parametrize("directed", [True, False])
def test_what_is_searched_often_is_sorted(directed: bool, often: int) -> None:
    """By the last of so many searches, both ways at once, for one order at a time; no answer
    changes."""
    G = drawn(directed)
    ways = G.A._store, GPU.matrices.transpose(G.A._store)
    before = [lg.sssp(G, root)[0] for root in (1, 5)]
    assert "by weight" not in found(drawn(directed), 1)[1]
    assert not any(lightest_first(way, False).is_sorted for way in ways)
    x, told = found(G, 1)
    assert "rows are sorted by weight" in told and x.isequal(before[0].dup(x.dtype))
    assert all(lightest_first(way, False).is_sorted for way in ways)
    assert not any(lightest_first(way, True).is_sorted for way in ways)
    kept = lightest_first(ways[0], False)
    assert (
        found(G, 5)[0].isequal(before[1].dup(x.dtype))
        and kept is ways[0].closures.sorted_entries[1]
    )
    assert "rows are sorted by weight" in found(G, 5, against=True)[1]
    for search in range(1, often + 1):
        told = found(G, 5, max_min)[1]
        assert ("rows are sorted by weight" in told) == (search == often)
    assert all(lightest_first(way, True).is_sorted for way in ways)
    distance, parent = lg.sssp(G, 5)
    assert distance.isequal(before[1]) and parent.nvals == distance.nvals


def test_rows_stay_until_what_sorts_them_is_compiled(
    often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No search waits for a compiler in the middle of a series."""
    G, asked, compiled = drawn(), list[str](), [False]

    def compile_ahead(programs: Any) -> bool:
        asked.extend(name for _, name in programs)
        return compiled[0]

    monkeypatch.setattr(GPU.device, "compile_ahead", compile_ahead)
    GPU.kernels.clear()  # what earlier tests have compiled is not asked for
    for _ in range(often + 2):
        assert "by weight" not in found(G, 1)[1]
    assert {
        "hub_first<Semiring, Pairs<long long>, false>",
        "first_min_edges<int, long long, Pairs<long long>>",
        "order_short_rows<ByWeight<int, long long, true>>",
    } <= {*asked}
    launched = set[str]()
    kernel = type(GPU).kernel
    monkeypatch.setattr(
        type(GPU), "kernel", lambda self, *key: (launched.add(key[2]), kernel(self, *key))[1]
    )
    compiled[0] = True
    assert "rows are sorted by weight" in found(G, 1)[1]
    assert {name for name in launched if "Pairs" in name or "ByWeight" in name} <= {*asked}


def test_a_changed_matrix_begins_anew(often: int) -> None:
    G = drawn()
    for _ in range(often):
        found(G, 1)
    A = G.A.dup()
    A[1, 2] = 7
    H = lg.Graph(A, directed=True)
    assert "by weight" not in found(H, 1)[1] and not H.A._store.closures.sorted_entries
    assert "by weight" in found(G, 1)[1]


def test_what_need_not_be_sorted_is_not(often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One value; no core; few searches; a graph that has a sorted copy."""
    G, H, prepared = drawn(weights=4), drawn(), drawn().prepared()
    monkeypatch.setattr(GPU.hub_first, "wide", 100.0)
    for _ in range(often + 1):
        found(H, 1)
    monkeypatch.setattr(GPU.hub_first, "wide", -1)
    for _ in range(often + 1):
        found(G, 1)
        found(prepared, 1)
    assert not any(A._store.closures.sorted_entries for A in (G.A, H.A, prepared.A))
    monkeypatch.setattr(GPU.hub_first, "searches", np.inf)
    for _ in range(often + 9):
        found(H, 1)
    assert not H.A._store.closures.sorted_entries


@pytest.mark.parametrize("beforehand", [True, False])
def test_where_there_is_no_room_rows_stay(
    beforehand: bool, often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    G, tries = drawn(), []

    def refuse(*args: Any) -> Any:
        tries.append(args)
        raise TooLarge("no room")

    for _ in range(often - 1):
        found(G, 1)
    with monkeypatch.context() as patch:
        if beforehand:
            patch.setattr("lagraph_gpu.gpu.closure.hub_first.expect_room", refuse)
        else:
            patch.setattr(GPU.row_order, "by_weight", refuse)
        for _ in range(2):
            assert "no memory to sort" in found(G, 1)[1]
    assert len(tries) == 1 and not lightest_first(G.A._store, False).is_sorted
