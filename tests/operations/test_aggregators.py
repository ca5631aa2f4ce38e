"""Aggregators against python-graphblas' own, on both backends: values, types, empty, ties."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue, LagraphError
from lagraph_gpu.notation.aggregators import AGGREGATORS
from semirings import types
from semirings.types import BOOL, FP32, FP64, INT8, INT32, INT64, UINT16
from tests.harness import BOTH, CPU, GPU, put, reseed
from tests.spec import Sparse
from tests.strategies import examples, matrices, seeds, vectors

gb = pytest.importorskip("graphblas")

WIDE = {"mean", "varp", "vars", "stdp", "stds", "geometric_mean", "root_mean_square"}
"""We sum in INT64 or FP64, python-graphblas in the entries' type: comparable in wide types only."""
ANY = {"any_value"}


def variance(x: np.ndarray, less: int) -> Any:
    return ((x - x.mean()) ** 2).sum() / np.float64(x.size - less)


STEADY = {
    "varp": lambda x: variance(x, 0),
    "vars": lambda x: variance(x, 1),
    "stdp": lambda x: variance(x, 0) ** 0.5,
    "stds": lambda x: variance(x, 1) ** 0.5,
    "geometric_mean": lambda x: np.exp(np.log(x).mean()),
    "logaddexp": np.logaddexp.reduce,
    "logaddexp2": np.logaddexp2.reduce,
}
"""In FP64 and steady ways, where python-graphblas' cancel, wrap around or overflow."""


def steady(s: Sparse, way: str, name: str) -> dict[int, float]:
    """By definition, of the entries of each line."""
    lines: dict[int, list[float]] = {}
    for place, x in s.entries.items():
        axis = {"reduce_rowwise": 0, "reduce_columnwise": 1}.get(way)
        lines.setdefault(0 if axis is None else place[axis], []).append(float(x))
    with np.errstate(all="ignore"):
        return {k: float(STEADY[name](np.array(line))) for k, line in lines.items()}


