"""Programs of python-graphblas to the letter: what its own suite does, on theirs and on ours."""

from __future__ import annotations

import math
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
import semirings
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    LagraphError,
    OutsideShape,
    WrongType,
)
from semirings import DomainError
from tests.harness import BOTH, CPU, GPU
from tests.operations.test_same_text import gb


@pytest.fixture(autouse=True)
def on_the_cpu() -> Any:
    with lg.backend("cpu"):
        yield


def vector(package: Any = lg) -> Any:
    return package.Vector.from_coo([0, 1, 3], [1, 2, -4], dtype="INT32")


def plus_more(x=0):  # type: ignore[no-untyped-def]
    def inner(left, right):  # type: ignore[no-untyped-def]
        return left + right + x

    return inner


def minus_more(x=0):  # type: ignore[no-untyped-def]
    return -x


def shifted(x=0):  # type: ignore[no-untyped-def]
    def inner(value):  # type: ignore[no-untyped-def]
        return value + x

    return inner


def far(n=0):  # type: ignore[no-untyped-def]
    def inner(x, row, col, thunk):  # type: ignore[no-untyped-def]
        return row + n > thunk

    return inner


def values(x: Any) -> Any:
    x = x.new() if hasattr(x, "new") else x
    return x.value if not x.shape else x.to_coo()[-1].tolist()


@pytest.mark.parametrize(
    "package", [lg, pytest.param(gb, marks=pytest.mark.exhaustive, id="theirs")]
)
def test_operators_with_parameters(package: Any) -> None:
    """Theirs compiles each operator for all types, which takes half a minute."""

    def program() -> list[Any]:
        v = vector(package)
        unary = package.unary.register_anonymous(shifted, parameterized=True)
        op = package.binary.register_anonymous(plus_more, parameterized=True)
        monoid = package.monoid.register_anonymous(op, minus_more, name="more")
        ring = package.semiring.register_anonymous(monoid, op, name="ring")
        A = package.Matrix.from_coo([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 3, 4], dtype="INT32")
        x = package.Vector.from_coo([0, 1], [10, 20], dtype="INT32")
        accumulated = v.dup()
        accumulated(op(1)) << v
        folded = package.Vector.from_coo([0, 0, 1], [1, 2, 3], dup_op=op)
        assert monoid.name == "more" and op.monoid is monoid and op(1).monoid is monoid(1)
        assert not op.is_positional and not monoid.is_idempotent
        found = [
            v.apply(unary), v.apply(unary(10)), v.apply(unary(x=-3)["INT32"]),
            v.ewise_mult(v, op), v.ewise_add(v, op(2)), accumulated, folded,
            v.reduce(monoid), v.reduce(monoid(1)), A.mxv(x, ring), A.mxv(x, ring(1)),
            A.mxm(A, ring(1)), A.kronecker(A, op),
        ]  # fmt: skip
        return [values(one) for one in found]

    assert program() == [
        [1, 2, -4], [11, 12, 6], [-2, -1, -7], [2, 4, -8], [4, 6, -6], [3, 5, -7], [3, 3], -1, 1,
        [33, 37], [36, 40], [10, 12, 14, 16], [2, 3, 3, 4, 4, 5, 5, 6, 4, 5, 5, 6, 6, 7, 7, 8],
    ]  # fmt: skip


def test_a_monoid_with_parameters_is_made_once() -> None:
    made = []

    def plus_counted(x=0):  # type: ignore[no-untyped-def]
        made.append(x)
        return plus_more(x)

    op = lg.binary.register_anonymous(plus_counted, parameterized=True)
    monoid = lg.monoid.register_anonymous(op, minus_more)
    assert op(5).monoid is monoid(5)
    assert made == [5, 5, 5]  # of the operator, of its monoid and of monoid(5)


def test_operators_with_parameters_are_pickled() -> None:
    op = lg.binary.register_anonymous(plus_more, parameterized=True)
    monoid = lg.monoid.register_anonymous(op, minus_more, name="more")
    ring = lg.semiring.register_anonymous(monoid, op, name="ring")
    held = pickle.loads(pickle.dumps([op, monoid, ring]))
    assert [made(2) for made in held] == [op(2), monoid(2), ring(2)]
    assert held[0].monoid is held[1] and monoid(2)["INT32"].type2 == lg.dtypes.INT32


def test_parameters_are_checked() -> None:
    op = lg.binary.register_anonymous(plus_more, parameterized=True)
    with pytest.raises(WrongType, match="parameters"):
        op(1, 2, 3)
    with pytest.raises(ValueError, match="same parameters"):
        lg.monoid.register_anonymous(op, lambda y=0: -y)
    with pytest.raises(WrongType):
        lg.monoid.register_anonymous(lg.monoid.plus, 0)
    with pytest.raises(WrongType):
        lg.unary.register_anonymous(3, parameterized=True)
    with pytest.raises(TypeError):
        semirings.UnaryOp.register_new("bad", object())
    assert not hasattr(lg.unary, "bad")


def test_registering_by_a_class() -> None:
    def twice_plus(x, y):  # type: ignore[no-untyped-def]
        return x + 2 * y

    try:
        semirings.BinaryOp.register_new("letters.twice_plus", twice_plus)
        assert lg.binary.letters.twice_plus.orig_func is twice_plus
        assert lg.binary.letters.twice_plus[int].parent is lg.binary.letters.twice_plus
        assert lg.op.letters.twice_plus is lg.binary.letters.twice_plus
        lg.indexunary.register_new("letter_far", far, parameterized=True)
        kept = vector().select(lg.select.letter_far(2), 2).new()
        assert kept.to_coo()[0].tolist() == [1, 3]
    finally:
        delattr(lg.binary, "letters.twice_plus")
        delattr(lg.indexunary, "letter_far")
        delattr(lg.select, "letter_far")
    assert not hasattr(lg.binary, "letters") and not hasattr(lg.select, "letter_far")


