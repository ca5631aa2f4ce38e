"""Vectors that are arrays of the host until a statement needs their store
(`lagraph_gpu/notation/arrays.py`)."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cpu.statements.containers import vector_of, vector_of_arrays
from lagraph_gpu.notation.arrays import Arrays

CPU = lg.Vector("FP64", 1, backend="cpu")
KNOWN = np.array([True, False, True, True])


def whole() -> lg.Vector:
    return vector_of(CPU, np.array([5, 0, -3, 7]))


def with_gaps() -> lg.Vector:
    return vector_of(CPU, np.array([5, 99, -3, 7]), KNOWN.copy())


def listed(values: list[int | None]) -> lg.Vector:
    """The same with a store of its own."""
    index = [at for at, x in enumerate(values) if x is not None]
    given = [x for x in values if x is not None]
    v = lg.Vector.from_coo(index, given, "INT64", size=len(values), backend="cpu")
    assert v._unstored() is None
    return v


BOTH = pytest.mark.parametrize(
    ("made", "values"),
    [(whole, [5, 0, -3, 7]), (with_gaps, [5, None, -3, 7])],
    ids=["whole", "gaps"],
)
Made = Callable[[], lg.Vector]
Values = list[int | None]


@BOTH
def test_reading_takes_no_store(made: Made, values: Values) -> None:
    v, same = made(), listed(values)
    assert v.nvals == same.nvals
    assert v.to_dense(fill_value=1).tolist() == same.to_dense(fill_value=1).tolist()
    assert [part.tolist() for part in v.to_coo()] == [part.tolist() for part in same.to_coo()]
    assert [v.get(at) for at in range(4)] == values
    assert type(v.get(0)) is type(same.get(0))
    assert v.to_dict() == same.to_dict()
    assert (v.shape, v.dtype) == (same.shape, same.dtype)
    assert v._unstored() is not None


@BOTH
def test_statements_read_it(made: Made, values: Values) -> None:
    v, same = made(), listed(values)
    assert v.isequal(same, check_dtype=True)
    assert v._unstored() is None
    assert v.nvals == same.nvals
    assert v.to_dict() == same.to_dict()
    assert made().apply("times", 2).new().isequal(same.apply("times", 2).new())
    assert same.dup(mask=made().S).isequal(same)


@BOTH
def test_what_is_read_is_a_copy(made: Made, values: Values) -> None:
    v, same = made(), listed(values)
    v.to_dense(fill_value=1)[:] = 8
    v.to_coo()[1][:] = 8
    twin = v.dup()
    twin[0] << 8
    assert v._unstored() is not None
    assert v.isequal(same)


@BOTH
def test_what_is_written_is_read(made: Made, values: Values) -> None:
    v = made()
    v[1] << 6
    assert v.to_dense().tolist() == [5, 6, -3, 7]
    v = made()
    v << v.apply("plus", 1)
    assert v.get(3) == 8
    v = made()
    v.clear()
    assert (v.nvals, v.to_dict(), v.get(0)) == (0, {}, None)
    v = made()
    v.resize(2)
    assert v.to_dict() == {at: x for at, x in enumerate(values[:2]) if x is not None}
    v = made()
    v.build([1], [9], clear=True)
    assert v.to_dict() == {1: 9}
    assert len(pickle.dumps(v)) == len(pickle.dumps(listed([None, 9, None, None])))


@BOTH
def test_it_can_be_pickled(made: Made, values: Values) -> None:
    for v in (made(), made().dup(name="v")):
        twin = pickle.loads(pickle.dumps(v))
        assert twin.isequal(listed(values), check_dtype=True)
        assert twin.name == v.name


def test_a_vector_of_numbers_is_its_own() -> None:
    given = np.array([1.0, 2.0])
    v = lg.Vector.from_dense(given, backend="cpu")
    given[0] = 9
    assert v._unstored() is not None
    assert v.to_dense().tolist() == [1.0, 2.0]
    assert v.reduce("plus").get() == 3.0


def test_one_number_for_many_positions_is_not_an_array() -> None:
    v = lg.Vector.from_scalar(1.0, 1 << 20, backend="cpu")
    assert v._unstored() is None
    assert lg.Vector.from_scalar(1.0, 9, backend="cpu")._unstored() is not None
    assert v.nvals == 1 << 20


def test_two_threads_make_one_store() -> None:
    for _ in range(50):
        v, found = with_gaps(), list[int]()
        meet = threading.Barrier(4)

        def read(
            v: lg.Vector = v, found: list[int] = found, meet: threading.Barrier = meet
        ) -> None:
            meet.wait()
            found.append(id(v._store))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(found)) == 1
        assert v.isequal(listed([5, None, -3, 7]))


def test_a_store_is_made_amid_the_making_of_another() -> None:
    """As by a handler of a signal, which runs in the middle of whatever the thread does."""

    def amid(values: np.ndarray, known: np.ndarray | None) -> object:
        assert whole().reduce("plus").get() == 9
        return vector_of_arrays(values, known)

    found = list[object]()
    v = lg.Vector._of_arrays(Arrays(np.array([1, 2]), None, amid), CPU.backend)
    thread = threading.Thread(target=lambda: found.append(v.reduce("plus").get()), daemon=True)
    thread.start()
    thread.join(30)
    assert found == [3]
