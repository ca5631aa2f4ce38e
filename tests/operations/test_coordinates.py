"""Matrices and graphs of coordinates: what the device joins is what the host's statements join.

The host's way is tested by the rest of the suite.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.convert.edges import DUPLICATES
from lagraph_gpu.errors import IndexOutOfBound, LagraphError, WrongType
from lagraph_gpu.gpu.device.port import too_large
from lagraph_gpu.notation.coordinates import rising
from semirings import BINARY, binary, types
from tests.harness import CPU, DEVICE, GPU, lowered
from tests.simt.device import EmulatedDevice, ForeignArray
from tests.strategies import examples

EMULATED = isinstance(DEVICE, EmulatedDevice)
IDS = ("i1", "u2", "i4", "u4", "i8", "u8")
OPERATORS = (None, "plus", "min", "first", "second", "times", binary("x - 2 * y"))


@pytest.fixture(autouse=True)
def few_are_enough() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.coordinates, "least", 0)
        yield


def on_device(array: np.ndarray) -> Any:
    """The array as another library would have it on the device."""
    if EMULATED:
        return ForeignArray(array)
    import cupy

    return cupy.asarray(array)


def outcome(make: Any, *args: Any, **named: Any) -> Any:
    """The parts of what is made, or what the error says."""
    try:
        made = make(*args, **named)
    except LagraphError as problem:
        return type(problem), str(problem)
    A = made.A if isinstance(made, lg.Graph) else made
    return A.dtype, A.shape, *(part.tolist() for part in A.to_csr())


@st.composite
def coordinates(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, Any]:
    """Ids of any integer types, few enough that some pairs come twice, and values."""
    seed, count = draw(st.integers(0, 2**32)), draw(st.sampled_from([1, 2, 31, 32, 33, 90]))
    rng, n = np.random.default_rng(seed), draw(st.sampled_from([1, 5, 40, 127]))
    i, j = (rng.integers(0, n, count).astype(draw(st.sampled_from(IDS))) for _ in range(2))
    if draw(st.booleans()):  # each pair once
        low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
        _, first = np.unique(low << 8 | high, return_index=True)
        first = rng.permutation(first)
        i, j = i[first], j[first]
    dtype = draw(st.sampled_from(types.ALL))
    values = types.cast(rng.integers(-100, 100, i.size), dtype)
    return i, j, draw(st.sampled_from([values, values[0], values]))


@examples(120)
@given(coordinates(), st.booleans(), st.sampled_from(DUPLICATES), st.booleans(), st.booleans())
def test_graphs(
    drawn: tuple[Any, Any, Any], directed: bool, dup: str, weighted: bool, foreign: bool
) -> None:
    i, j, weight = drawn
    rest: dict[str, Any] = {"directed": directed, "dup": dup}
    weight = weight if weighted else None
    wanted = outcome(lg.Graph.from_edges, i, j, weight, **rest, backend=CPU)
    ends = map(on_device, (i, j)) if foreign else (i, j)
    held = on_device(weight) if foreign and np.ndim(weight) else weight
    assert outcome(lg.Graph.from_edges, *ends, held, **rest, backend=GPU) == wanted


@examples(80)
@given(coordinates(), st.sampled_from(OPERATORS), st.booleans(), st.booleans())
def test_matrices(drawn: tuple[Any, Any, Any], op: Any, sized: bool, foreign: bool) -> None:
    i, j, values = drawn
    rest: dict[str, Any] = {"dup_op": op, "nrows": 200 if sized else None}
    wanted = outcome(lg.Matrix.from_coo, i, j, values, **rest, backend=CPU)
    at = map(on_device, (i, j)) if foreign else (i, j)
    assert outcome(lg.Matrix.from_coo, *at, values, **rest, backend=GPU) == wanted


def test_the_device_does_it() -> None:
    """None of these is left to the statements."""
    i, j, w = np.int32([2, 0, 2, 1]), np.int32([0, 1, 0, 1]), np.float32([1, 2, 3, 4])
    joined_edges, joined_entries = (
        operation
        for name in ("joined_edges", "joined_entries")
        for operation in GPU.lowerings
        if operation.__name__ == name
    )
    for directed in (True, False):
        for weight in (None, 2.5, w):
            for dup in ("min", "sum", "first", "last"):
                assert lowered(joined_edges, GPU, i, j, weight, None, directed, dup) is not None
    for op in ("plus", BINARY["max"], lg.monoid.times):
        assert lowered(joined_entries, GPU, i, j, w, None, (None, None), op) is not None
    GPU.coordinates.least = i.size + 1
    assert lowered(joined_edges, GPU, i, j, w, None, True, "min") is None


def test_one_value_stays_one() -> None:
    i, j = np.array([2, 0, 2, 1]), np.array([0, 1, 0, 1])
    for dup, iso in (("min", True), ("first", True), ("sum", False)):
        for directed in (True, False):
            G = lg.Graph.from_edges(i, j, 3, directed=directed, dup=dup, backend=GPU)
            assert G.A._store.iso is iso and (G.A._store.transposed is G.A._store) is not directed
    assert lg.Matrix.from_coo(i[1:], j[1:], 2.5, backend=GPU)._store.iso


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"src": [0, -1, 2]}, "source ids from 0"),
    ({"dst": [0, 2**31 - 1, 2]}, "target ids from 0"),
    ({"dst": [0, 3, 2], "n": 3}, "target ids from 0 to 2, got 3 at position 1"),
    ({"src": [0, 1]}, "as many sources as targets"),
    ({"src": [0.0, 0.5, 1.0]}, "ids as integers"),
    ({"weight": np.array([1.0, np.nan, 2.0])}, "finite weights, got nan at position 1"),
    ({"weight": np.array([1.0, 2.0])}, "3 values or a single one"),
    ({"dst": [1, 2, 0], "src": [0, 0, 0], "dup": "most"}, "dup to be one of"),
    ({"dst": [1, 1, 0], "src": [0, 0, 0]}, "each edge once, got the edge 0 → 1"),
    ({"dst": [1, 1, 0], "src": [0, 0, 0], "weight": np.int8([100, 100, 1]), "dup": "sum"},
     "sums of edges given twice to fit INT8"),
]  # fmt: skip


@pytest.mark.parametrize("wrong, words", WRONG, ids=[words for _, words in WRONG])
@pytest.mark.parametrize("foreign", [False, True])
def test_the_error_is_that_of_the_host(wrong: dict[str, Any], words: str, foreign: bool) -> None:
    edges: dict[str, Any] = {"src": [0, 1, 2], "dst": [1, 2, 0], **wrong}
    if foreign:
        edges |= {end: on_device(np.array(edges[end])) for end in ("src", "dst")}
    found = outcome(lg.Graph.from_edges, **edges, backend=GPU)
    assert words in found[1]


def test_many_values_of_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run of one pair is folded by the host, in the same order."""
    monkeypatch.setattr(GPU.coordinates, "longest", 20)
    rng = np.random.default_rng(0)
    w = rng.random(60).astype(np.float32)
    for repeats in (20, 21, 50):
        i, j = np.r_[np.zeros(repeats, int), 1:11], np.r_[np.ones(repeats, int), 2:12]
        given = i, j, w[: i.size]
        A, B = (lg.Matrix.from_coo(*given, dup_op="plus", backend=b) for b in (CPU, GPU))
        assert [x.tolist() for x in A.to_coo()] == [x.tolist() for x in B.to_coo()]