def test_operators_of_numbers_alone() -> None:
    assert lg.binary.plus(5, 2).new().value == gb.binary.plus(5, 2).new().value == 7
    assert lg.unary.cos(0) == 1
    s = lg.Scalar.from_value(5)
    assert lg.select.value(s < 10).new() == 5 and lg.select.value(s > 10).new().is_empty
    assert lg.select.valuene(5, s).new().is_empty
    with pytest.raises(WrongType):
        lg.binary.plus(vector(), vector())
    with pytest.raises(WrongType):
        lg.binary.plus(object(), 1)


def test_scalars() -> None:
    s = lg.Scalar.from_value(5, is_cscalar=True)
    assert s.is_cscalar and s.dup().is_cscalar and s.dup(is_cscalar=False).is_grbscalar
    assert vector().reduce().new(is_cscalar=True).is_cscalar
    assert np.array([s, s]).dtype == np.int64 and np.array(s, float) == 5.0
    assert s.isequal(5.0, check_dtype=True)
    assert list(range(s)) == [0, 1, 2, 3, 4]
    with pytest.raises((AttributeError, TypeError)):
        range(s.dup(float))
    v = vector()
    one, three = lg.Scalar.from_value(1), lg.Scalar.from_value(3)
    assert v[[three, one]].new().to_coo()[1].tolist() == [-4, 2]
    assert v.diag(one).shape == (5, 5)


def test_expressions_do_not_compute_themselves_where_a_program_says_so() -> None:
    v = vector()
    A = lg.Matrix.from_coo([0, 1], [1, 0], [1.0, 2.0])
    with lg.config.set(autocompute=False):
        for refused in (
            lambda: (v + v).nvals, lambda: bool(v.reduce()), lambda: v.reduce() == -1,
            lambda: v.ewise_add(v + v), lambda: v[1].value, lambda: A.mxm(A + A),
        ):  # fmt: skip
            with pytest.raises(WrongType, match="autocompute"):
                refused()
        assert (v + v).size == 4 and ((v + v) + v).new().nvals == 3
        assert lg.pagerank(lg.Graph(A)).nvals == 2  # the library itself is free to
    assert (v + v).nvals == 3


def test_vectors_beside_matrices_in_chains() -> None:
    def program(package: Any) -> list[Any]:
        v1 = package.Vector.from_coo([0, 1], [1, 2], size=3)
        v2 = package.Vector.from_coo([1, 2], [10, 20], size=3)
        D = package.Vector.from_scalar(100, 3).diag()
        plus, defaults = package.binary.plus, {"left_default": 10, "right_default": 20}
        return [
            values(plus(D | (v1 | v2))), values(plus((v1 | v2) | D)), values(plus(D & v1 & v2)),
            values(plus(v1 & (v2 & D))), values(plus(D | (v1 | v2), **defaults)),
        ]  # fmt: skip

    assert program(lg) == program(gb)


def test_errors_are_of_their_classes() -> None:
    v, A = vector(), lg.Matrix.from_coo([0, 1], [1, 0], [1, 2])
    for wrong in (
        lambda: lg.Scalar.from_value(1).ewise_add(v),
        lambda: A.isequal(v), lambda: A @ 1, lambda: v[object()], lambda: v[v.S],
        lambda: v(A.S) << 1,
        lambda: A.power(1.5), lambda: A.setdiag(1, 0.5), lambda: A.S == A.S, lambda: np.array(A.T),
        lambda: A.__setitem__((0, 0), A), lambda: A.__setitem__((slice(None), 0), A),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="identity"):
        A.power(0, lg.semiring.min_first)
    for too_large in (2**63, 10**5000):
        with pytest.raises(InvalidValue, match=r"a power from 0 to 2\^63 - 1, got"):
            A.power(too_large)
    with pytest.raises(InvalidValue, match="size="):
        lg.Vector.from_coo([], [])
    for make in (lg.Vector.from_coo, lambda i, x, **rest: lg.Matrix.from_coo(i, i, x, **rest)):
        with pytest.raises(ValueError, match="no dup_op beside one value"):
            make([0, 0], 7, dup_op="plus")
        assert make([0, 0], 7).to_coo()[-1].tolist() == [7]
    with pytest.raises(OutsideShape):
        lg.Matrix.from_csr([0, 1], [6], [1.0], ncols=6)
    with pytest.raises(DimensionMismatch):
        v.isequal(A)
    assert lg.Vector.from_coo([0, 1, 1], 7).to_coo()[1].tolist() == [7, 7]
    assert lg.Vector.from_dict({}).size == 0 and lg.Matrix.from_dicts({}).shape == (0, 0)


def test_indexes_as_they_were_read() -> None:
    v, A = vector(), lg.Matrix("INT64", 10, 10)
    assert v[:].resolved_indexes.py_indices == v[0:4].resolved_indexes.py_indices == slice(None)
    assert v[3].resolved_indexes.py_indices == 3
    assert v[::-1].resolved_indexes.py_indices.tolist() == [3, 2, 1, 0]
    rows, columns = A[1:3, 8].resolved_indexes.py_indices
    assert rows.tolist() == [1, 2] and columns == 8
    with pytest.raises(AttributeError):
        v[[0, 1]].value


def test_hints_are_taken() -> None:
    v = vector()
    v(nthreads=4) << v.apply("abs")
    assert (v @ v).new(nthreads=4, sort=True) == 21 and v.dup(nthreads=2).nvals == 3
    with pytest.raises(ValueError, match="hints"):
        v.apply("abs").new(nthread=4)


