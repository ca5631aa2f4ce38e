"""Python's signs and the calling forms of operators, against python-graphblas on both backends."""

from __future__ import annotations

import copy
import functools
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from semirings import BINARY, types
from semirings.types import BOOL, FP64, INT32, INT64
from tests.harness import CPU, GPU, put, reseed
from tests.operations.test_aggregators import other
from tests.operations.test_typed import entries
from tests.strategies import examples, matrices, seeds, vectors

gb = pytest.importorskip("graphblas")

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le",
                 "gt", "ge")
}  # fmt: skip
SIGNS["divmod's second"] = lambda x, y: divmod(x, y)[1]


def agree(ours: Any, expected: Any, what: Any, typed: bool = True) -> None:
    found, right = entries(ours.new()), entries(expected.new())
    assert found[1].keys() == right[1].keys(), (what, found, right)
    assert not typed or found[0] == right[0], (what, found, right)
    for p, x in found[1].items():
        assert np.isclose(x, right[1][p], equal_nan=True), (what, p, x, right[1][p])


def undefined(sign: str, *divisors: Any) -> bool:
    """Where python-graphblas' numba functions raise, and leave whatever was in memory."""
    divides = sign in ("floordiv", "mod", "divmod's second")
    return divides and any((x == 0 or x == -1) for s in divisors for x in s.entries.values())


def check(data: Any, sign: str, left: Any, right: Any, backend: Any) -> None:
    draw = data.draw(st.sampled_from([lambda d: vectors(d, 7, mild=True),
                                      lambda d: matrices(d, (3, 4), mild=True)]))  # fmt: skip
    u, v = data.draw(draw(left)), data.draw(draw(right))
    f = SIGNS[sign]
    x, y, p, q = put(u, backend), put(v, backend), other(u), other(v)
    if not undefined(sign, v):
        agree(f(x, y), f(p, q), (sign, u, v))
    number = data.draw(st.sampled_from([2, 3, 0.5]))
    if left == FP64 or (left == INT64 and isinstance(number, int)):
        # of other types a Python number takes the operand's type here, and INT64 or FP64 there
        agree(f(x, number), f(p, number), (sign, u, number))
        if not undefined(sign, u):
            agree(f(number, x), f(number, p), (sign, number, u))
    agree(f(x, left.type(2)), f(p, gb.Scalar.from_value(2, types.name(left))), (sign, u))
    if data.draw(st.booleans()) and not undefined(sign, v):  # a sign between expressions
        agree(f(2 * x, abs(y)), f(2 * p, abs(q)), (sign, "of expressions", u, v), typed=False)


PAIRS = [(INT64, INT64), (FP64, FP64), (INT32, FP64), (types.FP32, types.INT16)]


@examples(120)
@given(data=st.data(), sign=st.sampled_from(sorted(SIGNS)), pair=st.sampled_from(PAIRS))
def test_signs_on_cpu(data: Any, sign: str, pair: Any) -> None:
    check(data, sign, *pair, CPU)


@examples(25)
@given(data=st.data(), sign=st.sampled_from(["add", "sub", "mod", "lt", "truediv"]), seed=seeds)
def test_signs_on_gpu(data: Any, sign: str, seed: int) -> None:
    reseed(seed)
    check(data, sign, INT64, INT64, GPU)


def test_logic(backend: Any) -> None:
    """~, ^, |, & and their assignments are for BOOL."""
    b = lg.Vector.from_coo([0, 1], [True, False], size=4, backend=backend)
    c = lg.Vector.from_coo([1, 2], [True, True], size=4, backend=backend)
    p, q = gb.Vector.from_coo([0, 1], [True, False], size=4), gb.Vector.from_coo([1, 2], [True, True], size=4)  # noqa: E501  # fmt: skip
    for f in (operator.xor, operator.or_, operator.and_):
        agree(f(b, c), f(p, q), f)
    agree(~b, ~p, "~")
    for f in (operator.ixor, operator.ior, operator.iand):
        x, r = b.dup(), p.dup()
        x, r = f(x, c), f(r, q)
        assert entries(x) == entries(r), f
    w = lg.Vector("BOOL", 4, backend=backend)
    w << (b | c)
    assert w.to_coo()[1].tolist() == [True, True, True]


@pytest.mark.parametrize("sign", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "ipow", "imod"])
def test_assignments(sign: str) -> None:
    f = getattr(operator, sign)
    for left, right in ((INT64, INT64), (INT64, FP64)):
        x = lg.Vector.from_coo([0, 1, 2], [7, -5, 6], left, size=5, backend="cpu")
        y = lg.Vector.from_coo([1, 2, 3], [2, 4, 3], right, size=5, backend="cpu")
        p = gb.Vector.from_coo([0, 1, 2], [7, -5, 6], types.name(left), size=5)
        q = gb.Vector.from_coo([1, 2, 3], [2, 4, 3], types.name(right), size=5)
        same = x
        x, p = f(x, y), f(p, q)
        assert x is same and entries(x) == entries(p), sign
        x, p = f(x, 2), f(p, 2)
        assert x is same and entries(x) == entries(p), sign


