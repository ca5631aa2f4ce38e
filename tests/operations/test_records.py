"""Types of a user's own: records on the CPU, as python-graphblas has them, and none on a GPU."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation, WrongType
from semirings import DomainError, types
from semirings.types import FP64
from tests.harness import CPU, GPU
from tests.operations.test_same_text import gb

FIELDS = np.dtype([("mass", np.int64), ("charge", np.float64)])
BODY: Any = lg.dtypes.register_anonymous(FIELDS, "Body of the tests")
HELD = np.array([(1, 2.5), (3, -1.0)], FIELDS)


@pytest.fixture(autouse=True)
def on_the_cpu() -> Any:
    with lg.backend("cpu"):
        yield


def vector() -> Any:
    return lg.Vector.from_coo([0, 2], HELD, size=3)


def matrix() -> Any:
    return lg.Matrix.from_coo([0, 1], [1, 0], HELD)


def test_a_type() -> None:
    assert BODY == FIELDS and BODY.name == "Body of the tests" and BODY.np_type == FIELDS
    assert BODY != "V16" and BODY != FP64 and lg.dtypes.lookup_dtype(FIELDS) is BODY
    assert pickle.loads(pickle.dumps(BODY)) is BODY
    named = lg.dtypes.register_new("TestsPoint", {"x": float, "y": "FP32"})
    assert lg.dtypes.TestsPoint is named is types.lookup("TestsPoint")
    assert lg.dtypes.register_anonymous(named.np_type) is named
    for name, dtype, words in (
        ("TestsPoint", [("z", int)], "a new name"), ("two words", [("z", int)], "a new name"),
    ):  # fmt: skip
        with pytest.raises(InvalidValue, match=words):
            lg.dtypes.register_new(name, dtype)
    for dtype in (int, [("z", "U5")], [("z", object)], (object, 3), "no", "INT64[0]", "INT64[a]"):
        with pytest.raises(WrongType, match="expected"):
            lg.dtypes.register_anonymous(dtype)


def test_a_second_name() -> None:
    """As in python-graphblas: one type, which has its last name and is found by all of them."""
    first = lg.dtypes.register_new("TestsFirst", [("once", int)])
    v = lg.Vector.from_coo([0], [(7,)], first)
    assert lg.dtypes.register_new("TestsSecond", [("once", int)]) is first
    assert lg.dtypes.TestsFirst is lg.dtypes.TestsSecond is types.lookup("TestsFirst") is first
    assert first.name == "TestsSecond" == first == "TestsFirst" and v.dtype == "TestsSecond"
    assert lg.Vector("TestsFirst", 1).dtype is v.dup().dtype is first and v.to_dict() == {0: (7,)}
    anonymous = lg.dtypes.register_anonymous([("alone", int)], "unnamed of the tests")
    assert anonymous._is_anonymous and not first._is_anonymous
    assert not hasattr(lg.dtypes, "unnamed of the tests")
    assert lg.dtypes.register_anonymous(anonymous, "renamed of the tests") is anonymous
    assert anonymous.name == "renamed of the tests"
    with pytest.raises(InvalidValue, match="a new name"):
        lg.dtypes.register_anonymous(anonymous, "TestsFirst")
    with pytest.raises(InvalidValue, match="no other name"):
        FP64.rename("double")
    assert pickle.loads(pickle.dumps(first)) is first


def test_containers() -> None:
    v, A = vector(), matrix()
    assert v.dtype == A.dtype == BODY and A.to_coo()[2].tolist() == HELD.tolist()
    assert v.get(0) == v[0].value == (1, 2.5) and A[0, 1].new().value == (1, 2.5)
    w = lg.Vector(BODY, 3)
    w[0] = (7, 0.5)
    w[1] = 0
    assert w.to_dict() == {0: (7, 0.5), 1: (0, 0.0)} and "(7, 0.5)" in repr(w)
    w(v.S) << v
    assert w.to_dict() == {0: (1, 2.5), 1: (0, 0.0), 2: (3, -1.0)}
    w[:] = (9, 9)
    assert set(w.to_dense().tolist()) == {(9, 9.0)}
    B = A.dup()
    B[1, :] << lg.Vector.from_coo([1], [(4, 4)], BODY)
    assert B.to_dicts() == {0: {1: (1, 2.5)}, 1: {1: (4, 4.0)}}
    assert lg.Vector.from_coo([0], [(1, 2)], BODY).to_dict() == {0: (1, 2.0)}
    assert lg.Scalar.from_value((1, 2), BODY).value == (1, 2.0)


def test_they_travel() -> None:
    v, A = vector(), matrix()
    for twin in (v.dup(), pickle.loads(pickle.dumps(v)), lg.Vector.deserialize(v.serialize())):
        assert twin.isequal(v, check_dtype=True)
    for twin in (
        pickle.loads(pickle.dumps(A)),
        lg.Matrix.deserialize(A.serialize()),
        A.T.new().T.new(),
    ):
        assert twin.isequal(A, check_dtype=True)
    assert not A.isequal(A.T.new())


def theirs() -> Any:
    return gb.Matrix.from_coo([0, 1], [1, 0], HELD)


def same(ours: Any, other: Any) -> None:
    for one, two in zip(ours.new().to_coo(), other.new().to_coo(), strict=True):
        assert one.tolist() == two.tolist()


def energy(p: Any) -> Any:
    return p["mass"] * p["charge"] ** 2


def test_operators_as_python_graphblas_has_them() -> None:
    A, B = matrix(), theirs()
    same(lg.binary.first(A | A), gb.binary.first(B | B))
    same(lg.binary.eq(A & A), gb.binary.eq(B & B))
    same(lg.semiring.any_second(A.T @ A), gb.semiring.any_second(B.T @ B))
    same(A.reduce_rowwise("any"), B.reduce_rowwise("any"))
    same(A.select("tril"), B.select("tril"))
    same(A[[1, 0], :], B[[1, 0], :])
    same(A.T, B.T)
    one, other = (p.unary.register_anonymous(energy, is_udt=True) for p in (lg, gb))
    same(one(A), other(B))
    one, other = (p.binary.register_anonymous(lambda p, q: p["mass"] - q["mass"], is_udt=True)
                  for p in (lg, gb))  # fmt: skip
    same(one(A & A), other(B & B))
    same(A.apply(lambda p: p.mass * 2), B.apply(lambda p: p.mass * 2))


def test_beside_numbers() -> None:
    """`one`, `pair`, `first` and `second`, which read no field of a record."""
    A, B = matrix(), theirs()
    same(A.apply("one"), B.apply("one"))
    same(lg.semiring.plus_pair(A.T @ A), gb.semiring.plus_pair(B.T @ B))
    N, M = (p.Matrix.from_coo([0, 0], [1, 0], [5, 6], nrows=2, ncols=2) for p in (lg, gb))
    same(lg.binary.first(A & N), gb.binary.first(B & M))
    same(lg.binary.first(N & A), gb.binary.first(M & B))
    same(lg.binary.second(A & N), gb.binary.second(B & M))
    same(lg.binary.second(A.T & N.T), gb.binary.second(B.T & M.T))
    for wrong in (lambda: lg.binary.pair(A | A), lambda: lg.binary.first(A | N)):
        with pytest.raises(DomainError, match="expected"):
            wrong().new()


def test_select_by_a_field() -> None:
    A = matrix()
    heavy = lg.select.register_anonymous(lambda x, i, j, t: x["mass"] > t)
    assert A.select(heavy, 2).new().to_coo()[2].tolist() == [(3, -1.0)]
    charge = lg.unary.register_anonymous("x['charge']")
    assert A.apply(charge).new().reduce("plus").new().value == 1.5
    assert charge.evaluate(HELD).tolist() == [2.5, -1.0] and charge.output(BODY) == FP64


REFUSED = {
    "ainv is not defined for Body": lambda v: v.apply("ainv"),
    "plus is not defined for Body": lambda v: v.reduce("plus"),
    "plus is not defined for Body of": lambda v: v + 1,
    "is not defined for Body of the tests, only for records that have its fields":
        lambda v: v.apply(lg.unary.register_anonymous("x['size']")),
    "records are not converted": lambda v: v.dup("FP64"),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_a_record_has_not(words: str) -> None:
    with pytest.raises((DomainError, TypeError, ValueError), match=words):
        REFUSED[words](vector())


def test_wrong_values() -> None:
    with pytest.raises(InvalidValue, match=r"values of the record .* the fields mass, charge"):
        lg.Vector.from_coo([0], [(1, 2, 3)], BODY)
    with pytest.raises(InvalidValue, match=r"real numbers as the weights of a graph"):
        lg.Graph(matrix())


@pytest.mark.parametrize(
    "make",
    [
        lambda: vector().to(GPU), lambda: matrix().to(GPU),
        lambda: lg.Vector(BODY, 3, backend=GPU), lambda: lg.Matrix(BODY, 3, 3, backend=GPU),
        lambda: lg.Matrix.from_coo([0], [0], HELD[:1], backend=GPU),
        lambda: lg.Vector.from_dense(HELD, backend=GPU),
    ],
)  # fmt: skip
def test_none_on_a_gpu(make: Any) -> None:
    with pytest.raises(UnsupportedOperation, match="keep each field in a container of its own"):
        make()
    assert vector().to(CPU).nvals == 2


def test_values_of_records_as_python_graphblas_takes_them() -> None:
    """Numbers fill a record, tuples and dicts are one, and lists of them fill a part."""
    v, A = lg.Vector(BODY, 3), matrix()
    v[[0, 2]] = [(1, 2), (3, 4)]
    assert v.to_dict() == {0: (1, 2.0), 2: (3, 4.0)}
    s = lg.Scalar(BODY)
    s.value = {"mass": 5, "charge": 6}
    assert s == (5, 6.0) and s == s.dup() and s != (5, 7.0)
    s.value = 0
    assert s.value == (0, 0.0) and s != v[0].new()
    assert lg.binary.first(7, v).new().to_dict() == dict.fromkeys((0, 2), (7, 7.0))
    assert lg.binary.first(s, v).new().to_dict() == dict.fromkeys((0, 2), (0, 0.0))
    assert lg.binary.second(v, (8, 9)).new().to_dict() == dict.fromkeys((0, 2), (8, 9.0))
    A[[0, 1], [1]] = [[(2, 3)], [(4, 5)]]
    assert A.to_dicts() == {0: {1: (2, 3.0)}, 1: {0: (3, -1.0), 1: (4, 5.0)}}
    assert A.reduce_rowwise(lg.agg.count).new().to_dict() == {0: 1, 1: 2}
    assert A.reduce_scalar(lg.agg.exists).new() == 1
    assert v.reduce(lg.agg.any_value).new().value in {(1, 2.0), (3, 4.0)}
    nested = lg.dtypes.lookup_dtype({"x": int, "y": {"a": int, "b": "FP32"}})
    assert nested.name == "{'x': INT64, 'y': {'a': INT64, 'b': FP32}}"
    assert lg.Scalar.from_value({"x": 1, "y": {"a": 2, "b": 3}}, nested) == (1, (2, 3.0))
    with pytest.raises(InvalidValue, match="fields x, y"):
        lg.Scalar.from_value({"x": 1}, nested)
