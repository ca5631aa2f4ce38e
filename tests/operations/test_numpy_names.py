"""`unary.numpy` and `binary.numpy`: every name, every type and nasty values, beside NumPy itself.

python-graphblas maps most of these names to operators of GraphBLAS, and ours are mapped as its
are. AS_GRAPHBLAS lists each place where such an operator does not do what NumPy does; everything
else must be NumPy's answer, in NumPy's type.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from semirings import numpy_names, types
from semirings.errors import DomainError

TYPES = list(types.BY_NAME)
COMPLEX = {"FC32", "FC64"}
WHOLE = {name for name in TYPES if "INT" in name}
REAL = WHOLE | {"FP32", "FP64"}

LOGICAL = "logical_and", "logical_or", "logical_xor", "logical_not"
WHOLE_PARTS = "ceil", "floor", "trunc"
ORDERED = (
    *("fmax", "fmin", "maximum", "minimum", "greater", "greater_equal", "less", "less_equal"),
    *LOGICAL,
)
BITS = "bitwise_not", "invert", "bitwise_and", "bitwise_or", "bitwise_xor"


def each(names: tuple[str, ...], of: set[str]) -> dict[str, set[str]]:
    return dict.fromkeys(names, of)


AS_GRAPHBLAS: dict[str, dict[str, set[str]]] = {
    # a result of another type: a truth value is stored in the type of the operands, and ceil of
    # integers is computed in floats
    "type": {
        **each(LOGICAL, REAL),
        **each(WHOLE_PARTS, WHOLE | {"BOOL"}),
        "power": {"BOOL"},
        "float_power": {"FP32", "FC32"},
    },
    # another value: halves are rounded away from zero, powers of integers saturate, NaN ** 0 is NaN
    "value": {
        "rint": {"FP32", "FP64", *COMPLEX},
        "power": {"UINT8", "UINT16", "UINT32", "UINT64", "FP32", "FP64", *COMPLEX},
        "float_power": {"FP32", "FP64", *COMPLEX},
        **each(WHOLE_PARTS, {"INT64", "UINT64"}),
        "reciprocal": {"INT32", "INT64"},  # 1 / 0 is 0 in every type, NumPy's differs by type
    },
    # not defined here, though NumPy has an answer
    "refused": {
        **each(BITS, {"BOOL"}),
        **each(("conj", "conjugate"), REAL | {"BOOL"}),
        **each(("isfinite", "isinf", "isnan"), WHOLE | {"BOOL"}),
        **each(ORDERED, COMPLEX),
    },
}


def values(name: str) -> Any:
    """Zeros, ends of the range, and numbers that FP64 does not hold."""
    dtype = np.dtype(types.BY_NAME[name].np_type)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        top, bottom = types.highest(dtype), types.lowest(dtype)
        found = [0, 1, 2, 3, 7, 63, 100, top, top - 1, top // 2 + 1, bottom, bottom + 1]
        found += [-1, -2, -7] if dtype.kind == "i" else []
        return np.array([*found, *([2**60 + 1] if dtype.itemsize == 8 else [])], dtype)
    if dtype.kind == "f":
        found = [0, -0.0, 1, -1, 0.5, -0.5, 2.5, 3, 7, -7, 1e-30, 1e10, np.inf, -np.inf, np.nan]
        return np.array(found, dtype)
    return np.array([0, 1, -1, 1j, 1 - 1j, 0.5 + 2j, -3 + 4j, 2.5 - 0.5j, 100], dtype)


def operands(kind: str, name: str) -> tuple[Any, ...]:
    x = values(name)
    return (x,) if kind == "unary" else (np.repeat(x, len(x)), np.tile(x, len(x)))


def of_numpy(function: Any, given: tuple[Any, ...]) -> Any:
    """NumPy's answer, with FP32 in the place of float16; None where it refuses the types."""
    try:
        found = function(*given)
        if found.dtype != np.float16:
            return found
        second = given[1:] if function is np.ldexp else [x.astype("f4") for x in given[1:]]
        return function(given[0].astype("f4"), *second)
    except (TypeError, ValueError):
        return None


