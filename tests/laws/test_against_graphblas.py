"""Every operator evaluated by NumPy against python-graphblas: domains, result types, answers.

SuiteSparse:GraphBLAS computes each on all pairs of edge values of each type. `undefined` names
the places where python-graphblas has no answer, and why.
"""

from __future__ import annotations

import operator as python_operator
import warnings
from typing import Any

import numpy as np
import pytest

from semirings import BINARY, INDEXUNARY, MONOIDS, SEMIRINGS, UNARY, types
from semirings.operators import EXTRA, SELECT
from tests.laws.edges import differences, pairs, report

gb = pytest.importorskip("graphblas")

NAMES = set(types.BY_NAME)


def typed(op: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in op.types.items() if str(k) in NAMES}


def find(path: Any) -> Any:
    """python-graphblas' operator at a record's path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return python_operator.attrgetter(path)(gb)


@pytest.mark.parametrize("kind", ["unary", "binary", "indexunary", "select", "monoid", "semiring"])
def test_all_names_are_there(kind: str) -> None:
    """Everything in python-graphblas' namespaces is in our tables."""
    module, ss = getattr(gb, kind), getattr(getattr(gb, kind), "ss", None)
    ours: set[str] = {
        "unary": set(UNARY),
        "binary": {*BINARY, *EXTRA} - {"numpy.mod"},
        "indexunary": set(INDEXUNARY),
        "select": {*SELECT, "row", "column", "index", "value"},  # these four: lagraph_gpu.select
        "monoid": set(MONOIDS),
        "semiring": set(SEMIRINGS),
    }[kind]
    helpers = {"from_string", "get_semiring", "numpy", "register_anonymous", "register_new", "ss"}
    theirs = {n for m in (module, ss) if m for n in dir(m) if not n.startswith("_")} - helpers
    assert theirs - ours == set()
    assert ours <= theirs


TABLES: dict[str, dict[str, Any]] = {"unary": UNARY, "binary": BINARY, "monoid": MONOIDS}


@pytest.mark.parametrize("kind", TABLES)
def test_domains_and_results(kind: str) -> None:
    for name, op in TABLES[kind].items():
        ours = {types.name(d): types.name(op.output(d)) for d in op.domain}
        assert ours == typed(find(op.graphblas)), name


def test_index_operators_results() -> None:
    """python-graphblas lists positional index operators under three types; ours take any."""
    for name, op in INDEXUNARY.items():
        for source, result in typed(find(op.graphblas)).items():
            assert types.name(op.output(source)) == result, (name, source)


def test_semiring_domains_and_results() -> None:
    """Semirings of `eq` and `ne` take complex numbers there, too, but do not say so (test_products
    has them)."""
    unlisted = {"FC32": "BOOL", "FC64": "BOOL"}
    for name, semiring in SEMIRINGS.items():
        ours = {types.name(d): types.name(semiring.product_type(d)) for d in semiring.domain}
        more = unlisted if semiring.multiply.name in ("eq", "ne") else {}
        assert ours == typed(find(semiring.graphblas)) | more, name


def test_identities() -> None:
    for name, monoid in MONOIDS.items():
        theirs = {str(t): value for t, value in find(monoid.graphblas).identities.items()}
        for dtype in monoid.domain:
            assert monoid.identity_of(dtype) == theirs[types.name(dtype)], (name, dtype)


def test_unify() -> None:
    for a in types.EVERY:
        for b in types.EVERY:
            theirs = gb.dtypes.unify(gb.dtypes.lookup_dtype(a), gb.dtypes.lookup_dtype(b))
            assert types.name(types.unify(a, b)) == theirs.name


def test_mixed_types() -> None:
    """Operands of two types: python-graphblas' answer types, pair's INT64 included."""
    for left, right in [("INT8", "UINT8"), ("BOOL", "FP32"), ("INT32", "FP32"), ("FP32", "FP32")]:
        x = gb.Vector.from_coo([0], [1], dtype=left)
        y = gb.Vector.from_coo([0], [1], dtype=right)
        for name in ("plus", "pair", "truediv", "eq", "first", "hypot", "floordiv"):
            theirs = getattr(gb.binary, name)(x & y).new().dtype.name
            assert types.name(BINARY[name].unified(left, right)) == theirs, (name, left, right)
        for name in ("min_plus", "any_pair", "lor_land", "plus_truediv", "any_eq", "min_first"):
            theirs = getattr(gb.semiring, name)(x @ y).new().dtype.name
            if left == right or name != "min_plus":
                assert types.name(SEMIRINGS[name].output(left, right)) == theirs, (name, left)


def vector(values: Any) -> Any:
    return gb.Vector.from_coo(np.arange(len(values)), values, dtype=values.dtype, size=len(values))


def test_casts() -> None:
    for source in types.EVERY:
        x = pairs(source)[0]
        for to in types.EVERY:
            theirs = vector(x).dup(types.name(to)).to_coo()[1]
            bad = differences("cast", types.cast(x, to), theirs)
            assert not bad.any(), (source, to, report(bad, x, types.cast(x, to), theirs))


