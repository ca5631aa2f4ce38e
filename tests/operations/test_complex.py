"""Complex numbers: products, folds and element-wise statements against the specification on both
backends, and what has no meaning for them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, WrongType
from semirings import BINARY, MONOIDS, SEMIRINGS, UNARY, DomainError, types
from semirings.types import FC32, FC64, FP64
from tests import spec
from tests.harness import BOTH, GPU, Statement, put, take
from tests.operations import test_elementwise, test_matrix_products, test_products
from tests.spec import Sparse
from tests.strategies import Algebra, examples, matrices, schedules, seeds, vectors

ALGEBRAS: list[Algebra] = [
    (SEMIRINGS["plus_times"], FC64, FC64, FC64, BINARY["plus"]),
    (SEMIRINGS["times_plus"], FC64, FC64, FC64, BINARY["times"]),  # no atomic: it is locked
    (SEMIRINGS["plus_times"], FC32, FC32, FC64, BINARY["minus"]),
    (SEMIRINGS["lxor_ne"], FC64, FC64, types.BOOL, BINARY["lor"]),
    (SEMIRINGS["times_first"], FC32, FC32, FC32, BINARY["second"]),
    (SEMIRINGS["any_second"], FP64, FC64, FC64, BINARY["plus"]),
]
"""Of sums and products over either type, whose folds into memory are four different ones, and of
products that are true or false."""


@examples(25)
@given(data=st.data(), algebra=st.sampled_from(ALGEBRAS), schedule=schedules, seed=seeds)
def test_vector_products(data: Any, algebra: Algebra, schedule: Any, seed: int) -> None:
    statement = data.draw(test_products.products(algebra))
    statement.schedule = schedule
    statement.check(*BOTH, seed=seed)


@examples(15)
@given(data=st.data(), algebra=st.sampled_from(ALGEBRAS[:4]), seed=seeds)
def test_matrix_products_(data: Any, algebra: Algebra, seed: int) -> None:
    data.draw(test_matrix_products.products(algebra)).check(*BOTH, seed=seed)


EWISE = [
    (BINARY["times"], FC64, FC64, FC64, BINARY["plus"]),
    (BINARY["rminus"], FP64, FC64, FC64, BINARY["first"]),
    (BINARY["ne"], FC32, FC32, types.BOOL, BINARY["lor"]),
    (BINARY["cmplx"], types.INT8, types.FP32, FC32, BINARY["plus"]),
]


@examples(15)
@given(data=st.data(), algebra=st.sampled_from(EWISE), seed=seeds)
def test_elementwise_(data: Any, algebra: Any, seed: int) -> None:
    data.draw(test_elementwise.ewise(algebra)).check(*BOTH, seed=seed)


@examples(10)
@given(data=st.data(), name=st.sampled_from(["plus", "times"]), seed=seeds)
def test_folds(data: Any, name: str, seed: int) -> None:
    """To a number, over rows and over columns."""
    A, monoid = data.draw(matrices(FC64, (5, 70), mild=True)), MONOIDS[name]
    Statement("rows", (A,), lambda x: x.reduce_rowwise(name), spec.reduce_rowwise(A, monoid),
              Sparse(FC64, (5,))).check(*BOTH, seed=seed)  # fmt: skip
    Statement("columns", (A,), lambda x: x.reduce_columnwise(name),
              spec.reduce_rowwise(spec.transpose(A), monoid),
              Sparse(FC64, (70,))).check(*BOTH, seed=seed)  # fmt: skip
    for backend in BOTH:
        found = put(A, backend).reduce(name).new().value
        right = monoid.fold(np.array(list(A.entries.values()), FC64)) if A.entries else None
        assert found == right


@examples(10)
@given(u=vectors(FC64, 40), seed=seeds)
def test_functions(u: Sparse, seed: int) -> None:
    for name in ("conj", "creal", "cimag", "carg", "abs", "sqrt", "exp"):
        op = UNARY[name]
        entries = {i: op.evaluate(x) for i, x in u.entries.items()}
        right = Sparse(op.output(FC64), u.shape, entries)
        for backend in BOTH:
            found = take(put(u, backend).apply(name).new())
            assert found.dtype == right.dtype and found.entries.keys() == entries.keys()
            for i, x in entries.items():
                assert np.isclose(found.entries[i], x, rtol=1e-14), (name, backend.name, i)


def test_between_types(backend: Any) -> None:
    """A real number becomes complex; a complex one gives up its imaginary part when asked."""
    v = lg.Vector.from_coo([0, 2], [1 + 2j, 3j], size=3, backend=backend)
    assert v.dtype == FC64 and v.dtype == "complex128" and (v + 1).new().dtype == FC64
    assert v.dup("FP32").to_dict() == {0: 1.0, 2: 0.0}
    assert v.dup("FC32").to_dict() == v.to_dict() and v.dup(bool).to_dict() == {0: True, 2: True}
    real = lg.Vector.from_coo([0, 1], [2.0, 3.0], size=3, backend=backend)
    assert (real * 1j).new().to_dict() == {0: 2j, 1: 3j}
    assert real.ewise_add(v, "plus").new().to_dict() == {0: 3 + 2j, 1: 3, 2: 3j}
    assert lg.binary.cmplx(real & real).new().to_dict() == {0: 2 + 2j, 1: 3 + 3j}


def test_selections_and_parts(backend: Any) -> None:
    values = [1j, 2, 3 + 1j, 1j]
    A = lg.Matrix.from_coo([0, 1, 2, 2], [1, 1, 0, 2], values, backend=backend)
    assert A.select("valueeq", 1j).new().to_coo()[2].tolist() == [1j, 1j]
    assert A.select("tril").new().nvals == 3 and A[2, :].new().to_dict() == {0: 3 + 1j, 2: 1j}
    assert A.T.new()[0, 2].value == 3 + 1j and A.diag().to_dict() == {1: 2, 2: 1j}
    assert A.kronecker(A).new()[1, 4].value == 2j
    A[0, 0] = 5j
    A[1, :] = 1
    assert A.to_dense(0)[:2].tolist() == [[5j, 1j, 0], [1, 1, 1]]
    v = lg.Vector.from_coo([0, 1], [0j, 1j], size=3, backend=backend)
    w = lg.Vector(complex, 3, backend=backend)
    w(v.V) << 7j  # a mask by value: 0 is false
    assert w.to_dict() == {1: 7j}


def test_duplicates_and_arrays(backend: Any) -> None:
    v = lg.Vector.from_coo([0, 0, 1], [1j, 2, 3], dup_op="plus", backend=backend)
    assert v.to_dict() == {0: 2 + 1j, 1: 3}
    held = np.array([1j, 0, 2], np.complex64)
    w = lg.Vector.from_dense(held, missing_value=0, backend=backend)
    assert w.dtype == FC32 and w.to_dict() == {0: 1j, 2: 2}
    A = lg.Matrix.from_dense(np.array([[1j, 2], [3, 4]]), backend=backend)
    assert lg.Matrix.from_scipy_sparse(A.to_scipy_sparse(), backend=backend).isequal(A)
    assert lg.Matrix.deserialize(A.serialize(), backend=backend).isequal(A)
    assert lg.Vector.deserialize(v.serialize(), backend=backend).isequal(v)
    assert A.to_dense().dtype == np.complex128 and lg.Scalar.from_value(1j) == 1j


def test_they_travel(tmp_path: Any) -> None:
    with lg.backend("cpu"):
        A = lg.Matrix.from_coo([0, 1], [1, 1], [1 + 2j, -0.5j])
        v = lg.Vector.from_dense([1j, 2])
        assert pickle.loads(pickle.dumps(A)).isequal(A) and pickle.loads(pickle.dumps(v)).isequal(v)
        assert A.to("cpu").isequal(A) and v.to(GPU).to("cpu").isequal(v)
        lg.io.mmwrite(tmp_path / "a.mtx", A)
        assert lg.io.mmread(tmp_path / "a.mtx").isequal(A)
        assert "FC64" in repr(A) and "(1+2j)" in repr(A)
        theirs = A.to_graphblas() if hasattr(A, "to_graphblas") else None
        assert theirs is None or theirs.dtype == "FC64"


AGGREGATES = {
    "sum": 1 + 5j, "prod": -6 + 3j, "count": 2, "first": 1 + 2j, "last": 3j, "mean": 0.5 + 2.5j,
    "L1norm": 5**0.5 + 3, "L2norm": 14**0.5, "Linfnorm": 3, "sum_of_squares": -12 + 4j,
    "count_nonzero": 2, "count_zero": 0, "exists": 1, "first_index": 0,
}  # fmt: skip


def test_aggregators(backend: Any) -> None:
    v = lg.Vector.from_coo([0, 2], [1 + 2j, 3j], size=4, backend=backend)
    for name, right in AGGREGATES.items():
        found = getattr(lg.agg, name)(v).new()
        assert found.value == pytest.approx(right), name
        assert found.dtype == getattr(lg.agg, name).output(FC64)
    assert v.reduce(lg.agg.L2norm).new().dtype == FP64
    with pytest.raises(DomainError, match=r"agg\.varp is not defined for FC64"):
        v.reduce(lg.agg.varp)


REFUSED = {
    "min": lambda v, A: v.reduce("min"),
    "lt": lambda v, A: (v < 1).new(),
    "min_plus": lambda v, A: lg.semiring.min_plus(v @ A),
    "lnot": lambda v, A: v.apply("lnot"),
    "valuegt": lambda v, A: v.select("valuegt", 1).new(),
    "argmax": lambda v, A: v.reduce(lg.agg.argmax),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_without_an_order(name: str, backend: Any) -> None:
    v = lg.Vector.from_coo([0], [1j], size=1, backend=backend)
    A = lg.Matrix.from_coo([0], [0], [1j], backend=backend)
    with pytest.raises(DomainError, match=rf"{name} is not defined for FC64"):
        REFUSED[name](v, A)


def test_no_graph_has_complex_weights(backend: Any) -> None:
    A = lg.Matrix.from_coo([0], [1], [1j], nrows=2, ncols=2, backend=backend)
    with pytest.raises(
        InvalidValue, match=r"real numbers as the weights of a graph.*apply\('abs'\)"
    ):
        lg.Graph(A)
    assert lg.Graph(A.apply("abs").new()).nedges == 1


def test_no_imaginary_part_is_lost(backend: Any) -> None:
    v = lg.Vector(float, 3, backend=backend)
    with pytest.raises(WrongType, match=r"a real number for FP64, got 1j; take its \.real"):
        v[0] = 1j
    with pytest.raises(InvalidValue, match="fit FP64, got 1j at position 1"):
        lg.Vector.from_coo([0, 1], [1, 1j], float, backend=backend)
    assert lg.Vector.from_coo([0, 1], [1 + 0j, 2], float, backend=backend).to_dict() == {0: 1, 1: 2}
