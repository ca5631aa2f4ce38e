"""Operators with a type in brackets against python-graphblas' typed ones: values and types.

The CPU backend draws the whole catalogue; the emulated GPU, where each algebra is a compilation,
a few typed operators with operands of other types.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import LagraphError
from semirings import (
    BINARY,
    INDEXUNARY,
    MONOIDS,
    SELECT,
    SEMIRINGS,
    UNARY,
    DomainError,
    binary,
    types,
    unary,
)
from semirings.types import FP32, FP64, INT8, INT16, INT32, INT64, UINT8
from tests.harness import BOTH, CPU, GPU, put, reseed
from tests.operations.test_aggregators import other
from tests.spec import Sparse
from tests.strategies import dtypes, examples, matrices, real, seeds, values, vectors

gb = pytest.importorskip("graphblas")

NUMBA = ("floordiv", "rfloordiv", "rpow")  # undefined on zero divisors there
INEXACT = ("pow", "ldexp", "binom", "atan2", "hypot", "remainder")
ROUNDED = ("exp", "log", "sin", "cos", "tan", "gamma", "erf", "cbrt")


def theirs(op: Any) -> Any:
    found = gb
    for part in op.graphblas.split("."):
        found = getattr(found, part)
    return found[types.name(op.typed)]


def entries(made: Any) -> tuple[str, dict[Any, Any]]:
    dtype = made.dtype.name if made.dtype.name.isupper() else types.name(made.dtype)
    if not hasattr(made, "to_coo"):
        return dtype, {} if made.value is None else {(): made.value}
    *places, value = made.to_coo()
    return dtype, dict(zip(zip(*(p.tolist() for p in places)), value.tolist(), strict=True))


def agree(ours: Any, expected: Any, what: Any) -> None:
    found, right = entries(ours.new()), entries(expected.new())
    assert found[0] == right[0] and found[1].keys() == right[1].keys(), (what, found, right)
    for p, x in found[1].items():
        y = right[1][p]
        assert x == y or (x != x and y != y), (what, p, x, y)


def convertible(s: Sparse, dtype: Any) -> bool:
    """No float that leaves an integer type: SuiteSparse's typecast there is another than C's."""
    return all(np.isfinite(float(x)) for x in s.entries.values()) or dtype.kind == "f"


BINARIES = [op for n, op in BINARY.items()
            if not op.positional and n not in (*NUMBA, *INEXACT, "any")]  # fmt: skip
UNARIES = [op for n, op in UNARY.items()
           if not op.positional and real(op) and not any(r in n for r in ROUNDED)]  # fmt: skip


@examples(250)
@given(data=st.data(), op=st.sampled_from(BINARIES), left=dtypes, right=dtypes)
def test_binary_on_cpu(data: Any, op: Any, left: Any, right: Any) -> None:
    typed = op[data.draw(st.sampled_from(real(op)))]
    u, v = data.draw(vectors(left, 5)), data.draw(vectors(right, 5))
    assume(convertible(u, typed.typed) and convertible(v, typed.typed))
    assume(op.name != "bshift" or "f" not in left.kind + right.kind)  # distances are INT8 at once
    x, y, p, q = put(u, CPU), put(v, CPU), other(u), other(v)
    what = (typed, u, v)
    agree(typed(x & y), theirs(typed)(p & q), what)
    agree(typed(x | y), theirs(typed)(p | q), what)
    if op.operand_rule == "double":
        return  # beside a bound number python-graphblas' own functions forget the type in brackets
    number = data.draw(values(right, False))
    assume(convertible(Sparse(right, (1,), {0: number}), typed.typed))
    agree(typed(x, number), theirs(typed)(p, gb.Scalar.from_value(number)), (*what, number))
    agree(typed(number, x), theirs(typed)(gb.Scalar.from_value(number), p), (*what, number))


@examples(200)
@given(data=st.data(), op=st.sampled_from(UNARIES), dtype=dtypes)
def test_unary_on_cpu(data: Any, op: Any, dtype: Any) -> None:
    typed, u = op[data.draw(st.sampled_from(real(op)))], data.draw(vectors(dtype, 6))
    assume(convertible(u, typed.typed))
    agree(typed(put(u, CPU)), theirs(typed)(other(u)), (typed, u))


@examples(200)
@given(data=st.data(), monoid=st.sampled_from(list(MONOIDS.values())), dtype=dtypes)
def test_monoid_on_cpu(data: Any, monoid: Any, dtype: Any) -> None:
    assume(monoid.name != "any")
    typed = monoid[data.draw(st.sampled_from(real(monoid)))]
    u, v = data.draw(vectors(dtype, 6, mild=True)), data.draw(vectors(dtype, 6, mild=True))
    A = data.draw(matrices(dtype, (3, 4), mild=True))
    agree(put(u, CPU).reduce(typed), other(u).reduce(theirs(typed)), (typed, u))
    agree(put(A, CPU).reduce_rowwise(typed), other(A).reduce_rowwise(theirs(typed)), (typed, A))
    agree(typed(put(u, CPU) | put(v, CPU)), theirs(typed)(other(u) | other(v)), (typed, u, v))
    plain = [monoid(put(u, CPU) | put(v, CPU)), getattr(gb.monoid, monoid.name)(other(u) | other(v))
             ] if dtype in monoid.domain else []  # fmt: skip
    if plain:
        agree(*plain, (monoid, u, v))


@examples(200)
@given(
    data=st.data(), semiring=st.sampled_from(list(SEMIRINGS.values())), left=dtypes, right=dtypes
)
def test_semiring_on_cpu(data: Any, semiring: Any, left: Any, right: Any) -> None:
    name = semiring.multiply.name
    assume(semiring.monoid.name != "any" and name not in (*NUMBA, *INEXACT))
    if semiring.multiply.operand_rule == "double":
        return  # python-graphblas' own functions forget the type in brackets
    typed = semiring[data.draw(st.sampled_from(real(semiring)))]
    u, A = data.draw(vectors(left, 4, mild=True)), data.draw(matrices(right, (4, 3), mild=True))
    agree(typed(put(u, CPU) @ put(A, CPU)), theirs(typed)(other(u) @ other(A)), (typed, u, A))
    agree(put(A, CPU).T.mxv(put(u, CPU), typed), other(A).T.mxv(other(u), theirs(typed)),
          (typed, u, A))  # fmt: skip


FEW: list[tuple[Any, Any, Any]] = [
    (BINARY["plus"][INT8], INT32, FP64), (BINARY["truediv"][INT16], FP64, INT8),
    (BINARY["eq"][FP32], INT64, FP64), (BINARY["pair"][INT64], FP32, UINT8),
    (BINARY["minus"][INT64], INT64, types.UINT64), (MONOIDS["min"][INT32], FP64, INT64),
    (BINARY["land"][INT8], INT8, FP64), (BINARY["lt"][UINT8], INT32, INT32),
    (BINARY["max"][FP32], INT64, INT8),
]  # fmt: skip
FEW_SEMIRINGS: list[tuple[Any, Any, Any]] = [
    (SEMIRINGS["plus_pair"][INT64], INT8, FP32), (SEMIRINGS["plus_times"][FP32], INT8, FP64),
    (SEMIRINGS["min_plus"][INT32], FP64, INT8), (SEMIRINGS["plus_truediv"][INT8], FP64, INT32),
    (SEMIRINGS["lor_land"][INT16], INT8, FP64), (SEMIRINGS["min_firsti"][INT32], FP64, FP64),
]  # fmt: skip
FEW_UNARY: list[tuple[Any, Any]] = [
    (UNARY["sqrt"][INT16], FP64), (UNARY["identity"][INT8], FP32), (UNARY["ainv"][UINT8], INT32),
    (UNARY["abs"][FP32], INT8),
]  # fmt: skip


@examples(60)
@given(data=st.data(), algebra=st.sampled_from(FEW), seed=seeds)
def test_binary_on_gpu(data: Any, algebra: Any, seed: int) -> None:
    typed, left, right = algebra
    reseed(seed)
    u, v = data.draw(vectors(left, 33, mild=True)), data.draw(vectors(right, 33, mild=True))
    x, y = put(u, GPU), put(v, GPU)
    agree(typed(x & y), theirs(typed)(other(u) & other(v)), (typed, u, v))
    agree(typed(x | y), theirs(typed)(other(u) | other(v)), (typed, u, v))


@examples(40)
@given(data=st.data(), algebra=st.sampled_from(FEW_SEMIRINGS), seed=seeds)
def test_semiring_on_gpu(data: Any, algebra: Any, seed: int) -> None:
    typed, left, right = algebra
    reseed(seed)
    u, A = data.draw(vectors(left, 5, mild=True)), data.draw(matrices(right, (5, 4), mild=True))
    agree(typed(put(u, GPU) @ put(A, GPU)), theirs(typed)(other(u) @ other(A)), (typed, u, A))


@examples(30)
@given(data=st.data(), algebra=st.sampled_from(FEW_UNARY), seed=seeds)
def test_unary_on_gpu(data: Any, algebra: Any, seed: int) -> None:
    typed, dtype = algebra
    reseed(seed)
    u, A = data.draw(vectors(dtype, 9, mild=True)), data.draw(matrices(dtype, (3, 4), mild=True))
    agree(typed(put(u, GPU)), theirs(typed)(other(u)), (typed, u))
    agree(typed(put(A, GPU)), theirs(typed)(other(A)), (typed, A))


@examples(20)
@given(data=st.data(), seed=seeds)
def test_monoid_on_gpu(data: Any, seed: int) -> None:
    reseed(seed)
    u, A = data.draw(vectors(FP64, 9, mild=True)), data.draw(matrices(FP64, (3, 4), mild=True))
    for typed in (MONOIDS["min"][INT32], MONOIDS["lor"][INT8]):
        agree(put(u, GPU).reduce(typed), other(u).reduce(theirs(typed)), (typed, u))
        agree(put(A, GPU).reduce_rowwise(typed), other(A).reduce_rowwise(theirs(typed)), (typed, A))


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_accumulators(backend: Any) -> None:
    """A typed accumulator works in its type, not in the output's."""
    t = lg.Vector.from_coo([0, 1], [2.75, 300.5], backend=backend)
    for accum, answer in ((BINARY["times"]["FP64"], [27, 127]), (BINARY["times"], [20, -10])):
        w = lg.Vector.from_coo([0, 1], [10, 10], "INT8", backend=backend)
        w(accum=accum) << t
        p = gb.Vector.from_coo([0, 1], [10, 10], "INT8")
        typed = gb.binary.times if accum.typed is None else gb.binary.times["FP64"]
        p(accum=typed) << gb.Vector.from_coo([0, 1], [2.75, 300.5])
        assert w.to_coo()[1].tolist() == p.to_coo()[1].tolist() == answer
    s = lg.Scalar.from_value(10, "INT8", backend=backend)
    s(BINARY["times"]["FP64"]) << 2.75
    assert s.value == 27 and s.isequal(27) and not s.isequal(lg.Scalar("INT8", backend=backend))


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_index_operators(backend: Any) -> None:
    """With a type in brackets a value is compared in that type; positions are 32 or 64 bits."""
    v = lg.Vector.from_coo([0, 1, 2], [2.25, 2.75, 3.5], backend=backend)
    assert INDEXUNARY["valuegt"]["INT8"](v, 2.5).new().to_coo()[1].tolist() == [False, False, True]
    assert SELECT["valuegt"]["INT8"](v, 2.5).new().to_coo()[1].tolist() == [3.5]
    made = INDEXUNARY["rowindex"]["INT32"](v, 1).new()
    assert made.dtype == INT32 and made.to_coo()[1].tolist() == [1, 2, 3]