def test_an_aggregator_of_others() -> None:
    def program(package: Any) -> list[Any]:
        agg = package.agg
        silly = agg.Aggregator(
            "silly", composite=[agg.varp, agg.stdp], types=[agg.varp],
            finalize=lambda x, y, opts: package.binary.times(x & y),
        )  # fmt: skip
        A = package.Matrix.from_coo([0, 0, 1], [0, 1, 1], [1.0, 3.0, 5.0])
        return [values(A.reduce_rowwise(silly)), values(A.reduce_scalar(silly))]

    ours, theirs = program(lg), program(gb)
    assert np.allclose(ours[0], theirs[0]) and np.isclose(ours[1], theirs[1])


def test_a_mask_of_a_mask() -> None:
    def program(package: Any) -> list[Any]:
        u = package.Vector.from_coo([0, 1], [7, 0], size=4)
        v = package.Vector.from_coo([1, 2], [5, 6], size=4)
        return [
            (m.new(mask=k, complement=c).to_coo()[0]).tolist()
            for m in (u.S, ~u.V) for k in (v.S, ~v.V) for c in (False, True)
        ]  # fmt: skip

    assert program(lg) == program(gb)


def test_arrays_of_pydata() -> None:
    sparse = pytest.importorskip("sparse")
    A = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], nrows=2, ncols=3)
    for form in ("coo", "gcxs"):
        made = lg.io.to_pydata_sparse(A, format=form)
        assert made.shape == (2, 3) and lg.io.from_pydata_sparse(made).isequal(A)
    v = vector()
    assert lg.io.from_pydata_sparse(lg.io.to_pydata_sparse(v)).isequal(v, check_dtype=True)
    with pytest.raises(DimensionMismatch):
        lg.io.from_pydata_sparse(sparse.random((2, 2, 2), density=0.5))
    with pytest.raises(WrongType):
        lg.io.from_pydata_sparse(A)
    with pytest.raises(InvalidValue):
        lg.io.to_pydata_sparse(A, format="csr")


def test_arrays_of_awkward() -> None:
    pytest.importorskip("awkward")
    A, B = (p.Matrix.from_coo([0, 0, 2, 4], [1, 2, 0, 3], [5, 6, 7, 8], nrows=6, ncols=5)
            for p in (lg, gb))  # fmt: skip
    for form in ("csr", "csc", "hypercsr", "hypercsc"):
        ours, theirs = (p.io.to_awkward(x, form) for p, x in ((lg, A), (gb, B)))
        assert ours.fields == theirs.fields and ours.to_list() == theirs.to_list()
        assert ours.values.to_list() == theirs.values.to_list()
        assert ours.indices.to_list() == theirs.indices.to_list()
        for one in (ours, theirs):
            assert lg.io.from_awkward(one, name="A").isequal(A, check_dtype=True)
        assert gb.io.from_awkward(ours).isequal(B, check_dtype=True)
        empty = lg.Matrix("FP32", 3, 2)
        assert lg.io.from_awkward(lg.io.to_awkward(empty, form)).isequal(empty, check_dtype=True)
    v = vector()
    assert lg.io.from_awkward(lg.io.to_awkward(v)).isequal(v, check_dtype=True)
    ours, theirs = (p.io.to_awkward(p.Vector.from_dense([5, 6])) for p in (lg, gb))
    assert ours.to_list() == theirs.to_list()
    for wrong in (
        lambda: lg.io.to_awkward(A, "vec"), lambda: lg.io.to_awkward(v, "csr"),
        lambda: lg.io.to_awkward([1]), lambda: lg.io.from_awkward([1]),
        lambda: lg.io.from_awkward(ours["values"]), lambda: lg.io.from_awkward(ours[["values"]]),
        lambda: lg.io.to_awkward(lg.Vector("INT64[2]", 3)),
    ):  # fmt: skip
        with pytest.raises((InvalidValue, WrongType), match="expected"):
            wrong()


FOLDS = {"plus": np.add, "min": np.minimum, "max": np.maximum}


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
@pytest.mark.parametrize("op", FOLDS)
def test_an_index_given_twice_folds(op: str, backend: Any) -> None:
    rng, at = np.random.default_rng(7), FOLDS[op].at
    w, u = rng.integers(-9, 9, 6), rng.integers(-9, 9, 9)
    dense, B = rng.integers(-9, 9, (4, 6)), rng.integers(-9, 9, (3, 9))
    places, J = rng.integers(0, 6, 9), np.array([2, 0, 2])

    def vector_of(x: Any) -> Any:
        return lg.Vector.from_dense(x, backend=backend)

    def matrix_of(x: Any) -> Any:
        return lg.Matrix.from_dense(x, backend=backend)

    def check(ours: Any, index: Any, value: Any, start: Any) -> None:
        expected = start.copy()
        at(expected, index, value)
        assert ours.to_dense().tolist() == expected.tolist()

    W = vector_of(w)
    W(op)[places] << vector_of(u)
    check(W, places, u, w)
    W = vector_of(w)
    W(op)[places] << 3  # one number goes once to each index
    check(W, np.unique(places), 3, w)
    W = vector_of(w)
    W[places](vector_of(u > 0).V, op) << vector_of(u)
    check(W, places[u > 0], u[u > 0], w)
    W = vector_of(w)
    W(vector_of(w > 0).V, op)[places] << vector_of(u)
    expected = w.copy()
    at(expected, places, u)
    assert W.to_dense().tolist() == np.where(w > 0, expected, w).tolist()
    A = matrix_of(dense)
    A(op)[J, places] << matrix_of(B)
    check(A, np.ix_(J, places), B, dense)
    A = matrix_of(dense)
    A(op)[2, places] << vector_of(u)
    check(A, (2, places), u, dense)
    A = matrix_of(dense)
    A(op)[J, 5] << vector_of(B[:, 0])
    check(A, (J, 5), B[:, 0], dense)


