"""Entries in any order, as the rows that the compiled loop makes of them and as NumPy would."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cpu.loops.entries import SPARE_COLUMNS, entries_by_row
from lagraph_gpu.cpu.native import library
from lagraph_gpu.errors import DuplicateEdges, InvalidValue
from lagraph_gpu.notation import coordinates
from semirings import types
from tests.harness import CPU
from tests.strategies import examples

DTYPES = (*types.ALL, np.dtype([("a", "i1"), ("b", "f8")]))


def rows_of(row: Any, column: Any, value: Any, shape: tuple[int, int], both: bool) -> list[Any]:
    """The entries of each row, by a stable sort of Python."""
    made: list[list[Any]] = [[] for _ in range(shape[0])]
    for i, j, x in zip(row.tolist(), column.tolist(), value.tolist(), strict=True):
        made[i].append((j, x))
        if both and i != j:
            made[j].append((i, x))
    return [sorted(entries, key=lambda entry: entry[0]) for entries in made]


@examples(150)
@given(st.data())
def test_rows_of_all_lengths(data: st.DataObject) -> None:
    """Rows are sorted by a network, by rank, or by as many digits as the columns have."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    both = data.draw(st.booleans())
    n = data.draw(st.sampled_from([1, 3, 40, 257, 70_000]))
    width = n if both else data.draw(st.sampled_from([n, 7, 300, 2**31 - 1]))
    count = data.draw(st.sampled_from([0, 1, 4, 5, 8, 9, 23, 24, 25, 300, 2000]))
    few = data.draw(st.sampled_from([1, 2, n]))  # rows in use, so that some are long
    row, column = rng.integers(0, min(few, n), count), rng.integers(0, width, count)
    if data.draw(st.booleans()):  # rows are in order when their entries have come
        column = np.sort(column)[np.argsort(np.argsort(row, kind="stable"), kind="stable")]
    if data.draw(st.booleans()) and not both:  # some positions come often
        column = rng.choice(column[: 1 + count // 9], count) if count else column
    dtype = data.draw(st.sampled_from(DTYPES))
    value = rng.integers(0, 256, (count, dtype.itemsize)).astype(np.uint8)
    value = (value & 1 if dtype.kind == "b" else value).view(dtype).reshape(count)
    value = np.zeros_like(value) if dtype.kind in "fcV" else value  # no NaN
    if dtype.kind == "f":
        value = rng.integers(-99, 99, count).astype(dtype)
    right = rows_of(row, column, value, (n, width), both)
    found = entries_by_row(CPU, row, column, value, (n, width), False, both)
    assert found is not None
    begins, columns, held = found
    assert held.dtype == dtype and begins[-1] == columns.size == held.size
    pairs = list(zip(columns.tolist(), held.tolist(), strict=True))
    assert [pairs[a:b] for a, b in pairwise(begins)] == right
    plain = entries_by_row(CPU, row, column, value[:1], (n, width), True, both)
    assert plain is not None and (plain[0] == begins).all() and (plain[1] == columns).all()


def test_the_loop_and_its_caller_agree_on_spare_columns() -> None:
    found = library()
    assert found is not None
    assert found.ffi.typeof("enum Sorting").relements == {"SPARE_COLUMNS": SPARE_COLUMNS}


@pytest.mark.parametrize("size", range(1, 10))
def test_rows_in_every_order(size: int) -> None:
    """All orders of so many columns that a row may have, up to 7, and some of more."""
    rng = np.random.default_rng(size)
    orders = (
        np.array(list(permutations(range(size))))
        if size < 8
        else rng.permuted(np.tile(np.arange(size), (5000, 1)), axis=1)
    )
    row = np.repeat(np.arange(len(orders)), size)
    found = entries_by_row(CPU, row, orders.reshape(-1), row, (len(orders), size), True)
    assert found is not None
    assert (found[1].reshape(orders.shape) == np.arange(size)).all()


@pytest.mark.parametrize("wrong", [None, 0, 700, 999])
def test_rows_in_order_but_one(wrong: int | None) -> None:
    """Rows in order stay as they are; one that is not is found wherever it is."""
    rows = [np.arange(i % 5) for i in range(1000)]
    rows = [*rows[:-1], np.arange(9)]
    if wrong is not None:
        rows[wrong] = np.array([6, 3, 8])
    column, size = np.concatenate(rows), np.array([len(row) for row in rows])
    row = np.repeat(np.arange(1000), size)
    for value in np.arange(column.size), np.ones(1):
        found = entries_by_row(CPU, row, column, value, (1000, 9), value.size == 1)
        assert found is not None
        order = np.lexsort((column, row))
        assert (found[1] == column[order]).all()
        assert value.size == 1 or (found[2] == order).all()


def test_steps_of_an_array_are_read_as_they_are() -> None:
    edges = np.array([[3, 1], [0, 2], [3, 0]])
    G = lg.Graph.from_edges(edges[:, 0], edges[:, 1], np.arange(6)[::2], backend=CPU)
    assert G.A.to_dicts() == {0: {2: 2}, 3: {0: 4, 1: 0}}


def test_more_entries_than_32_bits_number_are_left_to_the_statements() -> None:
    none = np.empty(0, np.int64)
    assert entries_by_row(CPU, none, none, none, (4, 2**31), False) is None
    many = np.broadcast_to(np.int64(0), 2**32)
    assert entries_by_row(CPU, many, many, none, (4, 4), True) is None


@pytest.mark.parametrize("n", [90, 4000])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dup", ["min", "sum", "first", "last"])
def test_edges_given_often(n: int, directed: bool, dup: Any) -> None:
    """Each direction of an edge counts, in the order in which they are given."""
    rng = np.random.default_rng(n)
    source, target = rng.integers(0, n, (2, 9 * n)) // 3
    weight = rng.integers(-9, 9, source.size).astype(np.float32)
    folded: dict[tuple[int, int], list[float]] = {}
    for u, v, x in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True):
        folded.setdefault((u, v) if directed or u < v else (v, u), []).append(x)
    pick: Any = {"min": min, "sum": sum, "first": lambda x: x[0], "last": lambda x: x[-1]}[dup]
    right = {ends: pick(values) for ends, values in folded.items()}
    if not directed:
        right |= {(v, u): x for (u, v), x in right.items()}
    G = lg.Graph.from_edges(source, target, weight, n, directed, dup, backend=CPU)
    assert dict(zip(zip(*map(np.ndarray.tolist, G.A.to_coo()[:2])), G.A.to_coo()[2])) == right
    assert G.A.isequal(G.A.T.new()) or directed
    made = lg.Graph.from_edges(source, target, None, n, directed, "sum", backend=CPU)
    assert made.A.reduce_scalar("plus").new().value == sum(
        len(values) * (1 if directed or u == v else 2) for (u, v), values in folded.items()
    )
    with pytest.raises(DuplicateEdges) as problem:
        lg.Graph.from_edges(source, target, weight, n, directed, backend=CPU)
    first = min(ends for ends, values in folded.items() if len(values) > 1)
    assert f"the edge {first[0]} → {first[1]} more" in str(problem.value)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8", "f4", "f8"])
def test_sums_that_do_not_fit_are_refused(dtype: str) -> None:
    """Also where only one of many does not, and where a bound on all sums would not say so."""
    kind = np.dtype(dtype)
    large = np.finfo(kind).max if kind.kind == "f" else np.iinfo(kind).max
    source, target = np.array([0, 1, 0, 1, 2]), np.array([1, 2, 1, 2, 0])
    fits = np.array([large // 2 if kind.kind != "f" else large / 2] * 2 + [0, 1, 1], kind)
    G = lg.Graph.from_edges(source, target, fits, dup="sum", backend=CPU)
    assert G.A[0, 1].get() == fits[0]
    for at in (2, 3):
        wrong = fits.copy()
        wrong[at], wrong[at - 2] = large, large
        with pytest.raises(InvalidValue, match="sums of edges given twice to fit"):
            lg.Graph.from_edges(source, target, wrong, dup="sum", backend=CPU)


def test_statements_and_the_loop_agree_on_reverses() -> None:
    rng = np.random.default_rng(3)
    row, column = rng.integers(0, 30, (2, 500))
    given = CPU, row, column, rng.random(500), (30, 30), False, True
    for made, right in zip(
        entries_by_row(*given) or (), coordinates.entries_by_row.statements(*given), strict=True
    ):
        assert (made == right).all()