@pytest.mark.parametrize("dtype", ["BOOL", "INT16", "INT32", "UINT16", "INT64", "FP32"])
@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_the_type_of_positions(dtype: str, backend: Any) -> None:
    """They have 32 bits only where the entries and the number that is added have, as there."""
    made = []
    for package, place in ((gb, {}), (lg, {"backend": backend})):
        A = package.Matrix.from_coo([0, 1], [1, 2], [1, 1], dtype, **place)
        of, int32 = package.indexunary, package.Scalar.from_value(3, "INT32")
        nodes = [
            of.rowindex(A), of.colindex(A, 3), A.apply("rowindex", 1), of.rowindex(A, 2**40),
            of.rowindex(A, np.int32(3)), of.colindex(A, np.int8(1)), of.rowindex(A.T, True),
            of.colindex(A, int32), of.rowindex["INT32"](A, 2),
        ]  # fmt: skip
        made.append([(x.dtype.name, x.to_coo()[2].tolist()) for x in (n.new() for n in nodes)])
    assert made[0] == made[1]


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_users_own(backend: Any) -> None:
    """An operator from a lambda, with a type and without, on operands of two types."""
    own = binary(lambda x, y: x + 2 * y)
    u = lg.Vector.from_coo([0, 1], [1.75, 2.5], backend=backend)
    v = lg.Vector.from_coo([0, 1], [10, 100], "INT8", backend=backend)
    assert own(u & v).new().to_coo()[1].tolist() == [21.75, 202.5]
    made = own["INT16"](u & v).new()
    assert made.dtype == INT16 and made.to_coo()[1].tolist() == [21, 202]
    assert own(u, 3).new().to_coo()[1].tolist() == [7.75, 8.5]
    half = unary("x / 2")["INT8"](u).new()
    assert half.dtype == FP64 and half.to_coo()[1].tolist() == [0.5, 1.0]