def theirs(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return getattr(gb.agg, name)


def test_all_names_are_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        every = {n: getattr(m, n) for m in (gb.agg, gb.agg.ss) for n in dir(m)}
    assert set(AGGREGATORS) == {n for n, a in every.items() if isinstance(a, gb.agg.Aggregator)}


def other(s: Sparse) -> Any:
    """The container in python-graphblas."""
    held = np.array(list(s.entries.values()), s.dtype)
    name, where = types.name(s.dtype), np.array(list(s.entries), np.int64)
    if len(s.shape) == 1:
        return gb.Vector.from_coo(where, held, name, size=s.shape[0])
    rows, columns = where.reshape(-1, 2).T
    return gb.Matrix.from_coo(rows, columns, held, name, nrows=s.shape[0], ncols=s.shape[1])


WAYS = ("reduce_rowwise", "reduce_columnwise", "reduce_scalar", "reduce")


def answer(operand: Any, way: str, aggregator: Any, **options: Any) -> tuple[str, Any]:
    """The type and the entries of a reduction; of a scalar its value."""
    made = getattr(operand, way)(aggregator).new(**options)
    dtype = getattr(made.dtype, "name", "")
    dtype = dtype if dtype.isupper() else types.name(made.dtype)
    if hasattr(made, "to_coo"):
        index, value = made.to_coo()
        return dtype, dict(zip(index.tolist(), value.tolist()))
    return dtype, {} if made.value is None else {0: made.value}


def compare(s: Sparse, way: str, name: str, backend: Any) -> None:
    expected = answer(other(s), way, theirs(name))
    found = answer(put(s, backend), way, AGGREGATORS[name])
    said = f"{name}, {way} of {s} on {backend.name}: {found} for {expected}"
    assert found[0] == expected[0] and found[1].keys() == expected[1].keys(), said
    if name in ANY:
        return
    right = steady(s, way, name) if name in STEADY else expected[1]
    for p, x in found[1].items():
        y = right[p]
        if isinstance(y, float):
            # Not relative to the result alone: variances are differences of large numbers
            close = np.isclose(x, y, rtol=1e-6 if s.dtype == FP32 else 1e-12, atol=1e-6)
            assert close or (np.isnan(x) and np.isnan(y)), said
        else:
            assert x == y, said


def defined(name: str, dtype: Any, way: str) -> bool:
    aggregator = AGGREGATORS[name]
    if aggregator.lines and way == "reduce_scalar":
        return False
    if name in WIDE and dtype in (INT8, types.UINT8, types.INT16, UINT16, FP32):
        return False
    return dtype in aggregator


def operands(dtype: Any, way: str) -> Any:
    mild = st.sampled_from([True, True, dtype.kind != "f"])  # sums of floats in any order
    if way == "reduce":
        return mild.flatmap(lambda m: vectors(dtype, 9, m))
    return mild.flatmap(lambda m: matrices(dtype, (6, 5), m))


@examples(600)
@given(data=st.data(), name=st.sampled_from(sorted(AGGREGATORS)), way=st.sampled_from(WAYS))
def test_every_aggregator_on_cpu(data: Any, name: str, way: str) -> None:
    if AGGREGATORS[name].lines and way == "reduce_scalar":
        way = "reduce"
    dtype = data.draw(st.sampled_from([d for d in types.ALL if defined(name, d, way)]))
    s = data.draw(operands(dtype, way).filter(lambda s: comparable(s, name)))
    compare(s, way, name, CPU)


def comparable(s: Sparse, name: str) -> bool:
    """Squares and powers that leave INT64 are undefined casts of floats in SuiteSparse."""
    if s.dtype.kind == "f" or ("log" not in name and name not in WIDE | {"hypot", "L2norm"}):
        return True
    return all(abs(float(x)) < 1000 for x in s.entries.values())


FEW = {
    "mean": INT32, "vars": FP64, "geometric_mean": FP64, "count_nonzero": INT32, "L1norm": FP64,
    "logaddexp": FP64, "argmin": INT32, "argmax": FP64, "first": FP64, "last": INT32,
    "first_index": INT32, "last_index": FP64, "exists": INT32, "count": BOOL, "all": INT32,
}  # fmt: skip
"""On the emulated GPU each combination of kernel and types costs a compilation."""


@examples(60)
@given(data=st.data(), name=st.sampled_from(sorted(FEW)), way=st.sampled_from(WAYS), seed=seeds)
def test_aggregators_on_gpu(data: Any, name: str, way: str, seed: int) -> None:
    if AGGREGATORS[name].lines and way == "reduce_scalar":
        way = "reduce"
    reseed(seed)
    compare(data.draw(operands(FEW[name], way)), way, name, GPU)


RIGHT = [
    ("geometric_mean", [10] * 20, 10.0),
    ("geometric_mean", [10.0] * 400, 10.0),
    ("geometric_mean", [0.0, 4.0], 0.0),
    ("geometric_mean", [-1.0, 4.0], np.nan),
    ("varp", [2**40] * 3, 0.0),
    ("varp", [1e9, 1e9 + 1, 1e9 + 2], 2 / 3),
    ("vars", [1e9, 1e9 + 1, 1e9 + 2], 1.0),
    ("stdp", [1e9, 1e9 + 2], 1.0),
    ("logaddexp", [1000.0, 1000.0], 1000 + np.log(2)),
    ("logaddexp", [-np.inf, -np.inf], -np.inf),
    ("logaddexp", [np.inf, 1.0], np.inf),
    ("logaddexp2", [2000, 2000], 2001.0),
]


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize(("name", "values", "right"), RIGHT)
def test_large_numbers_and_many(name: str, values: list, right: float, backend: Any) -> None:
    """Nothing wraps around, cancels or leaves the range of FP64 on the way."""
    v = lg.Vector.from_dense(np.array(values), backend=backend)
    one, row = np.ones(len(values), np.int64), np.arange(len(values))
    A = lg.Matrix.from_coo(one, row, np.array(values), nrows=3, ncols=len(values), backend=backend)
    aggregator = AGGREGATORS[name]
    assert aggregator(v).new().value == pytest.approx(right, rel=1e-12, nan_ok=True)
    found = aggregator(A, rowwise=True).new().to_dict()
    assert found == {1: pytest.approx(right, rel=1e-12, nan_ok=True)}
    assert aggregator(lg.Vector(v.dtype, 3, backend=backend)).new().value is None


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_into_an_output(backend: Any) -> None:
    """w(mask, accum) << a composed reduction: the update treats it like any expression."""
    A = lg.Matrix.from_coo([0, 0, 1], [0, 1, 1], [3, 4, 5], nrows=3, ncols=2, backend=backend)
    w = lg.Vector.from_coo([0, 1, 2], [10, 10, 10], "INT32", backend=backend)
    mask = lg.Vector.from_coo([0, 2], [True, True], size=3, backend=backend)
    w(mask.S, "plus") << A.reduce_rowwise(lg.agg.count)
    assert w.to_dense().tolist() == [12, 10, 10]
    w(mask.S, lg.replace) << lg.agg.first(A, rowwise=True)
    assert w.to_coo()[0].tolist() == [0] and w[0].get() == 3
    s = lg.Scalar("FP32", backend=backend)
    s.put(A.reduce_scalar("mean").new()._store)
    assert s.value == 4.0
    assert lg.agg.sum["FP32"](A).new().dtype == FP32
    assert A.reduce_scalar("sum[int8]").new().dtype == INT8
    assert A.reduce_columnwise(lg.agg.argmax).new("FP64").to_coo()[1].tolist() == [0.0, 1.0]


def test_ties_take_the_first(backend: Any) -> None:
    v = lg.Vector.from_coo([1, 3, 4], [2, 2, 1], size=6, backend=backend)
    assert v.reduce(lg.agg.argmax).new().value == 1
    assert lg.agg.ss.argmin(v).new().value == 4


def test_where_we_differ() -> None:
    """python-graphblas sums INT8 as INT8 before it divides: 100 + 100 is -56."""
    s = Sparse(INT8, (2,), {0: np.int8(100), 1: np.int8(100)})
    assert answer(other(s), "reduce", gb.agg.mean)[1] == {0: -28.0}
    assert answer(put(s, CPU), "reduce", lg.agg.mean)[1] == {0: 100.0}


def test_refusals() -> None:
    A = lg.Matrix("INT64", 2, 2, backend="cpu")
    with pytest.raises(InvalidValue, match=r"rows or columns for agg\.argmin"):
        A.reduce_scalar(lg.agg.argmin)
    with pytest.raises(LagraphError, match=r"agg.mean is not defined for BOOL.*agg.mean\['FP64'\]"):
        A.dup("BOOL").reduce_rowwise("mean")
    with pytest.raises(InvalidValue, match="such as mean"):
        lg.agg.from_string("meen")
    with pytest.raises(InvalidValue, match="allow_empty"):
        A.reduce_scalar("mean", allow_empty=False)
    assert A.reduce_scalar("plus", allow_empty=False).new().value == 0
    assert A.reduce_scalar(lg.agg.min, allow_empty=False).new().value == types.highest(INT64)
    assert A.reduce_scalar("mean").new().value is None


@pytest.mark.parametrize("name", ["mean", "geometric_mean"])
def test_numbers_beyond_int64(name: str, backend: Any) -> None:
    """UINT64 entries that are negative in INT64, whose sum UINT64 still holds."""
    s = Sparse(types.UINT64, (3,), {0: np.uint64(2**63), 2: np.uint64(1)})
    compare(s, "reduce", name, backend)
