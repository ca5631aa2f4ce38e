"""Graphs from batches of edges: those that `from_edges` makes of all of them, in little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.convert import batches
from lagraph_gpu.convert.edges import DUPLICATES
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    TooLarge,
)
from semirings import types
from tests.harness import BOTH
from tests.strategies import examples

Batch = tuple[Any, ...]


@st.composite
def drawn_batches(draw: Any) -> list[Batch]:
    """A few batches over few vertices, so that edges come again, in either direction."""
    weights = draw(st.sampled_from([None, np.int8, np.int64, np.float32, np.float64]))
    vertices = st.integers(0, draw(st.sampled_from([0, 1, 4, 9])))
    found = []
    for edges in draw(st.lists(st.lists(st.tuples(vertices, vertices, vertices)), max_size=5)):
        source, target, weight = np.array(edges, np.int32).reshape(-1, 3).T
        kind = () if weights is None else (weights,)
        found.append((source, target, *((weight * 0.5).astype(held) for held in kind)))
    return found


def joined(parts: list[Batch]) -> Batch:
    return tuple(np.concatenate(arrays) for arrays in zip(*parts)) or ([], [])


def outcome(make: Callable[[], lg.Graph]) -> Any:
    """All that there is to know of a graph, or the kind of the error."""
    try:
        G = make()
    except LagraphError as problem:
        return type(problem)
    return G.n, G.directed, G.A.dtype, G.nedges, [part.tolist() for part in G.A.to_csr()]


@given(
    parts=drawn_batches(),
    n=st.sampled_from([None, 10, 12]),
    directed=st.booleans(),
    dup=st.sampled_from(DUPLICATES),
    how=st.sampled_from(["list", "function", "generator"]),
    buffer=st.sampled_from([0, 2 * batches.EDGE_BYTES, 1 << 20]),
    piece=st.sampled_from([1, 2, 1 << 16]),
)
@examples(80)
def test_as_from_edges(
    parts: list[Batch], n: Any, directed: bool, dup: str, how: str, buffer: int, piece: int
) -> None:
    rest: dict[str, Any] = {"n": n, "directed": directed, "dup": dup}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "EDGES_TOGETHER", piece)
        for made in BOTH:
            given = {"list": parts, "function": lambda: iter(parts), "generator": iter(parts)}[how]
            came = outcome(
                partial(
                    lg.Graph.from_edge_batches, given, **rest, buffer_bytes=buffer, backend=made
                )
            )
            assert came == outcome(
                partial(lg.Graph.from_edges, *joined(parts), **rest, backend=made)
            )


def test_types_of_batches_meet() -> None:
    parts = [([0], [1], [2]), ([1], [2], [0.5]), ([2], [0], np.float32([4]))]
    G = lg.Graph.from_edge_batches(parts, backend="cpu")
    assert G.A.dtype == types.FP64 and G.A.to_coo()[2].tolist() == [2, 0.5, 4]


def large(n: int, size: int, count: int, weighted: bool) -> Callable[[], Iterator[Batch]]:
    def begin() -> Iterator[Batch]:
        rng = np.random.default_rng(3)
        for _ in range(count):
            source, target = rng.integers(0, n, (2, size), dtype=np.int32)
            yield (source, target, rng.random(size)) if weighted else (source, target)

    return begin


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("n", "directed", "dup"), [(50_000, True, "min"), (1000, False, "sum")])
def test_little_memory(weighted: bool, n: int, directed: bool, dup: str) -> None:
    """Less than 1.25 times the graph beside the buffer, also where most edges come again."""
    buffer = 1 << 20
    begin = large(n, 10_000, 40, weighted)
    lg.Graph.from_edge_batches(begin, n, directed, dup, backend="cpu")  # imports what it needs
    tracemalloc.start()
    G = lg.Graph.from_edge_batches(begin, n, directed, dup, buffer_bytes=buffer, backend="cpu")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    batch = 10_000 * (8 + 8 * weighted)
    pieces = 10 * 8 * 10_000  # ids in 64 bits, both ways, masks
    held = G.A._store.given
    peak += held.columns.nbytes + held.values.nbytes  # pages of their own, which are not traced
    assert peak < 1.25 * G.backend.matrix_bytes(G.A._store) + buffer + batch + pieces


def test_ranges_grow_with_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of times over the batches is a logarithm, not a quotient."""
    begin = large(20_000, 10_000, 40, weighted=True)
    times = []

    def counted() -> Iterator[Batch]:
        times.append(1)
        return begin()

    lg.Graph.from_edge_batches(counted, 20_000, dup="min", buffer_bytes=1 << 20, backend="cpu")
    assert 10 < len(times) < 40_000_000 / (1 << 20)


# --- what is refused ------------------------------------------------------------------------------

BAD: dict[str, tuple[Any, type[Exception], str]] = {
    "no batches": (7, InvalidValue, "batches of edges as a list, or a function"),
    "text": ("edges", InvalidValue, "batches of edges as a list"),
    "a function of two": (lg.binary.plus, InvalidValue, "a function without arguments"),
    "a function of nothing": (lambda: None, InvalidValue, "an iterator of batches, got None"),
    "no batch": ([3], InvalidValue, r"batch 0, .* as arrays \(sources, targets\)"),
    "four arrays": ([([0],) * 4], InvalidValue, "as arrays"),
    "lengths": ([([0], [1]), ([0, 1], [2])], DimensionMismatch, r"batch 1, .*\(2,\), \(1,\)"),
    "an id below": ([([0], [-1])], IndexOutOfBound, "batch 0, .* got -1"),
    "an id above": ([([0], [5])], IndexOutOfBound, "from 0 to 4, got 5"),
    "a fraction": ([([0.5], [1])], InvalidValue, "integers, got 0.5"),
    "weights in some": ([([0], [1], [1]), ([1], [2])], InvalidValue, "in all batches or in none"),
    "NaN": ([([0], [1], [np.nan])], InvalidValue, "finite weights"),
    "again": ([([0], [1]), ([0], [1])], DuplicateEdges, "0 → 1"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("spooled", [False, True])
def test_bad_batches(name: str, spooled: bool) -> None:
    given, error, message = BAD[name]
    if spooled and isinstance(given, list):
        given = iter(given)
    with pytest.raises(error, match=message):
        lg.Graph.from_edge_batches(given, 5, backend="cpu")


@pytest.mark.parametrize(
    "later",
    [[([0], [1], [1.0])], [], [([0, 0, 0], [1, 2, 3])], [([0], [1])]],
)
def test_batches_that_change(later: list[Batch]) -> None:
    several = iter([[([0, 0], [1, 2])], later])
    with pytest.raises(InvalidValue, match=r"the same edges each time .* rows 0 to"):
        lg.Graph.from_edge_batches(lambda: next(several), 5, backend="cpu")


def test_no_room_for_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(TooLarge, match=r"No space left on device; make room there, name .* TMPDIR"):
        lg.Graph.from_edge_batches(iter([([0], [1])]), backend="cpu")


def test_no_room_for_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lagraph_gpu.memory.available_bytes", lambda *_: 3 << 20)
    with pytest.raises(TooLarge, match=r"edges of rows 0 to 49,999 to fit"):
        lg.Graph.from_edge_batches(large(50_000, 10_000, 9, False), backend="cpu")
