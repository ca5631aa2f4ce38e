"""On a CPU a part of a matrix is assigned to in place where nobody else holds its store."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import graphblas as gb
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cpu.statements import objects
from lagraph_gpu.cpu.statements.in_place import may_change
from lagraph_gpu.cpu.statements.updates import carry_out
from lagraph_gpu.notation.expressions import Apply, Fill
from lagraph_gpu.notation.matrix import symmetric, transposes
from lagraph_gpu.notation.update import Update
from semirings import BINARY, UNARY


def matrix() -> lg.Matrix:
    A = lg.Matrix.from_coo([0, 1, 2, 3], [1, 2, 3, 0], [1, 2, 3, 4], backend="cpu")
    A[0, 0] = 9  # into SuiteSparse's matrix, which is made of arrays here
    return A


WRITES: dict[str, tuple[Callable[[Any], None], dict[tuple[int, int], int | None]]] = {
    "set": (lambda A: A.__setitem__((3, 3), 7), {(3, 3): 7}),
    "set again": (lambda A: A.__setitem__((0, 1), 7), {(0, 1): 7}),
    "delete": (lambda A: A.__delitem__((0, 1)), {(0, 1): None}),
    "delete what is not there": (lambda A: A.__delitem__((3, 3)), {}),
    "accumulate": (lambda A: A(lg.binary.plus)[0, 1].__lshift__(7), {(0, 1): 8}),
    "a block": (
        lambda A: A.__setitem__(([2, 1], [0, 1]), 7),
        {(1, 0): 7, (1, 1): 7, (2, 0): 7, (2, 1): 7},
    ),
    "a row": (
        lambda A: A.__setitem__((1, slice(None)), lg.Vector.from_coo([3], [7], size=4)),
        {(1, 2): None, (1, 3): 7},
    ),
    "part of a row": (
        lambda A: A(lg.binary.plus)[1, [2, 0]].__lshift__(lg.Vector.from_coo([0, 1], [7, 8])),
        {(1, 2): 9, (1, 0): 8},
    ),
    "a column": (
        lambda A: A.__setitem__((slice(None), 2), lg.Vector.from_coo([3], [7], size=4)),
        {(1, 2): None, (3, 2): 7},
    ),
    "part of a column": (
        lambda A: A.__setitem__(([3, 1], 2), lg.Vector.from_coo([0], [7], size=2)),
        {(1, 2): None, (3, 2): 7},
    ),
    "rows": (
        lambda A: A.__setitem__(
            ([1, 0], slice(None)), lg.Matrix.from_coo([0], [3], [7], nrows=2, ncols=4)
        ),
        {(0, 0): None, (0, 1): None, (1, 2): None, (1, 3): 7},
    ),
    "in another type": (
        lambda A: A.__setitem__((3, [3]), lg.Vector.from_dense([7.0])),
        {(3, 3): 7},
    ),
}


@pytest.fixture(autouse=True)
def on_cpu() -> Any:
    with lg.backend("cpu"):
        yield


@pytest.mark.parametrize("name", WRITES)
def test_no_copy_is_made(name: str) -> None:
    write, changes = WRITES[name]
    A = matrix()
    degrees, held, expected = A._store.degrees, A._store.A, entries(A)
    del degrees
    identity = id(held)
    del held
    write(A)
    assert id(A._store.A) == identity
    expect(A, expected, changes)
    count = A.reduce_rowwise(lg.agg.count).new()
    assert sum(count.to_coo()[1]) == A.nvals  # what was known of the matrix is forgotten
    assert A._store.degrees[0].reduce().new().get(0) == A.nvals


def entries(A: lg.Matrix) -> dict[tuple[int, int], int]:
    row, column, value = A.to_coo()
    return {(int(i), int(j)): int(x) for i, j, x in zip(row, column, value)}


def expect(A: lg.Matrix, before: dict[Any, int], changes: dict[Any, int | None]) -> None:
    after = {place: x for place, x in {**before, **changes}.items() if x is not None}
    assert entries(A) == after


HOLDERS: dict[str, Callable[[lg.Matrix], Any]] = {
    "python-graphblas": lambda A: A.to_graphblas(),
    "a matrix of the same store": lambda A: A._wrap(A.dtype, A.backend, A._store),
    "a matrix declared to be symmetric": lambda A: A._wrap(
        A.dtype, A.backend, A.backend.declare_symmetric(A._store)
    ),
    "a store": lambda A: A._store,
}


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("holder", HOLDERS)
def test_what_others_hold_stays(holder: str, name: str) -> None:
    write, changes = WRITES[name]
    A = matrix()
    expected, held = entries(A), HOLDERS[holder](A)
    write(A)
    kept = held.A if holder == "a store" else held
    row, column, value = kept.to_coo()
    assert dict(zip(zip(row.tolist(), column.tolist()), value.tolist())) == expected
    expect(A, expected, changes)


def test_a_matrix_of_the_caller_is_not_written_to() -> None:
    given = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
    A = lg.Matrix.from_graphblas(given, copy=False)
    A[0, 1] = 7
    assert given[0, 1].new().value == 5 and A.get(0, 1) == 7


def test_transposes_that_were_declared_stay() -> None:
    A = matrix()
    B = A.T.new()
    transposes(A, B)
    A[0, 1] = 7
    assert B.get(1, 0) == 1 and A.T.new().get(1, 0) == 7


def test_symmetry_is_forgotten() -> None:
    A = symmetric(lg.Matrix.from_coo([0, 1], [1, 0], [5, 5], nrows=2, ncols=2))
    u = lg.Vector.from_coo([0], [1], size=2)
    assert (u @ A).new().to_dict() == {1: 5}
    A[0, 1] = 7
    assert (u @ A).new().to_dict() == {1: 7} and (A @ u).new().to_dict() == {1: 5}


def test_many_elements_are_written_without_waiting() -> None:
    """SuiteSparse collects new entries until somebody reads them; each alone would move all."""
    n = 400
    A = lg.Matrix("INT64", n, n)
    A << 1
    A = A.select("offdiag", 0).new()
    held = id(A._store.A)
    for i in range(n):
        A[i, i] = i
    assert id(A._store.A) == held
    assert A.diag().to_dense().tolist() == list(range(n)) and A.nvals == n * n
    for i in range(0, n, 2):
        del A[i, i]
    assert A.diag().to_coo()[0].tolist() == list(range(1, n, 2))
    assert np.asarray(A.reduce_rowwise(lg.agg.count).new().to_dense()).min() == n - 1


def test_a_mask_that_is_the_output() -> None:
    A = matrix()
    A(A.S)[[0, 1], :] << lg.Matrix.from_dense(np.full((2, 4), 7))
    assert entries(A) == {(0, 0): 7, (0, 1): 7, (1, 2): 7, (2, 3): 3, (3, 0): 4}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("settings", ["alone", "accumulated", "in a mask"])
@pytest.mark.parametrize("given", ["one value", "a matrix"])
def test_suitesparse_refuses_a_statement_before_it_writes(
    given: str, settings: str, axis: int
) -> None:
    """There is no copy to go back to. What it refuses here, the checks of assignments would not let
    through."""
    A, block = matrix(), lg.Matrix.from_dense(np.full((2, 2), 7))
    expected, identity = entries(A), id(A._store.A)
    node: Any = Apply(block, UNARY["identity"])
    if given == "one value":
        node = Fill(7, (2, 2), A.dtype, A.backend)
    region = [np.array([1, 2]), np.array([0, 1])]
    region[axis] = np.array([1, 99])
    update = Update(A, node, region=tuple(region))
    if settings == "accumulated":
        update.accum = BINARY["plus"]
    elif settings == "in a mask":
        update.mask = lg.Matrix.from_dense(np.ones((4, 4), bool)).V
    assert may_change(update)
    with pytest.raises(gb.exceptions.IndexOutOfBound):
        carry_out(update)
    assert id(A._store.A) == identity and entries(A) == expected


@pytest.mark.parametrize("call", range(1, 5))
def test_ctrl_c_between_two_calls(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A masked accumulation is several calls of SuiteSparse."""
    A, mask = matrix(), lg.Matrix.from_coo([0], [1], [1], nrows=2, ncols=4)
    expected, made, apply = entries(A), 0, gb.Matrix.apply

    def interrupted(*given: Any, **named: Any) -> Any:
        nonlocal made
        made += 1
        if made == call:
            raise KeyboardInterrupt
        return apply(*given, **named)

    whole = lg.Matrix.from_coo([0], [1], [1], nrows=4, ncols=4)
    monkeypatch.setattr(gb.Matrix, "apply", interrupted)
    try:
        A(whole.S, lg.binary.plus, lg.replace)[[0, 1], :] << mask
    except KeyboardInterrupt:
        monkeypatch.undo()
        assert entries(A) == expected
    else:
        assert call > 2 and entries(A) == {(0, 1): 2}