def test_calls(backend: Any) -> None:
    """Every form in which python-graphblas lets an operator be called."""
    from lagraph_gpu import agg, binary, indexunary, monoid, op, select, semiring, unary

    for ours, here in ((lg, {"backend": backend}), (gb, {})):
        v = ours.Vector.from_coo([0, 1, 3], [4, 9, 16], "FP64", size=4, **here)
        u = ours.Vector.from_coo([1, 2], [1, 2], "FP64", size=4, **here)
        A = ours.Matrix.from_coo([0, 1, 3], [1, 0, 2], [1, 2, 3], "FP64", nrows=4, ncols=4, **here)
        if ours is gb:
            from graphblas import (
                agg,
                binary,
                indexunary,
                monoid,
                op,
                select,
                semiring,
                unary,
            )  # fmt: skip
        made = [
            binary.plus(v, 1.0), binary.minus(1.0, v), binary.plus(u | v), binary.times(u & v),
            monoid.plus(u | v), monoid.max(v, 5.0), unary.sqrt(v), semiring.plus_times(A @ v),
            semiring.min_plus(v @ A), binary.minus(u | v, left_default=1, right_default=2),
            binary.plus(u | v | u), A.mxv(v), v.vxm(A), u.ewise_add(v), u.ewise_mult(v),
            u.ewise_add(v, "max"), v.apply("-"), v.apply("+", right=1.0), v.apply(unary.abs),
            v.ewise_mult(u, "/"), A.mxv(v, "min.+"), A.mxv(v, "max_plus"), v.select(">", 4.0),
            v.select("valuele", 9.0), select.valuegt(v, 4.0), select.tril(A), select.triu(A, 1),
            indexunary.rowindex(A), indexunary.colindex(A, 2), v.select(v > 4.0), v.select(u.S),
            select.value(v >= 9.0), select.row(A < 2), select.column(A >= 1), select.index(v > 0),
            v.reduce(), v.reduce("max"), v.reduce(binary.plus), v.reduce(agg.mean), agg.count(A),
            agg.sum(A, rowwise=True), agg.max(A, columnwise=True), A.reduce_rowwise("*"),
            A.reduce_columnwise(), A.reduce_scalar(monoid.min), op.plus(u | v), op.sqrt(v),
            semiring.plus_times(u @ v), u.inner(v), semiring.plus_times["INT64"](u @ v),
            binary.isclose(rel_tol=0.5)(u & v), u.ewise_mult(v, binary.isclose), v.apply(abs),
            A.T.reduce_rowwise(), binary.numpy.mod(v, 5.0), v.reduce("plus", allow_empty=False),
            v.apply("plus[int]", right=2), v.reduce(max), A.T.apply("sqrt"), A.T * 2.0, v - u,
        ]  # fmt: skip
        if ours is lg:
            first = made
    assert len(first) == len(made)
    for n, (x, y) in enumerate(zip(first, made)):
        agree(x, y, n)
    v = lg.Vector.from_coo([0, 1], [4, 9], size=4, backend=backend)
    v("plus", v.S) << 1
    v(v.S, accum="max", replace=True) << v
    v(v.S, lg.replace) << v
    assert v.to_coo()[1].tolist() == [5, 10]


@examples(60)
@given(data=st.data(), pair=st.sampled_from([(INT64, FP64), (types.INT8, INT32)]))
def test_a_vector_beside_a_matrix_is_repeated(data: Any, pair: Any) -> None:
    """On the left its entries belong to rows, on the right to columns."""
    A = data.draw(matrices(pair[0], (3, 4), mild=True))
    u, v = data.draw(vectors(pair[1], 3, mild=True)), data.draw(vectors(pair[1], 4, mild=True))
    for f in (operator.add, operator.sub, operator.mul, operator.lt):
        agree(f(put(u, CPU), put(A, CPU)), f(other(u), other(A)), (f, u, A))
        agree(f(put(A, CPU), put(v, CPU)), f(other(A), other(v)), (f, A, v))


def test_a_vector_beside_a_matrix_on_gpu() -> None:
    A = lg.Matrix.from_coo([0, 1, 1], [1, 0, 2], [1, 2, 3], nrows=2, ncols=3, backend=GPU)
    v = lg.Vector.from_coo([0, 1], [10, 20], backend=GPU)
    assert (v * A).to_coo()[2].tolist() == [10, 40, 60]
    assert (v + A).to_dense(0).tolist() == [[10, 11, 10], [22, 20, 23]]
    with pytest.raises(ValueError, match=r"a vector of size 3 beside \(2, 3\), got \(2,\)"):
        A + v