def alike(expected: Any, found: Any) -> bool:
    """Whether two answers of one type agree, floats to a few units of the last place."""
    if expected.dtype.kind not in "fc":
        return bool((expected == found).all())
    near = 8 * float(np.finfo(expected.dtype).eps)
    same = np.isclose(expected, found, rtol=near, atol=near, equal_nan=True)
    if expected.dtype.kind == "c":
        same |= ~np.isfinite(expected) & ~np.isfinite(found)
    return bool(same.all())


@functools.cache
def difference(kind: str, name: str, dtype: str) -> str:
    """How our operator differs from NumPy's function: "type", "value", both, "refused" or ""."""
    given = operands(kind, dtype)
    with np.errstate(all="ignore"):
        expected = of_numpy(getattr(np, name), given)
        try:
            found = getattr(getattr(lg, kind).numpy, name).evaluate(*given, dtype=dtype)
        except DomainError:
            return "" if expected is None else "refused"
        if expected is None:
            return ""
        of_type = types.lookup(expected.dtype) == types.lookup(found.dtype)
        same = alike(expected, types.cast(found, expected.dtype))
    return " ".join(["type"] * (not of_type) + ["value"] * (not same))


@pytest.mark.parametrize("kind", ["unary", "binary"])
def test_every_name_and_type(kind: str) -> None:
    named = numpy_names.OURS[kind]
    found = {n: {t: difference(kind, n, t) for t in TYPES} for n in named}
    for what, table in AS_GRAPHBLAS.items():
        for name in named:
            differs = {t for t, how in found[name].items() if what in how}
            assert differs == table.get(name, set()), (what, name)
    assert len(named) > (40 if kind == "unary" else 35)


FORMULAS = [
    (kind, name.removeprefix("numpy."))
    for kind, table in (("unary", numpy_names.UNARY), ("binary", numpy_names.BINARY))
    for name in table
]


@pytest.mark.parametrize(("kind", "name"), FORMULAS)
def test_formulas_on_the_cpu(kind: str, name: str) -> None:
    """The operators that GraphBLAS does not have: as Numba compiles them."""
    op = getattr(getattr(lg, kind).numpy, name)
    dtype = ("INT8", "UINT64")[FORMULAS.index((kind, name)) % 2]  # compiling takes a while
    given = operands(kind, dtype)
    with lg.backend("cpu"):
        x, *y = (lg.Vector.from_dense(one) for one in given)
        found = (op(x & y[0]) if y else x.apply(op)).new()
    expected = op.evaluate(*given, dtype=dtype)
    assert found.dtype == types.lookup(expected.dtype)
    assert alike(expected, found.to_dense())


def test_integers_stay_integers() -> None:
    """What a detour over floats would lose."""
    with lg.backend("cpu"):
        v = lg.Vector.from_dense(np.array([2**60 + 1, -(2**60) - 1]))
        assert lg.binary.numpy.fmod(v, 2).new().to_dense().tolist() == [1, -1]
        signs = lg.unary.numpy.sign(v).new()
        assert signs.dtype == "INT64" and signs.to_dense().tolist() == [1, -1]
        truth = lg.Vector.from_dense(np.array([False, True]))
        inverse = lg.unary.numpy.reciprocal(truth).new()
        assert inverse.dtype == "INT8" and inverse.to_dense().tolist() == [0, 1]
        assert lg.binary.numpy.left_shift(v, -1).new().to_dense().tolist() == [0, 0]
        assert lg.binary.numpy.floor_divide(v, 0).new().to_dense().tolist() == [0, 0]
        remainder = v.apply(lg.binary.register_anonymous(lambda x, y: np.fmod(x, y)), right=2)
        assert remainder.new().to_dense().tolist() == [1, -1]
        assert v.apply(lg.unary.register_anonymous(lambda x: np.sign(x))).new().dtype == "INT64"