def test_without_memory_the_host_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: Any) -> None:
        raise too_large(1, 0)

    monkeypatch.setattr(GPU.device, "argsort", none_left)
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], backend=GPU)
    assert G.A.to_dicts() == {0: {1: 1.0}, 1: {2: 2.0}}


def test_indices_stay_on_the_host() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 0], backend=GPU)
    with pytest.raises(WrongType, match=r"indices on the host.*\.get\(\)"):
        A[on_device(np.array([0])), :].new()
    with pytest.raises(IndexOutOfBound):
        A[[0, 2], :].new()


def test_edges_of_the_device_into_another_backend() -> None:
    with pytest.raises(WrongType, match="on the host"):
        lg.Graph.from_edges(on_device(np.array([0])), on_device(np.array([1])), backend=CPU)


@pytest.mark.parametrize(
    ("row", "column", "sorted_once"),
    [
        ([], [], True),
        ([4], [4], True),
        ([0, 0, 1], [1, 2, 0], True),
        ([0, 0, 1], [2, 2, 3], False),
        ([0, 0, 1], [2, 1, 3], False),
        ([1, 0, 2], [1, 2, 3], False),
        ([*range(99), 97], [0] * 100, False),
        ([*range(99), 98], [*range(99), 98], False),
        ([*range(99), 98], [*range(99), 99], True),
    ],
)
def test_positions_that_need_no_sorting(row: Any, column: Any, sorted_once: bool) -> None:
    places = np.array(row, np.int64), np.array(column, np.int64)
    assert rising(*places) == sorted_once


def test_a_matrix_does_not_share_memory_with_sorted_entries(backend: Any) -> None:
    row, column, value = np.array([0, 1]), np.array([1, 0]), np.array([5.0, 6.0])
    A = lg.Matrix.from_coo(row, column, value, backend=backend)
    row[0], column[0], value[0] = 1, 0, 9
    assert A.to_dicts() == {0: {1: 5}, 1: {0: 6}}