def test_an_index_given_twice_needs_a_fold() -> None:
    v = lg.Vector.from_dense([1, 2, 3])
    for wrong in (
        lambda: v[[0, 0]] << [5, 6],
        lambda: v("minus")[[0, 0]] << [5, 6],
        lambda: v("plus")[[0, 0]] << lg.Vector.from_dense([1, 2, 3]),
        lambda: v[[0, 0]](lg.Vector.from_dense([True, True]).V, "plus", replace=True) << 5,
    ):
        with pytest.raises((InvalidValue, DimensionMismatch)):
            wrong()
    assert v.to_dense().tolist() == [1, 2, 3]


ROUNDED = {"rint": "halves go away from zero, as in python-graphblas"}
HELD = {
    "f": np.array([0.0, -1.5, 2.25, np.inf, -np.inf, np.nan, 7.0]),
    "i": np.array([0, 1, 2, 5], np.int32),
}


def same_as_numpy(op: Any, function: Any, given: list[Any], name: str) -> None:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = function(*given)
        except (TypeError, ValueError):  # not for these types
            return
        try:
            found = op.evaluate(*given)
        except DomainError:
            return
    np.testing.assert_allclose(found, wanted.astype(found.dtype), rtol=1e-6, err_msg=name)


def test_operators_of_numpy_are_its_functions() -> None:
    """NaN and infinities are among the values: NumPy's maximum answers NaN, GraphBLAS' max does
    not."""
    for name in dir(lg.unary.numpy):
        for values in HELD.values():
            at = values[values != 0] if name == "reciprocal" else values
            if name not in ROUNDED:
                same_as_numpy(getattr(lg.unary.numpy, name), getattr(np, name), [at], name)
    for name in dir(lg.binary.numpy):
        for values in HELD.values():
            x, y = (np.ravel(v) for v in np.meshgrid(values, values))
            if values.dtype.kind != "f" and any(w in name for w in ("div", "mod", "rem", "pow")):
                x, y = x[y != 0], y[y != 0]
            elif "pow" in name:  # NaN ** 0 is NaN, as in GraphBLAS and python-graphblas
                x, y = x[y == y], y[y == y]
                x, y = x[x == x], y[x == x]
            same_as_numpy(getattr(lg.binary.numpy, name), getattr(np, name), [x, y], name)


def test_monoids_and_semirings_of_numpy() -> None:
    values = np.array([3.0, np.nan, 12.0])
    for name in ("hypot", "logaddexp", "logaddexp2", "maximum", "minimum"):
        monoid, function = getattr(lg.monoid.numpy, name), getattr(np, name)
        assert np.isnan(monoid.fold(values)) and np.isclose(
            monoid.fold(values[::2]), function.reduce(values[::2])
        )
        assert monoid.op.evaluate(monoid.identity_of("FP64"), 3.0) == 3.0
    v = lg.Vector.from_coo([0, 1, 2], values)
    assert np.isnan(v.reduce(lg.monoid.numpy.maximum).new().value)
    assert v.reduce("max").new() == 12.0
    assert len(dir(lg.op.numpy)) > 500 and "add_hypot" in dir(lg.semiring.numpy)
    assert lg.semiring.numpy.add_subtract is lg.semiring.plus_minus
    assert lg.semiring.numpy.add_hypot.multiply is lg.binary.hypot
    assert lg.binary.from_string("true_divide") is lg.binary.numpy.true_divide
    with pytest.raises(AttributeError, match="such as hypot"):
        _ = lg.binary.numpy.hypott


def test_a_name_makes_no_monoid() -> None:
    """An operator that a user calls "plus" is not the plus of the tables."""
    minus = lg.binary.register_anonymous("x - y", name="plus")
    assert minus.monoid is None and lg.binary.plus.monoid is lg.monoid.plus
    with pytest.raises(InvalidValue, match="expected a monoid"):
        vector().reduce(minus)
    assert lg.binary.plus["BOOL"].monoid is None
    assert lg.binary.plus[int].monoid is lg.monoid.plus[int]
    assert lg.binary.lt.commutes_to is lg.binary.gt
    assert lg.semiring.plus_pow.commutes_to is lg.semiring.plus_rpow
    assert lg.binary.isclose(0.1, 0) is lg.binary.isclose(rel_tol=0.1, abs_tol=0)
    wrapped = lg.monoid.register_anonymous(lg.binary.register_anonymous("x + y + 1"), -1)
    assert wrapped["UINT8"].identity == 255 and wrapped[int].identity == -1
    assert "INT8" not in lg.monoid.register_anonymous(lg.binary.max, -200).domain


def test_the_identity_of_a_monoid() -> None:
    """As in python-graphblas: an attribute of a monoid with a type, and a dict without one."""
    assert lg.monoid.plus[int].identity == 0 and lg.monoid.min["UINT8"].identity == 255
    assert not hasattr(lg.monoid.plus, "identity")
    with pytest.raises(AttributeError, match=r"plus\['INT64'\].identity"):
        _ = lg.monoid.plus.identity
    for name in ("plus", "min", "land"):
        ours, theirs = (getattr(p.monoid, name).identities for p in (lg, gb))
        ours = {t.name: value for t, value in ours.items()}
        for dtype, value in theirs.items():
            assert ours[dtype.name] == value, (name, dtype)
    shifted = lg.binary.register_anonymous(lambda x, y: x + y + 1)
    by_type = lg.monoid.register_anonymous(shifted, {"INT64": -1, float: -1.0, "UINT8": 255})
    found = {t.name: value for t, value in by_type.identities.items()}
    assert found == {"INT64": -1, "FP64": -1.0, "UINT8": 255}
    v = lg.Vector.from_dense([2, -4, 7])
    assert v.reduce(by_type).new().value == 2 - 4 + 1 + 7 + 1
    with pytest.raises(DomainError):
        lg.monoid.register_anonymous(shifted, {"BOOL": True})
    with pytest.raises(InvalidValue, match="number as the identity of each type"):
        lg.monoid.register_anonymous(shifted, {})