def test_the_facts_of_a_typed_operator() -> None:
    plus, pair = BINARY["plus"], BINARY["pair"]
    assert repr(plus["FP32"]) == "BinaryOp('plus[FP32]', 'x + y')" and plus["FP32"] != plus
    assert plus["FP32"].unified("INT8", "FP64") == FP32
    assert pair.unified("FP64", "INT8") == INT64 and pair["INT8"].unified("FP64", "FP64") == INT8
    assert plus[INT8, INT16].typed == INT16
    assert "INT8" in plus and "FP32" not in BINARY["band"]
    with pytest.raises(ValueError, match="expected one of the types"):  # as python-graphblas
        _ = "no type" in plus
    assert plus["INT8"].flipped is plus["INT8"] or plus["INT8"].flipped.typed == INT8
    assert BINARY["minus"]["INT8"].flipped.typed == INT8
    assert BINARY["truediv"]["INT8"].cuda("FP64", {"x": "a", "y": "b"}) == (
        "(arithmetic::cast<double>(arithmetic::cast<signed char>(a)) / "
        "arithmetic::cast<double>(arithmetic::cast<signed char>(b)))"
    )
    assert SEMIRINGS["min_plus"]["FP32"].output("INT8", "INT64") == FP32
    assert MONOIDS["land"]["INT8"].output("FP64") == types.BOOL
    for call in (lambda: BINARY["band"]["FP32"], lambda: plus["FP32"]["INT8"], lambda: plus[None]):
        with pytest.raises(LagraphError):
            call()
    with pytest.raises(DomainError):
        SEMIRINGS["plus_times"]["BOOL"]


