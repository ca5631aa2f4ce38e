"""Arrays as types, such as "INT64[2]": on the CPU as in python-graphblas, and none on a GPU."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, UnsupportedOperation, WrongType
from semirings import DomainError, types
from tests.harness import GPU
from tests.operations.test_same_text import gb

PAIRS = [[1, 2], [3, 4]]
TYPES = ["INT64[4]", "UINT16[3]", "FP32[5]"]


@pytest.fixture(autouse=True)
def on_the_cpu() -> Any:
    with lg.backend("cpu"):
        yield


def drawn(name: str, *axes: int) -> Any:
    """Values of an array type."""
    dtype = np.dtype(types.lookup(name).np_type)
    return np.random.default_rng(len(name)).integers(0, 9, (*axes, *dtype.shape)).astype(dtype.base)


def both(name: str) -> tuple[Any, Any]:
    """A matrix of ours and one of theirs with the same entries."""
    i, j, x = [0, 1, 1, 3], [1, 0, 3, 2], drawn(name, 4)
    return tuple(p.Matrix.from_coo(i, j, x, nrows=4, ncols=4) for p in (lg, gb))  # type: ignore


def same(one: Any, two: Any) -> None:
    """Equal entries; theirs may be an expression."""
    two = two.new() if hasattr(two, "new") else two
    one = one.new() if hasattr(one, "new") else one
    assert one.dtype.np_type == two.dtype.np_type
    for a, b in zip(one.to_coo(), two.to_coo(), strict=True):
        assert a.shape == b.shape and a.tolist() == b.tolist()


def test_a_type() -> None:
    found = types.lookup("INT64[2]")
    assert found is types.lookup("int64[2]") is lg.dtypes.lookup_dtype((np.int64, 2))
    assert found is lg.dtypes.register_anonymous(np.dtype((np.int64, (2,))))
    assert found.name == "INT64[2]" == gb.dtypes.lookup_dtype(found.np_type).name
    assert (
        found == "INT64[2]" and found != "INT64" and found.shape == (2,) and found.gb_name is None
    )
    assert found == np.dtype((np.int64, (2,))) and pickle.loads(pickle.dumps(found)) is found
    assert types.lookup("FP64[2, 3]") == np.dtype((float, (2, 3)))
    within = types.lookup({"at": "FP64[3]", "mass": int})
    assert within.name == "{'at': FP64[3], 'mass': INT64}"
    assert lg.Scalar.from_value(([1, 2, 3], 4), within).value[1] == 4
    of_records = types.lookup(([("a", int)], 2))
    v = lg.Vector.from_coo([0], [[(1,), (2,)]], of_records)
    assert v.get(0).tolist() == [(1,), (2,)]


@pytest.mark.parametrize(
    "name", ["INT64[0]", "INT64[2.5]", "BOOL[2]", "INT64[]", "record[2]", "INT64[2", "[2]"]
)
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(WrongType, match="expected"):
        lg.Vector(name, 2)


@pytest.mark.parametrize("name", TYPES)
def test_they_go_in_and_out(name: str) -> None:
    A, B = both(name)
    same(A, B)
    for form in ("coo", "csr", "csc", "dcsr", "dcsc"):
        given = getattr(B, f"to_{form}")()
        for one, two in zip(getattr(A, f"to_{form}")(), given, strict=True):
            assert one.tolist() == two.tolist()
        sizes = {"nrows": 4, "ncols": 4} if form[0] == "d" or form == "coo" else {}
        assert getattr(lg.Matrix, f"from_{form}")(*given, **sizes).isequal(A, check_dtype=True)
    assert A.to_dicts() == B.to_dicts() and lg.Matrix.from_dicts(A.to_dicts(), name).isequal(A)
    fill = drawn(name, 1)[0]
    assert A.to_dense(fill).tolist() == B.to_dense(fill).tolist()
    full = drawn(name, 2, 3)
    same(lg.Matrix.from_dense(full), gb.Matrix.from_dense(full))
    same(lg.Vector.from_dense(full[0]), gb.Vector.from_dense(full[0]))
    sparse = lg.Vector.from_dense(A[1, :].new().to_dense(9), missing_value=9)
    assert sparse.isequal(A[1, :].new())
    for twin in (
        A.dup(), pickle.loads(pickle.dumps(A)), lg.Matrix.deserialize(A.serialize()),
        lg.Matrix.from_graphblas(B), lg.Matrix.from_graphblas(A.to_graphblas()), A.T.new().T.new(),
    ):  # fmt: skip
        assert twin.isequal(A, check_dtype=True)
    assert A.to_graphblas().isequal(B, check_dtype=True)
    v = A[1, :].new()
    assert lg.Vector.deserialize(v.serialize()).isequal(v) and v.to_graphblas().isequal(
        B[1, :].new()
    )
    assert lg.Vector.from_graphblas(B[1, :].new()).isequal(v)
    held = v.get(3)
    assert held.tolist() == B.get(1, 3).tolist() and str(held.tolist()) in repr(v)
    held[...] = 0
    assert v.isequal(A[1, :].new())  # what was read is a copy


@pytest.mark.parametrize("name", TYPES)
def test_statements_as_python_graphblas_has_them(name: str) -> None:
    A, B = both(name)
    one, x = drawn(name, 1)[0], drawn(name, 2)
    same(A.T, B.T)
    same(A[[1, 0], :], B[[1, 0], :])
    same(A.select("tril"), B.select("tril"))
    C, D = A.T.new(), B.T.new()
    for op in ("eq", "ne"):
        same(getattr(lg.binary, op)(A & C), getattr(gb.binary, op)(B & D))
    same(A.reduce_rowwise(lg.agg.count), B.reduce_rowwise(gb.agg.count))
    for C in (A, B):
        C[0, 0] = one
        C[[2, 3], 1] = x
        C[:, 2] = one
        C[[0], [3]] = x[:1].reshape(1, 1, *one.shape)
    same(A, B)
    for C in (A, B):
        C(C.S) << one * 0
    same(A, B)
    for C in (A, B):
        C << one
    same(A, B)
    s, t = (C[0, 0].new() for C in (A, B))
    assert s.value.tolist() == t.value.tolist() == np.array(s).tolist() and s == t.value
    assert s == one.tolist() and (s == 1) is bool((one == 1).all()) and s != one + 1
    s.value = 0
    assert s == 0 and s == lg.Scalar.from_value(0) and lg.Scalar.from_value(0) == s


@pytest.mark.parametrize("name", [*TYPES, "FC64[2, 3]"])
def test_operators_that_copy(name: str) -> None:
    """python-graphblas ends the process where `first` meets a second array type."""
    A, x = both(name)[0], drawn(name, 4)
    C = lg.Matrix.from_coo([0, 1, 1, 3], [1, 0, 3, 2], x[::-1])
    assert lg.binary.first(A & C).new().isequal(A) and lg.binary.second(A & C).new().isequal(C)
    assert lg.binary.any(A | A).new().isequal(A)
    assert A.apply(lg.binary.second, right=x[0]).new().to_coo()[2].tolist() == [x[0].tolist()] * 4
    assert A.apply(lg.binary.first, left=1).new().to_coo()[2].tolist() == np.ones_like(x).tolist()
    assert lg.semiring.any_second(A @ A).new().to_dicts() == {
        0: {0: x[1].tolist(), 3: x[2].tolist()}, 1: {1: x[0].tolist(), 2: x[3].tolist()},
    }  # fmt: skip
    assert A.reduce_rowwise("any").new().get(0).tolist() == x[0].tolist()
    assert any(A.reduce_scalar(lg.agg.any_value).new() == one for one in x)


def test_where_values_go() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 0], PAIRS)
    v, at = A.ss.flatten(), [PAIRS[0], PAIRS[1]]
    assert v.to_dict() == {1: at[0], 2: at[1]} and A.ss.reshape(1, 4)[0, :].new().isequal(v)
    assert A.ss.selectk("first", 1).isequal(A) and v.ss.selectk("last", 1).to_dict() == {2: at[1]}
    assert v.ss.compactify().to_dict() == {0: at[0], 1: at[1]}
    assert A.ss.export()["values"].tolist() == PAIRS
    assert list(v.ss.itervalues())[1] == at[1]
    assert lg.concat([[A, A]]).get(1, 2).tolist() == at[1]
    pytest.importorskip("pandas")
    assert [x.tolist() for x in v.to_pandas()] == [x.tolist() for x in A.to_pandas()["value"]] == at
    for refuse in (A.to_scipy_sparse, v.to_scipy_sparse):
        with pytest.raises(WrongType, match="expected numbers for SciPy"):
            refuse()


def test_bytes_are_read_in_another_process(tmp_path: Any) -> None:
    """A process that has not met the type registers it."""
    A, _ = both("FP32[2, 3]")
    (tmp_path / "A").write_bytes(A.serialize())
    (tmp_path / "B").write_bytes(pickle.dumps(A))
    program = (
        "import pickle, lagraph_gpu as lg; lg.set_backend('cpu'); "
        f"A = lg.Matrix.deserialize(open({str(tmp_path / 'A')!r}, 'rb').read()); "
        f"B = pickle.load(open({str(tmp_path / 'B')!r}, 'rb')); "
        "print(A.dtype, A.isequal(B, check_dtype=True), A.get(0, 1).tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == f"FP32[2, 3] True {A.get(0, 1).tolist()}", done.stderr


def test_values_with_more_axes_than_a_part() -> None:
    v, A = lg.Vector(int, 4), lg.Matrix(int, 2, 2)
    for values in ([[1], [2]], [[1, 2]], np.ones((2, 1))):
        with pytest.raises(DimensionMismatch, match="axes for this part"):
            v[[0, 1]] = values
    with pytest.raises(DimensionMismatch, match="axes for this part"):
        A[[0, 1], [0]] = [[[1]], [[2]]]
    assert v.nvals == A.nvals == 0


REFUSED = {
    "plus is not defined for INT64": (DomainError, lambda v: v.reduce("plus").new()),
    "records are not converted": (DomainError, lambda v: v.dup("FP64")),
    "whose last axes have the shape": (DimensionMismatch, lambda v: v(v.S) << [1, 2, 3]),
    "expected 2 values or a single one": (
        DimensionMismatch, lambda v: lg.Vector.from_coo([0, 1], np.ones((3, 2)))),
    "values that fit INT64": (InvalidValue, lambda v: v(v.S) << [2**70, 0]),
    "expected a one-dimensional array of values": (
        DimensionMismatch, lambda v: lg.Vector.from_dense(np.arange(6), dtype="INT64[2]")),
    "expected numbers as values": (WrongType, lambda v: v(v.S) << ["a", "b"]),
    "real numbers as the weights": (InvalidValue, lambda v: lg.Graph(v.diag())),
    "got shape": (
        DimensionMismatch, lambda v: lg.Graph.from_edges([0, 1], [1, 0], [[1, 2], [3, 4]])),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_an_array_has_not(words: str) -> None:
    kind, act = REFUSED[words]
    v = lg.Vector.from_coo([0, 2], [[1, 2], [3, 4]])
    with pytest.raises((kind, TypeError, ValueError), match=words):
        act(v)
    assert v.to_dict() == {0: [1, 2], 2: [3, 4]}


@pytest.mark.parametrize(
    "make",
    [
        lambda: lg.Vector.from_coo([0, 2], PAIRS).to(GPU), lambda: both("INT64[4]")[0].to(GPU),
        lambda: lg.Vector("INT64[2]", 3, backend=GPU),
        lambda: lg.Matrix("INT64[2]", 3, 3, backend=GPU),
        lambda: lg.Vector.from_coo([0, 2], PAIRS, backend=GPU),
        lambda: lg.Matrix.from_coo([0, 2], [0, 1], PAIRS, backend=GPU),
        lambda: lg.Matrix.from_csr([0, 1, 2], [0, 1], PAIRS, backend=GPU),
        lambda: lg.Vector.from_dense(np.ones((3, 2)), backend=GPU),
        lambda: lg.Matrix.from_dense(np.ones((3, 2, 2)), backend=GPU),
        lambda: lg.Vector.from_scalar(1, 3, "INT64[2]", backend=GPU),
    ],
)  # fmt: skip
def test_none_on_a_gpu(make: Any) -> None:
    with pytest.raises(UnsupportedOperation, match="keep each of its numbers in a container"):
        make()