def test_operators_are_found_by_the_names_of_their_parts() -> None:
    lg.binary.register_new("letter_sum", lambda x, y: x + y)
    made = lg.monoid.register_new("letter_sum", "letter_sum", 0)
    ring = lg.semiring.register_new("letter_sum", "letter_sum", "letter_sum")
    assert made is lg.monoid.letter_sum and made.op is lg.binary.letter_sum
    assert ring.monoid is made and ring.multiply is lg.binary.letter_sum
    assert lg.monoid.register_anonymous("max(x, y)", 0).op.expression == "max(x, y)"


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_the_mask_of_a_vector_is_none_of_other_parts_than_lines(backend: Any) -> None:
    C = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend=backend)
    u = lg.Vector.from_coo([0], [1], size=2, backend=backend)
    for value in (1, lg.Scalar.from_value(1, backend=backend)):
        for mask in (u.S, ~u.S, u.V):
            for part in ((0, 0), ([0, 1], [0, 1]), (slice(1), [0]), (slice(None), [1])):
                with pytest.raises(DimensionMismatch, match="no single row or column"):
                    C(mask)[part] << value
    C(C.S)[0, 0] << 7
    C(C.S)[0, 1] << 8
    assert C.to_dicts() == {0: {1: 8}, 1: {0: 6}}


INDEXES: list[Any] = [
    0, -1, 5, 1.5, "x", None, ..., (0,), slice(None), slice(0, 2), [0, 2], [0], [],
    np.array([True, False, True]),
]  # fmt: skip


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_every_error_of_an_assignment_is_ours(backend: Any) -> None:
    """Drawn indexes, masks and values, most of which do not fit together."""
    rng, done = np.random.default_rng(24), 0
    few = {"nrows": 2, "ncols": 2, "backend": backend}
    for _ in range(300):
        A = lg.Matrix.from_coo([0, 1, 2], [1, 0, 2], [5, 6, 7], backend=backend)
        u = lg.Vector.from_coo([0, 2], [1, 2], size=3, backend=backend)
        short = lg.Vector.from_coo([0], [1], size=2, backend=backend)
        masks = [None, u.S, ~u.V, A.S, short.S, lg.Matrix.from_coo([0], [0], [1], **few).S]
        values = [1, u, A, [1, 2], A[0, :], lg.Scalar(int, backend=backend), None, "x"]
        index = [INDEXES[k] for k in rng.integers(0, len(INDEXES), 1 + rng.integers(2))]
        mask, value = masks[rng.integers(len(masks))], values[rng.integers(len(values))]
        out: Any = u if len(index) == 1 else A
        part = tuple(index) if len(index) > 1 else index[0]
        try:
            if mask is None:
                out[part] = value
            elif rng.integers(2):
                out(mask)[part] << value
            else:
                out[part](mask) << value
            done += 1
        except LagraphError:
            pass
    assert 10 < done < 200


def test_types_in_operators() -> None:
    assert "INT64" in lg.binary.plus and ("INT8", float) in lg.binary.plus
    assert "FP64" not in lg.binary.bor
    with pytest.raises(ValueError, match="one of the types"):
        _ = "no type" in lg.binary.plus


def test_divisors_and_neighbours() -> None:
    """Functions of NumPy on integers wrap around as it does; those of the module math are known."""
    for dtype in (np.int8, np.uint8, np.int64):
        info = np.iinfo(dtype)
        few = np.array([info.min, info.min + 1, 0, 1, 12, 18, 100, info.max - 1, info.max], dtype)
        x, y = (part.ravel() for part in np.meshgrid(few, few))
        u, v = (lg.Vector.from_dense(part) for part in (x, y))
        for name in ("gcd", "lcm"):
            made = getattr(lg.binary.numpy, name)(u & v).new()
            assert made.dtype == dtype and (made.to_dense() == getattr(np, name)(x, y)).all()
    u = lg.Vector.from_dense([12, 18, 30])
    assert u.reduce(lg.monoid.numpy.gcd).new() == 6 and lg.monoid.numpy.gcd[int].identity == 0
    coprime = lg.binary.register_anonymous(lambda x, y: math.gcd(x, y) == 1)
    assert coprime(u, 5).new().to_dense().tolist() == [True, True, False]
    with pytest.raises(DomainError):
        lg.binary.numpy.gcd(u & lg.Vector.from_dense([0.5, 1, 2]))


def test_what_is_an_error_there_is_one_here_without_autocompute() -> None:
    v, s = vector(), lg.Scalar.from_value(1.0)
    expr = v + v
    for sign in ("__iadd__", "__imul__", "__ior__", "__imatmul__"):
        with pytest.raises(WrongType, match="on the left of"):
            getattr(expr, sign)(1)
    with lg.config.set(autocompute=False):
        with pytest.raises(WrongType, match="autocompute"):
            s("plus") << v[1]
        with pytest.raises(WrongType, match="autocompute"):
            v += v @ v
        for write in (v(), v(v.S), v[:]):
            with pytest.raises(WrongType, match="autocompute"):
                write << v.inner(v)
        with pytest.raises(AttributeError):
            _ = v[[0, 1]].value
    s("plus") << v[1]
    assert s == 3 and values(v) == [1, 2, -4]