@pytest.mark.parametrize("backend", BOTH)
@pytest.mark.parametrize("name", ["min", "max", "plus"])
def test_values_are_converted_before_they_are_reduced(backend: Any, name: str) -> None:
    """Also where they are still the arrays that were given, as they are in a new vector."""
    values = np.arange(300)
    right = gb.Vector.from_dense(values).reduce(getattr(gb.monoid, name)["INT8"]).new().value
    vector = lg.Vector.from_dense(values, backend=backend)
    matrix = lg.Matrix.from_coo(values, values, values, backend=backend)
    reduced = [x.reduce(MONOIDS[name][INT8]) for x in (vector, lg.Vector.dup(vector))]
    reduced.append(matrix.reduce_scalar(MONOIDS[name][INT8]))
    assert [one.new().value for one in reduced] == [right] * 3


@pytest.mark.parametrize("backend", BOTH)
def test_a_matrix_of_one_value_without_rows_reduces_to_nothing(backend: Any) -> None:
    """Not to that value, as if the matrix were full."""
    for A in (
        lg.Matrix.from_csr([0], [], 7, ncols=2, backend=backend),
        lg.Matrix.from_scalar(7, 3, 2, backend=backend)[:0, :].new(),
    ):
        for x in (
            A.T.reduce_rowwise("plus"),
            A.reduce_columnwise("max"),
            A.T.reduce_rowwise("any"),
        ):
            assert x.new().to_dict() == {}