def undefined(name: str, x: Any, y: Any) -> Any:
    """Where python-graphblas' own answer is undefined, so that ours stands alone."""
    dividend, divisor = (y, x) if name.startswith("r") else (x, y)
    nothing = np.zeros(np.shape(x), bool)
    match name:
        case "floordiv" | "rfloordiv":
            # numba raises ZeroDivisionError inside the operator and leaves the answer unwritten;
            # it takes INT64's smallest number // -1 for 0, where C and NumPy wrap
            smallest = types.lowest(types.INT64) if x.dtype == types.INT64 else None
            return (divisor == 0) | ((divisor == -1) & (dividend == smallest))
        case "rpow" if x.dtype.kind in "iu":
            # 0 to a negative power raises; beyond an exponent of 65536 numba goes over to floating
            # point, whose conversion back is undefined
            return ((y == 0) & (x < 0)) | (np.abs(x.astype("f8")) > 65536)
        case "ldexp":  # SuiteSparse converts the exponent to int by C's cast
            return np.abs(y.astype("f8")) >= 2**31
        case "pow" | "rpow" if x.dtype.kind == "c":  # C's cpow has no value at 0
            return (x == 0) | (y == 0)
    return nothing


@pytest.mark.parametrize("kind", ["unary", "binary"])
def test_answers(kind: str) -> None:
    complaints = []
    for name, op in TABLES[kind].items():
        if op.positional:
            continue
        theirs_op = find(op.graphblas)
        for dtype in op.domain:
            x, y = pairs(dtype)
            if kind == "unary":
                x = np.unique(x) if dtype.kind not in "fc" else x[: int(len(x) ** 0.5)]
                y = x
            keep = ~undefined(name, x, y)
            x, y = x[keep], y[keep]
            left = vector(x)
            result = left.apply(theirs_op) if kind == "unary" else theirs_op(left & vector(y))
            typed_result = result.new(dtype=types.name(op.output(dtype)))
            theirs = typed_result.to_coo()[1]
            ours = op.evaluate(x, y, dtype=dtype)
            bad = differences(name, ours, theirs, dtype.kind == "c")
            if name == "any":
                bad &= differences(name, y, theirs)
            if bad.any():
                complaints.append(f"{name} {dtype}: {report(bad, x, y, ours, theirs)}")
    assert not complaints, "\n".join(complaints)


def test_index_operators() -> None:
    rows, columns = np.array([0, 0, 1, 2, 3, 3]), np.array([0, 3, 1, 0, 2, 3])
    for dtype in types.EVERY:
        values = np.resize(pairs(dtype)[0], 6)
        matrix = gb.Matrix.from_coo(rows, columns, values, dtype=dtype, nrows=4, ncols=4)
        for name, op in INDEXUNARY.items():
            if dtype not in op.domain:
                continue
            # python-graphblas has diagindex for these alone
            if name == "diagindex" and dtype not in (types.INT32, types.INT64):
                continue
            for thunk in (0, 1) if dtype == types.BOOL else (0, 1, 2):
                theirs = find(op.graphblas)(matrix, thunk).new()
                i, j, z = theirs.to_coo()
                ours = op.evaluate(values, types.cast(thunk, op.thunk or dtype), i=i, j=j)
                assert (ours == z).all(), (name, dtype, thunk, ours, z)


def test_positions_of_products() -> None:
    """z(i,j) = x(i,k) ⊗ y(k,j): what i, k and j mean, in mxm, vxm and mxv."""
    a = gb.Matrix.from_coo([1, 2], [3, 1], [1.0, 2.0], nrows=4, ncols=5)
    b = gb.Matrix.from_coo([3, 1], [2, 4], [1.0, 2.0], nrows=5, ncols=6)
    u = gb.Vector.from_coo([1], [1.0], size=4)
    v = gb.Vector.from_coo([3], [1.0], size=5)
    for name, semiring in SEMIRINGS.items():
        if not (semiring.positional and semiring.monoid.is_any):
            continue
        theirs = find(semiring.graphblas)
        i, j, z = theirs(a @ b).new().to_coo()
        k = np.array([3, 1])
        assert (semiring.multiply.evaluate(0.0, 0.0, i, k, j) == z).all(), name
        (j,), z = theirs(u @ a).new().to_coo()[0], theirs(u @ a).new().to_coo()[1]
        assert semiring.multiply.evaluate(0.0, 0.0, 0, 1, j) == z, name
        (i,), z = theirs(a @ v).new().to_coo()[0], theirs(a @ v).new().to_coo()[1]
        assert semiring.multiply.evaluate(0.0, 0.0, i, 3, 0) == z, name


@pytest.mark.parametrize(
    "dtype", ["INT8", "INT64", "UINT8", "UINT32", "FP32", "FP64", "BOOL", "FC64"]
)
def test_products(dtype: str) -> None:
    """One term products through each semiring: operand types and answers agree."""
    complaints = []
    for name, semiring in SEMIRINGS.items():
        if types.lookup(dtype) not in semiring.domain or semiring.positional:
            continue
        x, y = pairs(types.lookup(dtype))
        step = max(1, len(x) // 40)
        x, y = x[::step], y[::step]
        keep = ~undefined(semiring.multiply.name, x, y)
        x, y = x[keep], y[keep]
        index = np.arange(len(x))
        a = gb.Matrix.from_coo(index, index, x, dtype=dtype, nrows=len(x), ncols=len(x))
        product = semiring.product_type(dtype)
        theirs = find(semiring.graphblas)(a @ vector(y)).new(dtype=types.name(product)).to_coo()[1]
        operand = semiring.operand(dtype)
        ours = semiring.multiply.evaluate(
            types.cast(x, operand), types.cast(y, operand), dtype=operand
        )
        bad = differences(
            semiring.multiply.name, types.cast(ours, product), theirs, operand.kind == "c"
        )
        if bad.any():
            complaints.append(f"{name}: {report(bad, x, y, ours, theirs)}")
    assert not complaints, "\n".join(complaints)