def test_types_of_c_and_of_counts() -> None:
    assert [(t.c_type, t.name) for t in map(lg.dtypes.lookup_dtype, ("_Bool", "uint8_t"))] == [
        ("_Bool", "BOOL"), ("uint8_t", "UINT8"),
    ]  # fmt: skip
    assert lg.dtypes.FP32.c_type == "float" and lg.dtypes.lookup_dtype("float") == "FP64"
    assert "register_new" in dir(lg.dtypes)
    for dtype in (None, "INT16", "FP32", bool):
        for name in ("count", "exists"):
            ours, theirs = (getattr(p.agg, name) for p in (lg, gb))
            ours, theirs = (a if dtype is None else a[dtype] for a in (ours, theirs))
            ours, theirs = vector().reduce(ours).new(), vector(gb).reduce(theirs).new()
            assert (ours.dtype.name, ours.value) == (theirs.dtype.name, theirs.value)
    assert lg.agg.from_string("+[int]") is lg.agg.sum[int]
    with pytest.raises(TypeError, match="two-dimensional"):
        lg.Matrix.from_dense(1)
    nx = pytest.importorskip("networkx")
    with pytest.raises(nx.NetworkXError, match="expected a graph"):
        lg.io.from_networkx(nx.DiGraph())


@pytest.mark.parametrize("backend", BOTH, ids=["cpu", "gpu"])
@pytest.mark.parametrize(
    ("formula", "dtype", "thunk", "right"),
    [("x + y", "INT64", 0.5, [1.5, 2.5]), ("x + y", "INT8", 1000, [1001, 1002]),
     ("i + y", "BOOL", 1000, [1000, 1003]), ("i * y", "FP64", 2.5, [0, 7.5]),
     ("i * y", "UINT8", -1, [0, -3])],
)  # fmt: skip
def test_a_thunk_is_not_cut_to_the_type_of_the_entries(
    formula: str, dtype: str, thunk: Any, right: list[Any], backend: Any
) -> None:
    op = lg.indexunary.register_anonymous(formula)
    v = lg.Vector.from_coo([0, 3], [1, 2], dtype, backend=backend)
    assert v.apply(op, thunk).new().to_coo()[1].tolist() == right


def test_a_scalar_is_changed_in_place() -> None:
    s = t = lg.Scalar.from_value(2)
    for change in (lambda s: s.__iadd__(1.5), lambda s: s.__imul__(3), lambda s: s.__isub__(1),
                   lambda s: s.__itruediv__(3), lambda s: s.__ipow__(3), lambda s: s.__imod__(5),
                   lambda s: s.__ifloordiv__(2)):  # fmt: skip
        s = change(s)
    assert s is t and t.value == 1 and t.dtype == "INT64"
    empty = same = lg.Scalar(int)
    same += 4
    assert empty.value == 4


def test_a_name_that_is_taken_stays_what_it_is() -> None:
    """`register_new` never replaces: of an own operator, of one of ours, of a path, of a method."""
    plus_one = lg.unary.register_new("letter_taken.one", lambda x: x + 1)
    for name in ("letter_taken.one", "letter_taken", "letter_taken.one.more", "abs", "numpy.sin",
                 "numpy", "ss", "register_new", "two words"):  # fmt: skip
        with pytest.raises(AttributeError, match="expected a new name for a unary operator"):
            lg.unary.register_new(name, lambda x: x + 2)
    with pytest.raises(AttributeError, match="of letters, digits and underscores, got 'two words'"):
        lg.unary.register_new("two words", lambda x: x + 2)
    assert lg.unary.letter_taken.one is plus_one
    lg.select.register_new("letter_taken_too", lambda x, i, j, thunk: x > i)
    with pytest.raises(lg.errors.AlreadyDefined):  # the two kinds share their names
        lg.indexunary.register_new("letter_taken_too", lambda x, i, j, thunk: x < i)
    lg.monoid.register_new("letter_taken", lg.binary.hypot, 0)
    with pytest.raises(AttributeError, match=r"monoid\.letter_taken is already defined"):
        lg.monoid.register_new("letter_taken", lg.binary.hypot, 0)
    lg.semiring.register_new("letter_taken", "plus", "times")
    with pytest.raises(AttributeError, match=r"already defined; `del semiring.letter_taken`"):
        lg.semiring.register_new("letter_taken", "max", "times")
    del lg.semiring.letter_taken
    assert lg.semiring.register_new("letter_taken", "max", "times", lazy=True) is None
    assert lg.semiring.letter_taken.monoid is lg.monoid.max
    assert lg.binary.register_new("letter_lazy", lambda x, y: x + y, lazy=True) is None
    assert lg.binary.letter_lazy(2, 3).new() == 5


@pytest.mark.parametrize("backend", ["cpu", "gpu"])
def test_one_value_at_indices_that_repeat(backend: str) -> None:
    """One number goes once to each index, as in python-graphblas; several are folded."""
    with lg.backend(GPU if backend == "gpu" else "cpu"):
        for value in (5, lg.Scalar.from_value(5)):
            v = lg.Vector.from_coo([0, 1], [1, 2], size=3)
            v("plus")[[0, 0, 2]] << value
            assert v.to_coo()[1].tolist() == [6, 2, 5]
            v[[1, 1]] << value
            assert v.to_coo()[1].tolist() == [6, 5, 5]
            A = lg.Matrix.from_coo([0, 0], [0, 1], [1, 2], nrows=2, ncols=2)
            A("plus")[[0, 0], :] << value
            assert A.to_coo()[2].tolist() == [6, 7]
        v("plus")[[0, 0]] << [10, 20]
        assert v[0].new() == 36
        with pytest.raises(InvalidValue, match="each index once"):
            v[[0, 0]] << [10, 20]