def test_expressions_compute_themselves(backend: Any) -> None:
    v = lg.Vector.from_coo([0, 1], [4, 9], size=4, backend=backend)
    assert (v + 1).to_coo()[1].tolist() == [5, 10] and (v * 2).nvals == 2 and (2 - v)[0].get() == -2
    assert (v + 1).isequal(v.apply("plus", 1)) and v.isclose(v * 1.0) and not v.isequal(v + 1)
    assert v.reduce() > 12 and float(v.reduce()) == 13.0 and v.reduce().value == 13
    assert (v / v.reduce()).to_coo()[1].tolist() == [4 / 13, 9 / 13]
    total = v.reduce().new()
    assert (v + total).to_coo()[1].tolist() == [17, 22] and total == 13 and bool(total)
    assert (total + 1).value == 14 and (total / 2).value == 6.5 and (-total).value == -13
    assert (total - lg.Scalar("INT64", backend=backend)).value == 13
    w = lg.Vector("INT64", 4, backend=backend)
    w((v > 5).V) << v
    assert w.to_coo()[0].tolist() == [1]
    with pytest.raises(AttributeError, match="'Apply' object has no attribute 'tocoo'"):
        (v + 1).tocoo()


def test_a_users_own_monoid_and_semiring(backend: Any) -> None:
    far = lg.monoid.register_anonymous(lambda x, y: max(x, y), types.lowest(INT64))
    longest = lg.semiring.register_anonymous(far, lg.binary.register_anonymous("x + 2 * y"))
    A = lg.Matrix.from_coo([0, 0], [1, 2], [3, 4], nrows=3, ncols=3, backend=backend)
    v = lg.Vector.from_coo([0], [10], size=3, backend=backend)
    assert longest(v @ A).new().to_coo()[1].tolist() == [16, 18]
    assert lg.semiring.get_semiring("min", "plus") is lg.semiring.min_plus
    weird = lambda x, y: sorted([x, y])[0]  # noqa: E731
    with pytest.raises(ValueError, match="sorted"):
        lg.binary.register_anonymous(weird)


def test_registered_names() -> None:
    from lagraph_gpu import binary, select

    assert not hasattr(binary, "twice_y")
    binary.register_new("twice_y", "x + 2 * y")
    select.register_new("mine.even", lambda x, i, j, thunk: x % 2 == 0)
    v = lg.Vector.from_coo([0, 1], [4, 9], backend="cpu")
    assert "twice_y" in dir(binary) and binary.twice_y(v, 1).new().to_coo()[1].tolist() == [6, 11]
    assert v.apply("twice_y", 2).new().to_coo()[1].tolist() == [8, 13]
    assert select.mine.even is lg.select.from_string("mine.even") and "mine" in dir(select)
    with pytest.raises(ValueError, match="a new name"):
        binary.register_new("plus", "x + y")


def test_isclose_is_python_graphblas() -> None:
    x, y = np.meshgrid([0.0, 1.0, 1.05, -1.0, 1e300, np.inf, -np.inf, np.nan, 1e-9], [0, 1, np.inf, np.nan, 1.1])  # noqa: E501  # fmt: skip
    x, y = x.ravel(), y.ravel().astype(float)
    i = np.arange(x.size)
    p, q = gb.Vector.from_coo(i, x), gb.Vector.from_coo(i, y)
    for facts in ({}, {"rel_tol": 0.1}, {"abs_tol": 0.2}):
        theirs = p.ewise_mult(q, gb.binary.isclose(**facts)).new().to_coo()[1]
        assert (lg.binary.isclose(**facts).evaluate(x, y) == theirs).all()
    assert lg.binary.isclose(rel_tol=0.1) == lg.binary.isclose(rel_tol=0.1)
    assert BINARY["eq"].output(FP64) == BOOL


@pytest.mark.parametrize(("backend", "terms"), [(CPU, 1500), (GPU, 60)], ids=["cpu", "gpu"])
def test_long_sums_are_computed_on_the_way(backend: Any, terms: int) -> None:
    """An expression of any length can be computed, copied, pickled and shown."""
    u = lg.Vector.from_coo([0, 1], [1, 2], size=3, backend=backend)
    total: Any = sum([u] * terms)
    assert total.new().isequal((u * terms).new(), check_dtype=True)
    assert pickle.loads(pickle.dumps(total)).new().to_dict() == total.new().to_dict()
    assert copy.deepcopy(total).new().isequal(total) and "INT64" in repr(total)
    least: Any = u
    for _ in range(terms // 10):
        least = lg.binary.min(abs(least) | 2 * u)
    assert least.new().isequal(u)
    joined: Any = functools.reduce(operator.or_, [u] * 60)
    assert lg.monoid.plus(joined).new().isequal((u * 60).new())
    with pytest.raises(TooLarge, match="without an operator within each other"):
        functools.reduce(operator.or_, [u] * 1000)


@pytest.mark.parametrize("name", ["eq_pair", "plus_pair", "lor_pair", "any_pair", "min_second"])
@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "FP64"])
def test_an_inner_product_is_a_product_of_a_row_and_a_column(name: str, dtype: str) -> None:
    u = lg.Vector.from_coo([0, 2, 3], [1, 0, 1], dtype, size=5, backend=CPU)
    v = lg.Vector.from_coo([1, 2, 3], [1, 1, 1], dtype, size=5, backend=CPU)
    row, column = lg.Matrix(dtype, 1, 5, backend=CPU), lg.Matrix(dtype, 5, 1, backend=CPU)
    row[0, :] << u
    column[:, 0] << v
    whole = getattr(lg.semiring, name)
    assert u.inner(v, whole).new().value == whole(row @ column).new().get(0, 0)