def test_a_lost_matrix_is_not_taken_for_an_empty_one() -> None:
    A = gb.Matrix.from_coo([0], [0], [1])
    objects.lib.GrB_Matrix_free(A.gb_obj)
    with pytest.raises(gb.exceptions.GraphblasException):
        objects.count(A)


UNSORTED = {
    "a vector": """
import lagraph_gpu as lg, numpy as np
rng, n = np.random.default_rng(14), 500
src, dst = rng.integers(0, n, (2, 3 * n))
A = lg.Graph.from_edges(src, dst, n=n, dup="first", backend="cpu").A
u = lg.Vector.from_coo(rng.choice(n, 5, replace=False), 1, size=n, backend="cpu")
w = lg.semiring.any_pair(u @ A).new()
w << 2
w(w.V) << 3
assert set(w.to_dense().tolist()) == {3}
""",
    "a matrix": """
import lagraph_gpu as lg
A = lg.Matrix.from_coo([0, 0, 0], [0, 1, 4], 0.0, nrows=5, ncols=5, backend="cpu")
A[:, [0, 3, 2, 4, 1]] << 2
A[[1, 0, 2, 3, 4], [0, 3, 2, 4, 1]] << 3
assert set(A.to_coo()[2].tolist()) == {3}
""",
}


@pytest.mark.parametrize("name", UNSORTED)
def test_one_value_written_before_entries_are_sorted(name: str) -> None:
    """SuiteSparse sorts them when they are read; a full object that it takes for unsorted makes it
    crash, so the program runs in a process of its own."""
    done = subprocess.run([sys.executable, "-c", UNSORTED[name]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("entries", [1, 3])
def test_one_value_written_where_all_entries_were_removed(entries: int) -> None:
    """SuiteSparse takes entries out when they are read, and would count them against the full
    object."""
    places, values = list(range(entries)), [2.0, 3.0, 4.0][:entries]
    v = lg.Vector.from_coo(places, values, size=40, backend="cpu")
    w = lg.Vector("FP64", 40, backend="cpu")
    w[0] = 5
    for place in places:
        del v[place]
    v << 1
    w[[0, 1]] << lg.Vector("FP64", 2, backend="cpu")
    w[:] << 1
    assert v.to_dense().tolist() == w.to_dense().tolist() == [1] * 40
    A = lg.Matrix.from_coo(places, places, values, nrows=40, ncols=40, backend="cpu")
    for place in places:
        del A[place, place]
    A[list(range(40)), :] << 1
    assert A.nvals == A.to_coo()[2].sum() == 1600