def test_containers_take_no_new_attributes() -> None:
    v, A = lg.Vector(int, 2), lg.Matrix(int, 2, 2)
    for thing in (v, A, lg.Scalar(int), v + v, v.S, lg.binary.plus):
        with pytest.raises(AttributeError):
            thing.foo = 3
    v.name = "kept"
    assert v.dup(name="other").name == "other" and v.name == "kept"

    class Named(lg.Vector):
        pass

    mine = Named(int, 2)
    mine.foo = 3  # as in python-graphblas, whose subclasses may have more
    assert mine.foo == 3


def test_what_scalars_and_aggregators_give() -> None:
    """Types and values that differed from python-graphblas', computed by both."""
    Point = np.dtype([("x", np.int64), ("y", np.float64)])

    def found(package: Any) -> list[Any]:
        kind = package.dtypes.register_anonymous(Point)
        v = package.Vector.from_coo([0, 2], np.array([(1, 2.0), (3, 4.0)], Point), kind, size=4)
        w = package.Vector.from_coo([0, 1], [7, 8], size=4)
        B = v.diag()
        s, none = package.Scalar.from_value(5), package.Scalar(int)
        of = {
            t: package.Vector.from_coo([0, 1], [3, 1], dtype=t)
            for t in ("FP32", "FC32", "BOOL", "INT8")
        }
        scalars = [
            s.ewise_add(3, "plus"), s.ewise_mult(2.5, "times"), s.ewise_union(none, "minus", 1, 2),
            none.ewise_union(7, "minus", 1, 2), s.ewise_add(True, "plus"),
            s.ewise_mult(np.array(3), "plus"), of["FC32"].reduce(package.agg.sum_of_squares),
            of["FP32"].reduce(package.agg.sum_of_inverses), v.reduce(package.agg.ss.first_index),
            of["FP32"].reduce(package.agg.harmonic_mean), v.reduce(package.agg.count),
            of["BOOL"].reduce(package.agg.geometric_mean), of["INT8"].reduce(package.agg.varp),
        ]  # fmt: skip
        of_scalars = [(str(x.dtype), x.value) for x in (one.new() for one in scalars)]
        vectors = [
            B.reduce_rowwise(package.agg.ss.first), B.reduce_columnwise(package.agg.ss.last),
            package.binary.pair(v & w), package.binary.ss.firsti(w & v),
            v.ewise_union(v, "first", (9, 9.0), (8, 8.0)),
        ]  # fmt: skip
        parts = [one.new().to_coo() for one in vectors]
        records = [
            tuple(v.reduce(a).new().value) for a in (package.agg.ss.first, package.agg.ss.last)
        ]
        return [of_scalars, [[x.tolist() for x in part] for part in parts], records]

    with lg.backend("cpu"):
        ours = found(lg)
    theirs = found(gb)
    assert [t for t, _ in ours[0]] == [t for t, _ in theirs[0]]
    assert np.allclose(*([x for _, x in part[0]] for part in (ours, theirs)), rtol=1e-12)
    assert ours[1:] == theirs[1:]
    assert lg.dtypes.FP64 == "double" and lg.dtypes.FP64 == "float" != lg.dtypes.FP32


@pytest.mark.parametrize("backend", ["cpu", "gpu"])
def test_any_as_an_accumulator_takes_the_new_value(backend: str) -> None:
    """Either is right to GraphBLAS. graphblas-algorithms rests on what SuiteSparse does."""
    with lg.backend(GPU if backend == "gpu" else "cpu"):
        for accum in ("any", lg.binary.any, lg.binary.any["INT64"], lg.monoid.any):
            v, w = (
                lg.Vector.from_coo(i, x, size=3) for i, x in (([0, 1], [1, 2]), ([1, 2], [7, 8]))
            )
            v(accum) << w
            assert v.to_coo()[1].tolist() == [1, 7, 8]
            A = lg.Matrix.from_coo([0, 0], [0, 1], [1, 2], nrows=2, ncols=2)
            A(accum) << A.T
            assert A.to_dense(0).tolist() == [[1, 2], [2, 0]]
            A(accum)[0, :] << w[:2].new()
            assert A.to_dense(0).tolist() == [[1, 7], [2, 0]]
        v("any")[[0, 0]] << [5, 5]
        assert v[0].new() == 5
        s = lg.Scalar.from_value(3)
        s("any") << 5
        assert s == 5


POSITIONAL = "firsti", "firsti1", "firstj", "firstj1", "secondi", "secondi1", "secondj", "secondj1"


def products_of_positions(package: Any, dtype: str) -> list[Any]:
    A = package.Matrix.from_coo([0, 1, 2], [1, 0, 1], [2, 3, 1], dtype, nrows=3, ncols=2)
    v = package.Vector.from_coo([1, 3], [5, 7], dtype, size=4)
    w = package.Vector.from_coo([0, 2], [0.5, 7], size=3)
    made = []
    for name in POSITIONAL:
        op = getattr(package.binary.ss, name)
        for found in (A.kronecker(A.T, op).new(), v.outer(w, op).new(), w.outer(v, op).new()):
            assert found.dtype == "INT64"
            made.append((found.shape, sorted(zip(*(part.tolist() for part in found.to_coo())))))
    return made


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_positions_in_kronecker_products(backend: Any) -> None:
    right = products_of_positions(gb, "UINT8")
    with lg.backend(backend):
        assert products_of_positions(lg, "UINT8") == right
        A = lg.Matrix.from_coo([5], [2**40], [True], nrows=2**29, ncols=2**41)
        assert A.kronecker(lg.Matrix.from_coo([1], [0], [2]), "firstj").new()[11, 2**40] == 2**40
        own = lg.binary.register_anonymous("i + x")
        with pytest.raises(DomainError, match="works on values"):
            A.kronecker(A.T, own)


def test_positions_of_records() -> None:
    Point = lg.dtypes.register_anonymous(np.dtype([("x", float), ("y", float)]))
    v = lg.Vector.from_coo([1, 3], [(5, 6), (7, 8)], Point)
    assert v.outer(v, "firsti").new().to_coo()[2].tolist() == [1, 1, 3, 3]


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_ldexp_of_two_types_and_numbers_that_are_not_read(backend: Any) -> None:
    kinds = "BOOL", "INT8", "UINT8"

    def found(package: Any) -> list[Any]:
        made = []
        for one in kinds:
            for other in kinds:
                x, y = (package.Vector.from_coo([0, 1], [1, z], dtype) for z, dtype in
                        ((1, one), (0, other)))  # fmt: skip
                for pair in (x & y, x | y):
                    w = package.binary.ldexp(pair).new()
                    made.append((w.dtype.name, w.to_coo()[1].tolist()))
        return made

    right = found(gb)
    with lg.backend(backend):
        assert found(lg) == right
        u = lg.Vector.from_coo([0, 1], [1, 2], "UINT8")
        ones = lg.binary.pair(u, 2j).new()
        assert ones.dtype == "INT64" and ones.to_coo()[1].tolist() == [1, 1]


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_ldexp_with_a_type_in_brackets(backend: Any) -> None:
    def found(package: Any) -> list[Any]:
        made = []
        for typed in ("INT8", "INT64", "UINT32"):
            for dtype in ("INT8", "INT64", "UINT8"):
                x = package.Vector.from_coo([0, 1, 2], [1, 3, 5], dtype)
                w = package.binary.ldexp[typed](x & x).new()
                made.append((w.dtype.name, w.to_coo()[1].tolist()))
        return made

    with lg.backend(backend):
        assert found(lg) == found(gb)


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
@pytest.mark.parametrize("name", ["truediv", "atan2", "hypot", "pow", "ldexp", "lxnor", "times"])
def test_a_scalar_accumulates_in_the_type_of_the_accumulator(backend: Any, name: str) -> None:
    """A fraction is not cut off before a number of integers is divided by it."""

    def found(package: Any) -> list[Any]:
        made = []
        for dtype in ("INT32", "INT8"):
            small = package.Vector.from_coo([0], [0.15])
            for value in (0.15, package.Scalar.from_value(0.15), small[0], small.reduce()):
                s = package.Scalar.from_value(3, dtype)
                s(getattr(package.binary, name)) << value
                made.append((s.dtype.name, s.value))
        return made

    with lg.backend(backend):
        assert found(lg) == found(gb)


def test_replace_and_transposes_keep_their_names() -> None:
    assert pickle.loads(pickle.dumps(lg.replace)) is lg.replace
    A = lg.Matrix(int, 2, 3)
    assert A.T.name is None
    A.name = "zz"
    assert A.T.name == "zz.T"


def test_a_type_equals_every_spelling_of_numpy_and_graphblas() -> None:
    spellings = ["i1", "=i4", "<i8", "u2", "f4", "f8", "c8", "c16", "b1", "?", "q", "d", "single"]
    spellings += ["double", "byte", "long", "longlong", "GrB_INT8", "GrB_FP64", "GxB_FC32"]
    for spelling in spellings:
        found = lg.dtypes.lookup_dtype(spelling)
        assert found.name == gb.dtypes.lookup_dtype(spelling).name
        assert [t.name for t in semirings.types.EVERY if t == spelling] == [found.name]
    assert lg.Vector("GrB_INT8", 3).dtype == "i1"


@pytest.mark.parametrize("backend", BOTH)
def test_the_type_of_a_dense_array(backend: str) -> None:
    """A fill of a wider kind decides as theirs does; else the entries keep their type (a row)."""
    for name, fill in [
        ("BOOL", 0), ("BOOL", 1), ("BOOL", False), ("BOOL", 0.5), ("BOOL", np.int8(0)),
        ("INT8", 0.5), ("INT8", 0.0), ("INT64", 0), ("UINT8", 2j), ("FP64", 0), ("FP32", 1j),
    ]:  # fmt: skip
        theirs = gb.Vector.from_coo([1], [1], size=3, dtype=name).to_dense(fill)
        v = lg.Vector.from_coo([1], [1], size=3, dtype=name, backend=backend)
        A = lg.Matrix.from_coo([0], [1], [1], nrows=1, ncols=3, dtype=name, backend=backend)
        for ours in (v.to_dense(fill), A.to_dense(fill)[0]):
            assert ours.dtype == theirs.dtype, (name, fill)
            assert ours.tolist() == theirs.tolist()
    for name, fill in [("INT8", 0), ("UINT64", 0), ("FP32", 0.5), ("FC32", 0)]:
        v = lg.Vector.from_coo([1], [1], size=3, dtype=name, backend=backend)
        assert v.to_dense(fill).dtype == v.dtype.np_type
    for name in ("BOOL", "INT8", "FP64"):  # without a fill there is no gap
        v = lg.Vector.from_scalar(1, 3, dtype=name, backend=backend)
        A = lg.Matrix.from_scalar(1, 2, 3, dtype=name, backend=backend)
        assert v.to_dense().dtype == A.to_dense().dtype == v.dtype.np_type
    paths = lg.Matrix.from_coo([0, 0, 1, 2], [1, 2, 2, 0], True, backend=backend).to_dense(0)
    assert (paths @ paths)[1, 0] == 1 and paths.dtype == np.int64
